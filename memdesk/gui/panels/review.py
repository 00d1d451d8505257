"""The review inbox: decide what jobs and agents ask, fast, with the evidence side by side."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QWidget

from memdesk.contract import jobs, review
from memdesk.gui.frame import times
from memdesk.gui.inspector import Inspector
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.panel import Panel
from memdesk.gui.review import fetching, words
from memdesk.gui.review.answering import Answering
from memdesk.gui.review.answers import NAMED, TYPES
from memdesk.gui.review.fetching import Found
from memdesk.gui.review.looking import Looking
from memdesk.gui.review.queue import Line, Queue, entries
from memdesk.gui.review.reading import Reading
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Ground, Segments, Skeleton, row
from memdesk.gui.widgets.ground import column
from memdesk.model.history import FeedEvent
from memdesk.model.review import AskDuplicates
from memdesk.model.status import Nothing

LIST_PX, LIST_LOW_PX, WIDE_FROM_PX = 352, 288, 1120
ANSWERS_AT_MOST = 5
ALL = ""
FIND = marked("Find duplicates")


class ReviewPanel(Panel):
    """The queue at the left, the chosen question with its answers at the right."""

    name, title, icon = "review", marked("Review"), "review"
    kinds = ("proposal",)

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._found: Found | None = None
        self._line: Line | None = None
        self._put_off: list[str] = []
        self._given: set[str] = set()
        self._wanted = self._last_given = ""
        self._touched = False
        options = [(ALL, tr("All")), *((each, tr(NAMED[each].many)) for each in TYPES)]
        self.types = Segments(options, ALL, name=tr("Type"))
        self.look_for = Control("ghost", tr(FIND), "copy", tip=tr("Ask about memories that may be one"))
        self.queue, self.reading = Queue(session), Reading()
        self.looking = Looking(session, self.reading, inspector.links, self)
        self.answering = Answering(session, self.reading, self.looking, self)
        self._lay_out()
        self._wire()

    def _lay_out(self) -> None:
        self._side = Ground("panel", "right", column(self.queue, gap=0, margins=(0, 2, 1, 0)))
        content = QWidget()
        body = row(self._side, self.reading, gap=0)
        body.setStretchFactor(self.reading, 1)
        content.setLayout(body)
        wait = Skeleton(rows=12, pitch=54, shares=(0.02, 0.22, 0.05, 0.5))
        self.furnish(content, actions=(self.look_for, self.types), skeleton=wait)
        self.setFocusProxy(self.queue)

    def _wire(self) -> None:
        self.queue.picked.connect(self._pick)
        self.queue.opened.connect(lambda _: self.accept())
        self.queue.verticalScrollBar().valueChanged.connect(lambda _: self._reach_on())
        self.types.chosen.connect(lambda _: self.reload())
        self.look_for.clicked.connect(self.find_duplicates)
        self.answering.given.connect(self._gave)
        self.answering.refused.connect(lambda _: self.reload())
        self.answering.left.connect(self.queue.setFocus)
        self.reading.went_on.connect(self.go_on)
        self.reading.event_asked.connect(self.inspector.show_event)
        self.reading.opened.connect(self.inspector.show_memory)
        for place in range(1, ANSWERS_AT_MOST + 1):
            self._key(str(place), partial(self.answering.press, place))
            self._key(f"Shift+{place}", partial(self.answering.press, place, alike=True))
        self._key("S", self.put_off)
        self._key("A", lambda: self._inspect(0))
        self._key("B", lambda: self._inspect(1))

    def _key(self, keys: str, act: Callable[[], object]) -> None:
        """A key of the panel; where a person writes, the letter is written."""
        context = Qt.ShortcutContext.WidgetWithChildrenShortcut
        QShortcut(QKeySequence(keys), self, context=context).activated.connect(act)

    # Loading.

    def concerned(self, event: FeedEvent) -> bool:
        """A question moved, or a memory that is looked at."""
        question = self._line.question if self._line else None
        sides = {each.id for each in (question.subject, question.other) if each} if question else set()
        self._touched = self._touched or (event.op != "recall" and bool(sides & set(event.records)))
        return super().concerned(event) or self._touched

    async def load(self) -> None:
        """The queue anew. The question that is read stays where it is, even when somebody else has answered it."""
        type = str(self.types.value())
        self._found = found = await fetching.queue(self.session, type)
        self._show_counts(found)
        self._put_off = [id for id in self._put_off if not fetching.gone(found.questions, id)]
        if found.questions or self._is_closed(found):
            await self._show_queue(found)
            self.show_content()
        else:
            self._line = None
            self.looking.read(None)
            await self._show_nothing(type)

    def _is_closed(self, found: Found) -> bool:
        """Whether what is read was answered by somebody else meanwhile."""
        line = self._line
        if line is None or line.id in self._given or not fetching.gone(found.questions, line.id):
            return False
        return str(self.types.value()) in (ALL, line.question.type) and self._is_shown(line)

    def _is_shown(self, line: Line) -> bool:
        channels = self.session.channels
        return not channels or line.question.channel in channels

    async def _show_queue(self, found: Found) -> None:
        read, place = self._line, self.queue.currentIndex().row()
        closed = read if self._is_closed(found) else None
        rows = entries(found.questions, found.counts.by_type, self._put_off)
        if closed is not None:
            rows.insert(min(max(place, 0), len(rows)), closed)
        blocked = self.queue.blockSignals(True)
        top = self.queue.verticalScrollBar().value()
        self.queue.set_rows(rows)
        self.queue.verticalScrollBar().setValue(top)
        self.queue.choose(self._place(found, read, place))
        self.queue.blockSignals(blocked)
        if closed is not None:
            await self._show_closed(closed)
        else:
            self._read(anew=self._touched)
        self._touched = False

    def _place(self, found: Found, read: Line | None, place: int) -> int:
        """The row to choose: what was asked for, what an undo brought back, what was read, or what stands there now."""
        back = self._last_given if not fetching.gone(found.questions, self._last_given) else ""
        if back:
            self._last_given = ""
            self._given.discard(back)
        for id in (self._wanted, back, read.id if read else ""):
            found_at = self.queue.place_of(id) if id else -1
            if found_at >= 0:
                self._wanted = ""
                return found_at
        return self.queue.next_place(max(0, place))

    def _read(self, *, anew: bool = False) -> None:
        self._line = self.queue.record()
        if self._line is not None and self._line.closed:
            return
        self.looking.read(self._line.question if self._line else None, anew=anew)

    async def _show_closed(self, line: Line) -> None:
        """Say who answered it, and let it be read on: nothing is decided twice."""
        event = await fetching.answered_by(self.session, line.id)
        self.queue.close_line(line.id, event)
        self._line = self.queue.record()
        self.reading.show_closed(self.session, event)

    def _show_counts(self, found: Found) -> None:
        total = found.counts.total
        self.types.set_count(ALL, f"{total:,}")
        for type in TYPES:
            number = found.counts.by_type.get(type, 0)
            self.types.set_count(type, f"{number:,}" if number else "")
        places = len(found.counts.by_channel)
        said = [tr("%Ln waiting", "", total)] if total else []
        if places > 1:
            said.append(tr("%Ln channel(s)", "", places))
        self.say(" · ".join(said))

    async def _show_nothing(self, type: str) -> None:
        if type:
            self.show_empty(
                tr("{type}: none waits.", type=tr(NAMED[type].many)),
                step=tr("Show all that waits"),
                take=self.show_all,
            )
        elif self.session.channels:
            self.show_empty(
                tr("Nothing waits for review in these channels."),
                step=tr("Show all channels"),
                take=lambda: self.session.filter_channels(()),
            )
        else:
            due = await self._next_run()
            self.show_empty(
                tr("Nothing waits for review."),
                " ".join(
                    [tr("Jobs and agents ask here before they promote, correct or merge."), due]
                ).strip(),
                step=tr("Look for duplicates"),
                take=self.find_duplicates,
            )

    async def _next_run(self) -> str:
        rows = (await self.session.call(jobs.LIST, Nothing())).rows
        due = [
            (row.next_due, row.name)
            for row in rows
            if row.next_due and row.name in ("promote", "consolidate")
        ]
        if not due:
            return ""
        at, name = min(due)
        return tr("The next run of {job} is at {time}.", job=name, time=times.clock(at))

    def _reach_on(self) -> None:
        """Fetch the next page of one type when its end is near."""
        bar, found = self.queue.verticalScrollBar(), self._found
        if found is None or found.next is None or bar.value() < bar.maximum() - self.queue.height():
            return
        self._found = Found(counts=found.counts, questions=found.questions)
        self.session.spawn(self._fetch_on(found))

    async def _fetch_on(self, found: Found) -> None:
        page = await fetching.listed(self.session, str(self.types.value()), after=found.next)
        self._found = Found(counts=found.counts, questions=(*found.questions, *page.rows), next=page.next)
        await self._show_queue(self._found)

    # Moving about.

    def _pick(self, line: Line) -> None:
        if not isinstance(line, Line) or (self._line is not None and line.id == self._line.id):
            return
        was = self._line
        self._line = line
        self.looking.read(line.question)
        if was is not None and was.closed and self._found is not None:
            self.session.spawn(self._show_queue(self._found))

    def select(self, id: str) -> None:
        """Bring one question into view, whatever was filtered."""
        self.types.set_value(ALL)
        self._wanted = id
        self.reload()

    def show_all(self) -> None:
        """Show every type."""
        self.types.set_value(ALL)
        self.reload()

    def go_on(self) -> None:
        """Leave a question that is answered for the next one."""
        self._line = None
        self.reload()

    def accept(self) -> None:
        """Enter: the suggested answer, or on from what somebody else has answered."""
        if self._line is not None and self._line.closed:
            self.go_on()
        else:
            self.answering.accept()

    def put_off(self) -> None:
        """Leave the question for the end of the queue, for as long as this window is open; again brings it back."""
        line, found = self._line, self._found
        if line is None or line.closed or found is None:
            return
        if line.id in self._put_off:
            self._put_off.remove(line.id)
        else:
            self._put_off.append(line.id)
            self._line = None
        self.session.spawn(self._show_queue(found))

    def _inspect(self, place: int) -> None:
        question = self._line.question if self._line else None
        sides = words.sides(question) if question else ()
        if place < len(sides) and sides[place].kind in fetching.INSPECTED:
            self.inspector.show_memory(sides[place].id)

    def act(self, action: str) -> bool:
        """E writes an answer that takes words: one claim in the place of both, or the day since when B is true."""
        return action == "edit" and self.answering.write_first()

    def step_back(self) -> bool:
        """Esc closes a form."""
        return self.answering.leave_form()

    def find_duplicates(self) -> None:
        """Put memories that may be one into the queue."""
        self.session.spawn(self._find_duplicates())

    async def _find_duplicates(self) -> None:
        ask = AskDuplicates(channels=self.session.channels)
        found = await self.session.do(review.PROPOSE_DUPLICATES, ask, tr("Asked about possible duplicates"))
        if found.change is None:
            self.say(tr("no duplicate that was not asked about yet"))

    def _gave(self, ids: tuple[str, ...]) -> None:
        """What was answered leaves; the next question takes its place, and the keyboard goes back to the queue."""
        self._given.update(ids)
        self._last_given = ids[-1] if ids else ""
        self._line = None
        self.queue.setFocus(Qt.FocusReason.OtherFocusReason)
        if self._found is not None:
            left = tuple(each for each in self._found.questions if each.id not in ids)
            self._found = Found(counts=self._found.counts, questions=left, next=self._found.next)
        self.reload()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow panel the queue gives way."""
        super().resizeEvent(event)
        wide = self.width() >= WIDE_FROM_PX
        self._side.setFixedWidth(LIST_PX if wide else LIST_LOW_PX)
        self.look_for.setText(tr(FIND) if wide else "")
