"""Line for one setting: name, control, purpose, range, and a reset to the default."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from memdesk.gui.language import tr
from memdesk.gui.preferences.groups import bounds, shown, typed, words
from memdesk.gui.widgets import Control, Drop, Field, Ground, Option, Segments, Text, column, row
from memdesk.model.status import SettingRow

NAME_PX = 250
FIELD_PX = 120
WORDS_PX = 260


class Line(Ground):
    """Line for one setting. Signals: changed carries (name, value) set by a person; reset, the name to set to
    its default."""

    changed = Signal(str, object)
    reset = Signal(str)

    def __init__(self, setting: SettingRow) -> None:
        self._row = setting
        self.title = Text(words(setting.name), 13, "t1", weight=500)
        self.id = Text(setting.name, 11, "t3", mono=True, selectable=True)
        self.why = Text(tr(setting.why), 12, "t2", wrap=True)
        self.wrong = Text("", 12, "bad", wrap=True)
        self.back = Control("link", "", small=True, tip=tr("Set it back to its default"))
        self.was = Control("link", "", small=True, tip=tr("Take the change back"))
        self._was: object = None
        self.control = self._made(setting)
        super().__init__("stage", "bottom", self._laid_out())
        self.wrong.hide()
        self.was.hide()
        self.was.clicked.connect(lambda: self.changed.emit(self._row.name, self._was))
        self.back.clicked.connect(lambda: self.reset.emit(self._row.name))
        self.show_row(setting)

    def _laid_out(self) -> QHBoxLayout:
        name = QWidget()
        name.setFixedWidth(NAME_PX)
        name.setLayout(column(self.title, self.id, None, gap=2))
        beside = [Text(each, 12, "t3") for each in (self._unit(), bounds(self._row)) if each]
        asked = row(self.control, *beside, self.back, self.was, None, gap=8)
        about = column(asked, self.why, self.wrong, gap=6)
        layout = row(name, about, gap=16, margins=(20, 12, 20, 12))
        layout.setStretchFactor(about, 1)
        return layout

    def _made(self, setting: SettingRow) -> QWidget:
        """Return the control for the setting's type."""
        if isinstance(setting.default, bool):
            switch = Segments(((True, tr("On")), (False, tr("Off"))), setting.value, name=words(setting.name))
            switch.chosen.connect(self._tell)
            return switch
        if setting.choices:
            options = [Option(value=each, text=shown(each, setting.choices)) for each in setting.choices]
            drop = Drop(options, setting.value, name=words(setting.name))
            drop.chosen.connect(self._tell)
            return drop
        is_number = isinstance(setting.default, (int, float))
        field = Field(name=words(setting.name), width=FIELD_PX if is_number else WORDS_PX)
        field.editingFinished.connect(self._finished)
        field.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        return field

    def _unit(self) -> str:
        return tr(self._row.unit) if self._row.unit else ""

    def _asked(self) -> str:
        """Return a sentence about the kind of number expected, for an invalid input."""
        whole = isinstance(self._row.default, int)
        kind = tr("This is a whole number") if whole else tr("This is a number")
        within = (
            tr("{kind} from {bounds}", kind=kind, bounds=bounds(self._row)) if bounds(self._row) else kind
        )
        return tr("{what}. It stays {value}.", what=within, value=self.shown(self._row.value))

    def shown(self, value: bool | int | float | str) -> str:
        """Return a value of this setting as text for a person."""
        return shown(value, self._row.choices)

    @property
    def setting(self) -> SettingRow:
        """Return the setting that is shown."""
        return self._row

    def show_row(self, setting: SettingRow) -> None:
        """Show the current setting; text that is being typed stays."""
        self._row = setting
        control = self.control
        if isinstance(control, Segments | Drop):
            control.set_value(setting.value)
        elif isinstance(control, Field) and not control.hasFocus():
            control.setText(f"{setting.value:g}" if isinstance(setting.value, float) else str(setting.value))
            control.set_error("")
        self.back.setVisible(setting.changed)
        self.back.setText(tr("Reset to {value}", value=self.shown(setting.default)))
        self.say_wrong("")

    def say_was(self, value: bool | int | float | str) -> None:
        """Offer to undo the change made here. value: the previous value."""
        self._was = value
        self.was.setText(tr("Undo, it was {value}", value=self.shown(value)))
        self.was.setVisible(value != self._row.default)

    def say_wrong(self, sentence: str) -> None:
        """Show below the control why a value was refused; empty to clear it."""
        self.wrong.setText(sentence)
        self.wrong.setVisible(bool(sentence))
        if isinstance(self.control, Field):
            self.control.set_error(" " if sentence else "")

    def matches(self, text: str) -> bool:
        """Return True if the setting's name or purpose contains all these words."""
        row = self._row
        whole = f"{row.name} {words(row.name)} {row.why} {tr(row.why)}".lower()
        return all(word in whole for word in text.lower().split())

    @property
    def is_changed(self) -> bool:
        """Return True if the setting differs from its default."""
        return self._row.changed

    def begin(self) -> None:
        """Give the keyboard focus to the control."""
        self.control.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _finished(self) -> None:
        assert isinstance(self.control, Field)
        try:
            value = typed(self._row, self.control.text())
        except ValueError:
            self.say_wrong(self._asked())
            return
        self._tell(value)

    def _tell(self, value: object) -> None:
        if value != self._row.value:
            self.changed.emit(self._row.name, value)
        else:
            self.say_wrong("")
