"""What both stores promise alike: order, absent values, case, scripts, words, refusals, chain, and what is no edit."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import learn_fact, store_turn
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo as undo_of_engine
from memdesk.files.places import Desk
from memdesk.model.change import Change, Edit
from memdesk.model.channel import CHANNEL, Channel
from memdesk.model.curation import Undo
from memdesk.model.entity import ENTITY, RELATION, Entity, Relation
from memdesk.model.errors import BadAsk, Conflict, MemDeskError
from memdesk.model.fact import FACT, Fact
from memdesk.model.kind import Kind
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact, NewTurn
from memdesk.model.settings import DEFAULTS
from memdesk.model.turn import TURN
from memdesk.store import (
    aging,
    audit_log,
    binding,
    chain,
    digests,
    erasing,
    events,
    indexing,
    integrity,
    recalls,
    records,
    search,
    semantic,
    working,
)
from memdesk.store.connection import Connection, marks
from memdesk.store.indexing import Index
from memdesk.store.recalls import Recalled, RecallEvent
from memdesk.store.search import Scope, Sought
from memdesk.store.store import Store
from tests import postgres
from tests.store.conftest import Opening, opening_postgres
from tests.store.test_undo_property import Dice
from tests.store.test_write_door import fact, learn, read, undo

SCOPE = Scope(user_id="local", channels=("_global",), kinds=("fact",))


@pytest.fixture
def store(store_of_both: Store) -> Store:
    return store_of_both


def entity(store: Store, name: str, **fields: Any) -> Entity:
    seq = store.new_seq()
    plain = {"user_id": "local", "channel": "_global", "agent_id": None, "type": "Person", "description": ""}
    also = {"properties": "{}", "pinned": 0, "salience": 0.5, "salience_at": 0, "created_at": 0}
    return Entity(seq=seq, id=f"e_{seq}", name=name, **{**plain, **also, **fields})  # type: ignore[arg-type]


def made(store: Store, *edits: Edit, **change: Any) -> None:
    store.apply(Change(op="learn", title="", author="agent:a", edits=edits, **change))


def test_texts_are_ordered_by_their_code_points(store: Store) -> None:
    for claim in ("中", "é", "Z", "a", "_", "B", "𝄞"):
        learn(store, claim)
    with store.reading() as db:
        ordered = [claim for (claim,) in db.rows("SELECT claim FROM facts ORDER BY claim")]
    assert ordered == sorted(ordered) == ["B", "Z", "_", "a", "é", "中", "𝄞"]


def test_absent_values_are_found_as_absent(store: Store) -> None:
    alone, owned = fact(store, "1"), fact(store, "2", agent_id="scout")
    made(store, records.creation_edit(FACT, alone), records.creation_edit(FACT, owned))
    with store.reading() as db:
        assert records.find(db, FACT, agent_id=None) == [alone]
        assert records.find(db, FACT, agent_id="scout", retired_at=None) == [owned]
        assert records.find(db, FACT, limit=1) == [alone]


def test_names_are_found_whatever_the_case_of_their_ascii_letters(store: Store) -> None:
    names = ("Mara", "ÅSE", "李雷", "O'Neil % _")
    born = {name: entity(store, name) for name in names}
    made(store, *(records.creation_edit(ENTITY, each) for each in born.values()))
    asked = {
        "mARA": "Mara",
        "Åse": "ÅSE",
        "åse": None,
        "李雷": "李雷",
        "o'neil % _": "O'Neil % _",
        "o'neil % x": None,
    }
    with store.reading() as db:
        for name, found in asked.items():
            ids = [row.id for row in semantic.entities_named(db, "local", [name])]
            one = semantic.entity_named(db, "local", ["_global"], name)
            assert [one.id] == ids if one else ids == []
            assert ids == ([] if found is None else [born[found].id]), name


CLAIMS = (
    "Mara renamed the crane",
    "The café opened in Porto",
    "记忆桌在波尔图",
    "Version 3.12 of it's parser",
    "12 of version 3",
    "naïve Crane operators are running",
)
FOUND = {
    ("crane",): (1, 6),
    ("cranes",): (1, 6),
    ("cafe",): (2,),
    ("记忆",): (3,),
    ("桌",): (3,),
    ("忆桌",): (3,),
    ("波",): (3,),
    ("3.12",): (4,),
    ("run",): (6,),
    ("porto", "naive"): (2, 6),
    ("AND",): (),
    ('"',): (),
    ("it's",): (4,),
    ("version",): (4, 5),
    ("absent",): (),
}
"""Terms, and the claims that have one of them."""


def test_words_are_found_in_every_script(store: Store) -> None:
    born = [learn(store, claim) for claim in CLAIMS]
    elsewhere = fact(store, "another channel has a crane", channel="elsewhere")
    made(store, records.creation_edit(FACT, elsewhere))
    with store.reading() as db:
        for terms, places in FOUND.items():
            (seqs,) = search.postings_of(db, [Sought(terms=terms, most=9)], SCOPE)
            assert seqs == [born[place - 1].seq for place in reversed(places)], terms
        beginning = Sought(terms=("ver",), most=9, beginning=True)
        two = [beginning, Sought(terms=("version",), most=1)]
        assert search.postings_of(db, two, SCOPE) == [[born[4].seq, born[3].seq], [born[4].seq]]
    made(store, Edit("fact", born[0].id, {"retired_at": None}, {"retired_at": 7}))
    with store.reading() as db:
        assert search.postings(db, "crane", SCOPE, 9) == [born[5].seq]


def test_what_no_database_stores_is_refused_in_a_sentence(store: Store) -> None:
    with pytest.raises(BadAsk, match="surrogate"):
        learn(store, "half a \ud83d letter")
    kept = learn(store, "𝄞 'quoted' \\ %s $1 ?1 :name §")
    assert read(store, kept.id) == kept


def test_a_name_that_is_taken_is_a_conflict_that_says_which(store: Store) -> None:
    def channel(id: str) -> Edit:
        seq = store.new_seq()
        born = Channel(seq=seq, id=id, user_id="local", name="quay", number=1, created_at=0)
        return records.creation_edit(CHANNEL, born)

    made(store, channel("c_1"))
    with pytest.raises(Conflict, match=r"\(channels\.user_id, channels\.name\)"):
        made(store, channel("c_2"))
    with pytest.raises(Conflict, match="exists already"):
        made(store, channel("c_1"))


def taken_and_orphan(store: Store, kept: Fact) -> tuple[Edit, Edit]:
    """Edits that cannot be made: a fact with the id of another, and one whose source is nobody's turn."""
    again = replace(fact(store, "The quay is dry"), id=kept.id)
    orphan = fact(store, "Said by nobody", source_turn_id="t_none")
    return records.creation_edit(FACT, again), records.creation_edit(FACT, orphan)


