"""What every panel is: a header, perhaps a filter bar, and content that can be loading, empty or failed.

How a panel is written, whole:

    class FactsPanel(Panel):
        '''Facts, newest first.'''

        name, title, icon = "facts", marked("Facts"), "facts"
        kinds = ("fact",)                                # record kinds whose changes make it load anew

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
            with kept(self.table):                       # selection and scroll place stay
                self.model.set_rows(page.rows)
            self.say(f"{page.total:,}")                  # beside the title
            if page.rows:
                self.show_content()
            else:
                self.show_empty("No facts yet.", "An agent learns them as it works.")

The panel loads when it is first shown, when the filters of the top bar change, when the service is back, and shortly
after a change that concerns it; hidden panels wait until they are shown. What `load` raises is shown in the panel with
Retry. Changes go through `session.do(endpoint, ask)` inside `session.spawn(...)`; the status line then offers Undo.

Keys: P, E, I and Del act on the memory in the inspector and belong to the window, as do Ctrl+Z, Ctrl+R, F6 and /.
Other letters are a panel's own: QShortcut(QKeySequence("T"), self, context=Qt.WidgetWithChildrenShortcut).
A canvas that takes keys sets `setProperty("canvas", True)`, so that the window's letters act there too.
A panel names with setFocusProxy(widget) what the keyboard goes to when the panel is opened by keyboard."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ClassVar

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QLayout, QStackedWidget, QWidget

from memdesk.gui.inspector import Inspector
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import Empty, Failure, Field, Ground, PanelHead, Skeleton, Table, Toolbar, column
from memdesk.gui.widgets.ground import Item
from memdesk.model.errors import MemDeskError, ServiceAway
from memdesk.model.history import FeedEvent

IMPORT = "memdesk import PATH"
"""The command that brings in what an agent keeps."""
RELOAD_AFTER_MS = 150
REST_SHARE = 3
"""Loads caused by live changes are at least this far apart, and never take more than a quarter of the time."""


class Panel(QWidget):
    """A view of the stage. Subclasses name themselves, call furnish() and write load()."""

    name: ClassVar[str]
    title: ClassVar[str]
    icon: ClassVar[str]
    kinds: ClassVar[tuple[str, ...]] = ()
    at_foot: ClassVar[bool] = False
    """Whether its entry stands at the foot of the rail."""
    page_of: ClassVar[str] = ""
    """The panel whose entry in the rail stands for this one too; empty for one with an entry of its own."""

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__()
        self.session, self.inspector = session, inspector
        self._stale, self._again, self._has_content, self._wants_focus = True, False, False, False
        self._task: asyncio.Task[None] | None = None
        self._took_ms = 0
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._reload_when_free)
        self._filter_field: Field | None = None
        self.bars: tuple[Ground, ...] = ()
        """The header and the filter bar; what they are set to is remembered for the next window."""
        self._step: Callable[[], object] | None = None
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
    ) -> None:
        """Lay the panel out: 48 px header with actions at its right, 40 px filter bar, content below.

        filter_field: what / goes to. skeleton: shown while the first load lasts. divided: whether a hairline parts
        the filter bar from the content."""
        self._filter_field = filter_field
        self.head = PanelHead(tr(self.title), "", *actions)
        self._content = content
        self._skeleton = skeleton or Skeleton(rows=12)
        self._empty = Empty("")
        self._failure = Failure("")
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
        ground = Ground("stage", layout=column(self.head, *bar, self._stack, gap=0))
        self.setLayout(column(ground, gap=0))

    # Written by subclasses.

    async def load(self) -> None:
        """Fetch what is shown and end with show_content() or show_empty(). What never changes needs no fetching."""
        self.show_content()

    def concerned(self, event: FeedEvent) -> bool:
        """Whether a change makes this panel load anew: when it touched one of `kinds`."""
        return bool(set(event.kinds) & set(self.kinds))

    def select(self, id: str) -> None:
        """Bring one record into view, as when another panel or the search leads here."""

    @property
    def at(self) -> str:
        """The record in view, as select() takes it; empty for none. Back comes to it again."""
        return ""

    def unsaved(self) -> tuple[str, ...]:
        """Names of the texts that closing the window would lose, such as “MEMORY.md of Iris”."""
        return ()

    def act(self, action: str) -> bool:
        """Take one of the window's letters (promote, pin, retire), which otherwise means what the inspector shows."""
        return False

    def step_back(self) -> bool:
        """Close what lies on top in the panel, as Esc asks; False when nothing does."""
        return False

    def search(self, text: str) -> None:
        """Look for words, as when the window's search leads here."""
        if self._filter_field is not None:
            self._filter_field.setText(text)

    # What a subclass says.

    def say(self, subtitle: str) -> None:
        """Words beside the title."""
        self.head.subtitle.setText(subtitle)

    def set_lit(self, is_lit: bool) -> None:
        """Whether a person is at this panel; of two side by side the other's title steps back."""
        self.head.title.set_token("t1" if is_lit else "t3")

    def show_content(self) -> None:
        """The content is ready."""
        self._has_content = True
        self._stack.setCurrentWidget(self._content)

    def show_empty(
        self, sentence: str, detail: str = "", *, step: str = "", take: Callable[[], object] | None = None
    ) -> None:
        """There is nothing to show: one sentence, and one next step if there is one."""
        self._step = take
        self._empty.set_words(sentence, detail, step)
        self._stack.setCurrentWidget(self._empty)

    def show_unfilled(self, sentence: str, detail: str) -> None:
        """Nothing was ever brought here: say so, and how to bring something in. detail may end in a colon."""
        self.show_empty(
            sentence,
            f"{detail}\n{IMPORT}",
            step=tr("Copy the command"),
            take=lambda: QGuiApplication.clipboard().setText(IMPORT),
        )

    def show_failure(self, wrong: MemDeskError) -> None:
        """The load failed. While the service is away, what was shown stays."""
        if isinstance(wrong, ServiceAway) and self._has_content:
            return
        self._failure.set_words(wrong.says, wrong.next)
        self._stack.setCurrentWidget(self._failure)

    def take_focus(self) -> None:
        """Give the keyboard to the content (setFocusProxy says to what of it), as soon as it is there."""
        self._wants_focus = self._task is not None or self._stale or self._soon.isActive()
        if not self._wants_focus:
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focus_filter(self) -> None:
        """Go to the filter field, if there is one."""
        if self._filter_field is not None:
            self._filter_field.setFocus()
            self._filter_field.selectAll()

    # Loading.

    def reload(self) -> None:
        """Load anew at once; a load under way is given up."""
        if self._task is not None:
            self._task.cancel()
        self._soon.stop()
        self._stale = self._again = False
        self._task = self.session.spawn(self._loaded(), failed=self.show_failure)

    def reload_soon(self, after_ms: int = RELOAD_AFTER_MS) -> None:
        """Load anew in a moment; many calls make one load."""
        if not self.isVisible():
            self._stale = True
        elif not self._soon.isActive():
            self._soon.start(max(after_ms, REST_SHARE * self._took_ms))

    def ask_soon(self) -> None:
        """What a person asks for is another: give up a load under way, and begin one when they have typed.

        An answer to the question before must not touch the view: it could take the rows away, and their focus."""
        if not self.isVisible():
            self._stale = True
            return
        if self._task is not None:
            # One that is cancelled before it began would never say that it has ended.
            self._task.cancel()
            self._task = None
        self._again = False
        self._soon.start(RELOAD_AFTER_MS)

    async def _loaded(self) -> None:
        mine, began = asyncio.current_task(), time.monotonic()
        try:
            await self.load()
        finally:
            self._took_ms = round(1000 * (time.monotonic() - began))
            if self._task is mine:
                self._task = None
                if self._again:
                    self.reload_soon()
        if self._wants_focus and self.isVisible():
            # Another panel may be read by now, and the keyboard is not taken away from it.
            self.take_focus()

    def _reload_when_free(self) -> None:
        """A load under way is let through, or a busy agent would keep the panel from ever showing anything."""
        self._again = self._task is not None
        if self._task is None:
            self.reload()

    def _give_up(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._failure.set_words(
            tr("Loading was stopped."), tr("Nothing is lost; load it again when you like.")
        )
        self._stack.setCurrentWidget(self._failure)

    def _stop_waiting(self) -> None:
        """What a person has chosen since is not taken away by a row that comes late."""
        for table in self.findChildren(Table):
            table.stop_waiting()

    def _outdate(self) -> None:
        self._stale = True
        if self.isVisible():
            self.reload()

    def _hear(self, events: tuple[FeedEvent, ...]) -> None:
        if any(self.concerned(event) for event in events):
            self.reload_soon()

    def showEvent(self, event: QShowEvent) -> None:
        """Load what changed while the panel was hidden."""
        super().showEvent(event)
        if self._stale:
            self.reload()


@contextmanager
def kept(table: Table) -> Iterator[None]:
    """Keep the chosen record (by its id) and the scroll place of a table while its rows are replaced."""
    record = table.record()
    place = table.verticalScrollBar().value()
    with_signals = table.blockSignals(True)
    try:
        yield
        if record is not None:
            _choose(table, record.id)
        table.verticalScrollBar().setValue(place)
    finally:
        table.blockSignals(with_signals)


def _choose(table: Table, id: str) -> None:
    model = table.model()
    rows = model.rows() if hasattr(model, "rows") else ()
    place = next((place for place, row in enumerate(rows) if row.id == id), None)
    if place is not None:
        table.choose(place)
