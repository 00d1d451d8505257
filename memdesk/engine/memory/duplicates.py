"""Facts and entities that may duplicate or contradict others, found by words, names and meaning. Proposed to
a person, never decided here."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.extraction.gate import RELATED_COSINE, Duplicate, Flag, NewClaim, Rules, StoredFact, judge
from memdesk.engine.extraction.normal_forms import content
from memdesk.engine.memory.draft import Draft
from memdesk.engine.wording import check_limit, shortened
from memdesk.model.browse import Similar
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.channel import GLOBAL
from memdesk.model.entity import ENTITY, Entity
from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT, Fact, claim_hash
from memdesk.model.message import Message, message
from memdesk.model.review import PROPOSAL, AskDuplicates, DuplicateList, DuplicatePair, Proposal, Proposed
from memdesk.store import browsing, proposing, records, search, semantic
from memdesk.store.connection import Connection
from memdesk.store.search import Scope

NEAR = 20
OF_ONE_SUBJECT = 50
"""Most facts about the same entities that a fact is compared with, the newest; in addition to the nearest in
meaning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Result of comparing a fact with others. same: facts with the same claim in other words. contrary:
    (fact, reason for the contradiction)."""

    same: tuple[Fact, ...] = ()
    contrary: tuple[tuple[Fact, Message], ...] = ()


def compare_with_channel(engine: Engine, db: Connection, fact: Fact, channel: str) -> Comparison:
    """Compare a fact with the current facts of a channel. The fact, its original and its copies are left out."""
    cosines = _near(engine, db, fact, channel)
    near: list[Fact] = [record for _, record in records.by_seq(db, cosines).values()]
    about = semantic.facts_about(db, fact.user_id, channel, semantic.subjects_of(db, fact.id), OF_ONE_SUBJECT)
    others = {each.id: each for each in (*near, *about) if not same_lineage(fact, each)}.values()
    return compare_facts(engine, fact, ((each, cosines.get(each.seq)) for each in others))


def compare_facts(engine: Engine, fact: Fact, others: Iterable[tuple[Fact, float | None]]) -> Comparison:
    """Compare a fact with others, given as (fact, cosine or None if unknown)."""
    rules = Rules(duplicate_cosine=engine.settings.duplicate_cosine, contradictions="flag_review")
    claim = NewClaim(claim=fact.claim, confidence=fact.confidence, temporal=fact.temporal)
    same: list[Fact] = []
    contrary: list[tuple[Fact, Message]] = []
    for other, cosine in others:
        match judge(claim, [_stored(other, cosine)], rules):
            case Duplicate():
                same.append(other)
            case Flag(reason=reason):
                contrary.append((other, reason))
    return Comparison(same=tuple(same), contrary=tuple(contrary))


def _stored(fact: Fact, cosine: float | None) -> StoredFact:
    return StoredFact(
        id=fact.id, claim=fact.claim, confidence=fact.confidence, temporal=fact.temporal, cosine=cosine
    )


def _near(engine: Engine, db: Connection, fact: Fact, channel: str) -> dict[int, float]:
    """Return the cosines of the nearest facts of a channel by search number; empty while the fact has no
    vector.

    The fact's vector is read, not computed: this runs while a change is decided, and a model may be slow."""
    vector = search.vector_of(db, fact.seq, engine.embedder.name)
    if vector is None:
        return {}
    scope = Scope(user_id=fact.user_id, channels=(channel,), kinds=("fact",))
    found = search.by_vector(db, vector, scope, engine.embedder.name)[:NEAR]
    return {seq: cosine for seq, cosine in found if cosine >= RELATED_COSINE}


def same_lineage(fact: Fact, other: Fact) -> bool:
    """Return True if two facts are the same, or one is the promoted copy of the other."""
    return other.id == fact.id or fact.promoted_from == other.id or other.promoted_from == fact.id


NEARLY = 0.88
"""Share of common letters (difflib) from which two names may be one: Postgres and PostgreSQL have 0.89."""
LETTERS_AT_LEAST = 6
"""Fewest letters of a name that is only nearly the same as another: Anna and Hanna are two names."""
_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")
_ENDS = 4
"""Letters at either end that nearly equal names usually share."""


