"""Portrait of an agent: its identity, people, rules, projects, contradictions, secrets and days, read from its records.

No language model takes part: each line is the text of a record, with its source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from memdesk.engine.agents.folder_coverage import files_part, folder_read, identity_lines, rule_lines
from memdesk.engine.engine import Engine
from memdesk.engine.memory.rows import origins
from memdesk.engine.secrets.vault import KEPT, Entry
from memdesk.engine.wording import shortened
from memdesk.engine.workspace.day_files import calendar
from memdesk.model.agent import (
    CONTRADICTIONS,
    DAYS,
    DAYS_AT_MOST,
    IDENTITY,
    LINES_AT_MOST,
    PEOPLE,
    PROJECTS,
    RULES,
    SECRETS,
    AskPortrait,
    FolderRead,
    Portrait,
    PortraitLine,
    PortraitPart,
    agent_key,
)
from memdesk.model.channel import GLOBAL
from memdesk.model.document import WORKSPACE, Document, Workspace
from memdesk.model.entity import ENTITY, Entity
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.fact import FACT, Fact
from memdesk.model.instant import DAY, MINUTE, to_datetime
from memdesk.model.message import NO_MESSAGE, Message, joined, message, verbatim
from memdesk.model.recall import Provenance
from memdesk.model.workspace import AskCalendar, DayCount
from memdesk.store import agents, browsing, document_versions, records, semantic
from memdesk.store.connection import Connection

DETAIL_CHARACTERS = 160
TOPICS = 4
"""Names that describe a project: what most of its facts are about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subject:
    """Agent that is portrayed. agent: its name, None for all agents. names: of all agents of the desk.

    folders: its workspaces, the one added last first. files: of these, by path."""

    ask: AskPortrait
    agent: str | None
    names: tuple[str, ...]
    folders: tuple[Workspace, ...]
    files: tuple[Document, ...]


def portrait(engine: Engine, ask: AskPortrait) -> Portrait:
    """Return the portrait of an agent. Raises NotFound for an unknown agent, BadAsk for a number out of range."""
    if not (1 <= ask.lines <= LINES_AT_MOST and 1 <= ask.days <= DAYS_AT_MOST):
        raise BadAsk(
            message(
                "lines lies between 1 and {count}, days between 1 and {days}.",
                count=LINES_AT_MOST,
                days=DAYS_AT_MOST,
            )
        )
    with engine.store.reading() as db:
        subject = _subject(db, ask)
        channels = agents.channels(db, ask.user_id, subject.agent)
        days = _days(engine, db, subject)
        if not (ask.agent or channels or subject.files or days):
            return _nobody()
        folder = folder_read(db, subject.folders, subject.files)
        parts = (
            _identity(db, subject, folder),
            _people(engine, db, subject),
            _rules(engine, db, subject),
            _projects(db, subject, engine.person, channels),
            _contradictions(db, subject, uncompared := agents.uncompared(db, ask.user_id, subject.agent)),
            _secrets(engine, db, subject),
            _days_part(days, ask.days),
            *files_part(db, subject.files, ask.lines),
        )
    facts = sum(each.facts for each in channels)
    return Portrait(
        agent=subject.agent or "",
        agents=subject.names,
        says=_says(subject, facts, folder),
        next=NO_MESSAGE if facts or subject.files else _next(subject),
        facts=facts,
        uncompared=uncompared,
        folder=folder,
        parts=parts,
        days=days,
    )


def _nobody() -> Portrait:
    return Portrait(
        agent="",
        agents=(),
        says=message("This desk knows no agent yet."),
        next=message("`memdesk discover` finds agents on this machine; `memdesk import PATH` brings one in."),
    )


def _subject(db: Connection, ask: AskPortrait) -> _Subject:
    names = tuple(browsing.agents(db))
    folders = sorted(
        records.find(db, WORKSPACE, user_id=ask.user_id, retired_at=None), key=lambda each: -each.created_at
    )
    agent = _named(names, ask.agent) if ask.agent else _latest(db, names, folders)
    own = tuple(each for each in folders if agent is None or each.agent_id == agent)
    files = [each for folder in own for each in document_versions.in_use(db, folder.id).values()]
    return _Subject(ask=ask, agent=agent, names=names, folders=own, files=tuple(files))


def _named(names: Sequence[str], agent: str) -> str:
    found = next((name for name in names if agent_key(name) == agent_key(agent)), None)
    if found is None:
        raise NotFound(
            message("There is no agent {agent} on this desk.", agent=shortened(agent)),
            next=message("It has: {names}.", names=list(names))
            if names
            else message("`memdesk discover` finds agents on this machine."),
        )
    return found


def _latest(db: Connection, names: Sequence[str], folders: Sequence[Workspace]) -> str | None:
    """Return the agent of the folder that was added last, else the one that was active last; None if there is none."""
    added = next((each.agent_id for each in folders if each.agent_id in names), None)
    if added is not None:
        return added
    active = agents.activity(db)
    return max(names, key=lambda name: active.get(name, (0, 0))[0], default=None)


