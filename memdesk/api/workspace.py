"""Workspace: identity files, daily logs, and the import of memory from files."""

from __future__ import annotations

from typing import Any

from memdesk.api.endpoint import Endpoint
from memdesk.model.status import JobState, Nothing
from memdesk.model.workspace import (
    AskCalendar,
    AskConflict,
    AskConflicts,
    AskDay,
    AskImport,
    Calendar,
    CreateFile,
    Day,
    FileConflicts,
    FileConflictText,
    FileList,
    FileText,
    ImportPreview,
    LearnLine,
    LineLearned,
    ListFiles,
    Placed,
    ReadFile,
    ReadVersion,
    RenameFile,
    ResolveConflict,
    RetireFile,
    Saved,
    SaveFile,
    TemplateList,
    VersionText,
    WorkspaceList,
)
from memdesk.model.workspace_files import (
    AskFolder,
    AskPrompt,
    AskRecallSection,
    DayWritten,
    Folder,
    FolderRemoved,
    KeepSession,
    PromptText,
    RecordLearning,
    RewriteFile,
    SessionKept,
    WriteDay,
)

LIST = Endpoint("workspace.list", "GET", Nothing, WorkspaceList, "Workspaces on this desk", owner=True)
FOLDER = Endpoint(
    "workspace.folder", "GET", AskFolder, Folder, "One workspace: its files and how they stand", owner=True
)
LOOK_THROUGH = Endpoint(
    "workspace.look_through",
    "POST",
    AskFolder,
    JobState,
    "Compare a workspace with its folder now",
    owner=True,
)
REMOVE = Endpoint(
    "workspace.remove",
    "POST",
    AskFolder,
    FolderRemoved,
    "Let a workspace go; its files stay on the disk",
    owner=True,
)
FILES = Endpoint("workspace.files", "GET", ListFiles, FileList, "Identity files and notes", owner=True)
READ = Endpoint("workspace.read", "GET", ReadFile, FileText, "One file with its versions", owner=True)
VERSION = Endpoint(
    "workspace.version", "GET", ReadVersion, VersionText, "The text of one version", owner=True
)
SAVE = Endpoint("workspace.save", "POST", SaveFile, Saved, "Save a file atomically", owner=True)
CREATE = Endpoint(
    "workspace.create", "POST", CreateFile, Placed, "Put a new file into a workspace", owner=True
)
TEMPLATES = Endpoint(
    "workspace.templates",
    "GET",
    Nothing,
    TemplateList,
    "Standing files that are missing, and what each can begin with",
    owner=True,
)
RETIRE = Endpoint(
    "workspace.retire", "POST", RetireFile, Placed, "Take a file away, keeping versions", owner=True
)
RENAME = Endpoint("workspace.rename", "POST", RenameFile, Placed, "Give a file another path", owner=True)
CONFLICTS = Endpoint(
    "workspace.conflicts", "GET", AskConflicts, FileConflicts, "Texts that clashed with a file", owner=True
)
CONFLICT = Endpoint(
    "workspace.conflict", "GET", AskConflict, FileConflictText, "All sides of one conflict", owner=True
)
RESOLVE = Endpoint(
    "workspace.resolve", "POST", ResolveConflict, Saved, "Choose the text that stands", owner=True
)
CALENDAR = Endpoint("workspace.calendar", "GET", AskCalendar, Calendar, "Days with entries", owner=True)
DAY = Endpoint("workspace.day", "GET", AskDay, Day, "One day's entries", owner=True)
WRITE_DAY = Endpoint("workspace.write_day", "POST", WriteDay, DayWritten, "Add an entry to an agent's day")
RECENT = Endpoint(
    "workspace.recent", "GET", AskPrompt, PromptText, "An agent's last days as its system reads them"
)
RECORD_LEARNING = Endpoint(
    "workspace.record_learning", "POST", RecordLearning, DayWritten, "Keep an error or a correction"
)
LEARNINGS = Endpoint(
    "workspace.learnings", "GET", AskPrompt, PromptText, "Past errors and corrections for a prompt"
)
BOOTSTRAP = Endpoint(
    "workspace.bootstrap", "GET", AskPrompt, PromptText, "What a session of an agent begins with"
)
REWRITE = Endpoint(
    "workspace.rewrite", "POST", RewriteFile, DayWritten, "Write a file an agent may keep, with a backup"
)
RECALL_SECTION = Endpoint(
    "workspace.recall_section",
    "POST",
    AskRecallSection,
    PromptText,
    "What an agent's files tell of what its user last said, as AgenticX does",
)
LEARN_LINE = Endpoint(
    "workspace.learn_line", "POST", LearnLine, LineLearned, "Believe a line of a file", owner=True
)
KEEP_SESSION = Endpoint(
    "workspace.keep_session",
    "POST",
    KeepSession,
    SessionKept,
    "Keep what a session brought, as AgenticX does",
)
PREVIEW_IMPORT = Endpoint(
    "workspace.preview_import", "POST", AskImport, ImportPreview, "What an import would bring", owner=True
)
IMPORT = Endpoint("workspace.import", "POST", AskImport, JobState, "Start an import", owner=True)

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    LIST,
    FOLDER,
    LOOK_THROUGH,
    REMOVE,
    FILES,
    READ,
    VERSION,
    SAVE,
    CREATE,
    TEMPLATES,
    RETIRE,
    RENAME,
    CONFLICTS,
    CONFLICT,
    RESOLVE,
    CALENDAR,
    DAY,
    WRITE_DAY,
    RECENT,
    RECORD_LEARNING,
    LEARNINGS,
    BOOTSTRAP,
    REWRITE,
    RECALL_SECTION,
    LEARN_LINE,
    KEEP_SESSION,
    PREVIEW_IMPORT,
    IMPORT,
)
