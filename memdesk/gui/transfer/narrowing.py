"""Filters of an export: agents, types of memory, and a range of days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from memdesk.gui.language import marked, tr
from memdesk.gui.widgets import Drop, Field, Option, Text, row
from memdesk.model.exports import AskExportPreview

KINDS = {
    "conversation": marked("Conversations"),
    "fact": marked("Facts"),
    "entity": marked("Entities"),
    "goal": marked("Goals"),
    "strategy": marked("Strategies"),
    "tool_call": marked("Tool calls"),
    "trait": marked("Lines of profiles"),
    "document": marked("Files"),
}
"""Labels of the memory types, by the names that the service uses."""
DAY_PX = 168
DAY = marked("YYYY-MM-DD")


class Narrowing(QWidget):
    """Filters of an export. The signal `changed` reports any change of an input, even an incomplete one."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.agents = Drop(name=tr("Whose agents"), lead=tr("Agents"), many=True, every=tr("all"))
        self.kinds = Drop(name=tr("Which types"), lead=tr("Types"), many=True, every=tr("all"))
        self.since = Field(name=tr("From this day"), placeholder=tr(DAY), quiet=True, width=DAY_PX)
        self.until = Field(name=tr("To this day, which is still part of it"), placeholder=tr(DAY), quiet=True,
                           width=DAY_PX)  # fmt: skip
        words = (Text(tr("From"), 12, "t3"), Text(tr("to"), 12, "t3"))
        self.setLayout(row(self.agents, self.kinds, words[0], self.since, words[1], self.until, None, gap=8))
        for drop in (self.agents, self.kinds):
            drop.chosen.connect(lambda _: self.changed.emit())
        for field in (self.since, self.until):
            field.textChanged.connect(lambda _: self._told())

    @property
    def is_narrow(self) -> bool:
        """Return True if any filter is set."""
        return bool(self.agents.picked or self.kinds.picked or self._day(self.since) or self._day(self.until))

    def asked(self, ask: AskExportPreview) -> AskExportPreview:
        """Return the request with the filters. Days are in the local time zone; the last day is included."""
        since, until = self._day(self.since), self._day(self.until)
        return replace(
            ask, agents=tuple(map(str, self.agents.picked)), kinds=tuple(map(str, self.kinds.picked)),
            since=None if since is None else _begin(since),
            until=None if until is None else _begin(until + timedelta(days=1)),
        )  # fmt: skip

    def offer_kinds(self, kinds: Sequence[str]) -> None:
        """Offer the types that the format can separate."""
        self.kinds.set_options([Option(value=each, text=tr(KINDS.get(each, each))) for each in kinds])
        self.kinds.set_enabled(bool(kinds), tr("This format knows no types to choose from."))

    def offer_agents(self, agents: Sequence[str]) -> None:
        """Offer the agents that have memory here."""
        self.agents.set_options([Option(value=each, text=each) for each in agents])
        self.agents.set_enabled(bool(agents), tr("No agent has memory here."))

    def clear(self) -> None:
        """Clear the filters without a signal."""
        blocked = self.blockSignals(True)
        for drop in (self.agents, self.kinds):
            drop.set_value(())
        for field in (self.since, self.until):
            field.setText("")
        self.blockSignals(blocked)

    @property
    def is_sound(self) -> bool:
        """Return True if each day field is empty or has a valid date."""
        return all(self._day(field) or not field.text().strip() for field in (self.since, self.until))

    def _told(self) -> None:
        for field in (self.since, self.until):
            # Half a day is not an error yet.
            is_whole = len(field.text().strip()) >= len("2026-01-31")
            field.set_error(tr("no such day") if is_whole and self._day(field) is None else "")
        self.changed.emit()

    @staticmethod
    def _day(field: Field) -> date | None:
        try:
            return date.fromisoformat(field.text().strip())
        except ValueError:
            return None


def _begin(day: date) -> datetime:
    return datetime.combine(day, time()).astimezone()
