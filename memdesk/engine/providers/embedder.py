"""What an embedder promises. Vectors are stamped with `name`, so a change of model never mixes with another's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from memdesk.model.errors import EmbedderUnavailable

Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    @property
    def name(self) -> str:
        """The model and its dimension, such as `static-256`."""

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """float32 of shape (len(texts), dimension), rows of unit length, or zero where a text has no known word.

        Raises EmbedderUnavailable: callers fall back to words alone and say so.
        """


class Unset:
    """An embedder that the settings do not say enough about. It never answers, so nothing is embedded by another."""

    name, dimension = "unset", 0

    def __init__(self, says: str) -> None:
        self._says = says

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Raises EmbedderUnavailable."""
        raise EmbedderUnavailable(
            f"There is no embedder: {self._says}.", next="Correct embedder and what it needs in the settings."
        )


def unit(rows: Vectors) -> Vectors:
    """Rows to unit length, in place; a row of nothing stays nothing."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    np.divide(rows, lengths, out=rows, where=lengths > 0)
    return rows
