"""Connection to a PostgreSQL database with the face of one to a file: it takes the same SQL, and raises the same
errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from typing import Any

import psycopg
from psycopg import RawCursor, RawServerCursor, errors, generators, pq
from psycopg.types.bool import BoolBinaryLoader
from psycopg.types.numeric import Int8Dumper, NumericBinaryLoader
from psycopg.types.string import StrDumper

from memdesk.model.errors import BadAsk, NotAllowed, StorageFailed
from memdesk.model.message import message
from memdesk.store import binding
from memdesk.store.connection import Connection, Damage, Params, Read, Row, RowDigests, Scopes
from memdesk.store.guarding import unguarded
from memdesk.store.indexing import STORED_VECTOR
from memdesk.store.postgres import digests, walling, words
from memdesk.store.postgres.statements import Statement, plain, prepared, statements_of_rows, with_record
from memdesk.store.run_context import Reach, present_reach

PATIENCE_S = 10
"""Most seconds that a transaction may wait for its engine, and that a statement waits for a lock."""
FETCHED = 1000
"""Rows that a reader which may stop early has sent at once."""
PREPARED_AT, STATEMENTS = 2, 1024
"""Uses after which the server keeps a statement's plan, and how many it keeps for a connection."""
_LEFT = ("BEGIN", "SAVEPOINT", "RELEASE")
"""Beginnings of statements that go out with the next one."""
_SURE = (*_LEFT, walling.AS_OWNER)
"""Beginnings of statements that the server does not refuse."""
_OF_ROWS = ("INSERT", "UPDATE", "DELETE", "SAVEPOINT", "RELEASE")
"""Beginnings of statements that change nothing but rows of a table that they name."""
_OPEN = (pq.TransactionStatus.ACTIVE, pq.TransactionStatus.INTRANS, pq.TransactionStatus.INERROR)
_WRITES = re.compile(r"(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)")
_COLUMNS = re.compile(r"\(([^()]*)\)=")


class _Number(NumericBinaryLoader):
    """Read a numeric, which PostgreSQL makes of sums and averages, as SQLite returns these."""

    def load(self, data: Any) -> Any:
        found = super().load(data)
        return float(found) if "." in str(found) else int(found)


class _Truth(BoolBinaryLoader):
    """Read a boolean as the 0 or 1 that SQLite returns."""

    def load(self, data: Any) -> Any:
        return int(super().load(data))


