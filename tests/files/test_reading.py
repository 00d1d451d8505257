"""Reading files of unknown manners: what is taken, what is refused by name, and what stays byte for byte: line ends,
encoding, the mark at the beginning, the final newline."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.files.merge import lines_of, merge
from memdesk.files.places import scratch_folder
from memdesk.files.reading import (
    Entry,
    Left,
    TextFile,
    plain,
    read_bytes,
    read_text,
    text_of,
    walk,
    within,
    without_unstorable,
)
from memdesk.model.errors import Refused, StorageFailed

LIMIT = 1_000_000


def test_windows_line_ends_a_bom_and_chinese_are_read_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes("\ufeff# 标题\r\nline\r\n".encode())
    file = read_text(path, "a.md", limit_bytes=LIMIT)
    assert file.text == "# 标题\r\nline\r\n"
    assert file.manner.exact(file.text) == path.read_bytes()
    assert file.manner.kept("one\ntwo") == "one\r\ntwo\r\n"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_with_its_mark_is_read_and_kept(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.md"
    path.write_bytes("\ufeffこんにちは\n".encode(encoding))
    file = read_text(path, "a.md", limit_bytes=LIMIT)
    assert file.text == "こんにちは\n"
    assert file.manner.exact(file.text) == path.read_bytes()


def test_broken_utf8_is_mended_and_said(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"good \xff\xfe bad")
    file = read_text(path, "a.md", limit_bytes=LIMIT)
    assert file.mended and file.text == "good \ufffd\ufffd bad"


def test_binary_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "picture.md"
    path.write_bytes(b"\x89PNG\0\0\0")
    with pytest.raises(Refused, match=r"picture\.md holds NUL bytes"):
        read_text(path, "picture.md", limit_bytes=LIMIT)


def test_a_file_over_the_limit_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "big.md"
    path.write_bytes(b"x" * (LIMIT + 1))
    with pytest.raises(Refused, match=r"big\.md is larger than 0 MB"):
        read_text(path, "big.md", limit_bytes=LIMIT)


def test_a_pipe_is_refused_and_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    with pytest.raises(Refused, match="not a regular file"):
        read_text(tmp_path / "pipe.md", "pipe.md", limit_bytes=LIMIT)


def test_a_gone_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"gone\.md could not be read: it is gone"):
        read_text(tmp_path / "gone.md", "gone.md", limit_bytes=LIMIT)


def test_a_walk_is_in_order_and_names_what_it_leaves_out(tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("secret")
    root = tmp_path / "root"
    for name in ("b/two.md", "a.md", "node_modules/x/readme.md", ".git/config", ".agents/kept.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("text")
    (root / "link.md").symlink_to(outside)
    (root / "within.md").symlink_to(root / "a.md")
    (root / "lost.md").symlink_to(root / "nowhere.md")
    (root / "loop").symlink_to(root)
    (root / "b" / "round").symlink_to(root / "b" / "round")
    seen = list(walk(root, known_hidden=(".agents",)))
    assert [item.name for item in seen if isinstance(item, Entry)] == ["a.md", ".agents/kept.md", "b/two.md"]
    left = {item.name: item.why for item in seen if isinstance(item, Left)}
    assert left["link.md"] == "A link that leads out of this folder."
    assert left["within.md"] == "A link to something in this folder, which is taken where it lies."
    assert left["lost.md"] == left["b/round"] == "A link that leads nowhere."
    assert left["loop"].startswith("A link to something in this folder")
    assert left[".git/"] == "A hidden folder."
    assert left["node_modules/"] == "A folder of packages or caches."


def test_a_name_that_is_no_utf8_is_left_out_by_name(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/\xff.md", "w") as file:
        file.write("text")
    (left,) = walk(tmp_path)
    assert left == Left(name="\ufffd.md", why="The file's name is not UTF-8.")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open everything")
def test_a_closed_folder_is_left_out_by_name(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    (left,) = walk(tmp_path)
    closed.chmod(0o700)
    assert left == Left(name="closed/", why="The folder could not be opened: permission denied.")


def test_a_folder_that_vanishes_is_left_out_by_name(tmp_path: Path) -> None:
    (left,) = walk(tmp_path / "gone")
    assert isinstance(left, Left) and left.why == "The folder could not be opened: it is gone."


def test_a_path_through_a_link_out_of_the_root_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "out").symlink_to(tmp_path)
    with pytest.raises(Refused, match="leads out of root"):
        within(root, "out/secret.md")
    assert within(root, "in.md") == root / "in.md"


def test_half_characters_and_nul_become_replacement_characters() -> None:
    assert without_unstorable("a\0b\ud83d c") == "a\ufffdb\ufffd c"


@pytest.mark.skipif(not Path("/proc/self/mounts").exists(), reason="no /proc here")
def test_what_the_kernel_shows_is_no_file_and_no_folder() -> None:
    with pytest.raises(Refused, match="a view of the running system"):
        read_bytes(Path("/proc/version"), "version", limit_bytes=1000)
    (left,) = walk(Path("/proc"))
    assert isinstance(left, Left) and "view of the running system" in left.why


@pytest.mark.parametrize("name", ["a\0b", "half \ud800"])
def test_a_path_that_no_file_can_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refused, match="is no path"):
        read_bytes(tmp_path / name, name, limit_bytes=1000)


def test_a_scratch_folder_is_made_elsewhere_where_the_preferred_one_takes_nothing(tmp_path: Path) -> None:
    with scratch_folder(tmp_path) as here, scratch_folder(Path("/dev/null/nowhere")) as elsewhere:
        assert here.parent == tmp_path and elsewhere.is_dir()
    assert not here.exists() and not elsewhere.exists()


def test_no_place_for_a_scratch_folder_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/dev/null/nowhere")
    with pytest.raises(StorageFailed, match="No temporary folder can be made") as caught, scratch_folder():
        pass
    assert "TMPDIR" in caught.value.next


BOMS = {"utf-8": b"\xef\xbb\xbf", "utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}
LINE = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=12)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])
BODY = st.lists(st.tuples(LINE, ENDS), max_size=8)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A file in any encoding, with any mixture of line ends, with or without a final one."""
    text = "".join(line + end for line, end in draw(BODY)) + draw(LINE)
    encoding = draw(st.sampled_from(sorted(BOMS)))
    marked = encoding != "utf-8" or draw(st.booleans())
    return (BOMS[encoding] if marked else b"") + text.encode(encoding)


