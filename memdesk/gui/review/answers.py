"""Types of question, and the answers of each type, in the order of their keys."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.gui.language import marked

TYPES = ("quarantine", "contradiction", "conflict", "correction", "duplicate", "promotion")
"""Question types in the order of the queue: those that may mislead an agent now come first."""
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
    "duplicate": Type(marked("Duplicate"), marked("Duplicates"), marked("%Ln duplicate(s)"), "copy", "warn"),
    "promotion": Type(marked("Promotion"), marked("Promotions"), marked("%Ln promotion(s)"), "promote", "ok"),
    "quarantine": Type(
        marked("Quarantine"), marked("Quarantined"), marked("%Ln quarantined memor(y|ies)"), "lock", "warn"
    ),
}


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
            "keep_other", marked("Keep A"), marked("B gives way"), marked("If A stands"),
            marked("Kept “{a}” over “{b}”"),
        ),
        Answer(
            "keep_subject", marked("Keep B"), marked("A gives way"), marked("If B stands"),
            marked("Kept “{b}” over “{a}”"),
        ),
        Answer(
            "both", marked("Both in time"), marked("A until B began"), marked("If each is true in its time"),
            marked("“{a}” until “{b}”"),
        ),
        Answer(
            "merge", marked("Say as one"), marked("write one claim"), marked("If one claim takes their place"),
            marked("Said as one: {text}"), True,
        ),
        Answer(
            "dismiss", marked("Leave both"), marked("they do not clash"), marked("If both are left"),
            marked("Left both: “{a}” and “{b}”"),
        ),
    ),
    "duplicate": (
        Answer(
            "merge", marked("Merge"), marked("B goes into A"), marked("If B goes into A"),
            marked("Merged “{b}” into “{a}”"),
        ),
        Answer(
            "dismiss", marked("Not the same"), marked("leave both"), marked("If they are two"),
            marked("Told apart: “{a}” and “{b}”"),
        ),
    ),
    "promotion": (
        Answer(
            "promote", marked("Promote"), marked("copy to _global"), marked("If it is promoted"),
            marked("Promoted “{a}” to _global"),
        ),
        Answer(
            "dismiss", marked("Not now"), marked("it stays where it is"), marked("If it is not promoted"),
            marked("Kept out of _global: “{a}”"),
        ),
    ),
    "correction": (
        Answer(
            "apply", marked("Apply"), marked("B replaces A"), marked("If the correction is applied"),
            marked("Corrected to “{b}”"),
        ),
        Answer(
            "dismiss", marked("Leave it"), marked("A stands"), marked("If it is not corrected"),
            marked("Left as it is: “{a}”"),
        ),
    ),
    "conflict": (
        Answer(
            "theirs", marked("Keep A"), marked("the file as it is"), marked("If the file stays as it is"),
            marked("Kept {path} as it is"),
        ),
        Answer(
            "ours", marked("Take B"), marked("the text beside it"), marked("If the other text goes in"),
            marked("Put the other text into {path}"),
        ),
        Answer(
            "text", marked("Put together"), marked("edit both"), marked("If you write it yourself"),
            marked("Put both texts of {path} together"), True,
        ),
    ),
    "quarantine": (
        Answer(
            "release", marked("Let it in"), marked("agents recall it"), marked("If it is let in"),
            marked("Let in: “{a}”"),
        ),
        Answer(
            "retire", marked("Keep it out"), marked("it stays retired"), marked("If it is kept out"),
            marked("Kept out of recall: “{a}”"),
        ),
    ),
}  # fmt: skip
"""Answers of each type, in the order of the keys 1, 2, 3…"""
QUARANTINED = Answer(
    "quarantine", marked("Quarantine"), marked("hold it out of recall"), marked("If it is held out of recall"),
    marked("Quarantined “{b}”"),
)  # fmt: skip
"""Answer of the key Q, for every type but quarantine."""
