"""A MemDesk archive holds everything: an empty desk comes back from it as it was, and a damaged one changes nothing."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.engine.engine import Engine
from memdesk.engine.memory.goals import add as add_goal
from memdesk.engine.memory.remember import learn_fact, store_turn
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo_run
from memdesk.files.places import Desk
from memdesk.model.curation import UndoRun
from memdesk.model.errors import BadAsk, Cancelled, Conflict, NotFound, Refused
from memdesk.model.goal import NewGoal
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact, NewTurn
from tests.effort import examples
from tests.engine.conftest import Clock
from tests.fixtures.intake.worlds import ALL, MARA, changes, events, look, take
from tests.fixtures.interop.rich import RUNA, beside_rows, furnish, rows, send


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A desk with something of every kind, which the tests only read."""
    folder = tmp_path_factory.mktemp("full")
    opened = open_engine(Desk(folder / "desk"), clock=Clock())
    furnish(opened, folder)
    send(opened, "archive", folder / "all.zip", history=True)
    yield opened
    opened.close()


@pytest.fixture
def archive(full: Engine, tmp_path: Path) -> Path:
    """Its archive."""
    return Path(shutil.copy(full.desk.folder.parent / "all.zip", tmp_path))


def rewritten(path: Path, name: str, edit: Callable[[bytes], bytes], *, sign: bool = True) -> Path:
    """The archive with one of its files changed; `sign` makes the manifest agree."""
    with zipfile.ZipFile(path) as zip:
        files = {each: zip.read(each) for each in zip.namelist()}
    files[name] = edit(files[name])
    if sign and name != "manifest.json":
        manifest = json.loads(files["manifest.json"])
        digest = hashlib.sha256(files[name]).hexdigest()
        manifest["files"][name] = {"lines": len(files[name].splitlines()), "sha256": digest}
        files["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(path.with_name("edited.zip"), "w") as zip:
        for each, data in files.items():
            zip.writestr(each, data)
    return path.with_name("edited.zip")


def first_row(data: bytes, **fields: Any) -> bytes:
    first, *rest = data.splitlines()
    return b"\n".join([json.dumps({**json.loads(first), **fields}).encode(), *rest, b""])


def test_an_empty_desk_comes_back_as_it_was(full: Engine, other: Engine, archive: Path) -> None:
    before = rows(full)
    bare = [name for name, found in before.items() if not found]
    assert bare == [], "tests/fixtures/interop/rich.py makes none of these"
    told = look(other, archive, accept=ALL)
    counts = take(other, archive, accept=ALL)
    assert rows(other) == before
    assert beside_rows(other) == beside_rows(full)
    assert told.skipped == () and counts["skipped"] == 0
    assert {name: counts[name] for name in told.counts} == told.counts
    assert (counts["facts"], counts["turns"]) == (len(before["fact"]), len(before["turn"]))


def test_times_before_1970_and_in_centuries_to_come_come_back(
    engine: Engine, other: Engine, tmp_path: Path
) -> None:
    moments = (
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(1850, 5, 1, tzinfo=UTC),
        datetime(9999, 12, 31, tzinfo=UTC),
    )
    for first, last in pairwise(moments):
        claim = f"True from {first.year} to {last.year}"
        learn_fact(engine, NewFact(claim=claim, channel="quay", valid_from=first, valid_to=last), author=RUNA)
    add_goal(
        engine, NewGoal(description="Outlast the quay", channel="quay", deadline=moments[-1]), author=RUNA
    )
    store_turn(
        engine, NewTurn(content="A letter of old", conversation_id="c", created_at=moments[1]), author=RUNA
    )
    send(engine, "archive", tmp_path / "times.zip")
    assert take(other, tmp_path / "times.zip", accept=ALL)["skipped"] == 0
    here, there = rows(engine), rows(other)
    # An old conversation is quiet, and read for memory as it comes in.
    assert all(there[kind] == here[kind] for kind in ("fact", "goal", "turn"))


def test_a_second_import_changes_nothing(other: Engine, full: Engine, archive: Path) -> None:
    take(other, archive, accept=ALL)
    number = changes(other)
    assert take(other, archive, accept=ALL)["known"] == sum(map(len, rows(full).values()))
    assert changes(other) == number
    assert look(other, archive, accept=ALL).items == ()


def test_what_came_in_is_recalled_and_passages_with_it(other: Engine, archive: Path) -> None:
    take(other, archive, accept=ALL)
    found = recall(other, Query(text="which crane works?", channel="quay"), author=RUNA)
    assert "Crane 4 works again" in [hit.text for hit in found.hits]


def test_the_run_takes_all_of_it_back(other: Engine, archive: Path) -> None:
    take(other, archive, accept=ALL)
    last = events(other)[-1].id
    done = undo_run(other, UndoRun(change=last), author=MARA, progress=ignore_progress)
    assert done["left"] == {}
    assert not any(rows(other).values())


def test_one_user_goes_out_alone_and_comes_back_as_theirs(
    engine: Engine, other: Engine, tmp_path: Path
) -> None:
    furnish(engine, tmp_path)
    store_turn(engine, NewTurn(content="I am Sam.", user_id="sam", turn_id="sam-1"), author=RUNA)
    send(engine, "archive", tmp_path / "sam.zip", user_id="sam")
    assert take(other, tmp_path / "sam.zip", accept=ALL)["turns"] == 1
    assert {row["user_id"] for row in rows(other)["turn"]} == {"sam"}
    with pytest.raises(Refused, match="does not hold the memory of tom"):
        look(other, tmp_path / "sam.zip", user_id="tom", accept=ALL)
    with pytest.raises(Refused, match="in the channels it had"):
        look(other, tmp_path / "sam.zip", channel="elsewhere", accept=ALL)


def test_the_same_id_with_other_content_is_told_and_left(other: Engine, archive: Path, full: Engine) -> None:
    edited = rewritten(archive, "facts.jsonl", lambda data: first_row(data, claim="Crane 4 sings"))
    take(other, archive, accept=ALL)
    told = look(other, edited, accept=ALL)
    (left,) = told.skipped
    assert "Crane 4 is broken" in left.why and left.name.startswith("Fact f_")
    assert take(other, edited, accept=ALL)["skipped"] == 1
    assert rows(other) == rows(full)


def test_a_desk_that_has_some_of_it_gains_the_rest(other: Engine, full: Engine, archive: Path) -> None:
    learn_fact(other, NewFact(claim="Ships sink", channel="quay"), author=RUNA)
    take(other, archive, accept=ALL)
    wanted = {row["id"] for found in rows(full).values() for row in found}
    here = {row["id"] for found in rows(other).values() for row in found}
    # The channels _global and quay are there already, each under an id of its own.
    assert len(wanted - here) == 1
    assert len({row["number"] for row in rows(other)["channel"]}) == len(rows(other)["channel"])


def test_an_import_that_was_stopped_goes_on(other: Engine, full: Engine, archive: Path) -> None:
    for after in range(3, 18, 5):
        left = after

        def stop(done: int, total: int, says: str) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise Cancelled("Stopped.")

        with pytest.raises(Cancelled):
            take(other, archive, progress=stop, accept=ALL)
    take(other, archive, accept=ALL)
    assert rows(other) == rows(full)


def test_fields_of_a_later_hand_are_kept_and_go_out_again(
    other: Engine, archive: Path, tmp_path: Path
) -> None:
    take(other, rewritten(archive, "goals.jsonl", lambda data: first_row(data, mood="calm")))
    send(other, "archive", tmp_path / "again.zip")
    with zipfile.ZipFile(tmp_path / "again.zip") as zip:
        assert b'"mood":"calm"' in zip.read("beside.jsonl")


def test_the_archive_explains_itself_and_holds_the_journal_where_asked(archive: Path) -> None:
    with zipfile.ZipFile(archive) as zip:
        assert "memdesk import" in zip.read("README.md").decode()
        manifest = json.loads(zip.read("manifest.json"))
        assert (manifest["format"], manifest["version"], manifest["user_id"]) == ("memdesk-archive", 1, None)
        assert len(zip.read("history/changes.jsonl").splitlines()) > 10
        assert zip.testzip() is None


@pytest.mark.parametrize(
    ("name", "edit", "says"),
    [
        ("manifest.json", lambda data: data.replace(b'"version": 1', b'"version": 2'), "of version 2"),
        ("facts.jsonl", lambda data: data[:-20], "line"),
        ("facts.jsonl", lambda data: first_row(data, claim=7), "`claim` of a fact is not what it should be"),
        ("facts.jsonl", lambda data: first_row(data, confidence=2), "`confidence` does not lie"),
        ("facts.jsonl", lambda data: first_row(data, claim="\x00"), "holds a NUL"),
        ("turns.jsonl", lambda data: first_row(data, metadata="[1"), "`metadata` is not JSON"),
        ("goals.jsonl", lambda data: b"[]\n" + data, "line 1 of goals.jsonl is not a JSON object"),
        ("usage.jsonl", lambda data: first_row(data, access_count=None), "is no use of a memory"),
        ("tags.jsonl", lambda data: first_row(data, id=3), "lacks `id`"),
    ],
)
def test_what_is_not_of_the_format_is_named_and_nothing_comes_in(
    other: Engine, archive: Path, name: str, edit: Callable[[bytes], bytes], says: str
) -> None:
    path = rewritten(archive, name, edit)
    for call in (look, take):
        with pytest.raises(Refused, match=says) as refused:
            call(other, path)
        assert "edited.zip" in refused.value.says
    assert not any(rows(other).values())


def test_an_archive_from_before_a_kind_comes_in_without_it(other: Engine, archive: Path) -> None:
    with zipfile.ZipFile(archive) as zip:
        files = {each: zip.read(each) for each in zip.namelist() if each != "grants.jsonl"}
    manifest = json.loads(files["manifest.json"])
    del manifest["files"]["grants.jsonl"]
    files["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(archive, "w") as zip:
        for each, data in files.items():
            zip.writestr(each, data)
    assert take(other, archive, accept=ALL)["skipped"] == 0
    assert rows(other)["fact"] and not rows(other)["grant"]


def test_a_file_that_is_not_as_its_manifest_says_is_damaged(other: Engine, archive: Path) -> None:
    path = rewritten(archive, "facts.jsonl", lambda data: data.replace(b"broken", b"whole!"), sign=False)
    with pytest.raises(Refused, match=r"damaged: facts\.jsonl"):
        take(other, path, accept=ALL)


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.floats(0, 1), at=st.floats(0, 0.999), noise=st.binary(min_size=1, max_size=8))
def test_a_torn_or_noisy_archive_comes_in_whole_or_not_at_all(
    other: Engine, archive: Path, tmp_path: Path, cut: float, at: float, noise: bytes
) -> None:
    data = archive.read_bytes()
    place = int(at * len(data))
    torn = tmp_path / "torn.zip"
    for broken in (data[: int(cut * len(data))], data[:place] + noise + data[place + len(noise) :]):
        torn.write_bytes(broken)
        try:
            look(other, torn, accept=ALL)
        except Refused as refused:
            assert "torn.zip" in refused.says


def test_an_export_that_was_stopped_or_refused_leaves_nothing_behind(engine: Engine, tmp_path: Path) -> None:
    furnish(engine, tmp_path)
    folder = tmp_path / "out"
    folder.mkdir()

    def stop(done: int, total: int, says: str) -> None:
        raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        send(engine, "archive", folder / "a.zip", stop)
    with pytest.raises(BadAsk, match="no format carrier"):
        send(engine, "carrier", folder / "a.zip")
    with pytest.raises(NotFound, match="nothing of a user tom"):
        send(engine, "archive", folder / "a.zip", user_id="tom")
    assert list(folder.iterdir()) == []
    (folder / "a.zip").write_text("mine")
    with pytest.raises(Conflict, match="there already"):
        send(engine, "archive", folder / "a.zip")
    assert (folder / "a.zip").read_text() == "mine"
