"""The bundled static table: no key, no download, no torch.

WordLlama's wheel carries a 256-dimension table of token vectors and its tokenizer. We read both files directly,
because its own loader looks for the tokenizer online.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from memdesk.engine.providers.embedder import Vectors
from memdesk.model.errors import EmbedderUnavailable

TOKENS_AT_MOST = 512
"""Longer texts are embedded by their beginning; a mean over more tokens tells little."""
CHARACTERS_AT_MOST = 16 * TOKENS_AT_MOST


class StaticTable:
    """Mean of token vectors, to unit length. Loaded at first use; thread-safe."""

    name = "static-256"
    dimension = 256

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._parts: tuple[object, Vectors] | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        tokenizer, table = self._load()
        encoded = tokenizer.encode_batch(  # type: ignore[attr-defined]
            [text[:CHARACTERS_AT_MOST] for text in texts], add_special_tokens=False
        )
        out = np.zeros((len(texts), self.dimension), np.float32)
        for row, item in zip(out, encoded, strict=True):
            ids = item.ids[:TOKENS_AT_MOST]
            if ids:
                row += table[ids].mean(axis=0)
        lengths = np.linalg.norm(out, axis=1, keepdims=True)
        np.divide(out, lengths, out=out, where=lengths > 0)
        return out

    def _load(self) -> tuple[object, Vectors]:
        with self._lock:
            if self._parts is None:
                self._parts = _read_parts()
            return self._parts


def _read_parts() -> tuple[object, Vectors]:
    spec = importlib.util.find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise EmbedderUnavailable("The bundled embedder is not installed.", next="Install MemDesk again.")
    folder = Path(spec.origin).parent
    try:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        tables = load_file(folder / "weights" / "l2_supercat_256.safetensors")
        tokenizer = Tokenizer.from_file(str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    except (ImportError, OSError, ValueError) as error:
        raise EmbedderUnavailable(f"The bundled embedder cannot be read: {error}.") from error
    return tokenizer, next(iter(tables.values())).astype(np.float32)
