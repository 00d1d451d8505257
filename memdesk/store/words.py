"""Words as FTS5 wants them: CJK runs cut into bigrams, and queries quoted token by token.

`unicode61` keeps a CJK run as one token, so a two-character word would never be found inside it.
"""

from __future__ import annotations

import re

_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_RUN = re.compile(f"[{_CJK}]+")
_TOKEN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")


def segment(text: str) -> str:
    """Text as it is indexed: every CJK run as its bigrams plus its last character."""
    return _RUN.sub(_bigrams_and_last, text)


def _bigrams_and_last(run: re.Match[str]) -> str:
    found = run.group()
    return " " + " ".join([*(found[i : i + 2] for i in range(len(found) - 1)), found[-1]]) + " "


def tokens(text: str) -> tuple[str, ...]:
    """What a person typed as search tokens, in order, lower-cased; a CJK run as its bigrams."""
    found: list[str] = []
    for token in _TOKEN.findall(text):
        if _RUN.fullmatch(token) and len(token) > 1:
            found.extend(token[i : i + 2] for i in range(len(token) - 1))
        else:
            found.append(token.lower())
    return tuple(found)


def match_any(terms: tuple[str, ...]) -> str:
    """A MATCH expression for any of the terms. A single CJK character matches as a prefix. Empty for no terms."""
    return " OR ".join(f'"{term}"*' if len(term) == 1 and _RUN.match(term) else f'"{term}"' for term in terms)
