"""Import of AgentX's export envelope, version 1: conversations, entities, facts, goals and procedures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from memdesk.engine.interop import imported_records
from memdesk.engine.interop.batches import ImportedRecord, Item, Source, Used
from memdesk.engine.interop.imported_records import Fields, dumped, stable_id
from memdesk.engine.interop.reading import Peek, other_version
from memdesk.files.reading import Left
from memdesk.model.errors import Refused
from memdesk.model.fact import IMPORTED, TEMPORAL
from memdesk.model.goal import GOAL, STATUSES
from memdesk.model.message import message
from memdesk.model.strategy import OUTCOME, STRATEGY
from memdesk.model.tool_call import TOOL_CALL
from memdesk.model.turn import CONVERSATION, TURN

OUTCOMES_AT_MOST = 10_000
"""Most outcomes of one strategy: each becomes a record, and a higher number is not a plausible count of uses."""


def _procedures(envelope: Fields) -> Iterator[ImportedRecord]:
    for row in envelope.rows("strategies"):
        yield from _strategy(row)
    known: set[str] = set()
    for row in envelope.rows("tool_invocations"):
        call = _call(row)
        known.add(call.id)
        yield call
    for row in envelope.rows("pg_tool_invocations"):
        if row.text("id") not in known:
            yield _call(row)


def _strategy(row: Fields) -> Iterator[ImportedRecord]:
    id = row.needed("id")
    channel, created_at = row.text("channel"), row.at("created_at", "last_used")
    outcomes = list(_outcomes(id, row, channel, created_at))
    row.skip("user_id", "last_used")
    yield imported_records.creation(
        STRATEGY,
        id,
        row,
        description=row.needed("description"),
        context_pattern=row.text("context_pattern"),
        tool_sequence=dumped(list(row.texts("tool_sequence"))),
        agent_id=row.optional("agent_id"),
        channel=channel,
        created_at=created_at,
    )
    yield from outcomes


def _outcomes(id: str, row: Fields, channel: str, created_at: int | None) -> Iterator[ImportedRecord]:
    """Yield one record per use: the uses listed singly, as MemDesk writes them, else as many as were counted."""
    counts = {1: _uses(row, "succeeded_in", "success_count"), 0: _uses(row, "failed_in", "failure_count")}
    last = row.at("last_used") or created_at
    outcomes = list(row.rows("outcomes"))
    for each in outcomes:
        yield imported_records.creation(
            OUTCOME,
            each.needed("id"),
            each,
            strategy_id=id,
            conversation_id=each.optional("conversation_id"),
            success=int(bool(each.boolean("success"))),
            channel=channel,
            created_at=each.at("created_at") or created_at,
        )
    for success, talks in counts.items() if not outcomes else ():
        for number, talk in enumerate(talks):
            yield imported_records.creation(
                OUTCOME,
                f"{OUTCOME.prefix}_{stable_id(id, str(success), str(number))}",
                Fields({}, row.where),
                strategy_id=id,
                conversation_id=talk,
                success=success,
                channel=channel,
                created_at=last,
            )


def _uses(row: Fields, listed: str, counted: str) -> list[str | None]:
    """Return the conversations a strategy was used in, then None for each use that was only counted."""
    talks: list[str | None] = list(row.texts(listed))
    count = row.count(counted, 0) or 0
    if max(count, len(talks)) > OUTCOMES_AT_MOST:
        raise Refused(
            message(
                "{where}: `{count}` is more than {most}.",
                where=row.where,
                count=counted,
                most=f"{OUTCOMES_AT_MOST:,}",
            )
        )
    return talks + [None] * (count - len(talks))


def _call(row: Fields) -> ImportedRecord:
    success = row.boolean("success")
    row.skip("user_id")
    return imported_records.creation(
        TOOL_CALL,
        row.needed("id"),
        row,
        conversation_id=row.optional("conversation_id"),
        turn_id=row.optional("turn_id"),
        tool_name=row.needed("tool_name"),
        task_type=row.text("task_type"),
        tool_input=row.json("tool_input") or "{}",
        tool_output=row.json("tool_output"),
        success=None if success is None else int(success),
        latency_ms=row.count("latency_ms"),
        error_message=row.text("error_message"),
        agent_id=row.optional("agent_id"),
        channel=row.text("channel"),
        created_at=row.at("timestamp", "created_at"),
    )


VERSION = 1
_PARTS = ("conversations", "turns", "entities", "facts", "goals", "strategies", "tool_invocations")
_ABOUT_ITSELF = ("schema_version", "exported_at", "user_id", "channel", "embedder")
_LOGS = ("pg_conversation_logs", "pg_tool_invocations")


class AgentX:
    """Complete memory of a user in one JSON object, bare or wrapped as AgentX's API returns it."""

    name = "agentx"
    reads = message(
        "AgentX's export (`schema_version` 1): conversations, entities, facts with what superseded them, "
        "goals, strategies, tool calls"
    )

    def sniff(self, peek: Peek) -> bool:
        envelope = unwrapped(peek.first) if peek.suffix == ".json" else {}
        return "schema_version" in envelope and not {"facts", "entities"}.isdisjoint(envelope)

    def open(self, peek: Peek) -> Source:
        envelope = Fields(unwrapped(peek.first), peek.name)
        version = envelope.row["schema_version"]
        if version not in (VERSION, str(VERSION)):
            raise other_version(peek.name, message("an AgentX export"), version, VERSION)
        items = _EnvelopeReader(envelope, peek.name).items()
        return Source.of(self.name, message("AgentX export"), peek, *items, channel=envelope.text("channel"))