@dataclass(frozen=True, kw_only=True)
class Names:
    """Names and type of an entity, for comparison."""

    name: str
    aliases: tuple[str, ...]
    type: str

    @cached_property
    def folded(self) -> str:
        return folded(self.name)

    @cached_property
    def all_folded(self) -> frozenset[str]:
        return frozenset(filter(None, map(folded, (self.name, *self.aliases))))

    @cached_property
    def words(self) -> list[str]:
        return _WORD.findall(_plain(self.name))

    @cached_property
    def digits(self) -> list[str]:
        return _DIGITS.findall(self.folded)

    @cached_property
    def initials(self) -> str:
        """First letters of a name of several words, "" for a single word."""
        return "".join(word[0] for word in self.words) if len(self.words) > 1 else ""

    @cached_property
    def keys(self) -> frozenset[str]:
        """Keys that this name shares with every name it could match."""
        found = {f"name {each}" for each in self.all_folded}
        found |= {f"begins {self.folded[:_ENDS]}", f"ends {self.folded[-_ENDS:]}"}
        found |= {f"word {word}" for word in self.words if len(word) > 2}
        return frozenset(found | {f"name {self.initials}"} if self.initials else found)


def alike(one: Names, other: Names) -> Message | None:
    """Return the reason why two names may mean one thing, in words; None if there is none. Numbers must agree."""
    if one.folded == other.folded:
        return message("the same name but for case, width or punctuation")
    if common := one.all_folded & other.all_folded:
        return message("both go by “{common}”", common=_as_written(min(common), one))
    if one.digits != other.digits:
        return None
    for short, long in ((one, other), (other, one)):
        if _abbreviates(short, long):
            return message("“{short}” may be short for “{long}”", short=short.name, long=long.name)
    share = _likeness(one, other)
    return None if share is None else message("nearly the same name ({count})", count=f"{share:.2f}")


def folded(name: str) -> str:
    """Return a name in lower case, without spaces and punctuation, with compatibility forms replaced by
    ordinary ones."""
    return "".join(_WORD.findall(_plain(name))).replace("_", "")


