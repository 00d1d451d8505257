"""Translate the engine's sentences into the language of the window.

The engine uses English only, in answers and in the records it has written. The window finds the template
of such a sentence among those that `packaging/sentences.py` collected from the engine's code, and uses
the translation of that template; text that a person or an agent wrote is inserted unchanged. A sentence
without a template stays English."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, TypeVar, get_args, get_type_hints

from memdesk.files.places import resource
from memdesk.gui.language import current_language, tr
from memdesk.model.backup import Examination, Finding, Repaired, RestoreOutcome, Restoring
from memdesk.model.browse import Opposed
from memdesk.model.context import Compacted, CompactionRow, Meter, PolicyInfo
from memdesk.model.curation import Touch
from memdesk.model.errors import MemDeskError
from memdesk.model.exports import ExportFormat
from memdesk.model.history import AuditRow, Break, EventDetail, EventRow
from memdesk.model.job import JobRun, Planned
from memdesk.model.procedures import FoundStrategies
from memdesk.model.prompt import ToldContext
from memdesk.model.proposal import StandingRow
from memdesk.model.recall import Bundle, Cut, Explanation, Stage, Technique
from memdesk.model.review import DecisionPreview, DuplicatePair, Question
from memdesk.model.status import JobState, ModelState, StandingNotice, Status
from memdesk.model.workspace import ImportItem, ImportPreview, RecognisedPlace, Skipped, WorkspaceRow
from memdesk.model.workspace_files import Folder, FolderFile, SessionKept

LONGEST = 2000
"""Longest text that is matched, in characters; no sentence of the engine is longer."""
MAX_DEPTH = 3
"""Maximum nesting of sentences within sentences."""
PART = re.compile(r"\{(\w+)\}")
SHAPES = {"count": r"[-+]?\d[\d,.:]*%?", "path": r"/.+?|\S+|.+?\.[a-z]{1,5}", "tool_name": r"\S+"}
ANYTHING = r"(?:(?![.!?] ).)+?"
"""Pattern of a part that stays within one sentence."""
SENTENCE_PARTS = re.compile(r"says|note|reason|why|failed|spent|wrong|error")
"""Names of parts that are sentences themselves."""
SENTENCE_BREAK = re.compile(r"(?<=[.!?”]) (?=[A-Z“_`])")


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence with named parts. longest: its longest fixed text; a text without it cannot match."""

    text: str
    longest: str
    shape: re.Pattern[str]
    quoted: frozenset[str]


def translate(text: str) -> str:
    """Return a text of the engine in the language of the window; unchanged in English."""
    if current_language() == "en" or not text or len(text) > LONGEST:
        return text
    return _translate(text, current_language(), 0) or text


@lru_cache(maxsize=4096)
def _translate(text: str, language: str, depth: int) -> str | None:
    """Return a text in this language, None if no template matches it."""
    exact, templates = _known()
    if text in exact:
        return tr(text)
    if pieces := _in_sentences(text, language, depth):
        return pieces
    for template in templates:
        found = template.longest in text and template.shape.fullmatch(text)
        if found:
            parts = {
                name: _part(part, name in template.quoted, language, depth)
                for name, part in found.groupdict().items()
            }
            return tr(template.text, **parts)
    return _in_halves(text, language, depth)


def _part(part: str, quoted: bool, language: str, depth: int) -> str:
    """Translate one part of a sentence, unless it is quoted: quoted text was written by a person or agent."""
    if quoted or depth >= MAX_DEPTH:
        return part
    whole = _translate(part, language, depth + 1)
    if whole is None and ", " in part:
        each = part.split(", ")
        known = [_translate(one, language, depth + 1) for one in each]
        return tr(", ").join(new or old for new, old in zip(known, each, strict=True)) if any(known) else part
    return whole or part


def _in_sentences(text: str, language: str, depth: int) -> str | None:
    """Translate several consecutive sentences; None unless each of them is known."""
    pieces = SENTENCE_BREAK.split(text)
    if len(pieces) == 1 or depth >= MAX_DEPTH:
        return None
    known = [_translate(each, language, depth + 1) for each in pieces]
    return "".join(each for each in known if each) if all(known) else None


def _in_halves(text: str, language: str, depth: int) -> str | None:
    """Translate a reason that was made a sentence by a capital and a full stop, or a title that ends with the
    name of its subject. None if it is neither."""
    if depth >= MAX_DEPTH:
        return None
    if text.endswith("."):
        reason = text[:1].lower() + text[1:-1]
        known_reason = _translate(reason, language, MAX_DEPTH)
        return None if known_reason is None else known_reason + tr(".")
    head, colon, rest = text.partition(": ")
    known_head = _translate(head, language, MAX_DEPTH) if colon and " " in head else None
    return None if known_head is None else known_head + tr(": ") + rest


@lru_cache(maxsize=1)
def _known() -> tuple[frozenset[str], tuple[Template, ...]]:
    """Return the engine's sentences: all texts, and templates of those with parts, the longest fixed text
    first."""
    texts = json.loads(resource("sentences.json").read_text(encoding="utf-8"))
    parted = sorted((each for each in texts if PART.search(each)), key=_weight, reverse=True)
    return frozenset(texts), tuple(map(_template, parted))


