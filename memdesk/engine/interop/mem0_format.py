"""Import of what mem0 and its plugin write, and export as mem0's `get_all` answers: facts as memories, and relations
between entities as its graph."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from memdesk.engine.interop import imported_records
from memdesk.engine.interop.batches import ImportedRecord, Source, left_out
from memdesk.engine.interop.exporting import ExportSelection, current_records, iso, records_with_extra_fields
from memdesk.engine.interop.imported_records import Fields, text_of
from memdesk.engine.interop.reading import NOT_JSON, Peek, Row, rows_of, tables_of
from memdesk.engine.workspace.layouts import slug
from memdesk.files.reading import Left
from memdesk.model.entity import ENTITY, RELATION
from memdesk.model.fact import FACT
from memdesk.model.interop import ExportFormat
from memdesk.model.message import message

_ROWS = ("results", "memories")
_FRONT = re.compile(r"^---\r?\n((?:[\w-]+:.*\r?\n)+)---\r?\n", re.MULTILINE)
_LISTS = ("categories", "files")
_CONFIDENCE = 0.85


class Mem0:
    """Answers of `get_all` and `search`, a bare list of memories, and the platform's export."""

    name = "mem0"
    reads = message("mem0's answers and platform exports (`.json`): memories, and the relations of its graph")

    def sniff(self, peek: Peek) -> bool:
        rows = _rows_in(peek.json) if peek.suffix == ".json" and peek.json is not NOT_JSON else []
        return any(isinstance(row, dict) and isinstance(row.get("memory"), str) for row in rows)

    def open(self, peek: Peek) -> Source:
        whole = Fields(peek.json if isinstance(peek.json, dict) else {}, peek.name)
        facts = [
            memory_of(Fields(row, message("{peek}, memory {count}", peek=peek.name, count=number)))
            for number, row in enumerate(_rows_in(peek.json), 1)
        ]
        graph = list(_graph(whole, slug(peek.path.stem)))
        more = [
            Left(
                name=message("{peek}, next page", peek=peek.name),
                why=message("The answer has further pages; export them all."),
            )
        ]
        return Source.of(
            self.name,
            message("mem0 memories"),
            peek,
            *imported_records.batches("memories", peek.name, facts),
            *imported_records.batches("graph", peek.name, graph),
            *(more if whole.row.get("next") else ()),
        )


class Mem0History:
    """Memories from history.db in their latest version, with the earlier texts; deleted ones are left out."""

    name = "mem0 history"
    reads = message("mem0's `history.db`: each memory as it was written last, with what it said before")

    def sniff(self, peek: Peek) -> bool:
        return {"memory_id", "new_memory", "event"} <= tables_of(peek).get("history", frozenset())

    def open(self, peek: Peek) -> Source:
        (found, _), past = rows_of(peek, "history", "messages"), dict[Any, list[Row]]()
        for row in found["history"]:
            past.setdefault(row.get("memory_id"), []).append(row)
        living = {id: rows for id, rows in past.items() if not _is_gone(rows[-1])}
        facts = [memory_of(_latest(id, rows, peek.name)) for id, rows in living.items()]
        gone, said = len(past) - len(living), len(found["messages"])
        left = (
            *left_out(
                message("{peek}, history", peek=peek.name), message("Memories that were deleted there"), gone
            ),
            *left_out(
                message("{peek}, messages", peek=peek.name),
                message("Messages of which memories may come are none yet"),
                said,
            ),
        )
        return Source.of(
            self.name,
            message("mem0 history"),
            peek,
            *imported_records.batches("memories", peek.name, facts),
            *left,
        )


class Mem0Notes:
    """Markdown that mem0's plugin for coding agents exports: one memory per block, with front matter."""

    name = "mem0 notes"
    reads = message("The markdown that mem0's plugin exports")

    def sniff(self, peek: Peek) -> bool:
        if peek.suffix != ".md" or not peek.head.startswith(b"---"):
            return False
        front = _FRONT.match(peek.file.text)
        return front is not None and {"id", "branch", "categories"} <= _front_fields(front[1]).keys()

    def open(self, peek: Peek) -> Source:
        text = peek.file.text
        heads = [each for each in _FRONT.finditer(text) if "id" in _front_fields(each[1])]
        ends = [head.start() for head in heads[1:]] + [len(text)]
        facts = [
            memory_of(
                Fields(
                    {**_front_fields(head[1]), "memory": text[head.end() : end]},
                    message("{peek}, memory {count}", peek=peek.name, count=number),
                )
            )
            for number, (head, end) in enumerate(zip(heads, ends, strict=True), 1)
        ]
        return Source.of(
            self.name, message("mem0 notes"), peek, *imported_records.batches("memories", peek.name, facts)
        )


