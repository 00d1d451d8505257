"""A file is written whole or not at all; so is what goes out of the desk, whatever happened to an earlier try."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memdesk.files import atomic
from memdesk.files.atomic import append, create, move, outgoing, remove, sweep, write_atomic, write_over
from memdesk.model.errors import Conflict, StorageFailed


def test_a_new_file_is_private(tmp_path: Path) -> None:
    write_atomic(tmp_path / "new.md", b"text")
    assert (tmp_path / "new.md").read_bytes() == b"text"
    assert stat.S_IMODE((tmp_path / "new.md").stat().st_mode) == 0o600


def test_the_mode_of_a_known_file_is_kept_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "known.md"
    path.write_bytes(b"before")
    path.chmod(0o640)
    write_atomic(path, b"after")
    assert path.read_bytes() == b"after"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [item.name for item in tmp_path.iterdir()] == ["known.md"]


def test_a_folder_in_the_way_fails_and_stays(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(StorageFailed, match="taken could not be written"):
        write_atomic(tmp_path / "taken", b"text")
    assert [item.name for item in tmp_path.iterdir()] == ["taken"]


def test_a_missing_folder_fails(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match="no such file or directory"):
        write_atomic(tmp_path / "gone" / "a.md", b"text")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_read_only_file_fails_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "kept.md"
    path.write_bytes(b"before")
    path.chmod(0o400)
    with pytest.raises(StorageFailed, match="read-only"):
        write_atomic(path, b"after")
    assert path.read_bytes() == b"before"


def test_what_a_crash_left_is_swept(tmp_path: Path) -> None:
    (tmp_path / ".memdesk-0123.tmp").write_bytes(b"half")
    (tmp_path / "kept.md").write_bytes(b"whole")
    assert sweep(tmp_path) == 1
    assert [item.name for item in tmp_path.iterdir()] == ["kept.md"]


def test_a_write_tells_what_somebody_else_put_there_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"seen")
    assert write_over(path, b"ours", b"seen") is None
    path.write_bytes(b"theirs")
    assert write_over(path, b"ours again", b"ours") == b"theirs"
    assert path.read_bytes() == b"theirs"
    assert [item.name for item in tmp_path.iterdir()] == ["a.md"]


def test_where_names_cannot_be_swapped_a_write_still_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic, "swap", lambda one, other: False)
    test_a_write_tells_what_somebody_else_put_there_meanwhile(tmp_path)


def test_a_write_over_a_file_that_went_puts_it_there_again(tmp_path: Path) -> None:
    assert write_over(tmp_path / "a.md", b"ours", b"seen") is None
    assert (tmp_path / "a.md").read_bytes() == b"ours"


def test_a_new_file_never_takes_the_place_of_another(tmp_path: Path) -> None:
    create(tmp_path / "deep" / "a.md", b"first")
    with pytest.raises(Conflict, match=r"a\.md is there already"):
        create(tmp_path / "deep" / "a.md", b"second")
    assert (tmp_path / "deep" / "a.md").read_bytes() == b"first"
    assert [item.name for item in (tmp_path / "deep").iterdir()] == ["a.md"]


def test_appending_leaves_every_byte_and_the_mode(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"\xff half\r\n")
    path.chmod(0o604)
    inode = path.stat().st_ino
    append(path, b"more\n")
    assert path.read_bytes() == b"\xff half\r\nmore\n"
    assert (path.stat().st_ino, stat.S_IMODE(path.stat().st_mode)) == (inode, 0o604)


def test_many_appenders_at_once_lose_no_line(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"")

    def add(who: int) -> None:
        for n in range(40):
            append(path, f"{who} {n}\n".encode())

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(4)))
    assert sorted(path.read_text().splitlines()) == sorted(f"{w} {n}" for w in range(4) for n in range(40))


def test_a_file_that_changed_is_not_taken_away(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"theirs")
    with pytest.raises(Conflict, match="it stays"):
        remove(path, b"seen")
    assert path.read_bytes() == b"theirs"
    remove(path, b"theirs")
    assert not list(tmp_path.iterdir())
    remove(path, b"theirs")


def test_a_move_never_takes_the_place_of_another(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"a")
    (tmp_path / "b.md").write_bytes(b"b")
    with pytest.raises(Conflict):
        move(tmp_path / "a.md", tmp_path / "b.md")
    move(tmp_path / "a.md", tmp_path / "deep" / "c.md")
    assert {item.name: item.read_bytes() for item in tmp_path.rglob("*.md")} == {"b.md": b"b", "c.md": b"a"}


@pytest.mark.parametrize("what", ["link", "pipe"])
def test_a_link_or_a_pipe_that_took_a_files_place_is_neither_followed_nor_waited_for(
    tmp_path: Path, what: str
) -> None:
    outside, path = tmp_path / "outside.md", tmp_path / "a.md"
    outside.write_bytes(b"secret")
    if what == "link":
        path.symlink_to(outside)
    else:
        os.mkfifo(path)
    with pytest.raises(StorageFailed):
        append(path, b"more")
    with pytest.raises(StorageFailed):
        write_over(path, b"new", b"old")
    with pytest.raises(Conflict):
        remove(path, b"old")
    assert outside.read_bytes() == b"secret" and path.is_symlink() == (what == "link")
    assert sorted(item.name for item in tmp_path.iterdir()) == ["a.md", "outside.md"]


@pytest.mark.parametrize("what", ["link", "pipe"])
def test_one_that_comes_in_the_very_moment_of_a_write_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    outside, path = tmp_path / "outside.md", tmp_path / "a.md"
    outside.write_bytes(b"old")
    path.write_bytes(b"old")
    real = atomic.swap

    def swap_late(one: Path, other: Path) -> bool:
        monkeypatch.setattr(atomic, "swap", real)
        path.unlink()
        if what == "link":
            path.symlink_to(outside)
        else:
            os.mkfifo(path)
        return real(one, other)

    monkeypatch.setattr(atomic, "swap", swap_late)
    with pytest.raises(StorageFailed, match="no file"):
        write_over(path, b"new", b"old")
    assert outside.read_bytes() == b"old" and path.is_file() != (what == "pipe")
    assert sorted(item.name for item in tmp_path.iterdir()) == ["a.md", "outside.md"]


KILLED = """
import os, sys
from pathlib import Path
from memdesk.files.atomic import outgoing
with outgoing(Path(sys.argv[1]), folder=sys.argv[2] == "folder", by=Path("/desk")) as target:
    (target / "half" if target.is_dir() else target).write_text("half")
    os._exit(9)
