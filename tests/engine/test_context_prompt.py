"""What an agent is told before a turn: within its budget, in order, each piece with its source, and looked back at."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.engine.browsing import history
from memdesk.engine.context import prompt, sessions
from memdesk.engine.context.messages import tokens_in
from memdesk.engine.context.pieces import (
    FORMS,
    SHARES,
    PieceRequest,
    Unit,
    allot_tokens,
    fit_pieces,
    recalled,
)
from memdesk.engine.context.sessions import create_session
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.schedule import BY_NAME, perform
from memdesk.engine.memory import goals, remember
from memdesk.engine.memory.erase import erase_user
from memdesk.engine.memory.scratchpad import write_note
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.workspace.session_notes import record
from memdesk.model.curation import EraseUser
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.goal import NewGoal
from memdesk.model.instant import to_datetime
from memdesk.model.prompt import PIECES, AskContext, AskSeen, ListSeen, PromptContext
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact
from memdesk.model.session import NewSession
from memdesk.model.working import WriteNote
from memdesk.model.workspace_files import RecordLearning
from memdesk.store.connection import Connection
from tests.engine.conftest import Clock, embed_all
from tests.fixtures.intake.worlds import take

AGENT = "agent:forge"
HERE: dict[str, Any] = {"channel": "tidepool", "agent_id": "forge"}


@pytest.fixture
def furnished(engine: Engine, tmp_path: Path) -> Engine:
    """A desk with an OpenLegion workspace of Forge's, facts, a goal, notes and the result of a sub-agent."""
    folder = tmp_path / "forge"
    (folder / "learnings").mkdir(parents=True)
    (folder / "SOUL.md").write_text("# Identity\n\nForge writes small migrations.\n")
    (folder / "AGENTS.md").write_text("# Agent Instructions\n\nAsk before you touch the schema.\n")
    (folder / "learnings" / "errors.md").write_text("")
    take(engine, folder)
    record(
        engine,
        RecordLearning(kind="error", subject="psql", text="could not connect", agent_id="forge"),
        author=AGENT,
    )
    for claim in (
        "Ingest writes go through PgBouncer",
        "The pool holds 25 connections a node",
        "Mara lives in Lisbon",
    ):
        remember.learn_fact(engine, NewFact(**HERE, claim=claim), author=AGENT)
    goals.add(
        engine, NewGoal(**HERE, description="Move every writer behind PgBouncer", priority=4), author=AGENT
    )
    create_session(engine, NewSession(**HERE, session_id="s-1"), author=AGENT)
    for key, value in (("plan", "node by node"), ("subagent_result::r1", "ingest-3 has a stale pool")):
        write_note(engine, WriteNote(session_id="s-1", key=key, value=value))
    embed_all(engine)
    return engine


def tell(engine: Engine, *said: str, **more: Any) -> PromptContext:
    messages = tuple({"role": "user", "content": text} for text in said)
    ask = AskContext(**{"messages": messages, **HERE, "session_id": "s-1", **more})
    told = prompt.context(engine, ask, author=AGENT)
    engine.store.submit(lambda _: None).result()
    return told


def test_every_piece_is_told_in_order_with_its_source_and_cost(furnished: Engine) -> None:
    told = tell(furnished, "How do ingest writes reach Postgres through PgBouncer?")
    assert [piece.name for piece in told.pieces] == list(PIECES)
    by_name = {piece.name: piece for piece in told.pieces}
    assert by_name["identity"].source.startswith("AGENTS.md, SOUL.md")
    assert "Ask before you touch the schema." in by_name["identity"].text
    assert "psql" in by_name["learnings"].text
    assert "Ingest writes go through PgBouncer" in by_name["recall"].text and by_name["recall"].ids
    assert "Mara lives in Lisbon" in by_name["facts"].text + by_name["recall"].text
    assert not set(by_name["facts"].ids) & set(by_name["recall"].ids)
    assert "Move every writer" in by_name["goals"].text
    assert "- plan: node by node" in by_name["scratchpad"].text
    assert "- subagent_result::r1: ingest-3 has a stale pool" in by_name["subagents"].text
    assert told.tokens == sum(piece.tokens for piece in told.pieces) <= told.budget_tokens
    assert all(piece.tokens == tokens_in(piece.text) and piece.text in told.text for piece in told.pieces)


def test_a_small_budget_is_kept_and_says_what_had_no_room(furnished: Engine) -> None:
    for budget in (20, 60, 120, 400):
        told = tell(furnished, "How do ingest writes reach Postgres?", budget_tokens=budget)
        assert told.tokens <= budget
        assert {piece.name for piece in told.pieces} | set(told.left) >= {"identity", "goals"}
    assert tell(furnished, "How?", budget_tokens=20).left


