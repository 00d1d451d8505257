"""Texts of the service about folders in the language of the window: states and layers of files."""

from __future__ import annotations

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


def state(file: FolderFile) -> str:
    """Return the label of a file's state: “indexed”, “waiting”, “left out”."""
    return tr(STATES[file.state][2])


def layer(said: str) -> str:
    """Return the label of a layer; an unknown one is shown as a term."""
    return tr(LAYERS[said]) if said in LAYERS else term(said)
