"""Language model behind Anthropic's messages API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memdesk.engine.providers.chat import completed
from memdesk.engine.providers.keys import Key
from memdesk.engine.providers.language import Completion
from memdesk.engine.providers.meter import Used, used_of
from memdesk.engine.providers.server import Declined, Server

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
        return completed(self.server, "/messages", asked, read, self._adapt)


def read(said: Any) -> tuple[Completion, Used]:
    """Return the answer in a message, its text blocks joined. Raises Declined for a refusal, or the error
    that a wrong shape causes."""
    if said["stop_reason"] == "refusal":
        raise Declined("The language model declined to answer.")
    texts = [block["text"] for block in said["content"] if block["type"] == "text"]
    if not texts or not all(isinstance(text, str) for text in texts):
        raise ValueError("an answer without text")
    used = used_of(said.get("usage"), "input_tokens", "output_tokens")
    cut = said["stop_reason"] == "max_tokens"
    return Completion(
        text="".join(texts), tokens_in=used.tokens_in, tokens_out=used.tokens_out, cut=cut
    ), used
