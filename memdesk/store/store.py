"""The single writer of a desk: one thread commits changes in groups; readers have connections of their own."""

from __future__ import annotations

import os
import queue
import threading
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from memdesk.model.change import Applied, Change
from memdesk.model.errors import MemDeskError, StorageFailed
from memdesk.model.message import NO_MESSAGE, Message, message
from memdesk.model.status import ReplicaState
from memdesk.store import binding, digests, erasing, run_context, working
from memdesk.store.audit_log import Policy
from memdesk.store.connection import Connection, Damage, Read, Snapshot
from memdesk.store.database_file import (
    explained,
    failed,
    is_damage,
    is_refused_by_disk,
    migrate,
    open_database,
    why,
)
from memdesk.store.guarding import Guard
from memdesk.store.indexing import Index
from memdesk.store.journal import Journal, Sparing, carry_out
from memdesk.store.records import Numbers, refusing

T = TypeVar("T")
GROUP = 256
"""Maximum number of writes committed together, with one fsync."""
READERS = 16
WATCHED = ("channels", "workspaces", "documents", "facts")
"""Tables of which `kept` keeps what was read: every write asks them, and few writes change them; facts for counts."""
KEPT = 4096
"""Most values that are kept."""


@dataclass(frozen=True, slots=True)
class Failing:
    """Refusal of writes by the disk or the system. since: UTC microseconds; why: SQLite's message."""

    since: int
    why: str


@dataclass(slots=True)
class Traffic:
    """Counts of writes since the store was opened. groups: commits; pieces: writes in them. refused: pieces that were
    rolled back, by the code of their error. failing: since when and why writes fail, None after one succeeded."""

    groups: int = 0
    pieces: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    failing: Failing | None = None

    def count(self, outcomes: Sequence[tuple[bool, Any]], *, wrote: bool, clock: Callable[[], int]) -> None:
        """Count a commit, by the outcomes of its pieces: True and a result, or False and an error."""
        errors = [each for good, each in outcomes if not good]
        self.groups, self.pieces = self.groups + 1, self.pieces + len(outcomes)
        self.refused.update(each.code if isinstance(each, MemDeskError) else "bug" for each in errors)
        causes = (each.__cause__ for each in errors if isinstance(each, StorageFailed))
        cause = next(filter(is_refused_by_disk, causes), None)
        if cause is not None:
            self.failing = self.failing or Failing(clock(), str(cause))
        elif wrote and len(errors) < len(outcomes):
            self.failing = None


@dataclass(frozen=True, slots=True)
class _Piece:
    """Piece of work for the writer thread. context: the caller's context variables, with their identity for the audit
    log. alone: it runs outside any transaction and group."""

    work: Callable[[], Any]
    context: Context
    future: Future[Any]
    alone: bool = False


