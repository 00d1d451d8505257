"""Claims on their way to facts: their key, times and category, and their effects on existing facts: support,
completion, and a new value under a key; and the tool's output that one was copied from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from memdesk.engine.engine import Engine
from memdesk.engine.memory.draft import Draft, shielded
from memdesk.engine.providers.embedder import likeness, meaning_or_none
from memdesk.engine.wording import tidied
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.fact import CATEGORIES, FACT
from memdesk.model.instant import from_datetime, optional_instant
from memdesk.model.message import message
from memdesk.model.remember import NewFact
from memdesk.model.trust import PERSON, TOOL, WEB
from memdesk.store import episodic, recalls, records, semantic
from memdesk.store.connection import Connection
from memdesk.store.search import Vector

KEY_CHARACTERS = 200
VALUE_CHARACTERS = 2_000


def key_and_validity(ask: NewFact) -> dict[str, Any]:
    """Return the key, value and validity times of a new fact. Raises BadAsk if they are inconsistent."""
    if (ask.key is None) != (ask.value is None):
        raise BadAsk(
            message("key and value come together."), next=message("Give both, or tell the claim alone.")
        )
    if ask.valid_from and ask.valid_to and from_datetime(ask.valid_to) < from_datetime(ask.valid_from):
        raise BadAsk(message("valid_to lies before valid_from."))
    return {
        "key": None if ask.key is None else tidied(ask.key, message("A key"), KEY_CHARACTERS),
        "value": None if ask.value is None else tidied(ask.value, message("A value"), VALUE_CHARACTERS),
        "valid_from": optional_instant(ask.valid_from),
        "valid_to": optional_instant(ask.valid_to),
    }


def supported_global_fact(draft: Draft, ask: NewFact) -> str | None:
    """Return the id of the fact of `_global` that a claim from a project channel only supports, else None.

    Every recall reads `_global`, so a second copy in the project would be the same memory twice. A project
    that has the claim itself, or keeps it under a key, continues with its own fact."""
    if draft.channel == GLOBAL or ask.key is not None:
        return None
    return None if draft.known_fact(ask.claim) is not None else draft.known_globally(ask.claim)


def complete(draft: Draft, id: str, fields: dict[str, Any]) -> None:
    """Draft the key and times that a known fact does not have yet."""
    fact = records.need(draft.db, FACT, id)
    if fresh := {
        name: value for name, value in fields.items() if value is not None and getattr(fact, name) is None
    }:
        draft.edits.append(records.update_edit(FACT, fact, **fresh))


def replace_value(draft: Draft, ask: NewFact, id: str, key: str | None) -> None:
    """Draft that the fact an agent kept under a key is superseded by this one (OpenLegion: one value per key)."""
    if key is None:
        return
    known = records.get(draft.db, FACT, id)
    if known is not None and known.key not in (None, key):
        return
    old = semantic.fact_keyed(draft.db, draft.user_id, draft.channel, draft.agent_id, key)
    if old is not None and old.id not in (id, ask.supersedes):
        draft.supersede(old, id)


def replaced_ids(draft: Draft, ask: NewFact, key: str | None) -> list[str]:
    """Return the ids of the facts in whose place the caller puts this one: by name, or under its key."""
    ids = [] if ask.supersedes is None else [ask.supersedes]
    if key is not None:
        held = semantic.fact_keyed(draft.db, draft.user_id, draft.channel, ask.agent_id, key)
        ids += [] if held is None else [held.id]
    return ids


def supersede(draft: Draft, old_id: str | None, id: str, *, author: str) -> None:
    """Draft that a fact is superseded by another of its channel; nothing is drafted if it already is.

    If a person pinned or wrote the old fact, a person is asked which of the two is true. Raises NotFound,
    BadAsk for a fact of another channel, Conflict for one superseded by another."""
    if old_id is None or old_id == id:
        return
    old = records.need_owned(draft.db, FACT, old_id, draft.user_id)
    if old.channel != draft.channel:
        raise BadAsk(
            message(
                "Fact {id} is in channel {channel}; a fact supersedes one of its own channel.",
                id=old.id,
                channel=old.channel,
            )
        )
    if old.superseded_by == id:
        return
    if old.superseded_by is not None:
        raise Conflict(
            message(
                "Fact {id} was superseded already, by {superseded_by}.",
                id=old.id,
                superseded_by=old.superseded_by,
            )
        )
    if shielded(draft.db, [old.id], author):
        draft.propose(
            "contradiction", id, old.id, reason=message("An agent learned it in the place of the other.")
        )
    else:
        draft.supersede(old, id)


CATEGORY_CHARACTERS = 60


def tidied_category(name: str) -> str:
    """Return the name of a category as it is stored: in lower case, its words with single spaces. Raises BadAsk."""
    return tidied(name, message("A category"), CATEGORY_CHARACTERS).lower()


ALIKE = 0.7
"""Likeness to a category's centre that a fact must exceed to join it (OpenLegion): a cosine over 0.908."""


