"""Table of one kind that keeps its selection while its rows are replaced, and the filters that narrow it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QObject,
    QPointF,
    QRectF,
    QSignalBlocker,
    Signal,
)
from PySide6.QtGui import QPainter

from memdesk.gui import formatting, icons, look
from memdesk.gui.language import marked, marked_words, tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.terms import SOURCES, plural
from memdesk.gui.widgets import (
    Column,
    Control,
    Drop,
    Folding,
    Option,
    RowState,
    Segments,
    Table,
    WindowedModel,
    row,
)
from memdesk.gui.widgets.paint import LEFT, RIGHT, box, draw_text, text_width
from memdesk.gui.widgets.text import tip_text
from memdesk.gui.widgets.windowed import PAGE_ROWS, Fetch
from memdesk.model.curation import BULK_AT_MOST, TagList
from memdesk.model.entity import ENTITY
from memdesk.model.fact import FACT
from memdesk.model.kinds import BY_NAME, TABLED
from memdesk.model.timeline import AskTable, TablePage, TableRow
from memdesk.model.trust import FILE, is_trusted

UNSURE_BELOW = 0.5
"""Confidence below which a fact is shown as a warning."""
BAR_PX = 40
_STATES = marked_words(
    "current, past, superseded, quarantined, retired, active, blocked, completed, abandoned, pinned"
)
STATE_WORDS = {**dict(zip(_STATES, _STATES, strict=True)), "all": marked("any state")}
YIELDING = marked_words(
    "Source, Recalled, Used, By, Priority, Confidence, Success, Type, Salience, State, Channel"
)
"""Columns that a narrow table hides, in this order, so that the title keeps its space. The age column always
stays."""
WORDS_LEAST_PX = 400
"""Least width for the title, or half the table if that is less."""
GONE = ("retired", "quarantined", "superseded", "past", "abandoned")


def columns(kind: str, session: Session) -> tuple[Column[TableRow], ...]:
    """Return the columns of a kind, the title first."""
    titles = {FACT.name: tr("Claim"), ENTITY.name: tr("Name")}
    title = Column[TableRow](
        titles.get(kind, tr(BY_NAME[kind].label)),
        one_line_title,
        paint=_paint_title,
        tip=_title_tip,
        sort="title",
        token="t1",
    )
    where = Column[TableRow](
        tr("Channel"), lambda row: row.channel, width=122, sort="channel", channel=session.channel_number
    )
    who = Column[TableRow](
        tr("By"),
        lambda row: row.agent_id or "",
        width=58,
        tip=lambda row: tip_text(row.agent_id or ""),
        mark=lambda row: session.mark(f"agent:{row.agent_id}") if row.agent_id is not None else None,
    )
    age = Column[TableRow](
        tr("Age"),
        lambda row: formatting.ago(row.created_at),
        width=100,
        align="right",
        token="t3",
        sort="created",
        tip=lambda row: formatting.full(row.created_at),
    )
    return (title, where, who, *_own(kind), age)


def hidden_columns(columns: Sequence[Column[TableRow]], wide: int, sort: str) -> frozenset[str]:
    """Return the titles of the columns to hide in a table of `wide` px. The column it is sorted by stays."""
    room = wide - min(WORDS_LEAST_PX, wide // 2)
    need = sum(each.width for each in columns)
    by_title = {each.title: each for each in columns if each.sort != sort or not sort}
    gone = set()
    for title in map(tr, YIELDING):
        if need > room and title in by_title:
            need -= by_title[title].width
            gone.add(title)
    return frozenset(gone)


def _own(kind: str) -> tuple[Column[TableRow], ...]:
    recalled = _count(tr("Recalled"), "recalled")
    salience = Column[TableRow](
        tr("Salience"),
        lambda row: _share(row.salience),
        width=92,
        numeric=True,
        sort="salience",
        paint=_paint_salience,
        tip=lambda row: tr("Pinned, does not fade") if row.pinned else tr("How strong it is now"),
    )
    state = Column[TableRow](
        tr("State"), lambda row: tr(STATE_WORDS.get(row.state, row.state)), width=92, token=_state_token
    )
    match kind:
        case "fact":
            source = Column[TableRow](
                tr("Source"),
                lambda row: tr(SOURCES.get(row.source or "", row.source or "")),
                width=82,
                sort="source",
            )
            return (source, _confidence(tr("Confidence"), "confidence"), recalled, salience)
        case "entity":
            type = Column[TableRow](tr("Type"), lambda row: row.category, width=112, sort="category")
            return (type, recalled, salience)
        case "strategy":
            return (_confidence(tr("Success"), ""), _count(tr("Used"), ""))
        case _:
            priority = Column[TableRow](
                tr("Priority"), lambda row: str(row.priority), width=80, numeric=True, sort="priority"
            )
            return (state, priority) if "priority" in BY_NAME[kind].sorts else (state,)


def _confidence(title: str, sort: str) -> Column[TableRow]:
    return Column(
        title,
        lambda row: _share(row.confidence),
        width=94,
        numeric=True,
        sort=sort,
        token=lambda row: "warn" if row.confidence is not None and row.confidence < UNSURE_BELOW else "t2",
    )


def _count(title: str, sort: str) -> Column[TableRow]:
    return Column(title, lambda row: formatting.count(row.recalled or 0), width=80, numeric=True, sort=sort)


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def one_line_title(row: TableRow) -> str:
    """Return the title on one line, with “(past)” if it is no longer true, after “Contradicted” if a question asks."""
    one_line = " ".join(row.title.split())
    says = tr("Contradicted: {title}", title=one_line) if row.question else one_line
    return tr("{title} (past)", title=one_line) if row.state in ("past", "superseded") else says


def _title_tip(row: TableRow) -> str:
    tags = tr("Tags: {tags}", tags=", ".join(row.tags)) if row.tags else ""
    doubt = "" if is_trusted(row.trust) else tr("Not trusted: agents are told it as quoted")
    return tip_text("\n".join(filter(None, (row.title, tags, doubt))))


def _state_token(row: TableRow) -> str:
    return {"blocked": "warn", "completed": "ok"}.get(row.state, "t3" if row.state in GONE else "t2")


def _paint_title(painter: QPainter, area: QRectF, row: TableRow, state: RowState) -> None:
    """Paint the kind's shape, the title, and at the right the pin and the tags."""
    gone = row.state in GONE
    shape = QRectF(area.x(), round(area.center().y() - 5), 10, 10)
    mark = BY_NAME[row.kind].shape or row.category
    icons.kind_shape(painter, shape, mark, c("t3"), 1.0 if row.confidence is None else row.confidence)
    right = area.right()
    if row.pinned:
        right -= 16
        icons.paint(painter, "pin", QPointF(right, round(area.center().y() - 8)), "t3")
    if not is_trusted(row.trust):
        right -= 16
        # An agent's own files are no danger; what strangers, tools and pages say may be.
        tone = "t3" if row.origin == FILE else "warn"
        icons.paint(painter, "quoted", QPointF(right, round(area.center().y() - 8)), tone)
    if row.tags:
        right -= _paint_tags(painter, area, right, row.tags)
    words = QRectF(area.x() + 20, area.y(), right - area.x() - 26, area.height())
    face = look.font(13, italic=gone, strike=row.state == "retired")
    draw_text(painter, words, one_line_title(row), face, c("t3" if gone else "t1"), LEFT)


