"""Confirmation before the window closes with unsaved texts, so that no writing is lost."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal, SignalInstance
from PySide6.QtWidgets import QDialog, QWidget

from memdesk.gui.editor.drafts import named
from memdesk.gui.editor.editor import Editor, save_text
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Ground, Text, column, row

WIDTH_PX = 420


class LeaveDialog(QDialog):
    """Dialog that lists the unsaved files. Emitting `save_chosen` or `discard_chosen` closes it; Esc keeps
    the window open."""

    save_chosen = Signal()
    discard_chosen = Signal()

    def __init__(self, parent: QWidget, names: Sequence[str]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Unsaved text"))
        self.setFixedWidth(WIDTH_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        many = len(names) != 1
        asks = tr("Save these texts before closing?") if many else tr("Save this text before closing?")
        question = Text(asks, 15, "t1", weight=600)
        files = Text("\n".join(names), 13, "t2", wrap=True)
        self.save = Control("primary", tr("Save all") if many else tr("Save"))
        self.discard = Control("button", tr("Close without saving"))
        stay = Control("ghost", tr("Stay"), keys="Esc")
        self.save.clicked.connect(lambda: self._end(self.save_chosen))
        self.discard.clicked.connect(lambda: self._end(self.discard_chosen))
        stay.clicked.connect(self.reject)
        buttons = row(self.save, self.discard, None, stay)
        ground = Ground("panel", layout=column(question, files, 8, buttons, margins=(20, 18, 20, 18)))
        self.setLayout(column(ground, gap=0))

    def _end(self, chosen: SignalInstance) -> None:
        chosen.emit()
        self.accept()


class Leaving(QObject):
    """Event filter that blocks closing the window of `panel` while the editor has unsaved texts."""

    def __init__(self, panel: QWidget, editor: Editor, session: Session) -> None:
        super().__init__(panel)
        self._panel, self._editor, self._session = panel, editor, session
        self._window: QWidget | None = None
        self.dialog: LeaveDialog | None = None
        panel.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Find the window as soon as the panel is shown in it, then intercept its close event."""
        if watched is self._panel and event.type() == QEvent.Type.Show:
            self._listen_to(self._panel.window())
        if watched is self._window and event.type() == QEvent.Type.Close and self._editor.unsaved():
            event.ignore()
            self._ask()
            return True
        return False

    def _listen_to(self, window: QWidget) -> None:
        if window is not self._window:
            self._window = window
            window.installEventFilter(self)

    def _ask(self) -> None:
        if self.dialog is not None:
            return
        names = [named(draft.base) for draft in self._editor.unsaved().values()]
        self.dialog = LeaveDialog(self._panel.window(), names)
        self.dialog.save_chosen.connect(lambda: self._session.spawn(self._save_all()))
        self.dialog.discard_chosen.connect(self._close)
        self.dialog.finished.connect(self._forget)
        self.dialog.open()

    def _forget(self) -> None:
        self.dialog = None

    async def _save_all(self) -> None:
        """Save every text, then close. After a conflict the window stays open to show it."""
        for draft in self._editor.unsaved().values():
            await save_text(self._session, draft.base, draft.text)
        self._close()

    def _close(self) -> None:
        """Close without asking again; if the window stays open for another reason, watch it again."""
        if self._window is not None:
            self._window.removeEventFilter(self)
            if not self._window.close():
                self._window.installEventFilter(self)
