"""Operations of the audit log as they are drawn: icon, tone, word, and the fill of a bar."""

from __future__ import annotations

from PySide6.QtGui import QColor

from memdesk.gui import icons, look
from memdesk.gui.frame.terms import titled
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c

PICTURES = {"store": ("conversations", "t3"), "import": ("file", "t2"), "redo": ("redo", "t2")}
"""Operations that icons names no picture for."""
BACK = marked("Undo: {subject}"), marked("Redo: {subject}")
"""How the engine begins the title of a change that takes another back."""
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
    if op in ("undo", "redo"):
        for back in BACK:
            title = title.removeprefix(back.format(subject="")).removeprefix(tr(back, subject=""))
    return title


def fill(op: str) -> QColor:
    """The colour of an operation's part of a bar."""
    tone = c(picture(op)[1])
    return look.mix(tone, c("stage"), QUIET[op]) if op in QUIET else tone
