"""Daily logs: read the agents' entries of a day, and make facts of lines worth keeping."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from memdesk.api import memory, workspace
from memdesk.gui.editor.authors import author_of
from memdesk.gui.editor.page import FileWatch
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.keys import on_key
from memdesk.gui.language import tr
from memdesk.gui.newest import Newest
from memdesk.gui.panels.daily.day_lines import SHOWN_AT_ONCE, DayLines, Line, read_related, rows_of
from memdesk.gui.panels.daily.day_parts import (
    DayBar,
    DaySources,
    EmptyDay,
    EntryBar,
    Finder,
    Overview,
    entries_with,
)
from memdesk.gui.panels.daily.fact_form import WIDTH_PX, FactForm, LineActions
from memdesk.gui.panels.daily.heat_strip import Scale
from memdesk.gui.session import Session
from memdesk.gui.shell.panel import Panel
from memdesk.gui.widgets import (
    Control,
    Field,
    Ground,
    Text,
    column,
    laid_out,
    pages,
    row,
)
from memdesk.gui.widgets.text import excerpt
from memdesk.model.browse import Find
from memdesk.model.errors import NotFound
from memdesk.model.status import Nothing
from memdesk.model.workspace import AskCalendar, AskDay, Day, DayEntry, ReadFile, WorkspaceRow
from memdesk.model.workspace_files import WriteDay

LEGEND_FROM_PX = 1000
DAY_IN_PATH = re.compile(r"\d{4}-\d{2}-\d{2}")
LEAST_BESIDE_PX = 480
"""Width that the content keeps; if less were left, the side part overlays it."""


class SidePart(QWidget):
    """Content, and at its right a part of fixed width that is shown or not."""

    def __init__(self, content: QWidget, side: QWidget, *, width: int) -> None:
        super().__init__()
        self._content, self._side, self._wide = content, side, width
        content.setParent(self)
        side.setParent(self)
        side.hide()

    @property
    def is_open(self) -> bool:
        return not self._side.isHidden()

    def open_side(self, is_open: bool) -> None:
        self._side.setVisible(is_open)
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place both parts for the new size."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        wide, high = self.width(), self.height()
        side = min(self._wide, wide)
        beside = side if self.is_open and wide - side >= LEAST_BESIDE_PX else 0
        self._content.setGeometry(0, 0, wide - beside, high)
        self._side.setGeometry(wide - side, 0, side, high)
        self._side.raise_()


class DailyPanel(Panel):
    """Strip of days above, the lines of the open day below, the form for a new fact at the right."""

    name = "daily"
    kinds = ("document", "workspace")
    filter_asks = True

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._counts: dict[date, int] = {}
        self._wanted: date | None = None
        self.day: Day | None = None
        self._wanted_document = ""
        self._limit = SHOWN_AT_ONCE
        self._reading = Newest(session)
        self._workspaces: tuple[WorkspaceRow, ...] = ()
        self.watch = FileWatch(self)
        self._make_parts()
        self._lay_out()
        self._wire()

    def _make_parts(self) -> None:
        session = self.session
        self.overview = Overview()
        self.strip = self.overview.strip
        self.lines = DayLines(lambda agent: session.mark(f"agent:{agent}")[1])
        self.sources = DaySources(session, lambda author: author_of(session, author).name)
        self.empty_day = EmptyDay()
        self.form = FactForm(session)
        self.becoming = LineActions(session, self.form)
        self.scale, self._most = Scale(), Text("", 12, "t3")
        self.jump = Field(placeholder=tr("Go to a day"), icon="calendar", keys="/", quiet=True, width=168)
        self.finder = Finder(session, lambda: self._counts)
        self.today = Control("button", tr("Today"), keys="T")
        self.bar, self.entry = DayBar(), EntryBar()

    def _lay_out(self) -> None:
        self._views = pages(self.lines, self.sources, self.empty_day)
        parts = column(self.overview, self.bar, self._views, self.entry, gap=0)
        self.aside = SidePart(Ground("stage", layout=parts), self.form, width=WIDTH_PX)
        self._legend = laid_out(row(Text(tr("Entries per day"), 12, "t3"), self.scale, self._most, gap=8))
        self.furnish(
            self.aside, actions=(self._legend, self.finder, self.jump, self.today), filter_field=self.jump
        )
        self.setFocusProxy(self.lines)

    def _wire(self) -> None:
        self.strip.picked.connect(self.open_day)
        self.overview.figures.day_asked.connect(self.open_day)
        self.empty_day.day_asked.connect(self.open_day)
        self.bar.day_asked.connect(self.open_day)
        self.bar.agent_chosen.connect(lambda: self._list(same_day=False))
        self.bar.view_chosen.connect(self._show_view)
        self.bar.edit.clicked.connect(self._edit_file)
        self.bar.add.clicked.connect(self.entry.open)
        self.entry.asked.connect(lambda ask: self.session.spawn(self._add_entry(ask)))
        self.entry.closed.connect(lambda: self.lines.setFocus(Qt.FocusReason.OtherFocusReason))
        self.today.clicked.connect(lambda: self.open_day(date.today()))
        self.jump.returnPressed.connect(lambda: self.session.spawn(self._jump()))
        self.jump.textEdited.connect(lambda _: self.jump.set_error())
        self.finder.changed.connect(self._show_sought)
        self.finder.found.connect(self._show_found)
        self.finder.returnPressed.connect(self._go_to_found)
        self.lines.fact_asked.connect(self._open_form)
        self.lines.fact_made.connect(self.becoming.make_fact)
        self.lines.kept.connect(self.becoming.keep)
        self.becoming.changed.connect(lambda: self._list(same_day=True))
        self.becoming.became.connect(self._flash)
        self.becoming.kept.connect(self.reload_soon)
        self.lines.fact_shown.connect(self.inspector.show_memory)
        self.lines.more_asked.connect(self._show_more)
        self.form.closed.connect(self._close_form)
        self.form.fact_shown.connect(self.inspector.show_memory)
        self.watch.changed.connect(self.reload_soon)
        on_key("T", self.today.click, self, inside=True)
        on_key("Ctrl+F", self.finder.open, self, inside=True)
        on_key("N", self.bar.add.click, self, inside=True)
        on_key("Ctrl+E", self.bar.edit.click, self, inside=True)

    # Loading.

    async def load(self) -> None:
        """Load the calendar and the open day."""
        if self._wanted_document:
            await self._find_day(self._wanted_document)
        agents = self.session.agents
        counts = await self.session.call(workspace.CALENDAR, AskCalendar(agents=agents))
        self._counts = {each.day: each.entries for each in counts.days}
        if not self._counts:
            self._show_none()
            return
        day = self._wanted or self._latest()
        shown = await self.session.call(workspace.DAY, AskDay(day=day, agents=agents))
        self._workspaces = (await self.session.call(workspace.LIST, Nothing())).rows
        beside = await read_related(self.session, shown, self._workspaces)
        self.becoming.show_day(shown, beside, self._workspaces)
        self._take(shown)
        self.show_content()

    async def _find_day(self, document: str) -> None:
        """Find the day of a document, from the date in its path."""
        try:
            file = await self.session.call(workspace.READ, ReadFile(document_id=document))
        except NotFound:
            self._wanted_document = ""
            raise
        self._wanted_document = ""  # Not before: a load that is given up on its way begins again with it.
        if found := DAY_IN_PATH.search(file.path):
            self._wanted = date.fromisoformat(found[0])

    def _latest(self) -> date:
        """Return the last day with entries up to today; if there is none, the last day of all."""
        today = date.today()
        return max((day for day in self._counts if day <= today), default=max(self._counts))

    def _take(self, shown: Day) -> None:
        """Show a day. It was just read from the disk, so its count is newer than the calendar's."""
        same_day = self.day is not None and self.day.day == shown.day
        self._wanted, self.day = shown.day, shown
        self._limit = self._limit if same_day else SHOWN_AT_ONCE
        self._counts = {day: n for day, n in {**self._counts, shown.day: len(shown.entries)}.items() if n}
        self._show_counts()
        self.overview.figures.show_day(shown, self._counts, len(self.becoming.around.lessons))
        self.bar.show_day(self._among_found(shown))
        self.entry.show_day(shown, self._workspaces)
        self._list(same_day=same_day)
        self._watch(shown)

    def _show_none(self) -> None:
        if self.session.agents:
            self.show_filtered(tr("These agents keep no daily log on this desk."), by="agents")
        else:
            self.show_unfilled(
                tr("No agent has kept a daily log here yet."),
                tr(
                    "A log is a file a day, as memory/2026-11-20.md in the agent's folder. "
                    "Bring that folder in."
                ),
            )

    def _watch(self, shown: Day) -> None:
        """Watch the day's files in every folder of their agent, because a day does not state which folder a
        file is in."""
        self.watch.follow(
            Path(folder.path, file.path)
            for file in shown.files
            for folder in self._workspaces
            if folder.agent_id == file.agent_id
        )

    async def _add_entry(self, ask: WriteDay) -> None:
        """Add the entry to its day file. The words stay in the field if the service refuses them."""
        says = tr("Added to the day: “{text}”", text=excerpt(ask.text))
        await self.session.do(workspace.WRITE_DAY, ask, says)
        self.entry.text.clear()
        self.reload_soon()

    def unsaved(self) -> tuple[str, ...]:
        """Return the names of the claim and the entry being written, if any."""
        parts = (
            (tr("the new fact from a line"), self.form.is_begun),
            (tr("the new entry of a day"), bool(self.entry.text.text().strip())),
        )
        return tuple(name for name, begun in parts if begun)

    # Choosing a day.

    def select(self, id: str) -> None:
        """Open a day by its date, as 2026-11-18, or by the id of its document."""
        if DAY_IN_PATH.fullmatch(id):
            self.open_day(date.fromisoformat(id))
        else:
            self._wanted_document = id
            self.reload()

    @property
    def at(self) -> str:
        """The open day, as 2026-11-18."""
        return self.day.day.isoformat() if self.day is not None else ""

    def open_day(self, day: date) -> None:
        """Show a day, with entries or without."""
        self._wanted = day
        if self._counts:
            self.strip.show_days(self.finder.lines if self.finder.words else self._counts, day)
        self.reload()

    async def _jump(self) -> None:
        """Open the day that was typed, as the search of the window reads it; of a longer time its first."""
        ask = Find(text=self.jump.text(), kinds=("entity",), limit=1)
        day = (await self.session.call(memory.FIND, ask)).first_day
        if day is None:
            self.jump.set_error(tr("no day"))
            return
        self.jump.clear()
        self.open_day(day)
        self.lines.setFocus(Qt.FocusReason.OtherFocusReason)

    # What of the day is shown.

    def _entries(self) -> Sequence[DayEntry]:
        entries = (*self.day.entries, *self.becoming.around.lessons) if self.day else ()
        chosen = (entry for entry in entries if self.bar.is_chosen(entry.agent_id))
        return entries_with(chosen, self.finder.words)

    def _list(self, *, same_day: bool) -> None:
        rows = rows_of(self._entries(), self.becoming.line, self._limit)
        self.lines.show_rows(rows, same_day=same_day)
        self._show_view()

    def _show_more(self) -> None:
        self._limit += SHOWN_AT_ONCE
        self._list(same_day=True)

    def _show_view(self) -> None:
        if self.day is None:
            return
        if not self._entries():
            self.empty_day.show_day(self._among_found(self.day), self.finder.words)
            self._views.setCurrentWidget(self.empty_day)
        elif self.bar.shows_source:
            self._fetch_sources(self.day)
            self._views.setCurrentWidget(self.sources)
        else:
            self._views.setCurrentWidget(self.lines)

    def _fetch_sources(self, shown: Day) -> None:
        """Read the files again; an earlier read, perhaps for other agents, is cancelled."""
        self._reading.start(self._read_sources(shown))

    async def _read_sources(self, shown: Day) -> None:
        files = []
        for each in shown.files:
            if self.bar.is_chosen(each.agent_id):
                with suppress(NotFound):
                    ask = ReadFile(document_id=each.document_id)
                    files.append(await self.session.call(workspace.READ, ask))
        self.sources.show_files(files)

    # Looking for words.

    def _show_sought(self) -> None:
        self.lines.seek(self.finder.words)
        self._show_found()
        self._list(same_day=True)

    def _show_found(self) -> None:
        """Show the days with matches in the strip and in the previous and next buttons."""
        self._show_counts()
        if self.day is not None:
            self.bar.show_day(self._among_found(self.day))
            if not self._entries():
                self._show_view()

    def _show_counts(self) -> None:
        """Show the days with entries, or those with matches of a search, next to the title and on the strip."""
        words, found = self.finder.words, self.finder.lines
        if words:
            lines, days = tr("%Ln line(s)", "", sum(found.values())), tr("%Ln day(s)", "", len(found))
            self.say(tr("{lines} on {days}", lines=lines, days=days))
        else:
            self.say(tr("%Ln day(s) with entries", "", len(self._counts)))
        shown = found if words else self._counts
        if self._wanted is not None:
            self.strip.show_days(shown, self._wanted)
        most = self.strip.days.most
        scale = tr("0 to {most}", most=f"{most:,}")
        beyond = most < max(shown.values(), default=0)
        self.scale.show_most(most)
        self._most.setText(tr("{scale} and more", scale=scale) if beyond else scale)

    def _among_found(self, day: Day) -> Day:
        previous, after = self.finder.nearest(day)
        return replace(day, previous=previous, next=after)

    def _go_to_found(self) -> None:
        """Handle Enter in the search field: open the newest day with matches unless the open day has some;
        then focus its lines."""
        found = self.finder.lines
        if self.finder.is_typed:
            self.finder.seek()
        elif found and self.day is not None and self.day.day not in found:
            self.open_day(max(found))
        elif self.lines.isVisible():
            self.lines.setFocus(Qt.FocusReason.OtherFocusReason)

    def step_back(self) -> bool:
        """Close the search on Esc; returns False if there is none."""
        if not self.finder.words:
            return False
        self.finder.leave()
        return True

    def _edit_file(self) -> None:
        """Open the file of the chosen line, or else the first one of the day, in the editor of all files."""
        line = self.lines.record()
        files = (
            [each.document_id for each in self.day.files if self.bar.is_chosen(each.agent_id)]
            if self.day
            else []
        )
        first = line.entry.document_id if isinstance(line, Line) else next(iter(files), "")
        if first:
            self.inspector.navigated.emit("identity", first)

    # What becomes of a line.

    def _open_form(self, entry: DayEntry) -> None:
        self.aside.open_side(True)
        self.becoming.open_form(entry)

    def _flash(self, entry: DayEntry) -> None:
        for place, line in enumerate(self.lines.rows.rows()):
            if isinstance(line, Line) and line.entry == entry:
                self.lines.flash(place)

    def _close_form(self) -> None:
        self.aside.open_side(False)
        self.lines.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the legend in a narrow panel; every cell still shows its number."""
        super().resizeEvent(event)
        self._legend.setVisible(event.size().width() >= LEGEND_FROM_PX)
