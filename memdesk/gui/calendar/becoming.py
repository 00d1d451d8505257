"""Conversion of a day's lines: into facts, with the form or at once, and into lines of an agent's long-term
file."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from memdesk.contract import workspace
from memdesk.gui.calendar.around import MEMORY, Around, with_line
from memdesk.gui.calendar.claim import channel_of, claim_of
from memdesk.gui.calendar.fact_form import FactForm, Made
from memdesk.gui.calendar.lines import Line
from memdesk.gui.deed import named
from memdesk.gui.editor.drafts import named as file_named
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import NotFound
from memdesk.model.history import FeedEvent
from memdesk.model.workspace import Day, DayEntry, ReadFile, SaveFile, WorkspaceRow


class Becoming(QObject):
    """State and actions of the open day's lines. `changed`: the result of a line has changed.

    `became` carries the entry of a line that was just made a fact; `kept` is emitted when a line was added to
    a long-term file."""

    changed = Signal()
    became = Signal(object)
    kept = Signal()

    def __init__(self, session: Session, form: FactForm) -> None:
        super().__init__()
        self._session, self._form = session, form
        self._day: Day | None = None
        self._folders: Sequence[WorkspaceRow] = ()
        self._made: dict[tuple[str, str, str], str] = {}
        self.around = Around()
        form.made.connect(self._remember)
        session.changed.connect(self._forget_undone)

    def show_day(self, day: Day, around: Around, folders: Sequence[WorkspaceRow]) -> None:
        """Set the open day. folders: where each agent keeps its files."""
        self._day, self.around, self._folders = day, around, folders

    def line(self, entry: DayEntry) -> Line:
        """Return an entry with the fact made of it, if any, and True in `kept` if the long-term file contains
        it."""
        return Line(entry=entry, fact=self._made.get(_key(entry), ""), kept=self.around.holds(entry))

    # Facts.

    def open_form(self, entry: DayEntry) -> None:
        """Begin a fact in the form."""
        assert self._day is not None
        self._form.open_line(entry, self._day.day, self._path(entry), self._channel(entry))

    def make_fact(self, entry: DayEntry) -> None:
        """Make a fact at once, unless a person has begun to write in the form."""
        assert self._day is not None
        if not self._form.is_begun:
            self._form.learn_line(entry, self._day.day, self._path(entry), self._channel(entry))

    def _path(self, entry: DayEntry) -> str:
        files = self._day.files if self._day else ()
        return next((file.path for file in files if file.document_id == entry.document_id), "")

    def _channel(self, entry: DayEntry) -> str | None:
        """Return the probable channel of a line's fact: the only channel shown, a channel that the line
        names, or its agent's own; None if unknown."""
        if len(self._session.channels) == 1:
            return self._session.channels[0]
        status = self._session.status
        known = [each.name for each in status.channels] if status else []
        own = {each.channel for each in self._folders if each.agent_id == entry.agent_id} - {GLOBAL}
        return channel_of(entry.section, entry.text, known) or (own.pop() if len(own) == 1 else None)

    def _remember(self, made: Made) -> None:
        """Mark the line, so that the same fact is not made twice."""
        self._made[_key(made.entry)] = made.fact
        self.changed.emit()
        self.became.emit(made.entry)

    def _forget_undone(self, events: tuple[FeedEvent, ...]) -> None:
        """Allow a line to be made a fact again after its fact was undone."""
        gone = {id for event in events if event.op == "undo" for id in event.records}
        kept = {line: fact for line, fact in self._made.items() if fact not in gone}
        if kept != self._made:
            self._made = kept
            self.changed.emit()

    # The long-term file.

    def keep(self, entry: DayEntry) -> None:
        """Add a line to the present text of its agent's long-term file."""
        self._session.spawn(self._keep(entry))

    async def _keep(self, entry: DayEntry) -> None:
        held = self.around.memories.get(entry.agent_id)
        if held is None:
            whose = entry.agent_id or tr("This folder")
            raise NotFound(tr("{agent} keeps no {file} on this desk.", agent=whose, file=MEMORY))
        file = await self._session.call(workspace.READ, ReadFile(document_id=held.document_id))
        claim = claim_of(entry.text)
        says = tr("Into {file}: “{claim}”", file=file_named(file), claim=named(claim))
        text = with_line(file.text, claim)
        ask = SaveFile(document_id=file.document_id, text=text, base_hash=file.content_hash)
        await self._session.do(workspace.SAVE, ask, says=says)
        self.kept.emit()


def _key(entry: DayEntry) -> tuple[str, str, str]:
    """Return the key of an entry, made from its content: lines above it may be added or removed."""
    return entry.document_id, entry.time, entry.text
