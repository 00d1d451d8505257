"""Entry point of all imports: preview an import, and run it, resumable and idempotent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.health.backups import LARGE_IMPORT, before
from memdesk.engine.interop import copying, mcp_memory, scratch, used
from memdesk.engine.interop.chats import bring_in_chat
from memdesk.engine.interop.foreign import WHAT_COMES_IN
from memdesk.engine.interop.items import Chat, GraphLines, Item, Note, Parcel, Scratch, Source, Uses
from memdesk.engine.interop.landing import Landing
from memdesk.engine.interop.opening import opened
from memdesk.engine.interop.told import Told, channel_of, lines_of, plural, read_note, told_of
from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.run import begin
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.progress import Progress
from memdesk.engine.workspace import register
from memdesk.engine.workspace.disk import one_comparer
from memdesk.engine.workspace.layouts import Place, why_of
from memdesk.engine.workspace.register import Bringer
from memdesk.files.reading import Left
from memdesk.model.backup import BEFORE_IMPORT
from memdesk.model.errors import Conflict, Refused
from memdesk.model.ids import new_id
from memdesk.model.workspace import AskImport, ImportPreview, RecognisedPlace, Skipped
from memdesk.store import journal
from memdesk.store.gathering import one_run

SKIPPED_NAMED = 500
"""Number of skipped items that a preview names; it counts the rest."""
NOTE_BYTES = 200
"""Approximate bytes of a file for each record that is read from it."""
COUNTS = ("files", "documents", "conversations", "turns", "facts", "entities", "skipped", "known")
"""Counts of every import, in this order; other records are counted only if there are any."""


def preview(engine: Engine, ask: AskImport) -> ImportPreview:
    """Return the records an import would add, those already known, and those left out with the reason. Writes
    nothing.

    Raises NotFound, or Refused if none of it can be imported."""
    source = opened(engine, ask)
    looked = Landing(engine=engine, bringer=_bringer(engine, ask, author=""), channel=source.channel)
    told: list[Told] = []
    places: dict[Path, Place] = {}
    for item in source.items:
        told.append(told_of(engine, source, item, looked))
        if isinstance(item, Note):
            places.setdefault(item.place.path, item.place)
    items = tuple(lines_of(told))
    skipped = [Skipped(name=left.name, why=left.why) for each in told for left in each.left]
    known = sum(each.known for each in told)
    _refuse_nothing(ask, len(items) + known, skipped)
    counts = sum((each.counts for each in told), Counter[str]())
    files = len({each.file for each in told if each.file})
    return ImportPreview(
        path=ask.path,
        format=source.format,
        says=source.says,
        channel=", ".join(dict.fromkeys(name for each in told for name in each.channels)),
        agent_id=", ".join(dict.fromkeys(each.agent_id for each in told if each.agent_id)) or None,
        items=items,
        skipped=_bounded(skipped),
        known=known,
        counts=_named(counts | Counter(files=files, skipped=len(skipped), known=known)),
        places=tuple(_recognised(places[path]) for path in sorted(places)),
    )


def bring_in(
    engine: Engine, ask: AskImport, *, author: str, progress: Progress, run: str = ""
) -> dict[str, int]:
    """Import the records that the desk lacks, then extract facts from the new conversations. Returns counts.

    Each file, each conversation and each parcel of records is imported completely or not at all; if stopped
    in the middle, the next run continues. A repeated import changes nothing. run: names all its changes,
    including the extraction, so that they can be undone as one. Before more than LARGE_IMPORT records the
    desk is backed up. Raises NotFound, Refused if none of it can be imported, StorageFailed if the backup
    cannot be made."""
    run = run or new_id("run", engine.clock())
    with one_run(run):
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
    source, bringer = opened(engine, ask), _bringer(engine, ask, author, run)
    into = Landing(engine=engine, bringer=bringer, channel=source.channel)
    counts: Counter[str] = Counter()
    files: set[str] = set()
    skipped: list[Skipped] = []
    # Opened apart: an archive is closed once its items have been walked.
    if _is_large(opened(engine, ask).items):
        before(engine, BEFORE_IMPORT, progress)
    for done, item in enumerate(source.items):
        progress(min(done, source.total), source.total, item.name)
        taken, left = _taken(engine, source, item, into)
        counts += taken
        skipped.extend(Skipped(name=each.name, why=each.why) for each in left)
        if taken and not isinstance(item, Left):
            files.add(item.file)
    _refuse_nothing(ask, counts.total(), skipped)
    counts["skipped"], counts["files"] = len(skipped), len(files)
    progress(source.total, source.total, "Everything is in")
    return counts


def _is_large(items: Iterable[Item]) -> bool:
    """Return True if an import brings more than LARGE_IMPORT records."""
    records = 0
    for item in items:
        match item:
            case Chat():
                records += len(item.turns)
            case Parcel():
                records += len(item.steps)
            case GraphLines():
                records += len(item.lines)
            case Note():
                records += 1 + item.size_bytes // NOTE_BYTES
        if records > LARGE_IMPORT:
            return True
    return False


def _taken(
    engine: Engine, source: Source, item: Item, into: Landing
) -> tuple[Counter[str], tuple[Left, ...]]:
    """Import one item; return the counts of what it added, and the parts left out."""
    bringer = into.bringer
    try:
        match item:
            case Note():
                reading = read_note(engine, item, bringer)
                copying.keep(item)
                return register.join(engine, reading, bringer) or Counter(known=1), ()
            case Chat():
                channel = channel_of(source, item, bringer)
                return bring_in_chat(engine, item, bringer, channel) or Counter(known=1), item.left
            case Parcel():
                return _taken_parcel(engine, item, into)
            case GraphLines():
                channel = channel_of(source, item, bringer)
                known = Counter(known=len(item.lines))
                return mcp_memory.bring(engine, item, bringer, channel) or known, ()
            case Uses():
                used.bring(engine, item)
                return Counter(), ()
            case Scratch():
                return scratch.bring(engine, item, bringer)
            case Left():
                return Counter(), (item,)
    except (Refused, Conflict) as error:
        return Counter(), (Left.because(item.name, error),)


def _taken_parcel(engine: Engine, parcel: Parcel, into: Landing) -> tuple[Counter[str], tuple[Left, ...]]:
    if not parcel.exact:
        for channel in sorted(into.channels_of(parcel)):
            ensure_channel(engine, into.bringer.user_id, channel, author=into.bringer.author)
    landed = into.take(parcel)
    return landed.births + Counter(known=landed.known), landed.left


def _bringer(engine: Engine, ask: AskImport, author: str, run: str = "") -> Bringer:
    return Bringer(
        author=author,
        run=run or new_id("run", engine.clock()),
        user_id=ask.user_id,
        channel=ask.channel,
        agent_id=ask.agent_id,
    )


def _named(counts: Mapping[str, int]) -> dict[str, int]:
    """Return the counts under the names that people read."""
    others = {plural(name): n for name, n in counts.items() if name not in COUNTS and n}
    return (
        {name: counts.get(name, 0) for name in COUNTS[:-2]}
        | others
        | {n: counts.get(n, 0) for n in COUNTS[-2:]}
    )


def _refuse_nothing(ask: AskImport, taken: int, skipped: list[Skipped]) -> None:
    if taken:
        return
    name = Path(ask.path).name
    if not skipped:
        says = f"There is nothing in {name} to import: no markdown and no transcript."
    elif skipped[0].name == name:
        says = f"{name} cannot be imported. {skipped[0].why}"
    else:
        says = f"There is nothing in {name} to import. {skipped[0].name}: {skipped[0].why}"
    raise Refused(
        says,
        next=WHAT_COMES_IN,
        details={"skipped": {each.name: each.why for each in skipped[:SKIPPED_NAMED]}},
    )


def _recognised(place: Place) -> RecognisedPlace:
    return RecognisedPlace(
        path=str(place.path), layout=place.layout, why=place.why or why_of(place.path, place.layout),
        agent_id=place.agent_id, registered=place.registered,
    )  # fmt: skip


def _bounded(skipped: list[Skipped]) -> tuple[Skipped, ...]:
    rest = len(skipped) - SKIPPED_NAMED
    more = [Skipped(name=f"{rest} more", why="They stay out for reasons like these.")] if rest > 0 else []
    return (*skipped[:SKIPPED_NAMED], *more)
