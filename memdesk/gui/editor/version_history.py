"""History of a file: its versions, and the difference between any two of them or with the unsaved text."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from PySide6.QtCore import QRectF, QSignalBlocker, Signal
from PySide6.QtGui import QPainter, QResizeEvent

from memdesk.api import workspace
from memdesk.gui import formatting, look
from memdesk.gui.editor.authors import Author, author_of
from memdesk.gui.editor.compare_view import Detail, DiffView, SidesView
from memdesk.gui.editor.text_compare import Comparison, as_single_hunk, compare, sides_of, three_sides
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.newest import Newest
from memdesk.gui.session import Session
from memdesk.gui.widgets import (
    Control,
    Ground,
    List,
    RowState,
    Segments,
    Splitter,
    Text,
    author,
    column,
    pages,
    row,
)
from memdesk.gui.widgets.paint import RIGHT, draw_text, text_width
from memdesk.gui.widgets.toolbar import Summary, Toolbar
from memdesk.model.errors import MemDeskError
from memdesk.model.workspace import FileText, ReadVersion

ROW_PX = 28
MARK_PX = 16
MOVED_PX = 62
WHEN_FROM_PX = 250


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRow:
    """Row of the list. id: the change that made the version, 0 for the unsaved text. at: None for now.

    is_base: other versions are compared with this one. beside: a conflicting text that was kept but never
    became the file."""

    id: int
    content_hash: str
    label: str
    author: Author
    at: datetime | None
    added: int
    removed: int
    is_base: bool = False
    beside: bool = False

    @property
    def name(self) -> str:
        """Return the author's name, with notes about a conflict and a comparison."""
        known = [tr("clashed, kept beside")] * self.beside + [tr("compared")] * self.is_base
        return ", ".join([self.author.name, *known])


def changed_lines_text(added: int, removed: int) -> str:
    """Return the changed lines in short form: “+3”, “−2”, “+1 −1”; empty if there are none."""
    return " ".join(
        part for part in (f"+{added:,}" if added else "", f"−{removed:,}" if removed else "") if part
    )


def when(at: datetime | None) -> str:
    """Return a time in short form: “now”, “today 08:52”, “yesterday 21:10”, “18 Nov 19:02”."""
    if at is None:
        return tr("now")
    days = {date.today(): tr("today"), date.today() - timedelta(days=1): tr("yesterday")}
    day = days.get(formatting.local(at).date())
    return f"{day} {formatting.clock(at)}" if day else formatting.minute(at)


def accessible_text(row: VersionRow) -> str:
    """Return a row as text for a screen reader."""
    parts = (row.label, row.name, when(row.at), changed_lines_text(row.added, row.removed))
    return ", ".join(part for part in parts if part)


class VersionsList(List):
    """List of selectable versions. Enter or a double click restores one."""

    def __init__(self) -> None:
        super().__init__(
            accessible_text, _paint, name=tr("Versions"), token="stage", row_px=ROW_PX, hairlines=False
        )


def _paint(painter: QPainter, area: QRectF, row: VersionRow, state: RowState) -> None:
    label = draw_text(painter, area, row.label, look.font(12, 600), c("t1"))
    mark = QRectF(area.x() + max(30, label + 10), round(area.center().y() - MARK_PX / 2), MARK_PX, MARK_PX)
    author(painter, mark, row.author.name, row.author.shape, row.author.who)
    face = look.font(12, tabular=True)
    lines = changed_lines_text(row.added, row.removed)
    wide = max(MOVED_PX, text_width(lines, face))
    right = QRectF(area.right() - wide, area.y(), wide, area.height())
    draw_text(painter, right, lines, face, c("t2"), RIGHT)
    at = when(row.at) if area.width() >= WHEN_FROM_PX else ""
    wide = text_width(at, face) if at else 0
    draw_text(painter, QRectF(right.x() - 8 - wide, area.y(), wide, area.height()), at, face, c("t3"), RIGHT)
    name = QRectF(mark.right() + 6, area.y(), right.x() - 20 - wide - mark.right(), area.height())
    draw_text(painter, name, row.name, look.font(12), c("t2"))


