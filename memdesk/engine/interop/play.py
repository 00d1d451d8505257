"""Construction of the sample desk: a readable script is executed through the engine's own verbs, with a
simulated clock."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from memdesk.engine.engine import open_engine
from memdesk.engine.interop.script import read_play
from memdesk.engine.interop.stage import Clock, Stage
from memdesk.engine.interop.timing import Cue, day_of, staged
from memdesk.files.atomic import write_atomic
from memdesk.files.places import Desk, resource, scratch_folder
from memdesk.files.settings import load_settings
from memdesk.model.errors import Refused

PERSON = "Mara"
_MEMORY = Path("/dev/shm")
"""Folder of files in memory on Linux; on other systems the usual temporary folder is used."""


def play_sample(desk: Desk, *, now: int) -> dict[str, int]:
    """Build the sample desk in an empty desk folder, as if the ninety days before `now` had happened on it.

    Returns counts. Raises Refused, naming file and line of the script, if it is inconsistent."""
    if desk.database.exists():
        raise Refused(f"There is a desk in {desk.folder} already.", next="Name another folder with --desk.")
    cues = staged(read_play(resource("sample", "play")), now)
    desk.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_atomic(desk.settings, f'person = "{PERSON}"\n'.encode())
    with scratch_folder(_MEMORY) as scratch:
        workshop = Desk(scratch)
        counts = _played(workshop, desk, cues, now)
        write_atomic(desk.database, workshop.database.read_bytes())
    return counts


def _played(workshop: Desk, desk: Desk, cues: list[Cue], now: int) -> dict[str, int]:
    """Run the script with the database in a temporary folder and the agents' folders in their final place on
    the desk.

    So a desk whose construction was interrupted has no database, and thousands of commits need not wait for a
    disk."""
    clock = Clock(cues[0].at)
    engine = open_engine(workshop, clock=clock)
    engine = replace(engine, desk=desk, settings=load_settings(desk.settings))
    try:
        return Stage(engine, clock, PERSON, day_of(now), cues).play(now)
    finally:
        engine.close()
