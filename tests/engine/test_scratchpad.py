"""The scratchpad of a session: notes that outlive a restart, and the keys its runtime reserves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.memory.scratchpad import clear_notes, delete_note, list_notes, read_note, write_note
from memdesk.engine.opening import open_engine
from memdesk.files.places import Desk
from memdesk.model.errors import BadAsk
from memdesk.model.working import (
    FACTS,
    HINTS,
    PENDING,
    AskNote,
    ClearNotes,
    ListNotes,
    NoteWritten,
    WriteNote,
)
from memdesk.store import working
from tests.engine.conftest import Clock

IRIS = "agent:Iris"
MARA = "person:Mara"


def write(engine: Engine, key: str, value: Any, **more: Any) -> NoteWritten:
    return write_note(engine, WriteNote(**{"session_id": "s-1", "key": key, "value": value, **more}))


def note(engine: Engine, key: str, **more: Any) -> Any:
    found = read_note(engine, AskNote(**{"session_id": "s-1", "key": key, **more}), author=IRIS)
    engine.store.submit(lambda _: None).result()
    return found.value if found.found else "nothing"


def keys(engine: Engine, *, author: str = IRIS, **more: Any) -> list[str]:
    return [
        row.key for row in list_notes(engine, ListNotes(**{"session_id": "s-1", **more}), author=author).notes
    ]


def test_a_note_is_written_read_listed_and_deleted(engine: Engine) -> None:
    write(engine, "plan", "three steps")
    write(engine, "found", {"rent": 1200})
    assert keys(engine) == ["found", "plan"] and note(engine, "found") == {"rent": 1200}
    assert keys(engine, prefix="pl") == ["plan"]
    assert delete_note(engine, AskNote(session_id="s-1", key="plan")).keys == 1
    assert note(engine, "plan") == "nothing" and keys(engine) == ["found"]
    assert clear_notes(engine, ClearNotes(session_id="s-1")).keys == 1


def test_no_session_reads_anothers_notes_nor_any_users(engine: Engine) -> None:
    write(engine, "plan", "mine")
    write(engine, "plan", "another session's", session_id="s-1:plan")
    write(engine, "plan", "Jun's", user_id="jun")
    write(engine, "plan", "a sly one's", session_id="jun@s-1")
    assert (note(engine, "plan"), keys(engine)) == ("mine", ["plan"])
    assert note(engine, "plan", user_id="jun") == "Jun's"


def test_internal_keys_stay_out_of_agents_listings_but_can_be_read_by_name(engine: Engine) -> None:
    for key in HINTS:
        write(engine, key, "/srv/lisbon")
    write(engine, "subagent_result::a1", "done")
    assert keys(engine) == ["subagent_result::a1"]
    assert keys(engine, author=MARA) == [*sorted(HINTS), "subagent_result::a1"]
    assert note(engine, HINTS[0]) == "/srv/lisbon"


def test_session_facts_gather_lines_each_once(engine: Engine) -> None:
    write(engine, FACTS, "- likes tea\n- lives in Lisbon", append=True)
    write(engine, FACTS, "- lives in Lisbon\n- has a cat", append=True)
    assert note(engine, FACTS) == "- likes tea\n- lives in Lisbon\n- has a cat"


def test_pending_reports_queue_up_and_the_queue_can_be_emptied(engine: Engine) -> None:
    for agent in ("a1", "a2"):
        write(engine, PENDING, {"agent": agent}, append=True)
    assert note(engine, PENDING) == [{"agent": "a1"}, {"agent": "a2"}]
    write(engine, PENDING, [])
    assert note(engine, PENDING) == []


@pytest.mark.parametrize(
    ("key", "value"), [(FACTS, ["a"]), ("subagent_result::a", {"a": 1}), (PENDING, "text"), (HINTS[0], 7)]
)
def test_a_reserved_key_takes_only_what_it_means(engine: Engine, key: str, value: Any) -> None:
    with pytest.raises(BadAsk, match="reserved"):
        write(engine, key, value)


def test_what_is_added_to_a_note_comes_after_what_is_there(engine: Engine) -> None:
    write(engine, "log", "one", append=True)
    write(engine, "log", "two", append=True)
    write(engine, "steps", 1, append=True)
    write(engine, "steps", "two", append=True)
    assert (note(engine, "log"), note(engine, "steps")) == ("one\ntwo", [1, "two"])
    write(engine, "count", 7)
    for key, value in (("count", "more"), ("log", 3)):
        with pytest.raises(BadAsk, match="added"):
            write(engine, key, value, append=True)


def test_a_long_text_is_cut_and_says_so(engine: Engine) -> None:
    written = write(engine, "page", "x" * 10_001)
    assert written.cut and note(engine, "page") == "x" * 10_000 + "\n... (truncated to 10000 chars)"
    assert not write(engine, "page", "x" * 10_000).cut
    with pytest.raises(BadAsk, match="would have"):
        write(engine, "page", "more", append=True)
    with pytest.raises(BadAsk, match="would have"):
        write(engine, "list", ["x" * 10_000])
    assert not write(engine, "subagent_result::a", "x" * 20_000).cut


def test_a_session_holds_fifty_notes_beside_the_reserved_ones(engine: Engine) -> None:
    write(engine, "subagent_result::a", "done")
    for n in range(50):
        write(engine, f"n{n}", n)
    with pytest.raises(BadAsk, match="50 notes"):
        write(engine, "one more", 1)
    write(engine, "n0", "again")
    write(engine, FACTS, "- a line")
    write(engine, "elsewhere", 1, session_id="s-2")


@pytest.mark.parametrize("bad", [{"key": ""}, {"key": "k" * 300}, {"value": {1}}, {"ttl_seconds": 0}])
def test_a_bad_note_is_refused(engine: Engine, bad: dict[str, Any]) -> None:
    with pytest.raises(BadAsk):
        write(engine, **{"key": "fine", "value": 1, **bad})


def test_notes_outlive_a_restart_and_go_thirty_days_after_their_last_use(
    tmp_path: Path, clock: Clock
) -> None:
    desk = Desk(tmp_path / "desk")
    first = open_engine(desk, clock=clock)
    write(first, "plan", "three steps")
    first.close()
    second = open_engine(desk, clock=clock)
    try:
        for _ in range(2):
            clock.pass_days(29)
            assert note(second, "plan") == "three steps"
        clock.pass_days(31)
        assert note(second, "plan") == "nothing"
    finally:
        second.close()


def test_notes_may_be_kept_for_ever_or_for_a_moment(engine: Engine, clock: Clock) -> None:
    engine.use(replace(engine.settings, scratchpad_days=0))
    assert write(engine, "plan", "for ever").expires_at is None
    assert write(engine, "hint", "a moment", ttl_seconds=60).expires_at is not None
    clock.pass_days(3650)
    assert keys(engine) == ["plan"] and note(engine, "plan") == "for ever"


def test_checkpoints_are_kept_where_notes_go_and_are_no_notes(engine: Engine) -> None:
    engine.use(replace(engine.settings, working_megabytes=1))
    for number in range(60):
        write(engine, f"checkpoint::::{number:02}", {"state": "x" * 60_000})
    write(engine, "plan", "three steps")
    assert keys(engine) == ["plan"] and len(keys(engine, prefix="checkpoint::")) == 60
    for number in range(30):
        write(engine, "subagent_result::x", "y" * 60_000, session_id=f"s-{number + 2}")
    assert note(engine, "plan") == "nothing"
    assert len(keys(engine, prefix="checkpoint::")) == 60
    with engine.store.reading() as db:
        assert working.size(db).bytes <= 1_048_576
    assert clear_notes(engine, ClearNotes(session_id="s-1", prefix="checkpoint::")).keys == 60
