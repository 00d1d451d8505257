"""Construction of the sample desk: a readable script is executed through the engine's own verbs, with a
simulated clock."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path

from sample_acts import ActPlace, ActRunner, Diary
from sample_script import (
    Act,
    Asks,
    Binds,
    Claims,
    Corrects,
    Introduces,
    Judges,
    Kept,
    Line,
    Logs,
    Said,
    Scene,
    TakesBack,
    read_play,
)

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.curate import edit_fact, pin, retire
from memdesk.engine.memory.promotion import promote
from memdesk.engine.memory.remember import learn_fact, relate, store_turns, upsert_entity
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.files.places import Desk
from memdesk.model.change import Change
from memdesk.model.curation import EditFact, Pin, Promote, Retire, Undo
from memdesk.model.errors import MemDeskError, NotFound, Refused
from memdesk.model.instant import SECOND, from_datetime, to_datetime
from memdesk.model.kind import new_id
from memdesk.model.message import message
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewFact, NewRelation, NewTurn, NewTurns
from memdesk.model.turn import CONVERSATION, TURN, Conversation
from memdesk.store import browsing, records
from memdesk.store.connection import Connection

SHORTEST_S, LONGEST_S = 40, 240
"""Seconds between two turns, unless the script gives another time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """Act with its time (UTC microseconds). number: index of its scene; order: its place in the scene."""

    at: int
    number: int
    order: int
    scene: Scene
    line: Line

    @property
    def act(self) -> Act:
        return self.line.act


def timed_cues(scenes: tuple[Scene, ...], now: int) -> list[Cue]:
    """Return every act of every scene in order of time. now: after the last of them, on day 0."""
    today = to_datetime(now).astimezone().date()
    cues = [cue for number, scene in enumerate(scenes) for cue in _timed(scene, number, today)]
    return sorted(cues, key=lambda cue: (cue.at, cue.number, cue.order))


def day_of(at: int) -> date:
    """Return the date of a time in the desk's time zone."""
    return to_datetime(at).astimezone().date()


def clock_of(at: int) -> str:
    """Return the time of day of a time in the desk's time zone, HH:MM."""
    return to_datetime(at).astimezone().strftime("%H:%M")


def logged_at(cue: Cue, act: Logs) -> int:
    """Return the time of a day file's line: the time it names on that day, but never later than the act."""
    if act.at is None:
        return cue.at
    return min(cue.at, from_datetime(datetime.combine(day_of(cue.at), act.at)))


def _timed(scene: Scene, number: int, today: date) -> Iterator[Cue]:
    at = from_datetime(datetime.combine(today + timedelta(days=scene.day), scene.at))
    for order, line in enumerate(scene.lines):
        if order:
            at += _gap(scene, line.act, order)
        yield Cue(at=at, number=number, order=order, scene=scene, line=line)


def _gap(scene: Scene, act: Act, order: int) -> int:
    """Return the time before an act: turns take some time; the agent's other acts follow within a second."""
    if not isinstance(act, Said):
        return SECOND // 2
    if act.after is not None:
        return round(act.after.total_seconds()) * SECOND
    chance = zlib.crc32(f"{scene.channel}/{scene.title}/{order}".encode())
    return (SHORTEST_S + chance % (LONGEST_S - SHORTEST_S)) * SECOND


RECALLED = 8
"""Hits of each recall: important memories are recalled week after week, the others decay."""

MARKED_BY = "job:sample"
"""Author of changes that the script makes for its agents, to distinguish them from real consolidation."""


@dataclass(slots=True)
class Clock:
    """Clock that shows the time it was set to, and never goes back."""

    at: int

    def __call__(self) -> int:
        return self.at

    def put(self, at: int) -> None:
        self.at = max(self.at, at)


@dataclass(slots=True)
class _Talk:
    """Conversation in progress: turns not stored yet, the id of the last turn, and the number of turns."""

    id: str
    waiting: list[NewTurn] = field(default_factory=list)
    last_turn: str = ""
    said: int = 0


