"""Digests of rows in a PostgreSQL database, which keeps them itself: a trigger computes one as a row is written, in the
same statement.

The triggers act for MemDesk's connections, which say so with WRITES. A row that is written by hand keeps its digest, or
has none, and is damaged from then on, as one of a file is. The digest is the beginning of the SHA-256 of the row's
table and values: integers in decimal, floats as the hexadecimal of their eight bytes, texts after their length, - for
NULL."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from typing import Any

from memdesk.store.connection import Connection
from memdesk.store.digests import DIGEST_BYTES, Table, digest_anew, tables

WRITES = "memdesk.writes"
"""Setting of a connection that is `on` for MemDesk's own."""
_FORMS = {
    "BIGINT": "{}::text",
    "DOUBLE PRECISION": "encode(float8send({}), 'hex')",
    "TEXT": "length({0}) || ':' || {0}",
    "BYTEA": "length({0}) * 2 || ':' || hex({0})",
}


def digest_of(table: str, values: Sequence[Any]) -> bytes:
    """Return the digest of a row from its values as `Table.values` selects them, texts as str."""
    packed = ",".join((table, *map(_packed, values))).encode()
    return hashlib.sha256(packed).digest()[:DIGEST_BYTES]


def _packed(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, str):
        return f"{len(value)}:{value}"
    return struct.pack(">d", value).hex() if isinstance(value, float) else str(value)


def install(db: Connection, table: Table) -> None:
    """Let the database keep the digests of a table from now on."""
    name, new, old = table.name, _digest(table, "NEW"), _digest(table, "OLD")
    db.run(
        f"CREATE OR REPLACE FUNCTION digest_{name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"IF TG_OP = 'UPDATE' AND OLD.digest IS DISTINCT FROM {old} THEN NEW.digest := x''; "
        f"ELSE NEW.digest := {new}; END IF; RETURN NEW; END $$"
    )
    db.run(
        f"CREATE OR REPLACE TRIGGER digest_{name} BEFORE INSERT OR UPDATE ON {name} FOR EACH ROW "
        f"WHEN (current_setting('{WRITES}', true) = 'on') EXECUTE FUNCTION digest_{name}()"
    )


def install_all(db: Connection) -> None:
    """Install the digests of all tables in the current transaction, after their columns may have changed, and compute
    missing ones. Rows that fail by the columns that were digested until now stay damaged."""
    known: dict[str, str] = dict(db.rows("SELECT name, columns FROM digested"))
    for table in tables(db):
        if known.get(table.name) != ",".join(table.columns):
            db.run(f"DROP TRIGGER IF EXISTS digest_{table.name} ON {table.name}")
            digest_anew(db, table, known.get(table.name), _digest)
        install(db, table)


def _digest(table: Table, row: str) -> str:
    """Return the SQL expression of a row's digest."""
    # In quotes: `by` is a word of PL/pgSQL.
    values = (
        _FORMS[type].format(f'{row}."{name}"') for name, type in zip(table.columns, table.types, strict=True)
    )
    packed = ", ".join(f"coalesce({each}, '-')" for each in values)
    return f"substr(sha256(convert_to(concat_ws(',', '{table.name}', {packed}), 'UTF8')), 1, {DIGEST_BYTES})"
