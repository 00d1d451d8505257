"""Members over the network: TLS, tokens with roles and bounds, and what a hostile one is never shown."""

from __future__ import annotations

import dataclasses
import itertools
import shutil
import ssl
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args, get_type_hints

import httpx
import pytest
from small_service import Serving

from memdesk.api.endpoint import Endpoint
from memdesk.api.endpoints import ENDPOINTS
from memdesk.api.history import FEED_PATH
from memdesk.api.tools.toolsets import NAMES, toolset
from memdesk.client.wire import spoken_body, spoken_query
from memdesk.engine.agents import granting
from memdesk.engine.browsing import history
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.opening import open_engine
from memdesk.files.places import Desk
from memdesk.model.instant import DAY, SECOND
from memdesk.model.remember import NewFact
from memdesk.model.team import AGENT, CURATOR, OWNER, READER, ROLES, Invite, may
from memdesk.service import feed
from memdesk.service.admission import Admission
from memdesk.service.app import DeskApp
from memdesk.service.feed import answer_feed
from memdesk.service.host import CommitSignal, Confirmations
from tests import effort, postgres
from tests.conftest import until
from tests.over_tls import OverTls
from tests.store.postgres.test_desk_in_database import desk_in_database

OTHERS, SECRET = "xyzzy", "plugh"
"""Words of another user's memory, and of a channel that members with bounds do not have."""


CLIENTS: list[httpx.Client] = []


class Door:
    """Calls of one caller."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http
        CLIENTS.append(http)

    def call(self, call: str, /, **ask: Any) -> Any:
        """Make a call; return its answer, with `status` where it was refused."""
        endpoint = next(each for each in ENDPOINTS if each.name == call)
        path = endpoint.path
        said = self.http.get(path, params=ask) if endpoint.method == "GET" else self.http.post(path, json=ask)
        return said.json() | ({"status": said.status_code} if said.status_code != 200 else {})


@pytest.fixture(scope="module")
def service() -> Iterator[OverTls]:
    folder = Path(tempfile.mkdtemp(prefix="md-"))
    desk = Desk(folder / "desk")
    desk.folder.mkdir(mode=0o700)
    desk.settings.write_text("agent_reads_per_minute = 0\nagent_writes_per_minute = 0\n")
    service = OverTls(desk)
    service.start()
    yield service
    # A service that is asked to end waits for connections that are open.
    for client in CLIENTS:
        client.close()
    service.stop()
    shutil.rmtree(folder, ignore_errors=True)


def remote(service: OverTls, token: str = "", **headers: str) -> Door:
    trusting = ssl.create_default_context(cafile=str(service.chain))
    said = {"authorization": f"Bearer {token}", **headers} if token else headers
    return Door(httpx.Client(base_url=service.url, verify=trusting, headers=said, timeout=60))


@pytest.fixture(scope="module")
def owner(service: OverTls) -> Door:
    """The desk's owner, on its own computer."""
    headers = {"authorization": f"Bearer {service.desk.owner_token.read_text().strip()}"}
    transport = httpx.HTTPTransport(uds=str(service.desk.socket))
    return Door(httpx.Client(transport=transport, base_url="http://desk", headers=headers, timeout=60))


def invited(service: OverTls, owner: Door, name: str, role: str, **bounds: Any) -> Door:
    made = owner.call("team.invite", name=name, role=role, **bounds)
    return remote(service, made["token"])


@pytest.fixture(scope="module")
def members(service: OverTls, owner: Door) -> dict[str, Door]:
    """A reader, an agent and a curator of the user acme, an agent and a curator of one channel of it, an owner."""
    acme, open_only = {"users": ["acme"]}, {"users": ["acme"], "only_channels": ["open"]}
    return {
        "rob": invited(service, owner, "rob", READER, **acme),
        "bot": invited(service, owner, "bot", AGENT, **acme),
        "ana": invited(service, owner, "ana", CURATOR, **acme),
        "pip": invited(service, owner, "pip", AGENT, **open_only),
        "cara": invited(service, owner, "cara", CURATOR, **open_only),
        "olga": invited(service, owner, "olga", OWNER),
    }


