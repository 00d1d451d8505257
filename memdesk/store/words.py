"""Tokenisation for the text index, names in a text, and MATCH expressions that are safe for any user input.

Index and query must be split in the same way, so the only folding and the only definition of a CJK run are
here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

CJK = (
    "\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3105-\u312f\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Character ranges of Han, kana, bopomofo and Hangul, for the brackets of a regular expression."""
_RUN = re.compile(f"[{CJK}]+")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def folded(text: str) -> str:
    """Return text in NFKC form (full-width letters, half-width kana made ordinary) without characters that
    SQLite refuses."""
    return unicodedata.normalize("NFKC", _UNSTORABLE.sub(" ", text))


def segment(text: str) -> str:
    """Return text as the index stores it: folded, CJK runs cut into bigrams and into single characters.

    unicode61 would index a complete CJK run as one word. "记忆桌" becomes "记忆 忆桌 记 忆 桌": words of two characters
    are found as bigrams, single characters as themselves. Searching for a common character as the beginning
    of its bigrams took ten times as long."""
    return _RUN.sub(lambda run: f" {' '.join((*bigrams(run[0]), *run[0]))} ", folded(text))


def bigrams(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]


def is_run(term: str) -> bool:
    return _RUN.fullmatch(term) is not None


def contains_name(name: str, plain: str) -> bool:
    """Return True if a name is in a folded, lower-case text: as complete words, CJK names anywhere."""
    wanted = folded(name).lower().strip()
    if not wanted or _RUN.search(wanted):
        return bool(wanted) and wanted in plain
    # A Latin name between CJK characters has no space around it and is whole all the same.
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", _RUN.sub(" ", plain)) is not None


def match(terms: Iterable[str]) -> str:
    """Return a MATCH expression for rows with any of the terms; empty for no terms, which the caller must not
    run.

    Each term is a quoted phrase, so that no term is read as an operator and the tokenizer may split it
    freely."""
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)
