"""The Graph panel in the real window on a real service."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from memdesk.api import curation, memory
from memdesk.client.client import Client
from memdesk.gui.inspectors.memory import MemoryView
from memdesk.gui.panels.graph.graph_data import Hidden
from memdesk.gui.panels.graph_panel import GraphPanel
from memdesk.gui.window import Window
from memdesk.model.curation import Retire
from memdesk.model.errors import StorageFailed
from memdesk.model.remember import NewEntity, NewFact, NewRelation, NewTurn
from tests.gui.driving import click, drive, opened, press, until
from tests.gui.graphs import place_of


async def tell(agent: Client) -> dict[str, str]:
    """A little desk: a database in two channels, with facts about it. Returns ids by name."""
    ids: dict[str, str] = {}
    for channel in ("tidepool", "homelab"):
        made = await agent.call(
            memory.UPSERT_ENTITY, NewEntity(name="PostgreSQL", type="Technology", channel=channel)
        )
        ids[f"PostgreSQL {channel}"] = made.id
    claims = {
        "tidepool": ("Ingest writes go through PgBouncer", "Never run VACUUM FULL on events"),
        "homelab": ("NAS runs Postgres 16",),
    }
    for channel, each in claims.items():
        for claim in each:
            ids[claim] = await learn(agent, claim, channel)
    await agent.call(memory.UPSERT_ENTITY, NewEntity(name="PgBouncer", type="Technology", channel="tidepool"))
    await agent.call(memory.RELATE, NewRelation(source="PgBouncer", target="PostgreSQL", channel="tidepool"))
    await learn(agent, "Pool size is 25 per node", "tidepool", about="PgBouncer")
    return ids


async def learn(
    agent: Client, claim: str, channel: str, *, about: str = "PostgreSQL", sure: float = 0.95
) -> str:
    fact = NewFact(claim=claim, channel=channel, about=(about,), agent_id="Forge", confidence=sure)
    return (await agent.call(memory.LEARN_FACT, fact)).id


def rows(panel: GraphPanel) -> list[str]:
    """Titles of the rows as they are read."""
    scene = panel.page.scene
    return [] if scene is None else [scene.nodes[id].title for id in panel.page.canvas.reading()]


async def graph_panel(window: Window) -> GraphPanel:
    panel = window.open_panel("graph")
    assert isinstance(panel, GraphPanel)
    await until(lambda: panel.start.isVisible() or panel.page.isVisible(), "the panel")
    return panel


def on_a_desk(
    app: QApplication, service: Any, act: Callable[[Window, GraphPanel, Client, dict[str, str]], Any]
) -> None:
    """Play an act on the little desk in the real window, the graph already around PostgreSQL."""

    async def scenario() -> None:
        async with Client(service.desk, agent="Forge") as agent:
            ids = await tell(agent)
            async with opened(service.desk) as window:
                panel = await graph_panel(window)
                window.go("graph", ids["PostgreSQL tidepool"])
                await until(lambda: len(rows(panel)) == 5, "the graph")
                await act(window, panel, agent, ids)

    drive(app, scenario)


def test_a_graph_begins_with_a_card_or_a_search(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        async with Client(running_service.desk, agent="Forge") as agent:
            await tell(agent)
            async with opened(running_service.desk) as window:
                panel = await graph_panel(window)
                await until(lambda: panel.start.cards, "the cards")
                assert not panel.tools.fit.isVisible()
                card = next(each for each in panel.start.cards if "PgBouncer" in each.accessibleName())
                click(card)
                await until(lambda: "Pool size is 25 per node" in rows(panel), "the graph")
                assert panel.tools.fit.isVisible()
                press(window, "/")
                assert window.focusWidget() is panel.tools.finder
                press(panel.tools.finder, "NAS runs")
                press(panel.tools.finder, Qt.Key.Key_Return)
                await until(
                    lambda: panel.page.scene and panel.page.scene.center.title == "NAS runs Postgres 16",
                    "the other centre",
                )
                press(panel.page.canvas, Qt.Key.Key_Backspace)
                await until(lambda: "Pool size is 25 per node" in rows(panel), "the way back")
                press(panel.page.canvas, Qt.Key.Key_Backspace)
                await until(lambda: panel.start.isVisible(), "the beginning")

    drive(qapp, scenario)


def test_one_region_a_channel_and_a_row_opens_in_the_inspector(
    qapp: QApplication, running_service: Any
) -> None:
    async def act(window: Window, panel: GraphPanel, agent: Client, ids: dict[str, str]) -> None:
        assert set(panel.tools.chips.chips) == {"tidepool", "homelab"}
        assert "around PostgreSQL · technology" in panel.head.subtitle.text()
        canvas = panel.page.canvas
        wanted = ids["NAS runs Postgres 16"]
        QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=place_of(canvas, wanted))
        await until(lambda: isinstance(window.inspector.view, MemoryView), "the inspector")
        assert isinstance(window.inspector.view, MemoryView) and window.inspector.view.seen.id == wanted

    on_a_desk(qapp, running_service, act)


def test_what_an_agent_learns_joins_the_graph_and_nothing_else_moves(
    qapp: QApplication, running_service: Any
) -> None:
    async def act(window: Window, panel: GraphPanel, agent: Client, ids: dict[str, str]) -> None:
        before = rows(panel)
        await learn(agent, "Sessions live in Postgres", "tidepool")
        await until(lambda: len(rows(panel)) == 6, "the new row")
        assert [title for title in rows(panel) if title != "Sessions live in Postgres"] == before

    on_a_desk(qapp, running_service, act)


def test_filters_narrow_the_graph_and_chips_keep_counting(qapp: QApplication, running_service: Any) -> None:
    async def act(window: Window, panel: GraphPanel, agent: Client, ids: dict[str, str]) -> None:
        chips = panel.tools.chips.chips
        click(chips["homelab"])
        await until(lambda: "NAS runs Postgres 16" not in rows(panel), "homelab to go")
        assert chips["homelab"].label.count == "1" and not chips["homelab"].isChecked()
        click(chips["tidepool"])
        await until(lambda: rows(panel) == [], "the centre alone")
        click(chips["tidepool"])
        await until(lambda: len(rows(panel)) == 4, "tidepool")
        panel.tools.hops.chosen.emit(1)
        await until(lambda: "Pool size is 25 per node" not in rows(panel), "one hop")
        await learn(agent, "Perhaps it is slow", "tidepool", sure=0.3)
        panel.tools.confidence.groove.setValue(4)
        await until(lambda: "Perhaps it is slow" in rows(panel), "the unsure fact")

    on_a_desk(qapp, running_service, act)


def test_neighbours_unfold_in_place_and_fold_again(qapp: QApplication, running_service: Any) -> None:
    async def act(window: Window, panel: GraphPanel, agent: Client, ids: dict[str, str]) -> None:
        panel.tools.hops.chosen.emit(1)
        await until(lambda: len(rows(panel)) == 4, "one hop")
        canvas, scene = panel.page.canvas, panel.page.scene
        assert scene is not None
        canvas.select(next(each.id for each in scene.nodes.values() if each.title == "PgBouncer"))
        press(canvas, Qt.Key.Key_Plus)
        await until(lambda: "Pool size is 25 per node" in rows(panel), "the neighbours")
        place = rows(panel).index("PgBouncer")
        assert rows(panel)[place + 1] == "Pool size is 25 per node"
        press(canvas, Qt.Key.Key_Minus)
        await until(lambda: len(rows(panel)) == 4, "the fold")

    on_a_desk(qapp, running_service, act)


def test_plus_again_shows_more_of_a_hub_until_all_is_there_and_what_is_left_out_is_told(
    qapp: QApplication, running_service: Any
) -> None:
    async def act(window: Window, panel: GraphPanel, agent: Client, ids: dict[str, str]) -> None:
        for number in range(60):
            await learn(agent, f"Pool note {number}", "homelab", about="PgBouncer")
        panel.tools.hops.chosen.emit(1)
        await until(lambda: len(rows(panel)) == 4, "one hop")
        canvas, scene = panel.page.canvas, panel.page.scene
        assert scene is not None
        hub = next(each.id for each in scene.nodes.values() if each.title == "PgBouncer")
        canvas.select(hub)
        for hidden in (38, 14, 0):
            press(canvas, Qt.Key.Key_Plus)
            await until(lambda: Hidden(hidden) in canvas._opened.values(), f"{hidden} left out")  # noqa: B023
            assert set(canvas._opened) == {hub}
        notes = {f"Pool note {number}" for number in range(60)}
        assert notes <= set(rows(panel))
        press(canvas, Qt.Key.Key_Minus)
        assert len(rows(panel)) == 4 and not canvas._opened

    on_a_desk(qapp, running_service, act)


def test_the_table_says_all_that_the_drawing_shows_and_sorts(
    qapp: QApplication, running_service: Any
) -> None:
    async def act(window: Window, panel: GraphPanel, agent: Client, ids: dict[str, str]) -> None:
        panel.page.canvas.setFocus()
        press(panel.page.canvas, "t")
        table = panel.page.table
        assert table.isVisible() and table.hasFocus()
        assert [each.title for each in table.nodes.rows()] == ["PostgreSQL", *rows(panel)]
        head = table.horizontalHeader()
        title = QPoint(head.sectionViewportPosition(1) + 20, head.height() // 2)
        for _ in range(2):
            QTest.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=title)
        titles = [each.title for each in table.nodes.rows()]
        assert titles == sorted(titles, key=str.casefold, reverse=True)
        table.choose(titles.index("NAS runs Postgres 16"))
        assert panel.page.canvas.selected() == ids["NAS runs Postgres 16"]
        press(table, "t")
        assert panel.page.canvas.isVisible()

    on_a_desk(qapp, running_service, act)


def test_a_row_that_is_retired_leaves_and_a_centre_without_a_graph_leads_back(
    qapp: QApplication, running_service: Any
) -> None:
    async def act(window: Window, panel: GraphPanel, agent: Client, ids: dict[str, str]) -> None:
        await window.session.do(curation.RETIRE, Retire(id=ids["NAS runs Postgres 16"]))
        await until(lambda: "NAS runs Postgres 16" not in rows(panel), "the row to go")
        turn = await agent.call(memory.STORE_TURN, NewTurn(content="Hello", channel="tidepool"))
        panel.go(turn.id)
        await until(lambda: window.notice.isVisible(), "the notice")
        assert "no graph" in window.notice.sentence.text()
        await until(lambda: panel.query.center == ids["PostgreSQL tidepool"], "the way back")

    on_a_desk(qapp, running_service, act)


def test_the_last_good_graph_stays_when_a_load_fails(qapp: QApplication, running_service: Any) -> None:
    async def act(window: Window, panel: GraphPanel, agent: Client, ids: dict[str, str]) -> None:
        panel.show_failure(StorageFailed("The disk is full."))
        assert panel.page.isVisible() and len(rows(panel)) == 5
        assert panel.strip.isVisible() and "The disk is full." in panel.strip.sentence.text()
        click(panel.strip.button)
        await until(lambda: not panel.strip.isVisible(), "the load to work again")

    on_a_desk(qapp, running_service, act)


def test_an_empty_desk_says_how_a_graph_comes_about(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            panel = window.open_panel("graph")
            assert isinstance(panel, GraphPanel)
            await until(lambda: panel._empty.isVisible(), "the empty panel")
            assert panel._empty.sentence.text() == "Nothing is remembered here yet."

    drive(qapp, scenario)
