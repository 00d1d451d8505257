"""The sample desk: its grammar, its timing, and the desk that comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from memdesk.engine.browsing import details, lists, tool_use
from memdesk.engine.context.history import compactions
from memdesk.engine.context.sessions import prompts, sessions
from memdesk.engine.engine import Engine, now
from memdesk.engine.interop.sample_script import (
    Aims,
    Asks,
    Binds,
    Claims,
    Compacts,
    Corrects,
    Ends,
    Introduces,
    Judges,
    Logs,
    Masters,
    Notes,
    Primes,
    Said,
    Scene,
    Suggests,
    Tags,
    TakesBack,
    Uses,
    read_play,
    read_scenes,
)
from memdesk.engine.interop.sample_stage import clock_of, day_of, logged_at, play_sample, timed_cues
from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.run import begin
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.profiles import profile
from memdesk.engine.memory.review_queue import review
from memdesk.engine.memory.tags import list_tags
from memdesk.engine.opening import open_engine
from memdesk.engine.workspace import day_files, documents
from memdesk.engine.workspace.outside_edits import reconcile
from memdesk.files.places import Desk, resource
from memdesk.model.browse import ListFacts
from memdesk.model.context import ListCompactions
from memdesk.model.curation import ListTags
from memdesk.model.document import DOCUMENT
from memdesk.model.entity import ENTITY
from memdesk.model.errors import Refused
from memdesk.model.fact import FACT
from memdesk.model.goal import ListGoals
from memdesk.model.instant import DAY, SECOND, from_datetime
from memdesk.model.procedures import AskToolStats, ListStrategies
from memdesk.model.profile import AskProfile
from memdesk.model.prompt import ListSeen
from memdesk.model.review import AskReview
from memdesk.model.session import ListSessions
from memdesk.model.turn import TURN
from memdesk.model.workspace import AskCalendar, ListFiles
from memdesk.store import records
from tests.fixtures.intake.worlds import events

PLAY = """\
# a comment
== The first crane | quay | Forge | day -3 14:02
Mara: The crane lifts 12 tonnes.
+ fact .95 current | The crane lifts 12 tonnes | crane, quay
* crane | Technology | Lifts boats | the old one, K1
> crane | PART_OF | quay
Forge: Noted.
= 09:12 crane measured
= and weighed
? crane tonnes
(+3h)
Mara: Make that 14.
~ "The crane lifts 12 tonnes" -> "The crane lifts 14 tonnes"
^ "The crane lifts 14 tonnes" -> fact .85 past | The crane is sold | crane
! promote "The crane is sold"
! undo
"""

KEPT = """\
@ 4 | Move the crane | day 12
@ 3 | Rent a barge | part of Move the crane | after Ask the harbour
% completed "Rent a barge" | The old one
$ weigh | lifting | ok 120 ms
$ weigh | lifting | failed 30 ms | too heavy
& Weigh, then lift | a crane | weigh, lift
: preferences | tea | green
; "The crane is sold" | crane, money
/ "The crane is sold" | every quay should know
< 400
- openlegion | 900
"""


def scenes(text: str = PLAY) -> tuple[Scene, ...]:
    return tuple(read_scenes(text, "quay.txt"))


def test_every_line_of_the_grammar_is_read() -> None:
    (scene,) = scenes()
    assert (scene.title, scene.channel, scene.agent, scene.day) == ("The first crane", "quay", "Forge", -3)
    assert [line.act for line in scene.lines] == [
        Said(speaker="Mara", text="The crane lifts 12 tonnes."),
        Claims(
            claim="The crane lifts 12 tonnes",
            category="fact",
            confidence=0.95,
            temporal="current",
            about=("crane", "quay"),
        ),
        Introduces(name="crane", type="Technology", description="Lifts boats", aliases=("the old one", "K1")),
        Binds(source="crane", relation="PART_OF", target="quay"),
        Said(speaker="Forge", text="Noted."),
        Logs(text="crane measured", at=datetime(2000, 1, 1, 9, 12).time()),
        Logs(text="and weighed", at=None),
        Asks(query="crane tonnes"),
        Said(speaker="Mara", text="Make that 14.", after=timedelta(hours=3)),
        Corrects(claim="The crane lifts 12 tonnes", now="The crane lifts 14 tonnes"),
        Claims(
            claim="The crane is sold",
            category="fact",
            confidence=0.85,
            temporal="past",
            about=("crane",),
            instead="The crane lifts 14 tonnes",
        ),
        Judges(verb="promote", claim="The crane is sold"),
        TakesBack(),
    ]
    assert scene.lines[1].where == "quay.txt, line 4"


def test_what_agents_keep_beside_facts_is_read() -> None:
    (scene,) = scenes(f"== A | quay | Forge | day -1 10:00\nMara: Hello.\n{KEPT}")
    assert [line.act for line in scene.lines[1:]] == [
        Aims(description="Move the crane", priority=4, due=12),
        Aims(description="Rent a barge", priority=3, part_of="Move the crane", after="Ask the harbour"),
        Ends(description="Rent a barge", status="completed", result="The old one"),
        Uses(tool="weigh", task="lifting", ms=120),
        Uses(tool="weigh", task="lifting", ms=30, error="too heavy"),
        Masters(description="Weigh, then lift", context="a crane", tools=("weigh", "lift")),
        Notes(aspect="preferences", name="tea", value="green"),
        Tags(claim="The crane is sold", tags=("crane", "money")),
        Suggests(claim="The crane is sold", reason="every quay should know"),
        Primes(budget=400),
        Compacts(policy="openlegion", window=900),
    ]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("@ high | Move the crane", "line 3: a goal begins with its priority"),
        ('% finished "Move the crane"', "line 3: “finished” is no end of a goal"),
        ("$ weigh | lifting | failed 30 ms", "line 3: a tool that failed says why"),
        ("$ weigh | lifting", "line 3: this does not read as a tool call"),
        (": mood | today | good", "line 3: “mood” is no part of a profile"),
        ("< much", "line 3: this does not read as a number of tokens"),
        ("- openlegion", "line 3: this does not read as a compaction"),
        ("; The crane | money", "line 3: this does not read as a claim in quotes"),
        ("+ fact .95 someday | A claim | x", "line 3: “fact .95 someday” should be"),
        ("* crane | Machine | Lifts", "line 3: “Machine” is no type of entity"),
        ("> crane | OWNS | quay", "line 3: a relation is written"),
        ('! praise "x"', "line 3: this does not read as promote"),
        ("just words", "line 3: this does not read as a line of the play"),
        ("== No time | quay | Forge | day -1", "line 3: this does not read as a scene"),
        ("= 25:00 late", "line 3: “25:00” is no time of day"),
    ],
)
def test_a_line_that_does_not_read_is_named(line: str, says: str) -> None:
    with pytest.raises(Refused, match=f"quay.txt, {says}"):
        scenes(f"== A | quay | Forge | day -1 10:00\nMara: Hello.\n{line}\n")


def test_what_happens_before_a_scene_or_after_today_is_refused() -> None:
    with pytest.raises(Refused, match="line 1: something happens before the first scene"):
        scenes("Mara: Hello.\n")
    with pytest.raises(Refused, match="line 1: day 1 lies in the future"):
        scenes("== A | quay | Forge | day 1 10:00\nMara: Hello.\n")
    with pytest.raises(Refused, match="line 1: a scene begins with somebody saying something"):
        scenes("== A | quay | Forge | day -1 10:00\n? x\n")


NOON = from_datetime(datetime(2026, 11, 20, 12, 0))


def test_turns_take_their_time_and_acts_follow_at_once() -> None:
    cues = timed_cues(scenes(), NOON)
    assert clock_of(cues[0].at) == "14:02" and day_of(cues[0].at).day == 17
    said = [cue.at for cue in cues if isinstance(cue.act, Said)]
    assert 40 * SECOND <= said[1] - said[0] <= 245 * SECOND
    assert (
        said[2] - cues[cues.index(next(c for c in cues if isinstance(c.act, Asks)))].at == 3 * 3600 * SECOND
    )
    assert all(before.at < after.at for before, after in zip(cues, cues[1:], strict=False))
    assert timed_cues(scenes(), NOON) == cues


def test_a_log_line_has_the_time_it_names_or_that_of_its_turn() -> None:
    first, second = [cue for cue in timed_cues(scenes(), NOON) if isinstance(cue.act, Logs)]
    assert isinstance(first.act, Logs) and isinstance(second.act, Logs)
    assert clock_of(logged_at(first, first.act)) == "09:12"
    assert clock_of(logged_at(second, second.act)) == clock_of(second.at) > "14:02"


@pytest.mark.parametrize("hour", [0.001, 0.5, 7, 8.75, 23])
def test_nothing_of_today_lies_in_the_future_and_order_stays(hour: float) -> None:
    today = "".join(PLAY.replace("day -3 14:02", f"day 0 {at}") for at in ("06:30", "09:10"))
    moment = from_datetime(datetime(2026, 11, 20)) + round(hour * 3600) * SECOND
    cues = timed_cues(scenes(today + PLAY), moment)
    assert max(cue.at for cue in cues) <= moment
    assert {day_of(cue.at).day for cue in cues} == {17, 20}
    order = [(cue.number, cue.order) for cue in cues if cue.number == 0]
    assert order == sorted(order)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Desk, int, dict[str, int]]:
    """The real sample desk, built once."""
    desk, moment = Desk(tmp_path_factory.mktemp("sample") / "desk"), now()
    return desk, moment, play_sample(desk, now=moment)


@pytest.fixture
def sample(built: tuple[Desk, int, dict[str, int]]) -> Iterator[Engine]:
    engine = open_engine(built[0])
    yield engine
    engine.close()


def test_the_sample_is_as_large_as_its_play(sample: Engine, built: tuple[Desk, int, dict[str, int]]) -> None:
    played = [line.act for scene in read_play(resource("sample", "play")) for line in scene.lines]
    assert built[2]["turns"] == sum(isinstance(act, Said) for act in played) > 1_500
    with sample.store.reading() as db:
        assert len(records.find(db, TURN)) == built[2]["turns"]
        assert len(records.find(db, FACT)) > 250
        assert len(records.find(db, ENTITY)) > 120
        assert 4 < len({entity.channel for entity in records.find(db, ENTITY)}) < 8
    assert sample.person == "Mara"


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
    told = profile(sample, AskProfile())
    assert told.preferences and told.expertise and told.communication_style
    assert [question.type for question in review(sample, AskReview()).rows] == [
        "promotion",
        "quarantine",
        "contradiction",
    ]
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
    assert sum(row.recalled >= 5 for row in rows) > 40
    assert sum(row.recalled == 0 for row in rows) > 80
    assert sum(row.salience < 0.1 for row in rows) > 20
    assert sum(row.salience > 0.6 for row in rows) > 20


def test_the_sample_waits_for_neither_vectors_nor_extraction(sample: Engine) -> None:
    assert embed_pending(sample) == 0
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


def test_a_desk_that_is_there_is_not_played_over(built: tuple[Desk, int, dict[str, int]]) -> None:
    with pytest.raises(Refused, match="There is a desk in"):
        play_sample(built[0], now=built[1])


def test_a_play_that_does_not_hold_together_names_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = tmp_path / "sample" / "play"
    play.mkdir(parents=True)
    (play / "quay.txt").write_text(
        PLAY.replace('! promote "The crane is sold"', '! promote "The crane is new"')
    )
    workspace = tmp_path / "sample" / "workspaces" / "forge"
    workspace.mkdir(parents=True)
    (workspace / "IDENTITY.md").write_text("- **Name:** Forge\n")
    for module in ("sample_stage", "sample_acts"):
        monkeypatch.setattr(
            f"memdesk.engine.interop.{module}.resource", lambda *parts: tmp_path.joinpath(*parts)
        )
    desk = Desk(tmp_path / "desk")
    with pytest.raises(Refused, match=r"quay\.txt, line 15: Nobody has learned “The crane is new” by then"):
        play_sample(desk, now=now())
    assert not desk.database.exists()
