"""Extraction: what people say becomes claims that stand alone, entities one would recognise, honest confidence."""

from __future__ import annotations

import time
from dataclasses import asdict
from datetime import timedelta, timezone
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.engine.extraction import (
    Found,
    FoundEntity,
    FoundFact,
    Utterance,
    english_words,
    extract,
)
from memdesk.engine.extraction.entities import Cast
from memdesk.engine.extraction.quoting import LEAST
from memdesk.model.entity import ENTITY_RELATIONS, ENTITY_TYPES
from memdesk.model.fact import CATEGORIES, CERTAINTY, TEMPORAL
from tests.effort import examples

NOON_8_MAY_2023 = 1_683_547_200_000_000
AGENTS = ("assistant", "Iris", "Forge")


def chat(text: str) -> list[Utterance]:
    """A conversation written as "speaker: words", one turn a line."""
    turns = [line.strip().partition(": ") for line in text.strip().splitlines()]
    return [
        Utterance(
            id=f"t{i}",
            speaker=who,
            role="assistant" if who in AGENTS else "user",
            text=said,
            at=NOON_8_MAY_2023,
        )
        for i, (who, _, said) in enumerate(turns)
    ]


def test_of_a_relative_it_is_known_which_pronoun_means_them() -> None:
    sets = (english_words.SHE, english_words.HE, english_words.THEY)
    assert [one & other for one, other in combinations(sets, 2)] == [set()] * 3


def test_a_name_with_points_is_merged_into_the_full_one() -> None:
    cast = Cast()
    cast.add("J. R. Berg", "Person")
    cast.add("Johanna Berg", "Person")
    cast.merge("J. R. Berg", "Johanna Berg")
    found = cast.get("J. R. Berg")
    assert found is not None and found.name == "Johanna Berg" and len(list(cast.members())) == 1


def claims(text: str) -> list[str]:
    return [fact.claim for fact in extract(chat(text)).facts]


def fact(text: str) -> FoundFact:
    """The one fact of a conversation."""
    (only,) = extract(chat(text)).facts
    return only


def entities(found: Found) -> dict[str, FoundEntity]:
    return {entity.name: entity for entity in found.entities}


def bonds(text: str) -> set[tuple[str, str, str]]:
    return {(bond.source, bond.type, bond.target) for bond in extract(chat(text)).relations}


TIDEPOOL = """
user: Hi! I'm Mara, backend engineer at Nordlys Systems in Gothenburg. I mostly work on Tidepool, our ingest platform.
assistant: Nice to meet you, Mara! How can I help with Tidepool today?
user: Tidepool ingest writes go through PgBouncer in transaction mode. We use PostgreSQL 16.
user: Never run migrations on Fridays. And every migration needs a down step.
user: We decided to use BRIN indexes on the events table because B-tree got too big above 50 M rows.
user: Remember that the staging database listens on port 5433.
assistant: Done. I've deployed tidepool-api 2.4.1 to staging. Let me know if you need anything else!
user: If I were you I'd rewrite it in Rust lol
"""
FAMILY = """
Mara: We're moving to Lisbon on 1 January! Jun and I signed the lease yesterday.
Iris: Congratulations! Shall I put the move on your calendar?
Mara: The Graça flat allows pets, so our cat Miso can come with us.
Mara: Jun is allergic to penicillin, please remember that.
Mara: My sister Ana lives in Porto and works at Siemens. She studied architecture in Berlin.
Mara: I'm vegetarian, but Jun eats fish.
"""
FRIENDS = """
Sofia: omg hi! I just got back from Japan, we spent two weeks in Kyoto and Osaka
Tom: No way! I've got news too - I quit my job at Deloitte last Friday.
Sofia: What?? What will you do?
Tom: I'm starting a bakery with my wife Hannah. We rented a place on Mill Street.
Sofia: That's brave. I'm still at the hospital, working nights as a pediatric nurse.
Tom: I'm reading "The Overstory" by Richard Powers, you'd love it.
Sofia: We should totally meet up! Keep going, you got this!
"""
COLLEAGUE = """
user: 你好，我叫李明，在上海的字节跳动工作，是一名后端工程师。
assistant: 你好李明！很高兴认识你。
user: 我妹妹叫李婷，她在北京大学读研究生。
user: 数据库用PostgreSQL，缓存用Redis，部署在阿里云上。
user: 请记住，我对花生过敏。
user: 我们决定下个月把服务迁移到Kubernetes。
assistant: 已完成迁移脚本的编写，并已部署到测试环境。
user: 我可能下周去杭州出差。
user: 能不能帮我写一个脚本？
user: 哈哈，太好了！
"""
COUPLE = """
小雨: 最近怎么样？
阿杰: 还不错，我上个月换工作了，现在在腾讯做产品经理。
阿杰: 我们养了一只叫豆豆的橘猫。
小雨: 我上周末去爬了黄山。我读完了《三体》，非常喜欢。
小雨: 如果下雨我就不去了。
"""
SIDE_PROJECT = """
user: 我的 side project 叫 harbor-web，前端用 React 和 TypeScript。
user: I prefer ruff over flake8，commit message 必须用英文。
user: 周五不要部署，always run the tests first.
user: My boss 王总 wants a demo next Tuesday.
user: 记住：生产环境的端口是 8443
"""
ALL_CHATS = (TIDEPOOL, FAMILY, FRIENDS, COLLEAGUE, COUPLE, SIDE_PROJECT)


