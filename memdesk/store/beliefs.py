"""Index of claims by what they are about: facts of one subject and slot share a key, and are found without a search.

Derived from the facts in the same transaction, as words are; `catch_up` reads them again for another reader."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from memdesk.model.fact import FACT, Fact
from memdesk.store import records
from memdesk.store.connection import Connection

Keys = Callable[[str], Collection[tuple[str, str]]]
"""Reader of a claim: pairs of words, at least one of which it shares with a claim of the same subject and slot."""
LOWEST = -(2**63)
"""Least number of a key."""
PER_KEY = 16
"""Newest facts that are looked at under one key."""
KEYS_AT_MOST = 400
"""Most keys that are looked up: SQLite takes 500 parts of a statement. A claim has some ten."""
FOUND_AT_MOST = 12
"""Facts that a claim is compared with; those that share most keys with it."""
READ_AT_OPENING = 5_000
"""Most facts that are read again when a desk opens; on a larger desk a job does it in steps."""
_CURRENT = "retired_at IS NULL AND superseded_by IS NULL"


@dataclass(frozen=True, slots=True)
class Reader:
    """Reader of claims. name: changes with its rules."""

    name: str
    keys: Keys


def _number(user_id: str, channel: str, key: tuple[str, str]) -> int:
    text = "\x1f".join((user_id, channel, *key))
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def follow(db: Connection, read: Keys | None, was: dict[str, Any] | None, now: dict[str, Any] | None) -> None:
    """Update the keys of a fact from its old fields to its new ones; None for one that is not current."""
    old, new = _place(was), _place(now)
    if old == new:
        return
    if read is None:
        # Without a reader the index is behind, and read anew when the desk opens with one.
        db.run("UPDATE upkeep SET beliefs_reader = '' WHERE beliefs_reader != ''")
        return
    if old is not None and was is not None:
        numbers = {_number(was["user_id"], was["channel"], key) for key in read(was["claim"])}
        db.run_many(
            "DELETE FROM belief_keys WHERE key = ? AND seq = ?", ((each, was["seq"]) for each in numbers)
        )
    if new is not None and now is not None:
        _add(db, read, now["seq"], now["user_id"], now["channel"], now["claim"])


def _place(fields: dict[str, Any] | None) -> tuple[str, str, str] | None:
    if fields is None or fields.get("retired_at") is not None or fields.get("superseded_by") is not None:
        return None
    return fields["user_id"], fields["channel"], fields["claim"]


def _add(db: Connection, read: Keys, seq: int, user_id: str, channel: str, claim: str) -> None:
    numbers = {_number(user_id, channel, key) for key in read(claim)}
    db.run_many(
        "INSERT INTO belief_keys VALUES (?, ?) ON CONFLICT DO NOTHING", ((each, seq) for each in numbers)
    )


def expected(db: Connection, read: Keys) -> Iterator[tuple[int, int]]:
    """Yield the rows that the index should have, from the facts. Reads the complete desk."""
    for seq, user_id, channel, claim in db.each(
        f"SELECT seq, user_id, channel, claim FROM facts WHERE {_CURRENT}"
    ):
        yield from {(_number(user_id, channel, key), seq) for key in read(claim)}


def is_read_by(db: Connection, reader: Reader) -> bool:
    """Return True if this reader made the index, so far as it has read the facts."""
    return bool(db.value("SELECT beliefs_reader FROM upkeep") == reader.name)


def missing_after(
    db: Connection, reader: Reader, after: tuple[int, int], limit: int
) -> tuple[list[int], tuple[int, int]]:
    """Return those of the next current facts that lack a key, and the place to continue from.

    after, the place: the last fact read, and the number of keys that the facts up to it have; it stays the same at the
    end."""
    seq, expected = after
    rows = db.rows(
        f"SELECT seq, user_id, channel, claim, {_CURRENT} FROM facts "
        "WHERE seq > max(?, (SELECT beliefs_unread FROM upkeep)) ORDER BY seq LIMIT ?",
        (seq, limit),
    )
    wrong = []
    for seq, user_id, channel, claim, current in rows:
        numbers = {_number(user_id, channel, key) for key in reader.keys(claim)} if current else set[int]()
        known = "SELECT 1 FROM belief_keys WHERE key = ? AND seq = ?"
        if any(db.value(known, (number, seq)) is None for number in numbers):
            wrong.append(seq)
        expected += len(numbers)
    return wrong, (seq, expected)


def count(db: Connection) -> int:
    """Return the number of rows of the index."""
    found: int = db.value("SELECT count(*) FROM belief_keys")
    return found


def stray_after(
    db: Connection, reader: Reader, after: tuple[int, int], limit: int
) -> tuple[list[int], tuple[int, int] | None]:
    """Return the facts of those of the next rows of the index that no current claim has, and the place to continue
    from; None at the end."""
    rows = db.rows(
        "SELECT belief_keys.key, belief_keys.seq, user_id, channel, claim FROM belief_keys LEFT JOIN facts "
        f"ON facts.seq = belief_keys.seq AND {_CURRENT} "
        "WHERE (belief_keys.key, belief_keys.seq) > (?, ?) ORDER BY belief_keys.key, belief_keys.seq LIMIT ?",
        (*after, limit),
    )
    wrong = [
        seq
        for number, seq, user_id, channel, claim in rows
        if claim is None or number not in {_number(user_id, channel, key) for key in reader.keys(claim)}
    ]
    return wrong, (rows[-1][0], rows[-1][1]) if len(rows) == limit else None


def about_the_same(
    db: Connection, user_id: str, channel: str, keys: Collection[tuple[str, str]]
) -> list[Fact]:
    """Return current facts of a channel that share a key, those that share most first, then the newest."""
    numbers = sorted(_number(user_id, channel, key) for key in keys)[:KEYS_AT_MOST]
    if not numbers:
        return []
    newest = "SELECT seq FROM (SELECT seq FROM belief_keys WHERE key = ? ORDER BY seq DESC LIMIT ?)"
    rows = db.rows(
        f"SELECT {records.columns_of(FACT, qualified=True)} FROM (SELECT seq, count(*) AS shared FROM "
        f"({' UNION ALL '.join([newest] * len(numbers))}) AS sharing GROUP BY seq "
        "ORDER BY count(*) DESC, seq DESC LIMIT ?) AS nearest CROSS JOIN facts ON facts.seq = nearest.seq "
        "ORDER BY nearest.shared DESC, nearest.seq DESC",
        [*(part for number in numbers for part in (number, PER_KEY)), FOUND_AT_MOST],
    )
    return [
        fact
        for fact in records.read_all(db, FACT, rows)
        if fact.retired_at is None
        and fact.superseded_by is None
        and (fact.user_id, fact.channel) == (user_id, channel)
    ]


def use_reader(db: Connection, read: Keys, reader: str) -> None:
    """Read facts with this reader from now on; those that another read are read again.

    reader: its name, which changes with its rules."""
    if db.value("SELECT beliefs_reader FROM upkeep") != reader:
        db.run("DELETE FROM belief_keys")
        highest = int(db.value("SELECT ifnull(max(seq), 0) FROM facts"))
        db.run("UPDATE upkeep SET beliefs_reader = ?, beliefs_unread = ?", (reader, highest))
    catch_up(db, read, READ_AT_OPENING)


def catch_up(db: Connection, read: Keys, limit: int) -> int:
    """Read up to `limit` facts that wait, newest first; return how many were read, 0 once none waits."""
    highest = int(db.value("SELECT beliefs_unread FROM upkeep"))
    if highest == 0:
        return 0
    rows = db.rows(
        f"SELECT seq, user_id, channel, claim, {_CURRENT} FROM facts WHERE seq <= ? ORDER BY seq DESC LIMIT ?",
        (highest, limit),
    )
    for seq, user_id, channel, claim, current in rows:
        if current:
            _add(db, read, seq, user_id, channel, claim)
    db.run("UPDATE upkeep SET beliefs_unread = ?", (rows[-1][0] - 1 if len(rows) == limit else 0,))
    return len(rows)
