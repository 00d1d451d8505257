"""Reranker behind `rerank`, as Jina, Cohere, vLLM, llama.cpp and TEI's proxies offer it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memdesk.engine.providers.meter import Used, used_of
from memdesk.engine.providers.server import Declined, Server
from memdesk.model.errors import ModelUnavailable


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
                raise ValueError("scores of texts that were not asked about")
            return found, used_of(said.get("usage"), "total_tokens")

        try:
            return self.server.ask("/rerank", asked, read)
        except Declined as declined:
            raise ModelUnavailable(declined.says) from declined
