"""What a later turn revises is kept in one claim with what it was said of."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from memdesk.engine.extraction import Utterance, extract
from memdesk.engine.extraction.findings import FoundFact
from memdesk.engine.extraction.values import Value, values
from memdesk.model.quotation import answer_at

HOSPITAL = """Ana: How's your knee these days, is it any better?
Ben: They're operating at last. The ninth of March, at St Luke's, with Dr Quill.
Ana: Who's driving you home after that?
Ben: My brother Owen, he's taking the day off from the depot.
Ana: Good man. Did you see the new bakery on Ferris Street?
Ben: I did, the queue was out of the door.
Ana: They do a rye loaf that I could live on, and the woman behind the counter never once charged me for the second one.
Ben: That's Greta, she was at school with my cousin, she used to run the fish van on the harbour before it burnt out.
Ana: I remember the fire, they had to close the road for two days and we all walked to work along the railway line.
Ben: Oh, and did I say the ninth? I've got the letter here and it's the twelfth."""
TABLES = """李青: 这批货是谁订的?
老韩: 县里那家民宿,要八张桌二十四条凳,月底交。
李青: 木料够不够?
老韩: 够,上个月刚进的榆木。
李青: 那我明天开始刨。
老韩: 对了,刚才说错了,凳子是三十条,你去板上改一改。"""
VISIT = """母: お正月は帰ってこられるの?
美樹: 帰れるよ。一月二日から五日まで、飛行機も取った。
母: うれしい、お餅をたくさん用意しておくね。
美樹: あ、待って、今見たら三日からだった。三日から六日。"""


def said(text: str) -> list[Utterance]:
    """Return the turns of a conversation written as "speaker: words", a minute apart; Iris is the agent."""
    lines = [line.partition(": ") for line in text.splitlines()]
    return [
        Utterance(
            id=str(number),
            speaker=who,
            role="assistant" if who == "Iris" else "user",
            text=words,
            at=number * 60_000_000,
        )
        for number, (who, _, words) in enumerate(lines)
    ]


def facts(text: str) -> list[FoundFact]:
    return list(extract(said(text)).facts)


STAY = """Bev: I booked it, I land in Columbus on 12 September, and I'm staying three weeks.
Carol: Three weeks! Then you'll miss the baby by about a minute.
Bev: I could change it. It's only a fee. Shall I make it four?
Carol: Make it four, and you're in the yellow room."""
BANNER = """Gethin: The free shipping banner says fifty quid, it should say sixty.
Iris: The threshold in the settings is also 50. Change both?
Gethin: Both, yeah. Wait, no. Is it sixty or sixty-five? Sixty-five, says Dai, the hauliers put it up."""
PILLS = """Iris: 您的血压药还是每晚九点提醒吗？
冯姐: 改早上了，医生让改的，早上六点半。
Iris: 改为每天早上六点半提醒。
冯姐: 六点半我正揉面呢，七点吧，七点好。"""
TAX = """Mara: Put thirty per cent of anything that comes in aside for tax.
Iris: Thirty per cent of each payment goes to a tax pot.
Mara: And the boiler in Leeds needs two thousand eight hundred by October.
Iris: You have nine hundred and ten so far.
Mara: Oh, and my accountant says twenty-five per cent would do, not thirty."""
FLIGHT = """小鹿: 你圣诞回来？几号的票？
阿宁: 十二月十九号从巴黎飞，二十号到成都，待到一月七号。
小鹿: 我二月才回去，我们这边是二月底开学。
阿宁: 找到了把地址发我。啊对，我的票我刚看了，是回程一月九号，不是七号。"""
FESTIVAL = """小松: そういえば、夏祭り、今年はやるんですよね。
和田: やるやる、八月三日。五年ぶりに盆踊りもね。
小松: 屋台の係、まだ決まってないって会長さんが困ってましたよ。
和田: 弟が焼きそばの係。去年も三日で麺を三百玉焼いたの。
小松: すごい。あのあと三日くしゃみが止まらなくて、病院で調べたら猫でした。
和田: あ、お祭り、三日じゃなくて十日だ。会場の都合で一週間ずれたの。"""
TRAIN = """妈: 票买着了没有？
郭磊: 买着了，二月七号的，下午两点多到保定。
妈: 七号好，七号你姨也在。
郭磊: 小雯那边医院排的班，没办法。
妈: 欸，你说七号几点到来着？
郭磊: 我再看一眼啊。哎不对，是八号，七号的没抢着，我记岔了。"""


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (TAX, "thirty per cent of anything", "twenty-five per cent"),
        (FLIGHT, "待到一月七号", "一月九号"),
        (FESTIVAL, "八月三日", "十日だ"),
        (TRAIN, "二月七号的", "是八号"),
        (STAY, "staying three weeks", "Make it four"),
        (BANNER, "it should say sixty", "Sixty-five, says Dai"),
        (PILLS, "早上六点半", "七点吧"),
        (HOSPITAL, "The ninth of March, at St Luke's", "it's the twelfth"),
        (TABLES, "二十四条凳", "凳子是三十条"),
        (VISIT, "一月二日から五日まで", "三日から六日"),
    ],
)
def test_what_is_revised_is_in_the_one_claim_that_revises_it(text: str, old: str, new: str) -> None:
    found = [fact.claim for fact in facts(text)]
    assert [old in claim and claim.index(old) < claim.index(new) for claim in found if new in claim] == [True]
    assert not any(old in claim[answer_at(claim) :] for claim in found)


