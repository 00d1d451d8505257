"""Members with bounds over the network: their feed, their channels and counts, acts on many memories, and exports.

Of what is outside of its bounds a member gets no title, no id and no count."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memdesk.api import curation
from memdesk.engine.agents import granting
from memdesk.engine.interop.intake import bring_in
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.opening import open_engine
from memdesk.files.atomic import write_fetched
from memdesk.files.places import Desk
from memdesk.model.curation import Bulk
from memdesk.model.fact import FACT
from memdesk.model.interop import AskImport
from memdesk.model.remember import NewFact
from memdesk.model.team import AGENT, CURATOR, OWNER, READER, Invite, NamedMember
from memdesk.service.calls import _long_act
from memdesk.service.host import Host
from memdesk.service.long_acts import Acts, Jobs
from memdesk.store import records
from tests.over_tls import Member, OverTls, joined, team_desk

OTHERS, SECRET = "xyzzy", "plugh"
"""Words of another user's memory, and of a channel that members with bounds do not have."""


@dataclass
class Team:
    """A reader and a curator of the user acme, a reader and a curator of its channel `open`, and the ids of memories
    that are none of theirs."""

    service: OverTls
    owner: Member
    rob: Member
    ana: Member
    rita: Member
    cara: Member
    hidden: dict[str, str] = field(default_factory=dict)

    def learned(self, by: Member, claim: str, channel: str = "open") -> str:
        """Learn a fact of acme's; return its id."""
        return str(by.call("memory.learn_fact", claim=claim, user_id="acme", channel=channel)["id"])


@pytest.fixture(scope="module")
def team() -> Iterator[Team]:
    with team_desk() as (service, owner):
        acme, open_only = {"users": ["acme"]}, {"users": ["acme"], "only_channels": ["open"]}
        found = Team(
            service,
            owner,
            rob=joined(service, owner, "rob", READER, **acme),
            ana=joined(service, owner, "ana", CURATOR, **acme),
            rita=joined(service, owner, "rita", READER, **open_only),
            cara=joined(service, owner, "cara", CURATOR, **open_only),
        )
        for user, channel, word in (("globex", "hq", OTHERS), ("acme", "board", SECRET)):
            place = {"user_id": user, "channel": channel}
            for number in range(3):
                claim = f"The {word} key {number} is under the mat."
                found.hidden[f"{word} {number}"] = owner.call("memory.learn_fact", claim=claim, **place)["id"]
            owner.call("memory.upsert_entity", name=f"{word} tower", type="place", **place)
            owner.call("memory.store_turn", content=f"say {word}", conversation_id=f"{word}-talk", **place)
            owner.call(
                "context.create_session", session_id=f"{word}-session", title=f"{word} session", **place
            )
        yield found


def head_of(owner: Member) -> int:
    return int(owner.call("history.page", limit=1)["rows"][0]["id"])


# The feed.


def test_a_readers_feed_has_what_it_may_see_and_nothing_of_others(team: Team) -> None:
    owner, after = team.owner, head_of(team.owner)
    for user, channel, word in (("globex", "hq", OTHERS), ("acme", "board", SECRET)):
        fact = owner.call("memory.learn_fact", claim=f"{word} is new.", user_id=user, channel=channel)
        owner.call("curation.tag", id=fact["id"], tags=[f"{word}tag"])
        owner.call("curation.retire", id=fact["id"], reason=f"{word} is over")
        # The fact does not exist after that; only the journal knows whose it was.
        gone = owner.call("memory.learn_fact", claim=f"{word} is a slip.", user_id=user, channel=channel)
        owner.call("curation.undo", change=gone["change"])
        team.hidden |= {f"{word} new": fact["id"], f"{word} gone": gone["id"]}
    bell = team.learned(owner, "The bell is rung.")
    for member, hides in (
        (team.rita, (OTHERS, SECRET)),
        (team.rob, (OTHERS,)),
        (team.cara, (OTHERS, SECRET)),
    ):
        heard = "\n".join(member.heard_until("bell", after=after))
        assert bell in heard
        for word in hides:
            ids = [id for name, id in team.hidden.items() if name.startswith(word)]
            assert not [each for each in (word, *ids) if each in heard], heard
    assert SECRET in "\n".join(team.rob.heard_until("bell", after=after))


