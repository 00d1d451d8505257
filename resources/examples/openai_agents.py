"""An agent of OpenAI's Agents SDK: what the desk has to say stands in its instructions, and its tools are kept.

OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_API_KEY=none python openai_agents.py MODEL "A question"
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    RunContextWrapper,
    RunHooks,
    Runner,
    set_tracing_disabled,
)
from openai import AsyncOpenAI

from memdesk.client import MemoryHook, connect


class Remembering(RunHooks[Any]):
    """Keeps the calls of tools. The desk is waited for in a thread: the agent's loop goes on."""

    def __init__(self, hook: MemoryHook) -> None:
        self._hook = hook

    async def on_tool_end(self, context: Any, agent: Any, tool: Any, result: object) -> None:
        await asyncio.to_thread(self._hook.on_tool, tool.name, tool_output=str(result), success=True)


async def answer(hook: MemoryHook, model: str, question: str) -> str:
    """One turn, with memory around it."""

    async def instructions(_context: RunContextWrapper[Any], _agent: Agent[Any]) -> str:
        told = await asyncio.to_thread(hook.before_turn, [{"role": "user", "content": question}])
        return f"You are Forge, an engineer. Be short.\n\n{told}".strip()

    agent = Agent(
        name="Forge",
        instructions=instructions,
        model=OpenAIChatCompletionsModel(model=model, openai_client=AsyncOpenAI()),
    )
    done = await Runner.run(agent, question, hooks=Remembering(hook))
    said = str(done.final_output)
    spoken = [{"role": "user", "content": question}, {"role": "assistant", "content": said}]
    await asyncio.to_thread(hook.after_turn, spoken)
    return said


def main(model: str, question: str) -> None:
    set_tracing_disabled(True)
    with connect(agent="forge") as client:
        hook = MemoryHook(client, session_id="openai-agents", channel="examples")
        print(asyncio.run(answer(hook, model, question)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
