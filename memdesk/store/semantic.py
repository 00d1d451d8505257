"""Reads of facts, entities and relations for the rules of memory."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from memdesk.model.curation import TAG, Tag
from memdesk.model.entity import ALIAS, ENTITY, RELATION, Entity, Relation
from memdesk.model.fact import FACT, Fact, claim_hash
from memdesk.model.instant import to_datetime
from memdesk.model.profile import TRAIT, Profile, Trait, TraitMark
from memdesk.model.trust import agent_named, is_trusted
from memdesk.store import records
from memdesk.store.connection import Connection, marks
from memdesk.store.records import chunks, columns_of, find, many, read, read_all, rows_among


def fact_claiming(db: Connection, user_id: str, channel: str, claim: str) -> Fact | None:
    """Return a current fact of this channel with this claim, ignoring case, spaces and a final full stop."""
    columns = columns_of(FACT, qualified=True)
    row = db.row(
        f"SELECT {columns} FROM searchable JOIN facts USING (seq) WHERE claim_hash = ? "
        "AND searchable.user_id = ? AND searchable.channel = ? ORDER BY seq LIMIT 1",
        (claim_hash(claim), user_id, channel),
    )
    return None if row is None else read(db, FACT, row)


def facts_claiming(db: Connection, user_id: str, channels: Sequence[str], claim: str) -> dict[str, str]:
    """Return the id of the current fact with this claim by channel, as `fact_claiming`."""
    rows = db.rows(
        "SELECT searchable.channel, facts.id FROM searchable JOIN facts USING (seq) WHERE claim_hash = ? "
        f"AND searchable.user_id = ? AND searchable.channel IN ({marks(channels)}) ORDER BY seq DESC",
        (claim_hash(claim), user_id, *channels),
    )
    return dict(rows)


def fact_keyed(db: Connection, user_id: str, channel: str, agent_id: str | None, key: str) -> Fact | None:
    """Return the current fact of this channel and agent under this key (OpenLegion: one value a key)."""
    row = db.row(
        f"SELECT {columns_of(FACT)} FROM facts WHERE user_id = ? AND channel = ? AND key = ? "
        "AND ifnull(agent_id, '') = ? AND retired_at IS NULL AND superseded_by IS NULL ORDER BY seq LIMIT 1",
        (user_id, channel, key, agent_id or ""),
    )
    return None if row is None else read(db, FACT, row)


def facts_at(db: Connection, user_id: str, channel: str, key: str) -> list[Fact]:
    """Return the facts of this channel under this key that no other superseded, retired ones too, newest first."""
    rows = db.rows(
        f"SELECT {columns_of(FACT)} FROM facts WHERE user_id = ? AND channel = ? AND key = ? "
        "AND superseded_by IS NULL ORDER BY seq DESC",
        (user_id, channel, key),
    )
    return read_all(db, FACT, rows)


def facts_under(db: Connection, user_id: str, channel: str, prefix: str) -> list[Fact]:
    """Return the current facts of this channel whose key begins with a prefix, in the order of the keys."""
    rows = db.rows(
        f"SELECT {columns_of(FACT)} FROM facts WHERE user_id = ? AND channel = ? AND key >= ? AND key < ? "
        "AND retired_at IS NULL AND superseded_by IS NULL ORDER BY key",
        (user_id, channel, prefix, prefix + "\U0010ffff"),
    )
    return read_all(db, FACT, rows)


def wording(db: Connection, fact_id: str, claim: str) -> str | None:
    """Return the id of the past fact with this claim that gave way to a fact; None if there is none."""
    found: str | None = db.value(
        "SELECT facts.id FROM past_claims JOIN facts USING (seq) WHERE claim_hash = ? AND superseded_by = ? LIMIT 1",
        (claim_hash(claim), fact_id),
    )
    return found


def has_past_claim(db: Connection, user_id: str, channel: str, claim: str) -> bool:
    """Return True if a fact with this claim in this channel was superseded or retired."""
    found = db.value(
        "SELECT 1 FROM past_claims JOIN facts USING (seq) WHERE claim_hash = ? AND user_id = ? AND channel = ? LIMIT 1",
        (claim_hash(claim), user_id, channel),
    )
    return found is not None


def subjects_of(db: Connection, fact_id: str) -> list[str]:
    """Return the names of the entities that a fact is about."""
    rows = db.rows(
        "SELECT name FROM relations JOIN entities ON entities.id = target_id WHERE source_id = ? AND relations.type = "
        "'ABOUT' AND relations.retired_at IS NULL ORDER BY relations.seq",
        (fact_id,),
    )
    return [row[0] for row in rows]


def facts_about(db: Connection, user_id: str, channel: str, names: Sequence[str], limit: int) -> list[Fact]:
    """Return current facts of a channel about entities with these names, which may be in any channel, newest
    first."""
    columns = columns_of(FACT, qualified=True)
    rows = db.rows(
        f"SELECT DISTINCT {columns} FROM entities JOIN relations ON relations.target_id = entities.id "
        "AND relations.type = 'ABOUT' AND relations.retired_at IS NULL JOIN facts ON facts.id = relations.source_id "
        f"WHERE entities.user_id = ? AND entities.name COLLATE NOCASE IN ({marks(names)}) AND facts.channel = ? "
        "AND facts.retired_at IS NULL AND facts.superseded_by IS NULL ORDER BY facts.seq DESC LIMIT ?",
        (user_id, *names, channel, limit),
    )
    return read_all(db, FACT, rows)


def entity_named(db: Connection, user_id: str, channels: Sequence[str], name: str) -> Entity | None:
    """Return a current entity by its name or another name, ignoring case; earlier channels take precedence."""
    found = db.rows(
        # Named, because the planner takes a channel for as narrow as a name.
        "SELECT id, channel FROM entities INDEXED BY entities_name "
        "WHERE user_id = ? AND name = ? COLLATE NOCASE AND retired_at IS NULL "
        f"AND channel IN ({marks(channels)}) UNION ALL "
        "SELECT entity_id, channel FROM aliases WHERE user_id = ? AND name = ? COLLATE NOCASE "
        f"AND retired_at IS NULL AND channel IN ({marks(channels)})",
        (user_id, name, *channels, user_id, name, *channels),
    )
    for id, _ in sorted(found, key=lambda row: channels.index(row[1])):
        # Another name may outlive its entity: a retired one does not stand in the way of who goes by it now.
        if living := find(db, ENTITY, id=id, retired_at=None):
            entity: Entity = living[0]
            return entity
    return None


def entity_called(db: Connection, user_id: str, channel: str, name: str) -> Entity | None:
    """Return the current entity of a channel with exactly this name or other name, in this letter case."""
    found = db.rows(
        "SELECT id FROM entities INDEXED BY entities_name WHERE user_id = ?1 AND name = ?2 COLLATE NOCASE "
        "AND name = ?2 AND retired_at IS NULL AND channel = ?3 UNION ALL "
        "SELECT entity_id FROM aliases WHERE user_id = ?1 AND name = ?2 COLLATE NOCASE AND name = ?2 "
        "AND retired_at IS NULL AND channel = ?3",
        (user_id, name, channel),
    )
    living = (find(db, ENTITY, id=id, retired_at=None) for (id,) in found)
    return next((each[0] for each in living if each), None)


def entities_named(db: Connection, user_id: str, names: Sequence[str]) -> list[Entity]:
    """Return every current entity of a user with one of these names, in any channel, ignoring case."""
    found: list[Entity] = []
    columns = columns_of(ENTITY)
    for chunk in chunks(list(dict.fromkeys(names))):
        rows = db.rows(
            f"SELECT {columns} FROM entities WHERE user_id = ? AND retired_at IS NULL "
            f"AND name COLLATE NOCASE IN ({marks(chunk)}) ORDER BY seq",
            (user_id, *chunk),
        )
        found.extend(read_all(db, ENTITY, rows))
    return found


def entities_beginning(
    db: Connection, user_id: str, channels: Sequence[str], beginning: str, limit: int
) -> list[Entity]:
    """Return current entities whose name begins with `beginning`, ignoring case: exact matches first, then
    most recalled."""
    pattern = beginning.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    columns = columns_of(ENTITY, qualified=True)
    rows = db.rows(
        f"SELECT {columns} FROM entities LEFT JOIN usage USING (seq) WHERE user_id = ? AND name LIKE ? ESCAPE '\\' "
        f"AND retired_at IS NULL AND channel IN ({marks(channels)}) "
        "ORDER BY length(name) = ? DESC, ifnull(access_count, 0) DESC, entities.seq LIMIT ?",
        (user_id, pattern, *channels, len(beginning), limit),
    )
    return read_all(db, ENTITY, rows)


def aliases_of(db: Connection, entity_id: str) -> list[str]:
    return [alias.name for alias in find(db, ALIAS, entity_id=entity_id, retired_at=None)]


def all_names(
    db: Connection, user_id: str, channels: Sequence[str], names: Sequence[str]
) -> dict[str, list[str]]:
    """Return the names of each current entity of these channels that one of `names` calls, by its id."""
    called = db.rows(
        "SELECT id FROM entities INDEXED BY entities_name WHERE user_id = ? AND retired_at IS NULL "
        f"AND name COLLATE NOCASE IN ({marks(names)}) AND channel IN ({marks(channels)}) UNION "
        "SELECT entity_id FROM aliases INDEXED BY aliases_name WHERE user_id = ? AND retired_at IS NULL "
        f"AND name COLLATE NOCASE IN ({marks(names)}) AND channel IN ({marks(channels)})",
        (user_id, *names, *channels, user_id, *names, *channels),
    )
    if not called:
        return {}
    ids = [id for (id,) in called]
    rows = db.rows(
        f"SELECT id, name FROM entities WHERE id IN ({marks(ids)}) AND retired_at IS NULL UNION ALL "
        f"SELECT entity_id, name FROM aliases WHERE entity_id IN ({marks(ids)}) AND retired_at IS NULL",
        (*ids, *ids),
    )
    found: dict[str, list[str]] = {}
    for id, name in rows:
        found.setdefault(id, []).append(name)
    return found


def linked_by_hand(db: Connection, relation_ids: Sequence[str]) -> set[str]:
    """Return those of these relations that a person made apart from any fact: not those that came with one."""
    sql = (
        "SELECT DISTINCT record FROM edits AS made JOIN changes ON changes.id = made.change WHERE record IN (*) "
        "AND author LIKE 'person:%' AND op != 'import' AND undone_by IS NULL "
        "AND NOT EXISTS (SELECT 1 FROM edits WHERE edits.change = made.change AND edits.kind = 'fact')"
    )
    return {record for (record,) in rows_among(db, sql, relation_ids)}


def relation_exists(db: Connection, source_id: str, target_id: str, type: str) -> bool:
    return bool(
        db.value(
            "SELECT 1 FROM relations WHERE source_id = ? AND target_id = ? AND type = ? AND retired_at IS NULL",
            (source_id, target_id, type),
        )
    )


def conversations_behind(db: Connection, fact_ids: Sequence[str]) -> dict[str, int]:
    """Return the number of distinct conversations each fact was derived from, through DERIVED_FROM."""
    found = dict.fromkeys(fact_ids, 0)
    sql = (
        "SELECT source_id, count(DISTINCT conversation_id) FROM relations JOIN turns ON turns.id = target_id "
        "WHERE source_id IN (*) AND type = 'DERIVED_FROM' AND relations.retired_at IS NULL GROUP BY source_id"
    )
    found.update(rows_among(db, sql, fact_ids))
    return found


def headings_above(db: Connection, fact_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the headings above the lines that facts were read from; facts without any are left out."""
    sql = (
        "SELECT source_id, properties ->> '$.headings' FROM relations "
        "WHERE source_id IN (*) AND type = 'DERIVED_FROM' AND retired_at IS NULL "
        "AND properties ->> '$.headings' IS NOT NULL ORDER BY seq DESC"
    )
    return {id: tuple(json.loads(above)) for id, above in rows_among(db, sql, fact_ids)}