def _says(subject: _Subject, facts: int, folder: FolderRead | None) -> Message:
    if subject.agent is None:
        return message("No agent has signed here yet; this desk has {facts} facts.", facts=f"{facts:,}")
    if folder is None:
        return message(
            "{agent} works through the service, without a folder on this desk. Facts of it: {facts}.",
            agent=subject.agent,
            facts=f"{facts:,}",
        )
    return message(
        "{agent} has {facts} facts; {files} files of it were read, as {layout} keeps them.",
        agent=subject.agent,
        facts=f"{facts:,}",
        files=folder.files,
        layout=folder.layout,
    )


def _next(subject: _Subject) -> Message:
    return message(
        "Nothing is known of {agent} yet: add its folder, or let it work for a while.",
        agent=subject.agent or "",
    )


def _identity(db: Connection, subject: _Subject, folder: FolderRead | None) -> PortraitPart:
    """Return the lines of its identity files; without any, the surest facts about an entity of its name."""
    most = subject.ask.lines
    lines = list(identity_lines(db, subject.files))
    if not lines and subject.agent is not None:
        known = semantic.entities_named(db, subject.ask.user_id, [subject.agent])
        about = [fact for each in known for fact in agents.facts_on(db, each.id, None, each.name, most)]
        lines = list(_fact_lines(db, about))
    if not lines:
        says = message("No file and no fact says who it is yet.")
    elif folder is None:
        says = message("Facts about it: {count}, the surest first.", count=len(lines))
    else:
        says = message("Lines that say who it is: {count}.", count=len(lines))
    return PortraitPart(name=IDENTITY, says=says, total=len(lines), lines=tuple(lines[:most]))


def _people(engine: Engine, db: Connection, subject: _Subject) -> PortraitPart:
    found = _under_full_names(
        agents.people(db, subject.ask.user_id, subject.agent, engine.person, besides=subject.names)
    )
    says = (
        message("People it knows: {count}, by how often they come up.", count=len(found))
        if found
        else message("It knows no person by name yet.")
    )
    shown = found[: subject.ask.lines]
    known = records.by_seq(db, [seq for seq, _, _ in shown])
    lines = tuple(_person(db, subject, known[seq][1], facts) for seq, _, facts in shown if seq in known)
    return PortraitPart(name=PEOPLE, says=says, total=len(found), lines=lines)


