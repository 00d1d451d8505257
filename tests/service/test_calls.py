"""Calls over a real socket: who may make them, how errors travel, and what no caller can break."""

from __future__ import annotations

import contextlib
import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx
import pytest
from small_service import TOKEN, Serving, served

from memdesk.api.curation import UNDO
from memdesk.api.endpoint import Endpoint
from memdesk.api.memory import FACTS, STORE_TURN
from memdesk.api.upkeep import JOB
from memdesk.engine.known_agents import KeptToken
from memdesk.model.browse import FactsPage, ListFacts
from memdesk.model.curation import Undo, Undone
from memdesk.model.errors import BugError, Conflict
from memdesk.model.remember import NewTurn, StoredTurn
from memdesk.model.status import AskJob, JobState
from memdesk.service import app as app_module
from memdesk.service import server
from memdesk.service.app import DeskApp, answer, refuse_gaps
from memdesk.service.host import CommitSignal

Serve = Callable[[Callable[[DeskApp, CommitSignal], None]], Serving]


def stored(ask: NewTurn, author: str, member: KeptToken | None) -> StoredTurn:
    return StoredTurn(
        id=author, conversation_id=ask.channel, turn_index=len(ask.content), repeated=False, change=1
    )


def empty_page(ask: ListFacts, author: str, member: KeptToken | None) -> FactsPage:
    return FactsPage(first=ask.first, total=len(ask.channels), rows=())


def undone(ask: Undo, author: str, member: KeptToken | None) -> Undone:
    raise Conflict("Somebody changed it since.", details={"change": ask.change})


def broken(ask: AskJob, author: str, member: KeptToken | None) -> JobState:
    raise ZeroDivisionError("a secret of /home/mara")


def answers(app: DeskApp, bell: CommitSignal) -> None:
    answer(app, STORE_TURN, stored)
    answer(app, FACTS, empty_page)
    answer(app, UNDO, undone)
    answer(app, JOB, broken)


@pytest.fixture(scope="module")
def service() -> Iterator[Serving]:
    with served(answers) as service:
        yield service


def test_a_post_carries_its_ask_as_json(service: Serving) -> None:
    with service.client() as client:
        said = client.post(STORE_TURN.path, json={"content": "three", "channel": "atlas"})
    assert said.status_code == 200
    assert said.json()["conversation_id"] == "atlas"
    assert said.json()["turn_index"] == 5


def test_a_get_carries_its_ask_as_parameters(service: Serving) -> None:
    with service.client() as client:
        said = client.get(FACTS.path, params=[("channels", "a"), ("channels", "b"), ("first", "7")])
    assert said.json() == {"first": 7, "total": 2, "rows": []}


@pytest.mark.parametrize(
    ("headers", "ask", "author"),
    [
        ({}, {}, "agent:unnamed"),
        ({}, {"agent_id": "iris"}, "agent:iris"),
        ({"x-memdesk-agent": "forge"}, {"agent_id": "iris"}, "agent:forge"),
        ({"x-memdesk-agent": "%E9%99%88"}, {}, "agent:陈"),
        ({"authorization": f"Bearer {TOKEN}"}, {"agent_id": "iris"}, "person:Mara"),
        ({"authorization": f"bearer {TOKEN}", "x-memdesk-agent": "iris"}, {}, "agent:iris"),
    ],
)
def test_every_call_has_its_author(
    service: Serving, headers: dict[str, str], ask: dict[str, str], author: str
) -> None:
    with service.client() as client:
        said = client.post(STORE_TURN.path, json={"content": "x", **ask}, headers=headers)
    assert said.json()["id"] == author


@pytest.mark.parametrize("name", ["", "%20", "a" * 201, "%00", "%0a"])
def test_an_agents_name_is_printable_and_of_sane_length(service: Serving, name: str) -> None:
    with service.client() as client:
        said = client.post(STORE_TURN.path, json={"content": "x"}, headers={"x-memdesk-agent": name})
    assert (said.status_code, said.json()["code"]) == (422, "bad_ask")


def test_an_agent_may_not_do_what_is_the_owners(service: Serving) -> None:
    with service.client() as client:
        said = client.post(UNDO.path, json={"change": 1})
    assert said.status_code == 403
    assert said.json()["code"] == "not_allowed"
    assert "owner token" in said.json()["next"]


