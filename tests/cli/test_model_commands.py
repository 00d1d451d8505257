"""models: what is set, whether it answers, and what it cost, as a person reads it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.model_server import ModelServer, Text


def test_a_person_sets_a_model_checks_it_and_reads_what_it_cost(memdesk: Any) -> None:
    with ModelServer(Text("hello", 20, 1)) as server:
        memdesk("settings", "model_url", server.url)
        memdesk("settings", "model_name", "small")
        said = memdesk("models", "check").out
        assert "small" in said and "Answered with 5 characters." in said and "static-256" in said
        # The ledger is written after the answer.
        while "language" not in (spent := memdesk("models", "spending").out):
            time.sleep(0.05)
    assert "check" in spent and "20 in, 1 out" in spent


FILES = {"tokenizer.json": b"{}", "onnx/model.onnx": b"a model", "1_Pooling/config.json": b"{}"}


@contextmanager
def hub(files: dict[str, bytes]) -> Iterator[str]:
    """A small server that publishes one model, `mara/tiny`, as the Hugging Face hub does."""

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._answer(with_body=False)

        def do_GET(self) -> None:
            self._answer(with_body=True)

        def _answer(self, *, with_body: bool) -> None:
            place, _, file = self.path.partition("/resolve/main/")
            data = files.get(file) if place == "/mara/tiny" else None
            self.send_response(404 if data is None else 200)
            self.send_header("x-repo-commit", "c" * 40)
            self.send_header("etag", f'"{len(file)}"')
            self.send_header("content-length", str(len(data or b"")))
            if data is None:
                self.send_header("x-error-code", "EntryNotFound" if place == "/mara/tiny" else "RepoNotFound")
            self.end_headers()
            if with_body and data is not None:
                self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            """Tests are quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_model_is_fetched_from_the_hub_when_a_person_asks_for_it(program: Any, desk: Any) -> None:
    with hub(FILES) as endpoint:
        ran = program(
            "models", "fetch", "mara/tiny", "--json", HF_ENDPOINT=endpoint, HF_HUB_DISABLE_TELEMETRY="1"
        )
        folder = Path(ran.json["folder"])
        assert folder.is_relative_to(desk.folder)
        assert {name: (folder / name).read_bytes() for name in FILES} == FILES
        assert program("models", "fetch", "mara/none", HF_ENDPOINT=endpoint).code == 4
        assert program("models", "fetch", "../etc/hosts", HF_ENDPOINT=endpoint).code == 2
    ran = program("models", "fetch", "mara/tiny", HF_ENDPOINT="http://127.0.0.1:9")
    assert ran.code != 0 and "The hub cannot be reached from this machine." in ran.err


def test_a_check_of_a_model_that_does_not_answer_exits_with_1(memdesk: Any) -> None:
    memdesk("settings", "model_url", "http://127.0.0.1:9/v1")
    memdesk("settings", "model_name", "small")
    ran = memdesk("models", "check", "--json")
    failed = {row["role"]: row["failed"] for row in json.loads(ran.out)["rows"]}
    assert (ran.code, failed) == (1, {"language": True, "embedder": False, "reranker": False})
    assert memdesk("models", "list").code == 0