def refused(said: Any) -> bool:
    assert said.get("status") in (403, 404) and said["says"], said
    return True


def test_without_a_members_token_nothing_is_answered(service: OverTls, owner: Door) -> None:
    own = service.desk.owner_token.read_text().strip()
    for door in (remote(service), remote(service, "mda_guess"), remote(service, own)):
        for path in (
            "/",
            "/openapi.json",
            "/v1/metrics",
            "/v1/upkeep/status",
            "/v1/history/feed",
            "/v1/nothing",
        ):
            said = door.http.get(path, headers={"x-memdesk-agent": "bot"})
            assert said.status_code == 403 and "token" in said.json()["says"], path
        assert door.http.post("/v1/mcp/mcp-memory", json={}).status_code == 403
        assert refused(door.call("memory.learn_fact", claim="The sea is salt."))
    assert owner.call("memory.facts")["total"] == 0


def test_a_certificate_that_is_not_trusted_ends_the_connection(service: OverTls) -> None:
    with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
        httpx.get(f"{service.url}/v1/upkeep/status", verify=ssl.create_default_context())


def test_who_wrote_is_said_by_the_token_whatever_the_request_says(
    owner: Door, members: dict[str, Door]
) -> None:
    for name, author in (("ana", "person:ana"), ("bot", "agent:bot"), ("olga", "person:olga")):
        learned = members[name].call("memory.learn_fact", claim=f"{name} was here.", user_id="acme")
        assert owner.call("history.event", id=learned["change"])["row"]["author"] == author, learned
        forged = members[name].http.post(
            "/v1/memory/learn_fact", json={"claim": "forged"}, headers={"x-memdesk-agent": "someone"}
        )
        assert forged.status_code == 403, name
    assert refused(members["bot"].call("memory.learn_fact", claim="forged", agent_id="ana"))
    assert refused(members["bot"].call("memory.store_turns", turns=[{"content": "x", "agent_id": "pip"}]))


def test_a_role_makes_the_calls_that_are_declared_for_it_and_no_other(members: dict[str, Door]) -> None:
    roles = {"rob": READER, "bot": AGENT, "ana": CURATOR}
    assert {each.role for each in ENDPOINTS} == set(ROLES)
    for name, role in roles.items():
        for endpoint in ENDPOINTS:
            for_people = endpoint.person and role == AGENT
            if endpoint.name == "tools.call" or not (
                for_people or endpoint.here or not may(role, endpoint.role)
            ):
                continue
            said = members[name].http.request(endpoint.method, endpoint.path)
            assert said.status_code == 403 and said.json()["says"], (name, endpoint.name)
    assert members["olga"].http.post("/v1/upkeep/stop").status_code == 403
    assert members["olga"].call("upkeep.settings")["rows"]


def test_a_curator_corrects_what_is_of_its_users_and_takes_that_back(members: dict[str, Door]) -> None:
    ana = members["ana"]
    learned = ana.call("memory.learn_fact", claim="The shop opens at eight.", channel="open")
    edited = ana.call(
        "curation.edit_fact",
        fact_id=learned["id"],
        was="The shop opens at eight.",
        claim="The shop opens at nine.",
    )
    assert ana.call("memory.inspect", id=learned["id"])["title"] == "The shop opens at nine."
    ana.call("curation.undo", change=edited["change"])
    assert ana.call("memory.inspect", id=learned["id"])["title"] == "The shop opens at eight."
    assert [row["claim"] for row in members["cara"].call("memory.facts", text="shop")["rows"]]
    assert members["cara"].call("curation.retire", id=learned["id"])["change"]


