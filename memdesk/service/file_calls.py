"""Calls about agents' files that need more than the engine, or only a part of the request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memdesk.api.tools import agnx
from memdesk.engine.interop import checking, intake
from memdesk.engine.progress import Progress
from memdesk.engine.workspace import bootstrap as prompts
from memdesk.engine.workspace import folders, outside_edits, placing
from memdesk.model.checkup import CheckReport
from memdesk.model.status import JobState
from memdesk.model.workspace import AskImport, CreateFile, Placed, RenameFile, RetireFile
from memdesk.model.workspace_files import AskFolder, AskPrompt, Folder, PromptText
from memdesk.service.host import Host

FILES = "files"


def folder(host: Host, ask: AskFolder) -> Folder:
    """Return a workspace, with whether changes in it are noticed at once."""
    return folders.folder(host.engine, ask, watched=host.watched)


def look_through(host: Host, ask: AskFolder) -> JobState:
    """Start a comparison of a workspace with its folder. Raises NotFound."""
    path = Path(folders.in_use(host.engine, ask.workspace_id).path)
    return host.jobs.start(
        FILES, lambda progress: outside_edits.compare_folders(host.engine, [path], progress)
    )


def create(host: Host, ask: CreateFile, *, author: str) -> Placed:
    """Put a new file into a workspace."""
    return placing.create(host.engine, ask.workspace_id, ask.path, ask.text, author=author)


def retire(host: Host, ask: RetireFile, *, author: str) -> Placed:
    """Remove a file and keep its versions."""
    return placing.retire(host.engine, ask.document_id, author=author)


def rename(host: Host, ask: RenameFile, *, author: str) -> Placed:
    """Give a file another path."""
    return placing.rename(host.engine, ask.document_id, ask.path, author=author)


def bootstrap(host: Host, ask: AskPrompt, *, author: str) -> PromptText:
    """Return the prompt that a session begins with. Its text on the use of memory belongs to a set of tools."""
    return prompts.bootstrap(host.engine, ask, author=author, usage=agnx.DIRECTIVE)


def check_source(host: Host, ask: AskImport) -> CheckReport:
    """Check a source without importing it: the desk of this service is not part of it."""
    return checking.check_path(ask, clock=host.engine.clock)


def import_files(host: Host, ask: AskImport, *, author: str, progress: Progress, run: str) -> dict[str, Any]:
    """Import as a run, so that a cancelled or failed import can be undone. Returns its counts and its last change."""
    counts = intake.bring_in(host.engine, ask, author=author, progress=progress, run=run)
    return {**counts, "change": intake.newest_change(host.engine, run)}
