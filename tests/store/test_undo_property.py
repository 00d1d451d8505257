"""Whatever is done to memory, undoing it backwards returns every earlier state: rows, words and vectors alike."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.files.places import Desk
from memdesk.model.change import Change, Edit
from memdesk.model.entity import ENTITY, RELATION, Entity, Relation
from memdesk.model.errors import Conflict, NotFound
from memdesk.model.fact import FACT, Fact
from memdesk.model.kinds import KINDS
from memdesk.model.settings import DEFAULTS
from memdesk.store import journal, records
from memdesk.store.connection import Connection
from memdesk.store.store import Store
from tests.effort import examples
from tests.store.conftest import opening_file, opening_postgres

TEXT = st.text(alphabet="ab c'\"*-:?数据库記憶é\n", max_size=12)
CHANNEL = st.sampled_from(["_global", "p1", "p2"])
WHICH = st.integers(0, 99)


class Dice:
    """An embedder of noise that depends on the text alone."""

    name, dimension = "dice-256", 256

    def embed(self, texts: Sequence[str]) -> Any:
        rows = [_noise(text) for text in texts]
        return np.array(rows, np.float32)


def _noise(text: str) -> list[float]:
    dice = random.Random(text)
    return [dice.uniform(-1, 1) for _ in range(256)]


class Memory(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="memdesk-undo-"))
        self.store = self.opened()
        self.engine = Engine(Desk(self.folder), self.store, Dice(), DEFAULTS, lambda: 1)
        self.store.maintain(lambda _db, index, _journal: index.use_model("dice-256")).result()
        self.states = [self.state()]
        self.done: list[int] = []

    def opened(self) -> Store:
        return opening_file(self.folder)()

    def state(self) -> dict[str, list[Any]]:
        """Everything that undo must give back."""
        while embed_pending(self.engine):
            pass
        with self.store.reading() as db:
            found = {kind.name: db.rows(f"SELECT * FROM {kind.table} ORDER BY seq") for kind in KINDS}
            found["searchable"] = db.rows("SELECT * FROM searchable ORDER BY seq")
        return found | self.indexes()

    def indexes(self) -> dict[str, list[Any]]:
        """Words and vectors, of which each database has its own index."""
        with self.store.reading() as db:
            vectors = db.rows("SELECT seq, scope, hex(bits) FROM vectors ORDER BY seq")
        return {"vectors": vectors, "words": self.store.submit(_words).result()}

    def go(self, change: Change) -> None:
        try:
            applied = self.store.apply(change)
        except Conflict:
            assert self.state() == self.states[-1]
            return
        if not applied.edits:
            assert self.state() == self.states[-1]
            return
        self.states.append(self.state())
        self.done.append(applied.id)

    def ids(self, kind: Any) -> list[str]:
        with self.store.reading() as db:
            return [record.id for record in records.find(db, kind)]

    @rule(claim=TEXT, channel=CHANNEL)
    def learn(self, claim: str, channel: str) -> None:
        seq = self.store.new_seq()
        born = Fact(
            seq=seq,
            id=f"f_{seq}",
            user_id="local",
            channel=channel,
            agent_id=None,
            claim=claim,
            category="fact",
            confidence=0.9,
            source="explicit",
            source_turn_id=None,
            quote="",
            temporal=None,
            promoted_from=None,
            superseded_by=None,
            pinned=0,
            salience=0.5,
            salience_at=0,
            created_at=0,
        )
        self.go(
            Change(
                op="learn",
                title=claim,
                author="a",
                edits=(records.creation_edit(FACT, born),),
                channel=channel,
            )
        )

    @rule(name=TEXT, channel=CHANNEL)
    def name(self, name: str, channel: str) -> None:
        seq = self.store.new_seq()
        born = Entity(
            seq=seq,
            id=f"e_{seq}",
            user_id="local",
            channel=channel,
            agent_id=None,
            name=name,
            type="Concept",
            description="",
            properties="{}",
            pinned=0,
            salience=0.5,
            salience_at=0,
            created_at=0,
        )
        self.go(Change(op="learn", title=name, author="a", edits=(records.creation_edit(ENTITY, born),)))

    @rule(one=WHICH, other=WHICH)
    def relate(self, one: int, other: int) -> None:
        if everything := [*self.ids(FACT), *self.ids(ENTITY)]:
            seq = self.store.new_seq()
            born = Relation(
                seq=seq,
                id=f"r_{seq}",
                user_id="local",
                channel="_global",
                type="ABOUT",
                confidence=1.0,
                source_id=everything[one % len(everything)],
                target_id=everything[other % len(everything)],
                source_turn_id=None,
                created_at=0,
            )
            self.go(Change(op="learn", title="", author="a", edits=(records.creation_edit(RELATION, born),)))

    @rule(which=WHICH, claim=TEXT, stale=st.booleans())
    def edit(self, which: int, claim: str, stale: bool) -> None:
        if ids := self.ids(FACT):
            with self.store.reading() as db:
                now = records.need(db, FACT, ids[which % len(ids)])
            before = {"claim": "stale!" if stale else now.claim}
            self.go(
                Change(
                    op="update", title="", author="a", edits=(Edit("fact", now.id, before, {"claim": claim}),)
                )
            )

    @rule(which=WHICH, channel=CHANNEL, retired=st.sampled_from([None, 7]))
    def move_or_retire(self, which: int, channel: str, retired: int | None) -> None:
        if ids := self.ids(FACT):
            with self.store.reading() as db:
                now = records.need(db, FACT, ids[which % len(ids)])
            edit = records.update_edit(FACT, now, channel=channel, retired_at=retired)
            self.go(Change(op="retire", title="", author="a", edits=(edit,)))

    @rule(which=WHICH)
    def purge(self, which: int) -> None:
        """A cascade: an entity goes with everything that points to it."""
        if ids := self.ids(ENTITY):
            gone = ids[which % len(ids)]
            with self.store.reading() as db:
                bonds = {
                    r.id: r
                    for end in ("source_id", "target_id")
                    for r in records.find(db, RELATION, **{end: gone})
                }
            edits = [Edit("relation", id, {}, None) for id in bonds]
            self.go(Change(op="retire", title="", author="a", edits=(*edits, Edit("entity", gone, {}, None))))

    @rule(which=WHICH)
    def take_one_back(self, which: int) -> None:
        if not self.done:
            return
        change = self.done[which % len(self.done)]
        try:
            applied, _ = self.store.decide(lambda db: (journal.reversed_change(db, change, "p"), None))
        except (Conflict, NotFound):
            assert self.state() == self.states[-1]
            return
        assert applied is not None
        self.states.append(self.state())
        self.done.append(applied.id)

    @invariant()
    def nothing_points_into_the_void(self) -> None:
        assert self.store.submit(self.dangling).result() == []

    def dangling(self, db: Connection) -> list[Any]:
        return db.rows("PRAGMA foreign_key_check")

    def teardown(self) -> None:
        for position in reversed(range(len(self.done))):
            change = self.done[position]
            # Out of order, a change may be undone already; what it moved is mirrored all the same.
            self.store.submit(
                lambda db, n=change: db.run("UPDATE changes SET undone_by = NULL WHERE id = ?", (n,))
            )
            self.store.decide(lambda db, n=change: (journal.reversed_change(db, n, "p"), None))
            assert self.state() == self.states[position]
        self.store.close()
        shutil.rmtree(self.folder)


class SharedMemory(Memory):
    """The same in a PostgreSQL database, which checks by itself that nothing points into the void."""

    def opened(self) -> Store:
        return opening_postgres()()

    def indexes(self) -> dict[str, list[Any]]:
        with self.store.reading() as db:
            return {"words": db.rows("SELECT * FROM postings ORDER BY seq, term")}

    def dangling(self, db: Connection) -> list[Any]:
        return []


def _words(db: Any) -> list[Any]:
    db.run("CREATE VIRTUAL TABLE IF NOT EXISTS temp.seen USING fts5vocab('main', 'words', 'instance')")
    return sorted(db.rows("SELECT term, doc, col, offset FROM temp.seen"))


EFFORT = settings(max_examples=examples(40), stateful_step_count=20, suppress_health_check=list(HealthCheck))
TestMemory = Memory.TestCase
TestMemory.settings = EFFORT
TestSharedMemory = SharedMemory.TestCase
TestSharedMemory.settings = settings(EFFORT, max_examples=examples(4))
