"""The graph's canvas by pointer, wheel and keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from memdesk.gui import look
from memdesk.gui.panels.graph.graph_canvas import Canvas
from memdesk.gui.panels.graph.graph_data import Hidden, build_scene
from memdesk.gui.panels.graph.graph_rows import tip
from memdesk.model.graph import Graph
from tests.gui.driving import PATIENCE_MS, double_click
from tests.gui.graphs import CHANNELS, NUMBERS, edge, graph_of, graphs, node, place_of

Show = Callable[[Graph], Canvas]


@pytest.fixture
def canvas(qtbot: QtBot, qapp: QApplication) -> Show:
    """canvas(graph) shows a graph in a canvas of 900 by 500."""
    look.apply_theme(qapp, "dark")
    look.reduce_motion(True)

    def shown(graph: Graph) -> Canvas:
        made = Canvas()
        qtbot.addWidget(made)
        made.resize(900, 500)
        made.show()
        made.show_scene(build_scene(graph, NUMBERS), CHANNELS, {}, frozenset())
        return made

    return shown


def two_columns(rows: int = 4) -> Graph:
    left = [node(f"l{number}", channel="_global") for number in range(rows)]
    right = [node(f"r{number}") for number in range(rows)]
    return graph_of([*left, *right], [edge(each.id, "centre") for each in (*left, *right)])


def test_a_click_picks_a_double_click_enters_and_the_plus_grows(canvas: Show) -> None:
    shown, told = canvas(two_columns()), []
    for name in ("picked", "entered", "grow_asked"):
        getattr(shown, name).connect(lambda id, name=name: told.append((name, id)))
    left = Qt.MouseButton.LeftButton
    QTest.mouseClick(shown.viewport(), left, pos=place_of(shown, "r2"))
    QTest.mouseClick(shown.viewport(), left, pos=place_of(shown, "centre"))
    double_click(shown.viewport(), place_of(shown, "l1"))
    assert shown._placed is not None
    plus = shown._placed.arrangement.spots["r0"].area.right() - 8
    QTest.mouseClick(shown.viewport(), left, pos=QPoint(round(plus), place_of(shown, "r0").y()))
    double_click(shown.viewport(), QPoint(round(plus), place_of(shown, "r0").y()))
    assert told == [("picked", "r2"), ("picked", "centre"), ("entered", "l1"), ("grow_asked", "r0")]
    double_click(shown.viewport(), place_of(shown, "l1"), Qt.MouseButton.RightButton)
    assert ("entered", "l1") not in told[4:]


def test_an_open_row_tells_what_it_leaves_out_and_its_signs_show_more_or_close_it(canvas: Show) -> None:
    shown, told = canvas(two_columns()), []
    shown.grow_asked.connect(lambda id: told.append(("grow", id)))
    shown.shrink_asked.connect(lambda id: told.append(("shrink", id)))
    bare = shown.grab().toImage()
    shown.show_scene(
        build_scene(two_columns(), NUMBERS), CHANNELS, {"l0": Hidden(288), "r1": Hidden()}, frozenset()
    )
    assert shown.grab().toImage() != bare, "the count is painted where nobody looks"
    assert shown.placed is not None
    left, right = shown.placed.arrangement.spots["l0"].area, shown.placed.arrangement.spots["r1"].area
    for x, id in ((left.left() + 30, "l0"), (left.left() + 8, "l0"), (right.right() - 8, "r1")):
        at = QPoint(round(x), place_of(shown, id).y())
        QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert told == [("grow", "l0"), ("shrink", "l0"), ("shrink", "r1")]
    shown.select("l0")
    assert "288 connections not shown" in shown.accessibleDescription()


def test_keys_move_through_rows_and_across_the_centre(canvas: Show) -> None:
    shown, picked = canvas(two_columns()), []
    shown.picked.connect(picked.append)
    keys = Qt.Key
    for key in (keys.Key_J, keys.Key_Down, keys.Key_K, keys.Key_Right, keys.Key_Right, keys.Key_End):
        QTest.keyClick(shown, key)
    assert picked[:3] == ["centre", "l0", "centre"]
    assert picked[3] == picked[4] and picked[3] in ("r1", "r2")
    assert picked[-1] == "r3"
    QTest.keyClick(shown, keys.Key_Home)
    assert shown.selected() == "centre"
    assert "centre" in shown.accessibleDescription()


def test_enter_plus_and_backspace_are_the_graphs_own_keys(canvas: Show) -> None:
    shown, told = canvas(two_columns()), []
    shown.entered.connect(lambda id: told.append(("entered", id)))
    shown.grow_asked.connect(lambda id: told.append(("grow", id)))
    shown.back_asked.connect(lambda: told.append(("back", "")))
    shown.select("l2")
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_Backspace):
        QTest.keyClick(shown, key)
    QTest.keyClick(shown, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert told == [("entered", "l2"), ("grow", "l2"), ("back", ""), ("back", "")]


def test_the_centre_stays_in_the_middle_of_the_view_while_rows_scroll(canvas: Show) -> None:
    shown = canvas(two_columns(40))
    bar = shown.verticalScrollBar()
    assert bar.maximum() > 500
    bar.setValue(400)
    middle = shown._to_view(shown._center_point())
    assert middle.y() == shown.viewport().height() // 2
    shown.select("l39")
    assert bar.value() > 400 and 0 < place_of(shown, "l39").y() < shown.viewport().height()


def test_fit_shows_everything_and_a_second_fit_full_size_again(canvas: Show) -> None:
    shown = canvas(two_columns(20))
    assert shown.verticalScrollBar().maximum() > 0
    shown.fit()
    assert shown.scale_now < 1 and shown.verticalScrollBar().maximum() == 0
    shown.fit()
    assert shown.scale_now == 1
    turned = QWheelEvent(
        QPointF(9, 9),
        QPointF(9, 9),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    shown.wheelEvent(turned)
    assert shown.scale_now == pytest.approx(1 / 1.1)


@settings(max_examples=10)
@given(st.sampled_from(["dark", "light"]), graphs())
def test_any_graph_can_be_painted_in_both_themes(theme: Any, graph: Graph) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    look.apply_theme(app, theme)
    canvas = Canvas()
    canvas.resize(900, 500)
    edges = [edge(each.id, each.parent or "centre", "PROMOTED_FROM") for each in graph.nodes if each.parent]
    canvas.show_scene(
        build_scene(replace(graph, edges=tuple(edges)), NUMBERS),
        CHANNELS,
        {"n0": Hidden(3, is_least=True)},
        frozenset(),
    )
    canvas.select("n3")
    assert canvas.grab().toImage().pixelColor(2, 2) == look.c("stage")
    look.apply_theme(app, "dark")


def test_newcomers_are_tinted_for_a_moment_and_not_with_reduced_motion(canvas: Show) -> None:
    shown, graph = canvas(two_columns()), two_columns(5)
    shown.show_scene(build_scene(graph, NUMBERS), CHANNELS, {}, frozenset({"l4"}))
    assert shown._fade.shares() == {}
    look.reduce_motion(False)
    shown.show_scene(build_scene(graph, NUMBERS), CHANNELS, {}, frozenset({"l4"}))
    assert shown._fade.shares() == {"l4": 1.0}
    look.reduce_motion(True)


def test_another_centre_turns_the_drawing_and_ends_where_it_should(canvas: Show, qtbot: QtBot) -> None:
    shown = canvas(two_columns())
    look.reduce_motion(False)
    other = replace(graph_of([replace(node("centre"), parent="l1"), node("r1", parent="l1")]), center="l1")
    other = replace(other, nodes=(replace(node("l1"), hop=0, parent=None), *other.nodes[1:]))
    shown.show_scene(build_scene(other, NUMBERS), CHANNELS, {}, frozenset())
    assert shown._turn.is_running
    qtbot.waitUntil(lambda: not shown._turn.is_running, timeout=PATIENCE_MS)
    assert shown._center_point().x() == shown._placed.arrangement.middle  # type: ignore[union-attr]
    look.reduce_motion(True)


def test_with_reduced_motion_the_drawing_is_at_once_where_it_should_be(canvas: Show) -> None:
    shown = canvas(two_columns())
    for rows in (9, 3, 6):
        shown.show_scene(build_scene(two_columns(rows), NUMBERS), CHANNELS, {}, frozenset())
        assert not shown._turn.is_running
        assert shown.grab().toImage() == canvas(two_columns(rows)).grab().toImage()


def test_a_row_tells_its_whole_claim_channel_and_strengths() -> None:
    told = tip(replace(node("f1"), title="Never <b>VACUUM FULL</b> on events", past=True))
    assert "Never &lt;b&gt;VACUUM FULL&lt;/b&gt; on events" in told
    assert "tidepool · fact · past" in told and "confidence 0.95, salience 0.50 · seen 3 Sep" in told
