"""Settings: built from the service's description of each, with search, refusals in words, and Undo."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRectF, QTimer
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStackedWidget, QWidget

from memdesk.contract import upkeep
from memdesk.gui import appearance, look
from memdesk.gui.appearance import Appearance
from memdesk.gui.inspector import Inspector
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.panels.panel import Panel
from memdesk.gui.preferences import looks
from memdesk.gui.preferences.groups import grouped, words
from memdesk.gui.preferences.line import Line
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Empty, Field, Ground, List, RowState, Scroll, Text, column, row
from memdesk.gui.widgets.paint import LEFT, RIGHT, draw_text
from memdesk.model.errors import MemDeskError
from memdesk.model.history import FeedEvent
from memdesk.model.status import ChangeSettings, Nothing, SettingList

SIDE_PX = 200
GROUP_PX = 34


class SettingsPanel(Panel):
    """List of all settings by group, with their descriptions."""

    name, title, icon = "settings", marked("Settings"), "settings"
    at_foot = True

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self.lines: dict[str, Line] = {}
        self._headings: dict[str, Text] = {}
        self._groups: dict[str, list[str]] = {}
        self._sought = ""
        self.filter = Field(placeholder=tr("Search settings"), icon="search", keys="/", quiet=True, width=180)
        self.changed_only = Control("chip", tr("Changed"), "check")
        self.jobs = Control("button", tr("Jobs"), "job")
        self.workspaces = Control("button", tr("Workspaces"), "file")
        self.transfer = Control("button", tr("Import and export"), "merge")
        self.backups = Control("button", tr("Backups"), "lock")
        self.side = List(lambda group: group, self._paint_group, name=tr("Groups"), row_px=GROUP_PX)
        self._page = column(gap=0)
        self._nothing = Empty(tr("No setting matches."), "", step=tr("Show all"))
        self._furnish()
        self.filter.textChanged.connect(lambda _: self._narrow())
        self.changed_only.toggled.connect(lambda _: self._narrow())
        self.jobs.clicked.connect(lambda: inspector.navigated.emit("jobs", ""))
        self.workspaces.clicked.connect(lambda: inspector.navigated.emit("workspaces", ""))
        self.transfer.clicked.connect(lambda: inspector.navigated.emit("transfer", ""))
        self.backups.clicked.connect(lambda: inspector.navigated.emit("backups", ""))
        self.side.picked.connect(self._go_to)
        self._nothing.step_taken.connect(self.show_everything)

    def _furnish(self) -> None:
        page = Ground("stage", layout=self._page)
        self._scroll = Scroll(page)
        self._nothing.setContentsMargins(5, 0, 5, 0)
        self._views = QStackedWidget()
        self._views.addWidget(self._scroll)
        self._views.addWidget(self._nothing)
        aside = Ground("panel", "right", column(self.side, gap=0, margins=(0, 0, 1, 0)), width=SIDE_PX)
        content = QWidget()
        layout = row(aside, self._views, gap=0)
        layout.setStretchFactor(self._views, 1)
        content.setLayout(layout)
        pages = (self.changed_only, self.filter, self.jobs, self.workspaces, self.transfer, self.backups)
        self.furnish(content, actions=pages, filter_field=self.filter)
        self.setFocusProxy(self.side)

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

    def search(self, text: str) -> None:
        """Search the settings for words."""
        self.filter.setText(text)

    def show_everything(self) -> None:
        """Remove the search and the filter for changed settings."""
        self.changed_only.setChecked(False)
        self.filter.clear()

    # Loading.

    async def load(self) -> None:
        """Load the current settings; a line being edited stays as it is."""
        self._show(await self.session.call(upkeep.SETTINGS, Nothing()))
        self.show_content()
        if self._sought in self.lines:
            sought, self._sought = self.lines[self._sought], ""
            self.show_everything()
            QTimer.singleShot(0, sought, lambda: self._bring(sought))

    def _show(self, found: SettingList) -> None:
        rows = (*looks.rows(), *found.rows)
        if self.lines.keys() == {each.name for each in rows}:
            for each in rows:
                self.lines[each.name].show_row(each)
        else:
            self._build(found)
        self._tell_changed()
        self._narrow()

    def _build(self, found: SettingList) -> None:
        """Create every line: once, and again only if the service has other settings."""
        while (item := self._page.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self.lines, self._groups, self._headings = {}, {}, {}
        for group, rows in ((looks.GROUP, looks.rows()), *grouped(found.rows)):
            heading = Text(tr(group), 12, "t2", weight=600)
            heading.setContentsMargins(20, 18, 20, 6)
            self._headings[group], self._groups[group] = heading, [each.name for each in rows]
            self._page.addWidget(heading)
            for each in rows:
                self.lines[each.name] = line = Line(each)
                line.changed.connect(lambda name, value: self.session.spawn(self._set(name, value)))
                line.reset.connect(lambda name: self.session.spawn(self._reset(name)))
                self._page.addWidget(line)
        self._page.addStretch(1)
        self.side.rows.set_rows(tuple(self._groups))

    def _tell_changed(self) -> None:
        changed = sum(line.is_changed for line in self.lines.values())
        self.changed_only.set_count(f"{changed}")
        number = tr("%Ln setting(s)", "", len(self.lines))
        if changed:
            self.say(tr("{number}, {changed} changed", number=number, changed=changed))
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

    def _paint_group(self, painter: QPainter, area: QRectF, group: str, state: RowState) -> None:
        changed = sum(self.lines[name].is_changed for name in self._groups[group])
        draw_text(painter, area, tr(group), look.font(13), c("t1"), LEFT)
        if changed:
            draw_text(painter, area, tr("%Ln changed", "", changed), look.font(11), c("acc"), RIGHT)

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
            if name in appearance.NAMES:
                await self.session.do_turn(partial(self._choose, ask), partial(self._choose, back), says)
            else:
                await self.session.set_settings(ask, back, says)
        except MemDeskError as refused:
            line.say_wrong(f"{refused.says} {refused.next}".strip())
            return
        await self.load()
        line.say_was(before.value)
        self.say(
            tr(
                "{setting} is {value} from now on; it was {old}.",
                setting=words(name),
                value=line.shown(line.setting.value),
                old=line.shown(before.value),
            )
        )
        self.side.viewport().update()

    async def _choose(self, ask: ChangeSettings) -> int:
        """Change the appearance, which is stored by the window and leaves no audit entry."""
        default = Appearance()
        for name in (*ask.values, *ask.reset):
            appearance.choose(name, str(ask.values.get(name, getattr(default, name, ""))))
        self.reload_soon()
        return 0
