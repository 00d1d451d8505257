"""Kill, damage, starve and tire MemDesk, and say in figures which of its promises hold.

    python -m tests.faults [kills|engines|damages|surroundings|endurance] [--count N] [--operations N] [--seed N]

Everything happens in a temporary folder, with services and sockets of its own. The exit code is 1 when a promise did
not hold. The whole takes hours; each part can be asked for alone, and with fewer of what it counts.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.faults import damage, endurance, engines, kills, surroundings
from tests.faults.figures import Figures

Part = Callable[[argparse.Namespace, Path, random.Random], Figures]
PARTS: dict[str, Part] = {
    "kills": lambda asked, folder, dice: kills.measure(asked.count, folder, dice, say),
    "engines": lambda asked, folder, dice: engines.measure(asked.count, folder, dice, say),
    "damages": lambda asked, folder, dice: damages(asked.count, folder, asked.seed),
    "surroundings": lambda asked, folder, dice: surroundings.measure(folder, say),
    "endurance": lambda asked, folder, dice: endurance.measure(asked.operations, folder, dice, say),
}


def main(arguments: Sequence[str]) -> int:
    """Measure the parts that are asked for, or all. Returns 1 where a promise did not hold."""
    asked = _read(arguments)
    broken = 0
    for name in [asked.part] if asked.part else PARTS:
        say(f"{name}, seed {asked.seed}")
        began = time.monotonic()
        with private_world() as folder:
            figures = PARTS[name](asked, folder, random.Random(f"{name} {asked.seed}"))
        broken += len(figures.broken)
        say("\n".join([*figures.lines(), f"{name}: {time.monotonic() - began:,.0f} s", ""]))
    say(f"Promises that did not hold: {broken}." if broken else "Every promise held.")
    return 1 if broken else 0


def damages(count: int, folder: Path, seed: int) -> Figures:
    """So many random damages, how they came out, and what the doctor gave back of those that were found.

    Silent, wrong and unnamed are those that no desk may have. again, lost: memories."""
    columns = (*damage.OUTCOMES, *damage.GIFTS, "again", "lost")
    told = Figures(f"damages: {count} random ones", ("damaged by", *columns))
    found: dict[str, Counter[str]] = {way: Counter() for way in damage.WAYS}
    for each in damage.rounds(count, seed, folder):
        found[each.way].update({each.outcome: 1, each.gift: 1, "again": each.again, "lost": each.lost})
        if each.is_broken:
            told.broken.append(f"{each.outcome} {each.gift}: {each.way}: {each.what}; {each.why}")
    found["together"] = sum(found.values(), Counter())
    told.rows = [(name, *(counts[column] for column in columns)) for name, counts in found.items()]
    return told


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "faults", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("part", nargs="?", choices=tuple(PARTS), help="only this part (default: all)")
    parser.add_argument(
        "--count",
        type=int,
        default=200,
        metavar="N",
        help="kills, failures of engines, and damages (default: 200)",
    )
    parser.add_argument(
        "--operations", type=int, default=1_000_000, metavar="N", help="of endurance (default: 1000000)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of everything random (default: 1)")
    return parser.parse_args(arguments)


@contextmanager
def private_world() -> Iterator[Path]:
    """A folder with a short path, in which also lies what a user's own folders would be for."""
    folder = Path(tempfile.mkdtemp(prefix="md-"))
    before = dict(os.environ)
    os.environ.pop("MEMDESK_DESK", None)
    for name in ("DATA_HOME", "CONFIG_HOME", "CACHE_HOME", "STATE_HOME", "RUNTIME_DIR"):
        os.environ[f"XDG_{name}"] = str(folder / name.lower())
    try:
        yield folder
    finally:
        os.environ.clear()
        os.environ.update(before)
        shutil.rmtree(folder, ignore_errors=True)


def say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
