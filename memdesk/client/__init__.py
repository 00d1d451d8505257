"""Client side of the socket, for programs: typed calls, the change feed, and memory for an agent's loop.

    from memdesk.client import MemoryHook, connect

    with connect(agent="forge") as client:
        hook = MemoryHook(client, session_id="monday")
        messages = hook.with_memory(messages)

`connect` finds or starts the service of the usual desk. `SyncClient` waits in the calling thread, `Client` on
an event loop; both `call` any endpoint of `memdesk.api`. `MemoryHook` adds memory to an agent's turns in
a thread, `AgentContext` on a loop. Nothing here needs Qt.

Each name is imported on first use: a command of the command line needs none of them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memdesk.client.agent_memory import AgentMemory, MemoryHook
    from memdesk.client.client import Client
    from memdesk.client.context import AgentContext
    from memdesk.client.find import find_or_start
    from memdesk.client.sync import SyncClient, connect

__all__ = ["AgentContext", "AgentMemory", "Client", "MemoryHook", "SyncClient", "connect", "find_or_start"]
_MODULES = {
    "AgentContext": "context",
    "AgentMemory": "agent_memory",
    "Client": "client",
    "MemoryHook": "agent_memory",
    "SyncClient": "sync",
    "connect": "sync",
    "find_or_start": "find",
}


def __getattr__(name: str) -> Any:
    """Return a public name of this package (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