class Stage:
    """Engine with a simulated clock, and the state of the script so far."""

    def __init__(self, engine: Engine, clock: Clock, person: str, today: date, cues: list[Cue]) -> None:
        self.engine, self.clock, self.person, self.today, self.cues = engine, clock, person, today, cues
        self.introductions = {cue.act.name: cue.act for cue in cues if isinstance(cue.act, Introduces)}
        self.talks: dict[int, _Talk] = {}
        self.ended: list[_Talk] = []
        self.facts: dict[str, str] = {}
        self.known: set[tuple[str, str]] = set()
        self.keeper = ActRunner(engine=engine, today=today, fact=self._fact)
        self.diaries = {
            agent: Diary(engine=engine, agent=agent, person=person, today=today)
            for agent in dict.fromkeys(cue.scene.agent for cue in cues)
        }

    def play(self, now: int) -> dict[str, int]:
        """Execute all acts, in order of time. Returns counts of the desk's contents."""
        for diary in self.diaries.values():
            diary.open()
        last = {cue.number: cue.order for cue in self.cues}
        for before, cue in zip([self.cues[0], *self.cues], self.cues, strict=False):
            if day_of(before.at) != day_of(cue.at):
                self._end_day(day_of(before.at), last_evening=day_of(cue.at) == self.today)
            self.clock.put(cue.at)
            self._happen(cue)
            if cue.order == last[cue.number]:
                self._store(cue)
                self.ended.append(self.talks[cue.number])
        self._end_day(day_of(self.cues[-1].at), last_evening=False)
        self.clock.put(now)
        # Until here words alone have answered: a play is to be ready in seconds.
        while embed_pending(self.engine):
            pass
        return self._held()

    def _held(self) -> dict[str, int]:
        """Return counts of the desk's contents at the end."""
        with self.engine.store.reading() as db:
            found = browsing.counts(db)
        return {name: found[name] for name in ("conversations", "turns", "facts", "entities")} | {
            "files": found["documents"]
        }

    def _happen(self, cue: Cue) -> None:
        try:
            self._act(cue)
        except MemDeskError as error:
            raise Refused(
                message("{where}: {says}", where=cue.line.where, says=error.says), next=error.next
            ) from error

    def _act(self, cue: Cue) -> None:
        match cue.act:
            case Said():
                self._say(cue, cue.act)
            case Claims():
                self._learn(cue, cue.act)
            case Introduces():
                self._introduce(cue, cue.act.name)
            case Binds():
                self._bind(cue, cue.act)
            case Asks():
                self._ask(cue, cue.act)
            case Logs():
                clock = clock_of(logged_at(cue, cue.act))
                self.diaries[cue.scene.agent].note(cue.scene.title, clock, cue.act.text)
            case Judges() | Corrects() | TakesBack():
                self._curate(cue)
            case kept:
                self._keep(cue, kept)

    def _say(self, cue: Cue, act: Said) -> None:
        talk = self.talks.setdefault(cue.number, _Talk(new_id(CONVERSATION.prefix, cue.at)))
        talk.last_turn = new_id(TURN.prefix, cue.at)
        talk.said += 1
        talk.waiting.append(
            NewTurn(
                content=act.text,
                role="user" if act.speaker != cue.scene.agent else "assistant",
                speaker=act.speaker,
                channel=cue.scene.channel,
                agent_id=cue.scene.agent,
                conversation_id=talk.id,
                title=cue.scene.title,
                turn_id=talk.last_turn,
                created_at=to_datetime(cue.at),
            )
        )

    def _store(self, cue: Cue) -> None:
        """Store the waiting turns, because an act on a turn needs it to be stored."""
        talk = self.talks[cue.number]
        if talk.waiting:
            store_turns(self.engine, NewTurns(turns=tuple(talk.waiting)), author=_agent(cue))
            talk.waiting.clear()

    def _learn(self, cue: Cue, act: Claims) -> None:
        self._store(cue)
        for name in act.about:
            self._introduce(cue, name)
        learned = learn_fact(
            self.engine,
            NewFact(
                claim=act.claim,
                channel=cue.scene.channel,
                agent_id=cue.scene.agent,
                category=act.category,
                confidence=act.confidence,
                temporal=act.temporal,
                about=act.about,
                source_turn_id=self.talks[cue.number].last_turn,
                supersedes=self._fact(act.instead) if act.instead else None,
            ),
            author=_agent(cue),
        )
        self.facts[act.claim] = learned.id

    def _introduce(self, cue: Cue, name: str) -> None:
        """Add an entity to this channel, once, as the script introduces it in any place."""
        act = self.introductions.get(name)
        if act is None or (cue.scene.channel, name) in self.known:
            return
        self.known.add((cue.scene.channel, name))
        upsert_entity(
            self.engine,
            NewEntity(
                name=name,
                type=act.type,
                description=act.description,
                aliases=act.aliases,
                channel=cue.scene.channel,
                agent_id=cue.scene.agent,
            ),
            author=_agent(cue),
        )

    def _bind(self, cue: Cue, act: Binds) -> None:
        for name in (act.source, act.target):
            self._introduce(cue, name)
        relate(
            self.engine,
            NewRelation(
                source=act.source,
                target=act.target,
                type=act.relation,
                channel=cue.scene.channel,
                agent_id=cue.scene.agent,
            ),
            author=_agent(cue),
        )

    def _ask(self, cue: Cue, act: Asks) -> None:
        self._store(cue)
        query = Query(
            text=act.query,
            channel=cue.scene.channel,
            agent_id=cue.scene.agent,
            conversation_id=self.talks[cue.number].id,
            limit=RECALLED,
            kinds=("fact", "entity"),
            # Following the graph brings two hits in a hundred more, and costs a fifth of the whole play.
            techniques=(),
        )
        recall(self.engine, query, author=_agent(cue))

    def _keep(self, cue: Cue, act: Kept) -> None:
        self._store(cue)
        talk = self.talks[cue.number]
        place = ActPlace(scene=cue.scene, conversation_id=talk.id, turn_id=talk.last_turn)
        self.keeper.keep(act, place)

    def _curate(self, cue: Cue) -> None:
        author = f"person:{self.person}"
        match cue.act:
            case Judges(verb="promote", claim=claim):
                promote(self.engine, Promote(fact_id=self._fact(claim)), author=author)
            case Judges(verb="pin", claim=claim):
                pin(self.engine, Pin(id=self._fact(claim)), author=author)
            case Judges(claim=claim):
                retire(self.engine, Retire(id=self._fact(claim)), author=author)
            case Corrects(claim=claim, now=now):
                id = self._fact(claim)
                edit_fact(self.engine, EditFact(fact_id=id, was=claim, claim=now), author=author)
                self.facts[now] = id
            case TakesBack():
                undo(self.engine, Undo(), author=author)

    def _fact(self, claim: str) -> str:
        id = self.facts.get(claim)
        if id is None:
            raise NotFound(message("Nobody has learned “{claim}” by then.", claim=claim))
        return id

    def _end_day(self, day: date, *, last_evening: bool) -> None:
        """Write the agents' day files; on the evening before today, complete their folders."""
        if self.ended:
            self.engine.store.decide(self._read_by_their_agents)
            self.ended.clear()
        for diary in self.diaries.values():
            diary.close_day(day)
            diary.grow(day)
            if last_evening:
                diary.complete()

    def _read_by_their_agents(self, db: Connection) -> tuple[Change, None]:
        """Mark the day's conversations as consolidated: their agents have already learned from them."""
        talks: dict[str, Conversation] = {
            talk.id: records.need(db, CONVERSATION, talk.id) for talk in self.ended
        }
        change = Change(
            op="update",
            layer="episodic",
            title=message("Marked 1 conversation as read")
            if len(talks) == 1
            else message("Marked {count} conversations as read", count=len(talks)),
            author=MARKED_BY,
            channel=next(iter(talks.values())).channel,
            edits=tuple(
                records.update_edit(CONVERSATION, talks[talk.id], consolidated_index=talk.said - 1)
                for talk in self.ended
            ),
        )
        return change, None


def _agent(cue: Cue) -> str:
    return f"agent:{cue.scene.agent}"


def play(desk: Desk, script: Path, *, now: int) -> dict[str, int]:
    """Carry out a script on an empty desk, as if its ninety days before `now` had happened. Returns counts.

    Raises Refused, naming file and line of the script, if it is inconsistent."""
    cues = timed_cues(read_play(script), now)
    clock = Clock(cues[0].at)
    engine = open_engine(desk, clock=clock)
    try:
        return Stage(engine, clock, engine.person, day_of(now), cues).play(now)
    finally:
        engine.close()
