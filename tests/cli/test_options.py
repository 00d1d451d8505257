"""Every option of every command is run on a real desk, and does what its help says.

The options of the parser are compared with those that the tests of this folder run, so that none is forgotten."""

from __future__ import annotations

import argparse
import ast
import asyncio
import io
import json
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO, Any

import pytest

from memdesk.__main__ import Program
from memdesk.api import context as contexts
from memdesk.api import memory, review, upkeep
from memdesk.api.endpoints import ENDPOINTS
from memdesk.cli.output import moment
from memdesk.cli.program import WORDS, main, parser
from memdesk.client.client import Client
from memdesk.client.find import ensure_service
from memdesk.files.places import Desk, desk_at
from memdesk.model.context import Compact
from memdesk.model.errors import BadAsk
from memdesk.model.prompt import AskContext
from memdesk.model.remember import NewFact, NewTurn
from memdesk.model.review import DECISIONS, AskDuplicates, AskReview, Propose, Quarantine
from memdesk.model.session import NewSession
from memdesk.model.status import AskJob, Nothing
from tests import warm

DECLARED = {call.face.words for call in ENDPOINTS if call.face is not None}
SAID = (
    "We move the writers to PgBouncer.",
    "Which node first?",
    "Never touch ingest-3 before Friday.",
    "Understood.",
)


def claims(ran: Any) -> list[str]:
    return [row["claim"] for row in ran.json["rows"]]


def texts(ran: Any) -> list[str]:
    return [hit["text"] for hit in ran.json["hits"]]


def ids(ran: Any) -> list[str]:
    return [row["id"] for row in ran.json["rows"]]


def learn(memdesk: Any, claim: str, *more: str) -> str:
    return str(memdesk("remember", claim, *more, "--json").json["id"])


def time_of(memdesk: Any, id: str) -> str:
    """When a fact holds."""
    fields = {field["name"]: field["value"] for field in memdesk("show", id, "--json").json["fields"]}
    return str(fields["time"])


@pytest.fixture(scope="module")
def lived(desk: Desk) -> Desk:
    """The file's desk after agents worked with it: two sessions, a compaction, and two questions."""
    asyncio.run(live(desk))
    return desk


async def live(desk: Desk) -> None:
    await ensure_service(desk)
    async with Client(desk, agent="forge") as client:
        messages = tuple(
            {"role": ("user", "assistant")[n % 2], "content": line} for n, line in enumerate(SAID * 5)
        )
        for name, channel in (("s-1", "tidepool"), ("s-2", "harbor")):
            session = NewSession(session_id=name, channel=channel, agent_id="forge", policy="openlegion")
            await client.call(contexts.CREATE_SESSION, session)
            await client.call(contexts.COMPACT, Compact(messages=messages, session_id=name, force=True))
            asked = AskContext(session_id=name, channel=channel, agent_id="forge", messages=messages[:1])
            await client.call(contexts.PROMPT, asked)
    async with Client(desk, agent="iris") as client:
        await client.call(contexts.PROMPT, AskContext(text="writers", channel="tidepool", agent_id="iris"))


def test_remember_takes_its_category_sureness_time_entities_and_key(memdesk: Any) -> None:
    old = learn(memdesk, "The pool holds 10", "--channel", "pool")
    new = memdesk(
        "remember",
        "The pool holds 25",
        "--channel",
        "pool",
        "--category",
        "decision",
        "--confidence",
        "0.7",
        "--temporal",
        "past",
        "--about",
        "Pool",
        "--supersedes",
        old,
        "--key",
        "call-1",
        "--agent",
        "iris",
        "--json",
    ).json
    (row,) = memdesk("facts", "holds 25", "--json").json["rows"]
    assert (row["category"], row["confidence"], row["channel"]) == ("decision", 0.7, "pool")
    assert time_of(memdesk, new["id"]) == "past"
    assert [each["title"] for each in memdesk("show", new["id"], "--json").json["about"]] == ["Pool"]
    assert "superseded" in str(memdesk("show", old, "--json").json).lower()
    again = memdesk(
        "remember", "Other words", "--channel", "pool", "--key", "call-1", "--agent", "iris", "--json"
    )
    assert (again.json["id"], again.json["repeated"]) == (new["id"], True)
    learn(memdesk, "Mine alone", "--user", "guest")
    assert claims(memdesk("facts", "--user", "guest", "--json")) == ["Mine alone"]


def test_a_line_refuses_what_its_file_says(memdesk: Any, tmp_path: Path) -> None:
    file = tmp_path / "MEMORY.md"
    file.write_text("- One\n")
    refused = memdesk(
        "remember", "--line", f"{file}:1", "--about", "Pool", "--key", "k", "--confidence", "0.5"
    )
    assert refused.code == BadAsk.exit_code
    assert "--confidence, --about, --key" in refused.err


def test_facts_are_narrowed_and_paged(memdesk: Any) -> None:
    for claim in ("Alpha is one", "Alpha is two", "Alpha is three"):
        learn(memdesk, claim, "--channel", "paged", "--category", "event")
    learn(memdesk, "Alpha is plain", "--channel", "paged")
    assert len(ids(memdesk("facts", "--channel", "paged", "--category", "event", "--json"))) == 3
    whole = ids(memdesk("facts", "--channel", "paged", "--json"))
    assert ids(memdesk("facts", "--channel", "paged", "--first", "1", "--limit", "2", "--json")) == whole[1:3]


@pytest.fixture
def harbour(memdesk: Any) -> Iterator[dict[str, str]]:
    """Three memories of one channel, and a fourth of somebody else."""
    made = {
        "sure": learn(memdesk, "Boats leave the quay at dawn", "--channel", "quay", "--category", "decision"),
        "unsure": learn(
            memdesk, "Boats leave the quay at noon on Sundays", "--channel", "quay", "--confidence", "0.3"
        ),
        "guest": learn(memdesk, "Boats leave the quay for the guest", "--channel", "quay", "--user", "guest"),
    }
    memdesk("tag", made["sure"], "timetable")
    yield made


def test_recall_is_narrowed_and_made_as_asked(memdesk: Any, harbour: dict[str, str]) -> None:
    def found(ran: Any) -> set[str]:
        return {hit["id"] for hit in ran.json["hits"]}

    boats = ("boats", "leave", "quay")
    both, sure = {harbour["sure"], harbour["unsure"]}, {harbour["sure"]}
    assert found(memdesk("recall", *boats, "--channel", "quay", "--json")) == both
    assert found(memdesk("recall", *boats, "--channel", "quay", "--since", "7d", "--json")) == both
    assert found(memdesk("recall", *boats, "--channel", "quay", "--until", "7d", "--json")) == set()
    assert found(memdesk("recall", *boats, "--channel", "quay", "--tag", "timetable", "--json")) == sure
    assert found(memdesk("recall", *boats, "--channel", "quay", "--category", "decision", "--json")) == sure
    assert found(memdesk("recall", *boats, "--channel", "quay", "--min-confidence", "0.9", "--json")) == sure
    assert len(found(memdesk("recall", *boats, "--channel", "quay", "--limit", "1", "--json"))) == 1
    assert found(memdesk("recall", *boats, "--channel", "quay", "--kind", "entity", "--json")) == set()
    assert found(memdesk("recall", *boats, "--channel", "quay", "--tiers", "--json")) == both
    assert found(memdesk("recall", *boats, "--channel", "quay", "--technique", "hybrid", "--json")) == both
    assert found(memdesk("recall", *boats, "--channel", "quay", "--agent", "iris", "--json")) == both
    assert found(memdesk("recall", *boats, "--every-channel", "--json")) == both
    assert found(memdesk("recall", *boats, "--channel", "quay", "--user", "guest", "--json")) == {
        harbour["guest"]
    }
    assert found(memdesk("recall", "submarines", "--channel", "quay", "--floor", "1", "--json")) == set()


