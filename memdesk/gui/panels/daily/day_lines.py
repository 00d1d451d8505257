"""Entries of a day under their headings: time, agent, words. The chosen line offers to become a fact."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from pathlib import Path, PurePosixPath

from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QPainter, QResizeEvent

from memdesk.api import workspace
from memdesk.gui import icons, look
from memdesk.gui.editor.version_history import plain_ends
from memdesk.gui.keys import on_key
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, RowState
from memdesk.gui.widgets.badges import author, paint_tag, tag_width
from memdesk.gui.widgets.grouped_rows import Grouped
from memdesk.gui.widgets.paint import draw_text
from memdesk.gui.widgets.paper import PITCH_PX, plain_line, wrap_text
from memdesk.model.errors import NotFound, Refused
from memdesk.model.workspace import Day, DayEntry, FileRow, FileText, ListFiles, ReadFile, WorkspaceRow

CLAIM_CHARACTERS = 2_000
"""Longest claim that the engine accepts."""
_LABEL = re.compile(
    r"^(?:correction|decision|decided|fact|note|todo|done|learned|user request|completed|用户请求|完成事项|决定|更正"
    r"|备注|記録|決定|メモ)\s*[:：]\s*",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"\b(?:will|going to|tomorrow|next (?:week|month|year)|due|by (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
    r"|明天|下周|下个月|来週|来月|明日",
    re.IGNORECASE,
)
_CATEGORIES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "decision",
        re.compile(r"^(?:decision|decided|决定|決定)|\b(?:decided|we chose|agreed)\b", re.IGNORECASE),
    ),
    (
        "constraint",
        re.compile(r"\b(?:never|must|must not|only|allergic|always)\b|不能|必须|必ず", re.IGNORECASE),
    ),
    ("preference", re.compile(r"\b(?:prefers?|likes?|rather|wants)\b|喜欢|想要|好き", re.IGNORECASE)),
)


def claim_of(text: str) -> str:
    """Return the words of a line as one line: without markdown, without a leading label such as “Decision:”."""
    return _LABEL.sub("", plain_line(text))[:CLAIM_CHARACTERS]


def category_of(text: str) -> str:
    """Return a first guess of the category of a line; "fact" if no pattern matches."""
    return next((name for name, pattern in _CATEGORIES if pattern.search(text)), "fact")


def temporal_of(text: str) -> str:
    """Return "future" if a line is about the future, otherwise "current"."""
    return "future" if _FUTURE.search(text) else "current"


def channel_of(section: str, text: str, channels: Iterable[str]) -> str | None:
    """Return the channel named in a line or its heading, the longest name first; None for none."""
    said = f"{section}\n{text}".lower()
    named = sorted((name for name in channels if not name.startswith("_")), key=len, reverse=True)
    return next(
        (name for name in named if name.lower() in said or name.lower().replace("-", " ") in said), None
    )


def names_in(text: str) -> tuple[str, ...]:
    """Return names typed with commas between them, each once."""
    parts = (part.strip() for part in re.split(r"[,，、;；]", text))
    return tuple(dict.fromkeys(part for part in parts if part))


MEMORY = "MEMORY.md"
SECTION, WRITTEN_BY_AGENTS = "## From the daily logs", "## Auto-extracted"
"""Headings of a person's lines and of the lines that OpenLegion adds, which it may cut; a person's lines come
first."""
LEARNED = {"errors": marked("Learned from errors"), "corrections": marked("Learned from corrections")}
_LESSON = re.compile(r"^- \[(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})\] (.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
"""Format of a lesson as OpenLegion writes it; its context and its correction follow on indented lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedFiles:
    """Contents of related files. memories: each agent's long-term file; claims: the claims in its list lines;
    lessons: of one day."""

    memories: Mapping[str | None, FileText] = field(default_factory=dict)
    claims: Mapping[str | None, frozenset[str]] = field(default_factory=dict)
    lessons: tuple[DayEntry, ...] = ()

    def holds(self, entry: DayEntry) -> bool:
        """Return True if the long-term file of the line's agent contains the line already."""
        return claim_of(entry.text) in self.claims.get(entry.agent_id, frozenset())


