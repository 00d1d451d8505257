"""The OpenAPI document shows every call with a real example, and every example is still true of today's calls."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from pydantic import TypeAdapter

from memdesk.api.endpoint import Endpoint
from memdesk.api.endpoints import ENDPOINTS
from memdesk.service.app import DeskApp
from memdesk.service.describing import recorded
from memdesk.service.request_parsing import AskReader

PLACES = re.compile(r"(?<![\w.~-])/(?:tmp|root|work)\b|localhost")


async def nowhere(_request: Any) -> Any:
    """A route's handler that is only described."""


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    app = DeskApp(token="t" * 40, person=lambda: "Mara")
    for endpoint in ENDPOINTS:
        app.add_call(endpoint.path, nowhere, endpoint)
    return {
        operation["operationId"]: operation
        for path in app.openapi()["paths"].values()
        for operation in path.values()
    }


def test_every_call_has_an_example() -> None:
    """Recorded from a scene, or declared with the call."""
    bare = [call.name for call in ENDPOINTS if call.name not in recorded() and call.example is None]
    assert bare == []
    assert recorded().keys() <= {endpoint.name for endpoint in ENDPOINTS}


@pytest.mark.parametrize(
    "endpoint", [each for each in ENDPOINTS if each.name in recorded()], ids=lambda endpoint: endpoint.name
)
def test_an_example_asks_and_answers_as_the_call_does(endpoint: Endpoint[Any, Any]) -> None:
    example = recorded()[endpoint.name]
    AskReader(endpoint.ask).body(json.dumps(example["ask"]).encode())
    adapter = TypeAdapter(endpoint.answer)
    answer = adapter.dump_python(adapter.validate_python(example["answer"]), mode="json")
    assert answer == example["answer"], "Run packaging/examples.py --fields if a record has other fields now."


def test_the_description_shows_what_was_asked_and_answered(described: dict[str, Any]) -> None:
    for name, example in recorded().items():
        operation = described[name]
        assert operation["responses"]["200"]["content"]["application/json"]["example"] == example["answer"]
        if "requestBody" in operation:
            assert operation["requestBody"]["content"]["application/json"]["example"] == example["ask"]
        else:
            shown = {
                each["name"]: each["example"] for each in operation.get("parameters", ()) if "example" in each
            }
            assert shown == example["ask"]


def test_no_example_names_a_place_of_the_machine_that_recorded_it() -> None:
    assert PLACES.findall(json.dumps(recorded())) == []
