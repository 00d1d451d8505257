"""Columns of each kind's table: text and painting of the cells."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import icons, look
from memdesk.gui.frame import times
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.widgets import Column, RowState, author
from memdesk.gui.widgets.paint import LEFT, RIGHT, box, channel, draw_text, text_width
from memdesk.gui.widgets.tips import plain
from memdesk.model.table import TableRow

UNSURE_BELOW = 0.5
"""Confidence below which a fact is shown as a warning."""
BAR_PX = 40
SOURCES = {
    "explicit": marked("told"), "extraction": marked("extracted"), "import": marked("imported"),
    "person": marked("by hand"),
}  # fmt: skip
"""Labels for the source of a fact."""
STATE_WORDS = {
    "current": marked("current"), "past": marked("past"), "superseded": marked("superseded"),
    "quarantined": marked("quarantined"),
    "retired": marked("retired"), "active": marked("active"), "blocked": marked("blocked"),
    "completed": marked("completed"), "abandoned": marked("abandoned"), "pinned": marked("pinned"),
    "all": marked("any state"),
}  # fmt: skip
YIELDING = (
    marked("Source"), marked("Recalled"), marked("Used"), marked("By"), marked("Priority"), marked("Confidence"),
    marked("Success"), marked("Type"), marked("Salience"), marked("State"), marked("Channel"),
)  # fmt: skip
"""Columns that a narrow table hides, in this order, so that the title keeps its space. The age column always
stays."""
WORDS_LEAST_PX = 400
"""Least width for the title, or half the table if that is less."""
GONE = ("retired", "quarantined", "superseded", "past", "abandoned")


def columns(kind: str, session: Session) -> tuple[Column[TableRow], ...]:
    """Return the columns of a kind, the title first."""
    titles = {"fact": tr("Claim"), "entity": tr("Name"), "goal": tr("Goal"), "strategy": tr("Strategy")}
    title = Column[TableRow](
        title=titles[kind], text=said, paint=_paint_title, tip=_title_tip, sort="title", token="t1"
    )
    where = Column[TableRow](
        title=tr("Channel"), text=lambda row: row.channel, width=122, sort="channel",
        tip=lambda row: plain(row.channel),
        paint=lambda painter, area, row, _: _paint_channel(painter, area, row, session),
    )  # fmt: skip
    who = Column[TableRow](
        title=tr("By"), text=lambda row: row.agent_id or "", width=58, tip=lambda row: plain(row.agent_id or ""),
        paint=lambda painter, area, row, _: _paint_agent(painter, area, row, session),
    )  # fmt: skip
    age = Column[TableRow](
        title=tr("Age"), text=lambda row: times.ago(row.created_at), width=100, align="right", token="t3",
        sort="created", tip=lambda row: times.full(row.created_at),
    )  # fmt: skip
    return (title, where, who, *_own(kind), age)


def yielded(columns: Sequence[Column[TableRow]], wide: int, sort: str) -> frozenset[str]:
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
    """Return the columns that are specific to a kind."""
    recalled = _count(tr("Recalled"), "recalled")
    salience = Column[TableRow](
        title=tr("Salience"), text=lambda row: _share(row.salience), width=92, numeric=True, sort="salience",
        paint=_paint_salience,
        tip=lambda row: tr("Pinned, does not fade") if row.pinned else tr("How strong it is now"),
    )  # fmt: skip
    state = Column[TableRow](
        title=tr("State"),
        text=lambda row: tr(STATE_WORDS.get(row.state, row.state)),
        width=92,
        token=_state_token,
    )
    match kind:
        case "fact":
            source = Column[TableRow](
                title=tr("Source"),
                text=lambda row: tr(SOURCES.get(row.source or "", row.source or "")),
                width=82,
                sort="source",
            )
            return (source, _confidence(tr("Confidence"), "confidence"), recalled, salience)
        case "entity":
            type = Column[TableRow](
                title=tr("Type"), text=lambda row: row.category, width=112, sort="category"
            )
            return (type, recalled, salience)
        case "goal":
            priority = Column[TableRow](
                title=tr("Priority"),
                text=lambda row: str(row.priority),
                width=80,
                numeric=True,
                sort="priority",
            )
            return (state, priority)
        case _:
            return (_confidence(tr("Success"), ""), _count(tr("Used"), ""))


def _confidence(title: str, sort: str) -> Column[TableRow]:
    return Column(
        title=title, text=lambda row: _share(row.confidence), width=94, numeric=True, sort=sort,
        token=lambda row: "warn" if row.confidence is not None and row.confidence < UNSURE_BELOW else "t2",
    )  # fmt: skip


def _count(title: str, sort: str) -> Column[TableRow]:
    return Column(
        title=title, text=lambda row: times.count(row.recalled or 0), width=80, numeric=True, sort=sort
    )


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def said(row: TableRow) -> str:
    """Return the title on one line, with “(past)” if it is no longer true."""
    one_line = " ".join(row.title.split())
    return tr("{title} (past)", title=one_line) if row.state in ("past", "superseded") else one_line


def _title_tip(row: TableRow) -> str:
    tags = tr("Tags: {tags}", tags=", ".join(row.tags)) if row.tags else ""
    return plain(f"{row.title}\n{tags}".strip())


def _state_token(row: TableRow) -> str:
    return {"blocked": "warn", "completed": "ok"}.get(row.state, "t3" if row.state in GONE else "t2")


def _paint_title(painter: QPainter, area: QRectF, row: TableRow, state: RowState) -> None:
    """Paint the kind's shape, the title, and at the right the pin and the tags."""
    gone = row.state in GONE
    shape = QRectF(area.x(), round(area.center().y() - 5), 10, 10)
    mark = {"entity": "entity", "goal": "decision", "strategy": "event"}.get(row.kind, row.category)
    icons.kind_shape(painter, shape, mark, c("t3"), 1.0 if row.confidence is None else row.confidence)
    right = area.right()
    if row.pinned:
        right -= 16
        icons.paint(painter, "pin", QPointF(right, round(area.center().y() - 8)), "t3")
    if row.tags:
        right -= _paint_tags(painter, area, right, row.tags)
    words = QRectF(area.x() + 20, area.y(), right - area.x() - 26, area.height())
    face = look.font(13, italic=gone, strike=row.state == "retired")
    draw_text(painter, words, said(row), face, c("t3" if gone else "t1"), LEFT)


