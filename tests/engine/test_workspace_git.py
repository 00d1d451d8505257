"""A folder in a Git repository: its commits become versions, are taken back with the import, and are never needed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.interop.intake import bring_in
from memdesk.engine.progress import ignore_progress
from memdesk.engine.undo import undo
from memdesk.engine.workspace import documents, git_history
from memdesk.engine.workspace.git_history import commits_of
from memdesk.model.curation import Undo
from memdesk.model.interop import AskImport
from memdesk.model.workspace import FileText, ListFiles, ReadFile, ReadVersion
from memdesk.store import journal

MARA = "person:Mara"
pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *words: str, author: str = "Mara", day: str = "2024-03-01") -> None:
    who = {"GIT_AUTHOR_NAME": author, "GIT_AUTHOR_EMAIL": "a@b.c", "GIT_AUTHOR_DATE": f"{day}T10:00:00+00:00"}
    who |= {
        "GIT_COMMITTER_NAME": author,
        "GIT_COMMITTER_EMAIL": "a@b.c",
        "HOME": str(folder),
        "PATH": "/usr/bin:/bin",
    }
    subprocess.run(["git", *words], cwd=folder, env=who, check=True, capture_output=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace in a repository: MEMORY.md was renamed from NOTES.md, and changed by two people."""
    home = tmp_path / "forge"
    home.mkdir()
    git(home, "init", "-q")
    (home / "NOTES.md").write_text(
        "# Memory\n\n- The kiln is in the north shed\n- Omar lives in Turin\n- Rain\n"
    )
    git(home, "add", ".")
    git(home, "commit", "-qm", "begin")
    git(home, "mv", "NOTES.md", "MEMORY.md")
    git(home, "commit", "-qm", "rename", day="2024-04-01")
    (home / "MEMORY.md").write_text(
        "# Memory\n\n- The kiln is in the north shed\n- Omar lives in Genoa\n- Rain\n"
    )
    git(home, "commit", "-qam", "Omar moved", author="Jun", day="2024-05-01")
    return home


def imported(engine: Engine, folder: Path) -> tuple[FileText, str]:
    run = "run_git"
    bring_in(engine, AskImport(path=str(folder)), author=MARA, progress=ignore_progress, run=run)
    (row,) = documents.list_files(engine, ListFiles()).rows
    return documents.read(engine, ReadFile(document_id=row.document_id)), run


def test_the_commits_of_a_file_are_its_versions_with_author_and_date(engine: Engine, folder: Path) -> None:
    file, _ = imported(engine, folder)
    told = [(each.author, str(each.at.date()), each.added, each.removed) for each in file.versions]
    assert told[1:] == [("Jun", "2024-05-01", 1, 1), ("Mara", "2024-03-01", 5, 0)]
    assert told[0][0] == MARA and told[0][2:] == (0, 0)
    first = documents.version(
        engine, ReadVersion(document_id=file.document_id, content_hash=file.versions[-1].content_hash)
    )
    assert "Omar lives in Turin" in first.text
    assert "Jun" in file.authors and "Mara" in file.authors


def test_the_import_is_taken_back_with_its_versions(engine: Engine, folder: Path) -> None:
    _, run = imported(engine, folder)
    with engine.store.reading() as db:
        change = journal.newest_of(db, run)
    assert change is not None
    undo(engine, Undo(change=change), author=MARA)
    assert documents.list_files(engine, ListFiles()).rows == ()


def test_an_import_needs_no_git_and_survives_a_broken_repository(
    engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".git" / "HEAD").write_text("nonsense")
    assert commits_of(folder / "MEMORY.md") == ()
    monkeypatch.setattr(git_history.shutil, "which", lambda _: None)
    file, _ = imported(engine, folder)
    assert len(file.versions) == 1


def test_only_the_latest_commits_are_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_history, "COMMITS_AT_MOST", 1)
    assert [each.author for each in commits_of(folder / "MEMORY.md")] == ["Jun"]


def test_a_repository_cannot_make_an_import_start_a_program(folder: Path) -> None:
    trace = folder / "started"
    git(folder, "config", "core.fsmonitor", f"touch {trace}")
    git(folder, "config", "diff.external", f"touch {trace}")
    git(folder, "config", "core.pager", f"touch {trace}")
    assert len(commits_of(folder / "MEMORY.md")) == 2 and not trace.exists()