Centroids = Mapping[str, npt.NDArray[np.float64]]
"""Centre of each category's facts, as a unit vector."""


def category_for(engine: Engine, claim: str, user_id: str, channel: str) -> str:
    """Return the category for a new claim in this channel; plain "fact" if none is near enough, or vectors are off."""
    vector = meaning_or_none(engine.embedder, [claim])
    if vector is None:
        return CATEGORIES[0]
    with engine.store.reading(together=False) as db:
        return nearest_category(db, vector, user_id, channel)


def nearest_category(db: Connection, vector: Vector, user_id: str, channel: str) -> str:
    """Return the category of this channel that is nearest to a claim's vector; plain "fact" if none is near enough."""
    centres = recalls.centroids(db, user_id, tuple(dict.fromkeys((channel, GLOBAL))))
    near = nearest_categories(centres, vector, 1)
    return near[0] if near and likeness(float(centres[near[0]] @ vector)) > ALIKE else CATEGORIES[0]


def nearest_categories(centres: Centroids, vector: Vector, most: int) -> Sequence[str]:
    """Return at most `most` categories, by the nearness of their centres to a unit vector, nearest first."""
    return sorted(centres, key=lambda name: (-float(centres[name] @ vector), name))[:most]


HEARD = 40
"""Number of recent turns in which a claim without a source is looked for."""
COPIED, SAID, FEWEST = 0.75, 0.6, 4
"""Shares of a claim's words that a passage of two sentences, and a person's turn, have, and the fewest words to tell
that by. Set by hand."""
_WORD = re.compile(r"[^\W_\u3040-\u30ff\u3400-\u9fff]{2,}|[\u3040-\u30ff\u3400-\u9fff]")
_SENTENCE_END = re.compile(r"[.!?]\s+|[。！？\n]+")


def copied_from(db: Connection, claim: str, user_id: str, channel: str, agent_id: str | None) -> str | None:
    """Return the recent turn with the output of a tool that a claim was copied from: most of its words are in one
    passage there, and in no turn of a person. None otherwise."""
    words = frozenset(_WORD.findall(claim.casefold()))
    if len(words) < FEWEST:
        return None
    heard = episodic.heard_lately(db, user_id, channel, agent_id, HEARD)
    others = [(id, text) for id, origin, text in heard if origin in (TOOL, WEB)]
    found = next((id for id, text in others if _has_passage(text.casefold(), words)), None)
    if found is None or any(
        origin == PERSON and _share(text.casefold(), words) >= SAID for _, origin, text in heard
    ):
        return None
    return found


def _has_passage(text: str, words: frozenset[str]) -> bool:
    if sum(word in text for word in words) < COPIED * len(words):
        return False
    sentences = [words.intersection(_WORD.findall(each)) for each in _SENTENCE_END.split(text)]
    return any(len(one | other) >= COPIED * len(words) for one, other in pairwise([*sentences, frozenset()]))


def _share(text: str, words: frozenset[str]) -> float:
    return len(words.intersection(_WORD.findall(text))) / len(words)
