"""Recall reads from a streaming standby of a desk's database while that is close enough behind, and nothing is missed
that must hold at once."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.health.doctor import examine
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.curate import retire
from memdesk.engine.memory.erase import erase_user
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import preview, recall
from memdesk.files.settings import checked
from memdesk.model.curation import EraseUser, Retire
from memdesk.model.errors import BadAsk
from memdesk.model.recall import Bundle, Query
from memdesk.model.remember import NewFact
from memdesk.model.settings import SHARED
from memdesk.model.status import ReplicaState
from memdesk.store.connection import Connection
from memdesk.store.postgres.store import PostgresStore
from memdesk.store.run_context import Reach, within
from tests import postgres
from tests.conftest import until
from tests.store.postgres.test_desk_in_database import desk_in_database

REPLICATED = """
wal_level = replica
max_wal_senders = 4
wal_writer_delay = 10ms
"""
"""The log is sent once it is on the disk, for which a server that does not wait for its disk takes three delays."""


@dataclass
class Standby:
    """Standby of a server, in a folder in the server's. `stop` and `start` as often as a test likes."""

    primary: postgres.Server
    name: str = "standby"
    server: postgres.Server = field(init=False)
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        folder = self.primary.folder / self.name
        folder.mkdir()
        if os.geteuid() == 0:
            shutil.chown(folder, postgres.SERVANT)
        self.server = postgres.Server(folder, self.primary.binaries)
        copying = [
            self.primary.binaries / "pg_basebackup",
            "-D",
            folder / "data",
            "-R",
            "-c",
            "fast",
            "--no-sync",
        ]
        done = subprocess.run(
            [*copying, "-h", self.primary.folder, "-U", "desk"],
            capture_output=True,
            text=True,
            cwd=folder,
            **postgres.servant(),
        )
        assert not done.returncode, done.stderr
        with open(folder / "data/postgresql.conf", "a") as file:
            file.write(f"unix_socket_directories = '{folder}'\n")
        self.start()

    def start(self) -> None:
        """Start it, unless it runs, and wait until it answers."""
        self._process = self._process or self.server.run()

    def stop(self) -> None:
        """End it, and with it all its connections."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait()
            self._process = None

    def address(self, desk: str) -> str:
        """Return the address of a desk's database here. desk: its address on the primary."""
        return f"postgresql://desk@/{desk.rpartition('=')[2]}?host={quote(str(self.server.folder), safe='')}"

    def run(self, sql: str) -> None:
        """Run a statement, such as one that pauses its replay."""
        with psycopg.connect(self.server.address("postgres"), autocommit=True) as db:
            db.execute(sql.encode())


def server_and_standby() -> tuple[postgres.Server, Standby]:
    """Return a new server and its standby. Skips the test with a clear word where none can run."""
    found = postgres.started(REPLICATED)
    if isinstance(found, str):
        pytest.skip(found)
    return found, Standby(found)


LATE_S = 3600.0
CLOSES = Query(text="when does it close?", floor=0.0)


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[postgres.Server, Standby]]:
    primary, standby = server_and_standby()
    yield primary, standby
    standby.stop()


@pytest.fixture
def standby(pair: tuple[postgres.Server, Standby]) -> Iterator[Standby]:
    yield pair[1]
    pair[1].start()
    pair[1].run("SELECT pg_wal_replay_resume()")


@pytest.fixture
def address(pair: tuple[postgres.Server, Standby]) -> str:
    return pair[0].desk()


@contextmanager
def opened(folder: Path, address: str, standby: Standby) -> Iterator[Engine]:
    """An engine whose recalls read the standby, however far that is behind."""
    engine = open_engine(desk_in_database(folder, address))
    try:
        engine.use(replace(engine.settings, recall_replica=standby.address(address), recall_cache_seconds=0))
        engine.store.use_replica(standby.address(address), LATE_S)
        until(lambda: state(engine).ok, "the replica")
        yield engine
    finally:
        engine.close()


@pytest.fixture
def engine(tmp_path: Path, address: str, standby: Standby) -> Iterator[Engine]:
    with opened(tmp_path / "desk", address, standby) as engine:
        learn(engine, "The harbour closes at nine.", author="person:Mara")
        caught_up(engine)
        yield engine


