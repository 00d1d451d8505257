"""Tags: words that a person or an agent puts on any memory, added, removed, counted and renamed."""

from __future__ import annotations

from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.draft import TAG_CHARACTERS, Draft
from memdesk.engine.wording import shortened, tidied, titled
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import TAG, Curated, ListTags, RenameTag, Tag, TagCount, Tagged, Tagging, TagList
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.kind import Kind, new_id
from memdesk.model.message import message
from memdesk.store import records, semantic
from memdesk.store.connection import Connection

TAGS_AT_ONCE = 50
UNTAGGED = ("tag", "channel", "proposal")
"""Kinds that are not memories themselves, and have no tags."""


def tag(engine: Engine, ask: Tagging, *, author: str) -> Tagged:
    """Add tags to a memory; its existing tags stay. Raises NotFound, BadAsk for a bad tag."""
    names = _names(ask)

    def verb(db: Connection) -> tuple[Change | None, None]:
        kind, record = _taggable(db, ask.id)
        draft = Draft(
            engine=engine,
            db=db,
            user_id=record.user_id,
            channel=getattr(record, "channel", GLOBAL),
            at=engine.clock(),
        )
        added = [name for name in names if draft.tag(ask.id, name) is not None]
        return _change(
            message("Tagged {added}", added=", ".join(added)), kind, record, author, draft.edits
        ), None

    applied, _ = engine.store.decide(verb)
    return _tagged(engine, ask.id, None if applied is None else applied.id)


def untag(engine: Engine, ask: Tagging, *, author: str) -> Tagged:
    """Remove tags from a memory. Raises NotFound if it has none of them."""
    names = _names(ask)

    def verb(db: Connection) -> tuple[Change | None, None]:
        kind, record = _taggable(db, ask.id)
        own = records.find(db, TAG, record_id=ask.id, retired_at=None)
        gone = [each for each in own if each.name in names]
        if not gone:
            raise NotFound(
                message("“{kind}” has no tag {names}.", kind=_title(kind, record), names=", ".join(names))
            )
        edits = [records.update_edit(TAG, each, retired_at=engine.clock()) for each in gone]
        title = message("Took tag {what} away", what=", ".join(each.name for each in gone))
        return _change(title, kind, record, author, edits), None

    applied, _ = engine.store.decide(verb)
    return _tagged(engine, ask.id, None if applied is None else applied.id)


def list_tags(engine: Engine, ask: ListTags) -> TagList:
    """List a user's tags with the number of memories of each, most used first."""
    with engine.store.reading() as db:
        counts = semantic.tag_counts(db, ask.user_id, ask.channels)
    return TagList(rows=tuple(TagCount(tag=name, memories=number) for name, number in counts))


def rename_tag(engine: Engine, ask: RenameTag, *, author: str) -> Curated:
    """Rename a tag on all memories; if a memory has the other tag too, it keeps one of the two.

    Raises NotFound if no memory has it, BadAsk for a bad or the same name. Many tags take several changes: a
    run."""
    old, new = (_tidied(each) for each in (ask.tag, ask.name))
    if old == new:
        raise BadAsk(message("The tag is called {old} already.", old=old))
    run = new_id("run", engine.clock())

    def verb(db: Connection) -> tuple[Change | None, bool]:
        found = semantic.tags_named(db, ask.user_id, old, EDITS_AT_MOST // 2 + 1)
        some = found[: EDITS_AT_MOST // 2]
        edits = tuple(edit for each in some for edit in _renamed(db, each, new, engine.clock()))
        return Change(
            op="update",
            title=message("Tag {old} is {new} now: {count} memories", old=old, new=new, count=len(some)),
            author=author,
            edits=edits,
            user_id=ask.user_id,
            run=run,
            details={"tag": old, "name": new},
        ) if some else None, len(found) > len(some)

    applied, more = engine.store.decide(verb)
    if applied is None:
        raise NotFound(message("Nothing carries the tag {old}.", old=old))
    last = applied
    while more:
        applied, more = engine.store.decide(verb)
        last = applied or last
    return Curated(id=new, change=last.id, title=message("Tag {old} is {new} now", old=old, new=new), run=run)


def _renamed(db: Connection, tag: Tag, name: str, at: int) -> list[Edit]:
    """Return the edits that rename one tag, or retire it if the memory has, or once had, the other one."""
    known = records.find(db, TAG, record_id=tag.record_id, name=name, limit=1)
    if not known:
        return [records.update_edit(TAG, tag, name=name)]
    gone = records.update_edit(TAG, tag, retired_at=at)
    return (
        [gone] if known[0].retired_at is None else [gone, records.update_edit(TAG, known[0], retired_at=None)]
    )


def _taggable(db: Connection, id: str) -> tuple[Kind[Any], Any]:
    kind, record = records.any_record(db, id)
    if kind.name in UNTAGGED:
        raise BadAsk(
            message("A {label} carries no tags.", label=kind.label.lower()),
            next=message("Tag the memory itself."),
        )
    return kind, record


def _change(did: str, kind: Kind[Any], record: Any, author: str, edits: list[Edit]) -> Change | None:
    if not edits:
        return None
    return Change(
        op="update",
        layer=kind.layer,
        title=titled(message("{did}: {kind}", did=did, kind=_title(kind, record)), 120),
        author=author,
        edits=tuple(edits),
        channel=getattr(record, "channel", GLOBAL),
        user_id=record.user_id,
    )


def _tagged(engine: Engine, id: str, change: int | None) -> Tagged:
    with engine.store.reading() as db:
        return Tagged(id=id, tags=semantic.tags_on(db, [id]).get(id, ()), change=change)


def _names(ask: Tagging) -> list[str]:
    if not 1 <= len(ask.tags) <= TAGS_AT_ONCE:
        raise BadAsk(message("Name 1 to {count} tags.", count=TAGS_AT_ONCE))
    return list(dict.fromkeys(map(_tidied, ask.tags)))


def _tidied(name: str) -> str:
    return tidied(name, message("A tag"), TAG_CHARACTERS).lower()


def _title(kind: Kind[Any], record: Any) -> str:
    return shortened(str(getattr(record, kind.title)), 80)
