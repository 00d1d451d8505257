"""Column next to the queue: facts learned and retired since the last visit, the latest recalls, and memories that fade
soon."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QPainter

from memdesk.api import history, memory, questions
from memdesk.gui import formatting, icons, look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.widgets import (
    Column,
    Control,
    Ground,
    RowsModel,
    RowState,
    Section,
    Table,
    Text,
    author,
    column,
)
from memdesk.gui.widgets.grouped_rows import Grouped
from memdesk.gui.widgets.paint import LEFT, RIGHT, channel_square, draw_text
from memdesk.gui.widgets.text import tip_text
from memdesk.model.browse import FactRow, ListFacts
from memdesk.model.graph import AskSalience, HeatRow
from memdesk.model.history import AskHistory, EventRow
from memdesk.model.questions import AskQuestions, QuestionRow

WIDTH_PX = 296
NEW_MOST, GONE_MOST, FADING_SHOWN = 200, 50, 4
"""Limits: facts that are read to find the new ones, removals, and rows of what fades."""
OF_EACH, LOST_SHOWN, RECALLS_SHOWN = 3, 3, 3
"""OF_EACH: new facts shown of an author before “more” is pressed."""
DAY = timedelta(days=1)
ROW_PX, HEADING_PX, MARK_PX = 26, 32, 16
WEEKDAY_PX = 78


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """Facts learned and retired. complete: False if there are more new facts than were read. recalls: the latest ones.
    lost: kept questions that find their answer no longer."""

    since: datetime
    new: tuple[FactRow, ...]
    complete: bool
    gone: tuple[EventRow, ...]
    fading: tuple[HeatRow, ...]
    fading_total: int
    recalls: tuple[EventRow, ...] = ()
    lost: tuple[QuestionRow, ...] = ()

    def ids(self) -> set[str | int]:
        """Return the ids of all rows."""
        facts: set[str | int] = {each.id for each in self.new}
        return facts | {each.id for each in self.gone} | {each.id for each in self.fading}


@dataclass(frozen=True, slots=True)
class AuthorLine:
    """Heading of what one author brought. name: with its kind, as “agent:Iris”; empty where there are several, and then
    title is the heading."""

    name: str
    note: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class MoreLine:
    """Line that shows all of an author's new facts."""

    name: str
    number: int


Line = AuthorLine | MoreLine | FactRow | EventRow


async def fetch_news(session: Session, since: datetime) -> News:
    """Fetch what changed since a time, and what fades within a week. Raises MemDeskError."""
    events = AskHistory(since=since, channels=session.channels, count=False)
    facts, gone, recalls, fading, kept = await asyncio.gather(
        session.call(memory.FACTS, ListFacts(channels=session.channels, limit=NEW_MOST)),
        session.call(history.PAGE, replace(events, operations=("retire",), limit=GONE_MOST)),
        session.call(history.PAGE, replace(events, operations=("recall",), limit=RECALLS_SHOWN)),
        session.call(
            memory.SALIENCE,
            AskSalience(
                channels=session.channels, only="fading", days_back=1, days_ahead=0, limit=FADING_SHOWN
            ),
        ),
        session.call(questions.LIST, AskQuestions(channels=session.channels, lost=True)),
    )
    new = tuple(each for each in facts.rows if each.created_at >= since)
    return News(
        since=since,
        new=new,
        complete=len(new) < NEW_MOST,
        gone=tuple(each for each in gone.rows if each.undone_by is None),
        fading=fading.rows,
        fading_total=fading.total,
        recalls=recalls.rows,
        lost=kept.rows,
    )


def news_since(visited: datetime | None, now: datetime) -> datetime:
    """Return from when on changes are news: since the last visit, but at least those of the last day."""
    return min(visited, now - DAY) if visited is not None else now - DAY


