"""Word index of event titles.

It follows the journal with a delay, many titles at a time, so that no write waits for it; a desk without it
is indexed backwards from its newest event. It covers the events from `low` to before `high`, and searches
report that."""

from __future__ import annotations

import re
import unicodedata

from memdesk.store.connection import Connection
from memdesk.store.words import CJK, bigrams, folded, is_run
from memdesk.store.words import match as match_any

BEGINNINGS = 50
"""Maximum number of words with one beginning that are searched one by one."""
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
    db.run_many(
        "INSERT INTO titles (rowid, words) VALUES (?,?)",
        (
            (number, _indexed(title))
            for number, title in db.rows(
                "SELECT id, title FROM events WHERE id >= ? AND id < ? ORDER BY id", (first, end)
            )
        ),
    )
    db.run("UPDATE upkeep SET titles_low = ?, titles_high = ?", (min(low, first), max(high, end)))
    return end - first


def clear(db: Connection, newest: int) -> None:
    """Empty the index, as after an erasure; the remaining titles are indexed again."""
    db.run("INSERT INTO titles (titles) VALUES ('delete-all')")
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


def _indexed(title: str) -> str:
    """Return a title as indexed: CJK runs as their bigrams and their single characters, each word once."""
    cut = dict.fromkeys(
        piece for word in words_of(title) for piece in ((*bigrams(word), *word) if is_run(word) else (word,))
    )
    return " ".join(cut)


def _sought(word: str) -> list[str]:
    """Return the index terms of a title that contains this word."""
    return bigrams(word) if is_run(word) and len(word) > 1 else [word]
