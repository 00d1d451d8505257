"""What surrounds a desk fails: the disk, the folder's rights, the clock, other services, clients.

Each check says what has to hold: what cannot be done is answered in a sentence, nothing acknowledged is lost, others
are answered meanwhile, and once the fault is gone the desk works again.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from memdesk.api import history, memory, recall, upkeep, working
from memdesk.engine.browsing import history as browsing
from memdesk.engine.engine import now
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall as recalled
from memdesk.engine.undo import undo
from memdesk.files.places import Desk
from memdesk.model.curation import Undo
from memdesk.model.history import AskHistory
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact
from memdesk.service.app import BODY_SECONDS
from memdesk.store.connection import Connection
from memdesk.store.store import READERS
from tests.conftest import Service
from tests.engine.conftest import redo
from tests.faults.figures import Figures
from tests.faults.wire import Wire
from tests.faults.writers import Acknowledged
from tests.store.agreement import assert_agreement
from tests.warm import Begun

DAY_US = 24 * 3600 * 1_000_000
DISK_MB, REFUSALS = 48, 10
RIVALS = 6
PATIENCE_SECONDS = 60.0
CLIENTS, OF_EACH_KIND = 500, 20
AT_ONCE_ANSWERED = 300
"""Of the 500, at least: past its cap a service refuses in a sentence."""
SPARE_HANDLES = 2 * READERS + 6
"""Connections to the database that were opened for what came at once stay open, with two files each."""
CAP_DAC_OVERRIDE, PR_CAPBSET_DROP = 1, 24
"""capabilities(7), prctl(2): without it root is bound by a folder's rights as anybody is."""


class Broken(Exception):
    """A promise that did not hold, as a sentence."""


def measure(folder: Path, say: Callable[[str], None]) -> Figures:
    """Every check by itself, on a desk of its own."""
    told = Figures("surroundings", ("fault", "holds", "seen"))
    for number, check in enumerate(CHECKS):
        place, name = folder / f"s{number}", check.__name__.replace("_", " ")
        place.mkdir()
        try:
            told.rows.append((name, "yes", check(place)))
        except (Broken, AssertionError) as wrong:
            told.rows.append((name, "no", ""))
            told.broken.append(f"{name}: {wrong}")
        say(f"  {name}: {told.rows[-1][1]}")
    return told


def full_disk(folder: Path) -> str:
    """Writes are refused in a sentence and reads answered; once there is room, writes are answered again."""
    with _small_disk(folder), _served(folder / "desk") as service:
        known, refused = Acknowledged(), Counter[str]()
        with closing(Wire(service.desk)) as owner:
            _write_for(0.5, service.desk, known)
            with _no_room(service):
                deadline = time.monotonic() + PATIENCE_SECONDS
                while sum(refused.values()) < REFUSALS and time.monotonic() < deadline:
                    text = " ".join(f"word{number}" for number in range(2000))
                    status, said = owner.ask(memory.STORE_TURN, content=f"{sum(refused.values())} {text}")
                    if status == 200:
                        known.note(change=said["change"], records=(said["id"],))
                    else:
                        refused[said["code"]] += 1
                        _expect(said["says"].endswith("."), f"no sentence: {said}")
                _expect(set(refused) == {"storage_failed"}, f"a full disk is told as {dict(refused)}")
                owner.answer(upkeep.STATUS)
                owner.answer(memory.FACTS, "?limit=5")
            before = known.count
            _write_for(0.5, service.desk, known)
            _expect(known.count > before, "nothing was written once there was room again")
        _nothing_lost(service, known)
        return f"{refused['storage_failed']} refused, {known.count} acknowledged, 0 lost"


@contextmanager
def _small_disk(folder: Path) -> Iterator[None]:
    """A file system of a few MB in a folder, where this user may mount one."""
    size = f"size={DISK_MB}m"
    mounted = (
        os.geteuid() == 0
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)], check=False, capture_output=True
        ).returncode
    )
    try:
        yield
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True)