def test_turns_left_out_between_the_two_are_shown_by_dots() -> None:
    (claim,) = (fact.claim for fact in facts(HOSPITAL) if "twelfth" in fact.claim)
    assert "with Dr Quill.” … Ben: “Oh, and did I say the ninth?" in claim


def test_what_an_agent_confirms_as_changed_was_a_revision() -> None:
    talk = (
        "Mara: Book the dentist for Ida on the fourth of May at ten o'clock, Doctor Wren on Mill Lane.\n"
        "Iris: Booked: the fourth of May at ten.\n"
        "Mara: And order two bags of oats from the mill.\n"
        "Iris: Ordered.\n"
        "Mara: The dentist called, they only have room at three o'clock on that day.\n"
        "Iris: Moved to three."
    )
    (claim,) = (fact.claim for fact in facts(talk) if "room at three" in fact.claim)
    assert "Doctor Wren on Mill Lane" in claim


def test_a_turn_that_corrects_only_itself_revises_no_other() -> None:
    talk = (
        "Mara: Yusuf is in Year Four, so that goes to Mr. Boateng.\n"
        "Iris: Noted.\n"
        "Mara: The coach to Chester is eighteen pounds a head. No, I tell a lie, that's the old firm. Twenty-one fifty."
    )
    assert not any(
        "Year Four" in fact.claim and "Twenty-one" in fact.claim for fact in facts(talk) if fact.revises
    )
    assert not any(fact.revises for fact in facts(talk))


def test_a_value_that_made_no_claim_is_quoted_with_the_turn_before_it() -> None:
    talk = (
        "Isla: What are they saying about the hip?\n"
        "Moira: Och, fine, home Friday.\n"
        "Isla: Good, I'll tell your neighbour Shona then, and I'll bring the dog over.\n"
        "Moira: It's not Friday, wait. The physio says Monday, since there's no physio at St Luke's at the weekend."
    )
    (claim,) = (fact.claim for fact in facts(talk) if "Monday" in fact.claim)
    assert "hip" in claim and "home Friday" in claim


@pytest.mark.parametrize(
    ("old", "between", "new"),
    [
        (
            "My dentist appointment is on Monday at the clinic.",
            "Ok.",
            "I work on Thursdays now, not on Mondays.",
        ),
        ("My mother's surgery is on Tuesday at St Luke's.", "Ok.", "Choir is on Wednesday, not Tuesday."),
        ("We ordered 40 chairs for the wedding in Basel.", "Ok.", "Owen is 38, not 40."),
        ("I've worked at Ferris for 12 years.", "Ok.", "Owen has been with us for 9 years, not 12."),
        (
            "Our flight to Lisbon leaves on the 9th of May.",
            "Ok.",
            "The plumber comes on the 12th, not the 9th.",
        ),
        ("Lena's train arrives at 10:30 in Basel.", "Ok.", "The shop opens at 9:30, not 10:30."),
        ("The ledger runs on Postgres 16.", "Ok.", "And the laptop uses Node 22, not 16."),
        ("My lease ends in June.", "Ok.", "We marry in July, not in June."),
        ("I have three cats in the barn.", "Ok.", "Oh, and my sister has two cats and three cats visit her."),
        ("I have football on Tuesday in Leeds.", "Ok.", "Oh, Tuesday is my long day, Wednesday I'm free."),
        ("My sister has 8 cats in her barn.", "Shall I order a pizza?", "Yes, make it three."),
        ("我星期三去看牙医，在同仁医院。", "好的。", "瑜伽课是星期五，不是星期三。"),
        ("我九号去上海出差，住三天。", "好的。", "妈妈的生日是十二号，不是九号。"),
        ("房租每个月三千块，押一付三。", "好的。", "健身卡是两千块，不是三千块。"),
        ("歯医者は月曜に予約しました。", "そうなんだ。", "ヨガは月曜じゃなくて水曜になったよ。"),
        ("猫を三匹飼っています。", "いいね。", "姉の家は三匹じゃなくて五匹だよ。"),
        ("毎朝六時に犬の散歩に行きます。", "えらい。", "明日の会議は六時じゃなくて七時です。"),
    ],
)
def test_a_value_that_is_denied_of_something_else_revises_nothing(old: str, between: str, new: str) -> None:
    assert not any(fact.revises for fact in facts(f"Mara: {old}\nLeo: {between}\nMara: {new}"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "My dentist appointment is on Monday at the clinic.",
            "Wait, the dentist is on Tuesday, not Monday.",
        ),
        ("We meet the landlord on Monday at Mill Lane.", "I have the letter and it's Wednesday, not Monday."),
        ("We ordered 40 chairs for the wedding in Basel.", "Owen says 38, not 40."),
    ],
)
def test_a_value_that_is_denied_of_the_same_thing_or_of_nothing_named_is_revised(old: str, new: str) -> None:
    (claim,) = (fact.claim for fact in facts(f"Mara: {old}\nLeo: Ok.\nMara: {new}"))
    assert old.rstrip(".") in claim and new.rstrip(".") in claim


