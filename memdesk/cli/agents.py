"""agents list: the agents of the desk, with what each may do."""

from __future__ import annotations

from collections.abc import Iterator

from memdesk.api import agents
from memdesk.cli.command import Command, Context
from memdesk.cli.output import Output, local, plain
from memdesk.model.agent import AgentInfo, AgentList
from memdesk.model.status import Nothing


def show(context: Context) -> int:
    """List the agents, whether each signs with a token or is a guest, and its grants.

    Without grants an agent reads every channel of the user `local`, and writes into every channel but `_global`: a
    claim that it addresses to `_global` becomes a question in review."""
    found = context.call(agents.LIST, Nothing())
    context.out.answer(found, _lines(context.out, found))
    return 0


def _lines(out: Output, found: AgentList) -> Iterator[str]:
    if not found.rows:
        yield "No agent has called yet."
        return
    rows = [
        (plain(row.agent), _token(row), row.channel, _seen(row), f"{row.changes:,}") for row in found.rows
    ]
    yield from out.table(("AGENT", "SIGNS WITH", "ITS CHANNEL", "LAST SEEN", "EVENTS"), rows)
    for row in found.rows:
        for each in row.grants:
            yield f"{plain(row.agent)} may {plain(each.says)} ({each.id}, given by {plain(each.author)})"


def _token(row: AgentInfo) -> str:
    return "its name (guest)" if row.token_since is None else f"a token since {local(row.token_since)}"


def _seen(row: AgentInfo) -> str:
    return "" if row.seen_at is None else local(row.seen_at)


COMMANDS = (Command(name="agents list", run=show),)
