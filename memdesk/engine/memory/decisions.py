"""Answers to the review queue, by a person or by a standing decision. An answer and its effect are one
change: undoing it opens the question again."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory import secret_sweep
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.curate import refuse_duplicates
from memdesk.engine.memory.draft import PERSON, Draft, approval, protected
from memdesk.engine.memory.duplicates import DISMISS, decision_edit, ordered
from memdesk.engine.memory.merge import Pair, merge_in_steps, mergeable_pair, title_of
from memdesk.engine.memory.promotion import promotion_change
from memdesk.engine.memory.quarantine import quarantine_edits
from memdesk.engine.memory.scope import relink
from memdesk.engine.memory.standing_decisions import decision_label, matching_decision
from memdesk.engine.wording import shortened, titled
from memdesk.model.change import Change, Edit
from memdesk.model.channel import GLOBAL
from memdesk.model.entity import ABOUT, DERIVED_FROM
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.fact import FACT, Fact
from memdesk.model.instant import optional_instant
from memdesk.model.kind import Kind, new_id
from memdesk.model.message import Message, message, verbatim
from memdesk.model.review import (
    DECISIONS,
    DOUBTFUL,
    ERASE_SECRETS,
    FADING,
    KEEP_MASKED,
    NOT_SECRET,
    PROPOSAL,
    QUARANTINE,
    SECRET,
    Decide,
    Decided,
    Proposal,
    reason_of,
)
from memdesk.model.trust import lowest, of_author, of_record
from memdesk.model.turn import TURN
from memdesk.store import aging, moving, proposing, records, semantic
from memdesk.store.connection import Connection
from memdesk.store.run_context import one_run

TIES_AT_MOST = 150
"""Most sources and subjects copied from each of the two facts that a merged claim replaces, so that they fit
in one change."""


@dataclass(slots=True, kw_only=True)
class Effect:
    """Effect of an answer. memory: the id of the resulting record."""

    title: Message
    memory: str
    edits: list[Edit]
    op: str = "update"
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Open question on the writer thread: its memories as they are now, and the answer."""

    engine: Engine
    db: Connection
    question: Proposal
    ask: Decide
    author: str
    subject: Any
    other: Any

    def approval(self, record: Any, *, edited: bool = False) -> dict[str, Any]:
        """Return the fields that this answer changes if a person gives it."""
        return approval(record, self.author, edited=edited)

    def draft(self, channel: str) -> Draft:
        return Draft(
            engine=self.engine,
            db=self.db,
            user_id=self.question.user_id,
            channel=channel,
            agent_id=self.subject.agent_id,
            at=self.engine.clock(),
        )


def decide(engine: Engine, ask: Decide, *, author: str) -> Decided:
    """Answer a question; source lines of its facts change with them.

    Raises NotFound, BadAsk for an answer that does not fit the question, Conflict if it is answered already
    or its memories have changed so that the answer no longer applies; StorageFailed."""
    with engine.store.reading() as db:
        question = _open(db, ask)
    if ask.decision == "merge" and question.type == "duplicate":
        return _join(engine, ask, author)
    if ask.decision == "promote":
        ensure_channel(engine, question.user_id, GLOBAL, author=author)

    def verb(db: Connection) -> tuple[Change | None, Effect]:
        case = _case(engine, db, ask, author)
        effect = EFFECTS[ask.decision](case)
        return _change(case, effect), effect

    about = [id for id in (*question.group, question.other_id) if id is not None]
    applied, effect = engine.decide(verb, about)
    assert applied is not None
    if question.type == SECRET:
        secret_sweep.settle(engine, ask.decision, json.loads(question.details)["secrets"], author=author)
    return Decided(
        id=ask.id, decision=ask.decision, memory=effect.memory, change=applied.id, title=effect.title
    )


def _open(db: Connection, ask: Decide) -> Proposal:
    question = records.need(db, PROPOSAL, ask.id)
    if question.status != "open":
        raise Conflict(
            message("This was decided already: {decision}.", decision=question.decision or question.status),
            next=message("Take that decision back first."),
        )
    takes = DECISIONS.get(question.type, ())
    if ask.decision not in takes:
        raise BadAsk(message("A {type} is answered by {takes}.", type=question.type, takes=", ".join(takes)))
    return question


