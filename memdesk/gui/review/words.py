"""Texts about a question: its title, its sides, the suggested answer with its reason, and the sentence
afterwards."""

from __future__ import annotations

from memdesk.gui.deed import named
from memdesk.gui.language import tr
from memdesk.gui.review.answers import ANSWERS, QUARANTINED, Answer
from memdesk.model.browse import FactRow, PromotionPreview
from memdesk.model.channel import GLOBAL
from memdesk.model.review import Question, Side


def answers(question: Question) -> tuple[Answer, ...]:
    """Return the answers that a question takes."""
    return ANSWERS.get(question.type, ())


def answer(question: Question, decision: str) -> Answer | None:
    """Return the answer for a decision, or None if the question does not take it."""
    if decision == QUARANTINED.decision and decision not in question.decisions:
        return None
    return answer_of(question.type, decision)


def answer_of(type: str, decision: str) -> Answer | None:
    """Return the answer for a decision of a question type, including quarantine, or None."""
    return next((each for each in (*ANSWERS.get(type, ()), QUARANTINED) if each.decision == decision), None)


def suggestion(question: Question, promotion: PromotionPreview | None = None) -> tuple[str, str]:
    """Return the suggested decision, which Enter gives, and its reason; ("", "") if there is none.

    promotion: the preview of promoting the fact, if the question is about that."""
    newer, older = question.subject.fact, question.other.fact if question.other else None
    match question.type:
        case "contradiction" if newer and older:
            if newer.confidence >= older.confidence:
                return "keep_subject", tr("B is newer and at least as sure.")
            return "keep_other", tr("A is surer.")
        case "duplicate":
            return "merge", ""
        case "correction":
            return "apply", ""
        case "promotion" if promotion is not None:
            return _of_promotion(promotion)
    return "", ""


def _of_promotion(promotion: PromotionPreview) -> tuple[str, str]:
    if promotion.held is not None:
        return "dismiss", tr("_global holds it already.")
    if promotion.conflicts or not all(each.met for each in promotion.thresholds):
        return "", ""
    return "promote", tr("It meets every condition, and _global says nothing to the contrary.")


def proposed(question: Question) -> str:
    """Return the claim that a correction proposes."""
    return str(question.details.get("claim", ""))


def sides(question: Question) -> tuple[Side, ...]:
    """Return the memories of a question, A first: the existing one, or the one of two duplicates that a merge
    keeps."""
    subject, other = question.subject, question.other
    if other is None:
        return (subject,)
    if question.type == "duplicate" and subject.channel == GLOBAL != other.channel:
        return (subject, other)
    return (other, subject)


def first_side(question: Question) -> str:
    """Return the text of A."""
    return sides(question)[0].title


def second_side(question: Question) -> str:
    """Return the text of B, empty if there is none."""
    if question.type == "correction":
        return proposed(question)
    return sides(question)[1].title if question.other else ""


def title(question: Question) -> str:
    """Return the subject of a question as one line."""
    a, b = first_side(question), second_side(question)
    match question.type:
        case "contradiction":
            return f"{a} ↔ {b}"
        case "duplicate":
            return f"{a} = {b}"
        case "correction":
            return f"{a} → {b}"
        case "conflict":
            return question.subject.title
    return a


def past(question: Question, answer: Answer, text: str = "") -> str:
    """Return the sentence in the status line after an answer."""
    a, b = (named(each) for each in (first_side(question), second_side(question)))
    if answer is QUARANTINED:
        # What is held out is the memory that the question is about, whichever side it stands on.
        b = named(question.subject.title)
    return tr(answer.past, a=a, b=b, text=named(text), path=question.subject.title)


def strength(fact: FactRow | None) -> str:
    """Return confidence, recalls and number of conversations of a fact: “0.95 · 9 · 4”."""
    return "" if fact is None else f"{fact.confidence:.2f} · {fact.recalled:,} · {fact.conversations:,}"
