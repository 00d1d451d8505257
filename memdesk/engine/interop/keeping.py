"""Execution of the sample script's acts: each act calls the verb it represents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

from memdesk.engine.context.at_hand import at_hand
from memdesk.engine.context.compactor import compact
from memdesk.engine.context.prompt import context
from memdesk.engine.context.sessions import create_session
from memdesk.engine.engine import Engine
from memdesk.engine.interop.acts import (
    Aims,
    Compacts,
    Ends,
    Kept,
    Masters,
    Notes,
    Primes,
    Suggests,
    Tags,
    Uses,
)
from memdesk.engine.interop.script import Scene
from memdesk.engine.memory import goals
from memdesk.engine.memory.procedures import learn_strategy, record_invocation
from memdesk.engine.memory.profiles import set_trait
from memdesk.engine.memory.review import propose
from memdesk.engine.memory.tags import tag
from memdesk.model.context import Compact
from memdesk.model.curation import Tagging
from memdesk.model.errors import NotFound
from memdesk.model.goals import CompleteGoal, NewGoal
from memdesk.model.procedures import NewStrategy, NewToolCall
from memdesk.model.profiles import SetTrait
from memdesk.model.prompt import AskContext
from memdesk.model.review import Propose
from memdesk.model.sessions import NewSession
from memdesk.store import semantic

DUE = time(17, 0)
"""Time of day at which a goal is due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Context of an act: its scene, its conversation and the turn above it."""

    scene: Scene
    conversation_id: str
    turn_id: str

    @property
    def author(self) -> str:
        return f"agent:{self.scene.agent}"


@dataclass(slots=True, kw_only=True)
class Keeper:
    """Executor of acts, with the ids created so far. fact: returns the id of a claim; goals: ids by
    description; sessions: ids by conversation."""

    engine: Engine
    today: date
    fact: Callable[[str], str]
    goals: dict[str, str] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)

    def keep(self, act: Kept, place: Place) -> None:
        """Execute one act. Raises NotFound for a goal or a claim that was not named before."""
        match act:
            case Aims():
                self._aim(act, place)
            case Ends():
                self._end(act, place)
            case Uses():
                self._use(act, place)
            case Masters():
                self._master(act, place)
            case Notes():
                note = SetTrait(aspect=act.aspect, name=act.name, value=act.value)
                set_trait(self.engine, note, author=place.author)
            case Tags():
                tag(self.engine, Tagging(id=self.fact(act.claim), tags=act.tags), author=place.author)
            case Suggests():
                self._suggest(act, place)
            case Primes():
                self._prime(act, place)
            case Compacts():
                self._compact(act, place)

    def _aim(self, act: Aims, place: Place) -> None:
        new = NewGoal(
            description=act.description,
            priority=act.priority,
            channel=place.scene.channel,
            agent_id=place.scene.agent,
            conversation_id=place.conversation_id,
            deadline=None if act.due is None else self._day(act.due),
            parent_id=None if act.part_of is None else self._goal(act.part_of),
            blocked_by=() if act.after is None else (self._goal(act.after),),
        )
        self.goals[act.description] = goals.add(self.engine, new, author=place.author).id

    def _end(self, act: Ends, place: Place) -> None:
        end = CompleteGoal(goal_id=self._goal(act.description), status=act.status, result=act.result)
        goals.complete(self.engine, end, author=place.author)

    def _use(self, act: Uses, place: Place) -> None:
        call = NewToolCall(
            tool_name=act.tool,
            success=not act.error,
            latency_ms=act.ms,
            error_message=act.error,
            task_type=act.task,
            turn_id=place.turn_id,
            agent_id=place.scene.agent,
        )
        record_invocation(self.engine, call, author=place.author)

    def _master(self, act: Masters, place: Place) -> None:
        new = NewStrategy(
            description=act.description,
            context_pattern=act.context,
            tool_sequence=act.tools,
            from_conversation_id=place.conversation_id,
            channel=place.scene.channel,
            agent_id=place.scene.agent,
        )
        learn_strategy(self.engine, new, author=place.author)

    def _suggest(self, act: Suggests, place: Place) -> None:
        ask = Propose(
            type="promotion", fact_id=self.fact(act.claim), reason=act.reason, agent_id=place.scene.agent
        )
        propose(self.engine, ask, author=place.author)

    def _prime(self, act: Primes, place: Place) -> None:
        with self.engine.store.reading() as db:
            messages = at_hand(db, place.conversation_id)
            next_turn = semantic.last_turn_index(db, place.conversation_id) + 1
        ask = AskContext(
            messages=messages,
            conversation_id=place.conversation_id,
            turn_index=next_turn,
            channel=place.scene.channel,
            agent_id=place.scene.agent,
            budget_tokens=act.budget,
        )
        context(self.engine, ask, author=place.author)

    def _compact(self, act: Compacts, place: Place) -> None:
        with self.engine.store.reading() as db:
            messages = at_hand(db, place.conversation_id)
        ask = Compact(messages=messages, session_id=self._session(act, place), force=True)
        compact(self.engine, ask, author=place.author)

    def _session(self, act: Compacts, place: Place) -> str:
        if place.conversation_id not in self.sessions:
            new = NewSession(
                channel=place.scene.channel,
                agent_id=place.scene.agent,
                title=place.scene.title,
                conversation_id=place.conversation_id,
                policy=act.policy,
                window_tokens=act.window,
            )
            made = create_session(self.engine, new, author=place.author)
            self.sessions[place.conversation_id] = made.session_id
        return self.sessions[place.conversation_id]

    def _goal(self, description: str) -> str:
        if description not in self.goals:
            raise NotFound(f"Nobody has set the goal “{description}” by then.")
        return self.goals[description]

    def _day(self, days: int) -> datetime:
        return datetime.combine(self.today + timedelta(days=days), DUE).astimezone()