def _case(engine: Engine, db: Connection, ask: Decide, author: str) -> Case:
    question = _open(db, ask)
    ids = [id for id in (question.subject_id, question.other_id) if id is not None]
    kept = records.by_ids(db, ids)
    subject, other = (None if id is None else kept[id][1] for id in (question.subject_id, question.other_id))
    if ask.decision != DISMISS and question.type not in (QUARANTINE, SECRET, FADING):
        for record in filter(None, (subject, other)):
            _need_current(record)
    return Case(engine=engine, db=db, question=question, ask=ask, author=author, subject=subject, other=other)


def _need_current(record: Any) -> None:
    if record.retired_at is not None or getattr(record, "superseded_by", None) is not None:
        raise Conflict(
            message("“{record}” has left recall since this was asked.", record=shortened(title_of(record))),
            next=message("Dismiss the question."),
        )


def _change(case: Case, effect: Effect) -> Change:
    question, ask = case.question, case.ask
    edits = effect.edits
    if not any(edit.id == question.id for edit in edits):
        edits = [*edits, decision_edit(question, ask.decision, at=case.engine.clock())]
    said = {"question": question.id, "type": question.type, "decision": ask.decision, "reason": ask.reason}
    return Change(
        op=effect.op,
        title=titled(effect.title, 120),
        author=case.author,
        edits=tuple(edits),
        channel=GLOBAL if effect.op == "promote" else question.channel,
        user_id=question.user_id,
        details={**effect.details, **said},
    )


def _join(engine: Engine, ask: Decide, author: str) -> Decided:
    """Merge the two memories, which closes the question. A very long merge is a run, and its last change closes it."""

    def judge(db: Connection) -> Pair:
        question = _open(db, ask)
        both = records.by_ids(db, (question.subject_id, str(question.other_id)))
        lost, kept = ordered(both[question.subject_id][1], both[str(question.other_id)][1])
        return mergeable_pair(db, lost.id, kept.id)

    run = new_id("run", engine.clock())
    said = {"question": ask.id, "type": "duplicate", "decision": ask.decision, "reason": ask.reason}
    applied, kept, alone = merge_in_steps(engine, judge, author=author, run=run, details=said)
    return Decided(
        id=ask.id,
        decision=ask.decision,
        memory=kept.id,
        change=applied.id,
        run=None if alone else run,
        title=message("Merged into “{kept}”", kept=shortened(title_of(kept), 80)),
    )


def _dismiss(case: Case) -> Effect:
    kind, record = records.any_record(case.db, case.question.subject_id)
    title = message(
        "Dismissed a {type}: “{record}”",
        type=case.question.type,
        record=shortened(str(getattr(record, kind.title)), 80),
    )
    return Effect(title=title, memory=record.id, edits=[])


def _promote(case: Case) -> Effect:
    change, copy = promotion_change(
        case.engine, case.db, case.subject, author=case.author, reason=case.ask.reason
    )
    return Effect(
        title=case.subject.claim, memory=copy, edits=list(change.edits), op="promote", details=change.details
    )


def _keep_subject(case: Case) -> Effect:
    return _kept(case, case.subject, case.other)


def _keep_other(case: Case) -> Effect:
    return _kept(case, case.other, case.subject)


def _kept(case: Case, kept: Fact, gone: Fact) -> Effect:
    draft = case.draft(kept.channel)
    draft.supersede(gone, kept.id)
    title = message(
        "Kept “{claim}” over “{other}”", claim=shortened(kept.claim, 50), other=shortened(gone.claim, 50)
    )
    return Effect(title=title, memory=kept.id, edits=draft.edits)


def _both(case: Case) -> Effect:
    """Keep both facts, each for its time: the older is valid until the newer begins."""
    newer, older = case.subject, case.other
    at = optional_instant(case.ask.at) or _said_at(case.db, newer)
    if (older.valid_from or at) > at or (newer.valid_to or at) < at:
        raise BadAsk(message("One of the two was not true at that time."), next=message("Give another time."))
    edits = [
        records.update_edit(FACT, older, temporal="past", valid_to=at),
        records.update_edit(FACT, newer, temporal="current", valid_from=at),
    ]
    title = message(
        "“{claim}” until “{later}”", claim=shortened(older.claim, 50), later=shortened(newer.claim, 50)
    )
    return Effect(title=title, memory=newer.id, edits=edits)