class FadingTable(Table):
    """Memories that fade, in a table as high as its rows. when: words for the days that are left; act: the words to
    press."""

    def __init__(
        self, name: str, when: Callable[[float | None], str], act: str, *, when_px: int = 52
    ) -> None:
        columns = _fading_columns(when, act, when_px)
        super().__init__(RowsModel(columns), name=name, token="panel", row_px=ROW_PX, pad=16, hairlines=False)
        self.horizontalHeader().hide()

    def show_rows(self, rows: Sequence[HeatRow]) -> None:
        self.replace_rows(rows, or_first=False)
        self.setFixedHeight(ROW_PX * len(rows))


def _fading_columns(
    when: Callable[[float | None], str], act: str, when_px: int
) -> tuple[Column[HeatRow], ...]:
    return (
        Column(
            tr("What"),
            lambda each: " ".join(each.title.split()),
            token="t1",
            tip=lambda each: tip_text(each.title),
        ),
        Column(
            tr("Fades"),
            lambda each: when(each.curve.fades_in_days),
            width=when_px,
            numeric=True,
            token="warn",
        ),
        Column("", lambda _: act, width=58, align="right", token="acc", pressable=lambda _: True),
    )


class Since(Ground):
    """Column of news. Signals: picked (a memory's id), event_asked (a change's number), salience_asked,
    rescue_asked (a HeatRow)."""

    picked = Signal(str)
    event_asked = Signal(int)
    salience_asked = Signal()
    rescue_asked = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__("panel", "left", width=WIDTH_PX)
        self._session = session
        self._news: News | None = None
        self._waiting: News | None = None
        self._unfolded: set[str] = set()
        self.heading = Text("", 12, "t2", weight=600)
        self.moment = Text("", 11, "t3")
        self.total = Text("", 13, "t1", weight=500, wrap=True)
        self.lost = Text("", 12, "bad", wrap=True)
        self.lines = Grouped(
            _said,
            self._paint,
            lambda line, _: HEADING_PX if isinstance(line, AuthorLine) else ROW_PX,
            name=tr("News"),
            headings=AuthorLine,
            token="panel",
            pad=16,
        )
        self.salience = Control("link", tr("Salience"), small=True)
        self.fading = FadingTable(tr("Fading this week"), fades_on, tr("Rescue"), when_px=WEEKDAY_PX)
        self._nothing_fades = Text(tr("Nothing fades within 7 days."), 12, "t3")
        self._furnish()

    def _furnish(self) -> None:
        head = column(self.heading, self.moment, self.total, self.lost, gap=4, margins=(16, 14, 16, 6))
        footer = Section(
            tr("Fading this week"), self.salience, self._nothing_fades, margins=(16, 12, 16, 4), edges="top"
        )
        parts = column(
            head, self.lines, footer, self.fading, 12, gap=0, margins=(1, 0, 0, 0), stretch=self.lines
        )
        self.setLayout(parts)
        self.lines.opened.connect(self._take)
        self.lines.clicked.connect(lambda _: self._take(self.lines.record()))
        self.lines.newer_asked.connect(self._bring_in)
        self.fading.picked.connect(lambda each: self.picked.emit(each.id))
        self.fading.pressed.connect(lambda each, _: self.rescue_asked.emit(each))
        self.salience.clicked.connect(lambda: self.salience_asked.emit())

    def show_news(self, news: News) -> None:
        """Show an answer; while the pointer is on a row, a button over the rows offers it."""
        waits = news.ids() - self._news.ids() if self._news and self._is_used() else set()
        self.lines.newer.say(len(waits))
        self._waiting = news
        if waits:
            return
        self._news = news
        self.heading.setText(tr("Since {when}", when=formatting.ago(news.since)))
        self.moment.setText(formatting.minute(news.since))
        number = len(news.new) if news.complete else NEW_MOST
        shown = formatting.count(number) if news.complete else tr("more than {count}", count=NEW_MOST)
        gone = formatting.count(len(news.gone))
        says = tr("{new} newly believed, {gone} no longer", new=shown, gone=gone)
        self.total.setText(says if news.gone else tr("{new} newly believed", new=shown))
        self.lost.setText("\n".join(map(_lost, news.lost[:LOST_SHOWN])))
        self.lost.setVisible(bool(news.lost))
        self.lines.set_rows(list(self._entries(news)))
        self.fading.show_rows(news.fading)
        self._nothing_fades.setVisible(not news.fading)
        self.salience.setText(
            tr("All {count}", count=formatting.count(news.fading_total)) if news.fading else tr("Salience")
        )

    def _is_used(self) -> bool:
        return self.lines.is_in_use or self.fading.is_in_use

    def _bring_in(self) -> None:
        self._news = None
        if self._waiting is not None:
            self.show_news(self._waiting)

    def _entries(self, news: News) -> Iterator[Line]:
        by = Counter(_author(each) for each in news.new)
        for name, number in by.most_common():
            own = [each for each in news.new if _author(each) == name]
            shown = own if name in self._unfolded else own[:OF_EACH]
            yield AuthorLine(name, f"+{formatting.count(number)}")
            yield from shown
            if len(own) > len(shown):
                yield MoreLine(name, len(own) - len(shown))
        if news.gone:
            yield AuthorLine("", formatting.count(len(news.gone)), tr("No longer believed"))
            yield from news.gone
        if news.recalls:
            yield AuthorLine("", formatting.ago(news.recalls[0].at), tr("Last told to agents"))
            yield from news.recalls

    def _take(self, line: Line | None) -> None:
        match line:
            case FactRow():
                self.picked.emit(line.id)
            case EventRow():
                self.event_asked.emit(line.id)
            case MoreLine():
                self._unfolded.add(line.name)
                if self._news is not None:
                    self.lines.set_rows(list(self._entries(self._news)))

    def _paint(self, painter: QPainter, area: QRectF, line: Line, state: RowState) -> None:
        words = area.adjusted(MARK_PX + 8, 0, 0, 0)
        mark = QRectF(area.x(), round(area.center().y() - MARK_PX / 2), MARK_PX, MARK_PX)
        match line:
            case AuthorLine():
                title = line.title
                if line.name:
                    title, shape, who = self._session.mark(line.name)
                    author(painter, mark, title, shape, who)
                at = words if line.name else area
                draw_text(painter, at, title, look.font(12, 600), c("t2"), LEFT)
                draw_text(painter, at, line.note, look.font(11), c("t3"), RIGHT)
            case MoreLine():
                says = tr("{count} more", count=formatting.count(line.number))
                draw_text(painter, words, says, look.font(12), c("acc"), LEFT)
            case FactRow():
                spot = QRectF(area.x() + 3, round(area.center().y() - 5), 10, 10)
                icons.kind_shape(painter, spot, line.category, c("t3"), line.confidence)
                square = QPointF(area.right() - 8, round(area.center().y() - 4))
                channel_square(painter, square, self._session.channel_number(line.channel))
                says = _claim(line)
                draw_text(painter, words.adjusted(0, 0, -16, 0), says, look.font(12), c("t1"), LEFT)
            case EventRow():
                title, shape, who = self._session.mark(line.author)
                author(painter, mark, title, shape, who)
                draw_text(painter, words, line.title, look.font(12, italic=True), c("t3"), LEFT)


def _lost(question: QuestionRow) -> str:
    return tr("“{question}” no longer tells “{answer}”", question=question.text, answer=question.expects)


def _author(fact: FactRow) -> str:
    return f"agent:{fact.agent_id}" if fact.agent_id else f"person:{tr('You')}"


def _claim(fact: FactRow) -> str:
    claim = " ".join(fact.claim.split())
    return tr("Contradicted: {title}", title=claim) if fact.question else claim


def _said(line: Line) -> str:
    match line:
        case AuthorLine():
            return f"{line.name.partition(':')[2] or line.title}, {line.note}"
        case MoreLine():
            return tr("{count} more", count=formatting.count(line.number))
        case FactRow():
            return f"{_claim(line)}, {line.channel}"
        case EventRow():
            return line.title


def fades_on(days: float | None) -> str:
    """Return when a memory fades: “today”, else the weekday; empty if it does not fade."""
    if days is None:
        return ""
    if days < 1:
        return tr("today")
    return formatting.weekday(datetime.now(UTC).astimezone() + timedelta(days=days))
