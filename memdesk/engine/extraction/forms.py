"""Forms of claims other than "I did": orders and decisions, named people and things, outcomes of an agent's
work."""

from __future__ import annotations

import re

from memdesk.engine.extraction import cues, voice
from memdesk.engine.extraction import words as w
from memdesk.engine.extraction.clause import Clause, Reading, dangles, finite_at, small_first, verb_and_rest
from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.values import times
from memdesk.engine.extraction.words import word_set

_HE_SHE = {"he": "he", "she": "she", "he's": "he", "she's": "she"}
_DIRECTIVE = re.compile(
    r"(?:(?:from now on|in (?:the )?future|going forward|by default),? )?(?:never|always|don't|do not|only|avoid"
    r"|make sure|ensure)\b",
    re.IGNORECASE,
)
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
_NO_HEAD = w.CHATTER | w.SUBJECTS | w.POSSESSIVES | w.THIRD | w.VAGUE
_LOOSE = w.ADVERBS | word_set("many some so several most these those for with from by to of")
_LINKING = w.BE | w.MODALS
_OPINIONS = w.VAGUE | w.FEELINGS
_SEEMING = word_set("looks look looked seems sounds feels")
_BEFORE_OPINION = word_set("a an the be such")
_NOT_YET = word_set("can could would should will i'll we'll might may if let once need")


def decision(clause: Clause) -> Reading | None:
    """Read a decision: "Let's use WireGuard", "Decision: keep Postgres", "Going with Stripe"."""
    match = _DECISION.match(clause.text)
    if match and clause.content(clause.words[1:]) >= 1 and (clause.scene.at_work or clause.named()):
        rest = clause.text[match.end() :]
        head = WORD.match(rest)
        verbal = head is not None and head.group().lower() in w.VERBS
        text = f"I decided to {small_first(rest)}" if verbal else f"I decided on {rest}"
        return Reading(text=text, category="decision", tense="past")
    if _GOING_WITH.match(clause.text) and clause.content(clause.words) >= 1:
        return Reading(text=f"I am {small_first(clause.text)}", category="decision", tense="present")
    return None


def directive(clause: Clause) -> Reading | None:
    """Read a standing order of a person to an agent: "Never push to main"."""
    if not clause.scene.at_work or not _DIRECTIVE.match(clause.text):
        return None
    if verb_and_rest(clause.words)[0] in _SOFT_ORDERS or clause.content(clause.words) < (
        1 if len(clause.words) >= 4 else 2
    ):
        return None
    order = small_first(clause.text)
    for pattern, indirect in _INDIRECT:
        order = pattern.sub(indirect, order)
    return Reading(text=f"I asked {order}", category="constraint", tense="present")


def third(clause: Clause) -> Reading | None:
    """Read a clause about "he" or "she", if an earlier sentence names the person: "She gave me a necklace"."""
    pronoun = _HE_SHE.get(clause.subject)
    antecedent = clause.scene.antecedent
    if pronoun is None or clause.lead or antecedent is None or antecedent[1] != pronoun:
        return None
    if clause.content(clause.after()) < 2:
        return None
    rest = clause.text[len(pronoun) :]
    if rest.startswith("'s"):
        rest = (" has" if clause.words[1] in w.PARTICIPLES else " is") + rest[2:]
    tense = _tense([m.group().lower() for m in WORD.finditer(rest)])
    return Reading(text=antecedent[0] + rest, certainty="inferred", tense=tense)


def _tense(words: list[str]) -> str:
    verb = next((word for word in words if voice.is_finite(word)), "")
    return voice.tense_of(verb, "") if verb else "none"


def named(clause: Clause) -> Reading | None:
    """Read a clause about a named person or thing: "Ana works at Siemens", "PgBouncer runs in transaction
    mode"."""
    if clause.subject.removesuffix("'s") not in clause.scene.names:
        return None
    verb_at = finite_at(clause.words, clause.lead + 1)
    predicate = clause.words[verb_at:]
    if not verb_at or clause.content(predicate[1:]) < 1 or _judges(predicate):
        return None
    return Reading(text=clause.text, certainty="implied", tense=voice.tense_of(predicate[0], ""))


def impersonal(clause: Clause, *, requested: bool) -> Reading | None:
    """Read a clause without a person as subject: "The staging database listens on 5433", "Painting helps me
    relax".

    It must be related to the speaker, asked to be remembered, written to an agent, or contain a name or
    number."""
    words = clause.words
    if clause.lead or (not requested and not _may_open(words[0], clause)):
        return None
    verb_at = finite_at(words, 1)
    bound = bool({"me", "my", "our"} & set(words[1:]))
    if not (bound or requested or clause.scene.at_work or clause.named()):
        return None
    if not verb_at or words[verb_at - 1] == "to" or _judges(words[verb_at:]):
        return None
    if not _weighs(clause, bound=bound or requested) or dangles(clause):
        return None
    return Reading(text=clause.text, certainty="implied", tense=voice.tense_of(words[verb_at], ""))


def _may_open(word: str, clause: Clause) -> bool:
    """Return True for a first word that can begin a statement about a thing."""
    return word not in _NO_HEAD and (clause.scene.at_work or word not in _LOOSE)


def _weighs(clause: Clause, *, bound: bool) -> bool:
    """Return True if enough words are informative: fewer are needed in a request to an agent or about the
    speaker."""
    telling = clause.content(clause.words)
    if clause.scene.at_work:
        said = sum(word not in w.FUNCTION for word in clause.words)
        return telling >= 1 and (said >= 3 or (said == 2 and (clause.named() or bool(times(clause.text)))))
    return telling >= (2 if bound and clause.words[0] != "the" else 3)


def _judges(predicate: list[str]) -> bool:
    """Return True for "is so cool" and "can be tough": an opinion of the moment."""
    if predicate[0] in _SEEMING:
        return True
    said = [word for word in predicate[1:] if not voice.is_adverb(word) and word not in _BEFORE_OPINION]
    return predicate[0] in _LINKING and bool(said) and said[0] in _OPINIONS


def outcome(clause: Clause) -> Reading | None:
    """Read the outcome that an agent reports of its work. Offers, plans and explanations are not outcomes."""
    words = clause.words
    if not cues.OUTCOME.search(clause.text) or _NOT_YET & set(words):
        return None
    if clause.content(words) < 3 or dangles(clause):
        return None
    if clause.subject in w.SUBJECTS:
        return Reading(text=clause.text, tense="past")
    if voice.is_past(words[0]) or words[0] in w.SAME_PAST:
        return Reading(text=f"I {small_first(clause.text)}", tense="past")
    states = finite_at(words, 1) and words[0] not in w.CHATTER
    return Reading(text=clause.text, tense="past") if states else None
