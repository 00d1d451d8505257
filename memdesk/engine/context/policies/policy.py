"""What a policy is: from when on it acts, what it leaves as it is, and what it puts in the place of the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memdesk.engine.context.messages import Size
from memdesk.model.context import Mark, Message
from memdesk.model.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """One system's way, by the settings of the moment.

    messages_from, characters_from, tokens_from: from how many on it compacts, None for never. flush_from: from how many
    tokens on it stores facts ahead. retain: the last messages that stay as they are. cooldown: new messages before it
    compacts again. summarise: False drops what goes. role, opening: how its summary's message begins. bridge: what the
    assistant says between a summary and a user's message. instruction: what a language model is told; summary_tokens
    and temperature: how long and how free it may answer. snippets: a failing model gives AgenticX's short snippets.
    """

    name: str
    retain: int
    window_tokens: int
    messages_from: int | None = None
    characters_from: int | None = None
    tokens_from: int | None = None
    flush_from: int | None = None
    cooldown: int = 0
    summarise: bool = True
    role: str = "system"
    opening: str
    bridge: str = ""
    instruction: str
    summary_tokens: int
    temperature: float = 0.0
    snippets: bool = False

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Where it acts, what comes first before what comes later."""
        at = (
            ("tokens", self.flush_from, "flush"),
            ("messages", self.messages_from, "compact"),
            ("characters", self.characters_from, "compact"),
            ("tokens", self.tokens_from, "compact"),
        )
        return tuple(Mark(of=of, at=value, does=does) for of, value, does in at if value is not None)

    def due(self, size: Size) -> tuple[str, str]:
        """(what these messages call for: none, flushed or compacted; why, in a sentence)."""
        held = {"messages": size.messages, "characters": size.characters, "tokens": size.tokens}
        for does, action in (("compact", "compacted"), ("flush", "flushed")):
            for mark in self.marks:
                if mark.does == does and held[mark.of] >= mark.at:
                    return action, f"{held[mark.of]:,} {mark.of}; {self.name} acts from {mark.at:,} on."
        return "none", ""

    def message(self, summary: str, after: Message) -> tuple[Message, ...]:
        """What stands in a list in the place of what was summarised. after: the first message that stays."""
        stands: Message = {"role": self.role, "content": self.opening + summary}
        if self.bridge and after.get("role") == "user":
            return stands, {"role": "assistant", "content": self.bridge}
        return (stands,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A policy by its name. says: what it does, for a person. by: the policy by these settings and this window."""

    name: str
    says: str
    by: Callable[[Settings, int], Policy]


def share(window_tokens: int, part: float) -> int:
    """So many tokens of a window, one at least."""
    return max(1, round(window_tokens * part))
