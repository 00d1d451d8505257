"""Stage with one panel or two side by side, each created when it is first opened, and the strip that offers
Undo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.session import Session
from memdesk.gui.shell.panel import Panel, PanelEntry
from memdesk.gui.widgets import Control, Drop, Field, Ground, Segments, Splitter, UndoStrip, column
from memdesk.model.status import Status

Part = TypeVar("Part", bound=QWidget)


def panel_state(panel: Panel) -> dict[str, Any]:
    """Return the state that `resume` needs to restore a panel. Widgets are identified by their order among
    those of the same type."""
    return {
        "texts": [field.text() for field in _in_bars(panel, Field)],
        "drops": [list(drop.picked) for drop in _in_bars(panel, Drop)],
        "segments": [segments.value() for segments in _in_bars(panel, Segments)],
        "on": [chip.isChecked() for chip in _chips(panel)],
        "dividers": [splitter.divided for splitter in panel.findChildren(Splitter)],
        "drafts": panel.drafts(),
    }


def restore_panel(panel: Panel, said: Any) -> None:
    """Restore a panel's saved state, as a person would by hand; values that no longer fit are skipped."""
    if not isinstance(said, dict):
        return
    for field, text in zip(_in_bars(panel, Field), said.get("texts", ()), strict=False):
        field.setText(str(text))
    for drop, picked in zip(_in_bars(panel, Drop), said.get("drops", ()), strict=False):
        drop.resume(tuple(picked))
    for segments, value in zip(_in_bars(panel, Segments), said.get("segments", ()), strict=False):
        segments.choose(value)
    chips, on = list(_chips(panel)), said.get("on", ())
    for chip, is_on in zip(chips, on, strict=False) if len(chips) == len(on) else ():
        if chip.isChecked() != is_on:
            chip.click()
    for splitter, sizes in zip(panel.findChildren(Splitter), said.get("dividers", ()), strict=False):
        splitter.resume(sizes)
    if drafts := said.get("drafts"):
        panel.resume_drafts(drafts)


def _in_bars(panel: Panel, kind: type[Part]) -> Iterator[Part]:
    for bar in panel.bars:
        for part in bar.findChildren(kind):
            # What segments are made of is told as segments.
            if not isinstance(part.parent(), Segments):
                yield part


def _chips(panel: Panel) -> Iterator[Control]:
    """Yield the controls that can be switched on or off, except drop-downs and segments."""
    for control in _in_bars(panel, Control):
        if control.isCheckable() and not isinstance(control, Drop):
            yield control


STRIP_PX = 560
STRIP_FROM_FOOT_PX = 12
SIDE_LEAST_PX = 480
HALF = 1000
"""Size given to both halves; equal sizes split the available space evenly."""
SPLIT_LEAST_PX = 2 * SIDE_LEAST_PX + 1


