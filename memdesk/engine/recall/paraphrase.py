"""Paraphrases of a question by rule: as a statement, as its core phrase, and with one word replaced by a
synonym.

The text that answers a question is rarely a question itself, so a statement is nearer to the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.engine.recall.synonyms import SYNONYMS
from memdesk.engine.recall.words import terms
from memdesk.store.words import is_run

AT_MOST = 3
"""Most paraphrases of one query (AgentX)."""

_BE = r"(?:is|are|was|were|'s|’s)"
_DO = r"(?:do|does|did|has|have|had|will|would|can|could|should)"
_REST = r"(?P<rest>.+?)"
_FORMS: tuple[tuple[str, str], ...] = (
    (
        rf"what (?:kind|sort|type) of (?P<what>[\w-]+) {_DO} (?P<who>\S+) {_REST}",
        r"\g<who> \g<rest> \g<what>",
    ),
    (rf"what {_BE} (?P<whose>.+?(?:'s|’s)|my|your|our|his|her|their|the) {_REST}", r"\g<whose> \g<rest> is"),
    (rf"what {_DO} (?P<who>\S+) {_REST}", r"\g<who> \g<rest>"),
    (rf"which {_REST} {_DO} (?P<who>\S+) (?P<verb>.+?)", r"\g<who> \g<verb> \g<rest>"),
    (rf"where {_DO} (?P<who>\S+) {_REST}", r"\g<who> \g<rest> in"),
    (rf"where {_BE} {_REST}", r"\g<rest> is in"),
    (rf"when {_DO} (?P<who>\S+) {_REST}", r"\g<who> \g<rest> on"),
    (rf"when {_BE} {_REST}", r"\g<rest> is on"),
    (rf"who {_BE} {_REST}", r"\g<rest> is"),
    (rf"who {_REST}", r"\g<rest>"),
    (rf"why {_DO} (?P<who>\S+) {_REST}", r"\g<who> \g<rest> because"),
    (rf"how (?:many|much) {_REST}", r"\g<rest>"),
    (rf"how (?:long|often|old) {_DO} {_REST}", r"\g<rest>"),
    (rf"how {_DO} (?P<who>\S+) {_REST}", r"\g<who> \g<rest> by"),
    (rf"(?:{_DO}|{_BE}) (?P<who>\S+) {_REST}", r"\g<who> \g<rest>"),
    (rf"(?:tell me|what do you know|do you remember) (?:about )?{_REST}", r"\g<rest>"),
    (r"(?P<rest>.+?)是(?:什么|什麼|谁|誰|哪个|多少)(?:时候|時候)?", r"\g<rest>是"),
    (r"谁是(?P<rest>.+?)", r"\g<rest>是"),
    (r"(?P<rest>.+?)在(?:哪里|哪裡|哪儿|什么地方)(?P<more>.*?)", r"\g<rest>在\g<more>"),
    (r"(?P<who>.*?)(?:什么时候|什麼時候|何时|为什么|為什麼|怎么|怎麼|如何)(?P<rest>.+?)", r"\g<who>\g<rest>"),
    (r"(?P<who>.*?)有没有(?P<rest>.+?)", r"\g<who>有\g<rest>"),
    (r"(?P<rest>.+?)(?:吗|嗎|呢)", r"\g<rest>"),
)
_STATEMENTS = tuple((re.compile(form, re.IGNORECASE), told) for form, told in _FORMS)
_CLOSING = " \t\r\n?？!！.。"


def paraphrases(query: str) -> tuple[str, ...]:
    """Return at most AT_MOST other wordings of a query: statement, core phrase, synonym; never the query
    itself."""
    asked = " ".join(query.split()).strip(_CLOSING)
    ways = [way for way in (_statement(asked), _core(asked), _with_synonym(asked)) if way]
    return tuple(dict.fromkeys(way for way in ways if way.lower() != asked.lower()))[:AT_MOST]


def _statement(asked: str) -> str:
    """Return the question as the beginning of the sentence that would answer it; "" if no form fits."""
    for form, told in _STATEMENTS:
        if found := form.fullmatch(asked):
            return " ".join(found.expand(told).split())
    return ""


def _core(asked: str) -> str:
    """Return the content words of the query alone; "" if it contains Chinese or Japanese."""
    return "" if any(map(is_run, asked.split())) else " ".join(terms(asked))


def _with_synonym(asked: str) -> str:
    """Return the query with its first word that has a synonym replaced by it; "" if none has."""
    for word in _words(asked):
        if (other := SYNONYMS.get(word.lower())) is not None:
            whole = word if is_run(word) else rf"\b{word}\b"
            return re.sub(whole, other, asked, count=1)
    return ""


def _words(asked: str) -> Iterator[str]:
    """Yield Latin words, then every piece of three, two and one characters within CJK runs."""
    yield from re.findall(r"[A-Za-z]+", asked)
    for size in (3, 2, 1):
        for start in range(len(asked) - size + 1):
            piece = asked[start : start + size]
            if is_run(piece):
                yield piece
