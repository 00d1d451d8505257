"""Parts of a portrait as painted: the agent's first lines, the lines of its files as a bar, its days as a chart; and
lists of people, rules, projects, contradictions, secrets and files, with their sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui import formatting, icons, look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, List, RowState, Section, Text, paint, row
from memdesk.gui.widgets.badges import paint_bar
from memdesk.gui.widgets.paint import CENTER, LEFT, RIGHT, box, channel_square, draw_text, person, text_width
from memdesk.model.agent import FolderRead, PortraitLine, PortraitPart
from memdesk.model.recall import Provenance
from memdesk.model.workspace import DayCount

MARK_PX, BAR_PX, LEGEND_PX, GAP_PX = 44, 10, 18, 18
CHART_PX, AXIS_PX, LATEST_DAYS = 72, 20, 3


class BigMark(QWidget):
    """First letter of an agent in its shape, large."""

    def __init__(self) -> None:
        super().__init__()
        self._name, self._shape = "", 0
        self.setFixedSize(MARK_PX, MARK_PX)

    def show_agent(self, name: str, shape: int) -> None:
        """Show the mark of an agent; nothing for an empty name."""
        self._name, self._shape = name, shape
        self.setAccessibleName(name)
        self.setVisible(bool(name))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, rect = QPainter(self), QRectF(self.rect())
        paint.agent(painter, rect, "", self._shape)
        draw_text(painter, rect, self._name[:1].upper(), look.font(20, 600), c("t1"), CENTER)


class Coverage(QWidget):
    """Bar of the lines of a folder: those that are facts, then the others by their reason."""

    TOKENS = ("t2", "t3", "line2", "track")

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[tuple[int, str, str]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_folder(self, folder: FolderRead) -> None:
        """Show the account of a folder."""
        others = [(number, tr(reason)) for reason, number in folder.others.items()]
        shown, rest = others[: len(self.TOKENS) - 1], others[len(self.TOKENS) - 1 :]
        if rest:
            shown.append((sum(number for number, _ in rest), tr("other lines")))
        self._parts = [(folder.facts, tr("facts"), "acc")]
        self._parts += [
            (number, words, token) for (number, words), token in zip(shown, self.TOKENS, strict=False)
        ]
        self.setAccessibleName(", ".join(f"{words} {number}" for number, words, _ in self._parts))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, BAR_PX + 8 + LEGEND_PX)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, total = QPainter(self), sum(number for number, _, _ in self._parts) or 1
        x = 0.0
        for number, _, token in self._parts:
            wide = self.width() * number / total
            painter.fillRect(QRectF(x, 0, max(1.0, wide - 1), BAR_PX), c(token))
            x += wide
        x, face, figures = 0.0, look.font(12), look.font(12, 600, tabular=True)
        for number, words, token in self._parts:
            said = formatting.count(number)
            wide = 14 + text_width(said, figures) + 5 + text_width(words, face)
            if x + wide > self.width():
                return
            area = QRectF(x, BAR_PX + 8, wide, LEGEND_PX)
            box(painter, QRectF(x, area.center().y() - 4, 8, 8), 1.5, c(token))
            # The word first, as on a chip: a reason names one line, and is no plural.
            used = draw_text(painter, area.adjusted(14, 0, 0, 0), words, face, c("t2"), LEFT)
            draw_text(painter, area.adjusted(14 + used + 5, 0, 2, 0), said, figures, c("t1"), LEFT)
            x += wide + GAP_PX


class Days(QWidget):
    """Chart of entries per day, with the months below it; the last days are in the accent colour."""

    def __init__(self) -> None:
        super().__init__()
        self._days: list[tuple[date, int]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(CHART_PX + AXIS_PX)

    def show_days(self, days: Sequence[DayCount], number: int, today: date) -> None:
        """Show the last days. number: how many, including today."""
        known = {each.day: each.entries for each in days}
        every = [today - timedelta(days=back) for back in reversed(range(number))]
        self._days = [(day, known.get(day, 0)) for day in every]
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._days:
            return
        painter = QPainter(self)
        most = max(number for _, number in self._days) or 1
        step = self.width() / len(self._days)
        face, taken = look.font(11), 0.0
        for place, (day, number) in enumerate(self._days):
            high = max(1, round((CHART_PX - 4) * number / most)) if number else 1
            token = "line" if not number else "acc" if place >= len(self._days) - LATEST_DAYS else "t3"
            painter.fillRect(QRectF(place * step, CHART_PX - high, max(1.0, step - 2), high), c(token))
            x = place * step
            if (place == 0 or day.day == 1) and x >= taken and self.width() - x > 2 * 60:
                area = QRectF(x, CHART_PX + 2, 60, AXIS_PX - 2)
                taken = x + 8 + draw_text(painter, area, formatting.date_of(day), face, c("t3"), LEFT)
        painter.fillRect(QRectF(0, CHART_PX, self.width(), 1), c("line2"))
        today = QRectF(self.width() - 60, CHART_PX + 2, 60, AXIS_PX - 2)
        draw_text(painter, today, tr("today"), look.font(11, 600), c("t1"), RIGHT)


def longest_gap(days: Sequence[DayCount]) -> int:
    """Return the number of days without an entry in the longest stretch between two days that have one."""
    gaps = ((after.day - before.day).days - 1 for before, after in zip(days, days[1:], strict=False))
    return max(gaps, default=0)


TOP = Qt.AlignmentFlag.AlignTop


PaintLine = Callable[[QPainter, QRectF, PortraitLine, RowState], None]
TWO_LINES_PX, ONE_LINE_PX, THREE_LINES_PX, FILE_PX = 46, 34, 66, 28
PROJECT_PX, COUNT_PX, AGE_PX, SHARE_PX = 130, 112, 78, 72


class Lines(List):
    """List that rings a line, but does not pick it, when it gets the keyboard focus: the inspector would take the place
    of the findings next to it."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Ring the current line without a signal; moving and Enter emit one."""
        with QSignalBlocker(self):
            super().focusInEvent(event)


