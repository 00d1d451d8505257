"""Comparison of two claims: the same, contrary, or neither. Values are compared, not words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from memdesk.engine.beliefs.lexicon import Lexicon, lexicon, shared
from memdesk.engine.beliefs.reading import DATES, ONLY, SELF, Clause, Reading, Token, read
from memdesk.engine.beliefs.roles import (
    ALIKE,
    BE,
    PLACES,
    addresses,
    both_true,
    describes,
    is_holder,
    is_name,
    is_phrase,
    names_with_number,
    of_unlike_kinds,
    other_purpose,
    other_role,
    turned,
    unlike,
)
from memdesk.engine.beliefs.values import MARK, kind_of
from memdesk.model.fact import stated
from memdesk.model.message import NO_MESSAGE, Message, message


class Verdict(Enum):
    """Relation of a new claim to an older one.

    SAME: both state one thing. UPDATE: the new one replaces the other. CONTRADICTION: both cannot be true, and
    neither is clearly the newer. APART: both may be true."""

    SAME = "same"
    UPDATE = "update"
    CONTRADICTION = "contradiction"
    APART = "apart"


@dataclass(frozen=True, slots=True)
class Judgement:
    """Verdict with its reason in words, such as "lisbon, against porto". doubt: a rule decided without knowing the
    relation."""

    verdict: Verdict
    reason: Message = NO_MESSAGE
    doubt: bool = False


APART = Judgement(Verdict.APART)
_LABEL = re.compile(r"([^:：.!?]{1,60})[:：]\s")
_REMARK = re.compile(r"\s*[(（][^()（）]*[)）][.。]?$")
"""Remark in brackets after the value of a label."""
_BRACKETS = re.compile(r"\s*\([^()]*\)")
_PROGRESSIVE = shared("progressive")
"""Words that are a copula only without a verb."""
_TITLES = shared("titles")
"""Titles that two names may share."""


def compare(new: str, old: str, *, correction: bool = False) -> Judgement:
    """Return the relation of a new claim to an older one. correction: the new one corrects an earlier claim."""
    new, old = stated(new), stated(old)
    found = _relation(new, old, correction=correction) if new and old else APART
    if found.verdict is Verdict.APART and all(map(_LABEL.match, (new, old))):
        without = _relation(_REMARK.sub("", new), _REMARK.sub("", old), correction=correction)
        if without.verdict in (Verdict.CONTRADICTION, Verdict.UPDATE) and not without.doubt:
            return without
    return found


def _relation(new: str, old: str, *, correction: bool) -> Judgement:
    here, there = read(new), read(old)
    if here.language != there.language or not here.clauses or not there.clauses:
        return APART
    if len(here.clauses) > 1 and len(there.clauses) > 1 and _labelled_apart(new, old):
        return APART
    if _clause_parts(here) == _clause_parts(there) and not any(
        map(_other_names, here.clauses, there.clauses)
    ):
        return Judgement(Verdict.SAME, message("the same claim in other words"))
    words = lexicon(here.language)
    best, newer = APART, False
    for clause in here.clauses:
        changes = clause.changes or correction
        for other in there.clauses:
            found = _compared(clause, other, words, newer=changes)
            if found.verdict is Verdict.SAME and len(here.clauses) == len(there.clauses) == 1:
                return found
            clear = found.verdict is Verdict.CONTRADICTION and not found.doubt
            if clear or (found.doubt and best.verdict is Verdict.APART):
                best, newer = found, changes
    if best.verdict is Verdict.APART or best.doubt:
        back = _taken_back(here, there, correction=correction)
        best, newer = (best, newer) if back is APART else (back, True)
    if best.verdict is Verdict.CONTRADICTION and newer and not best.doubt:
        return Judgement(Verdict.UPDATE, best.reason)
    return best


def _labelled_apart(new: str, old: str) -> bool:
    """Return True for two longer notes under labels of other things: `Pier North: … 40 berths.` and `Pier South: …`."""
    labels = [_LABEL.match(_BRACKETS.sub("", claim)) for claim in (new, old)]
    mine, theirs = (set(found[1].casefold().split()) if found else set() for found in labels)
    return bool(mine - theirs) and bool(theirs - mine)


def _clause_parts(reading: Reading) -> list[tuple[tuple[Token, ...], bool, bool, frozenset[str]]]:
    return [
        (clause.tokens, clause.denied, clause.denied_twice, clause.scope | clause.times | clause.mood)
        for clause in reading.clauses
    ]


def nearly_same(new: str, old: str) -> bool:
    """Return True if two claims differ in one verb only, which a person may see as the same."""
    here, there = read(new), read(old)
    if here.language != there.language or len(here.clauses) != 1 or len(there.clauses) != 1:
        return False
    words, one, other = lexicon(here.language), here.clauses[0], there.clauses[0]
    mine, theirs = _difference(one, other, words)
    extra = [one.tokens[place] for place in mine] + [other.tokens[place] for place in theirs]
    alike = one.denied == other.denied and one.scope == other.scope and _values(one) == _values(other)
    return alike and len(extra) == 1 and extra[0].text in words.verbs and len(one.words & other.words) > 1


def _taken_back(here: Reading, there: Reading, *, correction: bool) -> Judgement:
    """Return a contradiction if the new claim ends a part of the old one, or tells all of it with a change."""
    if not correction and not any(clause.changes for clause in here.clauses):
        return APART
    for old in there.clauses:
        if old.denied:
            continue
        for clause in here.clauses:
            gone = next((each for each in here.ended if each <= old.words), frozenset[str]())
            common = clause.words & old.words
            alone = here.personal and there.personal and len(old.words - gone) <= 1
            other = other_purpose(clause, old) or _of_a_relative(clause, old)
            if gone and not other and (common - gone or not old.words - gone or alone):
                return Judgement(
                    Verdict.CONTRADICTION, message("the newer claim takes back “{gone}”", gone=_said(gone))
                )
            if clause.changes and _repeats_with_more(clause, old):
                return Judgement(
                    Verdict.CONTRADICTION,
                    message("the newer claim adds “{what}”", what=_said(clause.words - old.words)),
                )
    return APART


def _repeats_with_more(new: Clause, old: Clause) -> bool:
    """Return True if a clause repeats all of another and adds words: "Bo gave the key to Ann", "the key is with Bo"."""
    inside = len(old.words) > 1 and old.words < new.words and not new.denied
    if not set(new.subject) <= old.words:
        return False  # "Omar's father" is not Omar.
    more = [token for token in new.tokens if token.text not in old.words]
    added = any(not token.is_value for token in more)
    listing = {kind_of(token.text) for token in more if token.is_value} & _values(old).keys()
    if (new.verb, new.finite) == (old.verb, old.finite) and not set(new.subject) & set(old.subject):
        return False  # "Miro sleeps in the kitchen and Luna in the hall" says nothing new of Luna.
    return inside and added and not listing and bool(set(old.subject) & new.words)


def _compared(new: Clause, old: Clause, words: Lexicon, *, newer: bool) -> Judgement:
    if _other_names(new, old) or new.denied_twice != old.denied_twice:
        return APART
    mine, theirs = _difference(new, old, words)
    if _scoped_apart(new, old, newer) and (mine or theirs or (new.scope and old.scope)):
        return APART
    if not mine and not theirs:
        if len(new.words & old.words) < 1 or _swapped(new, old) or _values(new) != _values(old):
            return APART
        if new.mood != old.mood or (new.scope ^ old.scope) & ONLY:
            return APART
        if turned(new, old) or _exchanged(new, old):
            return APART
        if new.denied != old.denied:
            return Judgement(Verdict.CONTRADICTION, message("one denies the other"))
        return Judgement(Verdict.SAME, message("the same claim in other words"))
    if new.denied != old.denied and not turned(new, old) and _one_inside(mine, theirs, new, old):
        return Judgement(
            Verdict.CONTRADICTION, message("one denies the other"), doubt=_denies_less(mine, theirs, new, old)
        )
    return _by_value(new, old, mine, theirs, words, newer=newer)


def _difference(new: Clause, old: Clause, words: Lexicon) -> tuple[list[int], list[int]]:
    """Return the places of the tokens that only one of two clauses has, without words that add no meaning."""
    return _only(new, old, words), _only(old, new, words)


def _only(clause: Clause, other: Clause, words: Lexicon) -> list[int]:
    return [
        place
        for place, token in enumerate(clause.tokens)
        if token.text not in other.words and token.text not in words.generic and token.text != SELF
    ]


def _scoped_apart(new: Clause, old: Clause, newer: bool) -> bool:
    """Return True if two clauses are about different times or circumstances."""
    mine, theirs = new.scope - ONLY, old.scope - ONLY
    if mine != theirs and not (newer and not theirs):
        return True
    return bool(mine) and bool(new.times ^ old.times)


def _values(clause: Clause) -> dict[str, list[str]]:
    """Return the values of a clause in order, by kind: "2 of 3" is not "3 of 2"."""
    found: dict[str, list[str]] = {}
    for token in clause.tokens:
        if token.is_value:
            found.setdefault(kind_of(token.text), []).append(token.text)
    return found


def _swapped(new: Clause, old: Clause) -> bool:
    """Return True if two clauses give the ends of one relation in opposite order: "Ann pays Bo", "Bo pays Ann"."""
    active = new.verb == old.verb != "" and not new.finite and not old.finite
    counted = any(all(token.is_value for token in each.tokens[: each.predicate]) for each in (new, old))
    if not active or counted or set(new.subject) & set(old.subject):
        return False
    one, other = [t.text for t in new.tokens], [t.text for t in old.tokens]
    ends = [text for text in one if text != new.verb]
    return (
        [text for text in other if text != new.verb] != ends
        and one.index(new.verb) == other.index(new.verb)
        and one.index(new.verb) > 0
    )


def _one_inside(mine: list[int], theirs: list[int], new: Clause, old: Clause) -> bool:
    """Return True if one clause has all words of the other, which share their subject."""
    if not set(new.subject) & old.words or not set(old.subject) & new.words:
        return False
    if any(place < new.predicate for place in mine) or any(place < old.predicate for place in theirs):
        return False  # "The old pump" is not every pump, nor "Ann's brother" Ann.
    smaller = min(len(new.tokens), len(old.tokens))
    return (not mine or not theirs) and smaller >= 2 and abs(len(new.tokens) - len(old.tokens)) <= 2


def _denies_less(mine: list[int], theirs: list[int], new: Clause, old: Clause) -> bool:
    """Return True if what one clause denies may be a part of what the other says: "no glass bottles", "bottles"."""
    here, there = [new.tokens[place] for place in mine], [old.tokens[place] for place in theirs]
    denied, stated = (here, there) if new.denied else (there, here)
    return any(not token.text.startswith(DATES) for token in denied) or any(
        not token.after and not token.is_value for token in stated
    )


def _exchanged(new: Clause, old: Clause) -> bool:
    """Return True if two words have changed places: "Ann lent Bo a bike", "Bo lent Ann a bike"."""
    if len(new.tokens) != len(old.tokens) or new.finite != old.finite:
        return False
    apart = [
        (one, other) for one, other in zip(new.tokens, old.tokens, strict=True) if one.text != other.text
    ]
    if len(apart) != 2 or any(one.after != other.after or one.is_value or one.scale for one, other in apart):
        return False
    (first, was_first), (second, was_second) = apart
    return (first.text, second.text) == (was_second.text, was_first.text)


def _of_a_relative(new: Clause, old: Clause) -> bool:
    """Return True if the old clause is about something of the new one's subject: "Lena moved", "Lena's parents"."""
    first, *further = old.subject or ("",)
    return first != SELF and first in new.words and not set(further) <= new.words


