"""How long an agent waits for what it is told before a turn, on a desk of many facts, without a language model.

python -m tests.bench.prompt_context [FACTS [CHANNELS]]     100,000 in one channel unless said otherwise
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from memdesk.engine.context.prompt import context
from memdesk.engine.engine import Engine
from memdesk.engine.opening import open_engine
from memdesk.files.places import Desk
from memdesk.model.context import Message
from memdesk.model.prompt import AskContext
from tests.bench.many_facts import AUTHOR, CHANNEL, claims, fill

TURNS = 200
PAUSE_S = 0.02
"""Between two turns, as no agent asks without a pause; what was told is written down meanwhile."""


def main(arguments: Sequence[str]) -> int:
    count, channels = (*map(int, arguments), *(100_000, 1)[len(arguments) :])
    with tempfile.TemporaryDirectory() as folder:
        engine = open_engine(Desk(Path(folder) / "desk"))
        fill(engine, count, channels)
        print(f"{count:,} facts in {channels} channels: {told(*measured(engine, count))}")
        engine.close()
    return 0


def measured(engine: Engine, count: int, turns: int = TURNS) -> tuple[list[float], list[float]]:
    """(milliseconds a turn waited, milliseconds of processor time it took), each sorted."""
    drawn, known = random.Random(5), list(claims(min(count, 2_000)))
    waited, worked = [], []
    for turn in range(turns + 5):
        ask = AskContext(messages=_talk(drawn, known), channel=CHANNEL, session_id="bench")
        started, busy = time.perf_counter(), time.thread_time()
        answer = context(engine, ask, author=AUTHOR)
        if turn >= 5:
            waited.append((time.perf_counter() - started) * 1e3)
            worked.append((time.thread_time() - busy) * 1e3)
        assert answer.pieces
        time.sleep(PAUSE_S)
    return sorted(waited), sorted(worked)


def told(waited: list[float], worked: list[float]) -> str:
    def at(times: list[float], share: float) -> float:
        return times[int(len(times) * share)]

    return (
        f"waited p50 {at(waited, 0.5):.1f} ms, p95 {at(waited, 0.95):.1f} ms; "
        f"processor time p50 {at(worked, 0.5):.1f} ms, p95 {at(worked, 0.95):.1f} ms"
    )


def _talk(drawn: random.Random, known: list[str]) -> tuple[Message, ...]:
    """A context of nine messages; each of the user's asks about a fact in some of its words."""
    asks = (" ".join(drawn.sample(drawn.choice(known).split(), 4)) for _ in range(9))
    return tuple(
        {"role": ("user", "assistant")[n % 2], "content": f"What did we say about {words}?"}
        for n, words in enumerate(asks)
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
