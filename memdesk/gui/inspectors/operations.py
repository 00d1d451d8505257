"""Operations of the audit log as they are drawn: icon, tone, word, and the fill of a bar."""

from __future__ import annotations

from PySide6.QtGui import QColor

from memdesk.gui import icons, look
from memdesk.gui.frame.terms import titled
from memdesk.gui.look import c

PICTURES = {"store": ("conversations", "t3"), "import": ("file", "t2"), "redo": ("redo", "t2")}
"""Operations that icons names no picture for."""
QUIET = {"store": 0.45, "update": 0.7}
"""Share of the tone in a bar, where two operations have the same one or one of them drowns the others."""


def picture(op: str) -> tuple[str, str]:
    """Icon name and token of an operation."""
    return PICTURES.get(op) or icons.operation(op)


def word(op: str) -> str:
    """The operation's name as it stands in a column."""
    return titled(op)


def subject(op: str, title: str) -> str:
    """What an event was about; an undo's own title says “Undo: ” before it."""
    return title.removeprefix("Undo: ").removeprefix("Redo: ") if op in ("undo", "redo") else title


def fill(op: str) -> QColor:
    """The colour of an operation's part of a bar."""
    tone = c(picture(op)[1])
    return look.mix(tone, c("stage"), QUIET[op]) if op in QUIET else tone
