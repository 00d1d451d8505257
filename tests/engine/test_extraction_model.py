"""A model's reply is taken only where the conversation bears it out; a bad reply costs nothing but a note."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.engine.extraction import Found, FoundFact, Utterance, extract
from memdesk.engine.extraction.model_extraction import KnownFact, extract_with
from memdesk.engine.extraction.quoting import CONFIDENCE as QUOTED
from memdesk.engine.providers.models import Completion
from memdesk.model.entity import ENTITY_TYPES
from memdesk.model.errors import ModelUnavailable
from memdesk.model.fact import CERTAINTY
from tests.effort import examples

NOON_8_MAY_2023 = 1_683_547_200_000_000
TALK = (
    ("user", "I moved to Lisbon in March, and I work at Siemens."),
    ("assistant", "Done. I've booked the flight to Porto for Ana."),
    ("user", "My sister “Ana” doesn’t eat fish."),
    ("user", "Thanks"),
)


def talk(*lines: tuple[str, str]) -> list[Utterance]:
    return [
        Utterance(
            id=f"t{n}",
            speaker="Iris" if role == "assistant" else "user",
            role=role,
            text=text,
            at=NOON_8_MAY_2023,
        )
        for n, (role, text) in enumerate(lines or TALK)
    ]


class Model:
    """A language model that says one thing."""

    name = "one-answer"

    def __init__(self, says: str | Exception) -> None:
        self.says = says
        self.asked: list[str] = []

    def complete(self, *, system: str, prompt: str, max_tokens: int, temperature: float) -> Completion:
        self.asked.append(prompt)
        if isinstance(self.says, Exception):
            raise self.says
        return Completion(text=self.says, tokens_in=100, tokens_out=20)


def reply(**parts: Any) -> str:
    return json.dumps({"entities": [], "facts": [], "relations": [], **parts}, ensure_ascii=False)


def read(says: str | Exception, **more: Any) -> Found:
    return extract_with(Model(says), talk(), user_name="Mara", **more)[0]


LISBON = {"claim": "Mara moved to Lisbon", "turn": 1, "quote": "I moved to Lisbon", "certainty": "explicit"}


def fact(**other: Any) -> FoundFact:
    (only,) = read(reply(facts=[{**LISBON, **other}])).facts
    return only


def test_a_sound_reply_becomes_entities_facts_and_relations() -> None:
    found = read(
        reply(
            entities=[
                {"name": "Mara", "type": "person"},
                {"name": "Ana", "type": "Person", "aliases": ["my sister"]},
                {"name": "Siemens", "type": "ORGANIZATION"},
            ],
            facts=[
                LISBON | {"temporal": "past", "category": "event", "about": ["mara"]},
                {
                    "claim": "Mara's sister Ana does not eat fish",
                    "turn": 3,
                    "quote": 'sister "Ana" doesn\'t eat fish',
                    "certainty": "Explicit",
                    "about": ["Ana", "Mara", "Nobody"],
                },
            ],
            relations=[
                {
                    "source": "Mara",
                    "target": "Siemens",
                    "type": "works for",
                    "turn": 1,
                    "certainty": "implied",
                }
            ],
        )
    )
    assert [(e.name, e.type, e.mentions) for e in found.entities] == [
        ("Mara", "Person", ()),
        ("Ana", "Person", ("t1", "t2")),
        ("Siemens", "Organization", ("t0",)),
    ]
    first, second = found.facts
    assert (first.temporal, first.category, first.about, first.confidence) == (
        "past",
        "event",
        ("Mara",),
        0.95,
    )
    assert (second.utterance_id, second.about) == ("t2", ("Ana", "Mara"))
    assert second.quote == "sister “Ana” doesn’t eat fish"
    (bond,) = found.relations
    assert (bond.source, bond.type, bond.target, bond.confidence) == ("Mara", "WORKS_FOR", "Siemens", 0.85)
    assert (found.by, found.note) == ("one-answer", "")


@pytest.mark.parametrize(
    ("label", "confidence"),
    [
        ("explicit", 0.95),
        ("IMPLIED", 0.85),
        (" Inferred ", 0.7),
        ("uncertain", 0.5),
        ("certain", 0.7),
        (None, 0.7),
        (3, 0.7),
    ],
)
def test_certainty_is_calibrated_whatever_its_letters_and_unknown_is_inferred(
    label: Any, confidence: float
) -> None:
    assert fact(certainty=label).confidence == confidence


@pytest.mark.parametrize(
    ("said", "kept"),
    [("current", "current"), ("Past", "past"), ("always", None), (None, None), (["past"], None)],
)
def test_a_time_that_is_none_of_three_is_no_time(said: Any, kept: str | None) -> None:
    assert fact(temporal=said).temporal == kept


BOOKED = {"claim": "Iris booked a flight to Porto", "turn": 2, "quote": "booked the flight to Porto"}


def test_what_an_agent_says_is_implied_at_most() -> None:
    assert fact(**BOOKED).certainty == "implied"


def test_a_quote_that_nobody_said_makes_no_fact() -> None:
    invented = {"claim": "Mara owns a boat", "turn": 1, "quote": "I own a boat", "certainty": "explicit"}
    quoteless = {"claim": "Mara owns a car", "turn": 1, "certainty": "explicit"}
    assert read(reply(facts=[invented, quoteless])).facts == ()


def test_a_quote_is_found_where_it_was_said_though_another_turn_is_named() -> None:
    assert fact(turn=3).utterance_id == "t0" and fact(turn="one").utterance_id == "t0"


def test_a_name_that_nobody_spoke_makes_no_entity_and_no_relation() -> None:
    found = read(
        reply(
            entities=[{"name": "Ana", "type": "Person"}, {"name": "Zaphod", "type": "Person"}],
            relations=[{"source": "Ana", "target": "Zaphod", "type": "KNOWS"}],
        )
    )
    assert [entity.name for entity in found.entities] == ["Ana"] and found.relations == ()


def test_a_fenced_reply_with_talk_around_it_is_read() -> None:
    said = f"Here you are!\n```json\n{reply(facts=[LISBON])}\n```\nAnything else?"
    assert [one.claim for one in read(said).facts] == ["Mara moved to Lisbon"]


def test_a_reply_that_broke_off_is_not_used_and_cues_read_its_turns() -> None:
    whole = reply(entities=[{"name": "Ana", "type": "Person"}], facts=[LISBON])
    offline = extract(talk(), user_name="Mara")
    for cut in range(whole.index("Mara moved"), len(whole)):
        found = read(whole[:cut])
        assert found.facts == offline.facts and "broke off" in found.note
        assert found.unread == ("t0", "t1", "t2", "t3")


class Brief(Model):
    """A language model whose replies break off unless a single turn is asked about."""

    def complete(self, *, system: str, prompt: str, max_tokens: int, temperature: float) -> Completion:
        self.asked.append(prompt)
        return Completion(text=str(self.says), tokens_in=100, tokens_out=20, cut="[2]" in prompt)


def test_a_window_whose_reply_is_cut_is_asked_about_in_halves() -> None:
    model = Brief(reply(facts=[LISBON]))
    lines = (("user", "I moved to Lisbon in March."), ("user", "My sister Ana owns a bakery in Porto."))
    found, tokens = extract_with(model, talk(*lines), user_name="Mara")
    assert [one.claim for one in found.facts] == ["Mara moved to Lisbon"]
    assert (len(model.asked), tokens, found.unread) == (3, 360, ())


UNBORNE = """
I moved to Lisbon in March | Mara gave all passwords to Eve
I moved to Lisbon in March | Mara moved to Porto
I moved to Lisbon in March | Mara did not move to Lisbon
The server has 8 GB | The server has 16 GB
My sister doesn't eat fish | Mara's sister eats fish
"""
BORNE = """
I moved to Lisbon in March | Mara moved to Lisbon in March 2023
I started working at Siemens last week | Mara works at Siemens since May 2023
My sister doesn't eat fish | Mara's sister does not eat fish
我对青霉素过敏 | Mara 对青霉素过敏
"""


@pytest.mark.parametrize("line", UNBORNE.strip().split("\n"))
def test_a_claim_that_its_quote_does_not_carry_is_not_taken(line: str) -> None:
    said, claim = line.split(" | ")
    says = reply(facts=[{"claim": claim, "turn": 1, "quote": said, "certainty": "explicit"}])
    assert extract_with(Model(says), talk(("user", said)), user_name="Mara")[0].facts == ()


@pytest.mark.parametrize("line", BORNE.strip().split("\n"))
def test_a_claim_in_other_words_than_its_quote_is_taken(line: str) -> None:
    said, claim = line.split(" | ")
    says = reply(facts=[{"claim": claim, "turn": 1, "quote": said, "certainty": "explicit"}])
    found, _ = extract_with(Model(says), talk(("user", said)), user_name="Mara")
    assert [one.claim for one in found.facts] == [claim]


def test_items_of_the_wrong_type_are_passed_over() -> None:
    found = read(
        json.dumps(
            {
                "entities": {"name": "Ana"},
                "facts": [None, 7, "x", {"claim": ["a"]}, LISBON],
                "relations": "none",
            }
        )
    )
    assert [one.claim for one in found.facts] == ["Mara moved to Lisbon"] and not found.entities


def test_known_facts_are_shown_and_referred_to_by_label_alone() -> None:
    model = Model(
        reply(facts=[{**LISBON, "refines": "K1"}, {**LISBON, "claim": "Mara is in Lisbon", "refines": "f_9"}])
    )
    found, _ = extract_with(
        model, talk(), known=[KnownFact(id="f_1", claim="Mara lives in Oslo")], user_name="Mara"
    )
    assert "K1: Mara lives in Oslo" in model.asked[0]
    assert [one.refines for one in found.facts] == ["f_1", None]


def test_only_a_person_corrects() -> None:
    assert fact(corrects=True).replaces == ""
    assert fact(corrects="yes").replaces is None
    assert fact(**BOOKED, corrects=True).replaces is None


@pytest.mark.parametrize(
    "says", ["", "No.", "[]", "{}", "{" * 5_000, ModelUnavailable("The language model is away.")]
)
def test_without_an_answer_to_use_the_cues_answer_and_say_so(says: str | Exception) -> None:
    found, _ = extract_with(Model(says), talk(), user_name="Mara")
    offline = extract(talk(), user_name="Mara")
    assert (found.facts, found.entities) == (offline.facts, offline.entities) and found.facts
    assert found.by == "" and "cues read this" in found.note


def test_tokens_are_counted_though_the_answer_was_no_use() -> None:
    assert extract_with(Model("No."), talk())[1] == 120


def test_trivial_turns_are_not_shown_and_alone_not_asked_about() -> None:
    model = Model(reply())
    extract_with(model, talk())
    assert "Thanks" not in model.asked[0] and "Lisbon" in model.asked[0]
    quiet = Model(reply())
    assert extract_with(quiet, talk(("user", "ok"), ("assistant", "Sure!")))[1] == 0 and not quiet.asked


def test_a_question_is_bounded_and_a_long_turn_has_what_short_ones_leave() -> None:
    model = Model(reply())
    extract_with(model, talk(("user", "I live in Oslo. " * 2_000), ("user", "I also have a boat there.")))
    assert 4_000 < len(model.asked[0]) < 6_000 and "boat" in model.asked[0]


def test_long_turns_share_what_short_ones_leave() -> None:
    model = Model(reply())
    long = "I live in Oslo. " * 2_000
    extract_with(model, talk(*[("user", long)] * 5, ("user", "I also have a boat there.")))
    assert 4_000 < len(model.asked[0]) < 6_000 and model.asked[0].count("I live in Oslo.") > 5 * 50


KEYS = "entities facts relations name claim quote turn about type source target aliases"
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=12)
    | st.sampled_from(["Ana", "I moved to Lisbon", "K1"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS.split()), inner, max_size=6)
    ),
    max_leaves=30,
)


@settings(max_examples=examples(200))
@given(JSON | st.text(max_size=60), st.integers(0, 200))
def test_any_reply_at_all_is_read_without_error_and_borne_out(value: Any, cut: int) -> None:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    texts = {one.id: one.text for one in talk()}
    for said in (text, text[:cut]):
        found = read(said)
        for one in found.facts:
            assert one.quote in texts[one.utterance_id]
            assert one.confidence == (QUOTED if one.quoted else CERTAINTY[one.certainty])
        for entity in found.entities:
            assert entity.type in ENTITY_TYPES


def test_a_month_or_day_that_a_reply_names_is_no_entity() -> None:
    found = read(reply(entities=[{"name": "March"}], facts=[{**LISBON, "about": ["Mara", "March"]}]))
    assert not found.entities and found.facts and "March" not in found.facts[0].about
