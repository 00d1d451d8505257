"""Ten thousand files come in, and how the desk answers meanwhile: `python -m tests.bench.many_files`."""

from __future__ import annotations

import asyncio
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from memdesk.api import memory, recall, upkeep, workspace
from memdesk.client.client import Client
from memdesk.client.find import find_or_start, stop_service
from memdesk.files.places import Desk
from memdesk.model.browse import ListFacts
from memdesk.model.interop import AskImport
from memdesk.model.recall import Query
from memdesk.model.status import AskJob, Nothing
from memdesk.model.workspace import ListFiles

FILES = 10_000


def written(folder: Path, count: int) -> None:
    """Notes in folders of a hundred, and one MEMORY.md."""
    for n in range(count):
        path = folder / f"notes-{n // 100}" / f"note-{n}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f"# Note {n}\n\nBerth {n} belongs to Sam.\n\n## Later\n\nThe pump of dock {n % 97} was repaired.\n"
        )
    (folder / "MEMORY.md").write_text("# Memory\n\n- Mara prefers black tea\n")


async def measured(desk: Desk, folder: Path) -> None:
    """Import the folder and ask the desk all the while; print what was seen."""
    async with await find_or_start(desk) as client:
        started = time.perf_counter()
        job = await client.call(workspace.IMPORT, AskImport(path=str(folder)))
        waits: dict[str, list[float]] = {"recall": [], "facts": [], "status": []}
        seen = 0
        while (state := await client.call(upkeep.JOB, AskJob(id=job.id))).open:
            seen = max(seen, state.done)
            await asked(client, waits)
            await asyncio.sleep(0.05)
        print(
            f"{len(list(folder.rglob('*.md'))):,} files in {time.perf_counter() - started:.1f} s: {state.state}"
        )
        print(f"  progress last seen at {seen:,}; {state.result}")
        for name, took in waits.items():
            ranked = sorted(took)
            print(
                f"  {name}: p50 {statistics.median(ranked):.1f} ms, p95 {ranked[int(len(ranked) * 0.95)]:.1f} ms, "
                f"max {ranked[-1]:.1f} ms of {len(ranked)}"
            )
        rows = (await client.call(workspace.FILES, ListFiles())).rows
        print(f"  {len(rows):,} files are listed")


async def asked(client: Client, waits: dict[str, list[float]]) -> None:
    for name in waits:
        at = time.perf_counter()
        if name == "recall":
            await client.call(recall.SEARCH, Query(text="who prefers black tea", every_channel=True))
        elif name == "facts":
            await client.call(memory.FACTS, ListFacts())
        else:
            await client.call(upkeep.STATUS, Nothing())
        waits[name].append((time.perf_counter() - at) * 1e3)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else FILES
    base = Path(tempfile.mkdtemp(prefix="md-"))
    desk = Desk(base / "desk")
    try:
        written(base / "many", count)
        asyncio.run(measured(desk, base / "many"))
    finally:
        asyncio.run(stop_service(desk))
        shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    main()
