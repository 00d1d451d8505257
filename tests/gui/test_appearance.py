"""How windows look: kept for the person, followed at once, and in another size after the window came back."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from memdesk.client.client import Client
from memdesk.files.places import windows_file
from memdesk.gui import appearance, look
from memdesk.gui.appearance import Appearance
from memdesk.gui.inspectors.belief import EditForm
from tests.conftest import Service
from tests.gui.driving import drive, opened
from tests.gui.test_window import inspected, learn

ROOT = Path(__file__).parent.parent.parent
SIZED = """
import sys
from PySide6.QtWidgets import QApplication, QWidget
from memdesk.gui import appearance
with appearance.scaled(appearance.saved_choices().size):
    app = QApplication([])
print(QWidget().devicePixelRatioF())
"""

LIVES = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from memdesk.files.places import Desk
from memdesk.__main__ import Program
from memdesk.gui import app, appearance
from memdesk.gui.window import Window

told = Path(sys.argv[2])

def look() -> None:
    window = next(each for each in QApplication.topLevelWidgets() if isinstance(each, Window))
    with told.open("a") as file:
        print(window.devicePixelRatioF(), file=file)
    if appearance.saved_choices().size == "100":
        appearance.choose("size", "125")
    else:
        window.quit()

live = app.run_window
def watched(desk, doctor, door, *, tray):
    QTimer.singleShot(300, look)
    return live(desk, doctor, door, tray=tray)
app.run_window = watched
sys.exit(app.run(Desk(Path(sys.argv[1])), Program()))
"""


@pytest.fixture(autouse=True)
def plain_again(qapp: QApplication) -> Iterator[None]:
    """Other tests have the appearance they begin with."""
    yield
    appearance.apply(Appearance(), "dark")


def test_choices_are_kept_for_the_person_and_shown_at_once(qapp: QApplication) -> None:
    assert appearance.saved_choices() == Appearance()
    appearance.choose("theme", "light")
    appearance.choose("motion", "reduced")
    assert not look.is_dark() and look.motion_ms(140) == 0
    assert appearance.saved_choices() == Appearance(theme="light", motion="reduced")


def test_a_value_nobody_knows_is_refused_and_one_in_the_file_counts_as_none(qapp: QApplication) -> None:
    with pytest.raises(ValueError, match="theme can be dark, light, system"):
        appearance.choose("theme", "pink")
    windows_file().parent.mkdir(parents=True)
    windows_file().write_text("[appearance]\ntheme=pink\nsize=125\n")
    assert appearance.saved_choices() == Appearance(size="125")


@pytest.mark.parametrize(("size", "ratio"), [("90", 0.9), ("100", 1.0), ("150", 1.5)])
def test_everything_is_drawn_in_the_size_that_was_chosen(size: str, ratio: float) -> None:
    windows_file().parent.mkdir(parents=True)
    windows_file().write_text(f"[appearance]\nsize={size}\n")
    done = subprocess.run([sys.executable, "-c", SIZED], cwd=ROOT, capture_output=True, text=True, check=True)
    assert float(done.stdout) == ratio


def test_what_is_started_from_a_large_window_is_not_enlarged_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(appearance.FACTOR, "2")
    with appearance.scaled("150"):
        assert os.environ[appearance.FACTOR] == "3"
    assert os.environ[appearance.FACTOR] == "2"


def test_another_size_closes_the_window_so_that_it_comes_back(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            appearance.choose("size", "125")
            assert window.reopens and not window.isVisible()
            await asyncio.sleep(0)

    drive(qapp, scenario)


def test_a_window_kept_open_by_unsaved_text_reopens_in_the_chosen_size_once_a_person_lets_it(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            view = await inspected(window, await learn(agent))
            view.edit()
            assert isinstance(view.form, EditForm)
            view.form.claim.set_text("Half a thought about")
            appearance.choose("size", "125")
            assert window.isVisible() and window.strips.closing.isVisible()
            window.strips.dismiss()
            appearance.choose("size", "100")
            assert not window.strips.closing.isVisible()
            appearance.choose("size", "125")
            assert window.strips.closing.isVisible()
            window.strips.closing.pressed.emit()
            assert window.reopens and not window.isVisible()

    drive(qapp, scenario)


def test_the_window_comes_back_in_the_size_that_was_chosen(running_service: Service, tmp_path: Path) -> None:
    script, told = tmp_path / "lives.py", tmp_path / "told"
    script.write_text(LIVES)
    world = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, str(script), str(running_service.desk.folder), str(told)]
    done = subprocess.run(words, env=world, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert told.read_text().split() == ["1.0", "1.25"]