def test_a_revoked_token_ends_also_a_stream_that_is_open(service: OverTls, owner: Door) -> None:
    member = invited(service, owner, "eva", CURATOR)
    ended = threading.Event()
    with member.http.stream("GET", "/v1/history/feed") as feed:
        lines = feed.iter_lines()
        assert next(lines).startswith("id: ")

        def read() -> None:
            for _ in lines:
                pass
            ended.set()

        reader = threading.Thread(target=read)
        reader.start()
        owner.call("team.revoke", name="eva")
        reader.join(30)
    assert ended.is_set()
    assert refused(member.call("memory.facts"))


def test_a_curators_feed_tells_of_its_users_only(owner: Door, members: dict[str, Door]) -> None:
    seen: list[str] = []
    ana = members["ana"]
    with ana.http.stream("GET", "/v1/history/feed") as feed:
        lines = feed.iter_lines()
        next(lines)
        owner.call("memory.learn_fact", claim=f"{OTHERS} is told to nobody.", user_id="globex", channel="hq")
        ana.call("memory.learn_fact", claim="The bell is rung.", user_id="acme")
        for line in lines:
            seen.append(line)
            if "bell" in line:
                break
    assert not [line for line in seen if OTHERS in line]


def test_a_token_that_has_ended_is_refused_and_ends_a_stream_that_is_open(
    serving: Callable[[Callable[[DeskApp, CommitSignal], None]], Serving],
    desk_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Nothing but the end of the token wakes the stream.
    monkeypatch.setattr(feed, "HEARTBEAT_SECONDS", 3600.0)
    at = begun = 1_700_000_000_000_000
    engine = open_engine(Desk(desk_folder), clock=lambda: at)
    asked = Invite(name="late", role=CURATOR, days=1)
    made = granting.invite(engine, asked, author="person:Mara")
    end = begun + DAY

    def answer(app: DeskApp, bell: CommitSignal) -> None:
        app.admission = Admission(engine, "owner's", Confirmations(bell.ring))
        answer_feed(app, bell, read=lambda _: (), head=lambda: 0, moves=lambda: 0)

    at = end - SECOND // 5
    headers = {"authorization": f"Bearer {made.token}"}
    with serving(answer).client() as client, client.stream("GET", FEED_PATH, headers=headers) as said:
        lines = said.iter_lines()
        assert said.status_code == 200 and next(lines).startswith("id: ")
        at = end
        reader = threading.Thread(target=lambda: list(lines))
        reader.start()
        reader.join(30)
        assert not reader.is_alive()
        refusal = client.get(FEED_PATH, headers=headers)
        assert refusal.status_code == 403 and "has ended" in refusal.json()["says"]
        assert "team invite late" in refusal.json()["next"]
    engine.close()


def test_a_database_that_hangs_on_one_members_token_keeps_nobody_else_waiting(
    serving: Callable[[Callable[[DeskApp, CommitSignal], None]], Serving], tmp_path: Path
) -> None:
    address = postgres.server().desk()
    import psycopg

    engine = open_engine(desk_in_database(tmp_path / "desk", address))
    token = granting.invite(engine, Invite(name="ana", role=CURATOR), author="person:Mara").token

    def answer(app: DeskApp, bell: CommitSignal) -> None:
        app.admission = Admission(engine, "owner's", Confirmations(bell.ring))
        answer_feed(app, bell, read=lambda _: (), head=lambda: 0, moves=lambda: 0)

    service = serving(answer)
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%access_tokens%'"
    with service.client() as member, service.client() as guest, ThreadPoolExecutor(1) as thread:
        with psycopg.connect(address) as hung, psycopg.connect(address, autocommit=True) as watch:
            hung.execute("LOCK TABLE access_tokens")
            asked = thread.submit(
                member.get, FEED_PATH + "?after=x", headers={"authorization": f"Bearer {token}"}
            )
            until(lambda: watch.execute(waiting).fetchall() == [(1,)], "the look-up of the token")
            assert guest.get("/v1/elsewhere").status_code == 404
            assert not asked.done()
        assert "number of a change" in asked.result().json()["says"]
    engine.close()


def test_a_page_of_a_feed_is_narrowed_to_a_member_by_one_read(
    desk_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_engine(Desk(desk_folder))
    made = granting.invite(engine, Invite(name="ana", role=CURATOR, users=("acme",)), author="person:Mara")
    admission = Admission(engine, "owner's", Confirmations(lambda: None))
    ana = admission.caller({"authorization": f"Bearer {made.token}"}, remote=True)
    for number in range(3):
        for user in ("acme", "globex"):
            fact = NewFact(claim=f"Bell {number} of {user} rings.", user_id=user, channel="open")
            learn_fact(engine, fact, author="person:Mara")
    page = history.feed(engine, 0)
    with engine.store.reading() as db:
        connection, asked = type(db), list[str]()
    rows = connection.rows
    monkeypatch.setattr(
        connection, "rows", lambda db, sql, *given: asked.append(sql) or rows(db, sql, *given)
    )
    seen = admission.seen(ana, page)
    told = [each.title for each in seen if "rings" in each.title]
    assert told == [f"Bell {number} of acme rings." for number in range(3)]
    assert len(page) > 2 * len(told) and not [each for each in seen if not each.records]
    assert len([sql for sql in asked if sql.startswith("SELECT seq FROM records")]) == 1
    engine.close()


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        ({"name": "x", "role": "king"}, "no role"),
        ({"name": "x", "role": OWNER, "users": ["acme"]}, "all users"),
        ({"name": "bot", "role": CURATOR}, "already"),
        ({"name": "x", "role": AGENT, "days": 4000}, "1 to"),
    ],
)
def test_an_invitation_that_makes_no_sense_is_refused(
    owner: Door, members: dict[str, Door], ask: dict[str, Any], why: str
) -> None:
    assert why in owner.call("team.invite", **ask)["says"]


