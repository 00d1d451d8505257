"""What was asked becomes a record, or a sentence that names the field and repeats nothing."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.api.endpoints import ENDPOINTS
from memdesk.model.browse import ListFacts
from memdesk.model.errors import BadAsk
from memdesk.model.graph import AskSalience
from memdesk.model.names import NAME_CHARACTERS
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact, NewTurn, NewTurns
from memdesk.model.status import Nothing
from memdesk.model.workspace import AskDay
from memdesk.service.request_parsing import AskReader, names_of, pairs_of, with_agent_id


def turn(body: str | bytes) -> NewTurn:
    return AskReader(NewTurn).body(body if isinstance(body, bytes) else body.encode())


def refusal(kind: type[Any], body: Any) -> BadAsk:
    with pytest.raises(BadAsk) as refused:
        AskReader(kind).body(body if isinstance(body, bytes) else json.dumps(body).encode())
    return refused.value


def test_a_body_becomes_its_ask() -> None:
    asked = turn(
        '{"content": "Grüße, 陈阿姨", "created_at": "2026-01-31T09:30:00Z", "metadata": {"n": [1, null]}}'
    )
    assert asked.content == "Grüße, 陈阿姨"
    assert asked.created_at == datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
    assert asked.metadata == {"n": [1, None]}


def test_nested_asks_are_read_whole() -> None:
    asked = AskReader(NewTurns).body(
        b'{"turns": [{"content": "one"}, {"content": "two", "role": "assistant"}]}'
    )
    assert [each.content for each in asked.turns] == ["one", "two"]


def test_an_empty_body_asks_nothing() -> None:
    assert AskReader(Nothing).body(b"") == Nothing()


def test_query_parameters_become_their_ask() -> None:
    asked = AskReader(ListFacts).query([("channels", "a"), ("channels", "b"), ("first", "20"), ("text", "")])
    assert (asked.channels, asked.first, asked.text) == (("a", "b"), 20, "")


def test_an_empty_parameter_is_an_empty_list_even_where_the_default_is_not() -> None:
    assert AskReader(AskSalience).query([("kinds", "")]).kinds == ()
    assert AskReader(AskSalience).query([]).kinds == ("entity", "fact")


def test_days_are_read_from_the_query() -> None:
    assert AskReader(AskDay).query([("day", "2026-01-31")]).day == date(2026, 1, 31)


def test_a_parameter_given_twice_is_refused() -> None:
    with pytest.raises(BadAsk, match="`first` was given twice"):
        AskReader(ListFacts).query([("first", "1"), ("first", "2")])


@pytest.mark.parametrize(
    ("kind", "body", "says"),
    [
        (NewTurn, {}, "`content` is missing."),
        (NewTurn, {"content": 5}, "`content` must be text."),
        (NewTurn, {"content": "x", "turn_index": "first"}, "`turn_index` must be a whole number."),
        (NewTurn, {"content": "x", "created_at": "yesterday"}, "`created_at` must be a time such as"),
        (NewTurn, {"content": "x", "metadata": []}, "`metadata` must be an object."),
        (NewFact, {"claim": "x", "confidence": "sure"}, "`confidence` must be a number."),
        (NewFact, {"claim": "x", "about": "Mara"}, "`about` must be a list."),
        (Query, {"text": "x", "every_channel": "maybe"}, "`every_channel` must be true or false."),
        (NewTurns, {"turns": [{"content": "x"}, {}]}, "`turns[1].content` is missing."),
        (NewTurn, [], "The body must be a JSON object."),
        (NewTurn, "text", "The body must be a JSON object."),
    ],
)
def test_what_is_wrong_is_a_sentence_that_names_the_field(kind: type[Any], body: Any, says: str) -> None:
    assert refusal(kind, body).says.startswith(says)


def test_an_unknown_field_is_refused_with_the_one_that_was_meant() -> None:
    refused = refusal(NewTurn, {"content": "x", "chanel": "atlas"})
    assert refused.says == "There is no field `chanel`."
    assert refused.next == "Did you mean `channel`?"


def test_an_unknown_field_is_found_in_nested_asks() -> None:
    assert "in `turns[0]`" in refusal(NewTurns, {"turns": [{"content": "x", "colour": "red"}]}).says


def test_no_sentence_repeats_what_was_sent() -> None:
    refused = refusal(NewTurn, {"content": {"secret": "hunter2"}, "turn_index": "hunter2"})
    assert "hunter2" not in refused.says + refused.next + json.dumps(refused.details)
    assert refused.details["fields"] == ["content", "turn_index"]


@pytest.mark.parametrize(
    "body",
    [
        b'{"content": "\\ud800"}',
        b'{"content": "\\u0000"}',
        b'{"content": "x", "metadata": {"deep": ["\\u0000"]}}',
        b'{"content": "x", "metadata": {"\\u0000": 1}}',
        b'{"content": "x", "metadata": {"n": NaN}}',
        b'{"content": "x", "metadata": {"n": -Infinity}}',
        b'{"content": "x", "metadata": {"n": 1e999}}',
        b'{"content": "x", "turn_index": 99999999999999999999}',
        b'{"content": "x", "metadata": {"n": 9223372036854775808}}',
        b'{"content": "x", "created_at": "0001-01-01T00:00:00+14:00"}',
        b'{"content": "x", "created_at": "9999-12-31T23:59:59-14:00"}',
        b'{"content": "\xff"}',
        b'{"content": "x"',
        b"[" * 5000,
        b'{"content": "x", "channel": ""}',
        b'{"content": "x", "channel": "two\\nlines"}',
        b'{"content": "x", "user_id": "\\u001b[31m"}',
    ],
)
def test_what_cannot_be_kept_is_refused(body: bytes) -> None:
    refusal(NewTurn, body)


def test_a_name_of_absurd_length_is_refused() -> None:
    assert "longer than" in refusal(NewTurn, {"content": "x", "agent_id": "a" * (NAME_CHARACTERS + 1)}).says


def test_not_a_number_is_refused_in_a_query() -> None:
    with pytest.raises(BadAsk, match="finite number"):
        AskReader(Confident).query([("confidence", "nan")])


def test_a_number_too_wide_for_the_store_is_refused_in_a_query() -> None:
    with pytest.raises(BadAsk, match="too large"):
        AskReader(ListFacts).query([("first", "9" * 30)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Confident:
    confidence: float = 0.5
    extra: dict[str, Any] = field(default_factory=dict)


# Other work on the machine may slow a single example down.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)


@unhurried
@given(st.dictionaries(st.sampled_from(["content", "channel", "metadata", "turn_index", "x"]), json_values))
def test_any_json_is_an_ask_or_a_sentence(said: dict[str, Any]) -> None:
    try:
        turn(json.dumps(said))
    except BadAsk as refused:
        assert refused.says.endswith((".", "?"))


@unhurried
@given(st.binary(max_size=64))
def test_any_bytes_are_an_ask_or_a_sentence(said: bytes) -> None:
    try:
        turn(said)
    except BadAsk as refused:
        assert refused.says


def test_what_an_agent_does_not_say_is_its_own() -> None:
    theirs = NewTurn(content="Hi", agent_id="iris")
    turns = with_agent_id(NewTurns(turns=(NewTurn(content="Hello"), theirs)), "forge")
    assert [turn.agent_id for turn in turns.turns] == ["forge", "iris"]
    assert with_agent_id(Nothing(), "forge") == Nothing()


@pytest.mark.parametrize("digits", ["9" * 310, "-" + "9" * 310, "9" * 4_000])
def test_an_integer_too_wide_for_a_float_is_refused_in_any_free_json(digits: str) -> None:
    with pytest.raises(BadAsk, match="is too large a number"):
        AskReader(NewTurn).body(b'{"content": "x", "metadata": {"a": [%s]}}' % digits.encode())


@pytest.mark.parametrize("query", [b"text=%ff", b"text=%ED%A0%80", b"%ff=1", b"text=\xff"])
def test_a_parameter_that_is_not_utf8_is_refused(query: bytes) -> None:
    with pytest.raises(BadAsk, match="not UTF-8"):
        pairs_of(query)


def test_parameters_are_read_with_their_spaces_and_empty_values() -> None:
    assert pairs_of(b"text=two+words%21&channels=&a=%E4%BD%A0") == [
        ("text", "two words!"),
        ("channels", ""),
        ("a", "\u4f60"),
    ]


@pytest.mark.parametrize(
    "kind, body",
    [
        (NewTurn, {"content": "x", "turn_index": "1"}),
        (NewTurn, {"content": "x", "turn_index": True}),
        (NewTurn, {"content": "x", "created_at": 1_700_000_000}),
        (NewTurn, {"content": "x", "created_at": "1700000000"}),
        (NewFact, {"claim": "x", "confidence": "0.5"}),
        (NewFact, {"claim": "x", "confidence": True}),
        (Query, {"text": "x", "tiers": 1}),
        (Query, {"text": "x", "tiers": "true"}),
        (NewTurns, {"turns": [{"content": "x", "token_count": "3"}]}),
    ],
)
def test_a_value_of_another_type_is_not_bent_until_it_fits(kind: type[Any], body: Any) -> None:
    assert " must be " in refusal(kind, body).says


def test_every_id_and_every_channel_of_a_request_has_the_type_of_a_name() -> None:
    asks = [call.ask for call in ENDPOINTS if is_dataclass(call.ask)]
    texts = [
        (ask.__name__, item.name)
        for ask in asks
        for item in fields(ask)
        if (item.name.endswith("_id") or item.name in ("channel", "channels", "tags"))
        and "int" not in str(item.type)
        and item.name not in names_of(ask)
    ]
    assert texts == []
    assert names_of(NewFact)["channel"].filled and not names_of(NewFact)["category"].filled