@contextmanager
def _no_room(service: Service) -> Iterator[None]:
    """A disk that is full, or where none could be mounted, files that must not grow."""
    desk = service.desk
    if desk.folder.parent.is_mount():
        ballast = desk.folder.parent / "ballast"
        with open(ballast, "wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(4096))
        yield
        ballast.unlink()
    else:
        assert service.process is not None
        largest = max(file.stat().st_size for file in desk.folder.glob("memory.db*"))
        before = resource.prlimit(
            service.process.pid, resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY)
        )
        yield
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, before)


def read_only_folder(folder: Path) -> str:
    """A service does not start and says why; one that runs answers on; with the rights back all is there."""
    known = Acknowledged()
    with _served(folder / "desk") as service:
        _write_for(0.5, service.desk, known)
        _nothing_lost(service, known)
        files = [service.desk.folder, *service.desk.folder.glob("memory.db*")]
        modes = [file.stat().st_mode for file in files]
        for file in files:
            file.chmod(0o500 if file.is_dir() else 0o400)
        starting = subprocess.run(
            [sys.executable, "-m", "memdesk", "serve", "--desk", str(service.desk.folder)],
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
            preexec_fn=_be_bound_by_rights,
        )
        for file, mode in zip(files, modes, strict=True):
            file.chmod(mode)
        _expect(starting.returncode != 0, "a service started on a folder that it cannot write")
        _expect(
            "Traceback" not in starting.stderr, f"a read-only folder is a traceback: {starting.stderr[-300:]}"
        )
        _expect(bool(starting.stderr.strip()), "a read-only folder is refused without a word")
        service.start()
        _write_for(0.3, service.desk, known)
        service.desk.folder.chmod(0o500)
        _write_for(0.3, service.desk, known)
        with closing(Wire(service.desk)) as owner:
            owner.answer(upkeep.STATUS)
        service.desk.folder.chmod(0o700)
        _nothing_lost(service, known)
    return f"exit code {starting.returncode}: {starting.stderr.strip().splitlines()[0][:60]}"


def _be_bound_by_rights() -> None:
    if os.geteuid() == 0:
        ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)


def clock_set_back_a_day(folder: Path) -> str:
    """What is written afterwards is numbered, found, undone and vouched for as ever."""
    ahead = [0]
    desk = Desk(folder / "desk")
    with closing(open_engine(desk, clock=lambda: now() + ahead[0])) as engine:
        changes: list[int] = []
        for back in (0, -DAY_US, -DAY_US, 0):
            ahead[0] = back
            for number in range(20):
                claim = f"Pump {len(changes)} of the harbour is red at {back}"
                changes.append(learn_fact(engine, NewFact(claim=claim), author="agent:forge").change or 0)
                if number % 5 == 4:
                    changes.append(undo(engine, Undo(), author="agent:forge").change)
                    changes.append(redo(engine, "agent:forge").change)
            while embed_pending(engine):
                pass
            found = recalled(
                engine, Query(text=f"Which pump of the harbour is red at {back}?"), author="agent:forge"
            )
            _expect(bool(found.hits), "what was written before the clock was set is not found")
        _expect(changes == sorted(set(changes)), "changes are numbered out of order")
        page = browsing.page(engine, AskHistory(limit=256))
        numbers = {event.id for event in page.rows}
        _expect(set(changes) <= numbers, f"{len(set(changes) - numbers)} changes are missing in the history")
    assert_agreement(desk.database)
    return f"{len(changes)} changes, every one in the history and the chain"