# What a hostile member tries.


@pytest.fixture(scope="module")
def victims(owner: Door, members: dict[str, Door]) -> dict[str, str]:
    """Memory of another user, and of a channel of acme's that is not everybody's: an id of each kind, by kind."""
    ids: dict[str, str] = {}
    for user, channel, word in (("globex", "hq", OTHERS), ("acme", "board", SECRET)):
        place = {"user_id": user, "channel": channel}
        learned = owner.call("memory.learn_fact", claim=f"The {word} key is under the mat.", **place)
        entity = owner.call("memory.upsert_entity", name=f"{word} tower", type="place", **place)
        other = owner.call("memory.upsert_entity", name=f"{word} gate", type="place", **place)
        relation = owner.call("memory.relate", source=entity["id"], target=other["id"], type="near", **place)
        turn = owner.call(
            "memory.store_turn",
            content=f"say {word}",
            conversation_id=f"{user}-talk",
            turn_id=f"{user}-turn",
            **place,
        )
        goal = owner.call("goals.add", description=f"find {word}", goal_id=f"{user}-goal", **place)
        tool = owner.call(
            "procedures.record_invocation",
            tool_name="look",
            tool_output=f"{word} seen",
            success=True,
            **place,
        )
        strategy = owner.call(
            "procedures.learn_strategy",
            description=f"ask {word}",
            tool_sequence=["look"],
            success=True,
            **place,
        )
        owner.call("context.create_session", session_id=f"{user}-session", title=f"{word} session", **place)
        owner.call("working.set", key="note", value=f"{word} note", conversation_id=f"{user}-talk", **place)
        owner.call(
            "working.write_note", session_id=f"{user}-session", user_id=user, key="k", value=f"{word} note"
        )
        owner.call(
            "items.put", items=[{"namespace": ["a"], "key": "k", "value": {"v": f"{word} item"}}], **place
        )
        question = owner.call("questions.keep", text=f"where is {word}?", expects="mat", **place)
        owner.call("curation.tag", id=learned["id"], tags=[f"{word}tag"])
        owner.call("review.propose", type="promotion", fact_id=learned["id"], reason=f"{word} is for all")
        made = {
            "fact": learned, "entity": entity, "relation": relation, "turn": turn, "goal": goal, "tool": tool,
            "strategy": strategy, "question": question,
        }  # fmt: skip
        assert not [name for name, each in made.items() if "id" not in each], made
        ids |= {f"{word} {kind}": each["id"] for kind, each in made.items()}
        ids |= {f"{word} {kind}": f"{user}-{kind}" for kind in ("session",)}
        ids[f"{word} conversation"] = f"{user}-talk"
        ids[f"{word} change"] = str(learned["change"])
    owner.call("profile.set", aspect="preferences", name="door", value=f"{OTHERS} knock", user_id="globex")
    return ids


