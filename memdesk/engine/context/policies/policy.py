"""Context policy: the thresholds it acts from, the messages it keeps, and the messages that replace the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memdesk.engine.context.messages import Size
from memdesk.model.context import Mark, Message
from memdesk.model.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Context policy of one system, by the current settings.

    messages_from, characters_from, tokens_from: from how many on it compacts, None for never. flush_from:
    from how many tokens on it stores facts ahead. retain: number of last messages that stay unchanged.
    cooldown: new messages before it compacts again. summarise: False drops the removed messages without a
    summary. role, opening: role and first words of the summary's message. bridge: the assistant's message
    between a summary and a user's message. instruction: the prompt for a language model; summary_tokens and
    temperature: length and temperature of its answer. snippets: use AgenticX's short snippets if the model
    fails."""

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
        """Thresholds at which it acts, the earlier action first."""
        at = (
            ("tokens", self.flush_from, "flush"),
            ("messages", self.messages_from, "compact"),
            ("characters", self.characters_from, "compact"),
            ("tokens", self.tokens_from, "compact"),
        )
        return tuple(Mark(of=of, at=value, does=does) for of, value, does in at if value is not None)

    def due(self, size: Size) -> tuple[str, str]:
        """Return (the action due for a context of this size: none, flushed or compacted; the reason as a
        sentence)."""
        held = {"messages": size.messages, "characters": size.characters, "tokens": size.tokens}
        for does, action in (("compact", "compacted"), ("flush", "flushed")):
            for mark in self.marks:
                if mark.does == does and held[mark.of] >= mark.at:
                    return action, f"{held[mark.of]:,} {mark.of}; {self.name} acts from {mark.at:,} on."
        return "none", ""

    def message(self, summary: str, after: Message) -> tuple[Message, ...]:
        """Return the messages that replace the summarised ones. after: the first message that stays."""
        stands: Message = {"role": self.role, "content": self.opening + summary}
        if self.bridge and after.get("role") == "user":
            return stands, {"role": "assistant", "content": self.bridge}
        return (stands,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """Policy by name. says: a description for people. by: function that returns the policy for settings and a
    window."""

    name: str
    says: str
    by: Callable[[Settings, int], Policy]


def share(window_tokens: int, part: float) -> int:
    """Return a share of a window in tokens, at least one."""
    return max(1, round(window_tokens * part))
