"""Storage of a fact that an agent saved together with a line of its day file: one value per key, with its
words and its file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory import claims
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.quarantine import doubt, hold
from memdesk.engine.recall.categories import category_for
from memdesk.engine.wording import shortened
from memdesk.model.change import Change
from memdesk.model.document import Workspace
from memdesk.model.entity import DERIVED_FROM
from memdesk.model.remember import NewFact
from memdesk.store.connection import Connection

SOURCE, CONFIDENCE = "memory_save", 0.9
"""Source and confidence of a saved fact, as in OpenLegion."""
SEPARATORS = (re.compile(r"(?<!\d):(?!//)|:(?!//|\d)"), re.compile(" - "), re.compile(" — "))
"""Separators of a key from its value, in this order. A colon in an address or in a time of day is none."""
KEY_CHARACTERS, CUT_CHARACTERS = 80, 60
"""Longest key, and the length at which a key that is only the beginning of a note is cut."""
QUOTE_CHARACTERS = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """Note as key and value. named: True if the note itself separates them; else the key is the beginning of
    the note."""

    key: str
    value: str
    named: bool


def parsed(content: str) -> Parsed:
    """Return the key and the value of a note, separated as OpenLegion does."""
    whole = content.strip()
    for separator in SEPARATORS:
        found = separator.search(whole)
        if found is None:
            continue
        left, right = whole[: found.start()], whole[found.end() :]
        if 0 < len(left) <= KEY_CHARACTERS and right.strip():
            return Parsed(key=left.strip(), value=right.strip(), named=True)
    key = whole[:CUT_CHARACTERS].rstrip()
    if len(whole) > CUT_CHARACTERS and " " in key:
        key = key.rsplit(" ", 1)[0]
    return Parsed(key=key, value=whole, named=False)


def save(engine: Engine, home: Workspace, document_id: str, content: str, *, author: str) -> int | None:
    """Store a note as a fact of this agent; it replaces another value of its key. Returns the change.

    None if it is known already. Raises BadAsk for a note too long to be a claim."""
    told = parsed(content)
    claim = f"{told.key}: {told.value}" if told.named else told.value
    ask = NewFact(
        claim=claim, channel=home.channel, user_id=home.user_id, agent_id=home.agent_id, key=told.key,
        value=told.value,
    )  # fmt: skip
    pair = claims.told_beside(ask)
    channel = ensure_channel(engine, home.user_id, home.channel, author=author)
    category = category_for(engine, claim, home.user_id, channel)

    def verb(db: Connection) -> tuple[Change | None, None]:
        draft = Draft(
            engine=engine, db=db, user_id=home.user_id, channel=channel, agent_id=home.agent_id, at=engine.clock()
        )  # fmt: skip
        beside: dict[str, Any] = {
            "category": category, "confidence": CONFIDENCE, "temporal": None, "source": SOURCE, "source_turn_id": None,
            "quote": content[:QUOTE_CHARACTERS], **pair,
        }  # fmt: skip
        why = doubt(draft, claim, content, author=author, by_person=False)
        if why is not None:
            id, _ = hold(draft, why, claim, **beside)
        else:
            id, known = draft.fact(claim, **beside)
            if known:
                claims.complete(draft, id, pair)
            claims.replace_value(draft, ask, id, pair["key"])
        draft.relation(id, document_id, DERIVED_FROM, confidence=CONFIDENCE, source_turn_id=None)
        return _change(draft, claim, author), None

    applied, _ = engine.store.decide(verb)
    return None if applied is None else applied.id


def _change(draft: Draft, claim: str, author: str) -> Change | None:
    if not draft.edits:
        return None
    return Change(
        op="learn", title=shortened(claim, 120), author=author, edits=tuple(draft.edits), channel=draft.channel,
        user_id=draft.user_id,
    )  # fmt: skip
