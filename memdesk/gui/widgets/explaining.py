"""Explain figures: a term's sentence as a tool tip, and under Shift+F1 with a link to the help.

- explain(label, "Salience"): a heading or a label whose title is a term. - explain_terms(legend,
"meaning", "words"): a painted widget that shows several terms. - tip(title), whats_this(title): the texts
for a column title of a table."""

from __future__ import annotations

import html
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QWhatsThisClickedEvent
from PySide6.QtWidgets import QWidget

from memdesk.files.places import resource
from memdesk.gui import language, look
from memdesk.gui.language import tr


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A glossary entry. names: its names, the usual one first. page: the panel whose help page explains it
    further."""

    key: str
    page: str
    names: tuple[str, ...]
    says: str


def terms() -> Mapping[str, Term]:
    """Return every term by its key, in the language in use."""
    return _read(language.current_language())


def find_term(title: str) -> Term | None:
    """Return the term with this name, ignoring case; None if there is none."""
    return _by_name(language.current_language()).get(title.strip().lower())


@cache
def _read(code: str) -> Mapping[str, Term]:
    with resource("help", "terms.toml").open("rb") as file:
        found = tomllib.load(file)
    return {
        key: Term(key=key, page=each["page"], names=tuple(each[code]["names"]), says=each[code]["says"])
        for key, each in found.items()
    }


@cache
def _by_name(code: str) -> Mapping[str, Term]:
    return {name.lower(): term for term in _read(code).values() for name in term.names}


class ExplanationLinks(QObject):
    """Catches clicks on the link in an explanation. The signal `asked` carries the key of the term to show in
    the help."""

    asked = Signal(str)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the event that Qt sends to the explained widget when its link is clicked."""
        if isinstance(event, QWhatsThisClickedEvent):
            self.asked.emit(event.href())
            return True
        return False


explanation_links = ExplanationLinks()


def explain(widget: QWidget, title: str, *, with_tip: bool = True) -> None:
    """Explain a widget's term in its tool tip and under Shift+F1; does nothing if the title is not a term.

    with_tip: False for a large part of the window, which would show its tool tip everywhere."""
    term = find_term(title)
    if term is not None:
        _attach(widget, (term,), with_tip=with_tip)


def explain_terms(widget: QWidget, *keys: str) -> None:
    """Explain the terms in a painted widget. Raises KeyError for an unknown term."""
    _attach(widget, tuple(terms()[key] for key in keys), with_tip=True)


def tip(title: str) -> str | None:
    """Return the tool tip for a title; None if it is not a term."""
    term = find_term(title)
    return None if term is None else f"<qt>{html.escape(term.says)}</qt>"


def whats_this(title: str) -> str | None:
    """Return the Shift+F1 text for a title, as rich text; None if it is not a term."""
    term = find_term(title)
    return None if term is None else _rich(term)


def _attach(widget: QWidget, terms: tuple[Term, ...], *, with_tip: bool) -> None:
    if with_tip and not widget.toolTip():
        said = [term.says if len(terms) == 1 else f"{term.names[0]}: {term.says}" for term in terms]
        # As rich text, which a tool tip breaks into lines.
        widget.setToolTip(f"<qt>{'<br>'.join(map(html.escape, said))}</qt>")
    widget.setWhatsThis("".join(_rich(term) for term in terms))
    widget.installEventFilter(explanation_links)


def _rich(term: Term) -> str:
    more = tr("More in the help")
    more = f'<a href="{term.key}" style="color:{look.token("acc")}">{more}</a>'
    return f"<p><b>{html.escape(term.names[0])}</b><br>{html.escape(term.says)}<br>{more}</p>"
