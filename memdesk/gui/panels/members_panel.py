"""Members: the people and agents with a token of the desk; invited with a role and bounds, and revoked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtGui import QGuiApplication

from memdesk.api import team
from memdesk.gui import formatting
from memdesk.gui.inspectors.belief import labelled_row
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.runtimes import LAST_DAYS, token_terms
from memdesk.gui.session import Session
from memdesk.gui.shell.record_detail import RecordDetail
from memdesk.gui.shell.record_panel import RecordPanel, Records
from memdesk.gui.widgets import (
    Column,
    Control,
    Drop,
    Empty,
    Field,
    Form,
    Ground,
    Option,
    RowsModel,
    Table,
    Tag,
    Text,
    column,
    laid_out,
    row,
)
from memdesk.model.agent import agent_key
from memdesk.model.channel import LOCAL_USER
from memdesk.model.history import FeedEvent
from memdesk.model.status import Nothing
from memdesk.model.team import AGENT, CURATOR, OWNER, READER, Invite, MemberRow, NamedMember

ROLE_WORDS = {
    READER: (marked("Reader"), marked("A person who reads and recalls.")),
    AGENT: (marked("Agent"), marked("An agent: it also stores, and proposes what is for all.")),
    CURATOR: (
        marked("Curator"),
        marked("A person who also corrects, promotes, answers questions and takes changes back."),
    ),
    OWNER: (
        marked("Owner"),
        marked("A person who may do all, except what is done on the desk's own computer."),
    ),
}
"""Name and purpose of each role."""
DAYS = 90
"""Days that a token is made for, as `memdesk team invite` does."""
ALL_CHANNELS, GRANTED = marked("every channel"), marked("as granted")
ONCE = marked(
    "The token of {name}. It is shown this once, and only its hash is kept: copy it now, and hand it over safely. "
    "On the other computer, this asks for it: memdesk team join https://ADDRESS"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """Member with its tokens, newest first; at least one."""

    name: str
    tokens: tuple[MemberRow, ...]

    @property
    def id(self) -> str:
        return agent_key(self.name)

    @property
    def role(self) -> str:
        return self.tokens[0].role

    @property
    def seen_at(self) -> datetime | None:
        """Time of the last call with any of the tokens, since the service started."""
        return max((each.seen_at for each in self.tokens if each.seen_at), default=None)


def members_of(rows: Iterable[MemberRow]) -> list[Member]:
    """Return the members that have these tokens, by name."""
    found: dict[str, list[MemberRow]] = {}
    for each in sorted(rows, key=lambda each: each.made_at, reverse=True):
        found.setdefault(agent_key(each.name), []).append(each)
    return [Member(name=found[key][0].name, tokens=tuple(found[key])) for key in sorted(found)]


def role_words(role: str) -> str:
    return tr(ROLE_WORDS[role][0]) if role in ROLE_WORDS else role


def user_words(token: MemberRow) -> str:
    """Return whose memory a token opens."""
    if token.role == OWNER:
        return tr("all users")
    return ", ".join(token.users) or tr(GRANTED)


def channel_words(token: MemberRow) -> str:
    if token.channels:
        return ", ".join(token.channels)
    return tr(GRANTED) if token.role == AGENT and not token.users else tr(ALL_CHANNELS)


def end_words(token: MemberRow, *, now: datetime | None = None) -> str:
    if token.ends_at is None:
        return tr("no end")
    return (
        tr("ended") if _left(token, now) <= 0 else tr("until {when}", when=formatting.date_of(token.ends_at))
    )


def end_tone(token: MemberRow, *, now: datetime | None = None) -> str:
    """Return the tone of a token's end: a warning in its last week, red once it has ended."""
    if token.ends_at is None or _left(token, now) > LAST_DAYS:
        return "t2"
    return "warn" if _left(token, now) > 0 else "bad"


def _left(token: MemberRow, now: datetime | None) -> float:
    assert token.ends_at is not None
    return (token.ends_at - (now or datetime.now().astimezone())).total_seconds() / 86_400


def seen_words(seen_at: datetime | None) -> str:
    """Return when a member last called."""
    return formatting.ago(seen_at) if seen_at else tr("not since the service started")


