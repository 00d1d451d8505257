"""Detail view next to the runs: one run with its undo, or the changes that a dry run would make."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from memdesk.gui.frame import times
from memdesk.gui.jobs import columns
from memdesk.gui.jobs.counts import counted
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Empty, Ground, RowsModel, Table, Text, column, row
from memdesk.model.job import JobRun, Planned


class Aside(Ground):
    """Detail view of a run. Signals: undo_asked carries a change of the run to undo; opened, the id of a
    memory."""

    undo_asked = Signal(int)
    opened = Signal(str)

    def __init__(self, session: Session) -> None:
        self.heading = Text("", 12, "t1", weight=600, elide=True)
        self.says = Text("", 12, "t2", wrap=True)
        self.counts = Text("", 12, "t3", wrap=True)
        self.undo = Control("button", tr("Take the whole run back"), "undo", small=True)
        self.model: RowsModel[Planned] = RowsModel(columns.plan(session))
        self.table = Table(self.model, name=tr("What it would change"), token="panel", pad=16)
        self._nothing = Empty(
            tr("Nothing is chosen."),
            tr("Choose a run to see what it did, or run a job dry to see what it would do."),
        )
        self._stack = QStackedWidget()
        self._last: int | None = None
        super().__init__("panel", "left")
        self._furnish()

    def _furnish(self) -> None:
        words = column(
            self.heading, self.says, self.counts, row(self.undo, None), gap=8, margins=(16, 14, 16, 12)
        )
        # The room that is left is the table's, or empty below the words.
        below = QWidget()
        below.setLayout(column(self.table, gap=0))
        told_layout = column(words, below, gap=0)
        told_layout.setStretchFactor(below, 1)
        told = Ground("panel", layout=told_layout)
        for part in (self._nothing, told):
            self._stack.addWidget(part)
        self.setLayout(column(self._stack, gap=0, margins=(1, 0, 0, 0)))
        self.table.opened.connect(self._open)
        self.undo.clicked.connect(self._ask_undo)

    def show_nothing(self) -> None:
        """Show that no run is selected."""
        self._stack.setCurrentIndex(0)

    def show_run(self, run: JobRun) -> None:
        """Show a run from the history."""
        self._last = run.last_change
        left = run.changes - run.undone
        heading = tr("{job}, {when}", job=columns.named(run.job), when=times.minute(run.started_at))
        if run.finished_at is not None:
            heading = tr("{run} · took {time}", run=heading, time=took_of(run))
        self._tell(heading, columns.result(run), run.result)
        self.undo.setVisible(left > 0 and run.last_change is not None)
        self.undo.setText(tr("Take %Ln change(s) back", "", left))
        self.table.hide()

    def show_plan(self, job: str, says: str, planned: Sequence[Planned], changes: int) -> None:
        """Show the changes that a dry run would make."""
        self._last = None
        more = tr("The first %Ln are listed.", "", len(planned)) if changes > len(planned) else ""
        kept = tr("Nothing was changed.") if changes else ""
        words = " ".join(each for each in (says, more, kept) if each)
        self._tell(tr("{job}, dry run", job=columns.named(job)), words, {})
        self.undo.hide()
        self.model.set_rows(planned)
        self.table.setVisible(bool(planned))

    def _tell(self, heading: str, says: str, counts: dict[str, object]) -> None:
        self._stack.setCurrentIndex(1)
        self.heading.setText(heading)
        self.says.setText(says)
        words = [f"{counted(name)} {value:,}" for name, value in counts.items() if isinstance(value, int)]
        self.counts.setText(" · ".join(words))
        self.counts.setVisible(bool(words))

    def _ask_undo(self) -> None:
        if self._last is not None:
            self.undo_asked.emit(self._last)

    def _open(self, planned: Planned) -> None:
        if planned.records:
            self.opened.emit(planned.records[0])


def took_of(run: JobRun) -> str:
    """Return the duration of a finished run."""
    assert run.finished_at is not None
    seconds = (run.finished_at - run.started_at).total_seconds()
    return f"{seconds:.1f} s" if seconds < 10 else times.span(seconds)
