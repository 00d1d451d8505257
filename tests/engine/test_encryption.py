"""A desk moves into encryption and back without a loss; the scenes run in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.moved_desk import SCENES

pytest.importorskip("sqlcipher3")
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("scene", SCENES)
def test_a_moved_desk(scene: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.engine.moved_desk", scene],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert ran.returncode == 0, ran.stderr


def test_one_place_of_the_program_opens_databases() -> None:
    found = [
        str(file.relative_to(ROOT))
        for file in sorted((ROOT / "memdesk").rglob("*.py"))
        if "sqlite.connect(" in file.read_text(encoding="utf-8")
    ]
    assert found == ["memdesk/store/binding.py"]
