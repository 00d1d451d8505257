"""Details of one folder: its layout, its agent, the state of its index, and its files."""

from __future__ import annotations

from operator import attrgetter

from PySide6.QtCore import Signal

from memdesk.gui import formatting, terms
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.shell.job_footer import show_progress
from memdesk.gui.widgets import (
    AgentMark,
    Bar,
    ChannelMark,
    Column,
    Control,
    Dot,
    Field,
    Flow,
    Ground,
    RowsModel,
    Segments,
    Table,
    Tag,
    Text,
    Toolbar,
    column,
    laid_out,
    row,
)
from memdesk.gui.widgets.text import tip_text
from memdesk.model.status import JobState
from memdesk.model.workspace_files import INDEXED, LEFT_OUT, WAITING, Folder, FolderFile

NEAR = 0.85
"""Share of its budget from which a file counts as nearly full."""


def columns() -> tuple[Column[FolderFile], ...]:
    """Return the columns: state, path, layer, characters against the budget, size on disk and last change."""
    return (
        Column(tr("State"), terms.state, width=120, icon=_icon, tip=_tip),
        Column(tr("File"), lambda row: row.path, token="t1", mono=True, tip=_tip),
        Column(tr("Layer"), lambda row: terms.layer(row.layer), width=100),
        Column(
            tr("Characters"),
            _characters,
            width=150,
            numeric=True,
            token=_fullness,
            tip=lambda row: tr("What its layout has room for") if row.budget else "",
        ),
        Column(
            tr("On disk"),
            lambda row: formatting.size(row.size_bytes) if row.size_bytes else "",
            width=80,
            numeric=True,
        ),
        Column(
            tr("Changed"),
            lambda row: formatting.ago(row.updated_at) if row.updated_at else "",
            width=110,
            align="right",
            token="t3",
            tip=lambda row: formatting.full(row.updated_at) if row.updated_at else "",
        ),
    )


def _icon(row: FolderFile) -> tuple[str, str]:
    return terms.STATES[row.state][:2]


def _tip(row: FolderFile) -> str:
    return tip_text("\n".join(filter(None, (row.path, row.why))))


def _characters(row: FolderFile) -> str:
    if row.document_id is None:
        return ""
    return f"{row.size:,} / {row.budget:,}" if row.budget else formatting.count(row.size)


def _fullness(row: FolderFile) -> str:
    if not row.budget or row.size < NEAR * row.budget:
        return "t2"
    return "bad" if row.size > row.budget else "warn"


ALL = "all"
FILTER_LEAST_PX = 116
MARKS_GAP = 14


