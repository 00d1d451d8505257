"""Turns that revise an earlier value: "I said the twelfth, didn't I? It's the nineteenth."

The later words seldom name their topic and the earlier ones are no longer true, so neither is a claim alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memdesk.engine.extraction.english_words import FUNCTION
from memdesk.engine.extraction.findings import Draft, Exchange, Words
from memdesk.engine.extraction.language import HAN, WORD, Sentence
from memdesk.engine.extraction.lexicon import pattern, section, word_set
from memdesk.engine.extraction.transcript import HEARD_TURNS, LONGEST_PAUSE, SENTENCES_WEIGHED, ReadTurn
from memdesk.engine.extraction.values import (
    BARE,
    CALENDAR,
    CLOCK,
    DAY,
    LONGEST,
    MONTH,
    PART,
    WEEKDAY,
    Value,
    denied,
    values,
    without_values,
)

NEAR = 8
"""Turns back to a value that is only of the same kind as the new one."""
MOST_VALUES = 30
"""Values of a turn; one with more is a list, which revises nothing and is not revised."""
LONG_WORD = 6
"""Letters of a word by which a number is of the same topic, without a unit or another sign of it."""
LONGEST_EXCHANGE = 700
"""Letters quoted of the claims that are revised: the words revised, and as much around them as fits."""
LONGEST_BEFORE = 140
"""Letters quoted of the turn before one that made no claim."""
NEXT_TURNS = 2
"""Turns behind the one revised whose claims quote it."""
SOON, AT_ONCE = 4, 2
"""Turns back to a number without a unit that is repeated with a second thought; to one that "make it four" changes."""

_CHANGED = pattern("revisions", "changed")
_MADE = pattern("revisions", "made")
_AGAIN = pattern("revisions", "again")
_USED_TO = re.compile(r"\bused to\b")
_CONFIRMED = pattern("revisions", "confirmed")
_RECALLED = pattern("revisions", "recalled")
_INSTEAD = pattern("revisions", "denied")
_SOURCE = pattern("revisions", "source")
_CHARACTER = re.compile(f"[{HAN}]")
_FOREIGN = re.compile("[\u30a1-\u30fa\u30fc]{2,}")
"""Word in katakana."""
_CLAUSE_END = re.compile(r"[,:](?!\d)|[;，；：–—]|\b(?:and|but|so|because|since|as)\b")
_COMMON = frozenset(section("revisions", "common"))
"""Characters of Chinese and Japanese that name no topic."""
_NO_TOPIC = FUNCTION | word_set(section("revisions", "correcting"))
STEM = 4
"""First letters by which two words are of one topic: "we meet", "the meeting"."""


@dataclass(frozen=True, slots=True)
class Revision:
    """Revision of a value by a later turn. turn: the first one that named it; was: its sentence with the value; now:
    the first sentence that revises it. named: ids of all turns that named the value."""

    turn: ReadTurn
    was: Sentence
    value: Value
    now: Sentence
    named: frozenset[str]


@dataclass(frozen=True, slots=True)
class _TurnValues:
    """Turn with the values that each of its sentences names. words: its long words. topics: what names its topic, as of
    `_topics`."""

    turn: ReadTurn
    sentences: Sequence[tuple[Sentence, Sequence[Value]]]
    words: frozenset[str]
    topics: frozenset[str]


def _turn_values(turn: ReadTurn) -> _TurnValues:
    sentences = [each for _, each in turn.sentences[:SENTENCES_WEIGHED]]
    named = [values(each.text) for each in sentences]
    count = sum(map(len, named))
    words = {word.lower() for each in sentences for word in WORD.findall(each.text)}
    return _TurnValues(
        turn,
        [(each, some if count <= MOST_VALUES else ()) for each, some in zip(sentences, named, strict=True)],
        words=frozenset(word for word in words if len(word) >= LONG_WORD),
        topics=frozenset(one for each in sentences for one in _topics(each.text)),
    )


def _topics(text: str) -> Iterator[str]:
    """Yield the beginnings of words, characters and foreign words that name the topic of a text."""
    plain = without_values(text)
    for word in WORD.findall(_SOURCE.sub(" ", plain.lower())):
        if len(word) > 2 and word not in _NO_TOPIC:
            yield word[:STEM]
    yield from _FOREIGN.findall(plain)
    yield from (each for each in _CHARACTER.findall(plain) if each not in _COMMON)


def _clauses(text: str) -> Iterator[tuple[Sequence[Value], frozenset[str]]]:
    """Yield the values of each clause that names some, with its topic."""
    for each in _CLAUSE_END.split(text) if len(text) <= LONGEST else ():
        if some := values(each):
            yield some, frozenset(_topics(each))


def revisions(read: Sequence[ReadTurn]) -> dict[str, Revision]:
    """Return what turns of people revise, by the id of the turn."""
    said = [_turn_values(one) for one in read]
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
        quoted = revision.named.union(each.turn_id for each in new.exchange.words[:-1])
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
    turn, place = revision.turn, order[revision.turn.utterance.id]
    quoted = [
        (of, each)
        for of, each in old
        if each.exchange is not None and order[of.utterance.id] <= place + NEXT_TURNS
    ]
    words = dict[str, Words]()
    for _, each in quoted:
        for some in each.exchange.words if each.exchange else ():
            if len(some.text) > len(words[some.turn_id].text if some.turn_id in words else ""):
                words[some.turn_id] = some
    if not words:
        words = {each.turn_id: each for each in _introduced(revision)}
    in_order = sorted(words.values(), key=lambda each: order[each.turn_id])
    words = {each.turn_id: each for each in _around(place, in_order, order)}
    *context, said = last.words
    if context and any(each.turn_id in words for each in context):
        known = {id: len(each.text) for id, each in words.items()}
        words |= {each.turn_id: each for each in context if len(each.text) > known.get(each.turn_id, 0)}
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


def _introduced(revision: Revision) -> Iterator[Words]:
    """Yield the sentence that is revised, after the last one of the turn before it."""
    turn = revision.turn
    for one in turn.earlier():
        if one.sentences and len(one.sentences[-1][1].text) <= LONGEST_BEFORE:
            sentence = one.sentences[-1][1]
            end = sentence.start + len(sentence.text)
            yield Words(
                turn_id=one.utterance.id,
                speaker=one.speaker,
                text=one.utterance.text[sentence.start : end + 1],
            )
        break
    yield Words(turn_id=turn.utterance.id, speaker=turn.speaker, text=revision.was.text)


def _around(place: int, words: list[Words], order: Mapping[str, int]) -> list[Words]:
    """Return as many of these words, in order, as fit into an exchange, the last ones before the turn at this place."""
    while len(words) > 1 and sum(len(each.text) for each in words) > LONGEST_EXCHANGE:
        words = words[:-1] if order[words[-1].turn_id] > place else words[1:]
    return words


def _revision(said: Sequence[_TurnValues], at: int) -> Revision | None:
    """Return what a turn revises of those before it, None if nothing.

    It needs words for a change or a second thought, or denies a value, and names another value of a kind that was named
    before: best of all of one that it denies or repeats, else of one counted in the same unit, else of the same topic,
    else of the nearest day or time. A turn that corrects only itself revises no other. People's words come first, since
    agents repeat them."""
    now = _read(said, at)
    if now is None:
        return None
    for revises in (_denies, _repeats, _counts, _shares_topic, _is_near):
        for person in (True, False):
            found = [
                (place, sentence, old)
                for place, sentence, there in _named_before(said, at, person=person)
                for old in there
                if revises(now, old, there, at - place, _topic_words(said, place))
                and not (revises in (_denies, _repeats) and _is_of_another(now, old, there, said, place))
            ]
            if found:
                return _earliest(said, said[at], found, now, every=revises in (_denies, _repeats))
    return None


def _read(said: Sequence[_TurnValues], at: int) -> _Now | None:
    """Return what a turn has to revise others with, None if it has nothing."""
    sentences = said[at].sentences
    marked = [
        _recalls(each.text) or (not each.asked and _CHANGED.search(each.text) is not None)
        for each, _ in sentences
    ]
    again = [any(known.search(each.text) for known in (_AGAIN, _INSTEAD)) for each, _ in sentences]
    without = [set(denied(each.text)) if some else set() for each, some in sentences]
    confirmed = at + 1 < len(said) and _confirms_change(said[at + 1].turn)
    revising = [
        mark or second or bool(gone) for mark, second, gone in zip(marked, again, without, strict=True)
    ]
    if not sentences or not (confirmed or any(revising)):
        return None
    first = next((n for n, each in enumerate(revising) if each), 0)
    new = {
        value
        for n, (each, some) in enumerate(sentences)
        if marked[n] or (n and marked[n - 1] and not sentences[n - 1][1]) or (confirmed and not each.asked)
        for value in some
    }
    denies = {value for gone in without for value in gone}
    if _corrects_itself(said, at, first, denies):
        return None
    thinks_again = any(_AGAIN.match(each.text) and not _USED_TO.search(each.text) for each, _ in sentences)
    counted = any(value.kind not in CALENDAR for turn in said[at - 1 : at] for value in _all_values(turn))
    return _Now(
        changes=confirmed or any(marked),
        counts=any(marked),
        again=thinks_again,
        makes=(counted or thinks_again) and any(_MADE.search(each.text) for each, _ in sentences),
        denies=denies,
        named=_all_values(said[at]),
        new=new,
        words=said[at].words,
        clauses=[]
        if confirmed or any(marked)
        else [clause for each, some in sentences if some for clause in _clauses(each.text)],
        first=next((each for n, (each, _) in enumerate(sentences) if revising[n]), sentences[0][0]),
    )


def _all_values(turn: _TurnValues) -> set[Value]:
    return {value for _, some in turn.sentences for value in some}


def _recalls(text: str) -> bool:
    """Return True for a question about the earlier words of the speaker."""
    return len(text) <= LONGEST and _RECALLED.search(text) is not None


def _corrects_itself(said: Sequence[_TurnValues], at: int, first: int, denies: Collection[Value]) -> bool:
    """Return True for a turn that names a value before its first second thought, and another of its kind after it.

    first: number of the sentence with that thought."""
    before, behind = (
        {value for _, some in sentences for value in some}
        for sentences in (said[at].sentences[:first], said[at].sentences[first:])
    )
    known = {value for turn in said[max(0, at - AT_ONCE) : at] for value in _all_values(turn)}
    kinds = {value.kind for value in behind}
    own = {value.kind for value in before - behind - known if value not in denies}
    return bool(own & kinds) or (BARE in kinds and not own.issubset(CALENDAR))


def _is_of_another(
    now: _Now, old: Value, there: Sequence[Value], said: Sequence[_TurnValues], place: int
) -> bool:
    """Return True if a turn names the topic of its new value, and the turn at this place and the one before have
    another: "the choir is on Friday, not Monday", of a dentist on Monday."""
    before = _topics_at(said, place)
    own = [
        topics
        for some, topics in now.clauses
        if any(
            each.kind in (old.kind, BARE) and each not in now.denies and each not in there for each in some
        )
    ]
    return bool(own) and all(own) and before.isdisjoint(one for each in own for one in each)


def _topics_at(said: Sequence[_TurnValues], place: int) -> frozenset[str]:
    """Return the topics of a turn and of the one before it."""
    return said[place].topics | said[max(0, place - 1)].topics


def _topic_words(said: Sequence[_TurnValues], place: int) -> frozenset[str]:
    return said[place].words | said[max(0, place - 1)].words


def _earliest(
    said: Sequence[_TurnValues],
    by: _TurnValues,
    found: Sequence[tuple[int, Sentence, Value]],
    now: _Now,
    *,
    every: bool,
) -> Revision:
    """Return the revision of one of these values, given with the places of their turns, the last ones first: the one
    whose turn or the turn before it shares most of its topic. every: also of the turns that name the same value."""

    def shared(place: int) -> int:
        return len(by.topics & _topics_at(said, place))

    best = max(found, key=lambda each: shared(each[0])) if every else found[0]
    least = min(shared(best[0]), 1)
    same = [each for each in found if every and each[2] == best[2] and shared(each[0]) >= least] or [best]
    place, sentence, value = same[-1]
    named = frozenset(said[each[0]].turn.utterance.id for each in same)
    return Revision(turn=said[place].turn, was=sentence, value=value, now=now.first, named=named)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Now:
    """Values and words of a turn that may revise another. changes: it reports a change, or an agent confirms one;
    counts: it reports one itself; again: a sentence begins with a second thought; makes: "make it four", of what
    was just counted. denies: values that it denies. named: all its values; new: those in sentences that report the
    change. words: its long words. clauses: the values of its clauses and their topics, unless it has words
    for a change. first: its first sentence that revises."""

    changes: bool
    counts: bool
    again: bool
    makes: bool
    denies: Collection[Value]
    named: Collection[Value]
    new: Collection[Value]
    words: frozenset[str]
    clauses: Sequence[tuple[Sequence[Value], frozenset[str]]]
    first: Sentence


def _denies(now: _Now, old: Value, there: Sequence[Value], back: int, topic: frozenset[str]) -> bool:
    """Return True if the turn denies a value, and names another instead."""
    same = [
        each
        for each in now.denies
        if each.amount == old.amount and (each.kind == old.kind or BARE in (each.kind, old.kind))
    ]
    kinds = {old.kind, *(each.kind for each in same if each.is_large or each.kind != BARE)}
    return bool(same) and any(each.kind in kinds and each not in now.denies for each in now.named)


def _repeats(now: _Now, old: Value, there: Sequence[Value], back: int, topic: frozenset[str]) -> bool:
    """Return True if the turn repeats a value and names another instead."""
    if old.kind == PART:
        return False
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
    said: Sequence[_TurnValues], at: int, *, person: bool
) -> Iterator[tuple[int, Sentence, Sequence[Value]]]:
    """Yield the sentences of people or agents in the turns before one that name values, the last ones first; not those
    from before a long pause."""
    for place in range(at - 1, max(-1, at - 1 - HEARD_TURNS), -1):
        one = said[place]
        if said[place + 1].turn.utterance.at - one.turn.utterance.at > LONGEST_PAUSE:
            return
        for sentence, some in reversed(one.sentences) if one.turn.is_of_person is person else ():
            if some and not sentence.asked:
                yield place, sentence, some
