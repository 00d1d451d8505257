"""Every call in one tuple, grouped by resource: the Endpoints that the modules of this package declare."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

from memdesk.api import (
    backups,
    channels,
    context,
    curation,
    exports,
    goals,
    history,
    jobs,
    memory,
    models,
    procedures,
    profile,
    recall,
    review,
    upkeep,
    working,
    workspace,
)
from memdesk.api.endpoint import Endpoint
from memdesk.api.tools import calls as tools

RESOURCES = (
    memory,
    recall,
    procedures,
    goals,
    profile,
    working,
    context,
    channels,
    curation,
    review,
    history,
    workspace,
    exports,
    jobs,
    models,
    tools,
    backups,
    upkeep,
)
"""Modules of calls, in the order in which an agent needs them."""


def declared(module: ModuleType) -> Iterator[Endpoint[Any, Any]]:
    """Yield the calls that a module declares, in its order."""
    return (each for each in vars(module).values() if isinstance(each, Endpoint))


ENDPOINTS: tuple[Endpoint[Any, Any], ...] = tuple(call for module in RESOURCES for call in declared(module))
