"""Every call in one tuple, grouped by resource: the Endpoints that the modules of this package declare."""

from __future__ import annotations

from typing import Any

from memdesk.api import (
    agents,
    backups,
    channels,
    context,
    curation,
    exports,
    goals,
    history,
    items,
    jobs,
    memory,
    models,
    owner,
    procedures,
    profile,
    projects,
    questions,
    recall,
    review,
    secrets,
    team,
    upkeep,
    working,
    workspace,
)
from memdesk.api.endpoint import Endpoint, declared
from memdesk.api.tools import calls as tools

RESOURCES = (
    memory,
    recall,
    questions,
    procedures,
    goals,
    profile,
    items,
    working,
    context,
    channels,
    projects,
    curation,
    review,
    secrets,
    history,
    workspace,
    exports,
    jobs,
    models,
    tools,
    agents,
    team,
    owner,
    backups,
    upkeep,
)
"""Modules of calls, in the order in which an agent needs them."""


ENDPOINTS: tuple[Endpoint[Any, Any], ...] = tuple(call for module in RESOURCES for call in declared(module))
