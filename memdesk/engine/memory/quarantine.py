"""Quarantine: a memory that looks like an instruction to the agent is kept out of recall until a person
decides if it may return."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from memdesk.engine.beliefs.reading import read
from memdesk.engine.engine import Engine
from memdesk.engine.memory import line_links, standing_decisions
from memdesk.engine.memory.draft import PERSON, Draft
from memdesk.engine.steering import judge
from memdesk.engine.steering.reading import SUREST, Steering, folded, steering
from memdesk.engine.wording import shortened, tidied
from memdesk.model import trust
from memdesk.model.change import Change, Edit
from memdesk.model.curation import Curated
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.kind import Kind
from memdesk.model.kinds import with_act
from memdesk.model.message import Message, message, verbatim
from memdesk.model.review import QUARANTINE, Quarantine
from memdesk.model.trust import LEVELS, WEB, Door, of_author
from memdesk.model.turn import TURN
from memdesk.store import proposing, records
from memdesk.store.connection import Connection

NOT_BY_PERSON = 0.15
"""Certainty added to a rule if the words are not the person's."""

JUDGED = 0.65
"""Certainty of what the learned judge finds, set by hand: held by default, the first to pass if that is raised."""

SUPPORTING = 0.6
"""Share of a claim's words that a turn must have to support it."""
_WORD = re.compile(r"\w+")
_UNSEEN = re.compile(r"[\u202a-\u202e\u2066-\u2069]|[\U000e0020-\U000e007f]{3,}|(?:\u200b|\u2060|\ufeff){3,}")
UNSEEN = Steering(message("It hides characters that nobody sees"), 0.7, message("invisible characters"))


def suspicion(text: str, *, by_person: bool) -> Steering | None:
    """Return what a text does to an agent that it should not; None if it reads as harmless.

    by_person: the person wrote the text in a conversation."""
    found = steering(text)
    if _UNSEEN.search(text) and (found is None or found.certainty < UNSEEN.certainty):
        found = UNSEEN
    if found is None or by_person:
        return found
    return replace(found, certainty=round(min(SUREST, found.certainty + NOT_BY_PERSON), 2))


def said_by_person(draft: Draft, claim: str, quote: str, turn_id: str | None) -> bool:
    """Return True if a turn of a person supports a claim: it has the quoted words, or most words of the claim."""
    turn = None if turn_id is None else records.get(draft.db, TURN, turn_id)
    if turn is None or turn.origin != trust.PERSON:
        return False
    said = folded(turn.content)
    if quote.strip() and folded(quote) not in said:
        return False
    words = set(_WORD.findall(folded(quote or claim)))
    return len(words & set(_WORD.findall(said))) >= SUPPORTING * len(words)


def door_of_text(text: str, author: str) -> Door:
    """Return the door of free text that an author keeps: words that steer an agent are trusted as little as a page
    of the web, unless they are a person's."""
    door = of_author(author)
    harmless = author.startswith(PERSON) or suspicion(text, by_person=False) is None
    return door if harmless else (door[0], LEVELS[WEB])


QUARANTINABLE = with_act("quarantine")
BY_HAND = message("Held out of recall by hand.")
REASON_CHARACTERS = 1_000


@dataclass(frozen=True, slots=True)
class Doubt:
    """Reason why a claim must not be recalled before a person has seen it. known: id of a quarantined fact
    with the same claim."""

    says: Message
    known: str | None = None


def find_doubt(draft: Draft, claim: str, quote: str, *, author: str, by_person: bool) -> Doubt | None:
    """Return a reason to distrust a claim: it is quarantined already, its source is distrusted, or it reads
    like an instruction.

    A claim that a person enters is never doubted, nor one that a turn of a person supports. by_person: it was read
    from such a turn, which the rules alone look at."""
    if author.startswith(PERSON):
        return None
    if (known := held_out(draft, claim)) is not None:
        return known
    threshold = draft.engine.settings.quarantine_from
    found = suspicion(_with_quote(claim, quote), by_person=by_person)
    if (found is None or found.certainty < threshold) and not by_person and threshold <= JUDGED:
        found = _judged(claim)
    if found is None or found.certainty < threshold:
        return None
    return Doubt(
        message(
            "{says}: “{words}”. A rule of thumb, {count} sure.",
            says=found.says,
            words=found.words,
            count=f"{found.certainty:.2f}",
        )
    )


