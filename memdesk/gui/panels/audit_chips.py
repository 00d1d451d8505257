"""Operations of the timeline as chips with counts: a click hides an operation, another click shows it again."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui.inspectors import operations
from memdesk.gui.language import tr
from memdesk.gui.widgets import Control, Text, row
from memdesk.model.history import OPERATIONS


class OperationChips(QWidget):
    """Row of chips. The signal `changed` is sent when a person hides or shows an operation; `hidden()` lists
    the hidden ones."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._counts: Mapping[str, int] = {}
        self._chips = {op: self._chip(op) for op in OPERATIONS}
        self._hint = Text(tr("Click to hide"), 12, "t3")
        self.setLayout(row(*self._chips.values(), None, self._hint, gap=6))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def _chip(self, op: str) -> Control:
        icon, tone = operations.picture(op)
        chip = Control("hide", operations.word(op), icon, tone=tone)
        chip.hide()
        chip.toggled.connect(lambda _: self.changed.emit())
        return chip

    def hidden(self) -> tuple[str, ...]:
        """Return the hidden operations."""
        return tuple(op for op, chip in self._chips.items() if chip.isChecked())

    def chip(self, op: str) -> Control:
        """Return the chip of an operation."""
        return self._chips[op]

    def show_everything(self) -> None:
        """Show all operations, without a signal."""
        for chip in self._chips.values():
            chip.blockSignals(True)
            chip.setChecked(False)
            chip.blockSignals(False)
            chip.update()

    def set_counts(self, counts: Mapping[str, int]) -> None:
        """Show the count of each operation; an operation with count 0 has no chip, unless it is hidden."""
        self._counts = counts
        for op, chip in self._chips.items():
            number = counts.get(op, 0)
            chip.setVisible(number > 0 or chip.isChecked())
            chip.setToolTip(
                tr("%Ln event(s); a click shows them", "", number)
                if chip.isChecked()
                else tr("%Ln event(s); a click hides them", "", number)
            )
        self._fit()

    def sizeHint(self) -> QSize:
        """Return a nominal size; the layout sets the width."""
        return QSize(400, 24)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the hint, then the counts, if there is no space for them."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        shown = [(op, chip) for op, chip in self._chips.items() if not chip.isHidden()]
        for op, chip in shown:
            chip.set_count(f"{self._counts.get(op, 0):,}")
        wide = sum(chip.sizeHint().width() + 6 for _, chip in shown)
        self._hint.setVisible(bool(shown) and wide + self._hint.sizeHint().width() <= self.width())
        if wide - 6 > self.width():
            for _, chip in shown:
                chip.set_count("")
