"""Controls of the graph panel: those in its header, and the filters in its bar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from memdesk.gui.language import tr
from memdesk.gui.panels.graph.graph_data import OFFERED, GraphQuery
from memdesk.gui.session import Session
from memdesk.gui.shell.finder import Finder
from memdesk.gui.terms import relation_words
from memdesk.gui.widgets import Control, Drop, Option, Segments, Slider, Text, row
from memdesk.gui.widgets.drop import ChoiceMenu, open_below
from memdesk.gui.widgets.explaining import explain_terms


class Confidence(QWidget):
    """Slider for the least confidence, with its label and value. The signal `changed` carries the value, 0 to
    1."""

    changed = Signal(float)

    def __init__(self, value: float) -> None:
        super().__init__()
        self.groove = Slider(tr("Least confidence"), value, lit="above")
        self._said = Text("", 12, "t1")
        self._said.setFixedWidth(46)
        explain_terms(self, "confidence")
        self.groove.valueChanged.connect(self._moved)
        self.setLayout(row(Text(tr("Confidence"), 12, "t2"), self.groove, self._said, gap=8))
        self._show()

    @property
    def value(self) -> float:
        """Least confidence, 0 to 1."""
        return self.groove.share

    def _moved(self) -> None:
        self._show()
        self.changed.emit(self.value)

    def _show(self) -> None:
        self._said.setText(f"≥ {self.value:.2f}")
        self.groove.setAccessibleDescription(tr("at least {value}", value=f"{self.value:.2f}"))


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
            Option(share.channel, f"{share.channel}  {share.count:,}", channel=share.number)
            for share in left_out
        ]
        made = ChoiceMenu(options, lambda value: value not in self._hidden, staying=True, parent=self)
        made.picked.connect(self._toggle)
        return made

    def open_menu(self) -> None:
        open_below(self.menu(), self._more)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def sizeHint(self) -> QSize:
        wide = sum(chip.sizeHint().width() + GAP_PX for chip in self.chips.values())
        return QSize(wide, HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        """Return room for the menu's button."""
        return QSize(96, HEIGHT_PX)


FINDER_PX = 164
FINDER_LEAST_PX = 96
HOPS = ((1, "1"), (2, "2"), (3, "3"))


class Tools:
    """Controls of the panel by name. `actions` go into the header, `bar()` is the filter bar's layout."""

    def __init__(self, session: Session, query: GraphQuery) -> None:
        self.finder = Finder(session, placeholder=tr("Find"), keys="/")
        self.finder.setAccessibleName(tr("Find a memory to put in the middle"))
        self.finder.setMinimumWidth(FINDER_LEAST_PX)
        self.finder.setMaximumWidth(FINDER_PX)
        self.target = Finder(session, placeholder=tr("Way to"))
        self.target.setAccessibleName(tr("Find the other end of a way from the centre"))
        self.target.setMinimumWidth(FINDER_LEAST_PX)
        self.target.setMaximumWidth(FINDER_PX)
        self.target.hide()
        self.more = Control("ghost", "", "more", tip=tr("Find a way, export the picture"))
        self.hops_said = Text(tr("Hops"), 12, "t2")
        self.hops = Segments(HOPS, query.hops, name=tr("Hops from the centre"))
        explain_terms(self.hops_said, "hops")
        self.fit = Control(
            "button",
            tr("Fit"),
            keys="F",
            tip=tr("See as much at once as stays readable; again for full size"),
        )
        self.table = Control("button", tr("Table"), keys="T", tip=tr("The same as a table"))
        self.chips = ChannelChips()
        self.confidence = Confidence(query.min_confidence)
        self.edges = Drop(
            _options(), lead=tr("Edges"), many=True, every=tr("all"), small=True, name=tr("Edges")
        )
        self.past = Control("chip", tr("Past facts"), "check", tip=tr("Show what is no longer so"))
        self.past.setChecked(query.past)
        self.actions = (self.finder, self.target, self.hops_said, self.hops, self.fit, self.table, self.more)

    def bar(self) -> QHBoxLayout:
        return row(
            self.chips,
            self.confidence,
            self.edges,
            self.past,
            gap=8,
            margins=(20, 0, 20, 1),
            stretch=self.chips,
        )

    def show_actions(self, visible: bool) -> None:
        """Show or hide the controls that act on a graph; they do not apply without a centre."""
        for action in self.actions:
            action.setVisible(visible and action is not self.target)

    def ask_target(self, on: bool) -> None:
        """Show the field for the other end of a path in place of the field for another centre, or back."""
        self.finder.setVisible(not on)
        self.target.setVisible(on)
        if on:
            self.target.setFocus()

    def show_table(self, is_table: bool) -> None:
        """Label the button with the view that it leads to."""
        self.table.setText(tr("Graph") if is_table else tr("Table"))
        self.table.setToolTip(tr("Back to the drawing") if is_table else tr("The same as a table"))
        self.fit.set_enabled(not is_table, tr("The table has one size."))


def _options() -> tuple[Option, ...]:
    return tuple(Option(type, relation_words(type)) for type in OFFERED)
