"""Moves of a desk into encryption and back in one process that may read both, as `python -m tests.engine.moved_desk`.

Which SQLite a process has is decided when it first opens a desk, so these run apart from the other tests."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

from memdesk.__main__ import Program
from memdesk.files import encryption
from memdesk.files.places import Desk
from memdesk.model import desk_keys
from memdesk.model.desk_keys import AskEncryption
from memdesk.model.errors import Conflict

PASSPHRASE = "an old tin box"
ASK = AskEncryption(passphrase=PASSPHRASE, backups="move")
CLAIMS = 20
ENCRYPTED, CLEAR = 3, 4
"""Exit codes of processes that looked."""
EVERY = 6
"""How many kills there are to one after which the move is made again to its end."""
STRIDE = 3
"""Steps from one kill to the next; with 1 the scene takes a minute."""
AT_MOST = 400
"""More steps on the disk than a move has."""


def main(what: str) -> None:
    """Run one of the scenes in a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="md-"))
    desk_keys.use_key(folder / "none", bytes(32))  # So this process has SQLCipher, for desks in clear too.
    # Each of hundreds of children opens the desk; how long a guess at its passphrase takes is no matter here.
    encryption._SCRYPT["n"] = 2**10
    try:
        SCENES[what](folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def make(folder: Path) -> Desk:
    """Make a desk in clear with facts, a secret and a backup."""
    from memdesk.engine.backups import make_by_hand
    from memdesk.engine.memory.remember import learn_fact
    from memdesk.engine.opening import open_engine
    from memdesk.model.remember import NewFact

    desk = Desk(folder / "made")
    with closing(open_engine(desk)) as engine:
        for number in range(CLAIMS):
            learn_fact(
                engine, NewFact(claim=f"Box {number} stands on shelf {number % 7}"), author="person:Mara"
            )
        make_by_hand(engine, lambda *_: None)
    return desk


def content(desk: Desk) -> list[tuple[str, Any]]:
    """Every row of every table but those that an opening changes, each with its number."""
    from memdesk.store.connection import Connection

    with closing(Connection(desk.database)) as db:
        names = [
            name
            for (name,) in db.rows(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY 1"
            )
        ]
        assert db.value("PRAGMA integrity_check") == "ok"
        return [(name, sorted(map(repr, _rows(db, name)))) for name in names if name != "sqlite_stat1"]


def _rows(db: Any, name: str) -> Any:
    (without,) = db.row("SELECT wr FROM pragma_table_list WHERE name = ?", (name,))
    return db.rows(f'SELECT * FROM "{name}"' if without else f'SELECT _rowid_, * FROM "{name}"')


def every_row_keeps_its_number(folder: Path) -> None:
    """A desk that is rewritten encrypted, and in clear again, has the same rows under the same numbers."""
    from memdesk.store.encrypting import rewrite

    desk, key = make(folder), b"k" * 32
    before = content(desk)
    for name, source, clear in (("one", desk.database, False), ("two", folder / "one" / "memory.db", True)):
        (folder / name).mkdir()
        desk_keys.use_key(folder / name, key)
        rewrite(source, folder / name / "memory.db", clear=clear)
        assert desk_keys.is_clear(folder / name / "memory.db") is clear
        assert content(Desk(folder / name)) == before


def a_kill_leaves_the_old_desk_or_the_new_one(folder: Path) -> None:
    """Killed before any of its steps on the disk, a move leaves a desk that opens with everything, and can go on."""
    clear = make(folder)
    sealed = Desk(folder / "sealed")
    shutil.copytree(clear.folder, sealed.folder)
    in_child(lambda: killed_at(AT_MOST, lambda: Program().encrypt(sealed, ASK)), sealed)
    for start, move in ((clear, Program.encrypt), (sealed, Program.decrypt)):
        states = set(killed_everywhere(folder, start, move))
        assert states == {True, False}, f"{move.__name__}: a kill only ever left {states}"


def killed_everywhere(folder: Path, start: Desk, move: Any) -> Iterator[bool]:
    """Kill a move before its first step on the disk, then before its second; yield if the desk was encrypted then."""
    for number in range(1, AT_MOST, STRIDE):
        desk = Desk(folder / f"{move.__name__}-{number}")
        shutil.copytree(start.folder, desk.folder, ignore=shutil.ignore_patterns("run"))
        died = in_child(partial(killed_at, number, partial(move, Program(), desk, ASK)), desk)
        yield in_child(partial(whole, desk), desk, answers=(ENCRYPTED, CLEAR)) == ENCRYPTED
        if not died:
            return
        if number % EVERY == 1:
            in_child(partial(ended, desk, move), desk)
            wanted = ENCRYPTED if move is Program.encrypt else CLEAR
            in_child(partial(whole, desk, backups_too=True), desk, answers=(wanted,))
        shutil.rmtree(desk.folder)
    raise AssertionError("a move has more steps than expected")


def ended(desk: Desk, move: Any) -> int:
    """Make a move again that was killed; one that had nothing left to do is fine."""
    with suppress(Conflict):
        encryption.unlock(desk, given=PASSPHRASE, backups=True)
        move(Program(), desk, ASK)
    return 0


def in_child(work: Callable[[], int], desk: Desk, *, answers: tuple[int, ...] = (0,)) -> int:
    """Do something in a process of its own that has the desk's key; return its answer, 9 if it was killed."""
    if (child := os.fork()) == 0:
        code = 1
        try:
            encryption.unlock(desk, given=PASSPHRASE)
            code = work()
        except BaseException:  # noqa: BLE001 - the top of a process
            traceback.print_exc()
        finally:
            os._exit(code)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        return os.WTERMSIG(status)
    assert os.WEXITSTATUS(status) in answers, f"ended with {os.WEXITSTATUS(status)}"
    return os.WEXITSTATUS(status)


def killed_at(number: int, work: Callable[[], Any]) -> int:
    """Do something, and kill this process before the n-th rename, removal or flush."""
    left = number

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def step(*given: Any, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*given, **named)

        return step

    for name in ("rename", "replace", "unlink", "fsync", "rmdir"):
        setattr(os, name, counted(getattr(os, name)))
    work()
    return 0


def whole(desk: Desk, *, backups_too: bool = False) -> int:
    """Return ENCRYPTED or CLEAR, after everything in a desk was read."""
    from memdesk.engine.health.doctor import examine
    from memdesk.engine.opening import open_engine
    from memdesk.store import backups

    encrypted = encryption.is_encrypted(desk)
    with closing(open_engine(desk)) as engine, engine.store.reading() as db:
        assert db.value("SELECT count(*) FROM facts") == CLAIMS
        for row in backups.list_backups(desk.backups) if backups_too else ():
            assert backups.examine(backups.file_of(desk.backups, row)).counts["fact"] == CLAIMS
    found = examine(desk) if backups_too else None
    assert found is None or found.is_well, [each.says for each in found.findings if not each.ok]
    assert encrypted != desk_keys.is_clear(desk.database)
    return ENCRYPTED if encrypted else CLEAR


def a_damaged_page_costs_only_what_is_on_it(folder: Path) -> None:
    """Doctor makes an encrypted desk whole again after some of its pages were damaged."""
    from memdesk.store.encrypting import PAGE_BYTES

    desk = make(folder)
    Program().encrypt(desk, AskEncryption(passphrase=PASSPHRASE, backups="remove"))
    pages = desk.database.stat().st_size // PAGE_BYTES
    with desk.database.open("r+b") as file:
        for number in (pages // 3, pages // 2, pages - 2):
            file.seek(number * PAGE_BYTES + 700)
            file.write(b"damage")
    assert not Program().examine(desk).is_well
    done = Program().repair(desk)
    assert done.since == "" and done.lost == (), done
    assert whole(desk) == ENCRYPTED


def a_sweep_sees_into_encrypted_backups(folder: Path) -> None:
    """The bytes of an encrypted database are searched as they are in clear."""
    from memdesk.engine.memory.secret_sweep import _count_in
    from memdesk.store import backups

    desk = make(folder)
    (backup,) = backups.list_backups(desk.backups)
    file = backups.file_of(desk.backups, backup)
    assert _count_in(file, [b"Box 17 stands"])
    Program().encrypt(desk, ASK)
    assert b"Box 17 stands" not in file.read_bytes()
    assert _count_in(file, [b"Box 17 stands"])
    assert _count_in(desk.database, [b"Box 17 stands"])


SCENES: dict[str, Callable[[Path], None]] = {
    each.__name__: each
    for each in (
        every_row_keeps_its_number,
        a_kill_leaves_the_old_desk_or_the_new_one,
        a_damaged_page_costs_only_what_is_on_it,
        a_sweep_sees_into_encrypted_backups,
    )
}

if __name__ == "__main__":
    main(sys.argv[1])