def test_an_id_that_is_taken_is_a_conflict_without_a_word_of_what_has_it_and_leaves_nothing(
    store: Store,
) -> None:
    kept = learn(store, "The quay is wet")
    before = store.mark
    again, _ = taken_and_orphan(store, kept)
    change = Change(op="learn", title="", author="agent:a", edits=(again,))
    for attempt in (store.apply, lambda change: store.try_out(change, lambda *_: None)):
        with pytest.raises(Conflict, match=f"Fact {kept.id} exists already") as refused:
            attempt(change)
        assert refused.value.details == {"id": kept.id}
    with pytest.raises(Conflict, match="Fact f_other exists already"):
        made(
            store,
            replace(again, id="f_other", after={**(again.after or {}), "id": "f_other", "seq": kept.seq}),
        )
    assert store.mark == before and read(store, kept.id) == kept
    with store.reading() as db:
        assert db.value("SELECT count(*) FROM searchable") == db.value("SELECT count(*) FROM records") == 1


def tie(store: Store, id: str, source: str, target: str) -> Edit:
    born = Relation(
        seq=store.new_seq(),
        id=id,
        user_id="local",
        channel="_global",
        source_id=source,
        target_id=target,
        type="NEAR",
        confidence=0.9,
        source_turn_id=None,
        created_at=0,
    )
    return records.creation_edit(RELATION, born)


