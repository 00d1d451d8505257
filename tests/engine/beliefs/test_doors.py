"""Every door by which a claim enters: one memory, a successor, a question, or two side by side."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from memdesk.engine.beliefs.reading import keys
from memdesk.engine.browsing import lists
from memdesk.engine.engine import Engine
from memdesk.engine.interop.intake import take_in
from memdesk.engine.jobs.schedule import BY_NAME, perform
from memdesk.engine.memory.curate import edit_fact, pin
from memdesk.engine.memory.remember import learn_fact, store_turn, upsert_entity
from memdesk.engine.memory.review_queue import review
from memdesk.engine.memory.tags import tag
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.toolsets.toolset import carry_out
from memdesk.engine.toolsets.toolsets import WORKING
from memdesk.engine.undo import undo
from memdesk.model.browse import FactRow, ListFacts
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import EditFact, Pin, Tagging, Undo
from memdesk.model.instant import to_datetime
from memdesk.model.interop import AskImport
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewFact, NewTurn
from memdesk.model.review import AskReview
from memdesk.model.tools import ToolCall, ToolPlace
from memdesk.store import beliefs, semantic
from tests.engine.conftest import embed_all
from tests.engine.test_context_flush import squeeze, workspace
from tests.fixtures.intake.worlds import take

FORGE, MARA, HARBOUR = "agent:Forge", "person:Mara", "harbour"
Door = Callable[[Engine, str], object]


def learn(engine: Engine, claim: str) -> object:
    return learn_fact(engine, NewFact(claim=claim, channel=HARBOUR), author=FORGE)


def _call(engine: Engine, set_: str, tool: str, **arguments: object) -> object:
    call = ToolCall(agent="Forge", author=FORGE, place=ToolPlace(channel=HARBOUR), arguments=arguments)
    return carry_out(engine, WORKING[set_], tool, call, None)


def save(engine: Engine, claim: str) -> object:
    return _call(engine, "openlegion", "memory_save", content=claim)


def remember(engine: Engine, claim: str) -> object:
    return _call(engine, "agentx", "remember_fact", claim=claim)


def say(engine: Engine, claim: str) -> object:
    store_turn(engine, NewTurn(content=f"{claim}.", speaker="Mara", channel=HARBOUR), author=FORGE)
    return perform(engine, BY_NAME["consolidate"], author=MARA)


def observe(engine: Engine, claim: str) -> object:
    name, _, observation = claim.partition(" ")
    entity = {"name": name, "entityType": "person", "observations": []}
    _call(engine, "mcp-memory", "create_entities", entities=[entity])
    told = {"entityName": name, "contents": [observation]}
    return _call(engine, "mcp-memory", "add_observations", observations=[told])


DOORS = (learn, save, remember, observe, say)


def facts(engine: Engine, state: str = "current") -> dict[str, FactRow]:
    rows = lists.facts(engine, ListFacts(state=state)).rows
    return {row.claim.rstrip(".").replace(": ", " ", 1): row for row in rows}


def asked(engine: Engine) -> list[str]:
    return [question.type for question in review(engine, AskReview()).rows]


@pytest.mark.parametrize("door", DOORS)
def test_the_same_value_in_other_words_is_one_memory(engine: Engine, door: Door) -> None:
    door(engine, "Jun lives in Bath")
    door(engine, "Jun resides in Bath")
    assert list(facts(engine)) == ["Jun lives in Bath"] and asked(engine) == []


@pytest.mark.parametrize("door", [door for door in DOORS if door is not observe])
def test_a_newer_value_supersedes_the_other(engine: Engine, door: Door) -> None:
    door(engine, "Jun lives in Bath")
    door(engine, "Jun now lives in Hull")
    assert len(facts(engine)) == 1 and asked(engine) == []
    assert facts(engine, "all")["Jun lives in Bath"].superseded_by


def test_a_newer_observation_is_asked_about_since_a_graph_is_kept_to_the_letter(engine: Engine) -> None:
    observe(engine, "Jun lives in Bath")
    observe(engine, "Jun now lives in Hull")
    assert set(facts(engine)) == {"Jun lives in Bath", "Jun now lives in Hull"}
    assert asked(engine) == ["contradiction"]


@pytest.mark.parametrize(
    ("known", "change"),
    [
        ("Jun smokes", "Jun stopped smoking in January"),
        ("The page limit of the wiki is 500", "The page limit of the wiki was raised to 2000"),
        ("Ines leads the harbour team", "Since June Jun leads the harbour team"),
    ],
)
def test_a_change_told_in_the_past_supersedes_what_it_ended(engine: Engine, known: str, change: str) -> None:
    say(engine, known)
    say(engine, change)
    assert len(facts(engine)) == 1 and known not in facts(engine)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Karim and Lotte married in 2011", "Karim and Lotte married in 2014"),
        ("订单模块已经上线了", "订单模块还没有上线"),
    ],
)
def test_two_days_of_one_wedding_and_two_states_of_one_thing_are_asked_about(
    engine: Engine, first: str, second: str
) -> None:
    say(engine, first)
    say(engine, second)
    assert asked(engine) == ["contradiction"]


def test_what_happened_long_ago_does_not_supersede_what_holds_now(engine: Engine) -> None:
    say(engine, "Jun smokes")
    say(engine, "Jun stopped smoking in 2015")
    assert "Jun smokes" in facts(engine)


@pytest.mark.parametrize("door", DOORS)
def test_another_value_is_asked_about_and_both_stay(engine: Engine, door: Door) -> None:
    door(engine, "Jun lives in Bath")
    door(engine, "Jun lives in Hull")
    assert set(facts(engine)) == {"Jun lives in Bath", "Jun lives in Hull"}
    (question,) = review(engine, AskReview()).rows
    assert question.type == "contradiction" and question.other is not None
    assert question.subject.title.replace(":", "").startswith("Jun lives in Hull")


@pytest.mark.parametrize("door", DOORS)
def test_several_values_of_a_slot_that_takes_them_stay(engine: Engine, door: Door) -> None:
    door(engine, "Jun likes figs")
    door(engine, "Jun likes plums")
    assert len(facts(engine)) == 2 and asked(engine) == []


def test_a_line_of_a_file_is_held_against_what_is_known_and_only_asks(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / HARBOUR
    folder.mkdir()
    (folder / "MEMORY.md").write_text("# Memory\n\n- Jun resides in Bath\n- Ida now works at the mill\n")
    learn(engine, "Jun lives in Bath")
    learn(engine, "Ida works at the quarry")
    take(engine, folder, channel=HARBOUR)
    assert set(facts(engine)) == {"Jun lives in Bath", "Ida works at the quarry", "Ida now works at the mill"}
    assert asked(engine) == ["contradiction"]


def test_an_imported_record_is_held_against_what_is_known_and_only_asks(
    engine: Engine, tmp_path: Path
) -> None:
    learn(engine, "Jun lives in Bath")
    learn(engine, "Ida lives in Hull")
    page = tmp_path / "memory.jsonl"
    observed = {"Jun": "now lives in York", "Ida": "likes figs"}
    page.write_text(
        "\n".join(
            json.dumps({"type": "entity", "name": name, "entityType": "person", "observations": [said]})
            for name, said in observed.items()
        )
    )
    take_in(engine, AskImport(path=str(page), channel=HARBOUR), author=MARA, progress=ignore_progress)
    assert len(facts(engine)) == 4 and asked(engine) == ["contradiction"]


def test_what_a_compaction_writes_down_is_held_against_what_is_known(engine: Engine, tmp_path: Path) -> None:
    folder = workspace(engine, tmp_path / "forge")
    known = f"{engine.person}'s sister Ines lives in Hull"
    learn_fact(engine, NewFact(claim=known, channel="x"), author=FORGE)
    assert squeeze(engine).facts
    assert "Brest" in (folder / "MEMORY.md").read_text()
    assert {known, known.replace("Hull", "Brest")} <= facts(engine).keys()
    assert asked(engine) == ["contradiction"]


def test_a_turn_from_before_a_fact_does_not_supersede_it(engine: Engine) -> None:
    learn(engine, "Mara lives in Bath")
    long_ago = to_datetime(engine.clock()) - timedelta(days=400)
    ask = NewTurn(content="I now live in Hull.", speaker="Mara", channel=HARBOUR, created_at=long_ago)
    store_turn(engine, ask, author=FORGE)
    perform(engine, BY_NAME["consolidate"], author=MARA)
    assert len(facts(engine)) == 2 and asked(engine) == ["contradiction"]


def test_the_newer_of_two_contrary_facts_is_recalled_first(engine: Engine) -> None:
    learn(engine, "The pump of the dry dock runs at 40 bar")
    learn(engine, "The pump of the dry dock runs at 55 bar")
    embed_all(engine)
    hits = recall(
        engine, Query(text="At how many bar does the pump run? 40 bar", channel=HARBOUR), author=FORGE
    ).hits
    claims = [hit.text for hit in hits if hit.kind == "fact"]
    assert ["55" in claim for claim in claims] == [True, False]


def test_a_successor_takes_over_links_tags_and_pin_and_undo_gives_all_back(engine: Engine) -> None:
    first = learn_fact(
        engine, NewFact(claim="Jun lives in Bath", channel=HARBOUR, about=("Jun", "Bath")), author=FORGE
    ).id
    tag(engine, Tagging(id=first, tags=("home",)), author=MARA)
    pin(engine, Pin(id=first), author=MARA)
    before = _index(engine)
    done = learn_fact(engine, NewFact(claim="Jun now lives in Hull", channel=HARBOUR), author=MARA)
    row = facts(engine)["Jun now lives in Hull"]
    assert (row.tags, row.pinned) == (("home",), True)
    with engine.store.reading() as db:
        assert semantic.subjects_of(db, done.id) == ["Jun"]
    undo(engine, Undo(change=done.change), author=MARA)
    assert list(facts(engine)) == ["Jun lives in Bath"] and _index(engine) == before


def test_what_a_person_pinned_does_not_give_way_to_an_agent(engine: Engine) -> None:
    first = learn_fact(engine, NewFact(claim="Jun lives in Bath", channel=HARBOUR), author=FORGE).id
    pin(engine, Pin(id=first), author=MARA)
    learn(engine, "Jun now lives in Hull")
    assert len(facts(engine)) == 2 and asked(engine) == ["contradiction"]


def test_an_edit_by_a_person_is_held_against_the_other_facts(engine: Engine) -> None:
    learn(engine, "Jun lives in Bath")
    other = learn_fact(engine, NewFact(claim="Jun lives near the sea", channel=HARBOUR), author=FORGE).id
    edit_fact(engine, EditFact(fact_id=other, claim="Jun lives in Hull"), author=MARA)
    assert "contradiction" in asked(engine)


def test_agents_that_speak_of_themselves_do_not_contradict_each_other(engine: Engine) -> None:
    for agent, place in (("Forge", "Bath"), ("Iris", "Hull")):
        ask = NewFact(claim=f"I live in {place}", channel=HARBOUR, agent_id=agent)
        learn_fact(engine, ask, author=f"agent:{agent}")
    assert len(facts(engine)) == 2 and asked(engine) == []


def test_a_momentary_state_ends_by_itself(engine: Engine, clock: object) -> None:
    learn(engine, "Jun is on the train")
    clock.pass_days(1)  # type: ignore[attr-defined]
    embed_all(engine)
    assert facts(engine)["Jun is on the train"].temporal == "past"
    assert recall(engine, Query(text="Jun train", channel=HARBOUR), author=FORGE).hits == ()


def test_the_index_follows_every_change_of_a_fact(engine: Engine) -> None:
    id = learn_fact(engine, NewFact(claim="Jun lives in Bath", channel=HARBOUR), author=FORGE).id
    edit_fact(engine, EditFact(fact_id=id, claim="Jun works at the mill"), author=MARA)
    with engine.store.reading() as db:
        assert _index(engine) == {*beliefs.expected(db, keys)}


def test_facts_of_an_older_reader_are_read_again(engine: Engine) -> None:
    learn(engine, "Jun lives in Bath")
    before = _index(engine)
    engine.store.maintain(lambda db, *_: beliefs.use_reader(db, lambda _: (), "older")).result()
    assert _index(engine) == set()
    engine.store.maintain(lambda db, *_: beliefs.use_reader(db, keys, "newer")).result()
    assert _index(engine) == before != set()


def _index(engine: Engine) -> set[tuple[int, int]]:
    with engine.store.reading() as db:
        return set(db.rows("SELECT key, seq FROM belief_keys"))


def test_another_name_of_the_same_person_is_the_same_subject(engine: Engine) -> None:
    upsert_entity(
        engine, NewEntity(name="Jun Park", type="Person", aliases=("Jun",), channel=HARBOUR), author=FORGE
    )
    learn(engine, "Jun Park lives in Lisbon")
    learn(engine, "Jun now lives in Porto")
    assert set(facts(engine)) == {"Jun now lives in Porto"}


def test_a_name_that_two_people_share_is_not_taken_for_one_of_them(engine: Engine) -> None:
    for name, channel in (("Jun Sato", HARBOUR), ("Jun Mori", GLOBAL)):
        person = NewEntity(name=name, type="Person", aliases=("Jun",), channel=channel)
        upsert_entity(engine, person, author=MARA)
    learn(engine, "Jun Sato lives in Lisbon")
    learn(engine, "Jun lives in Porto")
    assert asked(engine) == [] and len(facts(engine)) == 2
