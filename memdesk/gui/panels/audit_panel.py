"""Audit timeline: find any change, examine it, undo it."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from datetime import date
from pathlib import Path
from typing import Any, TextIO

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from memdesk.api import history, upkeep
from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.inspectors.links import first_openable
from memdesk.gui.keys import on_key
from memdesk.gui.language import sentences, tr
from memdesk.gui.panels.audit.audit_chart import EVERYTHING, Range
from memdesk.gui.panels.audit.audit_filters import Filters
from memdesk.gui.panels.audit.audit_table import RUNS_SHOWN, Rows, take_back
from memdesk.gui.session import Session
from memdesk.gui.shell.panel import Panel
from memdesk.gui.widgets import Control, Skeleton, column, laid_out, rule
from memdesk.gui.widgets.drop import open_below
from memdesk.gui.widgets.path_field import ask_to_save
from memdesk.gui.widgets.placeholders import MessageBar
from memdesk.gui.widgets.windowed import PAGE_ROWS
from memdesk.model.errors import MemDeskError, StorageFailed
from memdesk.model.history import (
    OPERATIONS,
    AskEvent,
    AskHistory,
    EventRow,
    FeedEvent,
    Finding,
    Histogram,
    HistoryPage,
    Verification,
)
from memdesk.model.message import verbatim
from memdesk.model.status import AskJob, JobState, Nothing

EXPORT_ROWS = 1000
COLUMNS = tuple(each.name for each in fields(EventRow))
FORMATS = {"csv": "CSV (*.csv)", "jsonl": "JSON Lines (*.jsonl)"}
"""File suffixes and their names in the file dialog."""
Write = Callable[[EventRow], object]


async def export(session: Session, ask: AskHistory, path: Path, report: Callable[[int], object]) -> int:
    """Write the events that match an ask to a file, newest first, and return their number. path: ends with a
    suffix of FORMATS.

    report: called with the number written so far. The file appears only when it is complete. Raises
    StorageFailed."""
    part = path.with_name(f".{path.name}.part")
    written, before = 0, ask.before
    try:
        with part.open("w", encoding="utf-8", newline="") as file:
            write = _writer(file, path.suffix.lower())
            while True:
                wanted = replace(ask, first=0, limit=EXPORT_ROWS, before=before, count=False)
                page = await session.call(history.PAGE, wanted)
                for event in page.rows:
                    write(event)
                written += len(page.rows)
                report(written)
                if len(page.rows) < EXPORT_ROWS:
                    break
                before = page.rows[-1].id
        part.replace(path)
    except OSError as wrong:
        raise StorageFailed(
            verbatim(
                tr(
                    "{file} could not be written: {reason}.",
                    file=path.name,
                    reason=wrong.strerror or str(wrong),
                )
            ),
            next=verbatim(tr("Choose another place, or make room on the disk.")),
        ) from wrong
    finally:
        part.unlink(missing_ok=True)
    return written


def _writer(file: TextIO, suffix: str) -> Write:
    if suffix == ".jsonl":
        return lambda event: file.write(json.dumps(_plain(event), ensure_ascii=False) + "\n")
    table = csv.DictWriter(file, COLUMNS)
    table.writeheader()
    return lambda event: table.writerow(_plain(event))


def _plain(event: EventRow) -> dict[str, Any]:
    """Return an event as a dict, with its time in RFC 3339."""
    return asdict(event) | {"at": event.at.isoformat()}


FILE = "memdesk-events"


class AuditActions(QObject):
    """Runs the actions and shows progress and result in `told`."""

    def __init__(self, session: Session, inspector: Inspector, bar: MessageBar, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._inspector, self._bar, self._panel = session, inspector, bar, parent
        self._export: asyncio.Task[None] | None = None
        self.dialog: QFileDialog | None = None

    # Saving.

    def ask_where(self, ask: AskHistory, total: int) -> None:
        """Open the dialog to choose the file."""
        title = tr("Export %Ln event(s)", "", total)
        self.dialog = ask_to_save(self._panel, title, FILE, FORMATS, lambda file: self.save(ask, file, total))

    def save(self, ask: AskHistory, file: Path, total: int) -> None:
        """Write events to a file, with progress and Cancel."""
        self._export = self._session.spawn(self._save(ask, file, total), failed=self._show_failure)

    async def _save(self, ask: AskHistory, file: Path, total: int) -> None:
        def show_written(written: int) -> None:
            said = tr("Exporting: {written} of %Ln event(s)", "", total, written=f"{written:,}")
            self._bar.show_message(said, button=tr("Cancel"), act=self._stop)

        show_written(0)
        try:
            written = await export(self._session, ask, file, show_written)
        except asyncio.CancelledError:
            self._bar.show_message(tr("The export was stopped; no file was written."))
            raise
        said = tr("%Ln event(s) written to {file}", "", written, file=str(file))
        self._bar.show_message(
            said, icon="check", tone="ok", button=tr("Copy the path"), act=lambda: _copy(str(file))
        )

    def _stop(self) -> None:
        if self._export is not None:
            self._export.cancel()

    # The chain.

    def verify(self) -> None:
        """Check the entire desk for damage, with progress and Cancel."""
        self._session.spawn(self._verify(), failed=self._show_failure)

    async def _verify(self) -> None:
        job = await self._session.finish(await self._session.call(history.VERIFY, Nothing()), self._show_walk)
        if job.state == "cancelled":
            self._bar.show_message(tr("Verifying was stopped; how the rest of the desk stands is not known."))
            return
        found = Verification.in_result(job.result)
        damage = [each for each in found.findings if not each.harmless]
        if found.first_break is None and damage:
            self._show_damage(damage[0], len(damage))
            return
        if found.first_break is None:
            self._bar.show_message(
                _sound(found),
                icon="check",
                tone="ok",
                button=tr("Copy the hash"),
                act=lambda: _copy(found.hash),
            )
            return
        wrong = found.first_break
        broken = tr("Altered or missing: %Ln change(s).", "", found.changes - found.holding)
        self._bar.show_message(
            sentences(wrong.says, broken),
            icon="warning",
            tone="bad",
            button=tr("Show it"),
            act=lambda: self._inspector.show_event(wrong.change),
        )

    def _show_damage(self, first: Finding, count: int) -> None:
        """Show damage found outside the chain of changes: the first finding, and the number of the others."""
        more = tr("%Ln more finding(s) are told by `memdesk verify`.", "", count - 1) if count > 1 else ""
        said = sentences(first.says, first.next, more)
        self._bar.show_message(said, icon="warning", tone="bad")

    def _show_walk(self, job: JobState) -> None:
        said = (
            tr("Verifying the desk: {done} of {total}", done=f"{job.done:,}", total=f"{job.total:,}")
            if job.total
            else tr("Verifying the desk…")
        )
        self._bar.show_message(
            said, button=tr("Cancel"), act=lambda: self._session.spawn(self._stop_walk(job))
        )

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
            self._bar.show_message(
                said,
                icon="undo",
                button=tr("Undo the whole run"),
                act=lambda: self._session.spawn(self._undo_run(change), failed=self._show_failure),
            )
        else:
            self._bar.show_message(said)

    async def _undo_run(self, change: int) -> None:
        self._bar.show_message(tr("Taking the run back…"))
        await self._session.undo_run(change)
        self._bar.hide()

    def _show_failure(self, wrong: MemDeskError) -> None:
        self._bar.show_message(wrong.sentence, icon="warning", tone="bad")


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


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


RUN_ID = "run_"
"""Prefix of run ids; no memory id begins with it."""
INDEXED_MS = 3000
"""Interval for reloading while titles are being indexed."""
COUNTED_AT_ONCE, PIECES_AT_MOST = 100_000, 20
"""Events with a word that are counted in one go: a third of a second of the service's time."""


