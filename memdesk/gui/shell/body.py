"""The area between top bar and status line: rail, stage and inspector, with their widths and animation."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QEasingCurve, QObject, QRectF, QSettings, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget

from memdesk.files.places import Desk
from memdesk.gui import look
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.shell.rail import NARROW_PX, WIDE_PX, Rail
from memdesk.gui.shell.stage import Stage
from memdesk.gui.widgets.layout import delayed

INSPECTOR_PX = 340


class Memo:
    """State saved in `window.ini` next to the desk's database, so that every desk opens as it was left."""

    def __init__(self, file: Path) -> None:
        self._kept = QSettings(str(file), QSettings.Format.IniFormat)

    @classmethod
    def of(cls, desk: Desk) -> Memo:
        """Return the memo of a desk."""
        return cls(desk.folder / "window.ini")

    @property
    def geometry(self) -> QByteArray:
        """The window's geometry as returned by QWidget.saveGeometry; empty at first."""
        said = self._kept.value("geometry")
        return said if isinstance(said, QByteArray) else QByteArray()

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._kept.setValue("geometry", geometry)

    @property
    def panel(self) -> str:
        """Name of the panel that was open; empty at first."""
        return str(self._kept.value("panel", ""))

    @panel.setter
    def panel(self, name: str) -> None:
        self._kept.setValue("panel", name)

    @property
    def left(self) -> dict[str, Any]:
        """State of the window's parts as JSON data; empty at first."""
        try:
            said = json.loads(str(self._kept.value("left", "{}")))
        except ValueError:
            return {}
        return said if isinstance(said, dict) else {}

    @left.setter
    def left(self, left: dict[str, Any]) -> None:
        self._kept.setValue("left", json.dumps(left))

    @property
    def visited_at(self) -> datetime | None:
        """Time of the last visit: all changes marked as seen, or the window closed. None at first."""
        said = str(self._kept.value("visited", ""))
        return datetime.fromisoformat(said) if said else None

    @visited_at.setter
    def visited_at(self, when: datetime) -> None:
        self._kept.setValue("visited", when.isoformat())

    @property
    def rail_open(self) -> bool:
        """Return True if the rail showed its names; True at first."""
        return self._flag("rail", at_first=True)

    @rail_open.setter
    def rail_open(self, is_open: bool) -> None:
        self._kept.setValue("rail", int(is_open))

    @property
    def inspector_open(self) -> bool:
        """Return True if a person wants the inspector even while nothing is chosen; False at first."""
        return self._flag("inspector", at_first=False)

    @inspector_open.setter
    def inspector_open(self, is_open: bool) -> None:
        self._kept.setValue("inspector", int(is_open))

    @property
    def inspector_px(self) -> int:
        """The inspector's width, in px."""
        said = str(self._kept.value("inspector_px", INSPECTOR_PX))
        return int(said) if said.isdigit() else INSPECTOR_PX

    @inspector_px.setter
    def inspector_px(self, px: int) -> None:
        self._kept.setValue("inspector_px", px)

    @property
    def tour(self) -> int:
        """The step of the tour to show next; -1 for none."""
        said = str(self._kept.value("tour", -1))
        return int(said) if said.isdigit() else -1

    @tour.setter
    def tour(self, step: int) -> None:
        self._kept.setValue("tour", step)

    def keep(self) -> None:
        """Write to disk now; otherwise it is written when the event loop is idle."""
        self._kept.sync()

    def _flag(self, name: str, *, at_first: bool) -> bool:
        return str(self._kept.value(name, int(at_first))) == "1"


MOVE_MS = 140
INSPECTOR_LEAST_PX = 300
INSPECTOR_MOST_PX = 480
RAIL_NAMES_FROM_PX = 1200
"""Least window width that shows the rail's names; in a narrower window the rail collapses automatically."""
INSPECTOR_KEPT_FROM_PX = 1280
"""Least window width that keeps the inspector open; in a narrower window it is opened for what is looked at."""
STAGE_LEAST_PX = 560
"""Least width of a stage next to the inspector; a narrower one is overlapped instead."""
GRIP_PX = 7
STEP_PX = 16


