"""Export as AgentX's envelope, version 1, in the form that AgentX's own import merges."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from memdesk.engine.interop.agentx_format import VERSION
from memdesk.engine.interop.exporting import (
    ExportSelection,
    current_records,
    iso,
    own_fields,
    records_with_extra_fields,
)
from memdesk.engine.interop.imported_records import text_of
from memdesk.engine.interop.reading import Row
from memdesk.model.entity import ABOUT, ALIAS, ENTITY, RELATION
from memdesk.model.fact import FACT, claim_hash
from memdesk.model.goal import GOAL
from memdesk.model.interop import ExportFormat
from memdesk.model.message import message
from memdesk.model.strategy import OUTCOME, STRATEGY
from memdesk.model.tool_call import TOOL_CALL
from memdesk.model.turn import CONVERSATION, TURN
from memdesk.store import recalls


class AgentXOut:
    """A user's memory, all of it or one channel's, in one JSON object."""

    about = ExportFormat(
        name="agentx",
        says=message("AgentX’s export, one JSON object"),
        suffix=".json",
        comes_back=True,
        past="superseded",
        holds=(
            "conversations",
            "turns",
            "entities",
            "aliases",
            "facts",
            "goals",
            "strategies",
            "outcomes",
            "tool_calls",
        ),
        kinds=tuple(kind.name for kind in (CONVERSATION, FACT, ENTITY, GOAL, STRATEGY, TOOL_CALL)),
        leaves=message("Relations between entities, files, tags and the review queue stay."),
    )

    def write(self, wanted: ExportSelection, target: Path) -> Counter[str]:
        parts = {name: list(part(wanted)) for name, part in _PARTS.items()}
        head = {
            "schema_version": VERSION,
            "exported_at": iso(wanted.at),
            "user_id": wanted.user,
            "channel": wanted.chosen.channel,
            "embedder": {"provider_model": wanted.engine.embedder.name},
        }
        logs: Row = {"pg_conversation_logs": [], "pg_tool_invocations": []}
        target.write_text(json.dumps({**head, **parts, **logs}, ensure_ascii=False, indent=1), "utf-8")
        return Counter({name: len(rows) for name, rows in parts.items()})


def _use(wanted: ExportSelection, record: Any) -> Row:
    use = recalls.uses(wanted.db, [record.seq]).get(record.seq)
    if use is None:
        return {"access_count": 0, "last_accessed": None, "salience": record.salience}
    return asdict(use) | {"last_accessed": iso(use.last_accessed)}


def _conversations(wanted: ExportSelection) -> Iterator[Row]:
    for each, beside in records_with_extra_fields(wanted, CONVERSATION):
        yield _row(each, beside, ("title",), started_at=iso(each.started_at))


def _turns(wanted: ExportSelection) -> Iterator[Row]:
    for each, beside in records_with_extra_fields(wanted, TURN):
        speaker = {"speaker": each.speaker} if each.speaker != each.role else {}
        yield _row(
            each,
            beside,
            ("conversation_id", "role", "content", "token_count", "model"),
            index=each.turn_index,
            timestamp=iso(each.created_at),
            metadata=own_fields(each.metadata) | speaker,
        )


def _entities(wanted: ExportSelection) -> Iterator[Row]:
    aliases: dict[str, list[str]] = defaultdict(list)
    for each in current_records(wanted, ALIAS):
        aliases[each.entity_id].append(each.name)
    for each, beside in records_with_extra_fields(wanted, ENTITY):
        yield {
            "id": each.id,
            "name": each.name,
            "type": each.type,
            "aliases": aliases[each.id],
            "description": each.description,
            "properties": json.dumps(own_fields(each.properties), ensure_ascii=False),
            "first_seen": iso(each.created_at),
            "channel": each.channel,
            **_use(wanted, each),
            **beside,
        }


def _facts(wanted: ExportSelection) -> Iterator[Row]:
    about: dict[str, list[str]] = defaultdict(list)
    for tie in current_records(wanted, RELATION):
        if tie.type == ABOUT:
            about[tie.source_id].append(tie.target_id)
    for each, beside in records_with_extra_fields(wanted, FACT):
        yield _row(
            each,
            beside,
            ("category", "confidence", "source", "source_turn_id"),
            claim=text_of(each.claim, each.quote),
            claim_hash=claim_hash(each.claim),
            entity_ids=about[each.id],
            created_at=iso(each.created_at),
            temporal_context=each.temporal,
            superseded_by_id=each.superseded_by,
            **_use(wanted, each),
        )


def _goals(wanted: ExportSelection) -> Iterator[Row]:
    for each, beside in records_with_extra_fields(wanted, GOAL):
        yield _row(
            each,
            beside,
            ("description", "status", "priority", "conversation_id", "result"),
            parent_goal_id=each.parent_id,
            deadline=iso(each.deadline),
            completed_at=iso(each.completed_at),
            created_at=iso(each.created_at),
        )


def _strategies(wanted: ExportSelection) -> Iterator[Row]:
    outcomes: dict[str, list[Any]] = defaultdict(list)
    for each in current_records(wanted, OUTCOME):
        outcomes[each.strategy_id].append(each)
    for each, beside in records_with_extra_fields(wanted, STRATEGY):
        yield _row(
            each,
            beside,
            ("description", "context_pattern"),
            tool_sequence=json.loads(each.tool_sequence),
            created_at=iso(each.created_at),
            **_usage(outcomes[each.id]),
        )


def _calls(wanted: ExportSelection) -> Iterator[Row]:
    for each, beside in records_with_extra_fields(wanted, TOOL_CALL):
        yield _row(
            each,
            beside,
            (
                "conversation_id",
                "turn_id",
                "tool_name",
                "task_type",
                "tool_input",
                "tool_output",
                "latency_ms",
                "error_message",
            ),
            success=None if each.success is None else bool(each.success),
            timestamp=iso(each.created_at),
        )


def _row(record: Any, extra: Row, columns: tuple[str, ...], **others: Any) -> Row:
    """Return the object of a record in the envelope: its id, these columns, channel and agent, other fields, and the
    extra fields that AgentX's own export had."""
    names = ("id", *columns, "channel", "agent_id")
    return {name: getattr(record, name) for name in names} | others | extra


def _usage(outcomes: list[Any]) -> Row:
    talks = {
        success: [
            each.conversation_id for each in outcomes if each.success == success and each.conversation_id
        ]
        for success in (1, 0)
    }
    return {
        "success_count": sum(each.success for each in outcomes),
        "failure_count": sum(not each.success for each in outcomes),
        "succeeded_in": talks[1],
        "failed_in": talks[0],
        # AgentX leaves this; it lets an import know every use again.
        "outcomes": [
            {
                "id": each.id,
                "conversation_id": each.conversation_id,
                "success": bool(each.success),
                "created_at": iso(each.created_at),
            }
            for each in outcomes
        ],
        "last_used": iso(max((each.created_at for each in outcomes), default=None)),
    }


_PARTS: dict[str, Callable[[ExportSelection], Iterator[Row]]] = {
    "conversations": _conversations,
    "turns": _turns,
    "entities": _entities,
    "facts": _facts,
    "goals": _goals,
    "strategies": _strategies,
    "tool_invocations": _calls,
}
AGENTX_OUT = AgentXOut()
