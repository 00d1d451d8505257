"""Learnings: errors and corrections that agents keep, entry by entry; each is corrected or removed in its file."""

from __future__ import annotations

from memdesk.api import workspace
from memdesk.gui import formatting
from memdesk.gui.inspectors.belief import labelled_row
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.shell.record_detail import Action, RecordDetail
from memdesk.gui.shell.record_panel import RecordPanel, Records
from memdesk.gui.widgets import (
    Area,
    Column,
    Drop,
    Empty,
    Field,
    Form,
    Ground,
    Option,
    RowsModel,
    Scroll,
    Segments,
    Table,
    Tag,
    Text,
    column,
    row,
)
from memdesk.gui.widgets.text import excerpt
from memdesk.model.status import Nothing
from memdesk.model.workspace import WorkspaceRow
from memdesk.model.workspace_files import ChangeLearning, Learning, ListLearnings, RecordLearning

KINDS = {"error": marked("Error"), "correction": marked("Correction"), "learning": marked("Learning")}
TONES = {"error": "bad", "correction": "acc"}
ACTS: dict[str, Action] = {
    "edit": (marked("Edit"), "edit", "E"),
    "file": (marked("Open the file"), "file", "O"),
    "retire": (marked("Remove"), "retire", "Del"),
}
ALL = ""
ENTRY_LINES = 6


def columns(session: Session) -> tuple[Column[Learning], ...]:
    """Return the columns: the lesson, its subject, kind, agent and time."""
    return (
        Column(tr("Learning"), lambda each: " ".join(each.text.split()), token="t1"),
        Column(tr("About"), lambda each: each.subject, width=150),
        Column(tr("Kind"), lambda each: tr(KINDS[each.kind]), width=96),
        Column(
            tr("By"),
            lambda each: each.agent_id or each.workspace,
            width=90,
            mark=lambda each: session.mark(f"agent:{each.agent_id}") if each.agent_id else None,
        ),
        Column(
            tr("Age"),
            lambda each: formatting.ago(each.at) if each.at else "",
            width=96,
            align="right",
            token="t3",
            tip=lambda each: formatting.full(each.at) if each.at else "",
        ),
    )


class LearningForm(Form):
    """Form for a new learning. Its request is a RecordLearning. folders: workspaces of systems that keep some."""

    def __init__(self, folders: tuple[WorkspaceRow, ...]) -> None:
        self.kind = Segments(
            [(kind, tr(KINDS[kind])) for kind in ("correction", "error")], "correction", name=tr("Kind")
        )
        self.folder = Drop(
            [Option(each.id, each.agent_id or each.name) for each in folders], name=tr("Agent")
        )
        self.subject = Field(placeholder=tr("What the agent said, or the tool"), name=tr("About"))
        self.text = Area(
            placeholder=tr("What is right, or the error"), name=tr("Learning"), lines=ENTRY_LINES
        )
        super().__init__(
            tr("New learning"),
            tr("Save"),
            labelled_row(tr("Kind"), self.kind),
            labelled_row(tr("Agent"), self.folder),
            self.subject,
            self.text,
            first=self.subject,
            needs=(self.subject, self.text),
        )

    def asked(self) -> RecordLearning:
        return RecordLearning(
            kind=str(self.kind.value()),
            subject=self.subject.text().strip(),
            text=self.text.text().strip(),
            workspace_id=str(self.folder.value()),
        )


class EntryForm(Form):
    """Form for the lines of an entry, as they are in its file. Its request is a ChangeLearning."""

    def __init__(self, learning: Learning) -> None:
        self._learning = learning
        self.lines = Area(learning.entry, name=tr("Entry"), lines=ENTRY_LINES, mono=True)
        path = Text(learning.path, 12, "t3")
        lines = self.lines
        super().__init__(tr("Edit the entry"), tr("Save"), path, lines, first=lines, needs=(lines,))

    def asked(self) -> ChangeLearning | None:
        """Return the change; None if nothing differs."""
        was, text = self._learning.entry, self.lines.text().rstrip()
        if text == was:
            return None
        return ChangeLearning(document_id=self._learning.document_id, was=was, text=text)


