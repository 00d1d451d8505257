"""A desk in a PostgreSQL database: erasure, search, one service at a time, lost connections, and copies both ways."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.health.doctor import examine
from memdesk.engine.health.replacement import copy_desk
from memdesk.engine.jobs.schedule import JOBS, perform
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.erase import erase_user
from memdesk.engine.memory.remember import learn_fact, store_turn
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import recall, recall_some
from memdesk.engine.undo import undo
from memdesk.engine.verify import verify
from memdesk.files.places import Desk
from memdesk.model.change import Change
from memdesk.model.curation import EraseUser, Undo
from memdesk.model.errors import BadAsk, Conflict, NotFound, StorageFailed
from memdesk.model.fact import FACT
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact, NewTurn
from memdesk.store import (
    audit_log,
    bookkeeping,
    chain,
    document_versions,
    erasing,
    events,
    indexing,
    records,
    search,
    timeline_query,
)
from memdesk.store.connection import Connection
from memdesk.store.search import Scope
from memdesk.store.timeline_query import EventFilter
from tests import postgres
from tests.bench import many_facts
from tests.store.test_write_door import fact

ODD = ("xylophone", "quokka", "zanzibar", "okapi", "vermilion")
"""Words of the user who is erased."""


def desk_in_database(folder: Path, address: str | None = None) -> Desk:
    """A desk's folder that names a new database, or that at an address."""
    folder.mkdir(parents=True, exist_ok=True)
    desk = Desk(folder)
    desk.address_file.write_text(address or postgres.server().desk())
    return desk


def fill(engine: Engine) -> None:
    for user, words in (("odette", ODD), ("local", ("piano", "cat", "lisbon", "horse", "red"))):
        turn = store_turn(
            engine,
            NewTurn(
                content=f"I play the {words[0]}", user_id=user, channel="trip", title=f"About {words[4]}"
            ),
            author="agent:iris",
        )
        fact = NewFact(
            claim=f"They keep a {words[1]}",
            user_id=user,
            channel="trip",
            about=(words[3],),
            source_turn_id=turn.id,
            quote=f"my {words[2]}",
        )
        learn_fact(engine, fact, author="agent:iris")
        recall(
            engine, Query(text=f"who keeps a {words[1]}?", user_id=user, channel="trip"), author="agent:iris"
        )
    while embed_pending(engine):
        pass


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    opened = open_engine(desk_in_database(tmp_path / "desk"))
    fill(opened)
    yield opened
    opened.close()


def texts(engine: Engine) -> str:
    with engine.store.reading() as db:
        found = [text for _, _, text in erasing.texts(db)]
        found += [word for (word,) in db.rows("SELECT term FROM postings UNION SELECT word FROM titles")]
        found += [scope for (scope,) in db.rows("SELECT scope FROM places")]
    return "\n".join(found).casefold()


def test_an_erased_user_is_in_no_table_and_the_others_are_as_before(engine: Engine) -> None:
    assert all(word in texts(engine) for word in ODD)
    done = erase_user(
        engine, EraseUser(user_id="odette", confirm="odette"), author="person:Mara", progress=ignore_progress
    )
    assert done["erased"]["facts"] == 1 and done["backup"] is None
    assert "No backup was made" in done["says"]
    left = texts(engine)
    assert "odette" not in left and [word for word in ODD if word in left] == []
    with engine.store.reading() as db:
        assert chain.first_break(db) is None
        assert db.value("SELECT count(*) FROM vectors") == db.value("SELECT count(*) FROM searchable") > 0
    hits = recall(engine, Query(text="who keeps a cat?", channel="trip"), author="agent:iris").hits
    assert hits[0].text == "They keep a cat"
    with pytest.raises(NotFound):
        erase_user(
            engine,
            EraseUser(user_id="odette", confirm="odette"),
            author="person:Mara",
            progress=ignore_progress,
        )
    assert (
        recall(engine, Query(text="quokka", user_id="odette", channel="trip"), author="agent:iris").hits == ()
    )


def test_an_erasure_that_a_kill_cut_short_is_finished_at_the_next_start(engine: Engine) -> None:
    def pages() -> tuple[bool, int]:
        with engine.store.reading() as db:
            behind = db.value("SELECT file_behind FROM upkeep")
            return bool(behind), db.value("SELECT pg_relation_filenode('facts')")

    engine.store.maintain(lambda db, index, _: erasing.erase(db, index, "odette", by=1)).result()
    behind, before = pages()
    assert behind
    engine.close()
    engine = open_engine(engine.desk)
    behind, after = pages()
    engine.close()
    assert not behind and after != before


