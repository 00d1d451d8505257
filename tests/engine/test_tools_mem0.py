"""Mem0's tools on Mem0's own library: a store for each user beside the desk, and nobody else is asked for anything."""

from __future__ import annotations

import importlib.util
import json
import socket
import sys
from typing import Any

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.memory.erase import erase_user
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall
from memdesk.model.curation import EraseUser
from memdesk.model.errors import NotFound
from memdesk.model.recall import Query
from memdesk.model.tools import ToolAnswer, ToolPlace
from tests.engine.tools import Agent
from tests.fixtures.intake.worlds import take

MARA = "person:Mara"


@pytest.fixture
def iris(engine: Engine) -> Agent:
    # Importing it here would be before it is told to report nothing.
    if importlib.util.find_spec("mem0") is None:
        pytest.skip("the extra mem0 is not installed")
    return Agent(engine=engine, set="mem0")


def kept(agent: Agent, text: str, **more: Any) -> str:
    said = agent.asks("add_memory", text=text, **more)
    assert not said.is_error, said.text
    return str(said.data["results"][0]["id"])


def texts(said: ToolAnswer) -> list[str]:
    assert json.loads(said.text)["results"] is not None
    return [row["memory"] for row in said.data["results"]]


def test_what_is_kept_is_found_by_meaning_and_listed_by_page(iris: Agent) -> None:
    for text in ("Mara is allergic to hazelnuts", "The boat leaves at nine", "Rent is due on Friday"):
        kept(iris, text)
    assert texts(iris.asks("search_memories", query="nut allergy", limit=1)) == [
        "Mara is allergic to hazelnuts"
    ]
    pages = [texts(iris.asks("get_memories", page=page, page_size=2)) for page in (1, 2, 3)]
    assert [len(page) for page in pages] == [2, 1, 0] and len({*pages[0], *pages[1]}) == 3


def test_messages_are_kept_as_they_are_without_asking_any_model(
    iris: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("somebody was called")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    messages = [{"role": "user", "content": "I moved to Oslo"}, {"role": "assistant", "content": "Noted."}]
    said = iris.asks("add_memory", messages=messages, metadata={"talk": 7})
    assert texts(said) == ["I moved to Oslo", "Noted."]
    (oslo,) = iris.asks("search_memories", query="Oslo", limit=1).data["results"]
    assert (oslo["metadata"], oslo["user_id"], oslo["agent_id"]) == ({"talk": 7}, "local", "iris")


def test_a_memory_is_read_rewritten_and_deleted_by_its_id(iris: Agent) -> None:
    id = kept(iris, "The boat leaves at nine")
    assert not iris.asks("update_memory", memory_id=id, text="The boat leaves at ten").is_error
    assert iris.asks("get_memory", memory_id=id).data["memory"] == "The boat leaves at ten"
    assert not iris.asks("delete_memory", memory_id=id).is_error
    for tool, more in (("get_memory", {}), ("update_memory", {"text": "no"}), ("delete_memory", {})):
        gone = iris.asks(tool, memory_id=id, **more)
        assert gone.is_error and id in json.loads(gone.text)["error"]


def test_agents_and_runs_narrow_and_all_of_one_can_go(iris: Agent, engine: Engine) -> None:
    kept(iris, "Kiwis climb", run_id="monday")
    kept(iris, "Kiwis are green")
    bo = Agent(engine=engine, set="mem0", name="bo")
    theirs = kept(bo, "Kiwis are brown")
    assert texts(iris.asks("get_memories", run_id="monday")) == ["Kiwis climb"]
    assert texts(iris.asks("search_memories", query="kiwis", agent_id="bo")) == ["Kiwis are brown"]
    for tool, told in (
        ("delete_all_memories", {"agent_id": "bo"}),
        ("delete_memory", {"memory_id": theirs}),
        ("update_memory", {"memory_id": theirs, "text": "no"}),
    ):
        assert "belongs to the agent bo" in iris.asks(tool, **told).text
    assert not bo.asks("delete_all_memories").is_error
    assert sorted(texts(iris.asks("get_memories"))) == ["Kiwis are green", "Kiwis climb"]
    assert not iris.asks("delete_all_memories").is_error
    assert texts(iris.asks("get_memories")) == []


def test_users_have_stores_apart_and_an_erased_one_is_gone_from_the_disk(iris: Agent, engine: Engine) -> None:
    id = kept(iris, "Mara likes tea")
    ben = Agent(engine=engine, set="mem0", place=ToolPlace(user_id="ben/../local"))
    kept(ben, "Ben likes coffee")
    assert texts(ben.asks("search_memories", query="tea")) == ["Ben likes coffee"]
    assert ben.asks("get_memory", memory_id=id).is_error
    erase_user(
        engine,
        EraseUser(user_id="ben/../local", confirm="ben/../local"),
        author=MARA,
        progress=lambda *_: None,
    )
    assert not engine.mem0.place("ben/../local").exists()
    assert texts(ben.asks("get_memories")) == []
    assert texts(iris.asks("get_memories")) == ["Mara likes tea"]
    with pytest.raises(NotFound):
        erase_user(
            engine, EraseUser(user_id="nobody", confirm="nobody"), author=MARA, progress=lambda *_: None
        )


def test_it_is_all_there_after_a_restart_and_can_be_brought_onto_the_desk(
    iris: Agent, engine: Engine
) -> None:
    kept(iris, "Mara is allergic to hazelnuts")
    engine.close()
    again = open_engine(engine.desk)
    try:
        assert texts(Agent(engine=again, set="mem0").asks("get_memories")) == [
            "Mara is allergic to hazelnuts"
        ]
        take(again, again.mem0.place("local") / "history.db", channel="_global")
        assert "Mara is allergic to hazelnuts" in str(
            recall(again, Query(text="hazelnuts"), author=MARA).hits
        )
    finally:
        again.close()


def test_without_the_extra_a_sentence_says_how_to_have_it(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mem0", None)
    said = Agent(engine=engine, set="mem0").asks("add_memory", text="Kiwis climb")
    assert said.is_error and "pip install 'memdesk[mem0]'" in json.loads(said.text)["error"]


def test_a_store_that_is_no_store_is_said_and_left_as_it_is(iris: Agent, engine: Engine) -> None:
    place = engine.mem0.place("local")
    place.mkdir(parents=True)
    (place / "history.db").write_text("not a database")
    said = iris.asks("add_memory", text="Kiwis climb")
    assert said.is_error and str(place) in json.loads(said.text)["error"]
    assert (place / "history.db").read_text() == "not a database"
