"""Corrections that people make: "Actually, I live in Porto, not Lisbon", 不是上海，是杭州.

Found by cues, as complete words, at the start of a sentence. A result reports the speaker's words; it
does not decide what memory should contain.

Plans that a later turn of the conversation cancels make no claim."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from memdesk.engine.extraction.findings import Draft
from memdesk.engine.extraction.language import Sentence, has_han, parts, plain, sentences
from memdesk.engine.extraction.lexicon import pattern, word_set

LONGEST = 400
"""Characters of a sentence; in a longer one the parts of a correction cannot be separated."""
WAS_CHARACTERS = 60
"""Most characters of the phrase taken back; a longer text is another sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """The text claimed now and the text it replaces, if given; start and end are offsets of the quote.

    now_start: offset of `now`, a clause or only a phrase, in the same text."""

    now: str
    was: str | None
    now_start: int
    start: int
    end: int


_SORRY = (
    r"(?:(?:oh|ah|no|nope|wait|hmm+|hm|sorry|oops|whoops|well|hang on|hold on|my bad"
    r"|my mistake|okay|ok|yes|yeah"
    r"|apologies|but|and|so)\b[,.!:;\s–—-]*)*"
)
_BREAK = r"(?:[,.:;!]|\s[-–—]|—|–|$)\s*"
_CUE = re.compile(
    rf"{_SORRY}(?:(?P<meant>(?:what )?i(?: actually| really)? meant(?: to say)?(?: was)?\b[,:]?\s*(?:that )?)"
    rf"|(?:actually\b[,:]?\s+(?=\S))"
    rf"|(?:that's|that is|this is|you're|you are|it's|it is)(?: all| just)? (?:wrong|incorrect"
    rf"|mistaken|not right"
    rf"|not correct)\s*{_BREAK}"
    rf"|(?:that|this) (?:isn't|is not|wasn't|was not) (?:what i (?:said|meant|told you)|right"
    rf"|correct|true)\s*{_BREAK}"
    rf"|(?:that's|it's) not what i (?:said|meant|told you)\s*{_BREAK}"
    rf"|let me correct (?:that|myself|this|you)\s*{_BREAK}|(?:just )?to correct (?:myself|that"
    rf"|you)\s*{_BREAK}"
    rf"|correction\s*[,:–—-]\s*|i (?:misspoke|was (?:wrong|mistaken)|made a mistake|(?:got"
    rf"|said) (?:that|it) wrong)"
    rf"\s*{_BREAK}|you (?:got|have|had) (?:that|it|this) wrong\s*{_BREAK}|scratch that\s*{_BREAK})",
    re.IGNORECASE,
)
_NO_NOT = re.compile(rf"(?:no|nope|sorry)\b[,.!:;\s–—-]+{_SORRY}(?=.*\bnot\b)", re.IGNORECASE)
"""A bare "no" opens a correction only if the sentence also denies a value: "No, Porto, not Lisbon"."""
_AUXILIARY = (
    r"(?<!\bdo)(?<!\bdoes)(?<!\bdid)(?<!\bis)(?<!\bam)(?<!\bare)(?<!\bwas)(?<!\bwere)(?<!\bhave)(?<!\bhas)(?<!\bhad)"
    r"(?<!\bwill)(?<!\bwould)(?<!\bcan)(?<!\bcould)(?<!\bshould)(?<!\bmay)(?<!\bmight)(?<!\bmust)(?<!'s)(?<!'m)(?<!'re)"
    r"(?<!\bor)(?<!\bif)(?<!\bwhy)"
)
_NOW_NOT_WAS = re.compile(
    rf"(?P<now>.+?)(?:\s*[,;–—]\s*|\s+-\s+|{_AUXILIARY}\s)(?:and |it's |it is )?(?:not"
    rf"|rather than|instead of) "
    rf"(?P<was>[^,.;]{{1,{WAS_CHARACTERS}}})$",
    re.IGNORECASE,
)
_NOT_WAS_BUT_NOW = re.compile(
    rf"(?:(?:it|that|this|he|she)(?:'s| is| was)? |i (?:didn't|did not) (?:say|mean) )?(?:not |isn't )?"
    rf"(?P<was>[^,.;]{{1,{WAS_CHARACTERS}}}?)(?:\s*[,;–—.]\s*|\s+-\s+|\s)(?:but(?: rather)?|it's|it is|it was"
    rf"|i (?:said|meant)) (?P<now>.+)$",
    re.IGNORECASE,
)
_DENIED = pattern("corrections", "denied")
_POINTER = pattern("corrections", "pointer")
_ADDS = re.compile(r"\b(?:also|as well|too)\b", re.IGNORECASE)
_HAN_SORRY = "(?:(?:哦|噢|啊|嗯|哎呀?|抱歉|对不起|不好意思|等等|等一下)[，,。！!\\s]*)*"
_HAN_CUE = re.compile(
    f"{_HAN_SORRY}(?:不对|错了|(?:是)?我(?:说|记|写|搞|弄)错了|(?:说|记|搞|弄)错了"
    f"|(?:让我)?(?:更正|纠正)(?:一下)?|其实"
    "|准确(?:地说|来说)|我的意思是|我是说)[，,：:。！!\\s]*"
)
_HAN_NOT = re.compile("不是(?P<was>[^，,。；]{1,20})[，,；]\\s*(?:而)?(?:应该)?是(?P<now>.+)$")
_HAN_NOW = re.compile("(?:应该)?是?(?P<now>[^，,；]+?)[，,；]\\s*(?:而)?不是(?P<was>[^，,。；]{1,20})$")
_HAN_POINTER = re.compile("(?:应该)?是(?!一)")


