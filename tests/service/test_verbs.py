"""Every call names the function that serves it, and that function fits what the call asks and answers."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any

import pytest

from memdesk.api.endpoint import Endpoint
from memdesk.api.endpoints import ENDPOINTS
from memdesk.api.tools.calls import CALL
from memdesk.engine.engine import Engine
from memdesk.engine.known_agents import KeptToken
from memdesk.engine.progress import Progress
from memdesk.model.status import JobState, Nothing
from memdesk.service.calls import function_at
from memdesk.service.host import Host

POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
KEYWORDS = {
    "author": str,
    "member": KeptToken | None,
    "inside": Callable[[tuple[Any, ...]], tuple[Any, ...]] | None,
    "progress": Progress,
    "run": str,
    "again": bool,
    "reached": dict[str, Any] | None,
    "note": Callable[[dict[str, Any]], None],
}
OF_MEMBERS = ("author", "member")
SERVED = [call for call in ENDPOINTS if call.name != CALL.name]
ACTS = [call for call in SERVED if call.act]


def takes(reference: str) -> tuple[list[Any], dict[str, Any], Any]:
    """The types of a function's positional and keyword parameters, and of its result."""
    function = function_at(reference)
    hints = typing.get_type_hints(function)
    given = inspect.signature(function).parameters.values()
    positional = [hints[each.name] for each in given if each.kind in POSITIONAL]
    keyword = {each.name: hints[each.name] for each in given if each.kind not in POSITIONAL}
    return positional, keyword, hints["return"]


@pytest.mark.parametrize("call", SERVED, ids=lambda call: call.name)
def test_the_verb_of_a_call_takes_its_ask_and_returns_its_answer(call: Endpoint[Any, Any]) -> None:
    positional, keyword, result = takes(call.verb)
    first = Host if call.verb.startswith("service.") else Engine
    asked = [first] if call.ask is Nothing else [first, call.ask]
    assert positional == asked[: len(positional)]
    assert len(positional) == len(asked) or call.ask is Nothing
    signed = KEYWORDS if call.act else OF_MEMBERS
    assert keyword.items() <= {name: KEYWORDS[name] for name in signed}.items()
    assert call.act or result is call.answer


@pytest.mark.parametrize("call", ACTS, ids=lambda call: call.name)
def test_a_long_act_reports_its_progress_and_answers_with_its_job(call: Endpoint[Any, Any]) -> None:
    _, keyword, _ = takes(call.verb)
    assert "progress" in keyword and call.answer is JobState
    if call.check:
        assert takes(call.check)[0] == [call.ask]


def test_a_call_that_only_reads_is_no_long_act() -> None:
    assert [call.name for call in ENDPOINTS if call.act and call.only_reads] == []


def test_names_of_calls_are_their_own_and_name_their_resource() -> None:
    names = [call.name for call in ENDPOINTS]
    assert len(names) == len(set(names))
    assert all(call.summary for call in ENDPOINTS)
