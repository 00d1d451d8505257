"""Queue of questions under headings, each with its type, its channel and its age."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from memdesk.gui import icons, look
from memdesk.gui.editor.grouped import Grouped
from memdesk.gui.frame import times
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.review import words
from memdesk.gui.review.answers import NAMED, TYPES
from memdesk.gui.session import Session
from memdesk.gui.widgets import RowState
from memdesk.gui.widgets.paint import LEFT, RIGHT, channel, draw_text, text_width
from memdesk.model.history import EventRow
from memdesk.model.review import Question

HEADING_PX, ROW_PX = 30, 54
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


Entry = Heading | Line


def entries(questions: Sequence[Question], counts: dict[str, int], later: Sequence[Question]) -> list[Entry]:
    """Return headings and lines: types in their order, newest first in each; postponed questions at the end."""
    lines: list[Entry] = []
    for type in TYPES:
        members = [each for each in questions if each.type == type]
        if not members:
            continue
        total = counts.get(type, len(members))
        shown = times.count(total)
        if total > len(members):
            shown = tr("{shown} of {all}", shown=times.count(len(members)), all=shown)
        lines.append(Heading(title=tr(NAMED[type].many), note=shown))
        lines += [Line(question=each) for each in members]
    if later:
        lines.append(Heading(title=tr(LATER), note=times.count(len(later))))
        lines += [Line(question=each, later=True) for each in later]
    return lines


class Queue(Grouped):
    """List of questions; the signal `picked` carries a Line."""

    def __init__(self, session: Session) -> None:
        self._session = session
        super().__init__(
            _said,
            self._paint,
            is_heading=lambda entry: isinstance(entry, Heading),
            height=lambda entry, _: HEADING_PX if isinstance(entry, Heading) else ROW_PX,
            name=tr("Questions"),
            token="panel",
            pad=14,
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
        else:
            self._paint_line(painter, area, entry)

    def _paint_line(self, painter: QPainter, area: QRectF, line: Line) -> None:
        question = line.question
        kind = NAMED[question.type]
        quiet = line.closed or line.later
        top = QRectF(area.x() + ICON_PX, area.y() + 8, area.width() - ICON_PX, 18)
        icons.paint(painter, kind.icon, QPointF(area.x(), area.y() + 9), "t3" if quiet else kind.tone, 14)
        face = look.font(13, strike=line.closed, italic=line.closed)
        draw_text(painter, top, _flat(words.title(question)), face, c("t3" if quiet else "t1"), LEFT)
        low = QRectF(top.x(), area.y() + 28, top.width(), 16)
        waited = (datetime.now(UTC) - question.created_at).total_seconds()
        age = times.span(waited) if waited >= times.MINUTE else tr("now")
        if line.later and question.later_until is not None:
            age = tr("until {when}", when=times.minute(question.later_until))
        right = draw_text(painter, low, tr("answered") if line.closed else age, look.font(11), c("t3"), RIGHT)
        rest = low.adjusted(0, 0, -right - 10, 0)
        taken = draw_text(painter, rest, tr(kind.name), look.font(11), c("t3"), LEFT) + 9
        for name in dict.fromkeys((question.channel, *(side.channel for side in words.sides(question)))):
            if name:
                number = self._session.channel_number(name)
                taken += channel(painter, rest.adjusted(taken, 0, 0, 0), name, number, c("t2")) + 9
        if question.type == "promotion":
            said, room = words.strength(question.subject.fact), rest.adjusted(taken, 0, 0, 0)
            if text_width(said, look.font(11)) <= room.width():
                draw_text(painter, room, said, look.font(11), c("t3"), LEFT)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _said(entry: Entry) -> str:
    if isinstance(entry, Heading):
        return f"{entry.title}, {entry.note}"
    said = tr(
        "{type} in {channel}: {title}", type=tr(NAMED[entry.question.type].name), channel=entry.question.channel,
        title=words.title(entry.question),
    )  # fmt: skip
    state = [tr("answered")] if entry.closed else [tr("later")] if entry.later else []
    return ", ".join((said, *state))
