"""HTTP application: one handler for each endpoint, run in a worker thread, with every error answered as a
sentence.

Requests are parsed and answers serialised here, in the worker thread that handles them. FastAPI describes the calls
when the document is asked for: importing it takes a third of a second and 20 MB."""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import MISSING, fields
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

from memdesk import __version__
from memdesk.api.endpoint import PARTS, Endpoint, Wrong, adapter
from memdesk.api.endpoints import ENDPOINTS
from memdesk.api.fields import words
from memdesk.model.errors import BadAsk, BugError, MemDeskError, NotFound, TooMany
from memdesk.model.message import message, writable
from memdesk.service.admission import Admission
from memdesk.service.callers import Caller, admit, caller
from memdesk.service.describing import TAGS, bound, describe, illustrate
from memdesk.service.request_parsing import AskReader, lists_of, pairs_of, with_agent_id
from memdesk.store.audit_log import asked_by

if TYPE_CHECKING:
    from fastapi.routing import APIRoute

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")
Handle = Callable[[Request], Coroutine[Any, Any, Response]]

READERS = 16
"""Number of reads that run at once; more would only wait for the interpreter."""
WRITERS = 64
"""Number of writes that wait at once for the writer thread; a group commit takes this many (measured: 53)."""
GIVE_WAY_SECONDS, GO_ON_SECONDS = 0.2, 0.05
"""Seconds for which background work pauses at most while calls run, and for which it then runs before it pauses again:
a fifth of the time on a service that is never idle."""
LOOK_SECONDS = 0.002
BODY_BYTES = 64 * 1024 * 1024
BODY_SECONDS = 60.0
"""Time limit for a body to arrive over the local socket."""
REMOTE, CALLER = "memdesk.remote", "memdesk.caller"
"""Keys of a request's scope: it came over the network, and who makes it."""
ABOUT = """What AI agents remember: store, recall, see, judge and correct it.

An agent presents its token, as `memdesk agents add NAME` makes it: `Authorization: Bearer TOKEN`. Without one it is a
guest, and names itself with the header `X-MemDesk-Agent`; no guest has the name of an agent with a token. All it writes
is signed with that name and is its own (`agent_id`). What names no channel is in the channel of that name; `_global` is
for claims that the owner let in. `X-MemDesk-Session` names its session, for the audit log.

The desk's owner presents the token from `owner.token` in the desk's folder in the same header. Calls that carry the
security `owner` are the owner's alone; every other is anyone's, each within its own limits.

Over the network nothing is answered without the token of a member, whom the owner invites with a role: `reader`,
`agent`, `curator` or `owner`. Each call says which role may make it. A member is shown, and may change, what is of its
users and channels only; all it writes is signed with the name that its token has.

The same words mean the same everywhere. `id` names any memory; `fact_id`, `goal_id` and the like one of that type. What
writes takes one `channel`, lists take `channels`. `since` and `until` bound a time, the end left out. A long list goes
on with `after`, the `next` of the page before, or with `first` where the answer has a `total`. A write that is sent
again under the same id or `retry_key` changes nothing more and is answered `repeated`; `change` is the number by which
it can be undone.

Text is Unicode without NUL, and an integer fits into 64 bits, also deep inside free JSON; no JSON is nested more than
200 deep. A time without a zone is one of the desk's own.

Every error is a `Wrong`: a code, a sentence, and what to try next."""

log = logging.getLogger(__name__)


class _Lane(ThreadPoolExecutor):
    """Pool of worker threads. under_way: the calls that wait for one, or run in one."""

    def __init__(self, threads: int, name: str) -> None:
        super().__init__(threads, name)
        self.under_way: set[Future[Any]] = set()

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        future = super().submit(function, *given, **named)
        self.under_way.add(future)
        future.add_done_callback(self.under_way.discard)
        return future


