"""Rail with one entry per panel, with names or as icons only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QButtonGroup

from memdesk.api import review
from memdesk.gui import appearance
from memdesk.gui.inspectors.actions import ACTS
from memdesk.gui.keys import Key
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.shell.top_bar import LANGUAGES, THEMES
from memdesk.gui.widgets import Control, Ground, column
from memdesk.model.history import FeedEvent
from memdesk.model.review import CountReview

COUNT_AFTER_MS = 300
KINDS = frozenset(("proposal", "fact", "entity"))
"""Kinds whose changes trigger a count. Removing a memory closes its questions; restoring it opens them again."""


class OpenQuestionCounter(QObject):
    """Counter of open questions. The signal `counted` carries the number."""

    counted = Signal(int)

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self.count)
        session.changed.connect(self._hear)
        session.back.connect(self.count)
        # A call waits until the service is found, so this needs no first status.
        self._soon.start(COUNT_AFTER_MS)

    def count(self) -> None:
        """Count the open questions now."""
        self._session.spawn(self._count())

    async def _count(self) -> None:
        self.counted.emit((await self._session.call(review.COUNT, CountReview())).total)

    def _hear(self, events: tuple[FeedEvent, ...]) -> None:
        """Schedule a count unless one is scheduled, so that a busy agent cannot postpone it forever."""
        moved = any(event.op != "recall" and KINDS & set(event.kinds) for event in events)
        if moved and not self._soon.isActive():
            self._soon.start(COUNT_AFTER_MS)


WIDE_PX = 184
NARROW_PX = 48


class Entry(Protocol):
    """Properties of a panel that the rail needs."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def icon(self) -> str: ...

    @property
    def at_foot(self) -> bool: ...

    @property
    def page_of(self) -> str: ...


class Rail(Ground):
    """List of entries that choose the panel. The signal `chosen` carries the panel's name when a person
    presses its entry."""

    chosen = Signal(str)

    def __init__(self, panels: Sequence[Entry]) -> None:
        own = [panel for panel in panels if not panel.page_of]
        self._entries = {panel.name: Control("rail", tr(panel.title), panel.icon) for panel in own}
        self._pages = {panel.name: panel.page_of for panel in panels if panel.page_of}
        above = [self._entries[panel.name] for panel in own if not panel.at_foot]
        below = [self._entries[panel.name] for panel in own if panel.at_foot]
        layout = column(*above, None, *below, gap=1, margins=(8, 8, 9, 8))
        super().__init__("win", "right", layout)
        self._keys = keys_of(panels)
        self._group = QButtonGroup(self)
        for name, entry in self._entries.items():
            self._group.addButton(entry)
            entry.clicked.connect(lambda _=False, name=name: self.chosen.emit(name))
        self.setAccessibleName(tr("Panels"))
        self.set_collapsed(False)

    def mark(self, name: str) -> None:
        """Show which panel is open."""
        self._entries[self._pages.get(name, name)].setChecked(True)

    def entry(self, name: str) -> Control:
        """Return the entry of a panel."""
        return self._entries[name]

    def show_count(self, name: str, number: int) -> None:
        """Show the number of waiting items at a panel's entry; nothing for 0, or if there is no such panel."""
        if name in self._entries:
            self._entries[name].set_count(f"{number:,}" if number else "")

    def set_collapsed(self, collapsed: bool) -> None:
        """Show icons only, with the names in tool tips, or icons and names."""
        for name, entry in self._entries.items():
            entry.set_collapsed(collapsed)
            keys = self._keys.get(name, "")
            entry.setToolTip(f"{entry.text()}  {keys}".strip() if collapsed else keys)


def keys_of(panels: Sequence[Entry]) -> dict[str, str]:
    """Return the keys Ctrl+1 to Ctrl+9 by the name of the panel that they open: the first nine of the rail."""
    first = [panel for panel in panels if not panel.page_of and not panel.at_foot][:9]
    return {panel.name: f"Ctrl+{place}" for place, panel in enumerate(first, 1)}


PAGES = (
    (marked("Add an agent’s folder"), "workspaces", "add"),
    (marked("Import memory"), "transfer", "import"),
    (marked("Export memory"), "transfer", "export"),
    (marked("Back everything up"), "transfer", "backup"),
    (marked("Restore a backup"), "backups", ""),
    (marked("Take out by source"), "transfer", "revoke"),
    (marked("Erase a user"), "transfer", "erase"),
)
"""Actions done on a page of a panel: words, panel and page."""
PANEL_LETTERS = ("rescue", "merge", "demote")
"""Actions whose letters a panel may use for its own actions."""


def panel_commands(panels: Sequence[Entry], enter: Callable[[str], object]) -> list[Key]:
    """Return a command for each panel that opens it. enter: called with the panel's name."""
    keys = keys_of(panels)
    return [
        Key(
            keys=keys.get(panel.name, ""),
            says=tr("Open {panel}", panel=tr(panel.title)),
            act=partial(enter, panel.name),
        )
        for panel in panels
    ]


def page_commands(go: Callable[[str, str], object]) -> list[Key]:
    """Return a command for each page of PAGES. go: called with panel and page."""
    return [Key(says=tr(says), act=partial(go, panel, page)) for says, panel, page in PAGES]


def appearance_commands() -> list[Key]:
    """Return a command for each theme, then for each language."""
    themes = [
        Key(says=tr("Theme: {theme}", theme=tr(words)), act=partial(appearance.choose, "theme", theme))
        for theme, words in THEMES
    ]
    languages = [
        Key(
            says=tr("Language: {language}", language=tr(words)),
            act=partial(appearance.choose, "language", tongue),
        )
        for tongue, words in LANGUAGES
    ]
    return [*themes, *languages]


def letter_keys(press: Callable[[str], object]) -> list[Key]:
    """Return the single-letter keys for actions on the chosen memory. press: called with the action's name."""
    return [
        Key(keys=act.key, act=partial(press, name), single=True, yields=name in PANEL_LETTERS)
        for name, act in ACTS.items()
        if act.key
    ]
