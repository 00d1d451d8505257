"""LangGraph's checkpointer on the desk: LangGraph's own conformance tests, and graphs that stop and go on."""

from __future__ import annotations

import asyncio
import datetime
import json
import operator
import uuid
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Any, TypedDict

import pytest

pytest.importorskip("langgraph.graph", reason="LangGraph is not installed")
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command, interrupt

from memdesk.api import recall, working
from memdesk.client import SyncClient
from memdesk.integrations import MemDeskSaver
from memdesk.integrations.langgraph_saver import ValueCodec
from memdesk.model.recall import Query
from memdesk.model.status import Nothing
from memdesk.model.working import AskHeld, ListNotes
from tests.conftest import Service


@pytest.fixture
def saver(service: Service) -> Iterator[MemDeskSaver]:
    made = MemDeskSaver(channel="support", agent="helper", desk=str(service.desk.folder))
    yield made
    made.close()


def test_it_passes_langgraphs_conformance_tests(saver: MemDeskSaver) -> None:
    conformance = pytest.importorskip(
        "langgraph.checkpoint.conformance", reason="langgraph-checkpoint-conformance is not installed"
    )

    @conformance.checkpointer_test(name="MemDeskSaver")
    async def made() -> AsyncIterator[MemDeskSaver]:
        yield saver

    report = asyncio.run(conformance.validate(made))
    failed = {name: result.failures for name, result in report.results.items() if result.failures}
    assert failed == {} and report.passed_all_base()
    assert report.results["copy_thread"].passed


class Order(TypedDict):
    lines: Annotated[list[str], operator.add]
    total: float


def order_graph(checkpointer: Any) -> Any:
    def add(state: Order) -> dict[str, Any]:
        return {"lines": ["tea"], "total": state.get("total", 0.0) + 2.5}

    def ask(state: Order) -> dict[str, Any]:
        answer = interrupt({"sure": state["total"]})
        return {"lines": [f"approved by {answer}"]}

    made = StateGraph(Order)
    made.add_node("add", add)
    made.add_node("ask", ask)
    made.add_edge(START, "add")
    made.add_edge("add", "ask")
    made.add_edge("ask", END)
    return made.compile(checkpointer=checkpointer)


def test_a_graph_that_waits_for_a_person_goes_on_after_a_restart_of_the_service(service: Service) -> None:
    def fresh() -> MemDeskSaver:
        return MemDeskSaver(channel="support", agent="helper", desk=str(service.desk.folder))

    config = {"configurable": {"thread_id": "order-1"}}
    held = order_graph(fresh()).invoke({"lines": ["milk"]}, config)
    assert held["__interrupt__"][0].value == {"sure": 2.5}
    service.stop()
    service.start()
    graph, beside = order_graph(fresh()), order_graph(InMemorySaver())
    beside.invoke({"lines": ["milk"]}, config)
    done = graph.invoke(Command(resume="Mara"), config)
    assert done == beside.invoke(Command(resume="Mara"), config)
    assert done["lines"] == ["milk", "tea", "approved by Mara"]

    def past(each: Any) -> list[Any]:
        return [
            (state.values, state.next, state.metadata["step"]) for state in each.get_state_history(config)
        ]

    assert past(graph) == past(beside)
    earlier = next(state for state in graph.get_state_history(config) if state.next == ("add",))
    forked = graph.update_state(earlier.config, {"lines": ["bread"]})
    assert graph.get_state(forked).values["lines"] == ["milk", "bread"]


def test_messages_are_read_by_a_person_and_are_no_part_of_recall(
    saver: MemDeskSaver, owner: SyncClient
) -> None:
    def answer(state: MessagesState) -> dict[str, Any]:
        return {"messages": [AIMessage("The zanzibar gate opens at six.", id="m2")]}

    graph = StateGraph(MessagesState)
    graph.add_node("answer", answer)
    graph.add_edge(START, "answer")
    made = graph.compile(checkpointer=saver)
    config: Any = {"configurable": {"thread_id": "talk-1"}}
    for number in range(12):
        made.invoke({"messages": [HumanMessage(f"Question {number}", id=f"q{number}")]}, config)
    notes = owner.call(
        working.LIST_NOTES, ListNotes(session_id="talk-1", prefix="checkpoint::", values=True)
    ).notes
    told = [str(note.value) for note in notes]
    assert any("zanzibar" in each for each in told) and not any("base64" in each for each in told)
    assert owner.call(working.LIST_NOTES, ListNotes(session_id="talk-1")).notes == ()
    rows = owner.call(working.HELD, AskHeld(session_id="talk-1")).rows
    assert len(rows) == len(notes) and all(row.reserved and row.expires_at is None for row in rows)
    hits = owner.call(recall.SEARCH, Query(text="When does the zanzibar gate open?", channel="support")).hits
    assert not any("zanzibar" in hit.text for hit in hits)
    assert owner.call(working.SIZE, Nothing()).keys == 0
    made.checkpointer.delete_thread("talk-1")
    assert list(saver.list(config)) == []


CALLED = AIMessage("", tool_calls=[{"name": "f", "args": {"x": 1}, "id": "c", "type": "tool_call"}])
COUNTED = AIMessage(
    [{"type": "text", "text": "hi"}],
    usage_metadata={"input_tokens": 1, "output_tokens": 2, "total_tokens": 3},
)
VALUES: list[Any] = [
    *(None, True, 0, -5, 1.5, float("inf"), "text", "a\0b", b"bytes", [1, [2, {"a": None}]]),
    *((1, "two", [3]), {"a": {"b": (1,)}}, {1: "one"}, {"$memdesk": "message"}, {"x", "y"}),
    *(datetime.datetime(2031, 5, 1, 8, 30), uuid.UUID(int=7), HumanMessage("hello", id="1")),
    *([CALLED, ToolMessage("7", tool_call_id="c")], COUNTED),
]


def test_values_come_back_exactly_and_what_nobody_can_read_is_named_and_sized() -> None:

    codec = ValueCodec(JsonPlusSerializer())
    for value in VALUES:
        held = json.loads(json.dumps(codec.encode(value)))
        again = codec.decode(held)
        assert again == value and type(again) is type(value)
    held = codec.encode(uuid.UUID(int=7))
    assert held["$memdesk"] == "uuid.UUID" and held["bytes"] > 0 and "00000007" in held["says"]


class Turned:
    """Cipher that turns the bytes around."""

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        return "turned", plaintext[::-1]

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        assert ciphername == "turned"
        return ciphertext[::-1]


def test_an_encrypting_serializer_leaves_nothing_readable(service: Service, owner: SyncClient) -> None:
    kept = MemDeskSaver(
        channel="support", agent="helper", desk=str(service.desk.folder), serde=EncryptedSerializer(Turned())
    )
    config: Any = {"configurable": {"thread_id": "sealed"}}
    order_graph(kept).invoke({"lines": ["milk"]}, config)
    assert order_graph(kept).get_state(config).values["lines"] == ["milk", "tea"]
    asked = ListNotes(session_id="sealed", prefix="checkpoint::", values=True)
    assert "milk" not in str(owner.call(working.LIST_NOTES, asked).notes)
