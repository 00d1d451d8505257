"""A plain agent loop with OpenAI's client, on any server that speaks as OpenAI does, with memory around every turn.

OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_API_KEY=none python openai_loop.py MODEL "A question" "Another"
"""

from __future__ import annotations

import sys
from typing import Any

from openai import OpenAI

from memdesk.client import MemoryHook, connect


def main(model: str, questions: list[str]) -> None:
    llm = OpenAI()
    with connect(agent="forge") as client:
        hook = MemoryHook(client, session_id="openai-loop", channel="examples")
        messages: list[dict[str, Any]] = [
            {"role": "system", "content": "You are Forge, an engineer. Be short."}
        ]
        with hook.task("Answer " + questions[0]):
            for question in questions:
                messages.append({"role": "user", "content": question})
                # What the desk has to say about it goes in before the question, and is not kept as said.
                said = llm.chat.completions.create(model=model, messages=hook.with_memory(messages))  # type: ignore[arg-type]
                answer = said.choices[0].message.content or ""
                messages.append({"role": "assistant", "content": answer})
                # Everything said is kept; the list comes back shorter once the session's policy wants it so.
                messages = hook.after_turn(messages)
                print(answer)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
