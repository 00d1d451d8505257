"""Names for working memory: sorts of keys, places and sizes."""

from __future__ import annotations

from memdesk.gui.language import marked, tr
from memdesk.model.scratchpad import FACTS, HINTS, PENDING, RESULTS
from memdesk.model.working import HeldKey, HeldPlace

SORTS = {
    "turns": (marked("Turns"), "conversations"),
    "thoughts": (marked("Thoughts"), "info"),
    "goal": (marked("Active goal"), "goals"),
    "value": (marked("Context value"), "facts"),
    "note": (marked("Note"), "file"),
}
"""Label and icon of each sort of key."""
RESERVED = {
    FACTS: marked("lines that were learned in this session, each once"),
    PENDING: marked("reports of sub-agents that nobody has read yet"),
    HINTS[0]: marked("where the tools of the session work"),
    HINTS[1]: marked("where the tools of the session work"),
}
KILO = 1000
EDITABLE = ("value", "note")


def sort(row: HeldKey) -> str:
    """Return the label of a key's sort."""
    return tr(SORTS[row.sort][0]) if row.sort in SORTS else row.sort


def icon(row: HeldKey) -> str:
    """Return the icon of a key."""
    return "lock" if row.reserved else SORTS.get(row.sort, ("", "facts"))[1]


def name(row: HeldKey) -> str:
    """Return the name of a value or note, otherwise the label of its sort."""
    return row.name or sort(row)


def meaning(row: HeldKey) -> str:
    """Return the meaning of a reserved key for the runtime; empty for any other key."""
    if not row.reserved:
        return ""
    if row.name.startswith(RESULTS):
        return tr("Reserved: what a sub-agent or a delegate found.")
    return tr("Reserved: {meaning}.", meaning=tr(RESERVED[row.name]))


def holds(row: HeldKey) -> str:
    """Return the beginning of a key's content; for turns and thoughts also their number."""
    if row.items is None:
        return row.begins
    many = tr("%Ln turn(s)", "", row.items) if row.sort == "turns" else tr("%Ln thought(s)", "", row.items)
    return tr("{many}, the latest: {begins}", many=many, begins=row.begins) if row.begins else many


def size(number: int) -> str:
    """Return a size in bytes in words: “412 B”, “4.2 kB”, “64 MB”."""
    if number < KILO:
        return f"{number:,} B"
    if number < KILO * KILO:
        return f"{number / KILO:,.1f} kB"
    return f"{number / KILO / KILO:,.1f}".removesuffix(".0") + " MB"


def place(held: HeldPlace) -> str:
    """Return the name of a place: the title of its conversation or session, or an id."""
    title = " ".join(held.title.split())
    if held.session_id is not None:
        return title or tr("Session {id}", id=held.session_id)
    if held.conversation_id is not None:
        return title or tr("Conversation {id}", id=held.conversation_id)
    return tr("No conversation")


def place_id(held: HeldPlace) -> str:
    """Return the id of a place for comparison."""
    return "\n".join((held.user_id, held.channel, held.conversation_id or "", held.session_id or ""))
