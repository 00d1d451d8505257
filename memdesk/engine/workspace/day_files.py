"""Day files: entries parsed in every dialect, written and read as each system does it, and listed for a person."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path, PurePosixPath

from memdesk.engine.engine import Engine
from memdesk.engine.memory.rows import row_of
from memdesk.engine.workspace import files
from memdesk.engine.workspace.disk import home, layout_of, one_writer
from memdesk.engine.workspace.layouts import WORLD, Days
from memdesk.engine.workspace.writing import current
from memdesk.files.atomic import create
from memdesk.model.document import Document, Workspace
from memdesk.model.errors import BadAsk, NotAllowed, NotFound, Refused
from memdesk.model.instant import from_datetime, to_datetime
from memdesk.model.message import message
from memdesk.model.workspace import AskCalendar, AskDay, Calendar, Day, DayCount, DayEntry, DayFile
from memdesk.model.workspace_files import AskPrompt, DayWritten, PromptPart, PromptText, RewriteFile, WriteDay
from memdesk.store import document_versions
from memdesk.store.connection import Connection

_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$")
_FENCE = re.compile(r"^\s*(```|~~~)")
_RULE_LINE = re.compile(r"^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_COMMENT = re.compile(r"^\s*<!--.*-->\s*$")
_BULLET = re.compile(r"^([ \t]*)(?:[-*+•][ \t]+|・[ \t]*|\d{1,3}[.)][ \t]+|\d{1,3}、)(.*)$")
_CHECKBOX = re.compile(r"^\[[ xX]\][ \t]+")
_TIME = re.compile(
    r"^\**[\[(]?(\d{1,2})[:：]([0-5]\d)(?:[:：][0-5]\d)?[ \t]*([ap]m)?[ \t]*(?:UTC|Z)?[\])]?\**"
    r"(?=$|[\s:：–—\-|,，、])[\s:：–—\-|,，、]*",
    re.IGNORECASE,
)
_DATE_NOTE = re.compile(r"[ \t]*[(（]\d{4}-\d{2}-\d{2}[^)）]*[)）]")
_DATE_LABEL = re.compile(r"^(?:date|日期|日付)[ \t]*[:：][ \t]*\d{4}\D\d{1,2}\D\d{1,2}\D?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class DayLine:
    """Entry of a day file. line: its number, from 1. time: HH:MM or "". section: the heading above it."""

    line: int
    time: str
    section: str
    text: str


@dataclass(slots=True)
class _Open:
    """Entry that is still being read. block: everything up to the next heading belongs to it."""

    line: int
    time: str
    section: str
    indent: int
    block: bool = False
    parts: list[str] = field(default_factory=list)

    def is_label(self) -> bool:
        """Return True if this is only a label for the entries nested under it, such as `- Notes:`."""
        words = [part for part in self.parts if part]
        return len(words) == 1 and words[0][-1:] in (":", "：")

    def closed(self) -> Iterator[DayLine]:
        text = "\n".join(self.parts).strip()
        if text:
            yield DayLine(line=self.line, time=self.time, section=self.section, text=text)


def entries_of(text: str) -> tuple[DayLine, ...]:
    """Return every entry of a day file, in file order."""
    return tuple(_Reader().read(text.splitlines()))


class _Reader:
    """Reader that goes through a day file line by line, with at most one entry open."""

    def __init__(self) -> None:
        self.section = ""
        self.label = ""
        self.label_indent = 0
        self.entry: _Open | None = None
        self.fenced = False
        self.after_blank = True
        self.titled = False

    def read(self, lines: list[str]) -> Iterator[DayLine]:
        start = _front_matter(lines)
        for number, line in enumerate(lines[start:], start + 1):
            yield from self._meet(number, line)
        yield from self._close()

    def _meet(self, number: int, line: str) -> Iterator[DayLine]:
        if _FENCE.match(line) or self.fenced:
            self.fenced ^= bool(_FENCE.match(line))
            yield from self._text(number, line, inside=True)
        elif head := _HEADING.match(line):
            yield from self._close()
            self._head(number, len(head[1]), head[2])
        elif not line.strip() or _COMMENT.match(line):
            self._blank()
        elif _RULE_LINE.match(line):
            yield from self._close()
        elif (bullet := _BULLET.match(line)) and not (self.entry and self.entry.block):
            yield from self._bullet(number, len(bullet[1].expandtabs(4)), bullet[2].strip())
        else:
            yield from self._text(number, line, inside=False)
        self.after_blank = not line.strip()

    def _close(self) -> Iterator[DayLine]:
        if self.entry is not None:
            yield from self.entry.closed()
            self.entry = None

    def _head(self, number: int, level: int, title: str) -> None:
        time, rest = split_time(title)
        self.section, self.label = _DATE_NOTE.sub("", rest).strip(), ""
        if time:
            self.entry = _Open(number, time, self.section, 0, block=True)
        elif level == 1 and not self.titled:
            self.section = ""
        self.titled = True

    def _blank(self) -> None:
        if self.entry is not None and self.entry.parts:
            self.entry.parts.append("")

    def _bullet(self, number: int, indent: int, text: str) -> Iterator[DayLine]:
        entry = self.entry
        if entry is not None and indent > entry.indent:
            if not entry.is_label():
                entry.parts.append("- " + text)
                return
            self.label, self.label_indent, self.entry = entry.parts[0].rstrip(":："), entry.indent, None
        elif indent <= self.label_indent:
            self.label = ""
        yield from self._close()
        if _DATE_LABEL.match(text):
            return
        time, rest = split_time(_CHECKBOX.sub("", text))
        self.entry = _Open(number, time, self.label or self.section, indent, parts=[rest] if rest else [])

    def _text(self, number: int, line: str, *, inside: bool) -> Iterator[DayLine]:
        entry = self.entry
        indented = line[:1] in (" ", "\t")
        if entry is None or not (entry.block or inside or indented or not self.after_blank):
            yield from self._close()
            time, rest = split_time(line.strip())
            self.entry = _Open(number, time, self.section, 0, parts=[rest] if rest else [])
        else:
            entry.parts.append(line.rstrip() if inside or entry.block else line.strip())


def split_time(text: str) -> tuple[str, str]:
    """Return a leading time of day as HH:MM, and the rest of the text: `[9:05 pm] tea` is ("21:05", "tea")."""
    found = _TIME.match(text)
    if found is None:
        return "", text
    hour, half = int(found[1]), (found[3] or "").lower()
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour > 23:
        return "", text
    return f"{hour:02}:{found[2]}", text[found.end() :].strip()


def _front_matter(lines: list[str]) -> int:
    """Return the number of lines of YAML front matter at the beginning of a file."""
    if not lines or lines[0].strip() != "---":
        return 0
    return next((n for n, line in enumerate(lines[1:50], 2) if line.strip() == "---"), 0)


AGNX_DAYS, OPENLEGION_DAYS = 3, 2
"""Default number of days that agnx's recall and OpenLegion's load_daily_logs go back."""
DAYS_AT_MOST = 366
_SECTION_RULE = "\n\n---\n\n"
"""Separator between the sections of agnx's recall."""


