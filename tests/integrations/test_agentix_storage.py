"""The storage backend of Agentix on the desk: its contract as Agentix's file store keeps it, and what a person sees."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from memdesk.api import context, curation, history, memory, procedures
from memdesk.client import SyncClient
from memdesk.integrations import MemDeskStorage
from memdesk.model.browse import ReadConversation
from memdesk.model.curation import Undo
from memdesk.model.history import AskHistory
from memdesk.model.session import NamedSession
from memdesk.model.tool_call import ListToolCalls
from tests.conftest import Service

SAID: list[tuple[str, Any]] = [
    ("user", "When does the gate open? Ärger 🙂"),
    (
        "assistant",
        [
            {"type": "text", "text": "I look it up."},
            {"type": "tool_use", "id": "t1", "name": "clock", "input": {"at": 6}},
        ],
    ),
    ("user", [{"type": "tool_result", "tool_use_id": "t1", "content": "opens at six"}]),
    ("assistant", ""),
    ("user", '{"looks": "like JSON"}'),
    ("system", {"note": ["free", 1, None]}),
    ("assistant", "  Mind   the spaces\n"),
]


@pytest.fixture
def storage(service: Service, request: pytest.FixtureRequest) -> Iterator[MemDeskStorage]:
    with MemDeskStorage(channel=request.node.name[:50], agent="vera", desk=str(service.desk.folder)) as made:
        yield made


def said_in(storage: MemDeskStorage, session: str) -> list[tuple[str, Any]]:
    return [(each["role"], each["content"]) for each in storage.load_messages(session)]


def test_messages_come_back_exactly_and_a_restart_changes_nothing(
    storage: MemDeskStorage, service: Service
) -> None:
    session = storage.create_session("vera", {"cwd": "/srv/gate", "first_prompt": "When?"})
    for role, content in SAID:
        storage.save_message(session, role, content)
    service.stop()
    service.start()
    assert said_in(storage, session) == SAID
    times = [each["timestamp"] for each in storage.load_messages(session)]
    assert times == sorted(times) and all(each.endswith("+00:00") for each in times)
    found = storage.get_session(session)
    assert found is not None and found["metadata"] == {"cwd": "/srv/gate", "first_prompt": "When?"}
    assert found["created_at"] <= found["updated_at"] == times[-1]
    assert (storage.get_session("nobody"), storage.load_messages("nobody")) == (None, [])
    for wrong in (
        lambda: storage.save_message("nobody", "user", "x"),
        lambda: storage.fork_session("nobody"),
    ):
        with pytest.raises(ValueError, match="Session not found: nobody"):
            wrong()


def test_sessions_are_listed_by_agent_and_folder_the_last_used_first(storage: MemDeskStorage) -> None:
    one, two = (storage.create_session("lister", {"cwd": cwd}) for cwd in ("/a", "/b"))
    storage.create_session("another")
    storage.save_message(one, "user", "later")
    assert [each["session_id"] for each in storage.list_sessions("lister")] == [one, two]
    assert [each["session_id"] for each in storage.list_sessions("lister", cwd="/b")] == [two]
    assert {each["agent_id"] for each in storage.list_sessions("lister")} == {"lister"}


def test_a_fork_has_the_messages_and_goes_its_own_way(storage: MemDeskStorage) -> None:
    session = storage.create_session("forker", {"cwd": "/a"})
    for role, content in SAID[:3]:
        storage.save_message(session, role, content)
    fork = asyncio.run(storage.afork_session(session))
    asyncio.run(storage.asave_message(fork, "user", "on my own"))
    assert said_in(storage, fork) == [*SAID[:3], ("user", "on my own")]
    assert said_in(storage, session) == SAID[:3]
    found = storage.get_session(fork)
    assert found is not None and found["metadata"] == {"cwd": "/a", "forked_from": session}


def test_a_deleted_session_is_gone_for_agentix_and_kept_for_a_person(
    storage: MemDeskStorage, owner: SyncClient
) -> None:
    session = storage.create_session("leaver")
    storage.save_message(session, "user", "The spare key hangs in the boathouse")
    state = owner.call(context.RESUME_SESSION, NamedSession(session_id=session))
    storage.delete_session(session)
    storage.delete_session(session)
    assert storage.get_session(session) is None and storage.list_sessions("leaver") == []
    view = owner.call(memory.CONVERSATION, ReadConversation(conversation_id=state.conversation_id))
    assert [turn.content for turn in view.turns] == ["The spare key hangs in the boathouse"]
    newest = owner.call(history.PAGE, AskHistory()).rows[0]
    owner.call(curation.UNDO, Undo(change=newest.id))
    assert said_in(storage, session) == [("user", "The spare key hangs in the boathouse")]


def test_what_tools_return_is_a_tools_words_and_each_call_a_tool_call(
    storage: MemDeskStorage, owner: SyncClient
) -> None:
    session = storage.create_session("worker")
    for role, content in SAID[:3]:
        storage.save_message(session, role, content)
    failed = {"type": "tool_result", "tool_use_id": "t2", "content": "no such file", "is_error": True}
    storage.save_message(
        session, "assistant", [{"type": "tool_use", "id": "t2", "name": "read", "input": {}}]
    )
    storage.save_message(session, "user", [failed])
    state = owner.call(context.RESUME_SESSION, NamedSession(session_id=session))
    view = owner.call(memory.CONVERSATION, ReadConversation(conversation_id=state.conversation_id))
    assert [(turn.role, turn.content) for turn in view.turns][:3] == [
        ("user", SAID[0][1]),
        ("assistant", 'I look it up.\nclock({"at": 6})'),
        ("tool", "opens at six"),
    ]
    calls = owner.call(procedures.INVOCATIONS, ListToolCalls(channels=(state.channel,))).rows
    assert {(call.tool_name, call.success) for call in calls} == {("clock", True), ("read", False)}
