"""agentix: the Memories tool of Agentix, which an agent has when its options enable it."""

from __future__ import annotations

from memdesk.api.tools.anthropic import memory_schema
from memdesk.api.tools.tool import Tool, Toolset

DIRECTIVE = """\
You have a tool called Memories. It keeps notes in files that outlast this session.
- View your memories before you begin, and use what they say.
- Write down what will be worth knowing next time: preferences, names, decisions, facts about the work.
- Change or delete what is no longer true, rather than adding to it.
- Name files for what they hold, such as user_preferences.md."""

TOOLSET = Toolset(
    name="agentix",
    says="Agentix's Memories: files in an agent's own folder, in the scope its options give it.",
    tools=(
        Tool(
            name="Memories",
            title="Memories",
            description="View, create, edit, delete and rename the files in which you keep what is worth knowing in "
            "later sessions. Paths are relative to your memories folder.",
            schema=memory_schema(
                "view", "create", "str_replace", "delete", "rename", root="your memories folder"
            ),
            destroys=True,
        ),
    ),
    directive=DIRECTIVE,
)
