"""The bundled static table: no key, no download, no torch.

WordLlama's wheel carries a 256-dimension table of token vectors and its tokenizer. We read both files directly,
because its own loader looks for the tokenizer online.
"""

from __future__ import annotations

import importlib.util
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from memdesk.engine.providers.embedder import Vectors
from memdesk.model.errors import EmbedderUnavailable

TOKENS_AT_MOST = 512
"""Longer texts are embedded by their beginning; a mean over more tokens tells little."""
CHARACTERS_AT_MOST = 16 * TOKENS_AT_MOST
KIN_FROM = 0.4
"""Cosine from which two words of the table are kin: work and works .83, wife and husband .70, city and town .44."""
KIN_AT_MOST = 12
_WORD = re.compile("▁([a-z]{3,})")
"""A token that is a whole word. Only these have kin: a word in pieces is near whatever shares a piece."""
_lock = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """vectors: float32 (tokens, 256). place: whole word -> row of `words`, which are of unit length."""

    tokenizer: Any
    vectors: Vectors
    place: dict[str, int]
    words: Vectors


class StaticTable:
    """Mean of token vectors, to unit length. Loaded at first use, once for all; thread-safe."""

    name = "static-256"
    dimension = 256

    def embed(self, texts: Sequence[str]) -> Vectors:
        parts = _loaded()
        encoded = parts.tokenizer.encode_batch(
            [text[:CHARACTERS_AT_MOST] for text in texts], add_special_tokens=False
        )
        out = np.zeros((len(texts), self.dimension), np.float32)
        for row, item in zip(out, encoded, strict=True):
            ids = item.ids[:TOKENS_AT_MOST]
            if ids:
                row += parts.vectors[ids].mean(axis=0)
        return _unit(out)


@lru_cache(maxsize=8192)
def kin(word: str) -> tuple[str, ...]:
    """The words nearest in meaning to a lower-case word, nearest first, at most KIN_AT_MOST; often none.

    Half a millisecond for a new word whatever the desk holds, nothing for one asked before. Raises EmbedderUnavailable.
    """
    parts = _loaded()
    if word not in parts.place:
        return ()
    cosines = parts.words @ parts.words[parts.place[word]]
    near = np.flatnonzero(cosines >= KIN_FROM)
    names = list(parts.place)
    ranked = (names[i] for i in near[np.argsort(-cosines[near], kind="stable")])
    return tuple(name for name in ranked if name != word)[:KIN_AT_MOST]


def _loaded() -> _Parts:
    with _lock:
        return _read_parts()


@lru_cache(maxsize=1)
def _read_parts() -> _Parts:
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
    vectors: Vectors = next(iter(tables.values())).astype(np.float32)
    whole = {
        found[1]: row
        for token, row in sorted(tokenizer.get_vocab().items())
        if (found := _WORD.fullmatch(token))
    }
    place = {word: at for at, word in enumerate(whole)}
    return _Parts(
        tokenizer=tokenizer, vectors=vectors, place=place, words=_unit(vectors[list(whole.values())])
    )


def _unit(rows: Vectors) -> Vectors:
    """Rows to unit length, in place; a row of nothing stays nothing."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    np.divide(rows, lengths, out=rows, where=lengths > 0)
    return rows
