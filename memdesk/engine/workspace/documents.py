"""Identity files and notes as a person reads and saves them: authors of lines, templates of missing files,
and facts learned from a line."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from memdesk.engine.engine import Engine
from memdesk.engine.extraction.findings import FoundFact
from memdesk.engine.memory import line_links
from memdesk.engine.memory.draft import CLAIM_CHARACTERS
from memdesk.engine.memory.line_links import Spot, line_numbers_by_words, normalised_words
from memdesk.engine.memory.rows import row_of
from memdesk.engine.wording import shortened, tidied
from memdesk.engine.workspace import files, line_facts, writing
from memdesk.engine.workspace.disk import document_and_workspace, layout_of, one_writer
from memdesk.engine.workspace.fact_updates import draft_for, source_of
from memdesk.engine.workspace.layouts import LAYOUTS, Layout, budget_of, layer_of, layout_named, slug, why_of
from memdesk.engine.workspace.line_facts import LineContent, LineFacts, draft_line_facts
from memdesk.engine.workspace.statements import voice_of
from memdesk.engine.workspace.writing import current
from memdesk.files.merge import lines_of
from memdesk.files.places import resource
from memdesk.files.reading import plain
from memdesk.model.change import OUTSIDE, Change
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.fact import CERTAINTY
from memdesk.model.message import message, verbatim
from memdesk.model.workspace import (
    FileList,
    FileRow,
    FileText,
    FileVersion,
    LearnLine,
    LineLearned,
    ListFiles,
    ReadFile,
    ReadVersion,
    Saved,
    SaveFile,
    Template,
    TemplateList,
    VersionText,
    WorkspaceList,
    WorkspaceRow,
)
from memdesk.store import document_versions, records
from memdesk.store.connection import Connection
from memdesk.store.document_versions import Kept

VERSIONS_AT_MOST = 40
LINES_AT_MOST = 3_000
"""Limit above which versions are not compared, because a person would have to wait; no line then has an author."""


def line_authors(text: str, kept: Sequence[Kept], texts: Mapping[str, str]) -> tuple[str, ...]:
    """Return the author of each line of `text`, the last of these versions; () when there is too much to
    compare.

    kept: versions, oldest first. A version that returns by undo brings its authors back. texts: the versions'
    texts by hash."""
    walked = [each for each in kept if each.content_hash in texts and not each.beside][-VERSIONS_AT_MOST:]
    if not walked or any(texts[each.content_hash].count("\n") > LINES_AT_MOST for each in walked):
        return ()
    seen: dict[str, list[str]] = {}
    lines: list[str] = []
    authors: list[str] = []
    for each in walked:
        after = texts[each.content_hash].splitlines()
        authors = seen.get(each.content_hash) or _carried(lines, after, authors, _author(each))
        seen[each.content_hash] = authors
        lines = after
    return tuple(authors) if lines == text.splitlines() else ()


def moved_lines(before: str, after: str) -> tuple[int, int]:
    """Return (added, removed): the number of new lines and of removed lines, wherever they are in the text."""
    was, now = Counter(before.splitlines()), Counter(after.splitlines())
    return (now - was).total(), (was - now).total()


def _author(each: Kept) -> str:
    """Return the author of a version. An import counts as outside, because importing a file is not writing
    it, unless an agent imported it."""
    return OUTSIDE if each.op == "import" and not each.author.startswith("agent:") else each.author


def _carried(before: list[str], after: list[str], authors: list[str], author: str) -> list[str]:
    """Return the authors of the lines after a version; lines that stayed keep theirs."""
    found = [author] * len(after)
    matcher = difflib.SequenceMatcher(a=before, b=after)
    for start, to, count in matcher.get_matching_blocks():
        found[to : to + count] = authors[start : start + count]
    return found


VERSIONS_SHOWN = 200
COMPARED_CHARACTERS = 4_000_000
"""Limit on the text of all versions together; beyond it, older ones are listed without their line counts."""


def list_workspaces(engine: Engine) -> WorkspaceList:
    """Return every registered folder, and for each if it is still on the disk."""
    with engine.store.reading() as db:
        found = records.find(db, WORKSPACE, retired_at=None)
        held = [workspace.id for _, workspace in document_versions.documents_of(db)]
    rows = (
        row_of(
            WorkspaceRow,
            each,
            files=held.count(each.id),
            present=Path(each.path).is_dir(),
            why=why_of(Path(each.path), each.layout),
            learnings=layout_of(each).learnings,
        )
        for each in found
    )
    return WorkspaceList(rows=tuple(rows), layouts=tuple(dict.fromkeys(each.name for each in LAYOUTS)))


def list_files(engine: Engine, ask: ListFiles) -> FileList:
    """Return every file that is not a day file, and the day file asked for, as last recorded."""
    with engine.store.reading() as db:
        found = document_versions.documents_of(db, ask.agents)
    return FileList(
        rows=tuple(
            _row(document, workspace)
            for document, workspace in found
            if document.day is None or document.id == ask.day_file
        )
    )


def read(engine: Engine, ask: ReadFile) -> FileText:
    """Return a file as it is on the disk now, with its versions. An edit made outside is recorded first.

    Raises NotFound when the file is gone, Refused when it can no longer be read as text."""
    document, workspace = document_and_workspace(engine, ask.document_id)
    file = writing.current(engine, document, workspace)
    with engine.store.reading() as db:
        document = records.need(db, DOCUMENT, document.id)
        kept = document_versions.versions_of(db, document.id, limit=VERSIONS_SHOWN)
        texts = _texts(db, kept)
    return FileText(
        document_id=document.id,
        path=document.path,
        layer=document.layer,
        agent_id=document.agent_id,
        text=file.text,
        content_hash=document_versions.hash_of(file.text),
        budget=budget_of(document.path, workspace.layout),
        versions=_shown(kept, texts),
        authors=line_authors(file.text, kept, texts),
    )


def version(engine: Engine, ask: ReadVersion) -> VersionText:
    """Return the text of one version of a file. Raises NotFound."""
    with engine.store.reading() as db:
        text = document_versions.text_of_file(db, ask.document_id, ask.content_hash)
    return VersionText(content_hash=ask.content_hash, text=text)


def save(engine: Engine, ask: SaveFile, *, author: str) -> Saved:
    """Save a file atomically, with its line ends and encoding; changes made since `base_hash` are merged.

    Raises Conflict with both texts when they clash, Refused when the file's bytes would be lost,
    StorageFailed when it cannot be written; the file is then unchanged."""
    return writing.replace(
        engine, ask.document_id, ask.text, base_hash=ask.base_hash, author=author, merging=ask.merge
    )


def _texts(db: Connection, kept: Sequence[Kept]) -> dict[str, str]:
    """Return the texts of the latest versions by their hashes, as many as may be compared."""
    found: dict[str, str] = {}
    characters = 0
    for each in reversed(kept[-VERSIONS_SHOWN:]):
        if each.content_hash not in found:
            text = document_versions.text_of(db, each.content_hash)
            characters += len(text)
            if characters > COMPARED_CHARACTERS:
                break
            found[each.content_hash] = text
    return found


def _row(document: Document, workspace: Workspace) -> FileRow:
    budget = budget_of(document.path, workspace.layout)
    return row_of(FileRow, document, document_id=document.id, workspace=workspace.name, budget=budget)


def _shown(kept: Sequence[Kept], texts: dict[str, str]) -> tuple[FileVersion, ...]:
    """Return the latest versions, newest first."""
    rows: list[FileVersion] = []
    for each in kept[-VERSIONS_SHOWN:]:
        there = each.content_hash in texts and (each.before is None or each.before in texts)
        before = texts.get(each.before or "", "")
        added, removed = moved_lines(before, texts[each.content_hash]) if there else (0, 0)
        rows.append(row_of(FileVersion, each, added=added, removed=removed))
    return tuple(reversed(rows))


FOLDER = "templates"


def templates(engine: Engine) -> TemplateList:
    """Return every standing file that a workspace lacks, with its initial text."""
    with engine.store.reading() as db:
        homes = records.find(db, WORKSPACE, retired_at=None)
        there = {
            home.id: {
                each.path.casefold()
                for each in records.find(db, DOCUMENT, workspace_id=home.id, retired_at=None)
            }
            for home in homes
        }
    return TemplateList(
        rows=tuple(
            _template(home, path)
            for home in homes
            for path in offered(layout_named(home.layout))
            if path.casefold() not in there[home.id]
        )
    )


def offered(layout: Layout) -> tuple[str, ...]:
    """Return the paths of a system's standing files that have a template, in its own order."""
    parts = layout.bootstrap.parts if layout.bootstrap is not None else ()
    paths = dict.fromkeys((*(part.path for part in parts), *layout.writable, *layout.begins))
    return tuple(path for path in paths if _file(layout, path) is not None)


