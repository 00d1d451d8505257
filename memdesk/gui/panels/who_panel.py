"""Who is my agent: identity, people, rules, projects and days of an agent; contradictions and secrets found."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from memdesk.api import agents, jobs
from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import tr
from memdesk.gui.panels import who_parts
from memdesk.gui.panels.who_parts import TOP, BigMark, Coverage, Days, Part, longest_gap, source_words
from memdesk.gui.session import Session
from memdesk.gui.shell.panel import Panel
from memdesk.gui.widgets import Control, Drop, Ground, Option, Skeleton, Text, column, laid_out, row, rule
from memdesk.gui.widgets.layout import Scroll, delayed
from memdesk.model.agent import (
    CONTRADICTIONS,
    DAYS,
    FILES,
    IDENTITY,
    LINES_AT_MOST,
    PEOPLE,
    PROJECTS,
    RULES,
    SECRETS,
    AskPortrait,
    Portrait,
    PortraitLine,
    PortraitPart,
)
from memdesk.model.history import FeedEvent
from memdesk.model.status import Nothing

SIDE_PX, NARROW_SIDE_PX, SIDE_FROM_PX = 360, 290, 780
TWO_COLUMNS_FROM_PX = 560
SHOWN, DAYS_SHOWN = 5, 60
CHECKED_AFTER_S, CHECKED_WITHIN_S = 15, 3600
"""Least and most seconds before a look at whether a checkup that is due has compared the facts of an import: one that
finds nothing is no change."""
INSPECTED = ("fact", "entity")
RELOADED_BY = frozenset(("fact", "entity", "document", "workspace", "proposal", "relation"))


class WhoPanel(Panel):
    """Portrait of one agent. Each line opens its record; a wrong one is corrected or retired from there."""

    name = "who"

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self.found: Portrait | None = None
        self._agent, self._unfolded = "", set[str]()
        self._checked = delayed(lambda: self.reload_soon(by_others=True), self)
        self.agent = Drop(lead=tr("Agent"), name=tr("Agent"))
        self.ask_as = Control("button", tr("Ask as it"), "eye", tip=tr("Ask as this agent in the recall lab"))
        self.browse = Control("button", tr("Browse its facts"), "facts", tip=tr("Browse its facts"))
        self.open_files = Control("button", tr("Open files"), "file", tip=tr("Open files"))
        self.mark, self.headline = BigMark(), Text("", 17, "t1", weight=500, wrap=True)
        self.manner, self.manner_source = Text("", 13, "t2", wrap=True), Control("link", "", small=True)
        self.lines_read, self.coverage = Text("", 13, "t1", weight=600), Coverage()
        self.days_title, self.days_note, self.days = (
            Text("", 12, "t2", weight=600),
            Text("", 11, "t3"),
            Days(),
        )
        self.parts: dict[str, Part] = {
            PEOPLE: who_parts.people(session),
            RULES: who_parts.rules(session),
            PROJECTS: who_parts.projects(session),
            CONTRADICTIONS: who_parts.contradictions(session),
            SECRETS: who_parts.secrets(session),
            FILES: who_parts.files(session),
        }
        self.settle = Control("primary", "", "contradicts")
        self.take_back = Control("button", tr("Undo import"), "undo")
        self.effect = Text("", 12, "t2", wrap=True)
        self._lay_out()
        self._wire()

    def _lay_out(self) -> None:
        below = row(self.manner, self.manner_source, gap=8, stretch=self.manner)
        words = column(self.headline, below, gap=4)
        head = row(self.mark, words, gap=14)
        head.setAlignment(self.mark, TOP)
        head.setStretch(1, 1)
        self._read = laid_out(column(self.lines_read, self.coverage, gap=8))
        self._two_columns = row(self.parts[PEOPLE], self.parts[RULES], gap=28)
        for place, name in enumerate((PEOPLE, RULES)):
            self._two_columns.setStretch(place, 1)
            self._two_columns.setAlignment(self.parts[name], TOP)
        days = row(self.days_title, None, self.days_note)
        page = column(
            head,
            self._read,
            rule(),
            self._two_columns,
            self.parts[PROJECTS],
            days,
            self.days,
            None,
            gap=12,
            margins=(20, 16, 20, 20),
        )
        found = column(
            *(self.parts[name] for name in (CONTRADICTIONS, SECRETS, FILES)),
            None,
            gap=0,
            margins=(1, 14, 0, 0),
        )
        footer = Ground(
            "panel",
            "top",
            column(
                self.effect, row(self.settle, self.take_back, None, gap=8), gap=10, margins=(16, 12, 16, 12)
            ),
        )
        side = column(Scroll(Ground("panel", layout=found), "panel"), footer, gap=0, margins=(1, 0, 0, 0))
        side.setStretch(0, 1)
        self._side = Ground("panel", "left", side, width=SIDE_PX)
        body = QWidget()
        across = row(Scroll(Ground("stage", layout=page)), self._side, gap=0)
        across.setStretch(0, 1)
        body.setLayout(across)
        wait = Skeleton(rows=10, pitch=46, shares=(0.05, 0.4, 0.3))
        self.furnish(body, actions=(self.agent, self.ask_as, self.browse, self.open_files), skeleton=wait)
        self.setFocusProxy(self.parts[PEOPLE].list)

    def _wire(self) -> None:
        for name, part in self.parts.items():
            part.taken.connect(self._take)
            part.moved.connect(self._look)
            part.unfolded.connect(lambda name=name: self._unfold(name))
        self.agent.chosen.connect(lambda _: self.select(str(self.agent.value() or "")))
        lead = self.inspector.navigated.emit
        self.ask_as.clicked.connect(lambda: self._as_agent("lab"))
        self.browse.clicked.connect(lambda: self._as_agent("facts"))
        self.open_files.clicked.connect(lambda: self._as_agent("identity"))
        self.manner_source.clicked.connect(lambda: self._take(self._line(IDENTITY, -1)))
        self.settle.clicked.connect(lambda: lead("review", "contradiction"))
        self.take_back.clicked.connect(self._undo_import)

    # Loading.

    def concerned(self, event: FeedEvent) -> bool:
        """Return True if a record changed that a portrait is read from."""
        return event.op != "recall" and bool(RELOADED_BY & set(event.kinds))

    async def load(self) -> None:
        """Load the portrait of the chosen agent, or of the newest."""
        ask = AskPortrait(
            agent=self._agent,
            lines=LINES_AT_MOST if self._unfolded else SHOWN,
            days=DAYS_SHOWN,
            utc_offset_minutes=formatting.offset_minutes(),
        )
        found = self.found = await self.session.call(agents.PORTRAIT, ask)
        for control in (self.agent, self.ask_as, self.browse, self.open_files):
            control.setVisible(bool(found.agents))
        if not found.parts:
            self.say("")
            self.show_empty(
                found.says,
                tr("Bring in its folder, or let it connect: then this page says who it is."),
                step=tr("Find agents on this machine"),
                take=lambda: self.inspector.navigated.emit("review", ""),
            )
            return
        self.agent.set_options([Option(value=name, text=name) for name in found.agents])
        self.agent.set_value(found.agent)
        self._show(found)
        self.show_content()
        self._checked.stop()
        if found.uncompared:
            await self._await_checkup()

    async def _await_checkup(self) -> None:
        """Load again once the next checkup is due; none is while that job is off or paused."""
        known = await self.session.call_if_allowed(jobs.LIST, Nothing())
        due = [each.next_due for each in (known.rows if known else ()) if each.name == "checkup"]
        if due and due[0] is not None:
            left_s = (due[0] - datetime.now(UTC)).total_seconds()
            self._checked.start(round(1000 * min(max(CHECKED_AFTER_S, left_s), CHECKED_WITHIN_S)))

    def _show(self, found: Portrait) -> None:
        title = tr("Who {agent} is", agent=found.agent) if found.agent else tr(self.title)
        self.head.title.setText(title)
        self.say(self._subtitle(found))
        self._show_identity(found)
        folder = found.folder
        self._read.setVisible(folder is not None and folder.lines > 0)
        if folder is not None:
            self.lines_read.setText(
                tr(
                    "{lines} lines: {facts} facts, {others} not",
                    lines=formatting.count(folder.lines),
                    facts=formatting.count(folder.facts),
                    others=formatting.count(folder.lines - folder.facts),
                )
            )
            self.coverage.show_folder(folder)
        for name, part in self.parts.items():
            known = self._part(found, name)
            part.setVisible(known is not None)
            if known is not None:
                lines = known.lines if name in self._unfolded else known.lines[:SHOWN]
                part.show_part(known, lines, _note(known, found))
        self._show_days(found)
        self._show_foot(found)

    def _subtitle(self, found: Portrait) -> str:
        folder = found.folder
        if folder is None:
            return tr("%Ln fact(s)", "", found.facts)
        when = tr("added {when}", when=formatting.ago(folder.added_at))
        return " · ".join((folder.layout, formatting.short_path(folder.path), when))

    def _show_identity(self, found: Portrait) -> None:
        self.mark.show_agent(found.agent, self.session.mark(f"agent:{found.agent}")[1])
        first, last = self._line(IDENTITY, 0), self._line(IDENTITY, -1)
        self.headline.setText(first.text if first is not None else found.says)
        second = last if last is not first else None
        self.manner.setText(second.text if second is not None else (found.says if first else ""))
        shown = second or first
        self.manner_source.setText(source_words(shown.source) if shown is not None else "")
        self.manner_source.setVisible(shown is not None and shown.source is not None)

    def _show_days(self, found: Portrait) -> None:
        known = self._part(found, DAYS)
        total = sum(each.entries for each in found.days)
        self.days_title.setText(tr("Entries per day, {days} days", days=DAYS_SHOWN))
        gap = tr("longest gap %Ln day(s)", "", longest_gap(found.days))
        says = tr("{count} on %Ln day(s)", "", len(found.days), count=formatting.count(total))
        self.days_note.setText(f"{says}, {gap}" if found.days else str(known.says if known else ""))
        self.days.setVisible(bool(found.days))
        self.days.show_days(found.days, DAYS_SHOWN, datetime.now().astimezone().date())

    def _show_foot(self, found: Portrait) -> None:
        waiting = sum(part.total for part in found.parts if part.name == CONTRADICTIONS)
        self.settle.setVisible(waiting > 0)
        self.settle.setText(tr("Settle %Ln thing(s)", "", waiting))
        undoable = found.folder is not None and found.folder.change is not None
        if self.take_back.hasFocus() and not undoable:
            self.agent.setFocus(Qt.FocusReason.OtherFocusReason)
        self.take_back.setVisible(undoable)
        self.effect.setVisible(found.folder is not None)
        self.effect.setText(
            tr("The import changed no file. Undo takes it away again; what was changed since stays.")
            if undoable
            else found.says
        )

    def _part(self, found: Portrait, name: str) -> PortraitPart | None:
        return next((part for part in found.parts if part.name == name), None)

    def _line(self, name: str, place: int) -> PortraitLine | None:
        part = self._part(self.found, name) if self.found is not None else None
        return part.lines[place] if part is not None and part.lines else None

    # Acting.

    @property
    def at(self) -> str:
        """The agent that is shown."""
        return self.found.agent if self.found is not None else ""

    def select(self, id: str) -> None:
        """Show an agent by its name."""
        if id != self._agent:
            self._agent, self._unfolded = id, set()
        self.reload()

    def _unfold(self, name: str) -> None:
        self._unfolded.add(name)
        self.reload()

    def _look(self, line: PortraitLine) -> None:
        """Show a memory that a key has chosen in the inspector, where it can be corrected or retired."""
        if line.kind in INSPECTED:
            self.inspector.show_memory(line.id)

    def _take(self, line: PortraitLine | None) -> None:
        """Open the record of a line: a memory in the inspector, else the panel that has it."""
        if line is None:
            return
        lead = self.inspector.navigated.emit
        match line.kind:
            case "proposal":
                lead("review", line.id)
            case "secret":
                lead("secrets", line.id)
            case "document":
                lead("identity", line.id)
            case "channel":
                self.session.filter_channels((line.id,))
                self._as_agent("facts")
            case _:
                self.inspector.show_memory(line.id)

    def _as_agent(self, panel: str) -> None:
        """Open a panel with this agent chosen in the top bar."""
        self.session.filter_agents((self.at,) if self.at else ())
        self.inspector.navigated.emit(panel, "")

    def _undo_import(self) -> None:
        folder = self.found.folder if self.found is not None else None
        if folder is not None and folder.change is not None:
            self.session.spawn(self.session.undo_run(folder.change))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the findings, and put people over rules, in a narrow panel."""
        super().resizeEvent(event)
        wide = self.width()
        side = SIDE_PX if wide >= SIDE_FROM_PX + TWO_COLUMNS_FROM_PX // 2 else NARROW_SIDE_PX
        self._side.setVisible(wide >= SIDE_FROM_PX)
        self._side.setFixedWidth(side)
        stacked = wide - (side if wide >= SIDE_FROM_PX else 0) < TWO_COLUMNS_FROM_PX
        self._two_columns.setDirection(
            self._two_columns.Direction.TopToBottom if stacked else self._two_columns.Direction.LeftToRight
        )


def _note(part: PortraitPart, found: Portrait) -> str:
    """Return the words at the right of a part's heading."""
    total = formatting.count(part.total)
    match part.name:
        case "people":
            return tr("{count}, by how often they come up", count=total)
        case "rules":
            return tr("{count}, word for word", count=total)
        case "projects":
            elsewhere = found.facts - sum(line.count for line in part.lines)
            return tr("{count} facts elsewhere", count=formatting.count(elsewhere)) if elsewhere > 0 else ""
        case "files" if found.folder is not None:
            return tr("%Ln file(s)", "", found.folder.files)
        case _:
            return total
