"""AgenticX's tools on its folders: a session's scratchpad, notes, forgetting with a preview and undo, past sessions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import learn_fact, store_turns
from memdesk.engine.toolsets.agent_folders import home_of
from memdesk.engine.toolsets.agenticx_tools import HITS_CHARACTERS, entries_of, sanitised, snippet
from memdesk.model.fact import FACT
from memdesk.model.instant import to_datetime
from memdesk.model.remember import NewFact, NewTurn, NewTurns
from memdesk.model.tools import ToolCall, ToolPlace
from memdesk.store import records
from tests.engine.conftest import Clock, embed_all
from tests.engine.tools import Agent, bytes_of, opened

AT = ".agenticx/avatars/iris/workspace"
ENTRIES = "# MEMORY.md\n\n## Agent Notes\n- Boats leak\n  - the blue one most\n- Kiwis grow\n\nBoats are text here.\n"
FILES = {
    ".agenticx/workspace/IDENTITY.md": "# Identity\n",
    ".agenticx/workspace/USER.md": "- Name: Mara\n",
    f"{AT}/IDENTITY.md": "# Identity\n\nCurt.\n",
    f"{AT}/MEMORY.md": ENTRIES,
}


@pytest.fixture
def root(engine: Engine, tmp_path: Path) -> Path:
    return opened(engine, tmp_path / "home", FILES)


@pytest.fixture
def iris(engine: Engine, root: Path) -> Agent:
    return Agent(engine=engine, set="agenticx", place=ToolPlace(session_id="monday"))


def test_the_scratchpad_is_the_sessions_and_bounded(iris: Agent) -> None:
    assert iris.says("scratchpad_read") == "No scratchpad entries."
    assert iris.says("scratchpad_write", key="plan", value="x" * 10_001) == "OK: scratchpad[plan] updated"
    assert iris.says("scratchpad_read", key="plan") == "x" * 10_000 + "\n... (truncated to 10000 chars)"
    assert iris.fails("scratchpad_read", key="none") == "ERROR: key not found: none"
    assert iris.fails("scratchpad_write", key=" ", value="x") == "ERROR: key is required"
    for number in range(49):
        iris.says("scratchpad_write", key=f"k{number:02}", value="1")
    assert (
        iris.fails("scratchpad_write", key="more", value="1") == "ERROR: scratchpad key limit exceeded (50)"
    )
    assert iris.says("scratchpad_write", key="plan", value="again").startswith("OK")
    assert iris.says("scratchpad_read", list_only=True).split("\n")[:2] == ["k00", "k01"]
    elsewhere = Agent(engine=iris.engine, set="agenticx", place=ToolPlace(session_id="tuesday"))
    assert elsewhere.says("scratchpad_read") == "No scratchpad entries."
    assert "session_id" in Agent(engine=iris.engine, set="agenticx").fails("scratchpad_read", key="plan")


def test_notes_go_into_the_day_the_long_term_file_and_the_shared_user_file(
    iris: Agent, root: Path, clock: Clock
) -> None:
    day, before = to_datetime(clock()).astimezone().date().isoformat(), bytes_of(root)
    assert iris.says("memory_append", target="daily", content="Fixed\n the pump") == "OK: appended to daily"
    assert (
        iris.says("memory_append", target="long_term", content="Tea at five") == "OK: appended to long_term"
    )
    iris.says("memory_append", target="long_term", content="Speaks Greek", scope="user_global")
    assert bytes_of(root) == before | {
        f"{AT}/memory/{day}.md": f"# Daily Memory\n\n- Date: {day}\n- Notes:\n  - Fixed the pump\n".encode(),
        f"{AT}/MEMORY.md": (ENTRIES + "- Tea at five\n").encode(),
        ".agenticx/workspace/USER.md": b"- Name: Mara\n- Speaks Greek\n",
    }


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"target": "diary", "content": "x"}, "target must be daily or long_term"),
        ({"target": "daily", "content": " "}, "content is required"),
        ({"target": "daily", "content": "x", "scope": "all"}, "scope must be subject or user_global"),
        (
            {"target": "daily", "content": "x", "scope": "user_global"},
            "user_global scope only supports target=long_term",
        ),
    ],
)
def test_a_note_that_has_no_place_is_refused(iris: Agent, asked: dict[str, str], told: str) -> None:
    assert iris.fails("memory_append", **asked) == f"ERROR: {told}"


def test_what_is_no_note_is_not_written_and_that_is_said(iris: Agent, root: Path) -> None:
    before = bytes_of(root)
    assert sanitised("x" * 400) and sanitised("  a\n b ") == "a b"
    for noise in ("x" * 401, "用户要求做事", "the user did ask me", "```sh", "<think>hm"):
        assert sanitised(noise) is None
        assert "nothing appended" in iris.says("memory_append", target="daily", content=noise)
    assert bytes_of(root) == before


def test_a_search_tells_score_place_and_text_on_one_line(iris: Agent, root: Path) -> None:
    embed_all(iris.engine)
    line = iris.says("memory_search", query="boats leak", limit=1)
    assert line.startswith("1. score=") and f" path={root / AT / 'MEMORY.md'}:" in line
    assert " text=## Agent Notes - Boats leak" in line
    assert "Mara" not in iris.says("memory_search", query="Mara")
    assert iris.fails("memory_search", query=" ") == "ERROR: query is required"
    assert iris.says("memory_search", query="submarine qwxz", mode="fts") == "No memory matches."


def test_a_search_by_words_alone_or_by_meaning_alone_leaves_the_other_out(iris: Agent) -> None:
    assert "Boats leak" in iris.says("memory_search", query="boats leak", mode="fts")
    assert iris.says("memory_search", query="boats leak", mode="semantic") == "No memory matches."
    embed_all(iris.engine)
    assert "Boats leak" in iris.says("memory_search", query="boats leak", mode="semantic")
    assert iris.says("memory_search", query="boats leak", mode="hybrid").startswith("1. score=")


def test_forgetting_is_shown_first_done_in_one_change_and_taken_back(iris: Agent, root: Path) -> None:
    path = root / AT / "MEMORY.md"
    home = learned(iris, "The boats are blue")
    shown = iris.asks("memory_forget", query="BOATS", preview=True)
    assert shown.change is None and path.read_text() == ENTRIES
    assert shown.data["text"] == ["- Boats leak\n  - the blue one most"]
    assert "The boats are blue" in shown.data["graph"]
    done = iris.asks("memory_forget", query="boats")
    assert done.data["ok"] and done.data["undo"] == done.change
    assert path.read_text() == "# MEMORY.md\n\n## Agent Notes\n- Kiwis grow\n\nBoats are text here.\n"
    assert retired(iris, home)
    assert iris.asks("memory_forget", query="boats").data["message"] == "未找到匹配记忆"
    assert iris.asks("memory_forget", undo=done.change).data == {"ok": True, "undone": done.change}
    assert path.read_text() == ENTRIES and not retired(iris, home)


def test_facts_alone_are_forgotten_and_another_agents_change_is_not_taken_back(
    iris: Agent, root: Path
) -> None:
    home = learned(iris, "The boats are blue")
    done = iris.asks("memory_forget", query="boats are blue", scope="graph")
    assert retired(iris, home) and (root / AT / "MEMORY.md").read_text() == ENTRIES
    bo = Agent(engine=iris.engine, set="agenticx", name="bo")
    of_bob = Agent(engine=iris.engine, set="agenticx", place=ToolPlace(user_id="bob"))
    for other in (bo, of_bob):
        assert json.loads(other.fails("memory_forget", undo=done.change))["ok"] is False
    assert json.loads(iris.fails("memory_forget", query=" ")) == {"ok": False, "error": "query is required"}


def learned(iris: Agent, claim: str) -> str:
    """A fact of this agent, in the channel of its workspace."""
    home = home_of(iris.engine, ToolCall(agent="iris", author="agent:iris"), "AgenticX")
    assert home is not None
    new = NewFact(claim=claim, channel=home.channel, agent_id="iris")
    return learn_fact(iris.engine, new, author="agent:iris").id


def retired(iris: Agent, id: str) -> bool:
    with iris.engine.store.reading() as db:
        return records.need(db, FACT, id).retired_at is not None


def test_entries_are_top_level_bullets_with_what_is_nested_under_them() -> None:
    assert list(entries_of("- a\n  - b\n\ttext\n- c\n\n  - d\n* e")) == [(0, 3), (3, 4), (6, 7)]


def test_past_sessions_are_searched_by_session_and_listed(engine: Engine) -> None:
    turns = [
        NewTurn(conversation_id=talk, agent_id=agent, role=role, content=content, title=talk)
        for talk, agent, role, content in (
            ("first", "iris", "user", "The harbour pump is broken"),
            ("first", "iris", "assistant", "I ordered a harbour pump"),
            ("second", "iris", "user", "Is the harbour pump here?"),
            ("other", "bo", "user", "My harbour pump is secret"),
        )
    ]
    store_turns(engine, NewTurns(turns=tuple(turns)), author="agent:iris")
    iris = Agent(engine=engine, set="agenticx")
    found = iris.asks("session_search", query="harbour pump").data
    assert found["mode"] == "search"
    assert [each["session_id"] for each in found["sessions"]] == ["second", "first"]
    assert "»harbour« »pump«" in found["sessions"][0]["hits"][0]["snippet"]
    assert [hit["role"] for hit in found["sessions"][1]["hits"]] == ["assistant", "user"]
    users = iris.asks("session_search", query="harbour pump", role_filter="user").data["sessions"]
    assert {hit["role"] for each in users for hit in each["hits"]} == {"user"}
    recent = iris.asks("session_search", limit=2).data
    assert (recent["mode"], len(recent["sessions"])) == ("recent", 2)
    assert "bo" not in json.dumps(recent)


def test_a_sessions_hits_end_at_their_limit(engine: Engine) -> None:
    content = "The harbour pump " + " ".join(["leaks-at-the-seal"] * 37)
    turns = tuple(
        NewTurn(conversation_id="first", agent_id="iris", content=f"{content} {n}") for n in range(30)
    )
    store_turns(engine, NewTurns(turns=turns), author="agent:iris")
    iris = Agent(engine=engine, set="agenticx")
    (session,) = iris.asks("session_search", query="harbour pump").data["sessions"]
    told, one = (len(json.dumps(hits, ensure_ascii=False)) for hits in (session["hits"], session["hits"][0]))
    assert HITS_CHARACTERS - one < told <= HITS_CHARACTERS


def test_a_snippet_is_forty_words_around_the_first_that_is_asked_for() -> None:
    told = snippet("a " * 50 + "Pump " + "b " * 50, "the pump")
    assert told.startswith("…") and told.endswith("…") and "»Pump«" in told
    assert len(told.strip("…").split()) == 40
