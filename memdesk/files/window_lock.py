"""Process of a desk's open window, as its lock file says."""

from __future__ import annotations

import os

from memdesk.files.places import Desk


def window_process(desk: Desk) -> int:
    """Return the process of the desk's window, 0 where none is open."""
    try:
        process = int(desk.window_lock.read_text(encoding="ascii").split("\n")[0])
        os.kill(process, 0)
    except PermissionError:
        return process
    except (OSError, ValueError, OverflowError):
        return 0
    return process
