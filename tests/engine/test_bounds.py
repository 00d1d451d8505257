"""Bounds of a member's token, and the tokens that services of one database share."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memdesk.engine.agents import granting
from memdesk.engine.agents.bounds import Bounds, bounds_of
from memdesk.engine.browsing.lists import facts as list_facts
from memdesk.engine.engine import Engine
from memdesk.engine.known_agents import FileRegister, KeptToken, KnownAgents, SharedRegister
from memdesk.engine.memory.remember import learn_fact
from memdesk.model.browse import FactsPage, ListFacts
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import Retire, Undo
from memdesk.model.errors import Conflict, NotAllowed, NotFound
from memdesk.model.history import FeedEvent
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact
from memdesk.model.team import AGENT, CURATOR, OWNER, Invite, NamedMember
from memdesk.model.tools import ToolAnswer
from tests import postgres

PERSON = "person:Mara"


def learned(engine: Engine, user: str, channel: str) -> str:
    fact = NewFact(claim=f"{user} keeps bees in {channel}.", user_id=user, channel=channel)
    return learn_fact(engine, fact, author=PERSON).id


def bounds(engine: Engine, *channels: str, reads: bool = True, role: str = CURATOR) -> Bounds:
    token = KeptToken("ana", "", 1, None, role, ("acme",), channels)
    return bounds_of(engine, token, reads=reads)


def test_an_answer_has_no_row_of_another_user_or_channel_even_if_the_call_forgot_its_filter(
    engine: Engine,
) -> None:
    own, board, other = (
        learned(engine, *place) for place in (("acme", "open"), ("acme", "board"), ("globex", "hq"))
    )
    every = tuple(
        row for user in ("acme", "globex") for row in list_facts(engine, ListFacts(user_id=user)).rows
    )
    page = FactsPage(first=0, total=3, rows=every)
    assert {row.id for row in bounds(engine).shown(page).rows} == {own, board}
    assert {row.id for row in bounds(engine, "open").shown(page).rows} == {own}
    event = FeedEvent(
        id=1,
        at=every[0].created_at,
        op="learn",
        title="",
        author=PERSON,
        channel="",
        kinds=("fact",),
        records=(own, other),
        undoable=True,
    )
    assert bounds(engine).shown(event).records == (own,)
    with pytest.raises(NotFound):
        bounds(engine).shown(ToolAnswer(text=f"See {other}."))
    assert bounds(engine).shown(ToolAnswer(text=f"See {own}.")).text


def test_a_request_names_the_members_own_places_and_records_only(engine: Engine) -> None:
    own, other = learned(engine, "acme", "open"), learned(engine, "globex", "hq")
    assert bounds(engine).fitted(ListFacts()).user_id == "acme"
    assert bounds(engine, "open").fitted(ListFacts()).channels == (GLOBAL, "open")
    for ask in (ListFacts(user_id="globex"), ListFacts(channels=("board",))):
        with pytest.raises(NotAllowed):
            bounds(engine, "open").fitted(ask)
    every = bounds(engine, "open").fitted(Query(text="bees", every_channel=True))
    assert (every.channel, every.every_channel) == ("open", False)
    with pytest.raises(NotAllowed, match="every channel"):
        bounds(engine, "open", "shop").fitted(Query(text="bees", every_channel=True))
    bounds(engine, reads=False).fitted(Retire(id=own))
    absent = Retire(id="f_00000000000000000000000000")
    for ask in (Retire(id=other), Retire(id=own, reason=f"as {other}")):
        with pytest.raises(NotFound):
            bounds(engine, reads=False).fitted(ask)
    assert bounds(engine, reads=False).fitted(absent) == absent
    with pytest.raises(NotAllowed):
        bounds(engine, "open", "shop", reads=False).fitted(NewFact(claim="x"))
    assert bounds(engine, "open", GLOBAL, reads=False).fitted(NewFact(claim="x", channel=GLOBAL))


def test_only_changes_of_own_records_are_taken_back(engine: Engine) -> None:
    own = learn_fact(engine, NewFact(claim="Tea is warm.", user_id="acme"), author="person:ana")
    other = learn_fact(engine, NewFact(claim="Tea is cold.", user_id="globex"), author="person:ana")
    assert bounds(engine, reads=False).fitted(Undo(change=own.change)).change == own.change
    for change in (other.change, None, 10**6):
        with pytest.raises(NotFound):
            bounds(engine, reads=False).fitted(Undo(change=change))


def test_an_agents_token_narrows_what_it_was_granted(engine: Engine) -> None:
    token = KeptToken("bot", "", 1, None, AGENT, ("acme",), ("open",))
    rights = token.bounded(engine.agents.rights_of("bot"))
    assert (rights.users, rights.channels, rights.may_begin_users) == ({"acme"}, {"open"}, False)
    assert replace(token, users=(), channels=()).bounded(rights).users == {"acme"}


def test_a_name_has_one_role_until_it_is_revoked(engine: Engine) -> None:
    made = granting.invite(engine, Invite(name="Ana", role=CURATOR), author=PERSON)
    with pytest.raises(Conflict):
        granting.invite(engine, Invite(name="ANA", role=AGENT), author=PERSON)
    with pytest.raises(Conflict):
        granting.invite(engine, Invite(name=engine.person, role=CURATOR), author=PERSON)
    kept = engine.agents.kept(made.token)
    assert kept is not None and (kept.author, kept.users) == ("person:Ana", ("local",))
    assert engine.agents.register.all() == (kept,)
    assert not engine.agents.tokens()
    assert granting.revoke_member(engine, NamedMember(name="ana"), author=PERSON).tokens == 1
    assert engine.agents.kept(made.token) is None
    with pytest.raises(NotFound):
        granting.revoke_member(engine, NamedMember(name="ana"), author=PERSON)
    assert granting.invite(engine, Invite(name="Ana", role=OWNER, days=0), author=PERSON).ends_at is None


def test_services_of_one_database_know_each_others_tokens_and_revocations_at_once(tmp_path: Path) -> None:
    address, clock = postgres.server().desk(), iter(range(1, 10**9)).__next__
    from memdesk.store.postgres.store import PostgresStore

    file = tmp_path / "agents.json"
    FileRegister(file).change([KeptToken("old", "hash", 1)], [])
    stores = [PostgresStore(address, clock=clock) for _ in range(2)]
    one, two = (KnownAgents(store, SharedRegister(store, file)) for store in stores)
    token = one.make_token("ana", at=2, role=CURATOR, users=("acme",))
    found = two.kept(token)
    assert found is not None and (found.agent, found.role, found.users) == ("ana", CURATOR, ("acme",))
    assert [each.agent for each in two.register.all()] == ["old", "ana"]
    two.revoke([found])
    assert one.kept(token) is None
    for store in stores:
        store.close()
