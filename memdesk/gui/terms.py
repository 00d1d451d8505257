"""Words of the service in the window's language: domain terms, refusals, and messages that it sends as an id and parts.

Records use the English word; a word not listed here was chosen by an agent and is not translated."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Hashable
from functools import cache, lru_cache
from typing import Any, TypeVar, get_args, get_type_hints

from memdesk.gui.language import current_language, marked, marked_words, tr
from memdesk.model.errors import MemDeskError
from memdesk.model.kinds import BY_NAME, KINDS, PASSAGE
from memdesk.model.message import Message, unpacked
from memdesk.model.team import READER, may
from memdesk.model.trust import AGENT, FILE, IMPORT, PERSON, PROGRAM, TOOL, WEB
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
            "about, related to, part of, mentions, derived from, quotes, promoted from, supersedes, contradicts, has "
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

SOURCES = {
    "explicit": marked("told"),
    "extraction": marked("extracted"),
    "import": marked("imported"),
    "person": marked("by hand"),
}
"""Labels for the source of a fact."""
ORIGINS = {
    PERSON: marked("A person"),
    AGENT: marked("An agent"),
    TOOL: marked("The output of a tool"),
    WEB: marked("A web page"),
    FILE: marked("A file"),
    IMPORT: marked("An import"),
    PROGRAM: marked("Another program"),
}
"""Labels for the door that a memory came through."""


def state(file: FolderFile) -> str:
    """Return the label of a file's state: “indexed”, “waiting”, “left out”."""
    return tr(STATES[file.state][2])


def layer(said: str) -> str:
    """Return the label of a layer; an unknown one is shown as a term."""
    return tr(LAYERS[said]) if said in LAYERS else term(said)


READS = marked("You read this desk and change nothing in it. Ask one of its owners for another role.")
FOR_OWNERS = marked("Only an owner of this desk may do this. Ask one of them.")


def role_refusal(role: str, needed: str) -> str:
    """Return why a member with a role may not do what is declared for another; empty if it may."""
    if may(role, needed):
        return ""
    return tr(READS) if role == READER else tr(FOR_OWNERS)


QUOTED = re.compile(r"“\{(\w+)\}")
UNDO, REDO = marked("Undo: {subject}"), marked("Redo: {subject}")
T = TypeVar("T")
Wrong = TypeVar("Wrong", bound=MemDeskError)


def worded(sentence: Message) -> Message:
    """Return a message in the language of the window, with the same id and parts."""
    if not sentence.id or current_language() == "en":
        return sentence
    quoted = _quoted(sentence.id)
    parts = {name: part if name in quoted else _part(part) for name, part in sentence.parts.items()}
    return Message(tr(sentence.id).format(**parts), sentence.id, sentence.parts)


def word(text: str) -> str:
    """Return a word of the engine, such as the name of a job, in the language of the window."""
    return tr(text) if text else text


def in_language(answer: T) -> T:
    """Return an answer with its messages in the language of the window."""
    return _worded(answer)  # type: ignore[no-any-return]


def error_in_language(wrong: Wrong) -> Wrong:
    """Translate an error's message and next step in place, and return the error."""
    wrong.says, wrong.next = worded(wrong.says), worded(wrong.next)
    wrong.details = _worded(unpacked(wrong.details))
    return wrong


def subject_of(title: str) -> str:
    """Return the title of a change that was undone or redone from the title of its undo; any other unchanged."""
    if isinstance(title, Message) and title.id in (UNDO, REDO):
        return str(_part(title.parts["subject"]))
    return title.removeprefix(UNDO.format(subject="")).removeprefix(REDO.format(subject=""))


def _part(part: object) -> object:
    """Return a part in the language of the window: a message, or a word that the engine has a translation for."""
    match part:
        case Message(id=str(id)) if id:
            return worded(part)
        case list() | tuple():
            return tr(", ").join(str(_part(each)) for each in part)
        case str():
            return word(part)
    return part


def _worded(value: Any) -> Any:
    match value:
        case Message():
            return worded(value)
        case tuple():
            return tuple(map(_worded, value)) if value and _has_messages(value[0].__class__) else value
        case dict():
            return {name: _worded(each) for name, each in unpacked(value).items()}
        case list():
            return list(map(_worded, value))
    names = _fields_with_messages(value.__class__)
    return (
        dataclasses.replace(value, **{name: _worded(getattr(value, name)) for name in names})
        if names
        else value
    )


@lru_cache(maxsize=4096)
def _quoted(template: str) -> frozenset[str]:
    """Return the names of the parts within quotation marks, words of a person or an agent, which are not translated."""
    return frozenset(QUOTED.findall(template))


@cache
def _has_messages(kind: Hashable) -> bool:
    """Return True if a value of this type is, or contains, a message."""
    return kind in (Message, dict) or bool(_fields_with_messages(kind))


@cache
def _fields_with_messages(kind: Hashable) -> tuple[str, ...]:
    """Return the fields of a record type that are or contain messages, directly, in tuples or in JSON."""
    if not isinstance(kind, type) or not dataclasses.is_dataclass(kind):
        return ()
    hints = get_type_hints(kind)
    return tuple(
        each.name for each in dataclasses.fields(kind) if any(map(_has_messages, _kinds(hints[each.name])))
    )


def _kinds(hint: Any) -> tuple[type, ...]:
    """Return the classes named in a type hint: `tuple[EventRow, ...] | None` gives EventRow; `dict[str, Any]` dict."""
    if getattr(hint, "__origin__", None) is dict:
        return (dict,) if Any in get_args(hint) or object in get_args(hint) else _kinds(get_args(hint)[1])
    if inner := get_args(hint):
        return tuple(kind for each in inner for kind in _kinds(each))
    return (hint,) if isinstance(hint, type) else ()
