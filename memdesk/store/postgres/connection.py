"""Connection to a PostgreSQL database with the face of one to a file: it takes the same SQL, and raises the same
errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from functools import partial
from itertools import count
from typing import Any

import psycopg
from psycopg import RawCursor, RawServerCursor, errors, pq
from psycopg.adapt import Loader
from psycopg.types.numeric import Int8Dumper
from psycopg.types.string import StrDumper

from memdesk.model.errors import BadAsk, StorageFailed
from memdesk.model.message import message
from memdesk.store import binding
from memdesk.store.connection import Connection, Damage, Params, Row, Scopes
from memdesk.store.guarding import unguarded
from memdesk.store.postgres import words
from memdesk.store.postgres.dialect import translated

PATIENCE_S = 10
"""Most seconds that a frozen engine may keep a transaction open, and that a statement waits for a lock."""
FETCHED = 1000
"""Rows that a reader which may stop early has sent at once."""
_OPEN = (pq.TransactionStatus.ACTIVE, pq.TransactionStatus.INTRANS, pq.TransactionStatus.INERROR)
_WRITES = re.compile(r"(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)")
_COLUMNS = re.compile(r"\(([^()]*)\)=")


class _Number(Loader):
    """Read a numeric, which PostgreSQL makes of sums and averages, as SQLite returns these."""

    def load(self, data: Any) -> int | float:
        found = Decimal(bytes(data).decode())
        return float(found) if "." in str(found) else int(found)


class _Truth(Loader):
    """Read a boolean as the 0 or 1 that SQLite returns."""

    def load(self, data: Any) -> int:
        return int(bytes(data) == b"t")


class PostgresConnection(Connection):
    """Connection to a desk's PostgreSQL database. Its attributes are those of a connection to a file.

    A transaction that begins on a connection that the server has closed is begun on a new one. lease: number of the
    advisory lock that the connection keeps; raises StorageFailed if another one has it."""

    virtual_tables = False

    def __init__(
        self,
        address: str,
        *,
        writer: bool = False,
        scopes: Scopes | None = None,
        damaged: Callable[[Damage], None] = lambda _: None,
        lease: int | None = None,
    ) -> None:
        self._address, self._lease = address, lease
        self.scopes = scopes or Scopes()
        self.damaged = damaged
        self.left_out = []
        self.snapshot = None
        self.guard = unguarded
        self.digested = False
        """PostgreSQL has checksums of its own pages."""
        self.vectors = True
        self.find_words = partial(words.postings_of, self)
        self._written = 0
        self._cursors = count()
        self._watched: dict[str, Callable[[], None]] = {}
        settings = {
            "idle_in_transaction_session_timeout": f"{PATIENCE_S}s",
            "lock_timeout": f"{PATIENCE_S}s",
            "TimeZone": "UTC",
            # A reader has one snapshot for its complete block, as of a file.
            "default_transaction_isolation": "read committed" if writer else "repeatable read",
            "default_transaction_read_only": "off" if writer else "on",
        }
        self._options = " ".join(
            f"-c {name}={value.replace(' ', chr(92) + ' ')}" for name, value in settings.items()
        )
        self._open()

    def _open(self) -> None:
        try:
            self.raw = psycopg.connect(
                self._address, autocommit=True, options=self._options, cursor_factory=RawCursor
            )
            if self._lease is not None:
                self._take_lease(self._lease)
        except psycopg.Error as error:
            raise _as_of_file(error) from error
        for dumper in (Int8Dumper, StrDumper):
            self.raw.adapters.register_dumper(int if dumper is Int8Dumper else str, dumper)
        self.raw.adapters.register_loader("numeric", _Number)
        self.raw.adapters.register_loader("bool", _Truth)

    def _take_lease(self, lease: int) -> None:
        row = self.raw.execute(b"SELECT pg_try_advisory_lock($1)", [lease]).fetchone()
        if row == (1,):
            return
        self.raw.close()
        raise StorageFailed(
            message("Another service has this desk's database open."),
            next=message("Ask that service over HTTPS, or stop it and try again."),
        )

    @property
    def in_transaction(self) -> bool:
        """Return True if a transaction is open, also one that an error ended."""
        return self.raw.info.transaction_status in _OPEN

    @property
    def written(self) -> int:
        return self._written

    def watch(self, table: str, moved: Callable[[], None], *, unless: str = "") -> None:
        """Call `moved` at every statement of this connection that writes a table, whichever rows it touches."""
        self._watched[table] = moved

    def tables(self) -> list[str]:
        return [
            name
            for (name,) in self.rows("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        ]

    def columns(self, table: str) -> dict[str, tuple[str, bool]]:
        rows = self.rows(
            "SELECT attname, upper(format_type(atttypid, NULL)), attnotnull FROM pg_attribute "
            "WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
            (table,),
        )
        return {name: (type, bool(required)) for name, type, required in rows}

    def provide(
        self, name: str, arguments: int, function: Callable[..., Any], *, built_in: bool = False
    ) -> None:
        """Do nothing: the desk's database has the functions."""

    @property
    def size(self) -> int:
        return int(self.value("SELECT pg_database_size(current_database())"))

    @contextmanager
    def loading(self) -> Iterator[None]:
        references = self.rows(
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint "
            "WHERE contype = 'f' AND connamespace = current_schema()::regnamespace"
        )
        for table, name, _ in references:
            self.run(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
        yield
        for table, name, definition in references:
            self.raw.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}".encode())
        for table, column in self.rows(
            "SELECT attrelid::regclass::text, attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid "
            "WHERE attidentity <> '' AND relnamespace = current_schema()::regnamespace"
        ):
            self.rows(
                f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'), max({column})) FROM {table}"
            )

    def overwrite_deleted(self, wanted: bool) -> None:
        """Do nothing: `rewrite` leaves what was deleted in no table."""

    def rewrite(self) -> bool:
        """Rewrite every table without its deleted rows; return False if another engine kept one locked."""
        try:
            self.run("VACUUM FULL")
        except binding.sqlite.OperationalError:
            return False
        return True

    def rows(self, sql: str, params: Params = ()) -> list[Row]:
        found: list[Row] = self._execute(sql, params).fetchall()
        return found

    def each(self, sql: str, params: Params = ()) -> Iterator[Row]:
        if not self.in_transaction:
            yield from self.rows(sql, params)
            return
        text, given = _prepared(sql, params)
        try:
            with RawServerCursor(self.raw, f"each_{next(self._cursors)}") as cursor:
                cursor.itersize = FETCHED
                cursor.execute(text.encode(), given)
                yield from cursor
        except psycopg.Error as error:
            raise _as_of_file(error) from error

    def row(self, sql: str, params: Params = ()) -> Row | None:
        found: Row | None = self._execute(sql, params).fetchone()
        return found

    def _execute(self, sql: str, params: Params) -> Any:
        text, given = _prepared(sql, params)
        try:
            cursor = self.raw.execute(text.encode(), given)
        except psycopg.Error as error:
            if not self.raw.closed or not sql.startswith("BEGIN"):
                raise _as_of_file(error) from error
            self._open()
            return self._execute(sql, params)
        self._note(sql, cursor.rowcount)
        return cursor

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        text, _ = translated(sql)
        given = [[_plain(each) for each in row] for row in rows]
        try:
            with self.raw.cursor() as cursor:
                cursor.executemany(text.encode(), given)
        except psycopg.Error as error:
            raise _as_of_file(error) from error
        self._note(sql, len(given))

    def _note(self, sql: str, count: int) -> None:
        """Count the rows that a statement has written, and call whoever watches its table."""
        found = _WRITES.match(sql)
        if found is not None and count > 0:
            self._written += count
            if (moved := self._watched.get(found[1])) is not None:
                moved()


