"""Reads of facts, entities and relations for the rules of memory."""

from __future__ import annotations

from collections.abc import Sequence

from memdesk.model.entity import ALIAS, ENTITY, Entity
from memdesk.model.fact import FACT, Fact, claim_hash
from memdesk.store.connection import Connection, marks
from memdesk.store.records import chunks, columns_of, find, read, read_all


def fact_claiming(db: Connection, user_id: str, channel: str, claim: str) -> Fact | None:
    """Return a current fact of this channel with this claim, ignoring case, spaces and a final full stop."""
    columns = columns_of(FACT, qualified=True)
    row = db.row(
        f"SELECT {columns} FROM searchable JOIN facts USING (seq) WHERE claim_hash = ? "
        "AND searchable.user_id = ? AND searchable.channel = ? ORDER BY seq LIMIT 1",
        (claim_hash(claim), user_id, channel),
    )
    return None if row is None else read(db, FACT, row)


def fact_keyed(db: Connection, user_id: str, channel: str, agent_id: str | None, key: str) -> Fact | None:
    """Return the current fact of this channel and agent under this key (OpenLegion: one value a key)."""
    row = db.row(
        f"SELECT {columns_of(FACT)} FROM facts WHERE user_id = ? AND channel = ? AND key = ? AND agent_id IS ? "
        "AND retired_at IS NULL AND superseded_by IS NULL ORDER BY seq LIMIT 1",
        (user_id, channel, key, agent_id),
    )
    return None if row is None else read(db, FACT, row)


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
    for chunk in chunks(list(fact_ids)):
        rows = db.rows(
            "SELECT source_id, count(DISTINCT conversation_id) FROM relations JOIN turns ON turns.id = target_id "
            f"WHERE source_id IN ({marks(chunk)}) AND type = 'DERIVED_FROM' AND relations.retired_at IS NULL "
            "GROUP BY source_id",
            chunk,
        )
        found.update(dict(rows))
    return found


def last_turn_index(db: Connection, conversation_id: str) -> int:
    """Return the highest turn index of a conversation, -1 if it has none."""
    found = db.value("SELECT max(turn_index) FROM turns WHERE conversation_id = ?", (conversation_id,))
    return -1 if found is None else int(found)


def standing_channel(db: Connection, user_id: str, name: str) -> str:
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
    standing = standing_channel(db, user_id, name)
    if standing == name:
        return (name,)
    leaving = db.value(
        "SELECT 1 FROM channels WHERE user_id = ? AND name = ? AND retired_at IS NULL", (user_id, name)
    )
    return (standing, name) if leaving else (standing,)


def channels_standing(db: Connection, user_id: str, names: Sequence[str]) -> tuple[str, ...]:
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
    found = db.value("SELECT max(number) FROM channels WHERE user_id = ?", (user_id,))
    return int(found or 0)


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
