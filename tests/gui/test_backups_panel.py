"""Backups in the window: made, read, restored; and the one that the timeline leads to."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from memdesk.api import memory
from memdesk.client.client import Client
from memdesk.gui.inspectors.event import EventView
from memdesk.gui.panels.audit_panel import AuditPanel
from memdesk.gui.panels.backups_panel import BackupsPanel
from memdesk.gui.window import Window
from memdesk.model.browse import ListFacts
from memdesk.model.remember import NewFact
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, press, shared, until

GATE, CRANE = "The gate is red.", "The crane is oiled on Mondays."


async def shown(window: Window) -> BackupsPanel:
    """The panel as Settings' button opens it."""
    settings = window.open_panel("settings")
    await until(lambda: settings.pages["backups"].isVisible(), "the settings")  # type: ignore[attr-defined]
    click(settings.pages["backups"])  # type: ignore[attr-defined]
    await until(lambda: isinstance(window.stage.panel, BackupsPanel), "the panel")
    panel = window.stage.panel
    assert isinstance(panel, BackupsPanel)
    await until(lambda: panel.found is not None, "the backups")
    await activated(window)
    return panel


async def made(panel: BackupsPanel) -> None:
    """Press “Back up now” and wait until the copy is tested."""
    before = panel.model.rowCount()
    click(panel.make)
    await until(lambda: panel.model.rowCount() > before and "tested" in panel.says.text(), "the backup")


async def claims(client: Client) -> set[str]:
    return {row.claim for row in (await client.call(memory.FACTS, ListFacts())).rows}


def test_a_backup_is_made_and_restored_once_a_person_read_what_it_replaces(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            await agent.call(memory.LEARN_FACT, NewFact(claim=GATE))
            panel = await shown(window)
            QAbstractItemModelTester(panel.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
            assert not panel.model.rows() and panel._empty.isVisible()
            await made(panel)
            await panel.load()
            assert "tested" in panel.says.text()
            (row,) = panel.model.rows()
            assert (row.reason, row.counts["fact"]) == ("by-hand", 1) and row.verified_at is not None
            await agent.call(memory.LEARN_FACT, NewFact(claim=CRANE))
            window.session.refresh_status()
            await until(lambda: window.session.status is not None and window.session.status.facts == 2)

            panel.table.setFocus()
            press(panel.table, Qt.Key.Key_Return)
            assert (
                panel.cancel.hasFocus() and "1 fact" in panel.says.text() and "2 facts" in panel.says.text()
            )
            assert "backed up first" in panel.says.text()
            press(panel.cancel, Qt.Key.Key_Escape)
            assert panel.restore.isVisible() and not panel.confirm.isVisible()

            click(panel.restore)
            click(panel.confirm)
            await until(
                lambda: panel.found is not None and panel.found.last_restore is not None, "the restore"
            )
            async with Client(running_service.desk) as owner:
                assert await claims(owner) == {GATE}
            assert [each.reason for each in panel.model.rows()] == ["before-restore", "by-hand"]
            assert "The desk is as it was on" in panel.says.text()

            await agent.close()
            async with Client(running_service.desk, agent="Forge") as later:
                await later.call(memory.LEARN_FACT, NewFact(claim="Heard after the restore."))
            await until(
                lambda: window.session.status is not None and window.session.status.facts == 2,
                "a change after the restore",
            )

    drive(qapp, scenario)


def test_the_timeline_leads_to_the_newest_backup_from_before_a_change(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            first = await agent.call(memory.LEARN_FACT, NewFact(claim=GATE))
            panel = await shown(window)
            await made(panel)
            await agent.call(memory.LEARN_FACT, NewFact(claim=CRANE))

            audit = window.open_panel("audit")
            assert isinstance(audit, AuditPanel)
            await until(
                lambda: (
                    audit.model.rowCount() and (row := audit.model.row(0)) and row.title.startswith(CRANE[:9])
                ),
                "the change",
            )
            audit.table.choose(0)
            await until(lambda: isinstance(window.inspector.view, EventView), "the change in the inspector")
            view = window.inspector.view
            assert isinstance(view, EventView)
            click(view.restore)
            await until(panel.confirm.isVisible, "the question")
            assert panel.table.record().reason == "by-hand"
            assert (
                panel.says.text().startswith("The newest backup from before")
                and "earlier" in panel.says.text()
            )

            window.inspector.show_event(first.change)
            await until(
                lambda: (
                    isinstance(view := window.inspector.view, EventView) and view.seen.row.id == first.change
                ),
                "the first change",
            )
            view = window.inspector.view
            assert isinstance(view, EventView)
            click(view.restore)
            await until(
                lambda: panel.says.text().startswith("There is no tested backup"), "that there is none"
            )
            assert not panel.confirm.isVisible()

    drive(qapp, scenario)
