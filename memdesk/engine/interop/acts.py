"""Acts of the sample script other than talk and facts: goals, tool calls, strategies, profile entries, tags,
proposals, prompts, compactions.

Each act is one line of readable text; the everyday acts, talking and learning, are read in `script`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from memdesk.model.errors import Refused
from memdesk.model.goal import STATUSES
from memdesk.model.profile import ASPECTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Aims:
    """The agent sets a goal. due: days from today; part_of and after are the descriptions of other goals."""

    description: str
    priority: int
    due: int | None = None
    part_of: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """The agent ends a goal. status: completed, abandoned or blocked."""

    description: str
    status: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Uses:
    """The agent called a tool. error: the tool's error message if it failed."""

    tool: str
    task: str
    ms: int
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Masters:
    """The agent learns a strategy: its description, the context it applies in, and its tools in order."""

    description: str
    context: str
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """The agent adds a profile entry about the person."""

    aspect: str
    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tags:
    """The agent tags a fact."""

    claim: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggests:
    """The agent asks the person to promote a fact."""

    claim: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Primes:
    """The agent gets its prompt context before its next turn. budget: tokens at most."""

    budget: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Compacts:
    """The agent's context is compacted. window: size of its model's window in tokens."""

    policy: str
    window: int


Kept = Primes | Compacts | Aims | Ends | Uses | Masters | Notes | Tags | Suggests

_DUE = re.compile(r"day (\d+)$")
_ENDED = re.compile(r'(\w+) "(.+)"$')
_TIMED = re.compile(r"(ok|failed) (\d+) ms$")
_TOKENS = re.compile(r"\d+")
_CLAIM = re.compile(r'"(.+)"$')


def need(found: re.Match[str] | None, where: str, what: str) -> re.Match[str]:
    """Return the match. Raises Refused if the line did not match."""
    if found is None:
        raise Refused(f"{where}: this does not read as {what}.")
    return found


def names(text: str) -> tuple[str, ...]:
    """Return the names of a comma-separated list."""
    return tuple(name for part in text.split(",") if (name := part.strip()))


def _aims(text: str, where: str) -> Aims:
    priority, description, *more = _parts(text, 2, where, "a goal")
    if not priority.isdecimal():
        raise Refused(f"{where}: a goal begins with its priority, 1 to 5.")
    return Aims(
        description=description, priority=int(priority), due=_due(more), part_of=_after(more, "part of "),
        after=_after(more, "after "),
    )  # fmt: skip


def _due(parts: list[str]) -> int | None:
    found = [days[1] for part in parts if (days := _DUE.match(part))]
    return int(found[0]) if found else None


def _after(parts: list[str], word: str) -> str | None:
    return next((part.removeprefix(word) for part in parts if part.startswith(word)), None)


def _ends(text: str, where: str) -> Ends:
    goal, *result = _parts(text, 1, where, "the end of a goal")
    found = need(_ENDED.match(goal), where, 'the end of a goal, as in completed "a goal"')
    if found[1] not in STATUSES:
        raise Refused(f"{where}: “{found[1]}” is no end of a goal.")
    return Ends(description=found[2], status=found[1], result=" ".join(result))


def _uses(text: str, where: str) -> Uses:
    tool, task, how, *error = _parts(text, 3, where, "a tool call")
    found = need(_TIMED.match(how), where, "how a tool did, as in ok 120 ms")
    if (found[1] == "failed") != bool(error):
        raise Refused(f"{where}: a tool that failed says why, and no other.")
    return Uses(tool=tool, task=task, ms=int(found[2]), error=" ".join(error))


def _masters(text: str, where: str) -> Masters:
    description, context, tools = _parts(text, 3, where, "a strategy")[:3]
    return Masters(description=description, context=context, tools=names(tools))


def _notes(text: str, where: str) -> Notes:
    aspect, name, value = _parts(text, 3, where, "an entry of a profile")[:3]
    if aspect not in ASPECTS:
        raise Refused(f"{where}: “{aspect}” is no part of a profile.")
    return Notes(aspect=aspect, name=name, value=value)


def _tags(text: str, where: str) -> Tags:
    claim, tags = _parts(text, 2, where, "tags")[:2]
    return Tags(claim=need(_CLAIM.match(claim), where, "a claim in quotes")[1], tags=names(tags))


def _suggests(text: str, where: str) -> Suggests:
    claim, reason = _parts(text, 2, where, "a proposal")[:2]
    return Suggests(claim=need(_CLAIM.match(claim), where, "a claim in quotes")[1], reason=reason)


def _primes(text: str, where: str) -> Primes:
    return Primes(budget=int(need(_TOKENS.fullmatch(text), where, "a number of tokens")[0]))


def _compacts(text: str, where: str) -> Compacts:
    policy, window = _parts(text, 2, where, "a compaction")[:2]
    tokens = need(_TOKENS.fullmatch(window), where, "a number of tokens")[0]
    return Compacts(policy=policy, window=int(tokens))


def _parts(text: str, least: int, where: str, what: str) -> list[str]:
    parts = [part.strip() for part in text.split(" | ")]
    if len(parts) < least:
        raise Refused(f"{where}: this does not read as {what}.")
    return parts


READERS: dict[str, Callable[[str, str], Kept]] = {
    "@ ": _aims,
    "% ": _ends,
    "$ ": _uses,
    "& ": _masters,
    ": ": _notes,
    "; ": _tags,
    "/ ": _suggests,
    "< ": _primes,
    "- ": _compacts,
}
"""Reader of each kind of line, by the sign it begins with."""
