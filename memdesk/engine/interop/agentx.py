"""Import of AgentX's export envelope, version 1: conversations, entities, facts with their successors, goals,
procedures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from memdesk.engine.interop import agentx_procedures, births
from memdesk.engine.interop.agentx_procedures import moment
from memdesk.engine.interop.fields import Fields, dumped
from memdesk.engine.interop.items import Birth, Item, Source, Used
from memdesk.engine.interop.peek import Peek
from memdesk.engine.workspace.layouts import Place, slug
from memdesk.files.reading import Left
from memdesk.model.errors import Refused
from memdesk.model.goal import GOAL, STATUSES
from memdesk.model.turn import CONVERSATION, TURN

VERSION = 1
_PARTS = ("conversations", "turns", "entities", "facts", "goals", "strategies", "tool_invocations")
_ABOUT_ITSELF = ("schema_version", "exported_at", "user_id", "channel", "embedder")
_LOGS = ("pg_conversation_logs", "pg_tool_invocations")


class AgentX:
    """Complete memory of a user in one JSON object, bare or wrapped as AgentX's API returns it."""

    name = "agentx"
    reads = (
        "AgentX's export (`schema_version` 1): conversations, entities, facts with what superseded them, "
        "goals, strategies, tool calls"
    )

    def sniff(self, peek: Peek) -> bool:
        envelope = unwrapped(peek.first) if peek.suffix == ".json" else {}
        return "schema_version" in envelope and not {"facts", "entities"}.isdisjoint(envelope)

    def open(self, peek: Peek, registered: tuple[Place, ...]) -> Source:
        envelope = Fields(unwrapped(peek.first), peek.name)
        version = envelope.row["schema_version"]
        if version not in (VERSION, str(VERSION)):
            raise Refused(
                f"{peek.name} is an AgentX export of version {version}; this MemDesk reads version {VERSION}.",
                next="Export it from an AgentX that writes version 1, or install a newer MemDesk.",
            )
        items = tuple(_Envelope(envelope, peek.name).items())
        return Source(
            format=self.name,
            says="AgentX export",
            total=len(items),
            channel=envelope.text("channel") or slug(peek.path.stem),
            items=items,
        )


def unwrapped(value: dict[str, Any]) -> dict[str, Any]:
    inner = value.get("export")
    return inner if isinstance(inner, dict) else value


