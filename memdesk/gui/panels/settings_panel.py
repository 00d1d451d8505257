"""Settings: built from the service's description of each, with search, refusals in words, and Undo."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

import memdesk
from memdesk.api import upkeep
from memdesk.files.autostart import start_at_login, starts_at_login
from memdesk.gui import appearance
from memdesk.gui.appearance import Appearance
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import NATIVE, marked, tr
from memdesk.gui.session import Session
from memdesk.gui.shell.help_sheet import About
from memdesk.gui.shell.record_panel import RecordPanel
from memdesk.gui.widgets import (
    Column,
    Control,
    Drop,
    Empty,
    Field,
    Flow,
    Ground,
    List,
    Option,
    Scroll,
    Segments,
    Text,
    column,
    laid_out,
    pages,
    remove_widgets,
    row,
)
from memdesk.model.errors import MemDeskError
from memdesk.model.history import FeedEvent
from memdesk.model.status import ChangeSettings, Nothing, SettingList, SettingRow

GROUP = marked("Appearance")
SAYS = {
    "theme": marked("Light or dark; “As the system” follows your desktop while it changes."),
    "contrast": marked("High makes quiet text, lines and the edges of controls stronger."),
    "motion": marked("Reduced shows everything at once: nothing slides or fades."),
    "size": marked(
        "How large text, rows and icons are drawn. The window closes and comes back in this size."
    ),
    "language": marked("The language of the window; what people and agents wrote stays as it is."),
}
CHOICES = {
    "system": marked("As the system"),
    "dark": marked("Dark"),
    "light": marked("Light"),
    "high": marked("High"),
    "standard": marked("Standard"),
    "full": marked("Full"),
    "reduced": marked("Reduced"),
    **NATIVE,
}
"""Labels of the choices; any other choice is shown as its value."""


def look_rows() -> tuple[SettingRow, ...]:
    """Return the appearance settings with their stored values."""
    kept, default = appearance.saved_choices(), Appearance()
    return tuple(
        SettingRow(
            name=name,
            value=getattr(kept, name),
            default=getattr(default, name),
            unit="%" if name == "size" else "",
            low=None,
            high=None,
            choices=appearance.choices(name),
            why=SAYS[name],
            changed=getattr(kept, name) != getattr(default, name),
        )
        for name in appearance.NAMES
    )


LOGIN = "start_at_login"


def login_row() -> SettingRow:
    """Return the setting that starts MemDesk with the desktop."""
    on = starts_at_login()
    why = marked("MemDesk waits in the system tray after you log in; without a tray its window opens.")
    return SettingRow(
        name=LOGIN, value=on, default=False, unit="", low=None, high=None, choices=(), why=why, changed=on
    )


GROUPS = (
    (marked("You"), "person"),
    (marked("Promotion"), "promotion"),
    (marked("Fading and tidying"), "decay_per_day"),
    (marked("Jobs"), "consolidate_minutes"),
    (marked("Extraction"), "extraction_enabled"),
    (marked("Recall"), "recall_limit"),
    (marked("Working memory"), "working_ttl_seconds"),
    (marked("Context"), "context_policy"),
    (marked("Prompt"), "prompt_tokens"),
    (marked("Audit"), "audit_level"),
    (marked("Language model"), "model_url"),
    (marked("Agents' tools"), "memory_tool_dialect"),
    (marked("Import"), "import_file_megabytes"),
)
"""Title of each group and its first setting."""


def grouped(rows: Sequence[SettingRow]) -> Iterator[tuple[str, list[SettingRow]]]:
    """Yield the rows by group; a group whose first setting is missing is left out."""
    begins = {name: title for title, name in GROUPS}
    title, group = GROUPS[0][0], list[SettingRow]()
    for setting in rows:
        if setting.name in begins and group:
            yield title, group
            group = []
        title = begins.get(setting.name, title)
        group.append(setting)
    if group:
        yield title, group


def words(name: str) -> str:
    """Return a setting's name in the language of the window: “Promote confidence” for promote_confidence."""
    return tr(name.replace("_", " ").capitalize())


def value_text(value: bool | int | float | str, choices: Sequence[str] = ()) -> str:
    """Return a value as text for a person; only the choices of a setting are translated."""
    if isinstance(value, bool):
        return tr("on") if value else tr("off")
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:g}"
    if value in choices:
        return tr(CHOICES.get(value, value.replace("_", " ")))
    return value or tr("nothing")


def bounds(row: SettingRow) -> str:
    """Return the range of a setting: “0 to 1”; empty if it has none."""
    if row.low is None or row.high is None:
        return ""
    return tr("{low} to {high}", low=f"{row.low:,g}", high=f"{row.high:,g}")


