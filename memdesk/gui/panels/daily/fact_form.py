"""Form for a fact made of a line: its claim, channel, certainty and other fields. Opened next to the day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from uuid import uuid4

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from memdesk.api import memory, workspace
from memdesk.gui.editor.editor import file_title as file_named
from memdesk.gui.inspectors.past import Quote
from memdesk.gui.keys import on_key
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.daily.day_lines import (
    MEMORY,
    Line,
    RelatedFiles,
    category_of,
    channel_of,
    claim_of,
    names_in,
    temporal_of,
    with_line,
)
from memdesk.gui.panels.daily.heat_strip import short
from memdesk.gui.session import Session
from memdesk.gui.terms import capitalised
from memdesk.gui.widgets import (
    Area,
    Control,
    Drop,
    Field,
    Ground,
    Icon,
    Option,
    Scroll,
    Section,
    Segments,
    Text,
    column,
    row,
)
from memdesk.gui.widgets.text import excerpt
from memdesk.model.browse import Find
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import MemDeskError, NotFound
from memdesk.model.fact import CATEGORIES, CERTAINTY
from memdesk.model.history import FeedEvent
from memdesk.model.message import verbatim
from memdesk.model.remember import NewFact
from memdesk.model.workspace import Day, DayEntry, ReadFile, SaveFile, WorkspaceRow

WIDTH_PX = 384
HEAD_PX = 40
NAMES_AT_MOST = 4
SURE = {
    0.95: marked("explicit: it was said outright"),
    0.85: marked("implied by what was said"),
    0.70: marked("inferred: it follows from something else"),
    0.50: marked("uncertain: heard, or guessed"),
}
"""Meaning of each certainty, as AgentX calibrates it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A fact that was made. repeated: the channel had this claim already."""

    entry: DayEntry
    fact: str
    channel: str
    repeated: bool


class FactForm(Ground):
    """Form of a new fact. Ctrl+Enter saves, Esc closes. `made` carries a Made; `closed` is emitted with or
    without one.

    `fact_shown` carries the id of a fact that was known already, when a person wants to see it."""

    made = Signal(object)
    closed = Signal()
    fact_shown = Signal(str)

    def __init__(self, session: Session) -> None:
        self._session = session
        self._entry: DayEntry | None = None
        self._day = date.today()
        self._key = ""
        self._known = ""
        self._last_channel = ""
        self._fields()
        body = column(self._line(), self._what(), self._details(), None, gap=0)
        content = Ground("panel", layout=body)
        layout = column(self._head(), Scroll(content, "panel"), self._footer(), gap=0, margins=(1, 0, 0, 0))
        layout.setStretch(1, 1)
        super().__init__("panel", "left", layout)
        self.setAccessibleName(tr("New fact from a line"))
        self.setProperty("form", True)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            on_key(keys, self.submit, self, inside=True)

    # Furniture.

    def _fields(self) -> None:
        self._quote, self._where = Quote(), Text("", 11, "t3", elide=True)
        self.claim = Area(placeholder=tr("What is true, in one sentence"), name=tr("Claim"), lines=4)
        self.category = Segments([(each, capitalised(each)) for each in CATEGORIES], name=tr("Kind"))
        self.channel = Drop(name=tr("Channel"))
        self.certainty = Segments(
            [(each, f"{each:.2f}") for each in CERTAINTY.values()], name=tr("Certainty")
        )
        self._sure = Text("", 11, "t3")
        self.temporal = Segments(
            [(each, capitalised(each)) for each in ("past", "current", "future")], name=tr("When")
        )
        self.about = Field(placeholder=tr("Names, with commas between"), name=tr("About"))
        self._note = Text("", 12, "bad", wrap=True)
        self._show_known = Control("link", tr("Show it"), small=True)
        self.save = Control("primary", tr("Save fact"), keys="Ctrl Enter")
        self._cancel = Control("ghost", tr("Cancel"), keys="Esc")
        self.certainty.chosen.connect(lambda _: self._explain())
        self.claim.changed.connect(lambda _: self._clear_note())
        self.save.clicked.connect(self.submit)
        self._cancel.clicked.connect(self.close_form)
        self._show_known.clicked.connect(lambda: self.fact_shown.emit(self._known))

    def _head(self) -> Ground:
        close = Control("ghost", icon="close", small=True, tip=tr("Close, Esc"))
        close.clicked.connect(self.close_form)
        title = Text(tr("New fact from a line"), 12, "t1", weight=600)
        layout = row(Icon("plus"), title, None, close, margins=(16, 0, 8, 1))
        return Ground("panel", "bottom", layout, height=HEAD_PX)

    def _line(self) -> Section:
        return Section(tr("Line"), "", self._quote, self._where)

    def _what(self) -> Section:
        note = row(self._note, self._show_known, gap=8, stretch=self._note)
        return Section(tr("Claim"), "", self.claim, note)

    def _details(self) -> Section:
        parts = (
            _labelled(tr("Kind"), self.category),
            _labelled(tr("Channel"), self.channel),
            _labelled(tr("Certainty"), self.certainty, self._sure),
            _labelled(tr("When"), self.temporal),
            _labelled(tr("About"), self.about, alone=True),
        )
        return Section("", "", *parts, edges="", gap=12)

    def _footer(self) -> Ground:
        return Ground("panel", "top", row(self.save, self._cancel, None, margins=(16, 11, 16, 11)))

    # A line comes in.

    def open_line(self, entry: DayEntry, day: date, path: str, channel: str | None) -> None:
        """Begin with a line. channel: the probable channel of its fact, None if unknown."""
        self._fill(entry, day, path, channel)
        self.claim.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self.claim.editor.selectAll()
        self._session.spawn(self._suggest_names(entry), failed=lambda _: None)

    def learn_line(self, entry: DayEntry, day: date, path: str, channel: str | None) -> None:
        """Learn a line with the values that the form would suggest, without asking."""
        self._fill(entry, day, path, channel)
        # The values are read now: the form can show another line before the names are found.
        self._session.spawn(self._learn_suggested(entry, day, self._request(entry, claim_of(entry.text))))

    async def _learn_suggested(self, entry: DayEntry, day: date, ask: NewFact) -> None:
        await self._learn(entry, day, replace(ask, about=await self._names_of(ask.claim)))
        self._close_line(entry)

    def _fill(self, entry: DayEntry, day: date, path: str, channel: str | None) -> None:
        self._entry, self._day, self._key, self._known = entry, day, f"line-{uuid4().hex}", ""
        self._quote.text.setText(entry.text)
        self._where.setText(tr("{file}, line {line}", file=path, line=entry.line))
        self.claim.set_text(claim_of(entry.text))
        self.category.set_value(category_of(entry.text))
        self.temporal.set_value(temporal_of(entry.text))
        self.certainty.set_value(CERTAINTY["explicit"])
        self.about.clear()
        self._offer_channels(channel)
        self._explain()
        self._clear_note()

    def _offer_channels(self, channel: str | None) -> None:
        status = self._session.status
        names = [each.name for each in status.channels] if status else []
        names = list(dict.fromkeys([*names, *([channel] if channel else []), GLOBAL]))
        self.channel.set_options(
            [Option(name, name, channel=self._session.channel_number(name)) for name in names]
        )
        self.channel.set_value(channel or (self._last_channel if self._last_channel in names else GLOBAL))

    async def _suggest_names(self, entry: DayEntry) -> None:
        """Fill in the entities that the line's claim names, unless the person was faster."""
        names = await self._names_of(claim_of(entry.text))
        if self._entry is entry and not self.about.text():
            self.about.setText(", ".join(names))

    async def _names_of(self, claim: str) -> tuple[str, ...]:
        found = await self._session.call(memory.FIND, Find(text=claim, kinds=("entity",), limit=30))
        names = [each.title for each in found.rows if each.title.lower() in claim.lower()]
        return tuple(dict.fromkeys(names[:NAMES_AT_MOST]))

    def _explain(self) -> None:
        value = self.certainty.value()
        self._sure.setText(tr(SURE[value]) if value in SURE else "")

    # Saving.

    def submit(self) -> None:
        """Learn the fact with the present values."""
        claim = self.claim.text().strip()
        if not claim:
            self._say(tr("A fact needs a claim."))
        elif self._entry is not None and self.save.isEnabled():
            self.save.set_enabled(False, tr("It is being saved."))
            ask = self._request(self._entry, claim)
            self._session.spawn(self._learn(self._entry, self._day, ask), failed=self._show_wrong)

    def _request(self, entry: DayEntry, claim: str) -> NewFact:
        """Return the fact to learn, with the present values of the form."""
        sure = self.certainty.value()
        return NewFact(
            claim=claim,
            channel=str(self.channel.value()),
            category=str(self.category.value()),
            confidence=sure if isinstance(sure, float) else CERTAINTY["explicit"],
            temporal=str(self.temporal.value()),
            about=names_in(self.about.text()),
            document_id=entry.document_id,
            quote=entry.text,
            retry_key=self._key,
        )

    async def _learn(self, entry: DayEntry, day: date, ask: NewFact) -> None:
        says = tr("Fact from {day}: “{claim}”", day=short(day, date.today()), claim=ask.claim)
        learned = await self._session.do(memory.LEARN_FACT, ask, says=says)
        self.save.set_enabled(True)
        self._last_channel = ask.channel or GLOBAL
        made = Made(entry=entry, fact=learned.id, channel=self._last_channel, repeated=learned.repeated)
        self.made.emit(made)
        if not learned.repeated:
            self._close_line(entry)
        elif self._entry is entry:
            self._known = learned.id
            self._say(tr("{channel} knows this already.", channel=ask.channel), "warn")

    def _show_wrong(self, wrong: MemDeskError) -> None:
        self.save.set_enabled(True)
        self._say(wrong.sentence)

    @property
    def note(self) -> str:
        """Message below the claim; empty if none is shown."""
        return "" if self._note.isHidden() else self._note.text()

    def _say(self, sentence: str, token: str = "bad") -> None:
        self._note.set_token(token)
        self._note.setText(sentence)
        self._note.show()
        self._show_known.setVisible(bool(self._known))

    def _clear_note(self) -> None:
        self._known = ""
        self._note.hide()
        self._show_known.hide()

    @property
    def is_begun(self) -> bool:
        """True if a person has changed the suggested claim."""
        claim = self.claim.text().strip()
        return self._entry is not None and claim not in ("", claim_of(self._entry.text).strip())

    def close_form(self) -> None:
        """Close the form; its input is lost."""
        self._entry = None
        self.closed.emit()

    def _close_line(self, entry: DayEntry) -> None:
        """Close the form if it still shows this line."""
        if self._entry is entry:
            self.close_form()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_form()
        else:
            super().keyPressEvent(event)


