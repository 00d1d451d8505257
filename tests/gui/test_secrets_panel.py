"""The panel Secrets on a real service: a secret is masked until it is revealed, and erased for good."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from memdesk.api import memory
from memdesk.client.client import Client
from memdesk.gui.panels.secrets_panel import SecretsPanel
from memdesk.model.remember import NewFact
from tests.conftest import Service
from tests.engine.secrets.texts import Draw
from tests.gui.driving import click, drive, opened, until

KEY = "gho_" + Draw("panel").mixed(36)


def test_a_secret_is_revealed_by_a_click_and_erased_after_a_question(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with Client(running_service.desk) as agent, opened(running_service.desk) as window:
            learned = await agent.call(
                memory.LEARN_FACT, NewFact(claim=f"The mirror uses {KEY}", channel="ops")
            )
            assert learned.id
            panel = window.open_panel("secrets")
            assert isinstance(panel, SecretsPanel)
            await until(lambda: [row.kind for row in panel.model.rows()] == ["GitHub token"], "the row")
            panel.table.choose(0)
            assert KEY not in panel.says.text()
            click(panel.reveal)
            await until(lambda: panel.says.text() == KEY, "the value")
            click(panel.erase)
            click(panel.confirm)
            await until(lambda: [row.state for row in panel.model.rows()] == ["erased"], "its end")
            await until(lambda: "0 places" in panel.says.text(), "the proof")
            assert not panel.reveal.isEnabled()

    drive(qapp, scenario)
