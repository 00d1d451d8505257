"""Display of the audit log's operations: icon, colour token, name, and the fill of a bar."""

from __future__ import annotations

from PySide6.QtGui import QColor

from memdesk.gui import icons, look
from memdesk.gui.frame.terms import titled
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c

PICTURES = {"store": ("conversations", "t3"), "import": ("file", "t2"), "redo": ("redo", "t2")}
"""Icons of operations that the icons module does not list."""
BACK = marked("Undo: {subject}"), marked("Redo: {subject}")
"""Prefixes that the engine puts before the title of an undo or redo."""
QUIET = {"store": 0.45, "update": 0.7}
"""Share of the operation's colour in a bar, where two operations share a colour or a frequent one would hide
the others."""


def picture(op: str) -> tuple[str, str]:
    """Return the icon name and colour token of an operation."""
    return PICTURES.get(op) or icons.operation(op)


def word(op: str) -> str:
    """Return the operation's name for a column."""
    return titled(op)


def subject(op: str, title: str) -> str:
    """Return the subject of a change: its title without the “Undo: ” or “Redo: ” prefix."""
    if op in ("undo", "redo"):
        for back in BACK:
            title = title.removeprefix(back.format(subject="")).removeprefix(tr(back, subject=""))
    return title


def fill(op: str) -> QColor:
    """Return the colour of an operation's part of a bar."""
    tone = c(picture(op)[1])
    return look.mix(tone, c("stage"), QUIET[op]) if op in QUIET else tone
