"""Controls of the graph panel: those in its header, and the filters in its bar."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout

from memdesk.gui.graph.chips import ChannelChips
from memdesk.gui.graph.confidence import Confidence
from memdesk.gui.graph.finder import Finder
from memdesk.gui.graph.relations import OFFERED, words
from memdesk.gui.graph.wish import Wish
from memdesk.gui.help.asking import explain_terms
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Drop, Option, Segments, Text, row

FINDER_PX = 164
FINDER_LEAST_PX = 96
HOPS = ((1, "1"), (2, "2"), (3, "3"))


class Tools:
    """Controls of the panel by name. `actions` go into the header, `bar()` is the filter bar's layout."""

    def __init__(self, session: Session, wish: Wish) -> None:
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
        self.hops = Segments(HOPS, wish.hops, name=tr("Hops from the centre"))
        explain_terms(self.hops_said, "hops")
        self.fit = Control(
            "button",
            tr("Fit"),
            keys="F",
            tip=tr("See as much at once as stays readable; again for full size"),
        )
        self.table = Control("button", tr("Table"), keys="T", tip=tr("The same as a table"))
        self.chips = ChannelChips()
        self.confidence = Confidence(wish.min_confidence)
        self.edges = Drop(
            _options(), lead=tr("Edges"), many=True, every=tr("all"), small=True, name=tr("Edges")
        )
        self.past = Control("chip", tr("Past facts"), "check", tip=tr("Show what is no longer so"))
        self.past.setChecked(wish.past)
        self.actions = (self.finder, self.target, self.hops_said, self.hops, self.fit, self.table, self.more)

    def bar(self) -> QHBoxLayout:
        """Return the filter bar's layout."""
        filters = row(self.chips, self.confidence, self.edges, self.past, gap=8, margins=(20, 0, 20, 1))
        filters.setStretchFactor(self.chips, 1)
        return filters

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
    return tuple(Option(value=type, text=words(type)) for type in OFFERED)
