"""Adapters that read and write each record type as JSON, on both sides of the socket."""

from __future__ import annotations

import functools
from typing import Any, TypeVar

from pydantic import TypeAdapter

Record = TypeVar("Record")


def adapter(kind: type[Record]) -> TypeAdapter[Record]:
    """Return the adapter of one record type, built on first use: building all of them would take a service
    0.3 s."""
    any_kind: Any = kind
    return _built(any_kind)


@functools.cache
def _built(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
