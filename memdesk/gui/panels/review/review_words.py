"""Texts about a question: its title, its sides, the suggested answer with its reason, and the sentence
afterwards."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.gui.language import marked, tr
from memdesk.gui.widgets.text import excerpt
from memdesk.model.browse import FactRow, PromotionPreview
from memdesk.model.channel import GLOBAL
from memdesk.model.review import Question, Side

CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class Type:
    """Type of question: its name, its plural, its counted form, its icon and the tone of its tag."""

    name: str
    many: str
    counted: str
    icon: str
    tone: str


NAMED: dict[str, Type] = {
    "quarantine": Type(
        marked("Quarantine"), marked("Quarantined"), marked("%Ln quarantined memor(y|ies)"), "lock", "warn"
    ),
    "secret": Type(marked("Secrets"), marked("Secrets"), marked("%Ln source(s) with secrets"), "lock", "bad"),
    "contradiction": Type(
        marked("Contradiction"),
        marked("Contradictions"),
        marked("%Ln contradiction(s)"),
        "contradicts",
        "bad",
    ),
    "conflict": Type(
        marked("File clash"), marked("File clashes"), marked("%Ln file clash(es)"), "file", "bad"
    ),
    "correction": Type(
        marked("Correction"), marked("Corrections"), marked("%Ln correction(s)"), "update", "acc"
    ),
    "doubtful": Type(
        marked("Doubtful"), marked("Doubtful"), marked("%Ln doubtful fact(s)"), "warning", "warn"
    ),
    "duplicate": Type(marked("Duplicate"), marked("Duplicates"), marked("%Ln duplicate(s)"), "copy", "warn"),
    "promotion": Type(marked("Promotion"), marked("Promotions"), marked("%Ln promotion(s)"), "promote", "ok"),
    "fading": Type(
        marked("Fading"), marked("Fading"), marked("%Ln question(s) about what fades"), "decay", "warn"
    ),
}
"""Question types in the order of the queue: those that may mislead an agent now come first."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer to a question. decision: of the review queue, or the side of a file conflict to keep. says: its
    meaning.

    heading: above its effects. past: the sentence in the status line, with {a} and {b} for the two sides.
    writes: it needs a text."""

    decision: str
    name: str
    says: str
    heading: str
    past: str
    writes: bool = False


ANSWERS: dict[str, tuple[Answer, ...]] = {
    "contradiction": (
        Answer(
            "keep_other",
            marked("Keep A"),
            marked("B gives way"),
            marked("If A stands"),
            marked("Kept “{a}” over “{b}”"),
        ),
        Answer(
            "keep_subject",
            marked("Keep B"),
            marked("A gives way"),
            marked("If B stands"),
            marked("Kept “{b}” over “{a}”"),
        ),
        Answer(
            "both",
            marked("Both in time"),
            marked("A until B began"),
            marked("If each is true in its time"),
            marked("“{a}” until “{b}”"),
        ),
        Answer(
            "merge",
            marked("Say as one"),
            marked("write one claim"),
            marked("If one claim takes their place"),
            marked("Said as one: {text}"),
            True,
        ),
        Answer(
            "dismiss",
            marked("Leave both"),
            marked("they do not clash"),
            marked("If both are left"),
            marked("Left both: “{a}” and “{b}”"),
        ),
    ),
    "duplicate": (
        Answer(
            "merge",
            marked("Merge"),
            marked("B goes into A"),
            marked("If B goes into A"),
            marked("Merged “{b}” into “{a}”"),
        ),
        Answer(
            "dismiss",
            marked("Not the same"),
            marked("leave both"),
            marked("If they are two"),
            marked("Told apart: “{a}” and “{b}”"),
        ),
    ),
    "promotion": (
        Answer(
            "promote",
            marked("Promote"),
            marked("copy to _global"),
            marked("If it is promoted"),
            marked("Promoted “{a}” to _global"),
        ),
        Answer(
            "dismiss",
            marked("Not now"),
            marked("it stays where it is"),
            marked("If it is not promoted"),
            marked("Kept out of _global: “{a}”"),
        ),
    ),
    "correction": (
        Answer(
            "apply",
            marked("Apply"),
            marked("B replaces A"),
            marked("If the correction is applied"),
            marked("Corrected to “{b}”"),
        ),
        Answer(
            "dismiss",
            marked("Leave it"),
            marked("A stands"),
            marked("If it is not corrected"),
            marked("Left as it is: “{a}”"),
        ),
    ),
    "doubtful": (
        Answer(
            "retire",
            marked("Retire"),
            marked("out of recall"),
            marked("If it is retired"),
            marked("Retired “{a}”"),
        ),
        Answer(
            "dismiss",
            marked("It is right"),
            marked("it stays"),
            marked("If it stays"),
            marked("Left as it is: “{a}”"),
        ),
    ),
    "secret": (
        Answer(
            "keep_masked",
            marked("Keep masked"),
            marked("you can reveal it"),
            marked("If they stay masked"),
            marked("Secrets of “{a}” stay masked"),
        ),
        Answer(
            "erase_secrets",
            marked("Erase for good"),
            marked("nobody can reveal it"),
            marked("If they are erased"),
            marked("Erased the secrets of “{a}” for good"),
        ),
        Answer(
            "not_secret",
            marked("Not a secret"),
            marked("show it again"),
            marked("If they are shown again"),
            marked("No secret in “{a}”"),
        ),
    ),
    "fading": (
        Answer(
            "retire",
            marked("Retire"),
            marked("out of recall"),
            marked("If all of it is retired"),
            marked("Retired what had faded"),
        ),
        Answer(
            "keep",
            marked("Keep"),
            marked("not asked again for a year"),
            marked("If all of it is kept"),
            marked("Kept what had faded"),
        ),
    ),
    "conflict": (
        Answer(
            "theirs",
            marked("Keep A"),
            marked("the file as it is"),
            marked("If the file stays as it is"),
            marked("Kept {path} as it is"),
        ),
        Answer(
            "ours",
            marked("Take B"),
            marked("the text beside it"),
            marked("If the other text goes in"),
            marked("Put the other text into {path}"),
        ),
        Answer(
            "text",
            marked("Put together"),
            marked("edit both"),
            marked("If you write it yourself"),
            marked("Put both texts of {path} together"),
            True,
        ),
    ),
    "quarantine": (
        Answer(
            "release",
            marked("Let it in"),
            marked("agents recall it"),
            marked("If it is let in"),
            marked("Let in: “{a}”"),
        ),
        Answer(
            "retire",
            marked("Keep it out"),
            marked("it stays retired"),
            marked("If it is kept out"),
            marked("Kept out of recall: “{a}”"),
        ),
    ),
}
"""Answers of each type, in the order of the keys 1, 2, 3…"""
QUARANTINED = Answer(
    "quarantine",
    marked("Quarantine"),
    marked("hold it out of recall"),
    marked("If it is held out of recall"),
    marked("Quarantined “{b}”"),
)
"""Answer of the key Q, for every type but quarantine."""


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
        case "secret":
            return "keep_masked", tr("Agents and exports never see it, and you still can.")
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
        case "secret":
            return question.reason
        case "fading":
            return tr(question.reason)
    return a


def answered_sentence(question: Question, answer: Answer, text: str = "") -> str:
    """Return the sentence in the status line after an answer."""
    a, b = (excerpt(each) for each in (first_side(question), second_side(question)))
    if answer is QUARANTINED:
        # What is held out is the memory that the question is about, whichever side it stands on.
        b = excerpt(question.subject.title)
    return tr(answer.past, a=a, b=b, text=excerpt(text), path=question.subject.title)


def strength(fact: FactRow | None) -> str:
    """Return confidence, recalls and number of conversations of a fact: “0.95 · 9 · 4”."""
    return "" if fact is None else f"{fact.confidence:.2f} · {fact.recalled:,} · {fact.conversations:,}"


SECONDS_EACH = 15
"""Time that a person is expected to need for one question, in seconds: twelve things are three minutes."""


def headline(total: int) -> str:
    """Return “12 things, about 3 minutes”."""
    minutes = max(1, round(total * SECONDS_EACH / 60))
    return tr(
        "{things}, {time}", things=tr("%Ln thing(s)", "", total), time=tr("about %Ln minute(s)", "", minutes)
    )
