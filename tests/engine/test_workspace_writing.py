"""Many write one file: changes are put together, clashes are kept with all sides, and every coming and going undoes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from memdesk.engine.engine import Engine, now
from memdesk.engine.memory.review_queue import review
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.engine.workspace import conflicts, documents, placing, writing
from memdesk.engine.workspace.outside_edits import reconcile
from memdesk.files import atomic
from memdesk.files.places import Desk
from memdesk.model.curation import Undo
from memdesk.model.document import DOCUMENT, WORKSPACE, Document
from memdesk.model.errors import Conflict, NotFound, Refused, StorageFailed
from memdesk.model.recall import Query
from memdesk.model.review import AskReview
from memdesk.model.workspace import AskConflict, AskConflicts, FileText, ReadFile, ResolveConflict, Saved
from memdesk.store import archiving, records
from memdesk.store.archiving import Selection
from tests.engine.conftest import redo
from tests.fixtures.intake.worlds import MARA, take

IRIS, FORGE = "agent:Iris", "agent:Forge"
TEXT = "# Memory\n\n- tea\n- rye bread\n- boats\n"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """With the real clock: files are judged by when they were written."""
    opened = open_engine(Desk(tmp_path / "desk"), clock=now)
    yield opened
    opened.close()


@pytest.fixture
def folder(engine: Engine, tmp_path: Path) -> Path:
    folder = tmp_path / "iris"
    folder.mkdir()
    (folder / "MEMORY.md").write_text(TEXT)
    take(engine, folder)
    return folder


def document(engine: Engine, path: str = "MEMORY.md") -> Document:
    with engine.store.reading() as db:
        (found,) = records.find(db, DOCUMENT, path=path)
    assert isinstance(found, Document)
    return found


def workspace_id(engine: Engine) -> str:
    with engine.store.reading() as db:
        return str(records.find(db, WORKSPACE)[0].id)


def read(engine: Engine, path: str = "MEMORY.md") -> FileText:
    return documents.read(engine, ReadFile(document_id=document(engine, path).id))


def save(engine: Engine, base: FileText, text: str, author: str = IRIS) -> Saved:
    return writing.replace(engine, base.document_id, text, base_hash=base.content_hash, author=author)


def found(engine: Engine, text: str) -> set[str | None]:
    ask = Query(text=text, channel="iris", kinds=("passage",))
    return {hit.provenance.path for hit in recall(engine, ask, author=IRIS).hits if text in hit.text}


def long_ago(path: Path) -> None:
    """As a file lies that nobody wrote in the last moments."""
    os.utime(path, (path.stat().st_mtime - 60, path.stat().st_mtime - 60))


# Merging.


def test_two_agents_and_an_edit_by_hand_are_put_together(engine: Engine, folder: Path) -> None:
    base = read(engine)
    assert not save(engine, base, TEXT.replace("tea", "green tea")).merged
    (folder / "MEMORY.md").write_text((folder / "MEMORY.md").read_text() + "- by hand\n")
    assert save(engine, base, TEXT.replace("rye", "dark rye"), FORGE).merged
    expected = "# Memory\n\n- green tea\n- dark rye bread\n- boats\n- by hand\n"
    assert (folder / "MEMORY.md").read_text() == expected
    assert [each.author for each in read(engine).versions] == [FORGE, "outside", IRIS, MARA]


def test_lines_that_two_add_at_the_end_are_both_kept(engine: Engine, folder: Path) -> None:
    base = read(engine)
    save(engine, base, TEXT + "- from Iris\n")
    save(engine, base, TEXT + "- from Forge\n", FORGE)
    assert (folder / "MEMORY.md").read_text() == TEXT + "- from Iris\n- from Forge\n"


def test_a_merge_touches_no_line_end_it_need_not(engine: Engine, folder: Path) -> None:
    (folder / "MEMORY.md").write_bytes(b"one\r\ntwo\nthree\r\n")
    base = read(engine)
    (folder / "MEMORY.md").write_bytes(b"one\r\ntwo\nthree\r\nfour\r\n")
    save(engine, base, "ONE\ntwo\nthree\n")
    assert (folder / "MEMORY.md").read_bytes() == b"ONE\r\ntwo\nthree\r\nfour\r\n"


def test_a_clash_keeps_every_side_and_the_file_as_it_stands(engine: Engine, folder: Path) -> None:
    base = read(engine)
    (folder / "MEMORY.md").write_text(TEXT.replace("tea", "black tea"))
    with pytest.raises(Conflict) as met:
        save(engine, base, TEXT.replace("tea", "green tea"))
    assert (folder / "MEMORY.md").read_text() == TEXT.replace("tea", "black tea")
    whole = conflicts.conflict(engine, AskConflict(conflict_id=met.value.details["conflict"]))
    assert (whole.base, whole.ours, whole.theirs) == (
        TEXT,
        TEXT.replace("tea", "green tea"),
        TEXT.replace("tea", "black tea"),
    )
    assert whole.clashes == 1 and "<<<<<<< mine\n- green tea\n=======\n- black tea\n>>>>>>>" in whole.marked
    file = read(engine)
    assert [(each.author, each.beside) for each in file.versions] == [
        ("outside", False),
        (IRIS, True),
        (MARA, False),
    ]
    with engine.store.reading() as db:
        exported = [(each.author, each.beside) for each in archiving.versions(db, Selection())]
    assert exported == [(MARA, False), ("outside", False), (IRIS, True)]
    assert file.authors[2] == "outside" and found(engine, "green") == set()


def test_the_same_clash_waits_once_and_is_in_the_review_queue(engine: Engine, folder: Path) -> None:
    base = read(engine)
    save(engine, base, "Mine.\n", FORGE)
    ids = set()
    for _ in range(3):
        with pytest.raises(Conflict) as met:
            save(engine, base, "Yours.\n")
        ids.add(met.value.details["conflict"])
    (row,) = conflicts.conflicts(engine, AskConflicts()).rows
    assert ids == {row.id} and (row.path, row.author, row.status) == ("MEMORY.md", IRIS, "open")
    (question,) = review(engine, AskReview(types=("conflict",))).rows
    assert question.subject.title == "MEMORY.md" and question.decisions == ("dismiss",)


@pytest.mark.parametrize(
    ("side", "text", "stands"),
    [("ours", "", "Yours.\n"), ("theirs", "", "Mine.\n"), ("text", "Both.\n", "Both.\n")],
)
def test_a_person_resolves_a_clash_and_undo_opens_it_again(
    engine: Engine, folder: Path, side: str, text: str, stands: str
) -> None:
    base = read(engine)
    save(engine, base, "Mine.\n", FORGE)
    with pytest.raises(Conflict) as met:
        save(engine, base, "Yours.\n")
    ask = ResolveConflict(
        conflict_id=met.value.details["conflict"], side=side, text=text, base_hash=read(engine).content_hash
    )
    done = conflicts.resolve(engine, ask, author=MARA)
    assert (folder / "MEMORY.md").read_text() == stands
    assert conflicts.conflicts(engine, AskConflicts()).rows == ()
    with pytest.raises(Conflict, match="decided already"):
        conflicts.resolve(engine, ask, author=MARA)
    undo(engine, Undo(change=done.change), author=MARA)
    assert (folder / "MEMORY.md").read_text() == "Mine.\n"
    assert len(conflicts.conflicts(engine, AskConflicts()).rows) == 1


def test_what_somebody_writes_in_the_very_moment_of_a_save_is_merged(
    engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, path, late = read(engine), folder / "MEMORY.md", ["- late\n"]
    swap = atomic.swap

    def swap_late(one: Path, other: Path) -> bool:
        if late:
            path.write_text(path.read_text() + late.pop())
        return swap(one, other)

    monkeypatch.setattr(atomic, "swap", swap_late)
    save(engine, base, TEXT.replace("tea", "green tea"))
    assert path.read_text() == TEXT.replace("tea", "green tea") + "- late\n"
    assert "outside" in {each.author for each in read(engine).versions}


def test_a_clash_in_the_very_moment_of_a_save_lets_theirs_stand(
    engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, path, late = read(engine), folder / "MEMORY.md", [TEXT.replace("tea", "black tea")]
    swap = atomic.swap

    def swap_late(one: Path, other: Path) -> bool:
        if late:
            path.write_text(late.pop())
        return swap(one, other)

    monkeypatch.setattr(atomic, "swap", swap_late)
    with pytest.raises(Conflict):
        save(engine, base, TEXT.replace("tea", "green tea"))
    assert path.read_text() == TEXT.replace("tea", "black tea")


def test_what_another_program_overwrote_unseen_is_put_back(engine: Engine, folder: Path) -> None:
    seen = (folder / "MEMORY.md").read_text()
    writing.append(engine, document(engine).id, "- from Iris\n", author=IRIS)
    (folder / "MEMORY.md").write_text(seen.replace("boats", "red boats"))
    assert read(engine).text == TEXT.replace("boats", "red boats") + "- from Iris\n"
    assert (folder / "MEMORY.md").read_text() == TEXT.replace("boats", "red boats") + "- from Iris\n"
    assert read(engine).authors[-1] == IRIS


def test_a_line_taken_out_by_hand_later_stays_out(engine: Engine, folder: Path) -> None:
    writing.append(engine, document(engine).id, "- from Iris\n", author=IRIS)
    (folder / "MEMORY.md").write_text(TEXT.replace("boats", "red boats"))
    at = now() / 1e6 + 60
    os.utime(folder / "MEMORY.md", (at, at))
    assert read(engine).text == TEXT.replace("boats", "red boats")


def test_what_was_undone_is_not_put_back(engine: Engine, folder: Path) -> None:
    added = writing.append(engine, document(engine).id, "- from Iris\n", author=IRIS)
    undo(engine, Undo(change=added.change), author=IRIS)
    (folder / "MEMORY.md").write_text(TEXT.replace("boats", "red boats"))
    assert read(engine).text == TEXT.replace("boats", "red boats")


# Appending.


def test_an_append_is_one(engine: Engine, folder: Path) -> None:
    path = folder / "MEMORY.md"
    path.write_bytes(b"# M\r\n\r\n- a\r\n- \xff\r\n- no end")
    inode = path.stat().st_ino
    writing.append(engine, document(engine).id, "- more\n", author=IRIS)
    assert path.read_bytes() == b"# M\r\n\r\n- a\r\n- \xff\r\n- no end\r\n- more\r\n"
    assert path.stat().st_ino == inode
    assert found(engine, "more") == {"MEMORY.md"}


def test_an_append_that_cannot_be_written_is_taken_back(
    engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read(engine).content_hash
    monkeypatch.setattr(atomic.os, "fsync", _full_disk)
    with pytest.raises(StorageFailed):
        writing.append(engine, document(engine).id, "- more\n", author=IRIS)
    monkeypatch.undo()
    assert document(engine).content_hash == before


def _full_disk(_: int) -> None:
    raise OSError(28, "No space left on device")


def test_a_link_inside_the_folder_is_written_through(engine: Engine, folder: Path) -> None:
    (folder / "MEMORY.md").rename(folder / "real.md")
    (folder / "MEMORY.md").symlink_to("real.md")
    save(engine, read(engine), "Changed.\n")
    assert (folder / "MEMORY.md").is_symlink() and (folder / "real.md").read_text() == "Changed.\n"


# Undo is a merge.


def test_an_undo_leaves_what_was_written_since(engine: Engine, folder: Path) -> None:
    first = save(engine, read(engine), TEXT.replace("tea", "green tea"))
    save(engine, read(engine), (folder / "MEMORY.md").read_text() + "- later\n", FORGE)
    long_ago(folder / "MEMORY.md")
    (folder / "MEMORY.md").write_text("Note\n" + (folder / "MEMORY.md").read_text())
    undo(engine, Undo(change=first.change), author=MARA)
    assert (folder / "MEMORY.md").read_text() == "Note\n" + TEXT + "- later\n"
    redo(engine, MARA)
    assert (folder / "MEMORY.md").read_text() == "Note\n" + TEXT.replace("tea", "green tea") + "- later\n"


def test_an_undo_of_lines_that_were_changed_since_is_a_conflict(engine: Engine, folder: Path) -> None:
    first = save(engine, read(engine), TEXT.replace("tea", "green tea"))
    save(engine, read(engine), TEXT.replace("tea", "white tea"), FORGE)
    with pytest.raises(Conflict, match="changed on the disk since"):
        undo(engine, Undo(change=first.change), author=MARA)
    assert (folder / "MEMORY.md").read_text() == TEXT.replace("tea", "white tea")


# Coming, going, other names.


def test_a_new_file_is_there_searched_and_undone(engine: Engine, folder: Path) -> None:
    made = placing.create(engine, workspace_id(engine), "notes/trip.md", "# Trip\n\nLisbon\n", author=IRIS)
    path = folder / "notes" / "trip.md"
    assert path.read_text() == "# Trip\n\nLisbon\n" and found(engine, "Lisbon") == {"notes/trip.md"}
    undo(engine, Undo(change=made.change), author=IRIS)
    assert not path.exists() and found(engine, "Lisbon") == set()
    redo(engine, IRIS)
    assert path.read_text() == "# Trip\n\nLisbon\n"


@pytest.mark.parametrize(
    "path",
    ["", "/etc/x.md", "../x.md", "a/../../x.md", "a\\b.md", "a\0.md", "a/", ".memdesk-1.tmp", "x" * 2000],
)
def test_a_path_that_leads_elsewhere_is_refused(engine: Engine, folder: Path, path: str) -> None:
    with pytest.raises(Refused):
        placing.create(engine, workspace_id(engine), path, "x\n", author=IRIS)


def test_a_file_that_is_there_is_never_made_anew(engine: Engine, folder: Path) -> None:
    (folder / "unknown.md").write_text("Somebody's.\n")
    for path in ("MEMORY.md", "unknown.md"):
        with pytest.raises(Conflict, match="is there already"):
            placing.create(engine, workspace_id(engine), path, "x\n", author=IRIS)
    assert (folder / "unknown.md").read_text() == "Somebody's.\n"


def test_a_file_taken_away_leaves_search_and_comes_back_byte_for_byte(engine: Engine, folder: Path) -> None:
    path = folder / "MEMORY.md"
    path.write_bytes(b"\xff\xfe" + "tea\r\nboats".encode("utf-16-le"))
    path.chmod(0o640)
    before = path.read_bytes()
    gone = placing.retire(engine, read(engine).document_id, author=IRIS)
    assert not path.exists() and found(engine, "boats") == set()
    undo(engine, Undo(change=gone.change), author=IRIS)
    assert path.read_bytes() == before and path.stat().st_mode & 0o777 == 0o640
    assert found(engine, "boats") == {"MEMORY.md"}


def test_a_file_made_again_under_its_old_name_keeps_its_history(engine: Engine, folder: Path) -> None:
    placing.retire(engine, document(engine).id, author=IRIS)
    made = placing.create(engine, workspace_id(engine), "MEMORY.md", "Anew.\n", author=FORGE)
    assert [each.author for each in read(engine).versions] == [FORGE, MARA]
    undo(engine, Undo(change=made.change), author=FORGE)
    assert not (folder / "MEMORY.md").exists()


def test_a_renamed_file_keeps_its_history_and_undo_names_it_back(engine: Engine, folder: Path) -> None:
    renamed = placing.rename(engine, document(engine).id, "archive/OLD.md", author=IRIS)
    assert (folder / "archive" / "OLD.md").read_text() == TEXT and not (folder / "MEMORY.md").exists()
    assert len(read(engine, "archive/OLD.md").versions) == 1
    undo(engine, Undo(change=renamed.change), author=IRIS)
    assert (folder / "MEMORY.md").read_text() == TEXT and document(engine).layer == "long-term"


def test_a_file_may_take_the_name_of_one_that_is_gone(engine: Engine, folder: Path) -> None:
    placing.create(engine, workspace_id(engine), "new.md", "New.\n", author=IRIS)
    placing.retire(engine, document(engine).id, author=IRIS)
    placing.rename(engine, document(engine, "new.md").id, "MEMORY.md", author=IRIS)
    assert read(engine).text == "New.\n"


def test_undoing_an_import_leaves_the_folder_alone(engine: Engine, folder: Path) -> None:
    with engine.store.reading() as db:
        change = db.value("SELECT max(id) FROM changes WHERE op = 'import'")
    undo(engine, Undo(change=change), author=MARA)
    assert (folder / "MEMORY.md").read_text() == TEXT
    with pytest.raises(ValueError):
        document(engine)


def test_a_coming_that_was_killed_before_the_write_is_finished_at_start(
    engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(placing, "create_file", lambda *_: None)
    placing.create(engine, workspace_id(engine), "trip.md", "Lisbon\n", author=IRIS)
    assert not (folder / "trip.md").exists()
    assert reconcile(engine) == 1 and (folder / "trip.md").read_text() == "Lisbon\n"


def test_a_file_taken_away_by_hand_is_not_made_anew_at_start(engine: Engine, folder: Path) -> None:
    placing.create(engine, workspace_id(engine), "trip.md", "Lisbon\n", author=IRIS)
    (folder / "trip.md").unlink()
    assert reconcile(engine) == 0 and not (folder / "trip.md").exists()


def test_a_removal_that_was_killed_before_the_disk_is_finished_at_start(
    engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(placing, "remove", lambda *_: None)
    placing.retire(engine, document(engine).id, author=IRIS)
    assert reconcile(engine) == 1 and not (folder / "MEMORY.md").exists()


def test_a_file_put_back_after_its_removal_stays(engine: Engine, folder: Path) -> None:
    placing.retire(engine, document(engine).id, author=IRIS)
    (folder / "MEMORY.md").write_text(TEXT)
    assert reconcile(engine) == 0 and (folder / "MEMORY.md").read_text() == TEXT


def test_nothing_is_written_where_the_folder_is_gone(engine: Engine, folder: Path) -> None:
    folder.rename(folder.with_name("moved"))
    with pytest.raises(NotFound, match="is not there"):
        placing.create(engine, workspace_id(engine), "trip.md", "Lisbon\n", author=IRIS)
    assert not folder.exists()
