"""anthropic: Anthropic's memory tool on a separate folder for each agent, in either of its published
dialects."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.engine.toolsets.agent_folders import folder_of, user_folder
from memdesk.engine.toolsets.file_commands import COMMANDS, WORDS, FileCall
from memdesk.engine.toolsets.memories import MemoryFolder
from memdesk.engine.toolsets.toolset import WorkingSet
from memdesk.engine.workspace.layouts import slug
from memdesk.model.errors import BadAsk
from memdesk.model.message import message
from memdesk.model.tools import ToolAnswer, ToolCall

LAYOUT = "Anthropic memory"


def memory(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Execute one command in the agent's memory folder."""
    dialect = call.place.dialect or engine.settings.memory_tool_dialect
    if dialect not in WORDS:
        raise BadAsk(message("dialect must be one of {words}.", words=", ".join(WORDS)))
    return COMMANDS[call.arguments["command"]](
        FileCall(folder=_folder(engine, call), words=WORDS[dialect]), call.arguments
    )


def _folder(engine: Engine, call: ToolCall) -> MemoryFolder:
    """Return the agent's memory folder on the desk."""
    base = engine.desk.workspaces
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    return MemoryFolder(
        engine=engine,
        base=base,
        prefix=(*user_folder(call.place.user_id), folder_of(call.agent), "memories"),
        name=call.agent,
        layout=LAYOUT,
        channel=call.place.channel or slug(call.agent) or "memories",
        agent_id=call.agent,
        user_id=call.place.user_id,
        author=call.author,
    )


WORKING = WorkingSet(verbs={"memory": memory})
