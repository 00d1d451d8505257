"""Interface of language models: a prompt, an answer and its cost. All of MemDesk works without one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """Answer of a model, with its cost in the model's own tokens. cut: True if it reached the token limit."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    cut: bool = False


class LanguageModel(Protocol):
    """Model that answers a prompt. Calls may come from any thread, but never from inside a write transaction:
    they wait."""

    @property
    def name(self) -> str:
        """Name of the model, stored with the records it made."""

    def complete(self, *, system: str, prompt: str, max_tokens: int, temperature: float) -> Completion:
        """Return the answer, within the provider's own time limit. Raises ModelUnavailable: callers continue
        without it and report it."""
