"""Export of memories as mem0's `get_all` answers: facts as memories, and relations between entities as its
graph."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memdesk.engine.interop.births import text_of
from memdesk.engine.interop.exporting import Wanted
from memdesk.engine.interop.outward import every, every_told, iso
from memdesk.model.entity import ENTITY, RELATION
from memdesk.model.exports import ExportFormat
from memdesk.model.fact import FACT

Row = dict[str, Any]


class Mem0Out:
    """Answer of mem0 for one user, in one JSON object."""

    about = ExportFormat(
        name="mem0", says="mem0's memories and relations, as its API answers them: one JSON object", suffix=".json",
        comes_back=True, holds=("facts", "relations"),
        leaves="Entities go as the names of relations; their descriptions, and the sources of facts, stay.",
    )  # fmt: skip
    everybody = False

    def write(self, wanted: Wanted, target: Path) -> Counter[str]:
        memories, relations = list(_memories(wanted)), list(_relations(wanted))
        text = json.dumps({"results": memories, "relations": relations}, ensure_ascii=False, indent=1)
        target.write_text(text, "utf-8")
        return Counter(memories=len(memories), relations=len(relations))


def _memories(wanted: Wanted) -> Iterator[Row]:
    for fact, beside in every_told(wanted, FACT):
        if fact.superseded_by is not None:
            continue
        text = text_of(fact.claim, fact.quote)
        given = beside.pop("metadata", None)
        metadata = {"category": fact.category, **(given if isinstance(given, dict) else {})}
        yield {
            "id": fact.id, "memory": text, "hash": hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(),
            "metadata": metadata, "confidence": fact.confidence, "created_at": iso(fact.created_at),
            "updated_at": None, "user_id": wanted.user, "agent_id": fact.agent_id, **beside,
        }  # fmt: skip


def _relations(wanted: Wanted) -> Iterator[Row]:
    names = {entity.id: entity.name for entity in every(wanted, ENTITY)}
    for tie in every(wanted, RELATION):
        if tie.source_id in names and tie.target_id in names:
            given = json.loads(tie.properties).get("relationType") or tie.type
            yield {
                "source": names[tie.source_id], "relationship": given, "destination": names[tie.target_id]
            }  # fmt: skip


MEM0_OUT = Mem0Out()
