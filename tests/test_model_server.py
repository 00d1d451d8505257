"""The server of models that tests use keeps its own promises."""

from __future__ import annotations

import httpx
import pytest

from tests.model_server import Drip, Drop, Hang, ModelServer, Raw, Refusal, Status, Text

QUESTION = {"model": "small", "messages": [{"role": "user", "content": "Where is the lighthouse?"}]}


def chat(server: ModelServer, path: str = "/chat/completions") -> httpx.Response:
    return httpx.post(server.url + path, json=QUESTION, timeout=0.5)


def test_replies_come_in_order_and_the_last_one_stays() -> None:
    with ModelServer(Text("Brest"), Text("Lisbon")) as server:
        said = [chat(server).json()["choices"][0]["message"]["content"] for _ in range(3)]
    assert said == ["Brest", "Lisbon", "Lisbon"]
    assert [asked.prompt for asked in server.asked] == ["Where is the lighthouse?"] * 3


def test_both_protocols_carry_the_same_text_and_the_same_refusal() -> None:
    with ModelServer(Text("Brest"), Text("Brest"), Refusal(), Refusal()) as server:
        assert chat(server).json()["choices"][0]["message"]["content"] == "Brest"
        assert chat(server, "/messages").json()["content"][0]["text"] == "Brest"
        assert chat(server).json()["choices"][0]["message"]["refusal"]
        assert chat(server, "/messages").json()["stop_reason"] == "refusal"


def test_texts_with_words_in_common_are_near_each_other() -> None:
    asked = {"model": "small", "input": ["the lighthouse in Brest", "Brest lighthouse", "a tax return"]}
    with ModelServer(dimension=96) as server:
        found = httpx.post(server.url + "/embeddings", json=asked).json()["data"]
    one, near, far = (row["embedding"] for row in found)
    assert len(one) == 96
    assert sum(map(float.__mul__, one, near)) > sum(map(float.__mul__, one, far))


def test_a_reranking_puts_the_text_with_the_words_of_the_query_first() -> None:
    asked = {"model": "small", "query": "lighthouse", "documents": ["a tax return", "a lighthouse"]}
    with ModelServer() as server:
        best, *_ = httpx.post(server.url + "/rerank", json=asked).json()["results"]
    assert best == {"index": 1, "relevance_score": 1.0}


def test_faults_are_faults() -> None:
    with ModelServer(Status(429, retry_after="2"), Raw(b"{half")) as server:
        refused = chat(server)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "2")
        assert chat(server).text == "{half"
        for fault in (Hang(), Drop(), Drop(half=True)):
            server.answer(fault)
            with pytest.raises(httpx.TransportError):
                chat(server)
        server.answer(Drip())
        with httpx.stream("POST", server.url + "/messages", json=QUESTION, timeout=0.5) as dripping:
            chunks = dripping.iter_bytes()
            assert [next(chunks).strip() for _ in range(3)] == [b""] * 3
