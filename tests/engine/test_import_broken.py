"""Torn, flipped, hostile and newer exports of every format give a named error and change nothing."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.engine.engine import Engine
from memdesk.engine.interop.intake import take_in
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.files.places import Desk
from memdesk.files.reading import MEGABYTE
from memdesk.model.errors import Refused
from memdesk.model.interop import AskImport
from memdesk.store import binding, working
from tests.effort import examples
from tests.engine.conftest import Clock
from tests.fixtures.intake.worlds import MARA, changes, look
from tests.fixtures.interop.rich import beside_rows, furnish, rows, send
from tests.fixtures.interop.samples import (
    AGENT_FILE,
    ENDED,
    HINDSIGHT,
    SAMPLES,
    hindsight,
    openlegion,
    written,
)

TEXTS = (
    "agentx",
    "mem0",
    "letta",
    "messages",
    "graph",
    "openclaw",
    "claude",
    "chatgpt",
    "locomo",
    "hindsight",
)
CUTS = (0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98, 0.999)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A desk that has something already, for all that must leave it as it is."""
    folder = tmp_path_factory.mktemp("desk")
    engine = open_engine(Desk(folder / "desk"), clock=Clock())
    furnish(engine, folder)
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def samples(desk: Engine, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("samples")
    found: dict[str, Path] = {}
    for name, make in SAMPLES.items():
        (folder / name).mkdir()
        found[name] = make(folder / name)
    send(desk, "archive", folder / "all.zip")
    return found | {"archive": folder / "all.zip"}


def content_hash(engine: Engine) -> str:
    """One hash over everything on the desk: records, what was told beside, use, texts, journal and working memory."""
    with engine.store.reading() as db:
        held = working.entries_under(db, "", at=engine.clock())
    whole = repr((rows(engine), beside_rows(engine), changes(engine), held))
    return hashlib.sha256(whole.encode()).hexdigest()


def bring(engine: Engine, path: Path) -> None:
    take_in(engine, AskImport(path=str(path)), author=MARA, progress=ignore_progress)


def refused(engine: Engine, path: Path) -> Refused:
    """Both doors refuse it, naming it, and the desk is as it was."""
    before = content_hash(engine)
    with pytest.raises(Refused):
        look(engine, path)
    with pytest.raises(Refused) as error:
        bring(engine, path)
    assert path.name in error.value.says and error.value.says.endswith(".")
    assert content_hash(engine) == before
    return error.value


def damaged(path: Path, folder: Path, edit: Callable[[bytes], bytes]) -> Path:
    """A copy with other bytes, in a folder of the same name."""
    target = folder / path.name
    target.write_bytes(edit(path.read_bytes()))
    return target


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("name", [*ENDED, "archive"])
def test_a_torn_export_is_refused_by_name(
    desk: Engine, samples: dict[str, Path], tmp_path: Path, name: str, cut: float
) -> None:
    data = samples[name].read_bytes().rstrip(b"\n")
    torn = damaged(
        samples[name], tmp_path, lambda _: data[: max(1, min(len(data) - 1, int(len(data) * cut)))]
    )
    refused(desk, torn)


@settings(max_examples=examples(250), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_flipped_bytes_come_in_as_they_read_or_change_nothing(
    desk: Engine, samples: dict[str, Path], tmp_path: Path, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(sorted(samples)))
    whole = samples[name].read_bytes()
    flips = data.draw(
        st.lists(st.tuples(st.integers(0, len(whole) - 1), st.integers(1, 255)), min_size=1, max_size=4)
    )

    def flip(given: bytes) -> bytes:
        bytes_ = bytearray(given)
        for place, by in flips:
            bytes_[place] ^= by
        return bytes(bytes_)

    path = damaged(samples[name], tmp_path, flip)
    before = content_hash(desk)
    try:
        look(desk, path)
    except Refused as error:
        assert path.name in error.says
        with pytest.raises(Refused):
            bring(desk, path)
    assert content_hash(desk) == before


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=examples(200), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_field_of_any_kind_is_taken_or_refused_and_never_breaks(
    desk: Engine, samples: dict[str, Path], tmp_path: Path, data: st.DataObject
) -> None:
    name = data.draw(
        st.sampled_from(("agentx", "mem0", "letta", "messages", "graph", "openclaw", "claude", "hindsight"))
    )
    if name == "hindsight":
        member = data.draw(st.sampled_from(sorted(HINDSIGHT)))
        path = hindsight(tmp_path, **{member: with_another(HINDSIGHT[member], data)})
    elif samples[name].suffix == ".jsonl":
        lines = [json.loads(line) for line in samples[name].read_text().splitlines()]
        number = data.draw(st.integers(0, len(lines) - 1))
        lines[number] = with_another(lines[number], data)
        path = tmp_path / samples[name].name
        path.write_text("\n".join(map(json.dumps, lines)))
    else:
        path = written(
            tmp_path / samples[name].name, with_another(json.loads(samples[name].read_text()), data)
        )
    before = content_hash(desk)
    try:
        told = look(desk, path)
    except Refused as error:
        assert path.name in error.says
        assert content_hash(desk) == before
        return
    assert content_hash(desk) == before
    whole = open_engine(Desk(tmp_path / f"desk-{os.urandom(6).hex()}"), clock=desk.clock)
    try:
        counts = dict(take_in(whole, AskImport(path=str(path)), author=MARA, progress=ignore_progress))
        assert counts.get("facts", 0) >= told.counts.get("facts", 0)
    finally:
        whole.close()


def with_another(value: Any, data: st.DataObject) -> Any:
    """The value with one of the things inside it replaced by anything."""
    if isinstance(value, dict) and value and data.draw(st.integers(0, 4)):
        key = data.draw(st.sampled_from(sorted(value)))
        return {**value, key: with_another(value[key], data)}
    if isinstance(value, list) and value and data.draw(st.integers(0, 4)):
        place = data.draw(st.integers(0, len(value) - 1))
        return [*value[:place], with_another(value[place], data), *value[place + 1 :]]
    return data.draw(values)


def newer_agentx(folder: Path) -> Path:
    return written(folder / "newer.json", {"schema_version": 7, "facts": [], "entities": []})


def newer_hindsight(folder: Path) -> Path:
    return hindsight(folder, **{"manifest.json": {**HINDSIGHT["manifest.json"], "schema_version": 2}})


def newer_openlegion(folder: Path) -> Path:
    path = openlegion(folder)
    raw = binding.sqlite.connect(str(path))
    raw.execute("PRAGMA user_version = 9")
    raw.close()
    return path


def newer_openclaw(folder: Path) -> Path:
    path = folder / "session.jsonl"
    path.write_text(
        json.dumps({"type": "session", "version": 4, "id": "x" * 20, "timestamp": "2026-01-01T00:00:00Z"})
    )
    return path


def newer_archive(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "newer.zip", "w") as archive:
        archive.writestr(
            "manifest.json", json.dumps({"format": "memdesk-archive", "version": 12, "files": {}})
        )
    return folder / "newer.zip"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (newer_agentx, "an AgentX export of version 7; this MemDesk reads version 1"),
        (newer_hindsight, "a Hindsight archive of version 2; this MemDesk reads version 1"),
        (newer_openlegion, "an OpenLegion database of version 9; this MemDesk reads version 1"),
        (newer_openclaw, "an OpenClaw session of version 4; this MemDesk reads version 3"),
        (newer_archive, "a MemDesk archive of version 12; this MemDesk reads version 1"),
    ],
)
def test_a_newer_version_is_refused_by_its_number(
    desk: Engine, tmp_path: Path, make: Callable[[Path], Path], says: str
) -> None:
    assert says in refused(desk, make(tmp_path)).says


