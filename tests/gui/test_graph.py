"""The fact graph by its rules: where rows go, which edges are drawn, how time is counted and filtered."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from memdesk.engine.browsing.graph import DRAWN_AT_MOST
from memdesk.gui.panels.graph.graph_data import GraphQuery, build_scene
from memdesk.gui.panels.graph.graph_layout import LEFT, RIGHT, Arrangement, Remembered, arrange, group_rows
from memdesk.gui.panels.graph.graph_tools import ChannelChips, Share
from memdesk.gui.panels.graph.graph_view import appearing, interpolate
from memdesk.gui.panels.graph.time_brush import BINS_AT_MOST, PAUSE, PLAY, Brush, count_days
from memdesk.model.graph import Graph, GraphEdge, GraphNode
from tests.gui.graphs import BORN, CHANNELS, NUMBERS, edge, graph_of, graphs, node


def width_of(row: GraphNode) -> float:
    """Some width for a row's words: short ones, long ones and one far too long."""
    return {0: 30.0, 1: 900.0}.get(sum(row.id.encode()) % 9, 160.0)


def laid_out(
    graph: Graph, remembered: Remembered | None = None, size: tuple[float, float] = (916, 560)
) -> tuple[Arrangement, Remembered]:
    known = (remembered or Remembered()).with_nodes(graph.nodes)
    arrangement = arrange(group_rows(graph, known.ranks), known.sides, 80, size, CHANNELS, width_of)
    return arrangement, known.with_sides(arrangement.sides)


# Arrangement.


@given(graphs(), st.sampled_from([(480, 300), (916, 560), (1052, 360), (1900, 1200)]))
def test_every_row_is_there_once_and_no_two_lie_over_each_other(graph: Graph, size: tuple[int, int]) -> None:
    arrangement, _ = laid_out(graph, size=size)
    assert sorted(arrangement.reading) == sorted(each.id for each in graph.nodes if each.id != "centre")
    assert set(arrangement.spots) == set(arrangement.reading)
    areas = [spot.area for spot in arrangement.spots.values()]
    assert not any(one.intersects(other) for place, one in enumerate(areas) for other in areas[:place])
    boxes = [region.box for region in arrangement.regions]
    assert not any(one.intersects(other) for place, one in enumerate(boxes) for other in boxes[:place])


@given(graphs(), st.sampled_from([(480, 300), (916, 560), (1900, 1200)]))
def test_every_row_lies_within_the_region_of_its_channel_and_within_the_canvas(
    graph: Graph, size: tuple[int, int]
) -> None:
    arrangement, _ = laid_out(graph, size=size)
    channels = {each.id: each.channel for each in graph.nodes}
    boxes = {region.channel: region.box for region in arrangement.regions}
    for id, spot in arrangement.spots.items():
        box = boxes[channels[id]]
        assert box.contains(spot.shape) and box.top() <= spot.area.top() <= spot.area.bottom() <= box.bottom()
        assert box.left() <= spot.label.left() and spot.label.right() <= box.right()
    assert all(box.right() <= size[0] and box.bottom() <= arrangement.height for box in boxes.values())
    assert sum(len(region.rows) for region in arrangement.regions) == len(arrangement.spots)


@given(graphs())
def test_rows_hang_below_the_row_they_were_reached_from_in_their_own_region(graph: Graph) -> None:
    arrangement, _ = laid_out(graph)
    nodes = {each.id: each for each in graph.nodes}
    for id, spot in arrangement.spots.items():
        parent = nodes[nodes[id].parent or "centre"]
        if parent.id != "centre" and parent.channel == nodes[id].channel:
            above = arrangement.spots[parent.id]
            assert spot.parent == parent.id and spot.depth == above.depth + 1
            assert spot.shape.y() > above.shape.y()
        else:
            assert spot.parent is None and spot.depth == 0


@given(graphs(), st.data())
def test_what_stays_keeps_its_order_when_rows_come_and_go(graph: Graph, data: st.DataObject) -> None:
    before, remembered = laid_out(graph)
    after, _ = laid_out(graph_of(_with_changes(graph, data)), remembered)
    channels = {each.id: each.channel for each in graph.nodes}
    for channel in CHANNELS:
        were = [id for id in before.reading if channels[id] == channel]
        stayed = [id for id in after.reading if channels.get(id) == channel]
        assert stayed == [id for id in were if id in after.spots]


@given(graphs(), st.data())
def test_a_channel_keeps_its_column_unless_that_leaves_one_empty(graph: Graph, data: st.DataObject) -> None:
    _, remembered = laid_out(graph)
    after, _ = laid_out(graph_of(_with_changes(graph, data)), remembered)
    kept = {channel: side for channel, side in remembered.sides.items() if channel in after.sides}
    if set(kept.values()) == {-1, 1}:
        assert kept.items() <= after.sides.items()
    assert len(after.regions) < 2 or {region.side for region in after.regions} == {-1, 1}


