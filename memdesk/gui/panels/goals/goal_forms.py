"""Detail view of one goal: its text, its related goals, and the actions for it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from memdesk.gui import formatting
from memdesk.gui.inspectors.belief import labelled_row
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.goals import goal_tree
from memdesk.gui.session import Session
from memdesk.gui.shell.record_detail import (
    CONVERSATION,
    Action,
    DetailLine,
    DetailLines,
    Heading,
    Item,
    RecordDetail,
)
from memdesk.gui.widgets import (
    Area,
    ChannelMark,
    Column,
    Control,
    Drop,
    Empty,
    Field,
    Form,
    List,
    Option,
    Segments,
    Tag,
    Text,
    column,
    row,
)
from memdesk.model.goal import BlockGoal, CompleteGoal, GoalRef, GoalRow, GoalView, NewGoal, UpdateGoal

ROW_PX, ROWS_AT_MOST = 28, 6


class GoalChoice(QWidget):
    """Field that selects one goal or none. `value` is its id; the signal `chosen` reports another choice.

    An emptied field means none; typed text that selects no goal leaves the choice unchanged."""

    chosen = Signal()

    def __init__(self, goals: Sequence[GoalRow], value: GoalRef | GoalRow | None, *, name: str) -> None:
        super().__init__()
        self._goals = tuple(goals)
        self.value: str | None = None if value is None else value.id
        self._text = "" if value is None else value.description
        self.field = Field(self._text, placeholder=tr("None"), name=name, icon="search")
        self.field.setCursorPosition(0)
        goal = Column[GoalRow]("", _description, icon=_icon, token="t1")
        self.matches = List(
            _description,
            name=tr("Goals to choose from"),
            columns=(goal,),
            row_px=ROW_PX,
            pad=8,
            hairlines=False,
        )
        self.matches.hide()
        # Room for the focus ring of the field.
        self.setLayout(column(self.field, self.matches, gap=2, margins=(3, 3, 3, 3)))
        self.setFocusProxy(self.field)
        self.field.textEdited.connect(self._find)
        self.field.installEventFilter(self)
        self.matches.opened.connect(self._take)
        self.matches.clicked.connect(lambda _: self._take(self.matches.record()))

    def _find(self, typed: str) -> None:
        said = typed.strip().casefold()
        if not said:
            self.value, self._text = None, ""
            self.chosen.emit()
        found = [goal for goal in self._goals if said in goal.description.casefold()][:ROWS_AT_MOST]
        self.matches.rows.set_rows(found if said else ())
        self.matches.setFixedHeight(ROW_PX * len(found))
        self.matches.setVisible(bool(found and said))

    def _take(self, goal: GoalRow | None) -> None:
        if goal is None:
            return
        self.value, self._text = goal.id, goal.description
        self.matches.hide()
        self.field.setText(goal.description)
        self.field.setCursorPosition(0)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.chosen.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle keys while matches are shown: Down goes to the list, Enter takes the first match, Esc hides
        them.

        If the field loses the focus, it shows the text of the chosen goal again."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self.matches.isVisible():
            if event.key() == Qt.Key.Key_Down:
                self.matches.choose(0)
                self.matches.setFocus(Qt.FocusReason.TabFocusReason)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._take(self.matches.rows.row(0))
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.matches.hide()
                self.field.setText(self._text)
                return True
        if event.type() == QEvent.Type.FocusOut and not self.matches.isVisible():
            self.field.setText(self._text)
        return super().eventFilter(watched, event)


def _description(goal: GoalRow) -> str:
    return goal.description


def _icon(goal: GoalRow) -> tuple[str, str]:
    return goal_tree.icon(goal.status)


A_DAY = marked("Write a day as 2026-11-30, or with a time as 2026-11-30 18:00.")


class GoalForm(Form):
    """Form for the text, priority, deadline and parent of a goal; for a new goal also its channel."""

    def __init__(
        self,
        goals: Sequence[GoalRow],
        *,
        goal: GoalRow | None,
        parent: GoalRef | GoalRow | None,
        channels: Sequence[Option],
        channel: str,
    ) -> None:
        self.goal = goal
        self.words = Area(goal.description if goal else "", name=tr("Goal"), lines=3)
        self.priority = Segments(
            [(n, str(n)) for n in range(1, 6)], goal.priority if goal else 3, name=tr("Priority")
        )
        self.deadline = Field(
            goal_tree.deadline_text(goal.deadline if goal else None),
            placeholder="2026-11-30",
            name=tr("Deadline"),
        )
        below = _below(goals, goal.id) if goal else set()
        self.parent_goal = GoalChoice(
            [each for each in goals if each.id not in below], parent, name=tr("Part of")
        )
        self.channel = Drop(channels, channel, name=tr("Channel"))
        where = [] if goal else [labelled_row(tr("Channel"), self.channel)]
        self._hint = Text(tr("1 is the least, 5 comes first"), 11, "t3")
        super().__init__(
            tr("Edit goal") if goal else tr("New part") if parent else tr("New goal"),
            tr("Save") if goal else tr("Add"),
            self.words,
            labelled_row(tr("Priority"), self.priority),
            self._hint,
            labelled_row(tr("Deadline"), self.deadline),
            labelled_row(tr("Part of"), self.parent_goal),
            *where,
            first=self.words,
            needs=(self.words,),
            lacks=(tr("A goal needs words."),),
        )
        self._parent = parent.id if parent else None
        self.deadline.textChanged.connect(lambda _: self.deadline.set_error())

    @property
    def begun(self) -> bool:
        """Return True if text was entered, or if the inputs differ from the existing goal."""
        if self.goal is None:
            return bool(self.words.text().strip())
        try:
            return self.words.text() != self.goal.description or self.asked() is not None
        except ValueError:
            # What was typed as a deadline is no day yet, and would be lost all the same.
            return True

    def check(self) -> bool:
        """Return True if the text is not empty and the deadline is a date; otherwise show the error."""
        try:
            goal_tree.read_deadline(self.deadline.text())
        except ValueError:
            self.deadline.set_error(tr(A_DAY))
            self.deadline.setFocus()
            return False
        return super().check()

    def asked(self) -> NewGoal | UpdateGoal | None:
        """Return a request for a new goal or for the changed fields, None if no field changed."""
        said, priority = self.words.text().strip(), self.priority.value()
        deadline, parent = goal_tree.read_deadline(self.deadline.text()), self.parent_goal.value
        assert isinstance(priority, int)
        if self.goal is None:
            return NewGoal(
                description=said,
                priority=priority,
                deadline=deadline,
                parent_id=parent,
                channel=str(self.channel.value()),
            )
        same_day = goal_tree.deadline_text(self.goal.deadline) == goal_tree.deadline_text(deadline)
        asked = UpdateGoal(
            goal_id=self.goal.id,
            user_id=self.goal.user_id,
            description=said if said != self.goal.description else None,
            priority=priority if priority != self.goal.priority else None,
            deadline=None if same_day else deadline,
            no_deadline=not same_day and deadline is None,
            parent_id=parent if parent != self._parent else None,
            no_parent=parent is None and self._parent is not None,
        )
        return None if asked == UpdateGoal(goal_id=self.goal.id, user_id=self.goal.user_id) else asked


class EndForm(Form):
    """Form that completes or abandons a goal, with a result, and optionally with its open parts."""

    def __init__(self, view: GoalView, status: str) -> None:
        self._goal, self._status = view.goal, status
        open_parts = [part for part in view.subgoals if part.status in ("active", "blocked")]
        done = status == "completed"
        self.result = Area(
            name=tr("Result"), placeholder=tr("What came of it") if done else tr("Why"), lines=3
        )
        self.parts = Control("chip", tr("%Ln open part(s) too", "", len(open_parts)), "check")
        super().__init__(
            tr("Complete the goal") if done else tr("Abandon the goal"),
            tr("Complete") if done else tr("Abandon"),
            self.result,
            *([self.parts] if open_parts else ()),
            first=self.result,
        )

    def asked(self) -> CompleteGoal:
        return CompleteGoal(
            goal_id=self._goal.id,
            user_id=self._goal.user_id,
            status=self._status,
            result=self.result.text().strip(),
            with_subgoals=self.parts.isChecked(),
        )


class BlockForm(Form):
    """Form that blocks a goal by another goal or by a reason in words."""

    def __init__(self, goals: Sequence[GoalRow], goal: GoalRow) -> None:
        self._goal = goal
        open_ones = [each for each in goals if each.completed_at is None and each.id != goal.id]
        self.blocker = GoalChoice(open_ones, None, name=tr("Waits for the goal"))
        self.reason = Area(name=tr("Or for"), placeholder=tr("An answer, a delivery"), lines=2)
        super().__init__(
            tr("Block the goal"),
            tr("Block"),
            labelled_row(tr("Waits for the goal"), self.blocker),
            Text(tr("Or, in words:"), 11, "t3"),
            self.reason,
            first=self.blocker,
        )

    @property
    def begun(self) -> bool:
        """Return True if a blocking goal or a reason was entered."""
        return bool(self.reason.text().strip() or self.blocker.value)

    def check(self) -> bool:
        """Return True if exactly one of goal and reason is given; otherwise show the error."""
        said = bool(self.reason.text().strip()) != bool(self.blocker.value)
        wrong = tr("Choose a goal or say in words what it waits for, one of the two.")
        self.reason.set_error("" if said else wrong)
        self.blocker.field.set_error("" if said else tr("one of the two"))
        return said

    def asked(self) -> BlockGoal | CompleteGoal:
        """Return the request that blocks the goal by another goal, or by the reason."""
        if self.blocker.value is not None:
            return BlockGoal(goal_id=self._goal.id, user_id=self._goal.user_id, blocker_id=self.blocker.value)
        reason = self.reason.text().strip()
        return CompleteGoal(
            goal_id=self._goal.id, user_id=self._goal.user_id, status="blocked", result=reason
        )


def _below(goals: Sequence[GoalRow], id: str) -> set[str]:
    """Return the ids of a goal and of all its direct and indirect parts, which cannot become its parent."""
    below, grew = {id}, True
    while grew:
        more = {goal.id for goal in goals if goal.parent_id in below} - below
        grew = bool(more)
        below |= more
    return below


TONES = {"active": "acc", "blocked": "warn", "completed": "ok", "abandoned": "plain"}
ACTS: dict[str, Action] = {
    "complete": (marked("Complete"), "check", "C"),
    "abandon": (marked("Abandon"), "cross", "A"),
    "block": (marked("Block"), "pause", "B"),
    "free": (marked("Wait no longer"), "play", "U"),
    "reopen": (marked("Reopen"), "refresh", "O"),
    "edit": (marked("Edit"), "edit", "E"),
    "part": (marked("New part"), "plus", "Shift+N"),
    "retire": (marked("Retire"), "retire", "Del"),
}


class GoalDetail(RecordDetail):
    """Detail of a goal. The signal `led` carries the id of a goal to open."""

    record: GoalView | None

    def __init__(self, session: Session) -> None:
        self.words = Text("", 15, "t1", weight=500, wrap=True, selectable=True)
        self.status = Tag()
        self.figures = Text("", 12, "t2", wrap=True)
        self.channel = ChannelMark()
        self.result = Text("", 12, "t1", wrap=True, selectable=True)
        head = column(
            self.words,
            row(self.status, self.channel, None, gap=10),
            self.figures,
            self.result,
            gap=8,
            margins=(16, 14, 16, 10),
        )
        nothing = Empty(
            tr("No goal is chosen."), tr("Choose one to see what it waits for and what is part of it.")
        )
        self.details = DetailLines(tr("What the goal hangs together with"))
        super().__init__(session, head, self.details, ACTS, nothing=nothing, primary="complete")

    def show_goal(self, view: GoalView) -> None:
        """Show a goal. An open form stays on top."""
        goal = view.goal
        self.words.setText(goal.description)
        self.status.set_tag(goal_tree.status(goal.status), TONES.get(goal.status, "plain"))  # type: ignore[arg-type]
        self.channel.set_channel(goal.channel, self._session.channel_number(goal.channel))
        self.figures.setText(_figures(view))
        self.result.show_text(goal.result)
        self.details.show_lines(_lines(view))
        self.show_detail(view)

    def acts_for(self, record: GoalView) -> tuple[str, ...]:
        """Return the actions available for a goal."""
        if record.goal.completed_at is not None:
            return ("reopen", "edit", "retire")
        waits = any(_is_open(each) for each in record.waits_for)
        stuck = record.goal.status == "blocked" and not waits
        block = ("reopen",) if stuck else ("free",) if waits else ("block",)
        return ("complete", "edit", "abandon", *block, "part", "retire")

    def blocker(self) -> GoalRef | None:
        """Return the goal to stop waiting for: the selected open one, otherwise the first open one; None if
        there is none."""
        if self.record is None:
            return None
        waits = [each for each in self.record.waits_for if _is_open(each)]
        return next((each for each in waits if each.id == self.details.opens), next(iter(waits), None))


def _is_open(ref: GoalRef) -> bool:
    return ref.status in ("active", "blocked")


def _figures(view: GoalView) -> str:
    """Return priority, deadline, agent, and the times at which the goal was set and ended."""
    goal = view.goal
    parts = [tr("priority {number} of 5", number=goal.priority)]
    if goal.deadline is not None:
        due = tr("overdue since {time}") if goal.overdue else tr("due {time}")
        parts.append(due.format(time=formatting.minute(goal.deadline)))
    if goal.agent_id:
        parts.append(goal.agent_id)
    parts.append(tr("set {time}", time=formatting.minute(goal.created_at)))
    if goal.completed_at is not None:
        parts.append(tr("ended {time}", time=formatting.minute(goal.completed_at)))
    return " · ".join(parts)


def _lines(view: GoalView) -> list[DetailLine]:
    """Return the related goals in groups (part of, parts, waits for, holds up), and the conversation it was
    set in."""
    lines: list[DetailLine] = []
    groups = (
        (tr("Part of"), () if view.parent is None else (view.parent,)),
        (tr("Parts"), view.subgoals),
        (tr("Waits for"), view.waits_for),
        (tr("Holds up"), view.holds_up),
    )
    for title, refs in groups:
        if refs:
            lines.append(Heading(title=title, note=f"{len(refs):,}" if len(refs) > 1 else ""))
            lines += [_line(ref) for ref in refs]
    if view.goal.conversation_id is not None:
        lines.append(Heading(title=tr("Set in"), note=""))
        opens = CONVERSATION + view.goal.conversation_id
        lines.append(
            Item(icon="conversations", tone="t2", text=tr("Open the conversation"), note="", opens=opens)
        )
    return lines


def _line(ref: GoalRef) -> Item:
    icon, tone = goal_tree.icon(ref.status)
    return Item(
        icon=icon,
        tone=tone,
        text=ref.description,
        note=f"{goal_tree.status(ref.status)} · {ref.channel}",
        opens=ref.id,
    )
