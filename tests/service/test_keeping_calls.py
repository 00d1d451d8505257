"""Goals, profiles, working memory and scratchpads, each call once over the real socket."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from memdesk.api import goals, profile, working
from memdesk.api.curation import UNDO
from memdesk.api.endpoint import Endpoint
from memdesk.api.memory import STORE_TURN
from tests.conftest import Service

Call = Endpoint[Any, Any]


class Caller:
    """Calls endpoints of a running service as an agent, or as the desk's owner."""

    def __init__(self, service: Service, *, owner: bool) -> None:
        token = service.desk.owner_token.read_text().strip()
        headers = {"authorization": f"Bearer {token}"} if owner else {"x-memdesk-agent": "iris"}
        transport = httpx.HTTPTransport(uds=str(service.desk.socket))
        self.http = httpx.Client(transport=transport, base_url="http://desk", headers=headers, timeout=60)

    def __call__(self, endpoint: Call, **ask: Any) -> Any:
        said = self.raw(endpoint, **ask)
        assert said.status_code == 200, said.text
        return said.json()

    def raw(self, endpoint: Call, **ask: Any) -> httpx.Response:
        if endpoint.method == "GET":
            return self.http.get(endpoint.path, params=ask)
        return self.http.post(endpoint.path, json=ask)


@pytest.fixture
def agent(running_service: Service) -> Iterator[Caller]:
    caller = Caller(running_service, owner=False)
    yield caller
    caller.http.close()


@pytest.fixture
def owner(running_service: Service) -> Iterator[Caller]:
    caller = Caller(running_service, owner=True)
    yield caller
    caller.http.close()


def test_goals_are_set_related_ended_and_taken_back(agent: Caller, owner: Caller) -> None:
    visa = agent(goals.ADD, description="Get the visa", deadline="2020-01-01T00:00:00Z")["id"]
    move = agent(goals.ADD, description="Move", priority=5, blocked_by=[visa], retry_key="plan-1")["id"]
    assert (
        agent(goals.ADD, description="Move", priority=5, blocked_by=[visa], retry_key="plan-1")["id"] == move
    )
    pack = agent(goals.ADD, description="Pack", parent_id=move)["id"]
    assert [row["id"] for row in agent(goals.LIST)["rows"]] == [visa, pack]
    assert agent(goals.LIST, statuses="blocked")["rows"][0]["id"] == move
    ended = agent(goals.COMPLETE, goal_id=visa, result="granted")
    assert [ref["id"] for ref in ended["freed"]] == [move]
    seen = agent(goals.GET, goal_id=move)
    assert seen["goal"]["status"] == "active" and seen["subgoals"][0]["id"] == pack
    assert agent(goals.GET, goal_id=visa)["goal"]["overdue"] is False
    assert agent(goals.BLOCK_BY, goal_id=pack, blocker_id=visa)["status"] == "active"
    assert agent(goals.REOPEN, goal_id=visa)["status"] == "active"
    assert agent(goals.GET, goal_id=pack)["goal"]["status"] == "blocked"
    assert agent(goals.GET, goal_id=visa)["goal"]["overdue"] is True
    assert agent(goals.UNBLOCK, goal_id=pack, blocker_id=visa)["status"] == "active"
    changed = agent(goals.UPDATE, goal_id=pack, priority=4)
    owner(UNDO, change=changed["change"])
    assert agent(goals.GET, goal_id=pack)["goal"]["priority"] == 3
    refused = agent.raw(goals.COMPLETE, goal_id=pack, channel="elsewhere")
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")


def test_a_profile_is_told_read_and_corrected_by_its_owner(agent: Caller, owner: Caller) -> None:
    agent(profile.SET, aspect="preferences", name="tea", value={"kind": "green"})
    agent(profile.SET, aspect="communication_style", name="length", value="brief")
    assert agent(profile.GET)["preferences"] == {"tea": {"kind": "green"}}
    assert agent.raw(profile.REMOVE, aspect="communication_style", name="length").status_code == 403
    owner(profile.REMOVE, aspect="communication_style", name="length")
    assert agent(profile.GET)["communication_style"] == {}


def test_the_session_at_hand_is_kept_and_cleared(agent: Caller, owner: Caller) -> None:
    place = {"conversation_id": "c", "channel": "lisbon"}
    agent(STORE_TURN, content="hello", **place)
    agent(working.ADD_TURN, content="passing", role="tool", **place)
    agent(working.SET, key="draft", value=["dear Jun"], **place)
    agent(working.PUSH_THOUGHT, thought="hm", **place)
    agent(working.SET_ACTIVE_GOAL, goal_id="g", description="Write", **place)
    turns = agent(working.RECENT_TURNS, **place)["turns"]
    assert [turn["content"] for turn in turns] == ["passing", "hello"]
    assert agent(working.GET, key="draft", **place)["value"] == ["dear Jun"]
    assert agent(working.THOUGHTS, **place)["thoughts"][0]["text"] == "hm"
    assert agent(working.ACTIVE_GOAL, **place)["goal"]["description"] == "Write"
    assert agent(working.CONTEXT, **place)["values"] == {"draft": ["dear Jun"]}
    assert agent(working.SIZE)["keys"] == 4
    assert owner(working.PLACES)["places"][0]["keys"] == 4
    assert agent.raw(working.PLACES).status_code == 403
    assert agent(working.DELETE, key="draft", **place)["keys"] == 1
    assert agent(working.CLEAR_SESSION, **place)["keys"] == 3
    assert agent(working.SIZE)["bytes"] == 0


def test_a_scratchpad_outlives_a_kill(agent: Caller, owner: Caller, running_service: Service) -> None:
    session = {"session_id": "s-1"}
    agent(working.WRITE_NOTE, key="plan", value="three steps", **session)
    agent(working.WRITE_NOTE, key="__taskspace_hint__", value="/srv", **session)
    assert [row["key"] for row in agent(working.LIST_NOTES, **session)["notes"]] == ["plan"]
    assert len(owner(working.LIST_NOTES, **session)["notes"]) == 2
    running_service.kill()
    running_service.start()
    again = Caller(running_service, owner=False)
    assert again(working.READ_NOTE, key="plan", **session)["value"] == "three steps"
    assert again(working.DELETE_NOTE, key="plan", **session)["keys"] == 1
    assert again(working.CLEAR_NOTES, **session)["keys"] == 1
    again.http.close()


def test_what_cannot_be_kept_is_refused_in_a_sentence(agent: Caller) -> None:
    refused: list[tuple[Call, dict[str, Any]]] = [
        (working.SET, {"key": "two\nlines", "value": 1}),
        (working.SET, {"key": "k", "value": "x" * 70_000}),
        (working.LIST_NOTES, {"session_id": " "}),
        (goals.ADD, {"description": "x", "priority": 9}),
        (profile.SET, {"aspect": "mood", "name": "n", "value": 1}),
    ]
    for endpoint, ask in refused:
        said = agent.raw(endpoint, **ask)
        assert (said.status_code, said.json()["code"]) == (422, "bad_ask")
        assert said.json()["says"].endswith(".")