def read_ahead(claim: str, quote: str, *, by_person: bool) -> None:
    """Read a claim, so that the writer, which others wait for, finds it read. Arguments: as for `find_doubt`."""
    read(claim)
    steering(_with_quote(claim, quote))
    if not by_person:
        judge.steers(claim)


def _with_quote(claim: str, quote: str) -> str:
    return claim if quote in claim else f"{claim}\n{quote}"


def _judged(claim: str) -> Steering | None:
    piece = judge.steers(claim)
    if piece is None:
        return None
    return Steering(
        message("It reads like an instruction to agents that no person gave"), JUDGED, shortened(piece)
    )


def held_out(draft: Draft, claim: str) -> Doubt | None:
    """Return the reason for which a claim is out of recall already, or its source is distrusted."""
    known = proposing.quarantined_fact(draft.db, draft.user_id, draft.channel, claim)
    if known is not None:
        return Doubt(message("It is held out of recall already."), known)
    decision = standing_decisions.quarantining_decision(
        draft.db, draft.user_id, agent_id=draft.agent_id, channel=draft.channel
    )
    if decision is None:
        return None
    return Doubt(message("{decision}.", decision=standing_decisions.decision_label(decision)))


def draft_quarantined(draft: Draft, doubt: Doubt, claim: str, **fields: Any) -> tuple[str, bool]:
    """Draft a quarantined fact, with the question about it. Returns (id, True if it existed)."""
    if doubt.known is not None:
        return doubt.known, True
    id, known = draft.fact(claim, retired_at=draft.at, **fields)
    if not known:
        draft.question(QUARANTINE, id, None, reason=doubt.says)
    return id, known


def quarantine(engine: Engine, ask: Quarantine, *, author: str) -> Curated:
    """Quarantine a memory; the lines that a fact is read from are removed from their files.

    Raises NotFound, BadAsk for a kind that is not recalled, Conflict for a memory out of recall already;
    StorageFailed."""
    reason = (
        verbatim(tidied(ask.reason, message("A reason"), REASON_CHARACTERS))
        if ask.reason.strip()
        else BY_HAND
    )

    def verb(db: Connection) -> tuple[Change | None, str]:
        kind, record = records.any_record(db, ask.id)
        title = shortened(str(getattr(record, kind.title)))
        draft = Draft(
            engine=engine,
            db=db,
            user_id=record.user_id,
            channel=record.channel,
            agent_id=getattr(record, "agent_id", None),
            at=engine.clock(),
        )
        return Change.about(
            record,
            "retire",
            message("Quarantined: {subject}", subject=title),
            author=author,
            edits=quarantine_edits(draft, kind, record, reason=reason),
            layer=kind.layer,
            details={"reason": reason},
        ), title

    applied, title = engine.decide(verb, (ask.id,))
    assert applied is not None
    return Curated(
        id=ask.id, change=applied.id, title=verbatim(title), files=line_links.paths(engine, applied)
    )


def quarantine_edits(draft: Draft, kind: Kind[Any], record: Any, *, reason: Message) -> list[Edit]:
    """Add the edits that quarantine a memory and ask about it to the draft; return the draft's edits. Raises
    BadAsk, Conflict."""
    if kind.name not in QUARANTINABLE:
        raise BadAsk(
            message("A {label} is not held out of recall.", label=kind.label.lower()),
            next=message("Retire it instead."),
        )
    if record.retired_at is not None or getattr(record, "superseded_by", None) is not None:
        raise Conflict(
            message("“{claim}” is out of recall already.", claim=shortened(str(getattr(record, kind.title))))
        )
    draft.edits.append(records.update_edit(kind, record, retired_at=draft.at))
    draft.question(QUARANTINE, record.id, None, reason=reason)
    return draft.edits
