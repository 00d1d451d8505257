"""Assertions: the subject, slot and value that a claim states, so that two claims can be compared by
content.

A slot is an attribute of a subject: with one value at a time (a home, an employer, a port) or with many
(likes, uses)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from memdesk.engine.beliefs.lexicon import is_region
from memdesk.engine.extraction.lexicon import word_set
from memdesk.engine.extraction.normal_forms import base, content, differ, normal, times

HOME = "lives in"
EMPLOYER = "works for"
JOB = "works as"
IS = "is"
LIKES = "likes"
USES = "uses"
PREFERS = "prefers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """Single statement of a claim about its subject.

    subject: its content words in base form and lower case, sorted. single: one value at a time. denied: the
    subject does not have this value. arrival: stated as an event whose outcome lasts ("moved to"). over: the
    value that this one is preferred to."""

    subject: tuple[str, ...]
    slot: str
    value: str
    single: bool = True
    denied: bool = False
    arrival: bool = False
    over: str = ""


_OF = frozenset(("of", "for", "in", "on", "with"))
_HAN_RUN = re.compile(r"[的\s]+")


def subject_of(text: str) -> tuple[str, ...]:
    """Return a noun phrase in the form used for comparison: "Tidepool's deadline" equals "the deadline for
    Tidepool"."""
    words = [base(word) for word in normal(_HAN_RUN.sub(" ", text.replace("'s", " ")))]
    han = [part for part in _HAN_RUN.split(text) if part and not part.isascii()]
    return tuple(sorted({*(word for word in words if word not in _OF), *han}))


def exclude(new: Assertion, old: Assertion) -> bool:
    """Return True if both assertions cannot be true at once: the same subject and slot, with incompatible
    values."""
    if new.subject != old.subject or new.slot != old.slot:
        return False
    if new.denied or old.denied:
        return new.denied != old.denied and content(new.value).words == content(old.value).words
    if new.over or old.over:
        return _reversed(new, old)
    return new.single and old.single and differ(new.value, old.value) and not _one_within_other(new, old)


def agree(new: tuple[Assertion, ...], old: tuple[Assertion, ...]) -> bool:
    """Return True if two claims make the same assertions in any wording: "works at" and "works for" Bosch."""
    return bool(new) and sorted(map(_meaning, new), key=repr) == sorted(map(_meaning, old), key=repr)


def clash(new: tuple[Assertion, ...], old: tuple[Assertion, ...]) -> tuple[Assertion, Assertion] | None:
    """Return the first two assertions that exclude each other; None if the claims are compatible."""
    return next(((one, other) for one, other in product(new, old) if exclude(one, other)), None)


def _meaning(one: Assertion) -> tuple[object, ...]:
    return one.subject, one.slot, normal(one.value) or one.value, one.denied, one.arrival, normal(one.over)


def _reversed(new: Assertion, old: Assertion) -> bool:
    """Return True for "A over B" against "B over A"; "A over B" and "C over D" do not contradict each other."""
    return normal(new.value) == normal(old.over) and (not new.over or normal(new.over) == normal(old.value))


def _one_within_other(new: Assertion, old: Assertion) -> bool:
    """Return True if one home is a country or state and the other is not, so that one may be located in the
    other."""
    wide = [is_region(one.value.strip(" 。.")) for one in (new, old)]
    return new.slot == HOME and wide[0] != wide[1]


LONGEST = 300
"""Characters of a claim; a longer one is not a plain statement."""
Found = Iterator[Assertion]
FormReader = Callable[[re.Match[str]], Found]
Form = tuple[re.Pattern[str], FormReader]
_DENYING = word_set("not no never longer doesn't don't isn't")


def form(pattern: str, reader: FormReader) -> Form:
    """Build a form: a pattern, matched from the first letter of a claim, and the function that yields its
    assertions."""
    return re.compile(pattern, re.IGNORECASE), reader


def read(text: str, forms: Sequence[Form]) -> Found:
    """Yield the assertions of every form that matches the text, each assertion once."""
    seen: set[Assertion] = set()
    for pattern, reader in forms if len(text) <= LONGEST else ():
        match = pattern.match(text)
        for one in reader(match) if match else ():
            if one.value and one.subject and not _DENYING & set(one.subject) and one not in seen:
                seen.add(one)
                yield one


def attribute_of(subject: str, name: str) -> tuple[str, ...]:
    """Return the subject of an attribute: Mara's age has the subject ("age", "mara")."""
    return tuple(sorted({*subject_of(subject), name}))


def slot(name: str, *, denied: bool = False, arrival: bool = False, single: bool = True) -> FormReader:
    """Return a form function that puts the value into one slot of its subject."""

    def assertions(match: re.Match[str]) -> Found:
        yield Assertion(
            subject=subject_of(match["s"]),
            slot=name,
            value=match["v"].strip(),
            single=single,
            denied=denied,
            arrival=arrival,
        )

    return assertions


def attribute(name: str) -> FormReader:
    """Return a form function for one attribute of its subject: an age, a spouse."""

    def assertions(match: re.Match[str]) -> Found:
        yield Assertion(subject=attribute_of(match["s"], name), slot=IS, value=match["v"].strip())

    return assertions


def dated_attribute(name: str) -> FormReader:
    """Return a form function for an attribute whose value must be a date."""

    def assertions(match: re.Match[str]) -> Found:
        yield from attribute(name)(match) if times(match["v"]) else ()

    return assertions


def from_to(name: str, *, single: bool) -> FormReader:
    """Return a form function for a change from w to v: w is denied, v is asserted."""

    def assertions(match: re.Match[str]) -> Found:
        subject = subject_of(match["s"])
        gone, come = match["w"].strip(), match["v"].strip()
        yield Assertion(subject=subject, slot=name, value=gone, single=single, denied=True, arrival=True)
        yield Assertion(subject=subject, slot=name, value=come, single=single, arrival=True)

    return assertions
