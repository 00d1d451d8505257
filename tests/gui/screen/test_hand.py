"""A person's hand on the program: keys and mouse as the X server tells them, and what the memory says afterwards."""

from __future__ import annotations

from memdesk.gui.shell.body import INSPECTOR_PX, Memo
from memdesk.model.channel import GLOBAL
from tests.conftest import until
from tests.gui.screen.asking import claims
from tests.gui.screen.program import Program, Start

SEARCH = "Search memories and commands"
CLAIM = "Every migration needs a down step"


def found(program: Program, words: str, claim: str) -> None:
    """Search for words and open the memory that is found first."""
    program.is_in_front()
    program.screen.press("ctrl+k")
    program.has_keyboard(SEARCH)
    before = program.seen(claim, "Cell")
    program.screen.type(words)
    until(lambda: len(program.seen(claim, "Cell")) > len(before), "what was found")
    program.screen.press("Return")
    program.is_gone(SEARCH)
    program.where("Promote", "Button")


def test_the_search_takes_the_keyboard_and_enter_opens_what_was_found(start: Start) -> None:
    program = start()
    found(program, "migration", CLAIM)
    program.where("Graph", "Grouping")
    until(
        lambda: program.front()["focus"].startswith(f"Graph around {CLAIM}"), "the graph to have the keyboard"
    )
    program.screen.press("ctrl+k")
    program.has_keyboard(SEARCH)
    program.screen.press("Escape")
    program.is_gone(SEARCH)
    until(lambda: program.front()["focus"].startswith("Graph around"), "the keyboard where it was")


def test_a_fact_is_promoted_by_the_mouse_and_ctrl_z_takes_it_back(start: Start) -> None:
    program = start()
    found(program, "migration", CLAIM)
    program.click("Promote", "Button")
    program.where("Promote to _global")
    program.screen.press("Return")
    until(lambda: claims(program.desk, GLOBAL) == [CLAIM], "the promotion in the memory")
    program.where(f"Promoted “{CLAIM}” to _global")
    program.screen.press("ctrl+z")
    until(lambda: claims(program.desk, GLOBAL) == [], "the memory without it")


def test_the_file_dialog_belongs_to_the_window_and_esc_closes_it(start: Start) -> None:
    program = start()
    program.is_in_front()
    program.screen.press("ctrl+k")
    program.has_keyboard(SEARCH)
    program.screen.type(">another desk")
    until(lambda: program.seen("Open or create another desk…"), "the command")
    program.screen.press("Return")
    title = "Choose a desk's folder"
    (dialog,) = until(lambda: program.screen.found(title), "the dialog")
    until(lambda: program.screen.active() == dialog, "the dialog in front")
    said = program.screen.of(dialog, "WM_TRANSIENT_FOR", "_NET_WM_STATE", "_NET_WM_WINDOW_TYPE")
    assert f"window id # {program.window:#x}" in said
    assert "_NET_WM_STATE_MODAL" in said and "_NET_WM_WINDOW_TYPE_DIALOG" in said
    program.screen.press("Escape")
    until(lambda: not program.screen.found(title), "the dialog to close")
    program.is_in_front()


def test_a_menu_opens_below_its_button_is_left_by_esc_and_chosen_by_keys(start: Start) -> None:
    program = start()
    program.is_in_front()
    program.click("Channel All channels", "Button")
    until(lambda: program.front()["popup"], "the menu")
    below, menu = program.where("Channel All channels", "Button"), program.where("tidepool", "MenuItem")
    assert menu.y >= below.y + below.height and menu.x < below.x + below.width
    program.screen.press("Escape")
    until(lambda: not program.front()["popup"], "the menu to close")
    program.is_in_front()


def test_closing_the_window_asks_for_what_was_written_and_not_saved(start: Start) -> None:
    program = start()
    found(program, "migration", CLAIM)
    program.click("Edit", "Button")
    program.has_keyboard("Claim")
    program.screen.press("End")
    program.screen.type(" and an up step")
    program.screen.press("alt+F4")
    program.click("Close anyway", "Button")
    assert program.ended() == ""
    assert CLAIM in claims(program.desk, "tidepool")


def test_what_is_copied_here_is_pasted_elsewhere_and_the_other_way(start: Start) -> None:
    program = start()
    program.is_in_front()
    program.screen.copy("备份 thirty days")
    program.screen.press("ctrl+k")
    program.has_keyboard(SEARCH)
    program.screen.press("ctrl+v")
    program.where("Ask in the recall lab: 备份 thirty days")
    program.screen.type(" and nights")
    program.screen.press("ctrl+a", "ctrl+c")
    until(lambda: program.screen.clipboard() == "备份 thirty days and nights", "the words on the clipboard")


def test_the_inspector_is_drawn_wider_and_is_as_wide_the_next_time(start: Start) -> None:
    program = start()
    found(program, "migration", CLAIM)
    x, y = program.where("Width of the inspector").middle
    assert program.where("Inspector", "Grouping").width == INSPECTOR_PX
    program.screen.drag((x, y), (x - 100, y))
    until(lambda: program.where("Inspector", "Grouping").width == INSPECTOR_PX + 100, "a wider inspector")
    program.screen.press("alt+F4")
    program.ended()
    assert Memo.of(program.desk).inspector_px == INSPECTOR_PX + 100
    again = start(anew=False)
    again.is_in_front()
    assert again.where("Inspector", "Grouping").width == INSPECTOR_PX + 100
    again.where(CLAIM, "StaticText")
