"""Exports: list the export formats, preview an export, and write memory to a file or folder."""

from __future__ import annotations

from typing import Any

from memdesk.api.endpoint import Endpoint
from memdesk.model.exports import AskExport, AskExportPreview, ExportFormats, ExportPreview
from memdesk.model.status import JobState, Nothing

FORMATS = Endpoint("exports.formats", "GET", Nothing, ExportFormats, "The formats memory can go out in")
PREVIEW = Endpoint(
    "exports.preview",
    "GET",
    AskExportPreview,
    ExportPreview,
    "What an export would hold, and what not",
    owner=True,
)
START = Endpoint(
    "exports.start", "POST", AskExport, JobState, "Write memory into a file or folder", owner=True
)

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (FORMATS, PREVIEW, START)
