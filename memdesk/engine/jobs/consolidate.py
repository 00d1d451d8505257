"""Consolidation: conversations become facts, entities and relations. Each window of turns is one transaction.

Reading a conversation again brings back nothing that was superseded, corrected, moved or taken out since."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.extraction import extract
from memdesk.engine.extraction.findings import Found, FoundFact, FoundRelation, Utterance
from memdesk.engine.extraction.gate import Candidates, embedded
from memdesk.engine.extraction.language import trivial
from memdesk.engine.extraction.model_extraction import KNOWN_AT_MOST, WINDOW_TURNS, KnownFact, extract_with
from memdesk.engine.jobs.learning import Learner, tidy
from memdesk.engine.jobs.run import Run
from memdesk.engine.memory.draft import CLAIM_CHARACTERS, NAME_CHARACTERS, Draft, protected
from memdesk.engine.providers.embedder import Vectors
from memdesk.engine.providers.language_models import LanguageModel
from memdesk.engine.wording import shortened, tidied
from memdesk.model.change import EDITS_AT_MOST, Change
from memdesk.model.channel import GLOBAL
from memdesk.model.entity import DERIVED_FROM, ENTITY, MENTIONS, RELATION, Entity
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.fact import FACT, Fact, claim_hash
from memdesk.model.instant import to_datetime
from memdesk.model.message import Message, message
from memdesk.model.turn import CONVERSATION, TURN, Conversation, Turn
from memdesk.store import records, search, semantic
from memdesk.store.connection import Connection
from memdesk.store.search import Scope


def without_earlier(
    db: Connection, talk: Conversation, turns: Sequence[Turn], found: Found
) -> tuple[Found, int]:
    """Return what these turns bring beyond the reading before, and how many facts of it are left out.

    turns: a window of the conversation that was read before."""
    known = _facts_by_turn(db, turns)
    kept = protected(db, [fact.id for facts in known.values() for fact in facts])
    facts = tuple(
        fact
        for fact in found.facts
        if not semantic.has_past_claim(db, talk.user_id, talk.channel, fact.claim)
        and not any(_came_of(fact, each, each.id in kept) for each in known[fact.utterance_id])
    )
    gone = {
        name
        for entity in found.entities
        for name in (entity.name, *entity.aliases)
        if _is_taken_out(db, talk, name)
    }
    left = replace(
        found,
        facts=tuple(replace(each, about=tuple(n for n in each.about if n not in gone)) for each in facts),
        entities=tuple(each for each in found.entities if each.name not in gone),
        relations=tuple(_remaining(db, talk, found.relations, gone)),
        corrections=(),
    )
    return left, len(found.facts) - len(facts)


def _facts_by_turn(db: Connection, turns: Sequence[Turn]) -> dict[str, list[Fact]]:
    """Return the facts extracted from each turn, retired and moved ones too."""
    ids = [turn.id for turn in turns]
    bonds = [each for each in records.many(db, RELATION, "target_id", ids) if each.type == DERIVED_FROM]
    facts = {fact.id: fact for fact in records.many(db, FACT, "id", [each.source_id for each in bonds])}
    found = defaultdict[str, list[Fact]](list)
    for bond in bonds:
        if bond.source_id in facts:
            found[bond.target_id].append(facts[bond.source_id])
    return found


def _came_of(found: FoundFact, known: Fact, is_kept: bool) -> bool:
    """Return True if a known fact came of this claim: it says the same, or a person has changed what it says."""
    if claim_hash(known.claim) == claim_hash(found.claim):
        return True
    return is_kept and bool(found.quote) and known.quote == found.quote


def _is_taken_out(db: Connection, talk: Conversation, name: str) -> bool:
    """Return True for a name that only retired entities of the channel have."""
    if semantic.entity_named(db, talk.user_id, (talk.channel,), name) is not None:
        return False
    found: list[Entity] = records.find(
        db, ENTITY, user_id=talk.user_id, name=tidied(name, "A name", len(name)), limit=20
    )
    return any(each.channel == talk.channel for each in found)


def _remaining(
    db: Connection, talk: Conversation, relations: Sequence[FoundRelation], gone: set[str]
) -> Iterator[FoundRelation]:
    """Yield the relations that nobody has taken out."""
    for each in relations:
        ends = [
            semantic.entity_named(db, talk.user_id, (talk.channel,), name)
            for name in (each.source, each.target)
            if name not in gone
        ]
        if len(ends) < 2:
            continue
        source, target = ends
        if source and target and _is_related(db, source.id, target.id, each.type):
            continue
        yield each


def _is_related(db: Connection, source_id: str, target_id: str, type: str) -> bool:
    """Return True if two entities are or were related."""
    return bool(records.find(db, RELATION, source_id=source_id, target_id=target_id, type=type, limit=1))


TURNS_AT_ONCE = 200
"""Turns in a window; a longer conversation is read in several, each a transaction that moves its mark."""
STAGE = "extraction"
"""Stage of the language model that reads."""
SPEAKING = ("user", "assistant")
ROOM = 48
"""Edits kept free for those added by the last fact of a window and by the relations."""
_BESIDES = {
    "superseded": message("superseded"),
    "flagged": message("to review"),
    "held": message("held out of recall"),
    "kept": message("left out"),
    "by_rules": message("turns read by rules"),
}
_at_work: set[tuple[Path, str]] = set()
_taking = threading.Lock()


def consolidate(run: Run) -> dict[str, int]:
    """Extract memory from every turn not read yet.

    Returns counts of conversations, entities and relations; of turns, and of those skipped because nothing is to be
    read in them; of facts stored, superseded, flagged for review, quarantined, repeated, and left out in favour of an
    older one; of conversations left for the next run because memory refused their facts; and of a model's tokens.

    A crash loses nothing and repeats nothing: each window moves the conversation's mark in its own transaction.
    BudgetSpent ends the run between two windows."""
    if not run.engine.settings.extraction_enabled:
        return {}
    with run.engine.store.reading() as db:
        waiting = semantic.unconsolidated(db, -1)
    for done, id in enumerate(waiting):
        step = partial(run.step, done, len(waiting), message("Reading conversations"))
        step()
        consolidate_one(run, id, step)
    return dict(run.counts)


def consolidate_one(
    run: Run, conversation_id: str, step: Callable[[], None] = lambda: None, *, again: bool = False
) -> bool:
    """Extract memory from the turns of one conversation not read yet. Returns False if another run is reading
    it. again: read those too that were read before."""
    with _alone(run.engine, conversation_id) as free:
        run.counts["conversations"] += free
        if free:
            _read(run, conversation_id, step, again)
    return free


def reprocess(run: Run, conversation_id: str) -> dict[str, int]:
    """Extract memory from a conversation again, by the present rules or model; return the counts of `consolidate`.

    What the reading before brought stays as it is now. Raises NotFound, and Conflict while another run reads it."""
    with run.engine.store.reading() as db:
        talk = records.need(db, CONVERSATION, conversation_id)
        last = semantic.last_turn_index(db, conversation_id)
    step = partial(run.step, 0, last + 1, message("Reading “{talk}” again", talk=shortened(talk.title, 60)))
    if not consolidate_one(run, conversation_id, step, again=True):
        raise Conflict(
            message("Another run is reading this conversation."), next=message("Try again in a minute.")
        )
    return dict(run.counts)


def _read(run: Run, conversation_id: str, step: Callable[[], None], again: bool) -> None:
    """Read a conversation window by window, to its end or until memory refuses its facts."""
    read = -1
    try:
        while (mark := _window(run, conversation_id, read, again)) is not None:
            read = mark
            step()
    except (BadAsk, Conflict, NotFound):
        run.counts["left"] += 1


@contextmanager
def _alone(engine: Engine, conversation_id: str) -> Iterator[bool]:
    """Reserve a conversation for one run; yields False if another run has it."""
    key = (engine.desk.folder, conversation_id)
    with _taking:
        free = key not in _at_work
        _at_work.add(key)
    try:
        yield free
    finally:
        if free:
            _at_work.discard(key)


def _window(run: Run, conversation_id: str, read: int, again: bool) -> int | None:
    """Consolidate the next window of a conversation past `read`; return its last index, None if all was read."""
    engine = run.engine
    with engine.store.reading() as db:
        talk = records.need(db, CONVERSATION, conversation_id)
        after = read if again else max(read, talk.consolidated_index)
        turns = _turns_after(db, talk, after, _turns_at_once(engine))
    if not turns:
        return None
    found = _fitting(_found(run, talk, turns))
    vectors = embedded(engine, list(dict.fromkeys(tidy(fact.claim) for fact in found.facts)))

    def verb(db: Connection) -> tuple[Change | None, tuple[int, Counter[str]]]:
        now = records.need(db, CONVERSATION, conversation_id)
        if now.consolidated_index != talk.consolidated_index:
            return None, (turns[-1].turn_index, Counter())
        return _change(run, db, now, turns, found, vectors, again)

    mark, did = run.decide(verb)
    run.counts.update(did)
    return mark


def _turns_at_once(engine: Engine) -> int:
    return WINDOW_TURNS if engine.settings.extraction_model and engine.language_for(STAGE) else TURNS_AT_ONCE


def _turns_after(db: Connection, talk: Conversation, read: int, limit: int) -> list[Turn]:
    ids = semantic.turns_after(db, talk.id, read, limit)
    return sorted(records.many(db, TURN, "id", ids), key=lambda turn: turn.turn_index)


def _found(run: Run, talk: Conversation, turns: Sequence[Turn]) -> Found:
    """Extract from a window of turns: with the language model if it is enabled and set, else by cues."""
    engine = run.engine
    zone = to_datetime(engine.clock()).astimezone().tzinfo
    said = [_utterance(turn) for turn in turns if turn.retired_at is None]
    name = _user_name(engine, turns)
    if not engine.settings.extraction_model:
        return extract(said, user_name=name, zone=zone)
    model = engine.language_for(STAGE)
    if model is None:
        note = message("No language model is set; cues read this.")
        found = extract(said, user_name=name, zone=zone)
        return replace(found, note=note, unread=tuple(turn.id for turn in turns))
    return _asked(run, model, talk, said, name, zone)


def _fitting(found: Found) -> Found:
    """Return the extraction without names and claims that are too long for memory: those come from pasted
    data."""

    def fits(*names: str) -> bool:
        return all(len(name) <= NAME_CHARACTERS for name in names)

    return replace(
        found,
        entities=tuple(
            replace(each, aliases=tuple(filter(fits, each.aliases)))
            for each in found.entities
            if fits(each.name)
        ),
        facts=tuple(
            each for each in found.facts if len(each.claim) <= CLAIM_CHARACTERS and fits(*each.about)
        ),
        relations=tuple(each for each in found.relations if fits(each.source, each.target)),
    )


def _asked(
    run: Run,
    model: LanguageModel,
    talk: Conversation,
    said: list[Utterance],
    name: str,
    zone: tzinfo | None,
) -> Found:
    """Extract with the language model; the tokens count against the run's budget, which is checked before the
    request."""
    run.spend(0)
    with run.engine.store.reading() as db:
        known = _known(db, talk, name)
    found, tokens = extract_with(
        model,
        said,
        known=known,
        user_name=name,
        zone=zone,
        instruction=run.engine.settings.extraction_prompt,
    )
    run.tokens -= tokens
    run.counts["tokens"] += tokens
    return found


def _known(db: Connection, talk: Conversation, name: str) -> list[KnownFact]:
    """Return the newest facts about the person, which a new fact may refine or correct."""
    scope = Scope(user_id=talk.user_id, channels=_channels(talk), kinds=(FACT.name,))
    found = records.many(db, FACT, "seq", search.postings(db, name, scope, KNOWN_AT_MOST))
    return [KnownFact(id=fact.id, claim=fact.claim) for fact in sorted(found, key=lambda fact: -fact.seq)]


def _channels(talk: Conversation) -> tuple[str, ...]:
    return tuple(dict.fromkeys((talk.channel, GLOBAL)))


def _change(
    run: Run,
    db: Connection,
    talk: Conversation,
    turns: Sequence[Turn],
    found: Found,
    vectors: dict[str, Vectors],
    again: bool,
) -> tuple[Change | None, tuple[int, Counter[str]]]:
    """Return the change of a window, and (the index up to which it was read, its counts). None for a window that was
    read before and brings nothing new."""
    engine, earlier = run.engine, 0
    if again and turns[0].turn_index <= talk.consolidated_index:
        found, earlier = without_earlier(db, talk, turns, found)
    draft = Draft(
        engine=engine,
        db=db,
        user_id=talk.user_id,
        channel=talk.channel,
        agent_id=talk.agent_id,
        at=engine.clock(),
    )
    candidates = Candidates(
        engine=engine, db=db, user_id=talk.user_id, channels=_channels(talk), vectors=vectors
    )
    learner = Learner(
        draft=draft,
        candidates=candidates,
        roles={turn.id: turn.role for turn in turns},
        times={turn.id: turn.created_at for turn in turns},
        names=tuple(entity.name for entity in found.entities),
    )
    _draft_entities(draft, talk, found, learner.counts)
    mark = _learn(learner, found, turns)
    _draft_relations(learner, found)
    learner.counts["repeated"] += earlier
    learner.counts["turns"] = sum(turn.turn_index <= mark for turn in turns)
    learner.counts["skipped"] = sum(turn.turn_index <= mark and _is_skipped(turn) for turn in turns)
    if not draft.edits and mark <= talk.consolidated_index:
        return None, (mark, learner.counts)
    draft.edits.append(
        records.update_edit(
            CONVERSATION,
            talk,
            consolidated_index=max(mark, talk.consolidated_index),
            consolidated_at=draft.at,
        )
    )
    if found.unread:
        learner.counts["by_rules"] = len(found.unread)
    details = {"by": found.by, "note": found.note}
    change = Change(
        op="learn",
        title=_title(talk, learner.counts),
        author=run.author,
        edits=tuple(draft.edits),
        channel=talk.channel,
        user_id=talk.user_id,
        run=run.id,
        details={**learner.counts, **{name: said for name, said in details.items() if said}},
    )
    return change, (mark, learner.counts)


def _learn(learner: Learner, found: Found, turns: Sequence[Turn]) -> int:
    """Draft the facts in order; return the index of the last turn whose facts all fit in this change."""
    index = {turn.id: turn.turn_index for turn in turns}
    edits = learner.draft.edits
    for fact in found.facts:
        full = len(edits) >= EDITS_AT_MOST - ROOM
        if full and index[fact.utterance_id] > turns[0].turn_index:
            return index[fact.utterance_id] - 1
        if not full:
            learner.learn(fact)
    for correction in found.corrections:
        if len(edits) < EDITS_AT_MOST - ROOM:
            learner.correct(correction)
    return turns[-1].turn_index


def _draft_entities(draft: Draft, talk: Conversation, found: Found, counts: Counter[str]) -> None:
    for entity in found.entities:
        if len(draft.edits) < EDITS_AT_MOST // 2:
            id, known = draft.entity(
                entity.name,
                type=entity.type,
                aliases=entity.aliases,
                source_turn_id=next(iter(entity.mentions), None),
            )
            counts["entities"] += not known
            if known:
                draft.complete_entity(id, type=entity.type, description="")
            draft.relation(
                talk.id, id, MENTIONS, confidence=1.0, source_turn_id=next(iter(entity.mentions), None)
            )


def _draft_relations(learner: Learner, found: Found) -> None:
    draft = learner.draft
    for relation in filter(learner.holds, found.relations):
        if len(draft.edits) >= EDITS_AT_MOST - ROOM // 2:
            return
        source, _ = draft.entity(relation.source, source_turn_id=relation.utterance_id)
        target, _ = draft.entity(relation.target, source_turn_id=relation.utterance_id)
        if source != target and draft.relation(
            source,
            target,
            relation.type,
            confidence=relation.confidence,
            source_turn_id=relation.utterance_id,
        ):
            learner.counts["relations"] += 1


def _is_skipped(turn: Turn) -> bool:
    """Return True for a turn in which nothing is to be read: a tool's, a courtesy, or one that was taken out."""
    return turn.role not in SPEAKING or turn.retired_at is not None or trivial(turn.content)


