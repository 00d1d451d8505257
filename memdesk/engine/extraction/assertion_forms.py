"""Forms of assertion: a pattern and what it asserts, whatever the language. Each language brings its own table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from memdesk.engine.extraction.assertion import IS, Assertion, subject_of
from memdesk.engine.extraction.values import times
from memdesk.engine.extraction.words import word_set

LONGEST = 300
"""Characters of a claim; a longer one is no plain statement."""
Found = Iterator[Assertion]
Tell = Callable[[re.Match[str]], Found]
Form = tuple[re.Pattern[str], Tell]
_DENYING = word_set("not no never longer doesn't don't isn't")


def form(pattern: str, tell: Tell) -> Form:
    """A pattern, matched from a claim's first letter, and what it asserts."""
    return re.compile(pattern, re.IGNORECASE), tell


def read(text: str, forms: Sequence[Form]) -> Found:
    """What every matching form asserts, each assertion once."""
    seen: set[Assertion] = set()
    for pattern, tell in forms if len(text) <= LONGEST else ():
        match = pattern.match(text)
        for one in tell(match) if match else ():
            if one.value and one.subject and not _DENYING & set(one.subject) and one not in seen:
                seen.add(one)
                yield one


def attribute_of(subject: str, name: str) -> tuple[str, ...]:
    """The subject of an attribute: Mara's age is the subject ("age", "mara")."""
    return tuple(sorted({*subject_of(subject), name}))


def slot(name: str, *, denied: bool = False, arrival: bool = False, single: bool = True) -> Tell:
    """A form whose value goes into one slot of its subject."""

    def tell(match: re.Match[str]) -> Found:
        yield Assertion(
            subject=subject_of(match["s"]), slot=name, value=match["v"].strip(), single=single, denied=denied,
            arrival=arrival,
        )  # fmt: skip

    return tell


def attribute(name: str) -> Tell:
    """A form that gives one attribute of its subject: an age, a spouse."""

    def tell(match: re.Match[str]) -> Found:
        yield Assertion(subject=attribute_of(match["s"], name), slot=IS, value=match["v"].strip())

    return tell


def dated_attribute(name: str) -> Tell:
    """A form that gives an attribute whose value must be a date."""

    def tell(match: re.Match[str]) -> Found:
        yield from attribute(name)(match) if times(match["v"]) else ()

    return tell


def from_to(name: str, *, single: bool) -> Tell:
    """A form of change, from w to v: the first is over."""

    def tell(match: re.Match[str]) -> Found:
        subject = subject_of(match["s"])
        gone, come = match["w"].strip(), match["v"].strip()
        yield Assertion(subject=subject, slot=name, value=gone, single=single, denied=True, arrival=True)
        yield Assertion(subject=subject, slot=name, value=come, single=single, arrival=True)

    return tell
