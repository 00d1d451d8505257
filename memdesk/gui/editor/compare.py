"""What changed between two texts, line by line and word by word. Pure and bounded, so that a worker can run it."""

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
"""Nobody reads a longer difference; the rest is counted."""
PAIRED_AT_MOST = 300
"""Lines of one stretch whose words are compared; a longer stretch is another text."""
ALIKE = 0.4
"""Share of its letters a line must keep to count as the same line changed rather than as another one."""
HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a difference. pieces: the words of both versions of a line that was changed, empty otherwise."""

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
    """Two texts compared. characters: how many more the later one has. left_out: rows beyond ROWS_AT_MOST."""

    hunks: tuple[Hunk, ...] = ()
    added: int = 0
    removed: int = 0
    characters: int = 0
    left_out: int = 0


def carried(before: str, after: str, authors: Sequence[str], mine: str) -> list[str]:
    """The author of each line after, where lines that stayed keep theirs and the others are mine."""
    old, new = lines_of(before), lines_of(after)
    found = [mine] * len(new)
    for tag, a, b, x, y in opcodes(old, new):
        if tag == "equal":
            kept = list(authors[a:b])
            found[x:y] = kept + [""] * (b - a - len(kept))
    return found


def compare(before: str, after: str) -> Comparison:
    """The difference in hunks, ready to be shown."""
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
    """A text by itself, for the first of all versions."""
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
    """Changes that lie near each other, with CONTEXT_LINES of what stayed around them."""
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
    """The nearest heading above a line."""
    found = (HEADING.match(line) for line in reversed(lines[: place + 1]))
    return next((match[1] for match in found if match), "")


def _changed(old: list[str], new: list[str]) -> list[Row]:
    """What went, then what came; a line that is alike in both carries its words."""
    pairs = [word_diff(a, b) if _alike(a, b) else () for a, b in zip(old[:PAIRED_AT_MOST], new, strict=False)]
    pairs += [()] * (max(len(old), len(new)) - len(pairs))
    went = [Row(change="removed", text=a, pieces=pairs[place]) for place, a in enumerate(old)]
    came = [Row(change="added", text=b, pieces=pairs[place]) for place, b in enumerate(new)]
    return went + came


def _alike(one: str, other: str) -> bool:
    """Whether two lines are versions of one; cheap bounds first, since most lines are not."""
    matcher = SequenceMatcher(None, one[:400], other[:400], autojunk=False)
    return matcher.real_quick_ratio() >= ALIKE and matcher.quick_ratio() >= ALIKE and matcher.ratio() >= ALIKE