class Part(Section):
    """Heading with a note, the lines, and “12 more”. Signals: taken (a PortraitLine: pressed, or opened by Enter),
    moved (a PortraitLine: chosen by a key), unfolded."""

    taken = Signal(object)
    moved = Signal(object)
    unfolded = Signal()

    def __init__(self, heading: str, paint_line: PaintLine, row_px: int, *, token: str = "stage") -> None:
        edge = 6 if token == "stage" else 16
        self.list = Lines(line_words, paint_line, name=heading, token=token, row_px=row_px, pad=edge)
        self.counted, self.none = Text("", 11, "t3"), Text("", 12, "t3", wrap=True)
        self.more = Control("link", "", small=True)
        self._row_px = row_px
        none, more = row(edge, self.none), row(edge, self.more, None)
        super().__init__("", "", self.list, none, more, token=token, edges="", gap=4, margins=(0, 2, 0, 6))
        title = Text(heading, 12, "t2", weight=600)
        self.body.insertLayout(0, row(edge, title, None, self.counted, edge))
        self.setAccessibleName(heading)
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.list.picked.connect(self.moved)
        self.list.opened.connect(self.taken)
        self.list.clicked.connect(lambda _: self.taken.emit(self.list.record()))
        self.more.clicked.connect(lambda: self.unfolded.emit())

    def show_part(self, part: PortraitPart, lines: tuple[PortraitLine, ...], note: str) -> None:
        """Show a part with some of its lines. note: at the right of the heading."""
        self.counted.setText(note if part.total else "")
        self.counted.setWhatsThis(part.says)
        self.none.setText("" if lines else part.says)
        self.none.setVisible(not lines)
        self.list.replace_rows(lines, or_first=False)
        self.list.setFixedHeight(self._row_px * len(lines))
        self.list.setVisible(bool(lines))
        left = part.total - len(lines)
        self.more.setText(tr("{count} more", count=formatting.count(left)) if lines else "")
        self.more.setVisible(bool(lines) and left > 0)


def line_words(line: PortraitLine) -> str:
    """Return a line in words, for a screen reader."""
    return ", ".join(filter(None, (line.text, line.note, line.other, source_words(line.source))))


def source_words(source: Provenance | None) -> str:
    """Return where a line was read, as “USER.md 31” or “Reading a lease, turn 10”."""
    if source is None:
        return ""
    if source.path:
        return f"{source.path} {source.first_line or ''}".rstrip()
    title = source.conversation_title or tr("a conversation")
    return tr("{title}, turn {turn}", title=title, turn=source.turn_index)


def facts_words(number: int) -> str:
    """Return “12 facts”."""
    return tr("%Ln fact(s)", "", number)


def people(session: Session) -> Part:
    """Return the list of people: name, a fact about them, and how many there are."""

    def paint_line(painter: QPainter, area: QRectF, line: PortraitLine, state: RowState) -> None:
        person(painter, QRectF(area.x(), area.y() + 12, 20, 20), line.text)
        words = area.adjusted(32, 0, 0, 0)
        top, low = _two(words)
        used = draw_text(painter, top, facts_words(line.count), look.font(11, tabular=True), c("t3"), RIGHT)
        draw_text(painter, top.adjusted(0, 0, -used - 10, 0), line.text, look.font(13, 500), c("t1"), LEFT)
        draw_text(painter, low, line.note or source_words(line.source), look.font(11), c("t3"), LEFT)

    return Part(tr("People it knows"), paint_line, TWO_LINES_PX)


