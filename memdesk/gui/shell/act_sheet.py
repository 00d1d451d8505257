"""Act on a set of memories in words: a field, the act as it was understood, and the change of each memory before it is
carried out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from memdesk.api import curation, upkeep
from memdesk.gui import formatting
from memdesk.gui.inspectors.effect import EffectSection, effect_of_set
from memdesk.gui.language import marked, sentences, tr
from memdesk.gui.newest import Newest
from memdesk.gui.session import Session
from memdesk.gui.terms import capitalised, counted
from memdesk.gui.widgets import (
    Column,
    Control,
    Field,
    Ground,
    RowsModel,
    Scroll,
    Table,
    Text,
    column,
    delayed,
    laid_out,
    row,
)
from memdesk.model.curation import ActReading, Bulk, BulkPreview, ReadAct, Touch
from memdesk.model.errors import MemDeskError
from memdesk.model.kinds import KINDS
from memdesk.model.questions import AskEffect
from memdesk.model.status import AskJob, JobState

STATES = {
    "current": marked("current"),
    "past": marked("past"),
    "future": marked("future"),
    "retired": marked("retired"),
    "quarantined": marked("quarantined"),
    "pinned": marked("pinned"),
    "merge": marked("merged"),
}
ALSO = {kind.label.lower(): kind.counted for kind in KINDS if "channel" in kind.columns}
ALSO |= {"proposal": marked("%Ln question(s)")}
"""Counted names of the records that move with a memory."""


def touch_columns(session: Session) -> tuple[Column[Touch], ...]:
    """Return the columns of a preview: outcome, title, channel, state before and after, and further effects."""
    return (
        Column(
            "",
            lambda row: tr("left") if row.why_not else tr("will be"),
            width=44,
            icon=lambda row: ("minus", "warn") if row.why_not else ("check", "ok"),
            tip=lambda row: row.why_not,
        ),
        Column(
            tr("What"),
            lambda row: " ".join(row.title.split()),
            token=lambda row: "t3" if row.why_not else "t1",
        ),
        Column(
            tr("Channel"),
            lambda row: row.channel,
            width=122,
            channel=session.channel_number,
            hidden_below=CHANNEL_FROM_PX,
        ),
        Column(tr("Change"), change_of, width=140, token="t1"),
        Column(tr("Touches"), touches, width=220, token=lambda row: "warn" if row.why_not else "t2"),
    )


def change_of(row: Touch) -> str:
    """Return the state, channel or tags before and after: “current → past”."""
    sides = [tr(STATES.get(each, each)) for each in (row.before, row.after) if each]
    return "" if row.why_not else " → ".join(sides)


def touches(row: Touch) -> str:
    """Return why a memory is left unchanged, or what moves with it: “2 relations, 1 tag · writes MEMORY.md”."""
    if row.why_not:
        return reason(row)
    also = ", ".join(
        tr(ALSO[what], "", number) if what in ALSO else f"{number:,} {what}"
        for what, number in sorted(row.also.items())
    )
    files = tr("writes {files}", files=", ".join(row.files)) if row.files else ""
    return " · ".join(part for part in (also, files) if part) or tr("itself alone")


def reason(row: Touch) -> str:
    """Return why a memory is left unchanged, without the title that its row shows already."""
    quoted, closed, says = row.why_not.partition("”")
    title = quoted.removeprefix("“").rstrip("…")
    is_own = closed and quoted.startswith("“") and row.title.startswith(title)
    return capitalised(says.strip()) if is_own and says.strip() else row.why_not


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Texts for an action. done: the sentence after it, with a count; op: the operation that the status line
    shows."""

    verb: str
    done: str
    op: str