def initial_text(layout: Layout, path: str, agent: str) -> str:
    """Return the initial text of a file. Raises FileNotFoundError for one that is not offered."""
    found = _file(layout, path)
    if found is None:
        raise FileNotFoundError(path)
    return found.replace("{agent}", agent)


def _file(layout: Layout, path: str) -> str | None:
    """Return a system's own template, else the general one; None for none."""
    name = PurePosixPath(path).name
    for place in (resource(FOLDER, slug(layout.name), name), resource(FOLDER, name)):
        if place.is_file():
            return place.read_text("utf-8")
    return None


def _template(home: Workspace, path: str) -> Template:
    layout, agent = layout_named(home.layout), home.agent_id or home.name
    return Template(
        workspace_id=home.id,
        workspace=home.name,
        agent_id=home.agent_id,
        path=path,
        layer=layer_of(path, home.layout),
        budget=budget_of(path, home.layout),
        text=initial_text(layout, path, agent),
    )


def learn_line(engine: Engine, ask: LearnLine, *, author: str) -> LineLearned:
    """Learn the fact that a line states, in its own words or in those of `claim`. A known fact is tied to the
    line.

    Raises NotFound, Refused for a file that is no text, BadAsk for a line without a word, Conflict when the
    line is no longer there."""
    with one_writer:
        document, workspace = document_and_workspace(
            engine, ask.document_id or _document_id(engine, Path(ask.file))
        )
        file = current(engine, document, workspace)
        lines = lines_of(plain(file.text))
        number = _number(lines, ask)
        voice = voice_of(engine, document.path, document.agent_id, workspace.layout)
        line = _line_as_fact(
            line_facts.read_lines(lines, [number], voice, [number]), number, lines[number - 1], ask
        )
        spot = Spot(
            version=document_versions.hash_of(file.text),
            number=number,
            line=lines[number - 1],
            headings=line.lines[number].headings,
        )

        def verb(db: Connection) -> tuple[Change | None, tuple[str, str]]:
            now = records.need(db, DOCUMENT, document.id)
            draft = draft_for(engine, db, now, author)
            for each in line_links.ties_in_file(db, now.id):
                if each.spot.gone and each.spot.said == spot.said:
                    draft.edits.append(each.cut(draft.at))
            (id,) = draft_line_facts(draft, line, spot, document_id=now.id, source=source_of(author))
            claim = line.facts[0].claim
            change = draft.change(
                "learn",
                verbatim(shortened(claim, 120)),
                author=author,
                details={"path": now.path, "line": number},
            )
            return (change if draft.edits else None), (id, claim)

        applied, (id, claim) = engine.store.decide(verb)
    return LineLearned(fact_id=id, claim=claim, line=number, change=None if applied is None else applied.id)


