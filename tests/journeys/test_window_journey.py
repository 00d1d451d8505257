"""The journey of a person: a desk with an imported talk is opened in the real window, a fact is promoted by mouse,
seen in the timeline as it happens, and taken back by mouse; the project's fact is then as it was."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget

from memdesk.api import memory, upkeep, workspace
from memdesk.api.endpoint import Endpoint
from memdesk.client.client import Client
from memdesk.gui.inspectors.event import EventView
from memdesk.gui.inspectors.memory import MemoryView
from memdesk.gui.inspectors.memory_forms import PromotionForm
from memdesk.gui.keys import takes_letters
from memdesk.gui.panels.audit_panel import AuditPanel
from memdesk.gui.window import Window
from memdesk.model.browse import FactRow, ListFacts
from memdesk.model.channel import GLOBAL
from memdesk.model.interop import AskImport
from memdesk.model.status import AskJob, JobState, Nothing
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, opened, press, until
from tests.gui.hands import rail_entry

CHANNEL = "tidepool"
TALK = (
    ("user", "We decided that Tidepool writes go through PgBouncer in transaction mode."),
    ("assistant", "Noted. I will keep prepared statements off then."),
    ("user", "陈阿姨对花生过敏，做饭时要避开。"),
    ("assistant", "好的，我记住了。"),
)


def transcript(folder: Path) -> Path:
    """A chat as many runtimes keep it: a JSON object a line."""
    file = folder / "planning.jsonl"
    lines = [
        {"role": role, "content": content, "timestamp": f"2026-11-1{place}T09:00:00Z"}
        for place, (role, content) in enumerate(TALK)
    ]
    file.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    return file


async def finished(client: Client, job: JobState) -> JobState:
    while job.state in ("waiting", "running"):
        await asyncio.sleep(0.02)
        job = await client.call(upkeep.JOB, AskJob(id=job.id))
    assert job.state == "done", job.says
    return job


async def imported(client: Client, folder: Path) -> FactRow:
    """A desk that has read a talk; the fact it learned from it."""
    bring: Endpoint[AskImport, JobState] = workspace.IMPORT
    ask = AskImport(path=str(transcript(folder)), channel=CHANNEL, agent_id="Forge")
    await finished(client, await client.call(bring, ask))
    await finished(client, await client.call(upkeep.CONSOLIDATE, Nothing()))
    return await project_fact(client)


async def project_fact(client: Client) -> FactRow:
    page = await client.call(memory.FACTS, ListFacts(channels=(CHANNEL,), text="PgBouncer"))
    (fact,) = page.rows
    return fact


async def found(window: Window, fact: FactRow) -> MemoryView:
    """Search by mouse and keyboard, and open what was found by mouse."""
    click(window.top_bar.search)
    press(window.search.field, "PgBouncer transaction")
    model, table = window.search.choices.model, window.search.choices.table
    await until(lambda: any(fact.claim in choice.text for choice in model.rows()), "the fact among the found")
    place = next(place for place, choice in enumerate(model.rows()) if fact.claim in choice.text)
    click(table.viewport(), table.visualRect(model.index(place, 0)).center())
    await until(
        lambda: window.inspector.memory_id == fact.id and isinstance(window.inspector.view, MemoryView)
    )
    view = window.inspector.view
    assert isinstance(view, MemoryView)
    return view


async def promoted(window: Window, view: MemoryView) -> None:
    """Promote by mouse, having seen what _global holds."""
    click(view.footer.buttons["promote"])
    await until(lambda: isinstance(view.form, PromotionForm) and view.form.save.isVisible(), "the preview")
    assert isinstance(view.form, PromotionForm)
    click(view.form.save)


def undo_cell(panel: AuditPanel, place: int) -> QPoint:
    """The middle of a row's Undo."""
    last = len(panel.model.columns) - 1
    return panel.table.visualRect(panel.model.index(place, last)).center()


