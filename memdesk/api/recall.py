"""Recall: search memory as an agent does. Memories returned to an agent are reinforced; a preview writes
nothing."""

from __future__ import annotations

from typing import Any

from memdesk.api.endpoint import Endpoint
from memdesk.model.recall import AskSalient, Bundle, Explain, Explanation, Query, SalientList

SEARCH = Endpoint(
    "recall.search", "POST", Query, Bundle, "Recall memories, each with its score parts and provenance"
)
PREVIEW = Endpoint(
    "recall.preview", "POST", Query, Bundle, "What a recall would return; nothing is written down", owner=True
)
EXPLAIN = Endpoint(
    "recall.explain", "POST", Explain, Explanation, "Why a memory is or is not recalled, by stage", owner=True
)
SALIENT = Endpoint("recall.salient", "GET", AskSalient, SalientList, "The strongest memories, unasked")

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (SEARCH, PREVIEW, EXPLAIN, SALIENT)
