"""Formats that are known by sight and not taken in. Each is refused with a sentence that names it."""

from __future__ import annotations

from collections.abc import Callable

from memdesk.engine.interop.parsing import NOT_JSON
from memdesk.engine.interop.peek import Peek
from memdesk.files.reading import read_bytes
from memdesk.model.errors import Refused

WHAT_COMES_IN = (
    "Import a folder of markdown, a transcript (.jsonl, .json), or an export that `memdesk import` names."
)
_HEADS = ((b"SQLite format 3\0", "an SQLite database"), (b"PK\x03\x04", "a ZIP archive"), (b"%PDF-", "a PDF"))
_HEAD_BYTES = 1024
FOREIGN_SUFFIXES = (".af", ".zip", ".pdf", ".db", ".sqlite", ".sqlite3")
"""Files that are worth a look in a folder, so that they can be named for what they are."""


def _is_mem0(peek: Peek) -> bool:
    rows = peek.json.get("results") if isinstance(peek.json, dict) else None
    return isinstance(rows, list) and all(isinstance(row, dict) and "memory" in row for row in rows)


def _is_mem0_notes(peek: Peek) -> bool:
    front = peek.file.text[:2000].partition("\n---")[0]
    return (
        peek.suffix == ".md"
        and front.startswith("---\n")
        and "\nbranch:" in front
        and "\ncategories:" in front
    )


def _is_letta(peek: Peek) -> bool:
    # One official sample is JSON written twice: a string that holds JSON.
    twice = isinstance(peek.json, str) and '"agents"' in peek.json and '"blocks"' in peek.json
    return peek.suffix == ".af" or twice or {"agents", "blocks"} <= peek.first.keys()


def _is_hindsight(peek: Peek) -> bool:
    return "source_bank_id" in peek.first or {"original_text", "facts"} <= peek.first.keys()


FOREIGN: tuple[tuple[str, Callable[[Peek], bool]], ...] = (
    ("a mem0 export", _is_mem0),
    ("a mem0 export", _is_mem0_notes),
    ("a Letta agent file", _is_letta),
    ("part of a Hindsight archive", _is_hindsight),
)


def is_known(peek: Peek) -> bool:
    """Whether this file is of a format that is known and not taken in."""
    return any(recognises(peek) for _, recognises in FOREIGN)


def refusal(peek: Peek) -> Refused:
    """Why this file cannot be brought in, naming it and, where it is known by sight, its format."""
    head, _ = read_bytes(peek.path, peek.name, limit_bytes=peek.limit_bytes)
    binary = next((says for mark, says in _HEADS if head[:_HEAD_BYTES].startswith(mark)), None)
    if binary is None and not head.strip():
        return Refused(f"{peek.name} is empty.")
    says = binary or next((says for says, recognises in FOREIGN if recognises(peek)), None)
    if says is not None:
        return Refused(
            f"{peek.name} is {says}, which MemDesk does not read yet.",
            next="Import the markdown folder or the transcripts it was made from.",
        )
    what = (
        "JSON without turns"
        if peek.json is not NOT_JSON or peek.lines[0]
        else "neither markdown nor a transcript"
    )
    return Refused(
        f"{peek.name} is {what}.",
        next=WHAT_COMES_IN,
    )
