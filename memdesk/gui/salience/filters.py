"""Filters of the salience panel: kinds and order in its header, chips with counts and the legend in its bar."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from memdesk.gui.language import marked, tr
from memdesk.gui.salience.legend import Legend
from memdesk.gui.widgets import Drop, Option, Segments, row
from memdesk.model.heatmap import AskSalience, Heatmap

SORTS = {
    "fades": (marked("Fades soonest"), marked("fades soonest first")),
    "salience": (marked("Strongest"), marked("strongest first")),
    "recalled": (marked("Most recalled"), marked("most recalled first")),
    "newest": (marked("Newest"), marked("newest first")),
    "name": (marked("Name"), marked("by name")),
    "channel": (marked("Channel"), marked("by channel")),
    "alike": (marked("Alike"), marked("like courses together")),
}
"""Orders: the text of the choice, and the text above the rows."""
CHIPS = {
    "": (marked("All"), "all"),
    "recalled": (marked("Recalled 5 times or more"), "recalled"),
    "below": (marked("Below 0.30"), "below"),
    "fading": (marked("Fades in 7 days"), "fading"),
    "ahead": (marked("Fades in {days} days"), "ahead"),
    "pinned": (marked("Pinned"), "pinned"),
}
"""Filters: the text of the chip, and the name of its count."""
EMPTY = {
    "": (
        marked("No such memory."),
        marked("Facts and entities fade; in these channels there are none of this kind."),
    ),
    "recalled": (
        marked("Nothing was recalled 5 times yet."),
        marked("Every recall that returns a memory lifts it."),
    ),
    "below": (
        marked("Nothing is below 0.30."),
        marked("Every memory here was learned or recalled not long ago."),
    ),
    "fading": (marked("Nothing fades within 7 days."), marked("What fades later stands in the whole list.")),
    "ahead": (
        marked("Nothing fades in the days ahead."),
        marked("Under the settings of now, all of it stays above the threshold."),
    ),
    "pinned": (
        marked("Nothing is pinned."),
        marked("Choose a row and press I: a pinned memory does not fade."),
    ),
}
"""Sentences shown if a filter leaves no rows."""
KINDS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("entity", "fact"), marked("Entities and facts")),
    (("entity",), marked("Entities")),
    (("fact",), marked("Facts")),
)
AHEAD = ((30, marked("30 days")), (90, marked("90 days")))
"""Numbers of days for which salience is forecast."""
FIRST = "recalled"
"""Filter chosen at first: a desk has hundreds of memories that were never needed again."""


class Filters(QObject):
    """Filter controls: `kinds` and `sort` are for the panel's header, `bar` is its filter bar. `changed` is
    emitted when a person chooses."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._was_chosen = False
        self.kinds = Segments([(kinds, tr(words)) for kinds, words in KINDS], name=tr("Kinds"))
        self.ahead = Segments([(days, tr(words)) for days, words in AHEAD], name=tr("Forecast"))
        sorts = [Option(value=name, text=tr(words)) for name, (words, _) in SORTS.items()]
        self.sort = Drop(sorts, lead=tr("Sort"), name=tr("Sort by"))
        self.legend = Legend()
        chips = [(name, tr(words, days=AHEAD[0][0])) for name, (words, _) in CHIPS.items()]
        self.chips = Segments(chips, FIRST, name=tr("Which"), kind="chip")
        self.bar = row(self.chips, self.legend, gap=8, margins=(20, 0, 20, 0))
        self.bar.setStretchFactor(self.legend, 1)
        self.chips.chosen.connect(lambda _: self._tell())
        self.kinds.chosen.connect(lambda _: self._tell())
        self.sort.chosen.connect(lambda _: self._tell())
        self.ahead.chosen.connect(lambda _: self.changed.emit())

    def _tell(self) -> None:
        self._was_chosen = True
        self.changed.emit()

    def ask(self) -> AskSalience:
        """Return the request made from these filters."""
        kinds = next(each for each, _ in KINDS if each == self.kinds.value())
        return AskSalience(
            kinds=kinds, sort=str(self.sort.value()), only=self._only(), days_ahead=self._days_ahead()
        )

    def _days_ahead(self) -> int:
        return next(days for days, _ in AHEAD if days == self.ahead.value())

    def _only(self) -> str:
        return str(self.chips.value())

    def show_answer(self, shown: Heatmap) -> None:
        """Show on every chip the number of rows it would leave."""
        for name, (_, counted) in CHIPS.items():
            self.chips.set_count(name, f"{shown.counts[counted]:,}")
        self.chips.set_text("ahead", tr(CHIPS["ahead"][0], days=shown.days_ahead))
        self.legend.show_threshold(shown.fade_below)

    def fall_back(self, shown: Heatmap) -> bool:
        """Show all rows if the default filter would leave none and no person chose it. Returns True if it
        did."""
        if self._was_chosen or shown.total or not shown.counts["all"]:
            return False
        self.chips.set_value("")
        return True

    def show_all(self, *, quietly: bool = False) -> None:
        """Remove the filters. quietly: without a signal."""
        self.chips.set_value("")
        self.kinds.set_value(KINDS[0][0])
        self._was_chosen = True
        if not quietly:
            self.changed.emit()