def _utterance(turn: Turn) -> Utterance:
    return Utterance(id=turn.id, speaker=turn.speaker, role=turn.role, text=turn.content, at=turn.created_at)


def _user_name(engine: Engine, turns: Sequence[Turn]) -> str:
    """Return the name for “I” if the runtime sends only “user”: the one speaker with a name, else the desk's
    owner."""
    named = {
        turn.speaker
        for turn in turns
        if turn.role == "user" and turn.speaker.lower() not in ("user", "human")
    }
    return named.pop() if len(named) == 1 else engine.person


def _title(talk: Conversation, counts: Counter[str]) -> Message:
    facts = counts["facts"]
    what = (
        message("nothing new")
        if not facts
        else message("1 fact")
        if facts == 1
        else message("{count} facts", count=facts)
    )
    said = [
        what,
        *(
            message("{count} {what}", count=counts[name], what=says)
            for name, says in _BESIDES.items()
            if counts[name]
        ),
    ]
    return (
        message("Consolidated “{talk}”: {list}", talk=shortened(talk.title, 60), list=said)
        if talk.channel == GLOBAL
        else message(
            "Consolidated “{talk}” in {channel}: {list}",
            talk=shortened(talk.title, 60),
            channel=talk.channel,
            list=said,
        )
    )
