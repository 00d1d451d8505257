"""What goes out of the desk: there at once or not at all, whatever happened to an earlier try."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memdesk.files.atomic import outgoing
from memdesk.model.errors import Conflict, StorageFailed

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
