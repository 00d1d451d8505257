"""What holds in every panel: it is reached by pointer, key and search, each control has a name, Tab comes to all."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QWidget

from memdesk.api import memory
from memdesk.client.client import Client
from memdesk.gui.panels import PANELS
from memdesk.gui.shell.panel import PLACES, Panel
from memdesk.gui.window import Window
from memdesk.model.remember import NewFact
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, opened, press, until
from tests.gui.filled import CRANE
from tests.gui.hands import CTRL, by_rail, is_open, ready, search, stops

NAMES = [panel.name for panel in PANELS]
FIGURE = re.compile(r"^[≥~−+]? ?[\d.,]+( ?%|×)?$|^[\d,]+ of [\d,]+ \w+$|^[\d,]+ \w+$")
"""Words that are a number and at most what it counts."""
Look = Callable[[Window, Panel], Awaitable[None]]


def in_every_panel(app: QApplication, service: Service, look: Look) -> None:
    """Open each panel of a full desk, and look at it."""

    async def scenario() -> None:
        async with opened(service.desk) as window:
            for name in NAMES:
                window.enter_panel(name)
                panel = await ready(window, name)
                await activated(window)
                await look(window, panel)

    drive(app, scenario)


def test_every_panel_is_opened_by_pointer_key_and_search(qapp: QApplication, full_service: Service) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            for name in NAMES:
                await by_rail(window, name)
            for number, place in enumerate(PLACES):
                within = [panel.name for panel in PANELS if panel.place == place.name]
                # The place shows what it showed last, then the next at each press, and the first after the last.
                for name in (within[-1], *within):
                    press(window, Qt.Key(Qt.Key.Key_1 + number), CTRL)
                    await ready(window, name)
            for panel in PANELS:
                await search(window, f">Open {panel.title}")
                await ready(window, panel.name)

    drive(qapp, scenario)


def test_the_pages_of_settings_are_opened_by_their_buttons(qapp: QApplication, full_service: Service) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            for name in ("jobs", "workspaces", "transfer"):
                panel = await by_rail(window, "settings")
                click(panel.pages[name])
                assert is_open(window, name) and window.rail.entry(name).isChecked()
                await ready(window, name)

    drive(qapp, scenario)


def test_every_control_of_every_panel_has_a_name_and_tab_comes_to_it(
    qapp: QApplication, full_service: Service
) -> None:
    async def look(window: Window, panel: Panel) -> None:
        found = list(stops(panel))
        pictures = [each for each in panel.findChildren(QWidget) if each.property("canvas")]
        nameless = [each for each in (*found, *pictures) if not each.accessibleName().strip()]
        assert found and not nameless, (panel.name, nameless)
        found[0].setFocus(Qt.FocusReason.TabFocusReason)
        missed = set(found)
        for _ in range(2 * len(found) + 60):
            focus = QApplication.focusWidget()
            missed.discard(focus)
            if not missed or focus is None:
                break
            press(focus, Qt.Key.Key_Tab)
        stuck = QApplication.focusWidget()
        assert not missed, (panel.name, stuck, [each.accessibleName() for each in missed])

    in_every_panel(qapp, full_service, look)


def test_every_model_keeps_qts_promises_while_agents_write(qapp: QApplication, full_service: Service) -> None:
    testers: list[QAbstractItemModelTester] = []
    kinds: set[str] = set()

    async def scenario() -> None:
        desk = full_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            for number, name in enumerate(NAMES):
                window.enter_panel(name)
                panel = await ready(window, name)
                models: set[QAbstractItemModel] = {
                    view.model() for view in panel.findChildren(QAbstractItemView) if view.model()
                }
                kinds.update(type(each).__name__ for each in models)
                testers.extend(
                    QAbstractItemModelTester(each, QAbstractItemModelTester.FailureReportingMode.Fatal)
                    for each in models
                )
                new = NewFact(claim=f"Rope number {number} was ordered", channel="harbour", agent_id="Forge")
                await agent.call(memory.LEARN_FACT, new)
                press(window, Qt.Key.Key_R, CTRL)
                await ready(window, name)

    drive(qapp, scenario)
    assert len(testers) > 20
    assert {
        "WindowedModel",
        "RowsModel",
        "GroupedRows",
        "KeysModel",
        "HeatRows",
        "Days",
    } <= kinds


def test_every_figure_of_every_panel_says_what_it_is(qapp: QApplication, full_service: Service) -> None:
    silent: set[tuple[str, str]] = set()

    async def look(window: Window, panel: Panel) -> None:
        for part in (panel, window.status_line, window.inspector):
            silent.update(
                (panel.name, label.text())
                for label in part.findChildren(QLabel)
                if label.isVisible() and FIGURE.match(label.text()) and not explained(label)
            )
        silent.update((panel.name, str(title)) for title in untold_columns(panel))

    in_every_panel(qapp, full_service, look)
    assert not silent, "; ".join(f"{panel}: {text}" for panel, text in sorted(silent))


def explained(widget: QWidget) -> bool:
    """Whether a figure, or what it stands in, answers “What is this?” or says under the pointer what it counts."""
    each: QWidget | None = widget
    while each is not None and not isinstance(each, Panel | Window):
        if each.whatsThis():
            return True
        each = each.parentWidget()
    return False


def untold_columns(panel: Panel) -> list[Any]:
    """Titles of the columns that hold figures and do not say what these are."""
    untold = []
    for view in panel.findChildren(QAbstractItemView):
        model = view.model()
        if model is None or not view.isVisible():
            continue
        for place in range(model.columnCount()):
            says = [str(model.index(row, place).data()) for row in range(min(9, model.rowCount()))]
            asked = model.headerData(place, Qt.Orientation.Horizontal, Qt.ItemDataRole.WhatsThisRole)
            if any(FIGURE.match(each) for each in says) and not asked:
                untold.append(model.headerData(place, Qt.Orientation.Horizontal))
    return untold


def test_an_empty_desk_says_in_every_panel_what_will_stand_there(
    qapp: QApplication, running_service: Service
) -> None:
    async def look(window: Window, panel: Panel) -> None:
        if panel._empty.isVisible():
            assert panel._empty.sentence.text().endswith("."), panel.name
            assert panel._empty.step.isVisible() or panel._empty.detail.text(), panel.name
        else:
            said = [each.text() for each in panel._content.findChildren(QLabel) if each.isVisible()]
            assert panel._stack.currentWidget() is panel._content and any(said), panel.name
        assert not panel._failure.isVisible(), panel.name

    in_every_panel(qapp, running_service, look)


def test_a_panel_that_could_not_load_says_so_and_loads_once_the_service_is_back(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent:
            await agent.call(memory.LEARN_FACT, NewFact(claim=CRANE, channel="harbour"))
        async with opened(desk, panel="") as window:
            # Reconnecting would start the service before every panel was seen.
            first = window.stage.panel
            running_service.kill()
            await until(lambda: window.session.is_away, "the service to be missed")
            for name in NAMES:
                if name == "overview":
                    continue
                window.enter_panel(name)
                panel = await ready(window, name)
                # The panel that the window opens with may have been read before the service went.
                was_read = panel is first and panel._empty.isVisible()
                assert panel._failure.isVisible() or panel._content.isVisible() or was_read, name
                if panel._failure.isVisible():
                    assert (
                        "service" in panel._failure.accessibleName().lower()
                        or panel._failure.findChildren(QLabel)
                    )
            assert window.strips.away.isVisible()
            running_service.start()
            await until(lambda: not window.session.is_away, "the service again")
            for name in NAMES:
                window.enter_panel(name)
                panel = await ready(window, name)
                assert not panel._failure.isVisible(), name

    drive(qapp, scenario)
