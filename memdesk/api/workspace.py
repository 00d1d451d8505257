"""Workspace: identity files, daily logs, and the import of memory from files."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint, Face
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

LIST = Endpoint(
    "workspace.list",
    "GET",
    Nothing,
    WorkspaceList,
    "Workspaces on this desk",
    owner=True,
    verb="engine.workspace.documents:list_workspaces",
    face=Face(
        words="workspaces",
        about="List the folders of agents on this desk, and how each was recognised.",
        columns=(
            ("ID", "{id}"),
            ("AGENT", "{agent_id}"),
            ("CHANNEL", "{channel}"),
            ("FILES", "{files}"),
            ("LAYOUT", "{layout}"),
            ("FOLDER", "{path}{present:! (away)}"),
            ("BECAUSE", "{why}"),
        ),
        none="No workspace is on this desk; `memdesk import FOLDER` brings one in.",
    ),
)
FOLDER = Endpoint(
    "workspace.folder",
    "GET",
    AskFolder,
    Folder,
    "One workspace: its files and how they stand",
    owner=True,
    verb="service.file_calls:folder",
    reads=True,
)
LOOK_THROUGH = Endpoint(
    "workspace.look_through",
    "POST",
    AskFolder,
    JobState,
    "Compare a workspace with its folder now",
    owner=True,
    verb="service.file_calls:look_through",
)
REMOVE = Endpoint(
    "workspace.remove",
    "POST",
    AskFolder,
    FolderRemoved,
    "Let a workspace go; its files stay on the disk",
    owner=True,
    verb="engine.workspace.folders:remove",
)
FILES = Endpoint(
    "workspace.files",
    "GET",
    ListFiles,
    FileList,
    "Identity files and notes",
    owner=True,
    verb="engine.workspace.documents:list_files",
)
READ = Endpoint(
    "workspace.read",
    "GET",
    ReadFile,
    FileText,
    "One file with its versions",
    owner=True,
    verb="engine.workspace.documents:read",
)
VERSION = Endpoint(
    "workspace.version",
    "GET",
    ReadVersion,
    VersionText,
    "The text of one version",
    owner=True,
    verb="engine.workspace.documents:version",
)
SAVE = Endpoint(
    "workspace.save",
    "POST",
    SaveFile,
    Saved,
    "Save a file atomically",
    owner=True,
    verb="engine.workspace.documents:save",
)
CREATE = Endpoint(
    "workspace.create",
    "POST",
    CreateFile,
    Placed,
    "Put a new file into a workspace",
    owner=True,
    verb="service.file_calls:create",
)
TEMPLATES = Endpoint(
    "workspace.templates",
    "GET",
    Nothing,
    TemplateList,
    "Standing files that are missing, and what each can begin with",
    owner=True,
    verb="engine.workspace.documents:templates",
)
RETIRE = Endpoint(
    "workspace.retire",
    "POST",
    RetireFile,
    Placed,
    "Take a file away, keeping versions",
    owner=True,
    verb="service.file_calls:retire",
)
RENAME = Endpoint(
    "workspace.rename",
    "POST",
    RenameFile,
    Placed,
    "Give a file another path",
    owner=True,
    verb="service.file_calls:rename",
)
CONFLICTS = Endpoint(
    "workspace.conflicts",
    "GET",
    AskConflicts,
    FileConflicts,
    "Texts that clashed with a file",
    owner=True,
    verb="engine.workspace.conflicts:conflicts",
)
CONFLICT = Endpoint(
    "workspace.conflict",
    "GET",
    AskConflict,
    FileConflictText,
    "All sides of one conflict",
    owner=True,
    verb="engine.workspace.conflicts:conflict",
)
RESOLVE = Endpoint(
    "workspace.resolve",
    "POST",
    ResolveConflict,
    Saved,
    "Choose the text that stands",
    owner=True,
    verb="engine.workspace.conflicts:resolve",
)
CALENDAR = Endpoint(
    "workspace.calendar",
    "GET",
    AskCalendar,
    Calendar,
    "Days with entries",
    owner=True,
    verb="engine.workspace.day_files:calendar",
)
DAY = Endpoint(
    "workspace.day",
    "GET",
    AskDay,
    Day,
    "One day's entries",
    owner=True,
    verb="engine.workspace.day_files:day",
)
WRITE_DAY = Endpoint(
    "workspace.write_day",
    "POST",
    WriteDay,
    DayWritten,
    "Add an entry to an agent's day",
    verb="engine.workspace.day_files:write_day",
    face=Face(
        words="write-day",
        about="Add an entry to an agent's day file.",
        positional=("text",),
        joined="text",
        options={"retry_key": "key"},
        help={"text": "the entry"},
        line="{repeated:?Written before: }{path} at {time} (change {change})",
    ),
)
RECENT = Endpoint(
    "workspace.recent",
    "GET",
    AskPrompt,
    PromptText,
    "An agent's last days as its system reads them",
    verb="engine.workspace.day_files:recent",
)
RECORD_LEARNING = Endpoint(
    "workspace.record_learning",
    "POST",
    RecordLearning,
    DayWritten,
    "Keep an error or a correction",
    verb="engine.workspace.session_notes:record",
    face=Face(
        words="learning",
        about="Keep an error of a tool, or a correction of an agent's statement, among the learnings of its workspace.",
        positional=("kind", "subject", "text"),
        choices={"kind": ("error", "correction")},
        help={"subject": "the tool, or the agent's statement", "text": "the error, or the correction"},
        line="Kept in {path} (change {change})",
    ),
)
LEARNINGS = Endpoint(
    "workspace.learnings",
    "GET",
    AskPrompt,
    PromptText,
    "Past errors and corrections for a prompt",
    verb="engine.workspace.session_notes:learnings_section",
)
BOOTSTRAP = Endpoint(
    "workspace.bootstrap",
    "GET",
    AskPrompt,
    PromptText,
    "What a session of an agent begins with",
    verb="service.file_calls:bootstrap",
)
REWRITE = Endpoint(
    "workspace.rewrite",
    "POST",
    RewriteFile,
    DayWritten,
    "Write a file an agent may keep, with a backup",
    verb="engine.workspace.day_files:rewrite",
)
RECALL_SECTION = Endpoint(
    "workspace.recall_section",
    "POST",
    AskRecallSection,
    PromptText,
    "What an agent's files tell of what its user last said, as AgenticX does",
    verb="engine.workspace.bootstrap:recall_section",
    reads=True,
)
LEARN_LINE = Endpoint(
    "workspace.learn_line",
    "POST",
    LearnLine,
    LineLearned,
    "Believe a line of a file",
    owner=True,
    verb="engine.workspace.documents:learn_line",
)
KEEP_SESSION = Endpoint(
    "workspace.keep_session",
    "POST",
    KeepSession,
    SessionKept,
    "Keep what a session brought, as AgenticX does",
    verb="engine.workspace.session_notes:keep_session",
)
PREVIEW_IMPORT = Endpoint(
    "workspace.preview_import",
    "POST",
    AskImport,
    ImportPreview,
    "What an import would bring",
    owner=True,
    verb="engine.interop.intake:preview",
    reads=True,
)
IMPORT = Endpoint(
    "workspace.import",
    "POST",
    AskImport,
    JobState,
    "Start an import",
    owner=True,
    verb="service.file_calls:import_files",
    act="import",
)
