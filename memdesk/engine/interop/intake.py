"""Entry point of all imports: preview an import, and run it, resumable and idempotent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from memdesk.engine.backups import LARGE_IMPORT, ensure_backup
from memdesk.engine.engine import Engine
from memdesk.engine.interop import chats, mcp_format, record_import, sources
from memdesk.engine.interop.batches import Batch, Chat, GraphLines, Home, Item, Note, Scratch, Source, Uses
from memdesk.engine.interop.chats import chat_state, import_chat
from memdesk.engine.interop.coverage import bounded_rows, coverage_of
from memdesk.engine.interop.customs import Customs, cleared
from memdesk.engine.interop.formats import WHAT_COMES_IN
from memdesk.engine.interop.record_import import RecordImport
from memdesk.engine.interop.sources import open_source
from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.run import begin
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.progress import Progress
from memdesk.engine.workspace import folders, placing
from memdesk.engine.workspace.disk import hidden, one_comparer
from memdesk.engine.workspace.layouts import Place, layer_of, why_of
from memdesk.engine.workspace.line_facts import LineChoice
from memdesk.engine.workspace.placing import ImportContext
from memdesk.files.reading import MEGABYTE, Left, read_text
from memdesk.model.backup import BEFORE_IMPORT
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import BadAsk, Conflict, Refused
from memdesk.model.fact import claim_hash
from memdesk.model.interop import AskImport, FileCoverage, ImportItem, ImportPreview, RecognisedPlace, Skipped
from memdesk.model.kind import new_id
from memdesk.model.kinds import KINDS
from memdesk.model.message import Message, counted, message, verbatim
from memdesk.store import journal, semantic
from memdesk.store.run_context import one_run

CONVERSATION = message("conversation")
RECORDS = message("records")
_PLURALS = {"aliases": "other names"}
_SINGULARS = {kind.table: kind.name.replace("_", " ") for kind in KINDS} | {"aliases": "other name"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemPreview:
    """Preview of one item. counts: records it would add; known: number of records the desk already has.

    claims: (channel, claim hash) of the facts of a file, because several files may state the same one."""

    item: ImportItem | None = None
    left: tuple[Left, ...] = ()
    known: int = 0
    channels: tuple[str, ...] = ()
    agent_id: str | None = None
    file: str = ""
    counts: Counter[str] = field(default_factory=Counter)
    claims: frozenset[tuple[str, str]] = frozenset()
    coverage: FileCoverage | None = None


def preview_item(
    engine: Engine, ask: AskImport, source: Source, item: Item, looked: RecordImport, customs: Customs
) -> ItemPreview:
    """Return the preview of an item. looked: the state after the items before it in the same preview."""
    context = looked.context
    try:
        match item:
            case Note():
                return _of_note(engine, ask, item, looked, customs)
            case Home():
                return _of_home(engine, item, context)
            case Chat():
                return _of_chat(engine, source, item, context)
            case Batch():
                return _of_batch(engine, item, looked)
            case GraphLines():
                return _of_lines(engine, source, item, context)
            case Uses():
                return ItemPreview(file=item.file)
            case Scratch():
                return _of_scratch(engine, item, context)
            case Left():
                return ItemPreview(left=(item,))
    except (Refused, Conflict) as error:
        return ItemPreview(left=(Left.because(item.name, error),))


def lines_of(previews: Iterable[ItemPreview]) -> Iterator[ImportItem]:
    """Yield the items for people: consecutive parts of the same name become one line."""
    found = [(each.item, each.counts) for each in previews if each.item is not None]
    for (name, what), group in groupby(found, key=lambda pair: (pair[0].name, pair[0].what)):
        parts = list(group)
        if what != RECORDS:
            yield from (item for item, _ in parts)
            continue
        counts = sum((counts for _, counts in parts), Counter[str]())
        others = {table: n for table, n in counts.items() if table not in ("turns", "facts")}
        listed = [
            counted(n, _SINGULARS.get(table, plural(table)), plural(table)) for table, n in others.items()
        ]
        says = message("{counted}", counted=listed) if listed else what
        yield ImportItem(name=name, what=says, turns=counts["turns"], facts=counts["facts"])


def plural(table: str) -> str:
    """Return the plural name for the records of a table."""
    return _PLURALS.get(table, table.replace("_", " "))


def read_note(engine: Engine, note: Note, ask: AskImport, customs: Customs) -> placing.Reading:
    """Return a note's file as prepared for its workspace; lines that were not accepted make no fact. Raises
    Refused, naming it."""
    limit_bytes = engine.settings.import_file_megabytes * MEGABYTE
    file = hidden(engine, read_text(note.path, note.name, limit_bytes=limit_bytes))
    if not file.text.strip():
        raise Refused(message("{note} is empty.", note=note.name))
    take, leave = _chosen(ask.take, note.name), _chosen(ask.leave, note.name)

    def read(leave: frozenset[int]) -> placing.Reading:
        choice = LineChoice(take, leave)
        return placing.read_new_file(engine, note.place, note.relative, file, ask.user_id, choice)

    found = read(leave)
    lines = file.text.splitlines()
    learned = (number for number in sorted(found.found.lines) if 0 < number <= len(lines))
    steering = customs.steering_lines(note.name, ((number, lines[number - 1]) for number in learned))
    held = steering - take
    return read(leave | held) if held else found


def _chosen(lines: Iterable[str], name: str) -> frozenset[int]:
    """Return the numbers of the chosen lines that are in this file. Raises BadAsk for a line without a number."""
    parts = [each.rpartition(":") for each in lines]
    if bad := next((each for each in parts if not each[0] or not each[2].isdecimal()), None):
        raise BadAsk(
            message("“{bad}” names no line.", bad="".join(bad)[:80]),
            next=message("Name one as MEMORY.md:12."),
        )
    return frozenset(int(number) for file, _, number in parts if file == name)


def channel_of(source: Source, item: Chat | GraphLines, context: ImportContext) -> str:
    return context.channel or item.channel or source.channel or GLOBAL


def _of_note(
    engine: Engine, ask: AskImport, note: Note, looked: RecordImport, customs: Customs
) -> ItemPreview:
    context = looked.context
    reading = read_note(engine, note, ask, customs)
    role = verbatim(layer_of(note.relative, note.place.layout))
    what = message("{role}, bytes that are not UTF-8 replaced", role=role) if reading.file.mended else role
    channel = placing.channel_of(note.place, context)
    with engine.store.reading() as db:
        now = semantic.current_channel(db, context.user_id, channel)
        claims = {claim_hash(fact.claim): fact.claim for fact in reading.found.facts}
        new = frozenset(
            (now, hash)
            for hash, claim in claims.items()
            if semantic.fact_claiming(db, context.user_id, now, claim) is None
        )
    item = ImportItem(name=note.name, what=what, facts=len(new), size_bytes=note.size_bytes)
    return ItemPreview(
        item=None if reading.known else item,
        known=int(reading.known),
        channels=(channel,),
        agent_id=placing.agent_of(note.place, context),
        file=note.file,
        counts=Counter() if reading.known else Counter(documents=1),
        claims=frozenset() if reading.known else new,
        coverage=None if reading.known else coverage_of(note, reading),
    )


def _of_home(engine: Engine, home: Home, context: ImportContext) -> ItemPreview:
    with engine.store.reading() as db:
        known = folders.is_registered(db, context.user_id, home.place)
    return ItemPreview(
        item=None if known else ImportItem(name=home.name, what=_what_of(home.place)),
        known=int(known),
        channels=(placing.channel_of(home.place, context),),
        agent_id=placing.agent_of(home.place, context),
        counts=Counter() if known else Counter(workspaces=1),
    )


def _what_of(place: Place) -> Message:
    if not place.registered:
        return message("folder for memory, still empty")
    return message(
        "folder of {layout}, now of {what}", layout=place.layout, what=place.agent_id or message("no agent")
    )


def _of_chat(engine: Engine, source: Source, chat: Chat, context: ImportContext) -> ItemPreview:
    with engine.store.reading() as db:
        now = chat_state(db, chat, context.user_id)
    fresh = len(chat.turns) - now.turns
    return ItemPreview(
        item=ImportItem(name=chat.title, what=CONVERSATION, turns=fresh) if fresh else None,
        left=chat.left,
        known=int(not fresh),
        channels=(channel_of(source, chat, context),),
        agent_id=context.agent_id or chat.agent_id,
        file=chat.file,
        counts=Counter(conversations=1, turns=fresh) if fresh else Counter(),
    )


def _of_batch(engine: Engine, batch: Batch, looked: RecordImport) -> ItemPreview:
    with engine.store.reading() as db:
        outcome = looked.judge(db, batch)
    return ItemPreview(
        item=ImportItem(name=batch.name, what=RECORDS) if outcome.creations else None,
        left=outcome.left,
        known=outcome.known,
        channels=tuple(sorted(looked.channels_of(batch))),
        agent_id=looked.context.agent_id or batch.agent_id,
        file=batch.file,
        counts=outcome.creations,
    )


def _of_lines(engine: Engine, source: Source, lines: GraphLines, context: ImportContext) -> ItemPreview:
    channel = channel_of(source, lines, context)
    with engine.store.reading() as db:
        creations = mcp_format.count_new(engine, db, lines, context, channel)
    return ItemPreview(
        item=ImportItem(name=lines.name, what=RECORDS) if creations else None,
        known=0 if creations else len(lines.lines),
        channels=(channel,),
        agent_id=context.agent_id or lines.agent_id,
        file=lines.file,
        counts=creations,
    )


def _of_scratch(engine: Engine, item: Scratch, context: ImportContext) -> ItemPreview:
    fresh = len(chats.new_notes(engine, item, context))
    return ItemPreview(
        item=ImportItem(name=item.name, what=RECORDS) if fresh else None,
        known=len(item.notes) - fresh,
        file=item.file,
        counts=Counter(scratch_notes=fresh) if fresh else Counter(),
    )


SKIPPED_NAMED = 500
"""Number of skipped items that a preview names; it counts the rest."""
NOTE_BYTES = 200
"""Approximate bytes of a file for each record that is read from it."""
COUNTS = ("files", "documents", "conversations", "turns", "facts", "entities", "skipped", "known")
"""Counts of every import, in this order; other records are counted only if there are any."""


def preview(engine: Engine, ask: AskImport) -> ImportPreview:
    """Return the records an import would add, those already known, and those left out with the reason. Writes
    nothing.

    Raises NotFound, BadAsk for a chosen line that no file has, or Refused if none of it can be imported."""
    source, customs = cleared(engine, open_source(engine, ask), ask, author="")
    context = _context(engine, ask, "", trusted=customs.trusted)
    looked = RecordImport(engine=engine, context=context, channel=source.channel)
    previews: list[ItemPreview] = []
    places: dict[Path, Place] = {}
    for item in source.items:
        previews.append(preview_item(engine, ask, source, item, looked, customs))
        if isinstance(item, Note | Home):
            places.setdefault(item.place.path, item.place)
    _refuse_missing_lines(ask, previews)
    items = tuple(lines_of(previews))
    skipped = [Skipped(name=verbatim(left.name), why=left.why) for each in previews for left in each.left]
    known = sum(each.known for each in previews)
    _refuse_nothing(ask, len(items) + known, skipped)
    counts = sum((each.counts for each in previews), Counter[str]())
    counts["facts"] += len(frozenset[tuple[str, str]]().union(*(each.claims for each in previews)))
    files = len({each.file for each in previews if each.file})
    return ImportPreview(
        path=ask.path,
        format=source.format,
        says=customs.says,
        channel=", ".join(dict.fromkeys(name for each in previews for name in each.channels)),
        agent_id=", ".join(dict.fromkeys(each.agent_id for each in previews if each.agent_id)) or None,
        items=items,
        skipped=_bounded(skipped),
        known=known,
        counts=_named(counts | Counter(files=files, skipped=len(skipped), known=known)),
        places=tuple(_recognised(places[path]) for path in sorted(places)),
        coverage=bounded_rows(each.coverage for each in previews if each.coverage is not None),
        declared=customs.declarations(),
    )


def bring_in(
    engine: Engine, ask: AskImport, *, author: str, progress: Progress, run: str = ""
) -> dict[str, int]:
    """Import the records that the desk lacks, then extract facts from the new conversations. Returns counts.

    Each file, each conversation and each batch of records is imported completely or not at all; if stopped
    in the middle, the next run continues. A repeated import changes nothing. run: names all its changes,
    including the extraction, so that they can be undone as one. Before more than LARGE_IMPORT records the
    desk is backed up. Raises NotFound, Refused if none of it can be imported, StorageFailed if the backup
    cannot be made."""
    run = run or new_id("run", engine.clock())
    with one_run(run), engine.store.durable_at_end():
        with one_comparer:
            counts = take_in(engine, ask, author=author, progress=progress, run=run)
        found = consolidate(begin(engine, "consolidate", progress=progress, timed=False, id=run))
    for name in ("facts", "entities"):
        counts[name] += found.get(name, 0)
    return _named(counts)


def newest_change(engine: Engine, run: str) -> int | None:
    """Return the newest change of an import, by which it can be undone; None if it changed nothing."""
    with engine.store.reading() as db:
        return journal.newest_of(db, run)


def take_in(
    engine: Engine, ask: AskImport, *, author: str, progress: Progress, run: str = ""
) -> Counter[str]:
    """Import without extracting facts from conversations; see `bring_in`."""
    source, customs = cleared(engine, open_source(engine, ask), ask, author=author)
    context = _context(engine, ask, author, run, trusted=customs.trusted)
    into = RecordImport(engine=engine, context=context, channel=source.channel)
    counts: Counter[str] = Counter()
    files: set[str] = set()
    skipped: list[Skipped] = []
    # Opened apart: an archive is closed once its items have been walked. A path that leads out of its folder is
    # refused here, before anything comes in.
    first = open_source(engine, ask)
    pre = Customs(engine, first, ask, author=author, paths_only=True)
    if _is_large(pre.items() if first.exact else first.items):
        ensure_backup(engine, BEFORE_IMPORT, progress)
    for done, item in enumerate(source.items):
        progress(min(done, source.total), source.total, verbatim(item.name))
        taken, left = _imported(engine, ask, source, item, into, customs)
        counts += taken
        skipped.extend(Skipped(name=verbatim(each.name), why=each.why) for each in left)
        if taken and not isinstance(item, Left | Home):
            files.add(item.file)
    _refuse_nothing(ask, counts.total(), skipped)
    counts["skipped"], counts["files"] = len(skipped), len(files)
    progress(source.total, source.total, message("Everything is in"))
    return counts


def _is_large(items: Iterable[Item]) -> bool:
    """Return True if an import brings more than LARGE_IMPORT records."""
    records = 0
    for item in items:
        match item:
            case Chat():
                records += len(item.turns)
            case Batch():
                records += len(item.steps)
            case GraphLines():
                records += len(item.lines)
            case Note():
                records += 1 + item.size_bytes // NOTE_BYTES
    return records > LARGE_IMPORT


def _imported(
    engine: Engine, ask: AskImport, source: Source, item: Item, into: RecordImport, customs: Customs
) -> tuple[Counter[str], tuple[Left, ...]]:
    """Import one item; return the counts of what it added, and the parts left out."""
    context = into.context
    try:
        match item:
            case Note():
                reading = read_note(engine, item, ask, customs)
                sources.copy_note(item)
                return placing.import_file(engine, reading, context) or Counter(known=1), ()
            case Home():
                return folders.register(engine, item.place, context) or Counter(known=1), ()
            case Chat():
                channel = channel_of(source, item, context)
                return import_chat(engine, item, context, channel) or Counter(known=1), item.left
            case Batch():
                return _taken_batch(engine, item, into)
            case GraphLines():
                channel = channel_of(source, item, context)
                known = Counter(known=len(item.lines))
                return mcp_format.import_lines(engine, item, context, channel) or known, ()
            case Uses():
                record_import.import_uses(engine, item)
                return Counter(), ()
            case Scratch():
                return chats.import_notes(engine, item, context)
            case Left():
                return Counter(), (item,)
    except (Refused, Conflict) as error:
        return Counter(), (Left.because(item.name, error),)


def _taken_batch(engine: Engine, batch: Batch, into: RecordImport) -> tuple[Counter[str], tuple[Left, ...]]:
    if not batch.exact:
        for channel in sorted(into.channels_of(batch)):
            ensure_channel(engine, into.context.user_id, channel, author=into.context.author)
    outcome = into.take(batch)
    return outcome.creations + Counter(known=outcome.known), outcome.left


def _context(engine: Engine, ask: AskImport, author: str, run: str = "", *, trusted: bool) -> ImportContext:
    return ImportContext(
        author=author,
        run=run or new_id("run", engine.clock()),
        user_id=ask.user_id,
        channel=ask.channel,
        agent_id=ask.agent_id,
        trusted=trusted,
    )


def _named(counts: Mapping[str, int]) -> dict[str, int]:
    """Return the counts under the names that people read."""
    others = {plural(name): n for name, n in counts.items() if name not in COUNTS and n}
    return (
        {name: counts.get(name, 0) for name in COUNTS[:-2]}
        | others
        | {n: counts.get(n, 0) for n in COUNTS[-2:]}
    )


def _refuse_missing_lines(ask: AskImport, previews: Iterable[ItemPreview]) -> None:
    """Raise BadAsk if a person chose a line that no file of the import has."""
    files = [each.coverage for each in previews if each.coverage is not None]
    lines = {f"{each.file}:{line.number}" for each in files for line in each.rows}
    missing = next((line for line in (*ask.take, *ask.leave) if line not in lines), None)
    if missing is not None:
        raise BadAsk(
            message("No file of this import has the line {missing}.", missing=missing[:80]),
            next=message("`memdesk import PATH --preview --lines` lists those that there are."),
        )


def _refuse_nothing(ask: AskImport, taken: int, skipped: list[Skipped]) -> None:
    if taken:
        return
    name = Path(ask.path).name
    if not skipped:
        says = message("There is nothing in {name} to import: no markdown and no transcript.", name=name)
    elif skipped[0].name == name:
        says = message("{name} cannot be imported. {why}", name=name, why=skipped[0].why)
    else:
        says = message(
            "There is nothing in {name} to import. {skipped}: {why}",
            name=name,
            skipped=skipped[0].name,
            why=skipped[0].why,
        )
    details = {"skipped": {each.name: each.why for each in skipped[:SKIPPED_NAMED]}}
    raise Refused(says, next=WHAT_COMES_IN, details=details)


def _recognised(place: Place) -> RecognisedPlace:
    return RecognisedPlace(
        path=str(place.path),
        layout=place.layout,
        why=place.why or why_of(place.path, place.layout),
        agent_id=place.agent_id,
        registered=place.registered,
    )


def _bounded(skipped: list[Skipped]) -> tuple[Skipped, ...]:
    rest = len(skipped) - SKIPPED_NAMED
    if rest <= 0:
        return tuple(skipped)
    why = message("They stay out for reasons like these.")
    return (*skipped[:SKIPPED_NAMED], Skipped(name=message("{rest} more", rest=rest), why=why))
