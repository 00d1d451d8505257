"""Sample desk: ninety days of two agents' work. It is shipped as a database whose times move so that it ends today."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from datetime import datetime, time, timedelta
from functools import cache
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.opening import open_engine
from memdesk.engine.secrets.detector import RULES_NAME
from memdesk.engine.secrets.vault import Vault
from memdesk.files.atomic import write_atomic
from memdesk.files.places import Desk, resource, scratch_folder
from memdesk.model.document import DOCUMENT, WORKSPACE
from memdesk.model.errors import Refused
from memdesk.model.instant import DAY, SECOND, from_datetime, to_datetime
from memdesk.model.message import message
from memdesk.store import browsing, document_versions, records, sample_times

SHIPPED = "desk.db.gz"
"""Made by packaging/sample_desk.py. Its times are those of a wall clock, as if all days were in UTC."""
PERSON = "Mara"
LEAST_AGO_S = 60
"""Seconds between the end of the sample and the present."""
_MEMORY = Path("/dev/shm")
"""Folder of files in memory on Linux; on other systems the usual temporary folder is used."""


def open_sample(desk: Desk, *, now: int) -> dict[str, int]:
    """Write the sample desk to an empty desk folder, as if the ninety days before `now` had happened on it.

    Returns counts. Raises Refused if there is a desk already."""
    if desk.database.exists():
        raise Refused(
            message("There is a desk in {folder} already.", folder=desk.folder),
            next=message("Name another folder with --desk."),
        )
    desk.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_atomic(desk.settings, f'person = "{PERSON}"\n'.encode())
    with scratch_folder(_MEMORY) as scratch:
        workshop = Desk(scratch)
        workshop.database.write_bytes(gzip.decompress(resource("sample", SHIPPED).read_bytes()))
        last = sample_times.latest(workshop.database)
        days = (to_datetime(now).astimezone().date() - to_datetime(last).date()).days
        sample_times.move_times(workshop.database, shift(last, now), days, desk.folder)
        # Its agents are guests as on any new desk.
        engine = open_engine(workshop, habits=False)
        try:
            counts = _counts(engine)
            _write_files(engine)
        finally:
            engine.close()
        # Every text of it came in through a door that masks secrets.
        Vault(desk.folder, lambda: now).note_searched(RULES_NAME)
        # In place last: a desk whose making was interrupted has no database.
        write_atomic(desk.database, workshop.database.read_bytes())
    return counts


def shift(last: int, now: int) -> Callable[[int], int]:
    """Return the function that moves a shipped time. last: the latest of them.

    Days end at `now`; the clock times stay, in the zone of the desk. Those of the last day are compressed if
    some of them are still to come."""
    last_day = last // DAY
    today = to_datetime(now).astimezone().date()

    @cache
    def midnight(day: int) -> int:
        return from_datetime(datetime.combine(today + timedelta(days=day - last_day), time()))

    ends, ended = midnight(last_day) + last % DAY, now - LEAST_AGO_S * SECOND
    share = min(1.0, max(0, ended - midnight(last_day)) / max(1, ends - midnight(last_day)))

    def moved(at: int) -> int:
        day, clock = divmod(at, DAY)
        if day == last_day and at <= last:
            return min(now, midnight(day) + round(clock * share))
        return midnight(day) + clock

    return moved


def _counts(engine: Engine) -> dict[str, int]:
    with engine.store.reading() as db:
        found = browsing.counts(db)
    named = {name: found[name] for name in ("conversations", "turns", "facts", "entities")}
    return named | {"files": found["documents"]}


def _write_files(engine: Engine) -> None:
    """Write the agents' files as the desk knows them."""
    with engine.store.reading() as db:
        folders = {each.id: each.path for each in records.find(db, WORKSPACE)}
        for document in records.find(db, DOCUMENT, retired_at=None):
            path = Path(folders[document.workspace_id], document.path)
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.write_bytes(document_versions.text_of(db, document.content_hash).encode())
            os.utime(path, (document.updated_at / SECOND,) * 2)
