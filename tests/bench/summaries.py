"""Share of questions that a summary without a model answers, beside random sentences of the same length.

python -m tests.bench.summaries locomo.json [TOKENS ...]

Each session is summarised as a compaction would; a question counts where its evidence is in the session, and its
answer's words are in the session's turns."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path

from memdesk.engine.context.messages import TurnText, facts_of, names, sentences_of, tokens_in
from memdesk.engine.context.summarisers import extract
from memdesk.engine.providers.embedder import StaticTable
from tests.bench.locomo import Talk, load
from tests.bench.told import Asked, answers, words

TOKENS = (100, 200, 400)
DRAWS = 5
SEED = 7


def main(arguments: Sequence[str]) -> int:
    path, *given = arguments
    talks = load(Path(path))
    asked = answers(Path(path), talks, every=1)
    embedder = StaticTable()
    print(
        "| tokens | talk | questions | summary | tokens told | random sentences |\n|---|---|---|---|---|---|"
    )
    for tokens in tuple(map(int, given)) or TOKENS:
        for talk in talks:
            print(row(talk, asked[talk.name], tokens, embedder), flush=True)
    return 0


def row(talk: Talk, questions: Sequence[Asked], tokens: int, embedder: StaticTable) -> str:
    """Return one line of the table."""
    drawn, found, by_chance, sizes = random.Random(SEED), list[float](), list[float](), list[int]()
    for turns, asked in sessions(talk, questions):
        said = sentences_of(turns)
        made = extract(said, names(turns), embedder, characters=tokens * 4, facts=facts_of(turns)).text
        sizes.append(tokens_in(made))
        told = words(made)
        found += [float(each.answer <= told) for each in asked]
        chance = [
            words(_random([f"{s.speaker}: {s.text}" for s in said], sizes[-1], drawn)) for _ in range(DRAWS)
        ]
        by_chance += [sum(each.answer <= text for text in chance) / DRAWS for each in asked]
    shares = [100 * sum(each) / max(1, len(each)) for each in (found, by_chance)]
    size = sum(sizes) / max(1, len(sizes))
    return f"| {tokens} | {talk.name} | {len(found)} | {shares[0]:.1f} | {size:.0f} | {shares[1]:.1f} |"


def sessions(talk: Talk, questions: Sequence[Asked]) -> list[tuple[list[TurnText], list[Asked]]]:
    """Return the turns of each session with the questions that they answer in words."""
    by_session: dict[str, list[TurnText]] = {}
    ids: dict[str, set[str]] = {}
    for index, turn in enumerate(talk.turns):
        session = turn.conversation_id or ""
        text = TurnText(index=index, role="user", speaker=turn.speaker or "", text=turn.content)
        by_session.setdefault(session, []).append(text)
        ids.setdefault(session, set()).add(turn.turn_id or "")
    return [
        (turns, [each for each in questions if each.evidence <= ids[name] and each.answer <= _all(turns)])
        for name, turns in by_session.items()
    ]


def _all(turns: Sequence[TurnText]) -> frozenset[str]:
    return words("\n".join(f"{turn.speaker}: {turn.text}" for turn in turns))


def _random(sentences: list[str], tokens: int, drawn: random.Random) -> str:
    left, told = tokens, list[str]()
    for each in drawn.sample(sentences, len(sentences)):
        if (cost := tokens_in(each)) <= left:
            told.append(each)
            left -= cost
    return "\n".join(told)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
