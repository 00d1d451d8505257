"""Filters of the timeline: the controls, and the request they form."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any, Literal

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from memdesk.api import context, history, memory
from memdesk.gui import formatting
from memdesk.gui.inspectors import fields
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.audit import audit_table
from memdesk.gui.panels.audit.audit_chart import EVERYTHING, Brush, Range
from memdesk.gui.session import Session
from memdesk.gui.shell.finder import Choice, Finder
from memdesk.gui.widgets import Control, Drop, Field, Option, Text, row
from memdesk.gui.widgets.text import excerpt, tip_text
from memdesk.model.history import OPERATIONS, AskHistogram, AskHistory, Histogram
from memdesk.model.session import ListSessions
from memdesk.model.status import Nothing
from memdesk.model.timeline import ListConversations

FINDER_PX = 240
OFFERED = 5
TITLE_LETTERS = 28
Kind = Literal["conversation", "session", "user", "run"]
FIELDS: dict[Kind, str] = {
    "conversation": "conversation_id",
    "session": "session_id",
    "user": "user_id",
    "run": "run",
}
"""Field of AskHistory and AskHistogram for each kind of scope."""
LEADS: dict[Kind, str] = {
    "conversation": marked("Conversation"),
    "session": marked("Session"),
    "user": marked("User"),
    "run": marked("Run"),
}


@dataclass(frozen=True, slots=True)
class Scope:
    """A conversation, session, user or run, with its title for a person."""

    kind: Kind
    id: str
    title: str


class ScopeFinder(Finder):
    """Search field for a conversation, a session or a user. The signal `taken` carries a Scope."""

    taken = Signal(object)
    offers_first = True

    def __init__(self, session: Session) -> None:
        super().__init__(session, placeholder=tr("Conversation, session or user"), width=FINDER_PX)

    async def look_up(self, text: str) -> list[Choice]:
        """Return the matches by title or name, the latest first, under one heading per kind."""
        channels, word = self._session.channels, text.casefold()
        talks = await self._session.call(
            memory.CONVERSATIONS, ListConversations(text=text, channels=channels, state="all", limit=OFFERED)
        )
        held = (await self._session.call(context.SESSIONS, ListSessions(channels=channels))).rows
        known = await self._session.call_if_allowed(history.USERS, Nothing())
        users = known.rows if known else ()
        return [
            *_group(
                tr("Conversations"),
                [
                    self._offer(
                        Scope("conversation", each.id, each.title or each.id),
                        formatting.minute(each.started_at),
                    )
                    for each in talks.rows
                ],
            ),
            *_group(
                tr("Sessions"),
                [
                    self._offer(
                        Scope("session", each.session_id, each.title), formatting.minute(each.last_used_at)
                    )
                    for each in held
                    if word in each.title.casefold() or word in each.session_id.casefold()
                ][:OFFERED],
            ),
            *_group(
                tr("Users"),
                [self._offer(Scope("user", each, each), "") for each in users if word in each.casefold()],
            ),
        ]

    def _offer(self, scope: Scope, note: str) -> Choice:
        icons = {"conversation": "conversations", "session": "lab", "user": "identity"}
        return Choice(text=scope.title, note=note, icon=icons[scope.kind], act=lambda: self._taken(scope))

    def _taken(self, scope: Scope) -> None:
        self.settle()
        self.taken.emit(scope)


def _group(heading: str, choices: list[Choice]) -> list[Choice]:
    return [Choice.heading(heading), *choices] if choices else []


class ScopeChips(QWidget):
    """Chips for the scopes in force, at most one per kind; pressing a chip removes its scope and sends
    `changed`."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._scopes: dict[Kind, Scope] = {}
        self.chips: dict[Kind, Control] = {kind: self._chip(kind) for kind in FIELDS}
        self.setLayout(row(*self.chips.values(), gap=6))
        self._show()

    def _chip(self, kind: Kind) -> Control:
        chip = Control("chip", "", "close", tip=tr("Show everything again"))
        chip.clicked.connect(self._leaving(kind))
        return chip

    def _leaving(self, kind: Kind) -> Callable[[], None]:
        def leave() -> None:
            del self._scopes[kind]
            self._show()
            self.changed.emit()

        return leave

    def narrow(self, scope: Scope) -> None:
        """Add a scope, replacing another of its kind, and send `changed`."""
        self._scopes[scope.kind] = scope
        self._show()
        self.changed.emit()

    def call(self, kind: Kind, title: str) -> None:
        """Set the title of a scope in force, without a signal."""
        self._scopes[kind] = replace(self._scopes[kind], title=title)
        self._show()

    def clear(self) -> None:
        """Remove all scopes, without a signal."""
        self._scopes.clear()
        self._show()

    def scope(self, kind: Kind) -> Scope | None:
        """Return the scope of a kind, None if there is none."""
        return self._scopes.get(kind)

    def fields(self) -> dict[str, Any]:
        return {FIELDS[kind]: scope.id for kind, scope in self._scopes.items()}

    def _show(self) -> None:
        for kind, chip in self.chips.items():
            scope = self._scopes.get(kind)
            chip.setVisible(scope is not None)
            chip.setChecked(scope is not None)
            if scope is not None:
                short = excerpt(scope.title, TITLE_LETTERS)
                chip.setText(tr("{lead}: {title}", lead=tr(LEADS[kind]), title=short))
                chip.setToolTip(tip_text(scope.title.replace("\n", " ")))
        self.setVisible(bool(self._scopes))


