"""Grants and tokens of agents, and what a desk from before there were any keeps."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from memdesk.engine.agents import granting
from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.opening import open_engine
from memdesk.engine.undo import undo
from memdesk.files.places import Desk
from memdesk.model.agent import NamedAgent, NewGrant, NewToken
from memdesk.model.curation import Undo
from memdesk.model.errors import BadAsk, Conflict, NotFound, StorageFailed
from memdesk.model.remember import NewFact

PERSON = "person:Mara"


def signer(engine: Engine, token: str) -> str | None:
    kept = engine.agents.kept(token)
    return None if kept is None else kept.agent


@pytest.fixture
def engine(desk_folder: Path) -> Engine:
    return open_engine(Desk(desk_folder))


def before_grants(engine: Engine) -> None:
    """Make the desk one that was written before there were grants."""
    engine.store.submit(lambda db: db.run("UPDATE upkeep SET grants_behind = 1")).result()


def test_an_older_desk_grants_its_agents_once_what_they_did_on_it(engine: Engine) -> None:
    learn_fact(engine, NewFact(claim="The sea is salt."), author="agent:scout")
    learn_fact(engine, NewFact(claim="Ana keeps bees.", user_id="ana", channel="hive"), author="agent:atlas")
    learn_fact(engine, NewFact(claim="The deck is wet.", channel="deck"), author="agent:pilot")
    before_grants(engine)
    granting.settle_habits(engine, granted=True)
    granting.settle_habits(engine, granted=True)
    told = {
        row.agent: [(each.scope, each.name) for each in row.grants]
        for row in granting.list_agents(engine).rows
    }
    assert told == {"atlas": [("user", "ana")], "pilot": [], "scout": [("global", "")]}
    assert engine.agents.rights_of("SCOUT").may_write_global
    engine.close()


def test_a_grant_is_undone_at_once(engine: Engine) -> None:
    given = granting.grant(engine, NewGrant(agent="scout", scope="channel", name="deck"), author=PERSON)
    assert engine.agents.rights_of("scout").channels == {"deck"}
    assert given.change is not None
    undo(engine, Undo(change=given.change), author=PERSON)
    assert engine.agents.rights_of("scout").channels == set()
    engine.close()


@pytest.mark.parametrize(
    ("scope", "name"), [("everything", ""), ("global", "x"), ("channel", ""), ("channel", "_global")]
)
def test_a_grant_that_says_nothing_is_refused(engine: Engine, scope: str, name: str) -> None:
    with pytest.raises(BadAsk):
        granting.grant(engine, NewGrant(agent="scout", scope=scope, name=name), author=PERSON)
    engine.close()


def test_the_same_grant_is_given_once(engine: Engine) -> None:
    granting.grant(engine, NewGrant(agent="scout", scope="global"), author=PERSON)
    with pytest.raises(Conflict):
        granting.grant(engine, NewGrant(agent="Scout", scope="global"), author=PERSON)
    engine.close()


@pytest.mark.file
def test_tokens_outlive_the_service_and_only_their_hashes_are_kept(desk_folder: Path, engine: Engine) -> None:
    made = granting.add_token(engine, NewToken(agent="scout"), author=PERSON)
    engine.close()
    again = open_engine(Desk(desk_folder))
    assert signer(again, made.token) == "scout"
    kept = Desk(desk_folder).agent_tokens
    assert made.token not in kept.read_text() and kept.stat().st_mode & 0o777 == 0o600
    granting.revoke_tokens(again, NamedAgent(agent="Scout"), author=PERSON)
    assert signer(again, made.token) is None
    with pytest.raises(NotFound):
        granting.revoke_tokens(again, NamedAgent(agent="scout"), author=PERSON)
    again.close()


def test_a_desk_that_cannot_read_its_tokens_does_not_open(desk_folder: Path, engine: Engine) -> None:
    engine.close()
    Desk(desk_folder).agent_tokens.write_text("[{]")
    with pytest.raises(StorageFailed, match="agents"):
        open_engine(Desk(desk_folder))


def test_no_agent_is_called_global(engine: Engine) -> None:
    with pytest.raises(BadAsk):
        granting.add_token(engine, NewToken(agent=" _GLOBAL "), author=PERSON)
    engine.close()


@pytest.mark.file
def test_a_token_is_checked_in_far_less_than_a_tenth_of_a_millisecond(engine: Engine) -> None:
    made = granting.add_token(engine, NewToken(agent="scout"), author=PERSON)
    started = time.perf_counter()
    for _ in range(1000):
        assert signer(engine, made.token) == "scout"
        engine.agents.rights_of("scout")
    assert (time.perf_counter() - started) / 1000 < 1e-4
    engine.close()


def test_a_token_with_days_ends_and_the_name_stays_protected(engine: Engine) -> None:
    made = granting.add_token(engine, NewToken(agent="scout", days=30), author=PERSON)
    kept = engine.agents.kept(made.token)
    assert kept is not None and made.ends_at is not None
    end = kept.made_at + 30 * granting.DAY_US
    assert not kept.has_ended(end - 1) and kept.has_ended(end)
    (row,) = granting.list_agents(engine).rows
    assert row.token_ends == made.ends_at
    granting.add_token(engine, NewToken(agent="scout"), author=PERSON)
    (row,) = granting.list_agents(engine).rows
    assert row.token_ends is None and len(engine.agents.tokens_of("scout")) == 2
    for days in (-1, 3651):
        with pytest.raises(BadAsk, match="days"):
            granting.add_token(engine, NewToken(agent="scout", days=days), author=PERSON)
    engine.close()


def test_a_new_token_removes_those_of_the_agent_that_have_ended(engine: Engine) -> None:
    agents = engine.agents
    agents.make_token("scout", at=1, ends_at=2)
    agents.make_token("atlas", at=1, ends_at=2)
    agents.make_token("scout", at=3)
    assert [each.made_at for each in agents.tokens_of("scout")] == [3] and len(agents.tokens()) == 2
    engine.close()
