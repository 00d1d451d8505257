"""What every test stands on: a private world without the developer's own desks, and the real service on request."""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, TypeVar

import pytest

from memdesk.__main__ import RARELY
from memdesk.client import find
from memdesk.files.places import Desk
from memdesk.gui.collector import collect_due
from tests import costs, effort, postgres, prepared
from tests.sealed import Seal, home_in
from tests.warm import Begun

PATIENCE_S = 60.0
"""Far longer than anything here lasts; a machine under load must not make a test red."""
POLL_S = 0.02
Found = TypeVar("Found")
SEAL = pytest.StashKey[Seal]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the tests marked slow")
    parser.addoption("--quick", action="store_true", help="leave out the tests named in costly.txt")
    parser.addoption("--late", metavar="SEED", help="delay the answers to windows at random, by this seed")
    parser.addoption("--postgres", action="store_true", help="have the memory of all desks in PostgreSQL")
    parser.addoption("--costs", action="store_true", help="measure all tests, and write costly.txt anew")


def pytest_configure(config: pytest.Config) -> None:
    # Nothing that is imported or collected is garbage, and looking takes a fifth of the time.
    gc.disable()
    prepared.begin()
    effort.begin(slow=config.getoption("--slow"))
    if config.getoption("--postgres"):
        postgres.begin()
    if config.getoption("--costs"):
        config.pluginmanager.register(costs.Measuring())
    if seed := config.getoption("--late"):
        from tests.late import Lateness  # Qt is read only where it is needed.

        config.pluginmanager.register(Lateness(seed))
    # Before any fixture: pytest-qt makes its application once for the whole run.
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    # A run starts hundreds of processes; each would compile all of MemDesk again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    # A worker has the environment of the run that started it.
    if not hasattr(config, "workerinput"):
        config.stash[SEAL] = Seal()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    # None: what others say of it counts.
    return True if config.getoption("--quick") and collection_path == costs.SLOW_TO_READ else None


def pytest_collection_finish() -> None:
    gc.freeze()
    # As in the window, and on the thread of the tests alone: `collect_due` runs after each.
    gc.set_threshold(*RARELY)


def pytest_runtest_logfinish() -> None:
    collect_due()


def pytest_sessionfinish(session: pytest.Session) -> None:
    seal = session.config.stash.get(SEAL, None)
    if seal is not None and (broken := seal.broken()):
        told = "".join(
            f"\nThe run, or another program meanwhile, wrote into the real home: {path}" for path in broken
        )
        session.config.get_terminal_writer().line(told, red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure(config: pytest.Config) -> None:
    if seal := config.stash.get(SEAL, None):
        seal.close()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--quick"):
        costs.leave_out_costly(config, items)
    if config.getoption("--postgres"):
        postgres.leave_out(items)
    if config.getoption("--slow"):
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="slow; run with --slow"))


def until(found: Callable[[], Found], what: str) -> Found:
    """Wait until `found` says something true, and return that."""
    deadline = time.monotonic() + PATIENCE_S
    while not (said := found()):
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(POLL_S)
    return said


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A private folder with a short path: a socket's path may hold 107 bytes, and pytest's folders are long."""
    folder = Path(tempfile.mkdtemp(prefix="md-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


class WarmStart(find._Start):
    """A start of the service by a client, but for the second that Python takes to read its modules."""

    begun: ClassVar[list[Begun]] = []
    """Kept to the end of the run: a service that prints into a pipe that nobody holds would end."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        postgres.settle(desk)
        self._process = Begun(["serve", "--json", "--desk", str(desk.folder)])
        self._complaint = self._process.complaint
        self.begun.append(self._process)


@pytest.fixture(autouse=True)
def private_world(monkeypatch: pytest.MonkeyPatch, short_folder: Path) -> Iterator[None]:
    """No developer's desk, a home and a runtime folder of the test's own; windows are drawn in memory, and services
    that clients start are forked."""
    monkeypatch.setattr(find, "_Start", WarmStart)
    monkeypatch.delenv("MEMDESK_DESK", raising=False)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="home-", ignore_cleanup_errors=True) as home:
        for name, folder in home_in(Path(home)).items():
            monkeypatch.setenv(name, str(folder))
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(short_folder))
        yield


@pytest.fixture
def desk_folder(tmp_path: Path) -> Path:
    """Where a test's desk may be made."""
    return tmp_path / "desk"


@dataclass
class Service:
    """A real service as a process of its own. `stop`, `kill` and `start` as often as a test likes."""

    desk: Desk
    process: Begun | None = field(default=None, init=False)

    def start(self) -> None:
        """Start it and wait until its socket answers."""
        postgres.settle(self.desk)
        self.process = Begun(["serve", "--json", "--desk", str(self.desk.folder)])
        said = self._first_words()
        assert said, self.process.errors()
        assert json.loads(said)["socket"] == str(self.desk.socket)

    def _first_words(self) -> str:
        """The JSON object it prints once it answers; empty when it ended before."""
        assert self.process is not None
        said = ""
        while line := self.process.stdout.readline().decode():
            said += line
            if line == "}\n":
                return said
        return ""

    def stop(self) -> int:
        """End it with SIGTERM; returns its exit code."""
        return self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it without warning, as a power cut or the kernel would."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(how)
        code, said, self.process = self.process.wait(PATIENCE_S), self.process.errors(), None
        assert "Traceback" not in said, said
        return code


@pytest.fixture
def running_service(short_folder: Path) -> Iterator[Service]:
    """The real service of a fresh desk, answering on its socket."""
    service = Service(Desk(short_folder / "desk"))
    service.start()
    yield service
    if service.process is not None and service.process.poll() is None:
        service.stop()
