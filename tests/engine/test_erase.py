"""Erasing one user: no word of theirs is left in any file of the desk, and everybody else's memory is as it was."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from memdesk.engine.browsing.history import event, page
from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import edit_fact, retire
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.erase import erase_user
from memdesk.engine.memory.remember import learn_fact, store_turn
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.engine.verify import verify
from memdesk.files.places import Desk
from memdesk.model.change import Change
from memdesk.model.curation import EditFact, EraseUser, Retire, Undo
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.history import AskEvent, AskHistory
from memdesk.model.kinds import KINDS
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact, NewTurn
from memdesk.store import erasing, working
from memdesk.store.connection import Connection
from memdesk.store.working import Place
from tests.engine.conftest import Clock, embed_all
from tests.store.agreement import assert_agreement

WORDS = ("xylophone", "quokka", "zanzibar", "fjordland", "okapi", "vermilion", "axolotl", "rutabaga")


@pytest.fixture
def desk(engine: Engine) -> Iterator[Engine]:
    """A desk of two users who say much the same, with everything logged; odd words are the first one's alone."""
    engine.use(replace(engine.settings, audit_level="verbose"))
    for user, odd in (("odette", True), ("local", False)):
        word = dict(zip(WORDS, WORDS if odd else ["plain"] * len(WORDS), strict=True))
        channel = f"{word['fjordland']} trip" if odd else "trip"
        turn = store_turn(
            engine,
            NewTurn(
                content=f"I play the {word['xylophone']}",
                user_id=user,
                channel=channel,
                speaker=user.title(),
                title=f"About {word['vermilion']}",
            ),
            author="agent:iris",
        )
        known = learn_fact(
            engine,
            NewFact(
                claim=f"They keep a {word['quokka']}",
                user_id=user,
                channel=channel,
                about=(word["okapi"],),
                source_turn_id=turn.id,
                quote=f"my {word['zanzibar']}",
            ),
            author="agent:iris",
        )
        edit_fact(
            engine, EditFact(fact_id=known.id, claim=f"They keep an {word['axolotl']}"), author="person:Mara"
        )
        gone = learn_fact(
            engine,
            NewFact(claim=f"They eat {word['rutabaga']}", user_id=user, channel=channel),
            author="agent:iris",
        )
        undo(engine, Undo(change=gone.change), author="person:Mara")
        embed_all(engine)
        recall(
            engine,
            Query(text=f"who eats {word['rutabaga']}?", user_id=user, channel=channel),
            author="agent:iris",
        )
        engine.store.submit(
            lambda db, u=user, w=word: working.put(
                db,
                f"working:{u}:thoughts",
                w["quokka"],
                at=engine.clock(),
                ttl_s=None,
                place=Place(user_id=u),
            )
        ).result()
    # Titles are indexed for who looks for words among them.
    assert page(engine, AskHistory(text="rutabaga")).total
    yield engine


def ask(user: str) -> EraseUser:
    return EraseUser(user_id=user, confirm=user)


def words_in(folder: Path) -> set[str]:
    """Which of the odd words, and of the user's names, any file of the desk holds."""
    raw = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file()).lower()
    return {word for word in (*WORDS, "odette") if word.encode() in raw}


@pytest.mark.file
def test_no_word_of_an_erased_user_is_left_in_any_file(desk: Engine) -> None:
    assert words_in(desk.desk.folder) == {*WORDS, "odette"}
    done = erase_user(
        desk, replace(ask("odette"), backups=True), author="person:Mara", progress=ignore_progress
    )
    assert words_in(desk.desk.folder) == set()
    assert done["erased"]["facts"] == 1
    assert done["erased"]["recalls"] == 1
    assert done["erased"]["audit_rows"] > 5


def test_other_users_keep_everything_and_the_desk_agrees_with_itself(desk: Engine, tmp_path: Path) -> None:
    def of_local() -> list[object]:
        with desk.store.reading() as db:
            return [
                db.rows(f"SELECT * FROM {kind.table} WHERE user_id = 'local' ORDER BY seq") for kind in KINDS
            ]

    before = of_local()
    erase_user(desk, ask("odette"), author="person:Mara", progress=ignore_progress)
    assert of_local() == before
    found = recall(desk, Query(text="plain", channel="trip"), author="agent:iris")
    assert {hit.kind for hit in found.hits} == {"turn", "fact", "entity"}
    desk.close()
    assert_agreement(tmp_path / "desk" / "memory.db")
    desk.store = open_engine(Desk(tmp_path / "desk")).store


def test_what_an_erased_user_had_done_stays_as_stubs_that_verify(desk: Engine) -> None:
    before = verify(desk)
    erase_user(desk, ask("odette"), author="person:Mara", progress=ignore_progress)
    after = verify(desk)
    assert after.first_break is None
    assert after.changes == before.changes + 1 == after.holding
    assert after.erased > 4
    stub = event(desk, AskEvent(id=2))
    assert (stub.row.title, stub.row.user_id, stub.row.channel, stub.row.undoable) == (
        "Erased",
        "",
        "",
        False,
    )
    assert not stub.moves and not stub.if_undone


