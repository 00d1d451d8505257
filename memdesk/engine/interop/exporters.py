"""EXPORTERS: every format that memory can be exported to."""

from __future__ import annotations

from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.interop import exporting
from memdesk.engine.interop.agentx_out import AGENTX_OUT
from memdesk.engine.interop.archive_out import ARCHIVE_OUT
from memdesk.engine.interop.exporting import Exporter
from memdesk.engine.interop.graphml_out import GRAPHML_OUT
from memdesk.engine.interop.markdown_out import MARKDOWN_OUT
from memdesk.engine.interop.mcp_out import MCP_OUT
from memdesk.engine.interop.mem0_out import MEM0_OUT
from memdesk.engine.progress import Progress
from memdesk.model.errors import BadAsk
from memdesk.model.exports import AskExport, AskExportPreview, ExportFormats, ExportPreview

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


def export(engine: Engine, ask: AskExport, progress: Progress) -> dict[str, Any]:
    """Write memory into the requested file or folder; see `exporting.export`."""
    return exporting.export(engine, ask, _named(ask.format), progress)


def _named(name: str) -> Exporter:
    found = next((each for each in EXPORTERS if each.about.name == name), None)
    if found is None:
        names = ", ".join(each.about.name for each in EXPORTERS)
        raise BadAsk(f"There is no format {name[:60]} to export to.", next=f"These are: {names}.")
    return found
