"""Semantic memory: facts. A fact is one self-contained claim, with its source and confidence.

A claim may quote a speaker, with the question that is answered. Only this module knows the form of such a claim, so
that a comparison of claims takes no "said" for a statement."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from memdesk.model.kind import Kind
from memdesk.model.trust import BEFORE

CATEGORIES = ("fact", "decision", "preference", "constraint", "event")
EXTRACTED, IMPORTED = "extraction", "import"
"""Sources of facts that were read from conversations, and from files and exports of other programs."""
CERTAINTY = {"explicit": 0.95, "implied": 0.85, "inferred": 0.70, "uncertain": 0.50}
"""AgentX's calibration: the confidence of a claim by the way it was expressed."""
TEMPORAL = ("current", "past", "future")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Fact with its claim. `salience` is its strength as set at `salience_at`; the present strength is
    computed on reading.

    source: the origin of the claim (explicit, extraction, import, person). quote: the words it was read from.
    promoted_from and superseded_by name other facts. pinned facts do not fade. key and value: the claim as
    "key: value" if the learning agent keeps such pairs (OpenLegion); a key has one current fact in its
    channel. valid_from, valid_to: when it was true."""

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
    origin: str = ""
    trust: float = BEFORE

    def has_ended(self, at: int) -> bool:
        """Return True if the claim was true only until before this time, in UTC microseconds."""
        return self.valid_to is not None and self.valid_to <= at


@lru_cache(1024)
def claim_hash(claim: str) -> str:
    """Return the hash by which two wordings count as the same claim: 16 hex digits of SHA-256 (AgentX).

    Letter case, extra spaces and a final full stop make no difference."""
    normalised = " ".join(unicodedata.normalize("NFKC", claim).casefold().split()).rstrip(".。!")
    return hashlib.sha256(normalised.encode("utf-8", "surrogatepass")).hexdigest()[:16]


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
    category="category",
    recalled=True,
    timeline=True,
    tabled=True,
    acts=(
        *("promote", "demote", "edit", "pin", "trust", "quarantine"),
        *("retire", "restore", "rescue", "relate", "merge", "move", "tag"),
    ),
    panel="graph",
    none_yet=("No fact yet.", "Agents learn them as they work. To begin, bring in a chat or a folder."),
    labels={"temporal": "time"},
    hidden=("quote", "key", "value", "valid_from", "valid_to"),
)


_EXCHANGE = re.compile(
    r"(?P<before>(?:[“「].+?[”」] – ){1,2})(?:[^“「]{1,60}[:：] ?)?[“「].+[”」]", re.DOTALL
)
_SAID = (
    re.compile(r".{1,60} said: “(?P<said>.+)”", re.DOTALL),
    re.compile(r".{1,40}说：“(?P<said>.+)”", re.DOTALL),
    re.compile(r".{1,40}は「(?P<said>.+)」と言った", re.DOTALL),
)
_PERSONAL = re.compile(
    r"\b(?:I|me|my|mine|we|us|our|you|your|he|him|his|she|her|they|them|their|it|its|this|that)\b(?:'\w+)?"
    r"|[我你您咱他她它这那私俺僕君彼]|うち|あなた|それ|これ",
    re.IGNORECASE,
)


def quoting(tongue: str, said: str, *, speaker: str = "", before: Sequence[str] = ()) -> str:
    """Return a claim with these words, in the language zh, ja or en; with nothing else the words alone.

    before: what was said before and tells what they are about, at most two parts. It comes first, so that the end of a
    claim answers: “Who runs it?” – Ana: “Bo, since May.”"""
    opens, closes = ("「", "」") if tongue == "ja" else ("“", "”")
    quote = f"{opens}{said}{closes}"
    if before:
        name = f"{speaker}{': ' if tongue == 'en' else '：'}" if speaker else ""
        return "".join(f"{opens}{each}{closes} – " for each in before) + name + quote
    if not speaker:
        return said
    forms = {"zh": f"{speaker}说：{quote}", "ja": f"{speaker}は{quote}と言った"}
    return forms.get(tongue, f"{speaker} said: {quote}")


def answer_at(claim: str) -> int:
    """Return the place where the last words of a quoted exchange begin, with the name of their speaker; 0 if the claim
    quotes no exchange."""
    found = _EXCHANGE.fullmatch(claim)
    return found.end("before") if found else 0


def stated(claim: str) -> str:
    """Return what a claim states by itself: the words quoted, or the claim if it quotes nothing.

    "" for words that what was said before or their speaker gives their meaning: no other claim can be held against
    them."""
    if answer_at(claim):
        return ""
    for form in _SAID:
        found = form.fullmatch(claim)
        if found:
            return "" if _PERSONAL.search(found["said"]) else found["said"]
    return claim