def two_services(folder: Path) -> str:
    """One serves; every other is told so in a sentence and ends."""
    known = Acknowledged()
    with _served(folder / "desk") as service:
        stop = threading.Event()
        with ThreadPoolExecutor(2) as pool:
            writing = pool.submit(_write_until, stop, service.desk, known)
            try:
                codes = [_refused(rival) for rival in _rivals(service.desk)]
            finally:
                stop.set()
        writing.result()
        _expect(0 not in codes, f"a second service ended with {codes}")
        _nothing_lost(service, known)
        fresh = Desk(folder / "fresh")
        rivals = _rivals(fresh)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while sum(rival.poll() is not None for rival in rivals) < RIVALS - 1 and time.monotonic() < deadline:
            time.sleep(0.05)
        left = [rival for rival in rivals if rival.poll() is None]
        for rival in left:
            rival.send_signal(signal.SIGTERM)
            rival.wait(PATIENCE_SECONDS)
        _expect(len(left) == 1, f"of {RIVALS} services that were started at once {len(left)} serve")
    return (
        f"{RIVALS} refused beside a service, 1 of {RIVALS} started at once serves; {known.count} acknowledged"
    )


def _rivals(desk: Desk) -> list[Begun]:
    return [Begun(["serve", "--json", "--desk", str(desk.folder)]) for _ in range(RIVALS)]


def _refused(rival: Begun) -> int:
    code = rival.wait(PATIENCE_SECONDS)
    said = rival.errors()
    _expect("Another service" in said and "Traceback" not in said, f"a second service is told: {said[-300:]}")
    return code


def slow_and_half_open_clients(folder: Path) -> str:
    """They are hung up on in time; everybody else is answered meanwhile, and no handle stays behind."""
    known = Acknowledged()
    with _served(folder / "desk") as service:
        before, began = _handles(service), time.monotonic()
        head = b"POST /v1/memory/turns HTTP/1.1\r\nhost: desk\r\n"
        kinds = (
            b"",
            head,
            head + b"content-length: 5000\r\n\r\n{",
            b"GET /openapi.json HTTP/1.1\r\nhost: desk\r\n\r\n",
        )
        lines = [_begin(service.desk, words) for words in kinds for _ in range(OF_EACH_KIND)]
        for words in kinds:
            for _ in range(OF_EACH_KIND):
                _begin(service.desk, words).close()
        slowest = _ask_all_kinds(service.desk, known)
        deaf = lines[-OF_EACH_KIND:]
        patient = lines[:-OF_EACH_KIND]
        while (
            any(_is_open(line) for line in patient)
            and time.monotonic() < began + BODY_SECONDS + PATIENCE_SECONDS
        ):
            time.sleep(0.2)
        took = time.monotonic() - began
        _expect(not any(_is_open(line) for line in patient), "half a request holds its connection for ever")
        for line in deaf:
            line.close()
        left = _settled(service, before + SPARE_HANDLES)
        _expect(left <= before + SPARE_HANDLES, f"{before} handles were open before, and {left} are after")
        _nothing_lost(service, known)
    return f"hung up on within {took:.0f} s, slowest answer to others {slowest * 1000:.0f} ms, handles {before}, {left}"


def _begin(desk: Desk, words: bytes) -> socket.socket:
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(PATIENCE_SECONDS)
    line.connect(str(desk.socket))
    line.setblocking(False)
    with suppress(BlockingIOError):
        line.send(words)
    return line


def _is_open(line: socket.socket) -> bool:
    """Whether the other end still holds a connection; what it said is thrown away."""
    try:
        while line.recv(65536):
            pass
    except BlockingIOError:
        return True
    except OSError as gone:
        return gone.errno not in (errno.ECONNRESET, errno.EPIPE)
    return False


