"""Account of the lines of the files in an import: those that become facts, and the reasons of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from memdesk.engine.interop.batches import Note
from memdesk.engine.wording import shortened
from memdesk.engine.workspace.layouts import unread_reason
from memdesk.engine.workspace.line_facts import REPEATED
from memdesk.engine.workspace.placing import Reading
from memdesk.files.merge import lines_of
from memdesk.files.reading import plain
from memdesk.model.interop import FileCoverage, ImportLine
from memdesk.model.message import message

ROWS_SHOWN = 3_000
"""Lines that a preview names; of the rest it has the counts only."""
LEFT_BY_CHOICE = message("left out by you")
_TEXT_CHARACTERS = 400


def coverage_of(note: Note, reading: Reading) -> FileCoverage:
    """Return the account of a file's lines."""
    rows = tuple(_lines(note, reading))
    others = Counter(each.why for each in rows if not each.fact)
    return FileCoverage(
        file=note.name,
        lines=len(rows),
        facts=sum(each.fact for each in rows),
        others=dict(others.most_common()),
        rows=rows,
    )


def bounded_rows(files: Iterable[FileCoverage]) -> tuple[FileCoverage, ...]:
    """Return the accounts with ROWS_SHOWN lines in all at most; a file beyond that keeps its counts."""
    found: list[FileCoverage] = []
    left = ROWS_SHOWN
    for each in files:
        shown = each.rows if len(each.rows) <= left else ()
        left -= len(shown)
        found.append(replace(each, rows=shown))
    return tuple(found)


def _lines(note: Note, reading: Reading) -> Iterator[ImportLine]:
    claims, reasons = reading.found.lines, reading.found.reasons
    unread = unread_reason(note.relative, note.place.layout)
    seen: set[str] = set()
    for number, line in enumerate(lines_of(plain(reading.file.text)), 1):
        text = line.strip()
        if not text:
            continue
        fact = number in claims and bool(claims[number].facts)
        other = REPEATED if text in seen else LEFT_BY_CHOICE
        why = "" if fact else unread or reasons.get(number, other)
        if number in claims and not fact:
            why = "relation"
        seen.add(text)
        yield ImportLine(number=number, text=shortened(text, _TEXT_CHARACTERS), fact=fact, why=why)