class LearningDetail(RecordDetail):
    """Detail of a learning: its subject, the lesson, its context, and where it is written."""

    record: Learning | None

    def __init__(self, session: Session) -> None:
        self.heading = Text("", 15, "t1", weight=500, wrap=True, selectable=True)
        self.kind = Tag()
        self.where = Text("", 12, "t3", wrap=True)
        self.subject = Text("", 12, "t2", wrap=True, selectable=True)
        self.context = Text("", 12, "t2", wrap=True, selectable=True)
        head = column(self.heading, row(self.kind, None), gap=8, margins=(16, 14, 16, 10))
        parts = column(self.subject, self.context, self.where, None, gap=10, margins=(16, 0, 16, 16))
        nothing = Empty(tr("No learning is chosen."), tr("Choose one to read it whole and to correct it."))
        body = Scroll(Ground("panel", layout=parts), "panel")
        super().__init__(session, head, body, ACTS, nothing=nothing, primary="edit", edges="left")

    def show_learning(self, learning: Learning) -> None:
        """Show a learning. An open form stays on top."""
        self.heading.setText(learning.text)
        self.kind.set_tag(tr(KINDS[learning.kind]), TONES.get(learning.kind, "plain"))  # type: ignore[arg-type]
        said = tr("The agent said: {text}") if learning.kind == "correction" else tr("About: {text}")
        for part, text in (
            (self.subject, said.format(text=learning.subject) if learning.subject else ""),
            (self.context, tr("Context: {text}", text=learning.context) if learning.context else ""),
        ):
            part.show_text(text)
        when = formatting.minute(learning.at) if learning.at else ""
        place = tr("{path}, line {number}", path=learning.path, number=learning.line)
        who = learning.agent_id or learning.workspace
        self.where.setText(" · ".join(part for part in (who, place, when) if part))
        self.show_detail(learning)


class LearningsPanel(RecordPanel):
    """Learnings at the left, the chosen one at the right."""

    name = "learnings"
    kinds = ("document", "workspace")
    unsaved_words = marked("what you wrote about a learning")
    records: Records

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._rows: tuple[Learning, ...] = ()
        self._folders: tuple[WorkspaceRow, ...] = ()
        kinds = [(ALL, tr("All")), ("error", tr("Errors")), ("correction", tr("Corrections"))]
        self.which = Segments(kinds, ALL, name=tr("Which learnings"))
        self.table = Table(RowsModel(columns(session)), name=tr("Learnings"))
        self.detail = LearningDetail(session)
        self.records = Records(session, self.table, self.detail, self._read)
        search = self.search_field(tr("Filter learnings"), then=self._show_rows)
        new = self.new_button(
            tr("New learning"), lambda: self.show_form(LearningForm(self._folders), self._record)
        )
        self.lay_out(self.records, focus=self.table, actions=(self.which, search, new))
        self.which.chosen.connect(lambda _: self._show_rows())
        self.table.opened.connect(lambda _: self.detail.acts.press("edit"))
        self.detail.asked.connect(self._begin)

    def show_away(self, why_not: str) -> None:
        none = tr("No workspace here takes new learnings. Open a file of learnings and write there.")
        super().show_away(why_not or ("" if self._folders else none))

    # Loading.

    async def load(self) -> None:
        """Load the learnings and the workspaces that keep some; the chosen one stays chosen."""
        found = await self.session.call(workspace.LIST_LEARNINGS, ListLearnings(agents=self.session.agents))
        folders = (await self.session.call(workspace.LIST, Nothing())).rows
        self._folders = tuple(each for each in folders if each.learnings)
        self._rows = found.rows
        self.say(tr("%Ln learning(s)", "", found.total))
        self.show_away(self.session.why_not)
        self._show_rows()

    def _show_rows(self) -> None:
        sought, kind = self.sought.casefold(), self.which.value()
        shown = [
            each
            for each in self._rows
            if kind in (ALL, each.kind) and sought in f"{each.subject} {each.entry}".casefold()
        ]
        passes = tr("No learning passes this filter.")
        if self.show_list(shown, all=self._rows, passes=passes, show_all=self._show_all):
            return
        if self.session.agents:
            self.show_none_here(tr("These agents keep no learnings."))
        else:
            self.show_unfilled(
                tr("No agent keeps a learning yet."),
                tr(
                    "OpenLegion's agents keep errors of tools and your corrections in learnings/. "
                    "Bring in such a folder."
                ),
            )

    def _show_all(self) -> None:
        self.which.set_value(ALL)
        self.filter.clear()
        self._show_rows()

    async def _read(self, learning: Learning) -> None:
        self.detail.show_learning(learning)

    # What can be done.

    def _begin(self, act: str, learning: Learning) -> None:
        match act:
            case "edit":
                self.show_form(EntryForm(learning), lambda ask: self._change(ask, learning))
            case "file":
                self.inspector.navigated.emit("identity", learning.document_id)
            case "retire":
                gone = ChangeLearning(document_id=learning.document_id, was=learning.entry)
                self.session.spawn(self._remove(gone, learning))

    async def _record(self, ask: RecordLearning) -> None:
        await self.session.do(workspace.RECORD_LEARNING, ask, tr("Kept “{title}”", title=excerpt(ask.text)))

    async def _change(self, ask: ChangeLearning, learning: Learning) -> None:
        says = tr("Edited “{title}”") if ask.text else tr("Removed “{title}”")
        await self.session.do(workspace.CHANGE_LEARNING, ask, says.format(title=excerpt(learning.text)))

    async def _remove(self, ask: ChangeLearning, learning: Learning) -> None:
        await self._change(ask, learning)
        self.reload()
