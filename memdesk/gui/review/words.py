"""What the review inbox calls things: each type of question, and each answer it takes, in the order of its key."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.browse import FactRow, PromotionPreview
from memdesk.model.channel import GLOBAL
from memdesk.model.review import Question, Side

TYPES = ("contradiction", "conflict", "correction", "duplicate", "promotion")
"""The order of the queue: what may mislead an agent now comes before what can wait."""
CONFLICT = "conflict"


@dataclass(frozen=True, slots=True, kw_only=True)
class Type:
    """A type of question: its name, its plural, its icon and the tone of its tag."""

    name: str
    many: str
    icon: str
    tone: str


NAMED: dict[str, Type] = {
    "contradiction": Type(name="Contradiction", many="Contradictions", icon="contradicts", tone="bad"),
    "conflict": Type(name="File clash", many="File clashes", icon="file", tone="bad"),
    "correction": Type(name="Correction", many="Corrections", icon="update", tone="acc"),
    "duplicate": Type(name="Duplicate", many="Duplicates", icon="copy", tone="warn"),
    "promotion": Type(name="Promotion", many="Promotions", icon="promote", tone="ok"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer. says: what it means, under its name. heading: over what it would do. writes: it needs a text.

    past: how the status line tells it, with {a} and {b} for the two sides.
    """

    decision: str
    name: str
    says: str
    heading: str
    past: str
    writes: bool = False


ANSWERS: dict[str, tuple[Answer, ...]] = {
    "contradiction": (
        Answer(
            decision="keep_other", name="Keep A", says="B gives way", heading="If A stands",
            past="Kept “{a}” over “{b}”",
        ),
        Answer(
            decision="keep_subject", name="Keep B", says="A gives way", heading="If B stands",
            past="Kept “{b}” over “{a}”",
        ),
        Answer(
            decision="both", name="Both in time", says="A until B began", heading="If each is true in its time",
            past="“{a}” until “{b}”",
        ),
        Answer(
            decision="merge", name="Say as one", says="write one claim", heading="If one claim takes their place",
            past="Said as one: {text}", writes=True,
        ),
        Answer(
            decision="dismiss", name="Leave both", says="they do not clash", heading="If both are left",
            past="Left both: “{a}” and “{b}”",
        ),
    ),
    "duplicate": (
        Answer(
            decision="merge", name="Merge", says="B goes into A", heading="If B goes into A",
            past="Merged “{b}” into “{a}”",
        ),
        Answer(
            decision="dismiss", name="Not the same", says="leave both", heading="If they are two",
            past="Told apart: “{a}” and “{b}”",
        ),
    ),
    "promotion": (
        Answer(
            decision="promote", name="Promote", says="copy to _global", heading="If it is promoted",
            past="Promoted “{a}” to _global",
        ),
        Answer(
            decision="dismiss", name="Not now", says="it stays where it is", heading="If it is not promoted",
            past="Kept out of _global: “{a}”",
        ),
    ),
    "correction": (
        Answer(
            decision="apply", name="Apply", says="B replaces A", heading="If the correction is applied",
            past="Corrected to “{b}”",
        ),
        Answer(
            decision="dismiss", name="Leave it", says="A stands", heading="If it is not corrected",
            past="Left as it is: “{a}”",
        ),
    ),
    "conflict": (
        Answer(
            decision="theirs", name="Keep A", says="the file as it is", heading="If the file stays as it is",
            past="Kept {path} as it is",
        ),
        Answer(
            decision="ours", name="Take B", says="the text beside it", heading="If the other text goes in",
            past="Put the other text into {path}",
        ),
        Answer(
            decision="text", name="Put together", says="edit both", heading="If you write it yourself",
            past="Put both texts of {path} together", writes=True,
        ),
    ),
}  # fmt: skip
"""The answers of each type, by the keys 1, 2, 3…: decisions of the review queue, or the side of a clash that stands."""


def answers(question: Question) -> tuple[Answer, ...]:
    """What a question can be answered with."""
    return ANSWERS.get(question.type, ())


def answer(question: Question, decision: str) -> Answer | None:
    """The answer of this name, where the question takes it."""
    return next((each for each in answers(question) if each.decision == decision), None)


def suggestion(question: Question, promotion: PromotionPreview | None = None) -> tuple[str, str]:
    """The answer that Enter gives, and why it is suggested; ("", "") where nothing speaks for one.

    promotion: what promoting the fact would do, where that is asked.
    """
    newer, older = question.subject.fact, question.other.fact if question.other else None
    match question.type:
        case "contradiction" if newer and older:
            if newer.confidence >= older.confidence:
                return "keep_subject", "B is newer and at least as sure."
            return "keep_other", "A is surer."
        case "duplicate":
            return "merge", ""
        case "correction":
            return "apply", ""
        case "promotion" if promotion is not None:
            return _of_promotion(promotion)
    return "", ""


def _of_promotion(promotion: PromotionPreview) -> tuple[str, str]:
    if promotion.held is not None:
        return "dismiss", "_global holds it already."
    if promotion.conflicts or not all(each.met for each in promotion.thresholds):
        return "", ""
    return "promote", "It meets every condition, and _global says nothing to the contrary."


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
    a, b = (_short(each) for each in (first_side(question), second_side(question)))
    return answer.past.format(a=a, b=b, text=_short(text), path=question.subject.title)


def strength(fact: FactRow | None) -> str:
    """“0.95 · 9 · 4”: how sure, how often recalled, in how many conversations said."""
    return "" if fact is None else f"{fact.confidence:.2f} · {fact.recalled:,} · {fact.conversations:,}"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 60 else flat[:59].rstrip() + "…"
