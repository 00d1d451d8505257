"""Translate the engine's sentences in service answers, and list the fields that contain them."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from functools import cache
from typing import Any, TypeVar, get_args, get_type_hints

from memdesk.gui.language import spoken
from memdesk.gui.sentences import said
from memdesk.model.audit import AuditRow, Break
from memdesk.model.backup import RestoreOutcome, Restoring
from memdesk.model.browse import Opposed
from memdesk.model.bulk import Touch
from memdesk.model.context import Compacted, CompactionRow, Meter, PolicyInfo
from memdesk.model.doctor import Examination, Finding, Repaired
from memdesk.model.errors import MemDeskError
from memdesk.model.exports import ExportFormat
from memdesk.model.folders import Folder, FolderFile
from memdesk.model.history import EventDetail, EventRow
from memdesk.model.job import JobRun, Planned
from memdesk.model.models import ModelState
from memdesk.model.procedures import FoundStrategies
from memdesk.model.prompt import ToldContext
from memdesk.model.recall import Bundle, Cut, Explanation, Stage, Technique
from memdesk.model.review import DecisionPreview, DuplicatePair, Question
from memdesk.model.session_facts import SessionKept
from memdesk.model.standing import StandingRow
from memdesk.model.status import JobState, StandingNotice, Status
from memdesk.model.workspace import ImportItem, ImportPreview, RecognisedPlace, Skipped, WorkspaceRow

T = TypeVar("T")
Wrong = TypeVar("Wrong", bound=MemDeskError)

SAID: dict[type, tuple[str, ...]] = {
    AuditRow: ("title", "error_message"), Break: ("says",), Bundle: ("notices",), Compacted: ("notices",),
    CompactionRow: ("note",), Cut: ("because",), DecisionPreview: ("why_not",), DuplicatePair: ("reason",),
    EventDetail: ("if_undone", "details"), EventRow: ("title",), Explanation: ("says",),
    Examination: ("plan",), ExportFormat: ("says", "leaves"), Finding: ("says", "next"), Folder: ("why",),
    FolderFile: ("why",), FoundStrategies: ("notices",),
    ImportItem: ("what",), ImportPreview: ("says",), JobRun: ("says",), JobState: ("says", "result"),
    Meter: ("because",), ModelState: ("says",), Opposed: ("reason",), Planned: ("title",), PolicyInfo: ("says",),
    Question: ("reason",), RecognisedPlace: ("why",), Repaired: ("says",),
    RestoreOutcome: ("says",), Restoring: ("says",), SessionKept: ("says",), Skipped: ("name", "why"),
    Stage: ("says",), StandingRow: ("says",), Status: ("notices",), StandingNotice: ("says",),
    Technique: ("note",), ToldContext: ("notices",),
    Touch: ("why_not",), WorkspaceRow: ("why",),
}  # fmt: skip
"""Fields that contain the engine's sentences, by record type. All other text is user text, a name or a word
that the window translates elsewhere."""
JUDGED = {(Status, "last_change")}
"""Fields that in_language skips because a view translates them: the status line builds its own sentence from
a change title that is not a sentence."""
LEFT, REASON = "left", "reason"
"""In the result of a job: why some were left as they were, by id. In the details of a change: why it was made."""


def in_language(answer: T) -> T:
    """Return an answer with its engine sentences in the language of the window."""
    return answer if spoken() == "en" else _told(answer)


def error_in_language(wrong: Wrong) -> Wrong:
    """Translate an error's message and next step in place, and return the error."""
    wrong.says, wrong.next = said(wrong.says), said(wrong.next)
    return wrong


def _told(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_told, value)) if value and _speaks(value[0].__class__) else value
    if not _speaks(value.__class__):
        return value
    sentences = SAID.get(type(value), ())
    new = {name: _sentence(getattr(value, name)) for name in sentences}
    new |= {name: _told(getattr(value, name)) for name in _records_in(value.__class__) if name not in new}
    return dataclasses.replace(value, **new)


def _sentence(value: Any) -> Any:
    match value:
        case str():
            return said(value)
        case tuple():
            return tuple(map(said, value))
        case {"left": dict(left)}:
            return {**value, LEFT: {id: said(why) for id, why in left.items()}}
        case {"reason": str(why)}:
            return {**value, REASON: said(why)}
    return value


@cache
def _speaks(kind: Hashable) -> bool:
    """Return True if a record of this type contains an engine sentence, directly or in a nested record."""
    return kind in SAID or bool(_records_in(kind))


@cache
def _records_in(kind: Hashable) -> tuple[str, ...]:
    """Return the fields of a record type that contain records with sentences, alone or in tuples."""
    if not isinstance(kind, type) or not dataclasses.is_dataclass(kind):
        return ()
    hints = get_type_hints(kind)
    return tuple(
        each.name
        for each in dataclasses.fields(kind)
        if (kind, each.name) not in JUDGED and any(map(_speaks, _kinds(hints[each.name])))
    )


def _kinds(hint: Any) -> tuple[type, ...]:
    """Return the classes named in a type hint: `tuple[EventRow, ...] | None` gives EventRow."""
    if inner := get_args(hint):
        return tuple(kind for each in inner for kind in _kinds(each))
    return (hint,) if isinstance(hint, type) else ()
