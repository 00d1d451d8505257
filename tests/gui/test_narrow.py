"""Panels of 480 px: what they are about stays readable, and no control of theirs is cut or out of reach."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QWidget

from memdesk.api import memory
from memdesk.client.client import Client
from memdesk.gui import language
from memdesk.gui.language import Language
from memdesk.gui.panels.audit.audit_filters import OperationChips
from memdesk.gui.panels.conversations_panel import ConversationsPanel
from memdesk.gui.panels.facts.facts_table import columns, hidden_columns
from memdesk.gui.panels.facts_panel import FactsPanel
from memdesk.gui.session import Session
from memdesk.gui.shell.panel import Panel
from memdesk.gui.widgets import (
    Column,
    Control,
    Drop,
    Field,
    Folding,
    Option,
    PanelHead,
    RowsModel,
    Segments,
    Splitter,
    Table,
)
from memdesk.gui.widgets.toolbar import Summary
from memdesk.gui.window import Window
from memdesk.model.remember import NewTurn
from tests.conftest import Service
from tests.gui.driving import click, drive, opened, until
from tests.gui.test_facts import learn

NARROW_PX = 480
CLAIM = "Every migration of the events table needs a down step that was tried on a copy"


async def beside(window: Window, name: str) -> Panel:
    """A panel as narrow as it gets, another one at its right."""
    panel = window.open_panel(name)
    window.stage.open("jobs" if name != "jobs" else "audit", beside=True)
    window.stage.splitter.setSizes([NARROW_PX, window.stage.width() - NARROW_PX])
    await until(lambda: panel.width() == NARROW_PX, "a narrow panel")
    return panel


def right_of(part: QWidget, panel: QWidget) -> int:
    return part.mapTo(panel, part.rect().topRight()).x() + 1


def cut(panel: Panel) -> list[str]:
    """What in the panel's bars is narrower than its words, or stands outside the panel."""
    parts = [each for bar in panel.bars for each in bar.findChildren(QWidget)]
    seen = [each for each in parts if isinstance(each, (Control, Field)) and each.isVisible()]
    assert seen
    outside = [each.accessibleName() for each in seen if right_of(each, panel) > panel.width()]
    cut = [
        each.accessibleName()
        for each in seen
        if isinstance(each, Control) and each.width() < each.sizeHint().width()
    ]
    return outside + cut


@pytest.mark.parametrize("tongue", ["en", "zh"])
@pytest.mark.parametrize("name", ["facts", "goals", "procedures", "review", "settings", "workspaces"])
def test_no_control_of_a_narrow_panel_is_cut_or_out_of_reach(
    qapp: QApplication, running_service: Service, name: str, tongue: Language
) -> None:
    async def scenario() -> None:
        language.use(tongue)
        async with opened(running_service.desk, size=(1100, 700)) as window:
            panel = await beside(window, name)
            await until(lambda: cut(panel) == [], f"room for {cut(panel)}")

    drive(qapp, scenario)


def test_the_claim_of_a_narrow_table_of_facts_has_half_of_it(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk, size=(1440, 900)) as window:
            await learn(agent, CLAIM)
            panel = window.open_panel("facts")
            assert isinstance(panel, FactsPanel)
            await until(lambda: panel.model.row(0), "the fact")
            titles = [each.title for each in panel.model.columns]
            assert shown(panel) == titles
            await beside(window, "facts")
            assert shown(panel) == ["Claim", "Channel", "Age"]
            assert panel.table.columnWidth(0) >= NARROW_PX // 2
            click_sort = titles.index("Confidence")
            panel.filters.sort_by(panel.model.columns[click_sort].sort, True)
            assert shown(panel) == ["Claim", "Confidence", "Age"], "what it is sorted by stays"
            window.split()
            window.open_panel("facts")
            await until(lambda: shown(panel) == titles, "the columns come back")

    drive(qapp, scenario)


def shown(panel: FactsPanel) -> list[str]:
    table = panel.table
    return [each.title for place, each in enumerate(panel.model.columns) if not table.isColumnHidden(place)]


def test_filters_without_room_are_in_a_menu_that_narrows_and_counts(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk, size=(1100, 700)) as window:
            await learn(agent, "Surely so")
            await learn(agent, "Perhaps so", confidence=0.3)
            panel = await beside(window, "facts")
            assert isinstance(panel, FactsPanel)
            await until(lambda: panel.model.rowCount() == 2, "both facts")
            more, drops = panel.filters.drops.more, panel.filters.drops
            assert panel.filters.confidence in drops.folded and panel.filters.kinds.is_folded is False
            click(more)
            menu = drops.findChild(QMenu)
            assert menu is not None and menu.isVisible()
            lines = {each.text().partition("\t")[0]: each.menu() for each in menu.actions()}
            assert lines.keys() >= {"Confidence", "Age", "Source", "State"}
            low = next(each for each in lines["Confidence"].actions() if each.text().startswith("Below"))
            low.trigger()
            menu.close()
            await until(lambda: panel.model.rowCount() == 1, "the unsure one")
            assert more.label.count == "1" and panel.filters.clear.isVisible()
            await until(lambda: cut(panel) == [], "room for the count")
            click(panel.filters.clear)
            await until(lambda: panel.model.rowCount() == 2 and not more.label.count, "all again")

    drive(qapp, scenario)


