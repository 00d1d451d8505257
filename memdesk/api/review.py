"""Review: questions of jobs and agents that the desk's owner decides."""

from __future__ import annotations

from typing import Any

from memdesk.api.endpoint import Endpoint
from memdesk.model.curation import Curated
from memdesk.model.proposal import AskStanding, Revoke, Stand, StandingList, Stands
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
    PutOff,
    Quarantine,
    ReviewCount,
    ReviewPage,
    Waits,
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
PUT_OFF = Endpoint("review.put_off", "POST", PutOff, Waits, "Let a question wait until a time", owner=True)
QUARANTINE = Endpoint(
    "review.quarantine",
    "POST",
    Quarantine,
    Curated,
    "Hold a memory out of recall until somebody decides",
    owner=True,
)
STANDING = Endpoint(
    "review.standing",
    "GET",
    AskStanding,
    StandingList,
    "What was decided once for all questions of a source",
    owner=True,
)
STAND = Endpoint(
    "review.stand", "POST", Stand, Stands, "Decide once for all that is asked from now on", owner=True
)
REVOKE = Endpoint(
    "review.revoke", "POST", Revoke, Stands, "Let a standing decision stand no more", owner=True
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
    PUT_OFF,
    QUARANTINE,
    STANDING,
    STAND,
    REVOKE,
    PROPOSE,
    DUPLICATES,
    PROPOSE_DUPLICATES,
)
