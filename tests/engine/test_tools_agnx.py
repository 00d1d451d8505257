"""agnx's tools on its folders: sections, entries and sentences to the byte, and nothing overwritten unseen."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.toolsets.agnx_tools import topic_file
from memdesk.engine.undo import undo
from memdesk.model.curation import Undo
from memdesk.model.instant import to_datetime
from tests.engine.conftest import Clock
from tests.engine.tools import Agent, bytes_of, opened

MEMORY = ".agnx/memory"


@pytest.fixture
def days(clock: Clock) -> list[str]:
    """Today and the days before it, in the clock's own zone."""
    now = to_datetime(clock()).astimezone()
    return [(now - timedelta(days=back)).date().isoformat() for back in range(4)]


@pytest.fixture
def root(engine: Engine, tmp_path: Path, days: list[str]) -> Path:
    return opened(
        engine,
        tmp_path / "home",
        {
            f"{MEMORY}/world/people.md": "Alice - Role: Engineer",
            f"{MEMORY}/world/Systems.md": "- DB: PostgreSQL\n",
            f"{MEMORY}/agents/iris/MEMORY.md": "Mara prefers short answers",
            f"{MEMORY}/agents/iris/daily/{days[1]}.md": f"# {days[1]}\n\n## 09:30\n\nHelped with the router\n",
            f"{MEMORY}/agents/iris/daily/{days[3]}.md": f"# {days[3]}\n\n## 10:00\n\nPlanted kiwis\n",
            f"{MEMORY}/agents/bo/MEMORY.md": "Bo knows the router password rule",
        },
    )


@pytest.fixture
def iris(engine: Engine, root: Path) -> Iterator[Agent]:
    yield Agent(engine=engine, set="agnx")


def test_recall_reads_world_memory_and_days_to_the_byte(iris: Agent, days: list[str]) -> None:
    assert iris.says("recall") == (
        "# World Knowledge\n\n## Systems\n\n- DB: PostgreSQL\n\n\n## people\n\nAlice - Role: Engineer"
        "\n\n---\n\n# Your Memory\n\nMara prefers short answers"
        f"\n\n---\n\n# Recent Experiences\n\n# {days[1]}\n\n## 09:30\n\nHelped with the router\n"
    )
    assert iris.says("recall", days=4).endswith(
        f"router\n\n\n---\n\n# {days[3]}\n\n## 10:00\n\nPlanted kiwis\n"
    )
    assert iris.says("memory", action="recall", days=1).endswith("Mara prefers short answers")


def test_remember_begins_a_day_and_adds_to_it(iris: Agent, root: Path, days: list[str], clock: Clock) -> None:
    time = f"{to_datetime(clock()).astimezone():%H:%M}"
    path = root / MEMORY / f"agents/iris/daily/{days[0]}.md"
    before = bytes_of(root)
    assert iris.says("remember", content="A {brace}") == f"Remembered. Written to {path}"
    iris.says("memory", action="remember", content="B")
    assert path.read_text() == f"# {days[0]}\n\n## {time}\n\nA {{brace}}\n\n## {time}\n\nB\n"
    assert {name: data for name, data in bytes_of(root).items() if name in before} == before
    assert iris.fails("remember", content=" ") == "content is required"


def test_reflect_replaces_what_the_agent_knew_and_is_undone(iris: Agent, root: Path) -> None:
    path = root / MEMORY / "agents/iris/MEMORY.md"
    said = iris.asks("reflect", content="# Iris\n\nBrevity")
    assert (said.text, path.read_bytes()) == (f"Reflected. Updated {path}", b"# Iris\n\nBrevity")
    assert iris.says("memory", action="reflect") == "Current MEMORY.md:\n\n# Iris\n\nBrevity"
    undo(iris.engine, Undo(change=said.change), author="person:Mara")
    assert path.read_text() == "Mara prefers short answers"


def test_what_others_wrote_since_is_merged_and_never_overwritten_unseen(iris: Agent, root: Path) -> None:
    path = root / MEMORY / "agents/iris/MEMORY.md"
    iris.says("reflect", content="# Iris\n\none\n\ntwo\n\nthree")
    iris.says("recall")
    path.write_text("# Iris\n\none\n\ntwo\n\nthree, by hand")
    said = iris.says("reflect", content="# Iris\n\nONE\n\ntwo\n\nthree")
    assert said.startswith(f"Reflected. Updated {path} (merged")
    assert path.read_text() == "# Iris\n\nONE\n\ntwo\n\nthree, by hand"
    iris.says("recall")
    iris.says("reflect", content="all anew")
    assert path.read_text() == "all anew"
    path.write_text("by hand again")
    assert iris.fails("reflect", content="and anew").startswith("Error: ")
    assert path.read_text() == "by hand again"


