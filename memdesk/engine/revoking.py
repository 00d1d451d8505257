"""Revocation of a source: finding everything that descends from it, and taking it out in one run.

The claims taken out are remembered, so that they are not learned again."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from memdesk.engine.backups import LARGE_BULK, ensure_backup
from memdesk.engine.engine import Engine
from memdesk.engine.memory.draft import Draft
from memdesk.engine.progress import Progress
from memdesk.engine.wording import shortened
from memdesk.engine.workspace import placing
from memdesk.model.backup import BEFORE_BULK
from memdesk.model.change import Change, Edit
from memdesk.model.curation import (
    ROWS_SHOWN,
    SOURCES,
    TAKEN_OUT,
    Descendant,
    Revocation,
    RevocationPreview,
)
from memdesk.model.document import DOCUMENT, WORKSPACE
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.fact import FACT, Fact
from memdesk.model.kind import Kind, new_id
from memdesk.model.kinds import BY_NAME
from memdesk.model.message import message
from memdesk.model.review import PROPOSAL, QUARANTINE
from memdesk.store import journal, lineage, records, semantic
from memdesk.store.connection import Connection
from memdesk.store.document_versions import FILES_STAY
from memdesk.store.run_context import one_run

AT_ONCE = 100
"""Memories that one change takes out."""
_STAY = frozenset(("channel", "session", "standing", "trait"))
"""Kinds that are settings of the desk rather than memory from a source."""
DECIDED, ELSEWHERE, DIRECT = (
    message("You have decided about it since."),
    message("It has another source."),
    message("Stored by it"),
)


@dataclass(slots=True, kw_only=True)
class Lineage:
    """Everything that descends from a source: what goes and what stays, by id with its reason; facts that return.

    filed: facts of files that go as well, so that their lines stay in them."""

    title: str
    goes: dict[str, tuple[Kind[Any], Any]] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)
    stays: dict[str, str] = field(default_factory=dict)
    returns: dict[str, dict[str, Any]] = field(default_factory=dict)
    filed: set[str] = field(default_factory=set)


def preview(engine: Engine, ask: Revocation) -> RevocationPreview:
    """Return what revoking a source would take out. Raises BadAsk, NotFound."""
    with engine.store.reading() as db:
        found = descend(db, ask)
        kept = records.by_ids(db, [*found.stays, *found.returns])
        files = _files(db, found)
    back = dict.fromkeys(found.returns, message("What superseded it goes."))
    return RevocationPreview(
        source_kind=ask.source_kind,
        source=ask.source,
        title=found.title,
        counts=dict(Counter(kind.table for kind, _ in found.goes.values())),
        rows=tuple(islice(_rows(found.goes, found.why), ROWS_SHOWN)),
        stays=tuple(islice(_rows(kept, found.stays), ROWS_SHOWN)),
        returns=tuple(islice(_rows(kept, back), ROWS_SHOWN)),
        files=tuple(files),
    )


def check(ask: Revocation) -> None:
    """Raise BadAsk for a kind of source that does not exist."""
    if ask.source_kind not in SOURCES:
        raise BadAsk(message("source_kind should be one of {sources}.", sources=", ".join(SOURCES)))


def revoke(
    engine: Engine, ask: Revocation, *, author: str, progress: Progress, run: str = ""
) -> dict[str, Any]:
    """Take out everything that descends from a source, in one run that is undone as one.

    run: its name; called again with the same name after a stop, it continues. Returns counts, the last change, and
    how many memories stay. Raises BadAsk, NotFound, Cancelled, StorageFailed."""
    run = run or new_id("run", engine.clock())
    with engine.store.reading() as db:
        found = descend(db, ask)
    if len(found.goes) >= LARGE_BULK:
        ensure_backup(engine, BEFORE_BULK, progress)
    counts: Counter[str] = Counter()
    files = _documents_with_files(found)
    ids = sorted(found.goes.keys() - set(files), key=lambda id: found.goes[id][0] is not FACT)
    with one_run(run):
        for start in range(0, len(ids), AT_ONCE):
            progress(
                start,
                len(ids),
                message("Taken out {count} of {total}", count=f"{start:,}", total=f"{len(ids):,}"),
            )
            counts += _take_out(engine, found, ids[start : start + AT_ONCE], ask, author)
        for id in files:
            placing.retire(engine, id, author=author)
            counts[DOCUMENT.table] += 1
        _bring_back(engine, found, author)
    with engine.store.reading() as db:
        last = journal.newest_of(db, run)
    gone = sum(counts.values())
    count, stayed = f"{gone:,}", f"{len(found.stays):,}"
    says = (
        message("Taken out of memory: {count}; {left} stay.", count=count, left=stayed)
        if found.stays
        else message("Taken out of memory: {count}.", count=count)
    )
    return {"changed": gone, "change": last, "run": run, "stays": len(found.stays), "says": says, **counts}


def descend(db: Connection, ask: Revocation) -> Lineage:
    """Return everything that descends from a source. Raises BadAsk, NotFound if there is no such source."""
    check(ask)
    seeds = set(_seeds(db, ask))
    if not seeds:
        raise NotFound(
            message(
                "Nothing in memory comes from the {source_kind} {source}.",
                source_kind=ask.source_kind,
                source=ask.source[:80],
            )
        )
    found = Lineage(title=f"{ask.source_kind.capitalize()} {shortened(ask.source, 80)}")
    found.why = dict.fromkeys(seeds, DIRECT)
    new = seeds
    while new:
        new = _admit(db, found, new, ask.user_id)
        for id, why in lineage.derived(db, new):
            found.why.setdefault(id, why)
        reached = found.why.keys() - found.goes.keys() - found.stays.keys()
        new = set(reached)
        if not new:
            new = set(lineage.lone_entities(db, set(found.goes))) - found.stays.keys()
            found.why |= dict.fromkeys(new, message("Entity that nothing else speaks of"))
    _find_returning(db, found)
    return found


def _seeds(db: Connection, ask: Revocation) -> Iterable[str]:
    """Return the ids of what came from the source itself."""
    match ask.source_kind:
        case "session":
            talks = lineage.conversations_of_session(db, ask.user_id, ask.source)
            return lineage.of_conversations(db, talks)
        case "conversation":
            return lineage.of_conversations(db, [ask.source])
        case "agent":
            author = f"agent:{ask.source}"
            return (
                *lineage.by_author(db, ask.user_id, author),
                *lineage.with_agent(db, ask.user_id, ask.source),
            )
        case "run":
            return lineage.by_run(db, ask.source)
        case "tool":
            return lineage.of_tool(db, ask.user_id, ask.source)
        case _:
            return _documents(db, ask)


def _documents(db: Connection, ask: Revocation) -> list[str]:
    known = records.get(db, DOCUMENT, ask.source)
    if known is not None:
        return [known.id]
    path = Path(ask.source)
    return [
        document.id
        for workspace in records.find(db, WORKSPACE, user_id=ask.user_id)
        if path.is_relative_to(workspace.path)
        for document in records.find(
            db, DOCUMENT, workspace_id=workspace.id, path=path.relative_to(workspace.path).as_posix()
        )
    ]


def _admit(db: Connection, found: Lineage, ids: set[str], user_id: str) -> set[str]:
    """Sort newly reached records into those that go and those that stay; return those that go."""
    decided = journal.decided_by_people(db, sorted(ids))
    admitted: set[str] = set()
    for id, (kind, record) in records.by_ids(db, ids).items():
        if kind.name in _STAY or record.retired_at is not None or record.user_id != user_id:
            found.stays.setdefault(id, "")
        elif kind is FACT and (why := _stays(db, record, found, decided)):
            found.stays[id] = why
        else:
            found.goes[id] = kind, record
            admitted.add(id)
    for id in ids - found.goes.keys():
        found.stays.setdefault(id, "")
    return admitted


def _stays(db: Connection, fact: Fact, found: Lineage, decided: set[str]) -> str:
    """Return the reason why a fact stays: a person decided about it, or it was read elsewhere too; "" if it goes.

    One that has words of what goes does so itself, wherever it was read."""
    if fact.id in decided:
        return DECIDED
    if found.why.get(fact.id) == lineage.QUOTES_IT:
        return ""
    return ELSEWHERE if lineage.other_sources(db, fact.id) - found.why.keys() else ""


def _find_returning(db: Connection, found: Lineage) -> None:
    """Note the facts that gave way to one that goes; other wordings of one that goes, go with it."""
    gone = [id for id, (kind, _) in found.goes.items() if kind is FACT]
    for fact, before in lineage.superseded_by_these(db, gone):
        if fact.id in found.goes or fact.retired_at is not None:
            continue
        if before is None:
            found.goes[fact.id], found.why[fact.id] = (
                (FACT, fact),
                message("Other wording of a fact that goes"),
            )
        elif semantic.fact_claiming(db, fact.user_id, fact.channel, fact.claim) is None:
            found.returns[fact.id] = {
                name: before[name] for name in ("superseded_by", "temporal") if name in before
            }
    found.stays = {id: why for id, why in found.stays.items() if why}
    documents = {id for id, (kind, _) in found.goes.items() if kind is DOCUMENT}
    found.filed = {id for id in gone if documents and documents & lineage.other_sources(db, id)}


def _take_out(
    engine: Engine, found: Lineage, ids: Sequence[str], ask: Revocation, author: str
) -> Counter[str]:
    details: dict[str, Any] = {"source": f"{ask.source_kind}:{ask.source}", FILES_STAY: True}
    details |= {"reason": ask.reason} if ask.reason else {}

    def verb(db: Connection) -> tuple[Change | None, Counter[str]]:
        edits: list[Edit] = []
        counts: Counter[str] = Counter()
        for kind, record in records.by_ids(db, ids).values():
            if record.retired_at is not None:
                continue
            edits.append(records.update_edit(kind, record, retired_at=engine.clock()))
            counts[kind.table] += 1
            if kind is FACT:
                edits += _remembered(
                    engine, db, record, message("Revoked with the {found}.", found=found.title.lower())
                )
        if not edits:
            return None, counts
        kind, record = found.goes[ids[0]]
        change = Change(
            op="retire",
            layer=BY_NAME[kind.name].layer,
            title=message(
                "Revoked {found}: {count} memories", found=found.title, count=f"{counts.total():,}"
            ),
            author=author,
            edits=tuple(edits),
            channel=getattr(record, "channel", ""),
            user_id=ask.user_id,
            details={"source": f"{ask.source_kind}:{ask.source}", FILES_STAY: True}
            | ({"reason": ask.reason} if ask.reason else {}),
        )
        return change, counts

    about = [id for id in ids if found.goes[id][0] is FACT and id not in found.filed]
    return engine.decide(verb, about)[1] if about else engine.store.decide(verb)[1]


def _remembered(engine: Engine, db: Connection, fact: Fact, why: str) -> list[Edit]:
    """Return the edits that remember a claim as answered for good, so that it is not learned again."""
    draft = Draft.of(engine, db, fact, fact.channel)
    draft.create(
        PROPOSAL,
        channel=fact.channel,
        agent_id=fact.agent_id,
        type=QUARANTINE,
        subject_id=fact.id,
        other_id=None,
        reason=why,
        details=json.dumps({}),
        status="accepted",
        decision=TAKEN_OUT,
        decided_at=draft.at,
        created_at=draft.at,
    )
    return draft.edits


def _bring_back(engine: Engine, found: Lineage, author: str) -> None:
    """Make facts current again whose successors went."""
    by_channel: dict[str, list[str]] = defaultdict(list)
    with engine.store.reading() as db:
        for id, (_, fact) in records.by_ids(db, found.returns).items():
            by_channel[fact.channel].append(id)
    for channel, ids in by_channel.items():

        def verb(db: Connection, ids: list[str] = ids, channel: str = channel) -> tuple[Change | None, None]:
            facts = [fact for _, fact in records.by_ids(db, ids).values() if fact.superseded_by in found.goes]
            if not facts:
                return None, None
            edits = tuple(records.update_edit(FACT, fact, **found.returns[fact.id]) for fact in facts)
            title = message(
                "Back after {found} was revoked: {count} facts", found=found.title, count=f"{len(edits):,}"
            )
            return Change(
                op="update",
                layer=FACT.layer,
                title=title,
                author=author,
                edits=edits,
                channel=channel,
                user_id=facts[0].user_id,
            ), None

        engine.store.decide(verb)


def _rows(known: dict[str, tuple[Kind[Any], Any]], why: Mapping[str, str]) -> Iterable[Descendant]:
    for id, (kind, record) in known.items():
        if id in why:
            yield Descendant(
                id=id,
                kind=kind.name,
                title=shortened(str(getattr(record, kind.title) or id)),
                channel=getattr(record, "channel", ""),
                why=why[id],
            )


def _documents_with_files(found: Lineage) -> list[str]:
    """Return the documents whose files are removed: those of folders that stay. The files of a folder that goes
    with its import stay on the disk."""
    return [
        id
        for id, (kind, record) in found.goes.items()
        if kind is DOCUMENT and record.workspace_id not in found.goes
    ]


def _files(db: Connection, found: Lineage) -> list[str]:
    """Return the paths of the files that are removed."""
    documents = [found.goes[id][1] for id in _documents_with_files(found)]
    homes = {
        each.id: each.path
        for each in records.many(db, WORKSPACE, "id", sorted({d.workspace_id for d in documents}))
    }
    return sorted(str(Path(homes[each.workspace_id], each.path)) for each in documents)
