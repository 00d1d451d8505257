"""Frames of a widget, timed: each is a change and the whole of the painting that it asks for."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QWidget

Times = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Frames:
    """What frames took, in ms: by the clock, and of the processor's time alone, which other work does not lengthen."""

    took_ms: Times
    cpu_ms: Times = ()

    def row(self, *names: str) -> str:
        """A line of a table: p50, p95 and the longest by the clock, p50 and p95 of the processor, the load."""
        clock = (f"{share(self.took_ms, each):.2f}" for each in (0.5, 0.95, 1.0))
        cpu = (f"{share(self.cpu_ms, each):.2f}" if self.cpu_ms else "" for each in (0.5, 0.95))
        load = f"{os.getloadavg()[0]:.1f}"
        return "| " + " | ".join((*names, str(len(self.took_ms)), *clock, *cpu, load)) + " |"


def share(times: Times, below: float) -> float:
    """What this share of them stayed below, in ms."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(below * len(ordered)))]


def head(*names: str) -> str:
    """The head of that table."""
    titles = (*names, "movement", "frames", "p50 ms", "p95 ms", "max ms", "p50 CPU ms", "p95 CPU ms", "load")
    return "| " + " | ".join(titles) + " |\n|" + "---|" * len(titles)


def timed(act: Callable[[], object]) -> tuple[float, float]:
    """How long an act takes in ms, by the clock and of the processor's time."""
    began, spent = time.perf_counter(), time.thread_time()
    act()
    return 1000 * (time.perf_counter() - began), 1000 * (time.thread_time() - spent)


def single(act: Callable[[], object]) -> Frames:
    """One act alone."""
    took, cpu = timed(act)
    return Frames((took,), (cpu,))


def measured(widget: QWidget, count: int, change: Callable[[int], object]) -> Frames:
    """Change a widget so many times and paint it after each."""
    target, took = QPixmap(widget.size()), list[tuple[float, float]]()

    def frame(place: int) -> None:
        change(place)
        widget.render(target)

    for place in range(count):
        took.append(timed(partial(frame, place)))
    return Frames(tuple(each for each, _ in took), tuple(each for _, each in took))
