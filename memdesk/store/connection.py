"""Typed wrapper around a SQLite connection, opened with the settings that the store needs."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import sqlite_vec

from memdesk.store import binding
from memdesk.store.guarding import Guard, unguarded

SIZES = 4096
"""Most scopes whose sizes are cached."""
CACHE_BYTES = 64 * 2**20
"""Maximum size of all cached scopes: 1.6 million vectors of 256 bits."""

Bits = npt.NDArray[np.uint64] | npt.NDArray[np.uint8]
"""Sign bits in words of 64, or in bytes where they do not fill such words."""


Row = tuple[Any, ...]
Params = Sequence[Any] | Mapping[str, Any]
"""Parameters in the order of the question marks, or by name."""
Read = tuple[str, Params]
"""Statement that reads, and its parameters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedScope:
    """Scope as of a version. words: the first word of each vector, then the second, ...; seqs: their search
    numbers."""

    version: int
    words: Bits
    seqs: npt.NDArray[np.int64]

    @property
    def size(self) -> int:
        return self.words.nbytes + self.seqs.nbytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """State of a desk: numbers of its newest change, embedding and memory, and its embedder with the dimension of the
    vectors in use."""

    change: int
    embedding: int
    newest: int
    model: str
    dimension: int


@dataclass(slots=True)
class Snapshot:
    """Values read once in a snapshot: its head, the versions of scopes by user and channels, and rows of vectors by
    model and search number. among: rows that were read ahead, by statement of `rows_among` and their key. behind_s: the
    most a replica is behind the desk's database, None in that itself."""

    head: Head | None = None
    vectors: dict[str, dict[int, Row]] = field(default_factory=dict)
    among: dict[tuple[str, tuple[Any, ...]], dict[Any, list[Row]]] = field(default_factory=dict)
    versions: dict[tuple[str, tuple[str, ...]], dict[tuple[str, str], int]] = field(default_factory=dict)
    behind_s: float | None = None


class Scopes:
    """Cache of the scopes of one desk that were read last. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: OrderedDict[str, CachedScope] = OrderedDict()
        self._sizes: dict[str, tuple[int, int]] = {}
        self._bytes = 0

    def size_at(self, scope: str, version: int) -> int | None:
        """Return the size of a scope if it is cached at this version."""
        known = self._sizes.get(scope)
        return known[1] if known is not None and known[0] == version else None

    def keep_size(self, scope: str, version: int, size: int) -> None:
        """Cache the size of a scope, at most SIZES of them."""
        with self._lock:
            if len(self._sizes) >= SIZES:
                self._sizes.clear()
            self._sizes[scope] = version, size

    def at(self, scope: str, version: int) -> CachedScope | None:
        """Return a scope if it is cached at this version."""
        with self._lock:
            held = self._held.get(scope)
            if held is None or held.version != version:
                return None
            self._held.move_to_end(scope)
            return held

    def keep(self, scope: str, held: CachedScope) -> None:
        """Cache a scope; the least recently requested ones are removed to make room."""
        with self._lock:
            if (before := self._held.pop(scope, None)) is not None:
                self._bytes -= before.size
            self._held[scope] = held
            self._bytes += held.size
            while len(self._held) > 1 and self._bytes > CACHE_BYTES:
                _, gone = self._held.popitem(last=False)
                self._bytes -= gone.size

    def clear(self) -> None:
        """Remove all scopes, as after an erasure."""
        with self._lock:
            self._held.clear()
            self._sizes.clear()
            self._bytes = 0


STATEMENTS = 1024
"""Compiled statements that a connection keeps. pysqlite3 never drops those of before for a new one: beyond this number
each new statement is compiled at each use, which takes longer than most of them."""
WRITER_PAGES_KB, READER_PAGES_KB = 32 * 1024, 4 * 1024
"""What each connection keeps of the file. There may be a writer and sixteen readers; behind them all the file
is in the system's own cache."""


@dataclass(frozen=True, slots=True)
class Damage:
    """Row that differs from its written state. kind: of its record; seq: its search number; id: "" if
    unknown."""

    kind: str
    seq: int
    id: str


class RowDigests(Protocol):
    """Digests of rows that a database keeps by itself: how it computes one, and how it is asked to keep a table's."""

    def digest_of(self, table: str, values: Sequence[Any], /) -> bytes: ...

    def install(self, db: Connection, table: Any, /) -> None: ...


