"""kill -9 at random moments: what was acknowledged is there afterwards, or is done after the restart.

Each scene is one thing that may be under way. A write is acknowledged once its answer came; a long act once its job was
named. After every kill the desk's file agrees with itself, and its journal's chain holds.
"""

from __future__ import annotations

import gzip
import json
import random
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memdesk.api import backups, curation, exports, memory, upkeep, workspace
from memdesk.api.endpoint import Endpoint
from memdesk.client.client import SyncClient
from memdesk.engine.opening import open_engine
from memdesk.files.places import Desk
from memdesk.model.backup import BEFORE_MIGRATION, RestoreBackup
from memdesk.model.browse import ListFacts
from memdesk.model.curation import Bulk, EraseUser, UndoRun
from memdesk.model.errors import NotFound, ServiceAway
from memdesk.model.interop import AskExport, AskImport
from memdesk.model.remember import NewFact, NewTurn, NewTurns
from memdesk.model.status import AskJob, JobState, Nothing
from memdesk.store.backups import file_of, list_backups, staging_folder
from memdesk.store.connection import Connection
from tests.conftest import Service
from tests.engine.whole_desk import differences, whole_desk
from tests.faults.figures import Figures
from tests.faults.writers import Acknowledged, write
from tests.store.agreement import assert_agreement
from tests.store.test_killed import WRITING
from tests.store.test_migration import OLD
from tests.warm import Begun

WRITERS = 6
KILLS_OF_ONE_DESK = 10
"""Then a new desk is begun, so that looking through it stays quick."""
JOB_SECONDS = 120.0
FACTS, TURNS = 80, 120
"""In the folder that is imported: its lines, and the messages of its transcript."""
EXPORTED_TURNS = 6_000
"""So many that writing them takes longer than a kill."""


@dataclass(slots=True)
class Tally:
    """What the kills of one scene found. under_way: how many of them interrupted what they were meant for."""

    kills: int = 0
    under_way: int = 0
    acknowledged: int = 0
    lost: int = 0
    wrong: list[str] = field(default_factory=list)

    def expect(self, holds: bool, otherwise: str) -> None:
        """Count one thing that was acknowledged, and whether it is so."""
        self.acknowledged += 1
        if not holds:
            self.lost += 1
            self.wrong.append(otherwise)


Tallies = dict[str, Tally]
Scene = Callable[[Tallies, int, random.Random, Path], None]


def measure(kills: int, folder: Path, dice: random.Random, say: Callable[[str], None]) -> Figures:
    """So many kills, shared out among the scenes."""
    told = Figures(f"kills: {kills} kill -9", ("under way", "kills", "hit", "acknowledged", "lost"))
    tallies: Tallies = {}
    whole = sum(share for _, share in SCENES)
    for number, (scene, share) in enumerate(SCENES):
        place = folder / f"k{number}"
        place.mkdir()
        began = time.monotonic()
        scene(tallies, max(1, round(kills * share / whole)), dice, place)
        say(f"  {scene.__name__}, {time.monotonic() - began:.0f} s")
    for name, tally in tallies.items():
        told.rows.append((name, tally.kills, tally.under_way, tally.acknowledged, tally.lost))
        told.broken += [f"{name}: {wrong}" for wrong in tally.wrong]
    every = tallies.values()
    told.rows.append(
        (
            "together",
            sum(each.kills for each in every),
            sum(each.under_way for each in every),
            sum(each.acknowledged for each in every),
            sum(each.lost for each in every),
        )
    )
    return told


