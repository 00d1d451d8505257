"""Learnings of agents as entries: errors of tools, corrections of statements and other lessons, read from their files
and changed there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from memdesk.engine.engine import Engine
from memdesk.engine.workspace import writing
from memdesk.engine.workspace.disk import document_and_workspace, one_writer
from memdesk.engine.workspace.session_notes import CORRECTIONS, ERRORS
from memdesk.files.reading import plain
from memdesk.model.document import Document
from memdesk.model.errors import BadAsk, Conflict, NotFound, Refused
from memdesk.model.message import message
from memdesk.model.workspace import Saved
from memdesk.model.workspace_files import ChangeLearning, Learning, LearningList, ListLearnings
from memdesk.store import document_versions

LAYER = "learnings"
KINDS = {ERRORS: "error", CORRECTIONS: "correction"}
ENTRY_CHARACTERS = 4_000
SHOWN_AT_MOST = 1_000
_DATED = re.compile(r"- \[(\d{4}-\d{2}-\d{2} \d{2}:\d{2})\] (.*)", re.DOTALL)
_FORMS = {
    "error": re.compile(r"\*\*(.*?)\*\*: (.*?)(?:\n  Context: (.*))?", re.DOTALL),
    "correction": re.compile(r"Original: (.*?)\n  Correction: (.*?)()", re.DOTALL),
}
"""OpenLegion's entries after their date: subject, text, context."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Entry in a file: its first line, counted from 0, and its text."""

    first: int
    text: str

    @property
    def after(self) -> int:
        """Number of the line after it."""
        return self.first + len(self.text.split("\n"))


def list_learnings(engine: Engine, ask: ListLearnings) -> LearningList:
    """Return the entries of every file of learnings, the newest of each file first."""
    with engine.store.reading() as db:
        found = document_versions.documents_of(db, ask.agents)
    rows: list[Learning] = []
    for document, workspace in found:
        if document.layer != LAYER or len(rows) >= SHOWN_AT_MOST:
            continue
        try:
            text = writing.current(engine, document, workspace).text
        except (NotFound, Refused):
            continue
        rows += [_learning(document, workspace.name, block) for block in reversed(list(_blocks(text)))]
    return LearningList(rows=tuple(rows[:SHOWN_AT_MOST]), total=len(rows))


def change_learning(engine: Engine, ask: ChangeLearning, *, author: str) -> Saved:
    """Replace an entry in its file, or remove it.

    Raises BadAsk for a file of other things or an entry that is too long, Conflict if the entry is not there as it was
    seen, NotFound, StorageFailed."""
    text = plain(ask.text).strip("\n")
    if len(text) > ENTRY_CHARACTERS:
        raise BadAsk(
            message(
                "An entry of {count} characters; {most} at most.",
                count=f"{len(text):,}",
                most=f"{ENTRY_CHARACTERS:,}",
            )
        )
    with one_writer:
        document, workspace = document_and_workspace(engine, ask.document_id)
        if document.layer != LAYER:
            raise BadAsk(message("{path} holds no learnings.", path=document.path))
        whole = writing.current(engine, document, workspace).text
        block = next((each for each in _blocks(whole) if each.text == ask.was), None)
        if block is None:
            raise Conflict(
                message("The entry is not there any more."), next=message("Look at the learnings again.")
            )
        lines = plain(whole).split("\n")
        lines[block.first : block.after] = text.split("\n") if text else []
        title = (
            message("Changed a learning in {path}", path=document.path)
            if text
            else message("Removed a learning from {path}", path=document.path)
        )
        return writing.replace(
            engine,
            document.id,
            "\n".join(lines),
            base_hash=document_versions.hash_of(whole),
            author=author,
            title=title,
        )


def _blocks(text: str) -> Iterator[_Block]:
    """Yield the entries of a file: a line that is no heading, with the indented lines below it."""
    lines, first = plain(text).split("\n"), -1
    for number, line in enumerate([*lines, ""]):
        if first >= 0 and not line.startswith((" ", "\t")):
            yield _Block(first, "\n".join(lines[first:number]))
            first = -1
        if first < 0 and line.strip() and not line.startswith(("#", " ", "\t", "---", "<!--")):
            first = number


def _learning(document: Document, workspace: str, block: _Block) -> Learning:
    dated = _DATED.fullmatch(block.text)
    said = dated[2] if dated else block.text.removeprefix("- ")
    kind = KINDS.get(document.path, "learning")
    parts = _FORMS[kind].fullmatch(said) if kind in _FORMS else None
    subject, text, context = parts.groups(default="") if parts else ("", said, "")
    return Learning(
        id=f"{document.id}:{block.first + 1}",
        kind=kind,
        subject=subject,
        text=text,
        context=context,
        at=datetime.strptime(dated[1], "%Y-%m-%d %H:%M").replace(tzinfo=UTC) if dated else None,
        agent_id=document.agent_id,
        workspace=workspace,
        document_id=document.id,
        path=document.path,
        line=block.first + 1,
        entry=block.text,
    )
