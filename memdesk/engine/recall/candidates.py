"""Pool of memories to rank: those that contain the query's words, those near its meaning, and the turns around both."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from memdesk.engine.engine import Engine
from memdesk.engine.memory.rows import confidence_now, salience_now
from memdesk.engine.providers.embedder import related_words
from memdesk.engine.recall.evidence import RADIUS, Item, Line, Posting, meaning, most_read, posting, strongest
from memdesk.engine.recall.fusion import Wanted, wanted_answer
from memdesk.engine.recall.query import STOP_CHARACTERS, STOPWORDS, named, spaced_names, subject, terms
from memdesk.model.document import DOCUMENT, Document
from memdesk.model.entity import ALIAS, ENTITY, Entity
from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.fact import FACT
from memdesk.model.kind import Kind
from memdesk.model.kinds import BY_NAME, PASSAGE
from memdesk.model.message import Message, joined, message
from memdesk.model.strategy import STRATEGY
from memdesk.model.turn import TURN
from memdesk.store import recalls, records, search
from memdesk.store.connection import Connection
from memdesk.store.recalls import Use
from memdesk.store.search import Scope, Sought, Vector
from memdesk.store.words import is_run


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageSource:
    """Passage of a document, with the document."""

    document: Document
    heading: str
    first_line: int
    last_line: int
    text: str


class Sources(MutableMapping[int, Any]):
    """Mapping of search numbers to records. A pool has hundreds of turns and returns ten, so turns are read
    when needed."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._records: dict[int, Any] = {}
        self._digests: dict[int, bytes | None] = {}
        self._unread: set[int] = set()

    def add_turns(self, seqs: Iterable[int]) -> None:
        """Add turns found by `search.turns_around`, without reading them."""
        self._unread.update(seqs)

    def add_unchecked(self, record: Any, digest: bytes | None) -> None:
        """Add a record that `damaged` compares with its digest: a pool has hundreds and returns ten."""
        self[record.seq] = record
        self._digests[record.seq] = digest

    def read(self, seqs: Iterable[int]) -> None:
        """Read these turns in one statement: reading them separately costs a statement each."""
        for turn in records.many(self._db, TURN, "seq", [seq for seq in seqs if seq in self._unread]):
            self[turn.seq] = turn

    def damaged(self, seqs: Iterable[int]) -> set[int]:
        """Return the search numbers of these whose rows are damaged. Found memories are checked here, before
        they are shown."""
        wanted = list(seqs)
        self.read(wanted)
        found = {seq for seq in wanted if seq in self._unread}
        found |= {
            seq
            for seq in self._digests.keys() & wanted
            if not records.is_sound(self._db, self._records[seq], self._digests[seq])
        }
        passages = [seq for seq in wanted if isinstance(self._records.get(seq), PassageSource)]
        return found | (set(passages) - search.sound_passages(self._db, passages))

    def __getitem__(self, seq: int) -> Any:
        if seq in self._unread:
            self.read((seq,))
        return self._records[seq]

    def __setitem__(self, seq: int, record: Any) -> None:
        self._unread.discard(seq)
        self._records[seq] = record

    def __delitem__(self, seq: int) -> None:
        if seq in self._unread:
            self._unread.remove(seq)
        else:
            del self._records[seq]

    def __contains__(self, seq: object) -> bool:
        return seq in self._unread or seq in self._records

    def __iter__(self) -> Iterator[int]:
        yield from self._records
        yield from self._unread

    def __len__(self) -> int:
        return len(self._records) + len(self._unread)


POOL = 60
"""Memories taken by their words: 40 to 200 rank alike on LoCoMo, and each costs time."""
NEAR_REACH = 2
"""Number of turns taken around a turn found by its meaning alone: the window of its meaning."""
NEAR = 640
"""Most memories taken by their meaning: as many as one channel and `_global` give, however many channels are
searched."""
UNTRIED = 0.5
"""Success rate assumed for a strategy that has not been tried (AgentX)."""