@pytest.mark.parametrize(
    "name", ["../out.json", "/etc/out.json", "documents/../../out.json", "C:\\out.json", "..\\x"]
)
@pytest.mark.parametrize("kind", ["hindsight", "archive"])
def test_an_archive_with_a_name_that_leads_out_of_it_is_refused(
    desk: Engine, samples: dict[str, Path], tmp_path: Path, kind: str, name: str
) -> None:
    path = Path(shutil.copy(samples[kind], tmp_path))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, "{}")
    assert "leads out of it" in refused(desk, path).says


def test_a_bomb_is_refused_before_it_goes_off(desk: Engine, tmp_path: Path) -> None:
    path = hindsight(tmp_path)
    with (
        zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive,
        archive.open("documents/000001.json", "w") as file,
    ):
        for _ in range(700):
            file.write(b" " * MEGABYTE)
    assert path.stat().st_size < 2 * MEGABYTE
    assert "unpacks to 700 MB; 640 MB at most" in refused(desk, path).says


def test_an_archive_whose_text_would_fill_the_memory_is_refused(
    desk: Engine, samples: dict[str, Path], tmp_path: Path
) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(samples["archive"]) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        text = next(name for name in old.namelist() if name.startswith("texts/"))
        for name in old.namelist():
            if name != text:
                new.writestr(name, old.read(name))
        with new.open(text, "w") as file:
            for _ in range(70):
                file.write(b" " * MEGABYTE)
    assert "larger than" in refused(desk, path).says


