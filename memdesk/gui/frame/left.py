"""Saved state of a panel as JSON: the settings of its bars and the positions of its dividers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from PySide6.QtWidgets import QWidget

from memdesk.gui.panels.panel import Panel
from memdesk.gui.widgets import Control, Drop, Field, Segments, Splitter

Part = TypeVar("Part", bound=QWidget)


def left(panel: Panel) -> dict[str, Any]:
    """Return the state that `resume` needs to restore a panel. Widgets are identified by their order among
    those of the same type."""
    return {
        "texts": [field.text() for field in _in_bars(panel, Field)],
        "drops": [list(drop.picked) for drop in _in_bars(panel, Drop)],
        "segments": [segments.value() for segments in _in_bars(panel, Segments)],
        "on": [chip.isChecked() for chip in _chips(panel)],
        "dividers": [splitter.divided for splitter in panel.findChildren(Splitter)],
    }


def resume(panel: Panel, said: Any) -> None:
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
