"""A row in words: what it says, in which face, and how wide that is."""

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
    """A row in words."""
    return tr("{title} (past)", title=node.title) if node.past else node.title


def row_font(node: GraphNode) -> QFont:
    """The face of a row's words."""
    return look.font(SIZE_PX, italic=node.past)


def face_px() -> int:
    """The size of that face now, in px: it tells when widths have changed."""
    return look.font(SIZE_PX).pixelSize()


def row_width(node: GraphNode) -> float:
    """How wide a row's words are, in px. A row is measured once for all scales and drawings."""
    return _width(row_text(node), face_px(), node.past)


@lru_cache(maxsize=WIDTHS_KEPT)
def _width(text: str, px: int, past: bool) -> float:
    return text_width(text, look.font(SIZE_PX, italic=past))
