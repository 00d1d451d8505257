"""A person's latest action as a sentence, with the change that can be undone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from memdesk.api import curation
from memdesk.gui.language import marked, tr
from memdesk.gui.terms import subject_of

ActionStep = Callable[[], Awaitable[int | None]]
"""Function that performs an action and returns its audit entry: 0 if it leaves none, None if there was
nothing to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DoneAction:
    """An action of the person: its sentence, its change in the audit log, its operation and its time.

    run: undo it together with its run. turn: for an action that is not a change of memory, such as a changed
    setting: the functions that do and undo it."""

    sentence: str
    change: int
    op: str
    at: datetime
    run: bool = False
    turn: tuple[ActionStep, ActionStep] | None = None


def left_note(left: Mapping[str, str]) -> str:
    """Return words to append to the sentence of an undone run if some changes were left as they were: the
    reason for the first, and the number of the others. Empty if nothing was left."""
    if not left:
        return ""
    first, *others = left.values()
    return f". {first}" + (" " + tr("%Ln more (stays|stay) too.", "", len(others)) if others else "")


SENTENCES: dict[str, tuple[str, str]] = {
    curation.PROMOTE.name: ("promote", marked("Promoted a fact {title}")),
    curation.EDIT_FACT.name: ("update", marked("Edited “{title}”")),
    curation.RETIRE.name: ("retire", marked("Retired “{title}”")),
    curation.UNDO.name: ("undo", marked("Undone: “{title}”")),
    curation.REDO.name: ("redo", marked("Done again: “{title}”")),
}
"""Operation and sentence pattern of each call, used unless the caller gives a sentence. `title` is the
answer's title."""
_WITHIN = str.maketrans("“”", "‘’")


def done_action(call: str, answer: Any, says: str = "") -> DoneAction:
    """Return the action for an answered call, with the files in which it changed a line. The answer has a `change`;
    answers about files have no title.

    says: the sentence to show instead of the default one."""
    op, pattern = SENTENCES.get(call, ("update", marked("Changed “{title}”")))
    says = says or change_sentence(pattern, subject_of(getattr(answer, "title", "")))
    if files := getattr(answer, "files", ()):
        says = tr("{says}, also in {files}", says=says, files=", ".join(files))
    return DoneAction(sentence=says, change=answer.change, op=op, at=datetime.now(UTC))


def change_sentence(pattern: str, title: str) -> str:
    """Return a sentence about a changed record. pattern: our words, with “{title}”.

    A title that begins with a quotation is already a sentence and replaces the quoted title; in other titles,
    quotation marks become single ones."""
    if title.startswith("“"):
        return tr(pattern, title=title).replace(f"“{title}”", title)
    return tr(pattern, title=title.translate(_WITHIN))
