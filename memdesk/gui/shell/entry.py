"""Declaration of a panel: its name, title and icon, known before its module is imported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

DECLARED: dict[str, PanelEntry] = {}
"""Every declared panel by its name. The package of the panels declares them before it imports any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelEntry:
    """Declaration of a panel. A window that starts with one panel does not wait for the modules of the others.

    name: also its package, its module `<name>_panel` and its help page. panel: its class. at_foot: its entry is
    at the foot of the rail. page_of: panel whose rail entry also represents this one, if it has none itself."""

    name: str
    title: str
    icon: str
    panel: str
    at_foot: bool = False
    page_of: str = ""

    def __post_init__(self) -> None:
        DECLARED[self.name] = self

    def __call__(self, *arguments: Any) -> Any:
        """Create the panel. Raises ImportError or AttributeError if the declaration is wrong."""
        module = import_module(f"memdesk.gui.panels.{self.name}.{self.name}_panel")
        kind: Callable[..., Any] = getattr(module, self.panel)
        return kind(*arguments)