def _prepared(sql: str, params: Params) -> tuple[str, list[Any]]:
    """Return a statement as PostgreSQL reads it, and its values in order."""
    text, names = translated(sql)
    given = [params[name] for name in names] if isinstance(params, dict) else list(params)
    return text, [_plain(each) for each in given]


def _plain(value: Any) -> Any:
    """Return a parameter as a type that has a counterpart: a message is text, and a condition a number."""
    if isinstance(value, bool):
        return int(value)
    if type(value) not in (str, int, float, bytes) and value is not None:
        return str(value) if isinstance(value, str) else value.item() if hasattr(value, "item") else value
    return value


def _as_of_file(error: psycopg.Error) -> Exception:
    """Return the error that a file's connection raises for the same cause."""
    said = str(error).strip()
    if isinstance(error, errors.UniqueViolation):
        found = _COLUMNS.search(error.diag.message_detail or "")
        columns = found[1].split(", ") if found else []
        names = ", ".join(f"{error.diag.table_name}.{column}" for column in columns)
        return _of_file("IntegrityError", f"UNIQUE constraint failed: {names}")
    if isinstance(error, errors.ForeignKeyViolation):
        return _of_file("IntegrityError", "FOREIGN KEY constraint failed")
    if isinstance(error, errors.NotNullViolation):
        return _of_file(
            "IntegrityError", f"NOT NULL constraint failed: {error.diag.table_name}.{error.diag.column_name}"
        )
    if isinstance(error, psycopg.DataError) and "NUL" in said:
        return BadAsk(message("The text holds a NUL character, which cannot be stored."))
    return _of_file(
        "IntegrityError" if isinstance(error, psycopg.IntegrityError) else "OperationalError", said
    )


def _of_file(name: str, said: str) -> Exception:
    raised: Exception = getattr(binding.sqlite, name)(said)
    return raised