@pytest.mark.parametrize("presented", ["Bearer wrong", f"Basic {TOKEN}", "Bearer", "Bearer ü"])
def test_a_wrong_token_is_refused_even_where_none_is_needed(service: Serving, presented: str) -> None:
    with service.client() as client:
        said = client.get(FACTS.path, headers={"authorization": presented.encode()})
    assert (said.status_code, said.json()["code"]) == (403, "not_allowed")


def test_an_error_travels_with_its_status_code_sentence_and_details(service: Serving) -> None:
    with service.client(owner=True) as client:
        said = client.post(UNDO.path, json={"change": 7})
    assert said.status_code == 409
    assert said.json() == {
        "code": "conflict",
        "says": "Somebody changed it since.",
        "next": "Look at both versions and decide again.",
        "details": {"change": 7},
    }


def test_a_bug_is_logged_with_its_traceback_and_answered_without(
    service: Serving, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR), service.client(owner=True) as client:
        said = client.get(JOB.path, params={"id": "j_1"})
    assert (said.status_code, said.json()["code"]) == (500, "bug")
    assert "secret" not in said.text
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize(
    "body", [b'{"content": "\\ud800"}', b'{"content": NaN}', b"\xff\xfe", b'{"content": "\\u0000"}', b"{"]
)
def test_a_broken_body_is_a_sentence_and_never_a_500(service: Serving, body: bytes) -> None:
    with service.client() as client:
        said = client.post(STORE_TURN.path, content=body)
    assert (said.status_code, said.json()["code"]) == (422, "bad_ask")


def test_an_unknown_path_and_a_wrong_method_are_sentences(service: Serving) -> None:
    with service.client() as client:
        unknown, wrong = client.get("/v1/memory/forget"), client.get(STORE_TURN.path)
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")
    assert wrong.json()["says"] == "/v1/memory/store_turn is called with POST."


def test_a_body_too_large_is_refused(service: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_module, "BODY_BYTES", 1000)
    with service.client() as client:
        said = client.post(STORE_TURN.path, json={"content": "x" * 2000})
        assert said.json()["code"] == "bad_ask"
        assert client.post(STORE_TURN.path, json={"content": "x"}).status_code == 200


def test_a_body_that_does_not_end_is_given_up(service: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_module, "BODY_SECONDS", 0.2)
    head = f"POST {STORE_TURN.path} HTTP/1.1\r\nhost: desk\r\ncontent-length: 100\r\n\r\n{{"
    assert b"422" in raw(service, head.encode())


def test_a_head_that_does_not_end_is_hung_up_on(service: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "HEAD_SECONDS", 0.2)
    assert raw(service, b"GET /v1/memory/facts HTTP/1.1\r\nhost:") == b""


@pytest.mark.parametrize(
    "head", [b"GET /v1/", b"GET /v1/memory/facts HTTP/1.1\r\nhost: "], ids=["path", "header"]
)
def test_a_head_that_is_too_long_is_refused(service: Serving, head: bytes) -> None:
    with connected(service) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(head + b"x" * 2 * server.HEAD_BYTES)
        assert b"400" in connection.recv(65536)


def test_a_second_head_that_does_not_end_is_hung_up_on(
    service: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "HEAD_SECONDS", 0.2)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(str(service.desk.socket))
        connection.sendall(b"GET /v1/memory/facts HTTP/1.1\r\nhost: desk\r\n\r\n")
        assert b"200 OK" in connection.recv(65536)
        connection.sendall(b"GET /v1/")
        while connection.recv(65536):
            pass


def test_a_body_of_which_a_byte_comes_now_and_then_is_given_up(
    service: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app_module, "BODY_SECONDS", 0.3)
    with connected(service) as connection:
        connection.sendall(
            f"POST {STORE_TURN.path} HTTP/1.1\r\nhost: d\r\ncontent-length: 900\r\n\r\n".encode()
        )
        dripping = threading.Thread(target=drip, args=(connection,))
        dripping.start()
        assert b"422" in connection.recv(65536)
        connection.shutdown(socket.SHUT_RDWR)
        dripping.join(10)


