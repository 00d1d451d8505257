"""How long an agent waits for what it is told before a turn, on a desk of many facts, without a language model.

python -m tests.bench.prompt_context [FACTS [CHANNELS [TURNS]]]     100,000 in one channel, no turns by default
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
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.remember import store_turns
from memdesk.engine.opening import open_engine
from memdesk.files.places import Desk
from memdesk.model.context import Message
from memdesk.model.prompt import AskContext
from memdesk.model.remember import NewTurn, NewTurns
from tests.bench.many_facts import AUTHOR, CHANNEL, claims, fill

TURNS = 200
A_TALK = 100
PAUSE_S = 0.02
"""Between two turns, as no agent asks without a pause; what was told is written down meanwhile."""


def main(arguments: Sequence[str]) -> int:
    count, channels, turns = (*map(int, arguments), *(100_000, 1, 0)[len(arguments) :])
    with tempfile.TemporaryDirectory() as folder:
        engine = open_engine(Desk(Path(folder) / "desk"))
        fill(engine, count, channels)
        fill_turns(engine, turns)
        print(f"{count:,} facts in {channels} channels, {turns:,} turns: {told(*measured(engine, count))}")
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


def fill_turns(engine: Engine, count: int) -> None:
    """Give the first channel so many turns of two claims each, with their vectors, a hundred to a conversation."""
    said = list(claims(count + 1, seed=12))
    for first in range(0, count, A_TALK):
        talk = tuple(
            NewTurn(
                conversation_id=f"talk-{first}",
                role=("user", "assistant")[n % 2],
                content=f"{said[n]}. {said[n + 1]}.",
                channel=CHANNEL,
            )
            for n in range(first, min(first + A_TALK, count))
        )
        store_turns(engine, NewTurns(turns=talk), author=AUTHOR)
    while embed_pending(engine):
        pass


def _talk(drawn: random.Random, known: list[str]) -> tuple[Message, ...]:
    """A context of nine messages; each of the user's asks about a fact in some of its words."""
    asks = (" ".join(drawn.sample(drawn.choice(known).split(), 4)) for _ in range(9))
    return tuple(
        {"role": ("user", "assistant")[n % 2], "content": f"What did we say about {words}?"}
        for n, words in enumerate(asks)
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
