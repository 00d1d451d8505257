"""agentx: AgentX's memory tools, built on the desk's own verbs; they answer its JSON with `success` in it.

An agent can forget facts that agents and jobs learned; facts that a person pinned or wrote are left to
people."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memdesk.engine.context.recap import TURNS_AT_MOST, recap
from memdesk.engine.engine import Engine
from memdesk.engine.memory import curate, goals, working
from memdesk.engine.memory.draft import protected
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.recall import agent_search
from memdesk.engine.toolsets.toolset import ToolFault, WorkingSet, json_answer
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import Forget, Rescue, Retire
from memdesk.model.errors import MemDeskError
from memdesk.model.fact import CERTAINTY, FACT, Fact
from memdesk.model.goal import GOAL, CompleteGoal, GoalChanged, NewGoal
from memdesk.model.instant import to_datetime
from memdesk.model.recall import AskRecap, PastFact, PastTurn
from memdesk.model.remember import NewFact
from memdesk.model.tools import Misfit, ToolAnswer, ToolCall
from memdesk.model.trust import is_trusted, source_words
from memdesk.model.turn import CONVERSATION, TURN, Turn
from memdesk.model.working import AskValue, SetValue, WorkingPlace
from memdesk.store import records, semantic
from memdesk.store.connection import Connection
from memdesk.store.goals import active as active_goals

TURNS = 10
RADIUS, THREAD_TURNS, THREAD_TURNS_AT_MOST, THREAD_CHARACTERS = 6, 15, 100, 1_500
"""AgentX's sizes of a thread; the upper limit of its turns is ours."""
CHECKPOINTS = "checkpoints"
NOTES = "scratchpad_notes"
AT_MOST = {CHECKPOINTS: 8, NOTES: 50}
"""Most entries of a list per conversation; the oldest are dropped (AgentX: 8 checkpoints; the limit of notes
is ours)."""
LIFE_S = 7 * 86_400
"""Seconds until a list expires after its last use (AgentX)."""
_adding = threading.Lock()


