"""Assertions of a claim in any supported language."""

from __future__ import annotations

import re
from functools import lru_cache

from memdesk.engine.extraction.assertion import Assertion
from memdesk.engine.extraction.assertions_chinese import chinese
from memdesk.engine.extraction.assertions_english import english
from memdesk.engine.extraction.assertions_japanese import japanese
from memdesk.engine.extraction.language import has_han

_KANA = re.compile("[\u3041-\u30ff]")
REMEMBERED = 4_096
"""Number of claims whose assertions are cached: a job compares the same facts again and again."""


@lru_cache(REMEMBERED)
def assertions(claim: str) -> tuple[Assertion, ...]:
    """Return the assertions of a claim, by slot; empty for a claim of no known form."""
    if _KANA.search(claim):
        return tuple(japanese(claim))
    return tuple(chinese(claim) if has_han(claim) else english(claim))
