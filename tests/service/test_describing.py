"""The OpenAPI document says what every call and every field of its ask is, and which calls are the owner's."""

from __future__ import annotations

from dataclasses import dataclass, is_dataclass
from typing import Any

import pytest

from memdesk.api.endpoints import ENDPOINTS
from memdesk.api.fields import field_descriptions
from memdesk.service.app import DeskApp

RULES = ("TIMELINE", "SEARCHED", "TECHNIQUES", "WEIGHTS", "STATES", "ASPECTS", "LEVELS")


async def nowhere(_request: Any) -> Any:
    """A route's handler that is only described."""


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    app = DeskApp(token="t" * 40, person=lambda: "Mara")
    for endpoint in ENDPOINTS:
        if is_dataclass(endpoint.ask):
            app.add_call(endpoint.path, nowhere, endpoint)
    return app.openapi()


def operations(document: dict[str, Any]) -> dict[str, Any]:
    return {each["operationId"]: each for path in document["paths"].values() for each in path.values()}


def test_every_call_is_described_and_says_whose_it_is(document: dict[str, Any]) -> None:
    found = operations(document)
    for endpoint in ENDPOINTS:
        if endpoint.name in found:
            said = found[endpoint.name]
            assert said["summary"] and said["description"] and "(*" not in said["description"]
            assert ("Only the desk's owner" in said["description"]) == endpoint.owner == ("security" in said)


def test_every_resource_is_described(document: dict[str, Any]) -> None:
    described = {each["name"] for each in document["tags"] if each["description"]}
    assert {tag for said in operations(document).values() for tag in said["tags"]} <= described


def test_every_field_of_an_ask_says_what_it_is(document: dict[str, Any]) -> None:
    silent = []
    for name, said in operations(document).items():
        shown = {each["name"]: each for each in said.get("parameters", ())}
        if "requestBody" in said:
            schema = said["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            shown = document["components"]["schemas"][schema].get("properties", {})
        silent += [f"{name}.{field}" for field, of in shown.items() if not of.get("description")]
    assert silent == []


def test_no_description_names_a_constant_of_the_code(document: dict[str, Any]) -> None:
    said = [each["description"] for each in operations(document).values()]
    assert [text for text in said if any(rule in text for rule in RULES)] == []


def test_every_schema_goes_by_its_own_name(document: dict[str, Any]) -> None:
    assert [name for name in document["components"]["schemas"] if "__" in name] == []


def test_a_docstring_tells_fields_one_by_one() -> None:
    @dataclass
    class Ask:
        """What is asked. first, second: two of a kind.

        third: a sentence, with `state: of things` in it. Not: a field.
        """

        first: int
        second: int
        third: int

    assert field_descriptions(Ask) == {
        "first": "Two of a kind.",
        "second": "Two of a kind.",
        "third": "A sentence, with `state: of things` in it. Not: a field.",
    }