def table(text: str) -> list[tuple[str, str]]:
    """Pairs written one a line: what is expected | what is said."""
    return [
        (right.strip(), left.strip())
        for left, _, right in (line.partition("|") for line in text.strip().split("\n"))
    ]


CLAIMS = """
Caroline moved to Lisbon last year | I moved to Lisbon last year
Caroline is a nurse and has two kids | I'm a nurse and have two kids
Caroline doesn't eat meat | I don't eat meat
Caroline has lived in Malmö since 2014 | I've lived in Malmö since 2014
Caroline uses pnpm | We use pnpm
Caroline's office is in Basel | Our office is in Basel
Caroline and their husband bought a farm | My husband and I bought a farm
Last Friday, Caroline went to a workshop | Wow, thanks! Last Friday, I went to a workshop, it was amazing!
Caroline got back from Rome | Just got back from Rome
Caroline has been busy volunteering at the shelter | Been busy volunteering at the shelter
Caroline studies maths | i study maths, lol
Painting helps Caroline relax after work | Painting helps me relax after work
Caroline would love to visit Japan | I’d love to visit Japan
Caroline no longer works at Siemens | I no longer work at Siemens
"""
NO_FACTS = """
What's the weather like in Gothenburg?
Hey Mel! Good to see you!
Thanks, that means a lot to me.
If I were a bird I would fly to Rome.
I totally agree with that.
I'm so excited!
It was amazing.
Keep going, you can do it!
I'm here for you.
哈哈，太好了！
能不能帮我写一个脚本？
如果下雨我就不去了。
我很开心。
"""
CATEGORY_OF = """
decision | I decided to sell the boat
decision | We chose Stripe over Adyen because of the fees
preference | I prefer dark mode
preference | I can't stand coriander
constraint | Never push to the main branch
constraint | The API must return JSON only
event | I visited Kyoto in 2019
event | The deadline for the v3 release is 12 December
fact | I own two bicycles
decision | 我们选用了 Tailwind
preference | 我讨厌下雨天
constraint | 不要在周五发布
event | 我昨天参加了马拉松
fact | 我在腾讯做产品经理
"""
TIME_OF = """
current | I work at Siemens
past | I used to play the cello
future | I'm going to sell the house next year
future | 我明年要搬到厦门
current | 我住在成都
"""
CERTAINTY_OF = """
explicit | I live in Utrecht
explicit | Remember that the printer is in room 12
implied | The printer is in room 12
uncertain | I think the server runs Debian 12
uncertain | Maybe we'll try NATS next quarter
uncertain | 我可能下周去杭州
explicit | 记住：生产环境的端口是 8443
"""


@pytest.mark.parametrize(("said", "claim"), table(CLAIMS))
def test_a_claim_names_its_speaker_and_agrees_with_them(said: str, claim: str) -> None:
    assert claim in claims(f"Caroline: {said}")


@pytest.mark.parametrize("said", NO_FACTS.strip().split("\n"))
def test_questions_greetings_moods_and_suppositions_are_no_facts(said: str) -> None:
    assert claims(f"Caroline: {said}") == []


@pytest.mark.parametrize(("said", "category"), table(CATEGORY_OF))
def test_the_category_follows_the_cue(said: str, category: str) -> None:
    assert fact(f"user: {said}").category == category


