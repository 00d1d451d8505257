"""Asking what a figure means: its sentence as a tool tip, and under Shift+F1 with the way to the help.

explain(label, "Salience")              a heading or a label that is named as a term
explain_terms(legend, "meaning", "words")   something painted, which shows several
tip(title), whats_this(title)           what the title of a table's column says"""

from __future__ import annotations

import html

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QWhatsThisClickedEvent
from PySide6.QtWidgets import QWidget

from memdesk.gui import look
from memdesk.gui.help import glossary
from memdesk.gui.help.glossary import Term
from memdesk.gui.language import tr


class Asking(QObject):
    """Hears the link in an explanation. The signal `asked` carries the key of the term to tell more of."""

    asked = Signal(str)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt tells the widget that was asked about."""
        if isinstance(event, QWhatsThisClickedEvent):
            self.asked.emit(event.href())
            return True
        return False


asking = Asking()


def explain(widget: QWidget, title: str, *, with_tip: bool = True) -> None:
    """Let a widget say what its term means; one whose title is no term says nothing.

    with_tip: off for a whole part of the window, which would show its tool tip everywhere."""
    term = glossary.named(title)
    if term is not None:
        _tell(widget, (term,), with_tip=with_tip)


def explain_terms(widget: QWidget, *keys: str) -> None:
    """Let something painted say what the terms in it mean. Raises KeyError for what is no term."""
    _tell(widget, tuple(glossary.terms()[key] for key in keys), with_tip=True)


def tip(title: str) -> str | None:
    """The tool tip of a title that is a term."""
    term = glossary.named(title)
    return None if term is None else f"<qt>{html.escape(term.says)}</qt>"


def whats_this(title: str) -> str | None:
    """What a title that is a term says under Shift+F1, as rich text."""
    term = glossary.named(title)
    return None if term is None else _rich(term)


def _tell(widget: QWidget, terms: tuple[Term, ...], *, with_tip: bool) -> None:
    if with_tip and not widget.toolTip():
        said = [term.says if len(terms) == 1 else f"{term.names[0]}: {term.says}" for term in terms]
        # As rich text, which a tool tip breaks into lines.
        widget.setToolTip(f"<qt>{'<br>'.join(map(html.escape, said))}</qt>")
    widget.setWhatsThis("".join(_rich(term) for term in terms))
    widget.installEventFilter(asking)


def _rich(term: Term) -> str:
    more = tr("More in the help")
    more = f'<a href="{term.key}" style="color:{look.token("acc")}">{more}</a>'
    return f"<p><b>{html.escape(term.names[0])}</b><br>{html.escape(term.says)}<br>{more}</p>"
