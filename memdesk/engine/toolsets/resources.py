"""Resources that an agent can read by address, without a tool: its own files and days, and the facts it can see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import unquote

from pydantic import TypeAdapter

from memdesk.engine.browsing import lists
from memdesk.engine.context.prompt import context
from memdesk.engine.engine import Engine
from memdesk.engine.memory.rows import fact_rows
from memdesk.engine.recall.agent_search import is_visible, trust_in
from memdesk.engine.toolsets import agent_folders
from memdesk.engine.toolsets.agent_folders import home_of, homes_of
from memdesk.engine.workspace.layouts import LAYOUTS
from memdesk.model.browse import FactRow, ListFacts
from memdesk.model.channel import GLOBAL
from memdesk.model.document import DOCUMENT, Document, Workspace
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.fact import FACT
from memdesk.model.message import message
from memdesk.model.prompt import AskContext
from memdesk.model.tools import Resource, ResourceText, ToolCall
from memdesk.model.trust import is_trusted, quoted
from memdesk.store import records

FILE, DAY, FACTS, FACT_OF = "memdesk://file/", "memdesk://day/", "memdesk://facts", "memdesk://fact/"
TEMPLATES = (
    Resource(uri=f"{FILE}{{document_id}}", name="file", says="A file of your workspace, by its id"),
    Resource(uri=f"{DAY}{{date}}", name="day", says="What you wrote into a day's log, such as 2026-01-31"),
    Resource(uri=f"{FACT_OF}{{fact_id}}", name="fact", says="One fact whole", mime="application/json"),
)
DAYS_LISTED = 31
FACTS_TOLD = 500
STANDING = ("core", "workspace", "long-term", "learnings")
"""Layers whose files are listed; notes are read by their id."""
_row: TypeAdapter[FactRow] = TypeAdapter(FactRow)


def listed(engine: Engine, call: ToolCall) -> tuple[Resource, ...]:
    """Return identity and memory files, the latest days, and the facts."""
    owned = _documents(engine, call)
    files = [
        Resource(uri=f"{FILE}{each.id}", name=each.path, says=f"{each.path} of {home.name}")
        for home, each in owned
        if each.layer in STANDING
    ]
    days = sorted({each.day for _, each in owned if each.day is not None}, reverse=True)[:DAYS_LISTED]
    resources = [Resource(uri=f"{DAY}{day}", name=day, says=f"The log of {day}") for day in days]
    facts = Resource(uri=FACTS, name="facts", says=f"What is known in {', '.join(_channels(engine, call))}")
    return (*files, *resources, facts)


def read(engine: Engine, call: ToolCall, uri: str) -> ResourceText:
    """Return the text at an address. Raises NotFound for an address that does not exist or is not this agent's."""
    if uri == FACTS:
        return ResourceText(uri=uri, text=_facts(engine, call))
    for start, reader in ((FILE, _file), (DAY, _day), (FACT_OF, _fact)):
        name = unquote(uri.removeprefix(start))
        # No name holds a NUL, and PostgreSQL cannot be asked for one.
        if uri.startswith(start) and "\0" not in name:
            mime = "application/json" if start == FACT_OF else "text/markdown"
            return ResourceText(uri=uri, text=reader(engine, call, name), mime=mime)
    raise _nothing(uri)


def _documents(engine: Engine, call: ToolCall, **columns: Any) -> list[tuple[Workspace, Document]]:
    """Return this agent's files whose columns equal these values, by workspace and path."""
    pairs = []
    for home in homes_of(engine, call):
        with engine.store.reading() as db:
            found = records.find(db, DOCUMENT, workspace_id=home.id, retired_at=None, **columns)
        pairs += [(home, each) for each in sorted(found, key=lambda each: each.path)]
    return pairs


def _file(engine: Engine, call: ToolCall, id: str) -> str:
    for home, document in _documents(engine, call, id=id):
        return _text(engine, call, home, document.path)
    raise _nothing(f"{FILE}{id}")


def _day(engine: Engine, call: ToolCall, day: str) -> str:
    """Return the day's files of all the agent's workspaces, joined."""
    _check_day(day)
    found = _documents(engine, call, day=day)
    if not found:
        raise _nothing(f"{DAY}{day}")
    return "\n\n".join(_text(engine, call, home, each.path).rstrip("\n") for home, each in found) + "\n"


def _text(engine: Engine, call: ToolCall, home: Workspace, path: str) -> str:
    found = agent_folders.read_file(engine, home, path)
    if found is None:
        raise NotFound(message("{path} of {home} is gone or cannot be read.", path=path, home=home.name))
    document, text = found
    agent_folders.note_seen(engine, call, [(document.id, document.content_hash)])
    return text


