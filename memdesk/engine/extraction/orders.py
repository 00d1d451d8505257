"""Read decisions and standing orders in English: "Let's use WireGuard", "Never push to main"."""

from __future__ import annotations

import re

from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.clause import Clause, Reading, lower_first, verb_and_rest
from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.lexicon import word_set

_DIRECTIVE = re.compile(
    r"(?:please )?(?:(?:from now on|in (?:the )?future|going forward|by default),? )?(?:never|always|don't"
    r"|do not|only|avoid"
    r"|make sure|ensure)\b",
    re.IGNORECASE,
)
_FROM_NOW = re.compile(r"^(?:from now on|in (?:the )?future|going forward|by default),? ", re.IGNORECASE)
_PLEASE = re.compile(r"^please ", re.IGNORECASE)
_STANDING = re.compile(
    r"(?:(?:from now on|in (?:the )?future|going forward|by default),? )?(?:use|keep|put|write"
    r"|name|answer|reply|respond|call|format|store|prefer|stick to|ask|run|save|log|treat|sign"
    r"|address|start|end|add|check|send|tag|commit|document|mark|sort|round|show|speak)\b",
    re.IGNORECASE,
)
"""Imperatives that may be standing orders."""
_LASTS = re.compile(
    r"\bin (?:this|the) (?:repo|project|codebase|team)|\bfor (?:this|the) (?:repo|project)"
    r"|, not\b|\bfrom now on\b|\bgoing forward\b|\bin (?:the )?future\b|\bby default\b"
    r"|\bwhenever\b|\bevery\b|\beach\b|\b(?:before|when|after|unless) you\b|\binstead of\b"
    r"|\beverywhere\b|\balways\b|\bfor all\b",
    re.IGNORECASE,
)
"""Words that make an order lasting."""
_INDIRECT = (
    (re.compile(r"(^|(?:\band|,) )(?:don't|do not) ", re.IGNORECASE), r"\1not to "),
    (re.compile(r"(^|(?:\band|,) )never ", re.IGNORECASE), r"\1never to "),
    (re.compile(r"(^|(?:\band|,) )(always|only|avoid|make sure|ensure) ", re.IGNORECASE), r"\1to \2 "),
)
"""Patterns that turn an order into reported speech: "don't use tabs" becomes "not to use tabs"."""
_SOFT_ORDERS = word_set(
    """
    worry give forget hesitate stop quit let be lose miss sweat mention think know get feel try look keep
    care mind even remember wait see mean understand have go
    """
)
_DECISION = re.compile(
    r"(?:final |my |our )?decision:\s*|let's (?=(?:go|use|stick|switch|keep|call|settle|move|drop|adopt)\b)",
    re.IGNORECASE,
)
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
    for pattern, indirect in _INDIRECT:
        order = pattern.sub(indirect, order)
    return Reading(text=f"I asked {order}", category="constraint", tense="present")
