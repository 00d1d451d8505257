"""People and animals that a speaker calls their own: "my sister Ana", "Oscar, my guinea pig", 我妹妹李婷."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from memdesk.engine.extraction import people
from memdesk.engine.extraction.entities import Cast, Span
from memdesk.engine.extraction.found import Draft
from memdesk.engine.extraction.language import Sentence
from memdesk.engine.extraction.naming import NOT_NAMES

_AGES = r"(?:(?:older|younger|little|big|elder|eldest|youngest|oldest|late|ex|twin|baby|half|best|new|old|former)[ -])*"
_BEINGS = "guinea pig|" + people.alternatives(people.KIN | people.PETS - {"guinea"})
_NAME = r"([A-Z][a-z]+(?: [A-Z][a-z]+)?)"
_MINE_NAMED = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur) ({_AGES}(?:{_BEINGS}))(?:,| is| named| called|,? whose name is|'s name is)? {_NAME}\b"
)
_NAMED_MINE = re.compile(rf"\b{_NAME}(?:,| is) my ({_AGES}(?:{_BEINGS}))\b")
_HAVE_NAMED = re.compile(rf"\b(?:an?|another|our) ({_AGES}(?:{_BEINGS})),? (?:named|called) {_NAME}\b")
_JOIN = re.compile(
    r"(?:,? (?:is|was|named|called|whose name is)|'s name is|,)? |的?(?:名字)?(?:名叫|叫做|叫|是|，)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kin:
    """Person or animal related to an owner. name: the entity, "Ana" or, unnamed, "Caroline's sister". pet: an
    animal."""

    owner: str
    name: str
    pet: bool


def introductions(sentence: Sentence, speaker: str) -> Iterator[Draft]:
    """Yield claims that name a relative of the speaker: "Caroline's sister is Ana"."""
    text = sentence.text
    small = f" {text.lower()}"
    if " my " not in small and " our " not in small and "named" not in text and "called" not in text:
        return
    for match in _MINE_NAMED.finditer(text):
        yield from _introduced(sentence, match, match.group(1), match.group(2), speaker)
    for match in _NAMED_MINE.finditer(text):
        yield from _introduced(sentence, match, match.group(2), match.group(1), speaker)
    for match in _HAVE_NAMED.finditer(text):
        if match.group(2).lower() not in NOT_NAMES:
            yield _draft(sentence, match, f"{speaker} has a {match.group(1)} named {match.group(2)}")


def _introduced(
    sentence: Sentence, match: re.Match[str], kin: str, name: str, speaker: str
) -> Iterator[Draft]:
    first = name.split()[0]
    if first.lower() not in NOT_NAMES and first != speaker:
        yield _draft(
            sentence,
            match,
            f"{speaker}'s {kin} is {name if name.split()[-1].lower() not in NOT_NAMES else first}",
        )


def _draft(sentence: Sentence, match: re.Match[str], claim: str) -> Draft:
    start = sentence.start + match.start()
    end = sentence.start + match.end()
    return Draft(claim=claim, category="fact", certainty="explicit", temporal="current", start=start, end=end)


@lru_cache(maxsize=256)
def _patterns(speaker: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    owner = re.escape(speaker)
    english = rf"(?:\b{owner}'s|\b(their)) ({_AGES})({_BEINGS})\b"
    chinese = rf"{owner} ?的(?:大|小|二)?({people.alternatives(people.CHINESE_KIN | people.CHINESE_PETS)})"
    return re.compile(english), re.compile(chinese)


def kin(claim: str, speaker: str, spans: list[Span], cast: Cast) -> Iterator[Kin]:
    """Yield the speaker's relatives that a claim mentions, and add them to the cast. spans: entity names in
    the claim."""
    english, chinese = _patterns(speaker)
    for match in english.finditer(claim):
        if not match.group(1) or claim.startswith(speaker):
            yield from _kin(match, match.group(3), match.group(2), speaker, claim, spans, cast)
    for match in chinese.finditer(claim):
        yield from _kin(match, match.group(1), "", speaker, claim, spans, cast)


def _kin(
    match: re.Match[str], being: str, age: str, speaker: str, claim: str, spans: list[Span], cast: Cast
) -> Iterator[Kin]:
    pet = being in people.PETS or being in people.CHINESE_PETS or being == "guinea pig"
    many = pet or being in people.GROUP or being in people.CHINESE_GROUP
    joined = _JOIN.match(claim, match.end())
    at = joined.end() if joined else match.end()
    span = next(
        (s for s in spans if s.start in (at, match.end()) and cast.type_of(s.name) in ("Person", "Entity")),
        None,
    )
    label = f"{speaker}'s {age}{being}" if being.isascii() else match.group()
    if span and span.name != speaker:
        cast.add(span.name, "Entity" if pet else "Person", weight=9)
        if not many:
            cast.alias(label, span.name)
        yield Kin(owner=speaker, name=span.name, pet=pet)
    elif not many:
        member = cast.get(label) or cast.add(label, "Person", weight=9)
        yield Kin(owner=speaker, name=member.name, pet=False)