def service_under_writers(tallies: Tallies, kills: int, dice: random.Random, folder: Path) -> None:
    """Six agents write over the socket: turns one by one and in groups, facts, pins, undos, working memory."""
    tally = tallies.setdefault("service under writers", Tally())
    known = Acknowledged()
    for number, service in _begun_anew(folder, kills):
        if number % KILLS_OF_ONE_DESK == 0:
            known = Acknowledged()
        before = known.count
        with ThreadPoolExecutor(WRITERS) as pool:
            ends = [
                pool.submit(write, service.desk, f"{number}-{writer}", random.Random(dice.random()), known)
                for writer in range(WRITERS)
            ]
            while known.count == before and not any(end.done() for end in ends):
                time.sleep(0.002)
            time.sleep(dice.uniform(0, 0.7))
            service.kill()
        for end in ends:
            end.result()
        assert_agreement(service.desk.database)
        tally.kills += 1
        tally.under_way += 1
        tally.acknowledged += known.count - before
        with closing(Connection(service.desk.database)) as db:
            lost = known.missing(db)
        tally.lost += len(lost)
        tally.wrong += lost


def _begun_anew(folder: Path, kills: int) -> Iterator[tuple[int, Service]]:
    """A started service for every kill, of a new desk each KILLS_OF_ONE_DESK kills."""
    for number in range(kills):
        service = Service(Desk(folder / f"d{number // KILLS_OF_ONE_DESK}"))
        service.start()
        yield number, service


