"""Corrections by a person: edit, retire, pin, rescue. One change each; an edit checks the claim the person
saw."""

from __future__ import annotations

from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.draft import CLAIM_CHARACTERS
from memdesk.engine.memory.goal_moves import put_away
from memdesk.engine.recall.rows import salience_now
from memdesk.engine.wording import shortened, tidied
from memdesk.engine.workspace import lines_follow
from memdesk.model.change import Change, Edit
from memdesk.model.curation import Curated, EditFact, Pin, Rescue, Retire
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.fact import FACT, TEMPORAL, Fact
from memdesk.model.goal import GOAL
from memdesk.model.kind import Kind
from memdesk.model.procedure import STRATEGY
from memdesk.store import recalls, records, semantic
from memdesk.store.connection import Connection

RETIRABLE = ("fact", "entity", "turn", "relation", "alias", "strategy", "goal", "tool_call")


def edit_fact(engine: Engine, ask: EditFact, *, author: str) -> Curated:
    """Correct a fact, and the line it is read from.

    Raises Conflict if its claim differs from the one the person saw, or another fact has the same claim;
    NotFound, BadAsk, StorageFailed."""
    after = _corrections(ask)

    def verb(db: Connection) -> tuple[Change | None, Fact]:
        fact: Fact = records.need(db, FACT, ask.fact_id)
        if ask.was is not None and fact.claim != ask.was:
            raise Conflict(
                "The claim changed while you were editing it.",
                details={"expected": ask.was, "found": fact.claim},
            )
        twin = semantic.fact_claiming(db, fact.user_id, fact.channel, after.get("claim", fact.claim))
        if twin is not None and twin.id != fact.id:
            raise Conflict(f"Fact {twin.id} claims that already.", next="Retire one of the two instead.")
        title = after.get("claim", fact.claim)
        return _change("update", fact, title, author, (records.moved(FACT, fact, **after),)), fact

    applied, fact = lines_follow.decide(engine, verb, (ask.fact_id,))
    return _curated(engine, applied, fact.id, after.get("claim", fact.claim))


def retire(engine: Engine, ask: Retire, *, author: str) -> Curated:
    """Hide a memory from recall; the lines a fact is read from are removed from their files.

    It stays in the history and undo restores it. Raises NotFound, BadAsk, Conflict, StorageFailed."""

    def change(db: Connection, kind: Kind, record: Any) -> tuple[Edit, ...]:
        if kind.name not in RETIRABLE:
            raise BadAsk(f"A {kind.label.lower()} cannot be retired on its own.")
        if record.retired_at is not None:
            raise Conflict(f"“{_title(kind, record)}” is retired already.")
        if kind is GOAL:
            return put_away(engine, db, record)
        return (records.moved(kind, record, retired_at=engine.clock()),)

    return _one_move(
        engine, ask.id, "retire", author, change, details={"reason": ask.reason} if ask.reason else {}
    )


def pin(engine: Engine, ask: Pin, *, author: str) -> Curated:
    """Keep a memory from fading, or let it fade again from its present salience.

    A strategy does not fade; its pin keeps jobs from changing it."""

    def change(db: Connection, kind: Kind, record: Any) -> tuple[Edit, ...]:
        if kind is not STRATEGY:
            _need_fading(kind)
        if bool(record.pinned) == ask.pinned:
            raise Conflict(f"“{_title(kind, record)}” is {'pinned' if ask.pinned else 'not pinned'} already.")
        if not kind.fades:
            return (records.moved(kind, record, pinned=int(ask.pinned)),)
        use = recalls.uses(db, [record.seq]).get(record.seq)
        worth = salience_now(engine, record, use)
        now = {"pinned": int(ask.pinned), "salience": worth, "salience_at": engine.clock()}
        return (records.moved(kind, record, **now),)

    return _one_move(engine, ask.id, "update", author, change, suffix="pinned" if ask.pinned else "unpinned")


def rescue(engine: Engine, ask: Rescue, *, author: str) -> Curated:
    """Set a fading memory's salience to the rescue value, as of now."""

    def change(db: Connection, kind: Kind, record: Any) -> tuple[Edit, ...]:
        _need_fading(kind)
        strong = {"salience": engine.settings.rescue_salience, "salience_at": engine.clock()}
        return (records.moved(kind, record, **strong),)

    return _one_move(engine, ask.id, "update", author, change, suffix="rescued")


def _one_move(
    engine: Engine,
    id: str,
    op: str,
    author: str,
    move: Any,
    *,
    suffix: str = "",
    details: dict[str, Any] | None = None,
) -> Curated:
    def verb(db: Connection) -> tuple[Change | None, str]:
        kind, record = records.any_record(db, id)
        title = _title(kind, record)
        title = f"{title.rstrip('.。')}, {suffix}" if suffix else title
        return _change(op, record, title, author, move(db, kind, record), kind.layer, details), title

    applied, title = lines_follow.decide(engine, verb, (id,))
    return _curated(engine, applied, id, title)


def _change(
    op: str, record: Any, title: str, author: str, edits: tuple[Edit, ...], layer: str = "semantic",
    details: dict[str, Any] | None = None,
) -> Change:  # fmt: skip
    return Change(
        op=op, layer=layer, title=shortened(title, 120), author=author, edits=edits, channel=record.channel,
        user_id=record.user_id, details=details or {},
    )  # fmt: skip


def _curated(engine: Engine, applied: Any, id: str, title: str) -> Curated:
    return Curated(id=id, change=applied.id, title=title, files=lines_follow.paths(engine, applied))


def _corrections(ask: EditFact) -> dict[str, Any]:
    after: dict[str, Any] = {}
    if ask.claim is not None:
        after["claim"] = tidied(ask.claim, "A claim", CLAIM_CHARACTERS)
    if ask.category is not None:
        after["category"] = tidied(ask.category, "A category", 60)
    if ask.confidence is not None:
        if not 0 <= ask.confidence <= 1:
            raise BadAsk("confidence lies between 0 and 1.")
        after["confidence"] = ask.confidence
    if ask.temporal is not None:
        if ask.temporal not in TEMPORAL:
            raise BadAsk(f"temporal should be one of {', '.join(TEMPORAL)}.")
        after["temporal"] = ask.temporal
    if not after:
        raise BadAsk(
            "Nothing to correct was named.", next="Give a claim, a category, a confidence or a time."
        )
    return after


def _need_fading(kind: Kind) -> None:
    if not kind.fades:
        raise BadAsk(f"A {kind.label.lower()} does not fade; only facts and entities do.")


def _title(kind: Kind, record: Any) -> str:
    return shortened(str(getattr(record, kind.title)))
