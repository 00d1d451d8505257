"""Preview of one item: the records it would add, those the desk already has, and those left out. Writes
nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from memdesk.engine.engine import Engine
from memdesk.engine.interop import mcp_memory, scratch
from memdesk.engine.interop.chats import standing
from memdesk.engine.interop.items import Chat, GraphLines, Item, Note, Parcel, Scratch, Source, Uses
from memdesk.engine.interop.landing import Landing
from memdesk.engine.workspace import register
from memdesk.engine.workspace.layouts import layer_of
from memdesk.engine.workspace.register import Bringer
from memdesk.files.reading import MEGABYTE, Left, read_text
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import Conflict, Refused
from memdesk.model.workspace import ImportItem

CONVERSATION = "conversation"
RECORDS = "records"
_PLURALS = {"aliases": "other names"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Preview of one item. counts: records it would add; known: number of records the desk already has."""

    item: ImportItem | None = None
    left: tuple[Left, ...] = ()
    known: int = 0
    channels: tuple[str, ...] = ()
    agent_id: str | None = None
    file: str = ""
    counts: Counter[str] = field(default_factory=Counter)


def told_of(engine: Engine, source: Source, item: Item, looked: Landing) -> Told:
    """Return the preview of an item. looked: the state after the items before it in the same preview."""
    bringer = looked.bringer
    try:
        match item:
            case Note():
                return _of_note(engine, item, bringer)
            case Chat():
                return _of_chat(engine, source, item, bringer)
            case Parcel():
                return _of_parcel(engine, item, looked)
            case GraphLines():
                return _of_lines(engine, source, item, bringer)
            case Uses():
                return Told(file=item.file)
            case Scratch():
                return _of_scratch(engine, item, bringer)
            case Left():
                return Told(left=(item,))
    except (Refused, Conflict) as error:
        return Told(left=(Left.because(item.name, error),))


def lines_of(told: Iterable[Told]) -> Iterator[ImportItem]:
    """Yield the items for people: consecutive parts of the same name become one line."""
    found = [(each.item, each.counts) for each in told if each.item is not None]
    for (name, what), group in groupby(found, key=lambda pair: (pair[0].name, pair[0].what)):
        parts = list(group)
        if what != RECORDS:
            yield from (item for item, _ in parts)
            continue
        counts = sum((counted for _, counted in parts), Counter[str]())
        others = {table: n for table, n in counts.items() if table not in ("turns", "facts")}
        says = ", ".join(f"{n:,} {plural(table)}" for table, n in others.items()) or what
        yield ImportItem(name=name, what=says, turns=counts["turns"], facts=counts["facts"])


def plural(table: str) -> str:
    """Return the plural name for the records of a table."""
    return _PLURALS.get(table, table.replace("_", " "))


def read_note(engine: Engine, note: Note, bringer: Bringer) -> register.Reading:
    """Return a note's file as prepared for its workspace. Raises Refused, naming it."""
    limit_bytes = engine.settings.import_file_megabytes * MEGABYTE
    file = read_text(note.path, note.name, limit_bytes=limit_bytes)
    if not file.text.strip():
        raise Refused(f"{note.name} is empty.")
    return register.look(engine, note.place, note.relative, file, bringer.user_id)


def channel_of(source: Source, item: Chat | GraphLines, bringer: Bringer) -> str:
    return bringer.channel or item.channel or source.channel or GLOBAL


def _of_note(engine: Engine, note: Note, bringer: Bringer) -> Told:
    reading = read_note(engine, note, bringer)
    mended = ", bytes that are not UTF-8 replaced" if reading.file.mended else ""
    item = ImportItem(
        name=note.name,
        what=layer_of(note.relative, note.place.layout) + mended,
        facts=len(reading.found.facts),
        size_bytes=note.size_bytes,
    )
    return Told(
        item=None if reading.known else item,
        known=int(reading.known),
        channels=(register.channel_of(note.place, bringer),),
        agent_id=register.agent_of(note.place, bringer),
        file=note.file,
        counts=Counter() if reading.known else Counter(documents=1, facts=item.facts),
    )


def _of_chat(engine: Engine, source: Source, chat: Chat, bringer: Bringer) -> Told:
    with engine.store.reading() as db:
        now = standing(db, chat, bringer.user_id)
    fresh = len(chat.turns) - now.turns
    return Told(
        item=ImportItem(name=chat.title, what=CONVERSATION, turns=fresh) if fresh else None,
        left=chat.left,
        known=int(not fresh),
        channels=(channel_of(source, chat, bringer),),
        agent_id=bringer.agent_id or chat.agent_id,
        file=chat.file,
        counts=Counter(conversations=1, turns=fresh) if fresh else Counter(),
    )


def _of_parcel(engine: Engine, parcel: Parcel, looked: Landing) -> Told:
    with engine.store.reading() as db:
        landed = looked.judge(db, parcel)
    return Told(
        item=ImportItem(name=parcel.name, what=RECORDS) if landed.births else None,
        left=landed.left,
        known=landed.known,
        channels=tuple(sorted(looked.channels_of(parcel))),
        agent_id=looked.bringer.agent_id or parcel.agent_id,
        file=parcel.file,
        counts=landed.births,
    )


def _of_lines(engine: Engine, source: Source, lines: GraphLines, bringer: Bringer) -> Told:
    channel = channel_of(source, lines, bringer)
    with engine.store.reading() as db:
        births = mcp_memory.births(engine, db, lines, bringer, channel)
    return Told(
        item=ImportItem(name=lines.name, what=RECORDS) if births else None,
        known=0 if births else len(lines.lines),
        channels=(channel,),
        agent_id=bringer.agent_id or lines.agent_id,
        file=lines.file,
        counts=births,
    )


def _of_scratch(engine: Engine, item: Scratch, bringer: Bringer) -> Told:
    fresh = len(scratch.fresh(engine, item, bringer))
    return Told(
        item=ImportItem(name=item.name, what=RECORDS) if fresh else None,
        known=len(item.notes) - fresh,
        file=item.file,
        counts=Counter(scratch_notes=fresh) if fresh else Counter(),
    )
