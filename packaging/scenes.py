"""The scenes that `examples.py` records: every call once, by the agent Forge and the desk's owner Mara."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, TypeVar

from memdesk.api import (
    agents,
    backups,
    channels,
    context,
    curation,
    exports,
    goals,
    history,
    jobs,
    memory,
    models,
    procedures,
    profile,
    questions,
    recall,
    review,
    secrets,
    upkeep,
    working,
    workspace,
)
from memdesk.api.endpoint import Endpoint
from memdesk.api.endpoints import ENDPOINTS
from memdesk.api.tools import calls as tools
from memdesk.files.places import Desk
from memdesk.model.agent import NamedGrant, NewGrant
from memdesk.model.backup import RestoreBackup
from memdesk.model.browse import AskBeside, Find, Inspect, ListFacts, ReadConversation
from memdesk.model.channel import (
    ArchiveChannel,
    ListChannels,
    MergeChannels,
    NewChannel,
    RenameChannel,
    RestoreChannel,
)
from memdesk.model.checkup import AskCheckup
from memdesk.model.context import AskArchive, AskCompaction, Compact, ListCompactions, RestoreArchive, Window
from memdesk.model.curation import (
    Bulk,
    Demote,
    EditEntity,
    EditFact,
    EditRelation,
    EraseUser,
    Forget,
    Link,
    ListTags,
    Merge,
    Move,
    Pin,
    PreviewMerge,
    PreviewPromotion,
    Promote,
    ReadAct,
    Redo,
    RenameTag,
    Rescue,
    Restore,
    Retire,
    Revocation,
    Tagging,
    Trust,
    Undo,
    UndoRun,
    Unlink,
)
from memdesk.model.errors import Conflict, NotAllowed, NotFound, ServiceAway
from memdesk.model.goal import AskGoal, BlockGoal, CompleteGoal, ListGoals, NewGoal, ReopenGoal, UpdateGoal
from memdesk.model.graph import AskEntity, AskEntityGraph, AskGraph, AskSalience
from memdesk.model.history import AskAudit, AskEvent, AskHistogram, AskHistory
from memdesk.model.interop import AskExport, AskExportPreview, AskImport
from memdesk.model.job import AskRuns, NamedJob, RunJob, SwitchJobs
from memdesk.model.profile import AskProfile, RemoveTrait, SetTrait
from memdesk.model.prompt import AskContext, AskSeen, ListSeen
from memdesk.model.questions import AskEffect, AskQuestions, ForgetQuestion, KeepQuestion, RunQuestions
from memdesk.model.recall import AskSalient, Explain, Query
from memdesk.model.remember import NewEntity, NewFact, NewRelation, NewTurn, NewTurns
from memdesk.model.review import (
    AskContradictions,
    AskDuplicates,
    AskReview,
    CountReview,
    Decide,
    DecideAll,
    Propose,
    PutOff,
    Quarantine,
)
from memdesk.model.secret import AllowSecret, AskSecrets, RevealSecret, SweepSecrets
from memdesk.model.session import ListSessions, NamedSession, NewSession
from memdesk.model.standing_decision import AskStanding, Revoke, Stand
from memdesk.model.status import AnswerNotice, AskJob, AskSpending, ChangeSettings, JobState, Nothing
from memdesk.model.strategy import (
    AskStrategy,
    EditStrategy,
    FindStrategies,
    ListStrategies,
    NewStrategy,
    ReinforceStrategy,
)
from memdesk.model.timeline import (
    AskPast,
    AskRecentTurns,
    AskTable,
    AskTimeline,
    AskTurnLog,
    ListConversations,
    PutBack,
)
from memdesk.model.tool_call import (
    AskToolCall,
    AskToolDays,
    AskToolSpread,
    AskToolStats,
    ListToolCalls,
    NewToolCall,
    NewToolCalls,
)
from memdesk.model.tools import AskDirective, AskGraphFile, AskTools, TakeInGraph
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
    ListNotes,
    PushThought,
    SetActiveGoal,
    SetValue,
    WorkingPlace,
    WriteNote,
)
from memdesk.model.workspace import (
    AskCalendar,
    AskConflict,
    AskConflicts,
    AskDay,
    CreateFile,
    LearnLine,
    ListFiles,
    ReadFile,
    ReadVersion,
    RenameFile,
    ResolveConflict,
    RetireFile,
    SaveFile,
)
from memdesk.model.workspace_files import (
    AskFolder,
    AskPrompt,
    AskRecallSection,
    ChangeLearning,
    KeepSession,
    ListLearnings,
    RecordLearning,
    RewriteFile,
    WriteDay,
)

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")

CHANNEL = "tidepool"
FORGE: dict[str, Any] = {"channel": CHANNEL, "agent_id": "forge"}
HERE: dict[str, Any] = {"channel": CHANNEL, "conversation_id": "monday"}


class Recorder(Protocol):
    """Asks a real service, and keeps what was asked and answered."""

    desk: Desk

    async def __call__(self, endpoint: Endpoint[Ask, Answer], ask: Ask) -> Answer: ...

    async def ended(self, job: JobState) -> JobState:
        """A job once it ended well."""


async def play(ask: Recorder, *, in_file: bool = True) -> None:
    """Every scene in order; the last one ends the service.

    in_file: the desk's memory is in a file, of which backups are made."""
    fact = await _remember(ask)
    await _session(ask)
    await _context(ask)
    await _procedures(ask)
    await _profile(ask)
    await _recall(ask, fact)
    await _questions(ask, fact)
    await _look(ask, fact)
    await _curate(ask, fact)
    await _tidy(ask, fact)
    await _review(ask, fact)
    await _channels(ask)
    await _files(ask)
    await _tools(ask)
    await _jobs(ask)
    await _history(ask, fact)
    await _agents(ask)
    await _declared(ask)
    await _upkeep(ask, in_file=in_file)


