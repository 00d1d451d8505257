"""Differences between two texts by line and by word. Pure and bounded, so that a worker can run it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
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


def carry_authors(before: str, after: str, authors: Sequence[str], mine: str) -> list[str]:
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


def as_single_hunk(text: str) -> Comparison:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Side of a row. text: None if this side has no such line; changed: True if it differs from the text it
    came from."""

    text: str | None
    changed: bool = False
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Across:
    """Row with one cell per side."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Row for unchanged lines that are left out. heading: of the section that follows. left_out: rows beyond
    ROWS_AT_MOST, in the last row alone."""

    heading: str = ""
    lines: str = ""
    left_out: int = 0


SideRow = Across | Gap


def sides_of(found: Comparison, many: int) -> list[SideRow]:
    """Return a difference as rows of before and after; with `many` = 1, as rows of a single text."""
    rows: list[SideRow] = []
    for hunk in found.hunks:
        rows.append(Gap(heading=hunk.heading, lines=_numbers(hunk.first, hunk.last)))
        went: list[Row] = []
        came: list[Row] = []
        for row in (*hunk.rows, None):
            if row is not None and row.change == "removed" and not came:
                went.append(row)
            elif row is not None and row.change == "added":
                came.append(row)
            else:
                rows += (_pair(*pair) for pair in zip_longest(went, came))
                went, came = [row] if row is not None and row.change == "removed" else [], []
                if row is not None and row.change == "same":
                    rows.append(Across(cells=(Cell(text=row.text),) * many))
    return rows + [Gap(left_out=found.left_out)] * bool(found.left_out)


def _numbers(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first} – {last}"


def _pair(went: Row | None, came: Row | None) -> Across:
    return Across(cells=tuple(_cell(row) for row in (went, came)))


def _cell(row: Row | None) -> Cell:
    if row is None:
        return Cell(text=None)
    pieces = tuple(piece for piece in row.pieces if piece.change in ("same", row.change))
    return Cell(text=row.text, changed=True, pieces=pieces)


def three_sides(base: str, mine: str, theirs: str) -> list[SideRow]:
    """Return rows of mine, base and theirs for the places where either differs from the base."""
    old, ours, other = (lines_of(text.rstrip("\n")) for text in (base, mine, theirs))
    rows: list[SideRow] = []
    last = 0
    for a, b, left, right in _differing(opcodes(old, ours), opcodes(old, other)):
        if a - CONTEXT_LINES > last:
            rows.append(Gap(lines=_numbers(a + 1, max(a + 1, b))))
        rows += (_same(line) for line in old[max(last, a - CONTEXT_LINES) : a])
        sides = (ours[left[0] : left[1]], old[a:b], other[right[0] : right[1]])
        rows += (_apart(*lines) for lines in zip_longest(*sides))
        rows += (_same(line) for line in old[b : b + CONTEXT_LINES])
        last = b + CONTEXT_LINES
    left_out = sum(_is_changed(row) for row in rows[ROWS_AT_MOST:])
    return rows[:ROWS_AT_MOST] + [Gap(left_out=left_out)] * bool(left_out)


def _is_changed(row: SideRow) -> bool:
    return isinstance(row, Across) and any(cell.changed for cell in row.cells)


def _same(line: str) -> Across:
    return Across(cells=(Cell(text=line),) * 3)


def _apart(mine: str | None, base: str | None, theirs: str | None) -> Across:
    cells = (
        Cell(text=mine, changed=mine != base),
        Cell(text=base),
        Cell(text=theirs, changed=theirs != base),
    )
    return Across(cells=cells)


Stretch = tuple[int, int]


def _differing(mine: Sequence[Op], theirs: Sequence[Op]) -> Iterator[tuple[int, int, Stretch, Stretch]]:
    """Yield the ranges [a, b) of the base that either side changed, with the matching line ranges of both
    sides.

    Changes that touch or overlap form one range."""
    changes = sorted((a, b) for ops in (mine, theirs) for tag, a, b, _, _ in ops if tag != "equal")
    merged: list[list[int]] = []
    for a, b in changes:
        if merged and a <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], b)
        else:
            merged.append([a, b])
    for a, b in merged:
        yield a, b, _matching_range(mine, a, b), _matching_range(theirs, a, b)


def _matching_range(ops: Sequence[Op], a: int, b: int) -> Stretch:
    """Return the line range of a side that matches the base range [a, b), including insertions at either end."""
    begins, ends = [], []
    for tag, c, d, x, y in ops:
        if tag == "equal":
            begins += [x + a - c] if c <= a <= d else []
            ends += [x + b - c] if c <= b <= d else []
        else:
            begins += [x] if c == a else []
            ends += [y] if d == b else []
    return min(begins, default=0), max(ends, default=0)
