"""Texts of the service about folders in the language of the window: states of files, and reasons."""

from __future__ import annotations

import re

from memdesk.gui.language import marked, tr
from memdesk.gui.terms import term
from memdesk.model.workspace_files import INDEXED, LEFT_OUT, WAITING, FolderFile

STATES = {
    INDEXED: ("check", "ok", marked("indexed")),
    WAITING: ("audit", "warn", marked("waiting")),
    LEFT_OUT: ("minus", "t3", marked("left out")),
}
"""Icon, tone and label of each file state."""
LAYERS = {
    "core": marked("core"),
    "workspace": marked("workspace"),
    "long-term": marked("long-term"),
    "learnings": marked("learnings"),
    "day": marked("day"),
    "notes": marked("notes"),
}
WHYS = (
    marked("It is empty."),
    marked("The file is empty."),
    marked("Hidden."),
    marked("A hidden folder."),
    marked("It has not been read yet; it comes in at the next look."),
    marked("It is gone from the disk; it leaves at the next look."),
    marked("A folder of packages or caches."),
    marked("Not a regular file."),
    marked("The file's name is not UTF-8."),
    marked("The folder's name is not UTF-8."),
    marked("A link that leads nowhere."),
    marked("A link that leads out of this folder."),
    marked("A link to something in this folder, which is taken where it lies."),
    marked("It holds NUL bytes, so it is not text."),
    marked("Neither markdown nor a transcript."),
    marked("A table may hold anything; it comes in where it is imported by itself."),
    marked("For reasons like these."),
)
"""Complete reasons that the service gives."""
RECOGNISED: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"it holds (\S+) beside (\S+)"), marked("it holds {0} beside {1}")),
    (re.compile(r"it holds (\S+) and (\S+)"), marked("it holds {0} and {1}")),
    (re.compile(r"it holds the folder (\S+)"), marked("it holds the folder {0}")),
    (re.compile(r"it holds (\S+)"), marked("it holds {0}")),
    (re.compile(r"it lies in (\S+) and holds (.+)"), marked("it lies in {0} and holds {1}")),
    (re.compile(r"it lies in (\S+)"), marked("it lies in {0}")),
    (re.compile(r"it is called (\S+)"), marked("it is called {0}")),
    (
        re.compile(r"it is the folder world in a folder memory"),
        marked("it is the folder world in a folder memory"),
    ),
    (re.compile(r"you said so"), marked("you said so")),
)
"""Patterns of the service's reasons for a layout, each with the template of the window."""
_VECTORS = re.compile(r"(\d+) of (\d+) passages wait for a vector")
_LARGE = re.compile(r"It is larger than (\d+) MB")


def state(file: FolderFile) -> str:
    """Return the label of a file's state: “indexed”, “waiting”, “left out”."""
    return tr(STATES[file.state][2])


def layer(said: str) -> str:
    """Return the label of a layer; an unknown one is shown as a term."""
    return tr(LAYERS[said]) if said in LAYERS else term(said)


def recognised(said: str) -> str:
    """Return the reason for a folder's layout in the language of the window; an unknown one is returned
    unchanged."""
    for pattern, form in RECOGNISED:
        if found := pattern.fullmatch(said):
            return tr(form).format(*found.groups())
    return said


def why(said: str) -> str:
    """Return a reason in the language of the window."""
    if found := _VECTORS.match(said):
        return tr(
            "{waiting} of {all} passages wait for a vector; their words are found already.",
            waiting=found[1],
            all=found[2],
        )
    if found := _LARGE.match(said):
        return tr("It is larger than {limit} MB; the setting import_file_megabytes says so.", limit=found[1])
    return tr(said) if said else ""