def test_explain_says_where_a_memory_falls_that_an_option_leaves_out(
    memdesk: Any, harbour: dict[str, str]
) -> None:
    def place(ran: Any) -> int | None:
        return ran.json["place"]  # type: ignore[no-any-return]

    unsure, boats = harbour["unsure"], ("boats", "leave", "quay")
    assert place(memdesk("explain", unsure, *boats, "--channel", "quay", "--json"))
    assert place(memdesk("explain", unsure, *boats, "--every-channel", "--json"))
    assert place(memdesk("explain", unsure, *boats, "--channel", "quay", "--since", "7d", "--json"))
    assert place(memdesk("explain", unsure, *boats, "--channel", "quay", "--technique", "hybrid", "--json"))
    assert place(memdesk("explain", unsure, *boats, "--channel", "quay", "--tiers", "--json"))
    assert place(memdesk("explain", unsure, *boats, "--channel", "quay", "--floor", "0", "--json"))
    assert not place(memdesk("explain", unsure, *boats, "--channel", "quay", "--limit", "1", "--json"))
    assert not place(memdesk("explain", unsure, *boats, "--channel", "quay", "--until", "7d", "--json"))
    assert not place(memdesk("explain", unsure, *boats, "--channel", "quay", "--tag", "timetable", "--json"))
    assert not place(
        memdesk("explain", unsure, *boats, "--channel", "quay", "--category", "decision", "--json")
    )
    assert not place(
        memdesk("explain", unsure, *boats, "--channel", "quay", "--min-confidence", "0.9", "--json")
    )
    assert not place(memdesk("explain", unsure, *boats, "--channel", "quay", "--kind", "entity", "--json"))
    assert place(
        memdesk("explain", harbour["guest"], *boats, "--channel", "quay", "--user", "guest", "--json")
    )


def test_the_strongest_of_a_channel_are_ordered_and_limited(memdesk: Any, harbour: dict[str, str]) -> None:
    by_boost = ids(memdesk("salient", "--channel", "quay", "--json"))
    assert by_boost and set(by_boost) <= set(harbour.values())
    assert len(ids(memdesk("salient", "--channel", "quay", "--limit", "1", "--json"))) == 1
    rows = memdesk("salient", "--channel", "quay", "--by", "salience", "--json").json["rows"]
    assert [row["salience"] for row in rows] == sorted((row["salience"] for row in rows), reverse=True)
    assert ids(memdesk("salient", "--channel", "quay", "--user", "nobody", "--json")) == []


def test_a_fact_is_corrected_in_each_of_its_fields(memdesk: Any) -> None:
    id = learn(memdesk, "The lamp is red", "--channel", "lamps")
    clash = memdesk("edit", id, "The lamp is blue", "--was", "The lamp is green")
    assert clash.code != 0 and "The lamp is red" in memdesk("show", id).out
    done = memdesk(
        "edit",
        id,
        "The lamp is blue",
        "--was",
        "The lamp is red",
        "--category",
        "constraint",
        "--temporal",
        "future",
        "--confidence",
        "0.4",
        "--json",
    )
    assert done.code == 0
    (row,) = memdesk("facts", "lamp is blue", "--json").json["rows"]
    assert (row["category"], row["confidence"]) == ("constraint", 0.4)
    assert time_of(memdesk, id) == "future"


@pytest.mark.parametrize(
    "verb", ["retire", "forget", "restore", "move", "demote", "promote", "merge", "archive"]
)
def test_a_reason_is_kept_in_the_log(memdesk: Any, verb: str) -> None:
    id = learn(memdesk, f"Something to {verb}", "--channel", f"c-{verb}")
    why = f"because of {verb}"
    if verb == "retire":
        done = memdesk("retire", id, "--reason", why, "--json")
    elif verb == "forget":
        done = memdesk("forget", id, "--reason", why, "--json")
    elif verb == "restore":
        memdesk("retire", id)
        done = memdesk("restore", id, "--reason", why, "--json")
    elif verb == "move":
        done = memdesk("move", id, "elsewhere", "--reason", why, "--json")
    elif verb == "promote":
        done = memdesk("promote", id, "--reason", why, "--json")
    elif verb == "demote":
        copy = memdesk("promote", id, "--json").json["id"]
        done = memdesk("demote", copy, "--reason", why, "--json")
    elif verb == "merge":
        other = learn(memdesk, "The quay has a lamp", "--channel", f"c-{verb}")
        seen = memdesk("merge", id, other, "--preview", "--json").json
        assert seen["into"] == "The quay has a lamp"
        done = memdesk("merge", id, other, "--reason", why, "--json")
    else:
        done = memdesk("channels", "archive", f"c-{verb}", "--reason", why, "--json")
        assert f"c-{verb}" not in memdesk("channels", "list").out
        assert f"c-{verb}" in memdesk("channels", "list", "--archived").out
    assert why in memdesk("show", str(done.json["change"])).out


def test_a_promotion_is_only_looked_at_with_preview(memdesk: Any) -> None:
    id = learn(memdesk, "Only looked at", "--channel", "looks")
    assert memdesk("promote", id, "--preview", "--json").json["thresholds"]
    assert memdesk("facts", "Only looked at", "--channel", "_global", "--json").json["total"] == 0


def test_tags_and_channels_are_listed_for_one_user(memdesk: Any) -> None:
    id = learn(memdesk, "Tagged of a guest", "--user", "visitor", "--channel", "visits")
    memdesk("tag", id, "guestbook")
    assert [row["tag"] for row in memdesk("tag", "--user", "visitor", "--json").json["rows"]] == ["guestbook"]
    assert "visits" in memdesk("channels", "--user", "visitor").out
    assert "visits" not in memdesk("channels").out


def test_facts_that_are_otherwise_than_before_a_change_are_listed_and_put_back(memdesk: Any) -> None:
    id = learn(memdesk, "The lock opens at six.", "--channel", "lock")
    other = learn(memdesk, "The lock is green.", "--channel", "lock")
    edited = memdesk("edit", id, "The lock opens at ten.", "--json").json["change"]
    memdesk("edit", other, "The lock is red.")
    before = ("past", "--before", str(edited), "--channel", "lock")
    assert len(memdesk(*before, "--json").json["rows"]) == 2
    assert len(memdesk(*before, "--limit", "1", "--json").json["rows"]) == 1
    assert len(memdesk("past", "--at", "1h", "--channel", "lock", "--json").json["rows"]) == 2
    assert not memdesk("past", "--at", "2h", "--until", "1h", "--channel", "lock", "--json").json["rows"]
    said = memdesk(*before, "--text", "six").out
    assert "current: The lock opens at six." in said and "current: The lock opens at ten." in said
    assert "1 fact put back" in memdesk("put-back", id, "--before", str(edited)).out
    assert "Nothing is otherwise." in memdesk(*before, "--text", "six").err
    assert memdesk("past", "--user", "nobody", "--at", "1h").code == 0