async def read_related(session: Session, day: Day, folders: Iterable[WorkspaceRow]) -> RelatedFiles:
    found = (await session.call(workspace.FILES, ListFiles(agents=session.agents))).rows
    homes = {
        each.id
        for each in folders
        for file in day.files
        if each.agent_id == file.agent_id and Path(each.path, file.path).is_file()
    }
    memories = _memories(found, homes)
    taught = [row for row in found if row.layer == "learnings"]
    texts = await asyncio.gather(*(_read(session, row) for row in (*memories, *taught)))
    lessons = [lesson for file in texts[len(memories) :] if file for lesson in lessons_of(file, day.day)]
    kept = {file.agent_id: file for file in texts[: len(memories)] if file}
    claims = {agent: claims_in(file.text) for agent, file in kept.items()}
    return RelatedFiles(memories=kept, claims=claims, lessons=tuple(lessons))


def _memories(rows: Iterable[FileRow], homes: set[str]) -> list[FileRow]:
    """Return one long-term file per agent: of several folders the one that contains the day file."""
    found: dict[str | None, FileRow] = {}
    for row in rows:
        if PurePosixPath(row.path).name == MEMORY and (
            row.agent_id not in found or row.workspace_id in homes
        ):
            found[row.agent_id] = row
    return list(found.values())


async def _read(session: Session, row: FileRow) -> FileText | None:
    with suppress(NotFound, Refused):
        return await session.call(workspace.READ, ReadFile(document_id=row.document_id))
    return None


def lessons_of(file: FileText, day: date) -> Iterator[DayEntry]:
    """Yield the lessons of a day, as entries under a heading of their own."""
    kind = LEARNED.get(PurePosixPath(file.path).stem)
    text = plain_ends(file.text)
    for found in _LESSON.finditer(text):
        if found[1] == day.isoformat():
            yield DayEntry(
                document_id=file.document_id,
                agent_id=file.agent_id,
                line=text.count("\n", 0, found.start()) + 1,
                time=found[2],
                section=tr(kind) if kind else file.path,
                text="\n".join(line.strip() for line in found[3].split("\n")),
            )


def claims_in(text: str) -> frozenset[str]:
    """Return the claims in the list lines of a file."""
    lines = (line.strip() for line in text.splitlines())
    return frozenset(claim_of(line[2:]) for line in lines if line.startswith(("- ", "* ")))


def with_line(text: str, claim: str) -> str:
    """Return a long-term file with another line, in its section of lines from the logs."""
    lines = plain_ends(text).rstrip("\n").split("\n")
    if SECTION in lines:
        at = _end_of(lines, lines.index(SECTION))
        lines[at:at] = [f"- {claim}"]
    else:
        at = lines.index(WRITTEN_BY_AGENTS) if WRITTEN_BY_AGENTS in lines else len(lines)
        gap = [""] if at and lines[at - 1].strip() else []
        lines[at:at] = [*gap, SECTION, "", f"- {claim}", *([""] if at < len(lines) else [])]
    return "\n".join(lines).lstrip("\n") + "\n"


def _end_of(lines: list[str], heading: int) -> int:
    """Return the index behind the last line with words of a section."""
    rest = (n for n in range(heading + 1, len(lines)) if lines[n].startswith("#"))
    end = next(rest, len(lines))
    while end > heading + 1 and not lines[end - 1].strip():
        end -= 1
    return end


SHOWN_AT_ONCE = 500
HEADING_PX, MORE_PX = 37, 40
PAD_PX, ABOVE_PX = 20, 7
MARK_X, TEXT_X = 52, 80
RESERVED_PX = 296
"""Width kept free at the right of a line, for its buttons."""
RESERVED_NARROW_PX = 84
WIDE_FROM_PX = 840
GAP_PX = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """Heading of a group of lines: its title, its agent, and the number of lines."""

    title: str
    agent: str
    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An entry. fact: id of the fact that was made of it in this window, empty for none.

    kept: its agent's long-term file contains it too."""

    entry: DayEntry
    fact: str = ""
    kept: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class More:
    """Row that shows more lines of a very long day. next: number of lines it adds; left: number of hidden
    lines."""

    next: int
    left: int


DayRow = Heading | Line | More


def rows_of(entries: Sequence[DayEntry], line_of: Callable[[DayEntry], Line], shown: int) -> list[DayRow]:
    """Return headings and lines through the day, at most `shown` lines. line_of: turns an entry into a Line
    with its present state."""
    rows: list[DayRow] = []
    left = shown
    for group in by_time(entries):
        members = group[: max(0, left)]
        left -= len(members)
        if members:
            first = members[0]
            rows.append(
                Heading(title=first.section or tr("Notes"), agent=first.agent_id or "", lines=len(group))
            )
            rows += [line_of(entry) for entry in members]
    if len(entries) > shown:
        hidden = len(entries) - shown
        rows.append(More(next=min(SHOWN_AT_ONCE, hidden), left=hidden))
    return rows


