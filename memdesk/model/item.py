"""Items of a key-value store that an agent's framework keeps on the desk: each is a fact under an address."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import quote, unquote

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.names import FilledName

SOURCE = "store"
"""Source of a fact that is an item."""
_START = "item:"
_PLAIN = " !$&'()*+,:;=@[]{}|"
"""Characters of a label that its address shows as they are."""


def _part(label: str) -> str:
    return quote(label, safe=_PLAIN)


def folder_of(namespace: tuple[str, ...]) -> str:
    """Return the beginning of the addresses of all items in a namespace and below."""
    return _START + "".join(f"{_part(label)}/" for label in namespace)


def address_of(namespace: tuple[str, ...], key: str) -> str:
    """Return the address of an item: `item:users/mara/tea`."""
    return folder_of(namespace) + _part(key)


def place_of(address: str) -> tuple[tuple[str, ...], str]:
    """Return the namespace and the key of an address."""
    *labels, key = (unquote(part) for part in address.removeprefix(_START).split("/"))
    return tuple(labels), key


@dataclass(frozen=True, slots=True, kw_only=True)
class NewItem:
    """Item to keep; one of the same namespace and key is replaced. value: a JSON object, None to take the item out.

    searched: paths of the value's fields whose text is the fact, such as `content.text`; left out, its own text, or all
    fields. kept_out: the fact names the item and nothing of its value. ttl_minutes: it ends so long after its
    last use."""

    namespace: tuple[str, ...]
    key: str
    value: dict[str, Any] | None = None
    searched: tuple[str, ...] = ()
    kept_out: bool = False
    ttl_minutes: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PutItems:
    """Items to keep or to take out, all or none.

    items: each with its namespace, its key and its value."""

    items: tuple[NewItem, ...]
    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER
    agent_id: FilledName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemsPut:
    """Result of keeping items. kept: the ids of their facts, in order; "" for one that was taken out. change: None if
    nothing changed."""

    kept: tuple[str, ...]
    change: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemPlace:
    namespace: tuple[str, ...]
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GetItems:
    """Items to read. items: their namespaces and keys. refresh: an item with a lifetime lives as long again."""

    items: tuple[ItemPlace, ...]
    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER
    refresh: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchItems:
    """Items of a namespace and those below it, the last written first; with a query, those nearest to it first.

    namespace: its labels, empty for all. query: words or a question. refresh: items with a lifetime live as long again.
    where: fields that the value must have, equal to a value or to an object of operators ($eq, $ne, $gt, $gte, $lt,
    $lte)."""

    namespace: tuple[str, ...] = ()
    query: str = ""
    where: dict[str, Any] = field(default_factory=dict)
    limit: int = 10
    first: int = 0
    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER
    refresh: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredItem:
    """Item as kept. id: of its fact. address: namespace and key on one line. claim: the fact's sentence. score: its
    relevance to the query, 0 to 1; None without one."""

    id: str
    namespace: tuple[str, ...]
    key: str
    address: str
    claim: str
    value: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemList:
    rows: tuple[StoredItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListNamespaces:
    """Request for the namespaces that have items, in order."""

    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class Namespaces:
    rows: tuple[tuple[str, ...], ...]
