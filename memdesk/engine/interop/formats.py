"""Importers and exporters of files by format, and the refusal of a file that no importer reads; exports: checked,
counted, written as a complete file or none."""

from __future__ import annotations

import shutil
from base64 import b64encode
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from memdesk.engine.agents.bounds import bounds_of
from memdesk.engine.engine import Engine
from memdesk.engine.interop.agenticx_format import AGENTICX
from memdesk.engine.interop.agentx_export import AGENTX_OUT
from memdesk.engine.interop.agentx_format import AGENTX
from memdesk.engine.interop.archive_export import ARCHIVE_OUT
from memdesk.engine.interop.archive_format import ARCHIVE_IN
from memdesk.engine.interop.batches import Importer
from memdesk.engine.interop.exporting import MARKDOWN_LAYERS, Exporter, ExportSelection
from memdesk.engine.interop.graphml_format import GRAPHML_OUT
from memdesk.engine.interop.hindsight_format import HINDSIGHT
from memdesk.engine.interop.letta_format import LETTA
from memdesk.engine.interop.locomo_format import LOCOMO
from memdesk.engine.interop.markdown_export import MARKDOWN_OUT
from memdesk.engine.interop.mcp_format import MCP_LINES, MCP_OUT
from memdesk.engine.interop.mem0_format import MEM0, MEM0_HISTORY, MEM0_NOTES, MEM0_OUT
from memdesk.engine.interop.openclaw_format import OPENCLAW
from memdesk.engine.interop.openlegion_format import OPENLEGION
from memdesk.engine.interop.reading import NOT_JSON, PDF, SQLITE, ZIP, Peek, tables_of
from memdesk.engine.interop.transcript import TRANSCRIPT
from memdesk.engine.known_agents import KeptToken
from memdesk.engine.progress import Progress
from memdesk.files.atomic import FETCHED, identity, is_placed, need_free, outgoing
from memdesk.files.reading import read_bytes
from memdesk.model import desk_keys
from memdesk.model.channel import LOCAL_USER
from memdesk.model.document import DOCUMENT, Document, Workspace
from memdesk.model.entity import RELATION
from memdesk.model.errors import BadAsk, NotFound, Refused
from memdesk.model.instant import optional_instant
from memdesk.model.interop import (
    AskExport,
    AskExportPreview,
    ExportFile,
    ExportFormat,
    ExportFormats,
    ExportPreview,
    FetchExport,
)
from memdesk.model.kinds import KINDS
from memdesk.model.message import message
from memdesk.store import archiving
from memdesk.store.archiving import Inside, Selection
from memdesk.store.connection import Connection

EXPORTS: tuple[Importer, ...] = (
    MCP_LINES,
    AGENTX,
    MEM0,
    MEM0_HISTORY,
    MEM0_NOTES,
    LETTA,
    HINDSIGHT,
    OPENLEGION,
    AGENTICX,
    OPENCLAW,
    LOCOMO,
    TRANSCRIPT,
)
"""Importers in order. The transcript importer accepts any file with a role and a content, so it comes last."""


EXPORTERS: tuple[Exporter, ...] = (ARCHIVE_OUT, *MARKDOWN_OUT, AGENTX_OUT, MEM0_OUT, MCP_OUT, GRAPHML_OUT)


def formats() -> ExportFormats:
    """Return every export format."""
    return ExportFormats(rows=tuple(each.about for each in EXPORTERS))


def export(
    engine: Engine,
    ask: AskExport,
    *,
    progress: Progress,
    inside: Inside | None = None,
    reached: dict[str, Any] | None = None,
    note: Callable[[dict[str, Any]], None] = lambda _: None,
) -> dict[str, Any]:
    """Write the requested file. Returns counts of its contents, with `path` and `says` (a sentence).

    note: records the written file just before it is put in its place; reached: that record, if the service was
    killed afterwards.

    Raises BadAsk or NotFound for an invalid request, Conflict if the path is taken, StorageFailed; no partial
    file stays in these cases, nor if the job is cancelled."""
    path, exporter = Path(ask.path), _named(ask.format)
    written = {"path": str(path), "says": message("Written to {path}.", path=path)}
    if reached and is_placed(path, reached["file"], by=engine.desk.folder):
        return {**reached["counts"], **written}
    check(ask)
    if desk_keys.key_for(engine.desk.folder) is not None and not ask.clear:
        raise BadAsk(
            message("This desk is encrypted, and an export is in clear."),
            next=message("Say that it may be: `memdesk export … --clear`, or the box in the window."),
        )
    out = outgoing(path, folder=not exporter.about.suffix, by=engine.desk.folder)
    with engine.store.reading() as db, out as target:
        chosen = _chosen(exporter, ask, inside)
        _need_memory(db, chosen)
        wanted = ExportSelection(
            engine=engine, db=db, chosen=chosen, history=ask.history, at=engine.clock(), progress=progress
        )
        counts = exporter.write(wanted, target)
        note({"file": identity(target), "counts": dict(counts)})
    return {**counts, **written}


