"""Flush: facts of a stretch of conversation are stored on the desk and in MEMORY.md before messages are
removed."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from memdesk.engine.context.keeping import Whose
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.consolidate import consolidate_one
from memdesk.engine.jobs.run import BudgetSpent, begin
from memdesk.engine.workspace import files, ties
from memdesk.engine.workspace.days import write_day
from memdesk.engine.workspace.disk import one_writer
from memdesk.engine.workspace.homes import home, layout_of
from memdesk.engine.workspace.layouts.openlegion import OPENLEGION
from memdesk.model.diary import WriteDay
from memdesk.model.document import Workspace
from memdesk.model.errors import BadAsk, NotFound, Refused
from memdesk.model.fact import Fact, claim_hash
from memdesk.model.instant import to_datetime
from memdesk.store import contexts

MEMORY = "MEMORY.md"
AHEAD, AT_LAST = "Proactive Flush", "Extracted"
"""Titles of the section in MEMORY.md under which flushed facts are written (OpenLegion)."""
WAIT_SECONDS = 30.0
"""Seconds to wait for a job that is reading the same conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flushed:
    """Result of a flush: the facts of the turns, the ids of the new ones among them, and problems as
    sentences."""

    facts: dict[str, tuple[Fact, list[int]]]
    new: tuple[str, ...]
    notices: tuple[str, ...]


def flush(
    engine: Engine, whose: Whose, first: int, last: int, *, label: str, workspace_id: str | None, noted: bool
) -> Flushed:
    """Store the facts of turns `first` to `last`; the turns are stored already.

    label: AHEAD or AT_LAST. noted: in an OpenLegion workspace, the day file records that the context was
    compacted. Refusals by memory become notices; raises StorageFailed and similar errors if the disk fails.
    """
    with engine.store.reading() as db:
        before = contexts.facts_of(db, whose.conversation_id, first, last).keys()
    notices = [*_extracted(engine, whose)]
    with engine.store.reading() as db:
        facts = contexts.facts_of(db, whose.conversation_id, first, last)
    new = tuple(id for id in facts if id not in before)
    told = [fact for fact, _ in facts.values()]
    notices += _written(engine, whose, told, label=label, workspace_id=workspace_id, noted=noted)
    return Flushed(facts=facts, new=new, notices=tuple(notices))


def _extracted(engine: Engine, whose: Whose) -> Iterable[str]:
    """Extract facts from the unread part of the conversation, as the job does; waits if the job is already
    reading it."""
    if not engine.settings.extraction_enabled:
        return ["No facts were extracted: extraction_enabled is off."]
    run = begin(engine, "consolidate", timed=False)
    until = time.monotonic() + WAIT_SECONDS
    try:
        while not consolidate_one(run, whose.conversation_id):
            if time.monotonic() > until:
                return ["Another run is still extracting facts from this conversation."]
            time.sleep(0.02)
    except BudgetSpent as spent:
        return [f"Facts were extracted in part. {spent}"]
    return ["Memory refused some of what came of it; the turns are kept."] if run.counts["left"] else []


def _written(
    engine: Engine, whose: Whose, facts: list[Fact], *, label: str, workspace_id: str | None, noted: bool
) -> list[str]:
    """Append the facts that MEMORY.md lacks to it, if the agent keeps one; return the obstacles as sentences."""
    try:
        workspace = home(engine, workspace_id, whose.agent_id, author=whose.author)
    except NotFound:
        if workspace_id is not None:
            raise
        return []
    except BadAsk as several:
        return [f"MEMORY.md was left as it is: {several.says}"]
    if not facts or not _keeps_memory(engine, workspace):
        return []
    try:
        with one_writer:
            written = _append(engine, workspace, facts, label, whose.author)
        if written and noted and workspace.layout == OPENLEGION.name:
            entry = f"Context compacted — {written} facts flushed to memory"
            write_day(engine, WriteDay(text=entry, workspace_id=workspace.id), author=whose.author)
    except Refused as refused:
        return [f"MEMORY.md was left as it is: {refused.says}"]
    return []


def _keeps_memory(engine: Engine, workspace: Workspace) -> bool:
    """Return True if a session of this system begins with MEMORY.md, or the folder has one."""
    bootstrap = layout_of(workspace).bootstrap
    begins = bootstrap is not None and any(part.path == MEMORY for part in bootstrap.parts)
    return begins or files.text_of(engine, workspace, MEMORY) is not None


def _append(engine: Engine, workspace: Workspace, facts: list[Fact], label: str, author: str) -> int:
    """Append a section in OpenLegion's form; return the number of facts in it. Raises Refused beyond the
    layout's budget.

    Each line is linked to its fact. A claim that a line of the file already makes is not added."""
    found = files.read(engine, workspace, MEMORY)
    text, held = "", set[str]()
    if found is not None:
        document, file = found
        text = file.text
        with engine.store.reading() as db:
            held = {claim_hash(each.fact.claim) for each in ties.in_file(db, document.id) if each.holds}
    there = {line.strip() for line in text.splitlines()}
    carried = {
        line: fact.id
        for fact in facts
        if claim_hash(fact.claim) not in held and (line := _line(fact)) not in there
    }
    lines = list(carried)
    if not lines:
        return 0
    at = to_datetime(engine.clock())
    block = f"\n\n## {label} ({at:%Y-%m-%d %H:%M} UTC)\n\n" + "\n".join(lines) + "\n"
    budget = dict(layout_of(workspace).budgets).get(MEMORY.removesuffix(".md"))
    if budget is not None and len(text) + len(block) > budget:
        raise Refused(f"with {len(lines)} more facts it would be longer than its {budget:,} characters.")
    title = f"Kept {len(lines)} facts of a context in {MEMORY}"
    files.add(engine, workspace, MEMORY, block, author=author, title=title, carried=carried)
    return len(lines)


def _line(fact: Fact) -> str:
    """Return a fact as OpenLegion writes it, key and value; a fact without them has its category as key and
    its claim as value."""
    key, value = (fact.key, fact.value) if fact.key and fact.value else (fact.category, fact.claim)
    return f"- **{key}**: {' '.join(value.split())}"
