"""Share of a question's evidence that recall finds through facts alone, beside turns alone.

python -m tests.bench.facts_alone locomo.json [TALK ...]

Every session is consolidated by cues. A fact stands for the turn that it was read from, and, counted apart, also for
the turns before whose words it quotes."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.extraction.transcript import EARLIER_TURNS
from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.run import begin
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import recall
from memdesk.files.places import Desk
from memdesk.model.recall import Query
from tests.bench.ablation import recalled
from tests.bench.locomo import DEPTH, TRICK, Question, Talk, load, scored, store

QUOTED = 20
"""Last letters of a turn by which a quotation of it is known."""


def main(arguments: Sequence[str]) -> int:
    wanted = set(arguments[1:])
    talks = [talk for talk in load(Path(arguments[0])) if not wanted or talk.name in wanted]
    print("| talk | turns | recall@10, turns | recall@10, facts | share | with what they quote | share |")
    print("|---|---|---|---|---|---|---|")
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
    facts = [by_facts(engine, talk, each.text) for each in asked]
    read = [share(each, {turns[0] for turns in found}) for each, found in zip(asked, facts, strict=True)]
    told = [share(each, set().union(*found)) for each, found in zip(asked, facts, strict=True)]
    best, one, other = (100 * sum(each) / len(asked) for each in (turns, read, told))
    return (
        f"| {talk.name} | {len(talk.turns)} | {best:.1f} | {one:.1f} | {100 * one / best:.0f} % "
        f"| {other:.1f} | {100 * other / best:.0f} % |"
    )


def share(question: Question, turns: set[str]) -> float:
    """Return the share of a question's evidence among these turns."""
    return len(turns.intersection(question.evidence)) / len(set(question.evidence))


def by_facts(engine: Engine, talk: Talk, question: str) -> list[list[str]]:
    """Return the turns of each of the best facts, best first: the one that it was read from, then those it quotes."""
    query = Query(text=question, channel=talk.name, kinds=("fact",), limit=DEPTH)
    places = {turn.turn_id: place for place, turn in enumerate(talk.turns)}
    found = []
    for hit in recall(engine, query, author="person:bench").hits:
        if (turn_id := hit.provenance.turn_id) in places:
            place = places[turn_id]
            before = talk.turns[max(0, place - EARLIER_TURNS) : place]
            claim = _plain(hit.text)
            found.append([turn_id, *(each.turn_id for each in before if _is_quoted(each.content, claim))])
    return found


def _is_quoted(said: str, claim: str) -> bool:
    """Return True if a claim has the last words of a turn."""
    return _plain(said.partition(" [shares ")[0])[-QUOTED:] in claim


def _plain(text: str) -> str:
    """Return the letters of a text without the dates behind its times."""
    return re.sub(r"\W+", "", re.sub(r" \([^)]*\)", "", text)).lower()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
