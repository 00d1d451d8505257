"""The write door: whole or not at all, in order, undone byte for byte, and never racing."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.errors import BugError, Conflict, NewerDesk, NotFound, StorageFailed
from memdesk.model.fact import FACT, Fact
from memdesk.store import binding, digests, events, journal, records
from memdesk.store.backups import list_backups
from memdesk.store.connection import Connection
from memdesk.store.migrations import migrations
from memdesk.store.store import READERS, Store


@pytest.fixture
def store(store_of_both: Store) -> Store:
    return store_of_both


def open_store(folder: Path) -> Store:
    return Store(folder / "memory.db", backups=folder / "backups", clock=iter(range(1, 10**9)).__next__)


def fact(store: Store, claim: str, **fields: object) -> Fact:
    seq = store.new_seq()
    plain = {
        "user_id": "local",
        "channel": "_global",
        "agent_id": None,
        "category": "fact",
        "confidence": 0.9,
        "source": "explicit",
        "source_turn_id": None,
        "quote": "",
        "temporal": None,
        "promoted_from": None,
        "superseded_by": None,
        "pinned": 0,
        "salience": 0.5,
        "salience_at": 0,
        "created_at": 0,
    }
    return Fact(seq=seq, id=f"f_{seq}", claim=claim, **{**plain, **fields})  # type: ignore[arg-type]


def learn(store: Store, claim: str, **change: object) -> Fact:
    born = fact(store, claim)
    store.apply(
        Change(
            op="learn", title=claim, author="agent:a", edits=(records.creation_edit(FACT, born),), **change
        )
    )  # type: ignore[arg-type]
    return born


def read(store: Store, id: str) -> Fact | None:
    with store.reading() as db:
        found: Fact | None = records.get(db, FACT, id)
        return found


def undo(store: Store, change: int) -> int:
    applied, _ = store.decide(lambda db: (journal.reversed_change(db, change, "person:M"), None))
    assert applied is not None
    return applied.id


def test_a_change_is_journalled_with_its_row(store: Store) -> None:
    born = learn(store, "Mara likes tea")
    assert read(store, born.id) == born
    with store.reading() as db:
        assert journal.edits_of(db, 1) == [records.creation_edit(FACT, born)]
        assert events.newest(db) == 1


def test_a_created_record_is_journalled_without_what_can_be_restored(store: Store) -> None:
    born = learn(store, "Mara likes tea")
    with store.reading() as db:
        stored = json.loads(db.value("SELECT after FROM edits WHERE record = ?", (born.id,)))
        (edit,) = journal.edits_of(db, 1)
    assert not stored.keys() & {"id", "retired_at", "superseded_by", "trust"}
    assert edit == Edit("fact", born.id, None, {name: getattr(born, name) for name in FACT.columns})


def test_a_record_journalled_with_every_field_is_as_it_was_journalled() -> None:
    earlier = {"id": "f_1", "claim": "Mara likes tea"}
    assert journal.completed("fact", "f_1", None, earlier) == (None, earlier)


def test_what_is_durable_at_the_end_is_marked_at_the_end(tmp_path: Path) -> None:
    store = open_store(tmp_path)

    def waits() -> object:
        return store.submit(lambda db: db.value("PRAGMA synchronous")).result()

    with store.durable_at_end():
        learn(store, "Mara likes tea")
        assert (waits(), store.mark[0]) == (1, 0)
        with ThreadPoolExecutor(1) as another:
            another.submit(learn, store, "Wren likes wind").result()
        assert store.mark[0] == 2
        learn(store, "Jun likes rain")
    assert (waits(), store.mark[0]) == (2, 3)
    store.close()


@pytest.mark.parametrize("value", [1, True, float("nan"), "0.5"])
def test_a_row_whose_values_may_be_stored_otherwise_is_digested_by_the_database(value: object) -> None:
    assert digests.digest_of_new("t", [value], (float,)) is None
    assert digests.digest_of_new("t", [0.5, None], (float, str)) == digests.digest_of("t", [0.5, None])


def test_a_stale_precondition_is_a_conflict_and_moves_nothing(store: Store) -> None:
    born = learn(store, "Mara likes tea")
    stale = Edit("fact", born.id, {"claim": "Mara likes milk"}, {"claim": "Mara likes coffee"})
    with pytest.raises(Conflict) as caught:
        store.apply(Change(op="update", title="", author="agent:a", edits=(stale,)))
    assert caught.value.details["found"] == {"claim": "Mara likes tea"}
    assert read(store, born.id) == born
    with store.reading() as db:
        assert events.newest(db) == 1


def test_one_refused_edit_takes_the_whole_change_with_it(store: Store) -> None:
    born = learn(store, "Mara likes tea")
    other = fact(store, "Jun likes rain")
    edits = (records.creation_edit(FACT, other), Edit("fact", born.id, {"claim": "no"}, {"claim": "yes"}))
    with pytest.raises(Conflict):
        store.apply(Change(op="learn", title="", author="agent:a", edits=edits))
    assert read(store, other.id) is None


def test_the_same_key_is_applied_once(store: Store) -> None:
    born = fact(store, "Mara likes tea")
    change = Change(
        op="learn", title="", author="agent:a", edits=(records.creation_edit(FACT, born),), key="call-7"
    )
    first, second = store.apply(change), store.apply(change)
    assert (first.id, first.repeated) == (second.id, False)
    assert second.repeated and second.edits == ()


def test_undo_of_undo_brings_the_change_back_into_effect(store: Store) -> None:
    born = learn(store, "Mara likes tea")
    taken_back = undo(store, 1)
    assert read(store, born.id) is None
    undo(store, taken_back)
    assert read(store, born.id) == born
    with store.reading() as db:
        row = events.event(db, 1)
        assert row is not None and row.undone_by is None and row.undoable
        assert events.event(db, 3).op == "redo"  # type: ignore[union-attr]


def test_undoing_twice_is_a_conflict(store: Store) -> None:
    learn(store, "Mara likes tea")
    undo(store, 1)
    with pytest.raises(Conflict, match="undone already"):
        undo(store, 1)
    with pytest.raises(NotFound):
        undo(store, 99)


def test_undo_of_a_source_that_other_memory_needs_is_a_conflict(store: Store) -> None:
    original = learn(store, "Migrations need a down step")
    copy = fact(store, "Migrations need a down step", promoted_from=original.id)
    store.apply(Change(op="promote", title="", author="person:M", edits=(records.creation_edit(FACT, copy),)))
    with pytest.raises(Conflict, match="depends"):
        undo(store, 1)
    assert read(store, original.id) == original


def test_a_change_beyond_its_bound_is_refused(store: Store) -> None:
    edits = tuple(records.creation_edit(FACT, fact(store, f"Fact {n}")) for n in range(EDITS_AT_MOST + 1))
    with pytest.raises(BugError):
        store.apply(Change(op="learn", title="", author="agent:a", edits=edits))


def test_many_writers_at_once_get_numbers_without_gaps(store: Store) -> None:
    def write(writer: int) -> None:
        for n in range(20):
            learn(store, f"Writer {writer} says {n}")

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(write, range(16)))
    with store.reading() as db:
        numbers = [row[0] for row in db.rows("SELECT id FROM changes ORDER BY id")]
    assert numbers == list(range(1, 321))


def test_what_runs_alone_divides_no_group_of_writes(store: Store) -> None:
    free = threading.Event()
    held = store.submit(lambda _: free.wait(60))
    ran: list[str] = []
    pieces = [
        store.submit(lambda _: ran.append("one")),
        store.alone(lambda _: ran.append("alone")),
        store.submit(lambda _: ran.append("two")),
        store.alone(lambda _: ran.append("alone again")),
    ]
    groups = store.traffic.groups
    free.set()
    for each in (held, *pieces):
        each.result()
    assert ran == ["one", "two", "alone", "alone again"]
    # That which was held, and both writes.
    assert store.traffic.groups <= groups + 2


def test_what_was_put_aside_runs_before_the_store_closes(store: Store) -> None:
    free = threading.Event()
    store.submit(lambda _: free.wait(60))
    pieces = [store.submit(lambda _: 1), store.alone(lambda _: 2), store.submit(lambda _: 3)]
    closing_down = threading.Thread(target=store.close)
    closing_down.start()
    free.set()
    closing_down.join()
    assert [each.result(0) for each in pieces] == [1, 2, 3]


def test_a_verb_reads_and_writes_without_being_raced(store: Store) -> None:
    born = learn(store, "0")

    def add_one(db: Connection) -> tuple[Change, None]:
        now = records.need(db, FACT, born.id)
        edit = records.update_edit(FACT, now, claim=str(int(now.claim) + 1))
        return Change(op="update", title="", author="agent:a", edits=(edit,)), None

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: store.decide(add_one), range(100)))
    assert read(store, born.id).claim == "100"  # type: ignore[union-attr]


def test_a_reader_sees_one_state_while_others_write(store: Store) -> None:
    learn(store, "first")
    with store.reading() as db:
        before = events.newest(db)
        learn(store, "second")
        assert events.newest(db) == before
    with store.reading() as db:
        assert events.newest(db) == before + 1


def test_readers_cannot_write(store: Store) -> None:
    with store.reading() as db, pytest.raises(Exception, match="read-?only"):
        db.run("DELETE FROM facts")


def test_listeners_hear_after_the_commit(store: Store) -> None:
    heard = threading.Event()
    end = store.subscribe(heard.set)
    learn(store, "Mara likes tea")
    assert heard.wait(2)
    end()


def test_a_desk_reopens_where_it_was(opening: Callable[[], Store]) -> None:
    first = opening()
    born = learn(first, "Mara likes tea")
    first.close()
    second = opening()
    assert read(second, born.id) == born
    assert learn(second, "Jun likes rain").seq > born.seq
    with second.reading() as db:
        assert events.newest(db) == 2
    second.close()


def test_a_closed_store_refuses_work_instead_of_waiting_for_ever(opening: Callable[[], Store]) -> None:
    store = opening()
    store.close()
    with pytest.raises(StorageFailed, match="closed"):
        learn(store, "Mara likes tea")


def test_a_newer_desk_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.submit(
        lambda db: (
            db.run("INSERT INTO _sqlite_migrations VALUES (NULL, 'memdesk', 'from_the_future', '2030')")
            if len(db.rows("PRAGMA table_info(_sqlite_migrations)")) == 4
            else db.run("INSERT INTO _sqlite_migrations VALUES ('memdesk', 'from_the_future', '2030')")
        )
    ).result()
    store.close()
    before = (tmp_path / "memory.db").read_bytes()
    with pytest.raises(NewerDesk):
        open_store(tmp_path)
    assert (tmp_path / "memory.db").read_bytes() == before


def test_an_upgrade_is_backed_up_first_and_a_failed_one_changes_nothing(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    born = learn(store, "Mara likes tea")
    store.close()

    @migrations(name="breaks")
    def breaks(db: object) -> None:
        db.execute("CREATE TABLE half_done (x)")  # type: ignore[attr-defined]
        raise RuntimeError("no")

    try:
        with pytest.raises(RuntimeError):
            open_store(tmp_path)
    finally:
        migrations._migrations.pop()
    (backup,) = list_backups(tmp_path / "backups")
    assert (backup.reason, backup.counts, backup.verified_at is None) == (
        "before-migration",
        {"fact": 1},
        False,
    )
    again = open_store(tmp_path)
    assert read(again, born.id) == born
    with again.reading() as db:
        assert db.value("SELECT 1 FROM sqlite_master WHERE name = 'half_done'") is None
    again.close()


def test_a_number_whose_record_was_taken_back_is_not_given_again_after_a_restart(
    opening: Callable[[], Store],
) -> None:
    first = opening()
    gone = learn(first, "Mara likes tea")
    taken_back = undo(first, 1)
    first.close()
    second = opening()
    assert learn(second, "Jun likes rain").seq > gone.seq
    undo(second, taken_back)
    assert read(second, gone.id) == gone
    second.close()


def test_undo_of_a_redo_puts_the_change_out_of_effect_again(store: Store) -> None:
    learn(store, "Mara likes tea")
    taken_back = undo(store, 1)
    brought_back = undo(store, taken_back)
    undo(store, brought_back)
    with store.reading() as db:
        undone = {number: events.event(db, number).undone_by for number in range(1, 5)}  # type: ignore[union-attr]
    assert undone == {1: 2, 2: None, 3: 4, 4: None}
    undo(store, taken_back)
    with store.reading() as db:
        assert events.event(db, 1).undone_by is None  # type: ignore[union-attr]


def test_a_conflict_names_the_change_that_stands_in_the_way(store: Store) -> None:
    born = learn(store, "Mara likes tea")
    for claim in ("Mara likes milk", "Mara likes rain"):
        edit = records.update_edit(FACT, read(store, born.id), claim=claim)
        store.apply(Change(op="update", title="", author="agent:a", edits=(edit,)))
    with pytest.raises(Conflict) as caught:
        undo(store, 2)
    assert caught.value.next.startswith("Change 3 ")


def test_an_sqlite_too_old_for_a_desk_is_named_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(binding, "too_old", True)
    with pytest.raises(StorageFailed, match=r"needs 3\.43"):
        open_store(tmp_path)
    assert not (tmp_path / "memory.db").exists()


def test_a_damaged_file_is_refused_in_a_sentence_and_left_as_it_was(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    for number in range(200):
        learn(store, f"Mara likes tea number {number}")
    store.close()
    file = tmp_path / "memory.db"
    torn = bytearray(file.read_bytes())
    torn[4096 : 4096 * 12] = bytes(range(256)) * 16 * 11
    file.write_bytes(torn)
    with pytest.raises(StorageFailed, match="could not be opened") as caught:
        open_store(tmp_path)
    assert "backup" in caught.value.next and file.read_bytes() == torn


def made_by_another(path: Path, *statements: str) -> bytes:
    """A database as another program keeps it."""
    with closing(binding.sqlite.connect(str(path))) as other:
        for statement in statements:
            other.execute(statement)
        other.commit()
    return path.read_bytes()


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE moz_bookmarks (id INTEGER PRIMARY KEY, title TEXT)"],
        [
            "CREATE TABLE _sqlite_migrations (migration_set TEXT, name TEXT, applied_at TEXT)",
            "INSERT INTO _sqlite_migrations VALUES ('their_app', 'first', '2020')",
        ],
    ],
)
def test_another_programs_database_is_refused_by_name_and_left_to_the_last_byte(
    tmp_path: Path, statements: list[str]
) -> None:
    file = tmp_path / "memory.db"
    before = made_by_another(file, *statements)
    with pytest.raises(StorageFailed, match=r"memory\.db is a database of another program") as caught:
        open_store(tmp_path)
    assert "--desk" in caught.value.next
    assert file.read_bytes() == before and [each.name for each in tmp_path.iterdir()] == ["memory.db"]


def test_another_programs_database_is_refused_while_its_wal_waits(tmp_path: Path) -> None:
    file = tmp_path / "memory.db"
    with closing(binding.sqlite.connect(str(file))) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("CREATE TABLE theirs (x)")
        with pytest.raises(StorageFailed, match="another program"):
            open_store(tmp_path)
        assert [name for (name,) in other.execute("SELECT name FROM sqlite_master")] == ["theirs"]


def test_an_empty_file_becomes_a_desk(tmp_path: Path) -> None:
    (tmp_path / "memory.db").touch()
    made_by_another(tmp_path / "backups.db")
    store = open_store(tmp_path)
    assert learn(store, "Mara likes tea").claim == "Mara likes tea"
    store.close()


def test_a_damaged_name_that_is_no_text_is_refused_in_a_sentence(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.close()
    file = tmp_path / "memory.db"
    torn = file.read_bytes().replace(b"CREATE TABLE", b"CREATE \xff\xfeBLE")
    file.write_bytes(torn)
    with pytest.raises(StorageFailed, match="could not be opened") as caught:
        open_store(tmp_path)
    assert "backup" in caught.value.next and file.read_bytes() == torn


def test_a_disk_that_refuses_writes_is_remembered_until_one_succeeds(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    learn(store, "Mara likes tea")
    assert store.traffic.failing is None
    pages = store.submit(lambda db: db.value("PRAGMA page_count")).result()
    store.alone(lambda db: db.value(f"PRAGMA max_page_count={pages}")).result()
    with pytest.raises(StorageFailed):
        for number in range(1000):
            learn(store, f"Mara likes tea number {number}")
    failing = store.traffic.failing
    assert failing is not None and "full" in failing.why
    with pytest.raises(StorageFailed):
        for number in range(1000):
            learn(store, f"Jun likes rain number {number}")
    assert store.traffic.failing == failing
    store.alone(lambda db: db.value("PRAGMA max_page_count=1000000")).result()
    born = learn(store, "Wren likes wind")
    assert store.traffic.failing is None
    assert store.submit(lambda db: db.value("SELECT next_seq FROM upkeep")).result() > born.seq
    store.close()


def test_what_all_connections_keep_of_the_file_is_bounded(tmp_path: Path) -> None:
    """A service grew by 320 MB as a large desk filled the caches of its writer and sixteen readers."""
    path = tmp_path / "memory.db"
    with closing(Connection(path, writer=True)) as writer, closing(Connection(path)) as reader:
        kept_kb = [-each.value("PRAGMA cache_size") for each in (writer, reader)]
    assert kept_kb[0] + READERS * kept_kb[1] <= 100 * 1024


def test_no_statement_of_an_act_is_compiled_again_after_many_others(tmp_path: Path) -> None:
    compiled: list[int] = []

    def seen(action: int, *_: object) -> int:
        compiled.append(action)
        return 0

    with closing(open_store(tmp_path)) as store:
        for number in range(200):
            store.submit(lambda db, number=number: db.value(f"SELECT {number}")).result()  # type: ignore[misc]
        with store.reading() as db:
            db.raw.set_authorizer(seen)
        store.submit(lambda db: db.raw.set_authorizer(seen)).result()

        def acts(claim: str, ids: int) -> None:
            learn(store, claim)
            with store.reading() as db:
                assert records.find(db, FACT, claim=claim, agent_id=None, limit=ids)
                assert records.many(db, FACT, "seq", list(range(1, ids + 1)))

        acts("Ann rows.", 17)
        acts("Cy swims.", 18)
        before = len(compiled)
        acts("Bo sails.", 30)
        assert before > 0
        assert len(compiled) == before
