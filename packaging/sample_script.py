"""Sample script as written: scenes and the acts in them, read line by line from readable text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import time, timedelta
from pathlib import Path

from memdesk.model.entity import ENTITY_RELATIONS, ENTITY_TYPES
from memdesk.model.errors import Refused
from memdesk.model.fact import CATEGORIES, TEMPORAL
from memdesk.model.goal import STATUSES
from memdesk.model.message import message
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
        raise Refused(message("{where}: this does not read as {what}.", where=where, what=what))
    return found


def names(text: str) -> tuple[str, ...]:
    """Return the names of a comma-separated list."""
    return tuple(name for part in text.split(",") if (name := part.strip()))


def _aims(text: str, where: str) -> Aims:
    priority, description, *more = _parts(text, 2, where, "a goal")
    if not priority.isdecimal():
        raise Refused(message("{where}: a goal begins with its priority, 1 to 5.", where=where))
    return Aims(
        description=description,
        priority=int(priority),
        due=_due(more),
        part_of=_after(more, "part of "),
        after=_after(more, "after "),
    )


def _due(parts: list[str]) -> int | None:
    found = [days[1] for part in parts if (days := _DUE.match(part))]
    return int(found[0]) if found else None


def _after(parts: list[str], word: str) -> str | None:
    return next((part.removeprefix(word) for part in parts if part.startswith(word)), None)


def _ends(text: str, where: str) -> Ends:
    goal, *result = _parts(text, 1, where, "the end of a goal")
    found = need(_ENDED.match(goal), where, 'the end of a goal, as in completed "a goal"')
    if found[1] not in STATUSES:
        raise Refused(message("{where}: “{found}” is no end of a goal.", where=where, found=found[1]))
    return Ends(description=found[2], status=found[1], result=" ".join(result))


def _uses(text: str, where: str) -> Uses:
    tool, task, how, *error = _parts(text, 3, where, "a tool call")
    found = need(_TIMED.match(how), where, "how a tool did, as in ok 120 ms")
    if (found[1] == "failed") != bool(error):
        raise Refused(message("{where}: a tool that failed says why, and no other.", where=where))
    return Uses(tool=tool, task=task, ms=int(found[2]), error=" ".join(error))


def _masters(text: str, where: str) -> Masters:
    description, context, tools = _parts(text, 3, where, "a strategy")[:3]
    return Masters(description=description, context=context, tools=names(tools))


def _notes(text: str, where: str) -> Notes:
    aspect, name, value = _parts(text, 3, where, "an entry of a profile")[:3]
    if aspect not in ASPECTS:
        raise Refused(message("{where}: “{aspect}” is no part of a profile.", where=where, aspect=aspect))
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
        raise Refused(message("{where}: this does not read as {what}.", where=where, what=what))
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Turn. `after`: time since the turn before, if the script gives it."""

    speaker: str
    text: str
    after: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """The agent learns a fact from the turn above. instead: the claim it supersedes."""

    claim: str
    category: str
    confidence: float
    temporal: str
    about: tuple[str, ...]
    instead: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Introduces:
    name: str
    type: str
    description: str
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Binds:
    source: str
    relation: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Logs:
    """Line of the agent's day file. at: the time it names, None for the time of the turn above."""

    text: str
    at: time | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asks:
    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judges:
    """The person acts on a fact. verb: promote, pin or retire."""

    verb: str
    claim: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TakesBack:
    """The person undoes her latest change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrects:
    claim: str
    now: str


Act = Said | Claims | Introduces | Binds | Logs | Asks | Judges | TakesBack | Corrects | Kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Act with its position in the script: file name and line, counted from 1."""

    act: Act
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Conversation of the script. day: days from today, 0 or less."""

    title: str
    channel: str
    agent: str
    day: int
    at: time
    where: str
    lines: tuple[Line, ...]


_HEAD = re.compile(r"==\s*(.+?)\s*\|\s*(\S+)\s*\|\s*(\w+)\s*\|\s*day\s+(-?\d+)\s+(\d{1,2}:\d{2})\s*$")
_JUMP = re.compile(r"\(\+(\d+)\s*([mhd])\)$")
_SAYS = re.compile(r"(\w[\w .'-]{0,30}):\s+(\S.*)$")
_QUOTED = re.compile(r'(promote|pin|retire)\s+"(.+)"$')
_CORRECTION = re.compile(r'"(.+)"\s*->\s*"(.+)"$')
_SUPERSEDING = re.compile(r'"(.+?)"\s*->\s*(.+)$')
_LOGGED = re.compile(r"(?:(\d{1,2}:\d{2})\s+)?(\S.*)$")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def read_play(folder: Path) -> tuple[Scene, ...]:
    """Return every scene of a script's files (`*.txt`), file by file. Raises Refused, naming file and line."""
    files = sorted(folder.glob("*.txt"))
    if not files:
        raise Refused(
            message("There is no play in {folder}.", folder=folder), next=message("Install MemDesk again.")
        )
    return tuple(scene for file in files for scene in read_scenes(file.read_text("utf-8"), file.name))