INJECTED = (
    "' OR 1=1 --",
    "x') UNION SELECT claim FROM facts --",
    "NEAR(key mat, 9) OR mat*",
    "../../../desk/memory.db",
    "_global' OR user_id='globex",
)
"""Texts that would mean more than they say, to SQL, to the full-text index or to a file system."""


def value_of(kind: Any, name: str, text: str, ids: Mapping[str, str]) -> Any:
    """Return a hostile value for a field of a request."""
    shape = kind if dataclasses.is_dataclass(kind) else None
    inner = [each for each in get_args(kind) if each is not type(None) and each is not Ellipsis]
    if shape is not None:
        return asked(kind, text, ids)
    if "tuple" in str(kind) and inner:
        return (value_of(inner[0], name, text, ids),)
    if str in (kind, *inner) or "Name" in str(kind):
        return ids.get(name, text)
    if int in (kind, *inner) and name in ("change", "id"):
        return int(ids["change"])
    return None


def asked(kind: Any, text: str, ids: Mapping[str, str]) -> Any:
    """Return a request whose texts are hostile. ids: the texts of some fields by their names."""
    hints = get_type_hints(kind)
    given = {}
    for item in dataclasses.fields(kind):
        value = value_of(hints[item.name], item.name, text, ids)
        needed = item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING
        if value is not None:
            given[item.name] = value
        elif needed:
            given[item.name] = {bool: True, int: 1, float: 1.0}.get(hints[item.name], {})
    return kind(**given)


def attempts(endpoint: Endpoint[Any, Any], ids: Mapping[str, str], words: Sequence[str]) -> list[Any]:
    """Return hostile requests of a call: another's user, channel and ids, alone and together, and injected texts."""
    own = {"user_id": "acme", "channel": "open", "channels": "open", "change": "1"}
    asks = [asked(endpoint.ask, text, own) for text in INJECTED]
    for word in words:
        kinds = {name.partition(" ")[2]: id for name, id in ids.items() if name.startswith(word)}
        entity, fact = kinds["entity"], kinds["fact"]
        named = {f"{kind}_id": id for kind, id in kinds.items()} | {
            "invocation_id": kinds["tool"],
            "source_turn_id": kinds["turn"],
            "change": kinds["change"],
            **dict.fromkeys(("center", "entity", "entity_ids", "source", "target"), entity),
            **dict.fromkeys(("ids", "into_id", "to"), fact),
        }
        user, channel = ("globex", "hq") if word == OTHERS else ("acme", "board")
        places = ({}, {"user_id": user}, {"channel": channel, "channels": channel})
        asks += [
            asked(endpoint.ask, "mat", named | own | place | {"id": id})
            for id in kinds.values()
            for place in places
        ]
    with suppress(TypeError):
        asks.append(endpoint.ask())
    # Most calls have no `id`, and many no user.
    return list({str(ask): ask for ask in asks}.values())


