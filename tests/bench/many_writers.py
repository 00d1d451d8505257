"""How many writes a second a service acknowledges, and how much processor time each takes it.

    python -m tests.bench.many_writers [--postgres SERVICES] [WRITES [CLIENTS ...]]
                                                                    2,000 writes by 1, 4 and 16 clients unless named

`--postgres`: the desk is in a PostgreSQL of the bench's own, and the clients are shared out among so many services on
it; the server's processor time is a figure beside theirs. That server does not wait for a disk.

Each client has its own connection and conversation, and sends its next write when the last one is acknowledged. They
run in one process that does nothing but send and receive, so that the machine is left to the service. At the end the
acknowledged records are counted in the desk."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import selectors
import socket
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

from memdesk.api import upkeep
from memdesk.client.client import Client
from memdesk.client.find import ensure_service, stop_service
from memdesk.files.places import Desk
from memdesk.model.fact import FACT
from memdesk.model.status import ChangeSettings, Nothing
from memdesk.model.turn import TURN
from tests import postgres
from tests.bench.many_facts import CHANNEL, claims
from tests.store.agreement import opened

WRITES, CLIENTS = 2_000, (1, 4, 16)
WARM = 50
TICKS = os.sysconf("SC_CLK_TCK")
PATHS = {TURN.name: "/v1/memory/store_turn", FACT.name: "/v1/memory/learn_fact"}


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="many_writers")
    parser.add_argument("--postgres", type=int, default=0, metavar="SERVICES")
    parser.add_argument("writes", type=int, nargs="?", default=WRITES)
    parser.add_argument("clients", type=int, nargs="*", default=CLIENTS)
    asked = parser.parse_args(arguments)
    for kind in PATHS:
        for number in asked.clients:
            # Each on a desk of its own, or jobs would read what the last ones wrote.
            with tempfile.TemporaryDirectory(prefix="md-") as folder:
                desks = desks_in(Path(folder), asked.postgres)
                try:
                    for desk in desks:
                        asyncio.run(ensure_service(desk))
                    measure(desks, kind, number, asked.writes)
                finally:
                    for desk in desks:
                        asyncio.run(stop_service(desk))
    return 0


def desks_in(folder: Path, services: int) -> list[Desk]:
    """Return a new desk in a folder; or folders of a new desk in PostgreSQL, one for each service on it."""
    if not services:
        return [Desk(folder / "desk")]
    server = postgres.running()
    if isinstance(server, str):
        raise SystemExit(server)
    address, desks = server.desk(), [Desk(folder / f"desk{number}") for number in range(services)]
    for desk in desks:
        desk.folder.mkdir(mode=0o700)
        desk.address_file.write_text(address)
    return desks


def measure(desks: Sequence[Desk], kind: str, clients: int, count: int) -> None:
    """Print a line for one kind of write by so many clients of a desk's services."""
    services = [asyncio.run(prepared_service(desk)) for desk in desks]
    texts = claims(count + WARM, seed=23)
    write(desks, kind, clients, WARM, texts)
    stored, started = records_of(desks[0], kind), time.perf_counter()
    busy, of_server = processor_s(services), processor_s(backends(desks[0]))
    write(desks, kind, clients, count, texts)
    took = time.perf_counter() - started
    busy, of_server = processor_s(services) - busy, processor_s(backends(desks[0])) - of_server
    lost = stored + count - records_of(desks[0], kind)
    beside = f" and {1000 * of_server / count:.2f} of PostgreSQL's" if desks[0].address else ""
    print(
        f"{kind} {clients:3} clients: {count / took:6.0f} acknowledged/s, "
        f"{1000 * busy / count:.2f} ms of the services' processor time each{beside}, {lost} lost",
        flush=True,
    )


def write(desks: Sequence[Desk], kind: str, clients: int, count: int, texts: Iterator[str]) -> None:
    """Let so many clients make so many writes together. Raises RuntimeError for an answer that is an error."""
    waiting = selectors.DefaultSelector()
    received: dict[socket.socket, bytes] = {}
    left = count
    for number in range(min(clients, count)):
        client = socket.socket(socket.AF_UNIX)
        client.connect(str(desks[number % len(desks)].socket))
        waiting.register(client, selectors.EVENT_READ, number)
        client.sendall(request(kind, next(texts), number))
        left -= 1
    open_requests = min(clients, count)
    while open_requests:
        for key, _ in waiting.select():
            asked = key.fileobj
            assert isinstance(asked, socket.socket)
            answer = received[asked] = received.pop(asked, b"") + asked.recv(65_536)
            if not answer.endswith(b"}"):
                continue
            if not answer.startswith(b"HTTP/1.1 200"):
                raise RuntimeError(answer.decode())
            del received[asked]
            if left:
                asked.sendall(request(kind, next(texts), key.data))
                left -= 1
            else:
                waiting.unregister(asked)
                asked.close()
                open_requests -= 1


def request(kind: str, text: str, client: int) -> bytes:
    """Return the bytes of one write."""
    told = (
        {"role": "user", "content": text, "conversation_id": f"c{client}", "channel": CHANNEL}
        if kind == TURN.name
        else {"claim": text, "channel": CHANNEL}
    )
    body = json.dumps(told).encode()
    head = f"POST {PATHS[kind]} HTTP/1.1\r\nhost: desk\r\nx-memdesk-agent: bench\r\n"
    return f"{head}content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body


def records_of(desk: Desk, kind: str) -> int:
    """Return how many records of a kind the desk has."""
    with closing(opened(desk)) as db:
        table = TURN.table if kind == TURN.name else FACT.table
        return int(db.value(f"SELECT count(*) FROM {table}"))


async def prepared_service(desk: Desk) -> int:
    """Lift the limit of an agent's writes; return the id of the service's process."""
    async with Client(desk) as owner:
        await owner.call(upkeep.CHANGE_SETTINGS, ChangeSettings(values={"agent_writes_per_minute": 0}))
        return (await owner.call(upkeep.STATUS, Nothing())).pid


def backends(desk: Desk) -> list[int]:
    """Return the ids of the processes of a desk's PostgreSQL; none for a desk in a folder."""
    if desk.address is None:
        return []
    with closing(opened(desk)) as db:
        return [pid for (pid,) in db.rows("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()")]


def processor_s(processes: Iterable[int]) -> float:
    """Return the seconds of processor time that processes have taken."""
    spent = 0
    for process in processes:
        # A process of a connection ends with it.
        with suppress(FileNotFoundError):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            spent += int(fields[11]) + int(fields[12])
    return spent / TICKS


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
