"""Connections in the window: a runtime is plugged in and out after its change was shown; projects get channels."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from memdesk.api import agents, curation, memory, procedures, projects
from memdesk.client.client import Client
from memdesk.client.plugs.installing import PlugState
from memdesk.client.plugs.runtimes import BY_NAME
from memdesk.gui.panels.connections_panel import ConnectionsPanel
from memdesk.gui.panels.runtimes import (
    Connection,
    last_words,
    project_folder,
    token_tone,
    token_words,
)
from memdesk.gui.window import Window
from memdesk.model.agent import AgentInfo
from memdesk.model.curation import Pin
from memdesk.model.project import EnterProject, HookEvent
from memdesk.model.remember import NewFact
from memdesk.model.status import Nothing
from memdesk.model.strategy import NewStrategy
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, shared, until


async def shown(window: Window) -> ConnectionsPanel:
    panel = window.open_panel("connections")
    assert isinstance(panel, ConnectionsPanel)
    await until(lambda: panel.model.rows(), "the runtimes")
    await activated(window)
    return panel


def of(panel: ConnectionsPanel, name: str) -> Connection:
    return next(row for row in panel.model.rows() if row.name == name)


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCLAW_STATE_DIR", "HERMES_HOME"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".claude").mkdir()
    return tmp_path


def test_a_runtime_is_plugged_in_and_out_after_its_change_was_shown(
    qapp: QApplication, running_service: Service, home: Path
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (_, window):
            panel = await shown(window)
            assert {row.name: row.plug.state for row in panel.model.rows()} == {
                name: PlugState.READY if name == "claude-code" else PlugState.ABSENT for name in BY_NAME
            }
            panel.table.choose_id("claude-code")
            assert panel.install.isVisible() and panel.plugin.isVisible() and not panel.uninstall.isVisible()
            click(panel.plugin)
            await until(lambda: panel.apply.isVisible(), "the change")
            assert "+++" in panel.change.text() and not (home / ".claude" / "skills").exists()
            assert panel.apply.hasFocus()
            assert panel.step_back() and not panel.apply.isVisible() and panel.table.hasFocus()

            click(panel.install)
            await until(lambda: panel.apply.isVisible(), "the change")
            click(panel.apply)
            await until(lambda: of(panel, "claude-code").plug.state == PlugState.INSTALLED, "the end")
            assert panel.table.hasFocus()
            settings = home / ".claude" / "settings.json"
            token = settings.with_name("memdesk.token")
            assert "hook.py" in settings.read_text()
            await until(token.exists, "the token")
            async with Client(running_service.desk, token=token.read_text().strip()) as agent:
                said = json.dumps({"session_id": "s-1", "cwd": str(home), "prompt": "hello there"})
                await agent.call(
                    projects.EVENT, HookEvent(moment="prompt", said=said, agent_id="claude-code")
                )
            await until(lambda: panel.contexts.rows(), "what was told")
            (told,) = panel.contexts.rows()
            assert (told.query, told.author) == ("hello there", "agent:claude-code")
            await until(lambda: of(panel, "claude-code").today, "the count of today")
            assert "was told nothing" in last_words(of(panel, "claude-code"))
            panel.table.choose_id("claude-code")
            panel.days.set_value(90)
            old = token.read_text()
            click(panel.renew)
            await until(lambda: "90 days left" in panel.about.text(), "the new token's term")
            assert token.read_text() != old and "every channel, _global by proposal" in panel.about.text()
            click(panel.test)
            await until(lambda: "Would be told" in panel.tested.text(), "the live test")
            assert panel.tested.text().count("✓") == 3
            token.write_text("mda_wrong\n")
            click(panel.test)
            await until(lambda: "✗" in panel.tested.text(), "the test of a wrong token")
            assert panel.tested.text().count("✓") == 1 and len(panel.contexts.rows()) == 1
            panel.select(str(told.id))
            await until(lambda: panel.text.isVisible() and not panel.install.isVisible(), "the text")
            panel.select("claude-code")
            assert panel.install.isVisible() and not panel.text.isVisible()

            settings.write_text(
                settings.read_text().replace("/memdesk/client/hook.py", "-old/memdesk/client/hook.py")
            )
            await panel.load()
            assert of(panel, "claude-code").plug.state == PlugState.MOVED
            click(panel.uninstall)
            await until(lambda: panel.apply.isVisible(), "the change back")
            click(panel.apply)
            await until(lambda: of(panel, "claude-code").plug.state == PlugState.READY, "the way out")
            await until(lambda: not token.exists(), "the end of the token")
            assert not list((home / ".claude").iterdir())
            listed = (await window.session.call(agents.LIST, Nothing())).rows
            assert not any(row.token_since for row in listed)

    drive(qapp, scenario)


def test_a_project_is_bound_split_off_and_merged(
    qapp: QApplication, running_service: Service, home: Path
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            for name in ("api", "tide"):
                (home / name).mkdir()
                await agent.call(projects.ENTER, EnterProject(folder=str(home / name)))
            panel = await shown(window)
            await until(lambda: len(panel.known.rows()) == 2, "the projects")

            def channel(name: str) -> str:
                return next(row.channel for row in panel.known.rows() if row.name == name)

            def choose(name: str) -> None:
                panel.projects.choose_id(next(row.id for row in panel.known.rows() if row.name == name))

            choose("tide")
            await until(lambda: panel.bind.isVisible(), "the acts of a project")
            assert not panel.bind.isEnabled() and not panel.install.isVisible()
            panel.channel.setText("api")
            click(panel.bind)
            await until(lambda: channel("tide") == "api", "the bond")
            window.session.undo()
            await until(lambda: channel("tide") == "tide", "the undo")
            choose("tide")
            panel.channel.setText("shore")
            click(panel.split)
            await until(lambda: channel("tide") == "shore", "the split")
            choose("tide")
            panel.channel.setText("api")
            click(panel.merge)
            await until(lambda: channel("tide") == "api", "the merge")
            (home / "tide").rmdir()
            await panel.load()
            choose("tide")
            assert project_folder(panel.projects.record()).endswith("(gone)")
            click(panel.forget)
            await until(lambda: [row.name for row in panel.known.rows()] == ["api"], "the end of a project")
            window.session.undo()
            await until(lambda: len(panel.known.rows()) == 2, "the undo")

    drive(qapp, scenario)


def test_what_is_pinned_is_written_as_skills_after_it_was_shown_and_undo_takes_it_back(
    qapp: QApplication, running_service: Service, home: Path
) -> None:
    instructions = home / ".claude" / "CLAUDE.md"
    instructions.write_text("# Mine\n")

    async def scenario() -> None:
        async with shared(running_service.desk) as (_, window):
            ask = window.session.call
            fact = await ask(memory.LEARN_FACT, NewFact(claim="The harbour pump is called Ada"))
            steps = ("ssh", "pump")
            plan = await ask(
                procedures.LEARN_STRATEGY, NewStrategy(description="Restart it", tool_sequence=steps)
            )
            for id in (fact.id, plan.id):
                await ask(curation.PIN, Pin(id=id, pinned=True))
            panel = await shown(window)
            panel.table.choose_id("claude-code")
            click(panel.install)
            await until(lambda: panel.apply.isVisible(), "the change")
            click(panel.apply)
            await until(lambda: of(panel, "claude-code").plug.state == PlugState.INSTALLED, "the end")
            await until(lambda: panel.skills.isVisible(), "the skills")
            click(panel.skills)
            await until(lambda: panel.apply.isVisible(), "the change of skills")
            assert "is called Ada" in panel.change.text() and instructions.read_text() == "# Mine\n"
            click(panel.apply)
            await until(lambda: panel.about.text().startswith("Wrote"), "the end of the writing")
            assert "is called Ada" in instructions.read_text()
            (skill,) = (home / ".claude" / "skills").glob("*/SKILL.md")
            assert plan.id in skill.read_text()
            window.session.undo()
            await until(lambda: not skill.exists(), "the undo")
            assert instructions.read_text() == "# Mine\n"

    drive(qapp, scenario)


@pytest.mark.parametrize(
    ("days", "words", "tone"),
    [(None, "no end", "t2"), (30, "30 days left", "t2"), (0.5, "1 day left", "warn"), (-1, "ended", "bad")],
)
def test_a_tokens_term_warns_in_its_last_week(
    qapp: QApplication, days: float | None, words: str, tone: str
) -> None:
    now = datetime.now(tz=UTC)
    ends = None if days is None else now + timedelta(days=days, seconds=-1)
    agent = AgentInfo(
        agent="scout", token_since=now, token_ends=ends, channel="scout", seen_at=None, changes=0, grants=()
    )
    assert (token_words(agent, now=now), token_tone(agent)) == (words, tone)
