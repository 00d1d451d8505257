"""Panels: the declaration of one and of its place in the rail, and the base class: a header, an optional filter bar,
and content that can be loading, empty or failed.

A complete panel:

    class FactsPanel(Panel):
        '''Facts, newest first.'''

        name = "facts"                                   # as declared in PANELS, with its title and icon
        kinds = ("fact",)                                # record kinds whose changes make it reload

        def __init__(self, session: Session, inspector: Inspector) -> None:
            super().__init__(session, inspector)
            self.model = RowsModel(COLUMNS)
            self.table = Table(self.model, name="Facts")
            self.table.picked.connect(lambda fact: inspector.show_memory(fact.id))
            self.filter = Field(placeholder="Filter facts", icon="search", keys="/", quiet=True, width=220)
            self.filter.textChanged.connect(lambda _: self.ask_soon())
            self.furnish(self.table, actions=(self.filter,), filter_field=self.filter)

        async def load(self) -> None:
            page = await self.session.call(memory.FACTS, ListFacts(channels=self.session.channels))
            self.table.replace_rows(page.rows)           # the chosen row and the scroll position stay
            self.say(f"{page.total:,}")                  # next to the title
            if page.rows:
                self.show_content()
            else:
                self.show_empty("No facts yet.", "An agent learns them as it works.")

The panel loads when it is first shown, when the filters of the top bar change, when the service is back, and
shortly after a change that concerns it; hidden panels wait until they are shown. An error raised by `load` is
shown in the panel with Retry. Changes go through `session.do(endpoint, ask)` inside `session.spawn(...)`; the
status line then offers Undo.

Keys: P, E, I and Del act on the memory in the inspector and belong to the window, as do Ctrl+Z, Ctrl+R, F6
and /. A panel may use other letters: on_key("T", act, self, inside=True). A canvas that takes keys sets
`setProperty("canvas", True)`, so that the window's letters act there too. A panel sets with
setFocusProxy(widget) which widget gets the focus when the panel is opened by keyboard."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Literal

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QLayout, QStackedWidget, QWidget

from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import (
    Empty,
    Failure,
    Field,
    Ground,
    List,
    PanelHead,
    Skeleton,
    Table,
    Toolbar,
    column,
    delayed,
    row,
)
from memdesk.gui.widgets.layout import Item
from memdesk.model.errors import MemDeskError, ServiceAway
from memdesk.model.history import FeedEvent
from memdesk.model.team import CURATOR, OWNER, READER

RELOAD_AFTER_MS = 150
REST_SHARE = 3
"""Factor of the pause after a load: reloads for live changes wait RELOAD_AFTER_MS or this many times the
duration of the last load, so that they take at most a quarter of the time."""

OPENED_BY = {
    OWNER: marked("Only an owner of this desk may open this page."),
    CURATOR: marked("Only curators and owners of this desk may open this page."),
}
"""Sentence for members of another role, by the least role that opens a page."""

DECLARED: dict[str, PanelEntry] = {}
"""Every declared panel by its name. The package of the panels declares them before it imports any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An entry of the rail: panels that are used together. at_foot: it is at the foot of the rail."""

    name: str
    title: str
    icon: str
    at_foot: bool = False


PLACES = (
    Place(name="today", title=marked("Today"), icon="today"),
    Place(name="memory", title=marked("Memory"), icon="graph"),
    Place(name="files", title=marked("Files"), icon="file"),
    Place(name="view", title=marked("Agent’s view"), icon="eye"),
    Place(name="history", title=marked("History"), icon="audit"),
    Place(name="connections", title=marked("Connections"), icon="plug", at_foot=True),
    Place(name="settings", title=marked("Settings"), icon="settings", at_foot=True),
)
"""The places, in the order of the rail; Ctrl+1 goes to the first."""


@dataclass(frozen=True, slots=True)
class PanelEntry:
    """Declaration of a panel. A window that starts with one panel does not wait for the modules of the others.

    name: also its module `panels/<name>_panel.py`, its class `<Name>Panel` and its help page. place: name of the
    place of the rail that it belongs to. role: the least role that opens it, of a member of a desk elsewhere."""

    name: str
    title: str
    icon: str
    place: str
    role: str = READER

    def __post_init__(self) -> None:
        DECLARED[self.name] = self

    def __call__(self, *arguments: Any) -> Any:
        """Create the panel. Raises ImportError or AttributeError if the declaration is wrong."""
        return self.kind(*arguments)

    @property
    def kind(self) -> Callable[..., Any]:
        """Class of the panel, whose module is imported now."""
        module = import_module(f"memdesk.gui.panels.{self.name}_panel")
        kind: Callable[..., Any] = getattr(module, f"{self.name.capitalize()}Panel")
        return kind


class Panel(QWidget):
    """Base class of a panel of the stage. Subclasses set the name under which they are declared in PANELS, call
    furnish() and write load()."""

    name: ClassVar[str]
    kinds: ClassVar[tuple[str, ...]] = ()
    filter_asks: ClassVar[bool] = False
    """True if Enter in the filter field does what the panel is for, and does not lead to the list."""

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__()
        self.session, self.inspector = session, inspector
        self._stale, self._again, self._has_content, self._wants_focus = True, False, False, False
        self._tables: list[Table] = []
        self._by_others = False
        self._task: asyncio.Task[None] | None = None
        self._took_ms = 0
        self._soon = delayed(self._reload_when_free, self)
        self._filter_field: Field | None = None
        self.bars: tuple[Ground, ...] = ()
        """The header and the filter bar; what they are set to is remembered for the next window."""
        self._step: Callable[[], object] | None = None
        self.title = DECLARED[self.name].title
        self.setAccessibleName(tr(self.title))
        inspector.shown.connect(self._stop_waiting)
        session.changed.connect(self._hear)
        session.filters_changed.connect(self._outdate)
        session.back.connect(self._outdate)

    def furnish(
        self,
        content: QWidget,
        *,
        filters: QLayout | None = None,
        actions: tuple[Item, ...] = (),
        filter_field: Field | None = None,
        skeleton: Skeleton | None = None,
        divided: bool = True,
        aside: QWidget | None = None,
    ) -> None:
        """Build the layout: 48 px header with actions at its right, 40 px filter bar, content below.

        filter_field: gets the focus on /; Enter and Down lead from it to the list, Esc clears it first. skeleton: shown
        during the first load. divided: adds a hairline between the filter bar and the content. aside: to the right of
        the content, and of what replaces it."""
        self._filter_field = filter_field
        if filter_field is not None:
            filter_field.installEventFilter(self)
        self.head = PanelHead(tr(self.title), "", *actions)
        self._content = content
        self._skeleton = skeleton or Skeleton(rows=12)
        self._tables = content.findChildren(Table) + ([content] if isinstance(content, Table) else [])
        for table in self._tables:
            table.newer_asked.connect(self.bring_in)
        self._empty = Empty("")
        self._failure = Failure()
        self._stack = QStackedWidget()
        for part in (self._skeleton, content, self._empty, self._failure):
            self._stack.addWidget(part)
        for words in (self._empty, self._failure):
            # Their own margin and this one make the panel's padding of 20 px.
            words.setContentsMargins(5, 0, 5, 0)
        self._skeleton.cancelled.connect(self._give_up)
        self._empty.step_taken.connect(lambda: self._step and self._step())
        self._failure.retried.connect(self.reload)
        edges = "bottom" if divided else ""
        bar = [Toolbar(filters, edges=edges)] if filters else []
        self.bars = (self.head, *bar)
        middle = row(self._stack, *([aside] if aside is not None else []), gap=0, stretch=self._stack)
        ground = Ground("stage", layout=column(self.head, *bar, middle, gap=0))
        self.setLayout(column(ground, gap=0))

    # Written by subclasses.

    async def load(self) -> None:
        """Fetch the content and end with show_content() or show_empty(). A panel with fixed content need not
        override it."""
        self.show_content()

    def concerned(self, event: FeedEvent) -> bool:
        """Return True if an event makes this panel reload: by default, if it changed a record of `kinds`."""
        return bool(set(event.kinds) & set(self.kinds))

    def select(self, id: str) -> None:
        """Bring one record into view, for a link from another panel or the search."""

    @property
    def at(self) -> str:
        """The record in view, as select() takes it; empty for none. Back returns to it."""
        return ""

    def unsaved(self) -> tuple[str, ...]:
        """Return the names of the texts that closing the window would lose, such as “MEMORY.md of Iris”."""
        return ()

    def keep_drafts(self) -> None:
        """Prepare for a close that does not ask: drafts() has every unsaved text of a file from now on."""

    def drafts(self) -> list[Any]:
        """Return the unsaved texts that are offered when the window is opened again, as JSON data."""
        return []

    def resume_drafts(self, drafts: Iterable[Any]) -> None:
        """Offer the texts of drafts() again."""

    def act(self, action: str) -> bool:
        """Handle one of the window's letters (promote, pin, retire); returns False to leave it to the
        inspector."""
        return False

    @property
    def foot_px(self) -> int:
        """Height of the bar of actions at the panel's foot, which the strip that offers Undo leaves free."""
        return 0

    def step_back(self) -> bool:
        """Close the topmost part of the panel on Esc; returns False if there is none."""
        return False

    def search(self, text: str) -> None:
        """Search for words that come from the window's search."""
        if self._filter_field is not None:
            self._filter_field.setText(text)

    # What a subclass says.

    def say(self, subtitle: str) -> None:
        """Show words next to the title."""
        self.head.subtitle.setText(subtitle)

    def set_lit(self, is_lit: bool) -> None:
        """Mark the panel as current or not; of two panels side by side, the other's title is dimmed."""
        self.head.title.set_token("t1" if is_lit else "t3")

    def show_content(self) -> None:
        self._has_content = True
        self._stack.setCurrentWidget(self._content)

    def show_empty(
        self, sentence: str, detail: str = "", *, step: str = "", take: Callable[[], object] | None = None
    ) -> None:
        """Show that there is no content: one sentence, and a button for the next step if given."""
        self._step = take
        self._empty.set_words(sentence, detail, step)
        self._stack.setCurrentWidget(self._empty)

    def show_filtered(self, sentence: str, *, by: Literal["channels", "agents"] = "channels") -> None:
        """Show that the filter of the top bar leaves nothing, with the step that removes it."""
        if by == "channels":
            self.show_empty(
                sentence, step=tr("Show all channels"), take=lambda: self.session.filter_channels(())
            )
        else:
            self.show_empty(sentence, step=tr("Show all agents"), take=lambda: self.session.filter_agents(()))

    def show_unfilled(self, sentence: str, detail: str) -> None:
        """Show that memory is empty, with the way to the import."""
        leads = self.inspector.navigated
        self.show_empty(
            sentence, detail, step=tr("Import memory"), take=lambda: leads.emit("transfer", "import")
        )

    def show_failure(self, wrong: MemDeskError) -> None:
        """Show that the load failed, or that the page is for members of another role. While the service is away,
        earlier content stays."""
        if isinstance(wrong, ServiceAway) and self._has_content:
            return
        if (role := wrong.details.get("role")) in OPENED_BY:
            self.show_empty(tr(OPENED_BY[role]), wrong.next)
            return
        self._failure.set_words(wrong.says, wrong.next)
        self._stack.setCurrentWidget(self._failure)

    def take_focus(self) -> None:
        """Give the content the keyboard focus (setFocusProxy chooses the widget), once it is loaded."""
        self._wants_focus = self._task is not None or self._stale or self._soon.isActive()
        if self._wants_focus:
            # The keyboard leaves the other half of the stage at once; a list that is still empty cannot hold it.
            self._stack.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _is_left(self) -> bool:
        """Return True if the person has gone elsewhere since this panel was to take the focus."""
        focus = QApplication.focusWidget()
        return focus is not None and not self.isAncestorOf(focus)

    def focus_filter(self) -> None:
        """Move the focus to the filter field, if there is one."""
        if self._filter_field is not None:
            self._filter_field.setFocus()
            self._filter_field.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the keys that lead from the filter field to the list."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and not event.modifiers():
            field = self._filter_field
            if field is not None and watched is field:
                return self._leave_filter(field, Qt.Key(event.key()))
        return super().eventFilter(watched, event)

    def _leave_filter(self, field: Field, key: Qt.Key) -> bool:
        """Go to the list if this key leads there; returns True if the key was used."""
        match key:
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self.filter_asks:
                return False
            case Qt.Key.Key_Escape if field.text():
                field.clear()
            case Qt.Key.Key_Down | Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Escape:
                self.take_focus()
            case _:
                return False
        return True

    # Loading.

    def reload(self) -> None:
        """Reload at once; a running load is cancelled."""
        self._by_others = False
        self._reload()

    def _reload(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._soon.stop()
        self._stale = self._again = False
        self._task = self.session.spawn(self._loaded(self._by_others), failed=self.show_failure)

    async def reloaded(self) -> None:
        """Reload, and return when the load ended or another one replaced it."""
        self.reload()
        if self._task is not None:
            await asyncio.wait([self._task])

    def bring_in(self) -> None:
        """Show the rows that waited because a person used the others."""
        self.reload()

    def reload_soon(self, after_ms: int = RELOAD_AFTER_MS, *, by_others: bool = False) -> None:
        """Reload after a short delay; several calls cause one load. by_others: this person changed nothing, so the
        rows that they use stay in their places."""
        pending = self._soon.isActive() or self._again
        self._by_others = by_others and (self._by_others or not pending)
        if not self.isVisible():
            self._stale = True
        elif not self._soon.isActive():
            self._soon.start(max(after_ms, REST_SHARE * self._took_ms))

    def ask_soon(self) -> None:
        """Reload after a short delay because the person changed the request; a running load is cancelled at
        once.

        An answer to the previous request must not change the view: it could remove rows, and their focus."""
        if not self.isVisible():
            self._stale = True
            return
        if self._task is not None:
            # One that is cancelled before it began would never say that it has ended.
            self._task.cancel()
            self._task = None
        self._again = self._by_others = False
        self._soon.start(RELOAD_AFTER_MS)

    async def _loaded(self, by_others: bool) -> None:
        mine, began = asyncio.current_task(), time.monotonic()
        self.keep_still(by_others)
        try:
            await self.load()
        finally:
            self.keep_still(False)
            self._took_ms = round(1000 * (time.monotonic() - began))
            if self._task is mine:
                self._task = None
                if self._again:
                    self.reload_soon(by_others=self._by_others)
        if self._wants_focus and self.isVisible() and not self._is_left():
            # Another panel may be read by now, and the keyboard is not taken away from it.
            self.take_focus()

    def _reload_when_free(self) -> None:
        """Reload, or if a load is running, reload after it: cancelling it at every change of a busy agent
        would keep the panel empty."""
        self._again = self._task is not None
        if self._task is None:
            self._reload()

    def keep_still(self, keeps: bool) -> None:
        """Set whether the rows of tables in use stay in their places."""
        is_read = self.isAncestorOf(QApplication.focusWidget() or self)
        for table in self._tables:
            table.keeps_still, table.is_read = keeps, is_read and isinstance(table, List)

    def _give_up(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._failure.set_words(
            tr("Loading was stopped."), tr("Nothing is lost; load it again when you like.")
        )
        self._stack.setCurrentWidget(self._failure)

    def _stop_waiting(self) -> None:
        """Cancel choosing a row that is still loading, since the person has chosen another record."""
        for table in self.findChildren(Table):
            table.stop_waiting()

    def _outdate(self) -> None:
        self._stale = True
        if self.isVisible():
            self.reload()

    def _hear(self, events: tuple[FeedEvent, ...]) -> None:
        heard = [event for event in events if self.concerned(event)]
        if heard:
            mine = f"person:{self.session.person}"
            self.reload_soon(by_others=all(event.author != mine for event in heard))

    def showEvent(self, event: QShowEvent) -> None:
        """Load changes made while the panel was hidden."""
        super().showEvent(event)
        if self._stale:
            self.reload()
