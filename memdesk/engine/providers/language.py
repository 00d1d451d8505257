"""What a language model is to us: a text for a text, with what it cost. Everything works without one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A model's answer and what it cost in its own tokens. cut: it broke off at the limit of tokens."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    cut: bool = False


class LanguageModel(Protocol):
    """Answers a prompt. Calls may come from any thread, but never from inside a write transaction: they wait."""

    @property
    def name(self) -> str:
        """The model's name, kept with whatever it made."""

    def complete(self, *, system: str, prompt: str, max_tokens: int, temperature: float) -> Completion:
        """Answer, within the provider's own time limit. Raises ModelUnavailable: callers go on without and say so."""
