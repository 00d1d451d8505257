"""Declarations of the rail's places and of the panels in them, known before a panel's module is imported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from memdesk.gui.language import marked
from memdesk.model.team import READER

DECLARED: dict[str, PanelEntry] = {}
"""Every declared panel by its name. The package of the panels declares them before it imports any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An entry of the rail: panels that are used together. at_foot: it is at the foot of the rail."""

    name: str
    title: str
    icon: str
    at_foot: bool = False


PLACES = (
    Place(name="today", title=marked("Today"), icon="today"),
    Place(name="memory", title=marked("Memory"), icon="graph"),
    Place(name="files", title=marked("Files"), icon="file"),
    Place(name="view", title=marked("Agent’s view"), icon="eye"),
    Place(name="history", title=marked("History"), icon="audit"),
    Place(name="connections", title=marked("Connections"), icon="plug", at_foot=True),
    Place(name="settings", title=marked("Settings"), icon="settings", at_foot=True),
)
"""The places, in the order of the rail; Ctrl+1 goes to the first."""


@dataclass(frozen=True, slots=True)
class PanelEntry:
    """Declaration of a panel. A window that starts with one panel does not wait for the modules of the others.

    name: also its package, its module `<name>_panel` and its help page. panel: its class. place: name of the
    place of the rail that it belongs to. role: the least role that opens it, of a member of a desk elsewhere."""

    name: str
    title: str
    icon: str
    panel: str
    place: str
    role: str = READER

    def __post_init__(self) -> None:
        DECLARED[self.name] = self

    def __call__(self, *arguments: Any) -> Any:
        """Create the panel. Raises ImportError or AttributeError if the declaration is wrong."""
        module = import_module(f"memdesk.gui.panels.{self.name}.{self.name}_panel")
        kind: Callable[..., Any] = getattr(module, self.panel)
        return kind(*arguments)