def rules(session: Session) -> Part:
    """Return the list of standing rules, each with its source."""

    def paint_line(painter: QPainter, area: QRectF, line: PortraitLine, state: RowState) -> None:
        icons.kind_shape(painter, QRectF(area.x() + 1, area.y() + 10, 10, 10), "constraint", c("t2"), 1.0)
        top, low = _two(area.adjusted(22, 0, 0, 0))
        draw_text(painter, top, " ".join(line.text.split()), look.font(13), c("t1"), LEFT)
        draw_text(painter, low, source_words(line.source), look.font(11), c("t3"), LEFT)

    return Part(tr("Standing rules"), paint_line, TWO_LINES_PX)


def projects(session: Session) -> Part:
    """Return the list of channels with what they are about, their share of the facts, and their last fact."""
    return Part(tr("Projects"), partial(_paint_project, session), ONE_LINE_PX)


def _paint_project(
    session: Session, painter: QPainter, area: QRectF, line: PortraitLine, state: RowState
) -> None:
    square = QPointF(area.x(), round(area.center().y() - 4))
    channel_square(painter, square, session.channel_number(line.channel))
    name = QRectF(area.x() + 14, area.y(), PROJECT_PX - 14, area.height())
    draw_text(painter, name, line.text, look.font(13), c("t1"), LEFT)
    age = QRectF(area.right() - AGE_PX, area.y(), AGE_PX, area.height())
    if line.at is not None:
        draw_text(painter, age, formatting.ago(line.at), look.font(12), c("t3"), RIGHT)
    count = QRectF(age.x() - COUNT_PX, area.y(), COUNT_PX - 10, area.height())
    draw_text(painter, count, facts_words(line.count), look.font(12, tabular=True), c("t2"), RIGHT)
    bar = QRectF(count.x() - SHARE_PX - 10, area.y(), SHARE_PX, area.height())
    paint_bar(painter, bar, line.share, "acc")
    about = QRectF(name.right() + 10, area.y(), bar.x() - name.right() - 20, area.height())
    draw_text(painter, about, line.note, look.font(12), c("t2"), LEFT)


def contradictions(session: Session) -> Part:
    """Return the list of open contradictions: both claims, each with its source."""

    def paint_line(painter: QPainter, area: QRectF, line: PortraitLine, state: RowState) -> None:
        icons.paint(painter, "contradicts", QPointF(area.x(), area.y() + 9), "bad")
        words = area.adjusted(26, 0, 0, 0)
        for place, claim in enumerate((line.text, line.other)):
            at = QRectF(words.x(), words.y() + 7 + 18 * place, words.width(), 18)
            draw_text(painter, at, " ".join(claim.split()), look.font(12), c("t1"), LEFT)
        low = QRectF(words.x(), words.y() + 45, words.width(), 14)
        channel_square(painter, QPointF(low.x(), low.y() + 3), session.channel_number(line.channel))
        both = (source_words(line.source), source_words(line.other_source))
        draw_text(
            painter, low.adjusted(14, 0, 0, 0), " / ".join(filter(None, both)), look.font(11), c("t3"), LEFT
        )

    return Part(tr("Contradictions found"), paint_line, THREE_LINES_PX, token="panel")


def secrets(session: Session) -> Part:
    """Return the list of secrets: kind, where each was found, and where it still is in clear."""

    def paint_line(painter: QPainter, area: QRectF, line: PortraitLine, state: RowState) -> None:
        icons.paint(painter, "lock", QPointF(area.x(), area.y() + 8), "bad")
        top, low = _two(area.adjusted(26, 0, 0, 0))
        used = draw_text(painter, top, source_words(line.source), look.font(11, mono=True), c("t3"), RIGHT)
        draw_text(painter, top.adjusted(0, 0, -used - 10, 0), line.text, look.font(12, 500), c("t1"), LEFT)
        draw_text(painter, low, line.note, look.font(11), c("t3"), LEFT)

    return Part(tr("Secrets found"), paint_line, TWO_LINES_PX, token="panel")


def files(session: Session) -> Part:
    """Return the list of files, each with the number of facts that are read from it."""

    def paint_line(painter: QPainter, area: QRectF, line: PortraitLine, state: RowState) -> None:
        count = facts_words(line.count) if line.count else ""
        used = draw_text(painter, area, count, look.font(12, tabular=True), c("t2"), RIGHT)
        words = area.adjusted(0, 0, -used - 10, 0)
        end = draw_text(painter, words, line.text, look.font(11, mono=True), c("t1"), LEFT)
        draw_text(painter, words.adjusted(end + 10, 0, 0, 0), line.note, look.font(11), c("t3"), LEFT)

    return Part(tr("Where it was read"), paint_line, FILE_PX, token="panel")


def _two(area: QRectF) -> tuple[QRectF, QRectF]:
    """Return the areas of the two lines of a row."""
    top = QRectF(area.x(), area.y() + 5, area.width(), 18)
    return top, QRectF(area.x(), area.y() + 24, area.width(), 16)