def test_only_what_a_prompt_had_room_for_is_reinforced(engine: Engine) -> None:
    for place in ("Porto", "Lisbon", "Ghent", "Bergen", "Vienna"):
        remember.learn_fact(
            engine, NewFact(**HERE, claim=f"The relay of {place} is tested on Mondays"), author=AGENT
        )
    embed_all(engine)
    told = tell(engine, "On which day is the relay tested?", pieces=("recall",), budget_tokens=40)
    shown = {id for piece in told.pieces for id in piece.ids}
    assert 0 < len(shown) < 5
    with engine.store.reading() as db:
        used = {id for (id,) in db.rows("SELECT id FROM facts JOIN usage USING (seq) WHERE access_count > 0")}
        recalled = {id for (id,) in db.rows("SELECT id FROM recalled JOIN facts USING (seq)")}
    assert used == recalled == shown


def test_agenticx_gets_the_seeds_section_within_its_caps(furnished: Engine) -> None:
    long = "PgBouncer " + "keeps the writers of ingest from running Postgres out of connections " * 6
    for n in range(4):
        remember.learn_fact(furnished, NewFact(**HERE, claim=f"{long}{n}"), author=AGENT)
    embed_all(furnished)
    told = tell(furnished, "PgBouncer and the writers of ingest", format="agenticx", pieces=("recall",))
    (section,) = told.pieces
    heading, *lines = section.text.split("\n")
    assert heading == "## 相关历史记忆(自动召回)"
    snippets = [line.removeprefix("- ") for line in lines]
    assert snippets and all(len(snippet) <= 200 for snippet in snippets)
    assert sum(map(len, snippets)) <= 500


def test_agenticx_asks_with_the_last_five_user_messages_each_and_all_cut(furnished: Engine) -> None:
    told = tell(furnished, *(f"{n} " + "x" * 300 for n in range(7)), format="agenticx")
    assert told.query == " ".join((f"{n} " + "x" * 300)[:200] for n in range(2, 7))[:500]
    assert tell(furnished, "first", "last").query == "last\nfirst"


def test_without_a_user_message_nothing_is_recalled(furnished: Engine) -> None:
    told = tell(furnished)
    assert told.query == "" and "recall" not in [piece.name for piece in told.pieces]


def test_what_the_agent_has_before_its_eyes_is_not_told_again(furnished: Engine) -> None:
    claim = "Ingest writes go through PgBouncer"
    told = tell(furnished, claim, pieces=("recall",))
    assert all(claim not in piece.text for piece in told.pieces)


def test_an_agent_without_files_is_told_the_rest(engine: Engine) -> None:
    remember.learn_fact(engine, NewFact(**HERE, claim="The cat is called Whiskerino"), author=AGENT)
    told = tell(engine, "What is my cat's name?", session_id=None)
    assert [piece.name for piece in told.pieces] == ["recall"] and not told.notices
    with pytest.raises(BadAsk):
        tell(engine, "x", format="yaml")
    with pytest.raises(BadAsk):
        tell(engine, "x", pieces=("horoscope",))


def test_what_an_agent_saw_at_a_turn_can_be_asked_for_to_the_letter(furnished: Engine) -> None:
    first = tell(furnished, "How do ingest writes reach Postgres?", conversation_id="c-1", turn_index=3)
    tell(furnished, "And where does Mara live?", conversation_id="c-1", turn_index=9)
    rows = sessions.prompts(furnished, ListSeen(conversation_id="c-1")).rows
    assert [row.turn_index for row in rows] == [9, 3]
    assert rows[1].memories == sum(len(piece.ids) for piece in first.pieces) > 0
    before = sessions.prompts(furnished, ListSeen(conversation_id="c-1", turn_index=8)).rows[0]
    whole = sessions.prompt(furnished, AskSeen(id=before.id))
    assert whole.pieces == first.pieces and whole.row.query == first.query
    with furnished.store.reading() as db:
        texts, pieces = (
            db.value(f"SELECT count(*) FROM {name}") for name in ("prompt_texts", "prompt_pieces")
        )
    assert texts < pieces


