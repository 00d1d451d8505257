"""Filters of the facts panel: the kind, its state, and the values of each kind that narrow the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from PySide6.QtCore import QObject, Signal

from memdesk.gui.language import marked, tr
from memdesk.gui.panels.facts.facts_table import SOURCES, STATE_WORDS
from memdesk.gui.terms import plural
from memdesk.gui.widgets import (
    Control,
    Drop,
    Folding,
    Option,
    Segments,
    row,
)
from memdesk.model.curation import TagList
from memdesk.model.kinds import BY_NAME, TABLED
from memdesk.model.timeline import AskTable, TablePage

CONFIDENCE: dict[str, tuple[str, float | None, float | None]] = {
    "": (marked("Any confidence"), None, None),
    "high": (marked("0.85 or more"), 0.85, None),
    "middle": (marked("0.50 to 0.85"), 0.5, 0.85),
    "low": (marked("Below 0.50"), None, 0.5),
}
"""Confidence ranges: label, lower bound, upper bound. The bounds are those for promotion and for doubt."""


AGES: dict[str, tuple[str, int | None, int | None]] = {
    "": (marked("Any age"), None, None),
    "day": (marked("Last 24 hours"), 1, None),
    "week": (marked("Last 7 days"), 7, None),
    "month": (marked("Last 30 days"), 30, None),
    "old": (marked("Over 30 days"), None, 30),
    "older": (marked("Over 90 days"), None, 90),
}
"""Age ranges: label, most days and least days since the memory was learned."""


FIRST = ("created", True)
"""Initial sort order of a table: the newest first."""


class Filters(QObject):
    """Filters of the facts panel. `bar` is the row of controls. The signal `changed` reports a change of the
    filters or order."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kinds = Segments([(kind.name, plural(kind.name)) for kind in TABLED], name=tr("Kind"))
        self.categories = Drop(many=True, every=tr("All categories"), name=tr("Category"), small=True)
        self.confidence = Drop(_options(CONFIDENCE), name=tr("Confidence"), small=True)
        self.ages = Drop(_options(AGES), name=tr("Age"), small=True)
        self.sources = Drop(many=True, every=tr("All sources"), name=tr("Source"), small=True)
        self.tags = Drop(many=True, every=tr("All tags"), name=tr("Tag"), small=True)
        self.states = Drop(name=tr("State"), small=True)
        self.clear = Control("link", tr("Clear"), small=True, tip=tr("Take every filter away"))
        drops = (self.categories, self.confidence, self.ages, self.sources, self.tags, self.states)
        self.drops = Folding(*drops)
        self.bar = row(self.kinds, 4, self.drops, self.clear, None, gap=6, margins=(20, 0, 20, 0))
        self._sorts = {kind.name: FIRST for kind in TABLED}
        self.kinds.chosen.connect(lambda _: self._show_kind())
        for drop in drops:
            drop.chosen.connect(lambda _: self._tell())
        self.clear.clicked.connect(lambda: self.show_everything())
        self._offer()

    @property
    def kind(self) -> str:
        """Return the kind that is shown."""
        return str(self.kinds.value())

    @property
    def sort(self) -> tuple[str, bool]:
        """Return the sort key of this kind, and True if it is descending."""
        return self._sorts[self.kind]

    def sort_by(self, sort: str, descending: bool) -> None:
        """Set the sort order of this kind."""
        self._sorts[self.kind] = (sort, descending)
        self.changed.emit()

    @property
    def narrows(self) -> bool:
        """Return True if any filter is set."""
        return self._chosen() != AskTable(kind=self.kind)

    def ask(self, ask: AskTable) -> AskTable:
        """Return a request with the filters chosen here, keeping channels, agents and text of `ask`."""
        sort, descending = self.sort
        chosen = self._chosen()
        return replace(
            chosen, channels=ask.channels, agents=ask.agents, text=ask.text, sort=sort, descending=descending
        )

    def show_answer(self, page: TablePage, tags: TagList) -> None:
        """Offer the categories, sources and tags found."""
        every = {**dict.fromkeys(_words(self.categories.value()), 0), **page.categories}
        self.categories.set_options([Option(value=each, text=each) for each in every])
        self.sources.set_options(
            [Option(value=each, text=tr(SOURCES.get(each, each)).capitalize()) for each in page.sources]
        )
        self.tags.set_options([Option(value=each.tag, text=each.tag) for each in tags.rows])
        self._show_clear()

    def show_everything(self) -> None:
        """Clear all filters."""
        for drop in (self.categories, self.sources, self.tags):
            drop.set_value(())
        self.confidence.set_value("")
        self.ages.set_value("")
        self.states.set_value("current")
        self._tell()

    def show_kind(self, kind: str) -> None:
        """Switch to another kind, for example after a link from another panel."""
        self.kinds.set_value(kind)
        self._show_kind()

    def _show_kind(self) -> None:
        self.categories.set_value(())
        self.confidence.set_value("")
        self.sources.set_value(())
        self._offer()
        self._tell()

    def _offer(self) -> None:
        kind = BY_NAME[self.kind]
        self.drops.offer(self.categories, bool(kind.category))
        self.drops.offer(self.confidence, "confidence" in kind.sorts)
        self.drops.offer(self.sources, "source" in kind.sorts)
        # The statuses of a kind say more exactly what is past.
        states = [each for each in kind.states if each != "past" or not kind.statuses]
        self.states.set_options(
            [Option(value=each, text=tr(STATE_WORDS.get(each, each)).capitalize()) for each in states]
        )
        self._show_clear()

    def _show_clear(self) -> None:
        self.clear.setVisible(self.narrows)

    def _tell(self) -> None:
        self._show_clear()
        self.changed.emit()

    def _chosen(self) -> AskTable:
        _, least, below = CONFIDENCE[str(self.confidence.value())]
        _, at_most, at_least = AGES[str(self.ages.value())]
        return AskTable(
            kind=self.kind,
            categories=_words(self.categories.value()),
            sources=_words(self.sources.value()),
            tags=_words(self.tags.value()),
            state=str(self.states.value()),
            confidence_from=least,
            confidence_below=below,
            since=_ago(at_most),
            until=_ago(at_least),
        )


def _options(table: Mapping[str, tuple[str, float | None, float | None]]) -> list[Option]:
    return [Option(value=value, text=tr(words)) for value, (words, _, _) in table.items()]


def _words(value: object) -> tuple[str, ...]:
    return tuple(str(each) for each in value) if isinstance(value, tuple) else ()


def _ago(days: int | None) -> datetime | None:
    """Return the time that many days before the current minute, so that requests within one minute are equal."""
    return None if days is None else datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(days=days)
