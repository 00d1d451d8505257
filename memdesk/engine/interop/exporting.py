"""Common part of all exports: check the request, count its contents, and write a complete file or none."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from memdesk.engine.engine import Engine
from memdesk.engine.interop.batches import BESIDE
from memdesk.engine.progress import Progress
from memdesk.files.atomic import need_free, outgoing
from memdesk.model import desk_keys
from memdesk.model.channel import LOCAL_USER
from memdesk.model.document import DOCUMENT
from memdesk.model.entity import RELATION
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.exports import AskExport, AskExportPreview, ExportFormat, ExportPreview
from memdesk.model.instant import optional_instant, to_datetime
from memdesk.model.kind import Kind
from memdesk.model.kinds import KINDS
from memdesk.model.message import message, term
from memdesk.store import archiving
from memdesk.store.archiving import Selection
from memdesk.store.connection import Connection
from memdesk.store.records import BATCH

MARKDOWN_LAYERS = ("core", "workspace", "day")
"""Layers of files that are copied into a folder of markdown; MEMORY.md is generated from facts instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSelection:
    """Selection of memory to export, from one state of the desk."""

    engine: Engine
    db: Connection
    chosen: Selection
    history: bool
    at: int
    progress: Progress

    @property
    def user(self) -> str:
        """User to export, for a format with only one user."""
        return self.chosen.user_id or LOCAL_USER


class Exporter(Protocol):
    """Export format. everybody: True if one file can contain the memory of several users."""

    @property
    def about(self) -> ExportFormat: ...

    @property
    def everybody(self) -> bool: ...

    def write(self, wanted: ExportSelection, target: Path) -> Counter[str]:
        """Fill the file or empty folder at `target`; return the number of records written, by table."""
        ...


Inside = Callable[[tuple[Any, ...]], tuple[Any, ...]]
"""Inside(records): those of them that a member with bounds may see."""


def export(
    engine: Engine, ask: AskExport, exporter: Exporter, progress: Progress, *, inside: Inside | None = None
) -> dict[str, Any]:
    """Write the requested file. Returns counts of its contents, with `path` and `says` (a sentence).

    Raises BadAsk or NotFound for an invalid request, Conflict if the path is taken, StorageFailed; no partial
    file stays in these cases, nor if the job is cancelled."""
    path = Path(ask.path)
    check(exporter, ask)
    if desk_keys.key_for(engine.desk.folder) is not None and not ask.clear:
        raise BadAsk(
            message("This desk is encrypted, and an export is in clear."),
            next=message("Say that it may be: `memdesk export … --clear`, or the box in the window."),
        )
    out = outgoing(path, folder=not exporter.about.suffix, by=engine.desk.folder)
    with engine.store.reading() as db, out as target:
        chosen = _chosen(exporter, ask, inside)
        _need_memory(db, chosen)
        wanted = ExportSelection(
            engine=engine, db=db, chosen=chosen, history=ask.history, at=engine.clock(), progress=progress
        )
        counts = exporter.write(wanted, target)
    return {**counts, "path": str(path), "says": message("Written to {path}.", path=path)}


def preview(
    engine: Engine, ask: AskExportPreview, exporter: Exporter, *, inside: Inside | None = None
) -> ExportPreview:
    """Count the records that would be exported and those that would not. Writes nothing. Raises BadAsk and
    NotFound as `check` does."""
    about = exporter.about
    _check_choice(about, ask)
    chosen = _chosen(exporter, ask, inside)
    user_id = chosen.user_id or LOCAL_USER
    with engine.store.reading() as db:
        _need_memory(db, chosen)
        counts = {kind.table: archiving.count(db, kind, chosen, past=about.past) for kind in KINDS}
        if about.past != "all":
            counts[RELATION.table] = archiving.count_links(db, chosen)
        if DOCUMENT.table in about.holds and about.past != "all" and inside is None:
            counts[DOCUMENT.table] = archiving.count_files(db, chosen, MARKDOWN_LAYERS)
        users, channels, agents = (
            archiving.users(db),
            archiving.channels(db, user_id),
            archiving.agents(db, user_id),
        )
    return ExportPreview(
        format=about,
        goes={table: n for table, n in counts.items() if table in about.holds},
        stays={table: n for table, n in counts.items() if n and table not in about.holds},
        users=tuple(users),
        channels=tuple(channels),
        agents=tuple(agents),
    )


