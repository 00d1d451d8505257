"""The doctor names what is wrong with a damaged desk, gives back what is left of it, and says exactly what was lost."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from memdesk.engine.backups import listing, make_backup
from memdesk.engine.engine import Engine
from memdesk.engine.health.doctor import examine, repair
from memdesk.engine.memory.curate import edit_fact
from memdesk.engine.memory.remember import learn_fact, store_turn
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.engine.verify import verify
from memdesk.files.places import Desk
from memdesk.model.curation import EditFact, Undo
from memdesk.model.errors import StorageFailed
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact, NewTurn
from memdesk.store import binding
from memdesk.store.connection import Connection
from tests.engine.conftest import Clock, embed_all
from tests.engine.killed import said_by
from tests.fixtures.intake.worlds import copy_of, take
from tests.store.agreement import assert_agreement

MARA = "person:Mara"
PAGE = 4096
TABLE_LEAF = 0x0D
"""First byte of a page with rows of a table."""


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a closed desk of 60 turns and 60 facts, each of which was edited once."""
    engine = open_engine(Desk(tmp_path_factory.mktemp("lived-in") / "desk"), clock=Clock())
    for number in range(60):
        turn = store_turn(
            engine,
            NewTurn(content=f"Turn {number} about the harbour", turn_id=f"t{number}"),
            author="agent:forge",
        )
        known = learn_fact(
            engine,
            NewFact(claim=f"Claim {number}", about=(f"Pier {number % 7}",), source_turn_id=turn.id),
            author="agent:forge",
        )
        edit_fact(engine, EditFact(fact_id=known.id, claim=f"Corrected claim {number}"), author=MARA)
    embed_all(engine)
    engine.close()
    return engine.desk.folder


@pytest.fixture
def desk(lived_in: Path, tmp_path: Path) -> Desk:
    """A copy of that desk."""
    return Desk(shutil.copytree(lived_in, tmp_path / "desk"))


def run(desk: Desk, *statements: str) -> None:
    raw = binding.sqlite.connect(str(desk.database))
    for each in statements:
        raw.execute(each)
    raw.commit()
    raw.close()


def claims(desk: Desk) -> set[str]:
    opened = open_engine(desk)
    opened.close()
    assert_agreement(desk.database)
    db = Connection(desk.database)
    try:
        return {row[0] for row in db.rows("SELECT claim FROM facts")}
    finally:
        db.close()


def bad(desk: Desk) -> set[str]:
    return {each.area for each in examine(desk).findings if not each.ok} - {"libraries"}


ALL = {f"Corrected claim {number}" for number in range(60)}


def test_a_desk_that_is_well_is_told_so_and_left_as_it_is(desk: Desk) -> None:
    before = desk.database.read_bytes()
    found = examine(desk)
    assert (bad(desk), found.plan) == (set(), ())
    assert {each.area for each in found.findings} >= {
        "libraries",
        "folder",
        "database",
        "rows",
        "indexes",
        "journal",
    }
    assert desk.database.read_bytes() == before


@pytest.mark.parametrize(
    ("area", "statement"),
    [
        ("rows", "UPDATE facts SET claim = 'Another' WHERE seq IN (SELECT seq FROM facts LIMIT 5)"),
        ("rows", "DELETE FROM turns WHERE seq IN (SELECT seq FROM turns LIMIT 5)"),
        ("indexes", "DELETE FROM searchable WHERE seq % 2"),
        ("indexes", "DELETE FROM words_data WHERE id > 10"),
        ("indexes", "DELETE FROM belief_keys WHERE seq % 2"),
        ("indexes", "UPDATE belief_keys SET key = key / 2"),
        ("indexes", "UPDATE rollup SET n = n + 1"),
        ("indexes", "UPDATE changes SET undone_by = id WHERE id = 9"),
        ("rows", "UPDATE upkeep SET next_seq = 1, vectors_behind = 0, beliefs_unread = 7"),
        ("schema", "DROP INDEX facts_time"),
        ("schema", "DROP TABLE traits"),
        ("journal", "UPDATE changes SET title = 'Another' WHERE id = 9"),
        ("journal", "DELETE FROM edits WHERE change = 12"),
        ("journal", "DELETE FROM changes WHERE id BETWEEN 20 AND 24"),
    ],
)
def test_a_damage_is_named_and_mended_without_a_backup(desk: Desk, area: str, statement: str) -> None:
    run(desk, "PRAGMA foreign_keys = OFF", statement)
    assert area in bad(desk)
    assert examine(desk).plan
    done = repair(desk)
    assert (done.lost, done.since) == ((), "")
    assert bad(desk) == set()
    assert claims(desk) == ALL
    assert (desk.backups / f"{done.kept}.db").exists()