class Grip(QWidget):
    """The inspector's left edge: drag it, or move it with the arrow keys. `dragged` carries px to the right."""

    dragged = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.SplitHCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Width of the inspector"))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer."""
        self.dragged.emit(round(event.position().x()) - GRIP_PX // 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left widens the inspector, Right narrows it."""
        step = {Qt.Key.Key_Left: -STEP_PX, Qt.Key.Key_Right: STEP_PX}.get(Qt.Key(event.key()), 0)
        if step:
            self.dragged.emit(step)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that the arrow keys move it."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the focus line."""
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a thick line while it has the focus; otherwise the inspector's own edge shows through."""
        if self.hasFocus():
            QPainter(self).fillRect(QRectF(GRIP_PX // 2 - 1, 0, 3, self.height()), c("acc"))


@dataclass(frozen=True, slots=True, kw_only=True)
class AvailableSpace:
    """Available space: for the rail's names, and for the inspector next to the stage."""

    names: bool
    inspector: bool


class Body(QWidget):
    """Container that places rail, stage and inspector.

    The stage takes the remaining space. `resized` carries the inspector's width when a person has changed it.
    """

    resized = Signal(int)

    def __init__(self, rail: Rail, stage: Stage, inspector: QWidget, *, inspector_px: int) -> None:
        super().__init__()
        self.rail, self.stage, self.inspector = rail, stage, inspector
        for part in (stage, rail, inspector):
            part.setParent(self)
        self._grip = Grip(self)
        self._grip.dragged.connect(self._drag)
        self._inspector_px = min(INSPECTOR_MOST_PX, max(INSPECTOR_LEAST_PX, inspector_px))
        self._rail_open = self._inspector_open = True
        self._rail_share = self._inspector_share = 1.0
        self._rail_move = self._mover(self._set_rail_share)
        self._inspector_move = self._mover(self._set_inspector_share)

    def _mover(self, set_share: object) -> QVariantAnimation:
        move = QVariantAnimation(self)
        move.setEasingCurve(QEasingCurve.Type.OutCubic)
        move.valueChanged.connect(set_share)
        return move

    @property
    def rail_open(self) -> bool:
        """Return True if the rail shows names."""
        return self._rail_open

    @property
    def inspector_open(self) -> bool:
        """Return True if the inspector is shown."""
        return self._inspector_open

    @property
    def overlays(self) -> bool:
        """Return True if the inspector would overlap the stage."""
        rail = WIDE_PX if self._rail_open else NARROW_PX
        return self.width() - rail - self._inspector_px < max(self.stage.least_px, STAGE_LEAST_PX)

    def room(self, width: int) -> AvailableSpace:
        """Return the space in a window of this width, after the stage has its minimum."""
        stage = width - self._inspector_px - self.stage.least_px
        return AvailableSpace(
            names=width >= RAIL_NAMES_FROM_PX and stage >= WIDE_PX,
            inspector=width >= INSPECTOR_KEPT_FROM_PX and stage >= NARROW_PX,
        )

    def open_rail(self, is_open: bool) -> None:
        """Show the rail with names, or as icons only."""
        if is_open == self._rail_open:
            return
        self._rail_open = is_open
        self.rail.set_collapsed(not is_open)
        self._run(self._rail_move, self._rail_share, float(is_open))

    def open_inspector(self, is_open: bool) -> None:
        """Show or hide the inspector."""
        if is_open == self._inspector_open:
            return
        self._inspector_open = is_open
        self.inspector.setVisible(True)
        self._run(self._inspector_move, self._inspector_share, float(is_open))

    def _run(self, move: QVariantAnimation, now: float, then: float) -> None:
        move.stop()
        move.setDuration(look.motion_ms(MOVE_MS) if self.isVisible() else 0)
        move.setStartValue(now)
        move.setEndValue(then)
        move.start()

    def _set_rail_share(self, share: float) -> None:
        self._rail_share = share
        self._place()

    def _set_inspector_share(self, share: float) -> None:
        self._inspector_share = share
        # The first share of an opening is 0, and a hidden inspector opens no form.
        self.inspector.setVisible(self._inspector_open or share > 0)
        self._place()

    def _drag(self, by: int) -> None:
        self._inspector_px = min(INSPECTOR_MOST_PX, max(INSPECTOR_LEAST_PX, self._inspector_px - by))
        self._place()
        self.resized.emit(self._inspector_px)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the parts again."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        wide, high = self.width(), self.height()
        rail = round(NARROW_PX + (WIDE_PX - NARROW_PX) * self._rail_share)
        shown = round(self._inspector_px * self._inspector_share)
        beside = 0 if self.overlays else shown
        self.rail.setGeometry(0, 0, rail, high)
        self.stage.setGeometry(rail, 0, wide - rail - beside, high)
        self.inspector.setGeometry(wide - shown, 0, self._inspector_px, high)
        self.inspector.raise_()
        self._grip.setGeometry(wide - shown - GRIP_PX // 2, 0, GRIP_PX, high)
        self._grip.setVisible(shown > 0)
        self._grip.raise_()


class Sides(QObject):
    """Opens and closes rail and inspector, and saves the person's choice. `turned` carries True if the
    inspector is open."""

    turned = Signal(bool)

    def __init__(self, body: Body, memo: Memo) -> None:
        super().__init__(body)
        self._body, self._memo = body, memo
        self._room: AvailableSpace | None = None
        self._wants_inspector = memo.inspector_open
        self._opening = delayed(lambda: self._set_inspector(True), self)
        body.resized.connect(self._remember_width)

    def toggle_rail(self, width: int) -> None:
        """Show the rail's names, or its icons only. width: of the window, in px."""
        self._body.open_rail(not self._body.rail_open)
        if self._body.room(width).names:
            self._memo.rail_open = self._body.rail_open

    def toggle_inspector(self) -> None:
        """Show or hide the inspector."""
        self._set_inspector(not self._body.inspector_open)
        if self._room is not None and self._room.inspector:
            self._wants_inspector = self._memo.inspector_open = self._body.inspector_open

    def show_inspector(self) -> None:
        """Show the inspector for a chosen record. This is not saved: the next window does not begin with an
        empty inspector."""
        self._wants_inspector = True
        if self._body.inspector_open:
            return
        if QApplication.mouseButtons() != Qt.MouseButton.NoButton:
            # What is pressed must not move away under the pointer, nor before it is pressed twice.
            self._opening.start(QApplication.doubleClickInterval())
        elif not self._opening.isActive():
            self._set_inspector(True)

    def settle(self) -> bool:
        """Open the inspector now if it is about to open, for a key that acts on what it shows; return True if it is
        open."""
        if self._opening.isActive():
            self._set_inspector(True)
        return self._body.inspector_open

    def _set_inspector(self, is_open: bool) -> None:
        self._opening.stop()
        self._body.open_inspector(is_open)
        self.turned.emit(is_open)

    def _remember_width(self, px: int) -> None:
        self._memo.inspector_px = px

    def fit(self, width: int) -> None:
        """Close or reopen both for a window width in px; does nothing if the available space is unchanged."""
        room = self._body.room(width)
        if room == self._room:
            return
        self._room = room
        self._body.open_rail(room.names and self._memo.rail_open)
        self._set_inspector(room.inspector and self._wants_inspector)


def window_state(session: Session, stage: Stage, body: Body, inspector: Inspector) -> dict[str, Any]:
    """Return the window's state as JSON data."""
    return {
        "panels": stage.left(),
        "sides": stage.sides,
        "divider": stage.splitter.sizes(),
        "shown": inspector.memory_id if body.inspector_open else "",
        "channels": session.channels,
        "agents": session.agents,
    }


def restore_window(memo: Memo, session: Session, stage: Stage) -> None:
    """Restore the filters and panels, first of all the one with unsaved texts; on the first start, show the first
    panel."""
    # Read first: opening a panel writes into the memo.
    panel, kept = memo.panel, memo.left
    session.filter_channels(tuple(kept.get("channels", ())))
    session.filter_agents(tuple(kept.get("agents", ())))
    sides = [name for name in kept.get("sides", ()) if stage.has(name)]
    for place, name in enumerate(sides if len(sides) == 2 else ()):
        stage.open(name, beside=place == 1)
    stage.open(stage.with_drafts() or (panel if stage.has(panel) else stage.names[0]))
    if stage.is_split:
        stage.splitter.resume(kept.get("divider", []))
