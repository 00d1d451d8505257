"""Review queue: the questions that wait for a person, with both sides of each, the proposals of agents, and
one answer to many questions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.bulk import act_on_each
from memdesk.engine.memory.decisions import decide, newest_question, settle
from memdesk.engine.memory.draft import CLAIM_CHARACTERS, Draft
from memdesk.engine.memory.duplicates import ordered
from memdesk.engine.memory.merge import preview_merge, title_of
from memdesk.engine.memory.promotion import threshold_values
from memdesk.engine.memory.rows import fact_rows, moves_of, origins, row_of
from memdesk.engine.progress import Progress
from memdesk.engine.wording import check_limit, shortened, tidied, titled
from memdesk.model.browse import FactRow
from memdesk.model.change import Change, Edit
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import PreviewMerge
from memdesk.model.entity import ABOUT, Entity
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.fact import FACT, Fact, claim_hash
from memdesk.model.history import RecordRef
from memdesk.model.instant import optional_datetime, optional_instant
from memdesk.model.kind import Kind, new_id
from memdesk.model.kinds import BY_NAME
from memdesk.model.message import message, verbatim, without_message
from memdesk.model.recall import Provenance
from memdesk.model.review import (
    DECIDED_AT_MOST,
    DECISIONS,
    PROPOSAL,
    STATES,
    AskContradictions,
    Asked,
    AskReview,
    Contradictions,
    CountReview,
    Decide,
    DecideAll,
    DecisionPreview,
    Effect,
    Proposal,
    Propose,
    PutOff,
    Question,
    ReviewCount,
    ReviewPage,
    Side,
    Waits,
    reason_of,
)
from memdesk.store import journal, moving, proposing, records, semantic
from memdesk.store.connection import Connection
from memdesk.store.proposing import LATER, Wanted
from memdesk.store.recalls import AGENT
from memdesk.store.run_context import Rehearsed, rehearsal

TITLE_CHARACTERS = 300


def contradictions(engine: Engine, ask: AskContradictions) -> Contradictions:
    """Return the open questions about what contradicts these facts. Raises BadAsk for too many."""
    if len(ask.ids) > DECIDED_AT_MOST:
        raise BadAsk(message("Name {count} facts at most.", count=f"{DECIDED_AT_MOST:,}"))
    with engine.store.reading() as db:
        return Contradictions(questions=proposing.contradicted_among(db, ask.ids))


def preview_decision(engine: Engine, ask: Decide, *, author: str) -> DecisionPreview:
    """Return the effect of an answer now, by a rehearsal of the real operation. Nothing is written. Raises
    NotFound.

    For an answer that would be refused, `why_not` gives the reason."""
    with engine.store.reading() as db:
        question = records.need(db, PROPOSAL, ask.id)
    try:
        if question.type == "duplicate" and ask.decision == "merge" and question.status == "open":
            return _joined(engine, question)
        with rehearsal():
            decide(engine, ask, author=author)
    except Rehearsed as rehearsed:
        with engine.store.reading() as db:
            effects = tuple(_effects(db, rehearsed.change, question.id))
        return DecisionPreview(decision=ask.decision, effects=effects)
    except (BadAsk, Conflict) as refused:
        return DecisionPreview(decision=ask.decision, why_not=refused.says)
    return DecisionPreview(decision=ask.decision)


def check(ask: DecideAll) -> None:
    """Raise BadAsk for no questions, or for too many."""
    if not 1 <= len(set(ask.ids)) <= DECIDED_AT_MOST:
        raise BadAsk(
            message("Name 1 to {count} questions.", count=f"{DECIDED_AT_MOST:,}"),
            next=message("Answer them in parts."),
        )


def decide_all(
    engine: Engine, ask: DecideAll, *, author: str, progress: Progress, run: str = ""
) -> dict[str, Any]:
    """Give one answer to many questions, one change after the other, in one run.

    run: its name; called again with the same name after a stop, the operation continues. Returns how many
    were answered, the last change of the run (None if there is none), and why others were left, by id. Raises
    BadAsk, Cancelled."""
    check(ask)
    ids, run = tuple(dict.fromkeys(ask.ids)), run or new_id("run", engine.clock())
    with engine.store.reading() as db:
        last = journal.newest_of(db, run)
        answered = journal.records_of_run(db, last)

    def act(id: str) -> int:
        answer = Decide(id=id, decision=ask.decision, reason=ask.reason)
        return decide(engine, answer, author=author).change

    result = act_on_each(
        ids,
        act,
        lambda count: message("Answered {count}.", count=count),
        run=run,
        last=last,
        done_before=answered,
        progress=progress,
    )
    return {"decided": result.pop("changed"), **result}


def _joined(engine: Engine, question: Proposal) -> DecisionPreview:
    """Return the preview of a merge, which needs its own: it counts the relations that move, and writes usage
    outside its change."""
    with engine.store.reading() as db:
        both = records.by_ids(db, (question.subject_id, str(question.other_id)))
        (kind, _), *_ = both.values()
        lost, kept = ordered(both[question.subject_id][1], both[str(question.other_id)][1])
    found = preview_merge(engine, PreviewMerge(id=lost.id, into_id=kept.id))
    gone, stays = (
        Effect(id=each.id, kind=kind.name, title=title_of(each), channel=each.channel, does=does)
        for each, does in ((lost, message("gives way")), (kept, "stays"))
    )
    return DecisionPreview(decision="merge", effects=(gone, stays), merge=found)


def _effects(db: Connection, change: Change, question: str) -> Iterator[Effect]:
    """Return the effect of a change on each record, without the question itself and the relations."""
    edits = [edit for edit in change.edits if edit.id != question and edit.kind != "relation"]
    kept = records.by_ids(db, [edit.id for edit in edits])
    for edit in edits:
        kind = BY_NAME[edit.kind]
        stands = {} if edit.id not in kept else _fields(kept[edit.id][1], kind.title)
        fields = {**stands, **(edit.before or {}), **(edit.after or {})}
        title = shortened(str(stands.get("title") or fields.get(kind.title, edit.id)), TITLE_CHARACTERS)
        channel = str(fields.get("channel", ""))
        refs = {edit.id: RecordRef(id=edit.id, kind=kind.name, title=title, channel=channel)}
        yield Effect(
            id=edit.id,
            kind=kind.name,
            title=title,
            channel=channel,
            does=_does(edit),
            moves=tuple(moves_of(edit, refs)) if edit.before and edit.after else (),
        )


def _fields(record: Any, title: str) -> dict[str, Any]:
    return {"title": getattr(record, title), "channel": getattr(record, "channel", "")}


def _does(edit: Edit) -> str:
    """Return a short word or phrase for the effect of an edit on a record."""
    if edit.before is None:
        return "asks" if edit.kind == PROPOSAL.name else message("is new")
    after = edit.after or {}
    if edit.kind == PROPOSAL.name:
        return message("is answered")
    if after.get("superseded_by"):
        return message("gives way")
    if after.get("retired_at"):
        return message("is retired")
    if "retired_at" in after:
        return "comes back"
    return "changes"


ROWS_AT_MOST = 200
REASON_CHARACTERS = 1_000


def review(engine: Engine, ask: AskReview) -> ReviewPage:
    """Return questions of the queue, newest first. Raises BadAsk for an unknown type or state."""
    check_limit(ask.limit, ROWS_AT_MOST)
    _check(ask.state, ask.types)
    wanted = Wanted(
        user_id=ask.user_id,
        state=ask.state,
        now=engine.clock(),
        types=ask.types,
        channels=ask.channels,
        before=ask.after,
    )
    with engine.store.reading() as db:
        found = proposing.questions(db, wanted, ask.limit + 1)
        shown = found[: ask.limit]
        sides = _sides(engine, db, shown)
    rows = tuple(_question(each, sides) for each in shown if each.subject_id in sides)
    return ReviewPage(rows=rows, next=shown[-1].seq if len(found) > ask.limit else None)


def count_review(engine: Engine, ask: CountReview) -> ReviewCount:
    """Count the questions by type and by channel."""
    _check(ask.state, ())
    with engine.store.reading() as db:
        wanted = Wanted(user_id=ask.user_id, state=ask.state, now=engine.clock(), channels=ask.channels)
        counted = proposing.counted(db, wanted)
    types: Counter[str] = Counter()
    channels: Counter[str] = Counter()
    for (type, channel), number in counted.items():
        types[type] += number
        channels[channel] += number
    return ReviewCount(total=types.total(), by_type=dict(types), by_channel=dict(channels))


def propose(engine: Engine, ask: Propose, *, author: str) -> Asked:
    """Ask the desk's owner to promote or to correct a fact. The same question is asked only once, even if it
    is answered.

    Raises NotFound, BadAsk for another type or a correction that changes nothing, Conflict for a retired
    fact."""
    if ask.type not in ("promotion", "correction"):
        raise BadAsk(message("An agent proposes a promotion or a correction."))
    reason = verbatim(tidied(ask.reason, message("A reason"), REASON_CHARACTERS))
    claim = (
        tidied(ask.claim, message("The corrected claim"), CLAIM_CHARACTERS)
        if ask.type == "correction"
        else ""
    )

    def verb(db: Connection) -> tuple[Change | None, Proposal | str]:
        fact = records.need(db, FACT, ask.fact_id)
        _refuse(ask.type, fact, claim)
        if known := _known(db, ask.type, fact, claim):
            return None, known
        details = _details(engine, db, fact, claim)
        draft = Draft(
            engine=engine,
            db=db,
            user_id=fact.user_id,
            channel=fact.channel,
            agent_id=ask.agent_id or _agent_of(author),
            at=engine.clock(),
        )
        id = draft.question(ask.type, fact.id, None, reason=reason, details=details)
        return Change.about(
            fact,
            "learn",
            message("Proposed for _global: “{claim}”", claim=shortened(fact.claim, 90))
            if ask.type == "promotion"
            else message("Proposed a correction: “{claim}”", claim=shortened(fact.claim, 90)),
            author=author,
            edits=draft.edits,
            details=details,
        ), id

    asked = newest_question(engine)
    applied, found = engine.store.decide(verb)
    if isinstance(found, Proposal):
        return Asked(id=found.id, repeated=True, status=found.status, decision=found.decision, change=None)
    assert applied is not None
    settle(engine, asked)
    with engine.store.reading() as db:
        now = records.need(db, PROPOSAL, found)
    return Asked(id=found, repeated=False, status=now.status, decision=now.decision, change=applied.id)


def put_off(engine: Engine, ask: PutOff, *, author: str) -> Waits:
    """Postpone a question until a time, or end its postponement. Raises NotFound, Conflict if it is answered
    already."""
    until = optional_instant(ask.until)

    def verb(db: Connection) -> tuple[Change | None, str]:
        question = records.need(db, PROPOSAL, ask.id)
        if question.status != "open":
            raise Conflict(
                message(
                    "This was decided already: {decision}.", decision=question.decision or question.status
                )
            )
        title = (
            message("Put off: {reason}", reason=titled(reason_of(question), 90))
            if until
            else message("Asked again: {reason}", reason=titled(reason_of(question), 90))
        )
        return Change.about(
            question,
            "update",
            title,
            author=author,
            edits=(records.update_edit(PROPOSAL, question, later_until=until),),
        ), title

    applied, title = engine.store.decide(verb)
    return Waits(
        id=ask.id, until=ask.until, change=None if applied is None else applied.id, title=verbatim(title)
    )


def _agent_of(author: str) -> str | None:
    """Return the agent's name in an author, None for a person or a job."""
    return author.removeprefix(AGENT) if author.startswith(AGENT) else None


