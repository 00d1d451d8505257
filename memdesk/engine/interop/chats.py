"""Import of a conversation: its turns are stored with the times and ids of their source, all of them or the
missing ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.interop.batches import (
    BESIDE,
    UNIQUE_ID_CHARACTERS,
    Chat,
    ChatTurn,
    Scratch,
    with_extra_fields,
)
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.scratchpad import write_note
from memdesk.engine.wording import shortened
from memdesk.engine.workspace.placing import ImportContext
from memdesk.files.reading import Left
from memdesk.model.change import EDITS_AT_MOST, Change
from memdesk.model.channel import LOCAL_USER
from memdesk.model.errors import Conflict, MemDeskError
from memdesk.model.message import message
from memdesk.model.turn import CONVERSATION, TURN, Conversation, Turn
from memdesk.model.working import WriteNote, session_key
from memdesk.store import document_versions, records, working
from memdesk.store.connection import Connection

TURNS_AT_ONCE = EDITS_AT_MOST - 2
"""Turns of one change; the conversation and its channel are its other two edits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatState:
    """State of a chat on the desk: its id there, its conversation, and how many of its first turns are stored."""

    id: str
    conversation: Conversation | None
    turns: int


def chat_state(db: Connection, chat: Chat, user_id: str) -> ChatState:
    """Return the state of a chat on the desk. Raises Conflict, naming the turn, if a stored turn has another text."""
    id = _conversation_id(chat, user_id)
    conversation = records.get(db, CONVERSATION, id)
    stored: list[Turn] = [] if conversation is None else records.find(db, TURN, conversation_id=id)
    by_index = {turn.turn_index: turn for turn in stored}
    for index, turn in enumerate(chat.turns):
        there = by_index.get(index)
        if there is not None and there.content != turn.content:
            raise Conflict(
                message(
                    "“{chat}” is on the desk with other words in turn {count}; it was left as it is.",
                    chat=chat.title,
                    count=index + 1,
                ),
                details={
                    "id": there.id,
                    "expected": shortened(turn.content),
                    "found": shortened(there.content),
                },
            )
    known = next((n for n in range(len(chat.turns)) if n not in by_index), len(chat.turns))
    return ChatState(id=id, conversation=conversation, turns=known)


def import_chat(engine: Engine, chat: Chat, context: ImportContext, channel: str) -> Counter[str]:
    """Store the turns of a chat that the desk lacks; return the number of new conversations and turns.

    A conversation of up to TURNS_AT_ONCE turns is one change; a longer one is continued where it stopped.
    Raises Conflict if a stored turn has another text."""
    with engine.store.reading() as db:
        now = chat_state(db, chat, context.user_id)
        ids = _turn_ids(db, chat, now)
    if now.conversation is None:
        ensure_channel(engine, context.user_id, channel, author=context.author)
    for start in range(now.turns, len(chat.turns), TURNS_AT_ONCE):
        engine.store.decide(_part(engine, chat, context, channel, now.id, ids, start))
    fresh = len(chat.turns) - now.turns
    return Counter(turns=fresh, conversations=int(now.conversation is None)) if fresh else Counter()


def _part(
    engine: Engine, chat: Chat, context: ImportContext, channel: str, id: str, ids: list[str], start: int
) -> Callable[[Connection], tuple[Change, None]]:
    """Return the verb that stores the turns of a chat from `start` on, and the conversation if it is missing."""
    turns = chat.turns[start : start + TURNS_AT_ONCE]

    def verb(db: Connection) -> tuple[Change, None]:
        conversation = records.get(db, CONVERSATION, id)
        draft = Draft(
            engine=engine,
            db=db,
            user_id=context.user_id,
            channel=channel if conversation is None else conversation.channel,
            agent_id=context.agent_id or chat.agent_id,
            at=engine.clock(),
            door=context.door,
        )
        beside: dict[str, Any] = {}
        if conversation is None:
            draft.create(
                CONVERSATION,
                id=id,
                channel=channel,
                agent_id=draft.agent_id,
                title=shortened(chat.title),
                started_at=chat.turns[0].at,
            )
            beside[id] = chat.beside
        for index, turn in enumerate(turns, start):
            beside[ids[index]] = _draft_turn(draft, id, ids[index], index, turn)
        filled = {id: each for id, each in beside.items() if each}
        span = _span(chat, start, len(turns))
        return draft.change(
            "import",
            message("Imported “{chat}”, {span}", chat=shortened(chat.title, 60), span=span),
            author=context.author,
            layer="episodic",
            run=context.run,
            details={"from": chat.file} | ({BESIDE: filled} if filled else {}),
        ), None

    return verb


def _draft_turn(draft: Draft, conversation_id: str, id: str, index: int, turn: ChatTurn) -> dict[str, Any]:
    """Draft a turn; return the source's extra fields if they do not fit into its metadata."""
    metadata = json.dumps(turn.metadata, ensure_ascii=False)
    whole = with_extra_fields(metadata, turn.beside) if turn.beside else metadata
    draft.create(
        TURN,
        id=id,
        channel=draft.channel,
        agent_id=draft.agent_id,
        conversation_id=conversation_id,
        turn_index=index,
        role=turn.role,
        speaker=turn.speaker or turn.role,
        content=turn.content,
        token_count=None,
        model=turn.model,
        metadata=whole or metadata,
        created_at=turn.at,
    )
    return {} if whole else turn.beside


def _conversation_id(chat: Chat, user_id: str) -> str:
    """Return the source's own id if it has one. Another user's copy of the same export is another conversation."""
    return chat.conversation_id if user_id == LOCAL_USER else f"{user_id}/{chat.conversation_id}"


def _turn_ids(db: Connection, chat: Chat, now: ChatState) -> list[str]:
    """Return an id for every turn: the source's own if it is globally unique and free, else one made from its
    position."""
    given = [turn.given_id or "" for turn in chat.turns]
    taken = document_versions.existing_turns(db, [id for id in given[now.turns :] if id]).keys() | set(
        given[: now.turns]
    )
    found: list[str] = []
    for index, id in enumerate(given):
        free = (len(id) >= UNIQUE_ID_CHARACTERS or "/" in id) and id not in taken
        found.append(id if free else f"{now.id}/{index + 1}")
        taken.add(id)
    return found


def _span(chat: Chat, start: int, count: int) -> str:
    if start == 0 and count == len(chat.turns):
        return message("{count} turns", count=count) if count > 1 else message("1 turn")
    return message("turns {count} to {what}", count=start + 1, what=start + count)


Notes = list[tuple[str, str, Any]]


def new_notes(engine: Engine, scratch: Scratch, context: ImportContext) -> Notes:
    """Return the notes whose key has no note on the desk."""
    at = engine.clock()
    with engine.store.reading() as db:
        return [
            note
            for note in scratch.notes
            if working.get(db, session_key(context.user_id, note[0], note[1]), at=at) is None
        ]


def import_notes(
    engine: Engine, scratch: Scratch, context: ImportContext
) -> tuple[Counter[str], tuple[Left, ...]]:
    """Write the new notes; return the counts, and the notes that a scratchpad cannot store."""
    left: list[Left] = []
    new = new_notes(engine, scratch, context)
    for session, key, value in new:
        try:
            write_note(engine, WriteNote(session_id=session, user_id=context.user_id, key=key, value=value))
        except MemDeskError as error:
            left.append(
                Left(name=message("{file}, note “{key}”", file=scratch.file, key=key[:60]), why=error.says)
            )
    counts = Counter(scratch_notes=len(new) - len(left), known=len(scratch.notes) - len(new))
    return +counts, tuple(left)
