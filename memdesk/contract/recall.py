"""Recall: ask as an agent would. What comes back is reinforced."""

from __future__ import annotations

from typing import Any

from memdesk.contract.endpoint import Endpoint
from memdesk.model.recall import Bundle, Query

SEARCH = Endpoint(
    "recall.search", "POST", Query, Bundle, "Recall memories, each with its score parts and provenance"
)

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (SEARCH,)
