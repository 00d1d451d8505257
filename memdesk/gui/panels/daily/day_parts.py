"""Widgets of the open day around its lines: the strip with its figures, its bar, its files as text, the search through
all days, and the bar that adds an entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from memdesk.api import workspace
from memdesk.gui.editor.authors import authors_by_line
from memdesk.gui.editor.page import LARGE_CHARACTERS
from memdesk.gui.editor.source import Plain, Source
from memdesk.gui.editor.version_history import plain_ends
from memdesk.gui.formatting import count
from memdesk.gui.language import tr
from memdesk.gui.newest import Newest
from memdesk.gui.panels.daily.heat_strip import STRIP_HIGH_PX, StripWithNames, brief, full, short
from memdesk.gui.session import Session
from memdesk.gui.widgets import (
    AgentMark,
    Control,
    Drop,
    Field,
    Ground,
    Option,
    Segments,
    Splitter,
    Text,
    column,
    delayed,
    row,
    rule,
)
from memdesk.gui.widgets.explaining import explain_terms
from memdesk.model.workspace import AskDay, Day, DayEntry, FileText, WorkspaceRow
from memdesk.model.workspace_files import WriteDay

DAY_BAR_PX = 44
FULL_FROM_PX = 600
EVERYBODY = ""


class DayBar(Ground):
    """Bar of the open day. `day_asked` carries the neighbouring day that was pressed; `agent_chosen` and
    `view_chosen` are emitted when an agent or a view is chosen."""

    day_asked = Signal(object)
    agent_chosen = Signal()
    view_chosen = Signal()

    def __init__(self) -> None:
        self.before = Control("ghost", icon="left", tip=tr("Earlier day with entries"))
        self.after = Control("ghost", icon="right", tip=tr("Later day with entries"))
        self._heading = Text("", 15, "t1", weight=600)
        self._days: dict[Control, date | None] = {self.before: None, self.after: None}
        for button in self._days:
            button.clicked.connect(lambda _, button=button: self.day_asked.emit(self._days[button]))
        self.view = Segments(
            (("lines", tr("Lines")), ("source", tr("Source", "as it is written"))), "lines", name=tr("View")
        )
        self.view.chosen.connect(lambda _: self.view_chosen.emit())
        self.agents: Segments | None = None
        self._day = date.today()
        self._owners: tuple[str, ...] = ()
        self._agents_place = QHBoxLayout()
        title = row(self.before, self._heading, self.after, gap=8)
        self.edit = Control("ghost", "", "edit", tip=tr("Edit the file") + "  Ctrl+E")
        self.edit.setAccessibleName(tr("Edit the file"))
        self.add = Control("ghost", "", "plus", tip=tr("Add an entry") + "  N")
        self.add.setAccessibleName(tr("Add an entry"))
        layout = row(
            title, None, self._agents_place, self.add, self.edit, self.view, gap=12, margins=(14, 0, 20, 1)
        )
        super().__init__("stage", "bottom", layout, height=DAY_BAR_PX)

    @property
    def shows_source(self) -> bool:
        """True if the files are to be shown as they are written."""
        return self.view.value() == "source"

    def is_chosen(self, agent: str | None) -> bool:
        """Return True if this agent's lines are to be shown."""
        return self.agents is None or self.agents.value() in (EVERYBODY, agent)

    def show_day(self, day: Day) -> None:
        """Show a day, its neighbours, and the agents that wrote on it."""
        today = date.today()
        self._day = day.day
        self._name_day()
        for button, other in ((self.before, day.previous), (self.after, day.next)):
            self._days[button] = other
            button.set_enabled(other is not None, tr("No day with entries lies further."))
            if other is not None:
                button.setToolTip(full(other, today))
        self.edit.set_enabled(bool(day.files), tr("No file was written on this day."))
        self._offer_agents(sorted({file.agent_id for file in day.files if file.agent_id}))

    def _name_day(self) -> None:
        name = full if self.width() >= FULL_FROM_PX else brief
        self._heading.setText(name(self._day, date.today()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shorten the day's name if there is little room."""
        super().resizeEvent(event)
        self._name_day()

    def _offer_agents(self, owners: Sequence[str]) -> None:
        """Offer a choice among the agents, if there are several; the chosen agent stays chosen if it is still
        among them."""
        if tuple(owners) == self._owners:
            return
        chosen = self.agents.value() if self.agents is not None else EVERYBODY
        self._owners = tuple(owners)
        if self.agents is not None:
            self._agents_place.removeWidget(self.agents)
            self.agents.deleteLater()
            self.agents = None
        if len(owners) > 1:
            options = [
                (EVERYBODY, tr("Both") if len(owners) == 2 else tr("All")),
                *((each, each) for each in owners),
            ]
            self.agents = Segments(options, chosen if chosen in owners else EVERYBODY, name=tr("Agent"))
            self.agents.chosen.connect(lambda _: self.agent_chosen.emit())
            self._agents_place.addWidget(self.agents)


class EmptyDay(Ground):
    """A sentence and two next steps. `day_asked` carries the day that was pressed."""

    day_asked = Signal(object)

    def __init__(self) -> None:
        self.sentence = Text("", 13, "t1", weight=500, wrap=True)
        self.detail = Text("", 12, "t2", wrap=True)
        self.before = Control("button", "", "left", small=True)
        self.after = Control("button", "", "right", small=True)
        self._days: dict[Control, date | None] = {self.before: None, self.after: None}
        for button in self._days:
            button.clicked.connect(lambda _, button=button: self.day_asked.emit(self._days[button]))
        steps = row(self.before, self.after, None, gap=8)
        super().__init__(
            "stage",
            layout=column(self.sentence, self.detail, 2, steps, None, gap=6, margins=(20, 24, 20, 20)),
        )

    def show_day(self, day: Day, words: str = "") -> None:
        """Show that the day has no entries, and the nearest days that have some. words: the words searched
        for, if any."""
        today = date.today()
        named = full(day.day, today)
        unsaid = tr("No line of {day} says “{words}”.", day=named, words=words)
        self.sentence.setText(unsaid if words else tr("No entries on {day}.", day=named))
        near = [each for each in (day.previous, day.next) if each is not None]
        self.detail.setText(tr("These are the nearest days that have some:") if near else "")
        for button, other in ((self.before, day.previous), (self.after, day.next)):
            self._days[button] = other
            button.setText(full(other, today) if other is not None else "")
            button.setVisible(other is not None)


class EntryBar(Ground):
    """Field for one entry, and the folder it goes to where there are several. Hidden until it is opened.

    Signals: asked carries a WriteDay; closed."""

    asked = Signal(object)
    closed = Signal()

    def __init__(self) -> None:
        self._day = date.today()
        self.folder = Drop((), lead=tr("For"), name=tr("Folder"))
        self.folder.enter_opens = False
        self.text = Field(name=tr("Entry"))
        self.add = Control("primary", tr("Add"), "plus", keys="Enter")
        line = row(self.folder, self.text, self.add, gap=8, margins=(14, 6, 20, 7), stretch=self.text)
        super().__init__("stage", "top", line)
        self.text.returnPressed.connect(self.submit)
        self.add.clicked.connect(self.submit)
        self.hide()

    def show_day(self, day: Day, folders: Sequence[WorkspaceRow]) -> None:
        """Offer the folders that may get an entry on this day; the one that has a file of the day comes first."""
        self._day = day.day
        written = {each.agent_id for each in day.files}
        ordered = sorted(folders, key=lambda each: each.agent_id not in written)
        self.folder.set_options([Option(value=each.id, text=each.name) for each in ordered])
        self.folder.setVisible(len(ordered) > 1)
        self.text.setPlaceholderText(tr("Entry for {day}", day=full(self._day, date.today())))

    def open(self) -> None:
        """Show the bar, and focus its field."""
        self.show()
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def submit(self) -> None:
        """Ask for the entry, at this time of day, if there are words."""
        text, folder = self.text.text().strip(), self.folder.value()
        if text and folder is not None:
            now = datetime.now().astimezone()
            at = (
                None
                if self._day == now.date()
                else now.replace(year=self._day.year, month=self._day.month, day=self._day.day)
            )
            self.asked.emit(WriteDay(text=text, workspace_id=str(folder), at=at))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            self.closed.emit()
        else:
            super().keyPressEvent(event)


FIELD_PX, TYPED_MS = 196, 200


def entries_with(entries: Iterable[DayEntry], words: str) -> list[DayEntry]:
    """Return the entries that contain these words in text or heading, ignoring case; all of them for no
    words."""
    sought = words.casefold()
    return [each for each in entries if sought in f"{each.section}\n{each.text}".casefold()]


class Finder(Field):
    """Search field with its results: the open day at once, then day after day from their files, newest first.

    `changed` is emitted for other words, `found` for another day that contains them. days: returns the days
    that have entries."""

    changed = Signal()
    found = Signal()

    def __init__(self, session: Session, days: Callable[[], Iterable[date]]) -> None:
        super().__init__(
            placeholder=tr("Find in the logs"), icon="search", keys="Ctrl F", quiet=True, width=FIELD_PX
        )
        self._session, self._days = session, days
        self._task = Newest(session)
        self._typed = delayed(self.seek, self)
        self.lines: dict[date, int] = {}
        self.textChanged.connect(lambda _: self._typed.start(TYPED_MS))

    @property
    def words(self) -> str:
        """Words searched for; empty for none."""
        return self.text().strip()

    @property
    def is_typed(self) -> bool:
        """True if the words are newer than the results."""
        return self._typed.isActive()

    def open(self) -> None:
        """Take the keyboard focus."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def leave(self) -> None:
        self.clear()
        self.seek()

    def seek(self) -> None:
        self._typed.stop()
        self._task.cancel()
        self.lines = {}
        if self.words:
            self._task.start(self._sought(self.words))
        self.changed.emit()

    async def _sought(self, words: str) -> None:
        agents = self._session.agents
        for day in sorted(self._days(), reverse=True):
            read = await self._session.call(workspace.DAY, AskDay(day=day, agents=agents))
            if many := len(entries_with(read.entries, words)):
                self.lines[day] = many
                self.found.emit()

    def nearest(self, day: Day) -> tuple[date | None, date | None]:
        """Return the days before and after a day that contain the words; without words, those that have
        entries."""
        if not self.words:
            return day.previous, day.next
        before = max((each for each in self.lines if each < day.day), default=None)
        return before, min((each for each in self.lines if each > day.day), default=None)


HEAD_PX = 34


class DaySources(Ground):
    """Read-only texts of files. name_of: turns an author such as "agent:Iris" into words, for the bars next
    to the lines."""

    def __init__(self, session: Session, name_of: Callable[[str], str]) -> None:
        super().__init__("stage")
        self._session, self._name_of = session, name_of
        self.files: tuple[FileText, ...] = ()
        self._parts: list[Ground] = []
        self._splitter = Splitter(vertical=True)
        self.setLayout(column(self._splitter, gap=0))

    def show_files(self, files: Sequence[FileText]) -> None:
        """Show other texts. If they are the same, the scroll position stays."""
        if tuple(files) == self.files:
            return
        self.files = tuple(files)
        for part in self._parts:
            part.setParent(None)
            part.deleteLater()
        self._parts = [self._part(file) for file in files]
        for part in self._parts:
            self._splitter.add(part)

    def _part(self, file: FileText) -> Ground:
        marks = (
            [AgentMark(file.agent_id, self._session.mark(f"agent:{file.agent_id}")[1])]
            if file.agent_id
            else []
        )
        name = Text(file.path, 12, "t2", weight=600, elide=True)
        size = Text(tr("%Ln character(s)", "", len(file.text)), 12, "t3")
        head = row(*marks, name, size, gap=8, margins=(20, 0, 20, 1), stretch=name)
        return Ground(
            "stage", layout=column(Ground("stage", "bottom", head, height=HEAD_PX), self._text(file), gap=0)
        )

    def _text(self, file: FileText) -> Source | Plain:
        text = plain_ends(file.text)
        if len(text) > LARGE_CHARACTERS:
            plain = Plain()
            plain.set_text(text)
            plain.setReadOnly(True)
            return plain
        source = Source(self._name_of, name=file.path)
        source.set_text(text)
        source.set_authors(authors_by_line(text, file.authors), "")
        source.setReadOnly(True)
        return source


FIGURES_FROM_PX = 780
FILES_AT_MOST = 3
MOST_PX = 440


class Figures(QWidget):
    """Figures of the open day. `day_asked` carries the busiest day when it is pressed."""

    day_asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._busiest: date | None = None
        self._entries, self._files, self._lessons = (Text("", 20, "t1", weight=600) for _ in range(3))
        for figure, term in (
            (self._entries, "entries"),
            (self._files, "files"),
            (self._lessons, "learnings"),
        ):
            explain_terms(figure, term)
        figures = row(
            column(Text(tr("Entries"), 11, "t2"), self._entries, gap=2),
            column(Text(tr("Files"), 11, "t2"), self._files, gap=2),
            column(Text(tr("Learnings"), 11, "t2"), self._lessons, gap=2),
            None,
            gap=64,
        )
        self._sizes = [(Text("", 11, "t2", elide=True), Text("", 11, "t1")) for _ in range(FILES_AT_MOST)]
        for _, size in self._sizes:
            explain_terms(size, "size")
        lines = column(*(row(name, None, size, gap=12) for name, size in self._sizes), gap=2)
        self._record = Control("link", "", small=True)
        self._record.clicked.connect(lambda: self.day_asked.emit(self._busiest))
        busiest = row(Text(tr("Busiest day"), 11, "t3"), self._record, None, gap=6)
        self.setMaximumWidth(MOST_PX)
        self.setLayout(column(figures, 2, lines, None, busiest, gap=8, margins=(24, 16, 20, 16)))

    def show_day(self, day: Day, entries: Mapping[date, int], lessons: int) -> None:
        """Show the figures of a day, and the busiest day. lessons: number of lessons from mistakes on that
        day."""
        today = date.today()
        self._entries.setText(count(len(day.entries)))
        self._files.setText(count(len(day.files)))
        self._lessons.setText(count(lessons))
        shown = [*day.files[:FILES_AT_MOST], *[None] * FILES_AT_MOST]
        for (name, size), file in zip(self._sizes, shown, strict=False):
            name.setText(
                f"{file.agent_id}, {file.path}" if file and file.agent_id else file.path if file else ""
            )
            size.setText(tr("%Ln character(s)", "", file.size) if file else "")
        self._busiest = max(entries, key=lambda each: (entries[each], each), default=None)
        if self._busiest is not None:
            said = tr("%Ln entr(y|ies)", "", entries[self._busiest])
            self._record.setText(f"{short(self._busiest, today)}, {said}")


class Overview(Ground):
    """Strip and figures side by side; in a narrow panel the figures are hidden."""

    def __init__(self) -> None:
        self.names, self.figures = StripWithNames(), Figures()
        self.strip = self.names.strip
        self._line = rule(vertical=True)
        middle = column(self._line, gap=0, margins=(8, 16, 0, 16))
        layout = row(self.names, middle, self.figures, None, gap=0)
        layout.setStretchFactor(self.figures, 100)
        super().__init__("stage", "bottom", layout, height=STRIP_HIGH_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the figures if they have no room."""
        super().resizeEvent(event)
        wide = event.size().width() >= FIGURES_FROM_PX
        self.figures.setVisible(wide)
        self._line.setVisible(wide)
