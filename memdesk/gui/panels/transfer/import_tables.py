"""Tables of an import: what it brings besides plain memory, and which lines of its files become facts, where Enter on a
row takes it in or leaves it out; and the findings about a source that is only checked, whose report can be saved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QSizePolicy, QWidget

from memdesk.files.atomic import write_atomic
from memdesk.gui import formatting
from memdesk.gui.language import marked, tr
from memdesk.gui.widgets import Column, Control, Ground, RowsModel, Table, Text, column, laid_out, row
from memdesk.gui.widgets.path_field import ask_to_save
from memdesk.gui.widgets.text import tip_text
from memdesk.model import interop
from memdesk.model.checkup import CheckedClaim, CheckedFinding, CheckReport
from memdesk.model.errors import StorageFailed
from memdesk.model.interop import Declaration, Declared, FileCoverage, ImportLine

ROW_PX = 24
NAMES = {
    interop.TRUST: marked("Trust"),
    interop.PINS: marked("Pins and use"),
    interop.AUTHORS: marked("Authors"),
    interop.STANDING: marked("Decisions"),
    interop.SETTINGS: marked("Settings"),
    interop.GRANTS: marked("Grants of agents"),
    interop.FOLDERS: marked("Folders"),
    interop.GLOBAL_MEMORY: marked("For every agent"),
    interop.INSTRUCTIONS: marked("Instructions"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomsRow:
    """Thing in the table, with its kind."""

    name: str
    thing: Declared


class CustomsTable(QWidget):
    """Boxes of the kinds above the table of their things. `accepted`: the words of what was accepted, as `pins` or
    `pins:f_1`. toggled: they have changed."""

    toggled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.accepted: tuple[str, ...] = ()
        self.rows: RowsModel[CustomsRow] = RowsModel(_customs_columns())
        self.table = Table(self.rows, name=tr("Needs a yes of its own"), row_px=ROW_PX)
        says = tr(
            "Each of these needs a yes of its own: a box takes all of its kind, Enter takes one or leaves it out."
        )
        self._above = laid_out(row(Text(says, 12, "t2", wrap=True), margins=(20, 8, 20, 0)))
        self.quoted = Text(
            tr("Without your yes, agents are told this memory as quoted, not as true."), 12, "t2", elide=True
        )
        self.boxes: dict[str, Control] = {}
        self._shown: tuple[Declaration, ...] = ()
        self._row: QHBoxLayout = row(self.quoted, None, gap=6, margins=(20, 6, 20, 6))
        self.setLayout(column(self._above, self._row, self.table, gap=0))
        self.table.opened.connect(lambda each: self._toggle_one(each))
        self.setVisible(False)

    def begin_anew(self) -> None:
        """Forget what was accepted."""
        self.accepted = ()

    def show_declared(self, found: Iterable[Declaration]) -> None:
        self._shown = tuple(found)
        if list(self.boxes) != [each.name for each in self._shown]:
            self._rebuild()
        for each in self._shown:
            self.boxes[each.name].setChecked(each.accepted == each.count)
        self.rows.set_rows(
            tuple(CustomsRow(name=each.name, thing=thing) for each in self._shown for thing in each.rows)
        )
        listed = any(each.name != interop.TRUST for each in self._shown)
        self._above.setVisible(listed)
        self.table.setVisible(listed)
        self.quoted.setVisible(not listed)
        high = QSizePolicy.Policy.Preferred if listed else QSizePolicy.Policy.Maximum
        self.setSizePolicy(QSizePolicy.Policy.Preferred, high)
        self.setVisible(bool(self._shown))

    def _rebuild(self) -> None:
        for box in self.boxes.values():
            self._row.removeWidget(box)
            box.deleteLater()
        self.boxes = {each.name: self._box(each) for each in self._shown}
        for number, box in enumerate(self.boxes.values()):
            self._row.insertWidget(number, box)

    def _box(self, found: Declaration) -> Control:
        count = "" if found.name == interop.TRUST else formatting.count(found.count)
        box = Control("chip", tr(NAMES[found.name]), "check", count=count, tip=tr(found.says))
        box.setCheckable(True)
        box.clicked.connect(lambda on: self._toggle_kind(found.name, on))
        return box

    def _toggle_kind(self, name: str, on: bool) -> None:
        kept = tuple(word for word in self.accepted if word.partition(":")[0] != name)
        self.accepted = (*kept, name) if on else kept
        self.toggled.emit()

    def _toggle_one(self, each: CustomsRow) -> None:
        things = next(found.rows for found in self._shown if found.name == each.name)
        kept = tuple(word for word in self.accepted if word.partition(":")[0] != each.name)
        yes = {thing.id for thing in things if thing.accepted} ^ {each.thing.id}
        self.accepted = (*kept, *(f"{each.name}:{thing.id}" for thing in things if thing.id in yes))
        self.toggled.emit()


def _customs_columns() -> tuple[Column[CustomsRow], ...]:
    return (
        Column(tr("Accept"), lambda each: tr("yes") if each.thing.accepted else tr("no"), width=80),
        Column(tr("What it is"), lambda each: tr(NAMES[each.name]), width=170),
        Column(
            tr("Name"),
            lambda each: each.thing.text,
            token=lambda each: "t1" if each.thing.accepted else "t2",
            tip=lambda each: tip_text(f"{each.thing.text}\n{each.thing.id}"),
        ),
        Column(tr("Memories"), lambda each: formatting.count(each.thing.count), width=84, numeric=True),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageRow:
    """Line of a file in the table."""

    file: str
    line: ImportLine

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line.number}"


class CoverageTable(QWidget):
    """Table of lines under a sentence that counts them. toggled: the line that a person takes in or leaves out, as
    `MEMORY.md:12`, and True if it becomes a fact."""

    toggled = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self.rows: RowsModel[CoverageRow] = RowsModel(_line_columns())
        self.table = Table(self.rows, name=tr("Lines of the files"), row_px=ROW_PX)
        self.counts = Text("", 12, "t2", wrap=True)
        self.setLayout(column(column(self.counts, margins=(20, 8, 20, 4), gap=0), self.table, gap=0))
        self.table.opened.connect(lambda row: self.toggled.emit(row.place, not row.line.fact))

    def show_coverage(self, files: Iterable[FileCoverage]) -> None:
        found = tuple(files)
        self.rows.set_rows(
            tuple(CoverageRow(file=each.file, line=line) for each in found for line in each.rows)
        )
        lines, facts = sum(each.lines for each in found), sum(each.facts for each in found)
        self.counts.setText(
            tr(
                "{lines} lines: {facts} become facts, {others} do not. Enter takes a line in or leaves it out.",
                lines=formatting.count(lines),
                facts=formatting.count(facts),
                others=formatting.count(lines - facts),
            )
        )
        self.setVisible(bool(lines))


def _line_columns() -> tuple[Column[CoverageRow], ...]:
    return (
        Column(tr("Fact"), lambda row: tr("yes") if row.line.fact else tr("no"), width=64),
        Column(
            tr("Line"),
            lambda row: row.line.text,
            token=lambda row: "t1" if row.line.fact else "t3",
            tip=lambda row: tip_text(row.line.text),
        ),
        Column(tr("Why not"), lambda row: tr(row.line.why), width=170),
        # A long path would be cut at its end, where the number is.
        Column(
            tr("Where"),
            lambda row: row.place.rpartition("/")[2],
            width=150,
            tip=lambda row: tip_text(row.place),
        ),
    )


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
        self.rows: RowsModel[CheckedFinding] = RowsModel(_finding_columns())
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


def _finding_columns() -> tuple[Column[CheckedFinding], ...]:
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
