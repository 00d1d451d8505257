"""Paths that agents name: hostile ones are refused, honest ones arrive, and no link leads anywhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.files.walk import DEPTH, in_open_folder, opened, parts_of
from memdesk.model.errors import Refused, StorageFailed
from tests.effort import examples

LIMIT = 1 << 20
HOSTILE = [
    "/etc/passwd",
    "..",
    "../x",
    "a/../b",
    "a/./b",
    ".",
    "a/..",
    "..\\x",
    "a\\b",
    "C:\\x",
    "%2e%2e/x",
    "%2E%2E%2Fx",
    "a%2fb",
    "a%5cb",
    "%252e%252e",
    "a%00b",
    "%c0%ae%c0%ae/x",
    "a\0b",
    "a\nb",
    "a\x7fb",
    "a\x1bb",
    "\u202egnp.exe",
    "a\u200fb",
    "a\u2066b",
    "a\u2028b",
    "a\ud800b",
    "con",
    "CON",
    "NUL.md",
    "aux .txt",
    "com1",
    "LPT9.log",
    "a.",
    "a ",
    "notes/con/x",
    "\u2025/x",
    "\uff0e\uff0e/x",
    "\u2024\u2024/x",
    "x" * 241,
    "é" * 121,
    "a/" * (DEPTH + 1),
    "ab/" * 400,
    ".memdesk-x.tmp",
    "..\u2215..\u2215x",
    "a\u2044b",
    "..\uff0fx",
    "a\uff3cb",
]
HONEST = [
    "notes.md",
    "notes//tea.md",
    "日记/2026-01-01.md",
    ".hidden",
    "a b.md",
    "100%.md",
    "50%off",
    "naïve/café.md",
    "x.tar.gz",
    "con-notes.md",
    "com10",
    "…",
    "a:b.md",
    "family 👩‍👧.md",
    "½.md",
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "memories"
    (folder / "notes").mkdir(parents=True)
    (folder / "notes" / "tea.md").write_text("green\n")
    (tmp_path / "secret.md").write_text("outside\n")
    return folder


@pytest.mark.parametrize("path", HOSTILE)
def test_a_hostile_path_is_refused(path: str) -> None:
    with pytest.raises(Refused):
        parts_of(path)


@pytest.mark.parametrize("path", HONEST)
def test_an_honest_path_keeps_its_names(path: str) -> None:
    assert parts_of(path) == tuple(filter(None, path.split("/")))


LETTERS = st.one_of(
    st.sampled_from(
        ["..", ".", "/", "\\", "%2e", "%2f", "\0", "\u202e", "con", "nul", " ", "~", "$HOME", "file:"]
    ),
    st.text(max_size=4),
)


@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(LETTERS, max_size=8))
def test_whatever_passes_stays_inside_the_folder(root: Path, words: list[str]) -> None:
    path = "".join(words)
    try:
        parts = parts_of(path)
    except Refused:
        return
    inside = Path(os.path.normpath(root.joinpath(*parts)))
    assert inside == root.joinpath(*parts) and inside.is_relative_to(root)
    with opened(root) as tree:
        assert parts == () or parts[0] == "notes" or tree.look(parts) is None


def test_a_file_is_looked_at_read_and_listed_with_its_folder(root: Path) -> None:
    with opened(root) as tree:
        met = tree.look(("notes", "tea.md"))
        assert met is not None and (met.name, met.is_folder, met.size_bytes) == ("notes/tea.md", False, 6)
        assert tree.read(("notes", "tea.md"), limit_bytes=LIMIT)[0] == b"green\n"
        assert [each.name for each in tree.entries(())] == ["notes"]
        assert [each.name for each in tree.below(())] == ["notes/tea.md"]
        assert tree.look(("notes", "none.md")) is None and tree.look(("notes", "tea.md", "x")) is None
        with pytest.raises(Refused, match="larger"):
            tree.read(("notes", "tea.md"), limit_bytes=3)


@pytest.mark.parametrize("target", ["../secret.md", "../../", "notes/tea.md", "/etc/passwd", "nowhere"])
def test_a_link_is_no_file_wherever_it_leads(root: Path, target: str) -> None:
    (root / "link").symlink_to(target)
    with opened(root) as tree:
        with pytest.raises(Refused, match="a link"):
            tree.look(("link",))
        with pytest.raises(Refused):
            tree.read(("link",), limit_bytes=LIMIT)
        assert [each.name for each in tree.entries(())] == ["notes"]
        with pytest.raises(Refused, match="a link"):
            list(tree.below(()))


def test_a_linked_folder_on_the_way_is_refused_for_every_use(root: Path) -> None:
    (root / "out").symlink_to(root.parent, target_is_directory=True)
    with opened(root) as tree:
        for use in (
            lambda: tree.look(("out", "secret.md")),
            lambda: tree.read(("out", "secret.md"), limit_bytes=LIMIT),
            lambda: tree.entries(("out",)),
            lambda: tree.make_folders(("out", "new")),
        ):
            with pytest.raises(Refused, match="a link"):
                use()
    assert not (root.parent / "new").exists()


def test_a_file_with_another_name_elsewhere_is_refused(root: Path) -> None:
    os.link(root.parent / "secret.md", root / "mine.md")
    with opened(root) as tree:
        for use in (lambda: tree.look(("mine.md",)), lambda: tree.read(("mine.md",), limit_bytes=LIMIT)):
            with pytest.raises(Refused, match="hard link"):
                use()


def test_a_pipe_is_refused_and_does_not_wait_for_its_writer(root: Path) -> None:
    os.mkfifo(root / "pipe")
    with opened(root) as tree:
        with pytest.raises(Refused, match="no regular file"):
            tree.look(("pipe",))
        with pytest.raises(Refused):
            tree.read(("pipe",), limit_bytes=LIMIT)


def test_a_name_that_is_no_text_is_left_out_and_never_passed_over(root: Path) -> None:
    Path(os.fsdecode(os.fsencode(root) + b"/bad\xff.md")).write_text("x")
    with opened(root) as tree:
        assert [each.name for each in tree.entries(())] == ["notes"]
        with pytest.raises(Refused, match="not UTF-8"):
            list(tree.below(()))


def test_the_root_itself_is_no_link(root: Path) -> None:
    (root.parent / "alias").symlink_to(root, target_is_directory=True)
    with pytest.raises(Refused), opened(root.parent / "alias"):
        pass


def test_a_folder_swapped_for_a_link_after_it_was_judged_leads_nowhere(root: Path) -> None:
    with opened(root) as tree:
        assert tree.look(("notes", "tea.md")) is not None
        (root / "notes").rename(root / "moved")
        (root / "notes").symlink_to(root.parent, target_is_directory=True)
        with pytest.raises(Refused, match="a link"):
            tree.read(("notes", "secret.md"), limit_bytes=LIMIT)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux shows open folders as paths")
def test_a_folder_that_is_held_is_written_and_read_whatever_takes_its_place(root: Path) -> None:
    outside = root.parent / "elsewhere"
    outside.mkdir()
    with in_open_folder(root, ("new", "deep", "a.md"), made=True) as path:
        (root / "new" / "deep").rename(root / "moved")
        (root / "new" / "deep").symlink_to(outside)
        path.write_text("kept")
    assert (root / "moved" / "a.md").read_text() == "kept" and list(outside.iterdir()) == []
    with pytest.raises(Refused), in_open_folder(root, ("new", "deep", "a.md")):
        pass


def test_folders_are_made_private_and_moved(root: Path) -> None:
    with opened(root) as tree:
        tree.make_folders(("a", "b", "c"))
        assert (root / "a").stat().st_mode & 0o777 == 0o700
        tree.make_folders(("a", "b"))
        tree.move_folder(("a",), ("notes", "a"))
        assert (root / "notes" / "a" / "b" / "c").is_dir()
        with pytest.raises(Refused, match="a file, not a folder"):
            tree.make_folders(("notes", "tea.md", "x"))
        with pytest.raises(StorageFailed):
            tree.move_folder(("notes",), ("notes", "in"))


def test_a_folder_set_aside_is_cleared_and_what_its_links_lead_to_stays(root: Path) -> None:
    (root / "notes" / "link").symlink_to(root.parent)
    with opened(root) as tree:
        aside = tree.set_aside(("notes",))
        assert not (root / "notes").exists()
        tree.clear(aside)
    assert list(root.iterdir()) == [] and (root.parent / "secret.md").read_text() == "outside\n"