@pytest.mark.parametrize(("said", "temporal"), table(TIME_OF))
def test_the_tense_tells_when_a_fact_holds(said: str, temporal: str) -> None:
    assert fact(f"user: {said}").temporal == temporal


@pytest.mark.parametrize(("said", "certainty"), table(CERTAINTY_OF))
def test_the_certainty_is_how_it_was_said(said: str, certainty: str) -> None:
    found = fact(f"user: {said}")
    assert (found.certainty, found.confidence) == (certainty, CERTAINTY[certainty])


JAPANESE = """
田中は東京に住んでいます | 私は東京に住んでいます。
田中はコーヒーが好きです | コーヒーが好きです。
田中はトヨタで働いています | はい、僕はトヨタで働いています。
田中の誕生日は5月4日です | 私の誕生日は5月4日です
田中の妹は大阪に住んでいます | 妹は大阪に住んでいます。
"""


@pytest.mark.parametrize(("said", "claim"), table(JAPANESE))
def test_simple_japanese_claims_name_their_speaker(said: str, claim: str) -> None:
    assert claims(f"田中: {said}") == [claim]


@pytest.mark.parametrize(
    "said", ["元気ですか？", "今日はいい天気ですね。", "ありがとうございます。", "そうだと思います。"]
)
def test_japanese_questions_and_courtesies_are_no_facts(said: str) -> None:
    assert claims(f"田中: {said}") == []


AT_WORK = """
The release is on Friday | The release is on Friday
The office is in Basel | The office is in Basel
User's flight leaves at 8 am | My flight leaves at 8 am
User asked never to push to main | Never push to main
User asked to only push to a branch | Only push to a branch
Only the release manager raises the version | Only the release manager raises the version
Bug 317 has been fixed and closed | Bug 317 has been fixed and closed
There are 12 people in the team | There are 12 people in the team
User uses Postgres for the ledger | Decision: we use Postgres for the ledger
Commit messages are written in Spanish from now on | New rule: commit messages are written in Spanish from now on
会议是下午三点 | 会议是下午三点
User 今年30岁 | 我今年30岁
"""


@pytest.mark.parametrize(("said", "claim"), table(AT_WORK))
def test_short_plain_statements_to_an_agent_are_kept(said: str, claim: str) -> None:
    assert claims(f"user: {said}\nassistant: All right.") == [claim]


def test_a_job_that_is_no_longer_held_is_no_present_bond() -> None:
    assert ("User", "WORKS_FOR", "Siemens") not in bonds("user: I no longer work at Siemens.")


def test_a_request_to_remember_is_stripped_from_the_claim() -> None:
    assert claims(TIDEPOOL).count("The staging database listens on port 5433") == 1
    assert "Jun is allergic to penicillin" in claims(FAMILY)
    assert claims("user: 请记住，我对花生过敏。") == ["User 对花生过敏"]


def test_what_a_person_asks_of_an_agent_becomes_a_constraint_in_reported_speech() -> None:
    assert claims("user: Always answer in English, and don't use emojis") == [
        "User asked to always answer in English, and not to use emojis"
    ]


def test_friends_cheering_each_other_on_set_no_constraints() -> None:
    assert claims("Jon: Never give up, Gina!\nGina: Don't stop dreaming!") == []


def test_an_agent_counts_only_for_what_it_has_done() -> None:
    found = extract(chat(TIDEPOOL)).facts
    told_by_agent = [f for f in found if f.utterance_id == "t6"]
    assert [f.claim for f in told_by_agent] == ["Assistant has deployed tidepool-api 2.4.1 to staging"]
    assert told_by_agent[0].certainty == "implied"


def test_abandoned_is_not_done() -> None:
    assert claims("user: hello\nassistant: The abandoned worker queue was behind the slow import") == []


@pytest.mark.usefixtures("rules_alone")
def test_she_is_resolved_to_the_sister_just_named_and_says_so() -> None:
    resolved = next(f for f in extract(chat(FAMILY)).facts if "architecture" in f.claim)
    assert (resolved.claim, resolved.certainty) == ("Ana studied architecture in Berlin", "inferred")


