"""Export form: format, user, filters and target; counts of the records that are written or left out."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime, time, timedelta
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QWidget

from memdesk.api import exports, upkeep
from memdesk.files.atomic import write_fetched
from memdesk.gui import formatting
from memdesk.gui.language import marked, sentences, tr
from memdesk.gui.session import Session
from memdesk.gui.shell.job_footer import JobFooter, JobForm
from memdesk.gui.terms import plural
from memdesk.gui.widgets import (
    Column,
    Control,
    Drop,
    Field,
    Ground,
    Option,
    RowsModel,
    Table,
    Text,
    column,
    laid_out,
    row,
)
from memdesk.gui.widgets.path_field import PathField, reveal
from memdesk.model.interop import AskExport, AskExportPreview, ExportFormat, ExportPreview, FetchExport
from memdesk.model.status import JobState, Nothing

DAY_PX = 168
DAY = marked("YYYY-MM-DD")


class ExportFilters(QWidget):
    """Filters of an export. The signal `changed` reports any change of an input, even an incomplete one."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.agents = Drop(name=tr("Whose agents"), lead=tr("Agents"), many=True, every=tr("all"))
        self.kinds = Drop(name=tr("Which types"), lead=tr("Types"), many=True, every=tr("all"))
        self.since = Field(name=tr("From this day"), placeholder=tr(DAY), quiet=True, width=DAY_PX)
        self.until = Field(
            name=tr("To this day, which is still part of it"), placeholder=tr(DAY), quiet=True, width=DAY_PX
        )
        words = (Text(tr("From"), 12, "t3"), Text(tr("to"), 12, "t3"))
        self.setLayout(row(self.agents, self.kinds, words[0], self.since, words[1], self.until, None, gap=8))
        for drop in (self.agents, self.kinds):
            drop.chosen.connect(lambda _: self.changed.emit())
        for field in (self.since, self.until):
            field.textChanged.connect(lambda _: self._check_days())

    @property
    def is_narrow(self) -> bool:
        return bool(self.agents.picked or self.kinds.picked or self._day(self.since) or self._day(self.until))

    def asked(self, ask: AskExportPreview) -> AskExportPreview:
        """Return the request with the filters. Days are in the local time zone; the last day is included."""
        since, until = self._day(self.since), self._day(self.until)
        return replace(
            ask,
            agents=tuple(map(str, self.agents.picked)),
            kinds=tuple(map(str, self.kinds.picked)),
            since=None if since is None else _begin(since),
            until=None if until is None else _begin(until + timedelta(days=1)),
        )

    def offer_kinds(self, kinds: Sequence[str]) -> None:
        """Offer the types that the format can separate."""
        self.kinds.set_options([Option(each, plural(each)) for each in kinds])
        self.kinds.set_enabled(bool(kinds), tr("This format knows no types to choose from."))

    def offer_agents(self, agents: Sequence[str]) -> None:
        self.agents.set_options([Option(each, each) for each in agents])
        self.agents.set_enabled(bool(agents), tr("No agent has memory here."))

    def clear(self) -> None:
        """Clear the filters without a signal."""
        with QSignalBlocker(self):
            for drop in (self.agents, self.kinds):
                drop.set_value(())
            for field in (self.since, self.until):
                field.setText("")

    @property
    def is_sound(self) -> bool:
        """Return True if each day field is empty or has a valid date."""
        return all(self._day(field) or not field.text().strip() for field in (self.since, self.until))

    def _check_days(self) -> None:
        for field in (self.since, self.until):
            # Half a day is not an error yet.
            is_whole = len(field.text().strip()) >= len("2026-01-31")
            field.set_error(tr("no such day") if is_whole and self._day(field) is None else "")
        self.changed.emit()

    @staticmethod
    def _day(field: Field) -> date | None:
        try:
            return date.fromisoformat(field.text().strip())
        except ValueError:
            return None


def _begin(day: date) -> datetime:
    return datetime.combine(day, time()).astimezone()


