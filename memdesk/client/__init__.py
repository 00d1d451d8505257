"""Client side of the socket, for programs: typed calls, the change feed, and memory for an agent's loop.

    from memdesk.client import MemoryHook, connect

    with connect(agent="forge") as client:
        hook = MemoryHook(client, session_id="monday")
        messages = hook.with_memory(messages)

    async with await connect_async(agent="forge") as client:
        memory = AsyncAgentMemory(client=client, channel="harbour")
        await memory.learn_fact("The crane is painted orange")
        found = await memory.remember("What colour is the crane?")

`connect` finds or starts the service of the usual desk, and `connect_async` awaits it. `SyncClient` waits in the
calling thread, `Client` on an event loop; both `call` any endpoint of `memdesk.api`. `MemoryHook` adds memory to
an agent's turns in a thread, `AgentContext` on a loop. Nothing here needs Qt.

Each name is imported on first use: a command of the command line needs none of them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memdesk.client.agent_memory import AgentMemory, AsyncAgentMemory, MemoryHook
    from memdesk.client.client import Client, SyncClient
    from memdesk.client.context import AgentContext
    from memdesk.client.find import connect, connect_async, find_or_start

__all__ = [
    "AgentContext",
    "AgentMemory",
    "AsyncAgentMemory",
    "Client",
    "MemoryHook",
    "SyncClient",
    "connect",
    "connect_async",
    "find_or_start",
]
_MODULES = {
    "AgentContext": "context",
    "AgentMemory": "agent_memory",
    "AsyncAgentMemory": "agent_memory",
    "Client": "client",
    "MemoryHook": "agent_memory",
    "SyncClient": "client",
    "connect": "find",
    "connect_async": "find",
    "find_or_start": "find",
}


def __getattr__(name: str) -> Any:
    """Return a public name of this package (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
