"""The six layers as rows: what each holds, how much was written, how it is, and what is new."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import icons, look
from memdesk.gui.frame import times
from memdesk.gui.look import c
from memdesk.gui.overview.asking import DAYS, LAYERS, Answer, Part, Seen, counts
from memdesk.gui.widgets import Column, RowState
from memdesk.gui.widgets.paint import LEFT, draw_text
from memdesk.gui.widgets.tips import plain
from memdesk.model.errors import MemDeskError
from memdesk.model.history import Histogram
from memdesk.model.workspace import FileRow

NAMES = {
    "core": ("Core", "Who each agent is", "identity"),
    "working": ("Working", "Scratchpads and active goals", "retire"),
    "episodic": ("Episodic", "What was said and done", "conversations"),
    "semantic": ("Semantic", "Facts and entities", "facts"),
    "long-term": ("Long-term", "Curated notes and strategies", "learnings"),
    "workspace": ("Workspace", "Standing files and daily logs", "file"),
}
"""Name, what it is, and icon."""
FULL_FROM = 0.85
BORN = ("learn", "store", "import", "promote", "redo")
GONE = ("retire", "delete")
SPARK_PX, NAME_PX = 150, 212
HEALTHS = {"ok": "check", "warn": "warning", "bad": "warning"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """How a layer is: a tone of ok, warn or bad, and a few words."""

    tone: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerRow:
    """One layer. writes: per day, oldest first. leads: the panel that shows more, and what it selects there."""

    name: str
    holds: str
    writes: tuple[int, ...]
    health: Health
    new: str
    leads: str


def rows(seen: Seen) -> list[LayerRow]:
    """The six layers in their order; what could not be read says so in its own row."""
    holds: dict[str, Callable[[Seen], tuple[str, Health]]] = {
        "core": _core, "working": _working, "episodic": _episodic, "semantic": _semantic, "long-term": _long_term,
        "workspace": _workspace,
    }  # fmt: skip
    leads = {
        "core": "identity",
        "working": "facts",
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
                leads=leads.get(name, "audit"),
            )
        )  # fmt: skip
    return made


def _here(part: Part[Answer]) -> Answer:
    """A part's answer. Raises what it failed with."""
    if isinstance(part, MemDeskError):
        raise part
    return part


def _core(seen: Seen) -> tuple[str, Health]:
    files = [each for each in _files(seen) if each.layer == "core"]
    agents = {each.agent_id for each in files if each.agent_id}
    return f"{times.plural(len(files), 'file')} · {times.plural(len(agents), 'agent')}", _fullest(files)


def _working(seen: Seen) -> tuple[str, Health]:
    held, goals = _here(seen.metrics).memory, _here(seen.goals)
    lost = held.working_evicted
    health = (
        Health(tone="warn", says=f"{times.plural(lost, 'value')} gave way to newer ones") if lost else None
    )
    says = f"{held.working_bytes / 1024:,.1f} KB live" if held.working_keys else "Nothing live now"
    open_goals = times.plural(goals.total, "open goal")
    return f"{times.plural(held.working_keys, 'key')} · {open_goals}", health or Health(tone="ok", says=says)


def _episodic(seen: Seen) -> tuple[str, Health]:
    status = _here(seen.status)
    waits = status.unconsolidated
    says = f"{times.count(waits)} not consolidated yet" if waits else "All read"
    held = f"{times.plural(status.conversations, 'conversation')} · {times.plural(status.turns, 'turn')}"
    return held, Health(tone="warn" if waits else "ok", says=says)


def _semantic(seen: Seen) -> tuple[str, Health]:
    status, fading = _here(seen.status), _here(seen.fading).counts["fading"]
    says = f"{times.count(fading)} fade out within 7 days" if fading else "Nothing fades within 7 days"
    held = f"{times.plural(status.facts, 'fact')} · {times.plural(status.entities, 'entity', 'entities')}"
    return held, Health(tone="warn" if fading else "ok", says=says)


def _long_term(seen: Seen) -> tuple[str, Health]:
    files = [each for each in _files(seen) if each.layer == "long-term"]
    strategies = times.plural(_here(seen.strategies).total, "strategy", "strategies")
    return f"{times.plural(len(files), 'file')} · {strategies}", _fullest(files)


def _workspace(seen: Seen) -> tuple[str, Health]:
    status = _here(seen.status)
    held = times.plural(status.documents, "file")
    clashes, waits = len(_here(seen.clashes).rows), status.unembedded
    if clashes:
        return held, Health(tone="bad", says=f"{times.plural(clashes, 'text')} clashed with a file")
    if waits:
        return held, Health(tone="warn", says=f"{times.plural(waits, 'text')} not indexed yet")
    return held, Health(tone="ok", says="Index current")


def _files(seen: Seen) -> tuple[FileRow, ...]:
    return _here(seen.files).rows


def _fullest(files: list[FileRow]) -> Health:
    """How near the fullest file is to its budget."""
    bounded = [(each.size / each.budget, each) for each in files if each.budget]
    if not bounded:
        return Health(tone="ok", says="No budget set" if files else "Nothing yet")
    share, fullest = max(bounded, key=lambda each: each[0])
    of = f" of {fullest.agent_id}" if fullest.agent_id else ""
    tone = "bad" if share > 1 else "warn" if share >= FULL_FROM else "ok"
    return Health(tone=tone, says=f"{fullest.path}{of} {100 * share:.0f} % full")


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
        words = [times.plural(edits, "edit")]
    return " ".join(word for word in words if word)


def columns() -> tuple[Column[LayerRow], ...]:
    """Layer, what it holds, writes per day, health, new."""
    return (
        Column(title="Layer", text=lambda row: NAMES[row.name][0], width=NAME_PX, paint=_paint_name),
        Column(title="Holds", text=lambda row: row.holds, token="t1", tip=lambda row: plain(row.holds)),
        Column(
            title=f"Writes per day, {DAYS} days", text=lambda row: f"{sum(row.writes):,} writes", width=SPARK_PX + 16,
            paint=_paint_spark,
            tip=lambda row: f"{sum(row.writes):,} in {DAYS} days, {row.writes[-1] if row.writes else 0:,} today",
        ),
        Column(
            title="Health", text=lambda row: row.health.says, width=196, paint=_paint_health,
            tip=lambda row: plain(row.health.says),
        ),
        Column(title="New", text=lambda row: row.new, width=96, numeric=True, token="t1"),
    )  # fmt: skip


def _paint_name(painter: QPainter, area: QRectF, row: LayerRow, state: RowState) -> None:
    name, says, icon = NAMES[row.name]
    icons.paint(painter, icon, QPointF(area.x(), round(area.center().y() - 8)), "t2")
    words = area.adjusted(28, 0, 0, 0)
    half = words.height() / 2
    draw_text(
        painter,
        QRectF(words.x(), words.y() + 6, words.width(), half - 4),
        name,
        look.font(13, 500),
        c("t1"),
        LEFT,
    )
    below = QRectF(words.x(), words.y() + half, words.width(), half - 8)
    draw_text(painter, below, says, look.font(11), c("t3"), LEFT)


def _paint_spark(painter: QPainter, area: QRectF, row: LayerRow, state: RowState) -> None:
    """A bar a day, today in the accent, by the square root: one import must not flatten the rest."""
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