def test_vectors_find_the_nearest_of_their_own_user_and_follow_undo(engine: Engine) -> None:
    vector = engine.models.embedder.embed(["They keep a cat"])[0]
    name = engine.models.embedder.name
    mine, other = (Scope(user_id=user, channels=("trip",), kinds=("fact",)) for user in ("local", "odette"))

    def nearest(scope: Scope) -> list[str]:
        with engine.store.reading() as db:
            found = search.by_vector(db, vector, scope, name)
            claims = {fact.seq: fact.claim for fact in records.find(db, FACT)}
            return [claims[seq] for seq, _ in found]

    assert (nearest(mine), nearest(other)) == (["They keep a cat"], ["They keep a quokka"])
    undo(engine, Undo(), author="agent:iris")
    assert nearest(mine) == []


def test_titles_of_events_are_found_by_all_their_words_and_a_beginning(engine: Engine) -> None:
    with engine.store.reading() as db:
        newest = events.newest(db)
    engine.store.submit(lambda db: timeline_query.extend(db, newest, 1000)).result()
    with engine.store.reading() as db:
        for text, found in (("keep quokka", 1), ("quok", 1), ("quokka cat", 0), ("keep", 2), ("eep", 0)):
            rows = timeline_query.window(db, EventFilter(text=text, operations=("learn",)), 0, 9)
            assert (
                len(rows) == timeline_query.total(db, EventFilter(text=text, operations=("learn",))) == found
            )


def test_a_claim_that_another_program_altered_is_named_and_not_recalled(engine: Engine) -> None:
    engine.desk.folder.chmod(0o700)
    learn_fact(engine, NewFact(claim="They keep a cat in Porto", channel="trip"), author="agent:iris")
    found = verify(engine)
    assert found.found == 0 and found.rows > 50
    assert [each for each in examine(engine.desk).findings if not each.ok] == []
    with psycopg.connect(str(engine.desk.address)) as there:
        there.execute("UPDATE facts SET claim = claim || '!' WHERE claim LIKE '%a cat'")
        there.execute("DELETE FROM postings WHERE term = 'porto'")
    wrong = verify(engine).findings
    (altered,) = (each.id for each in wrong if each.part == "rows")
    (unfound,) = (each.id for each in wrong if each.table == "words")
    bad = [each for each in examine(engine.desk).findings if not each.ok]
    assert [each.area for each in bad] == ["rows", "indexes"] and altered in bad[0].says
    assert not examine(engine.desk).plan and "PostgreSQL" in bad[0].next
    hits = recall(engine, Query(text="who keeps a cat now?", channel="trip"), author="agent:iris").hits
    assert [hit.text for hit in hits] == ["They keep a cat in Porto"] and hits[0].id == unfound
    assert unfound in {hit.id for hit in hits}


def test_sign_bits_that_another_program_cut_are_named_and_cost_no_other_memory(engine: Engine) -> None:
    learn_fact(engine, NewFact(claim="They keep a cat in Porto", channel="trip"), author="agent:iris")
    while embed_pending(engine):
        pass
    vector, name = engine.models.embedder.embed(["They keep a cat"])[0], engine.models.embedder.name
    scope = Scope(user_id="local", channels=("trip",), kinds=("fact",))
    with psycopg.connect(str(engine.desk.address)) as there:
        there.execute(
            "UPDATE vectors SET bits = substr(bits, 2) FROM facts WHERE facts.seq = vectors.seq "
            "AND claim = 'They keep a cat'"
        )
    engine.store.forget()
    with engine.store.reading() as db:
        found = search.near(db, vector, scope, name)
        assert [db.value("SELECT claim FROM facts WHERE seq = ?", (seq,)) for seq in found] == [
            "They keep a cat in Porto"
        ]
    assert recall(engine, Query(text="who keeps a cat?", channel="trip"), author="agent:iris").hits
    assert [each.table for each in verify(engine).findings] == ["vectors"]


def test_a_page_that_the_server_finds_damaged_is_said_to_be(engine: Engine) -> None:
    page = "DO 'BEGIN RAISE data_corrupted USING MESSAGE = ''invalid page in block 7''; END'"
    with (
        pytest.raises(StorageFailed, match="invalid page in block 7") as refused,
        engine.store.reading() as db,
    ):
        db.run(page)
    assert "from a backup" in str(refused.value.next)


