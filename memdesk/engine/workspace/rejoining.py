"""What another program overwrote without having seen it. Pure, so that each case can be told as a list of versions.

A program that reads a file, thinks and writes it whole takes away whatever was written meanwhile. Nobody reads a new
line and strikes it out again within two seconds: lines that are missing so soon were not seen, and are put back.
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
    """What was written shortly before the last of these versions: (first, last) of each stretch without a gap.

    kept: a file's versions, oldest first, the last one from outside and modified at `modified_at` (microseconds).
    """
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
    """The text with the lines of these stretches that it lacks; what clashes with it is left as it is.

    A text that holds less than half of the lines before was not made from them, or is still being written.
    """
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