def state(engine: Engine) -> ReplicaState:
    found = engine.store.replica_state()
    assert found is not None
    return found


def learn(engine: Engine, claim: str, *, author: str, user_id: str = "local") -> str:
    return learn_fact(engine, NewFact(claim=claim, user_id=user_id), author=author).id


def found(engine: Engine, *, author: str = "agent:reader", user_id: str = "local") -> Bundle:
    return recall(engine, replace(CLOSES, user_id=user_id), author=author)


def claims(bundle: Bundle) -> set[str]:
    return {hit.text for hit in bundle.hits}


def caught_up(engine: Engine) -> None:
    """Wait until recalls of everybody read the replica again."""
    until(lambda: found(engine).replica_behind_s is not None, "the replica's replay")


def test_a_recall_reads_the_replica_and_says_how_far_behind_that_is(engine: Engine) -> None:
    bundle = found(engine)
    assert claims(bundle) == {"The harbour closes at nine."}
    assert bundle.replica_behind_s is not None and 0 <= bundle.replica_behind_s < 60
    assert state(engine).ok and "at most" in state(engine).says
    engine.use(replace(engine.settings, recall_replica=""))
    assert claims(found(engine)) == claims(bundle) and found(engine).replica_behind_s is None
    assert engine.store.replica_state() is None


def test_vectors_and_words_are_found_on_the_replica_as_in_the_database(engine: Engine) -> None:
    while embed_pending(engine):
        pass
    until(lambda: _ranks(found(engine)) == _ranks(preview(engine, CLOSES)), "the vectors")


def _ranks(bundle: Bundle) -> list[object]:
    return [(hit.id, hit.ranks, hit.relevance) for hit in bundle.hits]


def test_an_author_finds_what_it_just_learned_and_others_once_the_replica_has_it(
    engine: Engine, standby: Standby
) -> None:
    standby.run("SELECT pg_wal_replay_pause()")
    learn(engine, "The ferry closes at ten.", author="agent:writer")
    mine, others = found(engine, author="agent:Writer"), found(engine)
    assert "The ferry closes at ten." in claims(mine) and mine.replica_behind_s is None
    assert claims(others) == {"The harbour closes at nine."} and others.replica_behind_s is not None
    later = found(engine)
    assert later.replica_behind_s is not None and later.replica_behind_s > others.replica_behind_s
    standby.run("SELECT pg_wal_replay_resume()")
    until(lambda: "The ferry closes at ten." in claims(found(engine)), "the other's fact")
    until(lambda: found(engine, author="agent:writer").replica_behind_s is not None, "the writer's turn")


def test_what_a_person_changes_holds_for_everybody_at_once_whichever_service_it_is_asked_of(
    engine: Engine, standby: Standby, tmp_path: Path, address: str
) -> None:
    with opened(tmp_path / "other", address, standby) as other:
        caught_up(other)
        standby.run("SELECT pg_wal_replay_pause()")
        learn(other, "The gate closes at six.", author="person:Mara")
        for each in (engine, other):
            bundle = found(each)
            assert "The gate closes at six." in claims(bundle) and bundle.replica_behind_s is None


def test_what_an_agent_takes_back_and_an_erased_user_are_in_nobodys_recall(
    engine: Engine, standby: Standby
) -> None:
    doomed = learn(engine, "The bridge closes at two.", author="agent:writer")
    learn(engine, "The mill closes at one.", author="agent:writer", user_id="odette")
    until(lambda: "The bridge closes at two." in claims(found(engine)), "both facts")
    standby.run("SELECT pg_wal_replay_pause()")
    retire(engine, Retire(id=doomed), author="agent:writer")
    assert "The bridge closes at two." not in claims(found(engine))
    standby.run("SELECT pg_wal_replay_resume()")
    until(lambda: claims(found(engine, user_id="odette")), "the user")
    caught_up(engine)
    standby.run("SELECT pg_wal_replay_pause()")
    ask = EraseUser(user_id="odette", confirm="odette")
    erase_user(engine, ask, author="person:Mara", progress=ignore_progress)
    assert not found(engine, user_id="odette").hits


