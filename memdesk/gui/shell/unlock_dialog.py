"""Dialog that asks for the passphrase of an encrypted desk before its service is started."""

from __future__ import annotations

import asyncio

from PySide6.QtWidgets import QDialog, QLineEdit

from memdesk.files import desk_key
from memdesk.files.places import Desk
from memdesk.gui.language import tr
from memdesk.gui.sentences import error_in_language
from memdesk.gui.widgets import Control, Field, Ground, Text, column, row
from memdesk.model.errors import MemDeskError, NotAllowed

WIDTH_PX = 420


def needs_passphrase(desk: Desk) -> bool:
    """Return True if a person has to be asked for the key; other obstacles are the service's to report."""
    try:
        desk_key.unlock(desk)
    except NotAllowed as unknown:
        return bool(unknown.details.get("encrypted"))
    except MemDeskError:
        return False
    return False


class UnlockDialog(QDialog):
    """Dialog for the passphrase of a desk. It is accepted when the key is known; Esc rejects it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.setWindowTitle("MemDesk")
        self.setFixedWidth(WIDTH_PX)
        self.field = Field(name=tr("Passphrase"))
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.wrong = Text("", 12, "bad", wrap=True)
        self.wrong.hide()
        self.open_button = Control("primary", tr("Open the desk"))
        leave = Control("ghost", tr("Quit"), keys="Esc")
        question = Text(tr("This desk is encrypted"), 15, "t1", weight=600)
        about = Text(
            tr("Its passphrase opens {folder} until the service ends.", folder=desk.folder),
            12,
            "t3",
            wrap=True,
        )
        self.field.returnPressed.connect(self._try)
        self.open_button.clicked.connect(self._try)
        leave.clicked.connect(self.reject)
        buttons = row(self.open_button, None, leave)
        inside = column(question, about, self.field, self.wrong, 8, buttons, margins=(20, 18, 20, 18))
        self.setLayout(column(Ground("panel", layout=inside), gap=0))

    def _try(self) -> None:
        if not self.field.text():
            return
        try:
            desk_key.unlock(self._desk, given=self.field.text())
        except MemDeskError as wrong:
            told = error_in_language(wrong)
            self.wrong.setText(told.sentence)
            self.wrong.show()
            self.field.selectAll()
            return
        self.accept()

    async def answered(self) -> bool:
        """Show the dialog; return True once the key is known, False if the person gave up."""
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[int] = loop.create_future()
        self.finished.connect(ended.set_result)
        self.open()
        self.field.setFocus()
        done = await ended == QDialog.DialogCode.Accepted
        self.deleteLater()
        return done
