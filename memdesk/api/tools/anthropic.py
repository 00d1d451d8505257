"""anthropic: the memory tool built into Anthropic's API, memory_20250818, with a schema for other runtimes."""

from __future__ import annotations

from memdesk.api.tools.tool import Schema, Tool, Toolset, array, obj, text, whole

COMMANDS = ("view", "create", "str_replace", "insert", "delete", "rename")


def memory_schema(*commands: str, root: str) -> Schema:
    """Return the argument schema of a memory tool with these commands. The descriptions name the command each
    argument is for."""
    properties = {
        "command": {"type": "string", "enum": list(commands), "description": "What to do"},
        "path": text(f"every command but rename: a file or folder in {root}"),
        "view_range": array(
            {"type": "integer"},
            "view: the first and the last line to show, counted from 1; -1 is the last there is",
        )
        | {"minItems": 2, "maxItems": 2},
        "file_text": text("create: what the new file holds"),
        "old_str": text("str_replace: the text to replace, which must stand in the file once"),
        "new_str": text("str_replace: what to put in its place; nothing when left out"),
        "insert_line": whole("insert: the line to put the text behind; 0 puts it before the first", low=0),
        "insert_text": text("insert: the text to put there"),
        "old_path": text("rename: the path as it is"),
        "new_path": text("rename: the path as it shall be"),
    }
    if "insert" not in commands:
        properties = {name: each for name, each in properties.items() if not name.startswith("insert")}
    return obj(properties, optional=tuple(name for name in properties if name != "command"))


DIRECTIVE = """\
IMPORTANT: ALWAYS VIEW YOUR MEMORY DIRECTORY BEFORE DOING ANYTHING ELSE.
MEMORY PROTOCOL:
1. Use the `view` command of your `memory` tool to check for earlier progress.
2. ... (work on the task) ...
     - As you make progress, record status / progress / thoughts etc in your memory.
ASSUME INTERRUPTION: Your context window might be reset at any moment, so you risk losing any progress that is not \
recorded in your memory directory."""
"""System prompt text that Anthropic's API adds when the tool is on; other runtimes must add it themselves."""

TOOLSET = Toolset(
    name="anthropic",
    says="Anthropic's memory tool: files in /memories that the agent keeps for itself.",
    tools=(
        Tool(
            name="memory",
            title="Memory",
            description="Keep notes in files below /memories that outlast this conversation: look at them first, "
            "add what is worth keeping, and put them in order.",
            schema=memory_schema(*COMMANDS, root="/memories"),
            destroys=True,
            anthropic={"type": "memory_20250818", "name": "memory"},
        ),
    ),
    directive=DIRECTIVE,
)
