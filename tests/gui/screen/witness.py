"""The program itself, with a witness in it that says what stands where on the screen and does nothing else.

Started in place of `python -m memdesk`, with the same words. Where things stand is asked of the accessibility tree, as
a screen reader asks it, so that what is not named there cannot be pressed."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleInterface, QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from memdesk.__main__ import main

WITNESS = "MEMDESK_TEST_WITNESS"
DEEP = 40
BUSY_S = 30
"""Time after which a window counts as busy, and an answer is given without it."""


def answer(asked: dict[str, Any]) -> object:
    """What a test asked: where something stands, or what is in front."""
    # Otherwise lists do not tell the tree of rows that come and go.
    QAccessible.setActive(True)
    return ANSWERS[asked.pop("ask")](**asked)


def where(name: str, role: str = "", window: str = "") -> list[list[int]]:
    """Every visible thing of that name, as x, y, width and height in pixels of the screen.

    window: the title of the one it is in."""
    return [
        box(each)
        for each in everything(window)
        if says(each) == name and role in ("", each.role().name) and box(each)[2] > 0
    ]


def says(thing: QAccessibleInterface) -> str:
    """Its name; a line of a menu may have its key or a mark after a tab."""
    return thing.text(QAccessible.Text.Name).partition("\t")[0]


def box(thing: QAccessibleInterface) -> list[int]:
    here, by = thing.rect(), QGuiApplication.primaryScreen().devicePixelRatio()
    return [round(each * by) for each in (here.x(), here.y(), here.width(), here.height())]


def front() -> dict[str, object]:
    """What has the keyboard, as a person would name it."""
    focus, window = QApplication.focusWidget(), QApplication.activeWindow()
    return {
        "focus": focus.accessibleName() if focus else "",
        "window": window.windowTitle() if window else "",
        "popup": QApplication.activePopupWidget() is not None,
        "active": QGuiApplication.applicationState() == Qt.ApplicationState.ApplicationActive,
    }


def names() -> list[list[object]]:
    """All that can be seen, for whoever writes a test."""
    return [[each.role().name, says(each), *box(each)] for each in everything() if says(each)]


def everything(title: str = "") -> Iterator[QAccessibleInterface]:
    for window in QApplication.topLevelWidgets():
        if window.isVisible() and title in ("", window.windowTitle()):
            yield from seen(window)


def seen(window: QWidget) -> Iterator[QAccessibleInterface]:
    waiting = [(QAccessible.queryAccessibleInterface(window), 0)]
    while waiting:
        thing, depth = waiting.pop()
        if thing is None or not thing.isValid() or thing.state().invisible:
            continue
        yield thing
        if depth < DEEP:
            waiting += [(thing.child(at), depth + 1) for at in range(thing.childCount())]


ANSWERS = {"where": where, "front": front, "names": names}


def listen() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
        # A program that begins again, in another size, comes back to its own door.
        Path(os.environ[WITNESS]).unlink(missing_ok=True)
        door.bind(os.environ[WITNESS])
        door.listen()
        while True:
            caller, _ = door.accept()
            with caller, caller.makefile("rw") as wire:
                for line in wire:
                    try:
                        answered = ask_in_the_window(json.loads(line))
                    except TimeoutError:
                        # The window is busy. Were this the end of the thread, it would look as if the window had ended.
                        answered = None
                    print(json.dumps(answered), file=wire, flush=True)


def ask_in_the_window(asked: dict[str, Any]) -> object:
    """Ask on the thread of the window, where alone widgets may be looked at."""
    app = QCoreApplication.instance()
    if app is None:
        return None
    answered: Future[object] = Future()
    QTimer.singleShot(0, app, lambda: answered.set_result(answer(asked)))
    return answered.result(BUSY_S)


if __name__ == "__main__":
    threading.Thread(target=listen, daemon=True).start()
    sys.exit(main())
