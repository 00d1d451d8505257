"""Recorded examples for the OpenAPI document: requests to a real desk, and its answers.

`packaging/examples.py` records them into `resources/examples.json`, by the name of the call."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from memdesk.files.places import resource

Example = dict[str, Any]


@cache
def recorded() -> dict[str, Example]:
    """Return `{"ask": …, "answer": …}` by the name of the call."""
    found: dict[str, Example] = json.loads(resource("examples.json").read_text(encoding="utf-8"))
    return found


def illustrate(described: dict[str, Any]) -> None:
    """Add the recorded examples to an OpenAPI document."""
    for path in described["paths"].values():
        for operation in path.values():
            example = recorded().get(operation.get("operationId", ""))
            if example is not None:
                _illustrate(operation, example)


def _illustrate(operation: dict[str, Any], example: Example) -> None:
    body = operation.get("requestBody")
    if body is not None:
        body["content"]["application/json"]["example"] = example["ask"]
    for parameter in operation.get("parameters", ()):
        if parameter["name"] in example["ask"]:
            parameter["example"] = example["ask"][parameter["name"]]
    operation["responses"]["200"]["content"]["application/json"]["example"] = example["answer"]
