"""Identity files: read from the disk, saved atomically, every version kept, never overwritten blindly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.engine.engine import Engine, now
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.engine.workspace import documents
from memdesk.engine.workspace.documents import moved_lines
from memdesk.engine.workspace.outside_edits import reconcile
from memdesk.files import atomic
from memdesk.files.places import Desk
from memdesk.model.change import Change
from memdesk.model.curation import Undo
from memdesk.model.document import DOCUMENT, Document
from memdesk.model.errors import BadAsk, Conflict, NotFound, Refused, StorageFailed
from memdesk.model.recall import Query
from memdesk.model.workspace import FileText, ListFiles, ReadFile, ReadVersion, SaveFile
from memdesk.store import document_versions, journal, records
from memdesk.store.connection import Connection
from tests.effort import examples
from tests.engine.conftest import redo
from tests.fixtures.intake.worlds import MARA, changes, copy_of, take


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """With the real clock: what is asked here is whether the disk is older or newer than the journal."""
    opened = open_engine(Desk(tmp_path / "desk"), clock=now)
    yield opened
    opened.close()


@pytest.fixture
def harbour(engine: Engine, tmp_path: Path) -> Path:
    folder = copy_of("harbour", tmp_path)
    take(engine, folder)
    return folder


def document(engine: Engine, path: str) -> Document:
    with engine.store.reading() as db:
        (found,) = records.find(db, DOCUMENT, path=path)
    assert isinstance(found, Document)
    return found


def read(engine: Engine, path: str) -> FileText:
    return documents.read(engine, ReadFile(document_id=document(engine, path).id))


def save(engine: Engine, file: FileText, text: str) -> int:
    ask = SaveFile(document_id=file.document_id, text=text, base_hash=file.content_hash)
    return documents.save(engine, ask, author=MARA).change


def test_files_are_listed_with_size_and_budget_and_without_days(engine: Engine, harbour: Path) -> None:
    rows = {
        row.path: (row.layer, row.size, row.budget) for row in documents.list_files(engine, ListFiles()).rows
    }
    assert rows["SOUL.md"] == ("core", len((harbour / "SOUL.md").read_text()), 20_000)
    assert "memory/2026-03-01.md" not in rows
    assert documents.list_files(engine, ListFiles(agents=("Forge",))).rows == ()


def test_workspaces_say_whether_they_are_there(engine: Engine, harbour: Path) -> None:
    (row,) = documents.list_workspaces(engine).rows
    assert (row.name, row.agent_id, row.files, row.present) == ("Runa", "Runa", 9, True)
    harbour.rename(harbour.with_name("moved"))
    assert not documents.list_workspaces(engine).rows[0].present


def test_a_save_is_on_the_disk_in_the_journal_and_in_recall(engine: Engine, harbour: Path) -> None:
    change = save(engine, read(engine, "SOUL.md"), "# Soul\n\nFond of lighthouses.\n")
    assert (harbour / "SOUL.md").read_text() == "# Soul\n\nFond of lighthouses.\n"
    file = read(engine, "SOUL.md")
    assert [(v.change, v.author, v.added, v.removed) for v in file.versions][0] == (change, MARA, 1, 1)
    hits = recall(
        engine, Query(text="lighthouses", channel="runa", kinds=("passage",)), author="agent:Runa"
    ).hits
    assert hits[0].provenance.path == "SOUL.md"


def test_a_save_and_its_undo_leave_the_bytes_as_they_were(engine: Engine, harbour: Path) -> None:
    before = (harbour / "SOUL.md").read_bytes()
    change = save(engine, read(engine, "SOUL.md"), "Another soul.\n")
    undone = undo(engine, Undo(change=change), author=MARA)
    assert (harbour / "SOUL.md").read_bytes() == before
    assert read(engine, "SOUL.md").versions[0].change == undone.change
    redo(engine, MARA)
    assert (harbour / "SOUL.md").read_text() == "Another soul.\n"


lines = st.lists(
    st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=20), min_size=1, max_size=6
)


@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    first=lines, then=lines, newline=st.sampled_from(["\n", "\r\n"]), bom=st.booleans(), ends=st.booleans()
)
def test_any_save_and_undo_leave_any_bytes_as_they_were(
    engine: Engine, harbour: Path, first: list[str], then: list[str], newline: str, bom: bool, ends: bool
) -> None:
    path = harbour / "notes.md"
    text = newline.join(["first", *first]) + (newline if ends else "")
    path.write_bytes((("\ufeff" if bom else "") + text).encode())
    before = path.read_bytes()
    file = read(engine, "notes.md")
    change = save(engine, file, "\n".join(["then", *then]))
    after = path.read_bytes()
    assert after.startswith(b"\xef\xbb\xbf") == bom
    assert after.endswith(b"\n") or not ends
    undo(engine, Undo(change=change), author=MARA)
    assert path.read_bytes() == before


def test_line_ends_and_the_last_newline_are_kept(engine: Engine, harbour: Path) -> None:
    (harbour / "notes.md").write_bytes(b"one\r\ntwo\r\n")
    save(engine, read(engine, "notes.md"), "one\n2\nthree")
    assert (harbour / "notes.md").read_bytes() == b"one\r\n2\r\nthree\r\n"


def test_the_mode_of_the_file_is_kept(engine: Engine, harbour: Path) -> None:
    (harbour / "SOUL.md").chmod(0o640)
    save(engine, read(engine, "SOUL.md"), "Changed.\n")
    assert (harbour / "SOUL.md").stat().st_mode & 0o777 == 0o640


def test_an_edit_made_outside_is_recorded_when_read(engine: Engine, harbour: Path) -> None:
    (harbour / "SOUL.md").write_text("Rewritten by another program.\n")
    file = read(engine, "SOUL.md")
    assert file.text == "Rewritten by another program.\n"
    assert [version.author for version in file.versions] == ["outside", MARA]
    before = changes(engine)
    read(engine, "SOUL.md")
    assert changes(engine) == before
    kept = documents.version(
        engine, ReadVersion(document_id=file.document_id, content_hash=file.versions[1].content_hash)
    )
    assert kept.text.startswith("# Soul")


def test_a_version_of_another_file_is_not_found(engine: Engine, harbour: Path) -> None:
    other = read(engine, "USER.md").content_hash
    with pytest.raises(NotFound, match="has no version"):
        documents.version(engine, ReadVersion(document_id=document(engine, "SOUL.md").id, content_hash=other))


def test_a_save_over_an_edit_made_outside_is_a_conflict_with_both_texts(
    engine: Engine, harbour: Path
) -> None:
    file = read(engine, "SOUL.md")
    (harbour / "SOUL.md").write_text("Theirs.\n")
    with pytest.raises(Conflict, match="changed on the disk since you opened it") as conflict:
        save(engine, file, "Ours.\n")
    assert conflict.value.details["expected"] == file.text
    assert conflict.value.details["found"] == "Theirs.\n"
    assert (harbour / "SOUL.md").read_text() == "Theirs.\n"
    assert read(engine, "SOUL.md").versions[0].author == "outside"


def test_of_two_saves_from_one_base_the_second_is_a_conflict(engine: Engine, harbour: Path) -> None:
    file = read(engine, "SOUL.md")
    save(engine, file, "First.\n")
    with pytest.raises(Conflict):
        save(engine, file, "Second.\n")
    assert (harbour / "SOUL.md").read_text() == "First.\n"


def test_saving_the_same_text_changes_nothing(engine: Engine, harbour: Path) -> None:
    file = read(engine, "SOUL.md")
    before = changes(engine)
    assert save(engine, file, file.text) == file.versions[0].change
    assert changes(engine) == before


def test_an_undo_after_an_edit_made_outside_is_a_conflict(engine: Engine, harbour: Path) -> None:
    change = save(engine, read(engine, "SOUL.md"), "Ours.\n")
    (harbour / "SOUL.md").write_text("Theirs.\n")
    with pytest.raises(Conflict, match=r"SOUL\.md was changed on the disk since"):
        undo(engine, Undo(change=change), author=MARA)
    assert (harbour / "SOUL.md").read_text() == "Theirs.\n"


def test_an_edit_made_outside_can_be_undone(engine: Engine, harbour: Path) -> None:
    before = (harbour / "SOUL.md").read_bytes()
    (harbour / "SOUL.md").write_text("Theirs.\n")
    change = read(engine, "SOUL.md").versions[0].change
    undo(engine, Undo(change=change), author=MARA)
    assert (harbour / "SOUL.md").read_bytes() == before


def test_a_save_that_cannot_be_written_is_taken_back(
    engine: Engine, harbour: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = read(engine, "SOUL.md")
    monkeypatch.setattr(atomic.os, "fsync", _full_disk)
    with pytest.raises(StorageFailed, match=r"SOUL\.md could not be written: no space left on device"):
        save(engine, file, "Ours.\n")
    monkeypatch.undo()
    assert (harbour / "SOUL.md").read_text() == file.text
    assert document(engine, "SOUL.md").content_hash == file.content_hash
    assert not list(harbour.glob(".memdesk-*"))
    save(engine, read(engine, "SOUL.md"), "Now.\n")


def test_an_undo_that_cannot_be_written_is_taken_back(
    engine: Engine, harbour: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change = save(engine, read(engine, "SOUL.md"), "Ours.\n")
    monkeypatch.setattr(atomic.os, "fsync", _full_disk)
    with pytest.raises(StorageFailed):
        undo(engine, Undo(change=change), author=MARA)
    monkeypatch.undo()
    assert (harbour / "SOUL.md").read_text() == "Ours.\n"
    assert document(engine, "SOUL.md").content_hash == document_versions.hash_of("Ours.\n")


def _full_disk(_: int) -> None:
    raise OSError(28, "No space left on device")


def test_bytes_that_are_no_text_are_shown_and_never_saved_over(engine: Engine, harbour: Path) -> None:
    (harbour / "notes.md").write_bytes(b"half \xe7\x8c\n")
    file = read(engine, "notes.md")
    assert "\ufffd" in file.text
    with pytest.raises(Refused, match="saving would lose them"):
        save(engine, file, "x\n")
    assert (harbour / "notes.md").read_bytes() == b"half \xe7\x8c\n"


@pytest.mark.parametrize("text", ["nul \0", "half \ud83d"])
def test_a_text_no_file_can_hold_is_refused(engine: Engine, harbour: Path, text: str) -> None:
    with pytest.raises(BadAsk):
        save(engine, read(engine, "notes.md"), text)


def test_a_file_that_is_gone_is_said_and_its_versions_stay(engine: Engine, harbour: Path) -> None:
    file = read(engine, "notes.md")
    (harbour / "notes.md").unlink()
    with pytest.raises(NotFound, match=r"notes\.md is no longer in") as gone:
        read(engine, "notes.md")
    ask = ReadVersion(document_id=file.document_id, content_hash=gone.value.details["content_hash"])
    assert documents.version(engine, ask).text == file.text


def test_a_file_that_became_a_link_out_of_the_folder_is_refused(
    engine: Engine, harbour: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("secret\n")
    (harbour / "notes.md").unlink()
    (harbour / "notes.md").symlink_to(tmp_path / "secret")
    with pytest.raises(Refused, match="leads out of harbour"):
        read(engine, "notes.md")


def test_each_line_names_who_wrote_it_last(engine: Engine, harbour: Path) -> None:
    (harbour / "notes.md").write_text("a\nb\nc\n")
    save(engine, read(engine, "notes.md"), "a\nB\nc\nd\n")
    assert read(engine, "notes.md").authors == ("outside", MARA, "outside", MARA)
    undo(engine, Undo(), author=MARA)
    assert read(engine, "notes.md").authors == ("outside", "outside", "outside")


def test_lines_are_counted_as_added_and_removed() -> None:
    assert moved_lines("a\nb\n", "b\nc\nd\n") == (2, 1)
    assert moved_lines("", "a\n") == (1, 0)


def test_a_save_that_was_killed_before_the_write_is_finished_at_start(engine: Engine, harbour: Path) -> None:
    before = (harbour / "SOUL.md").read_text()
    _journal_only(engine, "SOUL.md", "Meant to be written.\n")
    (harbour / ".memdesk-0123.tmp").write_text("half")
    assert (harbour / "SOUL.md").read_text() == before
    assert reconcile(engine) == 1
    assert (harbour / "SOUL.md").read_text() == "Meant to be written.\n"
    assert not (harbour / ".memdesk-0123.tmp").exists()
    assert reconcile(engine) == 0


def test_an_undo_that_was_killed_before_the_write_is_finished_at_start(engine: Engine, harbour: Path) -> None:
    change = save(engine, read(engine, "SOUL.md"), "Ours.\n")
    original = read(engine, "SOUL.md").versions[1].content_hash
    with engine.store.reading() as db:
        text = document_versions.text_of(db, original)
    engine.store.decide(lambda db: (journal.reversed_change(db, change, MARA), None))
    assert reconcile(engine) == 1
    assert (harbour / "SOUL.md").read_text() == text


def test_a_file_put_back_by_hand_after_a_save_is_left_as_it_is(engine: Engine, harbour: Path) -> None:
    file = read(engine, "SOUL.md")
    save(engine, file, "Ours.\n")
    (harbour / "SOUL.md").write_text(file.text)
    assert reconcile(engine) == 0
    assert (harbour / "SOUL.md").read_text() == file.text
    assert read(engine, "SOUL.md").versions[0].author == "outside"


def _journal_only(engine: Engine, path: str, text: str) -> None:
    """What a save leaves behind when the service is killed between the journal and the disk."""
    was = document(engine, path)

    def verb(db: Connection) -> tuple[Change, None]:
        edit = records.update_edit(
            DOCUMENT, was, content_hash=document_versions.keep(db, text), size=len(text), updated_at=now()
        )
        return Change(
            op="update", title=f"Edited {path}", author=MARA, edits=(edit,), layer="workspace"
        ), None

    engine.store.decide(verb)
