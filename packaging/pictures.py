"""Make pictures of the window: every panel and the states of the frame, to look at before showing.

.venv/bin/python packaging/pictures.py                           all of them, into build/pictures
.venv/bin/python packaging/pictures.py --only facts lab --language zh --out FOLDER
.venv/bin/python packaging/pictures.py --on FOLDER --scale 150 --theme light --busy

Each is named after what it shows, as `facts-dark-en-1440x900.png`; sheets have four of them at full size. What a
program can see of flaws is in `flaws.txt`: cut, faint and overlapping texts, and with --busy what moved by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import qasync
from busy import Complaints, Watch, writing
from flaws import grabbed
from poses import REST_S, Pose, at_first, desk_alone, poses, shown, still
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from memdesk.__main__ import Program
from memdesk.api import upkeep, workspace
from memdesk.client.client import Client
from memdesk.client.direct import answers
from memdesk.client.find import ensure_service, stop_service
from memdesk.files.places import Desk, desk_at
from memdesk.gui import appearance, language, look
from memdesk.gui.language import LOCALES, Language
from memdesk.gui.look import Theme
from memdesk.gui.session import Session
from memdesk.gui.shell.body import Memo
from memdesk.gui.window import Window
from memdesk.model.channel import GLOBAL
from memdesk.model.interop import AskImport
from memdesk.model.status import AskJob

OUT = Path(__file__).resolve().parent.parent / "build" / "pictures"
THEMES: tuple[Theme, ...] = ("dark", "light")
SIZES = ("1440x900", "1100x700")
SAMPLE, EMPTY, AWAY = "sample", "empty", "away"
"""Desks that are made here; a picture that wants one whose service has ended."""
COLUMNS, ROWS = 2, 2
GAP_PX, CAPTION_PX = 12, 22
WATCHED_S = 2.0
BUSY_STILL_S = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Pictures that are wanted. only: names of poses, () for all. sizes: as in `1440x900`, of the window in px that
    `scale`, in percent, enlarges. busy: an agent writes meanwhile. out: the folder they go to."""

    out: Path
    only: Sequence[str] = ()
    sizes: Sequence[str] = SIZES
    themes: Sequence[Theme] = THEMES
    busy: bool = False
    scale: str = "100"


def main(arguments: Sequence[str]) -> int:
    """Make the pictures. Returns the exit code."""
    asked = argparse.ArgumentParser(description="Make pictures of every panel.")
    asked.add_argument("--only", nargs="+", choices=(*poses(), EMPTY, AWAY), default=(), help="these alone")
    asked.add_argument(
        "--on",
        default=SAMPLE,
        help="sample, empty, the folder or address of a desk, or an agent's folder, which is imported",
    )
    asked.add_argument("--language", nargs="+", choices=tuple(LOCALES), default=tuple(LOCALES))
    asked.add_argument("--theme", nargs="+", choices=THEMES, default=THEMES)
    asked.add_argument("--size", nargs="+", default=SIZES, help="of the window, as 1440x900")
    asked.add_argument("--scale", choices=appearance.choices("size"), default="100", help="percent")
    asked.add_argument("--busy", action="store_true", help="an agent writes five turns a second meanwhile")
    asked.add_argument("--out", type=Path, default=OUT, help="the folder they go to")
    said = asked.parse_args(arguments)
    order = Order(
        out=said.out, only=said.only, sizes=said.size, themes=said.theme, busy=said.busy, scale=said.scale
    )
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    folder = Path(tempfile.mkdtemp(prefix="memdesk-pictures-"))
    os.environ["XDG_CONFIG_HOME"] = str(folder / "config")  # The window's preferences stay those of the user.
    with appearance.scaled(said.scale):
        app = QApplication([])
    app.setQuitOnLastWindowClosed(False)
    look.reduce_motion(True)
    try:
        with qasync.QEventLoop(app) as loop:
            for tongue in said.language:
                made = loop.run_until_complete(drawn(folder, tongue, order, on=said.on))
                for number in range(0, len(made), COLUMNS * ROWS):
                    name = f"sheet-{tongue}-{1 + number // (COLUMNS * ROWS):02}.png"
                    sheet(made[number : number + COLUMNS * ROWS]).save(str(said.out / name))
                print(f"{len(made)} pictures in {said.out}, flaws in flaws-{tongue}.txt")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


async def drawn(folder: Path, tongue: Language, order: Order, *, on: str = SAMPLE) -> list[Path]:
    """Draw what was asked for in one language. folder: for desks that are made. Returns the files made."""
    order.out.mkdir(parents=True, exist_ok=True)
    camera = Camera(tongue, order)
    known = poses(on_sample=on == SAMPLE)
    wanted = {name: pose for name, pose in known.items() if not order.only or name in order.only}
    ends = on == SAMPLE and (not order.only or AWAY in order.only)
    if wanted or ends:
        desk = await desk_for(on, folder)
        async with opened(desk, tongue, order) as window:
            await camera.take_all(window, desk, wanted)
            if ends:
                await stop_service(desk)
                await camera.take(window, AWAY, desk_alone)
    if EMPTY in order.only or (on == SAMPLE and not order.only):
        async with opened(Desk(folder / EMPTY), tongue, order) as window:
            await camera.take(window, EMPTY, shown)
    (order.out / f"flaws-{tongue}.txt").write_text("\n".join(camera.report()) + "\n", encoding="utf-8")
    return camera.made


