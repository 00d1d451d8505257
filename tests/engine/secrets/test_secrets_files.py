"""Secrets in files of workspaces: the files keep their bytes, and versions, facts and prompts have placeholders."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.engine.engine import Engine, now
from memdesk.engine.memory.review_queue import review
from memdesk.engine.memory.secret_questions import ask_about_new
from memdesk.engine.memory.secret_sweep import sweep
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.engine.secrets.detector import PLACEHOLDER
from memdesk.engine.undo import undo
from memdesk.engine.workspace import documents, placing, writing
from memdesk.engine.workspace.disk import hidden
from memdesk.engine.workspace.outside_edits import reconcile
from memdesk.files.places import Desk
from memdesk.files.reading import text_of
from memdesk.model.curation import Undo
from memdesk.model.document import DOCUMENT
from memdesk.model.review import AskReview
from memdesk.model.secret import SweepSecrets
from memdesk.model.workspace import FileText, ReadFile
from memdesk.store import erasing, records
from tests.engine.secrets.texts import Draw
from tests.fixtures.intake.worlds import MARA, take

IRIS = "agent:Iris"
KEY = "gho_" + Draw("file").mixed(36)
TEXT = f"# Memory\r\n\r\n- tea\r\n- the mirror pushes with {KEY}\r\n- boats\r\n"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """With the real clock: files are judged by when they were written."""
    opened = open_engine(Desk(tmp_path / "desk"), clock=now)
    yield opened
    opened.close()


@pytest.fixture
def file(engine: Engine, tmp_path: Path) -> Path:
    folder = tmp_path / "iris"
    folder.mkdir()
    path = folder / "MEMORY.md"
    path.write_bytes(TEXT.encode())
    os.utime(path, (path.stat().st_mtime - 60, path.stat().st_mtime - 60))
    take(engine, folder)
    return path


def read(engine: Engine) -> FileText:
    with engine.store.reading() as db:
        found = records.find(db, DOCUMENT)[0]
    return documents.read(engine, ReadFile(document_id=found.id))


def is_clear(engine: Engine) -> bool:
    """Return True if the desk has the key as text anywhere; versions are compressed, so they are read too."""
    with engine.store.reading() as db:
        texts = [text for _, _, text in erasing.texts(db)]
    data = b"".join(each.read_bytes() for each in engine.desk.folder.rglob("*") if each.is_file())
    return KEY.encode() in data or any(KEY in text for text in (read(engine).text, *texts))


def test_a_file_keeps_its_bytes_while_the_desk_sees_a_placeholder(engine: Engine, file: Path) -> None:
    shown = read(engine)
    assert PLACEHOLDER.search(shown.text) and not is_clear(engine)
    assert file.read_bytes() == TEXT.encode()


def test_a_write_of_an_agent_puts_the_secret_of_the_file_back(engine: Engine, file: Path) -> None:
    shown = read(engine)
    text = shown.text.replace("boats", "ships")
    saved = writing.replace(engine, shown.document_id, text, base_hash=shown.content_hash, author=IRIS)
    assert file.read_bytes() == TEXT.replace("boats", "ships").encode() and not is_clear(engine)
    undo(engine, Undo(change=saved.change), author=MARA)
    assert file.read_bytes() == TEXT.encode()


def test_a_line_that_another_program_removed_comes_back_whole_with_the_undo(
    engine: Engine, file: Path
) -> None:
    read(engine)
    file.write_bytes(b"# Memory\r\n\r\n- tea\r\n")
    reconcile(engine)
    (change, *_) = [each.change for each in reversed(read(engine).versions) if each.author == "outside"]
    undo(engine, Undo(change=change), author=MARA)
    assert file.read_bytes() == TEXT.encode() and not is_clear(engine)


def test_an_agent_cannot_draw_a_secret_of_another_place_into_a_file(engine: Engine, file: Path) -> None:
    other = "gho_" + Draw("other").mixed(36)
    id = engine.vault.add("GitHub token", other)
    shown = read(engine)
    text = f"{shown.text}- and [secret: GitHub token {id}]\n"
    writing.replace(engine, shown.document_id, text, base_hash=shown.content_hash, author=IRIS)
    assert other.encode() not in file.read_bytes() and KEY.encode() in file.read_bytes()


def test_a_person_may_write_a_secret_into_a_file_and_an_agent_writes_a_placeholder(
    engine: Engine, file: Path
) -> None:
    other, third = ("gho_" + Draw(name).mixed(36) for name in ("other", "third"))
    for author, key in ((MARA, other), (IRIS, third)):
        shown = read(engine)
        text = f"{shown.text}- {key}\n"
        writing.replace(engine, shown.document_id, text, base_hash=shown.content_hash, author=author)
    data = file.read_bytes()
    assert other.encode() in data and KEY.encode() in data and third.encode() not in data


def test_a_removed_file_comes_back_with_its_secret(engine: Engine, file: Path) -> None:
    shown = read(engine)
    gone = placing.retire(engine, shown.document_id, author=MARA)
    assert not file.exists()
    undo(engine, Undo(change=gone.change), author=MARA)
    assert KEY in file.read_text()


def test_the_question_names_the_file_and_a_sweep_with_files_writes_the_placeholder(
    engine: Engine, file: Path
) -> None:
    shown = read(engine)
    assert ask_about_new(engine) == 1
    assert "came with MEMORY.md" in review(engine, AskReview()).rows[0].reason
    id = PLACEHOLDER.search(shown.text)["id"]  # type: ignore[index]
    ask = SweepSecrets(ids=(id,), erase=True)
    left = sweep(engine, ask, author=MARA, progress=ignore_progress)["left"]
    assert list(left) == [str(file)]


def test_a_sweep_with_files_leaves_nothing(engine: Engine, file: Path) -> None:
    id = PLACEHOLDER.search(read(engine).text)["id"]  # type: ignore[index]
    done = sweep(
        engine, SweepSecrets(ids=(id,), erase=True, files=True), author=MARA, progress=ignore_progress
    )
    assert done["left"] == {} and KEY.encode() not in file.read_bytes()
    assert b"- tea\r\n" in file.read_bytes() and read(engine).text.count(id) == 1


PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                KEY,
                "\n",
                "\r\n",
                "\r",
                "- a line",
                f"password: Qz#1{KEY[-4:]}xX",
                "[secret: GitHub token ABCDEFGH]",
            ]
        ),
        st.text(max_size=12),
    ),
    max_size=12,
)


@given(PIECES, st.sampled_from([b"", b"\xef\xbb\xbf"]))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_bytes_of_any_file_are_exact_after_its_text_was_masked(
    engine: Engine, pieces: list[str], bom: bytes
) -> None:
    data = bom + "".join(pieces).encode()
    if b"\0" in data:
        return
    found = hidden(engine, text_of(data, "x.md", modified_at=0))
    assert found.manner.exact(found.text) == data


def test_a_file_that_has_the_placeholder_as_a_text_of_its_own_is_exact_too(engine: Engine) -> None:
    id = engine.vault.add("GitHub token", KEY)
    data = f"- {KEY}\n- [secret: GitHub token {id}]\n".encode()
    found = hidden(engine, text_of(data, "x.md", modified_at=0))
    assert found.manner.exact(found.text) == data and KEY not in found.text
