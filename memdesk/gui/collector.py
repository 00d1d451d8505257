"""Python's garbage collector in a process with a window: it runs on the thread of Qt and on no other.

A collection frees what forms a cycle, on the thread that happens to start it. A QObject with a timer or a socket
notifier freed on a worker thread ends the process."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

EVERY_MS = 1_000
"""Interval between looks. To go through 100,000 new objects takes some 3 ms."""


def collect_due() -> None:
    """Collect the oldest generation that has reached its threshold, as the collector would do unasked."""
    for generation in reversed(range(3)):
        if gc.get_count()[generation] > gc.get_threshold()[generation]:
            gc.collect(generation)
            return


@contextmanager
def collecting_here(parent: QObject) -> Iterator[None]:
    """Collect on this thread alone, by a timer, while the block runs. parent: owner of the timer."""
    from PySide6.QtCore import QTimer

    clock = QTimer(parent)
    clock.timeout.connect(collect_due)
    gc.disable()
    clock.start(EVERY_MS)
    try:
        yield
    finally:
        clock.deleteLater()
        clock.stop()
        gc.enable()