async def _questions(ask: Recorder, fact: str) -> None:
    """See what a correction would change, and keep a question as a test."""
    await ask(
        questions.EFFECT, AskEffect(act="edit", ids=(fact,), claim="Writers use PgBouncer in session mode")
    )
    kept = await ask(questions.KEEP, KeepQuestion(text="how do writers connect", expects="PgBouncer"))
    await ask(questions.RUN, RunQuestions())
    await ask(questions.LIST, AskQuestions())
    await ask(questions.FORGET, ForgetQuestion(id=kept.id))


async def _agents(ask: Recorder) -> None:
    """The owner grants an agent something, and takes it back."""
    given = await ask(agents.GRANT, NewGrant(agent="scout", scope="global"))
    await ask(agents.WITHDRAW, NamedGrant(id=given.id))


async def _declared(ask: Recorder) -> None:
    """Make each call that declares its example; one about a record that these scenes lack, or that only
    the window may make, stays unanswered."""
    for call in ENDPOINTS:
        if call.example is not None:
            with suppress(NotFound, NotAllowed):
                await ask(call, call.example)


async def _remember(ask: Recorder) -> str:
    """An agent stores a conversation and learns from it. Returns the fact it learned."""
    await ask(
        memory.STORE_TURN,
        NewTurn(
            **FORGE,
            conversation_id="monday",
            turn_id="monday-1",
            speaker="Mara",
            content="From today on ingest writes go through PgBouncer, because Postgres ran out of connections.",
        ),
    )
    turns = (
        NewTurn(
            **FORGE,
            conversation_id="monday",
            turn_id="monday-2",
            role="assistant",
            speaker="Forge",
            content="Noted. I set the pool to 25 per node.",
        ),
        NewTurn(
            **FORGE,
            conversation_id="monday",
            turn_id="monday-3",
            speaker="Mara",
            content="I prefer small migrations. Ask me before you touch the schema.",
        ),
    )
    await ask(memory.STORE_TURNS, NewTurns(turns=turns))
    learned = await ask(
        memory.LEARN_FACT,
        NewFact(
            **FORGE,
            claim="Tidepool ingest writes go through PgBouncer",
            category="decision",
            about=("Tidepool", "PgBouncer"),
            source_turn_id="monday-1",
        ),
    )
    await ask(
        memory.UPSERT_ENTITY,
        NewEntity(
            **FORGE,
            name="PgBouncer",
            type="Technology",
            description="A connection pool for Postgres",
            aliases=("bouncer",),
        ),
    )
    await ask(memory.RELATE, NewRelation(**FORGE, source="PgBouncer", target="Tidepool", type="PART_OF"))
    return learned.id


