"""Settings in the window: drawn from the service, searched, changed, refused in words, put back."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from memdesk.api import upkeep
from memdesk.client.client import Client
from memdesk.gui import appearance, look
from memdesk.gui.panels.settings_panel import GROUPS, LOGIN, Line, SettingsPanel
from memdesk.gui.widgets import Drop, Field, Segments
from memdesk.gui.window import Window
from memdesk.model.settings import Settings
from memdesk.model.status import ChangeSettings, Nothing
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, opened, press, until
from tests.gui.hands import deed

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


async def shown(window: Window) -> SettingsPanel:
    panel = window.open_panel("settings")
    assert isinstance(panel, SettingsPanel)
    await until(lambda: panel.lines and panel.side.isVisible(), "the settings")
    await activated(window)
    return panel


def type_into(line: Line, text: str) -> None:
    """What a person types over what stands there."""
    field = line.control
    assert isinstance(field, Field)
    field.setFocus()
    field.selectAll()
    press(field, text)
    press(field, Qt.Key.Key_Return)


async def value(client: Client, name: str) -> object:
    found = await client.call(upkeep.SETTINGS, Nothing())
    return next(row.value for row in found.rows if row.name == name)


def test_a_setting_is_changed_refused_in_words_and_put_back(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            panel = await shown(window)
            assert set(panel.lines) == {*appearance.NAMES, LOGIN, *(each.name for each in fields(Settings))}
            line = panel.lines["decay_per_day"]
            type_into(line, "0.9")
            await until(line.back.isVisible, "the way back")
            assert await value(owner, "decay_per_day") == 0.9
            assert deed(window) == "Decay per day: 0.9, before 0.95"
            assert panel.head.subtitle.text().endswith("· 1 changed")
            type_into(line, "7")
            await until(line.wrong.isVisible, "the refusal")
            await panel.load()
            assert "between 0.5 and 1" in line.wrong.text() and await value(owner, "decay_per_day") == 0.9
            type_into(line, "much")
            await until(lambda: "a number" in line.wrong.text(), "the refusal of a word")
            click(line.back)
            await until(lambda: not line.back.isVisible(), "the default")
            assert await value(owner, "decay_per_day") == 0.95 and not line.wrong.isVisible()
            assert line.was.text() == "Undo, it was 0.9"

    drive(qapp, scenario)


def test_ctrl_z_sets_a_setting_back_and_ctrl_shift_z_sets_it_again(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            panel = await shown(window)
            type_into(panel.lines["decay_per_day"], "0.9")
            await until(lambda: panel.lines["decay_per_day"].is_changed, "the change")
            assert window.status_line._said.text() == "Decay per day: 0.9, before 0.95"
            press(panel.side, Qt.Key.Key_Z, CTRL)
            await until(lambda: not panel.lines["decay_per_day"].is_changed, "the default")
            assert await value(owner, "decay_per_day") == 0.95
            press(panel.side, Qt.Key.Key_Z, CTRL, SHIFT)
            await until(lambda: panel.lines["decay_per_day"].is_changed, "the change again")
            assert await value(owner, "decay_per_day") == 0.9

    drive(qapp, scenario)


def test_the_appearance_is_set_here_and_taken_back_like_any_act(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            panel = await shown(window)
            theme, contrast = panel.lines["theme"].control, panel.lines["contrast"].control
            assert isinstance(theme, Drop) and isinstance(contrast, Drop)
            theme.menu().picked.emit("light")
            await until(lambda: not look.is_dark(), "light")
            contrast.menu().picked.emit("high")
            await until(lambda: look.c("line2").name() == "#616a76", "strong edges")
            assert appearance.saved_choices().contrast == "high"
            await until(lambda: panel.lines["contrast"].is_changed, "the line")
            press(panel.side, Qt.Key.Key_Z, CTRL)
            await until(lambda: look.c("line2").name() == "#c5cbd3", "the edges as they were")
            await until(lambda: not panel.lines["contrast"].is_changed, "the line")
            click(panel.lines["theme"].back)
            await until(lambda: appearance.saved_choices().theme == "system", "the default")

    drive(qapp, scenario)


def test_switches_and_choices_are_set_and_a_change_elsewhere_is_shown(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            panel = await shown(window)
            switch, choice = panel.lines["jobs_enabled"].control, panel.lines["contradictions"].control
            assert isinstance(switch, Segments) and isinstance(choice, Drop)
            click(switch._button(1))
            await until(panel.lines["jobs_enabled"].back.isVisible, "the change")
            assert await value(owner, "jobs_enabled") is False
            choice.menu().picked.emit("prefer_new")
            await until(panel.lines["contradictions"].back.isVisible, "the choice")
            assert await value(owner, "contradictions") == "prefer_new"
            await owner.call(upkeep.CHANGE_SETTINGS, ChangeSettings(values={"recall_limit": 20}))
            field = panel.lines["recall_limit"].control
            assert isinstance(field, Field)
            await until(lambda: field.text() == "20", "what another client changed")
            assert panel.changed_only.label.count == "3"

    drive(qapp, scenario)


def test_words_find_settings_and_the_palette_and_jobs_lead_here(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with opened(desk) as window:
            panel = await shown(window)
            press(window, "/")
            press(panel.filter, "half-life")
            await until(lambda: not panel.lines["recall_limit"].isVisible(), "the narrowing")
            assert panel.lines["decay_per_day"].isVisible()
            panel.filter.setText("no such words")
            assert panel._nothing.isVisible()
            click(panel._nothing.step)
            assert panel.lines["recall_limit"].isVisible()
            click(panel.changed_only)
            assert panel._nothing.isVisible()
            window.go("settings", "audit_level")
            line = panel.lines["audit_level"]
            await until(
                lambda: line.control.hasFocus() and not line.visibleRegion().isEmpty(), "the setting in view"
            )
            click(panel.pages["jobs"])
            await until(lambda: window.stage.panel is not panel, "the jobs")

    drive(qapp, scenario)


def test_every_group_begins_at_a_setting_there_is() -> None:
    names = [each.name for each in fields(Settings)]
    assert [names.index(name) for _, name in GROUPS] == sorted(names.index(name) for _, name in GROUPS)


def test_memdesk_starts_at_login_while_the_setting_is_on(
    qapp: QApplication, running_service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    entry = tmp_path / "autostart" / "memdesk.desktop"

    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            panel = await shown(window)
            line = panel.lines[LOGIN]
            line.changed.emit(LOGIN, True)
            await until(entry.exists, "the entry")
            (command,) = (each for each in entry.read_text().splitlines() if each.startswith("Exec="))
            assert command.endswith(" open --tray") and Path(command.split('"')[1]).exists()
            if shutil.which("desktop-file-validate"):
                assert not subprocess.run(
                    ["desktop-file-validate", entry], capture_output=True, check=False
                ).stdout
            await until(line.back.isVisible, "the way back")
            press(window, Qt.Key.Key_Z, CTRL)
            await until(lambda: not entry.exists(), "the undo")

    drive(qapp, scenario)