def _weight(text: str) -> int:
    return len(PART.sub("", text))


def _template(text: str) -> Template:
    shape, quoted, at = "", set(), 0
    for part in PART.finditer(text):
        shape += re.escape(_plain(text[at : part.start()]))
        before = text[at : part.start()][-1:] or ("}" if at else "")
        kind = next((shape for name, shape in SHAPES.items() if part[1].startswith(name)), None)
        if kind is None:
            kind = ".+?" if SENTENCE_PARTS.match(part[1]) or before == "“" else ANYTHING
            if before and before not in " “(`/":
                kind = f"(?:{kind})?"
        shape += f"(?P<{part[1]}>{kind})"
        if before == "“":
            quoted.add(part[1])
        at = part.end()
    shape += re.escape(_plain(text[at:]))
    longest = max(map(_plain, PART.split(text)[::2]), key=len)
    return Template(text=text, longest=longest, shape=re.compile(shape, re.DOTALL), quoted=frozenset(quoted))


def _plain(text: str) -> str:
    """Return template text with doubled braces made single."""
    return text.replace("{{", "{").replace("}}", "}")


T = TypeVar("T")
Wrong = TypeVar("Wrong", bound=MemDeskError)

SENTENCE_FIELDS: dict[type, tuple[str, ...]] = {
    AuditRow: ("title", "error_message"),
    Break: ("says",),
    Bundle: ("notices",),
    Compacted: ("notices",),
    CompactionRow: ("note",),
    Cut: ("because",),
    DecisionPreview: ("why_not",),
    DuplicatePair: ("reason",),
    EventDetail: ("if_undone", "details"),
    EventRow: ("title",),
    Explanation: ("says",),
    Examination: ("plan",),
    ExportFormat: ("says", "leaves"),
    Finding: ("says", "next"),
    Folder: ("why",),
    FolderFile: ("why",),
    FoundStrategies: ("notices",),
    ImportItem: ("what",),
    ImportPreview: ("says",),
    JobRun: ("says",),
    JobState: ("says", "result"),
    Meter: ("because",),
    ModelState: ("says",),
    Opposed: ("reason",),
    Planned: ("title",),
    PolicyInfo: ("says",),
    Question: ("reason",),
    RecognisedPlace: ("why",),
    Repaired: ("says",),
    RestoreOutcome: ("says",),
    Restoring: ("says",),
    SessionKept: ("says",),
    Skipped: ("name", "why"),
    Stage: ("says",),
    StandingRow: ("says",),
    Status: ("notices",),
    StandingNotice: ("says",),
    Technique: ("note",),
    ToldContext: ("notices",),
    Touch: ("why_not",),
    WorkspaceRow: ("why",),
}
"""Fields that contain the engine's sentences, by record type. All other text is user text, a name or a word
that the window translates elsewhere."""
VIEW_TRANSLATED = {(Status, "last_change")}
"""Fields that in_language skips because a view translates them: the status line builds its own sentence from
a change title that is not a sentence."""
LEFT, REASON = "left", "reason"
"""In the result of a job: why some were left as they were, by id. In the details of a change: why it was made."""


def in_language(answer: T) -> T:
    """Return an answer with its engine sentences in the language of the window."""
    return answer if current_language() == "en" else _translate_answer(answer)


def error_in_language(wrong: Wrong) -> Wrong:
    """Translate an error's message and next step in place, and return the error."""
    wrong.says, wrong.next = translate(wrong.says), translate(wrong.next)
    return wrong


def _translate_answer(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_translate_answer, value)) if value and _has_sentences(value[0].__class__) else value
    if not _has_sentences(value.__class__):
        return value
    sentences = SENTENCE_FIELDS.get(type(value), ())
    new = {name: _sentence(getattr(value, name)) for name in sentences}
    new |= {
        name: _translate_answer(getattr(value, name))
        for name in _records_in(value.__class__)
        if name not in new
    }
    return dataclasses.replace(value, **new)


def _sentence(value: Any) -> Any:
    match value:
        case str():
            return translate(value)
        case tuple():
            return tuple(map(translate, value))
        case {"left": dict(left)}:
            return {**value, LEFT: {id: translate(why) for id, why in left.items()}}
        case {"reason": str(why)}:
            return {**value, REASON: translate(why)}
    return value


@cache
def _has_sentences(kind: Hashable) -> bool:
    """Return True if a record of this type contains an engine sentence, directly or in a nested record."""
    return kind in SENTENCE_FIELDS or bool(_records_in(kind))


@cache
def _records_in(kind: Hashable) -> tuple[str, ...]:
    """Return the fields of a record type that contain records with sentences, alone or in tuples."""
    if not isinstance(kind, type) or not dataclasses.is_dataclass(kind):
        return ()
    hints = get_type_hints(kind)
    return tuple(
        each.name
        for each in dataclasses.fields(kind)
        if (kind, each.name) not in VIEW_TRANSLATED and any(map(_has_sentences, _kinds(hints[each.name])))
    )


def _kinds(hint: Any) -> tuple[type, ...]:
    """Return the classes named in a type hint: `tuple[EventRow, ...] | None` gives EventRow."""
    if inner := get_args(hint):
        return tuple(kind for each in inner for kind in _kinds(each))
    return (hint,) if isinstance(hint, type) else ()