@pytest.mark.parametrize("kind", [FACT, RELATION], ids=lambda kind: kind.name)
def test_of_edits_that_cannot_be_made_the_first_one_is_named(store: Store, kind: Kind[Any]) -> None:
    """Relations go to a server in one message: nothing is read for them."""
    kept = learn(store, "The quay is wet")
    made(store, tie(store, "r_kept", kept.id, kept.id))
    if kind is FACT:
        taken, orphan = taken_and_orphan(store, kept)
        good, more = (records.creation_edit(FACT, fact(store, f"It is {each}")) for each in ("long", "old"))
    else:
        taken, orphan = tie(store, "r_kept", kept.id, kept.id), tie(store, "r_new", "f_none", kept.id)
        good, more = (tie(store, f"r_{number}", kept.id, kept.id) for number in range(2))
    gone, empty = (
        Edit(kind.name, "none", {"retired_at": None}, {"retired_at": 1}),
        Edit(kind.name, "none", None, None),
    )
    named = {"exists already": taken, "Other memory depends": orphan, "is gone": gone, "neither": empty}
    before = store.mark
    for first, second in permutations(named, 2):
        for edits in ((named[first], named[second]), (good, named[first], more, named[second])):
            with pytest.raises(MemDeskError, match=first):
                made(store, *edits)
            with pytest.raises(MemDeskError, match=first):
                change = Change(op="learn", title="", author="agent:a", edits=edits)
                store.try_out(change, lambda *_: None)
    assert store.mark == before
    learn(store, "The quay is new")
    with store.reading() as db:
        assert chain.first_break(db) is None and db.value("SELECT count(*) FROM records") == 3


@pytest.mark.parametrize("odd", ["\0", "\ud800"], ids=["NUL", "half a character"])
def test_an_edit_that_cannot_be_made_is_named_before_one_whose_text_cannot_be_stored(
    store: Store, odd: str
) -> None:
    kept = learn(store, "The quay is wet")
    made(store, tie(store, "r_kept", kept.id, kept.id))
    taken, unstored = tie(store, "r_kept", kept.id, kept.id), tie(store, "r_odd", kept.id, kept.id)
    unstored = replace(unstored, after={**(unstored.after or {}), "type": f"NEAR{odd}"})
    for number in range(3):
        with pytest.raises(Conflict, match="exists already"):
            made(store, taken, unstored)
        made(store, tie(store, f"r_{number}", kept.id, kept.id))


@pytest.mark.parametrize("first", ["taken", "orphan", "good"])
def test_writes_committed_with_one_that_is_refused_are_made(store: Store, first: str) -> None:
    kept = learn(store, "The quay is wet")
    release, begun = threading.Event(), threading.Event()
    taken, orphan = taken_and_orphan(store, kept)
    store.alone(lambda _: (begun.set(), release.wait(30)))
    assert begun.wait(30)
    order = [first, "taken", "good", "orphan", "good", "taken", "orphan", "good"]
    good = iter([fact(store, f"Pump {number} is red") for number in range(9)])
    said = [
        Change(
            op="learn",
            title="",
            author="agent:a",
            edits=({"taken": taken, "orphan": orphan}.get(name) or records.creation_edit(FACT, next(good)),),
        )
        for name in order
    ]
    groups = store.traffic.groups
    futures = [store.maintain(lambda *parts, change=change: parts[-1].apply(change)) for change in said]
    release.set()
    errors = [future.exception(30) for future in futures]
    assert store.traffic.groups == groups + 1
    words = {"taken": "exists already", "orphan": "Other memory depends"}
    assert [(type(error), next((w for w in words.values() if w in str(error)), "")) for error in errors] == [
        (Conflict, words[name]) if name in words else (type(None), "") for name in order
    ]
    applied = [future.result().id for future, name in zip(futures, order, strict=True) if name == "good"]
    assert applied == list(range(2, 2 + order.count("good")))
    with store.reading() as db:
        assert chain.first_break(db) is None and integrity.check_rows(db) == []
        assert db.value("SELECT count(*) FROM facts") == 1 + order.count("good")
        told = audit_log.page(db, audit_log.AuditFilter(), 99)
    success = 1 + audit_log.COLUMNS.index("success")
    assert [row[success] for row in reversed(told)] == [1, *(int(name == "good") for name in order)]


