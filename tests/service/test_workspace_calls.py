"""Files of a workspace, each call once over the real socket, by an agent in its own folder and by the desk's owner."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from memdesk.api import curation, memory, workspace
from tests.conftest import Service
from tests.service.test_keeping_calls import Caller
from tests.service.test_together import registered


@pytest.fixture
def owner(running_service: Service) -> Iterator[Caller]:
    caller = Caller(running_service, owner=True)
    yield caller
    caller.http.close()


@pytest.fixture
def agent(running_service: Service) -> Iterator[Caller]:
    """The agent iris."""
    caller = Caller(running_service, owner=False)
    yield caller
    caller.http.close()


@pytest.fixture
def folder(running_service: Service, tmp_path: Path) -> Path:
    """The folder of iris, as OpenLegion keeps it."""
    folder = tmp_path / "iris"
    (folder / "learnings").mkdir(parents=True)
    (folder / "learnings" / "errors.md").write_text("- [2026-02-20 14:05] **exec**: no such file\n")
    (folder / "SOUL.md").write_text("# Identity\n\nCurious.\n")
    (folder / "HEARTBEAT.md").write_text("# Heartbeat Rules\n")
    asyncio.run(registered(running_service.desk, folder))
    return folder


def test_an_agent_keeps_its_days_lessons_and_rules(folder: Path, agent: Caller) -> None:
    at = "2026-03-01T14:03:00Z"
    wrote = agent(workspace.WRITE_DAY, text="Rained", at=at, retry_key="k1")
    assert agent(workspace.WRITE_DAY, text="Rained", at=at, retry_key="k1")["repeated"]
    assert (folder / wrote["path"]).read_text() == "- [14:03] Rained\n"
    agent(workspace.RECORD_LEARNING, kind="correction", subject="I used JSON", text="No, use YAML")
    told = agent(workspace.LEARNINGS)["text"]
    assert "no such file" in told and "No, use YAML" in told
    agent(workspace.REWRITE, path="HEARTBEAT.md", text="# Heartbeat Rules\n\n1. Inbox\n")
    assert "Updated workspace file: HEARTBEAT.md" in agent(workspace.RECENT)["text"]
    begins = agent(workspace.BOOTSTRAP)
    assert [part["path"] for part in begins["parts"]] == ["SOUL.md"] and "Curious" in begins["text"]


def test_another_agents_folder_is_not_its_to_write(folder: Path, owner: Caller, agent: Caller) -> None:
    home = owner(workspace.LIST)["rows"][0]
    assert home["layout"] == "OpenLegion" and home["why"] == "it holds the folder learnings"
    agent.http.headers["x-memdesk-agent"] = "forge"
    refused = agent.raw(workspace.WRITE_DAY, text="x", workspace_id=home["id"])
    assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")
    assert agent.raw(workspace.BOOTSTRAP).json()["code"] == "not_found"
    refused = agent.raw(workspace.KEEP_SESSION, messages=[], agent_id="iris")
    assert refused.status_code == 403


def test_a_session_is_kept_where_agenticx_lives(
    running_service: Service, tmp_path: Path, agent: Caller
) -> None:
    folder = tmp_path / ".agenticx" / "avatars" / "iris" / "workspace"
    folder.mkdir(parents=True)
    (folder / "IDENTITY.md").write_text("# Identity\n")
    asyncio.run(registered(running_service.desk, folder))
    talk = [
        {"role": "user", "content": "Please move the harbour database to the new machine."},
        {"role": "assistant", "content": "The move is done."},
    ]
    kept = agent(workspace.KEEP_SESSION, messages=talk * 3)
    assert len(kept["facts"]) == 2 and kept["memory_change"] is None
    (day,) = (folder / "memory").iterdir()
    assert day.read_text().count("完成事项: The move is done.") == 1


def test_a_fact_and_its_line_follow_each_other_over_the_socket(
    folder: Path, owner: Caller, agent: Caller
) -> None:
    at = "2026-03-01T14:03:00Z"
    wrote = agent(workspace.WRITE_DAY, text="Sam repaired the pump", at=at)
    assert agent.raw(workspace.LEARN_LINE, document_id=wrote["document_id"], line=1).status_code == 403
    learned = owner(workspace.LEARN_LINE, document_id=wrote["document_id"], line=1)
    place = owner(memory.INSPECT, id=learned["fact_id"])["provenance"]
    assert (place["path"], place["first_line"], place["line"]) == (
        wrote["path"],
        1,
        "- [14:03] Sam repaired the pump",
    )
    assert owner(curation.RETIRE, id=learned["fact_id"])["files"] == [wrote["path"]]
    assert (folder / wrote["path"]).read_text() == ""
    owner(curation.UNDO)
    assert (folder / wrote["path"]).read_text() == "- [14:03] Sam repaired the pump\n"


def test_an_agent_reads_what_its_own_files_tell_of_the_talk(
    folder: Path, owner: Caller, agent: Caller
) -> None:
    agent(workspace.WRITE_DAY, text="The pool has 25 connections")
    said = [{"role": "user", "content": "how many connections has the pool?"}]
    told = agent(workspace.RECALL_SECTION, messages=said)
    assert "25 connections" in told["text"] and told["parts"][0]["path"].startswith("memory/")
    agent.http.headers["x-memdesk-agent"] = "forge"
    assert agent.raw(workspace.RECALL_SECTION, messages=said).json()["code"] == "not_found"
