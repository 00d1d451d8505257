"""Claims that one sentence does not hold: pronouns, short answers and fragments take their meaning from other turns."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memdesk.engine.extraction import FoundFact, Utterance, extract
from memdesk.engine.extraction.times import add_dates
from memdesk.engine.extraction.transcript import withheld

WEDNESDAY = datetime(2026, 3, 11, 12, tzinfo=UTC)


def facts(text: str) -> list[FoundFact]:
    """Return the facts of a conversation written as "speaker: words", one turn a line; Iris is the agent."""
    said = [line.strip().partition(": ") for line in text.strip().splitlines()]
    turns = [
        Utterance(
            id=f"t{number}",
            speaker=who,
            role="assistant" if who == "Iris" else "user",
            text=words,
            at=round(WEDNESDAY.timestamp() * 1_000_000),
        )
        for number, (who, _, words) in enumerate(said)
    ]
    return list(extract(turns, zone=UTC).facts)


def claims(text: str) -> list[str]:
    return [fact.claim for fact in facts(text)]


MEANT = [
    (
        "Ada: What's your favorite book series?\nBo: I'd say Dune, by far.",
        "Bo's favorite book series is Dune",
    ),
    (
        "Ada: How often do you take your kids to the chess club in Leeds?\nBo: Thanks, Ada! Three times a week.",
        "Bo takes their kids to the chess club in Leeds three times a week",
    ),
    ("Ada: My brother Tom lives in Leeds.\nBo: Nice.\nAda: He's a carpenter.", "Tom is a carpenter"),
    ("Ada: We adopted a cat!\nBo: Lovely.\nAda: She's called Pixel.", "Ada's cat is called Pixel"),
    ("Ada: My cousin Ines hates jazz.\nBo: My cousin Rui loves it.", "Bo's cousin Rui loves jazz"),
    (
        "Ada: How is Tom?\nBo: In Bern until May, for a course.",
        "Tom is in Bern until May (2026), for a course",
    ),
    ("Ada: How old is your sister Ines?\nBo: Nineteen.", "Bo's sister Ines is nineteen"),
    ("Ada: Where do you work these days?\nBo: At the harbour office.", "Bo works at the harbour office"),
    (
        "Ada: So you sold the boat in Vigo?\nBo: Yes, in October.",
        "Bo sold the boat in Vigo in October (2025)",
    ),
    ("Ada: Zoe gets seasick, doesn't she?\nBo: No, that's Nina. Zoe sails.", "Nina gets seasick"),
    (
        "Ada: I'm allergic.\nBo: To cats?\nAda: To anything with fur, really.",
        "Ada is allergic to anything with fur",
    ),
    ("Ada: These boots I bought yesterday are great.\nBo: Oh!", "Ada bought boots yesterday (10 March 2026)"),
    ("Ada: What are you studying?\nBo: botany, so a lot of walks.", "Bo is studying botany"),
    ("Ada: What other sports are you into?\nBo: Rowing, I did judo once.", "Bo is into Rowing"),
    ("Ada: What do you like to do for fun?\nBo: climbing and baking mostly", "Bo likes climbing and baking"),
    ("Ada: What year are you in?\nBo: Junior.", "Bo is a junior"),
    ("Ada: Where do you study?\nBo: Kyoto.", "Bo studies"),
    ("Ada: Where are you from?\nBo: Galway!", "Bo is from Galway"),
    ("Ada: I grew up in Oslo. Where did you grow up?\nBo: Leeds", "Bo grew up in Leeds"),
    ("Ada: Where do you work?\nBo: Siemens.", "Bo works at Siemens"),
    ("Ada: Where are you from?\nBo: Galway. What about you?\nAda: Porto", "Ada is from Porto"),
    ("Ada: How many siblings do you have?\nBo: 4", "Bo has 4 siblings"),
    ("Ada: Do you have any pets?\nBo: Yeah, two dogs and a parrot!", "Bo has two dogs and a parrot"),
    ("Ada: Have you seen the Aurora in Tromsø yet?\nBo: Yes!", "Bo has seen the Aurora in Tromsø"),
    ("Ada: How long have you been married?\nBo: twelve years", "Bo has been married for twelve years"),
    ("Ada: When did you start painting?\nBo: In 2019.", "Bo started painting in 2019"),
    (
        "Ada: That plate is lovely! Did you make it?\nBo: Yeah, I made it in Oslo yesterday.",
        "Bo made the plate in Oslo",
    ),
    (
        "Ada: How long have you known your girlfriend?\nBo: shes on a mission in Peru",
        "Bo's girlfriend is on a mission in Peru",
    ),
    ("Ada: I do love baking in Provence, dont you?\nBo: Hm.", ""),
    ("阿明: 你家小星几岁了？\n小雨: 八岁，九月上三年级。", "小星八岁"),
    ("阿明: 她不是对花生过敏吗？\n小雨: 谁？", ""),
    ("小雨: 我表姐王敏来了。\n阿明: 她不是对花生过敏吗？\n小雨: 对，小心点。", "王敏对花生过敏"),
]


@pytest.mark.usefixtures("rules_alone")
@pytest.mark.parametrize(("text", "claim"), MEANT)
def test_what_is_meant_is_named_from_the_turns_around(text: str, claim: str) -> None:
    found = claims(text)
    assert any(each.startswith(claim) for each in found) if claim else found == []


NOT_KEPT = """
She moved to Oslo last year.
It costs 400 euros.
I put it in the car.
I painted this last week.
I'm hungry.
I'm off to lunch.
The next one is on 4 June.
My uncle used to say "never trust a cheap boat".
I'm staying positive and making things happen.
I had a great time.
I love the yellow leaves.
I'm so excited about the summer.
I love this series.
I was like no way.
Probably the running club and the choir.
My mom would buy an island in Greece.
I have three, and my sister two.
I liked the one about the trains in Peru.
We're both from the coast.
I had to do that last year.
I'm watching a film with my brother.
I'm like a doctor in Paris.
Waking up because my dad was singing.
I made a mistake yesterday.
"""


@pytest.mark.parametrize("said", NOT_KEPT.strip().split("\n"))
def test_what_points_elsewhere_passes_or_says_nothing_is_held_back(said: str) -> None:
    assert claims(f"Ada: Hello Bo, how are you?\nBo: {said}\nAda: I see.") == []


def test_a_pronoun_with_two_antecedents_makes_no_claim() -> None:
    said = "Ada: My sister Ines met my sister Nina in Rome.\nBo: Oh?\nAda: She bought a violin."
    assert not any("violin" in claim for claim in claims(said))


CANCELLED = """
Ada: I'm flying to Oslo on Friday. / Bo: Nice! / Ada: I cancelled the flight to Oslo. | Oslo
Ada: We're moving to Bergen in June. / Bo: Really? / Ada: It fell through, sadly. | Bergen
Ada: I'm going to open a bakery in Lyon. / Ada: I cancelled my gym membership. |
小雨: 我打算五月去成都旅游。 / 阿明: 真好。 / 小雨: 唉，取消了。 | 成都
Kim: Ich fliege nächste Woche nach Prag. / Ana: Oh! / Kim: Die Reise ist leider abgesagt. | Prag
"""


@pytest.mark.parametrize("line", CANCELLED.strip().split("\n"))
def test_a_plan_that_a_later_turn_cancels_is_no_fact_and_another_plan_stays(line: str) -> None:
    said, _, gone = (part.strip() for part in line.replace(" / ", "\n").partition(" |"))
    told = claims(said)
    before = claims(said.partition("\n")[0])
    assert before
    assert not set(before) & set(told) if gone else set(before) <= set(told)


READ = """
I finished the blue vase last week - want to see a photo? | Ada finished the blue vase last week (week of 2 March 2026)
Some friends from church and I went camping last weekend. | Ada and some friends from church went camping
I even went to Rome, and I also bought a violin in Naples. | Ada bought a violin in Naples
I painted it after I visited the Louvre last month. | Ada visited the Louvre last month (February 2026)
Unfortunately, I can't have dairy. | Ada can't have dairy
I took your advice and watched "Alien" last night! | Ada watched "Alien" last night (10 March 2026)
Yesterday I gave a talk at the shelter I volunteer at. | gave a talk at the shelter where they volunteer
My brother used to draw comics when we were kids. | Ada's brother used to draw comics when Ada was a kid
Wanted to let you know that I'm studying law in Ghent. | Ada is studying law in Ghent
I've been to Paris last month. | Ada went to Paris last month (February 2026)
I color-code my notes for the Ghent office. | Ada color-codes their notes for the Ghent office
I made this stained glass window last week for my sister Ines. | Ada made a stained glass window
I just finished this fantasy series about Iceland last week. | Ada finished a fantasy series about Iceland last week
My favorite cake is this tall chocolate tower. | Ada's favorite cake is a tall chocolate tower
Here's a photo of my horse painting I did recently. | Ada did a horse painting recently
I took that pic on my trip to the Tatra Mountains last year. | Ada took a pic on their trip to the Tatra Mountains
Speaking of holidays, my wife and I just left for Lapland. | Ada and their wife just left for Lapland
Last week I scored 40 points, my highest ever. | Ada scored 40 points, their highest ever
I got a brown puppy for you yesterday. | Ada got a brown puppy for Bo yesterday (10 March 2026)
I sure do love San Diego <3 | Ada loves San Diego
my sister doesnt live in Oslo since 2024. | Ada's sister doesn't live in Oslo
I do love Portuguese music. | Ada loves Portuguese music
I kind of want to study law in Ghent. | Ada wants to study law in Ghent
I either bike to work in Ghent or take the tram. | Ada either bikes to work
Dad's been a baker in Ghent for as long as I can remember. | a baker in Ghent for as long as Ada can remember
I was nervous last week when I showed my novel to the writers of Ghent. | showed their novel to the writers of Ghent
I have a routine for my mornings - yoga, coffee and the violin. | yoga, coffee and the violin
I went to this charity thing in Ghent last week. | Ada went to a charity thing in Ghent
"""


@pytest.mark.parametrize("line", READ.strip().split("\n"))
def test_plain_sentences_are_read_without_fillers_and_with_their_own_words(line: str) -> None:
    said, claim = line.split(" | ")
    assert any(claim in each for each in claims(f"Ada: {said}\nBo: Oh!"))


@pytest.mark.usefixtures("rules_alone")
def test_a_clause_ends_where_the_next_subject_begins_without_a_comma() -> None:
    assert claims("Ada: When I moved to Prague my parents sold a house.\nBo: Oh!") == ["Ada moved to Prague"]


@pytest.mark.parametrize(
    "said",
    ["Mixed emotions about the film.", "A thriller set in a small town.", "Move the review to Friday."],
)
def test_a_noun_with_its_attribute_and_an_order_of_the_moment_make_no_claim(said: str) -> None:
    assert claims(f"Ada: {said}\nIris: Sure.") == []


STANDING = """
Use tabs, not spaces, in this repo. | Ada asked to use tabs, not spaces, in this repo
From now on answer in German. | Ada asked to answer in German
You can find the design in docs/design.md. | The design is in docs/design.md
Our server is called otter and it has 32 GB. | Ada's server is called otter and it has 32 GB
"""


@pytest.mark.parametrize("line", STANDING.strip().split("\n"))
def test_an_order_with_a_lasting_word_is_a_rule_and_one_without_is_not(line: str) -> None:
    said, claim = line.split(" | ")
    assert claims(f"Ada: {said}\nIris: Noted.") == [claim]
    assert claims("Ada: Run the tests again.\nIris: Done.") == []


DATED = """
I fly to Rome next Friday. | 2026-03-13
Our wedding is on 4 June. | 2026-06-04
I quit my job at the bank in December. | 2025-12-01
I joined a choir two weeks ago. | 2026-02-23
我下周三去成都参加婚礼。 | 2026-03-18
先月、福岡に引っ越しました。 | 2026-02-01
"""


@pytest.mark.parametrize("line", DATED.strip().split("\n"))
def test_a_relative_time_is_dated_from_its_turn(line: str) -> None:
    said, day = line.split(" | ")
    (fact,) = facts(f"Ada: {said}\nBo: OK!")
    assert fact.valid_from is not None
    assert datetime.fromtimestamp(fact.valid_from / 1_000_000, UTC).date().isoformat() == day
    assert (fact.temporal == "future") == (fact.valid_from > WEDNESDAY.timestamp() * 1_000_000)


DATE_OF = [
    ("Ana has got her mother in with the dentist on the 24th", "2026-03-24"),
    ("the lift has been out since mid-November", "2025-11-01"),
    ("his grandfather turned ninety-one on Saturday", "2026-03-07"),
    ("they swapped the hip in November", "2025-11-01"),
    ("we moved the release to 26 June", "2026-06-26"),
    ("she moved to Tucson in November, I drove the van", "2025-11-01"),
    ("Ana agreed to meet in November", "2026-11-01"),
    ("the flights are booked for 2 May", "2026-05-02"),
    ("the treasurer is Farouk since the meeting in January", "2026-01-01"),
    ("Bo wanted to choose between the ninth and the sixteenth of May", "2026-05-16"),
    ("in May we did the small kiln", "2025-05-01"),
    ("Ilze raised the rate for everyone in May", "2025-05-01"),
    ("席位拿到了，六月二号开始", "2026-06-02"),
    ("the rule is from the battery fire in February", "2026-02-01"),
    ("后来谈了，改到九月一号", "2026-09-01"),
    ("票买好了，四月二十三号的高铁", "2026-04-23"),
    ("票买好了，这周五的高铁", "2026-03-13"),
    ("The surgeon said the second of September", "2026-09-02"),
    ("They told us the tenth of May and took the deposit", "2026-05-10"),
    ("you send the letter afterwards, dated first of May", "2026-05-01"),
    ("Tobe was admitted, he starts in September", "2026-09-01"),
    ("Landlord inspection, Thursday the second, ten o'clock", "2026-04-02"),
    ("it is frozen till Tuesday the 17th", "2026-03-17"),
    ("Iris moved it to Monday the third of August", "2026-08-03"),
    ("On Thursday the 12th we sign in Basel", "2026-03-12"),
    ("My boss said in December that we leave Tobe", "2025-12-01"),
    ("I remember the fire in December, with Tobe", "2025-12-01"),
    ("本周一上线了", "2026-03-09"),
    ("今週の金曜に会議がある", "2026-03-13"),
    ("今週月曜日に話した", "2026-03-09"),
]


@pytest.mark.parametrize("claim", ["The party is Saturday the 31st", "See you Thursday the 45th"])
def test_a_weekday_without_such_a_day_near_has_no_date(claim: str) -> None:
    assert add_dates(claim, round(WEDNESDAY.timestamp() * 1_000_000), UTC, past=False).start is None


@pytest.mark.parametrize(("claim", "day"), DATE_OF)
def test_a_date_is_not_put_into_the_past_by_the_tense_of_something_else(claim: str, day: str) -> None:
    at = round(WEDNESDAY.timestamp() * 1_000_000)
    past = any(sign in claim for sign in ("了", "Tobe", "surgeon", "Iris"))
    start = add_dates(claim, at, UTC, past=past).start
    assert start is not None and datetime.fromtimestamp(start / 1_000_000, UTC).date().isoformat() == day


def test_a_term_that_was_given_ends_in_the_time_to_come() -> None:
    at = round(WEDNESDAY.timestamp() * 1_000_000)
    assert add_dates("they gave her till June", at, UTC, past=True).claim == "they gave her till June (2026)"
    assert (
        add_dates("they were shut till June", at, UTC, past=True).claim == "they were shut till June (2025)"
    )


@pytest.mark.parametrize(
    "claim", ["周四晚上要陪儿子上击剑课", "四月から水曜も休み", "Tato found a club in two days"]
)
def test_every_such_day_and_how_long_something_took_are_no_date(claim: str) -> None:
    assert add_dates(claim, round(WEDNESDAY.timestamp() * 1_000_000), UTC, past=False).claim == claim


def test_until_is_the_end_of_a_claim_and_not_its_beginning() -> None:
    (fact,) = facts("Ada: Hello!\nBo: I live in Bern until June.")
    assert fact.valid_from is None and fact.valid_to is not None and fact.temporal == "current"


CHATTED = """
i moved to Leeds when i was like nine | Ada moved to Leeds when they were nine
Id love to see Lisbon with my sister in May 2027 | Ada would love to see Lisbon with their sister in May 2027
I enjoy making vases with my hands and im currently building a kiln in Hove | Ada is currently building a kiln in Hove
I have two brothers in Porto | Ada has two brothers in Porto
I want to work for the post office that'd be sick | Ada wants to work for the post office
I want to become a pilot | Ada wants to become a pilot
I'm a nurse | Ada is a nurse
my mom is a teacher | Ada's mom is a teacher
I used to be a firefighter | Ada used to be a firefighter
I'm so lucky to have two sisters | Ada has two sisters
Just yesterday I joined a choir in Hove | Yesterday (10 March 2026) Ada joined a choir in Hove
At the event, I met a potter named Ines | Ada met a potter named Ines
I play trumpet hahah | Ada plays trumpet
I played the cello in like middle school | Ada played the cello in middle school
The toughest thing is that we gave our dog Max to Ines in May | Ada gave their dog Max to Ines in May
I read the US constitution in Leeds last year | Ada read the US constitution in Leeds last year (2025)
hahahah I went to a judo class in Leeds | Ada went to a judo class in Leeds
I work at a bakery in Porto as well | Ada works at a bakery in Porto
I am originally from norway :) | Ada is originally from norway
"""


@pytest.mark.usefixtures("rules_alone")
@pytest.mark.parametrize("line", CHATTED.strip().split("\n"))
def test_chat_without_apostrophes_and_with_fillers_is_read_as_what_it_says(line: str) -> None:
    text, claim = line.split(" | ")
    assert any(each.startswith(claim) for each in claims(f"Bo: Tell me more!\nAda: {text}"))


LEFT_OUT = """
Zorban trained an assassin to kill the emperor of the galaxy
Rex, I am sorry about your garden in Leeds
I have two left and a final project in chemistry
I wrote mine for the drama group in Leeds
I have no idea how the harbour in Hove works
I have a quick second before school in Hove
I will in November
I have my biology exam the day before
I almost chose chemistry in Leeds
I have 1 year left
I got carried away in Leeds like the rest of you
I have heard Latin makes Spanish easier
I learned that in my year in Porto
I am going next week and coming back in August
I visited friends in Hove and most of us are moving to Leeds in May
I'm a driver of change
I'm a great cook
I want to live in the moment
"""


@pytest.mark.usefixtures("rules_alone")
@pytest.mark.parametrize("said", LEFT_OUT.strip().split("\n"))
def test_stories_half_sentences_and_remarks_on_the_talk_itself_make_no_claim(said: str) -> None:
    assert claims(f"Bo: Tell me more!\nAda: {said}") == []


@pytest.mark.usefixtures("rules_alone")
def test_somebody_whom_a_speaker_is_linked_to_makes_a_claim() -> None:
    assert "Zorban moved to Hove last year (2025)" in claims(
        "Bo: How is Zorban?\nAda: Fine. Zorban moved to Hove last year."
    )


def test_a_place_that_is_visited_follows_its_verb() -> None:
    assert "Ada would love to visit Porto in May (2026)" in claims(
        "Bo: Hi!\nAda: My brother lives in Porto.\nAda: I would love to visit there in May."
    )


def test_yes_confirms_what_was_asked_of_one_of_the_family() -> None:
    assert claims("Bo: Is your dad a baker in Hove?\nAda: Yep") == ["Ada's dad is a baker in Hove"]


def test_a_sentence_does_not_end_within_the_name_of_a_country() -> None:
    assert claims("Bo: Hi!\nAda: I joined the U.S. Rowing Team in 2019.") == [
        "Ada joined the U.S. Rowing Team in 2019"
    ]


ANSWERED = [
    ("Do you play any instruments?", "Yeah, piano and violin.", ["Ada plays piano and violin"]),
    ("Do you have any siblings?", "yes I do, two", ["Ada has two siblings"]),
    ("What kind of music do you like?", "Mostly jazz and soul.", ["Ada likes jazz and soul"]),
    ("When is your birthday?", "May 5th!", ["Ada's birthday is May 5th"]),
    ("Any hobbies?", "Haha, knitting and gardening.", ["Ada likes knitting and gardening"]),
    ("Favorite book?", "Dune, definitely.", ["Ada's favorite book is Dune"]),
    ("Do you like hiking?", "I do!", ["Ada likes hiking"]),
    (
        "How long have you been into pottery?",
        "Seven years now.",
        ["Ada has been into pottery for seven years"],
    ),
    ("What's your favorite show growing up?", "The Muppets.", ["Ada's favorite show is the Muppets"]),
    ("What are you majoring in?", "Probably physics.", []),
]


@pytest.mark.usefixtures("rules_alone")
@pytest.mark.parametrize(("question", "answer", "expected"), ANSWERED)
def test_an_answer_that_counts_names_or_agrees_takes_its_verb_from_the_question(
    question: str, answer: str, expected: list[str]
) -> None:
    assert claims(f"Bo: {question}\nAda: {answer}") == expected


@pytest.mark.usefixtures("rules_alone")
def test_a_statement_after_yes_is_kept_beside_what_the_yes_confirms() -> None:
    assert "Ada went to Italy in May 2024" in claims(
        "Bo: Have you been to Europe?\nAda: Yes, I went to Italy in May 2024."
    )


KEPT_IN_PART = [
    ("I'm a nurse, been doing it for six years.", "Ada is a nurse"),
    ("My mom is a nurse and she loves it.", "Ada's mom is a nurse"),
    (
        "I take an hour each day - running, reading, or playing my violin - which refreshes me.",
        "Ada takes an hour each day - running, reading, or playing their violin",
    ),
    ("I mostly read, paint, and go hiking in Wales.", "Ada mostly reads, paints, and goes hiking in Wales"),
    ("I love bands like Bring Me the Horizon.", "Ada loves bands like Bring Me the Horizon"),
    ("I think my favorite dessert has to be molten cake.", "Ada's favorite dessert is molten cake"),
    ("On a different note, I moved to Hove in May 2024.", "Ada moved to Hove in May 2024"),
]


@pytest.mark.usefixtures("rules_alone")
@pytest.mark.parametrize(("said", "expected"), KEPT_IN_PART)
def test_what_can_be_understood_of_a_sentence_is_kept_in_its_own_words(said: str, expected: str) -> None:
    assert expected in claims(f"Bo: Tell me more!\nAda: {said}")


def test_a_place_named_earlier_in_a_sentence_is_meant_by_there() -> None:
    said = "Bo: Hi!\nAda: I would go to Korea first because my grandma lives there."
    assert claims(said) == ["Ada's grandma lives in Korea"]


def test_the_kids_of_a_speaker_who_has_mentioned_theirs_are_their_own() -> None:
    said = "Ada: My kids are eight and ten. The kids go to school in Hove.\nBo: The kids are learning Welsh in Hove."
    assert claims(said) == ["Ada's kids are eight and ten", "Ada's kids go to school in Hove"]


PASSED_OVER = """
"No need to fear me, traveler! I'm a preacher of a parish in Rome." he says.
I tripped in one last summer and cracked my ankle
I'm nine years older
I went on Saturday
I'm going to hurry and get ready for school
I've been stumped about something
"""


@pytest.mark.parametrize("said", PASSED_OVER.strip().split("\n"))
def test_words_of_a_story_and_claims_that_leave_out_their_point_are_not_believed(said: str) -> None:
    assert claims(f"Bo: Tell me more!\nAda: {said}") == []


@pytest.mark.usefixtures("rules_alone")
@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("I'm going to be a dentist", "Ada is going to be a dentist"),
        ("I think I'm going to study biology", "Ada plans to study biology"),
        ("I'm currently working in a research lab", "Ada is currently working in a research lab"),
        ("I love chess and rowing, I also love drawing:) what about you?", "Ada loves drawing"),
        ("My brother lives in Oslo haha he never writes", "Ada's brother lives in Oslo"),
        ("That's so cool, I play the cello", "Ada plays the cello"),
        ("Oh my goodness I love Casablanca", "Ada loves Casablanca"),
        ("we have two dogs", "Ada has two dogs"),
        ("I can't swim", "Ada can't swim"),
    ],
)
def test_plans_and_what_follows_smileys_reactions_and_laughter_are_read(said: str, claim: str) -> None:
    assert claim in claims(f"Bo: Tell me more!\nAda: {said}")


@pytest.mark.parametrize(
    "said", ["I think you're right, dont you?", "I like playing", "I have a favorite artist"]
)
def test_an_object_left_out_makes_no_claim(said: str) -> None:
    assert claims(f"Bo: Tell me more!\nAda: {said}") == []


@pytest.mark.parametrize(
    ("words", "asks"),
    [
        ("No, that's personal, don't write that down.", True),
        ("Please don't note it.", True),
        ("Keep that off the record.", True),
        ("这个别记。", True),
        ("不用记下来", True),
        ("個人のことだから残さないで。", True),
        ("それはメモしなくて結構です。", True),
        ("I don't remember that.", False),
        ("Don't keep it in the fridge.", False),
        ("别记错了，是三点", False),
        ("Don't save it as PDF.", False),
        ("Never push to main.", False),
        ("It's private, so don't save it.", True),
        ("don't save it", True),
        ("Could you not save that?", True),
        ("Please don't save that to your memory.", True),
        ("Don't make a note of that.", True),
        ("I'd rather you didn't write that down.", True),
        ("Off the record: I am leaving in May", True),
        ("请不要记录这段对话", True),
        ("不要写到记忆里", True),
        ("記憶しないでください", True),
        ("これは覚えなくていいです", True),
        ("Don't store it, compute it each time.", False),
        ("Never log this, the linter says.", False),
        ("The shirt was too big, so don't keep it.", False),
        ("The editor saves by itself, you don't need to save it.", False),
        ("Please don't save it yet, I edit the file first.", False),
        ("Don't put that down!", False),
        ("Don't remember that.", False),
        ("My lawyer told me, don't write it down, and I didn't.", False),
        ("文件不用保存", False),
        ("密码不要记录，直接丢掉日志。", False),
        ("别保存，直接关掉", False),
        ("钱别存了", False),
        ("ファイルは保存しないでください。", False),
        ("ログに記録しないで", False),
        ("ご飯を残さないで", False),
        ("何も覚えないで試験を受けた", False),
    ],
)
def test_a_request_not_to_keep_is_about_what_the_person_said_last(words: str, asks: bool) -> None:
    said = (
        ("user", "The office is in Basel."),
        ("assistant", "Noted."),
        ("user", "I see a doctor on Friday."),
        ("assistant", "Shall I note it?"),
        ("user", words),
    )
    turns = [
        Utterance(id=str(n), speaker=role, role=role, text=text, at=n) for n, (role, text) in enumerate(said)
    ]
    assert withheld(turns) == {"2", "3", "4"} if asks else not withheld(turns)


@pytest.mark.parametrize(("between", "pause"), [(1, 13 * 3_600), (20, 60)])
def test_a_request_not_to_keep_is_not_about_what_was_said_long_before(between: int, pause: int) -> None:
    said = [
        ("Mara", "user", "The office is in Basel."),
        *[("Leo", "user", "I see a doctor on Friday.")] * between,
    ]
    said += [("Iris", "assistant", "Noted."), ("Mara", "user", "Don't write that down, please.")]
    turns = [
        Utterance(id=str(n), speaker=who, role=role, text=text, at=n * pause * 1_000_000)
        for n, (who, role, text) in enumerate(said)
    ]
    assert withheld(turns) == {turns[-1].id}
