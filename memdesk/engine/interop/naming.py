"""Ids for what its source gives none: the same every time it comes in, and another for anything else."""

from __future__ import annotations

import hashlib
from base64 import b32encode

SEPARATOR = "\x1f"
"""Between the parts that an id is made of."""


def stable_id(*parts: str) -> str:
    """26 letters and digits that are the same for the same parts, as long as a ULID."""
    seed = SEPARATOR.join(parts).encode("utf-8", "surrogatepass")
    return b32encode(hashlib.blake2b(seed, digest_size=16).digest()).decode().rstrip("=")