def text_file(data: bytes) -> TextFile:
    return text_of(data, "x.md", modified_at=0)


@given(files())
def test_a_file_saved_as_it_reads_is_the_same_bytes(data: bytes) -> None:
    file = text_file(data)
    assert file.manner.exact(file.text) == data
    assert file.manner.exact(file.manner.with_manner(file.text, file.text)) == data
    assert file.manner.exact(file.manner.with_manner(file.text, plain(file.text))) == data


@given(files(), st.integers(0, 8), LINE)
def test_a_changed_line_leaves_every_other_byte(data: bytes, place: int, line: str) -> None:
    file = text_file(data)
    lines = plain(file.text).split("\n")
    place %= len(lines)
    woven = file.manner.with_manner(
        file.text, "\n".join([*lines[:place], "changed: " + line, *lines[place + 1 :]])
    )
    before, after = file.text.splitlines(keepends=True), woven.splitlines(keepends=True)
    if "changed: " not in file.text and len(before) == len(after):
        moved = [n for n, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
        assert len(moved) <= 1


@given(files(), BODY)
def test_what_is_added_stands_behind_the_very_bytes_that_were_there(
    data: bytes, more: list[tuple[str, str]]
) -> None:
    file = text_file(data)
    addition = file.manner.added(file.text, "".join(line + end for line, end in more))
    whole = file.manner.exact(file.text) + file.manner.bare(addition)
    assert whole.startswith(data)
    assert whole == file.manner.exact(file.text + addition)


def test_new_lines_take_the_commonest_line_end_and_old_ones_keep_theirs() -> None:
    file = text_file(b"a\r\nb\nc\r\n")
    assert file.manner.exact(file.manner.with_manner(file.text, "a\nb\nnew\nc\n")) == b"a\r\nb\nnew\r\nc\r\n"


def test_a_file_without_a_final_newline_gets_none_unless_it_was_written() -> None:
    file = text_file(b"a\nb")
    assert file.manner.with_manner(file.text, "a\nc") == "a\nc"
    assert text_file(b"a\nb\n").manner.with_manner("a\nb\n", "a\nc") == "a\nc\n"


def test_lines_that_both_added_are_both_kept_and_once_where_they_are_alike() -> None:
    assert merge("a\n", "a\nmine\n", "a\ntheirs\n").text == "a\ntheirs\nmine\n"
    assert merge("a\n", "a\nsame\nmine\n", "a\nsame\n").text == "a\nsame\nmine\n"
    assert merge("a\n", "a\nmine\n", "a\ntheirs\n").clashes == 0
    assert merge("a\nb\n", "a\nB\n", "a\nbb\n").clashes == 1


TEXT = st.lists(st.sampled_from(["a", "b", "c", "d", ""]), max_size=9).map("\n".join)


@given(TEXT, TEXT, TEXT)
def test_a_clean_merge_holds_what_both_added_and_lacks_only_what_one_took(
    base: str, mine: str, theirs: str
) -> None:
    both = merge(base, mine, theirs)
    told = lines_of(both.text)
    for text in (mine, theirs):
        assert {line for line in lines_of(text) if line not in lines_of(base)} <= set(told)
    if not both.clashes:
        kept = set(lines_of(base)) & set(lines_of(mine)) & set(lines_of(theirs))
        assert {line for line in kept if lines_of(base).count(line) == 1} <= set(told)


def test_reading_says_how_the_text_lies(tmp_path: Path) -> None:
    file = text_file(b"\xef\xbb\xbfa\r\nb\r\nc\n")
    assert (file.manner.newline, file.manner.ends, file.manner.bom) == ("\r\n", True, b"\xef\xbb\xbf")