def test_a_members_feed_is_silent_about_the_working_memory_of_others(team: Team) -> None:
    owner, after = team.owner, head_of(team.owner)
    for number in range(3):
        owner.call("working.set", key=f"k{number}", value="v", conversation_id="xyzzy-talk", user_id="globex")
    team.learned(owner, "The gong is struck.")
    heard = team.rita.heard_until("gong", after=after)
    assert heard.count("event: working") == 1
    assert f'data: {{"moves":0,"asks":0,"after":{after}}}' in heard


def test_an_agent_has_no_feed(team: Team) -> None:
    bot = joined(team.service, team.owner, "bot", AGENT, users=["acme"])
    assert bot.http.get("/v1/history/feed").status_code == 403


def test_an_idle_member_does_not_hold_up_a_service_that_ends() -> None:
    with team_desk() as (service, owner):
        member = joined(service, owner, "bot", AGENT, users=["acme"])
        assert member.call("recall.search", text="bell", user_id="acme")["hits"] == []
        service.stop()
        assert "shutdown exceeded" not in service.desk.log.read_text()
        service.start()


# What a reader reads.


def test_a_reader_inspects_what_it_may_see_and_nothing_that_leads_elsewhere(team: Team) -> None:
    owner, board = team.owner, {"user_id": "acme", "channel": "board"}
    entity = owner.call("memory.upsert_entity", name="harbour", type="place", user_id="acme", channel="open")
    hidden = owner.call("memory.upsert_entity", name=f"{SECRET} harbour", type="place", **board)
    owner.call("memory.relate", source=entity["id"], target=hidden["id"], type="near", **board)
    moved = team.learned(owner, "The rope is new.")
    owner.call("curation.move", id=team.learned(owner, "The tar is hot."), channel="board")
    said = owner.call(
        "memory.store_turn", content=f"The {SECRET} rope is new.", conversation_id="plugh-talk", **board
    )
    quoted = owner.call(
        "memory.learn_fact",
        claim="A rope was bought.",
        source_turn_id=said["id"],
        user_id="acme",
        channel="open",
    )
    for id, title in ((entity["id"], "harbour"), (moved, "The rope is new.")):
        seen = team.rita.call("memory.inspect", id=id)
        assert seen.get("title") == title and SECRET not in str(seen) and hidden["id"] not in str(seen), seen
    # It may see the fact, and not the conversation that it comes of.
    seen = team.rita.call("memory.inspect", id=quoted["id"])
    provenance = seen["provenance"] or {}
    assert (seen.get("title"), provenance.get("conversation_id")) == ("A rope was bought.", None), seen
    for call, ask in (
        ("memory.inspect", {"id": quoted["id"]}),
        ("recall.search", {"text": "rope", "user_id": "acme"}),
        ("memory.graph", {"center": entity["id"]}),
        ("recall.preview", {"text": "rope harbour", "user_id": "acme"}),
        ("history.page", {"limit": 100}),
        ("history.histogram", {}),
        *(("memory.inspect", {"id": id}) for id in team.hidden.values()),
        *(
            ("recall.explain", {"id": id, "query": {"text": "key", "user_id": "acme"}})
            for id in team.hidden.values()
        ),
    ):
        answer = str(team.rita.call(call, **ask))
        assert not [word for word in (OTHERS, SECRET, hidden["id"], said["id"]) if word in answer], (
            call,
            answer,
        )
        assert "'status': 422" not in answer, (call, answer)
    assert {row["author"] for row in team.rita.call("history.page", limit=5)["rows"]}
    talk = {"conversation_id": "plugh-talk", "first_index": 0, "last_index": 9}
    assert team.rita.call("memory.beside", **talk)["status"] == 404
    owner.call("curation.retire", id=quoted["id"])


def test_an_agent_inspects_nothing(team: Team) -> None:
    bot = joined(team.service, team.owner, "ina", AGENT, users=["acme"])
    said = bot.call("memory.inspect", id=team.learned(team.owner, "The oar is wet."))
    assert said["status"] == 403 and "a person" in said["says"]


