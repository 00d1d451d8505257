"""What the search of the window finds lands in its panel, chosen there; Back returns to where a person was."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from memdesk.api import goals, memory, procedures
from memdesk.client.client import Client
from memdesk.gui.window import Window
from memdesk.model.goal import NewGoal
from memdesk.model.remember import NewEntity, NewTurn, NewTurns
from memdesk.model.strategy import NewStrategy
from tests.conftest import Service
from tests.gui.driving import drive, opened, press, until
from tests.gui.test_facts import learn

CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
TURNS = 390
"""More than are held at once."""


async def seek(window: Window, words: str, title: str) -> None:
    """Type words into the search and open the line with this title, by keyboard."""
    press(window, Qt.Key.Key_K, CTRL)
    field = window.search.field
    await until(lambda: QApplication.focusWidget() is field, "the search field")
    press(field, words)
    choices = window.search.choices
    await until(lambda: any(title in line.text for line in choices.model.rows()), f"“{title}”")
    for _ in range(len(choices.model.rows())):
        if title in choices.model.rows()[choices.table.currentIndex().row()].text:
            break
        press(field, Qt.Key.Key_Down)
    press(field, Qt.Key.Key_Return)


async def back(window: Window, name: str) -> None:
    press(window, Qt.Key.Key_Left, ALT)
    await until(lambda: window.stage.panel and window.stage.panel.name == name, f"back in {name}")


def test_enter_before_anything_was_found_takes_the_best_of_what_is(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            id = (await agent.call(memory.UPSERT_ENTITY, NewEntity(name="Zebrafinch"))).id
            window.open_panel("facts")
            press(window, Qt.Key.Key_K, CTRL)
            await until(lambda: QApplication.focusWidget() is window.search.field, "the search field")
            press(window.search.field, "zebrafinch")
            press(window.search.field, Qt.Key.Key_Return)
            panel: Any = window.stage.panel
            assert panel.name == "facts" and window.search.isVisible()
            await until(lambda: window.stage.panel is not panel, "what was found")
            found: Any = window.stage.panel
            assert found.name == "graph"
            await until(lambda: found.at == id, "it to be chosen there")

    drive(qapp, scenario)


@pytest.mark.parametrize("kind", ["fact", "entity", "goal", "strategy"])
def test_a_record_that_is_found_is_chosen_in_its_panel_and_back_leads_away_again(
    qapp: QApplication, running_service: Service, kind: str
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            first = await learn(agent, "The pool is small")
            match kind:
                case "fact":
                    id, name = await learn(agent, "Zebrafinch sings at dawn"), "graph"
                case "entity":
                    id, name = (
                        (await agent.call(memory.UPSERT_ENTITY, NewEntity(name="Zebrafinch"))).id,
                        "graph",
                    )
                case "goal":
                    await agent.call(goals.ADD, NewGoal(description="Another goal", priority=5))
                    asked = NewGoal(description="Count the Zebrafinch", priority=1)
                    id, name = (await agent.call(goals.ADD, asked)).id, "goals"
                case _:
                    strategy = NewStrategy(description="Feed the Zebrafinch", tool_sequence=("feed",))
                    id, name = (await agent.call(procedures.LEARN_STRATEGY, strategy)).id, "procedures"
            window.open_panel("facts")
            window.inspector.show_memory(first)
            await until(lambda: window.inspector.view, "the first fact")
            await seek(window, "zebrafinch", "Zebrafinch")
            panel: Any = window.stage.panel
            assert panel.name == name
            await until(lambda: panel.at == id, "it to be chosen there")
            await until(lambda: window.inspector.view and window.inspector.view.seen.id == id, "it beside")  # type: ignore[union-attr]
            await back(window, "facts")
            await until(lambda: window.inspector.memory_id == first, "what was shown before")
            press(window, Qt.Key.Key_Right, ALT)
            await until(lambda: window.stage.panel is panel and window.inspector.memory_id == id, "forward")

    drive(qapp, scenario)


def test_a_turn_that_is_found_is_chosen_in_its_conversation_however_long_that_is(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            said = [f"This is sentence number {n} of a long talk." for n in range(TURNS)]
            said[7] = "The zebrafinch sings at dawn."
            turns = tuple(NewTurn(content=each, conversation_id="long", title="A long talk") for each in said)
            stored = await agent.call(memory.STORE_TURNS, NewTurns(turns=turns))
            await agent.call(
                memory.STORE_TURN, NewTurn(content="Hello.", conversation_id="short", title="A short one")
            )
            id = stored.turns[7].id
            panel: Any = window.open_panel("conversations")
            await until(lambda: panel.at == "short", "the newest conversation")
            await seek(window, "zebrafinch", "zebrafinch")
            view = panel.view
            await until(lambda: panel.at == "long" and view.turns.record(), "the conversation at a turn")
            await until(lambda: view.turns.record().id == id, "the turn")
            assert panel.listing.record().id == "long"
            await until(lambda: window.inspector.memory_id == id, "the turn in the inspector")
            press(window, Qt.Key.Key_Left, ALT)
            await until(lambda: panel.at == "short", "the conversation that was read before")
            assert window.inspector.memory_id == ""

    drive(qapp, scenario)


def test_back_shows_nothing_again_where_nothing_was_shown(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await learn(agent, "Zebrafinch sings at dawn")
            window.open_panel("audit")
            await seek(window, "zebrafinch", "Zebrafinch")
            await until(lambda: window.inspector.view is not None, "the fact")
            await back(window, "audit")
            await until(lambda: window.inspector.view is None, "nothing beside")
            assert window.inspector.memory_id == ""
            assert window.inspector.head.forward.isEnabled() and not window.inspector.head.back.isEnabled()

    drive(qapp, scenario)
