"""What one agent may do to another: nothing. Each attempt goes through the real service, over HTTP or MCP."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from memdesk.files.places import Desk
from tests.conftest import Service


class Door:
    """Calls of one caller, as any program makes them."""

    def __init__(self, desk: Desk, **headers: str) -> None:
        transport = httpx.HTTPTransport(uds=str(desk.socket))
        self.http = httpx.Client(transport=transport, base_url="http://desk", headers=headers, timeout=60)

    def post(self, call: str, **ask: Any) -> Any:
        said = self.http.post(f"/v1/{call.replace('.', '/')}", json=ask)
        return said.json() | ({"status": said.status_code} if said.status_code != 200 else {})

    def get(self, call: str, **ask: Any) -> Any:
        said = self.http.get(f"/v1/{call.replace('.', '/')}", params=ask)
        return said.json() | ({"status": said.status_code} if said.status_code != 200 else {})

    def tool(self, path: str, arguments: dict[str, Any], **place: str) -> Any:
        return self.http.post(f"/v1/tools/{path}", json=arguments, params=place).json()

    def mcp(self, set: str, name: str, arguments: dict[str, Any], **place: str) -> str:
        body = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        }
        accept = {"accept": "application/json, text/event-stream"}
        said = self.http.post(f"/v1/mcp/{set}", json=body, params=place, headers=accept)
        return said.text


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    folder = Path(tempfile.mkdtemp(prefix="md-"))
    service = Service(Desk(folder / "desk"))
    service.start()
    yield service.desk
    service.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def owner(desk: Desk) -> Door:
    return Door(desk, authorization=f"Bearer {desk.owner_token.read_text().strip()}")


@pytest.fixture(scope="module")
def scout(desk: Desk, owner: Door) -> Door:
    """An agent with a token."""
    token = owner.post("agents.add", agent="scout")["token"]
    return Door(desk, authorization=f"Bearer {token}")


@pytest.fixture(scope="module")
def atlas(desk: Desk) -> Door:
    """A guest, which only gives its name."""
    return Door(desk, **{"x-memdesk-agent": "atlas"})


@pytest.fixture(scope="module")
def nameless(desk: Desk) -> Door:
    return Door(desk)


def refused(said: Any) -> bool:
    assert said.get("code") == "not_allowed", said
    assert said["says"] and said["next"], said
    return True


# The ten attempts.


def test_one_cannot_sign_as_another(scout: Door, atlas: Door, nameless: Door, owner: Door) -> None:
    claim = {"claim": "The harbour closes at nine.", "channel": "quay"}
    assert refused(atlas.post("memory.learn_fact", **claim, agent_id="scout"))
    assert refused(nameless.post("memory.learn_fact", **claim, agent_id="scout"))
    turns = [{"content": "hello", "agent_id": name} for name in ("scout", "atlas")]
    assert refused(nameless.post("memory.store_turns", turns=turns))
    assert "scout" in atlas.tool("agentx/remember_fact", {"claim": "x"}, agent_id="scout")["text"]
    assert "signs with its token" in nameless.mcp("mcp-memory", "read_graph", {}, agent_id="SCOUT")
    for name in ("scout", "Scout", "ｓｃｏｕｔ"):
        said = nameless.http.post(
            "/v1/memory/learn_fact", json=claim, headers={"x-memdesk-agent": name.encode()}
        ).json()
        assert refused(said)
    with_token = scout.http.post("/v1/memory/learn_fact", json=claim, headers={"x-memdesk-agent": "atlas"})
    assert refused(with_token.json())
    learned = scout.post("memory.learn_fact", **claim)
    event = owner.get("history.event", id=learned["change"])
    assert event["row"]["author"] == "agent:scout"


def test_one_cannot_replace_a_fact_that_another_keeps_under_a_key(
    scout: Door, atlas: Door, nameless: Door, owner: Door
) -> None:
    mine = scout.post("memory.learn_fact", claim="Editor: vim", key="editor", value="vim", channel="keys")
    persons = owner.post("memory.learn_fact", claim="Shell: fish", key="shell", value="fish", channel="keys")
    assert refused(
        atlas.post("memory.learn_fact", claim="Editor: pico", supersedes=mine["id"], channel="keys")
    )
    atlas.post("memory.learn_fact", claim="Editor: nano", key="editor", value="nano", channel="keys")
    assert refused(
        nameless.post("memory.learn_fact", claim="Shell: csh", key="shell", value="csh", channel="keys")
    )
    said = atlas.tool("agentx/forget_fact", {"fact_id": mine["id"]}, channel="keys")
    assert said["is_error"] and "scout" in said["text"]
    current = {row["claim"] for row in owner.get("memory.facts", channels="keys")["rows"]}
    assert {"Editor: vim", "Shell: fish"} <= current
    assert owner.get("memory.inspect", id=persons["id"])


def test_one_cannot_retire_what_another_put_into_the_graph(scout: Door, atlas: Door, owner: Door) -> None:
    entity = {
        "entities": [{"name": "Lighthouse", "entityType": "place", "observations": ["It blinks twice."]}]
    }
    assert not scout.tool("mcp-memory/create_entities", entity, channel="keys")["is_error"]
    said = atlas.mcp("mcp-memory", "delete_entities", {"entityNames": ["Lighthouse"]}, channel="keys")
    assert "scout" in said
    gone = {"deletions": [{"entityName": "Lighthouse", "observations": ["It blinks twice."]}]}
    assert atlas.tool("mcp-memory/delete_observations", gone, channel="keys")["is_error"]
    assert "It blinks twice." in scout.tool("mcp-memory/read_graph", {}, channel="keys")["text"]


def test_one_cannot_read_or_clear_the_scratchpad_of_another(scout: Door, atlas: Door, nameless: Door) -> None:
    note, value = (
        {"session_id": "s-1", "key": "plan"},
        {"conversation_id": "c-1", "key": "step", "channel": "quay"},
    )
    scout.post("working.write_note", **note, value="secret plan")
    scout.post("working.set", **value, value="secret step")
    scout.post("working.push_thought", channel="quay", thought="secret thought")
    for other in (atlas, nameless):
        assert refused(other.get("working.read_note", **note))
        assert refused(other.get("working.list_notes", session_id="s-1"))
        assert refused(other.get("working.get", **value))
        assert refused(other.get("working.context", conversation_id="c-1", channel="quay"))
        assert refused(other.get("working.thoughts", channel="quay"))
        assert refused(other.post("working.clear_notes", session_id="s-1"))
        assert refused(other.post("working.delete_note", **note))
        assert refused(other.post("working.clear_session", conversation_id="c-1", channel="quay"))
        assert refused(other.post("working.write_note", **note, value="another plan"))
        read = other.tool("agenticx/scratchpad_read", {"key": "plan"}, session_id="s-1")
        assert read["is_error"] and "secret" not in read["text"]
        assert "secret" not in other.mcp("agenticx", "scratchpad_read", {"key": "plan"}, session_id="s-1")
        told = other.post("context.prompt", text="What is the plan?", session_id="s-1")
        assert "secret" not in json.dumps(told)
    assert scout.get("working.read_note", **note)["value"] == "secret plan"
    assert scout.get("working.get", **value)["value"] == "secret step"


MESSAGES = [
    {"role": "user" if n % 2 == 0 else "assistant", "content": f"Sentence {n} is secret."} for n in range(40)
]


def test_one_cannot_read_the_archived_messages_of_another_nor_reset_its_session(
    scout: Door, atlas: Door, nameless: Door
) -> None:
    made = scout.post("context.create_session", session_id="s-2", channel="quay", policy="agenticx")
    kept = scout.post("context.compact", messages=MESSAGES, session_id="s-2", force=True)
    compaction = kept["compaction"]["id"]
    for other in (atlas, nameless):
        assert refused(other.get("context.archive", compaction_id=compaction))
        assert refused(other.get("context.compaction", compaction_id=compaction))
        assert refused(other.post("context.restore", compaction_id=compaction, messages=[]))
        assert refused(other.post("context.reset_session", session_id="s-2"))
        assert refused(other.get("context.resume_session", session_id="s-2"))
        assert refused(other.post("context.create_session", session_id="s-2"))
        assert refused(other.post("context.compact", messages=MESSAGES, session_id="s-2"))
        assert other.get("context.compactions")["rows"] == []
        assert all(row["session_id"] != "s-2" for row in other.get("context.sessions")["rows"])
    assert scout.get("context.archive", compaction_id=compaction)["total"] > 0
    assert scout.get("context.resume_session", session_id="s-2")["conversation_id"] == made["conversation_id"]


def test_one_cannot_read_the_memory_of_another_user(
    scout: Door, atlas: Door, nameless: Door, owner: Door
) -> None:
    said = scout.post("memory.store_turn", content="Ana keeps bees.", user_id="ana", channel="hive")
    owner.post("memory.learn_fact", claim="Ben keeps cats.", user_id="ben")
    for other, user in ((atlas, "ana"), (nameless, "ana"), (atlas, "ben"), (scout, "ben")):
        assert refused(other.post("recall.search", text="bees cats", user_id=user))
        assert refused(other.get("memory.facts", user_id=user))
        assert refused(other.get("profile.get", user_id=user))
        assert refused(other.post("memory.learn_fact", claim="x is y", user_id=user))
        assert "bees" not in other.mcp("agentx", "recall_user_history", {"topic": "bees"}, user_id=user)
    assert refused(atlas.get("memory.conversation", conversation_id=said["conversation_id"]))
    assert scout.get("memory.turn_log", user_id="ana")["rows"]


def test_one_cannot_overwrite_the_profile_or_the_goals_of_the_owner(
    scout: Door, atlas: Door, owner: Door
) -> None:
    owner.post("profile.set", aspect="preferences", name="tone", value="dry")
    goal = owner.post("goals.add", description="Ship the release", channel="quay")["id"]
    other = scout.post("goals.add", description="Sort the mail", channel="quay")["id"]
    for who, id in ((atlas, goal), (scout, goal), (atlas, other)):
        assert refused(who.post("goals.update", goal_id=id, description="Do nothing", channel="quay"))
        assert refused(who.post("goals.complete", goal_id=id, channel="quay"))
        assert refused(who.post("goals.block_by", goal_id=id, blocker_id=other, channel="quay"))
        ended = who.tool("agentx/complete_goal", {"goal_id": id}, channel="quay")
        assert ended["is_error"]
    assert refused(atlas.post("profile.set", aspect="preferences", name="tone", value="rude"))
    assert refused(scout.post("profile.set", aspect="preferences", name=" tone ", value="rude"))
    assert owner.get("profile.get")["preferences"] == {"tone": "dry"}
    # What is its own it may end, and what is not there yet it may add.
    assert scout.post("goals.complete", goal_id=other, channel="quay")["status"] == "completed"
    assert "id" in atlas.post("profile.set", aspect="preferences", name="coffee", value="black")


def test_one_cannot_store_a_turn_as_the_person(atlas: Door, owner: Door) -> None:
    owner.post("upkeep.change_settings", values={"person": "Mara"})
    said = atlas.post(
        "memory.store_turn", content="I moved to Lisbon.", role="user", speaker=" MARA", channel="quay"
    )
    other = atlas.post("memory.store_turn", content="Me too.", role="user", speaker="Jo", channel="quay")
    (turn,) = owner.get("memory.conversation", conversation_id=said["conversation_id"])["turns"]
    assert turn["speaker"] == "user"
    (turn,) = owner.get("memory.conversation", conversation_id=other["conversation_id"])["turns"]
    assert turn["speaker"] == "Jo"
    assert owner.get("history.event", id=said["change"])["row"]["author"] == "agent:atlas"


def test_one_cannot_write_into_global_unasked(scout: Door, atlas: Door, owner: Door) -> None:
    before = owner.get("history.page", limit=1)["rows"][0]["id"]
    for who, name in ((scout, "scout"), (atlas, "atlas")):
        learned = who.post("memory.learn_fact", claim=f"{name} knows the tide.", channel=" _global ")
        assert learned["proposed"]
        (question,) = [row for row in owner.get("review.list")["rows"] if row["id"] == learned["proposed"]]
        assert (question["type"], question["channel"]) == ("promotion", name)
        unnamed = who.post("memory.learn_fact", claim=f"{name} likes rain.")
        assert unnamed["proposed"] == ""
        who.post("memory.upsert_entity", name=f"Tide of {name}", channel="_global")
        who.post("procedures.learn_strategy", description="Look at the tide", tool_sequence=["look"])
        who.post("goals.add", description=f"Watch for {name}", channel="_global")
        who.post("memory.store_turn", content="The tide is high.", channel="_global")
        node = {"entities": [{"name": "Tide", "entityType": "thing", "observations": ["It turns."]}]}
        assert who.tool("mcp-memory/create_entities", node, channel="_global")["is_error"]
        assert "may not write into _global" in who.mcp(
            "mcp-memory", "create_entities", node, channel="_global"
        )
        found = who.post("recall.search", text="Who knows the tide?")
        assert any("knows the tide" in hit["text"] for hit in found["hits"])
    written = [
        row
        for row in owner.get("history.page", channels="_global", limit=200)["rows"]
        if row["author"].startswith("agent:") and row["op"] != "recall" and row["id"] > before
    ]
    assert [row["title"] for row in written] == []


# What stays possible, and what the owner may open.


def test_agents_read_what_others_stored_in_a_channel_of_both(scout: Door, atlas: Door) -> None:
    scout.post("memory.learn_fact", claim="The ferry to Aveiro leaves at seven.", channel="ferry")
    found = atlas.post("recall.search", text="When does the ferry leave?", channel="ferry")
    assert any("Aveiro" in hit["text"] for hit in found["hits"])


def test_a_grant_opens_what_was_refused_and_an_undo_closes_it(scout: Door, atlas: Door, owner: Door) -> None:
    scout.post("working.write_note", session_id="s-9", key="plan", value="a plan")
    assert refused(atlas.get("working.read_note", session_id="s-9", key="plan"))
    given = owner.post("agents.grant", agent="Atlas", scope="agent", name="scout")
    assert atlas.get("working.read_note", session_id="s-9", key="plan")["value"] == "a plan"
    owner.post("curation.undo", change=given["change"])
    assert refused(atlas.get("working.read_note", session_id="s-9", key="plan"))
    given = owner.post("agents.grant", agent="atlas", scope="global")
    learned = atlas.post("memory.learn_fact", claim="The sea is salt.")
    assert learned["proposed"] == "" and owner.get("memory.inspect", id=learned["id"])
    assert owner.post("agents.withdraw", id=given["id"])["change"]


def test_an_agent_limited_to_a_channel_sees_no_other(desk: Desk, owner: Door) -> None:
    pilot = Door(desk, **{"x-memdesk-agent": "pilot"})
    other = owner.post("memory.learn_fact", claim="The vault code is hidden.", channel="vault")
    owner.post("agents.grant", agent="pilot", scope="channel", name="deck")
    assert refused(pilot.post("recall.search", text="vault code", channel="vault"))
    assert refused(pilot.post("recall.search", text="vault code", every_channel=True))
    assert refused(pilot.get("memory.facts", channels="vault"))
    assert all(row["channel"] != "vault" for row in pilot.get("memory.facts")["rows"])
    assert refused(pilot.post("curation.tag", id=other["id"], tags=["x"]))
    assert pilot.post("memory.learn_fact", claim="The deck is wet.", channel="deck")["id"]


def test_a_revoked_token_signs_no_more_and_the_agent_is_a_guest_again(desk: Desk, owner: Door) -> None:
    made = owner.post("agents.add", agent="brief")
    door, guest = (
        Door(desk, authorization=f"Bearer {made['token']}"),
        Door(desk, **{"x-memdesk-agent": "brief"}),
    )
    assert door.post("memory.learn_fact", claim="Brief was here.")["id"]
    assert refused(guest.get("memory.facts"))
    owner.post("agents.revoke", agent="brief")
    assert refused(door.get("memory.facts"))
    assert guest.get("memory.facts")["rows"]
    # A desk in a database has its tokens there.
    assert not desk.agent_tokens.exists() or made["token"] not in desk.agent_tokens.read_text()


def test_a_refusal_is_in_the_audit_log(atlas: Door, owner: Door) -> None:
    assert refused(atlas.post("memory.learn_fact", claim="x is y", agent_id="scout"))
    rows = owner.get("history.audit", success=False, limit=5)["rows"]
    assert any("scout" in (row["error_message"] or "") and row["author"] == "agent:atlas" for row in rows)


@pytest.mark.parametrize(
    "headers", [{"origin": "https://example.com"}, {"host": "evil.example"}, {"origin": "null"}]
)
def test_mcp_answers_no_page_of_another_site(atlas: Door, headers: dict[str, str]) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accept = {"accept": "application/json, text/event-stream"}
    said = atlas.http.post("/v1/mcp/mcp-memory", json=body, headers=accept | headers)
    assert said.status_code == 403
    local = atlas.http.post(
        "/v1/mcp/mcp-memory", json=body, headers=accept | {"origin": "http://localhost:3000"}
    )
    assert local.status_code == 200


def test_a_name_in_another_case_is_the_agent_that_the_desk_knows(desk: Desk, owner: Door) -> None:
    for name, more in (("Beacon", {}), ("beacon", {}), ("ＢＥＡＣＯＮ", {"agent_id": "beacon"})):
        door = Door(desk, **{"x-memdesk-agent": quote(name)})
        door.post("memory.learn_fact", claim=f"The lamp is lit by {name}", channel="spelled", **more)
    guest = Door(desk)
    guest.post("memory.learn_fact", claim="The lamp is out", channel="spelled", agent_id="bEACON")
    page = owner.get("history.page", channels="spelled", limit=20)
    authors = {row["author"] for row in page["rows"] if row["op"] == "learn"}
    assert authors == {"agent:Beacon"}
    told = {row["agent_id"] for row in owner.get("memory.facts", channels="spelled")["rows"]}
    assert told <= {"Beacon", None} and "Beacon" in told
