"""What other programs do to files is on the desk: journalled, searched, undoable, with the history kept."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from memdesk.engine.engine import Engine, now
from memdesk.engine.health.status import status
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.engine.workspace import documents, outside_edits
from memdesk.files.places import Desk
from memdesk.model.curation import Undo
from memdesk.model.document import DOCUMENT, Document
from memdesk.model.instant import to_datetime
from memdesk.model.recall import Query
from memdesk.model.workspace import ReadFile
from memdesk.store import records
from tests.fixtures.intake.worlds import MARA, changes, events, take


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    opened = open_engine(Desk(tmp_path / "desk"), clock=now)
    yield opened
    opened.close()


@pytest.fixture
def folder(engine: Engine, tmp_path: Path) -> Path:
    folder = tmp_path / "iris"
    (folder / "notes").mkdir(parents=True)
    (folder / "MEMORY.md").write_text("# Memory\n\n- Mara likes tea\n")
    (folder / "notes" / "boats.md").write_text("# Boats\n\nThe red one leaks.\n")
    take(engine, folder)
    return folder


def look_through(engine: Engine, folder: Path) -> dict[str, int]:
    return outside_edits.compare_folders(engine, [folder])


def document(engine: Engine, path: str) -> Document:
    with engine.store.reading() as db:
        (found,) = records.find(db, DOCUMENT, path=path)
    assert isinstance(found, Document)
    return found


def found(engine: Engine, word: str) -> set[str | None]:
    ask = Query(text=word, channel="iris", kinds=("passage",))
    return {hit.provenance.path for hit in recall(engine, ask, author=MARA).hits if word in hit.text}


def test_looking_through_what_nobody_touched_changes_nothing(engine: Engine, folder: Path) -> None:
    before = changes(engine)
    assert look_through(engine, folder) == {} and changes(engine) == before


def test_an_edit_is_a_version_from_outside_and_found_by_its_words(engine: Engine, folder: Path) -> None:
    (folder / "notes" / "boats.md").write_text("# Boats\n\nThe green one floats.\n")
    assert outside_edits.take_in_changes(engine, [folder / "notes" / "boats.md"]) == {"edited": 1}
    event = events(engine)[-1]
    assert (event.author, event.op, event.title) == ("outside", "update", "Edited outside: notes/boats.md")
    assert found(engine, "green") == {"notes/boats.md"} and found(engine, "leaks") == set()


def test_a_new_file_joins_its_workspace(engine: Engine, folder: Path) -> None:
    (folder / "memory").mkdir()
    (folder / "memory" / "2026-03-01.md").write_text("# Day\n\n- Bought kiwis\n")
    (folder / "notes" / "empty.md").write_text("\n")
    (folder / "notes" / "photo.png").write_bytes(b"\x89PNG")
    (folder / ".hidden.md").write_text("kiwis\n")
    assert outside_edits.take_in_changes(engine, [folder / "memory", folder / ".hidden.md"]) == {"found": 1}
    last = events(engine)[-1]
    assert (last.author, last.title) == ("outside", "Found memory/2026-03-01.md")
    assert found(engine, "kiwis") == {"memory/2026-03-01.md"}
    assert document(engine, "memory/2026-03-01.md").day == "2026-03-01"


def test_a_file_that_went_leaves_search_and_undo_puts_it_back(engine: Engine, folder: Path) -> None:
    path = folder / "notes" / "boats.md"
    text = path.read_text()
    path.unlink()
    assert outside_edits.take_in_changes(engine, [path]) == {"gone": 1}
    gone = events(engine)[-1].id
    assert found(engine, "leaks") == set()
    undo(engine, Undo(change=gone), author=MARA)
    assert path.read_text() == text and found(engine, "leaks") == {"notes/boats.md"}


def test_a_file_that_comes_back_has_its_history(engine: Engine, folder: Path) -> None:
    path = folder / "notes" / "boats.md"
    id = document(engine, "notes/boats.md").id
    path.unlink()
    outside_edits.take_in_changes(engine, [path])
    path.write_text("# Boats\n\nSold.\n")
    assert outside_edits.take_in_changes(engine, [path]) == {"found": 1}
    file = documents.read(engine, ReadFile(document_id=id))
    assert [version.author for version in file.versions] == ["outside", MARA]


def test_a_renamed_file_keeps_its_history_where_its_text_says_so(engine: Engine, folder: Path) -> None:
    id = document(engine, "notes/boats.md").id
    (folder / "notes").rename(folder / "harbour")
    assert outside_edits.take_in_changes(engine, [folder / "notes", folder / "harbour"]) == {"renamed": 1}
    renamed = events(engine)[-1].id
    assert document(engine, "harbour/boats.md").id == id
    assert found(engine, "leaks") == {"harbour/boats.md"}
    undo(engine, Undo(change=renamed), author=MARA)
    assert (folder / "notes" / "boats.md").exists() and not (folder / "harbour" / "boats.md").exists()


def test_many_files_that_went_together_are_one_change(engine: Engine, folder: Path) -> None:
    for n in range(30):
        (folder / "notes" / f"n{n:02}.md").write_text(f"note {n}\n")
    assert look_through(engine, folder) == {"found": 30}
    before = changes(engine)
    shutil.rmtree(folder / "notes")
    assert outside_edits.take_in_changes(engine, [folder / "notes"]) == {"gone": 31}
    assert changes(engine) == before + 1
    assert events(engine)[-1].title.endswith("and 30 more")
    undo(engine, Undo(change=events(engine)[-1].id), author=MARA)
    assert len(list((folder / "notes").iterdir())) == 31


def test_a_folder_that_is_away_is_told_and_its_files_stay(engine: Engine, folder: Path) -> None:
    folder.rename(folder.with_name("unplugged"))
    assert look_through(engine, folder) == {} and outside_edits.take_in_changes(engine, [folder]) == {}
    assert found(engine, "leaks") == {"notes/boats.md"}
    assert any("is away" in each and str(folder) in each for each in told(engine))
    assert outside_edits.folders(engine) == ()
    folder.with_name("unplugged").rename(folder)
    (folder / "MEMORY.md").unlink()
    assert told(engine) == () and look_through(engine, folder) == {"gone": 1}


def told(engine: Engine) -> tuple[str, ...]:
    asked = status(engine, socket="", pid=0, started_at=to_datetime(0), jobs=())
    return tuple(each for each in asked.notices if "folder" in each)


def test_a_workspace_inside_another_meets_its_own_files(engine: Engine, folder: Path) -> None:
    inner = folder / "agents" / "forge"
    inner.mkdir(parents=True)
    (inner / "IDENTITY.md").write_text("- **Name:** Forge\n")
    (inner / "SOUL.md").write_text("Gruff.\n")
    take(engine, inner)
    (inner / "MEMORY.md").write_text("- Anvils are heavy\n")
    assert outside_edits.take_in_changes(engine, [inner / "MEMORY.md"]) == {"found": 1}
    with engine.store.reading() as db:
        agents = {each.agent_id for each in records.find(db, DOCUMENT) if "Anvils" not in each.path}
        (anvils,) = [
            each for each in records.find(db, DOCUMENT, path="MEMORY.md") if each.agent_id == "Forge"
        ]
    assert "Forge" in agents and anvils.retired_at is None
    assert look_through(engine, folder) == {}
    assert outside_edits.folders(engine) == (folder,)


def test_a_file_replaced_by_a_link_out_of_the_folder_keeps_its_last_text(
    engine: Engine, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret.md").write_text("secret\n")
    path = folder / "notes" / "boats.md"
    path.unlink()
    path.symlink_to(tmp_path / "secret.md")
    assert outside_edits.take_in_changes(engine, [path]) == {} and found(engine, "secret") == set()
