"""What leads on is chosen by hand: a graph's centre, a place, a conversation, a template, a layer, a desk, a hit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QFileDialog

from memdesk.api import memory, working
from memdesk.client.client import Client
from memdesk.gui.panels.graph.graph_page import Card
from memdesk.gui.panels.scratchpad import scratchpad_keys
from memdesk.gui.shell.finder import Choices, ChoicesModel
from memdesk.model.remember import NewTurn
from memdesk.model.working import SetValue
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, opened, press, until
from tests.gui.filled import CRANE, HERE, SHED
from tests.gui.hands import CTRL, by_rail, click_row, deed, is_open, pick, segment, take


def place_of(choices: Choices, text: str) -> int:
    """The line of the search that begins with this text, -1 while there is none."""
    lines = choices.model.rows()
    found = (n for n, each in enumerate(lines) if each.text.startswith(text) and not each.is_heading)
    return next(found, -1)


def test_a_graph_begins_with_what_was_found_by_key_or_pointer_and_hops_are_chosen(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            panel: Any = await by_rail(window, "graph")
            await until(lambda: panel.start.isVisible() and panel.start.cards, "where to begin")
            finder = panel.start.finder
            click(finder)
            press(finder, "crane")
            await until(lambda: finder.answers and place_of(finder.answers.choices, "Crane") >= 0, "it found")
            press(finder, Qt.Key.Key_Down)
            press(finder, Qt.Key.Key_Up)
            press(finder, Qt.Key.Key_Return)
            await until(lambda: panel.page.isVisible() and panel.page.scene is not None, "the graph")
            assert panel.page.canvas.hasFocus()
            for hops in (1, 3):
                click(segment(panel.tools.hops, str(hops)))
                await until(lambda hops=hops: panel._shown.query.hops == hops, f"{hops} hops")
            press(panel, Qt.Key.Key_Slash)
            await until(panel.tools.finder.hasFocus, "the field in the header")
            press(panel.tools.finder, "shed")
            await until(lambda: panel.tools.finder.answers is not None, "the answers")
            answers = panel.tools.finder.answers
            await until(lambda: place_of(answers.choices, SHED) >= 0, "the fact")
            click_row(answers.choices.table, place_of(answers.choices, SHED))
            await until(lambda: panel.page.scene.center.title == SHED, "it in the middle")
            window.close_at_once()
        async with opened(full_service.desk) as window:
            panel = await by_rail(window, "graph")
            await until(lambda: panel.start.isVisible() and panel.start.cards, "where to begin")
            card = panel.start.cards[0]
            assert isinstance(card, Card)
            click(card)
            await until(lambda: panel.page.isVisible() and panel.page.scene is not None, "the graph")

    drive(qapp, scenario)


def test_a_place_of_the_scratchpad_and_a_conversation_are_chosen_by_pointer_and_arrows(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        desk = full_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            kept = SetValue(key="rope", value="blue", channel=HERE, conversation_id="ropes")
            await agent.call(working.SET, kept)
            turn = NewTurn(content="The rope is blue.", title="Ropes", channel=HERE, conversation_id="ropes")
            await agent.call(memory.STORE_TURN, turn)
            pad: Any = await by_rail(window, "scratchpad")
            await until(lambda: pad.places.rows.rowCount() >= 2, "both places")

            def keys() -> set[str]:
                return {scratchpad_keys.name(each) for each in pad.keys.listed()}

            def at(channel_place: str) -> int:
                return next(
                    n
                    for n, row in enumerate(pad.places.rows.rows())
                    if row.conversation_id == channel_place and row.session_id is None
                )

            for place, key in (("quay", "plan"), ("ropes", "rope")):
                click_row(pad.places, at(place))
                await until(lambda key=key: keys() & {"plan", "rope"} == {key}, f"{key} alone")
            way = Qt.Key.Key_Down if at("quay") > at("ropes") else Qt.Key.Key_Up
            for _ in range(abs(at("quay") - at("ropes"))):
                press(pad.places, way)
            await until(lambda: keys() & {"plan", "rope"} == {"plan"}, "the first again by its arrow")

            talks: Any = await by_rail(window, "conversations")
            await until(lambda: talks.listing.rows.rowCount() >= 2, "the conversations")
            for title, said in (("Quay", CRANE), ("Ropes", "The rope is blue")):
                click_row(talks.listing, title)
                await until(lambda said=said: said in told(talks), said)
            press(talks.listing, Qt.Key.Key_Home)
            first = talks.listing.rows.row(0)
            await until(lambda: talks.at == first.id, "the first by key")

    def told(talks: Any) -> str:
        model = talks.view.turns.model()
        return "\n".join(str(model.index(row, 0).data()) for row in range(model.rowCount()))

    drive(qapp, scenario)


def test_a_template_begins_a_missing_file_from_its_menu_by_pointer_and_by_key(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            panel: Any = await by_rail(window, "identity")
            folder = full_service.desk.folder.parent / "iris"
            for name, by_key in (("USER.md", False), ("SOUL.md", True)):
                await until(panel.begin.isEnabled, "what is missing")
                line = next(each.text for each in panel.begin.options if f"/ {name} " in each.text)
                if by_key:
                    panel.begin.setFocus()
                    press(panel.begin, Qt.Key.Key_Space)
                else:
                    click(panel.begin)
                await take(line, by_key=by_key)
                await until(
                    lambda name=name: panel.editor.file and panel.editor.file.path == name, "the file"
                )
                assert (folder / name).exists() and deed(window).startswith(f"Began {name} of")
                await activated(window)
                click(window.status_line.undo)
                await until(lambda name=name: not (folder / name).exists(), "that it is gone")

    drive(qapp, scenario)


def test_layers_of_the_audit_are_chosen_in_their_menu(qapp: QApplication, full_service: Service) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            panel: Any = await by_rail(window, "audit")
            layers = panel.filters.layers
            await until(lambda: layers.options, "the layers")
            every = panel.table.model().rowCount()
            words = layers.options[0].text
            await pick(layers, words)
            await until(lambda: 0 < panel.table.model().rowCount() < every, "fewer events")
            assert layers.value() == (layers.options[0].value,)
            await pick(layers, words, by_key=True)
            await until(lambda: panel.table.model().rowCount() >= every, "all of them")

    drive(qapp, scenario)


def test_a_hit_of_the_search_is_opened_by_pointer_and_its_lines_keep_qts_promises(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            choices = window.search.choices
            assert isinstance(choices.model, ChoicesModel)
            fatal = QAbstractItemModelTester.FailureReportingMode.Fatal
            tester = QAbstractItemModelTester(choices.model, fatal)
            for words in (">", "#har", "@Crane", "nothing like this", ""):
                await activated(window)
                press(window, Qt.Key.Key_K, CTRL)
                await until(window.search.field.hasFocus, "the search")
                press(window.search.field, words)
                await until(lambda: choices.model.rowCount() > 0, f"lines for {words}")
                press(window.search.field, Qt.Key.Key_Escape)
            await activated(window)
            press(window, Qt.Key.Key_K, CTRL)
            await until(window.search.field.hasFocus, "the search")
            press(window.search.field, "crane lifts")
            await until(lambda: place_of(choices, CRANE) >= 0, "the fact")
            heading = next(n for n, each in enumerate(choices.model.rows()) if each.is_heading)
            click_row(choices.table, heading)
            assert window.search.isVisible(), "a heading leads nowhere"
            click_row(choices.table, place_of(choices, CRANE))
            await until(lambda: not window.search.isVisible(), "the search to close")
            await until(lambda: window.inspector.isVisible() and window.inspector.memory_id, "the fact")
            press(window, Qt.Key.Key_K, CTRL)
            await until(window.search.field.hasFocus, "the search")
            press(window.search.field, ">Open Goals")
            await until(lambda: place_of(choices, "Open Goals") >= 0, "the command")
            click_row(choices.table, place_of(choices, "Open Goals"))
            await until(lambda: is_open(window, "goals"), "the panel")
            tester.deleteLater()

    drive(qapp, scenario)


def test_another_desk_is_asked_for_in_the_menu_of_desks(
    qapp: QApplication, running_service: Service, short_folder: Path
) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            await until(window.top_bar.desk.isVisible, "the desk's name")
            for by_key in (False, True):
                click(window.top_bar.desk, QPoint(8, 8))
                await take("Open or create another desk", by_key=by_key)
                await until(lambda: window.findChildren(QFileDialog), "the dialog")
                dialog = window.findChildren(QFileDialog)[-1]
                assert dialog.isVisible()
                dialog.reject()
                assert not dialog.isVisible()
                await activated(window)

    drive(qapp, scenario)
