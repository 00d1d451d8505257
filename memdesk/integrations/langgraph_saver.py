"""LangGraph's checkpointer on the desk: the checkpoints of a thread are working memory of the session of its name.

    from memdesk.integrations import MemDeskSaver

    graph = builder.compile(checkpointer=MemDeskSaver(channel="support", agent="helper"))
    graph.invoke(state, {"configurable": {"thread_id": "42"}})

They are kept until they are deleted, and are no part of what is recalled. A checkpoint has the values that its step
changed, and the id of the checkpoint that has each other one."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import math
import threading
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from langchain_core.messages import BaseMessage, message_to_dict, messages_from_dict
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
    get_checkpoint_metadata,
    writes_sort_key,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from memdesk.api import context, working
from memdesk.client.client import SyncClient
from memdesk.integrations.desk import DeskConnection
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.session import ListSessions, NewSession
from memdesk.model.working import CHECKPOINT, AskNote, ClearNotes, ListNotes, WriteNote

MARK = "$memdesk"
"""Key of an object that represents another value: `message`, `tuple`, or the type of the bytes."""
MESSAGE, TUPLE = "message", "tuple"
SAYS_CHARACTERS = 200
_LARGEST = 2**63


class ValueCodec:
    """Translator between a channel's value and JSON, exact in both directions.

    serde: LangGraph's serializer, for what JSON has no form of. One of another kind, such as LangGraph's encrypted one,
    writes every value: nothing is then readable."""

    def __init__(self, serde: SerializerProtocol) -> None:
        self._serde = serde
        self._readable = type(serde) is JsonPlusSerializer

    def encode(self, value: Any) -> Any:
        """Return a value as JSON."""
        return self._plain(value) if self._readable else self._bytes(value)

    def decode(self, held: Any) -> Any:
        """Return the value of some JSON of `encode`."""
        if isinstance(held, list):
            return [self.decode(each) for each in held]
        if not isinstance(held, dict):
            return held
        match held.get(MARK):
            case None:
                return {name: self.decode(each) for name, each in held.items()}
            case "message":
                return messages_from_dict([held["data"]])[0]
            case "tuple":
                return tuple(self.decode(each) for each in held["items"])
        return self._serde.loads_typed((held["form"], base64.b64decode(held["base64"])))

    def _plain(self, value: Any) -> Any:
        kind = type(value)
        if value is None or kind is bool or (kind is str and _is_text(value)):
            return value
        if (kind is int and -_LARGEST <= value < _LARGEST) or (kind is float and math.isfinite(value)):
            return value
        if kind is list:
            return [self._plain(each) for each in value]
        if kind is tuple:
            return {MARK: TUPLE, "items": [self._plain(each) for each in value]}
        if kind is dict and MARK not in value and all(type(name) is str and _is_text(name) for name in value):
            return {name: self._plain(each) for name, each in value.items()}
        if isinstance(value, BaseMessage) and (data := _message(value)) is not None:
            return {MARK: MESSAGE, "data": data}
        return self._bytes(value)

    def _bytes(self, value: Any) -> dict[str, Any]:
        form, data = self._serde.dumps_typed(value)
        kind = type(value)
        fields = {MARK: f"{kind.__module__}.{kind.__qualname__}", "bytes": len(data), "form": form}
        if self._readable:
            fields["says"] = _beginning(value)
        return {**fields, "base64": base64.b64encode(data).decode()}


def _message(message: BaseMessage) -> dict[str, Any] | None:
    """Return a message as JSON; None if it does not come back as it was."""
    data = message_to_dict(message)
    try:
        again: dict[str, Any] = json.loads(json.dumps(data, allow_nan=False))
        same = messages_from_dict([again])[0]
    except (TypeError, ValueError):
        return None
    return again if type(same) is type(message) and same == message and _is_text(json.dumps(again)) else None


def _is_text(text: str) -> bool:
    """Return True for a text that the desk keeps as it is."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text and "\\u0000" not in text


def _beginning(value: Any) -> str:
    fields: Mapping[str, Any] = getattr(value, "__dict__", {})
    said = repr(fields or value)
    return said if len(said) <= SAYS_CHARACTERS else said[:SAYS_CHARACTERS] + "…"


NAMESPACE_CHARACTERS = 60
NEWEST = "newest"
"""Last part of the key that says which checkpoint of a namespace is the newest."""
THREADS_AT_MOST = 500
Record = dict[str, Any]