def _document_id(engine: Engine, path: Path) -> str:
    """Return the document id of a file; a file that only the disk has is taken in first. Raises NotFound."""
    with engine.store.reading() as db:
        found = records.find(db, WORKSPACE, retired_at=None)
    homes = sorted(
        (each for each in found if path.is_relative_to(each.path)), key=lambda each: -len(each.path)
    )
    for each in homes:
        known = files.read(engine, each, path.relative_to(each.path).as_posix())
        if known is not None:
            return known[0].id
    raise NotFound(
        message("{path} is in no workspace of this desk.", path=path),
        next=message("Import its folder first."),
    )


def _number(lines: list[str], ask: LearnLine) -> int:
    """Return the number of the requested line: where it was seen, else the nearest with the same words."""
    words = (
        normalised_words(ask.text)
        if ask.text
        else normalised_words(lines[ask.line - 1])
        if 0 < ask.line <= len(lines)
        else ""
    )
    if not words and (ask.text or 0 < ask.line <= len(lines)):
        raise BadAsk(message("That line says nothing."), next=message("Name a line with words in it."))
    numbers = line_numbers_by_words("\n".join(lines)).get(words)
    if not numbers:
        raise Conflict(message("That line is no longer in the file."), next=message("Read the file again."))
    return min(numbers, key=lambda number: abs(number - ask.line))


def _line_as_fact(found: LineFacts, number: int, line: str, ask: LearnLine) -> LineFacts:
    """Return the line's content as one fact: in the requested words, else in its own."""
    known = found.lines.get(number, LineContent())
    read = known.facts[0] if known.facts else None
    claim = tidied(
        ask.claim or (read.claim if read else normalised_words(line)), message("A claim"), CLAIM_CHARACTERS
    )
    fact = FoundFact(
        claim=claim,
        category=ask.category or (read.category if read else "fact"),
        certainty="explicit",
        confidence=CERTAINTY["explicit"],
        temporal=read.temporal if read else None,
        about=read.about if read else (),
        utterance_id=str(number),
        quote=read.quote if read else line.strip(),
    )
    return LineFacts(lines={number: replace(known, facts=[fact])}, entities=found.entities)
