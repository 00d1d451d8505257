"""Roles of the words in which two clauses differ: words of unlike roles say unlike things, and exclude nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memdesk.engine.beliefs.lexicon import Lexicon, is_region, lexicon, shared
from memdesk.engine.beliefs.reading import YEAR, Clause, Token, read
from memdesk.engine.beliefs.words import MARK, SYMBOLS, kind_of

VALUE_WORDS = 3
PLACES = shared("places")
BE = shared("copulas")
_NONE = shared("articles") | {""}
ALIKE = shared("alike_places") | _NONE, shared("alike_topics") | _NONE
"""Prepositions that may take each other's place."""
_PURPOSE = shared("purpose")
_COMPARED = shared("compared")
_WITHIN_AND_AT = frozenset(("in", "at")), frozenset(("in", "bei"))
"""Prepositions of a place and of a house in it: "an engineer in Porto", "an engineer at Acme"."""
_NUMBERS = (f"{MARK}num", f"{MARK}ver")
_LESS = "less_"
_AGREED = tuple(
    f"{MARK}{kind}" for kind in ("time", "weekday", *(f"qty:{unit}" for unit in SYMBOLS.values()))
)
"""Values that are agreed upon and hold until they are changed; others are measured again and again."""
_PLURAL = re.compile("[^aisu]s$")
_ADDRESS = re.compile(r"https?://|~?/\w|[a-z]:\\\\")


def gives_slot(claim: str) -> bool:
    """Return True for one clause that gives a slot its value or a new one: "Luna's vet is Dr. Hoff", "The rent
    went up to 900 euros"."""
    reading = read(claim)
    words, clause = lexicon(reading.language), reading.clauses[0] if len(reading.clauses) == 1 else None
    if clause is None or clause.denied or "unreal" in clause.mood:
        return False
    values = clause.tokens[clause.predicate :]
    if clause.changes:
        return clause.verb in words.functional or any(each.text.startswith(_AGREED) for each in values)
    named = not words.attributes.isdisjoint(clause.subject)
    return (
        named and "past" not in clause.mood and bool(values) and (values[-1].capital or values[-1].is_value)
    )


def unlike(new: Clause, old: Clause, mine: Sequence[int], theirs: Sequence[int], words: Lexicon) -> bool:
    """Return True if the words in which two clauses differ have unlike roles, even if one reports a change."""
    one, other = new.tokens[mine[0]], old.tokens[theirs[0]]
    return (
        _of_unlike_form(new, old)
        or (one.named and other.named and frozenset((one.after, other.after)) in _WITHIN_AND_AT)
        or (new.verb == old.verb == "prefer" and _unlike_choices(new, old, mine, theirs))
        or any(
            each.tokens[place].text in words.verbs and not each.verb
            for each, places in ((new, mine), (old, theirs))
            for place in places
            if place == 0
        )
    )


def _of_unlike_form(new: Clause, old: Clause) -> bool:
    """Return True if one clause says what a thing is, and the other does not: "is a forest", "was chosen"."""
    if new.nominal == old.nominal or (new.verb and old.verb):
        return False
    kind, other = (new, old) if new.nominal else (old, new)
    return not kind.verb and (
        not other.finite or other.tokens[other.predicate].after not in _NONE or _says_more_than_name(other)
    )


def _says_more_than_name(clause: Clause) -> bool:
    """Return True if a copula is followed by more than a name: "was chosen for the paper"."""
    return any(token.after not in _NONE for token in clause.tokens[clause.predicate :])


def _unlike_choices(new: Clause, old: Clause, mine: Sequence[int], theirs: Sequence[int]) -> bool:
    """Return True if two preferences are between unlike things: "window seats", "short answers".

    Two single words are taken as things of one kind, as tea and coffee; longer ones are if they share a word."""
    here = [new.tokens[place].text for place in mine]
    there = [old.tokens[place].text for place in theirs]
    refused = {text.removeprefix(_LESS) for text in (*here, *there) if text.startswith(_LESS)}
    chosen = [[text for text in side if not text.startswith(_LESS)] for side in (here, there)]
    if refused:
        return not any(text in refused for side in chosen for text in side)
    shared_object = (new.words & old.words) - {new.verb, *new.subject, *old.subject}
    return not shared_object and any(len(side) > 1 for side in chosen)


def is_name(clause: Clause, place: int, words: Lexicon) -> bool:
    """Return True for a number that names a thing, as in "lot 58"; not for the value of a slot, as in "port 80"."""
    token = clause.tokens[place]
    if place == 0 or token.after or not token.text.startswith(_NUMBERS) or YEAR.fullmatch(token.text):
        return False
    if clause.changes and place == clause.predicate:
        return False  # "The choir has grown to 31 singers".
    before = clause.tokens[place - 1]
    if before.is_value or before.scale or before.text in words.attributes:
        return False
    if not clause.finite and not clause.verb:
        return place == 1 or (bool(before.after) and not before.named)
    if before.text in words.verbs | words.predicates:
        return False
    plain = token.text.startswith(_NUMBERS[0]) and not before.named
    return plain and place != clause.predicate and words.spaced


