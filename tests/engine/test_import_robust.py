"""Imports of hundreds of files, huge files, strange files, and imports that are stopped in the middle."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.engine.engine import Engine
from memdesk.engine.opening import open_engine
from memdesk.engine.workspace.line_facts import LINES_AT_ONCE
from memdesk.files.places import Desk
from memdesk.model.document import DOCUMENT
from memdesk.model.errors import Cancelled, Refused
from memdesk.model.fact import FACT
from memdesk.model.turn import TURN
from memdesk.store import records
from tests.effort import examples
from tests.fixtures.intake.worlds import changes, contents, copy_of, count, look, take


class Stop:
    """Progress that a person stops after some steps."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, done: int, total: int, says: str) -> None:
        self.left -= 1
        if self.left < 0:
            raise Cancelled("Stopped.")


@pytest.fixture
def everything(tmp_path: Path) -> Path:
    """A folder with workspaces, days, transcripts and a LoCoMo file."""
    root = tmp_path / "everything"
    root.mkdir()
    for name in ("harbour", "shared", "chats", "sessions.json"):
        copy_of(name, root)
    return root


@pytest.mark.parametrize("after", [1, 4, 9, 12, 15, 20, 23])
def test_an_import_stopped_in_the_middle_continues_to_the_same_desk(
    tmp_path: Path, engine: Engine, everything: Path, after: int
) -> None:
    whole = open_engine(Desk(tmp_path / "whole"), clock=engine.clock)
    take(whole, everything)
    with pytest.raises(Cancelled):
        take(engine, everything, progress=Stop(after))
    take(engine, everything)
    assert contents(engine) == contents(whole)
    whole.close()


