"""View of a change in the inspector: its fields before and after, thresholds, earlier changes, and the effect
of undoing it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from memdesk.gui import formatting, look
from memdesk.gui.inspectors import fields
from memdesk.gui.inspectors.fields import BOOKKEEPING, KEPT_FIELDS, PROSE, _moved, name_of, value_of
from memdesk.gui.inspectors.links import LinkLine, Links, author_mark, first_openable, secondary_text
from memdesk.gui.inspectors.memory_forms import condition_row
from memdesk.gui.inspectors.past import change_text
from memdesk.gui.inspectors.time_machine import TimeMachine
from memdesk.gui.keys import first_stop
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.terms import capitalised, subject_of, term
from memdesk.gui.widgets import Control, Ground, Scroll, Section, Text, column, row
from memdesk.gui.widgets.paint import LEFT, draw_text
from memdesk.gui.widgets.text import shorten, tip_text
from memdesk.model.browse import Threshold
from memdesk.model.history import EventDetail, EventRow, FieldMove, RecordRef

LINES_AT_MOST = 6
EARLIER_AT_MOST = 5


PITCH_PX = 25
CELL_PX = 24
GAP_PX = 4
NAME_PX = 110
ABSENT = marked("none")


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """Field of a record before and after a change, in words. None: the field had no value."""

    name: str
    before: str | None
    after: str | None

    @property
    def moved(self) -> bool:
        return self.before != self.after


class Diff(QWidget):
    """Rows of field, before, after: changed fields on red and green, then unchanged fields in grey."""

    def __init__(self, rows: Sequence[FieldChange] = ()) -> None:
        super().__init__()
        self._rows: tuple[FieldChange, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_rows(rows)

    def set_rows(self, rows: Sequence[FieldChange]) -> None:
        """Show another change; changed fields come first."""
        self._rows = tuple(sorted(rows, key=lambda row: not row.moved))
        self.setAccessibleName(tr("Before and after"))
        self.setAccessibleDescription("; ".join(_said(row) for row in self._rows))
        self.setFixedHeight(PITCH_PX * len(self._rows))
        self.update()

    def moved(self) -> int:
        """Return the number of changed fields."""
        return sum(row.moved for row in self._rows)

    def sizeHint(self) -> QSize:
        return QSize(308, PITCH_PX * len(self._rows))

    def _cells(self, place: int) -> tuple[QRectF, QRectF, QRectF]:
        """Return the rectangles of name, before and after of a row; a cell that is not shown is null."""
        top = place * PITCH_PX
        name, whole = (
            QRectF(0, top, NAME_PX - 6, CELL_PX),
            QRectF(NAME_PX, top, self.width() - NAME_PX, CELL_PX),
        )
        # What is new has no before, and what is gone no after; the values need the room.
        if all(row.before is None for row in self._rows):
            return name, QRectF(), whole
        if all(row.after is None for row in self._rows):
            return name, whole, QRectF()
        wide = (whole.width() - GAP_PX) / 2
        return (
            name,
            QRectF(NAME_PX, top, wide, CELL_PX),
            QRectF(NAME_PX + wide + GAP_PX, top, wide, CELL_PX),
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for place, change in enumerate(self._rows):
            name, before, after = self._cells(place)
            draw_text(painter, name, change.name, look.font(12), c("t1" if change.moved else "t3"), LEFT)
            for cell, value, tone in ((before, change.before, "bad"), (after, change.after, "ok")):
                if not cell.isNull():
                    _paint_value(painter, cell, value, tone if change.moved else "")

    def event(self, event: QEvent) -> bool:
        """Show the full value in the tool tip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = event.pos().y() // PITCH_PX
            text = _said(self._rows[row]) if 0 <= row < len(self._rows) else ""
            QToolTip.showText(event.globalPos(), tip_text(text), self)
            return True
        return bool(super().event(event))


def _paint_value(painter: QPainter, rect: QRectF, value: str | None, tone: str) -> None:
    toned = bool(tone) and value is not None
    if toned:
        painter.fillRect(rect, c(tone + "bg"))
    ink = c(tone) if toned else c("t2")
    text = tr(ABSENT) if value is None else value
    draw_text(painter, rect.adjusted(8, 0, -4, 0), text, look.font(12, mono=True), ink, LEFT)


def _said(row: FieldChange) -> str:
    before = tr(ABSENT) if row.before is None else row.before
    after = tr(ABSENT) if row.after is None else row.after
    return f"{row.name}: {before} → {after}" if row.moved else f"{row.name}: {after}"


