"""Preparation of records for import: checked against their kinds, put in order, and packed into batches of
one change each."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar, get_type_hints

from memdesk.engine.interop.reading import Peek
from memdesk.engine.memory.draft import PROPERTIES_CHARACTERS
from memdesk.engine.workspace.layouts import Place, slug
from memdesk.files.reading import Left, without_unstorable
from memdesk.model.errors import Refused
from memdesk.model.instant import SECOND
from memdesk.model.kind import Kind, is_time
from memdesk.model.kinds import BY_NAME
from memdesk.model.message import Message, message
from memdesk.model.turn import CONVERSATION

T = TypeVar("T")
BESIDE = "beside"
"""Key of the source's fields that no column can store, in the metadata or properties of a record, and in the details of
the change that created it."""


def with_extra_fields(text: str, extra: dict[str, Any]) -> str | None:
    """Return the text of a JSON object with the source's extra fields added, None if that is too long for a column."""
    whole = json.dumps(json.loads(text) | {BESIDE: extra}, ensure_ascii=False)
    return whole if len(whole) < PROPERTIES_CHARACTERS else None


UNIQUE_ID_CHARACTERS = 16
"""Length from which a source's id is globally unique; a shorter one (“1”, “u7”) is so only in its file or
conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTurn:
    """Turn of a chat. given_id: the source's own id, None if it has none. at: UTC microseconds.

    beside: fields of the source that no column can store."""

    role: str
    content: str
    at: int
    given_id: str | None = None
    speaker: str | None = None
    model: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    beside: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """Conversation to import. `key` identifies it for good: the source's own id, or a value that stays the
    same when it grows.

    file: the file it was read from. given: True if `key` is the source's own id. channel, agent_id: None if
    the source has none. left: the parts left out. beside: fields of the source that no column can store."""

    name: str
    file: str
    key: str
    given: bool
    title: str
    turns: tuple[ChatTurn, ...]
    channel: str | None = None
    agent_id: str | None = None
    left: tuple[Left, ...] = ()
    beside: dict[str, Any] = field(default_factory=dict)

    @property
    def conversation_id(self) -> str:
        """Id of the conversation, if it is the desk's own user's."""
        return self.key if self.given else f"{CONVERSATION.prefix}_{self.key}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Markdown file of a workspace, read from `path` when it is processed. `relative`: its path in `place`."""

    name: str
    path: Path
    place: Place
    relative: str
    size_bytes: int

    @property
    def file(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """Folder in which a system will keep memory, still without a file: it is registered, so that it is watched."""

    name: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Update of a record during an import: applied if its columns equal `before`, else skipped."""

    kind: Kind[Any]
    id: str
    before: dict[str, Any]
    after: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedRecord:
    """Record to import under its own id.

    fields: its columns; a missing column gets the value of a new record, and the batch's channel. beside:
    fields of the source that no column can store. then: moves of earlier records that refer to it."""

    kind: Kind[Any]
    id: str
    fields: dict[str, Any]
    beside: dict[str, Any] = field(default_factory=dict)
    then: tuple[Move, ...] = ()


Step = ImportedRecord | Move


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Records that are imported together, as one change. name: a description for people, such as "facts of
    harbour".

    channel, agent_id: for records that name none. exact: they keep their values from the other desk,
    including user, channel and id. texts: the hashes of the versions they name, which `text_of` reads."""

    name: str
    file: str
    steps: tuple[Step, ...]
    channel: str | None = None
    agent_id: str | None = None
    exact: bool = False
    texts: tuple[str, ...] = ()
    text_of: Callable[[str], str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """Use of a memory before its import. id: its own, or its document's for a passage of these lines."""

    id: str
    lines: tuple[int, int] | None
    access_count: int
    last_accessed: int
    salience: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Uses:
    """Use counts imported in addition to the records; they are not a change of memory."""

    name: str
    file: str
    rows: tuple[Used, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphLines:
    """Lines of an MCP memory server's file that are imported together, as one change."""

    name: str
    file: str
    lines: tuple[dict[str, Any], ...]
    channel: str | None = None
    agent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scratch:
    """Scratchpad notes of sessions, as (session, key, JSON value): working memory, not a change of stored memory."""

    name: str
    file: str
    notes: tuple[tuple[str, str, Any], ...]


Item = Chat | Home | Note | Batch | GraphLines | Uses | Scratch | Left


def left_out(name: str, why: str, count: int) -> Iterator[Left]:
    """Yield one entry for the items of a source that are left out for the same reason, if there are any."""
    if count:
        yield Left(name=name, why=message("{why}; in all: {count}.", why=why, count=f"{count:,}"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """File or folder opened for import. total: number of items. channel: for records that name none.

    exact: it is restored unchanged, with users, channels and ids. user_id: the user it belongs to, None for
    several users. manifest: that of an archive, with its seal."""

    format: str
    says: Message
    total: int
    channel: str
    items: Iterable[Item]
    exact: bool = False
    user_id: str | None = None
    manifest: dict[str, Any] | None = None

    @classmethod
    def of(cls, format: str, says: Message, peek: Peek, *items: Item, channel: str | None = None) -> Source:
        """Return a source that was read completely. channel: by default the file's own name."""
        channel = channel or slug(peek.path.stem)
        return cls(format=format, says=says, total=len(items), channel=channel, items=items)


class Importer(Protocol):
    """Import format: recognises its files and opens them. reads: the files it accepts, described for people."""

    @property
    def name(self) -> str: ...

    @property
    def reads(self) -> str: ...

    def sniff(self, peek: Peek) -> bool: ...

    def open(self, peek: Peek) -> Source:
        """Return the contents of a recognised file."""
        ...


EDITS_AT_ONCE = 400
"""Most edits of one batch; a change allows far more."""
ID_CHARACTERS = 200
_JSON = {"metadata": dict, "properties": dict, "details": dict, "tool_sequence": list}
"""Columns that store JSON of this type as text."""
_JSON_OF_ANY_TYPE = frozenset(("tool_input", "tool_output", "value"))
_SHARES = frozenset(("confidence", "salience"))
_LARGEST = 2**53
"""Upper limit of an integer column that is no time: up to here a number is exact in any JSON."""
_FIRST_TIME, _LAST_TIME = -62_135_596_800 * SECOND, 253_402_300_799 * SECOND
"""Years 1 to 9999, all that a calendar can show."""


def check_record(creation: ImportedRecord, where: str) -> ImportedRecord:
    """Return the record if each field is valid for its column. Raises Refused, naming the position in the source."""
    if (
        not creation.id.strip()
        or len(creation.id) > ID_CHARACTERS
        or without_unstorable(creation.id) != creation.id
    ):
        raise Refused(
            message(
                "{where}: an id must be text of 1 to {count} characters.", where=where, count=ID_CHARACTERS
            )
        )
    hints = types_of(creation.kind)
    for name, value in creation.fields.items():
        if name not in hints or not isinstance(value, hints[name]) or isinstance(value, bool):
            raise Refused(
                message(
                    "{where}: `{name}` of a {label} is not what it should be.",
                    where=where,
                    name=name,
                    label=creation.kind.label.lower(),
                )
            )
        if why := _odd(creation.kind, name, value):
            raise Refused(message("{where}: `{name}` {why}.", where=where, name=name, why=why))
    return creation


def types_of(kind: Kind[Any]) -> dict[str, tuple[type, ...]]:
    """Return the types that each column of a kind accepts; a float column accepts an int too."""
    return _types(kind.name)


def required_references(kind: Kind[Any]) -> tuple[str, ...]:
    """Return the columns of a kind that must name a record."""
    types = types_of(kind)
    return tuple(column for column, _ in kind.references if type(None) not in types[column])


@cache
def _types(kind: str) -> dict[str, tuple[type, ...]]:
    return {
        name: tuple(
            part
            for part in (int, float, str, type(None))
            if part is hint or part in getattr(hint, "__args__", ()) or (hint is float and part is int)
        )
        for name, hint in get_type_hints(BY_NAME[kind].record).items()
    }


def order_references(creations: Iterable[ImportedRecord]) -> Iterator[ImportedRecord]:
    """Yield records in an order in which each can be applied; a reference to a later record of the same kind
    is set afterwards."""
    seen: set[str] = set()
    waiting: dict[str, list[Move]] = {}
    for creation in creations:
        seen.add(creation.id)
        fields = dict(creation.fields)
        for column, kind in creation.kind.references:
            target = fields.get(column)
            if kind == creation.kind.name and target is not None and target not in seen:
                fields[column] = None
                move = Move(kind=creation.kind, id=creation.id, before={column: None}, after={column: target})
                waiting.setdefault(target, []).append(move)
        yield replace(creation, fields=fields, then=(*creation.then, *waiting.pop(creation.id, ())))


def pack_batches(creations: Iterable[ImportedRecord], like: Batch) -> Iterator[Batch]:
    """Yield records in batches like this one, in an order in which each can be applied."""
    for group in grouped(order_references(creations), lambda each: 1 + len(each.then), EDITS_AT_ONCE):
        yield replace(like, steps=tuple(group))


def grouped(items: Iterable[T], weight_of: Callable[[T], int], most: int) -> Iterator[list[T]]:
    """Yield items in groups, in order, each of this weight at most or of a single item."""
    group: list[T] = []
    weight = 0
    for item in items:
        own = weight_of(item)
        if group and weight + own > most:
            yield group
            group, weight = [], 0
        group.append(item)
        weight += own
    if group:
        yield group


def _odd(kind: Kind[Any], name: str, value: Any) -> str:
    """Return the reason why a value of the right type cannot be stored, "" if it can."""
    if isinstance(value, str):
        return _odd_text(kind, name, value)
    if isinstance(value, float) and not math.isfinite(value):
        return message("is no finite number")
    if name in _SHARES and not 0 <= value <= 1:
        return message("does not lie between 0 and 1")
    if isinstance(value, int) and not _in_range(name, value):
        return message("is out of range")
    return ""


def _in_range(name: str, value: int) -> bool:
    if is_time(name):
        return _FIRST_TIME <= value <= _LAST_TIME
    return -1 <= value < _LARGEST


def _odd_text(kind: Kind[Any], name: str, text: str) -> str:
    if without_unstorable(text) != text:
        return message("holds a NUL or half a character")
    wanted = (
        object if name in _JSON_OF_ANY_TYPE and (kind.name, name) != ("fact", "value") else _JSON.get(name)
    )
    if wanted is None:
        return ""
    try:
        return "" if isinstance(json.loads(text), wanted) else message("holds other JSON than it should")
    except (ValueError, RecursionError):
        return message("is not JSON")