async def _session(ask: Recorder) -> None:
    """Goals, working memory and a scratchpad."""
    goal = await ask(
        goals.ADD, NewGoal(**FORGE, description="Move every writer behind PgBouncer", priority=4)
    )
    other = await ask(
        goals.ADD, NewGoal(**FORGE, description="Measure the pool under load", parent_id=goal.id)
    )
    await ask(goals.BLOCK_BY, BlockGoal(goal_id=goal.id, blocker_id=other.id, channel=CHANNEL))
    await ask(goals.GET, AskGoal(goal_id=goal.id))
    await ask(goals.UNBLOCK, BlockGoal(goal_id=goal.id, blocker_id=other.id, channel=CHANNEL))
    deadline = datetime(2027, 1, 15, tzinfo=UTC)
    await ask(goals.UPDATE, UpdateGoal(goal_id=goal.id, channel=CHANNEL, deadline=deadline))
    await ask(goals.COMPLETE, CompleteGoal(goal_id=other.id, channel=CHANNEL, result="p99 fell to 40 ms"))
    await ask(goals.REOPEN, ReopenGoal(goal_id=other.id, channel=CHANNEL))
    await ask(goals.LIST, ListGoals(channels=(CHANNEL,)))
    await ask(
        working.ADD_TURN, AddTurn(**HERE, content="Let me think about the pool's size.", role="assistant")
    )
    await ask(working.RECENT_TURNS, AskRecent(**HERE))
    await ask(working.SET, SetValue(**HERE, key="node", value={"name": "ingest-3", "pool": 25}))
    await ask(working.GET, AskValue(**HERE, key="node"))
    await ask(working.SET_ACTIVE_GOAL, SetActiveGoal(**HERE, goal_id=goal.id, description="PgBouncer"))
    await ask(working.ACTIVE_GOAL, WorkingPlace(**HERE))
    await ask(
        working.PUSH_THOUGHT, PushThought(**HERE, thought="Two nodes still write straight to Postgres.")
    )
    await ask(working.THOUGHTS, AskRecent(**HERE))
    await ask(working.CONTEXT, AskRecent(**HERE))
    await ask(
        working.WRITE_NOTE, WriteNote(session_id="s-1", key="plan", value="node by node, ingest-3 last")
    )
    await ask(working.READ_NOTE, AskNote(session_id="s-1", key="plan"))
    await ask(working.LIST_NOTES, ListNotes(session_id="s-1"))
    await ask(working.SIZE, Nothing())
    await ask(working.PLACES, AskPlaces())
    held = await ask(working.HELD, AskHeld(session_id="s-1"))
    await ask(working.EXTEND, ExtendLife(key=held.rows[0].key, ttl_seconds=7200))
    await ask(working.DELETE_NOTE, AskNote(session_id="s-1", key="plan"))
    await ask(working.CLEAR_NOTES, ClearNotes(session_id="s-1"))
    await ask(working.DELETE, AskValue(**HERE, key="node"))
    mine = await ask(working.HELD, AskHeld(**HERE))
    await ask(working.FORGET, ForgetKey(key=next(row.key for row in mine.rows if row.sort == "thoughts")))
    await ask(working.CLEAR_SESSION, WorkingPlace(**HERE))


async def _context(ask: Recorder) -> None:
    """A session whose context is compacted, looked back at, put back, and begun anew."""
    await ask(context.POLICIES, Nothing())
    session = await ask(context.CREATE_SESSION, NewSession(**FORGE, session_id="s-2", policy="openlegion"))
    said = (
        "We move the ingest writers to PgBouncer this week.",
        "Fine. Which node first?",
        "Never touch ingest-3 before Friday: the backup runs there.",
        "Understood, ingest-3 comes last.",
        "We decided on 25 connections a node.",
        "Set on ingest-1 and ingest-2.",
        "How long did that take?",
        "Eleven minutes each.",
    )
    messages = tuple({"role": ("user", "assistant")[n % 2], "content": line} for n, line in enumerate(said))
    await ask(context.MEASURE, Window(messages=messages, session_id=session.session_id))
    done = await ask(context.COMPACT, Compact(messages=messages, session_id=session.session_id, force=True))
    assert done.compaction is not None
    await ask(context.FULLNESS, NamedSession(session_id=session.session_id))
    await ask(context.COMPACTIONS, ListCompactions(session_id=session.session_id))
    await ask(context.COMPACTION, AskCompaction(compaction_id=done.compaction.id))
    await ask(context.ARCHIVE, AskArchive(compaction_id=done.compaction.id, text="ingest-3"))
    await ask(context.RESTORE, RestoreArchive(compaction_id=done.compaction.id, messages=done.messages))
    asked = AskContext(
        **FORGE,
        session_id=session.session_id,
        messages=({"role": "user", "content": "May I touch ingest-3 today?"},),
    )
    await ask(context.PREVIEW, asked)
    await ask(context.PROMPT, asked)
    told = await ask(context.PROMPTS, ListSeen(session_id=session.session_id))
    while not told.rows:  # It is written down behind the answer.
        told = await ask(context.PROMPTS, ListSeen(session_id=session.session_id))
    await ask(context.SEEN, AskSeen(id=told.rows[0].id))
    await ask(context.RESUME_SESSION, NamedSession(session_id=session.session_id))
    await ask(context.POP_TURN, NamedSession(session_id=session.session_id))
    await ask(context.RESET_SESSION, NamedSession(session_id=session.session_id))
    await ask(context.SESSIONS, ListSessions(channels=(CHANNEL,)))


