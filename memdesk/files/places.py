"""Where things lie: the desk's own files, and what ships with the program. The only room that names a folder."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import platformdirs

from memdesk.model.errors import BadAsk, StorageFailed

SOCKET_PATH_BYTES = 107
"""sockaddr_un holds 108 bytes with its final NUL (unix(7))."""


def resource(*parts: str) -> Path:
    """A file that ships with MemDesk, from a checkout or from an installed wheel."""
    package = Path(__file__).parent.parent
    beside = package / "resources"
    root = beside if beside.is_dir() else package.parent / "resources"
    return root.joinpath(*parts)


@dataclass(frozen=True, slots=True)
class Desk:
    """One desk's folder and the places in it."""

    folder: Path

    @property
    def database(self) -> Path:
        return self.folder / "memory.db"

    @property
    def settings(self) -> Path:
        return self.folder / "settings.toml"

    @property
    def owner_token(self) -> Path:
        """What the window and the command line present to act as the desk's owner."""
        return self.folder / "owner.token"

    @property
    def log(self) -> Path:
        return self.folder / "logs" / "service.log"

    @property
    def backups(self) -> Path:
        return self.folder / "backups"

    @property
    def workspaces(self) -> Path:
        """Workspaces copied onto the desk, rather than registered where they lie."""
        return self.folder / "workspaces"

    @property
    def taken_back(self) -> Path:
        """Files that were copied onto the desk by an import which was taken back, by their documents' ids."""
        return self.folder / "workspaces" / ".taken-back"

    @property
    def mem0(self) -> Path:
        """Mem0's own stores, beside the desk's memory."""
        return self.folder / "mem0"

    @property
    def socket(self) -> Path:
        """The service's socket. Raises BadAsk when no path short enough can be had."""
        return self._socket("memdesk")

    @property
    def window_socket(self) -> Path:
        """Where the desk's one window is asked to come forward. Raises as `socket` does."""
        return self._socket("window")

    @property
    def acts(self) -> Path:
        """Long acts that were asked for and have not ended, a file each."""
        return self.folder / "run" / "acts"

    @property
    def window_lock(self) -> Path:
        """Held by the one window of this desk for as long as it is open."""
        return self.folder / "run" / "window.lock"

    def _socket(self, name: str) -> Path:
        here = self.folder / "run" / f"{name}.sock"
        if len(os.fsencode(here)) <= SOCKET_PATH_BYTES:
            return here
        mark = hashlib.blake2b(os.fsencode(self.folder / name), digest_size=8).hexdigest()
        there = runtime_folder() / "memdesk" / f"{mark}.sock"
        if len(os.fsencode(there)) <= SOCKET_PATH_BYTES:
            return there
        raise BadAsk(
            f"The socket path {there} is longer than {SOCKET_PATH_BYTES} bytes.",
            next="Choose a shorter folder with --desk, or a shorter XDG_RUNTIME_DIR.",
        )

    @property
    def lock(self) -> Path:
        """Held by the one service of this desk for as long as it runs."""
        return self.folder / "run" / "service.lock"

    @property
    def notices(self) -> Path:
        """The file of the notices that stand until a person has answered them."""
        return self.folder / "run" / "notices.json"

    @property
    def scrub(self) -> Path:
        """The file that records how far the scrub has read."""
        return self.folder / "run" / "scrub.json"

    @property
    def mark(self) -> Path:
        """How far the database has come, written down outside it."""
        return self.folder / "run" / "last_change"


def runtime_folder() -> Path:
    """The user's runtime folder, or a private one in the temporary folder where the system has none."""
    given = os.environ.get("XDG_RUNTIME_DIR")
    return Path(given) if given else Path(tempfile.gettempdir()) / f"run-{os.getuid()}"


@contextmanager
def scratch_folder(preferred: Path | None = None) -> Iterator[Path]:
    """A folder that is gone afterwards, below `preferred` where that can be written to.

    Raises StorageFailed where none can be made.
    """
    with ExitStack() as kept:
        try:
            try:
                made = TemporaryDirectory(prefix="memdesk-", dir=preferred)
            except OSError:
                made = TemporaryDirectory(prefix="memdesk-")
        except OSError as error:
            raise StorageFailed(
                f"No temporary folder can be made: {error.strerror}.",
                next="Free some disk space, or name a folder you may write to in TMPDIR.",
            ) from error
        yield Path(kept.enter_context(made))


def desk_at(folder: str | os.PathLike[str] | None = None) -> Desk:
    """The desk named by `folder`, else by MEMDESK_DESK, else the user's default desk."""
    named = folder or os.environ.get("MEMDESK_DESK")
    return Desk(Path(named).expanduser().absolute()) if named else default_desk()


def default_desk() -> Desk:
    """The desk of a user who names none."""
    return Desk(Path(platformdirs.user_data_dir("memdesk", appauthor=False)) / "default")


def windows_file() -> Path:
    """What a person's windows remember whatever the desk: how they look, and which desks were opened."""
    return Path(platformdirs.user_config_dir("memdesk", appauthor=False)) / "windows.ini"