def _other_names(new: Clause, old: Clause) -> bool:
    """Return True if two names, or words of unlike gender, have one stem: Simon and Simone, hermano and hermana."""
    spelled = {token.text: token.spelling for token in old.tokens}
    pairs = ((token.spelling, spelled.get(token.text, "")) for token in new.tokens)
    return any(one and other and one != other for one, other in pairs)


def _by_value(
    new: Clause, old: Clause, mine: list[int], theirs: list[int], words: Lexicon, *, newer: bool
) -> Judgement:
    """Return a contradiction if the two clauses differ in one value of a slot that has only one."""
    if newer and (not new.verb or not old.verb):
        mine, theirs = _without_verb(mine, new), _without_verb(theirs, old)
    here, there = [new.tokens[place] for place in mine], [old.tokens[place] for place in theirs]
    if not here or not there:
        return APART
    if not _scaled(here, there) and (_includes_verb(mine, new) or _includes_verb(theirs, old)):
        return APART
    subject = _subject_differs(new, old, mine, theirs)
    if not subject and (pair := _scaled(here, there)) is not None:
        alone = len(here) == len(there) == 1
        excluded = new.denied == old.denied and (alone or (newer and 1 in (len(here), len(there))))
        return _contrary(_word(pair[0]), _word(pair[1])) if excluded else APART
    if new.denied != old.denied:
        return APART
    if subject:
        return _by_holder(new, old, mine, theirs, words, newer=newer)
    if not (new.words & old.words) or not _one_run(mine) or not _one_run(theirs):
        return APART
    if _has_break(here) and _has_break(there):
        return APART
    if unlike(new, old, mine, theirs, words):
        return APART
    names = any(is_name(new, place, words) for place in mine)
    passive = {new.finite, old.finite} <= BE
    numbered = names_with_number(here, there)
    if not numbered and not names and (values := _valued(here, there)) is not None:
        left, right = ([t for t in side if not t.is_value] for side in (here, there))
        moved = left and right and newer and new.verb in words.placed
        several = new.verb in words.multiple and not (passive or newer or _counted(new, old, mine, theirs))
        if several or ((left or right) and not moved):
            return APART
        if not moved:
            return _contrary(*values)
    if any(token.is_value for token in here) != any(token.is_value for token in there) and not newer:
        return APART
    phrases = any(map(is_phrase, (here, there))) or other_role(here[0], there[0])
    if not newer and (phrases or of_unlike_kinds(here, there) or both_true(new, mine, old, theirs, words)):
        return APART
    return _by_slot(new, old, mine, theirs, words, newer=newer and not names)


