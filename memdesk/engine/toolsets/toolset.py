"""Structure of a tool set, and the execution of its calls: each ends in an answer, also if it fails."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.files.reading import without_unstorable
from memdesk.model.errors import BugError, MemDeskError, Refused
from memdesk.model.message import verbatim
from memdesk.model.settings import Settings
from memdesk.model.tools import Misfit, ToolAnswer, ToolCall, ToolPlace

Verb = Callable[[Engine, ToolCall], ToolAnswer]
UNSOUND = "The arguments hold a NUL, half a character, or a number too large to be kept."


class ToolFault(Refused):
    """Failure of a tool, with the message in its own wording; nothing was changed."""

    def __init__(self, says: str) -> None:
        super().__init__(verbatim(says))


def json_answer(data: Any, change: int | None = None) -> ToolAnswer:
    """Return data as the answer of a tool, also as its text."""
    return ToolAnswer(text=json.dumps(data, ensure_ascii=False), data=data, change=change)


def plain_misfits(tool: str, misfits: Sequence[Misfit]) -> str:
    """Return a message about arguments that do not fit a schema, one sentence each."""
    return f"Invalid arguments for {tool}: {' '.join(map(_sentence, misfits))}"


def plain_failure(error: MemDeskError) -> str:
    """Return an error of the desk as one line for an agent."""
    return f"Error: {error.sentence}"


def json_fault(error: str) -> ToolFault:
    """Return the failure of a tool that answers JSON."""
    return ToolFault(json.dumps({"error": error}, ensure_ascii=False))


def json_misfits(tool: str, misfits: Sequence[Misfit]) -> str:
    """Return the message of plain_misfits for a tool that answers JSON."""
    return json_fault(plain_misfits(tool, misfits)).says


def json_failure(error: MemDeskError) -> str:
    """Return an error of the desk for an agent whose tools answer JSON."""
    return json_fault(error.sentence).says


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTools:
    """Tools of a set that an agent has. allowed: its resulting allow-list, empty for all."""

    names: tuple[str, ...]
    allowed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingSet:
    """Tool set with its implementation. misfits, failure: return its messages for wrong arguments and for the
    desk's errors.

    offered: returns the tools that an agent with these options has; refusal: the message for an agent without
    them."""

    verbs: Mapping[str, Verb]
    misfits: Callable[[str, Sequence[Misfit]], str] = plain_misfits
    failure: Callable[[MemDeskError], str] = plain_failure
    offered: Callable[[Settings, ToolPlace], OfferedTools] | None = None
    refusal: str = "This tool is not enabled."

    def offers(self, settings: Settings, place: ToolPlace) -> OfferedTools:
        if self.offered is None:
            return OfferedTools(names=tuple(self.verbs), allowed=())
        return self.offered(settings, place)


def carry_out(
    engine: Engine, toolset: WorkingSet, tool: str, call: ToolCall, misfits: Sequence[Misfit]
) -> ToolAnswer:
    """Call a tool of a set. Raises only BugError: every other error becomes an answer in the set's own wording."""
    try:
        offered = toolset.offers(
            engine.settings, replace(call.place, agent_id=call.place.agent_id or call.agent)
        )
    except MemDeskError as error:
        return ToolAnswer(text=toolset.failure(error), is_error=True)
    if tool not in offered.names:
        return ToolAnswer(text=toolset.refusal, is_error=True)
    if misfits:
        return ToolAnswer(text=toolset.misfits(tool, misfits), is_error=True)
    if not _is_sound(call.arguments):
        return ToolAnswer(text=UNSOUND, is_error=True)
    try:
        return toolset.verbs[tool](engine, call)
    except ToolFault as fault:
        return ToolAnswer(text=fault.says, is_error=True)
    except BugError:
        raise
    except MemDeskError as error:
        return ToolAnswer(text=toolset.failure(error), is_error=True)


def _sentence(misfit: Misfit) -> str:
    place = f"`{misfit.place}`" if misfit.place else "They"
    if misfit.says:
        return f"{place} {misfit.says}."
    if misfit.received == "undefined":
        return f"{place} is missing."
    return f"{place} must be of type {misfit.expected}, not {misfit.received}."


def _is_sound(value: Any) -> bool:
    """Return True if every text and every number in a JSON value can be stored."""
    match value:
        case int():
            return -(2**63) <= value < 2**63
        case float():
            return math.isfinite(value)
        case str():
            return without_unstorable(value) == value
        case list():
            return all(map(_is_sound, value))
        case dict():
            return all(_is_sound(name) and _is_sound(item) for name, item in value.items())
        case _:
            return True