def test_a_locked_archive_is_refused(desk: Engine, samples: dict[str, Path], tmp_path: Path) -> None:
    data = bytearray(samples["hindsight"].read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.find(mark)
        while place >= 0:
            data[place + offset] |= 1
            place = data.find(mark, place + 4)
    (tmp_path / "locked.zip").write_bytes(data)
    refused(desk, tmp_path / "locked.zip")


def test_an_agent_file_that_names_a_block_it_lacks_is_refused(desk: Engine, tmp_path: Path) -> None:
    path = written(tmp_path / "agent.af", {**AGENT_FILE, "blocks": []})
    assert "block-0, which is not in the file" in refused(desk, path).says


def test_a_database_in_use_is_read_with_its_log_and_never_touched(engine: Engine, tmp_path: Path) -> None:
    path = openlegion(tmp_path)
    raw = binding.sqlite.connect(str(path), isolation_level=None)
    raw.execute("PRAGMA journal_mode=WAL")
    raw.execute("PRAGMA wal_autocheckpoint=0")
    raw.execute("INSERT INTO facts (id, key, value) VALUES ('fact_late', 'gate', 'red')")
    raw.execute("BEGIN IMMEDIATE")
    names = sorted(tmp_path.glob("agent.db*"))
    before = [(each.name, each.read_bytes()) for each in names if not each.name.endswith("-shm")]
    bring(engine, path)
    assert "fact_late" in {row["id"] for row in rows(engine)["fact"]}
    assert [(each.name, each.read_bytes()) for each in names if not each.name.endswith("-shm")] == before
    assert sorted(tmp_path.glob("agent.db*")) == names
    raw.execute("COMMIT")
    raw.close()


def test_a_database_under_constant_writing_is_refused_or_read_whole(engine: Engine, tmp_path: Path) -> None:
    path = openlegion(tmp_path)
    done = threading.Event()

    def write() -> None:
        raw = binding.sqlite.connect(str(path), isolation_level=None)
        number = 0
        while not done.is_set() and number < 3_000:
            number += 1
            raw.execute(
                "INSERT INTO facts (id, key, value) VALUES (?, ?, ?)", (f"f{number}", f"k{number}", "v" * 200)
            )
        raw.close()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        bring(engine, path)
    except Refused as error:
        assert "being written to" in error.says
        assert changes(engine) == 0
    finally:
        done.set()
        writer.join()


def test_a_table_that_is_torn_or_has_no_claims_is_refused(desk: Engine, tmp_path: Path) -> None:
    for name, text, says in (
        ("open.csv", 'claim,room\n"never closed,4\n', "unexpected end of data"),
        ("short.csv", "claim,room\nA claim\n", "row 2 has 1 columns and the header 2"),
        ("gap.csv", "claim,room\n\nA claim\n", "row 3 has 1 columns and the header 2"),
        ("other.csv", "price,room\n3,4\n", "no column that holds a claim"),
        ("sure.csv", "claim,confidence\nA claim,very\n", "`confidence` is not a number"),
        ("when.csv", "claim,date\nA claim,soon\n", "`date` is not a time"),
        ("empty.csv", "\n", "is empty"),
    ):
        (tmp_path / name).write_text(text)
        assert says in refused(desk, tmp_path / name).says


def places_in(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to every value in a JSON value."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*way, key)
        yield from places_in(value[key], (*way, key))


@pytest.mark.parametrize("name", ["agentx", "chatgpt", "locomo", "mem0", "messages"])
def test_values_of_another_type_are_read_or_refused_at_any_place(
    desk: Engine, samples: dict[str, Path], tmp_path: Path, name: str
) -> None:
    text = samples[name].read_text()
    path = tmp_path / samples[name].name
    for *way, last in places_in(json.loads(text)):
        for other in (None, 3.5, [None]):
            value = at = json.loads(text)
            for key in way:
                at = at[key]
            at[last] = other
            path.write_text(json.dumps(value))
            with suppress(Refused):
                look(desk, path)


def test_a_memory_without_an_id_is_refused(desk: Engine, samples: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / samples["mem0_history"].name
    shutil.copyfile(samples["mem0_history"], path)
    raw = binding.sqlite.connect(str(path))
    raw.execute("UPDATE history SET memory_id = NULL WHERE id = 'h1'")
    raw.commit()
    raw.close()
    assert "has no `id`" in refused(desk, path).says
