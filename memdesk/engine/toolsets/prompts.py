"""Prompts that a person can give an agent by name: recalled memory about a topic, and the context at the
start of a session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memdesk.engine.context.prompt import context
from memdesk.engine.engine import Engine
from memdesk.engine.toolsets.homes import home_of, homes_of
from memdesk.engine.workspace.layouts import LAYOUTS
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.prompt import AskContext
from memdesk.model.tools import ToolCall


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
    """Return the prompt context that a hook adds before a turn with this text. Raises BadAsk if the text is
    empty."""
    asked = str(call.arguments["query"]).strip()
    if not asked:
        raise BadAsk("The query is empty.", next="Ask a question, or name what it is about.")
    return _told(engine, call, asked) or f"Nothing is remembered about “{' '.join(asked.split())}”."


def session_start(engine: Engine, call: ToolCall) -> str:
    """Return the prompt context that a hook adds at the start of a session."""
    return _told(engine, call, "") or "Nothing is remembered that a session could begin with."


PROMPTS = (
    Prompt(
        name="recall", title="Recall", says="What an agent should have in mind about something",
        text=recalled, arguments={"query": "A question, or words"},
    ),
    Prompt(
        name="session-start", title="Session start",
        says="What a session begins with: identity and memory files, the strongest facts, goals and notes",
        text=session_start, arguments={},
    ),
)  # fmt: skip


def prompt(engine: Engine, call: ToolCall, name: str) -> tuple[Prompt, str]:
    """Return a prompt and its text; its arguments are the call's. Raises NotFound, BadAsk for wrong
    arguments."""
    found = next((each for each in PROMPTS if each.name == name), None)
    if found is None:
        raise NotFound(
            f"There is no prompt {name[:60]}.", next=f"There are {', '.join(p.name for p in PROMPTS)}."
        )
    if set(call.arguments) != set(found.arguments):
        raise BadAsk(f"The prompt {name} takes {', '.join(found.arguments) or 'no arguments'}.")
    return found, found.text(engine, call)


def _told(engine: Engine, call: ToolCall, text: str) -> str:
    """Return the current prompt context and its notices; "" if there are none."""
    place = call.place
    ask = AskContext(
        text=text, session_id=place.session_id, conversation_id=place.conversation_id, channel=_channel(engine, call),
        user_id=place.user_id, agent_id=place.agent_id if call.owner else call.agent, workspace_id=_files(engine, call),
    )  # fmt: skip
    told = context(engine, ask, author=call.author)
    return "\n\n".join(filter(None, (told.text, *told.notices)))


def _channel(engine: Engine, call: ToolCall) -> str:
    """Return the channel named, else that of the agent's one workspace, else `_global`."""
    own = {home.channel for home in homes_of(engine, call)} if not call.owner else set()
    return call.place.channel or (own.pop() if len(own) == 1 else GLOBAL)


def _files(engine: Engine, call: ToolCall) -> str | None:
    """Return the workspace of the call; None if it is not unique, which a notice then reports."""
    try:
        home = home_of(engine, call, *(layout.name for layout in LAYOUTS))
    except (NotFound, BadAsk):
        return None
    return home.id if home is not None else None
