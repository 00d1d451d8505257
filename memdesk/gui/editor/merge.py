"""Two people's changes of one text put together. Pure, so that what nobody may lose can be tested line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memdesk.gui.editor.compare import lines_of, opcodes

MINE, BETWEEN, THEIRS = "<<<<<<< mine", "=======", ">>>>>>> on the disk"
"""Around what both changed differently, as every merge tool marks it."""

Same = tuple[int, int, int, int]
"""Lines [a, b) of the base stand unchanged from line m of mine and from line t of theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Both changes in one text. clashes: places changed by both, where both versions stand between marks."""

    text: str
    clashes: int


def merge(base: str, mine: str, theirs: str) -> Merged:
    """Take each change that only one side made, and keep both versions where both changed the same lines."""
    root, left, right = lines_of(base), lines_of(mine), lines_of(theirs)
    out: list[str] = []
    clashes = a = m = t = 0
    for start, end, in_mine, in_theirs in _unchanged(root, left, right):
        part = _part(root[a:start], left[m:in_mine], right[t:in_theirs])
        clashes += part is None
        out += part if part is not None else [MINE, *left[m:in_mine], BETWEEN, *right[t:in_theirs], THEIRS]
        out += root[start:end]
        a, m, t = end, in_mine + end - start, in_theirs + end - start
    return Merged(text="\n".join(out), clashes=clashes)


def _part(base: list[str], mine: list[str], theirs: list[str]) -> list[str] | None:
    """The lines of a stretch that only one side changed, or both alike; None where they clash."""
    if mine in (base, theirs):
        return theirs
    return mine if theirs == base else None


def _unchanged(base: list[str], mine: list[str], theirs: list[str]) -> Iterator[Same]:
    """Stretches of the base that stand in both, in order, closed by an empty one behind the last line."""
    left = [(a, b, x) for tag, a, b, x, _ in opcodes(base, mine) if tag == "equal"]
    right = [(a, b, x) for tag, a, b, x, _ in opcodes(base, theirs) if tag == "equal"]
    i = j = 0
    while i < len(left) and j < len(right):
        (a, b, x), (c, d, y) = left[i], right[j]
        start, end = max(a, c), min(b, d)
        if start < end:
            yield start, end, x + start - a, y + start - c
        i, j = (i + 1, j) if b <= d else (i, j + 1)
    yield len(base), len(base), len(mine), len(theirs)
