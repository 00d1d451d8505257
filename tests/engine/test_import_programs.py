"""What each program keeps finds its place on the desk: ids, times, categories, use, ties, and the rest beside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.interop.intake import take_in
from memdesk.engine.memory.scratchpad import read_note
from memdesk.engine.progress import ignore_progress
from memdesk.engine.toolsets.knowledge import channel_graph
from memdesk.model.entity import DERIVED_FROM
from memdesk.model.interop import AskImport
from memdesk.model.working import AskNote
from memdesk.store import archiving, binding
from tests.fixtures.intake.worlds import MARA, changes, look
from tests.fixtures.interop.rich import rows, send
from tests.fixtures.interop.samples import (
    AGENT_FILE,
    CLAUDE_SESSION,
    CLAW_SESSION,
    HINDSIGHT,
    SAMPLES,
    SESSION,
    agenticx,
    chatgpt,
    claude,
    hindsight,
    letta,
    mem0,
    mem0_history,
    mem0_notes,
    messages,
    openclaw,
    openlegion,
    table,
    written,
)


def bring(engine: Engine, path: Path, **asked: Any) -> dict[str, int]:
    return dict(take_in(engine, AskImport(path=str(path), **asked), author=MARA, progress=ignore_progress))


def beside(engine: Engine, id: str) -> dict[str, Any]:
    with engine.store.reading() as db:
        return archiving.extra_data(db, [id]).get(id, {})


def by(engine: Engine, kind: str, field: str) -> dict[Any, dict[str, Any]]:
    return {row[field]: row for row in rows(engine)[kind]}


def ties(engine: Engine) -> set[tuple[str, str, str]]:
    """Relations as (what the source says, type, what the target says)."""
    says = {
        row["id"]: row.get("claim") or row.get("name") or row["id"]
        for kind in rows(engine).values()
        for row in kind
    }
    return {(says[row["source_id"]], row["type"], says[row["target_id"]]) for row in rows(engine)["relation"]}


def test_mem0_memories_keep_id_time_category_and_metadata(engine: Engine, tmp_path: Path) -> None:
    bring(engine, mem0(tmp_path))
    facts = by(engine, "fact", "id")
    sam, ferry = facts["892db2ae-06d9-49e5-8b3e-585ef9b85b8e"], facts["5a0b6f0e-1111-4d5c-9d2b-000000000001"]
    assert (sam["claim"], sam["category"], sam["channel"]) == (
        "Sam likes dark mode",
        "preferences",
        "get-all",
    )
    assert (ferry["claim"], ferry["quote"]) == (
        "The ferry leaves at 7. Never on Sundays.",
        "The ferry leaves at 7.\nNever on Sundays.",
    )
    assert (ferry["agent_id"], ferry["category"]) == ("iris", "travel")
    assert ferry["created_at"] == 1771686000 * 1_000_000
    assert beside(engine, sam["id"])["metadata"] == {"category": "preferences", "room": 4}
    assert beside(engine, sam["id"])["run_id"] == "r-7"
    assert ("Sam", "WORKS_AT", "Harbour office") in ties(engine)


def test_a_long_type_of_relation_is_read_by_the_tools_as_it_was_given(engine: Engine, tmp_path: Path) -> None:
    type = "is the one who looks after the lights and the pumps of the northern quay of"
    path = mem0(tmp_path)
    path.write_text(path.read_text().replace("works at", type))
    bring(engine, path)
    with engine.store.reading() as db:
        (told,) = channel_graph(db, "local", "get-all").spoken((), None, touching=False)["relations"]
    assert told["relationType"] == type


def test_mem0s_history_brings_the_last_words_with_those_before(engine: Engine, tmp_path: Path) -> None:
    told = look(engine, path := mem0_history(tmp_path))
    assert {left.why for left in told.skipped} == {
        "Memories that were deleted there; in all: 1.",
        "Messages of which memories may come are none yet; in all: 1.",
    }
    bring(engine, path)
    (fact,) = rows(engine)["fact"]
    assert (fact["id"], fact["claim"]) == ("m-1", "Sam drinks tea")
    assert beside(engine, "m-1")["earlier"] == [
        {"memory": "Sam drinks coffee", "at": "2026-02-20T10:00:00+00:00"}
    ]


def test_mem0s_notes_may_hold_lines_between(engine: Engine, tmp_path: Path) -> None:
    bring(engine, mem0_notes(tmp_path))
    facts = by(engine, "fact", "id")
    assert (facts["abc123"]["claim"], facts["abc123"]["confidence"]) == ("Use pnpm, not npm.", 0.9)
    assert facts["def456"]["quote"] == "A rule of ours:\n---\nlines may stand between."
    assert beside(engine, "abc123")["files"] == ["src/foo.py", "src/bar.py"]


@pytest.mark.parametrize("sample", ["letta", "letta_twice"])
def test_lettas_blocks_are_facts_under_keys_and_its_messages_a_conversation(
    engine: Engine, tmp_path: Path, sample: str
) -> None:
    bring(engine, SAMPLES[sample](tmp_path))
    facts = by(engine, "fact", "key")
    assert facts["human"]["quote"] == "human: Name: Sam\nBoat: Ferry 9"
    assert facts["persona"]["value"] == "I am Pilot." and facts["persona"]["agent_id"] == "Pilot"
    assert beside(engine, facts["persona"]["id"])["read_only"] is True
    (talk,) = rows(engine)["conversation"]
    assert (talk["title"], talk["channel"]) == ("Pilot", "pilot")
    assert [turn["content"] for turn in rows(engine)["turn"]] == ["Which berth is free?", "Berth 4."]
    assert beside(engine, talk["id"])["llm_config"] == {"model": "x"}


def test_lettas_older_files_keep_blocks_with_the_agent(engine: Engine, tmp_path: Path) -> None:
    old = {
        "agent_type": "memgpt_agent",
        "name": "Pilot",
        "version": "0.6.47",
        "system": "x",
        "message_indices": [0],
        "core_memory": [{"label": "human", "value": "Name: Sam", "limit": 5000}],
        "tools": [],
        "messages": [{"role": "user", "content": "Hello"}],
    }
    bring(engine, written(tmp_path / "old.af", old))
    assert [row["value"] for row in rows(engine)["fact"]] == ["Name: Sam"]
    assert [row["content"] for row in rows(engine)["turn"]] == ["Hello"]


def test_a_long_block_is_a_fact_a_statement(engine: Engine, tmp_path: Path) -> None:
    long = json.loads(json.dumps(AGENT_FILE))
    lines = [f"- Locker {n} belongs to the sailing school" for n in range(400)]
    long["blocks"][0]["value"] = "# Lockers\n" + "\n".join(lines)
    bring(engine, written(tmp_path / "pilot.af", long))
    claims = {row["claim"] for row in rows(engine)["fact"]}
    assert claims >= {line.removeprefix("- ") for line in lines}
    assert max(map(len, claims)) < 240


def test_a_block_that_changed_is_told_and_left(engine: Engine, tmp_path: Path) -> None:
    bring(engine, letta(tmp_path))
    changed = json.loads(json.dumps(AGENT_FILE))
    changed["blocks"][0]["value"] = "Name: Kim"
    left = look(engine, written(tmp_path / "pilot.af", changed)).skipped
    assert any("another value for “human”" in each.why for each in left)


def test_hindsights_facts_stand_on_their_chunks_with_entities_causes_and_tags(
    engine: Engine, tmp_path: Path
) -> None:
    told = look(engine, path := hindsight(tmp_path))
    assert told.channel == "quay" and [left.name for left in told.skipped] == ["bank.zip, mental_models.json"]
    bring(engine, path)
    facts, turns = by(engine, "fact", "claim"), by(engine, "turn", "content")
    broke, late = facts["The crane broke"], facts["The ferry was late"]
    assert broke["source_turn_id"] == turns["The crane broke, so the ferry was late."]["id"] == "quay/doc-1/2"
    assert (broke["category"], late["category"]) == ("world", "experience")
    assert broke["valid_from"] == 1771372800 * 1_000_000
    assert {
        ("The ferry was late", "CAUSED_BY", "The crane broke"),
        ("The ferry was late", "ABOUT", "Crane"),
        ("The crane broke", "DERIVED_FROM", "quay/doc-1/2"),
        ("Trouble with the crane delays ferries", DERIVED_FROM, "The crane broke"),
    } <= ties(engine)
    assert {row["name"] for row in rows(engine)["tag"]} == {"harbour", "crane"}
    assert beside(engine, broke["id"])["metadata"] == {"shift": "late"}
    assert beside(engine, "quay/doc-1") == {"retain_params": {"context": "log"}}


def test_hindsights_chunks_are_turns_in_their_order_and_one_without_a_number_is_the_first(
    engine: Engine, tmp_path: Path
) -> None:
    document = HINDSIGHT["documents/000000.json"]
    first, second = document["chunks"]
    chunks = [second, {"chunk_text": first["chunk_text"]}]
    bring(engine, hindsight(tmp_path, **{"documents/000000.json": {**document, "chunks": chunks}}))
    turns = sorted(rows(engine)["turn"], key=lambda turn: turn["turn_index"])
    assert [turn["content"] for turn in turns] == [first["chunk_text"].strip(), second["chunk_text"]]
    assert by(engine, "fact", "claim")["The crane broke"]["source_turn_id"] == "quay/doc-1/2"


@pytest.mark.parametrize(("known", "read_up_to"), [(True, 1), (False, -1)])
def test_a_document_is_read_again_only_where_hindsight_drew_no_facts_from_it(
    engine: Engine, tmp_path: Path, known: bool, read_up_to: int
) -> None:
    document = HINDSIGHT["documents/000000.json"]
    facts = document["facts"] if known else []
    changed = {"documents/000000.json": {**document, "facts": facts}, "observations.json": []}
    bring(engine, hindsight(tmp_path, **changed))
    (talk,) = rows(engine)["conversation"]
    assert [turn["turn_index"] for turn in rows(engine)["turn"]] == [0, 1]
    assert talk["consolidated_index"] == read_up_to


def test_openlegions_pairs_keep_key_category_use_and_boost(engine: Engine, tmp_path: Path) -> None:
    bring(engine, openlegion(tmp_path))
    crane = by(engine, "fact", "id")["fact_0123456789ab"]
    assert (crane["claim"], crane["key"], crane["value"]) == ("crane: is broken", "crane", "is broken")
    assert (crane["category"], crane["source"], crane["confidence"]) == ("harbour", "memory_save", 0.9)
    assert beside(engine, crane["id"])["decay_score"] == 1.7
    with engine.store.reading() as db:
        assert [(id, use.access_count) for id, _, use in archiving.uses(db, None)] == [(crane["id"], 3)]
    calls = rows(engine)["tool_call"]
    assert [(call["tool_name"], call["success"], call["error_message"]) for call in calls] == [
        ("lift", 1, ""),
        ("lift", 0, "too heavy"),
    ]


def test_agenticxs_sessions_bring_talk_summary_todos_and_scratchpad(engine: Engine, tmp_path: Path) -> None:
    assert bring(engine, agenticx(tmp_path), channel="quay")["scratch_notes"] == 2
    (talk,) = rows(engine)["conversation"]
    assert (talk["id"], talk["title"], talk["agent_id"]) == (SESSION, "Crane", "iris")
    goals = by(engine, "goal", "description")
    assert goals["Mend the crane"]["status"] == "active" and goals["Call Ada"]["status"] == "completed"
    assert goals["Mend the crane"]["conversation_id"] == SESSION
    assert beside(engine, goals["Mend the crane"]["id"])["active_form"] == "Mending the crane"
    (fact,) = rows(engine)["fact"]
    assert (fact["id"], fact["temporal"]) == ("3c2f1b9e-7a39-4f8e-8e39-111111111111", "past")
    note = read_note(engine, AskNote(session_id=SESSION, key="plan"), author=MARA)
    assert note.value == {"step": 2}


def test_agenticxs_messages_are_in_order_in_whatever_way_their_times_are_written(
    engine: Engine, tmp_path: Path
) -> None:
    path = agenticx(tmp_path)
    raw = binding.sqlite.connect(str(path))
    raw.execute("UPDATE session_messages SET timestamp = '2026-02-20T11:59:00+00:00' WHERE id = 2")
    raw.commit()
    raw.close()
    bring(engine, path)
    turns = sorted(rows(engine)["turn"], key=lambda row: row["turn_index"])
    assert [row["content"] for row in turns] == ["Not yet.", "Is the crane mended?"]


@pytest.mark.parametrize("written", ["10 - id", "'2026/02/2' || (9 - id)"])
def test_agenticxs_messages_are_in_order_of_what_stands_in_place_of_a_time(
    engine: Engine, tmp_path: Path, written: str
) -> None:
    path = agenticx(tmp_path)
    raw = binding.sqlite.connect(str(path))
    raw.execute(f"UPDATE session_messages SET timestamp = {written}")
    raw.commit()
    raw.close()
    bring(engine, path)
    turns = sorted(rows(engine)["turn"], key=lambda row: row["turn_index"])
    assert [row["content"] for row in turns] == ["Not yet.", "Is the crane mended?"]


def test_agenticxs_two_files_of_one_session_are_one_conversation(engine: Engine, tmp_path: Path) -> None:
    bring(engine, agenticx(tmp_path), channel="quay")
    before = changes(engine)
    assert bring(engine, messages(tmp_path), channel="quay")["known"] == 1
    assert changes(engine) == before


def test_a_note_that_the_scratchpad_has_is_left(engine: Engine, tmp_path: Path) -> None:
    bring(engine, agenticx(tmp_path))
    assert "scratch_notes" not in bring(engine, agenticx_again(tmp_path))


def agenticx_again(folder: Path) -> Path:
    (folder / "again").mkdir()
    return agenticx(folder / "again")


def test_openclaws_session_is_its_last_branch(engine: Engine, tmp_path: Path) -> None:
    told = look(engine, path := openclaw(tmp_path))
    assert [left.why for left in told.skipped] == ["Messages on branches that were left behind; in all: 1."]
    bring(engine, path)
    (talk,) = rows(engine)["conversation"]
    assert (talk["id"], talk["title"], talk["agent_id"], talk["channel"]) == (
        CLAW_SESSION,
        "The crane",
        "harbour",
        "harbour",
    )
    turns = rows(engine)["turn"]
    assert [(turn["role"], turn["content"]) for turn in turns] == [
        ("user", "Which crane is it?"),
        ("assistant", "Crane 4."),
        ("user", "Thanks."),
    ]
    metadata = json.loads(turns[1]["metadata"])
    assert metadata["tools"][0]["name"] == "look" and metadata["beside"]["message"]["usage"] == {"input": 3}
    entries = beside(engine, CLAW_SESSION)["entries"]
    assert [(entry["type"], entry["summary"]) for entry in entries] == [
        ("compaction", "They spoke of cranes.")
    ]


def test_claude_codes_session_keeps_title_channel_and_what_it_says_beside(
    engine: Engine, tmp_path: Path
) -> None:
    bring(engine, claude(tmp_path))
    (talk,) = rows(engine)["conversation"]
    assert (talk["id"], talk["title"], talk["channel"]) == (CLAUDE_SESSION, "Mend the crane", "quay")
    assert json.loads(rows(engine)["turn"][1]["metadata"])["beside"]["gitBranch"] == "main"


def test_chatgpts_message_whose_parts_are_one_text_is_kept(engine: Engine, tmp_path: Path) -> None:
    path = chatgpt(tmp_path)
    (talk,) = json.loads(path.read_text())
    talk["mapping"]["b2"]["message"]["content"]["parts"] = "At seven."
    path.write_text(json.dumps([talk]))
    bring(engine, path)
    assert {row["content"] for row in rows(engine)["turn"]} == {"When is high tide?", "At seven."}


def test_columns_of_one_name_are_all_kept(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text("claim,room,room,,\nThe crane is red,one,two,three,four\n")
    bring(engine, path)
    (fact,) = rows(engine)["fact"]
    kept = {"room": "one", "room 2": "two", "": "three", "2": "four"}
    assert beside(engine, fact["id"]) == kept


def test_a_column_keeps_its_name_beside_columns_of_one_name(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text("claim,room,room,room 2\nThe crane is red,one,two,three\n")
    bring(engine, path)
    (fact,) = rows(engine)["fact"]
    assert beside(engine, fact["id"]) == {"room": "one", "room 3": "two", "room 2": "three"}


def test_a_table_of_very_many_columns_without_a_name_is_read_at_once(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text(f"claim{',' * 16_383}\nThe crane is red{',' * 16_382},last\n")
    bring(engine, path)
    (fact,) = rows(engine)["fact"]
    assert beside(engine, fact["id"]) == {"16383": "last"}


def test_a_table_says_how_each_column_was_read(engine: Engine, tmp_path: Path) -> None:
    told = look(engine, path := table(tmp_path))
    assert told.says == (
        "Table of facts: claim from “Text”, confidence from “Confidence”, channel from “Project”, "
        "created at from “Date”, about from “Entities”, tags from “Tags”; kept beside: Room"
    )
    bring(engine, path)
    crane = by(engine, "fact", "claim")["The crane, at last, works"]
    assert (crane["channel"], crane["confidence"]) == ("quay", 0.9)
    assert crane["created_at"] == 1771581600 * 1_000_000
    assert beside(engine, crane["id"]) == {"Room": "4"}
    assert {row["name"] for row in rows(engine)["tag"]} == {"crane", "spring"}
    assert ("Ada is away", "ABOUT", "Ada") in ties(engine)


def test_a_folder_brings_every_export_that_lies_in_it(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()
    for make in (mem0, openlegion, hindsight, letta, agenticx):
        make(folder)
    counts = bring(engine, folder)
    assert counts["facts"] == 2 + 2 + 3 + 2 + 1 and counts["conversations"] == 3


def test_the_whole_of_agenticx_brings_each_session_once_and_leaves_its_index(
    engine: Engine, tmp_path: Path
) -> None:
    home = tmp_path / ".agenticx"
    (home / "workspace" / "memory").mkdir(parents=True)
    (home / "workspace" / "IDENTITY.md").write_text("# Identity\n\n- **Name:** Iris\n")
    (home / "memory").mkdir()
    agenticx(home / "memory")
    messages(home)
    raw = binding.sqlite.connect(str(home / "memory" / "main.sqlite"))
    raw.executescript("CREATE TABLE files (path TEXT); CREATE TABLE chunks (id TEXT, text TEXT);")
    raw.close()
    told = look(engine, home)
    assert {left.name: left.why for left in told.skipped} == {
        "memory/main.sqlite": "It is a search index over files."
    }
    bring(engine, home)
    assert [row["id"] for row in rows(engine)["conversation"]] == [SESSION]
    assert len(rows(engine)["turn"]) == 2 and len(rows(engine)["goal"]) == 2


def test_tables_and_archives_in_a_folder_ask_to_be_imported_by_themselves(
    engine: Engine, tmp_path: Path
) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    table(folder)
    mem0(folder)
    bring(engine, folder / "get_all.json")
    send(engine, "archive", folder / "desk.zip")
    assert {left.name: left.why for left in look(engine, folder).skipped} == {
        "desk.zip": "It is a MemDesk archive.",
        "facts.csv": "A table may hold anything; it comes in where it is imported by itself.",
    }