def _refuse(type: str, fact: Fact, claim: str) -> None:
    if fact.retired_at is not None or fact.superseded_by is not None:
        raise Conflict(message("“{claim}” is out of recall already.", claim=shortened(fact.claim)))
    if type == "promotion" and fact.channel == GLOBAL:
        raise BadAsk(message("This fact is in _global already."))
    if type == "correction" and claim_hash(claim) == claim_hash(fact.claim):
        raise BadAsk(message("The corrected claim is the one that stands."))


def _known(db: Connection, type: str, fact: Fact, claim: str) -> Proposal | None:
    """Return the same question asked before; corrections to different claims are different questions."""
    found = proposing.proposals_about(db, type, fact.id, None)
    same = (
        each for each in found if claim_hash(json.loads(each.details).get("claim", "")) == claim_hash(claim)
    )
    return next(same, None) if claim else next(iter(found), None)


def _details(engine: Engine, db: Connection, fact: Fact, claim: str) -> dict[str, Any]:
    if claim:
        return {"fact": fact.id, "was": fact.claim, "claim": claim}
    (row,) = fact_rows(engine, db, [fact])
    return {"fact": fact.id, "thresholds": threshold_values(row, engine.settings)}


def _check(state: str, types: tuple[str, ...]) -> None:
    if state not in (*STATES, LATER, "all"):
        raise BadAsk(
            message("state should be one of {states}, {later}, all.", states=", ".join(STATES), later=LATER)
        )
    if strange := [type for type in types if type not in DECISIONS]:
        raise BadAsk(
            message(
                "“{strange}” is never asked; types are {proposed}.",
                strange=strange[0],
                proposed=", ".join(DECISIONS),
            )
        )


