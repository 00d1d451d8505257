"""Read decisions and standing orders in English: "Let's use WireGuard", "Never push to main"."""

from __future__ import annotations

import re

from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.clause import Clause, Reading, lower_first, verb_and_rest
from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.lexicon import pattern, words

_DIRECTIVE = pattern("english", "directive")
_FROM_NOW = re.compile(r"^(?:from now on|in (?:the )?future|going forward|by default),? ", re.IGNORECASE)
_PLEASE = re.compile(r"^please ", re.IGNORECASE)
_STANDING = pattern("english", "standing")
"""Imperatives that may be standing orders."""
_LASTS = pattern("english", "lasts")
"""Words that make an order lasting."""
_INDIRECT = (
    (re.compile(r"(^|(?:\band|,) )(?:don't|do not) ", re.IGNORECASE), r"\1not to "),
    (re.compile(r"(^|(?:\band|,) )never ", re.IGNORECASE), r"\1never to "),
    (re.compile(r"(^|(?:\band|,) )(always|only|avoid|make sure|ensure) ", re.IGNORECASE), r"\1to \2 "),
)
"""Patterns that turn an order into reported speech: "don't use tabs" becomes "not to use tabs"."""
_SOFT_ORDERS = words("english", "soft_orders")
_DECISION = pattern("english", "decision")
_GOING_WITH = re.compile(r"(?:going|sticking|settled) (?:with|on) ", re.IGNORECASE)


def decision(clause: Clause) -> Reading | None:
    """Read a decision: "Let's use WireGuard", "Decision: keep Postgres", "Going with Stripe"."""
    match = _DECISION.match(clause.text)
    if match and clause.content(clause.words[1:]) >= 1 and (clause.scene.at_work or clause.named()):
        rest = clause.text[match.end() :]
        head = WORD.match(rest)
        verbal = head is not None and head.group().lower() in w.VERBS
        text = f"I decided to {lower_first(rest)}" if verbal else f"I decided on {rest}"
        return Reading(text=text, category="decision", tense="past")
    if _GOING_WITH.match(clause.text) and clause.content(clause.words) >= 1:
        return Reading(text=f"I am {lower_first(clause.text)}", category="decision", tense="present")
    return None


def directive(clause: Clause) -> Reading | None:
    """Read a standing order of a person to an agent: "Never push to main", "Use tabs in this repo"."""
    if not clause.scene.at_work:
        return None
    if _STANDING.match(clause.text) and _LASTS.search(clause.text) and clause.content(clause.words) >= 1:
        order = lower_first(_FROM_NOW.sub("", clause.text))
        return Reading(text=f"I asked to {order}", category="constraint", tense="present")
    if not _DIRECTIVE.match(clause.text):
        return None
    if verb_and_rest(clause.words)[0] in _SOFT_ORDERS or clause.content(clause.words) < (
        1 if len(clause.words) >= 4 else 2
    ):
        return None
    order = lower_first(_PLEASE.sub("", clause.text))
    for form, indirect in _INDIRECT:
        order = form.sub(indirect, order)
    return Reading(text=f"I asked {order}", category="constraint", tense="present")