class DeskApp(Starlette):
    """HTTP application of one desk, with its owner's token and two pools of worker threads.

    person: returns the owner's name. admission: what agents may do; None for an application without memory. refusals:
    the number of error answers by code."""

    def __init__(self, *, token: str, person: Callable[[], str], admission: Admission | None = None) -> None:
        super().__init__(exception_handlers={HTTPException: _no_such_call})
        self.token = token
        self.person = person
        self.admission = admission
        self.refusals: Counter[str] = Counter()
        self._schema: dict[str, Any] = {}
        self._describing = threading.Lock()
        self._calls: dict[tuple[str, str], Handle] = {}
        self.add_route("/openapi.json", self._describe, include_in_schema=False)
        self.readers = _Lane(READERS, "memdesk-read")
        self.writers = _Lane(WRITERS, "memdesk-write")
        self._goes_on_until = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a call by its path. Starlette, which tries every route in turn, gets all other requests.

        Over the network nothing is answered, and no body read, before the token is known."""
        if scope.get(REMOTE) and scope["type"] == "http":
            request = Request(scope, receive, send)
            try:
                scope[CALLER] = await self.caller(request)
            except MemDeskError as refused:
                self.refusals[refused.code] += 1
                await refusal(refused, parts=wants_parts(request))(scope, receive, send)
                return
        handle = self._calls.get((scope.get("method", ""), scope.get("path", "")))
        if handle is None:
            await super().__call__(scope, receive, send)
        else:
            response = await handle(Request(scope, receive, send))
            await response(scope, receive, send)

    def add_call(self, path: str, handle: Handle, call: Endpoint[Any, Any]) -> None:
        """Add the route of a call, whose path has no parameters. Its handler answers every error itself."""
        self.router.routes.append(_Direct(path, call))
        self._calls[call.method, path] = handle

    def add_api_route(self, path: str, handle: Handle, *, methods: list[str], **described: Any) -> None:
        """Add a route that is no call. described: its name, and its description, as FastAPI takes them; openapi_extra
        may be a function, which is called when the document is made."""
        self.router.routes.append(_DescribedRoute(path, handle, methods, described))

    async def caller(self, request: Request) -> Caller:
        """Return who calls. Raises NotAllowed, BadAsk.

        A token that is kept in a database is looked up in the readers' pool: a database that hangs stops no other
        caller."""
        known: Caller | None = request.scope.get(CALLER)
        if known is not None:
            return known
        headers, remote = request.headers, bool(request.scope.get(REMOTE))
        if self.admission is None:
            return caller(headers, self.token, remote=remote)
        find = partial(self.admission.caller, headers, remote=remote)
        if not self.admission.asks_database(headers):
            return find()
        return await asyncio.get_running_loop().run_in_executor(self.readers, find)

    def signed(self, who: Caller, ask: Any, *, reads: bool, call: str) -> Caller:
        """Return the caller with the name that a guest gives in its request, as the desk spells it. Raises NotAllowed
        for several names."""
        named = who.named(ask, reads=reads, call=call)
        return named if self.admission is None else self.admission.spelled(named)

    def give_way(self, *, writing: bool = False) -> None:
        """Wait until no call is under way, GIVE_WAY_SECONDS at most; after so long, calls wait for the interpreter for
        GO_ON_SECONDS. writing: on the writer thread, for which calls that write wait."""
        until = time.monotonic() + GIVE_WAY_SECONDS
        while self.readers.under_way or self.writers.under_way:
            if writing and self.writers.under_way:
                return
            now = time.monotonic()
            if now < self._goes_on_until:
                return
            if now >= until:
                self._goes_on_until = now + GO_ON_SECONDS
            time.sleep(LOOK_SECONDS)

    def close(self) -> None:
        """Wait for the worker threads: a call may still run in one after its request was given up."""
        for lane in (self.readers, self.writers):
            lane.shutdown(wait=True, cancel_futures=True)

    async def _describe(self, request: Request) -> Response:
        """Answer with the OpenAPI document, which takes seconds to make and is therefore made in a worker
        thread."""
        made = asyncio.get_running_loop().run_in_executor(self.readers, lambda: JSONResponse(self.openapi()))
        return await made

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document of every call, made on first use."""
        with self._describing:
            self._schema = self._schema or self._described()
        return self._schema

    def _described(self) -> dict[str, Any]:
        from fastapi.openapi.utils import get_openapi

        document = get_openapi(
            title="MemDesk",
            version=__version__,
            description=ABOUT,
            tags=TAGS,
            routes=[
                route.described() if isinstance(route, _Direct | _DescribedRoute) else route
                for route in self.routes
            ],
        )
        illustrate(document)
        describe(document)
        bound(document)
        document.setdefault("components", {})["securitySchemes"] = {
            "owner": {"type": "http", "scheme": "bearer", "description": "The desk's owner.token."}
        }
        return document


