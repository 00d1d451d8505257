"""Change feed: each change as a server-sent event, resumable from a cursor.

The journal is the queue: a client that falls behind costs one flag, however much it has missed. Events of the
type `working` report that working memory changed: one at the beginning, so that nothing is missed between a
read and the feed, then one for each change. They have no number and are not replayed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from memdesk.api.endpoint import adapter
from memdesk.api.history import FEED_PATH
from memdesk.model.errors import BadAsk, MemDeskError, NotAllowed
from memdesk.model.history import FeedEvent, WorkingMoved
from memdesk.model.message import message
from memdesk.service.app import DeskApp, respond_or_refuse
from memdesk.service.callers import Caller
from memdesk.service.host import CommitSignal

HEARTBEAT_SECONDS = 15.0
"""Interval of comments, by which both ends notice when the other is gone."""
ABOUT = """`Last-Event-ID` or `after` resumes after that change; without either the feed starts now.

An event of the type `working` comes first and whenever working memory moved; it has no number and is not told again.
Over the network a member gets the changes that are only about what it may see, and the first of those events."""
EVENTS = "One FeedEvent an event; those of the type `working` hold a WorkingMoved."
_INTEGER = 2**63

log = logging.getLogger(__name__)


def answer_feed(
    app: DeskApp,
    bell: CommitSignal,
    *,
    read: Callable[[int], tuple[FeedEvent, ...]],
    head: Callable[[], int],
    moves: Callable[[], int],
    asks: Callable[[], int] = lambda: 0,
) -> None:
    """Register the feed. read: returns a page of events after a change; head: the latest change.

    moves, asks: the number of changes of working memory, and of the acts that wait for a click, read on the loop
    after every commit."""

    async def handle(request: Request) -> Response:
        return await respond_or_refuse(app, "history.feed", lambda: respond(request))

    async def respond(request: Request) -> Response:
        who = await app.caller(request)
        if not (who.owner or who.is_person):
            raise NotAllowed(
                message("Only persons may follow the feed."),
                next=message("Use the token of a reader, a curator or an owner."),
            )
        newest = await asyncio.get_running_loop().run_in_executor(app.readers, head)
        asked = _cursor(request)
        # A cursor from a desk that was since restored from a backup lies ahead of the journal.
        after = newest if asked is None else min(asked, newest)
        return StreamingResponse(
            _events(app, bell, who, read, lambda: (moves(), asks()) if who.owner else (0, 0), after),
            media_type="text/event-stream",
            headers={"cache-control": "no-store"},
        )

    app.add_api_route(
        FEED_PATH,
        handle,
        methods=["GET"],
        name="history.feed",
        operation_id="history.feed",
        summary="The change feed, as server-sent events",
        description=ABOUT,
        tags=["history"],
        response_class=StreamingResponse,
        openapi_extra={"security": [{"owner": []}], "parameters": _PARAMETERS},
        responses={200: {"content": {"text/event-stream": {}}, "description": EVENTS}},
    )


_PARAMETERS = [
    {
        "name": "after",
        "in": "query",
        "required": False,
        "schema": {"type": "integer"},
        "description": "The number of the last change that was seen; 0 for all there were.",
    },
    {
        "name": "Last-Event-ID",
        "in": "header",
        "required": False,
        "schema": {"type": "integer"},
        "description": "The same, as a client of server-sent events sends it when it connects again.",
    },
]


def _cursor(request: Request) -> int | None:
    """Return the change to start after, None without one. Raises BadAsk when it is no change number."""
    given = request.headers.get("last-event-id") or request.query_params.get("after")
    if given is None:
        return None
    if not given.isascii() or not given.isdigit() or int(given[:19]) >= _INTEGER or len(given) > 19:
        raise BadAsk(
            message("The feed's cursor must be the number of a change."),
            next=message("Use the `id:` of an event."),
        )
    return int(given)


async def _events(
    app: DeskApp,
    bell: CommitSignal,
    who: Caller,
    read: Callable[[int], tuple[FeedEvent, ...]],
    moves: Callable[[], tuple[int, int]],
    after: int,
) -> AsyncIterator[bytes]:
    """Yield past events from the journal, then new ones, until the client leaves, its token ends or is revoked, or the
    service ends."""
    sent: tuple[int, int] | None = None

    def page_for(after: int) -> tuple[int, tuple[FeedEvent, ...], float | None]:
        """Return the number of the last event after this one, those that the caller may see, and the seconds that its
        token is left."""
        page = read(after)
        last = page[-1].id if page else after
        if app.admission is None:
            return last, page, None
        left = app.admission.seconds_left(who)
        if who.owner:
            return last, page, left
        return last, app.admission.seen(who, page), left

    with bell.listener() as rung:
        # An id without data moves the client's cursor, so that it can resume before the first event.
        yield f"id: {after}\n\n".encode()
        while not bell.closed:
            rung.clear()
            if (moved := moves()) != sent:
                sent = moved
                yield b"event: working\ndata: %s\n\n" % adapter(WorkingMoved).dump_json(
                    WorkingMoved(moves=moved[0], asks=moved[1], after=after)
                )
            try:
                last, page, left = await asyncio.get_running_loop().run_in_executor(
                    app.readers, page_for, after
                )
            except MemDeskError as wrong:
                log.warning("a feed was closed: %s", wrong.says)
                return
            if left == 0:
                return
            for event in page:
                yield b"id: %d\ndata: %s\n\n" % (event.id, adapter(FeedEvent).dump_json(event))
            moved_on, after = last != after, last
            seconds = HEARTBEAT_SECONDS if left is None else min(HEARTBEAT_SECONDS, left)
            if not moved_on and not await _rung(rung, seconds):
                yield b": still here\n\n"


async def _rung(flag: asyncio.Event, seconds: float) -> bool:
    """Return True if a commit came within so many seconds."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await flag.wait()
    return flag.is_set()
