"""A run is taken back whole and done again whole; what others changed since is kept and named."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from contextvars import Context
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.engine.engine import Engine
from memdesk.engine.interop import intake
from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.run import begin
from memdesk.engine.jobs.schedule import JOBS, perform
from memdesk.engine.memory.bulk import bulk
from memdesk.engine.memory.curate import edit_fact
from memdesk.engine.memory.promotion import promote
from memdesk.engine.memory.remember import learn_fact, store_turn
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.engine.undo import latest_undo, undo, undo_run
from memdesk.engine.workspace.outside_edits import compare_folders
from memdesk.engine.workspace.writing import replace
from memdesk.files.places import Desk
from memdesk.model.curation import Bulk, EditFact, Promote, Undo, UndoRun
from memdesk.model.document import DOCUMENT, WORKSPACE, Document
from memdesk.model.entity import ENTITY
from memdesk.model.errors import Conflict
from memdesk.model.fact import FACT, Fact
from memdesk.model.remember import NewFact, NewTurn
from memdesk.store import records
from tests.effort import examples
from tests.engine.whole_desk import differences, whole_desk
from tests.fixtures.intake.worlds import HERE, MARA, copy_of, take
from tests.store.agreement import assert_agreement

LAYOUTS = ("harbour", "chats", "shared", "sessions.json")
SYSTEMS = {
    "OpenClaw": {
        "SOUL.md": "# Soul\nCalm.\n",
        "IDENTITY.md": "Name: Runa\n",
        "memory/2026-03-01.md": "- Slept.\n",
    },
    "Claude Code": {"CLAUDE.md": "# Rules\n- Always use uv for Python\n- The API listens on port 8080\n"},
    "agnx": {
        ".agnx/agents/pilot/agent.yaml": "name: pilot\n",
        ".agnx/memory/world/a.md": "- The port shuts at ten\n",
    },
    "plain notes": {"notes/tea.md": "# Tea\n\nGreen at five.\n", "a.md": "Ana works for Kiln.\n"},
}


def newest_import(engine: Engine) -> int:
    with engine.store.reading() as db:
        return int(db.value("SELECT max(id) FROM changes WHERE op = 'import'"))


def take_back(engine: Engine, change: int) -> dict[str, Any]:
    return undo_run(engine, UndoRun(change=change), author=MARA, progress=ignore_progress)


def facts(engine: Engine, **columns: Any) -> list[Fact]:
    with engine.store.reading() as db:
        return records.find(db, FACT, **columns)


def document(engine: Engine, path: str) -> Document:
    with engine.store.reading() as db:
        return next(iter(records.find(db, DOCUMENT, path=path)))


def assert_whole(engine: Engine, folder: Path, act: Callable[[], Any]) -> None:
    """Take in, take back, do again and take back: each time the desk is as it was."""
    before = whole_desk(engine, folder)
    act()
    after, change = whole_desk(engine, folder), newest_import(engine)
    for expected in (before, after, before):
        done = take_back(engine, change)
        assert (done["left"], done["stays"]) == ({}, 0)
        assert not differences(expected, whole_desk(engine, folder))
        change = done["change"]
    engine.close()
    assert_agreement(engine.desk.database)


@pytest.mark.parametrize("name", LAYOUTS)
def test_an_import_goes_and_comes_back_whole(engine: Engine, tmp_path: Path, name: str) -> None:
    source = copy_of(name, tmp_path / "in") if (HERE / name).is_dir() else tmp_path / "in" / name
    if not source.exists():
        source.parent.mkdir()
        shutil.copy(HERE / name, source)
    assert_whole(engine, tmp_path / "in", lambda: take(engine, source))


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_folder_of_any_layout_goes_and_comes_back_whole(engine: Engine, tmp_path: Path, name: str) -> None:
    folder = written(tmp_path / "in", SYSTEMS[name])
    assert_whole(engine, folder, lambda: take(engine, folder))


def test_a_folder_that_was_copied_onto_the_desk_goes_with_its_files_and_comes_back_byte_by_byte(
    engine: Engine, tmp_path: Path
) -> None:
    folder = written(tmp_path / "in", SYSTEMS["OpenClaw"])
    (folder / "MEMORY.md").write_bytes("# Memory\r\n- Café at nine\r\n".encode("latin-1"))
    copies = engine.desk.workspaces
    before = whole_desk(engine, copies)
    take(engine, folder, copy=True)
    after, change = whole_desk(engine, copies), newest_import(engine)
    assert len(after[str(copies)]) == 4
    back = take_back(engine, change)
    gone = whole_desk(engine, copies)
    aside = {path.name for path in gone.pop(str(copies))}
    assert back["left"] == {} and len(aside) == 4 and before.pop(str(copies)) == {}
    assert not differences(before, gone)
    take_back(engine, back["change"])
    assert not differences(after, whole_desk(engine, copies))


def test_an_import_goes_whole_from_a_desk_that_has_memory(engine: Engine, tmp_path: Path) -> None:
    learn_fact(
        engine, NewFact(claim="The harbour is north", channel="runa", about=("PostgreSQL",)), author="agent:a"
    )
    say(engine, "I moved to Lisbon last week, and Ana works for Kiln.")
    folder = copy_of("harbour", tmp_path)
    assert_whole(engine, folder, lambda: take(engine, folder))


def test_a_file_of_more_lines_than_a_change_holds_goes_whole(engine: Engine, tmp_path: Path) -> None:
    lines = [f"- The {number}th berth is rented by company number {number}" for number in range(700)]
    folder = written(
        tmp_path / "in",
        {"SOUL.md": "Calm.\n", "MEMORY.md": "# Memory\n" + "\n".join(lines), "USER.md": "\n".join(lines[:5])},
    )
    assert_whole(engine, folder, lambda: take(engine, folder))


def test_one_change_of_such_a_file_says_to_take_the_run_back(engine: Engine, tmp_path: Path) -> None:
    lines = [f"- The {number}th berth is rented by company number {number}" for number in range(700)]
    take(engine, written(tmp_path / "in", {"SOUL.md": "Calm.\n", "MEMORY.md": "\n".join(lines)}))
    before = whole_desk(engine)
    with engine.store.reading() as db:
        change = db.value("SELECT max(id) FROM changes WHERE title = 'Imported MEMORY.md'")
    with pytest.raises(Conflict, match="more than one change holds") as refused:
        undo(engine, Undo(change=change), author=MARA)
    assert "run" in refused.value.next and not differences(before, whole_desk(engine))


def test_a_long_talk_goes_whole(engine: Engine, tmp_path: Path) -> None:
    talk = talk_of(tmp_path / "in", 130)
    assert_whole(engine, talk.parent, lambda: take(engine, talk))


@pytest.mark.slow
def test_six_thousand_turns_go_whole(engine: Engine, tmp_path: Path) -> None:
    talk = talk_of(tmp_path / "in", 6_000)
    assert_whole(engine, talk.parent, lambda: take(engine, talk))


def test_what_a_job_read_from_an_import_meanwhile_goes_with_it(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = intake.take_in

    def and_a_job(engine: Engine, *args: Any, **named: Any) -> Any:
        counts = plain(engine, *args, **named)
        # The clock's own run, which knows nothing of the import's.
        Context().run(lambda: consolidate(begin(engine, "consolidate", timed=False)))
        return counts

    monkeypatch.setattr(intake, "take_in", and_a_job)
    talk = talk_of(tmp_path / "in", 40)
    assert_whole(engine, talk.parent, lambda: take(engine, talk))


def test_what_all_jobs_made_of_an_import_goes_with_it(engine: Engine, tmp_path: Path) -> None:
    folder = copy_of("harbour", tmp_path / "in")
    before = whole_desk(engine, folder)
    take(engine, folder)
    for job in JOBS:
        perform(engine, job, author=MARA)
    done = take_back(engine, newest_import(engine))
    assert done["left"] == {} and not differences(before, whole_desk(engine, folder))


def test_what_was_edited_outside_since_goes_with_the_import_and_comes_back_with_it(
    engine: Engine, tmp_path: Path
) -> None:
    folder = copy_of("harbour", tmp_path)
    before = whole_desk(engine)
    take(engine, folder)
    file = folder / "MEMORY.md"
    file.write_text(file.read_text().replace("1 May", "1 June") + "\n- The crane is green\n")
    compare_folders(engine, [folder])
    after, text = whole_desk(engine), file.read_bytes()
    done = take_back(engine, newest_import(engine))
    assert done["left"] == {} and not differences(before, whole_desk(engine)) and file.read_bytes() == text
    again = latest_undo(engine, MARA)
    assert isinstance(again, UndoRun)
    undo_run(engine, again, author=MARA, progress=ignore_progress)
    assert not differences(after, whole_desk(engine)) and file.read_bytes() == text


def test_a_fact_that_a_person_corrected_stays_and_is_named(engine: Engine, tmp_path: Path) -> None:
    take(engine, copy_of("chats", tmp_path))
    fact = facts(engine)[0]
    edited = edit_fact(engine, EditFact(fact_id=fact.id, claim="The kiln is in Lisbon"), author=MARA).change
    after = whole_desk(engine)
    done = take_back(engine, newest_import(engine))
    assert done["left"] == {
        fact.id: f"“The kiln is in Lisbon” stays. Changed since by Mara (change {edited})."
    }
    assert [each.id for each in facts(engine)] == [fact.id]
    take_back(engine, done["change"])
    assert not differences(after, whole_desk(engine))


def test_a_corrected_fact_of_a_file_stays_while_its_folder_leaves_the_desk(
    engine: Engine, tmp_path: Path
) -> None:
    folder = copy_of("harbour", tmp_path)
    take(engine, folder)
    fact = facts(engine, claim="The north quay is closed for repairs until 1 May")[0]
    edit_fact(engine, EditFact(fact_id=fact.id, claim="The north quay is open"), author=MARA)
    text, after = (folder / "MEMORY.md").read_bytes(), whole_desk(engine)
    done = take_back(engine, newest_import(engine))
    assert fact.id in done["left"] and [each.id for each in facts(engine)] == [fact.id]
    with engine.store.reading() as db:
        assert not records.find(db, DOCUMENT, retired_at=None) and not records.find(
            db, WORKSPACE, retired_at=None
        )
    assert compare_folders(engine, [folder]) == {} and (folder / "MEMORY.md").read_bytes() == text
    take_back(engine, done["change"])
    assert not differences(after, whole_desk(engine))


def test_what_an_agent_learned_since_keeps_what_it_is_about(engine: Engine, tmp_path: Path) -> None:
    take(engine, copy_of("harbour", tmp_path))
    with engine.store.reading() as db:
        entity = records.find(db, ENTITY)[0]
    learned = learn_fact(
        engine, NewFact(claim="It listens on 5432", about=(entity.name,), channel="runa"), author="agent:a"
    )
    done = take_back(engine, newest_import(engine))
    assert [each.id for each in facts(engine)] == [learned.id]
    assert list(done["left"]) == [entity.id] and "agent:a" in done["left"][entity.id]
    with engine.store.reading() as db:
        assert [each.id for each in records.find(db, ENTITY)] == [entity.id]


def test_what_was_said_since_keeps_its_conversation(engine: Engine, tmp_path: Path) -> None:
    take(engine, talk_of(tmp_path / "in", 4))
    with engine.store.reading() as db:
        talk, channel = db.rows("SELECT id, channel FROM conversations")[0]
    turn = say(engine, "One more thing.", conversation=talk, channel=channel)
    take_back(engine, newest_import(engine))
    with engine.store.reading() as db:
        assert db.rows("SELECT id FROM conversations") == [(talk,)] and (turn,) in db.rows(
            "SELECT id FROM turns"
        )


def test_a_promoted_copy_keeps_its_original(engine: Engine, tmp_path: Path) -> None:
    take(engine, copy_of("harbour", tmp_path))
    fact = facts(engine)[0]
    copy = promote(engine, Promote(fact_id=fact.id), author=MARA)
    after = whole_desk(engine)
    done = take_back(engine, newest_import(engine))
    assert {each.id for each in facts(engine)} == {fact.id, copy.id} and fact.id in done["left"]
    take_back(engine, done["change"])
    assert not differences(after, whole_desk(engine))


def test_a_file_that_was_written_here_since_stays_with_its_versions(engine: Engine, tmp_path: Path) -> None:
    folder = copy_of("harbour", tmp_path)
    take(engine, folder)
    known = document(engine, "MEMORY.md")
    replace(engine, known.id, "- The lamp is out\n", base_hash=known.content_hash, author=MARA)
    done = take_back(engine, newest_import(engine))
    assert known.id in done["left"] and document(engine, "MEMORY.md").retired_at is not None
    assert (folder / "MEMORY.md").read_text() == "- The lamp is out\n"


def test_a_bulk_act_that_rewrites_a_file_gives_its_bytes_back(engine: Engine, tmp_path: Path) -> None:
    folder = copy_of("harbour", tmp_path)
    take(engine, folder)
    before = whole_desk(engine, folder)
    ids = tuple(each.id for each in facts(engine))
    done = bulk(engine, Bulk(verb="retire", ids=ids), author=MARA, progress=ignore_progress)
    after = whole_desk(engine, folder)
    assert done["left"] == {} and before[str(folder)] != after[str(folder)]
    back = take_back(engine, done["change"])
    assert back["left"] == {} and not differences(before, whole_desk(engine, folder))
    take_back(engine, back["change"])
    assert not differences(after, whole_desk(engine, folder))


@settings(max_examples=examples(12), deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6))
def test_whatever_is_done_between_an_import_goes_and_comes_whole(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Jobs, outside edits, agents and people act on an import; undo keeps what is theirs, and redo gives all back."""
    dice, place = random.Random(seed), tmp_path_factory.mktemp("run")
    engine = open_engine(Desk(place / "desk"))
    folder = copy_of("harbour", place / "in")
    talk_of(place / "in", dice.randrange(2, 30))
    take(engine, place / "in")
    theirs = [dice.choice(ACTS)(engine, folder, dice) for _ in range(dice.randrange(4))]
    after = whole_desk(engine, place / "in")
    done = take_back(engine, newest_import(engine))
    with engine.store.reading() as db:
        assert all(records.by_ids(db, [each]) for each in theirs if each)
    take_back(engine, done["change"])
    assert not differences(after, whole_desk(engine, place / "in"))
    engine.close()
    assert_agreement(engine.desk.database)