class Store:
    """Database of a desk. Thread-safe. clock returns UTC microseconds. missing_wall: what is to be done for members to
    be behind a database's row-level security, if anything."""

    shared = False
    """True if other engines may have it open."""
    missing_wall: Message = NO_MESSAGE
    settings_moved = threading.Event()
    """Set when settings that the services of a desk share were written."""
    numbers_late = 0
    """Most search numbers that may be given to records after higher ones were."""

    def __init__(self, path: Path, *, backups: Path, clock: Callable[[], int]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.path, self._clock = path, clock
        self._watchers: list[Callable[[Damage], None]] = []
        self._db = open_database(path, self._damaged)
        try:
            migrate(self._db, path, backups, at=clock())
            digests.install_digests(self._db)
            self._numbers = Numbers(self._db)
            self._index = Index(self._db, self._numbers.take)
            self._journal = Journal(self._db, self._index, clock)
            if self._db.value("SELECT file_behind FROM upkeep"):
                erasing.compact(self._db)
            self._watch()
        except BaseException as error:
            self._db.close()
            if isinstance(error, (binding.sqlite.Error, UnicodeDecodeError)):
                says = message("{path} could not be opened: {error}.", path=path, error=why(error))
                raise failed(error, says=says) from error
            raise
        self._start()

    def _watch(self) -> None:
        """Note which of the watched tables each commit writes; `working` has no journal."""
        self._moved: set[str] = set()
        working.watch(self._db, partial(self._moved.add, "working"))
        for table in WATCHED:
            self._db.watch(table, partial(self._moved.add, table))

    def _start(self) -> None:
        """Start the writer thread; `_db`, `_clock`, `_numbers`, `_index` and `_journal` are there."""
        self._readers: queue.LifoQueue[Connection] = queue.LifoQueue()
        self._reader_slots = threading.Semaphore(READERS)
        self._door, self._closed = threading.Lock(), False
        self._listeners: list[Callable[[], None]] = []
        self.traffic = Traffic()
        self._moves: Counter[str] = Counter()
        self._kept: dict[tuple[str, Hashable], tuple[int, Any]] = {}
        self._at_once, self._durable = True, self._journal.position()
        self._queue: queue.SimpleQueue[_Piece | None] = queue.SimpleQueue()
        self._aside = deque[_Piece]()
        self._writer = threading.Thread(target=self._write, name="store-writer", daemon=True)
        self._writer.start()

    @property
    def vectors(self) -> bool:
        """Return True if this SQLite can search vectors."""
        return self._db.vectors

    @property
    def dimension(self) -> int:
        """Dimension of the vectors in use; 0 before the embedder in use made its first."""
        return self._index.last_dimension

    def new_seq(self) -> int:
        """Return a search number for a new record. Numbers of refused changes are never used again."""
        return self._numbers.take()

    def next_seq(self, db: Connection) -> int:
        """Return a search number from which on no record of this reader's snapshot has one, nor ever had."""
        return self._numbers.free_from(db)

    def continue_at(self, db: Connection, seq: int) -> None:
        """Give new records numbers from this one on, once the desk is opened again."""
        self._numbers.continue_at(db, seq)

    def apply(self, change: Change) -> Applied:
        """Apply a change and wait until it is safely on the disk. Raises Conflict or StorageFailed."""
        return self.submit(lambda _: self._journal.apply(change)).result()

    def decide(
        self, verb: Callable[[Connection], tuple[Change | None, T]], *, sparing: Sparing | None = None
    ) -> tuple[Applied | None, T]:
        """Run a verb on the writer thread, so that no other write comes between its reads and its change.

        verb returns the change, or None to change nothing, and an answer that is returned to the caller. In a
        rehearsal it runs on a reader's connection, and its change is raised as Rehearsed. sparing: as in the
        journal's `apply`."""
        if run_context.is_rehearsal():
            with self.reading() as db:
                change, answer = verb(db)
            run_context.rehearse(change)
            return None, answer

        def judged(db: Connection) -> tuple[Applied | None, T]:
            change, answer = verb(db)
            if change is None:
                return None, answer
            return self._journal.apply(run_context.assigned_to_run(change), sparing), answer

        return self.submit(judged).result()

    def foreseen(self, work: Callable[[Connection], object]) -> Sequence[Read]:
        """Return what work reads on a desk without memory, for `ahead` of a verb that will read it; nothing where a
        read is no round trip."""
        return ()

    def maintain(self, work: Callable[[Connection, Index, Journal], T]) -> Future[T]:
        """Queue work that is not a change of memory, such as reinforcement or vectors."""
        return self.submit(lambda db: work(db, self._index, self._journal))

    def try_out(self, change: Change, work: Callable[[Connection, Index], T]) -> T:
        """Make the edits of a change, run work, and take everything back: nothing is journalled, and no reader sees it.

        Writers wait meanwhile. Raises Conflict if the change cannot be made, and what work raises."""

        def tried(db: Connection) -> T:
            db.run("SAVEPOINT trial")
            try:
                with refusing(db):
                    carry_out(db, self._index, change)
                return work(db, self._index)
            finally:
                db.run("ROLLBACK TO trial")
                db.run("RELEASE trial")

        return self.submit(tried).result()

    def submit(self, work: Callable[[Connection], T]) -> Future[T]:
        """Queue work for the writer thread; each piece is atomic."""
        return self._enqueue(work, alone=False)

    def alone(self, work: Callable[[Connection], T]) -> Future[T]:
        """Queue work that must run outside transactions, such as rewriting the file."""
        return self._enqueue(work, alone=True)

    def _enqueue(self, work: Callable[[Connection], T], *, alone: bool) -> Future[T]:
        future: Future[T] = Future()
        context = copy_context()
        if (wait := run_context.in_background.get()) is not None:
            context.run(run_context.in_background.set, partial(wait, writing=True))
        with self._door:
            if self._closed:
                raise StorageFailed(message("The desk is closed."), next=message("Open it again."))
            self._queue.put(_Piece(lambda: work(self._db), context, future, alone))
        return future

    def guard_by(self, guard: Guard) -> None:
        """Store only texts that this guard has seen, from the next write on."""
        self._db.guard = guard

    def audit_by(self, policy: Policy) -> None:
        """Use this policy for the audit log from the next write on."""
        self._journal.audit.policy = policy

    @property
    def mark(self) -> tuple[int, bytes]:
        """Number of the newest event and hash of the newest change that are safely on the disk."""
        return self._durable

    @contextmanager
    def durable_at_end(self) -> Iterator[None]:
        """Let the writes of this context in the block wait for the disk together, at its end: an act that can be
        repeated is not acknowledged before. Until then an end of the program loses none, a loss of power may."""
        token = run_context.durable_later.set(True)
        try:
            yield
        finally:
            run_context.durable_later.reset(token)
            self.alone(self._settle).result()

    @property
    def _idle(self) -> queue.LifoQueue[Connection]:
        """Readers that nobody uses, of the kind that the present request needs."""
        return self._readers

    @contextmanager
    def reading(self, *, together: bool = True) -> Iterator[Connection]:
        """Provide a connection with one snapshot of the desk for the complete block. At most READERS at once.

        together: False if the block is a single statement, which needs no transaction. Raises StorageFailed if
        the file is damaged."""
        with self._reader_slots:
            try:
                db = self._idle.get_nowait()
            except queue.Empty:
                db = self._reader()
            db.left_out.clear()
            db.snapshot, db.give_way = Snapshot(), run_context.in_background.get()
            try:
                if together:
                    db.run("BEGIN")
                yield db
            except (binding.sqlite.Error, UnicodeDecodeError) as error:
                if is_damage(error):
                    says = message("{path} could not be read: {error}.", path=self.path, error=why(error))
                    raise failed(error, says=says) from error
                raise
            finally:
                if not self._readers_keep(db):
                    db.close()

    def use_replica(self, address: str, most_s: float) -> None:
        """Let recalls read from a standby of the desk's database while it is no further behind; a folder has none."""

    def replica_state(self) -> ReplicaState | None:
        """Return the state of the replica that recalls read; None without one."""

    def read_for_recall(self, author: str, work: Callable[[Connection], T]) -> T:
        """Return what work reads in one snapshot, of the replica if that is fit. It may begin twice."""
        with self.reading() as db:
            return work(db)

    def kept(self, table: str, key: Hashable, read: Callable[[Connection], T]) -> T:
        """Return what `read` returns of one of WATCHED, which is read again only after a commit that wrote the table.

        key: tells it from other reads of the table."""
        # Before the read: after a commit in between it is out of date.
        moves = self._moves[table]
        known = self._kept.get((table, key))
        if known is not None and known[0] == moves:
            found: T = known[1]
            return found
        with self.reading() as db:
            found = read(db)
        if len(self._kept) >= KEPT:
            self._kept.clear()
        self._kept[table, key] = moves, found
        return found

    @contextmanager
    def lease(self, *names: str) -> Iterator[bool]:
        """Hold names that only one engine at a time may hold, such as a job's; yield False if another one has any."""
        yield True

    def is_free(self, name: str) -> bool:
        """Return True if no engine holds a name."""
        with self.lease(name) as free:
            return free

    @property
    def working_moves(self) -> int:
        """Return the number of commits so far that wrote, used or removed working memory, which has no journal."""
        return self._moves["working"]

    def _reader(self) -> Connection:
        return Connection(self.path, scopes=self._db.scopes, damaged=self._damaged)

    def _readers_keep(self, db: Connection) -> bool:
        """Return a connection to the pool, unless it is of no use: after a damaged page SQLCipher reads no more."""
        try:
            db.end_reading()
            if binding.is_cipher:
                db.value("SELECT count(*) FROM sqlite_schema")
        except binding.sqlite.Error:
            if not binding.is_cipher:
                raise
            return False
        self._readers.put(db)
        return True

    @contextmanager
    def beside(self) -> Iterator[Connection]:
        """Provide a connection beyond READERS, for callers that use one already and could deadlock."""
        with closing(self._reader()) as db:
            yield db

    def forget(self) -> None:
        """Clear the data of the file that connections cache in memory, as after an erasure."""
        self._db.scopes.clear()

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` on the writer thread after every commit. Returns a function that ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def watch_damage(self, watcher: Callable[[Damage], None]) -> None:
        """Call `watcher`, on any thread, for every damaged row that is read and left out."""
        self._watchers.append(watcher)

    def _damaged(self, damage: Damage) -> None:
        for watcher in self._watchers:
            watcher(damage)

    def close(self) -> None:
        """Finish the queued work, then close every connection."""
        with self._door:
            self._closed = True
            self._queue.put(None)
        self._writer.join()
        while not self._readers.empty():
            self._readers.get_nowait().close()
        self._db.close()

    def _write(self) -> None:
        while (first := self._aside.popleft() if self._aside else self._queue.get()) is not None:
            group, last = self._gather(first)
            outcomes = [self._alone(first)] if first.alone else self._commit(group)
            # Counted only now: a reader who heard of it before the commit would not find it, and not look again.
            self._moves.update(self._moved)
            self._moved.clear()
            for piece, (good, outcome) in zip(group, outcomes, strict=True):
                (piece.future.set_result if good else piece.future.set_exception)(outcome)
            for listener in tuple(self._listeners):
                listener()
            if last:
                return

    def _gather(self, first: _Piece) -> tuple[list[_Piece], bool]:
        """Return (the pieces to commit together with the first, True if the store closes after them).

        Pieces that run alone are put aside until then, so that none divides a group."""
        group = [first]
        while len(group) < GROUP and not first.alone:
            try:
                item = self._queue.get_nowait()
            except queue.Empty:
                break
            if item is None:
                if not self._aside:
                    return group, True
                self._queue.put(None)
                break
            (self._aside if item.alone else group).append(item)
        return group, False

    def _commit(self, group: list[_Piece]) -> list[tuple[bool, Any]]:
        """Commit a group in one transaction, with a savepoint for each piece after the first, so that a refused one
        does not affect the others: the first is undone by a new transaction."""
        position, before = self._journal.position(), self._db.written
        at_once = not all(piece.context.get(run_context.durable_later, False) for piece in group)
        try:
            self._sync(at_once=at_once)
            self._begin()
            outcomes = [self._attempt(piece, first=piece is group[0]) for piece in group]
            self._end(wrote=self._db.written > before)
            self._db.run("COMMIT")
        except binding.sqlite.Error as error:
            if self._db.in_transaction:
                self._db.run("ROLLBACK")
            self._journal.return_to(position)
            self._numbers.forget()
            failure = failed(error, says=message("The desk could not be written: {error}.", error=why(error)))
            outcomes = [(False, failure)] * len(group)
        else:
            # A commit that waits for the disk waits for what was committed before it, unless it had nothing to write.
            if at_once and self._db.written > before:
                self._durable = self._journal.position()
        self.traffic.count(outcomes, wrote=self._db.written > before, clock=self._clock)
        return outcomes

    def _begin(self) -> None:
        """Begin the transaction of a group."""
        self._db.run("BEGIN IMMEDIATE")

    def _end(self, *, wrote: bool) -> None:
        """Write what belongs to a group as a whole, before its commit. wrote: its pieces have written something."""
        self._numbers.keep()

    def _sync(self, *, at_once: bool) -> None:
        """Let commits wait for the disk from now on, or not."""
        if at_once != self._at_once:
            self._db.run(f"PRAGMA synchronous={'FULL' if at_once else 'NORMAL'}")
            self._at_once = at_once

    def _settle(self, _db: Connection) -> None:
        """Wait until all that was committed is safely on the disk."""
        with self.path.with_name(self.path.name + "-wal").open("rb+") as waiting:
            os.fsync(waiting.fileno())
        self._durable = self._journal.position()

    def _alone(self, piece: _Piece) -> tuple[bool, Any]:
        try:
            return True, piece.work()
        except Exception as error:  # noqa: BLE001  handed to the caller whole, through its future
            return False, explained(error)

    def _attempt(self, piece: _Piece, *, first: bool) -> tuple[bool, Any]:
        position = self._journal.position()
        if not first:
            self._db.run("SAVEPOINT piece")
        try:
            outcome = (True, piece.context.run(piece.work))
            self._db.flush()
        except Exception as error:  # noqa: BLE001  handed to the caller whole, through its future
            if isinstance(error, binding.sqlite.Error) and not self._db.in_transaction:
                # A full disk and the like end the whole transaction, and no savepoint is left: so fails the group.
                raise
            self._take_back(position, first=first)
            outcome = (False, explained(error))
            try:
                piece.context.run(self._journal.refused, error)
                self._db.flush()  # It counts as written then, and other engines number their rows after it.
            except MemDeskError:
                # What was refused for a text that cannot be stored may have that in the audit row as well.
                self._take_back(position, first=first)
        if not first:
            self._db.run("RELEASE piece")
        return outcome

    def _take_back(self, position: tuple[int, bytes], *, first: bool) -> None:
        """Take back what a piece of a group has written."""
        self._journal.return_to(position)
        if first:
            self._db.run("ROLLBACK")
            self._begin()
        else:
            self._db.run("ROLLBACK TO piece")
