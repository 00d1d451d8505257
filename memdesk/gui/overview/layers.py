"""Six layers as rows: the content of each, the amount written, its health, and its new changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import icons, look
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.overview.asking import DAYS, LAYERS, Answer, Part, Seen, counts
from memdesk.gui.widgets import Column, RowState
from memdesk.gui.widgets.paint import LEFT, draw_text
from memdesk.gui.widgets.tips import plain
from memdesk.model.errors import MemDeskError
from memdesk.model.history import Histogram
from memdesk.model.workspace import FileRow

NAMES = {
    "core": (marked("Core"), marked("Who each agent is"), "identity"),
    "working": (marked("Working"), marked("Scratchpads and active goals"), "retire"),
    "episodic": (marked("Episodic"), marked("What was said and done"), "conversations"),
    "semantic": (marked("Semantic"), marked("Facts and entities"), "facts"),
    "long-term": (marked("Long-term"), marked("Curated notes and strategies"), "learnings"),
    "workspace": (marked("Workspace"), marked("Standing files and daily logs"), "file"),
}
"""Name, description and icon."""
FULL_FROM = 0.85
BORN = ("learn", "store", "import", "promote", "redo")
GONE = ("retire", "delete")
SPARK_PX, NAME_PX = 150, 212
HEALTHS = {"ok": "check", "warn": "warning", "bad": "warning"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Health of a layer: a tone of ok, warn or bad, and a few words."""

    tone: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerRow:
    """Row of a layer. writes: per day, oldest first. leads: the panel that shows more."""

    name: str
    holds: str
    writes: tuple[int, ...]
    health: Health
    new: str
    leads: str


def rows(seen: Seen) -> list[LayerRow]:
    """Return the six layers in their order; a layer that could not be read shows the error in its own row."""
    holds: dict[str, Callable[[Seen], tuple[str, Health]]] = {
        "core": _core, "working": _working, "episodic": _episodic, "semantic": _semantic, "long-term": _long_term,
        "workspace": _workspace,
    }  # fmt: skip
    leads = {
        "core": "identity",
        "working": "facts",
        "episodic": "conversations",
        "semantic": "facts",
        "long-term": "identity",
        "workspace": "daily",
    }
    made = []
    for name in LAYERS:
        try:
            held, health = holds[name](seen)
        except MemDeskError as wrong:
            held, health = "", Health(tone="bad", says=wrong.says)
        made.append(
            LayerRow(
                name=name, holds=held, writes=_written(seen.writes[name]), health=health, new=_new(seen, name),
                leads=leads[name],
            )
        )  # fmt: skip
    return made


def _here(part: Part[Answer]) -> Answer:
    """Return a part's answer. Raises the error of a part that failed."""
    if isinstance(part, MemDeskError):
        raise part
    return part


def _core(seen: Seen) -> tuple[str, Health]:
    files = [each for each in _files(seen) if each.layer == "core"]
    agents = {each.agent_id for each in files if each.agent_id}
    held = (tr("%Ln file(s)", "", len(files)), tr("%Ln agent(s)", "", len(agents)))
    return " · ".join(held), _fullest(files)


def _working(seen: Seen) -> tuple[str, Health]:
    held, goals = _here(seen.metrics).memory, _here(seen.goals)
    lost = held.working_evicted
    live = tr("{size} KB live", size=f"{held.working_bytes / 1024:,.1f}")
    health = Health(tone="ok", says=live if held.working_keys else tr("Nothing live now"))
    if lost:
        health = Health(tone="warn", says=tr("%Ln value(s) gave way to newer ones", "", lost))
    says = (tr("%Ln key(s)", "", held.working_keys), tr("%Ln open goal(s)", "", goals.total))
    return " · ".join(says), health


def _episodic(seen: Seen) -> tuple[str, Health]:
    status = _here(seen.status)
    waits = status.unconsolidated
    says = tr("%Ln not consolidated yet", "", waits) if waits else tr("All read")
    held = (tr("%Ln conversation(s)", "", status.conversations), tr("%Ln turn(s)", "", status.turns))
    return " · ".join(held), Health(tone="warn" if waits else "ok", says=says)


def _semantic(seen: Seen) -> tuple[str, Health]:
    status, fading = _here(seen.status), _here(seen.fading).counts["fading"]
    says = (
        tr("%Ln (fades|fade) out within 7 days", "", fading) if fading else tr("Nothing fades within 7 days")
    )
    held = (tr("%Ln fact(s)", "", status.facts), tr("%Ln entit(y|ies)", "", status.entities))
    return " · ".join(held), Health(tone="warn" if fading else "ok", says=says)


def _long_term(seen: Seen) -> tuple[str, Health]:
    files = [each for each in _files(seen) if each.layer == "long-term"]
    held = (tr("%Ln file(s)", "", len(files)), tr("%Ln strateg(y|ies)", "", _here(seen.strategies).total))
    return " · ".join(held), _fullest(files)


