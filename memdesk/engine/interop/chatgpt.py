"""ChatGPT's export format: a conversation is a tree of edits, and the version read last is one path through
it."""

from __future__ import annotations

from typing import Any


def straightened(record: dict[str, Any]) -> dict[str, Any]:
    """Return the same conversation as a plain list of messages: the path from the root to the current node."""
    mapping = record.get("mapping")
    if not isinstance(mapping, dict):
        return record
    path: list[dict[str, Any]] = []
    seen: set[str] = set()
    node = record.get("current_node") or _deepest(mapping)
    while isinstance(node, str) and node in mapping and node not in seen:
        seen.add(node)
        place = mapping[node] if isinstance(mapping[node], dict) else {}
        message = place.get("message")
        if isinstance(message, dict):
            path.append(_plain(message))
        node = place.get("parent")
    kept = {name: value for name, value in record.items() if name not in ("mapping", "current_node")}
    return kept | {"messages": list(reversed(path))}


def _deepest(mapping: dict[str, Any]) -> str | None:
    """Return the last node without children, for exports that name no current node."""
    leaves = [
        name for name, place in mapping.items() if isinstance(place, dict) and not place.get("children")
    ]
    return leaves[-1] if leaves else None


def _plain(message: dict[str, Any]) -> dict[str, Any]:
    content, author = message.get("content"), message.get("author")
    parts = content.get("parts") if isinstance(content, dict) else None
    metadata = message.get("metadata")
    others = {
        name: value for name, value in message.items() if name not in ("author", "content", "create_time")
    }
    return {
        **others,
        "id": message.get("id"),
        "role": author.get("role") if isinstance(author, dict) else None,
        "content": [part for part in parts or [] if isinstance(part, str)],
        "timestamp": message.get("create_time"),
        "model": metadata.get("model_slug") if isinstance(metadata, dict) else None,
    }
