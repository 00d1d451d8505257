"""Profile: what is noted of a user in every channel, entry by entry; a person adds, corrects and removes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memdesk.api import history, profile
from memdesk.gui.inspectors.belief import labelled_row
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.shell.record_detail import Action, RecordDetail
from memdesk.gui.shell.record_panel import RecordPanel, Records
from memdesk.gui.terms import term
from memdesk.gui.widgets import (
    Area,
    Column,
    Drop,
    Empty,
    Field,
    Form,
    Ground,
    Option,
    RowsModel,
    Scroll,
    Table,
    Tag,
    Text,
    column,
    row,
)
from memdesk.gui.widgets.layout import Item
from memdesk.model.channel import LOCAL_USER
from memdesk.model.history import FeedEvent
from memdesk.model.profile import ASPECTS, AskProfile, Profile, RemoveTrait, SetTrait, TraitMark
from memdesk.model.status import Nothing

ASPECT_WORDS = {
    "preferences": marked("Preference"),
    "expertise": marked("Expertise"),
    "communication_style": marked("Communication style"),
    "metadata": marked("Other"),
}
ACTS: dict[str, Action] = {
    "edit": (marked("Edit"), "edit", "E"),
    "trust": (marked("Trust"), "check", "T"),
    "retire": (marked("Remove"), "retire", "Del"),
}
VALUE_LINES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Entry of a profile. mark: its source if it is not trusted."""

    aspect: str
    name: str
    value: Any
    mark: TraitMark | None = None

    @property
    def id(self) -> str:
        """Aspect and name, which no other entry of the user has."""
        return f"{self.aspect}/{self.name}"

    @property
    def text(self) -> str:
        """The value as a person writes it: a text as it is, other JSON as JSON."""
        return self.value if isinstance(self.value, str) else json.dumps(self.value, ensure_ascii=False)


def entries_of(found: Profile) -> Iterator[Entry]:
    """Yield the entries of a profile, in the order of the aspects."""
    marks = {(mark.aspect, mark.name): mark for mark in found.marks}
    for aspect, values in found.aspects.items():
        for name, value in values.items():
            yield Entry(aspect=aspect, name=name, value=value, mark=marks.get((aspect, name)))


