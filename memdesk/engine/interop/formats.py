"""EXPORTS: importers of files that other programs write, alone or in a folder. The first that recognises a
file reads it."""

from __future__ import annotations

import shutil
from base64 import b64encode
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from memdesk.engine.agents.bounds import bounds_of
from memdesk.engine.engine import Engine
from memdesk.engine.interop import exporting
from memdesk.engine.interop.agenticx_format import AGENTICX
from memdesk.engine.interop.agentx_export import AGENTX_OUT
from memdesk.engine.interop.agentx_format import AGENTX
from memdesk.engine.interop.archive_export import ARCHIVE_OUT
from memdesk.engine.interop.batches import Importer
from memdesk.engine.interop.exporting import Exporter
from memdesk.engine.interop.graphml_format import GRAPHML_OUT
from memdesk.engine.interop.hindsight_format import HINDSIGHT
from memdesk.engine.interop.letta_format import LETTA
from memdesk.engine.interop.locomo_format import LOCOMO
from memdesk.engine.interop.markdown_export import MARKDOWN_OUT
from memdesk.engine.interop.mcp_format import MCP_LINES, MCP_OUT
from memdesk.engine.interop.mem0_format import MEM0, MEM0_HISTORY, MEM0_NOTES, MEM0_OUT
from memdesk.engine.interop.openclaw_format import OPENCLAW
from memdesk.engine.interop.openlegion_format import OPENLEGION
from memdesk.engine.interop.transcript import TRANSCRIPT
from memdesk.engine.known_agents import KeptToken
from memdesk.engine.progress import Progress
from memdesk.model.document import Document, Workspace
from memdesk.model.errors import BadAsk
from memdesk.model.exports import (
    AskExport,
    AskExportPreview,
    ExportFile,
    ExportFormats,
    ExportPreview,
    FetchExport,
)
from memdesk.model.message import message

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


def check(ask: AskExport) -> None:
    """Raise BadAsk, NotFound or Conflict for an export that cannot be made as requested."""
    exporting.check(_named(ask.format), ask)


def preview(engine: Engine, ask: AskExportPreview, *, member: KeptToken | None = None) -> ExportPreview:
    """Return the contents that a file of a format would have; see `exporting.preview`."""
    return exporting.preview(engine, ask, _named(ask.format), inside=_inside(engine, member))


FETCH_BYTES = 32 * 1024**2


def fetch(engine: Engine, ask: FetchExport, *, member: KeptToken | None = None) -> ExportFile:
    """Return an export as one file, a folder as a ZIP of it. Raises BadAsk for one that is larger than FETCH_BYTES, and
    as `exporting.export` does."""
    exporter = _named(ask.format)
    with TemporaryDirectory(dir=engine.desk.folder, prefix=".export-") as folder:
        wanted = AskExport(
            **{item.name: getattr(ask, item.name) for item in fields(ask)}, path=f"{folder}/export"
        )
        counts = exporting.export(engine, wanted, exporter, lambda *_: None, inside=_inside(engine, member))
        path = Path(counts.pop("path"))
        if path.is_dir():
            path = Path(shutil.make_archive(str(path), "zip", path))
        if path.stat().st_size > FETCH_BYTES:
            raise BadAsk(
                message("The export is larger than {count} MB.", count=FETCH_BYTES // 1024**2),
                next=message("Fetch it in parts: one channel, type or time each."),
            )
        del counts["says"]
        return ExportFile(
            data=b64encode(path.read_bytes()).decode(), folder=not exporter.about.suffix, counts=counts
        )


def _inside(engine: Engine, member: KeptToken | None) -> exporting.Inside | None:
    """Return the filter of a member's exports: its bounds, and no files, which are the owners'. None without bounds."""
    if member is None:
        return None
    bounds = bounds_of(engine, member, reads=True)
    return lambda found: bounds.shown(
        tuple(each for each in found if not isinstance(each, Document | Workspace))
    )


def export(engine: Engine, ask: AskExport, *, progress: Progress) -> dict[str, Any]:
    """Write memory into the requested file or folder; see `exporting.export`."""
    return exporting.export(engine, ask, _named(ask.format), progress)


def _named(name: str) -> Exporter:
    found = next((each for each in EXPORTERS if each.about.name == name), None)
    if found is None:
        names = ", ".join(each.about.name for each in EXPORTERS)
        raise BadAsk(
            message("There is no format {name} to export to.", name=name[:60]),
            next=message("These are: {known}.", known=names),
        )
    return found
