"""A client of the Model Context Protocol: it starts the desk's server as any runtime does, and keeps and finds a note.

python mcp_client.py
"""

from __future__ import annotations

import asyncio
import os
import sys

from mcp import Client
from mcp.client.stdio import StdioServerParameters

SERVER = StdioServerParameters(
    command=sys.executable,
    args=["-m", "memdesk", "mcp", "--set", "mcp-memory", "--agent", "forge"],
    # Left to itself, the client hands on a few variables only, and MEMDESK_DESK is not among them.
    env=dict(os.environ),
)
NOTE = {"name": "PgBouncer", "entityType": "Technology", "observations": ["Ingest writes go through it."]}


async def main() -> None:
    async with Client(SERVER) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        print(f"{len(names)} tools, among them {names[0]}")
        await client.call_tool("create_entities", {"entities": [NOTE]})
        found = await client.call_tool("search_nodes", {"query": "PgBouncer"})
        print("".join(block.text for block in found.content if block.type == "text"))


if __name__ == "__main__":
    asyncio.run(main())
