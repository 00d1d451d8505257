"""Filters of the timeline: the controls, and the request they form."""

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
    """The timeline's filter controls. The signal `changed` is sent when a person changes a filter; `left`
    when the scope finder is closed."""

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
        """Return the layout of the filter bar: scopes, then operations."""
        bar = row(self.finder, self.scopes, self.one, self.chips, margins=(20, 0, 20, 0))
        bar.setStretchFactor(self.chips, 1)
        return bar

    # What is asked.

    def ask(self) -> AskHistory:
        """Return the request for rows that the controls describe."""
        after, before = self.brush.range()
        hidden = self.chips.hidden()
        shown = tuple(op for op in OPERATIONS if op not in hidden) if hidden else ()
        return AskHistory(
            since=after, until=before, operations=shown, text=self.words.text().strip(), record=self._record,
            **self._columns(), **self.scopes.fields(),
        )  # fmt: skip

    def ask_counts(self, range: Range) -> AskHistogram:
        """Return the same request for counts over a range, with every operation, so that a hidden one can be
        shown again."""
        return AskHistogram(
            bins=BINS, since=range[0], until=range[1], text=self.words.text().strip(), record=self._record,
            **self._columns(), **self.scopes.fields(),
        )  # fmt: skip

    def _columns(self) -> dict[str, Any]:
        """Return the request fields of the drop-downs; where nothing is chosen, the values of the window's
        top bar."""
        authors = tuple(f"agent:{name}" for name in self._session.agents)
        return {
            "layers": _words(self.layers.value()), "authors": _words(self.authors.value()) or authors,
            "channels": _words(self.channels.value()) or self._session.channels,
        }  # fmt: skip

    # What narrows it.

    def show_memory(self, id: str) -> None:
        """Show only the events of one memory; with an empty id, all events."""
        self._record = id or None
        self.one.setVisible(bool(id))
        self.one.setChecked(bool(id))
        self.changed.emit()

    def show_run(self, run: str) -> None:
        """Show only the changes of one run."""
        self.scopes.narrow(Scope("run", run, run))

    def show_everything(self) -> None:
        """Remove every filter."""
        for drop in (self.layers, self.authors, self.channels):
            drop.set_value(())
        self.chips.show_everything()
        self.brush.set_range(EVERYTHING)
        self.words.clear()
        self.scopes.clear()
        self.show_memory("")

    def search(self, text: str) -> None:
        """Search all events for words, at once."""
        self.show_everything()
        self.words.setText(text)
        self.changed.emit()

    def seek_scope(self) -> None:
        """Open the finder for a conversation, a session or a user."""
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
        """Show the counts of all time as bars, and those of the chosen range at the operations."""
        self.brush.show_histogram(everything, self.chips.hidden())
        self.chips.set_counts(chosen.by_operation)
        self._offer(everything)

    def _offer(self, counts: Histogram) -> None:
        """Offer all values met so far: counts under a filter contain only the values that the filter lets
        through."""
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