def test_undo_redo_and_erasure_go_on_after_refused_writes(store: Store) -> None:
    kept = learn(store, "The quay is wet")
    taken, orphan = taken_and_orphan(store, kept)

    def refused() -> None:
        for edits in ((taken,), (orphan,), (taken, orphan)):
            with pytest.raises(Conflict):
                made(store, *edits)

    refused()
    undone = undo(store, 1)
    assert read(store, kept.id) is None
    # What was taken is free again, and taken from the redo then.
    made(store, taken)
    with pytest.raises(Conflict, match="exists already"):
        undo(store, undone)
    undo(store, store.mark[0])
    undo(store, undone)
    assert read(store, kept.id) == kept
    refused()
    store.maintain(lambda db, index, _: erasing.erase(db, index, "local", by=1)).result()
    learn(store, "The quay is new")
    with store.reading() as db:
        assert chain.first_break(db) is None and integrity.check_rows(db) == []
        assert [claim for (claim,) in db.rows("SELECT claim FROM facts")] == ["The quay is new"]


def test_the_chain_names_the_first_change_that_was_altered(store: Store) -> None:
    for claim in CLAIMS:
        learn(store, claim)
    undo(store, 3)
    with store.reading() as db:
        assert chain.first_break(db) is None and chain.wrongly_undone(db, 0, 99) == []
    store.submit(
        lambda db: db.run("UPDATE edits SET after = ? WHERE change = 4", ('{"claim": "x"}',))
    ).result()
    with store.reading() as db:
        assert chain.first_break(db) == 4


@pytest.mark.parametrize(
    "altered",
    [
        "UPDATE facts SET claim = 'Mara likes coffee' WHERE seq = ",
        "UPDATE facts SET salience = salience - 1e-9 WHERE seq = ",
        "UPDATE facts SET valid_from = 0 WHERE seq = ",
        "UPDATE facts SET category = '' WHERE seq = ",
    ],
)
def test_a_row_that_another_program_alters_is_found_and_not_shown(store: Store, altered: str) -> None:
    facts = [learn(store, claim) for claim in CLAIMS]
    behind(store, f"{altered}{facts[0].seq}")
    # A later write of it does not make it what was written.
    store.submit(lambda db: db.run("UPDATE facts SET pinned = 1")).result()
    with store.reading() as db:
        flaws = integrity.check_rows(db)
        assert [(flaw.what, flaw.table, flaw.id) for flaw in flaws] == [("row", "facts", facts[0].id)]
        assert {each.id for each in records.find(db, FACT)} == {each.id for each in facts[1:]}
        assert [each.id for each in db.left_out] == [facts[0].id]


def test_a_row_of_any_value_is_what_was_written(store: Store) -> None:
    claims = ("", "a\tb\nc|,-", "米拉 🐝 é", "x" * 40_000, "\\'\"{}", "1", "-", "2:x")
    numbers = (0.0, -0.0, 1e-300, 0.1, 2.5, 1e22, -3e17, float("inf"))
    moved = "UPDATE facts SET claim = ?, salience = ?, value = ?, valid_to = ? WHERE seq = ?"

    def write(db: Connection) -> None:
        for (seq,), claim, salience in zip(db.rows("SELECT seq FROM facts"), claims, numbers, strict=True):
            db.run(moved, (claim, salience, claim or None, -seq, seq))

    for number in range(len(numbers)):
        learn(store, f"Mara has {number} bees")
    store.submit(write).result()
    with store.reading() as db:
        assert integrity.check_rows(db) == []
        assert {each.salience for each in records.find(db, FACT)} == set(numbers)