def last_turn_index(db: Connection, conversation_id: str) -> int:
    """Return the highest turn index of a conversation, -1 if it has none."""
    found = db.value("SELECT max(turn_index) FROM turns WHERE conversation_id = ?", (conversation_id,))
    return -1 if found is None else int(found)


def current_channel(db: Connection, user_id: str, name: str) -> str:
    """Return the channel that now stores memory of this name: the target of renames and merges, else the
    channel itself."""
    seen = {name}
    while (moved := _moved_to(db, user_id, name)) is not None and moved not in seen:
        seen.add(moved)
        name = moved
    return name


def channels_read(db: Connection, user_id: str, name: str) -> tuple[str, ...]:
    """Return the channels to read for a channel name: its target after a rename or merge, and itself until
    the move is finished."""
    standing = current_channel(db, user_id, name)
    if standing == name:
        return (name,)
    leaving = db.value(
        "SELECT 1 FROM channels WHERE user_id = ? AND name = ? AND retired_at IS NULL", (user_id, name)
    )
    return (standing, name) if leaving else (standing,)


def current_channels(db: Connection, user_id: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the channels to read for these names, following renames and merges."""
    read = (channels_read(db, user_id, " ".join(name.split())) for name in names)
    return tuple(dict.fromkeys(name for names in read for name in names))


def _moved_to(db: Connection, user_id: str, name: str) -> str | None:
    found: str | None = db.value(
        "SELECT moved_to FROM channels WHERE user_id = ? AND name = ?", (user_id, name)
    )
    return found


def highest_channel_number(db: Connection, user_id: str) -> int:
    """Return the highest colour number given to a channel of this user; 0 if at most `_global` exists."""
    with db.as_owner():
        return int(db.value("SELECT max(number) FROM channels WHERE user_id = ?", (user_id,)) or 0)


def unconsolidated(db: Connection, limit: int) -> list[str]:
    """Return conversations with turns that extraction has not read, oldest first."""
    rows = db.rows(
        "SELECT id FROM conversations WHERE retired_at IS NULL AND EXISTS (SELECT 1 FROM turns "
        "WHERE conversation_id = conversations.id AND turn_index > consolidated_index) ORDER BY started_at LIMIT ?",
        (limit,),
    )
    return [row[0] for row in rows]


def count_unconsolidated(db: Connection) -> int:
    found: int = db.value(
        "SELECT count(*) FROM conversations WHERE retired_at IS NULL AND EXISTS (SELECT 1 FROM turns "
        "WHERE conversation_id = conversations.id AND turn_index > consolidated_index)"
    )
    return found


def turns_after(db: Connection, conversation_id: str, index: int, limit: int) -> list[str]:
    """Return the ids of a conversation's turns after an index, in order."""
    rows = db.rows(
        "SELECT id FROM turns WHERE conversation_id = ? AND turn_index > ? ORDER BY turn_index LIMIT ?",
        (conversation_id, index, limit),
    )
    return [row[0] for row in rows]


_ABOUT = (
    "FROM relations JOIN facts ON facts.id = source_id WHERE target_id = ? AND type = 'ABOUT' "
    "AND relations.retired_at IS NULL AND facts.retired_at IS NULL AND superseded_by IS NULL"
)


def surest_facts_about(db: Connection, entity_id: str, limit: int) -> tuple[int, list[Fact]]:
    """Return (number of current facts about an entity, facts by confidence, then salience, then newest
    first)."""
    columns = columns_of(FACT, qualified=True)
    total: int = db.value(f"SELECT count(DISTINCT facts.seq) {_ABOUT}", (entity_id,))
    rows = db.rows(
        f"SELECT DISTINCT {columns} {_ABOUT} "
        "ORDER BY facts.confidence DESC, facts.salience DESC, facts.seq DESC LIMIT ?",
        (entity_id, limit),
    )
    return total, read_all(db, FACT, rows)


def relations_touching(
    db: Connection, ids: Sequence[str], types: Sequence[str], limit: int
) -> list[Relation]:
    """Return current relations from or to these records, highest confidence first, at most `limit` per end
    and 500 records.

    types: only these; empty for all except DERIVED_FROM and QUOTES, which lead out of the graph."""
    found: dict[int, Relation] = {}
    narrowed = f"type IN ({marks(types)})" if types else "type NOT IN ('DERIVED_FROM', 'QUOTES')"
    for chunk in chunks(list(ids)):
        for end in ("source_id", "target_id"):
            rows = db.rows(
                f"SELECT {columns_of(RELATION)} FROM relations WHERE {end} IN ({marks(chunk)}) "
                f"AND retired_at IS NULL AND {narrowed} ORDER BY confidence DESC, seq LIMIT ?",
                (*chunk, *types, limit),
            )
            relations = read_all(db, RELATION, rows)
            found |= {relation.seq: relation for relation in relations}
    return sorted(found.values(), key=lambda each: (-each.confidence, each.seq))


def profile_of(db: Connection, user_id: str) -> Profile:
    """Return a user's profile; empty if no entry was set."""
    traits = records.find(db, TRAIT, user_id=user_id, retired_at=None)
    last = max((trait.updated_at for trait in traits), default=None)
    return Profile(
        user_id=user_id,
        preferences=_aspect(traits, "preferences"),
        expertise=_aspect(traits, "expertise"),
        communication_style=_aspect(traits, "communication_style"),
        metadata=_aspect(traits, "metadata"),
        updated_at=None if last is None else to_datetime(last),
        marks=tuple(_mark(db, trait) for trait in traits if not is_trusted(trait.trust)),
    )


def _mark(db: Connection, trait: Trait) -> TraitMark:
    """Return the mark of an entry, with the agent that set it last."""
    author = db.value(
        "SELECT author FROM edits JOIN changes ON changes.id = edits.change WHERE record = ? AND undone_by IS NULL "
        "ORDER BY edits.change DESC LIMIT 1",
        (trait.id,),
    )
    return TraitMark(
        aspect=trait.aspect,
        name=trait.name,
        source=trait.origin,
        trust=trait.trust,
        agent=agent_named(author or ""),
    )


def _aspect(traits: Sequence[Trait], aspect: str) -> dict[str, Any]:
    return {trait.name: json.loads(trait.value) for trait in traits if trait.aspect == aspect}


TAGGED = "user_id = ? AND name IN ({}) AND retired_at IS NULL"
"""Condition for a user's current tags with one of several names."""


def tag_name(name: str) -> str:
    """Return a tag in its stored form: on one line, in lower case."""
    return " ".join(name.split()).lower()


def tagged(db: Connection, user_id: str, names: Sequence[str]) -> set[str]:
    """Return the ids of a user's records that have any of these tags, ignoring case."""
    rows = db.rows(
        f"SELECT record_id FROM tags WHERE {TAGGED.format(marks(names))}", (user_id, *map(tag_name, names))
    )
    return {row[0] for row in rows}


def tags_on(db: Connection, record_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the tags of each of these records, sorted by name; records without one are left out."""
    found: dict[str, list[str]] = {}
    tags = many(db, TAG, "record_id", record_ids)
    for tag in sorted(tags, key=lambda tag: tag.name):
        if tag.retired_at is None:
            found.setdefault(tag.record_id, []).append(tag.name)
    return {id: tuple(names) for id, names in found.items()}


def tag_counts(db: Connection, user_id: str, channels: Sequence[str]) -> list[tuple[str, int]]:
    """Return (name, number of memories with it) in these channels, empty for all; the most used first."""
    where, params = "user_id = ? AND retired_at IS NULL", [user_id]
    if channels:
        where += f" AND channel IN ({marks(channels)})"
        params.extend(channels)
    rows = db.rows(
        f"SELECT name, count(*) FROM tags WHERE {where} GROUP BY name ORDER BY count(*) DESC, name", params
    )
    return [(name, number) for name, number in rows]


def tags_named(db: Connection, user_id: str, name: str, limit: int) -> list[Tag]:
    """Return tags of a user with this name, oldest first."""
    columns = columns_of(TAG)
    rows = db.rows(
        f"SELECT {columns} FROM tags WHERE user_id = ? AND name = ? AND retired_at IS NULL ORDER BY seq LIMIT ?",
        (user_id, name, limit),
    )
    return read_all(db, TAG, rows)


def aliases_by_entity(db: Connection, user_id: str) -> dict[str, list[str]]:
    """Return the other names of every entity of a user that has any."""
    found: dict[str, list[str]] = {}
    for entity, name in db.rows(
        "SELECT entity_id, name FROM aliases WHERE user_id = ? AND retired_at IS NULL ORDER BY seq",
        (user_id,),
    ):
        found.setdefault(entity, []).append(name)
    return found
