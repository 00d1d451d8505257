"""Filtered reads of the audit timeline: windows of matching events, their number, and counts over time.

All reads go by the numbers of events, never by their clock, so that no row is repeated or left out after
a clock was set back. Time bounds of a filter are converted to numbers once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.model.history import EventRow
from memdesk.store import events
from memdesk.store.connection import Connection, marks
from memdesk.store.counters import HOUR_US, STRETCH
from memdesk.store.words import CJK, bigrams, folded, is_run
from memdesk.store.words import match as match_any

BEGINNINGS = 50
"""Maximum number of words with one beginning that are searched one by one."""
BEYOND = "\U0010ffff"
"""Character after which no word goes on."""
_WORD = re.compile(f"[{CJK}]+|[^\\W_{CJK}]+")
_ACCENT = re.compile("[\u0300-\u036f]")


def words_of(text: str) -> list[str]:
    """Return the words of a text, without case and accents, each run of CJK characters as one word.

    Index and query are split only here: SQLite gets words that its tokenizer leaves unchanged."""
    plain = folded(text).casefold()
    if not plain.isascii():
        plain = unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFD", plain)))
    return _WORD.findall(plain)


def match(db: Connection, text: str) -> str:
    """Return a MATCH expression for titles with all words of a text; a last word of letters also matches as a
    beginning.

    A text without a word matches no title."""
    *whole, last = words_of(text) or [""]
    terms = [f'"{piece}"' for word in whole for piece in _sought(word)]
    if last and not is_run(last):
        return " AND ".join((*terms, _beginning(db, last)))
    terms += [f'"{piece}"' for piece in _sought(last)]
    return " AND ".join(terms)


def covered(db: Connection) -> tuple[int, int]:
    """Return (low, high): the numbers of the events that are indexed, high left out."""
    low, high = db.rows("SELECT titles_low, titles_high FROM upkeep")[0]
    return low, high


def waiting(db: Connection, newest: int) -> int:
    """Return how many titles are not indexed; all of them if the journal has lost its newest events since."""
    low, high = covered(db)
    return newest if high > newest + 1 else newest + 1 - high + low - 1


def extend(db: Connection, newest: int, limit: int) -> int:
    """Index at most `limit` more titles: newer ones first, then older ones. Returns how many were indexed."""
    if covered(db)[1] > newest + 1:
        clear(db, newest)
    low, high = covered(db)
    first, end = (high, min(high + limit, newest + 1)) if high <= newest else (max(1, low - limit), low)
    titles = db.rows("SELECT id, title FROM events WHERE id >= ? AND id < ? ORDER BY id", (first, end))
    if db.virtual_tables:
        rows: Iterator[tuple[Any, ...]] = ((number, " ".join(_indexed(title))) for number, title in titles)
        db.run_many("INSERT INTO titles (rowid, words) VALUES (?,?)", rows)
    else:
        rows = ((word, number) for number, title in titles for word in _indexed(title))
        db.run_many("INSERT INTO titles VALUES (?,?)", rows)
    db.run("UPDATE upkeep SET titles_low = ?, titles_high = ?", (min(low, first), max(high, end)))
    return end - first


def clear(db: Connection, newest: int) -> None:
    """Empty the index, as after an erasure; the remaining titles are indexed again."""
    deletion = (
        "INSERT INTO titles (titles) VALUES ('delete-all')" if db.virtual_tables else "DELETE FROM titles"
    )
    db.run(deletion)
    db.run("UPDATE upkeep SET titles_low = ?, titles_high = ?", (newest + 1, newest + 1))


def _beginning(db: Connection, word: str) -> str:
    """Return a MATCH expression for words that begin with a word.

    For a prefix query FTS5 collects all results before it returns the first, which takes a second for ten
    million titles. If few words have this beginning, they are queried by name, and FTS5 returns their results
    one at a time."""
    words, at = list[str](), word
    while len(words) < BEGINNINGS:
        found = db.value("SELECT term FROM titles_terms WHERE term >= ? LIMIT 1", (at,))
        if found is None or not found.startswith(word):
            return f"({match_any(words)})" if words else '""'
        words.append(found)
        at = found + "\0"
    return f'"{word}"*'


def _indexed(title: str) -> dict[str, None]:
    """Return the words by which a title is indexed: CJK runs as their bigrams and their single characters."""
    return dict.fromkeys(
        piece for word in words_of(title) for piece in ((*bigrams(word), *word) if is_run(word) else (word,))
    )


def _sought(word: str) -> list[str]:
    """Return the index terms of a title that contains this word."""
    return bigrams(word) if is_run(word) and len(word) > 1 else [word]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFilter:
    """Filter of events. Times in UTC microseconds, [after, before); empty tuples mean all. below: only
    smaller numbers.

    text: only titles with its words, and only if titles are indexed. from_number: only from this number on.
    """

    after: int | None = None
    before: int | None = None
    operations: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    text: str = ""
    record: str | None = None
    user_id: str | None = None
    conversation_id: str | None = None
    session_id: str | None = None
    run: str | None = None
    below: int | None = None
    from_number: int = 1

    @property
    def tallied(self) -> bool:
        """Return True if the stored counts are enough to answer the filter."""
        return not any((self.text, self.record, self.conversation_id, self.session_id, self.run))

    @property
    def narrow(self) -> bool:
        """Return True if the filter tests an event's own columns."""
        return any((self.operations, self.layers, self.authors, self.channels, self.user_id))


