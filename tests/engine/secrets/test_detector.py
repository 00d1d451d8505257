"""Detection of secrets, measured on made-up ones and on honest texts with long ids."""

from __future__ import annotations

import time

import pytest

from memdesk.engine.secrets.detector import find, has_github_check
from tests.engine.secrets.texts import Draw, honest, told


def masked(text: str) -> str:
    for each in reversed(find(text)):
        text = f"{text[: each.start]}[{each.kind}]{text[each.end :]}"
    return text


@pytest.mark.parametrize("unseen", [False, True])
def test_made_up_secrets_are_found_and_honest_texts_are_left(unseen: bool) -> None:
    missed = [case.text for case in told() if case.unseen == unseen and case.secret in masked(case.text)]
    alarms = [case.text for case in honest() if case.unseen == unseen and find(case.text)]
    assert (missed, alarms) == ([], [])


def test_only_the_value_is_hidden_and_the_words_around_it_stay() -> None:
    assert masked("The password of the router is Xk9#plmQ22, ask Jun.") == (
        "The password of the router is [password], ask Jun."
    )
    assert masked("postgres://app:Xk9#plmQ22@db:5432/tide") == "postgres://app:[password]@db:5432/tide"


def test_a_user_and_a_password_in_one_value_are_told_apart() -> None:
    for word in (
        "Credentials: admin /",
        "Credenciais: admin /",
        "Zugangsdaten: root |",
        "账号密码：admin /",
        "Login of the hotel portal: tern /",
    ):
        assert masked(f"{word} @Xk9plmQ22") == f"{word} [password]"
    assert not find("Login of Mara: Monday / Tuesday")
    assert not find("Login: Mara / spring 2026") and not find("Credentials: stored in ~/.secrets/brew.json")


def test_a_card_needs_an_issuer_a_check_digit_and_a_word_or_its_groups() -> None:
    number = Draw("card").luhn("400000", 16)
    wrong = number[:-1] + str((int(number[-1]) + 1) % 10)
    assert find(f"my card is {number}") and not find(f"my card is {wrong}") and not find(f"order {number}")


def test_a_token_of_github_is_sure_by_its_check_digits() -> None:
    assert has_github_check("ghp_" + "0" * 30 + "2mGgNr") is False


@pytest.mark.parametrize(
    "part", ["sk-", "sk-a1-", "password ", "key=", "eyJ", "-----BEGIN PRIVATE KEY-----\n", "x"]
)
def test_no_text_keeps_the_detector_busy(part: str) -> None:
    started = time.perf_counter()
    find(part * (20_000 // len(part)))
    assert time.perf_counter() - started < 5
