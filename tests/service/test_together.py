"""Two agents and a person write one file at once, as processes of their own, and no line is lost."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from memdesk.api import upkeep, workspace
from memdesk.client.client import Client
from memdesk.model.interop import AskImport
from memdesk.model.status import AskJob
from memdesk.model.workspace import ListFiles, ReadFile

PROGRAMS = Path(__file__).parent.parent / "fixtures" / "together"
TEXT = "# Memory\n\n" + "".join(f"- line {n}\n" for n in range(40))


async def registered(desk: Any, folder: Path) -> str:
    """The document of the folder's one file, once it is on the desk."""
    async with Client(desk) as client:
        job = await client.call(workspace.IMPORT, AskImport(path=str(folder)))
        while (await client.call(upkeep.JOB, AskJob(id=job.id))).open:
            await asyncio.sleep(0.02)
        return (await client.call(workspace.FILES, ListFiles())).rows[0].document_id


async def final_text(desk: Any, document_id: str) -> str:
    async with Client(desk) as client:
        return (await client.call(workspace.READ, ReadFile(document_id=document_id))).text


@pytest.mark.parametrize("seconds", [4, pytest.param(60, marks=pytest.mark.slow)])
def test_two_agents_and_a_person_at_once_lose_no_line(
    running_service: Any, tmp_path: Path, seconds: int
) -> None:
    file = tmp_path / "iris" / "MEMORY.md"
    file.parent.mkdir()
    file.write_text(TEXT)
    desk = running_service.desk
    document_id = asyncio.run(registered(desk, file.parent))
    writers = {
        name: subprocess.Popen(
            [sys.executable, str(PROGRAMS / program), *map(str, asked)], stdout=subprocess.PIPE, text=True
        )
        for name, program, asked in (
            ("iris", "agent.py", (desk.folder, document_id, "iris", seconds, 2 * seconds)),
            ("forge", "agent.py", (desk.folder, document_id, "forge", seconds, 2 * seconds)),
            ("hand", "hand.py", (file, seconds, 2 * seconds)),
        )
    }
    wrote = {name: int(each.communicate(timeout=seconds + 60)[0]) for name, each in writers.items()}
    told = Counter(asyncio.run(final_text(desk, document_id)).splitlines())
    expected = {f"- {name} {n}" for name, count in wrote.items() for n in range(count)}
    assert not expected - set(told)
    assert not [line for line in TEXT.splitlines() if not told[line]]
    assert file.read_text().splitlines() == asyncio.run(final_text(desk, document_id)).splitlines()
    assert not [line for line in expected if told[line] > 1]
