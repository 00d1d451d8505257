"""Ranking against real text: what is relevant in itself, what the text index finds, and what it costs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.opening import open_engine
from memdesk.engine.providers.embedder import KIN_AT_MOST, related_words
from memdesk.engine.recall.evidence import (
    FLOOR,
    NEUTRAL,
    WINDOW_SHARES,
    Item,
    Line,
    MappedPosting,
    Posting,
    Values,
    covered,
    map_to_line,
    meaning,
    relevance,
)
from memdesk.engine.recall.fusion import may_answer, wanted_answer
from memdesk.engine.recall.pipeline import recall
from memdesk.files.places import Desk
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact
from tests.effort import examples


def turn(seq: int, text: str = "plain words") -> Item:
    return Item(seq=seq, kind="turn", text=text, at=seq, conversation="c1", index=seq, speaker="Mara")


def relevance_of(
    line: Line,
    *,
    terms: Sequence[MappedPosting],
    meanings: Mapping[int, float],
    timely: Values | None = None,
) -> dict[int, float]:
    """Return the relevance of the items of a line among fifty memories."""
    return relevance(line, coverage=covered(line, terms, 50), meanings=meanings, timely=timely)


def test_relevance_compares_with_nothing_but_the_query() -> None:
    postings = [Posting(seqs=[1], frequency=1), Posting(seqs=[], frequency=0)]

    def relevant(line: Line) -> dict[int, float]:
        return relevance_of(line, terms=map_to_line(postings, line), meanings={1: 0.3, 20: 0.0})

    alone, among = relevant(Line([turn(1)])), relevant(Line([turn(1), turn(20)]))
    assert among[1] == alone[1] > FLOOR > among[20]


def test_a_memory_that_holds_every_term_or_is_near_in_meaning_is_relevant() -> None:
    line = Line([turn(1), turn(20)])
    found = relevance_of(line, terms=map_to_line([Posting(seqs=[1], frequency=1)], line), meanings={20: 0.6})
    assert min(found.values()) > 0.8


def test_a_common_word_and_a_far_meaning_stay_under_the_floor() -> None:
    strange = [Posting(seqs=[1], frequency=12), Posting(seqs=[], frequency=0), Posting(seqs=[], frequency=0)]
    found = relevance_of(Line([turn(1)]), terms=map_to_line(strange, Line([turn(1)])), meanings={1: 0.0})
    assert 0 < found[1] < FLOOR


def test_a_word_of_a_date_counts_where_it_is_found_and_is_missed_nowhere() -> None:
    line = Line([turn(1), turn(20)])
    lights = Posting(seqs=[1, 20], frequency=2)
    october = Posting(seqs=[20], frequency=1, optional=True)
    alone = relevance_of(line, terms=map_to_line([lights], line), meanings={})
    dated = relevance_of(line, terms=map_to_line([lights, october], line), meanings={})
    assert dated == pytest.approx(alone)


def test_a_memory_of_the_time_asked_about_is_more_likely_meant() -> None:
    line = Line([turn(1), turn(20)])
    half = map_to_line([Posting(seqs=[1, 20], frequency=2), Posting(seqs=[], frequency=0)], line)
    found = relevance_of(line, terms=half, meanings={}, timely=np.array([0.0, 1.0]))
    assert found[20] > found[1] > 0


def test_an_answer_shares_the_relevance_of_the_question_before_it() -> None:
    line = Line([turn(1, "Where did you move from?"), turn(2, "From Sweden.")])
    found = relevance_of(line, terms=map_to_line([Posting(seqs=[1], frequency=1)], line), meanings={})
    assert found[1] > found[2] > FLOOR


def test_without_words_and_vectors_nothing_is_relevant() -> None:
    assert relevance_of(Line([turn(1)]), terms=[], meanings={}) == {1: 0.0}
    assert relevance_of(Line([]), terms=[], meanings={}) == {}


def test_words_of_like_meaning_are_kin_and_names_in_pieces_have_none() -> None:
    assert {"kid", "child"} <= set(related_words("children"))
    assert {"cities", "town"} <= set(related_words("city"))
    assert related_words("children") == related_words("children")
    assert len(related_words("went")) <= KIN_AT_MOST
    assert "children" not in related_words("children")
    assert (
        related_words("mara")
        == related_words("caroline")
        == related_words("3.12")
        == related_words("猫")
        == related_words("")
        == ()
    )


def test_a_turn_means_what_the_turns_before_it_say() -> None:
    line = Line([turn(1), turn(2), turn(20)])
    vectors = np.eye(3, dtype=np.float32)
    found = meaning(line, [1, 2, 20], vectors, vectors[0])
    assert found[1] > found[2] > found[20]
    assert meaning(line, [], np.zeros((0, 0), np.float32), vectors[0]) == {}


@st.composite
def _lines(draw: st.DrawFn) -> tuple[Line, list[int]]:
    """Turns of three conversations with gaps between them, in any order, and some of them that have a vector."""
    places = draw(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 12)), unique=True, max_size=24))
    items = [
        Item(seq=seq, kind="turn", text="", at=0, conversation=talk, index=index)
        for seq, (talk, index) in enumerate(places, start=1)
    ]
    items.append(Item(seq=100, kind="fact", text="", at=0))
    return Line(items), [item.seq for item in items if draw(st.booleans())]


@given(_lines(), st.integers(0, 2**32 - 1))
@settings(max_examples=examples(60))
def test_nearness_of_meaning_is_that_of_windows_written_down(
    drawn: tuple[Line, list[int]], seed: int
) -> None:
    line, seqs = drawn
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(len(seqs) + 1, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    query, vectors = vectors[-1], vectors[:-1]
    held = dict(zip(seqs, vectors, strict=True))
    seq_at = {(item.conversation, item.index): item.seq for item in line.items if item.index is not None}
    windows = []
    for seq in seqs:
        item = line.items[line.place[seq]]
        lenders = [
            (seq_at.get((item.conversation, (item.index or 0) - turns)), share)
            for turns, share in WINDOW_SHARES.items()
        ]
        others = [held[lender] * share for lender, share in lenders if lender in held and lender != seq]
        windows.append(held[seq] + sum(others) if item.index is not None else held[seq])
    if seqs:
        unit = np.array([window / np.linalg.norm(window) for window in windows])
        tone = unit.sum(axis=0) / (len(seqs) + NEUTRAL)
        apart, asked = unit - tone, query - tone
        wanted = apart @ asked / (np.linalg.norm(apart, axis=1) * np.linalg.norm(asked))
        assert list(meaning(line, seqs, vectors, query).values()) == pytest.approx(wanted.tolist(), abs=1e-4)


def test_a_memory_without_a_vector_has_no_meaning_but_its_neighbours_keep_theirs() -> None:
    line = Line([turn(1), turn(2)])
    assert set(meaning(line, [2], np.eye(3, dtype=np.float32)[:1], np.eye(3, dtype=np.float32)[0])) == {2}


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("When did Mara move?", "time"),
        ("How long has she lived there?", "time"),
        ("In which year was it?", "time"),
        ("How many cats are there?", "number"),
        ("她什么时候搬家的？", "time"),
        ("いつ引っ越しましたか", "time"),
        ("猫有几个？", "number"),
        ("Where was that?", "place"),
        ("whenever", None),
        ("", None),
    ],
)
def test_a_query_says_what_kind_of_answer_it_wants(query: str, kind: str | None) -> None:
    assert wanted_answer(query) == kind


def test_a_text_that_names_a_time_or_a_number_may_be_the_answer() -> None:
    assert may_answer("We went there last Friday.", "time")
    assert may_answer("去年搬来的", "time")
    assert not may_answer("We like it here.", "time")
    assert may_answer("I have three cats.", "number")
    assert may_answer("有两只猫", "number")
    assert not may_answer("I have a cat.", "number")


HAN, KANA, HANGUL = "记忆桌上有猫狗山水火木金土日月", "かきくけこアイウエオガー", "기억고양이책상"
CHANNELS = itertools.count(1)
CLAIMS = (
    ("zh", "小明的三花猫叫奶茶"),
    ("zh-latin", "服务器用Postgres数据库存放日志"),
    ("ja", "週末に京都で紅葉を見ました"),
    ("kana", "すしとラーメンがすき"),
    ("ko", "고양이는 책상 위에 있다"),
    ("other", "她在杭州学游泳"),
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A desk that remembers CLAIMS, for tests that only add to other channels."""
    engine = open_engine(Desk(tmp_path_factory.mktemp("desk")))
    for name, claim in CLAIMS:
        learn_fact(engine, NewFact(claim=claim, channel="asia", category=name), author="agent:Forge")
    yield engine
    engine.close()


