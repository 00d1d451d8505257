"""Promotion, by hand and by the job: a project fact is copied to `_global`, and its promotion thresholds are
recorded."""

from __future__ import annotations

from dataclasses import replace

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.duplicates import Comparison, closing_edits, compare_with_channel, similar_to
from memdesk.engine.memory.rows import fact_rows, thresholds
from memdesk.engine.wording import shortened
from memdesk.model.browse import FactRow, Opposed, PromotionPreview
from memdesk.model.change import Change
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import TAG, Curated, PreviewPromotion, Promote
from memdesk.model.entity import ABOUT, DERIVED_FROM, ENTITY
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.fact import FACT, Fact
from memdesk.model.message import message, verbatim
from memdesk.model.settings import Settings
from memdesk.model.turn import TURN
from memdesk.store import browsing, records, semantic
from memdesk.store.connection import Connection

SAID_OTHERWISE = message("the same in other words")
SOURCES_AT_MOST, SUBJECTS_AT_MOST, TAGS_AT_MOST = 250, 100, 60
"""Most sources, subjects and tags copied with a promotion, so that they and its questions fit in one change."""


def preview_promotion(engine: Engine, ask: PreviewPromotion) -> PromotionPreview:
    """Return the effect of a promotion, with the similar and contrary facts that `_global` already has."""
    with engine.store.reading() as db:
        fact = records.need(db, FACT, ask.fact_id)
        (row,) = fact_rows(engine, db, [fact])
        held = semantic.fact_claiming(db, fact.user_id, GLOBAL, fact.claim)
        return PromotionPreview(
            fact=row,
            held=None if held is None else fact_rows(engine, db, [held])[0],
            similar=similar_to(engine, db, fact, channels=(GLOBAL,)),
            thresholds=thresholds(row, engine.settings),
            readers=tuple(browsing.agents(db)),
            conflicts=tuple(
                Opposed(id=other.id, title=other.claim, channel=other.channel, reason=why)
                for other, why in compare_with_channel(engine, db, fact, GLOBAL).contrary
            ),
        )


def promote(engine: Engine, ask: Promote, *, author: str) -> Curated:
    """Copy a fact to `_global`; the original stays. Returns the new fact.

    Raises NotFound, BadAsk for a fact that is global or retired, Conflict if `_global` has the same claim or
    key."""
    with engine.store.reading() as db:
        original = records.need(db, FACT, ask.fact_id)
    ensure_channel(engine, original.user_id, GLOBAL, author=author)

    def verb(db: Connection) -> tuple[Change | None, str]:
        fact = records.need(db, FACT, ask.fact_id)
        return promotion_change(engine, db, fact, author=author, reason=ask.reason)

    applied, id = engine.store.decide(verb)
    assert applied is not None
    return Curated(id=id, change=applied.id, title=verbatim(original.claim))


def promotion_change(
    engine: Engine, db: Connection, fact: Fact, *, author: str, reason: str, run: str | None = None
) -> tuple[Change, str]:
    """Return the change that promotes a fact, and the id of the copy. Call it inside a writer operation;
    `_global` must exist.

    A contrary or equivalent fact in `_global` is left to a person, as a question added with the copy. Raises
    BadAsk for a fact that is global or retired, Conflict if `_global` has the same claim or key, and in the
    run of a job also if it has a contrary fact."""
    _refuse(db, fact)
    found = compare_with_channel(engine, db, fact, GLOBAL)
    if run is not None and found.contrary:
        other, why = found.contrary[0]
        raise Conflict(
            message("_global says otherwise ({why}): “{claim}”.", why=why, claim=shortened(other.claim)),
            details={"id": other.id},
        )
    (row,) = fact_rows(engine, db, [fact])
    draft = Draft.of(engine, db, fact, GLOBAL)
    change = Change(
        op="promote",
        title=verbatim(shortened(fact.claim, 120)),
        author=author,
        edits=(),
        channel=GLOBAL,
        user_id=fact.user_id,
        run=run,
        details={
            "from": fact.channel,
            "fact": fact.id,
            "reason": reason,
            "thresholds": threshold_values(row, engine.settings),
        },
    )
    id = _copy(draft, fact)
    draft.edits += closing_edits(db, "promotion", fact.id, None, "promote", at=draft.at)
    _ask(draft, id, found)
    return replace(change, edits=tuple(draft.edits)), id


