"""List of every agent's files in groups, each with its purpose and how full it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePosixPath

from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QPainter

from memdesk.api import workspace
from memdesk.gui import icons, look
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Option, RowState, paint_bar
from memdesk.gui.widgets.badges import NEAR_LIMIT, author
from memdesk.gui.widgets.drop import ChoiceMenu, open_below
from memdesk.gui.widgets.grouped_rows import Grouped
from memdesk.gui.widgets.paint import LEFT, RIGHT, draw_text, text_width
from memdesk.model.status import Nothing
from memdesk.model.workspace import CreateFile, FileRow, Template

HEADING_PX, FILE_PX = 34, 44
BAR_SHARE = 0.55
PROMPT = ("core", "workspace", "long-term")
"""Layers included in every prompt of an agent."""
LAYERS = {
    "core": marked("Core"),
    "workspace": marked("Workspace"),
    "long-term": marked("Long-term"),
    "learnings": marked("Learnings"),
    "notes": marked("Notes"),
}
ORDER = ("IDENTITY", "SOUL", "USER", "MEMORY", "AGENTS", "TOOLS", "HEARTBEAT")
LEARNINGS = "learnings"


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Heading of a group. short: the note for narrow lists. shape: the shape AgentMark draws for the agent,
    None for an icon."""

    title: str
    note: str
    short: str
    shape: int | None = None
    icon: str = "file"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLine:
    """File in the list. size: of the current text, saved or not."""

    file: FileRow
    note: str
    size: int
    unsaved: bool

    @property
    def id(self) -> str:
        """Return the document's id."""
        return self.file.document_id

    @property
    def name(self) -> str:
        """Return the file name without its folder."""
        return PurePosixPath(self.file.path).name

    @property
    def folder(self) -> str:
        """Return the folder of the file in its workspace, empty at the top."""
        folder = str(PurePosixPath(self.file.path).parent)
        return "" if folder == "." else folder

    @property
    def filled(self) -> float:
        """Return the used share of the budget, 0 if there is no budget."""
        return self.size / self.file.budget if self.file.budget else 0.0


def lines_of(
    files: Sequence[FileRow], shapes: Mapping[str, int], drafts: Mapping[str, int]
) -> list[Group | FileLine]:
    """Return headings and files in order: agent by agent, then the learnings from mistakes.

    shapes: the shape of each agent's mark. drafts: sizes of the unsaved texts by document id."""
    lines: list[Group | FileLine] = []
    own = sorted((file for file in files if file.layer != LEARNINGS), key=_place)
    for (owner, _), found in groupby(own, key=lambda file: (_owner(file), file.workspace_id)):
        members = list(found)
        lines.append(_group(owner, members, shapes.get(owner), drafts))
        lines += [_line(file, tr(LAYERS.get(file.layer, "")), drafts) for file in members]
    learned = sorted((file for file in files if file.layer == LEARNINGS), key=_place)
    if learned:
        lines.append(Group(title=tr("Learnings"), note="", short="", icon=LEARNINGS))
    lines += [_line(file, _owner(file), drafts) for file in learned]
    return lines


def _owner(file: FileRow) -> str:
    return file.agent_id or file.workspace


def _place(file: FileRow) -> tuple[str, str, int, str]:
    stem = PurePosixPath(file.path).stem.upper()
    top = "/" not in file.path and stem in ORDER
    return (
        _owner(file).lower(),
        file.workspace_id,
        ORDER.index(stem) if top else len(ORDER),
        file.path.lower(),
    )


def _group(owner: str, files: list[FileRow], shape: int | None, drafts: Mapping[str, int]) -> Group:
    carried = [file for file in files if file.layer in PROMPT and file.budget]
    size = sum(drafts.get(file.document_id, file.size) for file in carried)
    budget = sum(file.budget or 0 for file in carried)
    short = tr("{size} of {budget}", size=f"{size:,}", budget=f"{budget:,}") if budget else ""
    note = tr("{size} in prompt", size=short) if budget else ""
    return Group(title=owner, note=note, short=short, shape=shape)


def _line(file: FileRow, note: str, drafts: Mapping[str, int]) -> FileLine:
    size = drafts.get(file.document_id, file.size)
    return FileLine(file=file, note=note, size=size, unsaved=file.document_id in drafts)


def fullness(size: int, budget: int | None) -> str:
    """Return the colour token of a size against its budget: “bad” above it, “warn” from NEAR_LIMIT on."""
    share = size / budget if budget else 0.0
    return "bad" if share > 1 else "warn" if share >= NEAR_LIMIT else "t3"


class FilesList(Grouped):
    """List of headings and files."""

    def __init__(self) -> None:
        super().__init__(
            _said,
            _paint,
            lambda line, _: HEADING_PX if isinstance(line, Group) else FILE_PX,
            name=tr("Files"),
            headings=Group,
            token="panel",
            pad=16,
        )

    def files(self) -> Iterator[FileLine]:
        """Return the file lines without the headings."""
        return (line for line in self.rows.rows() if isinstance(line, FileLine))

    def choose_file(self, id: str) -> None:
        ids = [line.id if isinstance(line, FileLine) else "" for line in self.rows.rows()]
        if id in ids:
            self.choose(ids.index(id))