def columns() -> tuple[Column[Member], ...]:
    """Return the columns of the members: name, role, users, channels, last used, end of the newest token."""
    return (
        Column(tr("Member"), lambda each: each.name, token="t1", weight=500),
        Column(tr("Role"), lambda each: role_words(each.role), width=84),
        Column(tr("Users"), lambda each: user_words(each.tokens[0]), width=110, hidden_below=560),
        Column(tr("Channels"), lambda each: channel_words(each.tokens[0]), width=140, hidden_below=480),
        Column(
            tr("Last used"),
            lambda each: formatting.ago(each.seen_at) if each.seen_at else "–",
            width=104,
            token="t3",
            tip=lambda each: seen_words(each.seen_at),
        ),
        Column(
            tr("Token"),
            lambda each: end_words(each.tokens[0]),
            width=146,
            token=lambda each: end_tone(each.tokens[0]),
        ),
    )


def token_words(token: MemberRow) -> str:
    """Return a token as one line: when it was made, what it opens, and its end."""
    return tr(
        "Made {made}, {end} · {users} · {channels}",
        made=formatting.date_of(token.made_at),
        end=end_words(token),
        users=user_words(token),
        channels=channel_words(token),
    )


class InviteForm(Form):
    """Form for a new token. Its request is an Invite. name: of a member that gets another token, "" for a new one."""

    def __init__(self, name: str = "", role: str = CURATOR) -> None:
        self.name = Field(name, placeholder=tr("Such as Ana"), name=tr("Name"))
        self.role = Drop(
            [Option(role, tr(words)) for role, (words, _) in ROLE_WORDS.items()], role, name=tr("Role")
        )
        self.purpose = Text("", 12, "t3", wrap=True)
        self.users = Field(LOCAL_USER, name=tr("Users"))
        self.channels = Field(placeholder=tr("All; or such as shop, garden"), name=tr("Channels"))
        self.days = Drop(token_terms(), DAYS, name=tr("How long the token opens the desk"))
        super().__init__(
            tr("Invite a person or an agent"),
            tr("Make the token"),
            self.name,
            labelled_row(tr("Role"), self.role),
            self.purpose,
            labelled_row(tr("Users"), self.users),
            labelled_row(tr("Channels"), self.channels),
            labelled_row(tr("Token for"), self.days),
            first=self.name,
            needs=[self.name],
            icon="plus",
        )
        self.role.chosen.connect(lambda _: self._show_role())
        self._show_role()

    def _show_role(self) -> None:
        role = str(self.role.value())
        self.purpose.setText(tr(ROLE_WORDS[role][1]))
        for field in (self.users, self.channels):
            field.setEnabled(role != OWNER)

    def asked(self) -> Invite:
        """Return the invitation; an owner's has no bounds."""
        role = str(self.role.value())
        bounded = role != OWNER
        return Invite(
            name=self.name.text().strip(),
            role=role,
            users=_listed(self.users.text()) if bounded else (),
            only_channels=_listed(self.channels.text()) if bounded else (),
            days=int(str(self.days.value())),
        )


def _listed(text: str) -> tuple[str, ...]:
    """Return the names in a text, which are separated by commas."""
    return tuple(name for part in re.split("[,，、]", text) if (name := part.strip()))


class RevokeForm(Form):
    """Form that shows what revoking ends before it is done. Its request is a NamedMember."""

    def __init__(self, member: Member) -> None:
        self._member = member
        super().__init__(
            tr("Revoke {name}?", name=member.name),
            tr("Revoke %Ln token(s)", "", len(member.tokens)),
            *(Text(token_words(each), 12, "t1", wrap=True) for each in member.tokens),
            Text(tr("Last used: {when}", when=seen_words(member.seen_at)), 12, "t2", wrap=True),
            Text(
                tr(
                    "From then on {name} is answered no more, and what they have open ends. What they wrote stays. "
                    "Undo does not bring a token back: invite them again.",
                    name=member.name,
                ),
                12,
                "t2",
                wrap=True,
            ),
            icon="retire",
        )

    def asked(self) -> NamedMember:
        return NamedMember(name=self._member.name)


