"""Backups over the socket: made by a job, listed, and restored by a service that begins again with another desk."""

from __future__ import annotations

import time
from typing import Any

import httpx
import pytest

from tests.conftest import Service


def client(service: Service, **headers: str) -> httpx.Client:
    return httpx.Client(
        transport=httpx.HTTPTransport(uds=str(service.desk.socket)),
        base_url="http://desk",
        timeout=20,
        headers=headers,
    )


def ask(service: Service, path: str, body: dict[str, Any] | None = None, *, method: str = "POST") -> Any:
    """One call by the owner over a connection of its own, once the service answers."""
    token = service.desk.owner_token.read_text().strip()
    deadline = time.monotonic() + 20
    while True:
        try:
            with client(service, authorization=f"Bearer {token}") as owner:
                response = owner.request(method, f"/v1/{path}", json=body)
        except httpx.TransportError:
            assert time.monotonic() < deadline
            time.sleep(0.05)
            continue
        assert response.status_code == 200, response.text
        return response.json()


def ended(service: Service, job: dict[str, Any]) -> dict[str, Any]:
    while job["state"] in ("waiting", "running"):
        time.sleep(0.05)
        job = ask(service, f"upkeep/job?id={job['id']}", method="GET")
    return job


def restored(service: Service, name: str) -> dict[str, Any]:
    """The latest restore, once one of that backup has ended."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        last = ask(service, "backups/list", method="GET")["last_restore"]
        if last is not None and last["name"] == name:
            return dict(last)
        time.sleep(0.05)
    raise AssertionError("it was not restored")


def claims(service: Service) -> set[str]:
    return {row["claim"] for row in ask(service, "memory/facts", method="GET")["rows"]}


@pytest.mark.file
def test_the_service_restores_a_backup_and_goes_on_as_the_same_process(running_service: Service) -> None:
    ask(running_service, "memory/learn_fact", {"claim": "Cranes lift cargo"})
    name = ended(running_service, ask(running_service, "backups/make"))["result"]["backup"]
    ask(running_service, "memory/learn_fact", {"claim": "Tugs pull ships"})
    before = ask(running_service, "upkeep/status", method="GET")
    assert ask(running_service, "backups/restore", {"name": name})["name"] == name
    done = restored(running_service, name)
    assert done["ok"]
    after = ask(running_service, "upkeep/status", method="GET")
    assert (after["pid"], after["facts"]) == (before["pid"], 1)
    assert after["started_at"] > before["started_at"]
    assert not any("lacked" in notice for notice in after["notices"])
    assert claims(running_service) == {"Cranes lift cargo"}
    restored_again = ask(running_service, "backups/restore", {"name": done["kept"]})["name"]
    restored(running_service, restored_again)
    assert claims(running_service) == {"Cranes lift cargo", "Tugs pull ships"}


@pytest.mark.file
def test_a_backup_that_became_damaged_leaves_the_service_with_the_desk_it_had(
    running_service: Service,
) -> None:
    ask(running_service, "memory/learn_fact", {"claim": "Cranes lift cargo"})
    name = ended(running_service, ask(running_service, "backups/make"))["result"]["backup"]
    (running_service.desk.backups / f"{name}.db").write_bytes(b"\xff" * 100_000)
    ask(running_service, "backups/restore", {"name": name})
    done = restored(running_service, name)
    assert not done["ok"] and "damaged" in done["says"]
    assert claims(running_service) == {"Cranes lift cargo"}


@pytest.mark.parametrize("path", ["backups/make", "backups/restore"])
def test_an_agent_may_not_back_up_nor_restore(running_service: Service, path: str) -> None:
    with client(running_service, **{"x-memdesk-agent": "iris"}) as agent:
        assert (
            agent.post(f"/v1/{path}", json={"name": "x"} if path.endswith("restore") else None).status_code
            == 403
        )
        assert agent.get("/v1/backups/list").status_code == 403