def unwrapped(value: dict[str, Any]) -> dict[str, Any]:
    inner = value.get("export")
    return inner if isinstance(inner, dict) else value


class _EnvelopeReader:
    """Reader of an envelope, part by part. uses: use counts of the records read so far."""

    def __init__(self, envelope: Fields, file: str) -> None:
        self.envelope, self.file = envelope, file
        self.facts = list(envelope.rows("facts"))
        self.ids = {each.needed("id") for each in self.facts}
        self.superseding = {
            each.text("supersedes_id"): each.needed("id") for each in self.facts if each.text("supersedes_id")
        }
        self.uses: list[Used] = []

    def items(self) -> Iterator[Item]:
        for talk in self._conversations():
            yield from imported_records.batches("conversations", self.file, talk)
        for name, found in (
            ("entities", self._entities()),
            ("facts", self._facts()),
            ("goals", self._goals()),
            ("procedures", _procedures(self.envelope)),
        ):
            yield from imported_records.batches(name, self.file, found)
        yield from imported_records.uses(self.file, self.uses)
        for name in self.envelope.row.keys() - {*_PARTS, *_ABOUT_ITSELF, *_LOGS}:
            yield Left(
                name=f"{self.file}, {name}", why=message("This part of an AgentX export is not known here.")
            )

    def _conversations(self) -> Iterator[list[ImportedRecord]]:
        turns: dict[str, list[Fields]] = defaultdict(list)
        for turn in self._turns():
            turns[turn.needed("conversation_id")].append(turn)
        rows = {each.needed("id"): each for each in self.envelope.rows("conversations")}
        for id in dict.fromkeys((*rows, *turns)):
            yield list(self._conversation(id, rows.get(id), turns[id]))

    def _turns(self) -> Iterator[Fields]:
        """Yield the turns, then those that only the log still has."""
        known: set[tuple[str, int | None]] = set()
        for turn in self.envelope.rows("turns"):
            known.add((turn.needed("conversation_id"), turn.count("index")))
            yield turn
        for row in self.envelope.rows("pg_conversation_logs"):
            index = row.count("turn_index")
            if (row.needed("conversation_id"), index) not in known:
                yield Fields({**row.row, "index": index}, row.where)

    def _conversation(self, id: str, row: Fields | None, turns: list[Fields]) -> Iterator[ImportedRecord]:
        about = row or Fields({}, message("{file}, conversation {id}", file=self.file, id=id))
        about.skip("id", "user_id", "turn_count")
        read = [_turn(id, turn, number) for number, turn in enumerate(turns)]
        began = about.at("started_at", "created_at", "timestamp")
        first = min((turn.fields["created_at"] for turn in read if "created_at" in turn.fields), default=None)
        given = next((t for t in turns if t.row.get("channel")), about)
        fields = {
            "title": about.text("title", "name", "summary"),
            "agent_id": about.optional("agent_id") or (turns[0].optional("agent_id") if turns else None),
            # What the conversation tells came along as facts; where none did, it is still to be read.
            "consolidated_index": max((turn.fields["turn_index"] for turn in read), default=-1)
            if self.facts
            else -1,
            "started_at": began if began is not None else first,
            "channel": (about if about.row.get("channel") else given).text("channel"),
        }
        yield imported_records.creation(CONVERSATION, id, about, **fields)
        yield from read

    def _entities(self) -> Iterator[ImportedRecord]:
        for row in self.envelope.rows("entities"):
            id, names = row.needed("id"), row.texts("aliases")
            salience = row.share("salience", 0.5)
            place = {"channel": row.text("channel"), "created_at": row.at("first_seen", "created_at")}
            self.uses.extend(imported_records.used(id, row, salience))
            row.skip("user_id")
            properties = row.object("properties")
            yield imported_records.entity(
                id,
                row.needed("name"),
                row,
                type=row.text("type") or "Entity",
                salience=salience,
                description=row.text("description"),
                properties=dumped(properties),
                **place,
            )
            for name in names:
                yield imported_records.alias(id, name, row.where, **place)

    def _facts(self) -> Iterator[ImportedRecord]:
        for row in self.facts:
            id, about, turn = row.needed("id"), row.texts("entity_ids"), row.optional("source_turn_id")
            salience, confidence = row.share("salience", 0.5), row.share("confidence", 0.8)
            when = row.optional("temporal_context")
            self.uses.extend(imported_records.used(id, row, salience))
            row.skip("claim_hash", "user_id", "supersedes_id")
            place = {"channel": row.text("channel"), "created_at": row.at("created_at")}
            yield imported_records.fact(
                id,
                row.needed("claim"),
                row,
                category=row.text("category") or "fact",
                confidence=confidence,
                source=row.text("source") or IMPORTED,
                source_turn_id=turn,
                salience=salience,
                temporal=when if when in TEMPORAL else None,
                agent_id=row.optional("agent_id"),
                **place,
                **self._past(id, row),
            )
            yield from imported_records.about(id, about, row.where, **place)
            yield from imported_records.derived(id, turn, row.where, confidence=confidence, **place)

    def _past(self, id: str, row: Fields) -> dict[str, Any]:
        """Return the fields that mark a fact as superseded. If its successor is not in the envelope, it is
        retired instead."""
        by = row.optional("superseded_by_id") or self.superseding.get(id)
        if by in self.ids:
            return {"superseded_by": by}
        at = row.at("superseded_at")
        return {"retired_at": at} if at is not None else {}

    def _goals(self) -> Iterator[ImportedRecord]:
        for row in self.envelope.rows("goals"):
            status = row.text("status")
            row.skip("user_id")
            priority = row.count("priority", 3) or 1
            yield imported_records.creation(
                GOAL,
                row.needed("id"),
                row,
                description=row.needed("description"),
                status=status if status in STATUSES else "active",
                priority=min(5, priority),
                parent_id=row.optional("parent_goal_id", "parent_id"),
                result=row.text("result"),
                conversation_id=row.optional("conversation_id"),
                deadline=row.at("deadline"),
                completed_at=row.at("completed_at"),
                agent_id=row.optional("agent_id"),
                created_at=row.at("created_at"),
                channel=row.text("channel"),
            )


def _turn(conversation_id: str, row: Fields, number: int) -> ImportedRecord:
    index = row.count("index")
    role = row.text("role") or "user"
    metadata = row.object("metadata")
    row.skip("user_id", "turn_index", "conversation_id")
    return imported_records.creation(
        TURN,
        row.optional("id") or f"{conversation_id}/{number + 1}",
        row,
        conversation_id=conversation_id,
        turn_index=number if index is None else index,
        role=role,
        speaker=str(metadata.get("speaker") or role),
        content=row.text("content"),
        token_count=row.count("token_count"),
        model=row.optional("model"),
        metadata=dumped(metadata),
        agent_id=row.optional("agent_id"),
        created_at=row.at("timestamp", "created_at"),
        channel=row.text("channel"),
    )


AGENTX = AgentX()
