"""MemDesk beside its neighbours: the same generated facts, in turns, in one run.

    python3 packaging/run.py bench [--sizes 1000,10000,100000] [--million] [--alone] [--keep FOLDER] [--rounds 10]
        [--out build/bench]

chromadb, LanceDB, the reference MCP memory server and matplotlib are installed into an environment in the cache folder;
where a registry cannot be reached, what is missing is left out and named. Prints a table for each size, and writes it
with the figures and curves to the folder of `--out`. All searches return ten facts. A second table has what MemDesk's
own calls cost: pages of its window, and an agent's prompt. `--keep`: memories are filled in that folder, and MemDesk's
are used as an earlier run has left them there."""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from platformdirs import user_cache_path

from memdesk.engine.providers.embedder import StaticTable
from tests.bench.contenders import TURNS
from tests.bench.many_facts import claims

CHECKOUT = Path(__file__).parents[2]
SIZES = (1_000, 10_000, 100_000)
MILLION = 1_000_000
PACKAGES = ("chromadb", "lancedb", "matplotlib")
MCP_SERVER = "@modelcontextprotocol/server-memory"
OWN = "memdesk"
ACTS = {"recall": 20, "add": 5}
"""Calls of one contender before it is the turn of the next."""
WARM = 3
TOO_MANY = {"mcp memory": 100_000}
"""Most facts of a contender that rewrites or reads all of them at each call."""
SHARES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}


def main(arguments: Sequence[str]) -> int:
    asked = _asked(arguments)
    asked.out.mkdir(parents=True, exist_ok=True)
    env = None if asked.alone else Neighbours(user_cache_path("memdesk") / "bench")
    commands: dict[str, list[str]] = {OWN: [sys.executable, "-m", "tests.bench.contenders"]}
    if env is not None:
        commands |= env.commands()
    results: list[dict[str, Any]] = []
    for size in (*asked.sizes, *((MILLION,) if asked.million else ())):
        here = {name: command for name, command in commands.items() if size <= TOO_MANY.get(name, size)}
        found = measured(size, here, asked.rounds, asked.keep)
        results += found
        print(table(size, found), flush=True)
        print(calls_table(found[0]["calls"]), flush=True)
        (asked.out / "figures.json").write_text(json.dumps(results, indent=1))
    if env is not None:
        env.draw(asked.out)
    return 0


def _asked(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="packaging/run.py bench")
    parser.add_argument("--sizes", type=lambda text: [int(part) for part in text.split(",")], default=SIZES)
    parser.add_argument("--million", action="store_true", help="also a million facts")
    parser.add_argument("--alone", action="store_true", help="MemDesk without its neighbours")
    parser.add_argument("--keep", type=Path, help="folder of filled memories, kept for a later run")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--out", type=Path, default=CHECKOUT / "build" / "bench")
    return parser.parse_args(arguments)


class Neighbours:
    """Environment of the neighbours, made where it is missing. What cannot be installed is named and left out."""

    def __init__(self, folder: Path) -> None:
        self._python, self._node = folder / "venv" / "bin" / "python", folder / "node"
        if not self._python.exists():
            venv.create(folder / "venv", with_pip=True)
        pip = [str(self._python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        self._packages = {name for name in PACKAGES if _runs([*pip, name], f"{name} is left out")}
        self._server = self._node / "node_modules" / MCP_SERVER / "dist" / "index.js"
        if not self._server.exists() and (npm := shutil.which("npm")):
            self._node.mkdir(parents=True, exist_ok=True)
            _runs([npm, "install", "--prefix", str(self._node), MCP_SERVER], f"{MCP_SERVER} is left out")

    def commands(self) -> dict[str, list[str]]:
        """Return the command of each neighbour that is there."""
        script = [str(self._python), str(Path(__file__).with_name("contenders.py"))]
        found = {"chroma": "chromadb", "lancedb": "lancedb"}
        commands = {name: script for name, package in found.items() if package in self._packages}
        if self._server.exists():
            commands["mcp memory"] = ["env", f"MCP_MEMORY_SERVER={self._server}", *script]
        return commands

    def draw(self, folder: Path) -> None:
        """Draw the curves of `figures.json` as PNG."""
        if "matplotlib" in self._packages:
            script = str(Path(__file__).with_name("curves.py"))
            _runs([str(self._python), script, str(folder)], "The curves are left out")


def _runs(command: Sequence[str], otherwise: str) -> bool:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        print(f"{otherwise}: {' '.join(last)}", flush=True)
    return done.returncode == 0


class Running:
    """Process of one contender."""

    def __init__(self, name: str, command: Sequence[str], folder: Path, data: Path) -> None:
        self._process = subprocess.Popen(
            [*command, name, str(folder), str(data)],
            cwd=CHECKOUT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, act: str, *numbers: int) -> Any:
        """Return the answer of the contender. Raises RuntimeError if it ended."""
        assert self._process.stdin is not None and self._process.stdout is not None
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps([act, *numbers]) + "\n")
            self._process.stdin.flush()
        # A library may print before it answers.
        while line := self._process.stdout.readline():
            try:
                return json.loads(line)
            except ValueError:
                continue
        raise RuntimeError(f"The contender ended at {act}.")

    def end(self) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()


def measured(
    size: int, commands: dict[str, list[str]], rounds: int, keep: Path | None = None
) -> list[dict[str, Any]]:
    """Return the figures of each contender at one size: milliseconds of each call, MB, and seconds to fill and open.

    keep: folder with a desk of an earlier run, and for a later one; neighbours are filled anew."""
    with tempfile.TemporaryDirectory(prefix="md-") as made, ExitStack() as stack:
        data = Path(made) / "data"
        recalls, adds = WARM + rounds * ACTS["recall"], WARM + rounds * ACTS["add"]
        write_data(data, size, recalls=recalls, adds=adds, alone=list(commands) == [OWN])
        running, found = {}, []
        for name, command in commands.items():
            folder = (keep or Path(made)) / f"{name.replace(' ', '-')}-{size}"
            if name != OWN:
                shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True, exist_ok=True)
            try:
                running[name], figures = _opened(name, command, folder, data, stack)
            except RuntimeError as ended:
                if name == OWN:
                    raise
                print(f"{name} is left out at {size:,} facts: {ended}", flush=True)
                continue
            found.append({"name": name, "size": size, **figures} | {f"{act}_worked": [] for act in ACTS})
        for turn in range(rounds):
            for figures in found:
                for act, count in ACTS.items():
                    told = running[figures["name"]].ask(act, *_numbers(turn, count))
                    figures[act] += told["ms"]
                    figures[f"{act}_worked"].append(told["worked"])
        for figures in found:
            figures |= running[figures["name"]].ask("size")
            figures["calls"] = running[figures["name"]].ask("calls")
            running[figures["name"]].ask("close")
    return found