"""


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_what_a_killed_write_left_is_taken_away_when_it_is_done_again(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "out"
    assert subprocess.run([sys.executable, "-c", KILLED, str(path), kind], check=False).returncode == 9
    assert [each.name.startswith(".memdesk-") for each in tmp_path.iterdir()] == [True]
    with outgoing(path, folder=kind == "folder", by=Path("/desk")) as target:
        (target / "whole" if target.is_dir() else target).write_text("whole")
    assert os.listdir(tmp_path) == ["out"]  # noqa: PTH208
    assert (path / "whole" if path.is_dir() else path).read_text() == "whole"
    assert [each.name for each in path.iterdir()] == ["whole"] if path.is_dir() else True


def test_two_desks_that_write_to_one_place_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with outgoing(path, folder=False, by=Path("/one")) as one:
        one.write_text("of one")
        with pytest.raises(Conflict), outgoing(path, folder=False, by=Path("/other")) as other:
            other.write_text("of the other")
            path.write_text("came meanwhile")
        path.unlink()
    assert path.read_text() == "of one"


def test_a_path_that_cannot_be_written_is_named_and_not_the_temporary_file(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 300)
    with pytest.raises(StorageFailed) as failed, outgoing(path, folder=False, by=Path("/desk")) as target:
        target.write_text("all of it")
    assert path.name in failed.value.says and list(tmp_path.iterdir()) == []