def test_a_row_of_every_table_with_digests_is_as_it_was_written(store: Store) -> None:
    values: dict[str, object] = {"TEXT": "x", "BIGINT": 1, "INTEGER": 1, "BYTEA": b"x", "BLOB": b"x"}

    def unlike(db: Connection) -> list[str]:
        every = digests.tables(db)
        assert len(every) > 30
        # All references are to the row of the same values.
        with db.loading():
            db.run("INSERT INTO records VALUES (1, 'x', 'x')")
            for table in every:
                given = [values.get(type, 0.5) for type in table.types]
                db.run(f"DELETE FROM {table.name}")
                db.run(
                    f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({marks(given)})", given
                )
                db.run(f"UPDATE {table.name} SET {table.columns[-1]} = {table.columns[-1]}")
        return [
            table.name
            for table in every
            if [holds for _, holds in digests.rows(db, table, None, 9)] != [True]
        ]

    assert store.submit(unlike).result() == []


def behind(store: Store, sql: str) -> None:
    """Let another program than MemDesk execute a statement."""
    if store.shared:
        import psycopg

        with psycopg.connect(f"{postgres.server().address(store.path.name)}") as there:
            there.execute(sql.encode())
        return
    with closing(binding.connect(store.path, isolation_level=None)) as file:
        file.execute(sql)


def test_a_recall_is_counted_and_no_edit(store: Store) -> None:
    born = learn(store, "Mara likes tea")
    for at in (10, 20):
        hit = Recalled(seq=born.seq, score=0.5, salience=0.9)
        event = RecallEvent(
            at=at,
            title="asked",
            author="agent:a",
            channel="_global",
            user_id="local",
            conversation_id=None,
            query="tea?",
            took_us=5,
            hits=(hit,),
            crossed=0,
        )
        store.maintain(lambda db, _index, journal, event=event: recalls.record(db, journal, event)).result()
    with store.reading() as db:
        used = recalls.uses(db, [born.seq])[born.seq]
        assert (used.access_count, used.last_accessed, used.salience) == (2, 20, 0.9)
        assert recalls.recall_times(db, [born.seq]) == {born.seq: [(10, "agent:a"), (20, "agent:a")]}
        assert (recalls.count_since(db, 15), events.newest(db)) == (1, 3)
    undo(store, 1)
    assert read(store, born.id) is None


def test_the_audit_log_has_a_segment_a_day_that_is_dropped_as_one(store: Store) -> None:
    learn(store, "Mara likes tea")
    with pytest.raises(Conflict):
        made(store, Edit("fact", "f_none", {}, {"claim": "x"}))
    with store.reading() as db:
        (day,) = audit_log.days(db)
        told = audit_log.page(db, audit_log.AuditFilter(columns=(("author", ("agent:a",)),)), 9)
    named = [dict(zip(("id", *audit_log.COLUMNS), row, strict=True)) for row in told]
    assert [(row["event"], row["success"]) for row in named] == [(None, 0), (1, 1)]
    store.submit(lambda db: audit_log.close(db, day, at=5)).result()
    store.submit(lambda db: audit_log.drop(db, day, at=6)).result()
    with store.reading() as db:
        assert audit_log.days(db) == []
        (closed,) = audit_log.checkpoints(db)
    assert (closed.rows, closed.last_change, closed.dropped_at) == (2, 1, 6)


