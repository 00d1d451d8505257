"""Settings and their pages by pointer and by keyboard: what is set, run, paused, added and let go."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from memdesk.api import jobs, upkeep, workspace
from memdesk.client.client import Client
from memdesk.gui.panels import job_columns
from memdesk.gui.panels.jobs_panel import JobsPanel
from memdesk.gui.panels.settings_panel import SettingsPanel
from memdesk.gui.panels.workspaces_panel import WorkspacesPanel
from memdesk.gui.widgets import Drop, Field, Segments
from memdesk.gui.window import Window
from memdesk.model.status import Nothing
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, opened, press, until
from tests.gui.hands import (
    CTRL,
    by_rail,
    click_row,
    deed,
    is_open,
    pick,
    place_of,
    ready,
    says,
    search,
    segment,
)


async def value(client: Client, name: str) -> object:
    found = await client.call(upkeep.SETTINGS, Nothing())
    return next(row.value for row in found.rows if row.name == name)


async def page(window: Window, name: str) -> object:
    """A page of Settings, opened by its button."""
    settings = await by_rail(window, "settings")
    click(settings.pages[name])
    return await ready(window, name)


def test_a_setting_of_each_kind_is_set_and_reset_by_pointer_and_by_key(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        desk = full_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            panel = await by_rail(window, "settings")
            assert isinstance(panel, SettingsPanel)
            number, switch, choice = (
                panel.lines[name] for name in ("recall_limit", "jobs_enabled", "contradictions")
            )
            click_row(panel.side, len(panel.side.rows.rows()) - 1)
            await until(lambda: panel._scroll.verticalScrollBar().value() > 0, "the last group")
            click(panel.filter)
            press(panel.filter, "recall_limit")
            await until(lambda: number.isVisible() and not switch.isVisible(), "the setting alone")
            field = number.control
            assert isinstance(field, Field)
            click(field)
            press(field, Qt.Key.Key_A, CTRL)
            press(field, "12")
            press(field, Qt.Key.Key_Return)
            await until(number.back.isVisible, "the change")
            assert await value(owner, "recall_limit") == 12
            click(number.back)
            await until(lambda: not number.back.isVisible(), "the default")
            click(panel.filter)
            press(panel.filter, Qt.Key.Key_A, CTRL)
            press(panel.filter, "jobs_enabled")
            await until(switch.isVisible, "the switch")
            assert isinstance(switch.control, Segments)
            click(segment(switch.control, "Off"))
            await until(switch.back.isVisible, "the change")
            assert await value(owner, "jobs_enabled") is False
            press(segment(switch.control, "Off"), Qt.Key.Key_Left)
            await until(lambda: not switch.back.isVisible(), "on again by key")
            press(panel.filter, Qt.Key.Key_A, CTRL)
            press(panel.filter, "contradictions")
            await until(choice.isVisible, "the choice")
            assert isinstance(choice.control, Drop)
            before = await value(owner, "contradictions")
            await pick(choice.control, str(choice.control.options[1].text))
            await until(lambda: choice.back.isVisible(), "the change")
            press(choice.control, Qt.Key.Key_Z, CTRL)
            await until(lambda: not choice.back.isVisible(), "the undo")
            assert await value(owner, "contradictions") == before

    drive(qapp, scenario)


def test_a_job_is_run_dry_paused_and_run_by_its_buttons(qapp: QApplication, full_service: Service) -> None:
    async def scenario() -> None:
        desk = full_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            panel = await page(window, "jobs")
            assert isinstance(panel, JobsPanel)
            names = [row.name for row in panel.model.rows()]
            click_row(panel.table, names.index("decay"))
            click(panel.buttons["dry"])
            await until(lambda: newest(panel).startswith("decay Dry"), "the dry run")
            await until(panel.buttons["run"].isEnabled, "it to be over")
            click(panel.buttons["run"])
            await until(lambda: newest(panel).startswith("decay ") and "Dry" not in newest(panel), "the run")
            click(panel.buttons["pause"])
            await until(lambda: panel.buttons["pause"].text() == "Resume", "the pause")
            paused = [row.name for row in (await owner.call(jobs.LIST, Nothing())).rows if row.paused]
            assert paused == ["decay"]
            click_row(panel.table, names.index("decay"))
            press(panel.table, "h")
            await until(lambda: panel.buttons["pause"].text() == "Pause", "it resumed by its key")
            click_row(panel.history, 0)
            await until(lambda: panel.aside.says.text(), "the run beside")
            click(panel.settings)
            await until(lambda: is_open(window, "settings"), "the schedule")
            settings = window.stage.panel
            assert isinstance(settings, SettingsPanel)
            await until(lambda: settings.lines["consolidate_minutes"].control.hasFocus(), "its setting")

    drive(qapp, scenario)


def test_a_job_that_something_leads_to_is_chosen_also_when_its_panel_was_never_open(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            window.go("jobs", "patterns")
            panel = await ready(window, "jobs")
            assert isinstance(panel, JobsPanel)
            assert panel.table.record().name == "patterns"
            press(panel.table, "j")
            chosen = panel.table.record().name
            press(window, Qt.Key.Key_R, CTRL)
            await ready(window, "jobs")
            assert panel.table.record().name == chosen != "patterns"

    drive(qapp, scenario)


def newest(panel: JobsPanel) -> str:
    run = panel.runs.row(0) if panel.runs.rowCount() else None
    return "" if run is None else f"{run.job} {job_columns.result(run)}"


def test_a_folder_is_added_looked_through_and_let_go_by_hand(
    qapp: QApplication, full_service: Service, tmp_path: Path
) -> None:
    folder = tmp_path / "rhea"
    folder.mkdir()
    (folder / "IDENTITY.md").write_text("# IDENTITY\n\n- **Name:** Rhea\n")
    (folder / "MEMORY.md").write_text("# MEMORY\n\n- The lock opens at six.\n")

    async def scenario() -> None:
        desk = full_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            panel = await page(window, "workspaces")
            assert isinstance(panel, WorkspacesPanel)
            await activated(window)
            panel.folders.setFocus()
            press(panel.folders, "a")
            form = panel.bringing
            await until(form.source.field.hasFocus, "the form")
            press(form.source.field, str(folder))
            press(form.source.field, Qt.Key.Key_Return)
            await until(
                lambda: form.footer.begin.isVisible() and form.footer.begin.isEnabled(), "what it holds"
            )
            click(form.footer.begin)
            await until(form.footer.again_button.isVisible, "the folder to be in")
            click(form.footer.again_button)
            await until(lambda: panel.folders.rows.rowCount() == 2, "both folders")
            click_row(panel.folders, place_of(panel.folders, "Rhea"))
            await until(lambda: panel.detail.folder and panel.detail.folder.path == str(folder), "it")
            click(panel.detail.buttons["look"])
            await until(panel.detail.buttons["remove"].isEnabled, "the look to be over")
            await until(lambda: says(panel.detail.table, "MEMORY.md"), "its files")
            click_row(panel.detail.table, place_of(panel.detail.table, "MEMORY.md"), twice=True)
            await until(lambda: is_open(window, "identity"), "the file where it is read")
            await page(window, "workspaces")
            await until(lambda: says(panel.folders, "Rhea"), "the folder again")
            click_row(panel.folders, place_of(panel.folders, "Rhea"))
            press(panel.folders, Qt.Key.Key_Delete)
            await until(lambda: "left the desk" in deed(window), "it let go")
            assert len((await owner.call(workspace.LIST, Nothing())).rows) == 1
            await until(window.stage.strip.isVisible, "the way back")
            click(window.stage.strip._undo)
            await until(lambda: deed(window).startswith("Undone"), "the undo")
            assert len((await owner.call(workspace.LIST, Nothing())).rows) == 2
            await search(window, ">Add an agent")
            await until(lambda: panel.bringing.isVisible(), "the form by the search")
            press(panel.bringing.source.field, Qt.Key.Key_Escape)
            await until(panel.folders.isVisible, "the folders by Esc")
            assert (folder / "MEMORY.md").exists()

    drive(qapp, scenario)


def test_a_place_within_the_settings_is_kept_beside_a_click(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            panel = await by_rail(window, "settings")
            assert isinstance(panel, SettingsPanel)
            panel.side.setFocus()
            press(panel.side, Qt.Key.Key_Down)
            press(panel.side, Qt.Key.Key_Down)
            await until(lambda: panel._scroll.verticalScrollBar().value() > 0, "the third group")
            held = panel._scroll.verticalScrollBar().value()
            click(panel.head, QPoint(200, 10))
            press(window, Qt.Key.Key_R, CTRL)
            await ready(window, "settings")
            assert panel._scroll.verticalScrollBar().value() == held

    drive(qapp, scenario)