def parse_value(row: SettingRow, text: str) -> bool | int | float | str:
    """Return a typed text as a value of the setting's type. Raises ValueError if it is not a number of that
    type."""
    text = text.strip()
    if isinstance(row.default, int):
        return int(text.replace(",", ""))
    return float(text) if isinstance(row.default, float) else text


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
        self._name = laid_out(column(self.title, self.id, None, gap=2))
        self._name.setFixedWidth(NAME_PX)
        beside = [Text(each, 12, "t3") for each in (self._unit(), bounds(self._row)) if each]
        asked = Flow(self.control, *beside, self.back, self.was, gap=8)
        about = column(asked, self.why, self.wrong, gap=6)
        return row(self._name, about, gap=16, margins=(20, 12, 20, 12), stretch=about)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the words of the setting at least as much room as its name."""
        super().resizeEvent(event)
        self._name.setFixedWidth(min(NAME_PX, self.width() * 2 // 5))

    def _made(self, setting: SettingRow) -> QWidget:
        """Return the control for the setting's type."""
        if isinstance(setting.default, bool):
            switch = Segments(((True, tr("On")), (False, tr("Off"))), setting.value, name=words(setting.name))
            switch.chosen.connect(self._announce)
            return switch
        if setting.choices:
            options = [Option(each, value_text(each, setting.choices)) for each in setting.choices]
            drop = Drop(options, setting.value, name=words(setting.name))
            drop.chosen.connect(self._announce)
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
        return value_text(value, self._row.choices)

    @property
    def setting(self) -> SettingRow:
        return self._row

    def show_row(self, setting: SettingRow) -> None:
        """Show the current setting; text that is being typed, or was refused, stays."""
        if self.wrong.text() and setting == self._row:
            return
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
        self.wrong.show_text(sentence)
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
            value = parse_value(self._row, self.control.text())
        except ValueError:
            self.say_wrong(self._asked())
            return
        self._announce(value)

    def _announce(self, value: object) -> None:
        if value != self._row.value:
            self.changed.emit(self._row.name, value)
        else:
            self.say_wrong("")


SIDE_PX = 200
GROUP_PX = 34


PAGES = (
    ("jobs", marked("Jobs"), "job"),
    ("workspaces", marked("Workspaces"), "folder"),
    ("agents", marked("Agents"), "agents"),
    ("transfer", marked("Import and export"), "merge"),
    ("backups", marked("Backups"), "backup"),
)


