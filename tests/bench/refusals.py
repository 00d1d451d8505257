"""Questions that recall refuses: rightly, those about nothing that is there or the wrong person; wrongly, its own.

python -m tests.bench.refusals locomo.json [TALK ...]

Each talk is a channel, and its turns are asked. *off-topic*: the English questions of the sets of short facts;
*foreign*: every eighth question of the other talks; *wrong subject*: the trick questions, which name the other speaker.
Refused is what is not called answered. Thresholds are those of the engine, which has seen the development talks."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

from memdesk.engine.engine import Engine
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import preview
from memdesk.files.places import Desk
from memdesk.model.recall import ANSWERED, Query
from tests.bench.locomo import DEPTH, TRICK, Talk, load, store
from tests.bench.short_facts import FILES, read

EVERY = 8


def main(arguments: Sequence[str]) -> int:
    """Print a row for each talk, and one for all."""
    wanted = set(arguments[1:])
    talks = [talk for talk in load(Path(arguments[0])) if not wanted or talk.name in wanted]
    off = [asked.text for file in FILES for asked in read(file)[1] if asked.text.isascii()]
    every: dict[str, list[bool]] = {}
    with tempfile.TemporaryDirectory(prefix="memdesk-bench-") as folder:
        engine = open_engine(Desk(Path(folder)))
        try:
            store(engine, talks)
            for talk in talks:
                found = dict(refused(engine, talk, talks, off))
                if not every:
                    print(f"| refused, % | {' | '.join(found)} |\n|---|{'---|' * len(found)}")
                for name, values in found.items():
                    every.setdefault(name, []).extend(values)
                print(row(talk.name, found), flush=True)
        finally:
            engine.close()
    print(row("all", every))
    return 0


def refused(
    engine: Engine, talk: Talk, talks: Sequence[Talk], off: Sequence[str]
) -> Iterator[tuple[str, list[bool]]]:
    """Yield (kind of question, True for each that is refused)."""
    asked = {
        "own": [each.text for each in talk.questions if each.category != TRICK],
        "wrong subject": [each.text for each in talk.questions if each.category == TRICK],
        "off-topic": off,
        "foreign": [each.text for other in talks if other is not talk for each in other.questions[::EVERY]],
    }
    for name, texts in asked.items():
        yield name, [_answer(engine, talk, text) != ANSWERED for text in texts]


def row(name: str, found: dict[str, list[bool]]) -> str:
    return f"| {name} | {' | '.join(f'{100 * mean(values):.1f}' if values else '' for values in found.values())} |"


def _answer(engine: Engine, talk: Talk, text: str) -> str:
    return preview(engine, Query(text=text, channel=talk.name, kinds=("turn",), limit=DEPTH)).answer


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
