"""Backups: each is tested before it counts, one comes before anything large, and a restore is whole or not at all."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.engine.backups import ensure_backup, last_restore, listing, make_backup
from memdesk.engine.browsing.history import page
from memdesk.engine.engine import Engine
from memdesk.engine.health.replacement import restore
from memdesk.engine.health.status import status
from memdesk.engine.interop.intake import bring_in
from memdesk.engine.jobs.schedule import job_named, perform
from memdesk.engine.memory.bulk import bulk
from memdesk.engine.memory.erase import erase_user
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.engine.verify import verify
from memdesk.files.places import Desk
from memdesk.model.backup import Backup, RestoreBackup
from memdesk.model.curation import Bulk, EraseUser
from memdesk.model.errors import BadAsk, Conflict, MemDeskError, NotFound, StorageFailed
from memdesk.model.history import AskHistory
from memdesk.model.interop import AskImport
from memdesk.model.remember import NewFact
from memdesk.store import backups
from memdesk.store.connection import Connection
from tests.engine.conftest import Clock
from tests.engine.killed import said_by
from tests.store.agreement import assert_agreement

MARA = "person:Mara"


def learned(engine: Engine, *claims: str, user: str = "local") -> list[str]:
    return [learn_fact(engine, NewFact(claim=each, user_id=user), author="agent:forge").id for each in claims]


def claims_in(database: Path) -> set[str]:
    db = Connection(database)
    try:
        return {row[0] for row in db.rows("SELECT claim FROM facts")}
    finally:
        db.close()


def claims(desk: Desk) -> set[str]:
    opened = open_engine(desk)
    opened.close()
    assert_agreement(desk.database)
    return claims_in(desk.database)


def reasons(engine: Engine) -> list[str]:
    return [each.reason for each in listing(engine.desk).rows]


def test_a_backup_is_counted_verified_and_holds_what_the_desk_held(engine: Engine) -> None:
    learned(engine, "Kites fly", "Boats swim")
    made = make_backup(engine, "by-hand")
    learned(engine, "Cars roll")
    file = engine.desk.backups / f"{made.name}.db"
    assert claims_in(file) == {"Kites fly", "Boats swim"}
    assert (made.counts["fact"], made.verified_at is not None, made.bytes) == (2, True, file.stat().st_size)
    assert file.stat().st_mode & 0o077 == 0
    assert listing(engine.desk).rows == (made,)


def test_a_copy_whose_journal_does_not_hold_is_no_backup_and_the_good_one_stays(engine: Engine) -> None:
    learned(engine, "Kites fly")
    good = make_backup(engine, "daily")
    learned(engine, "Boats swim")
    engine.store.submit(lambda db: db.run("UPDATE changes SET title = 'Another' WHERE id = 1")).result()
    with pytest.raises(StorageFailed, match="does not hold what was written"):
        make_backup(engine, "daily")
    assert listing(engine.desk).rows == (good,)
    assert sorted(each.name for each in engine.desk.backups.iterdir()) == [
        f"{good.name}.db",
        f"{good.name}.json",
    ]


def test_what_a_kill_left_of_a_backup_is_swept_and_a_file_without_its_note_does_not_count(
    engine: Engine,
) -> None:
    learned(engine, "Kites fly")
    made = make_backup(engine, "daily")
    (engine.desk.backups / f"{made.name}.json").unlink()
    left = engine.desk.backups / ".making-0"
    left.mkdir()
    assert listing(engine.desk).rows[0].verified_at is None
    with pytest.raises(Conflict, match="never tested"):
        restore(engine.desk, RestoreBackup(name=made.name))
    make_backup(engine, "daily")
    assert not left.exists()


def test_the_daily_job_makes_one_when_something_happened_and_none_otherwise(engine: Engine) -> None:
    learned(engine, "Kites fly")
    job = job_named("backup")
    assert perform(engine, job, author="clock", dry=True)["backups"] == 1
    assert reasons(engine) == []
    assert perform(engine, job, author="clock")["backups"] == 1
    assert perform(engine, job, author="clock")["backups"] == 0
    assert reasons(engine) == ["daily"]


def _backup(at: datetime, reason: str) -> Backup:
    return Backup(name=f"{at:%Y%m%dT%H%M%S%f}-{reason}", reason=reason, made_at=at, bytes=1, verified_at=at)


def test_rotation_keeps_seven_days_and_four_weeks() -> None:
    start = datetime(2026, 11, 22, 12, tzinfo=UTC)
    hourly = [_backup(start - timedelta(hours=number), "daily") for number in range(24 * 60)]
    gone = {each.name for each in backups.expired(hourly, days=7, weeks=4)}
    kept = [each for each in hourly if each.name not in gone]
    assert len({each.made_at.astimezone().date() for each in kept[:7]}) == 7
    assert len({each.made_at.astimezone().isocalendar()[:2] for each in kept}) == 4
    assert len(kept) <= 10


@given(
    st.lists(
        st.tuples(
            st.integers(0, 400 * 24), st.sampled_from(("daily", "by-hand", "before-bulk", "before-erase"))
        ),
        max_size=60,
        unique=True,
    )
)
def test_rotation_never_takes_the_newest_nor_what_a_person_made(made: list[tuple[int, str]]) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    rows = [_backup(start + timedelta(hours=hours), reason) for hours, reason in made]
    gone = backups.expired(rows, days=7, weeks=4)
    assert all(each.reason != "by-hand" for each in gone)
    ours = [each for each in rows if each.reason != "by-hand"]
    if ours:
        assert max(each.made_at for each in ours) not in {each.made_at for each in gone}
    assert len(ours) - len(gone) <= 7 + 4 + 7
    assert not backups.expired([each for each in rows if each not in gone], days=7, weeks=4)


def test_an_act_on_many_a_large_import_and_an_erasure_are_backed_up_before(
    engine: Engine, tmp_path: Path
) -> None:
    ids = learned(engine, *(f"Claim number {number}" for number in range(120)))
    learned(engine, "Odette sails", user="odette")
    bulk(engine, Bulk(verb="pin", ids=tuple(ids[:99])), author=MARA, progress=ignore_progress)
    assert reasons(engine) == []
    bulk(engine, Bulk(verb="unpin", ids=tuple(ids)), author=MARA, progress=ignore_progress)
    assert reasons(engine) == ["before-bulk"]
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(40):
        (notes / f"{number}.md").write_text(f"# Note {number}\n" + "A line about harbours.\n" * 300)
    bring_in(engine, AskImport(path=str(notes)), author=MARA, progress=ignore_progress)
    erase_user(engine, EraseUser(user_id="odette", confirm="odette"), author=MARA, progress=ignore_progress)
    assert reasons(engine) == ["before-erase", "before-import", "before-bulk"]


def test_where_nothing_happened_since_the_last_backup_none_is_made_again(engine: Engine) -> None:
    learned(engine, "Kites fly")
    made = make_backup(engine, "daily")
    assert ensure_backup(engine, "before-bulk") == made
    engine.settings = replace(engine.settings, backup_before=False)
    learned(engine, "Boats swim")
    assert ensure_backup(engine, "before-bulk") is None


def test_what_is_large_does_not_begin_without_its_backup(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned(engine, "Odette sails", user="odette")
    monkeypatch.setattr(backups, "SPARE_BYTES", 1 << 60)
    with pytest.raises(StorageFailed, match="nothing was done. There is no room for a backup"):
        erase_user(
            engine, EraseUser(user_id="odette", confirm="odette"), author=MARA, progress=ignore_progress
        )
    assert claims_in(engine.desk.database) == {"Odette sails"}


def test_a_restore_brings_back_what_was_and_keeps_what_it_replaces(engine: Engine, clock: Clock) -> None:
    learned(engine, "Kites fly")
    made = make_backup(engine, "by-hand")
    learned(engine, "Boats swim")
    engine.close()
    done = restore(engine.desk, RestoreBackup(name=made.name))
    assert done.ok and "Files in workspaces" in done.says
    assert claims(engine.desk) == {"Kites fly"}
    back = restore(engine.desk, RestoreBackup(name=done.kept))
    assert claims(engine.desk) == {"Kites fly", "Boats swim"}
    assert last_restore(engine.desk) == back


def test_a_restored_desk_knows_of_its_restore_and_calls_it_no_loss(engine: Engine, clock: Clock) -> None:
    learned(engine, "Kites fly")
    made = make_backup(engine, "by-hand")
    learned(engine, *(f"Boat {number} swims" for number in range(5)))
    engine.close()
    restore(engine.desk, RestoreBackup(name=made.name))
    opened = open_engine(engine.desk, clock=clock)
    try:
        said = status(opened, socket="", pid=1, started_at=datetime.now(UTC), jobs=())
        assert not any("lacked" in notice for notice in said.notices)
        assert verify(opened).first_break is None
        assert (
            page(opened, AskHistory(limit=1)).rows[0].title
            == f"The desk was restored from the backup {made.name}"
        )
    finally:
        opened.close()


def test_a_backup_is_chosen_by_a_moment(engine: Engine, clock: Clock) -> None:
    learned(engine, "Kites fly")
    first = make_backup(engine, "by-hand")
    clock.pass_days(1)
    learned(engine, "Boats swim")
    make_backup(engine, "by-hand")
    engine.close()
    assert restore(engine.desk, RestoreBackup(at=first.made_at + timedelta(hours=1))).name == first.name
    assert claims(engine.desk) == {"Kites fly"}
    with pytest.raises(NotFound):
        restore(engine.desk, RestoreBackup(at=first.made_at - timedelta(hours=1)))
    for ask in (RestoreBackup(), RestoreBackup(name=first.name, at=first.made_at)):
        with pytest.raises(BadAsk):
            restore(engine.desk, ask)


def test_a_damaged_backup_is_not_restored_and_the_desk_stays(engine: Engine) -> None:
    learned(engine, "Kites fly")
    made = make_backup(engine, "by-hand")
    learned(engine, "Boats swim")
    engine.close()
    file = engine.desk.backups / f"{made.name}.db"
    data = bytearray(file.read_bytes())
    data[4096 * 3 : 4096 * 9] = b"\xff" * (4096 * 6)
    file.write_bytes(data)
    with pytest.raises(MemDeskError):
        restore(engine.desk, RestoreBackup(name=made.name))
    found = last_restore(engine.desk)
    assert found is not None and not found.ok
    assert claims(engine.desk) == {"Kites fly", "Boats swim"}


def test_a_damaged_desk_is_kept_as_it_is_when_a_backup_takes_its_place(engine: Engine) -> None:
    learned(engine, "Kites fly")
    made = make_backup(engine, "by-hand")
    engine.close()
    wreck = b"not a database at all" * 100
    engine.desk.database.write_bytes(wreck)
    done = restore(engine.desk, RestoreBackup(name=made.name))
    assert claims(engine.desk) == {"Kites fly"}
    assert (engine.desk.backups / f"{done.kept}.db").read_bytes() == wreck
    assert done.kept.endswith("damaged")


def test_an_erased_user_does_not_come_back_by_an_older_backup(engine: Engine) -> None:
    learned(engine, "Odette sails", user="odette")
    learned(engine, "Kites fly")
    old = make_backup(engine, "by-hand")
    learned(engine, "Odette rows", user="odette")
    done = erase_user(
        engine, EraseUser(user_id="odette", confirm="odette"), author=MARA, progress=ignore_progress
    )
    assert done["backup"] == listing(engine.desk).rows[0].name and done["backup"].endswith("before-erase")
    assert {Path(file).stem for file in done["untouched"]} == {
        each.name for each in listing(engine.desk).rows
    }
    engine.close()
    restore(engine.desk, RestoreBackup(name=old.name))
    assert claims(engine.desk) == {"Kites fly"}
    just_before = next(each for each in listing(engine.desk).rows if each.reason == "before-erase")
    restore(engine.desk, RestoreBackup(name=just_before.name))
    assert claims(engine.desk) == {"Kites fly", "Odette sails", "Odette rows"}


def test_an_erasure_removes_the_backups_that_hold_the_user_when_it_is_told_to(engine: Engine) -> None:
    learned(engine, "Kites fly")
    before_her = make_backup(engine, "by-hand")
    learned(engine, "Odette sails", user="odette")
    with_her = make_backup(engine, "by-hand")
    ask = EraseUser(user_id="odette", confirm="odette", backups=True)
    done = erase_user(engine, ask, author=MARA, progress=ignore_progress)
    assert done["removed"] == [with_her.name]
    assert (done["untouched"], done["backup"]) == ([], None)
    rows = listing(engine.desk).rows
    assert [each.reason for each in rows] == ["after-erase", "by-hand"] and rows[1] == before_her
    assert not any(b"Odette" in file.read_bytes() for file in engine.desk.backups.iterdir())


KILLED = """
import sys
from pathlib import Path
from memdesk.engine.opening import open_engine
from memdesk.engine.health.replacement import restore
from memdesk.engine.backups import make_backup
from memdesk.engine.memory.remember import learn_fact
from memdesk.files.places import Desk
from memdesk.model.backup import RestoreBackup
from memdesk.model.remember import NewFact
from tests.engine.killed import at_each_step, in_a_child

