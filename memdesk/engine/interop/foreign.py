"""Files that no importer reads. Each is refused with a sentence that names its format."""

from __future__ import annotations

from memdesk.engine.interop.archive_format import ARCHIVE_IN
from memdesk.engine.interop.databases import tables_of
from memdesk.engine.interop.reading import NOT_JSON, PDF, SQLITE, ZIP, Peek
from memdesk.files.reading import read_bytes
from memdesk.model.errors import Refused
from memdesk.model.message import message

WHAT_COMES_IN = message("Import a folder of markdown, or a file of a format that the documentation lists.")
_HEADS = ((SQLITE, message("an SQLite database")), (ZIP, message("a ZIP archive")), (PDF, message("a PDF")))
FOREIGN_SUFFIXES = (".af", ".zip", ".pdf", ".db", ".sqlite", ".sqlite3")
"""Suffixes of files that are inspected in a folder, so that the refusal can name their format."""


def refusal(peek: Peek) -> Refused:
    """Return the reason why this file cannot be imported, naming it and, if recognised, its format."""
    head, _ = read_bytes(peek.path, peek.name, limit_bytes=peek.limit_bytes)
    binary = next((says for mark, says in _HEADS if head.startswith(mark)), None)
    if binary is None and not head.strip():
        return Refused(message("{note} is empty.", note=peek.name))
    if ARCHIVE_IN.sniff(peek):
        return Refused(
            message("{peek} is a MemDesk archive.", peek=peek.name),
            next=message("Import it by itself; it comes back as it was."),
        )
    if {"chunks", "files"} <= tables_of(peek).keys():
        return Refused(
            message("{peek} is a search index over files.", peek=peek.name),
            next=message("Import the files; the desk indexes them itself."),
        )
    if binary is not None:
        return Refused(
            message(
                "{peek} is {binary} of a kind that MemDesk does not read.", peek=peek.name, binary=binary
            ),
            next=message("Import the markdown folder or the transcripts it was made from."),
        )
    if "source_bank_id" in peek.first or {"original_text", "facts"} <= peek.first.keys():
        return Refused(
            message("{peek} is part of a Hindsight archive.", peek=peek.name),
            next=message("Import the ZIP it comes from, as a whole."),
        )
    if peek.suffix == ".af":
        return Refused(
            message("{peek} is no Letta agent file, or is torn.", peek=peek.name),
            next=message("Export the agent again."),
        )
    return Refused(
        message("{peek} is JSON without turns.", peek=peek.name)
        if peek.json is not NOT_JSON or peek.lines[0]
        else message("{peek} is neither markdown nor a transcript.", peek=peek.name),
        next=WHAT_COMES_IN,
    )
