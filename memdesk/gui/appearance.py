"""A person's choices for the look of every window: theme, contrast, motion, size and language.

They are stored per person and not per desk, so that a person who needs large text has it on every desk."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Literal, get_args, get_type_hints

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtWidgets import QApplication

from memdesk.files.places import windows_file
from memdesk.gui import language, look
from memdesk.gui.language import Language
from memdesk.gui.look import Theme

Contrast = Literal["system", "high", "standard"]
Motion = Literal["full", "reduced"]
Size = Literal["90", "100", "110", "125", "150"]
"""Scale of text, rows and icons, as a percentage of the display's own scale."""
FACTOR = "QT_SCALE_FACTOR"
"""Environment variable that Qt reads once, when the application is created."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """Chosen appearance; the defaults apply until a person chooses."""

    theme: Theme = "system"
    contrast: Contrast = "system"
    motion: Motion = "full"
    size: Size = "100"
    language: Language = "system"


NAMES = tuple(each.name for each in fields(Appearance))


class AppearanceSignals(QObject):
    """Signals that the window must be recreated, for another language or size."""

    needs_new_window = Signal()


signals = AppearanceSignals()


class _Now:
    """Appearance that the windows of this process show."""

    def __init__(self) -> None:
        self.shown = Appearance()


_now = _Now()


def choices(name: str) -> tuple[str, ...]:
    """Return the allowed values of one part of the appearance. Raises KeyError for an unknown part."""
    return get_args(get_type_hints(Appearance)[name])


def saved_choices() -> Appearance:
    """Return the person's latest choices, made on any desk. An unknown value counts as not set."""
    file = _file()
    said = {name: str(file.value(f"appearance/{name}", "")) for name in NAMES}
    known: dict[str, str] = {name: value for name, value in said.items() if value in choices(name)}
    return replace(Appearance(), **known)  # type: ignore[arg-type]


def choose(name: str, value: str) -> None:
    """Save a choice and apply it to the window. Raises ValueError for a value that is not allowed."""
    if value not in choices(name):
        raise ValueError(f"{name} can be {', '.join(choices(name))}, not {value}.")
    file = _file()
    file.setValue(f"appearance/{name}", value)
    file.sync()
    # Another desk's window may have written this before; what counts is what is to be seen here.
    size = _now.shown.size
    if name == "language":
        tongue = language.by_name(value)
        needs_new_window = language.spoken(tongue) != language.current_language()
        if not needs_new_window:  # Such as English, chosen by name after “as the system”.
            language.use(tongue)
    else:
        needs_new_window = name == "size" and size != value
    apply(saved_choices())
    # Unsaved text can keep the window open, and its process keeps its size.
    _now.shown = replace(_now.shown, size=size)
    if needs_new_window:
        signals.needs_new_window.emit()


def apply(wanted: Appearance, theme: Theme | None = None) -> None:
    """Apply an appearance to the application. theme: overrides the chosen theme."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    _now.shown = wanted
    look.reduce_motion(wanted.motion == "reduced")
    contrast = None if wanted.contrast == "system" else wanted.contrast == "high"
    look.apply_theme(app, theme or wanted.theme, high_contrast=contrast)


@contextmanager
def scaled(size: Size) -> Iterator[None]:
    """Set Qt's scale factor while an application is created; it then draws everything at this size.

    The environment is restored afterwards, so child processes do not inherit the factor."""
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
