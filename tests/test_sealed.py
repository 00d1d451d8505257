"""What a run of the tests leaves behind: nothing. Whole runs of pytest, on a test of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import until
from tests.sealed import CHECKOUT, processes

WAITS = """
import asyncio, os
from pathlib import Path
from memdesk.client.find import ensure_service
from memdesk.files.places import default_desk

def test_waits(running_service, request):
    asyncio.run(ensure_service(default_desk()))
    Path(os.environ["TOLD"]).write_text(os.environ["TMPDIR"])
    os.read(os.pipe()[0], 1)
"""
WRITES = """
import os
from pathlib import Path

def test_writes():
    place = Path(os.environ["OUTER"], ".claude", "settings.json")
    place.parent.mkdir()
    place.write_text("{}")
"""
KEEPS_TO_ITSELF = """
import os
from pathlib import Path
from memdesk.files.places import default_desk, windows_file

def test_keeps_to_itself():
    for file in (default_desk().database, windows_file(), Path.home() / ".claude" / "settings.json"):
        file.parent.mkdir(parents=True)
        file.write_text("ours")
"""


@contextmanager
def run_of(folder: Path, test: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A run of pytest on one test, in the home of somebody else."""
    (folder / "test_it.py").write_text(test)
    (folder / "outer").mkdir()
    outer = str(folder / "outer")
    away = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "PYTEST_"))}
    with subprocess.Popen(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "tests.conftest",
            "-p",
            "no:cacheprovider",
            "--rootdir",
            str(CHECKOUT),
            "-c",
            str(CHECKOUT / "pyproject.toml"),
            *words,
            str(folder / "test_it.py"),
        ],
        cwd=CHECKOUT,
        env={**away, "HOME": outer, "OUTER": outer, "TOLD": str(folder / "told")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    ("number", "words"), [(signal.SIGINT, ()), (signal.SIGTERM, ()), (signal.SIGKILL, ("-n", "1"))]
)
def test_a_run_that_is_ended_leaves_no_process_and_no_folder(
    number: signal.Signals, words: tuple[str, ...], tmp_path: Path
) -> None:
    told = tmp_path / "told"
    with run_of(tmp_path, WAITS, *words) as run:
        until(lambda: told.exists() and told.read_text(), "a test with a service")
        folder = Path(told.read_text()).parent
        assert len(tuple(processes(os.fsencode(folder)))) >= 3, "the two services and what forks them"
        run.send_signal(number)
    until(lambda: not tuple(processes(os.fsencode(folder))), "the end of its processes")
    until(lambda: not folder.exists(), "the end of its folder")


def test_a_run_that_writes_into_the_real_home_fails_and_names_the_file(tmp_path: Path) -> None:
    with run_of(tmp_path, WRITES) as run:
        said, _ = run.communicate()
    assert run.returncode == pytest.ExitCode.TESTS_FAILED and "1 passed" in said
    assert f"wrote into the real home: {tmp_path / 'outer' / '.claude' / 'settings.json'}" in said


def test_a_test_has_a_home_of_its_own(tmp_path: Path) -> None:
    with run_of(tmp_path, KEEPS_TO_ITSELF) as run:
        said, _ = run.communicate()
    assert run.returncode == 0, said
    assert list((tmp_path / "outer").iterdir()) == []
