"""Claude with its own memory tool, whose files lie on the desk: what it writes is seen there and can be undone.

ANTHROPIC_API_KEY=… python anthropic_memory_tool.py MODEL "Remember that ingest-3 waits until Friday."
"""

from __future__ import annotations

import sys
from typing import Any

from anthropic import Anthropic

from memdesk.api.tools.calls import call_of
from memdesk.client import connect

MEMORY = {"type": "memory_20250818", "name": "memory"}
ROUNDS = 20
"""So often a turn may look into memory before it answers."""


def main(model: str, question: str) -> None:
    claude = Anthropic()
    messages: list[dict[str, Any]] = [{"role": "user", "content": question}]
    with connect(agent="claude", session="anthropic-memory-tool") as client:
        for _ in range(ROUNDS):
            said = claude.beta.messages.create(
                model=model,
                max_tokens=1000,
                messages=messages,  # type: ignore[arg-type]
                tools=[MEMORY],  # type: ignore[list-item]
                betas=["context-management-2025-06-27"],
            )
            messages.append({"role": "assistant", "content": [block.model_dump() for block in said.content]})
            results = []
            for block in said.content:
                if block.type == "tool_use":
                    told = client.call(call_of("anthropic", block.name), dict(block.input))
                    results.append(
                        {
                            "type": "tool_result",
                            "tool_use_id": block.id,
                            "content": told.text,
                            "is_error": told.is_error,
                        }
                    )
            if not results:
                break
            messages.append({"role": "user", "content": results})
    print("".join(block.text for block in said.content if block.type == "text"))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