def _counted(new: Clause, old: Clause, mine: list[int], theirs: list[int]) -> bool:
    """Return True if two numbers count the same things at the end of a claim: "has two cats", "has three cats"."""
    counts = (new.tokens[mine[-1] + 1 :], old.tokens[theirs[-1] + 1 :])
    return counts[0] == counts[1] != () and len(counts[0]) == 1 and not new.mood and not old.mood


def _without_verb(places: list[int], clause: Clause) -> list[int]:
    return [place for place in places if clause.tokens[place].text != clause.verb]


def _includes_verb(places: list[int], clause: Clause) -> bool:
    return any(clause.tokens[place].text == clause.verb for place in places)


def _subject_differs(new: Clause, old: Clause, mine: list[int], theirs: list[int]) -> bool:
    return min(mine) < new.predicate or min(theirs) < old.predicate


def _one_run(places: list[int]) -> bool:
    return places[-1] - places[0] == len(places) - 1


def _has_break(run: list[Token]) -> bool:
    """Return True if words that follow each other belong to two phrases: "5 km on Mondays"."""
    alike = all(token.is_value and kind_of(token.text) == kind_of(run[0].text) for token in run)
    return not alike and any(token.after or token.text.startswith(f"{MARK}weekday") for token in run[1:])


def _scaled(here: list[Token], there: list[Token]) -> tuple[Token, Token] | None:
    """Return two tokens with different values of one scale."""
    return next(
        (
            (one, other)
            for one in here
            for other in there
            if one.scale
            and other.scale
            and one.scale.name == other.scale.name
            and one.scale.value != other.scale.value
        ),
        None,
    )