def preview(engine: Engine, ask: AskExportPreview, *, member: KeptToken | None = None) -> ExportPreview:
    """Count the records that would be exported and those that would not. Writes nothing. Raises BadAsk and
    NotFound as `check` does."""
    exporter, inside = _named(ask.format), _inside(engine, member)
    about = exporter.about
    _check_choice(about, ask)
    chosen = _chosen(exporter, ask, inside)
    user_id = chosen.user_id or LOCAL_USER
    with engine.store.reading() as db:
        _need_memory(db, chosen)
        counts = {kind.table: archiving.count(db, kind, chosen, past=about.past) for kind in KINDS}
        if about.past != "all":
            counts[RELATION.table] = archiving.count_links(db, chosen)
        if DOCUMENT.table in about.holds and about.past != "all" and inside is None:
            counts[DOCUMENT.table] = archiving.count_files(db, chosen, MARKDOWN_LAYERS)
        users, channels, agents = (
            archiving.users(db),
            archiving.channels(db, user_id),
            archiving.agents(db, user_id),
        )
    return ExportPreview(
        format=about,
        goes={table: n for table, n in counts.items() if table in about.holds},
        stays={table: n for table, n in counts.items() if n and table not in about.holds},
        users=tuple(users),
        channels=tuple(channels),
        agents=tuple(agents),
    )


def check(ask: AskExport) -> None:
    """Raise BadAsk, NotFound or Conflict for an export that cannot be made, before anything is written."""
    exporter = _named(ask.format)
    _check_choice(exporter.about, ask)
    if ask.history and exporter is not ARCHIVE_OUT:
        raise BadAsk(message("Only an archive can hold the journal."), next=message("Leave history out."))
    if ask.history and _chosen(exporter, ask).is_narrow:
        raise BadAsk(
            message("The journal tells of everything."),
            next=message("Leave history out, or export everything."),
        )
    need_free(Path(ask.path))


FETCH_BYTES = 32 * 1024**2


def fetch(engine: Engine, ask: FetchExport, *, member: KeptToken | None = None) -> ExportFile:
    """Return an export as one file, a folder as a ZIP of it. Raises BadAsk for one that is larger than FETCH_BYTES, and
    as `export` does."""
    exporter = _named(ask.format)
    with TemporaryDirectory(dir=engine.desk.folder, prefix=FETCHED) as folder:

        def check_size(*_: object) -> None:
            written = (each.stat().st_size for each in Path(folder).rglob("*") if each.is_file())
            if sum(written) > FETCH_BYTES:
                raise BadAsk(
                    message("The export is larger than {count} MB.", count=FETCH_BYTES // 1024**2),
                    next=message("Fetch it in parts: one channel, type or time each."),
                )

        wanted = AskExport(**asdict(ask), path=f"{folder}/export")
        counts = export(engine, wanted, progress=check_size, inside=_inside(engine, member))
        path = Path(counts.pop("path"))
        check_size()
        if path.is_dir():
            path = Path(shutil.make_archive(str(path), "zip", path))
        del counts["says"]
        return ExportFile(
            data=b64encode(path.read_bytes()).decode(), folder=not exporter.about.suffix, counts=counts
        )


def _inside(engine: Engine, member: KeptToken | None) -> Inside | None:
    """Return the filter of a member's exports: its bounds, and no files, which are the owners'. None without bounds."""
    if member is None:
        return None
    bounds = bounds_of(engine, member, reads=True)
    return lambda found: bounds.shown(
        tuple(each for each in found if not isinstance(each, Document | Workspace))
    )


def _named(name: str) -> Exporter:
    found = next((each for each in EXPORTERS if each.about.name == name), None)
    if found is None:
        names = ", ".join(each.about.name for each in EXPORTERS)
        raise BadAsk(
            message("There is no format {name} to export to.", name=name[:60]),
            next=message("These are: {known}.", known=names),
        )
    return found


def _chosen(exporter: Exporter, ask: AskExportPreview, inside: Inside | None = None) -> Selection:
    """Return the selection of a request: one user's memory, but that an archive can have the memory of all."""
    return Selection(
        user_id=ask.user_id or (None if exporter is ARCHIVE_OUT else LOCAL_USER),
        channel=ask.channel,
        agents=ask.agents,
        kinds=ask.kinds,
        since=optional_instant(ask.since),
        until=optional_instant(ask.until),
        inside=inside,
    )


def _check_choice(about: ExportFormat, ask: AskExportPreview) -> None:
    for name in ask.kinds:
        if name not in about.kinds:
            known = (
                message("These are: {known}.", known=", ".join(about.kinds))
                if about.kinds
                else message("Leave the types out.")
            )
            raise BadAsk(
                message(
                    "Of the format {about} no type {name} can be chosen.", about=about.name, name=name[:60]
                ),
                next=known,
            )
    if ask.since is not None and ask.until is not None and ask.since >= ask.until:
        raise BadAsk(
            message("The time ends before it begins."),
            next=message("Give an earlier `since` or a later `until`."),
        )


def _need_memory(db: Connection, chosen: Selection) -> None:
    user_id = chosen.user_id
    if user_id is not None and user_id not in archiving.users(db):
        raise NotFound(
            message("There is nothing of a user {user_id} here.", user_id=user_id),
            next=message("Check the name."),
        )
    if chosen.channel is not None and chosen.channel not in archiving.channels(db, user_id or LOCAL_USER):
        raise NotFound(
            message("There is no channel {channel}.", channel=chosen.channel),
            next=message("`memdesk channels` lists them."),
        )
    if chosen.inside is not None or not chosen.agents:
        # Of an agent that a member may not know the export is empty.
        return
    known = archiving.agents(db, user_id or LOCAL_USER)
    for name in chosen.agents:
        if name not in known:
            says = (
                message("These are: {known}.", known=", ".join(known))
                if known
                else message("No agent has memory here.")
            )
            raise NotFound(message("There is nothing of an agent {name} here.", name=name[:60]), next=says)


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