def _with_changes(graph: Graph, data: st.DataObject) -> list[GraphNode]:
    """Some rows gone with all that hung under them, and one row more, told first."""
    leaving = data.draw(st.sets(st.sampled_from([each.id for each in graph.nodes[1:]] or ["nobody"])))
    left: list[GraphNode] = []
    shown = {"centre"}
    for each in graph.nodes[1:]:
        if each.id not in leaving and each.parent in shown:
            left.append(each)
            shown.add(each.id)
    return [node("newcomer", channel=data.draw(st.sampled_from(CHANNELS))), *left]


def test_columns_share_the_rows_and_global_stands_at_the_left() -> None:
    sizes = {"_global": 7, "tidepool": 10, "harbor-web": 6, "homelab": 8}
    rows = [node(f"{channel}{n}", channel=channel) for channel, count in sizes.items() for n in range(count)]
    arrangement, _ = laid_out(graph_of(rows))
    sides = {region.channel: region.side for region in arrangement.regions}
    assert sides == {"_global": -1, "homelab": -1, "tidepool": 1, "harbor-web": 1}


def test_a_lone_channel_gives_its_words_the_whole_width() -> None:
    arrangement, _ = laid_out(graph_of([node(f"n{number}") for number in range(9)]))
    (region,) = arrangement.regions
    assert region.side == 1 and arrangement.middle < region.box.left()
    alone, _ = laid_out(graph_of([]))
    assert alone.regions == () and alone.middle == 916 / 2


@given(graphs(), graphs())
def test_a_turn_begins_where_rows_were_and_ends_where_they_will_be(one: Graph, other: Graph) -> None:
    before, after = laid_out(one)[0], laid_out(other)[0]
    new = appearing(before, after)
    start, end = (interpolate(before, after, share, new) for share in (0.0, 1.0))
    for id, spot in after.spots.items():
        assert start.spots[id].shape == (spot if id in new else before.spots[id]).shape
        assert end.spots[id].area == spot.area
    assert end.regions == after.regions
    for top in range(0, int(max(before.height, after.height)), 200):
        seen = {spot.id for spot in interpolate(before, after, 0.4, new).in_band(top, top + 200)}
        were = {spot.id for spot in before.in_band(top, top + 200)}
        will_be = {spot.id for spot in after.in_band(top, top + 200)}
        assert seen == will_be | (were & set(after.spots))


def test_parents_that_lead_round_in_a_circle_lose_no_row() -> None:
    rows = [node("a", hop=2, parent="b"), node("b", hop=2, parent="a"), node("c", parent="nobody")]
    grouped = group_rows(graph_of(rows), {"centre": 0, "a": 1, "b": 2, "c": 3})
    assert [row.node.id for row in grouped["tidepool"]] == ["a", "b", "c"]


# Scene.


def test_of_two_edges_between_the_same_records_the_more_telling_one_is_drawn() -> None:
    rows = [node("old"), node("new"), node("child", hop=2, parent="new"), node("far", channel="homelab")]
    edges = [
        edge("new", "centre"),
        edge("new", "centre", "PART_OF"),
        edge("old", "centre"),
        edge("new", "old", "SUPERSEDES"),
        edge("child", "new"),
        edge("child", "far", "KNOWS"),
        edge("far", "centre", "RELATED_TO"),
        edge("far", "unknown"),
    ]
    scene = build_scene(graph_of(rows, edges), NUMBERS)
    assert scene.spokes["new"].type == "PART_OF" and set(scene.spokes) == {"new", "old", "far"}
    assert set(scene.branches) == {"child"}
    ties = {id: [tie.edge.type for tie in each] for id, each in scene.ties.items()}
    assert ties == {
        "new": ["SUPERSEDES", "ABOUT"],
        "old": ["SUPERSEDES"],
        "child": ["ABOUT", "KNOWS"],
        "far": ["KNOWS"],
    }
    assert scene.path("child") == ("child", "new")


def test_neighbours_are_added_under_their_row_and_an_entity_is_drawn_once() -> None:
    known = replace(node("e1", kind="entity"), title="PgBouncer")
    graph = graph_of([known, node("f1")])
    namesake = replace(node("e2", kind="entity", channel="harbor-web"), title="pgbouncer")
    more = replace(graph_of([namesake, node("f2", channel="harbor-web")], [edge("f2", "e2")]), center="f1")
    merged = build_scene(graph, NUMBERS, {"f1": more}).graph
    assert [each.id for each in merged.nodes] == ["centre", "e1", "f1", "f2"]
    assert (merged.nodes[-1].parent, merged.nodes[-1].hop) == ("f1", 2)
    assert [(each.source, each.target) for each in merged.edges] == [("f2", "e1")]
    assert build_scene(graph, NUMBERS, {"gone": more}).graph.nodes == graph.nodes


