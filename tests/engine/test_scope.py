"""Users and agents who happen to use the same ids, keys and names never meet in each other's memory."""

from __future__ import annotations

from typing import Any

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.memory.procedures import learn_strategy, record_invocation, reinforce_strategy
from memdesk.engine.memory.remember import learn_fact, relate, store_turn, upsert_entity
from memdesk.engine.undo import undo
from memdesk.model.curation import Undo
from memdesk.model.errors import Conflict, NotFound
from memdesk.model.fact import FACT, Fact
from memdesk.model.remember import Learned, NewEntity, NewFact, NewRelation, NewTurn
from memdesk.model.strategy import NewStrategy, ReinforceStrategy
from memdesk.model.tool_call import NewToolCall
from memdesk.store import records

IRIS, BOB, MARA = "agent:iris", "agent:bob", "person:Mara"


def learn(engine: Engine, claim: str, author: str = IRIS, **more: Any) -> Learned:
    return learn_fact(engine, NewFact(claim=claim, channel="life", **more), author=author)


def claim_of(engine: Engine, id: str) -> str:
    with engine.store.reading() as db:
        fact: Fact = records.need(db, FACT, id)
    return fact.claim


def say(engine: Engine, user: str, conversation: str | None = None) -> None:
    turn = NewTurn(content="Yes.", user_id=user, channel="life", conversation_id=conversation, turn_id="t1")
    store_turn(engine, turn, author=IRIS)


@pytest.mark.parametrize(
    ("author", "user"), [(IRIS, "jun"), (BOB, "local")], ids=["another user", "another agent"]
)
def test_a_retry_key_is_the_callers_own(engine: Engine, author: str, user: str) -> None:
    first = learn(engine, "The safe opens with 1234.", retry_key="k")
    other = learn(engine, "Gulls like bread.", author, user_id=user, retry_key="k")
    assert claim_of(engine, other.id) == "Gulls like bread." and not other.repeated
    again = learn(engine, "The safe opens with 1234.", retry_key="k")
    assert (again.id, again.repeated, again.change) == (first.id, True, first.change)


def test_a_retried_claim_that_only_supported_a_fact_names_that_fact(engine: Engine) -> None:
    id = learn(engine, "Gulls like bread.").id
    more: dict[str, Any] = {"about": ("Gull",), "retry_key": "k"}
    assert learn(engine, "gulls like bread", **more).id == learn(engine, "gulls like bread", **more).id == id


def test_a_retry_key_of_another_call_or_of_what_was_taken_back_is_refused(engine: Engine) -> None:
    learned = learn(engine, "Gulls like bread.", retry_key="k")
    strategy = NewStrategy(description="Feed", tool_sequence=("buy", "throw"), success=True, retry_key="k")
    with pytest.raises(Conflict, match="another call"):
        learn_strategy(engine, strategy, author=IRIS)
    undo(engine, Undo(change=learned.change), author=MARA)
    with pytest.raises(Conflict, match="taken back"):
        learn(engine, "Gulls like bread.", retry_key="k")


def test_a_retried_outcome_counts_once_and_for_its_own_strategy(engine: Engine) -> None:
    one, two = (
        learn_strategy(
            engine, NewStrategy(description=aim, tool_sequence=("buy", "throw"), success=True), author=IRIS
        ).id
        for aim in ("Feed gulls", "Feed ducks")
    )
    told = ReinforceStrategy(strategy_id=one, success=True, retry_key="k")
    assert reinforce_strategy(engine, told, author=IRIS) == reinforce_strategy(engine, told, author=IRIS)
    with pytest.raises(Conflict, match="another call"):
        reinforce_strategy(
            engine, ReinforceStrategy(strategy_id=two, success=True, retry_key="k"), author=IRIS
        )


@pytest.mark.parametrize(("user", "conversation"), [("jun", "c2"), ("jun", None), ("local", "c2")])
def test_an_id_that_a_turn_of_another_conversation_has_is_taken(
    engine: Engine, user: str, conversation: str | None
) -> None:
    say(engine, "local", "c1")
    with pytest.raises(Conflict, match="taken"):
        say(engine, user, conversation)


def test_an_id_that_a_tool_call_of_another_user_has_is_taken(engine: Engine) -> None:
    for_local, for_jun = (
        NewToolCall(tool_name="grep", tool_input={}, invocation_id="i", user_id=user)
        for user in ("local", "jun")
    )
    record_invocation(engine, for_local, author=IRIS)
    with pytest.raises(Conflict, match="taken"):
        record_invocation(engine, for_jun, author=IRIS)


def test_nothing_is_derived_from_related_to_or_put_in_the_place_of_another_users_memory(
    engine: Engine,
) -> None:
    say(engine, "jun", "c1")
    secret = learn(engine, "The safe opens with 1234.", user_id="jun").id
    upsert_entity(engine, NewEntity(name="Gull", channel="life"), author=BOB)
    for more in ({"source_turn_id": "t1"}, {"supersedes": secret}):
        with pytest.raises(NotFound):
            learn(engine, "Gulls like bread.", BOB, **more)
    with pytest.raises(NotFound) as refused:
        relate(engine, NewRelation(source="Gull", target=secret, type="KNOWS", channel="life"), author=BOB)
    assert "1234" not in refused.value.says