class Connection:
    """Connection to a desk's database. `vectors` is True if sqlite-vec is loaded; `scopes` is a cache that
    several may share.

    virtual_tables: words, titles and vectors are in tables of FTS5 and sqlite-vec, else in plain ones.
    far: each question is a round trip to a server.
    damaged: called for every damaged row that is read; left_out: those of the present read. snapshot: values
    read so far in the present snapshot; None where they may change. give_way: called before each statement, by
    work that nobody waits for. guard: replaces secrets in
    what is written. row_digests: digests that the database keeps by itself; None for a file, where `store/digests.py`
    keeps them. find_words: searches the words of a database without FTS5, as `search.postings_of`. row_number: the
    column by which a row is found in a table without a key. salvaging: also open a database whose end is cut off, and
    read as far as possible."""

    virtual_tables = True
    far = False
    row_digests: RowDigests | None = None
    row_number = "rowid"

    def __init__(
        self,
        path: Path,
        *,
        writer: bool = False,
        scopes: Scopes | None = None,
        damaged: Callable[[Damage], None] = lambda _: None,
        salvaging: bool = False,
    ) -> None:
        self.scopes = scopes or Scopes()
        self.damaged = damaged
        self.left_out: list[Damage] = []
        self.snapshot: Snapshot | None = None
        self.give_way: Callable[[], None] | None = None
        self.guard: Guard = unguarded
        self.find_words: Callable[..., list[list[int]]] | None = None
        self.raw: Any = binding.connect(
            path, isolation_level=None, check_same_thread=False, cached_statements=STATEMENTS
        )
        self.vectors = self._load_vectors()
        if salvaging:
            # SQLite then asks no longer that the file be as long as its first page says.
            self.run("PRAGMA writable_schema=ON")
        # FULL: an acknowledged write survives power loss. The WAL is cut back after checkpoints.
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "busy_timeout=10000",
            f"cache_size=-{WRITER_PAGES_KB if writer else READER_PAGES_KB}",
            "journal_size_limit=67108864",
            "temp_store=MEMORY",
        ):
            self.run(f"PRAGMA {pragma}")
        if not writer:
            self.run("PRAGMA query_only=ON")

    def _load_vectors(self) -> bool:
        if not binding.can_load_extensions:
            return False
        try:
            self.raw.enable_load_extension(True)
            sqlite_vec.load(self.raw)
            self.raw.enable_load_extension(False)
        except binding.sqlite.OperationalError:
            return False
        return True

    def found_damaged(self, kind: str, seq: int) -> None:
        """Record a row that was left out because it is damaged, and report it."""
        damage = Damage(kind, seq, self.value("SELECT id FROM records WHERE seq = ?", (seq,)) or "")
        self.left_out.append(damage)
        self.damaged(damage)

    def found_damaged_vector(self, seq: int) -> None:
        """Report a vector that is not used because it is damaged; its memory may be whole."""
        self.damaged(Damage("vector", seq, self.value("SELECT id FROM records WHERE seq = ?", (seq,)) or ""))

    def rows(self, sql: str, params: Params = ()) -> list[Row]:
        found: list[Row]
        try:
            found = self._fetched(sql, params)
        except binding.sqlite.OperationalError as error:
            if "decode" not in str(error):
                raise
            # Damaged text need not be text. Its digest will tell.
            self.raw.text_factory = _text
            try:
                found = self._fetched(sql, params)
            finally:
                self.raw.text_factory = str
        return found

    def each(self, sql: str, params: Params = ()) -> Iterator[Row]:
        """Yield rows, for a reader that may stop early."""
        with _naming_damage():
            yield from self._execute(sql, params)

    def row(self, sql: str, params: Params = ()) -> Row | None:
        try:
            found: Row | None = self._fetched(sql, params, first=True)
        except binding.sqlite.OperationalError as error:
            if "decode" not in str(error):
                raise
            rows = self.rows(sql, params)
            found = rows[0] if rows else None
        return found

    def value(self, sql: str, params: Params = ()) -> Any:
        """Return the first column of the first row, None if there is no row."""
        found = self.row(sql, params)
        return None if found is None else found[0]

    def run(self, sql: str, params: Sequence[Any] = ()) -> int:
        """Execute a statement; return how many rows it affected."""
        with _naming_damage():
            count: int = self._execute(sql, params).rowcount
        return count

    def _fetched(self, sql: str, params: Params, *, first: bool = False) -> Any:
        """Return all rows, or only the first."""
        with _naming_damage():
            cursor = self._execute(sql, params)
            return cursor.fetchone() if first else cursor.fetchall()

    def _execute(self, sql: str, params: Params) -> Any:
        """Return the cursor of an executed statement."""
        if self.give_way is not None:
            self.give_way()
        # Of a bare parameter SQLite reads the value when it plans, and compiles the statement again for each value.
        return self.raw.execute(sql.replace("LIMIT ?", "LIMIT 0 + ?"), params)

    def ahead(self, reads: Sequence[Read]) -> None:
        """Read at once what will be asked for before the next write, where each question is a round trip."""

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        self.raw.executemany(sql, rows)

    def send(self, sql: str, params: Sequence[Any] = ()) -> None:
        """Execute a statement in a transaction. A database behind a network raises its error at the next statement."""
        self.run(sql, params)

    def insert(
        self,
        record: Sequence[Any],
        table: str,
        columns: Sequence[str],
        values: Sequence[Any],
        *,
        taken: Callable[[], Exception],
    ) -> None:
        """Insert a record (number, id, kind) and its row in a transaction, as `send`. taken: makes the error for a
        record that has the number or id, without a look at it: the caller may be barred from that."""
        if not self.run("INSERT INTO records VALUES (?,?,?) ON CONFLICT DO NOTHING", record):
            raise taken()
        self.run(f"INSERT INTO {table} ({','.join(columns)}) VALUES ({marks(values)})", values)

    def flush(self) -> None:
        """Raise what a statement that was sent has met."""

    def load(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Insert many rows into a table."""
        self.run_many(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks(columns)})", rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block in a transaction that is committed at its end, or rolled back if it raises."""
        self.run("BEGIN IMMEDIATE")
        try:
            yield
            self.run("COMMIT")
        except BaseException:
            if self.in_transaction:
                self.run("ROLLBACK")
            raise

    @contextmanager
    def as_owner(self) -> Iterator[None]:
        """See and write all rows within the block, also of what a member's request does not reach."""
        yield

    def wall(self, table: str) -> None:
        """Let members see of a table that was made just now what is theirs."""

    def newest(self, table: str) -> str:
        """Return an SQL expression: the highest number in `changes`, `recalls`, `embeddings` or `searchable`, 0 if
        there is none."""
        return f"ifnull((SELECT max({'seq' if table == 'searchable' else 'id'}) FROM {table}), 0)"

    @property
    def in_transaction(self) -> bool:
        """Return True if a transaction is open."""
        return bool(self.raw.in_transaction)

    def end_reading(self) -> None:
        """End the transaction of a reader, if one is open."""
        if self.in_transaction:
            self.run("ROLLBACK")

    @property
    def written(self) -> int:
        """Return the number of rows that this connection has written so far."""
        return int(self.raw.total_changes)

    def watch(self, table: str, moved: Callable[[], None], *, unless: str = "") -> None:
        """Call `moved`, before the commit, whenever this connection writes, changes or deletes a row of a table.

        unless: beginning of keys whose rows are left out."""
        self.raw.create_function(f"{table}_moved", 0, moved)
        condition = f"WHEN {{}}.key NOT GLOB '{unless}*' " if unless else ""
        for verb, row in (("INSERT", "new"), ("UPDATE", "new"), ("DELETE", "old")):
            # A temporary trigger is this connection's own, and sees what erasing and merging do to the table as well.
            self.run(
                f"CREATE TEMP TRIGGER IF NOT EXISTS {table}_heard_{verb} AFTER {verb} ON main.{table} "
                f"{condition.format(row)}BEGIN SELECT {table}_moved(); END"
            )

    def tables(self, *, column: str = "") -> list[str]:
        """Return the names of all tables but the virtual ones. column: of those that have it."""
        # Asked of the schema's text: a virtual table cannot be looked into while its module is away.
        rows = self.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND sql LIKE ?",
            (f"%{column} %",),
        )
        return [name for (name,) in rows]

    def columns(self, table: str) -> dict[str, tuple[str, bool, int]]:
        """Return (type as in the schema, True if it may not be null, its place in the key from 1 on, or 0) of each
        column of a table."""
        rows = self.rows('SELECT name, type, "notnull", pk FROM pragma_table_info(?)', (table,))
        return {name: (type, bool(required), place) for name, type, required, place in rows}

    def provide(
        self, name: str, arguments: int, function: Callable[..., Any], *, built_in: bool = False
    ) -> None:
        """Let statements of this connection call a function without side effects. built_in: most builds of SQLite
        have it."""
        if built_in and self.value("SELECT 1 FROM pragma_function_list WHERE name = ?", (name,)):
            return
        self.raw.create_function(name, arguments, function, deterministic=True)

    @contextmanager
    def loading(self) -> Iterator[None]:
        """Load rows with their ids within the block, in a transaction: references are checked at its end."""
        self.run("PRAGMA defer_foreign_keys = ON")
        yield

    def refresh_statistics(self) -> None:
        """Do nothing: plans of a file do not depend on how full its tables are."""

    def overwrite_deleted(self, wanted: bool) -> None:
        """Overwrite data that is deleted from now on with zeros, or end that."""
        self.rows(f"PRAGMA secure_delete = {'ON' if wanted else 'OFF'}")

    def rewrite(self) -> bool:
        """Rewrite indexes, file and WAL without deleted data; return False if a reader still used the old state."""
        self.run("INSERT INTO words (words) VALUES ('optimize')")
        self.run("INSERT INTO titles (titles) VALUES ('optimize')")
        if not self._cut_wal():
            return False
        self.rows("VACUUM")
        return self._cut_wal()

    def _cut_wal(self) -> bool:
        """Return True if the complete WAL was moved into the file and truncated."""
        return bool(self.value("PRAGMA wal_checkpoint(TRUNCATE)") == 0)

    @property
    def size(self) -> int:
        """Return the bytes of a database that is no file, 0 for a file."""
        return 0

    def close(self) -> None:
        self.raw.close()