def window(db: Connection, wanted: EventFilter, first: int, limit: int) -> list[EventRow]:
    """Return rows `first` on, newest first."""
    low, high = _bounds(db, wanted)
    if wanted.tallied and wanted.narrow:
        return _walked(db, wanted, (low, high), first, limit)
    if wanted.tallied:
        return events.rows(db, "id >= ? AND id < ?", (low, high - first), limit)
    found, given = _found(db, wanted, low, high)
    ids = db.rows(f"{found} ORDER BY id DESC LIMIT ? OFFSET ?", (*given, limit, first))
    return events.rows(db, f"id IN ({marks(ids)})", [row[0] for row in ids], limit)


def total(db: Connection, wanted: EventFilter) -> int:
    """Return the number of matching events."""
    low, high = _bounds(db, wanted)
    if wanted.tallied and wanted.narrow:
        where, params = _condition(wanted)
        tallied, given = _tallied(low, high)
        return int(
            db.value(f"SELECT ifnull(sum(n), 0) FROM ({tallied}) WHERE true{where}", (*given, *params))
        )
    if wanted.tallied:
        return max(0, high - low)
    found, given = _found(db, wanted, low, high)
    return int(db.value(f"SELECT count(*) FROM ({found})", given))


def reach(db: Connection, wanted: EventFilter, limit: int) -> int | None:
    """Return the number of the oldest of the newest `limit` events, or None if there are no more, or stored
    counts suffice."""
    if wanted.tallied or not limit:
        return None
    found, given = _found(db, wanted, *_bounds(db, wanted))
    rows = db.rows(f"{found} ORDER BY id DESC LIMIT 2 OFFSET ?", (*given, limit - 1))
    return rows[0][0] if len(rows) == 2 else None


def counted(
    db: Connection, wanted: EventFilter, first_hour: int, step: int
) -> list[tuple[int, str, str, str, str, int]]:
    """Return (bucket, op, layer, author, channel, n) of matching events; buckets are `step` hours long, from
    `first_hour` on."""
    low, high = _bounds(db, wanted)
    if wanted.tallied:
        where, params = _condition(wanted)
        table, given = _tallied(low, high)
    else:
        where, params = "", []
        found, given = _found(db, wanted, low, high)
        table = f"SELECT at / {HOUR_US} AS hour, op, layer, author, channel, 1 AS n FROM events WHERE id IN ({found})"
    rows: list[Any] = db.rows(
        f"SELECT (hour - ?) / ? AS bucket, op, layer, author, channel, sum(n) FROM ({table}) WHERE true{where} "
        "GROUP BY bucket, op, layer, author, channel",
        (first_hour, step, *given, *params),
    )
    return rows