async def desk_for(on: str, folder: Path) -> Desk:
    """Return the desk that is named, made if it has to be."""
    if on in (SAMPLE, EMPTY):
        desk = Desk(folder / on)
        if on == SAMPLE and not desk.database.exists():
            await asyncio.to_thread(Program().play_sample, desk)
        return desk
    named = desk_at(on)
    if "://" in on or named.database.exists():
        return named
    desk = Desk(folder / "imported")
    if not desk.database.exists():
        copy = folder / Path(on).name
        shutil.copytree(on, copy)
        await ensure_service(desk)
        async with Client(desk) as owner:
            job = await owner.call(workspace.IMPORT, AskImport(path=str(copy)))
            while job.open:
                await asyncio.sleep(0.1)
                job = await owner.call(upkeep.JOB, AskJob(id=job.id))
            print(f"imported {on}: {job.state}, {job.says}")
    return desk


@dataclass(slots=True)
class Camera:
    """Takes pictures of a window in the sizes and themes of an order. made: the files taken so far. flaws: those seen,
    each with the pictures that have it."""

    tongue: str
    order: Order
    made: list[Path] = field(default_factory=list)
    flaws: dict[str, list[str]] = field(default_factory=dict)
    blocked: dict[str, float] = field(default_factory=dict)

    async def take_all(self, window: Window, desk: Desk, wanted: Mapping[str, Pose]) -> None:
        """Take every pose, while an agent writes if that was ordered."""
        with ExitStack() as stack:
            if self.order.busy and window.session.status is not None:
                channels = [each.name for each in window.session.status.channels if each.name != GLOBAL]
                address = desk.service or desk.folder
                stack.enter_context(writing(str(address), (channels or ["pressure"])[0]))
                REST_S.set(BUSY_STILL_S)
            for name, pose in wanted.items():
                await self.take(window, name, pose)

    async def take(self, window: Window, name: str, pose: Pose) -> None:
        """Bring the window into a pose, once for each size, and take it in each theme."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        complaints, watch = Complaints(), Watch(window)
        asyncio.get_running_loop().set_exception_handler(complaints.caught)
        for size in self.order.sizes:
            wide, high = map(int, size.split("x"))
            window.setMinimumSize(0, 0)
            window.resize(wide, high)
            await at_first(window)
            watch.restart()
            try:
                await pose(window)
            except TimeoutError as late:
                self._saw(f"not at rest: {late}", name)
            await still()
            self.blocked[name] = max(self.blocked.get(name, 0), watch.blocked_ms)
            if self.order.busy:
                for moved in await watch.moves(WATCHED_S):
                    self._saw(f"moved by itself: {moved}", f"{name} {size}")
                self.blocked[name] = max(self.blocked[name], watch.blocked_ms)
            for theme in self.order.themes:
                look.apply_theme(app, theme)
                await still()
                self._keep(window, f"{name}-{theme}-{self.tongue}-{size}" + self._suffix())
        for complaint in complaints.found:
            self._saw(complaint, name)

    def _suffix(self) -> str:
        return "" if self.order.scale == "100" else f"@{self.order.scale}"

    def _keep(self, window: Window, name: str) -> None:
        picture, flaws = grabbed(window)
        file = self.order.out / f"{name}.png"
        picture.save(str(file))
        self.made.append(file)
        for flaw in flaws:
            self._saw(flaw, name)

    def _saw(self, flaw: str, where: str) -> None:
        self.flaws.setdefault(flaw, []).append(where)

    def report(self) -> list[str]:
        """Return the flaws, each with where it was seen, then the longest time each pose held up the window."""
        seen = [
            f"{flaw} [{len(where)}: {', '.join(where[:4])}]" for flaw, where in sorted(self.flaws.items())
        ]
        slow = sorted(self.blocked.items(), key=lambda each: -each[1])
        return [*seen, "", *(f"blocked {ms:.0f} ms: {name}" for name, ms in slow)]


@asynccontextmanager
async def opened(desk: Desk, tongue: Language, order: Order) -> AsyncIterator[Window]:
    """A desk's window in a language, with nothing remembered of earlier windows. A service that was started for it is
    stopped."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    look.apply_theme(app, order.themes[0])
    language.use(tongue)
    ran = answers(desk)
    await ensure_service(desk)
    with tempfile.TemporaryDirectory() as memos:
        session = Session(Client(desk, parts=True), desk=desk)
        window = Window(session, Memo(Path(memos) / "window.ini"))
        window.show()
        session.start()
        try:
            await still()
            yield window
        finally:
            window.close_at_once()
            await session.close()
            window.deleteLater()
            if not ran:
                await stop_service(desk)


def sheet(files: Sequence[Path]) -> QImage:
    """Pictures side by side at their full size, each below its name."""
    pictures = [QImage(str(file)) for file in files]
    wide = max(each.width() for each in pictures) + GAP_PX
    high = max(each.height() for each in pictures) + CAPTION_PX + GAP_PX
    rows = -(-len(files) // COLUMNS)
    whole = QImage(min(COLUMNS, len(files)) * wide, rows * high, QImage.Format.Format_RGB32)
    whole.fill(Qt.GlobalColor.gray)
    painter = QPainter(whole)
    painter.setFont(look.font(13))
    for place, (file, picture) in enumerate(zip(files, pictures, strict=True)):
        x, y = place % COLUMNS * wide, place // COLUMNS * high
        painter.drawText(QRect(x + 4, y, wide, CAPTION_PX), Qt.AlignmentFlag.AlignVCenter, file.stem)
        picture.setDevicePixelRatio(1.0)
        painter.drawImage(x, y + CAPTION_PX, picture)
    painter.end()
    return whole


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
