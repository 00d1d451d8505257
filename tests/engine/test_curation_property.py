"""Whatever a person does to memory, undoing it backwards returns every earlier state: rows, words, vectors, sums."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from memdesk.engine.beliefs.reading import keys
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory import (
    channel_merge,
    channels,
    curate,
    decisions,
    duplicates,
    merge,
    promotion,
    scope,
    tags,
)
from memdesk.engine.memory.remember import learn_fact, store_turn, upsert_entity
from memdesk.engine.memory.review_queue import propose, review
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.engine.undo import undo, undo_run
from memdesk.files.places import Desk
from memdesk.model.channel import ArchiveChannel, MergeChannels, NewChannel, RenameChannel, RestoreChannel
from memdesk.model.curation import (
    Demote,
    Forget,
    Link,
    Merge,
    Move,
    Pin,
    Promote,
    RenameTag,
    Restore,
    Retire,
    Tagging,
    Undo,
    UndoRun,
    Unlink,
)
from memdesk.model.entity import ENTITY
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.fact import FACT
from memdesk.model.kinds import KINDS
from memdesk.model.remember import NewEntity, NewFact, NewTurn
from memdesk.model.review import DECISIONS, AskDuplicates, AskReview, Decide, Propose
from memdesk.model.turn import CONVERSATION
from memdesk.store import beliefs, records
from tests.effort import examples
from tests.store.agreement import assert_agreement

MARA = "person:Mara"
CLAIMS = (
    "Mara lives in Brest",
    "Mara now lives in Porto",
    "Mara no longer lives in Porto",
    "mara lives in Brest.",
    "Mara lives in Porto",
    "Tea is at four",
    "茶是四点",
)
NAMES = ("Mara", "Brest", "Sea Lab", "sea-lab", "Postgres", "PostgreSQL")
PLACES = ("_global", "harbour", "island", "port")
CHANNEL_NAME, WHICH = st.sampled_from(PLACES), st.integers(0, 99)
REFUSALS = (BadAsk, Conflict, NotFound)


class Curating(RuleBasedStateMachine):
    """A person and an agent at work on a small desk; what was before every change or run of theirs is remembered."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="memdesk-curating-"))
        self.at = 1_750_000_000_000_000
        self.engine = open_engine(Desk(self.folder), clock=self.clock)
        for name in PLACES:
            channels.ensure_channel(self.engine, "local", name, author=MARA)
        self.before: list[tuple[int, dict[str, list[Any]]]] = []

    def clock(self) -> int:
        self.at += 1
        return self.at

    def state(self) -> dict[str, list[Any]]:
        """Everything that undo must give back."""
        while embed_pending(self.engine):
            pass
        with self.engine.store.reading() as db:
            found = {kind.name: db.rows(f"SELECT * FROM {kind.table} ORDER BY seq") for kind in KINDS}
            found["searchable"] = db.rows("SELECT * FROM searchable ORDER BY seq")
            found["vectors"] = db.rows("SELECT seq, scope, hex(bits) FROM vectors ORDER BY seq")
            found["belief_keys"] = db.rows("SELECT * FROM belief_keys ORDER BY key, seq")
            assert set(found["belief_keys"]) == {*beliefs.expected(db, keys)}
            found["categories"] = db.rows(
                "SELECT user_id, channel, category, facts FROM categories ORDER BY 1, 2, 3"
            )
        found["words"] = self.engine.store.submit(_words).result()
        return found

    def latest(self) -> int:
        with self.engine.store.reading() as db:
            return int(db.value("SELECT max(id) FROM changes"))

    def go(self, verb: Callable[[], Any]) -> None:
        """Do something, remembering each of its changes; a refusal must leave everything as it was."""
        state, first = self.state(), self.latest()
        try:
            verb()
        except REFUSALS:
            assert self.latest() == first and self.state() == state
            return
        if (last := self.latest()) != first:
            self.before.append((first, state))
            assert last > first

    def one(self, kind: Any, which: int) -> str:
        with self.engine.store.reading() as db:
            ids = [record.id for record in records.find(db, kind)]
        return ids[which % len(ids)] if ids else "nothing"

    @rule(
        claim=st.sampled_from(CLAIMS), channel=CHANNEL_NAME, about=st.sampled_from(NAMES), keyed=st.booleans()
    )
    def learn(self, claim: str, channel: str, about: str, keyed: bool) -> None:
        pair = {"key": "where", "value": claim} if keyed else {}
        self.go(
            lambda: learn_fact(
                self.engine, NewFact(claim=claim, channel=channel, about=(about,), **pair), author=MARA
            )
        )

    @rule(name=st.sampled_from(NAMES), channel=CHANNEL_NAME)
    def name(self, name: str, channel: str) -> None:
        ask = NewEntity(name=name, channel=channel, aliases=(f"the {name}",))
        self.go(lambda: upsert_entity(self.engine, ask, author=MARA))

    @rule(channel=CHANNEL_NAME)
    def say(self, channel: str) -> None:
        self.go(
            lambda: store_turn(self.engine, NewTurn(content="Good morning", channel=channel), author=MARA)
        )

    @rule(channel=CHANNEL_NAME, name=st.sampled_from((*PLACES, "quay", "cove")))
    def rename(self, channel: str, name: str) -> None:
        ask = RenameChannel(channel=channel, name=name)
        self.go(lambda: channel_merge.rename_channel(self.engine, ask, author=MARA, progress=ignore_progress))

    @rule(channel=CHANNEL_NAME, into=CHANNEL_NAME)
    def merge_channels(self, channel: str, into: str) -> None:
        ask = MergeChannels(channel=channel, into=into)
        self.go(lambda: channel_merge.merge_channels(self.engine, ask, author=MARA, progress=ignore_progress))

    @rule(channel=CHANNEL_NAME, how=st.integers(0, 2))
    def keep_channels(self, channel: str, how: int) -> None:
        verbs: tuple[Callable[[], Any], ...] = (
            lambda: channels.create_channel(self.engine, NewChannel(name=channel), author=MARA),
            lambda: channels.archive_channel(self.engine, ArchiveChannel(channel=channel), author=MARA),
            lambda: channels.restore_channel(self.engine, RestoreChannel(channel=channel), author=MARA),
        )
        self.go(verbs[how])

    @rule(which=WHICH, how=st.integers(0, 5))
    def treat_a_fact(self, which: int, how: int) -> None:
        id = self.one(FACT, which)
        verbs: tuple[Callable[[], Any], ...] = (
            lambda: promotion.promote(self.engine, Promote(fact_id=id), author=MARA),
            lambda: curate.demote(self.engine, Demote(fact_id=id), author=MARA),
            lambda: curate.forget(self.engine, Forget(fact_id=id), author=MARA),
            lambda: curate.restore(self.engine, Restore(id=id), author=MARA),
            lambda: curate.retire(self.engine, Retire(id=id), author=MARA),
            lambda: curate.pin(self.engine, Pin(id=id), author=MARA),
        )
        self.go(verbs[how])

    @rule(which=WHICH, restored=st.booleans())
    def treat_an_entity(self, which: int, restored: bool) -> None:
        id = self.one(ENTITY, which)
        if restored:
            self.go(lambda: curate.restore(self.engine, Restore(id=id), author=MARA))
        else:
            self.go(lambda: curate.retire(self.engine, Retire(id=id), author=MARA))

    @rule(kind=st.sampled_from((FACT, ENTITY)), one=WHICH, other=WHICH)
    def merge(self, kind: Any, one: int, other: int) -> None:
        ask = Merge(id=self.one(kind, one), into_id=self.one(kind, other))
        self.go(lambda: merge.merge(self.engine, ask, author=MARA))

    @rule(kind=st.sampled_from((FACT, ENTITY, CONVERSATION)), which=WHICH, channel=CHANNEL_NAME)
    def move(self, kind: Any, which: int, channel: str) -> None:
        ask = Move(id=self.one(kind, which), channel=channel)
        self.go(lambda: scope.move(self.engine, ask, author=MARA))

    @rule(fact=WHICH, entity=WHICH, linked=st.booleans())
    def tie(self, fact: int, entity: int, linked: bool) -> None:
        ends = {"fact_id": self.one(FACT, fact), "entity_id": self.one(ENTITY, entity)}
        if linked:
            self.go(lambda: scope.link(self.engine, Link(**ends), author=MARA))
        else:
            self.go(lambda: scope.unlink(self.engine, Unlink(**ends), author=MARA))

    @rule(
        kind=st.sampled_from((FACT, ENTITY)), which=WHICH, name=st.sampled_from("ab"), how=st.integers(0, 2)
    )
    def tag(self, kind: Any, which: int, name: str, how: int) -> None:
        ask = Tagging(id=self.one(kind, which), tags=(name,))
        verbs: tuple[Callable[[], Any], ...] = (
            lambda: tags.tag(self.engine, ask, author=MARA),
            lambda: tags.untag(self.engine, ask, author=MARA),
            lambda: tags.rename_tag(self.engine, RenameTag(tag=name, name="b"), author=MARA),
        )
        self.go(verbs[how])

    @rule(which=WHICH, corrected=st.booleans(), claim=st.sampled_from(CLAIMS))
    def ask(self, which: int, corrected: bool, claim: str) -> None:
        type = "correction" if corrected else "promotion"
        wish = Propose(type=type, fact_id=self.one(FACT, which), reason="it seems so", claim=claim)
        self.go(lambda: propose(self.engine, wish, author="agent:Forge"))

    @rule()
    def ask_about_duplicates(self) -> None:
        self.go(lambda: duplicates.propose_duplicates(self.engine, AskDuplicates(), author=MARA))

    @rule(which=WHICH, answer=WHICH)
    def decide(self, which: int, answer: int) -> None:
        if open := review(self.engine, AskReview()).rows:
            question = open[which % len(open)]
            words = DECISIONS[question.type]
            ask = Decide(id=question.id, decision=words[answer % len(words)], text="Said as one")
            self.go(lambda: decisions.decide(self.engine, ask, author=MARA))

    def teardown(self) -> None:
        for first, state in reversed(self.before):
            self.take_back_to(first)
            assert self.state() == state
        self.engine.close()
        assert_agreement(self.engine.desk.database)
        shutil.rmtree(self.folder)

    def take_back_to(self, first: int) -> None:
        """Undo what was done after a change, newest first; a run as a run."""
        with self.engine.store.reading() as db:
            done = db.rows(
                "SELECT id, run FROM changes WHERE id > ? AND op NOT IN ('undo', 'redo') AND undone_by IS NULL "
                "ORDER BY id DESC",
                (first,),
            )
        for change, run in done:
            with self.engine.store.reading() as db:
                if db.value("SELECT undone_by FROM changes WHERE id = ?", (change,)) is not None:
                    continue
            if run is None:
                undo(self.engine, Undo(change=change), author=MARA)
            else:
                left = undo_run(self.engine, UndoRun(change=change), author=MARA, progress=ignore_progress)[
                    "left"
                ]
                assert left == {}


def _words(db: Any) -> list[Any]:
    if not db.virtual_tables:
        return sorted(db.rows("SELECT scope, term, seq, places FROM postings"))
    db.run("CREATE VIRTUAL TABLE IF NOT EXISTS temp.seen USING fts5vocab('main', 'words', 'instance')")
    return sorted(db.rows("SELECT term, doc, col, offset FROM temp.seen"))


TestCurating = Curating.TestCase
TestCurating.settings = settings(
    max_examples=examples(15), stateful_step_count=25, suppress_health_check=list(HealthCheck)
)
