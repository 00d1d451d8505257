"""Exports: list the export formats, preview an export, and write memory to a file or folder."""

from __future__ import annotations

from memdesk.api.endpoint import Get, Post
from memdesk.model.interop import (
    AskExport,
    AskExportPreview,
    ExportFile,
    ExportFormats,
    ExportPreview,
    FetchExport,
)
from memdesk.model.status import JobState, Nothing
from memdesk.model.team import CURATOR, OWNER, READER

FORMATS = Get(
    "exports.formats",
    Nothing,
    ExportFormats,
    "The formats memory can go out in",
    "interop.formats:formats",
    role=READER,
)
PREVIEW = Get(
    "exports.preview",
    AskExportPreview,
    ExportPreview,
    "What an export would hold, and what not",
    "interop.formats:preview",
    role=CURATOR,
)
FETCH = Post(
    "exports.fetch",
    FetchExport,
    ExportFile,
    "Memory as one file, for another computer",
    "interop.formats:fetch",
    role=CURATOR,
    reads=True,
    confirmed=True,
    example=FetchExport(format="mcp-memory"),
)
START = Post(
    "exports.start",
    AskExport,
    JobState,
    "Write memory into a file or folder",
    "interop.formats:export",
    role=OWNER,
    here=True,
    confirmed=True,
    act="export",
    check="interop.formats:check",
)
