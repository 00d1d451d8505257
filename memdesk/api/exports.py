"""Exports: list the export formats, preview an export, and write memory to a file or folder."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint
from memdesk.model.exports import AskExport, AskExportPreview, ExportFormats, ExportPreview
from memdesk.model.status import JobState, Nothing

FORMATS = Endpoint(
    "exports.formats",
    "GET",
    Nothing,
    ExportFormats,
    "The formats memory can go out in",
    verb="engine.interop.formats:formats",
)
PREVIEW = Endpoint(
    "exports.preview",
    "GET",
    AskExportPreview,
    ExportPreview,
    "What an export would hold, and what not",
    owner=True,
    verb="engine.interop.formats:preview",
)
START = Endpoint(
    "exports.start",
    "POST",
    AskExport,
    JobState,
    "Write memory into a file or folder",
    owner=True,
    verb="engine.interop.formats:export",
    act="export",
    check="engine.interop.formats:check",
)
