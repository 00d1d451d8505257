"""A test run sealed off from the machine: a home of its own, the real one watched, and no process left behind.

Every process of a run has the run's folder in its environment, as HOME and TMPDIR, and is found by that: one that
was forked, began a session of its own, or was started by a program that hands on little else. A reaper waits for the
end of the run, however it comes, then ends them all and removes the folder."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from memdesk.client.direct import answers
from memdesk.files.places import Desk

PLACES = {
    "XDG_DATA_HOME": ".local/share",
    "XDG_CONFIG_HOME": ".config",
    "XDG_CACHE_HOME": ".cache",
    "XDG_STATE_HOME": ".local/state",
}
OURS_ELSEWHERE = (
    ".claude/settings.json",
    ".claude/CLAUDE.md",
    ".codex/hooks.json",
    ".openclaw/openclaw.json",
    ".hermes/config.yaml",
    ".agentix",
    ".mem0",
)
"""What of a home MemDesk, its tool sets and its installers write besides its own folders."""
RUNTIMES = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCLAW_STATE_DIR", "HERMES_HOME")
"""Where a runtime of the developer's is told to keep its settings."""
CHECKOUT = Path(__file__).parent.parent
MEMORY_BYTES = 2 << 30
"""What a run may leave lying until its end, with room to spare."""
REAPING_SECONDS = 30
POLL_SECONDS = 0.05

Seen = dict[Path, tuple[int, int]]


@dataclass
class Seal:
    """A run's. Made before anything else; `broken` tells at the end which files of the real home changed."""

    watched: tuple[Path, ...] = field(default_factory=lambda: tuple(memdesk_places()))
    before: Seen = field(init=False)
    folder: Path = field(init=False)

    def __post_init__(self) -> None:
        self.before = seen(self.watched)
        self.folder = Path(tempfile.mkdtemp(prefix="md-", dir=quick_folder()))
        outer = dict(os.environ)
        for name in (*RUNTIMES, "MEMDESK_DESK"):
            os.environ.pop(name, None)
        own = dict.fromkeys(("TMPDIR", "PYTEST_DEBUG_TEMPROOT"), self.folder / "tmp")
        own["XDG_RUNTIME_DIR"] = self.folder / "run"
        own |= home_in(self.folder / "home")
        for name in ("HOME", "TMPDIR", "XDG_RUNTIME_DIR"):
            own[name].mkdir(mode=0o700)
        os.environ |= {name: str(folder) for name, folder in own.items()}
        tempfile.tempdir = None
        self._reaper = subprocess.Popen(
            [sys.executable, "-m", "tests.sealed", str(self.folder)],
            cwd=CHECKOUT,
            stdin=subprocess.PIPE,
            env=outer,
            # A Ctrl-C in the terminal is not for it.
            start_new_session=True,
        )

    def broken(self) -> list[Path]:
        """Files that the run, or another program meanwhile, made, changed or removed."""
        after = seen(self.watched)
        changed = sorted(path for path in {*self.before, *after} if self.before.get(path) != after.get(path))
        return [path for path in changed if not in_use(path)]

    def close(self) -> None:
        """End what is still running, and wait until it is gone."""
        assert self._reaper.stdin is not None
        self._reaper.stdin.close()
        self._reaper.wait(REAPING_SECONDS)


def quick_folder() -> Path | None:
    """Where a disk need not be waited for: the tests write some ten thousand small changes, each to be safe on it."""
    memory = Path("/dev/shm")
    try:
        found = os.statvfs(memory)
    except OSError:
        return None
    roomy = found.f_bavail * found.f_frsize >= MEMORY_BYTES
    return memory if roomy and not found.f_flag & os.ST_NOEXEC and os.access(memory, os.W_OK) else None


def home_in(folder: Path) -> dict[str, Path]:
    """The variables of an environment whose home is the folder."""
    return {"HOME": folder, **{name: folder / part for name, part in PLACES.items()}}


def memdesk_places() -> Iterator[Path]:
    """Where the person who runs the tests has MemDesk's files, and what it writes for other programs."""
    home = Path.home()
    for name, part in PLACES.items():
        yield Path(os.environ.get(name) or home / part) / "memdesk"
    if sys.platform == "darwin":
        for part in ("Application Support", "Preferences", "Caches"):
            yield home / "Library" / part / "memdesk"
    yield Path(os.environ.get("XDG_RUNTIME_DIR") or f"{tempfile.gettempdir()}/run-{os.getuid()}") / "memdesk"
    for part in OURS_ELSEWHERE:
        yield home / part


def seen(places: tuple[Path, ...]) -> Seen:
    """Every file at or below the places, with its size and when it was written."""
    found: Seen = {}
    for place in places:
        for file in (place, *place.rglob("*")):
            with suppress(OSError):
                if not stat.S_ISDIR((status := file.lstat()).st_mode):
                    found[file] = (status.st_size, status.st_mtime_ns)
    return found


def in_use(path: Path) -> bool:
    """Whether the file belongs to a desk that the developer's own service has open, and writes to."""
    return any(answers(Desk(folder)) for folder in path.parents if (folder / "memory.db").is_file())


def reap(folder: Path) -> None:
    """Wait until the run's end of the pipe is closed; then end its processes, and remove its folder and those beside it
    that begin with its name."""
    sys.stdin.buffer.read()
    until = time.monotonic() + REAPING_SECONDS
    while (left := tuple(processes(os.fsencode(folder)))) and time.monotonic() < until:
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(POLL_SECONDS)
    for each in (folder, *folder.parent.glob(f"{folder.name}-*")):
        shutil.rmtree(each, ignore_errors=True)


def processes(mark: bytes) -> Iterator[int]:
    """Processes with the mark in their environment, on systems that tell it."""
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if mark in path.read_bytes():
                yield int(path.parent.name)


if __name__ == "__main__":
    reap(Path(sys.argv[1]))
