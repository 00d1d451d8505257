"""Paths of the desk's own files and of the files that ship with the program. No other module names a folder.

Every command imports this module, so it imports what few of them need where they do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from memdesk.files.local_socket import PATH_BYTES
from memdesk.model.errors import BadAsk, StorageFailed
from memdesk.model.message import message


def resource(*parts: str) -> Path:
    """Return the path of a file that ships with MemDesk, in a checkout or an installed wheel."""
    package = Path(__file__).parent.parent
    beside = package / "resources"
    root = beside if beside.is_dir() else package.parent / "resources"
    return root.joinpath(*parts)


@dataclass(frozen=True, slots=True)
class Desk:
    """Folder of one desk and the paths in it."""

    folder: Path

    @property
    def database(self) -> Path:
        return self.folder / "memory.db"

    @property
    def address_file(self) -> Path:
        """File with the address of the PostgreSQL database that holds the memory; there is none on a desk in a
        folder."""
        return self.folder / "database.address"

    @property
    def address(self) -> str | None:
        """Address of the database that holds the memory, None on a desk in a folder."""
        try:
            return self.address_file.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None

    @property
    def service_file(self) -> Path:
        """File with the address of the service that has the desk, if that is another computer's."""
        return self.folder / "service.address"

    @property
    def service(self) -> str | None:
        """Address of the service on another computer that has the desk, `https://HOST:PORT`; None on a desk of this
        one."""
        try:
            return self.service_file.read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return None

    @property
    def shown(self) -> str:
        """Name of the desk in sentences: its service's address, or its folder."""
        return self.service or str(self.folder)

    def need_here(self) -> None:
        """Raise BadAsk for a desk of another computer: what is about to be done is done to files."""
        if (service := self.service) is not None:
            raise BadAsk(
                message("The desk is on another computer, {service}.", service=service),
                next=message("Do this there, or ask whoever runs it."),
            )

    def need_file(self) -> None:
        """Raise BadAsk for a desk in a database: what is about to be done is done to the file of one in a folder."""
        self.need_here()
        if self.address is not None:
            raise BadAsk(
                message("This desk's memory is in a PostgreSQL database, which has its own means for that."),
                next=message(
                    "Ask whoever runs the database: the page on PostgreSQL in the documentation says how."
                ),
            )

    @property
    def settings(self) -> Path:
        return self.folder / "settings.toml"

    @property
    def owner_token(self) -> Path:
        """Token that the window and the command line send to act as the desk's owner."""
        return self.folder / "owner.token"

    @property
    def agent_tokens(self) -> Path:
        """Hashes of the tokens by which agents sign, outside the database: no backup and no archive contains them."""
        return self.folder / "agents.json"

    @property
    def owner_passphrase(self) -> Path:
        """Hash of the passphrase that confirms dangerous calls; there is no file where none is set."""
        return self.folder / "owner.passphrase"

    @property
    def archive_key(self) -> Path:
        """Key that seals the archives of this desk, by which it recognises them."""
        return self.folder / "archive.key"

    @property
    def encryption(self) -> Path:
        """File that says how the key of an encrypted desk is kept; there is none on a desk in clear."""
        return self.folder / "encryption.json"

    def sealed_files(self) -> list[Path]:
        """Return the files that an encrypted desk encrypts next to its database and backups."""
        files = [self.folder / "secrets.json", self.folder / "secrets.key", *self.acts.glob("*.json")]
        return [each for each in (*files, *self.taken_back.rglob("*")) if each.is_file()]

    @property
    def replacement(self) -> Path:
        """Database that is being built to replace the desk's own."""
        return self.folder / ".restoring" / self.database.name

    @property
    def replacement_note(self) -> Path:
        """File that is there while a replacement of the database was decided and is not finished."""
        return self.folder / "restoring.json"

    @property
    def log(self) -> Path:
        return self.folder / "logs" / "service.log"

    @property
    def backups(self) -> Path:
        return self.folder / "backups"

    @property
    def workspaces(self) -> Path:
        """Folder of workspaces that were copied onto the desk instead of registered in place."""
        return self.folder / "workspaces"

    @property
    def taken_back(self) -> Path:
        """Folder of files that an undone import had copied onto the desk, by their documents' ids."""
        return self.folder / "workspaces" / ".taken-back"

    @property
    def mem0(self) -> Path:
        """Folder of Mem0's stores, which are separate from the desk's memory."""
        return self.folder / "mem0"

    @property
    def socket(self) -> Path:
        """Path of the service's socket. Raises BadAsk when no path is short enough."""
        return self._socket("memdesk")

    @property
    def window_socket(self) -> Path:
        """Path of the socket on which the desk's one window is asked to come to the front. Raises as `socket`
        does."""
        return self._socket("window")

    @property
    def acts(self) -> Path:
        """Folder of long acts that were requested and have not ended, one file each."""
        return self.folder / "run" / "acts"

    @property
    def window_lock(self) -> Path:
        """Lock file that the desk's one window keeps locked while it is open."""
        return self.folder / "run" / "window.lock"

    def _socket(self, name: str) -> Path:
        here = self.folder / "run" / f"{name}.sock"
        if len(os.fsencode(here)) <= PATH_BYTES:
            return here
        import hashlib

        mark = hashlib.blake2b(os.fsencode(self.folder / name), digest_size=8).hexdigest()
        there = runtime_folder() / "memdesk" / f"{mark}.sock"
        if len(os.fsencode(there)) <= PATH_BYTES:
            return there
        raise BadAsk(
            message("The socket path {there} is longer than {count} bytes.", there=there, count=PATH_BYTES),
            next=message("Choose a shorter folder with --desk, or a shorter XDG_RUNTIME_DIR."),
        )

    @property
    def lock(self) -> Path:
        """Lock file that the desk's one service keeps locked while it runs."""
        return self.folder / "run" / "service.lock"

    @property
    def notices(self) -> Path:
        """File of the notices that remain until a person answers them."""
        return self.folder / "run" / "notices.json"

    @property
    def scrub(self) -> Path:
        """File that records how far the scrub has read."""
        return self.folder / "run" / "scrub.json"

    @property
    def mark(self) -> Path:
        """File that records the database's last change, outside it."""
        return self.folder / "run" / "last_change"