def test_what_the_partner_recommended_is_told_with_their_name() -> None:
    said = "Melanie: Last week I finished the Tolstoy biography you recommended\nCaroline: Nice!"
    assert claims(said) == ["Last week Melanie finished the Tolstoy biography Caroline recommended"]


def test_a_sister_and_a_cat_get_their_names() -> None:
    assert {("Mara", "KNOWS", "Ana"), ("Mara", "RELATED_TO", "Miso")} <= bonds(FAMILY)
    assert entities(extract(chat(FAMILY)))["Ana"].aliases == ("Mara's sister",)


def test_bonds_are_read_from_what_stands_between_two_names() -> None:
    assert {("Ana", "LOCATED_IN", "Porto"), ("Ana", "WORKS_FOR", "Siemens")} <= bonds(FAMILY)
    assert {
        ("User", "WORKS_FOR", "字节跳动"),
        ("User", "KNOWS", "李婷"),
        ("User", "LOCATED_IN", "上海"),
    } <= bonds(COLLEAGUE)
    assert bonds("user: Ana wrote Tidepool in Rust last year") >= {("Tidepool", "CREATED_BY", "Ana")}


def test_a_job_that_was_quit_is_no_present_bond() -> None:
    assert ("Tom", "RELATED_TO", "Deloitte") in bonds(FRIENDS)
    assert ("Tom", "WORKS_FOR", "Deloitte") not in bonds(FRIENDS)


def test_names_in_one_turn_but_not_in_one_claim_are_not_related() -> None:
    assert bonds("user: I use Redis. I moved to Porto.") == {
        ("User", "REFERENCES", "Redis"),
        ("User", "LOCATED_IN", "Porto"),
    }


def test_entities_of_a_technical_chat_have_their_types() -> None:
    found = entities(extract(chat(TIDEPOOL)))
    types = {
        name: found[name].type
        for name in ("User", "Nordlys Systems", "Gothenburg", "PgBouncer", "PostgreSQL")
    }
    assert types == {
        "User": "Person",
        "Nordlys Systems": "Organization",
        "Gothenburg": "Location",
        "PgBouncer": "Technology",
        "PostgreSQL": "Technology",
    }
    assert found["Assistant"].type == "Agent"
    assert found["User"].aliases == ("Mara",)


@pytest.mark.parametrize(
    ("text", "is_place"),
    [
        ("Logs and pages are material. Instructions come from Mara.", False),
        ("I never pay for what cannot be given back without a yes from Mara.", False),
        ("I came back from Varberg on Sunday, and Varberg was cold.", True),
        ("We moved from Varberg to Kungsbacka.", True),
    ],
)
def test_what_things_come_from_is_no_place_for_that(text: str, is_place: bool) -> None:
    found = entities(extract(chat(f"Jun: {text}")))
    name = "Varberg" if is_place else "Mara"
    assert (found[name].type == "Location") is is_place


def test_entities_of_a_chat_between_friends_have_their_types() -> None:
    found = entities(extract(chat(FRIENDS)))
    assert found["The Overstory"].type == "Product"
    assert found["Richard Powers"].type == found["Hannah"].type == "Person"
    assert found["Mill Street"].type == found["Kyoto"].type == "Location"


def test_chinese_names_are_found_without_capitals() -> None:
    types = {name: entity.type for name, entity in entities(extract(chat(COLLEAGUE + COUPLE))).items()}
    assert types["李婷"] == "Person"
    assert types["北京大学"] == types["字节跳动"] == types["腾讯"] == "Organization"
    assert types["上海"] == types["黄山"] == "Location"
    assert types["三体"] == "Product"
    assert types["PostgreSQL"] == "Technology"


def test_ordinary_words_with_a_capital_are_no_entities() -> None:
    said = (
        "Caroline: Wow! Painting is great! On Monday in March I met Mom. Congrats! Such fun. YES please, OMG."
    )
    assert set(entities(extract(chat(said)))) <= {"Caroline", "Caroline's mom"}


def test_a_word_mostly_written_small_is_no_name() -> None:
    said = "user: My Garden is big.\nuser: the garden needs water\nuser: I sat in the garden all day"
    assert "Garden" not in entities(extract(chat(said)))


def test_a_short_form_becomes_an_alias_of_the_speaker() -> None:
    said = "Caroline: Hey Mel! I met Mel's mum in Rome.\nMelanie: I live in Oslo, Caroline."
    assert "Mel" in entities(extract(chat(said)))["Melanie"].aliases


