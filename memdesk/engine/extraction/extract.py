"""Extraction by cues: entities, facts and relations of one conversation or note.

Each finder handles its own part; this module combines them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo

from memdesk.engine.extraction import (
    chinese,
    cjk,
    cues,
    english,
    entities,
    german,
    japanese,
    spanish,
    statements,
)
from memdesk.engine.extraction.answers import question_of, returned
from memdesk.engine.extraction.cjk import full_name
from memdesk.engine.extraction.corrections import apply_phrases, cancelled, claims_of_correction, corrections
from memdesk.engine.extraction.discourse import Discourse, Question, acquaintances
from memdesk.engine.extraction.english_words import CHATTER, OPENERS, TITLES, VAGUE
from memdesk.engine.extraction.entities import Cast, Kin, add_names, add_speakers, relations
from memdesk.engine.extraction.findings import (
    Draft,
    Found,
    FoundCorrection,
    FoundEntity,
    FoundFact,
    FoundRelation,
    Scene,
    Utterance,
)
from memdesk.engine.extraction.gazetteer import TOPICS
from memdesk.engine.extraction.language import WORD, Sentence, has_han, trivial
from memdesk.engine.extraction.names import NOT_NAMES, Sightings
from memdesk.engine.extraction.quoting import claims_of, turn_of
from memdesk.engine.extraction.revisions import Revision, revised, revisions
from memdesk.engine.extraction.times import Dated, add_dates, has_time
from memdesk.engine.extraction.transcript import (
    NAMELESS,
    SENTENCE_CHARACTERS,
    ReadTurn,
    read_turn,
    transcript,
)
from memdesk.model.fact import CERTAINTY
from memdesk.model.quotation import answer_at, without_other_names

FACTS_AN_UTTERANCE = 12
"""Most claims kept of one utterance, the first ones: more come from a document, not from a person talking."""
_SELF_NAMED = re.compile(
    r"\b(?:(?:[Mm]y name is|[Cc]all me|I'm|I am) ([A-Z][a-z]+)(?=[,.!]| and\b| from\b|$))"
    r"|(?:我叫|我的名字[是叫])"
)
_EMPTY = CHATTER | OPENERS | VAGUE
_YEARLY = re.compile(r"\bbirthday is\b|\bwas born\b|生日是|誕生日は|生于|生まれ")
"""Claims whose day has no year, or names its own."""
_QUOTE = re.compile(r'(?<![\w"])"(?=\w)[^"]{3,}?[.!?,] [^"]{3,}[.!?,]"')
"""Pattern of a quotation of several sentences, which somebody else said."""
_QUESTION = re.compile(r"[?？]\s*(?=\w)")
_NOT_LETTERS = re.compile(r"[\W_]+")


def extract(
    utterances: Sequence[Utterance],
    *,
    heard: Sequence[Utterance] = (),
    user_name: str = "User",
    zone: tzinfo | None = None,
) -> Found:
    """Return the entities of a conversation, most mentioned first, and its facts and relations in order.

    heard: the turns before, which were read earlier: they give these a meaning and bring nothing themselves.
    user_name: name for the speaker "user". zone: time zone of the speakers; if given, relative times
    ("yesterday") are followed by their date. Never raises on any text."""
    read = transcript([*heard, *utterances], user_name)
    noted = revisions(read)
    cast = _cast(read)
    scenes = _scenes(read, cast)

    def drafts(one: ReadTurn) -> list[Draft]:
        scene = scenes[one.speaker]
        worded = list(_claims_of(one, scene))
        if trivial(one.utterance.text):
            return worded
        return claims_of(turn_of(one, noted.get(one.utterance.id)), worded, scene)

    return _found(read, cast, drafts, zone, noted, frozenset(each.id for each in heard))


def extract_lines(
    lines: Sequence[Utterance],
    *,
    user_name: str = "User",
    claims: Mapping[str, Sequence[Draft]],
) -> Found:
    """Return the entities, facts and relations in the lines of a markdown note.

    claims: the claims of the lines by utterance id."""
    read = [read_turn(line, user_name) for line in lines]
    cast = _cast(read, speaking=False)
    return _found(read, cast, lambda one: claims.get(one.utterance.id, ()), None, {})


def _cast(read: list[ReadTurn], *, speaking: bool = True) -> Cast:
    """Return the people and things that the conversation names, its speakers first."""
    cast, sightings = Cast(), Sightings()
    if speaking:
        add_speakers(cast, ((one.utterance, one.speaker) for one in read))
    for one in read:
        for tongue, sentence in one.sentences:
            trusted = one.utterance.role != "assistant" or cues.OUTCOME.search(sentence.text) is not None
            sightings.read(one.utterance.id, _named_alone(tongue, sentence.text), trusted=trusted)
            if has_han(sentence.text):
                for name, type, weight in cjk.names(sentence.text):
                    cast.add(name, type, weight=weight)
                    cast.mention(name, one.utterance.id)
    add_names(cast, sightings)
    for one in read:
        _name_oneself(one, cast)
    return cast


def _named_alone(tongue: str, text: str) -> str:
    """Return a sentence whose capitals are those of names: German nouns and first words of Spanish have others."""
    if tongue == "de":
        return german.with_names_alone(text)
    return re.sub(r"^\W*\w", lambda m: m.group().lower(), text) if tongue == "es" else text


def _name_oneself(one: ReadTurn, cast: Cast) -> None:
    """Give a speaker known only as the user the name they state: "I'm Mara", 我叫李明."""
    if one.utterance.role != "user" or one.utterance.speaker.lower() not in NAMELESS:
        return
    for _, sentence in one.sentences:
        match = _SELF_NAMED.search(sentence.text)
        name = match.group(1) or full_name(sentence.text, match.end()) if match else None
        if name and cast.type_of(name) in ("Person", "Entity"):
            cast.merge(name, one.speaker)


def _scenes(read: list[ReadTurn], cast: Cast) -> dict[str, Scene]:
    """Return the scene of each speaker; all share one discourse."""
    discourse = Discourse(
        people=frozenset(
            m.name.split()[0]
            for m in cast.members()
            if not m.fixed
            and m.name.split()[0].lower() not in TITLES
            and (
                m.type == "Person"
                or (
                    m.type == "Entity"
                    and " " not in m.name
                    and m.votes["Organization"] <= 0
                    and m.votes["Person"] >= 0
                    and not m.name.endswith("s")
                )
            )
        ),
        acquaintances=acquaintances(one.text for one in read),
        places=frozenset(m.name for m in cast.members() if m.type == "Location"),
    )
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
            discourse=discourse,
        )
        for speaker in everybody
    }


def _claims_of(one: ReadTurn, scene: Scene) -> Iterator[Draft]:
    """Yield the claims of one turn: first the answer to the question before it, then those of its sentences."""
    discourse = scene.discourse
    discourse.turn += 1
    asked, discourse.question = discourse.question, None
    sentences = list(one.sentences)
    if asked and sentences and asked.asker != one.speaker and not sentences[0][1].asked:
        reply = list(_reply(asked, *sentences[0], scene))
        if (
            not reply
            and len(sentences) > 1
            and not sentences[1][1].asked
            and _says_nothing(sentences[0][1].text)
        ):
            reply = list(_reply(asked, *sentences[1], scene))
            sentences = sentences[1:] if reply else sentences
        yield from reply
        if reply:
            tongue, first = sentences[0]
            if tongue == "en":
                discourse.note(first.text, one.speaker, scene.partner)
            sentences = [*_rest(tongue, first, reply[-1].end), *sentences[1:]]
    heard = () if scene.agent else tuple(corrections(one.text))
    done: set[int] = set()
    quoted = () if scene.at_work else tuple(_QUOTE.finditer(one.text))
    sentences = [
        pair for pair in sentences if not any(each.start() < pair[1].start < each.end() for each in quoted)
    ]
    short = trivial(one.utterance.text)
    other = asked if asked and asked.asker != one.speaker else None
    topic = (japanese if sentences and sentences[0][0] == "ja" else chinese).topic_of(other, scene)
    for at, (tongue, sentence) in enumerate(sentences):
        correction = next((c for c in heard if c.start <= sentence.start < c.end), None)
        if tongue == "zh" and len(sentence.text) <= SENTENCE_CHARACTERS:
            chinese.note(sentence.text, one.speaker, scene.partner, discourse)
        if correction is None and not (short and asked is None):
            yield from _claims(tongue, sentence, scene, topic if at == 0 else "")
        elif correction is not None and correction.start not in done:
            done.add(correction.start)
            yield from claims_of_correction(correction, lambda tongue, part: _claims(tongue, part, scene))
        if len(sentence.text) <= SENTENCE_CHARACTERS:
            if tongue == "en":
                discourse.note(sentence.text, one.speaker, scene.partner)
            elif tongue == "ja":
                japanese.note(sentence.text, one.speaker, discourse)
            if sentence.asked:
                discourse.question = (
                    returned(sentence.text, asked, one.speaker) or question_of(sentence.text, one.speaker)
                    if tongue == "en"
                    else Question(one.speaker, sentence.text)
                )


def _says_nothing(text: str) -> bool:
    """Return True for a first sentence that only greets or agrees: "Thanks, Mel!"."""
    words = [match.group() for match in WORD.finditer(text)]
    return len(words) <= 4 and all(word.lower() in _EMPTY or word[0].isupper() for word in words)


def _rest(tongue: str, sentence: Sentence, end: int) -> Iterator[tuple[str, Sentence]]:
    """Yield the part of a sentence after the answer that it begins with."""
    text = sentence.text[end - sentence.start :]
    body = text.lstrip("，,。 ")
    if body:
        yield tongue, Sentence(start=end + len(text) - len(body), text=body, asked=False)


def _reply(asked: Question, tongue: str, sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    if scene.agent or len(sentence.text) > SENTENCE_CHARACTERS:
        return
    if tongue == "en":
        yield from english.reply(asked, sentence, scene)
    elif tongue == "zh":
        yield from chinese.reply(asked, sentence, scene)


def _claims(tongue: str, sentence: Sentence, scene: Scene, topic: str = "") -> Iterator[Draft]:
    if len(sentence.text) > SENTENCE_CHARACTERS:
        return
    if tongue == "zh":
        yield from list(chinese.claims(sentence, scene, topic)) or statements.dense_claims(
            tongue, sentence, scene
        )
        if not scene.agent:
            yield from chinese.introductions(sentence, scene)
    elif tongue == "ja":
        drafts = list(japanese.claims(sentence, scene, topic))
        yield from drafts
        if not drafts:
            introduced = list(japanese.introductions(sentence, scene))
            yield from introduced or statements.dense_claims(tongue, sentence, scene)
    elif tongue in ("de", "es"):
        own = german if tongue == "de" else spanish
        yield from list(own.claims(sentence, scene)) or statements.claims(tongue, sentence, scene)
    elif tongue == "en":
        drafts = list(english.claims(sentence, scene))
        yield from (
            drafts or list(english.subordinate(sentence, scene)) or statements.claims(tongue, sentence, scene)
        )
        yield from english.relatives(sentence, scene)
        yield from english.completed(sentence, scene)
        if not scene.agent:
            yield from entities.introductions(sentence, scene.speaker)


def _found(
    read: list[ReadTurn],
    cast: Cast,
    drafts: Callable[[ReadTurn], Iterable[Draft]],
    zone: tzinfo | None,
    noted: Mapping[str, Revision],
    heard: Collection[str] = (),
) -> Found:
    every = revised(read, noted, _distinct(read, drafts, heard))
    drafts_kept, phrases = apply_phrases(
        _kept(read, [(one, draft) for one, draft in every if one.utterance.id not in heard])
    )
    kin = [_relatives(one, draft, cast) for one, draft in drafts_kept]
    _add_topics(read, (draft.claim for _, draft in drafts_kept), cast)
    facts: list[FoundFact] = []
    bonds: list[FoundRelation] = []
    for (one, draft), relatives in zip(drafts_kept, kin, strict=True):
        fact, more = _finish(one, draft, relatives, cast, zone)
        facts.append(fact)
        bonds.extend(more)
    order = {one.utterance.id: i for i, one in enumerate(read)}
    return Found(
        entities=tuple(_mentioned(cast.entities(order), heard)),
        facts=tuple(facts),
        relations=_strongest(bonds),
        corrections=tuple(_unresolved(one, phrase) for one, phrase in phrases),
    )


def _mentioned(entities: Iterable[FoundEntity], heard: Collection[str]) -> Iterator[FoundEntity]:
    """Yield the entities that other turns than those heard mention."""
    for each in entities:
        mentions = tuple(id for id in each.mentions if id not in heard)
        if mentions:
            yield replace(each, mentions=mentions)


def _kept(read: list[ReadTurn], drafts: list[tuple[ReadTurn, Draft]]) -> list[tuple[ReadTurn, Draft]]:
    """Return the claims without plans that a later turn cancels."""
    turns = {id(one): number for number, one in enumerate(read)}
    texts = [one.text for one in read]
    gone = cancelled([(turns[id(one)], draft) for one, draft in drafts], texts)
    return [pair for at, pair in enumerate(drafts) if at not in gone]


def _distinct(
    read: list[ReadTurn], drafts: Callable[[ReadTurn], Iterable[Draft]], heard: Collection[str]
) -> Iterator[tuple[ReadTurn, Draft]]:
    """Yield each claim once, ignoring case and punctuation; at most FACTS_AN_UTTERANCE of each utterance.

    Corrections, and what repeats a turn heard, are never dropped as repeated."""
    seen: set[str] = set()
    for one in read:
        kept = 0
        for draft in drafts(one):
            key = _NOT_LETTERS.sub(" ", draft.claim.casefold()).strip()
            new = draft.phrase or draft.replaces is not None or key not in seen
            if new and kept < FACTS_AN_UTTERANCE:
                kept += 1
                if one.utterance.id not in heard:
                    seen.add(key)
                yield one, draft


def _unresolved(one: ReadTurn, phrase: Draft) -> FoundCorrection:
    return FoundCorrection(
        now=phrase.claim,
        was=phrase.replaces or "",
        utterance_id=one.utterance.id,
        quote=one.utterance.text[phrase.start : phrase.end],
    )


def _relatives(one: ReadTurn, draft: Draft, cast: Cast) -> list[Kin]:
    return [
        kin
        for claim in (each.claim for each in draft.worded or (draft,))
        for kin in entities.kin(claim, one.speaker, cast.find(claim), cast)
    ]


def _add_topics(read: list[ReadTurn], claims: Iterable[str], cast: Cast) -> None:
    """Add the everyday topics of the claims to the cast, and record every utterance that names them."""
    topics: dict[str, str] = {}
    for claim in claims:
        for spelling in _topic_spellings(claim):
            topics[spelling] = TOPICS.get(spelling, spelling)
    for spelling, name in topics.items():
        cast.add(name, "Concept", weight=0.5)
        cast.alias(spelling, name)
    for one in read:
        text = one.text.lower()
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
    one: ReadTurn, draft: Draft, relatives: list[Kin], cast: Cast, zone: tzinfo | None
) -> tuple[FoundFact, list[FoundRelation]]:
    spans = cast.find(without_other_names(draft.claim))
    family = [name for kin in relatives for name in (kin.name, kin.owner)]
    about = tuple(dict.fromkeys([*(span.name for span in spans), *family]))
    for name in about:
        cast.mention(name, one.utterance.id)
    past = draft.temporal == "past"
    yearly = _YEARLY.search(draft.claim) is not None
    dated = (
        _dated(draft.claim, one.utterance.at, zone, past=past)
        if zone and not yearly
        else Dated(claim=draft.claim)
    )
    fact = FoundFact(
        claim=dated.claim,
        valid_from=dated.start,
        valid_to=dated.end,
        category=draft.category,
        certainty=draft.certainty,
        confidence=CERTAINTY[draft.certainty] if draft.confidence is None else draft.confidence,
        temporal="future" if _is_to_come(draft, dated, one.utterance.at) else draft.temporal,
        about=about,
        utterance_id=one.utterance.id,
        quote=one.utterance.text[draft.start : draft.end],
        replaces=draft.replaces,
        quoted=tuple(each.turn_id for each in draft.exchange.words[:-1]) if draft.exchange else (),
        revises=draft.revises,
    )
    bonds = [_kin_bond(fact, kin, cast) for kin in relatives]
    for each in draft.worded or (draft,):
        reading = replace(fact, claim=each.claim, temporal=each.temporal)
        bonds.extend(relations(reading, cast.find(without_other_names(each.claim)), cast, one.speaker))
    return fact, bonds


def _dated(claim: str, at: int, zone: tzinfo, *, past: bool) -> Dated:
    """Return a claim with dates after relative times; of an exchange only its last words tell when it holds, of these
    what is behind a question."""
    begin = answer_at(claim)
    asked = _QUESTION.search(claim, begin)
    if asked and has_time(claim[asked.end() :]):
        begin = asked.end()
    last = add_dates(claim[begin:], at, zone, past=past)
    return replace(last, claim=claim[:begin] + last.claim)


def _is_to_come(draft: Draft, dated: Dated, at: int) -> bool:
    """Return True for a claim in the present tense that is dated after the turn: "The demo is on 14 May"."""
    return draft.temporal == "current" and dated.start is not None and dated.start > at


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
    specific = {frozenset((b.source, b.target)) for b in best.values() if b.type != "RELATED_TO"}
    return tuple(
        bond
        for bond in best.values()
        if bond.type != "RELATED_TO" or frozenset((bond.source, bond.target)) not in specific
    )
