"""Semantic memory: facts. A fact is one claim that stands alone, with where it came from and how sure it is."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass

from memdesk.model.kind import Kind

CATEGORIES = ("fact", "decision", "preference", "constraint", "event")
CERTAINTY = {"explicit": 0.95, "implied": 0.85, "inferred": 0.70, "uncertain": 0.50}
"""AgentX's calibration: how sure a claim is by how it was said."""
TEMPORAL = ("current", "past", "future")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A claim. `salience` is its strength as set at `salience_at`; what it is worth now is computed when read.

    source: who says so (explicit, extraction, import, person). quote: the words it was read from. promoted_from and
    superseded_by name other facts. pinned facts do not fade. key and value: the claim as "key: value" where the agent
    that told it keeps such pairs (OpenLegion); a key has one current fact in its channel. valid_from, valid_to: when it
    was true.
    """

    seq: int
    id: str
    user_id: str
    channel: str
    agent_id: str | None
    claim: str
    category: str
    confidence: float
    source: str
    source_turn_id: str | None
    quote: str
    temporal: str | None
    promoted_from: str | None
    superseded_by: str | None
    pinned: int
    salience: float
    salience_at: int
    created_at: int
    retired_at: int | None = None
    key: str | None = None
    value: str | None = None
    valid_from: int | None = None
    valid_to: int | None = None


def claim_hash(claim: str) -> str:
    """What two tellings of one claim share: SHA-256 of it in lower case with single spaces, 16 hex digits (AgentX).

    A full stop at its end is no difference.
    """
    told = " ".join(unicodedata.normalize("NFKC", claim).casefold().split()).rstrip(".。!")
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]


FACT = Kind(
    name="fact",
    prefix="f",
    table="facts",
    record=Fact,
    label="Fact",
    layer="semantic",
    title="claim",
    subject_rank=1,
    text=("claim",),
    references=(("source_turn_id", "turn"), ("promoted_from", "fact"), ("superseded_by", "fact")),
    fades=True,
)
