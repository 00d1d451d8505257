"""Turns that revise a value said before: "I said the twelfth, didn't I? It's the nineteenth."

The later words seldom say what they are about and the earlier ones no longer hold, so neither is a claim without the
other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memdesk.engine.extraction.findings import Draft, Exchange, Words
from memdesk.engine.extraction.language import Sentence, has_han
from memdesk.engine.extraction.lexicon import pattern, section
from memdesk.engine.extraction.transcript import HEARD_TURNS, ReadTurn

NEAR = 8
"""Turns back to a value that is only of the same kind as the new one."""
LONGEST = 300
"""Letters of a sentence; a longer one is a document."""

_CHANGED = pattern("revisions", "changed")
_AGAIN = pattern("revisions", "again")
_ORDINALS = {word: str(n) for n, word in enumerate(section("revisions", "ordinals").split(), start=1)}
_CARDINALS = {word: str(n) for n, word in enumerate(section("revisions", "cardinals").split(), start=1)}
_LARGE = section("revisions", "large").split()
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|ember|ober)?"
_ORDINAL = rf"(?:{'|'.join(sorted(_ORDINALS, key=len, reverse=True))}|\d{{1,2}}(?:st|nd|rd|th))"
_CARDINAL = f"(?:{'|'.join(sorted([*_CARDINALS, *_LARGE], key=len, reverse=True))})"
_COUNT = rf"(?:\d[\d,.]*\d|\d+|{_CARDINAL}(?:[- ]{_CARDINAL})*)"
_HOUR = "|".join(["1[0-2]", "[1-9]", *list(_CARDINALS)[:12]])
_ENGLISH = re.compile(
    rf"\b(?:{_MONTH} (?P<month_day>\d{{1,2}})|(?P<day>{_ORDINAL}|\d{{1,2}}(?= {_MONTH}\b))(?:'s)?"
    rf"|(?P<clock>\d{{1,2}}[:.]\d\d|(?:half|quarter) (?:past|to) \w+|{_COUNT} ?(?:o'clock|[ap]\.?m)"
    rf"|(?<=\bat )(?:{_HOUR}))"
    r"|(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?"
    rf"|(?P<count>{_COUNT})(?: ?(?P<percent>%|percent)| (?P<unit>[a-z]{{3,}}s|km|kg|mg|gb|tb|ms))?)(?!\w)"
)
_NOT_DAYS = ("first", "second", "third")
"""Ordinals that are days only before or after "of" and "the"."""
_A_DAY = re.compile(
    rf"\bthe (?:first|second|third)(?=[^\w ]|$| of {_MONTH})|\b(?:first|second|third) of {_MONTH}"
)
_HAN_COUNT = r"\d+(?:[.:]\d+)?|[零〇一二两三四五六七八九十百千]+"
_HAN = re.compile(
    rf"(?P<hour>{_HAN_COUNT})[点點時时](?P<minute>半|{_HAN_COUNT})?|(?P<day>{_HAN_COUNT})[号日]"
    rf"|(?P<count>{_HAN_COUNT})(?P<unit>[^\W\d_]|[％%])?|(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])"
    r"|(?P<day_name>[月火水木金土日])曜"
)
_CONFIRMED = pattern("revisions", "confirmed")
_ARTICLES = ("一", "两")
"""Counts that mostly stand for an article."""
_DIGITS = {digit: n for n, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_POWERS = {"十": 10, "百": 100, "千": 1000}
_UNCOUNTED = ("", "day", "clock", "weekday")
"""Kinds that name nothing counted."""


@dataclass(frozen=True, slots=True)
class Value:
    """Day, time of day or number in a sentence. kind: day, clock, weekday, the unit counted, or "" for a bare
    number."""

    kind: str
    amount: str


@dataclass(frozen=True, slots=True)
class Revision:
    """What a turn revises. turn: the one revised; was: its sentence that named the value; now: the first sentence that
    revises it."""

    turn: ReadTurn
    was: Sentence
    value: Value
    now: Sentence


_Told = tuple[ReadTurn, Sequence[tuple[Sentence, Sequence[Value]]]]
"""Turn with the values that each of its sentences names."""


def revisions(read: Sequence[ReadTurn]) -> dict[str, Revision]:
    """Return what turns of people revise, by the id of the turn."""
    said = [(one, [(each, values(each.text)) for _, each in one.sentences]) for one in read]
    found = {one.utterance.id: _revision(said, at) for at, one in enumerate(read) if one.is_of_person}
    return {id: each for id, each in found.items() if each is not None}


def values(text: str) -> tuple[Value, ...]:
    """Return the values that a sentence names, in order."""
    if len(text) > LONGEST:
        return ()
    return tuple(dict.fromkeys(_han(text) if has_han(text) else _english(text.lower())))


def revised(
    read: Sequence[ReadTurn], noted: Mapping[str, Revision], drafts: Iterable[tuple[ReadTurn, Draft]]
) -> list[tuple[ReadTurn, Draft]]:
    """Return the claims with each revised one within the quotation that revises it. drafts: turns and their claims, in
    order."""
    kept = list(drafts)
    for one in read if noted else ():
        revision = noted.get(one.utterance.id)
        if revision is None:
            continue
        new = next((each for of, each in kept if of is one and _is_in(revision.now, each)), None)
        if new is None or new.exchange is None:
            continue
        quoted = {revision.turn.utterance.id, *(each.turn_id for each in new.exchange.words[:-1])}
        old = [
            each
            for of, each in kept
            if of.utterance.id in quoted and each.replaces is None and _names(of, each, revision.value)
        ]
        was = Words(turn_id=revision.turn.utterance.id, speaker=revision.turn.speaker, text=revision.was.text)
        gone = [(of.utterance.id, of.text[each.start : each.end]) for of, each in kept if each in old]
        whole = _joined(old, new, new.exchange, was, gone)
        kept = [(of, whole if each is new else each) for of, each in kept if each not in old]
    return kept


def _names(turn: ReadTurn, draft: Draft, value: Value) -> bool:
    """Return True if a claim is of a sentence that names a value."""
    return any(_is_in(each, draft) and value in values(each.text) for _, each in turn.sentences)


def _is_in(sentence: Sentence, draft: Draft) -> bool:
    return draft.start < sentence.start + len(sentence.text) and sentence.start < draft.end


def _joined(
    old: Sequence[Draft], new: Draft, last: Exchange, was: Words, revised: Sequence[tuple[str, str]]
) -> Draft:
    """Return a quotation that revises these claims, with what they quote before it.

    was: the words revised, if no claim quotes them. revised: turns and quotes of the claims. What came between is left
    out, and so is what was said just before the revision, if it is not part of what is quoted anyway."""
    known = [each.turn_id for each in last.words]
    quoted = next((each for each in old if each.exchange is not None), None)
    if quoted is None or quoted.exchange is None:
        first = last if was.turn_id in known else replace(last, words=(was,))
    else:
        first = quoted.exchange
    follows = first.words[-1].turn_id in known
    rest = last.words[known.index(first.words[-1].turn_id) + 1 if follows else -1 :]
    exchange = replace(first, words=(*first.words, *rest), gap=first.gap if follows else len(first.words))
    return replace(
        new,
        claim=exchange.claim,
        exchange=exchange,
        category=quoted.category if quoted else new.category,
        temporal=quoted.temporal if quoted else new.temporal,
        worded=(*(quoted.worded if quoted else ()), *new.worded),
        revises=(*(each for draft in old for each in draft.revises), *revised),
    )


def _revision(said: Sequence[_Told], at: int) -> Revision | None:
    """Return what a turn revises of those before it, None if nothing.

    It needs words for a change or a second thought, and another value of a kind that was named before: best of all one
    that it repeats, else one counted in the same unit, else the nearest of its kind. People's words come first, since
    agents repeat them."""
    _, last = said[at]
    changed = [not each.asked and _CHANGED.search(each.text) is not None for each, _ in last]
    again = [_AGAIN.search(each.text) is not None for each, _ in last]
    confirmed = at + 1 < len(said) and _confirms_change(said[at + 1][0])
    if confirmed:
        changed = [not each.asked for each, _ in last]
    if not any(changed + again):
        return None
    named = {value for _, some in last for value in some}
    new = set[Value]()
    for n, (_, some) in enumerate(last):
        if changed[n] or (n and changed[n - 1] and not last[n - 1][1]):
            new.update(some)

    def repeats(old: Value, _: int) -> bool:
        return old in named and (old.kind != "" or (any(changed) and len(old.amount) > 1))

    def is_counted(old: Value, _: int) -> bool:
        return not confirmed and old.kind not in _UNCOUNTED

    def is_near(old: Value, back: int) -> bool:
        return back <= NEAR and old.kind in ("day", "clock")

    now = next(each for n, (each, some) in enumerate(last) if changed[n] or again[n] or some)
    for test, among in ((repeats, named), (is_counted, new), (is_near, new)):
        for person in (True, False):
            for turn, sentence, there in _named_before(said, at, person=person):
                for old in there:
                    others = any(each.kind == old.kind and each not in there for each in among)
                    if others and test(old, at - turn):
                        return Revision(said[turn][0], sentence, old, now)
    return None


def _confirms_change(turn: ReadTurn) -> bool:
    """Return True for an agent's turn that begins by saying that it changed what it had."""
    return not turn.is_of_person and any(_CONFIRMED.search(each.text) for _, each in turn.sentences[:2])


