"""What a person does to memory: seen in the timeline, bounded by what was seen, and always taken back whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memdesk.engine.browsing import history
from memdesk.engine.browsing.details import inspect
from memdesk.engine.browsing.graph import graph
from memdesk.engine.browsing.lists import facts
from memdesk.engine.engine import Engine
from memdesk.engine.health.status import status
from memdesk.engine.interop.intake import bring_in
from memdesk.engine.memory import goals
from memdesk.engine.memory.curate import edit_fact, pin, rescue, retire
from memdesk.engine.memory.promotion import preview_promotion, promote
from memdesk.engine.memory.remember import learn_fact, store_turn, upsert_entity
from memdesk.engine.memory.scope import link
from memdesk.engine.memory.tags import tag
from memdesk.engine.progress import ignore_progress
from memdesk.engine.undo import undo
from memdesk.model.browse import FactRow, Inspect, ListFacts
from memdesk.model.curation import (
    EditFact,
    Link,
    Pin,
    PreviewPromotion,
    Promote,
    Rescue,
    Retire,
    Tagging,
    Undo,
)
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.goal import NewGoal
from memdesk.model.graph import AskGraph
from memdesk.model.history import AskEvent, AskHistogram, AskHistory
from memdesk.model.instant import to_datetime
from memdesk.model.interop import AskImport
from memdesk.model.remember import NewEntity, NewFact, NewTurn
from tests.engine.conftest import Clock, redo, stored_fact

FORGE, MARA = "agent:Forge", "person:Mara"


@pytest.fixture
def fact(engine: Engine) -> str:
    turn = store_turn(
        engine,
        NewTurn(content="Every migration needs a down step.", speaker="Mara", channel="harbor-web"),
        author=FORGE,
    )
    ask = NewFact(
        claim="Every migration needs a down step",
        channel="harbor-web",
        category="constraint",
        about=("Migrations",),
        source_turn_id=turn.id,
    )
    return learn_fact(engine, ask, author=FORGE).id


def row(engine: Engine, id: str) -> FactRow:
    found = inspect(engine, Inspect(id=id)).fact
    assert found is not None
    return found


def test_a_promotion_copies_the_fact_with_its_lineage_sources_and_subjects(engine: Engine, fact: str) -> None:
    copy = promote(engine, Promote(fact_id=fact, reason="used everywhere"), author=MARA).id
    seen, original = inspect(engine, Inspect(id=copy)), row(engine, fact)
    assert seen.fact is not None
    assert (seen.channel, seen.fact.promoted_from, seen.fact.claim) == ("_global", fact, original.claim)
    assert original.channel == "harbor-web" and original.retired_at is None
    assert [about.title for about in seen.about] == ["Migrations"]
    assert seen.provenance is not None and seen.provenance.speaker == "Mara"
    assert seen.fact.conversations == original.conversations == 1


def test_the_thresholds_of_the_moment_are_on_record(engine: Engine, fact: str) -> None:
    change = promote(engine, Promote(fact_id=fact, reason="used everywhere"), author=MARA).change
    details = history.event(engine, AskEvent(id=change)).details
    assert details["from"] == "harbor-web" and details["reason"] == "used everywhere"
    assert details["thresholds"]["confidence"] == {"found": 0.95, "needed": 0.85}
    assert details["thresholds"]["conversations"] == {"found": 1, "needed": 2}


def test_the_timeline_shows_a_promotion_beside_its_original(engine: Engine, fact: str) -> None:
    copy = promote(engine, Promote(fact_id=fact), author=MARA)
    event = history.event(engine, AskEvent(id=copy.change))
    moves = {move.field: (move.before, move.after) for move in event.moves if move.record == copy.id}
    assert moves["channel"] == ("harbor-web", "_global") and moves["promoted_from"] == (None, fact)
    assert moves["claim"][0] == moves["claim"][1]
    assert "learn" in {earlier.op for earlier in event.earlier}


def test_the_timeline_of_a_fact_names_its_promotion(engine: Engine, fact: str) -> None:
    copy = promote(engine, Promote(fact_id=fact), author=MARA)
    assert [row.id for row in history.page(engine, AskHistory(record=fact)).rows][0] == copy.change


def test_undo_of_a_promotion_leaves_the_project_fact_as_it_was(engine: Engine, fact: str) -> None:
    before = row(engine, fact)
    copy = promote(engine, Promote(fact_id=fact), author=MARA)
    undone = undo(engine, Undo(), author=MARA)
    assert undone.undid == copy.change
    after = row(engine, fact)
    assert (after.claim, after.channel, after.conversations) == (
        before.claim,
        before.channel,
        before.conversations,
    )
    with pytest.raises(NotFound):
        inspect(engine, Inspect(id=copy.id))


def test_redo_brings_the_promotion_back_under_its_id(engine: Engine, fact: str) -> None:
    copy = promote(engine, Promote(fact_id=fact), author=MARA)
    undo(engine, Undo(), author=MARA)
    redo(engine, MARA)
    assert row(engine, copy.id).channel == "_global"
    assert undo(engine, Undo(), author=MARA).undid == copy.change


def test_a_claim_that_global_holds_is_not_promoted_again(engine: Engine, fact: str) -> None:
    promote(engine, Promote(fact_id=fact), author=MARA)
    assert preview_promotion(engine, PreviewPromotion(fact_id=fact)).held is not None
    with pytest.raises(Conflict, match="holds this claim already"):
        promote(engine, Promote(fact_id=fact), author=MARA)


def test_a_retired_or_global_fact_is_not_promoted(engine: Engine, fact: str) -> None:
    copy = promote(engine, Promote(fact_id=fact), author=MARA).id
    with pytest.raises(BadAsk):
        promote(engine, Promote(fact_id=copy), author=MARA)
    retire(engine, Retire(id=fact), author=MARA)
    with pytest.raises(BadAsk):
        promote(engine, Promote(fact_id=fact), author=MARA)


def test_an_edit_of_what_has_changed_meanwhile_is_a_conflict(engine: Engine, fact: str) -> None:
    edit_fact(engine, EditFact(fact_id=fact, claim="Migrations need a down step"), author=FORGE)
    with pytest.raises(Conflict) as caught:
        ask = EditFact(fact_id=fact, was="Every migration needs a down step", claim="No")
        edit_fact(engine, ask, author=MARA)
    assert caught.value.details["found"] == "Migrations need a down step"
    with pytest.raises(BadAsk):
        edit_fact(engine, EditFact(fact_id=fact), author=MARA)


def test_an_edited_claim_is_about_what_it_names_now_and_about_what_a_person_linked(engine: Engine) -> None:
    ask = NewFact(claim="Mara lives in Porto", channel="life", about=("Mara", "Porto", "Housing"))
    id = learn_fact(engine, ask, author=FORGE).id
    ana, lisbon, dune = (
        upsert_entity(engine, NewEntity(name=name, aliases=other, channel="life"), author=FORGE).id
        for name, other in (("Ana Reis", ("Ana",)), ("Lisbon", ()), ("Dune", ()))
    )
    for entity in (dune, lisbon):
        link(engine, Link(fact_id=id, entity_id=entity), author=MARA)
    edit_fact(engine, EditFact(fact_id=id, claim="Mara lives in Lisbon beside Dune"), author=MARA)
    assert subjects(engine, id) == {"Mara", "Housing", "Dune", "Lisbon"}
    moved = edit_fact(engine, EditFact(fact_id=id, claim="Ana lives in Braga"), author=MARA)
    # No entity is called Braga; Lisbon and Dune were linked by hand, and Housing no claim names.
    assert subjects(engine, id) == {"Ana Reis", "Housing", "Dune", "Lisbon"}
    undo(engine, Undo(change=moved.change), author=MARA)
    assert subjects(engine, id) == {"Mara", "Housing", "Dune", "Lisbon"}
    assert ana not in {each.id for each in inspect(engine, Inspect(id=id)).about}


def subjects(engine: Engine, id: str) -> set[str]:
    return {each.title for each in inspect(engine, Inspect(id=id)).about}


def test_undo_after_somebody_elses_edit_is_a_conflict_that_names_the_field(engine: Engine, fact: str) -> None:
    mine = edit_fact(engine, EditFact(fact_id=fact, claim="Mine"), author=MARA)
    edit_fact(engine, EditFact(fact_id=fact, claim="Theirs"), author=FORGE)
    with pytest.raises(Conflict, match="claim"):
        undo(engine, Undo(change=mine.change), author=MARA)
    assert row(engine, fact).claim == "Theirs"


def test_undo_without_a_number_takes_back_ones_own_latest(engine: Engine, fact: str) -> None:
    edit_fact(engine, EditFact(fact_id=fact, confidence=0.7), author=MARA)
    pin(engine, Pin(id=fact), author=MARA)
    learn_fact(engine, NewFact(claim="Something else"), author=FORGE)
    undo(engine, Undo(), author=MARA)
    assert not row(engine, fact).pinned
    undo(engine, Undo(), author=MARA)
    assert row(engine, fact).confidence == 0.95
    with pytest.raises(NotFound, match="nothing of yours"):
        undo(engine, Undo(), author=MARA)


def test_pinned_memory_does_not_fade_and_a_rescue_lifts_it(engine: Engine, fact: str, clock: Clock) -> None:
    clock.pass_days(20)
    faint = row(engine, fact).salience
    assert faint == pytest.approx(0.5 * 0.95**20)
    rescue(engine, Rescue(id=fact), author=MARA)
    assert row(engine, fact).salience == pytest.approx(0.9)
    pin(engine, Pin(id=fact), author=MARA)
    clock.pass_days(100)
    assert row(engine, fact).salience == pytest.approx(0.9)
    undo(engine, Undo(), author=MARA)
    undo(engine, Undo(), author=MARA)
    assert row(engine, fact).salience == pytest.approx(0.5 * 0.95**120)


def test_retired_facts_leave_the_list_and_can_be_listed(engine: Engine, fact: str) -> None:
    retire(engine, Retire(id=fact, reason="stale"), author=MARA)
    assert facts(engine, ListFacts()).total == 0
    assert facts(engine, ListFacts(state="retired")).rows[0].id == fact
    with pytest.raises(Conflict, match="retired already"):
        retire(engine, Retire(id=fact), author=MARA)


def test_the_graph_of_a_desk_without_entities_begins_at_its_newest_facts(engine: Engine) -> None:
    for number in range(3):
        learn_fact(
            engine, NewFact(claim=f"Quay {number} floods at spring tide", channel="quay"), author=FORGE
        )
    titles = [node.title for node in graph(engine, AskGraph()).suggestions]
    assert sorted(titles) == [f"Quay {number} floods at spring tide" for number in range(3)]


def test_the_graph_grows_outwards_from_its_centre(engine: Engine, fact: str) -> None:
    copy = promote(engine, Promote(fact_id=fact), author=MARA).id
    learn_fact(
        engine,
        NewFact(claim="Harbor web runs on SvelteKit", channel="harbor-web", about=("SvelteKit",)),
        author=FORGE,
    )
    start = graph(engine, AskGraph())
    assert start.center is None and start.suggestions[0].title == "Migrations"
    seen = graph(engine, AskGraph(center=start.suggestions[0].id))
    assert {node.id for node in seen.nodes} == {start.suggestions[0].id, fact, copy}
    assert {edge.type for edge in seen.edges} == {"ABOUT", "PROMOTED_FROM"}
    assert graph(engine, AskGraph(center=copy, hops=1, edges=("ABOUT",))).total == 2
    assert graph(engine, AskGraph(center=fact, channels=("harbor-web",))).by_channel == {"harbor-web": 2}


def test_an_entity_of_the_same_name_in_another_channel_is_drawn_once_with_both_their_facts(
    engine: Engine,
) -> None:
    facts = {
        channel: learn_fact(
            engine, NewFact(claim=claim, channel=channel, about=("PostgreSQL",)), author=FORGE
        ).id
        for channel, claim in (
            ("tidepool", "Tidepool runs on PostgreSQL"),
            ("homelab", "The NAS runs postgresql"),
        )
    }
    (start,) = graph(engine, AskGraph()).suggestions
    seen = graph(engine, AskGraph(center=start.id, hops=1))
    assert {node.id for node in seen.nodes} == {start.id, *facts.values()}
    assert {(edge.source, edge.target) for edge in seen.edges} == {(id, start.id) for id in facts.values()}
    assert graph(engine, AskGraph(center=start.id, hops=1, channels=("tidepool",))).total == 2


def test_namesakes_are_drawn_where_they_are_most_at_home(engine: Engine) -> None:
    learn_fact(
        engine,
        NewFact(claim="Tidepool feeds Harbor web", channel="tidepool", about=("Tidepool", "Harbor web")),
        author=FORGE,
    )
    for number in range(3):
        ask = NewFact(claim=f"Harbor web does {number}", channel="harbor-web", about=("Harbor web",))
        learn_fact(engine, ask, author=FORGE)
    (tidepool,) = (node for node in graph(engine, AskGraph()).suggestions if node.title == "Tidepool")
    seen = graph(engine, AskGraph(center=tidepool.id, hops=3))
    (web,) = (node for node in seen.nodes if node.title == "Harbor web")
    assert web.channel == "harbor-web" and len(seen.nodes) == 6
    ids = {node.id for node in seen.nodes}
    assert {end for edge in seen.edges for end in (edge.source, edge.target)} == ids


def test_a_small_graph_of_a_large_neighbourhood_shows_the_strongest_with_what_leads_to_them(
    engine: Engine,
) -> None:
    for number in range(30):
        learn_fact(
            engine, NewFact(claim=f"Hub has spoke {number}", about=("Hub",), confidence=0.5), author=FORGE
        )
    learn_fact(engine, NewFact(claim="Hub carries Wheel", about=("Hub", "Wheel")), author=FORGE)
    strong = learn_fact(engine, NewFact(claim="Wheel turns", about=("Wheel",)), author=FORGE).id
    pin(engine, Pin(id=strong), author=MARA)
    rescue(engine, Rescue(id=strong), author=MARA)
    hub = next(node.id for node in graph(engine, AskGraph()).suggestions if node.title == "Hub")
    seen = graph(engine, AskGraph(center=hub, hops=3, limit=10))
    shown = {node.id: node for node in seen.nodes}
    assert strong in shown and len(shown) == 10 and seen.total == 34
    assert all(node.parent is None or node.parent in shown for node in seen.nodes)


def test_what_undo_would_do_is_said_in_words(engine: Engine, fact: str) -> None:
    change = retire(engine, Retire(id=fact), author=MARA).change
    said = history.event(engine, AskEvent(id=change)).if_undone
    assert said.startswith("“Every migration needs a down step” gets its place in recall back.")


def test_the_histogram_counts_what_the_timeline_lists(engine: Engine, fact: str) -> None:
    promote(engine, Promote(fact_id=fact), author=MARA)
    counts = history.histogram(engine, AskHistogram(bins=10))
    page = history.page(engine, AskHistory())
    assert sum(map(sum, counts.counts)) == page.total == sum(counts.by_operation.values())
    assert counts.by_author[MARA] == history.page(engine, AskHistory(authors=(MARA,))).total


def test_the_feed_resumes_where_it_was_left(engine: Engine, fact: str) -> None:
    first = history.feed(engine, 0, limit=2)
    rest = history.feed(engine, first[-1].id)
    assert [event.id for event in (*first, *rest)] == list(range(1, history.head(engine) + 1))
    assert "fact" in rest[-1].kinds and fact in rest[-1].records


def test_the_feed_names_the_memory_that_is_tagged_or_related(engine: Engine, fact: str) -> None:
    head = history.head(engine)
    tag(engine, Tagging(id=fact, tags=("pools",)), author=MARA)
    (event,) = history.feed(engine, head)
    assert event.kinds == ("tag",) and fact in event.records


def test_the_feed_names_a_hundred_memories_of_a_change_and_each_kind_once(engine: Engine) -> None:
    head = history.head(engine)
    stored_fact(engine, "Every pool has a lifeguard", "tidepool", about=[f"Pool {n}" for n in range(120)])
    event = history.feed(engine, head)[-1]
    assert event.kinds == ("entity", "fact", "relation")
    assert len(event.records) == len(set(event.records)) == 100


def test_a_fact_read_from_a_file_is_promoted_and_still_names_the_file(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "forge").mkdir()
    (tmp_path / "forge" / "MEMORY.md").write_text("# Memory\n- Mara prefers dark roast coffee.\n")
    bring_in(engine, AskImport(path=str(tmp_path / "forge")), author=MARA, progress=ignore_progress)
    (fact,) = facts(engine, ListFacts()).rows
    copy = promote(engine, Promote(fact_id=fact.id), author=MARA)
    place = inspect(engine, Inspect(id=copy.id)).provenance
    assert place is not None and place.path == "MEMORY.md"


def test_an_unpinned_memory_fades_from_what_it_was_worth_while_pinned(
    engine: Engine, fact: str, clock: Clock
) -> None:
    pin(engine, Pin(id=fact), author=MARA)
    clock.pass_days(100)
    worth = row(engine, fact).salience
    pin(engine, Pin(id=fact, pinned=False), author=MARA)
    assert row(engine, fact).salience == pytest.approx(worth)
    clock.pass_days(10)
    assert row(engine, fact).salience < worth


def test_status_counts_the_facts_that_the_list_shows(engine: Engine, fact: str) -> None:
    ask = NewFact(claim="Every migration can be undone", channel="harbor-web", supersedes=fact)
    learn_fact(engine, ask, author=FORGE)
    now = status(engine, socket="", pid=1, started_at=to_datetime(0), jobs=())
    listed = facts(engine, ListFacts()).total
    assert (now.facts, sum(channel.facts for channel in now.channels)) == (listed, listed) == (1, 1)


def test_pinning_a_faint_memory_keeps_it_as_faint_as_it_is(engine: Engine, fact: str, clock: Clock) -> None:
    clock.pass_days(30)
    faint = row(engine, fact).salience
    pin(engine, Pin(id=fact), author=MARA)
    clock.pass_days(30)
    assert row(engine, fact).salience == pytest.approx(faint)


@pytest.mark.parametrize("keep", [lambda id: (pin, Pin(id=id)), lambda id: (rescue, Rescue(id=id))])
def test_what_never_fades_cannot_be_kept_from_fading(engine: Engine, keep: Any) -> None:
    goal = goals.add(engine, NewGoal(description="Weigh the crane"), author=MARA).id
    verb, ask = keep(goal)
    with pytest.raises(BadAsk, match="A goal does not fade"):
        verb(engine, ask, author=MARA)
