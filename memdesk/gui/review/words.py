"""What the review inbox says of a question: its title, its sides, what is suggested and why, and what was done."""

from __future__ import annotations

from memdesk.gui.deed import named
from memdesk.gui.language import tr
from memdesk.gui.review.answers import ANSWERS, QUARANTINED, Answer
from memdesk.model.browse import FactRow, PromotionPreview
from memdesk.model.channel import GLOBAL
from memdesk.model.review import Question, Side


def answers(question: Question) -> tuple[Answer, ...]:
    """What a question can be answered with."""
    return ANSWERS.get(question.type, ())


def answer(question: Question, decision: str) -> Answer | None:
    """The answer of this name, where the question takes it."""
    if decision == QUARANTINED.decision and decision not in question.decisions:
        return None
    return answer_of(question.type, decision)


def answer_of(type: str, decision: str) -> Answer | None:
    """The answer of this name among those of a type, the quarantine included."""
    return next((each for each in (*ANSWERS.get(type, ()), QUARANTINED) if each.decision == decision), None)


def suggestion(question: Question, promotion: PromotionPreview | None = None) -> tuple[str, str]:
    """The answer that Enter gives, and why it is suggested; ("", "") where nothing speaks for one.

    promotion: what promoting the fact would do, where that is asked.
    """
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
    """The claim that a correction proposes."""
    return str(question.details.get("claim", ""))


def sides(question: Question) -> tuple[Side, ...]:
    """The memories of a question, A first: what stands already, and of two duplicates the one a merge keeps."""
    subject, other = question.subject, question.other
    if other is None:
        return (subject,)
    if question.type == "duplicate" and subject.channel == GLOBAL != other.channel:
        return (subject, other)
    return (other, subject)


def first_side(question: Question) -> str:
    """What A says."""
    return sides(question)[0].title


def second_side(question: Question) -> str:
    """What B says, empty where there is none."""
    if question.type == "correction":
        return proposed(question)
    return sides(question)[1].title if question.other else ""


def title(question: Question) -> str:
    """One line that says what the question is about."""
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
    """What the status line says once an answer is given."""
    a, b = (named(each) for each in (first_side(question), second_side(question)))
    if answer is QUARANTINED:
        # What is held out is the memory that the question is about, whichever side it stands on.
        b = named(question.subject.title)
    return tr(answer.past, a=a, b=b, text=named(text), path=question.subject.title)


def strength(fact: FactRow | None) -> str:
    """“0.95 · 9 · 4”: how sure, how often recalled, in how many conversations said."""
    return "" if fact is None else f"{fact.confidence:.2f} · {fact.recalled:,} · {fact.conversations:,}"
