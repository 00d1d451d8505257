"""Fields of records for display: which are shown, their names, and the format of their values."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtGui import QColor

from memdesk.gui import formatting, icons, look
from memdesk.gui.language import marked, marked_words, tr
from memdesk.gui.look import c
from memdesk.gui.terms import LAYERS, ORIGINS, SOURCES, capitalised, term
from memdesk.model.history import FieldMove
from memdesk.model.instant import to_datetime

PICTURES = {"store": ("conversations", "t3"), "import": ("file", "t2"), "redo": ("redo", "t2")}
"""Icons of operations that the icons module does not list."""
QUIET = {"store": 0.45, "update": 0.7}
"""Share of the operation's colour in a bar, where two operations share a colour or a frequent one would hide
the others."""


def picture(op: str) -> tuple[str, str]:
    """Return the icon name and colour token of an operation."""
    return PICTURES.get(op) or icons.operation(op)


def word(op: str) -> str:
    """Return the operation's name for a column."""
    return capitalised(op)


def fill(op: str) -> QColor:
    """Return the colour of an operation's part of a bar."""
    tone = c(picture(op)[1])
    return look.mix(tone, c("stage"), QUIET[op]) if op in QUIET else tone


BOOKKEEPING = frozenset(
    (
        "salience_at",
        "created_at",
        "updated_at",
        "started_at",
        "source_turn_id",
        "source_id",
        "target_id",
        "content_hash",
        "workspace_id",
        "conversation_id",
        "consolidated_index",
        "metadata",
        "details",
        "number",
        "first_commit",
        "mark",
    )
)
"""Internal fields, not shown; the time and the author of a change are shown above it anyway."""
KEPT_FIELDS = ("category", "confidence", "temporal")
"""Fields shown even if a change left them unchanged."""
PROSE = ("claim", "content", "description", "text", "quote", "properties")
"""Fields too long for a cell: their changed words are shown instead."""
DECIMAL = ("confidence", "salience", "trust")
YES_NO = ("pinned",)
DAYS = ("valid_from", "valid_to")
"""Fields that hold the microsecond at which a day begins or ends."""
TERMS = ("category", "temporal", "kind", "role")
"""Fields whose values are domain words."""
WORDS = {"layer": LAYERS, "origin": ORIGINS, "source": SOURCES}
"""Fields whose values have words of their own."""
_ALIKE = marked_words(
    "promoted from, superseded by, claim, confidence, trust, salience, channel, pinned, quote, source, "
    "key, value, valid from, valid to, importance, name, type, description, properties, title, text, "
    "role, speaker, status, priority, progress, tag, path, layer, day, size, deadline, result, "
    "consolidated, archived, conversation, moved to, aspect, decision, details, reason, author, says, "
    "policy, layout, success, model, summary, sentences, kept, lost, note, by, message, messages before, "
    "messages after, tokens before, tokens after, characters before, characters after, agent, scope"
)
NAMES = {name.replace(" ", "_"): name for name in _ALIKE} | {
    "agent_id": marked("agent"),
    "retired_at": marked("retired"),
    "expects": marked("must find"),
    "passes": marked("finds it"),
    "passes_at": marked("asked"),
    "category": marked("kind"),
    "origin": marked("came from"),
    "temporal": marked("time"),
    "aliases": marked("other names"),
    "content": marked("text"),
    "parent_id": marked("part of"),
    "size_bytes": marked("size"),
    "user_id": marked("user"),
    "turn_index": marked("turn"),
    "said_at": marked("said"),
    "at": marked("time"),
    "archived_at": marked("archived"),
    "consolidated_at": marked("consolidated"),
    "patterns_at": marked("patterns learned"),
    "completed_at": marked("ended"),
    "context_pattern": marked("when to use it"),
    "tool_sequence": marked("tools"),
    "decided_at": marked("decided"),
    "later_until": marked("put off until"),
    "subject_id": marked("about"),
    "other_id": marked("other side"),
    "record_id": marked("memory"),
    "entity_id": marked("entity"),
    "source_kind": marked("source"),
    "window_tokens": marked("window"),
    "session_id": marked("session"),
    "turn_id": marked("turn"),
    "strategy_id": marked("strategy"),
    "tool_name": marked("tool"),
    "tool_input": marked("input"),
    "tool_output": marked("output"),
    "task_type": marked("task"),
    "error_message": marked("error"),
    "latency_ms": marked("took"),
    "took_us": marked("took"),
    "token_count": marked("tokens"),
    "first_mentioned_at": marked("first mentioned"),
    "previous_id": marked("the one before"),
    "first_index": marked("first turn"),
    "last_index": marked("last turn"),
    "identity": marked("project"),
    "root": marked("folder"),
}


def name_of(field: str) -> str:
    return tr(NAMES[field]) if field in NAMES else field.replace("_", " ")


def value_of(field: str, value: str | None) -> str | None:
    """Format a value for display; None for None and for an empty text."""
    if not value:
        return None
    if field in DECIMAL:
        return f"{float(value):.2f}"
    if field in YES_NO:
        return tr("no") if value == "0" else tr("yes")
    if field in TERMS:
        return term(value)
    if value in WORDS.get(field, {}):
        return tr(WORDS[field][value])
    if field == "turn_index":
        return str(int(value) + 1)
    if field.endswith("_at"):
        return formatting.minute(datetime.fromisoformat(value))
    if field in DAYS:
        return formatting.day(to_datetime(int(value)))
    return short_id(value) if "_" in value[:3] and len(value) > 20 and value[2:].isalnum() else value


def short_id(id: str) -> str:
    """Shorten an id to “f_…8K3QZA”: only the end of an id distinguishes it from others."""
    prefix, line, rest = id.partition("_")
    return f"{prefix}_…{rest[-6:]}" if line and len(rest) > 10 else id


def prose(moves: Sequence[FieldMove]) -> list[FieldMove]:
    """Return the changes of long texts that existed before and still exist."""
    return [move for move in moves if move.field in PROSE and move.before and move.after and _moved(move)]


def _moved(move: FieldMove) -> bool:
    return move.before != move.after
