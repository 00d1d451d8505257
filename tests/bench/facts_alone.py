"""Share of a question's evidence that recall finds through facts alone, beside turns alone.

python -m tests.bench.facts_alone locomo.json [TALK ...]

Every session is consolidated by cues; a fact stands for the turn that it was read from."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.run import begin
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import recall
from memdesk.files.places import Desk
from memdesk.model.recall import Query
from tests.bench.ablation import recalled
from tests.bench.locomo import DEPTH, TRICK, Talk, load, scored, store


def main(arguments: Sequence[str]) -> int:
    wanted = set(arguments[1:])
    talks = [talk for talk in load(Path(arguments[0])) if not wanted or talk.name in wanted]
    print("| talk | turns | recall@10, turns | recall@10, facts | share |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="memdesk-bench-") as folder:
        engine = open_engine(Desk(Path(folder)))
        try:
            store(engine, talks)
            consolidate(begin(engine, "consolidate", progress=ignore_progress))
            while embed_pending(engine):
                pass
            for talk in talks:
                print(row(engine, talk), flush=True)
        finally:
            engine.close()
    return 0


def row(engine: Engine, talk: Talk) -> str:
    asked = [each for each in talk.questions if each.category != TRICK]
    turns = [scored(each, recalled(engine, talk, each.text)).recall for each in asked]
    facts = [scored(each, by_facts(engine, talk, each.text)).recall for each in asked]
    one, other = (100 * sum(each) / len(asked) for each in (turns, facts))
    return f"| {talk.name} | {len(talk.turns)} | {one:.1f} | {other:.1f} | {100 * other / one:.0f} % |"


def by_facts(engine: Engine, talk: Talk, question: str) -> list[str]:
    """Return the turns from which the best facts were read, best first."""
    query = Query(text=question, channel=talk.name, kinds=("fact",), limit=DEPTH)
    hits = recall(engine, query, author="person:bench").hits
    return [hit.provenance.turn_id for hit in hits if hit.provenance.turn_id]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
