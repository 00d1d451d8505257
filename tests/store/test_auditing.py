"""The journal under any damage to what it says: walking the chain names the first change that was touched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import edit_fact
from memdesk.engine.memory.remember import learn_fact, store_turn
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.engine.verify import verify
from memdesk.files.places import Desk
from memdesk.model.change import Change
from memdesk.model.curation import EditFact, Undo
from memdesk.model.errors import StorageFailed
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact, NewTurn
from memdesk.model.settings import DEFAULTS
from memdesk.store import chain
from memdesk.store.audit_log import policy_of
from memdesk.store.connection import Connection
from memdesk.store.store import Store
from tests.effort import examples

TEXTS = (("changes", "title"), ("changes", "details"), ("edits", "before"), ("edits", "after"))


@dataclass(frozen=True)
class Text:
    """One text of the journal and the change it belongs to. key: what its row is found by."""

    table: str
    column: str
    key: str
    row: int
    change: int
    bytes: int


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A desk of a few changes of every shape."""
    engine = open_engine(Desk(tmp_path_factory.mktemp("desk")))
    turn = store_turn(engine, NewTurn(content="Wir ziehen um 搬家 🚚"), author="agent:iris")
    known = learn_fact(
        engine, NewFact(claim="They move", about=("Oslo",), source_turn_id=turn.id), author="agent:iris"
    )
    recall(engine, Query(text="who moves?"), author="agent:iris")
    edit_fact(engine, EditFact(fact_id=known.id, claim="They move to Oslo"), author="person:Mara")
    undo(engine, Undo(), author="person:Mara")
    engine.store.apply(
        Change(op="update", title="Why", author="person:Mara", edits=(), details={"why": "因为"})
    )
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def texts(engine: Engine) -> list[Text]:
    found = []
    with engine.store.reading() as db:
        for table, column in TEXTS:
            key, change = ("id", "id") if table == "changes" else ("change * 1000 + n", "change")
            size = f"length(CAST({column} AS BLOB))"
            rows = db.rows(f"SELECT {key}, {change}, {size} FROM {table} WHERE {size} > 0")
            found += [Text(table, column, key, *row) for row in rows]
    return found


@settings(max_examples=examples(150), suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_byte_of_any_text_that_is_another_breaks_the_chain_at_its_change(
    engine: Engine, texts: list[Text], data: st.DataObject
) -> None:
    text = data.draw(st.sampled_from(texts))
    position, mask = data.draw(st.integers(0, text.bytes - 1)), data.draw(st.integers(1, 255))
    before = exchanged(engine, text, None)
    after = bytearray(before)
    after[position] ^= mask
    if engine.store.shared and not is_text(after):
        with pytest.raises(StorageFailed):
            exchanged(engine, text, bytes(after))
        return
    exchanged(engine, text, bytes(after))
    found = verify(engine)
    exchanged(engine, text, before)
    assert found.first_break is not None
    assert (found.first_break.change, found.first_break.what) == (text.change, "payload")
    # Also what the examples before exchanged is there again.
    assert found.holding == found.changes - 1


def is_text(data: bytes) -> bool:
    """Return True if a database takes these bytes as a text. A file takes any."""
    return b"\0" not in data and data.decode(errors="ignore").encode() == data


def exchanged(engine: Engine, text: Text, other: bytes | None) -> bytes:
    """The bytes of a text, which are `other` from now on."""

    def work(db: Connection) -> bytes:
        where = f"WHERE {text.key} = ?"
        found: bytes = db.value(f"SELECT CAST({text.column} AS BLOB) FROM {text.table} {where}", (text.row,))
        if other is not None:
            # PostgreSQL's cast makes a text of hexadecimal digits.
            as_text = "CAST(? AS TEXT)" if db.virtual_tables else "convert_from(?, 'UTF8')"
            db.run(f"UPDATE {text.table} SET {text.column} = {as_text} {where}", (other, text.row))
        return found

    return engine.store.submit(work).result()


def test_no_two_rows_of_parts_read_alike() -> None:
    alike = [
        ("ab", "c"),
        ("a", "bc"),
        ("abc", ""),
        ("abc", None),
        ("abc",),
        ("1:a",),
        ("a", None),
        (None, "a"),
    ]
    sums = {chain.payload_of(parts, ()) for parts in alike}
    assert len(sums) == len(alike)


def test_the_segment_and_the_settings_are_made_again_when_their_transaction_was_rolled_back(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path / "memory.db", backups=tmp_path, clock=iter(range(1, 10**9)).__next__)
    change = Change(op="learn", title="One", author="a", edits=())

    def write_and_fail(db: Connection, _index: object, journal: Any) -> None:
        journal.apply(change)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.maintain(write_and_fail).result()
    applied = store.apply(change)
    with store.reading() as db:
        assert db.rows("SELECT event, config_snapshot FROM audit_19700101") == [(applied.id, 1)]
        assert db.value("SELECT count(*) FROM audit_configs") == 1
    store.close()


def test_a_policy_samples_its_share_whatever_the_order_of_numbers() -> None:
    level = policy_of(DEFAULTS)
    for rate in (0.0, 0.1, 0.5, 1.0):
        policy = type(level)(level="reads", sample_rate=rate, snapshot="{}")
        for step in (1, 2, 10):
            kept = sum(policy.samples(number * step) for number in range(1, 2001))
            assert kept == pytest.approx(2000 * rate, abs=40)
