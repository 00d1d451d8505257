"""Entry of every claim into memory: compared with what is believed of its subject and slot, whichever door it came by.

The same value adds a source, a newer value supersedes the other with its links, tags and pin, and a value that is
not clearly newer is asked about. Several values, other subjects, times and places stay side by side."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from memdesk.engine.beliefs.comparing import Judgement, Verdict, compare
from memdesk.engine.beliefs.expiry import expires_at, happened_once
from memdesk.engine.beliefs.reading import keys, read
from memdesk.engine.memory.draft import Draft, shielded
from memdesk.model.change import EDITS_AT_MOST
from memdesk.model.channel import GLOBAL
from memdesk.model.entity import DERIVED_FROM
from memdesk.model.fact import Fact
from memdesk.model.instant import DAY
from memdesk.model.message import Message, capital, message, remade, verbatim
from memdesk.store import beliefs, semantic
from memdesk.store.connection import Connection

_WORD = re.compile(r"\w+")
AT_ONCE = 3
"""Most facts that one claim supersedes: a claim that ends more is a misreading."""
SERIES = 3
"""Number of other values from which a slot evidently has several: "room 1 is free", "room 2 is free"."""
FULL = EDITS_AT_MOST * 4 // 5
"""Edits of a change from which it asks nothing more; the checkup does."""
PAST = "past"
LONG_AGO = re.compile(
    r"\b(?:years ago|used to|back in|as an? (?:kid|child|student)|in (?:19|20)\d\d)\b|年前|小时候"
)
A_YEAR = 365 * DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """Fact that states a claim now. known: memory had it already, in these or other words.

    superseded: ids of the facts that gave way to it. contradicts: ids of those that a person is asked about."""

    id: str
    known: bool
    superseded: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Circumstances of a claim. agent_id: who speaks of itself. document_id: the file it is a line of, whose lines
    are not compared with each other. correction: it corrects an earlier claim.

    asking_only: it supersedes nothing by itself. judged: judgements made beforehand, by fact id. sparing: facts that
    the caller takes care of itself."""

    author: str
    agent_id: str | None = None
    document_id: str | None = None
    correction: bool = False
    asking_only: bool = False
    judged: Mapping[str, Judgement] | None = None
    sparing: Collection[str] = ()


def believe(draft: Draft, claim: str, said: Said, **fields: Any) -> Belief:
    """Draft a claim as a fact, or as another source of the fact that states it.

    fields: the other fields of a new fact, as for `Draft.fact`."""
    fields = {**fields, "valid_to": fields.get("valid_to") or expires_at(claim, draft.at)}
    if (known := draft.known_fact(claim)) is not None:
        draft.fact(claim, **fields)
        return Belief(id=known, known=True)
    found = [] if _has_ended(fields, draft.at) else list(judgements(draft, claim, said))
    if fields.get("temporal") == PAST:
        found = of_the_past(claim, found, began=fields.get("valid_from"), at=draft.at)
    if (same := next((fact for fact, judged in found if judged.verdict is Verdict.SAME), None)) is not None:
        draft.fact(claim, **fields, wording_of=same.id)
        _support(draft, same, fields)
        return Belief(id=same.id, known=True)
    id, _ = draft.fact(claim, **fields)
    gone, asked = [], []
    for fact, judged in found:
        less = draft.believes_less(fact, fields.get("source_turn_id"))
        if judged.verdict is Verdict.UPDATE and not less and _may_supersede(draft, fact, said):
            gone.append(fact)
        elif judged.verdict in (Verdict.UPDATE, Verdict.CONTRADICTION):
            asked.append((fact, judged.reason))
    for fact in gone[:AT_ONCE]:
        draft.supersede(fact, id)
    asked = asked if len(asked) < SERIES and len(draft.edits) < FULL else []
    for fact, reason in asked:
        ask_which(draft, id, fact.id, reason, claims=[claim, fact.claim])
    return Belief(
        id=id,
        known=False,
        superseded=tuple(fact.id for fact in gone[:AT_ONCE]),
        contradicts=tuple(fact.id for fact, _ in asked),
    )


