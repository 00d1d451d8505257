"""Small marks shown next to words: channel, agent, kind, tag, key cap, state dot."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui import icons, look
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.widgets import paint
from memdesk.gui.widgets.text import tip_text

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
        """Show another channel."""
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
        """Show another author."""
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
        """Show another icon."""
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
        """Change word and tone."""
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
