"""Filters of the facts panel: the kind, its state, and the values of each kind that narrow the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from PySide6.QtCore import QObject, Signal

from memdesk.gui.language import marked, tr
from memdesk.gui.panels.facts.facts_table import SOURCES, STATE_WORDS
from memdesk.gui.widgets import (
    Control,
    Drop,
    Folding,
    Option,
    Segments,
    row,
)
from memdesk.model.curation import TagList
from memdesk.model.timeline import AskTable, TablePage

KINDS = (
    ("fact", marked("Facts")),
    ("entity", marked("Entities")),
    ("goal", marked("Goals")),
    ("strategy", marked("Strategies")),
)


WHOLE = {
    "fact": marked("%Ln fact(s)"),
    "entity": marked("%Ln entit(y|ies)"),
    "goal": marked("%Ln goal(s)"),
    "strategy": marked("%Ln strateg(y|ies)"),
}
"""Counted name of each kind."""


FILTER = {
    "fact": marked("Filter facts"),
    "entity": marked("Filter entities"),
    "goal": marked("Filter goals"),
    "strategy": marked("Filter strategies"),
}
"""Placeholder of the text filter, by kind."""


UNFILLED = {
    "entity": (marked("No entity yet."), marked("Learning a fact about somebody or something makes one.")),
    "goal": (marked("No goal yet."), marked("Agents set them as they plan.")),
    "strategy": (marked("No strategy yet."), marked("A job learns them from work that went well.")),
}
"""Message and hint for an empty table, by kind."""


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


STATES = {
    "fact": ("current", "past", "pinned", "quarantined", "retired", "all"),
    "entity": ("current", "pinned", "quarantined", "retired", "all"),
    "goal": ("current", "active", "blocked", "completed", "abandoned", "retired", "all"),
    "strategy": ("current", "pinned", "quarantined", "retired", "all"),
}


FIRST = ("created", True)
"""Initial sort order of a table: the newest first."""


class Filters(QObject):
    """Filters of the facts panel. `bar` is the row of controls. The signal `changed` reports a change of the
    filters or order."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kinds = Segments([(kind, tr(words)) for kind, words in KINDS], name=tr("Kind"))
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
        self._sorts = {kind: FIRST for kind, _ in KINDS}
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
        kind = self.kind
        self.drops.offer(self.categories, kind in ("fact", "entity"))
        self.drops.offer(self.confidence, kind == "fact")
        self.drops.offer(self.sources, kind == "fact")
        self.states.set_options(
            [Option(value=each, text=tr(STATE_WORDS[each]).capitalize()) for each in STATES[kind]]
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