class _Envelope:
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
            yield from births.parcels("conversations", self.file, talk)
        for name, found in (
            ("entities", self._entities()),
            ("facts", self._facts()),
            ("goals", self._goals()),
            ("procedures", agentx_procedures.births_of(self.envelope)),
        ):
            yield from births.parcels(name, self.file, found)
        yield from births.uses(self.file, self.uses)
        for name in self.envelope.row.keys() - {*_PARTS, *_ABOUT_ITSELF, *_LOGS}:
            yield Left(name=f"{self.file}, {name}", why="This part of an AgentX export is not known here.")

    def _conversations(self) -> Iterator[list[Birth]]:
        turns: dict[str, list[Fields]] = defaultdict(list)
        for turn in self._turns():
            turns[turn.needed("conversation_id")].append(turn)
        told = {each.needed("id"): each for each in self.envelope.rows("conversations")}
        for id in dict.fromkeys((*told, *turns)):
            yield list(self._conversation(id, told.get(id), turns[id]))

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

    def _conversation(self, id: str, told: Fields | None, turns: list[Fields]) -> Iterator[Birth]:
        about = told or Fields({}, f"{self.file}, conversation {id}")
        about.skip("id", "user_id", "turn_count")
        read = [_turn(id, turn, number) for number, turn in enumerate(turns)]
        began = about.at("started_at", "created_at", "timestamp")
        first = min((turn.fields["created_at"] for turn in read if "created_at" in turn.fields), default=None)
        given = next((t for t in turns if t.row.get("channel")), about)
        fields = {
            "title": about.text("title", "name", "summary"),
            "agent_id": about.optional("agent_id") or (turns[0].optional("agent_id") if turns else None),
            # What the conversation tells came along as facts; where none did, it is still to be read.
            "consolidated_index": max((turn.fields["turn_index"] for turn in read), default=-1) if self.facts else -1,
            **moment("started_at", began if began is not None else first),
            **_channel(about if about.row.get("channel") else given),
        }  # fmt: skip
        yield births.birth(CONVERSATION, id, about, **fields)
        yield from read

    def _entities(self) -> Iterator[Birth]:
        for row in self.envelope.rows("entities"):
            id, names, place = row.needed("id"), row.texts("aliases"), _channel(row)
            salience = row.share("salience", 0.5)
            born = moment("created_at", row.at("first_seen", "created_at"))
            self.uses.extend(births.used(id, row, salience))
            row.skip("user_id")
            properties = row.object("properties")
            yield births.entity(
                id, row.needed("name"), row, type=row.text("type") or "Entity", salience=salience,
                description=row.text("description"), properties=dumped(properties), **born, **place,
            )  # fmt: skip
            for name in names:
                yield births.alias(id, name, row.where, **born, **place)

    def _facts(self) -> Iterator[Birth]:
        for row in self.facts:
            id, place = row.needed("id"), _channel(row)
            about, turn = row.texts("entity_ids"), row.optional("source_turn_id")
            salience, confidence = row.share("salience", 0.5), row.share("confidence", 0.8)
            self.uses.extend(births.used(id, row, salience))
            row.skip("claim_hash", "user_id", "supersedes_id")
            born = moment("created_at", row.at("created_at"))
            yield births.fact(
                id, row.needed("claim"), row, category=row.text("category") or "fact", confidence=confidence,
                source=row.text("source") or "import", source_turn_id=turn, salience=salience,
                temporal=births.temporal(row.optional("temporal_context")), agent_id=row.optional("agent_id"),
                **born, **place, **self._past(id, row),
            )  # fmt: skip
            yield from births.about(id, about, row.where, **born, **place)
            yield from births.derived(id, turn, row.where, confidence=confidence, **born, **place)

    def _past(self, id: str, row: Fields) -> dict[str, Any]:
        """Return the fields that mark a fact as superseded. If its successor is not in the envelope, it is
        retired instead."""
        by = row.optional("superseded_by_id") or self.superseding.get(id)
        if by in self.ids:
            return {"superseded_by": by}
        at = row.at("superseded_at")
        return {"retired_at": at} if at is not None else {}

    def _goals(self) -> Iterator[Birth]:
        for row in self.envelope.rows("goals"):
            status = row.text("status")
            row.skip("user_id")
            priority = row.count("priority", 3) or 1
            yield births.birth(
                GOAL, row.needed("id"), row, description=row.needed("description"),
                status=status if status in STATUSES else "active", priority=min(5, priority),
                parent_id=row.optional("parent_goal_id", "parent_id"), result=row.text("result"),
                conversation_id=row.optional("conversation_id"), deadline=row.at("deadline"),
                completed_at=row.at("completed_at"), agent_id=row.optional("agent_id"),
                **moment("created_at", row.at("created_at")), **_channel(row),
            )  # fmt: skip


def _turn(conversation_id: str, row: Fields, number: int) -> Birth:
    index = row.count("index")
    role = row.text("role") or "user"
    metadata = row.object("metadata")
    row.skip("user_id", "turn_index", "conversation_id")
    return births.birth(
        TURN, row.optional("id") or f"{conversation_id}/{number + 1}", row, conversation_id=conversation_id,
        turn_index=number if index is None else index, role=role, speaker=str(metadata.get("speaker") or role),
        content=row.text("content"), token_count=row.count("token_count"), model=row.optional("model"),
        metadata=dumped(metadata), agent_id=row.optional("agent_id"),
        **moment("created_at", row.at("timestamp", "created_at")), **_channel(row),
    )  # fmt: skip


def _channel(row: Fields) -> dict[str, str]:
    named = row.text("channel")
    return {"channel": named} if named else {}


AGENTX = AgentX()
