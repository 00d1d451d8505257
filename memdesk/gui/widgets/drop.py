"""Button that opens a flat menu and shows the chosen options, as in “Channel All channels ▾”."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Literal

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QMenu, QSizePolicy, QWidget

from memdesk.gui import icons, look
from memdesk.gui.language import tr
from memdesk.gui.widgets.control import Control
from memdesk.gui.widgets.paint import channel_icon, text_width

TYPED_S = 1.0
"""Time after which a letter begins another name."""


def _is_typed(event: QKeyEvent) -> bool:
    """Return True for a key that types a letter, a digit or a mark of a name."""
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
    return not modifiers and event.text().isprintable() and bool(event.text().strip())


@dataclass(frozen=True, slots=True)
class Option:
    """Line of a menu. channel: number of the channel whose square leads it; icon: name in icons."""

    value: object
    text: str
    _: KW_ONLY
    channel: int | None = None
    icon: str = ""
    separator_before: bool = False


def menu_icon(option: Option, dpr: float) -> QIcon:
    """Return the icon that leads a menu line. dpr: device pixel ratio."""
    if option.channel is not None:
        return channel_icon(option.channel, dpr)
    return icons.icon(option.icon) if option.icon else QIcon()


def open_below(menu: QMenu, button: QWidget) -> None:
    """Open a menu below its button; it deletes itself when it closes. It is never exec()'d, which would stop the event
    loop's tasks."""
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(button.mapToGlobal(QPoint(0, button.height() + 2)))