def focus(app: QApplication) -> QWidget:
    """What has the keyboard."""
    widget = app.focusWidget()
    return widget if widget is not None else QWidget()


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_person_promotes_a_fact_sees_it_in_the_timeline_and_takes_it_back(
    qapp: QApplication, running_service: Service, tmp_path: Path, theme: str
) -> None:
    async def journey() -> None:
        async with Client(running_service.desk) as client, opened(running_service.desk, panel="") as window:
            before = await imported(client, tmp_path)
            window.top_bar.theme_chosen.emit("dark" if theme == "dark" else "light")
            panel = window.open_panel("audit")
            assert isinstance(panel, AuditPanel)
            await until(lambda: panel.model.rowCount() and panel.model.row(0), "the timeline")
            rail_entry(window, "audit")

            view = await found(window, before)
            await promoted(window, view)
            rail_entry(window, "audit")
            await until(
                lambda: (row := panel.model.row(0)) is not None and row.op == "promote", "the new row"
            )
            row = panel.model.row(0)
            assert row is not None and row.undoable and row.title.startswith(before.claim[:40])
            assert window.status_line.undo.isVisible()
            held = await client.call(memory.FACTS, ListFacts(channels=(GLOBAL,), text="PgBouncer"))
            assert [fact.promoted_from for fact in held.rows] == [before.id]

            click(panel.table.viewport(), panel.table.visualRect(panel.model.index(0, 3)).center())
            await until(lambda: isinstance(window.inspector.view, EventView), "the change in the inspector")
            detail = window.inspector.view
            assert isinstance(detail, EventView) and detail.seen.row.id == row.id
            assert detail.undo.isEnabled() and detail.seen.details["thresholds"]
            click(panel.table.viewport(), undo_cell(panel, 0))
            await until(
                lambda: (top := panel.model.row(0)) is not None and top.op == "undo", "the undo's row"
            )
            struck = panel.model.row(1)
            assert struck is not None and struck.id == row.id and struck.undone_by == panel.model.row(0).id  # type: ignore[union-attr]

            held = await client.call(memory.FACTS, ListFacts(channels=(GLOBAL,), text="PgBouncer"))
            assert not held.rows
            after = await project_fact(client)
            # Salience is computed when read, and a moment has passed.
            assert replace(after, salience=before.salience) == before

    drive(qapp, journey)


def test_the_same_journey_by_keyboard_alone(
    qapp: QApplication, running_service: Service, tmp_path: Path
) -> None:
    async def journey() -> None:
        async with Client(running_service.desk) as client, opened(running_service.desk, panel="") as window:
            before = await imported(client, tmp_path)
            await activated(window)
            control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
            press(window, Qt.Key.Key_K, control)
            press(window.search.field, "PgBouncer transaction")
            choices = window.search.choices
            await until(lambda: any(before.claim in choice.text for choice in choices.model.rows()))
            while before.claim not in choices.model.row(choices.table.currentIndex().row()).text:  # type: ignore[union-attr]
                press(window.search.field, Qt.Key.Key_Down)
            press(window.search.field, Qt.Key.Key_Return)
            await until(
                lambda: window.inspector.memory_id == before.id and takes_letters(focus(qapp)), "the graph"
            )
            press(focus(qapp), Qt.Key.Key_P)
            await until(lambda: isinstance(focus(qapp).parent(), PromotionForm), "the form")
            press(focus(qapp), "all services need it")
            press(focus(qapp), Qt.Key.Key_Return)
            await until(
                lambda: (deed := window.session.deed) is not None and deed.op == "promote", "the promotion"
            )
            keys = window.rail.place("audit").toolTip()
            press(window, Qt.Key(Qt.Key.Key_0 + int(keys.removeprefix("Ctrl+"))), control)
            panel = window.stage.panel
            assert isinstance(panel, AuditPanel)
            await until(
                lambda: (row := panel.model.row(0)) is not None and row.op == "promote", "the new row"
            )
            await activated(window)
            press(window, Qt.Key.Key_Z, control)
            await until(lambda: (row := panel.model.row(0)) is not None and row.op == "undo", "the undo")
            press(window, Qt.Key.Key_Z, control, shift)
            await until(lambda: (row := panel.model.row(0)) is not None and row.op == "redo", "the redo")
            held = await client.call(memory.FACTS, ListFacts(channels=(GLOBAL,), text="PgBouncer"))
            assert [fact.promoted_from for fact in held.rows] == [before.id]

    drive(qapp, journey)
