"""Rail of the places, with the panels of the open place below it; with names or as icons only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QButtonGroup

from memdesk.api import backups, curation, exports, review, workspace
from memdesk.gui import appearance
from memdesk.gui.inspectors.actions import ACTS
from memdesk.gui.keys import Key
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.shell.panel import PLACES, PanelEntry
from memdesk.gui.shell.top_bar import LANGUAGES, THEMES
from memdesk.gui.widgets import Control, Ground, column, delayed
from memdesk.model.history import FeedEvent
from memdesk.model.review import CountReview
from memdesk.model.team import OWNER, ROLES, may

COUNT_AFTER_MS = 300
KINDS = frozenset(("proposal", "fact", "entity"))
"""Kinds whose changes trigger a count. Removing a memory closes its questions; restoring it opens them again."""


class OpenQuestionCounter(QObject):
    """Counter of open questions. The signal `counted` carries the number."""

    counted = Signal(int)

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._soon = delayed(self.count, self)
        session.changed.connect(self._hear)
        session.back.connect(self.count)
        # A call waits until the service is found, so this needs no first status.
        self._soon.start(COUNT_AFTER_MS)

    def count(self) -> None:
        """Count the open questions now."""
        self._session.spawn(self._count())

    async def _count(self) -> None:
        found = await self._session.call_if_allowed(review.COUNT, CountReview())
        self.counted.emit(found.total if found else 0)

    def _hear(self, events: tuple[FeedEvent, ...]) -> None:
        """Schedule a count unless one is scheduled, so that a busy agent cannot postpone it forever."""
        moved = any(event.op != "recall" and KINDS & set(event.kinds) for event in events)
        if moved and not self._soon.isActive():
            self._soon.start(COUNT_AFTER_MS)


WIDE_PX = 184
NARROW_PX = 48


class Rail(Ground):
    """List of the places; below the open one its panels, if there are several.

    The signal `chosen` carries the name of the panel that a person pressed, or of the one that the pressed place
    showed last."""

    chosen = Signal(str)

    def __init__(self, panels: Sequence[PanelEntry]) -> None:
        super().__init__("win", "right")
        self._within = panels_within(panels)
        self._place_of = {panel.name: panel.place for panel in panels}
        self._roles = {panel.name: panel.role for panel in panels}
        self._last = {name: within[0].name for name, within in self._within.items()}
        self._open, self._role = "", OWNER
        self._places: dict[str, Control] = {}
        self._branches: dict[str, Control] = {}
        self._groups = (QButtonGroup(self), QButtonGroup(self))
        above, below = (self._rows(at_foot=at_foot) for at_foot in (False, True))
        self.setLayout(column(*above, None, *below, gap=1, margins=(8, 8, 9, 8)))
        self.setAccessibleName(tr("Places and panels"))
        self.set_collapsed(False)

    def _rows(self, *, at_foot: bool) -> Iterator[Control]:
        """Yield the entries of the places at the foot, or of the others, each with its panels."""
        for place in PLACES:
            within = self._within.get(place.name, ())
            if within and place.at_foot is at_foot:
                entry = Control("place" if len(within) > 1 else "rail", tr(place.title), place.icon)
                entry.clicked.connect(partial(self._enter, place.name))
                self._groups[0].addButton(entry)
                self._places[place.name] = entry
                yield entry
                yield from map(self._branch, within if len(within) > 1 else ())

    def _branch(self, panel: PanelEntry) -> Control:
        branch = Control("branch", tr(panel.title), panel.icon)
        branch.clicked.connect(lambda: self.chosen.emit(panel.name))
        branch.hide()
        self._groups[1].addButton(branch)
        self._branches[panel.name] = branch
        return branch

    def _enter(self, place: str) -> None:
        """Choose the panel that a place showed last; the first one if the place is open."""
        names = self._names(place)
        returns = place != self._open and self._last[place] in names
        self.chosen.emit(self._last[place] if returns else names[0])

    def _names(self, place: str) -> list[str]:
        """Return the panels of a place that this member's role opens; of a place that it does not, all."""
        names = [each.name for each in self._within[place]]
        return [name for name in names if may(self._role, self._roles[name])] or names

    def show_role(self, role: str) -> None:
        """Hide the places and panels that a member of this role may not open, and leave one of them."""
        if role == self._role:
            return
        self._role = role
        for place, entry in self._places.items():
            entry.setVisible(any(may(role, each.role) for each in self._within[place]))
        self._show_branches()
        if self._open and not may(role, self._roles[self._last[self._open]]):
            self.chosen.emit(next(name for name, least in self._roles.items() if may(role, least)))

    def mark(self, name: str) -> None:
        """Show which panel is open, and the panels of its place."""
        place = self._place_of[name]
        self._open, self._last[place] = place, name
        self._places[place].setChecked(True)
        self._show_branches()
        if name in self._branches:
            self._branches[name].setChecked(True)

    def _show_branches(self) -> None:
        for panel, branch in self._branches.items():
            branch.setVisible(self._place_of[panel] == self._open and may(self._role, self._roles[panel]))

    def first_in(self, place: str) -> str:
        """Return the first panel of a place that this member's role opens."""
        return self._names(place)[0]

    def next_in(self, place: str) -> str:
        """Return the panel that a place showed last; if the place is open, the one after the open panel."""
        names, last = self._names(place), self._last[place]
        if last not in names:
            return names[0]
        return last if place != self._open else names[(names.index(last) + 1) % len(names)]

    def place(self, name: str) -> Control:
        return self._places[self._place_of[name]]

    def entry(self, name: str) -> Control:
        """Return the entry of a panel: its place's if that has no other panel."""
        return self._branches.get(name) or self.place(name)

    def show_count(self, name: str, number: int) -> None:
        """Show the number of waiting items at the place of a panel; nothing for 0."""
        if name in self._place_of:
            self.place(name).set_count(f"{number:,}" if number else "")

    def set_collapsed(self, collapsed: bool) -> None:
        """Show icons only, with the names in tool tips, or icons and names."""
        keys = keys_of_places()
        for entry in self._branches.values():
            entry.set_collapsed(collapsed)
        for name, entry in self._places.items():
            entry.set_collapsed(collapsed)
            entry.setToolTip(f"{entry.text()}  {keys[name]}" if collapsed else keys[name])


