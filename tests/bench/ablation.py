"""What each signal of the ranking is worth: every one switched off in turn, on a file of LoCoMo conversations.

Run as `python -m tests.bench.ablation FILE`; prints a table in Markdown. Nothing is kept. Processor time is that of the
asking thread: what a recall costs on a machine with other work.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, quantiles

from memdesk.engine.engine import Engine
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.candidates import Pool, gather
from memdesk.engine.recall.evidence import Line, covered, evidence, map_to_line
from memdesk.engine.recall.fusion import WEIGHTS, Signals, Weights, fuse
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.recall.time_mentions import dates_in
from memdesk.files.places import Desk
from memdesk.model.channel import LOCAL_USER
from memdesk.model.instant import to_datetime
from memdesk.model.recall import Query
from memdesk.store.search import Scope
from tests.bench.locomo import CATEGORIES, DEPTH, TRICK, Score, Talk, load, scored, store

Ranker = Callable[[Engine, Talk, str], Sequence[str]]
"""Ids of the best turns for a question, best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A ranking with something off. alone: no turn lends to its neighbours. kin: words near in meaning count."""

    name: str
    weights: Weights = WEIGHTS
    alone: bool = False
    kin: bool = True


VARIANTS = (
    Variant(name="all signals"),
    *(
        Variant(name=f"without {name}", weights=replace(WEIGHTS, **{name: 0.0}))
        for name in (
            "words",
            "meaning",
            "coverage",
            "speaker",
            "time",
            "session",
            "reply",
            "answer",
            "detail",
            "question",
        )
    ),
    Variant(name="without kin", kin=False),
    Variant(name="without neighbours", alone=True),
    Variant(name="words alone", weights=replace(WEIGHTS, meaning=0.0), kin=False, alone=True),
    Variant(name="meaning alone", weights=replace(WEIGHTS, words=0.0, coverage=0.0), alone=True),
)


def main() -> None:
    """Store the conversations on a throwaway desk and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="a LoCoMo file, such as locomo10.json")
    talks = load(parser.parse_args().file)
    with tempfile.TemporaryDirectory(prefix="memdesk-bench-") as folder:
        engine = open_engine(Desk(Path(folder)))
        try:
            store(engine, talks)
            for line in table(engine, talks):
                print(line, flush=True)
        finally:
            engine.close()


def table(engine: Engine, talks: Sequence[Talk]) -> Iterator[str]:
    """The table line by line: the whole recall, then each variant of its ranking."""
    kinds = " | ".join(CATEGORIES.values())
    times = "p50 ms | p95 ms | p50 CPU ms | p95 CPU ms"
    yield f"| ranking | recall@{DEPTH} | hit@{DEPTH} | MRR | {kinds} | {times} |"
    yield "|" + "---|" * (8 + len(CATEGORIES))
    yield _row("recall", engine, talks, recalled)
    for variant in VARIANTS:
        yield _row(variant.name, engine, talks, ranker(variant))


def recalled(engine: Engine, talk: Talk, question: str) -> Sequence[str]:
    """The whole recall, with its techniques and its rules of choice."""
    query = Query(text=question, channel=talk.name, kinds=("turn",), limit=DEPTH)
    return [hit.id for hit in recall(engine, query, author="person:bench").hits]


def ranker(variant: Variant) -> Ranker:
    """The ranking by itself: the pool and its fusion, with a variant's signals off."""

    def best(engine: Engine, talk: Talk, question: str) -> Sequence[str]:
        scope = Scope(user_id=LOCAL_USER, channels=(talk.name, "_global"), kinds=("turn",))
        with engine.store.reading() as db:
            pool = gather(engine, db, question, scope, active=talk.name)
        return [pool.sources[seq].id for seq in _ranked(engine, pool, question, variant)]

    return best


def _ranked(engine: Engine, pool: Pool, question: str, variant: Variant) -> Iterator[int]:
    line, cosines = pool.line, pool.meaning
    if variant.alone:
        line, cosines = Line([replace(item, index=None) for item in pool.items]), pool.cosines
    postings = pool.postings if variant.kin else [replace(each, kin=()) for each in pool.postings]
    now = to_datetime(engine.clock()).astimezone()
    signals = Signals(named=pool.speakers, times=tuple(dates_in(question, now)), wanted=pool.wanted)
    terms = map_to_line(postings, line)
    for hit in fuse(
        line,
        words=evidence(terms, line, rows=pool.size),
        cosines=cosines,
        coverage=covered(line, terms, pool.size),
        alone=pool.cosines,
        signals=signals,
        weights=variant.weights,
        limit=DEPTH,
    ):
        yield hit.seq


def _row(name: str, engine: Engine, talks: Sequence[Talk], rank: Ranker) -> str:
    scores: list[Score] = []
    took_ms: list[float] = []
    cpu_ms: list[float] = []
    for talk in talks:
        for question in talk.questions:
            started, busy = time.perf_counter(), time.thread_time()
            ids = rank(engine, talk, question.text)
            took_ms.append((time.perf_counter() - started) * 1e3)
            cpu_ms.append((time.thread_time() - busy) * 1e3)
            scores.append(scored(question, ids))
    return f"| {name} | {' | '.join((*_figures(scores), *_latency(took_ms), *_latency(cpu_ms)))} |"


def _figures(scores: Sequence[Score]) -> Iterator[str]:
    plain = [each for each in scores if each.category != TRICK]
    yield _percent([each.recall for each in plain])
    yield _percent([each.hit for each in plain])
    yield f"{mean(each.first for each in plain):.3f}" if plain else "–"
    for category in CATEGORIES:
        yield _percent([each.recall for each in scores if each.category == category])


def _percent(values: Sequence[float]) -> str:
    return f"{100 * mean(values):.1f}" if values else "–"


def _latency(took_ms: Sequence[float]) -> tuple[str, str]:
    """Median and 95th percentile; one question alone is both."""
    cuts = quantiles(took_ms, n=20) if len(took_ms) > 1 else [*took_ms] * 19
    return f"{cuts[9]:.1f}", f"{cuts[18]:.1f}"


if __name__ == "__main__":
    main()
