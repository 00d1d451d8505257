"""Dialog with the memories that differ between two moments; all of them, or chosen ones, are put back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QWidget

from memdesk.api import history
from memdesk.gui import formatting
from memdesk.gui.inspectors.links import Links
from memdesk.gui.keys import on_key
from memdesk.gui.language import marked, sentences, tr
from memdesk.gui.newest import Newest
from memdesk.gui.session import Session
from memdesk.gui.terms import capitalised, counted, plural, word
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
    delayed,
    row,
)
from memdesk.model.document import DOCUMENT
from memdesk.model.errors import MemDeskError
from memdesk.model.fact import FACT
from memdesk.model.kinds import DATED
from memdesk.model.timeline import PUT_BACK_AT_MOST, AskPast, MemoryDifference, MemoryState, PastPage, PutBack

SIZE = (940, 560)
TYPED_MS = 250
AGO: Mapping[str, timedelta] = {
    marked("an hour ago"): timedelta(hours=1),
    marked("a day ago"): timedelta(days=1),
    marked("a week ago"): timedelta(days=7),
    marked("a month ago"): timedelta(days=30),
}


def state_words(side: MemoryState | None, other: MemoryState | None) -> str:
    """Return in words what a memory was at one moment and not at the other."""
    if side is None:
        return tr("not there")
    if other is None:
        return ", ".join((word(side.state), *([f"“{side.more}”"] if side.more else [])))
    parts = (
        (side.title, other.title, f"“{side.title}”"),
        (side.state, other.state, word(side.state)),
        (side.channel, other.channel, side.channel),
        (side.category, other.category, capitalised(side.category)),
        (side.confidence, other.confidence, f"{side.confidence or 0:.2f}"),
        (side.pinned, other.pinned, tr("pinned") if side.pinned else tr("not pinned")),
        (side.more, other.more, f"“{side.more}”" if side.more else "—"),
    )
    return ", ".join(says for mine, yours, says in parts if mine != yours)


TYPED, NOW = "typed", "now"
FIELD_PX = 164


class Moment(QWidget):
    """Choice of a moment: some time ago, or a day and a time that are typed. The signal `chosen` reports another one.

    has_now: offers now too, as the first choice."""

    chosen = Signal()

    def __init__(self, name: str, *, has_now: bool = False) -> None:
        super().__init__()
        now = [Option(NOW, tr("now"))] if has_now else []
        ago = [Option(each, tr(each)) for each in AGO]
        self.ways = Drop([*now, *ago, Option(TYPED, tr("at a day and time"))], name=name)
        self.ways.set_value(NOW if has_now else list(AGO)[1])
        self.field = Field(name=tr("Day and time"), placeholder=tr("YYYY-MM-DD HH:MM"), width=FIELD_PX)
        self.field.hide()
        self.setLayout(row(self.ways, self.field, gap=8))
        self.ways.chosen.connect(lambda _: self._choose())
        self.field.textChanged.connect(lambda _: self.chosen.emit())

    def _choose(self) -> None:
        is_typed = self.ways.value() == TYPED
        self.field.setVisible(is_typed)
        if is_typed:
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.chosen.emit()

    @property
    def at(self) -> datetime | None:
        """The moment, in the local time zone; None for now. Raises ValueError while no time is typed."""
        way = str(self.ways.value())
        if way == TYPED:
            return datetime.fromisoformat(self.field.text().strip()).astimezone()
        return None if way == NOW else datetime.now().astimezone() - AGO[way]


class TimeMachine(QDialog):
    """Dialog for two moments, the later one now at first. before: the change before which the earlier one is; None lets
    a person choose a time. panel: name of the one a person is at; its kind of memory is shown at first.

    Space, Enter or a click chooses a memory, Ctrl+Enter puts back those chosen, or all that are listed; of files Enter
    opens one, whose versions are put back there. Esc closes."""

    def __init__(
        self, session: Session, window: QWidget, links: Links, before: int | None = None, *, panel: str = ""
    ) -> None:
        super().__init__(window)
        self._session, self._links, self._before = session, links, before
        self._chosen: set[str] = set()
        self._page: PastPage | None = None
        self._looking = Newest(session)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Memories as of a moment"))
        self.resize(min(SIZE[0], window.width() - 40), min(SIZE[1], window.height() - 40))
        kind = next((each for each in DATED if each.panel == panel), FACT)
        self.kind = Drop([Option(each.name, plural(each.name)) for each in DATED], kind.name, name=tr("Kind"))
        self.moment = Moment(tr("Moment"))
        self.moment.setVisible(before is None)
        self.later = Moment(tr("Compared with"), has_now=True)
        self.field = Field(placeholder=tr("Filter"), name=tr("Filter"), icon="search")
        self.says = Text(tr("Looking…"), 12, "t2", wrap=True)
        self.model: RowsModel[MemoryDifference] = RowsModel(self._columns())
        self.table = Table(self.model, name=tr("What is different now"), token="panel")
        self.table.single_letters = False
        self.put_back = Control("primary", tr("Put back"), "undo", keys="Ctrl Enter")
        leave = Control("ghost", tr("Close"), keys="Esc")
        against = Text(tr("compared with"), 12, "t3")
        head = row(self.kind, self.moment, against, self.later, self.field, gap=8, stretch=self.field)
        footer = row(self.put_back, None, leave, gap=8)
        parts = column(
            head, self.says, self.table, footer, gap=10, margins=(16, 14, 16, 14), stretch=self.table
        )
        self.setLayout(column(Ground("panel", layout=parts), gap=0))
        self._typed = delayed(self._look, self)
        self.kind.chosen.connect(lambda _: self._look())
        for moment in (self.moment, self.later):
            moment.chosen.connect(lambda: self._typed.start(TYPED_MS))
        self.field.textChanged.connect(lambda _: self._typed.start(TYPED_MS))
        self.table.pressed.connect(lambda each, _: self._turn(each))
        self.table.opened.connect(self._turn)
        self.put_back.clicked.connect(self._act)
        leave.clicked.connect(self.close)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            on_key(keys, self._act, self, inside=True)
        on_key("Space", lambda: self._turn(self.table.record()), self.table)
        self._show_ready()
        self._look()

    def _columns(self) -> tuple[Column[MemoryDifference], ...]:
        return (
            Column(
                "",
                lambda each: tr("chosen") if each.id in self._chosen else "",
                width=34,
                icon=lambda each: ("check", "acc") if each.id in self._chosen else None,
                pressable=lambda _: True,
            ),
            Column(tr("Memory"), _title, token="t1", pressable=lambda _: True),
            Column(
                tr("Channel"),
                lambda each: _living(each).channel,
                width=120,
                channel=self._session.channel_number,
                hidden_below=800,
            ),
            Column(tr("Then"), lambda each: state_words(each.then, each.now), width=220, token="t1"),
            Column(tr("Afterwards"), lambda each: state_words(each.now, each.then), width=220),
        )

    def _look(self) -> None:
        try:
            at = self.moment.at if self._before is None else None
            until = self.later.at
        except ValueError:
            self.says.setText(tr("Type a day, as 2026-01-31, or a day and a time, as 2026-01-31 14:30."))
            return
        ask = AskPast(
            at=at,
            before=self._before,
            until=until,
            kind=str(self.kind.value()),
            channels=self._session.channels,
            text=self.field.text(),
            limit=PUT_BACK_AT_MOST,
        )
        self._looking.start(self._fetch(ask), failed=self._show_wrong)

    async def _fetch(self, ask: AskPast) -> None:
        page = self._page = await self._session.call(history.PAST, ask)
        self._chosen &= {each.id for each in page.rows}
        self.model.set_rows(page.rows)
        earlier = formatting.full(page.at)
        what = counted(ask.kind, page.total)
        if ask.until is None:
            parts = [tr("Before {moment}:", moment=earlier)]
            many = tr("Different now: {what}.", what=what)
        else:
            later = formatting.full(ask.until)
            parts = [tr("From {moment} to {later}:", moment=earlier, later=later)]
            many = tr("Changed: {what}.", what=what)
        parts.append(many if page.total else tr("nothing has changed."))
        if page.total > len(page.rows):
            parts.append(tr("The last %Ln are shown.", "", len(page.rows)))
        if page.is_cut:
            parts.append(tr("Earlier differences are not read; choose a later moment."))
        self.says.setText(sentences(*parts))
        self._show_ready()
        is_typing = any(each.hasFocus() for each in (self.field, self.moment.field, self.later.field))
        if page.rows and not is_typing:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_wrong(self, wrong: MemDeskError) -> None:
        self.says.setText(wrong.sentence)

    def _wanted(self) -> tuple[str, ...]:
        """Return the ids of the facts to put back: those chosen, else all that are listed."""
        listed = [each.id for each in self._page.rows] if self._page else []
        return tuple(id for id in listed if not self._chosen or id in self._chosen)

    def _show_ready(self) -> None:
        wanted, kind = len(self._wanted()), str(self.kind.value())
        what = tr("Put back {what}", what=counted(kind, wanted)) if wanted else tr("Put back")
        opens = kind == DOCUMENT.name
        self.put_back.setText(tr("Open the file") if opens else what)
        self.put_back.set_icon("file" if opens else "undo")
        self.put_back.set_enabled(
            wanted > 0 and not self._session.why_not,
            self._session.why_not or tr("There is nothing to do yet."),
        )

    def _turn(self, each: MemoryDifference | None) -> None:
        """Choose a memory, or no longer; open a file."""
        if each is None:
            return
        if self.kind.value() == DOCUMENT.name:
            self._links.file(each.id, _living(each).title)
            self.close()
            return
        self._chosen ^= {each.id}
        self.table.viewport().update()
        self._show_ready()

    def _act(self) -> None:
        if self.kind.value() == DOCUMENT.name:
            self._turn(self.table.record() or self.model.row(0))
        elif self.put_back.isEnabled() and self._page is not None:
            self._session.spawn(
                self._do(PutBack(ids=self._wanted(), before=self._page.before, kind=str(self.kind.value()))),
                failed=self._show_wrong,
            )

    async def _do(self, ask: PutBack) -> None:
        self.put_back.set_enabled(False)
        done = await self._session.call(history.PUT_BACK, ask)
        if done.change is not None:
            says = tr("Put back {what}", what=counted(ask.kind, done.changed))
            self._session.did_run(done.change, says, "update")
        self._session.refresh_status()
        if not done.left:
            self.close()
            return
        self._chosen.clear()
        why = next(iter(done.left.values()))
        ask_again = AskPast(
            before=ask.before, kind=ask.kind, channels=self._session.channels, limit=PUT_BACK_AT_MOST
        )
        await self._fetch(ask_again)
        self.says.setText(tr("%Ln left as (it was|they were)", "", len(done.left)) + f": {why}")


def _living(each: MemoryDifference) -> MemoryState:
    """Return the side of a difference that exists, now rather than then."""
    side = each.now or each.then
    assert side is not None
    return side


def _title(each: MemoryDifference) -> str:
    return " ".join(_living(each).title.split())
