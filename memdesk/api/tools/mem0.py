"""mem0: the tools of Mem0's MCP server, on Mem0's own library with a local store (the extra `mem0`)."""

from __future__ import annotations

from memdesk.api.tools.tool import Tool, Toolset, array, obj, text, whole

_AGENT = text("Only of this agent")
_RUN = text("Only of this run")
_ID = text("The id that add_memory, search_memories or get_memories told")

DIRECTIVE = """\
Look with search_memories before you answer what may have been said before. Keep what will matter later with add_memory,
one statement each; where a memory is no longer true, correct it with update_memory in place of adding another."""
TOOLSET = Toolset(
    directive=DIRECTIVE,
    name="mem0",
    says="Mem0's tools, on its own library with a store on this machine, beside the desk's memory.",
    tools=(
        Tool(
            name="add_memory",
            title="Add memory",
            description="Keep a text, or the messages of a conversation, as memories of the user. They are kept as "
            "they are: no model draws facts out of them.",
            schema=obj(
                {
                    "text": text("What to keep"),
                    "messages": array(
                        obj({"role": text("user or assistant"), "content": text("What was said")}),
                        "What to keep, message by message; in place of text",
                    ),
                    "agent_id": text("The agent it belongs to; the caller when left out"),
                    "run_id": text("The run it belongs to"),
                    "metadata": {"type": "object", "description": "Anything to keep beside it"},
                },
                optional=("text", "messages", "agent_id", "run_id", "metadata"),
            ),
        ),
        Tool(
            name="search_memories",
            title="Search memories",
            description="The user's memories that are nearest in meaning to a query, best first.",
            schema=obj(
                {
                    "query": text("What to look for"),
                    "agent_id": _AGENT,
                    "run_id": _RUN,
                    "limit": whole("Memories at most (default 10)", low=1, high=100),
                },
                optional=("agent_id", "run_id", "limit"),
            ),
            reads=True,
            repeats=True,
        ),
        Tool(
            name="get_memories",
            title="Get memories",
            description="The user's memories, page by page.",
            schema=obj(
                {
                    "agent_id": _AGENT,
                    "run_id": _RUN,
                    "page": whole("Counted from 1", low=1, high=1000),
                    "page_size": whole("Memories of a page (default 50)", low=1, high=200),
                },
                optional=("agent_id", "run_id", "page", "page_size"),
            ),
            reads=True,
            repeats=True,
        ),
        Tool(
            name="get_memory",
            title="Get memory",
            description="One memory by its id.",
            schema=obj({"memory_id": _ID}),
            reads=True,
            repeats=True,
        ),
        Tool(
            name="update_memory",
            title="Update memory",
            description="Put another text in the place of a memory's.",
            schema=obj({"memory_id": _ID, "text": text("What it says from now on")}),
            destroys=True,
            repeats=True,
        ),
        Tool(
            name="delete_memory",
            title="Delete memory",
            description="Delete one memory by its id. It cannot be undone.",
            schema=obj({"memory_id": _ID}),
            destroys=True,
        ),
        Tool(
            name="delete_all_memories",
            title="Delete all memories",
            description="Delete all memories of the user, or those of one agent or run. It cannot be undone.",
            schema=obj({"agent_id": _AGENT, "run_id": _RUN}, optional=("agent_id", "run_id")),
            destroys=True,
            repeats=True,
        ),
    ),
)
