"""Translate domain words: kinds of memory, certainty of a claim, operations.

Records use the English word; a word not listed here was chosen by an agent and is not translated."""

from __future__ import annotations

from memdesk.gui.language import marked, tr
from memdesk.model.kinds import BY_NAME, KINDS, PASSAGE

TERMS = frozenset(
    (
        *(kind.label.lower() for kind in KINDS),
        # Kinds of fact, and of what is no record.
        marked("decision"),
        marked("preference"),
        marked("constraint"),
        marked("event"),
        marked("document"),
        marked("passage"),
        marked("day"),
        marked("memory"),
        marked("learning"),
        # Types of entity.
        marked("organization"),
        marked("location"),
        marked("concept"),
        marked("technology"),
        marked("product"),
        # When a claim holds, and how it was said.
        marked("current"),
        marked("past"),
        marked("future"),
        marked("explicit"),
        marked("implied"),
        marked("inferred"),
        marked("uncertain"),
        # Conditions of a promotion.
        marked("confidence"),
        marked("recalled"),
        marked("conversations"),
        # Operations.
        marked("recall"),
        marked("store"),
        marked("learn"),
        marked("update"),
        marked("promote"),
        marked("decay"),
        marked("retire"),
        marked("delete"),
        marked("undo"),
        marked("redo"),
        marked("import"),
        marked("agent"),
        marked("person"),
        marked("job"),
        marked("hook"),
        # Who said it, and what it was.
        marked("user"),
        marked("assistant"),
        marked("system"),
        marked("tool"),
        # Relations of the graph.
        marked("about"),
        marked("related to"),
        marked("part of"),
        marked("mentions"),
        marked("derived from"),
        marked("promoted from"),
        marked("supersedes"),
        marked("contradicts"),
        marked("has goal"),
        marked("subgoal of"),
        marked("blocked by"),
        marked("uses tool"),
        marked("succeeded in"),
        marked("used tool"),
        marked("invoked"),
        marked("followed by"),
        marked("has turn"),
        marked("located in"),
        marked("works for"),
        marked("knows"),
        marked("created by"),
        marked("references"),
        # Fields of a record.
        marked("description"),
        marked("also known as"),
        marked("source"),
        marked("time"),
        marked("status"),
        marked("priority"),
        marked("result"),
        marked("deadline"),
        marked("ended"),
        marked("when to use it"),
        marked("tools"),
        marked("asked for"),
        marked("input"),
        marked("output"),
        marked("error"),
        marked("took"),
        marked("role"),
        marked("model"),
        marked("tokens"),
    )
)


def term(word: str) -> str:
    """Return a domain word in the window's language, in the form used within a sentence."""
    known = word.lower().replace("_", " ")
    return tr(known) if known in TERMS else word


def relation_words(type: str) -> str:
    """Return a relation's type as a person reads it: “part of”."""
    return term(type.lower().replace("_", " "))


def capitalised(word: str) -> str:
    """Return a domain word in the window's language with a capital, in the form used alone."""
    said = term(word)
    return said[:1].upper() + said[1:]


def plural(kind: str) -> str:
    """Return the heading of several records of a kind, such as “Goals”. Passages are pieces of files."""
    return tr("Files") if kind == PASSAGE else tr(BY_NAME[kind].plural.capitalize())


def counted(kind: str, number: int) -> str:
    """Return a number of records of a kind in words, such as “3 goals”."""
    return tr(BY_NAME[kind].counted, "", number)


def filter_words(kind: str) -> str:
    """Return the placeholder of the field that filters records of a kind, such as “Filter goals”."""
    words = f"Filter {BY_NAME[kind].plural}"
    return tr(words)
