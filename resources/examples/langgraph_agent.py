"""A LangGraph agent whose memory is a node before the model and a node after it.

OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_API_KEY=none python langgraph_agent.py MODEL "A question"
"""

from __future__ import annotations

import sys
from typing import Any

from langchain_core.messages import convert_to_openai_messages
from langgraph.graph import END, START, MessagesState, StateGraph
from openai import OpenAI

from memdesk.client import MemoryHook, connect


class State(MessagesState):
    """The conversation, and what the desk has to say about it."""

    told: str


def graph(hook: MemoryHook, model: str) -> Any:
    """Recall, answer, keep."""
    llm = OpenAI()

    def recall(state: State) -> dict[str, Any]:
        return {"told": hook.before_turn(_plain(state))}

    def answer(state: State) -> dict[str, Any]:
        told = [{"role": "system", "content": state["told"]}] if state["told"] else []
        said = llm.chat.completions.create(model=model, messages=[*told, *_plain(state)])  # type: ignore[list-item]
        return {"messages": [{"role": "assistant", "content": said.choices[0].message.content or ""}]}

    def keep(state: State) -> dict[str, Any]:
        hook.after_turn(_plain(state))
        return {}

    made = StateGraph(State)
    for node in (recall, answer, keep):
        made.add_node(node.__name__, node)
    made.add_edge(START, "recall")
    made.add_edge("recall", "answer")
    made.add_edge("answer", "keep")
    made.add_edge("keep", END)
    return made.compile()


def _plain(state: State) -> list[dict[str, Any]]:
    return list(convert_to_openai_messages(state["messages"]))


def main(model: str, question: str) -> None:
    with connect(agent="forge") as client:
        hook = MemoryHook(client, session_id="langgraph", channel="examples")
        done = graph(hook, model).invoke({"messages": [{"role": "user", "content": question}], "told": ""})
    print(done["messages"][-1].content)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