def test_a_head_of_which_a_byte_comes_now_and_then_is_hung_up_on(
    service: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "HEAD_SECONDS", 0.3)
    with connected(service) as connection:
        connection.sendall(b"GET /v1/memory/facts HTTP/1.1\r\nhost: ")
        drip(connection)


def drip(connection: socket.socket) -> None:
    """Send a byte now and then until the other end hangs up."""
    try:
        while True:
            connection.sendall(b"x")
            time.sleep(0.02)
    except OSError:
        return


def test_a_client_that_hangs_up_amid_its_body_leaves_no_traceback(
    service: Serving, caplog: pytest.LogCaptureFixture
) -> None:
    ended = threading.Event()
    answered = app_module.respond_or_refuse

    async def noted(*given: Any, **more: Any) -> Any:
        try:
            return await answered(*given, **more)
        finally:
            ended.set()

    with pytest.MonkeyPatch.context() as patch, connected(service) as connection:
        patch.setattr(app_module, "respond_or_refuse", noted)
        connection.sendall(
            f"POST {STORE_TURN.path} HTTP/1.1\r\nhost: d\r\ncontent-length: 900\r\n\r\n{{".encode()
        )
        connection.close()
        assert ended.wait(10)
    with service.client() as client:
        assert client.get(FACTS.path).status_code == 200
    assert not [record for record in caplog.records if record.exc_info]


def test_an_answer_that_nobody_reads_is_given_up(serving: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "ANSWER_SECONDS", 0.2)

    def endless(ask: NewTurn, author: str, member: KeptToken | None) -> StoredTurn:
        return StoredTurn(id="x" * 20_000_000, conversation_id="", turn_index=0, repeated=False, change=1)

    service = serving(lambda app, bell: answer(app, STORE_TURN, endless))
    body = b'{"content": "x"}'
    with connected(service) as connection:
        head = f"POST {STORE_TURN.path} HTTP/1.1\r\nhost: d\r\ncontent-length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode() + body)
        # Little is read until the service has hung up, and then the answer is not whole.
        assert connection.recv(100)
        wait_until(lambda: not service.connections)
        read = b"".join(iter(lambda: connection.recv(65536), b""))
    assert len(read) < 20_000_000


def test_a_connection_too_many_is_refused_in_a_sentence(
    serving: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "room", lambda: 3)
    service = serving(answers)
    with ExitStack() as held:
        clients = [held.enter_context(service.client()) for _ in range(3)]
        assert [client.get(FACTS.path).status_code for client in clients] == [200, 200, 200]
        with service.client() as one_more:
            said = one_more.get(FACTS.path)
        assert (said.status_code, said.json()["code"]) == (503, "service_away")
        assert "Try again" in said.json()["next"]
        assert clients[0].get(FACTS.path).status_code == 200
        clients[1].close()
        wait_until(lambda: len(service.connections) == 2)
        with service.client() as later:
            assert later.get(FACTS.path).status_code == 200


def test_connections_that_say_nothing_make_room_for_who_asks(
    serving: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "room", lambda: 3)
    monkeypatch.setattr(server, "HALF_OPEN_SECONDS", 0.0)
    service = serving(answers)
    with ExitStack() as held:
        silent = [held.enter_context(connected(service)) for _ in range(3)]
        silent[0].sendall(b"GET /v1/")
        wait_until(lambda: len(service.connections) == 3)
        with service.client() as client:
            assert client.get(FACTS.path).status_code == 200
        assert silent[0].recv(1) == b""