def test_every_job_ends_without_a_failure(engine: Engine) -> None:
    for job in JOBS:
        perform(engine, job, author="person:Mara")
    with engine.store.reading() as db:
        states = {job: state for job, state, _ in bookkeeping.runs_by_state(db)}
    assert states == dict.fromkeys((job.name for job in JOBS), "done")


def test_a_lost_connection_fails_one_write_at_most_and_is_made_again(engine: Engine) -> None:
    assert engine.desk.address is not None
    with engine.store.reading():
        pass
    with psycopg.connect(engine.desk.address, autocommit=True) as db:
        db.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    learn_fact(engine, NewFact(claim="They moved to Porto", channel="trip"), author="agent:iris")
    # More than were taken at once before.
    assert len({engine.store.new_seq() for _ in range(70)}) == 70
    assert recall(engine, Query(text="Porto", channel="trip"), author="agent:iris").hits
    with engine.store.reading() as reader:
        assert chain.first_break(reader) is None


def test_a_write_takes_few_round_trips(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    from memdesk.store.postgres.connection import PostgresConnection

    trips, issue = list[int](), PostgresConnection._issue

    def counted(db: PostgresConnection, statements: list[Any], cursors: list[Any]) -> None:
        trips.append(len(statements))
        issue(db, statements, cursors)

    def write(number: int) -> int:
        trips.clear()
        learn_fact(
            engine, NewFact(claim=f"Pump {number} of Oslo is red", channel="trip"), author="agent:iris"
        )
        facts = len(trips)
        turn = NewTurn(content=f"Pump {number} is red", channel="trip", conversation_id="pumps")
        store_turn(engine, turn, author="agent:iris")
        return max(facts, len(trips) - facts)

    write(1)
    monkeypatch.setattr(PostgresConnection, "_issue", counted)
    # Of them the writer's four: BEGIN and the head, what is read ahead, the change, COMMIT.
    assert max(write(number) for number in range(2, 5)) <= 6


def test_a_recall_takes_few_round_trips(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    from memdesk.store.postgres.connection import PostgresConnection

    for number in range(20):
        learn_fact(
            engine, NewFact(claim=f"Pump {number} of Oslo is red", channel="trip"), author="agent:iris"
        )
    trips, issue = list[int](), PostgresConnection._issue
    query = Query(text="What colour is pump 7?", channel="trip")
    recall_some(engine, replace(query, text="What colour is pump 8?"), author="agent:iris")
    monkeypatch.setattr(
        PostgresConnection, "_issue", lambda db, sent, got: trips.append(len(sent)) or issue(db, sent, got)
    )
    assert recall_some(engine, query, author="agent:iris")[0].hits
    # On a desk of facts alone at most six: the others read turns with their neighbours, and entities.
    assert len(trips) <= 13


def test_a_reader_goes_on_after_its_transaction_was_ended_and_after_its_server_process(
    engine: Engine,
) -> None:
    with engine.store.reading() as db:
        rows = db.each("SELECT value FROM json_each('[1, 2, 3]')")
        assert next(rows) == ("1",)
    # The same connection, with the end of the transaction before still unheard of.
    with engine.store.reading() as again:
        assert again is db
        process = again.value("SELECT pg_backend_pid()")
    engine.store.submit(lambda db: db.rows("SELECT pg_terminate_backend(?::int)", (process,))).result()
    with engine.store.reading() as anew:
        assert anew.value("SELECT pg_backend_pid()") != process


def test_vectors_of_many_memories_take_few_round_trips(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memdesk.store.postgres.connection import PostgresConnection

    for number in range(30):
        fact = NewFact(claim=f"Pump {number} of Oslo is red", channel="trip", category=f"c{number % 3}")
        learn_fact(engine, fact, author="agent:iris")
    trips, issue = list[int](), PostgresConnection._issue
    monkeypatch.setattr(
        PostgresConnection, "_issue", lambda db, sent, got: trips.append(len(sent)) or issue(db, sent, got)
    )
    assert embed_pending(engine) == 30
    # Of each category's sum one.
    assert len(trips) <= 18
    monkeypatch.undo()
    with engine.store.reading() as db:
        assert not db.value(
            "SELECT count(*) FROM searchable LEFT JOIN vectors USING (seq) WHERE scope IS NULL"
        )
        sums = (
            "SELECT category, facts FROM categories WHERE channel = 'trip' AND category LIKE 'c_' ORDER BY 1"
        )
        assert db.rows(sums) == [("c0", 10), ("c1", 10), ("c2", 10)]


def test_what_was_read_ahead_is_read_again_after_a_write_and_in_the_next_transaction(engine: Engine) -> None:
    sql, asked = "SELECT count(*) FROM paused_jobs WHERE job = ?", ("decay",)

    def counts(db: Connection) -> list[int]:
        db.ahead([(sql, asked), (sql, asked)])
        before = db.value(sql, asked), db.value(sql, ("other",)), db.rows(sql, asked)[0][0]
        db.send("INSERT INTO paused_jobs VALUES (?, 1)", asked)
        return [*before, db.value(sql, asked)]

    assert engine.store.submit(counts).result() == [0, 0, 0, 1]
    engine.store.submit(lambda db: db.ahead([(sql, asked)])).result()
    engine.store.submit(lambda db: db.send("DELETE FROM paused_jobs")).result()
    assert engine.store.submit(lambda db: db.value(sql, asked)).result() == 0


def test_a_vector_that_was_read_ahead_is_read_again_once_vectors_are_written(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memdesk.store.postgres.connection import PostgresConnection

    read = (indexing.STORED_VECTOR, (indexing.text_hash("new"), "model"))
    trips, issue = list[int](), PostgresConnection._issue
    monkeypatch.setattr(
        PostgresConnection, "_issue", lambda db, sent, got: trips.append(len(sent)) or issue(db, sent, got)
    )

    def lengths(db: Connection) -> list[int]:
        db.ahead([read])
        db.send("INSERT INTO paused_jobs VALUES ('decay', 1)")
        before = len(trips), len(db.rows(*read)), len(trips)
        db.send("INSERT INTO embeddings (hash, model, vector) VALUES (?, ?, ?)", (*read[1], b"v"))
        found = [len(db.rows(*read))]
        db.send("DELETE FROM embeddings WHERE model = ?", ("model",))
        return [before[2] - before[0], before[1], *found, len(db.rows(*read))]

    assert engine.store.submit(lengths).result() == [0, 0, 1, 0]


def test_a_refusal_whose_audit_row_cannot_be_stored_leaves_the_writer_running(engine: Engine) -> None:
    hold, begun = threading.Event(), threading.Event()
    engine.store.alone(lambda _: (begun.set(), hold.wait(30)))
    assert begun.wait(30)
    edits = [records.creation_edit(FACT, fact(engine.store, f"Pump {number} is red")) for number in range(4)]
    authors = ("agent:odd\0", "agent:iris", "agent:odd\0", "agent:iris")
    changes = [
        Change(op="learn", title="", author=author, edits=(edit,))
        for author, edit in zip(authors, edits, strict=True)
    ]
    written = [
        engine.store.maintain(lambda *parts, change=change: parts[-1].apply(change)) for change in changes
    ]
    hold.set()
    assert [type(each.exception(30)) for each in written] == [BadAsk, type(None), BadAsk, type(None)]
    learn_fact(engine, NewFact(claim="They keep geese", channel="trip"), author="agent:iris")
    assert verify(engine).whole


def test_rows_of_one_insert_are_all_there_and_a_part_that_was_not_sent_is_taken_back(engine: Engine) -> None:
    def written(db: Connection) -> list[int]:
        db.run("SAVEPOINT edit")
        db.send("INSERT INTO paused_jobs VALUES ('gone', 1)")
        db.run("ROLLBACK TO edit")
        db.run("RELEASE edit")
        rows = [(f"job {number % 70}", number) for number in range(77)]
        db.run_many("INSERT INTO paused_jobs VALUES (?, ?) ON CONFLICT DO NOTHING", rows)
        db.run("SAVEPOINT edit")
        db.run("DELETE FROM paused_jobs")
        db.run("ROLLBACK TO edit")
        db.run("RELEASE edit")
        return [at for (at,) in db.rows("SELECT at FROM paused_jobs ORDER BY 1")]

    assert engine.store.submit(written).result() == list(range(70))


def test_what_is_done_to_a_file_is_refused_in_a_sentence(engine: Engine) -> None:
    from memdesk.engine.backups import make_backup

    with pytest.raises(BadAsk, match="PostgreSQL"):
        make_backup(engine, "by-hand")
    missing = Desk(engine.desk.folder.with_name("away"))
    desk_in_database(missing.folder, "host=/nowhere dbname=none")
    with pytest.raises(StorageFailed, match="could not be opened"):
        open_engine(missing)


def test_a_desk_is_copied_into_a_database_and_back_as_it_was(tmp_path: Path) -> None:
    first, database, last = Desk(tmp_path / "a"), desk_in_database(tmp_path / "b"), Desk(tmp_path / "c")
    opened = open_engine(first)
    fill(opened)
    undo(opened, Undo(), author="agent:iris")
    opened.store.maintain(lambda db, *_: document_versions.note_lines_reader(db, "reader 7")).result()
    expected = whole(opened)
    opened.close()
    with pytest.raises(NotFound):
        copy_desk(Desk(tmp_path / "none"), last)
    there, back = copy_desk(first, database), copy_desk(database, last)
    assert there == back and there.hash and there.rows["facts"] == 1
    with pytest.raises(Conflict, match="memory"):
        copy_desk(first, database)
    for desk in (database, last):
        opened = open_engine(desk)
        assert whole(opened) == expected
        if desk is database:
            with opened.store.reading() as db:
                assert db.value("SELECT count(*) FROM pg_stats WHERE tablename = 'postings'") > 0
        seqs = [opened.store.new_seq() for _ in range(3)]
        with opened.store.reading() as db:
            assert min(seqs) > db.value("SELECT max(seq) FROM records")
            assert search.postings(
                db, "quokka", Scope(user_id="odette", channels=("trip",), kinds=("fact",)), 9
            )
            vectors = db.value("SELECT count(*) FROM searchable WHERE embedding IS NOT NULL")
            assert db.value("SELECT count(*) FROM vectors") == vectors > 0
        learn_fact(opened, NewFact(claim="They moved to Porto", channel="trip"), author="agent:iris")
        with opened.store.reading() as db:
            assert chain.first_break(db) is None
        assert verify(opened).found == 0
        opened.close()


def test_a_copied_desk_recalls_the_same_with_the_same_scores_and_reinforces_alike(tmp_path: Path) -> None:
    def clock() -> int:
        return 1_760_000_000_000_000

    first, database = Desk(tmp_path / "a"), desk_in_database(tmp_path / "b")
    opened = open_engine(first, clock=clock)
    many_facts.fill(opened, 150)
    for claim in ("Mara likes Straßenbahnen", "MARA LIKES TEA", "mara likes tea", "米拉喜欢在波尔图喝茶"):
        learn_fact(opened, NewFact(claim=claim, channel=many_facts.CHANNEL), author="agent:iris")
    while embed_pending(opened):
        pass
    opened.close()
    copy_desk(first, database)
    engines = [open_engine(desk, clock=clock) for desk in (first, database)]
    # The last words of facts, some names alone, and each question twice: the second sees what the first reinforced.
    asked = [" ".join(claim.split()[-3:]) for claim in many_facts.claims(150)][::50]
    asked += [claim.split()[0].upper() for claim in many_facts.claims(9)][::3]
    for text in (*asked, "who likes tea?", "straßenbahnen", "波尔图", *asked):
        answers = []
        for engine in engines:
            query = Query(text=text, channel=many_facts.CHANNEL, floor=0.0)
            hits = recall(engine, query, author="agent:iris").hits
            answers.append([(hit.text, hit.score, hit.salience) for hit in hits])
            # A recall is written down after its answer, so a next one at once may not see it yet.
            engine.store.maintain(lambda *_: None).result()
        assert answers[0] == answers[1] != []
    for engine in engines:
        engine.close()


def whole(engine: Engine) -> tuple[object, ...]:
    """Facts, the journal with its hashes, and the audit log."""
    with engine.store.reading() as db:
        told = [
            db.rows(f"SELECT {columns} FROM {table} ORDER BY 1, 2")
            for table, columns in (
                ("facts", "seq, id, claim, salience, retired_at"),
                ("changes", "id, hash, title"),
                ("edits", "change, n, before, after"),
                ("embeddings", "id, hash, vector"),
            )
        ]
        return (*told, document_versions.lines_reader(db), audit_log.page(db, audit_log.AuditFilter(), 999))
