"""Identity files: an agent's files are read, written, compared and put back, and no text is lost on the way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication

from memdesk.api import workspace
from memdesk.client.client import Client
from memdesk.files.merge import MINE, lines_of, merge, opcodes
from memdesk.gui import look
from memdesk.gui.editor.authors import authors_by_line
from memdesk.gui.editor.compare_view import accessible_text
from memdesk.gui.editor.markdown_preview import Preview, build, parse
from memdesk.gui.editor.source import Source
from memdesk.gui.editor.text_compare import (
    Across,
    Gap,
    as_single_hunk,
    carry_authors,
    compare,
    sides_of,
    three_sides,
)
from memdesk.gui.editor.version_history import VersionHistory
from memdesk.gui.panels.identity_files import fullness
from memdesk.gui.panels.identity_panel import IdentityPanel
from memdesk.gui.widgets import Empty
from memdesk.gui.widgets.paper import PITCH_PX
from memdesk.gui.window import Window
from memdesk.model.interop import AskImport
from memdesk.model.workspace import ListFiles, ReadVersion
from tests.gui.driving import click, drive, opened, press, until
from tests.gui.hands import click_row

CTRL = Qt.KeyboardModifier.ControlModifier
MEMORY = """# MEMORY

## Mara

- Moves to Lisbon on **1 January**.
- Window seats, trains over planes.

## Household

- Graça flat: pets allowed, deposit two months.
- 陈阿姨：十二月二十日从上海来，座位靠过道。
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An agent's workspace as it lies on the disk."""
    made = tmp_path / "iris"
    (made / "learnings").mkdir(parents=True)
    (made / "IDENTITY.md").write_text("# IDENTITY\n\n- **Name:** Iris\n- **Nature:** a careful assistant\n")
    (made / "SOUL.md").write_text("# SOUL\n\nQuiet, exact, kind.\n")
    (made / "MEMORY.md").write_text(MEMORY)
    (made / "learnings" / "errors.md").write_text("- [2026-11-08 10:12] **mail**: attachment of 31 MB\n")
    return made


Act = Callable[[Window, IdentityPanel], Awaitable[None]]


def on_the_panel(app: QApplication, service: Any, folder: Path, act: Act) -> None:
    """Bring the workspace in, open the panel on MEMORY.md, and act."""

    async def scenario() -> None:
        async with bringing_in(service, folder) as window:
            panel = window.open_panel("identity")
            assert isinstance(panel, IdentityPanel)
            await until(lambda: panel.editor.file is not None, "the first file")
            await act(window, panel)

    drive(app, scenario)


@asynccontextmanager
async def bringing_in(service: Any, folder: Path) -> AsyncIterator[Window]:
    async with Client(service.desk) as client:
        await client.call(workspace.IMPORT, AskImport(path=str(folder)))
        wanted = len(list(folder.rglob("*.md")))
        while len((await client.call(workspace.FILES, ListFiles())).rows) < wanted:
            await asyncio.sleep(0.02)
    async with opened(service.desk) as window:
        yield window


def text_of(panel: IdentityPanel) -> str:
    return panel.editor.page.text()


def write_at_the_end(panel: IdentityPanel, words: str) -> None:
    """Type at the end of the text, as a person does."""
    source = panel.editor.page.source
    source.setFocus()
    press(source, Qt.Key.Key_End, CTRL)
    press(source, words)


def labels(panel: IdentityPanel) -> list[str]:
    return [row.label for row in panel.editor.past.versions.rows.rows()]


async def saved(panel: IdentityPanel) -> None:
    await until(lambda: not panel.editor.is_unsaved and not panel.editor.is_saving, "the save")


# Writing and saving.


