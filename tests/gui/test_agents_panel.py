"""Agents in the window: a token shown once, a grant given, and taken back with Undo."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from memdesk.api import agents, memory
from memdesk.gui.panels.agents_panel import AgentsPanel
from memdesk.gui.window import Window
from memdesk.model.remember import NewFact
from memdesk.model.status import Nothing
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, shared, until


async def shown(window: Window) -> AgentsPanel:
    """The panel as Settings' button opens it."""
    settings = window.open_panel("settings")
    await until(lambda: settings.pages["agents"].isVisible(), "the settings")  # type: ignore[attr-defined]
    click(settings.pages["agents"])  # type: ignore[attr-defined]
    await until(lambda: isinstance(window.stage.panel, AgentsPanel), "the panel")
    panel = window.stage.panel
    assert isinstance(panel, AgentsPanel)
    await until(lambda: panel.model.rows(), "the agents")
    await activated(window)
    return panel


def test_an_agent_gets_a_token_and_a_grant_which_undo_takes_back(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            await agent.call(memory.LEARN_FACT, NewFact(claim="The gate is red."))
            panel = await shown(window)
            (row,) = panel.model.rows()
            assert row.token_since is None and "guest" in panel.signs.text().lower()
            assert not panel.token.isVisible() and not panel.revoke.isVisible()

            panel.scope.set_value("channel")
            panel.object.setText("deck")
            click(panel.give)
            await until(lambda: panel.given.rows(), "the grant")
            assert panel.grants.isVisible() and panel.withdraw.isVisible()
            window.session.undo()
            await until(lambda: not panel.given.rows(), "the undo")

            click(panel.make)
            await until(lambda: panel.token.text().startswith("mda_"), "the token")
            await until(lambda: panel.revoke.isVisible(), "the way back")
            assert panel.copy.isVisible()
            click(panel.revoke)
            await until(lambda: not panel.token.isVisible(), "the end of the token")
            (row,) = (await window.session.call(agents.LIST, Nothing())).rows
            assert row.token_since is None

    drive(qapp, scenario)
