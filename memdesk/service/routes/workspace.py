"""Workspace: identity files, daily logs, and the import of memory from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memdesk.api import workspace
from memdesk.api.tools import agnx
from memdesk.engine.interop import intake
from memdesk.engine.progress import Progress
from memdesk.engine.workspace import (
    bootstrap,
    conflicts,
    day_files,
    documents,
    folders,
    outside_edits,
    placing,
    session_notes,
)
from memdesk.model.kind import new_id
from memdesk.model.status import JobState
from memdesk.model.workspace import AskImport
from memdesk.model.workspace_files import AskFolder, Folder
from memdesk.service.app import DeskApp, answer
from memdesk.service.host import Host
from memdesk.service.long_acts import Act

IMPORT, FILES = "import", "files"


def register(app: DeskApp, host: Host) -> None:
    engine = host.engine

    def bring_in(ask: AskImport, author: str) -> JobState:
        """Start an import as a run, so that a cancelled or failed one can be undone."""
        return host.acts.start(ask, author=author, run=new_id("run", engine.clock()))

    def carry_in(ask: AskImport, act: Act, progress: Progress) -> dict[str, Any]:
        counts = intake.bring_in(engine, ask, author=act.author, progress=progress, run=act.run)
        return {**counts, "change": intake.newest_change(engine, act.run)}

    host.acts.learn(AskImport, IMPORT, carry_in)

    def look_through(ask: AskFolder, _author: str) -> JobState:
        path = Path(folders.in_use(engine, ask.workspace_id).path)
        return host.jobs.start(
            FILES, lambda progress: outside_edits.compare_folders(engine, [path], progress)
        )

    def whole(ask: AskFolder, _author: str) -> Folder:
        return folders.folder(engine, ask, watched=host.watched)

    answer(app, workspace.LIST, lambda _ask, _: documents.list_workspaces(engine))
    answer(app, workspace.FOLDER, whole, reads=True)
    answer(app, workspace.LOOK_THROUGH, look_through)
    answer(app, workspace.REMOVE, lambda ask, author: folders.remove(engine, ask, author=author))
    answer(app, workspace.FILES, lambda ask, _: documents.list_files(engine, ask))
    answer(app, workspace.READ, lambda ask, _: documents.read(engine, ask))
    answer(app, workspace.VERSION, lambda ask, _: documents.version(engine, ask))
    answer(app, workspace.SAVE, lambda ask, author: documents.save(engine, ask, author=author))
    answer(
        app,
        workspace.CREATE,
        lambda ask, author: placing.create(engine, ask.workspace_id, ask.path, ask.text, author=author),
    )
    answer(app, workspace.TEMPLATES, lambda _ask, _: documents.templates(engine))
    answer(app, workspace.RETIRE, lambda ask, author: placing.retire(engine, ask.document_id, author=author))
    answer(
        app,
        workspace.RENAME,
        lambda ask, author: placing.rename(engine, ask.document_id, ask.path, author=author),
    )
    answer(app, workspace.CONFLICTS, lambda ask, _: conflicts.conflicts(engine, ask))
    answer(app, workspace.CONFLICT, lambda ask, _: conflicts.conflict(engine, ask))
    answer(app, workspace.RESOLVE, lambda ask, author: conflicts.resolve(engine, ask, author=author))
    answer(app, workspace.CALENDAR, lambda ask, _: day_files.calendar(engine, ask))
    answer(app, workspace.DAY, lambda ask, _: day_files.day(engine, ask))
    answer(app, workspace.WRITE_DAY, lambda ask, author: day_files.write_day(engine, ask, author=author))
    answer(app, workspace.RECENT, lambda ask, author: day_files.recent(engine, ask, author=author))
    answer(
        app, workspace.RECORD_LEARNING, lambda ask, author: session_notes.record(engine, ask, author=author)
    )
    answer(
        app,
        workspace.LEARNINGS,
        lambda ask, author: session_notes.learnings_section(engine, ask, author=author),
    )
    answer(
        app,
        workspace.BOOTSTRAP,
        lambda ask, author: bootstrap.bootstrap(engine, ask, author=author, usage=agnx.DIRECTIVE),
    )
    answer(app, workspace.REWRITE, lambda ask, author: day_files.rewrite(engine, ask, author=author))
    answer(
        app,
        workspace.RECALL_SECTION,
        lambda ask, author: bootstrap.recall_section(engine, ask, author=author),
        reads=True,
    )
    answer(app, workspace.LEARN_LINE, lambda ask, author: documents.learn_line(engine, ask, author=author))
    answer(
        app,
        workspace.KEEP_SESSION,
        lambda ask, author: session_notes.keep_session(engine, ask, author=author),
    )
    answer(app, workspace.PREVIEW_IMPORT, lambda ask, _: intake.preview(engine, ask), reads=True)
    answer(app, workspace.IMPORT, bring_in)
