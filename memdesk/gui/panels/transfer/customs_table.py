"""Things that an import brings besides plain memory: a box for each kind, and a table of the single things. Pressing
Enter on one accepts it or leaves it out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from memdesk.gui import formatting
from memdesk.gui.language import marked, tr
from memdesk.gui.widgets import Column, Control, RowsModel, Table, Text, column, row
from memdesk.gui.widgets.text import tip_text
from memdesk.model import customs
from memdesk.model.customs import Declaration, Declared

ROW_PX = 24
NAMES = {
    customs.TRUST: marked("Trust"),
    customs.PINS: marked("Pins and use"),
    customs.AUTHORS: marked("Authors"),
    customs.STANDING: marked("Decisions"),
    customs.SETTINGS: marked("Settings"),
    customs.GRANTS: marked("Grants of agents"),
    customs.FOLDERS: marked("Folders"),
    customs.GLOBAL_MEMORY: marked("For every agent"),
    customs.INSTRUCTIONS: marked("Instructions"),
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
        self.rows: RowsModel[CustomsRow] = RowsModel(_columns())
        self.table = Table(self.rows, name=tr("Needs a yes of its own"), row_px=ROW_PX)
        self.says = Text("", 12, "t2", wrap=True)
        self.boxes: dict[str, Control] = {}
        self._shown: tuple[Declaration, ...] = ()
        self._row: QHBoxLayout = row(None, gap=6, margins=(20, 4, 20, 4))
        self.setLayout(column(column(self.says, margins=(20, 8, 20, 0), gap=0), self._row, self.table, gap=0))
        self.table.opened.connect(lambda each: self._toggle_one(each))
        self.setVisible(False)

    def begin_anew(self) -> None:
        """Forget what was accepted."""
        self.accepted = ()

    def show_declared(self, found: Iterable[Declaration]) -> None:
        """Show what an import declares."""
        self._shown = tuple(found)
        if list(self.boxes) != [each.name for each in self._shown]:
            self._rebuild()
        for each in self._shown:
            self.boxes[each.name].setChecked(each.accepted == each.count)
        self.rows.set_rows(
            tuple(CustomsRow(name=each.name, thing=thing) for each in self._shown for thing in each.rows)
        )
        self.says.setText(
            tr(
                "Each of these needs a yes of its own: a box takes all of its kind, Enter takes one or leaves it out."
            )
        )
        self.table.setVisible(any(each.name != customs.TRUST for each in self._shown))
        self.setVisible(bool(self._shown))

    def _rebuild(self) -> None:
        for box in self.boxes.values():
            self._row.removeWidget(box)
            box.deleteLater()
        self.boxes = {each.name: self._box(each) for each in self._shown}
        for number, box in enumerate(self.boxes.values()):
            self._row.insertWidget(number, box)

    def _box(self, found: Declaration) -> Control:
        count = formatting.count(found.count)
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


def _columns() -> tuple[Column[CustomsRow], ...]:
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
