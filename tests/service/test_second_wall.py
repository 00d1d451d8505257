"""A team's desk in PostgreSQL without its first wall: what a member's token does not name stays unseen all the same."""

from __future__ import annotations

import dataclasses
import shutil
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from small_service import TOKEN, Serving
from test_team import CLIENTS, OTHERS, SECRET, Door, attempts, hostile_arguments, memory_of, victims

from memdesk.api.endpoints import ENDPOINTS
from memdesk.api.tools import toolsets
from memdesk.client.wire import spoken_body, spoken_query
from memdesk.engine.agents import limits
from memdesk.engine.agents.bounds import Bounds
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.opening import open_engine
from memdesk.files.places import Desk
from memdesk.model.team import AGENT, CURATOR, may
from memdesk.service.admission import Admission
from memdesk.service.app import DeskApp
from memdesk.service.calls import answer_calls
from memdesk.service.host import CommitSignal, Confirmations, Host
from memdesk.service.long_acts import Acts, Jobs
from memdesk.service.tools import answer_tools
from memdesk.store import document_versions
from memdesk.store.postgres import walling
from tests import effort
from tests.store.postgres.test_desk_in_database import desk_in_database

assert victims


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """A desk in a database, in a process in which requests are fitted into no bounds and answers pruned by none."""
    folder = Path(tempfile.mkdtemp(prefix="md-"))
    opened = open_engine(desk_in_database(folder / "desk"))
    with pytest.MonkeyPatch.context() as fault:
        fault.setattr(Bounds, "fitted", lambda _, ask: ask)
        fault.setattr(Bounds, "shown", lambda _, answer: answer)
        fault.setattr(limits, "limited", lambda _engine, _who, ask: ask)
        yield opened
    opened.close()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def service(engine: Engine) -> Iterator[Serving]:
    jobs = Jobs()

    def answer(app: DeskApp, bell: CommitSignal) -> None:
        confirmations = Confirmations(bell.ring)
        app.admission = Admission(engine, TOKEN, confirmations)
        host = Host(
            desk=engine.desk,
            engine=engine,
            jobs=jobs,
            acts=Acts(engine.desk.acts, jobs),
            started_at=datetime.now(UTC),
            socket_mark=None,
            stop=lambda: None,
            restore=lambda _: None,
            confirmations=confirmations,
        )
        answer_calls(app, host)
        answer_tools(app, host)

    folder = Path(tempfile.mkdtemp(prefix="md-"))
    serving = Serving(Desk(folder / "desk"), answer)
    serving.start()
    yield serving
    for client in CLIENTS:
        client.close()
    serving.stop()
    jobs.close()
    shutil.rmtree(folder, ignore_errors=True)


def door(service: Serving, token: str) -> Door:
    transport = httpx.HTTPTransport(uds=str(service.desk.socket))
    headers = {"authorization": f"Bearer {token}"}
    return Door(httpx.Client(transport=transport, base_url="http://desk", headers=headers, timeout=60))


@pytest.fixture(scope="module")
def owner(service: Serving) -> Door:
    return door(service, TOKEN)


@pytest.fixture(scope="module")
def members(service: Serving, owner: Door) -> dict[str, Door]:
    """A curator and an agent of the user acme, and a curator of one channel of it."""

    def invited(name: str, role: str, **bounds: Any) -> Door:
        return door(service, owner.call("team.invite", name=name, role=role, **bounds)["token"])

    acme = {"users": ["acme"]}
    found = {
        "ana": invited("ana", CURATOR, **acme),
        "bot": invited("bot", AGENT, **acme),
        "cara": invited("cara", CURATOR, **acme, only_channels=["open"]),
    }
    found["ana"].call("memory.learn_fact", claim="The shop opens at eight.", user_id="acme", channel="open")
    return found


