"""Page shown instead of the panels for a desk that no service can serve: findings, repair, restore, try
again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any, Protocol, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from memdesk.client.find import alone
from memdesk.files.places import Desk
from memdesk.gui import formatting
from memdesk.gui.language import marked, sentences, tr
from memdesk.gui.session import Session
from memdesk.gui.terms import error_in_language, in_language, worded
from memdesk.gui.widgets import (
    Bar,
    Column,
    Control,
    Ground,
    Icon,
    RowsModel,
    Scroll,
    Table,
    Text,
    column,
    laid_out,
    remove_widgets,
    row,
)
from memdesk.gui.widgets.text import tip_text
from memdesk.model.backup import (
    Backup,
    BackupList,
    Examination,
    Finding,
    Repaired,
    RestoreBackup,
    RestoreOutcome,
)
from memdesk.model.errors import MemDeskError
from memdesk.model.message import Message
from memdesk.model.status import Status

REASONS = {
    "daily": marked("daily"),
    "by-hand": marked("by hand"),
    "before-migration": marked("before an upgrade"),
    "before-import": marked("before an import"),
    "before-bulk": marked("before a change to many"),
    "before-erase": marked("before an erasure"),
    "after-erase": marked("after an erasure"),
    "before-restore": marked("before a restore"),
    "before-repair": marked("before a repair"),
    "damaged": marked("kept as it was found"),
}
"""Labels for the reasons a backup was made."""
SHOWN = (("turn", "turns"), ("fact", "facts"), ("entity", "entities"))
"""Record kinds counted in the summary of a desk, each with the name of its count in a status."""
UNTESTED = marked("Nobody has tested this one, so it is not put in place.")


def columns() -> tuple[Column[Backup], ...]:
    """Return the columns of the backups table: time, reason, content, test and size."""
    return (
        Column(
            tr("Made"),
            lambda row: formatting.minute(row.made_at),
            width=150,
            token="t1",
            tip=lambda row: formatting.full(row.made_at),
        ),
        Column(tr("Why"), reason, width=170),
        Column(
            tr("Holds"),
            content_counts,
            tip=lambda row: tip_text(f"{row.name}\n{formatting.counted(_all(row))}"),
        ),
        Column(
            tr("Tested"),
            tested,
            width=150,
            token=lambda row: "t2" if row.verified_at else "warn",
            tip=lambda row: formatting.full(row.verified_at) if row.verified_at else tr(UNTESTED),
        ),
        Column(tr("Size"), lambda row: formatting.size(row.bytes), width=104, numeric=True),
    )


def reason(backup: Backup) -> str:
    """Return the reason for a backup: “before an import”."""
    return tr(REASONS.get(backup.reason, backup.reason))


def content_counts(backup: Backup) -> str:
    """Return the content in counts: “1,204 turns, 310 facts, 42 entities”; empty if it was not counted."""
    return formatting.counted({many: backup.counts.get(one, 0) for one, many in SHOWN})


def tested(backup: Backup) -> str:
    """Return the time at which the backup was opened as a desk and verified, or “never”."""
    return formatting.minute(backup.verified_at) if backup.verified_at else tr("never")


def totals_sentence(found: BackupList) -> str:
    """Return a sentence with the number of backups, their total size, and the free space on the disk."""
    return tr(
        "%Ln backup(s), {size} · {free} free on the disk",
        "",
        len(found.rows),
        size=formatting.size(found.bytes),
        free=formatting.size(found.free_bytes),
    )


def restore_sentence(backup: Backup, status: Status | None) -> str:
    """Return a sentence about the content that restoring a backup would replace. status: of the desk now,
    None if unknown."""
    then = content_counts(backup) or tr("nothing")
    when = formatting.minute(backup.made_at)
    if status is None:
        return tr(
            "Goes back to {when}, with {then}. The database as it is now is kept first.", when=when, then=then
        )
    now = formatting.counted({many: getattr(status, many) for _, many in SHOWN}) or tr("nothing")
    return tr(
        "Goes back to {when}: {then}, in place of {now}. What is there now is backed up first.",
        when=when,
        then=then,
        now=now,
    )


def newest_tested_by(found: BackupList, moment: datetime) -> Backup | None:
    """Return the newest tested backup made at or before a moment, or None."""
    return next((each for each in found.rows if each.verified_at and each.made_at <= moment), None)


def _all(backup: Backup) -> Mapping[str, object]:
    names = dict(SHOWN)
    return {names.get(kind, f"{kind}s"): number for kind, number in backup.counts.items()}


WORDS_PX = 760
FOOTER_PX = 56
PAD_PX = 32
LOST_AT_MOST = 200
LOOKING, FOUND, PLAN, BACKUPS, WORKING, ENDED = ("looking", "found", "plan", "backups", "working", "ended")
"""The states of the page; each has its own buttons."""
Done = TypeVar("Done", Repaired, RestoreOutcome)
ProgressCallback = Callable[[int, int, Message], None]
"""Callback that receives progress: steps done, steps in total, and the current step. It may be called in any
thread."""


class Doctor(Protocol):
    """Operations on a desk without its service. Each call blocks; the window runs it in a separate thread."""

    def examine(self, desk: Desk, progress: ProgressCallback | None = None) -> Examination:
        """Examine a desk, however damaged it is. Writes nothing."""

    def repair(self, desk: Desk, progress: ProgressCallback | None = None) -> Repaired:
        """Rebuild the database from the data that can be read. Raises DeskBusy while a service has the desk
        open."""

    def backups(self, desk: Desk) -> BackupList:
        """Return the backups of a desk, even if the desk cannot be opened."""

    def restore(
        self, desk: Desk, ask: RestoreBackup, progress: ProgressCallback | None = None
    ) -> RestoreOutcome:
        """Replace the desk with a backup. Raises DeskBusy while a service has the desk open."""


class RepairPage(Ground):
    """Page with the findings of an examination and the available actions. The signal `left` asks to show the
    panels again."""

    left = Signal()

    def __init__(self, session: Session, desk: Desk, doctor: Doctor) -> None:
        self.session, self._desk, self._doctor = session, desk, doctor
        self._why: MemDeskError | None = None
        self.found: Examination | None = None
        self.state, self._loop = LOOKING, asyncio.get_running_loop()
        self._outcome, self._leaves = "", False
        self.title = Text("", 20, "t1", weight=600, wrap=True)
        self.why = Text("", 13, "t2", wrap=True)
        self._lines = column(gap=12)
        self.model: RowsModel[Backup] = RowsModel(columns())
        self.table = Table(self.model, name=tr("Backups"), pad=PAD_PX)
        self.says = Text("", 12, "t2", wrap=True)
        self.bar = Bar(width=160)
        self.back = Control("button", tr("Back"))
        self.again = Control("button", tr("Try again"), "refresh")
        self.restore = Control("button", tr("Restore a backup…"), "undo")
        self.repair = Control("primary", tr("Repair…"), "tools")
        self.go = Control("primary", "")
        super().__init__("stage", layout=self._laid_out())
        self.setAccessibleName(tr("What is wrong with this desk"))
        self._wire()

    def _laid_out(self) -> QVBoxLayout:
        for text in (self.title, self.why):
            text.setMaximumWidth(WORDS_PX)
        head = column(self.title, self.why, gap=6, margins=(PAD_PX, 28, PAD_PX, 20))
        page = Ground("stage", layout=column(self._lines, None, gap=0, margins=(PAD_PX, 0, PAD_PX, 20)))
        self._scroll = Scroll(page)
        self._views = QStackedWidget()
        self._views.addWidget(self._scroll)
        self._views.addWidget(self.table)
        asked = row(
            self.bar,
            column(None, self.says, None),
            self.back,
            self.again,
            self.restore,
            self.repair,
            self.go,
            gap=12,
            margins=(PAD_PX, 0, PAD_PX, 0),
        )
        asked.setStretch(1, 1)
        return column(
            head, self._views, Ground("panel", "top", asked, height=FOOTER_PX), gap=0, stretch=self._views
        )

    def _wire(self) -> None:
        self.again.clicked.connect(self._try_again)
        self.back.clicked.connect(self.step_back)
        self.repair.clicked.connect(self._show_plan)
        self.restore.clicked.connect(lambda: self._spawn(self._show_backups()))
        self.go.clicked.connect(self._go)
        self.table.picked.connect(lambda _: self._offer_backup())
        self.table.opened.connect(lambda _: self.go.click())
        self.session.back.connect(self._hear_back)

    # What is shown.

    def open(self, why: MemDeskError | None = None) -> None:
        """Examine the desk. why: the error that kept its service from starting; None if a service is running."""
        if self.state == WORKING:
            return
        self._why, self._leaves = why, False
        self._spawn(self._look())

    def take_focus(self) -> None:
        """Give the keyboard focus to the control that the user most likely needs next."""
        shown = (self.go, self.repair, self.table, self.again, self.back)
        wanted = next((each for each in shown if each.isVisibleTo(self) and each.isEnabled()), self.again)
        wanted.setFocus()

    def step_back(self) -> None:
        """Go from a plan or the backups to the findings; go from the findings to the panels if a service is
        running."""
        if self.state in (PLAN, BACKUPS):
            self._show_found()
        elif self.state in (FOUND, ENDED) and not self.session.is_away:
            self.left.emit()

    def _turn(self, state: str, *, title: str, why: str = "", says: str = "") -> None:
        self.state = state
        self.title.setText(title)
        self.why.setText(why)
        self.why.setVisible(bool(why))
        self.says.setText(says)
        self.bar.setVisible(state in (LOOKING, WORKING))
        self.back.setVisible(state in (PLAN, BACKUPS) or (state == FOUND and not self.session.is_away))
        self.back.setText(tr("Back") if state in (PLAN, BACKUPS) else tr("Back to the desk"))
        for button in (self.repair, self.restore, self.again):
            button.setVisible(state == FOUND)
        self.go.setVisible(state in (PLAN, BACKUPS, ENDED))
        self.go.set_enabled(True)
        self._views.setCurrentIndex(int(state == BACKUPS))

    def _fill(self, lines: Iterator[QWidget]) -> None:
        remove_widgets(self._lines)
        for line in lines:
            line.setMaximumWidth(WORDS_PX)
            self._lines.addWidget(line)
        self._scroll.verticalScrollBar().setValue(0)

    async def _look(self) -> None:
        self._turn(LOOKING, title=self._heading(), why=self._reason(), says=tr("Looking the desk through"))
        self._fill(iter(()))
        self.bar.set_value(0.0, token="acc")
        self.found = in_language(await asyncio.to_thread(self._doctor.examine, self._desk, self._hear))
        held = await asyncio.to_thread(self._doctor.backups, self._desk)
        self.model.set_rows(held.rows)
        self._show_found()

    def _show_found(self) -> None:
        assert self.found is not None
        self._turn(FOUND, title=self._heading(), why=self._reason())
        bad = [each for each in self.found.findings if not each.ok]
        well = [each for each in self.found.findings if each.ok]
        self._fill(self._findings(bad, well))
        self.repair.set_enabled(bool(self.found.plan), tr("There is nothing that a repair could mend."))
        self.restore.set_enabled(bool(self.model.rows()), tr("There is no backup yet."))
        self.take_focus()

    def _heading(self) -> str:
        if self._why is not None:
            return tr("This desk cannot be opened")
        if self.found is None:
            return tr("Looking this desk through")
        return (
            tr("All is well with this desk")
            if self.found.is_well
            else tr("Something is wrong with this desk")
        )

    def _reason(self) -> str:
        why = "" if self._why is None else self._why.says
        if self._why is not None and (self.found is None or self.found.is_well):
            why = sentences(why, self._why.next)
        return f"{self._outcome}\n{why}".strip()

    def _findings(self, bad: list[Finding], well: list[Finding]) -> Iterator[QWidget]:
        if bad:
            yield _heading(tr("What is wrong"))
        for each in bad:
            step = tr("“Repair…” below shows what can be done about it.") if each.mends else each.next
            yield _line(Icon("warning", "bad", name=tr("Wrong")), each.says, step)
        if well:
            yield _heading(tr("Looked at and well"))
        for each in well:
            yield _line(Icon("check", "ok", name=tr("Well")), each.says, each.next, token="t2")

    def _show_plan(self) -> None:
        assert self.found is not None
        says = tr("The database as it is stays among the backups.")
        self._turn(PLAN, title=tr("What a repair would do"), says=says)
        self._fill(
            _line(Text(f"{number}.", 13, "t3", numeric=True), step)
            for number, step in enumerate(self.found.plan, 1)
        )
        self.go.setText(tr("Repair now"))
        self.go.set_icon("tools")
        self.take_focus()

    async def _show_backups(self) -> None:
        held = await asyncio.to_thread(self._doctor.backups, self._desk)
        self._turn(BACKUPS, title=tr("Restore a backup"), why=totals_sentence(held))
        self.go.setText(tr("Restore this one"))
        self.go.set_icon("undo")
        self.model.set_rows(held.rows)
        self.table.choose(next((place for place, each in enumerate(held.rows) if each.verified_at), 0))
        self._offer_backup()
        self.table.setFocus()

    def _offer_backup(self) -> None:
        chosen: Backup | None = self.table.record()
        if self.state != BACKUPS or chosen is None:
            return
        tested = chosen.verified_at is not None
        self.says.setText(restore_sentence(chosen, self.session.status) if tested else tr(UNTESTED))
        self.go.set_enabled(tested, tr(UNTESTED))

    # What is done.

    def _go(self) -> None:
        chosen: Backup | None = self.table.record()
        if self.state == PLAN:
            self._spawn(self._repair())
        elif self.state == BACKUPS and chosen is not None:
            self._spawn(self._restore(chosen))
        elif self.state == ENDED:
            self._leave()

    async def _repair(self) -> None:
        self._begin(tr("Repairing the desk"))
        done = in_language(await self._alone(partial(self._doctor.repair, self._desk, self._hear)))
        self._end(tr("The desk is repaired"), done.says, self._lost(done))

    async def _restore(self, backup: Backup) -> None:
        self._begin(tr("Restoring the backup"))
        ask = RestoreBackup(name=backup.name)
        done = in_language(await self._alone(partial(self._doctor.restore, self._desk, ask, self._hear)))
        self._end(tr("The backup is restored"), done.says, iter(()))

    async def _alone(self, work: Callable[[], Done]) -> Done:
        return await alone(self._desk, lambda: asyncio.to_thread(work))

    def _begin(self, title: str) -> None:
        self._turn(WORKING, title=title)
        self._fill(iter(()))
        self.bar.set_value(0.0, token="acc")

    def _end(self, title: str, says: str, lines: Iterator[QWidget]) -> None:
        self._why, self._outcome = None, says
        self._turn(ENDED, title=title, why=says)
        self._fill(lines)
        self.go.setText(tr("Open the desk"))
        self.go.set_icon("check")
        self.take_focus()
        self.session.reconnect()

    def _lost(self, done: Repaired) -> Iterator[QWidget]:
        if done.lost:
            yield _heading(tr("Lost"))
        for each in done.lost[:LOST_AT_MOST]:
            named = tr("“{title}”", title=each.title) if each.title else each.id
            yield _line(Icon("minus", "bad", name=tr("Lost")), named)
        if len(done.lost) > LOST_AT_MOST:
            yield Text(tr("and %Ln more", "", len(done.lost) - LOST_AT_MOST), 12, "t3")
        if done.kept:
            yield Text(tr("The database as it was is kept as {name}.", name=done.kept), 12, "t2", wrap=True)

    def _try_again(self) -> None:
        """Start the service again; if one is running, examine the desk again."""
        if self.session.is_away:
            self._outcome, self._leaves = "", True
            self._turn(LOOKING, title=self._heading(), why=self._reason(), says=tr("Starting the service"))
            self.bar.hide()
            self.session.reconnect()
        else:
            self.open()

    def _leave(self) -> None:
        if self.session.is_away:
            self._try_again()
        else:
            self._outcome = ""
            self.left.emit()

    def _hear_back(self) -> None:
        """Leave the page, because the desk that could not be opened is served now."""
        if self._leaves or (self._why is not None and self.state in (FOUND, LOOKING)):
            self._why, self._outcome, self._leaves = None, "", False
            self.left.emit()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self.session.spawn(work, failed=self._fail)

    def _fail(self, wrong: MemDeskError) -> None:
        """Show the error. The desk is unchanged, and every action can be tried again."""
        wrong = error_in_language(wrong)
        self._outcome = wrong.sentence
        self.state = FOUND
        if self.found is not None:
            self._show_found()
        else:
            self._turn(FOUND, title=self._heading(), why=self._outcome)
        if self._why is None:
            self.session.reconnect()

    def _hear(self, done: int, total: int, says: Message) -> None:
        """Forward progress from the working thread to the event loop; the window may already be closed."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._show_progress, done, total, says)

    def _show_progress(self, done: int, total: int, says: Message) -> None:
        if self.state in (LOOKING, WORKING):
            self.bar.set_value(done / total if total else 0.0, token="acc")
            self.says.setText(worded(says))


def _heading(words: str) -> Text:
    text = Text(words, 12, "t2", weight=600)
    text.setContentsMargins(0, 8, 0, 0)
    return text


def _line(mark: QWidget, says: str, step: str = "", *, token: str = "t1") -> QWidget:
    """Return a line with a mark, a sentence, and its next step below it."""
    parts = [Text(says, 13, token, wrap=True)]
    if step:
        parts.append(Text(step, 12, "t2", wrap=True))
    about = column(*parts, gap=2)
    layout = row(column(mark, None, gap=0), about, gap=12, stretch=about)
    line = laid_out(layout)
    line.setAccessibleName(f"{says} {step}".strip())
    return line
