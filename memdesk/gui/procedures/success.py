"""Success rates and durations as tables and headings show them."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import paint_bar
from memdesk.gui.widgets.paint import RIGHT, draw_text

BAR_PX, SHARE_PX = 48, 44
GOOD, POOR = 0.8, 0.5
"""Success rates from which the tone is good, and below which it is bad."""


def tone(rate: float) -> str:
    """Return the colour token of a success rate."""
    return "ok" if rate >= GOOD else "warn" if rate >= POOR else "bad"


def words(rate: float | None, tried: int) -> str:
    """Return a success rate in words: “82 % of 11”, or “not known”."""
    if rate is None:
        return tr("not known")
    return tr("{share} of {number}", share=f"{rate:.0%}".replace("%", " %"), number=f"{tried:,}")


def paint(painter: QPainter, area: QRectF, rate: float | None, tried: int) -> None:
    """Paint a bar, the success rate, and the number of uses."""
    if rate is None:
        draw_text(painter, area, words(None, tried), look.font(12), c("t3"))
        return
    paint_bar(painter, QRectF(area.x(), area.y(), BAR_PX, area.height()), rate, tone(rate))
    face = look.font(12, tabular=True)
    share = QRectF(area.x() + BAR_PX, area.y(), SHARE_PX, area.height())
    draw_text(painter, share, f"{rate:.0%}".replace("%", " %"), face, c("t1"), RIGHT)
    rest = area.adjusted(BAR_PX + SHARE_PX + 8, 0, 0, 0)
    draw_text(painter, rest, tr("of {number}", number=f"{tried:,}"), face, c("t3"))


def milliseconds(took: float | None) -> str:
    """Return a duration in words: “90 ms”, “4.2 s”; empty if it was not measured."""
    if took is None:
        return ""
    return (
        tr("{number} ms", number=f"{took:,.0f}")
        if took < 1000
        else tr("{number} s", number=f"{took / 1000:,.1f}")
    )
