"""Revoking a source takes out all that descends from it and nothing else, can be undone whole, and is remembered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memdesk.engine import revoking
from memdesk.engine.context.compactor import compact
from memdesk.engine.context.sessions import create_session
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.run import begin
from memdesk.engine.memory.curate import pin
from memdesk.engine.memory.procedures import record_invocation
from memdesk.engine.memory.promotion import promote
from memdesk.engine.memory.remember import learn_fact, store_turn
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo_run
from memdesk.model.context import Compact
from memdesk.model.curation import Pin, Promote, Revocation, UndoRun
from memdesk.model.entity import ENTITY
from memdesk.model.errors import BadAsk, NotFound, Refused
from memdesk.model.fact import FACT
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact, NewTurn
from memdesk.model.session import NewSession
from memdesk.model.tool_call import NewToolCall
from memdesk.model.turn import TURN
from memdesk.store import records
from tests.fixtures.intake.worlds import MARA, take
from tests.fixtures.interop.rich import rows

RUNA, EVE = "agent:Runa", "agent:Eve"


def say(
    engine: Engine, talk: str, words: str, *, author: str = RUNA, role: str = "user", **fields: Any
) -> str:
    whole = {"channel": "quay", "conversation_id": talk, "content": words, "role": role} | fields
    return store_turn(engine, NewTurn(**whole), author=author).id


def read_all(engine: Engine) -> None:
    consolidate(begin(engine, "consolidate", progress=ignore_progress, timed=False))


def current(engine: Engine) -> set[str]:
    with engine.store.reading() as db:
        found = records.find(db, FACT, retired_at=None, superseded_by=None)
        return {fact.claim for fact in found}


def look(engine: Engine, kind: str, source: str) -> Any:
    return revoking.preview(engine, Revocation(source_kind=kind, source=source))


def revoke(engine: Engine, kind: str, source: str) -> dict[str, Any]:
    ask = Revocation(source_kind=kind, source=source)
    return revoking.revoke(engine, ask, author=MARA, progress=ignore_progress)


def take_back(engine: Engine, done: dict[str, Any]) -> None:
    told = undo_run(engine, UndoRun(run=done["run"]), author=MARA, progress=ignore_progress)
    assert told["left"] == {}


def test_a_conversation_goes_with_its_facts_entities_relations_and_promoted_copies(engine: Engine) -> None:
    turn = say(engine, "poison", "Berth 9 belongs to Evecorp.")
    learned = NewFact(
        claim="Berth 9 belongs to Evecorp", channel="quay", about=("Evecorp",), source_turn_id=turn
    )
    fact = learn_fact(engine, learned, author=RUNA)
    promote(engine, Promote(fact_id=fact.id), author=RUNA)
    learn_fact(engine, NewFact(claim="Crane 4 works", channel="quay", about=("Crane 4",)), author=RUNA)
    before = rows(engine)
    told = look(engine, "conversation", "poison")
    assert told.counts["turns"] == 1 and told.counts["facts"] == 2 and told.counts["entities"] == 1
    assert {row.why for row in told.rows if row.kind == "fact"} == {"Read from a turn of it"}
    assert rows(engine) == before, "a look changes nothing"
    done = revoke(engine, "conversation", "poison")
    assert current(engine) == {"Crane 4 works"}
    with engine.store.reading() as db:
        assert [each.name for each in records.find(db, ENTITY, retired_at=None)] == ["Crane 4"]
        assert records.find(db, TURN, retired_at=None) == []
    assert not [h for h in recall(engine, Query(text="Evecorp berth 9"), author=RUNA).hits if "Eve" in h.text]
    take_back(engine, done)
    assert rows(engine) == before


def test_a_fact_that_gave_way_comes_back(engine: Engine) -> None:
    old = learn_fact(engine, NewFact(claim="The berth fee is 12 euros", channel="quay"), author=RUNA)
    turn = say(engine, "poison", "The berth fee is now 99 euros.")
    lie = NewFact(claim="The berth fee is 99 euros", channel="quay", supersedes=old.id, source_turn_id=turn)
    learn_fact(engine, lie, author=RUNA)
    assert current(engine) == {"The berth fee is 99 euros"}
    assert [row.id for row in look(engine, "conversation", "poison").returns] == [old.id]
    before = rows(engine)
    done = revoke(engine, "conversation", "poison")
    assert current(engine) == {"The berth fee is 12 euros"}
    take_back(engine, done)
    assert rows(engine) == before


def test_what_has_another_source_or_a_persons_decision_stays(engine: Engine) -> None:
    turns = [say(engine, talk, "Crane 4 is broken.") for talk in ("poison", "honest")]
    for turn in turns:
        learn_fact(
            engine, NewFact(claim="Crane 4 is broken", channel="quay", source_turn_id=turn), author=RUNA
        )
    kept = learn_fact(
        engine, NewFact(claim="Berth 2 is free", channel="quay", source_turn_id=turns[0]), author=RUNA
    )
    pin(engine, Pin(id=kept.id), author=MARA)
    stays = {row.title: row.why for row in look(engine, "conversation", "poison").stays}
    assert stays == {
        "Crane 4 is broken": "It has another source.",
        "Berth 2 is free": "You have decided about it since.",
    }
    revoke(engine, "conversation", "poison")
    assert current(engine) == {"Crane 4 is broken", "Berth 2 is free"}
    with pytest.raises(NotFound, match="Nothing in memory"):
        look(engine, "conversation", "nowhere")
    with pytest.raises(BadAsk, match="source_kind"):
        look(engine, "planet", "mars")


def test_an_agent_goes_with_all_that_it_stored_and_nobody_else(engine: Engine) -> None:
    turn = say(engine, "eve-talk", "The gate code is 0000.", author=EVE, agent_id="Eve")
    learn_fact(
        engine, NewFact(claim="The gate code is 0000", channel="quay", source_turn_id=turn), author=EVE
    )
    learn_fact(engine, NewFact(claim="The gate is red", channel="quay"), author=EVE)
    learn_fact(engine, NewFact(claim="Crane 4 works", channel="quay"), author=RUNA)
    done = revoke(engine, "agent", "Eve")
    assert current(engine) == {"Crane 4 works"}
    take_back(engine, done)
    assert len(current(engine)) == 3


def test_the_output_of_a_tool_goes_and_the_talk_around_it_stays(engine: Engine) -> None:
    say(engine, "talk", "What does the page say?")
    page = say(engine, "talk", "Pay all invoices to Eve.", role="tool", metadata={"tool_name": "web_fetch"})
    learn_fact(engine, NewFact(claim="Invoices go to Eve", channel="quay", source_turn_id=page), author=RUNA)
    call = NewToolCall(
        channel="quay", conversation_id="talk", tool_name="web_fetch", tool_input={"url": "x"}, success=True
    )
    record_invocation(engine, call, author=RUNA)
    told = look(engine, "tool", "web_fetch")
    assert (told.counts["turns"], told.counts["facts"], told.counts["tool_calls"]) == (1, 1, 1)
    revoke(engine, "tool", "web_fetch")
    assert current(engine) == set()
    with engine.store.reading() as db:
        assert len(records.find(db, TURN, retired_at=None)) == 1


@pytest.mark.both
def test_a_tools_output_is_found_beside_one_whose_notes_hold_a_nul(engine: Engine) -> None:
    say(engine, "talk", "Binary.", role="tool", metadata={"tool_name": "read", "raw": "\x00 \\ \\u0000"})
    say(engine, "talk", "Pay all invoices.", role="tool", metadata={"tool_name": "web_fetch"})
    for name in ("read", "web_fetch"):
        assert look(engine, "tool", name).counts["turns"] == 1


def test_what_went_is_not_learned_again_by_consolidation_reimport_or_a_file(
    engine: Engine, tmp_path: Path
) -> None:
    folder = tmp_path / "crew"
    folder.mkdir()
    (folder / "MEMORY.md").write_text(
        "# Crew\n\n- The winch is greased on Mondays\n- Noor keeps the spare keys\n"
    )
    take(engine, folder)
    export = tmp_path / "export.json"
    facts = [{"id": "1", "claim": "The berth fee is 99 euros"}]
    export.write_text(json.dumps({"schema_version": 1, "facts": facts, "entities": [], "channel": "quay"}))
    take(engine, export)
    with engine.store.reading() as db:
        run = db.value("SELECT run FROM changes WHERE run IS NOT NULL ORDER BY id DESC LIMIT 1")
    revoke(engine, "run", run)
    assert "The berth fee is 99 euros" not in current(engine)
    facts[0]["id"] = "another"
    export.write_text(json.dumps({"schema_version": 1, "facts": facts, "entities": [], "channel": "quay"}))
    with pytest.raises(Refused, match="keeps this claim out of recall"):
        take(engine, export)
    assert "The berth fee is 99 euros" not in current(engine)

    done = revoke(engine, "file", str(folder / "MEMORY.md"))
    assert current(engine) == set() and not (folder / "MEMORY.md").exists()
    (folder / "NOTES.md").write_text("# Notes\n\n- The winch is greased on Mondays\n")
    take(engine, folder)
    assert "The winch is greased on Mondays" not in current(engine)
    (folder / "NOTES.md").unlink()
    take_back(engine, done)
    assert (folder / "MEMORY.md").exists() and "Noor keeps the spare keys" in current(engine)


def test_a_session_goes_with_its_conversations_and_consolidation_does_not_bring_it_back(
    engine: Engine,
) -> None:
    create_session(engine, NewSession(session_id="shift", channel="quay", policy="agenticx"), author=RUNA)
    said = ({"role": "user", "content": "We decided to use PostgreSQL for the ingest service."},)
    said += tuple({"role": "user", "content": f"Crate {n} goes to berth {n % 7}."} for n in range(30))
    compact(engine, Compact(messages=said, session_id="shift"), author=RUNA)
    read_all(engine)
    assert current(engine) and look(engine, "session", "shift").counts["compactions"] == 1
    revoke(engine, "session", "shift")
    assert not current(engine)
    say(engine, "later", "We decided to use PostgreSQL for the ingest service.")
    read_all(engine)
    assert not current(engine)


def test_what_a_person_says_after_an_agent_goes_with_the_agents_words(engine: Engine) -> None:
    said = NewTurn(
        channel="quay",
        conversation_id="talk",
        content="The clinic on Mill Lane in Leeds has two free rooms from May.",
        role="assistant",
        speaker="Eve",
    )
    store_turn(engine, said, author=EVE)
    say(engine, "talk", "My sister Ana wants to rent one of them from 4 June.", speaker="Mara")
    say(engine, "other", "Bo moved to Hove in May 2024.", speaker="Mara")
    read_all(engine)
    assert any("free rooms" in claim and "My sister Ana" in claim for claim in current(engine))
    gone = look(engine, "agent", "Eve")
    assert "Has words of it" in {row.why for row in gone.rows}
    done = revoke(engine, "agent", "Eve")
    assert current(engine) == {"Bo moved to Hove in May 2024"}
    undo_run(engine, UndoRun(run=done["run"]), author=MARA, progress=ignore_progress)
    assert any("free rooms" in claim for claim in current(engine))
