"""Small marks shown next to words: channel, agent, kind, tag, key cap, state dot; and values drawn as bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui import icons, look
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.widgets import paint
from memdesk.gui.widgets.paint import box
from memdesk.gui.widgets.text import tip_text

BAR_PX = 5
METER_PX = 4
NEAR_LIMIT = 0.85
"""Share of its limit from which a meter warns."""


def paint_bar(
    painter: QPainter,
    rect: QRectF,
    value: float,
    token: str,
    *,
    marks: Sequence[float] = (),
    thick: int = BAR_PX,
) -> None:
    """Paint a bar centred in a rectangle; value and marks from 0 to 1, each mark a 1 px line across the bar."""
    top = round(rect.center().y() - thick / 2)
    box(painter, QRectF(rect.x(), top, rect.width(), thick), 2, c("track"))
    filled = round(rect.width() * min(1.0, max(0.0, value)))
    if filled:
        box(painter, QRectF(rect.x(), top, filled, thick), 2, c(token))
    for mark in marks:
        x = round(rect.x() + rect.width() * mark)
        painter.fillRect(QRectF(x, top - 3, 1, thick + 5), c("t1"))


class Bar(QWidget):
    """A value from 0 to 1 with a threshold mark. token: its colour, such as ok when the threshold is met."""

    def __init__(
        self, value: float = 0.0, mark: float | None = None, token: str = "ok", *, width: int = 96
    ) -> None:
        super().__init__()
        self.setFixedSize(width, 16)
        self.set_value(value, mark, token)

    def set_value(self, value: float, mark: float | None = None, token: str = "ok") -> None:
        self._value, self._mark, self._token = value, mark, token
        share, against = f"{value:.0%}", "" if mark is None else f"{mark:.0%}"
        said = tr("{share} against {mark}", share=share, mark=against) if against else share
        self.setAccessibleName(said)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        marks = () if self._mark is None else (self._mark,)
        paint_bar(QPainter(self), QRectF(self.rect()), self._value, self._token, marks=marks)


class Meter(QWidget):
    """Fill level from 0 to 1, with marks; it warns from `warn_at` and is bad above 1."""

    def __init__(
        self,
        value: float = 0.0,
        *,
        marks: Sequence[float] = (),
        warn_at: float = NEAR_LIMIT,
        width: int = 0,
        name: str = "",
        thick: int = METER_PX,
    ) -> None:
        super().__init__()
        self._marks, self._warn_at, self._name, self._thick = tuple(marks), warn_at, name, thick
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(16 if marks else max(8, thick + 4))
        if width:
            self.setFixedWidth(width)
        self.set_value(value)

    def set_value(self, value: float) -> None:
        self._value = value
        self.setAccessibleName(f"{self._name} {value:.0%}".strip())
        self.update()

    def tone(self) -> str:
        """Token of the bar's present colour."""
        return "bad" if self._value > 1 else "warn" if self._value >= self._warn_at else "acc"

    def paintEvent(self, event: QPaintEvent) -> None:
        rect = QRectF(self.rect())
        paint_bar(QPainter(self), rect, self._value, self.tone(), marks=self._marks, thick=self._thick)


SEGMENTS_MOST = 20
"""More steps than this are shown as one bar."""
SEGMENT_PX, SEGMENT_GAP_PX, STEPS_HIGH_PX, STEPS_BAR_PX = 13, 3, 6, 160


class Steps(QWidget):
    """A segment for each step: those done, the next one, those left. Many steps are one bar."""

    def __init__(self) -> None:
        super().__init__()
        self._done, self._total = 0, 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_done(self, done: int, total: int, name: str) -> None:
        """Show that `done` of `total` steps are done. name: the same in words."""
        self._done, self._total = done, total
        self.setAccessibleName(name)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        wide = self._total * (SEGMENT_PX + SEGMENT_GAP_PX) - SEGMENT_GAP_PX
        return QSize(max(0, wide) if self._total <= SEGMENTS_MOST else STEPS_BAR_PX, STEPS_HIGH_PX)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._total > SEGMENTS_MOST:
            box(painter, QRectF(0, 0, STEPS_BAR_PX, STEPS_HIGH_PX), STEPS_HIGH_PX / 2, c("track"))
            filled = STEPS_BAR_PX * self._done / self._total
            box(painter, QRectF(0, 0, filled, STEPS_HIGH_PX), STEPS_HIGH_PX / 2, c("ok"))
            return
        for place in range(self._total):
            at = QRectF(place * (SEGMENT_PX + SEGMENT_GAP_PX), 0, SEGMENT_PX, STEPS_HIGH_PX)
            if place == self._done:
                box(painter, at, 2, c("sel"), c("acc"))
            else:
                box(painter, at, 2, c("ok" if place < self._done else "track"))


