"""The panels of the profile and of learnings on a real service: entries are added, corrected, trusted, removed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from memdesk.api import profile, upkeep, workspace
from memdesk.client.client import Client
from memdesk.gui.panels.learnings_panel import EntryForm as LearningEntryForm
from memdesk.gui.panels.learnings_panel import LearningForm, LearningsPanel
from memdesk.gui.panels.profile_panel import EntryForm, ProfilePanel
from memdesk.model.interop import AskImport
from memdesk.model.profile import AskProfile, SetTrait
from memdesk.model.status import AskJob
from tests.engine.test_learnings import FILES
from tests.gui.driving import click, drive, opened, press, until
from tests.gui.test_window import said

CTRL = Qt.KeyboardModifier.ControlModifier


def test_an_entry_of_the_profile_is_added_corrected_trusted_and_removed(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Iris") as agent, Client(desk) as owner, opened(desk) as window:
            panel = window.open_panel("profile")
            assert isinstance(panel, ProfilePanel)
            await until(panel._empty.isVisible, "the empty profile")
            click(panel.new)
            form = panel.detail.stack.form
            assert isinstance(form, EntryForm) and not form.check() and not form.begun
            form.name.setText("editor")
            form.value.set_text("vim")
            assert panel.unsaved()
            press(form.value.editor, Qt.Key.Key_S, CTRL)
            await until(lambda: names(panel) == ["editor"] and panel.detail.record is not None, "the entry")
            assert said(window) == "Noted “editor”"
            panel.table.setFocus()
            press(panel.table, Qt.Key.Key_E)
            form = panel.detail.stack.form
            assert isinstance(form, EntryForm) and form.asked() is None
            form.value.set_text('["vim", "nano"]')
            form.submit()
            await until(lambda: panel.detail.stack.form is None, "the correction")
            found = await owner.call(profile.GET, AskProfile())
            assert found.preferences == {"editor": ["vim", "nano"]}
            await agent.call(profile.SET, SetTrait(aspect="expertise", name="rust", value="new to it"))
            await until(lambda: names(panel) == ["editor", "rust"], "what an agent noted")
            panel.table.choose(1)
            await until(lambda: panel.detail.acts.shown == ("edit", "trust", "retire"), "an untrusted entry")
            click(panel.detail.acts.buttons["trust"])
            await until(lambda: panel.detail.acts.shown == ("edit", "retire"), "its trust")
            assert (await owner.call(profile.GET, AskProfile())).marks == ()
            panel.filter.setText("nano")
            assert names(panel) == ["editor"]
            panel.filter.clear()
            panel.table.choose(1)
            panel.table.setFocus()
            press(panel.table, Qt.Key.Key_Delete)
            await until(lambda: names(panel) == ["editor"], "the removal")
            window.session.undo()
            await until(lambda: names(panel) == ["editor", "rust"], "the undo")

    drive(qapp, scenario)


def rows_of(panel: Any) -> Any:
    return panel.records.table.model().rows()


def names(panel: ProfilePanel) -> list[str]:
    return [entry.name for entry in rows_of(panel)]


def test_a_learning_is_read_corrected_removed_and_added(
    qapp: QApplication, running_service: Any, tmp_path: Path
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    errors = tmp_path / "iris" / "learnings" / "errors.md"

    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            panel = window.open_panel("learnings")
            assert isinstance(panel, LearningsPanel)
            await until(panel._empty.isVisible, "no learning")
            assert not panel.new.isEnabled()
            job = await owner.call(workspace.IMPORT, AskImport(path=str(tmp_path / "iris")))
            while job.open:
                await asyncio.sleep(0.02)
                job = await owner.call(upkeep.JOB, AskJob(id=job.id))
            all_texts = ["It is Basel", "A line by hand", "timed out", "no such file"]
            await until(lambda: texts(panel) == all_texts, "the learnings")
            panel.which.choose("error")
            await until(lambda: texts(panel) == ["A line by hand", "timed out", "no such file"], "errors")
            panel.table.choose(2)
            panel.table.setFocus()
            press(panel.table, Qt.Key.Key_E)
            await until(lambda: panel.detail.stack.form is not None, "the form")
            form = panel.detail.stack.form
            assert isinstance(form, LearningEntryForm) and form.asked() is None
            form.lines.set_text("- [2026-02-20 14:05] **exec**: run npm ci first")
            form.submit()
            await until(lambda: "run npm ci first" in texts(panel), "the correction")
            panel.table.choose(texts(panel).index("timed out"))
            await until(lambda: panel.detail.record and panel.detail.record.text == "timed out")
            click(panel.detail.acts.buttons["retire"])
            await until(lambda: "timed out" not in texts(panel), "the removal")
            assert "timed out" not in errors.read_text()
            window.session.undo()
            await until(lambda: "timed out" in errors.read_text(), "the undo")
            click(panel.new)
            new = panel.detail.stack.form
            assert isinstance(new, LearningForm) and not new.check()
            new.kind.choose("error")
            new.subject.setText("git")
            new.text.set_text("push needs a token")
            new.submit()
            await until(lambda: "push needs a token" in texts(panel), "the new one")
            panel.table.choose(0)
            await until(lambda: panel.detail.record is not None and not panel.detail.acts._awaited)
            click(panel.detail.acts.buttons["file"])
            files: Any = window.open_panel("identity")
            await until(lambda: files.editor.file is not None, "the file")
            assert files.editor.file.path == "learnings/errors.md"

    drive(qapp, scenario)


def texts(panel: LearningsPanel) -> list[str]:
    return [each.text for each in rows_of(panel)]
