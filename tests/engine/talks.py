"""Conversations for tests of the context window: made up, of any length, with tools, names and constraints in them."""

from __future__ import annotations

import random
from typing import Any

PEOPLE = ("Ines", "Tomas", "Yuki", "Farida")
THINGS = ("the ferry", "the ledger", "the greenhouse", "the archive", "the telescope", "the harbour crane")
PLACES = ("Aveiro", "Brest", "Tromsø", "Kanazawa", "Leeds")
VERBS = ("repaired", "sold", "painted", "measured", "moved", "photographed")
RULES = (
    "Never deploy on a Friday.",
    "The report must be signed by Ines.",
    "不要直接改动生产数据库。",
    "Always write dates as year, month, day.",
)


def talk(length: int, *, seed: int = 7, tools: bool = False) -> list[dict[str, Any]]:
    """So many messages of two people in turns; a rule every forty. tools: every ninth message calls one."""
    drawn = random.Random(seed)
    messages: list[dict[str, Any]] = []
    while len(messages) < length:
        number = len(messages)
        if tools and number % 9 == 4 and number + 3 <= length:
            messages += _tool(number, drawn)
            continue
        name = PEOPLE[number % 2]
        role = ("user", "assistant")[number % 2]
        said = (
            f"{drawn.choice(PEOPLE)} {drawn.choice(VERBS)} {drawn.choice(THINGS)} in {drawn.choice(PLACES)} "
            f"on {drawn.randint(1, 28)} May, for {drawn.randint(2, 900)} euros. "
            f"I think {drawn.choice(THINGS)} comes next, number {number}."
        )
        if number % 40 == 6:
            said = f"{RULES[number // 40 % len(RULES)]} {said}"
        messages.append({"role": role, "content": said, "name": name})
    return messages


def _tool(number: int, drawn: random.Random) -> list[dict[str, Any]]:
    """A call of two tools with both their results, which belong together."""
    ids = [f"call-{number}-{n}" for n in range(2)]
    call = {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": id,
                "type": "function",
                "function": {"name": "look_up", "arguments": f'{{"page": {number}}}'},
            }
            for id in ids
        ],
    }
    results = [
        {"role": "tool", "tool_call_id": id, "content": f"page {drawn.randint(1, 99)}: nothing new"}
        for id in ids
    ]
    return [call, *results]


def anthropic(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same messages with contents in parts and tools as Anthropic has them."""
    shaped: list[dict[str, Any]] = []
    for each in messages:
        if each.get("tool_calls"):
            uses = [
                {"type": "tool_use", "id": call["id"], "name": "look_up", "input": {"page": 1}}
                for call in each["tool_calls"]
            ]
            shaped.append({"role": "assistant", "content": [{"type": "text", "text": "Let me see."}, *uses]})
        elif each["role"] == "tool":
            part = {"type": "tool_result", "tool_use_id": each["tool_call_id"], "content": each["content"]}
            shaped.append({"role": "user", "content": [part]})
        else:
            shaped.append({"role": each["role"], "content": [{"type": "text", "text": each["content"]}]})
    return shaped