def test_the_count_tells_what_is_left_out_also_beside_rows_that_were_opened() -> None:
    graph = replace(graph_of([node("f1"), node("f2")]), total=8)
    scene = build_scene(graph, NUMBERS)
    assert (scene.counted, scene.left_out) == ("2 of 7 shown", 5)
    more = replace(graph_of([node(f"new{number}") for number in range(30)]), center="f1")
    opened = build_scene(graph, NUMBERS, {"f1": more})
    assert (opened.counted, opened.left_out, opened.shown) == ("2 of 7 shown, 30 opened", 5, 32)
    whole = build_scene(replace(graph, total=3), NUMBERS, {"f1": more})
    assert (whole.counted, whole.left_out) == ("2 shown, 30 opened", 0)


@given(graphs(), st.data())
def test_a_scene_that_has_grown_is_as_one_sorted_at_once(graph: Graph, data: st.DataObject) -> None:
    at = data.draw(st.sampled_from(graph.nodes))
    new = [
        node(f"new{number}", parent=at.id, hop=at.hop + 1) for number in range(data.draw(st.integers(0, 4)))
    ]
    ids = [each.id for each in (*graph.nodes, *new)]
    known = edges_among([each.id for each in graph.nodes], data)
    more = edges_among(ids, data)
    scene = build_scene(
        replace(graph, edges=known), NUMBERS, {at.id: replace(graph_of(new, more), center=at.id)}
    )
    nodes = (*graph.nodes, *new)
    whole = build_scene(replace(graph, nodes=nodes, edges=(*known, *more), total=len(nodes)), NUMBERS)
    for part in ("nodes", "spokes", "branches", "ties"):
        assert getattr(scene, part) == getattr(whole, part)


def edges_among(ids: list[str], data: st.DataObject) -> tuple[GraphEdge, ...]:
    ends = st.tuples(
        st.sampled_from(ids), st.sampled_from(ids), st.sampled_from(["ABOUT", "SUPERSEDES", "KNOWS"])
    )
    return tuple(edge(*each) for each in data.draw(st.lists(ends, max_size=12)))


# Days and the brush.


@example([8])  # nine days, six labels asked for
@given(st.lists(st.integers(0, 4000), max_size=60))
def test_every_birth_is_counted_in_its_bin_and_the_last_bin_holds_today(ages: list[int]) -> None:
    today = date(2026, 11, 20)
    noon = datetime(2026, 11, 20, 12).astimezone()
    days = count_days([noon - timedelta(days=age) for age in ages], today)
    assert sum(days.counts) == len(ages) and 1 <= days.bins <= BINS_AT_MOST
    assert days.day(days.bins - 1) <= today < days.day(days.bins)
    for age in ages:
        assert days.counts[days.bin(noon - timedelta(days=age))] > 0
    labels = [bin for bin, _ in days.labels(6)]
    assert labels == sorted(set(labels)) and len(labels) <= 8


def brushed(qtbot: QtBot) -> tuple[Brush, list[Any]]:
    brush, told = Brush(), []
    qtbot.addWidget(brush)
    brush.resize(800, brush.height())
    noon = datetime(2026, 11, 20, 12).astimezone()
    brush.show_births([noon - timedelta(days=age) for age in (0, 3, 29)], noon.date())
    brush.changed.connect(lambda since, until: told.append((since, until)))
    brush.show()
    return brush, told


