"""Review: questions of jobs and agents that the desk's owner decides."""

from __future__ import annotations

from memdesk.api.endpoint import Get, Post
from memdesk.model.curation import Curated
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
from memdesk.model.standing_decision import AskStanding, Revoke, Stand, StandingList, Stands
from memdesk.model.status import JobState
from memdesk.model.team import AGENT, CURATOR

LIST = Get(
    "review.list",
    AskReview,
    ReviewPage,
    "Questions with both their sides",
    "memory.review_queue:review",
    role=CURATOR,
)
COUNT = Get(
    "review.count",
    CountReview,
    ReviewCount,
    "How many questions wait",
    "memory.review_queue:count_review",
    role=CURATOR,
)
CONTRADICTIONS = Get(
    "review.contradictions",
    AskContradictions,
    Contradictions,
    "The open contradictions of some facts",
    "memory.review_queue:contradictions",
    role=CURATOR,
)
PREVIEW = Post(
    "review.preview",
    Decide,
    DecisionPreview,
    "What an answer would do; nothing is written",
    "memory.review_queue:preview_decision",
    role=CURATOR,
    reads=True,
)
DECIDE = Post("review.decide", Decide, Decided, "Answer a question", "memory.decisions:decide", role=CURATOR)
DECIDE_ALL = Post(
    "review.decide_all",
    DecideAll,
    JobState,
    "Start giving one answer to many, a run",
    "memory.review_queue:decide_all",
    role=CURATOR,
    act="review",
    check="memory.review_queue:check",
)
PUT_OFF = Post(
    "review.put_off",
    PutOff,
    Waits,
    "Let a question wait until a time",
    "memory.review_queue:put_off",
    role=CURATOR,
)
QUARANTINE = Post(
    "review.quarantine",
    Quarantine,
    Curated,
    "Hold a memory out of recall until somebody decides",
    "memory.quarantine:quarantine",
    role=CURATOR,
)
STANDING = Get(
    "review.standing",
    AskStanding,
    StandingList,
    "What was decided once for all questions of a source",
    "memory.standing_decisions:list_standing",
    role=CURATOR,
)
STAND = Post(
    "review.stand",
    Stand,
    Stands,
    "Decide once for all that is asked from now on",
    "memory.standing_decisions:add_standing",
    role=CURATOR,
)
REVOKE = Post(
    "review.revoke",
    Revoke,
    Stands,
    "Let a standing decision stand no more",
    "memory.standing_decisions:revoke",
    role=CURATOR,
)
PROPOSE = Post(
    "review.propose",
    Propose,
    Asked,
    "Ask for a promotion or a correction",
    "memory.review_queue:propose",
    role=AGENT,
)
DUPLICATES = Get(
    "review.duplicates",
    AskDuplicates,
    DuplicateList,
    "Memories that may be one",
    "memory.duplicates:duplicates",
    role=CURATOR,
)
PROPOSE_DUPLICATES = Post(
    "review.propose_duplicates",
    AskDuplicates,
    Proposed,
    "Put possible duplicates into the queue",
    "service.desk_calls:propose_duplicates",
    role=CURATOR,
)