root = Path(sys.argv[1])

def lay_out():
    engine = open_engine(Desk(root / "whole"))
    learn_fact(engine, NewFact(claim="old"), author="agent:forge")
    name = make_backup(engine, "by-hand").name
    learn_fact(engine, NewFact(claim="new"), author="agent:forge")
    engine.close()
    (root / "name").write_text(name)

def claims(desk):
    engine = open_engine(desk)
    with engine.store.reading() as db:
        found = [row[0] for row in db.rows("SELECT claim FROM facts ORDER BY claim")]
    assert engine.mark.lost == 0
    engine.close()
    assert not (desk.folder / "restoring.json").exists() and not (desk.folder / ".restoring").exists()
    return ",".join(found)

assert in_a_child(lay_out) == 0
backup = RestoreBackup(name=(root / "name").read_text())
steps, seen = at_each_step(Desk(root / "whole"), int(sys.argv[2]), lambda desk: restore(desk, backup), claims)
print(steps, *dict.fromkeys(seen))
assert seen == sorted(seen, key=lambda found: found == "old"), seen
"""


def test_a_restore_killed_at_any_step_leaves_the_old_desk_or_the_new_one(tmp_path: Path) -> None:
    steps, *found = said_by(KILLED, tmp_path)
    assert int(steps) > 20
    assert found == ["new,old", "old"]