class SettingsPanel(RecordPanel):
    """List of all settings by group, with their descriptions."""

    name = "settings"

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self.lines: dict[str, Line] = {}
        self._headings: dict[str, Text] = {}
        self._groups: dict[str, list[str]] = {}
        self._sought = ""
        self.changed_only = Control("chip", tr("Changed"), "check")
        self.pages = {name: Control("button", tr(words), icon) for name, words, icon in PAGES}
        """Buttons that lead to the panels of this group, by name."""
        self.about = Control("ghost", f"MemDesk {memdesk.__version__}", small=True, tip=tr("About MemDesk"))
        self.side = List(tr, name=tr("Groups"), columns=(self._group_column(),), row_px=GROUP_PX)
        self._page = column(gap=0)
        self._nothing = Empty(tr("No setting matches."), "", step=tr("Show all"))
        self._furnish()
        self.changed_only.toggled.connect(lambda _: self._narrow())
        for name, button in self.pages.items():
            button.clicked.connect(lambda _=False, name=name: inspector.navigated.emit(name, ""))
        self.side.picked.connect(self._go_to)
        self.about.clicked.connect(lambda: About(self.window()).open())
        self._nothing.step_taken.connect(self.show_everything)

    def _furnish(self) -> None:
        page = Ground("stage", layout=self._page)
        self._scroll = Scroll(page)
        self._nothing.setContentsMargins(5, 0, 5, 0)
        self._views = pages(self._scroll, self._nothing)
        below = row(self.about, None, margins=(8, 6, 8, 8))
        groups = column(self.side, below, gap=0, margins=(0, 0, 1, 0))
        aside = Ground("panel", "right", groups, width=SIDE_PX)
        content = laid_out(row(aside, self._views, gap=0, stretch=self._views))
        search = self.search_field(tr("Search settings"), 180, self._narrow)
        self.lay_out(content, focus=self.side, actions=(self.changed_only, search, *self.pages.values()))

    def concerned(self, event: FeedEvent) -> bool:
        """Return True for an event without records, which may be a change of settings."""
        return not event.kinds

    def select(self, id: str) -> None:
        """Bring one setting into view and give it the keyboard focus."""
        self._sought = id
        self.reload()

    def take_focus(self) -> None:
        """Give the content the keyboard focus, unless a requested setting is to get it once loaded."""
        if not self._sought:
            super().take_focus()

    def show_everything(self) -> None:
        """Remove the search and the filter for changed settings."""
        self.changed_only.setChecked(False)
        self.filter.clear()

    # Loading.

    async def load(self) -> None:
        """Load the current settings; a line being edited stays as it is."""
        await self._show(await self.session.call(upkeep.SETTINGS, Nothing()))
        self.show_content()
        if self._sought in self.lines:
            sought, self._sought = self.lines[self._sought], ""
            self.show_everything()
            QTimer.singleShot(0, sought, lambda: self._bring(sought))

    async def _show(self, found: SettingList) -> None:
        rows = (*look_rows(), login_row(), *found.rows)
        if self.lines.keys() == {each.name for each in rows}:
            for each in rows:
                self.lines[each.name].show_row(each)
        else:
            await self._build(found)
        self._show_changed()
        self._narrow()

    async def _build(self, found: SettingList) -> None:
        """Create every line: once, and again only if the service has other settings. It takes half a second, so
        other events have their turn after each group."""
        remove_widgets(self._page)
        self.lines, self._groups, self._headings = {}, {}, {}
        for group, rows in ((GROUP, (*look_rows(), login_row())), *grouped(found.rows)):
            heading = Text(tr(group), 12, "t2", weight=600)
            heading.setContentsMargins(20, 18, 20, 6)
            self._headings[group], self._groups[group] = heading, [each.name for each in rows]
            self._page.addWidget(heading)
            for each in rows:
                self.lines[each.name] = line = Line(each)
                line.changed.connect(lambda name, value: self.session.spawn(self._set(name, value)))
                line.reset.connect(lambda name: self.session.spawn(self._reset(name)))
                self._page.addWidget(line)
            await asyncio.sleep(0)
        self._page.addStretch(1)
        self.side.rows.set_rows(tuple(self._groups))

    def _show_changed(self) -> None:
        changed = sum(line.is_changed for line in self.lines.values())
        self.changed_only.set_count(f"{changed}")
        self.side.viewport().update()
        number = tr("%Ln setting(s)", "", len(self.lines))
        if changed:
            self.say(f"{number} · " + tr("%Ln changed", "", changed))
        else:
            self.say(tr("{number}, all at their defaults", number=number))

    def _narrow(self) -> None:
        """Show the lines that match, and the headings of groups that have any."""
        text, only = self.filter.text(), self.changed_only.isChecked()
        fits = {
            name: line.matches(text) and (line.is_changed or not only) for name, line in self.lines.items()
        }
        for name, line in self.lines.items():
            line.setVisible(fits[name])
        for group, names in self._groups.items():
            self._headings[group].setVisible(any(fits[name] for name in names))
        self._views.setCurrentWidget(self._scroll if any(fits.values()) or not fits else self._nothing)

    def _go_to(self, group: str) -> None:
        self.show_everything()
        QTimer.singleShot(
            0, self, lambda: self._scroll.verticalScrollBar().setValue(self._headings[group].y())
        )

    def _bring(self, line: Line) -> None:
        self._scroll.verticalScrollBar().setValue(max(0, line.y() - 60))
        line.begin()

    def _group_column(self) -> Column[str]:
        def changed(group: str) -> str:
            number = sum(self.lines[name].is_changed for name in self._groups[group])
            return tr("%Ln changed", "", number) if number else ""

        return Column(tr("Groups"), tr, px=13, token="t1", note=changed, note_token="acc")

    # Changing.

    async def _set(self, name: str, value: bool | int | float | str) -> None:
        await self._change(name, ChangeSettings(values={name: value}))

    async def _reset(self, name: str) -> None:
        await self._change(name, ChangeSettings(reset=(name,)))

    async def _change(self, name: str, ask: ChangeSettings) -> None:
        """Change one setting and show its previous value; a refusal is shown below the setting."""
        line = self.lines[name]
        before = line.setting
        back = (
            ChangeSettings(values={name: before.value}) if before.changed else ChangeSettings(reset=(name,))
        )
        value = line.shown(ask.values.get(name, before.default))
        says = tr(
            "{setting}: {value}, before {old}", setting=words(name), value=value, old=line.shown(before.value)
        )
        try:
            if name in (*appearance.NAMES, LOGIN):
                await self.session.do_turn(partial(self._choose, ask), partial(self._choose, back), says)
            else:
                await self.session.set_settings(ask, back, says)
        except MemDeskError as refused:
            line.say_wrong(refused.sentence)
            return
        line.say_wrong("")
        line.say_was(before.value)
        self.reload()

    async def _choose(self, ask: ChangeSettings) -> int:
        """Change the appearance, which is stored by the window and leaves no audit entry."""
        default = Appearance()
        for name in (*ask.values, *ask.reset):
            if name == LOGIN:
                start_at_login(on=bool(ask.values.get(name)))
                continue
            appearance.choose(name, str(ask.values.get(name, getattr(default, name, ""))))
        self.reload_soon()
        return 0