WORDS = {
    "promote": Words(verb=marked("Promote"), done=marked("Promoted {what}"), op="promote"),
    "pin": Words(verb=marked("Pin"), done=marked("Pinned {what}"), op="update"),
    "unpin": Words(verb=marked("Unpin"), done=marked("Unpinned {what}"), op="update"),
    "tag": Words(verb=marked("Tag"), done=marked("Tagged {what}"), op="update"),
    "move": Words(verb=marked("Move"), done=marked("Moved {what}"), op="update"),
    "merge": Words(verb=marked("Merge"), done=marked("Merged {what}"), op="update"),
    "past": Words(verb=marked("Mark as past"), done=marked("Marked {what} as past"), op="update"),
    "retire": Words(verb=marked("Retire"), done=marked("Retired {what}"), op="retire"),
    "quarantine": Words(verb=marked("Quarantine"), done=marked("Quarantined {what}"), op="retire"),
    "restore": Words(verb=marked("Restore"), done=marked("Restored {what}"), op="update"),
}
"""Words for each operation on many memories."""


def preview_sentence(seen: BulkPreview | ActReading) -> str:
    """Return the effect of an operation on many memories: how many will be changed and left, and what moves along."""
    left = len(seen.rows) - seen.will
    if not seen.will:
        return tr("Nothing would change.")
    files = sorted({path for each in seen.rows if not each.why_not for path in each.files})
    also = sum(sum(each.also.values()) for each in seen.rows if not each.why_not)
    parts = [tr("%Ln will be", "", seen.will)]
    if left:
        parts.append(tr("%Ln left alone", "", left))
    if also:
        parts.append(tr("%Ln more (moves|move) along", "", also))
    if files:
        parts.append(tr("writes {files}", files=", ".join([*files[:3], "…"] if len(files) > 3 else files)))
    return tr("{changes}. One undo takes it back.", changes=" · ".join(parts))


WIDTH_PX, HEIGHT_PX, TOP_PX = 1060, 520, 50
EDGE_PX = 40
SCRIM = 0.7
"""Opacity of the cover below the sheet."""
ROW_PX = 26
CHANNEL_FROM_PX, EFFECT_PX, EFFECT_FROM_PX = 760, 340, 840
"""Least width of the table with a channel; width of the effect on recalls; least width of a sheet that shows it."""
TYPED_MS = 250
EXAMPLES = marked("all facts about the old flat → past, or: everything from Forge since Tuesday → quarantine")