class _Direct(BaseRoute):
    """Route of a call, which takes the request without FastAPI's processing.

    FastAPI describes it when the document is requested: describing all routes would double the service's
    start time. Its path has no parameters and is compared as it is: a third of the start went into patterns."""

    def __init__(self, path: str, call: Endpoint[Any, Any]) -> None:
        self.path, self.name, self.methods = path, call.name, {call.method}
        self._call = call

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return a partial match for its path: requests of its own method never come here."""
        is_here = scope["type"] == "http" and scope["path"] == self.path
        return (Match.PARTIAL if is_here else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the method. Raises HTTPException."""
        raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": ", ".join(sorted(self.methods))})

    def described(self) -> APIRoute:
        """Return the route for FastAPI. Its signature is for the description alone."""
        from fastapi.routing import APIRoute

        call = self._call

        def described() -> None:
            """Never called."""

        described.__signature__ = inspect.Signature(list(_parameters(call)))  # type: ignore[attr-defined]
        return APIRoute(
            self.path,
            described,
            methods=[call.method],
            name=call.name,
            operation_id=call.name,
            summary=call.summary,
            description=description_of(call),
            tags=[call.resource],
            response_model=call.answer,
            responses={"default": {"model": Wrong, "description": "What went wrong, and what to try next."}},
            openapi_extra={"security": [{"owner": []}]} if call.owner else None,
        )


class _DescribedRoute(Route):
    """Route that is no call, with its description."""

    def __init__(self, path: str, handle: Handle, methods: list[str], described: dict[str, Any]) -> None:
        super().__init__(path, handle, name=described.get("name"))
        # As for calls, without HEAD.
        self.methods = set(methods)
        self._description = described

    def described(self) -> APIRoute:
        """Return the route for FastAPI."""
        from fastapi.routing import APIRoute

        extra = self._description.get("openapi_extra")
        description = self._description | {"openapi_extra": extra() if callable(extra) else extra}
        return APIRoute(self.path, self.endpoint, methods=sorted(self.methods or ()), **description)


def answer(app: DeskApp, endpoint: Endpoint[Ask, Answer], function: Callable[..., Answer]) -> None:
    """Register `function(ask, author, member)` as the handler of an endpoint, in the readers' pool or the writers'.

    member: the token whose bounds hold for the author, None for who has none."""
    asks = AskReader(endpoint.ask)
    lane = app.readers if endpoint.only_reads else app.writers

    async def handle(request: Request) -> Response:
        return await respond_or_refuse(
            app, endpoint.name, lambda: respond(request), parts=wants_parts(request)
        )

    async def respond(request: Request) -> Response:
        who = await app.caller(request)
        admit(who, endpoint)
        body = await whole_body(request) if endpoint.method == "POST" else b""
        await confirmed(who, request, body)
        said = await asyncio.get_running_loop().run_in_executor(lane, reply, who, request, body)
        return Response(said, media_type="application/json")

    async def confirmed(who: Caller, request: Request, body: bytes) -> None:
        """Wait for a click in the window, for a dangerous call that needs one. Raises NotAllowed."""
        if app.admission is None or who.bounded_by or not (endpoint.confirmed or endpoint.window):
            return
        process = 0 if request.client is None else request.client.port
        ask = read(who, request, body)
        with asked_by(who.asker(endpoint.name, ask, app.person())):
            if endpoint.window:
                await asyncio.to_thread(app.admission.refuse_all_but_window, process)
            if endpoint.confirmed:
                await app.admission.clicked(endpoint, ask, who, process, request.is_disconnected)

    def reply(who: Caller, request: Request, body: bytes) -> bytes:
        """Read the request, carry it out and serialise the answer, all in one worker thread."""
        ask = read(who, request, body)
        who = app.signed(who, ask, reads=endpoint.only_reads, call=endpoint.name)
        with asked_by(who.asker(endpoint.name, ask, app.person())):
            if endpoint.confirmed and app.admission is not None and not who.bounded_by:
                app.admission.confirm(request.headers, 0 if request.client is None else request.client.port)
            said = answered(who, ask)
        return written(said, endpoint.answer, parts=wants_parts(request))

    def answered(who: Caller, ask: Ask) -> Answer:
        """Return the answer to a request, within the limits of an agent."""
        author, member = who.author(ask, app.person()), who.bounded_by
        if app.admission is None or (endpoint.owner and who.owner):
            return function(ask, author, member)
        fit, visitor = app.admission.admitted(who, endpoint.name, ask, reads=endpoint.only_reads)
        with app.admission.within(who, reads=endpoint.only_reads):
            result: Answer = app.admission.answered(
                visitor, endpoint.name, ask, function(fit, author, member)
            )
        return app.admission.shown(who, result, reads=endpoint.only_reads)

    def read(who: Caller, request: Request, body: bytes) -> Ask:
        if endpoint.method == "GET":
            return asks.query(pairs_of(request.scope["query_string"]))
        ask: Ask = asks.body(body)
        return ask if who.agent is None else with_agent_id(ask, who.agent)

    app.add_call(endpoint.path, handle, endpoint)


def wants_parts(request: Request) -> bool:
    """Return True if the caller words messages itself."""
    return request.headers.get("accept") == PARTS


