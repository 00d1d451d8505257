"""What learning a claim does to the facts that are there: keys keep one value, `_global` is supported, not doubled."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from memdesk.engine.browsing.lists import facts
from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import learn_fact, store_turn
from memdesk.engine.undo import undo
from memdesk.model.browse import FactRow, ListFacts
from memdesk.model.curation import Undo
from memdesk.model.errors import BadAsk
from memdesk.model.remember import Learned, NewFact, NewTurn

IRIS = "agent:Iris"


def learn(engine: Engine, claim: str, **more: Any) -> Learned:
    return learn_fact(engine, NewFact(claim=claim, **more), author=IRIS)


def pair(engine: Engine, key: str, value: str, **more: Any) -> Learned:
    return learn(engine, f"{key}: {value}", key=key, value=value, **more)


def rows(engine: Engine, **more: Any) -> list[FactRow]:
    return list(facts(engine, ListFacts(**more)).rows)


def values(engine: Engine, **more: Any) -> list[tuple[str | None, str | None]]:
    return [(row.key, row.value) for row in rows(engine, **more)]


def test_another_value_under_a_key_replaces_the_one_before(engine: Engine) -> None:
    old = pair(engine, "port", "8080")
    new = pair(engine, "port", "9090")
    assert values(engine) == [("port", "9090")]
    (past,) = rows(engine, state="retired")
    assert (past.id, past.superseded_by, past.temporal) == (old.id, new.id, "past")
    back = pair(engine, "port", "8080")
    assert back.id not in (old.id, new.id) and values(engine) == [("port", "8080")]
    undo(engine, Undo(change=back.change), author=IRIS)
    assert values(engine) == [("port", "9090")]


def test_the_same_value_again_changes_nothing(engine: Engine) -> None:
    first = pair(engine, "port", "8080")
    again = pair(engine, "port", "8080")
    assert (again.id, again.repeated, again.change) == (first.id, True, None)


def test_a_key_is_one_for_each_channel_and_agent(engine: Engine) -> None:
    pair(engine, "port", "1")
    pair(engine, "port", "2", channel="harbor")
    pair(engine, "port", "3", agent_id="Forge")
    assert len(values(engine)) == 3


def test_a_claim_told_before_gains_its_key_and_time_and_loses_nothing(engine: Engine) -> None:
    first = learn(engine, "port: 8080")
    since = datetime(2025, 1, 1, tzinfo=UTC)
    again = pair(engine, "port", "8080", valid_from=since)
    assert again.id == first.id and again.repeated and again.change is not None
    (row,) = rows(engine)
    assert (row.key, row.value, row.valid_from, row.valid_to) == ("port", "8080", since, None)
    pair(engine, "port", "8080", valid_from=datetime(2026, 1, 1, tzinfo=UTC))
    assert rows(engine)[0].valid_from == since
    undo(engine, Undo(change=again.change), author=IRIS)
    assert values(engine) == [(None, None)]


def test_a_key_may_name_the_very_fact_it_supersedes(engine: Engine) -> None:
    old = pair(engine, "port", "8080")
    new = pair(engine, "port", "9090", supersedes=old.id)
    assert values(engine) == [("port", "9090")]
    assert [row.superseded_by for row in rows(engine, state="retired")] == [new.id]


@pytest.mark.parametrize(
    "bad",
    [
        {"key": "port"},
        {"value": "8080"},
        {"key": " ", "value": "8080"},
        {"key": "k" * 201, "value": "v"},
        {"key": "k", "value": "v" * 2001},
        {"valid_from": datetime(2025, 1, 2, tzinfo=UTC), "valid_to": datetime(2025, 1, 1, tzinfo=UTC)},
    ],
)
def test_a_pair_or_a_time_that_does_not_fit_is_refused(engine: Engine, bad: dict[str, Any]) -> None:
    with pytest.raises(BadAsk):
        learn(engine, "a claim", **bad)


def test_a_claim_of_global_said_in_a_project_supports_it_and_is_not_doubled(engine: Engine) -> None:
    held = learn(engine, "Mara is vegetarian")
    turn = store_turn(
        engine, NewTurn(content="I'm vegetarian", channel="harbor", conversation_id="c"), author=IRIS
    )
    said = learn(engine, "mara is  vegetarian.", channel="harbor", source_turn_id=turn.id, about=("Mara",))
    assert (said.id, said.repeated) == (held.id, True) and said.change is not None
    (row,) = rows(engine)
    assert (row.channel, row.conversations) == ("_global", 1)
    undo(engine, Undo(change=said.change), author=IRIS)
    assert rows(engine)[0].conversations == 0


def test_without_a_source_there_is_nothing_to_support_global_with(engine: Engine) -> None:
    held = learn(engine, "Mara is vegetarian")
    said = learn(engine, "Mara is vegetarian", channel="harbor")
    assert (said.id, said.repeated, said.change) == (held.id, True, None)


def test_a_project_that_holds_the_claim_itself_or_under_a_key_goes_on_with_its_own(engine: Engine) -> None:
    own = learn(engine, "port: 8080", channel="harbor")
    learn(engine, "port: 8080")
    assert learn(engine, "port: 8080", channel="harbor").id == own.id
    assert pair(engine, "port", "8080", channel="homelab").id != own.id
    assert sorted(row.channel for row in rows(engine)) == ["_global", "harbor", "homelab"]
