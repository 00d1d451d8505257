"""Rows of a side-by-side difference: two versions, or mine and theirs with their common base. Pure."""

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
    """Row for unchanged lines that are left out. heading: of the section that follows."""

    heading: str = ""
    lines: str = ""


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
        yield a, b, _there(mine, a, b), _there(theirs, a, b)


def _there(ops: Sequence[Op], a: int, b: int) -> Stretch:
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
