"""Bar below the table: the number of selected rows, and the actions for all of them."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent

from memdesk.gui.language import marked, tr
from memdesk.gui.widgets import Control, Ground, Text, row

HEIGHT_PX = 44
KEYS_FROM_PX = 860
"""Width from which the bar shows key caps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Action for many memories. kinds: the kinds it applies to; key: its keyboard shortcut."""

    verb: str
    says: str
    icon: str
    key: str
    kinds: tuple[str, ...]


EVERY = ("fact", "entity", "goal", "strategy")
RECALLED = ("fact", "entity", "strategy")
ACTS = (
    Act(verb="promote", says=marked("Promote"), icon="promote", key="P", kinds=("fact",)),
    Act(verb="pin", says=marked("Pin"), icon="pin", key="I", kinds=RECALLED),
    Act(verb="tag", says=marked("Tag"), icon="edit", key="T", kinds=EVERY),
    Act(verb="move", says=marked("Move"), icon="right", key="C", kinds=EVERY),
    Act(verb="merge", says=marked("Merge"), icon="merge", key="M", kinds=("fact", "entity")),
    Act(verb="quarantine", says=marked("Quarantine"), icon="lock", key="Q", kinds=RECALLED),
    Act(verb="retire", says=marked("Retire"), icon="retire", key="Del", kinds=EVERY),
    Act(verb="restore", says=marked("Restore"), icon="undo", key="R", kinds=EVERY),
)
"""Actions in the order of the bar."""


class Chosen(Ground):
    """Bar for the selected rows. Signals: asked carries the verb that was pressed; cleared asks to clear the
    selection."""

    asked = Signal(str)
    cleared = Signal()

    def __init__(self) -> None:
        self._count = Text("", 12, "t1", weight=600)
        self.buttons = {act.verb: Control("button", tr(act.says), act.icon, keys=act.key) for act in ACTS}
        self.clear = Control("ghost", tr("Choose nothing"), keys="Esc")
        super().__init__(
            "panel", "top", row(self._count, 8, *self.buttons.values(), None, self.clear, margins=(20, 0, 20, 0)),
            height=HEIGHT_PX,
        )  # fmt: skip
        self.setAccessibleName(tr("What is chosen"))
        for verb, button in self.buttons.items():
            button.clicked.connect(lambda _=False, verb=verb: self.asked.emit(verb))
        self.clear.clicked.connect(lambda: self.cleared.emit())

    def show_chosen(self, number: int, kind: str, *, unpins: bool, retired: bool, away: bool) -> None:
        """Show the actions for `number` selected rows. unpins: all are pinned; retired: the table shows
        retired rows."""
        self._count.setText(tr("%Ln chosen", "", number))
        for act in ACTS:
            button = self.buttons[act.verb]
            button.setVisible(kind in act.kinds and (act.verb == "restore") == retired)
            button.set_enabled(not away, tr("The service is away; nothing can be changed."))
        self.buttons["pin"].setText(tr("Unpin") if unpins else tr("Pin"))
        self.buttons["merge"].set_enabled(
            number > 1 and not away, tr("Choose the memories that are one, two or more.")
        )

    def press(self, verb: str) -> None:
        """Click the button of a verb if it is visible and enabled."""
        button = self.buttons.get(verb)
        if button is not None and button.isVisible():
            button.click()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the key caps if the buttons need the space."""
        super().resizeEvent(event)
        for act in ACTS:
            self.buttons[act.verb].label.keys = act.key if self.width() >= KEYS_FROM_PX else ""
            self.buttons[act.verb].updateGeometry()
