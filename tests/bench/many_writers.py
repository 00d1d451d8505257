"""How many writes a second a service acknowledges, and how much processor time each takes it.

    python -m tests.bench.many_writers [WRITES [CLIENTS ...]]       2,000 writes by 1, 4 and 16 clients unless named

Each client has its own connection and conversation, and sends its next write when the last one is acknowledged. They
run in one process that does nothing but send and receive, so that the machine is left to the service. At the end the
acknowledged records are counted in the desk."""

from __future__ import annotations

import asyncio
import json
import os
import selectors
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from memdesk.api import upkeep
from memdesk.client.client import Client
from memdesk.client.find import ensure_service, stop_service
from memdesk.files.places import Desk
from memdesk.model.fact import FACT
from memdesk.model.status import ChangeSettings, Nothing
from memdesk.model.turn import TURN
from memdesk.store.connection import Connection
from tests.bench.many_facts import CHANNEL, claims

WRITES, CLIENTS = 2_000, (1, 4, 16)
WARM = 50
TICKS = os.sysconf("SC_CLK_TCK")
PATHS = {TURN.name: "/v1/memory/store_turn", FACT.name: "/v1/memory/learn_fact"}


def main(arguments: Sequence[str]) -> int:
    count, *clients = map(int, arguments or (str(WRITES),))
    for kind in PATHS:
        for number in clients or CLIENTS:
            # Each on a desk of its own, or jobs would read what the last ones wrote.
            with tempfile.TemporaryDirectory(prefix="md-") as folder:
                desk = Desk(Path(folder) / "desk")
                asyncio.run(ensure_service(desk))
                try:
                    measure(desk, kind, number, count)
                finally:
                    asyncio.run(stop_service(desk))
    return 0


def measure(desk: Desk, kind: str, clients: int, count: int) -> None:
    """Print a line for one kind of write by so many clients."""
    process = asyncio.run(prepared_service(desk))
    texts = claims(count + WARM, seed=23)
    write(desk, kind, clients, WARM, texts)
    stored, busy, started = records_of(desk, kind), processor_s(process), time.perf_counter()
    write(desk, kind, clients, count, texts)
    took, spent = time.perf_counter() - started, processor_s(process) - busy
    lost = stored + count - records_of(desk, kind)
    print(
        f"{kind} {clients:3} clients: {count / took:6.0f} acknowledged/s, "
        f"{1000 * spent / count:.2f} ms of the service's processor time each, {lost} lost",
        flush=True,
    )


def write(desk: Desk, kind: str, clients: int, count: int, texts: Iterator[str]) -> None:
    """Let so many clients make so many writes together. Raises RuntimeError for an answer that is an error."""
    waiting = selectors.DefaultSelector()
    received: dict[socket.socket, bytes] = {}
    left = count
    for number in range(min(clients, count)):
        client = socket.socket(socket.AF_UNIX)
        client.connect(str(desk.socket))
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
    db = Connection(desk.database)
    try:
        table = TURN.table if kind == TURN.name else FACT.table
        return int(db.value(f"SELECT count(*) FROM {table}"))
    finally:
        db.close()


async def prepared_service(desk: Desk) -> int:
    """Lift the limit of an agent's writes; return the id of the service's process."""
    async with Client(desk) as owner:
        await owner.call(upkeep.CHANGE_SETTINGS, ChangeSettings(values={"agent_writes_per_minute": 0}))
        return (await owner.call(upkeep.STATUS, Nothing())).pid


def processor_s(process: int) -> float:
    """Return the seconds of processor time that a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
