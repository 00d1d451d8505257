"""Table of the lines of an import: those that become facts, and why the others do not. Pressing Enter on a line
takes it in or leaves it out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from memdesk.gui import formatting
from memdesk.gui.language import tr
from memdesk.gui.widgets import Column, RowsModel, Table, Text, column
from memdesk.gui.widgets.text import tip_text
from memdesk.model.workspace import FileCoverage, ImportLine

ROW_PX = 24


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
        self.rows: RowsModel[CoverageRow] = RowsModel(_columns())
        self.table = Table(self.rows, name=tr("Lines of the files"), row_px=ROW_PX)
        self.counts = Text("", 12, "t2", wrap=True)
        self.setLayout(column(column(self.counts, margins=(20, 8, 20, 4), gap=0), self.table, gap=0))
        self.table.opened.connect(lambda row: self.toggled.emit(row.place, not row.line.fact))

    def show_coverage(self, files: Iterable[FileCoverage]) -> None:
        """Show the lines of these files."""
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


def _columns() -> tuple[Column[CoverageRow], ...]:
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