# Channels and counts.


def test_a_members_status_has_its_channels_and_counts_of_what_it_may_see(team: Team) -> None:
    team.learned(team.owner, "The sea is salt.")
    everything = team.owner.call("upkeep.status")
    assert (everything["role"], everything["users"]) == (OWNER, [])
    for member, channels in ((team.rita, ["_global", "open"]), (team.rob, ["_global", "open", "board"])):
        status: dict[str, Any] = member.call("upkeep.status")
        seen = {row["name"]: row for row in status["channels"]}
        assert (status["role"], status["users"]) == (READER, ["acme"])
        assert set(seen) <= set(channels) and {"open"} <= set(seen), seen
        facts = member.call("memory.facts", user_id="acme", channels=["open"])["total"]
        assert seen["open"]["facts"] == facts > 0
        for what in ("facts", "entities", "turns"):
            assert status[what] == sum(row[what] for row in seen.values()) < everything[what], what
        assert (status["unembedded"], status["unconsolidated"], status["agents"]) == (0, 0, [])
        assert status["conversations"] == (0 if member is team.rita else 1)
    assert {"hq", "board", "open"} <= {row["name"] for row in everything["channels"]}


def test_figures_of_the_entire_desk_are_not_for_members_with_bounds(team: Team) -> None:
    for member in (team.rob, team.cara):
        assert member.call("upkeep.metrics")["status"] == member.http.get("/v1/metrics").status_code == 403
    assert "memdesk_records" in joined(team.service, team.owner, "olga", OWNER).http.get("/v1/metrics").text


# Acts on many memories.


def claims(member: Member, **where: Any) -> set[str]:
    return {row["claim"] for row in member.call("memory.facts", limit=100, **where)["rows"]}


def test_a_curator_acts_on_many_after_a_preview_and_takes_the_run_back(team: Team) -> None:
    cara = team.cara
    ids = [team.learned(cara, f"Lamp {number} is lit.") for number in range(3)]
    lamps = {f"Lamp {number} is lit." for number in range(3)}
    preview = cara.call("curation.preview_bulk", verb="retire", ids=ids)
    assert preview["will"] == 3 and {row["id"] for row in preview["rows"]} == set(ids)
    done = cara.finished("curation.bulk", verb="retire", ids=ids)
    assert (done["state"], done["result"]["changed"], done["author"]) == ("done", 3, "person:cara"), done
    assert not lamps & claims(cara)
    assert team.owner.call("history.event", id=done["result"]["change"])["row"]["author"] == "person:cara"
    undone = cara.finished("curation.undo_run", change=done["result"]["change"])
    assert undone["result"]["undone"] == 3 and lamps <= claims(cara)
    # Redo takes the run of undos back, the person's own latest.
    again = cara.call("curation.redo")["job"]
    assert cara.finished("upkeep.job", id=again["id"])["state"] == "done"
    assert not lamps & claims(cara)


def test_no_act_on_many_touches_what_is_anothers(team: Team) -> None:
    before = claims(team.owner, user_id="acme"), claims(team.owner, user_id="globex")
    own = team.learned(team.cara, "The kettle is on.")
    for member, words in ((team.cara, (OTHERS, SECRET)), (team.ana, (OTHERS,))):
        for id in [team.hidden[f"{word} {number}"] for word in words for number in range(3)]:
            for call in ("curation.preview_bulk", "curation.bulk"):
                said = member.call(call, verb="retire", ids=[own, id])
                assert said["status"] == 404 and OTHERS not in str(said) and SECRET not in str(said)
            assert member.call("curation.bulk", verb="merge", ids=[own], into_id=id)["status"] == 404
    for channel in ("board", "_global"):
        assert team.cara.call("curation.bulk", verb="move", ids=[own], channel=channel)["status"] == 403
    # A promotion writes into _global, which this curator only reads.
    assert team.cara.call("curation.bulk", verb="promote", ids=[own])["status"] == 403
    assert team.cara.call("curation.promote", fact_id=own)["status"] == 403
    after = claims(team.owner, user_id="acme") - {"The kettle is on."}, claims(team.owner, user_id="globex")
    assert after == before


