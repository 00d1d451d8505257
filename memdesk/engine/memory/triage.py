"""Triage of the review queue: the preview of an answer, and one answer to many questions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memdesk.engine.browsing.history import moves_of
from memdesk.engine.engine import Engine
from memdesk.engine.memory.deciding import decide
from memdesk.engine.memory.duplicates import ordered
from memdesk.engine.memory.merge import preview_merge, title_of
from memdesk.engine.progress import Progress
from memdesk.engine.wording import shortened
from memdesk.model.change import Change, Edit
from memdesk.model.curation import PreviewMerge
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.history import RecordRef
from memdesk.model.ids import new_id
from memdesk.model.kinds import BY_NAME
from memdesk.model.proposal import PROPOSAL, Proposal
from memdesk.model.review import DECIDED_AT_MOST, Decide, DecideAll, DecisionPreview, Effect
from memdesk.store import journal, records
from memdesk.store.connection import Connection
from memdesk.store.gathering import Rehearsed, one_run, rehearsal

TITLE_CHARACTERS = 300


def preview_decision(engine: Engine, ask: Decide, *, author: str) -> DecisionPreview:
    """Return the effect of an answer now, by a rehearsal of the real operation. Nothing is written. Raises
    NotFound.

    For an answer that would be refused, `why_not` gives the reason."""
    with engine.store.reading() as db:
        question: Proposal = records.need(db, PROPOSAL, ask.id)
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
        raise BadAsk(f"Name 1 to {DECIDED_AT_MOST:,} questions.", next="Answer them in parts.")


def decide_all(
    engine: Engine, ask: DecideAll, *, author: str, progress: Progress, run: str = ""
) -> dict[str, Any]:
    """Give one answer to many questions, one change after the other, in one run.

    run: its name; called again with the same name after a stop, the operation continues. Returns how many
    were answered, the last change of the run (None if there is none), and why others were left, by id. Raises
    BadAsk, Cancelled."""
    check(ask)
    ids, run = tuple(dict.fromkeys(ask.ids)), run or new_id("run", engine.clock())
    left: dict[str, str] = {}
    with engine.store.reading() as db:
        last = journal.newest_of(db, run)
        answered = journal.of_its_run(db, last)
    for done, id in enumerate(ids):
        progress(done, len(ids), f"Answered {done:,} of {len(ids):,}")
        if id in answered:
            continue
        try:
            with one_run(run):
                answer = Decide(id=id, decision=ask.decision, reason=ask.reason)
                last = decide(engine, answer, author=author).change
        except (BadAsk, Conflict, NotFound) as refused:
            left[id] = refused.says
    decided = len(ids) - len(left)
    says = f"Answered {decided:,}" + (f"; {len(left):,} left as they were." if left else ".")
    return {"decided": decided, "change": last, "run": run, "left": left, "says": says}


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
        for each, does in ((lost, "gives way"), (kept, "stays"))
    )
    return DecisionPreview(decision="merge", effects=(gone, stays), merge=found)


def _effects(db: Connection, change: Change, question: str) -> Iterator[Effect]:
    """Return the effect of a change on each record, without the question itself and the relations."""
    edits = [edit for edit in change.edits if edit.id != question and edit.kind != "relation"]
    kept = records.by_ids(db, [edit.id for edit in edits])
    for edit in edits:
        kind = BY_NAME[edit.kind]
        stands = {} if edit.id not in kept else _fields(kept[edit.id][1], kind.title)
        told = {**stands, **(edit.before or {}), **(edit.after or {})}
        title = shortened(str(stands.get("title") or told.get(kind.title, edit.id)), TITLE_CHARACTERS)
        channel = str(told.get("channel", ""))
        refs = {edit.id: RecordRef(id=edit.id, kind=kind.name, title=title, channel=channel)}
        yield Effect(
            id=edit.id, kind=kind.name, title=title, channel=channel, does=_does(edit),
            moves=tuple(moves_of(edit, refs)) if edit.before and edit.after else (),
        )  # fmt: skip


def _fields(record: Any, title: str) -> dict[str, Any]:
    return {"title": getattr(record, title), "channel": getattr(record, "channel", "")}


def _does(edit: Edit) -> str:
    """Return a short word or phrase for the effect of an edit on a record."""
    if edit.before is None:
        return "asks" if edit.kind == PROPOSAL.name else "is new"
    after = edit.after or {}
    if edit.kind == PROPOSAL.name:
        return "is answered"
    if after.get("superseded_by"):
        return "gives way"
    if after.get("retired_at"):
        return "is retired"
    if "retired_at" in after:
        return "comes back"
    return "changes"
