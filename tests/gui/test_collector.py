"""Garbage of the window is freed on the thread of Qt, whichever thread makes objects."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from memdesk.gui.collector import collecting_here


class Looped(QObject):
    """An object with a running timer that only the collector can free."""

    def __init__(self) -> None:
        super().__init__()
        QTimer(self).start(1)
        self.itself = self


@pytest.fixture
def enabled() -> Iterator[None]:
    gc.collect()
    gc.enable()
    yield
    gc.disable()


def test_a_worker_that_makes_objects_never_frees_what_belongs_to_qt(qtbot: QtBot, enabled: None) -> None:
    freed_on: list[int] = []
    owner = QObject()
    with collecting_here(owner):
        weakref.finalize(Looped(), lambda: freed_on.append(threading.get_ident()))
        worker = threading.Thread(target=lambda: [[] for _ in range(2 * gc.get_threshold()[0])])
        worker.start()
        worker.join()
        assert not freed_on
        objects = [[] for _ in range(2 * gc.get_threshold()[0])]
        qtbot.waitUntil(lambda: bool(freed_on))
    assert objects
    assert freed_on == [threading.get_ident()]
    assert gc.isenabled()
