"""The OpenAPI document and the service agree on what is valid; schemathesis makes the examples."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from memdesk.api.endpoints import ENDPOINTS
from memdesk.model.errors import BadAsk
from memdesk.service.request_parsing import AskReader, pairs_of
from tests import effort
from tests.conftest import Service

EXAMPLES = 1
"""Of each call and of each kind, valid and not, the latter of some calls alone; with --slow a hundred of all."""
UNTRIED = {"upkeep.stop", "history.feed", "mcp"}
"""Ends the service; never ends; has a schema of its own, which is the protocol's."""
ASKS = {endpoint.name: endpoint.ask for endpoint in ENDPOINTS}


@pytest.fixture
def client(running_service: Service) -> Iterator[httpx.Client]:
    token = running_service.desk.owner_token.read_text().strip()
    with httpx.Client(
        transport=httpx.HTTPTransport(uds=str(running_service.desk.socket)),
        base_url="http://desk",
        headers={"authorization": f"Bearer {token}"},
        timeout=60,
    ) as client:
        yield client


def each_call(
    client: httpx.Client, mode: GenerationMode, most: int, judge: Callable[[str, Any], None]
) -> None:
    """Judge examples of every call of the document. Who may call it is no matter of its shape."""
    document = client.get("/openapi.json").json()
    document["components"].pop("securitySchemes")
    for operation in (each for path in document["paths"].values() for each in path.values()):
        operation.pop("security", None)
    described = schemathesis.openapi.from_dict(document)
    # No text may hold a NUL. A schema cannot say so of what lies deep in free JSON; the document's words do.
    described.config.generation.update(allow_x00=False)
    # To think of what is not valid takes most of the time, and one reader of requests refuses it for all calls.
    by = effort.stride() if mode is GenerationMode.NEGATIVE else 1
    for result in itertools.islice(described.get_all_operations(), 0, None, by):
        operation = result.ok()
        name = operation.definition.raw["operationId"]
        if name in UNTRIED:
            continue
        bounded = settings(
            max_examples=most,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )

        @bounded
        @given(case=operation.as_strategy(generation_mode=mode))
        def judged(name: str, case: Any) -> None:
            judge(name, case)

        try:
            judged(name)
        except Unsatisfiable:
            assert mode is GenerationMode.NEGATIVE, name  # Nothing is asked of it, so nothing can be wrong.


def sent(client: httpx.Client, case: Any) -> httpx.Response:
    told = case.as_transport_kwargs(base_url="http://desk")
    return client.request(
        told["method"],
        told["url"],
        **{name: told[name] for name in ("params", "json", "data", "content") if name in told},
    )


def names_a_place(case: Any) -> bool:
    """Whether it could bring in or write to a folder outside of the test's own."""
    body = case.body if isinstance(case.body, dict) else {}
    return str(body.get("path", "")).startswith(("/", "~"))


def why(case: Any) -> str:
    return case.meta.phase.data.description or ""


def is_text_all_the_same(case: Any) -> bool:
    """Whether what is wrong of a query is lost on the way: all is text there, and an empty list is not sent at all."""
    return case.method == "GET" and ("violates `type`" in why(case) or [] in dict(case.query or {}).values())


def check(client: httpx.Client, most: int) -> None:
    wrong: list[str] = []

    def valid(name: str, case: Any) -> None:
        if names_a_place(case):
            return
        ask = ASKS.get(name)
        if ask is not None and ask is not dict:
            reader = AskReader(ask)
            try:
                if case.method == "GET":
                    reader.query(pairs_of(urlencode(_plain(case.query), doseq=True).encode()))
                else:
                    reader.body(json.dumps(case.body).encode())
            except BadAsk as refused:
                wrong.append(f"{name} is valid and refused: {refused.says} {case.query} {case.body}"[:400])
        answer = sent(client, case)
        if answer.status_code in (500, 502, 504):
            wrong.append(f"{name} failed: {answer.text} {case.query} {case.body}"[:400])

    def invalid(name: str, case: Any) -> None:
        if names_a_place(case) or is_text_all_the_same(case):
            return
        answer = sent(client, case)
        if answer.status_code < 300 and name != "tools.call" or answer.status_code == 500:
            wrong.append(
                f"{name} is invalid and {answer.status_code}: {why(case)} {case.query} {case.body}"[:400]
            )

    each_call(client, GenerationMode.POSITIVE, most, valid)
    each_call(client, GenerationMode.NEGATIVE, max(1, most // 2), invalid)
    assert not wrong, "\n".join(wrong)


def _plain(query: Any) -> dict[str, Any]:
    said = {True: "true", False: "false"}
    return {
        name: [value] if value is None else said.get(value, value) if isinstance(value, bool) else value
        for name, value in (query or {}).items()
    }


@pytest.mark.timeout(300)
def test_the_document_and_the_service_agree_on_what_is_valid(client: httpx.Client) -> None:
    check(client, EXAMPLES)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_document_and_the_service_agree_on_a_great_many_examples(client: httpx.Client) -> None:
    check(client, 100)