class Foreseen(Connection):
    """Connection that finds nothing, and notes what it was asked for, to be read ahead. newest: as of the connection
    that will read."""

    snapshot: Snapshot | None = None

    def __init__(self, newest: Callable[[str], str] | None = None) -> None:
        self.reads: list[Read] = []
        self._newest = newest

    def newest(self, table: str) -> str:
        return super().newest(table) if self._newest is None else self._newest(table)

    def rows(self, sql: str, params: Params = ()) -> list[Row]:
        self.reads.append((sql, params))
        return []

    def row(self, sql: str, params: Params = ()) -> None:
        self.rows(sql, params)


_DAMAGED_CONTENT = ("malformed JSON", "integer overflow", "JSON cannot hold BLOB values")
"""Complaints of SQLite's functions about values that the store does not write."""


@contextmanager
def _naming_damage() -> Iterator[None]:
    """Raise what damaged rows cause as the error of a damaged file."""
    try:
        yield
    except MemoryError as error:
        # A damaged row may say of itself that it is larger than any memory.
        raise binding.sqlite.DatabaseError("a row asks for more memory than there is") from error
    except UnicodeDecodeError as error:
        # SQLite quotes a damaged schema as it finds it, and Python wants its messages to be text.
        raise binding.sqlite.DatabaseError("the schema is damaged") from error
    except binding.sqlite.OperationalError as error:
        if str(error) not in _DAMAGED_CONTENT:
            raise
        raise binding.sqlite.DatabaseError(f"a row is damaged ({error})") from error


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def marks(values: Sequence[Any]) -> str:
    """Return placeholders for an IN list: `?,?,?`."""
    return ",".join("?" * len(values))


def conditions(
    compared: Mapping[str, Any], among: Mapping[str, Sequence[Any]] | None = None
) -> tuple[str, list[Any]]:
    """Return conditions joined by AND, and their values. compared: the value of each condition, None for one that is
    left out. among: the values that a column may have, empty for any."""
    found = {condition: [value] for condition, value in compared.items() if value is not None}
    for column, values in (among or {}).items():
        if values:
            found[f"{column} IN ({marks(values)})"] = list(values)
    return " AND ".join(found), [value for values in found.values() for value in values]
