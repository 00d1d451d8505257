"""The migrated schema holds exactly what the Kinds say, and no more."""

from __future__ import annotations

from typing import Any, get_type_hints

import pytest

from memdesk.model.kind import RECALLED, SEARCHED, Kind
from memdesk.model.kinds import BY_NAME, KINDS, PASSAGE, TIMELINE
from memdesk.store import digests
from memdesk.store.store import Store

SQL = {"int": ("INTEGER", True), "str": ("TEXT", True), "float": ("REAL", True)}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder = tmp_path_factory.mktemp("desk")
    return Store(folder / "memory.db", backups=folder / "backups", clock=lambda: 1)


def test_no_two_kinds_are_alike_in_what_a_change_is_about() -> None:
    assert len({kind.subject_rank for kind in KINDS}) == len(KINDS)


def test_recall_returns_every_kind_that_is_declared_so() -> None:
    """The names are a list of their own, so that a command that recalls need not import every kind."""
    by_default = {kind.name for kind in KINDS if kind.recalled}
    assert set(RECALLED) == {PASSAGE, *by_default}
    assert set(SEARCHED) == {PASSAGE, *by_default, *(kind.name for kind in KINDS if kind.searched)}


def test_several_of_a_kind_are_named_in_the_plural() -> None:
    named = [BY_NAME[name].plural for name in ("fact", "entity", "strategy", "trait")]
    assert named == ["facts", "entities", "strategies", "profile entries"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_has_its_table_with_its_columns_in_order(store: Store, kind: Kind[Any]) -> None:
    with store.reading() as db:
        columns = {row[1]: (row[2], bool(row[3])) for row in db.rows(f"PRAGMA table_info({kind.table})")}
    assert columns.pop("digest") == ("BLOB", False)
    assert tuple(columns) == kind.columns
    hints = get_type_hints(kind.record)
    for name in kind.columns:
        wanted = str(hints[name]).removeprefix("<class '").removesuffix("'>")
        optional = wanted.endswith(" | None")
        type, needed = columns[name]
        assert type == SQL[wanted.removesuffix(" | None")][0]
        assert needed is not optional or name == "seq"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_reference_of_a_kind_is_a_foreign_key(store: Store, kind: Kind[Any]) -> None:
    tables = {name: each.table for name, each in BY_NAME.items()} | {"record": "records"}
    with store.reading() as db:
        keys = {(row[3], row[2]) for row in db.rows(f"PRAGMA foreign_key_list({kind.table})")}
    assert keys == {(column, tables[other]) for column, other in kind.references}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_uniqueness_of_a_kind_is_an_index(store: Store, kind: Kind[Any]) -> None:
    with store.reading() as db:
        unique = {
            tuple(column[2] for column in db.rows(f"PRAGMA index_info({row[1]})"))
            for row in db.rows(f"PRAGMA index_list({kind.table})")
            if row[2]
        }
    assert unique == {("id",), *kind.unique}


@pytest.mark.parametrize("name", TIMELINE)
def test_every_kind_of_the_timeline_is_read_in_the_order_of_an_index(store: Store, name: str) -> None:
    kind = BY_NAME[name]
    with store.reading() as db:
        columns = [row[2] for row in db.rows(f"PRAGMA index_info({kind.table}_time)")]
    assert columns == ["user_id", "started_at" if "started_at" in kind.columns else "created_at"]


def test_what_a_kind_names_is_one_of_its_columns() -> None:
    for kind in KINDS:
        named = {
            kind.title,
            *kind.text,
            *kind.hidden,
            *kind.labels,
            *(column for column, _ in kind.references),
        }
        assert named | ({kind.category} - {""}) <= {*kind.columns}, kind.name
        assert ("status" in kind.columns and bool(kind.tabled)) == bool(kind.statuses)
        assert not kind.tabled or all(kind.none_yet)
        assert not kind.owner or kind.owner in BY_NAME


def test_the_states_and_sort_orders_of_a_kind_follow_from_its_columns() -> None:
    assert BY_NAME["fact"].states == ("current", "past", "pinned", "quarantined", "retired", "all")
    assert BY_NAME["goal"].sorts == ("created", "title", "channel", "priority", "state")
    assert BY_NAME["entity"].described == ("description", "properties")


def test_the_rows_of_every_kind_have_digests(store: Store) -> None:
    with store.reading() as db:
        digested = {table.name for table in digests.tables(db)}
    assert {kind.table for kind in KINDS} <= digested


def test_a_row_with_the_defaults_of_added_columns_keeps_its_digest() -> None:
    kind = BY_NAME["turn"]
    before = [name for name in kind.columns if name not in ("origin", "trust")]
    old = digests.digest_of(kind.table, before)
    assert digests.digest_of(kind.table, [*before, "", 0.7]) == old
    assert digests.digest_of(kind.table, [*before, "", 0.8]) != old
    assert digests.digest_of(kind.table, [*before, "web", 0.7]) != old
    # Otherwise the next added column would make every row of an older desk a damaged one.
    newer = digests.digest_of(kind.table, [*before, "", 0.7, "next"])
    assert newer != digests.digest_of(kind.table, [*before, "", 0.8, "next"])
    assert newer == digests.digest_of(kind.table, [*before, "next"])