def _may_supersede(draft: Draft, fact: Fact, said: Said) -> bool:
    """Return True if a newer value may take the place of a fact without a person's word."""
    return not said.asking_only and not shielded(draft.db, [fact.id], said.author)


def ask_which(draft: Draft, id: str, other_id: str, reason: Message, *, claims: list[str]) -> str | None:
    """Draft the question which of two contrary facts is true; return its id, None if it was asked before."""
    return draft.propose("contradiction", id, other_id, reason=sentence(reason), details={"claims": claims})


def sentence(reason: Message) -> Message:
    """Return the reason of a judgement as a sentence."""
    return message("{reason}.", reason=capital(reason))


def ask_about(draft: Draft, fact: Fact, claim: str, *, author: str) -> None:
    """Draft questions about the facts that a changed claim repeats or contradicts; nothing gives way to an edit."""
    said = Said(author=author, agent_id=fact.agent_id, sparing=(fact.id,))
    for other, judged in list(judgements(draft, claim, said))[:AT_ONCE]:
        if judged.verdict is Verdict.SAME:
            draft.propose("duplicate", fact.id, other.id, reason=message("The same claim in other words."))
        else:
            ask_which(draft, fact.id, other.id, judged.reason, claims=[claim, other.claim])


def would_supersede(draft: Draft, claim: str, said: Said) -> list[str]:
    """Return the ids of the facts that a claim would supersede, as the desk is now."""
    found = judgements(draft, claim, said)
    return [fact.id for fact, judged in found if judged.verdict is Verdict.UPDATE]


def judgements(
    draft: Draft, claim: str, said: Said, beside: Iterable[Fact] = ()
) -> Iterator[tuple[Fact, Judgement]]:
    """Yield the facts of the draft's channel that a claim repeats or denies, those with most in common first.

    beside: facts of this change, which are not stored yet."""
    mine = read(claim)
    called = naming(draft.db, draft.user_id, draft.channel, claim)
    known_as = called.unified(claim)
    for fact in (*beside, *believed_about(draft.db, draft.user_id, draft.channel, claim, called)):
        if fact.id in said.sparing or fact.has_ended(draft.at):
            continue
        if mine.personal and read(fact.claim).personal and fact.agent_id != (said.agent_id or draft.agent_id):
            continue
        if said.document_id is not None and _is_line_of(draft.db, fact.id, said.document_id):
            continue
        known = (said.judged or {}).get(fact.id)
        judged = known or compare(known_as, called.unified(fact.claim), correction=said.correction)
        gone_by = fact.temporal == PAST and judged.verdict is not Verdict.SAME and not happened_once(claim)
        if judged.verdict is not Verdict.APART and not gone_by:
            yield fact, replace(judged, reason=as_written(judged.reason, claim, fact.claim))


def as_written(reason: Message, *claims: str) -> Message:
    """Return a reason with its words spelled as in the claims: Porto, not porto."""
    spelled = {word.lower(): word for claim in claims for word in _WORD.findall(claim)}

    def written(part: object) -> object:
        return (
            _WORD.sub(lambda match: spelled.get(match[0], match[0]), part) if isinstance(part, str) else part
        )

    if not reason.id:
        return verbatim(str(written(reason)))
    return remade(reason, {name: written(part) for name, part in reason.parts.items()})


def first_in_doubt(draft: Draft, claim: str) -> Fact | None:
    """Return the fact nearest to a claim whose relation to it the rules do not know; None if they know all."""
    called = naming(draft.db, draft.user_id, draft.channel, claim)
    held = believed_about(draft.db, draft.user_id, draft.channel, claim, called)
    known_as = called.unified(claim)
    return next((fact for fact in held if compare(known_as, called.unified(fact.claim)).doubt), None)


