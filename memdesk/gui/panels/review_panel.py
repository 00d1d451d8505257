"""Today: answer the questions of jobs and agents fast, with the evidence side by side, and see the news."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication

from memdesk.api import review, workspace
from memdesk.gui import formatting
from memdesk.gui.inspectors.actions import perform
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.keys import on_key
from memdesk.gui.language import marked, sentences, tr
from memdesk.gui.panels.review import question_loader, review_words
from memdesk.gui.panels.review.news import Since, fetch_news, news_since
from memdesk.gui.panels.review.question_loader import Found, QuestionLoader
from memdesk.gui.panels.review.review_answering import Answering, StandingPage
from memdesk.gui.panels.review.review_queue import WIDE_FROM_PX, Done, Inbox, Line, Queue, Reading, entries
from memdesk.gui.panels.review.review_words import NAMED
from memdesk.gui.session import Session
from memdesk.gui.shell.body import Memo
from memdesk.gui.shell.first_steps import FirstRun, found_words, show_sample
from memdesk.gui.shell.panel import Panel
from memdesk.gui.widgets import Control, Segments, Skeleton, Steps, Text, pages, row
from memdesk.gui.widgets.text import excerpt
from memdesk.model.history import FeedEvent
from memdesk.model.interop import AskDiscovery
from memdesk.model.review import AskDuplicates, PutOff, Question
from memdesk.model.status import Status

ANSWERS_AT_MOST = 5
ALL = ""
FIND, WHO, FOR_GOOD = marked("Find duplicates"), marked("Who is my agent"), marked("Standing decisions")
NEWS_FROM_PX = 1180
"""Least panel width with the news to the right of the question."""
AGAIN_MS = 60_000
"""Interval after which the news are loaded again."""


class ReviewPanel(Panel):
    """Queue at the left, the chosen question with its answers, and at the right the news since the last visit."""

    name = "review"
    kinds = ("proposal", "standing", "question")

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._found: Found | None = None
        self._line: Line | None = None
        self._done: dict[str, Done] = {}
        self._wanted = self._last_given = ""
        self._shown: tuple[Question, ...] = ()
        self._asked: object = None
        self._touched = self._began = self._news_are_due = False
        self._visited: datetime | None = None
        options = [(ALL, tr("All")), *((each, tr(NAMED[each].many)) for each in NAMED)]
        self.types = Segments(options, ALL, name=tr("Type"))
        self.look_for = Control("ghost", tr(FIND), "copy", tip=tr("Ask about memories that may be one"))
        self.always = Control("ghost", tr(FOR_GOOD), "check", tip=tr("What was decided for good"))
        self.who = Control("ghost", tr(WHO), "identity", tip=tr("Who the agent of the newest folder is"))
        self.progress, self.progress_says = Steps(), Text("", 12, "t2")
        self.since, self.queue, self.reading = Since(session), Queue(session), Reading()
        self.looking = QuestionLoader(session, self.reading, inspector.links, self)
        self.answering = Answering(session, self.reading, self.looking, self)
        self._lay_out()
        self._wire()

    def _lay_out(self) -> None:
        self._inbox = Inbox(self.queue, self.reading)
        self._pages = pages(self._inbox)
        wait = Skeleton(rows=12, pitch=54, shares=(0.02, 0.22, 0.05, 0.5))
        self.furnish(
            self._pages,
            actions=(self.who, self.progress, self.progress_says),
            filters=row(self.types, None, self.look_for, self.always, gap=8, margins=(20, 0, 20, 0)),
            skeleton=wait,
            aside=self.since,
        )
        self.setFocusProxy(self.queue)

    def _wire(self) -> None:
        self.queue.picked.connect(self._pick)
        self.queue.opened.connect(lambda _: self.accept())
        self.queue.verticalScrollBar().valueChanged.connect(lambda _: self._reach_on())
        self.types.chosen.connect(lambda _: self.reload())
        self.look_for.clicked.connect(self.find_duplicates)
        self.always.clicked.connect(self.show_standing)
        self.who.clicked.connect(lambda: self.inspector.navigated.emit("who", ""))
        self.answering.given.connect(self._gave)
        self.answering.refused.connect(lambda _: self.reload())
        self.answering.left.connect(self.queue.setFocus)
        self.reading.went_on.connect(self.go_on)
        for asked in (self.reading.event_asked, self.since.event_asked):
            asked.connect(self.inspector.show_event)
        self.since.picked.connect(self.inspector.show_memory)
        self.since.salience_asked.connect(lambda: self.inspector.navigated.emit("salience", ""))
        self.since.rescue_asked.connect(
            lambda each: self.session.spawn(perform(self.session, "rescue", each))
        )
        self.session.status_changed.connect(self._hear_status)
        by_the_minute = QTimer(self)
        by_the_minute.timeout.connect(self._reload_by_the_minute)
        by_the_minute.start(AGAIN_MS)
        self.reading.opened.connect(self.inspector.show_memory)
        for place in range(1, ANSWERS_AT_MOST + 1):
            on_key(str(place), partial(self.answering.press, place), self, inside=True)
            on_key(f"Shift+{place}", partial(self.answering.press, place, alike=True), self, inside=True)
        on_key("S", self.put_off, self, inside=True)
        on_key("T", self.answering.ask_always, self, inside=True)
        on_key("A", lambda: self._inspect(0), self, inside=True)
        on_key("B", lambda: self._inspect(1), self, inside=True)

    # Pages that few windows show, each made when it is first shown.

    @cached_property
    def standing(self) -> StandingPage:
        """Page of the standing decisions."""
        page = StandingPage(self.session)
        page.left.connect(self.leave_standing)
        page.revoked.connect(self.reload)
        self._pages.addWidget(page)
        return page

    @cached_property
    def first_run(self) -> FirstRun:
        """Page of an empty desk."""
        page, lead = FirstRun(), self.inspector.navigated.emit
        page.bring_asked.connect(lambda path: lead("transfer", path or "import"))
        page.connect_asked.connect(lambda: lead("connections", ""))
        page.sample_asked.connect(show_sample)
        self._pages.addWidget(page)
        return page

    def _shows(self, page: type[StandingPage | FirstRun]) -> bool:
        return isinstance(self._pages.currentWidget(), page)

    # Loading.

    def concerned(self, event: FeedEvent) -> bool:
        """Return True if a question changed, or a memory of the shown question."""
        question = self._line.question if self._line else None
        sides = {each.id for each in (question.subject, question.other) if each} if question else set()
        self._touched = self._touched or (event.op != "recall" and bool(sides & set(event.records)))
        return super().concerned(event) or self._touched or self._shows(FirstRun)

    async def load(self) -> None:
        """Load the queue. The shown question stays in place, even if it was answered elsewhere."""
        type = str(self.types.value())
        found = await question_loader.queue(self.session, type)
        if self.answering.is_busy:
            # The question may be missing by now; the queue is read again once it is known what came of it.
            self.reload_soon()
            return
        self._found = found
        if self._is_first_run():
            await self._show_first_run()
            return
        if self._shows(FirstRun):
            self._leave_first_run()
        # What an undo has opened again is no longer done.
        self._done = {id: done for id, done in self._done.items() if found.lacks(id)}
        self._show_counts(found)
        self._news_are_due = True
        self._show_news_if_room()
        if self._shows(StandingPage):
            await self.standing.load()
            self.show_content()
        elif found.questions or found.later or self._is_closed(found):
            await self._show_queue(found, keeps=self.queue.keeps_still)
            self.show_content()
        else:
            self._line = None
            self.looking.read(None)
            await self._show_nothing(type)

    def _is_closed(self, found: Found) -> bool:
        """Return True if the shown question was answered elsewhere meanwhile."""
        line = self._line
        if line is None or line.id in self._done or not found.has_closed(line.question):
            return False
        channels = self.session.channels or (line.question.channel,)
        return str(self.types.value()) in (ALL, line.question.type) and line.question.channel in channels

    async def _show_queue(self, found: Found, *, keeps: bool = True) -> None:
        read, place = self._line, self.queue.currentIndex().row()
        closed = read if self._is_closed(found) else None
        self._shown, gone = self._still(found, keeps)
        rows = entries(self._shown, found.counts.by_type, found.later, tuple(self._done.values()), gone)
        if closed is not None and closed.id not in gone:
            rows.insert(min(max(place, 0), len(rows)), closed)
        with QSignalBlocker(self.queue):
            top = self.queue.verticalScrollBar().value()
            self.queue.set_rows(rows)
            self.queue.verticalScrollBar().setValue(top)
            self.queue.choose(self._place(found, read, place))
        if closed is not None:
            await self._show_closed(closed)
        else:
            self._read(again=self._touched)
        self._touched = False

    def _still(self, found: Found, keeps: bool) -> tuple[tuple[Question, ...], set[str]]:
        """Return the questions to show, and the ids of those open no more. keeps: the shown ones stay if a person uses
        them, and the button over the queue has the number of the others."""
        asked = (self.types.value(), self.session.channels)
        same, self._asked = asked == self._asked, asked
        stay = found.as_now(self._shown)
        held, gone = {each.id for each in stay}, {each.id for each in stay if found.has_closed(each)}
        is_used = self.queue.is_in_use or self._inbox.isAncestorOf(QApplication.focusWidget() or self)
        holds = keeps and same and is_used and held > gone and not self._wanted
        self.queue.newer.say(sum(each.id not in held for each in found.questions) if holds else 0)
        return (stay, gone) if holds else (found.questions, set())

    def _place(self, found: Found, read: Line | None, place: int) -> int:
        """Return the row to choose: the requested question, one that an undo reopened, the one shown, or the
        next one from this place."""
        back = "" if found.lacks(self._last_given) else self._last_given
        if back:
            self._last_given = ""
        for id in (self._wanted, back, read.id if read else ""):
            found_at = self.queue.place_of(id) if id else -1
            if found_at >= 0:
                self._wanted = ""
                return found_at
        return self.queue.next_place(max(0, place))

    def _read(self, *, again: bool = False) -> None:
        self._line = self.queue.record()
        if self._line is not None and self._line.closed:
            return
        self.looking.read(self._line.question if self._line else None, again=again)

    async def _show_closed(self, line: Line) -> None:
        """Show who answered the question; it can be read but not answered again."""
        event = await question_loader.answered_by(self.session, line.id)
        self.queue.close_line(line.id, event)
        self._line = self.queue.record()
        self.reading.show_closed(self.session, event)

    def _show_counts(self, found: Found) -> None:
        total = found.counts.total
        self.types.set_count(ALL, f"{total:,}")
        for type in NAMED:
            number = found.counts.by_type.get(type, 0)
            self.types.set_count(type, f"{number:,}" if number else "")
        done, places = len(self._done), len(found.counts.by_channel)
        self.head.title.setText(review_words.headline(done + total) if total else tr(self.title))
        said = [tr("%Ln left, riskiest first", "", total)] if total else []
        if places > 1:
            said.append(tr("%Ln channel(s)", "", places))
        self.say(" · ".join(said))
        says = tr("{done} of {all} done", done=formatting.count(done), all=formatting.count(done + total))
        self.progress.show_done(done, done + total, says)
        self.progress_says.setText(says)
        for part in (self.progress, self.progress_says):
            part.setVisible(done > 0)

    def _reload_by_the_minute(self) -> None:
        """Keep the news current. An empty desk has none, and the home is not searched again for them."""
        if not self._shows(FirstRun):
            self.reload_soon()

    def _show_news_if_room(self) -> None:
        """Load the news that are due, once there is room for them."""
        if self._news_are_due and self.width() >= NEWS_FROM_PX:
            self._news_are_due = False
            self.session.spawn(self._show_news(), failed=lambda _: self.since.hide())

    async def _show_news(self) -> None:
        status = self.session.status
        if status is not None:
            await self._read_last_visit(status)
        self.since.show_news(await fetch_news(self.session, news_since(self._visited, datetime.now(UTC))))
        self.since.setVisible(self.width() >= NEWS_FROM_PX)

    async def _show_nothing(self, type: str) -> None:
        if type:
            self.show_empty(
                tr("{type}: none waits.", type=tr(NAMED[type].many)),
                step=tr("Show all that waits"),
                take=self.show_all,
            )
        elif self.session.channels:
            self.show_filtered(tr("Nothing waits for review in these channels."))
        else:
            says = tr("Jobs and agents ask here before they promote, correct or merge.")
            done = len(self._done)
            self.show_empty(
                tr("All %Ln thing(s) of today are done.", "", done)
                if done
                else tr("Nothing waits for review."),
                sentences(says, await question_loader.next_run(self.session)),
                step=tr("Look for duplicates"),
                take=self.find_duplicates,
            )

    def _reach_on(self) -> None:
        """Fetch the next page of one type when the end of the list is near."""
        bar, found = self.queue.verticalScrollBar(), self._found
        if found is None or found.next is None or bar.value() < bar.maximum() - self.queue.height():
            return
        self._found = replace(found, next=None)
        self.session.spawn(self._fetch_on(found))

    async def _fetch_on(self, found: Found) -> None:
        page = await question_loader.listed(self.session, str(self.types.value()), after=found.next)
        self._found = replace(found, questions=(*found.questions, *page.rows), next=page.next)
        self._shown = (*self._shown, *page.rows)
        await self._show_queue(self._found)

    # An empty desk.

    async def _show_first_run(self) -> None:
        found = await self.session.call(workspace.DISCOVER, AskDiscovery())
        self.first_run.show_found(found)
        self._pages.setCurrentWidget(self.first_run)
        self.setFocusProxy(self.first_run)
        self.head.title.setText(tr("Found on this machine"))
        self.say(found_words(found))
        for part in (self.since, self.bars[1], self.progress, self.progress_says):
            part.hide()
        self.show_content()

    def _hear_status(self, status: Status) -> None:
        """Come to the first page, or leave it, when the desk becomes empty or is empty no longer. A desk that was never
        visited and whose last change is an import, or by a job after it, begins with the agent that came."""
        if self._is_first_run() != self._shows(FirstRun):
            self.reload_soon()
        if not self._began:
            self._began = True
            self.session.spawn(self._begin_with_agent(status))

    async def _begin_with_agent(self, status: Status) -> None:
        await self._read_last_visit(status)
        if self._visited is not None:
            return
        last = status.last_change
        mine = last is not None and last.op == "import" and last.author == f"person:{status.person}"
        if last and (mine or last.author.startswith("job:")) and status.documents and self.isVisible():
            self.inspector.navigated.emit("who", "")

    async def _read_last_visit(self, status: Status) -> None:
        if self._visited is None:
            file = Path(status.desk) / "window.ini"
            self._visited = await asyncio.to_thread(lambda: Memo(file).visited_at)

    def _is_first_run(self) -> bool:
        """Return True if the desk is known to remember nothing, and nothing waits."""
        status, found = self.session.status, self._found
        if status is None or found is None or found.counts.total:
            return False
        return not (status.turns or status.facts or status.documents or self._done)

    def _leave_first_run(self) -> None:
        self._pages.setCurrentWidget(self._inbox)
        self.setFocusProxy(self.queue)
        self.bars[1].show()

    # Moving about.

    def _pick(self, line: Line) -> None:
        if not isinstance(line, Line) or (self._line is not None and line.id == self._line.id):
            return
        was = self._line
        self._line = line
        if line.closed:
            self.session.spawn(self._show_closed(line))
            return
        self.looking.read(line.question, picked=True)
        if was is not None and was.closed and self._found is not None:
            self._drop({was.id})
            self.session.spawn(self._show_queue(self._found))

    def select(self, id: str) -> None:
        """Show one question by its id, removing the filter; or one type of questions by its name."""
        self._pages.setCurrentIndex(0)
        self.types.set_value(id if id in NAMED else ALL)
        self._wanted = "" if id in NAMED else id
        self.reload()

    def show_all(self) -> None:
        """Show every type."""
        self.types.set_value(ALL)
        self.reload()

    def go_on(self) -> None:
        """Leave an answered question for the next one."""
        self._drop({self._line.id} if self._line else ())
        self._line = None
        self.reload()

    def _drop(self, ids: Collection[str]) -> None:
        self._shown = tuple(each for each in self._shown if each.id not in ids)

    def accept(self) -> None:
        """Handle Enter: give the suggested answer, or go on from a question answered elsewhere."""
        if self._line is not None and self._line.closed:
            self.go_on()
        else:
            self.answering.accept()

    def put_off(self) -> None:
        """Put the question off until tomorrow, at the end of the queue; a second time returns it."""
        line = self._line
        if line is not None and not line.closed and not self.session.why_not:
            self.session.spawn(self._put_off(line))

    async def _put_off(self, line: Line) -> None:
        tomorrow = (datetime.now().astimezone() + timedelta(days=1)).replace(
            hour=0, minute=0, second=0, microsecond=0
        )
        title = excerpt(review_words.title(line.question))
        says = (
            tr("Asked again: “{title}”", title=title)
            if line.later
            else tr("Until tomorrow: “{title}”", title=title)
        )
        until = None if line.later else tomorrow.astimezone(UTC)
        await self.session.do(review.PUT_OFF, PutOff(id=line.id, until=until), says)
        if not line.later and self._line is not None and self._line.id == line.id:
            self._line = None
        self.reload()

    # What was decided for good.

    def show_standing(self) -> None:
        """Show the standing decisions."""
        self._pages.setCurrentWidget(self.standing)
        self.reload()

    def leave_standing(self) -> None:
        """Return to the queue."""
        self._pages.setCurrentIndex(0)
        self.queue.setFocus(Qt.FocusReason.OtherFocusReason)
        self.reload()

    def _inspect(self, place: int) -> None:
        question = self._line.question if self._line else None
        sides = review_words.sides(question) if question else ()
        if place < len(sides) and sides[place].kind in question_loader.INSPECTED:
            self.inspector.show_memory(sides[place].id)

    def act(self, action: str) -> bool:
        """Handle the window's letters: E writes an answer that needs text; Q quarantines the question's subject."""
        if action == "quarantine":
            return self.answering.quarantine()
        return action == "edit" and self.answering.write_first()

    def step_back(self) -> bool:
        """Close a form, or leave the standing decisions, on Esc."""
        if self._shows(StandingPage):
            self.leave_standing()
            return True
        return self.answering.leave_form()

    def find_duplicates(self) -> None:
        """Add possible duplicates to the queue."""
        self.session.spawn(self._find_duplicates())

    async def _find_duplicates(self) -> None:
        ask = AskDuplicates(channels=self.session.channels)
        found = await self.session.do(review.PROPOSE_DUPLICATES, ask, tr("Asked about possible duplicates"))
        if found.change is None:
            self.say(tr("no duplicate that was not asked about yet"))

    def _gave(self, ids: tuple[str, ...], outcome: str) -> None:
        """Mark the questions as done; the next one is chosen, and the queue gets the keyboard focus."""
        for line in [each for each in self.queue.lines() if each.id in ids]:
            self._done[line.id] = Done(question=line.question, outcome=outcome)
        self._last_given = ids[-1] if ids else ""
        self._line = None
        self.looking.leave()
        self.queue.setFocus(Qt.FocusReason.OtherFocusReason)
        if self._found is not None:
            left = tuple(each for each in self._found.questions if each.id not in ids)
            self._found = replace(self._found, questions=left)
            self._drop(ids)
        self.reload()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shrink the queue in a narrow panel."""
        super().resizeEvent(event)
        shows_news = self.width() >= NEWS_FROM_PX and not self._shows(FirstRun)
        self.since.setVisible(shows_news)
        self._show_news_if_room()
        self._inbox.fit(self.width() - (self.since.width() if shows_news else 0))
        wide = self.width() >= WIDE_FROM_PX
        for button, words in ((self.look_for, FIND), (self.who, WHO), (self.always, FOR_GOOD)):
            button.setText(tr(words) if wide else "")
