"""Language model behind Anthropic's messages API."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from memdesk.engine.providers.meter import Used, reported_use
from memdesk.engine.providers.server import Declined, Key, Server
from memdesk.model.errors import ModelUnavailable
from memdesk.model.message import message


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
        return request_completion(self.server, "/chat/completions", asked, read_chat, self._adapt)


def request_completion(
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


def read_chat(said: Any) -> tuple[Completion, Used]:
    """Return the answer in a chat completion. Raises Declined for a refusal, or the error that a wrong shape
    causes."""
    choice = said["choices"][0]
    spoken, stop = choice["message"], choice.get("finish_reason")
    if spoken.get("refusal") or stop == "content_filter":
        raise Declined(message("The language model declined to answer."))
    if not isinstance(spoken["content"], str):
        raise ValueError(message("an answer without text"))
    text = _THOUGHTS.sub("", spoken["content"]).strip("\n")
    used = reported_use(said.get("usage"), "prompt_tokens", "completion_tokens")
    return Completion(
        text=text, tokens_in=used.tokens_in, tokens_out=used.tokens_out, cut=stop == "length"
    ), used


VERSION = "2023-06-01"
"""Version of the API, named in every request."""


def headers(key: Key) -> dict[str, str]:
    """Return the headers with the key and the version of this API."""
    return {"anthropic-version": VERSION} | ({"x-api-key": key.value} if key.value else {})


class MessagesModel:
    """Client of `messages`, one request at a time."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.name = server.name
        self._adapt: dict[str, Callable[[dict[str, Any]], None]] = {}

    def complete(self, *, system: str, prompt: str, max_tokens: int, temperature: float) -> Completion:
        asked = {
            "model": self.name,
            "system": system,
            "messages": [{"role": "user", "content": prompt}],
            "max_tokens": max_tokens,
            "temperature": temperature,
        }
        return request_completion(self.server, "/messages", asked, read_message, self._adapt)


def read_message(said: Any) -> tuple[Completion, Used]:
    """Return the answer in a message, its text blocks joined. Raises Declined for a refusal, or the error
    that a wrong shape causes."""
    if said["stop_reason"] == "refusal":
        raise Declined(message("The language model declined to answer."))
    texts = [block["text"] for block in said["content"] if block["type"] == "text"]
    if not texts or not all(isinstance(text, str) for text in texts):
        raise ValueError(message("an answer without text"))
    used = reported_use(said.get("usage"), "input_tokens", "output_tokens")
    cut = said["stop_reason"] == "max_tokens"
    return Completion(
        text="".join(texts), tokens_in=used.tokens_in, tokens_out=used.tokens_out, cut=cut
    ), used