def test_another_number_without_words_for_a_change_revises_nothing() -> None:
    talk = (
        "Ana: When are you off to Porto, then?\n"
        "Ben: On the ninth of March, with my brother Owen.\n"
        "Ana: And when does the course at the college begin?\n"
        "Ben: That begins on the twelfth of April, on Mill Lane."
    )
    assert not any(
        "ninth" in fact.claim and "twelfth" in fact.claim.rpartition("ninth")[2]
        for fact in facts(talk)
        if " … " in fact.claim
    )


def test_a_value_named_days_before_is_not_revised() -> None:
    turns = said(HOSPITAL)
    late = [replace(turn, at=turn.at + 3 * 86_400_000_000) for turn in turns[6:]]
    assert not any(fact.revises for fact in extract(late, heard=turns[:6]).facts)


def test_a_claim_read_earlier_is_named_by_the_one_that_revises_it() -> None:
    turns = said(HOSPITAL)
    first, then = extract(turns[:6]).facts, extract(turns[6:], heard=turns[:6]).facts
    (old,) = (fact for fact in first if "ninth" in fact.quote)
    (new,) = (fact for fact in then if "twelfth" in fact.claim)
    assert (old.utterance_id, old.quote) in new.revises


@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize("text", [HOSPITAL, TABLES, VISIT])
def test_a_conversation_read_in_pieces_brings_what_it_brings_at_once(text: str, size: int) -> None:
    turns = said(text)
    known: dict[tuple[str, str], str] = {}
    for start in range(0, len(turns), size):
        for fact in extract(turns[start : start + size], heard=turns[:start]).facts:
            for gone in fact.revises:
                known.pop(gone, None)
            known[fact.utterance_id, fact.quote] = fact.claim
    assert sorted(known.values()) == sorted(fact.claim for fact in facts(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on May 9 or the 12th", {("month", "may"), ("day", "9"), ("day", "12")}),
        ("the first of June, not the second", {("month", "jun"), ("day", "1"), ("day", "2")}),
        ("first we eat, second we go", set()),
        ("at ten, or 3:30", {("clock", "10"), ("clock", "3:30")}),
        ("it's one-forty a month", {("", "one-forty")}),
        ("under 2% or eight milligrams", {("%", "2"), ("milligrams", "8")}),
        ("周三下午六点半,三十二条凳", {("weekday", "三"), ("part", "下午"), ("clock", "6:半"), ("条", "32")}),
        ("十二月二十一日、六件", {("month", "12"), ("day", "21"), ("件", "6")}),
    ],
)
def test_days_times_and_amounts_are_values_of_their_kinds(text: str, expected: set[tuple[str, str]]) -> None:
    assert set(values(text)) == {Value(*each) for each in expected}


def test_a_paste_that_repeats_words_of_a_revision_is_read_in_linear_time() -> None:
    talk = said("Ana: We meet on the ninth.\nBo: Fine.\nAna: " + "I said " * 8_500)
    began = time.process_time()
    extract(talk)
    assert time.process_time() - began < 4