def _facts(engine: Engine, call: ToolCall) -> str:
    ask = ListFacts(user_id=call.place.user_id, channels=_channels(engine, call), limit=FACTS_TOLD)
    page = lists.facts(engine, ask)
    rows = [row for row in page.rows if is_visible(row.agent_id, call)]
    lines = [f"- {_claim(row, call)} ({row.id})" for row in rows]
    if page.total > FACTS_TOLD:
        lines.append(f"\n{page.total - FACTS_TOLD} older facts are not shown: search for them.")
    return "\n".join(lines) + "\n" if lines else ""


def _claim(row: FactRow, call: ToolCall) -> str:
    """Return a claim on one line, as a quotation if the agent does not trust it."""
    trusted = is_trusted(trust_in(row, call))
    return " ".join(row.claim.split()) if trusted else quoted(row.claim, row.origin)


def _fact(engine: Engine, call: ToolCall, id: str) -> str:
    with engine.store.reading() as db:
        found = records.find(db, FACT, id=id, user_id=call.place.user_id)
        own = [fact for fact in found if is_visible(fact.agent_id, call)]
        rows = fact_rows(engine, db, own)
    if not rows:
        raise _nothing(f"{FACT_OF}{id}")
    return _row.dump_json(rows[0]).decode()


def _channels(engine: Engine, call: ToolCall) -> tuple[str, ...]:
    own = [call.place.channel] if call.place.channel else [home.channel for home in homes_of(engine, call)]
    return tuple(dict.fromkeys((*own, *(() if call.place.channel else (call.home,)), GLOBAL)))


def _check_day(day: str) -> None:
    try:
        date.fromisoformat(day)
    except ValueError:
        raise NotFound(
            message("{day} is no day.", day=day[:20]), next=message("Write it as 2026-01-31.")
        ) from None


def _nothing(uri: str) -> NotFound:
    return NotFound(
        message("There is nothing to read at {uri}.", uri=uri[:200]),
        next=message("resources/list says what there is."),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """Named prompt. arguments: their descriptions; all are required. text: function that returns its text for
    an agent."""

    name: str
    title: str
    says: str
    text: Callable[[Engine, ToolCall], str]
    arguments: dict[str, str]


def recalled(engine: Engine, call: ToolCall) -> str:
    """Return the prompt context that a hook adds before a turn with this text. Raises BadAsk if the text is empty."""
    asked = str(call.arguments["query"]).strip()
    if not asked:
        raise BadAsk(
            message("The query is empty."), next=message("Ask a question, or name what it is about.")
        )
    return _context_text(engine, call, asked) or f"Nothing is remembered about “{' '.join(asked.split())}”."


def session_start(engine: Engine, call: ToolCall) -> str:
    """Return the prompt context that a hook adds at the start of a session."""
    return _context_text(engine, call, "") or "Nothing is remembered that a session could begin with."


PROMPTS = (
    Prompt(
        name="recall",
        title="Recall",
        says="What an agent should have in mind about something",
        text=recalled,
        arguments={"query": "A question, or words"},
    ),
    Prompt(
        name="session-start",
        title="Session start",
        says="What a session begins with: identity and memory files, the strongest facts, goals and notes",
        text=session_start,
        arguments={},
    ),
)


def prompt(engine: Engine, call: ToolCall, name: str) -> tuple[Prompt, str]:
    """Return a prompt and its text; its arguments are the call's. Raises NotFound, BadAsk for wrong arguments."""
    found = next((each for each in PROMPTS if each.name == name), None)
    if found is None:
        raise NotFound(
            message("There is no prompt {id}.", id=name[:60]),
            next=message("There are {by_name}.", by_name=", ".join(p.name for p in PROMPTS)),
        )
    if set(call.arguments) != set(found.arguments):
        raise BadAsk(
            message(
                "The prompt {name} takes {what}.",
                name=name,
                what=", ".join(found.arguments) or "no arguments",
            )
        )
    return found, found.text(engine, call)


def _context_text(engine: Engine, call: ToolCall, text: str) -> str:
    """Return the current prompt context and its notices; "" if there are none."""
    place = call.place
    ask = AskContext(
        text=text,
        session_id=place.session_id,
        conversation_id=place.conversation_id,
        channel=_channel(engine, call),
        user_id=place.user_id,
        agent_id=place.agent_id if call.owner else call.agent,
        workspace_id=_files(engine, call),
    )
    given = context(engine, ask, author=call.author)
    return "\n\n".join(filter(None, (given.text, *given.notices)))


def _channel(engine: Engine, call: ToolCall) -> str:
    """Return the channel named, else that of the agent's one workspace, else `_global`."""
    own = {home.channel for home in homes_of(engine, call)} if not call.owner else set()
    return call.place.channel or (own.pop() if len(own) == 1 else call.home)


def _files(engine: Engine, call: ToolCall) -> str | None:
    """Return the workspace of the call; None if it is not unique, which a notice then reports."""
    try:
        home = home_of(engine, call, *(layout.name for layout in LAYOUTS))
    except (NotFound, BadAsk):
        return None
    return home.id if home is not None else None