HEAD_PX = 34
LIST_PX, LEAST_PX = 358, 210
LIST_BESIDE_THREE_PX = 1000
UNSAVED = 0
TEXTS_KEPT = 60


class VersionHistory(Ground):
    """Versions at the left, a difference at the right. The signal `restored` carries the text of a version to
    restore."""

    restored = Signal(str)

    def __init__(self, session: Session) -> None:
        self._session = session
        self._file: FileText | None = None
        self._unsaved: str | None = None
        self._texts: dict[str, str] = {}
        self._base: int | None = None
        self._moved = (0, 0)
        self._comparison = Comparison()
        self._labels: tuple[str, ...] = ()
        self._clash: tuple[str, str] | None = None
        self._work = Newest(session)
        self._build()
        self.versions.picked.connect(lambda _: self._compare())
        self.versions.opened.connect(lambda row: self._restore(row) if row.id != UNSAVED else None)
        self.restore.clicked.connect(lambda: self._restore(self.versions.record()))
        self.compare_two.clicked.connect(self._choose_base)
        self._detail.chosen.connect(lambda _: self._show())

    def _build(self) -> None:
        self._listed = self._list_side()
        self._splitter = Splitter(self._listed, self._diff_side(), grows=1)
        self._splitter.setSizes([LIST_PX, 600])
        super().__init__("stage", "top", column(self._splitter, gap=0, margins=(0, 1, 0, 0)))

    def _list_side(self) -> Ground:
        self._since = Text("", 12, "t3")
        words = row(Text(tr("Versions"), 12, "t2", weight=600), None, self._since, margins=(16, 0, 16, 1))
        head = Ground("stage", "bottom", words, height=HEAD_PX)
        self.versions = VersionsList()
        self.restore = Control("button", tr("Restore"), "undo", small=True)
        self.compare_two = Control("ghost", tr("Compare two"), small=True)
        buttons = row(self.restore, self.compare_two, None, gap=8, margins=(16, 6, 16, 10))
        side = Ground("stage", layout=column(head, 4, self.versions, buttons, gap=0))
        side.setMinimumWidth(LEAST_PX)
        return side

    def _diff_side(self) -> Ground:
        self._title = Text("", 12, "t2", weight=600)
        self._summary = Summary("", 12, "t3", elide=True)
        ways = (("lines", tr("Lines")), ("words", tr("Words")), ("sides", tr("Side by side")))
        self._detail = Segments(ways, name=tr("Difference by"))
        words = row(
            self._title, self._summary, self._detail, gap=12, margins=(16, 0, 10, 1), stretch=self._summary
        )
        head = Toolbar(words, edges="bottom", height=HEAD_PX)
        self.diff, self.sides = DiffView(), SidesView()
        self._shown = pages(self.diff, self.sides)
        side = Ground("stage", layout=column(head, self._shown, gap=0))
        side.setMinimumWidth(LEAST_PX)
        return side

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the list of versions if three texts side by side need its space."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        self._listed.setVisible(self._clash is None or self.width() >= LIST_BESIDE_THREE_PX)

    # What is shown.

    def show_file(self, file: FileText) -> None:
        """Show the versions of a file; the selection stays if the file is the same as before."""
        if self._file is None or self._file.document_id != file.document_id:
            self._texts, self._unsaved = {}, None
            self._set_base(None)
        if self._clash is not None:
            self._clash = None
            self._detail.set_value("lines")
            self._arrange()
        self._file = file
        self._texts[file.content_hash] = file.text
        self._list(follow=True)

    def show_clash(self, base: str, theirs: str) -> None:
        """Show a conflict: the base, the unsaved text and the file on the disk side by side."""
        self._clash = (base, theirs)
        self._detail.set_value("sides")
        self._arrange()

    def show_unsaved(self, text: str | None) -> None:
        """Show the unsaved text among the versions; None if there is none."""
        appeared, self._unsaved = text is not None and self._unsaved is None, text
        if text is None and self._base == UNSAVED:
            self._set_base(None)
        self._moved = (0, 0) if text is None else self._moved
        self._list(follow=appeared)

    def _list(self, *, follow: bool) -> None:
        """Fill the list. follow: select its first row if the first was selected before."""
        before, rows = self.versions.record(), self._rows()
        was_first = before is None or self.versions.currentIndex().row() == 0
        with QSignalBlocker(self.versions):
            self.versions.rows.set_rows(rows)
            ids = [row.id for row in rows]
            stays = before is not None and before.id in ids and not (follow and was_first)
            if rows:
                self.versions.choose(ids.index(before.id) if stays else 0)
        self.versions.viewport().update()
        self._compare()

    def _rows(self) -> list[VersionRow]:
        if self._file is None:
            return []
        found = self._file.versions
        self._since.setText(
            tr("{many} since {day}", many=len(found), day=formatting.day(found[-1].at)) if found else ""
        )
        rows = [
            VersionRow(
                id=each.change,
                content_hash=each.content_hash,
                label=f"v{len(found) - place}",
                author=author_of(self._session, each.author),
                at=each.at,
                added=each.added,
                removed=each.removed,
                is_base=each.change == self._base,
                beside=each.beside,
            )
            for place, each in enumerate(found)
        ]
        return [self._unsaved_row(), *rows] if self._unsaved is not None else rows

    def _unsaved_row(self) -> VersionRow:
        mine = Author(name=self._session.person or tr("you"), shape=0, who="person")
        added, removed = self._moved
        return VersionRow(
            id=UNSAVED,
            content_hash="",
            label=tr("Unsaved"),
            author=mine,
            at=None,
            added=added,
            removed=removed,
            is_base=self._base == UNSAVED,
        )

    # Comparing.

    def _choose_base(self) -> None:
        """Compare the next selections with the version selected now; if called again, with their previous
        versions."""
        chosen = self.versions.record()
        self._set_base(chosen.id if chosen is not None and self._base is None else None)
        self._list(follow=False)

    def _set_base(self, base: int | None) -> None:
        self._base = base
        self.compare_two.setText(tr("Compare two") if base is None else tr("Compare with the one before"))

    def _pair(self) -> tuple[VersionRow | None, VersionRow | None]:
        """Return the two rows to compare, earlier first; None for the earlier one if the later is the first
        version."""
        rows, place = self.versions.rows.rows(), self.versions.currentIndex().row()
        if not 0 <= place < len(rows):
            return None, None
        base = next((n for n, each in enumerate(rows) if each.id == self._base), None)
        if base is not None and base != place:
            return rows[max(base, place)], rows[min(base, place)]
        return rows[place + 1] if place + 1 < len(rows) else None, rows[place]

    def _compare(self) -> None:
        self._work.cancel()
        earlier, later = self._pair()
        self._show_buttons()
        if later is not None:
            self._work.start(self._compared(earlier, later), failed=self._say_failure)

    async def _compared(self, earlier: VersionRow | None, later: VersionRow) -> None:
        after = await self._text(later)
        if earlier is None:
            self._comparison = await asyncio.to_thread(as_single_hunk, after)
            self._labels = (later.label,)
            self._say(later.label, tr("the first version that was kept"))
        else:
            before = await self._text(earlier)
            self._comparison = await asyncio.to_thread(compare, before, after)
            self._labels = (earlier.label, later.label)
            self._say(
                tr("{later} against {earlier}", later=later.label, earlier=earlier.label),
                summary(self._comparison),
            )
            if later.id == UNSAVED and self._base is None:
                self._count_unsaved(self._comparison)
        self._show()

    @property
    def title(self) -> str:
        """Return the title of the comparison, such as “v41 against v40”."""
        return self._title.text()

    def _say(self, title: str, summary: str) -> None:
        self._title.setText(title)
        self._summary.setText(summary)

    def _count_unsaved(self, found: Comparison) -> None:
        self._moved = (found.added, found.removed)
        rows = self.versions.rows.rows()
        if rows and rows[0].id == UNSAVED:
            first = replace(rows[0], added=found.added, removed=found.removed)
            self.versions.rows.set_rows([first, *rows[1:]])

    async def _text(self, row: VersionRow) -> str:
        if row.id == UNSAVED:
            return self._unsaved or ""
        assert self._file is not None
        if row.content_hash not in self._texts:
            ask = ReadVersion(document_id=self._file.document_id, content_hash=row.content_hash)
            kept = (await self._session.call(workspace.VERSION, ask)).text
            while len(self._texts) >= TEXTS_KEPT:
                self._texts.pop(next(iter(self._texts)))
            self._texts[row.content_hash] = kept
        return plain_ends(self._texts[row.content_hash])

    def _show(self) -> None:
        beside = self._detail.value() == "sides"
        self._shown.setCurrentWidget(self.sides if beside else self.diff)
        if not beside:
            detail: Detail = "words" if self._detail.value() == "words" else "lines"
            self.diff.show_comparison(self._comparison, detail)
        elif self._clash is not None and self._unsaved is not None and self._is_latest():
            base, theirs = self._clash
            titles = (tr("Mine, unsaved"), tr("What both began with"), tr("Theirs, on the disk"))
            self.sides.show_sides(titles, three_sides(base, self._unsaved, theirs))
        else:
            self.sides.show_sides(self._labels, sides_of(self._comparison, len(self._labels)))

    def _is_latest(self) -> bool:
        """Return True if the unsaved text is compared with the current file."""
        chosen = self.versions.record()
        return chosen is not None and chosen.id == UNSAVED and self._base is None

    def _say_failure(self, wrong: MemDeskError) -> None:
        self._comparison = Comparison()
        self._say(tr("No difference can be shown"), wrong.sentence)
        self._show()

    # Restoring.

    def _show_buttons(self) -> None:
        chosen = self.versions.record()
        version = chosen if chosen is not None and chosen.id != UNSAVED else None
        now = self._file.content_hash if self._file is not None and self._unsaved is None else ""
        self.restore.setText(tr("Restore {version}", version=version.label) if version else tr("Restore"))
        why_not = tr("The file reads so now.") if version else tr("Choose a version to restore.")
        self.restore.set_enabled(version is not None and version.content_hash != now, why_not)

    def _restore(self, row: VersionRow | None) -> None:
        if row is not None and row.id != UNSAVED and self.restore.isEnabled():
            self._session.spawn(self._put_back(row))

    async def _put_back(self, row: VersionRow) -> None:
        self.restored.emit(await self._text(row))


def plain_ends(text: str) -> str:
    """Return a text with its line ends as line feeds, as the editor needs them; saving keeps the file's own
    line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def summary(found: Comparison) -> str:
    """Return a summary of a comparison: “2 lines changed, 1 added, 10 characters fewer”."""
    changed = min(found.added, found.removed)
    more, gone = found.added - changed, found.removed - changed
    parts = [tr("%Ln line(s) changed", "", changed) if changed else ""]
    parts += [tr("%Ln line(s) added", "", more) if more else ""]
    parts += [tr("%Ln line(s) removed", "", gone) if gone else ""]
    if found.characters and (found.added or found.removed):
        many = abs(found.characters)
        fewer = found.characters < 0
        parts.append(
            tr("%Ln character(s) fewer", "", many) if fewer else tr("%Ln character(s) more", "", many)
        )
    return tr(", ").join(part for part in parts if part) or tr("the same text")
