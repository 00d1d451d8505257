"""Navigation from links and the search: show a record in its panel, with Back to the previous position."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget
from shiboken6 import isValid

from memdesk.api import jobs, memory
from memdesk.gui import formatting, look
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.keys import Key
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.shell.finder import Choice, Choices
from memdesk.gui.shell.panel import DECLARED
from memdesk.gui.shell.stage import Stage
from memdesk.gui.terms import term, word
from memdesk.gui.widgets import Ground, Icon, KeyCap, Text, column, delayed, row, rule
from memdesk.gui.widgets.field import text_palette
from memdesk.gui.widgets.paper import plain_line
from memdesk.model.browse import Find, Found, FoundList
from memdesk.model.errors import MemDeskError
from memdesk.model.job import RunJob
from memdesk.model.kind import SEARCHED
from memdesk.model.kinds import BY_NAME, PASSAGE
from memdesk.model.status import Nothing
from memdesk.model.team import may

WIDTH_PX = 560
TOP_PX = 50
FIELD_PX = 46
FOOTER_PX = 34
WAIT_MS = 120
"""Delay after the last typed letter before memory is searched."""
FOUND_AT_MOST = 12
COMMANDS_BESIDE = 3
SHOWN_OF_EACH = 6
"""Results shown per heading, so that turns do not push the files out of view."""
ARROW = re.compile(r"→|⇒|->|=>")
ACT_VERBS = frozenset(
    ("retire", "hide", "quarantine", "restore", "pin", "unpin", "promote", "move", "tag", "mark", "make")
)
"""Arrow and first words of an act on a set of memories."""
HEADINGS = (marked("Memories"), marked("Goals and strategies"), marked("Said"), marked("Files"))


class Palette(Ground):
    """Search overlay. Typing searches, arrows choose, Enter opens, Esc closes.

    The signal `opened` carries the Found record that was chosen; `panel_asked` a panel and what to show in it;
    `audit_asked` the words to look for in the audit, `lab_asked` those to ask in the recall lab, `act_asked` those of
    an act on a set of memories."""

    opened = Signal(object)
    panel_asked = Signal(str, str)
    audit_asked = Signal(str)
    lab_asked = Signal(str)
    act_asked = Signal(str)
    aimed = Signal(bool)
    """True if the next panel opens in the other half of the stage."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__("panel", radius=6, rim="line2", parent=parent)
        self._session = session
        self._commands: Sequence[Key] = ()
        self._jobs: tuple[str, ...] = ()
        self._task: asyncio.Task[None] | None = None
        self._beside = False
        self._early: bool | None = None
        self._from: QWidget | None = None
        self.field = QLineEdit()
        self.choices = Choices()
        self._where = Text("", 12, "t3")
        self._took = Text("", 11, "t3")
        self._wait = delayed(self._search, self)
        self._furnish()
        self.hide()

    def _furnish(self) -> None:
        self.field.setFrame(False)
        self.field.setFont(look.font(15))
        self.field.setPlaceholderText(tr("Search memories, or type > for a command"))
        self.field.setAccessibleName(tr("Search memories and commands"))
        self.field.installEventFilter(self)
        self.field.textChanged.connect(self._typed)
        self.choices.chosen.connect(self._take)
        top = QWidget()
        top.setFixedHeight(FIELD_PX)
        top.setLayout(row(Icon("search", "t2"), self.field, self._where, gap=9, margins=(15, 0, 14, 0)))
        self.setLayout(column(top, rule(), self.choices, rule(), self._footer(), gap=0, margins=(1, 1, 1, 1)))
        self.setFixedWidth(WIDTH_PX)
        look.keep_palette(self.field, self._retheme)

    def _footer(self) -> QWidget:
        hints = (
            ("Enter", tr("open")),
            ("Ctrl Enter", tr("open beside")),
            (">", tr("commands")),
            ("@", tr("entities")),
            ("#", tr("channels")),
        )
        parts = [part for keys, says in hints for part in (KeyCap(keys), Text(says, 11, "t3"), 8)]
        footer = Ground("panel", layout=row(*parts, None, self._took, gap=6, margins=(14, 0, 14, 0)))
        footer.setFixedHeight(FOOTER_PX)
        return footer

    def _retheme(self) -> None:
        self.field.setPalette(text_palette(self.field))

    # Opening and closing.

    def open(self, commands: Sequence[Key], text: str = "") -> None:
        """Open over the window, offering these commands, as far as this member may make their calls."""
        closed, role = self._session.why_not_call, self._session.role
        open_ones = (each for each in commands if may(role, each.role))
        self._commands = [each for each in open_ones if each.call is None or not closed(each.call)]
        if not self.isVisible():
            self._from = self.window().focusWidget()
        named = ", ".join(self._session.channels)
        self._where.setText(named if len(self._session.channels) <= 2 and named else tr("All channels"))
        self.field.setText(text)
        self._show(())
        self.show()
        self.raise_()
        self.place()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if not self._jobs and may(role, jobs.RUN.role) and not closed(jobs.RUN):
            self._session.spawn(self._read_jobs())

    async def _read_jobs(self) -> None:
        self._jobs = tuple(job.name for job in (await self._session.call(jobs.LIST, Nothing())).rows)
        if self.field.text().startswith(">"):
            self._typed()

    def place(self) -> None:
        """Move to the middle of the window, below the top bar."""
        self.adjustSize()
        self.move((self.window().width() - self.width()) // 2, TOP_PX)

    def close_palette(self) -> None:
        """Close, and cancel a running search."""
        self._stop()
        self.hide()

    def _leave(self) -> None:
        """Close, and return the keyboard focus to the widget that had it."""
        if self._from is not None and isValid(self._from):
            # First, or Qt hands it to the window's first button, which a screen reader then reads out.
            self._from.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.close_palette()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the keys that choose; close when the field loses the focus within the window."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._key(event)
        if event.type() == QEvent.Type.FocusOut and self.isVisible() and not self.isActiveWindow():
            return False
        if event.type() == QEvent.Type.FocusOut:
            self.close_palette()
        return False

    def _key(self, event: QKeyEvent) -> bool:
        match Qt.Key(event.key()):
            case Qt.Key.Key_Down:
                self.choices.step(1)
            case Qt.Key.Key_Up:
                self.choices.step(-1)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._enter(beside=bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))
            case Qt.Key.Key_Escape:
                self._leave()
            case _:
                return False
        return True

    def _enter(self, *, beside: bool) -> None:
        """Take the selected line; while a search for the typed words is under way, take its best result when
        it arrives."""
        if self._wait.isActive() or self._task is not None:
            self._early = beside
            return
        self._beside = beside
        self.choices.take()
        self._beside = False

    def _take(self, choice: Choice) -> None:
        self._leave()
        self.aimed.emit(self._beside)
        choice.act()
        self.aimed.emit(False)

    # Searching.

    def _typed(self) -> None:
        self._stop()
        text = self.field.text().strip()
        if text[:1] in (">", "#") or not text or ARROW.search(text):
            self._show(())
        else:
            self._wait.start(WAIT_MS)

    def _stop(self) -> None:
        self._early = None
        self._wait.stop()
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _search(self) -> None:
        self._task = self._session.spawn(self._find(self.field.text().strip()), failed=self._show_failure)

    async def _find(self, text: str) -> None:
        kinds = ("entity",) if text.startswith("@") else SEARCHED
        ask = Find(
            text=text.removeprefix("@"), channels=self._session.channels, kinds=kinds, limit=FOUND_AT_MOST
        )
        started = time.perf_counter()
        found = await self._session.call(memory.FIND, ask)
        self._took.setText(f"{1000 * (time.perf_counter() - started):.0f} ms")
        self._show(found.rows, self._days(found))
        self._task = None
        if self._early is not None:
            self._enter(beside=self._early)

    def _show_failure(self, wrong: MemDeskError) -> None:
        self._stop()
        self.choices.show_choices((Choice.heading(wrong.says),))
        self.place()

    def _show(self, found: Sequence[Found], days: Iterable[Choice] = ()) -> None:
        text = self.field.text().strip()
        lines = [*days, *self._found(found), *self._channels(text), *self._matching(text)]
        if ARROW.search(text):
            lines = [self._act(text.lstrip("> "))]
        if not lines:
            lines = [Choice.heading(tr("Nothing found for “{text}”.", text=text))]
        self.choices.show_choices(lines)
        self.place()

    def _days(self, found: FoundList) -> Iterator[Choice]:
        """Yield the log of the day that was typed, and the changes of a day or a longer time."""
        first, last = found.first_day, found.last_day
        if first is None or last is None:
            return
        yield Choice.heading(tr("Days"))
        if first == last and may(self._session.role, DECLARED["daily"].role):
            says = tr("Daily log of {day}", day=formatting.long_date(first))
            yield self._leading(says, "daily", first.isoformat())
        days = " – ".join(formatting.date_of(each) for each in dict.fromkeys((first, last)))
        yield self._leading(tr("Audit of {days}", days=days), "audit", f"{first}/{last}")

    def _leading(self, says: str, panel: str, id: str) -> Choice:
        return Choice(text=says, icon=DECLARED[panel].icon, act=lambda: self.panel_asked.emit(panel, id))

    def _found(self, found: Sequence[Found]) -> Iterator[Choice]:
        for heading in HEADINGS:
            rows = [each for each in found if _heading(each) == heading][:SHOWN_OF_EACH]
            if rows:
                yield Choice.heading(tr(heading))
            for each in rows:
                note = f"{each.channel} · {term((each.category or each.kind).lower())}"
                icon = "file" if each.kind == PASSAGE else BY_NAME[each.kind].icon
                yield Choice(text=plain_line(each.title), note=note, icon=icon, act=self._opener(each))

    def _opener(self, found: Found) -> Callable[[], object]:
        return lambda: self.opened.emit(found)

    def _channels(self, text: str) -> Iterator[Choice]:
        if not text.startswith("#") or self._session.status is None:
            return
        yield Choice.heading(tr("Channels"))
        for channel in self._session.status.channels:
            if text[1:].lower() in channel.name.lower():
                note = tr("%Ln fact(s)", "", channel.facts)
                yield Choice(
                    text=channel.name, note=note, channel=channel.number, act=self._chooser(channel.name)
                )

    def _chooser(self, channel: str) -> Callable[[], object]:
        return lambda: self._session.filter_channels((channel,))

    def _matching(self, text: str) -> Iterator[Choice]:
        """Yield matching commands: all of them after “>”, and a few below the search results."""
        if text[:1] in ("@", "#"):
            return
        words = text.removeprefix(">").strip().lower()
        commands = (*self._commands, *map(self._job, self._jobs))
        keys = [key for key in commands if key.says and all(w in key.says.lower() for w in words.split())]
        # What one begins to type is the command's first word: “export” is no import.
        keys.sort(key=lambda key: not key.says.lower().startswith(words))
        if not text.startswith(">") and words:
            keys = keys[:COMMANDS_BESIDE]
        elsewhere = [] if text.startswith(">") or not words else [self._audit(text), self._lab(text)]
        if words.partition(" ")[0] in ACT_VERBS and " " in words:
            elsewhere = [self._act(text.removeprefix(">").strip())]
        if keys or elsewhere:
            yield Choice.heading(tr("Commands"))
        yield from elsewhere
        for key in keys:
            act = key.by_name or key.act
            yield Choice(text=key.says, note=key.keys.replace("+", " "), icon="right", act=act)

    def _job(self, name: str) -> Key:
        says = tr("Run job: {job}", job=word(name.replace("_", " ").capitalize()))
        return Key(says=says, act=lambda: self._session.spawn(self._run(name)))

    async def _run(self, name: str) -> None:
        """Start a job, and show it in its panel."""
        await self._session.call(jobs.RUN, RunJob(name=name))
        self._session.refresh_status()
        self.panel_asked.emit("jobs", name)

    def _audit(self, text: str) -> Choice:
        says = tr("Show audit of “{text}”", text=text)
        return Choice(text=says, icon="audit", act=lambda: self.audit_asked.emit(text))

    def _lab(self, text: str) -> Choice:
        says = tr("Ask in the recall lab: {text}", text=text)
        return Choice(text=says, icon="lab", act=lambda: self.lab_asked.emit(text))

    def _act(self, text: str) -> Choice:
        says = tr("Preview: {act}", act=text)
        return Choice(text=says, icon="edit", act=lambda: self.act_asked.emit(text))


