"""A tool lifts what it showed and nothing else: what was looked through and left out is not reinforced."""

from __future__ import annotations

from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import store_turns
from memdesk.model.remember import NewTurn, NewTurns
from memdesk.store import events, recalls
from tests.engine.conftest import embed_all
from tests.engine.tools import Agent, opened

HARBOUR = "".join(f"## Harbour {n}\n\nThe harbour pump leaks at the shore.\n\n" for n in range(4))


def lifted(engine: Engine, *, before: int = 0) -> int:
    """How many memories the latest recall lifted, or one that many changes before it."""
    engine.store.submit(lambda _: None).result()
    with engine.store.reading() as db:
        return len(recalls.returned(db, events.newest(db) - before))


def brought(engine: Engine, root: Path, *names: str) -> None:
    opened(engine, root, {f"iris/{name}": "# Notes\n" for name in names} | {"iris/MEMORY.md": HARBOUR})
    embed_all(engine)


def test_a_passage_under_the_asked_score_is_not_lifted(engine: Engine, tmp_path: Path) -> None:
    brought(engine, tmp_path / "home", "AGENTS.md", "IDENTITY.md")
    iris = Agent(engine=engine, set="openclaw")
    shown = iris.asks("memory_search", query="pumps by the shore").data["results"]
    assert shown and lifted(engine) == len(shown)
    assert iris.asks("memory_search", query="pumps by the shore", minScore=1).data["results"] == []
    assert lifted(engine) == 0


def test_of_a_file_only_the_passage_that_is_shown_is_lifted(engine: Engine, tmp_path: Path) -> None:
    brought(engine, tmp_path / "home", "AGENTS.md", "SOUL.md", "learnings/errors.md")
    rows = Agent(engine=engine, set="openlegion").asks("memory_search", query="harbour pump").data["results"]
    assert [row["file"] for row in rows if "file" in row] == ["MEMORY.md"]
    facts = len(rows) - 1
    assert (lifted(engine, before=1), lifted(engine)) == (1, facts), (
        "files are looked through first, facts then"
    )


def test_turns_of_sessions_that_are_not_shown_are_not_lifted(engine: Engine) -> None:
    turns = [
        NewTurn(conversation_id=f"talk {n}", role="user", content=f"The harbour pump leaks, {n}")
        for n in range(6)
    ]
    store_turns(engine, NewTurns(turns=tuple(turns)), author="agent:iris")
    sessions = Agent(engine=engine, set="agenticx").asks("session_search", query="harbour pump", limit=2).data
    assert [each["session_id"] for each in sessions["sessions"]] == ["talk 5", "talk 4"]
    assert lifted(engine) == 2