def write_day(engine: Engine, ask: WriteDay, *, author: str) -> DayWritten:
    """Add an entry to a day file, creating the file as its system does, and read it as facts.

    Raises BadAsk, NotFound, NotAllowed, StorageFailed, and Refused where the system keeps no days or the day is
    full."""
    return add_entry(engine, ask, author=author)


def add_entry(engine: Engine, ask: WriteDay, *, author: str, reads: bool = True) -> DayWritten:
    """Add an entry as `write_day` does. reads: read it as facts; False where the caller stores them."""
    if not ask.text.strip():
        raise BadAsk(message("content is required"), next=message("Say what happened."))
    workspace = home(engine, ask.workspace_id, ask.agent_id, author=author)
    days = days_of(workspace)
    at = _moment(engine, ask.at, days)
    path = _path(engine, workspace, days, at.date())
    values = {"day": at.date().isoformat(), "time": f"{at:%H:%M}", "text": ask.text}
    opening, entry = (form.format(**values) for form in (days.opening, days.entry))
    _refuse_full(engine, workspace, path, opening + entry, days)
    title = message("Day {told}: {list}", told=values["day"], list=" ".join(ask.text.split())[:90])
    done = files.add(
        engine,
        workspace,
        path,
        entry,
        opening=opening,
        author=author,
        title=title,
        key=ask.retry_key,
        carried=None if reads else dict.fromkeys(entry.splitlines(), ""),
    )
    return DayWritten(
        document_id=done.document_id,
        path=path,
        day=at.date(),
        time=values["time"],
        change=done.change,
        repeated=done.repeated,
    )


