"""Main window: the frame around the panels, and the connections between its parts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QWhatsThis, QWidget

from memdesk.api import history, memory, owner, upkeep
from memdesk.api.curation import BULK, REDO, UNDO
from memdesk.files.places import Desk
from memdesk.gui import appearance
from memdesk.gui.done_action import DoneAction
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.inspectors.memory import MemoryView
from memdesk.gui.inspectors.time_machine import TimeMachine
from memdesk.gui.keys import Key, Keys, next_region
from memdesk.gui.language import tr
from memdesk.gui.panels import PANELS
from memdesk.gui.session import Session
from memdesk.gui.shell import rail
from memdesk.gui.shell.act_sheet import ActSheet
from memdesk.gui.shell.body import Body, Memo, Sides, restore_window, window_state
from memdesk.gui.shell.first_steps import Tour
from memdesk.gui.shell.help_sheet import About, Help
from memdesk.gui.shell.navigation import Navigation, Palette
from memdesk.gui.shell.panel import Panel
from memdesk.gui.shell.rail import OpenQuestionCounter, Rail
from memdesk.gui.shell.repair_page import RepairPage
from memdesk.gui.shell.stage import Stage
from memdesk.gui.shell.status_line import StatusLine, Strips
from memdesk.gui.shell.top_bar import DeskMenu, TopBar, display_name, list_name
from memdesk.gui.shell.tray import Capture, Closing, Tray, come_forward
from memdesk.gui.widgets import Ground, column
from memdesk.gui.widgets.explaining import explanation_links
from memdesk.gui.widgets.path_field import Dropping
from memdesk.model.agent import AnswerAct
from memdesk.model.errors import BadAsk, MemDeskError
from memdesk.model.message import verbatim
from memdesk.model.status import AnswerNotice, Nothing, Status

SIZE = (1440, 900)
LEAST = (1100, 700)
FRAME = (16, 40)
"""Space for the frame that the desktop draws; its real size is known only once the window is shown."""
OVERLAYS = {"search", "act_sheet"}
STRIP_ICONS = {"retire": "retire"}
"""Operations that offer Undo in a strip as well as in the status line, with the strip's icon."""


