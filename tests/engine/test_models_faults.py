"""Servers of models that fail, hang, drop the line or ask for patience; and waits that are broken off."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.engine.engine import Engine
from memdesk.engine.providers import server as wire
from memdesk.engine.providers.meter import asking
from memdesk.engine.providers.server import FAILURES, LONGEST_REST_SECONDS, REST_SECONDS, Breaker
from memdesk.engine.recall.pipeline import recall
from memdesk.model.errors import Cancelled, ModelUnavailable
from memdesk.model.recall import Query
from memdesk.store.store import READERS
from tests.engine.providers import complete, use_language
from tests.model_server import Drip, Drop, Hang, ModelServer, Raw, Reply, Status, Text


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second try comes after a moment, not after a quarter of a second."""
    monkeypatch.setattr(wire, "FIRST_WAIT_SECONDS", 0.01)


@pytest.mark.parametrize(
    "fault",
    [
        Status(500),
        Status(502),
        Status(503),
        Status(529),
        Status(429),
        Drop(),
        Drop(half=True),
        Raw(b'{"choi'),
    ],
    ids=str,
)
def test_what_passes_is_tried_again(engine: Engine, fault: Reply) -> None:
    with ModelServer(fault, fault, Text("Brest")) as server:
        use_language(engine, server)
        assert complete(engine).text == "Brest"
    assert len(server.asked) == 3


@pytest.mark.parametrize("status", [401, 403, 404, 501])
def test_what_does_not_pass_is_not_tried_again(engine: Engine, status: int) -> None:
    with ModelServer(Status(status)) as server:
        use_language(engine, server)
        with pytest.raises(ModelUnavailable, match=str(status)):
            complete(engine)
    assert len(server.asked) == 1


def test_nobody_at_the_address_is_one_sentence(engine: Engine) -> None:
    with ModelServer() as server:
        gone = server
    use_language(engine, gone)
    with pytest.raises(ModelUnavailable, match="gave no answer"):
        complete(engine)


@pytest.mark.parametrize("fault", [Hang(), Drip()], ids=str)
def test_a_server_that_never_ends_is_given_up(engine: Engine, fault: Reply) -> None:
    with ModelServer(fault) as server:
        use_language(engine, server, model_seconds=1)
        started = time.monotonic()
        with pytest.raises(ModelUnavailable, match="within 1 s"):
            complete(engine)
    assert time.monotonic() - started < 15


def test_the_server_says_when_to_come_back(engine: Engine) -> None:
    with ModelServer(Status(429, retry_after="1"), Text("Brest")) as server:
        use_language(engine, server)
        started = time.monotonic()
        assert complete(engine).text == "Brest"
    assert time.monotonic() - started >= 1


@pytest.mark.parametrize("dated", [False, True])
def test_a_server_that_wants_long_to_be_left_alone_is(engine: Engine, dated: bool) -> None:
    in_a_minute = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    with ModelServer(Status(429, retry_after=in_a_minute if dated else "60")) as server:
        use_language(engine, server)
        started = time.monotonic()
        for _ in range(3):
            with pytest.raises(ModelUnavailable):
                complete(engine)
        assert time.monotonic() - started < 15
    assert len(server.asked) == 1


@pytest.mark.parametrize("when", ["soon", "-5", "nan", "Wed, 99 Foo 2026", "1e400", ""])
def test_nonsense_about_when_to_come_back_is_no_reason_to_wait(engine: Engine, when: str) -> None:
    with ModelServer(Status(503, retry_after=when), Text("Brest")) as server:
        use_language(engine, server, model_seconds=20)
        started = time.monotonic()
        assert complete(engine).text == "Brest"
    assert time.monotonic() - started < 15


def test_a_server_that_keeps_failing_is_left_alone_for_a_while(engine: Engine) -> None:
    with ModelServer(Status(501)) as server:
        use_language(engine, server)
        said = set()
        for _ in range(FAILURES + 5):
            with pytest.raises(ModelUnavailable) as wrong:
                complete(engine)
            said.add(wrong.value.says)
    assert len(server.asked) == FAILURES
    assert any("left alone" in each and "501" in each for each in said)


