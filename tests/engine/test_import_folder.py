"""Folders of markdown are registered in place: workspaces, documents, days, and the facts of curated files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import edit_fact
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.model.curation import EditFact, Undo
from memdesk.model.document import DOCUMENT, WORKSPACE, Document
from memdesk.model.entity import DERIVED_FROM, RELATION
from memdesk.model.errors import BadAsk, Conflict, NotFound, Refused
from memdesk.model.fact import FACT, Fact
from memdesk.model.recall import Query
from memdesk.store import records
from tests.fixtures.intake.worlds import MARA, changes, contents, copy_of, count, events, look, take


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    return copy_of("harbour", tmp_path)


def documents(engine: Engine) -> dict[str, Document]:
    with engine.store.reading() as db:
        return {document.path: document for document in records.find(db, DOCUMENT)}


def claims(engine: Engine) -> dict[str, Fact]:
    with engine.store.reading() as db:
        return {fact.claim: fact for fact in records.find(db, FACT)}


def test_every_file_gets_its_layer_and_its_day(engine: Engine, harbour: Path) -> None:
    counts = take(engine, harbour)
    assert (counts["documents"], counts["skipped"]) == (9, 0)
    found = documents(engine)
    assert {path: document.layer for path, document in found.items()} == {
        "IDENTITY.md": "core",
        "SOUL.md": "core",
        "USER.md": "workspace",
        "AGENTS.md": "workspace",
        "MEMORY.md": "long-term",
        "learnings/errors.md": "learnings",
        "memory/2026-03-01.md": "day",
        "memory/2026-03-02.md": "day",
        "notes.md": "notes",
    }
    assert found["memory/2026-03-01.md"].day == "2026-03-01"
    assert found["MEMORY.md"].size == len((harbour / "MEMORY.md").read_text())


def test_the_agent_is_called_as_its_identity_says(engine: Engine, harbour: Path) -> None:
    told = look(engine, harbour)
    assert (told.agent_id, told.channel, told.says) == ("Runa", "runa", "Markdown as OpenClaw keeps it")
    take(engine, harbour)
    with engine.store.reading() as db:
        (workspace,) = records.find(db, WORKSPACE)
    assert (workspace.name, workspace.path, workspace.agent_id) == ("Runa", str(harbour), "Runa")


def test_bullets_of_curated_files_become_facts_with_their_line_and_file(
    engine: Engine, harbour: Path
) -> None:
    take(engine, harbour)
    fact = claims(engine)["The north quay is closed for repairs until 1 May"]
    assert (fact.source, fact.channel, fact.agent_id) == ("import", "runa", "Runa")
    assert fact.quote == "The north quay is closed for repairs until 1 May"
    assert "码头办公室周二开门" in claims(engine)
    with engine.store.reading() as db:
        (source,) = records.find(db, RELATION, source_id=fact.id, type=DERIVED_FROM)
    assert source.target_id == documents(engine)["MEMORY.md"].id


def test_passages_of_any_file_are_found_in_either_script(engine: Engine, harbour: Path) -> None:
    take(engine, harbour)
    for words, path in (("pontoon thoughts", "notes.md"), ("桟橋の予約", "memory/2026-03-02.md")):
        bundle = recall(engine, Query(text=words, channel="runa", kinds=("passage",)), author="agent:Runa")
        assert bundle.hits[0].provenance.path == path


def test_a_second_import_changes_nothing_and_says_known(engine: Engine, harbour: Path) -> None:
    take(engine, harbour)
    before = changes(engine)
    assert look(engine, harbour).known == 9
    assert take(engine, harbour)["known"] == 9
    assert changes(engine) == before


def test_a_new_day_and_a_new_line_join_in(engine: Engine, harbour: Path) -> None:
    take(engine, harbour)
    (harbour / "memory" / "2026-03-04.md").write_text("- [09:00] A new day\n")
    with (harbour / "MEMORY.md").open("a") as file:
        file.write("\n## More\n\n- The south crane lifts 12 tonnes\n")
    counts = take(engine, harbour)
    assert (counts["documents"], counts["facts"], counts["known"]) == (2, 1, 8)


def test_a_fact_corrected_on_the_desk_is_not_learned_again_from_an_old_line(
    engine: Engine, harbour: Path
) -> None:
    take(engine, harbour)
    fact = claims(engine)["The north quay is closed for repairs until 1 May"]
    edit_fact(engine, EditFact(fact_id=fact.id, claim="The north quay reopens on 2 May"), author=MARA)
    with (harbour / "MEMORY.md").open("a") as file:
        file.write("- The south crane lifts 12 tonnes\n")
    assert take(engine, harbour)["facts"] == 1
    assert "The north quay is closed for repairs until 1 May" not in claims(engine)


def test_an_import_can_be_taken_back_file_by_file(engine: Engine, harbour: Path) -> None:
    before = contents(engine)
    take(engine, harbour)
    for event in reversed(events(engine)):
        undo(engine, Undo(change=event.id), author=MARA)
    assert contents(engine) == before
    assert (harbour / "MEMORY.md").exists()


def test_a_workspace_in_a_workspace_keeps_its_files(engine: Engine, tmp_path: Path) -> None:
    shared = copy_of("shared", tmp_path)
    told = look(engine, shared)
    assert told.says == "Markdown as agnx keeps it"
    take(engine, shared)
    with engine.store.reading() as db:
        places = {w.name: (w.layout, w.channel, w.agent_id) for w in records.find(db, WORKSPACE)}
    assert places == {"world": ("agnx world", "_global", None), "nils": ("agnx", "nils", "nils")}
    assert claims(engine)["Sten - Role: crane driver"].channel == "_global"


def test_importing_a_part_of_a_registered_folder_joins_it(engine: Engine, harbour: Path) -> None:
    take(engine, harbour)
    assert take(engine, harbour / "memory")["known"] == 2
    assert take(engine, harbour / "notes.md")["known"] == 1
    assert count(engine, WORKSPACE) == 1


def test_one_markdown_file_is_a_note_of_its_folder(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "ideas").mkdir()
    (tmp_path / "ideas" / "boats.md").write_text("# Boats\n\nRed ones.\n")
    told = look(engine, tmp_path / "ideas" / "boats.md")
    assert (told.format, told.channel, told.agent_id) == ("markdown file", "ideas", None)
    assert take(engine, tmp_path / "ideas" / "boats.md")["documents"] == 1


def test_a_copy_leaves_the_folder_alone_and_is_known_the_second_time(engine: Engine, harbour: Path) -> None:
    counts = take(engine, harbour, copy=True)
    assert counts["documents"] == 9
    with engine.store.reading() as db:
        (workspace,) = records.find(db, WORKSPACE)
    there = Path(workspace.path)
    assert there.parent == engine.desk.workspaces
    assert (there / "memory" / "2026-03-01.md").read_bytes() == (
        harbour / "memory" / "2026-03-01.md"
    ).read_bytes()
    assert take(engine, harbour, copy=True)["known"] == 9
    (there / "SOUL.md").write_text("Changed on the desk.\n")
    told = take(engine, harbour, copy=True)
    assert told["known"] == 8 and told["skipped"] == 1


def test_two_users_who_copy_one_folder_have_a_copy_each(engine: Engine, harbour: Path) -> None:
    for user in ("ann", "bob"):
        assert take(engine, harbour, copy=True, user_id=user)["documents"] == 9
    with engine.store.reading() as db:
        paths = {each.path for each in records.find(db, WORKSPACE)}
    assert len(paths) == 2 and all(Path(path, "SOUL.md").is_file() for path in paths)


def test_transcripts_in_a_folder_come_in_with_it(engine: Engine, tmp_path: Path) -> None:
    chats = copy_of("chats", tmp_path)
    shutil.copy(chats / "pontoon.jsonl", chats / "numbers.json")
    (chats / "numbers.json").write_text("[1, 2]")
    told = look(engine, chats)
    assert told.counts["conversations"] == 6
    assert ("numbers.json", "It is JSON without turns.") in [(left.name, left.why) for left in told.skipped]
    assert take(engine, chats)["conversations"] == 6
    assert take(engine, chats)["known"] == 6


@pytest.mark.parametrize("name", ["relative/path", "~"])
def test_a_path_that_is_not_absolute_is_refused(engine: Engine, name: str) -> None:
    with pytest.raises(BadAsk, match="not an absolute path"):
        look(engine, Path(name))


def test_a_path_that_is_not_there_is_said(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no file or folder"):
        look(engine, tmp_path / "gone")


def test_a_whole_home_the_root_and_the_desk_are_refused(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    for path in (tmp_path / "home", Path("/"), engine.desk.folder, tmp_path):
        with pytest.raises(Refused):
            look(engine, path)


def test_a_folder_with_nothing_to_take_is_refused_and_says_why(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "cat.png").write_bytes(b"\x89PNG\0")
    with pytest.raises(Refused, match=r"There is nothing in pictures to import\. cat\.png: Neither"):
        take(engine, folder)
    (folder / "cat.png").unlink()
    with pytest.raises(Refused, match="no markdown and no transcript"):
        look(engine, folder)


def test_undoing_an_import_that_other_memory_stands_on_is_a_conflict(engine: Engine, harbour: Path) -> None:
    take(engine, harbour)
    with pytest.raises(Conflict):
        undo(engine, Undo(change=1), author=MARA)
    assert count(engine, WORKSPACE) == 1


def test_files_that_were_refused_are_not_counted_as_brought_in(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "forge"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("# Memory\n- Mara likes green tea.\n")
    (folder / "empty.md").write_text("")
    counts = take(engine, folder)
    assert (counts["files"], counts["documents"], counts["skipped"]) == (1, 1, 1)


def test_a_folder_without_files_is_counted_as_no_file(engine: Engine, harbour: Path) -> None:
    (harbour / "memory-bank").mkdir()
    assert look(engine, harbour).counts["files"] == take(engine, harbour)["files"] == 9
