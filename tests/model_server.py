"""A small real server of models for tests: chat, messages, embeddings and reranking over HTTP, faults included.

    with ModelServer(Text("Brest"), Status(500)) as server:
        engine.use(replace(engine.settings, model_url=server.url, model_name="small"))
        ...
        assert server.asked[0].prompt == "Where is the lighthouse?"

What is given are the replies to questions, in order; the last one answers every question after it. A reply may also be
a function of the question: `ModelServer(lambda asked: Text(asked.prompt.upper()))`. Without any, a question is answered
with its own last words. Embeddings and rerankings answer by the words that texts share, unless a fault is due.
`server.answer(...)` gives new replies while it runs.

The wire is OpenAI's (chat/completions, embeddings), Anthropic's (messages), and Jina's and Cohere's (rerank).
"""

from __future__ import annotations

import json
import random
import re
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

HANG_SECONDS = 30.0


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request as it came in. path: without the server's address, such as `/v1/chat/completions`."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def system(self) -> str:
        """The system prompt, wherever this protocol puts it."""
        if "system" in self.body:
            return str(self.body["system"])
        return "\n".join(each["content"] for each in self._messages if each["role"] == "system")

    @property
    def prompt(self) -> str:
        """The last message of the user."""
        return next((str(each["content"]) for each in reversed(self._messages) if each["role"] == "user"), "")

    @property
    def _messages(self) -> list[dict[str, Any]]:
        return list(self.body.get("messages", ()))


@dataclass(frozen=True)
class Text:
    """An ordinary answer. stop: why it ended, in OpenAI's words; `length` for one that was cut off."""

    text: str
    tokens_in: int = 12
    tokens_out: int = 3
    stop: str = "stop"


@dataclass(frozen=True)
class Refusal:
    """The model declines, as the API says it: a message without content, or a stop reason."""

    text: str = "I cannot help with that."


@dataclass(frozen=True)
class Status:
    """An error of the server. retry_after: seconds, or a date as HTTP writes it."""

    status: int
    body: str = '{"error": {"message": "no"}}'
    retry_after: str = ""


@dataclass(frozen=True)
class Raw:
    """These bytes with status 200, whatever they are."""

    body: bytes


@dataclass(frozen=True)
class Hang:
    """Nothing at all, until the test is over."""


@dataclass(frozen=True)
class Drip:
    """One byte at a time: never silent for long, and never done."""


@dataclass(frozen=True)
class Drop:
    """The connection closes without an answer, or after half of one."""

    half: bool = False


Reply = Text | Refusal | Status | Raw | Hang | Drip | Drop
Said = Reply | Callable[[Asked], Reply]


