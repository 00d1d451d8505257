"""openlegion: OpenLegion's tools for an agent's files, its learnings, and facts with a key and a category."""

from __future__ import annotations

from memdesk.api.tools.tool import Schema, Tool, Toolset, obj, text, whole

DIRECTIVE = """\
Your memory outlasts this conversation, in files of your workspace and in a store of facts:
- `memory_search` looks through both. Search before you say that you do not know.
- `memory_save` keeps a fact or a note, in today's log and in the store. Write it as "key: value" where it has a name.
- `memory_recall` looks through the facts alone, by meaning, and within one category where you name it.
- `record_learning` keeps an error or a correction for later sessions.

Your standing files are in this prompt already; those that were cut are found whole by `memory_search`. Save what the
user prefers, what was decided, and what you found out, in the moment you learn it: older messages are summarised."""


def _results() -> Schema:
    return whole("How many results at most (default 5)", low=1, high=30) | {"default": 5}


TOOLSET = Toolset(
    name="openlegion",
    says="OpenLegion's tools: files of a workspace, and facts by key, category and meaning.",
    tools=(
        Tool(
            name="memory_search",
            title="Search memory",
            description="Look through your long-term memory: the files of your workspace, then your facts.",
            schema=obj(
                {
                    "query": text("What to look for"),
                    "max_results": _results(),
                    "category": text("Only facts of this category"),
                },
                optional=("max_results", "category"),
            ),
            reads=True,
            repeats=True,
        ),
        Tool(
            name="memory_save",
            title="Save to memory",
            description="Keep a fact or a note in today's log and among your facts, such as what the user prefers, "
            "what was decided, or what you found out.",
            schema=obj({"content": text('The fact or note; "key: value" where it has a name')}),
        ),
        Tool(
            name="memory_recall",
            title="Recall facts",
            description="Look through your facts by meaning. Better than memory_search for one fact, a preference or a "
            "decision.",
            schema=obj(
                {
                    "query": text("What to recall"),
                    "category": text("Only facts of this category") | {"default": ""},
                    "max_results": _results(),
                },
                optional=("category", "max_results"),
            ),
            reads=True,
            repeats=True,
        ),
        Tool(
            name="record_learning",
            title="Keep a learning",
            description="Keep what went wrong, so that later sessions know it: an error of a tool, or a correction by "
            "the user of something you said. Failed tools and plain corrections are kept without it.",
            schema=obj(
                {
                    "kind": {
                        "type": "string",
                        "enum": ["error", "correction"],
                        "description": "Which of the two",
                    },
                    "subject": text("The tool, or what you said"),
                    "text": text("The error, or the correction"),
                    "context": text("Of an error: what you wanted to do"),
                },
                optional=("context",),
            ),
        ),
    ),
    directive=DIRECTIVE,
)
