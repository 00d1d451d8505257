"""Window commands built from tables: for each panel, each theme and language, and each action on a memory."""

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
"""Actions done on a page of a panel: words, panel and page."""
YIELDING = ("rescue", "merge", "demote")
"""Actions whose letters a panel may use for its own actions."""


def opening(panels: Sequence[Entry], enter: Callable[[str], object]) -> list[Key]:
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


def leading(go: Callable[[str, str], object]) -> list[Key]:
    """Return a command for each page of PAGES. go: called with panel and page."""
    return [Key(says=tr(says), act=partial(go, panel, page)) for says, panel, page in PAGES]


def dressing() -> list[Key]:
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


def letters(press: Callable[[str], object]) -> list[Key]:
    """Return the single-letter keys for actions on the chosen memory. press: called with the action's name."""
    return [
        Key(keys=act.key, act=partial(press, name), single=True, yields=name in YIELDING)
        for name, act in ACTS.items()
        if act.key
    ]
