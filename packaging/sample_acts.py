"""Workspace of an agent on the sample desk: its files with real dates, and its day files as they grow."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from pathlib import Path

from sample_script import (
    Aims,
    Compacts,
    Ends,
    Kept,
    Masters,
    Notes,
    Primes,
    Scene,
    Suggests,
    Tags,
    Uses,
)

from memdesk.engine.context.compactor import compact
from memdesk.engine.context.prompt import context
from memdesk.engine.context.resolving import current_messages
from memdesk.engine.context.sessions import create_session
from memdesk.engine.engine import Engine
from memdesk.engine.interop.intake import take_in
from memdesk.engine.memory import goals
from memdesk.engine.memory.procedures import learn_strategy, record_invocation
from memdesk.engine.memory.profiles import set_trait
from memdesk.engine.memory.review_queue import propose
from memdesk.engine.memory.tags import tag
from memdesk.engine.progress import ignore_progress
from memdesk.engine.workspace import documents, placing
from memdesk.engine.workspace.layouts import Place
from memdesk.engine.workspace.placing import ImportContext
from memdesk.files.atomic import write_atomic
from memdesk.files.reading import MEGABYTE, Entry, read_text, walk
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.context import Compact
from memdesk.model.curation import Tagging
from memdesk.model.document import DOCUMENT, WORKSPACE
from memdesk.model.errors import NotFound
from memdesk.model.goal import CompleteGoal, NewGoal
from memdesk.model.instant import SECOND
from memdesk.model.interop import AskImport
from memdesk.model.kind import new_id
from memdesk.model.message import message
from memdesk.model.profile import SetTrait
from memdesk.model.prompt import AskContext
from memdesk.model.review import Propose
from memdesk.model.session import NewSession
from memdesk.model.strategy import NewStrategy
from memdesk.model.tool_call import NewToolCall
from memdesk.model.workspace import SaveFile
from memdesk.store import document_versions, records, semantic

WORKSPACES = Path(__file__).parent / "sample" / "workspaces"
DUE = time(17, 0)
"""Time of day at which a goal is due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActPlace:
    """Context of an act: its scene, its conversation and the turn above it."""

    scene: Scene
    conversation_id: str
    turn_id: str

    @property
    def author(self) -> str:
        return f"agent:{self.scene.agent}"


@dataclass(slots=True, kw_only=True)
class ActRunner:
    """Executor of acts, with the ids created so far. fact: returns the id of a claim; goals: ids by
    description; sessions: ids by conversation."""

    engine: Engine
    today: date
    fact: Callable[[str], str]
    goals: dict[str, str] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)

    def keep(self, act: Kept, place: ActPlace) -> None:
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

    def _aim(self, act: Aims, place: ActPlace) -> None:
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

    def _end(self, act: Ends, place: ActPlace) -> None:
        end = CompleteGoal(goal_id=self._goal(act.description), status=act.status, result=act.result)
        goals.complete(self.engine, end, author=place.author)

    def _use(self, act: Uses, place: ActPlace) -> None:
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

    def _master(self, act: Masters, place: ActPlace) -> None:
        new = NewStrategy(
            description=act.description,
            context_pattern=act.context,
            tool_sequence=act.tools,
            from_conversation_id=place.conversation_id,
            channel=place.scene.channel,
            agent_id=place.scene.agent,
        )
        learn_strategy(self.engine, new, author=place.author)

    def _suggest(self, act: Suggests, place: ActPlace) -> None:
        ask = Propose(
            type="promotion", fact_id=self.fact(act.claim), reason=act.reason, agent_id=place.scene.agent
        )
        propose(self.engine, ask, author=place.author)

    def _prime(self, act: Primes, place: ActPlace) -> None:
        with self.engine.store.reading() as db:
            messages = current_messages(db, place.conversation_id)
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

    def _compact(self, act: Compacts, place: ActPlace) -> None:
        with self.engine.store.reading() as db:
            messages = current_messages(db, place.conversation_id)
        ask = Compact(messages=messages, session_id=self._session(act, place), force=True)
        compact(self.engine, ask, author=place.author)

    def _session(self, act: Compacts, place: ActPlace) -> str:
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
            raise NotFound(
                message("Nobody has set the goal “{description}” by then.", description=description)
            )
        return self.goals[description]

    def _day(self, days: int) -> datetime:
        return datetime.combine(self.today + timedelta(days=days), DUE).astimezone()


