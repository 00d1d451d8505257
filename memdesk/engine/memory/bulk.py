"""Bulk operations: one operation on many memories, each by the single-memory function, all in one run.
Refused ones are left unchanged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from memdesk.engine.backups import LARGE_BULK, ensure_backup
from memdesk.engine.engine import Engine
from memdesk.engine.memory import curate, merge, promotion, quarantine, scope, tags
from memdesk.engine.progress import Progress
from memdesk.engine.wording import shortened
from memdesk.model.backup import BEFORE_BULK
from memdesk.model.change import Change
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import (
    BULK_AT_MOST,
    TAG,
    VERBS,
    Bulk,
    BulkPreview,
    Curated,
    Merge,
    Move,
    Pin,
    PreviewMerge,
    Promote,
    Restore,
    Retire,
    Tag,
    Tagged,
    Tagging,
    Touch,
)
from memdesk.model.document import DOCUMENT
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.fact import FACT, Fact
from memdesk.model.kind import new_id
from memdesk.model.kinds import BY_NAME
from memdesk.model.message import NO_MESSAGE, Message, joined, message
from memdesk.model.review import Quarantine
from memdesk.store import journal, records
from memdesk.store.connection import Connection
from memdesk.store.run_context import Rehearsed, one_run, rehearsal

Act = Callable[[Engine, Bulk, str, str], Curated | Tagged]
"""Act(engine, ask, id, author): the operation on one memory."""
ACTS: dict[str, Act] = {
    "promote": lambda e, a, id, by: promotion.promote(e, Promote(fact_id=id, reason=a.reason), author=by),
    "past": lambda e, a, id, by: curate.make_past(e, id, author=by),
    "retire": lambda e, a, id, by: curate.retire(e, Retire(id=id, reason=a.reason), author=by),
    "quarantine": lambda e, a, id, by: quarantine.quarantine(
        e, Quarantine(id=id, reason=a.reason), author=by
    ),
    "restore": lambda e, a, id, by: curate.restore(e, Restore(id=id, reason=a.reason), author=by),
    "merge": lambda e, a, id, by: merge.merge(
        e, Merge(id=id, into_id=a.into_id or "", reason=a.reason), author=by
    ),
    "move": lambda e, a, id, by: scope.move(
        e, Move(id=id, channel=a.channel or "", reason=a.reason), author=by
    ),
    "pin": lambda e, a, id, by: curate.pin(e, Pin(id=id), author=by),
    "unpin": lambda e, a, id, by: curate.pin(e, Pin(id=id, pinned=False), author=by),
    "tag": lambda e, a, id, by: tags.tag(e, Tagging(id=id, tags=a.tags), author=by),
}
_DID: dict[str, Callable[[str], Message]] = {
    "promote": lambda count: message("Promoted {count}.", count=count),
    "past": lambda count: message("Marked {count} as past.", count=count),
    "retire": lambda count: message("Retired {count}.", count=count),
    "quarantine": lambda count: message("Quarantined {count}.", count=count),
    "restore": lambda count: message("Restored {count}.", count=count),
    "merge": lambda count: message("Merged {count}.", count=count),
    "move": lambda count: message("Moved {count}.", count=count),
    "pin": lambda count: message("Pinned {count}.", count=count),
    "unpin": lambda count: message("Unpinned {count}.", count=count),
    "tag": lambda count: message("Tagged {count}.", count=count),
}
"""Result of an operation, by its name."""
_SETS = {
    "past": "temporal",
    "retire": "retired_at",
    "quarantine": "retired_at",
    "restore": "retired_at",
    "merge": "retired_at",
    "move": "channel",
    "pin": "pinned",
    "unpin": "pinned",
}
"""Column that an operation sets on the memory itself; the other edits of a memory are side effects."""
SO_ALREADY = message("It is so already.")


def check(ask: Bulk) -> None:
    """Raise BadAsk for an unknown operation, one without its object, or too many memories."""
    if ask.verb not in VERBS:
        raise BadAsk(message("verb should be one of {verbs}.", verbs=", ".join(VERBS)))
    if not 1 <= len(set(ask.ids)) <= BULK_AT_MOST:
        raise BadAsk(
            message("Name 1 to {count} memories.", count=f"{BULK_AT_MOST:,}"),
            next=message("Take them in parts."),
        )
    needs = {
        "merge": ("into_id", ask.into_id),
        "move": ("channel", (ask.channel or "").strip()),
        "tag": ("tags", ask.tags),
    }
    name, given = needs.get(ask.verb, ("", "-"))
    if not given:
        raise BadAsk(message("To {verb}, say {name}.", verb=ask.verb, name=name))
    if ask.verb == "merge" and ask.into_id in ask.ids:
        raise BadAsk(
            message("The memory that is kept is not merged into itself."),
            next=message("Leave it out of ids."),
        )


def preview_bulk(engine: Engine, ask: Bulk, *, author: str) -> BulkPreview:
    """Return the effect of the operation on each memory as it is now, and why some would be left. Nothing is
    written.

    Each memory is checked separately: two that conflict with each other, such as two facts with one claim
    promoted to `_global`, are found only when the operation runs. Raises BadAsk."""
    check(ask)
    rows = tuple(_preview_one(engine, ask, id, author) for id in dict.fromkeys(ask.ids))
    return BulkPreview(verb=ask.verb, will=sum(not row.why_not for row in rows), rows=rows)


def bulk(engine: Engine, ask: Bulk, *, author: str, progress: Progress, run: str = "") -> dict[str, Any]:
    """Apply the operation to each memory, one change after the other, in one run.

    run: its name; called again with the same name after a stop, the operation continues. Returns how many
    changed, the last change of the run (None if there is none), and why others were left, by id. Raises
    BadAsk, Cancelled, and StorageFailed if the backup made before a large operation fails."""
    check(ask)
    ids, run = tuple(dict.fromkeys(ask.ids)), run or new_id("run", engine.clock())
    if len(ids) >= LARGE_BULK:
        ensure_backup(engine, BEFORE_BULK, progress)
    last, done_before = _done_before(engine, run, ask.verb)

    def act(id: str) -> int:
        change = ACTS[ask.verb](engine, ask, id, author).change
        if change is None:
            raise Conflict(SO_ALREADY)
        return change

    return act_on_each(
        ids, act, _DID[ask.verb], run=run, last=last, done_before=done_before, progress=progress
    )


def act_on_each(
    ids: tuple[str, ...],
    act: Callable[[str], int],
    did: Callable[[str], Message],
    *,
    run: str,
    last: int | None,
    done_before: set[str],
    progress: Progress,
) -> dict[str, Any]:
    """Do one thing to each, one change after the other, in one run; what is refused is left.

    did: the result, of a number. last, done_before: of a run that was stopped and now continues. Returns the
    result of `bulk`."""
    left: dict[str, Message] = {}
    for done, id in enumerate(ids):
        progress(done, len(ids), did(f"{done:,}"))
        if id in done_before:
            continue
        try:
            with one_run(run):
                last = act(id)
        except (BadAsk, Conflict, NotFound) as refused:
            left[id] = refused.says
    changed = len(ids) - len(left)
    stayed = message("{count} left as they were.", count=f"{len(left):,}") if left else NO_MESSAGE
    says = joined(did(f"{changed:,}"), stayed)
    return {"changed": changed, "change": last, "run": run, "left": left, "says": says}


def _done_before(engine: Engine, run: str, verb: str) -> tuple[int | None, set[str]]:
    """Return (the last change of a run that was stopped, the ids of the memories it is done with)."""
    with engine.store.reading() as db:
        last = journal.newest_of(db, run)
        touched = journal.records_of_run(db, last, _SETS.get(verb, ""))
        if verb == "tag":
            tagged: list[Tag] = records.many(db, TAG, "id", sorted(touched))
            return last, {each.record_id for each in tagged}
        if verb == "promote":
            copies: list[Fact] = records.many(db, FACT, "id", sorted(touched))
            return last, {each.promoted_from for each in copies if each.promoted_from is not None}
        return last, touched


def _preview_one(engine: Engine, ask: Bulk, id: str, author: str) -> Touch:
    with engine.store.reading() as db:
        try:
            kind, record = records.any_record(db, id)
        except NotFound as gone:
            return Touch(id=id, title=id, channel="", why_not=gone.says)
    title, channel = shortened(str(getattr(record, kind.title)), 200), getattr(record, "channel", "")
    try:
        if ask.verb == "merge":
            return replace(_joined(engine, id, ask.into_id or ""), title=title, channel=channel)
        with rehearsal():
            ACTS[ask.verb](engine, ask, id, author)
    except Rehearsed as rehearsed:
        with engine.store.reading() as db:
            also, files = _other_effects(db, rehearsed.change, id)
        before, after = _before_and_after(ask, record)
        return Touch(id=id, title=title, channel=channel, also=also, files=files, before=before, after=after)
    except (BadAsk, Conflict, NotFound) as refused:
        return Touch(id=id, title=title, channel=channel, why_not=refused.says)
    return Touch(id=id, title=title, channel=channel, why_not=SO_ALREADY)


def _before_and_after(ask: Bulk, record: Any) -> tuple[str, str]:
    """Return the state, channel or tags that an operation changes, before and after."""
    living = getattr(record, "temporal", None) or "current"
    state = "retired" if record.retired_at is not None else living
    match ask.verb:
        case "move":
            return record.channel, ask.channel or ""
        case "promote":
            return record.channel, GLOBAL
        case "tag":
            return "", ", ".join(f"#{tag}" for tag in ask.tags)
        case "pin":
            return state, "pinned"
        case "unpin":
            return "pinned", state
        case "restore":
            return state, living
        case verb:
            return state, {"retire": "retired", "quarantine": "quarantined"}.get(verb, verb)


def _joined(engine: Engine, id: str, into_id: str) -> Touch:
    """Return the preview of a merge, which needs its own: it counts the relations that move, and writes usage
    outside its change."""
    found = merge.preview_merge(engine, PreviewMerge(id=id, into_id=into_id))
    also = {"relation": found.about + found.relations, "other name": found.names, "tag": found.tags}
    return Touch(id=id, title="", channel="", also={what: number for what, number in also.items() if number})


def _other_effects(db: Connection, change: Change, id: str) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return the other records a change edits: counts by kind, and the paths of files."""
    others = {edit.id: edit.kind for edit in change.edits if edit.id != id}
    counts = Counter(BY_NAME[kind].label.lower() for kind in others.values() if kind != DOCUMENT.name)
    files = records.many(db, DOCUMENT, "id", [id for id, kind in others.items() if kind == DOCUMENT.name])
    return dict(counts), tuple(sorted(each.path for each in files))
