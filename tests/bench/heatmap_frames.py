"""How long a frame of the salience heatmap takes with 500 memories over 365 days: painted, scrolled, resized.

QT_QPA_PLATFORM=offscreen python -m tests.bench.heatmap_frames
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from PySide6.QtWidgets import QApplication

from memdesk.gui import look
from memdesk.gui.panels.salience.heat_canvas import HeatCanvas
from memdesk.gui.panels.salience.heat_grid import Days
from memdesk.gui.panels.salience.heat_rows import HeatRows
from memdesk.gui.panels.salience_panel import columns
from memdesk.model.browse import SalienceCurve
from memdesk.model.graph import Heatmap, HeatRow
from tests.bench.frames import Frames, head, measured, single

ROWS, BACK, AHEAD = 500, 335, 30
SIZES = ((1256, 560), (1852, 800), (3200, 1500))
"""The canvas in windows of 1440, 2036 and about 3400 px; only the last has room for a column a day."""
FRAMES = 150
DECAY, LIFT = 0.95, 0.25


def curves(count: int) -> Iterator[HeatRow]:
    """Memories that decay and are lifted now and then."""
    drawn = random.Random(7)
    for number in range(count):
        born, value, past = drawn.randrange(BACK), 0.5, list[float | None]()
        for day in range(BACK):
            value = min(1.0, value * DECAY + (LIFT if drawn.random() < 0.05 else 0.0))
            past.append(None if day < born else value)
        curve = SalienceCurve(
            past=tuple(past),
            ahead=tuple(value * DECAY**day for day in range(1, AHEAD + 1)),
            now=value,
            recall_days=(),
            fades_in_days=drawn.uniform(-20, 60),
        )
        yield HeatRow(
            id=f"f{number}",
            kind="fact",
            title=f"Claim {number} of what is kept",
            category="decision",
            channel=f"channel {number % 6}",
            pinned=number % 50 == 0,
            recalled=number % 9,
            last_recalled_at=None,
            last_recalled_by=None,
            curve=curve,
            rescued_fades_in_days=43.0,
        )


async def _nothing(first: int, limit: int) -> Sequence[HeatRow]:
    raise AssertionError("every row is here already")


def bench(shown: Heatmap, size: tuple[int, int]) -> Iterator[tuple[str, Frames]]:
    """Each movement with its frames."""
    days = Days.of(shown)
    rows = HeatRows(_nothing, lambda work: work.close())
    canvas = HeatCanvas(rows, days, lambda name: int(name.split()[-1]))
    canvas.resize(*size)
    canvas.show()
    rows.show(shown, columns(days, lambda name: 0))

    def first() -> None:
        canvas.show_days(days, shown.fade_below, joined=True)
        canvas.grab()

    yield "open", single(first)
    bar = canvas.verticalScrollBar()
    yield "scroll", measured(canvas, FRAMES, lambda place: bar.setValue(21 * place))
    yield "jump", measured(canvas, FRAMES, lambda place: bar.setValue(2111 * place % max(1, bar.maximum())))
    yield "choose", measured(canvas, FRAMES, lambda place: canvas.set_place(bar.value() // 21 + place % 20))
    yield "paint anew", measured(canvas, 40, lambda _: canvas.refresh())
    canvas.close()


def main() -> None:
    """Print a table, a row a movement."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    look.apply_theme(app, "dark")
    start = date.today() - timedelta(days=BACK - 1)
    shown = Heatmap(
        start=start,
        days_back=BACK,
        days_ahead=AHEAD,
        first=0,
        total=ROWS,
        faded=0,
        counts={},
        rows=tuple(curves(ROWS)),
        fade_below=0.1,
        decay_per_day=DECAY,
    )
    print(f"{ROWS} memories, {BACK + AHEAD} days\n")
    print(head("canvas px"))
    for size in SIZES:
        for name, frames in bench(shown, size):
            print(frames.row(f"{size[0]} x {size[1]}", name), flush=True)


if __name__ == "__main__":
    main()