ARCHIVE = "archive"


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts of one kind of record: how many are written, and how many the format cannot contain."""

    table: str
    goes: int
    stays: int


class ExportForm(JobForm):
    """Form of an export, with the counts of its records and its foot."""

    def __init__(self, session: Session) -> None:
        footer = JobFooter(
            session,
            verb=tr("Write it"),
            icon="external",
            more=tr("Show it in its folder"),
            more_icon="external",
            again=tr("Another"),
        )
        super().__init__(session, footer, missing=tr("It is being counted."))
        self._formats: tuple[ExportFormat, ...] = ()
        self._written, self._records = "", 0
        self.formats = Drop(name=tr("Format"), lead=tr("Format"))
        self.users = Drop([Option(None, tr("everybody"))], name=tr("Whose memory"), lead=tr("Of"))
        self.channels = Drop([Option(None, tr("every channel"))], name=tr("Channel"), lead=tr("Channel"))
        self.history = Control(
            "chip",
            tr("With the journal"),
            "check",
            tip=tr("Every change and recall too, for reading; an import leaves it"),
        )
        self.clear = Control(
            "chip",
            tr("In clear"),
            "check",
            tip=tr("This desk is encrypted; the file is not, and whoever has it can read it"),
        )
        self.clear.hide()
        self.narrowing = ExportFilters()
        self.target = PathField(
            name=tr("Where to"),
            placeholder=tr("A file or folder that is not there yet"),
            folders=False,
            files=True,
            writes=True,
        )
        self.rows: RowsModel[Counted] = RowsModel(_columns())
        self.table = Table(self.rows, name=tr("What goes out"))
        self.says = Text("", 12, "t2", wrap=True)
        chosen = row(
            self.formats,
            self.users,
            self.channels,
            self.history,
            self.clear,
            None,
            gap=8,
            margins=(20, 10, 20, 4),
        )
        narrowed = row(self.narrowing, gap=0, margins=(20, 4, 20, 4))
        target = row(
            Text(tr("Write to"), 12, "t3"), self.target, gap=8, margins=(20, 4, 20, 10), stretch=self.target
        )
        says = Ground("stage", "bottom", column(self.says, gap=0, margins=(20, 10, 20, 10)))
        self._counts = laid_out(column(says, self.table, gap=0, stretch=self.table))
        self.lay_out(column(chosen, narrowed, target, gap=0), self._counts, focus=self.formats)
        self.formats.chosen.connect(lambda _: self._choose_format())
        self.users.chosen.connect(lambda _: self._choose_user())
        self.channels.chosen.connect(lambda _: self._choose_part())
        self.narrowing.changed.connect(self._choose_part)
        self.failure.retried.connect(self.count)
        self.target.field.textChanged.connect(lambda _: self._offer())
        self.clear.toggled.connect(lambda _: self._offer())
        self.target.field.returnPressed.connect(self.footer.press)
        self.footer.started.connect(lambda: self.session.spawn(self._write(), failed=self.footer.fail))
        self.footer.more.connect(lambda: reveal(self._written))
        self.footer.again.connect(self._choose_format)

    async def load(self) -> None:
        """Load the formats if necessary, and the counts for the selected one; of several users a member names one."""
        status = self.session.status
        if status is None:
            status = await self.session.call(upkeep.STATUS, Nothing())
        if status.users:
            self.users.set_options([Option(each, each) for each in status.users])
        if not self._formats:
            self._formats = (await self.session.call(exports.FORMATS, Nothing())).rows
            self.formats.set_options([Option(each.name, each.says) for each in self._formats])
            self._choose_format()
        else:
            await self._look()

    def back_up(self) -> None:
        """Select a full archive of all users with the journal, with the date in its name."""
        self.formats.set_value(ARCHIVE)
        self.users.set_value(None)
        self.channels.set_value(None)
        self.narrowing.clear()
        self.history.setChecked(True)
        self._choose_format()

    @property
    def format(self) -> ExportFormat | None:
        return next((each for each in self._formats if each.name == self.formats.value()), None)

    # Choosing.

    def _choose_format(self) -> None:
        chosen = self.format
        if chosen is None:
            return
        self.history.setVisible(chosen.name == ARCHIVE and not self.session.is_remote)
        self.narrowing.offer_kinds(chosen.kinds)
        name = f"memdesk-{chosen.name}-{date.today():%Y-%m-%d}{chosen.suffix}"
        self.target.set_path(str(free(Path(self.target.path or Path.home() / name).parent / name)))
        self._choose_part()

    def _choose_user(self) -> None:
        self.channels.set_value(None)
        self.narrowing.agents.set_value(())
        self._choose_part()

    def _choose_part(self) -> None:
        """Allow the journal only for an export without filters, because the journal contains all changes;
        then count."""
        whole = not self._is_narrow
        self.history.set_enabled(whole, tr("The journal goes out with everything alone."))
        self.history.setChecked(whole and self.history.isChecked())
        self.count()

    @property
    def _is_narrow(self) -> bool:
        return self.narrowing.is_narrow or self.channels.value() is not None

    def count(self) -> None:
        self.footer.offer("", why_not=tr("It is being counted."))
        self.load_preview(self._look())

    async def _look(self) -> None:
        chosen = self.format
        if chosen is None or self.footer.is_busy:
            return
        self._show(await self.session.call(exports.PREVIEW, self._asked(chosen)))

    def _asked(self, chosen: ExportFormat) -> AskExportPreview:
        whose = _text(self.users.value())
        return self.narrowing.asked(
            AskExportPreview(format=chosen.name, user_id=whose, channel=_text(self.channels.value()))
        )

    def _show(self, found: ExportPreview) -> None:
        one = tr("everybody") if found.format.name == ARCHIVE else tr("this desk’s own user")
        users = [Option(None, one), *(Option(each, each) for each in found.users)]
        is_member = self.session.status is not None and bool(self.session.status.users)
        if not is_member and list(self.users.options) != users:
            self.users.set_options(users)
        number = self.session.channel_number
        channels = [Option(each, each, channel=number(each)) for each in found.channels]
        self.channels.set_options([Option(None, tr("every channel")), *channels])
        self.narrowing.offer_agents(found.agents)
        names = dict.fromkeys((*found.goes, *found.stays))
        rows = [Counted(name, found.goes.get(name, 0), found.stays.get(name, 0)) for name in names]
        self.rows.set_rows(tuple(each for each in rows if each.goes or each.stays))
        is_all = found.format.name == ARCHIVE and not self._is_narrow
        comes = tr("It comes back whole by an import.") if is_all else ""
        back = comes or (tr("An import reads it again.") if found.format.comes_back else "")
        self.says.setText(sentences(found.format.leaves, back))
        self.views.setCurrentWidget(self._counts)
        self._records = sum(found.goes.values())
        self._offer()

    def _offer(self) -> None:
        if self.footer.is_busy:
            return
        why = "" if self.target.path else tr("Say first where to write it.")
        status = self.session.status
        self.clear.setVisible(status is not None and status.encrypted)
        if self.clear.isVisibleTo(self) and not self.clear.isChecked():
            why = why or tr("Say first that the file may be in clear.")
        why = why if self.narrowing.is_sound else tr("Write a day as 2026-01-31.")
        goes = tr("%Ln record(s) would go out.", "", self._records)
        self.footer.offer(
            goes if self._records else tr("Nothing would go out."),
            why_not=why or ("" if self._records else tr("There is nothing to write.")),
        )

    # Writing.

    async def _write(self) -> None:
        chosen = self.format
        if chosen is None:
            return
        if self.session.is_remote:
            await self._fetch(FetchExport(**asdict(self._asked(chosen)), clear=self.clear.isChecked()))
            return
        history = chosen.name == ARCHIVE and self.history.isChecked()
        ask = AskExport(
            **asdict(self._asked(chosen)),
            path=self.target.path,
            history=history,
            clear=self.clear.isChecked(),
        )
        job = await self.session.call(exports.START, ask)
        self.session.refresh_status()
        self._show_result(await self.footer.follow(job))
        self.session.refresh_status()

    def _show_result(self, job: JobState) -> None:
        if job.state == "cancelled":
            self.footer.show_result(
                tr("Stopped; nothing was written."), icon="minus", token="warn", more=False
            )
            return
        self._show_written(str(job.result.get("path", self.target.path)), job.result)

    async def _fetch(self, ask: FetchExport) -> None:
        """Have the desk's computer make the export, and write it on this one."""
        path = self.target.path
        self.footer.offer(tr("It is being written."), why_not=tr("It is being written."))
        found = await self.session.call(exports.FETCH, ask)
        await asyncio.to_thread(write_fetched, Path(path), found.data, folder=found.folder)
        self._show_written(path, found.counts)

    def _show_written(self, path: str, counts: Mapping[str, object]) -> None:
        self._written = path
        says = tr("Written to {path}: {counts}.", path=path, counts=formatting.counted(counts))
        self.footer.show_result(says)


def free(path: Path) -> Path:
    """Return the path, or a numbered variant of it that does not exist yet; the path itself if all are taken."""
    stem, suffix = (path.name, "") if path.suffix == "" else (path.stem, path.suffix)
    names = (path, *(path.with_name(f"{stem}-{number}{suffix}") for number in range(2, 100)))
    return next((each for each in names if not each.exists()), path)


def _columns() -> tuple[Column[Counted], ...]:
    return (
        Column(tr("What"), lambda row: formatting.name(row.table), token="t1"),
        Column(tr("Goes out"), lambda row: _number(row.goes), width=120, numeric=True, token="t1"),
        Column(
            tr("Stays"),
            lambda row: _number(row.stays),
            width=120,
            numeric=True,
            tip=lambda row: tr("The format has no room for it") if row.stays else "",
        ),
    )


def _number(number: int) -> str:
    return formatting.count(number) if number else "–"


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
