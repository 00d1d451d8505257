"""Chips for the channels around the centre, with their counts; chips without room move into a menu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui.language import tr
from memdesk.gui.widgets import Control, Option
from memdesk.gui.widgets.drop import ChoiceMenu

GAP_PX = 8
HEIGHT_PX = 28


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Number of memories that a channel has around the centre. number: its colour."""

    channel: str
    number: int
    count: int


def shares_of(counts: Mapping[str, int], numbers: Mapping[str, int]) -> list[Share]:
    """Return the count of each channel, in the order of their colours."""
    return [
        Share(channel=channel, number=numbers[channel], count=counts[channel])
        for channel in sorted(counts, key=lambda channel: (numbers[channel], channel))
    ]


class ChannelChips(QWidget):
    """Channels to show or hide. The signal `changed` carries the set of channels that are hidden."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._shares: tuple[Share, ...] = ()
        self._hidden: frozenset[str] = frozenset()
        self.chips: dict[str, Control] = {}
        self._more = Control("ghost", "", drop=True, parent=self)
        self._more.clicked.connect(lambda: self.open_menu())
        self._more.hide()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT_PX)
        self.setAccessibleName(tr("Channels"))

    def set_shares(self, shares: Sequence[Share], hidden: frozenset[str]) -> None:
        """Show these channels in this order."""
        self._hidden = hidden
        if [share.channel for share in shares] != [share.channel for share in self._shares]:
            self._rebuild(shares)
        self._shares = tuple(shares)
        for share in shares:
            chip = self.chips[share.channel]
            chip.set_count(f"{share.count:,}")
            chip.set_channel(share.number)
            chip.setChecked(share.channel not in hidden)
        self._place()

    def _rebuild(self, shares: Sequence[Share]) -> None:
        for chip in self.chips.values():
            chip.setParent(None)
            chip.deleteLater()
        self.chips = {share.channel: self._chip(share.channel) for share in shares}

    def _chip(self, channel: str) -> Control:
        chip = Control(
            "chip", channel, channel=0, tip=tr("Show or hide {channel}", channel=channel), parent=self
        )
        chip.clicked.connect(lambda: self._toggle(channel))
        return chip

    def _toggle(self, channel: object) -> None:
        self._hidden ^= {str(channel)}
        self.changed.emit(self._hidden)

    # What does not fit.

    def _place(self) -> None:
        """Place as many chips as there is room for, from the left; then the menu's button."""
        wide = {channel: chip.sizeHint().width() for channel, chip in self.chips.items()}
        fits = self._fitting(wide)
        x = 0
        for channel, chip in self.chips.items():
            chip.setVisible(channel in fits)
            if channel in fits:
                chip.setGeometry(x, (HEIGHT_PX - chip.height()) // 2, wide[channel], chip.height())
                x += wide[channel] + GAP_PX
        left_out = len(self.chips) - len(fits)
        self._more.setVisible(left_out > 0)
        self._more.setText(tr("%Ln more", "", left_out) if fits else tr("%Ln channel(s)", "", left_out))
        self._more.setGeometry(x, 0, self._more.sizeHint().width(), HEIGHT_PX)

    def _fitting(self, wide: Mapping[str, int]) -> set[str]:
        if sum(wide.values()) + GAP_PX * (len(wide) - 1) <= self.width():
            return set(wide)
        self._more.setText(tr("%Ln channel(s)", "", 9))
        room = self.width() - self._more.sizeHint().width()
        fits: set[str] = set()
        for channel, each in wide.items():
            room -= each + GAP_PX
            if room < 0:
                break
            fits.add(channel)
        return fits

    def menu(self) -> ChoiceMenu:
        """Return the menu of the channels without a chip, as it would open now."""
        left_out = [share for share in self._shares if self.chips[share.channel].isHidden()]
        options = [
            Option(value=share.channel, text=f"{share.channel}  {share.count:,}", channel=share.number)
            for share in left_out
        ]
        made = ChoiceMenu(options, lambda value: value not in self._hidden, staying=True, parent=self)
        made.picked.connect(self._toggle)
        return made

    def open_menu(self) -> None:
        """Open the menu below its button."""
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._more.mapToGlobal(QPoint(0, self._more.height() + 2)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the chips to the new width."""
        super().resizeEvent(event)
        self._place()

    def sizeHint(self) -> QSize:
        """Return room for every chip."""
        wide = sum(chip.sizeHint().width() + GAP_PX for chip in self.chips.values())
        return QSize(wide, HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        """Return room for the menu's button."""
        return QSize(96, HEIGHT_PX)