async def _procedures(ask: Recorder) -> None:
    call = await ask(
        procedures.RECORD_INVOCATION,
        NewToolCall(
            **HERE,
            tool_name="read_file",
            tool_input={"path": "pgbouncer.ini"},
            tool_output={"lines": 40},
            success=True,
            latency_ms=12,
            task_type="configuration",
            turn_index=1,
        ),
    )
    calls = (
        NewToolCall(**HERE, tool_name="edit_file", task_type="configuration", success=True, latency_ms=20),
        NewToolCall(
            **HERE, tool_name="restart", task_type="configuration", error_message="permission denied"
        ),
    )
    await ask(procedures.RECORD_INVOCATIONS, NewToolCalls(calls=calls))
    await ask(procedures.INVOCATIONS, ListToolCalls(channels=(CHANNEL,)))
    await ask(procedures.INVOCATION, AskToolCall(invocation_id=call.id))
    await ask(procedures.TOOL_STATS, AskToolStats(channels=(CHANNEL,), task_type="configuration"))
    await ask(procedures.TOOL_SPREAD, AskToolSpread(channels=(CHANNEL,), tool_name="restart"))
    await ask(procedures.TOOL_DAYS, AskToolDays(tool_name="read_file", channels=(CHANNEL,), days=3))
    strategy = await ask(
        procedures.LEARN_STRATEGY,
        NewStrategy(
            **FORGE,
            description="Read the file, change it, then read it again",
            context_pattern="a service's settings",
            tool_sequence=("read_file", "edit_file", "read_file"),
            from_conversation_id="monday",
        ),
    )
    await ask(
        procedures.REINFORCE_STRATEGY,
        ReinforceStrategy(strategy_id=strategy.id, success=True, conversation_id="monday"),
    )
    asked = FindStrategies(task_description="change a service's settings", channels=(CHANNEL,))
    await ask(procedures.FIND_STRATEGIES, asked)
    await ask(procedures.STRATEGIES, ListStrategies(channels=(CHANNEL,)))
    await ask(procedures.STRATEGY, AskStrategy(strategy_id=strategy.id))
    better = EditStrategy(
        strategy_id=strategy.id, description="Read the file, change it, then restart the service"
    )
    await ask(procedures.EDIT_STRATEGY, better)


async def _profile(ask: Recorder) -> None:
    await ask(profile.SET, SetTrait(aspect="communication_style", name="length", value="short answers"))
    await ask(profile.GET, AskProfile())
    await ask(profile.REMOVE, RemoveTrait(aspect="communication_style", name="length"))


async def _recall(ask: Recorder, fact: str) -> None:
    query = Query(text="how do ingest writes reach Postgres?", channel=CHANNEL, agent_id="forge", limit=3)
    await ask(recall.PREVIEW, query)
    await ask(recall.SEARCH, query)
    await ask(recall.EXPLAIN, Explain(query=query, id=fact))
    await ask(recall.SALIENT, AskSalient(channel=CHANNEL))


async def _look(ask: Recorder, fact: str) -> None:
    """What a person browses, and what the seeds call the turn log and the memory timeline."""
    await ask(memory.FACTS, ListFacts(channels=(CHANNEL,)))
    await ask(memory.TABLE, AskTable(channels=(CHANNEL,), confidence_from=0.85, sort="recalled"))
    await ask(memory.FIND, Find(text="pgb"))
    await ask(memory.INSPECT, Inspect(id=fact))
    await ask(memory.CONVERSATION, ReadConversation(conversation_id="monday"))
    await ask(memory.BESIDE, AskBeside(conversation_id="monday", first_index=0, last_index=9))
    await ask(memory.CONVERSATIONS, ListConversations(channels=(CHANNEL,)))
    await ask(memory.RECENT_TURNS, AskRecentTurns(channels=(CHANNEL,)))
    await ask(memory.TURN_LOG, AskTurnLog(channels=(CHANNEL,)))
    await ask(memory.TIMELINE, AskTimeline(channels=(CHANNEL,)))
    graph = await ask(memory.GRAPH, AskGraph(center=fact, hops=1))
    entity = next(node.id for node in graph.nodes if node.kind == "entity")
    await ask(memory.ENTITY, AskEntity(entity="PgBouncer", channel=CHANNEL))
    await ask(memory.ENTITY_GRAPH, AskEntityGraph(entity_ids=(entity,)))
    await ask(memory.SALIENCE, AskSalience(limit=5))