@dataclass(slots=True, kw_only=True)
class Pool:
    """Candidates of a recall. `sources` maps search numbers to records: for an alias, its entity.

    terms, postings: words of the query, and the posting of each, then those of its dates. line: the items next to their
    neighbours. size: how many memories were searched, with turns that only lend;
    scope_size: without them. cosines, meaning: for every item that has a vector, its own nearness to the query and
    that of its window; empty when vectors are off. precise: nearness of facts by the model for facts. sources_of: the
    turn from which each fact was read, by search number. speakers, wanted: the speakers that the query names, and the
    kind of answer it asks for. reached: search numbers found by words and vectors. used: use of the records in the
    pool."""

    sources: Sources
    items: list[Item] = field(default_factory=list)
    terms: tuple[str, ...] = ()
    postings: list[Posting] = field(default_factory=list)
    cosines: dict[int, float] = field(default_factory=dict)
    meaning: dict[int, float] = field(default_factory=dict)
    precise: dict[int, float] = field(default_factory=dict)
    line: Line = Line(())
    wanted: Wanted | None = None
    speakers: frozenset[str] = frozenset()
    reached: frozenset[int] = frozenset()
    size: int = 0
    scope_size: int = 0
    used: dict[int, Use] = field(default_factory=dict)
    sources_of: dict[int, int] = field(default_factory=dict)
    notices: list[Message] = field(default_factory=list)


def gather(
    engine: Engine,
    db: Connection,
    text: str,
    scope: Scope,
    *,
    active: str | None,
    typing: bool = False,
    dates: Sequence[str] = (),
    also: Sequence[int] = (),
    lending: bool = False,
) -> Pool:
    """Return the pool of memories within the scope that match the query's words or meaning, and the facts that were
    read from them.

    active: the channel asked in. typing: the last word may be incomplete. dates: words of dates, which a memory
    need not contain. also: memories of the scope that
    the recall layer found, by search number. lending: turns of a scope without turns lend to the facts read from
    them."""
    pool = Pool(sources=Sources(db), wanted=wanted_answer(text))
    pool.scope_size, newest = search.size_of(db, scope)
    returned = TURN.name in scope.kinds
    if lending and not returned:
        scope = replace(scope, kinds=(*scope.kinds, TURN.name))
    pool.size = search.size_of(db, scope)[0]
    pool.terms, pool.postings = _postings(
        db, terms(text), dates, scope, newest=newest, rows=pool.size, typing=typing
    )
    found = dict.fromkeys(strongest(pool.postings, rows=pool.size, limit=POOL))
    has_turns = TURN.name in scope.kinds and search.has_any(db, scope.user_id, scope.channels, TURN.name)
    if has_turns:
        _add_turns(db, pool, list(found), active, RADIUS, returned)
    speakers = _speakers(pool)
    pool.speakers = named(text, speakers)
    vector, notices = query_vector(engine, db, subject(text, pool.speakers))
    pool.notices += notices
    if vector is not None:
        found |= dict.fromkeys(_near(engine, db, vector, scope))
    new = [seq for seq in (*found, *also) if seq not in pool.sources]
    kinds = recalls.candidates(db, scope, new, engine.embedder.name)
    if turns := kinds.pop(TURN.name, []):
        _add_turns(db, pool, turns, active, NEAR_REACH, returned)
    # In a large group a person's turns may be near in meaning alone: their texts have no name.
    before = pool.speakers
    if others := _speakers(pool) - speakers:
        pool.speakers |= named(text, others)
    if spaced := spaced_names(text, pool.speakers):
        names = terms(" ".join(pool.speakers))
        pool.terms, again = _postings(
            db, terms(spaced), dates, scope, newest=newest, rows=pool.size, typing=typing, about_known=True
        )
        pool.postings = [
            _with_turns_of(pool, each) if term in names else each
            for term, each in zip((*pool.terms, *dates), again, strict=True)
        ]
    if has_turns and FACT.name in scope.kinds:
        _add_facts_read(db, pool, kinds, scope, found)
    pool.reached = frozenset(found if returned else found.keys() - {item.seq for item in pool.items})
    _add(engine, db, pool, kinds, active)
    pool.line = Line(pool.items)
    if vector is not None:
        if pool.speakers != before:
            vector = engine.embedder.embed([subject(text, pool.speakers)])[0]
        _compare(engine, db, pool, vector)
    _compare_facts(engine, db, pool, text)
    return pool


def _speakers(pool: Pool) -> set[str]:
    """Return the speakers of the turns in the pool."""
    return {item.speaker for item in pool.items if item.speaker}


def _with_turns_of(pool: Pool, each: Posting) -> Posting:
    """Return the posting of a name with the turns of those who are named, which say it without writing it."""
    spoken = {item.seq for item in pool.items if item.speaker in pool.speakers}.difference(each.seqs)
    seqs = sorted((*each.seqs, *spoken), reverse=True)
    return replace(each, seqs=seqs, frequency=each.frequency + len(spoken))


def kindred(term: str) -> tuple[str, ...]:
    """Return words near a term in meaning, without stop words; none without the bundled table."""
    try:
        return tuple(word for word in related_words(term) if word not in STOPWORDS)
    except EmbedderUnavailable:
        return ()