class EventView(QWidget):
    """View of an EventDetail. The signal `undo_asked` carries the number of the change to undo.

    run: the change stands for its whole run, so that the key U belongs to the button that undoes all of it."""

    undo_asked = Signal(int)

    def __init__(self, session: Session, seen: EventDetail, links: Links, *, run: bool = False) -> None:
        super().__init__()
        self.seen = seen
        self._run_key = "U" if run and seen.run_changes > 1 else ""
        self._session, self._links = session, links
        sections = (
            self._claim(),
            self._run(),
            self._before_and_after(),
            self._thresholds(),
            self._returned(),
            self._earlier(),
        )
        content = column(*(part for part in sections if part is not None), None, gap=0)
        self.area = Scroll(Ground("panel", layout=content), "panel")
        self.undo = Control("primary", tr("Undo this"), "undo", keys="" if self._run_key else "U")
        self.open = Control("button", tr("Open memory"), keys="Enter")
        self.restore = Control(
            "link", tr("Restore the desk as of before this…"), tip=tr("See which backup that would be")
        )
        self.compare = Control(
            "link",
            tr("What has changed since…"),
            tip=tr("Compare with before this, and put facts back"),
        )
        self.compare.clicked.connect(lambda: TimeMachine(session, self.window(), links, seen.row.id).open())
        self.footer = self._actions()
        self.restore.clicked.connect(lambda: links.panel("backups", seen.row.at.isoformat()))
        self.setLayout(column(self.area, self.footer, gap=0))

    @property
    def undoable(self) -> bool:
        """Return True if the Undo button has an effect now."""
        row = self.seen.row
        return row.undoable and row.undone_by is None and not self._session.why_not

    # What happened.

    def _claim(self) -> Section:
        event = self.seen.row
        title = Text(shorten(subject_of(event.title)), 15, "t1", weight=500, wrap=True, selectable=True)
        when = Text(formatting.second(event.at), 12, "t2")
        when.setToolTip(formatting.full(event.at))
        kind, _, name = event.author.partition(":")
        by = Text(tr("job {name}", name=name) if kind == "job" else name, 12, "t1", weight=500)
        head = row(when, Text("·", 12, "t3"), author_mark(self._session, event.author), by, None, gap=6)
        notes = [secondary_text(sentence) for sentence in self._notes()]
        return Section("", "", title, head, *notes, gap=6, margins=(16, 14, 16, 14))

    def _notes(self) -> list[str]:
        event, details = self.seen.row, self.seen.details
        notes = []
        if event.undone_by is not None:
            notes.append(tr("Taken back by change #{number}.", number=event.undone_by))
        if event.undoes is not None:
            notes.append(tr("Takes change #{number} back.", number=event.undoes))
        if details.get("reason"):
            notes.append(tr("Reason: {reason}", reason=details["reason"]))
        if details.get("query"):
            notes.append(tr("Asked: “{query}”", query=details["query"]))
        return notes

    def _run(self) -> Section | None:
        """Return the section about the change's run, with links to show it in the timeline and to undo it.
        None if the run has no other change."""
        event = self.seen.row
        if event.run is None or self.seen.run_changes < 2:
            return None
        show = Control("link", tr("Show in the timeline"))
        run = event.run
        show.clicked.connect(lambda: self._links.panel("audit", run))
        says = tr("Its run made %Ln change(s).", "", self.seen.run_changes)
        self.undo_run = Control("button", tr("Undo the whole run"), "undo", small=True, keys=self._run_key)
        self.undo_run.set_enabled(not self._session.why_not, self._session.why_not)
        self.undo_run.clicked.connect(lambda: self._session.spawn(self._session.undo_run(event.id)))
        self.undo_run.setVisible(self.undoable)
        return Section(tr("Run"), show, secondary_text(says), row(self.undo_run, None), gap=8)

    def _before_and_after(self) -> Section | None:
        """Return the section with the changed fields of the main record, and one line for each dependent
        record."""
        groups = [list(group) for _, group in groupby(self.seen.moves, key=lambda move: move.record)]
        if not groups:
            return None
        changes = field_changes(groups[0])
        parts: list[QWidget] = [Diff(changes)] if changes else []
        parts += [change_text(move) for move in fields.prose(groups[0])]
        others = Counter(dependent_line(group) for group in groups[1:])
        shown = others.most_common(LINES_AT_MOST)
        parts += [secondary_text(f"{number} × {line}" if number > 1 else line) for line, number in shown]
        rest = others.total() - sum(number for _, number in shown)
        if rest > 0:
            parts.append(Text(tr("and %Ln more record(s)", "", rest), 11, "t3"))
        moves = sum(change.moved for change in changes)
        return (
            Section(tr("Before and after"), tr("%Ln field(s)", "", moves) if moves else "", *parts)
            if parts
            else None
        )

    def _thresholds(self) -> Section | None:
        found = thresholds_in(self.seen.details)
        if not found:
            return None
        passed = all(each.met for each in found)
        heading = tr("Why it passed") if passed else tr("What it was judged by")
        note = tr("thresholds at that moment")
        return Section(heading, note, column(*(condition_row(each) for each in found), gap=4))

    def _returned(self) -> Section | None:
        if not self.seen.returned:
            return None
        return Section(
            tr("What came back"),
            tr("%Ln memor(y|ies)", "", len(self.seen.returned)),
            *(self._record(each) for each in self.seen.returned),
            gap=0,
        )

    def _record(self, record: RecordRef) -> LinkLine:
        line = LinkLine(record.title, term(record.kind), channel=self._session.channel_number(record.channel))
        line.clicked.connect(lambda: self._links.memory(record.id))
        return line

    def _earlier(self) -> Section | None:
        earlier = self.seen.earlier
        if not earlier:
            return None
        every = Control("link", tr("All in the timeline"))
        record = first_openable(self.seen.records)
        # A promotion makes a copy; what came before is the original's.
        id = self.seen.details.get("fact") or (record.id if record is not None else "")
        every.clicked.connect(lambda: self._links.panel("audit", id))
        lines = [self._past(event) for event in earlier[:EARLIER_AT_MOST]]
        return Section(tr("Same memory, earlier"), every, *lines, gap=0)

    def _past(self, event: EventRow) -> LinkLine:
        kind, _, name = event.author.partition(":")
        is_recall = event.op == "recall"
        words = tr("Recall by {name}", name=name) if is_recall else fields.word(event.op)
        line = LinkLine(
            f"{words}: {event.title}", lead=formatting.minute(event.at), tip=formatting.full(event.at)
        )
        line.clicked.connect(lambda: self._links.event(event.id))
        return line

    # What can be done.

    def take_focus(self) -> None:
        """Give the keyboard focus to the first button."""
        (first_stop(self.footer) or self).setFocus(Qt.FocusReason.OtherFocusReason)

    def _actions(self) -> Ground:
        says = self.seen.if_undone or why_not_undone(self.seen.row)
        heading = Text(tr("If you undo") if self.undoable else tr("Undo"), 12, "t2", weight=600)
        self.undo.set_enabled(self.undoable, self._session.why_not or says)
        self.undo.clicked.connect(lambda: self.undo_asked.emit(self.seen.row.id))
        main = first_openable(self.seen.records)
        is_file = main is not None and main.kind == "document"
        self.open.setText(tr("Open file") if is_file else tr("Open memory"))
        if main is None:
            self.open.hide()
        self.open.clicked.connect(self.open_memory)
        layout = column(
            heading,
            secondary_text(says),
            row(self.undo, self.open, None, gap=8),
            row(self.restore, None),
            row(self.compare, None),
            gap=8,
            margins=(16, 12, 16, 12),
        )
        return Ground("panel", "top", layout)

    def open_memory(self) -> None:
        """Show the memory, or open the file, that this change is about."""
        main = first_openable(self.seen.records)
        if main is not None:
            self._links.record(main)


