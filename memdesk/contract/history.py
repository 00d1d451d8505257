"""History: the audit timeline, and the feed that tells every open view what just changed."""

from __future__ import annotations

from typing import Any

from memdesk.contract.endpoint import Endpoint
from memdesk.model.history import AskEvent, AskHistogram, AskHistory, EventDetail, Histogram, HistoryPage

FEED_PATH = "/v1/history/feed"
"""Server-sent events. `Last-Event-ID` (or `?after=`) resumes; without it the feed starts now."""

PAGE = Endpoint("history.page", "GET", AskHistory, HistoryPage, "A window of the audit timeline", owner=True)
HISTOGRAM = Endpoint("history.histogram", "GET", AskHistogram, Histogram, "Events over time", owner=True)
EVENT = Endpoint("history.event", "GET", AskEvent, EventDetail, "One event with before and after", owner=True)

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (PAGE, HISTOGRAM, EVENT)