def test_a_workspace_that_is_missing_under_its_files_is_named_and_comes_back(
    engine: Engine, tmp_path: Path
) -> None:
    take(engine, copy_of("harbour", tmp_path))
    engine.close()
    run(engine.desk, "DELETE FROM workspaces")
    assert "rows" in bad(engine.desk)
    assert repair(engine.desk).lost == ()
    assert bad(engine.desk) == set()


def test_a_desk_with_a_claim_of_the_past_is_mended_without_a_backup(engine: Engine) -> None:
    old = learn_fact(engine, NewFact(claim="Crane 4 is broken"), author=MARA)
    learn_fact(engine, NewFact(claim="Crane 4 works again", supersedes=old.id), author=MARA)
    engine.close()
    run(engine.desk, "PRAGMA foreign_keys = OFF", f"DELETE FROM facts WHERE id = '{old.id}'")
    assert "rows" in bad(engine.desk)
    done = repair(engine.desk)
    assert (done.again, done.lost) == ({"journal": 1, "backup": 0}, ())
    assert bad(engine.desk) == set()
    assert claims(engine.desk) == {"Crane 4 is broken", "Crane 4 works again"}


@pytest.mark.parametrize("tenths", [7, 8, 9])
def test_of_a_database_whose_end_is_cut_off_what_is_before_the_cut_comes_back_without_a_backup(
    desk: Desk, tenths: int
) -> None:
    with desk.database.open("r+b") as file:
        file.truncate(desk.database.stat().st_size * tenths // 10)
    done = repair(desk)
    assert done.since == ""
    back = claims(desk)
    assert back
    # Each event of which nothing or the number alone is left may have been a fact's.
    assert len(ALL - back) <= sum(each.kind == "fact" for each in done.lost) + done.missing + done.changes
    assert bad(desk) == set()


def test_a_memory_is_named_of_which_an_index_alone_is_left(desk: Desk) -> None:
    db = Connection(desk.database)
    id: str = db.value("SELECT id FROM facts WHERE claim LIKE '%claim 59'")
    db.close()
    whole = desk.database.read_bytes()
    pages = [whole[at : at + PAGE] for at in range(0, len(whole), PAGE)]
    gone = [
        bytes(PAGE) if b"laim 59" in page or (page[0] == TABLE_LEAF and id.encode() in page) else page
        for page in pages[1:]
    ]
    assert any(id.encode() in page for page in gone)
    desk.database.write_bytes(b"".join((pages[0], *gone)))
    done = repair(desk)
    assert id in {each.id for each in done.lost}
    assert "only the number is left" in done.says and "lost without a name" in done.says
    assert bad(desk) == set()


def test_newest_events_of_which_nothing_is_left_are_counted(desk: Desk) -> None:
    before = desk.database.read_bytes()
    engine = open_engine(desk)
    for number in range(3):
        learn_fact(engine, NewFact(claim=f"A late claim {number}"), author=MARA)
    engine.close()
    desk.database.write_bytes(before)
    done = repair(desk)
    assert done.missing == 3
    assert "newest 3 events" in done.says
    assert claims(desk) == ALL


def test_what_was_told_of_damage_is_told_no_more_after_a_repair(desk: Desk) -> None:
    run(desk, "UPDATE facts SET claim = 'Another' WHERE seq IN (SELECT seq FROM facts LIMIT 1)")
    engine = open_engine(desk)
    verify(engine)
    assert engine.notices.standing()
    engine.close()
    repair(desk)
    engine = open_engine(desk)
    assert (engine.notices.standing(), verify(engine).whole) == ((), True)
    engine.close()


def test_a_repaired_desk_recalls_undoes_and_goes_on(desk: Desk) -> None:
    run(desk, "PRAGMA foreign_keys = OFF", "DELETE FROM facts WHERE seq % 3 = 0", "DELETE FROM searchable")
    repair(desk)
    engine = open_engine(desk)
    embed_all(engine)
    bundle = recall(engine, Query(text="Corrected claim 33"), author="agent:forge")
    assert "Corrected claim 33" in {hit.text for hit in bundle.hits}
    change = learn_fact(engine, NewFact(claim="Later"), author=MARA).change
    undo(engine, Undo(change=change), author=MARA)
    engine.close()
    assert_agreement(desk.database)


def test_what_neither_row_nor_journal_tells_comes_from_the_backup_or_is_named(desk: Desk) -> None:
    engine = open_engine(desk)
    made = make_backup(engine, "daily")
    late = learn_fact(engine, NewFact(claim="After the backup"), author="agent:forge").id
    engine.close()
    two = "claim LIKE '%claim 7' OR claim LIKE 'After%'"
    edits = f"DELETE FROM edits WHERE record IN (SELECT id FROM facts WHERE {two})"
    run(desk, "PRAGMA foreign_keys = OFF", edits, f"DELETE FROM facts WHERE {two}")
    done = repair(desk)
    assert [(each.kind, each.id) for each in done.lost] == [("fact", late)]
    assert claims(desk) == ALL
    assert bad(desk) == set()
    assert made in listing(desk).rows


def test_a_database_of_which_nothing_can_be_read_gives_way_to_the_newest_good_backup(desk: Desk) -> None:
    engine = open_engine(desk)
    good, newer = make_backup(engine, "daily"), make_backup(engine, "by-hand")
    engine.close()
    (desk.backups / f"{newer.name}.db").write_bytes(b"\0" * 9000)
    desk.database.write_bytes(b"not a database" * 1000)
    assert "database" in bad(desk)
    done = repair(desk)
    assert done.since == good.name
    assert claims(desk) == ALL


def test_without_a_backup_a_wreck_stays_as_it_is(desk: Desk) -> None:
    wreck = b"not a database" * 1000
    desk.database.write_bytes(wreck)
    with pytest.raises(StorageFailed, match="no tested backup"):
        repair(desk)
    assert desk.database.read_bytes() == wreck


def zeros(data: bytearray, dice: random.Random) -> None:
    at = dice.randrange(1, len(data) // PAGE) * PAGE
    data[at : at + PAGE] = bytes(PAGE)


def noise(data: bytearray, dice: random.Random) -> None:
    at = dice.randrange(PAGE, len(data) - 64)
    data[at : at + 64] = dice.randbytes(64)


def cut(data: bytearray, dice: random.Random) -> None:
    del data[dice.randrange(len(data) // 2, len(data)) :]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("harm", [zeros, noise, cut])
def test_whatever_page_is_damaged_the_desk_comes_back_and_every_loss_is_named(
    desk: Desk, harm: Callable[[bytearray, random.Random], None], seed: int
) -> None:
    engine = open_engine(desk)
    make_backup(engine, "daily")
    engine.close()
    data = bytearray(desk.database.read_bytes())
    harm(data, random.Random(f"{harm.__name__} {seed}"))
    desk.database.write_bytes(data)
    if not bad(desk):
        return
    done = repair(desk)
    assert bad(desk) == set()
    back = claims(desk)
    assert back <= ALL
    assert len(ALL - back) == sum(each.kind == "fact" for each in done.lost)


KILLED = """
import sys
from pathlib import Path
from memdesk.engine.opening import open_engine
from memdesk.engine.health.doctor import examine, repair
from memdesk.files.places import Desk
from tests.engine.killed import at_each_step

def look(desk):
    open_engine(desk).close()
    found = examine(desk)
    areas = {each.area for each in found.findings if not each.ok} - {"libraries"}
    return ",".join(sorted(areas)) or "well"

steps, seen = at_each_step(Desk(Path(sys.argv[1]) / "desk"), int(sys.argv[2]), repair, look)
print(steps, *dict.fromkeys(seen))
"""


def test_a_repair_killed_at_any_step_leaves_the_old_desk_or_the_new_one(desk: Desk, tmp_path: Path) -> None:
    run(desk, "PRAGMA foreign_keys = OFF", "DELETE FROM turns WHERE seq IN (SELECT seq FROM turns LIMIT 5)")
    steps, *found = said_by(KILLED, tmp_path)
    assert int(steps) > 20
    assert found[-1] == "well" and len(found) == 2
