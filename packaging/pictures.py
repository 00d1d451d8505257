"""Make pictures of the window on the sample desk: every panel and the states of the frame, to look at before showing.

.venv/bin/python packaging/pictures.py                           all of them, into build/pictures
.venv/bin/python packaging/pictures.py --only facts lab --language zh --out FOLDER

Each is named after what it shows, as `facts-dark-en-1440x900.png`; `sheet-en.png` has all of a language side by side.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import qasync
from poses import Pose, at_first, desk_alone, poses, shown, still
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from memdesk.__main__ import Program
from memdesk.client.client import Client
from memdesk.client.find import ensure_service, stop_service
from memdesk.files.places import Desk
from memdesk.gui import language, look
from memdesk.gui.language import LOCALES, Language
from memdesk.gui.look import Theme
from memdesk.gui.session import Session
from memdesk.gui.shell.body import Memo
from memdesk.gui.window import Window

OUT = Path(__file__).resolve().parent.parent / "build" / "pictures"
SIZES = ((1440, 900), (1100, 700))
THEMES: tuple[Theme, ...] = ("dark", "light")
EMPTY, AWAY = "empty", "away"
"""Pictures that want a desk of their own: one that holds nothing, and one whose service has ended."""
CELL = QSize(480, 300)
GAP_PX, CAPTION_PX = 12, 22


def main(arguments: Sequence[str]) -> int:
    """Make the pictures. Returns the exit code."""
    asked = argparse.ArgumentParser(description="Make pictures of every panel.")
    asked.add_argument("--only", nargs="+", choices=(*poses(), EMPTY, AWAY), default=(), help="these alone")
    asked.add_argument("--language", nargs="+", choices=tuple(LOCALES), default=tuple(LOCALES))
    asked.add_argument("--out", type=Path, default=OUT, help="the folder they go to")
    said = asked.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    folder = Path(tempfile.mkdtemp(prefix="memdesk-pictures-"))
    os.environ["XDG_CONFIG_HOME"] = str(folder / "config")  # The window's preferences stay those of the user.
    app = QApplication([])
    app.setQuitOnLastWindowClosed(False)
    look.reduce_motion(True)
    try:
        with qasync.QEventLoop(app) as loop:
            for tongue in said.language:
                made = loop.run_until_complete(drawn(folder, tongue, said.only, said.out))
                sheet(made).save(str(said.out / f"sheet-{tongue}.png"))
                print(f"{len(made)} pictures in {said.out}, all of them in sheet-{tongue}.png")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


async def drawn(folder: Path, tongue: Language, only: Sequence[str], out: Path) -> list[Path]:
    """Draw what was asked for in one language. folder: where the desks are, or are made. Returns the files made."""
    out.mkdir(parents=True, exist_ok=True)
    sample, empty = Desk(folder / "sample"), Desk(folder / "empty")
    made: list[Path] = []
    if tuple(only) != (EMPTY,):
        if not sample.database.exists():
            await asyncio.to_thread(Program().play_sample, sample)
        async with opened(sample, tongue) as window:
            camera = Camera(window, tongue, out, made)
            for name, pose in poses().items():
                if not only or name in only:
                    await camera.take(name, pose)
            if not only or AWAY in only:
                await stop_service(sample)
                await camera.take(AWAY, desk_alone)
    if not only or EMPTY in only:
        async with opened(empty, tongue) as window:
            await Camera(window, tongue, out, made).take(EMPTY, shown)
    return made


@dataclass(slots=True)
class Camera:
    """Takes pictures of a window in both sizes and both themes. made: the files taken so far."""

    window: Window
    tongue: str
    out: Path
    made: list[Path] = field(default_factory=list)

    async def take(self, name: str, pose: Pose) -> None:
        """Bring the window into a pose, once for each size, and take it light and dark."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        for wide, high in SIZES:
            self.window.resize(wide, high)
            await at_first(self.window)
            await pose(self.window)
            for theme in THEMES:
                look.apply_theme(app, theme)
                await still()
                self._keep(f"{name}-{theme}-{self.tongue}-{wide}x{high}.png")

    def _keep(self, name: str) -> None:
        file = self.out / name
        self.window.grab().save(str(file))
        self.made.append(file)


@asynccontextmanager
async def opened(desk: Desk, tongue: Language) -> AsyncIterator[Window]:
    """A desk's window in a language, on a service of its own, with nothing remembered of earlier windows."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    look.apply_theme(app, THEMES[0])
    language.use(tongue)
    await ensure_service(desk)
    memo = desk.folder / "window.ini"
    memo.unlink(missing_ok=True)
    session = Session(Client(desk, parts=True))
    window = Window(session, Memo(memo))
    window.show()
    session.start()
    try:
        await still()
        yield window
    finally:
        window.close_at_once()
        await session.close()
        window.deleteLater()
        await stop_service(desk)


def sheet(files: Sequence[Path]) -> QImage:
    """All pictures side by side, a row for what is shown."""
    columns = len(SIZES) * len(THEMES)
    rows = -(-len(files) // columns)
    step = QSize(CELL.width() + GAP_PX, CELL.height() + CAPTION_PX + GAP_PX)
    whole = QImage(columns * step.width(), rows * step.height(), QImage.Format.Format_RGB32)
    whole.fill(Qt.GlobalColor.gray)
    painter = QPainter(whole)
    painter.setFont(look.font(13))
    for place, file in enumerate(files):
        x, y = place % columns * step.width(), place // columns * step.height()
        painter.drawText(QRect(x + 4, y, CELL.width(), CAPTION_PX), Qt.AlignmentFlag.AlignVCenter, file.stem)
        picture = QImage(str(file)).scaled(
            CELL, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        painter.drawImage(x, y + CAPTION_PX, picture)
    painter.end()
    return whole


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