def dependent_line(moves: list[FieldMove]) -> str:
    """Describe a record that changed together with the main one, in one line."""
    first = moves[0]
    born = all(move.before is None for move in moves)
    gone = all(move.after is None for move in moves)
    title = term(first.title.replace("_", " ").lower()) if first.kind == "relation" else first.title
    kind = capitalised(first.kind)
    if born:
        return tr("{kind} “{title}” added", kind=kind, title=title)
    if gone:
        return tr("{kind} “{title}” taken away", kind=kind, title=title)
    return tr("{kind} “{title}” changed", kind=kind, title=title)


def thresholds_in(details: dict[str, Any]) -> tuple[Threshold, ...]:
    """Return the thresholds of a promotion from a change's details; empty if it has none."""
    kept = details.get("thresholds")
    if not isinstance(kept, dict):
        return ()
    return tuple(
        Threshold(name=name, found=each["found"], needed=each["needed"]) for name, each in kept.items()
    )


def why_not_undone(event: EventRow) -> str:
    if event.undone_by is not None:
        return tr("It was taken back by change #{number}.", number=event.undone_by)
    if event.op == "recall":
        return tr("A recall changes nothing that could be taken back; it stays in the log.")
    return tr("This change cannot be taken back.")


def field_changes(moves: Sequence[FieldMove]) -> list[FieldChange]:
    """Return the field changes that fit a row of before and after."""
    changes = [
        FieldChange(
            name=name_of(move.field),
            before=value_of(move.field, move.before),
            after=value_of(move.field, move.after),
        )
        for move in moves
        if move.field not in BOOKKEEPING and move.field not in PROSE and _worth(move)
    ]
    return [change for change in changes if change.before is not None or change.after is not None]


def _worth(move: FieldMove) -> bool:
    return _moved(move) or move.field in KEPT_FIELDS