def corrections(text: str) -> Iterator[Correction]:
    """Yield the corrections in one utterance, in order. A cue alone in its sentence applies to the next
    sentence."""
    opened: int | None = None
    for sentence in sentences(plain(text)):
        readable = not sentence.asked and len(sentence.text) <= LONGEST
        found = _correction(sentence, opened) if readable else None
        alone = found is not None and not found.now
        opened = (sentence.start if opened is None else opened) if alone and found is not None else None
        if found is not None and not alone:
            yield found


def _correction(sentence: Sentence, opened: int | None) -> Correction | None:
    """Return the correction a sentence makes, with an empty `now` if it is only a cue; None if it makes none."""
    text = sentence.text
    han = has_han(text)
    cue = (_HAN_CUE if han else _CUE).match(text)
    opening = cue or (None if han else _NO_NOT.match(text))
    if opening is None and opened is None and not _denies_first(text, han=han):
        return None
    now, was, at = (_han_parts if han else _parts)(text, opening.end() if opening else 0)
    marked = cue is not None or opened is not None or was is not None
    vague = not han and cue is not None and cue["meant"] is not None
    if not marked or _ADDS.search(now) or (vague and was is None and " " not in now):
        return None
    return Correction(
        now=now,
        was=was,
        now_start=sentence.start + at,
        start=sentence.start if opened is None else opened,
        end=sentence.start + len(text),
    )


def _denies_first(text: str, *, han: bool) -> bool:
    """Return True for "It's not Lisbon, it's Porto" and 不是上海，是杭州, which need no other cue."""
    return (
        _HAN_NOT.match(text) is not None
        if han
        else bool(_DENIED.match(text) and _NOT_WAS_BUT_NOW.match(text))
    )


def _parts(text: str, start: int) -> tuple[str, str | None, int]:
    """Return (new text, replaced text or None, offset of the new text) of an English sentence after its cue."""
    pointed = _POINTER.match(text, start)
    reverse = _NOT_WAS_BUT_NOW.match(text, start) if _DENIED.match(text, start) else None
    straight = None if reverse else _NOW_NOT_WAS.match(text, pointed.end() if pointed else start)
    match = reverse or straight
    if match is None:
        at = pointed.end() if pointed else start
        return text[at:].strip(" ,.!"), None, at
    inner = _POINTER.match(match["now"])
    at = match.start("now") + (inner.end() if inner else 0)
    return text[at : match.end("now")].strip(" ,.!"), match["was"].strip(" ,.!\"'"), at


def _han_parts(text: str, start: int) -> tuple[str, str | None, int]:
    match = _HAN_NOT.match(text, start) or _HAN_NOW.match(text, start)
    if match is None:
        pointed = _HAN_POINTER.match(text, start)
        at = pointed.end() if pointed else start
        return text[at:].strip("，。！ "), None, at
    return match["now"].strip("，。！ "), match["was"].strip(), match.start("now")


def replace_phrase(claim: str, was: str, now: str) -> str | None:
    """Return the claim with one phrase replaced by another; None if the old phrase is not in it as complete
    words."""
    edge = r"(?<!\w){}(?!\w)" if was.isascii() else "{}"
    pattern = re.compile(edge.format(re.escape(was)), re.IGNORECASE)
    match = pattern.search(claim)
    return None if match is None else claim[: match.start()] + now + claim[match.end() :]


Source = TypeVar("Source")


def claims_of_correction(
    correction: Correction, claims: Callable[[str, Sentence], Iterable[Draft]]
) -> Iterator[Draft]:
    """Yield the claims of a correction; if it is only a phrase, that phrase. claims: reads a sentence of one
    language."""
    said = Sentence(start=correction.now_start, text=correction.now, asked=False)
    drafts = [draft for tongue, part in parts(said) for draft in claims(tongue, part)]
    for draft in drafts:
        yield replace(draft, replaces=correction.was or "", start=correction.start, end=correction.end)
    if not drafts and correction.was:
        yield Draft(
            claim=correction.now,
            category="fact",
            certainty="explicit",
            temporal="current",
            start=correction.start,
            end=correction.end,
            replaces=correction.was,
            phrase=True,
        )


def apply_phrases(
    drafts: Iterable[tuple[Source, Draft]],
) -> tuple[list[tuple[Source, Draft]], list[tuple[Source, Draft]]]:
    """Return (claims, phrases): a corrected phrase is put into the latest claim that contains the replaced
    words.

    Phrases that match no claim are returned separately."""
    claims: list[tuple[Source, Draft]] = []
    phrases: list[tuple[Source, Draft]] = []
    for source, draft in drafts:
        whole = _completed(draft, claims) if draft.phrase else draft
        if whole is None:
            phrases.append((source, draft))
        else:
            claims.append((source, whole))
    return claims, phrases


def _completed(phrase: Draft, claims: list[tuple[Source, Draft]]) -> Draft | None:
    for _, draft in reversed(claims):
        claim = replace_phrase(draft.claim, phrase.replaces or "", phrase.claim)
        if claim is not None:
            return replace(
                phrase, claim=claim, category=draft.category, temporal=draft.temporal, phrase=False
            )
    return None


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
