"""Declaration of a call. Route, client, command line, OpenAPI document, reference page and test of its example follow
from it.

No module of this package imports pydantic when it is imported: a command that asks nothing should not pay for it."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Record = TypeVar("Record")


def adapter(kind: type[Record]) -> TypeAdapter[Record]:
    """Return the adapter of one record type, built on first use: building all of them would take a service
    0.3 s."""
    any_kind: Any = kind
    return _built(any_kind)


@functools.cache
def _built(kind: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


Ask = TypeVar("Ask")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Endpoint(Generic[Ask, Answer]):
    """Call of the service. A GET carries its request as query parameters, a POST as a JSON body.

    summary: one sentence. verb: the function that serves it, as `module:function` below `memdesk`; it takes the
    engine (in the service: the host), the request unless that is Nothing, and the keyword `author` where it signs.
    owner: only the desk's owner may call it (the header `Authorization: Bearer TOKEN`). reads: a POST that only reads.
    act: the name of the job that does the work of a long act, whose verb also takes `progress`, and `run` or `again`
    where it wants them. check: the function that refuses a wrong request before a long act is acknowledged.
    example: a request, for a call that no scene of the examples makes."""

    name: str
    method: Literal["GET", "POST"]
    ask: type[Ask]
    answer: type[Answer]
    summary: str
    verb: str = field(default="", kw_only=True)
    owner: bool = field(default=False, kw_only=True)
    reads: bool = field(default=False, kw_only=True)
    act: str = field(default="", kw_only=True)
    check: str = field(default="", kw_only=True)
    example: Ask | None = field(default=None, kw_only=True)

    @property
    def path(self) -> str:
        return "/v1/" + self.name.replace(".", "/")

    @property
    def resource(self) -> str:
        """First part of the name, by which calls are grouped."""
        return self.name.partition(".")[0]

    @property
    def only_reads(self) -> bool:
        return self.method == "GET" or self.reads


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """Error answer: a code, a sentence, a next step, and details for programs."""

    code: str
    says: str
    next: str = ""
    details: dict[str, Any] = field(default_factory=dict)
