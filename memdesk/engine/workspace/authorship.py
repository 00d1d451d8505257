"""Author of each line of a file, found by comparing its versions. Pure and bounded, so that it can be tested."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Mapping, Sequence

from memdesk.model.change import OUTSIDE
from memdesk.store.workspaces import Kept

VERSIONS_AT_MOST = 40
LINES_AT_MOST = 3_000
"""Limit above which versions are not compared, because a person would have to wait; no line then has an
author."""


def line_authors(text: str, kept: Sequence[Kept], texts: Mapping[str, str]) -> tuple[str, ...]:
    """Return the author of each line of `text`, the last of these versions; () when there is too much to
    compare.

    kept: versions, oldest first. A version that returns by undo brings its authors back. texts: the versions'
    texts by hash."""
    walked = [each for each in kept if each.content_hash in texts and not each.beside][-VERSIONS_AT_MOST:]
    if not walked or any(texts[each.content_hash].count("\n") > LINES_AT_MOST for each in walked):
        return ()
    seen: dict[str, list[str]] = {}
    lines: list[str] = []
    authors: list[str] = []
    for each in walked:
        after = texts[each.content_hash].splitlines()
        authors = seen.get(each.content_hash) or _carried(lines, after, authors, _author(each))
        seen[each.content_hash] = authors
        lines = after
    return tuple(authors) if lines == text.splitlines() else ()


def moved_lines(before: str, after: str) -> tuple[int, int]:
    """Return (added, removed): the number of new lines and of removed lines, wherever they are in the text."""
    was, now = Counter(before.splitlines()), Counter(after.splitlines())
    return (now - was).total(), (was - now).total()


def _author(each: Kept) -> str:
    """Return the author of a version. An import counts as outside, because importing a file is not writing
    it, unless an agent imported it."""
    return OUTSIDE if each.op == "import" and not each.author.startswith("agent:") else each.author


def _carried(before: list[str], after: list[str], authors: list[str], author: str) -> list[str]:
    """Return the authors of the lines after a version; lines that stayed keep theirs."""
    found = [author] * len(after)
    matcher = difflib.SequenceMatcher(a=before, b=after)
    for start, to, count in matcher.get_matching_blocks():
        found[to : to + count] = authors[start : start + count]
    return found
