"""The one door for memory from elsewhere: what an import would bring, and bringing it in, resumable and idempotent."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.interop import copying
from memdesk.engine.interop.chats import bring_in_chat, standing
from memdesk.engine.interop.items import Chat, Item, Note, Source
from memdesk.engine.interop.opening import opened
from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.progress import Progress
from memdesk.engine.jobs.run import begin
from memdesk.engine.workspace import register
from memdesk.engine.workspace.layouts import layer_of
from memdesk.engine.workspace.register import Bringer
from memdesk.files.reading import MEGABYTE, Left, read_text
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import Conflict, Refused
from memdesk.model.ids import new_id
from memdesk.model.workspace import AskImport, ImportItem, ImportPreview, Skipped

SKIPPED_NAMED = 500
"""A preview names this many of what stays out, and counts the rest."""
CONVERSATION = "conversation"
COUNTS = ("files", "documents", "conversations", "turns", "facts", "entities", "skipped", "known")


def preview(engine: Engine, ask: AskImport) -> ImportPreview:
    """What an import would bring, what is known already, and what stays out and why. Writes nothing.

    Raises NotFound, or Refused when nothing of it can be taken in.
    """
    source, bringer = opened(engine, ask), _bringer(engine, ask, author="")
    told = [_told(engine, source, item, bringer) for item in source.items]
    items = tuple(each.item for each in told if each.item is not None)
    skipped = [Skipped(name=left.name, why=left.why) for each in told for left in each.left]
    known = sum(each.known for each in told)
    _refuse_nothing(ask, len(items) + known, skipped)
    channels = dict.fromkeys(each.channel for each in told if each.channel)
    agents = dict.fromkeys(each.agent_id for each in told if each.agent_id)
    counts = Counter(
        files=len({each.file for each in told if each.file}),
        documents=sum(item.what != CONVERSATION for item in items),
        conversations=sum(item.what == CONVERSATION for item in items),
        turns=sum(item.turns for item in items),
        facts=sum(item.facts for item in items),
        skipped=len(skipped),
        known=known,
    )
    return ImportPreview(
        path=ask.path,
        format=source.format,
        says=source.says,
        channel=", ".join(channels),
        agent_id=", ".join(agents) or None,
        items=items,
        skipped=_bounded(skipped),
        known=known,
        counts=dict(counts),
    )


def bring_in(engine: Engine, ask: AskImport, *, author: str, progress: Progress) -> dict[str, int]:
    """Bring in what the desk does not have, then extract facts from the new conversations. Returns counts.

    Each file, and each conversation, is whole or absent; stopped in the middle, the next run continues. Doing it a
    second time changes nothing. Raises NotFound, or Refused when nothing of it can be taken in.
    """
    counts = take_in(engine, ask, author=author, progress=progress)
    found = consolidate(begin(engine, "consolidate", progress=progress, timed=False))
    for name in ("facts", "entities"):
        counts[name] += found.get(name, 0)
    return {name: counts[name] for name in COUNTS}


def take_in(engine: Engine, ask: AskImport, *, author: str, progress: Progress) -> Counter[str]:
    """Bring in without extracting from conversations; see `bring_in`."""
    source, bringer = opened(engine, ask), _bringer(engine, ask, author)
    counts: Counter[str] = Counter()
    files: set[str] = set()
    skipped: list[Skipped] = []
    for done, item in enumerate(source.items):
        progress(min(done, source.total), source.total, item.name)
        taken, left = _taken(engine, source, item, bringer)
        counts += taken
        skipped.extend(Skipped(name=each.name, why=each.why) for each in left)
        if taken and not isinstance(item, Left):
            files.add(item.file)
    _refuse_nothing(ask, counts.total(), skipped)
    counts["skipped"], counts["files"] = len(skipped), len(files)
    progress(source.total, source.total, "Everything is in")
    return counts


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """What a preview says of one item."""

    item: ImportItem | None = None
    left: tuple[Left, ...] = ()
    known: bool = False
    channel: str = ""
    agent_id: str | None = None
    file: str = ""


def _told(engine: Engine, source: Source, item: Item, bringer: Bringer) -> _Told:
    try:
        match item:
            case Note():
                return _told_note(engine, item, bringer)
            case Chat():
                return _told_chat(engine, source, item, bringer)
            case Left():
                return _Told(left=(item,))
    except (Refused, Conflict) as error:
        return _Told(left=(Left.because(item.name, error),))


def _told_note(engine: Engine, note: Note, bringer: Bringer) -> _Told:
    reading = _reading(engine, note, bringer)
    mended = ", bytes that are not UTF-8 replaced" if reading.file.mended else ""
    told = ImportItem(
        name=note.name,
        what=layer_of(note.relative, note.place.layout) + mended,
        facts=len(reading.found.facts),
        size_bytes=note.size_bytes,
    )
    return _Told(
        item=None if reading.known else told,
        known=reading.known,
        channel=register.channel_of(note.place, bringer),
        agent_id=register.agent_of(note.place, bringer),
        file=note.file,
    )


def _told_chat(engine: Engine, source: Source, chat: Chat, bringer: Bringer) -> _Told:
    with engine.store.reading() as db:
        now = standing(db, chat, bringer.user_id)
    fresh = len(chat.turns) - now.turns
    return _Told(
        item=ImportItem(name=chat.title, what=CONVERSATION, turns=fresh) if fresh else None,
        left=chat.left,
        known=not fresh,
        channel=_channel(source, chat, bringer),
        agent_id=bringer.agent_id or chat.agent_id,
        file=chat.file,
    )


def _taken(
    engine: Engine, source: Source, item: Item, bringer: Bringer
) -> tuple[Counter[str], tuple[Left, ...]]:
    """Bring one item in; what it added, and what of it stays out."""
    try:
        match item:
            case Note():
                reading = _reading(engine, item, bringer)
                copying.keep(item)
                return register.join(engine, reading, bringer) or Counter(known=1), ()
            case Chat():
                channel = _channel(source, item, bringer)
                return bring_in_chat(engine, item, bringer, channel) or Counter(known=1), item.left
            case Left():
                return Counter(), (item,)
    except (Refused, Conflict) as error:
        return Counter(), (Left.because(item.name, error),)


def _reading(engine: Engine, note: Note, bringer: Bringer) -> register.Reading:
    limit_bytes = engine.settings.import_file_megabytes * MEGABYTE
    file = read_text(note.path, note.name, limit_bytes=limit_bytes)
    if not file.text.strip():
        raise Refused(f"{note.name} is empty.")
    return register.look(engine, note.place, note.relative, file, bringer.user_id)


def _bringer(engine: Engine, ask: AskImport, author: str) -> Bringer:
    return Bringer(
        author=author,
        run=new_id("run", engine.clock()),
        user_id=ask.user_id,
        channel=ask.channel,
        agent_id=ask.agent_id,
    )


def _channel(source: Source, chat: Chat, bringer: Bringer) -> str:
    return bringer.channel or chat.channel or source.channel or GLOBAL


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
        next="Import a folder of markdown, a transcript (.jsonl, .json), or a LoCoMo file.",
        details={"skipped": {each.name: each.why for each in skipped[:SKIPPED_NAMED]}},
    )


def _bounded(skipped: list[Skipped]) -> tuple[Skipped, ...]:
    rest = len(skipped) - SKIPPED_NAMED
    more = [Skipped(name=f"{rest} more", why="They stay out for reasons like these.")] if rest > 0 else []
    return (*skipped[:SKIPPED_NAMED], *more)