def test_a_file_of_very_many_facts_that_was_stopped_begins_again(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "long"
    folder.mkdir()
    (folder / "MEMORY.md").write_text(
        "".join(f"- Berth {n} costs {n} euros a day\n" for n in range(100, 220))
    )
    done = 0
    carried_out = engine.store.decide

    def decide(verb: object) -> object:
        nonlocal done
        done += 1
        if done == 4:  # the channel, then two parts of the file
            raise Cancelled("Stopped.")
        return carried_out(verb)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(engine.store, "decide", decide)
        with pytest.raises(Cancelled):
            take(engine, folder)
    assert count(engine, DOCUMENT, retired_at=None) == 0
    assert count(engine, FACT) == 2 * LINES_AT_ONCE
    take(engine, folder)
    assert count(engine, DOCUMENT, retired_at=None) == 1
    assert count(engine, FACT) == 120
    assert take(engine, folder)["known"] == 1


def test_hundreds_of_files_come_in_once(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    for number in range(400):
        path = folder / f"part-{number % 7}" / f"笔记-{number:03}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# ノート {number}\n\n第 {number} 号泊位。\n")
    assert take(engine, folder)["documents"] == 400
    before = changes(engine)
    assert take(engine, folder)["known"] == 400
    assert changes(engine) == before


def test_a_twenty_megabyte_note_comes_in_and_is_found(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "large"
    folder.mkdir()
    line = "The quay was swept in the morning and nothing else happened on that day at all.\n"
    (folder / "log.md").write_text(
        line * (20 * 1024 * 1024 // len(line)) + "\n\n# End\n\nThe zeppelin landed.\n"
    )
    assert take(engine, folder)["documents"] == 1
    with engine.store.reading() as db:
        (document,) = records.find(db, DOCUMENT)
    assert document.size > 20_000_000


def test_a_twenty_megabyte_transcript_comes_in(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "large.jsonl"
    body = "word " * 2_000
    with path.open("w") as file:
        for number in range(2_000):
            file.write(
                json.dumps({"role": "tool" if number % 10 else "assistant", "content": f"{number} {body}"})
                + "\n"
            )
    assert path.stat().st_size > 20_000_000
    assert take(engine, path)["turns"] == 200
    assert count(engine, TURN) == 200


def test_a_file_over_the_limit_stays_out_by_name_and_the_rest_comes_in(
    engine: Engine, tmp_path: Path
) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "small.md").write_text("small\n")
    (folder / "huge.md").write_bytes(b"x" * (33 * 1024 * 1024))
    told = look(engine, folder)
    assert [(left.name, left.why) for left in told.skipped] == [("huge.md", "It is larger than 32 MB.")]
    assert take(engine, folder)["documents"] == 1


def test_strange_files_are_handled_or_left_by_name(engine: Engine, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret\n")
    folder = tmp_path / "strange"
    folder.mkdir()
    (folder / "good.md").write_text("good\n")
    (folder / "empty.md").write_bytes(b"")
    (folder / "blank.md").write_bytes(b"\n\n")
    (folder / "broken.md").write_bytes(b"half a \xe7\x8c word\n")
    (folder / "binary.md").write_bytes(b"\0\1\2")
    (folder / "wide.md").write_bytes("\ufeffweit\n".encode("utf-16-le"))
    (folder / "link.md").symlink_to(outside / "secret.md")
    (folder / "dir").symlink_to(outside)
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe.md")
    told = look(engine, folder)
    assert {left.name: left.why for left in told.skipped} == {
        "binary.md": "It holds NUL bytes, so it is not text.",
        "blank.md": "It is empty.",
        "dir": "A link that leads out of this folder.",
        "empty.md": "The file is empty.",
        "link.md": "A link that leads out of this folder.",
        "loop": "A link to something in this folder, which is taken where it lies.",
        "pipe.md": "Not a regular file.",
    }
    assert {item.name: item.what for item in told.items} == {
        "broken.md": "notes, bytes that are not UTF-8 replaced",
        "good.md": "notes",
        "wide.md": "notes",
    }
    counts = take(engine, folder)
    assert (counts["documents"], counts["skipped"]) == (3, 7)


def test_a_link_to_a_folder_may_be_the_start(engine: Engine, tmp_path: Path) -> None:
    copy_of("harbour", tmp_path)
    (tmp_path / "shortcut").symlink_to(tmp_path / "harbour")
    assert take(engine, tmp_path / "shortcut")["documents"] == 9
    assert take(engine, tmp_path / "harbour")["known"] == 9


def test_a_start_that_is_a_link_in_circles_is_refused(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "round").symlink_to(tmp_path / "round")
    with pytest.raises(Refused, match="out of reach or a link in circles"):
        look(engine, tmp_path / "round")


def test_very_deep_folders_are_walked(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "deep"
    deepest = folder.joinpath(*["d"] * 300)
    deepest.mkdir(parents=True)
    (deepest / "note.md").write_text("down here\n")
    assert take(engine, folder)["documents"] == 1


def test_very_deep_json_is_refused_by_name(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text("[" * 100_000 + "]" * 100_000)
    with pytest.raises(Refused, match=r"deep\.json is neither markdown nor a transcript"):
        look(engine, path)


def test_two_imports_of_one_folder_at_once_make_one_desk(
    engine: Engine, everything: Path, tmp_path: Path
) -> None:
    whole = open_engine(Desk(tmp_path / "whole"), clock=engine.clock)
    take(whole, everything)
    with ThreadPoolExecutor(2) as pool:
        for running in [pool.submit(take, engine, everything) for _ in range(2)]:
            running.result()
    assert count(engine, DOCUMENT) == count(whole, DOCUMENT)
    assert count(engine, TURN) == count(whole, TURN)
    whole.close()


words = st.sampled_from(
    [
        "role",
        "content",
        "text",
        "message",
        "messages",
        "type",
        "user",
        "assistant",
        "timestamp",
        "id",
        "mapping",
        "current_node",
        "parent",
        "author",
        "tool_calls",
        "conversation",
        "session_1",
        "session_1_date_time",
        "uuid",
    ]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=6),
    max_leaves=25,
)


@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=values, as_lines=st.booleans())
def test_any_json_is_taken_or_refused_and_never_breaks(
    engine: Engine, tmp_path: Path, value: object, as_lines: bool
) -> None:
    path = tmp_path / ("any.jsonl" if as_lines else "any.json")
    path.write_text(json.dumps(value) + "\n")
    try:
        told = look(engine, path)
    except Refused as refused:
        assert "any.json" in refused.says
    else:
        assert told.items or told.known


@settings(max_examples=examples(100), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=200), suffix=st.sampled_from([".md", ".json", ".jsonl", ".txt", ".af"]))
def test_any_bytes_are_taken_or_refused_and_never_break(
    engine: Engine, tmp_path: Path, data: bytes, suffix: str
) -> None:
    path = tmp_path / f"any{suffix}"
    path.write_bytes(data)
    try:
        look(engine, path)
    except Refused as refused:
        assert f"any{suffix}" in refused.says


@pytest.mark.skipif(not Path("/proc/self/mounts").exists(), reason="no /proc here")
@pytest.mark.parametrize("place", ["/proc", "/sys", "/proc/kmsg"])
def test_what_the_kernel_shows_is_refused_at_once(engine: Engine, place: str) -> None:
    with pytest.raises(Refused, match="a view of the running system"):
        look(engine, Path(place))
