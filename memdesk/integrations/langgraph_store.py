"""LangGraph's long-term store on the desk: every item is a fact of a channel, found by namespace and key.

    from memdesk.integrations import MemDeskStore

    store = MemDeskStore(channel="support", agent="helper")
    store.put(("users", "mara"), "tea", {"text": "Mara drinks green tea"})
    graph = builder.compile(store=store)

The fact is the item's text, so that a person sees and corrects it, and every agent of the channel recalls it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
)

from memdesk.api import items
from memdesk.client.client import SyncClient
from memdesk.integrations.desk import DeskConnection
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.item import GetItems, ItemPlace, ListNamespaces, NewItem, PutItems, SearchItems, StoredItem

AT_ONCE = 200
"""Items of one call to the desk."""


class MemDeskStore(BaseStore):
    """Key-value store of LangGraph, with search by meaning and lifetimes.

    channel, user_id: where its facts are. agent, token, desk, client: as in `DeskConnection`. fields: the paths of a
    value that are searched, unless `put` names others; left out, its own text. ttl: lifetimes by default, as LangGraph
    describes them; an item ends by itself, without a sweep.

    A batch reads before it writes. Of two writes of one key the last counts."""

    supports_ttl = True
    __slots__ = ("_desk", "_fields", "_place", "ttl_config")

    def __init__(
        self,
        *,
        channel: str = GLOBAL,
        user_id: str = LOCAL_USER,
        agent: str | None = None,
        token: str | None = None,
        desk: str | None = None,
        client: SyncClient | None = None,
        fields: Sequence[str] = (),
        ttl: TTLConfig | None = None,
    ) -> None:
        self._desk = DeskConnection(desk=desk, agent=agent, token=token, client=client)
        self._place = {"channel": channel, "user_id": user_id}
        self._fields = tuple(fields)
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        asked = list(ops)
        results: list[Result] = [None] * len(asked)
        self._get(asked, results)
        for place, op in enumerate(asked):
            match op:
                case SearchOp():
                    results[place] = self._search(op)
                case ListNamespacesOp():
                    results[place] = self._namespaces(op)
                case GetOp() | PutOp():
                    pass
                case _:
                    raise ValueError(f"Unknown operation type: {type(op)}")
        self._put([op for op in asked if isinstance(op, PutOp)])
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        asked = list(ops)
        return await asyncio.to_thread(self.batch, asked)

    def close(self) -> None:
        """Close the connection to the desk; the store goes on with the next call."""
        self._desk.close()

    def _get(self, ops: Sequence[Op], results: list[Result]) -> None:
        for refresh in (True, False):
            wanted = [
                (place, op)
                for place, op in enumerate(ops)
                if isinstance(op, GetOp) and bool(op.refresh_ttl) is refresh
            ]
            for start in range(0, len(wanted), AT_ONCE):
                some = wanted[start : start + AT_ONCE]
                places = tuple(ItemPlace(namespace=op.namespace, key=op.key) for _, op in some)
                rows = self._desk.call(items.GET, GetItems(items=places, refresh=refresh, **self._place)).rows
                found = {(row.namespace, row.key): _item(row) for row in rows}
                for place, op in some:
                    results[place] = found.get((op.namespace, op.key))

    def _put(self, ops: Sequence[PutOp]) -> None:
        last = list({(op.namespace, op.key): op for op in ops}.values())
        for start in range(0, len(last), AT_ONCE):
            kept = tuple(map(self._new_item, last[start : start + AT_ONCE]))
            self._desk.call(items.PUT, PutItems(items=kept, **self._place))

    def _new_item(self, op: PutOp) -> NewItem:
        return NewItem(
            namespace=op.namespace,
            key=op.key,
            value=None if op.value is None else dict(op.value),
            searched=self._fields if op.index is None or op.index is False else tuple(op.index),
            kept_out=op.index is False,
            ttl_minutes=op.ttl,
        )

    def _search(self, op: SearchOp) -> list[SearchItem]:
        asked = SearchItems(
            namespace=op.namespace_prefix,
            query=op.query or "",
            where=op.filter or {},
            limit=op.limit,
            first=op.offset,
            refresh=op.refresh_ttl,
            **self._place,
        )
        return [_search_item(row) for row in self._desk.call(items.SEARCH, asked).rows]

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        every = self._desk.call(items.NAMESPACES, ListNamespaces(**self._place)).rows
        kept = [each for each in every if all(_matches(wanted, each) for wanted in op.match_conditions or ())]
        cut = sorted({each[: op.max_depth] for each in kept})
        return cut[op.offset : op.offset + op.limit]


def _matches(wanted: MatchCondition, namespace: tuple[str, ...]) -> bool:
    """Return True if a namespace begins or ends as wanted; `*` represents any label."""
    path = wanted.path
    if len(namespace) < len(path):
        return False
    ends: dict[str, Callable[[], tuple[str, ...]]] = {
        "prefix": lambda: namespace[: len(path)],
        "suffix": lambda: namespace[len(namespace) - len(path) :],
    }
    if wanted.match_type not in ends:
        raise ValueError(f"Unsupported match type: {wanted.match_type}")
    return all(label in ("*", own) for label, own in zip(path, ends[wanted.match_type](), strict=True))


def _fields_of(row: StoredItem) -> dict[str, Any]:
    return {
        "namespace": row.namespace,
        "key": row.key,
        "value": row.value,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    }


def _item(row: StoredItem) -> Item:
    return Item(**_fields_of(row))


def _search_item(row: StoredItem) -> SearchItem:
    return SearchItem(**_fields_of(row), score=row.score)
