"""Models on servers: language models of two protocols, embedders, and rerankers as Jina, Cohere, vLLM, llama.cpp and
TEI's proxies offer them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

import numpy as np

from memdesk.engine.providers.embedder import Vectors, unit
from memdesk.engine.providers.meter import Used, reported_use
from memdesk.engine.providers.server import Declined, Key, Server
from memdesk.model.errors import EmbedderUnavailable, ModelUnavailable
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


TEXTS_AT_ONCE = 64
"""Texts in one request; OpenAI takes 2,048, small servers a few dozen."""
CHARACTERS_AT_MOST, FEWEST_CHARACTERS = 8000, 500
"""Longer texts are embedded by their beginning. A text that the server finds too long is halved, down to the
fewest."""


class RemoteEmbedder:
    """Embedder on a server. Its name includes the host, because one model name may mean two models on two
    servers."""

    def __init__(self, server: Server) -> None:
        import httpx

        self.server = server
        self.name = f"{server.name}@{httpx.URL(server.url).netloc.decode()}"
        self.dimension = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return vectors as Embedder does. A text that the server rejects at any length becomes zero, if it
        accepted any other."""
        filled = [(at, text[:CHARACTERS_AT_MOST]) for at, text in enumerate(texts) if text.strip()]
        found: dict[int, Vectors] = {}
        for batch in _batches(filled):
            found |= self._embedded(batch)
        if filled and not found:
            raise EmbedderUnavailable(message("{what} takes none of these texts.", what=self.server.what))
        if len({vector.size for vector in found.values()}) > 1:
            raise EmbedderUnavailable(
                message("{what} answers with vectors of different dimensions.", what=self.server.what)
            )
        self.dimension = next((vector.size for vector in found.values()), self.dimension)
        if not self.dimension:
            # Blank texts alone: their zeros need as many dimensions as anything else.
            self.dimension = self._asked(["text"]).shape[1]
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for at, vector in found.items():
            rows[at] = vector
        return unit(rows)

    def _embedded(self, batch: Sequence[tuple[int, str]]) -> dict[int, Vectors]:
        """Return the vectors of numbered texts; rejected texts are left out."""
        try:
            return dict(zip((at for at, _ in batch), self._asked([text for _, text in batch]), strict=True))
        except Declined:
            if len(batch) > 1:
                half = len(batch) // 2
                return self._embedded(batch[:half]) | self._embedded(batch[half:])
        at, text = batch[0]
        return self._embedded([(at, text[: len(text) // 2])]) if len(text) >= 2 * FEWEST_CHARACTERS else {}

    def _asked(self, texts: Sequence[str]) -> Vectors:
        asked = {"model": self.server.name, "input": texts, "encoding_format": "float"}
        return self.server.ask("/embeddings", asked, _reader(len(texts)))


def _batches(numbered: Sequence[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    rest = iter(numbered)
    while batch := list(islice(rest, TEXTS_AT_ONCE)):
        yield batch


def _reader(count: int) -> Callable[[Any], tuple[Vectors, Used]]:
    def read(said: Any) -> tuple[Vectors, Used]:
        """Return the vectors in the order of the texts. Raises the error that a wrong shape causes."""
        placed = {int(row["index"]): row["embedding"] for row in said["data"]}
        rows = np.array([placed[at] for at in range(count)], np.float32)
        if rows.ndim != 2 or not rows.shape[1] or not np.isfinite(rows).all():
            raise ValueError(message("no vectors"))
        return rows, reported_use(said.get("usage"), "prompt_tokens")

    return read


class Reranker:
    """Client that scores how well each text answers a query."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.name = server.name

    def scores(self, query: str, texts: Sequence[str]) -> dict[int, float]:
        """Return scores of how well texts answer a query, by position, on the model's own scale; some may be
        missing.

        Raises ModelUnavailable: callers keep their order, and report it."""
        asked = {"model": self.name, "query": query, "documents": list(texts), "top_n": len(texts)}

        def read(said: Any) -> tuple[dict[int, float], Used]:
            found = {int(row["index"]): float(row["relevance_score"]) for row in said["results"]}
            if not found or not all(0 <= at < len(texts) and abs(score) < 1e9 for at, score in found.items()):
                raise ValueError(message("scores of texts that were not asked about"))
            return found, reported_use(said.get("usage"), "total_tokens")

        try:
            return self.server.ask("/rerank", asked, read)
        except Declined as declined:
            raise ModelUnavailable(declined.says) from declined