def panels_within(panels: Sequence[PanelEntry]) -> dict[str, tuple[PanelEntry, ...]]:
    """Return the panels of each place that has any, by the place's name."""
    within = {place.name: tuple(each for each in panels if each.place == place.name) for place in PLACES}
    return {name: found for name, found in within.items() if found}


def keys_of_places() -> dict[str, str]:
    """Return the keys Ctrl+1, Ctrl+2 and so on by the name of the place that they go to."""
    return {place.name: f"Ctrl+{number}" for number, place in enumerate(PLACES, 1)}


PAGES = (
    (marked("Add an agent’s folder"), "workspaces", "add", workspace.IMPORT),
    (marked("Import memory"), "transfer", "import", workspace.IMPORT),
    (marked("Export memory"), "transfer", "export", exports.FETCH),
    (marked("Back everything up"), "transfer", "backup", exports.START),
    (marked("Restore a backup"), "backups", "", backups.RESTORE),
    (marked("Take out by source"), "transfer", "revoke", curation.REVOKE),
    (marked("Erase a user"), "transfer", "erase", curation.ERASE_USER),
    (marked("Undo an import"), "audit", "import", curation.UNDO_RUN),
)
"""Actions done on a page of a panel: words, panel, page, and the call that they lead to."""
PANEL_LETTERS = ("rescue", "merge", "demote", "relate", "unlink")
"""Actions whose letters a panel may use for its own actions."""


def panel_commands(panels: Sequence[PanelEntry], enter: Callable[[str], object]) -> list[Key]:
    """Return a command for each panel that opens it. enter: called with the panel's name."""
    return [
        Key(says=tr("Open {panel}", panel=tr(panel.title)), act=partial(enter, panel.name), role=panel.role)
        for panel in panels
    ]


def place_commands(
    panels: Sequence[PanelEntry], enter: Callable[[str], object], enter_first: Callable[[str], object]
) -> list[Key]:
    """Return a command for each place that has panels. enter: called by its key, enter_first by its name in the
    search, both with the place's name."""
    # The key leads through the panels of a place. Who types “connections” wants that, not what stood there last.
    keys, within = keys_of_places(), panels_within(panels)
    return [
        Key(
            keys=keys[place.name],
            says=tr("Go to {place}", place=tr(place.title)),
            act=partial(enter, place.name),
            by_name=partial(enter_first, place.name),
            role=min((each.role for each in within[place.name]), key=list(ROLES).index),
        )
        for place in PLACES
        if place.name in within
    ]


def page_commands(go: Callable[[str, str], object]) -> list[Key]:
    """Return a command for each page of PAGES. go: called with panel and page."""
    return [Key(says=tr(says), act=partial(go, panel, page), call=call) for says, panel, page, call in PAGES]


def appearance_commands() -> list[Key]:
    """Return a command for each theme, for each size, then for each language."""
    themes = [
        Key(says=tr("Theme: {theme}", theme=tr(words)), act=partial(appearance.choose, "theme", theme))
        for theme, words in THEMES
    ]
    sizes = [
        Key(says=tr("Size: {percent} %", percent=size), act=partial(appearance.choose, "size", size))
        for size in appearance.choices("size")
    ]
    languages = [
        Key(
            says=tr("Language: {language}", language=tr(words)),
            act=partial(appearance.choose, "language", code),
        )
        for code, words in LANGUAGES
    ]
    return [*themes, *sizes, *languages]


def letter_keys(press: Callable[[str], object]) -> list[Key]:
    """Return the single-letter keys for actions on the chosen memory. press: called with the action's name."""
    return [
        Key(keys=act.key, act=partial(press, name), single=True, yields=name in PANEL_LETTERS)
        for name, act in ACTS.items()
        if act.key
    ]
