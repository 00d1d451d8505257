"""Bar that shows how full a context is and was, with the marks at which its policy acts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui import look
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.widgets.explaining import explain_terms
from memdesk.gui.widgets.paint import LEFT, RIGHT, box, draw_text, text_width
from memdesk.gui.widgets.text import tip_text
from memdesk.model.context import CompactionRow, Mark, Meter, PolicyInfo

HEIGHT_PX = 84
PAD_PX = 20
BAR_TOP, BAR_PX = 32, 15
BETWEEN = " · "
ROOM = 1.25
"""Factor by which the bar extends beyond its largest value: for messages and characters there is no window
size."""
TONES = {"flush": "ok", "compact": "warn"}
DOES = {"flush": marked("flush"), "compact": marked("compact")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """Fill level of a context in one measure: messages, characters or tokens. now: None if it is no longer
    known.

    before, after: of the compaction shown. scale: the value of the full bar. marks: (at, does)."""

    of: str
    scale: int
    marks: tuple[tuple[int, str], ...]
    before: int
    after: int
    now: int | None = None


def fill_of(row: CompactionRow, marks: Sequence[Mark], window_tokens: int, now: Meter | None) -> Fill | None:
    """Return the fill in the measure whose mark is nearest, because that mark acts first; None for a policy
    without marks."""
    acting = [mark for mark in marks if mark.does == "compact"] or list(marks)
    if not acting:
        return None
    held = {
        of: getattr(now, of) if now else getattr(row, f"{of}_before") for of in {mark.of for mark in acting}
    }
    of = max(acting, key=lambda mark: held[mark.of] / mark.at).of
    shown = tuple((mark.at, mark.does) for mark in marks if mark.of == of)
    before, after = getattr(row, f"{of}_before"), getattr(row, f"{of}_after")
    current = getattr(now, of) if now else None
    most = max(before, current or 0, *(at for at, _ in shown))
    scale = max(window_tokens, most) if of == "tokens" else round(most * ROOM)
    return Fill(of=of, scale=max(1, scale), marks=shown, before=before, after=after, now=current)


def fill_by(row: CompactionRow, now: Meter | None, policies: Sequence[PolicyInfo]) -> Fill | None:
    """Return the fill by the session's own meter, or without one by the policy as set today; None if neither
    is known."""
    if now is not None:
        return fill_of(row, now.marks, now.window_tokens, now)
    policy = next((each for each in policies if each.name == row.policy), None)
    return None if policy is None else fill_of(row, policy.marks, policy.window_tokens, None)


class Gauge(QWidget):
    """Bar with its marks, and the legend with the figures below it."""

    def __init__(self) -> None:
        super().__init__()
        self._fill: Fill | None = None
        self._heading, self._notes = "", tuple[str, ...]()
        self.setFixedHeight(HEIGHT_PX)
        explain_terms(self, "tokens")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_fill(self, fill: Fill | None, heading: str, notes: tuple[str, ...]) -> None:
        """Show a fill. heading: names the context; notes: the next steps, as many as fit are shown."""
        self._fill, self._heading, self._notes = fill, heading, notes
        note = BETWEEN.join(notes)
        self.setAccessibleName(f"{heading}: {fill_text(fill)}. {note}".strip() if fill else heading)
        self.setToolTip(tip_text(note))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint heading, bar, marks and figures."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), c("stage"))
        painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), c("line"))
        wide = QRectF(self.rect()).adjusted(PAD_PX, 0, -PAD_PX, 0)
        if self._fill is not None:
            _paint_bar(painter, wide, self._fill)
            _paint_marks(painter, wide, self._fill, self._heading)
            _paint_figures(painter, wide, self._fill, self._notes)


def fill_text(fill: Fill) -> str:
    parts = [] if fill.now is None else [tr("{size} now", size=amount_with_unit(fill.now, fill.of))]
    parts.append(
        tr(
            "{before} before and {after} after this compaction",
            before=f"{fill.before:,}",
            after=f"{fill.after:,}",
        )
    )
    marks = [(tr(DOES[does]), tr("from {number}", number=f"{at:,}")) for at, does in fill.marks]
    parts += [f"{does} {begins}" for does, begins in marks]
    return tr(", ").join(parts)


def amount_with_unit(number: int, of: str) -> str:
    """Return an amount with its unit: “28 messages”, “66,400 tokens”."""
    match of:
        case "messages":
            return tr("%Ln message(s)", "", number)
        case "characters":
            return tr("%Ln character(s)", "", number)
    return tr("%Ln token(s)", "", number)


def _x(wide: QRectF, fill: Fill, value: int) -> float:
    return round(wide.x() + wide.width() * min(1.0, value / fill.scale))


def _paint_bar(painter: QPainter, wide: QRectF, fill: Fill) -> None:
    bar = QRectF(wide.x(), BAR_TOP, wide.width(), BAR_PX)
    box(painter, bar, 2, c("track"))
    held = fill.after if fill.now is None else fill.now
    # What the compaction took away is shown as a shade between the ground and the accent.
    for value, color in (
        (fill.before, look.mix(c("acc"), c("track"), 0.28)),
        (held, look.mix(c("acc"), c("track"), 0.62)),
        (min(held, fill.after), c("acc")),
    ):
        if value:
            box(painter, QRectF(bar.x(), bar.y(), _x(wide, fill, value) - bar.x(), BAR_PX), 2, color)
    if fill.now is not None:
        x = _x(wide, fill, fill.now)
        tip = QPointF(x, BAR_TOP + BAR_PX + 3)
        painter.setPen(c("t1"))
        painter.setBrush(c("t1"))
        painter.drawPolygon(QPolygonF([tip, tip + QPointF(-3, 5), tip + QPointF(3, 5)]))


def _paint_marks(painter: QPainter, wide: QRectF, fill: Fill, heading: str) -> None:
    face = look.font(11)
    line = QRectF(wide.x(), 9, wide.width(), 16)
    taken = wide.x() + draw_text(
        painter, line.adjusted(0, 0, -wide.width() * 0.6, 0), heading, face, c("t3"), LEFT
    )
    for place, (at, does) in enumerate(fill.marks):
        x = _x(wide, fill, at)
        painter.fillRect(QRectF(x, BAR_TOP - 5, 2, BAR_PX + 10), c(TONES[does]))
        words = f"{tr(DOES[does])} {_share(fill, at)}"
        wanted = text_width(words, face) + 6
        left = place < len(fill.marks) - 1 or x + wanted > wide.right()
        start = x - wanted if left else x + 8
        if start > taken:
            draw_text(painter, QRectF(start, 9, wanted, 16), words, face, c(TONES[does]), LEFT)
            taken = start + wanted
    whole = amount_with_unit(fill.scale, fill.of)
    if fill.of == "tokens" and wide.right() - text_width(whole, face) - 12 > taken:
        draw_text(painter, line, whole, face, c("t3"), RIGHT)


def _share(fill: Fill, at: int) -> str:
    """Return “70 %” of a window for tokens, otherwise “from 21”."""
    return (
        f"{at / fill.scale:.0%}".replace("%", " %")
        if fill.of == "tokens"
        else tr("from {number}", number=f"{at:,}")
    )


def _paint_figures(painter: QPainter, wide: QRectF, fill: Fill, notes: tuple[str, ...]) -> None:
    line = QRectF(wide.x(), BAR_TOP + BAR_PX + 12, wide.width(), 18)
    x = line.x()
    held = [] if fill.now is None else [(tr("now"), fill.now, look.mix(c("acc"), c("track"), 0.62))]
    for words, value, color in (
        *held,
        (tr("after"), fill.after, c("acc")),
        (tr("before"), fill.before, look.mix(c("acc"), c("track"), 0.28)),
    ):
        box(painter, QRectF(x, round(line.center().y() - 4), 8, 8), 1.5, color)
        x += 14
        area = QRectF(x, line.y(), max(0.0, line.right() - x), line.height())
        x += draw_text(painter, area, words, look.font(12), c("t2")) + 6
        area = QRectF(x, line.y(), max(0.0, line.right() - x), line.height())
        x += (
            draw_text(
                painter, area, amount_with_unit(value, fill.of), look.font(12, 600, tabular=True), c("t1")
            )
            + 18
        )
    rest = QRectF(x, line.y(), max(0.0, line.right() - x), line.height())
    draw_text(painter, rest, fitting_notes(notes, rest.width()), look.font(12), c("t3"), RIGHT)


def fitting_notes(notes: tuple[str, ...], room: float) -> str:
    """Return as many of the notes as fit into the width, none of them cut."""
    shown = (BETWEEN.join(notes[:many]) for many in range(len(notes), 0, -1))
    return next((words for words in shown if text_width(words, look.font(12)) <= room), "")
