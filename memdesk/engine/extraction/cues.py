"""Cues of category, certainty and time: complete words in English, characters in Chinese."""

from __future__ import annotations

import re

from memdesk.engine.extraction.lexicon import pattern

_ENGLISH_CATEGORY = tuple(
    (each, pattern("cues", f"english_{each}")) for each in ("decision", "constraint", "preference")
)
_DATED = pattern("cues", "dated")
_HEDGE = pattern("cues", "hedge")
_FUTURE = pattern("cues", "future")
_PAST = pattern("cues", "past")
_LONG_AGO = pattern("cues", "long_ago")
_LASTS = pattern("cues", "lasts")
"""Act of the past whose result lasts: a job begun, a rule agreed."""
HYPOTHETICAL = pattern("cues", "hypothetical")
REMEMBER = pattern("cues", "remember")
OUTCOME = pattern("cues", "outcome")

_CHINESE_CATEGORY = tuple(
    (each, pattern("cues", f"chinese_{each}", flags=0))
    for each in ("decision", "constraint", "preference", "event")
)
_CHINESE_HEDGE = re.compile("可能|大概|也许|或许|应该是|好像|似乎|估计|不确定|我觉得|我想|我猜|说不定|差不多")
_CHINESE_FUTURE = pattern("cues", "chinese_future", flags=0)
_CHINESE_DUE = pattern("cues", "chinese_due", flags=0)
_CHINESE_STATE = pattern("cues", "chinese_state", flags=0)
_CHINESE_PAST = pattern("cues", "chinese_past", flags=0)


def category(claim: str, *, tense: str) -> str:
    """Return fact, decision, preference, constraint or event, for an English claim whose first verb has that
    tense."""
    for name, cue in _ENGLISH_CATEGORY:
        if cue.search(claim):
            return name
    if tense == "past" or (tense in ("future", "perfect", "present", "none") and _DATED.search(claim)):
        return "event"
    return "fact"


def temporal(claim: str, *, tense: str) -> str | None:
    """Return the time of an English claim: current, past or future; None if the words do not decide."""
    if tense == "future" or (tense != "past" and _FUTURE.search(claim)):
        return "future"
    if _LASTS.search(claim) and not _LONG_AGO.search(claim):
        return "current"
    if tense == "past" or (tense == "none" and _PAST.search(claim)):
        return "past"
    return "current" if tense in ("present", "perfect", "none") else None


def hedged(sentence: str) -> bool:
    """Return True if an English speaker is not sure of the sentence."""
    return _HEDGE.search(sentence) is not None


def chinese_category(claim: str) -> str:
    """Return the category of a Chinese claim."""
    for name, cue in _CHINESE_CATEGORY:
        if cue.search(claim):
            return name
    return "fact"


def chinese_temporal(claim: str) -> str | None:
    """Return the time of a Chinese claim: current, past or future."""
    if re.search("去年|前年|昨天|前天|上个?[月周]", claim) and not re.search("明|下个?[月周]", claim):
        return "current" if re.search("现在|目前|如今", claim) or _CHINESE_STATE.search(claim) else "past"
    if re.search("(?:[月号日周末年]|明天|后天)要[^，。]{1,12}了?$", claim):
        return "future"
    if _CHINESE_FUTURE.search(claim) or _CHINESE_DUE.search(claim):
        return "future"
    if _CHINESE_STATE.search(claim):
        return "current"
    return "past" if _CHINESE_PAST.search(claim) else "current"


def chinese_hedged(sentence: str) -> bool:
    """Return True if a Chinese speaker is not sure of the sentence."""
    return _CHINESE_HEDGE.search(sentence) is not None
