"""Working: working memory of the current session, which expires and is not stored, and the scratchpads of
sessions."""

from __future__ import annotations

from typing import Any

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
    "working.add_turn", "POST", AddTurn, Kept, "Hold a turn of the session without storing it"
)
RECENT_TURNS = Endpoint("working.recent_turns", "GET", AskRecent, WorkingTurns, "The session's latest turns")
SET = Endpoint("working.set", "POST", SetValue, Kept, "Hold a context value")
GET = Endpoint("working.get", "GET", AskValue, WorkingValue, "A context value")
DELETE = Endpoint("working.delete", "POST", AskValue, Forgotten, "Forget a context value")
CONTEXT = Endpoint("working.context", "GET", AskRecent, WorkingContext, "The session's working memory whole")
CLEAR_SESSION = Endpoint(
    "working.clear_session", "POST", WorkingPlace, Forgotten, "Forget the session's working memory"
)
SET_ACTIVE_GOAL = Endpoint(
    "working.set_active_goal", "POST", SetActiveGoal, GoalAtHand, "Say what is being worked on"
)
ACTIVE_GOAL = Endpoint("working.active_goal", "GET", WorkingPlace, GoalAtHand, "What is being worked on")
PUSH_THOUGHT = Endpoint("working.push_thought", "POST", PushThought, Kept, "Note a thought")
THOUGHTS = Endpoint("working.thoughts", "GET", AskRecent, Thoughts, "The session's latest thoughts")
WRITE_NOTE = Endpoint("working.write_note", "POST", WriteNote, NoteWritten, "Write to a session's scratchpad")
READ_NOTE = Endpoint("working.read_note", "GET", AskNote, WorkingValue, "A note of a session's scratchpad")
LIST_NOTES = Endpoint("working.list_notes", "GET", ListNotes, NoteList, "What a session's scratchpad holds")
DELETE_NOTE = Endpoint("working.delete_note", "POST", AskNote, Forgotten, "Forget a note")
CLEAR_NOTES = Endpoint(
    "working.clear_notes", "POST", SessionPlace, Forgotten, "Forget a session's scratchpad"
)
SIZE = Endpoint(
    "working.size", "GET", Nothing, WorkingSize, "How much working memory holds, and how much went"
)
PLACES = Endpoint(
    "working.places",
    "GET",
    AskPlaces,
    HeldPlaces,
    "Conversations and sessions that hold working memory",
    owner=True,
)
HELD = Endpoint("working.held", "GET", AskHeld, HeldKeys, "What one place holds, key by key", owner=True)
EXTEND = Endpoint("working.extend", "POST", ExtendLife, Kept, "Let a key live longer", owner=True)
FORGET = Endpoint(
    "working.forget", "POST", ForgetKey, Forgotten, "Forget one key of working memory", owner=True
)

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    ADD_TURN,
    RECENT_TURNS,
    SET,
    GET,
    DELETE,
    CONTEXT,
    CLEAR_SESSION,
    SET_ACTIVE_GOAL,
    ACTIVE_GOAL,
    PUSH_THOUGHT,
    THOUGHTS,
    WRITE_NOTE,
    READ_NOTE,
    LIST_NOTES,
    DELETE_NOTE,
    CLEAR_NOTES,
    SIZE,
    PLACES,
    HELD,
    EXTEND,
    FORGET,
)
