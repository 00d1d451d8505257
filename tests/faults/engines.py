"""Two services on one PostgreSQL desk, of which one is killed or frozen at a random moment.

What either of them acknowledged is there afterwards, once; the other goes on within STALL_S, and tells its clients of
every event in order; a job runs in one of them at a time; the journal's chain holds.
"""

from __future__ import annotations

import http.client
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from memdesk.api import jobs, memory
from memdesk.api.history import FEED_PATH
from memdesk.files.places import Desk
from memdesk.store import events
from tests import postgres
from tests.conftest import Service
from tests.faults.figures import Figures
from tests.faults.wire import Wire
from tests.faults.writers import Acknowledged, write_one
from tests.store.agreement import assert_agreement, opened

WRITERS = 4
"""Of each service. Of the rates, twice as many."""
ROUNDS_OF_ONE_DESK = 10
STALL_S = 3.0
"""Seconds that a failure may add to a write."""
FROZEN_FOR_S = 4.0
"""So long that the others must not have waited for it."""
HEARD_S = 20.0
"""Time in which a follower of the feed must have caught up with the last event of a loaded machine."""
RATE_S = 10.0
OVERLAPPING = (
    "SELECT count(*) FROM job_runs AS one JOIN job_runs AS other ON other.job = one.job AND other.id <> one.id "
    "AND other.started_at >= one.started_at AND other.started_at < one.finished_at "
    "WHERE one.state = 'done' AND NOT one.dry AND NOT other.dry"
)


@dataclass(slots=True)
class Tally:
    """What the rounds of one way to fail found. stall_s: longest wait of a write that the other service was asked for
    right after it; usual_s: that of a write right before."""

    rounds: int = 0
    acknowledged: int = 0
    lost: int = 0
    events: int = 0
    runs: int = 0
    stall_s: float = 0.0
    usual_s: float = 0.0
    wrong: list[str] = field(default_factory=list)


class Follower:
    """Client of a service's feed, which notes the number of every event."""

    def __init__(self, desk: Desk) -> None:
        self.seen: list[int] = []
        self.beginning = 0
        self._wire = Wire(desk)
        self._wire.request("GET", FEED_PATH, headers=self._wire.headers)
        self._said = self._wire.getresponse()
        self.beginning = int(self._said.readline().removeprefix(b"id: "))
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        number = 0
        with suppress(OSError, http.client.HTTPException, ValueError, AttributeError):
            while line := self._said.readline():
                if line.startswith(b"id: "):
                    number = int(line.removeprefix(b"id: "))
                elif line.startswith(b"data: ") and number:
                    self.seen.append(number)
                    number = 0

    def gap(self, head: int) -> str:
        """Say which event up to this one did not come, or came in a wrong place; "" for none."""
        until = time.monotonic() + HEARD_S
        while self.seen[-1:] < [head] and time.monotonic() < until:
            time.sleep(0.02)
        due = list(range(self.beginning + 1, head + 1))
        if self.seen[: len(due)] == due:
            return ""
        at = next(
            (n for n, (one, other) in enumerate(zip(self.seen, due, strict=False)) if one != other), None
        )
        return (
            f"the feed ends at {self.seen[-1:]} of {head}"
            if at is None
            else f"the feed lacks event {due[at]}"
        )


def measure(count: int, folder: Path, dice: random.Random, say: Callable[[str], None]) -> Figures:
    """So many rounds, half of them kills; says why there is none where no PostgreSQL runs."""
    columns = (
        "rounds",
        "acknowledged",
        "lost",
        "events told",
        "runs of jobs",
        "longest stall, s",
        "before it, s",
    )
    told = Figures(f"engines: {count} failures of one of two services", ("way", *columns))
    server = postgres.running()
    if isinstance(server, str):
        say(f"  skipped: {server}")
        return told
    tallies = {"kill -9": Tally(), "SIGSTOP": Tally()}
    desks: list[Desk] = []
    for number in range(count):
        if number % ROUNDS_OF_ONE_DESK == 0:
            desks = _desks(folder / f"d{number}", server.desk())
            known = Acknowledged()
        way = list(tallies)[number % 2]
        _round(tallies[way], way, desks, known, number, dice)
        tally = tallies[way]
        say(f"  {number + 1}: {way}, {tally.acknowledged} acknowledged so far, {len(tally.wrong)} wrong")
    for way, tally in tallies.items():
        figures = (
            tally.rounds,
            tally.acknowledged,
            tally.lost,
            tally.events,
            tally.runs,
            f"{tally.stall_s:.1f}",
            f"{tally.usual_s:.1f}",
        )
        told.rows.append((way, *figures))
        told.broken += [f"{way}: {wrong}" for wrong in tally.wrong]
    for name, services in (
        ("two services", _desks(folder / "r2", server.desk())),
        ("one service", _desks(folder / "r1", server.desk())[:1]),
        ("a folder", [Desk(folder / "f")]),
    ):
        rate = f"{_rate(services):.0f} facts/s"
        told.rows.append((f"{4 * WRITERS} writers of {name}: {rate}", *("" for _ in columns)))
    return told


def _desks(folder: Path, address: str) -> list[Desk]:
    """Two folders that name one database."""
    desks = [Desk(folder / name) for name in "ab"]
    for desk in desks:
        desk.folder.mkdir(parents=True, mode=0o700)
        desk.address_file.write_text(address)
    return desks


