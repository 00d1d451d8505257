"""A desk of many made-up facts, for measuring what grows with memory.

Words are drawn by Zipf's law from 20,000, as words of a language are: the commonest stands in one fact of twenty,
most in a handful. Names, verbs and dates are added, so that a fact has ten to sixteen words.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.channels import ensure_channel
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.fact import CATEGORIES, FACT, Fact
from memdesk.model.kind import new_id
from memdesk.store import records

CHANNEL = "tidepool"
AUTHOR = "agent:bench"
WORDS, FLAT = 20_000, 20
NAMES = 300
_VERBS = (
    "prefers",
    "decided on",
    "moved to",
    "pays for",
    "repaired",
    "must never touch",
    "keeps",
    "depends on",
    "bought",
    "is allergic to",
    "wants to learn",
    "reports to",
    "stopped using",
    "documents",
    "measures",
    "plays",
    "waits for",
    "sold",
    "painted",
    "lost",
    "found",
    "collects",
    "rents",
    "designs",
    "tests",
    "cooks with",
    "writes about",
)
_SYLLABLES = (
    "ka",
    "lo",
    "mi",
    "ten",
    "ra",
    "vo",
    "shi",
    "bel",
    "nor",
    "da",
    "que",
    "fi",
    "sun",
    "ar",
    "zo",
    "pel",
    "ti",
    "gra",
)
_MONTHS = (
    "January",
    "March",
    "April",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def vocabulary(count: int, drawn: random.Random) -> list[str]:
    """So many made-up words."""
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(drawn.choices(_SYLLABLES, k=drawn.randint(2, 5)))] = None
    return list(found)


def claims(count: int, *, seed: int = 11) -> Iterator[str]:
    """So many claims."""
    drawn = random.Random(seed)
    words = vocabulary(WORDS + NAMES, drawn)
    names, words = [name.title() for name in words[:NAMES]], words[NAMES:]
    weights = list(itertools.accumulate(1 / (rank + FLAT) for rank in range(WORDS)))
    for number in range(count):
        some = drawn.choices(words, cum_weights=weights, k=drawn.randint(5, 9))
        told = f"{drawn.choice(names)} {drawn.choice(_VERBS)} {' '.join(some)}"
        if number % 3 == 0:
            told += f" since {drawn.randint(1, 28)} {drawn.choice(_MONTHS)} {1990 + number % 37}"
        yield told


def fill(engine: Engine, count: int, channels: int = 1) -> None:
    """Give a desk so many facts in so many channels, with their vectors. The first channel is CHANNEL."""
    named = [CHANNEL, *(f"{CHANNEL}-{n}" for n in range(1, channels))]
    for name in named:
        ensure_channel(engine, "local", name, author=AUTHOR)
    at, drawn = engine.clock(), random.Random(3)
    told = (_fact(engine, claim, named[n % channels], at, drawn) for n, claim in enumerate(claims(count)))
    while edits := tuple(itertools.islice(told, EDITS_AT_MOST)):
        engine.store.apply(
            Change(op="learn", title=f"{len(edits)} facts", author=AUTHOR, edits=edits, channel=CHANNEL)
        )
    while embed_pending(engine):
        pass


def _fact(engine: Engine, claim: str, channel: str, at: int, drawn: random.Random) -> Edit:
    fact = Fact(
        seq=engine.store.new_seq(),
        id=new_id(FACT.prefix, at),
        user_id="local",
        channel=channel,
        agent_id="bench",
        claim=claim,
        category=drawn.choice(CATEGORIES),
        confidence=0.9,
        source="explicit",
        source_turn_id=None,
        quote="",
        temporal="current",
        promoted_from=None,
        superseded_by=None,
        pinned=0,
        salience=drawn.uniform(0.2, 0.9),
        salience_at=at - drawn.randint(0, 10**13),
        created_at=at - drawn.randint(0, 10**13),
    )
    return records.creation_edit(FACT, fact)