def recall_user_history(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return the user's turns in other conversations and facts by relevance, with a summary of both; without a topic,
    also the user's latest turns."""
    limit = max(1, min(int(call.arguments.get("limit") or TURNS), TURNS_AT_MOST))
    ask = AskRecap(
        topic=str(call.arguments.get("topic") or ""),
        channel=call.channel,
        user_id=call.place.user_id,
        agent_id=call.agent or None,
        conversation_id=call.place.conversation_id,
        limit=limit,
    )
    found = recap(engine, ask, author=call.author)
    turns = [
        {
            "timestamp": turn.at.isoformat(),
            "conversation_id": turn.conversation_id,
            "turn_index": turn.turn_index,
            "content": turn.text,
            **_marks(turn),
        }
        for turn in found.turns
    ]
    facts = [
        {"fact_id": fact.id, "claim": fact.claim, "confidence": fact.confidence, **_marks(fact)}
        for fact in found.facts
    ]
    answer = {"topic": found.topic or None, "summary": found.summary, "user_turns": turns, "facts": facts}
    return _done({**answer, "turn_count": len(turns)})


def read_thread(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return the turns of a conversation, the latest ones or those around one turn."""
    id, asked = call.arguments["conversation_id"], call.arguments
    with engine.store.reading() as db:
        talk = records.get(db, CONVERSATION, id)
        if talk is None or talk.user_id != call.place.user_id:
            raise _failed(f"Conversation not found: {id}")
        last = semantic.last_turn_index(db, id)
        turns = _thread(db, call, id, *_span(asked, last))
    answer = {"conversation_id": talk.id, "title": talk.title, "turns": turns, "turn_count": len(turns)}
    return _done({**answer, "last_index": last})


def remember_fact(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Raise a fact's salience, or learn a claim."""
    id, claim = (str(call.arguments.get(name) or "").strip() for name in ("fact_id", "claim"))
    if bool(id) == bool(claim):
        raise _failed("Give a fact_id or a claim, and not both.")
    if claim:
        new = NewFact(
            claim=claim,
            channel=call.channel,
            user_id=call.place.user_id,
            agent_id=call.agent or None,
            confidence=CERTAINTY["explicit"],
        )
        learned = learn_fact(engine, new, author=call.author)
        return _done({"fact_id": learned.id, "repeated": learned.repeated}, learned.change)
    _need_fact(engine, call, id)
    done = curate.rescue(engine, Rescue(id=id), author=call.author)
    return _done({"fact_id": id, "salience": engine.settings.rescue_salience}, done.change)


def forget_fact(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Make a fact past and faint, or retire it. In both cases it is kept for the records derived from it."""
    id, hard = call.arguments["fact_id"], bool(call.arguments.get("hard"))
    fact = _need_fact(engine, call, id)
    if not call.may_change(fact.agent_id):
        raise _failed(f"The agent {fact.agent_id} stored this fact; ask the person to forget it.")
    if not call.owner:
        with engine.store.reading() as db:
            if protected(db, [id]):
                raise _failed("A person pinned or wrote this fact; ask them to forget it.")
    if hard:
        done = curate.retire(engine, Retire(id=id), author=call.author)
    else:
        done = curate.forget(engine, Forget(fact_id=id), author=call.author)
    return _done({"fact_id": id, "mode": "retired" if hard else "soft"}, done.change)


def add_goal(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Add a goal; it belongs to the current conversation if the desk knows that."""
    asked = call.arguments
    with engine.store.reading() as db:
        known = call.place.conversation_id and records.get(db, CONVERSATION, call.place.conversation_id)
    goal = NewGoal(
        description=asked["description"],
        priority=asked.get("priority") or 3,
        channel=call.channel,
        user_id=call.place.user_id,
        agent_id=call.agent or None,
        goal_id=asked.get("goal_id") or None,
        parent_id=asked.get("parent_goal_id") or None,
        deadline=_moment(asked.get("deadline")),
        conversation_id=call.place.conversation_id if known else None,
    )
    return _moved(goals.add(engine, goal, author=call.author))


def complete_goal(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Record the outcome of a goal of this user and channel."""
    asked = call.arguments
    with engine.store.reading() as db:
        goal = records.get(db, GOAL, asked["goal_id"])
        is_persons = goal is not None and goal.agent_id is None and bool(protected(db, [goal.id]))
    if goal is not None and not call.may_change(goal.agent_id):
        raise _failed(f"The agent {goal.agent_id} set this goal.")
    if is_persons and not (call.owner or call.rights.may_change_the_persons):
        raise _failed("A person set this goal; ask them to end it.")
    end = CompleteGoal(
        goal_id=asked["goal_id"],
        status=asked.get("status") or "completed",
        result=asked.get("result") or "",
        user_id=call.place.user_id,
        channel=call.channel,
    )
    return _moved(goals.complete(engine, end, author=call.author))


def checkpoint(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Record the current state of this conversation's task."""
    asked = call.arguments
    if not asked["summary"].strip():
        raise _failed("summary is required")
    entry = {
        "summary": asked["summary"],
        "decisions": asked.get("decisions") or [],
        "next_step": asked.get("next_step") or "",
        "at": to_datetime(engine.clock()).isoformat(),
    }
    kept = _add_entry(
        engine, _scope(call, "Checkpoint"), CHECKPOINTS, entry, replace=bool(asked.get("replace"))
    )
    return _done({"stored": entry, "checkpoint_count": len(kept)})


def scratchpad_note(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Store a note for this conversation, or return its working state."""
    note, scope = str(call.arguments.get("note") or "").strip(), _scope(call, "scratchpad_note")
    if call.arguments.get("read") or not note:
        return _done(_state(engine, call, scope))
    entry = {"note": note, "at": to_datetime(engine.clock()).isoformat()}
    kept = _add_entry(engine, scope, NOTES, entry, replace=bool(call.arguments.get("replace")))
    return _done({"stored": entry, "note_count": len(kept)})


def _add_entry(
    engine: Engine, scope: WorkingPlace, name: str, entry: dict[str, Any], *, replace: bool
) -> list[Any]:
    """Add an entry to a list, or begin a new list with it; return the list."""
    with _adding:
        before = [] if replace else _entries(engine, scope, name, author="")
        kept = [*before, entry][-AT_MOST[name] :]
        working.set_value(
            engine,
            SetValue(
                key=name,
                value=kept,
                ttl_seconds=LIFE_S,
                user_id=scope.user_id,
                channel=scope.channel,
                conversation_id=scope.conversation_id,
            ),
        )
        return kept


def _entries(engine: Engine, scope: WorkingPlace, name: str, *, author: str) -> list[Any]:
    """Return the current list, oldest first."""
    ask = AskValue(
        key=name, user_id=scope.user_id, channel=scope.channel, conversation_id=scope.conversation_id
    )
    value = working.get_value(engine, ask, author=author)
    return list(value.value) if value.found and isinstance(value.value, list) else []


def _state(engine: Engine, call: ToolCall, scope: WorkingPlace) -> dict[str, Any]:
    with engine.store.reading() as db:
        channels = tuple(dict.fromkeys((call.channel, GLOBAL)))
        active = active_goals(db, call.place.user_id, channels)
    return {
        "notes": _entries(engine, scope, NOTES, author=call.author),
        "checkpoints": _entries(engine, scope, CHECKPOINTS, author=call.author),
        "active_goals": [
            {
                "goal_id": goal.id,
                "description": goal.description,
                "status": goal.status,
                "priority": goal.priority,
            }
            for goal in active
        ],
    }


def _marks(found: PastTurn | PastFact) -> dict[str, Any]:
    """Return the fields that mark a turn or a fact as not trusted."""
    if is_trusted(found.trust):
        return {}
    return {"trust": round(found.trust, 2), "not_trusted": f"quoted from {source_words(found.source)}"}


def _thread(
    db: Connection, call: ToolCall, conversation_id: str, first: int, last: int
) -> list[dict[str, Any]]:
    """Return the turns of a conversation from one index to another, in order."""
    ids = semantic.turns_after(db, conversation_id, first - 1, max(0, last - first + 1))
    turns: list[Turn] = sorted(records.many(db, TURN, "id", ids), key=lambda turn: turn.turn_index)
    return [
        {
            "index": turn.turn_index,
            "timestamp": to_datetime(turn.created_at).isoformat(),
            "role": turn.role,
            "content": turn.content[:THREAD_CHARACTERS],
            **agent_search.marks(turn, call),
        }
        for turn in turns
        if turn.turn_index <= last and turn.retired_at is None
    ]


def _span(asked: dict[str, Any], last: int) -> tuple[int, int]:
    """Return the first and the last requested index."""
    limit = min(int(asked.get("limit") or THREAD_TURNS), THREAD_TURNS_AT_MOST)
    around = asked.get("around")
    if around is None:
        return max(0, last - limit + 1), last
    radius = RADIUS if asked.get("radius") is None else int(asked["radius"])
    first = max(0, int(around) - min(radius, limit // 2))
    return first, min(int(around) + radius, first + limit - 1, last)


def _need_fact(engine: Engine, call: ToolCall, id: str) -> Fact:
    """Return a fact that this user has in this channel or in `_global`. Raises ToolFault."""
    with engine.store.reading() as db:
        fact = records.get(db, FACT, id)
        channels = {semantic.current_channel(db, call.place.user_id, call.channel), GLOBAL}
    if fact is None or fact.user_id != call.place.user_id or fact.channel not in channels:
        raise _failed("Fact not found", fact_id=id)
    return fact


def _scope(call: ToolCall, tool: str) -> WorkingPlace:
    if not call.place.conversation_id:
        raise _failed(f"{tool} requires an active conversation context.")
    return WorkingPlace(
        user_id=call.place.user_id, channel=call.channel, conversation_id=call.place.conversation_id
    )


def _moment(text: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        raise _failed("deadline must be a time such as 2026-01-31T09:30:00Z") from None


def _moved(done: GoalChanged) -> ToolAnswer:
    return _done({"goal_id": done.id, "status": done.status}, done.change)


def _done(answer: dict[str, Any], change: int | None = None) -> ToolAnswer:
    return json_answer({**answer, "success": True}, change)


def _failed(error: str, **more: Any) -> ToolFault:
    return ToolFault(json.dumps({"error": error, **more, "success": False}, ensure_ascii=False))


def _misfits(tool: str, misfits: Sequence[Misfit]) -> str:
    said = "; ".join(each.says or f"expected {each.expected}, got {each.received}" for each in misfits)
    places = ", ".join(each.place for each in misfits if each.place)
    return _failed(f"Invalid arguments for {tool} ({places}): {said}").says


def _failure(error: MemDeskError) -> str:
    return _failed(error.sentence).says


WORKING = WorkingSet(
    verbs={
        "recall_user_history": recall_user_history,
        "read_thread": read_thread,
        "remember_fact": remember_fact,
        "forget_fact": forget_fact,
        "add_goal": add_goal,
        "complete_goal": complete_goal,
        "checkpoint": checkpoint,
        "scratchpad_note": scratchpad_note,
    },
    misfits=_misfits,
    failure=_failure,
)