def _workspace(seen: Seen) -> tuple[str, Health]:
    status = _here(seen.status)
    held = tr("%Ln file(s)", "", status.documents)
    clashes, waits = len(_here(seen.clashes).rows), status.unembedded
    if clashes:
        return held, Health(tone="bad", says=tr("%Ln text(s) clashed with a file", "", clashes))
    if waits:
        return held, Health(tone="warn", says=tr("%Ln text(s) not indexed yet", "", waits))
    return held, Health(tone="ok", says=tr("Index current"))


def _files(seen: Seen) -> tuple[FileRow, ...]:
    return _here(seen.files).rows


def _fullest(files: list[FileRow]) -> Health:
    """Return the health of files by the size of the fullest one as a share of its budget."""
    bounded = [(each.size / each.budget, each) for each in files if each.budget]
    if not bounded:
        return Health(tone="ok", says=tr("No budget set") if files else tr("Nothing yet"))
    share, fullest = max(bounded, key=lambda each: each[0])
    file = fullest.path
    if fullest.agent_id:
        file = tr("{file} of {agent}", file=file, agent=fullest.agent_id)
    tone = "bad" if share > 1 else "warn" if share >= FULL_FROM else "ok"
    return Health(tone=tone, says=tr("{file} {share} % full", file=file, share=f"{100 * share:.0f}"))


def _written(part: Part[Histogram]) -> tuple[int, ...]:
    if isinstance(part, MemDeskError):
        return ()
    recalled = part.operations.index("recall")
    return tuple(sum(counts) - counts[recalled] for counts in part.counts)


def _new(seen: Seen, layer: str) -> str:
    try:
        found = counts(seen, layer)
    except MemDeskError:
        return ""
    born, gone, edits = (sum(found.get(op, 0) for op in ops) for ops in (BORN, GONE, ("update",)))
    words = [f"+{born:,}" if born else "", f"−{gone:,}" if gone else ""]
    if not born and not gone and edits:
        words = [tr("%Ln edit(s)", "", edits)]
    return " ".join(word for word in words if word)


def columns() -> tuple[Column[LayerRow], ...]:
    """Return the columns: layer, content, writes per day, health, new."""
    return (
        Column(title=tr("Layer"), text=lambda row: tr(NAMES[row.name][0]), width=NAME_PX, paint=_paint_name),
        Column(title=tr("Holds"), text=lambda row: row.holds, token="t1", tip=lambda row: plain(row.holds)),
        Column(
            title=tr("Writes per day, {days} days", days=DAYS), width=SPARK_PX + 16, paint=_paint_spark,
            tip=_writes_tip, text=lambda row: tr("%Ln write(s)", "", sum(row.writes)),
        ),
        Column(
            title=tr("Health"), text=lambda row: row.health.says, width=196, paint=_paint_health,
            tip=lambda row: plain(row.health.says),
        ),
        Column(title=tr("New"), text=lambda row: row.new, width=96, numeric=True, token="t1"),
    )  # fmt: skip


def _writes_tip(row: LayerRow) -> str:
    today = row.writes[-1] if row.writes else 0
    return tr(
        "{all} in {days} days, {today} today", all=f"{sum(row.writes):,}", days=DAYS, today=f"{today:,}"
    )


def _paint_name(painter: QPainter, area: QRectF, row: LayerRow, state: RowState) -> None:
    name, says, icon = NAMES[row.name]
    icons.paint(painter, icon, QPointF(area.x(), round(area.center().y() - 8)), "t2")
    words = area.adjusted(28, 0, 0, 0)
    half = words.height() / 2
    draw_text(
        painter,
        QRectF(words.x(), words.y() + 6, words.width(), half - 4),
        tr(name),
        look.font(13, 500),
        c("t1"),
        LEFT,
    )
    below = QRectF(words.x(), words.y() + half, words.width(), half - 8)
    draw_text(painter, below, tr(says), look.font(11), c("t3"), LEFT)


def _paint_spark(painter: QPainter, area: QRectF, row: LayerRow, state: RowState) -> None:
    """Paint a bar per day, today in the accent colour. Heights follow the square root, so that one import
    does not flatten the rest."""
    most = max(row.writes, default=0)
    if not most:
        return
    foot, high = round(area.bottom() - 11), area.height() - 22
    for day, number in enumerate(row.writes):
        tall = max(1, round(high * (number / most) ** 0.5)) if number else 0
        today = day == len(row.writes) - 1
        painter.fillRect(QRectF(round(area.x() + day * 3), foot - tall, 2, tall), c("acc" if today else "t3"))
    painter.fillRect(QRectF(area.x(), foot, SPARK_PX, 1), c("line"))


def _paint_health(painter: QPainter, area: QRectF, row: LayerRow, state: RowState) -> None:
    icon = HEALTHS[row.health.tone]
    icons.paint(painter, icon, QPointF(area.x(), round(area.center().y() - 8)), row.health.tone)
    draw_text(painter, area.adjusted(22, 0, 0, 0), row.health.says, look.font(12), c("t1"), LEFT)
