"""The command line as a person or a script uses it, on a real desk with its real service."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memdesk.__main__ import Program
from memdesk.cli.program import main
from memdesk.client.find import stop_service
from memdesk.files.places import Desk


@dataclass(frozen=True)
class Ran:
    """How one run of the program ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    """One desk for a file's tests; its service is started by the first command, as it always is."""
    folder = Path(tempfile.mkdtemp(prefix="md-"))
    yield Desk(folder)
    asyncio.run(stop_service(Desk(folder)))
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def memdesk(desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """`memdesk("facts", "--json")` in this process, on the file's desk."""
    monkeypatch.setenv("MEMDESK_DESK", str(desk.folder))

    def run(*words: str) -> Ran:
        try:
            code = main(words, Program())
        except SystemExit as ended:
            code = int(str(ended.code))
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return run


@pytest.fixture
def program(desk: Desk) -> Run:
    """The same as a process of its own, for what only a process can show. said: its standard input."""

    def run(*words: str, said: str = "", **environment: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "memdesk", *words],
            input=said.encode(),
            capture_output=True,
            env={**os.environ, "MEMDESK_DESK": str(desk.folder), **environment},
            timeout=60,
            check=False,
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