def engine_under_writers(tallies: Tallies, kills: int, dice: random.Random, folder: Path) -> None:
    """Eight threads write, undo, recall and embed in one process without a service."""
    tally = tallies.setdefault("engine under writers", Tally())
    for number in range(kills):
        place = folder / f"e{number}"
        place.mkdir()
        writing = subprocess.Popen(
            [sys.executable, "-c", WRITING, str(place)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert writing.stdout is not None
        acknowledged = {int(writing.stdout.readline()) for _ in range(dice.randrange(1, 200))}
        time.sleep(dice.uniform(0, 0.05))
        writing.send_signal(signal.SIGKILL)
        rest = writing.communicate()[0]
        acknowledged |= {int(line) for line in rest.splitlines(keepends=True) if line.endswith(b"\n")}
        assert_agreement(place / "memory.db")
        with closing(Connection(place / "memory.db")) as db:
            lost = acknowledged - {row[0] for row in db.rows("SELECT id FROM changes")}
        tally.kills += 1
        tally.under_way += 1
        tally.acknowledged += len(acknowledged)
        tally.lost += len(lost)
        tally.wrong += [f"change {each} was acknowledged and is not there" for each in lost]


@dataclass(slots=True)
class Killer:
    """Kills a service while a long act is under way, and waits for the act in its next life.

    seconds: how long the act took when nobody killed it.
    """

    service: Service
    dice: random.Random
    seconds: float = 0.0

    def untroubled(self, call: Endpoint[Any, JobState], ask: Any) -> str:
        """Do an act without a kill, to see how long it takes. Returns the id of its run, "" without one."""
        began = time.monotonic()
        job: JobState = self.ask(call, ask)
        ended = self._ended(job.id)
        self.seconds = time.monotonic() - began
        assert ended is not None and ended.state == "done", ended
        return str(job.result.get("run", ""))

    def killed(self, tally: Tally, call: Endpoint[Any, JobState], ask: Any) -> str:
        """Do an act, killed once on its way and now and then twice. Returns the id of its run, "" without one."""
        job: JobState = self.ask(call, ask)
        for again in range(1 + (self.dice.random() < 0.2)):
            time.sleep(self.dice.uniform(0, 1.1 * self.seconds / (1 + again)))
            self.service.kill()
            tally.kills += 1
            tally.under_way += any(self.service.desk.acts.glob("j_*.json"))
            assert_agreement(self.service.desk.database)
            self.service.start()
        ended = self._ended(job.id)
        tally.expect(
            ended is None or ended.state == "done", f"{job.name} ended otherwise: {ended and ended.says}"
        )
        return str(job.result.get("run", ""))

    def ask(self, call: Endpoint[Any, Any], ask: Any) -> Any:
        """What the desk's owner is answered."""
        with SyncClient(self.service.desk) as owner:
            return owner.call(call, ask)

    def _ended(self, id: str) -> JobState | None:
        """The job once it has ended; None when that was in an earlier life of the service."""
        deadline = time.monotonic() + JOB_SECONDS
        with SyncClient(self.service.desk) as owner:
            while time.monotonic() < deadline:
                try:
                    state = owner.call(upkeep.JOB, AskJob(id=id))
                except NotFound:
                    return None
                if not state.open:
                    return state
                time.sleep(0.02)
        raise TimeoutError(f"the job {id} did not end")


def import_undo_and_redo(tallies: Tallies, kills: int, dice: random.Random, folder: Path) -> None:
    """A folder is imported, the run is taken back, and that is taken back again; the service is killed in each."""
    come, gone, again = (
        tallies.setdefault(name, Tally()) for name in ("import", "undo of a run", "redo of a run")
    )
    source, ask = _folder_to_import(folder), AskImport(path=str(folder / "in"))
    model = _killer(folder / "model", dice)
    empty = _held(model, source)
    run = model.untroubled(workspace.IMPORT, ask)
    coming, counts, number = model.seconds, _counts(_held(model, source)), 0
    run = model.untroubled(curation.UNDO_RUN, UndoRun(run=run))
    going = model.seconds
    model.untroubled(curation.UNDO_RUN, UndoRun(run=run))
    coming_again = model.seconds
    model.service.stop()
    while come.kills + gone.kills + again.kills < kills:
        number += 1
        killer = _killer(folder / f"i{number}", dice, coming)
        run = killer.killed(come, workspace.IMPORT, ask)
        whole = _held(killer, source)
        come.expect(_counts(whole) == counts, f"the import is not whole: {_counts(whole)}")
        for tally, due, seconds in ((gone, empty, going), (again, whole, coming_again)):
            killer.seconds = seconds
            run = killer.killed(tally, curation.UNDO_RUN, UndoRun(run=run))
            other = differences(due, _held(killer, source))
            told = {name: f"{len(less)} less and {len(more)} more" for name, (less, more) in other.items()}
            tally.expect(not other, f"{told}, such as {next(iter(other.values()), '')!s:.300}")
        killer.service.stop()


def export(tallies: Tallies, kills: int, dice: random.Random, folder: Path) -> None:
    """An archive is written; where it lies, it is whole at any moment."""
    tally, killer = tallies.setdefault("export", Tally()), _killer(folder, dice)
    for talk in range(EXPORTED_TURNS // TURNS):
        turns = tuple(
            NewTurn(content=f"Berth {n} is rented out.", conversation_id=f"{talk}") for n in range(TURNS)
        )
        killer.ask(memory.STORE_TURNS, NewTurns(turns=turns))
    killer.untroubled(exports.START, AskExport(format="archive", path=str(folder / "model.zip")))
    due = _archived(folder / "model.zip")
    while tally.kills < kills:
        path = folder / f"{tally.kills}.zip"
        killer.killed(tally, exports.START, AskExport(format="archive", path=str(path)))
        tally.expect(path.exists() and _archived(path) == due, f"{path.name} is not the desk's archive")
        left = [each.name for each in folder.iterdir() if each.name.startswith(".")]
        tally.expect(not left, f"the export left {left}")
    killer.service.stop()


def erase(tallies: Tallies, kills: int, dice: random.Random, folder: Path) -> None:
    """A user is erased from among others; nothing of hers stays in the file, and the others lose nothing."""
    tally, killer = tallies.setdefault("erase", Tally()), _killer(folder, dice)
    for number in range(2 * kills + 1):
        user, word = f"user{number}", f"zephyr{number}q"
        for each in range(20):
            killer.ask(memory.LEARN_FACT, NewFact(claim=f"{word} has {each} cats", user_id=user))
        killer.ask(memory.LEARN_FACT, NewFact(claim=f"Pump {number} is red"))
        ask = EraseUser(user_id=user, confirm=user)
        if number == 0:
            killer.untroubled(curation.ERASE_USER, ask)
        elif tally.kills < kills:
            killer.killed(tally, curation.ERASE_USER, ask)
        else:
            break
        killer.service.stop()
        left = b"".join(file.read_bytes() for file in killer.service.desk.folder.glob("memory.db*"))
        tally.expect(word.encode() not in left, f"{user} was erased, and {word} is in the file")
        killer.service.start()
        page = killer.ask(memory.FACTS, ListFacts(limit=1))
        tally.expect(page.total == number + 1, f"of {number + 1} facts of others {page.total} are there")
    killer.service.stop()


def act_on_many(tallies: Tallies, kills: int, dice: random.Random, folder: Path) -> None:
    """One act on 200 facts: each is pinned, or none is any more."""
    tally, killer = tallies.setdefault("one act on many", Tally()), _killer(folder, dice)
    asks = [NewFact(claim=f"Pump {number} is red", channel="a") for number in range(200)]
    ids = tuple(killer.ask(memory.LEARN_FACT, each).id for each in asks)
    killer.untroubled(curation.BULK, Bulk(verb="pin", ids=ids))
    pinned = True
    while tally.kills < kills:
        pinned = not pinned
        killer.killed(tally, curation.BULK, Bulk(verb="pin" if pinned else "unpin", ids=ids))
        rows = killer.ask(memory.FACTS, ListFacts(channels=("a",), limit=200)).rows
        done = sum(row.pinned is pinned for row in rows)
        tally.expect(done == 200, f"{done} of 200 facts were {'' if pinned else 'un'}pinned")
    killer.service.stop()


def migration(tallies: Tallies, kills: int, dice: random.Random, folder: Path) -> None:
    """A service starts on a desk of an earlier version: afterwards it is that one, or today's, with all it held."""
    tally, old = tallies.setdefault("migration of an old desk", Tally()), gzip.decompress(OLD.read_bytes())
    model = Service(_old_desk(folder / "model", old))
    old_steps = _steps(model.desk)
    began = time.monotonic()
    model.start()
    seconds = time.monotonic() - began
    model.stop()
    due = _told(model.desk)
    for number in range(kills):
        service = Service(_old_desk(folder / f"m{number}", old))
        service.process = Begun(["serve", "--json", "--desk", str(service.desk.folder)])
        # The desk is backed up first: most are killed between that and the answer, some at any other moment.
        while number % 4 and not service.desk.backups.exists():
            time.sleep(0.001)
        time.sleep(dice.uniform(0.0, 0.6 if number % 4 else 1.0) * seconds)
        service.kill()
        tally.kills += 1
        tally.under_way += service.desk.backups.exists() and _steps(service.desk) == old_steps
        service.start()
        service.stop()
        assert_agreement(service.desk.database)
        for each in due - _told(service.desk):
            tally.expect(False, f"{each} was in the old desk")
        tally.acknowledged += len(due)
        kept = [each for each in list_backups(service.desk.backups) if each.reason == BEFORE_MIGRATION]
        tally.expect(bool(kept), "there is no backup of the old desk")
        for backup in kept[:1]:
            again = _old_desk(folder / f"m{number}-again", file_of(service.desk.backups, backup).read_bytes())
            open_engine(again).close()
            tally.expect(due <= _told(again), "the backup of the old desk is not whole")


def restore(tallies: Tallies, kills: int, dice: random.Random, folder: Path) -> None:
    """A backup is put in the desk's place: afterwards the desk is that of the backup or the one before, whole."""
    tally, killer = tallies.setdefault("restore of a backup", Tally()), _killer(folder, dice)
    service = killer.service
    for number in range(200):
        killer.ask(memory.LEARN_FACT, NewFact(claim=f"Pump {number} is red"))
    killer.untroubled(backups.MAKE, Nothing())
    name = list_backups(service.desk.backups)[0].name
    backed_up = _told(service.desk)
    for number in range(kills + 1):
        for each in range(5):
            killer.ask(memory.LEARN_FACT, NewFact(claim=f"Valve {number} {each} is blue"))
        before = _told(service.desk)
        began = time.monotonic()
        killer.ask(backups.RESTORE, RestoreBackup(name=name))
        if number == 0:
            _wait_for_restore(killer)
            killer.seconds = time.monotonic() - began
            continue
        time.sleep(dice.uniform(0, 1.1 * killer.seconds))
        service.kill()
        tally.kills += 1
        tally.under_way += staging_folder(service.desk.database).exists()
        service.start()
        service.stop()
        assert_agreement(service.desk.database)
        # A restore notes itself in the journal of the restored desk.
        after = _told(service.desk)
        tally.expect(
            after == before or len(after - backed_up) == 1 and backed_up <= after,
            "neither the one desk nor the other",
        )
        tally.acknowledged += len(backed_up)
        service.start()
    service.stop()


def _wait_for_restore(killer: Killer) -> None:
    """Until the service has begun again with the restored desk."""
    deadline = time.monotonic() + JOB_SECONDS
    while time.monotonic() < deadline:
        with suppress(ServiceAway):
            if killer.ask(backups.LIST, Nothing()).last_restore is not None:
                return
        time.sleep(0.02)
    raise TimeoutError("the service did not come back from a restore")


SCENES: tuple[tuple[Scene, int], ...] = (
    (service_under_writers, 60),
    (engine_under_writers, 30),
    (import_undo_and_redo, 40),
    (export, 15),
    (erase, 15),
    (act_on_many, 10),
    (migration, 15),
    (restore, 15),
)
"""With the share of the kills that each gets."""


def _killer(folder: Path, dice: random.Random, seconds: float = 0.0) -> Killer:
    service = Service(Desk(folder / "desk"))
    service.start()
    return Killer(service, dice, seconds)


def _folder_to_import(place: Path) -> Path:
    folder = place / "in"
    folder.mkdir(parents=True)
    lines = "".join(f"- Berth {number} is rented by company {number}\n" for number in range(FACTS))
    (folder / "MEMORY.md").write_text(f"# Memory\n{lines}")
    said = [{"role": "user", "content": f"I moved to Lisbon in {1900 + n % 120}."} for n in range(TURNS)]
    (folder / "talk.jsonl").write_text("\n".join(json.dumps(each) for each in said))
    return folder


def _held(killer: Killer, *folders: Path) -> dict[str, Any]:
    """The whole desk; the service is ended for it, and started again."""
    desk = killer.service.desk
    killer.service.stop()
    with closing(open_engine(desk)) as engine:
        found = whole_desk(engine, *folders)
    assert_agreement(desk.database)
    killer.service.start()
    return found


def _counts(held: dict[str, Any]) -> dict[str, int]:
    return {name: len(rows) for name, rows in held.items()}


def _archived(path: Path) -> dict[str, int]:
    """What an archive holds: the lines of each of its files. Raises BadZipFile where it is not whole."""
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).count(b"\n") for name in archive.namelist()}


def _old_desk(folder: Path, database: bytes) -> Desk:
    folder.mkdir(mode=0o700)
    desk = Desk(folder)
    desk.database.write_bytes(database)
    return desk


def _steps(desk: Desk) -> int:
    """How many steps of migration a desk has behind it."""
    with closing(Connection(desk.database)) as db:
        return int(db.value("SELECT count(*) FROM _sqlite_migrations"))


def _told(desk: Desk) -> set[tuple[Any, ...]]:
    """What a desk's turns and facts say, retired ones too, and what its journal tells."""
    with closing(Connection(desk.database)) as db:
        found = db.rows("SELECT id, content FROM turns UNION ALL SELECT id, claim FROM facts")
        return {*found, *db.rows("SELECT id, title FROM changes")}
