"""Compaction by pointer and by keyboard: both sides are read, and what was lost is brought back."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from memdesk.api import context, memory
from memdesk.client.client import Client
from memdesk.gui.panels.compaction.compaction_sides import FactLine, LostLine, SentenceLine
from memdesk.gui.panels.compaction_panel import CompactionPanel
from memdesk.gui.window import Window
from memdesk.model.browse import ListFacts
from memdesk.model.context import Compact
from memdesk.model.session import NewSession
from tests.conftest import Service
from tests.engine.talks import talk
from tests.gui.driving import activated, click, drive, opened, press, until
from tests.gui.filled import HERE
from tests.gui.hands import by_rail, click_row, deed, is_open, pick


async def compaction(window: Window, number: int) -> CompactionPanel:
    panel = await by_rail(window, "compaction")
    assert isinstance(panel, CompactionPanel)
    await until(lambda: panel.listing.rows.rowCount() == number and panel.view.whole, "the compactions")
    return panel


def line(panel: CompactionPanel, kind: type[Any]) -> int:
    """The first line of a kind beside the turns."""
    return next(n for n, each in enumerate(panel.view.replaced.rows.rows()) if isinstance(each, kind))


def test_a_compaction_is_read_on_both_sides_by_pointer(qapp: QApplication, full_service: Service) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            panel = await compaction(window, 1)
            view = panel.view
            assert view.whole is not None
            click_row(view.replaced, line(panel, SentenceLine))
            assert view.turns.lit == set(view.replaced.record().turns) != set()
            click_row(view.turns, view.replaced.record().turns[0])
            assert view.replaced.lit == {view.turns.record().turn.turn_index}
            click_row(view.turns, view.turns.currentIndex().row(), twice=True)
            wanted = view.turns.record().id
            await until(lambda: window.inspector.memory_id == wanted, "the turn in the inspector")
            click_row(view.replaced, line(panel, FactLine), twice=True)
            fact = view.replaced.record().fact.id
            await until(lambda: window.inspector.memory_id == fact, "the fact in the inspector")
            bar = view.turns.verticalScrollBar()
            click(view.strip, QPoint(14, 4))
            await until(lambda: bar.value() == 0, "the first turns")
            click(view.strip, QPoint(14, round(view.strip._y(view.whole.row.last_index)) + 1))
            await until(lambda: bar.value() > 0, "the last turns")
            click(view.talk)
            await until(lambda: is_open(window, "conversations"), "the conversation")

    drive(qapp, scenario)


def test_a_session_is_chosen_a_loss_restored_and_all_turns_put_back(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        desk = full_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            new = NewSession(
                session_id="s-2", channel=HERE, agent_id="Forge", title="Long talk", policy="agenticx"
            )
            await agent.call(context.CREATE_SESSION, new)
            await agent.call(context.COMPACT, Compact(messages=tuple(talk(60)), session_id="s-2"))
            panel = await compaction(window, 2)
            await pick(panel.which, "Unloading")
            await until(lambda: panel.listing.rows.rowCount() == 1, "its session alone")
            await pick(panel.which, "Long talk", by_key=True)
            await until(lambda: panel.view.whole and panel.view.whole.row.session_id == "s-2", "the other")
            click_row(panel.listing, 0)
            view = panel.view
            facts = (await agent.call(memory.FACTS, ListFacts())).total
            click_row(view.replaced, line(panel, LostLine))
            await activated(window)
            press(view.replaced, "r")
            await until(lambda: deed(window).startswith("Restored “"), "the loss as a fact")
            assert (await agent.call(memory.FACTS, ListFacts())).total == facts + 1
            click(window.status_line.undo)
            await until(lambda: deed(window).startswith("Undone"), "the undo")
            assert (await agent.call(memory.FACTS, ListFacts())).total == facts
            click(view.restore)
            await until(lambda: "turns of “" in deed(window), "all turns")

    drive(qapp, scenario)
