"""Exports: list the export formats, preview an export, and write memory to a file or folder."""

from __future__ import annotations

from memdesk.api.endpoint import Get, Post
from memdesk.model.exports import AskExport, AskExportPreview, ExportFormats, ExportPreview
from memdesk.model.status import JobState, Nothing

FORMATS = Get(
    "exports.formats", Nothing, ExportFormats, "The formats memory can go out in", "interop.formats:formats"
)
PREVIEW = Get(
    "exports.preview",
    AskExportPreview,
    ExportPreview,
    "What an export would hold, and what not",
    "interop.formats:preview",
    owner=True,
)
START = Post(
    "exports.start",
    AskExport,
    JobState,
    "Write memory into a file or folder",
    "interop.formats:export",
    owner=True,
    confirmed=True,
    act="export",
    check="interop.formats:check",
)
