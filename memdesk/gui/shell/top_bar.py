"""Top bar: the menu of desks, filters of the window, search, agents at work, theme and the toggles of both sides."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSettings, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

import memdesk
from memdesk.files.places import Desk, default_desk, windows_file
from memdesk.gui import formatting, icons, language, look
from memdesk.gui.keys import Key
from memdesk.gui.language import NATIVE, Language, marked, tr
from memdesk.gui.look import Theme
from memdesk.gui.session import Session
from memdesk.gui.widgets import AgentMark, Control, Dot, Drop, Ground, Option, Text, remove_widgets, row
from memdesk.gui.widgets.control import Pressable
from memdesk.gui.widgets.drop import open_below
from memdesk.gui.widgets.text import tip_text
from memdesk.model.errors import Refused
from memdesk.model.message import verbatim
from memdesk.model.status import AgentRow, Status

WORKING_S = 30
LIVE_S = 600
SHOWN_S = formatting.DAY
SHOWN_AT_MOST = 3
ACTIVITIES = {
    "recall": marked("recalling"),
    "store": marked("talking"),
    "learn": marked("learning"),
    "update": marked("updating"),
    "promote": marked("promoting"),
    "retire": marked("retiring"),
    "import": marked("importing"),
}


class LiveAgent(Pressable):
    """An agent's entry: state dot, mark, name and activity."""

    def __init__(self, agent: AgentRow, shape: int, *, short: bool) -> None:
        super().__init__()
        assert agent.last_seen is not None
        idle = (datetime.now(UTC) - agent.last_seen).total_seconds()
        doing = _doing(agent.doing) if idle < WORKING_S else tr("idle {time}", time=formatting.span(idle))
        words = () if short else (Text(agent.name, 13, "t1"), Text(doing, 13, "t2"))
        dot = Dot("ok" if idle < LIVE_S else "t3")
        self.setLayout(row(dot, AgentMark(agent.name, shape), *words, gap=7))
        said = tr("{agent}, {doing}", agent=agent.name, doing=doing)
        self.name = agent.name
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(said)
        self.setToolTip(
            tip_text(tr("{said}. Last seen {time}", said=said, time=formatting.full(agent.last_seen)))
        )


def _doing(op: str) -> str:
    return tr(ACTIVITIES[op]) if op in ACTIVITIES else op


class LiveAgents(QWidget):
    """Agents seen within a day; the others are in the agent filter. The signal `pressed` carries an agent's name."""

    pressed = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._short = session, False
        self._agents: tuple[LiveAgent, ...] = ()
        self._line = row(gap=16)
        self.setLayout(self._line)
        self.setAccessibleName(tr("Agents at work"))
        session.status_changed.connect(lambda _: self._show())

    def set_short(self, short: bool) -> None:
        """Show marks only, or marks with words. short: True if there is no space for words."""
        if short != self._short:
            self._short = short
            self._show()

    def _show(self) -> None:
        remove_widgets(self._line)
        self._agents = tuple(
            LiveAgent(agent, self._session.mark(f"agent:{agent.name}")[1], short=self._short)
            for agent in self._seen()
        )
        for agent in self._agents:
            self._line.addWidget(agent)
            # A layout shows its widgets with the next turn of the loop, and leaves no room for them until then.
            agent.show()
            agent.clicked.connect(lambda _=False, name=agent.name: self.pressed.emit(name))

    def _seen(self) -> list[AgentRow]:
        status = self._session.status
        now = datetime.now(UTC)
        seen = [
            agent
            for agent in (status.agents if status else ())
            if agent.last_seen is not None and (now - agent.last_seen).total_seconds() < SHOWN_S
        ]
        return sorted(seen, key=lambda agent: agent.last_seen or now, reverse=True)[:SHOWN_AT_MOST]


HEIGHT_PX = 44
SEARCH_PX = 430
EDGE_PX = 12
GAP_PX = 16
WORDS_FROM_PX = 1320
"""Least window width that shows names of agents at work; in a narrower one they are marks only."""
THEMES: tuple[tuple[Theme, str], ...] = (
    ("dark", marked("Dark")),
    ("light", marked("Light")),
    ("system", marked("As the system")),
)
LANGUAGES: tuple[tuple[Language, str], ...] = (
    ("en", NATIVE["en"]),
    ("zh", NATIVE["zh"]),
    ("system", marked("Language of the system")),
)


RECENT_AT_MOST = 8
RECENT_KEY = "desks/recent"


def recent() -> tuple[Desk, ...]:
    """Return the desks opened before that still exist."""
    said = _file().value(RECENT_KEY, [])
    folders = [said] if isinstance(said, str) else said if isinstance(said, list) else []
    desks = (Desk(Path(str(folder))) for folder in folders)
    return tuple(desk for desk in desks if desk.database.exists())


