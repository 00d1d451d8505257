"""Form that covers the page with the record it changes, and the stack it opens in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from memdesk.gui.language import tr
from memdesk.gui.widgets.control import Control
from memdesk.gui.widgets.ground import Ground, Item, Section, column, row
from memdesk.gui.widgets.scroll import Scroll


class Form(Section):
    """Heading, fields and two buttons. Signals: saved carries the request made from the fields; cancelled."""

    saved = Signal(object)
    cancelled = Signal()

    def __init__(self, heading: str, save: str, *items: Item) -> None:
        self.save = Control("primary", save, keys="Ctrl S")
        self.cancel = Control("button", tr("Cancel"), keys="Esc")
        super().__init__(heading, "", *items, row(self.save, self.cancel, None), gap=10)
        self.save.clicked.connect(self.submit)
        self.cancel.clicked.connect(lambda: self.cancelled.emit())

    def begin(self) -> None:
        """Put the cursor in the field that is filled in first."""
        raise NotImplementedError

    def asked(self) -> object | None:
        """Return the request made from the fields; None if nothing would change."""
        raise NotImplementedError

    @property
    def begun(self) -> bool:
        """True if the form contains input that closing the window would lose."""
        raise NotImplementedError

    def check(self) -> bool:
        """Return True if the input is valid; otherwise show each error at its field."""
        return True

    def submit(self) -> None:
        """Emit `saved` with the request if the input is valid, or `cancelled` if nothing would change."""
        if not self.check():
            return
        asked = self.asked()
        if asked is None:
            self.cancelled.emit()
        else:
            self.saved.emit(asked)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Save with Ctrl+S; the window handles Esc."""
        if event.matches(QKeySequence.StandardKey.Save):
            self.submit()
        else:
            super().keyPressEvent(event)


class FormStack(QStackedWidget):
    """Stack of pages, or a form over them. The signal `closed` is emitted before a form that had the keyboard
    focus is removed."""

    closed = Signal()

    def __init__(self, *pages: QWidget) -> None:
        super().__init__()
        self.form: Form | None = None
        for page in pages:
            self.addWidget(page)
        self._page = pages[0]

    def show_page(self, page: QWidget) -> None:
        """Show a page, at once or after the open form is closed."""
        self._page = page
        if self.form is None:
            self.setCurrentWidget(page)

    def open_form(self, form: Form, saved: Callable[[Any], object]) -> None:
        """Put a form over the page, closing any other form. saved: called with the form's request."""
        self.close_form()
        self.form = form
        form.saved.connect(saved)
        form.cancelled.connect(self.close_form)
        over = Scroll(Ground("panel", layout=column(form, None, gap=0)), "panel")
        self.addWidget(over)
        self.setCurrentWidget(over)
        form.begin()

    def close_form(self) -> bool:
        """Close the form; returns True if there was one."""
        over = self.currentWidget()
        if self.form is None or over is None:
            return False
        self.form = None
        focus = QApplication.focusWidget()
        had_focus = focus is not None and over.isAncestorOf(focus)
        self.setCurrentWidget(self._page)
        if had_focus:
            # Before the form goes, or Qt hands the keyboard to whatever comes next.
            self.closed.emit()
        self.removeWidget(over)
        over.deleteLater()
        return True
