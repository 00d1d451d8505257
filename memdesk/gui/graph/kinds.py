"""What kind of memory something is, in a word: the kinds MemDesk knows in the window's language, others as written."""

from __future__ import annotations

from memdesk.gui.language import marked, tr

KNOWN = (
    marked("entity"),
    marked("fact"),
    marked("decision"),
    marked("preference"),
    marked("constraint"),
    marked("event"),
    marked("person"),
    marked("organization"),
    marked("location"),
    marked("concept"),
    marked("technology"),
    marked("product"),
    marked("agent"),
)


def kind_said(category: str) -> str:
    """A fact's category or an entity's type, in lower case."""
    word = category.lower()
    return tr(word) if word in KNOWN else word
