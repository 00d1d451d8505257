"""The gate: what is known already, what contradicts it by content, and who prevails."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.engine.extraction.gate import (
    CORRECTED,
    CORRECTION,
    Duplicate,
    Flag,
    KeepOld,
    NewClaim,
    Rules,
    Store,
    StoredFact,
    Supersede,
    judge,
)
from memdesk.model.fact import CERTAINTY


def held(
    claim: str,
    *,
    id: str = "old",
    confidence: float = 0.95,
    temporal: str | None = "current",
    cosine: float | None = 0.99,
    guarded: bool = False,
) -> StoredFact:
    return StoredFact(
        id=id, claim=claim, confidence=confidence, temporal=temporal, cosine=cosine, guarded=guarded
    )


def claimed(claim: str, *, confidence: float = 0.95, temporal: str | None = "current") -> NewClaim:
    return NewClaim(claim=claim, confidence=confidence, temporal=temporal)


def table(text: str) -> list[tuple[str, str]]:
    """Pairs written one a line: the claim that is held | the claim that comes."""
    return [
        (left.strip(), right.strip())
        for left, _, right in (line.partition("|") for line in text.strip().split("\n"))
    ]


CONTRARY = """
Mara lives in Lisbon | Mara lives in Porto
Mara lives in Lisbon | Mara moved to Porto last month (April 2023)
Mara lives in Lisbon | Mara no longer lives in Lisbon
Mara works at Siemens | Mara works for Bosch
Mara works at Siemens | Mara no longer works at Siemens
Mara works at Siemens | Mara quit their job at Siemens last Friday
Mara works as a nurse | Mara works as a baker
Mara is a nurse | Mara is a software engineer
Mara is 34 | Mara is 35 years old
Mara's birthday is on 4 May | Mara's birthday is 5 May
Mara was born on 4 May 1990 | Mara's birthday is on 5 May
Mara's name is Mara Olsen | Mara's name is Mara Lund
Mara's favourite colour is blue | Mara's favorite colour is green
Mara is married to Tom | Mara's husband is Jon
Mara is single | Mara is married to Tom
Mara's phone number is 555-1234 | Mara's phone number is 555-9999
Mara's e-mail is mara@example.org | Mara's e-mail is mara@example.com
Mara prefers tabs over spaces | Mara prefers spaces over tabs
Mara prefers tabs over spaces | Mara prefers spaces
Mara prefers dark mode | Mara prefers light mode
Mara uses PostgreSQL 16 | Mara uses PostgreSQL 17
Mara uses Redis for caching | Mara uses Memcached for caching
Mara uses npm | Mara switched from npm to pnpm
The deadline for the release is 12 December | The release deadline is 19 December
Tidepool listens on port 8443 | Tidepool's port is 9443
The meeting is at 9:00 | The meeting is at 10:00
The meeting is at 9:00 | The meeting has been moved to 3 pm
Mara's stand-up is at 9:30 every day | Mara's stand-up moved to 10:00
Mara's flight leaves on 4 May | Mara's flight leaves on 5 May
Mara likes coffee | Mara dislikes coffee
Mara likes coffee | Mara doesn't like coffee anymore
Mara eats meat | Mara doesn't eat meat
The API is public | The API is private
The API timeout is 30 seconds | The API timeout is 60 seconds
The production database is on eu-west-1 | The production database is on us-east-1
The office is in Basel | The office moved to Zurich
Mara stores logs in S3 | Mara stores logs in GCS
Mara deploys with Jenkins | Mara switched from Jenkins to GitHub Actions
Mara uses Postgres 15 | Mara upgraded to Postgres 16
Mara is vegetarian | Mara is vegan now
Mara plays the guitar | Mara stopped playing the guitar
Mara is allergic to peanuts | Mara is not allergic to peanuts after all
Mara drinks coffee every morning | Mara doesn't drink coffee anymore
Mara is 29 years old | Mara turned 30 last week
Mara prefers short answers | Mara prefers detailed answers
Mara has two kids | Mara has three kids
小雨住在上海 | 小雨住在杭州
小雨住在上海 | 小雨搬到了杭州
小雨在腾讯工作 | 小雨在字节跳动工作
小雨在腾讯工作 | 小雨从腾讯离职了
小雨在腾讯上班 | 小雨跳槽到字节跳动了
小雨 叫李明 | 小雨 叫王明
小雨的生日是5月4日 | 小雨的生日是5月5日
小雨最喜欢的颜色是蓝色 | 小雨最喜欢的颜色是绿色
小雨喜欢咖啡 | 小雨不喜欢咖啡
小雨喜欢咖啡 | 小雨讨厌咖啡
会议定在周三 | 会议改到周四
生产环境的端口是 8443 | 生产环境的端口是 9443
数据库用PostgreSQL | 数据库用MySQL
田中は東京に住んでいます | 田中は大阪に住んでいます
田中はコーヒーが好きです | 田中はコーヒーが嫌いです
"""
TOGETHER = """
Mara likes coffee | Mara likes tea
Mara likes coffee | Tom dislikes coffee
Mara lives in Lisbon | Tom lives in Porto
Mara lives in Lisbon | Mara's sister lives in Porto
Mara lives in Portugal | Mara lives in Lisbon
Mara lives in Lisbon | Mara lives in a small flat
Mara lives in Lisbon | Mara moved to Porto in 2010
Mara works at Siemens | Mara works at Siemens Energy
Mara works at Siemens | Mara works as an engineer
Mara is a nurse | Mara is a pediatric nurse
Mara's sister is Ana | Mara's sister is Ida
Mara's cat is called Miso | Mara's cat is called Nori
Mara's birthday is on 4 May | Mara was born in Lisbon
Mara's birthday is on 4 May | Mara's birthday is on 4 May 1990
The deadline is 12 December | The deadline is tight
The meeting is at 9:00 | The meeting is on Friday
The meeting is at 9:00 | The meeting is at 9 am
The meeting on Monday is at 9:00 | The meeting on Tuesday is at 10:00
Mara prefers tabs over spaces | Mara prefers dark mode
Mara prefers green tea | Mara prefers dark mode
Mara uses PostgreSQL 16 | Mara uses Redis 7
Mara uses pnpm | Mara uses ruff
Mara visited Kyoto | Mara visited Osaka
Mara knows Tom | Mara knows Ana
Mara has two kids | Mara has three bicycles
The team has two engineers in Basel | The team has three engineers in Rome
The shop is open on Monday | The shop is closed on Sunday
Mara is a baker | Mara is a former nurse
Mara prefers short meetings | Mara prefers morning meetings
Mara's brother lives in Oslo | Mara's brother is in Rome
Mara's sister's name is Ana | Mara's sister's name is Ida
The staging database listens on port 5433 | The production database listens on port 5432
小雨喜欢咖啡 | 小雨喜欢茶
小雨住在上海 | 阿杰住在杭州
小雨的妹妹叫李婷 | 小雨的妹妹叫李雪
小雨住在浙江 | 小雨住在杭州
"""


@pytest.mark.parametrize(("old", "new"), table(CONTRARY))
def test_the_same_slot_with_another_value_supersedes_what_was_known(old: str, new: str) -> None:
    verdict = judge(claimed(new), [held(old)], Rules())
    assert isinstance(verdict, Supersede), verdict
    assert verdict.old == ("old",) and verdict.reason


@pytest.mark.parametrize(("old", "new"), table(TOGETHER))
def test_claims_that_can_both_hold_never_retire_each_other(old: str, new: str) -> None:
    assert judge(claimed(new), [held(old)], Rules()) == Store()


@pytest.mark.parametrize(
    ("then", "now", "contrary"),
    [
        ("current", "current", True),
        (None, "current", True),
        ("current", None, True),
        ("past", "current", False),
        ("current", "past", False),
        ("past", "past", False),
        ("current", "future", False),
        ("future", "future", True),
    ],
)
def test_only_what_holds_at_the_same_time_contradicts(
    then: str | None, now: str | None, contrary: bool
) -> None:
    verdict = judge(
        claimed("Mara lives in Porto", temporal=now), [held("Mara lives in Lisbon", temporal=then)], Rules()
    )
    assert isinstance(verdict, Supersede) == contrary


def test_a_move_told_long_ago_stays_true_when_a_home_is_told() -> None:
    moved = held("Mara moved to Lisbon", temporal="past")
    assert judge(claimed("Mara lives in Porto"), [moved], Rules()) == Store()


@pytest.mark.parametrize(
    ("policy", "verdict"), [("prefer_new", Supersede), ("prefer_old", KeepOld), ("flag_review", Flag)]
)
def test_between_equals_the_setting_decides(policy: str, verdict: type) -> None:
    rules = Rules(contradictions=policy)
    assert isinstance(judge(claimed("Mara lives in Porto"), [held("Mara lives in Lisbon")], rules), verdict)


def test_sure_knowledge_outweighs_a_guess_either_way() -> None:
    guess, sure = CERTAINTY["uncertain"], CERTAINTY["explicit"]
    guessed = claimed("Mara lives in Porto", confidence=guess)
    assert isinstance(judge(guessed, [held("Mara lives in Lisbon", confidence=sure)], Rules()), KeepOld)
    told = claimed("Mara lives in Porto", confidence=sure)
    inferred = held("Mara lives in Lisbon", confidence=CERTAINTY["inferred"])
    assert isinstance(judge(told, [inferred], Rules(contradictions="prefer_old")), Supersede)


def test_what_a_person_pinned_or_wrote_is_never_retired_but_asked_about() -> None:
    verdict = judge(claimed("Mara lives in Porto"), [held("Mara lives in Lisbon", guarded=True)], Rules())
    assert verdict == Flag(("old",), "lives in: Porto, against Lisbon")


SAME = """
Mara lives in Lisbon | mara lives  in lisbon
Mara lives in Lisbon | Mara now lives in Lisbon
Mara works at Siemens | Mara works for Siemens
Mara has two cats | Mara has 2 cats
小雨住在上海 | 小雨住在上海了
"""
DIFFERENT = """
Mara likes coffee | Mara dislikes coffee
Mara likes coffee | Mara doesn't like coffee
The stand-up is at 9:00 | The stand-up is at 10:00
Mara likes hiking | Tom likes hiking
Tom likes Mara | Mara likes Tom
Mara lives in Lisbon | Mara lives in Lisbon with Tom
Mara has two cats | Mara has three cats
Mara ran yesterday (7 May 2023) | Mara ran yesterday (8 May 2023)
小雨喜欢咖啡 | 小雨不喜欢咖啡
"""


@pytest.mark.parametrize(("old", "new"), table(SAME))
def test_the_same_said_again_is_a_duplicate(old: str, new: str) -> None:
    assert judge(claimed(new), [held(old)], Rules()) == Duplicate("old")


@pytest.mark.parametrize(("old", "new"), table(DIFFERENT))
def test_near_vectors_alone_make_no_duplicate(old: str, new: str) -> None:
    assert not isinstance(judge(claimed(new), [held(old, cosine=0.999)], Rules()), Duplicate)


def test_far_vectors_make_no_duplicate_and_another_time_neither() -> None:
    far = held("Mara lives in Lisbon", cosine=0.6)
    assert judge(claimed("Mara now lives in Lisbon"), [far], Rules()) == Store()
    once = held("Mara lived in Lisbon", temporal="past")
    assert judge(claimed("Mara lives in Lisbon"), [once], Rules()) == Store()


def corrected(claim: str, replaces: str | None = None) -> NewClaim:
    return NewClaim(
        claim=claim, confidence=CORRECTED, temporal="current", source=CORRECTION, replaces=replaces
    )


def test_a_correction_supersedes_what_it_takes_back_whatever_the_policy() -> None:
    for policy in ("prefer_new", "prefer_old", "flag_review"):
        rules = Rules(contradictions=policy)
        old = held("Mara signed the lease with Jun in Lisbon")
        verdict = judge(corrected("Mara signed the lease with Jun in Porto", "Lisbon"), [old], rules)
        assert isinstance(verdict, Supersede) and verdict.old == ("old",)


def test_a_correction_retires_only_what_it_is_about() -> None:
    other = held("Tom visited Lisbon", id="other")
    home = held("Mara lives in Lisbon", id="home")
    verdict = judge(corrected("Mara lives in Porto", "Lisbon"), [other, home], Rules())
    assert isinstance(verdict, Supersede) and verdict.old == ("home",)
    assert judge(corrected("Mara lives in Porto", "Lisbon"), [other], Rules()) == Store()


def test_an_extractor_that_says_refined_is_believed_only_about_the_same_matter() -> None:
    new = NewClaim(
        claim="Mara works at Siemens in Berlin", confidence=0.95, temporal="current", refines="old"
    )
    assert isinstance(judge(new, [held("Mara works at Siemens")], Rules()), Supersede)
    assert judge(new, [held("Tom owns a boat")], Rules()) == Store()


PIECES = "Mara Tom lives in at is the not likes 9:00 Lisbon Bosch prefers over 's birthday 4 May 住在 上海 は です 岁"
CLAIM = st.lists(st.sampled_from(PIECES.split()), max_size=12).map(" ".join)


@given(CLAIM | st.text(max_size=80), CLAIM | st.text(max_size=80))
def test_any_two_texts_are_judged_without_error_and_a_claim_never_contradicts_itself(
    one: str, other: str
) -> None:
    judge(claimed(one), [held(other, cosine=None)], Rules())
    assert isinstance(judge(claimed(one), [held(one, cosine=None)], Rules()), Duplicate)
