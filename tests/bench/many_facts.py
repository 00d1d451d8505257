"""A desk of many made-up facts, for measuring what grows with memory.

Words are drawn by Zipf's law from 20,000, as words of a language are: the commonest stands in one fact of twenty,
most in a handful. Names, verbs and dates are added, so that a fact has ten to sixteen words.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.model.change import EDITS_AT_MOST, Change
from memdesk.model.fact import CATEGORIES, FACT, Fact, claim_hash
from memdesk.model.kind import new_id
from memdesk.model.message import message
from memdesk.store import beliefs, counters, digests, fading
from memdesk.store.connection import Connection
from memdesk.store.indexing import STORED, Index, scope_of, text_hash
from memdesk.store.journal import Journal

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


READ_COMPLETELY = 100_000
"""Up to so many facts, the claim of each is read for beliefs; of more, every tenth: reading takes most of the time."""
_AT_ONCE = 20 * EDITS_AT_MOST


def fill(engine: Engine, count: int, channels: int = 1) -> None:
    """Give a desk so many facts in so many channels, with their vectors. The first channel is CHANNEL.

    Rows, journal and indexes are written table by table, in a quarter of the time that changes take."""
    named = [CHANNEL, *(f"{CHANNEL}-{n}" for n in range(1, channels))]
    for name in named:
        ensure_channel(engine, "local", name, author=AUTHOR)
    at, drawn, numbers = engine.clock(), random.Random(3), itertools.count()
    made = (_fact(engine, claim, named[next(numbers) % channels], at, drawn) for claim in claims(count))
    every = 1 if count <= READ_COMPLETELY else 10
    model = engine.models.embedder
    while facts := list(itertools.islice(made, _AT_ONCE)):
        vectors = [vector.astype(STORED).tobytes() for vector in model.embed([fact.claim for fact in facts])]

        def write(
            db: Connection, index: Index, journal: Journal, facts: Any = facts, vectors: Any = vectors
        ) -> None:
            index.fit(model.dimension)
            _load(db, index, facts, vectors, model.name)
            for fact in facts[::every]:
                beliefs.follow(db, index.claim_keys, None, vars_of(fact))
            for start in range(0, len(facts), EDITS_AT_MOST):
                _journal(db, journal, facts[start : start + EDITS_AT_MOST])

        engine.store.maintain(write).result()
    engine.store.submit(lambda db: _finish(db, engine.settings.decay_per_day)).result()


def vars_of(fact: Fact) -> dict[str, Any]:
    """Return the fields of a fact by name."""
    return {name: getattr(fact, name) for name in FACT.columns}


def _load(db: Connection, index: Index, facts: Sequence[Fact], vectors: Sequence[bytes], model: str) -> None:
    first = 1 + db.value("SELECT ifnull(max(id), 0) FROM embeddings")
    scopes = {fact.channel: scope_of(fact.user_id, fact.channel, FACT.name) for fact in facts}
    rows = [tuple(vars_of(fact).values()) for fact in facts]
    db.load("records", ("seq", "id", "kind"), ((fact.seq, fact.id, FACT.name) for fact in facts))
    db.load(
        "facts",
        (*FACT.columns, "digest"),
        ((*row, digests.digest_of_new("facts", row, digests.TYPES["facts"])) for row in rows),
    )
    db.load(
        "embeddings",
        ("id", "hash", "model", "vector"),
        (
            (first + n, text_hash(fact.claim), model, vector)
            for n, (fact, vector) in enumerate(zip(facts, vectors, strict=True))
        ),
    )
    db.run_many(
        "INSERT INTO searchable VALUES (?,?,?,?,?,?,?)",
        (
            (f.seq, FACT.name, f.user_id, f.channel, text_hash(f.claim), first + n, claim_hash(f.claim))
            for n, f in enumerate(facts)
        ),
    )
    for fact, vector in zip(facts, vectors, strict=True):
        index._add_words(fact.seq, fact.claim, scopes[fact.channel])
        index._add_vector(fact.seq, scopes[fact.channel], vector)


def _journal(db: Connection, journal: Journal, facts: Sequence[Fact]) -> None:
    """Journal the creation of facts as one change."""
    number = journal.next_id()
    edits = [(n, FACT.name, fact.id, None, json.dumps(vars_of(fact))) for n, fact in enumerate(facts)]
    db.run_many("INSERT INTO edits VALUES (?,?,?,?,?,?)", ((number, *edit) for edit in edits))
    change = Change(
        op="learn", title=message("{count} facts", count=len(edits)), author=AUTHOR, edits=(), channel=CHANNEL
    )
    journal._write_down(change, journal.clock(), edits, 0)


def _finish(db: Connection, decay_per_day: float) -> None:
    fading.forget(db)
    fading.use_decay(db, decay_per_day)
    db.run("DELETE FROM categories")
    counters.add_to_categories(
        db,
        db.each(
            "SELECT user_id, channel, category, vector FROM facts JOIN embeddings ON hash = ("
            "SELECT text_hash FROM searchable WHERE searchable.seq = facts.seq)"
        ),
    )
    db.run(
        "INSERT INTO scopes SELECT user_id, channel, kind, random() FROM searchable WHERE true GROUP BY 1, 2, 3 "
        "ON CONFLICT (user_id, channel, kind) DO UPDATE SET version = excluded.version"
    )


def _fact(engine: Engine, claim: str, channel: str, at: int, drawn: random.Random) -> Fact:
    return Fact(
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
