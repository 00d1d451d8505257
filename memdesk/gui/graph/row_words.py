"""Text of a row, with its font and width."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtGui import QFont

from memdesk.gui import look
from memdesk.gui.language import tr
from memdesk.gui.widgets.paint import text_width
from memdesk.model.graph import GraphNode

SIZE_PX = 12
WIDTHS_KEPT = 100_000


def row_text(node: GraphNode) -> str:
    """Return the text of a row."""
    return tr("{title} (past)", title=node.title) if node.past else node.title


def row_font(node: GraphNode) -> QFont:
    """Return the font of a row's text."""
    return look.font(SIZE_PX, italic=node.past)


def face_px() -> int:
    """Return the present size of that font in px; if it changes, widths change too."""
    return look.font(SIZE_PX).pixelSize()


def row_width(node: GraphNode) -> float:
    """Return the width of a row's text in px. A row is measured once for all scales and drawings."""
    return _width(row_text(node), face_px(), node.past)


@lru_cache(maxsize=WIDTHS_KEPT)
def _width(text: str, px: int, past: bool) -> float:
    return text_width(text, look.font(SIZE_PX, italic=past))
