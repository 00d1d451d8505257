"""How a person wants every window to look: theme, contrast, motion, size and language.

It is kept for the person and not with a desk, so that who needs large text has it on every desk they open."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Literal, get_args, get_type_hints

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtWidgets import QApplication

from memdesk.files.places import windows_file
from memdesk.gui import look
from memdesk.gui.language import Language
from memdesk.gui.look import Theme

Contrast = Literal["system", "high", "standard"]
Motion = Literal["full", "reduced"]
Size = Literal["90", "100", "110", "125", "150"]
"""How large text, rows and icons are drawn, as a percentage of the display's own scale."""
FACTOR = "QT_SCALE_FACTOR"
"""Read by Qt once, when the application is made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """What was chosen; the defaults are what a window begins with."""

    theme: Theme = "system"
    contrast: Contrast = "system"
    motion: Motion = "full"
    size: Size = "100"
    language: Language = "system"


NAMES = tuple(each.name for each in fields(Appearance))
ANEW = ("size", "language")
"""What only a window that is made anew can show."""


class Told(QObject):
    """Tells the window that it has to be made anew, for another language or size."""

    outgrown = Signal()


told = Told()


class _Now:
    """What the windows of this process show."""

    def __init__(self) -> None:
        self.shown = Appearance()


_now = _Now()


def choices(name: str) -> tuple[str, ...]:
    """The values that a part of the appearance can have. Raises KeyError for a part there is not."""
    return get_args(get_type_hints(Appearance)[name])


def kept() -> Appearance:
    """What the person chose last, on whichever desk. A value that nobody knows counts as none."""
    file = _file()
    said = {name: str(file.value(f"appearance/{name}", "")) for name in NAMES}
    known: dict[str, str] = {name: value for name, value in said.items() if value in choices(name)}
    return replace(Appearance(), **known)  # type: ignore[arg-type]


def choose(name: str, value: str) -> None:
    """Keep a choice and let the window follow it. Raises ValueError for a value that is not on offer."""
    if value not in choices(name):
        raise ValueError(f"{name} can be {', '.join(choices(name))}, not {value}.")
    file = _file()
    file.setValue(f"appearance/{name}", value)
    file.sync()
    # Another desk's window may have written this before; what counts is what is to be seen here.
    outgrown = name in ANEW and getattr(_now.shown, name) != value
    dress(kept())
    if outgrown:
        told.outgrown.emit()


def dress(wanted: Appearance, theme: Theme | None = None) -> None:
    """Dress the application as wanted. theme: in place of the chosen one."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    _now.shown = wanted
    look.reduce_motion(wanted.motion == "reduced")
    contrast = None if wanted.contrast == "system" else wanted.contrast == "high"
    look.dress(app, theme or wanted.theme, high_contrast=contrast)


@contextmanager
def scaled(size: Size) -> Iterator[None]:
    """An application made in here draws everything at this size. What we start inherits nothing of it."""
    before = os.environ.get(FACTOR)
    if size != "100":
        os.environ[FACTOR] = f"{float(before or 1) * int(size) / 100:g}"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(FACTOR, None)
        else:
            os.environ[FACTOR] = before


def _file() -> QSettings:
    return QSettings(str(windows_file()), QSettings.Format.IniFormat)