def test_a_narrow_conversation_is_chosen_in_its_heading(qapp: QApplication, running_service: Service) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk, size=(1100, 700)) as window:
            for talk in ("first", "second"):
                said = NewTurn(
                    conversation_id=talk,
                    content=f"This is the {talk}.",
                    role="user",
                    channel="harbor",
                    title=f"The {talk} conversation about everything that was left open",
                )
                await agent.call(memory.STORE_TURN, said)
            panel = await beside(window, "conversations")
            assert isinstance(panel, ConversationsPanel)
            await until(lambda: panel.view.talk is not None, "a conversation")
            assert panel.choice.isVisible() and not panel.view.heading.isVisible()
            assert not panel.listing.isVisible()
            head = [panel.choice, panel.view.channel, panel.view.finder.field, panel.filter, panel.states]
            await until(lambda: all(right_of(part, panel) <= NARROW_PX for part in head), "all in reach")
            assert panel.view.channel.width() >= panel.view.channel.sizeHint().width()
            segments = [panel.states.button(value) for value in ("current", "archived", "all")]
            assert panel.states.is_folded or all(each.width() >= each.sizeHint().width() for each in segments)
            panel.choice.menu().picked.emit("first")
            await until(lambda: panel.view.talk and panel.view.talk.id == "first", "the other one")
            window.split()
            window.open_panel("conversations")
            await until(lambda: panel.view.heading.isVisible() and panel.listing.isVisible(), "the list")
            assert not panel.choice.isVisible()

    drive(qapp, scenario)


def test_segments_without_room_become_a_drop_that_says_and_chooses_the_same(qapp: QApplication) -> None:
    segments = Segments([(each, each) for each in ("Current", "Archived", "Everything")], name="Which")
    told: list[object] = []
    segments.chosen.connect(told.append)
    field = Field(placeholder="Filter", width=200)
    place = QWidget()
    head = PanelHead("Conversations", "100 conversations", segments, field)
    head.setParent(place)
    head.resize(900, 48)
    place.show()
    assert not segments.is_folded and field.width() == 200
    head.resize(head.layout().minimumSize().width() + 40, 48)
    qapp.processEvents()
    assert not segments.is_folded and 116 <= field.width() < 200, "the field gives way before the segments"
    segments.set_count("Archived", "12")
    segments.button("Archived").setFocus()
    head.resize(360, 48)
    qapp.processEvents()
    assert segments.is_folded and segments.width() >= segments.folded_px
    drop = segments.findChild(Drop)
    assert drop is not None and drop.isVisible() and drop.accessibleName() == "Which Current"
    menu = drop.menu()
    assert [each.text().split("\t")[0] for each in menu.actions()] == ["Current", "Archived 12", "Everything"]
    menu.actions()[2].trigger()
    assert segments.value() == "Everything" and told == ["Everything"] and drop.text() == "Everything"
    head.resize(900, 48)
    qapp.processEvents()
    assert not segments.is_folded and segments.button("Everything").isChecked()


def test_buttons_without_room_keep_their_icons_and_say_their_words_in_a_tip(qapp: QApplication) -> None:
    jobs, back, save = (
        Control("button", "Jobs", "job"),
        Control("button", "Back up", "lock"),
        Control("primary", "Save"),
    )
    place = QWidget()
    head = PanelHead("Settings", "129 settings", Field(placeholder="Search", width=200), jobs, back, save)
    head.setParent(place)
    head.resize(700, 48)
    place.show()
    qapp.processEvents()
    wide = jobs.width()
    assert wide == jobs.full_px and jobs.toolTip() == ""
    head.resize(370, 48)
    qapp.processEvents()
    assert jobs.width() == back.width() == 28 and save.width() == save.full_px
    assert (jobs.toolTip(), jobs.accessibleName()) == ("Jobs", "Jobs")
    assert save.geometry().right() < 370
    head.resize(700, 48)
    qapp.processEvents()
    assert jobs.width() == wide and jobs.toolTip() == ""


def test_a_subtitle_without_room_loses_its_last_parts_and_never_shows_a_stump(qapp: QApplication) -> None:
    line = Summary("3 runtimes connected · 2 projects · told 9 times today", 13, elide=True)
    line.show()
    shown = {}
    for wide in (600, 260, 160, 100, 30):
        line.resize(wide, 20)
        shown[wide] = QLabel.text(line)
    assert shown[600] == line.text() and shown[260] == "3 runtimes connected · 2 projects"
    assert shown[160] == "3 runtimes connected"
    assert shown[100].startswith("3 runtimes") and shown[100].endswith("…") and shown[30] == ""
    assert line.toolTip() == line.text()
    line.setText("1,328 of 1,330 events")
    line.resize(look_px(line, "1,328 of 1,3"), 20)
    assert QLabel.text(line) == "1,328 of…", "a number in part reads as another number"