def test_a_topic_of_the_world_is_shared_and_its_file_named_as_agnx_names_it(iris: Agent, root: Path) -> None:
    world = root / MEMORY / "world"
    said = iris.says("learn_fact", topic="Émile's Big_Boat 2!", content="It floats")
    assert said == f"Learned. Written to {world / 'Émile-s-big_boat-2-.md'}"
    bo = Agent(engine=iris.engine, set="agnx", name="bo")
    assert "## Émile-s-big_boat-2-\n\nIt floats" in bo.says("recall")
    said = bo.says("update_world", topic="people", content="Alice left")
    assert said == f"Updated world knowledge at {world / 'people.md'}"
    assert (world / "people.md").read_text() == "Alice left"
    assert "Mara prefers" not in bo.says("recall")
    assert iris.fails("learn_fact", topic=" ", content="x") == "topic is required"


def test_a_topic_that_another_agent_wrote_is_read_before_it_is_written_anew(iris: Agent, root: Path) -> None:
    bo = Agent(engine=iris.engine, set="agnx", name="bo")
    bo.says("learn_fact", topic="boats", content="They float")
    assert "not read yet" in iris.fails("learn_fact", topic="boats", content="They sink")
    iris.says("recall")
    iris.says("learn_fact", topic="boats", content="They sink")
    assert (root / MEMORY / "world/boats.md").read_text() == "They sink"


@pytest.mark.parametrize(
    ("topic", "name"),
    [("Systems", "systems.md"), ("a  b", "a--b.md"), ("../x", "---x.md"), ("日本", "日本.md"), ("", ".md")],
)
def test_topics_are_sanitised_sign_by_sign(topic: str, name: str) -> None:
    assert topic_file(topic) == name


def test_a_topic_that_no_file_can_be_named_after_is_refused(iris: Agent, root: Path) -> None:
    before = bytes_of(root)
    assert iris.fails("learn_fact", topic="n" * 400, content="x") == "topic is too long for a file's name"
    assert bytes_of(root) == before


def test_older_days_are_searched_with_a_span_and_other_agents_stay_out(iris: Agent, days: list[str]) -> None:
    assert "Planted kiwis" in iris.says("search_memory", query="kiwis")
    assert iris.says("search_memory", query="kiwis", from_=days[2]) == "No memories found"
    found = iris.asks("search_memory", query="router", from_=days[3], to=days[0]).data["results"]
    assert [(row["path"], row["day"]) for row in found] == [(f"daily/{days[1]}.md", days[1])]
    assert "world/Systems.md" in iris.says("search_memory", query="PostgreSQL")
    assert "Bo knows" not in iris.says("search_memory", query="router password rule", limit=50)
    assert iris.fails("search_memory", query="x", from_="May") == "from must be a day such as 2026-01-31"


def test_duragent_keeps_its_memory_beside_the_agent(engine: Engine, tmp_path: Path) -> None:
    files = {
        ".duragent/memory/world/people.md": "Alice",
        ".duragent/agents/iris/agent.yaml": "kind: Agent\n",
        ".duragent/agents/iris/memory/MEMORY.md": "Short\n",
    }
    root, iris = opened(engine, tmp_path / "home", files), Agent(engine=engine, set="agnx")
    iris.says("memory", action="update_world", topic="people", content="Alice, Bob")
    iris.says("memory", action="reflect", content="Shorter\n")
    iris.says("memory", action="remember", content="Woke")
    assert (root / ".duragent/memory/world/people.md").read_text() == "Alice, Bob"
    assert (root / ".duragent/agents/iris/memory/MEMORY.md").read_text() == "Shorter\n"
    assert len(list((root / ".duragent/agents/iris/memory/daily").iterdir())) == 1


def test_an_agent_without_a_folder_gets_one_on_the_desk(engine: Engine) -> None:
    nova = Agent(engine=engine, set="agnx", name="nova")
    assert nova.says("recall") == nova.says("search_memory", query="x") == "No memories found"
    assert nova.says("memory", action="reflect").startswith("MEMORY.md is empty.")
    nova.says("remember", content="Began")
    nova.says("learn_fact", topic="Sea", content="Salt")
    there = engine.desk.workspaces / "agnx/memory"
    assert (there / "world/sea.md").read_text() == "Salt"
    assert len(list((there / "agents/nova/daily").iterdir())) == 1
    orion = Agent(engine=engine, set="agnx", name="orion")
    orion.says("remember", content="Began too")
    assert "## sea\n\nSalt" in orion.says("recall")
