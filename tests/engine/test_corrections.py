"""Corrections are heard by their cues, in English and Chinese, with what they claim and what they take back."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.engine.extraction import Utterance, extract
from memdesk.engine.extraction.corrections import corrections, replace_phrase
from memdesk.engine.extraction.language import SKIPPED, trivial
from memdesk.engine.extraction.normal_forms import differ


def rows(text: str) -> list[tuple[str, str, str | None]]:
    """Said | claimed now | taken back, one a line."""
    cut = (tuple(part.strip() for part in line.split("|")) for line in text.strip().split("\n"))
    return [(said, now, was or None) for said, now, was in cut]


HEARD = """
Actually, I live in Porto, not Lisbon. | I live in Porto | Lisbon
Actually I live in Porto not Lisbon | I live in Porto | Lisbon
actually, we use Redis instead of Memcached | we use Redis | Memcached
Actually, I don't eat meat. | I don't eat meat |
No, I meant Porto, not Lisbon. | Porto | Lisbon
No, Porto, not Lisbon. | Porto | Lisbon
That's wrong, I work at Bosch. | I work at Bosch |
That's wrong. I work at Bosch. | I work at Bosch |
Let me correct that - the deadline is 12 December. | the deadline is 12 December |
Sorry, I misspoke - it's 10:00, not 9:00. | 10:00 | 9:00
Scratch that, let's use Redis. | let's use Redis |
That isn't what I said. I said Porto, not Lisbon. | Porto | Lisbon
Correction: the staging port is 5434. | the staging port is 5434 |
I was wrong, the meeting is on Friday. | the meeting is on Friday |
It's not Lisbon, it's Porto. | Porto | Lisbon
No, it's not Lisbon but Porto. | Porto | Lisbon
不对，我住在杭州。 | 我住在杭州 |
不对。我在腾讯工作。 | 我在腾讯工作 |
不是上海，是杭州。 | 杭州 | 上海
不是上海，而是杭州 | 杭州 | 上海
我说错了，会议是下午三点。 | 会议是下午三点 |
更正：端口是8444 | 端口是8444 |
其实是周三，不是周二。 | 周三 | 周二
其实我住在杭州，不是上海 | 我住在杭州 | 上海
"""


@pytest.mark.parametrize(("said", "now", "was"), rows(HEARD))
def test_a_correction_says_what_is_so_and_what_is_not(said: str, now: str, was: str | None) -> None:
    (found,) = corrections(said)
    assert (found.now, found.was) == (now, was)
    assert said[found.now_start :].startswith(now)
    assert said[found.start : found.end].endswith((now, was or now))


@pytest.mark.parametrize(
    "said",
    [
        "I also like tea.",
        "Actually, I also play the cello.",
        "My favourite colour is blue.",
        "I started a new job.",
        "No, thanks.",
        "Not really.",
        "I was wrong about him.",
        "What's wrong with it?",
        "Is that actually true?",
        "The factually correct answer is here.",
        "No, I meant well.",
        "I live in Porto, not far from the river.",
        "不客气",
        "这不是问题",
        "我不是医生",
        "他不对猫过敏",
    ],
)
def test_what_corrects_nothing_is_left_alone(said: str) -> None:
    assert list(corrections(said)) == []


def test_a_phrase_takes_another_s_place_as_whole_words_only() -> None:
    assert replace_phrase("Mara lives in Lisbon", "lisbon", "Porto") == "Mara lives in Porto"
    assert replace_phrase("Mara owns a caravan", "car", "bus") is None
    assert replace_phrase("小雨住在上海", "上海", "杭州") == "小雨住在杭州"


def told(*lines: str, speaker: str = "Mara") -> list[tuple[str, str | None]]:
    said = [
        Utterance(id=f"t{n}", speaker=speaker, role="user", text=line, at=0) for n, line in enumerate(lines)
    ]
    return [(fact.claim, fact.replaces) for fact in extract(said).facts]


def test_a_corrected_clause_is_retold_without_what_it_takes_back() -> None:
    assert told("Actually, I live in Porto, not Lisbon.") == [("Mara lives in Porto", "Lisbon")]
    assert told("其实我住在杭州，不是上海", speaker="小雨") == [("小雨住在杭州", "上海")]


def test_a_corrected_phrase_is_put_into_the_claim_before_it() -> None:
    assert told("The meeting is at 9:00.", "Sorry, I misspoke - it's 10:00, not 9:00.") == [
        ("The meeting is at 9:00", None),
        ("The meeting is at 10:00", "9:00"),
    ]


def test_a_corrected_phrase_leaves_the_kind_and_the_time_of_its_claim() -> None:
    lines = ("I used to work at Siemens.", "Sorry, I misspoke - it's Bosch, not Siemens.")
    said = [
        Utterance(id=f"t{n}", speaker="Mara", role="user", text=line, at=0) for n, line in enumerate(lines)
    ]
    first, righted = extract(said).facts
    assert "Bosch" in righted.claim and righted.replaces == "Siemens"
    assert (righted.category, righted.temporal) == (first.category, first.temporal)
    assert first.category != "fact" and first.temporal == "past"


def test_a_corrected_phrase_that_fits_no_claim_waits_for_memory() -> None:
    said = Utterance(id="t", speaker="Mara", role="user", text="No, I meant Porto, not Lisbon.", at=0)
    found = extract([said])
    assert found.facts == ()
    (open_one,) = found.corrections
    assert (open_one.now, open_one.was, open_one.quote) == (
        "Porto",
        "Lisbon",
        "No, I meant Porto, not Lisbon",
    )


def test_a_correction_over_two_sentences_is_one() -> None:
    said = Utterance(
        id="t", speaker="Mara", role="user", text="Sorry, I misspoke. It's Bosch, not Siemens.", at=0
    )
    (found,) = extract([said]).corrections
    assert (found.now, found.was) == ("Bosch", "Siemens")


def test_an_agent_that_apologises_corrects_nothing() -> None:
    said = Utterance(
        id="t", speaker="Iris", role="assistant", text="Sorry, I misspoke - it's Porto, not Lisbon.", at=0
    )
    assert extract([said]).corrections == ()


def test_courtesies_and_very_short_turns_are_passed_over() -> None:
    assert all(trivial(phrase) and trivial(f"{phrase.capitalize()}!") for phrase in SKIPPED)
    assert trivial("Ok then.") and trivial("好的。") and trivial("ありがとう")
    assert not trivial("I live in Oslo") and not trivial("我住杭州")


PIECES = "actually no not it's , - . I meant 不是 ， 是 X"


@given(st.text(max_size=200) | st.lists(st.sampled_from(PIECES.split())).map(" ".join))
def test_any_text_is_searched_without_error_and_quoted_within_it(text: str) -> None:
    for found in corrections(text):
        assert 0 <= found.start <= found.now_start <= found.end <= len(text) and found.now


@pytest.mark.parametrize(
    "piece", ["no ", "not ", "actually, ", "it's not x ", "sorry, ", "不是a，", "i meant x, not "]
)
def test_a_line_of_100_kilobytes_is_searched_within_a_second(piece: str) -> None:
    started = time.process_time()
    list(corrections(piece * (60_000 // len(piece))))
    assert time.process_time() - started < 1.0


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("下午3点", "15:00", False),
        ("下午三点半", "3:30 pm", False),
        ("下午3点", "3:00", True),
        ("下午12点", "noon", False),
        ("中午12点", "noon", False),
        ("中午1点", "13:00", False),
        ("中午11点", "11:00", False),
        ("早上十点二十分", "10:20 am", False),
        ("晚上九点", "9 am", True),
        ("12 am", "midnight", False),
        ("12:30 pm", "12:30", False),
    ],
)
def test_a_time_of_day_is_one_however_it_is_written(one: str, other: str, apart: bool) -> None:
    assert differ(one, other) is apart and differ(other, one) is apart
