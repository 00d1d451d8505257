"""What was not touched stays byte for byte: line ends, encoding, the mark at the beginning, the final newline."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memdesk.files.merge import lines_of, merge
from memdesk.files.reading import TextFile, plain, text_of

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


def read(data: bytes) -> TextFile:
    return text_of(data, "x.md", modified_at=0)


@given(files())
def test_a_file_saved_as_it_reads_is_the_same_bytes(data: bytes) -> None:
    file = read(data)
    assert file.manner.exact(file.text) == data
    assert file.manner.exact(file.manner.with_manner(file.text, file.text)) == data
    assert file.manner.exact(file.manner.with_manner(file.text, plain(file.text))) == data


@given(files(), st.integers(0, 8), LINE)
def test_a_changed_line_leaves_every_other_byte(data: bytes, place: int, line: str) -> None:
    file = read(data)
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
    file = read(data)
    addition = file.manner.added(file.text, "".join(line + end for line, end in more))
    whole = file.manner.exact(file.text) + file.manner.bare(addition)
    assert whole.startswith(data)
    assert whole == file.manner.exact(file.text + addition)


def test_new_lines_take_the_commonest_line_end_and_old_ones_keep_theirs() -> None:
    file = read(b"a\r\nb\nc\r\n")
    assert file.manner.exact(file.manner.with_manner(file.text, "a\nb\nnew\nc\n")) == b"a\r\nb\nnew\r\nc\r\n"


def test_a_file_without_a_final_newline_gets_none_unless_it_was_written() -> None:
    file = read(b"a\nb")
    assert file.manner.with_manner(file.text, "a\nc") == "a\nc"
    assert read(b"a\nb\n").manner.with_manner("a\nb\n", "a\nc") == "a\nc\n"


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
    file = read(b"\xef\xbb\xbfa\r\nb\r\nc\n")
    assert (file.manner.newline, file.manner.ends, file.manner.bom) == ("\r\n", True, b"\xef\xbb\xbf")
