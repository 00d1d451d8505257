"""LoCoMo files: sessions become conversations, dates become times, captions stay."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.model.instant import SECOND, from_datetime
from memdesk.model.turn import CONVERSATION, TURN, Conversation, Turn
from memdesk.store import records, search
from tests.fixtures.intake.worlds import HERE, changes, copy_of, look, take

FILE = HERE / "sessions.json"


def test_each_session_is_a_conversation_in_its_samples_channel(engine: Engine) -> None:
    counts = take(engine, FILE)
    assert (counts["conversations"], counts["turns"], counts["skipped"]) == (2, 3, 1)
    with engine.store.reading() as db:
        talks: list[Conversation] = records.find(db, CONVERSATION)
        turns: list[Turn] = records.find(db, TURN)
    assert [(talk.id, talk.title, talk.channel) for talk in talks] == [
        ("pair-1/session-1", "pair-1, session 1", "pair-1"),
        ("pair-1/session-2", "pair-1, session 2", "pair-1"),
    ]
    assert [turn.id for turn in turns] == ["pair-1/D1:1", "pair-1/D1:2", "pair-1/D2:1"]
    assert [turn.speaker for turn in turns] == ["Ada", "Bo", "Bo"]
    assert turns[1].content == "Look at this. [shares a red boat on a lake]"
    start = from_datetime(datetime(2023, 5, 8, 13, 56))
    assert [turn.created_at for turn in turns[:2]] == [start, start + 30 * SECOND]


def test_an_undated_session_stays_out_by_name(engine: Engine) -> None:
    (left,) = look(engine, FILE).skipped
    assert (left.name, left.why) == ("pair-1, session 10", "The session has no date.")


def test_a_second_import_changes_nothing(engine: Engine) -> None:
    take(engine, FILE)
    before = changes(engine)
    assert take(engine, FILE)["known"] == 2
    assert changes(engine) == before


def test_what_came_in_can_be_found_by_its_channel(engine: Engine) -> None:
    take(engine, FILE, channel="pairs")
    with engine.store.reading() as db:
        assert search.channels_of(db, "local") == ("pairs",)


def test_the_caller_may_name_the_channel(engine: Engine) -> None:
    take(engine, FILE, channel="pairs")
    with engine.store.reading() as db:
        assert {talk.channel for talk in records.find(db, CONVERSATION)} == {"pairs"}


def test_facts_are_drawn_from_what_came_in(engine: Engine, tmp_path: Path) -> None:
    copy = copy_of("sessions.json", tmp_path)
    copy.write_text(copy.read_text().replace("I took up rowing.", "My sister Ines lives in Brest."))
    assert take(engine, copy)["facts"] >= 1
