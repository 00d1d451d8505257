"""Every choice of every panel is made by hand: menus open by pointer and key, segments by pointer and arrow."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu

from memdesk.gui.panels import PANELS
from memdesk.gui.panels.goals_panel import GoalsPanel
from memdesk.gui.panels.identity_panel import IdentityPanel
from memdesk.gui.panels.procedures_panel import ProceduresPanel
from memdesk.gui.widgets import Control, Drop, Segments
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, opened, press, until
from tests.gui.hands import by_rail, click_row, click_title, pick, ready, segment


async def menu_closed() -> None:
    """Close the menu that is open, as a person who thinks better of it."""
    await until(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "the menu")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu) and menu.actions()
    press(menu, Qt.Key.Key_Escape)
    await until(lambda: QApplication.activePopupWidget() is None, "it to close")


def test_every_menu_opens_by_pointer_and_by_key_and_esc_chooses_nothing(
    qapp: QApplication, full_service: Service
) -> None:
    met: set[str] = set()

    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            for entry in PANELS:
                if entry.name == "settings":
                    # A hundred of one kind; its own test opens one.
                    continue
                window.enter_panel(entry.name)
                panel = await ready(window, entry.name)
                for drop in panel.findChildren(Drop):
                    if not (drop.isVisible() and drop.isEnabled() and drop.options):
                        continue
                    held = drop.value()
                    await activated(window)
                    click(drop)
                    await menu_closed()
                    await activated(window)
                    drop.setFocus()
                    press(drop, Qt.Key.Key_Down)
                    await menu_closed()
                    assert drop.value() == held, (entry.name, drop.accessibleName())
                    met.add(entry.name)

    drive(qapp, scenario)
    assert {"facts", "audit", "lab", "salience", "transfer"} <= met


def are_apart(buttons: list[Control]) -> bool:
    """Whether no two buttons of a row are at the same place."""
    return len({each.x() for each in buttons}) == len(buttons)


def test_every_row_of_segments_is_chosen_by_pointer_and_by_arrow(
    qapp: QApplication, full_service: Service
) -> None:
    met: set[str] = set()

    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            for entry in PANELS:
                if entry.name == "settings":
                    # A hundred of one kind; its own test chooses one.
                    continue
                window.enter_panel(entry.name)
                panel = await ready(window, entry.name)
                await activated(window)
                for segments in panel.findChildren(Segments):
                    buttons = [each for each in segments.findChildren(Control) if not isinstance(each, Drop)]
                    if not all(each.isVisible() and each.isEnabled() for each in buttons):
                        continue
                    await until(
                        lambda row=buttons: len({each.x() for each in row}) == len(row), "their places"
                    )
                    held = segments.value()
                    other = next(each for each in buttons if not each.isChecked())
                    click(other)
                    assert segments.value() != held, (entry.name, segments.accessibleName())
                    there = buttons.index(other)
                    back = buttons.index(next(each for each in buttons if each is not other))
                    # What was chosen may have laid out its bar again.
                    await until(partial(are_apart, buttons), "each button at its place")
                    other.setFocus()
                    if not other.hasFocus():
                        # What was chosen has taken the keyboard, as a text does.
                        continue
                    press(other, Qt.Key.Key_Left if back < there else Qt.Key.Key_Right)
                    assert not other.isChecked(), (entry.name, segments.accessibleName())
                    segments.choose(held)
                    met.add(entry.name)

    drive(qapp, scenario)
    assert {"facts", "salience", "procedures", "identity"} <= met


def test_goals_strategies_and_tools_are_chosen_by_pointer(qapp: QApplication, full_service: Service) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            goals = await by_rail(window, "goals")
            assert isinstance(goals, GoalsPanel)
            await until(lambda: goals.tree.branches(), "the goal")
            click_row(goals.tree, 0)
            await until(lambda: goals.aside.record is not None, "it beside")
            click(segment(goals.which, "Ended"))
            await until(lambda: not goals.tree.isVisible() or not goals.tree.branches(), "none that ended")
            click(segment(goals.which, "open"))
            await until(lambda: goals.tree.isVisible() and goals.tree.branches(), "the open one")
            procedures = await by_rail(window, "procedures")
            assert isinstance(procedures, ProceduresPanel)
            await until(lambda: procedures.strategies.model.rowCount() == 1, "the strategy")
            click_row(procedures.strategies.table, "Weigh it first")
            await until(lambda: procedures.strategies.aside.record is not None, "it beside")
            press(window, Qt.Key.Key_Delete)
            await until(lambda: procedures.strategies.model.rowCount() == 0, "it retired")
            click(segment(procedures.states, "Retired"))
            await until(lambda: procedures.strategies.model.rowCount() == 1, "it among the retired")
            click(window.status_line.undo)
            await until(lambda: procedures.strategies.model.rowCount() == 0, "the undo")
            click(segment(procedures.states, "Current"))
            await until(lambda: procedures.strategies.model.rowCount() == 1, "it among the current")
            click(segment(procedures.page, "Tools"))
            await until(lambda: procedures.tools.model.rowCount() == 1, "the tool")
            click_row(procedures.tools.table, "weigh")
            click(segment(procedures.page, "Strategies"))

    drive(qapp, scenario)


def test_a_file_is_chosen_by_pointer_written_by_key_and_saved_by_its_button(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            panel = await by_rail(window, "identity")
            assert isinstance(panel, IdentityPanel)
            await until(lambda: panel.editor.file is not None, "a file")
            click_row(panel.files, "MEMORY.md")
            await until(lambda: panel.editor.file and panel.editor.file.path == "MEMORY.md", "the file")
            source = panel.editor.page.source
            click(source.viewport())
            press(source, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
            press(source, "- The quay is lit.")
            await until(panel.save.isEnabled, "something to save")
            click(panel.save)
            await until(lambda: not panel.editor.is_unsaved and not panel.editor.is_saving, "the save")
            kept = full_service.desk.folder.parent / "iris" / "MEMORY.md"
            assert "- The quay is lit." in kept.read_text()
            click(window.status_line.undo)
            await until(lambda: "lit" not in kept.read_text(), "the undo")

    drive(qapp, scenario)


def test_source_both_and_preview_follow_the_arrows_after_a_press(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk, size=(1900, 900)) as window:
            panel: Any = await by_rail(window, "identity")
            await until(lambda: panel.editor.file is not None, "a file")
            page = panel.editor.page
            await until(lambda: page.source.isVisible() and page.preview.isVisible(), "both")
            view = next(each for each in page.findChildren(Segments) if each.isVisible())

            def left_of(value: str) -> int:
                return int(view.button(value).x())

            for start, keys in (("source", "rr"), ("preview", "ll"), ("both", "lrrl")):
                click(view.button(start))
                for key in keys:
                    # The arrows go by where the segments stand, once they are laid out anew.
                    await until(lambda: left_of("source") < left_of("both") < left_of("preview"), "them")
                    was = view.value()
                    focus = QApplication.focusWidget()
                    assert focus is view.button(was), f"{was} keeps the keyboard"
                    press(focus, Qt.Key.Key_Right if key == "r" else Qt.Key.Key_Left)
                    assert view.value() != was
            assert view.value() == "both" and page.source.isVisible() and page.preview.isVisible()
            click(view.button("both"))
            window.resize(1100, 700)
            await until(lambda: not view.isVisible(), "the narrow page")
            focus = QApplication.focusWidget()
            assert focus is not None and focus.accessibleName() == "Source"

    drive(qapp, scenario)


def test_titles_of_strategies_sort_and_sort_back(qapp: QApplication, full_service: Service) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk, size=(1900, 900)) as window:
            panel: Any = await by_rail(window, "procedures")
            await until(lambda: panel.strategies.model.rowCount() == 1, "the strategy")
            table = panel.strategies.table
            titles = [each.title for each in panel.strategies.model.columns if each.sort]
            for title in titles:
                asked: list[tuple[str, bool]] = []
                table.sort_asked.connect(lambda by, most, asked=asked: asked.append((by, most)))
                click_title(table, title)
                click_title(table, title)
                (by, first), (again, second) = asked[-2:]
                assert by == again and first != second, title
                place = [each.sort for each in panel.strategies.model.columns].index(by)
                assert table.horizontalHeader().sortIndicatorSection() == place

    drive(qapp, scenario)


def test_the_order_and_the_forecast_of_the_heatmap_are_chosen_by_hand(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            panel: Any = await by_rail(window, "salience")
            await pick(panel.filters.sort, "Name")
            assert panel.filters.sort.value() == "name"
            click(segment(panel.filters.ahead, "90 days"))
            await until(lambda: panel.filters.ahead.value() == 90, "the longer forecast")
            audit: Any = await by_rail(window, "audit")
            await pick(audit.filters.authors, "Forge", by_key=True)
            await until(lambda: audit.filters.authors.value() == ("agent:Forge",), "one author")

    drive(qapp, scenario)