def check(exporter: Exporter, ask: AskExport) -> None:
    """Raise BadAsk, NotFound or Conflict for an export that cannot be made, before anything is written."""
    about = exporter.about
    _check_choice(about, ask)
    if ask.history and about.name != "archive":
        raise BadAsk(message("Only an archive can hold the journal."), next=message("Leave history out."))
    if ask.history and _chosen(exporter, ask).is_narrow:
        raise BadAsk(
            message("The journal tells of everything."),
            next=message("Leave history out, or export everything."),
        )
    need_free(Path(ask.path))


def _chosen(exporter: Exporter, ask: AskExportPreview, inside: Inside | None = None) -> Selection:
    return Selection(
        user_id=ask.user_id or (None if exporter.everybody else LOCAL_USER),
        channel=ask.channel,
        agents=ask.agents,
        kinds=ask.kinds,
        since=optional_instant(ask.since),
        until=optional_instant(ask.until),
        inside=inside,
    )


def _check_choice(about: ExportFormat, ask: AskExportPreview) -> None:
    for name in ask.kinds:
        if name not in about.kinds:
            known = (
                message("These are: {known}.", known=", ".join(about.kinds))
                if about.kinds
                else message("Leave the types out.")
            )
            raise BadAsk(
                message(
                    "Of the format {about} no type {name} can be chosen.", about=about.name, name=name[:60]
                ),
                next=known,
            )
    if ask.since is not None and ask.until is not None and ask.since >= ask.until:
        raise BadAsk(
            message("The time ends before it begins."),
            next=message("Give an earlier `since` or a later `until`."),
        )


def _need_memory(db: Connection, chosen: Selection) -> None:
    user_id = chosen.user_id
    if user_id is not None and user_id not in archiving.users(db):
        raise NotFound(
            message("There is nothing of a user {user_id} here.", user_id=user_id),
            next=message("Check the name."),
        )
    if chosen.channel is not None and chosen.channel not in archiving.channels(db, user_id or LOCAL_USER):
        raise NotFound(
            message("There is no channel {channel}.", channel=chosen.channel),
            next=message("`memdesk channels` lists them."),
        )
    if chosen.inside is not None or not chosen.agents:
        # Of an agent that a member may not know the export is empty.
        return
    known = archiving.agents(db, user_id or LOCAL_USER)
    for name in chosen.agents:
        if name not in known:
            says = (
                message("These are: {known}.", known=", ".join(known))
                if known
                else message("No agent has memory here.")
            )
            raise NotFound(message("There is nothing of an agent {name} here.", name=name[:60]), next=says)


STEP_ROWS = 1_000


def iso(at: int | None) -> str | None:
    """Return a time as ISO 8601 in UTC, to the microsecond; None for None."""
    return None if at is None else to_datetime(at).isoformat()


def current_records(wanted: ExportSelection, kind: Kind[Any]) -> Iterator[Any]:
    """Yield the chosen records of a kind that are not retired, including superseded facts."""
    found = archiving.all_records(wanted.db, kind, wanted.chosen)
    for number, record in enumerate(found):
        if number % STEP_ROWS == 0:
            wanted.progress(0, 0, term(kind.label))
        if record.retired_at is None:
            yield record


def own_fields(json_text: str) -> dict[str, Any]:
    """Return properties or metadata without the extra fields of the source."""
    return {name: value for name, value in json.loads(json_text).items() if name != BESIDE}


def records_with_extra_fields(
    wanted: ExportSelection, kind: Kind[Any]
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield the same records, each with the extra fields of its source that no column can store."""
    records = current_records(wanted, kind)
    while batch := list(islice(records, BATCH)):
        apart = archiving.extra_data(wanted.db, [record.id for record in batch])
        for record in batch:
            yield record, apart.get(record.id) or _within(record)


def _within(record: Any) -> dict[str, Any]:
    text = getattr(record, "metadata", None) or getattr(record, "properties", None)
    return dict(json.loads(text).get(BESIDE, {})) if text else {}