class AuditPanel(Panel):
    """Timeline of all changes and recalls, newest first, with Undo."""

    name = "audit"

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._announced_run: str | None = None
        self._by_run = True
        self.filters = Filters(session, self)
        self.more = Control("ghost", "", "more", tip=tr("Narrow to one conversation, export, verify"))
        self.message_bar = MessageBar()
        self.acts = AuditActions(session, inspector, self.message_bar, self)
        self.rows = Rows(session)
        self.table, self.model = self.rows.table, self.rows.model
        self._furnish()
        self._wire()

    def _furnish(self) -> None:
        content = laid_out(column(self.filters.brush, rule(), self.message_bar, self.rows, gap=0))
        narrowed = self.filters
        actions = (narrowed.layers, narrowed.authors, narrowed.channels, narrowed.words, self.more)
        wait = Skeleton(rows=16, shares=(0.12, 0.08, 0.3, 0.1))
        self.furnish(
            content,
            filters=narrowed.bar(),
            actions=actions,
            filter_field=narrowed.words,
            skeleton=wait,
            divided=False,
        )
        self.setFocusProxy(self.table)

    def _wire(self) -> None:
        self.table.picked.connect(self._inspect)
        self.table.clicked.connect(lambda _: self._show_chosen())
        self.table.opened.connect(lambda event: self.session.spawn(self._open(event)))
        self.table.pressed.connect(lambda event, _: take_back(self.session, event))
        on_key("U", self._take_chosen_back, self.table)
        self.rows.nothing.step_taken.connect(self.show_everything)
        self.filters.changed.connect(self.reload)
        self.filters.words.textChanged.connect(lambda _: self.ask_soon())
        self.filters.left.connect(self.table.setFocus)
        self.more.clicked.connect(lambda: self.open_more())

    # What is asked.

    def _ask(self) -> AskHistory:
        """Return the request for rows; those of one run or one memory are never folded."""
        ask = self.filters.ask()
        return replace(ask, by_run=self._by_run and not ask.run and not ask.record)

    def show_runs(self, by_run: bool) -> None:
        """Show each run as one row, or every change of it."""
        self._by_run = by_run
        self.reload()

    def select(self, id: str) -> None:
        """Show only the events of one memory, run or operation, or of the days "2026-11-09/2026-11-15"; with an empty
        id, all events."""
        if id.startswith(RUN_ID):
            self.filters.show_everything()
            self.filters.show_run(id)
        elif id in OPERATIONS:
            self.filters.show_operation(id)
        elif "/" in id:
            self.filters.show_days(*map(date.fromisoformat, id.split("/")))
        else:
            self.filters.show_memory(id)

    def search(self, text: str) -> None:
        """Search the events for words."""
        self.filters.search(text)

    def show_everything(self) -> None:
        """Remove every filter."""
        self.message_bar.hide()
        self.filters.show_everything()

    def bring_in(self) -> None:
        self.rows.forget_place()
        super().bring_in()

    def concerned(self, event: FeedEvent) -> bool:
        """Return True: every event belongs in the timeline."""
        return True

    # What more can be done.

    def open_more(self) -> None:
        """Open the menu of further actions, below its button."""
        open_below(self.more_menu(), self.more)

    def more_menu(self) -> QMenu:
        """Return the menu of further actions, for the current row."""
        menu = QMenu(self)
        event = self.table.record()
        run = event.run if event is not None else None
        menu.addAction(tr("One conversation, session or user…"), self.filters.seek_scope)
        whole = menu.addAction(tr("The whole run of this change"), lambda: self.filters.show_run(run or ""))
        whole.setEnabled(run is not None)
        before = menu.addAction(
            tr("Restore the desk as of before this…"),
            lambda: self.inspector.navigated.emit("backups", event.at.isoformat() if event else ""),
        )
        before.setEnabled(event is not None)
        folded = menu.addAction(tr("Each run as one row"))
        folded.setCheckable(True)
        folded.setChecked(self._by_run)
        folded.toggled.connect(self.show_runs)
        menu.addSeparator()
        save = menu.addAction(
            tr("Export %Ln event(s)…", "", self.rows.total),
            lambda: self.acts.ask_where(replace(self.rows.pinned(), by_run=False), self.rows.total),
        )
        save.setEnabled(self.rows.total > 0)
        menu.addAction(tr("Verify the desk"), self.acts.verify)
        return menu

    # Loading.

    async def load(self) -> None:
        """Load rows first, then counts: a frequent word takes longer to count than to find.

        If a person has scrolled down, the rows stay in place; newer ones are announced by a button."""
        ask = self._ask()
        is_new = ask != self.rows.asked
        limit = RUNS_SHOWN if ask.by_run else 1 if self.rows.is_read(ask) else PAGE_ROWS
        page = await self.session.call(history.PAGE, replace(ask, limit=limit))
        if not page.total and ask == AskHistory(by_run=ask.by_run):
            self.show_unfilled(
                tr("Nothing has happened yet."),
                tr(
                    "Every change and every recall will stand here. To begin, bring in a chat or an agent's folder."
                ),
            )
            return
        # Who scrolled down while the answer was under way reads these rows, too.
        if self.rows.is_read(ask):
            self.rows.show_newer(page)
        else:
            self.rows.show_page(ask, page)
        self._show_run(ask, page)
        self.show_content()
        if is_new:
            self.say(tr("%Ln event(s)", "", page.total))
        await self._count(page)

    async def _count(self, page: HistoryPage) -> None:
        """Load the bars and the counts of the operations, then show the total next to the title."""
        range = self.filters.brush.range()
        everything = await self._counts(EVERYTHING, page.total)
        chosen = everything if range == EVERYTHING else await self._counts(range, page.total)
        self.filters.show_counts(everything, chosen)
        most = sum(everything.by_operation.values())
        if page.total != most:
            said = [tr("{total} of %Ln event(s)", "", most, total=f"{page.total:,}")]
        else:
            said = [tr("%Ln event(s) since {day}", "", most, day=formatting.day(everything.start))]
        if self.rows.is_cut:
            said.append(tr("the newest %Ln shown", "", RUNS_SHOWN))
        if page.unsearched:
            said.append(tr("%Ln older event(s) not indexed yet", "", page.unsearched))
            self.reload_soon(INDEXED_MS)
        self.say(" · ".join(said))

    async def _counts(self, range: Range, total: int) -> Histogram:
        """Return the counts, loaded in pieces from the newest on and shown as they grow; cancelling the load
        stops it."""
        ask = replace(self.filters.ask_counts(range), limit=max(COUNTED_AT_ONCE, total // PIECES_AT_MOST))
        counts = await self.session.call(history.HISTOGRAM, ask)
        while counts.below is not None:
            self.filters.show_counts(counts, counts)
            more = await self.session.call(history.HISTOGRAM, replace(ask, before=counts.below))
            counts = counts.with_older(more)
        return counts

    def _show_run(self, ask: AskHistory, page: HistoryPage) -> None:
        if ask.run == self._announced_run:
            return
        self._announced_run = ask.run
        if ask.run is None:
            self.message_bar.hide()
        elif page.rows:
            self.filters.scopes.call("run", page.rows[0].author.partition(":")[2])
            self.acts.offer_run(page)

    def _show_chosen(self) -> None:
        """Show the chosen row in the inspector, also on a click on the already chosen row, in case the
        inspector is closed."""
        event = self.table.record()
        if event is not None:
            self._inspect(event)

    def _inspect(self, event: EventRow) -> None:
        self.inspector.show_event(event.id, run=event.of_run > 1)

    def _take_chosen_back(self) -> None:
        event = self.table.record()
        if event is not None and event.of_run > 1:
            take_back(self.session, event)
        else:
            self.inspector.undo_event()

    async def _open(self, event: EventRow) -> None:
        """Show the memory that an event is about, or the changes of a run."""
        if event.of_run > 1:
            self.filters.show_run(event.run or "")
            return
        detail = await self.session.call(history.EVENT, AskEvent(id=event.id))
        record = first_openable((*detail.records, *detail.returned))
        if record is not None:
            self.inspector.links.record(record)