def _plain(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _as_written(form: str, names: Names) -> str:
    return next(each for each in (names.name, *names.aliases) if folded(each) == form)


def _abbreviates(short: Names, long: Names) -> bool:
    """Return True if the short name is an acronym of the long one ("UN"), or has words cut to initials ("M.
    Lindqvist")."""
    if len(short.folded) > 1 and short.folded == long.initials and short.name.isupper():
        return True
    cut, whole = short.words, long.words
    if len(cut) != len(whole) or len(cut) < 2 or short.type != long.type:
        return False
    pairs = list(zip(cut, whole, strict=True))
    return all(a == b or (len(a) == 1 and b.startswith(a)) for a, b in pairs) and any(
        a == b for a, b in pairs
    )


def _likeness(one: Names, other: Names) -> float | None:
    """Return the share of common letters of two nearly equal names of one type, None if they differ more."""
    if one.type != other.type or min(len(one.folded), len(other.folded)) < LETTERS_AT_LEAST:
        return None
    matcher = difflib.SequenceMatcher(None, one.folded, other.folded, autojunk=False)
    if matcher.real_quick_ratio() < NEARLY or matcher.quick_ratio() < NEARLY:
        return None
    share = matcher.ratio()
    return share if share >= NEARLY else None


LOOKED_AT = 20_000
"""Newest facts and newest entities that are compared."""
NEIGHBOURS = 40
"""Memories of the same key that each memory is compared with: those that follow it. A key shared by more says
little."""
PAIRS_AT_MOST = 400
KINDS = ("entity", "fact")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two memories that may be one. A merge keeps the one in `_global`, else the older."""

    lost: Any
    kept: Any
    reason: Message


def duplicates(engine: Engine, ask: AskDuplicates) -> DuplicateList:
    """Return pairs of current entities and facts that may be one, entities first. Raises BadAsk."""
    with engine.store.reading() as db:
        found = _found(engine, db, ask, ask.limit + 1)
        rows = tuple(_row(db, pair) for pair in found[: ask.limit])
    return DuplicateList(rows=rows, more=len(found) > ask.limit)


def propose_duplicates(engine: Engine, ask: AskDuplicates, *, author: str) -> Proposed:
    """Add possible duplicates to the review queue; a pair that was asked about before is never asked again."""
    with engine.store.reading() as db:
        found = _found(engine, db, ask, PAIRS_AT_MOST, fresh=True)[: ask.limit]

    def verb(db: Connection) -> tuple[Change | None, int]:
        edits = tuple(edit for pair in found for edit in _question(engine, db, pair))[:EDITS_AT_MOST]
        title = message("Asked about {count} possible duplicates", count=len(edits))
        return Change(
            op="learn", title=title, author=author, edits=edits, user_id=ask.user_id
        ) if edits else None, len(edits)

    applied, proposed = engine.store.decide(verb)
    return Proposed(proposed=proposed, change=None if applied is None else applied.id)


def ordered(one: Any, other: Any) -> tuple[Any, Any]:
    """Return (lost, kept) of two memories to merge: the one in `_global` is kept, else the older."""
    newer, older = sorted((one, other), key=lambda each: int(each.seq), reverse=True)
    return (older, newer) if newer.channel == GLOBAL != older.channel else (newer, older)


def _found(
    engine: Engine, db: Connection, ask: AskDuplicates, at_most: int, *, fresh: bool = False
) -> list[Pair]:
    check_limit(ask.limit, PAIRS_AT_MOST)
    if strange := [kind for kind in ask.kinds if kind not in KINDS]:
        raise BadAsk(
            message(
                "“{strange}” has no duplicates; kinds are {kinds}.",
                strange=strange[0],
                kinds=", ".join(KINDS),
            )
        )
    return list(
        islice((pair for pair in _pairs(engine, db, ask) if not fresh or not _asked(db, pair)), at_most)
    )


def _pairs(engine: Engine, db: Connection, ask: AskDuplicates) -> Iterator[Pair]:
    if "entity" in ask.kinds:
        yield from _entities(db, ask)
    if "fact" in ask.kinds:
        yield from _facts(engine, db, ask)


def _entities(db: Connection, ask: AskDuplicates) -> Iterator[Pair]:
    entities = browsing.newest_records(db, ENTITY, ask.user_id, ask.channels, LOOKED_AT)
    aliases = semantic.aliases_by_entity(db, ask.user_id)
    names = {
        each.id: Names(name=each.name, aliases=tuple(aliases.get(each.id, ())), type=each.type)
        for each in entities
    }
    for one, other in _candidates(entities, lambda each: names[each.id].keys):
        if reason := alike(names[one.id], names[other.id]):
            lost, kept = ordered(one, other)
            yield Pair(lost=lost, kept=kept, reason=reason)


def _facts(engine: Engine, db: Connection, ask: AskDuplicates) -> Iterator[Pair]:
    for one, other in _candidates(_sharing(db, ask), lambda fact: _claim_keys(fact.claim)):
        if same_lineage(one, other):
            continue
        cosine = search.cosine_between(db, one.seq, other.seq, engine.embedder.name)
        if compare_facts(engine, one, [(other, cosine)]).same:
            lost, kept = ordered(one, other)
            yield Pair(lost=lost, kept=kept, reason=message("the same claim, said twice"))


def _sharing(db: Connection, ask: AskDuplicates) -> list[Fact]:
    """Return the newest facts that share a key with another, newest first: the few that are worth reading."""
    newest: dict[int, int] = {}
    seqs: set[int] = set()
    for seq, claim in browsing.newest_texts(db, FACT, ask.user_id, ask.channels, LOOKED_AT):
        for key in _claim_keys(claim):
            if (other := newest.setdefault(key, seq)) != seq:
                seqs |= {seq, other}
    return sorted(records.many(db, FACT, "seq", list(seqs)), key=lambda fact: -fact.seq)


@lru_cache(maxsize=LOOKED_AT)
def _claim_keys(claim: str) -> tuple[int, ...]:
    """Return the keys of a claim: itself, and its meaningful words. Duplicates share one of them.

    Numbers, of which 20,000 take little memory; two claims with one by chance are compared and found apart."""
    words = content(claim)
    keys = {hash(claim_hash(claim))}
    if words.words:
        keys.add(hash((frozenset(words.words), words.denied)))
    return tuple(keys)


def _candidates(
    records: Sequence[Any], keys_of: Callable[[Any], Iterable[Hashable]]
) -> Iterator[tuple[Any, Any]]:
    """Return pairs that share a key and may be merged, each once: of one channel, or one of the two in `_global`."""
    groups: dict[Hashable, list[Any]] = defaultdict(list)
    for record in records:
        for key in keys_of(record):
            groups[key].append(record)
    seen: set[tuple[str, str]] = set()
    for group in groups.values():
        for one, other in _near_in(group):
            ids = (one.id, other.id) if one.id < other.id else (other.id, one.id)
            if ids not in seen and (one.channel == other.channel or GLOBAL in (one.channel, other.channel)):
                seen.add(ids)
                yield one, other


def _near_in(group: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    for place, one in enumerate(group):
        for other in group[place + 1 : place + 1 + NEIGHBOURS]:
            yield one, other


def _question(engine: Engine, db: Connection, pair: Pair) -> list[Edit]:
    newer, older = sorted((pair.lost, pair.kept), key=lambda each: int(each.seq), reverse=True)
    draft = Draft(engine=engine, db=db, user_id=newer.user_id, channel=newer.channel, at=engine.clock())
    draft.propose("duplicate", newer.id, older.id, reason=pair.reason, details={"kept": pair.kept.id})
    return draft.edits


def _asked(db: Connection, pair: Pair) -> bool:
    return proposing.was_proposed(db, "duplicate", pair.lost.id, pair.kept.id)


def _row(db: Connection, pair: Pair) -> DuplicatePair:
    return DuplicatePair(
        kind="fact" if isinstance(pair.lost, Fact) else "entity",
        id=pair.lost.id,
        title=_title(pair.lost),
        channel=pair.lost.channel,
        kept_id=pair.kept.id,
        kept_title=_title(pair.kept),
        kept_channel=pair.kept.channel,
        reason=pair.reason,
        asked=_asked(db, pair),
    )


def _title(record: Fact | Entity) -> str:
    return shortened(record.claim if isinstance(record, Fact) else record.name, 200)


SIMILAR_FROM = 0.80
"""Least cosine of the bundled table at which two claims usually have one meaning; AgentX uses 0.92 with a
larger model."""
SHOWN = 5


def similar_to(
    engine: Engine, db: Connection, fact: Fact, *, channels: tuple[str, ...]
) -> tuple[Similar, ...]:
    """Return current facts of these channels that may repeat `fact`, nearest first. Empty while it has no vector."""
    vector = search.vector_of(db, fact.seq, engine.embedder.name)
    if vector is None:
        return ()
    scope = Scope(user_id=fact.user_id, channels=channels, kinds=("fact",))
    near = [(seq, cosine) for seq, cosine in search.by_vector(db, vector, scope, engine.embedder.name)][
        : SHOWN * 4
    ]
    found = records.by_seq(db, [seq for seq, cosine in near if cosine >= SIMILAR_FROM])
    return tuple(
        Similar(id=other.id, title=other.claim, channel=other.channel, similarity=min(1.0, cosine))
        for seq, cosine in near
        if seq in found and not same_lineage(fact, other := found[seq][1])
    )[:SHOWN]


DISMISS = "dismiss"


def closing_edits(
    db: Connection, type: str, subject_id: str, other_id: str | None, decision: str, *, at: int
) -> list[Edit]:
    """Return the edits that close every open question of this type about a memory or a pair."""
    asked = proposing.proposals_about(db, type, subject_id, other_id)
    return [decision_edit(each, decision, at=at) for each in asked if each.status == "open"]


def decision_edit(question: Proposal, decision: str, *, at: int) -> Edit:
    """Return the edit that records a decision on a question."""
    status = "dismissed" if decision == DISMISS else "accepted"
    return records.update_edit(PROPOSAL, question, status=status, decision=decision, decided_at=at)
