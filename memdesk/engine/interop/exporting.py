"""The one door for memory that goes out: which formats there are, and writing a file of one, whole or not at all."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from memdesk.engine.engine import Engine
from memdesk.engine.progress import Progress
from memdesk.files.outgoing import need_free, outgoing
from memdesk.model.channel import LOCAL_USER
from memdesk.model.document import DOCUMENT
from memdesk.model.entity import RELATION
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.exports import AskExport, AskExportPreview, ExportFormat, ExportPreview
from memdesk.model.kinds import KINDS
from memdesk.store import archiving
from memdesk.store.connection import Connection

TELLING = ("core", "workspace", "day")
"""Layers of files that a folder of markdown gets; MEMORY.md is written anew from facts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to go out, as one state of the desk. user_id: None for everybody; channel: None for all of them."""

    engine: Engine
    db: Connection
    user_id: str | None
    channel: str | None
    history: bool
    at: int
    progress: Progress

    @property
    def user(self) -> str:
        """The one user of a format that knows no others."""
        return self.user_id or LOCAL_USER


class Exporter(Protocol):
    """One format. everybody: whether a file of it can hold the memory of several users."""

    @property
    def about(self) -> ExportFormat: ...

    @property
    def everybody(self) -> bool: ...

    def write(self, wanted: Wanted, target: Path) -> Counter[str]:
        """Fill the file or empty folder at `target`; returns how many of what went out."""
        ...


def export(engine: Engine, ask: AskExport, exporter: Exporter, progress: Progress) -> dict[str, Any]:
    """Write the file that was asked for. Returns what went out, with `path` and `says` (a sentence).

    Raises BadAsk or NotFound for what cannot be asked, Conflict when the path is taken, StorageFailed; nothing is left
    behind then, nor when the job is cancelled.
    """
    path = Path(ask.path)
    check(exporter, ask)
    with engine.store.reading() as db, outgoing(path, folder=not exporter.about.suffix) as target:
        user_id = ask.user_id or (None if exporter.everybody else LOCAL_USER)
        _need_memory(db, user_id, ask.channel)
        counts = exporter.write(
            Wanted(
                engine=engine, db=db, user_id=user_id, channel=ask.channel, history=ask.history,
                at=engine.clock(), progress=progress,
            ),
            target,
        )  # fmt: skip
    return {**counts, "path": str(path), "says": f"Written to {path}."}


def preview(engine: Engine, ask: AskExportPreview, exporter: Exporter) -> ExportPreview:
    """Count what would go out and what would stay. Writes nothing. Raises BadAsk and NotFound as `check` does."""
    about = exporter.about
    _check_channel(about, ask.channel)
    user_id = ask.user_id or (None if exporter.everybody else LOCAL_USER)
    with engine.store.reading() as db:
        _need_memory(db, user_id, ask.channel)
        counts = {
            kind.table: archiving.count(db, kind, user_id, ask.channel, past=about.past)
            for kind in KINDS
            if ask.channel is None or "channel" in kind.columns
        }
        if about.past != "all":
            counts[RELATION.table] = archiving.count_links(db, user_id, ask.channel)
        if DOCUMENT.table in about.holds and about.past != "all":
            counts[DOCUMENT.table] = archiving.count_files(db, user_id, ask.channel, TELLING)
        users, channels = archiving.users(db), archiving.channels(db, user_id or LOCAL_USER)
    return ExportPreview(
        format=about,
        goes={table: n for table, n in counts.items() if table in about.holds},
        stays={table: n for table, n in counts.items() if n and table not in about.holds},
        users=tuple(users),
        channels=tuple(channels),
    )


def check(exporter: Exporter, ask: AskExport) -> None:
    """Raises BadAsk, NotFound or Conflict for what cannot be written like that, before any of it is."""
    about = exporter.about
    _check_channel(about, ask.channel)
    if ask.history and about.name != "archive":
        raise BadAsk("Only an archive can hold the journal.", next="Leave history out.")
    need_free(Path(ask.path))


def _check_channel(about: ExportFormat, channel: str | None) -> None:
    if channel is not None and not about.channels:
        raise BadAsk(f"A file of the format {about.name} holds every channel.", next="Leave the channel out.")


def _need_memory(db: Connection, user_id: str | None, channel: str | None) -> None:
    if user_id is not None and user_id not in archiving.users(db):
        raise NotFound(f"There is nothing of a user {user_id} here.", next="Check the name.")
    if channel is not None and channel not in archiving.channels(db, user_id or LOCAL_USER):
        raise NotFound(f"There is no channel {channel}.", next="`memdesk channels` lists them.")
