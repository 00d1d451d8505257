"""Subscriptions of a runtime to the graph. As the reference server does, it is told of the changes that it made itself:
an agent may not follow those of others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from memdesk.api.tools.mcp_memory import TOOLSET

SUBSCRIBE, UNSUBSCRIBE, CALL = "resources/subscribe", "resources/unsubscribe", "tools/call"
_CHANGING = frozenset(tool.name for tool in TOOLSET.tools if not tool.reads)


class Subscriptions:
    """Addresses that the runtime subscribed to."""

    def __init__(self) -> None:
        self._uris: set[str] = set()

    def after(self, method: str, params: Mapping[str, Any], answer: bytes) -> Iterator[bytes]:
        """Take note of a request that was answered; yield what the runtime is told besides."""
        if b'"result"' not in answer:
            return
        uri = str(params.get("uri", ""))
        if method == SUBSCRIBE:
            self._uris.add(uri)
        elif method == UNSUBSCRIBE:
            self._uris.discard(uri)
        elif method == CALL and params.get("name") in _CHANGING and not _failed(answer):
            for each in sorted(self._uris):
                told = {
                    "jsonrpc": "2.0",
                    "method": "notifications/resources/updated",
                    "params": {"uri": each},
                }
                yield json.dumps(told).encode()


def _failed(answer: bytes) -> bool:
    result = json.loads(answer).get("result")
    return bool(isinstance(result, dict) and result.get("isError"))
