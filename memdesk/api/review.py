"""Review: questions of jobs and agents that the desk's owner decides."""

from __future__ import annotations

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

LIST = Endpoint(
    "review.list",
    "GET",
    AskReview,
    ReviewPage,
    "Questions with both their sides",
    owner=True,
    verb="engine.memory.review_queue:review",
)
COUNT = Endpoint(
    "review.count",
    "GET",
    CountReview,
    ReviewCount,
    "How many questions wait",
    owner=True,
    verb="engine.memory.review_queue:count_review",
)
PREVIEW = Endpoint(
    "review.preview",
    "POST",
    Decide,
    DecisionPreview,
    "What an answer would do; nothing is written",
    owner=True,
    verb="engine.memory.review_queue:preview_decision",
    reads=True,
)
DECIDE = Endpoint(
    "review.decide",
    "POST",
    Decide,
    Decided,
    "Answer a question",
    owner=True,
    verb="engine.memory.decisions:decide",
)
DECIDE_ALL = Endpoint(
    "review.decide_all",
    "POST",
    DecideAll,
    JobState,
    "Start giving one answer to many, a run",
    owner=True,
    verb="engine.memory.review_queue:decide_all",
    act="review",
    check="engine.memory.review_queue:check",
)
PUT_OFF = Endpoint(
    "review.put_off",
    "POST",
    PutOff,
    Waits,
    "Let a question wait until a time",
    owner=True,
    verb="engine.memory.review_queue:put_off",
)
QUARANTINE = Endpoint(
    "review.quarantine",
    "POST",
    Quarantine,
    Curated,
    "Hold a memory out of recall until somebody decides",
    owner=True,
    verb="engine.memory.quarantine:quarantine",
)
STANDING = Endpoint(
    "review.standing",
    "GET",
    AskStanding,
    StandingList,
    "What was decided once for all questions of a source",
    owner=True,
    verb="engine.memory.standing_decisions:list_standing",
)
STAND = Endpoint(
    "review.stand",
    "POST",
    Stand,
    Stands,
    "Decide once for all that is asked from now on",
    owner=True,
    verb="engine.memory.standing_decisions:add_standing",
)
REVOKE = Endpoint(
    "review.revoke",
    "POST",
    Revoke,
    Stands,
    "Let a standing decision stand no more",
    owner=True,
    verb="engine.memory.standing_decisions:revoke",
)
PROPOSE = Endpoint(
    "review.propose",
    "POST",
    Propose,
    Asked,
    "Ask for a promotion or a correction",
    verb="engine.memory.review_queue:propose",
)
DUPLICATES = Endpoint(
    "review.duplicates",
    "GET",
    AskDuplicates,
    DuplicateList,
    "Memories that may be one",
    owner=True,
    verb="engine.memory.duplicates:duplicates",
)
PROPOSE_DUPLICATES = Endpoint(
    "review.propose_duplicates",
    "POST",
    AskDuplicates,
    Proposed,
    "Put possible duplicates into the queue",
    owner=True,
    verb="service.job_calls:propose_duplicates",
)
