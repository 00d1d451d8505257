"""Salvage: copies the readable content of a damaged database into an empty one.

Rows are copied one by one. A record whose row is unreadable or altered is rebuilt from the journal, which has
every record's edits, else taken from a backup, else reported as lost. Indexes, counters and the hash chain
are rebuilt from the rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memdesk.model.backup import LostRecord
from memdesk.model.kind import Kind
from memdesk.model.kinds import BY_NAME, KINDS
from memdesk.store import audit_log, binding, chain, counters, digests, document_versions, timeline_query
from memdesk.store.connection import Connection, Row, marks
from memdesk.store.encrypting import sign_again
from memdesk.store.indexing import Index
from memdesk.store.journal import completed
from memdesk.store.records import Numbers

_REBUILT = (
    "records searchable passages past_claims tool_stats categories scopes rollup working_size digested fading"
)
_DERIVED = frozenset(_REBUILT.split())
"""Tables that are rebuilt from the others."""
_SINGLE = frozenset(("upkeep", "embedder"))
_TRIES = 20_000
"""Failed reads in one table after which the rest between two damaged places is given up."""
_STUB = bytes(chain.DIGEST_BYTES)


@dataclass(slots=True, kw_only=True)
class Salvaged:
    """Result of a salvage. rows: how many were copied unchanged; from_journal, from_backup: ids of rebuilt records;
    changes: numbers of the journal that are now stubs; dropped: rows lost from tables without memory, by table."""

    rows: int = 0
    from_journal: list[str] = field(default_factory=list)
    from_backup: list[str] = field(default_factory=list)
    lost: list[LostRecord] = field(default_factory=list)
    changes: list[int] = field(default_factory=list)
    dropped: dict[str, int] = field(default_factory=dict)


def salvage(damaged: Path, fresh: Path, backup: Path | None) -> Salvaged:
    """Fill the database of an empty desk, which no process has open, from a damaged one and the newest good
    backup.

    Raises DatabaseError of SQLite if nothing at all can be read of the damaged one."""
    found = Salvaged()
    damaged = sign_again(damaged, fresh.with_name("damaged.db"))
    with closing(_source(damaged)) as source, closing(Connection(fresh, writer=True)) as db:
        for pragma in ("foreign_keys=OFF", "synchronous=OFF"):
            db.run(f"PRAGMA {pragma}")
        with closing(_source(backup)) if backup else nullcontext() as older:
            _Salvage(source, db, older, found).run()
        db.run("PRAGMA synchronous=FULL")
    return found


def _source(path: Path) -> Connection:
    db = Connection(path, salvaging=True)
    # Damaged text need not be text; its digest tells.
    db.raw.text_factory = lambda data: data.decode("utf-8", "replace")
    db.value("SELECT count(*) FROM sqlite_schema")
    return db


@dataclass(slots=True)
class _Salvage:
    """Salvage in progress. older: a backup, None for none. numbers_agree: its event numbers are also this
    desk's."""

    source: Connection
    db: Connection
    older: Connection | None
    found: Salvaged
    numbers_agree: bool = False

    def run(self) -> None:
        with self.db.transaction():
            for table in _tables(self.db):
                self._copy(table)
            if "digested" not in _tables(self.source, derived=True):
                # An older schema: nothing was digested yet, and everything is at the next start.
                self.db.run("DELETE FROM digested")
        digests.install_digests(self.db)
        with self.db.transaction():
            for day in _days(self.source):
                audit_log.create(self.db, day)
                self._copy(audit_log.table_of(day))
        with self.db.transaction():
            self._fill_the_journal()
            self._fill_the_records()
            self._fill_the_texts()
            self._register()
            self._cut_loose()
            self._count()
        with self.db.transaction():
            _rehash_chain(self.db)
        self._index()

    # Rows.

    def _copy(self, table: str) -> None:
        """Copy every row that is readable and undamaged."""
        columns = _columns(self.db, table, self.source)
        if not columns:
            return
        # Rows of an earlier schema were digested by other columns; they are taken as they read.
        same = {"digest", *(each for kind in KINDS if kind.table == table for each in kind.columns)} <= {
            *columns
        }
        digested = digests.table_named(self.source, table) if same else None
        insert = f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}) VALUES ({marks(columns)})"
        for row in _readable(self.source, table, _selected(columns, digested)):
            if digested is not None and not _is_sound(self.source, digested, columns, row):
                self._drop(table)
                continue
            if table in _SINGLE:
                self.db.run(f"DELETE FROM {table}")
            try:
                self.db.run(insert, row[: len(columns)])
                self.found.rows += 1
            except (binding.sqlite.Error, UnicodeEncodeError, OverflowError):
                self._drop(table)

    def _drop(self, table: str) -> None:
        # A lost vector is made again by the service, as every vector is that is missing; a single row, from the rest.
        if table not in {kind.table for kind in KINDS} | {"embeddings"} | _SINGLE:
            self.found.dropped[table] = self.found.dropped.get(table, 0) + 1

    # The journal.

    def _fill_the_journal(self) -> None:
        """Give every event number a row: the original, else the backup's, else an empty stub.

        The backup may have events after the newest readable one, and the audit log may show that there were
        more."""
        self.numbers_agree = self._agrees()
        for link in list(_links(self.db)):
            if link.said is False and not self._take_change(link.id):
                self._stub(link.id)
        there = {row[0] for row in self.db.rows("SELECT id FROM events")}
        for number in range(1, max(there, default=0) + 1):
            if number not in there and not self._take_change(number) and not self._take_recall(number):
                self._stub(number)
        newest = max(there, default=0)
        for number in range(newest + 1, self._last_known() + 1):
            if not self._take_change(number) and not self._take_recall(number):
                self._stub(number)
        # Made again as the journal leaves them now.
        for id, name in self.db.rows("SELECT DISTINCT record, kind FROM edits WHERE change > ?", (newest,)):
            self.db.run(f"DELETE FROM {BY_NAME[name].table} WHERE id = ?", (id,))

    def _last_known(self) -> int:
        """Return the number of the newest event in the backup or the audit log."""
        logs = [audit_log.table_of(day) for day in audit_log.days(self.db)]
        known = [self.db.value(f"SELECT ifnull(max(event), 0) FROM {table}") for table in logs]
        if self.older is not None and self.numbers_agree:
            known.append(self.older.value("SELECT ifnull(max(id), 0) FROM events"))
        return max(known, default=0)

    def _agrees(self) -> bool:
        """Return True if the backup's journal and this one share one history: their hashes agree over their
        common range."""
        if self.older is None:
            return False
        reach = self.older.value("SELECT ifnull(max(id), 0) FROM changes")
        last = "SELECT id, hash FROM changes WHERE id <= ? ORDER BY id DESC LIMIT 1"
        ours = self.db.row(last, (reach,))
        return ours is None or self.older.row(last, (ours[0],)) == ours

    def _take_change(self, number: int) -> bool:
        if self.older is None or not self.numbers_agree:
            return False
        link = next(
            (each for each in chain.links_after(self.older, number - 1, 1) if each.id == number), None
        )
        if link is None or link.said is False:
            return False
        self.db.run("DELETE FROM edits WHERE change = ?", (number,))
        return self._take("changes", "id", number) and self._take("edits", "change", number, least=0)

    def _take_recall(self, number: int) -> bool:
        return self.numbers_agree and self._take("recalls", "id", number)

    def _take(self, table: str, column: str, value: object, *, least: int = 1) -> bool:
        """Copy rows from the backup; return True if there were at least `least`."""
        if self.older is None:
            return False
        columns = _columns(self.db, table, self.older)
        rows = self.older.rows(f"SELECT {', '.join(columns)} FROM {table} WHERE {column} = ?", (value,))
        for row in rows:
            with suppress(binding.sqlite.Error):
                self.db.run(
                    f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}) VALUES ({marks(columns)})", row
                )
        return len(rows) >= least

    def _stub(self, number: int) -> None:
        """Make an empty change, as an erasure leaves it, so that the numbers continue without a gap."""
        self.found.changes.append(number)
        self.db.run("DELETE FROM edits WHERE change = ?", (number,))
        if self.db.run(
            "UPDATE changes SET title = '', key = NULL, details = '{}', erased_by = ? WHERE id = ?",
            (number, number),
        ):
            return
        at, op, author = self._audited(number)
        self.db.run(
            "INSERT INTO changes (id, at, op, layer, title, author, channel, user_id, details, took_us, hash, payload, "
            "erased_by) VALUES (?, ?, ?, 'workspace', '', ?, '', '', '{}', 0, x'', ?, ?)",
            (number, at, op, author, _STUB, number),
        )

    def _audited(self, number: int) -> tuple[int, str, str]:
        """Return (time, operation, author) of an event missing in the journal, from the audit log."""
        for day in audit_log.days(self.db):
            found = self.db.row(
                f"SELECT timestamp, operation, author FROM {audit_log.table_of(day)} WHERE event = ?",
                (number,),
            )
            if found is not None:
                at, op, author = found
                return at, "recall" if op == "retrieve" else op, author
        at = self.db.value("SELECT max(at) FROM events WHERE id < ?", (number,)) or 0
        return at, "update", "job:repair"

    # Records.

    def _fill_the_records(self) -> None:
        """Recover every missing record: rebuild it from the journal, else take it from the backup, else
        report it as lost."""
        there = {id for kind in KINDS for (id,) in self.db.rows(f"SELECT id FROM {kind.table}")}
        kind_of: dict[str, str] = dict(self.db.rows("SELECT record, kind FROM edits GROUP BY record"))
        named = {row[1]: row[2] for row in _readable(self.source, "records", ["seq", "id", "kind"])}
        named |= {id: kind.name for kind in KINDS for id in self._in_index(kind)}
        for id, name in (named | kind_of).items():
            if id in there or name not in BY_NAME:
                continue
            kind, fields, whole = BY_NAME[name], *self._in_journal(id)
            if fields is None and whole:
                continue
            if fields is not None and whole and self._restore_record(kind, fields):
                self.found.from_journal.append(id)
            elif self._take(kind.table, "id", id):
                self.found.from_backup.append(id)
            elif id in named or fields is not None:
                title = str((fields or {}).get(kind.title, ""))
                self.found.lost.append(LostRecord(kind=name, id=id, title=title))

    def _in_index(self, kind: Kind[Any]) -> Iterator[str]:
        """Yield the ids that the index of a table still has of rows that were not copied."""
        there = {seq for (seq,) in self.db.rows(f"SELECT seq FROM {kind.table}")}
        for order in ("ASC", "DESC"):
            with suppress(binding.sqlite.Error):
                for seq, id in self.source.each(f"SELECT seq, id FROM {kind.table} ORDER BY id {order}"):
                    if seq not in there:
                        yield id
                return

    def _in_journal(self, id: str) -> tuple[dict[str, Any] | None, bool]:
        """Return (a record by the journal, None if deleted or never created; whether the journal has it
        completely)."""
        fields: dict[str, Any] | None = None
        whole = False
        for kind, before, after in self.db.rows(
            "SELECT kind, before, after FROM edits WHERE record = ? ORDER BY change, n", (id,)
        ):
            if after is None:
                fields, whole = None, True
            elif before is None:
                (_, fields), whole = completed(kind, id, None, json.loads(after)), True
            else:
                fields = (fields or {}) | json.loads(after)
        return fields, whole

    def _restore_record(self, kind: Kind[Any], fields: dict[str, Any]) -> bool:
        columns, born = kind.columns, kind.defaults | fields
        if not born.keys() >= set(columns):
            return False
        try:
            self.db.run(
                f"INSERT INTO {kind.table} ({', '.join(columns)}) VALUES ({marks(columns)})",
                [born[name] for name in columns],
            )
        except binding.sqlite.Error:
            return False
        return True

    def _fill_the_texts(self) -> None:
        """Replace versions of files that do not match their hash by the backup's, or drop them."""
        for name, body in self.db.rows("SELECT hash, body FROM versions"):
            if not document_versions.matches_hash(name, body):
                self.db.run("DELETE FROM versions WHERE hash = ?", (name,))
                if not self._take("versions", "hash", name):
                    self._drop("versions")
        for id, path, name in self.db.rows("SELECT id, path, content_hash FROM documents"):
            there = self.db.value("SELECT 1 FROM versions WHERE hash = ?", (name,))
            if name and there is None and not self._take("versions", "hash", name):
                self.db.run("DELETE FROM documents WHERE id = ?", (id,))
                self.found.lost.append(LostRecord(kind="document", id=id, title=path))

    def _cut_loose(self) -> None:
        """Clear all references to lost records; a record whose reference is required is lost too."""
        while broken := self.db.rows("PRAGMA foreign_key_check"):
            for table, rowid, _parent, number in broken:
                columns = [
                    row[3] for row in self.db.rows(f"PRAGMA foreign_key_list({table})") if row[0] == number
                ]
                try:
                    self.db.run(
                        f"UPDATE {table} SET {', '.join(f'{name} = NULL' for name in columns)} WHERE rowid = ?",
                        (rowid,),
                    )
                except binding.sqlite.IntegrityError:
                    self._lose(table, rowid)

    def _lose(self, table: str, rowid: int) -> None:
        kind = next((each for each in KINDS if each.table == table), None)
        if kind is None:
            self._drop(table)
        else:
            id, title = self.db.rows(f"SELECT id, {kind.title} FROM {table} WHERE rowid = ?", (rowid,))[0]
            self.found.lost.append(LostRecord(kind=kind.name, id=id, title=str(title)))
            self.db.run("DELETE FROM records WHERE id = ?", (id,))
        self.db.run(f"DELETE FROM {table} WHERE rowid = ?", (rowid,))

    # What follows from the rows.

    def _register(self) -> None:
        for kind in KINDS:
            self.db.run(
                f"INSERT OR IGNORE INTO records (seq, id, kind) SELECT seq, id, ? FROM {kind.table}",
                (kind.name,),
            )

    def _count(self) -> None:
        self.db.run(
            "UPDATE upkeep SET words_behind = 0, vectors_behind = 1, file_behind = 0, ranked_decay = NULL, "
            "grants_behind = grants_behind AND NOT EXISTS (SELECT 1 FROM grants), next_seq = 1 + max(next_seq, "
            "ifnull((SELECT max(seq) FROM records), 0), ifnull((SELECT max(seq) FROM usage), 0))"
        )
        self.db.run(
            "UPDATE working_size SET keys = (SELECT count(*) FROM working WHERE NOT lasting), "
            "bytes = (SELECT ifnull(sum(bytes), 0) FROM working WHERE NOT lasting)"
        )
        counters.recount_events(self.db)
        chain.derive_undone(self.db)
        timeline_query.clear(self.db, self.db.value("SELECT ifnull(max(id), 0) FROM events"))

    def _index(self) -> None:
        numbers = Numbers(self.db)
        index = Index(self.db, numbers.take)
        index.model = self.db.value("SELECT model FROM embedder") or ""
        with self.db.transaction():
            for kind in KINDS:
                for row in self.db.rows(f"SELECT {', '.join(kind.columns)} FROM {kind.table}"):
                    index.follow(kind, None, dict(zip(kind.columns, row, strict=True)))
            counters.sum_categories(self.db)
            numbers.keep()


