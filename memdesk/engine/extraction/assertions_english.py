"""Assertions in English claims in the third person: who lives where, who prefers which value, which task is
due when.

Each form has one pattern; a claim may match several. A claim that matches none cannot be contradicted by
slot."""

from __future__ import annotations

import re

from memdesk.engine.extraction.assertion_forms import Found, read
from memdesk.engine.extraction.assertions_people import PEOPLE
from memdesk.engine.extraction.assertions_things import THINGS

FORMS = (*PEOPLE, *THINGS)
_LEAD = re.compile(
    r"^(?:since|in|as of|from|currently|now|today|at the moment|these days)\b[^,]{0,40}, ", re.IGNORECASE
)


def english(claim: str) -> Found:
    """Yield the assertions of an English claim, each once."""
    yield from read(_LEAD.sub("", claim.replace("’", "'").strip().rstrip(".")), FORMS)
