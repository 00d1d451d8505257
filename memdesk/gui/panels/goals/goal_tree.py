"""Tree of goals, folded and navigated with the keyboard; dragging a goal onto another makes it a part of
that goal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication

from memdesk.gui import formatting, icons, look
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.widgets import Column, RowsModel, RowState, Table
from memdesk.gui.widgets.columns import PAD_PX
from memdesk.gui.widgets.paint import box, draw_text
from memdesk.gui.widgets.text import tip_text
from memdesk.model.goal import GoalRow

STATUSES = {
    "active": (marked("active"), "goals", "acc"),
    "blocked": (marked("blocked"), "pause", "warn"),
    "completed": (marked("completed"), "check", "ok"),
    "abandoned": (marked("abandoned"), "cross", "t3"),
}
"""Label, icon and tone of each status."""


def status(name: str) -> str:
    return tr(STATUSES[name][0]) if name in STATUSES else name


def icon(name: str) -> tuple[str, str]:
    """Return (icon, its tone) of a status."""
    return STATUSES.get(name, ("", "info", "t3"))[1:]


def due(goal: GoalRow) -> str:
    """Return the due date or the end of a goal: “24 Nov”, “overdue, 20 Nov”, “ended 24 Nov”; empty if it has
    none."""
    if goal.completed_at is not None:
        return tr("ended {day}", day=formatting.day(goal.completed_at))
    if goal.deadline is None:
        return ""
    return (
        tr("overdue, {day}", day=formatting.day(goal.deadline))
        if goal.overdue
        else formatting.day(goal.deadline)
    )


def deadline_text(deadline: datetime | None) -> str:
    """Return a deadline in the form a person types; only the date if the time is 23:59."""
    if deadline is None:
        return ""
    here = formatting.local(deadline)
    return f"{here:%Y-%m-%d}" if (here.hour, here.minute) == (23, 59) else f"{here:%Y-%m-%d %H:%M}"


def read_deadline(text: str) -> datetime | None:
    """Return a typed deadline: “2026-11-30”, meaning 23:59 of that day, or “2026-11-30 18:00”; None if empty.

    Raises ValueError for anything else."""
    said = " ".join(text.split())
    if not said:
        return None
    when = datetime.fromisoformat(said)
    if len(said) <= len("2026-11-30"):
        when = when.replace(hour=23, minute=59)
    return when.astimezone()


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """Goal in the tree. depth: 0 at the top; parts: number of its parts in the tree; open: the parts are
    shown.

    path: the ids of the goals above it, the top first. aside: it does not match the search, but leads to a
    goal that does."""

    goal: GoalRow
    depth: int
    parts: int
    open: bool
    path: tuple[str, ...] = ()
    aside: bool = False

    @property
    def id(self) -> str:
        return self.goal.id


def branches(
    goals: Sequence[GoalRow], folded: Collection[str], wanted: Collection[str] | None = None
) -> list[Branch]:
    """Return goals in their order, each with its parts below it. wanted: only these and the goals above them;
    None for all.

    A goal whose parent is missing is at the top, as are goals that form a cycle."""
    known = {goal.id: goal for goal in goals}
    kept = set(known) if wanted is None else _with_above(known, wanted)
    parts: dict[str, list[GoalRow]] = defaultdict(list)
    for goal in goals:
        if goal.id in kept:
            parts[goal.parent_id if goal.parent_id in kept else ""].append(goal)
    laid: list[Branch] = []
    seen: set[str] = set()
    _lay(parts, folded, wanted, laid, seen)
    for goal in goals:
        if goal.id in kept and goal.id not in seen and not _is_below(goal, seen, known):
            parts[""] = [goal]
            _lay(parts, folded, wanted, laid, seen)
    return laid


def _lay(
    parts: dict[str, list[GoalRow]],
    folded: Collection[str],
    wanted: Collection[str] | None,
    laid: list[Branch],
    seen: set[str],
) -> None:
    """Add the rows below a goal. Works without recursion, so that a chain of goals may have any length."""
    waiting: list[tuple[GoalRow, tuple[str, ...]]] = [(goal, ()) for goal in reversed(parts[""])]
    while waiting:
        goal, above = waiting.pop()
        if goal.id in seen:
            continue
        seen.add(goal.id)
        below = parts.get(goal.id, [])
        is_open = goal.id not in folded
        laid.append(
            Branch(
                goal=goal,
                depth=len(above),
                parts=len(below),
                open=is_open and bool(below),
                path=above,
                aside=wanted is not None and goal.id not in wanted,
            )
        )
        if is_open:
            waiting += [(each, (*above, goal.id)) for each in reversed(below)]


def _with_above(known: dict[str, GoalRow], wanted: Collection[str]) -> set[str]:
    """Return the ids of the wanted goals and of the goals above them."""
    kept: set[str] = set()
    for id in wanted:
        at: str | None = id
        while at in known and at not in kept:
            kept.add(at)
            at = known[at].parent_id
    return kept


def _is_below(goal: GoalRow, seen: set[str], known: dict[str, GoalRow]) -> bool:
    """Return True if a goal has an ancestor that was added, so it was left out only because a branch is
    folded."""
    passed: set[str] = set()
    at = goal.parent_id
    while at is not None and at in known and at not in passed:
        if at in seen:
            return True
        passed.add(at)
        at = known[at].parent_id
    return False


STEP_PX, FOLD_PX = 18, 18
TOP = ""
"""Drop target for a goal that becomes part of no other goal."""


class GoalTree(Table):
    """Tree of goals. Signals: moved carries a goal's id and the id it was dropped on, TOP for none; turned, a
    branch to fold or open; shifted, −1 to move the chosen goal up one level or 1 to put it under the goal
    above."""

    moved = Signal(str, str)
    turned = Signal(object, bool)
    shifted = Signal(int)

    def __init__(self, session: Session) -> None:
        self.rows_model = RowsModel[Branch](columns(session), said=said)
        super().__init__(self.rows_model, name=tr("Goals"))
        self._pressed: tuple[QPoint, Branch] | None = None
        self._target: str | None = None

    def branches(self) -> tuple[Branch, ...]:
        return self.rows_model.rows()

    def replace_rows(self, rows: Sequence[Any], choose: str = "", *, or_first: bool = True) -> Any:
        """Replace the rows. Cancels a drag."""
        self.give_up_drag()
        return super().replace_rows(rows, choose, or_first=or_first)

    # Pointer.

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Fold or open a branch if its mark was pressed; elsewhere, prepare a drag."""
        at = event.position().toPoint()
        branch = self.indexAt(at).data(Qt.ItemDataRole.UserRole)
        if event.button() != Qt.MouseButton.LeftButton or branch is None:
            super().mousePressEvent(event)
            return
        if branch.parts and self._on_fold(at, branch):
            self.turned.emit(branch, not branch.open)
            return
        super().mousePressEvent(event)
        self._pressed = (at, branch)

    def _on_fold(self, at: QPoint, branch: Branch) -> bool:
        left = PAD_PX + branch.depth * STEP_PX
        return self.indexAt(at).column() == 0 and left - 4 <= at.x() < left + FOLD_PX

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Continue a drag, and mark the goal that would receive the dragged one."""
        if self._pressed is None:
            super().mouseMoveEvent(event)
            return
        start, branch = self._pressed
        at = event.position().toPoint()
        if self._target is None and (at - start).manhattanLength() < QApplication.startDragDistance():
            return
        over: Branch | None = self.indexAt(at).data(Qt.ItemDataRole.UserRole)
        can = over is None or not (over.id == branch.id or branch.id in over.path)
        self._target = (TOP if over is None else over.id) if can else branch.id
        shape = Qt.CursorShape.DragMoveCursor if can else Qt.CursorShape.ForbiddenCursor
        self.viewport().setCursor(shape)
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag: emit `moved` if the goal was dropped on another one."""
        super().mouseReleaseEvent(event)
        pressed, target = self._pressed, self._target
        self.give_up_drag()
        if pressed is None or target is None:
            return
        goal = pressed[1].goal
        if target not in (goal.id, goal.parent_id or TOP):
            self.moved.emit(goal.id, target)

    def give_up_drag(self) -> None:
        """Cancel the drag without a change."""
        self._pressed = self._target = None
        self.viewport().unsetCursor()
        self.viewport().update()

    @property
    def dragging(self) -> bool:
        return self._target is not None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows, then a ring around the drop target of a drag."""
        super().paintEvent(event)
        if self._target is None or self._pressed is None or self._target == self._pressed[1].id:
            return
        painter = QPainter(self.viewport())
        place = next((n for n, row in enumerate(self.branches()) if row.id == self._target), None)
        if place is None:
            rect = QRectF(self.viewport().rect())
        else:
            high = self.rowHeight(place)
            rect = QRectF(0, self.rowViewportPosition(place), self.viewport().width(), high)
        box(painter, rect.adjusted(1, 1, -1, -1), 3, None, c("acc"))
        painter.end()

    # Keyboard.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Fold and open with Left and Right; with Ctrl, move the goal up one level or under the goal above."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if not step or held not in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier):
            super().keyPressEvent(event)
        elif held:
            self.shifted.emit(step)
        else:
            self._turn(step)

    def _turn(self, step: int) -> None:
        """Open a branch or go into it with Right (1); fold it or go to its parent with Left (−1)."""
        self.by_keyboard = True
        branch: Branch | None = self.record()
        if branch is None:
            return
        if branch.parts and branch.open != (step > 0):
            self.turned.emit(branch, step > 0)
        elif step > 0 and branch.open:
            self.choose(self.currentIndex().row() + 1)
        elif step < 0 and branch.path:
            self.choose_id(branch.path[-1])


def columns(session: Session) -> tuple[Column[Branch], ...]:
    """Return the columns: goal, due date, priority, channel and agent."""
    return (
        Column(
            tr("Goal"),
            lambda row: row.goal.description,
            paint=_paint_goal,
            tip=lambda row: tip_text(row.goal.description),
        ),
        Column(
            tr("Due"),
            lambda row: due(row.goal),
            width=124,
            token=lambda row: "bad" if row.goal.overdue else "t2",
            tip=lambda row: formatting.full(row.goal.deadline) if row.goal.deadline else "",
        ),
        Column(tr("Priority"), lambda row: str(row.goal.priority), width=74),
        Column(
            tr("Channel"),
            lambda row: row.goal.channel,
            width=128,
            hidden_below=620,
            channel=session.channel_number,
        ),
        Column(tr("Agent"), lambda row: row.goal.agent_id or "", width=96, hidden_below=740),
    )


def said(branch: Branch) -> str:
    """Return a goal as text for a screen reader."""
    parts = [branch.goal.description, status(branch.goal.status)]
    parts.append(tr("level {number}", number=branch.depth + 1))
    if branch.parts:
        parts.append(
            tr("%Ln part(s)", "", branch.parts)
            if branch.open
            else tr("%Ln part(s), folded", "", branch.parts)
        )
    return ", ".join(parts)


def _paint_goal(painter: QPainter, area: QRectF, branch: Branch, state: RowState) -> None:
    middle = round(area.center().y() - 8)
    left = area.x() + branch.depth * STEP_PX
    if branch.parts:
        icons.paint(painter, "down" if branch.open else "right", QPointF(left - 1, middle), "t3")
    name, tone = icon(branch.goal.status)
    icons.paint(painter, name, QPointF(left + FOLD_PX, middle), tone)
    ended = branch.goal.completed_at is not None
    face = look.font(13, italic=branch.aside, strike=branch.goal.status == "abandoned")
    ink = c("t3" if ended or branch.aside else "t1")
    room = area.adjusted(left - area.x() + FOLD_PX + 22, 0, 0, 0)
    taken = draw_text(painter, room, branch.goal.description, face, ink)
    if branch.parts and not branch.open:
        rest = room.adjusted(taken + 8, 0, 0, 0)
        draw_text(painter, rest, f"{branch.parts:,}", look.font(11, tabular=True), c("t3"))