def _ask(draft: Draft, copy: str, found: Comparison) -> None:
    """Draft the questions that a copy raises in `_global`."""
    for other, why in found.contrary:
        draft.propose("contradiction", copy, other.id, reason=why)
    for other in found.same:
        draft.propose("duplicate", copy, other.id, reason=SAID_OTHERWISE)


def threshold_values(row: FactRow, settings: Settings) -> dict[str, dict[str, float]]:
    """Return a fact's values and the thresholds of promotion, as the timeline and the review queue store them."""
    return {each.name: {"found": each.found, "needed": each.needed} for each in thresholds(row, settings)}


def _refuse(db: Connection, fact: Fact) -> None:
    if fact.channel == GLOBAL:
        raise BadAsk(message("This fact is in _global already."))
    if fact.retired_at is not None or fact.superseded_by is not None:
        raise BadAsk(
            message("A retired or past fact is not promoted."), next=message("Bring it back with undo first.")
        )
    held = semantic.fact_claiming(db, fact.user_id, GLOBAL, fact.claim)
    if held is not None:
        raise Conflict(
            message("_global holds this claim already, as {id}.", id=held.id), details={"id": held.id}
        )
    if fact.key is not None:
        _refuse_key(db, fact, fact.key)


def _refuse_key(db: Connection, fact: Fact, key: str) -> None:
    held = semantic.fact_keyed(db, fact.user_id, GLOBAL, fact.agent_id, key)
    if held is not None:
        raise Conflict(
            message(
                "_global has another value for “{key}” already: “{claim}”.",
                key=shortened(key, 60),
                claim=shortened(held.claim),
            ),
            next=message("Retire or demote that fact first."),
            details={"id": held.id},
        )


def _copy(draft: Draft, fact: Fact) -> str:
    """Draft the copy with its sources, its subjects and its tags; return its id."""
    id, _ = draft.fact(
        fact.claim,
        category=fact.category,
        confidence=fact.confidence,
        temporal=fact.temporal,
        source=fact.source,
        source_turn_id=fact.source_turn_id,
        quote=fact.quote,
        promoted_from=fact.id,
        key=fact.key,
        value=fact.value,
        valid_from=fact.valid_from,
        valid_to=fact.valid_to,
    )
    _copy_links(draft, fact, id)
    tags = records.find(draft.db, TAG, record_id=fact.id, retired_at=None)
    for tag in tags[:TAGS_AT_MOST]:
        draft.tag(id, tag.name)
    return id


def _copy_links(draft: Draft, fact: Fact, copy: str) -> None:
    """Draft the copy's relations to the same sources, turns and files alike, and to the same entities."""
    db = draft.db
    sources = [id for id in browsing.sources_of(db, fact.id) if id != fact.source_turn_id][:SOURCES_AT_MOST]
    turns = {turn.id for turn in records.many(db, TURN, "id", sources)}
    for id in sources:
        said_in = id if id in turns else None
        draft.relation(copy, id, DERIVED_FROM, confidence=fact.confidence, source_turn_id=said_in)
    targets = [
        target
        for source, target, type, *_ in browsing.relations_of(db, [fact.id], SUBJECTS_AT_MOST)
        if type == ABOUT and source == fact.id
    ]
    entities = records.many(db, ENTITY, "id", targets)
    for entity in entities:
        draft.relation(copy, entity.id, ABOUT, confidence=1.0, source_turn_id=None)
