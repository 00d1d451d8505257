"""Language model behind an OpenAI-compatible address: OpenAI itself, Ollama, LM Studio, vLLM, llama.cpp."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from memdesk.engine.providers.language import Completion
from memdesk.engine.providers.meter import Used, used_of
from memdesk.engine.providers.server import Declined, Server
from memdesk.model.errors import ModelUnavailable

_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
"""Reasoning text that locally served reasoning models write before the answer."""

Say = dict[str, Any]


class ChatModel:
    """Client of `chat/completions`, one request at a time."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.name = server.name
        self._adapt: dict[str, Callable[[Say], None]] = {}

    def complete(self, *, system: str, prompt: str, max_tokens: int, temperature: float) -> Completion:
        asked: Say = {
            "model": self.name,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": prompt}],
            "max_tokens": max_tokens,
            "temperature": temperature,
        }
        return completed(self.server, "/chat/completions", asked, read, self._adapt)


def completed(
    server: Server,
    path: str,
    asked: Say,
    read: Callable[[Any], tuple[Completion, Used]],
    adapt: dict[str, Callable[[Say], None]],
) -> Completion:
    """Ask a model, without the parameters it turned out to reject. Raises ModelUnavailable.

    adapt: the corrections for this model, by the parameter it rejected; filled as it rejects them. Reasoning
    models refuse `temperature`, and OpenAI's need `max_completion_tokens`."""
    while True:
        for change in adapt.values():
            change(asked)
        try:
            return server.ask(path, asked, read)
        except Declined as declined:
            disliked = next((name for name in _OTHERWISE if name in asked and name in declined.reason), None)
            if declined.status != 400 or disliked is None:
                raise ModelUnavailable(declined.says, details={"declined": True}) from declined
            adapt[disliked] = _OTHERWISE[disliked]


def _without_temperature(asked: Say) -> None:
    asked.pop("temperature", None)


def _completion_tokens(asked: Say) -> None:
    if "max_tokens" in asked:
        asked["max_completion_tokens"] = asked.pop("max_tokens")


_OTHERWISE: dict[str, Callable[[Say], None]] = {
    "max_tokens": _completion_tokens,
    "temperature": _without_temperature,
}


def read(said: Any) -> tuple[Completion, Used]:
    """Return the answer in a chat completion. Raises Declined for a refusal, or the error that a wrong shape
    causes."""
    choice = said["choices"][0]
    message, stop = choice["message"], choice.get("finish_reason")
    if message.get("refusal") or stop == "content_filter":
        raise Declined("The language model declined to answer.")
    if not isinstance(message["content"], str):
        raise ValueError("an answer without text")
    text = _THOUGHTS.sub("", message["content"]).strip("\n")
    used = used_of(said.get("usage"), "prompt_tokens", "completion_tokens")
    return Completion(
        text=text, tokens_in=used.tokens_in, tokens_out=used.tokens_out, cut=stop == "length"
    ), used
