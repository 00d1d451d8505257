"""Slider for the least confidence of a fact to be drawn: from 0 to 1 in steps of 0.05."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from memdesk.gui.help.asking import explain_terms
from memdesk.gui.language import tr
from memdesk.gui.widgets import Slider, Text, row


class Confidence(QWidget):
    """Slider for the least confidence, with its label and value. The signal `changed` carries the value, 0 to
    1."""

    changed = Signal(float)

    def __init__(self, value: float) -> None:
        super().__init__()
        self.groove = Slider(tr("Least confidence"), value, lit="above")
        self._said = Text("", 12, "t1")
        self._said.setFixedWidth(46)
        explain_terms(self, "confidence")
        self.groove.valueChanged.connect(self._moved)
        self.setLayout(row(Text(tr("Confidence"), 12, "t2"), self.groove, self._said, gap=8))
        self._show()

    @property
    def value(self) -> float:
        """Least confidence, 0 to 1."""
        return self.groove.share

    def _moved(self) -> None:
        self._show()
        self.changed.emit(self.value)

    def _show(self) -> None:
        self._said.setText(f"≥ {self.value:.2f}")
        self.groove.setAccessibleDescription(tr("at least {value}", value=f"{self.value:.2f}"))
