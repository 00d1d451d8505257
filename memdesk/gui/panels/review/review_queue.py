"""The queue of questions, and the question that is read: side by side, or the queue above in a narrow panel."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QBoxLayout, QStackedWidget, QWidget

from memdesk.gui import formatting, icons, look
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.panels.review import review_words
from memdesk.gui.panels.review.review_answers import Decisions, Form
from memdesk.gui.panels.review.review_question import ClashView, QuestionView
from memdesk.gui.panels.review.review_words import NAMED
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Empty, Failure, Ground, RowState, Scroll, Skeleton, Text, column, row
from memdesk.gui.widgets.grouped_rows import Grouped
from memdesk.gui.widgets.paint import LEFT, RIGHT, channel, draw_text, text_width
from memdesk.model.errors import MemDeskError
from memdesk.model.history import EventRow
from memdesk.model.review import Question

View = QuestionView | ClashView


class Closed(Ground):
    """Notice that a question is no longer open. Signals: went_on, event_asked (its number)."""

    went_on = Signal()
    event_asked = Signal(int)

    def __init__(self) -> None:
        self.sentence = Text("", 13, "t1", weight=500, wrap=True)
        self.detail = Text("", 12, "t2", wrap=True)
        self.next = Control("primary", tr("Next"), keys="Enter")
        self.see = Control("button", tr("Show the change"))
        self._event: EventRow | None = None
        buttons = row(self.next, self.see, None, gap=8)
        super().__init__(
            "panel", "top", column(self.sentence, self.detail, buttons, gap=6, margins=(20, 12, 20, 12))
        )
        self.next.clicked.connect(lambda: self.went_on.emit())
        self.see.clicked.connect(lambda: self._event and self.event_asked.emit(self._event.id))

    def show_event(self, session: Session, event: EventRow | None) -> None:
        """Show who answered, the answer and the time; or that one of its memories was removed."""
        self._event = event
        self.see.setVisible(event is not None)
        if event is None or event.op in ("learn", "store", "undo"):
            self.sentence.setText(tr("This question is open no more."))
            self.detail.setText(tr("One of its memories has left recall, or the question was taken back."))
            return
        name, _, _ = session.mark(event.author)
        mine = event.author == f"person:{session.person}"
        when = formatting.ago(event.at)
        elsewhere = tr("You have answered this elsewhere, {when}.", when=when)
        self.sentence.setText(
            elsewhere if mine else tr("{name} has answered this, {when}.", name=name, when=when)
        )
        self.detail.setText(event.title)


class Reading(Ground):
    """View of one question at a time; `decisions` are its answers. Signals: went_on, event_asked, opened (a
    side)."""

    went_on = Signal()
    event_asked = Signal(int)
    opened = Signal(str)

    def __init__(self) -> None:
        self.decisions, self.closed = Decisions(), Closed()
        self.view: View | None = None
        self.form: Form | None = None
        self._area = QStackedWidget()
        self._scroll: Scroll | None = None
        self._wait = Skeleton(rows=8, pitch=44)
        self.failure = Failure()
        self._nothing = Empty(tr("No question is chosen."), tr("J and K move through the queue."))
        self._area.addWidget(self._nothing)
        self._area.addWidget(self._wait)
        self._area.addWidget(self.failure)
        self._footer = column(self.decisions, self.closed, gap=0)
        super().__init__("stage", layout=column(self._area, self._footer, gap=0))
        self.closed.went_on.connect(self.went_on)
        self.closed.event_asked.connect(self.event_asked)
        self.show_nothing()

    def show_nothing(self) -> None:
        """Show that no question is selected."""
        self._put(None)
        self._area.setCurrentWidget(self._nothing)
        self.decisions.hide()
        self.closed.hide()

    def wait(self) -> None:
        """Prepare for another question; the one shown stays until it is loaded."""
        self.close_form()
        self.closed.hide()
        if self.view is None:
            self._area.setCurrentWidget(self._wait)

    def show_failure(self, wrong: MemDeskError) -> None:
        """Show that the question could not be fetched; the queue stays usable."""
        self._put(None)
        self.decisions.hide()
        self.failure.set_words(wrong.says, wrong.next)
        self._area.setCurrentWidget(self.failure)

    def show_view(self, view: View) -> None:
        """Show a question."""
        self._put(view)
        self.closed.hide()
        self.decisions.show()

    def _put(self, view: View | None) -> None:
        self.close_form()
        self.view = view
        old, self._scroll = self._scroll, None if view is None else Scroll(view, "stage")
        if self._scroll is not None:
            self._area.addWidget(self._scroll)
            self._area.setCurrentWidget(self._scroll)
        if isinstance(view, QuestionView):
            view.opened.connect(self.opened)
        if old is not None:
            self._area.removeWidget(old)
            old.deleteLater()

    def show_closed(self, session: Session, event: EventRow | None) -> None:
        """Show that the question is no longer open, in place of its answers."""
        self.close_form()
        self.decisions.hide()
        self.closed.show_event(session, event)
        self.closed.show()

    def open_form(self, form: Form) -> None:
        """Show a form in place of the answers."""
        self.close_form()
        self.form = form
        self._footer.addWidget(form)
        self.decisions.hide()
        form.begin()

    def close_form(self) -> bool:
        """Close the form and show the answers again; return True if a form was open."""
        form, self.form = self.form, None
        if form is None:
            return False
        form.hide()
        self._footer.removeWidget(form)
        form.deleteLater()
        self.decisions.show()
        return True


HEADING_PX, ROW_PX, DONE_PX = 30, 54, 30
ICON_PX = 24
LATER = marked("Later")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """Heading above the questions of one type, or above the postponed ones. note: their number."""

    title: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Question in the queue. elsewhere: the event that answered it in the meantime.

    closed: it is no longer open, because it was answered or one of its memories was removed. later: postponed
    with S until tomorrow."""

    question: Question
    later: bool = False
    closed: bool = False
    elsewhere: EventRow | None = None

    @property
    def id(self) -> str:
        """Return the question's id."""
        return self.question.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """Question that was answered in this window. outcome: the answer's name."""

    question: Question
    outcome: str


