"""Words of a query: its content words, the speakers it names, and its subject without them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memdesk.store.words import CJK, bigrams, folded, is_run

TERMS_MAX = 16
"""Most distinct terms of a query: in a longer one, such as a pasted page, each further term only adds cost."""

_SUBJECT = re.compile(r"([A-ZÀ-Þ][\w'’-]*(?: [A-ZÀ-Þ][\w'’-]*)*)(?:['’]s)?\s+[a-zß-ÿ]")
"""Name that begins a fact, before its verb."""
# Numbers keep their inner marks (3.12, 2023-05-07, 10:30) and are matched as phrases.
_TERM = re.compile(rf"[{CJK}]+|\d+(?:[.:/-]\d+)+|[^\W_{CJK}]+")
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u02bc": "'", "\uff07": "'"})
_CONTRACTION = re.compile(r"(?<=\w)'(?:s|d|m|t|ll|re|ve)\b")

_ENGLISH = """
    a about after again ago all also always am an and any anyone anything are aren as at be because been before
    being both but by can could couldn d did didn do does doesn doing don done during each either else ever
    every few for from further get gets getting go goes going gone got had hadn has hasn have haven having he
    her here hers herself him himself his how i if in into is isn it its itself just kind likely ll m many may
    maybe me might mine more most much must my myself no nor not now of off on once one only onto or other our
    ours ourselves out over own per re s same shall she should shouldn so some someone something still such t
    than that the their theirs them themselves then there these they thing things this those through to too
    type under until up upon us ve very was wasn we were weren what whatever when whenever where whichever which
    while who whom whose why will with won would wouldn yes yet you your yours yourself
"""
STOPWORDS: frozenset[str] = frozenset(_ENGLISH.split())
"""English words that express the form of a question and not its subject; leaving them out is worth 7 points
of recall@10 on LoCoMo."""

ROLES = frozenset({"user", "assistant", "agent", "system", "tool", "human", "ai"})
"""Role names that runtimes give to the speakers of a turn."""

_QUESTION_RUNS = """
    为什么 為什麼 什么时候 什麼時候 什么样 什么 什麼 怎么样 怎么 怎麼 怎樣 如何 哪里 哪裡 哪儿 哪个 哪個 哪些 多少 几个
    何时 多久 多长 多長 多大 几点 幾點 哪天 哪年 哪一 你知道 是不是 有没有 有沒有 是否 请问
    でしたか ましたか ですか ますか どうして なぜ どこ どの どれ だれ なに いつ
"""
STOP_RUNS: tuple[str, ...] = tuple(_QUESTION_RUNS.split())
"""Chinese and Japanese question words. A run is cut in two at each of them, so that no half bigram remains."""

STOP_CHARACTERS: frozenset[str] = frozenset(
    "谁誰吗嗎呢吧啊呀的了着過过是我你他她它们們和与與在也就都不有はがをにのともでかへや"
)
"""Particles and pronouns of Chinese and Japanese: a term of only these is left out."""

_STOP_RUN = re.compile("|".join(sorted(map(re.escape, STOP_RUNS), key=len, reverse=True)))


def terms(query: str) -> tuple[str, ...]:
    """Return the distinct words of a query in order, lower case, at most TERMS_MAX, without stop words.

    A query of only stop words keeps them all, because they are its subject. CJK runs become bigrams, a lone
    CJK character remains as it is."""
    plain = _plain(query)
    if plain.isascii():
        every = list(dict.fromkeys(_TERM.findall(plain)))
        return tuple(([term for term in every if term not in STOPWORDS] or every)[:TERMS_MAX])
    telling = [term for term in _distinct(_STOP_RUN.sub(" ", plain)) if not _is_stop(term)]
    return tuple((telling or _distinct(plain))[:TERMS_MAX])


def _plain(text: str) -> str:
    """Return a text in lower case without the ends of contractions."""
    return _CONTRACTION.sub("", folded(text).lower().translate(_APOSTROPHES))


def content_words(text: str) -> frozenset[str]:
    """Return all words of a text that `terms` takes from a query, however many; none for one of only stop words."""
    plain = _plain(text)
    if plain.isascii():
        return frozenset(_TERM.findall(plain)) - STOPWORDS
    return frozenset(term for term in _distinct(_STOP_RUN.sub(" ", plain)) if not _is_stop(term))


def named(query: str, speakers: Iterable[str]) -> frozenset[str]:
    """Return the speakers that a query names by any part of their name. Roles such as "user" are not names."""
    asked = set(terms(query))
    # A recall compares some fifty names: most have no term of the query anywhere, and are not cut into terms.
    near = [who for who in speakers if not who.isascii() or any(map(_plain(who).__contains__, asked))]
    return frozenset(who for who in near if who.lower() not in ROLES and asked.intersection(terms(who)))


def subject_of(claim: str) -> str:
    """Return the name that begins a claim, before its verb; "" if none does."""
    found = _SUBJECT.match(claim)
    return "" if found is None else found[1]


def first_name(name: str) -> str | None:
    """Return the first word of a name; None for a role or a stop word."""
    first = name.split()[0]
    return None if first.lower() in ROLES or first.lower() in STOPWORDS else first


def subject(query: str, names: Iterable[str]) -> str:
    """Return the query for the vector search: without the speakers it names, or unchanged if no word is left.

    A name pulls the vector towards every turn that greets the person: leaving it out lifts the bundled table
    alone from 21 to 57 on LoCoMo."""
    spoken = {re.escape(part) for name in names for part in (name, *name.split())}
    if not spoken:
        return query
    longest_first = "|".join(sorted(spoken, key=len, reverse=True))
    # Chinese and Japanese have no spaces around a name.
    edge_before, edge_after = rf"(?<![^\W{CJK}])", rf"(?![^\W{CJK}])"
    rest = re.sub(
        rf"{edge_before}(?:{longest_first})(?:['\u2019]s)?{edge_after}", " ", query, flags=re.IGNORECASE
    )
    return " ".join(rest.split()) if terms(rest) else query


def spaced_names(query: str, names: Iterable[str]) -> str:
    """Return the query with spaces around the Chinese and Japanese names of these that it has, "" if it has none: a
    bigram across the edge of a name is in no memory."""
    found = [name for name in names if is_run(name) and name in query]
    for name in found:
        query = query.replace(name, f" {name} ")
    return query if found else ""


def _cut(part: str) -> list[str]:
    return bigrams(part) if len(part) > 1 and is_run(part) else [part]


def _distinct(plain: str) -> list[str]:
    return list(dict.fromkeys(term for part in _TERM.findall(plain) for term in _cut(part)))


def _is_stop(term: str) -> bool:
    return term in STOPWORDS or STOP_CHARACTERS.issuperset(term)
