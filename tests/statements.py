"""The statements that the store issues in a run, each prepared by PostgreSQL: SQL is portable, or named here."""

from __future__ import annotations

import functools
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from memdesk.store.connection import Connection
from tests import postgres

WORTH_A_SERVER = 400
"""Statements from which on a run is worth the second that a server takes: fewer are of a single test."""
COMPLETE = 4000
"""Statements from which on a run was one of all tests of store and engine."""
OF_THE_FILE = frozenset(
    (
        "backups",
        "digests",
        "encrypting",
        "integrity",
        "migrations",
        "sample_times",
        "salvage",
        "store",
    )
)
"""Modules that care for a desk's file, or for the digests of its rows."""
PORTS = frozenset(
    [
        "audit_log.days",
        "erasing.<genexpr>",
        "erasing._swapped_values",
        "erasing.texts",
        "indexing._add_words",
        "indexing._catch_up",
        "indexing._cut_words_anew",
        "indexing._on_vectors",
        "indexing._remove_words",
        "search._asked",
        "search._few",
        "search._from_pages",
        "search._newest",
        "timeline_query._beginning",
        "timeline_query.clear",
        "timeline_query.counted",
        "timeline_query.extend",
        "timeline_query.reach",
        "timeline_query.total",
        "timeline_query.window",
    ]
)
"""Functions whose SQL is of FTS5, sqlite-vec or SQLite's catalogue. Each has a version for PostgreSQL, or will."""
PORTS_OF_CONNECTION = frozenset(("columns", "provide", "rewrite", "tables", "watch"))
"""Methods of a connection that PostgreSQL's has of its own."""
REFUSED = frozenset[str]()
"""Functions with a statement that PostgreSQL still refuses. This list may only become shorter."""
_READS_OR_WRITES = re.compile(r"SELECT|WITH|INSERT|UPDATE|DELETE")
_STORE = re.compile(r".*/memdesk/store/(\w+)\.py")
_SEGMENT = re.compile(r"\baudit_\d{8}\b")
_seen: dict[str, tuple[str, list[type]]] = {}
_told = set[str]()


@functools.cache
def trace() -> None:
    """Remember each different statement from now on, with the function of the store that issued it."""
    execute, many = Connection._execute, Connection.run_many

    def traced(self: Connection, sql: str, params: Any) -> Any:
        if sql not in _seen:
            _note(sql, params)
        return execute(self, sql, params)

    def traced_many(self: Connection, sql: str, rows: Any) -> None:
        if sql not in _seen:
            _note(sql, ())
        many(self, sql, rows)

    Connection._execute, Connection.run_many = traced, traced_many  # type: ignore[method-assign]


def _note(sql: str, params: Any) -> None:
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_filename.endswith("/memdesk/store/connection.py"):
        if frame.f_code.co_name in PORTS_OF_CONNECTION:
            return
        frame = frame.f_back
    found = _STORE.match(frame.f_code.co_filename)
    site = "" if found is None else f"{found[1]}.{frame.f_code.co_name}"
    types = [] if isinstance(params, dict) else [type(each) for each in params]
    _seen[sql] = site, types


@pytest.fixture(scope="session", autouse=True)
def prepared_by_postgres() -> Iterator[None]:
    """At the end of the run, prepare what the store has issued in it."""
    yield
    new = {sql: found for sql, found in _seen.items() if sql not in _told and _is_due(sql, found[0])}
    _told.update(_seen)
    if len(new) < WORTH_A_SERVER or isinstance(postgres.running(), str):
        return
    refused: dict[str, str] = dict(_refusals(new))
    unknown = {site: why for site, why in refused.items() if site not in REFUSED}
    assert not unknown, f"PostgreSQL refuses statements of the store: {unknown}"
    # A worker of several sees a part of what a function issues.
    if len(new) > COMPLETE and "PYTEST_XDIST_WORKER" not in os.environ:
        accepted = REFUSED & {site for site, _ in new.values()} - refused.keys()
        assert not accepted, f"PostgreSQL takes these now, so they leave the list: {accepted}"


def _is_due(sql: str, site: str) -> bool:
    module = site.partition(".")[0]
    return bool(site and _READS_OR_WRITES.match(sql) and module not in OF_THE_FILE and site not in PORTS)


def _refusals(statements: dict[str, tuple[str, list[type]]]) -> Iterator[tuple[str, str]]:
    """Yield (function, why) for the statements that PostgreSQL does not prepare."""
    import psycopg
    from psycopg import pq

    from memdesk.store import audit_log
    from memdesk.store.postgres.connection import PostgresConnection
    from memdesk.store.postgres.dialect import translated

    address = postgres.server().desk()
    writer = PostgresConnection(address, writer=True)
    audit_log.lay_out(writer, 0)
    writer.close()
    types = {int: 20, bool: 20, str: 25, bytes: 17, float: 701}
    with psycopg.connect(address, autocommit=True) as db:
        db.execute('CREATE TEMP TABLE doomed (id TEXT COLLATE "C" UNIQUE, seq BIGINT)')
        for sql, (site, given) in statements.items():
            text, names = translated(_SEGMENT.sub(audit_log.table_of(0), sql))
            known = [] if names else [types.get(each, 0) for each in given]
            found = db.pgconn.prepare(b"", text.encode(), known)
            if found.status == pq.ExecStatus.FATAL_ERROR:
                yield site, f"{found.error_message.decode().partition(chr(10))[0]} in {sql}"
