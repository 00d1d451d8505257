"""AgentX's ways through the public door: recaps, reading again, models by stage, totals, crossings, and rates."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest

from memdesk.api import memory, procedures
from memdesk.api.tools import calls
from memdesk.client.client import SyncClient
from memdesk.files.places import Desk
from memdesk.model.errors import TooMany
from memdesk.model.remember import NewFact, NewTurn, NewTurns
from memdesk.model.strategy import NewStrategy
from memdesk.model.tool_call import NewToolCall
from tests.model_server import ModelServer, Text

SAID = (
    ("user", "I live in Lisbon."),
    ("assistant", "Noted."),
    ("user", "ok"),
    ("user", "My sister Ana works for Cardia."),
)


@pytest.fixture
def iris(memdesk: Any, desk: Desk) -> Iterator[SyncClient]:
    memdesk("status")
    with SyncClient(desk, agent="iris") as client:
        yield client


def say(client: SyncClient, talk: str, channel: str, *said: tuple[str, str]) -> None:
    turns = tuple(
        NewTurn(conversation_id=talk, channel=channel, role=role, content=text) for role, text in said
    )
    client.call(memory.STORE_TURNS, NewTurns(turns=turns))


def runs(memdesk: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = memdesk("jobs", "history", "consolidate", "--json").json["rows"]
    return found


def claims(memdesk: Any, channel: str) -> dict[str, str]:
    rows = memdesk("facts", "--channel", channel, "--json").json["rows"]
    return {row["claim"]: row["id"] for row in rows}


def history(client: SyncClient, channel: str, **arguments: Any) -> dict[str, Any]:
    place = calls.call_of("agentx", "recall_user_history", channel=channel, conversation_id="now")
    told: dict[str, Any] = json.loads(client.call(place, arguments).text)
    return told


def test_a_recap_sums_up_what_is_trusted_for_an_agent_and_for_its_owner(
    memdesk: Any, iris: SyncClient
) -> None:
    say(iris, "travel", "trip", *SAID)
    memdesk("consolidate")
    iris.call(
        memory.STORE_TURN,
        NewTurn(
            conversation_id="page", channel="trip", role="tool", content="Lisbon is the capital of Spain."
        ),
    )
    told = history(iris, "trip", topic="Where does the user live, Lisbon?")
    assert "Lisbon" in told["summary"] and "Spain" not in told["summary"]
    assert told["user_turns"][0]["content"] == "I live in Lisbon."
    shown = memdesk("recap", "Ana", "Cardia", "--channel", "trip")
    assert shown.out.startswith("Recap: ") and "works for Cardia" in shown.out
    general = memdesk("recap", "--channel", "trip", "--limit", "1", "--json").json
    assert (len(general["turns"]), general["by"]) == (1, "extracts")
    assert memdesk("recap", "--user", "nobody").out == "Nothing is known yet.\n"
    assert memdesk("recap", "--limit", "31").code == 2


def test_a_conversation_read_again_brings_nothing_twice_and_nothing_back(
    memdesk: Any, iris: SyncClient
) -> None:
    say(iris, "again", "lab", *SAID)
    memdesk("consolidate")
    found = claims(memdesk, "lab")
    assert len(found) == 3
    home = next(id for claim, id in found.items() if "Lisbon" in claim)
    sister = next(id for claim, id in found.items() if "Cardia" in claim)
    left = {claim for claim, id in found.items() if id not in (home, sister)}
    memdesk("retire", home)
    memdesk("edit", sister, "Ana works for Nordwind")
    before = memdesk("log", "--json").json["rows"][0]["id"]
    assert memdesk("reprocess", "again").code == 0
    run = runs(memdesk)[0]
    assert (run["changes"], run["result"]["repeated"], run["author"][:7]) == (0, 3, "person:")
    assert memdesk("log", "--json").json["rows"][0]["id"] == before
    assert set(claims(memdesk, "lab")) == {"Ana works for Nordwind", *left}
    assert memdesk("reprocess", "nowhere").code == 4


def test_a_model_reads_again_what_rules_read_and_the_run_is_undone_as_one(
    memdesk: Any, iris: SyncClient
) -> None:
    say(iris, "night", "sea", ("user", "The lighthouse keeper is called Tomas, by the way, since spring."))
    memdesk("consolidate")
    before = claims(memdesk, "sea")
    found = {"claim": "Tomas keeps the lighthouse", "turn": 1, "quote": "lighthouse keeper is called Tomas"}
    with ModelServer(
        Text(json.dumps({"facts": [found | {"certainty": "explicit", "category": "fact"}]}))
    ) as server:
        settings = {
            "model_url": server.url,
            "model_name": "small",
            "extraction_model": "true",
            "extraction_model_name": "careful",
            "extraction_prompt": "Keep names of keepers.",
        }
        for name, value in settings.items():
            assert memdesk("settings", name, value).code == 0
        assert memdesk("reprocess", "night").code == 0
        asked = server.asked[0]
        for name in settings:
            memdesk("settings", name, "--reset")
    assert (asked.body["model"], asked.system[:22]) == ("careful", "Keep names of keepers.")
    assert "one JSON object" in asked.system
    assert set(claims(memdesk, "sea")) == {*before, "Tomas keeps the lighthouse"}
    run = runs(memdesk)[0]
    assert run["result"]["tokens"] == 15
    assert memdesk("undo", str(run["last_change"]), "--run").code == 0
    assert claims(memdesk, "sea") == before


def test_summary_recap_and_judgement_have_models_and_prompts_of_their_own(
    memdesk: Any, iris: SyncClient
) -> None:
    iris.call(memory.LEARN_FACT, NewFact(claim="Mara's team uses Postgres", channel="stage"))
    with ModelServer(Text("Mara's team has a database.")) as server:
        settings = {
            "model_url": server.url,
            "model_name": "small",
            "recap_model": "true",
            "recap_model_name": "writer",
            "recap_prompt": "Write one line.",
            "summary_model_name": "short",
        }
        for name, value in settings.items():
            assert memdesk("settings", name, value).code == 0
        told = memdesk("recap", "Postgres", "--channel", "stage")
        policies = memdesk("sessions", "create", "s-stage", "--json")
        for name in settings:
            memdesk("settings", name, "--reset")
    assert told.out.startswith("Recap (by writer): Mara's team has a database.")
    assert (server.asked[0].body["model"], server.asked[0].system[:15]) == ("writer", "Write one line.")
    assert policies.code == 0


def test_totals_tell_what_a_job_kept_skipped_merged_and_spent(memdesk: Any, iris: SyncClient) -> None:
    say(iris, "totals", "sum", *SAID)
    memdesk("jobs", "run", "consolidate")
    (row,) = memdesk("jobs", "totals", "consolidate", "--json").json["rows"]
    counts = row["counts"]
    assert row["runs"] >= 1 and row["failed"] == 0 and counts["facts"] >= 2
    assert 0 < row["skip_rate"] == counts["skipped"] / counts["turns"] < 1
    table = memdesk("jobs", "totals", "--days", "1").out
    assert "SKIPPED" in table and "consolidate" in table
    assert memdesk("jobs", "totals", "--days", "0").code == 2


def test_a_recall_that_crosses_channels_is_in_the_audit_log_at_its_least_level(
    memdesk: Any, iris: SyncClient
) -> None:
    memdesk("remember", "The harbour pilot is called Benedikt")
    call = calls.call_of("agentx", "recall_user_history", channel="quay")
    iris.call(call, {"topic": "harbour pilot Benedikt"})
    iris.call(memory.LEARN_FACT, NewFact(claim="The quay has nine bollards", channel="berth"))
    iris.call(
        calls.call_of("agentx", "recall_user_history", channel="berth"), {"topic": "quay bollards nine"}
    )
    rows = memdesk("audit", "--op", "retrieve", "--json").json["rows"]
    crossing = [row for row in rows if row["source_channel"] == "quay"]
    assert crossing and json.loads(json.dumps(crossing[0]["metadata"]))["crossed"] >= 1
    assert set(crossing[0]["target_channels"]) == {"quay", "_global"}
    assert all(row["metadata"]["crossed"] for row in rows)


def test_an_agent_that_calls_too_often_is_told_when_to_try_again(
    memdesk: Any, iris: SyncClient, desk: Desk
) -> None:
    memdesk("settings", "agent_writes_per_minute", "3")
    memdesk("settings", "agent_reads_per_minute", "2")
    new = NewFact(claim="Rates are counted by agent", channel="rate")
    try:
        for _ in range(3):
            iris.call(memory.LEARN_FACT, new)
        with pytest.raises(TooMany) as refused:
            iris.call(memory.LEARN_FACT, new)
        assert 0 < refused.value.details["retry_after_s"] <= 20 and "Try again in" in refused.value.next
        transport = httpx.HTTPTransport(uds=str(desk.socket))
        with httpx.Client(transport=transport, base_url="http://desk") as wire:
            said = wire.post(
                "/v1/memory/learn_fact",
                json={"claim": "Rates are counted", "channel": "rate"},
                headers={"x-memdesk-agent": "IRIS"},
            )
        assert (said.status_code, said.json()["code"]) == (429, "too_many")
        assert int(said.headers["retry-after"]) == said.json()["details"]["retry_after_s"]
        told = [history(iris, "rate", topic="rates") for _ in range(3)]
        assert [each["success"] for each in told] == [True, True, False] and "Try again in" in told[2][
            "error"
        ]
        with SyncClient(desk, agent="juno") as other:
            other.call(memory.LEARN_FACT, new)
        for _ in range(5):
            assert memdesk("facts").code == 0
    finally:
        memdesk("settings", "agent_writes_per_minute", "--reset")
        memdesk("settings", "agent_reads_per_minute", "--reset")
    iris.call(memory.LEARN_FACT, new)


def test_conversations_strategies_calls_and_the_timeline_are_listed_and_read(
    memdesk: Any, iris: SyncClient
) -> None:
    say(iris, "plans", "pier", ("user", "We paint the pier\nin May."), ("assistant", "Fine."))
    call = NewToolCall(tool_name="paint", conversation_id="plans", success=False, error_message="no brush")
    iris.call(procedures.RECORD_INVOCATION, call)
    way = NewStrategy(description="Sand first, then paint", tool_sequence=("sand", "paint"), channel="pier")
    iris.call(procedures.LEARN_STRATEGY, replace(way, success=True, from_conversation_id="plans"))
    found = memdesk("conversations", "--text", "paint the pier", "--channel", "pier", "--json").json["rows"]
    assert [row["id"] for row in found] == ["plans"]
    assert "plans" in memdesk("conversations", "--state", "all", "--since", "2020-01-01", "--limit", "9").out
    assert memdesk("conversations", "--until", "2020-01-01").err.startswith("There is no such conversation")
    shown = memdesk("conversations", "show", "plans", "--first", "0", "--limit", "1")
    assert "    We paint the pier\n    in May." in shown.out and "--first 1" in shown.err
    assert memdesk("conversations", "show", "plans", "--json").json["total"] == 2
    (failed,) = memdesk("tool-calls", "paint", "--conversation", "plans", "--json").json["rows"]
    assert failed["error_message"] == "no brush"
    narrow = ("--task-type", "none", "--since", "2020-01-01", "--until", "2030-01-01", "--limit", "5")
    assert memdesk("tool-calls", *narrow, "--channel", "pier").err.startswith("No tool call")
    assert "Sand first" in memdesk("strategies", "--tool-name", "sand", "--state", "all", "--limit", "5").out
    assert memdesk("strategies", "find", "paint", "the", "pier", "--channel", "pier", "--untried").code == 0
    fits = memdesk("strategies", "find", "sand and paint a pier", "--limit", "3", "--json").json["rows"]
    assert fits[0]["strategy"]["description"] == "Sand first, then paint"
    times = memdesk("timeline", "--kind", "turn", "--channel", "pier", "--state", "all", "--limit", "2")
    assert "We paint the pier" in times.out
    assert memdesk("timeline", "--since", "2020-01-01", "--until", "2020-01-02").err.startswith("Nothing is")
    assert "session" in memdesk("sessions", "create", "s-gone", "--json").out
    assert "is taken out" in memdesk("sessions", "retire", "s-gone").out
    assert memdesk("sessions", "show", "s-gone").code == 4
