"""Damage of the file is found: rows by their digests, indexes against rows, counters; and a whole desk has none."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import pytest

from memdesk.engine.beliefs.reading import CLAIMS
from memdesk.engine.browsing.details import inspect
from memdesk.engine.browsing.lists import facts
from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import edit_fact, retire
from memdesk.engine.memory.erase import erase_user
from memdesk.engine.memory.remember import learn_fact, store_turns, upsert_entity
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.files.places import Desk
from memdesk.model.browse import Inspect, ListFacts
from memdesk.model.channel import LOCAL_USER
from memdesk.model.curation import EditFact, EraseUser, Retire, Undo
from memdesk.model.errors import StorageFailed
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewFact, NewTurn, NewTurns
from memdesk.store import agents, digests, document_versions, integrity, recalls, search
from memdesk.store.connection import Connection, Damage
from memdesk.store.postgres import digests as postgres_digests
from memdesk.store.search import Scope
from tests.engine.conftest import embed_all
from tests.store import agreement

PERSON = "person:Mara"


def learn(engine: Engine, claim: str) -> str:
    fact = NewFact(claim=claim, channel="tidepool")
    return learn_fact(engine, fact, author="agent:coder").id


def undigested(desk: Desk) -> Connection:
    """Return a connection to a desk's file or database as another program's is: it keeps no digests."""
    db = agreement.opened(desk)
    if desk.address is not None:
        db.value(f"SELECT set_config('{postgres_digests.WRITES}', 'off', false)")
    return db


def write_past(engine: Engine, sql: str, *params: object) -> None:
    """Change what a desk holds as a damaged disk would."""
    db = undigested(engine.desk)
    db.run(sql, params)
    db.close()


def flaws(engine: Engine) -> list[tuple[str, str, str]]:
    with engine.store.reading() as db:
        found = [] if engine.store.shared else integrity.check_pages(db)
        found += integrity.check_rows(db) + integrity.check_indexes(db, CLAIMS)
    return [(flaw.what, flaw.table, flaw.id) for flaw in found]


def test_a_desk_at_work_has_no_flaws(engine: Engine) -> None:
    id = learn(engine, "The payments service runs in Frankfurt.")
    turns = (
        NewTurn(
            role="user", content="Don't move it — “really” never, 支付服务在法兰克福。", channel="tidepool"
        ),
    )
    store_turns(engine, NewTurns(turns=turns), author="agent:coder")
    upsert_entity(engine, NewEntity(name="Frankfurt", type="place"), author="agent:coder")
    embed_all(engine)
    recall(
        engine, Query(text="Where does the payments service run?", channel="tidepool"), author="agent:coder"
    )
    edited = edit_fact(
        engine, EditFact(fact_id=id, claim="The payments service runs in Dublin."), author=PERSON
    )
    undo(engine, Undo(change=edited.change), author=PERSON)
    embed_all(engine)

    assert flaws(engine) == []


def test_a_damaged_fact_is_left_out_of_every_answer_and_told(engine: Engine) -> None:
    bad = learn(engine, "The payments service runs in Frankfurt.")
    good = learn(engine, "The payments service is written in Go.")
    embed_all(engine)
    told: list[Damage] = []
    engine.store.watch_damage(told.append)
    write_past(engine, "UPDATE facts SET claim = 'The payments service runs in Atlantis.' WHERE id = ?", bad)

    bundle = recall(
        engine, Query(text="Where does the payments service run?", channel="tidepool"), author=PERSON
    )

    assert [hit.id for hit in bundle.hits] == [good]
    assert "One memory is damaged on the disk and left out." in bundle.notices[0]
    assert [row.id for row in facts(engine, ListFacts()).rows] == [good]
    with pytest.raises(StorageFailed, match=f"Fact {bad} is damaged on the disk"):
        inspect(engine, Inspect(id=bad))
    assert {damage.id for damage in told} == {bad}
    assert ("row", "facts", bad) in flaws(engine)


def test_a_damaged_row_cannot_be_edited_into_a_sound_one(engine: Engine) -> None:
    bad = learn(engine, "The payments service runs in Frankfurt.")
    write_past(engine, "UPDATE facts SET quote = 'nobody said this' WHERE id = ?", bad)

    with pytest.raises(StorageFailed):
        edit_fact(engine, EditFact(fact_id=bad, claim="It runs in Dublin."), author=PERSON)
    engine.store.submit(lambda db: db.run("UPDATE facts SET channel = 'other' WHERE id = ?", (bad,))).result()

    assert ("row", "facts", bad) in flaws(engine)


def test_text_that_is_no_text_any_more_does_not_hide_its_neighbours(engine: Engine) -> None:
    bad = learn(engine, "The payments service runs in Frankfurt.")
    good = learn(engine, "The payments service is written in Go.")
    write_past(engine, "UPDATE facts SET claim = CAST(x'ff20fe' AS TEXT) WHERE id = ?", bad)

    assert [row.id for row in facts(engine, ListFacts()).rows] == [good]


def test_damaged_content_is_refused_as_damage_with_the_next_step(engine: Engine) -> None:
    id = learn(engine, "The payments service runs in Frankfurt.")
    write_past(engine, "UPDATE changes SET details = '{\"message\": [' || char(7)")

    with pytest.raises(StorageFailed, match="could not be read") as refused:
        inspect(engine, Inspect(id=id))
    with pytest.raises(StorageFailed, match="a row is damaged"):
        engine.store.submit(lambda db: db.run("UPDATE changes SET title = details ->> '$.message'")).result()

    assert "from a backup" in str(refused.value.next)


@pytest.mark.parametrize(
    "vector",
    [
        np.full(256, np.inf, np.float32).tobytes(),
        np.full(256, np.nan, np.float32).tobytes(),
        np.full(256, 3e38, np.float32).tobytes(),
        np.full(256, 0.5, np.float32).tobytes(),
        np.full(256, 1e-3, np.float32).tobytes(),
        bytes(1020),
        bytes(1023),
    ],
)
def test_a_damaged_vector_is_not_ranked_and_is_noticed(engine: Engine, vector: bytes) -> None:
    bad = learn(engine, "The payments service runs in Frankfurt.")
    good = learn(engine, "The payments service is written in Go.")
    embed_all(engine)
    write_past(
        engine,
        "UPDATE embeddings SET vector = ? WHERE id = (SELECT embedding FROM searchable JOIN records USING (seq) "
        "WHERE records.id = ?)",
        vector,
        bad,
    )

    bundle = recall(
        engine, Query(text="Where does the payments service run?", channel="tidepool"), author=PERSON
    )

    assert {hit.id for hit in bundle.hits} == {bad, good}  # One by its words alone.
    with engine.store.reading() as db:
        seqs = [db.value("SELECT seq FROM facts WHERE id = ?", (id,)) for id in (good, bad)]
        assert search.vectors(db, seqs, engine.embedder.name)[0] == seqs[:1]
    assert [bad in notice.says for notice in engine.notices.standing()] == [True]


@pytest.mark.parametrize("vector", [bytes(1), bytes(510)])
def test_a_fact_whose_vector_was_cut_short_can_be_retired_and_the_desk_opens(
    tmp_path: Path, vector: bytes
) -> None:
    desk = Desk(tmp_path / "desk")
    opened = open_engine(desk)
    claims = ("The payments service runs in Frankfurt.", "It is written in Go.", "It is read by nobody.")
    bad, cut, good = (learn(opened, claim) for claim in claims)
    embed_all(opened)
    damage = (
        "UPDATE embeddings SET vector = ? WHERE id IN (SELECT embedding FROM searchable WHERE kind = 'fact' "
        "AND seq IN (SELECT seq FROM records WHERE id IN (?, ?)))"
    )
    write_past(opened, damage, vector, bad, cut)
    write_past(opened, "UPDATE upkeep SET vectors_behind = 1")
    retire(opened, Retire(id=bad), author=PERSON)
    opened.close()
    opened = open_engine(desk)
    with opened.store.reading() as db:
        assert db.rows("SELECT sum(facts) FROM categories") == [(2,)]
        found = search.near(
            db,
            opened.models.embedder.embed([claims[2]])[0],
            Scope(user_id=LOCAL_USER, channels=("tidepool",), kinds=("fact",)),
            opened.embedder.name,
        )
        assert [db.value("SELECT id FROM records WHERE seq = ?", (seq,)) for seq in found] == [good]
    opened.close()


@pytest.mark.parametrize(
    "total", [bytes(2040), *(np.full(256, each).tobytes() for each in (1.0, 1e300, np.nan))]
)
def test_a_damaged_sum_of_a_category_is_left_out(engine: Engine, total: bytes) -> None:
    learn(engine, "The payments service runs in Frankfurt.")
    embed_all(engine)
    write_past(engine, "UPDATE categories SET total = ?", total)

    with engine.store.reading() as db:
        assert recalls.centroids(db, LOCAL_USER, ("tidepool",)) == {}


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        ("UPDATE facts SET confidence = confidence + 1e-12", "row facts"),
        ("UPDATE turns SET content = 'other'", "row turns"),
        ("UPDATE usage SET access_count = 40", "row usage"),
        ("UPDATE recalls SET query = 'other'", "row recalls"),
        ("UPDATE embeddings SET vector = x'00'", "row embeddings"),
        ("UPDATE embeddings SET vector = substr(vector, 3)", "row embeddings"),
        ("DELETE FROM facts", "gone facts"),
        ("DELETE FROM records WHERE kind = 'turn'", "stray turns"),
        ("UPDATE searchable SET channel = 'other'", "search searchable"),
        ("DELETE FROM searchable", "search searchable"),
        ("UPDATE searchable SET embedding = NULL", "vector vectors"),
        ("DELETE FROM words WHERE rowid IN (SELECT seq FROM facts)", "words words"),
        ("DELETE FROM belief_keys", "claim belief_keys"),
        ("INSERT INTO belief_keys SELECT 1, seq FROM facts", "claim belief_keys"),
        ("INSERT INTO belief_keys VALUES (1, 999)", "claim belief_keys"),
        ("UPDATE working_size SET bytes = bytes + 1", "count working_size"),
        ("UPDATE upkeep SET next_seq = -next_seq", "row upkeep"),
        ("UPDATE upkeep SET beliefs_unread = 9", "row upkeep"),
        ("UPDATE holders SET agent = 'scout'", "row holders"),
        ("UPDATE rollup SET n = n + 1 WHERE op = 'recall'", "count rollup"),
        ("UPDATE rollup SET stretch = 3", "count rollup"),
        ("DELETE FROM rollup", "count rollup"),
        ("UPDATE changes SET undone_by = NULL", "undone changes"),
        ("UPDATE changes SET undone_by = id WHERE undone_by IS NULL", "undone changes"),
        ("UPDATE changes SET undone_by = 1", "undone changes"),
    ],
)
def test_every_table_is_read_for_damage(engine: Engine, damage: str, found: str) -> None:
    learn(engine, "The payments service runs in Frankfurt.")
    turns = (NewTurn(role="user", content="Where is it?", channel="tidepool"),)
    store_turns(engine, NewTurns(turns=turns), author="agent:coder")
    embed_all(engine)
    edit = NewFact(claim="It is written in Go.", channel="tidepool")
    undo(engine, Undo(change=learn_fact(engine, edit, author=PERSON).change), author=PERSON)
    engine.store.submit(lambda db: agents.hold(db, "notes", LOCAL_USER, "coder", at=0)).result()
    recall(engine, Query(text="the payments service", channel="tidepool"), author="agent:coder")
    engine.store.submit(lambda _: None).result()  # A recall is written down behind its answer.

    # PostgreSQL has a table of its own for words.
    write_past(
        engine, damage.replace("words WHERE rowid", "postings WHERE seq") if engine.store.shared else damage
    )

    assert found in {f"{what} {table}" for what, table, _ in flaws(engine)}


def test_the_text_of_a_damaged_version_is_not_served(engine: Engine) -> None:
    name = engine.store.submit(lambda db: document_versions.keep(db, "# Notes\n")).result()
    write_past(engine, "UPDATE versions SET body = ?", zlib.compress(b"# Other notes\n"))

    with engine.store.reading() as db, pytest.raises(StorageFailed, match="damaged on the disk"):
        document_versions.text_of(db, name)
    assert ("text", "versions", "") in flaws(engine)


def test_an_erasure_leaves_no_flaws(engine: Engine) -> None:
    learn(engine, "The payments service runs in Frankfurt.")
    other = NewFact(claim="Mia lives in Bonn.", user_id="Mia", channel="tidepool")
    learn_fact(engine, other, author="agent:coder")
    erase_user(engine, EraseUser(user_id="Mia", confirm="Mia"), author=PERSON, progress=ignore_progress)

    assert flaws(engine) == []


def test_a_desk_from_before_digests_gets_them_and_what_failed_stays_failed(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "desk")
    opened = open_engine(desk)
    bad, good = learn(opened, "It runs in Frankfurt."), learn(opened, "It is written in Go.")
    opened.close()
    db = undigested(desk)
    db.run("UPDATE facts SET claim = 'It runs in Atlantis.' WHERE id = ?", (bad,))
    db.run("UPDATE digested SET columns = 'seq,id,user_id,claim' WHERE name = 'facts'")
    db.run("DELETE FROM digested WHERE name = 'turns'")
    db.run("UPDATE facts SET digest = NULL WHERE id = ?", (good,))
    db.close()

    opened = open_engine(desk)
    try:
        assert {flaw[2] for flaw in flaws(opened) if flaw[0] == "row"} == {bad, good}
    finally:
        opened.close()


def test_the_digest_of_a_row_is_the_same_in_sql_and_in_python(engine: Engine) -> None:
    # PostgreSQL holds no NUL.
    odd = "🏦" if engine.store.shared else "\x00 and 🏦"
    learn(engine, f"Zahlungen laufen in Frankfurt — 法兰克福, {odd}.")
    with engine.store.reading() as db:
        table = digests.table_named(db, "facts")
        (row,) = db.rows(f"SELECT {', '.join(table.columns)}, digest FROM facts")
        assert digests.holds(db, "facts", row[:-1], row[-1])