# Reading what is damaged.


def _readable(db: Connection, table: str, selected: list[str]) -> Iterator[Row]:
    """Yield every readable row, even between damaged places: forwards, backwards, and in ever smaller steps
    between."""
    key = _key(db, table)
    sql = f"SELECT {', '.join(selected)}, {key or 'NULL'} FROM {table}"
    first: int | None = None
    try:
        for row in db.each(f"{sql} ORDER BY {key}" if key else sql):
            first = row[-1]
            yield row[:-1]
        return
    except binding.sqlite.Error:
        if key is None:
            return
    low = -1 if first is None else first
    last: int | None = None
    with suppress(binding.sqlite.Error):
        # Rows of one leading key may be many: those of the last one read on either side are read again.
        for row in db.each(f"{sql} WHERE {key} > ? ORDER BY {key} DESC", (low,)):
            last = row[-1]
            yield row[:-1]
        return
    if last is not None:
        tries = [_TRIES]
        yield from _between(db, f"{sql} WHERE {key} BETWEEN ? AND ?", low, last, tries)


def _between(db: Connection, sql: str, low: int, high: int, tries: list[int]) -> Iterator[Row]:
    """Yield the rows of a range, halving it wherever it is unreadable, until the tries are used up."""
    waiting = [(low, high)]
    while waiting and tries[0] > 0:
        low, high = waiting.pop()
        try:
            rows = db.rows(sql, (low, high))
        except binding.sqlite.Error:
            tries[0] -= 1
            if low < high:
                middle = (low + high) // 2
                waiting += [(middle + 1, high), (low, middle)]
            continue
        yield from (row[:-1] for row in rows)


