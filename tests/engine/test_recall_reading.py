"""What a query says about itself, and other ways to say it: pure rules, English and Chinese."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from memdesk.engine.recall.self_query import is_bare, read
from memdesk.engine.recall.techniques import paraphrases
from memdesk.model.instant import to_datetime
from memdesk.store.words import contains_name

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
CHANNELS = ("_global", "tidepool", "lisbon-move")


def days(spans: tuple[tuple[int, int], ...]) -> list[tuple[date, date]]:
    return [(to_datetime(start).date(), to_datetime(end).date()) for start, end in spans]


@pytest.mark.parametrize(
    ("query", "first", "last"),
    [
        ("What did I say last week about the pool?", date(2026, 11, 9), date(2026, 11, 16)),
        ("what did we decide yesterday", date(2026, 11, 19), date(2026, 11, 20)),
        ("did I mention anything two months ago", date(2026, 9, 1), date(2026, 10, 1)),
        ("What did you tell me in the past 3 days?", date(2026, 11, 17), date(2026, 11, 20)),
        ("上周我说了什么？", date(2026, 11, 9), date(2026, 11, 16)),
        ("最近三天我们讨论了什么", date(2026, 11, 17), date(2026, 11, 20)),
        ("昨天我们聊了什么", date(2026, 11, 19), date(2026, 11, 20)),
        ("三个月前我说过什么", date(2026, 8, 1), date(2026, 9, 1)),
    ],
)
def test_when_something_was_told_is_read_where_the_phrasing_leaves_no_doubt(
    query: str, first: date, last: date
) -> None:
    assert days(read(query, NOW, CHANNELS).created) == [(first, last)]


def test_what_was_read_of_a_time_is_not_searched_for() -> None:
    assert (
        read("What did I say last week about the pool?", NOW, CHANNELS).text
        == "What did I say about the pool?"
    )
    assert read("最近三天我们讨论了什么", NOW, CHANNELS).text == "我们讨论了什么"
    assert read("What did we say about last week's outage yesterday?", NOW, CHANNELS).text == (
        "What did we say about last week's outage ?"
    )


@pytest.mark.parametrize(
    ("text", "bare"),
    [("What did I say", True), ("what did we talk about", True), ("what did I say about the pool", False)],
)
def test_a_query_that_asks_for_whatever_was_said_is_known(text: str, bare: bool) -> None:
    assert is_bare(text) is bare


@pytest.mark.parametrize(
    "query",
    [
        "What did Caroline do last week?",
        "What did we say about last week's outage?",
        "上周的事故我们怎么说的",
        "When did Jun move, in March?",
        "三月",
        "去年",
        "yesterday",
    ],
)
def test_a_time_that_is_asked_about_is_a_hint_and_no_filter(query: str) -> None:
    reading = read(query, NOW, CHANNELS)
    assert reading.created == () and reading.named != ()


@pytest.mark.parametrize(
    ("query", "channel", "rest"),
    [
        ("#tidepool pool size", "tidepool", "pool size"),
        ("what happened in channel tidepool yesterday", "tidepool", "what happened yesterday"),
        ("costs in the lisbon-move project", "lisbon-move", "costs"),
        ("在tidepool频道里我说了什么", "tidepool", "我说了什么"),
        ("#tidepool", "tidepool", "#tidepool"),
        ("#unknown pool", None, "#unknown pool"),
        ("Tidepool runs on Postgres", None, "Tidepool runs on Postgres"),
        ("#tidepools pool", None, "#tidepools pool"),
    ],
)
def test_a_channel_is_read_where_it_is_named_as_one(query: str, channel: str | None, rest: str) -> None:
    reading = read(query, NOW, CHANNELS)
    assert (reading.channel, reading.text) == (channel, rest)


@pytest.mark.parametrize(
    ("query", "ways"),
    [
        ("Where does Jun live?", ("Jun live in", "jun live", "Where does Jun reside")),
        ("Who is Jun?", ("Jun is", "jun")),
        ("What kind of car did Tom buy?", ("Tom buy car", "car tom buy", "What kind of vehicle did Tom buy")),
        ("陈阿姨的生日是什么时候？", ("陈阿姨的生日是", "陈阿姨的出生是什么时候")),
        ("他什么时候搬家", ("他搬家", "他什么时候搬到")),
        ("xqzv", ()),
    ],
)
def test_a_question_is_said_in_other_ways(query: str, ways: tuple[str, ...]) -> None:
    assert paraphrases(query) == ways


def test_a_synonym_takes_the_place_of_a_whole_word_alone() -> None:
    assert paraphrases("care for the car")[-1] == "care for the vehicle"


@pytest.mark.parametrize(
    ("name", "text", "stands"),
    [
        ("Jun", "where does jun live", True),
        ("Jun", "in june", False),
        ("Mara", "我和mara去里斯本", True),
        ("陈阿姨", "陈阿姨什么时候来", True),
        ("C++", "is c++ fast", True),
        ("", "anything", False),
    ],
)
def test_a_name_stands_in_a_text_as_a_whole(name: str, text: str, stands: bool) -> None:
    assert contains_name(name, text) is stands
