"""What a person's hands do in the window: press a row, a title, an entry of a menu, a line of the search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QTableView, QWidget

from memdesk.gui.shell.panel import Panel
from memdesk.gui.widgets import Control, Drop, Segments
from memdesk.gui.window import Window
from tests.gui.driving import activated, click, double_click, press, until

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def says(table: QTableView, words: str) -> bool:
    """Whether a row of the table says these words by now."""
    try:
        return place_of(table, words) >= 0
    except StopIteration:
        return False


def place_of(table: QTableView, words: str) -> int:
    """The row that says these words in any of its cells. Raises StopIteration where none does."""
    model = table.model()
    return next(
        place
        for place in range(model.rowCount())
        if any(words in str(model.index(place, column).data()) for column in range(model.columnCount()))
    )


def spot(table: QTableView, place: int, column: str | int = 0) -> QPoint:
    """The middle of a cell in the viewport, by its row and its column's title or number."""
    model = table.model()
    if isinstance(column, str):
        titles = [
            model.headerData(n, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
            for n in range(model.columnCount())
        ]
        column = titles.index(column)
    index = model.index(place, column)
    table.scrollTo(index)
    return table.visualRect(index).center()


def click_row(table: QTableView, row: int | str, column: str | int = 0, *, twice: bool = False) -> None:
    """Press a row with the left button, by its place or by words it says; twice opens it."""
    at = spot(table, row if isinstance(row, int) else place_of(table, row), column)
    click(table.viewport(), at)
    if twice:
        double_click(table.viewport(), at)


def click_title(table: QTableView, title: str, *, twice: bool = False) -> None:
    """Press a column's title; twice as fast as a double click, the second press of which Qt tells apart."""
    head, model = table.horizontalHeader(), table.model()
    titles = [model.headerData(n, Qt.Orientation.Horizontal) for n in range(model.columnCount())]
    section = titles.index(title)
    at = head.viewport().rect().center()
    at.setX(head.sectionViewportPosition(section) + head.sectionSize(section) // 2)
    click(head.viewport(), at)
    if twice:
        double_click(head.viewport(), at)


async def pick(drop: Drop, words: str, *, by_key: bool = False) -> None:
    """Open a drop and take the line that begins with these words, by pointer or by keyboard."""
    if by_key:
        drop.setFocus()
        press(drop, Qt.Key.Key_Down)
    else:
        click(drop)
    await take(words, by_key=by_key)
    # A window manager gives the keyboard back to the window under a menu that closes; offscreen there is none.
    await activated(drop.window())


async def take(words: str, *, by_key: bool = False) -> None:
    """Take a line of the menu that is open."""
    await until(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "the menu")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    action = next(each for each in menu.actions() if each.text().startswith(words))
    if by_key:
        for _ in menu.actions():
            press(menu, Qt.Key.Key_Down)
            if menu.activeAction() is action:
                break
        assert menu.activeAction() is action
        press(menu, Qt.Key.Key_Return)
    else:
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
    if menu.isVisible():
        press(menu, Qt.Key.Key_Escape)


def segment(segments: Segments, words: str) -> QWidget:
    """The button of a segment that says these words."""
    return next(each for each in segments.findChildren(QWidget) if words in each.accessibleName())


def rail_entry(window: Window, name: str) -> None:
    """Press a panel's entry in the rail, after its place's entry if that is not open."""
    if window.rail.entry(name).isHidden():
        click(window.rail.place(name))
    click(window.rail.entry(name))


async def by_rail(window: Window, name: str) -> Any:
    """Open a panel with the pointer in the rail, and wait until it has something to say."""
    await activated(window)
    rail_entry(window, name)
    return await ready(window, name)


async def ready(window: Window, name: str) -> Any:
    """The open panel, once it says what it holds, that it holds nothing, or that it failed."""
    panel = window.stage.panel
    assert panel is not None and panel.name == name
    await until(lambda: panel._stack.currentWidget() is not panel._skeleton and panel._task is None, name)
    return panel


async def search(window: Window, words: str) -> None:
    """Ctrl+K, words, and Enter once the search has something to take."""
    await activated(window)
    press(window, Qt.Key.Key_K, CTRL)
    await until(window.search.field.hasFocus, "the search")
    press(window.search.field, words)
    await until(lambda: window.search.choices.model.rowCount() > 0, "something to take")
    press(window.search.field, Qt.Key.Key_Return)


def stops(part: QWidget) -> Iterator[QWidget]:
    """The widgets of a part that Tab should reach; of segments the one that is on, the arrows reach the others."""
    for widget in part.findChildren(QWidget):
        reachable = widget.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus
        is_off = isinstance(widget, Control) and widget.group() is not None and not widget.isChecked()
        if reachable and widget.isVisible() and widget.isEnabled() and not is_off:
            yield widget


def deed(window: Window) -> str:
    """What was done last, as the status line says it."""
    return window.session.deed.sentence if window.session.deed else ""


def is_open(window: Window, name: str) -> bool:
    """Whether this panel has the stage."""
    panel: Panel | None = window.stage.panel
    return panel is not None and panel.name == name
