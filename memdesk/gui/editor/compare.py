"""Differences between two texts by line and by word. Pure and bounded, so that a worker can run it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from memdesk.files.merge import Op, lines_of, opcodes
from memdesk.gui.widgets import Piece, word_diff

CONTEXT_LINES = 1
ROWS_AT_MOST = 600
"""Limit of rows shown in a difference; the rest is only counted."""
PAIRED_AT_MOST = 300
"""Limit of lines in one block of changes that are compared by word; the rest counts as different text."""
ALIKE = 0.4
"""Lowest similarity ratio at which two lines count as versions of the same line."""
HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Line of a difference. pieces: the words of both versions if the line was changed, otherwise empty."""

    change: Literal["same", "removed", "added"]
    text: str
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """Neighbouring changes with the lines around them. first, last: line numbers in the later text, from 1."""

    heading: str
    first: int
    last: int
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Result of comparing two texts. characters: how many more the later one has. left_out: rows beyond
    ROWS_AT_MOST."""

    hunks: tuple[Hunk, ...] = ()
    added: int = 0
    removed: int = 0
    characters: int = 0
    left_out: int = 0


def carried(before: str, after: str, authors: Sequence[str], mine: str) -> list[str]:
    """Return the author of each line of `after`: unchanged lines keep their author, the others get `mine`."""
    old, new = lines_of(before), lines_of(after)
    found = [mine] * len(new)
    for tag, a, b, x, y in opcodes(old, new):
        if tag == "equal":
            kept = list(authors[a:b])
            found[x:y] = kept + [""] * (b - a - len(kept))
    return found


def compare(before: str, after: str) -> Comparison:
    """Return the difference between two texts in hunks, ready to be shown."""
    old, new = lines_of(before), lines_of(after)
    ops = opcodes(old, new)
    hunks = tuple(_hunk(old, new, group) for group in _groups(ops))
    shown, left_out = _bounded(hunks)
    return Comparison(
        hunks=shown,
        added=sum(y - x for tag, _, _, x, y in ops if tag != "equal"),
        removed=sum(b - a for tag, a, b, _, _ in ops if tag != "equal"),
        characters=len(after) - len(before),
        left_out=left_out,
    )


def whole(text: str) -> Comparison:
    """Return a text as one hunk without changes, for the first version of a file."""
    lines = lines_of(text.rstrip("\n"))
    rows = tuple(Row(change="same", text=line) for line in lines)
    shown, left_out = _bounded((Hunk(heading="", first=1, last=len(lines), rows=rows),))
    return Comparison(hunks=shown, left_out=left_out)


def _bounded(hunks: tuple[Hunk, ...]) -> tuple[tuple[Hunk, ...], int]:
    shown: list[Hunk] = []
    room = ROWS_AT_MOST
    for hunk in hunks:
        rows = hunk.rows[:room]
        room -= len(rows)
        if rows:
            shown.append(Hunk(heading=hunk.heading, first=hunk.first, last=hunk.last, rows=rows))
    return tuple(shown), sum(len(hunk.rows) for hunk in hunks) - (ROWS_AT_MOST - room)


def _groups(ops: list[Op]) -> Iterator[list[Op]]:
    """Yield groups of changes that are near each other, with CONTEXT_LINES of unchanged lines around them."""
    group: list[Op] = []
    for place, (tag, a, b, x, y) in enumerate(ops):
        if tag != "equal":
            group.append((tag, a, b, x, y))
            continue
        last, long = place == len(ops) - 1, b - a > 2 * CONTEXT_LINES
        if group and (long or last):
            kept = min(b - a, CONTEXT_LINES)
            yield [*group, (tag, a, a + kept, x, x + kept)]
            group = []
        if not last:
            kept = b - a if group else min(b - a, CONTEXT_LINES)
            group.append((tag, b - kept, b, y - kept, y))
    if any(op[0] != "equal" for op in group):
        yield group


def _hunk(old: list[str], new: list[str], group: list[Op]) -> Hunk:
    first, last = group[0][3], group[-1][4]
    rows: list[Row] = []
    for tag, a, b, x, y in group:
        if tag == "equal":
            rows += [Row(change="same", text=text) for text in new[x:y]]
        else:
            rows += _changed(old[a:b], new[x:y])
    changed = next(x for tag, _, _, x, _ in group if tag != "equal")
    return Hunk(heading=_heading(new, changed), first=first + 1, last=max(first + 1, last), rows=tuple(rows))


def _heading(lines: list[str], place: int) -> str:
    """Return the nearest heading at or above a line, "" if there is none."""
    found = (HEADING.match(line) for line in reversed(lines[: place + 1]))
    return next((match[1] for match in found if match), "")


def _changed(old: list[str], new: list[str]) -> list[Row]:
    """Return the removed lines, then the added ones; a line similar to its counterpart carries the word
    pieces."""
    pairs = [word_diff(a, b) if _alike(a, b) else () for a, b in zip(old[:PAIRED_AT_MOST], new, strict=False)]
    pairs += [()] * (max(len(old), len(new)) - len(pairs))
    went = [Row(change="removed", text=a, pieces=pairs[place]) for place, a in enumerate(old)]
    came = [Row(change="added", text=b, pieces=pairs[place]) for place, b in enumerate(new)]
    return went + came


def _alike(one: str, other: str) -> bool:
    """Return True if two lines are versions of one line. Checks cheap upper bounds first, because most lines
    are not."""
    matcher = SequenceMatcher(None, one[:400], other[:400], autojunk=False)
    return matcher.real_quick_ratio() >= ALIKE and matcher.quick_ratio() >= ALIKE and matcher.ratio() >= ALIKE
