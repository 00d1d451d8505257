"""One memory under measurement, in a process of its own, asked in lines of JSON on standard input.

    python -m tests.bench.contenders NAME FOLDER DATA

Each contender runs in the environment that has it, so this module needs the standard library alone; `beside.py`
starts it.
DATA has `data.json` with claims, queries and new claims, and the vectors of each as `.npy`; MemDesk alone needs neither
claims nor vectors."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Protocol

HITS = 10
BATCH = 5_000
TURNS, TURNS_AT_ONCE = 2_000, 100
RECALLS_BESIDE = 20


class Contender(Protocol):
    """Memory that is filled once, opened, and then asked and added to, by the numbers of queries and new claims."""

    def fill(self) -> None: ...

    def open(self) -> None: ...

    def recall(self, number: int) -> int:
        """Return how many memories were found."""
        ...

    def add(self, number: int) -> None: ...

    def process(self) -> int:
        """Return the id of the process that holds the memory."""
        ...

    def close(self) -> None: ...


class Data:
    """Generated data of one size, the same for all contenders."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        told = json.loads((folder / "data.json").read_text())
        self.claims, self.queries, self.new = told["claims"], told["queries"], told["new"]
        self.turns: list[str] = told["turns"]
        self.size: int = told["size"]

    def vectors(self, name: str) -> Any:
        import numpy

        return numpy.load(self.folder / f"{name}.npy")