def test_handles_of_the_brush_move_by_keys_and_never_pass_each_other(qtbot: QtBot) -> None:
    brush, told = brushed(qtbot)
    QTest.keyClick(brush.start, Qt.Key.Key_Right)
    assert told[-1] == (datetime(2026, 10, 23).astimezone(), None)
    for _ in range(40):
        QTest.keyClick(brush.start, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert brush.bounds == (29, 30)
    QTest.keyClick(brush.end, Qt.Key.Key_Left)
    assert brush.bounds == (29, 30)
    QTest.keyClick(brush.start, Qt.Key.Key_Home)
    assert brush.bounds == (0, 30) and told[-1] == (None, None)
    assert brush.start.accessibleName() == "From 22 Oct"


def test_the_range_of_the_brush_is_dragged_whole_and_keeps_its_days_when_more_is_born(qtbot: QtBot) -> None:
    brush, told = brushed(qtbot)
    for _ in range(5):
        QTest.keyClick(brush.start, Qt.Key.Key_Right)
    QTest.keyClick(brush.end, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert brush.bounds == (5, 23)
    at = QPoint(round(brush._x(14)), 30)
    QTest.mousePress(brush, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseMove(brush, QPoint(round(brush._x(17)), 30))
    QTest.mouseRelease(brush, Qt.MouseButton.LeftButton, pos=at)
    assert brush.bounds == (8, 26)
    since, until_ = told[-1]
    noon = datetime(2026, 11, 20, 12).astimezone()
    brush.show_births([noon - timedelta(days=age) for age in (0, 59)], noon.date())
    assert (brush.since, brush.until) == (since, until_)


def test_playing_the_brush_lets_time_run_to_today_and_stops(qtbot: QtBot) -> None:
    brush, told = brushed(qtbot)
    brush.play.click()
    assert brush.bounds[1] == 1
    assert (brush.play.label.icon, brush.play.accessibleName()) == ("pause", PAUSE)
    for _ in range(60):
        brush._clock.timeout.emit()
    assert brush.bounds == (0, 30) and not brush._clock.isActive()
    assert told[-1] == (None, None)
    assert (brush.play.label.icon, brush.play.accessibleName()) == ("play", PLAY)


def test_channels_that_do_not_fit_move_into_a_menu(qtbot: QtBot) -> None:
    chips, told = ChannelChips(), []
    qtbot.addWidget(chips)
    chips.changed.connect(told.append)
    shares = [Share(channel=f"channel-{number}", number=number, count=number) for number in range(7)]
    chips.set_shares(shares, frozenset({"channel-6"}))
    chips.resize(320, 28)
    chips.show()
    shown = [chip for chip in chips.chips.values() if chip.isVisible()]
    assert 0 < len(shown) < 7
    assert all(one.geometry().right() < other.geometry().left() for one, other in pairwise(shown))
    lines = [action.text() for action in chips.menu().actions()]
    assert len(lines) == 7 - len(shown) and "✓" not in lines[-1] and "✓" in lines[0]
    shown[0].click()
    assert told == [frozenset({"channel-6", "channel-0"})]


def test_filters_survive_another_centre_and_its_time_does_not() -> None:
    query = GraphQuery(
        center="e1", hops=3, since=BORN, limit=120, opened={"f1": 24}, hidden=frozenset({"homelab"})
    )
    other = query.around("e2")
    assert (other.center, other.hops, other.hidden) == ("e2", 3, frozenset({"homelab"}))
    assert (other.since, other.limit, other.opened) == (None, 40, {})
    assert query.same_view(replace(query, limit=40, opened={})) and not query.same_view(other)


def test_each_step_shows_twice_as_much_up_to_what_the_engine_gives() -> None:
    query, limits, opened = GraphQuery(center="e1"), list[int](), list[int]()
    for _ in range(9):
        limits.append(query.limit)
        query = query.larger().opening("f1")
        opened.append(query.opened["f1"])
    assert limits == [40, 80, 160, 320, 640, 1280, 2560, 5000, 5000]
    assert opened == [24, 48, 96, 192, 384, 768, 1536, 3072, 5000]
    assert query.opening("f1") == query and query.closing("f1").opened == {}
    asks = [query.drawing(()), query.neighbours("f1", ())]
    assert all(ask.limit <= DRAWN_AT_MOST for ask in asks)


@given(graphs(), st.integers(0, 900), st.integers(50, 600))
def test_what_is_painted_of_a_band_is_all_that_reaches_into_it(graph: Graph, top: int, high: int) -> None:
    arrangement, _ = laid_out(graph)
    bottom = top + high
    seen = {spot.id for spot in arrangement.in_band(top, bottom)}
    spots = arrangement.spots.values()
    whole = {spot.id for spot in spots if spot.area.bottom() > top and spot.area.top() < bottom}
    assert whole <= seen
    lines = {spot.id for spot in arrangement.hanging([arrangement.spots[id] for id in seen])}
    assert {spot.id for spot in spots if spot.parent is not None and spot.id in whole} <= lines


@given(graphs(), st.floats(-50, 2000))
def test_the_nearest_row_of_a_column_is_the_nearest_of_all(graph: Graph, y: float) -> None:
    arrangement, _ = laid_out(graph)
    spots = arrangement.spots
    for side in (LEFT, RIGHT):
        far = [abs(spot.shape.y() - y) for spot in spots.values() if spot.side == side]
        found = arrangement.nearest(side, y)
        assert (None if found is None else abs(found.shape.y() - y)) == min(far, default=None)
