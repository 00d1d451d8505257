"""Share of questions whose answer is in what an agent is told before a turn, by the budget, without a language model.

python -m tests.bench.told locomo.json [BUDGET ...]

An answer is told if all its content words are; evidence is told if its turn is, or a fact that was read from it."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memdesk.engine.context.messages import tokens_in
from memdesk.engine.context.prompt import preview
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.run import begin
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.files.places import Desk
from memdesk.model.fact import FACT
from memdesk.model.prompt import AskContext
from memdesk.store import records
from memdesk.store.words import folded
from tests.bench.locomo import TRICK, Talk, load, store

BUDGETS = (300, 1_000, 2_000, 4_000, 10_000, 50_000)
EVERY = 3
"""Every third question is asked."""
STEM = 5
"""Letters by which two words count as the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Question with its answer in words, and the turns that are its evidence."""

    text: str
    answer: frozenset[str]
    evidence: frozenset[str]


def main(arguments: Sequence[str]) -> int:
    path, *given = arguments
    budgets = tuple(map(int, given)) or BUDGETS
    talks = load(Path(path))
    asked = answers(Path(path), talks)
    with tempfile.TemporaryDirectory(prefix="memdesk-bench-") as folder:
        engine = open_engine(Desk(Path(folder)))
        try:
            store(engine, talks)
            consolidate(begin(engine, "consolidate", progress=ignore_progress))
            while embed_pending(engine):
                pass
            print(
                "| budget | tokens told | most | answers told | evidence told | ms |\n|---|---|---|---|---|---|"
            )
            for budget in budgets:
                print(row(engine, asked, budget), flush=True)
        finally:
            engine.close()
    return 0


def row(engine: Engine, asked: dict[str, list[Asked]], budget: int) -> str:
    """Return one line of the table."""
    with engine.store.reading() as db:
        sources = {fact.id: fact.source_turn_id for fact in records.find(db, FACT)}
    tokens, found, told = [], [], []
    began = time.perf_counter()
    for channel, questions in asked.items():
        for each in questions:
            ask = AskContext(text=each.text, channel=channel, budget_tokens=budget)
            given = preview(engine, ask, author="person:bench")
            tokens.append(tokens_in(given.text))
            found.append(is_told(each.answer, given.text))
            ids = {sources.get(id, id) for piece in given.pieces for id in piece.ids}
            told.append(len(ids & each.evidence) / len(each.evidence))
    ms = (time.perf_counter() - began) * 1e3 / len(tokens)
    shares = " | ".join(f"{100 * sum(values) / len(values):.1f}" for values in (found, told))
    return f"| {budget:,} | {sum(tokens) / len(tokens):,.0f} | {max(tokens):,} | {shares} | {ms:.0f} |"


def is_told(answer: frozenset[str], text: str) -> bool:
    """Return True if every word of an answer is in a text."""
    return answer <= words(text)


def words(text: str) -> frozenset[str]:
    """Return the content words of a text, cut to their stems."""
    plain = "".join(each if each.isalnum() else " " for each in folded(text).lower())
    return frozenset(word[:STEM] for word in plain.split() if word not in COMMON)


COMMON = frozenset(
    """
    a an and are as at be by for from had has have he her his i in is it its of on or she that the their them they
    this to was were with yes no not who what when where
    """.split()  # noqa: SIM905
)


def answers(path: Path, talks: Sequence[Talk], every: int = EVERY) -> dict[str, list[Asked]]:
    """Return the questions of each talk whose answer has words; trick questions and those of time are left out."""
    raw: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    said = {
        (talk["sample_id"], qa["question"]): str(qa.get("answer", "")) for talk in raw for qa in talk["qa"]
    }
    return {
        talk.name: [
            Asked(text=each.text, answer=words(said[talk.name, each.text]), evidence=each.evidence)
            for each in talk.questions
            if each.category != TRICK and words(said.get((talk.name, each.text), ""))
        ][::every]
        for talk in talks
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