def five_hundred_connections(folder: Path) -> str:
    """Each is answered, or refused in a sentence; who was there before is answered meanwhile."""
    known, outcomes = Acknowledged(), Counter[str]()
    with _served(folder / "desk") as service, closing(Wire(service.desk)) as owner:
        owner.answer(upkeep.STATUS)
        before = _handles(service)
        wires = [Wire(service.desk, agent=f"c{number}") for number in range(CLIENTS)]
        began = time.monotonic()
        with ThreadPoolExecutor(CLIENTS) as pool:
            ends = [pool.submit(_store, wire, number, known) for number, wire in enumerate(wires)]
            owner.answer(upkeep.STATUS)
            meanwhile = time.monotonic() - began
            outcomes.update(end.result() for end in ends)
        took = time.monotonic() - began
        for wire in wires:
            wire.close()
        _expect(outcomes["answered"] >= AT_ONCE_ANSWERED, f"of 500 connections: {dict(outcomes)}")
        _expect(set(outcomes) <= {"answered", "service_away"}, f"of 500 connections: {dict(outcomes)}")
        left = _settled(service, before + SPARE_HANDLES)
        _expect(left <= before + SPARE_HANDLES, f"{before} handles were open before, and {left} are after")
        _ask_all_kinds(service.desk, known)
        _nothing_lost(service, known)
    return (
        f"{outcomes['answered']} answered, {outcomes['service_away']} refused in {took:.1f} s, "
        f"status meanwhile in {meanwhile:.1f} s, handles {before}, {left}"
    )


def _store(wire: Wire, number: int, known: Acknowledged) -> str:
    try:
        status, said = wire.ask(memory.STORE_TURN, content=f"Turn {number} of many")
    except OSError as gone:
        return type(gone).__name__
    if status != 200:
        return str(said["code"])
    known.note(change=said["change"], records=(said["id"],))
    return "answered"


Check = Callable[[Path], str]
CHECKS: tuple[Check, ...] = (
    full_disk,
    read_only_folder,
    clock_set_back_a_day,
    two_services,
    slow_and_half_open_clients,
    five_hundred_connections,
)


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Broken(otherwise)


@contextmanager
def _served(folder: Path) -> Iterator[Service]:
    service = Service(Desk(folder))
    service.start()
    try:
        yield service
    finally:
        if service.process is not None and service.process.poll() is None:
            service.stop()


def _write_for(seconds: float, desk: Desk, known: Acknowledged) -> None:
    """Have an agent write for so long, and until one write was acknowledged."""
    stop = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(_write_until, stop, desk, known)
        time.sleep(seconds)
        stop.set()
    writing.result()


def _write_until(stop: threading.Event, desk: Desk, known: Acknowledged) -> None:
    with closing(Wire(desk, agent="scribe")) as agent:
        while True:
            status, said = agent.ask(memory.STORE_TURN, content=f"The scribe's turn {known.count}")
            if status == 200:
                known.note(change=said["change"], records=(said["id"],))
            else:
                _expect(said["code"] == "storage_failed", f"a write is refused so: {said}")
            if stop.is_set():
                return


def _ask_all_kinds(desk: Desk, known: Acknowledged) -> float:
    """Ask what agents and the owner ask, a hundred times. Returns the seconds of the slowest answer."""
    slowest = 0.0
    with closing(Wire(desk, agent="scribe")) as agent, closing(Wire(desk)) as owner:
        for number in range(20):
            for ask in (
                lambda number=number: _store(agent, number, known),
                lambda: agent.answer(recall.SEARCH, text="What did the scribe say?"),
                lambda: agent.answer(working.SET, key="at", value=1),
                lambda: owner.answer(history.PAGE, "?limit=20"),
                lambda: owner.answer(upkeep.STATUS),
            ):
                began = time.monotonic()
                ask()
                slowest = max(slowest, time.monotonic() - began)
    return slowest


def _nothing_lost(service: Service, known: Acknowledged) -> None:
    """The service ends; then everything that was acknowledged is in the file, which agrees with itself."""
    service.stop()
    assert_agreement(service.desk.database)
    with closing(Connection(service.desk.database)) as db:
        _expect(not (lost := known.missing(db)), "; ".join(lost[:3]))


def _handles(service: Service) -> int:
    assert service.process is not None
    return len(list(Path(f"/proc/{service.process.pid}/fd").iterdir()))


def _settled(service: Service, most: int) -> int:
    """How many handles a service holds once they are no more than that, or after a while."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (found := _handles(service)) > most and time.monotonic() < deadline:
        time.sleep(0.1)
    return found