Entry = Heading | Line | Done


def entries(
    questions: Sequence[Question],
    counts: dict[str, int],
    later: Sequence[Question],
    done: Sequence[Done] = (),
    closed: Collection[str] = (),
) -> list[Entry]:
    """Return headings and lines: types in their order, in each the answered ones, then the newest first; postponed
    questions at the end. closed: ids of those that are open no more."""
    lines: list[Entry] = []
    for type in NAMED:
        members = [each for each in questions if each.type == type]
        answered = [each for each in done if each.question.type == type]
        if not members:
            if answered:
                note = tr("{count} done", count=formatting.count(len(answered)))
                lines += [Heading(title=tr(NAMED[type].many), note=note), *answered]
            continue
        total = counts.get(type, len(members))
        shown = formatting.count(total)
        if total > len(members):
            shown = tr("{shown} of {all}", shown=formatting.count(len(members)), all=shown)
        lines.append(Heading(title=tr(NAMED[type].many), note=shown))
        lines += answered
        lines += [Line(question=each, closed=each.id in closed) for each in members]
    if later:
        lines.append(Heading(title=tr(LATER), note=formatting.count(len(later))))
        lines += [Line(question=each, later=True) for each in later]
    return lines


HEIGHTS: dict[type, int] = {Heading: HEADING_PX, Line: ROW_PX, Done: DONE_PX}
"""Height of an entry, in px."""


