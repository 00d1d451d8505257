"""Entry of extracted facts into memory: after the gate, a fact is stored, confirms or supersedes another, or
is asked about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memdesk.engine.beliefs import comparing
from memdesk.engine.beliefs.reading import read
from memdesk.engine.engine import Engine
from memdesk.engine.extraction.corrections import replace_phrase
from memdesk.engine.extraction.findings import FoundCorrection, FoundFact, FoundRelation
from memdesk.engine.extraction.gate import (
    CORRECTED,
    CORRECTION,
    Candidates,
    Duplicate,
    Flag,
    KeepOld,
    NewClaim,
    Rules,
    StoredFact,
    Supersede,
    Verdict,
    judge,
)
from memdesk.engine.memory.believe import AT_ONCE, PAST, Said, judgements, of_the_past
from memdesk.engine.memory.draft import Draft, protected
from memdesk.engine.memory.quarantine import Doubt, draft_quarantined, find_doubt
from memdesk.model.change import Edit
from memdesk.model.channel import GLOBAL
from memdesk.model.entity import DERIVED_FROM, QUOTES, RELATION, STRUCTURAL
from memdesk.model.fact import CERTAINTY, EXTRACTED, FACT, Fact
from memdesk.model.kind import Kind
from memdesk.model.kinds import BY_NAME
from memdesk.model.message import Message, message
from memdesk.model.turn import TURN
from memdesk.store import records

WITNESS = 0.5
"""Share of a repetition's confidence by which it lowers the doubt: people also repeat what is of little use."""
_PLACED = ("LOCATED_IN", "WORKS_FOR")


@dataclass(frozen=True, slots=True)
class _Past:
    """Fact superseded by this change: its former state, and the id and claim of the one that supersedes it."""

    was: Fact
    by: str
    now: str

    def spoke_of(self, name: str) -> bool:
        """Return True for a name that the old claim contains and the new one does not."""
        return name.casefold() in self.was.claim.casefold() and name.casefold() not in self.now.casefold()


