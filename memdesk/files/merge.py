"""Three-way merge of texts. Pure, and shared by the engine and the editor, so that both agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

LINES_AT_MOST = 6_000
"""Limit of differing lines of both texts together; beyond it matching takes seconds, and the texts are not
matched."""
MINE, BETWEEN, THEIRS = "<<<<<<< mine", "=======", ">>>>>>> on the disk"
"""Around what both changed differently, as every merge tool marks it."""
Op = tuple[str, int, int, int, int]
"""Opcode as in difflib: lines [a, b) of the first text became [x, y) of the second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Result of a merge. clashes: places that both changed, where both versions are in the text between
    marks."""

    text: str
    clashes: int


def lines_of(text: str) -> list[str]:
    """Return the lines as an editor counts them: after a final newline there is one more, empty line."""
    return text.split("\n")


def opcodes(before: Sequence[str], after: Sequence[str]) -> list[Op]:
    """Return how the lines before became the lines after; in one piece where they are too many to match."""
    start = common(before, after)
    end = common(before[start:][::-1], after[start:][::-1])
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    ops: list[Op] = [("equal", 0, start, 0, start)] if start else []
    if len(old) + len(new) > LINES_AT_MOST:
        ops.append(("replace", start, start + len(old), start, start + len(new)))
    else:
        found = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        ops += [(tag, a + start, b + start, x + start, y + start) for tag, a, b, x, y in found]
    if end:
        ops.append(("equal", len(before) - end, len(before), len(after) - end, len(after)))
    return ops


def common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the number of equal lines at the beginning of both."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


@dataclass(frozen=True, slots=True, order=True)
class _Hunk:
    """Change of lines [start, end) of the base into `lines` on one side; an addition has start == end."""

    start: int
    end: int
    mine: bool
    lines: tuple[str, ...]


def merge(base: str, mine: str, theirs: str) -> Merged:
    """Merge both sides: take each change that only one made, and keep both versions where they changed the
    same lines.

    Changes of neighbouring lines do not clash, nor do lines that both sides added at one place: theirs come
    before mine, and lines that both added are written once."""
    root = lines_of(base)
    out: list[str] = []
    clashes = place = 0
    hunks = sorted([*_hunks(root, lines_of(mine), mine=True), *_hunks(root, lines_of(theirs), mine=False)])
    for start, end, group in _together(hunks):
        ours, others = (_applied(root, start, end, group, mine=side) for side in (True, False))
        part = _part(root[start:end], ours, others)
        clashes += part is None
        out += root[place:start]
        out += part if part is not None else [MINE, *ours, BETWEEN, *others, THEIRS]
        place = end
    return Merged(text="\n".join(out + root[place:]), clashes=clashes)


def _hunks(base: list[str], side: list[str], *, mine: bool) -> list[_Hunk]:
    ops = opcodes(base, side)
    return [_Hunk(a, b, mine, tuple(side[x:y])) for tag, a, b, x, y in ops if tag != "equal"]


def _together(hunks: list[_Hunk]) -> Iterator[tuple[int, int, list[_Hunk]]]:
    """Yield changes of the same lines as (start, end, changes), in order; two additions at one place belong
    together."""
    group: list[_Hunk] = []
    start = end = 0
    for hunk in hunks:
        if group and (hunk.start < end or hunk.end == start == end):
            end = max(end, hunk.end)
            group.append(hunk)
            continue
        if group:
            yield start, end, group
        start, end, group = hunk.start, hunk.end, [hunk]
    if group:
        yield start, end, group


def _applied(base: list[str], start: int, end: int, group: list[_Hunk], *, mine: bool) -> list[str]:
    """Return lines [start, end) of the base as one side has them."""
    out: list[str] = []
    for hunk in group:
        if hunk.mine == mine:
            out += [*base[start : hunk.start], *hunk.lines]
            start = hunk.end
    return out + base[start:end]


def _part(base: list[str], mine: list[str], theirs: list[str]) -> list[str] | None:
    """Return the lines of a stretch that only one side changed, both changed alike, or both added to; None
    for a clash."""
    if mine in (base, theirs):
        return theirs
    if theirs == base:
        return mine
    return None if base else _both_added(mine, theirs)


def _both_added(mine: list[str], theirs: list[str]) -> list[str]:
    """Return their lines and mine in one order that keeps both; equal blank lines alone do not align the two."""
    if len(mine) + len(theirs) > LINES_AT_MOST:
        return [*theirs, *mine[common(mine, theirs) :]]
    out: list[str] = []
    for _, a, b, x, y in SequenceMatcher(_is_blank, theirs, mine, autojunk=False).get_opcodes():
        out += theirs[a:b]
        out += [] if theirs[a:b] == mine[x:y] else mine[x:y]
    return out


def _is_blank(line: str) -> bool:
    return not line.strip()
