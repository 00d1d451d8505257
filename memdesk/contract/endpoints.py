"""ENDPOINTS: every call in one tuple, by resource."""

from __future__ import annotations

from typing import Any

from memdesk.contract import curation, history, jobs, memory, procedures, recall, upkeep, workspace
from memdesk.contract.endpoint import Endpoint

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    *memory.ENDPOINTS,
    *recall.ENDPOINTS,
    *procedures.ENDPOINTS,
    *curation.ENDPOINTS,
    *history.ENDPOINTS,
    *workspace.ENDPOINTS,
    *jobs.ENDPOINTS,
    *upkeep.ENDPOINTS,
)