@dataclass(slots=True, kw_only=True)
class Learner:
    """Collector of the facts of one conversation into one change.

    roles: the role of each turn's speaker, by turn id. times: when each turn was said. names: entities of the
    conversation. counts: results by name."""

    draft: Draft
    candidates: Candidates
    roles: Mapping[str, str]
    times: Mapping[str, int] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    counts: Counter[str] = field(default_factory=Counter)
    _drafted: list[Fact] = field(default_factory=list)
    _gone: dict[str, _Past] = field(default_factory=dict)
    _loosened: set[str] = field(default_factory=set)
    _global: Draft | None = None

    @property
    def _engine(self) -> Engine:
        return self.draft.engine

    def learn(self, fact: FoundFact) -> None:
        """Draft the edits for one fact, depending on the gate's verdict."""
        by_person = all(self.roles.get(id) == "user" for id in (fact.utterance_id, *fact.quoted))
        why = find_doubt(self.draft, fact.claim, fact.quote, author="", by_person=by_person)
        if why is not None:
            self._hold(fact, why)
            return
        if self._revises(fact) or (fact.refines is None and self._believed(fact)):
            return
        new = _claimed(fact)
        near = self.candidates.against(new, drafted=self._drafted, gone=frozenset(self._gone))
        held = {old.id: (known, old) for known, old in near}
        less = {id for id, (known, _) in held.items() if self.draft.believes_less(known, fact.utterance_id)}
        verdict = self._judged(new, [old for _, old in held.values()], less)
        olds = [held[id][0] for id in _olds(verdict)]
        match verdict:
            case Duplicate():
                self._confirm(held[verdict.of][0], fact)
            case KeepOld():
                self.counts["kept"] += 1
            case Supersede():
                self._replace(fact, olds, corrected=new.source == CORRECTION)
            case Flag(_, reason):
                self._ask(fact, olds, reason)
            case _:
                self._store(self.draft, fact, source=EXTRACTED, confidence=fact.confidence)

    def withhold(self, turns: Collection[str]) -> None:
        """Retire the facts and relations read earlier from turns that a person asks not to keep, except facts derived
        from other turns too, and those that a person has changed."""
        db = self.draft.db
        ties = [bond for id in turns for bond in records.find(db, RELATION, target_id=id, retired_at=None)]
        quoting = {bond.source_id for bond in ties if bond.type == QUOTES}
        found = records.many(db, FACT, "id", sorted(quoting | {bond.source_id for bond in ties}))
        facts = [each for each in found if each.id in quoting or not self._is_told_elsewhere(each, turns)]
        facts = [each for each in facts if each.source in (EXTRACTED, CORRECTION)]
        bonds = [
            bond
            for id in turns
            for bond in records.find(db, RELATION, source_turn_id=id, retired_at=None)
            if bond.type not in STRUCTURAL
        ]
        self._take_out(FACT, facts)
        self._take_out(RELATION, bonds)

    def _take_out(self, kind: Kind[Any], found: Sequence[Any]) -> None:
        kept = protected(self.draft.db, [each.id for each in found])
        for each in found:
            if each.retired_at is None and each.id not in kept:
                self.draft.edits.append(records.update_edit(kind, each, retired_at=self.draft.at))
                self.counts["withheld"] += kind is FACT

    def _is_told_elsewhere(self, fact: Fact, turns: Collection[str]) -> bool:
        """Return True if a fact is derived from a turn that is none of these."""
        sources = records.find(self.draft.db, RELATION, source_id=fact.id, type=DERIVED_FROM, retired_at=None)
        return any(bond.target_id not in turns for bond in sources)

    def _revises(self, fact: FoundFact) -> bool:
        """Store a claim in the place of those that it revises, which were read earlier; return False if there are
        none. A person decides about one that people changed."""
        olds = [
            old
            for id, quote in fact.revises
            for old in records.find(self.draft.db, FACT, source_turn_id=id, channel=self.draft.channel)
            if old.retired_at is None and old.superseded_by is None and old.id not in self._gone
            if old.source == EXTRACTED and (quote in old.quote or old.quote in quote)
        ]
        kept = protected(self.draft.db, [old.id for old in olds])
        kept |= {old.id for old in olds if self.draft.believes_less(old, fact.utterance_id)}
        clear = [old for old in olds if old.id not in kept]
        if clear:
            self._replace(fact, clear, corrected=False)
        if kept:
            self._ask(fact, [old for old in olds if old.id in kept], message("Said otherwise later"))
        return bool(olds)

    def _believed(self, fact: FoundFact) -> bool:
        """Act on the facts of the same subject and slot; return False if there is none that the claim concerns."""
        said = Said(
            author=EXTRACTED,
            correction=fact.replaces is not None or read(fact.quote).changes,
            sparing=self._gone.keys(),
        )
        if self.draft.known_fact(fact.claim) is not None:
            return False
        found = list(judgements(self.draft, tidy(fact.claim), said, self._drafted))
        if fact.temporal == PAST:
            found = of_the_past(fact.claim, found, began=fact.valid_from, at=self.draft.at)
        same = next((old for old, judged in found if judged.verdict is comparing.Verdict.SAME), None)
        if same is not None:
            self._confirm(same, fact)
            self._store_wording(same, fact)
            return True
        clear = [old for old, judged in found if judged.verdict is comparing.Verdict.UPDATE]
        kept = protected(self.draft.db, [old.id for old in clear])
        kept |= {old.id for old in clear if self.draft.believes_less(old, fact.utterance_id)}
        if clear and not kept:
            self._replace(fact, clear[:AT_ONCE], corrected=fact.replaces is not None)
            return True
        policy = self._engine.settings.contradictions
        olds = [old for old, _ in found][:AT_ONCE]
        if not olds or (policy != "flag_review" and not kept):
            return False
        self._ask(fact, olds, found[0][1].reason)
        return True

    def _store_wording(self, same: Fact, fact: FoundFact) -> None:
        """Keep the words of a repeated fact as a past wording of it."""
        if same.channel == self.draft.channel and self.roles.get(fact.utterance_id) != "assistant":
            self.draft.fact(
                fact.claim,
                category=fact.category,
                confidence=fact.confidence,
                temporal=fact.temporal,
                source=EXTRACTED,
                source_turn_id=None,
                quote=fact.quote,
                wording_of=same.id,
            )

    def correct(self, found: FoundCorrection) -> None:
        """Replace one phrase by another in the fact that a correction refers to.

        That is a fact of this conversation, else the first that contains the phrase, nearest channel and
        newest first."""
        holding = [fact for fact in self.candidates.holding(found.was) if fact.id not in self._gone]
        old = next((fact for fact in holding if fact.source_turn_id in self.roles), next(iter(holding), None))
        claim = replace_phrase(old.claim, found.was, found.now) if old else None
        if old is not None and claim is not None:
            about = tuple(name for name in self.names if name in claim)
            self.learn(
                FoundFact(
                    claim=claim,
                    category=old.category,
                    certainty="explicit",
                    confidence=CERTAINTY["explicit"],
                    temporal=old.temporal,
                    about=about,
                    utterance_id=found.utterance_id,
                    quote=found.quote,
                    replaces=found.was,
                )
            )

    def _judged(self, new: NewClaim, held: list[StoredFact], less: Collection[str]) -> Verdict:
        """Return the gate's verdict. Protection by a person is looked up only if a verdict would retire a
        fact. less: ids of the facts that the claim's source is trusted less than."""
        rules = Rules(
            duplicate_cosine=self._engine.settings.duplicate_cosine,
            contradictions=self._engine.settings.contradictions,
        )
        verdict = judge(new, held, rules)
        if not isinstance(verdict, Supersede):
            return verdict
        kept = protected(self.draft.db, verdict.old).union(less)
        return judge(new, [replace(old, guarded=old.id in kept) for old in held], rules)

    def _confirm(self, known: Fact, fact: FoundFact) -> None:
        """Add the turn as a source of a repeated fact; an agent's repetition from memory does not count."""
        self.counts["repeated"] += 1
        if self.roles.get(fact.utterance_id) == "assistant":
            return
        if self.draft.link(known.id, fact.utterance_id, DERIVED_FROM) is None:
            self._raise_confidence(known, fact.confidence)
        self.draft.relation(
            known.id,
            fact.utterance_id,
            DERIVED_FROM,
            confidence=fact.confidence,
            source_turn_id=fact.utterance_id,
        )
        if known.channel == self.draft.channel:
            self.draft.about(known.id, fact.about, fact.utterance_id)

    def _raise_confidence(self, known: Fact, chance: float) -> None:
        """Lower the doubt about a fact of a conversation that another turn repeats."""
        sure = self.draft.field_of(FACT, known.id, "confidence")
        raised = min(round(1 - (1 - sure) * (1 - WITNESS * chance), 2), CERTAINTY["explicit"])
        if known.source == EXTRACTED and known.channel == self.draft.channel and raised > sure:
            edit = Edit(FACT.name, known.id, {"confidence": sure}, {"confidence": raised})
            self.draft.edits.append(edit)

    def _replace(self, fact: FoundFact, olds: list[Fact], *, corrected: bool) -> None:
        """Store the fact and supersede others, but none that is newer than the turn: that one is asked about.

        A claim from one channel supersedes nothing in `_global` without review. A correction is stored in the
        channel of the corrected fact."""
        later = [old for old in olds if self._said_at(old) > self.times.get(fact.utterance_id, self.draft.at)]
        if later:
            self._ask(fact, later, message("Said before the other was"))
        olds = [old for old in olds if old not in later]
        if not olds:
            return
        near = [old for old in olds if old.channel == self.draft.channel]
        abroad = [old for old in olds if old.channel != self.draft.channel]
        source, confidence = (CORRECTION, CORRECTED) if corrected else (EXTRACTED, fact.confidence)
        if abroad and corrected:
            id = self._store(self._in_global(), fact, source=source, confidence=confidence)
            self._retire(self._in_global(), abroad, id, fact.claim)
        if near or not corrected:
            id = self._store(self.draft, fact, source=source, confidence=confidence)
            self._retire(self.draft, near, id, fact.claim)
        if abroad and not corrected:
            self._propose(
                fact,
                id,
                abroad,
                message(
                    "Said in {channel}, against what {other} holds",
                    channel=self.draft.channel,
                    other=abroad[0].channel,
                ),
            )

    def _said_at(self, fact: Fact) -> int:
        """Return when the turn that a fact was read from was said; the time it was learned for one without a turn."""
        if fact.source_turn_id is None:
            return fact.created_at
        turn = records.get(self.draft.db, TURN, fact.source_turn_id)
        return fact.created_at if turn is None else turn.created_at

    def _retire(self, draft: Draft, olds: list[Fact], id: str, claim: str) -> None:
        for old in olds:
            draft.supersede(old, id)
            self._gone[old.id] = _Past(old, id, claim)
            self._loosen(draft, self._gone[old.id])
            self.counts["superseded"] += 1

    def _loosen(self, draft: Draft, past: _Past) -> None:
        """Retire relations that gave the old fact's place or employer, except those a person set."""
        if past.was.source_turn_id is None:
            return
        bonds = records.find(draft.db, RELATION, source_turn_id=past.was.source_turn_id, retired_at=None)
        placed = [bond for bond in bonds if bond.type in _PLACED and bond.id not in self._loosened]
        kept = protected(draft.db, [bond.id for bond in placed])
        named = records.by_ids(draft.db, [bond.target_id for bond in placed])
        for bond in placed:
            _, target = named[bond.target_id]
            if bond.id not in kept and past.spoke_of(target.name):
                draft.edits.append(records.update_edit(RELATION, bond, retired_at=draft.at))
                self._loosened.add(bond.id)

    def holds(self, bond: FoundRelation) -> bool:
        """Return False for a relation of this conversation whose fact was superseded in this same change."""
        return bond.type not in _PLACED or not any(
            bond.utterance_id == past.was.source_turn_id and past.spoke_of(bond.target)
            for past in self._gone.values()
        )

    def _in_global(self) -> Draft:
        """Return a draft in `_global` whose edits join this change, for a correction of a fact there."""
        if self._global is None:
            self._global = Draft(
                engine=self._engine,
                db=self.draft.db,
                user_id=self.draft.user_id,
                channel=GLOBAL,
                agent_id=self.draft.agent_id,
                at=self.draft.at,
                edits=self.draft.edits,
            )
        return self._global

    def _ask(self, fact: FoundFact, olds: list[Fact], reason: Message) -> None:
        """Store the fact without superseding the others, and let a person decide between them."""
        id = self._store(self.draft, fact, source=EXTRACTED, confidence=fact.confidence)
        self._propose(fact, id, olds, reason)

    def _propose(self, fact: FoundFact, id: str, olds: list[Fact], reason: Message) -> None:
        for old in olds:
            asked = self.draft.propose(
                "contradiction",
                id,
                old.id,
                reason=reason,
                details={"claims": [fact.claim, old.claim], "quotes": [fact.quote, old.quote]},
            )
            self.counts["flagged"] += asked is not None

    def _hold(self, fact: FoundFact, why: Doubt) -> None:
        """Quarantine the fact; it supersedes nothing until a person has let it in."""
        _, known = draft_quarantined(
            self.draft,
            why,
            fact.claim,
            category=fact.category,
            confidence=fact.confidence,
            temporal=fact.temporal,
            source=EXTRACTED,
            source_turn_id=fact.utterance_id,
            quote=fact.quote,
        )
        self.counts["held"] += not known

    def _store(self, draft: Draft, fact: FoundFact, *, source: str, confidence: float) -> str:
        id, known = draft.fact(
            fact.claim,
            category=fact.category,
            confidence=confidence,
            temporal=fact.temporal,
            source=source,
            source_turn_id=fact.utterance_id,
            quote=fact.quote,
            quoted=fact.quoted,
            valid_from=fact.valid_from,
            valid_to=fact.valid_to,
        )
        if not known:
            self._drafted.append(_born(draft, id))
        elif id in self._gone:
            self._bring_back(draft, id)
        draft.about(id, fact.about, fact.utterance_id)
        self.counts["facts"] += not known
        return id

    def _bring_back(self, draft: Draft, id: str) -> None:
        """Make current again a fact that this same change had superseded: the person changed their mind twice."""
        past = self._gone.pop(id)
        over = replace(past.was, temporal="past", superseded_by=past.by)
        draft.edits.append(records.update_edit(FACT, over, temporal=past.was.temporal, superseded_by=None))


def tidy(claim: str) -> str:
    """Return a claim on one line, as it is stored."""
    return " ".join(claim.split())


def _claimed(fact: FoundFact) -> NewClaim:
    corrects = fact.replaces is not None
    return NewClaim(
        claim=tidy(fact.claim),
        confidence=CORRECTED if corrects else fact.confidence,
        temporal=fact.temporal,
        source=CORRECTION if corrects else EXTRACTED,
        about=frozenset(fact.about),
        refines=fact.refines,
        replaces=fact.replaces or None,
    )


def _olds(verdict: Verdict) -> tuple[str, ...]:
    return verdict.old if isinstance(verdict, Supersede | Flag | KeepOld) else ()


def _born(draft: Draft, id: str) -> Fact:
    """Return the fact just drafted, as it will be stored."""
    edit = next(edit for edit in reversed(draft.edits) if edit.id == id and edit.before is None)
    assert BY_NAME[edit.kind] is FACT and edit.after is not None
    return Fact(**edit.after)
