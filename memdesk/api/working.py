"""Working: working memory of the current session, which expires and is not stored, and the scratchpads of
sessions."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint
from memdesk.model.status import Nothing
from memdesk.model.working import (
    AddTurn,
    AskHeld,
    AskNote,
    AskPlaces,
    AskRecent,
    AskValue,
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
    SessionPlace,
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

ADD_TURN = Endpoint(
    "working.add_turn",
    "POST",
    AddTurn,
    Kept,
    "Hold a turn of the session without storing it",
    verb="engine.memory.ephemeral:add_turn",
)
RECENT_TURNS = Endpoint(
    "working.recent_turns",
    "GET",
    AskRecent,
    WorkingTurns,
    "The session's latest turns",
    verb="engine.memory.ephemeral:recent_turns",
)
SET = Endpoint(
    "working.set", "POST", SetValue, Kept, "Hold a context value", verb="engine.memory.working:set_value"
)
GET = Endpoint(
    "working.get", "GET", AskValue, WorkingValue, "A context value", verb="engine.memory.working:get_value"
)
DELETE = Endpoint(
    "working.delete",
    "POST",
    AskValue,
    Forgotten,
    "Forget a context value",
    verb="engine.memory.working:delete_value",
)
CONTEXT = Endpoint(
    "working.context",
    "GET",
    AskRecent,
    WorkingContext,
    "The session's working memory whole",
    verb="engine.memory.working:context",
)
CLEAR_SESSION = Endpoint(
    "working.clear_session",
    "POST",
    WorkingPlace,
    Forgotten,
    "Forget the session's working memory",
    verb="engine.memory.working:clear_session",
)
SET_ACTIVE_GOAL = Endpoint(
    "working.set_active_goal",
    "POST",
    SetActiveGoal,
    GoalAtHand,
    "Say what is being worked on",
    verb="engine.memory.working:set_active_goal",
)
ACTIVE_GOAL = Endpoint(
    "working.active_goal",
    "GET",
    WorkingPlace,
    GoalAtHand,
    "What is being worked on",
    verb="engine.memory.working:active_goal",
)
PUSH_THOUGHT = Endpoint(
    "working.push_thought",
    "POST",
    PushThought,
    Kept,
    "Note a thought",
    verb="engine.memory.working:push_thought",
)
THOUGHTS = Endpoint(
    "working.thoughts",
    "GET",
    AskRecent,
    Thoughts,
    "The session's latest thoughts",
    verb="engine.memory.working:thoughts",
)
WRITE_NOTE = Endpoint(
    "working.write_note",
    "POST",
    WriteNote,
    NoteWritten,
    "Write to a session's scratchpad",
    verb="engine.memory.scratchpad:write_note",
)
READ_NOTE = Endpoint(
    "working.read_note",
    "GET",
    AskNote,
    WorkingValue,
    "A note of a session's scratchpad",
    verb="engine.memory.scratchpad:read_note",
)
LIST_NOTES = Endpoint(
    "working.list_notes",
    "GET",
    ListNotes,
    NoteList,
    "What a session's scratchpad holds",
    verb="engine.memory.scratchpad:list_notes",
)
DELETE_NOTE = Endpoint(
    "working.delete_note",
    "POST",
    AskNote,
    Forgotten,
    "Forget a note",
    verb="engine.memory.scratchpad:delete_note",
)
CLEAR_NOTES = Endpoint(
    "working.clear_notes",
    "POST",
    SessionPlace,
    Forgotten,
    "Forget a session's scratchpad",
    verb="engine.memory.scratchpad:clear_notes",
)
SIZE = Endpoint(
    "working.size",
    "GET",
    Nothing,
    WorkingSize,
    "How much working memory holds, and how much went",
    verb="engine.memory.working:size",
)
PLACES = Endpoint(
    "working.places",
    "GET",
    AskPlaces,
    HeldPlaces,
    "Conversations and sessions that hold working memory",
    owner=True,
    verb="engine.memory.working:places",
)
HELD = Endpoint(
    "working.held",
    "GET",
    AskHeld,
    HeldKeys,
    "What one place holds, key by key",
    owner=True,
    verb="engine.memory.working:list_keys",
)
EXTEND = Endpoint(
    "working.extend",
    "POST",
    ExtendLife,
    Kept,
    "Let a key live longer",
    owner=True,
    verb="engine.memory.working:extend",
)
FORGET = Endpoint(
    "working.forget",
    "POST",
    ForgetKey,
    Forgotten,
    "Forget one key of working memory",
    owner=True,
    verb="engine.memory.working:forget",
)