def test_the_log_and_the_audit_log_are_narrowed_in_time_author_session_and_conversation(
    memdesk: Any, lived: Desk
) -> None:
    week_ago = (datetime.now().astimezone() - timedelta(days=7)).isoformat()
    assert memdesk("log", "--since", "7d", "--json").json["total"] > 3
    assert memdesk("log", "--until", "7d", "--json").json["total"] == 0
    assert memdesk("log", "--since", week_ago, "--limit", "1", "--json").json["total"] > 3
    whole = ids(memdesk("log", "--channel", "tidepool", "--json"))
    assert (
        ids(memdesk("log", "--channel", "tidepool", "--first", "1", "--limit", "1", "--json")) == whole[1:2]
    )
    authors = {row["author"] for row in memdesk("log", "--author", "agent:forge", "--json").json["rows"]}
    assert authors == {"agent:forge"}
    conversation = memdesk("sessions", "show", "s-1", "--json").json["conversation_id"]
    told = memdesk("log", "--session", "s-1", "--json").json["rows"]
    assert told and {row["channel"] for row in told} == {"tidepool"}
    assert memdesk("log", "--conversation", conversation, "--json").json["total"]
    assert memdesk("log", "--user", "nobody", "--json").json["total"] == 0

    assert ids(memdesk("audit", "--since", "24h", "--json"))
    assert ids(memdesk("audit", "--until", "24h", "--json")) == []
    rows = memdesk("audit", "--author", "agent:forge", "--json").json["rows"]
    assert {row["author"] for row in rows} == {"agent:forge"}
    assert ids(memdesk("audit", "--session", "s-1", "--json"))
    assert ids(memdesk("audit", "--conversation", conversation, "--json"))
    assert ids(memdesk("audit", "--conversation", "nowhere", "--json")) == []
    assert ids(memdesk("audit", "--user", "nobody", "--json")) == []


def test_compactions_are_narrowed_searched_read_and_taken_back(memdesk: Any, lived: Desk) -> None:
    both = ids(memdesk("compactions", "--json"))
    assert len(both) == 2 and len(ids(memdesk("compactions", "--limit", "1", "--json"))) == 1
    (one,) = ids(memdesk("compactions", "--channel", "tidepool", "--json"))
    assert ids(memdesk("compactions", "--session", "s-1", "--json")) == [one]
    conversation = memdesk("sessions", "show", "s-1", "--json").json["conversation_id"]
    assert ids(memdesk("compactions", "--conversation", conversation, "--json")) == [one]
    assert ids(memdesk("compactions", "--user", "nobody", "--json")) == []
    assert "ingest-3" in memdesk("compactions", one, "--find", "ingest-3").out
    assert memdesk("compactions", one, "--archive", "--json").json["rows"]
    done = memdesk("compactions", one, "--restore", "--json").json
    assert "compaction" in memdesk("show", str(done["change"])).out
    assert memdesk("compactions", one, "--json").json["row"]["restored"]


def test_what_agents_were_told_is_narrowed(memdesk: Any, lived: Desk) -> None:
    # It is written down behind the answer.
    while len(rows := memdesk("seen", "--json").json["rows"]) < 3:
        pass
    assert {row["agent_id"] for row in rows} == {"forge", "iris"}
    assert len(ids(memdesk("seen", "--limit", "1", "--json"))) == 1
    assert len(ids(memdesk("seen", "--agent", "iris", "--json"))) == 1
    assert ids(memdesk("seen", "--user", "nobody", "--json")) == []
    (one,) = memdesk("seen", "--session", "s-1", "--json").json["rows"]
    there = ("--conversation", one["conversation_id"])
    assert ids(memdesk("seen", "--conversation", one["conversation_id"], "--json")) == [one["id"]]
    assert ids(memdesk("seen", *there, "--turn", str(one["turn_index"]), "--json")) == [one["id"]]
    assert ids(memdesk("seen", *there, "--turn", "0", "--json")) == []


def test_a_session_is_made_as_asked_and_sessions_are_narrowed(memdesk: Any, lived: Desk) -> None:
    made = memdesk(
        "sessions",
        "create",
        "s-9",
        "--policy",
        "agentix",
        "--window",
        "9000",
        "--channel",
        "lab",
        "--agent",
        "iris",
        "--user",
        "guest",
        "--json",
    ).json
    assert (made["policy"], made["window_tokens"], made["channel"]) == ("agentix", 9000, "lab")

    def named(ran: Any) -> list[str]:
        return [row["session_id"] for row in ran.json["rows"]]

    assert named(memdesk("sessions", "--user", "guest", "--json")) == ["s-9"]
    assert named(memdesk("sessions", "--user", "guest", "--agent", "forge", "--json")) == []
    assert named(memdesk("sessions", "--channel", "harbor", "--json")) == ["s-2"]
    assert len(named(memdesk("sessions", "--limit", "1", "--json"))) == 1
    again = memdesk("sessions", "reset", "s-9", "--user", "guest", "--json").json
    assert again["conversation_id"] != made["conversation_id"]


def test_a_file_is_compacted_by_force_where_the_policy_would_not(
    memdesk: Any, desk: Desk, tmp_path: Path
) -> None:
    file, out = tmp_path / "talk.json", tmp_path / "kept.json"
    file.write_text(json.dumps([{"role": "user", "content": line} for line in SAID * 5]))
    done = memdesk(
        "compact",
        str(file),
        "--policy",
        "openlegion",
        "--window",
        "100000",
        "--force",
        "--out",
        str(out),
        "--json",
        "--desk",
        str(desk.folder),
    ).json["compacted"]
    assert done["action"] != "none" and done["before"]["policy"] == "openlegion"
    assert len(json.loads(out.read_text())) < len(SAID * 5)


async def asked(desk: Desk) -> dict[str, str]:
    """Open questions by the answer they are to get."""
    made: dict[str, str] = {}
    async with Client(desk) as owner:
        for answer in ("promote", "dismiss"):
            new = NewFact(claim=f"Asked about, to {answer}", channel="asked", agent_id="forge")
            id = (await owner.call(memory.LEARN_FACT, new)).id
            wish = Propose(type="promotion", fact_id=id, reason="for all", agent_id="forge")
            made[answer] = (await owner.call(review.PROPOSE, wish)).id
    return made


def test_questions_are_narrowed_limited_and_answered_with_a_reason(memdesk: Any, lived: Desk) -> None:
    open_ones = asyncio.run(asked(lived))
    listed = ids(memdesk("review", "--type", "promotion", "--channel", "asked", "--json"))
    assert set(listed) == set(open_ones.values())
    assert len(ids(memdesk("review", "--limit", "1", "--json"))) == 1
    assert ids(memdesk("review", "--user", "nobody", "--json")) == []
    done = memdesk("review", open_ones["promote"], "promote", "--reason", "all need it", "--json").json
    assert "all need it" in memdesk("show", str(done["change"])).out
    memdesk("review", open_ones["dismiss"], "dismiss")
    assert set(ids(memdesk("review", "--state", "accepted", "--channel", "asked", "--json"))) == {
        open_ones["promote"]
    }