def test_a_replica_too_far_behind_is_passed_over_with_a_sentence_and_read_again_when_it_has_caught_up(
    engine: Engine, standby: Standby, address: str
) -> None:
    standby.run("SELECT pg_wal_replay_pause()")
    engine.store.use_replica(standby.address(address), 0.5)
    until(lambda: found(engine).replica_behind_s is None, "the lag")
    until(lambda: not state(engine).ok, "the look")
    assert "behind" in state(engine).says and "pg_stat_replication" in state(engine).next
    assert claims(found(engine)) == {"The harbour closes at nine."}
    standby.run("SELECT pg_wal_replay_resume()")
    engine.store.use_replica(standby.address(address), LATE_S)
    caught_up(engine)


def test_a_replica_that_is_away_costs_no_recall_and_is_read_again_when_it_is_back(
    engine: Engine, standby: Standby
) -> None:
    standby.stop()
    bundle = found(engine)
    assert claims(bundle) == {"The harbour closes at nine."} and bundle.replica_behind_s is None
    assert not state(engine).ok and "does not answer" in state(engine).says
    engine.desk.settings.write_text(f'recall_replica = "{engine.settings.recall_replica}"\n')
    (told,) = (each for each in examine(engine.desk).findings if each.area == "replica")
    assert not told.ok and "does not answer" in told.says and "recall_replica" in told.next
    standby.start()
    caught_up(engine)
    (told,) = (each for each in examine(engine.desk).findings if each.area == "replica")
    assert told.ok


def test_what_a_replica_that_ends_has_begun_to_read_is_read_in_the_database(
    engine: Engine, standby: Standby
) -> None:
    behind = []

    def read(db: Connection) -> int:
        assert db.snapshot is not None
        behind.append(db.snapshot.behind_s)
        if db.snapshot.behind_s is not None:
            standby.stop()
        return int(db.value("SELECT count(*) FROM facts"))

    assert engine.store.read_for_recall("agent:reader", read) == 1
    assert behind[0] is not None and behind[1:] == [None]
    standby.start()
    caught_up(engine)


def test_a_member_reaches_on_the_replica_what_it_reaches_in_the_database(engine: Engine) -> None:
    learn(engine, "The mill closes at one.", author="person:Mara", user_id="odette")
    caught_up(engine)
    with within(Reach(("odette",), ())):
        own = found(engine, user_id="odette")
        assert claims(own) == {"The mill closes at one."} and own.replica_behind_s is not None
        others = found(engine)
        assert not others.hits and others.replica_behind_s is not None
    assert found(engine).hits


def test_a_standby_of_another_desk_and_a_server_that_is_none_are_not_read(
    engine: Engine, pair: tuple[postgres.Server, Standby], address: str
) -> None:
    primary, standby = pair
    store = engine.store
    assert isinstance(store, PostgresStore)
    store.use_replica(standby.address(primary.desk()), LATE_S)
    until(lambda: "another database" in state(engine).says, "the look")
    store.use_replica(f"{standby.address(address).partition('?')[0]}?host={primary.folder}", LATE_S)
    until(lambda: "no standby" in state(engine).says, "the look")
    store.use_replica("postgresql://desk@/x?speed=high", LATE_S)
    until(lambda: "speed" in state(engine).says, "the look")
    assert found(engine).hits and found(engine).replica_behind_s is None


def test_the_replica_is_a_setting_of_the_host_without_a_password() -> None:
    assert not {"recall_replica", "recall_replica_lag_seconds"} & set(SHARED)
    assert checked("recall_replica", "postgresql://desk@standby/memory")
    for bad in ("standby", "https://standby", "postgresql://desk:pw@standby/memory", "postgresql://[x"):
        with pytest.raises(BadAsk, match="recall_replica"):
            checked("recall_replica", bad)


def test_a_standby_that_is_promoted_is_read_no_more(
    engine: Engine, pair: tuple[postgres.Server, Standby], address: str
) -> None:
    other = Standby(pair[0], "other")
    engine.store.use_replica(other.address(address), LATE_S)
    caught_up(engine)
    other.run("SELECT pg_promote()")
    learn(engine, "The ferry closes at ten.", author="agent:writer")
    bundle = found(engine)
    assert "The ferry closes at ten." in claims(bundle) and bundle.replica_behind_s is None
    until(lambda: "no standby" in state(engine).says, "the look")
    other.stop()
