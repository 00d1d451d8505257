"""Review: questions of jobs and agents that the desk's owner decides."""

from __future__ import annotations

from memdesk.api.endpoint import Get, Post
from memdesk.model.curation import Curated
from memdesk.model.proposal import AskStanding, Revoke, Stand, StandingList, Stands
from memdesk.model.review import (
    AskContradictions,
    AskDuplicates,
    Asked,
    AskReview,
    Contradictions,
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

LIST = Get(
    "review.list",
    AskReview,
    ReviewPage,
    "Questions with both their sides",
    "memory.review_queue:review",
    owner=True,
)
COUNT = Get(
    "review.count",
    CountReview,
    ReviewCount,
    "How many questions wait",
    "memory.review_queue:count_review",
    owner=True,
)
CONTRADICTIONS = Get(
    "review.contradictions",
    AskContradictions,
    Contradictions,
    "The open contradictions of some facts",
    "memory.review_queue:contradictions",
    owner=True,
)
PREVIEW = Post(
    "review.preview",
    Decide,
    DecisionPreview,
    "What an answer would do; nothing is written",
    "memory.review_queue:preview_decision",
    owner=True,
    reads=True,
)
DECIDE = Post("review.decide", Decide, Decided, "Answer a question", "memory.decisions:decide", owner=True)
DECIDE_ALL = Post(
    "review.decide_all",
    DecideAll,
    JobState,
    "Start giving one answer to many, a run",
    "memory.review_queue:decide_all",
    owner=True,
    act="review",
    check="memory.review_queue:check",
)
PUT_OFF = Post(
    "review.put_off",
    PutOff,
    Waits,
    "Let a question wait until a time",
    "memory.review_queue:put_off",
    owner=True,
)
QUARANTINE = Post(
    "review.quarantine",
    Quarantine,
    Curated,
    "Hold a memory out of recall until somebody decides",
    "memory.quarantine:quarantine",
    owner=True,
)
STANDING = Get(
    "review.standing",
    AskStanding,
    StandingList,
    "What was decided once for all questions of a source",
    "memory.standing_decisions:list_standing",
    owner=True,
)
STAND = Post(
    "review.stand",
    Stand,
    Stands,
    "Decide once for all that is asked from now on",
    "memory.standing_decisions:add_standing",
    owner=True,
)
REVOKE = Post(
    "review.revoke",
    Revoke,
    Stands,
    "Let a standing decision stand no more",
    "memory.standing_decisions:revoke",
    owner=True,
)
PROPOSE = Post(
    "review.propose", Propose, Asked, "Ask for a promotion or a correction", "memory.review_queue:propose"
)
DUPLICATES = Get(
    "review.duplicates",
    AskDuplicates,
    DuplicateList,
    "Memories that may be one",
    "memory.duplicates:duplicates",
    owner=True,
)
PROPOSE_DUPLICATES = Post(
    "review.propose_duplicates",
    AskDuplicates,
    Proposed,
    "Put possible duplicates into the queue",
    "service.desk_calls:propose_duplicates",
    owner=True,
)
