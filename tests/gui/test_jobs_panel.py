"""Jobs in the window: run, run dry, pause, the history, and a whole run taken back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from memdesk.api import jobs, memory
from memdesk.client.client import Client
from memdesk.gui.panels import job_columns
from memdesk.gui.panels.jobs_panel import JobsPanel
from memdesk.gui.window import Window
from memdesk.model.browse import ListFacts
from memdesk.model.remember import NewTurn
from memdesk.model.status import Nothing
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, opened, press, until

SAID = "We decided to use PostgreSQL for the ingest service. I prefer small migrations."


async def shown(window: Window) -> JobsPanel:
    """The panel with its jobs, the keyboard in their table."""
    panel = window.open_panel("jobs")
    assert isinstance(panel, JobsPanel)
    await until(lambda: panel.model.rowCount() and panel.table.isVisible(), "the jobs")
    await activated(window)
    panel.table.setFocus()
    return panel


def newest(panel: JobsPanel) -> str:
    """What the newest run of the history says."""
    run = panel.runs.row(0) if panel.runs.rowCount() else None
    return "" if run is None else f"{run.job} {job_columns.result(run)}"


async def facts(client: Client) -> int:
    return (await client.call(memory.FACTS, ListFacts())).total


def test_a_dry_run_lists_what_a_run_then_does_and_undo_takes_it_all_back(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await agent.call(memory.STORE_TURN, NewTurn(content=SAID, channel="tidepool", speaker="Mara"))
            panel = await shown(window)
            testers = [
                QAbstractItemModelTester(each, QAbstractItemModelTester.FailureReportingMode.Fatal)
                for each in (panel.model, panel.runs, panel.aside.model)
            ]
            panel.select("consolidate")
            press(panel.table, "d")
            await until(lambda: panel.aside.model.rowCount() > 0, "what it would change")
            assert "Nothing was changed." in panel.aside.says.text() and await facts(agent) == 0
            await until(lambda: newest(panel).startswith("consolidate Dry"), "the dry run in the history")
            await until(panel.buttons["run"].isEnabled, "the dry run to be over")
            press(panel.table, "r")
            await until(lambda: newest(panel).startswith("consolidate Made"), "the run in the history")
            made = await facts(agent)
            assert made > 0
            panel.history.choose(0)
            await until(panel.aside.undo.isVisible, "its undo")
            click(panel.aside.undo)
            await until(lambda: window.session.deed and window.session.deed.op == "undo", "the undo")
            assert await facts(agent) == 0
            await until(lambda: "taken back" in newest(panel), "the history to say so")
            press(
                window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
            )
            await until(lambda: window.session.deed and window.session.deed.op == "redo", "the redo")
            assert await facts(agent) == made and testers

    drive(qapp, scenario)


def test_a_job_is_paused_and_all_of_them_are_stopped(qapp: QApplication, running_service: Service) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            panel = await shown(window)
            panel.select("patterns")
            press(panel.table, "h")
            await until(lambda: panel.buttons["pause"].text() == "Resume", "the pause")
            found = await owner.call(jobs.LIST, Nothing())
            assert [row.name for row in found.rows if row.paused] == ["patterns"]
            click(panel.buttons["pause"])
            await until(lambda: panel.buttons["pause"].text() == "Pause", "the job to be resumed")
            click(panel.switch)
            await until(
                lambda: panel.head.subtitle.text() == "The clock starts no job.", "no job by the clock"
            )
            assert not (await owner.call(jobs.LIST, Nothing())).enabled
            click(panel.switch)
            await until(lambda: panel.switch.text() == "Stop every job", "the clock again")
            assert window.rail.entry("jobs").isChecked()

    drive(qapp, scenario)


def test_in_the_list_of_runs_a_key_acts_on_the_job_of_the_chosen_run(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            panel = await shown(window)
            panel.select("patterns")
            press(panel.table, "r")
            await until(lambda: newest(panel).startswith("patterns"), "a run in the history")
            panel.select("consolidate")
            await until(lambda: panel.table.record().name == "consolidate", "another job")
            panel.history.choose(0)
            panel.history.setFocus()
            press(panel.history, "h")
            await until(lambda: panel.buttons["pause"].text() == "Resume", "the pause")
            paused = [row.name for row in panel.model.rows() if row.paused]
            assert paused == ["patterns"] and panel.table.record().name == "patterns"

    drive(qapp, scenario)


@pytest.mark.parametrize(
    ("number", "says"), [(15, "15 min"), (60, "1 h"), (90, "90 min"), (1440, "1 day"), (2880, "2 days")]
)
def test_schedules_are_said_in_the_largest_whole_unit(number: int, says: str) -> None:
    assert job_columns.minutes(number) == says