class MemDesk:
    """MemDesk's service on a desk of its own, asked over its socket by an agent; it makes its vectors itself."""

    def __init__(self, folder: Path, data: Data) -> None:
        import asyncio

        from memdesk.files.places import Desk

        self._loop = asyncio.new_event_loop()
        self._desk, self._data = Desk(folder / "desk"), data

    def fill(self) -> None:
        from memdesk.engine.opening import open_engine
        from tests.bench.many_facts import fill

        if self._desk.database.exists():
            return
        engine = open_engine(self._desk)
        fill(engine, self._data.size)
        engine.close()

    def open(self) -> None:
        from memdesk.api import jobs, upkeep
        from memdesk.client.find import find_or_start
        from memdesk.model.job import SwitchJobs
        from memdesk.model.status import Nothing

        self._client = self._loop.run_until_complete(find_or_start(self._desk, agent="bench"))
        self._ask_as_owner(jobs.SWITCH, SwitchJobs(on=False))
        self._service = int(self._ask_as_owner(upkeep.STATUS, Nothing()).pid)

    def _ask_as_owner(self, call: Any, ask: Any) -> Any:
        from memdesk.client.client import Client

        async def asked() -> Any:
            async with Client(self._desk) as owner:
                return await owner.call(call, ask)

        return self._loop.run_until_complete(asked())

    def recall(self, number: int) -> int:
        from memdesk.api import recall
        from memdesk.model.recall import Query
        from tests.bench.many_facts import CHANNEL

        ask = Query(text=self._data.queries[number], channel=CHANNEL, limit=HITS)
        return len(self._loop.run_until_complete(self._client.call(recall.SEARCH, ask)).hits)

    def add(self, number: int) -> None:
        from memdesk.api import memory
        from memdesk.model.remember import NewFact
        from tests.bench.many_facts import CHANNEL

        ask = NewFact(claim=self._data.new[number], channel=CHANNEL)
        self._loop.run_until_complete(self._client.call(memory.LEARN_FACT, ask))

    def process(self) -> int:
        return self._service

    def calls(self) -> dict[str, float]:
        """Return the processor's milliseconds of calls behind pages of the window and behind a prompt, the least of
        three, the bytes that a stored turn takes, and the median of recalls on the clock beside a job."""
        from memdesk.api import context, memory, review
        from memdesk.client.client import Client
        from memdesk.model.graph import AskSalience
        from memdesk.model.prompt import AskContext
        from memdesk.model.review import AskDuplicates
        from memdesk.model.timeline import AskTable
        from tests.bench.many_facts import CHANNEL

        size, service, owner = self._data.size, self.process(), Client(self._desk)

        def worked(call: Any, ask: Any) -> tuple[float, Any]:
            before = _worked_ms(service)
            found = self._loop.run_until_complete(owner.call(call, ask))
            return _worked_ms(service) - before, found

        first, _ = worked(review.DUPLICATES, AskDuplicates())
        _, page = worked(memory.SALIENCE, AskSalience(first=size // 2))
        asks = {
            "salience": (memory.SALIENCE, AskSalience()),
            "... from its middle on": (memory.SALIENCE, AskSalience(first=size // 2)),
            "... around a memory": (memory.SALIENCE, AskSalience(around=page.rows[0].id)),
            "... strongest first": (memory.SALIENCE, AskSalience(sort="salience")),
            "... one channel": (memory.SALIENCE, AskSalience(channels=(CHANNEL,))),
            "... most recalled first": (memory.SALIENCE, AskSalience(sort="recalled")),
            "... by name": (memory.SALIENCE, AskSalience(sort="name")),
            "facts": (memory.TABLE, AskTable()),
            "duplicates, then": (review.DUPLICATES, AskDuplicates()),
        }
        told = {"duplicates, the first time": first}
        told |= {name: min(worked(*ask)[0] for _ in range(3)) for name, ask in asks.items()}
        prompts = [
            worked(
                context.PROMPT,
                AskContext(
                    messages=({"role": "user", "content": query},), channel=CHANNEL, session_id="bench"
                ),
            )[0]
            for query in self._data.queries[:6]
        ]
        self._loop.run_until_complete(owner.close())
        return told | {
            "prompt": min(prompts),
            "bytes a turn": self._bytes_of_turns() / TURNS,
            "recall beside a checkup, on the clock": self._recall_beside_a_job(),
        }

    def _recall_beside_a_job(self) -> float:
        from memdesk.api import jobs
        from memdesk.model.job import RunJob, SwitchJobs

        self._ask_as_owner(jobs.RUN, RunJob(name="checkup"))
        times = [_timed(self.recall, number) for number in range(RECALLS_BESIDE)]
        self._ask_as_owner(jobs.SWITCH, SwitchJobs(on=False))
        return statistics.median(times)

    def _bytes_of_turns(self) -> float:
        from memdesk.api import memory
        from memdesk.model.remember import NewTurn, NewTurns
        from memdesk.store.connection import Connection
        from tests.bench.many_facts import CHANNEL

        def size() -> int:
            db = Connection(self._desk.database)
            pages = db.value("PRAGMA page_count") - db.value("PRAGMA freelist_count")
            held = pages * db.value("PRAGMA page_size")
            db.close()
            return int(held)

        before = size()
        for start in range(0, TURNS, TURNS_AT_ONCE):
            turns = tuple(
                NewTurn(content=f"{claim}, we said.", channel=CHANNEL, conversation_id=f"c_{start}")
                for claim in self._data.turns[start : start + TURNS_AT_ONCE]
            )
            self._loop.run_until_complete(self._client.call(memory.STORE_TURNS, NewTurns(turns=turns)))
        return size() - before

    def close(self) -> None:
        from memdesk.client.find import stop_service

        self._loop.run_until_complete(self._client.close())
        self._loop.run_until_complete(stop_service(self._desk))


class Chroma:
    """chromadb in this process, on disk, by vectors alone. The vectors are given, so it does not wait for a model."""

    def __init__(self, folder: Path, data: Data) -> None:
        self._folder, self._data = folder, data

    def fill(self) -> None:
        self.open()
        vectors = self._data.vectors("claims")
        for start in range(0, len(vectors), BATCH):
            part = slice(start, start + BATCH)
            self._table.add(
                ids=[f"c{start + n}" for n in range(len(vectors[part]))],
                embeddings=vectors[part],
                documents=self._data.claims[part],
            )

    def open(self) -> None:
        import chromadb

        settings = chromadb.Settings(anonymized_telemetry=False)
        self._client = chromadb.PersistentClient(str(self._folder), settings=settings)
        self._table = self._client.get_or_create_collection("facts", metadata={"hnsw:space": "cosine"})
        self._queries, self._new = self._data.vectors("queries"), self._data.vectors("new")

    def recall(self, number: int) -> int:
        found = self._table.query(query_embeddings=self._queries[number : number + 1], n_results=HITS)
        return len(found["ids"][0])

    def add(self, number: int) -> None:
        self._table.add(
            ids=[f"n{number}"],
            embeddings=self._new[number : number + 1],
            documents=[self._data.new[number]],
        )

    def process(self) -> int:
        return os.getpid()

    def close(self) -> None:
        pass


class LanceDB:
    """LanceDB in this process, hybrid: its word index and an exact search of the given vectors."""

    def __init__(self, folder: Path, data: Data) -> None:
        self._folder, self._data = folder, data

    def fill(self) -> None:
        import lancedb

        vectors = self._data.vectors("claims")
        rows = [
            {"id": f"c{n}", "text": text, "vector": vector}
            for n, (text, vector) in enumerate(zip(self._data.claims, vectors, strict=True))
        ]
        table = lancedb.connect(self._folder).create_table("facts", rows)
        table.create_index("text", config=lancedb.index.FTS())

    def open(self) -> None:
        import lancedb

        self._table = lancedb.connect(self._folder).open_table("facts")
        self._queries, self._new = self._data.vectors("queries"), self._data.vectors("new")

    def recall(self, number: int) -> int:
        asked = self._table.search(query_type="hybrid").vector(self._queries[number])
        return len(asked.text(self._data.queries[number]).limit(HITS).to_list())

    def add(self, number: int) -> None:
        self._table.add([{"id": f"n{number}", "text": self._data.new[number], "vector": self._new[number]}])

    def process(self) -> int:
        return os.getpid()

    def close(self) -> None:
        pass


class McpMemory:
    """The reference MCP memory server over its standard input. It finds an exact piece of text, so it is asked for one
    word."""

    def __init__(self, folder: Path, data: Data) -> None:
        self._file, self._data, self._number = folder / "memory.jsonl", data, 0

    def fill(self) -> None:
        with self._file.open("w") as out:
            for n, claim in enumerate(self._data.claims):
                out.write(json.dumps(self._entity(f"c{n}", claim) | {"type": "entity"}) + "\n")

    def open(self) -> None:
        self._server = subprocess.Popen(
            ["node", os.environ["MCP_MEMORY_SERVER"]],
            env={**os.environ, "MEMORY_FILE_PATH": str(self._file)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        client = {"name": "bench", "version": "1"}
        self._call("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self._send({"method": "notifications/initialized"})

    def recall(self, number: int) -> int:
        word = max(self._data.queries[number].split(), key=len)
        said = self._call("tools/call", {"name": "search_nodes", "arguments": {"query": word}})
        return len(json.loads(said["content"][0]["text"])["entities"])

    def add(self, number: int) -> None:
        entities = [self._entity(f"n{number}", self._data.new[number])]
        self._call("tools/call", {"name": "create_entities", "arguments": {"entities": entities}})

    def process(self) -> int:
        return self._server.pid

    def close(self) -> None:
        self._server.terminate()
        self._server.wait()

    def _entity(self, name: str, claim: str) -> dict[str, Any]:
        return {"name": name, "entityType": "fact", "observations": [claim]}

    def _call(self, method: str, params: dict[str, Any]) -> Any:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        assert self._server.stdout is not None
        while (answer := json.loads(self._server.stdout.readline())).get("id") != self._number:
            pass
        return answer["result"]

    def _send(self, message: dict[str, Any]) -> None:
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._server.stdin.flush()


_OF_PROCESS = 2
"""Linux's id of a process's processor clock is its number, inverted, above these bits (clock_getcpuclockid(3))."""
CONTENDERS = {"memdesk": MemDesk, "chroma": Chroma, "lancedb": LanceDB, "mcp memory": McpMemory}


def main(name: str, folder: str, data: str) -> int:
    place = Path(folder)
    contender: Contender = CONTENDERS[name](place, Data(Path(data)))
    acts = {"recall": contender.recall, "add": contender.add}
    for line in sys.stdin:
        act, *numbers = json.loads(line)
        match act:
            case "fill" | "open" | "close":
                said: Any = _timed(getattr(contender, act))
            case "calls":
                said = contender.calls() if isinstance(contender, MemDesk) else {}
            case "worked":
                said = _worked_ms(contender.process())
            case "size":
                said = {"memory_mb": _resident_mb(contender.process()), "disk_mb": _disk_mb(place)}
            case _:
                before = _worked_ms(contender.process())
                times = [_timed(acts[act], number) for number in numbers]
                said = {"ms": times, "worked": (_worked_ms(contender.process()) - before) / len(times)}
        print(json.dumps(said), flush=True)
    return 0


def _timed(function: Any, *arguments: Any) -> float:
    """Return how many milliseconds a call takes."""
    started = time.perf_counter()
    function(*arguments)
    return (time.perf_counter() - started) * 1e3


def _worked_ms(process: int) -> float:
    """Return the processor time of a process so far, its ended threads included; 0 where the system is not Linux."""
    if sys.platform != "linux":
        return 0.0
    return time.clock_gettime_ns(~process << 3 | _OF_PROCESS) / 1e6


def _resident_mb(process: int) -> float:
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return 0.0
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def _disk_mb(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