def test_a_run_that_is_also_about_others_is_not_a_curators_to_take_back(team: Team) -> None:
    owner = team.owner
    ids = [
        team.learned(owner, "The gate is green."),
        team.learned(owner, f"The {SECRET} gate is red.", "board"),
    ]
    done = owner.finished("curation.bulk", verb="retire", ids=ids)["result"]
    first = owner.call("history.page", run=done["run"])["rows"][-1]["id"]
    for ask in ({"change": first}, {"change": done["change"]}, {"run": done["run"]}):
        said = team.cara.call("curation.undo_run", **ask)
        assert said["status"] == 404 and SECRET not in str(said), said
    assert team.ana.finished("curation.undo_run", change=first)["result"]["undone"] == 2


def test_a_job_is_shown_and_ended_by_whom_it_is_of_alone(team: Team) -> None:
    job = team.owner.call("upkeep.checkup")
    begun = team.ana.call("curation.bulk", verb="pin", ids=[team.learned(team.ana, "The well is deep.")])
    for member, other in ((team.cara, job), (team.ana, job), (team.cara, begun), (team.rob, begun)):
        for call in ("upkeep.job", "upkeep.cancel_job"):
            assert member.call(call, id=other["id"])["status"] in (403, 404)
    assert team.ana.finished("upkeep.job", id=begun["id"])["state"] == "done"
    assert team.owner.call("upkeep.job", id=begun["id"])["author"] == "person:ana"


def test_an_act_that_waited_while_its_member_was_revoked_changes_nothing(desk_folder: Path) -> None:
    with closing(open_engine(Desk(desk_folder))) as engine, closing(Jobs()) as jobs:
        fact = learn_fact(engine, NewFact(claim="The lock is old."), author="person:Mara").id
        token = granting.invite(engine, Invite(name="eve", role=CURATOR), author="person:Mara").token
        eve, gate = engine.agents.kept(token), threading.Event()
        host = Host(
            desk=engine.desk, engine=engine, jobs=jobs, acts=Acts(engine.desk.acts, jobs), started_at=datetime.now(UTC),
            socket_mark=None, stop=lambda: None, restore=lambda _: None,
        )  # fmt: skip
        begin = _long_act(curation.BULK, host)
        before = jobs.start(curation.BULK.act, lambda _: {"waited": gate.wait(10)})
        job = begin(Bulk(verb="retire", ids=(fact,)), "person:eve", eve)
        granting.revoke_member(engine, NamedMember(name="eve"), author="person:Mara")
        gate.set()
        ended = jobs.wait(job.id)
        assert (jobs.state(before.id).state, ended.state, ended.result["code"]) == (
            "done",
            "failed",
            "not_allowed",
        )


def test_a_curator_answers_many_questions_but_none_about_what_it_only_reads(team: Team) -> None:
    own, shared = (
        team.learned(team.cara, "The inn is open."),
        team.learned(team.owner, "All inns are shut.", "_global"),
    )
    questions = {}
    for name, fact in (("own", own), ("shared", shared)):
        questions[name] = team.owner.call(
            "review.propose", type="correction", fact_id=fact, claim=f"The inn is {name}.", reason="seen"
        )["id"]
    said = team.cara.call("review.decide_all", ids=list(questions.values()), decision="apply")
    assert said["status"] == 404, said
    assert (
        team.cara.finished("review.decide_all", ids=[questions["own"]], decision="apply")["state"] == "done"
    )
    assert "The inn is own." in claims(team.cara) and "All inns are shut." in claims(
        team.owner, user_id="acme"
    )


# Exports.


def fetched(member: Member, folder: Path, format: str, **ask: Any) -> str:
    """Fetch an export; return all its texts."""
    file = member.call("exports.fetch", format=format, **ask)
    assert "status" not in file, file
    path = folder / f"{format}-{len(list(folder.iterdir()))}"
    write_fetched(path, file["data"], folder=file["folder"])
    if file["folder"]:
        return "\n".join(each.read_text() for each in sorted(path.rglob("*")) if each.is_file())
    if not zipfile.is_zipfile(path):
        return path.read_text()
    with zipfile.ZipFile(path) as zip:
        return "\n".join(zip.read(name).decode() for name in zip.namelist())


