"""User profiles: entries that were stated about a user. Entries are only set explicitly, never inferred from
other memory."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.wording import shortened, tidied
from memdesk.model.change import Change, Edit
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.kind import new_id
from memdesk.model.message import Message, message
from memdesk.model.profile import (
    ASPECTS,
    TRAIT,
    AskProfile,
    Profile,
    RemoveTrait,
    SetTrait,
    Trait,
    TraitChanged,
    TraitMark,
)
from memdesk.model.trust import DESCRIBED, PERSON, agent_named, is_trusted, of_author, quoted
from memdesk.store import records
from memdesk.store.bookkeeping import answered, misused
from memdesk.store.connection import Connection
from memdesk.store.semantic import profile_of

NAME_CHARACTERS = 200
VALUE_CHARACTERS = 4_000
"""Most characters of a value, because a profile is read into every prompt."""


def profile(engine: Engine, ask: AskProfile, *, author: str) -> Profile:
    """Return a user's profile, as its reader may have it."""
    with engine.store.reading() as db:
        found = profile_of(db, ask.user_id)
    if author.startswith("person:"):
        return found
    entries: dict[str, Any] = dict(as_seen(found.aspects, found.marks, agent_named(author)))
    return replace(found, **entries)


def as_seen(
    aspects: dict[str, dict[str, Any]], marks: Sequence[TraitMark], agent: str
) -> dict[str, dict[str, Any]]:
    """Return a profile for an agent: entries that are not trusted are quoted, but for its own."""
    seen = {aspect: dict(entries) for aspect, entries in aspects.items()}
    for mark in marks:
        if mark.agent.casefold() != agent.casefold() or not agent:
            value = seen[mark.aspect][mark.name]
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            seen[mark.aspect][mark.name] = quoted(text, mark.source)
    return seen


def set_trait(engine: Engine, ask: SetTrait, *, author: str) -> TraitChanged:
    """Set one profile entry, replacing the value under that name.

    Raises BadAsk for an unknown aspect, a bad name, or a value that is not JSON or too long."""
    name, value = _checked_name(ask.aspect, ask.name), _written(ask.value)

    def verb(db: Connection) -> tuple[Change | None, TraitChanged]:
        known = _known(db, ask.user_id, ask.aspect, name)
        if (before := answered(db, ask.user_id, author, ask.retry_key)) is not None:
            return None, _again(known, *before)
        same = known is not None and (known.value, known.retired_at) == (value, None)
        if known is not None and same and not _approves(known, author):
            return None, _unmoved(known.id)
        edit = _noted(engine, known, ask, name, value, author)
        change = Change(
            op="learn" if known is None else "update",
            title=message("{aspect}: {value}", aspect=_said(ask.aspect, name), value=shortened(value, 60)),
            author=author,
            edits=(edit,),
            user_id=ask.user_id,
            key=ask.retry_key,
        )
        return change, _unmoved(edit.id)

    applied, answer = engine.store.decide(verb)
    return answer if applied is None else TraitChanged(id=answer.id, change=applied.id, repeated=False)


def remove_trait(engine: Engine, ask: RemoveTrait, *, author: str) -> TraitChanged:
    """Remove one profile entry; undo restores it. Raises NotFound if there is no such entry."""
    name = _checked_name(ask.aspect, ask.name)

    def verb(db: Connection) -> tuple[Change, str]:
        known = _known(db, ask.user_id, ask.aspect, name)
        if known is None or known.retired_at is not None:
            raise NotFound(
                message("The profile has no {aspect} called “{name}”.", aspect=ask.aspect, name=name),
                next=message("See profile.get."),
            )
        change = Change(
            op="retire",
            title=_said(ask.aspect, name),
            author=author,
            user_id=ask.user_id,
            edits=(records.update_edit(TRAIT, known, retired_at=engine.clock()),),
        )
        return change, known.id

    applied, id = engine.store.decide(verb)
    assert applied is not None
    return TraitChanged(id=id, change=applied.id, repeated=False)


def _approves(known: Trait, author: str) -> bool:
    """Return True if the same value from this author makes an entry trusted that was not."""
    return of_author(author)[0] == PERSON and not is_trusted(known.trust)


def _known(db: Connection, user_id: str, aspect: str, name: str) -> Trait | None:
    found = records.find(db, TRAIT, user_id=user_id, aspect=aspect, name=name, limit=1)
    return found[0] if found else None


def _noted(engine: Engine, known: Trait | None, ask: SetTrait, name: str, value: str, author: str) -> Edit:
    now, (origin, trust) = engine.clock(), of_author(author)
    # Free text that no check reads as a claim.
    trust = trust if origin == PERSON else min(trust, DESCRIBED)
    if known is not None:
        return records.update_edit(
            TRAIT, known, value=value, updated_at=now, retired_at=None, origin=origin, trust=trust
        )
    born = Trait(
        seq=engine.store.new_seq(),
        id=new_id(TRAIT.prefix, now),
        user_id=ask.user_id,
        aspect=ask.aspect,
        name=name,
        value=value,
        created_at=now,
        updated_at=now,
        origin=origin,
        trust=trust,
    )
    return records.creation_edit(TRAIT, born)


def _unmoved(id: str) -> TraitChanged:
    return TraitChanged(id=id, change=None, repeated=True)


def _again(known: Trait | None, change: int, edits: Sequence[Edit]) -> TraitChanged:
    """Return the earlier answer for a key that was used before. Raises Conflict if that was another call."""
    if known is None or known.id not in (edit.id for edit in edits):
        raise misused(change)
    return TraitChanged(id=known.id, change=change, repeated=True)


def _checked_name(aspect: str, name: str) -> str:
    if aspect not in ASPECTS:
        raise BadAsk(message("aspect should be one of {aspects}.", aspects=", ".join(ASPECTS)))
    return tidied(name, "A name", NAME_CHARACTERS)


def _written(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        raise BadAsk(
            message("The value is not JSON."), next=message("Send text, numbers, lists and objects.")
        ) from None
    if len(text) > VALUE_CHARACTERS:
        raise BadAsk(
            message(
                "The value has {count} characters; {most} at most.",
                count=f"{len(text):,}",
                most=f"{VALUE_CHARACTERS:,}",
            ),
            next=message("Say it shorter, or learn it as facts."),
        )
    return text


def _said(aspect: str, name: str) -> Message:
    return message("Profile, {what} {name}", what=aspect.replace("_", " "), name=shortened(name, 60))
