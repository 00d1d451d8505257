"""Definition of a call: its name, its request and answer types, and who may call it."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

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


Ask = TypeVar("Ask")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Endpoint(Generic[Ask, Answer]):
    """Call of the service. A GET carries its request as query parameters, a POST as a JSON body.

    owner: only the desk's owner may call it (the header `Authorization: Bearer TOKEN`)."""

    name: str
    method: Literal["GET", "POST"]
    ask: type[Ask]
    answer: type[Answer]
    says: str
    owner: bool = False

    @property
    def path(self) -> str:
        return "/v1/" + self.name.replace(".", "/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """Error answer: a code, a sentence, a next step, and details for programs."""

    code: str
    says: str
    next: str = ""
    details: dict[str, Any] = field(default_factory=dict)
