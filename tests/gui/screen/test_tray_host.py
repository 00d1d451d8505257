"""The icon in a real tray: what its menu does, and the window that comes and goes by it."""

from __future__ import annotations

import shutil
import signal

import pytest

from memdesk.api import jobs
from memdesk.model.channel import GLOBAL
from memdesk.model.status import Nothing
from tests.conftest import until
from tests.gui.screen.asking import claims, told
from tests.gui.screen.program import Program, Start
from tests.gui.screen.screen import TRAY, ended, screen

CLAIM = "The staging key rotates on Mondays"
pytestmark = pytest.mark.skipif(shutil.which(TRAY) is None, reason=f"no {TRAY} on this machine")


def choose(program: Program, line: str) -> None:
    """Choose a line of the menu that the icon opens. A change of the keyboard's window would close it."""
    until(lambda: not program.front()["popup"], "no menu")
    program.click("MemDesk", "Client", button=3)
    until(lambda: program.front()["popup"], "the menu")
    program.click(line, "MenuItem")


def jobs_run(program: Program) -> bool:
    return told(program.desk, jobs.LIST, Nothing()).enabled


def test_jobs_are_paused_and_a_fact_is_captured_from_the_tray(start: Start) -> None:
    program = start()
    program.is_in_front()
    choose(program, "Pause jobs")
    until(lambda: not jobs_run(program), "the pause")
    choose(program, "Pause jobs")
    until(lambda: jobs_run(program), "the jobs again")
    program.screen.run("xdotool", "windowminimize", program.name)
    program.is_away()
    choose(program, "Quick capture…")
    program.has_keyboard("What to remember")
    program.screen.type(CLAIM)
    program.screen.press("Return")
    until(lambda: claims(program.desk, GLOBAL) == [CLAIM], "the fact in the memory")
    program.click("Undo", "Button", "Quick capture")
    until(lambda: claims(program.desk, GLOBAL) == [], "the memory without it")
    program.screen.press("Escape")
    program.is_gone("What to remember")
    assert "Iconic" in program.of("WM_STATE")


def test_a_window_that_stays_in_the_tray_comes_back_by_its_menu_and_its_icon(start: Start) -> None:
    program = start()
    program.is_in_front()
    choose(program, "Stay here when the window closes")
    until(lambda: not program.front()["popup"], "the menu to close")
    program.is_in_front()
    program.screen.press("alt+F4")
    program.is_away()
    choose(program, "Open MemDesk")
    until(lambda: program.screen.found(program.title), "the window")
    program.is_in_front()
    program.screen.run("xdotool", "windowminimize", program.name)
    until(lambda: "Iconic" in program.of("WM_STATE"), "the window put away")
    program.click("MemDesk", "Client")
    until(lambda: "Normal" in program.of("WM_STATE"), "the window")
    choose(program, "Quit")
    assert program.ended() == ""


def test_a_tray_that_comes_after_the_window_has_the_icon_too(start: Start) -> None:
    with screen(tray=False) as bare:
        program = start(on=bare)
        program.is_in_front()
        assert not program.seen("MemDesk", "Client")
        with ended([TRAY], bare):
            program.where("MemDesk", "Client")
            program.process.send_signal(signal.SIGTERM)
            program.ended()
