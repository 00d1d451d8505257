"""Line above the hits: their number, the time taken, the yield of each technique, and the legend of the bar
colours."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui import look
from memdesk.gui.help.asking import explain_terms
from memdesk.gui.lab import parts
from memdesk.gui.lab.trial import TECHNIQUE_WORDS
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import Ground, Strip, Text, column, row, span
from memdesk.gui.widgets.paint import LEFT, draw_text, text_width
from memdesk.model.recall import Bundle

LINE_PX = 34
GAP_PX = 14


class Legend(QWidget):
    """Legend with the colour of each part that adds to any hit."""

    def __init__(self) -> None:
        super().__init__()
        self._names: list[str] = []
        self.setFixedHeight(16)
        explain_terms(self, "score", "meaning", "words", "expansion", "recency", "holds_now")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_names(self, names: list[str]) -> None:
        """Replace the parts shown."""
        self._names = names
        self.setAccessibleName(tr("Parts of a score: {parts}", parts=", ".join(self._words())))
        self.updateGeometry()
        self.update()

    def _words(self) -> list[str]:
        return [parts.named(name) for name in self._names]

    def sizeHint(self) -> QSize:
        """Return the size of all names on one line."""
        return QSize(sum(13 + text_width(word, look.font(11)) + GAP_PX for word in self._words()), 16)

    def minimumSizeHint(self) -> QSize:
        """Return a width of 0, because the legend may be cut off."""
        return QSize(0, 16)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint squares and names, aligned right."""
        painter = QPainter(self)
        x = float(max(0, self.width() - self.sizeHint().width() + GAP_PX))
        for name, word in zip(self._names, self._words(), strict=True):
            painter.fillRect(QRectF(x, 4, 8, 8), parts.color(name))
            wide = text_width(word, look.font(11))
            draw_text(painter, QRectF(x + 13, 0, wide + 1, 16), word, look.font(11), c("t2"), LEFT)
            x += 13 + wide + GAP_PX


class Outcome(QWidget):
    """Summary of an answer, hidden until the first answer."""

    def __init__(self) -> None:
        super().__init__()
        self.line, self.legend = Text("", 12, "t2"), Legend()
        self.ways = Text("", 12, "t3")
        self.notice = Strip("", flush=True)
        self._stale = Text("", 11, "warn")
        line = row(self.line, self.ways, self._stale, None, self.legend, gap=12, margins=(20, 0, 20, 0))
        ground = Ground("stage", "bottom", line, height=LINE_PX)
        self.setLayout(column(ground, self.notice, gap=0))
        self.notice.hide()
        self.hide()

    def show_bundle(self, bundle: Bundle) -> None:
        """Show the summary of an answer."""
        count = tr("%Ln hit(s)", "", len(bundle.hits))
        took = " " + tr("in {took} ms", took=f"{bundle.took_ms:.0f}")
        ways = (
            f"{tr(TECHNIQUE_WORDS.get(each.name, (each.name, ''))[0]).lower()} +{each.added:,}"
            for each in bundle.techniques
        )
        self.ways.setText(" · ".join(ways))
        self.line.set_markup(lambda: span(count, "t1", weight=600) + span(took, "t2"), f"{count}{took}")
        self._stale.setText("")
        self.legend.show_names(parts.met(bundle.hits))
        self.notice.setVisible(bool(bundle.notices))
        self.notice.set_sentence(" ".join(bundle.notices))
        self.show()
        self._fit()

    def _fit(self) -> None:
        """Hide the yields of the techniques if space is short. The legend stays, and each chip shows its
        yield as well."""
        room = self.width() - 40 - self.line.sizeHint().width() - self.legend.sizeHint().width() - 3 * GAP_PX
        self.ways.setVisible(self.ways.sizeHint().width() < room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the parts that fit."""
        super().resizeEvent(event)
        self._fit()

    def say_stale(self) -> None:
        """Report that memory has changed since the question."""
        self._stale.setText(tr("memory has changed since; Enter asks again"))

    def clear(self) -> None:
        """Hide the summary."""
        self.hide()
