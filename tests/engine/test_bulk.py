"""One act on many memories: seen before it is done, done as one run, and taken back whole."""

from __future__ import annotations

import pytest

from memdesk.engine.browsing import history
from memdesk.engine.browsing.tables import table
from memdesk.engine.engine import Engine
from memdesk.engine.memory import goals
from memdesk.engine.memory.bulk import bulk, preview_bulk
from memdesk.engine.memory.curate import pin, retire
from memdesk.engine.memory.remember import learn_fact, relate, upsert_entity
from memdesk.engine.progress import ignore_progress
from memdesk.engine.undo import undo_run
from memdesk.model.curation import BULK_AT_MOST, Bulk, Pin, Retire, UndoRun
from memdesk.model.errors import BadAsk, Cancelled
from memdesk.model.goal import GOAL, NewGoal
from memdesk.model.history import AskHistory
from memdesk.model.remember import NewEntity, NewFact, NewRelation
from memdesk.model.timeline import AskTable, TableRow
from memdesk.store import records

FORGE, MARA = "agent:Forge", "person:Mara"


def learn(engine: Engine, claim: str, channel: str = "tidepool") -> str:
    return learn_fact(engine, NewFact(claim=claim, channel=channel, about=("Ingest",)), author=FORGE).id


def act(engine: Engine, verb: str, *ids: str, **more: object) -> dict[str, object]:
    return bulk(engine, Bulk(verb=verb, ids=ids, **more), author=MARA, progress=ignore_progress)  # type: ignore[arg-type]


def everything(engine: Engine) -> list[TableRow]:
    """Every fact and entity, whatever its state, without what fades by the hour."""
    asks = (AskTable(kind=kind, state="all", sort="title") for kind in ("fact", "entity"))
    return [row for ask in asks for row in table(engine, ask).rows]


def unaged(rows: list[TableRow]) -> list[tuple[object, ...]]:
    return [(row.id, row.title, row.channel, row.state, row.pinned, row.tags) for row in rows]


@pytest.mark.parametrize(
    ("verb", "more"),
    [
        ("promote", {}),
        ("retire", {"reason": "old"}),
        ("move", {"channel": "harbor-web"}),
        ("pin", {}),
        ("tag", {"tags": ("checked", "ingest")}),
    ],
)
def test_a_run_changes_what_its_preview_said_and_is_taken_back_whole(
    engine: Engine, verb: str, more: dict[str, object]
) -> None:
    ids = tuple(learn(engine, f"Writers number {number} go through PgBouncer") for number in range(4))
    before, head = unaged(everything(engine)), history.head(engine)
    seen = preview_bulk(engine, Bulk(verb=verb, ids=ids, **more), author=MARA)  # type: ignore[arg-type]
    assert history.head(engine) == head and unaged(everything(engine)) == before
    done = act(engine, verb, *ids, **more)
    assert (seen.will, done["changed"], done["left"]) == (4, 4, {})
    made = history.page(engine, AskHistory(limit=100)).rows[: history.head(engine) - head]
    assert {row.run for row in made} == {done["run"]} and unaged(everything(engine)) != before
    undone = undo_run(engine, UndoRun(change=done["change"]), author=MARA, progress=ignore_progress)  # type: ignore[arg-type]
    assert (undone["undone"], undone["left"]) == (len(made), {}) and unaged(everything(engine)) == before
    again = undo_run(engine, UndoRun(change=undone["change"]), author=MARA, progress=ignore_progress)
    assert again["undone"] == len(made) and unaged(everything(engine)) != before


def test_a_preview_says_what_else_moves_and_what_would_be_left(engine: Engine) -> None:
    fact, other, here = (
        learn(engine, "Writes batch"),
        learn(engine, "Reads stream"),
        learn(engine, "It is here", "harbor-web"),
    )
    retire(engine, Retire(id=other), author=MARA)
    moved = preview_bulk(
        engine, Bulk(verb="move", ids=(fact, here, "f_gone"), channel="harbor-web"), author=MARA
    )
    assert moved.will == 1 and moved.rows[0].also["relation"] == 2
    assert "already" in moved.rows[1].why_not and moved.rows[2].why_not
    retired = preview_bulk(engine, Bulk(verb="retire", ids=(fact, other)), author=MARA)
    assert [bool(row.why_not) for row in retired.rows] == [False, True]
    tagged = act(engine, "tag", fact, tags=("once",))
    assert (
        tagged["changed"] == 1
        and preview_bulk(engine, Bulk(verb="tag", ids=(fact,), tags=("Once",)), author=MARA).will == 0
    )