class ChoiceMenu(QMenu):
    """Menu of options; chosen ones have a check at the right. staying: it stays open while several are set.

    is_on returns True if a line is chosen now; the signal `picked` carries the value of a line."""

    picked = Signal(object)

    def __init__(
        self, options: Sequence[Option], is_on: Callable[[object], bool], *, staying: bool, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._is_on, self._staying = is_on, staying
        self._typing = Typing()
        self._lines: list[tuple[QAction, Option]] = []
        for option in options:
            self._add(option)
        self._show_checks()

    def _add(self, option: Option) -> None:
        if option.separator_before:
            self.addSeparator()
        action = QAction(menu_icon(option, self.devicePixelRatioF()), "", self)
        action.setIconVisibleInMenu(True)
        action.setCheckable(True)
        action.triggered.connect(lambda: self._pick(option.value))
        self.addAction(action)
        self._lines.append((action, option))

    def _pick(self, value: object) -> None:
        self.picked.emit(value)
        self._show_checks()

    def _show_checks(self) -> None:
        """Put the check behind a tab, which Qt aligns to the right."""
        for action, option in self._lines:
            on = self._is_on(option.value)
            action.setText(option.text.replace("&", "&&") + ("\t✓" if on else "\t   "))
            action.setChecked(on)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Toggle the line under the pointer; a staying menu does not close."""
        action = self.actionAt(event.position().toPoint())
        if self._staying and action is not None and action.isEnabled():
            action.trigger()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Toggle with Space in a staying menu; Enter is a click and closes it. Letters go to the line that begins
        with them."""
        action = self.activeAction()
        if _is_typed(event):
            self._go_to(event.text())
            return
        if self._staying and event.key() == Qt.Key.Key_Space and action is not None:
            action.trigger()
        else:
            super().keyPressEvent(event)

    def _go_to(self, letter: str) -> None:
        begun = self._typing.add(letter)
        found = next((action for action, each in self._lines if each.text.lower().startswith(begun)), None)
        if found is not None:
            self.setActiveAction(found)


class Typing:
    """Letters typed one after the other, with which the name of an option begins."""

    def __init__(self) -> None:
        self._letters, self._at = "", 0.0

    def add(self, letter: str) -> str:
        """Return the letters with one more, in lower case; after a pause another name begins."""
        now = time.monotonic()
        self._letters = (self._letters if now - self._at < TYPED_S else "") + letter.lower()
        self._at = now
        return self._letters


class Drop(Control):
    """Button with a menu of options. many: several may be chosen, and none chosen means all of them.

    lead: quiet words. every: the text shown while many is on and no option is chosen. The signal `chosen`
    carries the value, or with many the tuple of values."""

    chosen = Signal(object)

    def __init__(
        self,
        options: Sequence[Option] = (),
        value: object = None,
        *,
        lead: str = "",
        icon: str = "",
        many: bool = False,
        every: str = "All",
        small: bool = False,
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("button", "", icon, lead=lead, drop=True, small=small, tone="t3", parent=parent)
        self._many, self._every, self._given_name = many, every, name
        self._options: tuple[Option, ...] = ()
        self._picked: tuple[object, ...] = ()
        self._wanted: tuple[object, ...] = ()
        self._typing = Typing()
        self.enter_opens = True
        """False in a form that Enter submits; Down and Space open the menu there."""
        self.clicked.connect(lambda: self.open_menu())
        self.set_options(options)
        if value is not None:
            self.set_value(value)

    def set_options(self, options: Sequence[Option]) -> None:
        """Offer other options; a choice that is still offered is kept, otherwise the first option is chosen,
        or none with many."""
        self._options = tuple(options)
        values = [option.value for option in options]
        kept = tuple(value for value in self._picked if value in values)
        self._picked = kept or (() if self._many else tuple(values[:1]))
        self._show()
        self._take_wanted()

    @property
    def options(self) -> tuple[Option, ...]:
        """Options offered now."""
        return self._options

    @property
    def picked(self) -> tuple[object, ...]:
        """Tuple of the chosen values, also when only one may be chosen."""
        return self._picked

    def resume(self, picked: tuple[object, ...]) -> None:
        """Restore a choice of an earlier session: now, or as soon as it is offered."""
        self._wanted = picked
        self._take_wanted()

    def _take_wanted(self) -> None:
        found = tuple(option.value for option in self._options if option.value in self._wanted)
        if not found:
            return
        self._wanted = ()
        if found != self._picked:
            self._picked = found
            self._show()
            self.chosen.emit(self.value())

    def value(self) -> object:
        """Return the chosen value, or with many the tuple of values; None if there is no option to choose."""
        if self._many:
            return self._picked
        return self._picked[0] if self._picked else None

    def set_value(self, value: object) -> None:
        """Choose without a signal. With many, value is a tuple."""
        self._picked = tuple(value) if self._many and isinstance(value, tuple) else (value,)
        self._show()

    def _show(self) -> None:
        named = [option for option in self._options if option.value in self._picked]
        few = len(named) <= 2
        text = ", ".join(option.text for option in named) if few else tr("%Ln chosen", "", len(named))
        self.label.text = text or (self._every if self._many else "")
        self.set_channel(named[0].channel if len(named) == 1 else None)
        if self._given_name:
            self.setAccessibleName(f"{self._given_name} {self.label.text}")

    @property
    def lead_px(self) -> int:
        """Width of the quiet words that lead, with the gap behind them, in px."""
        lead = self.label.lead
        return text_width(lead, look.font(self.measures.px)) + self.measures.gap if lead else 0

    def set_lead(self, lead: str) -> None:
        """Change the quiet words that lead; empty for none."""
        if lead != self.label.lead:
            self.label.lead = lead
            self._show()

    @property
    def given_name(self) -> str:
        """Name of the thing it chooses, in a word or two."""
        return self._given_name

    @property
    def narrows(self) -> bool:
        """True if the choice filters: with many any choice, otherwise any but the first option."""
        first = tuple(option.value for option in self._options[:1])
        return bool(self._picked) and (self._many or self._picked != first)

    def menu(self, parent: QWidget | None = None) -> ChoiceMenu:
        """Return the menu as it would open now. parent: the menu it is a part of, if any."""
        first = (Option(None, self._every),) if self._many else ()
        made = ChoiceMenu((*first, *self._options), self._is_on, staying=self._many, parent=parent or self)
        made.picked.connect(self._pick)
        made.setMinimumWidth(self.width())
        return made

    def _is_on(self, value: object) -> bool:
        return value in self._picked or (self._many and value is None and not self._picked)

    def _pick(self, value: object) -> None:
        self._wanted = ()
        if not self._many:
            self._picked = (value,)
        elif value is None:
            self._picked = ()
        elif value in self._picked:
            self._picked = tuple(each for each in self._picked if each != value)
        else:
            self._picked += (value,)
        self._show()
        self.chosen.emit(self.value())

    def open_menu(self) -> None:
        """Open the menu below the button."""
        open_below(self.menu(), self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the menu with Down; letters choose the option that begins with them, Enter may be the form's."""
        if event.key() == Qt.Key.Key_Down:
            self.open_menu()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not self.enter_opens:
            event.ignore()
        elif not self._many and _is_typed(event):
            self._type(event.text())
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Take letters before the window's shortcuts do: one who types a name does not command."""
        is_asked = event.type() == QEvent.Type.ShortcutOverride and not self._many
        if is_asked and isinstance(event, QKeyEvent) and _is_typed(event):
            event.accept()
            return True
        return bool(super().event(event))

    def _type(self, letter: str) -> None:
        """Choose the first option that begins with the letters typed so far."""
        begun = self._typing.add(letter)
        found = next((each for each in self._options if each.text.lower().startswith(begun)), None)
        if found is not None and found.value != self.value():
            self._pick(found.value)


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
        self._group.idClicked.connect(self._emit_chosen)
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

    def _emit_chosen(self, place: int) -> None:
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
                    Option(value, f"{label.text} {label.count}".strip())
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