class PostgresConnection(Connection):
    """Connection to a desk's PostgreSQL database. Its attributes are those of a connection to a file.

    member: role of members, "" where there is none. A reader that is given it has it for good, the writer for members'
    pieces alone. reach: what the present transaction or piece may reach, None for everything.

    A transaction that begins on a connection that the server has closed is begun on a new one, and `renewed` is True
    then.

    What nobody waits for (BEGIN, SAVEPOINT, RELEASE, `send`, `run_many`) goes out with the next statement, in one round
    trip."""

    virtual_tables = False
    far = True
    row_digests: RowDigests | None = digests
    row_number = "ctid"

    def __init__(
        self,
        address: str,
        *,
        writer: bool = False,
        scopes: Scopes | None = None,
        damaged: Callable[[Damage], None] = lambda _: None,
        member: str = "",
    ) -> None:
        self._address, self._shared = address, list[int]()
        self.member = member
        self.reach: Reach | None = None
        self.scopes = scopes or Scopes()
        self.damaged = damaged
        self.left_out = []
        self.snapshot = self.give_way = None
        self.guard = unguarded
        self.vectors = True
        self.find_words = partial(words.postings_of, self)
        self._writer, self._written = writer, 0
        self._cursors = count()
        self._watched: dict[str, tuple[Callable[[], None], str]] = {}
        self.moved: set[str] = set()
        """Watched tables that were written since this was emptied."""
        self._unsent: list[Statement] = []
        self._ahead: dict[tuple[str, str], list[Row]] = {}
        """Rows of statements (SQL, parameters in writing) that were read ahead; after a write only vectors."""
        self._ending = False
        """A ROLLBACK was sent whose answer was not read yet."""
        self.renewed = False
        settings = {
            "idle_in_transaction_session_timeout": f"{PATIENCE_S}s",
            "lock_timeout": f"{PATIENCE_S}s",
            "TimeZone": "UTC",
            # A reader has one snapshot for its complete block, as of a file.
            "default_transaction_isolation": "read committed" if writer else "repeatable read",
            "default_transaction_read_only": "off" if writer else "on",
            digests.WRITES: "on",
        } | ({"role": member} if member else {})
        self._options = " ".join(f"-c {name}={_escaped(value)}" for name, value in settings.items())
        self._open()

    def _open(self) -> None:
        try:
            self.raw = psycopg.connect(
                self._address, autocommit=True, options=self._options, cursor_factory=RawCursor
            )
            for lock in self._shared:
                self.raw.execute(b"SELECT pg_advisory_lock_shared($1)", [lock])
        except psycopg.Error as error:
            raise _as_of_file(error) from error
        self.raw.prepare_threshold, self.raw.prepared_max = PREPARED_AT, STATEMENTS
        for dumper in (Int8Dumper, StrDumper):
            self.raw.adapters.register_dumper(int if dumper is Int8Dumper else str, dumper)
        self.raw.adapters.register_loader("numeric", _Number)
        self.raw.adapters.register_loader("bool", _Truth)

    @contextmanager
    def narrowed(self, reach: Reach) -> Iterator[None]:
        """Let the block, in a transaction, read and write as a member. Where it raises, the caller rolls back."""
        self.send(walling.AS_MEMBER, (self.member,))
        self.send(walling.NARROW, walling.narrowing(reach))
        self.reach = reach
        try:
            yield
            self.send(walling.AS_OWNER)
        finally:
            self.reach = None

    @contextmanager
    def as_owner(self) -> Iterator[None]:
        reach, self.reach = self.reach, None
        if reach is None:
            yield
            return
        try:
            self.send(walling.AS_OWNER)
            yield
            self.send(walling.AS_MEMBER, (self.member,))
        finally:
            self.reach = reach

    def wall(self, table: str) -> None:
        if self.member:
            walling.wall(self, self.member, table)

    def newest(self, table: str) -> str:
        return super().newest(table) if self.reach is None else walling.newest(table)

    def share(self, lock: int) -> None:
        """Share an advisory lock as long as the connection is there. Raises StorageFailed while another connection has
        it alone."""
        if not self.value("SELECT pg_try_advisory_lock_shared(?)", (lock,)):
            raise StorageFailed(
                message("A service of an older MemDesk has this desk's database open."),
                next=message("Stop it, then try again."),
            )
        self._shared.append(lock)

    @property
    def in_transaction(self) -> bool:
        """Return True if a transaction is open, also one that an error ended."""
        return bool(self._unsent) or self._is_begun

    @property
    def written(self) -> int:
        return self._written

    def watch(self, table: str, moved: Callable[[], None], *, unless: str = "") -> None:
        """Call `moved` at every statement of this connection that writes a table, whichever rows it touches.

        unless: beginning of keys; a statement with such a value is left out."""
        self._watched[table] = moved, unless

    def hear(self, tables: Iterable[str] | None) -> None:
        """Call whoever watches these tables, None for all: another connection has written them."""
        for table in self._watched if tables is None else self._watched.keys() & set(tables):
            self._watched[table][0]()

    def tables(self, *, column: str = "") -> list[str]:
        rows = self.rows(
            "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND (?1 = '' OR EXISTS "
            "(SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass(tablename) AND attname = ?1))",
            (column,),
        )
        return [name for (name,) in rows]

    def columns(self, table: str) -> dict[str, tuple[str, bool, int]]:
        rows = self.rows(
            "SELECT attname, upper(format_type(atttypid, NULL)), attnotnull, coalesce(array_position((SELECT conkey "
            "FROM pg_constraint WHERE conrelid = attrelid AND contype = 'p'), attnum), 0) FROM pg_attribute "
            "WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
            (table,),
        )
        return {name: (type, bool(required), place) for name, type, required, place in rows}

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
        self._send_unsent()
        for table, name, definition in references:
            self.raw.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}".encode())
        for table, column in self.rows(
            "SELECT attrelid::regclass::text, attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid "
            "WHERE attidentity <> '' AND relnamespace = current_schema()::regnamespace"
        ):
            self.rows(
                f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'), max({column})) FROM {table}"
            )

    def refresh_statistics(self) -> None:
        """Have tables counted and their pages marked as visible to all, after many rows were loaded: until then plans
        guess, and no index answers alone. Run it outside any transaction."""
        self.run("VACUUM (ANALYZE)")

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
        if self._ahead and (known := self._ahead.get((sql, repr(params)))) is not None:
            return known
        return self._execute(sql, params).fetchall()

    def ahead(self, reads: Sequence[Read]) -> None:
        wanted = {(sql, repr(params)): prepared(sql, params) for sql, params in reads}
        if wanted:
            cursors = self._exchange([*wanted.values()])[-len(wanted) :]
            self._ahead |= {key: each.fetchall() for key, each in zip(wanted, cursors, strict=True)}

    def each(self, sql: str, params: Params = ()) -> Iterator[Row]:
        if not self.in_transaction:
            yield from self.rows(sql, params)
            return
        self._send_unsent()
        statement = prepared(sql, params)
        try:
            with RawServerCursor(self.raw, f"each_{next(self._cursors)}") as cursor:
                cursor.itersize = FETCHED
                cursor.execute(statement.text, statement.given, binary=True)
                try:
                    yield from cursor
                finally:
                    # A reader that stopped early may have ended its transaction before.
                    if self._ending:
                        self._hear_end()
        except psycopg.Error as error:
            raise _as_of_file(error) from error

    def row(self, sql: str, params: Params = ()) -> Row | None:
        if self._ahead and (known := self._ahead.get((sql, repr(params)))) is not None:
            return known[0] if known else None
        return self._execute(sql, params).fetchone()

    def run(self, sql: str, params: Sequence[Any] = ()) -> int:
        self._outdate(sql)
        if sql.startswith(_LEFT):
            self._unsent.append(prepared(sql, params))
            if sql == "BEGIN" and self.member and not self._writer:
                self.reach = present_reach()
                self.send(walling.NARROW, walling.narrowing(self.reach))
            return 0
        if sql.startswith("ROLLBACK"):
            while self._unsent:
                if self._unsent[-1].sql == sql.replace("ROLLBACK TO", "SAVEPOINT"):
                    return 0
                self._unsent.pop()
        if sql in ("COMMIT", "ROLLBACK") and not self._unsent[1:] and not self._is_begun:
            self._unsent.clear()
            return 0
        return self._execute(sql, params).rowcount

    def send(self, sql: str, params: Sequence[Any] = ()) -> None:
        self._leave(prepared(sql, params))

    def insert(
        self,
        record: Sequence[Any],
        table: str,
        columns: Sequence[str],
        values: Sequence[Any],
        *,
        taken: Callable[[], Exception],
    ) -> None:
        self._leave(with_record(record, table, columns, values, taken))

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        for statement in statements_of_rows(sql, rows):
            self._leave(statement)

    def load(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        self._ahead.clear()
        self._send_unsent()
        try:
            with (
                self.raw.cursor() as cursor,
                cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN".encode()) as copy,
            ):
                for row in rows:
                    copy.write_row(plain(row))
        except psycopg.Error as error:
            raise _as_of_file(error) from error
        self._note(f"INSERT INTO {table}", cursor.rowcount)

    def flush(self) -> None:
        if any(not each.sql.startswith(_SURE) for each in self._unsent):
            self._send_unsent()

    def _send_unsent(self) -> None:
        if self._unsent:
            self._exchange([self._unsent.pop()])

    @property
    def _is_begun(self) -> bool:
        """Return True if the server has a transaction of this connection open."""
        return not self._ending and self.raw.info.transaction_status in _OPEN

    def end_reading(self) -> None:
        # Nobody waits for the server's word on it.
        self._unsent.clear()
        self._ahead.clear()
        if self._is_begun:
            with suppress(psycopg.Error):
                self.raw.pgconn.send_query(b"ROLLBACK")
                self.raw.pgconn.flush()
            self._ending = True

    def _hear_end(self) -> None:
        """Read the server's word on a ROLLBACK that nobody waited for."""
        self._ending = False
        with suppress(psycopg.Error):
            self.raw.wait(generators.fetch_many(self.raw.pgconn))

    def _outdate(self, sql: str) -> None:
        """Forget what was read ahead, as a statement may change it. Vectors are forgotten only where it is about their
        table, or changes the role: what a member sees is not what the owner does."""
        if self._ahead:
            kept = sql.startswith(_OF_ROWS) and "embeddings" not in sql
            self._ahead = {key: rows for key, rows in self._ahead.items() if kept and key[0] == STORED_VECTOR}

    def _leave(self, statement: Statement) -> None:
        """Send a statement with the next one; at once outside of a transaction."""
        self._outdate(statement.sql)
        if self.in_transaction:
            self._unsent.append(statement)
        else:
            self._exchange([statement])

    def _execute(self, sql: str, params: Params) -> RawCursor[Row]:
        if self.give_way is not None:
            self.give_way()
        if not sql.startswith("SELECT"):
            self._outdate(sql)
        return self._exchange([prepared(sql, params)])[-1]

    def _exchange(self, last: list[Statement]) -> list[RawCursor[Row]]:
        """Send what was left and these statements in one round trip; return the cursors of all."""
        statements, self._unsent = [*self._unsent, *last], []
        # A read by itself can be repeated as well as a transaction's beginning.
        anew = ("BEGIN",) if self._writer or self._is_begun else ("BEGIN", "SELECT")
        cursors = list[RawCursor[Row]]()
        try:
            self._issue(statements, cursors)
        except psycopg.Error as error:
            # Psycopg takes for prepared what the statements after the failed one were to prepare.
            self.raw._prepared.clear()
            # A lost COMMIT may have been carried out.
            if not self.raw.closed or not statements[0].sql.startswith(anew) or last[-1].sql == "COMMIT":
                raise _refusal(error, statements, cursors) from error
            self._open()
            self.renewed = True
            return self._exchange(statements)
        for statement, cursor in zip(statements, cursors, strict=True):
            self._note(statement.sql, cursor.rowcount, statement.given)
        return cursors

    def _issue(self, statements: Sequence[Statement], cursors: list[RawCursor[Row]]) -> None:
        """Carry out statements in one round trip. cursors: filled with theirs; one that failed, and those after it,
        have no answer then."""
        if self._ending:
            self._hear_end()
        cursors += (self.raw.cursor(binary=True) for _ in statements)
        if len(statements) == 1:
            statements[0].issue(cursors[0])
            return
        unsendable: Exception | None = None
        with self.raw.pipeline():
            for statement, cursor in zip(statements, cursors, strict=True):
                try:
                    statement.issue(cursor)
                except (psycopg.Error, UnicodeEncodeError) as error:
                    if getattr(error, "sqlstate", None) is not None:
                        raise
                    # The end of the block raises what the server has refused of those before it.
                    unsendable = error
                    break
        if unsendable is not None:
            raise unsendable

    def _note(self, sql: str, count: int, given: Sequence[Any] = ()) -> None:
        """Count the rows that a statement has written, and call whoever watches its table."""
        found = _WRITES.match(sql)
        if found is not None and count > 0:
            self._written += count
            moved, unless = self._watched.get(found[1], (None, ""))
            if moved is not None and not (unless and any(str(each).startswith(unless) for each in given)):
                self.moved.add(found[1])
                moved()


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace(" ", "\\ ")


def _refusal(
    error: psycopg.Error, statements: Sequence[Statement], cursors: Sequence[RawCursor[Row]]
) -> Exception:
    """Return the error of the statement that failed, of those in one message: the first one without an answer."""
    if isinstance(error, errors.UniqueViolation) and error.diag.table_name == "records":
        for statement, cursor in zip(statements, cursors, strict=True):
            if statement.taken is not None and cursor.pgresult is None:
                return statement.taken()
    return _as_of_file(error)


def _as_of_file(error: psycopg.Error) -> Exception:
    """Return the error that a file's connection raises for the same cause."""
    said = str(error).strip()
    if isinstance(error, errors.UniqueViolation):
        found = _COLUMNS.search(error.diag.message_detail or "")
        # Row-level security hides the columns of a row that the member may not see.
        columns = found[1].split(", ") if found else [str(error.diag.constraint_name)]
        names = ", ".join(f"{error.diag.table_name}.{column}" for column in columns)
        return _of_file("IntegrityError", f"UNIQUE constraint failed: {names}")
    if isinstance(error, errors.ForeignKeyViolation):
        return _of_file("IntegrityError", "FOREIGN KEY constraint failed")
    if isinstance(error, errors.NotNullViolation):
        return _of_file(
            "IntegrityError", f"NOT NULL constraint failed: {error.diag.table_name}.{error.diag.column_name}"
        )
    if isinstance(error, errors.InsufficientPrivilege):
        return NotAllowed(
            message("This is outside of what your token may use ({why}).", why=said.partition("\n")[0])
        )
    if isinstance(error, errors.DataCorrupted | errors.IndexCorrupted):
        return _of_file("DatabaseError", said)
    # The store writes no JSON that cannot be read.
    if isinstance(error, errors.InvalidTextRepresentation) and "json" in said:
        return _of_file("DatabaseError", f"a row is damaged ({error.diag.message_primary})")
    if isinstance(error, psycopg.DataError) and "NUL" in said:
        return BadAsk(message("The text holds a NUL character, which cannot be stored."))
    return _of_file(
        "IntegrityError" if isinstance(error, psycopg.IntegrityError) else "OperationalError", said
    )


def _of_file(name: str, said: str) -> Exception:
    raised: Exception = getattr(binding.sqlite, name)(said)
    return raised
