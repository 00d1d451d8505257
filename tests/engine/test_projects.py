"""Projects: one channel for a project wherever its folder is, and never one for two that only share a name."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.runtimes.projects import (
    bind,
    channel_for,
    folder_mark,
    forget,
    normalised_remote,
    projects,
    split,
)
from memdesk.engine.undo import undo
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.curation import Undo
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.project import BindProject, ForgetProject, ListProjects, SplitProject

PERSON = "person:Mara"
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *words: str) -> None:
    named = ("-c", "user.name=Mara", "-c", "user.email=mara@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *named, "-C", str(folder), *words], check=True, capture_output=True, timeout=60)


def repository(folder: Path, remote: str = "") -> Path:
    """A repository with one commit, which no other repository has."""
    folder.mkdir(parents=True)
    git(folder, "init")
    (folder / "README.md").write_text(str(folder))
    git(folder, "add", ".")
    git(folder, "commit", "-m", f"Begin {folder}")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    return folder


def channel(engine: Engine, folder: Path) -> str:
    return channel_for(engine, str(folder), user_id=LOCAL_USER, author="agent:claude-code")


@needs_git
def test_a_repository_has_one_channel_in_its_folder_its_subfolders_and_its_worktrees(
    engine: Engine, tmp_path: Path
) -> None:
    home = repository(tmp_path / "api", "git@example.org:acme/api.git")
    (home / "src" / "deep").mkdir(parents=True)
    git(home, "worktree", "add", str(tmp_path / "api-fix"))
    found = {channel(engine, each) for each in (home, home / "src" / "deep", tmp_path / "api-fix", home)}
    assert found == {"api"}
    assert len(projects(engine, ListProjects()).rows) == 1


@needs_git
def test_two_clones_of_one_remote_are_one_project_by_whatever_protocol(
    engine: Engine, tmp_path: Path
) -> None:
    first = repository(tmp_path / "a" / "api", "git@example.org:acme/api.git")
    git(tmp_path, "clone", str(first), str(tmp_path / "copy"))
    git(tmp_path / "copy", "remote", "set-url", "origin", "https://mara:secret@example.org/acme/api")
    assert channel(engine, first) == channel(engine, tmp_path / "copy") == "api"


@needs_git
@pytest.mark.parametrize("kind", ["remotes", "no remotes", "no git"])
def test_strangers_of_one_name_stay_apart(engine: Engine, tmp_path: Path, kind: str) -> None:
    ways = [tmp_path / owner / "api" for owner in ("acme", "zeta", "other/zeta")]
    for number, folder in enumerate(ways):
        if kind == "no git":
            folder.mkdir(parents=True)
        else:
            repository(folder, f"https://example.org/o{number}/api" if kind == "remotes" else "")
    names = [channel(engine, folder) for folder in ways]
    assert names[0] == "api" and len(set(names)) == 3
    assert [channel(engine, folder) for folder in reversed(ways)] == names[::-1]


@needs_git
def test_a_repository_that_is_moved_or_gets_a_remote_keeps_its_channel(
    engine: Engine, tmp_path: Path
) -> None:
    home = repository(tmp_path / "api")
    assert channel(engine, home) == "api"
    home.rename(tmp_path / "renamed")
    assert channel(engine, tmp_path / "renamed") == "api"
    git(tmp_path / "renamed", "remote", "add", "origin", "https://example.org/acme/service")
    assert channel(engine, tmp_path / "renamed") == "api"


def test_a_folder_outside_git_is_followed_when_it_is_renamed_and_a_new_one_in_its_place_is_not(
    engine: Engine, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    if not folder_mark(notes):
        pytest.skip("this system does not say when a folder was made")
    assert channel(engine, notes) == "notes"
    notes.rename(tmp_path / "garden")
    assert channel(engine, tmp_path / "garden") == "notes"
    notes.mkdir()
    assert channel(engine, notes) != "notes"


def test_a_folder_inside_a_project_outside_git_belongs_to_it(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "notes" / "2026").mkdir(parents=True)
    assert channel(engine, tmp_path / "notes") == "notes"
    assert channel(engine, tmp_path / "notes" / "2026") == "notes"


def test_a_session_in_the_home_folder_does_not_take_in_the_folders_below(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "notes").mkdir()
    assert channel(engine, tmp_path) != channel(engine, tmp_path / "notes") == "notes"


@needs_git
def test_a_folder_that_becomes_a_repository_keeps_its_channel(engine: Engine, tmp_path: Path) -> None:
    home = tmp_path / "pier"
    home.mkdir()
    assert channel(engine, home) == "pier"
    git(home, "init")
    (home / "a").write_text("a")
    git(home, "add", ".")
    git(home, "commit", "-m", "First")
    assert channel(engine, home) == "pier"


def test_the_memory_that_a_folder_had_under_its_name_stays_its_memory(engine: Engine, tmp_path: Path) -> None:
    ensure_channel(engine, LOCAL_USER, "pier", author=PERSON)
    (tmp_path / "pier").mkdir()
    assert channel(engine, tmp_path / "pier") == "pier"


@pytest.mark.parametrize("folder", ["", "  ", "a\0b"])
def test_where_no_folder_is_named_the_channel_is_global(engine: Engine, folder: str) -> None:
    assert channel_for(engine, folder, user_id=LOCAL_USER, author=PERSON) == GLOBAL


def test_a_person_binds_two_projects_and_parts_them_again(engine: Engine, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    assert (channel(engine, one), channel(engine, two)) == ("one", "two")
    done = bind(engine, BindProject(folder=str(two), channel="one"), author=PERSON)
    assert done.change is not None and channel(engine, two) == "one"
    assert bind(engine, BindProject(folder=str(two), channel="one"), author=PERSON).change is None
    parted = split(engine, SplitProject(folder=str(two)), author=PERSON)
    assert parted.channel != "one" and channel(engine, two) == parted.channel
    with pytest.raises(BadAsk):
        split(engine, SplitProject(folder=str(two), channel="one"), author=PERSON)
    with pytest.raises(NotFound):
        split(engine, SplitProject(folder=str(tmp_path / "three")), author=PERSON)
    rows = projects(engine, ListProjects(folder=str(one))).rows
    assert [(row.channel, row.root) for row in rows] == [("one", str(one))]


def test_a_project_whose_folder_is_gone_is_forgotten_and_undo_or_a_session_brings_it_back(
    engine: Engine, tmp_path: Path
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
        channel(engine, folder)
    one.rmdir()
    done = forget(engine, ForgetProject(folder=str(one)), author=PERSON)
    assert [row.name for row in projects(engine, ListProjects()).rows] == ["two"]
    with pytest.raises(NotFound):
        forget(engine, ForgetProject(folder=str(one)), author=PERSON)
    undo(engine, Undo(change=done.change), author=PERSON)
    assert [row.name for row in projects(engine, ListProjects()).rows] == ["one", "two"]
    assert forget(engine, ForgetProject(folder=str(two)), author=PERSON).channel == "two"
    assert channel(engine, two) == "two" and len(projects(engine, ListProjects()).rows) == 2


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("git@GitHub.com:acme/api.git", "github.com/acme/api"),
        ("https://mara:token@github.com/acme/api/", "github.com/acme/api"),
        ("ssh://git@github.com:22/acme/api.git", "github.com/acme/api"),
        ("git://example.org/deep/er/api", "example.org/deep/er/api"),
        ("/srv/git/api.git", ""),
        ("../api", ""),
        ("file:///srv/git/api.git", ""),
    ],
)
def test_a_remote_is_the_same_by_every_protocol_and_a_path_is_none(url: str, wanted: str) -> None:
    assert normalised_remote(url) == wanted