def _postings(
    db: Connection,
    asked: Sequence[str],
    dates: Sequence[str],
    scope: Scope,
    *,
    newest: int,
    rows: int,
    typing: bool,
    about_known: bool = False,
) -> tuple[tuple[str, ...], list[Posting]]:
    """Return the terms asked for with the lone characters among them, and their postings, then those of the words of
    dates, with the hits of their kin.

    about_known: the query names a speaker, so that a lone character is evidence: without, it is in too many memories
    about other things."""
    # A small scope narrows its words as fast as what lies outside of it could be read.
    others = search.others(db, scope) if rows >= search.COUNTED else None
    every = (*asked, *dates)
    last = len(asked) - 1 if typing else -1
    alone = [Sought(terms=(term,), most=most_read(term), beginning=n == last) for n, term in enumerate(every)]
    kin = [Sought(terms=kindred(term), most=most_read(term)) for term in asked]
    found = search.postings_of(db, [*alone, *kin], scope, others=others)
    crossing = _across_words(asked, found)
    lone = _lone_characters(asked, found) if about_known else ()
    single = [Sought(terms=(character,), most=most_read(character)) for character in lone]
    heads, dated, near = found[: len(asked)], found[len(asked) : len(every)], found[len(every) :]
    heads += search.postings_of(db, single, scope, others=others) if lone else []
    near += [[] for _ in (*lone, *dates)]
    return (*asked, *lone), [
        posting(
            seqs,
            akin,
            newest=newest,
            rows=rows,
            most=most_read(term),
            optional=n >= len(asked) or n in crossing,
        )
        for n, (term, seqs, akin) in enumerate(
            zip((*asked, *lone, *dates), [*heads, *dated], near, strict=True)
        )
    ]


def _lone_characters(asked: Sequence[str], found: Sequence[Sequence[int]]) -> tuple[str, ...]:
    """Return the Chinese and Japanese characters of which no bigram is in any memory: a word of one character has other
    neighbours in a question than in its answer."""
    pairs = [n for n, term in enumerate(asked) if len(term) == 2 and is_run(term)]
    known = {character for n in pairs if found[n] for character in asked[n]}
    absent = dict.fromkeys(character for n in pairs if not found[n] for character in asked[n])
    return tuple(each for each in absent if each not in known and each not in STOP_CHARACTERS)


def _across_words(asked: Sequence[str], found: Sequence[Sequence[int]]) -> set[int]:
    """Return the places of Chinese and Japanese bigrams that are in no memory while one that overlaps them is: they
    reach across the end of a word, so that their absence says nothing."""
    pairs = [n for n in range(1, len(asked)) if asked[n - 1][-1:] == asked[n][:1] and is_run(asked[n])]
    return {
        absent
        for n in pairs
        for absent, present in ((n - 1, n), (n, n - 1))
        if not found[absent] and found[present] and len(asked[absent]) == 2
    }


def query_vector(engine: Engine, db: Connection, text: str) -> tuple[Vector | None, tuple[Message, ...]]:
    """Return (the vector of a query, notices); None without a known word, or if vectors are off, as a notice says."""
    if not db.vectors:
        return None, (message("This SQLite cannot search vectors, so words alone answered."),)
    try:
        vector: Vector = engine.embedder.embed([text])[0]
    except EmbedderUnavailable as error:
        return None, (joined(error.says, message("Words alone answered.")),)
    return vector if np.any(vector) else None, ()


def _near(engine: Engine, db: Connection, vector: Vector, scope: Scope) -> list[int]:
    """Return at most NEAR memories near a vector."""
    near = search.near(db, vector, scope, engine.embedder.name)
    if len(near) <= NEAR:
        return near
    cosines = search.cosines(db, vector, near, engine.embedder.name)
    return sorted(cosines, key=lambda seq: (-cosines[seq], seq))[:NEAR]


def _compare(engine: Engine, db: Connection, pool: Pool, vector: Vector) -> None:
    """Set the nearness in meaning of every item to the query, alone and with the turns around it."""
    seqs, vectors = search.vectors(db, [item.seq for item in pool.items], engine.embedder.name)
    # No vectors of another dimension: the embedder may have changed since the query was read.
    if vectors.shape[1] == vector.size:
        pool.cosines = dict(zip(seqs, (vectors @ vector).tolist(), strict=True))
        pool.meaning = meaning(pool.line, seqs, vectors, vector)