def _paint_tags(painter: QPainter, area: QRectF, right: float, tags: tuple[str, ...]) -> float:
    """Paint the first tag and the number of others if the title has room; return the px used."""
    text = f"#{tags[0]}" + (f" +{len(tags) - 1}" if len(tags) > 1 else "")
    face = look.font(11)
    wide = text_width(text, face) + 8
    if wide > area.width() / 3:
        return 0
    draw_text(painter, QRectF(right - wide, area.y(), wide - 4, area.height()), text, face, c("t3"), RIGHT)
    return wide


def _paint_salience(painter: QPainter, area: QRectF, row: TableRow, state: RowState) -> None:
    """Paint a bar in the colours of the sequential scale, and the number."""
    if row.salience is None:
        return
    draw_text(painter, area, _share(row.salience), look.font(12, tabular=True), c("t2"), RIGHT)
    ground = QRectF(area.right() - 34 - BAR_PX, round(area.center().y() - 3), BAR_PX, 5)
    box(painter, ground, 2, c("track"))
    ground.setWidth(max(2.0, BAR_PX * row.salience))
    box(painter, ground, 2, look.sequential(row.salience))


class FactsTable(Table):
    """Table with rows of one kind, fetched as they come into view. `windowed` is its model."""

    def __init__(self, kind: str, name: str, session: Session, fetch: Fetch[TableRow]) -> None:
        self._fetch = fetch
        self._lost: set[str] = set()
        self.windowed: WindowedModel[TableRow] = WindowedModel(columns(kind, session), fetch, session.spawn)
        super().__init__(self.windowed, name=name, many=True)
        self.windowed.replacing.connect(self._let_go)
        self.windowed.arrived.connect(self._choose_again)

    def fit(self, wide: int, sort: str) -> None:
        """Hide columns that would leave too little space for the title. wide: of the panel, in px."""
        gone = hidden_columns(self.windowed.columns, wide, sort)
        for place, each in enumerate(self.windowed.columns):
            self.setColumnHidden(place, each.title in gone)

    # Other rows.

    def replace(self, page: TablePage, *, keep: bool) -> None:
        """Replace the rows. keep: select the selected rows again, and keep the scroll position; otherwise only the
        current row."""
        current, top = self.record(), self.verticalScrollBar().value()
        self._lost = (
            {row.id for row in self.held()} if keep else {current.id} if current is not None else set()
        )
        with QSignalBlocker(self):
            self.windowed.reset(page.total, page.rows)
            self.verticalScrollBar().setValue(top if keep else 0)
            self._choose_again(0, len(page.rows))

    def _let_go(self, first: int, rows: Sequence[TableRow]) -> None:
        """Deselect places that get another row; the old rows are selected again as they are found."""
        model, chooser = self.windowed, self.selectionModel()
        for place in range(first, min(first + PAGE_ROWS, model.rowCount())):
            before, after = model.row(place), next(iter(rows[place - first : place - first + 1]), None)
            if before is None or before.id == (after and after.id) or not chooser.isRowSelected(place):
                continue
            self._lost.add(before.id)
            alone = QItemSelection(model.index(place, 0), model.index(place, len(model.columns) - 1))
            chooser.select(alone, QItemSelectionModel.SelectionFlag.Deselect)

    def _choose_again(self, first: int, number: int) -> None:
        """Select the previously selected rows among rows that have just arrived."""
        if not self._lost:
            return
        model, found = self.windowed, QItemSelection()
        for place in range(first, min(first + number, model.rowCount())):
            row = model.row(place)
            if row is not None and row.id in self._lost:
                self._lost.discard(row.id)
                found.select(model.index(place, 0), model.index(place, len(model.columns) - 1))
        if not found.isEmpty():
            chooser = self.selectionModel()
            chooser.select(found, QItemSelectionModel.SelectionFlag.Select)
            chooser.setCurrentIndex(found.indexes()[0], QItemSelectionModel.SelectionFlag.NoUpdate)

    # What is chosen.

    def number_chosen(self) -> int:
        return sum(last - first + 1 for first, last in self.ranges())

    def held(self) -> list[TableRow]:
        ranges = ((first, min(last, first + BULK_AT_MOST)) for first, last in self.ranges())
        rows = (self.windowed.row(place) for first, last in ranges for place in range(first, last + 1))
        return [row for row in rows if row is not None]

    async def chosen(self) -> list[TableRow]:
        """Return the selected rows, fetching those not loaded; stops above BULK_AT_MOST, so that the caller
        sees the excess."""
        held = self.held() if self.number_chosen() <= BULK_AT_MOST else []
        if len(held) == self.number_chosen():
            return held
        rows: list[TableRow] = []
        for first, last in self.ranges():
            while first <= last and len(rows) <= BULK_AT_MOST:
                rows += await self._fetch(first, min(BULK_AT_MOST, last - first + 1))
                first += BULK_AT_MOST
        return rows

    def choose_nothing(self) -> None:
        self._lost.clear()
        self.clearSelection()


