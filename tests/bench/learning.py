"""How long learning a fact takes on a desk that holds many, and how much of that the writer is kept from others.

python -m tests.bench.learning [FACTS ...]     10,000 and then 100,000 in one channel unless said otherwise
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.opening import open_engine
from memdesk.files.places import Desk
from memdesk.model.remember import NewFact
from tests.bench.many_facts import AUTHOR, CHANNEL, claims, fill

LEARNED = 100
WARM = 5


def main(arguments: Sequence[str]) -> int:
    for count in map(int, arguments or ("10000", "100000")):
        with tempfile.TemporaryDirectory() as folder:
            engine = open_engine(Desk(Path(folder) / "desk"))
            fill(engine, count)
            waited, worked = measured(engine)
            engine.close()
        median, late = LEARNED // 2, int(LEARNED * 0.95)
        print(
            f"{count:,} facts: learning one more p50 {waited[median]:.2f} ms, p95 {waited[late]:.2f} ms; "
            f"processor time p50 {worked[median]:.2f} ms, p95 {worked[late]:.2f} ms",
            flush=True,
        )
    return 0


def measured(engine: Engine, seed: int = 12) -> tuple[list[float], list[float]]:
    """(milliseconds that learning a fact took, milliseconds of processor time), each sorted.

    Claims are new ones, as nothing is learned twice.
    """
    waited, worked = [], []
    for number, claim in enumerate(claims(LEARNED + WARM, seed=seed)):
        started, busy = time.perf_counter(), time.process_time()
        learn_fact(engine, NewFact(claim=claim, channel=CHANNEL), author=AUTHOR)
        if number >= WARM:
            waited.append((time.perf_counter() - started) * 1e3)
            worked.append((time.process_time() - busy) * 1e3)
    return sorted(waited), sorted(worked)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
