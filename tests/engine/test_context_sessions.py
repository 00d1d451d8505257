"""Sessions: made, resumed, begun anew and listed, while memory stays."""

from __future__ import annotations

from typing import Any

import pytest

from memdesk.engine.context.compactor import compact
from memdesk.engine.context.resolving import current_messages, fullness
from memdesk.engine.context.sessions import create_session, reset_session, resume_session, sessions
from memdesk.engine.engine import Engine
from memdesk.engine.memory.scratchpad import write_note
from memdesk.engine.opening import open_engine
from memdesk.engine.undo import undo
from memdesk.model.context import Compact
from memdesk.model.curation import Undo
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.fact import FACT
from memdesk.model.session import ListSessions, NamedSession, NewSession
from memdesk.model.working import WriteNote
from memdesk.store import records
from tests.engine.talks import talk

AGENT = "agent:forge"
HERE: dict[str, Any] = {"channel": "harbour", "agent_id": "forge"}
S1 = NamedSession(session_id="s-1")


def test_a_session_of_a_known_id_is_resumed_as_it_stands(engine: Engine) -> None:
    first = create_session(engine, NewSession(**HERE, session_id="s-1", policy="agenticx"), author=AGENT)
    again = create_session(engine, NewSession(**HERE, session_id="s-1", policy="agentix"), author=AGENT)
    assert not first.resumed and again.resumed
    assert (again.policy, again.conversation_id, again.change) == ("agenticx", first.conversation_id, None)


def test_a_session_says_how_its_context_is_compacted(engine: Engine) -> None:
    create_session(engine, NewSession(**HERE, session_id="s-1", policy="agenticx"), author=AGENT)
    done = compact(engine, Compact(messages=tuple(talk(21)), session_id="s-1"), author=AGENT)
    assert done.action == "compacted" and done.before.policy == "agenticx"
    state = resume_session(engine, S1)
    assert (state.turns, state.archived, state.compactions) == (21, 13, 1)


def test_a_reset_begins_another_conversation_and_erases_nothing(engine: Engine) -> None:
    first = create_session(engine, NewSession(**HERE, session_id="s-1", policy="agenticx"), author=AGENT)
    write_note(engine, WriteNote(session_id="s-1", key="plan", value="node by node"))
    write_note(engine, WriteNote(session_id="s-1", key="subagent_result::r1", value="done"))
    compact(engine, Compact(messages=tuple(talk(21)), session_id="s-1"), author=AGENT)
    with engine.store.reading() as db:
        facts = len(records.find(db, FACT))
    fresh = reset_session(engine, S1, author=AGENT)
    assert fresh.conversation_id != first.conversation_id and fresh.turns == 0
    assert fresh.notes == ("plan", "subagent_result::r1")
    with engine.store.reading() as db:
        assert len(records.find(db, FACT)) == facts
    other = compact(engine, Compact(messages=tuple(talk(5)), session_id="s-1"), author=AGENT)
    assert other.conversation_id == fresh.conversation_id
    assert fresh.change is not None
    undo(engine, Undo(change=fresh.change), author="person:Mara")
    assert resume_session(engine, S1).conversation_id == first.conversation_id


def test_sessions_and_their_notes_survive_a_restart(engine: Engine) -> None:
    create_session(engine, NewSession(**HERE, session_id="s-1", title="Monday"), author=AGENT)
    write_note(engine, WriteNote(session_id="s-1", key="plan", value="node by node"))
    engine.close()
    again = open_engine(engine.desk, clock=engine.clock)
    state = resume_session(again, S1)
    assert (state.title, state.notes) == ("Monday", ("plan",))
    again.close()


def test_the_last_used_session_is_listed_first(engine: Engine) -> None:
    for name in ("s-1", "s-2", "s-3"):
        create_session(engine, NewSession(**HERE, session_id=name), author=AGENT)
    compact(engine, Compact(messages=tuple(talk(3)), session_id="s-1"), author=AGENT)
    listed = sessions(engine, ListSessions())
    assert [row.session_id for row in listed.rows] == ["s-1", "s-3", "s-2"]
    assert sessions(engine, ListSessions(agent_id="iris")).rows == ()


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_what_an_agent_has_at_hand_is_the_list_it_was_given_and_weighs_the_same(
    engine: Engine, rounds: int
) -> None:
    create_session(engine, NewSession(**HERE, session_id="s-1", policy="agenticx"), author=AGENT)
    messages, said = tuple(talk(12, tools=True)), talk(80, seed=8)
    done = compact(engine, Compact(messages=messages, session_id="s-1"), author=AGENT)
    for number in range(rounds):
        longer = (*done.messages, *said[20 * number : 20 * number + 20])
        done = compact(engine, Compact(messages=longer, session_id="s-1"), author=AGENT)
        assert done.action == "compacted"
    with engine.store.reading() as db:
        assert current_messages(db, done.conversation_id) == done.messages
    now = fullness(engine, S1)
    assert (now.messages, now.characters, now.tokens) == (
        done.after.messages,
        done.after.characters,
        done.after.tokens,
    )
    assert now.due == "none" and now.marks == done.after.marks


def test_what_is_no_session_is_said(engine: Engine) -> None:
    with pytest.raises(NotFound):
        resume_session(engine, S1)
    with pytest.raises(NotFound):
        fullness(engine, S1)
    with pytest.raises(NotFound):
        compact(engine, Compact(messages=tuple(talk(3)), session_id="s-1"), author=AGENT)
    with pytest.raises(BadAsk):
        create_session(engine, NewSession(**HERE, policy="hope"), author=AGENT)
    done = compact(engine, Compact(messages=tuple(talk(3)), **HERE), author=AGENT)
    with pytest.raises(Conflict):
        create_session(engine, NewSession(**HERE, session_id=done.conversation_id), author=AGENT)
