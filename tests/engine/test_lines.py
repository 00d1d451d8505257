"""Lines are known again by what they say, and a text is told as what became of its lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.engine.memory.line_links import (
    change_lines,
    compare_lines,
    line_numbers_by_words,
    normalised_words,
    restore_line,
    rewrite_line,
)

LINES = st.lists(
    st.sampled_from(["- one tea", "* one tea", "two **ports**", "", "## Three", "- four\u2028five"])
)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("- Mara **likes** tea", "Mara likes tea"),
        ("  3) [uv](https://uv.dev) is used", "uv is used"),
        ("## People", "## People"),
        ("- [x] done", "[x] done"),
        ("---", ""),
        ("", ""),
    ],
)
def test_a_line_says_the_same_whatever_its_bullet_and_emphasis(line: str, words: str) -> None:
    assert normalised_words(line) == words


def test_an_edited_line_is_paired_with_what_it_became() -> None:
    moved = compare_lines(
        "# M\n\n- Mara likes tea\n- Sam sails\n", "# M\n\n- Sam sails\n- Mara likes green tea\n- New here\n"
    )
    assert (moved.gone, moved.fresh) == ({"Mara likes tea": 3}, {"Mara likes green tea": 4, "New here": 5})
    assert compare_lines("- Mara likes tea\n- Sam sails\n", "- Mara likes coffee\n- Sam sails\n").became == {
        "Mara likes tea": "Mara likes coffee"
    }
    assert compare_lines("- Mara likes tea\n", "- The quay is closed\n").became == {}


def test_a_line_that_stands_another_number_of_times_is_neither_gone_nor_fresh() -> None:
    moved = compare_lines("- tea\n", "- tea\n\n* tea\n")
    assert (moved.gone, moved.fresh) == ({}, {})


@pytest.mark.parametrize(
    ("line", "was", "now", "after"),
    [
        ("- Mara likes tea.", "Mara likes tea.", "Mara likes coffee.", "- Mara likes coffee."),
        ("- [x] 完成事项: moved", "moved", "moved home", "- [x] 完成事项: moved home"),
        ("  2. I like **tea**", "Mara likes tea", "Mara likes coffee", "  2. Mara likes coffee"),
    ],
)
def test_a_rewritten_line_keeps_what_stands_before_its_words(
    line: str, was: str, now: str, after: str
) -> None:
    assert rewrite_line(line, was, now) == after


def test_a_line_comes_back_where_it_stood() -> None:
    version = "# M\n\n- one tea\n- two cups\n- three pots\n"
    now = "# Memory\n\n- one tea\n- three pots\n- four\n"
    assert (
        restore_line(now, version, 4, "- two cups")
        == "# Memory\n\n- one tea\n- two cups\n- three pots\n- four\n"
    )
    assert restore_line("else\n", version, 4, "- two cups").endswith("- two cups\n")
    assert restore_line("no end", "", 0, "- two cups") == "no end\n- two cups\n"


@given(LINES, LINES)
def test_every_line_that_is_gone_stood_and_every_fresh_one_stands(
    before: list[str], after: list[str]
) -> None:
    one, other = "\n".join(before), "\n".join(after)
    moved = compare_lines(one, other)
    assert moved.gone.keys() == line_numbers_by_words(one).keys() - line_numbers_by_words(other).keys()
    assert moved.fresh.keys() == line_numbers_by_words(other).keys() - line_numbers_by_words(one).keys()
    assert moved.became.keys() <= moved.gone.keys() and set(moved.became.values()) <= moved.fresh.keys()


@given(LINES, st.sampled_from(["one tea", "two ports", "none"]))
def test_striking_takes_every_line_that_says_it_and_no_other(lines: list[str], words: str) -> None:
    left = change_lines("\n".join(lines), frozenset((words,)), lambda _: None)
    assert [line for line in lines if normalised_words(line) != words] == (
        left.split("\n") if left or "" in lines else []
    )