Who = Literal["agent", "person", "job", "hook"]
WHO: dict[Who, str] = {"person": marked("person"), "job": marked("job"), "hook": marked("hook")}
Tone = Literal["plain", "acc", "ok", "warn", "bad"]

TAG_HEIGHT_PX = 18


class Mark(QWidget):
    """A painted mark of fixed size. Subclasses set the size and paint."""

    def __init__(self, name: str, width: int, height: int) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedSize(width, height)


class ChannelMark(QWidget):
    """A channel's square with its name. number: 0 for _global, then the order channels were made in."""

    def __init__(self, name: str = "", number: int = 0) -> None:
        super().__init__()
        self.setFixedHeight(TAG_HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_channel(name, number)

    def set_channel(self, name: str, number: int) -> None:
        self._channel, self._number = name, number
        self.setAccessibleName(tr("channel {name}", name=name))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(14 + paint.text_width(self._channel, look.font(12)), TAG_HEIGHT_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        paint.channel(QPainter(self), QRectF(self.rect()), self._channel, self._number, c("t2"))


class AgentMark(Mark):
    """Mark of an author: an agent's letter in its shape, a person's in a filled circle, a job's or hook's
    icon.

    shape: the agent's index on the desk, which decides between circle, square and hexagon."""

    def __init__(self, name: str, shape: int = 0, *, who: Who = "agent") -> None:
        super().__init__(_called(name, who), 16, 16)
        self._name, self._shape, self._who = name, shape, who
        self.setToolTip(tip_text(name))

    def set_agent(self, name: str, shape: int = 0, *, who: Who = "agent") -> None:
        self._name, self._shape, self._who = name, shape, who
        self.setAccessibleName(_called(name, who))
        self.setToolTip(tip_text(name))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        author(QPainter(self), QRectF(self.rect()), self._name, self._shape, self._who)


def _called(name: str, who: Who) -> str:
    return name if who == "agent" else f"{tr(WHO[who])} {name}"


def author(painter: QPainter, rect: QRectF, name: str, shape: int, who: Who) -> None:
    """Paint the mark of an author, in a 16 px square; for row delegates."""
    match who:
        case "agent":
            paint.agent(painter, rect, name, shape)
        case "person":
            paint.person(painter, rect, name)
        case "job" | "hook":
            paint.job(painter, rect, who)


class Icon(Mark):
    """A single icon. token: its colour; name: the name for a screen reader, if any."""

    def __init__(self, icon: str, token: str = "t2", *, name: str = "", size: int = 16) -> None:
        super().__init__(name, size, size)
        self._icon, self._token, self._px = icon, token, size

    def set_icon(self, icon: str, token: str = "t2") -> None:
        self._icon, self._token = icon, token
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        icons.paint(QPainter(self), self._icon, QPointF(0, 0), self._token, self._px)


class Dot(Mark):
    """An 8 px state dot. The state must also be shown in words next to it."""

    def __init__(self, token: str = "ok", name: str = "") -> None:
        super().__init__(name, 8, 8)
        self._token = token

    def set_token(self, token: str) -> None:
        """Change the state's colour."""
        self._token = token
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(c(self._token))
        painter.drawEllipse(QRectF(0.5, 0.5, 7, 7))


class Tag(QWidget):
    """A short word in an 18 px frame; a tag with a tone has a tinted ground and no frame."""

    def __init__(self, text: str = "", tone: Tone = "plain") -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(TAG_HEIGHT_PX)
        self.set_tag(text, tone)

    def set_tag(self, text: str, tone: Tone = "plain") -> None:
        self._text, self._tone = text, tone
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(tag_width(self._text), TAG_HEIGHT_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_tag(QPainter(self), QRectF(self.rect()), self._text, self._tone)


def tag_width(text: str) -> int:
    """Return the width of a tag with this word, in px."""
    return paint.text_width(text, look.font(11)) + 13


def paint_tag(painter: QPainter, rect: QRectF, text: str, tone: Tone = "plain") -> None:
    """Paint a tag; for row delegates."""
    plain = tone == "plain"
    fill = None if plain else c(tone + "bg")
    paint.box(painter, rect, 3, fill, c("line2") if plain else None)
    inner = rect.adjusted(4, 0, -4, 0)
    paint.draw_text(painter, inner, text, look.font(11), c("t2" if plain else tone), paint.CENTER)


class KeyCap(Mark):
    """A key cap, as “Ctrl Z”."""

    def __init__(self, keys: str) -> None:
        super().__init__(keys, paint.cap_width(keys), paint.CAP_HEIGHT_PX)
        self._keys = keys

    def paintEvent(self, event: QPaintEvent) -> None:
        paint.key_cap(QPainter(self), QPointF(0, 0), self._keys)
