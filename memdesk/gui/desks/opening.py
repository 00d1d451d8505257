"""Opening another desk: a separate process with its own window and service."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import memdesk
from memdesk.files.places import Desk
from memdesk.gui.language import tr
from memdesk.model.errors import Refused


def desk_in(folder: Path) -> Desk:
    """Return the desk of a chosen folder, which contains a desk, is empty or does not exist yet.

    Raises Refused for a folder with other files, in which a desk would be lost."""
    desk = Desk(folder.expanduser().absolute())
    if desk.database.exists() or not desk.folder.exists() or not any(desk.folder.iterdir()):
        return desk
    raise Refused(
        tr("{folder} holds other files and no desk.", folder=desk.folder),
        next=tr("Choose a desk's folder, or an empty one for a new desk."),
    )


def open_desk(desk: Desk) -> subprocess.Popen[bytes]:
    """Start a process that shows a desk's window; if the desk has a window already, bring that one to the
    front."""
    return subprocess.Popen(
        [sys.executable, "-m", "memdesk", "open", "--desk", str(desk.folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        # Where the package lies: it is found from there whether it is installed or not.
        cwd=Path(memdesk.__file__).parent.parent,
    )
