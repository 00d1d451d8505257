"""Stable ids for records without an id in their source: the same at every import, and different for any other
record."""

from __future__ import annotations

import hashlib
from base64 import b32encode

SEPARATOR = "\x1f"
"""Separator of the parts that an id is made from."""


def stable_id(*parts: str) -> str:
    """Return 26 letters and digits, the length of a ULID, that are always the same for the same parts."""
    seed = SEPARATOR.join(parts).encode("utf-8", "surrogatepass")
    return b32encode(hashlib.blake2b(seed, digest_size=16).digest()).decode().rstrip("=")
