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

    name: also its package, its module `<name>_panel`, its class `<Name>Panel` and its help page. place: name of the
    place of the rail that it belongs to. alone: it is one module, without a package. role: the least role that opens
    it, of a member of a desk elsewhere."""

    name: str
    title: str
    icon: str
    place: str
    alone: bool = False
    role: str = READER

    def __post_init__(self) -> None:
        DECLARED[self.name] = self

    def __call__(self, *arguments: Any) -> Any:
        """Create the panel. Raises ImportError or AttributeError if the declaration is wrong."""
        return self.kind(*arguments)

    @property
    def kind(self) -> Callable[..., Any]:
        """Class of the panel, whose module is imported now."""
        package = "memdesk.gui.panels" if self.alone else f"memdesk.gui.panels.{self.name}"
        kind: Callable[..., Any] = getattr(
            import_module(f"{package}.{self.name}_panel"), f"{self.name.capitalize()}Panel"
        )
        return kind