def written(said: Any, kind: Any, *, parts: bool) -> bytes:
    """Return an answer as JSON. parts: its messages as ids and parts instead of as texts."""
    return adapter(kind).dump_json(said, context=parts)


def description_of(endpoint: Endpoint[Any, Any]) -> str:
    """Return the description of a call: its request, and a note if only the owner may call it."""
    owner = "Only the desk's owner may call it." if endpoint.owner else ""
    role = f"Over the network: {'nobody' if endpoint.here else endpoint.role}."
    return "\n\n".join(filter(None, (words(endpoint.ask) or f"{endpoint.summary}.", owner, role)))


def _parameters(endpoint: Endpoint[Any, Any]) -> Iterator[inspect.Parameter]:
    """Yield the request's parameters for FastAPI: a GET's fields one by one, a POST's body."""
    from fastapi import Query

    if endpoint.method == "POST":
        yield inspect.Parameter("ask", inspect.Parameter.KEYWORD_ONLY, annotation=endpoint.ask)
        return
    hints, lists = get_type_hints(endpoint.ask), lists_of(endpoint.ask)
    for item in fields(endpoint.ask):
        shown = list[str] if item.name in lists else hints[item.name]
        default = inspect.Parameter.empty if item.default is MISSING else item.default
        yield inspect.Parameter(
            item.name,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=Annotated[shown, Query()],
            default=list(default) if isinstance(default, tuple) else default,
        )


class _Unread(BadAsk):
    """Error after which the rest of the body is unread, so the connection cannot carry another request."""


async def whole_body(request: Request, *, limit_bytes: int | None = None) -> bytes:
    """Return a request's body. Raises BadAsk when it is too large or does not end.

    limit_bytes: BODY_BYTES by default."""
    limit = limit_bytes or BODY_BYTES
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > limit:
                    raise _Unread(
                        message("The body is larger than {count} MB.", count=limit // 1024**2),
                        next=message("Send it in parts."),
                    )
    except TimeoutError:
        raise _Unread(
            message("The body did not arrive within {count} seconds.", count=f"{BODY_SECONDS:.0f}")
        ) from None
    return bytes(body)


async def respond_or_refuse(
    app: DeskApp, name: str, respond: Callable[[], Coroutine[Any, Any, Response]], *, parts: bool = False
) -> Response:
    """Return the response, or the error as a Wrong. The only place that catches every exception of a route."""
    try:
        return await respond()
    except ClientDisconnect:
        # Whoever asked hung up before the body was whole: nothing was done, and nobody reads an answer.
        return Response(status_code=HTTPStatus.BAD_REQUEST)
    except BugError as bug:
        log.exception("%s failed", name)
        wrong: MemDeskError = bug
    except MemDeskError as refused:
        wrong = refused
    except Exception:  # noqa: BLE001 - the top of a route: logged with its traceback, answered in a sentence
        log.exception("%s failed", name)
        wrong = BugError(message("MemDesk failed at {name}; this is a bug.", name=name))
    app.refusals[wrong.code] += 1
    return refusal(wrong, parts=parts)


def refusal(wrong: MemDeskError, *, parts: bool = False) -> Response:
    """Return an error as a response. Bytes of a file's name that are no text become `?`."""
    said = Wrong(code=wrong.code, says=writable(wrong.says), next=writable(wrong.next), details=wrong.details)
    headers = {"connection": "close"} if isinstance(wrong, _Unread) else {}
    if isinstance(wrong, TooMany):
        headers["retry-after"] = str(wrong.details["retry_after_s"])
    return Response(written(said, Wrong, parts=parts), wrong.status, headers, media_type="application/json")


async def _no_such_call(request: Request, wrong: Exception) -> Response:
    """Answer the router's own refusals: an unknown path, or a method that its path does not take."""
    if isinstance(wrong, HTTPException) and wrong.status_code == 405:
        takes = (wrong.headers or {}).get("Allow", "another method")
        return refusal(
            BadAsk(
                message("{path} is called with {takes}.", path=request.url.path, takes=takes),
                next=message("See /openapi.json."),
            )
        )
    return refusal(
        NotFound(
            message("There is no call {path}.", path=request.url.path),
            next=message("Every call is in /openapi.json."),
        )
    )


def refuse_gaps(app: DeskApp) -> None:
    """Raise BugError unless every endpoint has exactly one handler."""
    answers = Counter(route.name for route in app.routes if isinstance(route, _Direct | Route))
    wrong = [
        f"{endpoint.name} has {answers[endpoint.name]}"
        for endpoint in ENDPOINTS
        if answers[endpoint.name] != 1
    ]
    if wrong:
        raise BugError(message("Every call needs exactly one answer: {wrong}.", wrong=", ".join(wrong)))