def _key(db: Connection, table: str) -> str | None:
    """Return the integer key by which a table's rows are stored in order, None if there is none."""
    try:
        db.value(f"SELECT rowid FROM {table} LIMIT 0")
        return "rowid"
    except binding.sqlite.OperationalError:
        leading = db.row("SELECT name, type FROM pragma_table_info(?) WHERE pk = 1", (table,))
        return leading[0] if leading is not None and leading[1] == "INTEGER" else None


def _tables(db: Connection, *, derived: bool = False) -> list[str]:
    """Return a desk's ordinary tables of memory and its history; with `derived`, also the tables rebuilt from
    them."""
    names = [
        row[0]
        for row in db.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'create virtual%' "
            "AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_sqlite*' AND name NOT GLOB 'words_*' "
            "AND name NOT GLOB 'titles_*' AND name NOT GLOB 'vectors_*' AND name NOT GLOB 'audit_[0-9]*'"
        )
    ]
    return [name for name in names if derived or name not in _DERIVED]


def _days(db: Connection) -> list[int]:
    try:
        return audit_log.days(db)
    except binding.sqlite.Error:
        return []


def _columns(db: Connection, table: str, source: Connection) -> list[str]:
    """Return the columns that a table has in both databases."""
    names = "SELECT name FROM pragma_table_info(?)"
    known = {row[0] for row in source.rows(names, (table,))}
    return [row[0] for row in db.rows(names, (table,)) if row[0] in known]


def _selected(columns: list[str], digested: digests.Table | None) -> list[str]:
    return columns if digested is None else [*columns, digested.values(digested.name)]


def _is_sound(db: Connection, table: digests.Table, columns: list[str], row: Row) -> bool:
    return digests.matches(db, table.name, row[len(columns) :], row[columns.index("digest")])


def _links(db: Connection) -> Iterator[chain.Link]:
    last = 0
    while stretch := chain.links_after(db, last, 1000):
        yield from stretch
        last = stretch[-1].id


def _rehash_chain(db: Connection) -> None:
    """Recompute the hash chain from the first change that was replaced."""
    broken, before = False, b""
    for link in list(_links(db)):
        hash = chain.link_hash(before, link.head, link.payload)
        if hash != link.hash:
            broken = True
            db.run("UPDATE changes SET hash = ? WHERE id = ?", (hash, link.id))
        before = hash
    if broken:
        for segment, last in db.rows("SELECT segment, last_change FROM audit_checkpoints"):
            db.run(
                "UPDATE audit_checkpoints SET hash = ? WHERE segment = ?",
                (chain.last_hash(db, last) or b"", segment),
            )
