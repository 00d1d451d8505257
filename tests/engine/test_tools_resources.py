"""What an agent reads without a tool: its files, days and facts by their address; and the texts of its prompts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from memdesk.engine.context import sessions
from memdesk.engine.context.prompt import context
from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import learn_fact, store_turns
from memdesk.engine.toolsets import resources
from memdesk.engine.toolsets.agent_folders import homes_of
from memdesk.engine.workspace.bootstrap import bootstrap
from memdesk.model.errors import BadAsk, MemDeskError, NotFound
from memdesk.model.prompt import AskContext, ListSeen
from memdesk.model.remember import NewFact, NewTurn, NewTurns
from memdesk.model.tools import ToolCall, ToolPlace
from memdesk.model.workspace_files import AskPrompt
from tests.engine.conftest import embed_all
from tests.engine.tools import Agent, opened

FILES = {
    "iris/AGENTS.md": "# Agents\n\nBe kind.\n",
    "iris/SOUL.md": "# Soul\n\nFond of boats.\n",
    "iris/MEMORY.md": "# Memory\n\n- Boats leak\n",
    "iris/memory/2026-02-20.md": "# 2026-02-20\n\n- Planted kiwis\n",
    "iris/memory/2026-02-21.md": "# 2026-02-21\n\n- Watered kiwis\n",
}
OWNER = ToolCall(agent="unnamed", author="person:Mara", owner=True)


def iris(arguments: dict[str, str] | None = None, **place: str) -> ToolCall:
    return ToolCall(agent="iris", author="agent:iris", place=ToolPlace(**place), arguments=arguments or {})


@pytest.fixture
def root(engine: Engine, tmp_path: Path) -> Path:
    opened(engine, tmp_path / "home", FILES)
    embed_all(engine)
    return tmp_path / "home"


def names(found: Sequence[resources.Resource]) -> list[str]:
    return [each.name for each in found]


def test_files_days_and_facts_are_listed_and_every_one_of_them_is_read(engine: Engine, root: Path) -> None:
    found = resources.listed(engine, iris())
    assert names(found) == ["AGENTS.md", "MEMORY.md", "SOUL.md", "2026-02-21", "2026-02-20", "facts"]
    texts = {each.name: resources.read(engine, iris(), each.uri).text for each in found}
    assert texts["SOUL.md"] == FILES["iris/SOUL.md"]
    assert texts["2026-02-20"] == FILES["iris/memory/2026-02-20.md"]


def test_a_file_is_read_as_it_is_on_the_disk_now(engine: Engine, root: Path) -> None:
    uri = {each.name: each.uri for each in resources.listed(engine, iris())}["MEMORY.md"]
    (root / "iris/MEMORY.md").write_text("by hand\n")
    assert resources.read(engine, iris(), uri).text == "by hand\n"
    (root / "iris/MEMORY.md").unlink()
    with pytest.raises(NotFound):
        resources.read(engine, iris(), uri)


def test_what_was_read_here_may_be_replaced_by_a_tool(engine: Engine, tmp_path: Path) -> None:
    opened(engine, tmp_path / "home", {".agnx/memory/agents/iris/MEMORY.md": "Mara prefers short answers"})
    path, agent = tmp_path / "home/.agnx/memory/agents/iris/MEMORY.md", Agent(engine=engine, set="agnx")
    path.write_text("by hand")
    assert agent.fails("reflect", content="unseen").startswith("Error: ")
    (memory, *_) = resources.listed(engine, iris())
    assert resources.read(engine, iris(), memory.uri).text == "by hand"
    assert "merged" not in agent.says("reflect", content="all anew")
    assert path.read_text() == "all anew"


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "memdesk://file/",
        "memdesk://file/../x",
        "memdesk://day/now",
        "memdesk://day/1999-01-01",
        "memdesk://fact/none",
        "file:///etc/passwd",
        "memdesk://facts/",
        "memdesk://file/%00",
    ],
)
def test_an_address_of_nothing_is_refused_in_a_sentence(engine: Engine, root: Path, uri: str) -> None:
    with pytest.raises(NotFound) as refused:
        resources.read(engine, iris(), uri)
    assert refused.value.says and refused.value.next


def test_another_agent_finds_none_of_it_and_the_owner_all(engine: Engine, root: Path) -> None:
    bo = ToolCall(agent="bo", author="agent:bo")
    assert names(resources.listed(engine, bo)) == ["facts"]
    for each in resources.listed(engine, iris())[:-1]:
        with pytest.raises(NotFound):
            resources.read(engine, bo, each.uri)
    assert names(resources.listed(engine, OWNER)) == names(resources.listed(engine, iris()))


def test_facts_are_the_agents_own_and_nobodys_of_its_channels(engine: Engine, root: Path) -> None:
    (home,) = homes_of(engine, iris())
    for claim, where, agent in (
        ("Mine", home.channel, "iris"),
        ("Nobody's", "_global", None),
        ("Bo's", home.channel, "bo"),
        ("Elsewhere", "moon", "iris"),
    ):
        new = NewFact(claim=claim, channel=where, agent_id=agent)
        last = learn_fact(engine, new, author="agent:iris").id
    told = resources.read(engine, iris(), resources.FACTS).text
    assert "- Mine (f_" in told and "- Nobody's (f_" in told
    assert "Bo's" not in told and "Elsewhere" not in told
    assert "Elsewhere" in resources.read(engine, iris(channel="moon"), resources.FACTS).text
    whole = resources.read(engine, iris(), f"{resources.FACT_OF}{last}")
    assert whole.mime == "application/json" and json.loads(whole.text)["claim"] == "Elsewhere"


def test_a_prompt_recalls_what_a_hook_would_tell_and_it_is_kept_what_was_told(
    engine: Engine, root: Path
) -> None:
    said = NewTurn(conversation_id="then", channel="_global", role="user", content="The pump sings at noon")
    store_turns(engine, NewTurns(turns=(said,)), author="agent:iris")
    asked = "when does the pump sing?"
    _, text = resources.prompt(engine, iris({"query": asked}, session_id="s-1"), "recall")
    assert "## Recalled\n\n- user: The pump sings at noon" in text and "Fond of boats." in text
    (home,) = homes_of(engine, iris())
    ask = AskContext(text=asked, session_id="s-1", channel=home.channel, agent_id="iris")
    assert text == context(engine, ask, author="agent:iris").text
    engine.store.submit(lambda db: None).result()
    first = sessions.prompts(engine, ListSeen(session_id="s-1")).rows[-1]
    assert (first.query, first.author, first.agent_id) == (asked, "agent:iris", "iris")
    _, text = resources.prompt(engine, iris({"query": "do boats leak?"}), "recall")
    assert "Boats leak" in text.partition("## Recalled\n\n")[2]


def test_a_prompt_says_so_when_nothing_is_remembered(engine: Engine) -> None:
    _, text = resources.prompt(engine, iris({"query": "xylophone\nqwzx"}), "recall")
    assert text == "Nothing is remembered about “xylophone qwzx”."
    _, text = resources.prompt(engine, iris(), "session-start")
    assert text == "Nothing is remembered that a session could begin with."


def test_a_session_starts_with_the_standing_files_and_what_is_strong(engine: Engine, root: Path) -> None:
    learn_fact(engine, NewFact(claim="Wrens nest early"), author="agent:iris")
    _, text = resources.prompt(engine, iris(), "session-start")
    assert text.startswith(bootstrap(engine, AskPrompt(), author="agent:iris").text.rstrip())
    assert "Fond of boats." in text and "## Known facts" in text and "- Wrens nest early" in text
    bo = ToolCall(agent="bo", author="agent:bo")
    _, text = resources.prompt(engine, bo, "session-start")
    assert "Fond of boats." not in text and "- Wrens nest early" in text


def test_which_of_several_workspaces_is_told_the_folder_says_and_else_a_notice(
    engine: Engine, tmp_path: Path
) -> None:
    opened(engine, tmp_path / "one", {"iris/AGENTS.md": "# Agents\n", "iris/SOUL.md": "# One\n"})
    opened(engine, tmp_path / "two", {"iris/AGENTS.md": "# Agents\n", "iris/SOUL.md": "# Two\n"})
    _, text = resources.prompt(engine, iris(cwd=str(tmp_path / "two")), "session-start")
    assert "# Two" in text and "# One" not in text
    _, text = resources.prompt(engine, iris(), "session-start")
    assert "# One" not in text and "No files were told. Several workspaces could be meant" in text


@pytest.mark.parametrize(
    ("call", "name", "wrong"),
    [
        (iris(), "fly", NotFound),
        (iris(), "recall", BadAsk),
        (iris({"query": " "}), "recall", BadAsk),
        (iris({"query": "x", "more": "y"}), "recall", BadAsk),
        (iris({"query": "x"}), "session-start", BadAsk),
    ],
)
def test_what_is_no_prompt_or_has_no_text_is_refused(
    engine: Engine, root: Path, call: ToolCall, name: str, wrong: type[MemDeskError]
) -> None:
    with pytest.raises(wrong):
        resources.prompt(engine, call, name)
