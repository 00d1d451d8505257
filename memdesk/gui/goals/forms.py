"""Forms for changing a goal: its text and properties, its end, or what blocks it."""

from __future__ import annotations

from collections.abc import Sequence

from memdesk.gui.goals import words
from memdesk.gui.goals.choosing import GoalChoice
from memdesk.gui.inspectors.belief import named
from memdesk.gui.language import marked, tr
from memdesk.gui.widgets import Area, Control, Drop, Field, Form, Option, Segments, Text
from memdesk.model.goals import BlockGoal, CompleteGoal, GoalRef, GoalRow, GoalView, NewGoal, UpdateGoal

NEEDS_WORDS = marked("A goal needs words.")
A_DAY = marked("Write a day as 2026-11-30, or with a time as 2026-11-30 18:00.")


class GoalForm(Form):
    """Form for the text, priority, deadline and parent of a goal; for a new goal also its channel."""

    def __init__(
        self, goals: Sequence[GoalRow], *, goal: GoalRow | None, parent: GoalRef | GoalRow | None,
        channels: Sequence[Option], channel: str,
    ) -> None:  # fmt: skip
        self.goal = goal
        self.words = Area(goal.description if goal else "", name=tr("Goal"), lines=3)
        self.priority = Segments(
            [(n, str(n)) for n in range(1, 6)], goal.priority if goal else 3, name=tr("Priority")
        )
        self.deadline = Field(
            words.deadline_text(goal.deadline if goal else None),
            placeholder="2026-11-30",
            name=tr("Deadline"),
        )
        below = _below(goals, goal.id) if goal else set()
        self.parent_goal = GoalChoice(
            [each for each in goals if each.id not in below], parent, name=tr("Part of")
        )
        self.channel = Drop(channels, channel, name=tr("Channel"))
        where = [] if goal else [named(tr("Channel"), self.channel)]
        self._hint = Text(tr("1 is the least, 5 comes first"), 11, "t3")
        super().__init__(
            tr("Edit goal") if goal else tr("New part") if parent else tr("New goal"),
            tr("Save") if goal else tr("Add"),
            self.words, named(tr("Priority"), self.priority), self._hint, named(tr("Deadline"), self.deadline),
            named(tr("Part of"), self.parent_goal), *where,
        )  # fmt: skip
        self._parent = parent.id if parent else None
        self.deadline.textChanged.connect(lambda _: self.deadline.set_error())
        self.words.changed.connect(lambda _: self.words.set_error())

    def begin(self) -> None:
        """Put the cursor at the end of the text."""
        self.words.editor.setFocus()
        self.words.editor.moveCursor(self.words.editor.textCursor().MoveOperation.End)

    @property
    def begun(self) -> bool:
        """Return True if text was entered, or if the inputs are valid and differ from the existing goal."""
        if self.goal is None:
            return bool(self.words.text().strip())
        return self.words.text() != self.goal.description or (self.check() and self.asked() is not None)

    def check(self) -> bool:
        """Return True if the text is not empty and the deadline is a date; otherwise show the error."""
        try:
            words.read_deadline(self.deadline.text())
        except ValueError:
            self.deadline.set_error(tr(A_DAY))
            self.deadline.setFocus()
            return False
        good = bool(self.words.text().strip())
        self.words.set_error("" if good else tr(NEEDS_WORDS))
        return good

    def asked(self) -> NewGoal | UpdateGoal | None:
        """Return a request for a new goal or for the changed fields, None if no field changed."""
        said, priority = self.words.text().strip(), self.priority.value()
        deadline, parent = words.read_deadline(self.deadline.text()), self.parent_goal.value
        assert isinstance(priority, int)
        if self.goal is None:
            return NewGoal(
                description=said, priority=priority, deadline=deadline, parent_id=parent,
                channel=str(self.channel.value()),
            )  # fmt: skip
        same_day = words.deadline_text(self.goal.deadline) == words.deadline_text(deadline)
        asked = UpdateGoal(
            goal_id=self.goal.id, user_id=self.goal.user_id,
            description=said if said != self.goal.description else None,
            priority=priority if priority != self.goal.priority else None,
            deadline=None if same_day else deadline, no_deadline=not same_day and deadline is None,
            parent_id=parent if parent != self._parent else None,
            no_parent=parent is None and self._parent is not None,
        )  # fmt: skip
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
            self.result, *([self.parts] if open_parts else ()),
        )  # fmt: skip

    def begin(self) -> None:
        """Put the cursor into the result."""
        self.result.editor.setFocus()

    @property
    def begun(self) -> bool:
        """Return True if a result was entered."""
        return bool(self.result.text().strip())

    def asked(self) -> CompleteGoal:
        """Return the request that ends the goal."""
        return CompleteGoal(
            goal_id=self._goal.id, user_id=self._goal.user_id, status=self._status,
            result=self.result.text().strip(), with_subgoals=self.parts.isChecked(),
        )  # fmt: skip


class BlockForm(Form):
    """Form that blocks a goal by another goal or by a reason in words."""

    def __init__(self, goals: Sequence[GoalRow], goal: GoalRow) -> None:
        self._goal = goal
        open_ones = [each for each in goals if each.completed_at is None and each.id != goal.id]
        self.blocker = GoalChoice(open_ones, None, name=tr("Waits for the goal"))
        self.reason = Area(name=tr("Or for"), placeholder=tr("An answer, a delivery"), lines=2)
        super().__init__(
            tr("Block the goal"), tr("Block"), named(tr("Waits for the goal"), self.blocker),
            Text(tr("Or, in words:"), 11, "t3"), self.reason,
        )  # fmt: skip

    def begin(self) -> None:
        """Put the cursor into the goal field."""
        self.blocker.setFocus()

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
