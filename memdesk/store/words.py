"""How text is cut for the text index, and MATCH text that no user input can upset.

Index and query must cut alike or they never meet, so the one folding and the one idea of a CJK run live here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

CJK = (
    "\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3105-\u312f\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Han, kana, bopomofo and Hangul, as the inside of a regular expression's brackets."""
_RUN = re.compile(f"[{CJK}]+")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def folded(text: str) -> str:
    """Text with compatibility forms made ordinary (full-width letters, half-width kana) and nothing SQLite refuses."""
    return unicodedata.normalize("NFKC", _UNSTORABLE.sub(" ", text))


def segment(text: str) -> str:
    """Text as the index stores it: folded, CJK runs cut into bigrams and into single characters.

    unicode61 would index a whole CJK run as one word. "记忆桌" becomes "记忆 忆桌 记 忆 桌": words of two
    characters are found as bigrams, single characters as themselves. Sought as the beginning of its bigrams, a common
    character took ten times as long.
    """
    return _RUN.sub(lambda run: f" {' '.join((*bigrams(run[0]), *run[0]))} ", folded(text))


def bigrams(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]


def is_run(term: str) -> bool:
    return _RUN.fullmatch(term) is not None


def match(terms: Iterable[str]) -> str:
    """MATCH text that finds rows with any of the terms; empty for no terms, which the caller must not run.

    Each term is a quoted phrase, so no term is read as an operator and the tokenizer may split it as it likes.
    """
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)
