"""Folders of a desk: what is indexed, what waits, what is left and why, and how a folder leaves the desk."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.interop.intake import bring_in, newest_change, take_in
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo, undo_run
from memdesk.engine.workspace import documents, outside_edits
from memdesk.engine.workspace.folders import LEFT_AT_MOST, folder, remove
from memdesk.engine.workspace.outside_edits import reconcile
from memdesk.model.curation import Undo, UndoRun
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.fact import FACT
from memdesk.model.interop import AskImport
from memdesk.model.recall import Query
from memdesk.model.turn import CONVERSATION
from memdesk.model.workspace import WorkspaceRow
from memdesk.model.workspace_files import AskFolder, Folder
from tests.engine.conftest import redo
from tests.fixtures.intake.worlds import MARA, changes, contents, copy_of, count, look, take


@pytest.fixture
def harbour(engine: Engine, tmp_path: Path) -> Path:
    path = copy_of("harbour", tmp_path)
    take(engine, path)
    return path


def rows(engine: Engine) -> tuple[WorkspaceRow, ...]:
    return documents.list_workspaces(engine).rows


def whole(engine: Engine, watched: tuple[Path, ...] = ()) -> Folder:
    return folder(engine, AskFolder(workspace_id=rows(engine)[0].id), watched=watched)


def disk(path: Path) -> dict[str, bytes]:
    return {
        each.relative_to(path).as_posix(): each.read_bytes() for each in path.rglob("*") if each.is_file()
    }


def found(engine: Engine, text: str) -> set[str]:
    return {hit.kind for hit in recall(engine, Query(text=text, channel="runa"), author=MARA).hits}


def test_a_folder_tells_how_each_file_stands(engine: Engine, harbour: Path) -> None:
    (harbour / "new.md").write_text("# New\n\nA file that nobody has looked at.\n")
    (harbour / "empty.md").write_text("")
    (harbour / "broken.md").write_bytes(b"a\0b")
    (harbour / "picture.png").write_bytes(b"png")
    (harbour / "notes.md").unlink()
    told = whole(engine, (harbour,))
    states = {each.path: (each.state, each.why) for each in told.files}
    assert states["new.md"] == ("waiting", "It has not been read yet; it comes in at the next look.")
    assert states["empty.md"] == ("left", "It is empty.")
    assert states["broken.md"] == ("left", "It holds NUL bytes, so it is not text.")
    assert states["notes.md"] == ("waiting", "It is gone from the disk; it leaves at the next look.")
    assert told.others == 1 and told.watched and told.present
    assert told.layout == "OpenClaw" and told.day_folder == "memory" and told.facts > 0
    assert told.passages >= 9 and told.size_bytes == sum(
        len(data) for name, data in disk(harbour).items() if name.endswith(".md")
    )
    outside_edits.compare_folders(engine, [harbour])
    states = {each.path: (each.state, each.why) for each in whole(engine).files}
    assert "notes.md" not in states and states["new.md"][0] in ("indexed", "waiting")
    assert "vector" in states["new.md"][1] or not states["new.md"][1]
    assert not whole(engine).watched


def test_of_very_many_files_that_stay_out_the_rest_is_counted(engine: Engine, harbour: Path) -> None:
    for number in range(LEFT_AT_MOST + 3):
        (harbour / f"link-{number}.md").symlink_to(harbour.parent)
    left = [each for each in whole(engine).files if each.state == "left"]
    assert len(left) == LEFT_AT_MOST + 1 and left[-1].path == "3 more"


def test_a_folder_that_leaves_leaves_every_file_and_fact(engine: Engine, harbour: Path) -> None:
    before, facts, on_disk = contents(engine), count(engine, FACT, retired_at=None), disk(harbour)
    assert "passage" in found(engine, "loose thoughts about the new pontoon")
    gone = remove(engine, AskFolder(workspace_id=rows(engine)[0].id), author=MARA)
    assert gone.files == 9 and rows(engine) == () and disk(harbour) == on_disk
    assert count(engine, FACT, retired_at=None) == facts
    assert "passage" not in found(engine, "loose thoughts about the new pontoon")
    undo(engine, Undo(change=gone.change), author=MARA)
    assert contents(engine) == before and disk(harbour) == on_disk
    assert "passage" in found(engine, "loose thoughts about the new pontoon")
    redo(engine, MARA)
    assert rows(engine) == () and disk(harbour) == on_disk
    assert count(engine, FACT, retired_at=None) == facts
    with pytest.raises(NotFound, match="no such folder"):
        remove(engine, AskFolder(workspace_id=gone.id), author=MARA)


def test_a_service_that_starts_again_touches_no_file_of_a_folder_that_left(
    engine: Engine, harbour: Path
) -> None:
    on_disk = disk(harbour)
    gone = remove(engine, AskFolder(workspace_id=rows(engine)[0].id), author=MARA)
    assert reconcile(engine) == 0 and disk(harbour) == on_disk
    undo(engine, Undo(change=gone.change), author=MARA)
    redo(engine, MARA)
    assert reconcile(engine) == 0 and disk(harbour) == on_disk


def test_a_folder_that_was_removed_comes_back_as_it_was(engine: Engine, harbour: Path) -> None:
    before, known = contents(engine), rows(engine)[0]
    remove(engine, AskFolder(workspace_id=known.id), author=MARA)
    assert take(engine, harbour)["documents"] == 9
    assert rows(engine)[0] == known and contents(engine) == before


def test_a_large_folder_leaves_in_one_run(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "many"
    path.mkdir()
    for number in range(620):
        (path / f"note-{number:03}.md").write_text(f"# Note {number}\n\nThe tide table of day {number}.\n")
    take(engine, path)
    gone = remove(engine, AskFolder(workspace_id=rows(engine)[0].id), author=MARA)
    assert gone.files == 620 and rows(engine) == ()
    back = undo_run(engine, UndoRun(change=gone.change), author=MARA, progress=ignore_progress)
    assert (back["undone"], back["left"]) == (2, {})
    assert rows(engine)[0].files == 620


def test_a_folder_is_taken_for_the_layout_a_person_names(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "plain"
    path.mkdir()
    (path / "notes.md").write_text("# Notes\n\nThe crane is oiled on Mondays.\n")
    told = look(engine, path, layout="OpenLegion")
    assert [(each.layout, each.why) for each in told.places] == [("OpenLegion", "you said so")]
    take(engine, path, layout="OpenLegion", agent_id="Iris", channel="harbour")
    row = rows(engine)[0]
    assert (row.layout, row.agent_id, row.channel) == ("OpenLegion", "Iris", "harbour")
    assert look(engine, path, layout="OpenLegion").known == 1
    with pytest.raises(BadAsk, match="on this desk already, as OpenLegion"):
        look(engine, path, layout="agnx")
    with pytest.raises(BadAsk, match="no layout Nemo"):
        look(engine, path, layout="Nemo")
    with pytest.raises(BadAsk, match="only a folder has a layout"):
        look(engine, path / "notes.md", layout="agnx")


def test_an_import_is_taken_back_by_its_run_with_what_was_extracted(engine: Engine, tmp_path: Path) -> None:
    before = contents(engine)
    path = tmp_path / "talk.jsonl"
    path.write_text(
        '{"role": "user", "content": "We decided to use PostgreSQL for the ingest service."}\n'
        '{"role": "assistant", "content": "Noted: PostgreSQL for ingest."}\n'
    )
    ask = AskImport(path=str(path), channel="tidepool")
    counts = bring_in(engine, ask, author=MARA, progress=ignore_progress, run="run_of_mine")
    assert counts["facts"] > 0 and newest_change(engine, "run_of_mine") is not None
    back = undo_run(engine, UndoRun(run="run_of_mine"), author=MARA, progress=ignore_progress)
    assert back["left"] == {} and count(engine, FACT) == 0 and count(engine, CONVERSATION) == 0
    after = contents(engine)
    assert {name: found for name, found in after.items() if name != "channel"} == {
        name: found for name, found in before.items() if name != "channel"
    }
    seen = changes(engine)
    take_in(engine, ask, author=MARA, progress=ignore_progress)
    assert changes(engine) > seen
    with pytest.raises(NotFound, match="changed nothing"):
        undo_run(engine, UndoRun(run="run_that_never_was"), author=MARA, progress=ignore_progress)
