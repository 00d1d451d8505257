"""Import form: a source is chosen, previewed and imported, and one button undoes the run."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from memdesk.api import curation, history, workspace
from memdesk.gui import formatting, terms
from memdesk.gui.language import tr
from memdesk.gui.panels.transfer.import_tables import CheckedSource, CoverageTable, CustomsTable
from memdesk.gui.session import Session
from memdesk.gui.shell.job_footer import JobFooter, JobForm
from memdesk.gui.widgets import (
    Column,
    Control,
    Drop,
    Field,
    Flow,
    Ground,
    Option,
    RowsModel,
    Scroll,
    Section,
    Splitter,
    Table,
    Text,
    column,
    laid_out,
    row,
)
from memdesk.gui.widgets.path_field import Dropping, PathField
from memdesk.gui.widgets.text import tip_text
from memdesk.model.channel import LOCAL_USER
from memdesk.model.curation import UndoRun
from memdesk.model.history import AskHistory
from memdesk.model.interop import AskImport, ImportItem, ImportPreview, RecognisedPlace, Skipped
from memdesk.model.status import JobState

ASIDE_PX = 320
PLACES_SHOWN = 12
LEFT_PX = 24


class Preview(QWidget):
    """Preview of an import. items: rows of the table of imported parts; left: rows of the parts left out."""

    def __init__(self) -> None:
        super().__init__()
        self.items: RowsModel[ImportItem] = RowsModel(_items())
        self.left: RowsModel[Skipped] = RowsModel(_left_out_columns())
        self.table = Table(self.items, name=tr("What comes in"))
        self.lines = CoverageTable()
        self.customs = CustomsTable()
        self.left_table = Table(self.left, name=tr("What stays out"), token="panel", pad=16, row_px=LEFT_PX)
        self.says = Text("", 13, "t1", weight=500, wrap=True)
        self.counts = Text("", 12, "t2", wrap=True)
        self.known = Text("", 12, "t3", wrap=True)
        self.places = Text("", 12, "t2", wrap=True)
        self.into = Text("", 12, "t2", wrap=True)
        self.recognised = Section(tr("Recognised"), "", self.says, self.places)
        self.landing = Section(tr("What comes in, and where"), "", self.into, self.counts, self.known)
        self.staying = Text("", 12, "t2", weight=600)
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
        parts = Splitter(self.customs, self.table, self.lines, vertical=True)
        body = Splitter(parts, ground, grows=0, minimum=ASIDE_PX)
        body.setSizes([10_000, ASIDE_PX])
        self.setLayout(column(body, gap=0))
        self.setFocusProxy(self.table)

    def show_preview(self, found: ImportPreview) -> None:
        self.items.set_rows(found.items)
        self.left.set_rows(found.skipped)
        self.lines.show_coverage(found.coverage)
        self.customs.show_declared(found.declared)
        self.says.setText(found.says or found.format)
        self.places.setText("\n".join(_place_sentence(place) for place in found.places[:PLACES_SHOWN]))
        self.places.setVisible(bool(found.places))
        agent = found.agent_id or tr("no agent")
        self.into.setText(tr("Into channel {channel}, for {agent}.", channel=found.channel, agent=agent))
        counts = formatting.came_in(found.counts)
        self.counts.setText(counts or tr("Nothing new."))
        self.known.setText(
            tr("%Ln part(s) of it (is|are) on this desk already, and left out.", "", found.known)
        )
        self.known.setVisible(found.known > 0)
        many = found.counts.get("skipped", len(found.skipped))
        self.staying.setText(tr("%Ln thing(s) (stays|stay) out", "", many))
        self._left_part.setVisible(bool(found.skipped))


def _place_sentence(place: RecognisedPlace) -> str:
    """Return a sentence about the layout of a folder, the reason, and whether it is already on this desk."""
    name = place.path.rstrip("/").rpartition("/")[2]
    parts = (
        tr("{name} is of the layout {layout}: {why}.", name=name, layout=place.layout, why=place.why)
        if place.why
        else tr("{name} is of the layout {layout}.", name=name, layout=place.layout)
    )
    return tr("{counts} It is on this desk already.", counts=parts) if place.registered else parts


def _items() -> tuple[Column[ImportItem], ...]:
    return (
        Column(tr("Name"), lambda row: row.name, token="t1"),
        Column(
            tr("What it is"), lambda row: terms.layer(row.what), width=150, tip=lambda row: tip_text(row.what)
        ),
        Column(tr("Turns"), lambda row: _number(row.turns), width=70, numeric=True),
        Column(tr("Facts"), lambda row: _number(row.facts), width=70, numeric=True),
        Column(
            tr("Size"),
            lambda row: formatting.size(row.size_bytes) if row.size_bytes else "",
            width=84,
            numeric=True,
        ),
    )


def _left_out_columns() -> tuple[Column[Skipped], ...]:
    return (
        Column(tr("Name"), lambda row: row.name, width=120, token="t1"),
        Column(tr("Why"), lambda row: tr(row.why)),
    )


def _number(number: int) -> str:
    return formatting.count(number) if number else ""


FIELD_PX, USER_PX = 140, 100


class ImportForm(JobForm):
    """Form of an import with its preview and foot. Signals: shown_more leads to the imported memory; settled
    reports an end; folder_came reports that files of an agent came in.

    folders_only: it adds an agent's folder, and accepts no other source."""

    shown_more = Signal()
    settled = Signal()
    folder_came = Signal()

    def __init__(self, session: Session, *, folders_only: bool = False) -> None:
        footer = JobFooter(
            session,
            verb=tr("Add this folder") if folders_only else tr("Bring it in"),
            icon="plus",
            more=tr("Take it back"),
            more_icon="undo",
            again=tr("Done"),
        )
        super().__init__(session, footer, missing=tr("Look first at what would come in."))
        self._folders_only = folders_only
        self.preview_found: ImportPreview | None = None
        self._asked: AskImport | None = None
        self._chosen: dict[str, bool] = {}
        what = (
            tr("A folder, by its whole path") if folders_only else tr("A folder or file, by its whole path")
        )
        self.source = PathField(name=tr("Source"), placeholder=what, folders=True, files=not folders_only)
        self.look = Control("button", tr("Look"), "recall", tip=tr("See what would come in; nothing changes"))
        self.check = Control(
            "button",
            tr("Check without importing"),
            "check",
            tip=tr("Look for contradictions, secrets and instructions in it; nothing changes"),
        )
        self.channel = Field(name=tr("Channel"), placeholder=tr("as it says"), width=FIELD_PX)
        self.agent = Field(name=tr("Agent"), placeholder=tr("as it says"), width=FIELD_PX)
        self.user = Field(name=tr("User"), placeholder=LOCAL_USER, width=USER_PX)
        self.layouts = Drop([Option(None, tr("as recognised"))], name=tr("Layout"), lead=tr("Layout"))
        self.copy = Control(
            "chip",
            tr("Copy onto the desk"),
            "check",
            tip=tr("Else a folder stays where it is, and is watched there"),
        )
        self.preview = Preview()
        self.checked = CheckedSource()
        self._furnish()
        self.begin_anew()

    def _furnish(self) -> None:
        asked = row(self.source, self.look, self.check, gap=8, margins=(20, 10, 20, 4), stretch=self.source)
        whose = (
            laid_out(row(Text(words, 12, "t3"), field))
            for words, field in (
                (tr("Channel"), self.channel),
                (tr("Agent"), self.agent),
                (tr("User"), self.user),
            )
        )
        options = Flow(*whose, self.layouts, self.copy, gap=8)
        options.setContentsMargins(20, 4, 20, 10)
        self.lay_out(column(asked, options, gap=0), self.preview, self.checked, focus=self.source)
        self.dropping = Dropping(self)
        self.dropping.dropped.connect(self.look_at)
        self.source.chosen.connect(self.look_at)
        self.source.entered.connect(self._take_next_step)
        self.look.clicked.connect(lambda: self.look_at(self.source.path))
        self.check.clicked.connect(lambda: self.check_source(self.source.path))
        self.checked.saved.connect(self._show_saved)
        self.checked.failed.connect(lambda wrong: self.footer.fail(wrong, more=bool(self._run)))
        self.source.field.textEdited.connect(lambda _: self.outdate())
        for field in (self.channel, self.agent, self.user):
            field.returnPressed.connect(lambda: self.look_at(self.source.path))
            field.textEdited.connect(lambda _: self.outdate())
        self.layouts.chosen.connect(lambda _: self._look_again())
        self.copy.toggled.connect(lambda _: self._look_again())
        self.preview.lines.toggled.connect(self._choose)
        self.preview.customs.toggled.connect(self._reconsider)
        self.failure.retried.connect(lambda: self.look_at(self.source.path))
        self.wait.cancelled.connect(self.outdate)
        self.footer.started.connect(lambda: self.begin(self._bring_in()))
        self.footer.more.connect(lambda: self.begin(self._take_back()))
        self.footer.again.connect(self._done)

    # Looking.

    def offer_layouts(self, names: tuple[str, ...]) -> None:
        """Offer the layouts that a person can choose."""
        options = [Option(None, tr("as recognised"))]
        self.layouts.set_options([*options, *(Option(name, name) for name in names)])

    def begin_anew(self) -> None:
        """Reset the form."""
        self.source.set_path("")
        for field in (self.channel, self.agent, self.user):
            field.clear()
        self.layouts.set_value(None)
        self.copy.setChecked(False)
        self.outdate()
        if self._folders_only:
            self.nothing.set_words(
                tr("Name the folder that an agent keeps its memory in, or drop it here."),
                tr(
                    "You see what it was recognised as and what would be indexed before anything happens. "
                    "Its files stay where they are."
                ),
            )
        else:
            self.nothing.set_words(
                tr("Name a folder or a file that holds memory, or drop it here."),
                tr(
                    "Folders of AgenticX, OpenLegion, OpenClaw, agnx, Agentix, Claude Code and plain markdown; "
                    "transcripts of conversations; exports of AgentX, mem0, Letta, Hindsight, the MCP memory server "
                    "and ChatGPT; tables of facts; and archives of MemDesk."
                ),
            )

    def look_at(self, path: str) -> None:
        """Load the preview of importing this path. Only one preview is loaded at a time."""
        if not path or self.footer.is_busy:
            return
        self.source.set_path(path)
        self._chosen.clear()
        self.preview.customs.begin_anew()
        self.outdate()
        self.load_preview(self._look(self._ask(path)))

    def _take_next_step(self, path: str) -> None:
        """Look at the source, or bring it in if it has been looked at."""
        if self._asked is not None and self._asked.path == path:
            self.footer.press()
        else:
            self.look_at(path)

    def check_source(self, path: str) -> None:
        """Check this path without importing it, and show the findings."""
        if not path or self.footer.is_busy:
            return
        self.outdate()
        self.load_preview(self._check(self._ask(path)))

    async def _check(self, ask: AskImport) -> None:
        self.checked.show_report(await self.session.call(workspace.CHECK_SOURCE, ask))
        self.views.setCurrentWidget(self.checked)
        self.checked.setFocus()

    def _show_saved(self, file: str) -> None:
        says = tr("The report was written to {file}", file=file)
        self.footer.offer(says, why_not=tr("Look first at what would come in."))

    def _ask(self, path: str) -> AskImport:
        layout = self.layouts.value()
        return AskImport(
            path=path,
            channel=self.channel.text().strip() or None,
            agent_id=self.agent.text().strip() or None,
            user_id=self.user.text().strip() or LOCAL_USER,
            layout=layout if isinstance(layout, str) else None,
            copy=self.copy.isChecked(),
            take=tuple(place for place, taken in self._chosen.items() if taken),
            leave=tuple(place for place, taken in self._chosen.items() if not taken),
            accept=self.preview.customs.accepted,
        )

    def _choose(self, place: str, taken: bool) -> None:
        """Take a line in or leave it out, and look again."""
        self._chosen[place] = taken
        self._reconsider()

    def _reconsider(self) -> None:
        """Look at the same source again, after a choice."""
        if self._asked is not None and not self.footer.is_busy:
            self.load_preview(self._look(self._ask(self._asked.path)), waits=False)

    async def _look(self, ask: AskImport) -> None:
        found = await self.session.call(workspace.PREVIEW_IMPORT, ask)
        self.preview_found, self._asked = found, ask
        self.preview.show_preview(found)
        self.views.setCurrentWidget(self.preview)
        self.channel.setPlaceholderText(found.channel or tr("as it says"))
        self.agent.setPlaceholderText(found.agent_id or tr("none"))
        counts = formatting.came_in(found.counts)
        says = (
            tr("{counts} would come in.", counts=counts) if found.items else tr("All of it is here already.")
        )
        self.footer.offer(says, why_not="" if found.items else tr("There is nothing new to bring in."))

    def outdate(self) -> None:
        self._asked = self.preview_found = None
        super().outdate()

    def _look_again(self) -> None:
        if self.source.path:
            self.look_at(self.source.path)

    # Bringing in.

    async def _bring_in(self) -> None:
        ask, found = self._asked, self.preview_found
        if ask is None or found is None:
            return
        # An import that fails early has nothing to take back, least of all what an earlier one brought in.
        self._run = ""
        self._lock(True)
        try:
            job = await self.session.call(workspace.IMPORT, ask)
            self._run = str(job.result.get("run", ""))
            self.session.refresh_status()
            await self._show_result(await self.footer.follow(job), found)
        finally:
            self._lock(False)
            self.session.refresh_status()
            self.settled.emit()

    async def _show_result(self, job: JobState, found: ImportPreview) -> None:
        """Show the result of the import, and offer to undo it."""
        name = found.path.rstrip("/").rpartition("/")[2]
        if job.state == "cancelled":
            ask = AskHistory(run=self._run, limit=1, count=False)
            came = bool((await self.session.call(history.PAGE, ask)).rows)
            says = (
                tr("Stopped; what had come in stays, and a later import goes on with the rest.")
                if came
                else tr("Stopped before anything came in.")
            )
            self.footer.show_result(says, icon="minus", token="warn", more=came)
            return
        counts = formatting.came_in(job.result)
        says = tr("Brought in from {name}: {counts}.", name=name, counts=counts or tr("nothing new"))
        change = job.result.get("change")
        self.footer.show_result(says, more=isinstance(change, int))
        if isinstance(change, int):
            self.session.did_run(change, says, "import")
            if job.result.get("documents"):
                self.folder_came.emit()

    async def _take_back(self) -> None:
        """Undo the run of the import, including the facts extracted from it."""
        self._lock(True)
        try:
            job = await self.session.call(curation.UNDO_RUN, UndoRun(run=self._run))
            ended = await self.footer.follow(job)
        finally:
            self._lock(False)
        says = self.session.did_undo(
            ended, lambda number: tr("The import was taken back: %Ln change(s)", "", number)
        )
        self.footer.show_result(says, icon="undo", token="t2", more=False)
        self.settled.emit()

    def _lock(self, busy: bool) -> None:
        for part in (
            self.source,
            self.look,
            self.check,
            self.channel,
            self.agent,
            self.user,
            self.layouts,
            self.copy,
        ):
            part.setEnabled(not busy)

    def _done(self) -> None:
        self.begin_anew()
        self.shown_more.emit()