async def question(desk: Desk, type: str, channel: str) -> str:
    """A question of a type in a channel of its own."""
    async with Client(desk) as owner, Client(desk, agent="forge") as agent:

        async def learned(claim: str, **more: Any) -> str:
            return (await agent.call(memory.LEARN_FACT, NewFact(claim=claim, channel=channel, **more))).id

        if type in ("promotion", "correction"):
            claim = f"{channel} is set right" if type == "correction" else ""
            fact = await learned(f"{channel} is asked about")
            await agent.call(review.PROPOSE, Propose(type=type, fact_id=fact, reason="seen", claim=claim))
        elif type == "contradiction":
            old = NewFact(claim=f"{channel} is at 5 pm", channel=channel)
            await learned(f"{channel} is at 6 pm", supersedes=(await owner.call(memory.LEARN_FACT, old)).id)
        elif type == "duplicate":
            for name in ("PostgreSQL", "Postgres"):
                await learned(f"{channel} runs on {name}", about=(name,))
            await owner.call(review.PROPOSE_DUPLICATES, AskDuplicates())
        elif type == "doubtful":
            await learned(f"The permit of {channel} is valid until 3 March 2021")
            job = await owner.call(upkeep.CHECKUP, Nothing())
            while job.open:
                job = await owner.call(upkeep.JOB, AskJob(id=job.id))
        else:
            id = await learned(f"{channel} is held out")
            await owner.call(review.QUARANTINE, Quarantine(id=id, reason="seen"))
        (row,) = (await owner.call(review.LIST, AskReview(types=(type,), channels=(channel,)))).rows
        return row.id


@pytest.mark.parametrize(
    ("type", "answer"),
    [
        (type, answer)
        for type, answers in DECISIONS.items()
        for answer in answers
        # Files clash in a workspace, what fades takes a month, and secrets are of a source: these have their own tests.
        if type not in ("conflict", "fading", "secret")
    ],
)
def test_every_question_takes_every_answer_it_names(
    memdesk: Any, lived: Desk, type: str, answer: str
) -> None:
    id = asyncio.run(question(lived, type, f"{type}-{answer}"))
    if (type, answer) == ("contradiction", "merge"):
        done = memdesk("review", id, "merge", "--text", "Both are at hand", "--json").json
        assert memdesk("facts", "Both are at hand", "--json").json["total"] == 1
    else:
        done = memdesk("review", id, answer, "--json").json
    assert done["change"] and id not in ids(memdesk("review", "--limit", "100", "--json"))
    assert memdesk("show", str(done["change"])).code == 0
    back = (str(done["change"]), "--run") if done["run"] else (str(done["change"]),)
    assert memdesk("undo", *back).code == 0
    assert id in ids(memdesk("review", "--limit", "100", "--json"))


def test_what_stands_for_a_source_is_narrowed_and_read_with_what_was_lifted(
    memdesk: Any, tmp_path: Path
) -> None:
    (tmp_path / "MEMORY.md").write_text("- The folder has a line\n")
    memdesk("import", str(tmp_path))
    (place,) = [row for row in memdesk("workspaces", "--json").json["rows"] if row["path"] == str(tmp_path)]
    added = [
        memdesk("standing", "add", "promotion", "dismiss", "--agent", "iris", "--json").json["id"],
        memdesk("standing", "add", "promotion", "dismiss", "--channel", "harbor", "--json").json["id"],
        memdesk("standing", "add", "promotion", "dismiss", "--workspace", place["id"], "--json").json["id"],
        memdesk(
            "standing", "add", "promotion", "dismiss", "--agent", "iris", "--user", "guest", "--json"
        ).json["id"],
    ]
    assert set(ids(memdesk("standing", "list", "--json"))) == set(added[:3])
    assert ids(memdesk("standing", "--agent", "iris", "--json")) == added[:1]
    assert ids(memdesk("standing", "--channel", "harbor", "--json")) == added[1:2]
    assert ids(memdesk("standing", "--workspace", place["id"], "--json")) == added[2:3]
    assert ids(memdesk("standing", "--user", "guest", "--json")) == added[3:]
    lifted = memdesk("standing", "lift", added[0], "--json").json
    assert "standing" in memdesk("show", str(lifted["change"])).out
    assert added[0] not in ids(memdesk("standing", "--json"))
    assert added[0] in ids(memdesk("standing", "--all", "--json"))


def test_jobs_are_listed_and_their_history_paged(memdesk: Any) -> None:
    assert "decay" in memdesk("jobs", "list").out
    for _ in range(2):
        memdesk("jobs", "run", "decay", "--dry")
    whole = [row["id"] for row in memdesk("jobs", "history", "decay", "--json").json["rows"]]
    page = memdesk("jobs", "history", "decay", "--first", "1", "--limit", "1", "--json").json
    assert [row["id"] for row in page["rows"]] == whole[1:2]


def test_spending_of_some_days_is_told(memdesk: Any) -> None:
    assert "MODEL" in memdesk("models", "list").out
    assert memdesk("models", "spending", "--days", "3", "--json").json["rows"] == []
    assert memdesk("models", "spending", "--days", "0").code == BadAsk.exit_code


def test_an_export_is_narrowed_by_channel_user_time_and_written_with_its_history(
    memdesk: Any, tmp_path: Path
) -> None:
    def facts(ran: Any) -> int:
        return int(ran.json["goes"].get("facts", 0))

    for claim, channel, user in (
        ("One", "out", "local"),
        ("Two", "out", "parcel"),
        ("Three", "in", "parcel"),
    ):
        learn(memdesk, f"{claim} goes out", "--channel", channel, "--user", user, "--agent", f"a-{channel}")
    assert facts(memdesk("export", "archive", "--user", "parcel", "--count", "--json")) == 2
    assert (
        facts(memdesk("export", "archive", "--user", "parcel", "--channel", "in", "--count", "--json")) == 1
    )
    assert (
        facts(memdesk("export", "archive", "--user", "parcel", "--agent", "a-in", "--count", "--json")) == 1
    )
    assert (
        facts(memdesk("export", "archive", "--user", "parcel", "--kind", "conversation", "--count", "--json"))
        == 0
    )
    assert facts(memdesk("export", "archive", "--user", "parcel", "--since", "7d", "--count", "--json")) == 2
    assert facts(memdesk("export", "archive", "--user", "parcel", "--until", "7d", "--count", "--json")) == 0
    plain, whole = tmp_path / "plain.zip", tmp_path / "whole.zip"
    assert memdesk("export", "archive", str(plain)).code == 0
    assert memdesk("export", "archive", str(whole), "--history").code == 0
    assert whole.stat().st_size > plain.stat().st_size