async def _curate(ask: Recorder, fact: str) -> None:
    await ask(curation.PREVIEW_PROMOTION, PreviewPromotion(fact_id=fact))
    promoted = await ask(curation.PROMOTE, Promote(fact_id=fact, reason="every project writes there"))
    await ask(curation.DEMOTE, Demote(fact_id=promoted.id, reason="only Tidepool does"))
    await ask(curation.TAG, Tagging(id=fact, tags=("database", "ingest")))
    await ask(curation.TAGS, ListTags())
    await ask(curation.RENAME_TAG, RenameTag(tag="database", name="postgres"))
    await ask(curation.UNTAG, Tagging(id=fact, tags=("ingest",)))
    await ask(curation.EDIT_FACT, EditFact(fact_id=fact, confidence=0.9))
    await ask(curation.PIN, Pin(id=fact))
    await ask(curation.RESCUE, Rescue(id=fact))
    await ask(curation.RETIRE, Retire(id=fact, reason="no longer so"))
    await ask(curation.UNDO, Undo())
    await ask(curation.REDO, Redo())
    await ask(curation.RESTORE, Restore(id=fact, reason="it is so after all"))
    tagged = Bulk(verb="tag", ids=(fact,), tags=("checked",))
    await ask(curation.PREVIEW_BULK, tagged)
    await ask.ended(await ask(curation.BULK, tagged))
    await ask(curation.READ_ACT, ReadAct(text="facts about PgBouncer from Forge → pin"))
    await ask(memory.STORE_TURN, NewTurn(**FORGE, conversation_id="stray", content="Ingest is switched off."))
    stray = Revocation(source_kind="conversation", source="stray")
    page = NewTurn(
        **FORGE, role="tool", speaker="web_fetch", content="PgBouncer 1.24 pools by database and user."
    )
    await ask(curation.TRUST, Trust(id=(await ask(memory.STORE_TURN, page)).id))
    await ask(curation.PREVIEW_REVOCATION, stray)
    await ask.ended(await ask(curation.REVOKE, stray))


async def _tidy(ask: Recorder, fact: str) -> None:
    """What is one becomes one; what belongs elsewhere goes there."""
    bouncer = await ask(memory.UPSERT_ENTITY, NewEntity(**FORGE, name="PG Bouncer", type="Technology"))
    pool = await ask(memory.ENTITY, AskEntity(entity="PgBouncer", channel=CHANNEL))
    await ask(curation.LINK, Link(fact_id=fact, entity_id=bouncer.id))
    await ask(curation.UNLINK, Unlink(fact_id=fact, entity_id=bouncer.id))
    await ask(
        curation.EDIT_ENTITY,
        EditEntity(entity_id=pool.id, was="PgBouncer", description="Connection pooler", aliases=("pgb",)),
    )
    related = await ask(
        memory.RELATE, NewRelation(**FORGE, source=bouncer.id, target=pool.id, type="RELATED_TO")
    )
    await ask(curation.EDIT_RELATION, EditRelation(relation_id=related.id, type="PART_OF"))
    await ask(review.CONTRADICTIONS, AskContradictions(ids=(fact,)))
    await ask(review.DUPLICATES, AskDuplicates())
    await ask(review.PROPOSE_DUPLICATES, AskDuplicates())
    await ask(curation.PREVIEW_MERGE, PreviewMerge(id=bouncer.id, into_id=pool.id))
    await ask(curation.MERGE, Merge(id=bouncer.id, into_id=pool.id, reason="one name with a space"))
    stale = await ask(memory.LEARN_FACT, NewFact(**FORGE, claim="The pool holds 10 connections a node"))
    await ask(curation.MOVE, Move(id=stale.id, channel="attic"))
    await ask(curation.FORGET, Forget(fact_id=stale.id, reason="it is 25 now"))