def test_prompts_come_page_by_page(furnished: Engine) -> None:
    for number in range(3):
        tell(furnished, f"Question {number}?")
    first = sessions.prompts(furnished, ListSeen(limit=2))
    assert [row.query for row in first.rows] == ["Question 2?", "Question 1?"]
    assert first.counts == ()
    now = to_datetime(furnished.clock())
    counted = sessions.prompts(furnished, ListSeen(since=now - timedelta(days=1))).counts
    assert [(each.author, each.count) for each in counted] == [(AGENT, 3)] and counted[0].took_ms > 0
    later = sessions.prompts(furnished, ListSeen(since=now))
    assert (later.rows, later.counts) == ((), ())
    last = sessions.prompts(furnished, ListSeen(limit=2, after=first.next))
    assert ([row.query for row in last.rows], last.next) == (["Question 0?"], None)


def test_what_was_told_is_kept_as_long_as_the_audit_log(furnished: Engine, clock: Clock) -> None:
    tell(furnished, "How do ingest writes reach Postgres?")
    clock.pass_days(furnished.settings.audit_retention_days + 2)
    tell(furnished, "And now?")
    assert perform(furnished, BY_NAME["audit_partitions"], author="clock")["prompts"] == 1
    assert [row.query for row in sessions.prompts(furnished, ListSeen()).rows] == ["And now?"]
    furnished.use(replace(furnished.settings, prompt_log=False))
    tell(furnished, "unlogged")
    assert len(sessions.prompts(furnished, ListSeen()).rows) == 1


def test_erasing_a_user_erases_what_their_agents_were_told(furnished: Engine) -> None:
    tell(furnished, "How do ingest writes reach Postgres?")
    erase_user(
        furnished, EraseUser(user_id="local", confirm="local"), author="person:Mara", progress=ignore_progress
    )
    assert sessions.prompts(furnished, ListSeen()).rows == ()
    with pytest.raises(NotFound):
        sessions.prompt(furnished, AskSeen(id=1))

    def left(db: Connection) -> int:
        return int(db.value("SELECT count(*) FROM prompt_texts"))

    assert furnished.store.submit(left).result() == 0


@given(st.dictionaries(st.sampled_from(PIECES), st.integers(0, 5_000), min_size=1), st.integers(1, 10_000))
def test_rooms_never_pass_the_budget_and_none_gets_more_than_it_wants(
    needs: dict[str, int], budget: int
) -> None:
    rooms = allot_tokens(needs, budget)
    assert sum(rooms.values()) <= budget
    assert all(rooms[name] <= need for name, need in needs.items())
    assert sum(rooms.values()) == min(budget, sum(needs.values()))
    whole = sum(SHARES[name] for name in needs)
    assert all(rooms[name] >= min(need, int(budget * SHARES[name] / whole)) for name, need in needs.items())


LINES = st.lists(st.text("abc 界0.", min_size=1, max_size=60), max_size=12)


@given(
    st.lists(st.tuples(st.sampled_from(PIECES), LINES, st.booleans()), unique_by=lambda each: each[0]),
    st.integers(1, 300),
)
def test_fitted_pieces_stay_within_the_budget(shapes: Any, budget: int) -> None:
    wanted = [
        PieceRequest(name=name, source="", heading="## x\n", units=tuple(map(unit, lines)), running=running)
        for name, lines, running in shapes
    ]
    pieces, left = fit_pieces(wanted, budget)
    assert sum(piece.tokens for piece in pieces) <= budget
    assert {piece.name for piece in pieces} | set(left) == {each.name for each in wanted}


def unit(line: str) -> Unit:
    return Unit(text=line)


def test_a_look_at_what_would_be_told_says_the_same_and_leaves_no_trace(furnished: Engine) -> None:
    asked = AskContext(**HERE, text="how does ingest reach postgres")
    embed_all(furnished)
    head = history.head(furnished)
    looked = prompt.preview(furnished, asked, author="person:Mara")
    furnished.store.submit(lambda _: None).result()
    assert history.head(furnished) == head and sessions.prompts(furnished, ListSeen()).rows == ()
    told = prompt.context(furnished, asked, author=AGENT)
    furnished.store.submit(lambda _: None).result()
    assert (looked.text, looked.left) == (told.text, told.left) and "PgBouncer" in looked.text
    assert history.head(furnished) > head


def test_a_short_line_of_a_file_is_told_with_its_heading(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "forge"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("# Memory\n\n## Never\n\n- post photos of the mooring\n")
    take(engine, folder, channel="tidepool", agent_id="forge")
    asked = Query(text="photos of the mooring", channel="tidepool", kinds=("fact",))
    (hit,) = recall(engine, asked, author=AGENT).hits
    assert (hit.text, hit.provenance.headings) == ("post photos of the mooring", ("Memory", "Never"))
    (line,) = recalled([hit], FORMS["neutral"], 2_000)
    assert line.text.startswith("- Never: post photos of the mooring")
