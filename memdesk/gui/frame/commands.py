"""Commands of the window that come from tables: one for each panel, each theme and language, each act on a memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from memdesk.gui import appearance
from memdesk.gui.frame.keys import Key
from memdesk.gui.frame.rail import Entry, keys_of
from memdesk.gui.frame.top_bar import LANGUAGES, THEMES
from memdesk.gui.inspectors.actions import ACTS
from memdesk.gui.language import marked, tr

PAGES = (
    (marked("Add an agent’s folder"), "workspaces", "add"),
    (marked("Import memory"), "transfer", "import"),
    (marked("Export memory"), "transfer", "export"),
    (marked("Back everything up"), "transfer", "backup"),
    (marked("Restore a backup"), "backups", ""),
    (marked("Erase a user"), "transfer", "erase"),
)
"""What is done on a page of a panel, with the panel and the page."""
YIELDING = ("rescue", "merge", "demote")
"""Acts whose letters panels use for acts of their own."""


def opening(panels: Sequence[Entry], enter: Callable[[str], object]) -> list[Key]:
    """One that opens each panel. enter: takes the panel's name."""
    keys = keys_of(panels)
    return [
        Key(
            keys=keys.get(panel.name, ""),
            says=tr("Open {panel}", panel=tr(panel.title)),
            act=partial(enter, panel.name),
        )
        for panel in panels
    ]


def leading(go: Callable[[str, str], object]) -> list[Key]:
    """One that leads to each page where something is done to memory as a whole. go: takes panel and page."""
    return [Key(says=tr(says), act=partial(go, panel, page)) for says, panel, page in PAGES]


def dressing() -> list[Key]:
    """One for each theme, then one for each language."""
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


def letters(press: Callable[[str], object]) -> list[Key]:
    """The single letters that mean an act on the memory that is chosen. press: takes the act's name."""
    return [
        Key(keys=act.key, act=partial(press, name), single=True, yields=name in YIELDING)
        for name, act in ACTS.items()
        if act.key
    ]
