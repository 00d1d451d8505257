"""The calls of upkeep, audit and erasure over the real socket of a real desk."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import httpx
import pytest

from tests.conftest import Service
from tests.store.agreement import opened

Call = Callable[..., httpx.Response]


@pytest.fixture
def owner(running_service: Service) -> Iterator[httpx.Client]:
    desk = running_service.desk
    token = desk.owner_token.read_text().strip()
    with httpx.Client(
        transport=httpx.HTTPTransport(uds=str(desk.socket)),
        base_url="http://desk",
        timeout=60,
        headers={"authorization": f"Bearer {token}"},
    ) as client:
        yield client


@pytest.fixture
def agent(running_service: Service) -> Iterator[httpx.Client]:
    with httpx.Client(
        transport=httpx.HTTPTransport(uds=str(running_service.desk.socket)),
        base_url="http://desk",
        timeout=60,
        headers={"x-memdesk-agent": "iris", "x-memdesk-session": "s-17"},
    ) as client:
        yield client


def good(response: httpx.Response) -> Any:
    assert response.status_code == 200, response.text
    return response.json()


def store(agent: httpx.Client, content: str, **more: str) -> Any:
    return good(agent.post("/v1/memory/store_turn", json={"content": content, **more}))


def ended(owner: httpx.Client, job: dict[str, Any]) -> dict[str, Any]:
    for _ in range(200):
        if job["state"] not in ("waiting", "running"):
            return job
        time.sleep(0.05)
        job = good(owner.get("/v1/upkeep/job", params={"id": job["id"]}))
    raise AssertionError(job)


def test_an_agents_session_is_in_the_audit_log_and_refusals_too(
    owner: httpx.Client, agent: httpx.Client
) -> None:
    turn = store(agent, "Cranes lift cargo", turn_id="t1")
    refused = agent.post("/v1/memory/store_turn", json={"content": "Something else", "turn_id": "t1"})
    assert refused.status_code == 409
    rows = good(owner.get("/v1/history/audit", params={"session_id": "s-17", "operations": "store"}))["rows"]
    assert [(row["operation"], row["success"]) for row in rows] == [("store", False), ("store", True)]
    assert rows[1]["event"] == turn["change"]
    assert rows[0]["author"] == "agent:iris"


def test_an_agent_may_not_read_the_audit_log_nor_change_settings(agent: httpx.Client) -> None:
    for response in (
        agent.get("/v1/history/audit"),
        agent.post("/v1/history/verify"),
        agent.get("/v1/history/segments"),
        agent.get("/v1/upkeep/settings"),
        agent.post("/v1/upkeep/change_settings", json={"values": {"audit_level": "off"}}),
        agent.post("/v1/curation/erase_user", json={"user_id": "local", "confirm": "local"}),
    ):
        assert response.status_code == 403


def test_a_setting_changed_over_the_socket_holds_at_once(owner: httpx.Client, agent: httpx.Client) -> None:
    done = good(
        owner.post("/v1/upkeep/change_settings", json={"values": {"audit_level": "reads", "person": "Ada"}})
    )
    assert {row["name"]: row["value"] for row in done["rows"]} == {"audit_level": "reads", "person": "Ada"}
    good(agent.post("/v1/recall/search", json={"text": "cargo?"}))
    for _ in range(100):
        if rows := good(owner.get("/v1/history/audit", params={"operations": "retrieve"}))["rows"]:
            break
        time.sleep(0.02)
    assert rows[0]["query_text"] == "cargo?"
    reset = good(owner.post("/v1/upkeep/change_settings", json={"reset": ["audit_level"]}))
    told = good(owner.get("/v1/history/event", params={"id": reset["change"]}))
    assert told["row"]["author"] == "person:Ada"


def test_a_bad_setting_is_refused_with_its_range(owner: httpx.Client) -> None:
    refused = owner.post("/v1/upkeep/change_settings", json={"values": {"recall_limit": 0, "graph_depth": 3}})
    assert refused.status_code == 422
    assert "between 1 and 100" in refused.json()["says"]
    rows = good(owner.get("/v1/upkeep/settings"))["rows"]
    assert not [row["name"] for row in rows if row["changed"]]


def test_anyone_may_read_the_metrics_in_both_forms(agent: httpx.Client) -> None:
    store(agent, "Cranes lift cargo")
    assert agent.get("/v1/nowhere").status_code == 404
    assert agent.post("/v1/memory/store_turn", json={"content": " "}).status_code == 422
    found = good(agent.get("/v1/upkeep/metrics"))
    assert found["memory"]["records"]["turn"] == 1
    assert found["errors"] == {"bad_ask": 1}
    text = agent.get("/v1/metrics")
    assert text.headers["content-type"].startswith("text/plain; version=")
    assert 'memdesk_records{kind="turn"} 1.0' in text.text
    assert 'memdesk_errors_total{code="bad_ask"} 1.0' in text.text


def verified(owner: httpx.Client) -> dict[str, Any]:
    """What the walk along the hash chain found."""
    done = ended(owner, good(owner.post("/v1/history/verify")))
    assert done["state"] == "done", done
    found: dict[str, Any] = done["result"]
    return found


def test_a_desk_verifies_over_the_socket(owner: httpx.Client, agent: httpx.Client) -> None:
    change = store(agent, "Cranes lift cargo")["change"]
    found = verified(owner)
    assert (found["last_change"], found["first_break"]) == (change, None)
    assert [day["closed"] for day in good(owner.get("/v1/history/segments"))["rows"]] == [False]


def test_a_user_is_erased_over_the_socket_while_others_write(
    owner: httpx.Client, agent: httpx.Client, running_service: Service
) -> None:
    store(agent, "The quokka sleeps", user_id="odette", channel="zanzibar")
    store(agent, "Cranes lift cargo")
    refused = owner.post("/v1/curation/erase_user", json={"user_id": "odette", "confirm": "odete"})
    assert refused.status_code == 422
    started = good(owner.post("/v1/curation/erase_user", json={"user_id": "odette", "confirm": "odette"}))
    store(agent, "Ships wait")
    done = ended(owner, started)
    assert done["state"] == "done", done
    assert done["result"]["erased"]["turns"] == 1
    assert verified(owner)["first_break"] is None
    running_service.stop()
    desk = running_service.desk
    files = (path for path in desk.folder.rglob("*") if path.is_file() and desk.backups not in path.parents)
    raw = b"".join(path.read_bytes() for path in files)
    assert not [word for word in (b"quokka", b"zanzibar", b"odette") if word in raw]


def test_a_tail_lost_behind_the_services_back_is_noticed(
    owner: httpx.Client, agent: httpx.Client, running_service: Service
) -> None:
    for content in ("One", "Two", "Three"):
        store(agent, content)
    running_service.stop()
    with closing(opened(running_service.desk)) as db:
        db.run("DELETE FROM changes WHERE id > 2")
    running_service.start()
    notices = good(owner.get("/v1/upkeep/status"))["notices"]
    assert any("lacked its last" in notice for notice in notices)
    broken = verified(owner)["first_break"]
    assert broken["what"] == "mark"
