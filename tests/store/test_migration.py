"""A desk that an earlier MemDesk wrote opens with all it held, and its history can still be taken back and again.

`desks/0.1.db.gz` is such a desk: a conversation, four facts, a promotion, a retirement, and a birth that was undone.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.files.places import Desk
from memdesk.model.curation import Undo
from memdesk.model.errors import StorageFailed
from memdesk.model.fact import FACT, Fact
from memdesk.model.recall import Query
from memdesk.store import records, semantic
from memdesk.store.backups import file_of, list_backups
from memdesk.store.connection import Connection
from tests.engine.conftest import redo
from tests.store.agreement import assert_agreement

MARA = "person:Mara"
OLD = Path(__file__).parent.parent / "fixtures" / "desks" / "0.1.db.gz"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    desk = Desk(tmp_path)
    desk.database.write_bytes(gzip.decompress(OLD.read_bytes()))
    opened = open_engine(desk)
    yield opened
    opened.close()
    assert_agreement(desk.database)


def test_an_earlier_desk_recalls_what_it_knew(engine: Engine) -> None:
    bundle = recall(engine, Query(text="lighthouse in Brest", channel="harbour"), author="agent:forge")
    assert {hit.kind for hit in bundle.hits} >= {"turn", "fact"}


def test_a_claim_of_an_earlier_desk_is_known_by_its_hash(engine: Engine) -> None:
    with engine.store.reading() as db:
        known = semantic.fact_claiming(db, "local", "harbour", "the lighthouse in  brest closes at six")
    assert known is not None and known.claim == "The lighthouse in Brest closes at six."


def test_a_birth_that_was_undone_before_can_be_redone(engine: Engine) -> None:
    redo(engine, MARA)
    while embed_pending(engine):
        pass
    with engine.store.reading() as db:
        facts: list[Fact] = records.find(db, FACT, claim="Mara mag Straßenbahnen")
    assert [(fact.key, fact.valid_from) for fact in facts] == [(None, None)]


def test_what_was_done_before_can_still_be_undone(engine: Engine) -> None:
    undone = undo(engine, Undo(change=9), author=MARA)
    assert undone.title == "Undo: The tide table is printed on Mondays"


def test_what_an_earlier_desk_held_is_found_by_one_character(engine: Engine) -> None:
    bundle = recall(engine, Query(text="港", channel="harbour"), author="agent:forge")
    assert [hit.text for hit in bundle.hits][0] == "轮船六点到港口。"


def test_the_centres_of_categories_are_there_from_the_start(engine: Engine) -> None:
    with engine.store.reading() as db:
        held = dict(db.rows("SELECT channel || ' ' || category, facts FROM categories"))
    assert held == {"harbour constraint": 1, "_global constraint": 1, "_global preference": 1}


def test_an_earlier_desk_is_kept_as_it_was(engine: Engine) -> None:
    (backup,) = list_backups(engine.desk.backups)
    kept = file_of(engine.desk.backups, backup)
    as_it_was = engine.desk.folder / "as-it-was.db"
    as_it_was.write_bytes(gzip.decompress(OLD.read_bytes()))
    assert rows_of(kept) == rows_of(as_it_was)


def rows_of(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the schema of a database and the rows of each table."""
    with closing(Connection(database).raw) as db:
        schema = [tuple(row) for row in db.execute("SELECT * FROM sqlite_master ORDER BY name")]
        tables = [str(name) for kind, name, *_ in schema if kind == "table"]
        assert "facts" in tables
        return {"": schema} | {
            name: [tuple(row) for row in db.execute(f'SELECT * FROM "{name}"')] for name in tables
        }


def test_an_upgrade_that_fails_late_leaves_the_earlier_desk(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.database.write_bytes(gzip.decompress(OLD.read_bytes()))
    db = Connection(desk.database, writer=True)
    db.raw.execute("CREATE INDEX facts_pinned ON facts (id)")  # A name that one of the last steps gives.
    before = db.rows("SELECT name, sql FROM sqlite_master ORDER BY name")
    with pytest.raises(StorageFailed, match="facts_pinned"):
        open_engine(desk)
    assert db.rows("SELECT name, sql FROM sqlite_master ORDER BY name") == before
    db.raw.close()
