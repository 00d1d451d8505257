"""Goals as a tree laid out in rows: each under what it is a part of, folded branches left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memdesk.model.goals import GoalRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A goal in the tree. depth: 0 at the top; parts: how many of its parts are in the tree; open: they are shown.

    path: the ids of what it is a part of, the top first. aside: it was not looked for, and stands for its parts.
    """

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
    """Goals in their order, each with its parts below it. wanted: only these, and what leads to them; None for all.

    A goal whose parent is not among them stands at the top, as do goals that go round in a circle.
    """
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
    """Lay out what is below a goal, row by row; no recursion, so that no chain of goals is too long."""
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
    """The goals that are wanted, and what they are parts of."""
    kept: set[str] = set()
    for id in wanted:
        at: str | None = id
        while at in known and at not in kept:
            kept.add(at)
            at = known[at].parent_id
    return kept


def _is_below(goal: GoalRow, seen: set[str], known: dict[str, GoalRow]) -> bool:
    """Whether a goal was left out because a branch above it is folded."""
    passed: set[str] = set()
    at = goal.parent_id
    while at is not None and at in known and at not in passed:
        if at in seen:
            return True
        passed.add(at)
        at = known[at].parent_id
    return False
