"""First page of an empty desk: memory that agents keep on this machine, and the other ways to begin."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout

from memdesk.gui import formatting
from memdesk.gui.language import tr
from memdesk.gui.widgets import (
    Column,
    Control,
    Empty,
    Ground,
    Icon,
    RowsModel,
    Table,
    Text,
    column,
    pages,
    row,
    rule,
)
from memdesk.model.interop import Discovered, DiscoveredPlace

ROW_PX, HEAD_PX, SHOWN = 58, 30, 6
HOLDS_PX, SIZE_PX, STATE_PX, BRING_PX = 190, 80, 170, 96


class FirstRun(Ground):
    """Page of the places found, and below them a folder of one's own, an agent of one's own and the sample.

    Signals: bring_asked (a path, or empty to choose one), connect_asked, sample_asked."""

    bring_asked = Signal(str)
    connect_asked = Signal()
    sample_asked = Signal()

    def __init__(self) -> None:
        self.model: RowsModel[DiscoveredPlace] = RowsModel(_columns())
        self.table = Table(self.model, name=tr("Found on this machine"), row_px=ROW_PX)
        self.none = Empty(
            tr("No agent of a known system has left memory on this machine."),
            tr("Bring in a folder or an export, connect an agent, or look around on the sample desk."),
        )
        self.none.setContentsMargins(5, 0, 5, 0)
        self.choose = Control("button", tr("Choose…"))
        self.connect_agent = Control("button", tr("Show how"))
        self.sample = Control("link", tr("Open the sample desk"))
        self.missing = Text("", 12, "t3", wrap=True)
        self._places = pages(self.table, self.none)
        super().__init__("stage", layout=self._laid_out())
        self.table.opened.connect(lambda place: self.bring_asked.emit(place.path))
        self.table.pressed.connect(lambda place, _: self.bring_asked.emit(place.path))
        self.choose.clicked.connect(lambda: self.bring_asked.emit(""))
        self.connect_agent.clicked.connect(lambda: self.connect_asked.emit())
        self.sample.clicked.connect(lambda: self.sample_asked.emit())
        self.setFocusProxy(self.table)

    def _laid_out(self) -> QVBoxLayout:
        says = Text(
            tr(
                "Only names, sizes and times were read so far. Nothing leaves this machine; every step can be undone."
            ),
            13,
            "t2",
            wrap=True,
        )
        folder = _offer(
            "file",
            tr("A folder, a file or an export"),
            tr("mem0, Zep, Letta, LangGraph, chats, plain Markdown"),
            self.choose,
        )
        own = _offer(
            "plug",
            tr("An agent of your own"),
            tr("a few lines of Python, MCP, or plain HTTP"),
            self.connect_agent,
        )
        others = column(
            Text(tr("Not in the list?"), 12, "t2", weight=600),
            folder,
            rule(),
            own,
            rule(),
            self.missing,
            gap=8,
            margins=(20, 14, 20, 14),
        )
        around = Text(tr("Only looking around?"), 13, "t1", weight=500)
        what = Text(tr("Two agents, ninety days of memory. Kept apart from yours."), 12, "t2")
        footer = row(Icon("play", "t2"), around, what, None, self.sample, gap=10, margins=(20, 14, 20, 14))
        says.setContentsMargins(20, 12, 20, 10)
        return column(
            says, self._places, Ground("stage", layout=others), None, Ground("panel", "top", footer), gap=0
        )

    def show_found(self, found: Discovered) -> None:
        """Show the findings; the first place is chosen."""
        self.model.set_rows(found.rows)
        shown = min(SHOWN, len(found.rows))
        self._places.setFixedHeight(HEAD_PX + ROW_PX * shown + 2 if shown else 2 * ROW_PX)
        self._places.setCurrentWidget(self.table if found.rows else self.none)
        self.setFocusProxy(self.table if found.rows else self.choose)
        if found.rows and not self.table.currentIndex().isValid():
            self.table.choose(0)
        self.missing.setText(
            tr("Looked for and not there: {names}", names=", ".join(found.missing)) if found.missing else ""
        )


def _offer(icon: str, title: str, says: str, button: Control) -> Ground:
    line = row(
        Icon(icon, "t2"),
        Text(title, 13, "t1", weight=500),
        Text(says, 12, "t3", elide=True),
        None,
        button,
        gap=10,
    )
    return Ground("stage", layout=line)


def subtitle(found: Discovered) -> str:
    """Return “3 of 13 known systems, looked up in 0.8 s”."""
    systems = {each.system for each in found.rows}
    return tr(
        "{found} of {all} known systems, looked up in {time} s",
        found=len(systems),
        all=len(systems) + len(found.missing),
        time=f"{max(0.1, found.took_ms / 1000):.1f}",
    )


def short_path(path: str) -> str:
    """Return a path with ~ for the home folder."""
    home = str(Path.home())
    return f"~{path[len(home) :]}" if path.startswith(home + os.sep) else path


def _columns() -> tuple[Column[DiscoveredPlace], ...]:
    return (
        Column(
            tr("Agent"),
            lambda each: each.system,
            below=lambda each: short_path(each.path),
            icon=lambda _: ("file", "t2"),
            px=13,
            weight=500,
            token="t1",
        ),
        Column(tr("What it keeps"), _holds, width=HOLDS_PX, token="t1"),
        Column(tr("Size"), lambda each: formatting.size(each.size_bytes), width=SIZE_PX, numeric=True),
        Column(tr("State"), _state, width=STATE_PX),
        Column(
            "",
            lambda each: tr("is here") if each.known else tr("Bring in…"),
            width=BRING_PX,
            align="right",
            token="acc",
            pressable=lambda each: not each.known,
        ),
    )


def _holds(each: DiscoveredPlace) -> str:
    parts = [tr("%Ln note(s)", "", each.notes)] if each.notes else []
    parts += [tr("%Ln conversation(s)", "", each.transcripts)] if each.transcripts else []
    return ", ".join(parts) or tr("a knowledge graph")


def _state(each: DiscoveredPlace) -> str:
    return tr("changed {when}", when=formatting.ago(each.changed_at)) if each.changed_at else ""
