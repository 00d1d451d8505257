"""Turns that are stored together: their conversations, their places there, and the change that stores them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

from memdesk.engine.engine import Engine
from memdesk.engine.memory.draft import Draft
from memdesk.engine.wording import shortened
from memdesk.model import trust
from memdesk.model.change import EDITS_AT_MOST, Change
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.instant import optional_instant
from memdesk.model.message import Message, message, verbatim
from memdesk.model.remember import NewTurn, StoredTurn
from memdesk.model.turn import CONVERSATION, TURN, Conversation, Turn
from memdesk.store import records, semantic
from memdesk.store.connection import Connection


@dataclass(slots=True, kw_only=True)
class Episode:
    """Turns being stored together: their conversations, created if missing, and the next index of each."""

    engine: Engine
    db: Connection
    at: int
    author: str
    drafts: dict[tuple[str, str], Draft] = field(default_factory=dict)
    conversations: dict[str, Conversation] = field(default_factory=dict)
    last_index: dict[str, int] = field(default_factory=dict)
    stored: list[Turn] = field(default_factory=list)

    def store(self, ask: NewTurn) -> StoredTurn:
        if (known := self._known(ask)) is not None:
            return _same(known, ask)
        talk = self._conversation(ask)
        index = self._last(talk) + 1 if ask.turn_index is None else ask.turn_index
        if ask.turn_index is not None and (there := self._at(talk.id, index)) is not None:
            return _same(there, ask)
        tool = ask.speaker or str(ask.metadata.get("tool") or "")
        origin, level = trust.of_turn(ask.role, tool, self.author)
        draft = self._draft(ask, talk.channel)
        self._unarchive(draft, talk)
        id = draft.create(
            TURN,
            id=ask.turn_id,
            channel=talk.channel,
            agent_id=ask.agent_id or talk.agent_id,
            conversation_id=talk.id,
            turn_index=index,
            role=ask.role,
            speaker=ask.speaker or ask.role,
            content=ask.content,
            token_count=ask.token_count,
            model=ask.model,
            metadata=json.dumps(ask.metadata, ensure_ascii=False),
            created_at=min(optional_instant(ask.created_at) or self.at, self.at),
            origin=origin,
            trust=level,
        )
        self.stored.append(Turn(**(draft.edits[-1].after or {})))
        self.last_index[talk.id] = max(index, self._last(talk))
        return StoredTurn(id=id, conversation_id=talk.id, turn_index=index, repeated=False, change=None)

    def change(self, author: str) -> Change | None:
        edits = tuple(edit for draft in self.drafts.values() for edit in draft.edits)
        if not edits or not self.stored:
            return None
        check_fits(len(edits), message("Name the conversation_id that turns share, or send fewer at once."))
        first = self.stored[0]
        talk = self.conversations[first.conversation_id]
        many = message("{count} turns of “{talk}”", count=len(self.stored), talk=shortened(talk.title, 60))
        title = (
            many
            if len(self.stored) > 1
            # Nothing of it can be worded otherwise, and its parts would be stored with every turn once more.
            else verbatim(f"{first.speaker}: {shortened(first.content)}")
        )
        return Change.about(first, "store", title, author=author, edits=edits, layer="episodic")

    def _known(self, ask: NewTurn) -> Turn | None:
        if ask.turn_id is None:
            return None
        drafted = next((turn for turn in self.stored if turn.id == ask.turn_id), None)
        found: Turn | None = drafted or records.get(self.db, TURN, ask.turn_id)
        return found

    def _at(self, conversation_id: str, index: int) -> Turn | None:
        drafted = (t for t in self.stored if (t.conversation_id, t.turn_index) == (conversation_id, index))
        found = records.find(self.db, TURN, conversation_id=conversation_id, turn_index=index, limit=1)
        return next(drafted, found[0] if found else None)

    def _last(self, talk: Conversation) -> int:
        """Return the last index in use, or of a turn that was read by a job and undone since: a new turn
        there would not be read."""
        if talk.id not in self.last_index:
            last = semantic.last_turn_index(self.db, talk.id)
            self.last_index[talk.id] = max(last, talk.consolidated_index)
        return self.last_index[talk.id]

    def _conversation(self, ask: NewTurn) -> Conversation:
        id = ask.conversation_id
        known = None if id is None else self.conversations.get(id) or records.get(self.db, CONVERSATION, id)
        if known is None:
            known = self._begin(ask)
        elif ask.user_id != known.user_id or not self._continues(ask, known.channel):
            raise Conflict(
                message("Conversation {id} belongs to channel {channel}.", id=known.id, channel=known.channel)
            )
        self.conversations[known.id] = known
        return known

    def _unarchive(self, draft: Draft, talk: Conversation) -> None:
        """Return an archived conversation to the lists when it continues."""
        if talk.archived_at is not None:
            draft.edits.append(records.update_edit(CONVERSATION, talk, archived_at=None))
            self.conversations[talk.id] = replace(talk, archived_at=None)

    def _continues(self, ask: NewTurn, channel: str) -> bool:
        """Return True if a turn belongs in this channel; a channel renamed meanwhile matches under both names."""
        asked, kept = (
            semantic.current_channel(self.db, ask.user_id, name)
            for name in (" ".join(ask.channel.split()), channel)
        )
        return asked in (kept, GLOBAL)

    def _begin(self, ask: NewTurn) -> Conversation:
        draft = self._draft(ask, " ".join(ask.channel.split()))
        draft.create(
            CONVERSATION,
            id=ask.conversation_id,
            channel=draft.channel,
            agent_id=ask.agent_id,
            title=shortened(ask.title or ask.content, 80),
            started_at=min(optional_instant(ask.created_at) or self.at, self.at),
        )
        return Conversation(**(draft.edits[-1].after or {}))

    def _draft(self, ask: NewTurn, channel: str) -> Draft:
        key = (ask.user_id, channel)
        if key not in self.drafts:
            self.drafts[key] = Draft.of(self.engine, self.db, ask, channel, at=self.at)
        return self.drafts[key]


def _same(known: Turn, ask: NewTurn) -> StoredTurn:
    talk = ask.conversation_id or known.conversation_id
    if (known.user_id, known.conversation_id) != (ask.user_id, talk):
        raise Conflict(
            message("The id {id} is taken by a turn of another conversation.", id=known.id),
            next=message("Use another turn_id."),
        )
    if known.content != ask.content:
        raise Conflict(
            message("Turn {id} is stored already with other content.", id=known.id),
            next=message("Use another turn_id, or leave turn_index out to append."),
            details={"id": known.id, "found": shortened(known.content)},
        )
    return StoredTurn(
        id=known.id,
        conversation_id=known.conversation_id,
        turn_index=known.turn_index,
        repeated=True,
        change=None,
    )


def check_fits(edits: int, next: Message) -> None:
    if edits > EDITS_AT_MOST:
        raise BadAsk(
            message(
                "This would write {edits} records at once; {count} at most.", edits=edits, count=EDITS_AT_MOST
            ),
            next=next,
        )
