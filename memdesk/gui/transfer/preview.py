"""Preview of an import: its parts in a table, and the recognised format, the destination, and the parts left
out."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from memdesk.gui.frame import times
from memdesk.gui.language import marked, tr
from memdesk.gui.transfer import sizes
from memdesk.gui.widgets import (
    Column,
    Ground,
    RowsModel,
    Scroll,
    Section,
    Splitter,
    Table,
    Text,
    column,
)
from memdesk.gui.widgets.tips import plain
from memdesk.gui.workspaces import words
from memdesk.model.workspace import ImportItem, ImportPreview, RecognisedPlace, Skipped

ASIDE_PX = 320
PLACES_SHOWN = 12
LEFT_PX = 24
SOURCES = (marked("A folder of markdown"), marked("Markdown file"))
"""Names of sources that the service returns in addition to its formats."""


class Preview(QWidget):
    """Preview of an import. items: rows of the table of imported parts; left: rows of the parts left out."""

    def __init__(self) -> None:
        super().__init__()
        self.items: RowsModel[ImportItem] = RowsModel(_items())
        self.left: RowsModel[Skipped] = RowsModel(_left())
        self.table = Table(self.items, name=tr("What comes in"))
        self.left_table = Table(self.left, name=tr("What stays out"), token="panel", pad=16, row_px=LEFT_PX)
        self.says = Text("", 13, "t1", weight=500, wrap=True)
        self.counts = Text("", 12, "t2", wrap=True)
        self.known = Text("", 12, "t3", wrap=True)
        self.places = Text("", 12, "t2", wrap=True)
        self.into = Text("", 12, "t2", wrap=True)
        self.recognised = Section(tr("Recognised"), "", self.says, self.places)
        self.landing = Section(tr("What comes in, and where"), "", self.into, self.counts, self.known)
        self.staying = Text("", 12, "t2", weight=600)
        self._furnish()

    def _furnish(self) -> None:
        left = column(self.staying, margins=(16, 12, 16, 4), gap=0)
        self._left_part = Ground("panel", layout=column(left, self.left_table, gap=0))
        self._left_part.setMinimumHeight(110)
        words = Scroll(
            Ground("panel", layout=column(self.recognised, self.landing, None, gap=0)), token="panel"
        )
        aside = Splitter(words, self._left_part, vertical=True)
        aside.setStretchFactor(0, 3)
        aside.setStretchFactor(1, 2)
        ground = Ground("panel", "left", column(aside, gap=0, margins=(1, 0, 0, 0)))
        ground.setMinimumWidth(ASIDE_PX)
        body = Splitter(self.table, ground, minimum=ASIDE_PX)
        body.setStretchFactor(0, 1)
        body.setStretchFactor(1, 0)
        body.setSizes([10_000, ASIDE_PX])
        self.setLayout(column(body, gap=0))
        self.setFocusProxy(self.table)

    def show_preview(self, found: ImportPreview) -> None:
        """Show the preview of an import."""
        self.items.set_rows(found.items)
        self.left.set_rows(found.skipped)
        self.says.setText(tr(found.says or found.format))
        self.places.setText("\n".join(_told(place) for place in found.places[:PLACES_SHOWN]))
        self.places.setVisible(bool(found.places))
        agent = found.agent_id or tr("no agent")
        self.into.setText(tr("Into channel {channel}, for {agent}.", channel=found.channel, agent=agent))
        counts = sizes.came_in(found.counts)
        self.counts.setText(counts or tr("Nothing new."))
        self.known.setText(
            tr("%Ln part(s) of it are on this desk already and change nothing.", "", found.known)
        )
        self.known.setVisible(found.known > 0)
        many = found.counts.get("skipped", len(found.skipped))
        self.staying.setText(tr("%Ln thing(s) stay out", "", many))
        self._left_part.setVisible(bool(found.skipped))


def _told(place: RecognisedPlace) -> str:
    """Return a sentence about the layout of a folder, the reason, and whether it is already on this desk."""
    name = place.path.rstrip("/").rpartition("/")[2]
    parts = (
        tr(
            "{name} is of the layout {layout}: {why}.",
            name=name,
            layout=place.layout,
            why=words.recognised(place.why),
        )
        if place.why
        else tr("{name} is of the layout {layout}.", name=name, layout=place.layout)
    )
    return tr("{told} It is on this desk already.", told=parts) if place.registered else parts


def _items() -> tuple[Column[ImportItem], ...]:
    return (
        Column(title=tr("Name"), text=lambda row: row.name, token="t1", tip=lambda row: plain(row.name)),
        Column(
            title=tr("What it is"), text=lambda row: words.layer(row.what), width=150, tip=lambda row: plain(row.what)
        ),
        Column(title=tr("Turns"), text=lambda row: _number(row.turns), width=70, numeric=True),
        Column(title=tr("Facts"), text=lambda row: _number(row.facts), width=70, numeric=True),
        Column(title=tr("Size"), text=lambda row: sizes.size(row.size_bytes) if row.size_bytes else "", width=84,
               numeric=True),
    )  # fmt: skip


def _left() -> tuple[Column[Skipped], ...]:
    return (
        Column(
            title=tr("Name"),
            text=lambda row: row.name,
            width=120,
            token="t1",
            tip=lambda row: plain(row.name),
        ),
        Column(title=tr("Why"), text=lambda row: tr(row.why), tip=lambda row: plain(tr(row.why))),
    )


def _number(number: int) -> str:
    return times.count(number) if number else ""
