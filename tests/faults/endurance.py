"""A service that works for long: its memory, handles and WAL stay what they were.

The desk grows at first, with sign bits of its vectors in memory, and caches fill. Then it keeps its size: facts are
learned that it knows, and nothing is left for which the service may grow."""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memdesk.api import history, memory, recall, working
from memdesk.files.places import Desk
from memdesk.store.connection import Connection
from tests.faults.figures import Figures
from tests.faults.wire import Wire
from tests.store.agreement import assert_agreement

CLIENTS = 12
CHANNELS = 200
TURNS_AT_ONCE = 10
TENTHS = 10
SETTLED = 3
"""Tenths in which the desk grows. After one more every thread was started; growth is counted from there."""
KNOWN = 400
"""Facts that are learned again and again on a desk that keeps its size."""
RSS_SLACK_MB, HANDLES_SLACK, WAL_MB = 24, 48, 96
"""HANDLES_SLACK: a reader is opened when all others are at work; each of sixteen holds three. WAL_MB: it is cut back
to 64 MB after a checkpoint, and may pass that between two."""
SYLLABLES = (
    *("har", "mo", "tel", "qui", "ber", "sal", "bour", "lin", "gra", "dock"),
    *("ten", "var", "pos", "rim", "ket", "lum", "nor", "dus", "fen"),
)
WORDS = ["".join(each) for each in itertools.product(SYLLABLES, repeat=3)]
"""6,859 of them. A tenth of what is said is the first seven, as in any language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a service stands. Bytes in MB."""

    operations: int
    seconds: float
    rss: float
    handles: int
    threads: int
    wal: float
    database: float
    memories: int


def measure(operations: int, folder: Path, dice: random.Random, say: Callable[[str], None]) -> Figures:
    """So many operations of a mix, from several clients, read at each tenth."""
    told = Figures(
        f"endurance: {operations:,} operations by {CLIENTS} clients",
        ("operations", "a second", "RSS MB", "handles", "threads", "WAL MB", "desk MB", "memories"),
    )
    desk = Desk(folder / "desk")
    with serving(desk) as process:
        readings = [_read(desk, process.pid, 0, 0.0)]
        for tenth in range(TENTHS):
            began = time.monotonic()
            _work(desk, operations // TENTHS, tenth, dice)
            done = operations * (tenth + 1) // TENTHS
            readings.append(_read(desk, process.pid, done, time.monotonic() - began))
            say(f"  {done:,} operations, {readings[-1].rss:.0f} MB")
    told.rows = [_row(each, operations // TENTHS) for each in readings]
    assert_agreement(desk.database)
    _judge(told, readings)
    return told


def _judge(told: Figures, readings: list[Reading]) -> None:
    settled, last = readings[SETTLED + 1], readings[-1]
    grown = last.rss - settled.rss
    told.rows.append(("grown on a desk that keeps its size", "", f"{grown:.0f}", "", "", "", "", ""))
    if grown > RSS_SLACK_MB:
        told.broken.append(f"the service grew by {grown:.0f} MB")
    if last.handles > settled.handles + HANDLES_SLACK:
        told.broken.append(f"the service held {settled.handles} handles, and holds {last.handles}")
    if max(each.wal for each in readings) > WAL_MB:
        told.broken.append(f"the WAL is larger than {WAL_MB} MB")


def _row(reading: Reading, tenth: int) -> tuple[object, ...]:
    rate = f"{tenth / reading.seconds:,.0f}" if reading.seconds else ""
    return (
        reading.operations,
        rate,
        f"{reading.rss:.0f}",
        reading.handles,
        reading.threads,
        f"{reading.wal:.1f}",
        f"{reading.database:.0f}",
        reading.memories,
    )


@contextmanager
def serving(desk: Desk) -> Iterator[subprocess.Popen[bytes]]:
    """A service as `python -m memdesk serve` starts it: nothing of its memory is shared with another process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "memdesk", "serve", "--json", "--desk", str(desk.folder)],
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        while process.stdout.readline() not in (b"}\n", b""):
            pass
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


def _read(desk: Desk, pid: int, operations: int, seconds: float) -> Reading:
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    db = Connection(desk.database)
    memories = db.value("SELECT count(*) FROM searchable")
    db.close()
    return Reading(
        operations=operations,
        seconds=seconds,
        rss=int(status["VmRSS"].split()[0]) / 1000,
        handles=len(os.listdir(f"/proc/{pid}/fd")),  # noqa: PTH208
        threads=int(status["Threads"]),
        wal=desk.database.with_name("memory.db-wal").stat().st_size / 1e6,
        database=desk.database.stat().st_size / 1e6,
        memories=memories,
    )


def _work(desk: Desk, operations: int, tenth: int, dice: random.Random) -> None:
    left, door = [operations], threading.Lock()

    def take(count: int) -> bool:
        with door:
            left[0] -= count
            return left[0] + count > 0

    with ThreadPoolExecutor(CLIENTS) as pool:
        asked = [
            pool.submit(
                _client,
                desk,
                f"{tenth}-{number}",
                random.Random(dice.random()),
                take,
                grows=tenth < SETTLED,
            )
            for number in range(CLIENTS)
        ]
    for each in asked:
        each.result()


def _client(desk: Desk, name: str, dice: random.Random, take: Callable[[int], bool], *, grows: bool) -> None:
    """One agent until there is nothing left to do. Of a hundred asks 3 are ten turns, 10 a fact, 5 a recall; 13 a
    known fact where the desk no longer grows."""
    agent, owner = Wire(desk, agent=f"agent-{name[-1]}"), Wire(desk)
    talk = 0
    while True:
        what, channel = dice.randrange(100), f"channel-{dice.randrange(CHANNELS)}"
        if not take(TURNS_AT_ONCE if grows and what < 3 else 1):
            break
        if not grows and what < 13:
            known = dice.randrange(KNOWN)
            claim = _said(random.Random(known))
            agent.answer(memory.LEARN_FACT, claim=claim, channel=f"channel-{known % CHANNELS}")
        elif what < 3:
            talk += 1
            place = {"channel": channel, "conversation_id": f"{name}-{talk // 10}-{channel}"}
            turns = [{"content": _said(dice), **place} for _ in range(TURNS_AT_ONCE)]
            agent.answer(memory.STORE_TURNS, turns=turns)
        elif what < 13:
            agent.answer(
                memory.LEARN_FACT, claim=_said(dice), channel=channel, about=[dice.choice(WORDS[:78])]
            )
        elif what < 18:
            agent.answer(recall.SEARCH, text=_said(dice), channel=channel)
        elif what < 28:
            owner.answer(history.PAGE, f"?limit=50&first={dice.randrange(200)}")
        elif what < 68:
            own = {"channel": channel, "conversation_id": f"{name[-1]}-{channel}"}
            agent.answer(working.SET, key=f"k{dice.randrange(20)}", value=_said(dice), **own)
        else:
            agent.answer(working.CONTEXT, f"?channel={channel}&conversation_id={name[-1]}-{channel}")
    agent.close()
    owner.close()


def _said(dice: random.Random) -> str:
    words = (WORDS[int(len(WORDS) * dice.random() ** 3)] for _ in range(dice.randrange(6, 16)))
    return " ".join(words) + f" {dice.randrange(10_000)}"
