"""Day entries, written and read as each system does it: its clock, its headings or bullets, and how many days
it reads."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import PurePosixPath

from memdesk.engine.engine import Engine
from memdesk.engine.workspace import files
from memdesk.engine.workspace.homes import home, layout_of
from memdesk.engine.workspace.layouts import WORLD, Days
from memdesk.model.diary import AskPrompt, DayWritten, PromptPart, PromptText, WriteDay
from memdesk.model.document import Document, Workspace
from memdesk.model.errors import BadAsk, Refused
from memdesk.model.instant import from_datetime, to_datetime
from memdesk.store import workspaces

AGNX_DAYS, OPENLEGION_DAYS = 3, 2
"""Default number of days that agnx's recall and OpenLegion's load_daily_logs go back."""
DAYS_AT_MOST = 366
_RULE = "\n\n---\n\n"
"""Separator between the sections of agnx's recall."""


def write_day(engine: Engine, ask: WriteDay, *, author: str) -> DayWritten:
    """Add an entry to a day file, creating the file as its system does.

    Raises BadAsk, NotFound, NotAllowed, StorageFailed, and Refused where the system keeps no days or the day
    is full."""
    if not ask.text.strip():
        raise BadAsk("content is required", next="Say what happened.")
    workspace = home(engine, ask.workspace_id, ask.agent_id, author=author)
    days = days_of(workspace)
    at = _moment(engine, ask.at, days)
    path = _path(engine, workspace, days, at.date())
    told = {"day": at.date().isoformat(), "time": f"{at:%H:%M}", "text": ask.text}
    opening, entry = (form.format(**told) for form in (days.opening, days.entry))
    _refuse_full(engine, workspace, path, opening + entry, days)
    title = f"Day {told['day']}: {' '.join(ask.text.split())[:90]}"
    done = files.add(
        engine, workspace, path, entry, opening=opening, author=author, title=title, key=ask.retry_key
    )
    return DayWritten(
        document_id=done.document_id, path=path, day=at.date(), time=told["time"], change=done.change,
        repeated=done.repeated,
    )  # fmt: skip


def days_of(workspace: Workspace) -> Days:
    """Return the day format of this workspace's system. Raises Refused where it keeps no day files."""
    days = layout_of(workspace).days
    if days is None:
        raise Refused(f"{workspace.layout} keeps no day files.", next="Write into one of its other files.")
    return days


def recent(engine: Engine, ask: AskPrompt, *, author: str) -> PromptText:
    """Return the last days and the files that the system reads with them: agnx's recall, OpenLegion's daily
    logs.

    Both begin with the newest day, by the system's own clock. Raises BadAsk, NotFound, NotAllowed, Refused.
    """
    if not 0 <= ask.days <= DAYS_AT_MOST:
        raise BadAsk(f"days lies between 0 and {DAYS_AT_MOST}.")
    workspace = home(engine, ask.workspace_id, ask.agent_id, author=author)
    days = days_of(workspace)
    today = _moment(engine, None, days).date()
    if workspace.layout in ("agnx", "duragent"):
        return _agnx(engine, workspace, days, today, ask.days or AGNX_DAYS)
    told = _days(engine, workspace, days, today, ask.days or OPENLEGION_DAYS)
    return _prompt([(path, f"## Session Log: {day}\n\n{text}") for day, path, text in told], "\n\n")


def _agnx(engine: Engine, workspace: Workspace, days: Days, today: date, back: int) -> PromptText:
    """Return world, curated memory and days as agnx writes them, byte for byte; empty sections are left out."""
    sections: list[tuple[str, str]] = []
    world = _world(engine, workspace)
    if world:
        body = "\n\n".join(f"## {PurePosixPath(path).stem}\n\n{text}" for path, text in world)
        sections.append(("world", f"# World Knowledge\n\n{body}"))
    curated = "MEMORY.md" if workspace.layout == "agnx" else "memory/MEMORY.md"
    if memory := files.text_of(engine, workspace, curated):
        sections.append((curated, f"# Your Memory\n\n{memory}"))
    told = _days(engine, workspace, days, today, back)
    if told:
        whole = _RULE.join(text for _, _, text in told)
        sections.append((days.folder, f"# Recent Experiences\n\n{whole}"))
    return _prompt(sections, _RULE)


def _days(
    engine: Engine, workspace: Workspace, days: Days, today: date, back: int
) -> list[tuple[str, str, str]]:
    """Return (day, path, text) of the last days that have a file, newest first."""
    asked = (today - timedelta(days=n) for n in range(back))
    paths = ((day.isoformat(), f"{_folder(engine, workspace, days)}/{day}.md") for day in asked)
    read = ((day, path, files.text_of(engine, workspace, path)) for day, path in paths)
    return [(day, path, text) for day, path, text in read if text]


def _world(engine: Engine, workspace: Workspace) -> list[tuple[str, str]]:
    """Return (path, text) of the shared world's files for this agent, sorted by the bytes of their names,
    without subfolders."""
    with engine.store.reading() as db:
        found = [
            (document, place)
            for document, place in workspaces.documents_of(db)
            if place.layout == WORLD and place.user_id == workspace.user_id and _shares(place, workspace)
        ]
    flat = sorted((pair for pair in found if _is_topic(pair[0])), key=lambda pair: pair[0].path.encode())
    return [(document.path, files.text_of(engine, place, document.path) or "") for document, place in flat]


def _is_topic(document: Document) -> bool:
    return "/" not in document.path and document.path.endswith(".md")


def _shares(world: Workspace, agent: Workspace) -> bool:
    """Return True if an agent and a world belong to one memory: in agnx they are neighbours, in duragent the
    world is one level deeper."""
    memory = PurePosixPath(world.path).parent
    return PurePosixPath(agent.path).parents[1] in (memory, memory.parent)


def _prompt(sections: list[tuple[str, str]], joint: str) -> PromptText:
    return PromptText(
        text=joint.join(text for _, text in sections),
        parts=tuple(PromptPart(path=path, size=len(text), told=len(text)) for path, text in sections),
    )


def _moment(engine: Engine, at: datetime | None, days: Days) -> datetime:
    """Return the time of an entry on the system's own clock; a time without a zone is in the desk's zone."""
    moment = to_datetime(engine.clock() if at is None else from_datetime(at))
    return moment.astimezone(UTC if days.utc else None)


def _path(engine: Engine, workspace: Workspace, days: Days, day: date) -> str:
    return f"{_folder(engine, workspace, days)}/{day.isoformat()}.md".removeprefix("./")


def _folder(engine: Engine, workspace: Workspace, days: Days) -> str:
    """Return the folder of day files: the system's own, or, for a folder of no system, that of its latest day
    file."""
    if workspace.layout not in ("workspace", "folder"):
        return days.folder
    with engine.store.reading() as db:
        dated = [each for each in workspaces.in_use(db, workspace.id).values() if each.day is not None]
    latest = max(dated, key=lambda each: each.day or "", default=None)
    return days.folder if latest is None else PurePosixPath(latest.path).parent.as_posix()


def _refuse_full(engine: Engine, workspace: Workspace, path: str, more: str, days: Days) -> None:
    if days.characters is None:
        return
    if len(files.text_of(engine, workspace, path) or "") + len(more) > days.characters:
        raise Refused(
            f"{path} would be longer than the {days.characters:,} characters {workspace.layout} lets a day have.",
            next="Shorten the day first, or write it into MEMORY.md.",
        )