class Scrim(Ground):
    """Cover of the window while a sheet is open over it. pressed: it was clicked."""

    pressed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__("win", opacity=SCRIM, parent=window)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ask to leave the sheet; what is below gets no click."""
        self.pressed.emit()


class PreviewSheet(Ground):
    """Sheet that previews an act on many memories row by row, and carries it out as a job. Enter carries out, Esc
    stops the job or leaves."""

    def __init__(self, session: Session, edges: str, height: int = 0) -> None:
        super().__init__("panel", edges, height=height)
        self.setProperty("form", True)
        self._session = session
        self._task = Newest(session)
        self._job: JobState | None = None
        self._acting: Bulk | None = None
        self.model: RowsModel[Touch] = RowsModel(touch_columns(session))
        self.table = Table(self.model, name=tr("What it touches"), token="panel", row_px=ROW_PX)
        self.act = Control("primary", "", keys="Enter")
        self.cancel = Control("button", tr("Cancel"), keys="Esc")
        self.progress = Text("", 12, "t2", elide=True)
        self.effect = EffectSection(session, self._effect)
        self._beside = laid_out(column(Scroll(self.effect, "panel"), gap=0))
        self._beside.setFixedWidth(EFFECT_PX)
        self.rows = laid_out(row(self.table, self._beside, gap=8, stretch=self.table))
        self.effect.told.connect(self._tell_effect)
        self.table.opened.connect(lambda _: self.act.click())
        self.act.clicked.connect(self._enter)
        self.cancel.clicked.connect(self.leave)

    def show_touched(self, rows: Sequence[Touch]) -> None:
        """Show the rows, first those that are left: for them a person may want to change the choice."""
        self.model.set_rows(sorted(rows, key=lambda each: not each.why_not))
        self.table.scrollToTop()

    def _effect(self) -> AskEffect | None:
        ask = self._previewed() if self.isVisible() else None
        return None if ask is None else effect_of_set(ask)

    def _tell_effect(self, sentence: str) -> None:
        """Show the effect in a sentence where there is no room for the recalls themselves."""
        if self._beside.isHidden() and self._job is None:
            self.progress.setText(sentence)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the recalls where the rows need the room."""
        super().resizeEvent(event)
        self._beside.setVisible(self.width() >= EFFECT_FROM_PX)

    def leave(self) -> None:
        """Stop the running job, or close the sheet if there is none."""
        if self._job is not None:
            self._session.spawn(self._stop(self._job))
        else:
            self._task.cancel()
            self._close()

    async def _carry_out(self, ask: Bulk) -> None:
        """Act. Progress, end and failure are shown here only while the sheet is open for this act."""
        self._acting = ask
        self.act.set_enabled(False)
        try:
            await self._act(ask)
        except MemDeskError as wrong:
            if not self._shows(ask):
                raise
            self._show_wrong(wrong)

    async def _act(self, ask: Bulk) -> None:
        # Before the act: undo takes back the act first.
        await self.effect.keep_if_wanted()
        job = await self._session.call(curation.BULK, ask)
        ended = await self._session.finish(job, partial(self._report, ask))
        change, changed = ended.result.get("change"), int(ended.result.get("changed", 0))
        if isinstance(change, int):
            words = WORDS[ask.verb]
            self._session.did_run(change, tr(words.done, what=self._counted(changed)), words.op)
        elif ended.state == "cancelled":
            # What was done before the stop is the latest run of this person's.
            self._session.deed = None
        self._session.refresh_status()
        if self._shows(ask):
            self._show_idle()
            self._end()

    def _report(self, ask: Bulk, job: JobState) -> None:
        if self._shows(ask):
            self._show_progress(job)

    def _shows(self, ask: Bulk) -> bool:
        """Return False once the sheet was closed, or opened for another act, before this one ended."""
        return self._acting is ask and not self.isHidden()

    def _show_idle(self) -> None:
        self._job = self._acting = None
        self.cancel.setText(tr("Cancel"))
        self.progress.setText("")

    def _show_wrong(self, wrong: MemDeskError) -> None:
        """Show why there is no preview, or why the act failed."""
        raise NotImplementedError

    def _enter(self) -> None:
        raise NotImplementedError

    def _previewed(self) -> Bulk | None:
        """Return the act whose preview is shown, None if it would change nothing."""
        raise NotImplementedError

    def _counted(self, number: int) -> str:
        """Return the number of changed memories with their name."""
        raise NotImplementedError

    def _end(self) -> None:
        """Close after the act was carried out."""
        self._close()

    def _close(self) -> None:
        raise NotImplementedError

    def _show_progress(self, job: JobState) -> None:
        self._job = job
        self.act.set_enabled(False)
        self.cancel.setText(tr("Stop"))
        self.progress.setText(job.says)

    async def _stop(self, job: JobState) -> None:
        await self._session.call(upkeep.CANCEL_JOB, AskJob(id=job.id))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle Esc to leave and Enter to carry out the act."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.act.click()
        else:
            super().keyPressEvent(event)