def _heading(found: Found) -> str:
    """Return the heading below which a result is shown."""
    return "Files" if found.kind == PASSAGE else BY_NAME[found.kind].heading


class Navigation(QObject):
    """Connects the stage, the search and the inspector, which stores the history."""

    def __init__(self, stage: Stage, inspector: Inspector) -> None:
        super().__init__(stage)
        self._stage, self._inspector = stage, inspector
        inspector.leads_to = frozenset(stage.names)
        inspector.where = self._where
        inspector.navigated.connect(self.go)
        inspector.returned.connect(self._return)

    def follow(self, search: Palette) -> None:
        stage = self._stage
        search.opened.connect(self.open_found)
        search.panel_asked.connect(self.go)
        search.aimed.connect(stage.aim_beside)
        search.audit_asked.connect(lambda text: stage.open("audit").search(text))
        search.lab_asked.connect(lambda text: stage.open("lab").search(text))

    def go(self, name: str, id: str) -> None:
        """Show a record in a panel and give it the keyboard focus; without an id, show the panel as it is.
        Back returns."""
        if not self._stage.has(name):
            return
        self._inspector.leave()
        panel = self._stage.open(name)
        if id:
            panel.select(id)
        panel.take_focus()

    def open_found(self, found: Found) -> None:
        """Show a search result in its panel and in the inspector."""
        if found.kind == PASSAGE:
            # A passage is named by its document and its lines.
            self.go("daily" if found.category == "day" else "identity", found.id.partition("#")[0])
            return
        self.go(BY_NAME[found.kind].panel, found.id)
        self._inspector.show_memory(found.id)

    def _where(self) -> tuple[str, str]:
        panel = self._stage.panel
        return (panel.name, panel.at) if panel is not None else ("", "")

    def _return(self, name: str, record: str) -> None:
        panel = self._stage.open(name)
        if record and panel.at != record:
            panel.select(record)
        # As if the person had never left: a list without a chosen row is not to choose one.
        panel.setFocus(Qt.FocusReason.ActiveWindowFocusReason)