def _labelled(label: str, *parts: QWidget, alone: bool = False) -> QWidget:
    """Return a field under its label. alone: it takes the full width."""
    made = QWidget()
    rows = [part if alone else row(part, None) for part in parts]
    made.setLayout(column(Text(label, 12, "t2"), *rows, gap=4))
    return made


class LineActions(QObject):
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
        self.around = RelatedFiles()
        form.made.connect(self._remember)
        session.changed.connect(self._forget_undone)

    def show_day(self, day: Day, around: RelatedFiles, folders: Sequence[WorkspaceRow]) -> None:
        """Set the open day. folders: where each agent keeps its files."""
        self._day, self.around, self._folders = day, around, folders

    def line(self, entry: DayEntry) -> Line:
        """Return an entry with the fact made of it, if any, and True in `kept` if the long-term file contains
        it."""
        return Line(entry=entry, fact=self._made.get(_key(entry), ""), kept=self.around.holds(entry))

    # Facts.

    def open_form(self, entry: DayEntry) -> None:
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
            raise NotFound(verbatim(tr("{agent} keeps no {file} on this desk.", agent=whose, file=MEMORY)))
        file = await self._session.call(workspace.READ, ReadFile(document_id=held.document_id))
        claim = claim_of(entry.text)
        says = tr("Into {file}: “{claim}”", file=file_named(file), claim=excerpt(claim))
        text = with_line(file.text, claim)
        ask = SaveFile(document_id=file.document_id, text=text, base_hash=file.content_hash)
        await self._session.do(workspace.SAVE, ask, says=says)
        self.kept.emit()


def _key(entry: DayEntry) -> tuple[str, str, str]:
    """Return the key of an entry, made from its content: lines above it may be added or removed."""
    return entry.document_id, entry.time, entry.text