class OperationChips(QWidget):
    """Row of chips. The signal `changed` is sent when a person hides or shows an operation; `hidden()` lists
    the hidden ones."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._counts: Mapping[str, int] = {}
        self._chips = {op: self._chip(op) for op in OPERATIONS}
        self._hint = Text(tr("Click to hide"), 12, "t3")
        self.setLayout(row(*self._chips.values(), None, self._hint, gap=6))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def _chip(self, op: str) -> Control:
        icon, tone = fields.picture(op)
        chip = Control("hide", fields.word(op), icon, tone=tone)
        chip.hide()
        chip.toggled.connect(lambda _: self.changed.emit())
        return chip

    def hidden(self) -> tuple[str, ...]:
        return tuple(op for op, chip in self._chips.items() if chip.isChecked())

    def chip(self, op: str) -> Control:
        return self._chips[op]

    def show_everything(self) -> None:
        """Show all operations, without a signal."""
        self.show_only(OPERATIONS)

    def show_only(self, operations: Collection[str]) -> None:
        """Show these operations and hide the others, without a signal."""
        for op, chip in self._chips.items():
            chip.blockSignals(True)
            chip.setChecked(op not in operations)
            chip.blockSignals(False)
            chip.update()

    def set_counts(self, counts: Mapping[str, int]) -> None:
        """Show the count of each operation; an operation with count 0 has no chip, unless it is hidden."""
        self._counts = counts
        for op, chip in self._chips.items():
            number = counts.get(op, 0)
            chip.setVisible(number > 0 or chip.isChecked())
            says = (
                tr("%Ln event(s); a click shows them", "", number)
                if chip.isChecked()
                else tr("%Ln event(s); a click hides them", "", number)
            )
            chip.setToolTip(f"{fields.word(op)}: {says}")
        self._fit()

    def sizeHint(self) -> QSize:
        """Return a nominal size; the layout sets the width."""
        return QSize(400, 24)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the hint, then the counts, then the words, if there is no space for them."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        shown = [(op, chip) for op, chip in self._chips.items() if not chip.isHidden()]
        for op, chip in shown:
            chip.setText(fields.word(op))
            chip.set_count(f"{self._counts.get(op, 0):,}")
        wide = sum(chip.sizeHint().width() + 6 for _, chip in shown)
        self._hint.setVisible(bool(shown) and wide + self._hint.sizeHint().width() <= self.width())
        if wide - 6 > self.width():
            for _, chip in shown:
                chip.set_count("")
            if sum(chip.sizeHint().width() + 6 for _, chip in shown) - 6 > self.width():
                for op, chip in shown:
                    chip.setText("")
                    chip.setAccessibleName(fields.word(op))


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
        return row(self.finder, self.scopes, self.one, self.chips, margins=(20, 0, 20, 0), stretch=self.chips)

    # What is asked.

    def ask(self) -> AskHistory:
        """Return the request for rows that the controls describe."""
        after, before = self.brush.range()
        hidden = self.chips.hidden()
        shown = tuple(op for op in OPERATIONS if op not in hidden) if hidden else ()
        return AskHistory(
            since=after,
            until=before,
            operations=shown,
            text=self.words.text().strip(),
            record=self._record,
            **self._columns(),
            **self.scopes.fields(),
        )

    def ask_counts(self, range: Range) -> AskHistogram:
        """Return the same request for counts over a range, with every operation, so that a hidden one can be
        shown again."""
        return AskHistogram(
            bins=BINS,
            since=range[0],
            until=range[1],
            text=self.words.text().strip(),
            record=self._record,
            **self._columns(),
            **self.scopes.fields(),
        )

    def _columns(self) -> dict[str, Any]:
        """Return the request fields of the drop-downs; where nothing is chosen, the values of the window's
        top bar."""
        authors = tuple(f"agent:{name}" for name in self._session.agents)
        return {
            "layers": _words(self.layers.value()),
            "authors": _words(self.authors.value()) or authors,
            "channels": _words(self.channels.value()) or self._session.channels,
        }

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
        for drop in (self.layers, self.authors, self.channels):
            drop.set_value(())
        self.chips.show_everything()
        self.brush.set_range(EVERYTHING)
        self.words.clear()
        self.scopes.clear()
        self.show_memory("")

    def show_operation(self, op: str) -> None:
        """Show only the events of one operation."""
        self.show_everything()
        self.chips.show_only((op,))
        self.changed.emit()

    def show_days(self, first: date, last: date) -> None:
        """Show only the events of these days."""
        self.show_everything()
        days = (first, last + timedelta(days=1))
        since, until = (datetime.combine(day, time()).astimezone() for day in days)
        self.brush.set_range((since, until))
        self.changed.emit()

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
        self._offer(everything, chosen)

    def _offer(self, *found: Histogram) -> None:
        """Offer all values met so far: counts under a filter contain only the values that the filter lets
        through."""
        layers, authors, channels = self._met
        for counts in found:
            layers.update(counts.by_layer)
            authors.update(counts.by_author)
            channels.update(counts.by_channel)
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