def found(engine: Engine, query: str, channel: str) -> list[str]:
    """The claims a recall returns by their words, best first."""
    bundle = recall(engine, Query(text=query, channel=channel, kinds=("fact",)), author="person:Mara")
    return [hit.text for hit in bundle.hits if any(part.name == "words" for part in hit.parts)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("猫", "zh"),
        ("奶", "zh"),
        ("茶", "zh"),
        ("小明", "zh"),
        ("花猫", "zh"),
        ("日志", "zh-latin"),
        ("志", "zh-latin"),
        ("postgres", "zh-latin"),
        ("Postgres数据", "zh-latin"),
        ("京都", "ja"),
        ("紅", "ja"),
        ("週", "ja"),
        ("た", "ja"),
        ("すし", "kana"),
        ("き", "kana"),
        ("ラー", "kana"),
        ("ﾗｰ", "kana"),
        ("고양", "ko"),
        ("다", "ko"),
        ("游泳", "other"),
        ("泳", "other"),
    ],
)
def test_one_or_two_characters_find_the_one_memory_that_holds_them(
    desk: Engine, query: str, expected: str
) -> None:
    assert found(desk, query, "asia") == [dict(CLAIMS)[expected]]


RUNS = st.one_of(
    *(st.text(alphabet=each, min_size=1, max_size=6) for each in (HAN, KANA, HANGUL, HAN + KANA))
)
MIXED = st.lists(RUNS | st.sampled_from(["Postgres", "3.12", "，", " ", "v2"]), min_size=1, max_size=5)


@settings(max_examples=examples(60))
@given(
    parts=MIXED.filter(lambda parts: any(part[0] in HAN + KANA + HANGUL for part in parts)), data=st.data()
)
def test_any_one_or_two_characters_of_a_run_find_its_memory(
    desk: Engine, parts: list[str], data: st.DataObject
) -> None:
    channel = f"c{next(CHANNELS)}"
    claim = "".join(parts)
    learn_fact(desk, NewFact(claim=claim, channel=channel), author="agent:Forge")
    run = data.draw(st.sampled_from([part for part in parts if part[0] in HAN + KANA + HANGUL]))
    start = data.draw(st.integers(0, len(run) - 1))
    assert claim.strip() in found(desk, run[start : start + data.draw(st.integers(1, 2))], channel)