def _sides(engine: Engine, db: Connection, found: list[Proposal]) -> dict[str, Side]:
    """Return every memory that these questions are about, by id."""
    ids = [id for each in found for id in (each.subject_id, each.other_id) if id is not None]
    kept = records.by_ids(db, ids)
    facts = [record for _, record in kept.values() if isinstance(record, Fact)]
    rows = {row.id: row for row in fact_rows(engine, db, facts)}
    places = origins(db, [record for _, record in kept.values()])
    return {
        id: _side(db, kind, record, rows.get(id), places.get(id, Provenance()))
        for id, (kind, record) in kept.items()
    }


def _side(db: Connection, kind: Kind[Any], record: Any, row: FactRow | None, place: Provenance) -> Side:
    entity = isinstance(record, Entity)
    about = sum(each.type == ABOUT for each, _ in moving.relations_at(db, record.id)) if entity else 0
    return Side(
        id=record.id,
        kind=kind.name,
        title=str(getattr(record, kind.title)),
        channel=getattr(record, "channel", ""),
        category=str(getattr(record, "category", getattr(record, "type", ""))),
        provenance=place,
        fact=row,
        known_as=tuple(semantic.aliases_of(db, record.id)) if entity else (),
        about=about,
    )


def _question(found: Proposal, sides: dict[str, Side]) -> Question:
    return row_of(
        Question,
        found,
        reason=reason_of(found),
        details=without_message(json.loads(found.details)),
        decisions=DECISIONS.get(found.type, ()) if found.status == "open" else (),
        later_until=optional_datetime(found.later_until) if found.status == "open" else None,
        subject=sides[found.subject_id],
        other=None if found.other_id is None else sides.get(found.other_id),
    )