def _named_before(
    said: Sequence[_Told], at: int, *, person: bool
) -> Iterator[tuple[int, Sentence, Sequence[Value]]]:
    """Yield the sentences of people or agents in the turns before one that name values, the last ones first."""
    for place in range(at - 1, max(-1, at - 1 - HEARD_TURNS), -1):
        turn, sentences = said[place]
        for sentence, some in reversed(sentences) if turn.is_of_person is person else ():
            if some and not sentence.asked:
                yield place, sentence, some


def _english(text: str) -> Iterator[Value]:
    for match in _ENGLISH.finditer(text):
        day = match["month_day"] or match["day"]
        if day:
            if day not in _NOT_DAYS or _A_DAY.search(text, max(0, match.start() - 4), match.end() + 10):
                yield Value("day", _ORDINALS.get(day) or re.sub(r"\D", "", day))
        elif match["clock"]:
            hour = re.sub(r" ?(?:o'clock|[ap]\.?m)$|[:.]00$", "", match["clock"])
            yield Value("clock", _CARDINALS.get(hour, hour).replace(".", ":"))
        elif match["weekday"]:
            yield Value("weekday", match["weekday"])
        elif match["count"] != "one":
            unit = "%" if match["percent"] else match["unit"] or ""
            yield Value(unit, _CARDINALS.get(match["count"], match["count"]))


def _han(text: str) -> Iterator[Value]:
    for match in _HAN.finditer(text):
        if match["hour"]:
            minute = match["minute"] or ""
            yield Value("clock", f"{_number(match['hour'])}:{minute if minute == '半' else _number(minute)}")
        elif match["day"]:
            yield Value("day", _number(match["day"]))
        elif name := match["weekday"] or match["day_name"]:
            yield Value("weekday", name)
        elif match["unit"] != "月" and match["count"] not in _ARTICLES:
            yield Value((match["unit"] or "").replace("％", "%"), _number(match["count"]))


def _number(text: str) -> str:
    """Return a Chinese or Japanese number in digits."""
    if not text or text[0].isdigit():
        return text
    total = last = 0
    for each in text:
        if each in _POWERS:
            total, last = total + (last or 1) * _POWERS[each], 0
        else:
            last = _DIGITS[each]
    return str(total + last)
