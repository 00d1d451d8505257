"""How asks go out and answers come in: what one end writes, the other reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.api.endpoints import ENDPOINTS
from memdesk.client.wire import decode_answer, error_in, spoken_body, spoken_query
from memdesk.model.browse import ListFacts
from memdesk.model.curation import Curated
from memdesk.model.errors import BY_CODE, BadAsk, BugError, Conflict
from memdesk.model.graph import AskSalience
from memdesk.model.history import AskHistory
from memdesk.model.recall import Query
from memdesk.model.remember import NewTurn
from memdesk.model.workspace import AskDay
from memdesk.service.request_parsing import AskReader


def test_an_ask_of_defaults_is_an_empty_query() -> None:
    assert spoken_query(ListFacts()) == ()
    assert spoken_query(AskHistory()) == ()


@pytest.mark.parametrize(
    "ask",
    [
        ListFacts(channels=("a", "b c"), text="100 % & more", first=20),
        AskSalience(kinds=(), utc_offset_minutes=-90),
        AskHistory(since=datetime(2026, 1, 31, 9, 30, tzinfo=UTC), record="f_1"),
        AskDay(day=date(2026, 2, 28), agents=("陈",)),
    ],
)
def test_what_a_query_says_the_service_reads(ask: Any) -> None:
    assert AskReader(type(ask)).query(spoken_query(ask)) == ask


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(content=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1))
def test_what_a_body_says_the_service_reads(content: str) -> None:
    ask = NewTurn(
        content=content, created_at=datetime(2026, 1, 1, tzinfo=UTC), metadata={"深": [1, None, True]}
    )
    assert AskReader(NewTurn).body(spoken_body(ask)) == ask


@pytest.mark.parametrize("ask", [NewTurn(content="\udcff"), Query(text="caf\udce9")])
def test_text_that_is_not_unicode_is_refused_before_it_is_sent(ask: Any) -> None:
    with pytest.raises(BadAsk, match="no text"):
        spoken_body(ask)
    with pytest.raises(BadAsk, match="no text"):
        spoken_query(ListFacts(text="\udcff"))


@pytest.mark.parametrize("code", BY_CODE)
def test_every_error_arrives_in_its_own_class(code: str) -> None:
    said = f'{{"code": "{code}", "says": "It went wrong.", "next": "Try again.", "details": {{"n": 1}}}}'
    error = error_in(said.encode(), 400)
    assert type(error) is BY_CODE[code]
    assert (error.says, error.next, error.details) == ("It went wrong.", "Try again.", {"n": 1})


def test_an_error_without_a_next_step_gets_its_classes_own() -> None:
    assert error_in(b'{"code": "conflict", "says": "Changed."}', 409).next == Conflict.default_next


@pytest.mark.parametrize("said", [b"", b"Internal Server Error", b"{}", b'{"code": "new", "says": "x"}'])
def test_an_error_of_another_shape_is_ours(said: bytes) -> None:
    assert type(error_in(said, 502)) is BugError


def test_an_answer_of_another_version_is_told_as_such() -> None:
    with pytest.raises(BugError, match="another version") as wrong:
        decode_answer(Curated, b'{"id": "f_1", "change": "many"}')
    assert "$.change" in wrong.value.details["wrong"]


def test_every_ask_of_a_get_fits_into_a_query() -> None:
    for endpoint in ENDPOINTS:
        if endpoint.method == "GET":
            given = {item.name: str(item.type) for item in fields(endpoint.ask)}
            assert not [name for name, kind in given.items() if "dict" in kind], endpoint.name
            assert isinstance(given, Mapping)