class MemDeskSaver(BaseCheckpointSaver[int]):
    """Checkpointer with `copy_thread`, for one channel.

    channel, user_id: where the threads' sessions are. agent, token, desk, client: as in `DeskConnection`. A thread
    belongs to the agent that used it first. serde: LangGraph's serializer for values that JSON has no form of."""

    def __init__(
        self,
        *,
        channel: str = GLOBAL,
        user_id: str = LOCAL_USER,
        agent: str | None = None,
        token: str | None = None,
        desk: str | None = None,
        client: SyncClient | None = None,
        serde: SerializerProtocol | None = None,
    ) -> None:
        super().__init__(serde=serde)
        self._desk = DeskConnection(desk=desk, agent=agent, token=token, client=client)
        self._channel, self._user = channel, user_id
        self._values = ValueCodec(self.serde)
        self._threads: set[str] = set()
        self._lock = threading.Lock()

    # What LangGraph calls.

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return the checkpoint that a config names, or the newest of its namespace; None if there is none."""
        thread, ns = _place(config)
        id = get_checkpoint_id(config) or self._newest(thread, ns)
        return None if id is None else self._tuple(thread, ns, id)

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yield checkpoints, those of a namespace from the newest on. filter: metadata that they have."""
        threads = self._known_threads() if config is None else [config["configurable"]["thread_id"]]
        ns = None if config is None else config["configurable"].get("checkpoint_ns")
        id = None if config is None else get_checkpoint_id(config)
        end = None if before is None else get_checkpoint_id(before)
        left = limit
        for thread in threads:
            for record in self._records(thread, ns):
                own = record["id"]
                if (id and own != id) or (end and own >= end):
                    continue
                metadata = self._values.decode(record["metadata"])
                if filter and any(metadata.get(name) != value for name, value in filter.items()):
                    continue
                if left is not None and left <= 0:
                    return
                left = None if left is None else left - 1
                found = self._tuple(thread, record["ns"], own)
                if found is not None:
                    yield found

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep a checkpoint, and return the config that names it."""
        thread, ns = _place(config)
        parent_id = get_checkpoint_id(config)
        self._begin(thread)
        parent = self._read(thread, _key(ns, parent_id)) if parent_id else None
        held: dict[str, Any] = dict(checkpoint)
        values = held.pop("channel_values")
        versions = held["channel_versions"]
        elsewhere = {
            name: place
            for name, place in _held_by(parent).items()
            if name not in new_versions and versions.get(name) == place[0]
        }
        own = {name: value for name, value in values.items() if name not in elsewhere}
        record = {
            "id": checkpoint["id"],
            "ns": ns,
            "parent": parent_id,
            "versions": dict(versions),
            "checkpoint": self._values.encode(held),
            "metadata": self._values.encode(get_checkpoint_metadata(config, metadata)),
            "values": {name: self._values.encode(value) for name, value in own.items()},
            "held_by": elsewhere,
        }
        self._write(thread, _key(ns, checkpoint["id"]), record)
        newest = self._read(thread, _key(ns, NEWEST))
        if newest is None or newest["id"] <= checkpoint["id"]:
            self._write(thread, _key(ns, NEWEST), {"id": checkpoint["id"], "ns": ns})
        return _config(thread, ns, checkpoint["id"])

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Keep the writes of a task next to its checkpoint; a write that is kept already stays."""
        thread, ns = _place(config)
        key = _writes_key(ns, str(get_checkpoint_id(config)), task_id)
        with self._lock:
            self._begin(thread)
            known = self._read(thread, key) or {"task": task_id, "path": task_path, "writes": {}}
            kept = dict(known["writes"])
            for place, (channel, value) in enumerate(writes):
                index = WRITES_IDX_MAP.get(channel, place)
                if index < 0 or str(index) not in kept:
                    kept[str(index)] = [channel, self._values.encode(value)]
            self._write(thread, key, {**known, "path": task_path, "writes": kept})

    def delete_thread(self, thread_id: str) -> None:
        """Delete the checkpoints of a thread; the session's turns and notes stay."""
        self._desk.call(
            working.CLEAR_NOTES, ClearNotes(prefix=CHECKPOINT, session_id=thread_id, user_id=self._user)
        )

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy the checkpoints of a thread into another, with all writes."""
        self._begin(target_thread_id)
        asked = ListNotes(prefix=CHECKPOINT, values=True, session_id=source_thread_id, user_id=self._user)
        for note in self._desk.call(working.LIST_NOTES, asked).notes:
            self._write(target_thread_id, note.key, note.value)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await asyncio.to_thread(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        found = self.list(config, filter=filter, before=before, limit=limit)
        while (each := await asyncio.to_thread(next, found, None)) is not None:
            yield each

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        return await asyncio.to_thread(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        await asyncio.to_thread(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        await asyncio.to_thread(self.delete_thread, thread_id)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        await asyncio.to_thread(self.copy_thread, source_thread_id, target_thread_id)

    def close(self) -> None:
        """Close the connection to the desk; the saver goes on with the next call."""
        self._desk.close()

    # Notes of the thread's session.

    def _begin(self, thread: str) -> None:
        """Make the session of a thread at its first use."""
        if thread not in self._threads:
            new = NewSession(
                channel=self._channel, title=f"Thread {thread}", session_id=thread, user_id=self._user
            )
            self._desk.call(context.CREATE_SESSION, new)
            self._threads.add(thread)

    def _known_threads(self) -> Sequence[str]:
        rows = self._desk.call(context.SESSIONS, ListSessions(user_id=self._user, limit=THREADS_AT_MOST)).rows
        return [row.session_id for row in rows]

    def _read(self, thread: str, key: str) -> Record | None:
        note = self._desk.call(working.READ_NOTE, AskNote(key=key, session_id=thread, user_id=self._user))
        return note.value if note.found else None

    def _write(self, thread: str, key: str, record: Record) -> None:
        self._desk.call(
            working.WRITE_NOTE, WriteNote(key=key, value=record, session_id=thread, user_id=self._user)
        )

    def _newest(self, thread: str, ns: str) -> str | None:
        newest = self._read(thread, _key(ns, NEWEST))
        if newest is not None and self._read(thread, _key(ns, newest["id"])) is not None:
            return str(newest["id"])
        # A person may have deleted it: then the one before.
        return next((str(record["id"]) for record in self._records(thread, ns)), None)

    def _records(self, thread: str, ns: str | None) -> Iterator[Record]:
        """Yield the checkpoints of a thread, or of one of its namespaces, newest first."""
        prefix = CHECKPOINT if ns is None else _key(ns, "")
        notes = self._desk.call(
            working.LIST_NOTES, ListNotes(prefix=prefix, session_id=thread, user_id=self._user)
        ).notes
        keys = [note.key for note in notes if _is_checkpoint(note.key)]
        for key in sorted(keys, key=lambda key: key.rpartition("::")[2], reverse=True):
            record = self._read(thread, key)
            if record is not None:
                yield record

    def _tuple(self, thread: str, ns: str, id: str) -> CheckpointTuple | None:
        asked = ListNotes(prefix=_key(ns, id), values=True, session_id=thread, user_id=self._user)
        notes: dict[str, Record] = {
            note.key: note.value for note in self._desk.call(working.LIST_NOTES, asked).notes
        }
        record = notes.get(_key(ns, id))
        if record is None:
            return None
        checkpoint: Any = self._values.decode(record["checkpoint"])
        checkpoint["channel_values"] = self._channel_values(thread, ns, record)
        beginning = _writes_key(ns, id, "")
        writes = [note for key, note in notes.items() if key.startswith(beginning)]
        parent = record["parent"]
        return CheckpointTuple(
            config=_config(thread, ns, id),
            checkpoint=checkpoint,
            metadata=self._values.decode(record["metadata"]),
            parent_config=_config(thread, ns, parent) if parent else None,
            pending_writes=[
                (task, channel, self._values.decode(value)) for task, channel, value in _ordered(writes)
            ],
        )

    def _channel_values(self, thread: str, ns: str, record: Record) -> dict[str, Any]:
        """Return the values of a checkpoint's channels, read from the checkpoints that have them."""
        held = dict(record["values"])
        others = {id: self._read(thread, _key(ns, id)) for id in {id for _, id in record["held_by"].values()}}
        for name, (_, id) in record["held_by"].items():
            values = (others[id] or {}).get("values", {})
            held |= {name: values[name]} if name in values else {}
        versions: Mapping[str, Any] = record["versions"]
        order = [
            *(name for name in versions if name in held),
            *(name for name in held if name not in versions),
        ]
        return {name: self._values.decode(held[name]) for name in order}


