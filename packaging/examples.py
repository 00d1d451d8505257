"""Record `resources/examples.json`: every call once, asked of a real service on a desk made for it, with its answer.

.venv/bin/python packaging/examples.py            records them anew
.venv/bin/python packaging/examples.py --fields   gives those there are the fields that a record gained or lost
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter
from scenes import play

from memdesk.api import upkeep
from memdesk.api.endpoint import Endpoint
from memdesk.api.endpoints import ENDPOINTS
from memdesk.client.client import Client
from memdesk.client.find import find_or_start, stop_service
from memdesk.files.notices import DAMAGED, Notices
from memdesk.files.places import Desk, resource
from memdesk.model.status import AskJob, JobState

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")

HOME = "/home/mara"
"""Stands for the folder that holds the desk and a workspace, which is gone when the recording ends."""
SHOWN = 3
"""Items of a list that an answer shows."""


def main(arguments: Sequence[str]) -> int:
    """Record every example, or refit them. Returns the exit code: 1 when a call has none."""
    if arguments == ["--fields"]:
        write(refitted(json.loads(resource("examples.json").read_text(encoding="utf-8"))))
        return 0
    folder = Path(tempfile.mkdtemp(prefix="memdesk-examples-"))
    try:
        found = asyncio.run(recorded(Desk(folder / "desk")))
    finally:
        shutil.rmtree(folder)
    ordered = {endpoint.name: found[endpoint.name] for endpoint in ENDPOINTS if endpoint.name in found}
    write(ordered, str(folder))
    missing = [each.name for each in ENDPOINTS if each.name not in found and each.example is None]
    if missing:
        print(f"No example yet for {', '.join(missing)}.", file=sys.stderr)
    return int(bool(missing))


def write(examples: dict[str, Any], folder: str = HOME) -> None:
    """Write the examples. folder: what HOME stands for in them."""
    text = json.dumps(examples, ensure_ascii=False, indent=1).replace(folder, HOME)
    resource("examples.json").write_text(text + "\n", encoding="utf-8")


def refitted(examples: dict[str, Any]) -> dict[str, Any]:
    """Return the examples with their answers as the records of today: ids and times stay, new fields get defaults."""
    for endpoint in ENDPOINTS:
        if example := examples.get(endpoint.name):
            answer = TypeAdapter(endpoint.answer)
            example["answer"] = answer.dump_python(answer.validate_python(example["answer"]), mode="json")
    return examples


async def recorded(desk: Desk) -> dict[str, Any]:
    """What was asked and answered, by the name of the call."""
    Notices(desk.notices).note(DAMAGED, "fact 7", "f_01K5DAMAGED", 1_750_000_000_000_000)
    try:
        async with await find_or_start(desk) as owner, await find_or_start(desk, agent="forge") as agent:
            recorder = Recorder(desk=desk, owner=owner, agent=agent)
            await play(recorder)
    finally:
        await stop_service(desk)
    return recorder.found


@dataclass(slots=True, kw_only=True)
class Recorder:
    """Asks as the owner or as an agent, and keeps the first question and answer of every call."""

    desk: Desk
    owner: Client
    agent: Client
    found: dict[str, Any] = field(default_factory=dict)

    async def __call__(self, endpoint: Endpoint[Ask, Answer], ask: Ask) -> Answer:
        """Ask as whoever may: the owner where only the owner may, else the agent."""
        client = self.owner if endpoint.owner else self.agent
        answer = await client.call(endpoint, ask)
        self.found.setdefault(
            endpoint.name, {"ask": _said(ask), "answer": _short(_plain(endpoint.answer, answer))}
        )
        return answer

    async def ended(self, job: JobState) -> JobState:
        """A job once it ended well."""
        while job.state in ("waiting", "running"):
            await asyncio.sleep(0.05)
            job = await self.owner.call(upkeep.JOB, AskJob(id=job.id))
        assert job.state == "done", job.says
        return job


def _said(ask: Any) -> dict[str, Any]:
    """An ask without what is as it is anyway; a tool's own JSON as it is."""
    if isinstance(ask, dict):
        return ask
    whole = _plain(type(ask), ask)
    said = {}
    for item in fields(ask):
        usual = item.default_factory() if item.default_factory is not MISSING else item.default
        if getattr(ask, item.name) != usual:
            said[item.name] = whole[item.name]
    return said


def _plain(kind: Any, record: Any) -> Any:
    return TypeAdapter(kind).dump_python(record, mode="json")


def _short(value: Any) -> Any:
    """An answer whose lists show their first few items."""
    if isinstance(value, dict):
        return {name: _short(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_short(item) for item in value[:SHOWN]]
    return value


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
