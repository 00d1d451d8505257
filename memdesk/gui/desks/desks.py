"""Access to other desks: a menu of those opened before, a folder dialog, and the same as search commands."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from memdesk.files.places import Desk, default_desk
from memdesk.gui.desks.opening import desk_in, open_desk
from memdesk.gui.desks.recent import named, recent, remember
from memdesk.gui.frame.keys import Key
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.model.status import Status


class Desks(QObject):
    """Menu and commands that open other desks. `here` is this window's desk, known once its status was read."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self.here: Desk | None = None
        session.status_changed.connect(self._learn)

    def _learn(self, status: Status) -> None:
        if self.here is None:
            self.here = Desk(Path(status.desk))
            remember(self.here)

    def others(self) -> tuple[Desk, ...]:
        """Return the desks opened before and the user's default, without this one."""
        known = dict.fromkeys((*recent(), *([default_desk()] if default_desk().database.exists() else [])))
        return tuple(each for each in known if each != self.here)

    def commands(self) -> Iterator[Key]:
        """Yield the commands for the search: one per other desk, and one to choose a folder."""
        for desk in self.others():
            yield Key(says=tr("Open desk {name}", name=called(desk)), act=partial(self.open, desk))
        yield Key(says=tr("Open or create another desk…"), act=self.choose)

    def menu(self) -> QMenu:
        """Return the same commands as a menu."""
        menu = QMenu(self._window)
        for desk in self.others():
            line = QAction(called(desk).replace("&", "&&"), menu)
            line.setToolTip(str(desk.folder))
            line.triggered.connect(partial(self._open_from, desk))
            menu.addAction(line)
        menu.setToolTipsVisible(True)
        menu.addSeparator()
        menu.addAction(tr("Open or create another desk…")).triggered.connect(lambda _=False: self.choose())
        return menu

    def _open_from(self, desk: Desk, _checked: bool = False) -> None:
        self.open(desk)

    def choose(self) -> QFileDialog:
        """Ask for a folder: a desk's, or an empty one for a new desk."""
        dialog = QFileDialog(self._window, tr("Choose a desk's folder, or an empty one for a new desk"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda folder: self._session.spawn(self._open_folder(Path(folder))))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def open(self, desk: Desk) -> None:
        """Show a desk in its own window."""
        open_desk(desk)

    async def _open_folder(self, folder: Path) -> None:
        # A folder on a drive that sleeps takes its time to be listed.
        open_desk(await asyncio.to_thread(desk_in, folder))


def called(desk: Desk) -> str:
    """Return the name of a desk in a list."""
    return named(desk) or tr("Your own desk")