def test_an_export_has_what_its_member_may_see_in_every_format(team: Team, tmp_path: Path) -> None:
    team.learned(team.owner, "The mill turns.")
    formats = [row["name"] for row in team.ana.call("exports.formats")["rows"]]
    for member, hides, shows in (
        (team.cara, (OTHERS, SECRET, "board"), ""),
        (team.ana, (OTHERS, "globex"), SECRET),
    ):
        for format in formats:
            text = fetched(member, tmp_path, format, user_id="acme")
            assert not [word for word in hides if word in text], (format, text)
            # These two have entities, and facts about them.
            assert format in ("graphml", "mcp-memory") or "mill turns" in text, (format, text)
            assert shows in text, (format, text)
    assert SECRET in fetched(team.owner, tmp_path, "mem0", user_id="acme")
    assert not list(team.service.desk.folder.glob(".export-*"))


def test_an_archive_that_a_curator_fetched_is_imported_by_another_desk(team: Team, tmp_path: Path) -> None:
    team.learned(team.owner, "The pump is new.")
    file = team.cara.call("exports.fetch", format="archive")
    write_fetched(tmp_path / "cara.zip", file["data"], folder=file["folder"])
    with closing(open_engine(Desk(tmp_path / "other"))) as engine:
        bring_in(
            engine, AskImport(path=str(tmp_path / "cara.zip")), author="person:Mara", progress=lambda *_: None
        )
        with engine.store.reading() as db:
            found = {each.claim for each in records.find(db, FACT, user_id="acme", channel="open")}
    assert {"The pump is new."} <= claims(team.cara, channels=["open"]) <= found


def test_the_command_writes_the_export_of_a_desk_on_another_computer(team: Team, tmp_path: Path) -> None:
    team.learned(team.owner, "The quay is long.")
    token = team.cara.http.headers["authorization"].partition(" ")[2]
    trusted = {"SSL_CERT_FILE": str(team.service.chain), "MEMDESK_TOKEN": token}
    words = [sys.executable, "-m", "memdesk", "--desk", team.service.url, "export", "markdown-agnx"]

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*words, *more], env=os.environ | trusted, capture_output=True, text=True, timeout=60, check=False
        )

    done = run(str(tmp_path / "memory"))
    assert done.returncode == 0 and "Written to" in done.stdout, done.stderr
    assert "The quay is long." in (tmp_path / "memory" / "MEMORY.md").read_text()
    again = run(str(tmp_path / "memory"))
    assert again.returncode != 0 and "already" in again.stderr


def test_no_request_for_an_export_is_about_what_is_anothers(team: Team) -> None:
    for ask in ({"user_id": "globex"}, {"channel": "board"}, {"user_id": "globex", "channel": "hq"}):
        for call in ("exports.preview", "exports.fetch"):
            assert team.cara.call(call, format="archive", **ask)["status"] == 403
    unknown = team.cara.call("exports.fetch", format="archive", agents=["forge"])
    assert "status" not in unknown and not any(unknown["counts"].values())
    assert team.rob.call("exports.fetch", format="archive")["status"] == 403
    assert team.ana.call("exports.start", format="archive", path="/tmp/never.zip")["status"] == 403


def test_the_preview_of_an_export_counts_what_its_member_may_see(team: Team) -> None:
    team.learned(team.owner, "The barn is red.")
    found = team.cara.call("exports.preview", format="archive")
    assert (found["users"], found["agents"]) == (["acme"], []) and set(found["channels"]) <= {
        "_global",
        "open",
    }
    both = team.ana.call("exports.preview", format="archive")
    assert both["goes"]["facts"] > found["goes"]["facts"] > 0
    assert (both["goes"]["conversations"], found["goes"]["conversations"]) == (1, 0)
    text = team.cara.call("exports.preview", format="markdown-agnx")
    assert text["goes"]["facts"] == len(claims(team.cara)) and text["goes"]["documents"] == 0
