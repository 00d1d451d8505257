"""The session of the OpenAI Agents SDK on the desk, held to the SDK's own session in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("agents", reason="the OpenAI Agents SDK is not installed")
from agents import Session, SQLiteSession
from agents.memory.session_settings import SessionSettings

from memdesk.api import context, memory, procedures
from memdesk.client import SyncClient
from memdesk.integrations import MemDeskSession
from memdesk.model.browse import ReadConversation
from memdesk.model.session import NamedSession
from memdesk.model.tool_call import ListToolCalls
from tests.conftest import Service

SAID: list[Any] = [
    {"role": "user", "content": "What is the weather in Oslo? Ärger 🙂"},
    {"role": "user", "content": "  Mind   the spaces\n\nand lines. "},
    {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"},
    {
        "type": "function_call",
        "call_id": "call_1",
        "name": "get_weather",
        "arguments": '{"city": "Oslo"}',
        "id": "fc_1",
        "status": "completed",
    },
    {"type": "function_call_output", "call_id": "call_1", "output": '{"degrees": 7}'},
    {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": "Seven degrees.", "annotations": [], "logprobs": []}],
    },
    {
        "role": "user",
        "content": [{"type": "input_image", "image_url": "https://boats.example/a.png", "detail": "auto"}],
    },
    {"role": "assistant", "content": ""},
    {"role": "developer", "content": "Answer in one line."},
    {"type": "computer_call", "call_id": "call_2", "action": {"type": "screenshot"}, "id": "cc_1"},
    {"type": "item_reference", "id": "msg_9"},
]


@pytest.fixture
def session(service: Service, request: pytest.FixtureRequest) -> Iterator[MemDeskSession]:
    name = request.node.name[:60]
    made = MemDeskSession(name, channel="support", agent="helper", desk=str(service.desk.folder))
    yield made
    made.close()


def test_items_come_back_exactly_and_limits_are_those_of_the_sdks_own_session(
    session: MemDeskSession,
) -> None:
    async def told(kept: Session) -> list[Any]:
        answers: list[Any] = [await kept.get_items(), await kept.pop_item()]
        await kept.add_items([])
        await kept.add_items(SAID[:4])
        await kept.add_items(SAID[4:])
        answers += [await kept.get_items(limit) for limit in (None, 1, 3, 100, 0)]
        answers += [await kept.pop_item(), await kept.pop_item(), await kept.get_items(2)]
        await kept.add_items([SAID[0]])
        answers.append(await kept.get_items(2))
        kept.session_settings = SessionSettings(limit=2)
        answers += [await kept.get_items(), await kept.get_items(5)]
        await kept.clear_session()
        answers += [await kept.get_items(), await kept.pop_item()]
        await kept.add_items(SAID[:1])
        return [*answers, await kept.get_items()]

    assert isinstance(session, Session)
    assert asyncio.run(told(session)) == asyncio.run(told(SQLiteSession("beside")))


def test_a_person_reads_items_as_turns_and_a_tool_call_is_one_of_the_desk(
    session: MemDeskSession, owner: SyncClient
) -> None:
    asyncio.run(session.add_items(SAID))
    state = owner.call(context.RESUME_SESSION, NamedSession(session_id=session.session_id))
    talk = owner.call(memory.CONVERSATION, ReadConversation(conversation_id=state.conversation_id))
    assert talk.channel == "support" and talk.agent_id == "helper"
    assert [(turn.role, turn.content) for turn in talk.turns] == [
        ("user", SAID[0]["content"]),
        ("user", SAID[1]["content"]),
        ("assistant", "reasoning"),
        ("assistant", 'get_weather({"city": "Oslo"})'),
        ("tool", '{"degrees": 7}'),
        ("assistant", "Seven degrees."),
        ("user", "(input_image)"),
        ("assistant", "(no text)"),
        ("developer", "Answer in one line."),
        ("assistant", "computer((screenshot))"),
        ("assistant", "item_reference"),
    ]
    calls = owner.call(procedures.INVOCATIONS, ListToolCalls(conversation_id=state.conversation_id))
    (call,) = calls.rows
    assert (call.tool_name, call.agent_id) == ("get_weather", "helper")


def test_a_session_goes_on_after_a_restart_of_the_service_and_what_was_cleared_is_on_the_desk(
    service: Service, owner: SyncClient
) -> None:
    def opened() -> MemDeskSession:
        return MemDeskSession("restarted", channel="support", agent="helper", desk=str(service.desk.folder))

    first = opened()
    asyncio.run(first.add_items(SAID[:2]))
    before = owner.call(context.RESUME_SESSION, NamedSession(session_id="restarted")).conversation_id
    service.stop()
    service.start()
    asyncio.run(first.add_items(SAID[2:4]))
    assert asyncio.run(opened().get_items()) == SAID[:4]
    asyncio.run(first.clear_session())
    assert asyncio.run(opened().get_items()) == []
    talk = owner.call(memory.CONVERSATION, ReadConversation(conversation_id=before))
    assert len(talk.turns) == 4


def test_a_long_conversation_is_read_whole_and_stored_in_parts(session: MemDeskSession) -> None:
    many: list[Any] = [{"role": "user", "content": f"Line {number}"} for number in range(1_101)]
    asyncio.run(session.add_items(many))
    assert asyncio.run(session.get_items()) == many
    assert asyncio.run(session.get_items(2)) == many[-2:]
