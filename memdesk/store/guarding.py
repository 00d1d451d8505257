"""Guard of all stored text: a function that replaces secrets by placeholders before anything is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from memdesk.model.change import Change, Edit
from memdesk.model.message import Message, remade, verbatim

Guard = Callable[[str, str, str], str]
"""Function of (text, id of the record it is for, author) that returns the text to store."""
_NAMES = ("id", "user_id", "channel", "status", "type", "category", "temporal", "digest")


def unguarded(text: str, record: str, author: str) -> str:
    """Return the text as it is: the guard of a store without an engine."""
    return text


def guarded_change(guard: Guard, change: Change) -> Change:
    """Return a change whose new texts are as they may be stored."""
    if guard is unguarded:
        return change
    edits = tuple(_guarded_edit(guard, edit, change.author) for edit in change.edits)
    title = guarded_message(guard, change.title, author=change.author)
    details = guarded_json(guard, change.details, "", change.author)
    return replace(change, edits=edits, title=title, details=details)


def guarded_message(guard: Guard, sentence: Message, record: str = "", author: str = "") -> Message:
    """Return a message whose parts are as they may be stored; as one text if that alone shows a secret."""
    sentence = verbatim(sentence)
    if sentence.id:
        parts = {name: guarded_json(guard, part, record, author) for name, part in sentence.parts.items()}
        sentence = sentence if parts == sentence.parts else remade(sentence, parts)
    said = guard(sentence, record, author)
    return sentence if said == sentence else verbatim(said)


def guarded_text(guard: Guard, text: str, record: str = "", author: str = "") -> str:
    """Return a text as it may be stored; the strings of a JSON text are guarded one by one."""
    if text[:1] in ("{", "["):
        try:
            value = json.loads(text)
        except ValueError:
            return guard(text, record, author)
        guarded = guarded_json(guard, value, record, author)
        return text if guarded == value else json.dumps(guarded, ensure_ascii=False)
    return guard(text, record, author)


def guarded_json(guard: Guard, value: Any, record: str, author: str) -> Any:
    """Return a JSON value with its strings guarded; the name of an object's entry says what its string is."""
    match value:
        case Message():
            return guarded_message(guard, value, record, author)
        case str():
            return guard(value, record, author)
        case list() | tuple():
            return [guarded_json(guard, each, record, author) for each in value]
        case dict():
            return {name: _named(guard, name, each, record, author) for name, each in value.items()}
    return value


def _named(guard: Guard, name: str, value: Any, record: str, author: str) -> Any:
    if not isinstance(value, str) or isinstance(value, Message):
        return guarded_json(guard, value, record, author)
    guarded, prefix = guard(f'{name}: "{value}"', record, author), f'{name}: "'
    if guarded.startswith(prefix) and guarded.endswith('"'):
        return guard(guarded[len(prefix) : -1], record, author)
    return guard(value, record, author)


def _guarded_edit(guard: Guard, edit: Edit, author: str) -> Edit:
    if edit.after is None:
        return edit
    guarded = {
        name: guarded_text(guard, value, edit.id, author)
        for name, value in edit.after.items()
        if isinstance(value, str) and name not in _NAMES and not name.endswith(("_id", "_hash"))
    }
    if all(edit.after[name] == value for name, value in guarded.items()):
        return edit
    return Edit(edit.kind, edit.id, edit.before, edit.after | guarded)
