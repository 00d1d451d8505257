"""Messages in the shapes that runtimes use: their text, which ones belong together, their size, with token counts
estimated without a model's tokenizer; and the sentences of a stretch of conversation, with the marks that make one
worth keeping. Pure.

A hard constraint is a sentence that commands or forbids: by a modal word, or as an order at its beginning."""

from __future__ import annotations

import json
import re
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from memdesk.engine.extraction import cues
from memdesk.engine.extraction.extract import extract
from memdesk.engine.extraction.findings import FoundFact, Utterance
from memdesk.engine.extraction.language import has_han, language, plain, sentences, trivial
from memdesk.engine.extraction.lexicon import pattern, word_set
from memdesk.engine.extraction.transcript import withheld
from memdesk.model.context import Message
from memdesk.model.errors import BadAsk
from memdesk.model.message import message as sentence

MESSAGE_TOKENS = 4
"""Tokens of a message in addition to its text: its role and its end marks, as in chat formats (OpenAI's cookbook)."""
_LETTER, _DIGIT, _MARK, _WIDE, _OTHER = 1 / 4.2, 0.9, 0.7, 1.0, 1 / 3
_LETTERS, _DIGITS = f"{string.ascii_letters} ".encode(), string.digits.encode()


def _weights() -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """Return the share of a token that each character of the basic plane counts as."""
    table = np.full(0x10000, _OTHER, np.float32)
    for code in range(128):
        letter = chr(code)
        table[code] = _LETTER if letter.isalpha() or letter == " " else _DIGIT if letter.isdigit() else _MARK
    for first, last in ((0x2E80, 0x9FFF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF)):
        table[first : last + 1] = _WIDE
    return table


_TABLE = _weights()


def tokens_in(text: str) -> int:
    """Return the approximate number of tokens of a text; 0 for an empty one. 50,000 characters take a quarter
    of a millisecond."""
    if not text:
        return 0
    if text.isascii():
        # Most lines are short and ASCII: two counts of bytes take a tenth of what an array takes.
        said = text.encode()
        letters = len(said) - len(said.translate(None, _LETTERS))
        digits = len(said) - len(said.translate(None, _DIGITS))
        return max(1, round(_LETTER * letters + _DIGIT * digits + _MARK * (len(said) - letters - digits)))
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    plane = codes < 0x10000
    beyond = 2.0 * float(np.count_nonzero(~plane))
    return max(1, round(float(_TABLE[codes[plane]].sum()) + beyond))


INSTRUCTING = ("system", "developer")
_TEXTS = ("text", "input_text", "output_text")


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Number of messages, characters of their content, and tokens. counted: True if the caller counted the tokens."""

    messages: int
    characters: int
    tokens: int
    counted: bool = False


def check(messages: Sequence[Message]) -> None:
    """Raise BadAsk for an invalid message, naming its position."""
    for number, message in enumerate(messages):
        role, content = message.get("role"), message.get("content")
        if not isinstance(role, str) or not role.strip():
            raise BadAsk(
                sentence("`messages[{count}]` has no role.", count=number),
                next=sentence("Give each message its `role`."),
            )
        if not isinstance(content, str | list | None):
            raise BadAsk(
                sentence("`messages[{count}].content` must be text, a list of parts, or null.", count=number)
            )


def content_of(message: Message) -> str:
    """Return the text of a message's content; if it has parts, the texts among them."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(filter(None, (_part(part) for part in content or ())))


def said_in(message: Message) -> str:
    """Return the text that a turn stores: the content, the tool calls, and a placeholder for other content;
    never empty."""
    parts = [content_of(message).strip() and content_of(message), *map(_called, calls_of(message))]
    text = "\n".join(filter(None, parts))
    if text:
        return text
    return "[no text]" if message.get("content") else "[empty]"


def calls_of(message: Message) -> list[tuple[str, Any]]:
    """Return (name, arguments) of the tools that a message calls, in OpenAI's or Anthropic's shape."""
    asked = message.get("tool_calls")
    functions = (
        [each.get("function") for each in asked if isinstance(each, dict)] if isinstance(asked, list) else []
    )
    called = [
        (str(each.get("name", "")), each.get("arguments", "")) for each in functions if isinstance(each, dict)
    ]
    uses = [part for part in _parts(message) if part.get("type") == "tool_use"]
    return [*called, *((str(part.get("name", "")), part.get("input", {})) for part in uses)]


def answers_a_call(message: Message) -> bool:
    """Return True if a message contains the result of a tool, and so belongs to the call before it."""
    return message.get("role") in ("tool", "function") or any(
        part.get("type") == "tool_result" for part in _parts(message)
    )


def boundary(messages: Sequence[Message], at: int) -> int:
    """Return the nearest position at or before `at` where a list may be split: never between a tool call and
    its results."""
    at = max(0, min(at, len(messages)))
    while 0 < at < len(messages) and answers_a_call(messages[at]):
        at -= 1
    return at


def size_of(messages: Sequence[Message], counts: Sequence[int] = (), *, apart: int = 0) -> Size:
    """Return the size of messages. counts: tokens of each, if the caller counted. apart: number of
    instructions in front.

    Instructions add tokens but are not counted as messages."""
    tokens = sum(counts) if counts else sum(map(tokens_of, messages))
    talk = messages[apart:]
    return Size(
        messages=len(talk),
        characters=sum(len(content_of(each)) for each in talk),
        tokens=tokens,
        counted=bool(counts),
    )


def tokens_of(message: Message) -> int:
    """Return the approximate number of tokens of one message, including its calls and its form."""
    called = "".join(f"{name}{_plain(arguments)}" for name, arguments in calls_of(message))
    return MESSAGE_TOKENS + tokens_in(content_of(message)) + tokens_in(called)


def is_plain(message: Message) -> bool:
    """Return True if a message is only a role and a text, so that a turn's columns can store all of it."""
    return (
        message.keys() == {"role", "content"}
        and isinstance(message["content"], str)
        and bool(message["content"].strip())
    )


def _parts(message: Message) -> list[dict[str, Any]]:
    content = message.get("content")
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


def _part(part: Any) -> str:
    """Return the text of one part of a content."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    kind = part.get("type")
    if kind in _TEXTS or (kind is None and "text" in part):
        return str(part.get("text") or "")
    if kind == "tool_result":
        inner = part.get("content")
        return inner if isinstance(inner, str) else "\n".join(filter(None, map(_part, inner or ())))
    return "" if kind in (None, "tool_use") else f"[{kind}]"


def _called(call: tuple[str, Any]) -> str:
    name, arguments = call
    return f"[calls {name} {_plain(arguments)}]"


def _plain(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


TOOLS = ("tool", "function")
"""Roles of messages that contain the result of a tool."""
SENTENCE_CHARACTERS = 320
"""Length at which a longer sentence is cut: it is data, or a paragraph without a full stop."""
CONSTRAINT_CHARACTERS = 160
CONSTRAINTS_AT_MOST = 12
"""Most constraints kept, as in AgenticX; the latest ones, because a repeated order replaces the first."""
NAMES_AT_MOST = 8
NAMED_FROM = 3
"""Turns that must mention a name before it counts as a subject of the conversation, which the summary must mention."""
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
    """Return every sentence of these turns that is not trivial, in order; of a tool's answer only the first line."""
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
    private = withheld(heard)
    return extract([each for each in heard if each.id not in private]).facts


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
