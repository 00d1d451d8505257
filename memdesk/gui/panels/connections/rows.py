"""Rows and columns of the connections: runtimes with what they asked, projects, and contexts given today."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from memdesk.client.plugs.installing import PlugState, RuntimeState
from memdesk.gui import formatting
from memdesk.gui.language import marked, tr
from memdesk.gui.widgets import Column
from memdesk.model.agent import agent_key
from memdesk.model.project import ProjectInfo
from memdesk.model.prompt import SeenCount, SeenList, SeenRow
from memdesk.model.status import AgentRow

STATES = {
    PlugState.INSTALLED: (marked("Installed"), "ok"),
    PlugState.READY: (marked("Not installed"), "t2"),
    PlugState.ABSENT: (marked("Not on this machine"), "t3"),
    PlugState.MOVED: (marked("Moved program"), "warn"),
    PlugState.UNREAD: (marked("Settings not understood"), "bad"),
}
"""Label of each state and its tone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """Runtime with its state. last: the last context it was given, None if that is not among the latest.
    today: how often it was given a context today. seen: the agent of its name, which may work by tools alone."""

    plug: RuntimeState
    last: SeenRow | None
    today: SeenCount | None = None
    seen: AgentRow | None = None

    @property
    def name(self) -> str:
        return self.plug.name


def connections(
    states: Iterable[RuntimeState], latest: SeenList, today: SeenList, agents: Iterable[AgentRow]
) -> list[Connection]:
    """Return the runtimes with what the desk knows of their agents, which have their names."""
    last: dict[str, SeenRow] = {}
    for each in latest.rows:
        last.setdefault(_agent_of(each.author), each)
    counts = {_agent_of(each.author): each for each in today.counts}
    seen = {agent_key(each.name): each for each in agents}
    return [
        Connection(plug=each, last=last.get(key), today=counts.get(key), seen=seen.get(key))
        for each in states
        for key in (agent_key(each.name),)
    ]


def _agent_of(author: str) -> str:
    return agent_key(author.partition(":")[2])


def last_words(row: Connection) -> str:
    """Return when a runtime asked last, and how much it was given; of one without hooks, when it worked last."""
    if row.last is not None:
        when = formatting.ago(row.last.at)
        if not row.last.memories:
            return tr("asked {when}, was told nothing", when=when)
        memories = tr("%Ln memories", "", row.last.memories)
        return tr("asked {when}, was told {what}", when=when, what=memories)
    if row.seen is not None and row.seen.last_seen is not None:
        return tr("used its tools {when}", when=formatting.ago(row.seen.last_seen))
    return ""


def today_words(row: Connection) -> str:
    """Return how often a runtime was given a context today, and what that took on average."""
    if row.today is None:
        return ""
    asked = tr("%Ln time(s)", "", row.today.count)
    return tr("{asked}, {ms} ms", asked=asked, ms=f"{row.today.took_ms:.0f}")


def short_path(path: Path) -> str:
    """Return a path with ~ for the home folder."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def runtime_columns() -> tuple[Column[Connection], ...]:
    """Return the columns of the runtimes: name, state, last call, calls today."""
    return (
        Column(
            title=tr("Runtime"), text=lambda row: row.plug.runtime.title, width=130, token="t1", weight=600
        ),
        Column(
            title=tr("State"),
            text=lambda row: tr(STATES[row.plug.state][0]),
            width=150,
            token=lambda row: STATES[row.plug.state][1],
            tip=lambda row: row.plug.says,
        ),
        Column(title=tr("Last asked"), text=last_words, token="t2"),
        Column(title=tr("Told today"), text=today_words, width=120, numeric=True, hidden_below=560),
    )


def project_columns(channel_number: Callable[[str], int]) -> tuple[Column[ProjectInfo], ...]:
    """Return the columns of the projects: channel, name, folder."""
    return (
        Column(title=tr("Channel"), text=attrgetter("channel"), width=140, channel=channel_number),
        Column(title=tr("Project"), text=attrgetter("name"), width=130, token="t1"),
        Column(
            title=tr("Folder"),
            text=project_folder,
            token=lambda row: "t2" if Path(row.root).is_dir() else "warn",
            tip=attrgetter("identity"),
        ),
    )


def project_folder(row: ProjectInfo) -> str:
    """Return the folder of a project, and that it is gone if it is."""
    folder = short_path(Path(row.root))
    return folder if Path(row.root).is_dir() else tr("{folder} (gone)", folder=folder)


def seen_columns() -> tuple[Column[SeenRow], ...]:
    """Return the columns of contexts given today: time, agent, question, memories, milliseconds."""
    return (
        Column(title=tr("Time"), text=lambda row: formatting.clock(row.at), width=72, token="t3"),
        Column(title=tr("Agent"), text=lambda row: row.author.partition(":")[2], width=120, token="t1"),
        Column(title=tr("Question"), text=question_of, token="t2"),
        Column(title=tr("Memories"), text=lambda row: f"{row.memories:,}", width=80, numeric=True),
        Column(
            title=tr("Took"),
            text=lambda row: tr("{ms} ms", ms=f"{row.took_ms:.0f}"),
            width=70,
            numeric=True,
            token="t3",
            hidden_below=480,
        ),
    )


def question_of(row: SeenRow) -> str:
    """Return the question that an agent was given a context for; at the start of a session there is no question."""
    return f"“{' '.join(row.query.split())}”" if row.query else tr("start of a session")
