"""Reranker behind `rerank`, as Jina, Cohere, vLLM, llama.cpp and TEI's proxies offer it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from memdesk.engine.providers.embedder import Vectors, unit
from memdesk.engine.providers.meter import Used, reported_use
from memdesk.engine.providers.server import Declined, Server
from memdesk.model.errors import EmbedderUnavailable, ModelUnavailable
from memdesk.model.message import message

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
