"""No statement of a hot path reads a table through that grows with a desk's history.

The real engine is driven on a desk that holds some hundreds of each kind, every statement it runs is noted, and SQLite
is asked how it would carry each out. A desk is never analysed, so its plans are those of a large one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from memdesk.engine.browsing import history, lists
from memdesk.engine.browsing.tables import find, table, timeline
from memdesk.engine.context.prompt import context
from memdesk.engine.context.sessions import create_session
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.schedule import BY_NAME, perform
from memdesk.engine.memory import goals
from memdesk.engine.memory.curate import retire
from memdesk.engine.memory.procedures import learn_strategy, record_invocation
from memdesk.engine.memory.quarantine import quarantine
from memdesk.engine.memory.remember import learn_fact, relate, store_turn, store_turns, upsert_entity
from memdesk.engine.memory.tags import tag
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.files.places import Desk
from memdesk.model.browse import Find, ListFacts
from memdesk.model.curation import Retire, Tagging, Undo
from memdesk.model.goal import NewGoal
from memdesk.model.history import AskHistory
from memdesk.model.kinds import KINDS
from memdesk.model.prompt import AskContext
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewFact, NewRelation, NewTurn, NewTurns
from memdesk.model.review import Quarantine
from memdesk.model.session import NewSession
from memdesk.model.strategy import NewStrategy
from memdesk.model.timeline import AskTable, AskTimeline
from memdesk.model.tool_call import NewToolCall
from memdesk.store import browsing, proposing
from memdesk.store.connection import Connection
from tests.bench.many_facts import CHANNEL, fill
from tests.engine.conftest import Clock, embed_all

FORGE = "agent:Forge"
FEW = {"channels", "workspaces", "traits", "standing_decisions"}
"""Tables with a row for each thing a person names: a channel, a folder, a trait of the profile, a decision."""
GROWING = frozenset(
    (
        *({kind.table for kind in KINDS} - FEW),
        "records",
        "changes",
        "edits",
        "recalls",
        "recalled",
        "prompts",
        "prompt_pieces",
        "prompt_texts",
        "searchable",
        "embeddings",
        "passages",
        "versions",
        "usage",
        "working",
        "past_claims",
        "belief_keys",
        "rollup",
        "audit_segments",
        "job_runs",
        "spending",
    )
)
BROAD = {
    "user_id",
    "channel",
    "kind",
    "type",
    "status",
    "state",
    "agent_id",
    "category",
    "source",
    "author",
    "op",
    "layer",
    "retired_at",
    "superseded_by",
    "pinned",
    "model",
    "at",
    "created_at",
    "started_at",
    "updated_at",
    "salience_at",
}
"""Columns by which a share of a table is named that grows with it."""
IN_ORDER = {
    r"FROM facts (NOT INDEXED )?WHERE .* ORDER BY seq DESC LIMIT \? OFFSET": "A page of facts, newest first.",
    r"^WITH page AS MATERIALIZED \(.* NOT INDEXED .* LIMIT :limit OFFSET": "A window of the table, by search number.",
    r"INDEXED BY \w+_(time|channel) .* ORDER BY \w+ DESC, seq DESC LIMIT": "A page of the timeline, by time.",
    r"INDEXED BY facts_(set|pinned) .* ORDER BY salience_at DESC, seq DESC LIMIT": "The strongest facts of a channel.",
    r"FROM usage ORDER BY \w+ DESC, seq DESC LIMIT \?\)": "The 4,000 memories recalled most, or last.",
    r"FROM searchable WHERE .* ORDER BY seq DESC LIMIT 2000\)": "The newest 2,000 of a scope.",
    r"FROM events WHERE id >= \? AND id < \? .*ORDER BY id DESC LIMIT": "A page of events, by number.",
}
"""Statements that may begin to read a table through: they read it in the order of an index and stop at their limit."""
BOUNDED = {
    r"FROM goals WHERE user_id = \? AND retired_at IS NULL AND status IN": "Goals that are active: the others ended.",
    r"FROM entities LEFT JOIN usage .* name LIKE": "Names that begin with what was typed.",
    r"FROM working INDEXED BY working_brief WHERE NOT lasting AND key >= \? AND key < \?": (
        "The notes of one session, whose number is capped; its checkpoints are not read."
    ),
    r"^SELECT (count\(\*\)|ifnull\(sum\(n\), 0\)) FROM .*events? WHERE id >= \? AND id < \?": (
        "Events of less than two stretches of 4,096 numbers; whole stretches are counted in `rollup`."
    ),
}
"""Statements whose range of an index does not grow with the desk."""
COUNTED = {
    r"^SELECT count\(\*\) FROM facts WHERE facts.user_id": "How many facts a page is one of.",
    r"^SELECT (category|source), count\(\*\) FROM facts": "How many facts each filter of the table leaves.",
}
"""Counts beside a page that a person looks at. They grow, but in a narrow index: some 10 ms for 100,000 facts."""
NARROW = frozenset(("facts_superseded",))
"""Indexes without the nulls of a broad column: by them a foreign key looks up what gave way to one fact."""
_STEP = re.compile(r"(?P<how>SCAN|SEARCH) (?P<table>\w+)(?: USING (?P<by>[^(]*?)(?: \((?P<on>.*)\))?)?$")


@dataclass(slots=True)
class Noted:
    """The statements of each hot path, with parameters they were run with."""

    path: str = ""
    statements: dict[tuple[str, str], Any] = field(default_factory=dict)

    def note(self, sql: str, params: Any) -> None:
        if self.path:
            self.statements.setdefault((self.path, " ".join(sql.split())), params)


def populate(engine: Engine) -> None:
    fill(engine, 300)
    for talk in range(20):
        turns = [
            NewTurn(
                content=f"Turn {n} of talk {talk} about the harbour",
                channel=CHANNEL,
                conversation_id=f"c_{talk}",
            )
            for n in range(20)
        ]
        store_turns(engine, NewTurns(turns=tuple(turns)), author=FORGE)
    for number in range(100):
        upsert_entity(engine, NewEntity(name=f"Pier {number}", channel=CHANNEL), author=FORGE)
        if number:
            relate(engine, relation(number - 1, number), author=FORGE)
    for number in range(60):
        learned = learn_fact(
            engine, NewFact(claim=f"Pier {number} has cranes", channel=CHANNEL), author=FORGE
        )
        tag(engine, Tagging(id=learned.id, tags=(f"t{number % 5}",)), author=FORGE)
        gone = (quarantine, Quarantine(id=learned.id)) if number % 2 else (retire, Retire(id=learned.id))
        gone[0](engine, gone[1], author="person:Mara")  # type: ignore[operator]
    for number in range(30):
        goals.add(engine, NewGoal(description=f"Paint pier {number}", channel=CHANNEL), author=FORGE)
        strategy = NewStrategy(
            description=f"Paint {number}", tool_sequence=("a", f"b{number}"), channel=CHANNEL
        )
        learn_strategy(engine, strategy, author=FORGE)
        record_invocation(engine, NewToolCall(tool_name=f"crane{number % 3}", channel=CHANNEL), author=FORGE)
        recall(engine, Query(text=f"pier {number}", channel=CHANNEL), author=FORGE)
        create_session(engine, NewSession(session_id=f"s_{number}", channel=CHANNEL), author=FORGE)
    embed_all(engine)


def relation(first: int, second: int) -> NewRelation:
    return NewRelation(source=f"Pier {first}", target=f"Pier {second}", type="NEXT_TO", channel=CHANNEL)


HOT: dict[str, Callable[[Engine], object]] = {
    "store_turn": lambda engine: store_turn(
        engine, NewTurn(content="The pier was painted.", channel=CHANNEL, conversation_id="c_3"), author=FORGE
    ),
    "learn_fact": lambda engine: learn_fact(
        engine,
        NewFact(claim="Pier 7 is closed since May", channel=CHANNEL, about=("Pier 7",), agent_id="Forge"),
        author=FORGE,
    ),
    "learn_fact by key": lambda engine: learn_fact(
        engine,
        NewFact(claim="pier: 7", channel=CHANNEL, key="pier", value="7", agent_id="Forge"),
        author=FORGE,
    ),
    "upsert_entity": lambda engine: upsert_entity(
        engine, NewEntity(name="Pier 200", aliases=("P200",), channel=CHANNEL), author=FORGE
    ),
    "relate": lambda engine: relate(engine, relation(3, 90), author=FORGE),
    "recall": lambda engine: recall(
        engine, Query(text="which pier has cranes and was painted?", channel=CHANNEL), author=FORGE
    ),
    "find": lambda engine: find(engine, Find(text="pier 4", channels=(CHANNEL,))),
    "prompt": lambda engine: context(
        engine,
        AskContext(
            messages=({"role": "user", "content": "Which pier is closed?"},),
            channel=CHANNEL,
            session_id="s_1",
            agent_id="Forge",
            conversation_id="c_3",
        ),
        author=FORGE,
    ),
    "history page": lambda engine: history.page(engine, AskHistory(limit=50)),
    "history page of one author": lambda engine: history.page(engine, AskHistory(limit=50, authors=(FORGE,))),
    "facts page": lambda engine: lists.facts(engine, ListFacts(limit=50)),
    "facts page of one channel": lambda engine: lists.facts(engine, ListFacts(channels=(CHANNEL,), limit=50)),
    "table": lambda engine: table(engine, AskTable(limit=50)),
    "timeline page": lambda engine: timeline(engine, AskTimeline(limit=50)),
    "undo": lambda engine: undo(
        engine, Undo(change=relate(engine, relation(5, 60), author=FORGE).change), author=FORGE
    ),
}


@pytest.fixture(scope="module")
def noted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Engine, Noted]]:
    notes = Noted()
    with pytest.MonkeyPatch.context() as patch:
        for name in ("rows", "each", "row", "value", "run", "run_many"):
            patch.setattr(Connection, name, _noting(notes, name, getattr(Connection, name)))
        engine = open_engine(Desk(tmp_path_factory.mktemp("plans") / "desk"), clock=Clock())
        populate(engine)
        for path, drive in HOT.items():
            notes.path = path
            drive(engine)
            engine.store.submit(lambda db: None).result()
        notes.path = ""
        yield engine, notes
        engine.close()


def _noting(notes: Noted, name: str, does: Callable[..., Any]) -> Callable[..., Any]:
    def run(db: Connection, sql: str, params: Any = ()) -> Any:
        if name == "run_many":
            params = list(params)
            if params:
                notes.note(sql, params[0])
        else:
            notes.note(sql, params)
        return does(db, sql, params)

    return run


def plan(db: Connection, sql: str, params: Any) -> list[str]:
    """The steps by which SQLite would carry a statement out; none for one that is no query."""
    if sql.split()[0] not in ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH"):
        return []
    return [row[3] for row in db.rows(f"EXPLAIN QUERY PLAN {sql}", params)]


def through(sql: str, steps: list[str]) -> list[str]:
    """The steps of a plan that read a growing table through, or a share of it that grows."""
    names = {short: table for table, short in re.findall(r"(?:FROM|JOIN|,) (\w+) AS (\w+)", sql)}
    return [step for step in steps if _is_through(step, names)]


def _is_through(step: str, names: dict[str, str]) -> bool:
    found = _STEP.match(step)
    if found is None or "VIRTUAL TABLE" in step or names.get(found["table"], found["table"]) not in GROWING:
        return False
    if found["how"] == "SCAN":
        return True
    if found["by"] is not None and found["by"].split()[-1] in NARROW:
        return False
    if found["on"] is None:
        return False  # The first or the last entry of an index, as for max(id).
    on = re.findall(r"(\w+)\s*([=<>])", found["on"] or "")
    return not any(sign == "=" and column not in BROAD for column, sign in on)


def allowed(sql: str, steps: list[str], bad: list[str]) -> str | None:
    """The entry that allows a statement to read so, None where none does."""
    sorts = any(step.startswith("USE TEMP B-TREE") and "LAST TERM" not in step for step in steps)
    counts = all("USING COVERING INDEX" in step for step in bad)
    for entries, fits in ((IN_ORDER, not sorts), (BOUNDED, True), (COUNTED, counts)):
        for entry in entries if fits else ():
            if re.search(entry, sql):
                return entry
    return None


def explained(engine: Engine, statements: dict[tuple[str, str], Any]) -> dict[tuple[str, str], list[str]]:
    def explain(db: Connection) -> dict[tuple[str, str], list[str]]:
        db.raw.create_function("raised", 2, pow, deterministic=True)
        return {(path, sql): plan(db, sql, params) for (path, sql), params in statements.items()}

    return engine.store.submit(explain).result()


def test_no_statement_of_a_hot_path_reads_through_a_table_that_grows(noted: tuple[Engine, Noted]) -> None:
    engine, notes = noted
    plans = explained(engine, notes.statements)
    assert {path for path, _ in plans} == HOT.keys() and len(plans) > 200
    bad = {key: through(key[1], steps) for key, steps in plans.items()}
    refused = [
        (*key, steps) for key, steps in bad.items() if steps and not allowed(key[1], plans[key], steps)
    ]
    assert refused == []
    used = {allowed(key[1], plans[key], steps) for key, steps in bad.items() if steps}
    assert used == {*IN_ORDER, *BOUNDED, *COUNTED}, "an entry that nothing needs any more"


def test_agents_are_named_without_reading_the_facts_through(noted: tuple[Engine, Noted]) -> None:
    engine, notes = noted
    notes.path = "agents"
    with engine.store.reading() as db:
        assert "Forge" in browsing.agents(db)
    notes.path = ""
    asked = {key: value for key, value in notes.statements.items() if key[0] == "agents"}
    steps = [step for plan in explained(engine, asked).values() for step in plan]
    assert not [step for step in steps if step.startswith("SCAN facts")]
    assert any("facts_agent" in step for step in steps)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM facts WHERE claim = 'x'",
        "SELECT id FROM facts WHERE user_id = 'local' AND channel = 'tidepool'",
        "SELECT id FROM facts WHERE user_id = 'local' ORDER BY claim LIMIT 5",
        "SELECT facts.id, claim FROM proposals JOIN facts ON facts.id = subject_id WHERE type = 'quarantine' "
        "AND status = 'open' AND proposals.retired_at IS NULL AND facts.user_id = 'local' "
        "AND facts.channel = 'tidepool' ORDER BY facts.seq",
        "SELECT value FROM json_each('[]') WHERE value IN (SELECT subject_id FROM proposals "
        "WHERE type = 'quarantine' AND status = 'open' AND retired_at IS NULL)",
        "UPDATE turns SET role = 'user' WHERE turn_index = 3",
    ],
)
def test_a_statement_that_reads_through_is_refused(noted: tuple[Engine, Noted], sql: str) -> None:
    (steps,) = explained(noted[0], {("", sql): ()}).values()
    assert (bad := through(sql, steps)) and allowed(sql, steps, bad) is None


def test_a_claim_held_out_of_recall_is_found_whatever_is_held_out_beside_it(engine: Engine) -> None:
    known = learn_fact(engine, NewFact(claim="Pier 1 leaks", channel="x"), author=FORGE)
    quarantine(engine, Quarantine(id=known.id), author="person:Mara")
    retire(
        engine,
        Retire(id=learn_fact(engine, NewFact(claim="Pier 2 leaks", channel="x"), author=FORGE).id),
        author="person:Mara",
    )
    with engine.store.reading() as db:
        assert proposing.quarantined_fact(db, "local", "x", " pier 1  LEAKS.") == known.id
        assert proposing.quarantined_fact(db, "local", "x", "Pier 2 leaks") is None
        assert proposing.quarantined_fact(db, "local", "y", "Pier 1 leaks") is None
        assert proposing.quarantined_among(db, [known.id, "f_other"]) == {known.id}


PART = re.compile(r"> \? .*ORDER BY .*LIMIT \?")
"""A statement that reads the next part of a walk."""


def test_a_job_that_walks_the_desk_does_not_sort_it_again_for_each_part(noted: tuple[Engine, Noted]) -> None:
    engine, notes = noted
    for name, job in BY_NAME.items():
        notes.path = f"job {name}"
        perform(engine, job, author="clock")
    notes.path = ""
    walks = {
        key: params
        for key, params in notes.statements.items()
        if key[0].startswith("job ") and PART.search(key[1])
    }
    plans = explained(engine, walks)
    assert any("FROM facts" in sql for _, sql in plans)
    assert [key for key, steps in plans.items() if any("B-TREE FOR ORDER BY" in step for step in steps)] == []