async def _review(ask: Recorder, fact: str) -> None:
    proposed = Propose(type="promotion", fact_id=fact, reason="harbor-web writes there too", agent_id="forge")
    question = await ask(review.PROPOSE, proposed)
    await ask(review.COUNT, CountReview())
    await ask(review.LIST, AskReview(types=("promotion",)))
    answer = Decide(id=question.id, decision="promote", reason="two projects by now")
    await ask(review.PREVIEW, answer)
    await ask(review.DECIDE, answer)
    other = await ask(memory.LEARN_FACT, NewFact(**FORGE, claim="Backups are tried out every Friday"))
    again = await ask(
        review.PROPOSE, Propose(type="promotion", fact_id=other.id, reason="told for every project")
    )
    await ask(review.PUT_OFF, PutOff(id=again.id, until=datetime(2030, 1, 1, tzinfo=UTC)))
    await ask(review.PUT_OFF, PutOff(id=again.id))
    await ask.ended(await ask(review.DECIDE_ALL, DecideAll(ids=(again.id,), decision="dismiss")))
    await ask(review.QUARANTINE, Quarantine(id=other.id, reason="read from a strange page"))
    stands = await ask(
        review.STAND, Stand(type="promotion", source_kind="agent", source="forge", decision="dismiss")
    )
    await ask(review.STANDING, AskStanding())
    await ask(review.REVOKE, Revoke(id=stands.id))
    await _secrets(ask)


async def _secrets(ask: Recorder) -> None:
    """A made-up password is masked, looked at, and erased."""
    await ask(memory.LEARN_FACT, NewFact(**FORGE, claim="The password of the test rig is Tide#4mast77"))
    found = await ask(secrets.LIST, AskSecrets())
    await ask(secrets.REVEAL, RevealSecret(id=found.rows[0].id))
    await ask.ended(await ask(secrets.SWEEP, SweepSecrets(ids=(found.rows[0].id,), erase=True)))
    await ask(memory.LEARN_FACT, NewFact(**FORGE, claim="The build token is c4f8a1b07e22d9e6aa10b5c3"))
    await ask(secrets.ALLOW, AllowSecret(id=(await ask(secrets.LIST, AskSecrets())).rows[0].id))


async def _channels(ask: Recorder) -> None:
    await ask(channels.CREATE, NewChannel(name="harbor"))
    await ask.ended(await ask(channels.RENAME, RenameChannel(channel="harbor", name="harbor-web")))
    await ask.ended(await ask(channels.MERGE, MergeChannels(channel="attic", into="harbor-web")))
    await ask(channels.ARCHIVE, ArchiveChannel(channel="harbor-web", reason="the project is over"))
    await ask(channels.LIST, ListChannels(archived=True))
    await ask(channels.RESTORE, RestoreChannel(channel="harbor-web"))


async def _files(ask: Recorder) -> None:
    """A workspace is brought in, read and saved."""
    folder = ask.desk.folder.parent / "forge"
    shutil.copytree(Path(__file__).parent / "sample" / "workspaces" / "forge", folder)
    wanted = AskImport(path=str(folder), channel=CHANNEL, agent_id="forge")
    await ask(workspace.PREVIEW_IMPORT, wanted)
    await ask(workspace.CHECK_SOURCE, wanted)
    await ask.ended(await ask(workspace.IMPORT, wanted))
    await ask(workspace.LIST, Nothing())
    files = await ask(workspace.FILES, ListFiles(agents=("forge",)))
    file = await ask(workspace.READ, ReadFile(document_id=files.rows[0].document_id))
    seen = {"document_id": file.document_id, "content_hash": file.content_hash}
    await ask(workspace.VERSION, ReadVersion(**seen))
    text = f"{file.text}\nAsk before touching a schema.\n"
    await ask(workspace.SAVE, SaveFile(document_id=file.document_id, text=text, base_hash=file.content_hash))
    home = files.rows[0].workspace_id
    await ask(workspace.TEMPLATES, Nothing())
    made = await ask(workspace.CREATE, CreateFile(workspace_id=home, path="notes.md", text="# Notes\n"))
    await ask(workspace.RENAME, RenameFile(document_id=made.document_id, path="notes/schema.md"))
    await ask(workspace.RETIRE, RetireFile(document_id=made.document_id))
    await _conflict(ask, files.rows[0].document_id)
    day = await ask(
        workspace.WRITE_DAY, WriteDay(text="Asked before touching the schema.", workspace_id=home)
    )
    lines = (folder / day.path).read_text(encoding="utf-8").splitlines()
    claim = "Forge asks before touching a schema."
    seen_line = LearnLine(document_id=day.document_id, line=len(lines), text=lines[-1], claim=claim)
    await ask(workspace.LEARN_LINE, seen_line)
    await ask(workspace.RECENT, AskPrompt(workspace_id=home))
    await ask(workspace.BOOTSTRAP, AskPrompt(workspace_id=home))
    await _learnings(ask)
    await _keep_session(ask)
    await ask(workspace.CALENDAR, AskCalendar())
    await ask(workspace.DAY, AskDay(day=datetime.now(UTC).date()))
    await ask(exports.FORMATS, Nothing())
    await ask(exports.PREVIEW, AskExportPreview(format="mem0", agents=("forge",)))
    archive = AskExport(format="archive", path=str(ask.desk.folder.parent / "memory.zip"))
    await ask.ended(await ask(exports.START, archive))


