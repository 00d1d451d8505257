"""Start in the tray at login, by an entry in the folder that desktops read, and the process of an open window."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from memdesk.files.places import Desk, autostart_file, resource


def starts_at_login() -> bool:
    """Return True if the entry is there."""
    return autostart_file().exists()


def start_at_login(*, on: bool) -> None:
    """Write the entry, or remove it. Raises OSError."""
    file = autostart_file()
    if not on:
        file.unlink(missing_ok=True)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    entry = resource("desktop", "memdesk.desktop").read_text(encoding="utf-8")
    file.write_text(entry.replace("Exec=memdesk open", f"Exec={_program()} open --tray"), encoding="utf-8")


def _program() -> str:
    """Return the words that start MemDesk, as a desktop entry has them: a session's PATH may lack pipx's folder."""
    python = Path(sys.executable)
    beside = python.with_name("memdesk")
    words = (str(beside),) if beside.exists() else (str(python), "-m", "memdesk")
    return " ".join(f'"{_escaped(word)}"' for word in words)


def _escaped(word: str) -> str:
    """Return a word for a quoted argument of Exec, which is unescaped twice: as a string, and as an argument."""
    for mark in '\\"`$':
        word = word.replace(mark, f"\\{mark}")
    return word.replace("\\", "\\\\").replace("%", "%%")


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