def unsearched(db: Connection, wanted: EventFilter) -> int:
    """Return how many events in the requested time were not searched for words because their titles are not
    indexed yet."""
    if not wanted.text:
        return 0
    low, high = _asked_bounds(db, wanted)
    first, end = _bounds(db, wanted)
    return max(0, high - low) - max(0, end - first)


def _walked(
    db: Connection, wanted: EventFilter, bounds: tuple[int, int], first: int, limit: int
) -> list[EventRow]:
    """Return a window found block by block; only the blocks that contain its rows are read."""
    where, params = _condition(wanted)
    rows: list[EventRow] = []
    for low, high, number in _stretches(db, wanted, *bounds):
        if first >= number:
            first -= number
            continue
        inside = f"id >= ? AND id < ?{where}"
        rows += events.rows(db, inside, (low, high, *params), limit - len(rows), first)
        first = 0
        if len(rows) == limit:
            break
    return rows


def _stretches(db: Connection, wanted: EventFilter, low: int, high: int) -> Iterator[tuple[int, int, int]]:
    """Yield (first, end, number of matching events) of the blocks between two numbers, newest first."""
    where, params = _condition(wanted)

    def part(first: int, end: int) -> tuple[int, int, int]:
        number = db.value(
            f"SELECT count(*) FROM events WHERE id >= ? AND id < ?{where}", (first, end, *params)
        )
        return first, end, number

    whole = _complete_blocks(low, high)
    if not whole:
        yield part(low, high)
        return
    yield part(whole.stop * STRETCH, high)
    for stretch, number in db.each(
        f"SELECT stretch, sum(n) FROM rollup WHERE stretch >= ? AND stretch < ?{where} "
        "GROUP BY stretch ORDER BY stretch DESC",
        (whole.start, whole.stop, *params),
    ):
        yield stretch * STRETCH, (stretch + 1) * STRETCH, number
    yield part(low, whole.start * STRETCH)


def _tallied(low: int, high: int) -> tuple[str, list[int]]:
    """Return the counts of events between two numbers, as (SELECT of hour, op, layer, author, channel,
    user_id, n; its values).

    Complete blocks use stored counts; the rest at both ends is counted event by event."""
    whole = _complete_blocks(low, high)
    columns = "op, layer, author, channel, user_id"
    one_by_one = f"SELECT at / {HOUR_US} AS hour, {columns}, 1 AS n FROM events WHERE id >= ? AND id < ?"
    if not whole:
        return one_by_one, [low, high]
    return (
        f"SELECT hour, {columns}, n FROM rollup WHERE stretch >= ? AND stretch < ? "
        f"UNION ALL {one_by_one} UNION ALL {one_by_one}",
        [whole.start, whole.stop, low, whole.start * STRETCH, whole.stop * STRETCH, high],
    )


