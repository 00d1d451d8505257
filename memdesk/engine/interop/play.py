"""Building the sample desk: a readable play is played in through the engine's own verbs, with a clock that is set."""

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
"""Where Linux keeps files in memory; elsewhere the usual temporary folder serves."""


def play_sample(desk: Desk, *, now: int) -> dict[str, int]:
    """Build the sample desk in an empty desk folder, as if the ninety days before `now` had happened on it.

    Returns counts. Raises Refused, naming file and line of the play, where it does not hold together.
    """
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
    """Play with the database in the workshop and the agents' folders on the desk, where they are to stay.

    A desk whose building was stopped has no database; thousands of commits wait for no disk.
    """
    clock = Clock(cues[0].at)
    engine = open_engine(workshop, clock=clock)
    engine = replace(engine, desk=desk, settings=load_settings(desk.settings))
    try:
        return Stage(engine, clock, PERSON, day_of(now), cues).play(now)
    finally:
        engine.close()
