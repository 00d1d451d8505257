"""How a panel was left: what its bars were set to and where its dividers stood, as JSON can hold it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from PySide6.QtWidgets import QWidget

from memdesk.gui.panels.panel import Panel
from memdesk.gui.widgets import Control, Drop, Field, Segments, Splitter

Part = TypeVar("Part", bound=QWidget)


def left(panel: Panel) -> dict[str, Any]:
    """What `resume` needs to set a panel as it is now. Parts are told by their order among their like."""
    return {
        "texts": [field.text() for field in _in_bars(panel, Field)],
        "drops": [list(drop.picked) for drop in _in_bars(panel, Drop)],
        "segments": [segments.value() for segments in _in_bars(panel, Segments)],
        "on": [chip.isChecked() for chip in _chips(panel)],
        "dividers": [splitter.divided for splitter in panel.findChildren(Splitter)],
    }


def resume(panel: Panel, said: Any) -> None:
    """Set a panel as it was left, as a person would by hand; what does not fit it any more is passed over."""
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
    """Controls that are on or off by themselves."""
    for control in _in_bars(panel, Control):
        if control.isCheckable() and not isinstance(control, Drop):
            yield control
