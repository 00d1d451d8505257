"""Place of the right fact among short facts of an agent's life, by kind of question, and how often nothing is refused.

python -m tests.bench.short_facts [FILE]

One channel has every fact of a file: of `short_facts.txt`, then of `other_facts.txt`, if none is named; each by the
bundled table, then with the extra `facts`, if it is installed. `refused` is the share of a kind that is not called
answered: right for `nothing`, wrong for the others."""

from __future__ import annotations

import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import preview
from memdesk.files.places import Desk
from memdesk.model.extras import is_installed
from memdesk.model.recall import ANSWERED, Query
from memdesk.model.remember import NewFact

CHANNEL = "life"
FILES = tuple(Path(__file__).with_name(name) for name in ("short_facts.txt", "other_facts.txt"))
DEPTH = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Question with the claims that answer it, none for one about nothing that is there."""

    kind: str
    text: str
    claims: frozenset[str]


def main() -> None:
    """Print the table of each file."""
    for file in [Path(name) for name in sys.argv[1:]] or FILES:
        for model in (False, True) if is_installed("facts") else (False,):
            print(
                f"\n{file.name}, {'with the extra `facts`' if model else 'the bundled table'}\n", flush=True
            )
            measure(file, model=model)


def measure(file: Path, *, model: bool) -> None:
    """Learn the facts of a file on a throwaway desk and print its table. model: with the model for facts."""
    facts, questions = read(file)
    with tempfile.TemporaryDirectory(prefix="memdesk-bench-") as folder:
        engine = open_engine(Desk(Path(folder)))
        engine.use(replace(engine.settings, facts_model=model))
        try:
            for claim in facts.values():
                learn_fact(engine, NewFact(claim=claim, channel=CHANNEL), author="person:bench")
            while embed_pending(engine):
                pass
            for line in table(engine, questions):
                print(line, flush=True)
        finally:
            engine.close()


def read(file: Path) -> tuple[dict[str, str], list[Asked]]:
    """Return the claims by id, and the questions."""
    facts: dict[str, str] = {}
    questions: list[Asked] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "F":
            name, _, facts[name] = rest.partition(" ")
        elif mark == "Q":
            kind, ids, text = rest.split(" ", 2)
            claims = frozenset(facts[name] for name in ids.split(",") if name != "-")
            questions.append(Asked(kind=kind, text=text, claims=claims))
    return facts, questions


def table(engine: Engine, questions: list[Asked]) -> Iterator[str]:
    """Yield the table in Markdown, a row for each kind of question and one for all."""
    rows: dict[str, list[tuple[float, float, bool]]] = defaultdict(list)
    started = time.process_time()
    for asked in questions:
        bundle = preview(engine, Query(text=asked.text, channel=CHANNEL, kinds=("fact",), limit=DEPTH))
        places = [place for place, hit in enumerate(bundle.hits, 1) if hit.text in asked.claims]
        found = len(places) / max(1, len(asked.claims))
        row = (1 / places[0] if places else 0.0, found, bundle.answer != ANSWERED)
        for kind in (asked.kind, "all with an answer") if asked.claims else (asked.kind,):
            rows[kind].append(row)
    took_ms = (time.process_time() - started) * 1e3 / len(questions)
    yield f"| questions | count | MRR | recall@{DEPTH} | refused |"
    yield "|---|---|---|---|---|"
    for kind, found_rows in rows.items():
        first, share, refused = (mean(column) for column in zip(*found_rows, strict=True))
        measured = "|  | " if kind == "nothing" else f"| {first:.3f} | {100 * share:.1f} "
        yield f"| {kind} | {len(found_rows)} {measured}| {100 * refused:.0f} % |"
    yield f"\n{took_ms:.1f} ms of processor time a question"


if __name__ == "__main__":
    main()
