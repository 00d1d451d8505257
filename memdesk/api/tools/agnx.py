"""agnx: tools for an agent's curated memory, its day files and the shared world, in their old and new forms,
and a search."""

from __future__ import annotations

from memdesk.api.tools.tool import Schema, Tool, Toolset, obj, text, whole

ACTIONS = ("recall", "remember", "reflect", "update_world")
"""Actions of the single tool `memory`, which replaced four separate tools."""

DIRECTIVE = """\
You have a memory that outlasts this conversation, kept in plain files:
- `recall` reads it: what is known of the world, your own long-term memory, and your last days.
- `remember` adds an experience to today's log.
- `reflect` writes your long-term memory anew.
- `learn_fact` writes what is known of a topic anew, for every agent that shares this world.
- `search_memory` finds what is older than the days that `recall` reads.

Recall at the beginning, where earlier work may matter. Remember what you learn as soon as you have learned it. Reflect
at the end of a long session, and recall before you do: what you write takes the place of what was there."""


def _days() -> Schema:
    return whole("How many days back the logs are read (default 3)") | {"default": 3}


def _world(name: str, title: str, *, listed: bool = True) -> Tool:
    return Tool(
        name=name,
        title=title,
        description="Write down what is known of a topic, for every agent that shares this world. It takes the place "
        "of what the topic held.",
        schema=obj(
            {
                "topic": text("What it is about, such as people or systems"),
                "content": text("All that is known of it, in markdown"),
            }
        ),
        destroys=True,
        repeats=True,
        listed=listed,
    )


TOOLSET = Toolset(
    name="agnx",
    says="agnx's and duragent's tools: a shared world, an agent's curated memory, and its days.",
    tools=(
        Tool(
            name="recall",
            title="Recall",
            description="Read your memory: what is known of the world, your long-term memory, and your last days.",
            schema=obj({"days": _days()}, optional=("days",)),
            reads=True,
            repeats=True,
        ),
        Tool(
            name="remember",
            title="Remember",
            description="Add an experience to today's log.",
            schema=obj({"content": text("What happened, or what you learned")}),
        ),
        Tool(
            name="reflect",
            title="Reflect",
            description="Write your long-term memory, MEMORY.md, anew. Recall it before: what you write takes the "
            "place of what it held.",
            schema=obj({"content": text("The whole of your long-term memory, in markdown")}),
            destroys=True,
            repeats=True,
        ),
        _world("learn_fact", "Learn fact"),
        Tool(
            name="search_memory",
            title="Search memory",
            description="Find passages of your memory and of the shared world, by words and by meaning.",
            schema=obj(
                {
                    "query": text("What to look for"),
                    "from": text("Only logs of this day and later, such as 2026-01-31"),
                    "to": text("Only logs of this day and earlier"),
                    "limit": whole("Passages at most (default 5)", low=1, high=50),
                },
                optional=("from", "to", "limit"),
            ),
            reads=True,
            repeats=True,
        ),
        _world("update_world", "Update world", listed=False),
        Tool(
            name="memory",
            title="Memory",
            description="Read and write your memory: recall it, remember an experience, reflect on what to keep "
            "(without content it shows what is kept), or update_world with what is known of a topic.",
            schema=obj(
                {
                    "action": {"type": "string", "enum": list(ACTIONS), "description": "What to do"},
                    "days": _days(),
                    "content": text("remember, reflect, update_world: the text"),
                    "topic": text("update_world: what it is about"),
                },
                optional=("days", "content", "topic"),
            ),
            destroys=True,
            listed=False,
        ),
    ),
    directive=DIRECTIVE,
)
