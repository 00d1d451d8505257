"""Interface of embedders. Vectors are stored with `name`, so vectors of different models are never mixed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.message import message

Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    @property
    def name(self) -> str:
        """Name of the model with its dimension or another mark, such as `static-256`."""

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return float32 of shape (len(texts), dimension), rows of unit length, or zero for a text without a
        known word.

        Raises EmbedderUnavailable: callers then search by words alone and report it."""


class Unset:
    """Placeholder for an embedder that the settings do not fully define. It always fails, so no other
    embedder is used instead."""

    name, dimension = "unset", 0

    def __init__(self, says: str) -> None:
        self._says = says

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Raise EmbedderUnavailable."""
        raise EmbedderUnavailable(
            message("There is no embedder: {says}.", says=self._says),
            next=message("Correct embedder and what it needs in the settings."),
        )


def unit(rows: Vectors) -> Vectors:
    """Scale rows to unit length, in place, and return them; a zero row stays zero."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    np.divide(rows, lengths, out=rows, where=lengths > 0)
    return rows
