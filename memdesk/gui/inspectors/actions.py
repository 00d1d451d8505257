"""What can be done to a memory: the buttons at the foot of the inspector, and why one of them cannot be pressed."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QSizePolicy

from memdesk.gui.language import marked, tr
from memdesk.gui.widgets import Control, Ground
from memdesk.model.browse import Inspection
from memdesk.model.channel import GLOBAL

AWAY = marked("The service is away; nothing can be changed.")


class Actions(Ground):
    """Signals: promote, edit, pin, quarantine, retire, each the press of its button."""

    promote = Signal()
    edit = Signal()
    pin = Signal()
    quarantine = Signal()
    retire = Signal()

    def __init__(self, seen: Inspection) -> None:
        self._seen = seen
        self.buttons = {
            "promote": Control("primary", tr("Promote"), "promote", keys="P"),
            "edit": Control("button", tr("Edit"), "edit", keys="E"),
            "pin": Control("button", tr("Unpin") if seen.pinned else tr("Pin"), "pin", keys="I"),
            "quarantine": Control("button", tr("Quarantine"), "lock", keys="Q"),
            "retire": Control("button", tr("Retire"), "retire", keys="Del"),
        }
        grid = QGridLayout()
        grid.setContentsMargins(16, 12, 16, 12)
        grid.setSpacing(8)
        for place, name in enumerate(shown(seen)):
            self.buttons[name].setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            grid.addWidget(self.buttons[name], place // 2, place % 2)
        super().__init__("panel", "top")
        self.setLayout(grid)
        for name, signal in (
            ("promote", self.promote),
            ("edit", self.edit),
            ("pin", self.pin),
            ("quarantine", self.quarantine),
            ("retire", self.retire),
        ):
            self.buttons[name].clicked.connect(lambda _=False, signal=signal: signal.emit())

    def set_away(self, away: bool) -> None:
        """While the service is away nothing can be pressed."""
        for name, button in self.buttons.items():
            reason = tr(AWAY) if away else why_not(self._seen, name)
            button.set_enabled(not reason, reason)

    def press(self, name: str) -> None:
        """Press a button by its key, if it is there and can be pressed."""
        if name in shown(self._seen):
            self.buttons[name].click()


def shown(seen: Inspection) -> tuple[str, ...]:
    """The actions that make sense for this kind of memory."""
    match seen.kind:
        case "fact":
            return ("promote", "edit", "pin", "quarantine", "retire")
        case "entity":
            return ("pin", "quarantine", "retire")
        case "turn":
            return ("quarantine", "retire")
        case _:
            return ()


def why_not(seen: Inspection, name: str) -> str:
    """Why an action cannot be taken; empty when it can."""
    if seen.retired:
        return tr("It is retired; undo that in its history first.")
    fact = seen.fact
    if name == "promote" and fact is not None and fact.channel == GLOBAL:
        return tr("It is in _global already.")
    if name == "promote" and fact is not None and fact.superseded_by is not None:
        return tr("A newer fact took its place.")
    return ""