@pytest.mark.parametrize(
    ("name", "words"),
    [("ana", (OTHERS,)), ("pip", (OTHERS, SECRET)), ("cara", (SECRET,))],
)
def test_no_call_shows_a_member_what_is_anothers(
    members: dict[str, Door], victims: dict[str, str], owner: Door, name: str, words: tuple[str, ...]
) -> None:
    before = memory_of(owner)
    door, answered, leaks = members[name], 0, []
    role = {"ana": CURATOR, "cara": CURATOR, "pip": AGENT}[name]
    for place, endpoint in enumerate(ENDPOINTS):
        if not dataclasses.is_dataclass(endpoint.ask) or not may(role, endpoint.role) or endpoint.here:
            continue
        for ask in effort.part(attempts(endpoint, victims, words), place):
            if endpoint.method == "GET":
                said = door.http.get(endpoint.path, params=list(spoken_query(ask)))
            else:
                said = door.http.post(endpoint.path, content=spoken_body(ask))
            answered += said.status_code == 200
            assert said.status_code != 500, (endpoint.name, ask, said.text)
            leaks += [(endpoint.name, ask, said.text[:600]) for word in words if word in said.text]
    assert answered > 100 // effort.stride()
    assert not leaks, leaks[:3]
    assert memory_of(owner) == before


def memory_of(owner: Door) -> Any:
    """Return what the victims have."""
    pages = [
        owner.call("memory.timeline", user_id=user, channels=[channel], limit=100)["rows"]
        for user, channel in (("globex", "hq"), ("acme", "board"))
    ]
    goals = owner.call("goals.list", user_id="globex")["rows"]
    return [
        [{key: row[key] for key in ("id", "text", "retired") if key in row} for row in page] for page in pages
    ], goals


def test_no_tool_and_no_resource_shows_an_agent_what_is_anothers(
    members: dict[str, Door], victims: dict[str, str]
) -> None:
    board, talk = {"channel": "board"}, {"session_id": "globex-session", "conversation_id": "globex-talk"}
    tries: list[tuple[str, tuple[str, ...], tuple[dict[str, str], ...]]] = [
        ("bot", (OTHERS,), ({}, {"user_id": "globex"})),
        ("pip", (OTHERS, SECRET), (board, talk)),
    ]
    for name, words, places in tries:
        door = members[name]
        for each in map(toolset, NAMES):
            for number, tool in enumerate(each.tools):
                tries_of_tool = itertools.product(hostile_arguments(tool.schema, victims), places)
                for arguments, place in effort.part(list(tries_of_tool), number):
                    path = f"/v1/tools/{each.name}/{tool.name}"
                    said = door.http.post(path, json=arguments, params=place)
                    assert said.status_code != 500, (path, arguments, said.text)
                    assert not [word for word in words if word in said.text], (
                        path,
                        arguments,
                        place,
                        said.text,
                    )
        for uri in resources(victims):
            body = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri}}
            accept = {"accept": "application/json, text/event-stream"}
            said = door.http.post("/v1/mcp/agentx", json=body, headers=accept, params={"user_id": "acme"})
            assert not [word for word in words if word in said.text], said.text


def hostile_arguments(schema: Mapping[str, Any], victims: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield arguments of a tool whose texts are another's id, or mean more than they say."""
    for text in (
        INJECTED[2],
        victims[f"{OTHERS} fact"],
        victims[f"{SECRET} fact"],
    ):
        yield {name: _argument(about, text) for name, about in schema.get("properties", {}).items()}


def _argument(about: Any, text: str) -> Any:
    kind = about.get("type") if isinstance(about, dict) else None
    if kind == "array":
        return [_argument(about.get("items", {}), text)]
    if kind == "object":
        return {name: _argument(each, text) for name, each in about.get("properties", {}).items()}
    if about.get("enum"):
        return about["enum"][0]
    return {"integer": 5, "number": 0.5, "boolean": True}.get(str(kind), text)


def resources(victims: Mapping[str, str]) -> Iterator[str]:
    from memdesk.engine.toolsets.resources import TEMPLATES

    for template in TEMPLATES:
        for id in victims.values():
            yield template.uri.partition("{")[0] + id
