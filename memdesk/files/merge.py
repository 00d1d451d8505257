"""Two people's changes of one text put together. Pure, and shared by the engine and the editor, so that both agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

LINES_AT_MOST = 6_000
"""Of both texts, where they differ: beyond it matching takes seconds, and the texts are told apart whole."""
MINE, BETWEEN, THEIRS = "<<<<<<< mine", "=======", ">>>>>>> on the disk"
"""Around what both changed differently, as every merge tool marks it."""
Op = tuple[str, int, int, int, int]
"""As difflib's opcodes: what happened to lines [a, b) of the first text, which became [x, y) of the second."""
Same = tuple[int, int, int, int]
"""Lines [a, b) of the base stand unchanged from line m of mine and from line t of theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Both changes in one text. clashes: places changed by both, where both versions stand between marks."""

    text: str
    clashes: int


def lines_of(text: str) -> list[str]:
    """The lines as an editor counts them: a final newline begins one more, empty line."""
    return text.split("\n")


def opcodes(before: Sequence[str], after: Sequence[str]) -> list[Op]:
    """How the lines before became the lines after; in one piece where they are too many to match."""
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
    """How many lines both begin with."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def merge(base: str, mine: str, theirs: str) -> Merged:
    """Take each change that only one side made, and keep both versions where both changed the same lines.

    Lines that both sides added at one place do not clash: theirs stand before mine, and what both added alike stands
    once.
    """
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
    """The lines of a stretch that only one side changed, both changed alike, or both added to; None for a clash."""
    if mine in (base, theirs):
        return theirs
    if theirs == base:
        return mine
    return None if base else _both_added(mine, theirs)


def _both_added(mine: list[str], theirs: list[str]) -> list[str]:
    alike = common(mine, theirs)
    return [*theirs, *mine[alike:]]


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