@contextmanager
def connected(service: Serving) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(20)
        connection.connect(str(service.desk.socket))
        yield connection


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def raw(service: Serving, said: bytes) -> bytes:
    """Everything the service answers until it hangs up."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(str(service.desk.socket))
        connection.sendall(said)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def test_slow_answers_leave_the_loop_free(serving: Serve) -> None:
    gate = threading.Event()

    def slow(ask: NewTurn, author: str, member: KeptToken | None) -> StoredTurn:
        gate.wait(10)
        return stored(ask, author, member)

    def slow_writes(app: DeskApp, bell: CommitSignal) -> None:
        answer(app, STORE_TURN, slow)
        answer(app, FACTS, empty_page)

    service = serving(slow_writes)
    with service.client() as writer, service.client() as reader:
        thread = threading.Thread(target=lambda: writer.post(STORE_TURN.path, json={"content": "x"}))
        thread.start()
        assert reader.get(FACTS.path).status_code == 200
        gate.set()
        thread.join()


def test_a_call_under_way_is_answered_before_the_service_ends(serving: Serve) -> None:
    begun = threading.Event()

    def slow(ask: NewTurn, author: str, member: KeptToken | None) -> StoredTurn:
        begun.set()
        time.sleep(0.3)
        return stored(ask, author, member)

    service = serving(lambda app, bell: answer(app, STORE_TURN, slow))
    answered: list[int] = []

    def post() -> None:
        with service.client() as client:
            answered.append(client.post(STORE_TURN.path, json={"content": "x"}).status_code)

    thread = threading.Thread(target=post)
    thread.start()
    begun.wait(10)
    service.stop()
    thread.join()
    assert answered == [200]


def test_closing_waits_for_a_call_whose_request_was_given_up(
    serving: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "GRACE_SECONDS", 0.1)
    begun, done = threading.Event(), threading.Event()
    apps: list[DeskApp] = []

    def slow(ask: NewTurn, author: str, member: KeptToken | None) -> StoredTurn:
        begun.set()
        time.sleep(0.8)
        done.set()
        return stored(ask, author, member)

    def slow_writes(app: DeskApp, bell: CommitSignal) -> None:
        apps.append(app)
        answer(app, STORE_TURN, slow)

    service = serving(slow_writes)
    with service.client() as client:
        thread = threading.Thread(target=lambda: pytest.raises(httpx.HTTPError, post_one, client))
        thread.start()
        begun.wait(10)
        service.stop()
        assert not done.is_set()
        apps[0].close()
        assert done.is_set()
        thread.join()


def post_one(client: httpx.Client) -> None:
    client.post(STORE_TURN.path, json={"content": "x"}).raise_for_status()


def test_the_description_holds_every_registered_call(service: Serving) -> None:
    with service.client() as client:
        described = client.get("/openapi.json").json()
    facts = described["paths"][FACTS.path]["get"]
    assert facts["summary"] == FACTS.summary
    assert facts["tags"] == ["memory"]
    assert {each["name"]: each["schema"] for each in facts["parameters"]}["channels"]["type"] == "array"
    store = described["paths"][STORE_TURN.path]["post"]
    assert "NewTurn" in json.dumps(store["requestBody"])
    assert "StoredTurn" in json.dumps(store["responses"]["200"])
    assert "Wrong" in json.dumps(store["responses"]["default"])
    assert "security" not in store
    assert described["paths"][UNDO.path]["post"]["security"] == [{"owner": []}]
    assert described["components"]["securitySchemes"]["owner"]["scheme"] == "bearer"


def test_others_are_answered_while_the_description_is_made(
    serving: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def illustrate(document: dict[str, Any]) -> None:
        begun.set()
        assert go_on.wait(30)

    monkeypatch.setattr(app_module, "illustrate", illustrate)
    service = serving(answers)
    described: list[int] = []

    def ask() -> None:
        with service.client() as client:
            described.append(client.get("/openapi.json").status_code)

    thread = threading.Thread(target=ask)
    thread.start()
    assert begun.wait(30)
    with service.client() as client:
        post_one(client)
    assert described == []
    go_on.set()
    thread.join()
    assert described == [200]


def test_start_up_refuses_an_endpoint_without_an_answer() -> None:
    app = DeskApp(token=TOKEN, person=lambda: "Mara")
    with pytest.raises(BugError, match=r"memory\.store_turn has 0"):
        refuse_gaps(app)


def test_start_up_refuses_an_endpoint_with_two_answers() -> None:
    app = DeskApp(token=TOKEN, person=lambda: "Mara")
    twice: Endpoint[Any, Any] = FACTS
    answer(app, twice, empty_page)
    answer(app, twice, empty_page)
    with pytest.raises(BugError, match=r"memory\.facts has 2"):
        refuse_gaps(app)
