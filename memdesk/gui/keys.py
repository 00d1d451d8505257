"""The window's keys in one table, the rule for when single letters act, and moving the focus between regions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut, QTextDocument
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from memdesk.api.endpoint import Endpoint
from memdesk.model.team import READER

TEXTS = (QLineEdit, QTextEdit, QPlainTextEdit)
UNDOING = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key of the window; without `keys`, a command of the search only.

    says: its name in the search; without a name it is not listed. by_name: what the search does with it, if that is
    not what the key does. single: a plain letter, which acts in a
    focused list or canvas only. yields: a single letter that a panel may use for its own action. call: the one that it
    leads to, without which the search does not offer it. role: the least role of a member whom the search offers it."""

    act: Callable[[], object]
    keys: str = ""
    says: str = ""
    by_name: Callable[[], object] | None = None
    single: bool = False
    yields: bool = False
    call: Endpoint[Any, Any] | None = None
    role: str = READER


class Keys(QObject):
    """Installs keys on a window; single letters are disabled while the focused widget needs letters itself.

    Undo and redo are the text field's while it has a history or is in a form, otherwise the window's."""

    def __init__(self, window: QWidget, keys: tuple[Key, ...]) -> None:
        super().__init__(window)
        self.keys = keys
        self._window = window
        self._singles = [self._install(key) for key in keys if key.single and not key.yields]
        self._yielding = {key.keys: key.act for key in keys if key.yields}
        for key in keys:
            if key.keys and not key.single:
                self._install(key)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._follow)
        self._follow(None, None)

    def _install(self, key: Key) -> QShortcut:
        shortcut = QShortcut(QKeySequence(key.keys), self._window, context=Qt.ShortcutContext.WindowShortcut)
        shortcut.activated.connect(key.act)
        return shortcut

    def press(self, event: QKeyEvent) -> bool:
        """Act on a letter that no widget used; returns False if the letter has no action here."""
        focus = QApplication.focusWidget()
        act = self._yielding.get(event.text().upper())
        if act is None or focus is None or not takes_letters(focus) or event.isAutoRepeat():
            return False
        act()
        return True

    def _follow(self, before: QWidget | None, now: QWidget | None) -> None:
        for shortcut in self._singles:
            shortcut.setEnabled(now is not None and takes_letters(now))
        for widget in (before, now):
            if isinstance(widget, TEXTS):
                widget.removeEventFilter(self)
        if isinstance(now, TEXTS):
            now.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave undo and redo to the window where a text has no history: Qt's fields claim these keys even then.

        A key kept down is not left to it, so that it takes back the typing and nothing else; nor is any key in a form,
        where whoever presses it means what they are about to ask, not an act of before."""
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        is_own = event.isAutoRepeat() or has_history(watched) or is_in_form(watched)
        passes = any(map(event.matches, UNDOING)) and not is_own
        if passes:
            event.ignore()
        return passes


def on_key(keys: str, act: Callable[[], object], *widgets: QWidget, inside: bool = False) -> None:
    """Make a key act while one of these widgets has the keyboard focus.

    inside: also while a widget in them has it; in a text field a letter is typed instead."""
    context = Qt.ShortcutContext.WidgetWithChildrenShortcut if inside else Qt.ShortcutContext.WidgetShortcut
    for widget in widgets:
        QShortcut(QKeySequence(keys), widget, context=context).activated.connect(act)


def takes_letters(widget: QWidget) -> bool:
    """Return True if single letters act while this widget has the focus: it is an item view such as a list or
    table, or has the property `canvas`."""
    return isinstance(widget, QAbstractItemView) or bool(widget.property("canvas"))


def has_history(field: QObject) -> bool:
    """Return True if a text field has an edit to undo or to redo."""
    text = field.document() if isinstance(field, QTextEdit | QPlainTextEdit) else field
    return isinstance(text, QLineEdit | QTextDocument) and (text.isUndoAvailable() or text.isRedoAvailable())


def is_in_form(field: QObject) -> bool:
    """Return True if a text field is in a widget with the property `form`: a form or a sheet."""
    part: QObject | None = field
    while part is not None and not part.property("form"):
        part = part.parent()
    return part is not None


def next_region(regions: Sequence[QWidget], *, back: bool = False) -> None:
    """Move the focus to the next region with a focusable widget, cyclically; a list in it is preferred."""
    focus = QApplication.focusWidget()
    inside = [
        place for place, region in enumerate(regions) if focus is not None and region.isAncestorOf(focus)
    ]
    step = -1 if back else 1
    place = inside[0] if inside else (0 if back else -1)
    for _ in regions:
        place = (place + step) % len(regions)
        stop = first_stop(regions[place])
        if stop is not None:
            stop.setFocus(Qt.FocusReason.TabFocusReason)
            return


def first_stop(region: QWidget) -> QWidget | None:
    """Return the widget of a region to focus first: a list, else the first that Tab reaches. None if there is
    none."""
    stops = [
        widget
        for widget in region.findChildren(QWidget)
        if widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    lists = [widget for widget in stops if takes_letters(widget)]
    return next(iter(lists + stops), None)
