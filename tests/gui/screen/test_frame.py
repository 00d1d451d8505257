"""The window in the frame that a window manager gives it: its name, its place and size, and how it is closed."""

from __future__ import annotations

import pytest

from memdesk.gui.window import LEAST, SIZE
from tests.conftest import until
from tests.gui.screen.program import Box, Program, Start
from tests.gui.screen.screen import Screen, screen

REGIONS = ("Places and panels", "Today", "Status")
"""Parts that reach the window's edges."""


def resized(program: Program, width: int, height: int) -> None:
    """Ask the manager for a size, as a program for tiling windows does."""
    program.screen.run("xdotool", "windowsize", program.name, str(width), str(height))


def size_of(program: Program) -> tuple[int, int]:
    return program.screen.place(program.window)[2:]


def window_of(program: Program) -> Box:
    return Box(*program.screen.place(program.window))


def is_whole(program: Program) -> bool:
    """Whether every named thing of the window lies within it, and its regions fill it to the lower corners."""
    window, seen = window_of(program), program.ask("names")
    named = [Box(*place) for role, name, *place in seen if name in (*REGIONS, "Settings")]
    status = program.where("Status")
    fills = status.y + status.height == window.y + window.height and status.width == window.width
    return len(named) >= 4 and fills and all(window.holds(each) for each in named)


def test_the_window_is_framed_titled_and_has_the_keyboard(start: Start, large_screen: Screen) -> None:
    program = start(plain=True)
    until(lambda: large_screen.active() == program.window, "the keyboard")
    assert "Normal" in program.of("WM_STATE") and large_screen.frame(program.window)[2] > 0
    said = program.of("WM_CLASS", "WM_PROTOCOLS", "WM_NORMAL_HINTS", "_NET_WM_WINDOW_TYPE")
    assert 'WM_CLASS(STRING) = "memdesk", "MemDesk"' in said
    assert "WM_DELETE_WINDOW" in said and "_NET_WM_WINDOW_TYPE_NORMAL" in said
    assert f"minimum size: {LEAST[0]} by {LEAST[1]}" in said
    assert "Icon (" in program.of("_NET_WM_ICON")
    assert size_of(program) == SIZE
    large_screen.press("alt+F4")
    assert program.ended() == ""


def test_the_manager_makes_it_as_small_as_it_may_be_and_it_stays_whole(start: Start) -> None:
    program = start()
    program.is_in_front()
    resized(program, *LEAST)
    until(lambda: size_of(program) == LEAST, "the least size")
    until(lambda: is_whole(program), "a whole window")
    resized(program, 400, 300)
    left, _, _, bottom = program.screen.frame(program.window)
    x, y, width, height = program.screen.place(program.window)
    corner = (x + width + left - 1, y + height + bottom - 1)
    program.screen.drag(corner, (corner[0] + 150, corner[1] + 90))
    until(lambda: size_of(program) == (LEAST[0] + 150, LEAST[1] + 90), "the size the hand gave it")
    until(lambda: is_whole(program), "a whole window again")


def test_it_is_maximised_by_its_title_and_comes_back_as_it_was_left(start: Start) -> None:
    program = start()
    program.is_in_front()
    resized(program, 1200, 760)
    until(lambda: size_of(program) == (1200, 760), "another size")
    before = program.screen.place(program.window)
    maximise(program)
    until(program.state("MAXIMIZED_VERT"), "a maximised window")
    until(lambda: window_of(program).width == program.screen.width, "its full width")
    until(lambda: is_whole(program), "a whole window")
    program.click("Memory", "CheckBox")
    program.click("Salience", "CheckBox")
    program.where("Salience", "Grouping")
    program.screen.press("alt+F4")
    program.ended()
    again = start(anew=False)
    until(again.state("MAXIMIZED_VERT"), "the window maximised as it was left")
    until(lambda: window_of(again).width == again.screen.width, "its full width")
    again.is_in_front()
    again.where("Salience", "Grouping")
    maximise(again)
    until(lambda: "MAXIMIZED" not in again.of("_NET_WM_STATE"), "the window as it was before")
    until(lambda: again.screen.place(again.window) == before, "the place it had before")


def maximise(program: Program) -> None:
    """Press the title twice, which maximises a window or gives it back its place."""
    x, y, width, _ = program.screen.place(program.window)
    program.screen.click(x + width // 2, y - program.screen.frame(program.window)[2] // 2, times=2)


def test_a_second_start_brings_the_window_forward_from_where_it_was_put_away(
    start: Start, large_screen: Screen
) -> None:
    program = start()
    program.is_in_front()
    large_screen.run("xdotool", "windowminimize", program.name)
    until(lambda: "Iconic" in program.of("WM_STATE"), "the window put away")
    second = start(anew=False, plain=True, shows=False)
    assert second.ended() == ""
    until(lambda: "Normal" in program.of("WM_STATE"), "the window")
    program.is_in_front()
    assert len(large_screen.found(program.title)) == 1


@pytest.mark.parametrize("of", [(2880, 1800), (1600, 1000)], ids="{0[0]}x{0[1]}".format)
def test_on_a_display_of_twice_the_pixels_everything_is_twice_as_large_and_on_the_screen(
    start: Start, of: tuple[int, int]
) -> None:
    with screen(*of) as dense:
        program = start(on=dense, QT_SCALE_FACTOR="2")
        program.is_in_front()
        window = window_of(program)
        left, right, top, bottom = dense.frame(program.window)
        framed = Box(
            window.x - left, window.y - top, window.width + left + right, window.height + top + bottom
        )
        assert Box(0, 0, *of).holds(framed)
        assert program.where("Status").height == 52
        until(lambda: is_whole(program), "a whole window")
        program.click("Memory", "CheckBox")
        program.where("Facts", "Table")
        program.screen.press("alt+F4")
        program.ended()


def test_a_window_left_on_a_larger_screen_stands_on_the_smaller_one(
    start: Start, large_screen: Screen
) -> None:
    with screen(2880, 1800) as larger:
        program = start(on=larger)
        program.is_in_front()
        larger.run("xdotool", "windowmove", program.name, "1300", "800")
        until(lambda: larger.place(program.window)[0] >= 1300, "its place in the lower right corner")
        larger.press("alt+F4")
        program.ended()
    program = start(anew=False)
    program.is_in_front()
    window = window_of(program)
    assert Box(0, 0, large_screen.width, large_screen.height).holds(window)
    assert window.y >= large_screen.frame(program.window)[2]
