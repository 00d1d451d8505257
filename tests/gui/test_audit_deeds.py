"""The audit timeline narrowed to one conversation or run, saved into a file, and its hash chain verified."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from memdesk.api import curation, memory
from memdesk.client.client import Client
from memdesk.gui.inspectors.event import EventView
from memdesk.gui.panels.audit_panel import AuditPanel
from memdesk.gui.widgets import Section, Text
from memdesk.model.browse import ListFacts
from memdesk.model.curation import Bulk
from memdesk.model.history import OPERATIONS
from memdesk.model.remember import NewTurn
from memdesk.model.status import JobState
from tests.conftest import Service
from tests.gui.driving import click, drive, opened, press, shared, until
from tests.gui.test_audit import cell, learn, rows, talk, timeline

ENTER, ESC = Qt.Key.Key_Return, Qt.Key.Key_Escape


def choose_more(panel: AuditPanel, words: str) -> None:
    """Take a line of the menu of what more can be done."""
    menu = panel.more_menu()
    line = next(action for action in menu.actions() if words in action.text())
    assert line.isEnabled(), words
    line.trigger()
    menu.deleteLater()


def test_the_timeline_is_narrowed_to_one_conversation_by_its_title(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            await talk(agent, 3, "c-one")
            turn = NewTurn(content="Where do the herons sleep", channel="tidepool", conversation_id="c-two")
            await agent.call(memory.STORE_TURN, turn)
            panel = await timeline(window)
            everything = panel.model.rowCount()
            choose_more(panel, "One conversation")
            press(panel.filters.finder, "herons")
            await until(
                lambda: panel.filters.finder.answers is not None and panel.filters.finder.answers.isVisible(),
                "the answers",
            )
            press(panel.filters.finder, ENTER)
            await until(lambda: panel.model.rowCount() == 1 and rows(panel), "one row")
            assert "herons" in rows(panel)[0].title
            chip = panel.filters.scopes.chips["conversation"]
            assert chip.isVisible() and "herons" in chip.text() and not panel.filters.finder.isVisible()
            click(chip)
            await until(lambda: panel.model.rowCount() == everything, "all rows again")

    drive(qapp, scenario)


def test_the_finder_offers_sessions_and_users_before_a_letter_is_typed(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            turn = NewTurn(content="Hello", channel="tidepool", user_id="guest", conversation_id="c-guest")
            await agent.call(memory.STORE_TURN, turn)
            await talk(agent, 1)
            panel = await timeline(window)
            choose_more(panel, "One conversation")
            await until(
                lambda: panel.filters.finder.answers is not None and panel.filters.finder.answers.isVisible(),
                "the answers",
            )
            assert panel.filters.finder.answers is not None
            model = panel.filters.finder.answers.choices.model
            offered = [choice.text for choice in model.rows()]
            assert {"Conversations", "Users", "guest", "local"} <= set(offered)
            press(panel.filters.finder, "guest")
            await until(
                lambda: [choice.text for choice in model.rows()] == ["Users", "guest"],
                "the guest alone",
            )
            press(panel.filters.finder, ENTER)
            await until(
                lambda: rows(panel) and {row.user_id for row in rows(panel)} == {"guest"}, "the guest"
            )

    drive(qapp, scenario)


def test_a_whole_run_is_shown_alone_and_taken_back(qapp: QApplication, running_service: Service) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with (
            Client(desk, agent="Forge") as agent,
            Client(desk) as owner,
            opened(desk) as window,
        ):
            ids = [await learn(agent, f"Claim {number}") for number in range(3)]
            job = await owner.call(curation.BULK, Bulk(verb="retire", ids=tuple(ids)))
            await window.session.finish(job)
            panel = await timeline(window)
            await until(lambda: rows(panel) and rows(panel)[0].run, "the run")
            panel.table.choose(0)
            choose_more(panel, "The whole run")
            await until(lambda: panel.message_bar.isVisible(), "what can be done with it")
            assert {row.run for row in rows(panel)} == {rows(panel)[0].run}
            assert panel.message_bar.button.text() == "Undo the whole run"
            click(panel.message_bar.button)

            async def facts() -> int:
                return (await owner.call(memory.FACTS, ListFacts())).total

            await until(lambda: panel.model.rowCount() and not panel.message_bar.isVisible(), "the end of it")
            assert await facts() == 3
            await until(lambda: all(row.undone_by for row in rows(panel)), "struck rows")

    drive(qapp, scenario)


def test_a_run_is_one_row_with_one_undo_and_opens_to_its_changes(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, Client(desk) as owner, opened(desk) as window:
            ids = [await learn(agent, f"Claim {number}") for number in range(3)]
            await window.session.finish(await owner.call(curation.BULK, Bulk(verb="retire", ids=tuple(ids))))
            panel = await timeline(window)
            await until(lambda: rows(panel) and rows(panel)[0].of_run == 3, "the run as one row")
            assert sum(row.op == "retire" for row in rows(panel)) == 1
            said = panel.model.index(0, 3).data()
            assert said.startswith("3 changes: ")
            panel.table.choose(0)
            await until(lambda: isinstance(window.inspector.view, EventView), "the run in the inspector")
            view = window.inspector.view
            assert isinstance(view, EventView)
            assert (view.undo_run.label.keys, view.undo.label.keys) == ("U", ""), (
                "U undoes all that the row is for"
            )
            press(panel.table, Qt.Key.Key_Return)
            await until(lambda: [row.op for row in rows(panel)] == ["retire"] * 3, "its changes")
            panel.show_everything()
            await until(lambda: rows(panel) and rows(panel)[0].of_run == 3, "the run as one row again")
            click(panel.table.viewport(), cell(panel, 0, ""))

            async def facts() -> int:
                return (await owner.call(memory.FACTS, ListFacts())).total

            await until(lambda: rows(panel)[0].op == "undo" and rows(panel)[0].of_run == 3, "its one undo")
            assert await facts() == 3
            panel.show_runs(False)
            await until(lambda: sum(row.op == "retire" for row in rows(panel)) == 3, "each change as a row")
            panel.select("retire")
            await until(lambda: {row.op for row in rows(panel)} == {"retire"}, "one operation alone")

    drive(qapp, scenario)


def test_the_inspector_names_the_run_of_a_change_and_leads_to_it(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, Client(desk) as owner, opened(desk) as window:
            ids = [await learn(agent, f"Claim {number}") for number in range(3)]
            await window.session.finish(await owner.call(curation.BULK, Bulk(verb="retire", ids=tuple(ids))))
            panel = await timeline(window)
            await until(lambda: rows(panel) and rows(panel)[0].run, "the run")
            event = rows(panel)[0]
            window.inspector.show_event(event.id)
            await until(lambda: isinstance(window.inspector.view, EventView), "the change")
            view = window.inspector.view
            assert isinstance(view, EventView)
            (part,) = (each for each in view.findChildren(Section) if each.accessibleName() == "Run")
            assert any("Its run made 3 changes." in text.text() for text in part.findChildren(Text))
            click(part.note)
            await until(panel.message_bar.isVisible, "what can be done with it")
            assert {row.run for row in rows(panel)} == {event.run}
            chip = panel.filters.scopes.chips["run"]
            assert chip.text() == f"Run: {event.author.partition(':')[2]}"
            panel.show_everything()
            await until(
                lambda: panel.model.rowCount() > 3 and not panel.message_bar.isVisible(), "everything"
            )
            click(view.undo_run)

            async def facts() -> int:
                return (await owner.call(memory.FACTS, ListFacts())).total

            await until(lambda: rows(panel) and rows(panel)[0].op == "undo", "the undo")
            assert await facts() == 3

    drive(qapp, scenario)


def test_what_is_shown_is_saved_as_csv_or_json_lines(
    qapp: QApplication, running_service: Service, tmp_path: Path
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            await learn(agent, "Sessions live in Postgres, “always”")
            await talk(agent, 4)
            panel = await timeline(window)
            panel.filters.chips.chip("learn").setChecked(True)
            shown = [op for op in OPERATIONS if op != "learn"]
            await until(lambda: rows(panel) and all(row.op in shown for row in rows(panel)), "the filter")
            for suffix in ("csv", "jsonl"):
                choose_more(panel, "Export")
                file = tmp_path / f"events.{suffix}"
                assert panel.acts.dialog is not None
                panel.acts.dialog.selectFile(str(file))
                panel.acts.dialog.accept()
                await until(file.exists, "the file")
            with (tmp_path / "events.csv").open(encoding="utf-8", newline="") as table:
                by_csv = [int(row["id"]) for row in csv.DictReader(table)]
            by_json = [
                json.loads(line)["id"]
                for line in (tmp_path / "events.jsonl").read_text(encoding="utf-8").splitlines()
            ]
            assert by_csv == by_json == [row.id for row in rows(panel)]
            assert sorted(tmp_path.glob("*.part")) == []
            await until(lambda: "written to" in panel.message_bar.sentence.text(), "the word of it")

    drive(qapp, scenario)


def test_a_file_that_cannot_be_written_is_told_in_a_sentence(
    qapp: QApplication, running_service: Service, tmp_path: Path
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            await learn(agent)
            panel = await timeline(window)
            panel.acts.save(panel.rows.asked, tmp_path / "nowhere" / "events.csv", 1)
            await until(lambda: "could not be written" in panel.message_bar.sentence.text(), "the failure")

    drive(qapp, scenario)


def test_the_hash_chain_is_verified_and_its_last_hash_can_be_noted(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            await learn(agent)
            panel = await timeline(window)
            choose_more(panel, "Verify")
            await until(lambda: "none altered" in panel.message_bar.sentence.text(), "the verdict")
            click(panel.message_bar.button)
            noted = QGuiApplication.clipboard().text()
            assert len(noted) == 32 and noted[:12] in panel.message_bar.sentence.text()
            click(panel.message_bar.close_button)
            assert not panel.message_bar.isVisible()

    drive(qapp, scenario)


def test_verifying_tells_how_far_it_is_and_offers_to_stop(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            await learn(agent)
            panel = await timeline(window)
            panel.acts._show_walk(JobState(id="j", name="verify", state="running", says="", done=2, total=9))
            assert panel.message_bar.sentence.text() == "Verifying the desk: 2 of 9"
            assert panel.message_bar.button.text() == "Cancel"

    drive(qapp, scenario)
