"""Ties between a fact and the line of a file it is read from: a DERIVED_FROM relation with the line in its
properties."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memdesk.engine.memory.draft import Draft
from memdesk.engine.workspace.lines import said
from memdesk.files.manner import plain
from memdesk.files.merge import lines_of
from memdesk.model.change import Edit
from memdesk.model.document import DOCUMENT, Document
from memdesk.model.entity import DERIVED_FROM, RELATION, Relation
from memdesk.model.fact import FACT, Fact
from memdesk.store import records, versions
from memdesk.store.connection import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Line of one version of a file. version: the hash of its text; number: from 1.

    gone: the line left the file, and its fact left recall with it; the fact returns when the line does."""

    version: str
    number: int
    line: str
    gone: bool = False

    @property
    def said(self) -> str:
        """Normalised words of the line, by which it is found again."""
        return said(self.line)

    def properties(self) -> dict[str, object]:
        """Return the spot as the properties of a relation."""
        kept: dict[str, object] = {"version": self.version, "number": self.number, "line": self.line}
        return kept | ({"gone": True} if self.gone else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """Fact, the file it is read from, and the line as last seen there."""

    relation: Relation
    fact: Fact
    spot: Spot

    @property
    def holds(self) -> bool:
        """True if the fact is current and was not forgotten, so that its line belongs in the file."""
        return holds(self.fact) and not self.spot.gone

    @property
    def follows(self) -> bool:
        """True if fact and line follow each other; a promoted copy only names the source of its original."""
        return self.fact.promoted_from is None

    def at(self, spot: Spot) -> Edit:
        """Return the edit that ties the fact to another line of the file."""
        kept = json.dumps(spot.properties(), ensure_ascii=False)
        return records.moved(RELATION, self.relation, properties=kept)

    def cut(self, at: int) -> Edit:
        """Return the edit that ends the tie; the fact stays as it is."""
        return records.moved(RELATION, self.relation, retired_at=at)


def holds(fact: Fact) -> bool:
    """Return True if a fact is current: neither retired nor superseded."""
    return fact.retired_at is None and fact.superseded_by is None


def in_file(db: Connection, document_id: str) -> list[Tie]:
    """Return the ties of the facts that are read from a file and follow its lines."""
    found: list[Relation] = records.find(
        db, RELATION, target_id=document_id, type=DERIVED_FROM, retired_at=None
    )
    return [each for each in _ties(db, found) if each.follows]


def as_they_will_be(db: Connection, document_id: str, edits: Sequence[Edit]) -> list[Tie]:
    """Return the ties of a file after these edits; ties that end with them are left out."""
    after: dict[str, dict[str, Any] | None] = {}
    for edit in edits:
        so_far = after.get(edit.id, {})
        after[edit.id] = None if edit.after is None or so_far is None else so_far | edit.after
    known = {each.relation.id: each.relation for each in in_file(db, document_id)}
    back = [
        edit.id
        for edit in edits
        if edit.kind == RELATION.name and (edit.after or {}).get("retired_at", 0) is None
    ]
    known |= {each.id: each for each in records.many(db, RELATION, "id", back)}
    found: list[Tie] = []
    for each in known.values():
        relation = after.get(each.id, {})
        tied = None if relation is None else replace(each, **relation)
        if tied is None or (tied.target_id, tied.type, tied.retired_at) != (document_id, DERIVED_FROM, None):
            continue
        told: Fact | None = records.get(db, FACT, tied.source_id)
        moved = after.get(tied.source_id, {})
        if told is not None and moved is not None:
            fact = replace(told, **moved)
            found.append(Tie(relation=tied, fact=fact, spot=_spot(tied, fact)))
    return [each for each in found if each.follows]


def of_facts(db: Connection, fact_ids: Sequence[str]) -> list[Tie]:
    """Return the ties of these facts in all files, in the order of creation."""
    found: list[Relation] = [
        each
        for each in records.many(db, RELATION, "source_id", fact_ids)
        if each.type == DERIVED_FROM and each.retired_at is None
    ]
    files = {each.id for each in records.many(db, DOCUMENT, "id", sorted({each.target_id for each in found}))}
    return _ties(db, sorted((each for each in found if each.target_id in files), key=lambda each: each.seq))


def tie(draft: Draft, fact_id: str, document_id: str, spot: Spot, *, confidence: float) -> None:
    """Draft the tie of a fact to a line of a file; nothing where it is tied to that line already."""
    if any(
        each.relation.target_id == document_id and each.spot.said == spot.said
        for each in of_facts(draft.db, [fact_id])
    ):
        return
    draft.bear(
        RELATION, channel=draft.channel, source_id=fact_id, target_id=document_id, type=DERIVED_FROM,
        confidence=confidence, source_turn_id=None, created_at=draft.at,
        properties=json.dumps(spot.properties(), ensure_ascii=False),
    )  # fmt: skip


def tie_by_words(draft: Draft, fact_id: str, document_id: str, words: str, *, confidence: float) -> None:
    """Draft the tie of a fact to the line of a file that contains these words, or to the file where no line
    does."""
    document: Document = records.need(draft.db, DOCUMENT, document_id)
    lines = lines_of(plain(versions.text_of(draft.db, document.content_hash)))
    number = next((n for n, line in enumerate(lines, 1) if words.strip() and words.strip() in line), 0)
    if number:
        line = lines[number - 1]
        spot = Spot(version=document.content_hash, number=number, line=line)
        tie(draft, fact_id, document_id, spot, confidence=confidence)
    else:
        draft.relation(fact_id, document_id, DERIVED_FROM, confidence=confidence, source_turn_id=None)


def _ties(db: Connection, relations: Iterable[Relation]) -> list[Tie]:
    kept = list(relations)
    facts: dict[str, Fact] = {
        each.id: each for each in records.many(db, FACT, "id", sorted({each.source_id for each in kept}))
    }
    return [
        Tie(relation=each, fact=facts[each.source_id], spot=_spot(each, facts[each.source_id]))
        for each in kept
        if each.source_id in facts
    ]


def spot_born(edit: Edit) -> Spot | None:
    """Return the line that an edit ties a fact to; None unless the edit creates a tie to a line in use."""
    if edit.kind != RELATION.name or edit.before is not None or edit.after is None:
        return None
    kept = json.loads(edit.after.get("properties") or "{}")
    if edit.after["type"] != DERIVED_FROM or not kept.get("version") or kept.get("gone"):
        return None
    return None if edit.after["retired_at"] is not None else _kept_spot(kept, "")


def _spot(relation: Relation, fact: Fact) -> Spot:
    """Return the line a fact was read from; for one read before lines were stored, its quote or claim is used
    as the line."""
    return _kept_spot(json.loads(relation.properties), fact.quote or fact.claim)


def _kept_spot(kept: Mapping[str, Any], words: str) -> Spot:
    return Spot(
        version=kept.get("version", ""), number=kept.get("number", 0), line=kept.get("line", words),
        gone=kept.get("gone", False),
    )  # fmt: skip
