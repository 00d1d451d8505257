"""An export narrowed by channel, agent, type and time: only that goes out, and whatever goes out comes in again."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.engine.engine import Engine
from memdesk.engine.interop import formats
from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.run import begin
from memdesk.engine.memory.remember import learn_fact, store_turn
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.files.places import Desk
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.fact import FACT
from memdesk.model.instant import SECOND, to_datetime
from memdesk.model.interop import AskExportPreview
from memdesk.model.kinds import BY_NAME
from memdesk.model.remember import NewFact, NewTurn
from memdesk.store import archiving, records
from tests.effort import examples
from tests.engine.conftest import Clock
from tests.fixtures.intake.worlds import ALL, look, take
from tests.fixtures.interop.rich import RUNA, furnish, rows, send

KINDS = formats.formats().rows[0].kinds
LATER = 100 * SECOND


@pytest.fixture
def full(engine: Engine, clock: Clock, tmp_path: Path) -> Engine:
    """A desk of everything, and a hundred seconds later some of another agent's."""
    furnish(engine, tmp_path)
    clock.at += LATER
    store_turn(
        engine, NewTurn(content="The ferry is late.", conversation_id="talk", channel="quay"), author=RUNA
    )
    told = NewTurn(content="I am new here.", conversation_id="other", channel="pier", agent_id="Olaf")
    store_turn(engine, told, author="agent:Olaf")
    said = NewFact(claim="Olaf speaks Danish", channel="pier", agent_id="Olaf", about=("Olaf",))
    learn_fact(engine, said, author="agent:Olaf")
    # What nobody has read yet an import would read, and learn from.
    consolidate(begin(engine, "consolidate", progress=ignore_progress))
    return engine


def moment(clock: Clock, ago: int = LATER // 2) -> datetime:
    return to_datetime(clock.at - ago)


def goes(engine: Engine, **asked: Any) -> dict[str, int]:
    found = formats.preview(engine, AskExportPreview(format="archive", **asked)).goes
    return {table: number for table, number in found.items() if number}


@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    agents=st.sampled_from(((), ("Runa",), ("Olaf",), ("Olaf", "Runa"))),
    kinds=st.sets(st.sampled_from(KINDS), max_size=3),
    channel=st.sampled_from((None, "quay", "pier", "_global")),
    side=st.sampled_from(("all", "before", "after")),
)
def test_whatever_is_chosen_comes_into_an_empty_desk_with_nothing_left_behind(
    full: Engine,
    clock: Clock,
    tmp_path_factory: pytest.TempPathFactory,
    agents: tuple[str, ...],
    kinds: set[str],
    channel: str | None,
    side: str,
) -> None:
    folder = tmp_path_factory.mktemp("narrowed")
    asked = {
        "agents": agents,
        "kinds": tuple(sorted(kinds)),
        "channel": channel,
        "since": moment(clock) if side == "after" else None,
        "until": moment(clock) if side == "before" else None,
    }
    counted = goes(full, **asked)
    sent = send(full, "archive", folder / "some.zip", **asked)
    assert {table: sent[table] for table in counted} == counted
    if not counted:
        return
    empty = open_engine(Desk(folder / "empty"), clock=clock)
    try:
        assert look(empty, folder / "some.zip", accept=ALL).skipped == ()
        take(empty, folder / "some.zip", accept=ALL)
        known = {row["id"]: row for table in rows(full).values() for row in table}
        came = {name: table for name, table in rows(empty).items() if table}
        assert {BY_NAME[name].table: len(table) for name, table in came.items()} == counted
        for name, table in came.items():
            named = {column for column, _ in BY_NAME[name].references}
            for row in table:
                # What a record names without needing it may stay: then it names nothing.
                was = {key: value for key, value in known[row["id"]].items() if key not in named or row[key]}
                assert {key: row[key] for key in was} == was
    finally:
        empty.close()


def test_two_halves_of_time_make_the_whole(full: Engine, other: Engine, clock: Clock, tmp_path: Path) -> None:
    send(full, "archive", tmp_path / "old.zip", until=moment(clock))
    send(full, "archive", tmp_path / "new.zip", since=moment(clock))
    for name in ("old.zip", "new.zip"):
        take(other, tmp_path / name, accept=ALL)
    for kind in ("conversation", "turn", "fact", "entity", "goal", "tool_call"):
        assert {row["id"] for row in rows(other)[kind]} == {row["id"] for row in rows(full)[kind]}
    # A conversation that went on goes out with both halves, and is there once.
    assert goes(full, since=moment(clock), agents=())["turns"] == 2
    assert [row["id"] for row in rows(other)["conversation"]].count("talk") == 1