def believed_about(db: Connection, user_id: str, channel: str, claim: str, called: Naming) -> list[Fact]:
    """Return the current facts of a channel about the subject and slot of a claim, under all names of its subject."""
    claims = [claim, *called.variants(claim)]
    pairs = frozenset(pair for each in claims for pair in keys(each, looking=True))
    return beliefs.about_the_same(db, user_id, channel, pairs)


def of_the_past(
    claim: str, found: Iterable[tuple[Fact, Judgement]], *, began: int | None, at: int
) -> list[tuple[Fact, Judgement]]:
    """Return what a claim of the past says of others: it repeats one, states a change that still holds, or gives
    another day to what happens once."""
    holds = read(claim).changes and not LONG_AGO.search(claim) and (began or at) >= at - A_YEAR
    return [
        (fact, judged)
        for fact, judged in found
        if ((holds or happened_once(claim)) and judged.verdict in (Verdict.UPDATE, Verdict.CONTRADICTION))
        or (judged.verdict is Verdict.SAME and fact.temporal == PAST)
    ]


def _has_ended(fields: Mapping[str, Any], at: int) -> bool:
    """Return True for a claim whose time is over, at UTC microseconds; a present one does not contradict it."""
    ended = fields.get("valid_to")
    return fields.get("temporal") != PAST and ended is not None and ended <= at


def _is_line_of(db: Connection, fact_id: str, document_id: str) -> bool:
    return semantic.relation_exists(db, fact_id, document_id, DERIVED_FROM)


def _support(draft: Draft, fact: Fact, fields: Mapping[str, Any]) -> None:
    """Add the turn that repeats a fact to its sources."""
    if (turn := fields.get("source_turn_id")) is not None:
        draft.relation(fact.id, turn, DERIVED_FROM, confidence=fields["confidence"], source_turn_id=turn)


NAMED_AT_MOST = 6
"""Words of a claim that are looked up as names."""
FORMS_AT_MOST = 4
"""Names of one entity under which a claim is looked up."""
_NAME_WORD = re.compile(r"[\w'’-]+")
_OWNED = re.compile(r"['’]s?$")
_LONGEST_NAME = 3


@dataclass(frozen=True, slots=True)
class Naming:
    """Entities that a claim names, each with all its names, the longest first."""

    entities: tuple[tuple[str, ...], ...] = ()

    def unified(self, claim: str) -> str:
        """Return a claim that calls each entity by its longest name."""
        for names in self.entities:
            claim = _any_of(names).sub(names[0], claim)
        return claim

    def variants(self, claim: str) -> list[str]:
        """Return the claim as it would be with the other names of each entity."""
        renamed = [
            _any_of(names).sub(name, claim) for names in self.entities for name in names[:FORMS_AT_MOST]
        ]
        return [each for each in dict.fromkeys(renamed) if each != claim]


def naming(db: Connection, user_id: str, channel: str, claim: str) -> Naming:
    """Return the entities with several names that a claim names; a name that two entities share names neither."""
    written = written_names(claim)
    if not written:
        return Naming()
    named = semantic.all_names(db, user_id, tuple(dict.fromkeys((channel, GLOBAL))), written)
    meant: dict[str, set[str]] = defaultdict(set)
    for id, names in named.items():
        for name in names:
            meant[name.casefold()].add(id)
    found = []
    for names in named.values():
        own = tuple(
            sorted((name for name in names if len(meant[name.casefold()]) == 1), key=len, reverse=True)
        )
        if len(own) > 1:
            found.append(own)
    return Naming(tuple(found))


def written_names(claim: str) -> list[str]:
    """Return runs of up to three capitalised words of a claim, the longest at each place first."""
    words = _NAME_WORD.findall(claim)
    found: list[str] = []
    for place in range(len(words)):
        for size in range(_LONGEST_NAME, 0, -1):
            run = words[place : place + size]
            if len(run) == size and all(each[:1].isupper() for each in run):
                found.append(_OWNED.sub("", " ".join(run)))
    return list(dict.fromkeys(found))[:NAMED_AT_MOST]


def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")
