"""Promotion by hand: a project fact is copied to `_global`, with the thresholds of that moment on record."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft
from memdesk.engine.recall.rows import fact_rows, thresholds
from memdesk.engine.recall.similar import similar_to
from memdesk.engine.wording import shortened
from memdesk.model.browse import PromotionPreview
from memdesk.model.change import Change
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import Curated, PreviewPromotion, Promote
from memdesk.model.entity import ABOUT, DERIVED_FROM, ENTITY, Entity
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.fact import FACT, Fact
from memdesk.model.turn import TURN
from memdesk.store import browsing, records, semantic
from memdesk.store.connection import Connection


def preview_promotion(engine: Engine, ask: PreviewPromotion) -> PromotionPreview:
    """What promoting would do, beside what `_global` already holds."""
    with engine.store.reading() as db:
        fact: Fact = records.need(db, FACT, ask.fact_id)
        (row,) = fact_rows(engine, db, [fact])
        held = semantic.fact_claiming(db, fact.user_id, GLOBAL, fact.claim)
        similar = similar_to(engine, db, fact, channels=(GLOBAL,))
        return PromotionPreview(
            fact=row, held=None if held is None else fact_rows(engine, db, [held])[0], similar=similar,
            thresholds=thresholds(row, engine.settings), readers=tuple(browsing.agents(db)),
        )  # fmt: skip


def promote(engine: Engine, ask: Promote, *, author: str) -> Curated:
    """Copy a fact to `_global`; the original stays. Returns the new fact.

    Raises BadAsk for a fact that is global or retired, Conflict when `_global` holds the same claim.
    """

    with engine.store.reading() as db:
        original: Fact = records.need(db, FACT, ask.fact_id)
    ensure_channel(engine, original.user_id, GLOBAL, author=author)

    def verb(db: Connection) -> tuple[Change | None, str]:
        fact: Fact = records.need(db, FACT, ask.fact_id)
        _refuse(db, fact)
        (row,) = fact_rows(engine, db, [fact])
        draft = Draft(
            engine=engine,
            db=db,
            user_id=fact.user_id,
            channel=GLOBAL,
            agent_id=fact.agent_id,
            at=engine.clock(),
        )
        id, _ = draft.fact(
            fact.claim, category=fact.category, confidence=fact.confidence, temporal=fact.temporal,
            source=fact.source, source_turn_id=fact.source_turn_id, quote=fact.quote, promoted_from=fact.id,
        )  # fmt: skip
        _copy_links(db, draft, fact, id)
        met = {
            each.name: {"found": each.found, "needed": each.needed}
            for each in thresholds(row, engine.settings)
        }
        change = Change(
            op="promote", title=shortened(fact.claim, 120), author=author, edits=tuple(draft.edits), channel=GLOBAL,
            user_id=fact.user_id,
            details={"from": fact.channel, "fact": fact.id, "reason": ask.reason, "thresholds": met},
        )  # fmt: skip
        return change, id

    applied, id = engine.store.decide(verb)
    assert applied is not None
    return Curated(id=id, change=applied.id, title=original.claim)


def _refuse(db: Connection, fact: Fact) -> None:
    if fact.channel == GLOBAL:
        raise BadAsk("This fact is in _global already.")
    if fact.retired_at is not None or fact.superseded_by is not None:
        raise BadAsk("A retired or past fact is not promoted.", next="Bring it back with undo first.")
    held = semantic.fact_claiming(db, fact.user_id, GLOBAL, fact.claim)
    if held is not None:
        raise Conflict(f"_global holds this claim already, as {held.id}.", details={"id": held.id})


def _copy_links(db: Connection, draft: Draft, fact: Fact, copy: str) -> None:
    """The copy keeps the sources, turns and files alike, and is about the same entities."""
    sources = [id for id in browsing.sources_of(db, fact.id) if id != fact.source_turn_id]
    turns = {turn.id for turn in records.many(db, TURN, "id", sources)}
    for id in sources:
        said_in = id if id in turns else None
        draft.relation(copy, id, DERIVED_FROM, confidence=fact.confidence, source_turn_id=said_in)
    targets = [
        target for source, target, type, _ in browsing.relations_of(db, [fact.id], 100) if type == ABOUT
    ]
    entities: list[Entity] = records.many(db, ENTITY, "id", targets)
    for entity in entities:
        draft.relation(copy, entity.id, ABOUT, confidence=1.0, source_turn_id=None)
