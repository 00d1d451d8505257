"""The index of what events say: which of them have a word in their title.

It follows the journal from behind, many titles at a time, so that no write waits for it; a desk that never had it is
indexed backwards from its newest event. It knows the events from `low` to before `high`, and whoever asks is told so.
"""

from __future__ import annotations

import re
import unicodedata

from memdesk.store.connection import Connection
from memdesk.store.words import CJK, bigrams, folded, is_run
from memdesk.store.words import match as match_any

BEGINNINGS = 50
"""Words of one beginning that are asked for one by one."""
_WORD = re.compile(f"[{CJK}]+|[^\\W_{CJK}]+")
_ACCENT = re.compile("[\u0300-\u036f]")


def words_of(text: str) -> list[str]:
    """The words of a text, without case and accents, each run of CJK characters as one word.

    Index and question are cut here and nowhere else: SQLite is given words that it leaves as they are.
    """
    plain = folded(text).casefold()
    if not plain.isascii():
        plain = unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFD", plain)))
    return _WORD.findall(plain)


def match(db: Connection, text: str) -> str:
    """MATCH text that finds titles with all words of a text; a last word of letters may be the beginning of theirs.

    A text without a word finds nothing."""
    *whole, last = words_of(text) or [""]
    terms = [f'"{piece}"' for word in whole for piece in _sought(word)]
    if last and not is_run(last):
        return " AND ".join((*terms, _beginning(db, last)))
    terms += [f'"{piece}"' for piece in _sought(last)]
    return " AND ".join(terms)


def covered(db: Connection) -> tuple[int, int]:
    """(low, high): the numbers of the events that are indexed, high left out."""
    low, high = db.rows("SELECT titles_low, titles_high FROM upkeep")[0]
    return low, high


def waiting(db: Connection, newest: int) -> int:
    """How many titles are not indexed; all of them where the journal has lost its end since."""
    low, high = covered(db)
    return newest if high > newest + 1 else newest + 1 - high + low - 1


def extend(db: Connection, newest: int, limit: int) -> int:
    """Index more titles, at most so many: what is newer first, then what is older. Returns how many there were."""
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
    """Forget every word, as when some were erased: what is left is indexed anew."""
    db.run("INSERT INTO titles (titles) VALUES ('delete-all')")
    db.run("UPDATE upkeep SET titles_low = ?, titles_high = ?", (newest + 1, newest + 1))


def _beginning(db: Connection, word: str) -> str:
    """MATCH text for whatever begins like a word.

    FTS5 gathers all that a beginning finds before it tells the first: a second where that is ten million titles. Asked
    for the few words that do begin so, it tells them as it goes."""
    words, at = list[str](), word
    while len(words) < BEGINNINGS:
        found = db.value("SELECT term FROM titles_terms WHERE term >= ? LIMIT 1", (at,))
        if found is None or not found.startswith(word):
            return f"({match_any(words)})" if words else '""'
        words.append(found)
        at = found + "\0"
    return f'"{word}"*'


def _indexed(title: str) -> str:
    """A title as the index has it: CJK runs as their bigrams and their single characters, each word once."""
    cut = dict.fromkeys(
        piece for word in words_of(title) for piece in ((*bigrams(word), *word) if is_run(word) else (word,))
    )
    return " ".join(cut)


def _sought(word: str) -> list[str]:
    """What a title with this word has in the index."""
    return bigrams(word) if is_run(word) and len(word) > 1 else [word]
