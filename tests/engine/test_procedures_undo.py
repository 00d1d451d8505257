"""Whatever agents record, learn and reinforce, taking it back in reverse returns every earlier state."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from memdesk.engine.jobs.patterns import patterns
from memdesk.engine.jobs.run import begin
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.curate import retire
from memdesk.engine.memory.procedures import learn_strategy, record_invocations, reinforce_strategy
from memdesk.engine.memory.remember import learn_fact, relate, store_turn, upsert_entity
from memdesk.engine.opening import open_engine
from memdesk.engine.undo import undo
from memdesk.files.places import Desk
from memdesk.model.curation import Retire, Undo
from memdesk.model.errors import MemDeskError
from memdesk.model.kinds import KINDS
from memdesk.model.remember import NewEntity, NewFact, NewRelation, NewTurn
from memdesk.model.strategy import STRATEGY, NewStrategy, ReinforceStrategy
from memdesk.model.tool_call import TOOL_CALL, NewToolCall, NewToolCalls
from memdesk.store import records
from tests.effort import examples
from tests.engine.conftest import Clock
from tests.store.agreement import assert_agreement

AGENT = "agent:iris"
CHANNEL = st.sampled_from(["_global", "atlas"])
TOOL = st.sampled_from(["search", "read", "edit"])
TALK = st.sampled_from(["a", "b", "c"])
NAME = st.sampled_from(["Ana", "Jun", "陈"])
WHICH = st.integers(0, 99)
GONE = st.one_of(st.none(), st.integers(0, 2), st.text("ab记", max_size=2))


class Procedures(RuleBasedStateMachine):
    """One desk; every rule is one or no deed, and `take_back` undoes the latest."""

    def __init__(self) -> None:
        super().__init__()
        self.folder, self.clock = Path(tempfile.mkdtemp(prefix="memdesk-procedures-")), Clock()
        self.engine = open_engine(Desk(self.folder), clock=self.clock)
        self.done: list[tuple[dict[str, list[Any]], list[int]]] = []

    def state(self) -> dict[str, list[Any]]:
        """Everything that undo must give back; a channel stays once it was made."""
        while embed_pending(self.engine):
            pass
        with self.engine.store.reading() as db:
            found = {
                kind.name: db.rows(f"SELECT * FROM {kind.table} ORDER BY seq")
                for kind in KINDS
                if kind.name != "channel"
            }
            found["searchable"] = db.rows("SELECT * FROM searchable ORDER BY seq")
            found["tool_stats"] = db.rows("SELECT * FROM tool_stats ORDER BY 1, 2, 3, 4")
            return found

    def do(self, deed: Callable[[], object]) -> None:
        before, last = self.state(), self.newest()
        try:
            deed()
        except MemDeskError:
            assert self.state() == before
        changes = [id for id, layer in self.changes(last) if layer != "workspace"]
        if changes:
            self.done.append((before, changes))
        else:
            assert self.state() == before

    def newest(self) -> int:
        with self.engine.store.reading() as db:
            return int(db.value("SELECT max(id) FROM changes") or 0)

    def changes(self, after: int) -> list[Any]:
        with self.engine.store.reading() as db:
            return db.rows("SELECT id, layer FROM changes WHERE id > ? ORDER BY id", (after,))

    def one_of(self, kind: Any, which: int) -> str:
        with self.engine.store.reading() as db:
            ids = [each.id for each in records.find(db, kind)]
        return ids[which % len(ids)] if ids else "nowhere"

    @rule(
        talk=TALK, tools=st.lists(TOOL, min_size=1, max_size=4), worked=st.booleans(), took=st.none() | WHICH
    )
    def work(self, talk: str, tools: list[str], worked: bool, took: int | None) -> None:
        turn = NewTurn(content="deploy the website", conversation_id=talk, channel="atlas")
        self.do(lambda: store_turn(self.engine, turn, author=AGENT))
        calls = tuple(
            NewToolCall(
                tool_name=tool, conversation_id=talk, success=worked or n < len(tools) - 1, latency_ms=took
            )
            for n, tool in enumerate(tools)
        )
        self.do(lambda: record_invocations(self.engine, NewToolCalls(calls=calls), author=AGENT))

    @rule(
        tools=st.lists(TOOL, max_size=2),
        pattern=st.sampled_from(["", "deploy"]),
        worked=st.booleans(),
        channel=CHANNEL,
    )
    def learn_a_way(self, tools: list[str], pattern: str, worked: bool, channel: str) -> None:
        ask = NewStrategy(
            description="Deploy",
            tool_sequence=tuple(tools),
            context_pattern=pattern,
            success=worked,
            channel=channel,
        )
        self.do(lambda: learn_strategy(self.engine, ask, author=AGENT))

    @rule(which=WHICH, worked=st.booleans())
    def reinforce(self, which: int, worked: bool) -> None:
        ask = ReinforceStrategy(strategy_id=self.one_of(STRATEGY, which), success=worked)
        self.do(lambda: reinforce_strategy(self.engine, ask, author=AGENT))

    @rule(which=WHICH, kind=st.sampled_from([STRATEGY, TOOL_CALL]))
    def hide(self, which: int, kind: Any) -> None:
        ask = Retire(id=self.one_of(kind, which))
        self.do(lambda: retire(self.engine, ask, author="person:Mara"))

    @rule()
    def look_for_patterns(self) -> None:
        self.do(lambda: patterns(begin(self.engine, "patterns")))

    @rule(
        key=st.sampled_from(["port", "city"]), value=st.integers(0, 2), channel=CHANNEL, paired=st.booleans()
    )
    def learn_a_pair(self, key: str, value: int, channel: str, paired: bool) -> None:
        pair: dict[str, Any] = {"key": key, "value": str(value)} if paired else {}
        ask = NewFact(claim=f"{key}: {value}", channel=channel, **pair)
        self.do(lambda: learn_fact(self.engine, ask, author=AGENT))

    @rule(name=NAME, key=st.sampled_from("ab"), value=GONE)
    def describe(self, name: str, key: str, value: object) -> None:
        ask = NewEntity(name=name, properties={key: value})
        self.do(lambda: upsert_entity(self.engine, ask, author=AGENT))

    @rule(one=NAME, other=NAME, key=st.sampled_from("ab"), value=GONE)
    def join(self, one: str, other: str, key: str, value: object) -> None:
        ask = NewRelation(source=one, target=other, type="KNOWS", properties={key: value})
        self.do(lambda: relate(self.engine, ask, author=AGENT))

    @precondition(lambda self: self.done)
    @rule()
    def take_back(self) -> None:
        before, changes = self.done.pop()
        for change in reversed(changes):
            undo(self.engine, Undo(change=change), author="person:Mara")
        assert self.state() == before

    def teardown(self) -> None:
        try:
            while self.done:
                self.take_back()
        finally:
            self.engine.close()
        assert_agreement(self.engine.desk.database)
        shutil.rmtree(self.folder)


TestProcedures = Procedures.TestCase
TestProcedures.settings = settings(
    max_examples=examples(15), stateful_step_count=25, suppress_health_check=list(HealthCheck)
)