@pytest.mark.parametrize(
    ("name", "role", "words"),
    [("ana", CURATOR, (OTHERS,)), ("bot", AGENT, (OTHERS,)), ("cara", CURATOR, (OTHERS, SECRET))],
)
def test_without_the_first_wall_no_call_shows_or_changes_what_is_anothers(
    members: dict[str, Door],
    victims: dict[str, str],
    owner: Door,
    name: str,
    role: str,
    words: tuple[str, ...],
) -> None:
    before, leaks, answered = memory_of(owner), [], 0
    for place, endpoint in enumerate(ENDPOINTS):
        if not dataclasses.is_dataclass(endpoint.ask) or not may(role, endpoint.role) or endpoint.here:
            continue
        for ask in effort.part(attempts(endpoint, victims, words), place):
            if endpoint.method == "GET":
                said = members[name].http.get(endpoint.path, params=list(spoken_query(ask)))
            else:
                said = members[name].http.post(endpoint.path, content=spoken_body(ask))
            answered += said.status_code == 200
            assert said.status_code != 500, (endpoint.name, ask, said.text)
            leaks += [(endpoint.name, ask, said.text[:600]) for word in words if word in said.text]
    assert answered > 100 // effort.stride()
    assert not leaks, (len(leaks), sorted({each[0] for each in leaks}), leaks[:3])
    assert memory_of(owner) == before


def test_without_the_first_wall_no_tool_shows_an_agent_what_is_anothers(
    members: dict[str, Door], victims: dict[str, str]
) -> None:
    for toolset in map(toolsets.toolset, toolsets.NAMES):
        for number, tool in enumerate(toolset.tools):
            for arguments in effort.part(list(hostile_arguments(tool.schema, victims)), number):
                said = members["bot"].http.post(
                    f"/v1/tools/{toolset.name}/{tool.name}",
                    json=arguments,
                    params={"user_id": "globex", "channel": "hq"},
                )
                assert said.status_code != 500 and OTHERS not in said.text, (tool.name, arguments, said.text)


def test_without_the_first_wall_what_is_anothers_is_neither_counted_nor_written(
    members: dict[str, Door], victims: dict[str, str], owner: Door
) -> None:
    place = {"user_id": "globex", "channel": "hq"}
    held = owner.call("memory.facts", user_id="globex")["total"]
    assert held and owner.call("memory.timeline", user_id="globex")["rows"]
    for name in ("ana", "bot", "cara"):
        member = members[name]
        assert member.call("memory.facts", user_id="globex")["total"] == 0, name
        assert not member.call("memory.timeline", user_id="globex")["rows"], name
        assert not member.call("recall.search", text=f"{OTHERS} key", **place)["hits"], name
        refused = member.call("memory.learn_fact", claim="The mat is gone.", **place)
        assert refused["status"] == 403 and "your token" in refused["says"], refused
    assert owner.call("upkeep.status")["facts"] > members["cara"].call("upkeep.status")["facts"] > 0
    assert owner.call("memory.facts", user_id="globex")["total"] == held


def test_sql_in_the_role_of_members_shows_no_text_and_no_vector_of_others(
    engine: Engine, members: dict[str, Door], victims: dict[str, str], owner: Door
) -> None:
    """Contexts, versions of files and vectors are kept once for all who have the same text."""
    both, place = "The shop shuts at six.", {"user_id": "globex", "channel": "hq"}
    owner.call("memory.learn_fact", claim=both, **place)
    owner.call("context.prompt", text=OTHERS, **place)
    engine.store.submit(lambda db: document_versions.keep(db, f"The {OTHERS} file")).result()
    members["ana"].call("memory.learn_fact", claim=both, user_id="acme", channel="open")
    for _ in range(2):
        given = members["ana"].call("context.prompt", text="shop", user_id="acme", channel="open")
        assert "six" in given.get("text", ""), given
    while embed_pending(engine):
        pass
    with psycopg.connect(str(engine.desk.address), autocommit=True) as db:
        told = dict(db.execute("SELECT body, count(*) FROM prompt_texts GROUP BY body").fetchall())
        (vectors,) = db.execute("SELECT count(*) FROM embeddings").fetchone() or (0,)
        assert any(OTHERS in body for body in told) and vectors > 4
        role = engine.store.submit(walling.role_of).result()
        db.execute(f'SET ROLE "{role}"')
        db.execute("SELECT set_config('memdesk.users', '{acme}', false)")
        db.execute("SELECT set_config('memdesk.channels', '{open}', false)")
        seen = [body for (body,) in db.execute("SELECT body FROM prompt_texts")]
        assert seen and len(seen) < len(told) and not [body for body in seen if OTHERS in body]
        (mine,) = db.execute("SELECT count(*) FROM embeddings").fetchone() or (0,)
        assert 0 < mine < vectors
        for reach in (
            "SELECT body FROM versions",
            "INSERT INTO prompt_pieces SELECT max(id), 99, '', '', 0, 0, '[]', 1 FROM prompts",
            "UPDATE prompt_pieces SET text = 1",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                db.execute(reach)
