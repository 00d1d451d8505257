"""Goals: the agents' goals as a tree, with blockers and results."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memdesk.api import curation, goals
from memdesk.api.endpoint import Endpoint
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.goals.goal_forms import BlockForm, EndForm, GoalDetail, GoalForm
from memdesk.gui.panels.goals.goal_tree import TOP, Branch, GoalTree, branches
from memdesk.gui.session import Session
from memdesk.gui.shell.record_panel import RecordPanel, Records
from memdesk.gui.widgets import Form, Option, Segments
from memdesk.gui.widgets.text import excerpt
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import Retire
from memdesk.model.goal import (
    OPEN,
    AskGoal,
    BlockGoal,
    CompleteGoal,
    GoalChanged,
    GoalRef,
    GoalRow,
    GoalView,
    ListGoals,
    NewGoal,
    ReopenGoal,
    UpdateGoal,
)

Change = NewGoal | UpdateGoal | CompleteGoal | ReopenGoal | BlockGoal
Call = Endpoint[Any, GoalChanged]


def call_for(ask: Change, goal: str) -> tuple[Call, str]:
    """Return (the call, its sentence) for a request. goal: the previous text of the goal."""
    title = excerpt(goal)
    match ask:
        case NewGoal():
            return goals.ADD, tr("New goal: “{title}”", title=excerpt(ask.description))
        case UpdateGoal():
            return goals.UPDATE, tr("Edited “{title}”", title=excerpt(ask.description or goal))
        case BlockGoal():
            return goals.BLOCK_BY, tr("“{title}” waits for another goal", title=title)
        case ReopenGoal():
            return goals.REOPEN, tr("Reopened “{title}”", title=title)
        case CompleteGoal(status="completed"):
            return goals.COMPLETE, tr("Completed “{title}”", title=title)
        case CompleteGoal(status="abandoned"):
            return goals.COMPLETE, tr("Abandoned “{title}”", title=title)
        case CompleteGoal():
            return goals.COMPLETE, tr("Blocked “{title}”", title=title)


def moved_sentence(goal: str, parent: str) -> str:
    """Return the sentence for a goal with another parent; parent: its text, empty for none."""
    if parent:
        return tr("“{goal}” is part of “{parent}” now", goal=excerpt(goal), parent=excerpt(parent))
    return tr("“{goal}” stands by itself now", goal=excerpt(goal))


def freed_sentence(goal: str, blocker: str) -> str:
    return tr("“{goal}” waits no longer for “{blocker}”", goal=excerpt(goal), blocker=excerpt(blocker))


AT_ONCE, GOALS_AT_MOST = 1000, 5000
WHICH = (("open", marked("Still open")), ("ended", marked("Ended")), ("all", marked("All")))
STATUSES: dict[object, tuple[str, ...]] = {"open": OPEN, "ended": ("completed", "abandoned"), "all": ()}


class GoalsPanel(RecordPanel):
    """Tree of goals at the left, the chosen goal at the right."""

    name = "goals"
    kinds = ("goal", "relation")
    unsaved_words = marked("what you wrote about a goal")
    records: Records

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._goals: tuple[GoalRow, ...] = ()
        self._total = 0
        self._folded: set[str] = set()
        self.which = Segments([(value, tr(says)) for value, says in WHICH], "open", name=tr("Which goals"))
        self.tree, self.aside = GoalTree(session), GoalDetail(session)
        self.records = Records(session, self.tree, self.aside, self._read)
        search = self.search_field(tr("Filter goals"), then=self._show_tree)
        new = self.new_button(tr("New goal"), lambda: self._begin_new(None))
        self.lay_out(self.records, focus=self.tree, actions=(self.which, search, new))
        self.which.chosen.connect(lambda _: self.reload())
        self.tree.opened.connect(lambda branch: self.inspector.show_memory(branch.id))
        self.tree.moved.connect(self._move)
        self.tree.turned.connect(self._turn)
        self.tree.shifted.connect(self._shift)
        self.aside.asked.connect(self._begin)
        self.aside.led.connect(self.select)
        self.aside.talked.connect(lambda id: self.inspector.navigated.emit("conversations", id))

    # Loading.

    async def load(self) -> None:
        """Load the goals by priority, at most GOALS_AT_MOST; the chosen one stays chosen."""
        ask = ListGoals(statuses=STATUSES[self.which.value()], channels=self.session.channels, limit=AT_ONCE)
        page = await self.session.call(goals.LIST, ask)
        rows = list(page.rows)
        while len(rows) < min(page.total, GOALS_AT_MOST) and page.rows:
            page = await self.session.call(goals.LIST, replace(ask, first=len(rows)))
            rows += page.rows
        agents = self.session.agents
        self._goals = tuple(goal for goal in rows if not agents or goal.agent_id in agents)
        self._total = page.total
        if self._goals or self.aside.stack.form is not None:
            self._show_tree()
            self.show_content()
        else:
            self._show_none()

    def _show_tree(self) -> None:
        said = self.sought.casefold()
        wanted = None
        if said:
            wanted = {
                goal.id
                for goal in self._goals
                if said in goal.description.casefold() or said in goal.result.casefold()
            }
        self.records.show_rows(branches(self._goals, () if said else self._folded, wanted))
        self._say(len(wanted) if wanted is not None else None)

    def _say(self, found: int | None) -> None:
        many = tr("%Ln goal(s)", "", self._total if not self.session.agents else len(self._goals))
        if found is not None:
            many = tr("{found} of {many}", found=f"{found:,}", many=many)
        elif self._total > GOALS_AT_MOST:
            many = tr("the first {shown} of {many}", shown=f"{GOALS_AT_MOST:,}", many=many)
        overdue = sum(goal.overdue for goal in self._goals)
        late = tr("%Ln overdue", "", overdue)
        self.say(tr("{many}, {late}", many=many, late=late) if overdue else many)

    def _show_none(self) -> None:
        self.say("")
        self.records.show_rows(())
        if self.is_filtered:
            self.show_none_here(
                tr("There are no goals here."), tr("The channels and agents of the top bar leave none.")
            )
            return
        none = {"open": tr("No goal is open."), "ended": tr("No goal has ended."), "all": tr("No goals yet.")}
        self.show_empty(
            none[str(self.which.value())],
            tr("Agents set goals as they plan, and so can you."),
            step=tr("New goal"),
            take=lambda: self._begin_new(None),
        )

    async def _read(self, branch: Branch) -> None:
        self.aside.show_goal(await self.session.call(goals.GET, AskGoal(goal_id=branch.id)))

    # The tree.

    def select(self, id: str) -> None:
        """Show a goal by its id; folds and filters that hide it are removed."""
        self._folded.clear()
        self.filter.clear()
        self.tree.wanted = id
        if any(goal.id == id for goal in self._goals):
            self._show_tree()
        else:
            self.which.set_value("all")
            self.reload()

    def _turn(self, branch: Branch, is_open: bool) -> None:
        (self._folded.discard if is_open else self._folded.add)(branch.id)
        self._show_tree()

    def _shift(self, step: int) -> None:
        """Move the chosen goal: for a positive step under the goal above it, for a negative one out of its
        parent."""
        branch: Branch | None = self.tree.record()
        if branch is None:
            return
        if step < 0:
            if branch.path:
                self._move(branch.id, branch.path[-2] if len(branch.path) > 1 else TOP)
            return
        rows = self.tree.branches()[: self.tree.currentIndex().row()]
        above = next((row for row in reversed(rows) if row.depth <= branch.depth), None)
        if above is not None and above.depth == branch.depth and above.path == branch.path:
            self._move(branch.id, above.id)

    def _move(self, id: str, parent: str) -> None:
        words = {goal.id: goal.description for goal in self._goals}
        goal = next(goal for goal in self._goals if goal.id == id)
        ask = UpdateGoal(goal_id=id, user_id=goal.user_id, parent_id=parent or None, no_parent=not parent)
        self._folded.discard(parent)
        self.session.spawn(self._do(goals.UPDATE, ask, moved_sentence(words[id], words.get(parent, ""))))

    # What can be done.

    def step_back(self) -> bool:
        """Close a form, or cancel a drag."""
        if self.tree.dragging:
            self.tree.give_up_drag()
            return True
        return super().step_back()

    def _begin(self, act: str, view: GoalView) -> None:
        goal = view.goal
        match act:
            case "complete" | "abandon":
                self._open(EndForm(view, "completed" if act == "complete" else "abandoned"))
            case "block":
                self._open(BlockForm(self._goals, goal))
            case "edit":
                self._open(self._form(goal, view.parent))
            case "part":
                self._begin_new(goal)
            case "free":
                self._free(view)
            case "reopen":
                self._save(ReopenGoal(goal_id=goal.id, user_id=goal.user_id), goal.description)
            case "retire":
                self.session.spawn(self._retire(goal))

    def _free(self, view: GoalView) -> None:
        blocker = self.aside.blocker()
        if blocker is not None:
            ask = BlockGoal(goal_id=view.goal.id, user_id=view.goal.user_id, blocker_id=blocker.id)
            says = freed_sentence(view.goal.description, blocker.description)
            self.session.spawn(self._do(goals.UNBLOCK, ask, says))

    def _open(self, form: Form) -> None:
        view = self.aside.record
        words = view.goal.description if view else ""
        self.aside.stack.open_form(form, lambda ask: self._save(ask, words))

    def _form(self, goal: GoalRow | None, parent: GoalRef | GoalRow | None) -> GoalForm:
        rows = self.session.status.channels if self.session.status else ()
        options = [Option(row.name, row.name, channel=row.number) for row in rows]
        options = options or [Option(GLOBAL, GLOBAL, channel=0)]
        here = (parent.channel if parent else "") or next(iter(self.session.channels), GLOBAL)
        return GoalForm(self._goals, goal=goal, parent=parent, channels=options, channel=here)

    def _begin_new(self, parent: GoalRow | None) -> None:
        self.show_content()
        self._open(self._form(None, parent))

    def _save(self, ask: Change, words: str) -> None:
        call, says = call_for(ask, words)
        self.session.spawn(self._do(call, ask, says))

    async def _do(self, call: Call, ask: Change, says: str) -> None:
        """Change a goal; if the change is refused, the form stays open, so that the typed text is not lost."""
        done = await self.session.do(call, ask, says)
        self.aside.stack.close_form()
        if isinstance(ask, NewGoal):
            self.tree.wanted = done.id
        self.reload()

    async def _retire(self, goal: GoalRow) -> None:
        says = tr("Retired “{title}”", title=excerpt(goal.description))
        await self.session.do(curation.RETIRE, Retire(id=goal.id), says)