def _round(
    tally: Tally, way: str, desks: list[Desk], known: Acknowledged, number: int, dice: random.Random
) -> None:
    services = [Service(desk) for desk in desks]
    for service in services:
        service.start()
    dice.shuffle(services)
    victim, other = services
    followers = [Follower(service.desk) for service in services]
    before = known.count
    with _writing(services, f"{number}", dice, known) as ended:
        while known.count < before + 2 * WRITERS:
            time.sleep(0.005)
        for service in services:
            _ask_for_job(service.desk)
        time.sleep(dice.uniform(0, 0.7))
        usual = _probe(other.desk, f"{number} before")
        assert victim.process is not None
        began = time.monotonic()
        if way == "kill -9":
            victim.kill()
        else:
            victim.process.send_signal(signal.SIGSTOP)
        stalled = _probe(other.desk, f"{number}")
        tally.stall_s, tally.usual_s = max((tally.stall_s, tally.usual_s), (stalled, usual))
        if stalled - usual > STALL_S:
            tally.wrong.append(f"round {number}: a write took {stalled:.1f} s, and {usual:.1f} s before")
        if way == "SIGSTOP":
            time.sleep(max(0.0, FROZEN_FOR_S - (time.monotonic() - began)))
            victim.process.send_signal(signal.SIGCONT)
            # What it had not written it says so, and it goes on.
            _probe(victim.desk, f"{number} again")
        time.sleep(dice.uniform(0, 0.3))
        ended.set()
    with closing(opened(other.desk)) as db:
        head = events.newest(db)
    for service, follower in zip(services, followers, strict=True):
        if service.process is not None:
            if gap := follower.gap(head):
                tally.wrong.append(f"round {number}: {gap}")
            tally.events += len(follower.seen)
            service.stop()
    _look_after(tally, other.desk, known, number)
    tally.rounds += 1
    tally.acknowledged += known.count - before


def _look_after(tally: Tally, desk: Desk, known: Acknowledged, number: int) -> None:
    """Look through the database, which nobody has open: after a start all runs of jobs have ended."""
    again = Service(desk)
    again.start()
    again.stop()
    assert_agreement(desk.database)
    with closing(opened(desk)) as db:
        lost = known.missing(db)
        tally.lost += len(lost)
        tally.wrong += lost
        if overlapping := db.value(OVERLAPPING):
            tally.wrong.append(f"round {number}: {overlapping} runs of a job while it ran")
        if open_runs := db.value("SELECT count(*) FROM job_runs WHERE finished_at IS NULL"):
            tally.wrong.append(f"round {number}: {open_runs} runs were left open")
        if db.value("SELECT count(*) FROM engines"):
            tally.wrong.append(f"round {number}: services that ended are still registered")
        tally.runs = max(tally.runs, db.value("SELECT count(*) FROM job_runs"))


@contextmanager
def _writing(
    services: list[Service], name: str, dice: random.Random, known: Acknowledged
) -> Iterator[threading.Event]:
    """Let writers write to every service within the block."""
    ended = threading.Event()
    with ThreadPoolExecutor(WRITERS * len(services)) as pool:
        ends: list[Future[None]] = []
        for at, service in enumerate(services):
            for writer in range(WRITERS):
                seed, mark = random.Random(dice.random()), f"{name}-{at}-{writer}"
                ends.append(pool.submit(_write, service.desk, mark, seed, known, ended))
        try:
            yield ended
        finally:
            ended.set()
    for end in ends:
        end.result()


def _write(desk: Desk, name: str, dice: random.Random, known: Acknowledged, ended: threading.Event) -> None:
    """Write until the end, or until nobody answers. What is refused is not acknowledged."""
    with closing(Wire(desk, agent=f"w{name}")) as agent, closing(Wire(desk)) as owner:
        number = 0
        with suppress(OSError, http.client.HTTPException):
            while not ended.is_set():
                number += 1
                with suppress(AssertionError):
                    write_one(agent, owner, f"{name}-{number}", dice, known)


def _probe(desk: Desk, mark: str) -> float:
    """Seconds that a write takes until it is acknowledged."""
    began = time.monotonic()
    with closing(Wire(desk, agent="probe")) as agent:
        while agent.ask(memory.STORE_TURN, content=f"Probe {mark}", channel="talk")[0] != 200:
            time.sleep(0.05)
    return time.monotonic() - began


def _ask_for_job(desk: Desk) -> None:
    with closing(Wire(desk)) as owner:
        owner.answer(jobs.RUN, name="decay")


def _rate(desks: list[Desk]) -> float:
    """Facts a second that 4 WRITERS writers get acknowledged, shared out among the desks' services."""
    services = [Service(desk) for desk in desks]
    for service in services:
        service.start()
    ended, counts = threading.Event(), [0] * 4 * WRITERS

    def learn(at: int) -> None:
        with closing(Wire(services[at % len(services)].desk, agent=f"w{at}")) as agent:
            while not ended.is_set():
                agent.answer(memory.LEARN_FACT, claim=f"Pump {at} {counts[at]} is red", about=("Pumps",))
                counts[at] += 1

    with ThreadPoolExecutor(len(counts)) as pool:
        ends = [pool.submit(learn, at) for at in range(len(counts))]
        began = time.monotonic()
        time.sleep(RATE_S)
        ended.set()
        done, took = sum(counts), time.monotonic() - began
    for end in ends:
        end.result()
    for service in services:
        service.stop()
    return done / took
