"""Turns that revise an earlier value: "I said the twelfth, didn't I? It's the nineteenth."

The later words seldom name their topic and the earlier ones are no longer true, so neither is a claim alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memdesk.engine.extraction.findings import Draft, Exchange, Words
from memdesk.engine.extraction.language import WORD, Sentence
from memdesk.engine.extraction.lexicon import pattern
from memdesk.engine.extraction.transcript import HEARD_TURNS, LONGEST_PAUSE, SENTENCES_WEIGHED, ReadTurn
from memdesk.engine.extraction.values import BARE, CALENDAR, CLOCK, DAY, MONTH, WEEKDAY, Value, values

NEAR = 8
"""Turns back to a value that is only of the same kind as the new one."""
LONG_WORD = 6
"""Letters of a word that names the topic of a sentence."""
LONGEST_EXCHANGE = 700
"""Letters quoted of the claims that are revised; of more only the words revised are quoted."""

SOON, AT_ONCE = 4, 2
"""Turns back to a number without a unit that is repeated with a second thought; to one that "make it four" changes."""

_CHANGED = pattern("revisions", "changed")
_MADE = pattern("revisions", "made")
_AGAIN = pattern("revisions", "again")
_USED_TO = re.compile(r"\bused to\b")
_CONFIRMED = pattern("revisions", "confirmed")


@dataclass(frozen=True, slots=True)
class Revision:
    """Revision of a value by a later turn. turn: the one revised; was: its sentence that named the value; now: the
    first sentence that revises it."""

    turn: ReadTurn
    was: Sentence
    value: Value
    now: Sentence


@dataclass(frozen=True, slots=True)
class _Told:
    """Turn with the values that each of its sentences names, and its long words."""

    turn: ReadTurn
    sentences: Sequence[tuple[Sentence, Sequence[Value]]]
    words: frozenset[str]


def _told(turn: ReadTurn) -> _Told:
    sentences = [each for _, each in turn.sentences[:SENTENCES_WEIGHED]]
    words = (word.lower() for each in sentences for word in WORD.findall(each.text))
    return _Told(
        turn,
        [(each, values(each.text)) for each in sentences],
        frozenset(word for word in words if len(word) >= LONG_WORD),
    )


def revisions(read: Sequence[ReadTurn]) -> dict[str, Revision]:
    """Return what turns of people revise, by the id of the turn."""
    said = [_told(one) for one in read]
    found = {one.utterance.id: _revision(said, at) for at, one in enumerate(read) if one.is_of_person}
    return {id: each for id, each in found.items() if each is not None}


def revised(
    read: Sequence[ReadTurn], noted: Mapping[str, Revision], drafts: Iterable[tuple[ReadTurn, Draft]]
) -> list[tuple[ReadTurn, Draft]]:
    """Return the claims with each revised one within the quotation that revises it. drafts: turns and their claims, in
    order."""
    kept = list(drafts)
    order = {one.utterance.id: place for place, one in enumerate(read)} if noted else {}
    for one in read if noted else ():
        revision = noted.get(one.utterance.id)
        if revision is None:
            continue
        new = next((each for of, each in kept if of is one and _is_in(revision.now, each)), None)
        if new is None or new.exchange is None:
            continue
        quoted = {revision.turn.utterance.id, *(each.turn_id for each in new.exchange.words[:-1])}
        old = [
            (of, each)
            for of, each in kept
            if of.utterance.id in quoted and each.replaces is None and _names(of, each, revision.value)
        ]
        whole = _joined(old, new, new.exchange, revision, order)
        gone = {id(each) for _, each in old}
        kept = [(of, whole if each is new else each) for of, each in kept if id(each) not in gone]
    return kept


def _names(turn: ReadTurn, draft: Draft, value: Value) -> bool:
    """Return True if a claim is of a sentence that names a value."""
    return any(_is_in(each, draft) and value in values(each.text) for _, each in turn.sentences)


def _is_in(sentence: Sentence, draft: Draft) -> bool:
    return draft.start < sentence.start + len(sentence.text) and sentence.start < draft.end


def _joined(
    old: Sequence[tuple[ReadTurn, Draft]],
    new: Draft,
    last: Exchange,
    revision: Revision,
    order: Mapping[str, int],
) -> Draft:
    """Return a quotation that revises these claims, with what they quote before it.

    The turns between are left out, also those just before the revision, unless they belong to the words quoted
    anyway. order: the places of the turns."""
    turn = revision.turn
    quoted = [(of, each) for of, each in old if each.exchange is not None]
    words = dict[str, Words]()
    for _, each in quoted:
        for some in each.exchange.words if each.exchange else ():
            if len(some.text) > len(words[some.turn_id].text if some.turn_id in words else ""):
                words[some.turn_id] = some
    if sum(len(each.text) for each in words.values()) > LONGEST_EXCHANGE or not words:
        words = {
            turn.utterance.id: Words(turn_id=turn.utterance.id, speaker=turn.speaker, text=revision.was.text)
        }
    *context, said = last.words
    if context and any(each.turn_id in words for each in context):
        words |= {each.turn_id: each for each in context if each.turn_id not in words}
    first = sorted(words.values(), key=lambda each: order[each.turn_id])
    follows = bool(context) and first[-1].turn_id == context[-1].turn_id
    own = next((each for of, each in quoted if of is turn), None)
    exchange = replace(last, words=(*first, said), gap=0 if follows else len(first))
    return replace(
        new,
        claim=exchange.claim,
        exchange=exchange,
        category=own.category if own else new.category,
        temporal=own.temporal if own else new.temporal,
        worded=(*(worded for _, each in old for worded in each.worded), *new.worded),
        revises=(
            *(gone for _, each in old for gone in each.revises),
            *((of.utterance.id, of.text[each.start : each.end]) for of, each in old),
        ),
    )


def _revision(said: Sequence[_Told], at: int) -> Revision | None:
    """Return what a turn revises of those before it, None if nothing.

    It needs words for a change or a second thought, and another value of a kind that was named before: best of all one
    that it repeats, else one counted in the same unit, else one of the same topic, else the nearest day or time.
    People's words come first, since agents repeat them."""
    sentences = said[at].sentences
    if not sentences:
        return None
    marked = [not each.asked and _CHANGED.search(each.text) is not None for each, _ in sentences]
    again = [_AGAIN.search(each.text) is not None for each, _ in sentences]
    confirmed = at + 1 < len(said) and _confirms_change(said[at + 1].turn)
    if not (confirmed or any(marked + again)):
        return None
    now = _Now(
        changes=confirmed or any(marked),
        counts=any(marked),
        again=any(_AGAIN.match(each.text) and not _USED_TO.search(each.text) for each, _ in sentences),
        makes=any(_MADE.search(each.text) for each, _ in sentences),
        named={value for _, some in sentences for value in some},
        new={
            value
            for n, (each, some) in enumerate(sentences)
            if marked[n]
            or (n and marked[n - 1] and not sentences[n - 1][1])
            or (confirmed and not each.asked)
            for value in some
        },
        words=said[at].words,
    )
    first = next(
        (each for n, (each, _) in enumerate(sentences) if marked[n] or again[n]),
        next((each for each, some in sentences if some), sentences[0][0]),
    )
    for revises in (_repeats, _counts, _shares_topic, _is_near):
        for person in (True, False):
            for place, sentence, there in _named_before(said, at, person=person):
                topic = said[place].words | said[max(0, place - 1)].words
                for old in there:
                    if revises(now, old, there, at - place, topic):
                        return Revision(said[place].turn, sentence, old, first)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Now:
    """Values and words of a turn that may revise another. changes: it reports a change, or an agent confirms one;
    counts: it reports one itself; again: a sentence begins with a second thought; makes: "make it four". named: all its
    values; new: those in sentences that report the change. words: its long words."""

    changes: bool
    counts: bool
    again: bool
    makes: bool
    named: Collection[Value]
    new: Collection[Value]
    words: frozenset[str]


