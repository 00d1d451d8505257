"""Notable sentences are kept in their speaker's words, with what was said before them."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.engine.beliefs.comparing import Verdict, compare
from memdesk.engine.extraction import Utterance, extract, notable
from memdesk.engine.extraction.language import sentences
from memdesk.engine.extraction.lexicon import numbers
from memdesk.model.instant import from_datetime
from memdesk.model.quotation import answer_at, quoting, stated, turns_of, without_other_names


def claims(text: str) -> list[str]:
    """Return the claims of a conversation written as "speaker: words", one turn a line; Iris is the agent."""
    said = [line.partition(": ") for line in text.splitlines()]
    turns = [
        Utterance(
            id=str(number), speaker=who, role="assistant" if who == "Iris" else "user", text=words, at=number
        )
        for number, (who, _, words) in enumerate(said)
    ]
    return [fact.claim for fact in extract(turns).facts]


QUOTED = [
    (
        "Ngozi: Who's running the dialysis unit while Bernard is away?\n"
        "Tamsin: Fatoumata. The cupboard keys are with her until May.",
        "Ngozi: “Who's running the dialysis unit while Bernard is away?” – Tamsin: “Fatoumata. "
        "The cupboard keys are with her until May.”",
    ),
    (
        "Iris: Which ports are reserved for us on gannet?\nGreta: 7350 for clients, 7351 for the admin page.",
        "Iris: “Which ports are reserved for us on gannet?” – Greta: “7350 for clients, 7351 for the admin page.”",
    ),
    (
        "阿墨: 那我订的那张书桌什么时候能好？\n启明: 本来说月底，榆木没干透，得等到六月二十号。",
        "阿墨：“那我订的那张书桌什么时候能好？” – 启明：“本来说月底，榆木没干透，得等到六月二十号。”",
    ),
    (
        "美咲: あら、柴犬？\n源太: いえ、盲導犬を引退したラブラドールで、名前はハル、十一歳です。",
        "美咲：「あら、柴犬？」 – 源太：「いえ、盲導犬を引退したラブラドールで、名前はハル、十一歳です。」",
    ),
]


@pytest.mark.parametrize(("text", "claim"), QUOTED)
def test_an_answer_is_quoted_with_its_question(text: str, claim: str) -> None:
    assert claim.rstrip("”」。") in " / ".join(claims(text))


IN_CONTEXT = [
    (
        "Bo: I moved to the Leeds office on Monday with payroll.\nAda: Who does it?\nBo: Agnieszka Wrona, from May.",
        "Bo: “I moved to the Leeds office on Monday with payroll.” – Ada: “Who does it?” – "
        "Bo: “Agnieszka Wrona, from May.”",
    ),
    (
        "老韩: 从下周起改到林业局的食堂跳舞，我跟他们说好了。\n桂芬: 几点到几点？\n"
        "老韩: 六点半到八点，每周二、四、六。",
        "老韩：“从下周起改到林业局的食堂跳舞，我跟他们说好了。” – 桂芬：“几点到几点？” – "
        "老韩：“六点半到八点，每周二、四、六。”",
    ),
    (
        "正造: 孫のさくらが夏休みに来たいって電話してきたぞ。\nフミ: 聞いたわ。八月三日から一週間ね。",
        "正造：「孫のさくらが夏休みに来たいって電話してきたぞ。」 – フミ：「聞いたわ。八月三日から一週間ね。」",
    ),
    (
        "Ada: How is the hip? Are you walking again?\nBo: Slowly. The surgeon wants me on two sticks until 4 June.",
        "Ada: “How is the hip? Are you walking again?” – "
        "Bo: “Slowly. The surgeon wants me on two sticks until 4 June.”",
    ),
]


@pytest.mark.parametrize(("text", "claim"), IN_CONTEXT)
def test_a_notable_sentence_is_quoted_with_the_turns_before_it(text: str, claim: str) -> None:
    assert claim in claims(text)


def test_a_greeting_and_a_reaction_are_left_out_of_what_was_said_before() -> None:
    said = (
        "Ada: How are you?\nBo: Great, thanks!\nAda: My sister Ines starts at the clinic in Vigo on 4 June."
    )
    assert not any("How are you" in claim or "Great" in claim for claim in claims(said))
    assert any("Ines starts at the clinic in Vigo on 4 June" in claim for claim in claims(said))


def test_short_turns_are_quoted_from_further_back_until_they_tell_enough() -> None:
    said = (
        "Ada: Did you hear from the clinic about Ines?\nBo: This morning.\nAda: And?\nBo: She can come in.\n"
        "Ada: When?\nBo: On 4 June at nine, ward seven."
    )
    assert claims(said) == [
        "Ada: “Did you hear from the clinic about Ines?” – Bo: “This morning.” – Ada: “And?” – Bo: “She can come in.” "
        "– Ada: “When?” – Bo: “On 4 June at nine, ward seven.”"
    ]


def test_what_was_said_long_before_is_not_quoted() -> None:
    hours = 3_600 * 1_000_000
    turns = [
        Utterance(id="1", speaker="Ada", role="user", text="The lighthouse is being painted again.", at=0),
        Utterance(
            id="2",
            speaker="Bo",
            role="user",
            text="Ines starts at the clinic in Vigo on 4 June.",
            at=13 * hours,
        ),
    ]
    assert not any("lighthouse" in fact.claim for fact in extract(turns).facts)


def test_a_turn_in_another_language_than_the_others_is_read() -> None:
    said = (
        "Bo: Any news of the family?\n"
        "Ada: Estamos todos muy bien, gracias. My sister Ines starts at the clinic in Vigo on 4 June."
    )
    assert any("4 June" in claim for claim in claims(said))


def test_a_person_is_not_what_a_quotation_of_somebody_else_is_about() -> None:
    said = [
        ("Ada", "Where does your sister work?"),
        ("Bo", "Ines starts at the clinic in Vigo on 4 June, ward seven."),
    ]
    turns = [
        Utterance(id=str(at), speaker=who, role="user", text=text, at=at)
        for at, (who, text) in enumerate(said)
    ]
    fact = extract(turns).facts[-1]
    assert fact.claim.startswith("Ada: “Where") and "Bo" in fact.about and "Ada" not in fact.about


def test_what_an_agent_did_is_quoted_with_what_it_was_asked() -> None:
    said = "Ada: Can you clear the week of the physio?\nIris: Done. I've removed the remaining four appointments."
    assert claims(said) == [
        "Ada: “Can you clear the week of the physio?” – Iris: “Done. I've removed the remaining four appointments.”"
    ]


def test_an_answer_that_a_rule_understood_is_quoted_with_its_question() -> None:
    said = "Ada: What's your favorite book series?\nBo: I'd say Dune, by far."
    assert claims(said) == ["Ada: “What's your favorite book series?” – Bo: “I'd say Dune, by far.”"]


def test_what_a_person_tells_an_agent_unasked_is_worded_by_rules() -> None:
    assert claims("Bo: I use Redis. I moved to Porto.") == ["Bo uses Redis", "Bo moved to Porto"]
    said = "Iris: Hello, how can I help?\nBo: I live in Porto with two dogs. What is the weather there?"
    assert "Bo lives in Porto with two dogs" in claims(said)


def test_relations_are_read_from_what_rules_make_of_the_words_quoted() -> None:
    said = [
        ("Ada", "Tell me about the family."),
        ("Bo", "My sister Ines lives in Vigo and works at Siemens. She is a nurse there since May."),
    ]
    turns = [
        Utterance(id=str(at), speaker=who, role="user", text=text, at=at)
        for at, (who, text) in enumerate(said)
    ]
    found = extract(turns)
    assert found.facts[0].claim.startswith(
        "Ada: “Tell me about the family.” – Bo: “My sister Ines lives in Vigo"
    )
    bonds = {(bond.source, bond.type, bond.target) for bond in found.relations}
    assert {("Ines", "LOCATED_IN", "Vigo"), ("Bo", "KNOWS", "Ines")} <= bonds


def test_an_exchange_holds_from_the_time_in_its_last_words_alone() -> None:
    said = [
        ("Bo", "I moved to the Leeds office last week, payroll and all."),
        ("Ada", "Who does that now?"),
        ("Bo", "Agnieszka Wrona, since yesterday."),
    ]
    day = datetime(2026, 3, 11, 12, tzinfo=UTC)
    turns = [
        Utterance(id=str(at), speaker=who, role="user", text=text, at=from_datetime(day))
        for at, (who, text) in enumerate(said)
    ]
    fact = extract(turns, zone=UTC).facts[-1]
    assert fact.claim.startswith("Bo: “I moved to the Leeds office last week, payroll")
    assert fact.claim.endswith("since yesterday (10 March 2026).”")
    assert fact.valid_from == from_datetime(datetime(2026, 3, 10, tzinfo=UTC))


HELD_BACK = [
    "Ada: Lovely day.\nBo: She moved there on 4 June with two dogs.",
    "Ada: Hi Bo, how are you?\nBo: The next one is on 4 June.",
    "Ada: Look at that.\nBo: Three of them, and a spare.",
    "小雨: 今天真热。\n阿明: 那个六月四号就到期了。",
]


@pytest.mark.parametrize("text", HELD_BACK)
def test_words_that_lean_on_nothing_known_are_held_back(text: str) -> None:
    assert claims(text) == []


TELLING = [
    ("My sister Ines has been a nurse at the clinic in Vigo since May", "I am so glad you came by today"),
    ("我妹妹五月起在维哥的诊所当护士", "哈哈，今天真开心"),
    ("妹のイネスは五月からビーゴの診療所で看護師をしている", "いいね、今日は楽しかった"),
]


@pytest.mark.parametrize(("fact", "chatter"), TELLING)
def test_a_fact_is_more_notable_than_a_reaction(fact: str, chatter: str) -> None:
    seen: dict[str, float] = {}
    judge = notable.chance

    def noted(spoken: notable.Spoken) -> float:
        seen[spoken.sentence.text] = judge(spoken)
        return 0.0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(notable, "chance", noted)
        claims(f"Ada: Hm.\nBo: {fact}.\nAda: {chatter}.")
    assert seen[fact] > 0.25 > 0.15 > seen[chatter]


def test_every_sign_has_a_weight() -> None:
    kept: list[set[str]] = []

    def noted(spoken: notable.Spoken) -> float:
        kept.append(set(notable.signs(spoken)))
        return 0.0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(notable, "chance", noted)
        claims("Ada: I moved to Vigo in May.")
    assert kept[0] | {"constant"} == numbers("notable_weights", "weights").keys()


def test_that_somebody_said_something_contradicts_nothing_else_they_said() -> None:
    boat, boss = "Bo said: “I've got a boat in Vigo.”", "Bo said: “My boss is Ana since May.”"
    port, region = (
        "Asked “Which port?”, the answer was: “5432.”",
        "Asked “Which region?”, the answer was: “north.”",
    )
    assert compare(boss, boat).verdict is compare(region, port).verdict is Verdict.APART


@pytest.mark.parametrize(
    ("sentence", "asked"),
    [
        ("Are we still on for choir Thursday", True),
        ("so who decided that", True),
        ("how's life at the school, Mrs Reed", True),
        ("Are you tired.", False),
        ("What I like is the harbour", False),
        ("Have a good one", False),
        ("会费还是十五块吗", True),
        ("我问了，不是十五块", False),
        ("会費は千五百円のままですか。", True),
        ("ええんか。", True),
        ("そうか。", False),
        ("how much is the rent", True),
        ("has it arrived yet", True),
        ("What is left of the fence is at Mara's", False),
        ("What has changed is the port", False),
        ("Who moved to Leeds was my brother", False),
        ("How long it takes depends on the load", False),
        ("Which one we take is up to Owen", False),
        ("Have my keys back since Friday", False),
        ("Have that operation on the 9th at St Luke's", False),
        ("Did my exam on Friday and passed", False),
        ("Do this every Monday", False),
        ("Should it fail, restart heron", False),
        ("And so did my brother, he moved to Leeds", False),
        ("What's worse, the boiler broke on Friday", False),
        ("Would you believe it, I got the job in Basel", False),
        ("会不会下雨都照常举行", False),
        ("有没有孩子对我来说不重要", False),
        ("我就是喜欢吃辣嘛", False),
        ("我忘了几点了", False),
        ("他没说什么时候", False),
        ("土曜は飲み会かなんか", False),
        ("二度と行くもんか", False),
    ],
)
def test_a_question_of_a_chat_needs_no_mark(sentence: str, asked: bool) -> None:
    (read,) = sentences(sentence)
    assert read.asked == asked


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "La reunión es el lunes a las 12 con 30 personas.",
            "No, es a las 15 con 40 personas, no 30 personas.",
        ),
        ("Wir haben 30 Plätze im großen Saal.", "No, wir haben jetzt 40 Plätze, not 30 Plätze."),
        ("We have 30 seats.", "회의는 40 seats, not 30 seats."),
    ],
)
def test_a_revision_in_a_language_without_quotations_is_read(first: str, second: str) -> None:
    assert not any("–" in claim for claim in claims(f"Ana: {first}\nBo: ok then\nAna: {second}"))


def test_a_reply_whose_claim_means_what_was_said_before_is_quoted_with_it() -> None:
    said = "Loretta: I thought you were going for that foreman job.\nWyatt: I was. I start January eighth."
    (claim,) = claims(said)
    assert "foreman job" in claim and "I start January eighth" in claim


def test_a_quotation_ends_with_no_question_whose_answer_is_not_there() -> None:
    said = (
        "Mara: Please book the boiler for Friday the 10th.\nIris: Which firm?\n"
        "Mara: Harrow Heating, on Mill Lane. When are they open?"
    )
    (claim,) = (claim for claim in claims(said) if "Harrow" in claim)
    assert claim.endswith("on Mill Lane.”")


def test_a_second_thought_in_an_answer_is_quoted_with_its_question() -> None:
    (claim,) = claims(
        "Fei: 春节去昆明看我姐。\nIris: 需要我帮您看火车票吗？\n"
        "Fei: 要，上铺。不对，下铺，我这腰上不去上铺，二月三号走。"
    )
    assert "火车票" in claim and "下铺" in claim


def test_what_opens_a_talk_and_is_answered_by_a_question_was_a_request() -> None:
    told = "Mara: I need a regex for accession numbers."
    assert claims(f"{told}\nIris: What should it match?") == []
    assert claims(f"{told}\nIris: Noted.") == ["Mara needs a regex for accession numbers"]
    for wish in ("I'm looking for a recipe with lentils.", "I want to write a letter to my landlord."):
        assert claims(f"Mara: {wish}\nIris: For how many people?") == []
    for fact in (
        "From today the ledger runs on heron, port 5433.",
        "I moved to Leeds last week.",
        "My name is Mara and I run a bakery in Porto.",
        "我住在杭州，想找个牙医。",
        "私は東京に住んでいます。歯医者を探して。",
        "卵アレルギーがあります。献立を考えて。",
    ):
        assert claims(f"Mara: {fact}\nIris: Since when is that?")


def test_what_is_quoted_is_compared_where_it_speaks_for_itself() -> None:
    told = "Bo said: “The wedding is on 6 May.”"
    assert compare(told, "The wedding is on 5 May.").verdict in (Verdict.CONTRADICTION, Verdict.UPDATE)


words = st.text(
    st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="“”「」"), min_size=1, max_size=40
)


@given(
    tongue=st.sampled_from(("en", "zh", "ja")),
    said=words,
    question=words,
    context=words | st.just(""),
    speaker=st.sampled_from(("Bo", "小雨", "")),
    other=st.sampled_from(("Dr. Kim", "老韩", "")),
    gap=st.integers(0, 2),
)
def test_a_quoted_exchange_states_nothing_alone_and_ends_with_its_answer(
    tongue: str, said: str, question: str, context: str, speaker: str, other: str, gap: int
) -> None:
    before = [(who, each) for who, each in (("Ada", context), (other, question)) if each]
    claim = quoting(tongue, said, speaker=speaker, before=before, gap=min(gap, len(before)))
    assert stated(claim) == ""
    if not re.search("[–…]", context + question + said):
        assert claim[answer_at(claim) :] == re.split(" [–…] ", claim)[-1]
        turns = turns_of(claim)
        assert len(turns) == len(before) + 1
        behind = [at for at, turn in enumerate(turns) if turn.startswith("… ")]
        assert behind == [min(gap, len(before))] if gap else not behind
        assert not any(who and f"{who}" in without_other_names(claim) for who in {"Ada", other} - {speaker})