def test_changing_another_setting_does_not_forget_that_a_server_fails(engine: Engine) -> None:
    with ModelServer(Status(501)) as server:
        use_language(engine, server)
        for _ in range(FAILURES):
            with pytest.raises(ModelUnavailable):
                complete(engine)
        use_language(engine, server, recall_limit=3)
        with pytest.raises(ModelUnavailable, match="left alone"):
            complete(engine)
        use_language(engine, server, model_name="other")
        with pytest.raises(ModelUnavailable, match="501"):
            complete(engine)


@given(st.lists(st.sampled_from(["fail", "succeed", "wait"]), max_size=40))
def test_a_breaker_opens_after_failures_in_a_row_and_lets_one_question_through_after_a_rest(
    steps: list[str],
) -> None:
    now = [0.0]
    breaker, failures, open_until = Breaker(lambda: now[0]), 0, 0.0
    for step in steps:
        match step:
            case "wait":
                now[0] += REST_SECONDS
            case "fail":
                breaker.failed("it was away")
                failures += 1
                if failures >= FAILURES:
                    open_until = now[0] + min(REST_SECONDS * 2 ** (failures - FAILURES), LONGEST_REST_SECONDS)
            case _:
                breaker.succeeded()
                failures, open_until = 0, 0.0
        assert (breaker.rests_for() > 0) == (open_until > now[0])
        assert breaker.rests_for() <= LONGEST_REST_SECONDS


def test_after_a_rest_one_question_goes_first_and_the_others_wait_for_how_it_ends() -> None:
    now = [0.0]
    breaker = Breaker(lambda: now[0])
    for _ in range(FAILURES):
        breaker.failed("it was away")
    assert breaker.admit() > 0
    now[0] += REST_SECONDS
    assert breaker.admit() == 0
    assert breaker.admit() > 0
    breaker.succeeded()
    assert breaker.admit() == 0


def test_whoever_waits_can_break_off(engine: Engine) -> None:
    stopped = threading.Event()

    def heed() -> None:
        if stopped.is_set():
            raise Cancelled("Cancelled; what was finished stays.")

    with ModelServer(Hang()) as server:
        use_language(engine, server, model_seconds=20)
        threading.Timer(0.2, stopped.set).start()
        started = time.monotonic()
        with pytest.raises(Cancelled), asking("job:consolidate", heed):
            complete(engine)
        assert time.monotonic() - started < 15
        server.answer(Text("Brest"))
        assert complete(engine).text == "Brest"


def test_closing_the_engine_breaks_off_what_is_being_asked(engine: Engine) -> None:
    with ModelServer(Hang()) as server, ThreadPoolExecutor(1) as pool:
        use_language(engine, server, model_seconds=20)
        waiting = pool.submit(complete, engine)
        while not server.asked:
            time.sleep(0.01)
        started = time.monotonic()
        engine.models.close()
        with pytest.raises(ModelUnavailable, match="not in use any more"):
            waiting.result(timeout=20)
        assert time.monotonic() - started < 15


def test_a_server_that_hangs_does_not_hold_every_reader_of_the_desk(engine: Engine) -> None:
    with ModelServer(Hang()) as server, ThreadPoolExecutor(24) as pool:
        use_language(engine, server, model_seconds=20)
        asked = [
            pool.submit(
                recall, engine, Query(text=f"Question {n}?", techniques=("hyde",)), author="agent:forge"
            )
            for n in range(24)
        ]
        while len(server.asked) < 12:
            time.sleep(0.01)
        started = time.monotonic()
        with engine.store.reading() as db:
            assert db.value("SELECT 1") == 1
        assert time.monotonic() - started < 15
        engine.models.close()
        said = [each.result(timeout=20).techniques[0].note for each in asked]
    assert len(server.asked) == 12
    assert sum("is busy with 12 other questions" in note for note in said) > 0


def test_what_was_spent_is_known_while_every_reader_is_held(engine: Engine) -> None:
    with ExitStack() as held, ThreadPoolExecutor(1) as pool:
        for _ in range(READERS):
            held.enter_context(engine.store.reading())
        asked = pool.submit(engine.models.meter.spent_today, "model_tokens_a_day")
        try:
            assert asked.result(timeout=20) == 0
        finally:
            held.close()


def test_many_may_ask_at_once(engine: Engine) -> None:
    with ModelServer(lambda asked: Text(asked.prompt)) as server, ThreadPoolExecutor(12) as pool:
        use_language(engine, server)
        said = list(pool.map(lambda _: complete(engine).text, range(64)))
    assert said == ["Where is the lighthouse?"] * 64


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever proxy a developer's machine names, these servers are on this machine."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    yield
