"""Working: working memory of the current session, which expires and is not stored, and the scratchpads of
sessions."""

from __future__ import annotations

from memdesk.api.endpoint import Get, Post
from memdesk.model.status import Nothing
from memdesk.model.team import AGENT, OWNER
from memdesk.model.working import (
    AddTurn,
    AskHeld,
    AskNote,
    AskPlaces,
    AskRecent,
    AskValue,
    ClearNotes,
    ExtendLife,
    ForgetKey,
    Forgotten,
    GoalAtHand,
    HeldKeys,
    HeldPlaces,
    Kept,
    ListNotes,
    NoteList,
    NoteWritten,
    PushThought,
    SetActiveGoal,
    SetValue,
    Thoughts,
    WorkingContext,
    WorkingPlace,
    WorkingSize,
    WorkingTurns,
    WorkingValue,
    WriteNote,
)

ADD_TURN = Post(
    "working.add_turn",
    AddTurn,
    Kept,
    "Hold a turn of the session without storing it",
    "memory.ephemeral:add_turn",
    role=AGENT,
)
RECENT_TURNS = Get(
    "working.recent_turns",
    AskRecent,
    WorkingTurns,
    "The session's latest turns",
    "memory.ephemeral:recent_turns",
    role=AGENT,
)
SET = Post("working.set", SetValue, Kept, "Hold a context value", "memory.working:set_value", role=AGENT)
GET = Get("working.get", AskValue, WorkingValue, "A context value", "memory.working:get_value", role=AGENT)
DELETE = Post(
    "working.delete", AskValue, Forgotten, "Forget a context value", "memory.working:delete_value", role=AGENT
)
CONTEXT = Get(
    "working.context",
    AskRecent,
    WorkingContext,
    "The session's working memory whole",
    "memory.working:context",
    role=AGENT,
)
CLEAR_SESSION = Post(
    "working.clear_session",
    WorkingPlace,
    Forgotten,
    "Forget the session's working memory",
    "memory.working:clear_session",
    role=AGENT,
)
SET_ACTIVE_GOAL = Post(
    "working.set_active_goal",
    SetActiveGoal,
    GoalAtHand,
    "Say what is being worked on",
    "memory.working:set_active_goal",
    role=AGENT,
)
ACTIVE_GOAL = Get(
    "working.active_goal",
    WorkingPlace,
    GoalAtHand,
    "What is being worked on",
    "memory.working:active_goal",
    role=AGENT,
)
PUSH_THOUGHT = Post(
    "working.push_thought", PushThought, Kept, "Note a thought", "memory.working:push_thought", role=AGENT
)
THOUGHTS = Get(
    "working.thoughts",
    AskRecent,
    Thoughts,
    "The session's latest thoughts",
    "memory.working:thoughts",
    role=AGENT,
)
WRITE_NOTE = Post(
    "working.write_note",
    WriteNote,
    NoteWritten,
    "Write to a session's scratchpad",
    "memory.scratchpad:write_note",
    role=AGENT,
)
READ_NOTE = Get(
    "working.read_note",
    AskNote,
    WorkingValue,
    "A note of a session's scratchpad",
    "memory.scratchpad:read_note",
    role=AGENT,
)
LIST_NOTES = Get(
    "working.list_notes",
    ListNotes,
    NoteList,
    "What a session's scratchpad holds",
    "memory.scratchpad:list_notes",
    role=AGENT,
)
DELETE_NOTE = Post(
    "working.delete_note", AskNote, Forgotten, "Forget a note", "memory.scratchpad:delete_note", role=AGENT
)
CLEAR_NOTES = Post(
    "working.clear_notes",
    ClearNotes,
    Forgotten,
    "Forget a session's scratchpad",
    "memory.scratchpad:clear_notes",
    role=AGENT,
)
SIZE = Get(
    "working.size",
    Nothing,
    WorkingSize,
    "How much working memory holds, and how much went",
    "memory.working:size",
    role=AGENT,
)
PLACES = Get(
    "working.places",
    AskPlaces,
    HeldPlaces,
    "Conversations and sessions that hold working memory",
    "memory.working:places",
    role=OWNER,
)
HELD = Get(
    "working.held",
    AskHeld,
    HeldKeys,
    "What one place holds, key by key",
    "memory.working:list_keys",
    role=OWNER,
)
EXTEND = Post(
    "working.extend", ExtendLife, Kept, "Let a key live longer", "memory.working:extend", role=OWNER
)
FORGET = Post(
    "working.forget",
    ForgetKey,
    Forgotten,
    "Forget one key of working memory",
    "memory.working:forget",
    role=OWNER,
)
