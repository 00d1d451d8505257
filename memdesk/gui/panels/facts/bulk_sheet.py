"""Changes of many memories at once: the bar of actions for the selected rows, and the sheet with its inputs and
a preview of the changes row by row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent

from memdesk.api import curation
from memdesk.gui import formatting
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.shell.act_sheet import TYPED_MS, WORDS, PreviewSheet, preview_sentence
from memdesk.gui.terms import counted
from memdesk.gui.widgets import Control, Drop, Field, Ground, Meter, Option, Text, column, delayed, row
from memdesk.gui.widgets.text import excerpt
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import BULK_AT_MOST, Bulk
from memdesk.model.errors import MemDeskError
from memdesk.model.kinds import BY_NAME
from memdesk.model.status import JobState
from memdesk.model.timeline import TableRow

BAR_PX = 44
KEYS_FROM_PX, ICONS_FROM_PX = 1000, 800
"""Widths from which the bar shows key caps, and icons beside the words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Action for many memories. key: its keyboard shortcut."""

    verb: str
    says: str
    icon: str
    key: str

    def fits(self, kind: str) -> bool:
        """Return True if records of this kind can be acted on so."""
        return self.verb in BY_NAME[kind].acts


ACTS = (
    Act(verb="promote", says=marked("Promote"), icon="promote", key="P"),
    Act(verb="pin", says=marked("Pin"), icon="pin", key="I"),
    Act(verb="tag", says=marked("Tag"), icon="edit", key="T"),
    Act(verb="move", says=marked("Move"), icon="right", key="C"),
    Act(verb="merge", says=marked("Merge"), icon="merge", key="M"),
    Act(verb="quarantine", says=marked("Quarantine"), icon="lock", key="Q"),
    Act(verb="retire", says=marked("Retire"), icon="retire", key="Del"),
    Act(verb="restore", says=marked("Restore"), icon="undo", key="R"),
)
"""Actions in the order of the bar."""


class Chosen(Ground):
    """Bar for the selected rows. Signals: asked carries the verb that was pressed; refused, the reason
    why one cannot be; cleared asks to clear the selection."""

    asked = Signal(str)
    refused = Signal(str)
    cleared = Signal()

    def __init__(self) -> None:
        self._count = Text("", 12, "t1", weight=600)
        self.buttons = {act.verb: Control("button", tr(act.says), act.icon, keys=act.key) for act in ACTS}
        self.clear = Control("ghost", tr("Choose nothing"), keys="Esc")
        super().__init__(
            "panel",
            "top",
            row(self._count, 8, *self.buttons.values(), None, self.clear, margins=(20, 0, 20, 0)),
            height=BAR_PX,
        )
        self.setAccessibleName(tr("What is chosen"))
        for verb, button in self.buttons.items():
            button.clicked.connect(lambda _=False, verb=verb: self.asked.emit(verb))
        self.clear.clicked.connect(lambda: self.cleared.emit())

    def show_chosen(self, number: int, kind: str, *, unpins: bool, retired: bool, why_not: str) -> None:
        """Show the actions for `number` selected rows. unpins: all are pinned; retired: the table shows
        retired rows."""
        self._count.setText(tr("%Ln chosen", "", number))
        for act in ACTS:
            button = self.buttons[act.verb]
            button.setVisible(act.fits(kind) and (act.verb == "restore") == retired)
            button.set_enabled(not why_not, why_not)
        self.buttons["pin"].setText(tr("Unpin") if unpins else tr("Pin"))

    def press(self, verb: str) -> None:
        """Click the button of a verb if it is visible; a disabled one says why."""
        button = self.buttons.get(verb)
        if button is None or button.isHidden() or not self.isVisible():
            return
        if button.isEnabled():
            button.click()
        else:
            self.refused.emit(button.accessibleDescription())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out key caps, then icons, if the words of the buttons need the space."""
        super().resizeEvent(event)
        for act in ACTS:
            button = self.buttons[act.verb]
            button.label.keys = act.key if self.width() >= KEYS_FROM_PX else ""
            button.label.icon = act.icon if self.width() >= ICONS_FROM_PX else ""
            button.updateGeometry()
        self.clear.setText(tr("Choose nothing") if self.width() >= ICONS_FROM_PX else "")


HEIGHT_PX = 304
KEEPERS_SHOWN = 40
"""Limit of memories offered as the one that a merge keeps."""


REASONED = ("promote", "move", "merge", "retire", "quarantine", "restore")


