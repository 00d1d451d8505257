"""Items: the key-value store of an agent's framework. Each item is a fact, found by its namespace and key."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
from memdesk.model.item import (
    GetItems,
    ItemList,
    ItemPlace,
    ItemsPut,
    ListNamespaces,
    Namespaces,
    NewItem,
    PutItems,
    SearchItems,
)
from memdesk.model.team import AGENT, READER

_TEA = ItemPlace(namespace=("users", "mara"), key="tea")
PUT = Post(
    "items.put",
    PutItems,
    ItemsPut,
    "Keep items, or take them out",
    "memory.items:put",
    role=AGENT,
    example=PutItems(
        items=(NewItem(namespace=_TEA.namespace, key=_TEA.key, value={"text": "Mara drinks green tea"}),),
        channel="tidepool",
    ),
)
GET = Post(
    "items.get",
    GetItems,
    ItemList,
    "Read items by namespace and key",
    "memory.items:get",
    role=AGENT,
    example=GetItems(items=(_TEA,), channel="tidepool"),
)
SEARCH = Post(
    "items.search",
    SearchItems,
    ItemList,
    "Items of a namespace, by filter and by meaning",
    "recall.agent_search:search_items",
    role=AGENT,
    example=SearchItems(namespace=("users",), query="What does Mara drink?", channel="tidepool"),
    face=Face(
        "items",
        about="List the items that agents' frameworks keep in a channel, the last written first.",
        positional=("query",),
        help={
            "query": "the nearest to this first",
            "namespace": "only items of this label, then of the next",
            "limit": "rows at most",
        },
        defaults={"limit": 50},
        left_out=("where", "refresh", "first"),
        fixed={"refresh": False},
        columns="FACT {id} | ITEM {address} | UPDATED {updated_at} | WHAT {claim}",
        none="No item in {channel} yet; an agent's framework keeps them with items/put.",
    ),
)
NAMESPACES = Get(
    "items.namespaces",
    ListNamespaces,
    Namespaces,
    "The namespaces that have items",
    "memory.items:namespaces",
    role=READER,
    example=ListNamespaces(channel="tidepool"),
)