def test_an_import_goes_to_the_agent_user_and_channel_named_and_is_copied_when_told(
    memdesk: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("- Copied notes have a line\n")
    done = memdesk(
        "import",
        str(folder),
        "--copy",
        "--yes",
        "--agent",
        "smith",
        "--user",
        "importer",
        "--channel",
        "copied",
        "--json",
    )
    assert done.json["job"]["state"] == "done"
    (row,) = [each for each in memdesk("workspaces", "--json").json["rows"] if each["channel"] == "copied"]
    assert row["agent_id"] == "smith" and row["path"] != str(folder)


def test_a_prompt_is_that_of_the_workspace_named(memdesk: Any, tmp_path: Path) -> None:
    homes = {}
    for name in ("anvil", "bellows"):
        folder = tmp_path / name
        (folder / "learnings").mkdir(parents=True)
        (folder / "HEARTBEAT.md").write_text("# Heartbeat Rules\n")
        (folder / "SOUL.md").write_text(f"# Identity\n\nI am {name}.\n")
        (folder / "learnings" / "errors.md").write_text("")
        (folder / "learnings" / "corrections.md").write_text(
            f"- [2026-02-20 14:09] Original: I used JSON\n  Correction: Use YAML in {name}\n"
        )
        memdesk("import", str(folder), "--agent", "hephaestus")
        rows = memdesk("workspaces", "--json").json["rows"]
        homes[name] = next(row["id"] for row in rows if row["path"] == str(folder))
    assert memdesk("prompt", "start", "--agent", "hephaestus").code != 0
    assert "I am anvil" in memdesk("prompt", "start", "--workspace", homes["anvil"]).out
    assert "YAML in bellows" in memdesk("prompt", "learnings", "--workspace", homes["bellows"]).out
    assert memdesk("prompt", "days", "--workspace", homes["bellows"]).code == 0


def test_tools_work_on_the_memory_of_the_place_named(memdesk: Any, tmp_path: Path) -> None:
    made = json.dumps({"entities": [{"name": "Ada", "entityType": "person", "observations": ["counts"]}]})
    graph = str(tmp_path / "graph.jsonl")
    memdesk(
        "tool",
        "mcp-memory",
        "create_entities",
        made,
        "--channel",
        "math",
        "--user",
        "guest",
        "--agent",
        "iris",
    )
    out = memdesk(
        "tools", "mcp-memory", "--export", graph, "--channel", "math", "--user", "guest", "--json"
    ).json
    assert out["entities"] == 1
    came = memdesk(
        "tools",
        "mcp-memory",
        "--import",
        graph,
        "--channel",
        "copy",
        "--user",
        "guest",
        "--agent",
        "iris",
        "--json",
    ).json
    assert came["entities"] == 1
    view = json.dumps({"command": "view", "path": "/memories"})
    for dialect in ("docs", "python"):
        assert memdesk("tool", "anthropic", "memory", view, "--agent", "iris", "--dialect", dialect).code == 0


def spoken(moment: str, **more: str) -> IO[str]:
    """What a runtime pipes into a hook."""
    said = {"session_id": "hooked", "cwd": "/somewhere/atlas", "prompt": moment, **more}
    piped = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - it lives as long as its test
    json.dump(said, piped)
    piped.seek(0)
    return piped


def test_a_hook_speaks_for_the_channel_user_and_agent_named_within_its_budget(
    memdesk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn(memdesk, "Deploys wait for Jun", "--channel", "hooks", "--user", "guest")
    assert memdesk("agents", "grant", "iris", "user", "--name", "guest").code == 0

    def said(ran: Any) -> str:
        assert (ran.code, ran.err) == (0, "")
        return json.loads(ran.out)["hookSpecificOutput"]["additionalContext"] if ran.out else ""

    monkeypatch.setattr(sys, "stdin", spoken("start"))
    said(memdesk("hook", "session-start", "--channel", "hooks", "--user", "guest", "--agent", "iris"))
    monkeypatch.setattr(sys, "stdin", spoken("Who do deploys wait for?"))
    told = memdesk(
        "hook", "prompt", "--channel", "hooks", "--user", "guest", "--agent", "iris", "--seconds", "30"
    )
    assert "Deploys wait for Jun" in said(told)
    monkeypatch.setattr(sys, "stdin", spoken("Who do deploys wait for?"))
    told = memdesk(
        "hook", "prompt", "--channel", "hooks", "--user", "guest", "--agent", "iris", "--budget", "300"
    )
    assert len(said(told)) < 1500
    monkeypatch.setattr(sys, "stdin", spoken("", last_assistant_message="Jun was asked."))
    said(memdesk("hook", "stop", "--channel", "hooks", "--user", "guest", "--agent", "iris"))
    for ended in (
        lambda: memdesk("hook", "tool", "--channel", "hooks", "--user", "guest", "--agent", "iris"),
        lambda: memdesk("hook", "subagent-stop", "--channel", "hooks", "--user", "guest", "--agent", "iris"),
        lambda: memdesk("hook", "pre-compact", "--channel", "hooks", "--user", "guest", "--agent", "iris"),
        lambda: memdesk("hook", "post-compact", "--channel", "hooks", "--user", "guest", "--agent", "iris"),
        lambda: memdesk("hook", "session-end", "--channel", "hooks", "--user", "guest", "--agent", "iris"),
    ):
        monkeypatch.setattr(sys, "stdin", spoken(""))
        said(ended())
    (row,) = memdesk("sessions", "--user", "guest", "--channel", "hooks", "--agent", "iris", "--json").json[
        "rows"
    ]
    assert row["session_id"] == "hooked"


def test_an_installation_goes_into_the_file_named_with_the_set_named(memdesk: Any, tmp_path: Path) -> None:
    for runtime in ("claude-code", "codex", "openclaw"):
        file = tmp_path / f"{runtime}.json"
        words = (runtime, "--file", str(file), "--set", "mem0", "--agent", "iris")
        shown = memdesk("install", *words, "--json").json
        assert not file.exists() and shown["diff"] and not shown["applied"]
    file = tmp_path / "settings.json"
    told = memdesk(
        "install", "codex", "--file", str(file), "--set", "mem0", "--agent", "iris", "--apply", "--json"
    )
    assert "iris" in file.read_text() and "mem0" in file.with_name("config.toml").read_text()
    assert len(told.json["files"]) == 3
    memdesk("install", "codex", "--file", str(file), "--uninstall", "--apply")
    assert not file.exists() and not file.with_name("config.toml").exists()
    plugin = memdesk("install", "claude-code", "--plugin", "--file", str(file), "--json").json
    assert str(tmp_path / "skills" / "memdesk" / ".mcp.json") in plugin["files"] and not plugin["also"]


def test_a_tool_works_in_the_folder_and_the_scope_named(memdesk: Any, tmp_path: Path) -> None:
    memdesk("settings", "agentix_memories", "true")
    note = json.dumps({"command": "create", "path": "notes.md", "file_text": "- tea\n"})
    done = memdesk(
        "tool", "agentix", "Memories", note, "--cwd", str(tmp_path), "--memory", "project", "--agent", "iris"
    )
    memdesk("settings", "agentix_memories", "--reset")
    assert done.code == 0, done
    assert (tmp_path / ".agentix" / "agent-memory" / "iris" / "notes.md").read_text() == "- tea\n"


def test_the_options_of_an_agentix_agent_decide_which_tools_it_has(memdesk: Any, tmp_path: Path) -> None:
    view = json.dumps({"command": "view", "path": "/"})
    said = memdesk(
        "tool", "agentix", "Memories", view, "--cwd", str(tmp_path), "--memories", "on", "--allow", "Read"
    )
    assert said.code == 0, said
    for switch in ("off", "on"):
        words = ("agentix", "Memories", view, "--cwd", str(tmp_path), "--memories", switch)
        assert memdesk("tool", *words, "--disallow", "Memories").code != 0
    told = memdesk(
        "tools",
        "agentix",
        "--cwd",
        str(tmp_path),
        "--memory",
        "project",
        "--memories",
        "off",
        "--allow",
        "Read",
        "--disallow",
        "Glob",
        "--dialect",
        "docs",
        "--user",
        "guest",
        "--agent",
        "iris",
        "--json",
    ).json
    assert told["allowed_tools"] == ["Read", "Memories"]


def test_mcp_serves_the_set_named_for_the_session_and_place_named(
    program: Any, desk: Desk, memdesk: Any
) -> None:
    memdesk("agents", "grant", "nemo", "user", "--name", "guest")
    made = {"entities": [{"name": "Bridge", "entityType": "place", "observations": ["spans"]}]}
    say = {"name": "create_entities", "arguments": made}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": say}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    first = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}
    done = program(
        "mcp",
        "--set",
        "mcp-memory",
        "--session",
        "s-7",
        "--cwd",
        "/",
        "--memory",
        "project",
        "--memories",
        "on",
        "--allow",
        "Read",
        "--disallow",
        "Memories",
        "--dialect",
        "python",
        "--channel",
        "lab",
        "--user",
        "guest",
        "--agent",
        "nemo",
        said="".join(json.dumps(each) + "\n" for each in (first, message)),
    )
    assert done.code == 0 and '"spans' in done.out.replace("\\", "")
    rows = memdesk("log", "--user", "guest", "--channel", "lab", "--op", "learn", "--json").json["rows"]
    assert "agent:nemo" in {row["author"] for row in rows}
    assert memdesk("audit", "--session", "s-7", "--json").json["rows"]


class Doors(Program):
    """The program with windows and sample desks that are only named."""

    def __init__(self) -> None:
        self.opened: list[tuple[Path, bool, bool]] = []

    def open_window(self, desk: Desk, *, tour: bool = False, tray: bool = False) -> int:
        self.opened.append((desk.folder, tour, tray))
        return 0

    def play_sample(self, desk: Desk) -> dict[str, int]:
        return {"facts": 1}


def test_the_window_opens_on_the_desk_named_with_a_tour_or_in_the_tray_when_told(
    memdesk: Any, desk: Desk
) -> None:
    doors = Doors()
    assert main(["open", "--tour", "--json", "--desk", str(desk.folder)], doors) == 0
    assert main(["open", str(desk.folder)], doors) == 0
    assert main(["open", "--tray", str(desk.folder)], doors) == 0
    assert doors.opened == [
        (desk.folder, True, False),
        (desk.folder, False, False),
        (desk.folder, False, True),
    ]


def test_the_demo_keeps_its_copy_in_the_desk_named_and_says_so_as_json(
    memdesk: Any, short_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    folder = short_folder / "sample"
    assert main(["demo", "--json", "--desk", str(folder)], Doors()) == 0
    assert json.loads(capsys.readouterr().out) == {"desk": str(folder), "counts": {"facts": 1}}


def test_what_came_from_a_source_is_shown_for_every_kind_of_source(memdesk: Any, tmp_path: Path) -> None:
    turn = {"content": "The lab opens at nine.", "role": "tool", "speaker": "web_fetch", "channel": "lab"}

    async def store(desk: Desk) -> None:
        async with Client(desk, agent="visitor") as agent:
            await agent.call(memory.STORE_TURN, NewTurn(conversation_id="talk-9", **turn))

    memdesk("status")
    asyncio.run(store(desk_at(None)))
    (tmp_path / "MEMORY.md").write_text("- The lab has a skylight\n")
    memdesk("import", str(tmp_path))
    for ran in (
        memdesk("revoke", "--conversation", "talk-9", "--user", "local", "--look", "--json"),
        memdesk("revoke", "--from-agent", "visitor", "--reason", "a visitor", "--look", "--json"),
        memdesk("revoke", "--tool", "web_fetch", "--look", "--json"),
        memdesk("revoke", "--file", str(tmp_path / "MEMORY.md"), "--look", "--json"),
    ):
        assert ran.code == 0 and ran.json["rows"], ran.err


def test_an_act_in_words_is_shown_done_as_one_run_and_changes_nothing_it_does_not_understand(
    memdesk: Any,
) -> None:
    for number in range(3):
        learn(memdesk, f"Buoy {number} is red", "--channel", "fairway", "--agent", "iris", "--user", "pilot")
    text, of_pilot = "all facts about buoy -> retire", ("--user", "pilot")
    shown = memdesk("act", text, "--look", "--channel", "fairway", "--agent", "iris", *of_pilot)
    assert "Understood: Retire, facts, about “buoy”, in fairway, from iris" in shown.out
    assert "3 of 3 would change." in shown.out and "(current → retired)" in shown.out
    assert "Nothing was changed" in memdesk("act", "retire", "facts", "about", "buoy", *of_pilot).err
    strange = memdesk("act", "all facts about buoy -> paint", "--yes", "--user", "pilot")
    assert strange.code == BadAsk.exit_code and "Not understood: “paint”" in strange.err
    done = memdesk("act", text, "--yes", *of_pilot)
    listed = ("facts", "--channel", "fairway", "--user", "pilot", "--json")
    assert "Retired 3." in done.out and not claims(memdesk(*listed))
    memdesk("undo", done.out.split("memdesk undo ")[1].split()[0], "--run")
    assert len(claims(memdesk(*listed))) == 3


def test_hooks_and_servers_sign_with_the_token_in_a_file(
    program: Any, memdesk: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "memdesk.token"
    file.write_text(memdesk("agents", "add", "otto", "--days", "30").out)
    monkeypatch.setattr(sys, "stdin", spoken("start", session_id="otto-1"))
    held = memdesk("hook", "prompt", "--agent", "otto")
    assert "token" in held.err
    monkeypatch.setattr(sys, "stdin", spoken("start", session_id="otto-1"))
    assert memdesk("hook", "prompt", "--agent", "otto", "--token-file", str(file)).err == ""
    ask = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}) + "\n"
    served = program("mcp", "--set", "mcp-memory", "--agent", "otto", "--token-file", str(file), said=ask)
    assert served.code == 0
    assert "otto" in memdesk("agents", "list").out


def test_a_member_is_invited_listed_joins_and_is_revoked(
    program: Any, memdesk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    invited = memdesk(
        *("team", "invite", "Eva", "--role", "curator", "--user", "acme"),
        *("--only-channel", "shop", "--only-channel", "_global", "--days", "7"),
    )
    assert invited.code == 0 and invited.out.startswith("mda_")
    (row,) = (each for each in memdesk("team", "list", "--json").json["rows"] if each["name"] == "Eva")
    assert (row["role"], row["users"], row["channels"]) == ("curator", ["acme"], ["shop", "_global"])
    monkeypatch.setattr(sys, "stdin", io.StringIO(invited.out))
    away = memdesk("team", "join", "https://localhost:1")
    assert away.code != 0 and "No service answers at https://localhost:1" in away.err
    assert memdesk("team", "join", "here").code != 0
    assert "1 token revoked" in memdesk("team", "revoke", "Eva").out
    assert "Eva" not in memdesk("team").out


def test_a_service_says_why_it_does_not_listen(tmp_path: Path) -> None:
    program, desk = warm.ran, ("--desk", str(tmp_path))
    assert "an address and a port" in program(["serve", *desk, "--listen", "8443"]).stderr
    assert "with TLS only" in program(["serve", *desk, "--listen", "0.0.0.0:8443"]).stderr
    away = str(tmp_path / "none.pem")
    said = program(["serve", *desk, "--listen", "127.0.0.1:8443", "--certificate", away, "--key", away])
    assert said.returncode != 0 and "cannot be used" in said.stderr


@pytest.mark.parametrize("line", ["cursor", "claude-desktop", "vscode", "gemini-cli", "hermes"])
def test_an_installation_is_shown_first(memdesk: Any, line: str, tmp_path: Path) -> None:
    shown = {
        "cursor": lambda file: memdesk("install", "cursor", "--file", file),
        "claude-desktop": lambda file: memdesk("install", "claude-desktop", "--file", file),
        "vscode": lambda file: memdesk("install", "vscode", "--file", file),
        "gemini-cli": lambda file: memdesk("install", "gemini-cli", "--file", file),
        "hermes": lambda file: memdesk("install", "hermes", "--file", file),
    }[line](str(tmp_path / "settings.json"))
    agent = {"hermes": '"agent": "hermes"'}.get(line, "--agent")
    assert shown.code == 0 and agent in shown.out and not (tmp_path / "settings.json").exists()


def test_skills_go_into_the_folder_of_a_runtime_for_a_channel_and_a_user(
    memdesk: Any, tmp_path: Path
) -> None:
    id = learn(memdesk, "The slipway is closed", "--channel", "skilled", "--user", "jun")
    memdesk("pin", id)
    folder = str(tmp_path)
    named = memdesk("skills", "list", "--runtime", "codex", "--channel", "skilled", "--user", "jun")
    assert id in named.out
    place = ("--runtime", "codex", "--channel", "skilled", "--user", "jun")
    memdesk("skills", "write", "--folder", folder, "--apply", *place)
    assert "The slipway is closed" in (tmp_path / "AGENTS.md").read_text()
    memdesk("skills", "remove", "--folder", folder, "--apply", *place)
    assert not list(tmp_path.iterdir())


ALONE = {
    *("compact", "open", "demo", "serve", "mcp", "hook", "stop", "erase", "trust", "owner", "revoke"),
    *("switch", "encrypt", "decrypt", "reprocess", "copy"),
}
"""Commands whose --desk and --json are not run from LINES: the tests above and below run them."""
LINES: dict[str, tuple[str, ...]] = {
    "completion": ("bash",),
    "licences": (),
    "remember": ("Said on the desk named",),
    "facts": (),
    "show": ("{fact}",),
    "recall": ("desk",),
    "explain": ("{fact}", "desk"),
    "salient": (),
    "recap": ("desk",),
    "conversations": (),
    "timeline": (),
    "strategies": (),
    "tool-calls": (),
    "who": (),
    "effect": ("retire", "{fact}"),
    "questions": (),
    "promote": ("{fact}",),
    "link": ("{fact}", "{entity}"),
    "unlink": ("{fact}", "{entity}"),
    "act": ("facts about desk -> pin", "--look"),
    "edit": ("{fact}", "Said on the desk named, and corrected"),
    "tag": ("{fact}", "named"),
    "undo": (),
    "redo": (),
    "forget": ("{fact}",),
    "retire": ("{fact}",),
    "restore": ("{fact}",),
    "merge": ("{fact}", "{other}"),
    "move": ("{other}", "there"),
    "demote": ("{copy}",),
    "pin": ("{other}",),
    "rescue": ("{other}",),
    "entity": ("Lamp",),
    "edit-entity": ("{entity}", "--name", "Lantern"),
    "relate": ("{fact}", "{other}"),
    "edit-relation": ("{relation}", "PART_OF"),
    "goals": (),
    "profile": (),
    "rename-tag": ("named", "renamed"),
    "write-day": ("Asked first.", "--workspace", "{workspace}"),
    "learning": ("error", "exec", "No such table", "--workspace", "{workspace}"),
    "learnings": (),
    "review": (),
    "standing": (),
    "channels": (),
    "compactions": (),
    "seen": (),
    "sessions": (),
    "items": (),
    "log": (),
    "past": ("--at", "1h"),
    "put-back": ("{fact}", "--before", "9999"),
    "audit": (),
    "verify": (),
    "import": ("{talk}", "--preview"),
    "discover": (),
    "workspaces": (),
    "prompt": ("start", "--workspace", "{workspace}"),
    "export": (),
    "jobs": (),
    "models": (),
    "tools": (),
    "tool": ("mcp-memory", "read_graph"),
    "install": ("codex", "--file", "{settings}"),
    "skills": ("list", "--runtime", "codex"),
    "status": (),
    "metrics": (),
    "settings": (),
    "consolidate": (),
    "checkup": ("--look", "--limit", "5"),
    "projects": (),
    "agents": ("list",),
    "team": (),
    "secrets": (),
    "backup": (),
    "doctor": (),
    "notices": (),
}
LINES |= {word.name: () for word in WORDS if word.name not in {*LINES, *ALONE}}


def test_every_command_answers_as_json_on_the_desk_named(
    memdesk: Any, monkeypatch: pytest.MonkeyPatch, short_folder: Path, tmp_path: Path
) -> None:
    assert set(LINES) | ALONE == {word.name for word in WORDS}
    monkeypatch.setenv("MEMDESK_DESK", str(short_folder / "another"))
    here = ("--json", "--desk", str(short_folder / "named"))
    talk = tmp_path / "talk.json"
    talk.write_text(json.dumps([{"role": "user", "content": line} for line in SAID]))
    folder = tmp_path / "avatar"
    folder.mkdir()
    (folder / "SOUL.md").write_text("# Identity\n\nPatient.\n")
    (folder / "HEARTBEAT.md").write_text("# Heartbeat Rules\n")
    (folder / "learnings").mkdir()
    (folder / "learnings" / "errors.md").write_text("")
    try:
        named = {"talk": str(talk), "settings": str(tmp_path / "codex.json")}
        for name, claim in (("fact", "Said of one"), ("other", "Said of another")):
            named[name] = memdesk("remember", claim, "--channel", "here", *here).json["id"]
        lifted = memdesk("remember", "Said of all", "--channel", "here", *here).json["id"]
        named["copy"] = memdesk("promote", lifted, *here).json["id"]
        named["entity"] = memdesk("entity", "Lamp", "--channel", "here", *here).json["id"]
        related = memdesk("relate", named["entity"], named["fact"], "--type", "lights", *here)
        named["relation"] = related.json["id"]
        memdesk("import", str(folder), *here)
        named["workspace"] = memdesk("workspaces", *here).json["rows"][0]["id"]
        for command, words in LINES.items():
            ran = memdesk(command, *(word.format(**named) for word in words), *here)
            assert ran.out, f"LINES names what `{command}` needs: {ran.err}"
            assert ran.json is not None, command
        erased = memdesk("erase", "nobody", "--confirm", "nobody", *here)
        assert erased.code in (0, 4) and json.loads(erased.out or erased.err)
        trusted = memdesk("trust", named["fact"], *here)
        gone = memdesk("revoke", "--run", "run_none", "--look", *here)
        assert gone.code != 0 and json.loads(gone.err)["says"]
        assert memdesk("owner", "passphrase", "--remove", *here).json is not None
        assert trusted.code == 5 and "trusted already" in json.loads(trusted.err)["says"]
        monkeypatch.setattr(sys, "stdin", spoken("start"))
        assert memdesk("hook", "session-start", *here).code == 0
        assert memdesk("sessions", *here).json["rows"][0]["session_id"] == "hooked"
    finally:
        assert memdesk("stop", *here).json["desk"] == str(short_folder / "named")
    assert not (short_folder / "another").exists()


def test_a_desk_is_not_copied_onto_one_that_is_in_use(memdesk: Any, desk: Desk, tmp_path: Path) -> None:
    memdesk("remember", "The copy is made while nobody writes.")
    for source, target in ((desk.folder, tmp_path / "other"), (desk.folder, desk.folder)):
        refused = memdesk("copy", str(source), str(target), "--json", "--desk", str(desk.folder))
        assert refused.code != 0 and json.loads(refused.err)["says"]
    assert "nobody writes" in memdesk("facts").out


def test_serve_names_the_desk_it_serves_as_json(memdesk: Any, desk: Desk) -> None:
    memdesk("status")
    refused = memdesk("serve", "--json", "--desk", str(desk.folder))
    assert refused.code == 9 and json.loads(refused.err)["code"] == "desk_busy"


@pytest.mark.parametrize(
    ("text", "ago"), [("30m", 30), ("24h", 24 * 60), ("7d", 7 * 24 * 60), ("2w", 14 * 24 * 60)]
)
def test_a_time_may_be_told_as_how_long_ago(text: str, ago: int) -> None:
    assert abs(datetime.now().astimezone() - timedelta(minutes=ago) - moment(text)) < timedelta(minutes=1)


@pytest.mark.parametrize("text", ["", "7", "7x", "d", "-7d", "999999w", "soon", "2026-13-01"])
def test_what_is_no_time_is_refused_with_what_would_be(memdesk: Any, text: str) -> None:
    ran = memdesk("log", f"--since={text}")
    assert ran.code == 2 and "7d for seven days ago" in ran.err


def words_run() -> set[tuple[str, str]]:
    """(command, word) of what the tests of this folder run, as they are written in calls of `memdesk` and `program`."""
    names = {word.name for word in WORDS}
    found: set[tuple[str, str]] = set()
    for file in Path(__file__).parent.glob("test_*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("memdesk", "program", "main"):
                words = [
                    each.value
                    for each in ast.walk(ast.Tuple(elts=call.args, ctx=ast.Load()))
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                ]
                if command := next((word for word in words if word in names), ""):
                    found |= {(command, word) for word in words}
    return found


def declared(command: argparse.ArgumentParser) -> bool:
    usual = command.get_default("command")
    return usual is not None and usual.name in DECLARED


def actions_of(command: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a command and of the actions of its group, without those that a declaration makes."""
    for action in command._actions:
        if not declared(command) or isinstance(action, argparse._SubParsersAction):
            yield action
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from actions_of(each)


def test_every_option_of_every_command_is_run() -> None:
    """Except those that a declaration makes: test_declared gives every one of them."""
    (commands,) = (each for each in parser()._actions if isinstance(each, argparse._SubParsersAction))
    needed: set[tuple[str, str]] = set()
    for name, command in commands.choices.items():
        for action in actions_of(command):
            if isinstance(action, argparse._HelpAction):
                continue
            if action.option_strings:
                needed.add((name, action.option_strings[0]))
            elif isinstance(action, argparse._SubParsersAction):
                by_hand = {word for word, each in action.choices.items() if not declared(each)}
                needed |= {(name, word) for word in by_hand}
            elif action.choices:
                needed |= {(name, str(word)) for word in action.choices}
    run = words_run() | {(name, option) for name in LINES for option in ("--json", "--desk")}
    run |= {
        (name, option)
        for name in ("compact", "erase", "hook", "stop", "owner", "revoke", "switch", "encrypt", "decrypt")
        for option in ("--json", "--desk")
    }
    run |= {("review", answer) for answers in DECISIONS.values() for answer in answers}
    # The program's fixture names the desk by its environment; what MCP answers is JSON anyway.
    run |= {("mcp", "--desk"), ("mcp", "--json")}
    assert sorted(needed - run) == []


def test_a_checkup_lists_what_it_finds_and_asks_nothing_when_it_only_looks(memdesk: Any) -> None:
    learn(memdesk, "The permit of the crane is valid until 3 March 2021", "--user", "checker")
    found = memdesk("checkup", "--look", "--limit", "5", "--user", "checker", "--json").json
    assert [row["kind"] for row in found["rows"]] == ["expired"] and not found["rows"][0]["asked"]


def test_a_folder_is_checked_without_a_service_and_its_report_written(memdesk: Any, tmp_path: Path) -> None:
    folder, page = tmp_path / "crew", tmp_path / "report.html"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("# Crew\n\n- The permit of the crane is valid until 3 March 2021\n")
    found = memdesk("checkup", str(folder), "--html", str(page), "--json").json
    assert [(row["kind"], row["claim"]["place"]) for row in found["rows"]] == [("expired", "MEMORY.md:3")]
    assert "The permit of the crane" in page.read_text()
    assert memdesk("checkup", "--html", str(page)).code != 0


def test_who_takes_an_agent_and_the_number_of_lines_and_days(memdesk: Any) -> None:
    for claim in ("Never touch ingest-3", "Never call before nine"):
        learn(memdesk, claim, "--category", "constraint", "--agent", "scout", "--channel", "north")
    whole = memdesk("who", "Scout", "--lines", "1", "--days", "7", "--json").json
    (rules,) = (part for part in whole["parts"] if part["name"] == "rules")
    assert (whole["agent"], rules["total"], len(rules["lines"])) == ("scout", 2, 1)
    assert "7 days" in memdesk("who", "scout", "--days", "7", "--user", "local").out


def test_effect_and_questions_ask_recalls_before_and_after_a_change(memdesk: Any) -> None:
    id = learn(memdesk, "The gauge is read at noon", "--channel", "gauge")
    tried = memdesk(
        "effect", "edit", id, "--claim", "The gauge is read at six", "--days", "1", "--limit", "3"
    )
    assert "nothing" in tried.out.lower() or "Recalls" in tried.out or "No agent" in tried.out
    assert "noon" in memdesk("show", id).out
    assert memdesk("effect", "demote", id, "--json").json["why_not"]
    for ran in (
        memdesk("effect", "pin", id, "--json"),
        memdesk("effect", "unpin", id, "--json"),
        memdesk("effect", "past", id, "--json"),
        memdesk("effect", "quarantine", id, "--json"),
        memdesk("effect", "restore", id, "--json"),
    ):
        assert "why_not" in ran.json
    for ran in (
        memdesk("effect", "move", id, "--to", "attic", "--json"),
        memdesk("effect", "promote", id, "--json"),
        memdesk("effect", "retire", id, "--json"),
    ):
        assert not ran.json["why_not"]
    assert memdesk("effect", "merge", id, "--into", id, "--json").json["why_not"]
    told = memdesk(
        "questions", "keep", "when is the gauge read", "noon", "--channel", "gauge", "--user", "local"
    ).out
    kept = told.rpartition("(")[2].rstrip(").\n")
    mine = memdesk("questions", "keep", "who reads it", "nobody", "--agent", "scout", "--json").json["id"]
    assert memdesk("questions", "run", "--user", "local", "--json").json["asked"] == 2
    assert ids(memdesk("questions", "--channel", "gauge", "--user", "local", "--json")) == [kept]
    assert ids(memdesk("questions", "list", "--lost", "--json")) == [mine]
    memdesk("questions", "forget", mine)
    assert ids(memdesk("questions", "--json")) == [kept]