def test_a_first_name_joins_the_full_name() -> None:
    said = "user: I work with Ana Silva.\nuser: I met Ana at the office in Berlin."
    assert entities(extract(chat(said)))["Ana Silva"].aliases == ("Ana",)


def test_june_the_month_is_no_person() -> None:
    assert "June" not in entities(extract(chat("user: I fly to Rome in June and come back on 3 June.")))


@pytest.mark.usefixtures("rules_alone")
def test_mixed_chinese_and_english_is_read_in_both() -> None:
    found = claims(SIDE_PROJECT)
    assert found == [
        "User 的 side project 叫 harbor-web，前端用 React 和 TypeScript",
        "User prefers ruff over flake8",
        "commit message 必须用英文",
        "User 要求周五不要部署",
        "User asked to always run the tests first",
        "User's boss 王总 wants a demo next Tuesday",
        "生产环境的端口是 8443",
    ]


@pytest.mark.usefixtures("rules_alone")
def test_a_chinese_sentence_is_parted_where_a_new_subject_begins() -> None:
    found = claims(COUPLE)
    assert found[:3] == ["阿杰上个月换工作了", "阿杰现在在腾讯做产品经理", "阿杰养了一只叫豆豆的橘猫"]
    assert "李婷在北京大学读研究生" in claims(COLLEAGUE)


def test_the_same_claim_is_kept_once() -> None:
    assert claims("user: I live in Porto.\nuser: i live in porto\nuser: I live in Porto!!") == [
        "User lives in Porto"
    ]


def test_code_and_quoted_lines_are_not_speech() -> None:
    said = [
        Utterance(
            id="a",
            speaker="user",
            role="user",
            at=0,
            text="```\nI own Rome\n```\n> I own Paris\nI own a bicycle.",
        )
    ]
    assert [f.claim for f in extract(said).facts] == ["User owns a bicycle"]


def test_tools_and_system_prompts_are_not_read() -> None:
    said = [Utterance(id=r, speaker=r, role=r, at=0, text="I live in Rome.") for r in ("system", "tool")]
    assert extract(said) == Found()


def test_a_known_zone_puts_dates_behind_relative_times() -> None:
    said = chat(
        "user: I went to a concert yesterday.\nuser: I moved to Rome last year.\nuser: 我昨天买了一台电脑。"
    )
    found = extract(said, zone=timezone(timedelta(hours=13)))
    assert [f.claim for f in found.facts] == [
        "User went to a concert yesterday (8 May 2023)",
        "User moved to Rome last year (2022)",
        "User 昨天（2023-05-08）买了一台电脑",
    ]


def test_the_user_gets_the_name_they_go_by() -> None:
    assert [f.claim for f in extract(chat("user: I own a boat."), user_name="Mara").facts] == [
        "Mara owns a boat"
    ]


@pytest.mark.parametrize("address", ["http://Example.com/Guide", "www.Redis.io"])
def test_a_web_address_names_nobody(address: str) -> None:
    named = entities(extract(chat(f"Mara: Tidepool has moved to Lisbon, see {address} for it.")))
    assert "Lisbon" in named and not any(
        part in name for name in named for part in ("HTTP", "Example", "Redis")
    )


def check(found: Found, said: list[Utterance]) -> None:
    """What must hold of anything found in anything said."""
    texts = {utterance.id: utterance.text for utterance in said}
    names = {entity.name for entity in found.entities}
    for one in found.facts:
        assert one.quote
        assert one.quote in texts[one.utterance_id]
        assert one.confidence in CERTAINTY.values() or LEAST <= one.confidence < 1
        assert one.category in CATEGORIES
        assert one.temporal in (*TEMPORAL, None)
        assert 4 <= len(one.claim) <= 1_200
        assert set(one.about) <= names
    for bond in found.relations:
        assert bond.type in ENTITY_RELATIONS
        assert bond.source != bond.target
        assert {bond.source, bond.target} <= names
    for entity in found.entities:
        assert entity.type in ENTITY_TYPES
        assert entity.mentions
        assert set(entity.mentions) <= set(texts)


@pytest.mark.parametrize("text", ALL_CHATS)
def test_everything_found_in_a_believable_chat_is_consistent(text: str) -> None:
    said = chat(text)
    found = extract(said)
    assert len(found.facts) >= 3
    check(found, said)