class MemberDetail(RecordDetail):
    """Detail of a member: its role with its purpose, and each of its tokens."""

    record: Member | None

    def __init__(self, session: Session) -> None:
        self.heading = Text("", 15, "t1", weight=500, wrap=True)
        self.role = Tag()
        self.purpose, self.seen = Text("", 12, "t3", wrap=True), Text("", 12, "t2", wrap=True)
        self.tokens = Text("", 12, "t1", wrap=True)
        acts = {
            "another": (marked("Another token…"), "plus", ""),
            "revoke": (marked("Revoke…"), "retire", "Del"),
        }
        super().__init__(
            session,
            column(self.heading, row(self.role, None), self.purpose, gap=8, margins=(16, 14, 16, 10)),
            Ground("panel", layout=column(self.seen, self.tokens, None, gap=10, margins=(16, 0, 16, 16))),
            acts,
            nothing=Empty(tr("No member is chosen."), tr("Choose one to see its tokens and to revoke it.")),
            edges="left",
        )

    def show_member(self, member: Member) -> None:
        """Show a member. An open form stays on top."""
        self.heading.setText(member.name)
        self.role.set_tag(role_words(member.role), "acc" if member.role == OWNER else "plain")
        self.purpose.setText(tr(ROLE_WORDS[member.role][1]) if member.role in ROLE_WORDS else "")
        self.seen.setText(tr("Last used: {when}", when=seen_words(member.seen_at)))
        self.tokens.setText("\n".join(map(token_words, member.tokens)))
        self.show_detail(member)


class MembersPanel(RecordPanel):
    """Table of members, the chosen one at the right; a token that was just made below them, until it is put away."""

    name = "members"
    letters = {"retire": "revoke"}
    unsaved_words = marked("the invitation")
    records: Records

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self.table = Table(RowsModel(columns()), name=tr("Members"))
        self.detail = MemberDetail(session)
        self.records = Records(session, self.table, self.detail, self._read)
        self.made = Text("", 12, "t2", wrap=True)
        self.token = Text("", 12, "t1", mono=True, selectable=True, wrap=True)
        self.copy = Control("primary", tr("Copy"), "copy")
        self.done = Control("button", tr("I have it"), "check")
        shown = row(column(None, self.token, None), self.copy, self.done, gap=8)
        shown.setStretch(0, 1)
        self.once = Ground("panel", "top", column(self.made, shown, gap=8, margins=(20, 12, 20, 12)))
        self.once.hide()
        content = laid_out(column(self.records, self.once, gap=0, stretch=self.records))
        new = self.new_button(tr("Invite…"), self._invite)
        self.lay_out(content, focus=self.table, actions=(new,))
        self.detail.asked.connect(self._begin)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.token.text()))
        self.done.clicked.connect(self._put_away)

    def concerned(self, event: FeedEvent) -> bool:
        """Return True for events without a record: an invitation is one of them."""
        return not event.kinds

    # Loading.

    async def load(self) -> None:
        """Load the members; the chosen one stays chosen."""
        rows = (await self.session.call(team.LIST, Nothing())).rows
        members = members_of(rows)
        self.say(tr("%Ln member(s)", "", len(members)) if members else "")
        if not self.show_list(members, all=members, passes="", show_all=self.reload):
            self.show_empty(
                tr("No one has a token of this desk yet."),
                tr(
                    "On this computer, none is needed. People and agents on others need one, and a service "
                    "that answers them: memdesk serve --listen ADDRESS"
                ),
                step=tr("Invite…"),
                take=self._invite,
            )

    async def _read(self, member: Member) -> None:
        self.detail.show_member(member)

    # Acting.

    def _begin(self, act: str, member: Member) -> None:
        if act == "revoke":
            self.show_form(RevokeForm(member), self._revoke)
        else:
            self.show_form(InviteForm(member.name, member.role), self._make)

    def _invite(self) -> None:
        self.show_form(InviteForm(), self._make)

    async def _make(self, ask: Invite) -> None:
        made = await self.session.call(team.INVITE, ask)
        self.made.setText(tr(ONCE, name=made.name))
        self.token.setText(made.token)
        self.once.show()
        self.table.wanted = agent_key(made.name)

    async def _revoke(self, ask: NamedMember) -> None:
        await self.session.call(team.REVOKE, ask)
        self._put_away()

    def _put_away(self) -> None:
        """Forget the token that is shown."""
        self.token.setText("")
        self.once.hide()
