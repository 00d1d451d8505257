"""Knowledge graphs as different servers write them, and what becomes of a line that is damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.interop.mcp_format import OBSERVATIONS_AT_ONCE
from memdesk.model.entity import ABOUT, ENTITY, RELATION
from memdesk.model.errors import Refused
from memdesk.model.fact import FACT
from memdesk.store import records
from tests.fixtures.intake.worlds import look, take

ALIKE: dict[str, list[dict[str, Any]]] = {
    "from_entity": [
        {"type": "entity", "name": "Ines", "entityType": " person ", "observations": ["keeps bees"]},
        {"type": "entity", "name": "Hive 2", "entityType": "product", "observations": []},
        {"type": "relation", "from_entity": "Ines", "to_entity": "Hive 2", "relation_type": "owns"},
    ],
    "labels": [
        {
            "type": "node",
            "id": "0",
            "labels": ["Person"],
            "properties": {"name": "Ines", "observations": ["keeps bees"]},
        },
        {"type": "node", "id": "1", "labels": ["Product"], "properties": {"name": "Hive 2"}},
        {"type": "relationship", "id": "2", "label": "OWNS", "start": {"id": "0"}, "end": {"id": "1"}},
    ],
    "entity_type": [
        {"type": "entity", "name": "Ines", "entity_type": "PERSON", "contents": ["keeps bees"]},
        {"type": "entity", "name": "Hive 2", "entity_type": "Product", "contents": []},
        {"type": "relation", "source": "Ines", "target": "Hive 2", "relation": "owns"},
    ],
}


def written(at: Path, lines: list[dict[str, Any]]) -> Path:
    at.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    return at


@pytest.mark.parametrize("dialect", ALIKE)
def test_every_dialect_brings_the_same_graph(engine: Engine, tmp_path: Path, dialect: str) -> None:
    take(engine, written(tmp_path / "memory.jsonl", ALIKE[dialect]))
    with engine.store.reading() as db:
        entities = {each.id: each for each in records.find(db, ENTITY)}
        relations = [each for each in records.find(db, RELATION) if each.type != ABOUT]
        claims = {each.claim for each in records.find(db, FACT)}
    assert {(each.name, each.type) for each in entities.values()} == {
        ("Ines", "Person"),
        ("Hive 2", "Product"),
    }
    assert [(entities[each.source_id].name, each.type) for each in relations] == [("Ines", "OWNS")]
    assert claims == {"Ines: keeps bees"}


def test_a_bad_line_is_named_and_the_others_come_in(engine: Engine, tmp_path: Path) -> None:
    lines = [*ALIKE["from_entity"], {"type": "relation", "from": "Ines", "relationType": "knows"}]
    path = written(tmp_path / "memory.jsonl", lines)
    path.write_text('{"type": "entity", "na\n' + path.read_text())
    told = look(engine, path)
    assert {each.name for each in told.skipped} == {"memory.jsonl, line 1", "memory.jsonl, line 5"}
    assert take(engine, path)["entities"] == 2


def test_a_line_whose_type_is_no_text_is_named(engine: Engine, tmp_path: Path) -> None:
    path = written(tmp_path / "memory.jsonl", [{"type": ["entity"], "name": "A"}, *ALIKE["from_entity"]])
    (left,) = look(engine, path).skipped
    assert (left.name, left.why) == (
        "memory.jsonl, line 1",
        "Line 1 is neither an entity nor a relation.",
    )


def test_chats_with_a_type_are_no_graph(engine: Engine, tmp_path: Path) -> None:
    path = written(tmp_path / "session.jsonl", [{"type": "entity", "text": "hello"}])
    with pytest.raises(Refused):
        look(engine, path)


def test_an_entity_of_many_observations_comes_in_by_several_changes_of_one_run(
    engine: Engine, tmp_path: Path
) -> None:
    said = [f"keeps {count} hives in yard {count}" for count in range(30)]
    take(
        engine,
        written(
            tmp_path / "memory.jsonl",
            [{"type": "entity", "name": "Ines", "entityType": "person", "observations": said}],
        ),
    )
    with engine.store.reading() as db:
        changes = db.rows(
            "SELECT run, count(*) FROM edits JOIN changes ON changes.id = edits.change "
            "WHERE op = 'import' AND kind = 'fact' GROUP BY changes.id"
        )
    assert sum(facts for _, facts in changes) == 30 and len({run for run, _ in changes}) == 1
    assert max(facts for _, facts in changes) <= OBSERVATIONS_AT_ONCE
