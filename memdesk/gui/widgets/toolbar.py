"""Bars of a panel, and the order in which their parts shrink in a narrow panel."""

from __future__ import annotations

import re
from typing import NamedTuple

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout, QMenu, QSizePolicy, QWidget

from memdesk.gui.language import tr
from memdesk.gui.widgets.control import Control
from memdesk.gui.widgets.drop import Drop, Segments, open_below
from memdesk.gui.widgets.explaining import explain_terms
from memdesk.gui.widgets.field import Field
from memdesk.gui.widgets.layout import Ground, Item, row
from memdesk.gui.widgets.text import Text
from memdesk.model.hidden import revealed

GAP_PX = 6
DOT = " · "
PARTIAL = re.compile(r"\s*[\d.,]+…$")
"""End of a cut text that would show a number in part, which reads as another number."""


class Folding(QWidget):
    """Drops side by side. If there is no room, the last ones move first into the menu of `more`, which shows
    how many of them filter. Give every drop a name: the menu shows it."""

    def __init__(self, *drops: Drop) -> None:
        super().__init__()
        self._drops = dict.fromkeys(drops, True)
        self.more = Control("button", "", "filter", drop=True, small=True, tone="t3", tip=tr("More filters"))
        self.more.clicked.connect(self._open)
        self.setLayout(row(*drops, self.more, None, gap=GAP_PX))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        for drop in drops:
            drop.chosen.connect(lambda _: self._fit())
        self._fit()

    def offer(self, drop: Drop, offered: bool) -> None:
        """Set if a drop is offered at all, in the bar or in the menu. Raises KeyError for a drop that is not
        in this bar."""
        if drop not in self._drops:
            raise KeyError(drop.given_name)
        self._drops[drop] = offered
        self.updateGeometry()
        self._fit()

    @property
    def folded(self) -> tuple[Drop, ...]:
        """Drops that are in the menu now."""
        return tuple(drop for drop in self._offered if drop.isHidden())

    @property
    def _offered(self) -> list[Drop]:
        return [drop for drop, offered in self._drops.items() if offered]

    def sizeHint(self) -> QSize:
        drops = self._offered
        return QSize(_side_by_side(*(drop.sizeHint().width() for drop in drops)), self.more.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.more.sizeHint().width(), self.more.height())

    def event(self, event: QEvent) -> bool:
        """Check again if there is room when the text of a drop becomes longer or shorter."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._fit()
        return handled

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Move drops without room into the menu, and back when there is room again."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        shown = self._offered
        if self.width() < self.sizeHint().width():
            while shown and self._needed(shown) > self.width():
                shown.pop()
        for drop in self._drops:
            drop.setVisible(drop in shown)
        self._show_more()

    def _needed(self, shown: list[Drop]) -> int:
        return _side_by_side(*(drop.sizeHint().width() for drop in shown), self.more.sizeHint().width())

    def _show_more(self) -> None:
        folded = self.folded
        narrowing = sum(drop.narrows for drop in folded)
        self.more.label.text = tr("More") if len(folded) < len(self._offered) else tr("Filters")
        self.more.set_count(str(narrowing) if narrowing else "")
        self.more.setVisible(bool(folded))

    def menu(self) -> QMenu:
        """Return the menu of the folded drops: a line for each drop, with the drop's own menu behind it."""
        made = QMenu(self)
        for drop in self.folded:
            part = drop.menu(made)
            part.setTitle(f"{drop.given_name}\t{drop.text()}".replace("&", "&&"))
            made.addMenu(part)
        return made

    def _open(self) -> None:
        """Open the menu. It is never exec()'d, which would stop the event loop's tasks."""
        open_below(self.menu(), self.more)


def _side_by_side(*widths: int) -> int:
    return sum(widths) + GAP_PX * max(0, len(widths) - 1)


HEIGHT_PX, BAR_PX = 48, 40
FIELD_LEAST_PX = 116
"""Room for an icon and a word or two."""


class Lead(NamedTuple):
    """Quiet words that lead a drop, and the room they take."""

    words: str
    px: int


class Toolbar(Ground):
    """A row of controls over a panel. In a narrow panel its segments become drops, the last first, then the
    drops lose the quiet words that lead them, and then buttons with an icon lose their words."""

    def __init__(
        self, layout: QLayout, *, edges: str = "", height: int = BAR_PX, token: str = "stage"
    ) -> None:
        super().__init__(token, edges, layout, height=height)
        items = [
            item.widget() for place in range(layout.count()) if (item := layout.itemAt(place)) is not None
        ]
        self._segments = [each for each in items if isinstance(each, Segments)]
        self._leads = {
            each: Lead(each.label.lead, each.lead_px)
            for each in items
            if isinstance(each, Drop) and each.label.lead
        }
        self._buttons = [
            each
            for each in items
            if isinstance(each, Control) and not isinstance(each, Drop) and each.kind == "button"
        ]

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
        buttons = [each for each in self._buttons if not each.isHidden() and each.label.icon]
        if layout is None or not (self._segments or self._leads or buttons):
            return
        folds = [each for each in self._segments if not each.isHidden()]
        now = sum(each.folded_px if each.is_folded else each.full_px for each in folds)
        need = layout.minimumSize().width() - now + sum(each.full_px for each in folds)
        need += sum(each.full_px - each.sizeHint().width() for each in buttons)
        for each in reversed(folds):
            lacks = need > self.width()
            each.fold(lacks)
            need += each.folded_px - each.full_px if lacks else 0
        need += sum(lead.px for drop, lead in self._leads.items() if not drop.label.lead)
        for drop, lead in self._leads.items():
            drop.set_lead(lead.words if need <= self.width() else "")
        need -= sum(lead.px for drop, lead in self._leads.items() if not drop.label.lead)
        for button in buttons:
            button.set_collapsed(need > self.width())


class Summary(Text):
    """Quiet line of parts between dots. Where there is no room the last parts go; of a single part at least half is
    shown, or nothing."""

    def _cut(self) -> str:
        shown = super()._cut()
        if not shown.endswith("…"):
            return shown
        parts = revealed(self.text()).split(DOT)
        fitting = (DOT.join(parts[:count]) for count in range(len(parts) - 1, 0, -1))
        metrics = self.fontMetrics()
        whole = next((each for each in fitting if metrics.horizontalAdvance(each) <= self.width()), "")
        shown = PARTIAL.sub("…", shown)
        return whole or (shown if 2 * self.width() >= metrics.horizontalAdvance(parts[0]) else "")


class PanelHead(Toolbar):
    """The 48 px header of a panel: title, subtitle, actions at the right.

    In a narrow panel the subtitle is cut first, then fields shrink, then the rest as in any toolbar."""

    def __init__(self, title: str, subtitle: str = "", *actions: Item) -> None:
        self.title = Text(title, 15, "t1", weight=600)
        self.subtitle = Summary(subtitle, 13, "t3", elide=True)
        explain_terms(self.subtitle, "shown")
        self.subtitle.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        for each in actions:
            if isinstance(each, Field):
                each.setMinimumWidth(min(FIELD_LEAST_PX, each.maximumWidth()))
        layout = row(
            self.title, self.subtitle, *actions, gap=12, margins=(20, 0, 20, 1), stretch=self.subtitle
        )
        super().__init__(layout, edges="bottom", height=HEIGHT_PX)
