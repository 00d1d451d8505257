"""What a person has just done, in a sentence, with the change that can be taken back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from memdesk.contract import curation
from memdesk.gui.language import marked, tr
from memdesk.gui.sentences import said

Turn = Callable[[], Awaitable[int | None]]
"""Does something and returns its audit entry: 0 for what leaves none, None where nothing was to be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One act: its sentence, its audit entry, its operation, and when. run: it is taken back with its whole run.

    turn: where no change of memory can be mirrored, as when a setting was changed: what did it, and what takes it back.
    """

    sentence: str
    change: int
    op: str
    at: datetime
    run: bool = False
    turn: tuple[Turn, Turn] | None = None


def stayed(left: Mapping[str, str]) -> str:
    """Why something of a run stays that was taken back, to stand behind its sentence: the first by name."""
    if not left:
        return ""
    first, *others = left.values()
    return f". {first}" + (" " + tr("%Ln more stay(s) too.", "", len(others)) if others else "")


SENTENCES: dict[str, tuple[str, str]] = {
    curation.PROMOTE.name: ("promote", marked("Promoted a fact {title}")),
    curation.EDIT_FACT.name: ("update", marked("Edited “{title}”")),
    curation.RETIRE.name: ("retire", marked("Retired “{title}”")),
    curation.PIN.name: ("update", "{title}"),
    curation.RESCUE.name: ("update", "{title}"),
    curation.UNDO.name: ("undo", marked("Undone: “{title}”")),
    curation.REDO.name: ("redo", marked("Done again: “{title}”")),
}
"""Operation and words of each call, unless the caller says it better. `title` is the answer's."""
_WITHIN = str.maketrans("“”", "‘’")
CLAIMED = (curation.PROMOTE.name, curation.EDIT_FACT.name, curation.RETIRE.name)
"""Calls whose answers are titled by what somebody wrote, and not by the engine."""


def deed_of(call: str, answer: Any, says: str = "") -> Deed:
    """The deed behind an answered call. The answer carries `change`; the answers of files have no title."""
    op, pattern = SENTENCES.get(call, ("update", marked("Changed “{title}”")))
    title = getattr(answer, "title", "").removeprefix("Undo: ").removeprefix("Redo: ")
    title = title if call in CLAIMED else said(title)
    return Deed(sentence=says or told(pattern, title), change=answer.change, op=op, at=datetime.now(UTC))


def told(pattern: str, title: str) -> str:
    """A sentence about what was changed. pattern: the words of ours with “{title}”.

    A title that begins with a quotation says itself what became of it; within another the quotes are single ones."""
    if title.startswith("“"):
        return tr(pattern, title=title).replace(f"“{title}”", title)
    return tr(pattern, title=title.translate(_WITHIN))


def named(text: str) -> str:
    """How a sentence names a text: on one line, at most 60 characters of it."""
    flat = " ".join(text.split())
    return flat if len(flat) <= 60 else flat[:59].rstrip() + "…"
