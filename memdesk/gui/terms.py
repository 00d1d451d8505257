"""Translate domain words: kinds of memory, certainty of a claim, operations, states of files.

Records use the English word; a word not listed here was chosen by an agent and is not translated."""

from __future__ import annotations

from memdesk.gui.language import marked, marked_words, tr
from memdesk.model.kinds import BY_NAME, KINDS, PASSAGE
from memdesk.model.workspace_files import INDEXED, LEFT_OUT, WAITING, FolderFile

TERMS = frozenset(
    (
        *(kind.label.lower() for kind in KINDS),
        # Kinds of fact, and of what is no record.
        *marked_words("decision, preference, constraint, event, document, passage, day, memory, learning"),
        # Types of entity.
        *marked_words("organization, location, concept, technology, product"),
        # When a claim holds, and how it was said.
        *marked_words("current, past, future, explicit, implied, inferred, uncertain"),
        # Conditions of a promotion.
        *marked_words("confidence, recalled, conversations"),
        # Operations.
        *marked_words(
            "recall, store, learn, update, promote, decay, retire, delete, undo, redo, import, agent, person, "
            "job, hook"
        ),
        # Who said it, and what it was.
        *marked_words("user, assistant, system, tool"),
        # Relations of the graph.
        *marked_words(
            "about, related to, part of, mentions, derived from, promoted from, supersedes, contradicts, has "
            "goal, subgoal of, blocked by, uses tool, succeeded in, used tool, invoked, followed by, has turn, "
            "located in, works for, knows, created by, references"
        ),
        # Fields of a record.
        *marked_words(
            "description, also known as, source, time, status, priority, result, deadline, ended, when to use it, "
            "tools, asked for, input, output, error, took, role, model, tokens"
        ),
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


STATES = {
    INDEXED: ("check", "ok", marked("indexed")),
    WAITING: ("audit", "warn", marked("waiting")),
    LEFT_OUT: ("minus", "t3", marked("left out")),
}
"""Icon, tone and label of each file state."""
LAYERS = {
    "core": marked("core"),
    "workspace": marked("workspace"),
    "long-term": marked("long-term"),
    "learnings": marked("learnings"),
    "day": marked("day"),
    "notes": marked("notes"),
}


def state(file: FolderFile) -> str:
    """Return the label of a file's state: “indexed”, “waiting”, “left out”."""
    return tr(STATES[file.state][2])


def layer(said: str) -> str:
    """Return the label of a layer; an unknown one is shown as a term."""
    return tr(LAYERS[said]) if said in LAYERS else term(said)