class Detail(Ground):
    """Details of a folder. Signals: opened carries a file to read, conflicts_asked leads to the file
    conflicts.

    Attributes: buttons by name: look, show, remove; table with the files; filter filters them by name or
    reason."""

    opened = Signal(object)
    conflicts_asked = Signal()

    def __init__(self, session: Session) -> None:
        self._session = session
        self.folder: Folder | None = None
        self.name = Text("", 15, "t1", weight=600, elide=True)
        self.path = Text("", 12, "t2", mono=True, selectable=True, elide=True)
        self.layout_tag, self.why = Tag(""), Text("", 12, "t3", elide=True)
        self.whose, self.channel = AgentMark("?", 0), ChannelMark("", 0)
        self.agent_name = Text("", 12, "t2")
        self.watch_dot, self.watch = Dot("ok", ""), Text("", 12, "t2")
        self.index = Text("", 12, "t2", wrap=True)
        self.limits = Text("", 12, "t3", wrap=True)
        self.conflicts = Control("link", "", "contradicts", tone="bad")
        self.buttons = {
            "look": Control(
                "button",
                tr("Look again"),
                "refresh",
                keys="R",
                tip=tr("Compare every file with what the desk knows of it"),
            ),
            "show": Control("button", tr("Open the folder"), "external", keys="O"),
            "remove": Control(
                "button",
                tr("Remove from the desk"),
                "retire",
                keys="Del",
                tip=tr("Its files, and what was learned from them, stay; it can be undone"),
            ),
        }
        self.bar, self.progress = Bar(width=120), Text("", 12, "t3", elide=True)
        self.states = Segments(
            (
                (ALL, tr("All")),
                (INDEXED, tr("Indexed")),
                (WAITING, tr("Waiting")),
                (LEFT_OUT, tr("Left out")),
            ),
            name=tr("Which files"),
        )
        self.filter = Field(placeholder=tr("Filter files"), icon="search", keys="/", quiet=True, width=200)
        self.rows: RowsModel[FolderFile] = RowsModel(columns())
        self.table = Table(self.rows, name=tr("Files"), id_of=attrgetter("path"))
        super().__init__("stage", "")
        title = row(self.name, None, gap=12, stretch=self.name)
        line = row(self.layout_tag, self.why, gap=8, stretch=self.why)
        agent = laid_out(row(self.whose, self.agent_name, gap=6))
        whose = Flow(agent, self.channel, laid_out(row(self.watch_dot, self.watch, gap=6)), gap=MARKS_GAP)
        words_part = column(
            title,
            self.path,
            line,
            whose,
            self.index,
            self.limits,
            row(self.conflicts, None),
            gap=6,
            margins=(20, 14, 20, 12),
        )
        acts = row(
            *self.buttons.values(), 8, self.bar, self.progress, margins=(20, 0, 20, 0), stretch=self.progress
        )
        narrow = row(self.states, None, self.filter, margins=(20, 0, 20, 0))
        self.filter.setMinimumWidth(FILTER_LEAST_PX)
        layout = column(
            Ground("stage", layout=words_part),
            Toolbar(acts, edges="top bottom", height=44, token="panel"),
            Toolbar(narrow),
            self.table,
            gap=0,
            stretch=self.table,
        )
        self.setLayout(layout)
        self.bar.hide()
        self.states.chosen.connect(lambda _: self._narrow())
        self.filter.textChanged.connect(lambda _: self._narrow())
        self.table.opened.connect(self.opened)
        self.conflicts.clicked.connect(lambda: self.conflicts_asked.emit())

    def show_folder(self, folder: Folder) -> None:
        """Show a folder; the selected file stays selected if it is in the list."""
        self.folder = folder
        self.name.setText(folder.name)
        self.path.setText(folder.path)
        self.layout_tag.set_tag(folder.layout)
        self.why.setText(
            tr("because {why}", why=folder.why) if folder.why else tr("Nothing in it says so any more.")
        )
        self._show_whose(folder)
        self._show_watch(folder)
        self.index.setText(indexed(folder))
        self.limits.setText(limits(folder))
        self.conflicts.setText(
            tr("%Ln clash(es) of texts wait in Identity files", "", folder.conflicts)
            if folder.conflicts
            else ""
        )
        self.conflicts.setVisible(folder.conflicts > 0)
        for state in (INDEXED, WAITING, LEFT_OUT):
            number = sum(file.state == state for file in folder.files)
            self.states.set_count(state, formatting.count(number) if number else "")
        self._narrow()

    def _show_whose(self, folder: Folder) -> None:
        name = folder.agent_id or ""
        self.whose.setVisible(bool(name))
        if name:
            self.whose.set_agent(name, self._session.mark(f"agent:{name}")[1])
        self.agent_name.setText(name or tr("no agent"))
        self.channel.set_channel(folder.channel, self._session.channel_number(folder.channel))

    def _show_watch(self, folder: Folder) -> None:
        if not folder.present:
            token, says = "warn", tr("The folder is away; what the desk knows of it stays.")
        elif folder.watched:
            token, says = "ok", tr("Watched: what other programs write is seen at once.")
        else:
            token, says = "warn", tr("Not watched now; look again to see what changed.")
        self.watch_dot.set_token(token)
        self.watch.setText(says)

    def _narrow(self) -> None:
        folder = self.folder
        if folder is None:
            return
        state = self.states.value()
        sought = self.filter.text().strip().casefold()
        found = tuple(
            file
            for file in folder.files
            if state in (ALL, file.state) and sought in f"{file.path} {file.why}".casefold()
        )
        self.table.replace_rows(found, or_first=False)

    def show_job(self, job: JobState | None) -> None:
        """Show the progress of a scan or an import; None if none is running."""
        self.bar.setVisible(job is not None)
        if job is None:
            self.progress.setText("")
            return
        show_progress(job, self.bar, self.progress)

    def show_away(self, away: str) -> None:
        """Enable or disable the buttons. away: why nothing can be changed now, empty if changes are possible."""
        for name in ("look", "remove"):
            self.buttons[name].set_enabled(not away, away)


def indexed(folder: Folder) -> str:
    """Return the counts of an index: “9 files, 24 KB · 31 passages · 12 facts read from its lines · 2 other
    files …”."""
    documents = sum(file.document_id is not None for file in folder.files)
    waiting = (
        tr("%Ln passage(s) (waits|wait) for a vector", "", folder.unembedded)
        if folder.unembedded
        else tr("all with vectors")
    )
    passages = tr("%Ln passage(s)", "", folder.passages)
    parts = [
        tr("%Ln file(s)", "", documents),
        formatting.size(folder.size_bytes),
        tr("{passages}, {waiting}", passages=passages, waiting=waiting) if folder.passages else "",
        tr("%Ln fact(s) read from its lines", "", folder.facts) if folder.facts else "",
        tr("%Ln other file(s) that are no memory", "", folder.others) if folder.others else "",
        tr("added {when}", when=formatting.ago(folder.added_at)),
    ]
    return " · ".join(filter(None, parts))


def limits(folder: Folder) -> str:
    """Return the rules of a layout: its day files, its limits, and the files that agents may rewrite."""
    whose = tr("UTC") if folder.days_utc else tr("local time")
    days = (
        tr("Days in {folder}/, by {clock}", folder=folder.day_folder, clock=whose)
        if folder.day_folder
        else ""
    )
    bounded = (
        tr("{days}, up to {count:,} characters", days=days, count=folder.day_characters)
        if days and folder.day_characters
        else days
    )
    parts = [
        bounded or tr("This layout keeps no days"),
        tr("A session begins with {count:,} characters at most", count=folder.prompt_characters)
        if folder.prompt_characters
        else "",
        tr("Agents may rewrite {files}", files=", ".join(folder.writable)) if folder.writable else "",
        tr("Files above {limit:g} MB are left out", limit=folder.largest_megabytes),
    ]
    return " · ".join(filter(None, parts))
