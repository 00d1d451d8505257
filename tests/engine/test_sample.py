"""The sample desk: its contents, and its times after they have moved to the present."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from memdesk.engine.browsing import details, lists, tool_use
from memdesk.engine.browsing.history import page
from memdesk.engine.context.history import compactions
from memdesk.engine.context.sessions import prompts, sessions
from memdesk.engine.engine import Engine, now
from memdesk.engine.interop.sample import PERSON, open_sample, shift
from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.run import begin
from memdesk.engine.memory.curate import pin
from memdesk.engine.memory.profiles import profile
from memdesk.engine.memory.review_queue import review
from memdesk.engine.memory.tags import list_tags
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import preview
from memdesk.engine.undo import undo, undo_run
from memdesk.engine.verify import verify
from memdesk.engine.workspace import day_files, documents
from memdesk.engine.workspace.outside_edits import reconcile
from memdesk.files.places import Desk
from memdesk.model.browse import ListFacts
from memdesk.model.context import ListCompactions
from memdesk.model.curation import ListTags, Pin, Undo, UndoRun
from memdesk.model.document import DOCUMENT
from memdesk.model.entity import ENTITY
from memdesk.model.errors import Refused
from memdesk.model.fact import FACT
from memdesk.model.goal import ListGoals
from memdesk.model.history import AskHistory
from memdesk.model.instant import DAY, SECOND, from_datetime, to_datetime
from memdesk.model.profile import AskProfile
from memdesk.model.prompt import ListSeen
from memdesk.model.recall import Query
from memdesk.model.review import AskReview
from memdesk.model.session import ListSessions
from memdesk.model.strategy import ListStrategies
from memdesk.model.tool_call import AskToolStats
from memdesk.model.turn import TURN
from memdesk.model.workspace import AskCalendar, ListFiles
from memdesk.store import records
from tests.engine.conftest import embed_all
from tests.fixtures.intake.worlds import events
from tests.store.agreement import assert_agreement


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Desk, int, dict[str, int]]:
    """The real sample desk, built once."""
    desk, moment = Desk(tmp_path_factory.mktemp("sample") / "desk"), now()
    return desk, moment, open_sample(desk, now=moment)


@pytest.fixture
def sample(built: tuple[Desk, int, dict[str, int]]) -> Iterator[Engine]:
    engine = open_engine(built[0])
    yield engine
    engine.close()


def test_the_sample_is_large_enough_to_look_around(
    sample: Engine, built: tuple[Desk, int, dict[str, int]]
) -> None:
    with sample.store.reading() as db:
        assert len(records.find(db, TURN)) == built[2]["turns"] > 1_500
        assert len(records.find(db, FACT)) > 250
        assert len(records.find(db, ENTITY)) > 120
        assert 4 < len({entity.channel for entity in records.find(db, ENTITY)}) < 8
    assert sample.person == "Mara"


def test_whoever_the_sample_belongs_to_is_a_person_wherever_they_are_named(sample: Engine) -> None:
    with sample.store.reading() as db:
        named = [each for each in records.find(db, ENTITY, retired_at=None) if each.name.startswith(PERSON)]
    assert len(named) == 6 and {(each.name, each.type) for each in named} == {("Mara Lindholm", "Person")}


def test_the_samples_history_holds_everything_that_can_happen(sample: Engine) -> None:
    counts = Counter(event.op for event in events(sample))
    assert {"store", "learn", "recall", "promote", "retire", "undo", "update", "import"} <= counts.keys()
    assert counts["recall"] > 300 and counts["promote"] > 5 and counts["undo"] > 2


def test_the_sample_holds_every_type_of_memory(sample: Engine) -> None:
    found = details.list_goals(sample, ListGoals(statuses=())).rows
    assert {goal.status for goal in found} == {"active", "blocked", "completed"}
    assert (
        tool_use.strategies(sample, ListStrategies()).rows
        and tool_use.tool_stats(sample, AskToolStats()).rows
    )
    told = profile(sample, AskProfile(), author="person:Mara")
    assert told.preferences and told.expertise and told.communication_style
    asked = {question.type for question in review(sample, AskReview()).rows}
    assert asked == {"promotion", "quarantine", "contradiction"}
    assert list_tags(sample, ListTags()).rows


def test_the_samples_agents_are_told_what_they_know_and_have_their_contexts_compacted(sample: Engine) -> None:
    rows = compactions(sample, ListCompactions()).rows
    assert {row.agent_id for row in rows} == {"Forge", "Iris"} and len({row.policy for row in rows}) > 1
    assert all(row.messages_after < row.messages_before and row.facts for row in rows)
    assert any(row.lost for row in rows) and any(not row.lost for row in rows)
    assert len(sessions(sample, ListSessions()).rows) == len(rows)
    told = prompts(sample, ListSeen()).rows
    assert len(told) > 3 and all(row.tokens <= row.budget_tokens and "recall" in row.pieces for row in told)


def test_the_samples_history_runs_over_ninety_days_and_ends_before_now(
    sample: Engine, built: tuple[Desk, int, dict[str, int]]
) -> None:
    moments = [from_datetime(event.at) for event in events(sample)]
    with sample.store.reading() as db:
        latest = max(turn.created_at for turn in records.find(db, TURN))
    assert moments == sorted(moments)
    assert 88 * DAY < moments[-1] - moments[0] < 91 * DAY
    assert max(moments[-1], latest) <= built[1]


def test_the_samples_memory_is_of_every_strength(sample: Engine) -> None:
    rows = lists.facts(sample, ListFacts(limit=500)).rows
    assert sum(row.recalled >= 5 for row in rows) > 20
    assert sum(row.recalled == 0 for row in rows) > 80
    assert sum(row.salience < 0.1 for row in rows) > 20
    assert sum(row.salience > 0.6 for row in rows) > 20


def test_the_sample_answers_by_words_at_once_and_waits_for_its_vectors_alone(sample: Engine) -> None:
    known = lists.facts(sample, ListFacts(limit=1)).rows[0]
    assert known.id in {
        hit.id for hit in preview(sample, Query(text=known.claim, channel=known.channel)).hits
    }
    embed_all(sample)
    with sample.store.reading() as db:
        assert db.value("SELECT count(*) FROM searchable WHERE embedding IS NULL") == 0
    assert consolidate(begin(sample, "consolidate")) == {}


def test_the_samples_agents_keep_files_and_logs(sample: Engine) -> None:
    rows = documents.list_files(sample, ListFiles()).rows
    assert {row.agent_id for row in rows} == {"Forge", "Iris"}
    assert {"IDENTITY.md", "SOUL.md", "USER.md", "AGENTS.md", "MEMORY.md"} <= {row.path for row in rows}
    days = day_files.calendar(sample, AskCalendar()).days
    assert len(days) > 60 and sum(day.entries for day in days) > 250
    assert reconcile(sample) == 0
    with sample.store.reading() as db:
        found = records.find(db, DOCUMENT)
    texts = [path.read_text() for path in sample.desk.workspaces.rglob("*.md")]
    assert len(texts) == len(found)
    assert not any("{day" in text for text in texts)


def test_a_desk_that_is_there_is_not_written_over(built: tuple[Desk, int, dict[str, int]]) -> None:
    with pytest.raises(Refused, match="There is a desk in"):
        open_sample(built[0], now=built[1])


def test_the_sample_is_sound_after_its_times_have_moved(
    sample: Engine, built: tuple[Desk, int, dict[str, int]]
) -> None:
    assert_agreement(built[0].database)
    found = verify(sample)
    assert found.first_break is None and found.changes == found.holding and not found.findings


def test_everything_that_has_happened_on_the_sample_can_be_undone(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "desk")
    open_sample(desk, now=now())
    engine = open_engine(desk)
    try:
        pinned = lists.facts(engine, ListFacts(text="Harbor")).rows[0]
        applied = pin(engine, Pin(id=pinned.id), author="person:Mara")
        undo(engine, Undo(), author="person:Mara")
        assert applied.change == verify(engine).last_change - 1
        brought = page(engine, AskHistory(operations=("import",), limit=3)).rows
        for each in brought:
            undone = undo_run(engine, UndoRun(change=each.id), author="person:Mara", progress=ignore_progress)
            assert undone["undone"] and not undone["left"], each.title
    finally:
        engine.close()


def test_dates_in_files_are_those_of_their_days(
    sample: Engine, built: tuple[Desk, int, dict[str, int]]
) -> None:
    today = to_datetime(built[1]).astimezone().date().isoformat()
    for agent in ("forge", "iris"):
        newest = sorted((sample.desk.workspaces / agent / "memory").glob("*.md"))[-1]
        assert newest.stem == today and newest.read_text().startswith(f"# {today}")


HOUR = 3600 * SECOND


@pytest.mark.parametrize("hour", [0.001, 0.5, 7, 8.75, 23.99])
def test_nothing_of_today_is_in_the_future_and_order_stays(hour: float) -> None:
    now = from_datetime(datetime(2026, 11, 20)) + round(hour * HOUR)
    last = 500 * DAY + 18 * HOUR
    moved = shift(last, now)
    times = [moved(at) for at in range(499 * DAY, last + 1, HOUR // 2)]
    assert times == sorted(times) and times[-1] <= now
    assert [to_datetime(at).astimezone().day for at in (times[0], times[-1])] == [19, 20]
    assert moved(last + DAY) > now