def runtime_folder() -> Path:
    """Return the user's runtime folder, or a private one in the temporary folder where the system has none."""
    if given := os.environ.get("XDG_RUNTIME_DIR"):
        return Path(given)
    import tempfile

    return Path(tempfile.gettempdir()) / f"run-{os.getuid()}"


@contextmanager
def scratch_folder(preferred: Path | None = None) -> Iterator[Path]:
    """Yield a temporary folder, below `preferred` where that is writable; removed afterwards.

    Raises StorageFailed where none can be made."""
    from tempfile import TemporaryDirectory

    with ExitStack() as kept:
        try:
            try:
                made = TemporaryDirectory(prefix="memdesk-", dir=preferred)
            except OSError:
                made = TemporaryDirectory(prefix="memdesk-")
        except OSError as error:
            raise StorageFailed(
                message("No temporary folder can be made: {strerror}.", strerror=error.strerror),
                next=message("Free some disk space, or name a folder you may write to in TMPDIR."),
            ) from error
        yield Path(kept.enter_context(made))


_KEYWORDS = ("host=", "dbname=", "service=", "user=")
"""Beginnings of a database's address by keywords, which would otherwise become a folder of that name."""


def desk_at(folder: str | os.PathLike[str] | None = None) -> Desk:
    """Return the desk in `folder`, else that of MEMDESK_DESK, else the user's default desk.

    folder: also the address of a PostgreSQL database, or of a service. Raises BadAsk for any other address."""
    named = folder or os.environ.get("MEMDESK_DESK")
    if named and os.fspath(named).startswith(("https://", "http://")):
        return _desk_of_service(os.fspath(named))
    if named and "://" in os.fspath(named):
        return _desk_in_database(os.fspath(named))
    if named and os.fspath(named).startswith(_KEYWORDS):
        raise BadAsk(
            message("The address of a database is written as a URL, not by keywords such as host=."),
            next=message("Name a folder, postgresql://USER@HOST/DATABASE, or https://HOST:PORT."),
        )
    return Desk(Path(named).expanduser().absolute()) if named else default_desk()


def _desk_in_database(address: str) -> Desk:
    """Return the desk whose memory is in a database: its folder has this computer's socket, settings and tokens."""
    import hashlib
    from urllib.parse import urlsplit

    scheme, _, rest = address.partition("://")
    if scheme not in ("postgresql", "postgres"):
        raise BadAsk(
            message("A desk is a folder, a PostgreSQL database or a service, not {scheme}.", scheme=scheme),
            next=message("Name a folder, postgresql://USER@HOST/DATABASE, or https://HOST:PORT."),
        )
    parts = urlsplit(address)
    place = "@".join((parts.username or "", parts.netloc.rpartition("@")[2])) + f"{parts.path}?{parts.query}"
    mark = hashlib.blake2b(place.encode(), digest_size=6).hexdigest()
    desk = Desk(default_desk().folder.with_name("databases") / mark)
    if desk.address != address:
        # The address may have a password.
        _note(desk.address_file, address)
    return desk


LOOPBACK = ("localhost", "127.0.0.1", "::1")


def _desk_of_service(address: str) -> Desk:
    """Return the desk that a service on another computer has: its folder has this computer's token and notes."""
    import hashlib
    from urllib.parse import urlsplit

    parts = urlsplit(address)
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    beyond = parts.username or parts.path not in ("", "/") or parts.query or parts.fragment
    if not host or beyond or (parts.scheme == "http" and host not in LOOPBACK):
        raise BadAsk(
            message("{address} is not the address of a desk's service.", address=address),
            next=message("It is https://HOST:PORT; http only on this computer."),
        )
    shown = f"[{host}]" if ":" in host else host
    service = f"{parts.scheme}://{shown}" + ("" if port is None else f":{port}")
    mark = hashlib.blake2b(service.encode(), digest_size=6).hexdigest()
    desk = Desk(default_desk().folder.with_name("services") / mark)
    if desk.service != service:
        _note(desk.service_file, service)
    return desk


def _note(path: Path, text: str) -> None:
    """Write a file that only this user can read, and its folder where that is missing."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


def default_desk() -> Desk:
    """Return the desk of a user who names none."""
    import platformdirs

    return Desk(Path(platformdirs.user_data_dir("memdesk", appauthor=False)) / "default")


def windows_file() -> Path:
    """Return the file of window preferences that apply to every desk: appearance, and the desks that were
    opened."""
    import platformdirs

    return Path(platformdirs.user_config_dir("memdesk", appauthor=False)) / "windows.ini"


def autostart_file() -> Path:
    """Return the entry by which a desktop starts MemDesk when the user logs in; there is none where that is off."""
    import platformdirs

    return Path(platformdirs.user_config_dir()) / "autostart" / "memdesk.desktop"