CONFIDENCE: dict[str, tuple[str, float | None, float | None]] = {
    "": (marked("Any confidence"), None, None),
    "high": (marked("0.85 or more"), 0.85, None),
    "middle": (marked("0.50 to 0.85"), 0.5, 0.85),
    "low": (marked("Below 0.50"), None, 0.5),
}
"""Confidence ranges: label, lower bound, upper bound. The bounds are those for promotion and for doubt."""
AGES: dict[str, tuple[str, int | None, int | None]] = {
    "": (marked("Any age"), None, None),
    "day": (marked("Last 24 hours"), 1, None),
    "week": (marked("Last 7 days"), 7, None),
    "month": (marked("Last 30 days"), 30, None),
    "old": (marked("Over 30 days"), None, 30),
    "older": (marked("Over 90 days"), None, 90),
}
"""Age ranges: label, most days and least days since the memory was learned."""
FIRST = ("created", True)
"""Initial sort order of a table: the newest first."""


class Filters(QObject):
    """Filters of the facts panel. `bar` is the row of controls. The signal `changed` reports a change of the
    filters or order."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kinds = Segments([(kind.name, plural(kind.name)) for kind in TABLED], name=tr("Kind"))
        self.categories = Drop(many=True, every=tr("All categories"), name=tr("Category"), small=True)
        self.confidence = Drop(_options(CONFIDENCE), name=tr("Confidence"), small=True)
        self.ages = Drop(_options(AGES), name=tr("Age"), small=True)
        self.sources = Drop(many=True, every=tr("All sources"), name=tr("Source"), small=True)
        self.tags = Drop(many=True, every=tr("All tags"), name=tr("Tag"), small=True)
        self.states = Drop(name=tr("State"), small=True)
        self.clear = Control("link", tr("Clear"), small=True, tip=tr("Take every filter away"))
        drops = (self.categories, self.confidence, self.ages, self.sources, self.tags, self.states)
        self.drops = Folding(*drops)
        self.bar = row(self.kinds, 4, self.drops, self.clear, None, gap=6, margins=(20, 0, 20, 0))
        self._sorts = {kind.name: FIRST for kind in TABLED}
        self.kinds.chosen.connect(lambda _: self._show_kind())
        for drop in drops:
            drop.chosen.connect(lambda _: self._announce())
        self.clear.clicked.connect(lambda: self.show_everything())
        self._offer()

    @property
    def kind(self) -> str:
        return str(self.kinds.value())

    @property
    def sort(self) -> tuple[str, bool]:
        """Return the sort key of this kind, and True if it is descending."""
        return self._sorts[self.kind]

    def sort_by(self, sort: str, descending: bool) -> None:
        """Set the sort order of this kind."""
        self._sorts[self.kind] = (sort, descending)
        self.changed.emit()

    @property
    def narrows(self) -> bool:
        return self._chosen() != AskTable(kind=self.kind)

    def ask(self, ask: AskTable) -> AskTable:
        """Return a request with the filters chosen here, keeping channels, agents and text of `ask`."""
        sort, descending = self.sort
        chosen = self._chosen()
        return replace(
            chosen, channels=ask.channels, agents=ask.agents, text=ask.text, sort=sort, descending=descending
        )

    def show_answer(self, page: TablePage, tags: TagList) -> None:
        """Offer the categories, sources and tags found."""
        every = {**dict.fromkeys(_words(self.categories.value()), 0), **page.categories}
        self.categories.set_options([Option(each, each) for each in every])
        self.sources.set_options(
            [Option(each, tr(SOURCES.get(each, each)).capitalize()) for each in page.sources]
        )
        self.tags.set_options([Option(each.tag, each.tag) for each in tags.rows])
        self._show_clear()

    def show_everything(self) -> None:
        for drop in (self.categories, self.sources, self.tags):
            drop.set_value(())
        self.confidence.set_value("")
        self.ages.set_value("")
        self.states.set_value("current")
        self._announce()

    def show_kind(self, kind: str) -> None:
        """Switch to another kind, for example after a link from another panel."""
        self.kinds.set_value(kind)
        self._show_kind()

    def _show_kind(self) -> None:
        self.categories.set_value(())
        self.confidence.set_value("")
        self.sources.set_value(())
        self._offer()
        self._announce()

    def _offer(self) -> None:
        kind = BY_NAME[self.kind]
        self.drops.offer(self.categories, bool(kind.category))
        self.drops.offer(self.confidence, "confidence" in kind.sorts)
        self.drops.offer(self.sources, "source" in kind.sorts)
        # The statuses of a kind say more exactly what is past.
        states = [each for each in kind.states if each != "past" or not kind.statuses]
        self.states.set_options(
            [Option(each, tr(STATE_WORDS.get(each, each)).capitalize()) for each in states]
        )
        self._show_clear()

    def _show_clear(self) -> None:
        self.clear.setVisible(self.narrows)

    def _announce(self) -> None:
        self._show_clear()
        self.changed.emit()

    def _chosen(self) -> AskTable:
        _, least, below = CONFIDENCE[str(self.confidence.value())]
        _, at_most, at_least = AGES[str(self.ages.value())]
        return AskTable(
            kind=self.kind,
            categories=_words(self.categories.value()),
            sources=_words(self.sources.value()),
            tags=_words(self.tags.value()),
            state=str(self.states.value()),
            confidence_from=least,
            confidence_below=below,
            since=_ago(at_most),
            until=_ago(at_least),
        )


def _options(table: Mapping[str, tuple[str, float | None, float | None]]) -> list[Option]:
    return [Option(value, tr(words)) for value, (words, _, _) in table.items()]


def _words(value: object) -> tuple[str, ...]:
    return tuple(str(each) for each in value) if isinstance(value, tuple) else ()


def _ago(days: int | None) -> datetime | None:
    """Return the time that many days before the current minute, so that requests within one minute are equal."""
    return None if days is None else datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(days=days)
