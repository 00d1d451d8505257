"""The bridge line by line: what is no message, what outlives it, who goes away, and what HTTP refuses by itself."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.inbound import decode_header_value

from memdesk.client.find import stop_service
from memdesk.files.places import Desk
from memdesk.mcp import VERSION_KEY, id_of, message
from memdesk.model.tools import ToolPlace
from tests.mcp.runtimes import BEFORE, CHECKOUT, CURRENT, Hands, over_stdio
from tests.warm import memdesk

HELLO = {"protocolVersion": BEFORE, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


@contextmanager
def bridge(
    desk: Desk, *options: str, cwd: Path = CHECKOUT, **streams: Any
) -> Iterator[subprocess.Popen[bytes]]:
    set = ("--set", "mcp-memory", *options)
    words = [*memdesk(), "mcp", *set, "--desk", str(desk.folder)]
    wired = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    with subprocess.Popen(words, cwd=cwd, **wired) as process:
        yield process


def request(id: int, method: str, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode() + b"\n"


def test_lines_that_are_no_messages_are_answered_and_stop_nothing(desk: Desk) -> None:
    lines = [b"{\n", b"\n", b"[1, 2]\n", b'{"jsonrpc": "2.0", "id": 9, "result": {}}\n', b"7\n"]
    with bridge(desk) as process:
        said, complaint = process.communicate(
            b"".join([*lines, request(1, "fly"), request(2, "tools/list")]), 30
        )
    answers = [json.loads(line) for line in said.splitlines()]
    by_id = {answer.get("id"): answer for answer in answers if answer.get("id") is not None}
    assert [answer["error"]["code"] for answer in answers if answer.get("id") is None].count(-32700) == 1
    assert by_id[1]["error"]["code"] == -32601
    assert len(by_id[2]["result"]["tools"]) == 9
    assert (process.returncode, complaint) == (0, b"")


def test_a_handshake_without_an_id_and_a_cancellation_of_no_id_stop_nothing(desk: Desk) -> None:
    hello = {"jsonrpc": "2.0", "method": "initialize", "params": HELLO}
    taken_back = [
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}
        for id in ([1], {})
    ]
    lines = [json.dumps(each).encode() + b"\n" for each in (hello, *taken_back)]
    with bridge(desk) as process:
        said, complaint = process.communicate(b"".join([*lines, request(2, "tools/list")]), 30)
    assert 2 in [json.loads(line).get("id") for line in said.splitlines()]
    assert (process.returncode, complaint) == (0, b"")


def test_messages_come_from_a_file_too_and_each_is_answered_before_the_end(
    desk: Desk, tmp_path: Path
) -> None:
    file = tmp_path / "messages"
    file.write_bytes(b"".join(request(id, "tools/list") for id in range(40)).rstrip())
    with file.open("rb") as lines, bridge(desk, stdin=lines) as process:
        said, _ = process.communicate(timeout=60)
    assert {json.loads(line)["id"] for line in said.splitlines()} == set(range(40))


def test_neither_the_bridge_nor_the_service_loads_the_sdk_before_it_is_asked(desk: Desk) -> None:
    look = "import sys, memdesk.mcp, memdesk.cli.program, memdesk.service.serve; print('mcp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", look], cwd=CHECKOUT, capture_output=True, check=True)
    assert done.stdout == b"False\n"


def test_two_runtimes_that_write_at_once_lose_nothing(desk: Desk) -> None:
    def made(bridge: int, number: int) -> dict[str, Any]:
        return {"name": f"b{bridge}-{number}", "entityType": "thing", "observations": []}

    def create(bridge: int, number: int) -> bytes:
        arguments = {"entities": [made(bridge, number)]}
        return request(number, "tools/call", name="create_entities", arguments=arguments)

    with bridge(desk, "--channel", "both") as one, bridge(desk, "--channel", "both") as two:
        for number, process in enumerate((one, two)):
            assert process.stdin
            process.stdin.write(b"".join(create(number, each) for each in range(50)))
            process.stdin.close()
        for process in (one, two):
            assert process.stdout
            answers = [json.loads(line) for line in process.stdout]
            assert len(answers) == 50 and not any(each["result"]["isError"] for each in answers)
    with bridge(desk, "--channel", "both") as process:
        said, _ = process.communicate(request(1, "tools/call", name="read_graph", arguments={}), 30)
    names = {each["name"] for each in json.loads(said)["result"]["structuredContent"]["entities"]}
    assert names == {f"b{each}-{number}" for each in range(2) for number in range(50)}


def test_a_runtime_that_goes_away_ends_the_bridge_in_silence(desk: Desk) -> None:
    with bridge(desk) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdout.close()
        process.stdin.write(request(1, "tools/list"))
        process.stdin.flush()
        assert process.wait(30) == 0
        assert process.stderr.read() == b""


def test_a_request_that_is_taken_back_is_not_answered(desk: Desk) -> None:
    taken_back = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    with bridge(desk) as process:
        lines = request(1, "tools/list") + json.dumps(taken_back).encode() + b"\n" + request(2, "tools/list")
        said, _ = process.communicate(lines, 30)
    assert [json.loads(line)["id"] for line in said.splitlines()] == [2]


@pytest.mark.parametrize("revision", [CURRENT, BEFORE])
def test_what_was_said_before_the_service_ended_is_recalled_after_it(desk: Desk, revision: str) -> None:
    entity = {"name": f"Wren {revision}", "entityType": "bird", "observations": ["nests early"]}

    async def go() -> None:
        async with over_stdio(desk, "mcp-memory", revision=revision) as client:
            await Hands(client)("create_entities", entities=[entity])
            await stop_service(desk)
            assert "nests early" in await Hands(client)("open_nodes", names=[entity["name"]])
        async with over_stdio(desk, "mcp-memory", revision=revision) as client:
            (said,) = (await client.get_prompt("recall", {"query": "which bird nests early?"})).messages
            assert entity["name"] in said.content.text  # type: ignore[union-attr, operator]

    asyncio.run(go())


def wire(desk: Desk, **headers: str) -> httpx.Client:
    transport = httpx.HTTPTransport(uds=str(desk.socket))
    accept = {"accept": "application/json, text/event-stream"}
    return httpx.Client(transport=transport, base_url="http://desk", headers=accept | headers, timeout=60)


def test_http_refuses_what_is_no_set_no_place_and_no_owner_and_streams_nothing(desk: Desk) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
    with wire(desk) as http:
        said = http.post("/v1/mcp/mcp-memory", json=asked)
        assert said.json()["result"]["protocolVersion"] == BEFORE and "mcp-session-id" not in said.headers
        assert (
            http.get("/v1/mcp/mcp-memory").status_code == http.delete("/v1/mcp/mcp-memory").status_code == 405
        )
        assert http.post("/v1/mcp/none", json=asked).json()["code"] == "not_found"
        assert http.post("/v1/mcp/agnx?chanel=sea", json=asked).json()["code"] == "bad_ask"
        as_json = {"content-type": "application/json"}
        said = http.post("/v1/mcp/agnx", content=b"{", headers=as_json)
        assert said.json()["error"]["code"] == -32700
    with wire(desk, authorization="Bearer wrong") as http:
        assert http.post("/v1/mcp/mcp-memory", json=asked).json()["code"] == "not_allowed"
    unknown = {"mcp-protocol-version": "1999-01-01"}
    with wire(desk, **unknown) as http:
        said = http.post("/v1/mcp/mcp-memory", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        assert said.status_code == 400 and said.json()["error"]


def test_what_the_openapi_document_tells_of_the_protocol_is_what_is_spoken(desk: Desk) -> None:
    with wire(desk) as http:
        told = http.get("/openapi.json").json()["paths"]["/v1/mcp/{set}"]["post"]
        example = told["requestBody"]["content"]["application/json"]["example"]
        (set, *query) = told["parameters"]
        for name in set["schema"]["enum"]:
            said = http.post(f"/v1/mcp/{name}", json=example, headers={"mcp-protocol-version": BEFORE})
            assert said.status_code == 200 and "tools" in said.json()["result"]
        assert {each["name"] for each in query} == {item.name for item in fields(ToolPlace)}
        assert all(revision in told["description"] for revision in (CURRENT, BEFORE))
        taken = http.post("/v1/mcp/agnx", json={"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert str(taken.status_code) in told["responses"] and not taken.content
        for accept, status in (("application/json", 200), ("text/html", 406)):
            assert http.post("/v1/mcp/agnx", json=example, headers={"accept": accept}).status_code == status


@given(st.text())
def test_any_name_goes_into_a_header_and_comes_out_of_it(name: str) -> None:
    params = {"name": name, "_meta": {VERSION_KEY: CURRENT}}
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    headers = message(line).headers("")
    assert headers["mcp-name"].isascii() and headers["mcp-name"].isprintable()
    assert decode_header_value(headers["mcp-name"]) == name
    assert (headers["mcp-method"], headers["mcp-protocol-version"]) == ("tools/call", CURRENT)


@pytest.mark.parametrize("depth", [190, 250, 2_000, 50_000])
def test_arguments_that_are_nested_deep_are_answered_and_stop_nothing(desk: Desk, depth: int) -> None:
    deep = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_entities","arguments":{"entities":'
    lines = deep + b"[" * depth + b"]" * depth + b"}}}\n" + request(2, "tools/list")
    with bridge(desk) as process:
        said, complaint = process.communicate(lines, 60)
    answers = [json.loads(line) for line in said.splitlines()]
    assert {answer["id"] for answer in answers} <= {None, 1, 2}
    assert next(answer for answer in answers if answer["id"] == 2)["result"]["tools"]
    other = next(answer for answer in answers if answer["id"] != 2)
    assert "error" in other or other["result"]["isError"]
    assert (process.returncode, complaint) == (0, b"")


@pytest.mark.parametrize("id_last", [False, True])
def test_a_message_too_large_is_answered_under_its_id(desk: Desk, id_last: bool) -> None:
    arguments = {"entities": [{"name": "big", "entityType": "t", "observations": ["x" * 40_000_000]}]}
    call = {"method": "tools/call", "params": {"name": "create_entities", "arguments": arguments}}
    told = {**call, "jsonrpc": "2.0", "id": 7} if id_last else {"jsonrpc": "2.0", "id": 7, **call}
    with bridge(desk) as process:
        said, complaint = process.communicate(
            json.dumps(told).encode() + b"\n" + request(8, "tools/list"), 60
        )
    answers = {answer["id"]: answer for answer in map(json.loads, said.splitlines())}
    assert "larger than 16 MB" in answers[7]["error"]["message"] and answers[8]["result"]
    assert (process.returncode, complaint) == (0, b"")


@given(st.one_of(st.integers(-(10**14), 10**14), st.text(st.characters(min_codepoint=32, max_codepoint=126))))
def test_the_id_of_a_message_is_found_at_either_end(id: int | str) -> None:
    params = {"name": "x", "arguments": {"id": 3, "text": '"id": 4}'}}
    first = {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}
    last = {"method": "tools/call", "params": params, "jsonrpc": "2.0", "id": id}
    plain = isinstance(id, int) or not {'"', "\\"} & set(id)
    for said in (first, last):
        assert id_of(json.dumps(said).encode()) == (id if plain else None)


def test_a_runtime_that_subscribes_to_the_graph_is_told_of_each_change_until_it_unsubscribes(
    desk: Desk,
) -> None:
    uri = "memory://knowledge-graph"

    def answers(process: subprocess.Popen[bytes], *wanted: bytes) -> list[Any]:
        assert process.stdin is not None and process.stdout is not None
        for line in wanted:
            process.stdin.write(line)
        process.stdin.flush()
        return [json.loads(process.stdout.readline()) for _ in wanted]

    def made(id: int, name: str) -> bytes:
        entity = {"name": name, "entityType": "person", "observations": ["rows"]}
        return request(id, "tools/call", name="create_entities", arguments={"entities": [entity]})

    with bridge(desk, "--channel", "graph-told") as process:
        assert process.stdin is not None and process.stdout is not None
        (hello,) = answers(process, request(1, "initialize", **HELLO))
        assert hello["result"]["capabilities"]["resources"]["subscribe"] is True
        assert "knowledge graph" in hello["result"]["instructions"]
        (listed,) = answers(process, request(2, "resources/list"))
        graph = next(each for each in listed["result"]["resources"] if each["uri"] == uri)
        assert (graph["name"], graph["mimeType"]) == ("knowledge-graph", "application/json")
        assert answers(process, request(3, "resources/subscribe", uri=uri))[0]["result"] == {}
        said = [*answers(process, made(4, "Ann")), json.loads(process.stdout.readline())]
        told = next(each for each in said if "method" in each)
        assert (told["method"], told["params"]) == ("notifications/resources/updated", {"uri": uri})
        (read,) = answers(process, request(5, "resources/read", uri=uri))
        (content,) = read["result"]["contents"]
        assert json.loads(content["text"])["entities"][0]["name"] == "Ann"
        assert answers(process, request(6, "resources/unsubscribe", uri=uri))[0]["result"] == {}
        assert answers(process, made(7, "Bo"))[0]["id"] == 7
        process.stdin.close()
        assert process.stdout.read() == b"" and process.wait(30) == 0


def test_without_a_channel_the_memory_is_that_of_the_project_of_the_client_or_its_folder(
    desk: Desk, tmp_path: Path
) -> None:
    folders = {name: tmp_path / name / "api" for name in ("acme", "zeta")}
    for folder in folders.values():
        (folder / "src").mkdir(parents=True)
    hello = request(0, "initialize", **HELLO | {"capabilities": {"roots": {}}})
    ready = b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n'
    roots = {"roots": [{"uri": "https://example.org/api"}, {"uri": folders["zeta"].as_uri()}]}
    named = json.dumps({"jsonrpc": "2.0", "id": "memdesk-roots", "result": roots}).encode() + b"\n"

    def remember(name: str) -> bytes:
        made = {"name": name, "entityType": "thing", "observations": []}
        return request(1, "tools/call", name="create_entities", arguments={"entities": [made]})

    def graph(cwd: Path, *options: str, said: bytes = b"") -> set[str]:
        with bridge(desk, *options, cwd=cwd) as process:
            told, _ = process.communicate(
                said + request(2, "tools/call", name="read_graph", arguments={}), 30
            )
        answer = next(each for each in map(json.loads, told.splitlines()) if each.get("id") == 2)
        return {each["name"] for each in answer["result"]["structuredContent"]["entities"]}

    for cwd, said in (
        (folders["acme"], remember("crane")),
        (tmp_path, hello + ready + named + remember("buoy")),
    ):
        with bridge(desk, cwd=cwd) as process:
            told, _ = process.communicate(said, 30)
            assert any(
                each.get("id") == 1 and not each["result"]["isError"]
                for each in map(json.loads, told.splitlines())
            )
    assert graph(folders["acme"] / "src") == graph(tmp_path, "--channel", "api") == {"crane"}
    assert graph(folders["zeta"]) == {"buoy"} == graph(folders["acme"], said=hello + ready + named)
    assert not {"crane", "buoy"} & graph(Path.home())