def days_of(workspace: Workspace) -> Days:
    """Return the day format of this workspace's system. Raises Refused where it keeps no day files."""
    days = layout_of(workspace).days
    if days is None:
        raise Refused(
            message("{layout} keeps no day files.", layout=workspace.layout),
            next=message("Write into one of its other files."),
        )
    return days


def recent(engine: Engine, ask: AskPrompt, *, author: str) -> PromptText:
    """Return the last days and the files that the system reads with them: agnx's recall, OpenLegion's daily
    logs.

    Both begin with the newest day, by the system's own clock. Raises BadAsk, NotFound, NotAllowed, Refused.
    """
    if not 0 <= ask.days <= DAYS_AT_MOST:
        raise BadAsk(message("days lies between 0 and {count}.", count=DAYS_AT_MOST))
    workspace = home(engine, ask.workspace_id, ask.agent_id, author=author)
    days = days_of(workspace)
    today = _moment(engine, None, days).date()
    if workspace.layout in ("agnx", "duragent"):
        return recalled(engine, workspace, ask.days or AGNX_DAYS)
    sections = _days(engine, workspace, days, today, ask.days or OPENLEGION_DAYS)
    return _prompt([(path, f"## Session Log: {day}\n\n{text}") for day, path, text in sections], "\n\n")


def recalled(engine: Engine, workspace: Workspace, back: int) -> PromptText:
    """Return world, curated memory and the last `back` days as agnx writes them, byte for byte; empty sections are
    left out."""
    days = days_of(workspace)
    today = _moment(engine, None, days).date()
    sections: list[tuple[str, str]] = []
    world = _world(engine, workspace)
    if world:
        body = "\n\n".join(f"## {PurePosixPath(path).stem}\n\n{text}" for path, text in world)
        sections.append(("world", f"# World Knowledge\n\n{body}"))
    curated = "MEMORY.md" if workspace.layout == "agnx" else "memory/MEMORY.md"
    if memory := files.text_of(engine, workspace, curated):
        sections.append((curated, f"# Your Memory\n\n{memory}"))
    found_days = _days(engine, workspace, days, today, back)
    if found_days:
        whole = _SECTION_RULE.join(text for _, _, text in found_days)
        sections.append((days.folder, f"# Recent Experiences\n\n{whole}"))
    return _prompt(sections, _SECTION_RULE)


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
            for document, place in document_versions.documents_of(db)
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
        parts=tuple(PromptPart(path=path, size=len(text), shown=len(text)) for path, text in sections),
    )


def _moment(engine: Engine, at: datetime | None, days: Days) -> datetime:
    """Return the time of an entry on the system's own clock; a time without a zone is in the desk's zone."""
    moment = to_datetime(engine.clock() if at is None else from_datetime(at))
    return moment.astimezone(UTC if days.utc else None)


def _path(engine: Engine, workspace: Workspace, days: Days, day: date) -> str:
    return f"{_folder(engine, workspace, days)}/{day.isoformat()}.md".removeprefix("./")


def _folder(engine: Engine, workspace: Workspace, days: Days) -> str:
    """Return the folder of day files: the system's own, or, for a folder of no system, that of its latest day file."""
    if workspace.layout not in ("workspace", "folder"):
        return days.folder
    with engine.store.reading() as db:
        dated = [each for each in document_versions.in_use(db, workspace.id).values() if each.day is not None]
    latest = max(dated, key=lambda each: each.day or "", default=None)
    return days.folder if latest is None else PurePosixPath(latest.path).parent.as_posix()


