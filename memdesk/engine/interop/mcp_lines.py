"""Import of the MCP memory server's file: entities with observations, and relations, one JSON object per
line."""

from __future__ import annotations

from memdesk.engine.interop import mcp_memory
from memdesk.engine.interop.items import GraphLines, Source
from memdesk.engine.interop.peek import Peek
from memdesk.engine.workspace.layouts import Place, slug
from memdesk.model.errors import Refused


class McpLines:
    """Knowledge graph file, in parts that each fit into one change."""

    name = "mcp-memory"
    reads = "The MCP memory server's `memory.jsonl`: entities, observations as facts, relations"

    def sniff(self, peek: Peek) -> bool:
        if peek.suffix not in (".json", ".jsonl", ".ndjson"):
            return False
        kinds = [value.get("type") for _, value in peek.lines[0][:50] if isinstance(value, dict)]
        return bool(kinds) and all(kind in ("entity", "relation") for kind in kinds)

    def open(self, peek: Peek, registered: tuple[Place, ...]) -> Source:
        try:
            lines = mcp_memory.parsed(peek.file.text)
        except Refused as error:
            raise Refused(f"{peek.name}: {error.says}", next=error.next) from None
        parts = tuple(
            GraphLines(name="knowledge graph", file=peek.name, lines=tuple(batch))
            for batch in mcp_memory.batches(lines)
        )
        return Source(
            format=self.name,
            says="Knowledge graph of the MCP memory server",
            total=len(parts),
            channel=slug(peek.path.stem),
            items=parts,
        )


MCP_LINES = McpLines()
