"""Provenance of memories: a turn of a conversation, or a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise

from memdesk.engine.memory import line_links
from memdesk.engine.memory.line_links import Tie, normalised_words
from memdesk.files.merge import lines_of
from memdesk.files.reading import plain
from memdesk.model.document import DOCUMENT, Document
from memdesk.model.fact import Fact
from memdesk.model.instant import to_datetime
from memdesk.model.recall import Provenance
from memdesk.model.trust import PERSON, TOOL, WEB
from memdesk.model.turn import CONVERSATION, TURN, Turn
from memdesk.store import document_versions, episodic, records
from memdesk.store.connection import Connection

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


def origins(db: Connection, found: Iterable[object]) -> dict[str, Provenance]:
    """Return provenance by id of the turns and facts among these; those without a known source are left out."""
    turns = [each for each in found if isinstance(each, Turn)]
    facts = [each for each in found if isinstance(each, Fact)]
    spoken = {
        turn.id: turn
        for turn in (
            *turns,
            *records.many(db, TURN, "id", [f.source_turn_id for f in facts if f.source_turn_id]),
        )
    }
    titles = {
        talk.id: talk.title
        for talk in records.many(
            db, CONVERSATION, "id", sorted({turn.conversation_id for turn in spoken.values()})
        )
    }
    places = {id: _of_turn(turn, titles.get(turn.conversation_id, "")) for id, turn in spoken.items()}
    written = _file_provenance(db, [fact.id for fact in facts if fact.source_turn_id is None])
    known = {turn.id: places[turn.id] for turn in turns}
    for fact in facts:
        place = written.get(fact.id) if fact.source_turn_id is None else places.get(fact.source_turn_id)
        if place is not None:
            known[fact.id] = replace(place, quote=fact.quote)
    return known


def _of_turn(turn: Turn, title: str) -> Provenance:
    return Provenance(
        turn_id=turn.id,
        conversation_id=turn.conversation_id,
        conversation_title=title,
        turn_index=turn.turn_index,
        speaker=turn.speaker,
        agent_id=turn.agent_id,
        at=to_datetime(turn.created_at),
    )


def _file_provenance(db: Connection, fact_ids: list[str]) -> dict[str, Provenance]:
    """Return the file and line from which each of these facts was read; for a line that is gone, its last
    position."""
    found: dict[str, Tie] = {}
    for tie in line_links.ties_of_facts(db, fact_ids):
        found.setdefault(tie.fact.id, tie)
    documents: dict[str, Document] = {
        each.id: each
        for each in records.many(
            db, DOCUMENT, "id", sorted({tie.relation.target_id for tie in found.values()})
        )
    }
    lines = {id: _lines(db, document) for id, document in documents.items()}
    return {id: _of_line(tie, documents[tie.relation.target_id], lines) for id, tie in found.items()}


def _of_line(tie: Tie, document: Document, lines: Mapping[str, list[str]]) -> Provenance:
    number = _number(lines[document.id], tie)
    return Provenance(
        document_id=document.id,
        path=document.path,
        agent_id=document.agent_id,
        at=to_datetime(document.updated_at),
        first_line=number or tie.spot.number or None,
        last_line=number or tie.spot.number or None,
        version=document.content_hash if number else tie.spot.version or None,
        line=tie.spot.line.strip(),
        headings=tie.spot.headings,
    )


def _number(lines: list[str], tie: Tie) -> int:
    """Return the number of the line as last seen, else of the first line with the same statement; 0 if there
    is none."""
    if tie.spot.line in lines:
        return lines.index(tie.spot.line) + 1
    return next(
        (number for number, line in enumerate(lines, 1) if normalised_words(line) == tie.spot.said), 0
    )


def _lines(db: Connection, document: Document) -> list[str]:
    """Return the lines of a file; none if it is retired."""
    gone = document.retired_at is not None
    return [] if gone else lines_of(plain(document_versions.text_of(db, document.content_hash)))
