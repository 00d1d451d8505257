"""Make the sample desk that MemDesk ships: carry out the script in packaging/sample, and pack the desk.

.venv/bin/python packaging/sample_desk.py    writes resources/sample/desk.db.gz, in about ten seconds
"""

from __future__ import annotations

import gzip
import os
import sys
import time
from contextlib import closing
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from sample_stage import play

from memdesk.engine.interop.sample import PERSON, SHIPPED
from memdesk.files.atomic import write_atomic
from memdesk.files.places import Desk, resource
from memdesk.model.instant import from_datetime
from memdesk.store import audit_log
from memdesk.store.connection import Connection
from memdesk.store.sample_times import AUDIT, PLACEHOLDER

SCRIPT = Path(__file__).parent / "sample" / "play"
NAMING = (("workspaces", "path"), ("changes", "details"), ("edits", "before"), ("edits", "after"))
"""Columns that name the folder of the desk."""
LAST_EVENING = datetime(2026, 11, 20, 23, 50)
"""End of the script's last day, in UTC. Any day will do: times and dates move when the desk is opened."""


def main() -> int:
    os.environ["TZ"] = "UTC"
    time.tzset()
    with TemporaryDirectory() as folder:
        desk = Desk(Path(folder) / "desk")
        desk.folder.mkdir()
        write_atomic(desk.settings, f'person = "{PERSON}"\n'.encode())
        print(play(desk, SCRIPT, now=from_datetime(LAST_EVENING)))
        pack(desk)
        target = resource("sample", SHIPPED)
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(gzip.compress(desk.database.read_bytes(), 9, mtime=0))
        print(f"{target}: {target.stat().st_size:,} bytes")
    return 0


def pack(desk: Desk) -> None:
    """Put the audit rows of all days into one table, and take out the vectors and the name of the folder."""
    with closing(Connection(desk.database, writer=True)) as db:
        columns = ", ".join(audit_log.COLUMNS)
        days = [audit_log.table_of(day) for day in sorted(audit_log.days(db))]
        with db.transaction():
            every = " UNION ALL ".join(f"SELECT id, {columns} FROM {table}" for table in days)
            # Each day is given its own table again when its times are known.
            db.run(f"CREATE TABLE {AUDIT} AS {every}")
            for table in days:
                db.run(f"DROP TABLE {table}")
            # Two thirds of the file. The first service makes them again in a second, and words answer until then.
            for table in ("embeddings", "categories", "vectors"):
                db.run(f"DELETE FROM {table}")
            db.run("UPDATE searchable SET embedding = NULL")
            db.run("UPDATE upkeep SET vectors_behind = 1")
            for table, column in NAMING:
                db.run(
                    f"UPDATE {table} SET {column} = replace({column}, ?, ?)", (str(desk.folder), PLACEHOLDER)
                )
        db.run("VACUUM")
        db.run("PRAGMA wal_checkpoint(TRUNCATE)")
    if str(desk.folder).encode() in desk.database.read_bytes():
        raise ValueError(f"The sample desk still names {desk.folder}.")


if __name__ == "__main__":
    sys.exit(main())