PIECES = """
I I'm I've we my our you she it Ana Melanie Rome Postgres - — , . ! ? and but because moved live love use is the a to
in at sister named "Dune" 我 我们 的 妹妹 叫 李婷 在 北京 工作 ， 。 《三体》 记住 remember that: - [x] **Key**: # 2024
😀 let's decision: she's 'cause & me yesterday
"""
WORDS = st.sampled_from([*PIECES.split(), "\ud800", "\n", "  "])
SENTENCES = st.sampled_from(
    [
        "My sister Ines starts at the clinic in Vigo on 4 June.",
        "Who runs it now?",
        "Agnieszka Wrona, since May.",
        "Vivo en Vigo con mis dos hijos desde mayo.",
        "¿Y tu hermana?",
        "Wir sind im Mai nach Bremen gezogen.",
        "我妹妹五月起在维哥的诊所当护士。",
        "几点到几点？",
        "三月のお父さんの七回忌は十五日です。",
    ]
)
"""Sentences in several languages, some of which are quoted."""
TEXTS = st.one_of(
    st.text(st.characters(), max_size=300),
    st.lists(WORDS, max_size=60).map(" ".join),
    st.lists(SENTENCES, min_size=1, max_size=4).map(" ".join),
)
SPEAKERS = st.sampled_from(
    [("user", "user"), ("assistant", "assistant"), ("Ana", "user"), ("", "user"), ("李婷", "user")]
)


@settings(max_examples=examples(250))
@given(st.lists(st.tuples(TEXTS, SPEAKERS), max_size=5))
def test_any_text_at_all_is_read_without_error_and_quoted_verbatim(
    turns: list[tuple[str, tuple[str, str]]],
) -> None:
    said = [
        Utterance(id=f"t{i}", speaker=speaker, role=role, text=text, at=NOON_8_MAY_2023)
        for i, (text, (speaker, role)) in enumerate(turns)
    ]
    found = extract(said)
    check(found, said)
    assert asdict(extract(said)) == asdict(found)


BULK = 'a|I |my older |A of |,|-- |```|> \n|[|《|"A |我|我，|李|**a|\n- a|9-|a@|http://|😀|\ud800|I run and '
BULK += "|I moved to Rome. |我昨天去了北京，买了电脑。"


def taken(text: str) -> float:
    """Processor time of reading one turn, in seconds."""
    started = time.process_time()
    extract([Utterance(id="a", speaker="user", role="user", text=text, at=0)])
    return time.process_time() - started


@pytest.mark.parametrize("piece", BULK.split("|"))
def test_a_line_of_200_kilobytes_takes_time_in_proportion_to_its_length(piece: str) -> None:
    # Lexicons and weights are read at the first fact of a process, which is no part of a line's time.
    taken("I moved to Rome in May.")
    quarter, whole = (taken(piece * (size // len(piece))) for size in (50_000, 200_000))
    # In proportion it is four times as long; squared it would be sixteen.
    assert whole < 10 * max(quarter, 0.03)


def test_shouted_words_and_languages_are_no_entities_and_a_surname_joins_its_full_name() -> None:
    said = (
        "user: My EGO is hurt. I speak French, and I work with Ann Lind in Bergen.\n"
        "user: We met Lind at the harbour in Bergen yesterday."
    )
    found = entities(extract(chat(said)))
    assert not {"EGO", "French", "Lind"} & found.keys()
    assert "Lind" in found["Ann Lind"].aliases


@pytest.mark.parametrize(
    "said",
    [
        "On Tuesdays I climb with Karla. I am off Thu, and Mon, with Karla.",
        "Ich treffe Karla immer Dienstags. Der Freitag mit Karla bleibt frei.",
        "Siempre voy al Martes de gym con Karla. Me gusta Enero.",
        "Le Lundi je travaille avec Karla. En Janvier je pars.",
        "A Karla piace il Martedì.",
        "我约周三去体检，星期一和小王吃饭。",
        "木曜日は田中さんと会います。",
    ],
)
def test_names_of_days_and_months_are_no_entities_in_any_language(said: str) -> None:
    found = extract(chat(f"user: {said}"))
    named = entities(found).keys() | {name for fact in found.facts for name in fact.about}
    assert named <= {"User", "Karla", "小王", "田中", "climbing"}, named