@dataclass
class ModelServer:
    """Serves on a free port of this machine while its `with` lasts."""

    replies: list[Said]
    asked: list[Asked] = field(default_factory=list)
    dimension: int = 64

    def __init__(self, *replies: Said, dimension: int = 64) -> None:
        self.replies, self.asked, self.dimension = list(replies), [], dimension
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """The address of the API, as settings want it."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def answer(self, *replies: Said) -> None:
        """Answer so from now on."""
        with self._lock:
            self.replies = list(replies)

    def reply(self, asked: Asked) -> Reply | None:
        """What is due for this question; None where nothing was said about it."""
        with self._lock:
            self.asked.append(asked)
            said = self.replies.pop(0) if len(self.replies) > 1 else (self.replies or [None])[0]
        return said(asked) if callable(said) else said

    def wait(self, seconds: float) -> bool:
        """Whether the test ended meanwhile."""
        return self._over.wait(seconds)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def vector_of(text: str, dimension: int) -> list[float]:
    """A vector that texts with words in common share a direction of."""
    vector = [0.0] * dimension
    for word in re.findall(r"\w+", text.lower()):
        drawn = random.Random(word)
        vector = [each + drawn.uniform(-1, 1) for each in vector]
    return vector


def likeness_of(query: str, text: str) -> float:
    """The share of the query's words that a text holds."""
    asked, told = (set(re.findall(r"\w+", each.lower())) for each in (query, text))
    return len(asked & told) / len(asked) if asked else 0.0


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(path=self.path, headers=headers, body=json.loads(self.rfile.read(length)))
            reply = server.reply(asked)
            match reply:
                case Status(status, body, retry_after):
                    self._send(status, body.encode(), retry_after)
                case Raw(body):
                    self._send(200, body)
                case Hang():
                    server.wait(HANG_SECONDS)
                    self.close_connection = True
                case Drip():
                    self._drip()
                case Drop(half):
                    self._drop(half=half)
                case _:
                    self._send(200, json.dumps(_said(server, asked, reply)).encode())

        def _send(self, status: int, body: bytes, retry_after: str = "") -> None:
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            if retry_after:
                self.send_header("retry-after", retry_after)
            # Whoever asked may have broken off meanwhile.
            with suppress(ConnectionError):
                self.end_headers()
                self.wfile.write(body)

        def _drip(self) -> None:
            self.send_response(200)
            self.send_header("content-length", "100000")
            self.end_headers()
            try:
                while not server.wait(0.05):
                    self.wfile.write(b" ")
            except OSError:
                pass
            self.close_connection = True

        def _drop(self, *, half: bool) -> None:
            if half:
                self.send_response(200)
                self.send_header("content-length", "1000")
                self.end_headers()
                self.wfile.write(b'{"choices": [{"mess')
                self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True

        def log_message(self, *_: Any) -> None:
            """Tests are quiet."""

    return Handler


def _said(server: ModelServer, asked: Asked, reply: Text | Refusal | None) -> dict[str, Any]:
    """The body of an ordinary answer to this question."""
    if asked.path.endswith("/embeddings"):
        return _embeddings(asked, server.dimension)
    if asked.path.endswith("/rerank"):
        return _ranking(asked)
    reply = reply or Text(asked.prompt)
    return _message(reply) if asked.path.endswith("/messages") else _completion(reply)


def _embeddings(asked: Asked, dimension: int) -> dict[str, Any]:
    texts = asked.body["input"] if isinstance(asked.body["input"], list) else [asked.body["input"]]
    words = sum(len(text.split()) for text in texts)
    return {
        "object": "list",
        "model": asked.body["model"],
        "data": [
            {"object": "embedding", "index": at, "embedding": vector_of(text, dimension)}
            for at, text in enumerate(texts)
        ],
        "usage": {"prompt_tokens": words, "total_tokens": words},
    }


def _ranking(asked: Asked) -> dict[str, Any]:
    scores = [likeness_of(asked.body["query"], text) for text in asked.body["documents"]]
    best = sorted(range(len(scores)), key=lambda at: -scores[at])[: asked.body.get("top_n")]
    return {
        "model": asked.body["model"],
        "results": [{"index": at, "relevance_score": scores[at]} for at in best],
        "usage": {"total_tokens": 7},
    }


def _completion(reply: Text | Refusal) -> dict[str, Any]:
    if isinstance(reply, Refusal):
        message, usage, stop = {"content": None, "refusal": reply.text}, (12, 3), "stop"
    else:
        message, usage, stop = {"content": reply.text}, (reply.tokens_in, reply.tokens_out), reply.stop
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "small",
        "choices": [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": stop}],
        "usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)},
    }


def _message(reply: Text | Refusal) -> dict[str, Any]:
    if isinstance(reply, Refusal):
        content, stop, usage = [], "refusal", (12, 3)
    else:
        content, usage = [{"type": "text", "text": reply.text}], (reply.tokens_in, reply.tokens_out)
        stop = "max_tokens" if reply.stop == "length" else "end_turn"
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "small",
        "content": content,
        "stop_reason": stop,
        "usage": {"input_tokens": usage[0], "output_tokens": usage[1]},
    }