def test_the_erasure_says_how_much_it_took_and_not_whose(desk: Engine) -> None:
    done = erase_user(desk, ask("odette"), author="person:Mara", progress=ignore_progress)
    told = event(desk, AskEvent(id=done["change"]))
    assert told.row.op == "delete"
    assert told.row.author == "person:Mara"
    assert told.details["erased"]["turns"] == 1
    assert len(told.details["hashes"]) == 32
    assert "odette" not in str(told)


def test_neither_the_erasure_nor_what_it_erased_can_be_undone(desk: Engine) -> None:
    done = erase_user(desk, ask("odette"), author="person:Mara", progress=ignore_progress)
    with pytest.raises(Conflict, match="for good"):
        undo(desk, Undo(change=2), author="person:Mara")
    with pytest.raises(Conflict, match="moved nothing"):
        undo(desk, Undo(change=done["change"]), author="person:Mara")


def test_what_others_held_against_an_erased_memory_goes_with_it(desk: Engine) -> None:
    theirs = learn_fact(desk, NewFact(claim="A claim of hers", user_id="odette"), author="agent:iris")
    mine = learn_fact(desk, NewFact(claim="A claim of mine"), author="agent:iris")

    def tie(db: Connection) -> tuple[Change, str | None]:
        draft = Draft(engine=desk, db=db, user_id="local", channel="_global", agent_id=None, at=desk.clock())
        id = draft.relation(mine.id, theirs.id, "REFERENCES", confidence=1.0, source_turn_id=None)
        return Change(op="learn", title="", author="job:x", edits=tuple(draft.edits)), id

    _, bond = desk.store.decide(tie)
    erase_user(desk, ask("odette"), author="person:Mara", progress=ignore_progress)
    with desk.store.reading() as db:
        assert not db.rows("SELECT 1 FROM relations WHERE id = ?", (bond,))
        assert db.rows("SELECT claim FROM facts WHERE id = ?", (mine.id,)) == [("A claim of mine",)]


def test_a_user_may_come_back_to_an_empty_memory(desk: Engine) -> None:
    erase_user(desk, ask("odette"), author="person:Mara", progress=ignore_progress)
    assert not recall(desk, Query(text="claim", user_id="odette"), author="agent:iris").hits
    again = learn_fact(desk, NewFact(claim="A first claim", user_id="odette"), author="agent:iris")
    assert again.repeated is False


@pytest.mark.file
def test_files_and_backups_are_left_and_named(desk: Engine) -> None:
    desk.desk.backups.mkdir()
    shutil.copy(desk.desk.database, desk.desk.backups / "monday.db")
    done = erase_user(desk, ask("odette"), author="person:Mara", progress=ignore_progress)
    just_before = next(desk.desk.backups.glob("*-before-erase.db"))
    assert done["untouched"] == [str(just_before), str(desk.desk.backups / "monday.db")]
    assert "monday.db" in done["says"]


@pytest.mark.file
def test_nothing_is_erased_unless_the_name_is_repeated_and_known(desk: Engine) -> None:
    with pytest.raises(BadAsk, match="nothing was erased"):
        erase_user(
            desk, EraseUser(user_id="odette", confirm="odete"), author="person:Mara", progress=ignore_progress
        )
    with pytest.raises(NotFound):
        erase_user(desk, ask("nobody"), author="person:Mara", progress=ignore_progress)
    assert words_in(desk.desk.folder) == {*WORDS, "odette"}


@pytest.mark.file
def test_a_retired_memory_is_erased_too(desk: Engine) -> None:
    known = learn_fact(desk, NewFact(claim="A retired claim of hers", user_id="odette"), author="agent:iris")
    retire(desk, Retire(id=known.id), author="person:Mara")
    erase_user(desk, ask("odette"), author="person:Mara", progress=ignore_progress)
    assert b"retired claim" not in desk.desk.database.read_bytes()


@pytest.mark.file
def test_the_file_is_rewritten_once_nobody_reads_what_was_there(desk: Engine) -> None:
    desk.store.alone(lambda db: db.run("PRAGMA busy_timeout = 50")).result()
    told: list[str] = []
    with ExitStack() as reading:
        reading.enter_context(desk.store.reading()).value("SELECT count(*) FROM facts")

        def watch(done: int, total: int, says: str) -> None:
            told.append(says)
            if says.startswith("Waiting"):
                assert words_in(desk.desk.folder)
                reading.close()

        erase_user(desk, replace(ask("odette"), backups=True), author="person:Mara", progress=watch)
    assert any(says.startswith("Waiting") for says in told) and not words_in(desk.desk.folder)


@pytest.mark.file
def test_an_erasure_that_a_kill_cut_short_is_finished_at_the_next_start(desk: Engine, clock: Clock) -> None:
    desk.store.maintain(lambda db, index, _: erasing.erase(db, index, "odette", by=1)).result()
    copied = desk.desk.folder.with_name("copied")
    shutil.copytree(desk.desk.folder, copied)
    assert words_in(copied)
    open_engine(Desk(copied), clock=clock).close()
    assert not words_in(copied)
