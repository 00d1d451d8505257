"""Import and export in the window: nothing happens unseen, all of it can be cancelled, and an import taken back."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from memdesk.api import backups as calls
from memdesk.api import exports, history, memory
from memdesk.client.client import Client
from memdesk.gui import formatting
from memdesk.gui.panels import transfer_panel
from memdesk.gui.panels.transfer import import_tables
from memdesk.gui.panels.transfer.export_form import free
from memdesk.gui.panels.transfer.import_form import ImportForm
from memdesk.gui.panels.transfer_panel import EXPORT, IMPORT, TransferPanel
from memdesk.gui.window import Window
from memdesk.model.browse import ListFacts
from memdesk.model.curation import SOURCES
from memdesk.model.fact import FACT
from memdesk.model.history import AskHistory
from memdesk.model.interop import DECLARATIONS
from memdesk.model.remember import NewFact, NewTurn
from memdesk.model.standing_decision import STANDING
from memdesk.model.status import Nothing
from tests.conftest import Service
from tests.fixtures.interop.forging import forge, made
from tests.gui.driving import activated, click, drive, opened, press, until
from tests.gui.hands import pick

SAID = [
    {"role": "user", "content": "We decided to use PostgreSQL for the ingest service."},
    {"role": "assistant", "content": "Noted: PostgreSQL for ingest."},
]


async def shown(window: Window, page: str) -> TransferPanel:
    panel = window.open_panel("transfer")
    assert isinstance(panel, TransferPanel)
    await until(lambda: panel.pages.isVisible() and panel.bringing.layouts.options[1:], "the panel")
    await activated(window)
    panel.select(page)
    return panel


async def facts(client: Client) -> int:
    return (await client.call(memory.FACTS, ListFacts())).total


def transcript(folder: Path, turns: list[dict[str, str]] = SAID) -> Path:
    path = folder / "talk.jsonl"
    path.write_text("".join(json.dumps(turn) + "\n" for turn in turns))
    return path


def test_a_transcript_comes_in_after_a_look_and_is_taken_back_whole(
    qapp: QApplication, running_service: Service, tmp_path: Path
) -> None:
    path = transcript(tmp_path)

    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            panel = await shown(window, IMPORT)
            form = panel.bringing
            assert not form.footer.begin.isEnabled()
            press(form.source.field, str(path))
            click(form.look)
            await until(form.preview.isVisible, "the preview")
            tester = QAbstractItemModelTester(
                form.preview.items, QAbstractItemModelTester.FailureReportingMode.Fatal
            )
            assert (
                form.footer.says.text() == "1 conversation, 2 turns would come in."
                and await facts(owner) == 0
            )
            form.footer.begin.setFocus()
            press(form.footer.begin, Qt.Key.Key_Space)
            await until(form.footer.more_button.isVisible, "the import")
            assert not form.footer.more_button.hasFocus(), "Space would take everything back"
            assert await facts(owner) > 0 and "Brought in from talk.jsonl" in form.footer.ended.text()
            assert window.session.deed and window.session.deed.run
            click(form.footer.more_button)
            await until(lambda: "taken back" in form.footer.ended.text(), "the way back")
            assert await facts(owner) == 0
            status = window.session.status
            press(
                window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
            )
            await until(lambda: window.session.deed and window.session.deed.op == "redo", "the redo")
            assert await facts(owner) > 0 and tester and status
            click(form.footer.again_button)
            form.look_at(str(path))
            await until(form.preview.isVisible, "the second look")
            await until(lambda: form.footer.says.text() == "All of it is here already.", "that it is known")
            assert not form.footer.begin.isEnabled()

    drive(qapp, scenario)


def test_a_folder_is_checked_without_importing_it_and_the_report_saved(
    qapp: QApplication, running_service: Service, tmp_path: Path
) -> None:
    folder = tmp_path / "crew"
    folder.mkdir()
    (folder / "MEMORY.md").write_text(
        "# Crew\n\n- Omar lives in Turin\n- The key password is hunter2hunter2\n"
    )
    (folder / "USER.md").write_text("# User\n\n- Omar lives in Genoa\n")
    report = tmp_path / "report.html"

    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            form = (await shown(window, IMPORT)).bringing
            press(form.source.field, str(folder))
            click(form.check)
            await until(form.checked.isVisible, "the findings")
            assert [row.kind for row in form.checked.rows.rows()] == ["secret", "contradiction"]
            assert form.checked.says.text() == "2 findings; nothing was imported."
            assert await facts(owner) == 0 and not form.footer.begin.isEnabled()
            click(form.checked.save)
            await until(lambda: form.checked.dialog is not None, "the dialog")
            form.checked.write(report)
            assert "hunter2" not in report.read_text() and "Omar lives in Genoa" in report.read_text()
            assert str(report) in form.footer.says.text()

    drive(qapp, scenario)


def test_enter_takes_a_line_of_a_file_in_or_leaves_it_out_and_the_counts_follow(
    qapp: QApplication, running_service: Service, tmp_path: Path
) -> None:
    folder = tmp_path / "crew"
    folder.mkdir()
    lines = "# The boat leaves at seven\n\n- The winch is greased on Mondays\n- Noor keeps the spare keys\n"
    (folder / "MEMORY.md").write_text(lines)

    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            form = (await shown(window, IMPORT)).bringing
            form.look_at(str(folder))
            table, counts = form.preview.lines.table, form.preview.lines.counts
            await until(form.preview.isVisible, "the preview")
            tester = QAbstractItemModelTester(
                form.preview.lines.rows, QAbstractItemModelTester.FailureReportingMode.Fatal
            )
            assert counts.text().startswith("3 lines: 2 become facts, 1 do not.") and tester
            customs = form.preview.customs
            assert list(customs.boxes) == ["trust"] and "as quoted" in customs.quoted.text()
            assert customs.height() == customs.sizeHint().height() < 3 * customs.boxes["trust"].height()
            assert [_cells(form, row) for row in range(3)] == [
                ("no", "heading", "MEMORY.md:1"),
                ("yes", "", "MEMORY.md:3"),
                ("yes", "", "MEMORY.md:4"),
            ]
            table.setFocus()
            press(table, Qt.Key.Key_Return)
            await until(lambda: counts.text().startswith("3 lines: 3 become facts, 0 do not."), "the heading")
            assert table.currentIndex().row() == 0 and table.hasFocus(), "the next key goes on from here"
            press(table, Qt.Key.Key_Down)
            press(table, Qt.Key.Key_Down)
            press(table, Qt.Key.Key_Return)
            await until(
                lambda: counts.text().startswith("3 lines: 2 become facts, 1 do not."), "the last line"
            )
            assert _cells(form, 2) == ("no", "left out by you", "MEMORY.md:4")
            assert form.footer.says.text() == "1 file, 2 facts would come in."
            press(table, Qt.Key.Key_Return)
            await until(lambda: _cells(form, 2)[0] == "yes", "the last line again")
            press(table, Qt.Key.Key_Return)
            await until(lambda: _cells(form, 2)[0] == "no", "the last line left out again")
            click(form.footer.begin)
            await until(lambda: window.stage.sides == ("who",), "the page of the agent that came")
            claims = {row.claim for row in (await owner.call(memory.FACTS, ListFacts())).rows}
            assert claims == {"The boat leaves at seven", "The winch is greased on Mondays"}

    drive(qapp, scenario)


def test_what_a_strangers_archive_brings_is_listed_and_comes_in_by_its_box_or_line(
    qapp: QApplication, running_service: Service, tmp_path: Path
) -> None:
    facts = [made(FACT, f"f_{n}", claim=f"Berth {n} is free", pinned=1) for n in (1, 2)]
    stands = made(STANDING, "sd_1", type="correction", source_kind="agent", source="Eve", decision="accept")
    path = forge(tmp_path, {FACT.table: facts, STANDING.table: [stands | {"author": "person:Eve"}]})

    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            form = (await shown(window, IMPORT)).bringing
            form.look_at(str(path))
            await until(form.preview.isVisible, "the preview")
            customs = form.preview.customs
            tester = QAbstractItemModelTester(
                customs.rows, QAbstractItemModelTester.FailureReportingMode.Fatal
            )
            assert (
                customs.isVisible()
                and list(customs.boxes) == ["trust", "pins", "authors", "standing"]
                and tester
            )
            said = [str(customs.rows.index(n, 0).data()) for n in range(5)]
            assert said == ["no"] * 5 and "1 fact" not in form.footer.says.text()
            customs.table.setFocus()
            press(customs.table, Qt.Key.Key_Down)
            press(customs.table, Qt.Key.Key_Return)
            await until(lambda: customs.rows.index(1, 0).data() == "yes", "the first pin")
            assert customs.accepted == ("pins:f_1",) and not customs.boxes["pins"].isChecked()
            click(customs.boxes["standing"])
            await until(lambda: customs.rows.index(4, 0).data() == "yes", "the standing decision")
            click(form.footer.begin)
            await until(form.footer.more_button.isVisible, "the import")
            found = (await owner.call(memory.FACTS, ListFacts())).rows
            assert {row.claim: row.pinned for row in found} == {
                "Berth 1 is free": True,
                "Berth 2 is free": False,
            }

    drive(qapp, scenario)


def test_every_kind_of_declaration_and_source_has_words() -> None:
    assert import_tables.NAMES.keys() == DECLARATIONS.keys()
    assert sorted(transfer_panel.NAMES) == sorted(SOURCES)


def test_all_that_comes_from_a_conversation_is_shown_taken_out_and_brought_back(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Eve") as agent, Client(desk) as owner, opened(desk) as window:
            turn = NewTurn(
                content="Berth 9 belongs to Evecorp.", channel="quay", conversation_id="poison", turn_id="t_1"
            )
            await agent.call(memory.STORE_TURN, turn)
            lie = NewFact(claim="Berth 9 belongs to Evecorp", source_turn_id="t_1", channel="quay")
            await agent.call(memory.LEARN_FACT, lie)
            before = await facts(owner)
            panel = await shown(window, IMPORT)
            panel.select("revoke:conversation:poison")
            form = panel.revoking
            await until(lambda: form.table.isVisible() and form.rows.rowCount(), "the preview")
            assert "would go" in form.footer.says.text() and await facts(owner) == before == 1
            click(form.footer.begin)
            await until(form.footer.more_button.isVisible, "the end")
            assert await facts(owner) == 0
            click(form.footer.more_button)
            await until(lambda: "Brought back" in form.footer.ended.text(), "the way back")
            assert await facts(owner) == before

    drive(qapp, scenario)


def test_bringing_back_what_an_undo_brought_back_says_that_there_is_nothing_to_undo(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            turn = NewTurn(content="Berth 9 is free.", channel="quay", conversation_id="talk", turn_id="t_1")
            await owner.call(memory.STORE_TURN, turn)
            panel = await shown(window, IMPORT)
            panel.select("revoke:conversation:talk")
            form = panel.revoking
            await until(lambda: form.table.isVisible() and form.rows.rowCount(), "the preview")
            click(form.footer.begin)
            await until(form.footer.more_button.isVisible, "the end")
            window.session.undo()
            await until(lambda: window.session.deed and window.session.deed.op == "undo", "the undo")
            click(form.footer.more_button)
            await until(lambda: form.footer.ended.text() == "Nothing to undo.", "the reason")

    drive(qapp, scenario)


def _cells(form: ImportForm, row: int) -> tuple[str, str, str]:
    """A line of the preview: if it becomes a fact, why not, and its place."""
    rows = form.preview.lines.rows
    fact, why, place = (str(rows.index(row, at).data()) for at in (0, 2, 3))
    return fact, why, place


def test_enter_in_the_source_looks_first_and_then_brings_in(
    qapp: QApplication, running_service: Service, tmp_path: Path
) -> None:
    path = transcript(tmp_path)

    async def scenario() -> None:
        async with Client(running_service.desk) as owner, opened(running_service.desk) as window:
            form = (await shown(window, IMPORT)).bringing
            press(form.source.field, str(path))
            press(form.source.field, Qt.Key.Key_Return)
            await until(form.preview.isVisible, "the preview")
            assert await facts(owner) == 0
            press(form.source.field, Qt.Key.Key_Return)
            await until(form.footer.more_button.isVisible, "the import")
            assert await facts(owner) > 0

    drive(qapp, scenario)


def test_an_import_that_fails_early_does_not_offer_to_take_back_the_one_before(
    qapp: QApplication, running_service: Service, tmp_path: Path
) -> None:
    path = transcript(tmp_path)

    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            form = (await shown(window, IMPORT)).bringing
            form.look_at(str(path))
            await until(form.preview.isVisible, "the preview")
            click(form.footer.begin)
            await until(form.footer.more_button.isVisible, "the import")
            click(form.footer.again_button)
            note = tmp_path / "notes.md"
            note.write_text("# Notes\n\nThe crane is oiled on Mondays.\n")
            (await shown(window, IMPORT)).bringing.look_at(str(note))
            await until(form.preview.isVisible, "the second preview")
            window.session._revive = None
            running_service.kill()
            click(form.footer.begin)
            await until(form.footer.ended.isVisible, "the failure")
            assert "Brought in" not in form.footer.ended.text() and not form.footer.more_button.isVisible()

    drive(qapp, scenario)


def test_what_cannot_come_in_is_refused_in_a_sentence_and_the_window_lives(
    qapp: QApplication, running_service: Service, tmp_path: Path
) -> None:
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(2 * 1024**3)
    many = tmp_path / "many"
    many.mkdir()
    for number in range(1200):
        (many / f"note-{number}.md").write_text(f"# Note {number}\n\nTide table {number}.\n")

    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            panel = await shown(window, IMPORT)
            form = panel.bringing
            form.look_at(str(huge))
            await until(form.failure.isVisible, "the refusal")
            assert "huge.json" in form.failure.what.text()
            form.look_at(str(many))
            await until(form.preview.isVisible, "the preview")
            assert form.preview.items.rowCount() == 1200
            click(form.footer.begin)
            await until(lambda: form.footer.job and form.footer.job.done > 0, "some of it")
            click(form.footer.cancel)
            await until(lambda: form.footer.ended.text().startswith("Stopped"), "the end of it")
            ask = AskHistory(run=form._run, limit=1)  # noqa: SLF001
            came = bool((await owner.call(history.PAGE, ask)).rows)
            assert form.footer.more_button.isVisible() is came
            if came:
                click(form.footer.more_button)
                await until(lambda: "taken back" in form.footer.ended.text(), "the way back")
            else:
                assert form.footer.ended.text() == "Stopped before anything came in."
            status = await owner.call(exports.FORMATS, Nothing())
            assert status.rows

    drive(qapp, scenario)


def test_an_export_says_what_goes_and_what_stays_and_is_written_where_a_person_says(
    qapp: QApplication, running_service: Service, tmp_path: Path
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk, size=(1100, 700)) as window:
            await owner.call(
                memory.LEARN_FACT, NewFact(claim="The crane is oiled on Mondays", channel="quay")
            )
            await owner.call(memory.STORE_TURN, NewTurn(content="Oil the crane.", channel="quay"))
            panel = await shown(window, EXPORT)
            form = panel.sending
            await until(lambda: form.rows.rowCount() and form.table.isVisible(), "the counts")
            names = {option.value for option in form.formats.options}
            assert names == {row.name for row in (await owner.call(exports.FORMATS, Nothing())).rows}
            await activated(window)
            await pick(form.formats, next(each.text for each in form.formats.options if each.value == "mem0"))
            await until(
                lambda: {row.table: (row.goes, row.stays) for row in form.rows.rows()}.get("turns") == (0, 1),
                "the counts of mem0",
            )
            assert {row.table: row.goes for row in form.rows.rows()}["facts"] == 1
            target = tmp_path / "out.json"
            form.target.field.selectAll()
            press(form.target.field, str(target))
            press(form.target.field, Qt.Key.Key_Return)
            await until(form.footer.more_button.isVisible, "the file")
            written = json.loads(target.read_text())
            assert [each["memory"] for each in written["results"]] == ["The crane is oiled on Mondays"]
            assert form.footer.ended.text() == f"Written to {target}: 1 fact."
            click(form.footer.again_button)
            form.target.set_path(str(target))
            await until(form.footer.begin.isEnabled, "the next export")
            click(form.footer.begin)
            await until(lambda: "is there already" in form.footer.ended.text(), "the refusal")
            click(panel.backup)
            await until(
                lambda: form.formats.value() == "archive" and form.footer.begin.isVisible(), "the backup"
            )
            await until(form.footer.begin.isEnabled, "the backup to be counted")
            form.target.set_path(str(tmp_path / "whole.zip"))
            click(form.footer.begin)
            await until(lambda: "whole.zip" in form.footer.ended.text(), "the archive")
            assert "history/changes.jsonl" in zipfile.ZipFile(tmp_path / "whole.zip").namelist()

    drive(qapp, scenario)


def test_an_export_is_narrowed_by_agent_type_and_day_and_counted_before_it_is_written(
    qapp: QApplication, running_service: Service, tmp_path: Path
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with (
            Client(desk, agent="Iris") as iris,
            Client(desk, agent="Forge") as forge,
            opened(desk, size=(1100, 700)) as window,
        ):
            await iris.call(memory.LEARN_FACT, NewFact(claim="The gate is red", channel="quay"))
            await forge.call(
                memory.LEARN_FACT, NewFact(claim="The crane is oiled on Mondays", channel="quay")
            )
            await iris.call(memory.STORE_TURN, NewTurn(content="Oil the crane.", channel="quay"))
            panel = await shown(window, EXPORT)
            form = panel.sending

            def goes() -> dict[str, int]:
                return {row.table: row.goes for row in form.rows.rows() if row.goes}

            await until(lambda: goes().get("facts") == 2 and form.table.isVisible(), "the counts")
            assert form.history.isEnabled()
            await activated(window)
            await pick(form.narrowing.agents, "Iris", by_key=True)
            await until(lambda: (goes().get("facts"), goes().get("turns")) == (1, 1), "what is Iris’s")
            assert not form.history.isEnabled()
            await pick(form.narrowing.kinds, "Fact")
            await until(lambda: goes() == {"channels": 1, "facts": 1}, "her facts")
            press(form.narrowing.until, "2026-02-3")
            assert not form.footer.begin.isEnabled()
            press(form.narrowing.until, "1")
            assert form.narrowing.until.error() == "no such day"
            await until(lambda: form.table.isVisible(), "the counts")
            assert not form.footer.begin.isEnabled()
            form.narrowing.until.setText("2001-01-31")
            await until(lambda: form.table.isVisible() and not goes(), "that nothing is so old")
            assert not form.footer.begin.isEnabled()
            form.narrowing.until.setText("")
            form.narrowing.since.setText("2001-01-31")
            await until(form.footer.begin.isEnabled, "her facts again")
            form.target.set_path(str(tmp_path / "hers.zip"))
            click(form.footer.begin)
            await until(form.footer.more_button.isVisible, "the file")
            assert b"The gate is red" in zipfile.ZipFile(tmp_path / "hers.zip").read("facts.jsonl")
            assert b"crane" not in zipfile.ZipFile(tmp_path / "hers.zip").read("facts.jsonl")
            click(panel.backup)
            await until(lambda: goes().get("facts") == 2, "everything")
            assert form.history.isChecked() and not form.narrowing.is_narrow

    drive(qapp, scenario)


def test_a_user_is_erased_only_under_their_whole_name(qapp: QApplication, running_service: Service) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            await owner.call(memory.LEARN_FACT, NewFact(claim="The crane is oiled on Mondays", user_id="bob"))
            await owner.call(memory.LEARN_FACT, NewFact(claim="The gate is red"))
            panel = await shown(window, "erase")
            form = panel.erasing
            await until(lambda: "bob" in [option.value for option in form.users.options], "the users")
            await activated(window)
            await pick(form.users, "bob")
            await until(lambda: form.holds.text().startswith("Kept of bob:"), "what is kept")
            assert "1 fact" in form.holds.text()
            press(form.confirm, "bo")
            assert not form.footer.begin.isEnabled()
            press(form.confirm, Qt.Key.Key_Return)
            press(form.confirm, "b")
            assert form.footer.says.text() == "Erases everything of bob."
            click(form.footer.begin)
            await until(lambda: form.footer.ended.text() == "Everything of bob was erased.", "the end")
            assert (await owner.call(memory.FACTS, ListFacts(user_id="bob"))).total == 0
            assert await facts(owner) == 1

    drive(qapp, scenario)


def test_erasing_a_user_deletes_the_backups_that_hold_them_only_where_that_is_checked(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            for user in ("bob", "eve"):
                await owner.call(memory.LEARN_FACT, NewFact(claim=f"{user} oils the crane", user_id=user))
            panel = await shown(window, "erase")
            form = panel.erasing
            await until(lambda: form.users.options, "the users")
            await activated(window)

            async def erased(user: str, *, backups: bool) -> list[str]:
                await pick(form.users, user)
                await until(lambda: form.holds.text().startswith(f"Kept of {user}:"), "what is kept")
                assert not form.backups.isChecked()
                if backups:
                    click(form.backups)
                press(form.confirm, user)
                click(form.footer.begin)
                await until(
                    lambda: form.footer.ended.text() == f"Everything of {user} was erased.", "the end"
                )
                click(form.footer.again_button)
                return [each.reason for each in (await owner.call(calls.LIST, Nothing())).rows]

            assert await erased("bob", backups=False) == ["before-erase"]
            assert await erased("eve", backups=True) == ["after-erase"]

    drive(qapp, scenario)


@pytest.mark.parametrize(
    ("number", "says"),
    [(0, "0 B"), (812, "812 B"), (4300, "4.2 KB"), (150 * 1024, "150 KB"), (1400 * 1024**2, "1.4 GB")],
)
def test_sizes_are_said_in_the_unit_that_fits(number: int, says: str) -> None:
    assert formatting.size(number) == says


def test_a_path_that_is_taken_gets_a_number(tmp_path: Path) -> None:
    path = tmp_path / "memdesk-archive-2026-11-22.zip"
    assert free(path) == path
    path.write_text("")
    assert free(path).name == "memdesk-archive-2026-11-22-2.zip"
    folder = tmp_path / "memdesk-markdown-2026-11-22"
    folder.mkdir()
    assert free(folder).name == "memdesk-markdown-2026-11-22-2"
