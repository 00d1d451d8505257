"""EXPORTS: importers of files that other programs write, alone or in a folder. The first that recognises a
file reads it."""

from __future__ import annotations

from typing import Any

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
from memdesk.engine.progress import Progress
from memdesk.model.errors import BadAsk
from memdesk.model.exports import AskExport, AskExportPreview, ExportFormats, ExportPreview
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


def preview(engine: Engine, ask: AskExportPreview) -> ExportPreview:
    """Return the contents that a file of a format would have; see `exporting.preview`."""
    return exporting.preview(engine, ask, _named(ask.format))


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
