"""Declaration of a call. Route, client, command line, OpenAPI document, reference page and test of its example follow
from it.

No module of this package imports pydantic when it is imported: a command that asks nothing should not pay for it."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from memdesk.model.message import NO_MESSAGE, Details, Message
from memdesk.model.team import CURATOR, OWNER

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
class Face:
    """Command that makes a call. Every field of the request is an option; a list may be given several times.

    words: of the command, such as `retire`, or `channels create` for an action of a group, whose action `list` is also
    the group without one. about: the help; by default the sentence of the call. positional: fields given by place.
    joined: the last of them, where it takes all words that are left as one text. options: names that differ from the
    field's. help, choices, defaults: by field. fixed: fields that no option gives. left_out: fields that keep their
    default. line: the answer as a text with its fields in braces: `{id}`, `{turns:,}`, `{turns:# turn}` with its noun,
    `{by:? (by {by})}` where it is given or true, `{pinned:! (not pinned)}` where not; a job has `counts`, and
    `{result[…]}`. columns: a table of the answer's `rows`, as heads with such texts: `ID {id} | WHAT {title}`. none:
    the sentence where there are no rows, with the fields of the request in braces. noun: of a page's rows, to say how
    many are shown. failed: a field of the rows that is true for what failed: the exit code is then 1."""

    words: str
    about: str = field(default="", kw_only=True)
    positional: tuple[str, ...] = field(default=(), kw_only=True)
    joined: str = field(default="", kw_only=True)
    options: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    help: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict, kw_only=True)
    defaults: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    fixed: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    left_out: tuple[str, ...] = field(default=(), kw_only=True)
    line: str = field(default="", kw_only=True)
    columns: str = field(default="", kw_only=True)
    none: str = field(default="There is none.", kw_only=True)
    noun: str = field(default="", kw_only=True)
    failed: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class Endpoint(Generic[Ask, Answer]):
    """Call of the service, declared as a Get or a Post.

    summary: one sentence. verb: the function that serves it, as `module:function` below `memdesk.engine`, or as
    `service.module:function`; it takes the engine (in the service: the host), the request unless that is Nothing, and
    the keyword `author` where it signs.
    role: the least role of `memdesk.model.team` that may make it; no agent may what is for CURATOR or OWNER. person: no
    agent may make it, whatever the role. confirmed:
    it asks for the owner's passphrase, if one is set, from all but the window and members with bounds, else for a click
    in the window if one is open. window: only the process of the desk's window may call it. here: it is about a folder
    or the service of this computer, so it is not answered over the network. reads: a POST that only reads.
    act: the name of the job that does the work of a long act, whose verb also takes `progress`, and `run` or `again`
    where it wants them. check: the function that refuses a wrong request before a long act is acknowledged.
    example: a request, for a call that no scene of the examples makes. face: its command, if it is a plain one."""

    name: str
    ask: type[Ask]
    answer: type[Answer]
    summary: str
    verb: str
    method: Literal["GET", "POST"] = field(kw_only=True)
    role: str = field(kw_only=True)
    person: bool = field(default=False, kw_only=True)
    here: bool = field(default=False, kw_only=True)
    confirmed: bool = field(default=False, kw_only=True)
    window: bool = field(default=False, kw_only=True)
    reads: bool = field(default=False, kw_only=True)
    act: str = field(default="", kw_only=True)
    check: str = field(default="", kw_only=True)
    example: Ask | None = field(default=None, kw_only=True)
    face: Face | None = field(default=None, kw_only=True)

    @property
    def path(self) -> str:
        return "/v1/" + self.name.replace(".", "/")

    @property
    def resource(self) -> str:
        """First part of the name, by which calls are grouped."""
        return self.name.partition(".")[0]

    @property
    def owner(self) -> bool:
        """True if no agent may make it, on the desk's computer only the owner."""
        return self.person or self.role in (CURATOR, OWNER)

    @property
    def is_long(self) -> bool:
        """True if the answer is the state of a job, which goes on. By its name: its module is large, and a command
        that asks for nothing of it should not import it."""
        return self.answer.__name__ == "JobState"

    @property
    def only_reads(self) -> bool:
        return self.method == "GET" or self.reads


@dataclass(frozen=True, slots=True)
class Get(Endpoint[Ask, Answer]):
    """Call that only reads. It carries its request as query parameters."""

    method: Literal["GET", "POST"] = field(default="GET", kw_only=True)


@dataclass(frozen=True, slots=True)
class Post(Endpoint[Ask, Answer]):
    """Call that carries its request as a JSON body."""

    method: Literal["GET", "POST"] = field(default="POST", kw_only=True)


def declared(module: ModuleType) -> Iterator[Endpoint[Any, Any]]:
    """Yield the calls that a module declares, in its order."""
    return (each for each in vars(module).values() if isinstance(each, Endpoint))


PARTS = "application/json; messages=parts"
"""Accept header of a caller that words messages itself: each is sent as {"id": …, "parts": {…}} instead of as text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """Error answer: a code, a sentence, a next step, and details for programs."""

    code: str
    says: Message
    next: Message = NO_MESSAGE
    details: Details = field(default_factory=dict)
