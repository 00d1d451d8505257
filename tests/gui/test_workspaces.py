"""Workspaces in the window: a folder is added after a look, shows how its files stand, and leaves with an undo."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QWidget

from memdesk.api import workspace
from memdesk.client.client import Client
from memdesk.gui.panels.identity_panel import IdentityPanel
from memdesk.gui.panels.transfer_panel import TransferPanel
from memdesk.gui.panels.workspaces_panel import WorkspacesPanel
from memdesk.gui.window import Window
from memdesk.model.status import Nothing
from memdesk.model.workspace_files import AskFolder
from tests.conftest import Service
from tests.fixtures.intake.worlds import copy_of
from tests.gui.driving import activated, click, drive, opened, press, until


async def shown(window: Window) -> WorkspacesPanel:
    panel = window.open_panel("workspaces")
    assert isinstance(panel, WorkspacesPanel)
    await activated(window)
    return panel


async def added(window: Window, panel: WorkspacesPanel, path: Path) -> None:
    """Add a folder as a person does who types its path."""
    panel.open_form()
    press(panel.bringing.source.field, str(path))
    press(panel.bringing.source.field, Qt.Key.Key_Return)
    await until(panel.bringing.footer.begin.isEnabled, "the preview")
    click(panel.bringing.footer.begin)
    await until(panel.bringing.footer.again_button.isVisible, "the folder to be in")
    click(panel.bringing.footer.again_button)
    await until(lambda: panel.folders.rows.rowCount() == 1 and panel.folders.isVisible(), "the folder")
    await until(lambda: panel.detail.rows.rowCount() > 0, "its files")


def drop(widget: QWidget, path: Path) -> bool:
    """Drag a file or folder onto a widget and let go of it; whether it was taken."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    at, action = QPointF(5, 5), Qt.DropAction.CopyAction
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(at.toPoint(), action, data, left, none)
    QApplication.sendEvent(widget, entering)
    if entering.isAccepted():
        QApplication.sendEvent(widget, QDropEvent(at, action, data, left, none))
    return entering.isAccepted()


def test_a_folder_is_seen_before_it_is_added_and_leaves_with_a_way_back(
    qapp: QApplication, running_service: Service, tmp_path: Path
) -> None:
    folder = copy_of("harbour", tmp_path)

    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            panel = await shown(window)
            await until(lambda: panel._empty.isVisible(), "the empty panel")  # noqa: SLF001
            click(panel._empty.step)  # noqa: SLF001
            form = panel.bringing
            await until(form.source.field.hasFocus, "the keyboard in the field")
            press(form.source.field, str(folder))
            press(form.source.field, Qt.Key.Key_Return)
            await until(form.preview.isVisible, "the preview")
            assert "harbour is of the layout OpenClaw" in form.preview.places.text()
            assert form.preview.items.rowCount() == 9 and form.channel.placeholderText() == "runa"
            assert (await owner.call(workspace.LIST, Nothing())).rows == ()
            press(form.channel, "quay")
            assert not form.footer.begin.isEnabled() and "Look first" in form.footer.begin.toolTip()
            press(form.channel, Qt.Key.Key_Return)
            await until(form.footer.begin.isEnabled, "the preview of the other channel")
            assert "quay" in form.preview.into.text()
            click(form.footer.begin)
            await until(form.footer.again_button.isVisible, "the folder to be in")
            assert form.footer.ended.text().startswith("Brought in from harbour: 9 files")
            click(form.footer.again_button)
            await until(lambda: panel.detail.rows.rowCount() == 9, "its files")
            row = (await owner.call(workspace.LIST, Nothing())).rows[0]
            assert (row.channel, row.agent_id, row.layout) == ("quay", "Runa", "OpenClaw")
            testers = [
                QAbstractItemModelTester(each, QAbstractItemModelTester.FailureReportingMode.Fatal)
                for each in (panel.detail.rows, panel.folders.rows, form.preview.items)
            ]
            await until(lambda: "Watched" in panel.detail.watch.text(), "the watcher")
            await activated(window)
            panel.folders.setFocus()
            press(panel.folders, Qt.Key.Key_Delete)
            await until(lambda: window.session.deed and window.session.deed.op == "retire", "the removal")
            assert (await owner.call(workspace.LIST, Nothing())).rows == () and len(
                list(folder.rglob("*.md"))
            ) == 9
            await until(lambda: panel._empty.isVisible(), "the empty panel again")  # noqa: SLF001
            press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
            await until(
                lambda: panel.folders.isVisible() and panel.folders.rows.rowCount() == 1, "the folder again"
            )
            assert (await owner.call(workspace.LIST, Nothing())).rows[0].files == 9 and testers

    drive(qapp, scenario)


