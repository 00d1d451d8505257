"""Drops of a filter bar, of which a narrow bar shows as many as there is room for; the others are in a menu."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from memdesk.gui.language import tr
from memdesk.gui.widgets.control import Control
from memdesk.gui.widgets.drop import Drop
from memdesk.gui.widgets.ground import row

GAP_PX = 6


class Folding(QWidget):
    """Drops side by side. Where there is no room the last go first, into the menu of `more`, which counts those that
    narrow what is shown. Give every drop a name: the menu says it."""

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
        """Whether a drop is there at all, shown or in the menu. Raises KeyError for one that is none of these."""
        if drop not in self._drops:
            raise KeyError(drop.given_name)
        self._drops[drop] = offered
        self.updateGeometry()
        self._fit()

    @property
    def folded(self) -> tuple[Drop, ...]:
        """The drops that are in the menu now."""
        return tuple(drop for drop in self._offered if drop.isHidden())

    @property
    def _offered(self) -> list[Drop]:
        return [drop for drop, offered in self._drops.items() if offered]

    def sizeHint(self) -> QSize:
        """Room for every drop that is offered."""
        drops = self._offered
        return QSize(_side_by_side(*(drop.sizeHint().width() for drop in drops)), self.more.height())

    def minimumSizeHint(self) -> QSize:
        """Room for the menu's button."""
        return QSize(self.more.sizeHint().width(), self.more.height())

    def event(self, event: QEvent) -> bool:
        """Look anew whether there is room when a drop says something longer or shorter."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._fit()
        return handled

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold what has no room, unfold what has some again."""
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
        """What is folded: a line for each drop, and behind it what the drop offers."""
        made = QMenu(self)
        for drop in self.folded:
            part = drop.menu(made)
            part.setTitle(f"{drop.given_name}\t{drop.text()}".replace("&", "&&"))
            made.addMenu(part)
        return made

    def _open(self) -> None:
        """It is never exec()'d, which would stop the event loop's tasks."""
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height() + 2)))


def _side_by_side(*widths: int) -> int:
    return sum(widths) + GAP_PX * max(0, len(widths) - 1)