def value_of(text: str) -> Any:
    """Return what a person typed as a value: JSON if it is some, else the text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def columns() -> tuple[Column[Entry], ...]:
    """Return the columns: name, value, aspect, and whether it is trusted."""
    return (
        Column(tr("Name"), lambda entry: entry.name, width=190, token="t1"),
        Column(tr("Value"), lambda entry: " ".join(entry.text.split()), token="t1"),
        Column(tr("Kind"), lambda entry: tr(ASPECT_WORDS[entry.aspect]), width=150),
        Column(
            tr("Source"),
            lambda entry: said_by(entry.mark),
            width=130,
            token=lambda entry: "warn" if entry.mark else "t3",
        ),
    )


def said_by(mark: TraitMark | None) -> str:
    """Return who an entry comes from, if it is not trusted."""
    if mark is None:
        return tr("trusted")
    return tr("told by {agent}", agent=mark.agent) if mark.agent else term(mark.source)


class EntryForm(Form):
    """Form for an entry: a new one, or the value of one that is there. Its request is a SetTrait."""

    def __init__(self, user: str, entry: Entry | None) -> None:
        self._user, self._entry = user, entry
        aspects = [Option(aspect, tr(ASPECT_WORDS[aspect])) for aspect in ASPECTS]
        self.aspect = Drop(aspects, entry.aspect if entry else None, name=tr("Kind"))
        self.name = Field(entry.name if entry else "", placeholder=tr("Such as editor"), name=tr("Name"))
        self.value = Area(
            entry.text if entry else "", placeholder=tr("Such as vim"), name=tr("Value"), lines=VALUE_LINES
        )
        named: tuple[Item, ...] = () if entry else (labelled_row(tr("Kind"), self.aspect), self.name)
        super().__init__(
            tr("Edit “{name}”", name=entry.name) if entry else tr("New entry"),
            tr("Save"),
            *named,
            self.value,
            first=self.value if entry else self.name,
            needs=[self.value] if entry else [self.name, self.value],
        )

    def asked(self) -> SetTrait | None:
        """Return the entry to set; None if its value is unchanged."""
        value = value_of(self.value.text().strip())
        if self._entry is not None and value == self._entry.value:
            return None
        aspect = self._entry.aspect if self._entry else str(self.aspect.value())
        return SetTrait(aspect=aspect, name=self.name.text().strip(), value=value, user_id=self._user)


class EntryDetail(RecordDetail):
    """Detail of an entry: its name, its whole value, and whether agents get it as quoted."""

    record: Entry | None

    def __init__(self, session: Session) -> None:
        self.heading = Text("", 15, "t1", weight=500, wrap=True, selectable=True)
        self.aspect, self.source = Tag(), Tag()
        self.value = Text("", 13, "t1", wrap=True, selectable=True)
        self.quoted = Text(tr("Other agents are told it as quoted until you trust it."), 12, "t2", wrap=True)
        head = column(
            self.heading, row(self.aspect, self.source, None, gap=8), gap=8, margins=(16, 14, 16, 10)
        )
        body = Scroll(
            Ground("panel", layout=column(self.value, self.quoted, None, gap=10, margins=(16, 0, 16, 16))),
            "panel",
        )
        nothing = Empty(tr("No entry is chosen."), tr("Choose one to read it whole and to correct it."))
        super().__init__(session, head, body, ACTS, nothing=nothing, primary="edit", edges="left")

    def show_entry(self, entry: Entry) -> None:
        """Show an entry. An open form stays on top."""
        self.heading.setText(entry.name)
        self.aspect.set_tag(tr(ASPECT_WORDS[entry.aspect]))
        self.source.set_tag(said_by(entry.mark), "warn" if entry.mark else "ok")
        self.value.setText(entry.text)
        self.quoted.setVisible(entry.mark is not None)
        self.show_detail(entry)

    def acts_for(self, record: Entry) -> tuple[str, ...]:
        return ("edit", "trust", "retire") if record.mark else ("edit", "retire")


class ProfilePanel(RecordPanel):
    """Entries of a user's profile at the left, the chosen one at the right."""

    name = "profile"
    kinds = ("trait",)
    unsaved_words = marked("the entry of the profile")
    records: Records

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._entries: tuple[Entry, ...] = ()
        self.user = Drop([Option(LOCAL_USER, LOCAL_USER)], lead=tr("Of"), name=tr("User"))
        self.table = Table(RowsModel(columns()), name=tr("Entries of the profile"))
        self.detail = EntryDetail(session)
        self.records = Records(session, self.table, self.detail, self._read)
        search = self.search_field(tr("Filter the profile"), then=self._show_entries)
        new = self.new_button(tr("New entry"), lambda: self._open(None))
        self.lay_out(self.records, focus=self.table, actions=(self.user, search, new))
        self.user.chosen.connect(lambda _: self.reload())
        self.table.opened.connect(lambda _: self.detail.acts.press("edit"))
        self.detail.asked.connect(self._begin)

    @property
    def _whose(self) -> str:
        return str(self.user.value())

    def concerned(self, event: FeedEvent) -> bool:
        """Return True for entries, and for an import or an undo that may bring some."""
        return super().concerned(event) or not event.kinds

    # Loading.

    async def load(self) -> None:
        """Load the users and the profile of the chosen one; the chosen entry stays chosen."""
        users = await self.session.call_if_allowed(history.USERS, Nothing())
        names = dict.fromkeys((LOCAL_USER, *(users.rows if users else ())))
        self.user.set_options([Option(name, name) for name in names])
        self.user.setVisible(len(names) > 1)
        found = await self.session.call(profile.GET, AskProfile(user_id=self._whose))
        self._entries = tuple(entries_of(found))
        self.say(tr("%Ln entr(y|ies), the same in every channel", "", len(self._entries)))
        self._show_entries()

    def _show_entries(self) -> None:
        sought = self.sought.casefold()
        shown = [each for each in self._entries if sought in f"{each.id} {each.text}".casefold()]
        passes = tr("No entry has these words.")
        if not self.show_list(shown, all=self._entries, passes=passes, show_all=self.filter.clear):
            self.show_empty(
                tr("Nothing is noted of this user yet."),
                tr("Preferences, expertise and how to write to you: agents read it in every channel."),
                step=tr("New entry"),
                take=lambda: self._open(None),
            )

    async def _read(self, entry: Entry) -> None:
        self.detail.show_entry(entry)

    # What can be done.

    def _begin(self, act: str, entry: Entry) -> None:
        match act:
            case "edit":
                self._open(entry)
            case "trust":
                self.session.spawn(self._trust(entry))
            case "retire":
                self.session.spawn(self._remove(entry))

    def _open(self, entry: Entry | None) -> None:
        self.show_form(EntryForm(self._whose, entry), self._set)

    async def _set(self, ask: SetTrait) -> None:
        await self.session.do(profile.SET, ask, tr("Noted “{title}”", title=ask.name))
        self.table.wanted = f"{ask.aspect}/{ask.name}"

    async def _trust(self, entry: Entry) -> None:
        ask = SetTrait(aspect=entry.aspect, name=entry.name, value=entry.value, user_id=self._whose)
        await self.session.do(profile.SET, ask, tr("Trusted “{title}”", title=entry.name))
        self.reload()

    async def _remove(self, entry: Entry) -> None:
        ask = RemoveTrait(aspect=entry.aspect, name=entry.name, user_id=self._whose)
        await self.session.do(profile.REMOVE, ask, tr("Removed “{title}”", title=entry.name))
        self.reload()
