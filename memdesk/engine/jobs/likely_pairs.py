"""Pairs of facts that likely clash, or say the same, though no rule knows it: found by meaning, judged by the learned
judge, and asked about. Nothing gives way to another by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memdesk.engine.beliefs.comparing import Verdict
from memdesk.engine.beliefs.pair_judge import judge_pair
from memdesk.engine.beliefs.reading import read
from memdesk.engine.engine import Engine
from memdesk.engine.memory.believe import PAST, SERIES
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.duplicates import same_lineage
from memdesk.engine.memory.line_links import is_current
from memdesk.engine.workspace.disk import one_comparer
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.fact import EXTRACTED, FACT, IMPORTED, Fact
from memdesk.model.message import Message, message
from memdesk.store import checkups, proposing, records, search
from memdesk.store.connection import Connection
from memdesk.store.search import Scope

AUTHOR = "job:checkup"
"""Name of the checkup: what is asked here counts among its questions of a day."""
PAIRED = ("contradiction", "duplicate")
"""Questions about two facts."""
NEIGHBOURS = 3
"""Older facts with which one is compared: of facts that clash with it, the nearest is one of three."""
NEW_AT_MOST = 1_000
"""New facts from which they came in bulk, about which the checkup asks, a few a day."""
LIKELY_CLASH = message("They may not both be true.")
LIKELY_SAME = message("They may say the same in other words.")


@dataclass(frozen=True, slots=True, kw_only=True)
class LikelyPair:
    """Fact and the older one with which it clashes, or that it repeats. sure: the probability of that, 0 to 1."""

    fact: Fact
    older: Fact
    verdict: Verdict
    sure: float

    @property
    def reason(self) -> Message:
        return LIKELY_SAME if self.verdict is Verdict.SAME else LIKELY_CLASH


def likely_pair(engine: Engine, db: Connection, fact: Fact, at: int) -> LikelyPair | None:
    """Return the likeliest pair of a fact and an older one of its channel that a person is to be asked about; None if
    there is none, or while the fact has no vector. Raises EmbedderUnavailable."""
    if fact.temporal == PAST or fact.has_ended(at):
        return None
    found: list[LikelyPair] = []
    for older in _nearest(engine, db, fact, at):
        odds = judge_pair(fact.claim, older.claim)
        verdict = odds.verdict(from_talk=EXTRACTED in (fact.source, older.source))
        if verdict is not Verdict.APART:
            found.append(LikelyPair(fact=fact, older=older, verdict=verdict, sure=odds.clash + odds.same))
    # As with SERIES other values of a slot: "crate 1 is insured", "crate 2 is insured".
    return max(found, key=lambda pair: pair.sure) if 0 < len(found) < SERIES else None


def _nearest(engine: Engine, db: Connection, fact: Fact, at: int) -> list[Fact]:
    """Return the older facts nearest in meaning, without those that hold at another time or come from the same place:
    what a turn or an imported file says was not meant to replace itself."""
    model = engine.embedder.name
    vector = search.vector_of(db, fact.seq, model)
    if vector is None:
        return []
    scope = Scope(user_id=fact.user_id, channels=(fact.channel,), kinds=("fact",))
    near = [seq for seq, _ in search.by_vector(db, vector, scope, model) if seq < fact.seq][: 4 * NEIGHBOURS]
    facts = records.by_seq(db, near)
    return [
        other
        for seq in near
        if seq in facts
        and _may_clash(fact, other := facts[seq][1], at)
        and not _of_one_place(db, fact, other)
    ][:NEIGHBOURS]


def _may_clash(fact: Fact, other: Fact, at: int) -> bool:
    return (
        is_current(other)
        and not other.has_ended(at)
        and other.temporal != PAST
        and not same_lineage(fact, other)
        and not of_other_speakers(fact, other)
    )


def of_other_speakers(fact: Fact, other: Fact) -> bool:
    """Return True for claims of two agents of themselves: "I" is another one in each."""
    return fact.agent_id != other.agent_id and read(fact.claim).personal and read(other.claim).personal


def _of_one_place(db: Connection, fact: Fact, other: Fact) -> bool:
    if fact.source_turn_id is not None:
        return fact.source_turn_id == other.source_turn_id
    if not fact.source == other.source == IMPORTED:
        return False
    files = checkups.places_in_files(db, [fact.id, other.id])
    here, there = ({document for document, _ in files.get(each.id, ())} for each in (fact, other))
    return not here.isdisjoint(there)


def ask_about_new(engine: Engine, *, more_to_embed: bool = False) -> int:
    """Ask about the likely pairs of the facts that were learned since the last call; return how many.

    more_to_embed: those from the first one without a vector on are left to the next call. Imports, of files too, are
    left to the checkup, which asks a few questions a day."""
    with engine.store.reading() as db:
        newest = search.head(db).change
        after, engine.facts_compared = engine.facts_compared, newest
        if after is None or newest <= after:
            return 0
        made = checkups.new_facts(db, after, newest, NEW_AT_MOST)
        if len(made) == NEW_AT_MOST:
            return 0
        if more_to_embed:
            model = engine.embedder.name
            waits = (change for change, fact in made if search.vector_of(db, fact.seq, model) is None)
            newest = engine.facts_compared = next(waits, newest + 1) - 1
        facts = [fact for change, fact in made if change <= newest]
        found = [*_likely(engine, db, facts)]
    users = dict.fromkeys(pair.fact.user_id for pair in found)
    return sum(_ask(engine, [pair for pair in found if pair.fact.user_id == user]) for user in users)


def _likely(engine: Engine, db: Connection, facts: Sequence[Fact]) -> Iterator[LikelyPair]:
    # Kept in the snapshot, where each fact's is found without a read of its own.
    search.vectors(db, [fact.seq for fact in facts if fact.source != IMPORTED], engine.embedder.name)
    for fact in facts:
        if fact.source != IMPORTED and (pair := likely_pair(engine, db, fact, engine.clock())) is not None:
            yield pair


def _ask(engine: Engine, pairs: Sequence[LikelyPair]) -> int:
    """Ask about pairs of one user in one change; return how many were not asked about before."""

    def verb(db: Connection) -> tuple[Change | None, int]:
        edits = [edit for pair in pairs for edit in _question(engine, db, pair)][:EDITS_AT_MOST]
        if not edits:
            return None, 0
        title = message("Asked about {count} likely contradictions and duplicates", count=len(edits))
        change = Change(
            op="learn", title=title, author=AUTHOR, edits=tuple(edits), user_id=pairs[0].fact.user_id
        )
        return change, len(edits)

    with one_comparer:  # A question about a fact that is being undone would keep the fact.
        _, asked = engine.store.decide(verb)
    return asked


def _question(engine: Engine, db: Connection, pair: LikelyPair) -> list[Edit]:
    facts = [records.get(db, FACT, each.id) for each in (pair.fact, pair.older)]
    if not all(fact is not None and is_current(fact) for fact in facts):
        return []
    if any(proposing.was_proposed(db, type, pair.fact.id, pair.older.id) for type in PAIRED):
        return []
    if proposing.quarantined_among(db, [pair.fact.id, pair.older.id]):
        return []
    draft = Draft(
        engine=engine,
        db=db,
        user_id=pair.fact.user_id,
        channel=pair.fact.channel,
        agent_id=None,
        at=engine.clock(),
    )
    draft.question(
        "duplicate" if pair.verdict is Verdict.SAME else "contradiction",
        pair.fact.id,
        pair.older.id,
        reason=pair.reason,
        details={"claims": [pair.fact.claim, pair.older.claim], "by": AUTHOR},
    )
    return draft.edits