def look_px(line: QLabel, text: str) -> int:
    return line.fontMetrics().horizontalAdvance(text + "…") + 1


def test_a_table_without_room_drops_its_last_columns_and_keeps_the_names_and_what_acts(
    qapp: QApplication,
) -> None:
    columns = [
        Column[str](title="Name", text=str),
        Column[str](title="Role", text=str, width=100),
        Column[str](title="Channels", text=str, width=100, hidden_below=300),
        Column[str](title="Age", text=str, width=100),
        Column[str](title="Undo", text=str, width=60, pressable=lambda _: True),
    ]
    table = Table(RowsModel(columns, ["Ana"]), name="Members", id_of=str)
    table.show()
    shown = {}
    for wide in (600, 400, 280, 600):
        table.resize(wide, 200)
        shown[wide] = [each.title for n, each in enumerate(columns) if not table.isColumnHidden(n)]
    assert shown == {
        600: ["Name", "Role", "Channels", "Age", "Undo"],
        400: ["Name", "Role", "Channels", "Undo"],
        280: ["Name", "Role", "Undo"],
    }


def test_chips_of_operations_lose_their_counts_then_their_words(qapp: QApplication) -> None:
    place, chips = QWidget(), OperationChips()
    chips.setParent(place)
    place.show()
    chips.set_counts({"recall": 435, "learn": 1151, "retire": 20})
    learn, said = chips.chip("learn"), []
    for wide in (600, 240, 120):
        chips.resize(wide, 24)
        qapp.processEvents()
        said.append(learn.label.said())
        assert learn.width() >= learn.sizeHint().width() and learn.accessibleName().startswith("Learn")
    assert said == ["Learn 1,151", "Learn", ""] and learn.toolTip().startswith("Learn: 1,151 events")


@given(wide=st.integers(60, 900), absent=st.sets(st.integers(0, 4)))
def test_a_folding_bar_shows_the_first_drops_whole_and_the_rest_in_its_menu(
    qapp: QApplication, wide: int, absent: set[int]
) -> None:
    names = ("Category", "Confidence", "Age", "Source of it", "Tag")
    drops = [Drop([Option(value=name, text=f"Any {name}")], name=name, small=True) for name in names]
    folding = Folding(*drops)
    for place in absent:
        folding.offer(drops[place], False)
    folding.resize(max(wide, folding.minimumSizeHint().width()), 28)
    folding.show()
    offered = [drop for place, drop in enumerate(drops) if place not in absent]
    visible = [drop for drop in drops if drop.isVisible()]
    assert visible == offered[: len(visible)] and list(folding.folded) == offered[len(visible) :]
    assert folding.more.isVisible() == bool(folding.folded)
    assert all(drop.width() >= drop.sizeHint().width() for drop in visible)
    last = [*visible, *([folding.more] if folding.folded else [])]
    assert not last or last[-1].geometry().right() < folding.width()
    assert len(folding.menu().actions()) == len(folding.folded)
    folding.deleteLater()


@given(wide=st.integers(300, 2000), kind=st.sampled_from(["fact", "entity", "goal", "strategy"]))
def test_columns_leave_one_after_the_other_and_never_the_words(
    qapp: QApplication, wide: int, kind: str
) -> None:
    made = columns(kind, Session.__new__(Session))
    gone, wider = hidden_columns(made, wide, ""), hidden_columns(made, wide + 40, "")
    assert wider <= gone and made[0].title not in gone and made[-1].title not in gone
    left = sum(each.width for each in made if each.title not in gone)
    assert wide - left >= min(400, wide // 2) or len(gone) == len(made) - 2
    assert all(each.title not in hidden_columns(made, wide, each.sort) for each in made if each.sort)


def test_parts_that_stack_in_a_narrow_place_are_divided_as_before_when_there_is_room(
    qapp: QApplication,
) -> None:
    parts = [Field(), Field()]
    for part in parts:
        part.setMaximumHeight(4000)
    splitter = Splitter(*parts, stacks_below=600)
    splitter.resize(900, 500)
    splitter.show()
    splitter.setSizes([600, 299])
    before = splitter.sizes()
    splitter.resize(500, 500)
    assert parts[1].y() > parts[0].y() and parts[1].x() == parts[0].x() and splitter.divided == before
    splitter.resize(900, 500)
    assert parts[1].x() > parts[0].x() and splitter.sizes() == before


def test_stacked_parts_share_the_height_whichever_grows_beside_each_other(qapp: QApplication) -> None:
    lists = Splitter(QWidget(), QWidget(), QWidget(), vertical=True, minimum=96)
    for first, least in ((QWidget(), 230), (lists, 3 * 96)):
        second = QWidget()
        splitter = Splitter(first, second, grows=0, stacks_below=600)
        splitter.resize(900, 600)
        splitter.show()
        splitter.resize(500, 600)
        assert first.height() >= least and second.height() >= 300
        splitter.resize(900, 600)
        splitter.setSizes([500, 399])
        splitter.resize(1000, 600)
        assert second.width() == 399, "beside each other the first part grows"
