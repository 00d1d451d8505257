"""A row of segments of which exactly one is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from memdesk.gui.widgets.control import Control


class Segments(QWidget):
    """Exclusive choice among a few values, as in [Lines | Words]. Tab reaches the one chosen, arrows choose others.

    options: (value, text) pairs. The signal `chosen` carries the value when a person changes it."""

    chosen = Signal(object)

    def __init__(
        self, options: Sequence[tuple[object, str]], value: object = None, *, name: str = ""
    ) -> None:
        super().__init__()
        self._values = [each for each, _ in options]
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._group.buttonToggled.connect(lambda *_: self._stop_at_chosen())
        self._group.idClicked.connect(lambda place: self.chosen.emit(self._values[place]))
        self._build([text for _, text in options], name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        self.set_value(value if value is not None else self._values[0])

    def _build(self, texts: list[str], name: str) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for place, text in enumerate(texts):
            segment = Control("segment", text)
            # A screen reader that comes to “Off” says what is off.
            segment.setAccessibleDescription(name)
            last = place == len(texts) - 1
            segment.label.ends = frozenset(["left"] * (place == 0) + ["right"] * last)
            self._group.addButton(segment, place)
            layout.addWidget(segment)

    def value(self) -> object:
        """The value chosen now."""
        return self._values[self._group.checkedId()]

    def set_value(self, value: object) -> None:
        """Choose a value without a signal. Raises ValueError for one that is not on offer."""
        self._button(self._values.index(value)).setChecked(True)

    def choose(self, value: object) -> None:
        """Choose a value as a person would; one that is not on offer is passed over."""
        if value in self._values and value != self.value():
            self._button(self._values.index(value)).click()

    def set_count(self, value: object, count: str) -> None:
        """Say behind a value how many there are; empty for nothing. Raises ValueError for one that is not on offer."""
        self._button(self._values.index(value)).set_count(count)

    def _stop_at_chosen(self) -> None:
        """Tab comes to the chosen segment alone; left to itself, Qt lets it come to the first."""
        for button in self._group.buttons():
            chosen = button.isChecked()
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if chosen else Qt.FocusPolicy.ClickFocus)

    def _button(self, place: int) -> Control:
        button = self._group.button(place)
        assert isinstance(button, Control)
        return button
