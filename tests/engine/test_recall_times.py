"""Times of a question, in six languages: resolved when it is asked, taken out of its subject, never missed as words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import store_turns
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.recall.self_query import read
from memdesk.engine.recall.time_mentions import dates_in, days_named, mentions, without
from memdesk.model.recall import ANSWERED, Query
from memdesk.model.remember import NewTurn, NewTurns
from tests.engine.conftest import embed_all
from tests.engine.test_recall import FORGE

NOW = datetime(2024, 5, 15, 12, tzinfo=UTC)
"""A Wednesday."""


def first(text: str) -> tuple[str, str] | None:
    spans = dates_in(text, NOW)
    if not spans:
        return None
    start, end = (datetime.fromtimestamp(at / 1e6, UTC).date().isoformat() for at in spans[0])
    return start, end


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("what happened in the summer of 2022?", "2022-06-01", "2022-09-01"),
        ("what did we plan at the beginning of March 2023", "2023-03-01", "2023-03-11"),
        ("what broke at the end of last month", "2024-04-21", "2024-05-01"),
        ("who came between May and July 2022?", "2022-05-01", "2022-08-01"),
        ("what changed from 3 May to 7 May 2023", "2023-05-03", "2023-05-08"),
        ("where was Ines the week before 16 November 2023?", "2023-11-09", "2023-11-16"),
        ("what did I read in the past three weeks", "2024-04-24", "2024-05-16"),
        ("what did Ines paint last summer?", "2023-06-01", "2023-09-01"),
        ("Was haben wir Anfang Mai 2023 beschlossen?", "2023-05-01", "2023-05-11"),
        ("Was war vor zwei Wochen mit dem Boot?", "2024-04-29", "2024-05-06"),
        ("Wo war ich im letzten Sommer?", "2023-06-01", "2023-09-01"),
        ("Was war am 7. Mai 2023?", "2023-05-07", "2023-05-08"),
        ("¿Qué hicimos hace dos semanas?", "2024-04-29", "2024-05-06"),
        ("¿Qué pasó en marzo de 2023?", "2023-03-01", "2023-04-01"),
        ("¿Dónde estuve el verano pasado?", "2023-06-01", "2023-09-01"),
        ("Qu'avons-nous décidé il y a deux semaines ?", "2024-04-29", "2024-05-06"),
        ("Où étions-nous au début de mai 2023 ?", "2023-05-01", "2023-05-11"),
        ("Qu'est-ce que nous avons fait hier soir ?", "2024-05-14", "2024-05-15"),
        ("去年五月我们做了什么", "2023-05-01", "2023-06-01"),
        ("2023年5月初发生了什么", "2023-05-01", "2023-05-11"),
        ("去年夏天谁来了", "2023-06-01", "2023-09-01"),
        ("先週何をしましたか", "2024-05-06", "2024-05-13"),
        ("三か月前に何を買いましたか", "2024-02-01", "2024-03-01"),
        ("2023年の夏はどこにいましたか", "2023-06-01", "2023-09-01"),
    ],
)
def test_a_time_is_read_in_the_language_of_the_question(text: str, start: str, end: str) -> None:
    assert first(text) == (start, end)


@pytest.mark.parametrize(
    "text",
    ["what was before June 2023?", "qué pasó antes de junio de 2023", "que faisions-nous avant juin 2023"],
)
def test_a_time_before_another_is_open_to_the_past(text: str) -> None:
    assert first(text) == ("1970-01-01", "2023-06-01")


def test_a_time_since_another_ends_with_the_question() -> None:
    [(start, end)] = dates_in("what changed since October 2023?", NOW)
    assert (start, end) == (dates_in("October 2023", NOW)[0][0], round(NOW.timestamp() * 1e6) + 1)


@pytest.mark.parametrize(
    "text",
    [
        "May I march with the band?",
        "a fall on the ice",
        "Mayo on toast",
        "Was ist hier los?",
        "the spring of the clock",
    ],
)
def test_words_that_may_be_times_elsewhere_are_none_here(text: str) -> None:
    assert mentions(text, NOW) == []


def test_the_subject_of_a_question_is_without_its_time() -> None:
    text = "Which lake did Ines cross in October 2023?"
    reading = read(text, NOW, ())
    assert reading.subject == "Which lake did Ines cross in ?"
    assert reading.dates == ("october", "2023"), "a memory may contain the words of a date"
    assert without("yesterday", mentions("yesterday", NOW)) == "yesterday"


def test_the_number_of_a_day_is_no_word_of_a_date() -> None:
    assert read("What did Ines cook on 1 May 2023?", NOW, ()).dates == ("2023",)


def test_the_words_of_a_date_refuse_no_answer_and_its_time_decides(engine: Engine) -> None:
    october = datetime(2023, 10, 12, tzinfo=UTC)
    for number in range(40):
        turn = NewTurn(
            content="Ines took the ferry over the lake"
            if number % 20 == 7
            else f"Note {number} about the printer",
            speaker="Ines",
            channel="tidepool",
            conversation_id=f"talk-{number}",
            turn_id=f"t-{number}",
            created_at=october + timedelta(days=30 * (number - 7)),
        )
        store_turns(engine, NewTurns(turns=(turn,)), author=FORGE)
    embed_all(engine)
    query = Query(text="Which ferry did Ines take in October 2023?", channel="tidepool")
    found = recall(engine, query, author=FORGE)
    assert found.answer == ANSWERED
    assert found.hits[0].id == "t-7"


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Yesterday", ("2024-05-14", "2024-05-14")),
        ("today", ("2024-05-15", "2024-05-15")),
        ("last week", ("2024-05-06", "2024-05-12")),
        ("昨天", ("2024-05-14", "2024-05-14")),
        ("上周", ("2024-05-06", "2024-05-12")),
        ("gestern", ("2024-05-14", "2024-05-14")),
        ("2024-05-06", ("2024-05-06", "2024-05-06")),
        ("6 may", ("2024-05-06", "2024-05-06")),
        ("Monday 6 May", ("2024-05-06", "2024-05-06")),
        ("6.5.", ("2024-05-06", "2024-05-06")),
        ("1.12.2023", ("2023-12-01", "2023-12-01")),
        ("24 dec", ("2023-12-24", "2023-12-24")),
        ("29 feb", ("2024-02-29", "2024-02-29")),
        ("5月6日", ("2024-05-06", "2024-05-06")),
        ("上周一", ("2024-05-06", "2024-05-06")),
        ("上個星期五", ("2024-05-10", "2024-05-10")),
        ("周一", ("2024-05-13", "2024-05-13")),
        ("先週の月曜日", ("2024-05-06", "2024-05-06")),
        ("这周五", ("2024-05-17", "2024-05-17")),
        ("本周一", ("2024-05-13", "2024-05-13")),
        ("这个星期三", ("2024-05-15", "2024-05-15")),
        ("這禮拜天", ("2024-05-19", "2024-05-19")),
        ("今週の金曜", ("2024-05-17", "2024-05-17")),
        ("今週の月曜日", ("2024-05-13", "2024-05-13")),
        ("last monday", ("2024-05-13", "2024-05-13")),
        ("3.12", None),
        ("31 feb", None),
        ("31.2.", None),
        ("", None),
        ("the ferry of yesterday", None),
        ("yesterday and today", None),
        ("may", None),
    ],
)
def test_a_text_that_is_one_time_and_nothing_else_names_days(text: str, days: tuple[str, str] | None) -> None:
    found = days_named(text, NOW)
    assert (found and (str(found[0]), str(found[1]))) == days
