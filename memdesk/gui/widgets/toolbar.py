"""Bars of a panel, and the order in which their parts shrink in a narrow panel."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout, QSizePolicy

from memdesk.gui.help.asking import explain_terms
from memdesk.gui.widgets.drop import Drop
from memdesk.gui.widgets.field import Field
from memdesk.gui.widgets.ground import Ground, Item, row
from memdesk.gui.widgets.segments import Segments
from memdesk.gui.widgets.text import Text

HEIGHT_PX, BAR_PX = 48, 40
FIELD_LEAST_PX = 116
"""Room for an icon and a word or two."""


class Lead(NamedTuple):
    """Quiet words that lead a drop, and the room they take."""

    words: str
    px: int


class Toolbar(Ground):
    """A row of controls over a panel. In a narrow panel its segments become drops, the last first, and then
    the drops lose the quiet words that lead them; buttons are never shortened."""

    def __init__(self, layout: QLayout, *, edges: str = "", height: int = BAR_PX) -> None:
        super().__init__("stage", edges, layout, height=height)
        items = [
            item.widget() for place in range(layout.count()) if (item := layout.itemAt(place)) is not None
        ]
        self._segments = [each for each in items if isinstance(each, Segments)]
        self._leads = {
            each: Lead(each.label.lead, each.lead_px)
            for each in items
            if isinstance(each, Drop) and each.label.lead
        }

    def event(self, event: QEvent) -> bool:
        """Check again if there is room when a part has become wider or narrower."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return handled

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shrink or expand the parts to the new width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        layout = self.layout()
        if layout is None or not (self._segments or self._leads):
            return
        folds = [each for each in self._segments if not each.isHidden()]
        now = sum(each.folded_px if each.is_folded else each.full_px for each in folds)
        need = layout.minimumSize().width() - now + sum(each.full_px for each in folds)
        for each in reversed(folds):
            lacks = need > self.width()
            each.fold(lacks)
            need += each.folded_px - each.full_px if lacks else 0
        need += sum(lead.px for drop, lead in self._leads.items() if not drop.label.lead)
        for drop, lead in self._leads.items():
            drop.set_lead(lead.words if need <= self.width() else "")


class PanelHead(Toolbar):
    """The 48 px header of a panel: title, subtitle, actions at the right.

    In a narrow panel the subtitle is cut first, then fields shrink, then segments and drops shrink as in any
    toolbar."""

    def __init__(self, title: str, subtitle: str = "", *actions: Item) -> None:
        self.title = Text(title, 15, "t1", weight=600)
        self.subtitle = Text(subtitle, 13, "t3", elide=True)
        explain_terms(self.subtitle, "shown")
        self.subtitle.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        for each in actions:
            if isinstance(each, Field):
                each.setMinimumWidth(min(FIELD_LEAST_PX, each.maximumWidth()))
        layout = row(self.title, self.subtitle, *actions, gap=12, margins=(20, 0, 20, 1))
        layout.setStretchFactor(self.subtitle, 1)
        super().__init__(layout, edges="bottom", height=HEIGHT_PX)