def _complete_blocks(low: int, high: int) -> range:
    """Return the blocks that are completely between two numbers."""
    return range(-(-low // STRETCH), high // STRETCH)


def _asked_bounds(db: Connection, wanted: EventFilter) -> tuple[int, int]:
    """Return (first, end) of the numbers in the requested time."""
    low = wanted.from_number
    if wanted.after is not None:
        low = max(low, events.first_at(db, wanted.after))
    high = events.newest(db) + 1 if wanted.before is None else events.first_at(db, wanted.before)
    return low, high if wanted.below is None else min(high, wanted.below)


def _bounds(db: Connection, wanted: EventFilter) -> tuple[int, int]:
    """Return (first, end) of the numbers to search."""
    low, high = _asked_bounds(db, wanted)
    if not wanted.text:
        return low, high
    first, end = covered(db)
    return max(low, first), min(high, end)


def _condition(wanted: EventFilter) -> tuple[str, list[Any]]:
    """Return the condition on an event's own columns, as ` AND …` and its values; empty for none."""
    where, params = "", list[Any]()
    columns = {
        "op": wanted.operations,
        "layer": wanted.layers,
        "author": wanted.authors,
        "channel": wanted.channels,
        "user_id": () if wanted.user_id is None else (wanted.user_id,),
    }
    for column, values in columns.items():
        if values:
            where += f" AND {column} IN ({marks(values)})"
            params.extend(values)
    return where, params


def _found(db: Connection, wanted: EventFilter, low: int, high: int) -> tuple[str, list[Any]]:
    """Return a SELECT of `id` for filters without stored counts, and its values; an index looks up each part
    of the filter."""
    where, params = _condition(wanted)
    parts, given = _looked_up(db, wanted)
    if wanted.text and not db.virtual_tables:
        titles, words = _titled(wanted.text)
        found = f"SELECT id FROM ({' INTERSECT '.join((titles, *parts))}) AS titled WHERE id >= ? AND id < ?"
        given = [*words, *given, low, high]
    elif wanted.text:
        # The plus keeps FTS5 from answering the question anew for each number.
        inside = "".join(f" AND +rowid IN ({part})" for part in parts)
        found = f"SELECT rowid AS id FROM titles WHERE titles MATCH ? AND rowid >= ? AND rowid < ?{inside}"
        given = [match(db, wanted.text), low, high, *given]
    else:
        found = f"SELECT id FROM ({' INTERSECT '.join(parts)}) AS looked_up WHERE id >= ? AND id < ?"
        given = [*given, low, high]
    if where:
        there = f"SELECT 1 FROM events WHERE events.id = found.id{where}"
        found = f"SELECT id FROM ({found}) AS found WHERE EXISTS ({there})"
    return found, [*given, *params]


def _titled(text: str) -> tuple[str, list[str]]:
    """Return a SELECT of `id` of the titles with all words of a text, as `match`, in a database without FTS5; and its
    values."""
    *complete, last = words_of(text) or [""]
    words = [piece for word in complete for piece in _sought(word)]
    parts, given = list[str](), list[str]()
    if last and not is_run(last):
        parts, given = ["SELECT id FROM titles WHERE word >= ? AND word < ?"], [last, last + BEYOND]
    else:
        words += _sought(last)
    parts += ["SELECT id FROM titles WHERE word = ?"] * len(words)
    return f"SELECT * FROM ({' INTERSECT '.join(parts)}) AS worded", [*given, *words]


def _looked_up(db: Connection, wanted: EventFilter) -> tuple[list[str], list[Any]]:
    """Return a SELECT of `id` for each part of the filter with a record, run, conversation or session; and
    all their values."""
    parts, params = list[str](), list[Any]()
    if wanted.record:
        parts.append(events.TOUCHING)
        params += [wanted.record] * 3
    if wanted.run:
        parts.append("SELECT id FROM changes WHERE run = ?")
        params.append(wanted.run)
    if wanted.conversation_id:
        _add_talks(parts, params, [wanted.conversation_id])
    if wanted.session_id:
        _add_talks(parts, params, _talks_of(db, wanted.session_id), wanted.session_id)
    return [f"SELECT * FROM ({part}) AS part" for part in parts], params


def _add_talks(parts: list[str], params: list[Any], talks: Sequence[str], *records: str) -> None:
    """Add the condition that an event belongs to these conversations or records."""
    own, of = marks([*talks, *records]), marks(talks)
    parts.append(
        f"SELECT change AS id FROM edits WHERE record IN ({own}) UNION "
        f"SELECT change FROM turns CROSS JOIN edits ON record = turns.id WHERE conversation_id IN ({of}) UNION "
        "SELECT change FROM turns CROSS JOIN facts ON source_turn_id = turns.id CROSS JOIN edits "
        f"ON record = facts.id WHERE conversation_id IN ({of}) UNION "
        "SELECT change FROM compactions CROSS JOIN edits ON record = compactions.id "
        f"WHERE conversation_id IN ({of}) UNION SELECT id FROM recalls WHERE conversation_id IN ({of})"
    )
    params.extend((*talks, *records, *talks, *talks, *talks, *talks))


def _talks_of(db: Connection, session: str) -> list[str]:
    """Return every conversation of a session, from the journal; each reset started another one."""
    rows = db.rows(
        "SELECT after ->> 'conversation_id' FROM edits WHERE record = ? AND after IS NOT NULL", (session,)
    )
    return sorted({row[0] for row in rows if row[0] is not None})
