"""Review: what jobs and agents ask the desk's owner to decide."""

from __future__ import annotations

from typing import Any

from memdesk.contract.endpoint import Endpoint
from memdesk.model.review import (
    AskDuplicates,
    Asked,
    AskReview,
    CountReview,
    Decide,
    DecideAll,
    Decided,
    DecisionPreview,
    DuplicateList,
    Propose,
    Proposed,
    ReviewCount,
    ReviewPage,
)
from memdesk.model.status import JobState

LIST = Endpoint("review.list", "GET", AskReview, ReviewPage, "Questions with both their sides", owner=True)
COUNT = Endpoint("review.count", "GET", CountReview, ReviewCount, "How many questions wait", owner=True)
DECIDE = Endpoint("review.decide", "POST", Decide, Decided, "Answer a question", owner=True)
PREVIEW = Endpoint(
    "review.preview",
    "POST",
    Decide,
    DecisionPreview,
    "What an answer would do; nothing is written",
    owner=True,
)
DECIDE_ALL = Endpoint(
    "review.decide_all", "POST", DecideAll, JobState, "Start giving one answer to many, a run", owner=True
)
PROPOSE = Endpoint("review.propose", "POST", Propose, Asked, "Ask for a promotion or a correction")
DUPLICATES = Endpoint(
    "review.duplicates", "GET", AskDuplicates, DuplicateList, "Memories that may be one", owner=True
)
PROPOSE_DUPLICATES = Endpoint(
    "review.propose_duplicates",
    "POST",
    AskDuplicates,
    Proposed,
    "Put possible duplicates into the queue",
    owner=True,
)

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    LIST,
    COUNT,
    PREVIEW,
    DECIDE,
    DECIDE_ALL,
    PROPOSE,
    DUPLICATES,
    PROPOSE_DUPLICATES,
)
