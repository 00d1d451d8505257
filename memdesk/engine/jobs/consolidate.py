"""Consolidation: conversations become facts, entities and relations. Some findings at a time are one transaction."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import partial
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.extraction import extract
from memdesk.engine.extraction.findings import Found, Utterance
from memdesk.engine.extraction.gate import Candidates, embedded
from memdesk.engine.extraction.language import trivial
from memdesk.engine.extraction.model_extraction import KNOWN_AT_MOST, WINDOW_TURNS, KnownFact, extract_with
from memdesk.engine.extraction.transcript import HEARD_TURNS, withheld
from memdesk.engine.jobs.earlier import without_earlier
from memdesk.engine.jobs.learning import Learner, tidy
from memdesk.engine.jobs.run import Run
from memdesk.engine.memory.draft import CLAIM_CHARACTERS, NAME_CHARACTERS, Draft
from memdesk.engine.memory.quarantine import read_ahead
from memdesk.engine.providers.embedder import Vectors
from memdesk.engine.providers.models import LanguageModel
from memdesk.engine.wording import shortened
from memdesk.model.change import Change
from memdesk.model.channel import GLOBAL
from memdesk.model.entity import MENTIONS
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.fact import FACT
from memdesk.model.instant import to_datetime
from memdesk.model.message import Message, counted, message
from memdesk.model.turn import CONVERSATION, TURN, Conversation, Turn
from memdesk.store import records, search, semantic
from memdesk.store.connection import Connection
from memdesk.store.search import Scope

TURNS_AT_ONCE = 200
"""Turns in a window; a longer conversation is read in several."""
COSTS = {"entities": 1, "facts": 4, "corrections": 4, "relations": 1}
"""Milliseconds of the processor that storing a finding takes, by kind; measured on a desk of 10,000 facts."""
COST_AT_ONCE = 40
"""Most milliseconds of findings in one transaction, since other writers wait for it."""
STAGE = "extraction"
"""Stage of the language model that reads."""
SPEAKING = ("user", "assistant")
_BESIDES = {
    "superseded": message("superseded"),
    "flagged": message("to review"),
    "held": message("held out of recall"),
    "kept": message("left out"),
    "by_rules": message("turns read by rules"),
    "withheld": message("taken out as asked"),
}
_at_work: set[tuple[Path, str]] = set()
_taking = threading.Lock()


def consolidate(run: Run) -> dict[str, int]:
    """Extract memory from every turn not read yet.

    Returns counts of conversations, entities and relations; of turns, and of those skipped because nothing is to be
    read in them; of facts stored, superseded, flagged for review, quarantined, repeated, left out in favour of an
    older one, and taken out because a person asked not to keep what was said; of conversations left for the next run
    because memory refused their facts; and of a model's tokens.

    A crash loses nothing and repeats nothing: each transaction moves the conversation's mark past the turns of which
    all is stored. BudgetSpent ends the run between two of them."""
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
        while (mark := _window(run, conversation_id, read, step, again)) is not None:
            read = mark
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


def _window(run: Run, conversation_id: str, read: int, step: Callable[[], None], again: bool) -> int | None:
    """Consolidate the next window of a conversation past `read`; return its last index, None if all was read."""
    engine = run.engine
    with engine.store.reading() as db:
        talk = records.need(db, CONVERSATION, conversation_id)
        after = read if again else max(read, talk.consolidated_index)
        model = engine.settings.extraction_model and engine.language_for(STAGE)
        most = WINDOW_TURNS if model else TURNS_AT_ONCE
        ids = semantic.turns_after(db, talk.id, after - HEARD_TURNS, HEARD_TURNS + most)
        said = sorted(records.many(db, TURN, "id", ids), key=lambda turn: turn.turn_index)
    turns = [turn for turn in said if turn.turn_index > after][:most]
    if not turns:
        return None
    heard = [turn for turn in said if turn.turn_index <= after]
    found = _fitting(_found(run, talk, turns, heard))
    window = _Window(
        run=run,
        turns=turns,
        roles={turn.id: turn.role for turn in (*heard, *turns)},
        names=tuple(entity.name for entity in found.entities),
        vectors=embedded(engine, list(dict.fromkeys(tidy(fact.claim) for fact in found.facts))),
        again=again and turns[0].turn_index <= talk.consolidated_index,
    )
    mark = talk.consolidated_index
    # A dry run keeps nobody waiting, and compares only facts that it drafts together.
    for piece in [_Piece(found, turns)] if run.dry else _pieces(found, turns):
        for fact in piece.found.facts:
            read_ahead(fact.claim, fact.quote, by_person=window.roles.get(fact.utterance_id) == "user")
        did = run.decide(partial(window.draft, conversation_id, mark, piece))
        if did is None:
            break
        run.counts.update(did)
        mark = max(mark, piece.mark)
        step()
    return turns[-1].turn_index


@dataclass(frozen=True, slots=True)
class _Piece:
    """Part of what was found in a window, for one change. complete: the turns of which all is stored with it."""

    found: Found
    complete: Sequence[Turn]

    @property
    def mark(self) -> int:
        return self.complete[-1].turn_index if self.complete else -1


def _pieces(found: Found, turns: Sequence[Turn]) -> Iterator[_Piece]:
    """Yield what was found in a window in pieces of at most COST_AT_ONCE, in the order of the turns."""
    place = {turn.id: number for number, turn in enumerate(turns)}
    said = [
        (place[getattr(each, "utterance_id", "") or next(iter(each.mentions), turns[0].id)], name, each)
        for name in COSTS
        for each in getattr(found, name)
    ]
    said.sort(key=itemgetter(0))
    cuts, cost = [0], 0
    for number, (_, name, _) in enumerate(said):
        if (cost := cost + COSTS[name]) > COST_AT_ONCE:
            cuts.append(number)
            cost = COSTS[name]
    done = 0
    for start, end in pairwise((*cuts, len(said))):
        here = said[start:end]
        part: dict[str, Any] = {
            name: tuple(each for _, other, each in here if other == name) for name in COSTS
        }
        through = said[end][0] if end < len(said) else len(turns)
        yield _Piece(replace(found, **part), turns[done:through])
        done = through


def _found(run: Run, talk: Conversation, turns: Sequence[Turn], heard: Sequence[Turn]) -> Found:
    """Extract from a window of turns: with the language model if it is enabled and set, else by cues.

    heard: the turns before, which tell cues what is meant."""
    engine = run.engine
    zone = to_datetime(engine.clock()).astimezone().tzinfo
    said, before = ([_utterance(turn) for turn in some if turn.retired_at is None] for some in (turns, heard))
    private, known = withheld([*before, *said]), withheld(before)
    said, before = ([each for each in some if each.id not in private] for some in (said, before))
    name = _user_name(engine, turns)
    model = engine.language_for(STAGE) if engine.settings.extraction_model else None
    if model is not None:
        found = _asked(run, model, talk, said, name, zone)
    else:
        found = extract(said, heard=before, user_name=name, zone=zone)
        if engine.settings.extraction_model:
            note = message("No language model is set; cues read this.")
            found = replace(found, note=note, unread=tuple(turn.id for turn in turns))
    # An earlier request was met when it was read, and a person may have undone that.
    return replace(found, withheld=private - known)


def _fitting(found: Found) -> Found:
    """Return the extraction without names and claims that are too long for memory: those come from pasted data."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Window:
    """Window of a conversation that is being consolidated. names: the entities found in it. vectors: those of the
    claims found. again: it was read before."""

    run: Run
    turns: Sequence[Turn]
    roles: Mapping[str, str]
    names: tuple[str, ...]
    vectors: dict[str, Vectors]
    again: bool

    def draft(
        self, conversation_id: str, mark: int, piece: _Piece, db: Connection
    ) -> tuple[Change | None, Counter[str] | None]:
        """Return the change of a piece, None if it brings nothing new, and its counts; None for these if the
        conversation is not read up to `mark`, as another run or an undo has moved it."""
        talk = records.need(db, CONVERSATION, conversation_id)
        if talk.consolidated_index != mark:
            return None, None
        found, earlier = piece.found, 0
        if self.again:
            said = {fact.utterance_id for fact in found.facts}
            turns = [turn for turn in self.turns if turn.id in said]
            found, earlier = without_earlier(db, talk, turns, found)
        engine, channels = self.run.engine, _channels(talk)
        draft = Draft.of(engine, db, talk, talk.channel)
        candidates = Candidates(
            engine=engine, db=db, user_id=talk.user_id, channels=channels, vectors=self.vectors
        )
        times = {turn.id: turn.created_at for turn in self.turns}
        learner = Learner(draft=draft, candidates=candidates, roles=self.roles, times=times, names=self.names)
        counts = learner.counts
        learner.withhold(found.withheld)
        _draft_entities(draft, talk, found, counts)
        for fact in found.facts:
            learner.learn(fact)
        for correction in found.corrections:
            learner.correct(correction)
        _draft_relations(learner, found)
        counts["repeated"] += earlier
        counts["turns"] = len(piece.complete)
        counts["skipped"] = sum(map(_is_skipped, piece.complete))
        if by_rules := sum(turn.id in found.unread for turn in piece.complete):
            counts["by_rules"] = by_rules
        if not draft.edits and piece.mark <= mark:
            return None, counts
        draft.edits.append(
            records.update_edit(
                CONVERSATION, talk, consolidated_index=max(mark, piece.mark), consolidated_at=draft.at
            )
        )
        details = {"by": found.by, "note": found.note}
        change = draft.change(
            "learn",
            _title(talk, counts),
            author=self.run.author,
            run=self.run.id,
            details={**counts, **{name: said for name, said in details.items() if said}},
        )
        return change, counts


def _draft_entities(draft: Draft, talk: Conversation, found: Found, counts: Counter[str]) -> None:
    for entity in found.entities:
        source = next(iter(entity.mentions), None)
        id, known = draft.entity(entity.name, type=entity.type, aliases=entity.aliases, source_turn_id=source)
        counts["entities"] += not known
        if known:
            draft.complete_entity(id, type=entity.type, description="")
        draft.relation(talk.id, id, MENTIONS, confidence=1.0, source_turn_id=source)


def _draft_relations(learner: Learner, found: Found) -> None:
    draft = learner.draft
    for relation in filter(learner.holds, found.relations):
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
    """Return the name for “I” if the runtime sends only “user”: the one speaker with a name, else the desk's owner."""
    named = {
        turn.speaker
        for turn in turns
        if turn.role == "user" and turn.speaker.lower() not in ("user", "human")
    }
    return named.pop() if len(named) == 1 else engine.person


def _title(talk: Conversation, counts: Counter[str]) -> Message:
    facts = counts["facts"]
    what = counted(facts, "fact", "facts") if facts else message("nothing new")
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
