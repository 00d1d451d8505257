"""Repair of lines that another program overwrote unseen. Pure, so that each case can be tested with a list of
versions.

A program that reads a file, works for a while and writes it back removes all that was written meanwhile. A
reader does not remove a new line within two seconds: lines missing so soon were not seen, and are put back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from memdesk.files.manner import plain
from memdesk.files.merge import merge
from memdesk.model.instant import SECOND
from memdesk.store.workspaces import Kept

BLIND_SECONDS = 2


def overlooked(kept: Sequence[Kept], modified_at: int, *, outside: str) -> list[tuple[Kept, Kept]]:
    """Return the versions written shortly before the last one, as (first, last) of each stretch without a
    gap.

    kept: a file's versions, oldest first, the last one from outside and modified at `modified_at`
    (microseconds)."""
    *earlier, last = (each for each in kept if not each.beside)
    if any(each.content_hash == last.content_hash for each in earlier):
        return []  # An earlier text was put back, which is meant.
    stretches: list[tuple[Kept, Kept]] = []
    gap = True
    for each in earlier:
        ours = each.author != outside and each.op != "import" and each.before is not None
        if ours and each.at > modified_at - BLIND_SECONDS * SECOND:
            stretches.append((each if gap else stretches.pop()[0], each))
            gap = False
        else:
            gap = True
    return stretches


def rejoined(text: str, stretches: Sequence[tuple[Kept, Kept]], texts: Mapping[str, str]) -> str:
    """Return the text with the lines of these stretches that it lacks; a stretch that clashes with it is left
    out.

    A text that has less than half of the earlier lines was not made from them, or is still being written; it
    is left as it is."""
    told = plain(text)
    for first, last in stretches:
        before, after = plain(texts[first.before or ""]), plain(texts[last.content_hash])
        was, now = _lines(before), _lines(told)
        if (was & now).total() * 2 >= was.total() and _lines(after) - was - now:
            both = merge(before, told, after)
            told = told if both.clashes else both.text
    return told


def _lines(text: str) -> Counter[str]:
    return Counter(line for line in text.split("\n") if line.strip())