def _said(line: Group | FileLine) -> str:
    if isinstance(line, Group):
        return ", ".join(part for part in (line.title, line.note) if part)
    unsaved = ", " + tr("not saved") if line.unsaved else ""
    return f"{line.file.path}, {line.note}, {_size(line)}{unsaved}"


def _size(line: FileLine) -> str:
    return f"{line.size:,} / {line.file.budget:,}" if line.file.budget else f"{line.size:,}"


def _paint(painter: QPainter, area: QRectF, line: Group | FileLine, state: RowState) -> None:
    if isinstance(line, Group):
        _paint_group(painter, area, line)
    else:
        _paint_file(painter, area, line)


def _paint_group(painter: QPainter, area: QRectF, group: Group) -> None:
    line = area.adjusted(0, 6, 0, 0)
    mark = QRectF(area.x(), round(line.center().y() - 8), 16, 16)
    if group.shape is None:
        icons.paint(painter, group.icon, mark.topLeft(), "t2")
    else:
        author(painter, mark, group.title, group.shape, "agent")
    name = line.adjusted(24, 0, 0, 0)
    taken = draw_text(painter, name, group.title, look.font(12, 600), c("t2"))
    face = look.font(11, tabular=True)
    room = name.adjusted(taken + 10, 0, 0, 0)
    note = group.note if text_width(group.note, face) <= room.width() else group.short
    draw_text(painter, room, note, face, c("t3"), RIGHT)


def _paint_file(painter: QPainter, area: QRectF, line: FileLine) -> None:
    icons.paint(painter, "file", QPointF(area.x(), area.y() + 6), "t3")
    top = QRectF(area.x() + 22, area.y() + 4, area.width() - 22, 20)
    note = draw_text(painter, top, line.note, look.font(11), c("t3"), RIGHT)
    room = top.adjusted(0, 0, -note - 24, 0)
    taken = draw_text(painter, room, line.name, look.font(13), c("t1"), LEFT)
    if line.unsaved:
        painter.setPen(c("acc"))
        painter.setBrush(c("acc"))
        painter.drawEllipse(QRectF(top.x() + taken + 7, round(top.center().y() - 2.5), 5, 5))
    low = QRectF(top.x(), area.y() + 25, top.width(), 14)
    token = fullness(line.size, line.file.budget)
    if line.file.budget:
        bar = QRectF(low.x(), low.y(), round(low.width() * BAR_SHARE), low.height())
        paint_bar(painter, bar, min(1.0, line.filled), "acc" if token == "t3" else token, thick=3)
    size = draw_text(painter, low, _size(line), look.font(11, tabular=True), c(token), RIGHT)
    if line.folder and not line.file.budget:
        draw_text(painter, low.adjusted(0, 0, -size - 12, 0), line.folder, look.font(11), c("t3"), LEFT)


class NewFileButton(Control):
    """Button with a menu of missing files. The signal `begun` carries the id of the new document. One undo
    removes the file."""

    begun = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__("button", tr("New file"), "plus", drop=True)
        self._session = session
        self._templates: tuple[Template, ...] = ()
        self.clicked.connect(self.open_menu)
        self._offer()

    async def load(self) -> None:
        """Load the missing files of the agents selected in the top bar."""
        found = (await self._session.call(workspace.TEMPLATES, Nothing())).rows
        agents = self._session.agents
        self._templates = tuple(each for each in found if not agents or each.agent_id in agents)
        self._offer()

    @property
    def options(self) -> tuple[Option, ...]:
        """Return one option per missing file, grouped by agent."""
        homes = [each.workspace_id for each in self._templates]
        return tuple(
            Option(
                each,
                f"{_template_owner(each)} / {each.path} · {tr(LAYERS[each.layer])}",
                icon="file",
                separator_before=bool(n) and homes[n - 1] != each.workspace_id,
            )
            for n, each in enumerate(self._templates)
        )

    def menu(self) -> ChoiceMenu:
        made = ChoiceMenu(self.options, lambda _: False, staying=False, parent=self)
        made.picked.connect(lambda each: self._session.spawn(self._begin(each)))
        return made

    def open_menu(self) -> None:
        open_below(self.menu(), self)

    async def _begin(self, chosen: Template) -> None:
        ask = CreateFile(workspace_id=chosen.workspace_id, path=chosen.path, text=chosen.text)
        says = tr("Began {file} of {owner}", file=chosen.path, owner=_template_owner(chosen))
        made = await self._session.do(workspace.CREATE, ask, says)
        self.begun.emit(made.document_id)

    def _offer(self) -> None:
        why = tr("The service is away; nothing can be changed.") if self._session.is_away else ""
        none = "" if self._templates else tr("Every standing file is there.")
        self.set_enabled(not (why or none), why or none)


def _template_owner(template: Template) -> str:
    return template.agent_id or template.workspace
