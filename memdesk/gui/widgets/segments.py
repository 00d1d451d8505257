"""Row of segments of which exactly one is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from memdesk.gui.widgets.control import Control
from memdesk.gui.widgets.drop import Drop, Option

CHIPS_APART_PX = 8


class Segments(QWidget):
    """Exclusive choice among a few values, as in [Lines | Words]. Tab reaches the chosen segment, arrows
    choose others.

    options: (value, text) pairs. kind: segments join, chips are apart. The signal `chosen` carries the value
    when a person changes it. Segments are never cut: if there is no room for all of them, fold() makes them
    one drop."""

    chosen = Signal(object)

    def __init__(
        self,
        options: Sequence[tuple[object, str]],
        value: object = None,
        *,
        name: str = "",
        kind: Literal["segment", "chip"] = "segment",
    ) -> None:
        super().__init__()
        self._values = [each for each, _ in options]
        self._drop: Drop | None = None
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._group.buttonToggled.connect(lambda *_: self._stop_at_chosen())
        self._group.idClicked.connect(self._tell)
        self._gap = CHIPS_APART_PX if kind == "chip" else 0
        self.setAccessibleName(name)
        self._build([text for _, text in options], kind)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_value(value if value is not None else self._values[0])

    def _build(self, texts: list[str], kind: Literal["segment", "chip"]) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(self._gap)
        for place, text in enumerate(texts):
            segment = Control(kind, text)
            # A screen reader that comes to “Off” says what is off.
            segment.setAccessibleDescription(self.accessibleName())
            last = place == len(texts) - 1
            segment.label.ends = frozenset(["left"] * (place == 0) + ["right"] * last)
            self._group.addButton(segment, place)
            layout.addWidget(segment)

    def _tell(self, place: int) -> None:
        self._show_drop()
        self.chosen.emit(self._values[place])

    def value(self) -> object:
        """Return the value chosen now."""
        return self._values[self._group.checkedId()]

    def set_value(self, value: object) -> None:
        """Choose a value without a signal. Raises ValueError for a value that is not offered."""
        self.button(value).setChecked(True)
        self._show_drop()

    def choose(self, value: object) -> None:
        """Choose a value as a person would; a value that is not offered is ignored."""
        if value in self._values and value != self.value():
            self.button(value).click()

    def set_text(self, value: object, text: str) -> None:
        """Change the text of a value. Raises ValueError for a value that is not offered."""
        self.button(value).setText(text)
        self._show_drop()

    def set_count(self, value: object, count: str) -> None:
        """Show a count behind a value; empty for none. Raises ValueError for a value that is not offered."""
        self.button(value).set_count(count)
        self._show_drop()

    # Where there is little room.

    @property
    def is_folded(self) -> bool:
        """True if the segments are shown as one drop now."""
        return self._drop is not None and not self._drop.isHidden()

    @property
    def full_px(self) -> int:
        """Width of all segments side by side, in px."""
        buttons = self._group.buttons()
        return sum(button.sizeHint().width() for button in buttons) + self._gap * (len(buttons) - 1)

    @property
    def folded_px(self) -> int:
        """Width as one drop, in px."""
        return self._made_drop().sizeHint().width()

    def fold(self, folds: bool) -> None:
        """Become one drop, or segments side by side again. The keyboard focus stays here."""
        if folds == self.is_folded:
            return
        drop, had_focus = self._made_drop(), self.isAncestorOf(self.window().focusWidget())
        for button in self._group.buttons():
            button.setVisible(not folds)
        drop.setVisible(folds)
        if had_focus:
            (drop if folds else self._button(self._group.checkedId())).setFocus()

    def _made_drop(self) -> Drop:
        if self._drop is None:
            self._drop = Drop(name=self.accessibleName(), parent=self)
            self._drop.hide()
            self._drop.chosen.connect(self.choose)
            layout = self.layout()
            assert layout is not None
            layout.addWidget(self._drop)
            self._show_drop()
        return self._drop

    def _show_drop(self) -> None:
        """Give the drop the same options, counts and choice as the segments."""
        if self._drop is not None:
            labels = [self._button(place).label for place in range(len(self._values))]
            self._drop.set_options(
                [
                    Option(value=value, text=f"{label.text} {label.count}".strip())
                    for value, label in zip(self._values, labels, strict=True)
                ]
            )
            self._drop.set_value(self.value())

    def button(self, value: object) -> Control:
        """Return the button of a value. Raises ValueError for a value that is not offered."""
        return self._button(self._values.index(value))

    def _stop_at_chosen(self) -> None:
        """Make Tab reach only the chosen segment; by default Qt makes it reach the first."""
        for button in self._group.buttons():
            chosen = button.isChecked()
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if chosen else Qt.FocusPolicy.ClickFocus)

    def _button(self, place: int) -> Control:
        button = self._group.button(place)
        assert isinstance(button, Control)
        return button
