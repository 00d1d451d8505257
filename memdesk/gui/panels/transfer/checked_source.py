"""Findings about a source that is not imported: a table with both sides of each, and a button that saves the report."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from memdesk.files.atomic import write_atomic
from memdesk.gui import formatting
from memdesk.gui.language import marked, tr
from memdesk.gui.widgets import Column, Control, Ground, RowsModel, Table, Text, column, row
from memdesk.gui.widgets.path_field import ask_to_save
from memdesk.gui.widgets.text import tip_text
from memdesk.model.checkup import CheckedClaim, CheckedFinding, CheckReport
from memdesk.model.errors import StorageFailed

FILE = "checkup.html"
KIND_PX, PLACE_PX, WHY_PX = 150, 170, 380
KINDS = {
    "poisoned": marked("Instruction to the agent"),
    "secret": marked("Password or key"),
    "contradiction": marked("Contradiction"),
    "expired": marked("No longer true"),
    "duplicate": marked("Said twice"),
    "misplaced": marked("Wrong project"),
    "orphaned": marked("Without a source"),
    "junk": marked("Says too little"),
    "unused": marked("Never used"),
}
ADVICE = (
    marked("Do not let an agent read it. Delete the line unless you wrote it, and find out who did."),
    marked("Move it to a password manager, change it if others saw this file, and delete the line."),
    marked("Find out which of the two is true, and delete or date the other."),
    marked("Delete it, or write down what is true today."),
    marked("Keep one of the two."),
    marked("Move it to the project that it is about."),
    marked("Keep it only if you know that it is true."),
    marked("Say what it is about, or delete it."),
    marked("Delete it if nobody needs it."),
)
"""Sentences of the report that the table shows."""


class CheckedSource(QWidget):
    """Findings of a checkup. saved: the report was written to this file; failed: it could not be."""

    saved = Signal(str)
    failed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.report: CheckReport | None = None
        self.dialog: QFileDialog | None = None
        self.rows: RowsModel[CheckedFinding] = RowsModel(_columns())
        self.table = Table(self.rows, name=tr("Findings"), id_of=_id_of)
        self.says = Text("", 13, "t1", weight=500, wrap=True)
        self.counts = Text("", 12, "t2", wrap=True)
        self.save = Control(
            "button", tr("Save the report"), "file", tip=tr("Write it as a page that any browser shows")
        )
        words = column(self.says, self.counts, gap=2)
        head = row(words, None, self.save, gap=12, margins=(20, 10, 20, 10), stretch=words)
        self.setLayout(column(Ground("stage", "bottom", head), self.table, gap=0))
        self.save.clicked.connect(self._ask_where)
        self.setFocusProxy(self.table)

    def show_report(self, report: CheckReport) -> None:
        """Show the findings of a report, those that may do most harm first."""
        self.report = report
        self.rows.set_rows(report.rows)
        self.says.setText(
            tr("%Ln finding(s); nothing was imported.", "", len(report.rows))
            if report.rows
            else tr("Nothing to worry about; nothing was imported.")
        )
        self.counts.setText(
            tr(
                "{facts} claims of {files} files were checked.",
                facts=formatting.count(report.facts),
                files=formatting.count(report.files),
            )
        )

    def _ask_where(self) -> None:
        """Open the dialog to choose the file."""
        formats = {"html": tr("Page (*.html)")}
        self.dialog = ask_to_save(self, tr("Save the report"), FILE, formats, self.write)

    def write(self, file: Path) -> None:
        """Write the report to a file, and tell of it."""
        if self.report is None:
            return
        try:
            write_atomic(file, self.report.page.encode())
        except StorageFailed as wrong:
            self.failed.emit(wrong)
        else:
            self.saved.emit(str(file))


def _columns() -> tuple[Column[CheckedFinding], ...]:
    return (
        Column(tr("Finding"), lambda row: tr(KINDS[row.kind]), width=KIND_PX, token="t1"),
        Column(tr("Claim"), lambda row: row.claim.claim, tip=lambda row: tip_text(row.claim.claim)),
        Column(tr("Where"), lambda row: row.claim.place, width=PLACE_PX),
        Column(
            tr("Other side"),
            lambda row: "" if row.other is None else row.other.claim,
            tip=lambda row: "" if row.other is None else tip_text(_with_place(row.other)),
        ),
        Column(
            tr("What to do"),
            lambda row: tr(row.advice),
            width=WHY_PX,
            tip=lambda row: tip_text(f"{tr(row.reason)} {tr(row.advice)}"),
        ),
    )


def _id_of(found: CheckedFinding) -> str:
    return f"{found.kind} {found.claim.place} {found.claim.claim}"


def _with_place(side: CheckedClaim) -> str:
    return f"{side.claim} ({side.place})" if side.place else side.claim
