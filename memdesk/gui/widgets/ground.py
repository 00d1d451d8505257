"""Flat surfaces with hairline edges, and the small layout functions that panels are built with."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from memdesk.gui.help.asking import explain
from memdesk.gui.look import c
from memdesk.gui.widgets.text import Text

Item = QWidget | QLayout | int | None
"""Argument of row() and column(): a widget, a layout, px of space, or None for the stretch that takes the
rest."""

Margins = tuple[int, int, int, int]
NONE: Margins = (0, 0, 0, 0)


def _fill(layout: QBoxLayout, items: tuple[Item, ...], gap: int, margins: Margins) -> None:
    layout.setSpacing(gap)
    layout.setContentsMargins(*margins)
    for item in items:
        if item is None:
            layout.addStretch(1)
        elif isinstance(item, int):
            layout.addSpacing(item)
        elif isinstance(item, QLayout):
            layout.addLayout(item)
        else:
            layout.addWidget(item)


def row(*items: Item, gap: int = 8, margins: Margins = NONE) -> QHBoxLayout:
    """Return a layout of items side by side. gap in px; margins left, top, right, bottom."""
    layout = QHBoxLayout()
    _fill(layout, items, gap, margins)
    return layout


def column(*items: Item, gap: int = 8, margins: Margins = NONE) -> QVBoxLayout:
    """Return a layout of items from top to bottom. gap in px; margins left, top, right, bottom."""
    layout = QVBoxLayout()
    _fill(layout, items, gap, margins)
    return layout


class Ground(QWidget):
    """A flat surface in a token's colour with hairlines on the edges asked for, named as in "bottom right"."""

    def __init__(
        self,
        token: str = "stage",
        edges: str = "",
        layout: QLayout | None = None,
        *,
        height: int = 0,
        width: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._token = token
        self.set_edges(edges)
        if layout is not None:
            self.setLayout(layout)
        if height:
            self.setFixedHeight(height)
        if width:
            self.setFixedWidth(width)

    def set_token(self, token: str) -> None:
        """Change the ground's colour."""
        self._token = token
        self.update()

    def set_edges(self, edges: str) -> None:
        """Draw the hairlines at other edges."""
        self._edges = frozenset(edges.split())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Fill the surface, then draw the hairlines."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), c(self._token))
        wide, high = self.width(), self.height()
        lines = {
            "top": QRect(0, 0, wide, 1),
            "bottom": QRect(0, high - 1, wide, 1),
            "left": QRect(0, 0, 1, high),
            "right": QRect(wide - 1, 0, 1, high),
        }
        for edge in self._edges:
            painter.fillRect(lines[edge], c("line"))


def rule(vertical: bool = False) -> Ground:
    """Return a hairline between two parts."""
    return Ground("line", width=1) if vertical else Ground("line", height=1)


class Section(Ground):
    """A part of the inspector: a heading, a note or link at the right, its content, a hairline below.

    The content is the `body` layout; `heading` and `note` are Texts."""

    def __init__(
        self,
        heading: str = "",
        note: QWidget | str = "",
        *items: Item,
        token: str = "panel",
        edges: str = "bottom",
        gap: int = 6,
        margins: Margins = (16, 12, 16, 14),
    ) -> None:
        self.heading = Text(heading, 12, "t2", weight=600)
        self.note = Text(note, 11, "t3") if isinstance(note, str) else note
        self.body = column(*items, gap=gap)
        head = row(self.heading, None, self.note)
        parts: tuple[Item, ...] = (head, self.body) if heading else (self.body,)
        super().__init__(token, edges, column(*parts, gap=8, margins=margins))
        self.setAccessibleName(heading)
        explain(self.heading, heading)
        explain(self, heading, with_tip=False)