FIRST_FILES = ("IDENTITY.md", "SOUL.md", "AGENTS.md", "HEARTBEAT.md")
"""Files an agent has on its first day. The others describe what it learned since, and are added when the
script ends."""
GROWING = ("MEMORY.md", "USER.md")
"""Files that grow line by line during the script."""
GROWTH = ((78, 0.2), (61, 0.35), (44, 0.5), (30, 0.65), (17, 0.8), (6, 0.9), (1, 1.0))
"""(days before today, share of its bullets that a growing file has from then on)."""
_DAY = re.compile(r"\{day (-?\d+)\}")


@dataclass(slots=True, kw_only=True)
class Diary:
    """Folder of one agent. person: the user who imports it; today: the date of day 0."""

    engine: Engine
    agent: str
    person: str
    today: date
    lines: dict[str, list[str]] = field(default_factory=dict)
    grown: int = 0

    @property
    def folder(self) -> Path:
        return self.engine.desk.workspaces / self.agent.lower()

    def open(self) -> None:
        """Create the agent's folder with the files of its first day."""
        self._fill(lambda name: name in FIRST_FILES)
        self._import()

    def complete(self) -> None:
        """Write the rest of its files, and import them in the ordinary way."""
        self._fill(lambda name: name not in (*FIRST_FILES, *GROWING))
        self._import()

    def grow(self, day: date) -> None:
        """Extend the growing files to their state on the evening of a day: imported at first, then saved,
        with the agent and the person as alternating authors."""
        while self.grown < len(GROWTH) and day >= self.today - timedelta(days=GROWTH[self.grown][0]):
            author = f"person:{self.person}" if self.grown % 3 == 2 else f"agent:{self.agent}"
            for name in GROWING:
                text = WORKSPACES.joinpath(self.agent.lower(), name).read_text("utf-8")
                self._save(name, beginning(_DAY.sub(self._date, text), GROWTH[self.grown][1]), author)
            self.grown += 1

    def note(self, title: str, clock: str, text: str) -> None:
        """Add a line to today's day file, under the conversation it was written in."""
        self.lines.setdefault(title, []).append(f"- {clock} {text}")

    def close_day(self, day: date) -> None:
        """Write the day file, if anything was noted."""
        if self.lines:
            parts = [f"## {title}\n\n" + "\n".join(lines) for title, lines in self.lines.items()]
            relative = f"memory/{day.isoformat()}.md"
            self._write(relative, f"# {day.isoformat()}\n\n" + "\n\n".join(parts) + "\n")
            self._join(relative)
            self.lines.clear()

    def _fill(self, wanted: Callable[[str], bool]) -> None:
        source = WORKSPACES.joinpath(self.agent.lower())
        for entry in walk(source):
            if isinstance(entry, Entry) and wanted(entry.name):
                self._write(entry.name, _DAY.sub(self._date, entry.path.read_text("utf-8")))

    def _date(self, found: re.Match[str]) -> str:
        return (self.today + timedelta(days=int(found[1]))).isoformat()

    def _write(self, relative: str, text: str) -> None:
        path = self.folder / relative
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomic(path, text.encode())
        seconds = self.engine.clock() / SECOND
        os.utime(path, (seconds, seconds))

    def _save(self, relative: str, text: str, author: str) -> None:
        with self.engine.store.reading() as db:
            place = records.find(db, WORKSPACE, path=str(self.folder))[0]
            known = records.find(db, DOCUMENT, workspace_id=place.id, path=relative)
        if not known:
            self._write(relative, text)
            self._join(relative)
        elif document_versions.hash_of(text) != known[0].content_hash:
            ask = SaveFile(document_id=known[0].id, text=text, base_hash=known[0].content_hash)
            documents.save(self.engine, ask, author=author)

    def _import(self) -> None:
        ask = AskImport(path=str(self.folder), channel=GLOBAL, agent_id=self.agent)
        take_in(self.engine, ask, author=f"person:{self.person}", progress=ignore_progress)

    def _join(self, relative: str) -> None:
        """Import one file that the agent itself has just written."""
        place = Place(
            path=self.folder,
            name=self.agent,
            layout="OpenClaw",
            channel=GLOBAL,
            agent_id=self.agent,
            registered=True,
        )
        file = read_text(self.folder / relative, relative, limit_bytes=MEGABYTE)
        reading = placing.read_new_file(self.engine, place, relative, file, LOCAL_USER)
        run = new_id("run", self.engine.clock())
        placing.import_file(
            self.engine, reading, ImportContext(author=f"agent:{self.agent}", run=run, user_id=LOCAL_USER)
        )


def beginning(text: str, share: float) -> str:
    """Return a note up to this share of its bullets, including the text before and between them."""
    lines = text.splitlines()
    bullets = [number for number, line in enumerate(lines) if line.startswith("- ")]
    kept = bullets[: max(1, round(len(bullets) * share))]
    if share >= 1 or not kept:
        return text
    return "\n".join(lines[: kept[-1] + 1]) + "\n"
