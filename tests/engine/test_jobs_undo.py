"""Whatever jobs do in whatever order, taking their runs back in reverse returns every earlier state."""

from __future__ import annotations

import itertools
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from memdesk.engine.jobs import schedule
from memdesk.engine.jobs.schedule import BY_NAME, JOBS, perform
from memdesk.engine.memory.curate import pin
from memdesk.engine.memory.remember import learn_fact, relate, store_turn, upsert_entity
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo_run
from memdesk.files.places import Desk
from memdesk.model.curation import Pin, UndoRun
from memdesk.model.job import AskRuns
from memdesk.model.kinds import KINDS
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewFact, NewRelation, NewTurn
from tests.effort import examples
from tests.engine.conftest import Clock
from tests.store.agreement import assert_agreement

AGENT = "agent:iris"
NAMES = ("Ana", "Jun", "Siemens", "Lisbon", "陈阿姨")
SAID = (
    "I moved to Lisbon in March.",
    "My sister Ana works at Siemens.",
    "Remember that the deploy key expires on 1 December.",
    "我对青霉素过敏。",
)
CHANNEL = st.sampled_from(["_global", "atlas"])


class Aging(RuleBasedStateMachine):
    """Memory comes in and time passes; then only jobs run, and their runs are taken back."""

    def __init__(self) -> None:
        super().__init__()
        self.folder, self.clock = Path(tempfile.mkdtemp(prefix="memdesk-jobs-")), Clock()
        self.engine = open_engine(Desk(self.folder), clock=self.clock)
        self.engine.use(
            replace(self.engine.settings, promote_recalls=1, promote_conversations=1, promotion="straight")
        )
        self.states: list[dict[str, list[Any]]] = []
        self.runs: list[int] = []

    def state(self) -> dict[str, list[Any]]:
        """Everything that undoing a run must give back; salience and use follow from it and from time."""
        with self.engine.store.reading() as db:
            found = {
                kind.name: db.rows(f"SELECT * FROM {kind.table} ORDER BY seq")
                for kind in KINDS
                if kind.name != "channel"
            }
            found["searchable"] = db.rows(
                "SELECT seq, kind, user_id, channel, text_hash, claim_hash FROM searchable ORDER BY seq"
            )
            return found

    @initialize(
        said=st.lists(st.tuples(st.sampled_from(SAID), CHANNEL), max_size=6),
        known=st.lists(st.sampled_from(NAMES), min_size=1, unique=True),
        told=st.lists(st.sampled_from(NAMES), max_size=2),
        pinned=st.booleans(),
    )
    def begin(self, said: list[tuple[str, str]], known: list[str], told: list[str], pinned: bool) -> None:
        for number, (line, channel) in enumerate(said):
            self._say(line, channel, f"c{number % 3}-{channel}")
        ids = [
            upsert_entity(
                self.engine, NewEntity(name=n, channel="atlas", aliases=(f"{n}!",)), author=AGENT
            ).id
            for n in known
        ]
        for source, target in itertools.pairwise(ids):
            ask = NewRelation(source=source, target=target, type="KNOWS", channel="atlas")
            relate(self.engine, ask, author=AGENT)
        for name in told:
            turn = self._say(f"{name} has a boat.", "atlas", f"c-{name}")
            told_of = NewFact(claim=f"{name} has a boat", about=(name,), channel="atlas", source_turn_id=turn)
            learn_fact(self.engine, told_of, author=AGENT)
        if pinned:
            pin(self.engine, Pin(id=ids[0]), author="person:Mara")

    def _say(self, line: str, channel: str, conversation: str) -> str:
        turn = NewTurn(content=line, channel=channel, conversation_id=conversation, speaker="Mara")
        return store_turn(self.engine, turn, author=AGENT).id

    @rule(text=st.sampled_from(NAMES))
    def remember(self, text: str) -> None:
        recall(self.engine, Query(text=f"{text} has a boat", channel="atlas", limit=3), author=AGENT)
        # What a recall leaves behind is written after its answer.
        self.engine.store.submit(lambda _: None).result()

    @rule(days=st.sampled_from([1, 35, 95]))
    def wait(self, days: int) -> None:
        self.clock.pass_days(days)

    @rule(job=st.sampled_from([job.name for job in JOBS if not job.by_change]), dry=st.booleans())
    def run(self, job: str, dry: bool) -> None:
        before = self.state()
        perform(self.engine, BY_NAME[job], author="clock", dry=dry)
        (made,) = schedule.runs(self.engine, AskRuns(name=job, limit=1)).rows
        if dry or made.first_change is None:
            assert self.state() == before
        else:
            self.states.append(before)
            self.runs.append(made.first_change)

    @precondition(lambda self: self.runs)
    @rule()
    def take_the_latest_back(self) -> None:
        ask = UndoRun(change=self.runs.pop())
        done = undo_run(self.engine, ask, author="person:Mara", progress=ignore_progress)
        assert done["left"] == {} and self.state() == self.states.pop()

    def teardown(self) -> None:
        while self.runs:
            self.take_the_latest_back()
        self.engine.close()
        assert_agreement(self.engine.desk.database)
        shutil.rmtree(self.folder)


TestJobs = Aging.TestCase
TestJobs.settings = settings(
    max_examples=examples(30), stateful_step_count=20, suppress_health_check=list(HealthCheck)
)