def _compare_facts(engine: Engine, db: Connection, pool: Pool, text: str) -> None:
    """Set the nearness of every fact by the model for facts, if there is one; a fact that waits for it has none."""
    model = engine.facts_model
    facts = [item.seq for item in pool.items if item.kind == FACT.name]
    if model is None or not facts:
        return
    try:
        vector: Vector = model.embed([text])[0]
    except EmbedderUnavailable as error:
        pool.notices.append(error.says)
        return
    seqs, vectors = search.fact_vectors(db, facts, model.name, model.dimension)
    pool.precise = meaning(
        Line([item for item in pool.items if item.kind == FACT.name]), seqs, vectors, vector
    )


def _add(engine: Engine, db: Connection, pool: Pool, kinds: dict[str, list[int]], active: str | None) -> None:
    """Add memories other than turns to the pool, by kind; those no longer stored are skipped."""
    if aliases := kinds.pop(ALIAS.name, []):
        _add_aliases(db, pool, aliases, active)
    if passages := kinds.pop(PASSAGE, []):
        _add_passages(db, pool, passages, active)
    if not kinds:
        return
    pool.used = recalls.uses(db, [seq for seqs in kinds.values() for seq in seqs])
    for kind, seqs in kinds.items():
        _add_records(engine, db, pool, BY_NAME[kind], seqs, active)


def _add_facts_read(
    db: Connection, pool: Pool, kinds: dict[str, list[int]], scope: Scope, found: Container[int]
) -> None:
    """Set the turns of the pool from which facts were read, and add the facts of those that were found themselves."""
    pool.sources_of = dict(search.facts_read_from(db, scope, [item.seq for item in pool.items]))
    facts = kinds.setdefault(FACT.name, [])
    known = set(facts)
    facts += [seq for seq, turn in pool.sources_of.items() if turn in found and seq not in known]


def _add_turns(
    db: Connection, pool: Pool, seqs: Sequence[int], active: str | None, reach: int, returned: bool
) -> None:
    new = [row for row in search.turns_around(db, seqs, reach) if row[0] not in pool.sources]
    pool.sources.add_turns(row[0] for row in new)
    pool.items += [
        Item(
            seq,
            "turn",
            content,
            at,
            conversation,
            index,
            speaker,
            here=_here(channel, active),
            returned=returned,
        )
        for seq, content, at, conversation, index, speaker, channel in new
    ]


def _add_records(
    engine: Engine, db: Connection, pool: Pool, kind: Kind[Any], seqs: Sequence[int], active: str | None
) -> None:
    """Add records of a kind other than turns.

    Only records with a salience fade; the confidence of a strategy is its success rate."""
    used, now = pool.used, engine.clock()
    rates = recalls.success_rates(db, seqs) if kind is STRATEGY else {}
    fades = "salience" in kind.columns
    for record, digest in records.unchecked(db, kind, seqs):
        pool.sources.add_unchecked(record, digest)
        pool.items.append(
            Item(
                seq=record.seq,
                kind=kind.name,
                at=record.created_at,
                text=" ".join([str(getattr(record, name)) for name in kind.text]),
                confidence=confidence_now(engine, record, used.get(record.seq), now)
                if kind is FACT
                else rates.get(record.seq, UNTRIED)
                if kind is STRATEGY
                else 1.0,
                salience=salience_now(engine, record, used.get(record.seq), now) if fades else 1.0,
                here=_here(record.channel, active),
            )
        )


def _add_aliases(db: Connection, pool: Pool, seqs: Sequence[int], active: str | None) -> None:
    aliases = records.many(db, ALIAS, "seq", seqs)
    entities: dict[str, Entity] = {
        each.id: each
        for each in records.many(db, ENTITY, "id", sorted({alias.entity_id for alias in aliases}))
        if each.retired_at is None
    }
    for alias in aliases:
        if alias.entity_id in entities:
            here = _here(alias.channel, active)
            pool.sources[alias.seq] = entities[alias.entity_id]
            pool.items.append(
                Item(seq=alias.seq, kind="alias", text=alias.name, at=alias.created_at, here=here)
            )


def _add_passages(db: Connection, pool: Pool, seqs: Sequence[int], active: str | None) -> None:
    found = search.passages_at(db, seqs)
    documents = {
        doc.id: doc for doc in records.many(db, DOCUMENT, "id", sorted({row[0] for row in found.values()}))
    }
    for seq, (document_id, heading, first, last, text) in found.items():
        document = documents.get(document_id)
        if document is None:
            continue
        pool.sources[seq] = PassageSource(
            document=document, heading=heading, first_line=first, last_line=last, text=text
        )
        here = _here(document.channel, active)
        pool.items.append(Item(seq=seq, kind="passage", text=text, at=document.updated_at, here=here))


def _here(channel: str, active: str | None) -> bool:
    return active is None or channel == active
