"""Drops of a filter bar; a narrow bar shows as many as there is room for and puts the others in a menu."""

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
        """Return room for every drop that is offered."""
        drops = self._offered
        return QSize(_side_by_side(*(drop.sizeHint().width() for drop in drops)), self.more.height())

    def minimumSizeHint(self) -> QSize:
        """Return room for the menu's button."""
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
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height() + 2)))


def _side_by_side(*widths: int) -> int:
    return sum(widths) + GAP_PX * max(0, len(widths) - 1)