def _opened(
    name: str, command: list[str], folder: Path, data: Path, stack: ExitStack
) -> tuple[Running, dict[str, Any]]:
    """Fill a contender, open it in a new process, and let it warm up. Raises RuntimeError if it ends."""
    filling = Running(name, command, folder, data)
    stack.callback(filling.end)
    filled = filling.ask("fill") / 1e3
    filling.end()
    # Opened in a new process, so that memory and start are those of a memory that is used.
    each = Running(name, command, folder, data)
    stack.callback(each.end)
    opened = each.ask("open") / 1e3
    worked = each.ask("worked") / 1e3
    for act in ACTS:
        each.ask(act, *range(WARM))
    return each, {"fill_s": filled, "open_s": opened, "open_worked_s": worked, **{act: [] for act in ACTS}}


def _numbers(turn: int, count: int) -> range:
    return range(WARM + turn * count, WARM + (turn + 1) * count)


def write_data(folder: Path, size: int, *, recalls: int, adds: int, alone: bool) -> None:
    """Write claims, questions about some of them in four of their words, and new claims, with their vectors.

    alone: for MemDesk, which makes claims and vectors itself."""
    folder.mkdir()
    drawn, known = Random(7), list(claims(size))
    data = {
        "claims": [] if alone else known,
        "queries": [
            f"What did we say about {' '.join(drawn.sample(drawn.choice(known).split(), 4))}?"
            for _ in range(recalls)
        ],
        "new": list(claims(adds, seed=99)),
    }
    own = {"turns": list(claims(TURNS, seed=98)), "size": size}
    (folder / "data.json").write_text(json.dumps(data | own))
    for name, texts in () if alone else data.items():
        np.save(folder / f"{name}.npy", StaticTable().embed(texts))


def table(size: int, found: Sequence[dict[str, Any]]) -> str:
    """Return a table of one size; ratios are of the median to MemDesk's."""
    lines = [
        f"\n{size:,} facts: milliseconds (p50 / p95 / p99), ratio to MemDesk, processor's milliseconds\n",
        "| | recall | | | add, durable | | | MB in memory | MB on disk | filled, s | open, s / of the processor |",
        f"|{'---|' * 11}",
    ]
    own = found[0]
    for each in found:
        cells = [each["name"]]
        for act in ACTS:
            cells += [" / ".join(f"{ms:.1f}" for ms in _quantiles(each[act])), _ratio(each[act], own[act])]
            cells.append(f"{statistics.median(each[f'{act}_worked']):.1f}")
        cells += [f"{each['memory_mb']:.0f}", f"{each['disk_mb']:.1f}"]
        cells += [f"{each['fill_s']:.1f}", f"{each['open_s']:.2f} / {each['open_worked_s']:.2f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def calls_table(calls: Mapping[str, float]) -> str:
    """Return a table of what MemDesk's own calls cost, in milliseconds of the processor."""
    lines = ["", "| MemDesk, processor's milliseconds unless named otherwise | |", "|---|---|"]
    return "\n".join([*lines, *(f"| {name} | {cost:,.1f} |" for name, cost in calls.items())])


def _quantiles(times: Sequence[float]) -> Iterator[float]:
    ordered = sorted(times)
    for share in SHARES.values():
        yield ordered[min(int(len(ordered) * share), len(ordered) - 1)]


def _ratio(times: Sequence[float], own: Sequence[float]) -> str:
    return f"{next(_quantiles(times)) / next(_quantiles(own)):.2f}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
