"""The language model over HTTP: a real server that answers well, badly, and not at all."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from memdesk.engine.providers.chat import KEY_VARIABLE, ChatModel, model_of
from memdesk.model.errors import ModelUnavailable
from memdesk.model.settings import DEFAULTS

GOOD = {
    "choices": [{"message": {"role": "assistant", "content": "Brest"}}],
    "usage": {"prompt_tokens": 12, "completion_tokens": 1},
}


@contextmanager
def answering(answer: Callable[[dict[str, Any], Any], tuple[int, bytes]]) -> Iterator[str]:
    """A server on a free port that answers every POST; yields its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            status, body = answer(asked | {"path": self.path}, self.headers)
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Tests are quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()
    thread.join()


def ask(url: str, timeout_s: float = 5.0) -> Any:
    model = ChatModel(url=url, name="small", timeout_s=timeout_s)
    return model.complete(
        system="Be short.", prompt="Where is the lighthouse?", max_tokens=20, temperature=0.0
    )


def test_an_answer_comes_with_what_it_cost() -> None:
    with answering(lambda _asked, _headers: (200, json.dumps(GOOD).encode())) as url:
        answer = ask(url)
    assert (answer.text, answer.tokens_in, answer.tokens_out) == ("Brest", 12, 1)


def test_the_question_goes_where_and_as_such_servers_expect_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "a-key")
    seen: list[Any] = []

    def answer(asked: dict[str, Any], headers: Any) -> tuple[int, bytes]:
        seen.append((asked, headers["authorization"]))
        return 200, json.dumps(GOOD).encode()

    with answering(answer) as url:
        ask(url)
    (asked, key), *_ = seen
    assert (asked["path"], asked["model"], asked["max_tokens"]) == ("/v1/chat/completions", "small", 20)
    assert [message["role"] for message in asked["messages"]] == ["system", "user"]
    assert key == "Bearer a-key"


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b"oops"),
        (401, b"{}"),
        (200, b"not json"),
        (200, b'{"choices": []}'),
        (200, b'{"choices": [{"message": {"content": null}}]}'),
        (200, b'["a list"]'),
        (200, b'{"choices": [{"message": {"content": 7}}], "usage": [1]}'),
    ],
)
def test_a_server_that_fails_or_babbles_is_one_sentence(status: int, body: bytes) -> None:
    with answering(lambda _asked, _headers: (status, body)) as url, pytest.raises(ModelUnavailable) as wrong:
        ask(url)
    assert "small" in wrong.value.says and wrong.value.next


def test_nobody_at_the_address_is_one_sentence() -> None:
    with answering(lambda _asked, _headers: (200, b"")) as url:
        gone = url
    with pytest.raises(ModelUnavailable):
        ask(gone)


def test_a_server_that_hangs_is_given_up() -> None:
    release = threading.Event()

    def hang(_asked: dict[str, Any], _headers: Any) -> tuple[int, bytes]:
        release.wait(10)
        return 200, b"{}"

    with answering(hang) as url:
        with pytest.raises(ModelUnavailable):
            ask(url, timeout_s=0.2)
        release.set()


def test_settings_name_the_model_or_there_is_none() -> None:
    assert model_of(DEFAULTS) is None
    named = model_of(replace(DEFAULTS, model_url="http://localhost:1/v1", model_name="small"))
    assert named is not None and named.name == "small"