def _refuse_full(engine: Engine, workspace: Workspace, path: str, more: str, days: Days) -> None:
    if days.characters is None:
        return
    if len(files.text_of(engine, workspace, path) or "") + len(more) > days.characters:
        raise Refused(
            message(
                "{path} would be longer than the {count} characters {layout} lets a day have.",
                path=path,
                count=f"{days.characters:,}",
                layout=workspace.layout,
            ),
            next=message("Shorten the day first, or write it into MEMORY.md."),
        )


_COUNTS_KEPT = 10_000
_counted: dict[str, int] = {}
"""Number of entries by version of a day file. A version never changes, so neither does its count."""


def calendar(engine: Engine, ask: AskCalendar) -> Calendar:
    """Return every day that has an entry, oldest first, from the versions last recorded."""
    with engine.store.reading() as db:
        counts = _counts(db, ask.agents)
    return Calendar(days=tuple(DayCount(day=day, entries=counts[day]) for day in sorted(counts)))


def day(engine: Engine, ask: AskDay) -> Day:
    """Return a day's entries from the files on the disk; edits made outside are recorded first.

    For a file that is gone or can no longer be read, the last recorded version is used."""
    with engine.store.reading() as db:
        found = [
            pair
            for pair in document_versions.documents_of(db, ask.agents)
            if pair[0].day == ask.day.isoformat()
        ]
    texts = [(document, _text(engine, document, workspace)) for document, workspace in found]
    with engine.store.reading() as db:
        others = sorted(_counts(db, ask.agents))
    return Day(
        day=ask.day,
        entries=tuple(entry for document, text in texts for entry in _entries(document, text)),
        files=tuple(
            DayFile(document_id=document.id, agent_id=document.agent_id, path=document.path, size=len(text))
            for document, text in texts
        ),
        previous=next((other for other in reversed(others) if other < ask.day), None),
        next=next((other for other in others if other > ask.day), None),
    )


def _entries(document: Document, text: str) -> list[DayEntry]:
    return [
        row_of(DayEntry, each, document_id=document.id, agent_id=document.agent_id)
        for each in entries_of(text)
    ]


def _text(engine: Engine, document: Document, workspace: Workspace) -> str:
    try:
        return current(engine, document, workspace).text
    except (NotFound, Refused):
        with engine.store.reading() as db:
            return document_versions.text_of(db, document.content_hash)


def _counts(db: Connection, agents: tuple[str, ...]) -> Counter[date]:
    """Return the number of entries of each day that has any."""
    counts: Counter[date] = Counter()
    for document, _ in document_versions.documents_of(db, agents):
        if document.day is not None:
            counts[date.fromisoformat(document.day)] += _count(db, document.content_hash)
    return +counts


def _count(db: Connection, content_hash: str) -> int:
    known = _counted.get(content_hash)
    if known is None:
        if len(_counted) >= _COUNTS_KEPT:
            _counted.clear()
        known = _counted[content_hash] = len(entries_of(document_versions.text_of(db, content_hash)))
    return known


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
            message("Cannot update {path}. Agents can only update: {only}", path=ask.path, only=only),
            next=message("Write a day entry instead."),
        )
    if len(ask.text) > CHARACTERS_AT_MOST:
        raise Refused(
            message(
                "{path} may have {count} characters at most.", path=ask.path, count=f"{CHARACTERS_AT_MOST:,}"
            )
        )
    with one_writer:
        _back_up(engine, workspace, ask.path)
        files.rewrite(
            engine,
            workspace,
            ask.path,
            ask.text,
            author=author,
            title=message("Rewrote {path}", path=ask.path),
        )
        note = WriteDay(text=f"Updated workspace file: {ask.path}", workspace_id=workspace.id)
        return write_day(engine, note, author=author)


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