def _place(config: RunnableConfig) -> tuple[str, str]:
    named = config["configurable"]
    return str(named["thread_id"]), str(named.get("checkpoint_ns", ""))


def _config(thread: str, ns: str, id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread, "checkpoint_ns": ns, "checkpoint_id": id}}


def _key(ns: str, id: str) -> str:
    """Return the key of a checkpoint's note: `checkpoint::{namespace}::{id}`."""
    part = quote(ns, safe="|")
    if len(part) > NAMESPACE_CHARACTERS:
        part = f"{part[:NAMESPACE_CHARACTERS]}~{hashlib.sha256(ns.encode()).hexdigest()[:16]}"
    return f"{CHECKPOINT}{part}::{quote(id, safe='')}"


def _writes_key(ns: str, id: str, task: str) -> str:
    return f"{_key(ns, id)}::writes::{quote(task, safe='')}"


def _is_checkpoint(key: str) -> bool:
    return key.count("::") == 2 and not key.endswith(f"::{NEWEST}")


def _held_by(record: Record | None) -> dict[str, list[Any]]:
    """Return the version of each channel's value in a checkpoint, with the id of the checkpoint that has it."""
    if record is None:
        return {}
    own = {name: [record["versions"].get(name), record["id"]] for name in record["values"]}
    return {**record["held_by"], **own}


def _ordered(notes: Sequence[Record]) -> Iterator[tuple[str, str, Any]]:
    """Yield the writes of tasks in the order in which they are applied: task, channel, value."""
    every = [
        (writes_sort_key(note["path"], note["task"], int(index)), note["task"], *write)
        for note in notes
        for index, write in note["writes"].items()
    ]
    for _, task, channel, value in sorted(every, key=lambda each: each[0]):
        yield task, channel, value
