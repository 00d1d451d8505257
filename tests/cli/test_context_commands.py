"""What gave way, what agents were told, and their sessions, from the command line."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from memdesk.client.client import Client
from memdesk.client.context import AgentContext
from memdesk.model.context import Message
from tests.conftest import Service
from tests.warm import ran

SAID: tuple[Message, ...] = tuple(
    {"role": ("user", "assistant")[n % 2], "content": line}
    for n, line in enumerate(
        ("Never touch ingest-3 before Friday.", "Understood.", *("And then?", "Then the next.") * 10)
    )
)


def test_a_compaction_is_listed_shown_searched_and_taken_back(running_service: Service) -> None:
    asyncio.run(lived(running_service))

    def run(*words: str, json_out: bool = False) -> Any:
        done = ran([*words, "--desk", str(running_service.desk.folder), *(["--json"] if json_out else [])])
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if json_out else done.stdout

    (row,) = run("compactions", json_out=True)["rows"]
    assert "agenticx" in run("compactions") and "Never touch ingest-3" in run("compactions", row["id"])
    assert json.loads(run("compactions", row["id"], "--find", "ingest-3")) == SAID[0]
    assert len(run("compactions", row["id"], "--archive").splitlines()) == 14
    assert "undo" in run("compactions", row["id"], "--restore")
    (told,) = run("seen", "--session", "s-1", json_out=True)["rows"]
    assert "ingest-3" in run("seen", str(told["id"]))
    assert "s-1" in run("sessions") and "22 turns" in run("sessions", "show", "s-1")
    assert "0 turns" in run("sessions", "reset", "s-1")


async def lived(service: Service) -> None:
    async with Client(service.desk, agent="forge") as client:
        held = AgentContext(client=client, session_id="s-1", policy="agenticx")
        await held.start()
        messages = await held.after(SAID)
        assert len(messages) == 9
        await held.before([{"role": "user", "content": "May I touch ingest-3?"}])
