"""What the timeline is narrowed by: its controls, and the question they come to."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QHBoxLayout

from memdesk.gui.language import tr
from memdesk.gui.panels import audit_table
from memdesk.gui.panels.audit_bars import EVERYTHING, Range
from memdesk.gui.panels.audit_brush import Brush
from memdesk.gui.panels.audit_chips import OperationChips
from memdesk.gui.panels.audit_scope import Scope, ScopeChips, ScopeFinder
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Drop, Field, Option, row
from memdesk.model.history import OPERATIONS, AskHistogram, AskHistory, Histogram

BINS = 96


class Filters(QObject):
    """The signal `changed` is told when a person narrows otherwise; `left` when the finder of scopes is put away."""

    changed = Signal()
    left = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._record: str | None = None
        self._met: tuple[set[str], set[str], set[str]] = (set(), set(), set())
        self.brush = Brush()
        self.chips = OperationChips()
        self.layers = Drop(many=True, every=tr("All layers"), name=tr("Layer"), small=True)
        self.authors = Drop(many=True, every=tr("Everyone"), name=tr("By"), small=True)
        self.channels = Drop(many=True, every=tr("All channels"), name=tr("Channel"), small=True)
        self.words = Field(placeholder=tr("Filter events"), icon="search", keys="/", quiet=True, width=190)
        self.finder, self.scopes = ScopeFinder(session), ScopeChips()
        self.one = Control("chip", tr("One memory"), "close", tip=tr("Show every memory again"))
        self.one.hide()
        self.finder.hide()
        self._wire()

    def _wire(self) -> None:
        for drop in (self.layers, self.authors, self.channels):
            drop.chosen.connect(lambda _: self.changed.emit())
        self.chips.changed.connect(self.changed)
        self.brush.ranged.connect(lambda _: self.changed.emit())
        self.finder.taken.connect(self._narrow)
        self.finder.left.connect(self._leave_finder)
        self.scopes.changed.connect(self.changed)
        self.one.clicked.connect(lambda: self.show_memory(""))

    def bar(self) -> QHBoxLayout:
        """The filter bar: scopes, then operations."""
        bar = row(self.finder, self.scopes, self.one, self.chips, margins=(20, 0, 20, 0))
        bar.setStretchFactor(self.chips, 1)
        return bar

    # What is asked.

    def ask(self) -> AskHistory:
        """What the controls say."""
        after, before = self.brush.range()
        hidden = self.chips.hidden()
        shown = tuple(op for op in OPERATIONS if op not in hidden) if hidden else ()
        return AskHistory(
            since=after, until=before, operations=shown, text=self.words.text().strip(), record=self._record,
            **self._columns(), **self.scopes.fields(),
        )  # fmt: skip

    def ask_counts(self, range: Range) -> AskHistogram:
        """The same as counts over a range, with every operation, so that a hidden one can be shown again."""
        return AskHistogram(
            bins=BINS, since=range[0], until=range[1], text=self.words.text().strip(), record=self._record,
            **self._columns(), **self.scopes.fields(),
        )  # fmt: skip

    def _columns(self) -> dict[str, Any]:
        """What the drop-downs say, and where they say nothing the window's top bar."""
        authors = tuple(f"agent:{name}" for name in self._session.agents)
        return {
            "layers": _words(self.layers.value()), "authors": _words(self.authors.value()) or authors,
            "channels": _words(self.channels.value()) or self._session.channels,
        }  # fmt: skip

    # What narrows it.

    def show_memory(self, id: str) -> None:
        """The events of one memory alone; with an empty id, of all again."""
        self._record = id or None
        self.one.setVisible(bool(id))
        self.one.setChecked(bool(id))
        self.changed.emit()

    def show_run(self, run: str) -> None:
        """The changes of one run alone."""
        self.scopes.narrow(Scope("run", run, run))

    def show_everything(self) -> None:
        """Take every filter away."""
        for drop in (self.layers, self.authors, self.channels):
            drop.set_value(())
        self.chips.show_everything()
        self.brush.set_range(EVERYTHING)
        self.words.clear()
        self.scopes.clear()
        self.show_memory("")

    def search(self, text: str) -> None:
        """These words among everything that happened, at once."""
        self.show_everything()
        self.words.setText(text)
        self.changed.emit()

    def seek_scope(self) -> None:
        """Let a person look for a conversation, a session or a user."""
        self.finder.show()
        self.finder.setFocus()

    def _narrow(self, scope: Scope) -> None:
        self._leave_finder()
        self.scopes.narrow(scope)

    def _leave_finder(self) -> None:
        self.finder.hide()
        self.left.emit()

    # What it offers.

    def show_counts(self, everything: Histogram, chosen: Histogram) -> None:
        """Counts of all times as bars; those of the chosen range beside the operations."""
        self.brush.show_histogram(everything, self.chips.hidden())
        self.chips.set_counts(chosen.by_operation)
        self._offer(everything)

    def _offer(self, counts: Histogram) -> None:
        """Offer what was ever met: counts under a filter know only what the filter lets through."""
        layers, authors, channels = self._met
        layers |= counts.by_layer.keys()
        authors |= counts.by_author.keys()
        channels |= counts.by_channel.keys()
        number = self._session.channel_number
        self.layers.set_options([Option(value=each, text=audit_table.layer(each)) for each in sorted(layers)])
        self.authors.set_options([_author(each) for each in sorted(authors)])
        self.channels.set_options(
            [
                Option(value=each, text=each, channel=number(each))
                for each in sorted(channels, key=lambda name: (number(name), name))
            ]
        )


def _words(value: object) -> tuple[str, ...]:
    return tuple(str(each) for each in value) if isinstance(value, tuple) else ()


def _author(author: str) -> Option:
    kind, _, name = author.partition(":")
    return Option(value=author, text=name if kind == "agent" else f"{name}, {audit_table.who(kind)}")
