"""Corrections of the graph by a person: the names, type and description of an entity, the type of a relation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import refuse_duplicates, relation_sentence
from memdesk.engine.memory.draft import NAME_CHARACTERS, approval
from memdesk.engine.memory.remember import checked_description, checked_unit, relation_type
from memdesk.engine.wording import shortened, tidied, titled
from memdesk.model.change import Applied, Change, Edit
from memdesk.model.curation import Curated, EditEntity, EditRelation
from memdesk.model.entity import ALIAS, ENTITY, RELATION, STRUCTURAL, Alias, Entity, Relation, entity_type
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.kind import new_id
from memdesk.model.message import Message, message, verbatim
from memdesk.store import records, semantic
from memdesk.store.connection import Connection


def edit_entity(engine: Engine, ask: EditEntity, *, author: str) -> Curated:
    """Correct an entity. A new name keeps the old one as another name, so that claims and agents that use it still
    find the entity.

    Raises Conflict if it is retired, its name differs from the one the person saw, or a name belongs to another entity
    of the channel; NotFound for another name it does not have; BadAsk if nothing would change."""

    def verb(db: Connection) -> tuple[Change | None, Entity]:
        entity = records.need(db, ENTITY, ask.entity_id)
        _check_seen(entity, ask)
        after = _corrected(entity, ask)
        edits = [*_alias_edits(engine, db, entity, ask, after.get("name", entity.name))]
        after |= approval(entity, author, edited="description" in after) if after or edits else {}
        if after:
            edits.insert(0, records.update_edit(ENTITY, entity, **after))
        if not edits:
            raise BadAsk(message("Nothing to correct was named."), next=message("Give what is to change."))
        title = str(after.get("name", entity.name))
        return _change(entity, verbatim(title), author, edits), replace(entity, name=title)

    applied, entity = engine.store.decide(verb)
    return _curated(applied, entity.id, verbatim(entity.name))


def edit_relation(engine: Engine, ask: EditRelation, *, author: str) -> Curated:
    """Change the type or the confidence of a relation between two memories.

    Raises BadAsk for a relation that the desk itself keeps, such as from a fact to its source, or if nothing would
    change; Conflict if it is retired, or the two are so related already; NotFound."""
    if ask.confidence is not None:
        checked_unit(ask.confidence)
    type = None if ask.type is None else relation_type(ask.type)

    def verb(db: Connection) -> tuple[Change | None, Message]:
        relation = records.need(db, RELATION, ask.relation_id)
        if relation.retired_at is not None:
            raise Conflict(message("The relation is retired."), next=message("Restore it first."))
        if STRUCTURAL & {relation.type, type}:
            raise BadAsk(
                message(
                    "A relation of type {type} is not written by hand.", type=", ".join(sorted(STRUCTURAL))
                ),
                next=message("Link and unlink facts and entities instead."),
            )
        wanted = {"type": type, "confidence": ask.confidence}
        after: dict[str, Any] = {
            name: value for name, value in wanted.items() if value not in (None, getattr(relation, name))
        }
        if not after:
            raise BadAsk(message("Nothing to correct was named."), next=message("Give what is to change."))
        if "type" in after:
            refuse_duplicates(db, replace(relation, **after))
        title = relation_sentence(db, replace(relation, **after))
        return _change(relation, title, author, [records.update_edit(RELATION, relation, **after)]), title

    applied, title = engine.store.decide(verb)
    return _curated(applied, ask.relation_id, title)


def _check_seen(entity: Entity, ask: EditEntity) -> None:
    if entity.retired_at is not None:
        raise Conflict(
            message("“{title}” is retired.", title=shortened(entity.name)), next=message("Restore it first.")
        )
    if ask.was is not None and entity.name != ask.was:
        raise Conflict(
            message("The name changed while you were editing it."),
            details={"expected": ask.was, "found": entity.name},
        )


def _corrected(entity: Entity, ask: EditEntity) -> dict[str, Any]:
    """Return the fields of the entity that change, with their new values."""
    wanted: dict[str, Any] = {}
    if ask.name is not None:
        wanted["name"] = tidied(ask.name, message("A name"), NAME_CHARACTERS)
    if ask.type is not None:
        wanted["type"] = entity_type(ask.type)
    if ask.description is not None:
        wanted["description"] = checked_description(ask.description.strip())
    return {name: value for name, value in wanted.items() if value != getattr(entity, name)}


def _alias_edits(
    engine: Engine, db: Connection, entity: Entity, ask: EditEntity, name: str
) -> Iterator[Edit]:
    """Yield the edits of other names under which the entity is to be found by this name.

    Raises Conflict if a wanted name belongs to another entity, NotFound if one to remove is not there."""
    aliases: list[Alias] = records.find(db, ALIAS, entity_id=entity.id, retired_at=None)
    known = {alias.name.casefold(): alias for alias in aliases}
    wanted = {tidied(each, message("A name"), NAME_CHARACTERS): None for each in ask.aliases}
    dropped = {" ".join(each.split()).casefold() for each in ask.drop_aliases}
    if name.casefold() != entity.name.casefold():
        _refuse_name(db, entity, name)
        if entity.name.casefold() not in dropped:
            wanted[entity.name] = None
        # The name it goes by is no longer another name.
        if name.casefold() in known:
            dropped.add(name.casefold())
    missing = dropped - known.keys() - {entity.name.casefold()}
    if missing:
        raise NotFound(
            message("“{name}” is not another name of {entity}.", name=min(missing), entity=entity.name)
        )
    for each in dropped & known.keys():
        yield records.update_edit(ALIAS, known[each], retired_at=engine.clock())
    for each in _new_names(wanted, {*known, name.casefold()} - dropped):
        if each != entity.name:
            _refuse_name(db, entity, each)
        yield records.creation_edit(ALIAS, _alias(engine, entity, each))


def _new_names(wanted: Iterable[str], known: set[str]) -> Iterator[str]:
    for each in wanted:
        if each.casefold() not in known:
            known.add(each.casefold())
            yield each


def _alias(engine: Engine, entity: Entity, name: str) -> Alias:
    now = engine.clock()
    return Alias(
        seq=engine.store.new_seq(),
        id=new_id(ALIAS.prefix, now),
        user_id=entity.user_id,
        channel=entity.channel,
        entity_id=entity.id,
        name=name,
        created_at=now,
    )


def _refuse_name(db: Connection, entity: Entity, name: str) -> None:
    other = semantic.entity_named(db, entity.user_id, (entity.channel,), name)
    if other is not None and other.id != entity.id:
        raise Conflict(
            message("“{name}” is the name of {id}.", name=name, id=other.id),
            next=message("Merge the two instead."),
            details={"id": other.id},
        )


def _change(record: Entity | Relation, title: Message, author: str, edits: list[Edit]) -> Change:
    return Change.about(record, "update", titled(title, 120), author=author, edits=edits)


def _curated(applied: Applied | None, id: str, title: Message) -> Curated:
    assert applied is not None
    return Curated(id=id, change=applied.id, title=title)
