"""LoCoMo (Maharana et al., ACL 2024) as turns and questions, and how a ranking of turns is scored against it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.remember import store_turns
from memdesk.model.remember import NewTurn, NewTurns

DEPTH = 10
"""A question is answered by so many turns."""
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single-hop", 5: "trick"}
TRICK = 5
"""Questions that name the wrong person; they stay out of the sums over all."""
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
_CHUNK = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """evidence: ids of the turns that answer it, at least one."""

    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """One LoCoMo conversation: a channel of MemDesk, each of its sessions a conversation."""

    name: str
    turns: tuple[NewTurn, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """recall: share of a question's evidence among the best DEPTH; hit: any of it; first: 1 / its first place."""

    category: int
    recall: float
    hit: float
    first: float


def load(path: Path) -> list[Talk]:
    """The conversations of a LoCoMo file; questions without evidence among the turns are left out."""
    return [_talk(each) for each in json.loads(path.read_text(encoding="utf-8"))]


def store(engine: Engine, talks: Sequence[Talk]) -> None:
    """Store every turn with its vector."""
    for talk in talks:
        for start in range(0, len(talk.turns), _CHUNK):
            store_turns(engine, NewTurns(turns=talk.turns[start : start + _CHUNK]), author="agent:bench")
    while embed_pending(engine):
        pass


def scored(question: Question, ids: Sequence[str]) -> Score:
    """How well the turns with these ids, best first, answer a question."""
    places = [place for place, id in enumerate(ids[:DEPTH], start=1) if id in question.evidence]
    return Score(
        category=question.category,
        recall=len(places) / len(question.evidence),
        hit=float(bool(places)),
        first=1 / places[0] if places else 0.0,
    )


def _talk(raw: dict[str, Any]) -> Talk:
    name, spoken = raw["sample_id"], raw["conversation"]
    numbers = sorted(
        int(key[8:])
        for key, value in spoken.items()
        if re.fullmatch(r"session_\d+", key) and isinstance(value, list)
    )
    turns = tuple(_turn(name, n, turn, spoken) for n in numbers for turn in spoken[f"session_{n}"])
    known = {turn.turn_id for turn in turns}
    asked = (_question(name, question, known) for question in raw["qa"])
    return Talk(name=name, turns=turns, questions=tuple(each for each in asked if each.evidence))


def _turn(talk: str, session: int, turn: dict[str, Any], spoken: dict[str, Any]) -> NewTurn:
    shared = turn.get("blip_caption", "")
    said = datetime.strptime(spoken[f"session_{session}_date_time"], "%I:%M %p on %d %B, %Y")
    return NewTurn(
        content=turn["text"] + (f" [shares {shared}]" if shared else ""),
        speaker=turn["speaker"],
        channel=talk,
        conversation_id=f"{talk}:session-{session}",
        turn_id=f"{talk}:{turn['dia_id']}",
        created_at=said.replace(tzinfo=UTC),
    )


def _question(talk: str, raw: dict[str, Any], known: set[str | None]) -> Question:
    """The ids of evidence are written carelessly (`D:11:26`, `D8:6; D9:17`, `D30:05`)."""
    named = (
        f"{talk}:D{int(found[1])}:{int(found[2])}"
        for each in raw.get("evidence", [])
        for found in _EVIDENCE.finditer(each)
    )
    return Question(
        text=raw["question"], category=raw["category"], evidence=frozenset(id for id in named if id in known)
    )
