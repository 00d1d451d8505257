"""A file is written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from memdesk.files.atomic import sweep, write_atomic
from memdesk.model.errors import StorageFailed


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
