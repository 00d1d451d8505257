"""Quarantine: a memory is kept out of recall until a person decides if it may return.

The memory is retired and has an open question; so every reader that skips retired memory skips it too, and
undoing the change restores it. No job deletes it while the question is open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.extraction.suspicion import suspicion
from memdesk.engine.memory import standing
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.protection import PERSON
from memdesk.engine.wording import shortened, tidied
from memdesk.engine.workspace import lines_follow
from memdesk.model.change import Change, Edit
from memdesk.model.curation import Curated
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.kind import Kind
from memdesk.model.proposal import QUARANTINE
from memdesk.model.review import Quarantine
from memdesk.store import proposing, records
from memdesk.store.connection import Connection

HELD_OUT = ("fact", "entity", "turn", "strategy")
BY_HAND = "Held out of recall by hand."
REASON_CHARACTERS = 1_000


@dataclass(frozen=True, slots=True)
class Doubt:
    """Reason why a claim must not be recalled before a person has seen it. known: id of a quarantined fact
    with the same claim."""

    says: str
    known: str | None = None


def doubt(draft: Draft, claim: str, quote: str, *, author: str, by_person: bool) -> Doubt | None:
    """Return a reason to distrust a claim: it is quarantined already, its source is distrusted, or it reads
    like an instruction.

    A claim that a person enters is never doubted. by_person: it was read from a turn of the person."""
    if author.startswith(PERSON):
        return None
    known = proposing.fact_held_out(draft.db, draft.user_id, draft.channel, claim)
    if known is not None:
        return Doubt("It is held out of recall already.", known)
    decision = standing.distrusted(draft.db, draft.user_id, agent_id=draft.agent_id, channel=draft.channel)
    if decision is not None:
        return Doubt(f"{standing.credit(decision)}.")
    threshold = draft.engine.settings.quarantine_from
    found = suspicion(f"{claim}\n{quote}", by_person=by_person)
    if found is None or found.certainty < threshold:
        return None
    return Doubt(f"{found.says}: “{found.words}”. A rule of thumb, {found.certainty:.2f} sure.")


def hold(draft: Draft, doubt: Doubt, claim: str, **told: Any) -> tuple[str, bool]:
    """Draft a quarantined fact, with the question about it. Returns (id, True if it existed)."""
    if doubt.known is not None:
        return doubt.known, True
    id, known = draft.fact(claim, retired_at=draft.at, **told)
    if not known:
        draft.question(QUARANTINE, id, None, reason=doubt.says)
    return id, known


def quarantine(engine: Engine, ask: Quarantine, *, author: str) -> Curated:
    """Quarantine a memory; the lines that a fact is read from are removed from their files.

    Raises NotFound, BadAsk for a kind that is not recalled, Conflict for a memory out of recall already;
    StorageFailed."""
    reason = tidied(ask.reason, "A reason", REASON_CHARACTERS) if ask.reason.strip() else BY_HAND

    def verb(db: Connection) -> tuple[Change | None, str]:
        kind, record = records.any_record(db, ask.id)
        title = shortened(str(getattr(record, kind.title)))
        draft = Draft(
            engine=engine, db=db, user_id=record.user_id, channel=record.channel,
            agent_id=getattr(record, "agent_id", None), at=engine.clock(),
        )  # fmt: skip
        return Change(
            op="retire", layer=kind.layer, title=f"Quarantined: {title}", author=author,
            edits=tuple(out_of_recall(draft, kind, record, reason=reason)), channel=record.channel,
            user_id=record.user_id, details={"reason": reason},
        ), title  # fmt: skip

    applied, title = lines_follow.decide(engine, verb, (ask.id,))
    assert applied is not None
    return Curated(id=ask.id, change=applied.id, title=title, files=lines_follow.paths(engine, applied))


def out_of_recall(draft: Draft, kind: Kind, record: Any, *, reason: str) -> list[Edit]:
    """Add the edits that quarantine a memory and ask about it to the draft; return the draft's edits. Raises
    BadAsk, Conflict."""
    if kind.name not in HELD_OUT:
        raise BadAsk(f"A {kind.label.lower()} is not held out of recall.", next="Retire it instead.")
    if record.retired_at is not None or getattr(record, "superseded_by", None) is not None:
        raise Conflict(f"“{shortened(str(getattr(record, kind.title)))}” is out of recall already.")
    draft.edits.append(records.moved(kind, record, retired_at=draft.at))
    draft.question(QUARANTINE, record.id, None, reason=reason)
    return draft.edits