def remember(desk: Desk) -> None:
    """Put a desk first in the list."""
    others = [each for each in recent() if each != desk]
    file = _file()
    file.setValue(RECENT_KEY, [str(each.folder) for each in (desk, *others)][:RECENT_AT_MOST])
    file.sync()


def display_name(desk: Desk) -> str:
    """Return a desk's name for the window: its folder's name or its service's, empty for the user's default desk."""
    if desk.service is not None:
        return desk.service.partition("//")[2]
    return "" if desk == default_desk() else desk.folder.name


def _file() -> QSettings:
    return QSettings(str(windows_file()), QSettings.Format.IniFormat)


def desk_in(folder: Path) -> Desk:
    """Return the desk of a chosen folder, which contains a desk, is empty or does not exist yet.

    Raises Refused for a folder with other files, in which a desk would be lost."""
    desk = Desk(folder.expanduser().absolute())
    if desk.database.exists() or not desk.folder.exists() or not any(desk.folder.iterdir()):
        return desk
    raise Refused(
        verbatim(tr("{folder} holds other files and no desk.", folder=desk.folder)),
        next=verbatim(tr("Choose a desk's folder, or an empty one for a new desk.")),
    )


def open_desk(desk: Desk) -> subprocess.Popen[bytes]:
    """Start a process that shows a desk's window; if the desk has a window already, bring that one to the
    front."""
    return subprocess.Popen(
        [sys.executable, "-m", "memdesk", "open", "--desk", str(desk.folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        # Where the package lies: it is found from there whether it is installed or not.
        cwd=Path(memdesk.__file__).parent.parent,
    )


class DeskMenu(QObject):
    """Menu and commands that open other desks. `here` is this window's desk, known once its status was read."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self.here: Desk | None = None
        session.status_changed.connect(self._learn)

    def _learn(self, status: Status) -> None:
        if self.here is None:
            self.here = Desk(Path(status.desk))
            remember(self.here)

    def others(self) -> tuple[Desk, ...]:
        """Return the desks opened before and the user's default, without this one."""
        known = dict.fromkeys((*recent(), *([default_desk()] if default_desk().database.exists() else [])))
        return tuple(each for each in known if each != self.here)

    def commands(self) -> Iterator[Key]:
        """Yield the commands for the search: one per other desk, and one to choose a folder."""
        for desk in self.others():
            yield Key(says=tr("Open desk {name}", name=list_name(desk)), act=partial(self.open, desk))
        yield Key(says=tr("Open or create another desk…"), act=self.choose)

    def menu(self) -> QMenu:
        menu = QMenu(self._window)
        for desk in self.others():
            line = QAction(list_name(desk).replace("&", "&&"), menu)
            line.setToolTip(str(desk.folder))
            line.triggered.connect(lambda _=False, desk=desk: self.open(desk))
            menu.addAction(line)
        menu.setToolTipsVisible(True)
        menu.addSeparator()
        menu.addAction(tr("Open or create another desk…")).triggered.connect(lambda _=False: self.choose())
        return menu

    def choose(self) -> QFileDialog:
        """Ask for a folder: a desk's, or an empty one for a new desk."""
        dialog = QFileDialog(self._window, tr("Choose a desk's folder, or an empty one for a new desk"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda folder: self._session.spawn(self._open_folder(Path(folder))))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def open(self, desk: Desk) -> None:
        """Show a desk in its own window."""
        open_desk(desk)

    async def _open_folder(self, folder: Path) -> None:
        # A folder on a drive that sleeps takes its time to be listed.
        open_desk(await asyncio.to_thread(desk_in, folder))


def list_name(desk: Desk) -> str:
    """Return the name of a desk in a list."""
    return display_name(desk) or tr("Your own desk")


class TopBar(Ground):
    """Bar with a signal for each control that a person presses; theme_chosen and language_chosen also carry
    the choice."""

    rail_toggled = Signal()
    split_toggled = Signal()
    inspector_toggled = Signal()
    help_asked = Signal()
    search_asked = Signal()
    desks_asked = Signal()
    theme_chosen = Signal(str)
    language_chosen = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__("win", "bottom", height=HEIGHT_PX)
        self._session = session
        self.rail = self._toggle("rail", tr("Names in the rail") + "  Ctrl+B", self.rail_toggled)
        self.desk = Control("ghost", "", drop=True, tip=tr("The desk of this window, and others"))
        self.desk.clicked.connect(lambda: self.desks_asked.emit())
        self.desk.hide()
        self.channels = Drop(
            lead=tr("Channel"), icon="funnel", many=True, every=tr("All channels"), name=tr("Channel")
        )
        self.agents = Drop(lead=tr("Agent"), many=True, every=tr("All agents"), name=tr("Agent"))
        words = tr("Search memories, or type > for a command")
        self.search = Control("field", words, "search", keys="Ctrl K", tip=words)
        self.live = LiveAgents(session)
        self.theme = Control("ghost", "", "moon", tip=tr("Theme and language"))
        self.help = self._toggle("help", tr("Help") + "  F1", self.help_asked)
        self.split = self._toggle("split", tr("Two panels side by side") + "  Ctrl+\\", self.split_toggled)
        self.split.setCheckable(True)
        self.inspector = self._toggle("inspector", tr("Inspector") + "  Ctrl+I", self.inspector_toggled)
        self.inspector.setCheckable(True)
        self._left = self._group(self.rail, 4, self.desk, self.channels, self.agents)
        self._right = self._group(self.live, 4, self.theme, self.help, self.split, self.inspector)
        self.search.setParent(self)
        self._wire()

    def _toggle(self, icon: str, tip: str, toggled: SignalInstance) -> Control:
        control = Control("ghost", "", icon, tip=tip)
        control.clicked.connect(lambda: toggled.emit())
        return control

    def _group(self, *items: QWidget | int) -> QWidget:
        group = QWidget(self)
        group.setLayout(row(*items, gap=8))
        group.installEventFilter(self)
        return group

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Place the groups again when one has become wider or narrower."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._place()
        return False

    def _wire(self) -> None:
        self.channels.chosen.connect(self._session.filter_channels)
        self.agents.chosen.connect(self._session.filter_agents)
        self.search.clicked.connect(lambda: self.search_asked.emit())
        self.theme.clicked.connect(self._open_themes)
        self._session.status_changed.connect(self._show_status)
        look.themed.changed.connect(self._show_theme)
        self._show_theme()

    def show_filters(self) -> None:
        """Show the session's filters, for example after the search has set one."""
        self.channels.set_value(self._session.channels)
        self.agents.set_value(self._session.agents)
        self._place()

    def _show_status(self, status: Status) -> None:
        channels = [
            Option(value=each.name, text=each.name, channel=each.number)
            for each in sorted(status.channels, key=lambda each: each.number)
        ]
        self.channels.set_options(channels)
        self.agents.set_options([Option(value=agent.name, text=agent.name) for agent in status.agents])
        self.show_filters()
        self.channels.setToolTip(tr("%Ln channel(s)", "", len(channels)))
        self._place()

    # Desks.

    def name_desk(self, name: str) -> None:
        """Show the name of this window's desk; hide it if the name is empty."""
        self.desk.setText(name)
        self.desk.setVisible(bool(name))
        self._place()

    def open_below(self, menu: QMenu) -> None:
        """Open a menu of desks below their button; it deletes itself when it closes."""
        open_below(menu, self.desk)

    # Theme.

    def _show_theme(self) -> None:
        self.theme.set_icon("moon" if look.is_dark() else "sun")

    def _open_themes(self) -> None:
        menu = QMenu(self)
        for theme, words in THEMES:
            _add(menu, words, partial(self.theme_chosen.emit, theme), is_chosen=theme == look.choice())
        menu.addSeparator()
        for code, words in LANGUAGES:
            _add(menu, words, partial(self.language_chosen.emit, code), is_chosen=code == language.choice())
        open_below(menu, self.theme)

    # Places.

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.live.set_short(self.width() < WORDS_FROM_PX)
        self._place()

    def _place(self) -> None:
        """Place the groups, and the search in the middle of the window, or between the groups if it does not
        fit there."""
        left, right = self._left.sizeHint().width(), self._right.sizeHint().width()
        high = self.height() - 1
        self._left.setGeometry(EDGE_PX, 0, left, high)
        self._right.setGeometry(self.width() - EDGE_PX - right, 0, right, high)
        first = EDGE_PX + left + GAP_PX
        last = self.width() - EDGE_PX - right - GAP_PX
        wide = min(SEARCH_PX, last - first)
        x = min(max(first, (self.width() - wide) // 2), last - wide)
        self.search.setGeometry(x, (high - self.search.height()) // 2, wide, self.search.height())


def _add(menu: QMenu, words: str, act: Callable[[], None], *, is_chosen: bool) -> None:
    action = QAction(tr(words), menu)
    if is_chosen:
        action.setIcon(icons.icon("check", "acc"))
    action.triggered.connect(lambda _=False: act())
    menu.addAction(action)
