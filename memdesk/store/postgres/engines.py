"""Engines that have one database open: each is registered with a heartbeat, hears what the others commit, and ends the
transaction of one that was frozen while everybody waits for it."""

from __future__ import annotations

import contextlib
import logging
import os
import selectors
import socket
import threading
import time
from collections.abc import Callable

import psycopg

from memdesk.store.connection import Connection

ENGINE_LOCK = 7_340_032
"""Advisory lock that the writers of all open engines share: who has it alive has the desk open."""
HEAD_LOCK = 7_340_033
"""Advisory lock of the engine that numbers and chains a group of changes, from its beginning to its commit. So numbers
are in the order of commits, and none becomes visible late."""
LEASES = 7_340_034
"""First half of the advisory locks that are named, such as that of a job."""
CHANNEL = "memdesk"
BEAT_S = 0.4
"""Interval of heartbeats, and of looks at an engine that keeps the head lock."""
FROZEN_S = 1.5
"""Age of the newest heartbeat of an engine that is frozen, not busy: a thread of its own gives it."""

TABLES = """
CREATE TABLE engines (
  number INTEGER PRIMARY KEY, host TEXT NOT NULL, process INTEGER NOT NULL, backend INTEGER NOT NULL,
  seen_at timestamptz NOT NULL);
CREATE TABLE writing (engine INTEGER NOT NULL);
INSERT INTO writing VALUES (0)
"""
"""Registered engines, with the server process of their writer; and the one that committed last."""
_HOLDERS = (
    "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = {} "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_FROZEN = (
    "SELECT pg_terminate_backend(pid) FROM engines JOIN pg_stat_activity ON pid = backend "
    f"WHERE backend IN ({_HOLDERS.format(HEAD_LOCK)}) AND number <> %s AND wait_event_type = 'Client' "
    f"AND seen_at < clock_timestamp() - interval '{FROZEN_S} s'"
)

log = logging.getLogger(__name__)


def others(db: Connection) -> int:
    """Return the number of other engines that have the database open. Ask on the writer's connection."""
    found: int = db.value(
        f"SELECT count(*) FROM ({_HOLDERS.format(ENGINE_LOCK)}) AS held WHERE pid <> pg_backend_pid()"
    )
    return found


class Engines:
    """Registration of one engine, and a thread that keeps it. backend: returns the server process of the writer.

    heard: called on that thread with the tables that another engine's commits wrote; with None after a time in which it
    could hear nothing. Raises psycopg.Error."""

    def __init__(
        self, address: str, *, backend: Callable[[], int], heard: Callable[[set[str] | None], None]
    ) -> None:
        self._address, self._backend, self._heard = address, backend, heard
        self.waiting = False
        """True while this engine's writer waits for the head lock."""
        self._bell, self._woken = socket.socketpair()
        self._raw = self._connect()
        # The rows of those that ended without a word.
        self._raw.execute(
            f"DELETE FROM engines WHERE backend NOT IN ({_HOLDERS.format(ENGINE_LOCK)}) OR backend = %s".encode(),
            [backend()],
        )
        ((self.number,),) = self._raw.execute(
            b"INSERT INTO engines (host, process, backend, seen_at) VALUES (%s, %s, %s, clock_timestamp()) "
            b"RETURNING number",
            [socket.gethostname(), os.getpid(), backend()],
        ).fetchall()
        self._thread = threading.Thread(target=self._run, name="store-engines", daemon=True)

    def start(self) -> None:
        """Begin to beat and to hear."""
        self._thread.start()

    def close(self) -> None:
        """End the registration."""
        self._bell.close()
        if self._thread.ident is not None:
            self._thread.join()
        with contextlib.suppress(psycopg.Error):
            self._raw.execute(b"DELETE FROM engines WHERE number = %s", [self.number])
        self._raw.close()
        self._woken.close()

    def _connect(self) -> psycopg.Connection:
        raw = psycopg.connect(self._address, autocommit=True, options="-c synchronous_commit=off")
        raw.execute(f"LISTEN {CHANNEL}".encode())
        return raw

    def _run(self) -> None:
        ended = False
        while not ended:
            try:
                self._beat()
                self._hear()
                ended = self._rest(self._raw.fileno())
            except psycopg.Error as error:
                log.warning("the connection on which other services are heard was lost: %s", error)
                ended = self._reconnect()

    def _beat(self) -> None:
        self._raw.execute(
            b"UPDATE engines SET seen_at = clock_timestamp(), backend = %s WHERE number = %s",
            [self._backend(), self.number],
        )
        if self.waiting and self._raw.execute(_FROZEN.encode(), [self.number]).fetchall():
            log.warning("a service that was frozen kept all others waiting; its transaction was ended")

    def _hear(self) -> None:
        """Pass on what was told since."""
        said = [each.payload.partition(" ") for each in self._raw.notifies(timeout=0)]
        told = [tables for number, _, tables in said if number != str(self.number)]
        if told:
            self._heard({table for tables in told for table in tables.split()})

    def _rest(self, *heard: int) -> bool:
        """Wait for a heartbeat's time, or for what is told; return True at the end."""
        until = time.monotonic() + BEAT_S
        with selectors.DefaultSelector() as selector:
            for file in (self._woken.fileno(), *heard):
                selector.register(file, selectors.EVENT_READ)
            while (left := until - time.monotonic()) > 0:
                ready = {key.fd for key, _ in selector.select(left)}
                if self._woken.fileno() in ready:
                    return True
                if ready:
                    self._hear()
        return False

    def _reconnect(self) -> bool:
        """Connect again, as often as it takes, and register again; return True at the end."""
        while not self._rest():
            with contextlib.suppress(psycopg.Error):
                self._raw.close()
                self._raw = self._connect()
                # A number that came from the database is given to no other engine.
                self._raw.execute(
                    b"INSERT INTO engines VALUES (%s, %s, %s, %s, clock_timestamp()) ON CONFLICT DO NOTHING",
                    [self.number, socket.gethostname(), os.getpid(), self._backend()],
                )
                self._heard(None)
                return False
        return True