def read_scenes(text: str, name: str) -> Iterator[Scene]:
    """Yield the scenes of one file, in order. Raises Refused, naming file and line."""
    head: re.Match[str] | None = None
    where, after = "", None
    lines: list[Line] = []
    for number, line in enumerate(text.splitlines(), 1):
        here = f"{name}, line {number}"
        if not (line := line.strip()) or line.startswith("#"):
            continue
        if line.startswith("=="):
            if head is not None:
                yield _scene(head, where, lines)
            head, where, lines = need(_HEAD.match(line), here, "a scene’s head"), here, []
        elif head is None:
            raise Refused(message("{here}: something happens before the first scene.", here=here))
        elif jump := _JUMP.match(line):
            after = timedelta(**{_UNITS[jump[2]]: int(jump[1])})
        else:
            act = _act(line, after, here)
            after = None if isinstance(act, Said) else after
            lines.append(Line(act=act, where=here))
    if head is not None:
        yield _scene(head, where, lines)


def _scene(head: re.Match[str], where: str, lines: list[Line]) -> Scene:
    if not lines or not isinstance(lines[0].act, Said):
        raise Refused(message("{where}: a scene begins with somebody saying something.", where=where))
    day = int(head[4])
    if day > 0:
        raise Refused(message("{where}: day {day} lies in the future.", where=where, day=day))
    return Scene(
        title=head[1],
        channel=head[2],
        agent=head[3],
        day=day,
        at=_time(head[5], where),
        where=where,
        lines=tuple(lines),
    )


def _act(line: str, after: timedelta | None, where: str) -> Act:
    reader = _READERS.get(line[:2])
    if reader is not None:
        return reader(line[2:].strip(), where)
    said = need(_SAYS.match(line), where, "a line of the play")
    return Said(speaker=said[1], text=said[2], after=after)


def _claims(text: str, where: str, instead: str | None = None) -> Claims:
    how, claim, *about = (part.strip() for part in text.split(" | "))
    words = how.split()
    if len(words) != 3 or words[0] not in CATEGORIES or words[2] not in TEMPORAL:
        raise Refused(
            message(
                "{where}: “{how}” should be category, confidence and time, as in “fact .95 current”.",
                where=where,
                how=how,
            )
        )
    return Claims(
        claim=claim,
        category=words[0],
        confidence=_confidence(words[1], where),
        temporal=words[2],
        about=names(about[0]) if about else (),
        instead=instead,
    )


def _supersedes(text: str, where: str) -> Claims:
    found = need(_SUPERSEDING.match(text), where, "a fact that supersedes another")
    return _claims(found[2], where, found[1])


def _introduces(text: str, where: str) -> Introduces:
    name, type, *more = (part.strip() for part in text.split("|"))
    if type not in ENTITY_TYPES:
        raise Refused(message("{where}: “{type}” is no type of entity.", where=where, type=type))
    description, aliases = (*more, "", "")[:2]
    return Introduces(name=name, type=type, description=description, aliases=names(aliases))


def _binds(text: str, where: str) -> Binds:
    parts = [part.strip() for part in text.split("|")]
    if len(parts) != 3 or parts[1] not in ENTITY_RELATIONS:
        raise Refused(message("{where}: a relation is written ENTITY | RELATION | ENTITY.", where=where))
    return Binds(source=parts[0], relation=parts[1], target=parts[2])


def _logs(text: str, where: str) -> Logs:
    found = need(_LOGGED.match(text), where, "a line of the daily log")
    return Logs(text=found[2], at=_time(found[1], where) if found[1] else None)


def _asks(text: str, where: str) -> Asks:
    return Asks(query=text)


def _judges(text: str, where: str) -> Judges | TakesBack:
    if text == "undo":
        return TakesBack()
    found = need(_QUOTED.match(text), where, 'promote, pin or retire "a claim", or undo')
    return Judges(verb=found[1], claim=found[2])


def _corrects(text: str, where: str) -> Corrects:
    found = need(_CORRECTION.match(text), where, "a correction")
    return Corrects(claim=found[1], now=found[2])


_READERS: dict[str, Callable[[str, str], Act]] = {
    "+ ": _claims,
    "^ ": _supersedes,
    "* ": _introduces,
    "> ": _binds,
    "= ": _logs,
    "? ": _asks,
    "! ": _judges,
    "~ ": _corrects,
    **READERS,
}


def _time(text: str, where: str) -> time:
    try:
        return time.fromisoformat(text.zfill(5))
    except ValueError as error:
        raise Refused(message("{where}: “{text}” is no time of day.", where=where, text=text)) from error


def _confidence(text: str, where: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise Refused(message("{where}: “{text}” is no confidence.", where=where, text=text)) from error
