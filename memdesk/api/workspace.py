"""Workspace: identity files, daily logs, and the import of memory from files."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
from memdesk.model.checkup import CheckReport
from memdesk.model.interop import AskDiscovery, AskImport, Discovered, ImportPreview
from memdesk.model.status import JobState, Nothing
from memdesk.model.team import AGENT, OWNER
from memdesk.model.workspace import (
    AskCalendar,
    AskConflict,
    AskConflicts,
    AskDay,
    Calendar,
    CreateFile,
    Day,
    FileConflicts,
    FileConflictText,
    FileList,
    FileText,
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
    ChangeLearning,
    DayWritten,
    Folder,
    FolderRemoved,
    KeepSession,
    LearningList,
    ListLearnings,
    PromptText,
    RecordLearning,
    RewriteFile,
    SessionKept,
    WriteDay,
)

LIST = Get(
    "workspace.list",
    Nothing,
    WorkspaceList,
    "Workspaces on this desk",
    "workspace.documents:list_workspaces",
    role=OWNER,
    face=Face(
        "workspaces",
        about="List the folders of agents on this desk, and how each was recognised.",
        columns="ID {id} | AGENT {agent_id} | CHANNEL {channel} | FILES {files} | LAYOUT {layout}"
        " | FOLDER {path}{present:! (away)} | BECAUSE {why}",
        none="No workspace is on this desk; `memdesk import FOLDER` brings one in.",
    ),
)
FOLDER = Get(
    "workspace.folder",
    AskFolder,
    Folder,
    "One workspace: its files and how they stand",
    "service.desk_calls:folder",
    role=OWNER,
    reads=True,
)
LOOK_THROUGH = Post(
    "workspace.look_through",
    AskFolder,
    JobState,
    "Compare a workspace with its folder now",
    "service.desk_calls:look_through",
    role=OWNER,
)
REMOVE = Post(
    "workspace.remove",
    AskFolder,
    FolderRemoved,
    "Let a workspace go; its files stay on the disk",
    "workspace.folders:remove",
    role=OWNER,
)
FILES = Get(
    "workspace.files",
    ListFiles,
    FileList,
    "Identity files and notes",
    "workspace.documents:list_files",
    role=OWNER,
)
READ = Get(
    "workspace.read", ReadFile, FileText, "One file with its versions", "workspace.documents:read", role=OWNER
)
VERSION = Get(
    "workspace.version",
    ReadVersion,
    VersionText,
    "The text of one version",
    "workspace.documents:version",
    role=OWNER,
)
SAVE = Post(
    "workspace.save", SaveFile, Saved, "Save a file atomically", "workspace.documents:save", role=OWNER
)
CREATE = Post(
    "workspace.create",
    CreateFile,
    Placed,
    "Put a new file into a workspace",
    "service.desk_calls:create",
    role=OWNER,
)
TEMPLATES = Get(
    "workspace.templates",
    Nothing,
    TemplateList,
    "Standing files that are missing, and what each can begin with",
    "workspace.documents:templates",
    role=OWNER,
)
RETIRE = Post(
    "workspace.retire",
    RetireFile,
    Placed,
    "Take a file away, keeping versions",
    "service.desk_calls:retire",
    role=OWNER,
)
RENAME = Post(
    "workspace.rename",
    RenameFile,
    Placed,
    "Give a file another path",
    "service.desk_calls:rename",
    role=OWNER,
)
CONFLICTS = Get(
    "workspace.conflicts",
    AskConflicts,
    FileConflicts,
    "Texts that clashed with a file",
    "workspace.conflicts:conflicts",
    role=OWNER,
)
CONFLICT = Get(
    "workspace.conflict",
    AskConflict,
    FileConflictText,
    "All sides of one conflict",
    "workspace.conflicts:conflict",
    role=OWNER,
)
RESOLVE = Post(
    "workspace.resolve",
    ResolveConflict,
    Saved,
    "Choose the text that stands",
    "workspace.conflicts:resolve",
    role=OWNER,
)
CALENDAR = Get(
    "workspace.calendar",
    AskCalendar,
    Calendar,
    "Days with entries",
    "workspace.day_files:calendar",
    role=OWNER,
)
DAY = Get("workspace.day", AskDay, Day, "One day's entries", "workspace.day_files:day", role=OWNER)
WRITE_DAY = Post(
    "workspace.write_day",
    WriteDay,
    DayWritten,
    "Add an entry to an agent's day",
    "workspace.day_files:write_day",
    role=AGENT,
    face=Face(
        "write-day",
        about="Add an entry to an agent's day file.",
        positional=("text",),
        joined="text",
        help={"text": "the entry"},
        line="{repeated:?Written before: }{path} at {time} (change {change})",
    ),
)
RECENT = Get(
    "workspace.recent",
    AskPrompt,
    PromptText,
    "An agent's last days as its system reads them",
    "workspace.day_files:recent",
    role=AGENT,
)
RECORD_LEARNING = Post(
    "workspace.record_learning",
    RecordLearning,
    DayWritten,
    "Keep an error or a correction",
    "workspace.session_notes:record",
    role=AGENT,
    face=Face(
        "learning",
        about="Keep an error of a tool, or a correction of an agent's statement, among the learnings of its"
        " workspace.",
        positional=("kind", "subject", "text"),
        choices={"kind": ("error", "correction")},
        help={"subject": "the tool, or the agent's statement", "text": "the error, or the correction"},
        line="Kept in {path} (change {change})",
    ),
)
LEARNINGS = Get(
    "workspace.learnings",
    AskPrompt,
    PromptText,
    "Past errors and corrections for a prompt",
    "workspace.session_notes:learnings_section",
    role=AGENT,
)
LIST_LEARNINGS = Get(
    "workspace.list_learnings",
    ListLearnings,
    LearningList,
    "Errors and corrections that agents keep",
    "workspace.learnings:list_learnings",
    role=OWNER,
    face=Face(
        "learnings",
        about="List the errors, corrections and other lessons in the workspaces of agents.",
        columns="WHEN {at} | KIND {kind} | AGENT {agent_id} | ABOUT {subject} | LEARNING {text} | FILE {path}:{line}",
        none="No agent keeps a learning yet; `memdesk learning` adds one.",
    ),
)
CHANGE_LEARNING = Post(
    "workspace.change_learning",
    ChangeLearning,
    Saved,
    "Correct or remove a learning",
    "workspace.learnings:change_learning",
    role=OWNER,
)
BOOTSTRAP = Get(
    "workspace.bootstrap",
    AskPrompt,
    PromptText,
    "What a session of an agent begins with",
    "service.desk_calls:bootstrap",
    role=AGENT,
)
REWRITE = Post(
    "workspace.rewrite",
    RewriteFile,
    DayWritten,
    "Write a file an agent may keep, with a backup",
    "workspace.day_files:rewrite",
    role=AGENT,
)
RECALL_SECTION = Post(
    "workspace.recall_section",
    AskRecallSection,
    PromptText,
    "What an agent's files tell of what its user last said, as AgenticX does",
    "workspace.bootstrap:recall_section",
    role=AGENT,
    reads=True,
)
LEARN_LINE = Post(
    "workspace.learn_line",
    LearnLine,
    LineLearned,
    "Believe a line of a file",
    "workspace.documents:learn_line",
    role=OWNER,
)
KEEP_SESSION = Post(
    "workspace.keep_session",
    KeepSession,
    SessionKept,
    "Keep what a session brought, as AgenticX does",
    "workspace.session_notes:keep_session",
    role=AGENT,
)
PREVIEW_IMPORT = Post(
    "workspace.preview_import",
    AskImport,
    ImportPreview,
    "What an import would bring",
    "interop.intake:preview",
    role=OWNER,
    here=True,
    reads=True,
)
DISCOVER = Get(
    "workspace.discover",
    AskDiscovery,
    Discovered,
    "Look for memory that agents keep on this machine",
    "interop.sources:discover",
    role=OWNER,
    here=True,
    example=AskDiscovery(),
    face=Face(
        "discover",
        about="Look for memory that agents keep on this machine: names, sizes and times alone are read.",
        columns="SYSTEM {system} | FOLDER {path} | NOTES {notes} | CONVERSATIONS {transcripts}"
        " | CHANGED {changed_at} | ON THIS DESK {known:?yes}",
        none="No memory of a known system was found; `memdesk import PATH` takes any folder or file.",
    ),
)
CHECK_SOURCE = Post(
    "workspace.check_source",
    AskImport,
    CheckReport,
    "Check a folder or an export without importing it",
    "service.desk_calls:check_source",
    role=OWNER,
    here=True,
    reads=True,
)
IMPORT = Post(
    "workspace.import",
    AskImport,
    JobState,
    "Start an import",
    "service.desk_calls:import_files",
    role=OWNER,
    here=True,
    act="import",
)