def _said_at(db: Connection, fact: Fact) -> int:
    """Return the time of a fact's source turn, else the time it was learned."""
    turn = records.get(db, TURN, fact.source_turn_id) if fact.source_turn_id else None
    return fact.created_at if turn is None else turn.created_at


def _merge(case: Case) -> Effect:
    """Replace both facts by one new claim, with the sources and the subjects of both."""
    if not case.ask.text.strip():
        raise BadAsk(
            message("Merging a contradiction needs the claim that takes the place of both."),
            next=message("Give a text."),
        )
    pair = (case.subject, case.other)
    draft = case.draft(
        GLOBAL if GLOBAL in (case.subject.channel, case.other.channel) else case.subject.channel
    )
    draft.door = of_author(case.author) if case.author.startswith(PERSON) else lowest(map(of_record, pair))
    id, _ = draft.fact(
        case.ask.text,
        category=case.subject.category,
        confidence=max(each.confidence for each in pair),
        temporal=case.subject.temporal,
        source="person",
        source_turn_id=case.subject.source_turn_id,
        quote=case.subject.quote,
    )
    for fact in (each for each in pair if each.id != id):
        ties = (tie for tie, end in moving.relations_at(case.db, fact.id) if end == "source_id")
        # A line of a file says one of the two, and leaves with it.
        kept = (tie for tie in ties if tie.type in (ABOUT, DERIVED_FROM) and tie.properties == "{}")
        for tie in list(kept)[:TIES_AT_MOST]:
            draft.relation(
                id, tie.target_id, tie.type, confidence=tie.confidence, source_turn_id=tie.source_turn_id
            )
        draft.supersede(fact, id)
    title = message("Said as one: {text}", text=case.ask.text)
    return Effect(title=title, memory=id, edits=draft.edits)


def _apply(case: Case) -> Effect:
    """Replace the claim of the fact by the proposed correction."""
    fact, details = case.subject, json.loads(case.question.details)
    if fact.claim != details["was"]:
        raise Conflict(
            message("The claim changed since the correction was proposed."),
            details={"expected": details["was"], "found": fact.claim},
        )
    twin = semantic.fact_claiming(case.db, fact.user_id, fact.channel, details["claim"])
    if twin is not None:
        raise Conflict(
            message("Fact {id} claims that already.", id=twin.id),
            next=message("Merge the two, and dismiss this."),
        )
    draft = case.draft(fact.channel)
    draft.edits.append(
        records.update_edit(FACT, fact, claim=details["claim"], **case.approval(fact, edited=True))
    )
    relink(draft, fact, details["claim"])
    return Effect(title=details["claim"], memory=fact.id, edits=draft.edits)


def _quarantine(case: Case) -> Effect:
    """Quarantine the subject of the question, which closes it and asks about the quarantine instead."""
    kind = records.any_record(case.db, case.subject.id)[0]
    draft = case.draft(case.subject.channel)
    edits = quarantine_edits(
        draft,
        kind,
        case.subject,
        reason=verbatim(case.ask.reason) if case.ask.reason else reason_of(case.question),
    )
    return Effect(
        title=message("Quarantined: {subject}", subject=title_of(case.subject)),
        memory=case.subject.id,
        edits=edits,
        op="retire",
    )


def _release(case: Case) -> Effect:
    """Return a quarantined memory to recall."""
    kind = _held_out(case)
    refuse_duplicates(case.db, case.subject)
    edit = records.update_edit(kind, case.subject, retired_at=None, **case.approval(case.subject))
    return Effect(
        title=message("Let into recall: {subject}", subject=title_of(case.subject)),
        memory=case.subject.id,
        edits=[edit],
    )


def _retire(case: Case) -> Effect:
    """Retire a doubtful memory or all that faded, or keep a quarantined one out of recall as retired by the person
    who decides."""
    if case.question.type == FADING:
        return _retire_faded(case)
    if case.question.type == DOUBTFUL:
        edit = records.update_edit(FACT, case.subject, retired_at=case.engine.clock())
        return Effect(
            title=message("Retired: {subject}", subject=title_of(case.subject)),
            memory=case.subject.id,
            edits=[edit],
            op="retire",
        )
    edit = records.update_edit(_held_out(case), case.subject, retired_at=case.engine.clock())
    title = message("Kept out of recall: {subject}", subject=title_of(case.subject))
    return Effect(title=title, memory=case.subject.id, edits=[edit], op="retire")