class BulkSheet(PreviewSheet):
    """Sheet that previews and runs an action on many memories. `open` starts it.

    Signals: done reports that it was carried out; closed asks to hide the sheet."""

    done = Signal()
    closed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session, "top", HEIGHT_PX)
        self._verb, self._kind = "retire", "fact"
        self._rows: tuple[TableRow, ...] = ()
        self._ready: Bulk | None = None
        self.heading = Text("", 13, "t1", weight=600)
        self.note = Text("", 12, "t3", elide=True)
        self.channel = Drop(lead=tr("To"), name=tr("To channel"))
        self.keep = Drop(lead=tr("Keep"), name=tr("Keep"))
        self.tags = Field(placeholder=tr("Tags, with commas between"), name=tr("Tags"), width=260)
        self.reason = Field(placeholder=tr("Why, if you like"), name=tr("Reason"), width=260)
        self.meter = Meter(0, width=160, warn_at=2, name=tr("Progress"))
        for drop in (self.channel, self.keep):
            drop.enter_opens = False
        self._typed = delayed(self._look)
        head = row(self.heading, self.note, gap=12, margins=(20, 10, 20, 0), stretch=self.note)
        asked = row(self.channel, self.keep, self.tags, self.reason, None, gap=8, margins=(20, 0, 20, 0))
        footer = row(
            *(self.act, self.cancel, 8, self.meter, self.progress),
            gap=8,
            margins=(20, 0, 20, 10),
            stretch=self.progress,
        )
        self.setLayout(column(head, asked, self.rows, footer, gap=8, stretch=self.rows))
        self.setAccessibleName(tr("Preview"))
        self.channel.chosen.connect(lambda _: self._look())
        self.keep.chosen.connect(lambda _: self._look())
        self.tags.textChanged.connect(lambda _: self._typed.start(TYPED_MS))
        self._session.away.connect(lambda _: self._show_ready(0))
        self._session.back.connect(self._look_again)

    # What is asked.

    def open(self, verb: str, kind: str, rows: Sequence[TableRow]) -> None:
        """Start an action on these rows, and load its preview."""
        self._verb, self._kind, self._rows = verb, kind, tuple(rows)
        self._show_idle()
        self._offer()
        self.model.set_rows(())
        self.heading.setText(f"{tr(WORDS[verb].verb)} {counted(kind, len(rows))}")
        self.meter.hide()
        self.tags.clear()
        self.reason.clear()
        self._show_ready(0)
        self._look()
        first = {"move": self.channel, "tag": self.tags}.get(verb)
        (first or (self.reason if verb in REASONED else self.act)).setFocus(
            Qt.FocusReason.ShortcutFocusReason
        )

    def _offer(self) -> None:
        verb, status = self._verb, self._session.status
        self.channel.setVisible(verb == "move")
        self.keep.setVisible(verb == "merge")
        self.tags.setVisible(verb == "tag")
        self.reason.setVisible(verb in REASONED)
        channels = [
            each
            for each in (status.channels if status else ())
            if (self._kind != "fact" or each.name != GLOBAL)
            and any(row.channel != each.name for row in self._rows)
        ]
        self.channel.set_options([Option(each.name, each.name, channel=each.number) for each in channels])
        keepers = self._rows[:KEEPERS_SHOWN] if verb == "merge" else ()
        self.keep.set_options([Option(each.id, excerpt(each.title)) for each in keepers])

    def ask(self) -> Bulk:
        """Return the request with the current inputs."""
        ids = tuple(each.id for each in self._rows)
        reason = self.reason.text().strip() if self._verb in REASONED else ""
        match self._verb:
            case "move":
                return Bulk(
                    verb="move", ids=ids, channel=str(self.channel.value() or "") or None, reason=reason
                )
            case "merge":
                kept = str(self.keep.value())
                return Bulk(
                    verb="merge", ids=tuple(id for id in ids if id != kept), into_id=kept, reason=reason
                )
            case "tag":
                tags = (" ".join(each.split()) for each in self.tags.text().split(","))
                return Bulk(verb="tag", ids=ids, tags=tuple(dict.fromkeys(each for each in tags if each)))
            case verb:
                return Bulk(verb=verb, ids=ids, reason=reason)

    def _lacks(self, ask: Bulk) -> str:
        """Return a sentence about input that is missing or too large, "" if the request is complete."""
        if len(self._rows) > BULK_AT_MOST:
            return tr("At most %Ln at once. Narrow the table, or choose fewer.", "", BULK_AT_MOST)
        if ask.verb == "tag" and not ask.tags:
            return tr("Say which tags.")
        if ask.verb == "move" and not ask.channel:
            return tr("There is no other channel yet.")
        return ""

    # Looking.

    def _look(self) -> None:
        self._typed.stop()
        self._task.cancel()
        self._ready = None
        ask = self.ask()
        lacks = self._lacks(ask)
        self.note.setText(lacks or tr("Looking what it touches…"))
        self._show_ready(0)
        if lacks:
            self.model.set_rows(())
        else:
            self._task.start(self._preview(ask), failed=self._show_wrong)

    def _look_again(self) -> None:
        """Load the preview again if the sheet is open and its action is not running."""
        if not self.isHidden() and self._job is None:
            self._look()

    async def _preview(self, ask: Bulk) -> None:
        seen = await self._session.call(curation.PREVIEW_BULK, ask)
        self.show_touched(seen.rows)
        self.note.setText(preview_sentence(seen))
        self._show_ready(seen.will)
        self._ready = ask if seen.will else None

    def _show_wrong(self, wrong: MemDeskError) -> None:
        self._show_idle()
        self.note.setText(wrong.sentence)
        self.act.set_enabled(True)
        self.meter.hide()

    def _show_ready(self, will: int) -> None:
        verb = tr(WORDS[self._verb].verb)
        self.act.setText(f"{verb} {formatting.count(will)}" if will else verb)
        why_not = self._session.why_not
        self.act.set_enabled(will > 0 and not why_not, why_not or tr("There is nothing to do yet."))

    # Doing.

    def _previewed(self) -> Bulk | None:
        return self._ready

    def _enter(self) -> None:
        if self.act.isEnabled() and self._acting is None:
            self._session.spawn(self._carry_out(self.ask()))

    def _counted(self, number: int) -> str:
        return counted(self._kind, number)

    def _end(self) -> None:
        self.done.emit()

    def _close(self) -> None:
        self.closed.emit()

    def _show_progress(self, job: JobState) -> None:
        super()._show_progress(job)
        self.meter.setVisible(job.total > 0)
        self.meter.set_value(job.done / job.total if job.total else 0)
