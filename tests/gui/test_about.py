"""Version and licences in the window: opened from Settings and from the palette, copied, closed by Esc."""

from __future__ import annotations

import platform

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

import memdesk
from memdesk.gui.shell.about import About
from memdesk.gui.window import Window
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, opened, press, until
from tests.gui.test_settings_panel import shown


def dialog(window: Window) -> About | None:
    return window.findChild(About)


def test_the_version_and_every_licence_are_shown_and_copied(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            panel = await shown(window)
            assert panel.about.text() == f"MemDesk {memdesk.__version__}"
            click(panel.about)
            await until(lambda: dialog(window), "the dialog")
            about = dialog(window)
            assert about is not None
            await activated(about)
            assert about.surroundings.text().startswith("Python 3.")
            assert about.text.verticalScrollBar().value() == 0
            read = about.text.toPlainText()
            assert "Llama 2" in read and "MIT" in read and "pytest" not in read
            click(about.copy)
            copied = QApplication.clipboard().text()
            assert (
                copied.startswith(f"MemDesk {memdesk.__version__}, Python {platform.python_version()}")
                and "\n| numpy | " in copied
            )
            press(about, Qt.Key.Key_Escape)
            await until(lambda: dialog(window) is None, "its end")
            command = next(key for key in window.keys.keys if key.says == "About MemDesk")
            command.act()
            assert dialog(window) is not None

    drive(qapp, scenario)
