"""Extraction by cues: entities, facts and relations of one conversation or note.

Each finder handles its own part; this module combines them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo

from memdesk.engine.extraction import cjk, cues, english, entities, notes
from memdesk.engine.extraction.cjk import full_name
from memdesk.engine.extraction.corrections import apply_phrases, claims_of_correction, corrections
from memdesk.engine.extraction.entities import Cast, Kin, add_names, add_speakers
from memdesk.engine.extraction.findings import (
    Draft,
    Found,
    FoundCorrection,
    FoundFact,
    FoundRelation,
    Scene,
    Utterance,
)
from memdesk.engine.extraction.gazetteer import TOPICS
from memdesk.engine.extraction.language import WORD, Sentence, has_han, parts, plain, sentences, trivial
from memdesk.engine.extraction.names import NOT_NAMES, Sightings
from memdesk.engine.extraction.relations import relations
from memdesk.model.fact import CERTAINTY

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}
_RELATIVE = re.compile(
    r"\b(?:(?P<day>yesterday|last night|today|tonight|tomorrow)"
    r"|(?P<way>last|next) (?P<unit>week|month|year|mon|tue|tues|wed|thu|thurs|fri|sat|sun|\w+day)"
    r"|(?P<count>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten) (?P<span>day|week|month|year)s? ago)\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    "前天|昨天|昨晚|今天|今晚|明天|后天|上个?月|下个?月|去年|明年|上周(?![一二三四五六日天])"
    "|下周(?![一二三四五六日天])"
)
_CHINESE_DAYS = {"前天": -2, "昨天": -1, "昨晚": -1, "今天": 0, "今晚": 0, "明天": 1, "后天": 2}
_ENGLISH_DAYS = {"yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "tomorrow": 1}


def add_date(claim: str, at: int, zone: tzinfo) -> str:
    """Return the claim with a date after its first relative time, as seen in zone at that UTC microsecond."""
    try:
        day = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=at)).astimezone(zone).date()
        return _english(claim, day) or _chinese(claim, day) or claim
    except (OverflowError, ValueError):  # beyond the years a calendar holds
        return claim


def _english(claim: str, day: date) -> str | None:
    match = _RELATIVE.search(claim)
    if not match:
        return None
    when = _when({key: value.lower() for key, value in match.groupdict().items() if value}, day)
    return f"{claim[: match.end()]} ({when}){claim[match.end() :]}" if when else None


def _when(words: dict[str, str], day: date) -> str | None:
    if "day" in words:
        return _long(day + timedelta(days=_ENGLISH_DAYS[words["day"]]))
    if "way" in words:
        return _beside(day, -1 if words["way"] == "last" else 1, words["unit"])
    count = _NUMBERS.get(words["count"]) or int(words["count"])
    return _ago(day, count, words["span"])


def _beside(day: date, way: int, unit: str) -> str | None:
    if unit == "week":
        return f"week of {_long(day - timedelta(days=day.weekday() - 7 * way))}"
    if unit == "month":
        return _month(_months(day, way))
    if unit == "year":
        return str(day.year + way)
    index = next((i for i, name in enumerate(_DAYS) if name.startswith(unit[:3])), None)
    if index is None:
        return None
    distance = (index - day.weekday()) * way % 7 or 7
    return _long(day + timedelta(days=distance * way))


def _ago(day: date, count: int, unit: str) -> str:
    if unit == "day":
        return _long(day - timedelta(days=count))
    if unit == "week":
        return f"week of {_long(day - timedelta(days=day.weekday() + 7 * count))}"
    return _month(_months(day, -count)) if unit == "month" else str(day.year - count)


def _months(day: date, count: int) -> date:
    months = day.year * 12 + day.month - 1 + count
    return date(months // 12, months % 12 + 1, 1)


def _long(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _month(day: date) -> str:
    return f"{day:%B %Y}"


def _chinese(claim: str, day: date) -> str | None:
    match = _CHINESE.search(claim)
    if not match:
        return None
    word = match.group()
    if word in _CHINESE_DAYS:
        when = (day + timedelta(days=_CHINESE_DAYS[word])).isoformat()
    elif "月" in word:
        when = f"{_months(day, -1 if word[0] == '上' else 1):%Y-%m}"
    elif "年" in word:
        when = str(day.year + (-1 if word[0] == "去" else 1))
    else:
        when = f"{(day - timedelta(days=day.weekday() - (-7 if word[0] == '上' else 7))).isoformat()} 那周"
    return f"{claim[: match.end()]}（{when}）{claim[match.end() :]}"


READ_CHARACTERS = 60_000
"""Characters read of one utterance: the text after them is a pasted file, not speech."""
SENTENCE_CHARACTERS = 1_000
"""Characters of a sentence; a longer one is data without punctuation, and no claims are read from it."""
FACTS_AN_UTTERANCE = 12
"""Most claims kept of one utterance, the first ones: more come from a document, not from a person talking."""

_NAMELESS = ("user", "human", "")
_SELF_NAMED = re.compile(
    r"\b(?:(?:[Mm]y name is|[Cc]all me|I'm|I am) ([A-Z][a-z]+)(?=[,.!]| and\b| from\b|$))|(?:我叫|我的名字[是叫])"
)
_SPEAKING = ("user", "assistant")
_NOT_LETTERS = re.compile(r"[\W_]+")


@dataclass(slots=True, kw_only=True)
class _Read:
    """Utterance with its sentences and their languages."""

    utterance: Utterance
    speaker: str
    sentences: list[tuple[str, Sentence]] = field(default_factory=list)


def extract(utterances: Sequence[Utterance], *, user_name: str = "User", zone: tzinfo | None = None) -> Found:
    """Return the entities of a conversation, most mentioned first, and its facts and relations in order.

    user_name: name for the speaker "user". zone: time zone of the speakers; if given, relative times
    ("yesterday") are followed by their date. Never raises on any text."""
    read = [_read(u, user_name) for u in utterances if u.role in _SPEAKING]
    cast = _cast(read)
    scenes = _scenes(read, cast)

    def drafts(one: _Read) -> Iterator[Draft]:
        return _spoken(one, scenes[one.speaker])

    return _found(read, cast, drafts, zone)


def extract_lines(
    lines: Sequence[Utterance],
    *,
    user_name: str = "User",
    zone: tzinfo | None = None,
    claims: Mapping[str, Sequence[Draft]] | None = None,
) -> Found:
    """Return the entities, facts and relations in the lines of a markdown note.

    Headings among the lines set the category of the lines below them. claims: the claims of the lines by
    utterance id, where they were read already."""
    read = [_read(line, user_name) for line in lines]
    cast = _cast(read, speaking=False)
    page = notes.Page()

    def drafts(one: _Read) -> Iterable[Draft]:
        if claims is not None:
            return claims.get(one.utterance.id, ())
        return notes.claims(one.utterance.text[:READ_CHARACTERS], page, one.speaker)

    return _found(read, cast, drafts, zone)


def _read(utterance: Utterance, user_name: str) -> _Read:
    text = plain(utterance.text[:READ_CHARACTERS])
    speaker = _display(utterance, user_name)
    return _Read(
        utterance=utterance, speaker=speaker, sentences=[part for s in sentences(text) for part in parts(s)]
    )


def _display(utterance: Utterance, user_name: str) -> str:
    name = " ".join(utterance.speaker.split())
    if name.lower() in _NAMELESS and utterance.role == "user":
        return user_name
    return "Assistant" if name.lower() in ("assistant", "ai", "model", "") else name


def _cast(read: list[_Read], *, speaking: bool = True) -> Cast:
    """Return the people and things that the conversation names, its speakers first."""
    cast, sightings = Cast(), Sightings()
    if speaking:
        add_speakers(cast, ((one.utterance, one.speaker) for one in read))
    for one in read:
        for _, sentence in one.sentences:
            trusted = one.utterance.role != "assistant" or cues.OUTCOME.search(sentence.text) is not None
            sightings.read(one.utterance.id, sentence.text, trusted=trusted)
            if has_han(sentence.text):
                for name, type, weight in cjk.names(sentence.text):
                    cast.add(name, type, weight=weight)
                    cast.mention(name, one.utterance.id)
    add_names(cast, sightings)
    for one in read:
        _name_oneself(one, cast)
    return cast


def _name_oneself(one: _Read, cast: Cast) -> None:
    """Give a speaker known only as the user the name they state: "I'm Mara", 我叫李明."""
    if one.utterance.role != "user" or one.utterance.speaker.lower() not in _NAMELESS:
        return
    for _, sentence in one.sentences:
        match = _SELF_NAMED.search(sentence.text)
        name = match.group(1) or full_name(sentence.text, match.end()) if match else None
        if name and cast.type_of(name) in ("Person", "Entity"):
            cast.merge(name, one.speaker)


def _scenes(read: list[_Read], cast: Cast) -> dict[str, Scene]:
    """Return the scene of each speaker."""
    agents = {one.speaker for one in read if one.utterance.role == "assistant"}
    everybody = list(dict.fromkeys(one.speaker for one in read))
    called = frozenset(s.lower() for m in cast.members() if m.fixed for s in m.spellings)
    names = frozenset(m.name.split()[0].lower() for m in cast.members()) - NOT_NAMES
    return {
        speaker: Scene(
            speaker=speaker,
            partner=next((x for x in everybody if x != speaker), None) if len(everybody) == 2 else None,
            agent=speaker in agents,
            at_work=speaker not in agents and (bool(agents) or len(everybody) == 1),
            called=called,
            names=names,
        )
        for speaker in everybody
    }


def _spoken(one: _Read, scene: Scene) -> Iterator[Draft]:
    scene.antecedent = None
    if trivial(one.utterance.text):
        return
    heard = () if scene.agent else tuple(corrections(one.utterance.text[:READ_CHARACTERS]))
    told: set[int] = set()
    for tongue, sentence in one.sentences:
        correction = next((c for c in heard if c.start <= sentence.start < c.end), None)
        if correction is None:
            yield from _claims(tongue, sentence, scene)
        elif correction.start not in told:
            told.add(correction.start)
            yield from claims_of_correction(correction, lambda tongue, part: _claims(tongue, part, scene))


def _claims(tongue: str, sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    if len(sentence.text) > SENTENCE_CHARACTERS:
        return
    if tongue == "zh":
        yield from cjk.chinese_claims(sentence, scene)
    elif tongue == "ja":
        yield from cjk.japanese_claims(sentence, scene)
    elif tongue == "en":
        yield from english.claims(sentence, scene)
        if not scene.agent:
            yield from entities.introductions(sentence, scene.speaker)


def _found(
    read: list[_Read], cast: Cast, drafts: Callable[[_Read], Iterable[Draft]], zone: tzinfo | None
) -> Found:
    told, phrases = apply_phrases(_distinct(read, drafts))
    kin = [_relatives(one, draft, cast) for one, draft in told]
    _add_topics(read, (draft.claim for _, draft in told), cast)
    facts: list[FoundFact] = []
    bonds: list[FoundRelation] = []
    for (one, draft), relatives in zip(told, kin, strict=True):
        fact, more = _finish(one, draft, relatives, cast, zone)
        facts.append(fact)
        bonds.extend(more)
    order = {one.utterance.id: i for i, one in enumerate(read)}
    return Found(
        entities=cast.entities(order),
        facts=tuple(facts),
        relations=_strongest(bonds),
        corrections=tuple(_left(one, phrase) for one, phrase in phrases),
    )


def _distinct(read: list[_Read], drafts: Callable[[_Read], Iterable[Draft]]) -> Iterator[tuple[_Read, Draft]]:
    """Yield each claim once, ignoring case and punctuation; at most FACTS_AN_UTTERANCE of each utterance.

    Corrections are never dropped as repeated."""
    seen: set[str] = set()
    for one in read:
        kept = 0
        for draft in drafts(one):
            key = _NOT_LETTERS.sub(" ", draft.claim.casefold()).strip()
            new = draft.phrase or draft.replaces is not None or key not in seen
            if new and kept < FACTS_AN_UTTERANCE:
                seen.add(key)
                kept += 1
                yield one, draft


def _left(one: _Read, phrase: Draft) -> FoundCorrection:
    return FoundCorrection(
        now=phrase.claim,
        was=phrase.replaces or "",
        utterance_id=one.utterance.id,
        quote=one.utterance.text[phrase.start : phrase.end],
    )


def _relatives(one: _Read, draft: Draft, cast: Cast) -> list[Kin]:
    return list(entities.kin(draft.claim, one.speaker, cast.find(draft.claim), cast))


def _add_topics(read: list[_Read], claims: Iterable[str], cast: Cast) -> None:
    """Add the everyday topics of the claims to the cast, and record every utterance that names them."""
    topics: dict[str, str] = {}
    for claim in claims:
        for spelling in _topic_spellings(claim):
            topics[spelling] = TOPICS.get(spelling, spelling)
    for spelling, name in topics.items():
        cast.add(name, "Concept", weight=0.5)
        cast.alias(spelling, name)
    for one in read:
        text = one.utterance.text[:READ_CHARACTERS].lower()
        words = {m.group() for m in WORD.finditer(text)}
        for spelling, name in topics.items():
            if spelling in words or (not (spelling.isascii() and spelling.isalpha()) and spelling in text):
                cast.mention(name, one.utterance.id)


def _topic_spellings(claim: str) -> Iterator[str]:
    words = [m.group().lower() for m in WORD.finditer(claim)]
    for size in (3, 2, 1):
        for at in range(len(words) - size + 1):
            spelling = " ".join(words[at : at + size])
            if spelling in TOPICS:
                yield spelling
    yield from cjk.topics_in(claim)


def _finish(
    one: _Read, draft: Draft, relatives: list[Kin], cast: Cast, zone: tzinfo | None
) -> tuple[FoundFact, list[FoundRelation]]:
    spans = cast.find(draft.claim)
    family = [name for kin in relatives for name in (kin.name, kin.owner)]
    about = tuple(dict.fromkeys([*(span.name for span in spans), *family]))
    for name in about:
        cast.mention(name, one.utterance.id)
    fact = FoundFact(
        claim=add_date(draft.claim, one.utterance.at, zone) if zone else draft.claim,
        category=draft.category,
        certainty=draft.certainty,
        confidence=CERTAINTY[draft.certainty],
        temporal=draft.temporal,
        about=about,
        utterance_id=one.utterance.id,
        quote=one.utterance.text[draft.start : draft.end],
        replaces=draft.replaces,
    )
    own = [_kin_bond(fact, kin, cast) for kin in relatives]
    return fact, own + list(relations(fact, spans, cast, one.speaker))


def _kin_bond(fact: FoundFact, kin: Kin, cast: Cast) -> FoundRelation:
    member = cast.get(kin.name)
    return FoundRelation(
        source=kin.owner,
        target=member.name if member else kin.name,
        type="RELATED_TO" if kin.pet else "KNOWS",
        utterance_id=fact.utterance_id,
        confidence=fact.confidence,
    )


def _strongest(bonds: list[FoundRelation]) -> tuple[FoundRelation, ...]:
    """Return each relation once, at its best confidence, without a RELATED_TO between entities related more
    specifically."""
    best: dict[tuple[str, str, str], FoundRelation] = {}
    for bond in bonds:
        key = (bond.source, bond.target, bond.type)
        if key not in best or bond.confidence > best[key].confidence:
            best[key] = bond
    told = {frozenset((b.source, b.target)) for b in best.values() if b.type != "RELATED_TO"}
    return tuple(
        bond
        for bond in best.values()
        if bond.type != "RELATED_TO" or frozenset((bond.source, bond.target)) not in told
    )
