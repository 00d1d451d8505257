"""Sessions of agents: create, resume after a restart, reset without erasing anything; and the log of the
prompts they were given."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from memdesk.engine.context.policies import policy_for
from memdesk.engine.context.resolving import session_named
from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import merged
from memdesk.engine.memory.rows import row_of
from memdesk.engine.wording import check_limit, shortened, tidied
from memdesk.model.change import Change, Edit
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.instant import optional_instant, to_datetime
from memdesk.model.kind import new_id
from memdesk.model.message import Message as Sentence
from memdesk.model.message import message as sentence
from memdesk.model.prompt import AskSeen, ListSeen, SeenCount, SeenList, SeenRow, SeenWhole
from memdesk.model.session import (
    SESSION,
    ListSessions,
    NamedSession,
    NewSession,
    PoppedTurn,
    Session,
    SessionList,
    SessionState,
)
from memdesk.model.turn import CONVERSATION, TURN, Turn
from memdesk.model.working import is_internal, session_key
from memdesk.store import contexts, records, semantic, working
from memdesk.store.connection import Connection
from memdesk.store.contexts import GivenContext

ID_CHARACTERS, TITLE_CHARACTERS = 200, 200
LIMIT_AT_MOST = 500


def create_session(engine: Engine, ask: NewSession, *, author: str) -> SessionState:
    """Create a session, or resume the one with this id unchanged. A fork takes another session's channel and policy.

    Raises BadAsk for an unknown policy or a fork that continues a conversation, NotFound for a session to fork that
    there is not, Conflict if another record or another user's session has the id, or the fork would be itself."""
    ask, metadata = _forked(engine, ask), merged("{}", ask.metadata)
    policy_for(engine.settings, ask.policy, ask.window_tokens)
    channel = ensure_channel(engine, ask.user_id, ask.channel, author=author)
    asked = (
        None if ask.session_id is None else tidied(ask.session_id, sentence("A session's id"), ID_CHARACTERS)
    )

    def verb(db: Connection) -> tuple[Change | None, tuple[Session, bool]]:
        known = records.get(db, SESSION, asked or "")
        if known and known.retired_at is None and known.user_id == ask.user_id:
            return None, (known, True)
        if asked and records.kind_of(db, asked) is not None:
            raise Conflict(
                sentence("The id {asked} is taken.", asked=asked),
                next=sentence("Name the session otherwise."),
            )
        now = engine.clock()
        session = Session(
            seq=engine.store.new_seq(),
            id=asked or new_id(SESSION.prefix, now),
            user_id=ask.user_id,
            channel=channel,
            agent_id=ask.agent_id,
            title=shortened(ask.title, TITLE_CHARACTERS),
            conversation_id=ask.conversation_id or new_id(CONVERSATION.prefix, now),
            policy=ask.policy,
            window_tokens=ask.window_tokens,
            created_at=now,
            metadata=metadata,
        )
        title = sentence("Session {id}", id=session.title or session.id)
        return _change(session, title, author, records.creation_edit(SESSION, session)), (session, False)

    applied, (session, resumed) = engine.store.decide(verb)
    return _state(engine, session, resumed=resumed, change=None if applied is None else applied.id)


def _forked(engine: Engine, ask: NewSession) -> NewSession:
    """Return the request with what a fork takes over from its session."""
    if ask.fork_of is None:
        return ask
    if ask.conversation_id is not None:
        raise BadAsk(
            sentence("A fork begins a conversation of its own."),
            next=sentence("Leave fork_of or conversation_id out."),
        )
    if ask.fork_of == ask.session_id:
        raise Conflict(
            sentence("{fork_of} cannot be forked into itself.", fork_of=ask.fork_of),
            next=sentence("Give the fork an id of its own."),
        )
    with engine.store.reading() as db:
        origin = session_named(db, ask.fork_of, ask.user_id)
    return replace(
        ask,
        channel=origin.channel,
        title=ask.title or f"Fork of {origin.title or origin.id}",
        policy=ask.policy or origin.policy,
        window_tokens=ask.window_tokens or origin.window_tokens,
    )


def resume_session(engine: Engine, ask: NamedSession) -> SessionState:
    """Return the current state of a session, to continue it. Raises NotFound."""
    with engine.store.reading() as db:
        session = session_named(db, ask.session_id, ask.user_id)
    return _state(engine, session, resumed=True)


def reset_session(engine: Engine, ask: NamedSession, *, author: str) -> SessionState:
    """Begin another conversation in a session. Nothing is erased: turns, facts and notes stay.

    Undo continues the conversation before. Raises NotFound."""

    def verb(db: Connection) -> tuple[Change, Session]:
        session = session_named(db, ask.session_id, ask.user_id)
        fresh = new_id(CONVERSATION.prefix, engine.clock())
        edit = records.update_edit(SESSION, session, conversation_id=fresh)
        return _change(
            session, sentence("Reset of session {id}", id=session.title or session.id), author, edit
        ), session

    applied, _ = engine.store.decide(verb)
    assert applied is not None
    with engine.store.reading() as db:
        session = session_named(db, ask.session_id, ask.user_id)
    return _state(engine, session, resumed=True, change=applied.id)


