"""The change feed: resumable, complete, and quick to leave when the service ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import httpx
import pytest
from small_service import Serving

from memdesk.api.history import FEED_PATH
from memdesk.model.history import FeedEvent
from memdesk.service import feed
from memdesk.service.app import DeskApp
from memdesk.service.feed import answer_feed
from memdesk.service.host import CommitSignal

Serve = Callable[[Callable[[DeskApp, CommitSignal], None]], Serving]
PAGE = 3
WORKING = "event: working"


class Journal:
    """As much of a journal as the feed reads: numbered events, a page at a time."""

    def __init__(self) -> None:
        self.events: list[FeedEvent] = []
        self.moves = 7

    def write(self, many: int) -> None:
        for number in range(len(self.events) + 1, len(self.events) + 1 + many):
            self.events.append(
                FeedEvent(
                    id=number,
                    at=datetime.now(UTC),
                    op="learn",
                    title=f"line\u2028{number}",
                    author="agent:iris",
                    channel="atlas",
                    kinds=("fact",),
                    records=(),
                    undoable=True,
                )
            )

    def read(self, after: int) -> tuple[FeedEvent, ...]:
        return tuple(self.events[after : after + PAGE])

    def head(self) -> int:
        return len(self.events)

    def moved(self) -> int:
        return self.moves


@pytest.fixture
def journal() -> Journal:
    return Journal()


@pytest.fixture
def service(serving: Serve, journal: Journal) -> Serving:
    return serving(
        lambda app, bell: answer_feed(app, bell, read=journal.read, head=journal.head, moves=journal.moved)
    )


@contextmanager
def following(
    service: Serving, *, after: int | None = None, header: bool = True
) -> Iterator[tuple[httpx.Response, Iterator[str]]]:
    headers = {"last-event-id": str(after)} if after is not None and header else {}
    params = {"after": after} if after is not None and not header else {}
    with (
        service.client(owner=True) as client,
        client.stream("GET", FEED_PATH, headers=headers, params=params) as said,
    ):
        yield said, (chunk.decode() for chunk in _lines(said))


def _lines(said: httpx.Response) -> Iterator[bytes]:
    rest = b""
    for chunk in said.iter_bytes():
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines


def ids(lines: Iterator[str], many: int) -> list[int]:
    """The ids of the next so many events, each of which has its data; what moved working memory is no change."""
    found: list[int] = []
    number = 0
    while len(found) < many:
        line = next(lines)
        if line == WORKING:
            next(lines)
        elif line.startswith("id: "):
            number = int(line.removeprefix("id: "))
        elif line.startswith("data: "):
            found.append(number)
    return found


@pytest.mark.parametrize("header", [True, False])
def test_the_feed_replays_what_came_after_the_cursor_then_goes_on_live(
    service: Serving, journal: Journal, header: bool
) -> None:
    journal.write(10)
    with following(service, after=2, header=header) as (said, lines):
        assert said.headers["content-type"].startswith("text/event-stream")
        assert ids(lines, 8) == list(range(3, 11))
        journal.write(2)
        service.bell.ring()
        assert ids(lines, 2) == [11, 12]


def test_without_a_cursor_the_feed_starts_now_and_says_where_that_is(
    service: Serving, journal: Journal
) -> None:
    journal.write(5)
    with following(service) as (_, lines):
        assert next(lines) == "id: 5"
        journal.write(1)
        service.bell.ring()
        assert ids(lines, 1) == [6]


def test_working_memory_is_told_at_first_and_whenever_it_moved_without_a_number(
    service: Serving, journal: Journal
) -> None:
    journal.write(1)
    with following(service, after=0) as (_, lines):
        said = [next(lines) for _ in range(5)]
        assert said[:2] == ["id: 0", ""] and said[2:4] == [WORKING, 'data: {"moves":7,"asks":0,"after":0}']
        assert ids(lines, 1) == [1]
        service.bell.ring()
        journal.moves = 9
        service.bell.ring()
        while (line := next(lines)) != WORKING:
            assert not line.startswith("id")
        assert next(lines) == 'data: {"moves":9,"asks":0,"after":1}'


def test_a_cursor_ahead_of_the_journal_starts_at_its_end(service: Serving, journal: Journal) -> None:
    journal.write(2)
    with following(service, after=900) as (_, lines):
        assert next(lines) == "id: 2"


@pytest.mark.parametrize("cursor", ["last", "-1", "1.5", "9" * 30, "²"])
def test_a_cursor_that_is_no_number_is_a_sentence(service: Serving, cursor: str) -> None:
    with service.client(owner=True) as client:
        said = client.get(FEED_PATH, params={"after": cursor})
    assert (said.status_code, said.json()["code"]) == (422, "bad_ask")


def test_an_agent_may_not_follow_the_feed(service: Serving) -> None:
    with service.client() as client:
        said = client.get(FEED_PATH)
    assert (said.status_code, said.json()["code"]) == (403, "not_allowed")


def test_a_quiet_feed_says_that_it_is_alive(service: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "HEARTBEAT_SECONDS", 0.1)
    with following(service) as (_, lines):
        assert ": still here" in [next(lines) for _ in range(6)]


def test_an_open_feed_does_not_hold_the_service_up(service: Serving) -> None:
    with following(service) as (_, lines):
        while not next(lines).startswith("data"):
            pass
        begun = time.monotonic()
        stopping = threading.Thread(target=service.stop)
        stopping.start()
        assert not [line for line in lines if line.startswith("data")]
        stopping.join()
        assert time.monotonic() - begun < 3


def test_the_feed_is_in_the_description(service: Serving) -> None:
    with service.client() as client:
        described = client.get("/openapi.json").json()
    assert "text/event-stream" in described["paths"][FEED_PATH]["get"]["responses"]["200"]["content"]
