"""Detail view of one goal: its text, its related goals, and the actions for it."""

from __future__ import annotations

from memdesk.gui.frame import times
from memdesk.gui.goals import words
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.talks.aside import AsideLine, Heading, Item
from memdesk.gui.talks.record import CONVERSATION, RecordAside
from memdesk.gui.widgets import Act, Acts, ChannelMark, Empty, Tag, Text, column, row
from memdesk.model.goals import GoalRef, GoalView

TONES = {"active": "acc", "blocked": "warn", "completed": "ok", "abandoned": "plain"}
ACTS: dict[str, Act] = {
    "complete": (marked("Complete"), "check", "C"),
    "abandon": (marked("Abandon"), "cross", "A"),
    "block": (marked("Block"), "pause", "B"),
    "free": (marked("Wait no longer"), "play", "U"),
    "reopen": (marked("Reopen"), "refresh", "O"),
    "edit": (marked("Edit"), "edit", "E"),
    "part": (marked("New part"), "plus", "Shift+N"),
    "retire": (marked("Retire"), "retire", "Del"),
}


class GoalAside(RecordAside):
    """Detail view of a goal. The signal `led` carries the id of a goal to open."""

    def __init__(self, session: Session) -> None:
        self.view: GoalView | None = None
        self.words = Text("", 15, "t1", weight=500, wrap=True, selectable=True)
        self.status = Tag()
        self.figures = Text("", 12, "t2", wrap=True)
        self.channel = ChannelMark()
        self.result = Text("", 12, "t1", wrap=True, selectable=True)
        head = column(
            self.words, row(self.status, self.channel, None, gap=10), self.figures, self.result, gap=8,
            margins=(16, 14, 16, 10),
        )  # fmt: skip
        nothing = Empty(
            tr("No goal is chosen."), tr("Choose one to see what it waits for and what is part of it.")
        )
        acts = Acts(ACTS, primary="complete")
        super().__init__(session, head, acts, name=tr("What the goal hangs together with"), nothing=nothing)

    def show_nothing(self) -> None:
        """Show that no goal is selected."""
        self.view = None
        super().show_nothing()

    def show_goal(self, view: GoalView) -> None:
        """Show a goal. An open form stays on top."""
        self.view = view
        goal = view.goal
        self.words.setText(goal.description)
        self.status.set_tag(words.status(goal.status), TONES.get(goal.status, "plain"))  # type: ignore[arg-type]
        self.channel.set_channel(goal.channel, self._session.channel_number(goal.channel))
        self.figures.setText(_figures(view))
        self.result.setText(goal.result)
        self.result.setVisible(bool(goal.result))
        self.show_details(_lines(view))

    def shown_acts(self) -> tuple[str, ...]:
        """Return the actions available for the goal shown."""
        if self.view is None:
            return ()
        if self.view.goal.completed_at is not None:
            return ("reopen", "edit", "retire")
        waits = any(_is_open(each) for each in self.view.waits_for)
        stuck = self.view.goal.status == "blocked" and not waits
        block = ("reopen",) if stuck else ("free",) if waits else ("block",)
        return ("complete", "edit", "abandon", *block, "part", "retire")

    def blocker(self) -> GoalRef | None:
        """Return the goal to stop waiting for: the selected open one, otherwise the first open one; None if
        there is none."""
        if self.view is None:
            return None
        line = self.details.record()
        chosen = line.opens if isinstance(line, Item) else ""
        waits = [each for each in self.view.waits_for if _is_open(each)]
        return next((each for each in waits if each.id == chosen), next(iter(waits), None))


def _is_open(ref: GoalRef) -> bool:
    return ref.status in ("active", "blocked")


def _figures(view: GoalView) -> str:
    """Return priority, deadline, agent, and the times at which the goal was set and ended."""
    goal = view.goal
    parts = [tr("priority {number} of 5", number=goal.priority)]
    if goal.deadline is not None:
        due = tr("overdue since {time}") if goal.overdue else tr("due {time}")
        parts.append(due.format(time=times.minute(goal.deadline)))
    if goal.agent_id:
        parts.append(goal.agent_id)
    parts.append(tr("set {time}", time=times.minute(goal.created_at)))
    if goal.completed_at is not None:
        parts.append(tr("ended {time}", time=times.minute(goal.completed_at)))
    return " · ".join(parts)


def _lines(view: GoalView) -> list[AsideLine]:
    """Return the related goals in groups (part of, parts, waits for, holds up), and the conversation it was
    set in."""
    lines: list[AsideLine] = []
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
    icon, tone = words.icon(ref.status)
    return Item(
        icon=icon,
        tone=tone,
        text=ref.description,
        note=f"{words.status(ref.status)} · {ref.channel}",
        opens=ref.id,
    )