def _repeats(now: _Now, old: Value, there: Sequence[Value], back: int, topic: frozenset[str]) -> bool:
    """Return True if the turn repeats a value and names another instead."""
    if old.kind in CALENDAR:
        near = back <= NEAR if old.kind == WEEKDAY else now.changes or old.kind != MONTH
        return old in now.named and near and _has_other(now.named, old.kind, there)
    second = now.again and back <= SOON
    repeated = old in now.named or (old.is_large and Value(BARE, old.amount) in now.named)
    large = old.is_large or old.kind != BARE
    others = _has_other(now.named, old.kind, there) or _has_other(
        now.named, BARE, [*there, Value(BARE, old.amount)]
    )
    return repeated and large and others and (now.changes or second or old.kind != BARE)


def _counts(now: _Now, old: Value, there: Sequence[Value], back: int, topic: frozenset[str]) -> bool:
    """Return True if the turn reports a change of an amount in the same unit."""
    return now.counts and old.kind not in (*CALENDAR, BARE) and _has_other(now.new, old.kind, there)


def _shares_topic(now: _Now, old: Value, there: Sequence[Value], back: int, topic: frozenset[str]) -> bool:
    """Return True if the turn reports a change of a number, and has a long word in common with where it was named."""
    return (
        now.changes
        and old.kind not in CALENDAR
        and not now.words.isdisjoint(topic)
        and (_has_other(now.new, old.kind, there) or _has_other(now.new, BARE, there))
    )


def _is_near(now: _Now, old: Value, there: Sequence[Value], back: int, topic: frozenset[str]) -> bool:
    """Return True if the turn reports a change of a day or time that was named just before, or makes "it" another
    number."""
    if now.makes and back <= AT_ONCE and old.kind not in CALENDAR:
        return _has_other(now.new, BARE, there)
    return now.changes and back <= NEAR and old.kind in (DAY, CLOCK) and _has_other(now.new, old.kind, there)


def _has_other(of: Collection[Value], kind: str, there: Collection[Value]) -> bool:
    """Return True if one of these values is of a kind and not there already."""
    return any(each.kind == kind and each not in there for each in of)


def _confirms_change(turn: ReadTurn) -> bool:
    """Return True for an agent's turn that begins by saying that it changed what it had."""
    return not turn.is_of_person and any(_CONFIRMED.search(each.text) for _, each in turn.sentences[:2])


def _named_before(
    said: Sequence[_Told], at: int, *, person: bool
) -> Iterator[tuple[int, Sentence, Sequence[Value]]]:
    """Yield the sentences of people or agents in the turns before one that name values, the last ones first; not those
    from before a long pause."""
    for place in range(at - 1, max(-1, at - 1 - HEARD_TURNS), -1):
        told = said[place]
        if said[place + 1].turn.utterance.at - told.turn.utterance.at > LONGEST_PAUSE:
            return
        for sentence, some in reversed(told.sentences) if told.turn.is_of_person is person else ():
            if some and not sentence.asked:
                yield place, sentence, some
