"""Explain figures: a term's sentence as a tool tip, and under Shift+F1 with a link to the help.

- explain(label, "Salience"): a heading or a label whose title is a term.
- explain_terms(legend, "meaning", "words"): a painted widget that shows several terms.
- tip(title), whats_this(title): the texts for a column title of a table."""

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
    """Catches clicks on the link in an explanation. The signal `asked` carries the key of the term to show in
    the help."""

    asked = Signal(str)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the event that Qt sends to the explained widget when its link is clicked."""
        if isinstance(event, QWhatsThisClickedEvent):
            self.asked.emit(event.href())
            return True
        return False


asking = Asking()


def explain(widget: QWidget, title: str, *, with_tip: bool = True) -> None:
    """Explain a widget's term in its tool tip and under Shift+F1; does nothing if the title is not a term.

    with_tip: False for a large part of the window, which would show its tool tip everywhere."""
    term = glossary.named(title)
    if term is not None:
        _tell(widget, (term,), with_tip=with_tip)


def explain_terms(widget: QWidget, *keys: str) -> None:
    """Explain the terms in a painted widget. Raises KeyError for an unknown term."""
    _tell(widget, tuple(glossary.terms()[key] for key in keys), with_tip=True)


def tip(title: str) -> str | None:
    """Return the tool tip for a title; None if it is not a term."""
    term = glossary.named(title)
    return None if term is None else f"<qt>{html.escape(term.says)}</qt>"


def whats_this(title: str) -> str | None:
    """Return the Shift+F1 text for a title, as rich text; None if it is not a term."""
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