class Side(QStackedWidget):
    """Half of the stage. The signal `pressed` is sent for a mouse press that no part of the panel used."""

    pressed = Signal()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Report the press, which makes this the current side."""
        super().mousePressEvent(event)
        self.pressed.emit()


class Stage(Ground):
    """Container of the panels. `open(name)` shows a panel and returns it; `panel` is the current one.

    left: saved state of the panels, by name. The signal `turned` is sent when another panel becomes current.
    """

    turned = Signal()

    def __init__(
        self,
        session: Session,
        inspector: Inspector,
        panels: Sequence[PanelEntry],
        left: Mapping[str, Any] | None = None,
    ) -> None:
        self._session, self._inspector = session, inspector
        self._kinds = {panel.name: panel for panel in panels}
        self._left = dict(left or {})
        self._panels: dict[str, Panel] = {}
        self._sides = (Side(), Side())
        self._here, self._aims_beside = 0, False
        self._numbers: dict[str, int] = {}
        self._recent: list[str] = []
        self.splitter = Splitter(*self._sides, minimum=SIDE_LEAST_PX)
        super().__init__("stage", layout=column(self.splitter, gap=0))
        self._sides[1].hide()
        self.strip = UndoStrip()
        self.strip.setParent(self)
        for place, side in enumerate(self._sides):
            side.pressed.connect(lambda place=place: self._turn(place))
        session.status_changed.connect(self._recolour)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._follow)

    @property
    def panel(self) -> Panel | None:
        return self._shown(self._here)

    @property
    def beside(self) -> Panel | None:
        return self._shown(1 - self._here) if self.is_split else None

    @property
    def is_split(self) -> bool:
        """Return True if two panels are shown side by side."""
        return not self._sides[1].isHidden()

    @property
    def sides(self) -> tuple[str, ...]:
        """Names of the visible panels, from left to right."""
        seen = (self._shown(0), self._shown(1) if self.is_split else None)
        return tuple(panel.name for panel in seen if panel is not None)

    @property
    def least_px(self) -> int:
        """The minimum width of a split stage; 0 for a single panel, which fits any width."""
        return SPLIT_LEAST_PX if self.is_split else 0

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all panels, in the rail's order."""
        return tuple(self._kinds)

    def has(self, name: str) -> bool:
        """Return True if there is such a panel."""
        return name in self._kinds

    def open(self, name: str, *, beside: bool = False) -> Panel:
        """Show a panel in the current half, or in the other one; a visible panel stays where it is.

        Raises KeyError for an unknown name."""
        panel = self._made(name)
        place = 1 - self._here if beside or self._aims_beside else self._here
        if self.is_split and panel in (self.panel, self.beside):
            place = self._here if panel is self.panel else 1 - self._here
        elif panel is self.panel:
            place = self._here
        if place == 1 and not self.is_split:
            self._sides[1].show()
            # Otherwise the divider would come with the next turn of the loop.
            self.splitter.refresh()
            self.splitter.setSizes([HALF, HALF])
        self._put(panel, place)
        self._turn(place)
        return panel

    def aim_beside(self, aims: bool) -> None:
        """Set the half in which the next panel opens: True for the other one."""
        self._aims_beside = aims

    def split(self) -> None:
        """Show a second panel, the previous one if there was any; if split already, return to the current
        panel only."""
        if self.is_split:
            self._join()
            return
        here = self.panel
        others = [name for name in (*self._recent, *self._kinds) if here is None or name != here.name]
        if others:
            self.open(others[0], beside=True)

    def take_focus(self) -> None:
        """Give the keyboard focus to the current panel."""
        if self.panel is not None:
            self.panel.take_focus()

    def _join(self) -> None:
        here = self.panel
        self._sides[1].hide()
        if here is not None:
            self._put(here, 0)
        self._turn(0)

    def _made(self, name: str) -> Panel:
        if name not in self._panels:
            self._panels[name] = self._kinds[name](self._session, self._inspector)
            restore_panel(self._panels[name], self._left.get(name))
        return self._panels[name]

    def _put(self, panel: Panel, place: int) -> None:
        side = self._sides[place]
        if side.indexOf(panel) < 0:
            side.addWidget(panel)
        side.setCurrentWidget(panel)

    def _shown(self, place: int) -> Panel | None:
        panel = self._sides[place].currentWidget()
        return panel if isinstance(panel, Panel) else None

    def _follow(self, before: QWidget | None, now: QWidget | None) -> None:
        """Make the side with the keyboard focus the current one."""
        for place, side in enumerate(self._sides):
            if now is not None and side.isAncestorOf(now):
                self._turn(place)

    def _recolour(self, status: Status) -> None:
        """Repaint the panels when the number of a channel changes, which decides its colour."""
        before, self._numbers = self._numbers, {each.name: each.number for each in status.channels}
        if self._numbers != before:
            for part in self.findChildren(QWidget):
                part.update()

    def _turn(self, place: int) -> None:
        self._here = place
        here, beside = self.panel, self.beside
        if here is not None:
            here.set_lit(True)
            if here.name not in self._recent[:1]:
                self._recent = [here.name, *(name for name in self._recent if name != here.name)]
        if beside is not None:
            beside.set_lit(False)
        self.turned.emit()

    def left(self) -> dict[str, Any]:
        """Return the state of the panels by name, including those not opened this time."""
        return self._left | {name: panel_state(panel) for name, panel in self._panels.items()}

    def with_drafts(self) -> str:
        """Return the name of the panel that kept unsaved texts when the window was closed, empty for none."""
        kept = (name for name, said in self._left.items() if isinstance(said, dict) and said.get("drafts"))
        return next(filter(self.has, kept), "")

    def keep_drafts(self) -> None:
        """Let left() have the unsaved texts of files, and the window close without asking for them."""
        for panel in self._panels.values():
            panel.keep_drafts()

    def unsaved(self) -> tuple[str, ...]:
        """Return the names of the texts in any panel that closing the window would lose."""
        return tuple(name for panel in self._panels.values() for name in panel.unsaved())

    def offer(self, sentence: str, change: int, icon: str) -> None:
        """Offer Undo for a change for 8 s, at the foot of the panel."""
        self.strip.offer(sentence, change, icon)
        self._place_strip()
        self.strip.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the strip at the foot."""
        super().resizeEvent(event)
        self._place_strip()

    def _place_strip(self) -> None:
        wide = min(STRIP_PX, self.width() - 40)
        high = self.strip.height()
        foot = STRIP_FROM_FOOT_PX + (self.panel.foot_px if self.panel is not None else 0)
        self.strip.setGeometry((self.width() - wide) // 2, self.height() - high - foot, wide, high)
