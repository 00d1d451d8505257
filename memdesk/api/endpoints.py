"""ENDPOINTS: every call in one tuple, grouped by resource."""

from __future__ import annotations

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

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    *memory.ENDPOINTS,
    *recall.ENDPOINTS,
    *procedures.ENDPOINTS,
    *goals.ENDPOINTS,
    *profile.ENDPOINTS,
    *working.ENDPOINTS,
    *context.ENDPOINTS,
    *channels.ENDPOINTS,
    *curation.ENDPOINTS,
    *review.ENDPOINTS,
    *history.ENDPOINTS,
    *workspace.ENDPOINTS,
    *exports.ENDPOINTS,
    *jobs.ENDPOINTS,
    *models.ENDPOINTS,
    *tools.ENDPOINTS,
    *backups.ENDPOINTS,
    *upkeep.ENDPOINTS,
)
