"""Tree of goals as rows: each goal below the goal it is part of, without the folded branches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memdesk.model.goals import GoalRow


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
    _lay("", (), parts, folded, wanted, laid, seen)
    for goal in goals:
        if goal.id in kept and goal.id not in seen and not _is_below(goal, seen, known):
            parts[""] = [goal]
            _lay("", (), parts, folded, wanted, laid, seen)
    return laid


def _lay(
    parent: str, path: tuple[str, ...], parts: dict[str, list[GoalRow]], folded: Collection[str],
    wanted: Collection[str] | None, laid: list[Branch], seen: set[str],
) -> None:  # fmt: skip
    """Add the rows below a goal. Works without recursion, so that a chain of goals may have any length."""
    waiting = [(goal, path) for goal in reversed(parts[parent])]
    while waiting:
        goal, above = waiting.pop()
        if goal.id in seen:
            continue
        seen.add(goal.id)
        below = parts.get(goal.id, [])
        is_open = goal.id not in folded
        laid.append(
            Branch(
                goal=goal, depth=len(above), parts=len(below), open=is_open and bool(below), path=above,
                aside=wanted is not None and goal.id not in wanted,
            )
        )  # fmt: skip
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
