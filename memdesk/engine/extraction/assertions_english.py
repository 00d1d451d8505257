"""Assertions in English claims, which stand in the third person: who lives where, prefers what, what is due when.

One pattern a form; a claim may match several. What matches none asserts nothing that could be contradicted by slot."""

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
    """What an English claim asserts, each assertion once."""
    yield from read(_LEAD.sub("", claim.replace("’", "'").strip().rstrip(".")), FORMS)
