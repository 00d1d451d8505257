"""Every format comes in once, stopped or not, and survives going out and coming back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.interop.intake import plural, take_in
from memdesk.engine.progress import Progress, ignore_progress
from memdesk.engine.undo import undo_run
from memdesk.model.curation import UndoRun
from memdesk.model.errors import Cancelled
from memdesk.model.interop import AskImport
from memdesk.model.kinds import KINDS
from memdesk.store import archiving, records
from tests.fixtures.intake.worlds import MARA, changes, events, look
from tests.fixtures.interop.rich import rows, send
from tests.fixtures.interop.samples import SAMPLES

BACK = {
    "agentx": "agentx",
    "mem0": "mem0",
    "mem0_history": "mem0",
    "mem0_notes": "mem0",
    "graph": "mcp-memory",
}
"""The exporter that writes a sample's own format; the others go out as an archive."""
_VOLATILE = ("salience_at", "created_at", "updated_at", "started_at")


@pytest.fixture(params=sorted(SAMPLES))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def sample(name: str, tmp_path: Path) -> Path:
    return SAMPLES[name](tmp_path)


def bring(engine: Engine, path: Path, progress: Progress = ignore_progress) -> dict[str, int]:
    """An import without the extraction that follows it, which is no part of any format."""
    return dict(take_in(engine, AskImport(path=str(path), channel="quay"), author=MARA, progress=progress))


def told(engine: Engine) -> dict[str, Any]:
    """Every record but channels by its id, with what was told beside; times the desk gave itself aside."""
    found = {
        row["id"]: {field: value for field, value in row.items() if field not in _VOLATILE}
        for kind, each in rows(engine).items()
        if kind != "channel"
        for row in each
    }
    with engine.store.reading() as db:
        beside = archiving.extra_data(db, list(found))
    return {id: (row, beside.get(id)) for id, row in found.items()}


def by_content(engine: Engine) -> dict[str, Any]:
    """The same by what a record says, for formats that name nothing."""
    with engine.store.reading() as db:
        names = {r.id: str(getattr(r, kind.title)) for kind in KINDS for r in records.find(db, kind)}
    return {
        kind: sorted(
            repr(
                [
                    names.get(str(value), value)
                    for field, value in row.items()
                    if field not in ("id", *_VOLATILE)
                ]
            )
            for row in found
        )
        for kind, found in rows(engine).items()
        if kind != "channel"
    }


def test_a_preview_tells_what_comes_and_changes_nothing(engine: Engine, sample: Path) -> None:
    seen = look(engine, sample, channel="quay")
    assert seen.items and seen.channel == "quay" and changes(engine) == 0
    counts = bring(engine, sample)
    assert {plural(table): n for table, n in counts.items() if n} == {
        t: n for t, n in seen.counts.items() if n
    }


def test_it_comes_in_once(engine: Engine, sample: Path) -> None:
    bring(engine, sample)
    number, before = changes(engine), told(engine)
    assert bring(engine, sample)["known"] > 0
    assert look(engine, sample, channel="quay").items == ()
    assert (changes(engine), told(engine)) == (number, before)


def test_stopped_in_the_middle_it_continues_to_the_same_desk(
    engine: Engine, other: Engine, name: str, sample: Path
) -> None:
    bring(other, sample)
    for after in range(20):
        steps = iter(range(after))

        def stopping(done: int, total: int, says: str, steps: Iterator[int] = steps) -> None:
            if next(steps, None) is None:
                raise Cancelled("Stopped.")

        try:
            bring(engine, sample, stopping)
            break
        except Cancelled:
            continue
    look_at = by_content if name == "graph" else told
    assert look_at(engine) == look_at(other)


def test_one_run_takes_it_back(engine: Engine, sample: Path) -> None:
    bring(engine, sample)
    undo_run(engine, UndoRun(change=events(engine)[-1].id), author=MARA, progress=ignore_progress)
    assert told(engine) == {}


def test_it_goes_out_and_an_empty_desk_becomes_the_same(
    engine: Engine, other: Engine, name: str, sample: Path, tmp_path: Path
) -> None:
    bring(engine, sample)
    send(engine, "archive", tmp_path / "out.zip")
    take_in(
        other,
        AskImport(path=str(tmp_path / "out.zip"), accept=("all",)),
        author=MARA,
        progress=ignore_progress,
    )
    assert {id: row for id, (row, _) in told(other).items()} == {
        id: row for id, (row, _) in told(engine).items()
    }
    assert {id: beside for id, (_, beside) in told(other).items()} == {
        id: beside for id, (_, beside) in told(engine).items()
    }


@pytest.mark.parametrize("name", sorted(BACK))
def test_its_own_format_goes_out_and_comes_back(
    engine: Engine, other: Engine, name: str, tmp_path: Path
) -> None:
    bring(engine, SAMPLES[name](tmp_path))
    suffix = ".jsonl" if name == "graph" else ".json"
    send(engine, BACK[name], tmp_path / f"out{suffix}", channel="quay")
    bring(other, tmp_path / f"out{suffix}")
    if name != "graph":
        facts = {row["id"]: (row["claim"], row["quote"], row["agent_id"]) for row in rows(engine)["fact"]}
        assert {
            row["id"]: (row["claim"], row["quote"], row["agent_id"]) for row in rows(other)["fact"]
        } == facts
        times = {row["id"]: row["created_at"] for row in rows(engine)["fact"]}
        assert {row["id"]: row["created_at"] for row in rows(other)["fact"]} == times
    else:
        assert by_content(other) == by_content(engine)
    send(other, BACK[name], tmp_path / f"again{suffix}", channel="quay")
    if name != "agentx":
        assert (tmp_path / f"again{suffix}").read_text() == (tmp_path / f"out{suffix}").read_text()


def test_another_users_copy_is_another_memory(engine: Engine, sample: Path) -> None:
    bring(engine, sample)
    before = told(engine)
    ask = AskImport(path=str(sample), channel="quay", user_id="tom")
    take_in(engine, ask, author=MARA, progress=ignore_progress)
    after = told(engine)
    assert len(after) == 2 * len(before) and {id: after[id] for id in before} == before
