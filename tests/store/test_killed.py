"""A process killed among concurrent writers: what it acknowledged is there, and the desk agrees with itself."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from memdesk.store.connection import Connection
from tests.store.agreement import assert_agreement

ACKNOWLEDGED = 200
WRITING = """
import sys, threading
from pathlib import Path
from memdesk.engine.opening import open_engine
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.undo import undo
from memdesk.engine.recall.pipeline import recall
from memdesk.files.places import Desk
from memdesk.model.curation import Undo
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact

engine, out = open_engine(Desk(Path(sys.argv[1]))), threading.Lock()

def write(writer):
    author, number = f"agent:{writer}", 0
    while True:
        number += 1
        claim = NewFact(claim=f"Writer {writer} says {number}", about=(f"Subject {number % 5}",))
        done = [learn_fact(engine, claim, author=author).change]
        if number % 3 == 0:
            done.append(undo(engine, Undo(), author=author).change)
        recall(engine, Query(text="who says what"), author=author)
        embed_pending(engine, 16)
        with out:
            print(*done, sep="\\n", flush=True)

for writer in range(8):
    threading.Thread(target=write, args=(writer,)).start()
"""


def test_what_was_acknowledged_survives_a_kill_and_the_desk_agrees_with_itself(tmp_path: Path) -> None:
    writing = subprocess.Popen(
        [sys.executable, "-c", WRITING, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert writing.stdout is not None
    acknowledged = {int(writing.stdout.readline()) for _ in range(ACKNOWLEDGED)}
    writing.send_signal(signal.SIGKILL)
    writing.communicate()
    assert_agreement(tmp_path / "memory.db")
    db = Connection(tmp_path / "memory.db")
    assert acknowledged <= {row[0] for row in db.rows("SELECT id FROM changes")}
    db.close()