def _valued(here: list[Token], there: list[Token]) -> tuple[str, str] | None:
    """Return the first values of one kind that differ."""
    return next(
        (
            (one.text, other.text)
            for one in here
            for other in there
            if one.is_value and other.is_value and kind_of(one.text) == kind_of(other.text)
        ),
        None,
    )


def _by_holder(
    new: Clause, old: Clause, mine: list[int], theirs: list[int], words: Lexicon, *, newer: bool
) -> Judgement:
    """Return a contradiction if two subjects hold what only one can: the leader of a team, the keeper of a key."""
    within = max(mine) < new.predicate and max(theirs) < old.predicate
    if not is_holder(new, mine) or not is_holder(old, theirs):
        return APART
    copular = {new.finite, old.finite} <= BE and not (new.nominal or old.nominal)
    role = copular and (newer or new.words & old.words & words.attributes)
    titled = len(new.tokens) > new.predicate and set(new.subject) & set(old.subject) <= _TITLES
    whole = len(mine) == new.predicate and len(theirs) == old.predicate
    held = new.verb == old.verb and new.verb in words.exclusive and len(new.tokens) > new.predicate + 1
    if within and ((role and titled) or (whole and held)):
        return _contrary(_text(new, mine), _text(old, theirs))
    return APART


def _by_slot(
    new: Clause, old: Clause, mine: list[int], theirs: list[int], words: Lexicon, *, newer: bool
) -> Judgement:
    """Return a contradiction if the slot of two clauses has one value: by its verb, its noun, or its form."""
    named_verb = new.verb or old.verb
    if new.verb != old.verb and (
        (new.verb and old.verb) or not _share_slot(new, old, named_verb in words.placed)
    ):
        return APART
    verb = new.verb or old.verb
    found = _contrary(_text(new, mine), _text(old, theirs))
    at = {_preposition(new, mine[0]), _preposition(old, theirs[0])}
    if newer and new.tokens[mine[0]].named and old.tokens[theirs[0]].named:
        at -= {""}  # "was moved to" has lost its preposition.
    passive = all(_is_passive(each, bool(verb), newer=newer) for each in (new, old))
    placed = bool(at) and at <= PLACES
    if placed and verb in words.placed:
        return found
    common = new.words & old.words
    if common & words.adjectives or (verb in words.multiple and not passive):
        return APART
    if verb and "" not in at and len(at) > 1 and not any(at <= each for each in ALIKE):
        return Judgement(Verdict.APART, found.reason, doubt=True)
    slot = _named_slot(new, mine[0], words) & _named_slot(old, theirs[0], words)
    if verb in words.functional or (
        slot and not (slot <= words.persons and describes(new, mine, old, theirs))
    ):
        return found
    if passive and (placed or _names(new, mine, old, theirs) or addresses(new, mine, old, theirs)):
        return found
    if newer and (passive or verb) and not (new.nominal or old.nominal):
        return found
    return Judgement(Verdict.APART, found.reason, doubt=True)