def _under_full_names(people: Sequence[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
    """Return the people with the facts of a first name under the only full name that begins with it."""
    facts = {name: count for _, name, count in people}
    for short in facts:
        full = [name for name in facts if name.startswith(f"{short} ")]
        if len(full) == 1:
            facts[full[0]] += facts[short]
            facts[short] = 0
    left = [(seq, name, facts[name]) for seq, name, _ in people if facts[name]]
    return sorted(left, key=lambda each: -each[2])


def _person(db: Connection, subject: _Subject, person: Entity, facts: int) -> PortraitLine:
    surest = agents.facts_on(db, person.id, subject.agent, person.name, 1)
    known = person.description or (surest[0].claim if surest else "")
    return PortraitLine(
        kind=ENTITY.name,
        id=person.id,
        text=person.name,
        note=verbatim(shortened(known, DETAIL_CHARACTERS)),
        channel=person.channel,
        source=origins(db, surest).get(surest[0].id) if surest else None,
        count=facts,
    )


def _rules(engine: Engine, db: Connection, subject: _Subject) -> PortraitPart:
    """Return the rules among its facts, then those of its instruction files."""
    most = subject.ask.lines
    total, found = agents.rules(db, subject.ask.user_id, subject.agent, now=engine.clock(), limit=most)
    written = list(rule_lines(db, subject.folders, subject.files))
    total += len(written)
    says = (
        message("Standing rules: {count}, in the words they were given.", count=total)
        if total
        else message("It was given no standing rule yet.")
    )
    lines = [*_fact_lines(db, found), *written]
    return PortraitPart(name=RULES, says=says, total=total, lines=tuple(lines[:most]))


def _fact_lines(db: Connection, facts: Sequence[Fact]) -> Iterator[PortraitLine]:
    places = origins(db, facts)
    for fact in facts:
        yield PortraitLine(
            kind=FACT.name,
            id=fact.id,
            text=fact.claim,
            channel=fact.channel,
            source=places.get(fact.id),
            at=to_datetime(fact.created_at),
        )


def _projects(
    db: Connection, subject: _Subject, owner: str, channels: Sequence[agents.ChannelFacts]
) -> PortraitPart:
    own = [each for each in channels if each.name != GLOBAL]
    everywhere = sum(each.facts for each in channels if each.name == GLOBAL)
    if own:
        says = message(
            "Channels with its facts: {count}; {facts} facts are in {channel}.",
            count=len(own),
            facts=f"{everywhere:,}",
            channel=GLOBAL,
        )
    else:
        says = message(
            "It has no channel of its own; {facts} facts are in {channel}.", facts=everywhere, channel=GLOBAL
        )
    total = sum(each.facts for each in channels)
    lines = tuple(_project(db, subject, owner, each, total) for each in own[: subject.ask.lines])
    return PortraitPart(name=PROJECTS, says=says, total=len(own), lines=lines)


def _project(
    db: Connection, subject: _Subject, owner: str, channel: agents.ChannelFacts, total: int
) -> PortraitLine:
    besides = (*subject.names, channel.name.replace("-", " "), owner)
    about = agents.topics(db, subject.ask.user_id, channel.name, subject.agent, besides=besides, limit=TOPICS)
    return PortraitLine(
        kind="channel",
        id=channel.name,
        text=channel.name,
        note=verbatim(", ".join(about)),
        channel=channel.name,
        count=channel.facts,
        share=channel.facts / total,
        at=to_datetime(channel.newest_at),
    )


def _contradictions(db: Connection, subject: _Subject, uncompared: int) -> PortraitPart:
    total, found = agents.contradictions(db, subject.ask.user_id, subject.agent, subject.ask.lines)
    places = origins(db, [fact for _, newer, older in found for fact in (newer, older)])
    lines = tuple(
        PortraitLine(
            kind="proposal",
            id=asked.id,
            text=newer.claim,
            channel=newer.channel,
            source=places.get(newer.id),
            at=to_datetime(newer.created_at),
            other=older.claim,
            other_source=places.get(older.id),
        )
        for asked, newer, older in found
    )
    says = (
        message("Contradictions: {count}. Both sides are told until you answer.", count=total)
        if total
        else message("No contradiction was found so far.")
        if uncompared
        else message("No two of its facts contradict each other.")
    )
    if uncompared:
        waits = message("Not compared yet: {count} facts. The next checkup does it.", count=uncompared)
        says = joined(says, waits)
    return PortraitPart(name=CONTRADICTIONS, says=says, total=total, lines=lines)


def _secrets(engine: Engine, db: Connection, subject: _Subject) -> PortraitPart:
    kept = [each for each in reversed(engine.vault.entries()) if each.state == KEPT]
    known = records.by_ids(db, [each.record for each in kept if each.record])
    places = tuple(f"{each.path.rstrip('/')}/" for each in subject.folders)
    found = [
        (each, record)
        for each in kept
        for record in (known[each.record][1] if each.record in known else None,)
        if subject.agent is None
        or getattr(record, "agent_id", None) == subject.agent
        or any(file.startswith(places) for file in each.files)
    ]
    lines = tuple(_secret(each, record) for each, record in found[: subject.ask.lines])
    says = (
        message("Secrets found: {count}, masked in every recall.", count=len(found))
        if found
        else message("No secret was found in its memory.")
    )
    return PortraitPart(name=SECRETS, says=says, total=len(found), lines=lines)


def _secret(entry: Entry, record: object) -> PortraitLine:
    file = entry.files[0] if entry.files else ""
    note = (
        message("The file still has it in clear.")
        if file
        else message("Nothing on this desk has it in clear.")
    )
    path = getattr(record, "path", "") or file
    return PortraitLine(
        kind="secret",
        id=entry.id,
        text=entry.kind,
        note=note,
        source=Provenance(path=path, document_id=getattr(record, "id", None)) if path else None,
        at=to_datetime(entry.at),
    )


def _days(engine: Engine, db: Connection, subject: _Subject) -> tuple[DayCount, ...]:
    """Return the entries of its day files per day; of an agent that keeps none, its turns."""
    ask = subject.ask
    offset_us = ask.utc_offset_minutes * MINUTE
    today = to_datetime(engine.clock() + offset_us).date()
    first = today - timedelta(days=ask.days - 1)
    if any(each.day for each in subject.files):
        agent = (subject.agent,) if subject.agent else ()
        entries = calendar(engine, AskCalendar(agents=agent)).days
        return tuple(each for each in entries if first <= each.day <= today)
    begin = date(1970, 1, 1)
    since = (first - begin).days * DAY - offset_us
    counts = agents.turns_by_day(db, ask.user_id, subject.agent, since=since, offset_us=offset_us)
    return tuple(
        DayCount(day=begin + timedelta(days=number), entries=counts[number]) for number in sorted(counts)
    )


def _days_part(days: Sequence[DayCount], asked: int) -> PortraitPart:
    if not days:
        says = message("Nothing was written in the last {days} days.", days=asked)
    else:
        says = message(
            "{count} entries on {written} of the last {days} days.",
            count=f"{sum(each.entries for each in days):,}",
            written=len(days),
            days=asked,
        )
    return PortraitPart(name=DAYS, says=says, total=len(days))
