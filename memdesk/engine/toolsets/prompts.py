"""What a person may hand an agent by a prompt's name: what is remembered about something, and how a session begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memdesk.engine.engine import Engine
from memdesk.engine.recall.search import recall
from memdesk.engine.toolsets.homes import home_of, homes_of
from memdesk.engine.workspace.bootstrap import bootstrap
from memdesk.engine.workspace.layouts import LAYOUTS
from memdesk.model.channel import GLOBAL
from memdesk.model.diary import AskPrompt
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.recall import Bundle, Hit, Query
from memdesk.model.tools import ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt by its name. arguments: what each is, all of them required. text: what it becomes for this agent."""

    name: str
    title: str
    says: str
    text: Callable[[Engine, ToolCall], str]
    arguments: dict[str, str]


def recalled(engine: Engine, call: ToolCall) -> str:
    """What a recall finds, told in lines: the hits, then goals, ways that worked, and the user's profile."""
    asked = str(call.arguments["query"])
    query = Query(
        text=asked, channel=_channel(engine, call), user_id=call.place.user_id, session_id=call.place.session_id,
        conversation_id=call.place.conversation_id,
    )  # fmt: skip
    return "\n".join(_lines(recall(engine, query, author=call.author)))


def session_start(engine: Engine, call: ToolCall) -> str:
    """The standing files of the agent's workspace, as its system puts them into a prompt."""
    home = home_of(engine, call, *(layout.name for layout in LAYOUTS))
    if home is None:
        raise NotFound(
            f"{call.agent} has no workspace on this desk.", next="Import the agent's folder first."
        )
    return bootstrap(engine, AskPrompt(workspace_id=home.id), author=call.author).text


PROMPTS = (
    Prompt(
        name="recall", title="Recall", says="What is remembered about something, with where it comes from",
        text=recalled, arguments={"query": "A question, or words"},
    ),
    Prompt(
        name="session-start", title="Session start",
        says="The agent's identity and memory files, as its system begins a session with them",
        text=session_start, arguments={},
    ),
)  # fmt: skip


def prompt(engine: Engine, call: ToolCall, name: str) -> tuple[Prompt, str]:
    """A prompt and its text; its arguments are the call's. Raises NotFound, BadAsk for arguments it does not take."""
    found = next((each for each in PROMPTS if each.name == name), None)
    if found is None:
        raise NotFound(
            f"There is no prompt {name[:60]}.", next=f"There are {', '.join(p.name for p in PROMPTS)}."
        )
    if set(call.arguments) != set(found.arguments):
        raise BadAsk(f"The prompt {name} takes {', '.join(found.arguments) or 'no arguments'}.")
    return found, found.text(engine, call)


def _channel(engine: Engine, call: ToolCall) -> str:
    """The channel named, else that of the agent's one workspace, else `_global`."""
    own = {home.channel for home in homes_of(engine, call)} if not call.owner else set()
    return call.place.channel or (own.pop() if len(own) == 1 else GLOBAL)


def _lines(found: Bundle) -> Iterator[str]:
    yield f"What is remembered about “{' '.join(found.query.split())}”:"
    yield from (f"- {_line(hit)}" for hit in found.hits)
    if not found.hits:
        yield "- nothing that is relevant"
    if found.goals:
        yield "\nGoals under way:"
        yield from (f"- {goal.description} (priority {goal.priority})" for goal in found.goals)
    if found.strategies:
        yield "\nWhat worked before:"
        yield from (f"- {each.description}: {' → '.join(each.tool_sequence)}" for each in found.strategies)
    if found.profile:
        yield "\nThe user:"
        for aspect, entries in found.profile.items():
            told = "; ".join(f"{name}: {value}" for name, value in entries.items())
            yield f"- {aspect.replace('_', ' ')}: {told}"
    yield from (f"\n{notice}" for notice in found.notices)


def _line(hit: Hit) -> str:
    """A hit on one line with its source."""
    came = hit.provenance
    if came.path is not None:
        source = f"{came.path}:{came.first_line}-{came.last_line}" if came.first_line else came.path
    else:
        at = hit.at or came.at
        day = "" if at is None else at.date().isoformat()
        source = ", ".join(filter(None, (hit.kind, came.speaker, came.conversation_title, day)))
    return f"{' '.join(hit.text.split())} ({source})"
