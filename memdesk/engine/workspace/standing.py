"""Files that an agent may replace, such as OpenLegion's HEARTBEAT.md; the former text is backed up."""

from __future__ import annotations

from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.workspace import files
from memdesk.engine.workspace.days import write_day
from memdesk.engine.workspace.disk import one_writer
from memdesk.engine.workspace.homes import home, layout_of
from memdesk.files.atomic import create
from memdesk.model.diary import DayWritten, RewriteFile, WriteDay
from memdesk.model.document import Workspace
from memdesk.model.errors import NotAllowed, Refused
from memdesk.model.instant import to_datetime

CHARACTERS_AT_MOST = 32_000
BACKUPS = "backups"
BACKUPS_KEPT = 20
"""Number of backups kept of each file."""


def rewrite(engine: Engine, ask: RewriteFile, *, author: str) -> DayWritten:
    """Replace a file's text and add an entry about it to the day.

    Raises NotAllowed for a file that is not writable in this layout, Refused for a text that is too long,
    NotFound, StorageFailed."""
    workspace = home(engine, ask.workspace_id, ask.agent_id, author=author)
    allowed = layout_of(workspace).writable
    if ask.path not in allowed:
        only = ", ".join(allowed) or "none"
        raise NotAllowed(
            f"Cannot update {ask.path}. Agents can only update: {only}", next="Write a day entry instead."
        )
    if len(ask.text) > CHARACTERS_AT_MOST:
        raise Refused(f"{ask.path} may have {CHARACTERS_AT_MOST:,} characters at most.")
    with one_writer:
        _back_up(engine, workspace, ask.path)
        files.rewrite(engine, workspace, ask.path, ask.text, author=author, title=f"Rewrote {ask.path}")
        told = WriteDay(text=f"Updated workspace file: {ask.path}", workspace_id=workspace.id)
        return write_day(engine, told, author=author)


def _back_up(engine: Engine, workspace: Workspace, path: str) -> None:
    """Back up the former text as the system itself does, and keep only the last few backups."""
    before = files.read(engine, workspace, path)
    if before is None:
        return
    folder = Path(workspace.path, BACKUPS)
    at = to_datetime(engine.clock())
    create(folder / f"{path}.{at:%Y%m%d_%H%M%S_%f}.bak", before[1].manner.exact(before[1].text))
    for old in sorted(folder.glob(f"{path}.*.bak"))[:-BACKUPS_KEPT]:
        old.unlink(missing_ok=True)
