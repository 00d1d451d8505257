"""What an embedder promises. Vectors are stamped with `name`, so a change of model never mixes with another's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

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
