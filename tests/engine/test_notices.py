"""What was found lost or damaged stays found until a person has answered it, however often the desk is opened."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.mark import read_mark
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.opening import open_engine
from memdesk.engine.verify import scrub, verify
from memdesk.files.notices import standing
from memdesk.files.places import Desk
from memdesk.model.errors import NotFound
from memdesk.model.remember import NewFact
from tests.engine.test_integrity import write_past


def learn(engine: Engine, claim: str) -> str:
    return learn_fact(engine, NewFact(claim=claim, channel="tidepool"), author="agent:coder").id


@pytest.fixture
def put_back(tmp_path: Path) -> Desk:
    """A desk whose database was put back to an earlier state, while the mark outside it knows of a later one."""
    desk = Desk(tmp_path / "desk")
    engine = open_engine(desk)
    learn(engine, "The payments service runs in Frankfurt.")
    engine.close()
    shutil.copy(desk.database, tmp_path / "earlier.db")
    engine = open_engine(desk)
    learn(engine, "The payments service is written in Go.")
    engine.close()
    shutil.copy(tmp_path / "earlier.db", desk.database)
    return desk


def opened(desk: Desk, look: Callable[[Engine], object]) -> object:
    engine = open_engine(desk)
    try:
        return look(engine)
    finally:
        engine.close()


@pytest.mark.file
def test_a_loss_stays_told_through_restarts_and_later_writes_until_it_is_answered(put_back: Desk) -> None:
    for _ in range(3):
        opened(put_back, lambda engine: learn(engine, "The cache runs in Oslo."))
        (notice,) = standing(put_back.notices)
        assert (notice.id, "lacked its last" in notice.says) == ("lost", True)
        assert not verify_of(put_back)
    opened(put_back, lambda engine: engine.notices.answer("lost"))
    assert standing(put_back.notices) == ()
    assert opened(put_back, lambda engine: engine.notices.standing()) == ()
    assert verify_of(put_back)


def verify_of(desk: Desk) -> bool:
    return bool(opened(desk, lambda engine: verify(engine).whole))


@pytest.mark.file
def test_the_mark_is_not_written_over_while_the_loss_cannot_be_written_down(put_back: Desk) -> None:
    before = read_mark(put_back.mark)
    put_back.notices.mkdir()

    opened(put_back, lambda engine: learn(engine, "The cache runs in Oslo."))

    assert read_mark(put_back.mark) == before


@pytest.mark.file
def test_another_history_of_the_same_length_is_told_too(put_back: Desk) -> None:
    put_back.mark.unlink()
    opened(put_back, lambda engine: learn(engine, "The cache runs in Oslo."))
    known = read_mark(put_back.mark)
    assert known is not None
    put_back.mark.write_text(f"{known.event} {bytes(16).hex()}\n", encoding="ascii")

    (notice,) = opened(put_back, lambda engine: engine.notices.standing())  # type: ignore[misc]

    assert notice.id == "lost"


def test_the_scrub_finds_what_nobody_reads_and_goes_on_where_it_was(engine: Engine) -> None:
    bad = learn(engine, "The payments service runs in Frankfurt.")
    write_past(engine, "UPDATE facts SET claim = 'It runs in Atlantis.'")

    steps = 0
    while not engine.notices.standing():
        assert scrub(engine) > 0
        steps += 1
        assert steps < 100
    place = engine.desk.scrub.read_text()
    scrub(engine)

    assert bad in engine.notices.standing()[0].says
    assert engine.desk.scrub.read_text() != place


def test_verify_tells_the_damaged_row_by_its_id_with_a_next_step(engine: Engine) -> None:
    bad = learn(engine, "The payments service runs in Frankfurt.")
    write_past(engine, "UPDATE facts SET claim = 'It runs in Atlantis.'")

    found = verify(engine)

    row = next(each for each in found.findings if each.part == "rows")
    assert (row.id, row.next, found.whole) == (bad, "Restore it from a backup.", False)
    assert engine.notices.standing()[0].id == "damaged"


def test_a_notice_that_does_not_stand_cannot_be_answered(engine: Engine) -> None:
    with pytest.raises(NotFound):
        engine.notices.answer("lost")


def test_a_busy_desk_is_not_called_damaged(engine: Engine) -> None:
    """A reader remembers the word index as it last read it; what was merged since is no damage."""
    done = threading.Event()

    def work() -> None:
        number = 0
        while not done.is_set():
            number += 1
            learn(engine, f"Pump {number} of the harbour is {number % 7} years old")

    writers = [threading.Thread(target=work) for _ in range(2)]
    for writer in writers:
        writer.start()
    for _ in range(40):
        engine.desk.scrub.unlink(missing_ok=True)
        scrub(engine)
    done.set()
    for writer in writers:
        writer.join()
    assert engine.notices.standing() == ()