def retire_session(engine: Engine, ask: NamedSession, *, author: str) -> SessionState:
    """Take a session out of the list. Its turns stay, and what was learned from them. Undo brings it back.

    Raises NotFound."""

    def verb(db: Connection) -> tuple[Change, Session]:
        session = session_named(db, ask.session_id, ask.user_id)
        edit = records.update_edit(SESSION, session, retired_at=engine.clock())
        title = sentence("Session {id} taken out", id=session.title or session.id)
        return _change(session, title, author, edit, op="retire"), session

    applied, session = engine.store.decide(verb)
    return _state(engine, session, resumed=True, change=None if applied is None else applied.id)


def pop_turn(engine: Engine, ask: NamedSession, *, author: str) -> PoppedTurn:
    """Retire the last turn of a session's conversation and return it. Facts that were learned from it stay.

    Undo restores it. Raises NotFound."""

    def verb(db: Connection) -> tuple[Change | None, Turn | None]:
        session = session_named(db, ask.session_id, ask.user_id)
        last = contexts.last_turn(db, session.conversation_id)
        if last is None:
            return None, None
        edit = records.update_edit(TURN, last, retired_at=engine.clock())
        title = sentence("Taken back: {content}", content=shortened(last.content, 100))
        return _change(session, title, author, edit, op="retire"), last

    applied, turn = engine.store.decide(verb)
    if turn is None:
        return PoppedTurn(found=False)
    return PoppedTurn(
        found=True,
        id=turn.id,
        role=turn.role,
        content=turn.content,
        metadata=json.loads(turn.metadata),
        change=None if applied is None else applied.id,
    )


def sessions(engine: Engine, ask: ListSessions) -> SessionList:
    """Return a user's sessions, the last used first. Raises BadAsk for an invalid limit."""
    check_limit(ask.limit, LIMIT_AT_MOST)
    with engine.store.reading() as db:
        channels = semantic.current_channels(db, ask.user_id, ask.channels)
        found = contexts.sessions(db, ask.user_id, channels, ask.agent_id, ask.limit)
    return SessionList(rows=tuple(_state(engine, each, resumed=True) for each in found))


def _state(engine: Engine, session: Session, *, resumed: bool, change: int | None = None) -> SessionState:
    policy = policy_for(engine.settings, session.policy, session.window_tokens)
    start = session_key(session.user_id, session.id)
    with engine.store.reading() as db:
        talk = records.get(db, CONVERSATION, session.conversation_id)
        turns, last = contexts.turn_count(db, session.conversation_id)
        standing = contexts.active_compactions(db, session.conversation_id)
        held = working.entries_under(db, start, at=engine.clock(), lasting=False)
    notes = tuple(key for kept in held if not is_internal(key := kept.key.removeprefix(start)))
    return SessionState(
        session_id=session.id,
        title=session.title or (talk.title if talk else session.id),
        channel=session.channel,
        agent_id=session.agent_id,
        conversation_id=session.conversation_id,
        policy=policy.name,
        window_tokens=policy.window_tokens,
        turns=turns,
        archived=max((each.last_index + 1 for each in standing), default=0),
        compactions=len(standing),
        notes=notes,
        created_at=to_datetime(session.created_at),
        last_used_at=to_datetime(last or session.created_at),
        metadata=json.loads(session.metadata),
        resumed=resumed,
        change=change,
    )


def _change(session: Session, title: Sentence, author: str, edit: Edit, *, op: str = "update") -> Change:
    return Change.about(session, op, title, author=author, edits=(edit,), layer="episodic")


def prompts(engine: Engine, ask: ListSeen) -> SeenList:
    """Return the prompt contexts that agents were given, newest first. Raises BadAsk for an invalid limit or page."""
    check_limit(ask.limit, LIMIT_AT_MOST)
    if ask.after and not ask.after.isdecimal():
        raise BadAsk(sentence("after is the `next` of a page before."))
    if ask.turn_index is not None and ask.conversation_id is None:
        raise BadAsk(
            sentence("turn_index is a turn of conversation_id."), next=sentence("Name the conversation too.")
        )
    since = optional_instant(ask.since)
    with engine.store.reading() as db:
        found = contexts.list_contexts(db, ask, since, ask.limit + 1)
        counted = [] if since is None else contexts.count_contexts(db, ask.user_id, since)
    rows = tuple(_row(given, pieces) for given, pieces in found[: ask.limit])
    return SeenList(
        rows=rows,
        next=str(rows[-1].id) if len(found) > ask.limit else None,
        counts=tuple(
            SeenCount(author=author, count=count, took_ms=took_us / 1e3) for author, count, took_us in counted
        ),
    )


def prompt(engine: Engine, ask: AskSeen) -> SeenWhole:
    """Return one prompt context exactly as the agent got it. Raises NotFound."""
    with engine.store.reading() as db:
        found = contexts.find_context(db, ask.id, ask.user_id)
    if found is None:
        raise NotFound(
            sentence("There is no prompt {id}.", id=ask.id),
            next=sentence("They are kept as long as the audit log."),
        )
    given, pieces = found
    return SeenWhole(row=_row(given, {piece.name: len(piece.ids) for piece in pieces}), pieces=pieces)


def _row(given: GivenContext, pieces: Mapping[str, int]) -> SeenRow:
    return row_of(
        SeenRow,
        given,
        id=given.id or 0,
        took_ms=given.took_us / 1e3,
        pieces=tuple(pieces),
        memories=sum(pieces.values()),
    )