class ActSheet(PreviewSheet):
    """Sheet over the window. `open` shows it.

    Nothing is carried out that was not previewed for exactly these words."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(session, "top right bottom left")
        self.setParent(parent)
        self._from: QWidget | None = None
        self.scrim = Scrim(parent)
        self._read = ActReading()
        self.field = Field(placeholder=tr(EXAMPLES), name=tr("Act on a set of memories"), icon="edit")
        self.understood = Text("", 12, "t1", wrap=True)
        self.note = Text("", 12, "t2", wrap=True)
        footer = row(self.act, self.cancel, 8, self.progress, gap=8, stretch=self.progress)
        layout = column(
            self.field,
            self.understood,
            self.note,
            self.rows,
            footer,
            gap=8,
            margins=(16, 14, 16, 14),
            stretch=self.rows,
        )
        self.setLayout(layout)
        self.setAccessibleName(tr("Act on a set of memories"))
        self._typed = delayed(self._look, self)
        self.field.textChanged.connect(lambda _: self._begin_again())
        self.scrim.pressed.connect(self.leave)
        session.able.connect(self._show_ready)
        session.back.connect(self._begin_again)
        self.scrim.hide()
        self.hide()

    def open(self, text: str = "") -> None:
        """Show the sheet over the window, with these words."""
        if not self.isVisible():
            self._from = self.window().focusWidget()
        self.field.setText(text)
        self._begin_again(after_ms=0)
        for part in (self.scrim, self):
            part.show()
            part.raise_()
        self.place()
        # With the reason of a shortcut the words would be selected, and the next letter would replace them.
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def place(self) -> None:
        """Move to the middle of the window, below the top bar, and fit into it."""
        window = self.window()
        self.scrim.setGeometry(window.rect())
        self.setFixedSize(
            min(WIDTH_PX, window.width() - EDGE_PX), min(HEIGHT_PX, window.height() - 2 * TOP_PX)
        )
        self.move((window.width() - self.width()) // 2, TOP_PX)

    def step_back(self) -> bool:
        """Stop the running act, or close; returns False if the sheet is not open."""
        if not self.isVisible():
            return False
        self.leave()
        return True

    def _close(self) -> None:
        """Close, and return the keyboard focus to the widget that had it."""
        self._typed.stop()
        self._task.cancel()
        self.scrim.hide()
        self.hide()
        if self._from is not None and isValid(self._from):
            self._from.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # Reading.

    def _begin_again(self, after_ms: int = TYPED_MS) -> None:
        """Forget the preview: it is of other words."""
        if self._job is not None:
            return
        self._task.cancel()
        self._acting = None
        self._read = ActReading()
        self._show_ready()
        self._typed.start(after_ms)

    def _look(self) -> None:
        text = self.field.text().strip()
        if text:
            ask = ReadAct(text=text, channels=self._session.channels, agents=self._session.agents)
            self._task.start(self._preview(ask), failed=self._show_wrong)
        else:
            self._show(ActReading())
            self.note.setText(tr("For example: {examples}.", examples=tr(EXAMPLES)))

    async def _preview(self, ask: ReadAct) -> None:
        self._show(await self._session.call(curation.READ_ACT, ask))

    def _show(self, read: ActReading) -> None:
        self._read = read
        parts = ", ".join(read.understood)
        self.understood.setText(tr("Understood: {parts}.", parts=parts) if parts else "")
        self.note.setText(sentences(read.why_not, read.next) or preview_sentence(read))
        self.show_touched(read.rows)
        self._show_ready()

    def _show_wrong(self, wrong: MemDeskError) -> None:
        self._show_idle()
        self._show(replace(self._read, why_not=wrong.says, next=wrong.next, act=None))

    def _show_ready(self) -> None:
        act = self._read.act
        verb = tr(WORDS[act.verb].verb) if act else tr("Do it")
        self.act.setText(f"{verb} {formatting.count(self._read.will)}" if act else verb)
        ready = act is not None and self._acting is None and not self._session.why_not
        self.act.set_enabled(ready, self._session.why_not or tr("There is nothing to do yet."))

    # Doing.

    def _previewed(self) -> Bulk | None:
        return self._read.act

    def _enter(self) -> None:
        if self._read.act is not None and self.act.isEnabled():
            self._session.spawn(self._carry_out(self._read.act))

    def _counted(self, number: int) -> str:
        kinds = {query.kind for query in self._read.queries}
        return counted(kinds.pop(), number) if len(kinds) == 1 else tr("%Ln memor(y|ies)", "", number)
