"""The ranking is pure: its sums can be checked by hand, and no user text upsets the text index under it."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memdesk.engine.recall.evidence import (
    GAP_US,
    Item,
    Line,
    Posting,
    evidence,
    map_to_line,
    posting,
    strongest,
)
from memdesk.engine.recall.fusion import WEEK_US, WEIGHTS, Signals, fuse
from memdesk.engine.recall.query import TERMS_MAX, named, spaced_names, subject, terms
from memdesk.engine.recall.time_mentions import dates_in
from memdesk.model.instant import from_datetime
from memdesk.store.words import match, segment

NOW = datetime(2024, 5, 15, 12, tzinfo=UTC)  # a Wednesday
NOON = from_datetime(NOW)
ANY_TEXT = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=60)
TRICKY_TEXT = st.lists(
    st.sampled_from(
        ["AND", "NEAR(", '"', "*", "3.12", "don't", "记忆桌", "猫", "a-b", "x:y", "\x00", "\ud800", "?"]
    )
).map(" ".join)
UNIT = st.floats(0, 1)


def turn(seq: int, text: str = "plain words", **changes: Any) -> Item:
    item = Item(seq=seq, kind="turn", text=text, at=NOON, conversation="c1", index=seq, speaker="Mara")
    return replace(item, **changes)


def fact(seq: int, **changes: Any) -> Item:
    return replace(Item(seq=seq, kind="fact", text="a claim", at=NOON), **changes)


@st.composite
def asked(draw: st.DrawFn) -> tuple[Line, dict[int, float], dict[int, float], Signals]:
    """A line of turns and facts with evidence and cosines for some of them, and what a query may say beside."""
    count = draw(st.integers(0, 12))
    items = [
        Item(
            seq=seq,
            kind="turn" if is_turn else "fact",
            text=draw(st.sampled_from(["Where?", "In Sweden.", ""])),
            at=draw(st.integers(0, NOON)),
            conversation=draw(st.sampled_from(["c1", "c2"])) if is_turn else None,
            index=seq if is_turn else None,
            speaker=draw(st.sampled_from(["Mara", "Jonas"])) if is_turn else None,
            confidence=draw(UNIT),
            salience=draw(UNIT),
            here=draw(st.booleans()),
        )
        for seq in range(1, count + 1)
        for is_turn in [draw(st.booleans())]
    ]
    seqs = st.sampled_from(range(1, count + 1)) if count else st.nothing()
    words = draw(st.dictionaries(seqs, st.floats(0.001, 40), max_size=count))
    cosines = draw(st.dictionaries(seqs, st.floats(-1, 1), max_size=count))
    signals = Signals(
        named=frozenset(draw(st.sets(st.just("Mara")))), times=((0, draw(st.integers(0, NOON))),)
    )
    return Line(items), words, cosines, signals


@given(asked())
def test_the_parts_of_a_score_add_up_to_it(
    query: tuple[Line, dict[int, float], dict[int, float], Signals],
) -> None:
    line, words, cosines, signals = query
    for scored in fuse(line, words=words, cosines=cosines, signals=signals, limit=100):
        assert scored.score == sum(value for _, value in scored.parts)
        assert scored.score >= -1e-12


@given(asked(), st.randoms())
def test_the_order_does_not_depend_on_the_order_of_the_items(
    query: tuple[Line, dict[int, float], dict[int, float], Signals], dice: object
) -> None:
    line, words, cosines, signals = query
    shuffled = list(line.items)
    dice.shuffle(shuffled)  # type: ignore[attr-defined]
    first = fuse(line, words=words, cosines=cosines, signals=signals, limit=100)
    assert first == fuse(Line(shuffled), words=words, cosines=cosines, signals=signals, limit=100)


@given(asked(), st.data())
def test_more_evidence_of_words_never_lowers_a_rank(
    query: tuple[Line, dict[int, float], dict[int, float], Signals], data: st.DataObject
) -> None:
    line, words, cosines, signals = query
    assume(words)
    seq = data.draw(st.sampled_from(sorted(words)))
    more = {**words, seq: words[seq] + data.draw(st.floats(0.01, 40))}

    def rank(evidence: dict[int, float]) -> int:
        found = fuse(line, words=evidence, cosines=cosines, signals=signals, limit=100)
        return [scored.seq for scored in found].index(seq)

    assert rank(more) <= rank(words)


def test_nothing_in_gives_nothing_out() -> None:
    assert fuse(Line([]), words={}, cosines={}) == []
    assert fuse(Line([turn(1)]), words={}, cosines={}) == []
    assert evidence(map_to_line([], Line([])), Line([]), rows=0) == {}
    assert strongest([], rows=0, limit=5) == []


def test_a_score_can_be_worked_out_by_hand() -> None:
    claim = fact(3, text="Jonas moved in 2019.", confidence=0.5)
    line = Line([turn(1, "Where was that?"), turn(2, "In Sweden.", speaker="Jonas"), claim])
    signals = Signals(named=frozenset({"Jonas"}), times=((NOON - 1, NOON + 1),), wanted="time")
    found = {
        scored.seq: dict(scored.parts)
        for scored in fuse(
            line,
            words={2: 4.0, 3: 8.0},
            cosines={1: 0.2, 2: 0.6, 3: 0.1},
            coverage={2: 1.0},
            alone={1: 0.6, 2: 0.1},
            signals=signals,
        )
    }
    best = 0.065 + 0.12 + 0.15 + 0.15 + 0.19
    shared = {"time": 0.19, "here": 0.05}
    assert found[1] == pytest.approx({**shared, "meaning": 0.024, "session": 0.6 * best, "question": -0.04})
    assert found[2] == pytest.approx(
        {
            **shared,
            "words": 0.065,
            "meaning": 0.12,
            "coverage": 0.15,
            "speaker": 0.15,
            "session": 0.6 * best,
            "reply": 0.08,
            "detail": 0.11 / 6,
        }
    )
    total = 0.13 + 0.19 + 0.6 * 0.32 + 0.1 + 0.11 + 0.05
    assert found[3] == pytest.approx(
        {
            **shared,
            "words": 0.13,
            "session": 0.6 * 0.32,
            "answer": 0.1,
            "detail": 0.11,
            "confidence": -total / 4,
        }
    )


def test_a_conversation_with_the_best_hit_lifts_all_its_turns_until_a_long_gap() -> None:
    later = NOON + GAP_US + 1
    line = Line([turn(1), turn(3), turn(4, at=later), turn(9, conversation="c2")])
    found = {
        scored.seq: dict(scored.parts)
        for scored in fuse(line, words={1: 4.0, 3: 1.0, 4: 1.0, 9: 1.0}, cosines={})
    }
    assert found[3]["session"] == found[1]["session"] == pytest.approx(WEIGHTS.session * WEIGHTS.words)
    assert found[4]["session"] == found[9]["session"] == pytest.approx(found[1]["session"] / 4)


def test_little_evidence_counts_by_its_share_of_the_best_as_much_does() -> None:
    line = Line([fact(1), fact(2)])
    for much in (0.001, 1.0, 400.0):
        found = fuse(line, words={1: much, 2: much / 2}, cosines={})
        assert [dict(scored.parts)["words"] for scored in found] == pytest.approx(
            [WEIGHTS.words, WEIGHTS.words / 2]
        )


def test_a_doubtful_faded_fact_comes_after_the_same_fact_fresh_and_sure() -> None:
    line = Line([fact(1, confidence=0.5, salience=0.05), fact(2), fact(3, confidence=0.9, salience=0.5)])
    found = fuse(line, words={1: 1.0, 2: 1.0, 3: 1.0}, cosines={})
    assert [scored.seq for scored in found] == [2, 3, 1]


def test_signals_alone_do_not_make_a_hit() -> None:
    line = Line([turn(1, speaker="Mara"), turn(20, speaker="Jonas")])
    found = fuse(line, words={20: 1.0}, cosines={}, signals=Signals(named=frozenset({"Mara"})))
    assert [scored.seq for scored in found] == [20]


def test_the_week_after_a_named_time_counts_half() -> None:
    at = NOON - WEEK_US
    line = Line([turn(1, at=at), turn(20, at=NOON), turn(40, at=NOON + WEEK_US)])
    found = fuse(line, words={1: 1.0, 20: 1.0, 40: 1.0}, cosines={}, signals=Signals(times=((at, at + 1),)))
    assert [dict(scored.parts).get("time", 0.0) for scored in found] == [WEIGHTS.time, WEIGHTS.time / 2, 0.0]


def test_an_answer_is_found_by_the_words_of_the_question_before_it() -> None:
    line = Line([turn(1, "Where did you move from?"), turn(2, "From Sweden."), turn(9, "Nothing of that.")])
    found = evidence(map_to_line([Posting(seqs=[1], frequency=1)], line), line, rows=100)
    assert set(found) == {1, 2}
    assert found[1] > found[2] > 0


@pytest.mark.parametrize(
    "apart", [{"conversation": "c2"}, {"index": 9}, {"at": NOON + GAP_US + 1}], ids=["talk", "place", "time"]
)
def test_turns_lend_nothing_across(apart: dict[str, Any]) -> None:
    line = Line([turn(1), turn(2, **apart)])
    assert set(evidence(map_to_line([Posting(seqs=[1], frequency=1)], line), line, rows=100)) == {1}


def test_facts_neither_lend_nor_borrow() -> None:
    line = Line([fact(1), turn(2), fact(3)])
    assert set(evidence(map_to_line([Posting(seqs=[1], frequency=1)], line), line, rows=100)) == {1}


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    line = Line([fact(1), fact(2)])
    found = evidence(
        map_to_line([Posting(seqs=[1], frequency=1), Posting(seqs=[2], frequency=50)], line), line, rows=100
    )
    assert found[1] > found[2] > 0


def test_a_word_near_in_meaning_is_evidence_too_but_less_than_the_word_itself() -> None:
    line = Line([fact(1), fact(2), fact(3)])
    found = evidence(map_to_line([Posting(seqs=[1], frequency=1, kin=[2, 1])], line), line, rows=100)
    assert found[1] > found[2] > 0
    assert evidence(map_to_line([Posting(seqs=[1], frequency=1)], line), line, rows=100)[1] == found[1]
    assert set(evidence(map_to_line([Posting(seqs=[], frequency=0, kin=[2])], line), line, rows=100)) == {2}


def test_the_strongest_rows_hold_the_most_and_rarest_terms_and_the_newest_leads() -> None:
    common, rare = Posting(seqs=[9, 7, 5, 3], frequency=4), Posting(seqs=[7, 2], frequency=2)
    assert strongest([common, rare], rows=10, limit=4) == [7, 2, 9, 5]
    assert strongest([Posting(seqs=[2], frequency=1, kin=[9, 2])], rows=10, limit=4) == [2, 9]


def test_a_list_cut_short_is_taken_to_go_on_as_densely() -> None:
    assert posting(range(1000, 900, -1), newest=1000, rows=1000, most=100).frequency == 1000
    assert posting(range(1000, 800, -2), newest=1000, rows=1000, most=100).frequency == 503
    assert posting([5, 3], newest=1000, rows=1000, most=100).frequency == 2


@pytest.fixture(scope="module")
def index() -> sqlite3.Connection:
    """FTS5 as the store declares it: contentless, porter over unicode61."""
    connection = sqlite3.connect(":memory:")
    connection.execute(
        "CREATE VIRTUAL TABLE words USING fts5"
        "(body, content='', tokenize='porter unicode61 remove_diacritics 2')"
    )
    texts = ["记忆桌上有一只猫", "She runs Python 3.12 on Tuesdays", "Über café naïveté", "三毛猫が好きです"]
    connection.executemany(
        "INSERT INTO words(rowid, body) VALUES (?, ?)", enumerate(map(segment, texts), start=1)
    )
    return connection


def rows(index: sqlite3.Connection, query: str) -> list[int]:
    found = index.execute(
        "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid", (match(terms(query)),)
    )
    return [rowid for (rowid,) in found]


@given(query=ANY_TEXT | TRICKY_TEXT)
def test_any_text_is_a_query_that_the_index_accepts(index: sqlite3.Connection, query: str) -> None:
    found = terms(query)
    assert len(found) == len(set(found)) <= TERMS_MAX
    if found:
        rows(index, query)


@given(text=ANY_TEXT | TRICKY_TEXT)
def test_any_text_can_be_indexed_and_any_query_read_for_times_and_names(
    index: sqlite3.Connection, text: str
) -> None:
    index.execute("SELECT ?", (segment(text),))
    assert all(start < end for start, end in dates_in(text, NOW))
    assert named(text, ["Mara", ""]) <= {"Mara", ""}
    subject(text, ["Mara"])


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("记忆", [1]),
        ("桌上的猫在哪里？", [1]),
        ("猫", [1, 4]),
        ("running python", [2]),
        ("version 3.12?", [2]),
        ("12.3", []),
        ("uber CAFE", [3]),
        ("ＰＹＴＨＯＮ", [2]),
    ],
)
def test_words_are_found_as_people_write_them(
    index: sqlite3.Connection, query: str, found: list[int]
) -> None:
    assert rows(index, query) == found


def test_stop_words_go_unless_they_are_all_there_is() -> None:
    assert terms("What is Caroline's identity?") == ("caroline", "identity")
    assert terms("Who are you?") == ("who", "are", "you")
    assert terms("小明的猫叫什么名字？") == ("小明", "明的", "的猫", "猫叫", "名字")
    assert terms("谁") == ("谁",)
    assert terms("?!") == ()


def test_a_query_names_speakers_and_its_subject_leaves_them_out() -> None:
    assert named("What did Mara's sister tell the user?", ["Mara", "Jonas Ek", "user"]) == {"Mara"}
    assert named("Where does Ek live?", ["Mara", "Jonas Ek"]) == {"Jonas Ek"}
    assert subject("What did Mara's sister say to Maran?", ["Mara"]) == "What did sister say to Maran?"
    assert subject("Mara?", ["Mara"]) == "Mara?"


def days(query: str) -> list[tuple[str, int]]:
    """The first day and the length in days of each span."""
    spans = [[datetime.fromtimestamp(end / 1e6, UTC) for end in span] for span in dates_in(query, NOW)]
    return [(f"{start:%Y-%m-%d}", (end - start).days) for start, end in spans]


@pytest.mark.parametrize(
    ("query", "first", "length"),
    [
        ("what happened on 7 May 2023?", "2023-05-07", 1),
        ("on May 7th, 2023", "2023-05-07", 1),
        ("the 2023-05-07 meeting", "2023-05-07", 1),
        ("in May 2023", "2023-05-01", 31),
        ("back in 2022", "2022-01-01", 365),
        ("yesterday", "2024-05-14", 1),
        ("last week", "2024-05-06", 7),
        ("three weeks ago", "2024-04-22", 7),
        ("on Friday", "2024-05-10", 1),
        ("last month", "2024-04-01", 30),
        ("2023年5月7日", "2023-05-07", 1),
        ("昨天说了什么", "2024-05-14", 1),
        ("上周", "2024-05-06", 7),
        ("上个星期五", "2024-05-10", 1),
        ("两个月前", "2024-03-01", 31),
        ("去年", "2023-01-01", 365),
    ],
)
def test_a_time_is_read_from_a_query(query: str, first: str, length: int) -> None:
    assert days(query) == [(first, length)]


def test_a_month_without_a_year_is_that_month_of_ten_years_newest_first() -> None:
    assert len(days("in June")) == 9, "June of this year is still to come"
    assert days("on 7 May")[:2] == [("2024-05-07", 1), ("2023-05-07", 1)]


def test_what_is_no_time_is_passed_over() -> None:
    assert days("may I march to room 12 on 31 June 2023, 3.12 times?") == []


def test_days_begin_where_the_asker_lives() -> None:
    here = timezone(timedelta(hours=8))
    [(start, _)] = dates_in("today", datetime(2024, 5, 15, 1, tzinfo=here))
    assert start == from_datetime(datetime(2024, 5, 14, 16, tzinfo=UTC))


def test_a_chinese_name_is_cut_out_of_the_text_around_it() -> None:
    names = ("何军", "欧阳娜", "Ann")
    assert terms(spaced_names("何军的孩子多大", names)) == ("何军", "的孩", "孩子")
    assert spaced_names("Does Ann have children?", names) == ""
    assert subject("何军的孩子多大", names).strip() == "的孩子多大"
