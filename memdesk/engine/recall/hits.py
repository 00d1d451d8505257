"""Hits: the chosen memories as they are shown, each with its reasons and provenance, and what they come to: an answer
of the query, something near it but about someone else, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.rows import origins, salience_now
from memdesk.engine.recall.candidates import PassageSource, Pool
from memdesk.engine.recall.choosing import Choice, LeftOut, category_of
from memdesk.engine.recall.evidence import Item
from memdesk.engine.recall.fusion import Scored
from memdesk.engine.recall.query import ROLES, ResolvedQuery, first_name, named, subject_of
from memdesk.engine.recall.ranking import Ranking
from memdesk.engine.recall.time_mentions import language_of
from memdesk.engine.recall.time_words import GERMAN
from memdesk.engine.wording import shortened
from memdesk.model.entity import Entity
from memdesk.model.fact import FACT, Fact
from memdesk.model.instant import to_datetime
from memdesk.model.kinds import BY_RECORD, PASSAGE
from memdesk.model.message import NO_MESSAGE, Message, message
from memdesk.model.recall import ANSWERED, NEAR, NOTHING, Cut, Hit, Provenance, ScorePart
from memdesk.model.strategy import Strategy
from memdesk.model.trust import Reader, is_trusted, of_record
from memdesk.model.turn import TURN, Turn
from memdesk.store import recalls
from memdesk.store.connection import Connection

CUTS = 10
"""Most memories reported as left out, the best first."""


def hits_of(
    engine: Engine, db: Connection, pool: Pool, ranking: Ranking, chosen: Sequence[Scored]
) -> tuple[Hit, ...]:
    """Return the chosen memories as hits, in their order."""
    sources = [pool.sources[scored.seq] for scored in chosen]
    places = origins(db, sources)
    # An entity that was found by one of its other names is not in the pool itself.
    unread = [source.seq for source in sources if isinstance(source, Entity)]
    used = pool.used | (recalls.uses(db, unread) if unread else {})
    found = []
    doors = [of_record(owner_of(source)) for source in sources]
    for place, (scored, source) in enumerate(zip(chosen, sources, strict=True)):
        fades = isinstance(source, Fact | Entity)
        found.append(
            Hit(
                **display_fields(scored.seq, source),
                score=scored.score,
                parts=tuple(ScorePart(name=name, value=value) for name, value in scored.parts),
                provenance=_provenance(source, places),
                confidence=ranking.items[scored.seq].confidence
                if isinstance(source, Fact | Strategy)
                else None,
                salience=salience_now(engine, source, used.get(source.seq)) if fades else None,
                relevance=ranking.relevances.get(scored.seq, 0.0),
                ranks=ranks_of(scored.seq, ranking.places),
                source=doors[place][0],
                trust=doors[place][1],
            )
        )
    return tuple(found)


def cuts_of(pool: Pool, left: Iterable[LeftOut]) -> tuple[Cut, ...]:
    """Return the best CUTS memories that were left out."""
    found = []
    for each in list(left)[:CUTS]:
        source = display_fields(each.scored.seq, pool.sources[each.scored.seq])
        found.append(
            Cut(
                id=source["id"],
                kind=source["kind"],
                text=shortened(source["text"], 160),
                score=each.scored.score,
                by=each.by,
                because=each.says,
            )
        )
    return tuple(found)


def ranks_of(seq: int, places: Mapping[str, Mapping[int, int]]) -> dict[str, int]:
    """Return the place of a memory in each way of searching that found it."""
    return {name: found[seq] for name, found in places.items() if seq in found}


def display_fields(seq: int, source: Any) -> dict[str, Any]:
    """Return the displayed fields of a memory: id, kind, text, channel, category, at."""
    if isinstance(source, PassageSource):
        kind, text, at = PASSAGE, source.text, source.document.updated_at
    else:
        of = BY_RECORD[type(source)]
        kind, text, at = of.name, str(getattr(source, of.title)), source.created_at
        if isinstance(source, Entity) and source.description:
            text = f"{text}: {source.description}"
    owner = owner_of(source)
    lines = f"#L{source.first_line}-{source.last_line}" if isinstance(source, PassageSource) else ""
    return {
        "id": f"{owner.id}{lines}",
        "kind": kind,
        "text": text,
        "channel": owner.channel,
        "category": category_of(source),
        "at": to_datetime(at),
    }


def owner_of(source: Any) -> Any:
    """Return the record of a found memory: the file of a passage, else the memory itself."""
    return source.document if isinstance(source, PassageSource) else source


def as_seen(hits: Iterable[Hit], reader: Reader) -> tuple[Hit, ...]:
    """Return hits with the trust that this reader has in them."""
    return tuple(hit if is_trusted(hit.trust) else replace(hit, trust=_trust_in(hit, reader)) for hit in hits)


def _trust_in(hit: Hit, reader: Reader) -> float:
    place = hit.provenance
    return reader.trust_in(
        (hit.source, hit.trust), agent_id=place.agent_id, conversation_id=place.conversation_id
    )


def _provenance(source: Any, places: Mapping[str, Provenance]) -> Provenance:
    match source:
        case Turn() | Fact():
            return places.get(source.id, Provenance())
        case PassageSource():
            document = source.document
            return Provenance(
                document_id=document.id,
                path=document.path,
                agent_id=document.agent_id,
                first_line=source.first_line,
                last_line=source.last_line,
            )
        case _:
            return Provenance(agent_id=source.agent_id)


BEST = 3
"""Most hits that are read for the person they are about."""
READ = 60
"""Best memories that are compared by the person they are about."""
COMPARED = 2
"""Best memories of each person that are compared."""
ASIDE = 0.13
"""Difference of the summed scores of the best COMPARED from which a query fits one person clearly better than the one
it names. On LoCoMo 48 % of the questions that name the wrong speaker exceed it, and 1.5 % of those that have an answer
(tests/bench/README.md)."""
ALIKE = 0.8
"""Share of the best score from which a hit is read for it too."""
_WORD = re.compile(r"[^\W\d_][\w-]*")
_ASKER = re.compile(
    r"\b(?:i|my|me|mine|myself|ich|mein|meine|meinen|meiner|mich|mir|je|j['’]|mon|ma|mes|moi|yo|mi|mis)\b"
    r"|我(?!们|們)|(?:私|僕|俺)(?!たち)",
    re.IGNORECASE,
)
"""Word by which a person asks about themselves. Plural forms include others."""
_OWN = re.compile(r"(?:the )?user\b|i\b|my\b|我|私", re.IGNORECASE)
"""Beginning of a fact about the asker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Answer of a recall: `answered`, `near` or `nothing`, with the reason in a sentence, "" if answered."""

    state: str
    reason: Message = NO_MESSAGE


def answer_of(pool: Pool, ranking: Ranking, choice: Choice, asked: ResolvedQuery) -> Answer:
    """Return the answer of the chosen memories to the query.

    They are near it, but no answer, if none reaches the floor and they are by or about someone it names, if it names
    only people and things that no memory in its scope names, if it asks about the asker and the best are about
    somebody else, or if it names one person and fits another clearly better."""
    if not choice.kept:
        return Answer(state=NOTHING, reason=_nothing(ranking, choice, asked))
    if choice.near_names:
        return Answer(
            state=NEAR,
            reason=message(
                "Nothing told by or about {names} clearly answers this. These come nearest.",
                names=_listed(choice.near_names),
            ),
        )
    best = [
        pool.sources[each.seq] for each in choice.kept[:BEST] if each.score >= ALIKE * choice.kept[0].score
    ]
    about = list(dict.fromkeys(name for source in best for name in _about(source)))
    if strangers := unknown_names(pool, asked):
        return Answer(
            state=NEAR,
            reason=message(
                "No memory here names {strangers}. The nearest are about {about}.",
                strangers=_listed(strangers),
                about=_listed(about),
            )
            if about
            else message(
                "No memory here names {strangers}. The nearest are about something else.",
                strangers=_listed(strangers),
            ),
        )
    if about and asks_about_asker(asked.query.text) and not _may_be_asker(pool, choice, best, about):
        return Answer(
            state=NEAR, reason=message("The nearest are about {about}, not about you.", about=_listed(about))
        )
    if (other := _fits_better(pool, ranking, asked)) is not None:
        person, nearest = other
        return Answer(
            state=NEAR,
            reason=message(
                "The nearest are about {nearest}, not about {person}.", nearest=nearest, person=person
            ),
        )
    return Answer(state=ANSWERED)


def _fits_better(pool: Pool, ranking: Ranking, asked: ResolvedQuery) -> tuple[str, str] | None:
    """Return (person that a query names, person that it fits better); None if it names none or several, or
    fits no one else clearly better.

    Turns are compared where there are any: facts have the name in their words, and part of a score from their turn."""
    found = _by_person(ranking, TURN.name) or _by_person(ranking, FACT.name)
    persons = named(asked.query.text, found)
    if len(persons) != 1:
        return None
    (person,) = persons
    count = min(COMPARED, len(found[person]))
    fits = {name: sorted(map(_fit, scored), reverse=True)[:count] for name, scored in found.items()}
    nearest = max(fits, key=lambda name: (sum(fits[name]), name))
    if sum(fits[nearest]) - sum(fits[person]) < ASIDE:
        return None
    # An assistant speaks, but its turns are about somebody else.
    about = [pool.sources[scored.seq] for scored in found[nearest][:COMPARED]]
    return (person, nearest) if all(isinstance(each, Fact) or each.role == "user" for each in about) else None


def _by_person(ranking: Ranking, kind: str) -> dict[str, list[Scored]]:
    """Return the best memories of a kind by the person they are about, best first."""
    found: dict[str, list[Scored]] = {}
    for scored in ranking.scored[:READ]:
        item = ranking.items[scored.seq]
        if item.kind == kind and (person := _person(item)):
            found.setdefault(person, []).append(scored)
    return found


def _person(item: Item) -> str | None:
    """Return the first name of the speaker of a turn, or of the subject of a fact; None if there is none."""
    name = subject_of(item.text) if item.kind == FACT.name else item.speaker
    return first_name(name) if name else None


def _fit(scored: Scored) -> float:
    """Return a score without what it has for its speaker and its age."""
    return scored.score - sum(value for name, value in scored.parts if name in ("speaker", "recency"))


def unknown_names(pool: Pool, asked: ResolvedQuery) -> list[str]:
    """Return the names in a query, if no memory in its scope contains any of them and no speaker has one; else none.

    A name is a capitalised word after the first: one that is known is enough, because a question may put a new name
    next to it."""
    known = {term: posting.frequency for term, posting in zip(pool.terms, pool.postings, strict=False)}
    names = [word for word in _WORD.findall(asked.query.text)[1:] if word[0].isupper()]
    read = [name for name in names if name.lower() in known]
    # A title or a sentence in capitals has no names to tell apart.
    if len(names) > BEST or any(known[name.lower()] for name in read):
        return []
    # The name of a speaker need not be in any text.
    if named(asked.query.text, {item.speaker for item in pool.items if item.speaker}):
        return []
    return read


def asks_about_asker(text: str) -> bool:
    """Return True if a person asks about themselves and names no one: "Do I …?", "my …"."""
    if not _ASKER.search(text):
        return False
    # German writes every noun with a capital.
    return language_of(text.lower()) is GERMAN or not any(
        word[0].isupper() and not _ASKER.fullmatch(word) for word in _WORD.findall(text)[1:]
    )


def _about(source: object) -> Iterator[str]:
    """Yield the name of the person that a memory is about: the subject of a fact, the speaker of a turn."""
    match source:
        case Fact():
            if (subject := subject_of(source.claim)) and first_name(subject):
                yield subject
        case Turn() if source.role == "user" and source.speaker.lower() not in ROLES:
            yield source.speaker
        case _:
            return


def _may_be_asker(pool: Pool, choice: Choice, best: Sequence[object], about: Sequence[str]) -> bool:
    """Return True if the best hits may be about the asker: one of them names no one, one near them begins with the
    user, or the person named speaks as the user."""
    if any(not isinstance(source, Fact) or not list(_about(source)) for source in best):
        return True
    near = [pool.sources[each.seq] for each in choice.kept[:BEST]]
    if any(isinstance(source, Fact) and _OWN.match(source.claim) for source in near):
        return True
    names = {name.split()[0] for name in about}
    spoken = {
        item.speaker: item.seq for item in pool.items if item.speaker and item.speaker.split()[0] in names
    }
    return any(pool.sources[seq].role == "user" for seq in spoken.values())


def _nothing(ranking: Ranking, choice: Choice, asked: ResolvedQuery) -> Message:
    under = [left for left in choice.left if left.by == "floor"]
    if not under:
        return message("Nothing was found.")
    best = max(ranking.relevances.get(left.scored.seq, 0.0) for left in under)
    return message(
        "Nothing relevant was found: the best has a relevance of {best}, the floor is {floor}.",
        best=f"{best:.2f}",
        floor=f"{asked.floor:.2f}",
    )


def _listed(names: Sequence[str]) -> str:
    return (
        names[0]
        if len(names) == 1
        else message("{list} and {names}", list=", ".join(names[:-1]), names=names[-1])
    )
