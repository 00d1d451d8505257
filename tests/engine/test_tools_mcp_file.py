"""The MCP memory server's file: in and out without loss, in parts where it is long, and nothing of a broken one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.engine.engine import Engine
from memdesk.engine.interop.mcp_format import take_in, write_out
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.engine.undo import undo_run
from memdesk.files.places import Desk
from memdesk.model.curation import UndoRun
from memdesk.model.entity import ENTITY
from memdesk.model.errors import Refused
from memdesk.model.tools import AskGraphFile, TakeInGraph
from memdesk.store import events, records
from tests.effort import examples

FILE = "\n".join(
    (
        '{"type":"entity","name":"Alice","entityType":"person","observations":["works at Acme Corp","has a dog"]}',
        '{"type":"entity","name":"Acme Corp","entityType":"company","observations":[]}',
        '{"type":"entity","name":"茶","entityType":"饮料","observations":["喝起来\\n很香"]}',
        '{"type":"relation","from":"Alice","to":"Acme Corp","relationType":"works_at"}',
        '{"type":"relation","from":"Alice","to":"Nowhere","relationType":"dreams of"}',
    )
)


def test_a_file_comes_in_and_goes_out_to_the_byte_and_a_second_time_changes_nothing(engine: Engine) -> None:
    done = take_in(engine, TakeInGraph(text=FILE), author="agent:Forge")
    assert (done.entities, done.observations, done.relations) == (3, 3, 2)
    assert write_out(engine, AskGraphFile()).text == FILE
    again = take_in(engine, TakeInGraph(text=FILE + "\n\n"), author="agent:Forge")
    assert (again.entities, again.observations, again.relations) == (0, 0, 0)
    assert write_out(engine, AskGraphFile()).text == FILE


def test_what_went_out_makes_the_same_graph_on_an_empty_desk(engine: Engine, tmp_path: Path) -> None:
    take_in(engine, TakeInGraph(text=FILE, channel="atlas"), author="agent:Forge")
    told = write_out(engine, AskGraphFile(channel="atlas")).text
    other = open_engine(Desk(tmp_path / "other"))
    try:
        take_in(other, TakeInGraph(text=told), author="agent:Iris")
        assert write_out(other, AskGraphFile()).text == FILE
    finally:
        other.close()


def test_a_long_file_comes_in_as_one_run_that_is_taken_back_together(engine: Engine) -> None:
    said = [f"knows the number {number}" for number in range(700)]
    lines = [json.dumps({"type": "entity", "name": "Ada", "entityType": "person", "observations": said})]
    lines += [
        json.dumps({"type": "entity", "name": f"n{n}", "entityType": "number", "observations": []})
        for n in range(300)
    ]
    done = take_in(engine, TakeInGraph(text="\n".join(lines)), author="agent:Forge")
    assert (done.entities, done.observations) == (301, 700)
    with engine.store.reading() as db:
        last = events.newest(db)
    undone = undo_run(engine, UndoRun(change=last), author="person:Mara", progress=ignore_progress)
    assert undone["left"] == {} and undone["undone"] > 3
    assert write_out(engine, AskGraphFile()).text == ""


def test_fields_that_the_graph_does_not_know_are_kept_and_go_out_again(engine: Engine) -> None:
    text = (
        '{"type":"entity","name":"Ada","entityType":"Person","observations":[],"seen":[1,{"at":"sea"}]}\n'
        '{"type":"relation","from":"Ada","to":"Bo","relationType":"KNOWS","weight":2}'
    )
    take_in(engine, TakeInGraph(text=text), author="agent:Forge")
    assert write_out(engine, AskGraphFile()).text == text


@pytest.mark.parametrize(
    "said", ["a \\u0000 in a log", "C:\\\\users", '"quoted" \\\\u0000', "\u2028 \ufeff \x7f"]
)
def test_a_text_that_speaks_of_escapes_goes_out_and_comes_in(engine: Engine, said: str) -> None:
    line = {"type": "entity", "name": "Ada", "entityType": "Person", "observations": [said]}
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
    take_in(engine, TakeInGraph(text=text), author="agent:Forge")
    assert write_out(engine, AskGraphFile()).text == text


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"type":"entity","name":"B', "Line 6 is not JSON, or is torn"),
        ('{"type":"entity","name":"B","entityType":"x"}', "no list of texts in `observations`"),
        ('{"type":"entity","name":" ","entityType":"x","observations":[]}', "no text in `name`"),
        ('{"type":"relation","from":"A","to":1,"relationType":"x"}', "no text in `to`"),
        (
            '{"type":"entity","name":"B\\u0000","entityType":"x","observations":[]}',
            "a NUL or half a character",
        ),
        (
            '{"type":"entity","name":"B","entityType":"\\ud800","observations":[]}',
            "a NUL or half a character",
        ),
    ],
)
def test_a_line_that_is_not_of_the_format_is_named_and_nothing_comes_in(
    engine: Engine, line: str, why: str
) -> None:
    with pytest.raises(Refused, match=why):
        take_in(engine, TakeInGraph(text=f"{FILE}\n{line}"), author="agent:Forge")
    with engine.store.reading() as db:
        assert records.find(db, ENTITY) == []


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(0, len(FILE)), noise=st.binary(max_size=6))
def test_a_torn_or_noisy_file_comes_in_whole_or_not_at_all(engine: Engine, cut: int, noise: bytes) -> None:
    text = FILE[:cut] + noise.decode("utf-8", "replace")
    channel = f"run-{engine.clock()}"
    try:
        take_in(engine, TakeInGraph(text=text, channel=channel), author="agent:Forge")
    except Refused:
        assert write_out(engine, AskGraphFile(channel=channel)).text == ""


def test_lines_that_are_no_part_of_the_graph_are_carried_along(engine: Engine) -> None:
    others = ['{"type": "comment",  "text":"x"}', "[1]", "7", '{"no":"type"}', json.dumps("y" * 14_000)]
    text = "\n".join([others[0], *FILE.split("\n"), *others[1:]])
    done = take_in(engine, TakeInGraph(text=text), author="agent:Forge")
    assert (done.entities, done.relations, done.carried) == (3, 2, 5)
    assert write_out(engine, AskGraphFile()).text == "\n".join([FILE, *others])
    assert take_in(engine, TakeInGraph(text=text), author="agent:Forge").carried == 0
    more = take_in(engine, TakeInGraph(text='{"type":"tool"}'), author="agent:Forge")
    assert more.carried == 1
    assert write_out(engine, AskGraphFile()).text == "\n".join([FILE, *others, '{"type":"tool"}'])


def test_a_graph_with_all_that_the_reference_server_keeps_comes_out_to_the_byte(engine: Engine) -> None:
    said = ["lives in Oslo", "lives in Berlin", "Lives in Oslo", "", "z" * 30_000, "z" * 29_999 + "y"]
    lines: list[dict[str, object]] = [
        {"type": "entity", "name": "Ann", "entityType": "person", "observations": said},
        {"type": "entity", "name": "ANN", "entityType": "Person", "observations": ["Ann is tall"]},
        {"type": "relation", "from": "Ann", "to": "Ann", "relationType": "trusts"},
        {"type": "relation", "from": "Ann", "to": "ANN", "relationType": "trusts"},
    ]
    text = "\n".join(json.dumps(line, separators=(",", ":")) for line in lines)
    take_in(engine, TakeInGraph(text=text), author="agent:Forge")
    assert write_out(engine, AskGraphFile()).text == text
