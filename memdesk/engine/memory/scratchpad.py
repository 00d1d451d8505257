"""Scratchpad of a session (AgenticX): notes that survive a restart, with the keys that its runtime reserves."""

from __future__ import annotations

import json
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.ephemeral import check_value, checked_name, key_lookup, life, read, value_of, write
from memdesk.files.reading import MEGABYTE
from memdesk.model.errors import BadAsk
from memdesk.model.instant import optional_datetime, to_datetime
from memdesk.model.message import message
from memdesk.model.working import (
    CHECKPOINT,
    FACTS,
    PENDING,
    AskNote,
    ClearNotes,
    Forgotten,
    ListNotes,
    NoteList,
    NoteRow,
    NoteWritten,
    WorkingValue,
    WriteNote,
    is_internal,
    is_reserved,
    session_key,
)
from memdesk.store import working
from memdesk.store.connection import Connection
from memdesk.store.working import Kept, Place

NOTES_AT_MOST = 50
"""Most notes of one session, not counting reserved ones (AgenticX)."""
NOTE_CHARACTERS = 10_000
"""Most characters of a note; a longer text is cut, with a remark (AgenticX). Reserved notes belong to the
runtime, and are only limited in bytes."""
CHECKPOINT_BYTES = 12 * MEGABYTE
"""Most bytes of a checkpoint: a request to the desk is not larger."""
DAY_S = 86_400


def write_note(engine: Engine, ask: WriteNote) -> NoteWritten:
    """Write a note, or append to it. A reserved key accepts only its own type: text, or a list of pending
    reports.

    Raises BadAsk for a bad key, a value of the wrong type or too large, and for more notes than a session may
    have."""
    key, ttl_s = checked_name(ask.key, message("A key")), _life(engine, ask.ttl_seconds)
    value, cut = (ask.value, False) if is_reserved(key) or ask.append else _fitted(key, ask.value)

    def work(db: Connection, at: int) -> Kept:
        where = session_key(ask.user_id, ask.session_id, key)
        known = working.get(db, where, at=at)
        if known is None:
            _check_room(db, ask, key, at)
        now = _appended(key, None if known is None else known.value, value) if ask.append else value
        _check_note(key, now, cut=cut)
        place = Place(user_id=ask.user_id, session_id=ask.session_id)
        lasting = key.startswith(CHECKPOINT)
        life_s = None if lasting and ask.ttl_seconds is None else ttl_s
        return working.put(db, where, now, at=at, ttl_s=life_s, place=place, lasting=lasting)

    kept = write(engine, work)
    return NoteWritten(key=key, bytes=kept.bytes, cut=cut, expires_at=optional_datetime(kept.expires_at))


def read_note(engine: Engine, ask: AskNote, *, author: str) -> WorkingValue:
    """Return a note; `found` is false if there is none, or none any more."""
    key = checked_name(ask.key, message("A key"))
    where = session_key(ask.user_id, ask.session_id, key)
    return value_of(key, read(engine, key_lookup(where), author=author))


def list_notes(engine: Engine, ask: ListNotes, *, author: str) -> NoteList:
    """List the notes of a session, by key; its checkpoints only where the prefix names them.

    Notes internal to the runtime are shown to people, not to agents."""
    start, at = session_key(ask.user_id, ask.session_id), engine.clock()
    with engine.store.reading() as db:
        wanted = ask.prefix.startswith(CHECKPOINT)
        held = working.entries_under(db, start + ask.prefix, at=at, lasting=wanted)
    keys = [(kept.key.removeprefix(start), kept) for kept in held]
    return NoteList(
        notes=tuple(
            NoteRow(
                key=key,
                bytes=kept.bytes,
                reserved=is_reserved(key),
                used_at=to_datetime(kept.touched_at),
                expires_at=optional_datetime(kept.expires_at),
                value=kept.value if ask.values else None,
            )
            for key, kept in keys
            if not (is_internal(key) and author.startswith("agent:"))
        )
    )


def delete_note(engine: Engine, ask: AskNote) -> Forgotten:
    """Delete a note."""
    where = session_key(ask.user_id, ask.session_id, checked_name(ask.key, message("A key")))
    return Forgotten(keys=int(write(engine, lambda db, _: working.delete(db, where))))


def clear_notes(engine: Engine, ask: ClearNotes) -> Forgotten:
    """Delete the notes of a session whose key begins with a prefix."""
    start = session_key(ask.user_id, ask.session_id) + ask.prefix
    return Forgotten(keys=write(engine, lambda db, _: working.clear(db, start)))


def _life(engine: Engine, asked: int | None) -> int | None:
    default_s = engine.settings.scratchpad_days * DAY_S
    return life(asked, default_s) or None


def _fitted(key: str, value: Any) -> tuple[Any, bool]:
    """Return (the value, cut to the length of a note if it is text, True if it was cut)."""
    if not isinstance(value, str) or len(value) <= NOTE_CHARACTERS:
        return value, False
    return f"{value[:NOTE_CHARACTERS]}\n... (truncated to {NOTE_CHARACTERS} chars)", True


def _appended(key: str, known: Any, value: Any) -> Any:
    """Return a note with the value added: an item to a list, lines to a text. Raises BadAsk for mixed types."""
    if isinstance(known, list) or key == PENDING or (known is None and not isinstance(value, str)):
        return [*(known or []), value]
    if not isinstance(value, str) or not isinstance(known, str | None):
        raise BadAsk(
            message("Only text can be added to a text, and nothing to what “{key}” holds otherwise.", key=key)
        )
    lines = value.split("\n")
    if key == FACTS:
        there = set((known or "").split("\n"))
        lines = [line for line in dict.fromkeys(lines) if line not in there]
    return "\n".join([*([known] if known else []), *lines])


def _check_room(db: Connection, ask: WriteNote, key: str, at: int) -> None:
    """Raise BadAsk if a session has as many notes as it may, and this would be one more."""
    start = session_key(ask.user_id, ask.session_id)
    held = working.entries_under(db, start, at=at, lasting=False)
    own = sum(not is_reserved(kept.key.removeprefix(start)) for kept in held)
    if own >= NOTES_AT_MOST and not is_reserved(key):
        raise BadAsk(
            message("This session has {own} notes, as many as it may.", own=own),
            next=message("Delete one, or write to one there is."),
        )


def _check_note(key: str, value: Any, *, cut: bool) -> None:
    if key.startswith(CHECKPOINT):
        check_value(value, message("The checkpoint “{key}”", key=key), most_bytes=CHECKPOINT_BYTES)
        return
    check_value(value, message("The note “{key}”", key=key))
    if is_reserved(key):
        wanted: tuple[type, str] = (list, message("a list")) if key == PENDING else (str, "text")
        if not isinstance(value, wanted[0]):
            raise BadAsk(
                message("“{key}” is reserved for {wanted}.", key=key, wanted=wanted[1]),
                next=message("Use another key."),
            )
    elif not cut and (characters := _characters(value)) > NOTE_CHARACTERS:
        raise BadAsk(
            message(
                "The note “{key}” would have {count} characters; {most} at most.",
                key=key,
                count=f"{characters:,}",
                most=f"{NOTE_CHARACTERS:,}",
            ),
            next=message("Write less, or begin another note."),
        )


def _characters(value: Any) -> int:
    return len(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