class Queue(Grouped):
    """List of questions; the signal `picked` carries a Line."""

    def __init__(self, session: Session) -> None:
        self._session = session
        super().__init__(
            _said,
            self._paint,
            lambda entry, _: HEIGHTS[type(entry)],
            name=tr("Questions"),
            headings=(Heading, Done),
            token="panel",
            pad=14,
            hairlines=True,
        )
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def lines(self) -> Iterator[Line]:
        """Return the questions without the headings."""
        return (entry for entry in self.rows.rows() if isinstance(entry, Line))

    def place_of(self, id: str) -> int:
        """Return the row of a question, -1 if it is missing."""
        found = (
            place
            for place, entry in enumerate(self.rows.rows())
            if isinstance(entry, Line) and entry.id == id
        )
        return next(found, -1)

    def next_place(self, place: int) -> int:
        """Return the row to select after the one at `place` is removed: the next one, otherwise the previous
        one."""
        after = self.nearest(place, 1)
        return after if after >= 0 else self.nearest(min(place, self.rows.rowCount()) - 1, -1)

    def close_line(self, id: str, event: EventRow | None) -> None:
        """Strike a question out, because it is no longer open."""
        lines = [
            replace(entry, closed=True, elsewhere=event)
            if isinstance(entry, Line) and entry.id == id
            else entry
            for entry in self.rows.rows()
        ]
        self.set_rows(lines)

    def _paint(self, painter: QPainter, area: QRectF, entry: Entry, state: RowState) -> None:
        if isinstance(entry, Heading):
            line = area.adjusted(0, 4, 0, 0)
            taken = draw_text(painter, line, entry.title, look.font(12, 600), c("t2"), LEFT)
            draw_text(painter, line.adjusted(taken + 8, 0, 0, 0), entry.note, look.font(11), c("t3"), RIGHT)
        elif isinstance(entry, Done):
            icons.paint(painter, "check", QPointF(area.x(), area.center().y() - 7), "ok", 14)
            right = draw_text(painter, area, entry.outcome, look.font(11), c("t3"), RIGHT)
            words = area.adjusted(ICON_PX, 0, -right - 10, 0)
            draw_text(painter, words, _flat(review_words.title(entry.question)), look.font(12), c("t3"), LEFT)
        else:
            self._paint_line(painter, area, entry)

    def _paint_line(self, painter: QPainter, area: QRectF, line: Line) -> None:
        question = line.question
        kind = NAMED[question.type]
        quiet = line.closed or line.later
        top = QRectF(area.x() + ICON_PX, area.y() + 8, area.width() - ICON_PX, 18)
        icons.paint(painter, kind.icon, QPointF(area.x(), area.y() + 9), "t3" if quiet else kind.tone, 14)
        face = look.font(13, strike=line.closed, italic=line.closed)
        draw_text(painter, top, _flat(review_words.title(question)), face, c("t3" if quiet else "t1"), LEFT)
        low = QRectF(top.x(), area.y() + 28, top.width(), 16)
        waited = (datetime.now(UTC) - question.created_at).total_seconds()
        age = formatting.span(waited) if waited >= formatting.MINUTE else tr("now")
        if line.later and question.later_until is not None:
            age = tr("until {when}", when=formatting.minute(question.later_until))
        right = draw_text(painter, low, tr("answered") if line.closed else age, look.font(11), c("t3"), RIGHT)
        rest = low.adjusted(0, 0, -right - 10, 0)
        taken = draw_text(painter, rest, tr(kind.name), look.font(11), c("t3"), LEFT) + 9
        for name in dict.fromkeys(
            (question.channel, *(side.channel for side in review_words.sides(question)))
        ):
            if name:
                number = self._session.channel_number(name)
                taken += channel(painter, rest.adjusted(taken, 0, 0, 0), name, number, c("t2")) + 9
        if question.type == "promotion":
            said, room = review_words.strength(question.subject.fact), rest.adjusted(taken, 0, 0, 0)
            if text_width(said, look.font(11)) <= room.width():
                draw_text(painter, room, said, look.font(11), c("t3"), LEFT)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _said(entry: Entry) -> str:
    if isinstance(entry, Heading):
        return f"{entry.title}, {entry.note}"
    if isinstance(entry, Done):
        return f"{review_words.title(entry.question)}, {entry.outcome}"
    said = tr(
        "{type} in {channel}: {title}",
        type=tr(NAMED[entry.question.type].name),
        channel=entry.question.channel,
        title=review_words.title(entry.question),
    )
    state = [tr("answered")] if entry.closed else [tr("later")] if entry.later else []
    return ", ".join((said, *state))


LIST_PX, LIST_LOW_PX, WIDE_FROM_PX = 352, 288, 1120
STACKS_BELOW_PX, LIST_STACKED_PX = 720, 156
"""Panel width below which the queue is placed above the question, and its height then."""
UNBOUND_PX = (1 << 24) - 1
"""Qt's maximum widget size, which PySide does not name."""


class Inbox(QWidget):
    """Queue and question, with the space shared between them."""

    def __init__(self, queue: Queue, reading: Reading) -> None:
        super().__init__()
        self._side = Ground("panel", "right", column(queue, gap=0, margins=(0, 2, 1, 1)))
        self._body = row(self._side, reading, gap=0, stretch=reading)
        self.setLayout(self._body)

    def fit(self, width: int) -> None:
        """Arrange both for this width in px."""
        wide, stacks = width >= WIDE_FROM_PX, width < STACKS_BELOW_PX
        way = QBoxLayout.Direction.TopToBottom if stacks else QBoxLayout.Direction.LeftToRight
        self._body.setDirection(way)
        self._side.set_edges("bottom" if stacks else "right")
        self._side.setFixedSize(
            UNBOUND_PX if stacks else LIST_PX if wide else LIST_LOW_PX,
            LIST_STACKED_PX if stacks else UNBOUND_PX,
        )
