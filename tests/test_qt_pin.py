"""The reason for the upper limit of PySide6: a release that gives back references that it does not own.

In 6.12.0, `setText` and many others return None without taking a reference to it. Python 3.11 frees None after some
thousand calls, and aborts; from Python 3.12 on None cannot be freed."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parent.parent
CALLS = 200
LEAK = f"""
import os, sys
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from PySide6.QtWidgets import QApplication, QLabel
application = QApplication([])
label = QLabel()
before = sys.getrefcount(None)
for _ in range({CALLS}):
    label.setText("a"), label.parent(), label.update()
print(before - sys.getrefcount(None))
sys.stdout.flush()
os._exit(0)  # Where references are missing, Python aborts at its end.
"""
"""Prints how many references to None are missing after the calls."""

pytestmark = pytest.mark.skipif(sys.version_info >= (3, 12), reason="None has no count of references here")


def missing(python: Path | str) -> int:
    return int(subprocess.run([str(python), "-c", LEAK], capture_output=True, text=True, check=True).stdout)


def test_the_qt_that_is_installed_keeps_count_of_none() -> None:
    assert missing(sys.executable) < CALLS / 2


@pytest.mark.slow
def test_the_newest_qt_still_needs_the_limit(tmp_path: Path) -> None:
    """When this fails, the newest release is sound: raise the limit in pyproject.toml."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pin = next(each for each in project["optional-dependencies"]["window"] if each.startswith("PySide6"))
    beyond = f"PySide6-Essentials>={pin.rpartition('<')[2]}"
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    done = subprocess.run(
        [python, "-m", "pip", "install", "-q", beyond], capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip(f"{beyond} cannot be had: {done.stderr[-200:]}")
    assert missing(python) >= CALLS, "the newest PySide6 is sound"