class Window(QWidget):
    """Window of one desk. The signal `closed` is sent when a person closes it.

    repairs: makes the page that replaces the panels if the desk cannot be served. search: the palette above all
    parts."""

    closed = Signal()

    def __init__(
        self,
        session: Session,
        memo: Memo,
        *,
        repairs: Callable[[], RepairPage] | None = None,
    ) -> None:
        super().__init__()
        self.session, self._memo = session, memo
        self._repairs = repairs
        self.repair_page: RepairPage | None = None
        self.top_bar = TopBar(session)
        self.inspector = Inspector(session)
        self.stage = Stage(session, self.inspector, PANELS, memo.left.get("panels"))
        self.rail = Rail(PANELS)
        self.body = Body(self.rail, self.stage, self.inspector, inspector_px=memo.inspector_px)
        self.sides = Sides(self.body, memo)
        self.status_line = StatusLine(session)
        self.strips = Strips()
        self.notice = self.strips.notice
        self.leading = Navigation(self.stage, self.inspector)
        self.help = Help(self, self.body)
        parts = {"rail": self.rail, "stage": self.stage, "foot": self.status_line, "top": self.top_bar}
        self.tour = Tour(self, memo, parts, self.open_panel)
        self.waiting = OpenQuestionCounter(session, self)
        self.desks = DeskMenu(session, self)
        self.tray = Tray(session, self)
        self._closing = Closing(
            self, stage=self.stage, inspector=self.inspector, strips=self.strips, tray=self.tray
        )
        self._is_laid_out = False
        self._furnish()
        self._wire()
        self.keys = Keys(self, self._keys())
        self._open_as_left()

    def _furnish(self) -> None:
        self.setWindowTitle("MemDesk")
        room = self.screen().availableSize() - QSize(*FRAME)
        self.setMinimumSize(QSize(*LEAST).boundedTo(room))
        self.resize(QSize(*SIZE).boundedTo(room))
        self._middle = middle = column(self.body, gap=0)
        parts = column(self.top_bar, self.strips, middle, self.status_line, gap=0, stretch=middle)
        self.setLayout(column(Ground("win", layout=parts), gap=0))

    def _wire(self) -> None:
        session = self.session
        session.status_changed.connect(self._name)
        session.status_changed.connect(lambda status: self.rail.show_role(status.role))
        session.status_changed.connect(lambda status: self.strips.say_what_stands(status.standing))
        session.status_changed.connect(self._show_asked)
        self.strips.standing.pressed.connect(self._answer_what_stands)
        session.status_changed.connect(lambda _: self.tour.take_up())
        self.strips.asking.pressed.connect(lambda: self._answer_act(allow=True))
        self.strips.asking.examined.connect(lambda: self._answer_act(allow=False))
        session.away.connect(self._show_away)
        session.back.connect(self.strips.say_back)
        session.unserved.connect(self._show_unserved)
        self.strips.standing.examined.connect(lambda: self.examine())
        session.failed.connect(self.strips.notice.show_wrong)
        session.did.connect(self._show_deed)
        session.filters_changed.connect(self.top_bar.show_filters)
        self.strips.away.pressed.connect(session.reconnect)
        self.top_bar.rail_toggled.connect(self.toggle_rail)
        self.top_bar.split_toggled.connect(self.split)
        self.top_bar.inspector_toggled.connect(self.toggle_inspector)
        self.top_bar.help_asked.connect(self.toggle_help)
        self.help.panel_asked.connect(lambda name: self.go(name, ""))
        explanation_links.asked.connect(self.help.explain)
        self.help.closed.connect(self._leave_help)
        self.top_bar.live.pressed.connect(partial(self.go, "who"))
        self.top_bar.search_asked.connect(self.open_search)
        self.top_bar.desks_asked.connect(lambda: self.top_bar.open_below(self.desks.menu()))
        self.top_bar.theme_chosen.connect(partial(appearance.choose, "theme"))
        self.top_bar.language_chosen.connect(partial(appearance.choose, "language"))
        appearance.signals.needs_new_window.connect(self._closing.come_back)
        self.rail.chosen.connect(self.open_panel)
        Dropping(self).dropped.connect(partial(self.go, "transfer"))
        self.stage.turned.connect(self._mark_panel)
        self.waiting.counted.connect(partial(self.rail.show_count, "review"))
        self.waiting.counted.connect(self.tray.show_waiting)
        self.tray.opened.connect(self.come_forward)
        self.tray.captured.connect(lambda: self.capture.open())
        self.tray.reviewed.connect(self._review)
        self.tray.quitted.connect(self.quit)
        self.sides.turned.connect(self.top_bar.inspector.setChecked)
        self.inspector.closed.connect(self.toggle_inspector)
        self.inspector.shown.connect(self.sides.show_inspector)
        self.inspector.undo_asked.connect(session.undo)
        self.inspector.acted.connect(self._leave_action)
        self.inspector.refused.connect(self._say_why)
        self.status_line.undo_asked.connect(session.undo)
        self.status_line.redo_asked.connect(session.redo)
        self.stage.strip.undone.connect(session.undo)

    def _keys(self) -> tuple[Key, ...]:
        return (
            *rail.place_commands(
                PANELS, self.enter_place, lambda name: self.enter_panel(self.rail.first_in(name))
            ),
            *rail.panel_commands(PANELS, self.enter_panel),
            Key(keys="Ctrl+Z", says=tr("Undo"), act=self.session.undo, call=UNDO),
            Key(keys="Ctrl+Shift+Z", says=tr("Redo"), act=self.session.redo, call=REDO),
            Key(keys="Ctrl+B", says=tr("Show or hide names in the rail"), act=self.toggle_rail),
            Key(keys="Ctrl+I", says=tr("Show or hide the inspector"), act=self.toggle_inspector),
            Key(
                keys="Ctrl+Shift+N",
                says=tr("Quick capture"),
                act=lambda: self.capture.open(),
                call=memory.STORE_TURN,
            ),
            Key(keys="Ctrl+Q", says=tr("Quit"), act=self.quit),
            Key(keys="Ctrl+\\", says=tr("Two panels side by side, or one"), act=self.split),
            Key(keys="Ctrl+R", says=tr("Load this panel anew"), act=self.refresh),
            Key(keys="/", says=tr("Filter this panel"), act=self.filter),
            Key(keys="F6", says=tr("Go to the next region"), act=self.next_region),
            Key(keys="Shift+F6", act=lambda: self.next_region(back=True)),
            Key(keys="Ctrl+K", act=self.open_search),
            Key(keys="F1", says=tr("Help for this panel"), act=self.toggle_help),
            Key(says=tr("Tour of the window"), act=self.tour.begin),
            Key(says=tr("About MemDesk"), act=lambda: About(self).open()),
            Key(keys="Shift+F1", says=tr("What is this?"), act=QWhatsThis.enterWhatsThisMode),
            Key(keys="Alt+Left", act=self.inspector.go_back),
            Key(keys="Alt+Right", act=self.inspector.go_forward),
            Key(says=tr("Act on a set of memories in words"), act=lambda: self.act_sheet.open(), call=BULK),
            Key(
                says=tr("Time machine"),
                act=lambda: TimeMachine(
                    self.session, self, self.inspector.links, panel=self._memo.panel
                ).open(),
                call=history.PAST,
            ),
            Key(
                says=tr("Extract facts from new turns now"),
                act=lambda: self.session.spawn(self._consolidate()),
                call=upkeep.CONSOLIDATE,
            ),
            *([Key(says=tr("Look this desk through for damage"), act=self.examine)] if self._repairs else ()),
            *rail.page_commands(self.go),
            *rail.appearance_commands(),
            *rail.letter_keys(self._press),
            Key(keys="Space", act=self._toggle_source, single=True),
        )

    def _open_as_left(self) -> None:
        memo = self._memo
        if not memo.geometry.isEmpty():
            self.restoreGeometry(memo.geometry)
        shown = memo.left.get("shown")
        restore_window(memo, self.session, self.stage)
        self.sides.fit(self.width())
        self._is_laid_out = True
        if shown:
            self.inspector.show_memory(shown)
        # Otherwise the first widget of the frame would have the keyboard, and no key of the panel would act.
        self.stage.take_focus()

    # Panels.

    def open_panel(self, name: str) -> Panel:
        """Show a panel and remember it."""
        return self.stage.open(name)

    def split(self) -> None:
        """Show a second panel next to the open one, or return to a single panel."""
        self.stage.split()
        self.stage.take_focus()

    def _mark_panel(self) -> None:
        """Show the current panel in the rail, and store it in the memo."""
        panel = self.stage.panel
        if panel is not None:
            if panel.name != self._memo.panel:
                self.inspector.close_form()
                self.help.follow(panel.name, self._memo.panel)
            self.rail.mark(panel.name)
            self._memo.panel = panel.name
        self.top_bar.split.setChecked(self.stage.is_split)
        if self._is_laid_out:
            self.sides.fit(self.width())

    def enter_place(self, name: str) -> None:
        """Show the panel that a place showed last, or its next one if the place is open, and focus it."""
        self.enter_panel(self.rail.next_in(name))

    def enter_panel(self, name: str) -> None:
        """Show a panel and give it the keyboard focus."""
        self.open_panel(name).take_focus()

    def go(self, name: str, id: str) -> None:
        """Show a record in a panel and focus it; without an id, show the panel as it is. Back returns."""
        self.leading.go(name, id)

    def refresh(self) -> None:
        """Reload the open panel."""
        if self.stage.panel is not None:
            self.stage.panel.reload()

    def filter(self) -> None:
        """Move the focus to the open panel's filter."""
        if self.stage.panel is not None:
            self.stage.panel.focus_filter()

    # Help.

    def toggle_help(self) -> None:
        """Show the help page of the open panel, or hide it."""
        self.help.toggle(self._memo.panel)

    def _leave_help(self, had_focus: bool) -> None:
        if had_focus:
            self.stage.take_focus()

    # Search, sheet and capture, each made when it is first used.

    @cached_property
    def search(self) -> Palette:
        search = Palette(self.session, self)
        self.leading.follow(search)
        search.act_asked.connect(lambda text: self.act_sheet.open(text))
        return search

    @cached_property
    def act_sheet(self) -> ActSheet:
        """Sheet over the window, for an act on a set of memories."""
        return ActSheet(self.session, self)

    @cached_property
    def capture(self) -> Capture:
        capture = Capture(self.session)
        self.closed.connect(capture.close)
        self.closed.connect(capture.deleteLater)
        return capture

    def open_search(self) -> None:
        about = self.inspector.commands() if self.sides.settle() else ()
        self.search.open((*about, *(key for key in self.keys.keys if key.says), *self.desks.commands()))

    # What a person did, and what went wrong.

    def _show_deed(self, deed: DoneAction) -> None:
        self.strips.notice.hide()
        if deed.op in STRIP_ICONS:
            self.stage.offer(deed.sentence, deed.change, STRIP_ICONS[deed.op])
        else:
            self.stage.strip.hide()

    def _name(self, status: Status) -> None:
        """Show the desk's name in the window title and the top bar."""
        desk = Desk(Path(status.desk))
        self.setWindowTitle(f"{display_name(desk)} · MemDesk" if display_name(desk) else "MemDesk")
        # Whoever has one desk alone need not be told which.
        self.top_bar.name_desk(list_name(desk) if display_name(desk) or self.desks.others() else "")

    def _show_away(self, heard: datetime | None) -> None:
        if self.repair_page is None or not self.repair_page.isVisible():
            self.strips.say_away(heard)
        self.stage.strip.hide()

    def _show_unserved(self, wrong: MemDeskError) -> None:
        """Report that no service can be started, and show the possible repairs in place of the panels."""
        if self._repairs is None:
            self.strips.notice.show_wrong(wrong)
        else:
            self.examine(wrong)

    def examine(self, why: MemDeskError | None = None) -> None:
        """Show the doctor's findings on this desk. why: the error that keeps its service from starting."""
        if self._repairs is None:
            return
        if self.repair_page is None:
            self.repair_page = self._repairs()
            self.repair_page.left.connect(self._leave_repairs)
            self._middle.addWidget(self.repair_page, 1)
        self.body.hide()
        self.strips.away.hide()
        self.repair_page.show()
        self.repair_page.open(why)

    def _leave_repairs(self) -> None:
        if self.repair_page is not None:
            self.repair_page.hide()
        self.body.show()
        self.stage.take_focus()

    def _answer_what_stands(self) -> None:
        if self.strips.stands is not None:
            self.session.spawn(self._answer(self.strips.stands.id))

    def _show_asked(self, status: Status) -> None:
        if self.strips.say_what_is_asked(status.asking):
            come_forward(self)

    def _answer_act(self, *, allow: bool) -> None:
        if self.strips.asks is not None:
            self.session.spawn(self._send_answer(self.strips.asks.id, allow=allow))

    async def _send_answer(self, act: str, *, allow: bool) -> None:
        try:
            await self.session.call(owner.ANSWER, AnswerAct(id=act, allow=allow))
        finally:
            self.session.refresh_status()

    async def _answer(self, notice: str) -> None:
        found = await self.session.call(upkeep.ANSWER_NOTICE, AnswerNotice(id=notice))
        self.strips.say_what_stands(found.rows)
        self.session.refresh_status()

    async def _consolidate(self) -> None:
        await self.session.call(upkeep.CONSOLIDATE, Nothing())
        self.session.refresh_status()

    def _press(self, action: str) -> None:
        panel, focus = self.stage.panel, QApplication.focusWidget()
        shows = self.sides.settle()
        if panel is not None and focus is not None and panel.isAncestorOf(focus) and panel.act(action):
            return
        if shows:
            self.inspector.press(action)
        else:
            self._say_why(tr("This acts on the memory in the inspector; Ctrl+I shows it."))

    def _say_why(self, reason: str) -> None:
        self.strips.notice.show_wrong(BadAsk(verbatim(reason)))

    def _leave_action(self) -> None:
        """Return from the inspector's button or form to the list, after its action was carried out."""
        focus = QApplication.focusWidget()
        if focus is None or self.inspector.isAncestorOf(focus):
            self.stage.take_focus()

    def _toggle_source(self) -> None:
        if isinstance(self.inspector.view, MemoryView):
            self.inspector.view.toggle_source()

    # The frame.

    def toggle_rail(self) -> None:
        """Show the rail's names, or its icons only."""
        self.sides.toggle_rail(self.width())

    def toggle_inspector(self) -> None:
        self.sides.toggle_inspector()

    def next_region(self, back: bool = False) -> None:
        """Move the focus to the next part of the frame."""
        middle = [] if self.repair_page is None else [self.repair_page]
        regions = [self.top_bar, self.rail, self.stage, *middle, self.inspector, self.status_line]
        next_region([region for region in regions if region.isVisible()], back=back)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the rail's names and the inspector if the window has become narrow, and show them again if it
        has become wide."""
        super().resizeEvent(event)
        self.sides.fit(event.size().width())
        for name in OVERLAYS & vars(self).keys():
            getattr(self, name).place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go back one step on Esc. It is not a shortcut, so that the focused widget may use Esc first."""
        if event.key() == Qt.Key.Key_Escape:
            self.step_back()
        elif not self.keys.press(event):
            super().keyPressEvent(event)

    def step_back(self) -> None:
        """Close the topmost part: a strip, an open form, the inspector."""
        view = self.inspector.view
        if self.repair_page is not None and self.repair_page.isVisible():
            self.repair_page.step_back()
            return
        sheet = [self.act_sheet.step_back] if "act_sheet" in vars(self) else []
        parts = (*sheet, self.tour.step_back, self.strips.dismiss, self.help.step_back)
        if any(close() for close in parts):
            return
        if self.stage.panel is not None and self.stage.panel.step_back():
            return
        if isinstance(view, MemoryView) and view.is_busy:
            view.close_form()
        elif self.sides.settle():
            self._leave_inspector()

    def _leave_inspector(self) -> None:
        focus = QApplication.focusWidget()
        had_focus = focus is None or self.inspector.isAncestorOf(focus)
        self.toggle_inspector()
        if had_focus:
            self.stage.take_focus()

    def come_forward(self) -> None:
        """Bring the window to the front, as far as the desktop allows."""
        come_forward(self)

    def show_without_tray(self) -> None:
        """Show the window if there is no tray to open it from."""
        if not self.tray.is_available:
            self.show()

    def _review(self) -> None:
        self.come_forward()
        self.enter_panel("review")

    # Closing.

    @property
    def reopens(self) -> bool:
        """Return True if the window was closed to be made again, in another language or size."""
        return self._closing.reopens

    def quit(self) -> None:
        """Close completely, even if the program would stay in the tray; ask first if there is unsaved text."""
        self._closing.for_good()

    def close_at_once(self) -> None:
        """Close without asking. Unsaved texts of files are offered when the window is opened again; the text of a
        begun form is lost."""
        self.stage.keep_drafts()
        self._closing.at_once()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Store the window's state and close; ask first if text that a person wrote would be lost."""
        if not self._closing.allowed():
            event.ignore()
            return
        self.tray.icon.hide()
        self._memo.geometry = self.saveGeometry()
        self._memo.visited_at = datetime.now(UTC)
        self._memo.left = window_state(self.session, self.stage, self.body, self.inspector)
        self._memo.keep()
        super().closeEvent(event)
        # Nothing more is painted: a window closed while it is first shown has no surface left to paint on.
        self.setUpdatesEnabled(False)
        self.closed.emit()