def _retire_faded(case: Case) -> Effect:
    """Retire what was asked about and was neither used nor pinned since."""
    at, asked = case.engine.clock(), case.question.created_at
    kept = protected(case.db, case.question.group)
    edits = [
        records.update_edit(kind, record, retired_at=at)
        for kind, record in records.by_ids(case.db, case.question.group).values()
        if record.id not in kept and aging.is_unused(case.db, kind, record.id, asked)
    ]
    if not edits:
        raise Conflict(
            message("All of it was used, pinned or retired since this was asked."), next=message("Keep it.")
        )
    return Effect(
        title=message("Retired {edits} that had faded", edits=_memories(len(edits))),
        memory=case.question.subject_id,
        edits=edits,
        op="retire",
    )


def _keep(case: Case) -> Effect:
    """Keep what faded: it is not asked about again for a long time."""
    title = message("Kept {group} that had faded", group=_memories(len(case.question.group)))
    return Effect(title=title, memory=case.question.subject_id, edits=[])


def _memories(number: int) -> str:
    return message("1 memory") if number == 1 else message("{count} memories", count=f"{number:,}")


def _held_out(case: Case) -> Kind[Any]:
    kind, record = records.any_record(case.db, case.subject.id)
    if record.retired_at is None:
        raise Conflict(
            message("This memory is back in recall since."),
            next=message("Quarantine it anew if it should not be."),
        )
    return kind


def _secrets(case: Case) -> Effect:
    """Answer what to do with the secrets of a source; it is done after the answer is recorded."""
    details = json.loads(case.question.details)
    title = SECRET_ANSWERS[case.ask.decision](details["source"])
    return Effect(title=title, memory=case.subject.id, edits=[])


SECRET_ANSWERS: dict[str, Callable[[str], Message]] = {
    KEEP_MASKED: lambda source: message("Secrets of {what} stay masked", what=source),
    ERASE_SECRETS: lambda source: message("Secrets of {what} are erased for good", what=source),
    NOT_SECRET: lambda source: message("No secrets in {what}", what=source),
}
EFFECTS: dict[str, Callable[[Case], Effect]] = {
    DISMISS: _dismiss,
    "promote": _promote,
    "keep_subject": _keep_subject,
    "keep_other": _keep_other,
    "both": _both,
    "merge": _merge,
    "apply": _apply,
    QUARANTINE: _quarantine,
    "release": _release,
    "retire": _retire,
    KEEP_MASKED: _secrets,
    ERASE_SECRETS: _secrets,
    NOT_SECRET: _secrets,
    "keep": _keep,
}


AUTHOR = "job:standing"
HARMLESS = ("dismiss", "promote", "release", "keep", KEEP_MASKED)
"""Answers that remove no memory from recall."""


def newest_question(engine: Engine) -> int:
    """Return the number of the newest question; later ones can be settled."""
    with engine.store.reading() as db:
        return proposing.latest(db)


def settle(engine: Engine, since: int, *, run: str | None = None) -> list[str]:
    """Answer the questions asked after `since` that match a standing decision; return the ids of those
    answered.

    Only newer ones: if a person undoes such an answer, the question is open again and not answered
    automatically. A question about memory that a person pinned or wrote is left to a person, and so is an
    answer that does not fit. run: the run that the changes belong to."""
    with engine.store.reading() as db:
        asked = proposing.asked_since(db, since)
        subjects = records.by_ids(db, [each.subject_id for each in asked])
        found = [
            (each, matching_decision(db, each, subjects[each.subject_id][1]))
            for each in asked
            if each.subject_id in subjects
        ]
    answered = []
    for question, decision in found:
        if decision is None or _guarded(engine, question, decision.decision):
            continue
        ask = Decide(id=question.id, decision=decision.decision, reason=decision_label(decision))
        try:
            with one_run(run) if run else nullcontext():
                decide(engine, ask, author=AUTHOR)
        except (BadAsk, Conflict, NotFound):
            continue
        answered.append(question.id)
    return answered


def _guarded(engine: Engine, question: Proposal, decision: str) -> bool:
    """Return True if the answer could remove memory that a person pinned or wrote."""
    if decision in HARMLESS:
        return False
    ids = [id for id in (*question.group, question.other_id) if id is not None]
    with engine.store.reading() as db:
        return bool(protected(db, ids))
