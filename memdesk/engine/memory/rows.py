"""Records as they are shown: rows of facts and strategies, with values computed when read (current salience, use, and
success), and the provenance of turns and facts: a conversation, or a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from functools import cache
from typing import Any, TypeVar, get_args, get_type_hints

from memdesk.engine import salience
from memdesk.engine.engine import Engine
from memdesk.engine.memory import line_links
from memdesk.engine.memory.line_links import Tie, normalised_words
from memdesk.files.merge import lines_of
from memdesk.files.reading import plain
from memdesk.model.browse import FactRow, Threshold
from memdesk.model.change import Edit
from memdesk.model.document import DOCUMENT, Document
from memdesk.model.fact import Fact
from memdesk.model.history import FieldMove, RecordRef
from memdesk.model.instant import optional_datetime, to_datetime
from memdesk.model.kinds import BY_NAME
from memdesk.model.recall import Provenance
from memdesk.model.settings import Settings
from memdesk.model.strategy import Strategy, StrategyRow
from memdesk.model.turn import CONVERSATION, TURN, Turn
from memdesk.store import document_versions, proposing, recalls, records, semantic
from memdesk.store.connection import Connection
from memdesk.store.procedures import Tally
from memdesk.store.recalls import Use
from memdesk.store.semantic import tags_on

T = TypeVar("T")


def salience_now(engine: Engine, record: Any, use: Use | None, now: int | None = None) -> float:
    """Return the current salience of a fact or an entity, 0 to 1. now: read once by a caller with many records."""
    return salience.at(
        engine.clock() if now is None else now,
        base=record.salience,
        base_at=record.salience_at,
        pinned=bool(record.pinned),
        used=None if use is None else (use.salience, use.last_accessed),
        settings=engine.settings,
    )


def confidence_now(engine: Engine, fact: Fact, use: Use | None, now: int | None = None) -> float:
    """Return the current confidence of a fact, 0 to 1: an inferred fact loses confidence while it is not
    recalled. now: as for `salience_now`."""
    confirmed = max(fact.created_at, fact.salience_at, 0 if use is None else use.last_accessed)
    return salience.confidence_at(
        engine.clock() if now is None else now,
        fact.confidence,
        source=fact.source,
        confirmed_at=confirmed,
        pinned=bool(fact.pinned),
        settings=engine.settings,
    )


def fact_rows(engine: Engine, db: Connection, facts: Sequence[Fact]) -> tuple[FactRow, ...]:
    """Return these facts as rows, in their order."""
    used = recalls.uses(db, [fact.seq for fact in facts])
    behind = semantic.conversations_behind(db, [fact.id for fact in facts])
    tags = tags_on(db, [fact.id for fact in facts])
    above = semantic.headings_above(db, [fact.id for fact in facts])
    asked = proposing.contradicted_among(db, [fact.id for fact in facts])
    return tuple(
        replace(
            _row(engine, fact, used.get(fact.seq), behind[fact.id], tags.get(fact.id, ())),
            context=above.get(fact.id, ()),
            question=asked.get(fact.id, ""),
        )
        for fact in facts
    )


def thresholds(row: FactRow, settings: Settings) -> tuple[Threshold, ...]:
    """Return a fact's values and the values needed for promotion (AgentX: all three)."""
    return (
        Threshold(name="confidence", found=row.confidence, needed=settings.promote_confidence),
        Threshold(name="recalled", found=row.recalled, needed=settings.promote_recalls),
        Threshold(name="conversations", found=row.conversations, needed=settings.promote_conversations),
    )


def _row(engine: Engine, fact: Fact, use: Use | None, conversations: int, tags: tuple[str, ...]) -> FactRow:
    return row_of(
        FactRow,
        fact,
        confidence=confidence_now(engine, fact, use),
        temporal="past" if fact.has_ended(engine.clock()) else fact.temporal,
        salience=salience_now(engine, fact, use),
        recalled=0 if use is None else use.access_count,
        conversations=conversations,
        tags=tags,
    )


def strategy_row(strategy: Strategy, tally: Tally) -> StrategyRow:
    """Return a strategy as a row, with its successes and failures so far."""
    return row_of(
        StrategyRow,
        strategy,
        tool_sequence=tuple(json.loads(strategy.tool_sequence)),
        success_count=tally.successes,
        failure_count=tally.failures,
        success_rate=tally.rate,
        last_used=optional_datetime(tally.last_used),
    )


def row_of(row: type[T], record: Any, **computed: Any) -> T:
    """Return a row with the fields that a record has under the same name: times as datetimes, and 1 and 0 as
    bool, where the row has those types. computed: its other fields."""
    stored = {
        name: convert(getattr(record, name))
        for name, convert in _shared((row, type(record)))
        if name not in computed
    }
    return row(**stored, **computed)