def test_types_take_along_what_they_cannot_stand_without_and_nothing_else(full: Engine) -> None:
    facts = goes(full, kinds=("fact",))
    assert facts["facts"] == len(rows(full)["fact"]) and not facts.keys() & {
        "turns",
        "entities",
        "goals",
        "documents",
    }
    said = goes(full, kinds=("conversation",))
    assert said.keys() >= {"conversations", "turns", "sessions", "compactions"} and "facts" not in said
    assert goes(full, kinds=("entity",)).keys() >= {"entities", "aliases", "relations"}
    assert goes(full, kinds=("strategy",)).keys() >= {"strategies", "outcomes"}
    assert goes(full, kinds=("document",)).keys() >= {"documents", "workspaces"}
    olafs = goes(full, agents=("Olaf",))
    assert (olafs["turns"], olafs["facts"], olafs["channels"]) == (1, 1, 1) and "traits" not in olafs


def test_other_formats_are_narrowed_alike(full: Engine, clock: Clock, tmp_path: Path) -> None:
    send(full, "agentx", tmp_path / "x.json", agents=("Olaf",), kinds=("fact", "conversation"))
    told = json.loads((tmp_path / "x.json").read_text())
    assert [each["claim"] for each in told["facts"]] == ["Olaf speaks Danish"]
    assert [each["content"] for each in told["turns"]] == ["I am new here."] and not told["goals"]
    send(full, "mem0", tmp_path / "m.json", since=moment(clock))
    assert [each["memory"] for each in json.loads((tmp_path / "m.json").read_text())["results"]] == [
        "Olaf speaks Danish"
    ]
    send(full, "mcp-memory", tmp_path / "g.jsonl", agents=("Runa",))
    named = [json.loads(line).get("name") for line in (tmp_path / "g.jsonl").read_text().splitlines()]
    assert "Ada" in named and "Olaf" not in named
    send(full, "markdown-agenticx", tmp_path / "folder", kinds=("fact",))
    assert {path.name for path in (tmp_path / "folder").rglob("*.md")} == {"MEMORY.md"}


def test_a_days_file_goes_by_its_day_in_whatever_zone(full: Engine, tmp_path: Path) -> None:
    days = sorted({row["day"] for row in rows(full)["document"] if row["day"]})
    first = datetime.fromisoformat(days[0]).replace(tzinfo=UTC)
    for hours in (-9, 0, 9):
        begins = first + timedelta(hours=hours)
        asked = {"kinds": ("document",), "since": begins, "until": begins + timedelta(days=1)}
        out = tmp_path / f"zone{hours}"
        send(full, "markdown-agenticx", out, **asked)
        assert [path.stem for path in out.rglob("20*.md")] == [days[0]]


def test_what_cannot_be_chosen_is_refused_with_what_can(full: Engine, clock: Clock, tmp_path: Path) -> None:
    def refuses(error: type[Exception], words: str, format: str = "archive", **asked: Any) -> None:
        with pytest.raises(error, match=words):
            formats.preview(full, AskExportPreview(format=format, **asked))

    refuses(BadAsk, "no type turn can be chosen", kinds=("turn",))
    refuses(BadAsk, "no type goal", format="markdown-agnx", kinds=("goal",))
    refuses(BadAsk, "no type fact", format="mcp-memory", kinds=("fact",))
    refuses(BadAsk, "ends before", since=moment(clock), until=moment(clock))
    refuses(NotFound, "nothing of an agent Nemo", agents=("Olaf", "Nemo"))
    with pytest.raises(BadAsk, match="journal tells of everything"):
        send(full, "archive", tmp_path / "a.zip", history=True, kinds=("fact",))
    assert not list(tmp_path.glob("*.zip"))


def test_what_is_past_is_counted_where_it_is_asked_for(full: Engine) -> None:
    with full.store.reading() as db:
        told = {
            past: archiving.count(db, FACT, archiving.Selection(), past=past)
            for past in ("all", "superseded", "none")
        }
        facts = records.find(db, FACT)
    here = [fact for fact in facts if fact.retired_at is None]
    assert told == {
        "all": len(facts),
        "superseded": len(here),
        "none": len([fact for fact in here if fact.superseded_by is None]),
    }
    assert told["all"] > told["superseded"] > told["none"] > 0