def _corrects(engine: Engine, folder: Path, dice: random.Random) -> str:
    fact = dice.choice(facts(engine, retired_at=None, superseded_by=None))
    edit_fact(engine, EditFact(fact_id=fact.id, claim=f"{fact.claim}, or not {dice.random()}"), author=MARA)
    return fact.id


def _learns(engine: Engine, folder: Path, dice: random.Random) -> str:
    with engine.store.reading() as db:
        entity = dice.choice(records.find(db, ENTITY))
    ask = NewFact(claim=f"{entity.name} has {dice.random()}", about=(entity.name,), channel=entity.channel)
    return learn_fact(engine, ask, author="agent:a").id


def _edits_outside(engine: Engine, folder: Path, dice: random.Random) -> str:
    file = folder / dice.choice(("MEMORY.md", "USER.md", "notes.md"))
    lines = file.read_text().splitlines()
    del lines[dice.randrange(len(lines))]
    file.write_text("\n".join([*lines, f"- The lamp number {dice.random()} is lit"]) + "\n")
    compare_folders(engine, [folder])
    return ""


def _says(engine: Engine, folder: Path, dice: random.Random) -> str:
    with engine.store.reading() as db:
        talk, channel = dice.choice(db.rows("SELECT id, channel FROM conversations"))
    return say(engine, f"I bought {dice.random()} boats.", conversation=talk, channel=channel)


def _works(engine: Engine, folder: Path, dice: random.Random) -> str:
    for job in JOBS:
        perform(engine, job, author=MARA)
    return ""


ACTS = (_corrects, _learns, _edits_outside, _says, _works)


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def talk_of(folder: Path, turns: int) -> Path:
    """A transcript in which people tell of themselves, of so many turns."""
    folder.mkdir(exist_ok=True)
    places = ("Lisbon", "Gothenburg", "Porto", "Malmö")
    said = [
        {
            "role": "user" if number % 2 == 0 else "assistant",
            "content": f"I moved to {places[number % 4]} in {1900 + number % 120}, "
            f"and Ana{number} joined Kiln{number}.",
        }
        for number in range(turns)
    ]
    file = folder / "talk.jsonl"
    file.write_text("\n".join(json.dumps(each) for each in said))
    return file


def say(engine: Engine, content: str, *, conversation: str = "c_before", channel: str = "runa") -> str:
    ask = NewTurn(conversation_id=conversation, channel=channel, content=content, speaker="Mara")
    return store_turn(engine, ask, author="agent:a").id
