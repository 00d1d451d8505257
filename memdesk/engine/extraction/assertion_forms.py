"""Forms of assertion: a pattern and the assertions it yields. Each language has its own table of forms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from memdesk.engine.extraction.assertion import IS, Assertion, subject_of
from memdesk.engine.extraction.values import times
from memdesk.engine.extraction.words import word_set

LONGEST = 300
"""Characters of a claim; a longer one is not a plain statement."""
Found = Iterator[Assertion]
Tell = Callable[[re.Match[str]], Found]
Form = tuple[re.Pattern[str], Tell]
_DENYING = word_set("not no never longer doesn't don't isn't")


def form(pattern: str, tell: Tell) -> Form:
    """Build a form: a pattern, matched from the first letter of a claim, and the function that yields its
    assertions."""
    return re.compile(pattern, re.IGNORECASE), tell


def read(text: str, forms: Sequence[Form]) -> Found:
    """Yield the assertions of every form that matches the text, each assertion once."""
    seen: set[Assertion] = set()
    for pattern, tell in forms if len(text) <= LONGEST else ():
        match = pattern.match(text)
        for one in tell(match) if match else ():
            if one.value and one.subject and not _DENYING & set(one.subject) and one not in seen:
                seen.add(one)
                yield one


def attribute_of(subject: str, name: str) -> tuple[str, ...]:
    """Return the subject of an attribute: Mara's age has the subject ("age", "mara")."""
    return tuple(sorted({*subject_of(subject), name}))


def slot(name: str, *, denied: bool = False, arrival: bool = False, single: bool = True) -> Tell:
    """Return a form function that puts the value into one slot of its subject."""

    def tell(match: re.Match[str]) -> Found:
        yield Assertion(
            subject=subject_of(match["s"]), slot=name, value=match["v"].strip(), single=single, denied=denied,
            arrival=arrival,
        )  # fmt: skip

    return tell


def attribute(name: str) -> Tell:
    """Return a form function for one attribute of its subject: an age, a spouse."""

    def tell(match: re.Match[str]) -> Found:
        yield Assertion(subject=attribute_of(match["s"], name), slot=IS, value=match["v"].strip())

    return tell


def dated_attribute(name: str) -> Tell:
    """Return a form function for an attribute whose value must be a date."""

    def tell(match: re.Match[str]) -> Found:
        yield from attribute(name)(match) if times(match["v"]) else ()

    return tell


def from_to(name: str, *, single: bool) -> Tell:
    """Return a form function for a change from w to v: w is denied, v is asserted."""

    def tell(match: re.Match[str]) -> Found:
        subject = subject_of(match["s"])
        gone, come = match["w"].strip(), match["v"].strip()
        yield Assertion(subject=subject, slot=name, value=gone, single=single, denied=True, arrival=True)
        yield Assertion(subject=subject, slot=name, value=come, single=single, arrival=True)

    return tell
