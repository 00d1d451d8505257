"""Sentences of a stretch of conversation, and the marks that make one worth keeping. Pure.

A hard constraint is a sentence that commands or forbids: by a modal word, or as an order at its beginning."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from memdesk.engine.extraction import cues
from memdesk.engine.extraction.extract import extract
from memdesk.engine.extraction.findings import FoundFact, Utterance
from memdesk.engine.extraction.language import has_han, language, plain, sentences, trivial
from memdesk.engine.extraction.lexicon import pattern, word_set

TOOLS = ("tool", "function")
"""Roles of messages that contain the result of a tool."""
SENTENCE_CHARACTERS = 320
"""Length at which a longer sentence is cut: it is data, or a paragraph without a full stop."""
CONSTRAINT_CHARACTERS = 160
CONSTRAINTS_AT_MOST = 12
"""Most constraints kept, as in AgenticX; the latest ones, because a repeated order replaces the first."""
NAMES_AT_MOST = 8
NAMED_FROM = 3
"""Turns that must mention a name before it counts as a subject of the conversation, which the summary must
mention."""
TURN_CHARACTERS = 20_000
"""Characters of one turn that are read; the rest is taken for a pasted file."""

_DONE = r"(?!\w+ed\b|been|saw|seen|knew|thought|had|was|were|did|forgot|found|felt|came|went|told|loves?|enjoys?|happy)"
_ORDER = (
    rf"(?:please |and |but |also |so |then )*(?:never {_DONE}|always {_DONE}|do not|don't (?!you|we|worry|think|know)"
    r"|only (?:use|write|run|call|ask|answer)|make sure|be sure|under no circumstances|avoid|stop|keep in mind)\b"
)
_MODAL = pattern("summaries", "modal")
_ORDERED = re.compile(rf"^{_ORDER}|[,;:.] {_ORDER}", re.IGNORECASE)
_CHINESE = pattern("summaries", "chinese", flags=0)
_NUMBER = re.compile(r"\d")
_NAME = re.compile(r"(?<![.!?…\n] )(?<!^)\b[A-Z][A-Za-z0-9]*[a-z0-9][A-Za-z0-9]*(?:[-.][A-Z]?[a-z0-9]+)*\b")
_NOT_NAMES = word_set(
    """
    i i'm oh hey hi yes no yeah wow thanks thank well what when where why how the this that it my we you he she they
    and but so if or then also just really great good nice awesome congrats monday tuesday wednesday thursday friday
    saturday sunday january february march april may june july august september october november december ok okay please
    """
)
_CHATTER = pattern("summaries", "chatter")


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnText:
    """Text of one turn. index: its place in the conversation."""

    index: int
    role: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """Sentence of a conversation. turns: the turns that contain it. carried: it comes from the summary
    before.

    constraint, decision, figure, claim (a fact can be read from it): reasons to keep it. asks: it is a
    question. chatter: it begins like a courtesy."""

    text: str
    turns: tuple[int, ...]
    speaker: str = ""
    role: str = "user"
    constraint: bool = False
    decision: bool = False
    figure: bool = False
    claim: bool = False
    chatter: bool = False
    asks: bool = False
    carried: bool = False


def sentences_of(turns: Sequence[TurnText]) -> list[Sentence]:
    """Return every sentence of these turns that is not trivial, in order; of a tool's answer only the first
    line."""
    claims = _claims(turns)
    return [
        _rated(turn, sentence.text[:SENTENCE_CHARACTERS].strip(), sentence.asked, claims.get(turn.index, []))
        for turn in turns
        for sentence in sentences(plain(_read(turn)))
        if not trivial(sentence.text)
    ]


def _read(turn: TurnText) -> str:
    """Return the part of a turn that is read."""
    if turn.role in TOOLS:
        return turn.text.strip().partition("\n")[0]
    return "" if trivial(turn.text) else turn.text[:TURN_CHARACTERS]


def facts_of(turns: Sequence[TurnText]) -> list[Sentence]:
    """Return the facts that can be read from these turns, each as a sentence that can be understood alone."""
    turn_of = {fact.claim: int(fact.utterance_id) for fact in reversed(_facts(turns))}
    rows = sorted(turn_of.items(), key=lambda row: row[1])
    return [Sentence(text=claim, turns=(index,), claim=True) for claim, index in rows]


def _claims(turns: Sequence[TurnText]) -> dict[int, list[str]]:
    """Return the quotes from each turn that a fact can be read from, by the turn's index."""
    found: dict[int, list[str]] = {}
    for fact in _facts(turns):
        found.setdefault(int(fact.utterance_id), []).append(fact.quote)
    return found


def _facts(turns: Sequence[TurnText]) -> Sequence[FoundFact]:
    heard = [
        Utterance(
            id=str(turn.index), speaker=turn.speaker, role=turn.role, text=turn.text[:TURN_CHARACTERS], at=0
        )
        for turn in turns
    ]
    return extract(heard).facts


def _rated(turn: TurnText, text: str, asked: bool, claims: Sequence[str]) -> Sentence:
    person = turn.role not in (*TOOLS, "assistant")
    chinese = language(text) == "zh"
    category = cues.chinese_category(text) if chinese else cues.category(text, tense="none")
    return Sentence(
        text=text,
        turns=(turn.index,),
        speaker=turn.speaker,
        role=turn.role,
        asks=asked,
        constraint=person and not asked and is_constraint(text),
        decision=category == "decision" and not asked,
        figure=_NUMBER.search(text) is not None,
        claim=any(claim in text or text in claim for claim in claims),
        chatter=_CHATTER.match(text) is not None,
    )


def is_constraint(sentence: str) -> bool:
    """Return True if a sentence commands or forbids; False if it is too long to be kept word for word."""
    if len(sentence) > CONSTRAINT_CHARACTERS:
        return False
    if has_han(sentence) and _CHINESE.search(sentence):
        return True
    return bool(_MODAL.search(sentence) or _ORDERED.search(sentence))


def constraints(found: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Return the hard constraints among sentences, each once, the latest CONSTRAINTS_AT_MOST, in order."""
    latest: dict[str, Sentence] = {}
    for each in found:
        if each.constraint:
            latest.pop(normalised(each.text), None)
            latest[normalised(each.text)] = each
    return tuple(latest.values())[-CONSTRAINTS_AT_MOST:]


def names(turns: Sequence[TurnText]) -> tuple[str, ...]:
    """Return the names that the turns are about, most frequent first: speakers, and capitalised words within
    sentences.

    A name counts if at least NAMED_FROM turns mention it; roles are no names."""
    counts: Counter[str] = Counter()
    for turn in turns:
        text = "" if turn.role in TOOLS else turn.text[:TURN_CHARACTERS]
        found = set(_NAME.findall(text))
        if turn.speaker and turn.speaker != turn.role:
            found.add(turn.speaker)
        counts.update(name for name in found if name.lower() not in _NOT_NAMES)
    return tuple(name for name, times in counts.most_common(NAMES_AT_MOST) if times >= NAMED_FROM)


def normalised(text: str) -> str:
    """Return a text in the form in which texts are compared: without letter case, extra spaces and end marks."""
    return " ".join(text.casefold().split()).strip(" .!。！;；,，")


def contains(text: str, part: str) -> bool:
    """Return True if a text contains a part, ignoring letter case and spaces."""
    return normalised(part) in " ".join(text.casefold().split())
