"""Scope of the timeline, in addition to its filters: a conversation, a session, a user, or one run of
changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from memdesk.contract import context, history, memory
from memdesk.gui.frame import times
from memdesk.gui.frame.choices import Choice
from memdesk.gui.graph.finder import Finder
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, row
from memdesk.gui.widgets.tips import plain
from memdesk.model.sessions import ListSessions
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
            memory.CONVERSATIONS,
            ListConversations(text=text, channels=channels, state="all", limit=OFFERED),
        )
        held = (await self._session.call(context.SESSIONS, ListSessions(channels=channels))).rows
        users = (await self._session.call(history.USERS, Nothing())).rows
        return [
            *_group(
                tr("Conversations"),
                [
                    self._offer(Scope("conversation", each.id, each.title or each.id), times.minute(each.started_at))
                    for each in talks.rows
                ],
            ),
            *_group(
                tr("Sessions"),
                [
                    self._offer(Scope("session", each.session_id, each.title), times.minute(each.last_used_at))
                    for each in held
                    if word in each.title.casefold() or word in each.session_id.casefold()
                ][:OFFERED],
            ),
            *_group(
                tr("Users"),
                [self._offer(Scope("user", each, each), "") for each in users if word in each.casefold()],
            ),
        ]  # fmt: skip

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
        """Return the request fields of the scopes."""
        return {FIELDS[kind]: scope.id for kind, scope in self._scopes.items()}

    def _show(self) -> None:
        for kind, chip in self.chips.items():
            scope = self._scopes.get(kind)
            chip.setVisible(scope is not None)
            chip.setChecked(scope is not None)
            if scope is not None:
                title = scope.title.replace("\n", " ")
                short = title if len(title) <= TITLE_LETTERS else title[: TITLE_LETTERS - 1].rstrip() + "…"
                chip.setText(tr("{lead}: {title}", lead=tr(LEADS[kind]), title=short))
                chip.setToolTip(plain(title))
        self.setVisible(bool(self._scopes))