async def _conflict(ask: Recorder, document_id: str) -> None:
    """Two texts from one version that cannot both stand, and what a person makes of them."""
    seen = await ask(workspace.READ, ReadFile(document_id=document_id))
    lines = seen.text.splitlines()
    for last in ("Ask once.", "Ask twice."):
        text = "\n".join([*lines[:-1], last]) + "\n"
        with suppress(Conflict):
            await ask(
                workspace.SAVE, SaveFile(document_id=document_id, text=text, base_hash=seen.content_hash)
            )
    waiting = await ask(workspace.CONFLICTS, AskConflicts())
    whole = await ask(workspace.CONFLICT, AskConflict(conflict_id=waiting.rows[0].id))
    await ask(
        workspace.RESOLVE,
        ResolveConflict(conflict_id=whole.conflict.id, side="ours", base_hash=whole.now_hash),
    )


async def _learnings(ask: Recorder) -> None:
    """Lessons and standing files as OpenLegion keeps them."""
    folder = ask.desk.folder.parent / "anvil"
    (folder / "learnings").mkdir(parents=True)
    (folder / "HEARTBEAT.md").write_text("# Heartbeat Rules\n", encoding="utf-8")
    (folder / "learnings" / "errors.md").write_text("", encoding="utf-8")
    (folder / "SOUL.md").write_text("# Identity\n\nPatient.\n", encoding="utf-8")
    (folder / "learnings" / "corrections.md").write_text(
        "- [2026-02-20 14:09] Original: I used JSON\n  Correction: No, please use YAML\n", encoding="utf-8"
    )
    await ask.ended(await ask(workspace.IMPORT, AskImport(path=str(folder), agent_id="forge")))
    home = next(row.id for row in (await ask(workspace.LIST, Nothing())).rows if row.name == "anvil")
    lesson = {"subject": "exec", "text": "Command not found: psql", "context": "Tried a backup"}
    await ask(workspace.RECORD_LEARNING, RecordLearning(kind="error", workspace_id=home, **lesson))
    await ask(workspace.LEARNINGS, AskPrompt(workspace_id=home))
    kept = (await ask(workspace.LIST_LEARNINGS, ListLearnings())).rows[0]
    await ask(
        workspace.CHANGE_LEARNING,
        ChangeLearning(
            document_id=kept.document_id, was=kept.entry, text=kept.entry.replace(kept.text, "No such table")
        ),
    )
    rules = RewriteFile(
        path="HEARTBEAT.md", text="# Heartbeat Rules\n\n1. Check backups\n", workspace_id=home
    )
    await ask(workspace.REWRITE, rules)
    await ask(workspace.FOLDER, AskFolder(workspace_id=home))
    await ask.ended(await ask(workspace.LOOK_THROUGH, AskFolder(workspace_id=home)))
    await ask(workspace.REMOVE, AskFolder(workspace_id=home))


async def _tools(ask: Recorder) -> None:
    """An agent asks for the tools it knows, and calls one with its own JSON."""
    await ask(tools.SETS, Nothing())
    await ask(tools.LIST, AskTools(set="mcp-memory", format="anthropic"))
    await ask(tools.DIRECTIVE, AskDirective(set="anthropic"))
    ferry = {"entities": [{"name": "Ferry", "entityType": "Ship", "observations": ["leaves at 7:15"]}]}
    await ask(tools.call_of("mcp-memory", "create_entities", channel="harbor-web"), ferry)
    file = await ask(tools.EXPORT_GRAPH, AskGraphFile(channel="harbor-web"))
    await ask(tools.IMPORT_GRAPH, TakeInGraph(text=file.text, channel="copy"))