def test_a_saved_text_is_on_the_disk_and_undo_brings_the_file_back(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    async def act(window: Window, panel: IdentityPanel) -> None:
        write_at_the_end(panel, "- Draft first, then send.")
        await until(lambda: any(line.unsaved for line in panel.files.files()), "the dot of the unsaved file")
        assert panel.save.isEnabled() and (folder / "MEMORY.md").read_text() == MEMORY
        press(panel.editor.page.source, Qt.Key.Key_S, CTRL)
        await saved(panel)
        assert (folder / "MEMORY.md").read_text() == MEMORY + "- Draft first, then send.\n"
        assert window.session.deed and window.session.deed.sentence == "Edited MEMORY.md of Iris"
        await until(lambda: labels(panel) == ["v2", "v1"], "the new version")
        last = len(MEMORY.splitlines())
        assert panel.editor.page.source.author(last) == f"person:{window.session.person}"
        assert panel.editor.page.source.author(0) != panel.editor.page.source.author(last)
        click(window.status_line.undo)
        await until(lambda: (folder / "MEMORY.md").read_text() == MEMORY, "the file of before")
        await until(lambda: text_of(panel) == MEMORY and not panel.editor.is_unsaved, "the text of before")

    on_the_panel(qapp, running_service, folder, act)


def test_ctrl_z_takes_back_what_was_typed_and_touches_no_memory(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    async def act(window: Window, panel: IdentityPanel) -> None:
        write_at_the_end(panel, "x")
        assert panel.editor.is_unsaved
        press(panel.editor.page.source, Qt.Key.Key_Z, CTRL)
        assert text_of(panel) == MEMORY and not panel.editor.is_unsaved
        press(panel.editor.page.source, Qt.Key.Key_Z, CTRL)
        assert window.session.deed is None

    on_the_panel(qapp, running_service, folder, act)


def test_esc_reverts_and_ctrl_z_brings_the_writing_back(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    async def act(window: Window, panel: IdentityPanel) -> None:
        source = panel.editor.page.source
        write_at_the_end(panel, "- A thought")
        press(source, Qt.Key.Key_F, CTRL)
        press(panel.editor.page.find_bar.field, Qt.Key.Key_Escape)
        assert panel.editor.is_unsaved and not panel.editor.page.find_bar.isVisible()
        press(source, Qt.Key.Key_Escape)
        assert text_of(panel) == MEMORY
        press(source, Qt.Key.Key_Z, CTRL)
        assert text_of(panel) == MEMORY + "- A thought"
        panel.editor.revert()

    on_the_panel(qapp, running_service, folder, act)


def test_an_unsaved_text_waits_while_another_file_is_open(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    async def act(window: Window, panel: IdentityPanel) -> None:
        ids = {line.file.path: line.id for line in panel.files.files()}
        write_at_the_end(panel, "- Half a sentence")
        panel.select(ids["SOUL.md"])
        await until(lambda: panel.editor.file and panel.editor.file.path == "SOUL.md", "the other file")
        assert not panel.editor.is_unsaved
        assert [line.file.path for line in panel.files.files() if line.unsaved] == ["MEMORY.md"]
        panel.select(ids["MEMORY.md"])
        await until(lambda: panel.editor.is_unsaved, "the draft")
        assert text_of(panel) == MEMORY + "- Half a sentence"
        panel.editor.revert()

    on_the_panel(qapp, running_service, folder, act)


def test_a_link_to_a_folder_above_opens_that_file(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    async def act(window: Window, panel: IdentityPanel) -> None:
        panel.editor.followed.emit("memory/../SOUL.md")
        await until(lambda: panel.editor.file and panel.editor.file.path == "SOUL.md", "the other file")

    on_the_panel(qapp, running_service, folder, act)


def test_closing_the_window_asks_first_and_saves_on_request(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    async def act(window: Window, panel: IdentityPanel) -> None:
        write_at_the_end(panel, "- Not lost")
        window.close()
        dialog = panel.leaving.dialog
        assert window.isVisible() and dialog is not None
        press(dialog, Qt.Key.Key_Escape)
        assert window.isVisible() and panel.leaving.dialog is None and panel.editor.is_unsaved
        window.close()
        assert panel.leaving.dialog is not None
        click(panel.leaving.dialog.save)
        await until(lambda: not window.isVisible(), "the window to close")
        assert (folder / "MEMORY.md").read_text() == MEMORY + "- Not lost\n"

    on_the_panel(qapp, running_service, folder, act)


def test_a_window_that_is_ended_asks_nothing_and_offers_the_unsaved_texts_when_it_is_opened_again(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    async def scenario() -> None:
        async with bringing_in(running_service, folder) as window:
            panel = window.open_panel("identity")
            assert isinstance(panel, IdentityPanel)
            await until(lambda: panel.editor.file is not None, "the first file")
            write_at_the_end(panel, "- Not lost")
            ids = {line.file.path: line.id for line in panel.files.files()}
            panel.select(ids["SOUL.md"])
            await until(lambda: panel.editor.file and panel.editor.file.path == "SOUL.md", "the other file")
            write_at_the_end(panel, "Patient.")
            window.open_panel("facts")
            window.close()
            assert window.isVisible() and panel.leaving.dialog is not None
            window.close_at_once()
            assert not window.isVisible()
        (folder / "SOUL.md").write_text("# SOUL\n\nLoud.\n")
        async with opened(running_service.desk) as window:
            panel = window.stage.panel
            assert isinstance(panel, IdentityPanel)
            await until(panel.editor.kept.isVisible, "the text")
            assert text_of(panel) == MEMORY + "- Not lost" and panel.editor.conflict.isHidden()
            assert (folder / "MEMORY.md").read_text() == MEMORY
            click(panel.save)
            await saved(panel)
            await until(lambda: not panel.editor.kept.isVisible(), "nothing left of last time")
            panel.select(ids["SOUL.md"])
            await until(panel.editor.conflict.isVisible, "both texts")
            assert text_of(panel).endswith("kind.\nPatient.") and panel.editor.kept.isVisible()
            click(panel.editor.conflict.take)
            await until(lambda: not panel.editor.is_unsaved, "theirs")
        async with opened(running_service.desk) as window:
            panel = window.stage.panel
            assert isinstance(panel, IdentityPanel)
            await until(lambda: panel.editor.file is not None, "a file")
            assert not panel.editor.unsaved() and not panel.editor.kept.isVisible()
            assert (folder / "MEMORY.md").read_text().rstrip("\n") == MEMORY + "- Not lost"

    drive(qapp, scenario)


def test_a_save_that_ends_while_another_file_is_open_leaves_no_draft(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    async def act(window: Window, panel: IdentityPanel) -> None:
        ids = {line.file.path: line.id for line in panel.files.files()}
        write_at_the_end(panel, "- Saved in passing")
        panel.save_file()
        panel.select(ids["SOUL.md"])
        await until(lambda: panel.editor.file and panel.editor.file.path == "SOUL.md", "the other file")
        await until(lambda: not panel.editor.unsaved(), "the save")
        assert (folder / "MEMORY.md").read_text() == MEMORY + "- Saved in passing\n"
        panel.select(ids["MEMORY.md"])
        await until(lambda: "in passing" in text_of(panel), "the saved file")
        assert not panel.editor.is_unsaved and not panel.editor.conflict.isVisible()

    on_the_panel(qapp, running_service, folder, act)


# Changed elsewhere.


def test_a_change_elsewhere_is_shown_at_once_while_nothing_is_unsaved(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    async def act(window: Window, panel: IdentityPanel) -> None:
        (folder / "MEMORY.md").write_text(MEMORY + "- Written by the agent itself.\n")
        await until(lambda: "by the agent itself" in text_of(panel), "the new line")
        assert not panel.editor.conflict.isVisible() and not panel.editor.is_unsaved
        await until(lambda: labels(panel) == ["v2", "v1"], "the version made outside")

    on_the_panel(qapp, running_service, folder, act)


def across(past: VersionHistory) -> list[list[str]]:
    """What stands beside each other in the difference."""
    rows = (row for row in past.sides.rows.rows.rows() if isinstance(row, Across))
    return [[cell.text or "" for cell in row.cells] for row in rows]


lines = st.lists(st.sampled_from("abcde"), max_size=9).map("\n".join)


@given(lines, lines, lines)
def test_what_either_side_changed_stands_beside_what_both_began_with(
    base: str, mine: str, theirs: str
) -> None:
    rows = [row.cells for row in three_sides(base, mine, theirs) if isinstance(row, Across)]
    for place, text in enumerate((mine, base, theirs)):
        said = [line for cells in rows if (line := cells[place].text) is not None]
        rest = iter(text.rstrip("\n").split("\n"))
        assert all(line in rest for line in said), "what is shown of a side is said by it, in its order"
    changed = [cells for cells in rows if cells[0].changed or cells[2].changed]
    assert bool(changed) == any(text.rstrip("\n") != base.rstrip("\n") for text in (mine, theirs))


def test_two_versions_stand_side_by_side(qapp: QApplication, running_service: Any, folder: Path) -> None:
    async def act(window: Window, panel: IdentityPanel) -> None:
        write_at_the_end(panel, "- Mine")
        past = panel.editor.past
        await until(lambda: labels(panel)[0] == "Unsaved", "the unsaved text")
        click(past._detail.button("sides"))
        await until(lambda: past.sides.isVisible() and across(past)[-1:] == [["", "- Mine"]], "both sides")
        assert [title.text() for title in past.sides._titles[:2]] == ["v1", "Unsaved"]
        click_row(past.versions, 1)
        await until(lambda: across(past)[:1] == [["# MEMORY"]], "the first version by itself")

    on_the_panel(qapp, running_service, folder, act)


def test_a_conflict_keeps_both_texts_until_a_person_has_chosen(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    theirs = MEMORY.replace("pets allowed", "no pets")

    async def act(window: Window, panel: IdentityPanel) -> None:
        write_at_the_end(panel, "- Mine")
        (folder / "MEMORY.md").write_text(theirs)
        await until(panel.editor.conflict.isVisible, "the strip")
        assert text_of(panel) == MEMORY + "- Mine"
        assert not panel.save.isEnabled()
        press(panel.editor.page.source, Qt.Key.Key_S, CTRL)
        assert (folder / "MEMORY.md").read_text() == theirs
        await until(lambda: labels(panel) == ["Unsaved", "v2", "v1"], "both texts among the versions")
        past = panel.editor.past
        await until(lambda: past.sides.isVisible() and across(past), "the three sides")
        pets = next(row for row in across(past) if "pets" in row[0])
        assert ["no pets" in side for side in pets] == [False, False, True]
        assert ["- Mine", "", ""] in across(past)
        click(panel.editor.conflict.keep)
        await saved(panel)
        assert (folder / "MEMORY.md").read_text() == MEMORY + "- Mine\n"
        assert panel.editor.file is not None
        ask = ReadVersion(
            document_id=panel.editor.file.document_id,
            content_hash=panel.editor.file.versions[1].content_hash,
        )
        assert (await window.session.call(workspace.VERSION, ask)).text == theirs

    on_the_panel(qapp, running_service, folder, act)


def test_lines_taken_over_by_reverting_in_a_conflict_are_not_the_persons(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    async def act(window: Window, panel: IdentityPanel) -> None:
        write_at_the_end(panel, "- Mine")
        (folder / "MEMORY.md").write_text(MEMORY + "- Theirs\n")
        await until(panel.editor.conflict.isVisible, "the strip")
        panel.editor.revert()
        await until(lambda: text_of(panel) == MEMORY + "- Theirs\n", "their text")
        await until(
            lambda: panel.editor.page.source.author(len(MEMORY.splitlines())) == "outside", "its author"
        )
        assert not panel.editor.is_unsaved
        assert panel.editor.file is not None and panel.editor.file.versions[0].author == "outside"

    on_the_panel(qapp, running_service, folder, act)


def test_a_conflict_that_only_the_service_saw_is_met_on_saving(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    async def act(window: Window, panel: IdentityPanel) -> None:
        panel.watch.follow([])
        write_at_the_end(panel, "- Mine")
        (folder / "MEMORY.md").write_text(MEMORY + "- Theirs\n")
        press(panel.editor.page.source, Qt.Key.Key_S, CTRL)
        await until(panel.editor.conflict.isVisible, "the strip")
        assert text_of(panel) == MEMORY + "- Mine"
        assert (folder / "MEMORY.md").read_text() == MEMORY + "- Theirs\n"
        click(panel.editor.conflict.take)
        assert text_of(panel) == MEMORY + "- Theirs\n" and not panel.editor.is_unsaved
        press(panel.editor.page.source, Qt.Key.Key_Z, CTRL)
        assert text_of(panel) == MEMORY + "- Mine" and panel.save.isEnabled()
        panel.editor.revert()

    on_the_panel(qapp, running_service, folder, act)


def test_changes_of_different_lines_are_merged_and_saved_together(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    async def act(window: Window, panel: IdentityPanel) -> None:
        write_at_the_end(panel, "- Mine")
        (folder / "MEMORY.md").write_text(MEMORY.replace("**1 January**", "**2 January**"))
        await until(panel.editor.conflict.isVisible, "the strip")
        click(panel.editor.conflict.merge)
        await until(lambda: "2 January" in text_of(panel), "the merged text")
        assert text_of(panel).endswith("- Mine") and not panel.editor.conflict.isVisible()
        click(panel.save)
        await saved(panel)
        on_disk = (folder / "MEMORY.md").read_text()
        assert "**2 January**" in on_disk and on_disk.endswith("- Mine\n")

    on_the_panel(qapp, running_service, folder, act)


def test_lines_that_both_changed_stand_marked_and_are_not_saved_so(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    async def act(window: Window, panel: IdentityPanel) -> None:
        panel.editor.page.source.replace_text(MEMORY.replace("pets allowed", "two cats allowed"))
        (folder / "MEMORY.md").write_text(MEMORY.replace("pets allowed", "no pets"))
        await until(panel.editor.conflict.isVisible, "the strip")
        click(panel.editor.conflict.merge)
        await until(lambda: MINE in text_of(panel), "the marks")
        assert "two cats" in text_of(panel) and "no pets" in text_of(panel)
        assert not panel.save.isEnabled()
        panel.editor.page.source.replace_text(MEMORY.replace("pets allowed", "one cat allowed"))
        assert panel.save.isEnabled()
        click(panel.save)
        await saved(panel)
        assert "one cat allowed" in (folder / "MEMORY.md").read_text()

    on_the_panel(qapp, running_service, folder, act)


# Versions.


def test_a_restored_version_is_an_unsaved_text_until_it_is_saved(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    async def act(window: Window, panel: IdentityPanel) -> None:
        write_at_the_end(panel, "- Second thoughts")
        click(panel.save)
        await saved(panel)
        await until(lambda: labels(panel) == ["v2", "v1"], "two versions")
        click_row(panel.editor.past.versions, 1)
        await until(lambda: panel.editor.past.restore.text() == "Restore v1", "the offer")
        click(panel.editor.past.restore)
        await until(lambda: text_of(panel) == MEMORY, "the first text")
        assert panel.editor.is_unsaved and "Second thoughts" in (folder / "MEMORY.md").read_text()
        click(panel.save)
        await saved(panel)
        assert (folder / "MEMORY.md").read_text() == MEMORY
        await until(lambda: labels(panel) == ["v3", "v2", "v1"], "the third version")

    on_the_panel(qapp, running_service, folder, act)


def test_any_two_versions_can_be_compared(qapp: QApplication, running_service: Any, folder: Path) -> None:
    async def act(window: Window, panel: IdentityPanel) -> None:
        past = panel.editor.past
        for words in ("- one", "- two"):
            write_at_the_end(panel, words)
            click(panel.save)
            await saved(panel)
        await until(lambda: labels(panel) == ["v3", "v2", "v1"], "three versions")
        past.versions.setFocus()
        press(past.versions, Qt.Key.Key_Down)
        press(past.versions, Qt.Key.Key_Down)
        click(past.compare_two)
        click_row(past.versions, 0)
        await until(lambda: past.title == "v3 against v1", "the comparison")
        await until(lambda: {"+ - one", "+ - two"} <= set(past.diff.text().split("\n")), "its lines")

    on_the_panel(qapp, running_service, folder, act)


def test_a_comparison_ends_with_the_file_or_the_unsaved_text_it_was_begun_with(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    async def act(window: Window, panel: IdentityPanel) -> None:
        past, ids = panel.editor.past, {line.file.path: line.id for line in panel.files.files()}
        await until(lambda: labels(panel) == ["v1"], "the version")
        click(past.compare_two)
        assert past.compare_two.text() == "Compare with the one before"
        panel.select(ids["SOUL.md"])
        await until(lambda: panel.editor.file and panel.editor.file.path == "SOUL.md", "the other file")
        assert past.compare_two.text() == "Compare two"
        write_at_the_end(panel, "- Mine")
        await until(lambda: labels(panel) == ["Unsaved", "v1"], "the unsaved text")
        click(past.compare_two)
        assert past.compare_two.text() == "Compare with the one before"
        panel.editor.revert()
        await until(lambda: labels(panel) == ["v1"], "the version alone")
        assert past.compare_two.text() == "Compare two"

    on_the_panel(qapp, running_service, folder, act)


# Kinds of files.


def test_a_large_file_is_plain_text_and_can_be_saved(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    (folder / "MEMORY.md").write_text("- a line of a very long memory\n" * 8000)

    async def act(window: Window, panel: IdentityPanel) -> None:
        page = panel.editor.page
        assert page.is_large and not page.preview.isVisible()
        page.plain.setFocus()
        press(page.plain, "# ")
        await until(panel.save.isEnabled, "something to save")
        click(panel.save)
        await saved(panel)
        assert (folder / "MEMORY.md").read_text().startswith("# - a line")

    on_the_panel(qapp, running_service, folder, act)


def test_a_large_unsaved_text_is_kept_however_often_another_file_is_opened(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    (folder / "MEMORY.md").write_text("- a line of a very long memory\n" * 8000)

    async def act(window: Window, panel: IdentityPanel) -> None:
        page, ids = panel.editor.page, {line.file.path: line.id for line in panel.files.files()}
        page.plain.setFocus()
        press(page.plain, "# ")
        for _ in range(2):
            for path in ("SOUL.md", "MEMORY.md"):
                panel.select(ids[path])
                await until(lambda path=path: panel.editor.file.path == path, path)  # type: ignore[misc]
        assert text_of(panel).startswith("# - a line") and panel.editor.is_unsaved
        window.close()
        assert window.isVisible() and panel.leaving.dialog is not None
        press(panel.leaving.dialog, Qt.Key.Key_Escape)
        click(panel.save)
        await saved(panel)
        assert (folder / "MEMORY.md").read_text().startswith("# - a line")

    on_the_panel(qapp, running_service, folder, act)


def test_a_file_that_is_gone_says_so_and_the_others_can_be_read(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    async def act(window: Window, panel: IdentityPanel) -> None:
        ids = {line.file.path: line.id for line in panel.files.files()}
        (folder / "SOUL.md").unlink()
        panel.select(ids["SOUL.md"])
        await until(panel.failure.isVisible, "the failure")
        assert "SOUL.md is no longer in" in panel.failure.accessibleName()
        panel.select(ids["IDENTITY.md"])
        await until(lambda: panel.editor.isVisible() and "careful" in text_of(panel), "the other file")

    on_the_panel(qapp, running_service, folder, act)


def test_an_empty_desk_tells_how_to_bring_a_workspace_in(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            panel = window.open_panel("identity")
            (empty,) = panel.findChildren(Empty)
            await until(empty.isVisible, "the sentence")
            assert "Bring in the folder" in empty.detail.text()
            click(empty.step)
            await until(lambda: (open := window.stage.panel) and open.name == "transfer", "the import")

    drive(qapp, scenario)


# The source, to the character and to the pixel.


@pytest.fixture
def source(qtbot: Any, qapp: QApplication) -> Source:
    look.apply_theme(qapp, "dark")
    made = Source()
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    return made


@pytest.mark.parametrize(
    "text", ["", "\n", "a\u00a0b", "a\u2028b\n", "👩🏽‍🚀 went\nup\n", "陈阿姨\n\n\n", "tab\there"]
)
def test_a_text_comes_back_from_the_editor_to_the_character(source: Source, text: str) -> None:
    source.set_text(text)
    assert source.text() == text
    source.replace_text("other")
    source.replace_text(text)
    assert source.text() == text


def test_chinese_lines_stand_no_further_apart_than_others(source: Source) -> None:
    source.set_text("Latin\n陈阿姨：座位靠过道\n日本語の行\nLatin again\n")
    tops = [place.y() for _, place in source.seen()]
    assert [round(b - a) for a, b in zip(tops, tops[1:], strict=False)] == [PITCH_PX] * 4


def test_lines_keep_their_authors_while_somebody_types_between_them(source: Source) -> None:
    source.set_text("one\ntwo\nthree")
    source.set_authors(["agent:Iris", "job:consolidate", "outside"], "person:Mara")
    source.go_to(3)
    press(source, Qt.Key.Key_Return)
    press(source, "new")
    assert source.author(3) == "outside"
    assert source.author(1) == "person:Mara"
    assert carry_authors("one\ntwo\nthree", source.text(), ["a", "j", "o"], "me") == ["a", "me", "j", "o"]


def test_shift_enter_begins_a_line_of_the_file(source: Source) -> None:
    press(source, "one")
    press(source, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    press(source, "two")
    assert source.text() == "one\ntwo"


def test_authors_of_lines_that_end_at_rare_signs_stay_beside_their_lines() -> None:
    assert authors_by_line("a\fb\nc\n", ["x", "y", "z"]) == ["x", "z", ""]


def test_a_size_warns_from_85_percent_of_its_budget_and_is_bad_beyond_it() -> None:
    assert [fullness(size, 1000) for size in (849, 850, 1000, 1001)] == ["t3", "warn", "warn", "bad"]
    assert fullness(10**6, None) == "t3"


# The preview.


def rendered(text: str) -> QTextDocument:
    document = QTextDocument()
    build(parse(text), document)
    return document


def test_the_preview_interprets_no_html_and_fetches_nothing(qtbot: Any, qapp: QApplication) -> None:
    look.apply_theme(qapp, "light")
    preview = Preview()
    qtbot.addWidget(preview)
    preview.show_parsed(parse("<b>x</b> ![cat](http://example.org/cat.png) [in](javascript:alert(1))\n"))
    said = preview.document().toPlainText()
    assert "<b>x</b>" in said and "[picture: cat]" in said and "javascript:" in said
    assert preview.loadResource(2, "http://example.org/cat.png") is None


def test_the_preview_leaves_comments_out_and_shows_front_matter_as_written() -> None:
    said = rendered("---\nname: iris\n---\n# Title\n<!-- session\n2026 -->\n1. one\n2. two\n").toPlainText()
    assert said.split("\n") == ["name: iris", "Title", "one", "two"]


def test_the_preview_counts_an_ordered_list_on_after_a_nested_one() -> None:
    document = rendered("1. one\n   - inner\n2. two\n")
    block = document.lastBlock()
    assert block.textList().itemText(block) == "2."


def test_every_block_of_the_preview_knows_its_source_lines() -> None:
    placed = build(parse("# A\n\ntext\n\n- b\n- c\n"), QTextDocument())
    assert [(each.first, each.last) for each in placed] == [(0, 1), (2, 3), (4, 5), (5, 6)]


# Comparing and merging.

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "# h", ""]), max_size=12).map("\n".join)


@given(TEXTS, TEXTS)
def test_a_difference_leads_from_one_text_to_the_other(before: str, after: str) -> None:
    old, new = lines_of(before), lines_of(after)
    found = [
        line for tag, a, b, x, y in opcodes(old, new) for line in (old[a:b] if tag == "equal" else new[x:y])
    ]
    assert found == new
    assert compare(before, after).added - compare(before, after).removed == len(new) - len(old)


@given(TEXTS, TEXTS)
def test_a_merge_with_somebody_who_changed_nothing_changes_nothing(base: str, mine: str) -> None:
    assert merge(base, mine, base).text == mine
    assert merge(base, base, mine).text == mine
    assert merge(base, mine, mine).text == mine


@given(TEXTS, TEXTS, TEXTS)
def test_a_merge_loses_no_line_that_somebody_wrote(base: str, mine: str, theirs: str) -> None:
    both = lines_of(merge(base, mine, theirs).text)
    for text in (mine, theirs):
        assert {line for line in lines_of(text) if line not in lines_of(base)} <= set(both)


def test_a_hunk_is_named_by_the_heading_above_it() -> None:
    before = "# M\n\n## Household\n- budget\n- no pets\n- end\n"
    found = compare(before, before.replace("no pets", "pets allowed"))
    (hunk,) = found.hunks
    assert (hunk.heading, hunk.first, hunk.last) == ("Household", 4, 6)
    assert [row.change for row in hunk.rows] == ["same", "removed", "added", "same"]
    assert (found.added, found.removed, found.characters) == (1, 1, 5)


def test_a_huge_difference_is_told_in_bounded_time_and_room() -> None:
    found = compare("\n".join(map(str, range(20_000))), "\n".join(map(str, range(50_000, 70_000))))
    assert sum(len(hunk.rows) for hunk in found.hunks) == 600
    assert found.left_out == 40_000 - 600
    assert as_single_hunk("x\n" * 10).hunks[0].last == 10


def test_sides_that_are_cut_say_how_many_lines_are_left_out() -> None:
    base = "\n".join(map(str, range(1_000)))
    mine = "\n".join(f"{number} of mine" for number in range(1_000))
    for rows, left_out in (
        (three_sides(base, mine, base), 400),
        (sides_of(compare(base, mine), 2), 1_400),
    ):
        assert isinstance(rows[-1], Gap) and rows[-1].left_out == left_out
        assert accessible_text(rows[-1]) == f"{left_out:,} more lines differ"
    assert all(isinstance(row, Across) for row in three_sides("a\nb", "a\nc", "a\nb"))


def test_a_missing_file_begins_from_its_template_and_one_undo_takes_it_away(
    qapp: QApplication, running_service: Any, folder: Path
) -> None:
    async def act(window: Window, panel: IdentityPanel) -> None:
        await until(panel.begin.isEnabled, "what is missing")
        offered = {option.value.path: option for option in panel.begin.options}  # type: ignore[attr-defined]
        assert "USER.md" in offered and not offered.keys() & {"SOUL.md", "IDENTITY.md", "MEMORY.md"}
        assert offered["USER.md"].text.endswith("/ USER.md · Workspace")
        panel.begin.menu().picked.emit(offered["USER.md"].value)
        await until(lambda: panel.editor.file is not None and panel.editor.file.path == "USER.md", "the file")
        assert text_of(panel) == (folder / "USER.md").read_text()
        assert text_of(panel).startswith("# USER.md\n") and "Whom Iris works for" in text_of(panel)
        await until(lambda: "USER.md" not in [each.value.path for each in panel.begin.options], "the offer")  # type: ignore[attr-defined]
        assert window.session.deed is not None and window.session.deed.sentence.startswith("Began USER.md of")
        window.session.undo()
        await until(lambda: not (folder / "USER.md").exists(), "that it is gone")
        await until(lambda: "USER.md" in [each.value.path for each in panel.begin.options], "the offer")  # type: ignore[attr-defined]

    on_the_panel(qapp, running_service, folder, act)
