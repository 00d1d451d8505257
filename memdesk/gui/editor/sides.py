"""Texts beside each other, line by line: two versions, or mine and theirs with what both were made from. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from memdesk.files.merge import Op, lines_of, opcodes
from memdesk.gui.editor.compare import ROWS_AT_MOST, Comparison, Row
from memdesk.gui.widgets import Piece

CONTEXT_LINES = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One side of a row. text: None where this side has no such line; changed: it differs from what it came from."""

    text: str | None
    changed: bool = False
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Across:
    """A row: as many cells as there are sides."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Lines that are left out between two places that differ. heading: of the section that follows."""

    heading: str = ""
    lines: str = ""


SideRow = Across | Gap


def sides_of(found: Comparison, many: int) -> list[SideRow]:
    """A difference as rows of before and after; with one side, a text by itself."""
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
    return rows


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
    """Mine, what both were made from, and theirs, wherever either differs from it."""
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
    return rows[:ROWS_AT_MOST]


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
    """Stretches [a, b) of the base that either side changed, with the lines of both that stand for them.

    Changes that touch or overlap are one stretch."""
    changes = sorted((a, b) for ops in (mine, theirs) for tag, a, b, _, _ in ops if tag != "equal")
    merged: list[list[int]] = []
    for a, b in changes:
        if merged and a <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], b)
        else:
            merged.append([a, b])
    for a, b in merged:
        yield a, b, _there(mine, a, b), _there(theirs, a, b)


def _there(ops: Sequence[Op], a: int, b: int) -> Stretch:
    """The lines of a side that stand where the base has [a, b), with what was put in at either end of it."""
    begins, ends = [], []
    for tag, c, d, x, y in ops:
        if tag == "equal":
            begins += [x + a - c] if c <= a <= d else []
            ends += [x + b - c] if c <= b <= d else []
        else:
            begins += [x] if c == a else []
            ends += [y] if d == b else []
    return min(begins, default=0), max(ends, default=0)