def other_role(one: Token, other: Token) -> bool:
    """Return True if two words have unlike prepositions: "speaks at a school", "speaks with a school"."""
    roles = {one.after, other.after}
    return len(roles) > 1 and not any(roles <= each for each in (*ALIKE, PLACES))


def of_unlike_kinds(here: Sequence[Token], there: Sequence[Token]) -> bool:
    """Return True for values of unlike kinds: a month and a time of day."""
    return all(token.is_value for token in (*here, *there)) and not (
        {kind_of(token.text) for token in here} & {kind_of(token.text) for token in there}
    )


def is_phrase(run: Sequence[Token]) -> bool:
    """Return True if a run of words is more than one value: a name has up to VALUE_WORDS words, or any number."""
    return len(run) > VALUE_WORDS and not all(token.named or token.is_value for token in run)


def names_with_number(here: Sequence[Token], there: Sequence[Token]) -> bool:
    """Return True for two names, each with its number, which is a part of it: "PostgreSQL 16", "MySQL 8"."""
    runs = [[token.named, token.text.startswith(_NUMBERS)] for run in (here, there) for token in run]
    return (
        all(len(run) == VALUE_WORDS - 1 for run in (here, there))
        and runs == [[True, False], [False, True]] * 2
    )


def is_holder(clause: Clause, places: Sequence[int]) -> bool:
    """Return True if words before a predicate can be someone who holds it: no day, and nothing done before."""
    return not any(clause.tokens[place].is_value for place in places)


def turned(new: Clause, old: Clause) -> bool:
    """Return True if a word follows unlike prepositions: "from Rome to Milan", "from Milan to Rome"."""
    before = {token.text: token.after for token in old.tokens}
    pairs = [{token.after, before.get(token.text, "")} for token in new.tokens]
    return any(
        len(pair) > 1 and (pair & _COMPARED or not (pair & _NONE or any(pair <= each for each in ALIKE)))
        for pair in pairs
    )


def other_purpose(new: Clause, old: Clause) -> bool:
    """Return True if one preposition leads to unlike words: "for support", "for sales"."""
    mine = {token.after for token in new.tokens if token.text not in old.words}
    theirs = {token.after for token in old.tokens if token.text not in new.words}
    return bool(mine & theirs & _PURPOSE)


def describes(new: Clause, mine: Sequence[int], old: Clause, theirs: Sequence[int]) -> bool:
    """Return True unless both clauses name someone: "is friendly" and "is in Graz" tell unlike things of a vet."""
    ends = new.tokens[mine[-1]], old.tokens[theirs[-1]]
    values = [new.tokens[place] for place in mine] + [old.tokens[place] for place in theirs]
    return not all(token.capital for token in ends) or any(token.after in PLACES for token in values)


def addresses(new: Clause, mine: Sequence[int], old: Clause, theirs: Sequence[int]) -> bool:
    """Return True for two addresses or paths of one thing that has a name of several words: `Project page: https://…`."""
    values = [new.tokens[place].text for place in mine] + [old.tokens[place].text for place in theirs]
    return (
        new.subject == old.subject
        and len(new.subject) > 1
        and len(values) == 2
        and all(map(_ADDRESS.match, values))
    )


def both_true(new: Clause, mine: Sequence[int], old: Clause, theirs: Sequence[int], words: Lexicon) -> bool:
    """Return True for two values that may be true together: two documents, a name and its kind, two plurals, a
    region and a town, or the names of two that a claim introduces: "a sister called Ama", "a sister called Efua"."""
    one, other = new.tokens[mine[0]], old.tokens[theirs[0]]
    ends = new.tokens[mine[-1]].text, old.tokens[theirs[-1]].text
    written = {one.after, other.after} <= PLACES and all(text.endswith(words.open_places) for text in ends)
    kinds = one.named != other.named and (one if other.named else other).indefinite
    return (
        written
        or kinds
        or _is_wide(new, mine) != _is_wide(old, theirs)
        or (_introduces(new, mine) and _introduces(old, theirs))
        or (new.verb == old.verb != "prefer" and _are_many(one, other))
    )


def _is_wide(clause: Clause, places: Sequence[int]) -> bool:
    return is_region(" ".join(clause.tokens[place].written for place in places))


def _introduces(clause: Clause, places: Sequence[int]) -> bool:
    """Return True for a name that follows its kind, of which there may be others: "has a sister called Ama"."""
    kinds = clause.tokens[clause.predicate : places[0]]
    return any(token.indefinite for token in kinds) and not clause.tokens[places[0]].after


def _are_many(one: Token, other: Token) -> bool:
    """Return True for two objects in the plural, or one and a single: "hosts weddings", "returns a count"."""
    plural = [_PLURAL.search(token.written) is not None and not token.named for token in (one, other)]
    return (
        not one.after
        and not other.after
        and any(plural)
        and all(many or token.indefinite for many, token in zip(plural, (one, other), strict=True))
    )