async def _keep_session(ask: Recorder) -> None:
    """What a session brought, as AgenticX keeps it in an avatar's folder."""
    folder = ask.desk.folder.parent / ".agenticx" / "avatars" / "smith" / "workspace"
    folder.mkdir(parents=True)
    (folder / "IDENTITY.md").write_text("# Identity\n\nPatient.\n", encoding="utf-8")
    await ask.ended(await ask(workspace.IMPORT, AskImport(path=str(folder), agent_id="forge")))
    home = next(row.id for row in (await ask(workspace.LIST, Nothing())).rows if row.name == "smith")
    talk = (
        {"role": "user", "content": "Please set the pool to 25 connections per node."},
        {"role": "assistant", "content": "The pool is configured and the tests pass."},
    )
    await ask(workspace.KEEP_SESSION, KeepSession(messages=talk * 3, workspace_id=home))
    said = ({"role": "user", "content": "How many connections does the pool have?"},)
    await ask(workspace.RECALL_SECTION, AskRecallSection(messages=said, workspace_id=home))


async def _jobs(ask: Recorder) -> None:
    await ask(jobs.LIST, Nothing())
    await ask.ended(await ask(jobs.RUN, RunJob(name="consolidate", dry=True)))
    state = await ask.ended(await ask(upkeep.CONSOLIDATE, Nothing()))
    await ask.ended(await ask(upkeep.CHECKUP, Nothing()))
    await ask(upkeep.FINDINGS, AskCheckup(limit=5))
    await ask(upkeep.JOB, AskJob(id=state.id))
    await ask(upkeep.CANCEL_JOB, AskJob(id=state.id))
    await ask(jobs.PAUSE, NamedJob(name="patterns"))
    await ask(jobs.RESUME, NamedJob(name="patterns"))
    await ask(jobs.SWITCH, SwitchJobs(on=True))
    await ask(jobs.HISTORY, AskRuns(name="consolidate"))
    await ask(models.LIST, Nothing())
    await ask(models.CHECK, Nothing())
    await ask(models.SPENDING, AskSpending(days=7))


async def _history(ask: Recorder, fact: str) -> None:
    page = await ask(history.PAGE, AskHistory(limit=20))
    await ask(history.EVENT, AskEvent(id=page.rows[0].id))
    of_a_run = next(row.id for row in page.rows if row.run is not None)
    await ask.ended(await ask(curation.UNDO_RUN, UndoRun(change=of_a_run)))
    await ask(history.HISTOGRAM, AskHistogram(bins=2))
    await ask(history.USERS, Nothing())
    await ask(history.PAST, AskPast(before=page.rows[-1].id, limit=2))
    retired = await ask(curation.RETIRE, Retire(id=fact))
    await ask(history.PUT_BACK, PutBack(ids=(fact,), before=retired.change))
    await ask(history.AUDIT, AskAudit(limit=2))
    await ask(history.SEGMENTS, Nothing())
    await ask.ended(await ask(history.VERIFY, Nothing()))


async def _upkeep(ask: Recorder, *, in_file: bool) -> None:
    await ask(upkeep.STATUS, Nothing())
    await ask(upkeep.METRICS, Nothing())
    await ask(upkeep.NOTICES, Nothing())
    await ask(upkeep.ANSWER_NOTICE, AnswerNotice(id="damaged"))
    await ask(upkeep.SETTINGS, Nothing())
    await ask(upkeep.CHANGE_SETTINGS, ChangeSettings(values={"promote_recalls": 3}, reset=("recall_limit",)))
    backup = (await ask.ended(await ask(backups.MAKE, Nothing()))).result["backup"] if in_file else None
    await ask(memory.STORE_TURN, NewTurn(content="Forget me.", user_id="guest"))
    await ask.ended(await ask(curation.ERASE_USER, EraseUser(user_id="guest", confirm="guest")))
    await ask(backups.LIST, Nothing())
    if backup is not None:
        await ask(backups.RESTORE, RestoreBackup(name=backup))
        await _restored(ask)
    await ask(upkeep.STOP, Nothing())


async def _restored(ask: Recorder) -> None:
    """Wait until the service has begun again."""
    while True:
        with suppress(ServiceAway):
            if (await ask(backups.LIST, Nothing())).last_restore is not None:
                return
        await asyncio.sleep(0.05)