def test_files_that_wait_and_files_that_are_left_say_why(
    qapp: QApplication, running_service: Service, tmp_path: Path
) -> None:
    folder = copy_of("harbour", tmp_path)
    (folder / "broken.md").write_bytes(b"a\0b")

    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk, size=(1100, 700)) as window:
            panel = await shown(window)
            await added(window, panel, folder)
            left = panel.detail.rows.rowCount()
            panel.detail.states.chosen.emit("left")
            panel.detail.states.set_value("left")
            panel.detail._narrow()  # noqa: SLF001
            assert panel.detail.rows.rowCount() < left
            broken = panel.detail.rows.row(0)
            assert broken is not None and broken.path == "broken.md"
            assert broken.why == "It holds NUL bytes, so it is not text."
            panel.detail.states.set_value("all")
            press(panel.detail.filter, "soul")
            assert [row.path for row in panel.detail.rows.rows()] == ["SOUL.md"]
            panel.detail.filter.clear()
            (folder / "new.md").write_text("# New\n\nThe pontoon is painted blue.\n")
            await until(
                lambda: "new.md" in [row.path for row in panel.detail.rows.rows()], "what the watcher met"
            )
            await activated(window)
            panel.folders.setFocus()
            press(panel.folders, "r")
            whole = await owner.call(workspace.FOLDER, AskFolder(workspace_id=panel.folders.record().id))
            assert whole.present and whole.passages >= 10
            place = next(n for n, row in enumerate(panel.detail.rows.rows()) if row.path == "SOUL.md")
            panel.detail.table.choose(place)
            await activated(window)
            panel.detail.table.setFocus()
            press(panel.detail.table, Qt.Key.Key_Return)
            await until(lambda: isinstance(window.stage.panel, IdentityPanel), "the identity panel")
            identity = window.stage.panel
            assert isinstance(identity, IdentityPanel)
            await until(lambda: identity.editor.file and identity.editor.file.path == "SOUL.md", "the file")

    drive(qapp, scenario)


def test_a_folder_is_dropped_and_a_wrong_one_says_what_to_do(
    qapp: QApplication, running_service: Service, tmp_path: Path
) -> None:
    folder = copy_of("harbour", tmp_path)

    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            panel = await shown(window)
            assert drop(panel, folder)
            await until(panel.bringing.preview.isVisible, "the preview of what was dropped")
            assert panel.bringing.source.path == str(folder)
            press(panel, Qt.Key.Key_Escape)
            await until(lambda: not panel.bringing.isVisible(), "the form to be closed")
            panel.open_form(str(tmp_path / "nowhere"))
            await until(panel.bringing.failure.isVisible, "the refusal")
            assert panel.bringing.failure.what.text().startswith("There is no file or folder")
            assert panel.bringing.failure.rest.text() == "Check the path."
            panel.bringing.layouts.set_value("OpenLegion")
            panel.bringing.look_at(str(folder))
            await until(panel.bringing.preview.isVisible, "the preview as another layout")
            assert "of the layout OpenLegion: you said so" in panel.bringing.preview.places.text()
            assert drop(window, folder / "MEMORY.md")
            await until(lambda: isinstance(window.stage.panel, TransferPanel), "the import panel")
            assert window.rail.entry("transfer").isChecked()

    drive(qapp, scenario)


def test_the_filters_of_the_top_bar_narrow_the_folders_and_commands_lead_to_the_forms(
    qapp: QApplication, running_service: Service, tmp_path: Path
) -> None:
    folder = copy_of("harbour", tmp_path)

    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            panel = await shown(window)
            await added(window, panel, folder)
            window.session.filter_agents(("Nobody",))
            await until(lambda: "No folder is of the agents" in panel._empty.sentence.text(), "no folder")  # noqa: SLF001
            click(panel._empty.step)  # noqa: SLF001
            await until(lambda: panel.folders.isVisible() and panel.folders.rows.rowCount(), "the folder")
            commands = {key.says: key.act for key in window.keys.keys if key.says}
            commands["Add an agent’s folder"]()
            assert panel.bringing.isVisible()
            commands["Back everything up"]()
            transfer = window.stage.panel
            assert isinstance(transfer, TransferPanel)
            await until(lambda: transfer.sending.formats.value() == "archive", "the archive")
            commands["Erase a user"]()
            await until(transfer.erasing.isVisible, "the page")
            commands["Import memory"]()
            assert transfer.bringing.isVisible()
            commands["Export memory"]()
            assert transfer.sending.isVisible()

    drive(qapp, scenario)