def test_many_are_merged_into_one_and_parted_again(engine: Engine) -> None:
    kept, *rest = (
        upsert_entity(engine, NewEntity(name=name, channel="tidepool"), author=FORGE).id
        for name in ("PgBouncer", "pg-bouncer", "the bouncer")
    )
    fact = learn(engine, "The bouncer pools connections")
    for id in rest:
        relate(engine, NewRelation(source=fact, target=id, type="ABOUT"), author=FORGE)
    before = unaged(everything(engine))
    seen = preview_bulk(engine, Bulk(verb="merge", ids=tuple(rest), into_id=kept), author=MARA)
    assert seen.will == 2 and all(row.also for row in seen.rows)
    done = act(engine, "merge", *rest, into_id=kept)
    left = [row for row in everything(engine) if row.kind == "entity" and row.state == "current"]
    assert done["changed"] == 2 and {row.title for row in left} == {"PgBouncer", "Ingest"}
    undo_run(engine, UndoRun(change=done["change"]), author=MARA, progress=ignore_progress)  # type: ignore[arg-type]
    assert unaged(everything(engine)) == before


def test_what_cannot_be_done_is_left_and_said_and_the_rest_is_done(engine: Engine) -> None:
    first, second, twin = (
        learn(engine, "Same claim"),
        learn(engine, "Another"),
        learn(engine, "Same claim", "harbor-web"),
    )
    pin(engine, Pin(id=second), author=MARA)
    assert set(act(engine, "pin", first, second)["left"]) == {second}  # type: ignore[call-overload]
    promoted = act(engine, "promote", first, twin)
    assert promoted["changed"] == 1 and set(promoted["left"]) == {twin}  # type: ignore[call-overload]
    assert promoted["says"] == "Promoted 1. 1 left as they were."


def test_a_stopped_act_leaves_a_run_that_can_be_taken_back(engine: Engine) -> None:
    ids = tuple(learn(engine, f"Claim {number}") for number in range(5))

    def impatient(done: int, total: int, says: str) -> None:
        if done == 2:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        bulk(engine, Bulk(verb="retire", ids=ids), author=MARA, progress=impatient)
    newest = history.page(engine, AskHistory(limit=1)).rows[0]
    assert undo_run(engine, UndoRun(change=newest.id), author=MARA, progress=ignore_progress)["undone"] == 2


def stopped_and_resumed(engine: Engine, ask: Bulk, after: int) -> dict[str, object]:
    def impatient(done: int, total: int, says: str) -> None:
        if done == after:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        bulk(engine, ask, author=MARA, progress=impatient, run="run-1")
    return bulk(engine, ask, author=MARA, progress=ignore_progress, run="run-1")


@pytest.mark.parametrize(
    ("verb", "more"),
    [
        ("promote", {}),
        ("retire", {}),
        ("quarantine", {}),
        ("move", {"channel": "harbor-web"}),
        ("pin", {}),
        ("tag", {"tags": ("checked",)}),
    ],
)
def test_a_stopped_act_goes_on_where_it_was(engine: Engine, verb: str, more: dict[str, object]) -> None:
    ids = tuple(learn(engine, f"Writers number {number} go through PgBouncer") for number in range(4))
    done = stopped_and_resumed(engine, Bulk(verb=verb, ids=ids, **more), 2)  # type: ignore[arg-type]
    assert (done["changed"], done["left"]) == (4, {})


def test_a_goal_that_only_moved_on_before_a_stop_is_retired_after_it(engine: Engine) -> None:
    first = goals.add(engine, NewGoal(description="Order the pump"), author=FORGE).id
    later = goals.add(engine, NewGoal(description="Mount the pump", blocked_by=(first,)), author=FORGE).id
    done = stopped_and_resumed(engine, Bulk(verb="retire", ids=(first, later)), 1)
    assert (done["changed"], done["left"]) == (2, {})
    with engine.store.reading() as db:
        assert all(goal.retired_at for goal in records.find(db, GOAL))


@pytest.mark.parametrize(
    "ask",
    [
        Bulk(verb="explode", ids=("f_1",)),
        Bulk(verb="retire", ids=()),
        Bulk(verb="retire", ids=tuple(f"f_{n}" for n in range(BULK_AT_MOST + 1))),
        Bulk(verb="move", ids=("f_1",), channel=" "),
        Bulk(verb="merge", ids=("f_1",), into_id="f_1"),
        Bulk(verb="tag", ids=("f_1",)),
    ],
)
def test_an_act_that_cannot_be_meant_is_refused_in_words(engine: Engine, ask: Bulk) -> None:
    with pytest.raises(BadAsk):
        preview_bulk(engine, ask, author=MARA)