def _names(new: Clause, mine: list[int], old: Clause, theirs: list[int]) -> bool:
    """Return True if a thing without a name is two names: "The headteacher is Ann", "The headteacher is Bo"."""
    values = [new.tokens[place] for place in mine] + [old.tokens[place] for place in theirs]
    bare = not any(token.named for token in new.tokens[: new.predicate])
    return bare and all(token.named for token in values) and not (new.nominal or old.nominal)


def _named_slot(clause: Clause, place: int, words: Lexicon) -> frozenset[str]:
    """Return the nouns before a value that name a slot of one value, such as colour and birthday.

    A noun that does something names none: "the server is Juno" has the slot, "the server uses Redis" has not."""
    start = clause.predicate if clause.verb and not clause.finite else 0
    before = frozenset(token.text for token in clause.tokens[start:place])
    return before & words.attributes - {clause.verb}


def _is_passive(clause: Clause, with_verb: bool, *, newer: bool) -> bool:
    """Return True for "is hosted" and "is in Porto", and for a phrase without a verb if it reports a change."""
    copulas = BE - _PROGRESSIVE if with_verb else BE
    return clause.finite in copulas or (newer and not (clause.verb or clause.finite))


def _share_slot(new: Clause, old: Clause, placing: bool) -> bool:
    """Return True if two clauses share a word besides their subject, without which they may tell unlike things.

    placing: one of them says where something is by a verb, as the other may by a copula."""
    located = any(
        not each.verb
        and each.finite
        and (each.tokens[-1].named if each.changes else _preposition(each, len(each.tokens) - 1) in PLACES)
        for each in (new, old)
    )
    return (placing and located) or bool(new.words & old.words - set(old.subject[:1]) - set(new.subject[:1]))


def _preposition(clause: Clause, place: int) -> str:
    """Return the preposition before the phrase that a token is in."""
    while place > clause.predicate and not clause.tokens[place].after:
        place -= 1
    return clause.tokens[place].after


def _contrary(new: str, old: str) -> Judgement:
    return Judgement(Verdict.CONTRADICTION, message("{new}, against {old}", new=_shown(new), old=_shown(old)))


def _shown(text: str) -> str:
    return text.rsplit(":", 1)[-1] if text.startswith(("#", "~")) and ":" in text else text


def _text(clause: Clause, places: list[int]) -> str:
    return " ".join(_word(clause.tokens[place]) for place in places)


def _word(token: Token) -> str:
    return token.written or _shown(token.text)


def _said(words: frozenset[str]) -> str:
    return " ".join(sorted(map(_shown, words)))
