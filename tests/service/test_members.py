"""Members with bounds over the network: their feed, their channels and counts, acts on many memories, and exports.

Of what is outside of its bounds a member gets no title, no id and no count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from memdesk.model.team import AGENT, CURATOR, OWNER, READER
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


# Channels and counts.


def test_a_members_status_has_its_channels_and_counts_of_what_it_may_see(team: Team) -> None:
    team.learned(team.owner, "The sea is salt.")
    everything = team.owner.call("upkeep.status")
    for member, channels in ((team.rita, ["_global", "open"]), (team.rob, ["_global", "open", "board"])):
        status: dict[str, Any] = member.call("upkeep.status")
        seen = {row["name"]: row for row in status["channels"]}
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