def by_time(entries: Sequence[DayEntry]) -> list[list[DayEntry]]:
    """Group entries by heading, the groups in the order in which they begin.

    A group without a time stays behind the group above it in its file."""
    groups: list[tuple[str, list[DayEntry]]] = []
    began: dict[str, str] = {}
    for (document, _), found in groupby(entries, key=lambda each: (each.document_id, each.section)):
        members = list(found)
        began[document] = next((each.time for each in members if each.time), began.get(document, ""))
        groups.append((began[document], members))
    return [members for _, members in sorted(groups, key=lambda group: group[0])]


def same_entry(one: Line, other: Line) -> bool:
    """Return True if two lines are the same entry, even if lines were added above it since."""
    a, b = one.entry, other.entry
    return (a.document_id, a.time, a.text) == (b.document_id, b.time, b.text)


class DayLines(Grouped):
    """List of a day's lines. `fact_asked` carries the entry of a line that is to become a fact, and
    `fact_made` of a line that is to become a fact at once (F); `fact_shown` the id of the fact that was
    made of a line before; `kept` the entry of a line that is to be added to the long-term file (M);
    `more_asked` is the press of the last row. shape_of: the shape number of an agent's mark."""

    fact_asked = Signal(object)
    fact_made = Signal(object)
    kept = Signal(object)
    fact_shown = Signal(str)
    more_asked = Signal()

    def __init__(self, shape_of: Callable[[str], int]) -> None:
        self._shape_of, self.sought = shape_of, ""
        super().__init__(
            _row_text,
            self._paint,
            self._height_of,
            name=tr("Entries"),
            headings=Heading,
            pad=PAD_PX,
            hairlines=True,
        )
        self.make = Control(
            "primary",
            tr("Make a fact"),
            "plus",
            keys="Enter",
            small=True,
            tip=tr("Enter opens it first, F at once"),
        )
        self.make_short = Control(
            "primary", icon="plus", small=True, tip=tr("Make a fact: Enter opens it first, F at once")
        )
        self.keep = Control("button", MEMORY, "file", keys="M", small=True)
        self.keep_short = Control("button", icon="file", small=True, tip=tr("Into MEMORY.md, M"))
        for button, act in (
            (self.make, self._act),
            (self.make_short, self._act),
            (self.keep, self._keep),
            (self.keep_short, self._keep),
        ):
            button.setParent(self.viewport())
            button.hide()
            button.clicked.connect(act)
        for keys, act in (("F", self._make), ("M", self._keep)):
            on_key(keys, act, self, inside=True)
        self.picked.connect(lambda _: self._place_button())
        self.opened.connect(lambda _: self._act())
        self.verticalScrollBar().valueChanged.connect(lambda _: self._place_button())

    def show_rows(self, rows: Sequence[DayRow], *, same_day: bool) -> None:
        """Show a day. same_day: the choice and the scroll position stay."""
        chosen, top = self.record(), self.verticalScrollBar().value()
        self.set_rows(rows)
        self.clearSelection()
        self.setCurrentIndex(self.rootIndex())
        if same_day:
            self._choose_again(chosen)
            self.verticalScrollBar().setValue(top)
        else:
            self.scrollToTop()
        self._place_button()

    def _choose_again(self, chosen: DayRow | None) -> None:
        """Choose the same entry, which may be on another line by now."""
        if isinstance(chosen, Line):
            rows = self.rows.rows()
            found = (n for n, row in enumerate(rows) if isinstance(row, Line) and same_entry(row, chosen))
            if (place := next(found, None)) is not None:
                self.choose(place)

    # Acting on a line.

    def _act(self) -> None:
        match self.record():
            case Line(fact="", entry=entry):
                self.fact_asked.emit(entry)
            case Line(fact=fact):
                self.fact_shown.emit(fact)
            case More():
                self.more_asked.emit()

    def _make(self) -> None:
        row = self.record()
        if isinstance(row, Line) and not row.fact:
            self.fact_made.emit(row.entry)

    def _keep(self) -> None:
        row = self.record()
        if isinstance(row, Line) and not row.kept:
            self.kept.emit(row.entry)

    def seek(self, words: str) -> None:
        """Highlight every occurrence of these words."""
        self.sought = words
        self.viewport().update()

    def _place_button(self) -> None:
        """Place the buttons in the chosen line, next to its first line of words."""
        row = self.record()
        wide = self.viewport().width() >= WIDE_FROM_PX
        shown, others = (self.make, self.keep), (self.make_short, self.keep_short)
        if not wide:
            shown, others = others, shown
        for other in others:
            other.hide()
        area = self.visualRect(self.currentIndex())
        right = self.viewport().width() - PAD_PX
        for button, done in zip(shown, ("fact", "kept"), strict=True):
            button.setVisible(isinstance(row, Line) and not getattr(row, done))
            if button.isVisible():
                size = button.sizeHint()
                right -= size.width()
                button.setGeometry(right, area.y() + 6, size.width(), size.height())
                right -= GAP_PX

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the buttons at the right."""
        super().resizeEvent(event)
        self._place_button()

    # Painting.

    def _free(self, area: QRectF) -> float:
        """Return the right edge of the free space in the chosen line: its buttons are to the right of it."""
        buttons = (self.make, self.make_short, self.keep, self.keep_short)
        shown = [float(button.x() - GAP_PX) for button in buttons if button.isVisible()]
        return min(shown, default=area.right())

    def _room(self, wide: int) -> int:
        reserved = RESERVED_PX if wide >= WIDE_FROM_PX else RESERVED_NARROW_PX
        return max(80, wide - PAD_PX - TEXT_X - reserved)

    def _height_of(self, row: DayRow, wide: int) -> int:
        match row:
            case Heading():
                return HEADING_PX
            case More():
                return MORE_PX
            case Line(entry=entry):
                return wrap_text(entry.text, self._room(wide)).height + 2 * ABOVE_PX
        return HEADING_PX

    def _paint(self, painter: QPainter, area: QRectF, row: DayRow, state: RowState) -> None:
        match row:
            case Heading():
                _paint_heading(painter, area, row)
            case More():
                words = _more(row)
                draw_text(painter, area, words, look.font(12), c("acc"))
            case Line():
                self._paint_line(painter, area, row, state)

    def _paint_line(self, painter: QPainter, area: QRectF, line: Line, state: RowState) -> None:
        entry, top = line.entry, area.y() + ABOVE_PX
        time = QRectF(area.x(), top, MARK_X - 8, PITCH_PX)
        draw_text(painter, time, entry.time, look.font(13, tabular=True), c("t3"))
        if entry.agent_id:
            mark = QRectF(area.x() + MARK_X, top + 2, 16, 16)
            author(painter, mark, entry.agent_id, self._shape_of(entry.agent_id), "agent")
        words = wrap_text(entry.text, self._room(self.viewport().width()))
        for place in words.places(self.sought) if self.sought else ():
            painter.fillRect(place.translated(area.x() + TEXT_X, top), c("warnbg"))
        words.draw(painter, QPointF(area.x() + TEXT_X, top), "t1")
        right = self._free(area) if state.selected else area.right()
        if line.fact:
            right = _paint_result_tag(painter, right, top, "link", tr("%Ln fact(s)", "", 1))
        if line.kept:
            _paint_result_tag(painter, right, top, "file", MEMORY)


def _more(row: More) -> str:
    return tr("Show {next} more of {left}", next=f"{row.next:,}", left=f"{row.left:,}")


def _row_text(row: DayRow) -> str:
    match row:
        case Heading():
            return ", ".join(
                part for part in (row.title, row.agent, tr("%Ln line(s)", "", row.lines)) if part
            )
        case More():
            return _more(row)
        case Line(entry=entry):
            said = " ".join(part for part in (entry.time, entry.agent_id, entry.text) if part)
            became = [tr("a fact was made of it")] * bool(row.fact)
            became += [tr("it stands in {file}", file=MEMORY)] * row.kept
            return ", ".join([said, *became])


def _paint_heading(painter: QPainter, area: QRectF, heading: Heading) -> None:
    line = area.adjusted(0, 3, 0, 0)
    taken = draw_text(painter, line, heading.title, look.font(12, 600), c("t1"))
    note = " · ".join(part for part in (heading.agent, tr("%Ln line(s)", "", heading.lines)) if part)
    draw_text(painter, line.adjusted(taken + 10, 0, 0, 0), note, look.font(12), c("t3"))


def _paint_result_tag(painter: QPainter, right: float, top: float, icon: str, words: str) -> float:
    """Paint a tag for the result of a line, ending at a right edge. Returns the right edge that remains."""
    wide = tag_width(words) + 18
    tag = QRectF(right - wide, top + 1, wide, 18)
    paint_tag(painter, tag, "", "plain")
    icons.paint(painter, icon, QPointF(tag.x() + 5, top + 4), "t2", 12)
    draw_text(painter, tag.adjusted(21, 0, 0, 0), words, look.font(11), c("t2"))
    return tag.x() - GAP_PX
