"""A PostgreSQL with a streaming standby for tests, as an operator would set them up: `pg_basebackup -R`."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from urllib.parse import quote

import psycopg
import pytest

from tests import postgres

SETTINGS = """
wal_level = replica
max_wal_senders = 4
wal_writer_delay = 10ms
"""
"""The log is sent once it is on the disk, for which a server that does not wait for its disk takes three delays."""


@dataclass
class Standby:
    """Standby of a server, in a folder in the server's. `stop` and `start` as often as a test likes."""

    primary: postgres.Server
    name: str = "standby"
    server: postgres.Server = field(init=False)
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        folder = self.primary.folder / self.name
        folder.mkdir()
        if os.geteuid() == 0:
            shutil.chown(folder, postgres.SERVANT)
        self.server = postgres.Server(folder, self.primary.binaries)
        copying = [
            self.primary.binaries / "pg_basebackup",
            "-D",
            folder / "data",
            "-R",
            "-c",
            "fast",
            "--no-sync",
        ]
        done = subprocess.run(
            [*copying, "-h", self.primary.folder, "-U", "desk"],
            capture_output=True,
            text=True,
            cwd=folder,
            **postgres.servant(),
        )
        assert not done.returncode, done.stderr
        with open(folder / "data/postgresql.conf", "a") as file:
            file.write(f"unix_socket_directories = '{folder}'\n")
        self.start()

    def start(self) -> None:
        """Start it, unless it runs, and wait until it answers."""
        self._process = self._process or self.server.run()

    def stop(self) -> None:
        """End it, and with it all its connections."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait()
            self._process = None

    def address(self, desk: str) -> str:
        """Return the address of a desk's database here. desk: its address on the primary."""
        return f"postgresql://desk@/{desk.rpartition('=')[2]}?host={quote(str(self.server.folder), safe='')}"

    def run(self, sql: str) -> None:
        """Run a statement, such as one that pauses its replay."""
        with psycopg.connect(self.server.address("postgres"), autocommit=True) as db:
            db.execute(sql.encode())


def pair() -> tuple[postgres.Server, Standby]:
    """Return a new server and its standby. Skips the test with a clear word where none can run."""
    found = postgres.started(SETTINGS)
    if isinstance(found, str):
        pytest.skip(found)
    return found, Standby(found)
