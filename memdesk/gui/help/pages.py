"""Pages of the help: markdown in resources/help, in the language of the window.

A paragraph that begins with `{salience}` explains a term: the term's name and glossary sentence are inserted
there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from memdesk.files.places import resource
from memdesk.gui import language
from memdesk.gui.help import glossary

INDEX = "index"
COLONS = {"en": ":", "zh": "："}
TERM = re.compile(r"^\{(\w+)\}")
HEADING = re.compile(r"^#+ (.*)$")
MARKS = re.compile(r"[*`|#]|\]\([^)]*\)|\[")
"""Markdown syntax to remove from a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A help page with its terms inserted. title: its first heading; anchors: the line, from 0, on which a
    term is explained."""

    name: str
    title: str
    text: str
    anchors: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A line that contains the searched words. heading: the heading above it."""

    page: Page
    line: int
    heading: str
    text: str


def page(name: str) -> Page | None:
    """Return the page of a panel, or of `index`; None if there is none."""
    return _pages(language.spoken()).get(name)


def pages() -> Sequence[Page]:
    """Return all pages: the index first, then by title."""
    return tuple(_pages(language.spoken()).values())


def search(words: str) -> Iterator[Hit]:
    """Yield the lines that contain every word, ignoring case; matches on the first line of a page come first."""
    wanted = words.lower().split()
    if wanted:
        found = [hit for each in pages() for hit in _hits(each, wanted)]
        yield from sorted(found, key=lambda hit: hit.line != 0)


def _hits(page: Page, wanted: Sequence[str]) -> Iterator[Hit]:
    heading = page.title
    for number, line in enumerate(page.text.splitlines()):
        if title := HEADING.match(line):
            heading = title[1]
        text = " ".join(MARKS.sub("", line).split())
        if all(word in text.lower() for word in wanted):
            yield Hit(page=page, line=number, heading=heading, text=text)


@cache
def _pages(tongue: str) -> Mapping[str, Page]:
    found = [
        _read(file.stem, file.read_text(encoding="utf-8"), tongue)
        for file in resource("help", tongue).glob("*.md")
    ]
    return {page.name: page for page in sorted(found, key=lambda page: (page.name != INDEX, page.title))}


def _read(name: str, text: str, tongue: str) -> Page:
    """Return a page with its terms inserted. Raises KeyError for a term that is not in the glossary."""
    anchors: dict[str, int] = {}
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if told := TERM.match(line):
            term = glossary.terms()[told[1]]
            anchors[term.key] = number
            lines[number] = f"**{term.names[0]}{COLONS[tongue]}** {term.says}{line[told.end() :]}"
    title = HEADING.match(lines[0])
    return Page(name=name, title=title[1] if title else name, text="\n".join(lines), anchors=anchors)
