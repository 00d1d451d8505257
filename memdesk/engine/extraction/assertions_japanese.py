"""Assertions in simple Japanese claims: 〜は〜に住んでいます, 〜で働いています, 〜が好きです."""

from __future__ import annotations

import re

from memdesk.engine.extraction.assertion import EMPLOYER, HOME, IS, LIKES, Assertion, subject_of
from memdesk.engine.extraction.assertion_forms import Found, attribute, form, read, slot
from memdesk.engine.extraction.values import times

_S = "^(?P<s>[^、。は]{1,20}?)は(?:今|現在|、)*"
_V = "(?P<v>[^。は]{1,20}?)"
_IS = "(?:います|いる|る)?$"
_COPULA = "(?:です|だ)?$"
_NAMED = ("名前", "住所", "職業", "電話番号", "ポート", "バージョン")


def japanese(claim: str) -> Found:
    """Yield the assertions of a Japanese claim, each once."""
    yield from read(claim.strip().rstrip("。."), FORMS)


def _attribute(match: re.Match[str]) -> Found:
    phrase, value = match["s"].replace("の", "的"), match["v"]
    favourite = "一番好きな" in phrase
    if favourite or phrase.endswith(_NAMED) or (phrase.endswith(("誕生日", "締め切り")) and times(value)):
        yield Assertion(subject=subject_of(phrase), slot=IS, value=value)


FORMS = (
    form(f"{_S}{_V}に住んで{_IS}", slot(HOME)),
    form(f"{_S}{_V}に引っ越し(?:ました|た)$", slot(HOME, arrival=True)),
    form(f"{_S}{_V}(?:で働いて|で勤務して|に勤めて){_IS}", slot(EMPLOYER)),
    form(f"{_S}{_V}が(?:大)?好き{_COPULA}", slot(LIKES, single=False)),
    form(
        f"{_S}{_V}が(?:(?:大)?嫌い{_COPULA}|好きで?(?:は|じゃ)(?:ない|ありません)(?:です)?$)",
        slot(LIKES, single=False, denied=True),
    ),
    form(f"{_S}(?P<v>\\d{{1,3}})歳{_COPULA}", attribute("age")),
    form("^(?P<s>[^。は]{1,30}?)は(?P<v>[^。は]{1,30}?)(?:です|だ)$", _attribute),
)
"""Forms of a Japanese claim: a pattern matched from its first character, and the function that yields its
assertions."""
