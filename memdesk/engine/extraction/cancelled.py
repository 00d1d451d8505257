"""Plans that a later turn of the conversation cancels: they make no claim."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memdesk.engine.extraction.findings import Draft
from memdesk.engine.extraction.language import plain, sentences
from memdesk.engine.extraction.lexicon import pattern, word_set

NEAR = 6
"""Turns before a cancellation in which its plan is looked for."""
_CANCELS = pattern("english", "cancels")
_ITS_OWN_THING = re.compile(r"\bcancel(?:l?ed|ling)? (?:my|the|our|his|her|their|an?) ", re.IGNORECASE)
_PLAN = pattern("english", "plan")
_CONTENT = re.compile(r"[^\W\d_\u3041-\u9fff]{4,}|[\u4e00-\u9fff]{2}")
_COMMON = word_set(
    "that this with from have will going cancelled canceled cancel then week weekend next month"
)


def cancelled(drafts: Sequence[tuple[int, Draft]], said: Sequence[str]) -> set[int]:
    """Return the positions of drafts that a turn cancels.

    drafts: number of the turn and its claim, in order. said: texts of the turns. A plan of the turns just before is
    meant if it shares a word with the cancelling sentence; otherwise the last one, unless the sentence names its own
    thing."""
    gone: set[int] = set()
    for turn, text in enumerate(said):
        for sentence in sentences(plain(text)) if _CANCELS.search(text) else ():
            if not _CANCELS.search(sentence.text) or sentence.asked:
                continue
            near = [
                at
                for at, (planned_in, draft) in enumerate(drafts)
                if turn - NEAR <= planned_in <= turn and _is_plan(draft) and not _CANCELS.search(draft.claim)
            ]
            words = _content(sentence.text)
            shared = [at for at in near if words & _content(drafts[at][1].claim)]
            own = _ITS_OWN_THING.search(sentence.text) is not None
            last = [at for at in near if drafts[at][0] >= turn - NEAR // 2][-1:]
            gone |= set(shared or (() if own else last))
    return gone


def _is_plan(draft: Draft) -> bool:
    return draft.temporal == "future" or _PLAN.search(draft.claim) is not None


def _content(text: str) -> set[str]:
    return {match.group().casefold() for match in _CONTENT.finditer(text)} - _COMMON
