"""openclaw: OpenClaw's search over an agent's memory files, and its tool to read part of one."""

from __future__ import annotations

from memdesk.api.tools.tool import Tool, Toolset, obj, text, whole

DIRECTIVE = """\
Before you answer anything about earlier work, decisions, dates, people, preferences or what is to be done: call
memory_search over MEMORY.md and memory/*.md, then memory_get for just the lines you need. If you are not sure after
that, say that you looked."""

TOOLSET = Toolset(
    name="openclaw",
    says="OpenClaw's tools: a search over MEMORY.md and memory/*.md, and reading lines of them.",
    tools=(
        Tool(
            name="memory_search",
            title="Memory search",
            description="Search MEMORY.md and memory/*.md by words and by meaning. It answers the best passages, each "
            "with its file and lines.",
            schema=obj(
                {
                    "query": text("What to look for"),
                    "maxResults": whole("Passages at most (default 6)", low=1, high=50),
                    "minScore": {
                        "type": "number",
                        "description": "Only passages of this relevance, 0 to 1; the desk's own floor when left out",
                        "minimum": 0,
                        "maximum": 1,
                    },
                },
                optional=("maxResults", "minScore"),
            ),
            reads=True,
            repeats=True,
        ),
        Tool(
            name="memory_get",
            title="Memory get",
            description="Read MEMORY.md or a file in memory/, or some lines of it, after memory_search named it.",
            schema=obj(
                {
                    "path": text("Such as MEMORY.md or memory/2026-01-31.md"),
                    "from": whole("The first line to read, counted from 1", low=1),
                    "lines": whole("How many lines to read", low=1),
                },
                optional=("from", "lines"),
            ),
            reads=True,
            repeats=True,
        ),
    ),
    directive=DIRECTIVE,
)