def _paint_tags(painter: QPainter, area: QRectF, right: float, tags: tuple[str, ...]) -> float:
    """Paint the first tag and the number of others if they leave enough space for the title. Returns the px
    used."""
    text = f"#{tags[0]}" + (f" +{len(tags) - 1}" if len(tags) > 1 else "")
    face = look.font(11)
    wide = text_width(text, face) + 8
    if wide > area.width() / 3:
        return 0
    draw_text(painter, QRectF(right - wide, area.y(), wide - 4, area.height()), text, face, c("t3"), RIGHT)
    return wide


def _paint_channel(painter: QPainter, area: QRectF, row: TableRow, session: Session) -> None:
    channel(painter, area, row.channel, session.channel_number(row.channel))


def _paint_agent(painter: QPainter, area: QRectF, row: TableRow, session: Session) -> None:
    if row.agent_id is not None:
        name, shape, who = session.mark(f"agent:{row.agent_id}")
        author(painter, QRectF(area.x(), round(area.center().y() - 8), 16, 16), name, shape, who)


def _paint_salience(painter: QPainter, area: QRectF, row: TableRow, state: RowState) -> None:
    """Paint a bar in the colours of the sequential scale, and the number."""
    if row.salience is None:
        return
    draw_text(painter, area, _share(row.salience), look.font(12, tabular=True), c("t2"), RIGHT)
    ground = QRectF(area.right() - 34 - BAR_PX, round(area.center().y() - 3), BAR_PX, 5)
    box(painter, ground, 2, c("track"))
    box(
        painter,
        QRectF(ground.x(), ground.y(), max(2.0, BAR_PX * row.salience), 5),
        2,
        look.sequential(row.salience),
    )
