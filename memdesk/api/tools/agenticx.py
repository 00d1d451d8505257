"""agenticx: AgenticX's scratchpad, notes in files and their search, forgetting, and past sessions."""

from __future__ import annotations

from memdesk.api.tools.tool import Schema, Tool, Toolset, obj, text, whole

DIRECTIVE = """\
Keep what the current task needs in the scratchpad (scratchpad_write, scratchpad_read). Keep what will matter later
with memory_append: `daily` for what happened today, `long_term` for what stays true. Look with memory_search before you
ask the user again, and with session_search for what was said in earlier sessions. When the user wants something
forgotten, show them what memory_forget would take with `preview`, and take it then."""


def _flag(says: str) -> Schema:
    return {"type": "boolean", "description": says, "default": False}


def _one_of(says: str, *words: str) -> Schema:
    return text(says) | {"enum": list(words), "default": words[0]}


TOOLSET = Toolset(
    name="agenticx",
    says="AgenticX's tools: a session's scratchpad, notes in files, forgetting, and past sessions.",
    tools=(
        Tool(
            name="scratchpad_write",
            title="Scratchpad write",
            description="Keep an intermediate result under a key for the rest of this session.",
            schema=obj({"key": text("Its name"), "value": text("What to keep, at most 10,000 characters")}),
            repeats=True,
        ),
        Tool(
            name="scratchpad_read",
            title="Scratchpad read",
            description="Read what a key of the scratchpad holds; without a key, list the keys.",
            schema=obj(
                {"key": text("Its name"), "list_only": _flag("Only list the keys")},
                optional=("key", "list_only"),
            ),
            reads=True,
            repeats=True,
        ),
        Tool(
            name="memory_append",
            title="Memory append",
            description="Add a note to today's log (daily) or to MEMORY.md (long_term). One short statement: 400 "
            "characters at most.",
            schema=obj(
                {
                    "target": text("daily or long_term"),
                    "content": text("The note"),
                    "scope": text("subject: your own memory; user_global: what all agents know of the user")
                    | {"default": "subject"},
                },
                optional=("scope",),
            ),
        ),
        Tool(
            name="memory_search",
            title="Memory search",
            description="Search your memory files by words and by meaning.",
            schema=obj(
                {
                    "query": text("What to look for"),
                    "mode": _one_of(
                        "By words and meaning, by words alone, or by meaning alone",
                        "hybrid",
                        "fts",
                        "semantic",
                    ),
                    "limit": whole("Passages at most (default 5)", low=1, high=50),
                },
                optional=("mode", "limit"),
            ),
            reads=True,
            repeats=True,
        ),
        Tool(
            name="memory_forget",
            title="Memory forget",
            description="Forget what holds these words: entries of MEMORY.md and facts. With preview, only show what "
            "would go; with undo, bring back what a call took.",
            schema=obj(
                {
                    "query": text("The words, letter case aside"),
                    "scope": _one_of("Where to look: entries (text), facts (graph)", "both", "text", "graph"),
                    "preview": _flag("Only show what would be forgotten"),
                    "undo": whole(
                        "The number that an earlier call answered as `undo`: bring that back", low=1
                    ),
                },
                optional=("query", "scope", "preview", "undo"),
            ),
            destroys=True,
        ),
        Tool(
            name="session_search",
            title="Session search",
            description="Search what was said in past sessions; without a query, list the latest sessions.",
            schema=obj(
                {
                    "query": text("What to look for"),
                    "role_filter": text("Only these roles, such as user,assistant"),
                    "limit": whole("Sessions at most (default 3, at most 5)"),
                },
                optional=("query", "role_filter", "limit"),
            ),
            reads=True,
            repeats=True,
        ),
    ),
    directive=DIRECTIVE,
)
