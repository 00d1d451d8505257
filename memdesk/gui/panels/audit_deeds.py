"""Actions on the timeline: export the shown events, verify the desk, undo an entire run."""

from __future__ import annotations

import asyncio
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from memdesk.contract import history, upkeep
from memdesk.gui.inspector import Inspector
from memdesk.gui.language import tr
from memdesk.gui.panels.audit_export import FORMATS, export
from memdesk.gui.session import Session
from memdesk.gui.widgets.told import Told
from memdesk.model.audit import Finding, Verification
from memdesk.model.errors import MemDeskError
from memdesk.model.history import AskHistory, EventRow, HistoryPage
from memdesk.model.status import AskJob, JobState, Nothing

FILE = "memdesk-events"


class Deeds(QObject):
    """Runs the actions and shows progress and result in `told`."""

    def __init__(self, session: Session, inspector: Inspector, told: Told, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._inspector, self._told, self._panel = session, inspector, told, parent
        self._export: asyncio.Task[None] | None = None
        self.dialog: QFileDialog | None = None

    # Saving.

    def ask_where(self, ask: AskHistory, total: int) -> None:
        """Ask for the file with a non-blocking dialog; exec() would stop the event loop."""
        dialog = QFileDialog(self._panel.window(), tr("Export %Ln event(s)", "", total))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(list(FORMATS.values()))
        dialog.setDefaultSuffix(next(iter(FORMATS)))
        dialog.filterSelected.connect(lambda said: dialog.setDefaultSuffix(_suffix_of(said)))
        dialog.selectFile(FILE)
        dialog.fileSelected.connect(lambda file: self.save(ask, Path(file), total))
        dialog.finished.connect(dialog.deleteLater)
        self.dialog = dialog
        dialog.open()

    def save(self, ask: AskHistory, file: Path, total: int) -> None:
        """Write events to a file, with progress and Cancel."""
        self._export = self._session.spawn(self._save(ask, file, total), failed=self._tell_failure)

    async def _save(self, ask: AskHistory, file: Path, total: int) -> None:
        def tell(written: int) -> None:
            said = tr("Exporting: {written} of %Ln event(s)", "", total, written=f"{written:,}")
            self._told.tell(said, button=tr("Cancel"), act=self._stop)

        tell(0)
        try:
            written = await export(self._session, ask, file, tell)
        except asyncio.CancelledError:
            self._told.tell(tr("The export was stopped; no file was written."))
            raise
        said = tr("%Ln event(s) written to {file}", "", written, file=str(file))
        self._told.tell(
            said, icon="check", tone="ok", button=tr("Copy the path"), act=lambda: _copy(str(file))
        )

    def _stop(self) -> None:
        if self._export is not None:
            self._export.cancel()

    # The chain.

    def verify(self) -> None:
        """Check the entire desk for damage, with progress and Cancel."""
        self._session.spawn(self._verify(), failed=self._tell_failure)

    async def _verify(self) -> None:
        job = await self._session.finish(await self._session.call(history.VERIFY, Nothing()), self._tell_walk)
        if job.state == "cancelled":
            self._told.tell(tr("Verifying was stopped; how the rest of the desk stands is not known."))
            return
        found = Verification.in_result(job.result)
        damage = [each for each in found.findings if not each.harmless]
        if found.first_break is None and damage:
            self._tell_damage(damage[0], len(damage))
            return
        if found.first_break is None:
            self._told.tell(
                _sound(found), icon="check", tone="ok", button=tr("Copy the hash"), act=lambda: _copy(found.hash)
            )  # fmt: skip
            return
        wrong = found.first_break
        broken = tr("Altered or missing: %Ln change(s).", "", found.changes - found.holding)
        self._told.tell(
            f"{wrong.says} {broken}", icon="warning", tone="bad", button=tr("Show it"),
            act=lambda: self._inspector.show_event(wrong.change),
        )  # fmt: skip

    def _tell_damage(self, first: Finding, count: int) -> None:
        """Show damage found outside the chain of changes: the first finding, and the number of the others."""
        more = tr("%Ln more finding(s) are told by `memdesk verify`.", "", count - 1) if count > 1 else ""
        said = " ".join(filter(None, (first.says, first.next, more)))
        self._told.tell(said, icon="warning", tone="bad")

    def _tell_walk(self, job: JobState) -> None:
        """Show the progress of the verification."""
        said = (
            tr("Verifying the desk: {done} of {total}", done=f"{job.done:,}", total=f"{job.total:,}")
            if job.total
            else tr("Verifying the desk…")
        )
        self._told.tell(said, button=tr("Cancel"), act=lambda: self._session.spawn(self._stop_walk(job)))

    async def _stop_walk(self, job: JobState) -> None:
        await self._session.call(upkeep.CANCEL_JOB, AskJob(id=job.id))

    # A run.

    def offer_run(self, page: HistoryPage) -> None:
        """Describe the run that the timeline is limited to, and offer to undo it."""
        open_ones = [event for event in page.rows if event.undoable and event.undone_by is None]
        by = _by(page.rows[0]) if page.rows else ""
        said = tr("A run of {author}: %Ln change(s).", "", page.total, author=by)
        if open_ones:
            change = open_ones[0].id
            self._told.tell(
                said, icon="undo", button=tr("Undo the whole run"),
                act=lambda: self._session.spawn(self._undo_run(change), failed=self._tell_failure),
            )  # fmt: skip
        else:
            self._told.tell(said)

    async def _undo_run(self, change: int) -> None:
        self._told.tell(tr("Taking the run back…"))
        await self._session.undo_run(change)
        self._told.hide()

    def _tell_failure(self, wrong: MemDeskError) -> None:
        self._told.tell(f"{wrong.says} {wrong.next}".strip(), icon="warning", tone="bad")


def _sound(found: Verification) -> str:
    said = tr(
        "Verified: %Ln change(s), none altered since it was written. The last is #{last}, {hash}…",
        "",
        found.holding,
        last=found.last_change,
        hash=found.hash[:12],
    )
    if found.erased:
        said += " " + tr("Of %Ln only the stub of an erasure is left.", "", found.erased)
    return said


def _by(event: EventRow) -> str:
    return event.author.partition(":")[2]


def _suffix_of(said: str) -> str:
    return next(suffix for suffix, words in FORMATS.items() if words == said)


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
