"""Inspector on the right of the window: one memory or one change in full, with the actions on it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from memdesk.api import history, memory
from memdesk.gui import formatting
from memdesk.gui.inspectors.event import EventView
from memdesk.gui.inspectors.fields import short_id
from memdesk.gui.inspectors.links import InspectorHead, Links
from memdesk.gui.inspectors.memory import Correction, MemoryView
from memdesk.gui.keys import Key
from memdesk.gui.language import tr
from memdesk.gui.newest import Newest
from memdesk.gui.session import Session
from memdesk.gui.terms import role_refusal
from memdesk.gui.widgets import Empty, Failure, Ground, Skeleton, column, delayed
from memdesk.model.browse import Inspect, Inspection
from memdesk.model.errors import MemDeskError, NotAllowed, NotFound, ServiceAway
from memdesk.model.history import AskEvent, EventDetail, FeedEvent
from memdesk.model.team import OWNER

REFRESH_AFTER_MS = 200
HELD_KEY_S = 0.12
REST_MS = 80
REMEMBERED = 100


@dataclass(frozen=True, slots=True)
class Place:
    """A shown record: a memory by its id, or a change by its number; nothing if both are empty.

    run: True for a change that stands for its whole run. panel, record: the person's position before a link or the
    search led elsewhere; empty if neither did."""

    memory: str = ""
    event: int = 0
    run: bool = False
    panel: str = ""
    record: str = ""

    def shows(self, other: Place | None) -> bool:
        """Return True if both show the same record, regardless of panel."""
        return other is not None and (self.memory, self.event, self.run) == (
            other.memory,
            other.event,
            other.run,
        )


NOTHING = Place()


class Inspector(Ground):
    """Panel that shows the record chosen anywhere in the window, with a back and forward history.

    show_memory(id) and show_event(number) show a record; go_back() and go_forward() move through the history.
    leave() stores the person's position before a link or the search leads elsewhere. Signals: navigated
    carries (panel name, record id) when a link leads to another panel; returned carries the same when Back
    reaches such a position; shown means that the inspector must be visible; closed, that its close button was
    pressed; undo_asked carries the number of a change to undo; acted means that an action on the shown memory was
    carried out; refused carries the reason why one was not."""

    navigated = Signal(str, str)
    returned = Signal(str, str)
    shown = Signal()
    closed = Signal()
    undo_asked = Signal(int)
    acted = Signal()
    refused = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__("panel", "left")
        self.session = session
        self._past: list[Place] = []
        self._ahead: list[Place] = []
        self._place: Place | None = None
        self._task = Newest(session)
        self._drafts: dict[str, Correction] = {}
        self._is_stale = False
        self._entered_at = 0.0
        self._pressed = ""
        self.view: MemoryView | EventView | None = None
        self.where: Callable[[], tuple[str, str]] = lambda: ("", "")
        """Names the panel a person is at and the record in it; the window knows them."""
        self.leads_to: frozenset[str] = frozenset()
        """Names of the panels that a link can lead to; the window knows them."""
        self.links = Links(memory=self.show_memory, event=self.show_event, panel=self.navigated.emit)
        self._again = delayed(self._load)
        self.head = InspectorHead()
        self._stack = QStackedWidget()
        self.setLayout(column(self.head, self._stack, gap=0, margins=(1, 0, 0, 0)))
        self._furnish()
        session.changed.connect(self._hear)
        session.status_changed.connect(self._heard_status)
        session.able.connect(self._refresh_actions)
        session.back.connect(self._load)

    # Furniture.

    def _furnish(self) -> None:
        self.setAccessibleName(tr("Inspector"))
        self.head.went_back.connect(self.go_back)
        self.head.went_forward.connect(self.go_forward)
        self.head.closed.connect(self.closed)
        self._empty = Empty(
            tr("Nothing is chosen."),
            tr("Choose a memory or a change to see where it comes from and what can be done."),
        )
        self._skeleton = Skeleton(rows=8, shares=(0.3, 0.5), pad=16)
        self._failure = Failure()
        self._failure.retried.connect(self._load)
        self._skeleton.cancelled.connect(self._stop)
        self._gone = Empty(
            tr("This memory is no longer here."),
            tr("What made it was taken back; the audit tells by whom and when."),
            step=tr("Show in the audit"),
        )
        self._gone.step_taken.connect(lambda: self.navigated.emit("audit", self.memory_id))
        for part in (self._empty, self._skeleton, self._failure, self._gone):
            self._stack.addWidget(part)
        self._show_head()
        self._show_way()

    # What is shown.

    def show_memory(self, id: str) -> None:
        """Show a memory: a fact, an entity, a turn."""
        self._go(Place(memory=id))

    def show_event(self, id: int, *, run: bool = False) -> None:
        """Show a change. run: show it for all changes of its run, so that the key U undoes the whole run."""
        self._go(Place(event=id, run=run))

    def leave(self) -> None:
        """Store the shown record and the person's position, so that Back returns there."""
        here = self._here()
        if self._past[-1:] != [here]:
            self._remember(here)

    def go_back(self) -> None:
        """Show the previous record, in the panel that the person had left for it, if any."""
        if self._past:
            self._turn(self._past, self._ahead)

    def go_forward(self) -> None:
        """Reverse a go_back."""
        if self._ahead:
            self._turn(self._ahead, self._past)

    def _turn(self, from_: list[Place], to: list[Place]) -> None:
        there = from_.pop()
        to.append(self._here() if there.panel else self._place or NOTHING)
        self._enter(there)
        if there.panel:
            self.returned.emit(there.panel, there.record)

    def _here(self) -> Place:
        panel, record = self.where()
        return replace(self._place or NOTHING, panel=panel, record=record)

    def _remember(self, place: Place) -> None:
        self._past = [*self._past, place][-REMEMBERED:]
        self._ahead.clear()
        self._show_way()

    @property
    def memory_id(self) -> str:
        """The id of the shown memory; empty if none is shown."""
        return self._place.memory if self._place else ""

    def press(self, action: str) -> None:
        """Trigger an action on the chosen memory; if the memory is still loading, trigger it once it is
        shown."""
        view = self.view
        if isinstance(view, MemoryView) and view.seen.id == self.memory_id:
            self._refuse(
                tr("A form is open; finish it first.") if view.is_busy else view.footer.press(action)
            )
        elif self.memory_id:
            self._pressed = action
        else:
            self._refuse(tr("No memory is chosen."))

    def _refuse(self, reason: str) -> None:
        if reason:
            self.refused.emit(reason)

    def close_form(self) -> None:
        """Close the form of the shown memory; an unfinished correction is kept for the next time it is shown."""
        view = self.view
        if isinstance(view, MemoryView) and view.form is not None:
            if view.draft is not None:
                self._drafts[view.seen.id] = view.draft
            view.close_form()

    def commands(self) -> tuple[Key, ...]:
        """Return the actions on the shown memory; empty if there is none, or a form is open."""
        view = self.view
        return tuple(view.footer.commands()) if isinstance(view, MemoryView) and not view.is_busy else ()

    def undo_event(self) -> None:
        """Undo the shown change, if there is one that can be undone."""
        view = self.view
        if isinstance(view, EventView):
            view.undo.click()

    def unsaved(self) -> tuple[str, ...]:
        """Return the corrections that were begun and not saved."""
        view = self.view
        open_one = [view.seen.id] if isinstance(view, MemoryView) and view.draft is not None else []
        return tuple(
            tr("the correction of {memory}", memory=short_id(id)) for id in (*open_one, *self._drafts)
        )

    def _go(self, place: Place) -> None:
        if not place.shows(self._place):
            left = self._past[-1] if self._past else None
            if self._place is not None and not self._place.shows(left):
                self._remember(self._place)
            self._ahead.clear()
            self._enter(place)
        self.shown.emit()

    def _enter(self, place: Place) -> None:
        self._place, self._pressed = place, ""
        self._show_way()
        # A key that is held down passes many rows; only the one it rests on is worth asking for.
        held, self._entered_at = time.monotonic() - self._entered_at < HELD_KEY_S, time.monotonic()
        if held:
            self._stop()
            self._again.start(REST_MS)
        else:
            self._load()

    def _show_way(self) -> None:
        self.head.show_way(back=bool(self._past), forward=bool(self._ahead))

    # Loading.

    def _load(self) -> None:
        if self._place is None:
            return
        self._stop()
        if self._place.shows(NOTHING):
            self._show_nothing()
        else:
            self._task.start(self._fetch(self._place), failed=self._show_failure)

    def _stop(self) -> None:
        self._task.cancel()

    async def _fetch(self, place: Place) -> None:
        if self.view is None:
            self._stack.setCurrentWidget(self._skeleton)
        if place.memory:
            ask = Inspect(id=place.memory, utc_offset_minutes=formatting.offset_minutes())
            seen: Inspection = await self.session.call(memory.INSPECT, ask)
            self._show_memory(seen)
        else:
            detail: EventDetail = await self.session.call(history.EVENT, AskEvent(id=place.event))
            view = EventView(self.session, detail, self.links, run=place.run)
            view.undo_asked.connect(self.undo_asked)
            self._show_view(view)

    def _show_memory(self, seen: Inspection) -> None:
        """Show a memory, unless a person is editing this same one; an unfinished correction of it is
        reopened. A view that already shows all this stays: its buttons may be under the pointer."""
        last = self.view if isinstance(self.view, MemoryView) and self.view.seen.id == seen.id else None
        self._is_stale = last is not None and last.is_busy
        if self._is_stale or (last is not None and not self._pressed and _is_alike(last.seen, seen)):
            return
        view = MemoryView(self.session, seen, self.links)
        view.freed.connect(self._freed)
        view.acted.connect(self.acted)
        self._show_view(view)
        draft = self._drafts.pop(seen.id, None)
        if draft is not None:
            view.edit(draft)
        pressed, self._pressed = self._pressed, ""
        if pressed:
            self._refuse(view.footer.press(pressed))

    def _freed(self) -> None:
        if self._is_stale:
            self._load()

    def _show_view(self, view: MemoryView | EventView) -> None:
        """Replace the current view; the same memory keeps its scroll position."""
        last, self.view = self.view, view
        if isinstance(last, MemoryView) and last.draft is not None:
            self._drafts[last.seen.id] = last.draft
        self._stack.addWidget(view)
        focus = QApplication.focusWidget()
        had_focus = last is not None and focus is not None and last.isAncestorOf(focus)
        if last is not None and _same(last, view):
            self._keep_place(last, view)
        self._stack.setCurrentWidget(view)
        if had_focus:
            view.take_focus()
        if last is not None:
            self._stack.removeWidget(last)
            last.deleteLater()
        self._show_head()

    def _keep_place(self, last: MemoryView | EventView, view: MemoryView | EventView) -> None:
        place = last.area.verticalScrollBar().value()
        QTimer.singleShot(0, view, lambda: view.area.verticalScrollBar().setValue(place))

    def _show_failure(self, wrong: MemDeskError) -> None:
        self._pressed = ""
        if isinstance(wrong, ServiceAway) and self.view is not None:
            return
        needed = str(wrong.details.get("role", OWNER))
        refused = isinstance(wrong, NotAllowed) and role_refusal(self.session.role, needed)
        self._failure.set_words(refused or wrong.says, "" if refused else wrong.next)
        is_gone = isinstance(wrong, NotFound) and bool(self.memory_id)
        self._show_page(self._gone if is_gone else self._failure)

    def _show_nothing(self) -> None:
        view = self.view
        if isinstance(view, MemoryView) and view.draft is not None:
            self._drafts[view.seen.id] = view.draft
        self._show_page(self._empty)

    def _show_page(self, page: QWidget) -> None:
        """Show a page of text instead of a view."""
        if self.view is not None:
            self._stack.removeWidget(self.view)
            self.view.deleteLater()
            self.view = None
        self._stack.setCurrentWidget(page)
        self._show_head()

    def _show_head(self) -> None:
        view = self.view
        if isinstance(view, MemoryView):
            self.head.show_memory(view.seen, self.session.channel_number(view.seen.channel))
        elif isinstance(view, EventView):
            self.head.show_event(view.seen.row)
        else:
            self.head.show_nothing()

    # Keeping up.

    def _hear(self, events: tuple[FeedEvent, ...]) -> None:
        """Reload the shown record if an event changed it."""
        if self._place is not None and any(self._touches(event) for event in events):
            self._again.start(REFRESH_AFTER_MS)

    def _touches(self, event: FeedEvent) -> bool:
        if isinstance(self.view, EventView):
            return event.op in ("undo", "redo")
        return self.memory_id in event.records

    def _heard_status(self) -> None:
        self._refresh_actions()

    def _refresh_actions(self) -> None:
        view: QWidget | None = self.view
        if isinstance(view, MemoryView):
            view.footer.set_able(self.session.why_not)
            self._show_head()


def _is_alike(old: Inspection, new: Inspection) -> bool:
    return _without_salience(old) == _without_salience(new)


def _without_salience(seen: Inspection) -> Inspection:
    """Return an inspection without the salience of the moment, which differs at each reading."""
    fact = replace(seen.fact, salience=0.0) if seen.fact else None
    return replace(seen, curve=None, fact=fact)


def _same(one: MemoryView | EventView, other: MemoryView | EventView) -> bool:
    if isinstance(one, MemoryView) and isinstance(other, MemoryView):
        return one.seen.id == other.seen.id
    if isinstance(one, EventView) and isinstance(other, EventView):
        return one.seen.row.id == other.seen.row.id
    return False