def test_vectors_go_with_the_last_memory_of_their_text_and_with_a_sweep(store: Store) -> None:
    born = [learn(store, claim) for claim in ("Mara likes tea", "the key is 7h4x", "Jun is gone")]

    def embed(db: Any, index: Index, _: Any) -> None:
        index.use_model("table")
        for n, each in enumerate(born):
            vector = np.eye(1, 8, n, dtype=np.float32).tobytes()
            index.embedded([(each.seq, each.claim, vector)], "table")
            for model in ("facts:topics", "factsheet", "another"):
                index.embedded_facts([(each.claim, vector)], model)

    def models(claim: str) -> list[str]:
        with store.reading() as db:
            rows = db.rows(
                "SELECT model FROM embeddings WHERE hash = ? ORDER BY model", (indexing.text_hash(claim),)
            )
            return [model for (model,) in rows]

    def purge(db: Any, *_: Any) -> int:
        return aging.purge_vectors(db, aging.orphaned_vectors(db, 99))

    def sweep(db: Any, index: Index, _: Any) -> dict[str, int]:
        return erasing.swap_everywhere(
            db, index, ("7h4x",), lambda text: text.replace("7h4x", "(masked)"), by=9
        )

    store.maintain(embed).result()
    in_use = ["facts:topics", "table"]
    assert store.maintain(purge).result() == 6
    assert [models(each.claim) for each in born] == [in_use] * 3
    made(store, Edit("fact", born[2].id, {"retired_at": None}, {"retired_at": 7}))
    assert (store.maintain(purge).result(), models("Jun is gone")) == (2, [])
    store.maintain(sweep).result()
    assert [models(claim) for claim in ("the key is 7h4x", "Mara likes tea")] == [[], in_use]
    swept = read(store, born[1].id)
    assert swept is not None and swept.claim == "the key is (masked)"


def test_working_memory_expires_moves_and_is_claimed_once(store: Store) -> None:
    place = working.Place(user_id="local", channel="_global")

    def at(now: int, work: Any) -> Any:
        return store.submit(lambda db: work(db, now)).result()

    def put(key: str, ttl_s: float | None = None) -> Any:
        return lambda db, now: working.put(db, key, {"n": 1}, at=now, ttl_s=ttl_s, place=place)

    for key in ("a:1", "a:2", "b:2"):
        at(1, put(key))
    at(1, put("brief", ttl_s=1.0))
    at(2, lambda db, now: working.rename(db, "a:", "b:", channel="moved"))
    with store.reading() as db:
        keys = [row[0] for row in db.rows("SELECT key FROM working ORDER BY key")]
        assert working.size(db).keys == len(keys) == 3
    assert keys == ["b:1", "b:2", "brief"]
    taken = [
        at(now, lambda db, now: working.claim(db, "lock", at=now, ttl_s=10, holder=str(now)))
        for now in (5, 6)
    ]
    assert taken == [True, False]


def test_two_engines_of_one_database_number_and_chain_in_turn() -> None:
    opening = opening_postgres()
    engines = [opening(), opening()]
    with ThreadPoolExecutor(8) as pool:
        born = list(pool.map(lambda n: learn(engines[n % 2], f"Fact {n}"), range(120)))
    try:
        assert len({each.seq for each in born}) == 120
        for engine in engines:
            with engine.reading() as db:
                assert [id for (id,) in db.rows("SELECT id FROM changes ORDER BY id")] == [*range(1, 121)]
                assert chain.first_break(db) is None
        undo(engines[0], 7)
        with pytest.raises(Conflict, match="undone already"):
            undo(engines[1], 7)
    finally:
        for engine in engines:
            engine.close()


def test_an_engine_learns_recalls_and_undoes(opening: Opening, tmp_path: Path) -> None:
    store = opening()
    engine = Engine(
        Desk(tmp_path), store, Dice(), DEFAULTS, iter(range(1_750_000_000_000_000, 2**62)).__next__
    )
    for claim in ("Mara painted the crane in Porto", "Jun repaired a lamp", "波尔图的记忆桌很大"):
        learn_fact(engine, NewFact(claim=claim, channel="quay", agent_id="scout"), author="agent:scout")
    store_turn(engine, NewTurn(content="Wir ziehen um", channel="quay"), author="agent:scout")
    asked = {"Who painted a crane?": "Mara painted the crane in Porto", "记忆桌": "波尔图的记忆桌很大"}
    for text, expected in asked.items():
        assert recall(engine, Query(text=text, channel="quay"), author="agent:scout").hits[0].text == expected
    undo_of_engine(engine, Undo(), author="agent:scout")
    with store.reading() as db:
        assert records.find(db, TURN) == [] and len(records.find(db, FACT)) == 3
        assert chain.first_break(db) is None
    engine.close()
