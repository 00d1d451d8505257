"""What every test stands on: a private world without the developer's own desks, and the real service on request."""

from __future__ import annotations

import json
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import hypothesis
import pytest

from memdesk.files.places import Desk
from tests.warm import Begun

# The same examples in every run, so that a change is judged by itself; HYPOTHESIS_PROFILE=default looks for new ones.
hypothesis.settings.register_profile("steady", derandomize=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

STOP_SECONDS = 20


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the tests marked slow")


def pytest_configure(config: pytest.Config) -> None:
    # Before any fixture: pytest-qt makes its application once for the whole run.
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="slow; run with --slow"))


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A private folder with a short path: a socket's path may hold 107 bytes, and pytest's folders are long."""
    folder = Path(tempfile.mkdtemp(prefix="md-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True)
def private_world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, short_folder: Path) -> None:
    """No developer's desk, data or runtime folder; windows are drawn in memory."""
    monkeypatch.delenv("MEMDESK_DESK", raising=False)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short_folder))


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
        code, said, self.process = self.process.wait(STOP_SECONDS), self.process.errors(), None
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
