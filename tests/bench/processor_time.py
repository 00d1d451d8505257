"""Processor time of commands and hooks, in turns with `curl` and `python -c pass`: a busy machine slows all alike.

    python -m tests.bench.processor_time [ROUNDS]

A line has the median of user and system time of one start, in milliseconds, and its ratio to `python -c pass`. Modules
are compiled once, into a folder of the bench, as those of an installation are."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from memdesk.client import hook
from memdesk.client.find import ensure_service, stop_service
from memdesk.files.places import Desk

ROUNDS = 20


def measure(command: list[str], said: bytes, compiled: Path) -> float:
    """Return the processor time of one run, in milliseconds. compiled: folder of compiled modules. Raises
    CalledProcessError when it fails."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(compiled), "PYTHONDONTWRITEBYTECODE": ""}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command,
        input=said,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
        env=environment,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def commands(desk: Desk, folder: Path) -> dict[str, tuple[list[str], bytes]]:
    """Return the commands by name, each with what is piped into it."""
    transcript = folder / "session.jsonl"
    transcript.write_text("")
    told = {"session_id": "bench", "cwd": str(folder), "transcript_path": str(transcript)}
    said = json.dumps(told | {"prompt": "What is the harbour pump called?"}).encode()
    program = [sys.executable, "-m", "memdesk"]
    small = [sys.executable, "-I", "-S", hook.__file__]
    socket = ["--socket", str(desk.socket)]
    place = ["--desk", str(desk.folder)]
    found = {
        "python -c pass": ([sys.executable, "-c", "pass"], b""),
        "hook prompt": ([*small, "prompt", *socket], said),
        "hook tool": ([*small, "tool", *socket], said),
        "hook stop": ([*small, "stop", *socket], said),
        "memdesk --help": ([*program, "--help"], b""),
        "memdesk status": ([*program, "status", *place], b""),
        "memdesk recall": ([*program, "recall", "harbour pump", *place], b""),
    }
    if curl := shutil.which("curl"):
        url = "http://desk/v1/upkeep/status"
        found["curl"] = ([curl, "-s", "--unix-socket", str(desk.socket), url], b"")
    return found


async def main(rounds: int) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory(prefix="md-") as made:
        desk = Desk(Path(made) / "desk")
        await ensure_service(desk)
        try:
            found = commands(desk, Path(made))
            spent: dict[str, list[float]] = {name: [] for name in found}
            for turn in range(rounds + 1):
                for name, (command, said) in found.items():
                    took = measure(command, said, Path(made) / "compiled")
                    if turn > 0:
                        spent[name].append(took)
        finally:
            await stop_service(desk)
    bare = statistics.median(spent["python -c pass"])
    for name, times in spent.items():
        middle = statistics.median(times)
        print(f"{name:16} {middle:7.1f} ms  {middle / bare:5.1f} x")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