@cache
def _shared(types: tuple[type[Any], type[Any]]) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """Return the fields that a row has from its record, each with its conversion. types: of the two."""
    row, record = types
    hints = get_type_hints(row)
    stored = {field.name for field in fields(record)}
    return tuple((name, _conversion(hints[name])) for name in hints if name in stored)


def _conversion(hint: Any) -> Callable[[Any], Any]:
    types = get_args(hint) or (hint,)
    if datetime in types:
        return optional_datetime
    if bool in types:
        return lambda value: None if value is None else bool(value)
    return lambda value: value


_UNSHOWN = {"seq", "id", "user_id"}
"""Fields of every record that are useless to a person in a comparison of before and after."""


def moves_of(edit: Edit, refs: dict[str, RecordRef]) -> list[FieldMove]:
    """Return the fields an edit changed, as text before and after; fields empty on both sides are left out."""
    kind = BY_NAME[edit.kind]
    before, after = edit.before or {}, edit.after or {}
    title = refs[edit.id].title if edit.id in refs else edit.id
    return [
        FieldMove(
            record=edit.id,
            kind=kind.name,
            title=title,
            field=name,
            before=_shown(name, before.get(name)),
            after=_shown(name, after.get(name)),
        )
        for name in kind.columns
        if name in {**before, **after}
        and name not in _UNSHOWN
        and (before.get(name) not in (None, "") or after.get(name) not in (None, ""))
    ]


def _shown(name: str, value: Any) -> str | None:
    if value is None:
        return None
    if name.endswith("_at") and isinstance(value, int):
        return to_datetime(value).isoformat(timespec="seconds")
    if isinstance(value, float):
        return f"{value:.2f}"
    return str(value)


def origins(db: Connection, found: Iterable[object]) -> dict[str, Provenance]:
    """Return provenance by id of the turns and facts among these; those without a known source are left out."""
    turns = [each for each in found if isinstance(each, Turn)]
    facts = [each for each in found if isinstance(each, Fact)]
    spoken = {
        turn.id: turn
        for turn in (
            *turns,
            *records.many(db, TURN, "id", [f.source_turn_id for f in facts if f.source_turn_id]),
        )
    }
    titles = {
        talk.id: talk.title
        for talk in records.many(
            db, CONVERSATION, "id", sorted({turn.conversation_id for turn in spoken.values()})
        )
    }
    places = {id: _of_turn(turn, titles.get(turn.conversation_id, "")) for id, turn in spoken.items()}
    written = _file_provenance(db, [fact.id for fact in facts if fact.source_turn_id is None])
    known = {turn.id: places[turn.id] for turn in turns}
    for fact in facts:
        place = written.get(fact.id) if fact.source_turn_id is None else places.get(fact.source_turn_id)
        if place is not None:
            known[fact.id] = replace(place, quote=fact.quote)
    return known


def _of_turn(turn: Turn, title: str) -> Provenance:
    return Provenance(
        turn_id=turn.id,
        conversation_id=turn.conversation_id,
        conversation_title=title,
        turn_index=turn.turn_index,
        speaker=turn.speaker,
        agent_id=turn.agent_id,
        at=to_datetime(turn.created_at),
    )


def _file_provenance(db: Connection, fact_ids: list[str]) -> dict[str, Provenance]:
    """Return the file and line from which each of these facts was read; for a line that is gone, its last position."""
    found: dict[str, Tie] = {}
    for tie in line_links.ties_of_facts(db, fact_ids):
        found.setdefault(tie.fact.id, tie)
    documents: dict[str, Document] = {
        each.id: each
        for each in records.many(
            db, DOCUMENT, "id", sorted({tie.relation.target_id for tie in found.values()})
        )
    }
    lines = {id: _lines(db, document) for id, document in documents.items()}
    return {id: _of_line(tie, documents[tie.relation.target_id], lines) for id, tie in found.items()}


def _of_line(tie: Tie, document: Document, lines: Mapping[str, list[str]]) -> Provenance:
    number = _number(lines[document.id], tie)
    return Provenance(
        document_id=document.id,
        path=document.path,
        agent_id=document.agent_id,
        at=to_datetime(document.updated_at),
        first_line=number or tie.spot.number or None,
        last_line=number or tie.spot.number or None,
        version=document.content_hash if number else tie.spot.version or None,
        line=tie.spot.line.strip(),
        headings=tie.spot.headings,
    )


def _number(lines: list[str], tie: Tie) -> int:
    """Return the number of the line as last seen, else of the first line with the same statement; 0 if there
    is none."""
    if tie.spot.line in lines:
        return lines.index(tie.spot.line) + 1
    return next(
        (number for number, line in enumerate(lines, 1) if normalised_words(line) == tie.spot.said), 0
    )


def _lines(db: Connection, document: Document) -> list[str]:
    """Return the lines of a file; none if it is retired."""
    gone = document.retired_at is not None
    return [] if gone else lines_of(plain(document_versions.text_of(db, document.content_hash)))
