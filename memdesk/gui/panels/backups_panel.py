"""Backups: list them, make one now, and restore one after showing what that replaces."""

from __future__ import annotations

from datetime import datetime
from operator import attrgetter

from PySide6.QtCore import QSignalBlocker

from memdesk.api import backups
from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import marked, sentences, tr
from memdesk.gui.session import Session
from memdesk.gui.shell import repair_page
from memdesk.gui.shell.job_footer import show_progress
from memdesk.gui.shell.record_panel import RecordPanel
from memdesk.gui.widgets import Bar, Control, Ground, RowsModel, Table, Text, column, laid_out, row
from memdesk.model.backup import Backup, BackupList, RestoreBackup
from memdesk.model.errors import MemDeskError
from memdesk.model.history import FeedEvent
from memdesk.model.status import JobState, Nothing

FOOTER_PX = 56
FILES_STAY = marked("Files in workspaces and the settings stay as they are.")


class BackupsPanel(RecordPanel):
    """Table of backups; the line below it states what restoring the chosen one would replace."""

    name = "backups"

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self.found: BackupList | None = None
        self._moment: datetime | None = None
        self._asks, self._job = False, False
        self._outcome = ""
        self.make = Control("button", tr("Back up now"), "backup")
        self.settings = Control("ghost", tr("How often"), "settings", tip=tr("Open the schedule in Settings"))
        self.model: RowsModel[Backup] = RowsModel(repair_page.columns())
        self.table = Table(self.model, name=tr("Backups"), id_of=attrgetter("name"))
        self.bar = Bar(width=160)
        self.says = Text("", 12, "t2", wrap=True)
        self.restore = Control("button", tr("Restore…"), "undo")
        self.cancel = Control("button", tr("Cancel"), keys="Esc")
        self.confirm = Control("primary", tr("Restore this one"), "undo")
        footer = row(
            self.bar,
            column(None, self.says, None),
            self.restore,
            self.cancel,
            self.confirm,
            gap=12,
            margins=(20, 0, 20, 0),
        )
        footer.setStretch(1, 1)
        content = laid_out(
            column(self.table, Ground("panel", "top", footer, height=FOOTER_PX), gap=0, stretch=self.table)
        )
        self.lay_out(content, focus=self.table, actions=(self.settings, self.make))
        self.make.clicked.connect(lambda: self.session.spawn(self._make(), failed=self._fail))
        self.settings.clicked.connect(lambda: self.inspector.navigated.emit("settings", "backup_minutes"))
        self.restore.clicked.connect(lambda: self._ask(True))
        self.cancel.clicked.connect(self.step_back)
        self.confirm.clicked.connect(lambda: self.session.spawn(self._restore(), failed=self._fail))
        self.table.picked.connect(lambda _: self._choose())
        self.table.opened.connect(lambda _: self.restore.click())
        self.session.status_changed.connect(lambda _: self._show_foot())

    def show_away(self, why_not: str) -> None:
        self._show_foot()

    def concerned(self, event: FeedEvent) -> bool:
        """Return True for events of jobs and events without records: making a backup is one of them."""
        return event.author.startswith("job:") or not event.kinds

    def select(self, id: str) -> None:
        """Choose a backup by its name, or the one to restore for a moment of the timeline, given in ISO 8601."""
        try:
            self._moment = datetime.fromisoformat(id)
        except ValueError:
            self._moment = None
        if self.inspector.isVisible():
            # In a narrow window it would lie over the question.
            self.inspector.closed.emit()
        if self.found is None:
            return
        if self._moment is not None:
            self._choose_for(self._moment)
        elif not self.table.choose_id(id):
            self.table.choose(0)

    def step_back(self) -> bool:
        """Close the question below the table on Esc; returns False if there was none."""
        had = self._asks or self._moment is not None
        self._moment = None
        self._ask(False)
        return had

    # Loading.

    async def load(self) -> None:
        """Load the backups; the chosen one stays chosen."""
        first, before = self.found is None, self.found and self.found.last_restore
        self.found = await self.session.call(backups.LIST, Nothing())
        if self.found.last_restore != before:
            self._outcome = ""
        self.table.replace_rows(self.found.rows)
        said = repair_page.totals_sentence(self.found)
        self.say(said if self.found.enabled else tr("{said} · none is made by itself", said=said))
        if first and self._moment is not None:
            self._choose_for(self._moment)
        if self.found.rows:
            self._show_foot()
            self.show_content()
        else:
            self.show_empty(
                tr("There is no backup yet."),
                tr("One is made every day, and before anything large."),
                step=tr("Back up now"),
                take=self.make.click,
            )

    def _choose_for(self, moment: datetime) -> None:
        """Ask whether to restore the newest tested backup made at or before a moment."""
        assert self.found is not None
        backup = repair_page.newest_tested_by(self.found, moment)
        if backup is not None:
            with QSignalBlocker(self.table):
                self.table.choose_id(backup.name)
        self._ask(backup is not None)

    def _choose(self) -> None:
        self._moment, self._outcome = None, ""
        self._ask(False)

    # What the foot says.

    def _ask(self, asks: bool) -> None:
        self._asks = asks
        self._show_foot()
        if asks:
            self.cancel.setFocus()
        elif self.isAncestorOf(self.focusWidget() or self):
            self.table.setFocus()

    def _show_foot(self) -> None:
        if self._job:
            return
        chosen: Backup | None = self.table.record()
        away = self.session.why_not
        untested = tr(repair_page.UNTESTED) if chosen is None or chosen.verified_at is None else ""
        self.bar.hide()
        self.restore.setVisible(not self._asks)
        self.cancel.setVisible(self._asks)
        self.confirm.setVisible(self._asks)
        self.restore.set_enabled(not (away or untested), away or untested)
        self.confirm.set_enabled(not (away or untested), away or untested)
        self.make.set_enabled(not away, away)
        self.says.setText(self._sentence(chosen, untested))

    def _sentence(self, chosen: Backup | None, untested: str) -> str:
        last = None if self.found is None else self.found.last_restore
        if self._moment is not None and not self._asks:
            return tr("There is no tested backup from before {when}.", when=formatting.second(self._moment))
        if self._outcome and not self._asks:
            return self._outcome
        if chosen is None or untested:
            return untested if chosen is not None else ""
        if not self._asks:
            return "" if last is None else f"{formatting.minute(last.at)} · {last.says}"
        replaces = sentences(repair_page.restore_sentence(chosen, self.session.status), tr(FILES_STAY))
        if self._moment is None:
            return replaces
        earlier = formatting.span((self._moment - chosen.made_at).total_seconds())
        nearest = tr(
            "The newest backup from before {when} was made {time} earlier; what happened between goes as well.",
            when=formatting.second(self._moment),
            time=earlier,
        )
        return sentences(nearest, replaces)

    # What is done.

    async def _make(self) -> None:
        self._begin(tr("Backing up"))
        ended = await self.session.finish(
            await self.session.call(backups.MAKE, Nothing()), self._show_progress
        )
        self._job, self._outcome = False, ended.says
        self.reload()

    async def _restore(self) -> None:
        chosen: Backup | None = self.table.record()
        if chosen is None:
            return
        restoring = await self.session.call(backups.RESTORE, RestoreBackup(name=chosen.name))
        self._moment, self._outcome = None, restoring.says
        self._ask(False)
        # The service ends and begins again; the window finds it as it does after every pause.

    def _begin(self, says: str) -> None:
        self._job = True
        for button in (self.restore, self.cancel, self.confirm):
            button.hide()
        self.bar.set_value(0.0, token="acc")
        self.bar.show()
        self.make.set_enabled(False, tr("It is under way."))
        self.says.setText(says)
        self.show_content()

    def _show_progress(self, job: JobState) -> None:
        show_progress(job, self.bar, self.says)

    def _fail(self, wrong: MemDeskError) -> None:
        self._job, self._outcome = False, wrong.sentence
        self._ask(False)