def memory_of(row: Fields) -> ImportedRecord:
    """Return one memory as a fact. Its owners other than the agent, its metadata and the rest are kept as
    extra fields."""
    return imported_records.fact(
        row.needed("id"),
        row.needed("memory"),
        row,
        category=_category(row.row),
        confidence=row.share("confidence", _CONFIDENCE),
        agent_id=row.optional("agent_id"),
        created_at=row.at("created_at"),
    )


def _category(row: Any) -> str:
    """Return the category in a memory's metadata, else the first of its categories."""
    metadata, listed = row.get("metadata"), row.get("categories")
    named = metadata.get("category") if isinstance(metadata, dict) else None
    given = named or (listed[0] if isinstance(listed, list) and listed else None)
    return " ".join(given.split())[:100] if isinstance(given, str) and given.strip() else "fact"


def _graph(whole: Fields, scope: str) -> Iterator[ImportedRecord]:
    """Yield the relations of mem0's graph memory, and the entities they connect."""
    seen: set[str] = set()
    for row in whole.rows("relations"):
        ends = row.needed("source"), row.needed("destination", "target")
        ids = [imported_records.entity_id(name, scope) for name in ends]
        for id, name in zip(ids, ends, strict=True):
            if id not in seen:
                seen.add(id)
                yield imported_records.entity(id, name, Fields({}, row.where))
        yield imported_records.tie(ids[0], row.needed("relationship", "relation"), ids[1], row.where)


def _rows_in(value: Any) -> list[Any]:
    """Return the memories of an answer: the list itself, or the list it wraps."""
    if isinstance(value, dict):
        value = next((value[name] for name in _ROWS if isinstance(value.get(name), list)), None)
    return value if isinstance(value, list) else []


def _is_gone(row: dict[str, Any]) -> bool:
    return row.get("event") == "DELETE" or bool(row.get("is_deleted"))


def _latest(id: Any, rows: list[Row], file: str) -> Fields:
    first, last = rows[0], rows[-1]
    earlier = [
        {"memory": row.get("new_memory"), "at": row.get("updated_at") or row.get("created_at")}
        for row in rows[:-1]
    ]
    kept = {name: last.get(name) for name in ("updated_at", "actor_id", "role")}
    fields = {"id": id, "memory": last.get("new_memory"), "created_at": first.get("created_at"), **kept}
    return Fields({**fields, "earlier": earlier}, message("{file}, memory {id}", file=file, id=id))


def _front_fields(front: str) -> dict[str, Any]:
    """Return front matter as fields; an empty value becomes None."""
    pairs: Iterable[tuple[str, str, str]] = (line.partition(":") for line in front.splitlines())
    fields: dict[str, Any] = {name.strip(): value.strip() or None for name, _, value in pairs}
    for name in _LISTS:
        if fields.get(name):
            fields[name] = [part.strip() for part in fields[name].split(",") if part.strip()]
    if fields.get("confidence"):
        fields["confidence"] = _number(fields["confidence"])
    return fields


def _number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


MEM0 = Mem0()
MEM0_HISTORY = Mem0History()
MEM0_NOTES = Mem0Notes()


class Mem0Out:
    """Answer of mem0 for one user, in one JSON object."""

    about = ExportFormat(
        name="mem0",
        says=message("mem0’s memories, one JSON object"),
        suffix=".json",
        comes_back=True,
        holds=("facts", "relations"),
        leaves=message(
            "Entities go as the names of relations; their descriptions, and the sources of facts, stay."
        ),
    )

    def write(self, wanted: ExportSelection, target: Path) -> Counter[str]:
        memories, relations = list(_memories(wanted)), list(_relations(wanted))
        text = json.dumps({"results": memories, "relations": relations}, ensure_ascii=False, indent=1)
        target.write_text(text, "utf-8")
        return Counter(memories=len(memories), relations=len(relations))


def _memories(wanted: ExportSelection) -> Iterator[Row]:
    for fact, beside in records_with_extra_fields(wanted, FACT):
        if fact.superseded_by is not None:
            continue
        text = text_of(fact.claim, fact.quote)
        given = beside.pop("metadata", None)
        metadata = {"category": fact.category, **(given if isinstance(given, dict) else {})}
        yield {
            "id": fact.id,
            "memory": text,
            "hash": hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(),
            "metadata": metadata,
            "confidence": fact.confidence,
            "created_at": iso(fact.created_at),
            "updated_at": None,
            "user_id": wanted.user,
            "agent_id": fact.agent_id,
            **beside,
        }


def _relations(wanted: ExportSelection) -> Iterator[Row]:
    names = {entity.id: entity.name for entity in current_records(wanted, ENTITY)}
    for tie in current_records(wanted, RELATION):
        if tie.source_id in names and tie.target_id in names:
            given = json.loads(tie.properties).get("relationType") or tie.type
            yield {"source": names[tie.source_id], "relationship": given, "destination": names[tie.target_id]}


MEM0_OUT = Mem0Out()
