"""mem0: Mem0's tools on its own library, answering its JSON. Its memories have no journal and no undo."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.toolsets.toolset import WorkingSet, json_failure, json_fault, json_misfits
from memdesk.model.errors import MemDeskError, StorageFailed
from memdesk.model.message import message
from memdesk.model.tools import ToolAnswer, ToolCall

RESULTS, PAGE = 10, 50
ANY_RELEVANCE = 0.0
"""Minimum relevance: none, because the results have scores and the agent decides which are near enough."""


def add_memory(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Add a text or messages unchanged."""
    said = call.arguments.get("messages") or str(call.arguments.get("text") or "").strip()
    if not said:
        raise json_fault("text or messages is required")
    _need_own(call, call.arguments.get("agent_id"))
    about = {"agent_id": call.arguments.get("agent_id") or call.agent} | _given_arguments(
        call, "run_id", "metadata"
    )
    return _answer(engine, call, lambda mem0, user: mem0.add(said, user_id=user, infer=False, **about))


def search_memories(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return the memories nearest in meaning."""
    most = int(call.arguments.get("limit") or RESULTS)
    return _answer(
        engine,
        call,
        lambda mem0, user: mem0.search(
            call.arguments["query"], filters=_filters(call, user), top_k=most, threshold=ANY_RELEVANCE
        ),
    )


def get_memories(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return one page of memories."""
    size = int(call.arguments.get("page_size") or PAGE)
    last = size * int(call.arguments.get("page") or 1)

    def page(mem0: Any, user: str) -> dict[str, Any]:
        found = mem0.get_all(filters=_filters(call, user), top_k=last)
        return {**found, "results": found["results"][last - size : last]}

    return _answer(engine, call, page)


def get_memory(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return one memory."""
    return _answer(engine, call, lambda mem0, _: _existing(mem0, call))


def update_memory(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Replace the text of a memory."""

    def update(mem0: Any, _user: str) -> Any:
        _need_own(call, _existing(mem0, call).get("agent_id"))
        return mem0.update(call.arguments["memory_id"], text=call.arguments["text"])

    return _answer(engine, call, update)


def delete_memory(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Delete one memory."""

    def delete(mem0: Any, _user: str) -> Any:
        _need_own(call, _existing(mem0, call).get("agent_id"))
        return mem0.delete(call.arguments["memory_id"])

    return _answer(engine, call, delete)


def delete_all_memories(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Delete all memories of an agent or of a run; of every agent's only where the desk's owner calls."""
    about = _given_arguments(call, "agent_id", "run_id")
    _need_own(call, about.get("agent_id"))
    about |= {} if call.owner else {"agent_id": about.get("agent_id") or call.agent}
    return _answer(engine, call, lambda mem0, user: mem0.delete_all(user_id=user, **about))


def _need_own(call: ToolCall, agent_id: str | None) -> None:
    """Raise ToolFault for a memory of another agent."""
    if not call.may_change(agent_id):
        raise json_fault(f"This memory belongs to the agent {agent_id}")


def _answer(engine: Engine, call: ToolCall, ask: Callable[[Any, str], Any]) -> ToolAnswer:
    user = call.place.user_id
    with engine.mem0.of(user) as mem0:
        try:
            answer = ask(mem0, user)
        except MemDeskError:
            raise
        except ValueError as wrong:
            raise json_fault(str(wrong)) from wrong
        except Exception as wrong:  # noqa: BLE001  the errors of Mem0 and of its stores share no root but this
            raise StorageFailed(
                message("Mem0 failed: {name}: {wrong}.", name=type(wrong).__name__, wrong=str(wrong)[:200])
            ) from wrong
    return ToolAnswer(text=json.dumps(answer, ensure_ascii=False, default=str), data=answer)


def _existing(mem0: Any, call: ToolCall) -> dict[str, Any]:
    found: dict[str, Any] | None = mem0.get(call.arguments["memory_id"])
    if found is None:
        raise json_fault(f"Memory with id {call.arguments['memory_id']} not found")
    return found


def _filters(call: ToolCall, user: str) -> dict[str, Any]:
    return {"user_id": user} | _given_arguments(call, "agent_id", "run_id")


def _given_arguments(call: ToolCall, *names: str) -> dict[str, Any]:
    return {name: call.arguments[name] for name in names if call.arguments.get(name)}


WORKING = WorkingSet(
    verbs={
        "add_memory": add_memory,
        "search_memories": search_memories,
        "get_memories": get_memories,
        "get_memory": get_memory,
        "update_memory": update_memory,
        "delete_memory": delete_memory,
        "delete_all_memories": delete_all_memories,
    },
    misfits=json_misfits,
    failure=json_failure,
)
