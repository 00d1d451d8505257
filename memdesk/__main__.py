"""The program's entry: the one place that knows every package, each imported only when it is needed."""

from __future__ import annotations

import gc
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memdesk.model.errors import Conflict, Refused
from memdesk.model.extras import install_extra, is_installed
from memdesk.model.message import Message, message

if TYPE_CHECKING:
    from memdesk.files.places import Desk
    from memdesk.model.backup import (
        BackupList,
        DeskCopied,
        Examination,
        Repaired,
        RestoreBackup,
        RestoreOutcome,
    )
    from memdesk.model.checkup import CheckReport
    from memdesk.model.desk_keys import AskEncryption, EncryptionMoved
    from memdesk.model.interop import AskImport
    from memdesk.model.project import EnterProject
    from memdesk.model.team import Listen

Progress = Callable[[int, int, Message], None]
"""Callback of a long act: number done, number of all, and the name of the current step."""
QT_PACKAGES = {
    "apt": "libegl1 libgl1 libglib2.0-0 libgssapi-krb5-2 libxkbcommon0 libdbus-1-3 libfontconfig1 libxcb-cursor0"
    " libxkbcommon-x11-0",
    "dnf": "libglvnd-egl libglvnd-glx glib2 krb5-libs libxkbcommon dbus-libs fontconfig xcb-util-cursor"
    " libxkbcommon-x11",
}
"""Packages of what Qt loads before a window, for each program that installs them; the last two are for X11."""
NOT_YET = ("win32", "cygwin")
"""Systems, as sys.platform names them, without what `memdesk.files.local_socket` needs."""
RARELY = (20_000, 20, 20)
"""Thresholds of the garbage collector: new objects, then its own rounds. A recall makes thousands of objects
that are freed when it ends, and a collection every 700 costs it half a millisecond of nine."""


@contextmanager
def at_a_stretch() -> Iterator[None]:
    """Import with the collector at rest: nothing that is imported is garbage, and looking costs a tenth of the time.
    From then on it looks RARELY."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(*RARELY)
        gc.enable()


class Program:
    """Composition root: the packages that the command line starts without importing them."""

    def serve(self, desk: Desk, ready: Callable[[], None], listen: Listen | None = None) -> None:
        """Serve a desk in this process. The lock comes first: who loses a race should not load an engine."""
        from memdesk.files.encryption import unlock
        from memdesk.service.sockets import held

        unlock(desk)
        with held(desk):
            from memdesk.service.serve import serve

            serve(desk, ready=ready, listen=listen)

    def open_window(self, desk: Desk, *, tour: bool = False, tray: bool = False) -> int:
        """Show a desk's window. Raises Refused where it is not installed, or Qt's libraries are missing."""
        if not is_installed("window"):
            raise Refused(message("The window is not installed."), next=install_extra("window"))
        try:
            with at_a_stretch():
                from memdesk.gui.app import run as show
        except ImportError as missing:
            program = next(filter(shutil.which, QT_PACKAGES), "apt")
            raise Refused(
                message("The window cannot be shown: {missing}.", missing=missing),
                next=message(
                    "Install Qt's libraries: {command}", command=f"{program} install {QT_PACKAGES[program]}"
                ),
            ) from missing
        return show(desk, self, tour=tour, tray=tray)

    def speak_mcp(
        self, desk: Desk, path: str, agent: str | None, token: str | None, project: EnterProject | None
    ) -> int:
        from memdesk.mcp import speak

        return speak(desk, path, agent=agent, token=token, project=project)

    def backups(self, desk: Desk) -> BackupList:
        desk.need_here()
        from memdesk.engine.backups import listing

        return listing(desk)

    def restore(self, desk: Desk, ask: RestoreBackup, progress: Progress | None = None) -> RestoreOutcome:
        from memdesk.files.encryption import unlock

        unlock(desk)
        from memdesk.engine.health.replacement import restore
        from memdesk.engine.progress import ignore_progress
        from memdesk.service.sockets import held

        with held(desk):
            return restore(desk, ask, progress or ignore_progress)

    def examine(self, desk: Desk, progress: Progress | None = None) -> Examination:
        desk.need_here()
        from memdesk.files.encryption import unlock

        unlock(desk)
        from memdesk.engine.health.doctor import examine
        from memdesk.engine.progress import ignore_progress

        return examine(desk, progress or ignore_progress)

    def repair(self, desk: Desk, progress: Progress | None = None) -> Repaired:
        from memdesk.files.encryption import unlock

        unlock(desk)
        from memdesk.engine.health.doctor import repair
        from memdesk.engine.progress import ignore_progress
        from memdesk.service.sockets import held

        with held(desk):
            return repair(desk, progress or ignore_progress)

    def encrypt(self, desk: Desk, ask: AskEncryption, progress: Progress | None = None) -> EncryptionMoved:
        """Encrypt a desk. The key is known before SQLite is loaded: it decides which library that is."""
        from memdesk.files.encryption import is_encrypted, new_key, unlock
        from memdesk.model import desk_keys
        from memdesk.service.sockets import held

        with held(desk):
            if is_encrypted(desk):
                unlock(desk)
            else:
                desk_keys.use_key(desk.folder, new_key(desk, passphrase=ask.passphrase))
            from memdesk.engine.health.replacement import encrypt
            from memdesk.engine.progress import ignore_progress

            return encrypt(desk, ask, progress or ignore_progress)

    def decrypt(self, desk: Desk, ask: AskEncryption, progress: Progress | None = None) -> EncryptionMoved:
        """Write an encrypted desk in clear."""
        from memdesk.files.encryption import unlock
        from memdesk.model import desk_keys
        from memdesk.service.sockets import held

        with held(desk):
            unlock(desk, backups=True)
            if desk_keys.key_for(desk.folder) is None:
                raise Conflict(
                    message("This desk is not encrypted."), next=message("`memdesk status` says so.")
                )
            from memdesk.engine.health.replacement import decrypt
            from memdesk.engine.progress import ignore_progress

            return decrypt(desk, ask, progress or ignore_progress)

    def copy(self, source: Desk, target: Desk, progress: Progress | None = None) -> DeskCopied:
        from memdesk.files.encryption import unlock

        unlock(source)
        from memdesk.engine.health.replacement import copy_desk
        from memdesk.engine.progress import ignore_progress
        from memdesk.service.sockets import held

        with held(source), held(target):
            return copy_desk(source, target, progress or ignore_progress)

    def check_path(self, ask: AskImport, progress: Progress | None = None) -> CheckReport:
        from memdesk.engine.interop.checking import check_path
        from memdesk.engine.progress import ignore_progress

        return check_path(ask, progress=progress or ignore_progress)

    def play_sample(self, desk: Desk) -> dict[str, int]:
        from memdesk.engine.engine import now
        from memdesk.engine.interop.sample import open_sample

        return open_sample(desk, now=now())


def main() -> int:
    """Run the command line of this process.

    Raises SystemExit with a sentence on a system without the sockets and locks that a desk needs; the modules that
    need them are imported only after that."""
    if sys.platform in NOT_YET:
        raise SystemExit(
            "MemDesk does not run on Windows yet: it needs Unix sockets and file locks. It runs in the Windows "
            "Subsystem for Linux: https://learn.microsoft.com/windows/wsl/install"
        )
    from memdesk.cli.program import main as run

    return run(sys.argv[1:], Program())


if __name__ == "__main__":
    sys.exit(main())
